//! Transcript text is hostile: one function per target makes it safe for that target.
//!
//! What goes to a terminal shows as visible escapes: control characters (C0, DEL, C1), line and paragraph
//! separators, bidirectional marks and overrides (Unicode UTS #39 and "Trojan Source"), and characters without a
//! glyph that could hide text. They are `\n`, `\x1b` or `\u{202e}`; a backslash of the text itself stays as it is.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Text for one line of a terminal: no control character, nothing that moves or reorders, nothing invisible.
pub fn terminal(text: &str) -> Cow<'_, str> {
    let Some(first) = first_unsafe(text) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    push_escaped(&mut out, &text[first..]);
    Cow::Owned(out)
}

/// Appends [`terminal`] text.
pub(super) fn push_terminal(out: &mut String, text: &str) {
    match first_unsafe(text) {
        None => out.push_str(text),
        Some(first) => {
            out.push_str(&text[..first]);
            push_escaped(out, &text[first..]);
        }
    }
}

/// Appends [`terminal`] text in which everything beyond ASCII is escaped as well.
pub(super) fn push_ascii(out: &mut String, text: &str) {
    let start = out.len();
    push_terminal(out, text);
    if !out[start..].is_ascii() {
        let safe = out.split_off(start);
        for character in safe.chars() {
            if character.is_ascii() {
                out.push(character);
            } else {
                _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
        }
    }
}

/// Columns that safe text takes.
pub(super) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// The longest beginning of safe text that takes at most so many columns and ends between two graphemes, and the
/// columns that it takes.
pub(super) fn fit(text: &str, columns: usize) -> (&str, usize) {
    if text.len() <= columns && text.is_ascii() {
        return (text, text.len());
    }
    // The byte behind the cut counts as well: a mark there would belong to the last character.
    if text.as_bytes().get(..=columns).is_some_and(<[u8]>::is_ascii) {
        return (&text[..columns], columns);
    }
    let (mut end, mut used) = (0, 0);
    for (at, grapheme) in text.grapheme_indices(true) {
        let wide = width(grapheme);
        if used + wide > columns {
            break;
        }
        used += wide;
        end = at + grapheme.len();
    }
    (&text[..end], used)
}

/// The longest end of safe text that takes at most so many columns and begins between two graphemes, and the columns
/// that it takes.
pub(super) fn fit_end(text: &str, columns: usize) -> (&str, usize) {
    let (mut begin, mut used) = (text.len(), 0);
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        let wide = width(grapheme);
        if used + wide > columns {
            break;
        }
        used += wide;
        begin = at;
    }
    (&text[begin..], used)
}

fn first_unsafe(text: &str) -> Option<usize> {
    // Printable ASCII, which is nearly all text, is settled by a loop that the compiler vectorises.
    if text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~')) {
        return None;
    }
    text.char_indices().find(|(_, character)| is_unsafe(*character)).map(|(at, _)| at)
}

fn push_escaped(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if !is_unsafe(character) => out.push(character),
            // Writing to a String cannot fail.
            '\0'..='\u{ff}' => _ = write!(out, "\\x{:02x}", u32::from(character)),
            _ => _ = write!(out, "\\u{{{:x}}}", u32::from(character)),
        }
    }
}

/// Control characters, format characters (general category Cf), separators of lines, blank letters, and variation
/// selectors but U+FE0F, without which emoji are not what they look like.
fn is_unsafe(character: char) -> bool {
    matches!(character,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}'
        | '\u{8e2}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
    use unicode_width::UnicodeWidthStr;

    use super::{fit, fit_end, is_unsafe, terminal, width};

    #[test]
    fn plain_text_is_borrowed() {
        for text in ["", "tools/call C:\\new\\table", "報告書", "e\u{301}", "❤\u{fe0f}"] {
            assert!(matches!(terminal(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn what_could_move_hide_or_reorder_is_shown() {
        assert_eq!(terminal("a\u{1b}[31mb\r\n\tc\u{7f}"), "a\\x1b[31mb\\r\\n\\tc\\x7f");
        assert_eq!(terminal("é\u{9b}\u{85}\u{2028}"), "é\\x9b\\x85\\u{2028}");
        assert_eq!(terminal("gpj\u{202e}exe\u{2066}\u{200f}"), "gpj\\u{202e}exe\\u{2066}\\u{200f}");
        assert_eq!(terminal("x\u{200b}y\u{feff}\u{e0041}\u{3164}"), "x\\u{200b}y\\u{feff}\\u{e0041}\\u{3164}");
    }

    #[test]
    fn cutting_keeps_graphemes_whole() {
        assert_eq!(fit("報告書", 5), ("報告", 4));
        assert_eq!(fit("e\u{301}e\u{301}", 1), ("e\u{301}", 1));
        assert_eq!(fit("abc", 3), ("abc", 3));
        assert_eq!(fit("abc", 0), ("", 0));
        assert_eq!(fit_end("req-0042", 4), ("0042", 4));
        assert_eq!(fit_end("ae\u{301}報", 3), ("e\u{301}報", 3));
        assert_eq!(fit_end("報告書", 5), ("告書", 4));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_unsafe_comes_out(text in any::<String>()) {
            let safe = terminal(&text);
            prop_assert!(!safe.chars().any(|character| character.is_control() || is_unsafe(character)));
            prop_assert_eq!(terminal(&safe), safe.clone());
        }

        #[test]
        fn cut_text_stays_in_its_columns(text in any::<String>(), columns in 0_usize..40) {
            let safe = terminal(&text);
            let (cut, used) = fit(&safe, columns);
            prop_assert!(used <= columns && cut.width() <= columns);
            prop_assert!(safe.starts_with(cut));
            prop_assert!(cut.len() == safe.len() || width(&safe) > columns || columns == used || safe.width() != used);
        }
    }
}
