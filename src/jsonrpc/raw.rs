//! A JSON value that has been checked but not decoded. Decodes on demand, and only what is asked for.

use std::borrow::Cow;

/// The type of a JSON value, told from its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum JsonKind {
    Object,
    Array,
    String,
    Number,
    Boolean,
    Null,
}

/// The text of one valid JSON value, without surrounding white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawJson<'a>(pub(super) &'a str);

impl<'a> RawJson<'a> {
    /// Wraps text that is known to be one JSON value; `None` when it is not.
    pub fn new(text: &'a str) -> Option<Self> {
        let text = text.trim_matches([' ', '\t', '\r', '\n']);
        serde_json::from_str::<serde::de::IgnoredAny>(text).ok().map(|_| Self(text))
    }

    /// The exact text.
    pub fn text(self) -> &'a str {
        self.0
    }

    /// The type of the value.
    pub fn kind(self) -> JsonKind {
        match self.0.as_bytes().first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b't' | b'f') => JsonKind::Boolean,
            Some(b'n') => JsonKind::Null,
            _ => JsonKind::Number,
        }
    }

    /// The decoded string, borrowed when it has no escapes; `None` for other types. Lone surrogates
    /// become U+FFFD.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        todo!()
    }

    /// The boolean, or `None` for other types.
    pub fn as_bool(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The integer, or `None` for other types, fractions and numbers beyond 64 bits.
    pub fn as_i64(self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// The number as a float, or `None` for other types.
    pub fn as_f64(self) -> Option<f64> {
        match self.kind() {
            JsonKind::Number => self.0.parse().ok(),
            _ => None,
        }
    }

    /// The member of an object by its decoded name; the last one when the name stands twice, as most
    /// readers take it. `None` for other types.
    pub fn get(self, _name: &str) -> Option<Self> {
        todo!()
    }

    /// Follows member names from object to object.
    pub fn at(self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self, |value, name| value.get(name))
    }

    /// The members of an object in order, names decoded; empty for other types.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Self)> {
        Vec::new().into_iter()
    }

    /// The elements of an array in order; empty for other types.
    pub fn elements(self) -> impl Iterator<Item = Self> {
        Vec::new().into_iter()
    }
}
