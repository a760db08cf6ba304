//! What home-made tees and wrappers write: a message a line behind an arrow or a word for its way. Such words are the
//! writer's view; which side that is, is learnt from what only one side sends.

use jiff::tz::TimeZone;
use serde::de::IgnoredAny;

use super::foreign::is_page;
use super::grammar::{Grammar, Notation, Split, Told, Way, other, unquoted};
use super::json_scan::{begins_like_value, value_end};
use super::label::{Label, label};
use super::notation::{node, python};
use super::text_log::TextLog;
use super::{Bid, EventKind, Format, Head, Outline, OutlineKind, Proof, Stamp, stamp};

/// The row of home-made tees.
pub(super) const FORMAT: Format = Format {
    name: "tee",
    title: "home-made tees and wrappers, with arrows or words before messages",
    example: r#"[2025-01-02T03:04:05.678Z] >>> {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    loses: "the server's name; directions until one side sends what only it can",
    proof: Proof::Documented,
    sniff,
    open: |options| TextLog::open(&GRAMMAR, options),
};

static GRAMMAR: Grammar =
    Grammar { reason: "messages stand behind arrows or words for their way", split, tell, stray: other };

/// How far into a line a message is looked for, in bytes.
const HEADER: usize = 240;
/// How many lines of a head are looked at.
const LINES: usize = 60;

/// What the grammar says, if a message stands behind a label; a single `>` or `<` proves nothing without the other.
fn sniff(head: &Head<'_>) -> Bid {
    if !head.text.contains("jsonrpc") || is_page(head.text.trim_start()) {
        return Bid::NONE;
    }
    let (mut label, mut right, mut left) = (false, false, false);
    for line in head.text.lines().take(LINES) {
        let Some(Split { text, .. }) = split(line, &TimeZone::UTC) else { continue };
        if matches!(tell(text), Told::Message { .. } | Told::Outline { .. }) {
            match text.trim_ascii_start().as_bytes() {
                [b'>', b' ' | b'{', ..] => right = true,
                [b'<', b' ' | b'{', ..] => left = true,
                _ => label = true,
            }
        }
    }
    if label || (right && left) { GRAMMAR.sniff(head) } else { Bid::NONE }
}

/// A line with a time, in square brackets or not, or with `[PID:N]`, or with a label at its start.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = match time(line, zone) {
        Some((time, rest)) => (Some(time), rest),
        None => (None, line),
    };
    let process = process(rest);
    let (session, text) = process.map_or((None, rest), |(process, text)| (Some(process), text));
    if time.is_some() || session.is_some() {
        return Some(Split { time: time.or_else(|| within(text, zone)), server: None, session, text });
    }
    (!is_member(line) && matches!(tell(line), Told::Message { .. })).then(|| Split {
        time: within(line, zone),
        text: line,
        ..Split::default()
    })
}

/// Whether a line is part of a value that is laid out: a name in quotes, or a word with blanks before it.
fn is_member(line: &str) -> bool {
    let text = line.trim_ascii_start();
    is_quoted(text) || (text.len() < line.len() && text.starts_with(char::is_alphabetic))
}

/// Whether a text begins with a quote, as members of a value do and labels do not.
fn is_quoted(text: &str) -> bool {
    text.trim_ascii_start().starts_with(['"', '\''])
}

/// The time at the start of a line and the text behind it, brackets and all.
fn time<'t>(line: &'t str, zone: &TimeZone) -> Option<(Stamp, &'t str)> {
    let inner = line.strip_prefix(['[', '(']);
    let (time, rest) = stamp::leading(inner.unwrap_or(line), zone).or_else(|| epoch(inner.unwrap_or(line)))?;
    Some((time, if inner.is_some() { rest.strip_prefix([']', ')'])? } else { rest }))
}

/// Seconds since 1970 with a fraction, or milliseconds.
fn epoch(text: &str) -> Option<(Stamp, &str)> {
    let length = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let (number, rest) = text.split_at(length);
    let apart = rest.starts_with([' ', ']', ')', ':', '|', '\t']);
    let scale = match number.split_once('.') {
        Some((whole, fraction)) if whole.len() == 10 && !fraction.is_empty() => 0,
        None if length == 13 => 3,
        _ => return None,
    };
    Some((stamp::epoch(number, scale).filter(|_| apart)?, rest))
}

/// The time that stands between a label and its message.
fn within(text: &str, zone: &TimeZone) -> Option<Stamp> {
    let (at, _) = message_at(text)?;
    let header = &text[..at];
    let begins = |(at, _): &(usize, &str)| header[at + 1..].starts_with(|letter: char| letter.is_ascii_digit());
    let mut places = header.match_indices([' ', '[', '(', '=', '|']).filter(begins);
    places.find_map(|(at, _)| stamp::leading(&header[at + 1..], zone)).map(|(time, _)| time)
}

