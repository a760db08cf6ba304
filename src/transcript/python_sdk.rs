//! Debug logs of MCP's Python SDK, in whatever form `logging` was told to write them, Rich's and mcp-proxy's among them.
//! On its HTTP transports the SDK tells a message up to four times: as the bytes that came, as the model read from them,
//! on its way to the session, and as the chunk of the event stream.

use jiff::tz::TimeZone;

use super::grammar::{Convert, Grammar, Notation, Split, Told, Way, stderr};
use super::notation::{python, python_chunk};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, Stamp, silent, stamp};
use crate::protocol::Direction;

/// The row of the Python SDK's debug logs.
pub(super) const FORMAT: Format = Format {
    name: "python-sdk",
    title: "debug logs of MCP's Python SDK, also through Rich or mcp-proxy",
    example: r#"2025-01-02 03:04:05,678 - mcp.server.sse - DEBUG - Received JSON: b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'"#,
    loses: "which session a message belongs to; over stdio and from JSON responses also messages",
    proof: Proof::Recorded,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::PYTHON_SDK),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of the Python SDK's", split, tell, stray: stderr };

/// How far into a line its level and its sentence are looked for.
const HEADER: usize = 160;

const LEVELS: [&str; 5] = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"];

/// A line that begins as `logging` begins one: with a time or blanks or nothing, and a level; or as mcp-proxy does it:
/// `[D 2025-01-02 03:04:05,678.678 logger] text`; or with a sentence of the SDK.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    if let Some((stamp, text)) = of_proxy(line, zone) {
        return Some(Split { time: Some(stamp), text, ..Split::default() });
    }
    let (time, rest) = time(line, zone).map_or((None, line), |(stamp, rest)| (Some(stamp), rest));
    let header = header(rest);
    let level = |level: &str| {
        let (before, behind) = header.split_once(level)?;
        let apart = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_ascii_alphanumeric());
        // Without a time, nothing stands before the level.
        let first = time.is_some() || before.trim_start_matches([' ', '[']).is_empty();
        (first && apart(before.chars().next_back()) && apart(behind.chars().next()))
            .then_some(before.len() + level.len())
    };
    match LEVELS.into_iter().find_map(level) {
        Some(end) => {
            Some(Split { time, text: rest[end..].trim_start_matches([' ', ':', '-', '|', ']']), ..Split::default() })
        }
        None => saying(rest).map(|_| Split { time, text: rest, ..Split::default() }),
    }
}

/// The part of a text in which level and sentence are looked for.
fn header(text: &str) -> &str {
    let end = (0..=HEADER.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

/// `[D 2025-01-02 03:04:05,678.678 logger] text`.
fn of_proxy<'t>(line: &'t str, zone: &TimeZone) -> Option<(Stamp, &'t str)> {
    let inner = line.strip_prefix('[')?;
    let rest = inner.strip_prefix(['D', 'I', 'W', 'E', 'C'])?.strip_prefix(' ')?;
    let (stamp, rest) = stamp::leading(rest, zone)?;
    Some((stamp, rest.split_once("] ")?.1))
}

/// A time in square brackets or not; Rich writes `[01/02/25 03:04:05]`.
fn time<'t>(line: &'t str, zone: &TimeZone) -> Option<(Stamp, &'t str)> {
    let inner = line.strip_prefix('[').unwrap_or(line);
    if let Some((stamp, rest)) = stamp::leading(inner, zone) {
        return Some((stamp, rest.strip_prefix(']').unwrap_or(rest)));
    }
    stamp::of_rich(line, zone)
}

/// A sentence that tells a message.
struct Saying {
    words: &'static str,
    direction: Direction,
    convert: Convert,
}

const fn saying_of(words: &'static str, direction: Direction) -> Saying {
    Saying { words, direction, convert: python }
}

/// The sentences with messages; each is a voice of its own. What goes to the writer of a session has been received.
const SAYINGS: [Saying; 10] = [
    saying_of("Received JSON: ", Direction::ClientToServer),
    saying_of("Validated client message: ", Direction::ClientToServer),
    saying_of("Sending session message to writer: ", Direction::ClientToServer),
    saying_of("Sending message to writer: ", Direction::ClientToServer),
    saying_of("Received message: ", Direction::ClientToServer),
    saying_of("Sending message via SSE: ", Direction::ServerToClient),
    Saying { words: "chunk: ", direction: Direction::ServerToClient, convert: python_chunk },
    saying_of("Sending client message: ", Direction::ClientToServer),
    saying_of("Received server message: ", Direction::ServerToClient),
    saying_of("SSE message: ", Direction::ServerToClient),
];

