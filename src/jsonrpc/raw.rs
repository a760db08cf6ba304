//! A JSON value that has been checked but not decoded. Decodes on demand, and only what is asked for.

use std::borrow::Cow;

use super::scan::{Scanner, Token, peek, trimmed};
use super::survey::{Ends, Survey};
use super::text::{decode, stands_for};

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
#[derive(Clone, Copy, Debug)]
pub struct RawJson<'a> {
    text: &'a str,
    /// Where the long values in it end, where somebody has looked.
    ends: Option<&'a Ends>,
}

impl PartialEq for RawJson<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for RawJson<'_> {}

impl<'a> RawJson<'a> {
    /// Wraps text that is known to be one JSON value; `None` when it is not.
    pub fn new(text: &'a str) -> Option<Self> {
        let text = trimmed(text);
        let end = Scanner::new(text).value_at(0).ok()?;
        (end == text.len()).then_some(Self::valid(text))
    }

    /// Wraps text that is known to be one JSON value.
    #[inline(always)]
    pub(super) fn valid(text: &'a str) -> Self {
        Self { text, ends: None }
    }

    /// The same value as a part of a text that was surveyed, so that walking it passes over long values at once.
    pub fn surveyed<'s>(self, survey: &'s Survey) -> RawJson<'s>
    where
        'a: 's,
    {
        self.with_ends(survey.ends())
    }

    pub(super) fn with_ends<'s>(self, ends: &'s Ends) -> RawJson<'s>
    where
        'a: 's,
    {
        RawJson { text: self.text, ends: Some(ends) }
    }

    /// The exact text.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// The type of the value.
    pub fn kind(self) -> JsonKind {
        match self.text.as_bytes().first() {
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
        self.text.strip_prefix('"')?.strip_suffix('"').map(decode)
    }

    /// [`Self::as_str`] of a value that is known to have no escapes; of others, the text as written.
    #[inline(always)]
    pub fn as_plain(self) -> Option<Cow<'a, str>> {
        self.text.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed)
    }

    /// The boolean, or `None` for other types.
    pub fn as_bool(self) -> Option<bool> {
        match self.text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The integer, or `None` for other types, fractions and numbers beyond 64 bits.
    pub fn as_i64(self) -> Option<i64> {
        self.text.parse().ok()
    }

    /// The number as a float, or `None` for other types.
    pub fn as_f64(self) -> Option<f64> {
        match self.kind() {
            JsonKind::Number => self.text.parse().ok(),
            _ => None,
        }
    }

    /// The member of an object by its decoded name; the last one when the name stands twice, as most
    /// readers take it. `None` for other types. Scans the whole object each time.
    pub fn get(self, name: &str) -> Option<Self> {
        let mut found = self.written_members().filter(|(written, _)| stands_for(written, name));
        let found = if self.ends.is_some_and(|ends| ends.unique) { found.next() } else { found.last() };
        found.map(|(_, value)| value)
    }

    /// Follows member names from object to object.
    pub fn at(self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self, |value, name| value.get(name))
    }

    /// The members of an object in order, names decoded; empty for other types. Lazy: each step scans one member.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Self)> {
        self.written_members().map(|(written, value)| (decode(written), value))
    }

    /// The elements of an array in order; empty for other types. Lazy: each step scans one element.
    pub fn elements(self) -> impl Iterator<Item = Self> {
        let mut inside = Inside::of(self, b'[');
        std::iter::from_fn(move || {
            inside.enter()?;
            Some(inside.value())
        })
    }

    /// The members of an object, names as written between their quotes.
    pub(super) fn written_members(self) -> impl Iterator<Item = (&'a str, Self)> + use<'a> {
        let mut inside = Inside::of(self, b'{');
        std::iter::from_fn(move || {
            inside.enter()?;
            let name = inside.name();
            inside.step_over(b':');
            Some((name?, inside.value()))
        })
    }
}

/// A place inside of an object or array whose text has been found valid before.
struct Inside<'a> {
    text: &'a str,
    ends: Option<&'a Ends>,
    scanner: Scanner<'a>,
    token: Token,
}

impl<'a> Inside<'a> {
    /// Stands behind the opening bracket; at the end when the value has another type.
    fn of(value: RawJson<'a>, bracket: u8) -> Self {
        let RawJson { text, ends } = value;
        let mut scanner = Scanner::new(text);
        let token = scanner.token(if peek(text.as_bytes(), 0) == bracket { 1 } else { text.len() });
        Self { text, ends, scanner, token }
    }

    /// Goes to the next element or member, if there is one.
    fn enter(&mut self) -> Option<()> {
        self.step_over(b',');
        (!matches!(self.token.first, b'}' | b']' | 0)).then_some(())
    }

    /// Takes the value that starts here.
    fn value(&mut self) -> RawJson<'a> {
        let start = self.token.at;
        let known = self.ends.and_then(|ends| ends.behind(self.text, start));
        let end = known.unwrap_or_else(|| self.scanner.skip(start));
        self.token = self.scanner.token(end);
        RawJson { text: &self.text[start..end], ends: self.ends }
    }

    /// Takes the name that starts here, without its quotes.
    fn name(&mut self) -> Option<&'a str> {
        let start = self.token.at;
        let end = self.scanner.skip(start);
        self.token = self.scanner.token(end);
        self.text.get(start + 1..end - 1)
    }

    /// Goes over at most one `separator`.
    fn step_over(&mut self, separator: u8) {
        if self.token.first == separator {
            self.token = self.scanner.token(self.token.at + 1);
        }
    }
}
