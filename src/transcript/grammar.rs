//! How the lines of a text log begin and what they tell: a row with three functions, which one reader serves. Knows no
//! producer.

use jiff::tz::TimeZone;

use super::{Bid, Confidence, EventKind, Head, Outline, Stamp};
use crate::protocol::Direction;

/// The lines of a text log.
pub(super) struct Grammar {
    /// Why a head is recognised, as half a sentence.
    pub(super) reason: &'static str,
    /// Takes off what the producer writes at the start of each of its lines; `None` for a line that it did not begin.
    pub(super) split: for<'t> fn(&'t str, &TimeZone) -> Option<Split<'t>>,
    /// Understands the text behind that.
    pub(super) tell: for<'t> fn(&'t str) -> Told<'t>,
    /// Understands a line that the producer did not begin: [`stderr`] for most logs.
    pub(super) stray: for<'t> fn(&'t str) -> Told<'t>,
}

/// A line of the producer's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Split<'t> {
    pub(super) time: Option<Stamp>,
    /// The server's name.
    pub(super) server: Option<&'t str>,
    /// The process, connection or session.
    pub(super) session: Option<&'t str>,
    /// What is left, to the end of the line.
    pub(super) text: &'t str,
}

/// What a text tells. The parts are parts of the text itself, so that their places are known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Told<'t> {
    /// A message behind its label: the text begins with it and goes on to the end of the line. What else stands there
    /// is passed over, unless it is one more message. Where the producer tells a message in several sentences, each
    /// has its own voice; what another voice has told lately is told again. Voice 0 tells each message once.
    Message { way: Way, text: &'t str, notation: Notation, voice: u8 },
    /// A message of which the log tells only this, with way and voice as for [`Self::Message`].
    Outline { way: Way, outline: Outline<'t>, voice: u8 },
    /// A sentence that the producer is known for; in [`Notation::Json`] the text is the event's as it stands.
    Event { kind: EventKind, text: &'t str, notation: Notation },
    /// A line that only frames what stands around it.
    Framing,
    /// Words of others that the log passes on: searched for messages, else an event of this kind.
    Passed { kind: EventKind, text: &'t str },
    /// Any other sentence: searched as well, and no sign of the format.
    Other(&'t str),
}

impl<'t> Told<'t> {
    /// A message in JSON whose direction is told.
    pub(super) fn message(direction: Direction, text: &'t str) -> Self {
        Self::labelled(Way::Recorded(direction), text)
    }

    /// A message in JSON behind a label that says this of its way.
    pub(super) fn labelled(way: Way, text: &'t str) -> Self {
        Self::Message { way, text, notation: Notation::Json, voice: 0 }
    }

    /// An event in plain words.
    pub(super) fn event(kind: EventKind, text: &'t str) -> Self {
        Self::Event { kind, text, notation: Notation::Json }
    }
}

/// A line of a server's standard error.
pub(super) fn stderr(text: &str) -> Told<'_> {
    Told::Passed { kind: EventKind::Stderr, text }
}

/// A line between the producer's.
pub(super) fn other(text: &str) -> Told<'_> {
    Told::Other(text)
}

/// What a label says of a message's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Where it went.
    Recorded(Direction),
    /// Where it went, in somebody's own words, which may be meant the other way round: what only one side sends, shows.
    Claimed(Direction),
    /// The writer of the log received it. Which side that is, is learnt from methods that only one side sends.
    Received,
    /// The writer of the log sent it.
    Sent,
    /// Nothing.
    Unknown,
}

impl Way {
    /// Whether its meaning is to be learnt.
    pub(super) fn is_relative(self) -> bool {
        matches!(self, Self::Sent | Self::Received | Self::Claimed(_))
    }
}

/// How a message, or the words of an event, are written down.
#[derive(Clone, Copy, Debug)]
pub(super) enum Notation {
    /// As it is.
    Json,
    /// In another way that this function understands.
    Other(Convert),
    /// The same, with all of the value on its line.
    Line(Convert),
}

/// Writes the value that the text begins with into the empty string, a message as JSON; gives the place behind the
/// value. `None` when the text is none in this notation.
pub(super) type Convert = fn(text: &str, out: &mut String) -> Option<usize>;

/// A JSON string, quotes and all, to its text. One without its end gives what there is of it.
pub(super) fn unquoted(text: &str, out: &mut String) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let mut rest = inner;
    loop {
        let at = memchr::memchr2(b'"', b'\\', rest.as_bytes()).unwrap_or(rest.len());
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match rest.as_bytes() {
            [] => return Some(text.len()),
            [b'"', ..] => return Some(text.len() - rest.len() + 1),
            _ => rest = unescape(rest, out),
        }
    }
}

/// Writes what the escape at the start of the text stands for; gives the text behind it.
fn unescape<'t>(text: &'t str, out: &mut String) -> &'t str {
    let unit = |text: &str| u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    let (written, length) = match text.as_bytes().get(1) {
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(byte @ (b'"' | b'\\' | b'/' | b'\'')) => (char::from(*byte), 2),
        _ => match (unit(text), text.get(6..).and_then(unit)) {
            (Some(high @ 0xd800..0xdc00), Some(low @ 0xdc00..0xe000)) => {
                (char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)).unwrap_or('\u{fffd}'), 12)
            }
            (Some(unit), _) => (char::from_u32(unit).unwrap_or('\u{fffd}'), 6),
            // No escape that is known: the backslash stands for itself.
            (None, _) => ('\\', 1),
        },
    };
    out.push(written);
    &text[length..]
}

/// How many lines of a head are looked at.
const LINES: usize = 60;

impl Grammar {
    /// What a line tells, and whether the producer began it.
    pub(super) fn look<'t>(&self, line: &'t str, zone: &TimeZone) -> (Split<'t>, Told<'t>, bool) {
        match (self.split)(line, zone) {
            Some(split) => (split, (self.tell)(split.text), true),
            None => (Split::default(), (self.stray)(line), false),
        }
    }

    /// Certain when the producer began the first line, and it or one soon after is a sentence that it is known for.
    pub(super) fn sniff(&self, head: &Head<'_>) -> Bid {
        let known = |line: &str| match self.look(line, &TimeZone::UTC) {
            (_, Told::Other(_), true) => Some(false),
            (_, _, true) => Some(true),
            (_, _, false) => None,
        };
        let mut lines = head.text.lines().filter(|line| !line.trim_ascii().is_empty()).take(LINES);
        match lines.next().and_then(known) {
            Some(first) if first || lines.any(|line| known(line) == Some(true)) => {
                Bid::new(Confidence::Certain, self.reason)
            }
            _ => Bid::NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_quoted_text_is_what_was_quoted(text in "\\PC{0,20}[\\x00-\\x7f\u{1f600}]{0,20}", behind in "[^\"]{0,3}") {
            let quoted = serde_json::to_string(&text).expect("strings can be quoted");
            let mut out = String::new();
            prop_assert_eq!(unquoted(&format!("{quoted}{behind}"), &mut out), Some(quoted.len()));
            prop_assert_eq!(out, text);
        }

        #[test]
        fn any_quoted_text_is_survived(text in "\"[\\\\u0-9a-fdD\"\u{e9}x]{0,24}") {
            let mut out = String::new();
            prop_assert!(unquoted(&text, &mut out).is_some_and(|end| text.is_char_boundary(end)));
        }
    }
}
