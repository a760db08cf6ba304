//! JSON objects as text, members in the order in which they are written.
//!
//! `serde_json::Value` would sort them, and a demonstration should read like the messages of a real peer.

use std::fmt::Display;

/// One JSON object in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    members: String,
}

impl Object {
    /// `{}`.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A string member.
    pub(super) fn text(self, name: &str, value: &str) -> Self {
        self.raw(name, quoted(value))
    }

    /// A number or boolean member.
    pub(super) fn plain(self, name: &str, value: impl Display) -> Self {
        self.raw(name, value)
    }

    /// An object member.
    pub(super) fn object(self, name: &str, value: Self) -> Self {
        self.raw(name, value.into_json())
    }

    /// An array member.
    pub(super) fn list(self, name: &str, elements: impl IntoIterator<Item = Self>) -> Self {
        let elements: Vec<String> = elements.into_iter().map(Self::into_json).collect();
        self.raw(name, format!("[{}]", elements.join(",")))
    }

    /// An array of strings.
    pub(super) fn words(self, name: &str, words: &[&str]) -> Self {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        self.raw(name, format!("[{}]", words.join(",")))
    }

    /// Members that only stand there under a condition, mostly a revision's.
    pub(super) fn when(self, condition: bool, add: impl FnOnce(Self) -> Self) -> Self {
        if condition { add(self) } else { self }
    }

    /// The members of another object after those of this one.
    pub(super) fn and(mut self, other: Self) -> Self {
        if !self.members.is_empty() && !other.members.is_empty() {
            self.members.push(',');
        }
        self.members.push_str(&other.members);
        self
    }

    /// The text of the object.
    pub(super) fn into_json(self) -> String {
        format!("{{{}}}", self.members)
    }

    fn raw(mut self, name: &str, value: impl Display) -> Self {
        if !self.members.is_empty() {
            self.members.push(',');
        }
        self.members.push_str(&format!("{}:{value}", quoted(name)));
        self
    }
}

/// A JSON string literal.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
