//! Control characters that JSON lets stand raw: DEL, the C1 set, line and paragraph separators, and what turns the
//! direction of text. Written as escapes, because JSON is read on terminals too. In valid JSON they stand only in
//! strings, so whole texts can be treated.

use std::borrow::Cow;
use std::fmt::Write as _;

/// JSON text with those characters as `\uXXXX`; borrowed when it has none.
pub(super) fn escaped(json: &str) -> Cow<'_, str> {
    let Some(first) = first(json) else { return Cow::Borrowed(json) };
    let mut out = String::with_capacity(json.len() + 16);
    out.push_str(&json[..first]);
    for character in json[first..].chars() {
        if is_control(character) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Whether there are any.
pub(super) fn has_controls(text: &str) -> bool {
    first(text).is_some()
}

/// The offset of the first one. Their first bytes are rare, so that text is passed over at the speed of memory.
fn first(json: &str) -> Option<usize> {
    let bytes = json.as_bytes();
    let starts = memchr::memchr3_iter(0x7F, 0xC2, 0xE2, bytes);
    let common = starts.into_iter().find(|&at| json[at..].chars().next().is_some_and(is_control));
    let mark = memchr::memchr_iter(0xD8, bytes).find(|&at| bytes.get(at + 1) == Some(&0x9C));
    common.into_iter().chain(mark).min()
}

fn is_control(character: char) -> bool {
    matches!(character,
        '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::{escaped, is_control};

    #[test]
    fn what_is_harmless_is_borrowed() {
        for json in ["", r#"{"a":"é – ü 報告"}"#, r#""plain""#] {
            assert!(matches!(escaped(json), Cow::Borrowed(same) if same == json));
        }
        assert_eq!(escaped("\"a\u{9b}31m\u{202e}\u{7f}\u{61c}\""), r#""a\u009b31m\u202e\u007f\u061c""#);
    }

    proptest! {
        #[test]
        fn the_value_stays_the_same(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            let safe = escaped(&json);
            prop_assert!(!safe.chars().any(is_control));
            prop_assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
        }
    }
}
