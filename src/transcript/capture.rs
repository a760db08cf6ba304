//! Packet captures: recognised by their first bytes and read through `tshark` where that is installed. Reassembling
//! connections is its work, not ours; it is started with fixed arguments and without a shell.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

/// How captures begin: pcap of both byte orders and both units of time, and pcapng.
const MAGIC: [&[u8]; 5] =
    [b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\xc3\xd4", b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d", b"\x0a\x0d\x0d\x0a"];

/// Bytes that tell.
const LOOK: usize = 4;

/// Whether more bytes are needed to know that a stream is a capture.
pub(super) fn undecided(head: &[u8]) -> bool {
    head.len() < LOOK && MAGIC.iter().any(|magic| magic.starts_with(head))
}

/// Whether a stream that begins so is a capture.
pub(super) fn begins(head: &[u8]) -> bool {
    MAGIC.iter().any(|magic| head.starts_with(magic))
}

/// The HTTP of a capture as JSON. The capture itself, unread, where there is no `tshark`.
pub(super) fn dissect(mut capture: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
    let started = Command::new("tshark")
        // Servers of MCP stand at any port: look for HTTP at all of them.
        .args(["-r", "-", "-o", "tcp.try_heuristic_first:TRUE", "-Y", "http", "-T", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return capture };
    let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else { return capture };
    thread::spawn(move || {
        // A reader that has enough, or a capture that breaks off: `tshark` tells by its exit code.
        let _ = io::copy(&mut capture, &mut to);
        let _ = to.flush();
    });
    Box::new(Dissected { child, from })
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
