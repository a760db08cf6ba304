//! Lines for standard error. Standard output is for what was asked for.

use std::io::{self, Write};

use crate::annotate::{InputEnd, InputStatus};
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