/// `- [PID:30512] text` to the number and the text.
fn process(text: &str) -> Option<(&str, &str)> {
    let inner = text.trim_start_matches([' ', '-', '|']).strip_prefix(['[', '('])?;
    let number = inner.strip_prefix("PID").or_else(|| inner.strip_prefix("pid"))?.strip_prefix([':', '=', ' '])?;
    let (number, text) = number.split_once([']', ')'])?;
    let number = number.trim_ascii();
    (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then_some((number, text))
}

fn tell(text: &str) -> Told<'_> {
    let Some((at, notation)) = message_at(text).filter(|_| !is_quoted(text)) else { return without_message(text) };
    let header = &text[..at];
    // Behind a verb and a colon stands what was sent, though it may be no message as a whole.
    for (colon, _) in header.match_indices(": ") {
        let payload = &text[colon + 2..];
        if junk(&header[colon + 2..])
            && let Some(Label { way, voice }) = label(&header[..=colon]).filter(|label| label.way.is_relative())
        {
            return Told::Message { way, text: payload, notation: Notation::Other(|_, _| None), voice };
        }
    }
    let Some(Label { way, voice }) = label(header) else { return Told::Other(text) };
    match cut(header, &text[at..]) {
        Some(outline) => Told::Outline { way: Way::Unknown, outline, voice: 0 },
        None => Told::Message { way, text: &text[at..], notation, voice },
    }
}

/// Words that were sent with the message: they end in a colon as labels do, and tell nothing of it.
fn junk(words: &str) -> bool {
    let inner = words.trim_ascii().strip_suffix(':').unwrap_or_default();
    !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ')
}

/// A line without a message: where the writer speaks of the start or the end of a process, sessions begin and end.
fn without_message(text: &str) -> Told<'_> {
    let words = text.trim_matches([' ', '-', '=', '*', '#', '|', '\t']);
    let first = words.split([' ', ':']).next().unwrap_or_default();
    let capitals = first.bytes().all(|byte| byte.is_ascii_uppercase()) && !first.is_empty();
    let any = |known: &[&str]| known.iter().any(|known| first.eq_ignore_ascii_case(known));
    let lower = || words.to_ascii_lowercase();
    let of_process = || {
        let lower = lower();
        ["pid", "process", "proxy", "command"].iter().any(|word| lower.contains(word))
    };
    if any(&["start", "started", "starting", "spawn", "spawned", "spawning", "launching", "launched"])
        && (capitals || of_process())
    {
        return Told::Passed { kind: EventKind::ProcessStart, text };
    }
    if capitals && any(&["exit", "exited", "stop", "stopped", "end", "ended", "terminated"]) {
        return Told::Passed { kind: EventKind::ProcessExit, text };
    }
    Told::Other(text)
}

/// A message that is cut off, behind `| ID: 1 | Payload: `: these words tell its id, which the rest may have held.
fn cut<'t>(words: &'t str, message: &'t str) -> Option<Outline<'t>> {
    let id = words.split_once("| ID: ")?.1.split(" |").next()?;
    let numbered = !id.is_empty() && id.bytes().all(|digit| digit.is_ascii_digit());
    if !numbered || value_end(message).is_some() {
        return None;
    }
    let first = message.strip_prefix("{\"")?.split('"').next()?;
    let kind = match first {
        "result" => OutlineKind::Result,
        "error" => OutlineKind::Error,
        _ => return None,
    };
    Some(Outline { kind, method: None, id: Some(id), error_code: None, target: None, view: false })
}

/// Where a message begins, to judge by its first member, or a bracket that ends the line; and how it is written.
fn message_at(text: &str) -> Option<(usize, Notation)> {
    let brackets = text.bytes().take(HEADER).enumerate().filter(|(_, byte)| matches!(byte, b'{' | b'['));
    // What stands inside another value is no message behind a label.
    let at = brackets.map(|(at, _)| at).find(|at| begins_like_value(&text[*at..]))?;
    begun(text, at)
}

