//! The id of a request as a key: typed, so that `1` and `"1"` differ, and equal for equal values. Pairs nothing itself.

use compact_str::CompactString;

use crate::jsonrpc::{Id, IdKind, RawJson};

/// An id, progress token or task id as a table key. Short ones need no allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdKey(CompactString);

impl IdKey {
    /// The key of an id; `None` for `null`, which identifies nothing.
    pub fn of_id(id: &Id<'_>) -> Option<Self> {
        match id.kind() {
            IdKind::Null => None,
            _ => Self::of_token(id.raw()),
        }
    }

    /// The key of a raw JSON token. Strings are decoded, so that two spellings of one string are one key.
    pub fn of_token(raw: &str) -> Option<Self> {
        match raw.as_bytes().first()? {
            b'"' if raw.contains('\\') => {
                let decoded = RawJson::new(raw)?.as_str()?.into_owned();
                let mut key = CompactString::new("\"");
                key.push_str(&decoded);
                Some(Self(key))
            }
            b'"' => Some(Self(CompactString::new(raw.strip_suffix('"').filter(|rest| !rest.is_empty())?))),
            b'n' => None,
            _ => Some(Self(CompactString::new(raw))),
        }
    }

    /// The key of text that is an id by itself, such as a task id.
    pub fn of_text(text: &str) -> Self {
        Self(CompactString::new(text))
    }

    /// Length in bytes.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The number, for ids that count up.
    pub fn number(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// Whether the id is a string.
    pub fn is_string(&self) -> bool {
        self.0.starts_with('"')
    }

    /// The number at the end of a string id (`req-12`), for clients that count in strings, and what stands before.
    pub fn counter(&self) -> Option<(&str, i64)> {
        if let Some(number) = self.number() {
            return Some(("", number));
        }
        let digits = self.0.len() - self.0.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (prefix, number) = self.0.split_at(self.0.len() - digits);
        Some((prefix, number.parse().ok()?))
    }
}
