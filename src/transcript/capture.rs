//! Packet captures: recognised by their first bytes and read through `tshark` where that is installed. Reassembling
//! connections is its work, not ours; it is started with fixed arguments and without a shell.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

/// How files of pcap begin, in both byte orders and both units of time.
const PCAP: [&[u8]; 4] = [b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\xc3\xd4", b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d"];
/// How the first block of pcapng begins: line ends, as a text may as well.
const PCAPNG: &[u8] = b"\x0a\x0d\x0d\x0a";
/// What stands behind the length of that block, in both byte orders.
const BYTE_ORDER: [&[u8]; 2] = [b"\x4d\x3c\x2b\x1a", b"\x1a\x2b\x3c\x4d"];
/// Where it stands.
const BYTE_ORDER_AT: usize = 8;

/// Whether more bytes are needed to know that a stream is a capture.
pub(super) fn undecided(head: &[u8]) -> bool {
    let short = |magic: &&[u8]| head.len() < magic.len() && magic.starts_with(head);
    let order = head.get(BYTE_ORDER_AT..).unwrap_or_default();
    PCAP.iter().any(short)
        || short(&PCAPNG)
        || (head.starts_with(PCAPNG)
            && (head.len() < BYTE_ORDER_AT
                || BYTE_ORDER.iter().any(|magic| order.len() < magic.len() && magic.starts_with(order))))
}

/// Whether a stream that begins so is a capture.
pub(super) fn begins(head: &[u8]) -> bool {
    let ordered = |order: &[u8]| BYTE_ORDER.iter().any(|magic| order.starts_with(magic));
    PCAP.iter().any(|magic| head.starts_with(magic))
        || (head.starts_with(PCAPNG) && head.get(BYTE_ORDER_AT..).is_some_and(ordered))
}

/// The HTTP of a capture as JSON; the capture itself, unread, where there is no `tshark`.
pub(super) fn dissect(mut capture: Box<dyn Read + Send>) -> Result<Box<dyn Read + Send>, Box<dyn Read + Send>> {
    let started = Command::new("tshark")
        // Servers of MCP stand at any port: look for HTTP at all of them.
        .args(["-r", "-", "-o", "tcp.try_heuristic_first:TRUE", "-Y", "http", "-T", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return Err(capture) };
    let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else { return Err(capture) };
    thread::spawn(move || {
        // A reader that has enough, or a capture that breaks off: `tshark` tells by its exit code.
        let _ = io::copy(&mut capture, &mut to);
        let _ = to.flush();
    });
    Ok(Box::new(Dissected { child, from }))
}

struct Dissected {
    child: Child,
    from: ChildStdout,
}

impl Read for Dissected {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        if count > 0 || buffer.is_empty() {
            return Ok(count);
        }
        match self.child.wait()? {
            status if status.success() => Ok(0),
            status => Err(io::Error::other(format!("`tshark` could not read the capture whole ({status})"))),
        }
    }
}

impl Drop for Dissected {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_are_told_from_texts_that_begin_with_line_ends() {
        let cases: [(&[u8], bool, bool); 9] = [
            (b"", true, false),
            (b"\n\r", true, false),
            (b"\n\r\r\n", true, false),
            (b"\n\r\r\n\x1c\0\0\0\x4d\x3c", true, false),
            (b"\n\r\r\n\x1c\0\0\0\x4d\x3c\x2b\x1a", false, true),
            (b"\n\r\r\n\0\0\0\x1c\x1a\x2b\x3c\x4d", false, true),
            (b"\n\r\r\n{\"id\":1", false, false),
            (b"\xd4\xc3\xb2\xa1\x02", false, true),
            (b"\n\r{", false, false),
        ];
        for (head, more, is_capture) in cases {
            assert_eq!((undecided(head), begins(head)), (more, is_capture), "{head:?}");
        }
    }
}
