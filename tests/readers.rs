//! Every reader over every chunking, at every edge of the text, and over the reference recordings.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[path = "readers/claude_desktop.rs"]
mod claude_desktop;
#[path = "readers/json.rs"]
mod json;
#[path = "readers/reference.rs"]
mod reference;
#[path = "readers/sources.rs"]
mod sources;

use std::io::{self, Read};

use mcp_trace::protocol::Direction;
use mcp_trace::transcript::{
    Content, EventKind, FORMATS, Flag, Flags, Format, Frame, Origin, OutlineKind, ReadError, ReadOptions, Source, Step,
    Transcript,
};
use proptest::prelude::*;

/// Gives so many bytes a time.
struct Chunks {
    bytes: Vec<u8>,
    at: usize,
    size: usize,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.size.min(buffer.len()).min(self.bytes.len() - self.at);
        buffer[..count].copy_from_slice(&self.bytes[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// A frame that outlives its buffer.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    line: u64,
    end_line: u64,
    offset: u64,
    length: u64,
    entry: Option<u64>,
    pointer: Option<String>,
    time: Option<(String, u8)>,
    direction: Option<Direction>,
    session: Option<String>,
    server: Option<String>,
    flags: Flags,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Message(String, Origin),
    Outline { kind: OutlineKind, method: Option<String>, id: Option<String>, error_code: Option<i64>, view: bool },
    Event(EventKind, String),
    Blank,
    Framing,
}

impl Kept {
    fn of(frame: &Frame<'_>) -> Self {
        let own = |text: Option<&str>| text.map(str::to_owned);
        Self {
            line: frame.position.line,
            end_line: frame.position.end_line,
            offset: frame.position.offset,
            length: frame.position.length,
            entry: frame.position.entry,
            pointer: own(frame.pointer),
            time: frame.time.map(|stamp| (stamp.at.to_string(), stamp.digits)),
            direction: frame.direction,
            session: own(frame.session),
            server: own(frame.server),
            flags: frame.flags,
            what: match frame.content {
                Content::Message { text, origin } => What::Message(text.to_owned(), origin),
                Content::Outline(outline) => What::Outline {
                    kind: outline.kind,
                    method: own(outline.method),
                    id: own(outline.id),
                    error_code: outline.error_code,
                    view: outline.view,
                },
                Content::Event { kind, text } => What::Event(kind, text.to_owned()),
                Content::Blank => What::Blank,
                Content::Framing => What::Framing,
            },
        }
    }

    fn message(&self) -> Option<&str> {
        match &self.what {
            What::Message(text, _) => Some(text),
            _ => None,
        }
    }

    fn is_noise(&self) -> bool {
        matches!(self.what, What::Event(EventKind::Noise, _))
    }
}

/// What reading a whole input gave.
struct Reading {
    frames: Vec<Kept>,
    format: Option<&'static str>,
    consumed: (u64, u64),
    problem: Option<String>,
    /// Something was taken off the text, an escape sequence for example.
    wrapped: bool,
    error: Option<ReadError>,
}

fn read_with(source: Source, from: Option<&str>, options: ReadOptions) -> Reading {
    let from = from.map(|name| Format::by_name(name).unwrap());
    let mut transcript = Transcript::new(source, from, options);
    let (mut frames, mut error) = (Vec::new(), None);
    loop {
        match transcript.next_frame() {
            Ok(Step::Frame(frame) | Step::Noted(frame, _)) => frames.push(Kept::of(&frame)),
            Ok(Step::Idle | Step::Paused) => {}
            Ok(Step::End) => break,
            Err(found) => {
                error = Some(found);
                break;
            }
        }
    }
    Reading {
        frames,
        format: transcript.detected().map(|detected| detected.format.name),
        consumed: transcript.consumed(),
        problem: transcript.problem(),
        wrapped: !transcript.wrappings().is_empty(),
        error,
    }
}

/// Reads in chunks of several sizes, demands the same of each, and that every line is in a frame and every message
/// where its position says.
fn read(input: impl AsRef<[u8]>, from: Option<&str>) -> Reading {
    read_limited(input.as_ref(), from, ReadOptions::default().max_line)
}

fn read_limited(bytes: &[u8], from: Option<&str>, max_line: u64) -> Reading {
    let read = |size| {
        let options = ReadOptions { max_line, ..ReadOptions::default() };
        read_with(Source::from_read(Chunks { bytes: bytes.to_vec(), at: 0, size }), from, options)
    };
    let whole = read(usize::MAX);
    for size in [1, 2, 3, 7, 64] {
        let parts = read(size);
        assert_eq!(parts.frames, whole.frames, "chunks of {size}");
        assert_eq!((parts.format, parts.consumed, &parts.problem), (whole.format, whole.consumed, &whole.problem));
    }
    assert_sound(bytes, &whole);
    whole
}

fn read_chunks(bytes: &[u8], size: usize, from: Option<&str>) -> Reading {
    read_with(Source::from_read(Chunks { bytes: bytes.to_vec(), at: 0, size }), from, ReadOptions::default())
}

/// Formats whose messages are put together from parts or written in another notation, so that they stand nowhere as they are.
const PUT_TOGETHER: [&str; 9] = [
    "agent-vcr",
    "mcp-go",
    "mcp-proxy",
    "mcp-remote",
    "mcp-remote-debug",
    "mcporter",
    "mcptap",
    "python-sdk",
    "supergateway",
];

fn assert_sound(bytes: &[u8], reading: &Reading) {
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + usize::from(!bytes.ends_with(b"\n"));
    let lines = if bytes.is_empty() { 0 } else { lines as u64 };
    assert_eq!(reading.consumed, (bytes.len() as u64, lines));
    let mut through = 0;
    // Two sides that stand one behind the other are given out in the order in which they spoke.
    let mut frames: Vec<_> = reading.frames.iter().collect();
    if reading.format == Some("txtar") {
        frames.sort_by_key(|frame| (frame.line, frame.offset, frame.end_line));
    }
    for frame in frames {
        // The messages of one entry need not stand in the order in which they went.
        assert!(frame.line <= through + 1 && frame.end_line >= frame.line, "{frame:?} behind line {through}");
        through = through.max(frame.end_line);
        let (start, end) = (frame.offset as usize, (frame.offset + frame.length) as usize);
        assert!(end <= bytes.len(), "{frame:?}");
        if let Some(text) = frame.message() {
            let decoded = bytes[..start].ends_with(b"\"");
            let put_together = reading.wrapped || PUT_TOGETHER.iter().any(|name| reading.format == Some(name));
            if !frame.flags.has(Flag::Oversized) && !decoded && !put_together {
                let raw = String::from_utf8_lossy(&bytes[start..end]);
                // Between the lines of an event's data stand the names of fields.
                let string =
                    || serde_json::from_str::<String>(&format!("\"{raw}\"")).is_ok_and(|string| string == text);
                let packed = frame.entry.is_some() && frame.flags.has(Flag::BadUtf8);
                assert!(
                    text == raw || is_within(text, &raw) || packed || frame.entry.is_some() && string(),
                    "{frame:?} is not {raw:?}"
                );
            }
        }
    }
    assert_eq!(through, lines, "every line is in a frame");
}

/// Whether the lines of a text stand in another, in order.
fn is_within(text: &str, mut raw: &str) -> bool {
    text.contains('\n')
        && text.split('\n').all(|line| {
            let found = raw.find(line);
            raw = found.map_or("", |at| &raw[at + line.len()..]);
            found.is_some()
        })
}

fn messages(reading: &Reading) -> Vec<&str> {
    reading.frames.iter().filter_map(Kept::message).collect()
}

const REQUEST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#;

#[test]
fn every_format_reads_its_own_example() {
    for format in FORMATS {
        let reading = read(format!("{}\n", format.example), None);
        assert_eq!(reading.format, Some(format.name));
        // Some formats tell a request with its answer.
        let told = reading.frames.iter().any(|frame| matches!(frame.what, What::Message(..) | What::Outline { .. }));
        // Others often hold no messages, and say so.
        let silent = (format.open)(&ReadOptions::default()).advice().is_some();
        let event = |kept: &Kept| matches!(&kept.what, What::Event(kind, _) if *kind != EventKind::Noise);
        assert!(told || (silent && reading.frames.iter().any(event)), "{}", format.name);
    }
}

const DESKTOP: &str = "2025-07-03T10:24:56.599Z [notes one] [info]";

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_odd(
        format in prop::sample::select(FORMATS.iter().map(|format| Some(format.name)).chain([None]).collect::<Vec<_>>()),
        parts in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "\r\n", " ", "\u{feff}", "7", "true", "x", "[12] {\n", "é", "\0",
            REQUEST, ANSWER, DESKTOP, " Message from client: ", "{\"ts\":1,\"msg\":", "\n-- client --\n", "\n-- server --\n", "{\"jsonrpc\":\"2.0\",", "[12] [Local→Remote] a/b",
            "{\"ts\":\"2025-01-02T03:04:05Z\",\"dir\":\"client->server\",\"raw\":\"", " { metadata: {",
            "data: ", "event: message\n", "id: 1\n", "\r", "\n\n", ": ping\n", "data",
            "{\"log\":{\"entries\":[", "{\"request\":{\"postData\":{\"text\":\"", "\"response\":{\"content\":{\"text\":\"", "\\n", "\\u00", "\"}},",
            "POST /mcp HTTP/1.1\n", "HTTP/1.1 200 OK\r\n", "> POST /mcp HTTP/1.1\n", "< HTTP/1.1 200 OK\n", "<\n", "> \r\n", "2f\n", "0\n",
            "Transfer-Encoding: chunked\n", "Content-Length: 9\n", "Content-Type: text/event-stream\n", "< mcp-session-id: a\n", "* Closing connection\n",
        ]), 0..24),
        bad in prop::collection::vec(any::<u8>(), 0..6),
        at in any::<prop::sample::Index>(),
        max_line in prop::sample::select(vec![1, 9, 60, 200, 1 << 30]),
    ) {
        let mut bytes = parts.concat().into_bytes();
        let at = at.index(bytes.len() + 1);
        bytes.splice(at..at, bad);
        // A mark of a packing by chance would make it another input.
        let packed = Transcript::new(Source::from_read(io::Cursor::new(bytes.clone())), None, ReadOptions::default());
        prop_assume!(!is_wrapped(packed));
        read_limited(&bytes, format, max_line);
    }
}

/// A NUL at the end of a line is taken off as padding; the next line still stands where it stands.
#[test]
fn a_value_that_is_cut_behind_padding_keeps_its_line_ends() {
    let text = "{\"jsonrpc\":\"2.0\",\0\n\n";
    let reading = read(text, Some("claude-code-debug"));
    assert_eq!(messages(&reading), ["{\"jsonrpc\":\"2.0\",\n"]);
    // Nothing but padding is a line without text, at its own place.
    let reading = read("{\"jsonrpc\":\"2.0\",\n\0\n-- client --\n", Some("vscode"));
    assert_eq!((messages(&reading), reading.frames[0].length), (vec!["{\"jsonrpc\":\"2.0\",\n"], 18));
}

fn is_wrapped(mut transcript: Transcript) -> bool {
    let _ = transcript.next_frame();
    !transcript.wrappings().is_empty()
}
