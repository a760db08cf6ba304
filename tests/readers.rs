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
    SourceError, Step, Transcript, Wrapping, hint, values,
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
                let raw = String::from_utf8_lossy(&bytes[start..end]);
                // Between the lines of an event's data stand the names of fields.
                assert!(text == raw || is_within(text, &raw), "{frame:?} is not {raw:?}");
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
    let line = format!("{REQUEST}{ANSWER}");
    assert_eq!(messages(&reading), [REQUEST, line.as_str(), ANSWER]);
    assert_eq!(values(&line), [REQUEST, ANSWER]);
    assert_eq!(values(&format!("{REQUEST} {{\"cut\":")), [REQUEST, "{\"cut\":"]);
    assert_eq!(values(&format!("{REQUEST}{ANSWER} and text")), [REQUEST, ANSWER, "and text"]);
    assert!(values(&format!("{REQUEST} and text")).is_empty());
    assert!(values(r#"{"jsonrpc":"2.0","method":"a}{b"}"#).is_empty());
    assert!(values("{no json}{}").is_empty());
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

#[test]
fn values_over_several_lines() {
    let pretty = "{\r\n  \"jsonrpc\": \"2.0\",\r\n\r\n  \"id\": 1, \"method\": \"a\"\r\n}";
    let reading =
        read(format!("banner\n{pretty}\nnoise\n{REQUEST} {ANSWER} and\n\n[\n{REQUEST},\n{REQUEST}\n]\n"), None);
    assert_eq!(reading.format, Some("json"));
    assert_eq!(messages(&reading), [pretty, REQUEST, ANSWER, &format!("[\n{REQUEST},\n{REQUEST}\n]")]);
    let lines: Vec<_> = reading.frames.iter().map(|frame| (frame.line, frame.end_line)).collect();
    assert_eq!(lines, [(1, 1), (2, 6), (7, 7), (8, 8), (8, 8), (8, 8), (9, 9), (10, 13)]);
    let joined = read(format!("{REQUEST}{ANSWER}"), None);
    assert_eq!((joined.format, messages(&joined)), (Some("json"), vec![REQUEST, ANSWER]));
}

#[test]
fn pretty_values_behind_bare_lines() {
    let pretty = "{\n\"jsonrpc\":\n\"2.0\", \"params\":\n{\n}, \"method\": \"a\"\n}";
    let reading = read(format!("{REQUEST}\n{pretty}\n{ANSWER}\n"), None);
    assert_eq!(reading.format, Some("json"));
    assert_eq!(messages(&reading), [REQUEST, pretty, ANSWER]);
}

#[test]
fn a_cut_value_swallows_nothing() {
    let cuts = [
        "{\"jsonrpc\":\"2.0\",\n  \"method\":",
        "{\"jsonrpc\":\"2.0\",\n  \"method\": \"a",
        "{\"jsonrpc\":\"2.0\",",
        "{\"jsonrpc\":\"2.0\",\n \"params\": [",
        "{",
    ];
    for cut in cuts {
        let reading = read(format!("{cut}\n{REQUEST}\n{cut}\nServer ready\n{ANSWER}\n{cut}"), Some("json"));
        assert_eq!(messages(&reading), [cut, REQUEST, cut, ANSWER, cut]);
        let truncated: Vec<bool> = reading.frames.iter().map(|frame| frame.flags.has(Flag::Truncated)).collect();
        assert_eq!(truncated, [true, false, true, false, false, true]);
        assert!(reading.problem.unwrap().contains("cut off"));
    }
}

#[test]
fn array_documents() {
    let pretty = "{\n    \"jsonrpc\": \"2.0\", \"method\": \"a\"\n  }";
    let reading =
        read(format!("[\n  {REQUEST},\n\n  {pretty}\n  ,\n{ANSWER}, 7, \"a,\\\"]\"\n]\nbehind\n{REQUEST}\n"), None);
    assert_eq!((reading.format, &reading.problem), (Some("json-array"), &None));
    assert_eq!(messages(&reading), [REQUEST, pretty, ANSWER, "7", "\"a,\\\"]\"", REQUEST]);
    let pointers: Vec<_> = reading.frames.iter().filter_map(|frame| frame.pointer.as_deref()).collect();
    assert_eq!(pointers, ["/0", "/1", "/2", "/3", "/4"]);
    assert_eq!(reading.frames.iter().filter(|frame| frame.what == What::Framing).count(), 3);
    assert!(reading.frames.iter().any(Kept::is_noise));

    let open = read(format!("[\n{REQUEST},\n{ANSWER}\n"), None);
    assert_eq!(messages(&open), [REQUEST, ANSWER]);
    assert!(open.problem.unwrap().contains("line 1 is not closed"));
    let cut = read(format!("[\n{REQUEST},\n{{\"jsonrpc\":\n"), None);
    assert!(cut.frames[2].flags.has(Flag::Truncated));

    let batch = format!("[{REQUEST},{ANSWER}]");
    let (bare, forced) = (read(&batch, None), read(&batch, Some("json-array")));
    assert_eq!((bare.format, messages(&bare)), (Some("jsonl"), vec![batch.as_str()]));
    assert_eq!(messages(&forced), [REQUEST, ANSWER]);
}

#[test]
fn every_format_reads_its_own_example() {
    for format in FORMATS {
        let reading = read(format!("{}\n", format.example), None);
        assert_eq!(reading.format, Some(format.name));
        assert_eq!(messages(&reading).len(), 1, "{}", format.name);
    }
}

const DESKTOP: &str = "2025-07-03T10:24:56.599Z [notes one] [info]";

#[test]
fn claude_desktop_sentences() {
    let input = format!(
        "{DESKTOP} Initializing server... {{ metadata: undefined }}\n\
         {DESKTOP} Using MCP server command: npx with path: {{\n  metadata: {{ paths: {{}} }}\n}} %o\n\
         {DESKTOP} Message from client: {REQUEST} {{ metadata: undefined }}\n\
         npm warn {ANSWER}\n\n{ANSWER}\n\
         {DESKTOP} Message from server: {ANSWER} {{\"context\":\"connection\"}}\n\
         {DESKTOP} Message from server: {{\"jsonrpc\":\"2.0\",\"id\":\n\
         2025-07-03T10:24:57Z [notes one] [error] spawn ENOENT {{ metadata: {{ context: 'connection', stack: 'a' +\n  'b' }} }}\n\
         {DESKTOP} Server transport closed unexpectedly {{ metadata: undefined }}\n"
    );
    let reading = read(&input, None);
    assert_eq!(reading.format, Some("claude-desktop"));
    assert_eq!(messages(&reading), [REQUEST, ANSWER, "{\"jsonrpc\":\"2.0\",\"id\":"]);
    let events: Vec<_> = reading
        .frames
        .iter()
        .filter_map(|frame| match &frame.what {
            What::Event(kind, text) => Some((*kind, frame.line, frame.end_line, text.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(events[0], (EventKind::ProcessStart, 1, 1, "Initializing server..."));
    assert_eq!((events[1].0, events[1].1, events[1].2), (EventKind::Note, 2, 4));
    assert_eq!((events[2].0, events[3].0), (EventKind::Stderr, EventKind::Stderr));
    assert_eq!((events[4].0, events[4].1, events[4].2), (EventKind::Note, 11, 12));
    assert_eq!(events[5].3, "Server transport closed unexpectedly");
    let told = reading.frames.iter().find(|frame| frame.message() == Some(REQUEST)).unwrap();
    assert_eq!(told.what, What::Message(REQUEST.to_owned(), Origin::Labelled));
    assert_eq!((told.server.as_deref(), told.direction), (Some("notes one"), Some(Direction::ClientToServer)));
    assert_eq!(told.time, Some(("2025-07-03T10:24:56.599Z".to_owned(), 3)));
}

#[test]
fn claude_desktop_outlines() {
    let outline = |text: &str| {
        let reading = read(format!("{DESKTOP} Message from server: {text} {{ metadata: undefined }}\n"), None);
        assert!(reading.frames[0].flags.has(Flag::Elided));
        reading.frames[0].what.clone()
    };
    let expected = |kind, method: Option<&str>, id: Option<&str>, error_code| What::Outline {
        kind,
        method: method.map(str::to_owned),
        id: id.map(str::to_owned),
        error_code,
        view: false,
    };
    assert_eq!(
        outline("method=\"tools/call\" id=6 params"),
        expected(OutlineKind::Request, Some("tools/call"), Some("6"), None)
    );
    assert_eq!(
        outline("method=\"notifications/initialized\""),
        expected(OutlineKind::Notification, Some("notifications/initialized"), None, None)
    );
    assert_eq!(outline("id=\"a b\" result(1 blocks)"), expected(OutlineKind::Result, None, Some("\"a b\""), None));
    assert_eq!(outline("id=6 error(code=-32601)"), expected(OutlineKind::Error, None, Some("6"), Some(-32601)));
    assert_eq!(outline("id=6"), expected(OutlineKind::Answer, None, Some("6"), None));
}

#[test]
fn a_live_line_is_given_out_before_the_next_is_written() {
    let (piped, mut write) = io::pipe().unwrap();
    let source = Source::from_live(piped, Arc::default());
    let mut transcript = Transcript::new(source, None, ReadOptions::default());
    let mut silence = Vec::new();
    for number in 0..5 {
        let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"a\"}}");
        // Half a line is not a line, however long the producer pauses.
        write.write_all(format!("{text}\n{}", &text[..5]).as_bytes()).unwrap();
        silence.clear();
        loop {
            match transcript.next_frame().unwrap() {
                Step::Frame(frame) => {
                    let Content::Message { text: given, .. } = frame.content else { panic!("{frame:?}") };
                    assert_eq!(given, text);
                    break;
                }
                Step::Idle => silence.push("idle"),
                Step::Paused => silence.push("paused"),
                Step::End => panic!("ended"),
            }
        }
        assert!(matches!(transcript.next_frame().unwrap(), Step::Idle));
        assert!(matches!(transcript.next_frame().unwrap(), Step::Paused));
        write.write_all(b"\r\n").unwrap();
        let Step::Frame(frame) = transcript.next_frame().unwrap() else { panic!("half a line was lost") };
        assert_eq!(frame.position.line, 2 * number + 2);
    }
    drop(write);
    loop {
        match transcript.next_frame().unwrap() {
            Step::Frame(frame) => panic!("{frame:?}"),
            Step::Idle | Step::Paused => {}
            Step::End => break,
        }
    }
}

#[test]
fn an_interrupt_ends_a_silent_input() {
    let (piped, mut write) = io::pipe().unwrap();
    let interrupt = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mut transcript =
        Transcript::new(Source::from_live(piped, Arc::clone(&interrupt)), None, ReadOptions::default());
    write.write_all(REQUEST.as_bytes()).unwrap();
    let mut frames = 0;
    loop {
        match transcript.next_frame().unwrap() {
            Step::Frame(_) => frames += 1,
            Step::Idle => {}
            Step::Paused => interrupt.store(true, std::sync::atomic::Ordering::Relaxed),
            Step::End => break,
        }
    }
    assert!(transcript.interrupted());
    assert_eq!(frames, 1, "the line that was being written is given out");
}

#[test]
fn packed_inputs() {
    let (first, second) = (format!("{REQUEST}\n"), format!("{ANSWER}\n"));
    let packed = gzip(&[first.as_bytes(), second.as_bytes()]);
    let direct = read_chunks(&packed, 7, None);
    assert_eq!(messages(&direct), [REQUEST, ANSWER]);
    assert_eq!(direct.consumed.0, (first.len() + second.len()) as u64);
    let live = Source::from_live(io::Cursor::new(packed.clone()), Arc::default());
    assert_eq!(messages(&read_with(live, None, ReadOptions::default())), [REQUEST, ANSWER]);

    let folder = std::env::temp_dir().join(format!("mcp-trace-readers-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("packed.gz");
    fs::write(&path, &packed).unwrap();
    let mut transcript = Transcript::new(Source::open(&path, Arc::default()).unwrap(), None, ReadOptions::default());
    let mut frames = 0;
    loop {
        match transcript.next_frame().unwrap() {
            Step::Frame(_) => frames += 1,
            Step::Idle | Step::Paused => panic!("a packed file never pauses"),
            Step::End => break,
        }
    }
    assert_eq!(frames, 2);
    assert!(matches!(Source::open(&folder, Arc::default()), Err(SourceError::Io(_))));
    assert!(matches!(Source::open(&folder.join("missing"), Arc::default()), Err(SourceError::Io(_))));
    fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_opened_before_anybody_writes() {
    let path = std::env::temp_dir().join(format!("mcp-trace-readers-pipe-{}", std::process::id()));
    if !std::process::Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: no `mkfifo` here");
        return;
    }
    let source = Source::open(&path, Arc::default()).unwrap();
    let writer = fs::OpenOptions::new().write(true).open(&path).and_then(|mut pipe| writeln!(pipe, "{REQUEST}"));
    let reading = read_with(source, None, ReadOptions::default());
    fs::remove_file(&path).unwrap();
    writer.unwrap();
    assert_eq!(messages(&reading), [REQUEST]);
}

#[test]
fn a_cut_packed_input_gives_what_is_there_and_then_the_fault() {
    let text: String = (0..2000).map(|id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}\n")).collect();
    let packed = gzip(&[text.as_bytes()]);
    for (kept, all) in [(packed.len() / 2, false), (packed.len() - 4, true)] {
        let reading = read_chunks(&packed[..kept], 100, None);
        let Some(ReadError::Source(error @ SourceError::Packed(Wrapping::Gzip, _))) = &reading.error else {
            panic!("no fault")
        };
        let said = error.to_string();
        assert!(said.contains(&format!("{} decompressed bytes", reading.consumed.0)), "{said}");
        assert!(!reading.frames.is_empty());
        assert_eq!(reading.frames.len() == 2000, all);
    }
}

#[test]
fn lines_beyond_the_limit_are_passed_over() {
    const LIMIT: u64 = 1 << 20;
    let long = format!("{{\"jsonrpc\":\"2.0\",\"a\":\"{}\"}}", "é".repeat(5 << 20));
    let input = format!("{REQUEST}\n{long}\r\n{ANSWER}\n{long}");
    let options = ReadOptions { max_line: LIMIT, ..ReadOptions::default() };
    for size in [4093, usize::MAX] {
        let source = Source::from_read(Chunks { bytes: input.clone().into_bytes(), at: 0, size });
        let reading = read_with(source, None, options.clone());
        let sizes: Vec<_> = reading.frames.iter().map(|frame| frame.length).collect();
        let (long, shown) = (long.len() as u64, 64 * 1024);
        assert_eq!(sizes, [REQUEST.len() as u64, long, ANSWER.len() as u64, long]);
        let flagged: Vec<_> = reading.frames.iter().map(|frame| frame.flags.has(Flag::Oversized)).collect();
        assert_eq!(flagged, [false, true, false, true]);
        let text = reading.frames[1].message().unwrap();
        assert!(text.len() <= shown && text.len() > shown - 4 && !reading.frames[1].flags.has(Flag::BadUtf8));
        assert_eq!(reading.consumed, (input.len() as u64, 4));
    }
}

#[test]
fn other_packings_are_named() {
    for (head, word) in [
        (&b"PK\x03\x04"[..], "unzip"),
        (b"\xff\xfe\0\0{\0\0\0", "iconv"),
        (b"BZh91AY", "bzip2"),
        (b"\xfd7zXZ\0\0", "xz -dc"),
        (b"\x04\x22\x4d\x18d", "lz4 -dc"),
        (b"7z\xbc\xaf\x27\x1c", "7z x"),
        (b"SQLite format 3\0", "SQLite"),
        (&[0; 64], "binary"),
    ] {
        assert!(hint(head).unwrap().contains(word), "{word}");
    }
    assert_eq!(hint(REQUEST.as_bytes()), None);
    assert_eq!(hint(b"BZhello"), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_odd(
        format in prop::sample::select(FORMATS.iter().map(|format| Some(format.name)).chain([None]).collect::<Vec<_>>()),
        parts in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "\r\n", " ", "\u{feff}", "7", "true", "x", "[12] {\n", "é", "\0",
            REQUEST, ANSWER, DESKTOP, " Message from client: ", "{\"ts\":1,\"msg\":", "{\"jsonrpc\":\"2.0\",", "[12] [Local→Remote] a/b",
            "{\"ts\":\"2025-01-02T03:04:05Z\",\"dir\":\"client->server\",\"raw\":\"", " { metadata: {",
            "data: ", "event: message\n", "id: 1\n", "\r", "\n\n", ": ping\n", "data",
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

fn is_wrapped(mut transcript: Transcript) -> bool {
    let _ = transcript.next_frame();
    !transcript.wrappings().is_empty()
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

#[test]
fn claude_desktop_logs_are_read_as_annotated() {
    let Some(shared) = shared() else { return };
    for number in ["001", "005", "060", "902"] {
        let annotation = fs::read_dir(shared.join("wild"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| {
                let name = path.file_name().unwrap().to_string_lossy();
                name.starts_with(number) && name.ends_with(".json")
            })
            .unwrap();
        let truth: Value = serde_json::from_slice(&fs::read(&annotation).unwrap()).unwrap();
        let bytes = fs::read(annotation.with_file_name(truth["file"].as_str().unwrap())).unwrap();
        let reading = read(&bytes, None);
        assert_eq!(reading.format, Some("claude-desktop"), "{number}");
        let (mut told, mut lines) = (Vec::new(), [0; 4]);
        for frame in &reading.frames {
            let kind = match &frame.what {
                What::Message(text, _) => {
                    let message: Value = serde_json::from_str(text).unwrap();
                    Some(match (message.get("method"), message.get("id")) {
                        (Some(_), Some(_)) => "request",
                        (Some(_), None) => "notification",
                        _ => "response",
                    })
                }
                What::Outline { view: true, .. } => None,
                What::Outline { kind: OutlineKind::Request, .. } => Some("request"),
                What::Outline { kind: OutlineKind::Notification, .. } => Some("notification"),
                What::Outline { .. } => Some("response"),
                What::Event(..) | What::Blank | What::Framing => None,
            };
            let class = match &frame.what {
                What::Message(..) | What::Outline { view: false, .. } => 0,
                What::Outline { view: true, .. } => 1,
                What::Event(..) | What::Framing => 2,
                What::Blank => 3,
            };
            lines[class] += frame.end_line - frame.line + 1;
            if let Some(kind) = kind {
                let direction = frame.direction.map(|direction| match direction {
                    Direction::ClientToServer => "client->server",
                    Direction::ServerToClient => "server->client",
                });
                told.push((frame.line, direction, kind));
            }
        }
        let expected: Vec<_> = truth["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| {
                (message["line"].as_u64().unwrap(), message["direction"].as_str(), message["kind"].as_str().unwrap())
            })
            .collect();
        assert_eq!(told, expected, "{number}");
        let counts = |names: [&str; 2]| names.iter().filter_map(|name| truth["counts"][name].as_u64()).sum::<u64>();
        let expected = [
            counts(["message_lines", ""]),
            counts(["duplicate_view_lines", ""]),
            counts(["event_lines", "noise_lines"]),
            counts(["blank_lines", ""]),
        ];
        assert_eq!(lines, expected, "{number}");
    }
}
