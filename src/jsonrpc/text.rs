//! JSON strings: what the text between the quotes stands for. Expects text whose escapes have been checked.

use std::borrow::Cow;

/// Decodes the text between the quotes of a valid JSON string. Borrowed when there is no escape; a surrogate without
/// its other half becomes U+FFFD, which keeps the rest of the string readable.
pub(super) fn decode(written: &str) -> Cow<'_, str> {
    if backslash(written).is_none() {
        return Cow::Borrowed(written);
    }
    let mut decoded = String::new();
    decode_into(written, &mut decoded);
    Cow::Owned(decoded)
}

/// The same into a place that is used again.
pub fn decode_into(written: &str, decoded: &mut String) {
    decoded.clear();
    decoded.reserve(written.len());
    let mut rest = written;
    loop {
        let plain = backslash(rest).unwrap_or(rest.len());
        decoded.push_str(&rest[..plain]);
        let Some(escape) = rest[plain..].strip_prefix('\\') else { return };
        let (character, tail) = unescape(escape);
        decoded.push(character);
        rest = tail;
    }
}

/// Where the first backslash stands.
#[inline]
fn backslash(text: &str) -> Option<usize> {
    memchr::memchr(b'\\', text.as_bytes())
}

/// The JSON string for a text: in quotes, with the escapes it needs and no others.
pub(super) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether a name as written (without its quotes) stands for `name`.
#[inline]
pub(super) fn stands_for(written: &str, name: &str) -> bool {
    // Every escape is longer than the character it stands for, so equal lengths mean equal text or another name.
    if written.len() == name.len() {
        return written == name && !name.contains('\\');
    }
    // Nearly all names differ in their first byte.
    let may_be =
        matches!(written.as_bytes().first(), Some(b'\\')) || written.as_bytes().first() == name.as_bytes().first();
    may_be && written.len() > name.len() && written.contains('\\') && decode(written) == name
}

/// The character of an escape, from behind its backslash, and the text behind it.
fn unescape(escape: &str) -> (char, &str) {
    let mut rest = escape.chars();
    let character = match rest.next() {
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => return unicode(rest.as_str()),
        Some(itself) => itself,
        None => char::REPLACEMENT_CHARACTER,
    };
    (character, rest.as_str())
}

/// The character of a `\u` escape, from behind the `u`: one code unit, or two that are a surrogate pair.
fn unicode(escape: &str) -> (char, &str) {
    let Some((high, tail)) = code_unit(escape) else { return (char::REPLACEMENT_CHARACTER, escape) };
    if let Some(character) = char::from_u32(high) {
        return (character, tail);
    }
    if let Some((low @ 0xDC00..=0xDFFF, tail)) = tail.strip_prefix("\\u").and_then(code_unit)
        && high < 0xDC00
        && let Some(character) = char::from_u32(0x1_0000 + ((high - 0xD800) << 10 | (low - 0xDC00)))
    {
        return (character, tail);
    }
    (char::REPLACEMENT_CHARACTER, tail)
}

/// Four hexadecimal digits and the text behind them.
fn code_unit(text: &str) -> Option<(u32, &str)> {
    let (digits, tail) = text.split_at_checked(4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, tail))
}
