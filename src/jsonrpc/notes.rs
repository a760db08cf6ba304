//! Where the members of many messages stand, noted by one thread for another, which gets its envelopes without a second look at the
//! texts. Judges nothing.

use super::index::{BODY_CAP, Bodies, Index, Known};
use super::parser::{Seen, alone, classify};
use super::scan::{Scanner, peek};
use super::{MemberSpan, Parsed};

/// What was noted of the messages of a text.
#[derive(Debug, Default)]
pub struct Notes {
    notes: Vec<Note>,
    /// The members of all bodies, one after another.
    spans: Vec<MemberSpan>,
    /// Scratch space.
    bodies: Bodies,
}

#[derive(Debug)]
struct Note {
    index: Index,
    seen: Seen,
    /// Where the members of each body begin in `spans`.
    first: [usize; 3],
}

/// The message of a note.
#[derive(Clone, Copy, Debug)]
pub struct Noted<'a> {
    text: &'a str,
    notes: &'a Notes,
    number: usize,
}

impl Notes {
    /// Notes a message; gives its number among them. `None` where the text is not one JSON object, with nothing around it.
    pub fn take(&mut self, text: &str) -> Option<usize> {
        if peek(text.as_bytes(), 0) != b'{' {
            return None;
        }
        let mut scanner = Scanner::new(text);
        let mut index = Index::default();
        let end = index.fill(text, &mut self.bodies, &mut scanner).ok()?;
        alone(text, end).ok().filter(|()| end == text.len())?;
        let first = [Known::Params, Known::Result, Known::Error].map(|body| {
            let first = self.spans.len();
            self.spans.extend_from_slice(index.body(body, &self.bodies).0);
            first
        });
        self.notes.push(Note { index, seen: Seen::by(&scanner), first });
        Some(self.notes.len() - 1)
    }

    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.notes.clear();
        self.spans.clear();
    }

    /// The message of a number; `text` is that which it was given for.
    pub fn get<'a>(&'a self, number: usize, text: &'a str) -> Noted<'a> {
        Noted { text, notes: self, number }
    }
}

impl<'a> Noted<'a> {
    /// What [`Parser::read`](super::Parser::read) gives for the text.
    pub fn parsed(self) -> Parsed<'a> {
        let note = &self.notes.notes[self.number];
        let members = |body: Known| {
            let (first, count) = (note.first[body as usize], note.index.count(body));
            (&self.notes.spans[first..first + count.min(BODY_CAP)], count > BODY_CAP)
        };
        classify(self.text, &note.index, members, note.seen)
    }
}
