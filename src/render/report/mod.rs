//! Reports for other programs: findings in the formats that services for code and tests read. Judges nothing.
//!
//! What all of them share stands here: how many findings a document takes, how a place and a finding are said in one line of
//! plain text, and what was not read, so that no document looks clean when there was nothing to judge.

mod fingerprint;
mod github;
mod gitlab;
mod junit;
mod markdown;
mod rule_book;
mod sarif;

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

pub(super) use self::github::GITHUB;
pub(super) use self::gitlab::GITLAB;
pub(super) use self::junit::JUNIT;
pub(super) use self::markdown::{MARKDOWN, code};
pub(super) use self::sarif::SARIF;
use super::escape;
use super::supposed::would;
use super::table::{Count, Thousands};
use crate::annotate::{Finding, FindingCounts, InputEnd, InputStatus, Severity, Summary};
use crate::position::Position;

/// The name of standard input on the command line.
const STDIN: &str = "-";

/// Text of a transcript or a name of a file, in one line, with nothing in it that is not seen.
fn plain(text: &str) -> Cow<'_, str> {
    escape::terminal(text)
}

/// An input as a person knows it.
fn input_name(file: &str) -> Cow<'_, str> {
    if file == STDIN { Cow::Borrowed("standard input") } else { plain(file) }
}

/// `session.jsonl:4`; without a line where a finding is about a whole session.
fn place(file: &str, position: Position) -> String {
    let name = input_name(file);
    if position.line > 0 { format!("{name}:{}", position.line) } else { name.into_owned() }
}

/// An input as a path from the folder in which the program ran, with `/` between its parts; standard input has a name of its own.
fn path(file: &str) -> Cow<'_, str> {
    if file == STDIN {
        return Cow::Borrowed("stdin.jsonl");
    }
    let slashes = if cfg!(windows) { Cow::Owned(file.replace('\\', "/")) } else { Cow::Borrowed(file) };
    match slashes {
        Cow::Borrowed(file) => Cow::Borrowed(file.strip_prefix("./").unwrap_or(file)),
        Cow::Owned(file) => Cow::Owned(file.strip_prefix("./").map_or(file.clone(), str::to_owned)),
    }
}

/// What a path in a URI may hold as it is (RFC 3986, section 3.3, but no colon, which would read as a scheme).
const IN_PATHS: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// An input as a URI: relative to the folder in which the program ran, or with the scheme `file` when its path is absolute.
fn uri(file: &str) -> String {
    let path = path(file);
    let encoded = utf8_percent_encode(&path, &IN_PATHS);
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded.to_string() }
}

/// Room for findings in a document, for each severity: a flood of notes hides no error.
struct Room {
    most: FindingCounts,
    taken: FindingCounts,
    left_out: FindingCounts,
}

impl Room {
    fn new(error: u64, warning: u64, note: u64) -> Self {
        let none = FindingCounts::default();
        Self { most: FindingCounts { error, warning, note }, taken: none, left_out: none }
    }

    /// Whether there is room for one more; counts it either way.
    fn takes(&mut self, severity: Severity) -> bool {
        let takes = of(self.taken, severity) < of(self.most, severity);
        if takes {
            self.taken.add(severity)
        } else {
            self.left_out.add(severity)
        }
        takes
    }

    /// What was left out, in words; `None` when nothing was.
    fn left_out(&self) -> Option<String> {
        counted(self.left_out)
    }
}

fn of(counts: FindingCounts, severity: Severity) -> u64 {
    match severity {
        Severity::Error => counts.error,
        Severity::Warning => counts.warning,
        Severity::Note => counts.note,
    }
}