/// The beginnings of other sentences, and what they mean.
const EVENTS: [(&str, EventKind); 15] = [
    ("Received message: <", EventKind::Note),
    ("chunk: b'", EventKind::Note),
    ("Processing request of type ", EventKind::Note),
    ("Dispatching request of type ", EventKind::Note),
    ("Response sent", EventKind::Note),
    ("Handling POST message", EventKind::Http),
    ("Parsed session ID: ", EventKind::Http),
    ("Sent endpoint event: ", EventKind::Http),
    ("Setting up SSE connection", EventKind::Http),
    ("Created new session with ID: ", EventKind::TransportOpen),
    ("Created new transport with session ID: ", EventKind::TransportOpen),
    ("Client session disconnected ", EventKind::TransportClosed),
    ("Connecting to StreamableHTTP endpoint: ", EventKind::TransportOpen),
    ("Negotiated protocol version: ", EventKind::Note),
    ("Failed to parse JSONRPC message from server", EventKind::Noise),
];

/// How a message begins behind its label; JSON as it stands is what others write.
const BEGINNINGS: [&str; 8] = ["b'", "b\"", "{'", "root=", "SessionMessage(", "JSONRPC", "jsonrpc='", "method='"];

/// What a sentence is, and what it says.
#[derive(Clone, Copy)]
enum Said<'t> {
    /// A message, in the voice of that place.
    Message(usize, &'t str),
    Event(EventKind, &'t str),
}

/// The sentence of the SDK in a text, which may stand behind the name of a logger.
fn saying(text: &str) -> Option<Said<'_>> {
    let header = header(text);
    // Where the text begins, or a blank or colon ends a word before a sentence.
    let places = header.match_indices([' ', ':', ']']).map(|(at, _)| at + 1);
    std::iter::once(0).chain(places).take(24).find_map(|at| sentence(&text[at..]))
}

fn sentence(text: &str) -> Option<Said<'_>> {
    // All sentences begin so.
    if !text.starts_with(|letter: char| letter.is_ascii_uppercase() || letter == 'c') {
        return None;
    }
    let message = SAYINGS.iter().zip(1..).find_map(|(saying, voice)| {
        let message = text.strip_prefix(saying.words)?;
        let event = voice == 7 && !message.contains("data: {");
        // A dictionary stands behind the first alone, bytes behind few: other programs write so as well.
        let others = message.starts_with("{'") || (message.starts_with(['b']) && voice != 7);
        let event = event || (others && voice > 1);
        (!event && BEGINNINGS.iter().any(|beginning| message.starts_with(beginning)))
            .then_some(Said::Message(voice, message))
    });
    let event = || EVENTS.iter().find(|(words, _)| text.starts_with(words)).map(|(_, kind)| Said::Event(*kind, text));
    message.or_else(event)
}

fn tell(text: &str) -> Told<'_> {
    match saying(text) {
        Some(Said::Message(voice, text)) => {
            let Saying { direction, convert, .. } = SAYINGS[voice - 1];
            let voice = u8::try_from(voice).unwrap_or_default();
            Told::Message { way: Way::Recorded(direction), text, notation: Notation::Other(convert), voice }
        }
        Some(Said::Event(kind, text)) => Told::event(kind, text),
        None => Told::Other(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_form_of_logging_is_taken_off() {
        for (prefix, time) in [
            ("2025-01-02 03:04:05,678 - mcp.server.sse - DEBUG - ", Some(3)),
            ("[2025-01-02 03:04:05] DEBUG mcp.server.sse: ", Some(0)),
            ("2025-01-02 03:04:05 | DEBUG | mcp.server.sse:handle:42 - ", Some(0)),
            ("[01/02/25 03:04:05] DEBUG    ", Some(0)),
            ("                    DEBUG    ", None),
            ("[D 2025-01-02 03:04:05,678.678 mcp.server.sse] ", Some(3)),
            ("DEBUG:mcp.server.sse:", None),
            ("", None),
        ] {
            let line = format!("{prefix}Received JSON: b'{{}}'   sse.py:161");
            let split = split(&line, &TimeZone::UTC).expect(prefix);
            assert_eq!(split.time.map(|stamp| stamp.digits), time, "{prefix}");
            if let Some(stamp) = split.time {
                assert!(stamp.at.to_string().starts_with("2025-01-02T03:04:05"), "{prefix}");
            }
            let Told::Message { text, voice: 1, .. } = tell(split.text) else { panic!("{prefix}: {split:?}") };
            assert!(text.starts_with("b'{}'"));
        }
        for other in
            ["a DEBUG b", "DEBUGGING", "2025-01-02 03:04:05 GET /", "Traceback (most recent call last):", "chunk"]
        {
            assert!(split(other, &TimeZone::UTC).is_none(), "{other}");
        }
    }

    #[test]
    fn sentences_without_a_message_are_events() {
        for text in [
            r"chunk: b'event: endpoint\r\ndata: /messages/?session_id=1\r\n\r\n'",
            r"chunk: b': ping - 2025-01-02 03:04:05\r\n\r\n'",
            "Received message: <mcp.shared.session.RequestResponder object at 0x7f>",
            "Processing request of type ListToolsRequest",
        ] {
            assert!(matches!(tell(text), Told::Event { .. }), "{text}");
        }
        for text in ["Received JSON: {\"jsonrpc\":\"2.0\"}", "Received message: hello", "SSE message: {}"] {
            assert!(matches!(tell(text), Told::Other(_)), "{text}");
        }
    }
}
