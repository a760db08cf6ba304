//! The inside of a JSON string, piece by piece, each with its place: what a decoder that only gives the text cannot
//! tell.

use std::ops::Range;

/// A piece of the text of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decoded {
    /// It stands there as it is.
    Plain(Range<usize>),
    /// An escape stands for it.
    Escape(Range<usize>, char),
}

/// Gives the pieces of the string whose inside is at `range`. Halves of surrogate pairs become U+FFFD.
pub(super) fn decode(text: &str, range: Range<usize>, mut piece: impl FnMut(Decoded)) {
    let bytes = text.as_bytes();
    let mut at = range.start;
    while at < range.end {
        let run = memchr::memchr(b'\\', &bytes[at..range.end]).unwrap_or(range.end - at);
        if run > 0 {
            piece(Decoded::Plain(at..at + run));
            at += run;
            continue;
        }
        let (character, length) = escaped(&text[at..range.end]);
        piece(Decoded::Escape(at..at + length, character));
        at += length;
    }
}

/// The character of the escape that a text begins with, and the length of the escape.
fn escaped(text: &str) -> (char, usize) {
    let unit = |at: usize| -> Option<u32> {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    match text[1..].chars().next() {
        Some('n') => ('\n', 2),
        Some('t') => ('\t', 2),
        Some('r') => ('\r', 2),
        Some('b') => ('\u{8}', 2),
        Some('f') => ('\u{c}', 2),
        Some('u') => match (unit(0), unit(6)) {
            (Some(high @ 0xd800..=0xdbff), Some(low @ 0xdc00..=0xdfff)) => {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
            }
            (Some(unit), _) => (char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
            (None, _) => (char::REPLACEMENT_CHARACTER, 2),
        },
        Some(character) => (character, 1 + character.len_utf8()),
        None => ('\\', 1),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_text_is_what_the_parser_gives(text in "[ -~\n\t\r\u{8}\u{c}\u{0}äß日\u{1f600}]{0,40}", ascii in any::<bool>()) {
            let mut token = serde_json::to_string(&text).unwrap();
            if ascii {
                let units = |c: char| c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect();
                token = token.chars().map(|c| if c.is_ascii() { c.to_string() } else { units(c) }).collect();
            }
            let mut decoded = String::new();
            let mut at = 1;
            decode(&token, 1..token.len() - 1, |piece| {
                let range = match piece {
                    Decoded::Plain(range) => { decoded.push_str(&token[range.clone()]); range }
                    Decoded::Escape(range, character) => { decoded.push(character); range }
                };
                assert_eq!(range.start, at);
                at = range.end;
            });
            prop_assert_eq!((decoded, at), (text, token.len() - 1));
        }

        #[test]
        fn any_text_is_survived(text in "[\\\\unb0d8cé\u{1f600}]{0,20}") {
            decode(&text, 0..text.len(), |_| {});
        }
    }
}
