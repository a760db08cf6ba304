//! What wrappings told of lines: their time, the stream that they belong to, what they are. Kept beside the lines, as
//! readers need not know of it.

use std::collections::VecDeque;

use super::super::Stamp;

/// What a line is, besides text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::transcript) enum LineKind {
    /// Text of the transcript.
    #[default]
    Text,
    /// Text of the transcript as a terminal showed it, with whatever else it showed.
    Shown,
    /// Only frames others.
    Framing,
    /// Stands beside the transcript: prose around a code block.
    Prose,
}

impl LineKind {
    /// Whether a format may be found in such lines.
    pub(super) fn counts(self) -> bool {
        matches!(self, Self::Text | Self::Shown)
    }
}

/// What wrappings told of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::transcript) struct Note {
    /// Where the line begins in the input.
    pub(super) offset: u64,
    /// The physical line in which it ends, and the one in which it begins.
    pub(in crate::transcript) number: u64,
    pub(in crate::transcript) first: u64,
    pub(in crate::transcript) time: Option<Stamp>,
    /// Which of the named streams.
    pub(super) lane: Option<usize>,
    pub(in crate::transcript) kind: LineKind,
}

/// The notes of the lines that were read and are not in a frame yet.
#[derive(Debug, Default)]
pub(in crate::transcript) struct Notes {
    notes: VecDeque<Note>,
    lanes: Vec<String>,
}

/// Notes that wait at most; a message on more lines than this has no time from its wrapping.
const MAX_NOTES: usize = 1 << 16;
/// Streams that are told apart at most; lines of further ones name none.
const MAX_LANES: usize = 1024;
/// Bytes of a stream's name that are kept.
const MAX_NAME: usize = 256;

impl Notes {
    /// Nothing was noted.
    pub(in crate::transcript) fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    pub(super) fn add(&mut self, note: Note) {
        if self.notes.len() >= MAX_NOTES {
            self.notes.pop_front();
        }
        self.notes.push_back(note);
    }

    /// The number of a stream's name.
    pub(super) fn lane(&mut self, name: &str) -> Option<usize> {
        let end = (0..=name.len().min(MAX_NAME)).rev().find(|&end| name.is_char_boundary(end))?;
        let name = &name[..end];
        let known = self.lanes.iter().position(|lane| lane == name);
        if known.is_none() && self.lanes.len() < MAX_LANES && !name.is_empty() {
            self.lanes.push(name.to_owned());
            return Some(self.lanes.len() - 1);
        }
        known
    }

    /// The note of the line that holds a place, the physical line of the text that ends at another, and the name of the
    /// stream. Notes of lines before it are dropped: frames
    /// come in order.
    pub(in crate::transcript) fn of(&mut self, offset: u64, end: u64) -> Option<(Note, u64, Option<&str>)> {
        let place = self.notes.partition_point(|note| note.offset <= offset).checked_sub(1)?;
        self.notes.drain(..place);
        let note = *self.notes.front()?;
        let behind = self.notes.partition_point(|note| note.offset < end.max(offset + 1));
        let last = self.notes.get(behind.saturating_sub(1)).map_or(note.number, |note| note.number);
        Some((note, last, note.lane.map(|lane| self.lanes[lane].as_str())))
    }
}
