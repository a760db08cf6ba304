//! What home-made tees and wrappers write: a message a line behind an arrow or a word for its way. Such words are the
//! writer's view; which side that is, is learnt from what only one side sends.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Notation, Split, Told, Way, other};
use super::json_scan::{begins_like_value, value_end};
use super::text_log::TextLog;
use super::{Bid, Format, Outline, OutlineKind, Proof, stamp};
use crate::protocol::Direction;

/// The row of home-made tees.
pub(super) const FORMAT: Format = Format {
    name: "tee",
    title: "home-made tees and wrappers, with arrows or words before messages",
    example: r#"[2025-01-02T03:04:05.678Z] >>> {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    loses: "the server's name; directions until one side sends what only it can",
    proof: Proof::Documented,
    sniff: |head| match head.text.contains("\"jsonrpc\"") {
        true => GRAMMAR.sniff(head),
        false => Bid::NONE,
    },
    open: |options| TextLog::open(&GRAMMAR, options),
};

static GRAMMAR: Grammar =
    Grammar { reason: "messages stand behind arrows or words for their way", split, tell, stray: other };

/// How far into a line a message is looked for, in bytes.
const HEADER: usize = 200;

/// A line with a time, in square brackets or not, or with `[PID:N]`, or with a label at its start.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let bracketed = line.strip_prefix('[').and_then(|inner| {
        let (time, rest) = stamp::leading(inner, zone)?;
        Some((time, rest.strip_prefix(']')?))
    });
    let (time, rest) = match bracketed.or_else(|| stamp::leading(line, zone)) {
        Some((time, rest)) => (Some(time), rest),
        None => (None, line),
    };
    let process = process(rest);
    let (session, text) = process.map_or((None, rest), |(process, text)| (Some(process), text));
    let begun = time.is_some() || session.is_some() || matches!(tell(line), Told::Message { .. });
    begun.then_some(Split { time, server: None, session, text })
}

