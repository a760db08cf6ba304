//! Every reader over every chunking, at every edge of the text, and over the reference recordings.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use mcp_trace::protocol::Direction;
use mcp_trace::transcript::{
    Content, EventKind, FORMATS, Flag, Flags, Format, Frame, Origin, OutlineKind, ReadError, ReadOptions, Source,
    SourceError, Step, Transcript, hint,
};
use proptest::prelude::*;
use serde_json::Value;

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
    error: Option<ReadError>,
}

fn read_with(source: Source, from: Option<&str>, options: ReadOptions) -> Reading {
    let from = from.map(|name| Format::by_name(name).unwrap());
    let mut transcript = Transcript::new(source, from, options);
    let (mut frames, mut error) = (Vec::new(), None);
    loop {
        match transcript.next_frame() {
            Ok(Step::Frame(frame)) => frames.push(Kept::of(&frame)),
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
        error,
    }
}

/// Reads in chunks of several sizes, demands the same of each, and that every line is in a frame and every message
/// where its position says.
fn read(input: impl AsRef<[u8]>, from: Option<&str>) -> Reading {
    let bytes = input.as_ref();
    let whole = read_chunks(bytes, usize::MAX, from);
    for size in [1, 2, 3, 7, 64] {
        let parts = read_chunks(bytes, size, from);
        assert_eq!(parts.frames, whole.frames, "chunks of {size}");
        assert_eq!((parts.format, parts.consumed, &parts.problem), (whole.format, whole.consumed, &whole.problem));
    }
    assert_sound(bytes, &whole);
    whole
}

fn read_chunks(bytes: &[u8], size: usize, from: Option<&str>) -> Reading {
    read_with(Source::from_read(Chunks { bytes: bytes.to_vec(), at: 0, size }), from, ReadOptions::default())
}

fn assert_sound(bytes: &[u8], reading: &Reading) {
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + usize::from(!bytes.ends_with(b"\n"));
    let lines = if bytes.is_empty() { 0 } else { lines as u64 };
    assert_eq!(reading.consumed, (bytes.len() as u64, lines));
    let mut through = 0;
    for frame in &reading.frames {
        assert!(frame.line == through + 1 || frame.line == through, "{frame:?} behind line {through}");
        assert!(frame.end_line >= frame.line && frame.end_line >= through);
        through = frame.end_line;
        let (start, end) = (frame.offset as usize, (frame.offset + frame.length) as usize);
        assert!(end <= bytes.len(), "{frame:?}");
        if let Some(text) = frame.message() {
            let decoded = bytes[..start].ends_with(b"\"");
            if !frame.flags.has(Flag::Oversized) && !decoded {
                assert_eq!(text, String::from_utf8_lossy(&bytes[start..end]), "{frame:?}");
            }
        }
    }
    assert_eq!(through, lines, "every line is in a frame");
}

fn messages(reading: &Reading) -> Vec<&str> {
    reading.frames.iter().filter_map(Kept::message).collect()
}

const REQUEST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#;

#[test]
fn bare_lines() {
    let reading = read(format!("{REQUEST}\n\n{ANSWER}\nnot json\n{{\"open\":\n"), None);
    assert_eq!(reading.format, Some("jsonl"));
    assert_eq!(messages(&reading), [REQUEST, ANSWER, "{\"open\":"]);
    assert_eq!(reading.frames[1].what, What::Blank);
    assert_eq!(reading.frames[3].what, What::Event(EventKind::Noise, "not json".to_owned()));
    assert_eq!(reading.problem, None);
}

#[test]
fn line_ends_marks_and_odd_characters() {
    let reading = read(format!("\u{feff}{REQUEST}\r\n{ANSWER}\r\n"), None);
    assert_eq!(messages(&reading), [REQUEST, ANSWER]);
    assert_eq!(reading.frames[0].offset, 3);
    let odd = "{\"jsonrpc\":\"2.0\",\"method\":\"a\u{2028}b\u{0}c\u{c}d\"}";
    let reading = read(format!("{odd}\n{odd}"), None);
    assert_eq!(messages(&reading), [odd, odd]);
}

#[test]
fn bad_bytes_are_replaced_and_flagged() {
    let mut bytes = format!("{REQUEST}\n").into_bytes();
    bytes.extend_from_slice(b"  {\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\xe2\x82\"}\r\n");
    bytes.extend_from_slice(ANSWER.as_bytes());
    let reading = read(&bytes, None);
    assert_eq!(messages(&reading)[1], "{\"jsonrpc\":\"2.0\",\"method\":\"\u{fffd}\u{fffd}\u{fffd}\"}");
    let flagged: Vec<bool> = reading.frames.iter().map(|frame| frame.flags.has(Flag::BadUtf8)).collect();
    assert_eq!(flagged, [false, true, false]);
}

#[test]
fn nothing_is_nothing() {
    for input in ["", "\u{feff}"] {
        let reading = read(input, None);
        assert_eq!((reading.format, messages(&reading).len()), (None, 0));
    }
    assert!(read("", None).frames.is_empty());
}

#[test]
fn several_values_on_a_line() {
    let reading = read(format!("{REQUEST}\n{REQUEST}{ANSWER}\n{ANSWER}\n"), None);
    assert_eq!(messages(&reading), [REQUEST, REQUEST, ANSWER, ANSWER]);
    assert_eq!(reading.frames.iter().map(|frame| frame.line).collect::<Vec<_>>(), [1, 2, 2, 3]);
    let quoting = r#"{"jsonrpc":"2.0","method":"a}{b"}"#;
    assert_eq!(messages(&read(format!("{quoting}\n{quoting}\n"), None)), [quoting, quoting]);
}

#[test]
fn a_cut_last_line_is_told() {
    let reading = read(format!("{REQUEST}\n{{\"jsonrpc\":\"2.0\",\"id\":2,"), None);
    assert_eq!(messages(&reading).len(), 2);
    assert!(reading.frames[1].flags.has(Flag::Truncated));
    assert!(reading.problem.unwrap().contains("line 2"));
}

#[test]
fn banners_do_not_hide_the_format() {
    let reading =
        read(format!("> server@1.0.0 start\n\n[12:00:01] up, {{\"port\":3000}}\n{REQUEST}\n{ANSWER}\n"), None);
    assert_eq!(reading.format, Some("jsonl"));
    assert_eq!(messages(&reading), [REQUEST, ANSWER]);
    assert_eq!(reading.frames.iter().filter(|frame| frame.is_noise()).count(), 2);
    let prose = read(format!("some text\nthe log said {REQUEST}\nand so on\n"), None);
    assert_eq!((prose.format, messages(&prose).len()), (None, 0));
}

#[test]
fn timed_lines() {
    let input = format!(
        "{}\n{}\n{}\n{}\n{}\nnoise\n{REQUEST}\n",
        format_args!(r#"{{"ts":"2025-01-02T03:04:05.678901Z","dir":"client->server","msg":{REQUEST}}}"#),
        format_args!(
            r#"{{"ts":"2025-01-02T03:04:06Z","dir":"server->client","msg":{ANSWER},"session":"a\"b","server":"x"}}"#
        ),
        r#"{"ts":"2025-01-02T03:04:07Z","dir":"server->client","raw":"up \u0041"}"#,
        r#"{"ts":"2025-01-02T03:04:07Z","dir":"server->client","raw":""}"#,
        r#"{"ts":"2025-01-02T03:04:08Z","dir":"server->client","raw":"{\"jsonrpc\":"}"#,
    );
    let reading = read(&input, None);
    assert_eq!(reading.format, Some("timed"));
    assert_eq!(messages(&reading), [REQUEST, ANSWER, "{\"jsonrpc\":", REQUEST]);
    assert_eq!(reading.frames[0].time, Some(("2025-01-02T03:04:05.678901Z".to_owned(), 6)));
    assert_eq!(reading.frames[0].direction, Some(Direction::ClientToServer));
    assert_eq!((reading.frames[1].session.as_deref(), reading.frames[1].server.as_deref()), (Some("a\"b"), Some("x")));
    assert_eq!(reading.frames[2].what, What::Event(EventKind::Noise, "up A".to_owned()));
    assert_eq!(reading.frames[3].what, What::Event(EventKind::Noise, String::new()));
    assert!(reading.frames[5].is_noise());
}

fn gzip(parts: &[&[u8]]) -> Vec<u8> {
    parts.iter().fold(Vec::new(), |packed, part| {
        let mut encoder = GzEncoder::new(packed, Compression::default());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap()
    })
}

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !path.is_dir() {
        eprintln!("SKIPPED: no reference data beside the project");
        return None;
    }
    Some(path)
}

/// The file of that name, packed or not.
fn open_shared(folder: &Path, name: &str) -> Option<Source> {
    [name.to_owned(), format!("{name}.gz")]
        .iter()
        .map(|name| folder.join(name))
        .find(|path| path.exists())
        .map(|path| Source::open(&path, Arc::default()).unwrap())
}

fn text_of(mut source: Source) -> String {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 4096]);
    while let mcp_trace::transcript::Fill::Read(count) = source.fill(&mut buffer).unwrap() {
        bytes.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn recordings_are_read_as_their_recorder_saw_them() {
    let Some(shared) = shared() else { return };
    let mut seen = 0;
    for folder in fs::read_dir(shared.join("recordings")).unwrap().map(|entry| entry.unwrap().path()) {
        let Some(truth) = open_shared(&folder, "truth.json") else { continue };
        let truth: Value = serde_json::from_str(&text_of(truth)).unwrap();
        let truth = truth["messages"].as_array().unwrap();
        for (name, format) in [("raw.ndjson", "jsonl"), ("timed.jsonl", "timed")] {
            let reading = read_with(open_shared(&folder, name).unwrap(), None, ReadOptions::default());
            assert_eq!(reading.format, Some(format), "{} {name}", folder.display());
            assert_eq!(reading.frames.len(), truth.len(), "{} {name}", folder.display());
            for (frame, truth) in reading.frames.iter().zip(truth) {
                let place = format!("{} {name} {frame:?}", folder.display());
                assert_eq!(Some(frame.line), truth["seq"].as_u64(), "{place}");
                match (truth["kind"].as_str().unwrap(), format) {
                    ("blank_line", "jsonl") => assert_eq!(frame.what, What::Blank, "{place}"),
                    ("blank_line", _) => {
                        assert_eq!(frame.what, What::Event(EventKind::Noise, String::new()), "{place}")
                    }
                    ("not_json", _) => {
                        assert!(
                            frame.is_noise() || frame.message().is_some_and(|text| text.starts_with('{')),
                            "{place}"
                        );
                    }
                    _ => assert!(frame.message().is_some(), "{place}"),
                }
                if format == "timed" {
                    let direction = match truth["dir"].as_str().unwrap() {
                        "client->server" => Direction::ClientToServer,
                        _ => Direction::ServerToClient,
                    };
                    assert_eq!(frame.direction, Some(direction), "{place}");
                    let at: jiff::Timestamp = truth["ts"].as_str().unwrap().parse().unwrap();
                    assert_eq!(frame.time, Some((at.to_string(), 6)), "{place}");
                }
            }
            seen += 1;
        }
    }
    assert!(seen >= 2, "the recordings folder is empty");
}
