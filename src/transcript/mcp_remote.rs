//! The bridge mcp-remote: its console, with and without `--debug`, and its debug file, and its lines as they stand in its
//! host's logs. Each begins with `[PID] `, and one tells each message that is passed on. The local side is the client's.

use jiff::tz::TimeZone;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::grammar::{Grammar, Notation, Split, Told, Way, other};
use super::notation::{node, quote};
use super::text_log::TextLog;
use super::view::outline_of;
use super::{Bid, EventKind, Format, Outline, OutlineKind, Proof, stamp};
use crate::protocol::Direction;

/// The row of mcp-remote's console and debug file.
pub(super) const FORMAT: Format = Format {
    name: "mcp-remote",
    title: "the console and the debug file of the bridge mcp-remote",
    example: r#"[2025-01-02T03:04:05.678Z][4120] Local → Remote message {"method":"tools/list","id":1}"#,
    loses: "results; params beyond 500 characters; on the console also times, params and the ids of requests",
    proof: Proof::Recorded,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open(&GRAMMAR, options),
};

/// The row of mcp-remote's console with `--debug`, which holds the lines of both.
pub(super) const DEBUG: Format = Format {
    name: "mcp-remote-debug",
    title: "the console of the bridge mcp-remote with --debug",
    example: "[4120] [Local→Remote] tools/list\n[2025-01-02T03:04:05.678Z][4120] [Local→Remote] tools/list\n[2025-01-02T03:04:05.678Z][4120] Local → Remote message { method: 'tools/list', id: 1, params: undefined }",
    loses: "results; params beyond 500 characters",
    proof: Proof::Recorded,
    sniff: |head| if has_both(head.text) { DEBUG_GRAMMAR.sniff(head) } else { Bid::NONE },
    open: |options| TextLog::open(&DEBUG_GRAMMAR, options),
};

static DEBUG_GRAMMAR: Grammar =
    Grammar { reason: "lines with and without a time are mcp-remote's", split, tell: tell_again, stray: other };

/// Whether lines with a time and lines without one stand in a head, as on the console with `--debug`.
fn has_both(text: &str) -> bool {
    const LINES: usize = 60;
    let lines = || text.lines().take(LINES);
    lines().any(|line| unprefixed(line).is_some())
        && lines().any(|line| split(line, &TimeZone::UTC).is_some_and(|split| split.time.is_some()))
}

static GRAMMAR: Grammar = Grammar { reason: "a line is one of mcp-remote's", split, tell, stray: other };

/// `[PID] text`, in the debug file `[TIME][PID] text`. Of the latter the text keeps the bracket before the number.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let filed = line.strip_prefix('[').and_then(|inner| stamp::leading(inner, zone));
    let (time, rest) = filed.map_or((None, line), |(time, rest)| (Some(time), rest));
    let text = if time.is_some() { rest.strip_prefix(']')? } else { rest };
    unprefixed(text)?;
    let session = text.strip_prefix('[').and_then(|inner| inner.split(']').next());
    let text = if time.is_some() { rest } else { &text[session.map_or(0, str::len) + 3..] };
    Some(Split { time, session, text, ..Split::default() })
}

/// The beginnings of what the bridge says, and what they mean.
const SAYINGS: [(&str, EventKind); 8] = [
    ("Connecting to remote server: ", EventKind::Note),
    ("Using transport strategy: ", EventKind::Note),
    ("Using automatically selected callback port: ", EventKind::Note),
    ("Connected to remote server using ", EventKind::TransportOpen),
    ("Proxy established successfully ", EventKind::TransportOpen),
    ("Local STDIO server running", EventKind::ProcessStart),
    ("Error from remote server: ", EventKind::Note),
    ("Shutting down...", EventKind::TransportClosed),
];

fn tell(text: &str) -> Told<'_> {
    let filed = text.strip_prefix(']').and_then(unprefixed);
    let words = filed.unwrap_or(text);
    let words = unprefixed(words).unwrap_or(words);
    if let Some((direction, mut outline)) = passing(words) {
        // The debug file goes on with more of the message, and `initialize` is printed whole.
        outline.view = filed.is_some() || outline.method == Some("initialize");
        return Told::Outline { way: Way::Recorded(direction), outline, voice: 0 };
    }
    if let Some((direction, text)) = filed.and_then(told) {
        // The file has JSON on a line, the console what Node.js makes of the same object.
        let inspected = !text.starts_with("{\"");
        let notation = if inspected { Notation::Other(convert_inspected) } else { Notation::Line(convert) };
        return Told::Message { way: Way::Recorded(direction), text, notation, voice: 1 };
    }
    if words.starts_with('{') {
        let way = Way::Recorded(Direction::ClientToServer);
        let voice = if filed.is_some() { 3 } else { 2 };
        return Told::Message { way, text: words, notation: Notation::Json, voice };
    }
    match SAYINGS.iter().find(|(beginning, _)| words.starts_with(beginning)) {
        Some((_, kind)) => Told::event(*kind, words),
        None => Told::Other(words),
    }
}

/// The same where each message is told with its members as well: what tells less tells it again.
fn tell_again(text: &str) -> Told<'_> {
    match tell(text) {
        Told::Outline { way, outline, voice } => {
            Told::Outline { way, outline: Outline { view: true, ..outline }, voice }
        }
        told => told,
    }
}

/// `Local → Remote message {…}`, the arrow in whatever encoding it arrived.
fn told(words: &str) -> Option<(Direction, &str)> {
    let (label, message) = words.split_once(" message ")?;
    let direction = match (label.split(' ').next()?, label.rsplit(' ').next()?) {
        ("Local", "Remote") => Direction::ClientToServer,
        ("Remote", "Local") => Direction::ServerToClient,
        _ => return None,
    };
    message.starts_with('{').then_some((direction, message))
}

