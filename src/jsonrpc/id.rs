//! Request ids, kept as the exact token of the wire. Knows nothing of pairing.

use std::borrow::Cow;

use super::text::quote;

/// What kind of JSON value an id is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdKind {
    /// A JSON number.
    Number,
    /// A JSON string.
    String,
    /// `"id":null`, which is not the same as no id at all.
    Null,
    /// A boolean, array or object: not allowed by JSON-RPC, kept all the same.
    Other,
}

/// A JSON-RPC id: the exact token, so `1`, `"1"` and `1.0` stay three ids and no digit is lost.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Id<'a> {
    raw: Cow<'a, str>,
}

impl<'a> Id<'a> {
    /// Takes a token as it stands in the message, for example `7`, `"a"` or `null`.
    pub fn from_raw(raw: impl Into<Cow<'a, str>>) -> Self {
        Self { raw: raw.into() }
    }

    /// The id that is a whole number.
    pub fn number(number: i64) -> Self {
        Self { raw: Cow::Owned(number.to_string()) }
    }

    /// The id that is a string, given without quotes and escapes.
    pub fn string(text: &str) -> Self {
        Self { raw: Cow::Owned(quote(text)) }
    }

    /// The exact token, with the quotes of a string id.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The kind of value, told from its first byte.
    pub fn kind(&self) -> IdKind {
        match self.raw.as_bytes().first() {
            Some(b'"') => IdKind::String,
            Some(b'-' | b'0'..=b'9') => IdKind::Number,
            Some(b'n') => IdKind::Null,
            _ => IdKind::Other,
        }
    }

    /// The id without its borrow.
    pub fn into_owned(self) -> Id<'static> {
        Id { raw: Cow::Owned(self.raw.into_owned()) }
    }
}
