//! Lines for standard error. Standard output is for what was asked for.

use std::io::{self, Write};

use crate::annotate::{InputEnd, InputStatus, Summary};
use crate::render::Unheld;
use crate::transcript::Format;

/// Writes one line to standard error, `mcp-trace: ` before it. File names and text from inputs may hold
/// anything, so control characters are escaped. A closed standard error is nobody's failure.
pub(super) fn notice(text: &str) {
    let _ = writeln!(io::stderr().lock(), "mcp-trace: {}", printable(text));
}

/// An input as a person knows it.
pub(super) fn input_words(name: &str) -> &str {
    if name == super::plan::STDIN { "standard input" } else { name }
}

/// What went wrong with an input, without its name; `from` is the format that was asked for.
pub(super) fn input_error(end: &InputEnd, from: Option<&Format>) -> Option<String> {
    let error = end.error.as_ref()?;
    Some(match from {
        Some(from) if end.status == InputStatus::Unrecognised => {
            format!("{error}; `--from {}` was given, without it the input may be recognised", from.name)
        }
        _ => error.clone(),
    })
}

/// What was replaced by markers; `None` when that was not asked for.
pub(super) fn redacted_words(summary: &Summary) -> Option<String> {
    let redacted = summary.redacted.as_ref()?;
    let total: u64 = redacted.counts.iter().map(|(_, count)| count).sum();
    if total == 0 {
        return Some("redacted nothing: no secret was recognised".to_owned());
    }
    let counts: Vec<_> = redacted.counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let values = if total == 1 { "value" } else { "values" };
    Some(format!("redacted {total} {values}, {} different: {}", redacted.different, counts.join(", ")))
}

/// What an output had no place for; `None` when it holds everything.
pub(super) fn unheld_words(unheld: Unheld) -> Option<String> {
    let count = |count: u64, one: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {one}s")),
    };
    let left: Vec<_> =
        [count(unheld.messages, "message"), count(unheld.events, "event")].into_iter().flatten().collect();
    (!left.is_empty())
        .then(|| format!("left out what this format does not hold: {}; `--to jsonl` has it", left.join(", ")))
}

/// Writes text of our own to standard error as it is.
pub(super) fn block(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// The text with every character escaped that could move the cursor, colour the terminal or reorder the line.
pub(super) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hostile(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// Whether a character is a control, or one of the invisible ones that change how others are shown.
pub(super) fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_do_not_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[31m\r\nb\u{202e}c é"), "a\\u{1b}[31m\\u{d}\\u{a}b\\u{202e}c é");
    }
}
