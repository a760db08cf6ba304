//! Captures of HTTP, written by their grammar with random names, ids, payloads and splits, and read in reads of every
//! size: each message comes out once, whole, with its exchange.
#![allow(clippy::unwrap_used)]

use std::io::{self, Cursor, Read};

use mcp_trace::protocol::Direction;
use mcp_trace::transcript::{Content, Flag, ReadOptions, Source, Step, Transcript};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Gives so many bytes a time.
struct Chunks(Cursor<Vec<u8>>, usize);

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = buffer.len().min(self.1);
        self.0.read(&mut buffer[..size])
    }
}

/// What a capture tells of one message.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    text: String,
    direction: Option<Direction>,
    event_id: Option<String>,
    exchange: Option<u64>,
    status: Option<u16>,
    session: Option<String>,
}

/// What reading a capture gave.
#[derive(Clone, Debug, PartialEq)]
struct Capture {
    format: Option<&'static str>,
    messages: Vec<Told>,
    events: Vec<String>,
    problem: Option<String>,
    cut: bool,
}

fn read_in(bytes: &[u8], size: usize) -> Capture {
    let source = Source::from_read(Chunks(Cursor::new(bytes.to_vec()), size));
    let mut transcript = Transcript::new(source, None, ReadOptions::default());
    let (mut messages, mut events, mut cut) = (Vec::new(), Vec::new(), false);
    loop {
        match transcript.next_frame().unwrap() {
            Step::Frame(frame) => match frame.content {
                Content::Message { text, .. } => {
                    cut |= frame.flags.has(Flag::Truncated);
                    messages.push(Told {
                        text: text.to_owned(),
                        direction: frame.direction,
                        event_id: frame.http.and_then(|http| http.event_id.as_deref().map(str::to_owned)),
                        exchange: frame.http.map(|http| http.exchange),
                        status: frame.http.and_then(|http| http.status),
                        session: frame.session.map(str::to_owned),
                    });
                }
                Content::Event { kind, text } => events.push(format!("{} {text}", kind.as_str())),
                Content::Outline(_) | Content::Blank | Content::Framing => {}
            },
            Step::Idle | Step::Paused => {}
            Step::End => break,
        }
    }
    let format = transcript.detected().map(|detected| detected.format.name);
    Capture { format, messages, events, problem: transcript.problem(), cut }
}

/// Reads in reads of every size and demands the same of each.
fn read(text: impl AsRef<[u8]>) -> Capture {
    let whole = read_in(text.as_ref(), usize::MAX);
    for size in [1, 2, 3, 7, 64] {
        assert_eq!(read_in(text.as_ref(), size), whole, "in reads of {size} bytes");
    }
    whole
}

/// A message of any kind with any words in it.
fn message() -> impl Strategy<Value = Value> {
    let word = prop_oneof!["[a-z/_]{1,12}", any::<String>()];
    let id = prop_oneof![any::<i64>().prop_map(Value::from), word.clone().prop_map(Value::from)];
    (word.clone(), word, id, 0..4_u8).prop_map(|(method, text, id, kind)| match kind {
        0 => json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"name": text}}),
        1 => json!({"jsonrpc": "2.0", "method": method, "params": {"text": text}}),
        2 => json!({"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": text}]}}),
        _ => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": text}}),
    })
}

/// How one event is written.
#[derive(Clone, Debug)]
struct Written {
    message: Value,
    id: Option<String>,
    named: bool,
    id_last: bool,
    pretty: bool,
    spaced: bool,
    before: u8,
}

fn written() -> impl Strategy<Value = Written> {
    let id = prop::option::of("[!-~]{1,40}");
    (message(), id, any::<[bool; 4]>(), 0..5_u8).prop_map(|(message, id, [named, id_last, pretty, spaced], before)| {
        Written { message, id, named, id_last, pretty, spaced, before }
    })
}

impl Written {
    /// The text of the message as it comes out again.
    fn text(&self) -> String {
        if self.pretty { serde_json::to_string_pretty(&self.message) } else { serde_json::to_string(&self.message) }
            .unwrap()
    }

