//! The id of a request as a key: typed, so that `1` and `"1"` differ, and equal for equal values. Pairs nothing itself.

use std::borrow::Cow;

use compact_str::CompactString;

use crate::jsonrpc::{Id, RawJson};

/// An id or progress token as a table key. Borrowed from the message, unless its spelling has escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key<'a>(Cow<'a, str>);

impl<'a> Key<'a> {
    /// The key of a raw JSON token; `None` for `null`, which identifies nothing. Strings are decoded, so that two
    /// spellings of one string are one key.
    #[inline]
    pub fn of_token(raw: &'a str) -> Option<Self> {
        if raw.bytes().all(|byte| byte.is_ascii_digit()) && !raw.is_empty() {
            return Some(Self(Cow::Borrowed(raw)));
        }
        Self::of_other(raw)
    }

    /// [`Self::of_token`] of what is no plain number.
    fn of_other(raw: &'a str) -> Option<Self> {
        match raw.as_bytes().first()? {
            b'"' if raw.contains('\\') => {
                let decoded = RawJson::new(raw)?.as_str()?;
                Some(Self(Cow::Owned(format!("\"{decoded}"))))
            }
            b'"' => Some(Self(Cow::Borrowed(raw.strip_suffix('"').filter(|rest| !rest.is_empty())?))),
            b'n' => None,
            b'-' | b'0'..=b'9' if raw.contains(['.', 'e', 'E']) => Some(Self(whole(raw))),
            _ => Some(Self(Cow::Borrowed(raw))),
        }
    }

    /// The key without its borrow.
    pub fn into_owned(self) -> Key<'static> {
        Key(Cow::Owned(self.0.into_owned()))
    }

    /// The key of messages that have nothing but a method; no id is spelt so.
    pub(super) fn of_method(method: &str) -> Self {
        Self(Cow::Owned(format!("?{method}")))
    }

    /// The text that tables keep; that of a string begins with its quote.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the id is a string.
    pub fn is_string(&self) -> bool {
        self.0.starts_with('"')
    }

    /// The number, for ids that count up, with nothing before it; the number at the end of a string id (`req-12`), for
    /// clients that count in strings, and what stands before.
    pub fn counter(&self) -> Option<(&str, i64)> {
        if let Ok(number) = self.0.parse() {
            return Some(("", number));
        }
        let digits = self.0.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, number) = self.0.split_at(self.0.len() - digits);
        Some((prefix, number.parse().ok()?))
    }
}

/// A number that is written with a point or an exponent, as the whole number that it is: `1.0` and `1` are one id.
fn whole(raw: &str) -> Cow<'_, str> {
    /// Beyond this not every whole number has a float of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match raw.parse::<f64>() {
        Ok(value) if value.fract() == 0.0 && value.abs() < EXACT => Cow::Owned((value as i64).to_string()),
        _ => Cow::Borrowed(raw),
    }
}

/// A [`Key`] that outlives its message. Short ones need no allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdKey(CompactString);

impl IdKey {
    /// The key of an id; `None` for `null`.
    pub fn of_id(id: &Id<'_>) -> Option<Self> {
        Self::of_token(id.raw())
    }

    /// The key of a raw JSON token, as [`Key::of_token`].
    pub fn of_token(raw: &str) -> Option<Self> {
        Key::of_token(raw).map(|key| Self(CompactString::new(key.as_str())))
    }

    /// The number, for ids that are whole numbers.
    pub fn number(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// The string, for ids that are strings.
    pub fn as_text(&self) -> Option<&str> {
        self.0.strip_prefix('"')
    }
}