/// `2 errors, 1 note`; `None` when there are none.
fn counted(counts: FindingCounts) -> Option<String> {
    let words = [(counts.error, "error"), (counts.warning, "warning"), (counts.note, "note")];
    let words: Vec<String> =
        words.iter().filter(|(count, _)| *count > 0).map(|(count, word)| Count(*count, word).to_string()).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// `2 errors, 1 note in 14 messages of 1 session`.
fn verdict(summary: &Summary) -> String {
    let found = counted(summary.findings.unwrap_or_default()).unwrap_or_else(|| "no findings".to_owned());
    let messages = messages(summary);
    let held = held_back(summary).map(|held| format!(", {held}")).unwrap_or_default();
    format!("{found} in {messages} of {}{held}", Count(summary.sessions, "session"))
}

/// `14 messages`, or `3 of 14 messages` when a filter has selected them.
pub(in crate::render) fn messages(summary: &Summary) -> String {
    let read = Count(summary.messages_read(), "message");
    match &summary.filtered {
        None => read.to_string(),
        Some(_) => format!("{} of {read}", Thousands(summary.counts.messages)),
    }
}

/// `3 suppressed, 1 in the baseline, 8 not shown`; `None` when nothing was held back. That a filter was set is said in any case.
pub(in crate::render) fn held_back(summary: &Summary) -> Option<String> {
    let held = summary.held.unwrap_or_default();
    let words = [
        (held.suppressed, "suppressed"),
        (held.baseline, "in the baseline"),
        (held.filtered, "left out by the filter"),
        (held.hidden, "not shown"),
    ];
    let filtered = |what: &str| summary.filtered.is_some() && what.ends_with("filter");
    let words = words.iter().filter(|(count, what)| *count > 0 || filtered(what));
    let words: Vec<String> = words.map(|(count, what)| format!("{count} {what}")).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// What was not read whole, and why: so that no report looks clean that is no verdict.
struct Unread {
    file: String,
    status: &'static str,
    line: Option<u64>,
    reason: String,
}

impl Unread {
    /// `None` when the input was read to its end.
    fn of(end: &InputEnd) -> Option<Self> {
        let line = (end.status == InputStatus::Partial && end.lines > 0).then_some(end.lines);
        let reason = end.error.as_deref().unwrap_or("not read to its end");
        (end.status != InputStatus::Ok).then(|| Self {
            file: end.file.clone(),
            status: end.status.as_str(),
            line,
            reason: plain(reason).into_owned(),
        })
    }
}

/// Why a run is no verdict although every input was read; `None` when it is one.
fn no_verdict(summary: &Summary, unread: bool) -> Option<&'static str> {
    match (summary.complete || unread, summary.interrupted) {
        (true, false) => None,
        (_, true) => Some("the run was interrupted, so this is no verdict"),
        (false, false) => Some("nothing was read, so this is no verdict"),
    }
}

/// What was not judged because a bounded table was full, one line each.
fn no_room(summary: &Summary) -> impl Iterator<Item = String> {
    summary.caps_reached.iter().map(|(table, lost)| format!("not judged for lack of room: {lost} of {table}"))
}

/// What was supposed, one line each: findings of such a run are not about what took place.
fn supposed(summary: &Summary) -> impl Iterator<Item = String> {
    let effects = summary.what_if.iter().flatten();
    effects.map(|effect| format!("not what was negotiated, but {}: {}", effect.change, would(effect)))
}

/// The part of the text that is marked, at most so many bytes of it.
fn marked<'t>(finding: &Finding<'t>, most: usize) -> &'t str {
    let Some((start, length)) = finding.mark else { return "" };
    let marked = finding.text.get(start..start + length).unwrap_or_default();
    cut(marked, most)
}

/// At most so many bytes of a text, ended between two characters.
fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_paths_and_uris() {
        let cases = [
            ("-", "stdin.jsonl", "stdin.jsonl"),
            ("./logs/a b.jsonl", "logs/a b.jsonl", "logs/a%20b.jsonl"),
            ("a:b#c?.log", "a:b#c?.log", "a%3Ab%23c%3F.log"),
            ("/var/ü.log", "/var/ü.log", "file:///var/%C3%BC.log"),
            ("../x\n.log", "../x\n.log", "../x%0A.log"),
        ];
        for (file, as_path, as_uri) in cases {
            assert_eq!((path(file).as_ref(), uri(file).as_str()), (as_path, as_uri));
        }
    }

    #[test]
    fn a_flood_of_notes_leaves_room_for_an_error() {
        let mut room = Room::new(1, 1, 2);
        let notes = (0..5).filter(|_| room.takes(Severity::Note)).count();
        assert_eq!((notes, room.left_out().as_deref()), (2, Some("3 notes")));
        assert!(room.takes(Severity::Error) && !room.takes(Severity::Error));
        assert_eq!(room.left_out().as_deref(), Some("1 error, 3 notes"));
    }
}
