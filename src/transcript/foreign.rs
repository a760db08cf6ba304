//! What a head is that is no transcript: a packing that is not read, with the command that unpacks it, or a text that
//! people take for a log of MCP.

/// Beginnings that tell, and what they tell.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\xfd7zXZ\0", "xz data; unpack it with `xz -dc FILE | mcp-trace`"),
    (b"BZh", "bzip2 data; unpack it with `bzip2 -dc FILE | mcp-trace`"),
    (b"\x04\x22\x4d\x18", "lz4 data; unpack it with `lz4 -dc FILE | mcp-trace`"),
    (b"\x02\x21\x4c\x18", "lz4 data; unpack it with `lz4 -dc FILE | mcp-trace`"),
    (b"PK\x03\x04", "a zip archive; unpack it with `unzip -p FILE | mcp-trace`"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it with `7z x -so FILE | mcp-trace`"),
    (b"Rar!\x1a\x07", "a rar archive; unpack it with `unrar p -inul FILE | mcp-trace`"),
    (b"\x89LZO\0\r\n\x1a\n", "lzop data; unpack it with `lzop -dc FILE | mcp-trace`"),
    (b"\xff\x06\0\0sNaPpY", "snappy data; unpack it with `snzip -dc FILE | mcp-trace`"),
    (b"LZIP", "lzip data; unpack it with `lzip -dc FILE | mcp-trace`"),
    (b"\x1f\x9d", "data of `compress`; unpack it with `gzip -dc FILE | mcp-trace`"),
    (b"\x5d\0\0", "lzma data; unpack it with `xz -dc FILE | mcp-trace`"),
    (b"\xff\xfe\0\0", "UTF-32 text; convert it with `iconv -f UTF-32 -t UTF-8 FILE | mcp-trace`"),
    (b"\0\0\xfe\xff", "UTF-32 text; convert it with `iconv -f UTF-32 -t UTF-8 FILE | mcp-trace`"),
    (
        b"\xd4\xc3\xb2\xa1",
        "a packet capture; install `tshark`, or run `tshark -r FILE -o tcp.try_heuristic_first:TRUE -Y http -T json | mcp-trace` where it is",
    ),
    (
        b"\xa1\xb2\xc3\xd4",
        "a packet capture; install `tshark`, or run `tshark -r FILE -o tcp.try_heuristic_first:TRUE -Y http -T json | mcp-trace` where it is",
    ),
    (
        b"\x4d\x3c\xb2\xa1",
        "a packet capture; install `tshark`, or run `tshark -r FILE -o tcp.try_heuristic_first:TRUE -Y http -T json | mcp-trace` where it is",
    ),
    (
        b"\xa1\xb2\x3c\x4d",
        "a packet capture; install `tshark`, or run `tshark -r FILE -o tcp.try_heuristic_first:TRUE -Y http -T json | mcp-trace` where it is",
    ),
    (
        b"\x0a\x0d\x0d\x0a",
        "a packet capture; install `tshark`, or run `tshark -r FILE -o tcp.try_heuristic_first:TRUE -Y http -T json | mcp-trace` where it is",
    ),
    (b"SQLite format 3\0", "an SQLite database; export the table that holds the messages as JSON lines"),
    (b"LPKSHHRH", "a journal of systemd; export it with `journalctl --file FILE -o json | mcp-trace`"),
    (b"\x7fELF", "a program; expected text, one message a line or a log"),
];

/// Names what a head that is no text is, with the command that makes it readable.
pub fn hint(head: &[u8]) -> Option<&'static str> {
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        // `BZh` and `LZIP` alone are also plain text; the level and the block mark, or the version, behind them are not.
        let told = match head {
            [b'B', b'Z', b'h', ..] => head.get(4..7) == Some(b"1AY"),
            [b'L', b'Z', b'I', b'P', version, ..] => *version == 1,
            _ => true,
        };
        if told {
            return Some(name);
        }
    }
    if head.get(257..262) == Some(b"ustar") {
        return Some("a tar archive; unpack it with `tar -xOf FILE | mcp-trace`");
    }
    let nuls = memchr::memchr_iter(0, head).count();
    (head.len() >= 16 && nuls * 10 > head.len()).then_some("binary data; expected text, one message a line or a log")
}

/// Names what a text without any format is, where it is one of the usual.
pub(super) fn text(head: &str, complete: bool) -> Option<&'static str> {
    let text = head.trim_ascii_start();
    let first = text.lines().next()?;
    if text.starts_with(['{', '[']) {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
        let json = match values.next()? {
            Ok(_) => true,
            Err(error) => error.is_eof() && !complete,
        };
        return json.then_some("JSON without a JSON-RPC message in it");
    }
    if is_page(first) {
        return Some("a page of HTML or XML");
    }
    let lines = || text.lines().take(40);
    if lines().any(|line| line.starts_with("thread '") && line.contains(" panicked at ")) || first == "stack backtrace:"
    {
        return Some("a Rust backtrace");
    }
    if lines().any(|line| line == "Traceback (most recent call last):") {
        return Some("a Python traceback");
    }
    lines().all(is_access).then_some("a web server's access log")
}

/// Whether a line is one of a web server's log: `… "GET /path HTTP/1.1" 200 …`.
fn is_access(line: &str) -> bool {
    let Some((_, rest)) = line.split_once('"') else { return line.trim_ascii().is_empty() };
    let Some((request, rest)) = rest.split_once('"') else { return false };
    let status = rest.trim_ascii_start().as_bytes().get(..3);
    request.contains(" HTTP/") && status.is_some_and(|status| status.iter().all(u8::is_ascii_digit))
}

/// Whether a text begins as a page of HTML or XML, whose tags look like labels of a log.
pub(super) fn is_page(text: &str) -> bool {
    let begins = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    ["<!doctype", "<html", "<?xml"].into_iter().any(begins)
}