    fn write(&self, end: &str) -> String {
        // One blank behind the colon belongs to the grammar, further ones to the text.
        let blank = if self.spaced || self.pretty { " " } else { "" };
        let mut out = match self.before {
            0 => format!(": keep alive{end}"),
            1 => format!(": ping{end}{end}"),
            2 => format!("id: p{end}retry: 100{end}data:{blank}{end}{end}"),
            3 => format!("retry: 5{end}"),
            _ => String::new(),
        };
        if self.named {
            out += &format!("event:{blank}message{end}");
        }
        let id = self.id.as_ref().map(|id| format!("id: {id}{end}")).unwrap_or_default();
        let data: String = self.text().lines().map(|line| format!("data:{blank}{line}{end}")).collect();
        out += &if self.id_last { data + &id } else { id + &data };
        out + end
    }
}

fn stream(events: &[Written], end: &str) -> String {
    events.iter().map(|event| event.write(end)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn event_streams(
        events in prop::collection::vec(written(), 1..8),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        blank in any::<bool>(),
    ) {
        let mut text = stream(&events, end);
        // The last event may lack its blank line.
        if !blank {
            text.truncate(text.len() - end.len());
        }
        let capture = read(&text);
        prop_assert_eq!(capture.format, Some("sse"));
        let wanted: Vec<_> = events.iter().map(|event| (event.text(), event.id.clone())).collect();
        let found: Vec<_> = capture.messages.iter().map(|told| (told.text.clone(), told.event_id.clone())).collect();
        prop_assert_eq!(found, wanted);
        prop_assert!(capture.messages.iter().all(|told| told.direction == Some(Direction::ServerToClient)));
        prop_assert!(capture.messages.iter().all(|told| told.exchange == Some(1)));
        prop_assert_eq!((capture.events, capture.problem), (vec![], None));
    }

    #[test]
    fn a_stream_cut_anywhere_is_told(events in prop::collection::vec(written(), 1..4), at in any::<prop::sample::Index>()) {
        let text = stream(&events, "\n");
        let cut = at.index(text.len());
        let cut = (0..=cut).rev().find(|cut| text.is_char_boundary(*cut)).unwrap();
        let whole = events.iter().scan(0, |end, event| { *end += event.write("\n").len(); Some(*end) });
        let whole = whole.filter(|end| *end <= cut).count();
        let capture = read(&text[..cut]);
        prop_assert!(capture.messages.len() >= whole || capture.format.is_none());
        for (told, event) in capture.messages.iter().zip(&events).take(whole) {
            prop_assert_eq!(&told.text, &event.text());
        }
        // Inside a message: it is there, marked, and the input counts as half read.
        prop_assert_eq!(capture.cut, capture.messages.get(whole).is_some_and(|told| told.text != events[whole].text()));
        prop_assert!(!capture.cut || capture.problem.is_some());
    }
}

#[test]
fn what_an_event_stream_says_beside_messages() {
    let text = "event: endpoint\ndata: /messages?session_id=7\n\n: ping\nevent: ping\ndata: 12:00\n\n\
                data: not json\n\nwhat is this\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n\
                event: other\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\nid: 9\n";
    let capture = read(text);
    assert_eq!(capture.format, Some("sse"));
    assert_eq!(
        capture.events,
        ["http endpoint /messages?session_id=7", "http ping 12:00", "noise not json", "noise what is this"]
    );
    assert_eq!(capture.messages.len(), 2);
    assert_eq!(
        capture.problem.as_deref(),
        Some("line 18 is cut off inside an event of the stream at byte 223, the end of the input")
    );
}

#[test]
fn streams_of_other_programs_are_not_mcp() {
    for text in [
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n",
        "id: 5\ndata: x\n",
        "name: a\nid: 5\nevent: y\n",
        ": only a comment\n\n",
    ] {
        assert_eq!(read(text).format, None, "{text}");
    }
}
