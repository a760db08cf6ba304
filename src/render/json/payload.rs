//! The message itself inside a record: copied, and touched only where the record would otherwise be no one-line
//! I-JSON (RFC 7493) that every reader takes.

use std::borrow::Cow;

use super::controls::escaped;
use crate::jsonrpc::Holds;

/// Readers commonly refuse 128 levels; record and document are up to three of them.
const MAX_DEPTH: usize = 120;

/// A payload ready to be copied into a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Payload<'a> {
    /// The text, and whether lone surrogates in it were replaced.
    Text { text: Cow<'a, str>, replaced: bool },
    /// Nested too deep to be shown.
    TooDeep,
}

/// Prepares the text of one valid JSON value. `unique` tells that no top-level member stands twice.
pub(super) fn payload(text: &str, unique: bool, holds: Holds) -> Payload<'_> {
    if holds.deep && is_over_deep(text) {
        return Payload::TooDeep;
    }
    let single = if unique { Cow::Borrowed(text) } else { last_members(text) };
    let (mended, replaced) = if holds.surrogate { map_cow(single, replace_lone_surrogates) } else { (single, false) };
    let mended = map_cow(mended, escaped).0;
    // Line ends can only be white space between tokens; a record is one line.
    let text = if holds.line_end && memchr::memchr2(b'\n', b'\r', mended.as_bytes()).is_some() {
        Cow::Owned(mended.replace(['\n', '\r'], " "))
    } else {
        mended
    };
    Payload::Text { text, replaced }
}

fn map_cow(text: Cow<'_, str>, map: fn(&str) -> Cow<'_, str>) -> (Cow<'_, str>, bool) {
    match text {
        Cow::Borrowed(text) => {
            let mapped = map(text);
            let changed = matches!(mapped, Cow::Owned(_));
            (mapped, changed)
        }
        Cow::Owned(text) => match map(&text) {
            Cow::Owned(mapped) => (Cow::Owned(mapped), true),
            Cow::Borrowed(_) => (Cow::Owned(text), false),
        },
    }
}

/// Writes `\ufffd` for every escape of a surrogate that has no partner.
pub(super) fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    // In valid JSON a backslash stands only in strings, and always before the character that it escapes.
    while let Some(found) = text[at..].find('\\') {
        let escape = at + found;
        let Some(unit) = surrogate(bytes, escape) else {
            // Past the escaped character, which may be a backslash itself.
            at = (escape + 2).min(bytes.len());
            if !text.is_char_boundary(at) {
                break;
            }
            continue;
        };
        let paired = unit < 0xdc00 && surrogate(bytes, escape + 6).is_some_and(|low| low >= 0xdc00);
        if paired {
            at = escape + 12;
        } else {
            out.push_str(&text[copied..escape]);
            out.push_str("\\ufffd");
            at = escape + 6;
            copied = at;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The code unit of a `\uXXXX` escape at this place, when it is a surrogate.
fn surrogate(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    if escape[0] != b'\\' || escape[1] != b'u' || !matches!(escape[2], b'd' | b'D') {
        return None;
    }
    let digits = std::str::from_utf8(&escape[2..]).ok()?;
    u16::from_str_radix(digits, 16).ok().filter(|unit| (0xd800..0xe000).contains(unit))
}

fn is_over_deep(text: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return true;
                }
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

/// The object without the members that a later one of the same name overrides; other text as it is.
fn last_members(text: &str) -> Cow<'_, str> {
    let Some(members) = top_members(text).filter(|members| !members.is_empty()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    for (at, (name, member)) in members.iter().enumerate() {
        if members[at + 1..].iter().any(|(later, _)| later == name) {
            continue;
        }
        out.push(if out.is_empty() { '{' } else { ',' });
        out.push_str(member);
    }
    out.push('}');
    Cow::Owned(out)
}

/// Decoded name and text of each member of a valid object.
fn top_members(text: &str) -> Option<Vec<(String, &str)>> {
    let inner = text.trim_matches([' ', '\t', '\r', '\n']).strip_prefix('{')?.strip_suffix('}')?;
    let mut members = Vec::new();
    let (mut depth, mut in_string, mut escaped, mut start) = (0_usize, false, false, 0);
    for (at, byte) in inner.bytes().enumerate().chain([(inner.len(), b',')]) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            b',' if !in_string && depth == 0 => {
                let member = inner[start..at].trim();
                start = at + 1;
                if member.is_empty() {
                    continue;
                }
                let name = serde_json::Deserializer::from_str(&replace_lone_surrogates(member))
                    .into_iter::<String>()
                    .next()?
                    .ok()?;
                members.push((name, member));
            }
            _ => {}
        }
    }
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::{Payload, payload, replace_lone_surrogates};
    use crate::jsonrpc::Holds;

    fn text(from: &str, unique: bool) -> (String, bool) {
        match payload(from, unique, Holds::ANYTHING) {
            Payload::Text { text, replaced } => (text.into_owned(), replaced),
            Payload::TooDeep => panic!("too deep"),
        }
    }

    #[test]
    fn an_ordinary_message_is_borrowed() {
        let message = r#"{"a":"x\\ud800 \u00e9 \ud83d\ude00"}"#;
        assert!(matches!(
            payload(message, true, Holds::ANYTHING),
            Payload::Text { text: std::borrow::Cow::Borrowed(_), replaced: false }
        ));
    }

    #[test]
    fn lone_surrogates_are_replaced_and_pairs_are_not() {
        assert_eq!(replace_lone_surrogates(r#""\ud800""#), r#""\ufffd""#);
        assert_eq!(replace_lone_surrogates(r#""\udc00\ud83d\ude00""#), r#""\ufffd\ud83d\ude00""#);
        assert_eq!(replace_lone_surrogates(r#""\uD83D\uD83D\uDE00x""#), r#""\ufffd\uD83D\uDE00x""#);
        assert_eq!(replace_lone_surrogates(r#""\\ud800""#), r#""\\ud800""#);
        assert_eq!(replace_lone_surrogates("\"\\é\\"), "\"\\é\\");
    }

    #[test]
    fn line_ends_become_spaces() {
        assert_eq!(text("{\r\n  \"a\": \"\\n\"\n}", true).0, "{    \"a\": \"\\n\" }");
    }

    #[test]
    fn the_last_of_two_members_stays() {
        let twice = r#"{"id":1, "a":{"id":[","]}, "i\u0064":2}"#;
        assert_eq!(text(twice, false).0, r#"{"a":{"id":[","]},"i\u0064":2}"#);
        assert_eq!(text("{}", false).0, "{}");
        assert_eq!(text("[1]", false).0, "[1]");
    }

    #[test]
    fn depth_is_bounded_and_brackets_in_strings_are_no_depth() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(payload(&deep(121), true, Holds::ANYTHING), Payload::TooDeep);
        assert_eq!(text(&deep(120), true).0, deep(120));
        let flat = format!("[\"{}\\\"\"]", "[".repeat(200));
        assert_eq!(text(&flat, true).0, flat);
    }
}