/// The message whose first bracket stands at this place.
fn begun(text: &str, at: usize) -> Option<(usize, Notation)> {
    let inner = text[at..].trim_start_matches(['[', '{', ' ', '\t']).trim_ascii_end();
    let known = |name: &str| matches!(name, "jsonrpc" | "id" | "method" | "params" | "result" | "error");
    let notation = match inner.as_bytes() {
        // The rest shows in the next lines.
        [] => Notation::Other(any),
        [b'"', ..] if known(inner[1..].split('"').next()?) => Notation::Json,
        [b'\'', ..] if known(inner[1..].split('\'').next()?) => Notation::Other(python),
        [b'\\', b'"', ..] if known(inner[2..].split('\\').next()?) => Notation::Other(unquoted),
        _ if known(inner.split(':').next()?) => Notation::Other(node),
        _ => return None,
    };
    // A literal of a programming language, of text or of bytes.
    let before = &text[..at];
    let literal = before.strip_suffix(['\'', '"', '`']);
    let (before, notation) = match (literal, notation) {
        (Some(before), Notation::Json) if !text[..at].ends_with('`') => {
            (before.strip_suffix(['b', 'r', 'u']).unwrap_or(before), Notation::Other(python))
        }
        (Some(before), Notation::Other(_)) if text[..at].ends_with('"') => (before, notation),
        (Some(_), notation) => (before, notation),
        (None, notation) => (before, notation),
    };
    let apart = before.chars().next_back().is_some_and(|letter| {
        " \t:><-])|=`,\u{fe0f}".contains(letter) || (!letter.is_ascii() && !letter.is_alphanumeric())
    });
    apart.then_some((before.len(), notation))
}

/// A value whose notation shows only in its further lines.
fn any(text: &str, out: &mut String) -> Option<usize> {
    if let Some(end) = value_end(text).filter(|end| serde_json::from_str::<IgnoredAny>(&text[..*end]).is_ok()) {
        out.push_str(&text[..end]);
        return Some(end);
    }
    let first = text.trim_start_matches(|letter: char| matches!(letter, '[' | '{') || letter.is_whitespace());
    match first.as_bytes().first()? {
        b'\'' => python(text, out),
        b'"' => None,
        _ => node(text, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Direction;

    #[test]
    fn labels_tell_ways() {
        let rpc = r#"{"jsonrpc":"2.0","id":1}"#;
        for (label, wanted) in [
            (">>> ", Some(Way::Sent)),
            ("<<<", Some(Way::Received)),
            ("--> tools/call #3: ", Some(Way::Sent)),
            ("  ← ", Some(Way::Received)),
            ("IN ", Some(Way::Received)),
            ("proxy OUT ", Some(Way::Sent)),
            ("[stdin] ", Some(Way::Received)),
            ("stdout: ", Some(Way::Sent)),
            ("app - INFO - Received message: ", Some(Way::Received)),
            ("Sent tools/list response: ", Some(Way::Sent)),
            ("[RESPONSE] Method: unknown | ID: 1 | Payload: ", Some(Way::Unknown)),
            ("Request: ", Some(Way::Unknown)),
            ("[Client -> Server] ", Some(Way::Claimed(Direction::ClientToServer))),
            ("received from server: ", Some(Way::Claimed(Direction::ServerToClient))),
            (">>> call(", None),
            (">>> x = ", None),
            ("rows of interest in ", None),
            ("the server says ", None),
            ("error: ", None),
            ("", None),
        ] {
            let told = match tell(&format!("{label}{rpc}")) {
                Told::Message { way, .. } => Some(way),
                _ => None,
            };
            assert_eq!(told, wanted, "{label:?}");
        }
    }

    #[test]
    fn the_words_before_a_cut_answer_tell_its_id() {
        let text = r#" - [RESPONSE] Method: unknown | ID: 7 | Payload: {"result":{"tools":[{"name":"a"#;
        let Told::Outline { outline, .. } = tell(text) else { panic!("no outline") };
        assert_eq!((outline.kind, outline.id), (OutlineKind::Result, Some("7")));
        for whole in ["{\"result\":{}}", "{", "{\"method\":\"ping"] {
            assert!(
                matches!(tell(&text.replace(&text[49..], whole)), Told::Message { way: Way::Unknown, .. }),
                "{whole}"
            );
        }
    }

    #[test]
    fn what_was_sent_is_no_message_when_words_stand_before_it() {
        let text = "INFO - Received message: Sending: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        let Told::Message { way: Way::Received, text, .. } = tell(text) else { panic!("no message") };
        assert!(text.starts_with("Sending: {"));
    }

    #[test]
    fn other_logs_are_no_tees() {
        for text in [
            "thread 'main' panicked at src/main.rs:4:5:\nno \"jsonrpc\" in {\"id\":1}\nstack backtrace:\n   0: main",
            "2026-03-02 09:15:00 GET /mcp 200 {\"jsonrpc\":\"2.0\",\"id\":1}\n",
            "The client sends {\"jsonrpc\":\"2.0\",\"id\":1} and gets {\"result\":{}}.\n",
            ">>> import json\n>>> json.dumps({\"jsonrpc\": \"2.0\"})\n'{\"jsonrpc\": \"2.0\"}'\n",
            "<<< HEAD\n{\"jsonrpc\":\"2.0\"}\n>>> main\n",
        ] {
            let head = Head { text, complete: true, first: true };
            assert_eq!((FORMAT.sniff)(&head), Bid::NONE, "{text}");
        }
    }
}
