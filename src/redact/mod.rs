//! Replaces secrets and chosen members in the text of messages and events, before anything is told about them: whatever
//! comes after sees only what is left. Methods, ids and structure stay, so that messages still pair; a type stays what
//! it is. Knows nothing of sessions and outputs.

mod field;
mod known;
mod marker;
mod names;
mod shapes;
mod tree;

pub use field::{Field, FieldError};
pub use names::ENDINGS;
pub use shapes::{KINDS, Kind};

use std::ops::Range;

use self::known::Known;
use self::shapes::Shapes;
use self::tree::Tree;

/// What to replace beside what is always taken for a secret.
#[derive(Clone, Debug, Default)]
pub struct Redaction {
    /// Chosen members, at most [`Field::MAX`].
    pub fields: Vec<Field>,
}

/// Lines of a PEM block that are replaced although its end has not come.
const PEM_LINES: u32 = 500;

/// Replaces secrets in the texts of one run.
pub struct Redactor {
    fields: Vec<Field>,
    shapes: &'static Shapes,
    known: Known,
    counts: [u64; KINDS.len()],
    /// Lines that may still belong to a PEM block that began in an earlier text.
    pem: u32,
}

impl Redactor {
    /// A redactor that has seen nothing.
    pub fn new(redaction: &Redaction) -> Self {
        Self {
            fields: redaction.fields.clone(),
            shapes: Shapes::get(),
            known: Known::default(),
            counts: [0; KINDS.len()],
            pem: 0,
        }
    }

    /// Another input begins: what was open in the last one is over.
    pub fn next_input(&mut self) {
        self.pem = 0;
    }

    /// The value of a header.
    pub fn member(&mut self, name: &str, value: &str) -> Option<String> {
        // The name of a session ties messages together.
        let whole = names::is_secret(name) && name != "authorization" && !value.is_empty() && !marker::is(value);
        if whole { Some(self.replaced(value, shapes::NAMED)) } else { self.text(value) }
    }

    /// How many values of each kind were replaced.
    pub fn counts(&self) -> impl Iterator<Item = (&'static Kind, u64)> {
        KINDS.iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }

    /// How many different secrets were replaced; further ones than the table holds are not told apart.
    pub fn different(&self) -> usize {
        self.known.different()
    }

    /// Secrets that no longer fitted into the tables.
    pub fn lost(&self) -> u64 {
        self.known.lost()
    }

    /// The text of a message, JSON or not. `None`: nothing had to be replaced.
    pub fn message(&mut self, text: &str) -> Option<String> {
        let json = Tree::of_message(text, self).apply(text);
        // What is no JSON has secrets outside of strings as well.
        if serde_json::from_str::<serde::de::IgnoredAny>(json.as_deref().unwrap_or(text)).is_ok() {
            return json;
        }
        self.text(json.as_deref().unwrap_or(text)).or(json)
    }

    /// The text of an event, which is a line of a log or the like.
    pub fn event(&mut self, text: &str) -> Option<String> {
        if let Some(replaced) = self.inside_pem(text) {
            return Some(replaced);
        }
        if text.trim_ascii_start().starts_with(['{', '[']) {
            return self.message(text);
        }
        self.text(text)
    }

    /// Text that is no JSON, or a decoded string of it.
    pub fn text(&mut self, text: &str) -> Option<String> {
        let mut found = self.shapes.find(text);
        self.known.find(text, &mut found);
        let out = self.replace(text, found)?;
        if let Some(begin) = text.rfind("-----BEGIN ")
            && !text[begin..].contains("-----END ")
        {
            self.pem = PEM_LINES;
        }
        Some(out)
    }

    fn replace(&mut self, text: &str, mut found: Vec<(Range<usize>, usize)>) -> Option<String> {
        found.retain(|(range, _)| !range.is_empty() && !marker::is(&text[range.clone()]));
        if found.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        for (range, kind) in merged(found) {
            out.push_str(&text[copied..range.start]);
            out.push_str(&self.replaced(&text[range.clone()], kind));
            copied = range.end;
        }
        out.push_str(&text[copied..]);
        Some(out)
    }

    /// A text that ties messages together, or a name: only what is a secret whatever stands around it.
    pub fn strict(&mut self, text: &str) -> Option<String> {
        let found = self.shapes.find_strict(text);
        self.replace(text, found)
    }

    /// A line of a PEM block whose first line was an event of its own.
    fn inside_pem(&mut self, text: &str) -> Option<String> {
        if self.pem == 0 {
            return None;
        }
        let line = text.trim();
        let ends = line.contains("-----END ");
        let fits = !line.is_empty() && line.chars().all(|c| c.is_ascii_alphanumeric() || "+/=:,- ".contains(c));
        let words = line.split_ascii_whitespace().count();
        self.pem = if ends { 0 } else { self.pem - 1 };
        if !ends && (!fits || (words > 1 && !line.contains(':'))) {
            self.pem = if line.is_empty() { self.pem } else { 0 };
            return None;
        }
        Some(self.replaced(line, shapes::PRIVATE_KEY))
    }

    /// The marker for a secret; remembers and counts it.
    fn replaced(&mut self, secret: &str, kind: usize) -> String {
        self.counts[kind] += 1;
        self.known.marker(secret)
    }
}

/// The kinds of secrets in the text of a message, and how many of each; nothing is replaced. A secret that stands twice
/// counts twice.
pub fn secrets(text: &str) -> impl Iterator<Item = (&'static Kind, u64)> {
    let mut redactor = Redactor::new(&Redaction::default());
    redactor.message(text);
    KINDS.iter().zip(redactor.counts).filter(|(_, count)| *count > 0)
}

/// The ranges in order, those that overlap as one.
fn merged(mut found: Vec<(Range<usize>, usize)>) -> Vec<(Range<usize>, usize)> {
    found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut merged: Vec<(Range<usize>, usize)> = Vec::with_capacity(found.len());
    for (range, kind) in found {
        match merged.last_mut() {
            Some((last, _)) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push((range, kind)),
        }
    }
    merged
}
