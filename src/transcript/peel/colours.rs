//! Terminal colours and other escape sequences in the text of a line (ECMA-48), and the NUL bytes that a hole in a file
//! leaves around it.

use std::ops::Range;

/// The byte that begins an escape sequence.
pub(super) const ESC: u8 = 0x1b;

/// Whether a text holds anything that is taken off here.
pub(super) fn is_there(text: &[u8]) -> bool {
    memchr::memchr2(ESC, 0, text).is_some()
}

/// Gives the ranges of the text that are left, in order; whether an escape sequence was taken off.
///
/// A line that begins like JSON, without a colour before it, was not coloured by a logger: what looks like a sequence
/// inside its strings is part of what was written, and forbidden there, which is for the parser to say.
pub(super) fn plain(text: &str, mut keep: impl FnMut(Range<usize>)) -> bool {
    let inner = text.trim_start_matches('\0');
    let from = text.len() - inner.len();
    let to = from + inner.trim_end_matches('\0').len();
    let json = inner.trim_ascii_start().starts_with(['{', '[']);
    let bytes = &text.as_bytes()[..to];
    let (mut start, mut at, mut coloured, mut in_string) = (from, from, false, false);
    while let Some(found) = bytes.get(at..).and_then(|rest| match json {
        true => memchr::memchr3(ESC, b'"', b'\\', rest),
        false => memchr::memchr(ESC, rest),
    }) {
        at += found;
        match bytes[at] {
            b'"' => in_string = !in_string,
            b'\\' => at += usize::from(in_string),
            _ if in_string => {}
            _ => {
                keep(start..at);
                start = sequence_end(bytes, at);
                at = start;
                coloured = true;
                continue;
            }
        }
        at += 1;
    }
    keep(start..to.max(start));
    coloured
}

/// The place behind the sequence that begins with the ESC at `at`. It ends at or before a character of its own.
fn sequence_end(bytes: &[u8], at: usize) -> usize {
    let run = |from: usize, range: std::ops::RangeInclusive<u8>| {
        from + bytes.get(from..).unwrap_or_default().iter().take_while(|byte| range.contains(byte)).count()
    };
    let closed = |end: usize, range: std::ops::RangeInclusive<u8>| {
        end + usize::from(bytes.get(end).is_some_and(|byte| range.contains(byte)))
    };
    match bytes.get(at + 1) {
        Some(b'[') => closed(run(at + 2, 0x20..=0x3f), 0x40..=0x7e),
        // Strings for the terminal, its title for example, end with BEL or ESC `\`; without an end, none was begun.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let rest = &bytes[at + 2..];
            let end = memchr::memchr2(0x07, ESC, rest);
            // An ESC that begins another sequence ends the string as well.
            end.map_or(at + 2, |end| match (rest[end], rest.get(end + 1)) {
                (ESC, Some(b'\\')) => at + 2 + end + 2,
                (ESC, _) => at + 2 + end,
                _ => at + 2 + end + 1,
            })
        }
        Some(0x20..=0x2f) => closed(run(at + 1, 0x20..=0x2f), 0x30..=0x7e),
        Some(0x30..=0x7e) => at + 2,
        _ => at + 1,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stripped(text: &str) -> String {
        let mut left = String::new();
        plain(text, |range| left.push_str(&text[range]));
        left
    }

    #[test]
    fn sequences_are_taken_off_and_text_is_kept() {
        for (text, left) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}[38;5;196m\u{1b}[1mbold\u{1b}[m and plain", "bold and plain"),
            ("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\b", "ab"),
            ("\u{1b}(Ba\u{1b}7b\u{1b}", "ab"),
            ("\u{1b}[1;", ""),
            ("\u{1b}é", "é"),
            ("\u{1b}]never closed", "never closed"),
            ("\u{1b}Px\u{1b}é", "é"),
            ("\0\0{\"a\":1}\0", "{\"a\":1}"),
            ("a\0b", "a\0b"),
            ("\u{1b}[2m{\u{1b}[0m\"a\":\"\u{1b}[4mb\u{1b}[0m\"}", "{\"a\":\"b\"}"),
            ("{\"a\":\"\\\"\u{1b}[5m\"}\u{1b}[0m", "{\"a\":\"\\\"\u{1b}[5m\"}"),
        ] {
            assert_eq!(stripped(text), left, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[\u{1b}\u{7}\\\\\\[\\]\"{}0-9;mPé\0 a]{0,40}") {
            let left = stripped(&text);
            prop_assert!(left.len() <= text.len());
            let plain: String = text.chars().filter(|c| *c != '\u{1b}').collect();
            if plain == text && !text.contains('\0') {
                prop_assert_eq!(left, text);
            }
        }
    }
}