/// What the debug file tells of a message.
#[derive(Deserialize)]
struct Members<'t> {
    method: Option<String>,
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    /// JSON, up to 500 characters of it.
    params: Option<String>,
    result: Option<String>,
    #[serde(borrow)]
    error: Option<&'t RawValue>,
}

/// The message, as far as it is told.
fn convert(text: &str, out: &mut String) -> Option<usize> {
    let message: Members<'_> = serde_json::from_str(text.trim_ascii_end()).ok()?;
    out.push_str("{\"jsonrpc\":\"2.0\"");
    if let Some(id) = message.id {
        out.push_str(",\"id\":");
        out.push_str(id.get());
    }
    if let Some(method) = &message.method {
        out.push_str(",\"method\":");
        quote(method, out);
    }
    if let Some(params) = &message.params {
        let whole = serde_json::from_str::<serde::de::IgnoredAny>(params).is_ok();
        out.push_str(",\"params\":");
        out.push_str(if whole { params } else { "..." });
    }
    if message.result.is_some() {
        out.push_str(",\"result\":...");
    }
    if let Some(error) = message.error {
        out.push_str(",\"error\":");
        out.push_str(error.get());
    }
    out.push('}');
    Some(text.len())
}

/// The same from an object that Node.js has inspected.
fn convert_inspected(text: &str, out: &mut String) -> Option<usize> {
    let mut json = String::new();
    let end = node(text, &mut json)?;
    convert(&json, out).map(|_| end)
}

/// The text behind `[PID] `, which may stand twice.
pub(super) fn unprefixed(line: &str) -> Option<&str> {
    let (pid, text) = line.strip_prefix('[')?.split_once("] ")?;
    if pid.is_empty() || pid.len() > 10 || !pid.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Some(unprefixed(text).unwrap_or(text))
}

/// `[Local→Remote] METHOD` or `[Remote→Local] ID`, the arrow in whatever encoding it arrived.
pub(super) fn passing(text: &str) -> Option<(Direction, Outline<'_>)> {
    let (label, token) = text.strip_prefix('[')?.split_once("] ")?;
    let direction = if label.starts_with("Local") && label.ends_with("Remote") {
        Direction::ClientToServer
    } else if label.starts_with("Remote") && label.ends_with("Local") {
        Direction::ServerToClient
    } else {
        return None;
    };
    let token = token.trim_ascii();
    let method = token.contains('/') || matches!(token, "initialize" | "ping");
    let kind = match method {
        true if token.starts_with("notifications/") => OutlineKind::Notification,
        true => OutlineKind::Request,
        // The id alone: of an answer, whichever it was.
        false => OutlineKind::Answer,
    };
    let (method, id) = if method { (Some(token), None) } else { (None, Some(token)) };
    Some((direction, Outline { kind, method, id, error_code: None, target: None, view: true }))
}

/// The message that is printed whole behind `[PID] `: the bridge does so with `initialize`.
pub(super) fn printed(text: &str) -> Option<(Direction, Outline<'_>)> {
    let outline = outline_of(text)?;
    let direction = match outline.kind {
        OutlineKind::Request | OutlineKind::Notification => Direction::ClientToServer,
        OutlineKind::Result | OutlineKind::Error | OutlineKind::Answer => Direction::ServerToClient,
    };
    Some((direction, outline))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_debug_file_tells_messages_and_the_console_outlines() {
        let look = |line: &'static str| {
            let split = split(line, &TimeZone::UTC).expect(line);
            (split.session, split.time.is_some(), tell(split.text))
        };
        let filed = "[2025-01-02T03:04:05.678Z][4120] ";
        for (line, view) in [
            ("[4120] [Local→Remote] tools/list", false),
            ("[4120] [Local→Remote] initialize", true),
            ("[2025-01-02T03:04:05.678Z][4120] [Remote→Local] 3", true),
        ] {
            let (session, timed, Told::Outline { outline, .. }) = look(line) else { panic!("{line}") };
            assert_eq!((session, timed, outline.view), (Some("4120"), line.starts_with(filed), view), "{line}");
        }
        let (_, _, Told::Event { kind: EventKind::TransportOpen, .. }) =
            look("[7] [7] Connected to remote server using X")
        else {
            panic!("no event")
        };
        assert!(split("[12:00] text", &TimeZone::UTC).is_none());
        assert!(split("[2025-01-02T03:04:05.678Z] text", &TimeZone::UTC).is_none());
    }

    #[test]
    fn params_that_are_cut_stay_out() {
        for (text, wanted) in [
            (r#"{"method":"ping","id":1}"#, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            (
                r#"{"method":"x","id":"a","params":"{\"a\":1}"}"#,
                r#"{"jsonrpc":"2.0","id":"a","method":"x","params":{"a":1}}"#,
            ),
            (r#"{"method":"x","params":"{\"a\":\"b"}"#, r#"{"jsonrpc":"2.0","method":"x","params":...}"#),
            (r#"{"id":1,"result":"result-present"}"#, r#"{"jsonrpc":"2.0","id":1,"result":...}"#),
            (r#"{"id":1,"error":{"code":-1}}"#, r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1}}"#),
        ] {
            let mut out = String::new();
            assert_eq!(convert(text, &mut out), Some(text.len()), "{text}");
            assert_eq!(out, wanted);
        }
        assert_eq!(convert("{ method: 'x' }", &mut String::new()), None);
    }
}
