//! What is wrong with an expression, and where in it.

use std::error::Error;
use std::fmt;
use std::ops::Range;

/// A fault of an expression, for a person: lower case, no full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// What to do, where that can be said.
    pub help: Option<String>,
    /// A word that is not known, and those that are, for "did you mean".
    pub unknown: Option<(String, Vec<String>)>,
    /// The place in the expression, in bytes; empty at the end of one that stops too early.
    pub place: Range<usize>,
}

impl Fault {
    pub(super) fn new(place: Range<usize>, message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, unknown: None, place }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    pub(super) fn with_known<'k>(self, word: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        let known = known.into_iter().map(str::to_owned).collect();
        Self { unknown: Some((word.to_owned(), known)), ..self }
    }

    /// The line of the expression that holds the fault, and the place in that line.
    pub fn line<'s>(&self, source: &'s str) -> (&'s str, Range<usize>) {
        let at = self.place.start.min(source.len());
        let start = source[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = source[at..].find('\n').map_or(source.len(), |length| at + length);
        (&source[start..end], at - start..self.place.end.clamp(at, end) - start)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Fault {}