/// `- [PID:30512] text` to the number and the text.
fn process(text: &str) -> Option<(&str, &str)> {
    let inner = text.trim_start_matches([' ', '-', '|']).strip_prefix('[')?;
    let number = inner.strip_prefix("PID").or_else(|| inner.strip_prefix("pid"))?.strip_prefix([':', '=', ' '])?;
    let (number, text) = number.split_once(']')?;
    let number = number.trim_ascii();
    (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then_some((number, text))
}

fn tell(text: &str) -> Told<'_> {
    let Some(at) = message_at(text) else { return Told::Other(text) };
    let header = &text[..at];
    // Behind a verb and a colon stands what was sent, though it may be no message as a whole.
    for (colon, _) in header.match_indices(": ") {
        let payload = &text[colon + 2..];
        if payload.trim_ascii_start().len() > text.len() - at
            && let Some(way) = phrase(&header[..colon])
        {
            return Told::Message { way, text: payload, notation: Notation::Other(|_, _| None), voice: 0 };
        }
    }
    let way = way(header);
    if let Some(outline) = way.and_then(|_| cut(header, &text[at..])) {
        return Told::Outline { way: Way::Unknown, outline, voice: 0 };
    }
    match way {
        Some(way) => Told::labelled(way, &text[at..]),
        None => Told::Other(text),
    }
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

/// Where a message begins, to judge by its first member, or a bracket that ends the line.
fn message_at(text: &str) -> Option<usize> {
    let brackets = text.bytes().take(HEADER).enumerate().filter(|(_, byte)| matches!(byte, b'{' | b'['));
    brackets.map(|(at, _)| at).find(|at| begins_like_value(&text[*at..])).filter(|at| {
        let inner = text[*at..].trim_start_matches(['[', '{', ' ', '\t']).trim_ascii_end();
        let name = inner.strip_prefix('"').and_then(|rest| rest.split('"').next());
        let member = name.map_or(inner.is_empty(), |name| {
            matches!(name, "jsonrpc" | "id" | "method" | "params" | "result" | "error")
        });
        member && text[..*at].ends_with([' ', '\t', ':', '>', '<', '-', ']', '→', '←'])
    })
}

/// Labels that name both ends, or the far one.
const ENDS: [(&str, Direction); 16] = [
    ("client -> server", Direction::ClientToServer),
    ("server -> client", Direction::ServerToClient),
    ("client->server", Direction::ClientToServer),
    ("server->client", Direction::ServerToClient),
    ("client → server", Direction::ClientToServer),
    ("server → client", Direction::ServerToClient),
    ("client→server", Direction::ClientToServer),
    ("server→client", Direction::ServerToClient),
    ("c->s", Direction::ClientToServer),
    ("s->c", Direction::ServerToClient),
    ("c2s", Direction::ClientToServer),
    ("s2c", Direction::ServerToClient),
    ("from client", Direction::ClientToServer),
    ("to server", Direction::ClientToServer),
    ("from server", Direction::ServerToClient),
    ("to client", Direction::ServerToClient),
];
const ARROWS: [(&str, Way); 8] = [
    (">>>", Way::Sent),
    ("<<<", Way::Received),
    (">>", Way::Sent),
    ("<<", Way::Received),
    ("-->", Way::Sent),
    ("<--", Way::Received),
    ("→", Way::Sent),
    ("←", Way::Received),
];
/// Words that are labels alone. Requests and responses name a kind or a way, whichever the author meant.
const WORDS: [(&str, Way); 14] = [
    ("in", Way::Received),
    ("out", Way::Sent),
    ("stdin", Way::Received),
    ("stdout", Way::Sent),
    ("input", Way::Received),
    ("output", Way::Sent),
    ("recv", Way::Received),
    ("send", Way::Sent),
    ("received", Way::Received),
    ("sent", Way::Sent),
    ("receiving", Way::Received),
    ("sending", Way::Sent),
    ("request", Way::Unknown),
    ("response", Way::Unknown),
];
/// What verbs are said of.
const NOUNS: [&str; 8] = ["message", "request", "response", "notification", "reply", "line", "data", "payload"];

/// The way that the words before a message tell.
fn way(header: &str) -> Option<Way> {
    let words = header.trim_ascii_end();
    let (words, colon) = words.strip_suffix(':').map_or((words, false), |words| (words.trim_ascii_end(), true));
    let bare = words.strip_suffix([']', ')']).unwrap_or(words);
    if let Some((_, direction)) = ENDS.iter().find(|(ends, _)| ends_with(bare, ends)) {
        return Some(Way::Recorded(*direction));
    }
    if let Some(way) = phrase(words).filter(|_| colon) {
        return Some(way);
    }
    if let Some((at, way)) = ARROWS.iter().find_map(|(arrow, way)| Some((last_word(words, arrow)?, *way))) {
        let plain = |letter: char| letter.is_alphanumeric() || " /:_-.#|[]".contains(letter);
        return words[at..].chars().all(plain).then_some(way);
    }
    let last = words.rsplit([' ', '\t']).next()?;
    let inner = last.trim_matches(['[', ']', '(', ')']);
    let marked = colon || inner.len() < last.len() || last.len() == words.trim_ascii_start().len();
    let known = WORDS.iter().find(|(word, _)| inner.eq_ignore_ascii_case(word));
    if let Some((_, way)) = known.filter(|_| marked || last.bytes().all(|byte| byte.is_ascii_uppercase())) {
        return Some(*way);
    }
    (words.contains("[REQUEST] ") || words.contains("[RESPONSE] ")).then_some(Way::Unknown)
}

/// `Received message`, `Sent initialize response`: a verb with what was sent, at the end of the words.
fn phrase(words: &str) -> Option<Way> {
    let mut words = words.rsplit(' ').map(|word| word.trim_matches(['[', ']']));
    let noun = words.next()?;
    NOUNS.iter().any(|known| noun.eq_ignore_ascii_case(known)).then_some(())?;
    words.take(3).find_map(|word| {
        let verb = |verbs: [&str; 2]| verbs.iter().any(|verb| word.eq_ignore_ascii_case(verb));
        match word {
            _ if verb(["received", "receiving"]) => Some(Way::Received),
            _ if verb(["sent", "sending"]) => Some(Way::Sent),
            _ => None,
        }
    })
}

/// Whether a text ends with these words, in letters of any case.
fn ends_with(text: &str, words: &str) -> bool {
    let Some(at) = text.len().checked_sub(words.len()).filter(|at| text.is_char_boundary(*at)) else { return false };
    let before = text[..at].chars().next_back();
    text[at..].eq_ignore_ascii_case(words) && !before.is_some_and(char::is_alphanumeric)
}

/// The place behind a word that stands between blanks, or at an end of the text.
fn last_word(text: &str, word: &str) -> Option<usize> {
    let at = text.rfind(word)?;
    let (before, behind) = (&text[..at], &text[at + word.len()..]);
    let apart = |letter: Option<char>| letter.is_none_or(|letter| " \t:[]|-".contains(letter));
    (apart(before.chars().next_back()) && apart(behind.chars().next())).then_some(at + word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("[Client -> Server] ", Some(Way::Recorded(Direction::ClientToServer))),
            ("received from server: ", Some(Way::Recorded(Direction::ServerToClient))),
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
            let head = super::super::Head { text, complete: true, first: true };
            assert_eq!((FORMAT.sniff)(&head), Bid::NONE, "{text}");
        }
    }
}
