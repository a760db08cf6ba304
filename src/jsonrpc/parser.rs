//! Text to envelope in one pass, without allocation for ordinary messages. Knows no method by name.

use super::{Malformed, MemberSpan, Parsed};

/// What a text turned out to be.
#[derive(Debug)]
pub enum Reading<'a> {
    /// One message, well-formed or not.
    Message(Parsed<'a>),
    /// A JSON array: its elements as text, each to be read on its own. Never empty (an empty or unreadable
    /// array is one malformed message).
    Batch(Vec<&'a str>),
}

/// Reads messages; keeps its scratch space from one to the next.
#[derive(Debug, Default)]
pub struct Parser {
    spans: Vec<MemberSpan>,
    stack: Vec<u64>,
}

impl Parser {
    /// A new parser with empty scratch space.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads one text that should hold exactly one JSON value. Never fails: what is wrong stands in the result.
    pub fn read<'a>(&'a mut self, _text: &'a str) -> Reading<'a> {
        let _ = (&self.spans, &self.stack);
        todo!()
    }

    /// Recovers what it can from a text that is cut off or elided: method, id, and whether it was an answer.
    pub fn recover<'a>(&mut self, _text: &'a str) -> Malformed<'a> {
        todo!()
    }
}
