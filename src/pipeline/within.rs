//! Where the parts of a frame's text stand in the input: the elements of a batch, the values of a line.

use crate::position::Position;
use crate::transcript::{Flag, Frame};

/// Finds the places of parts of a frame's text, in order.
pub(super) struct Within<'a> {
    frame: Position,
    whole: &'a str,
    /// The text is what stands in the input, byte for byte; otherwise parts have no place of their own.
    verbatim: bool,
    /// Bytes and line ends passed so far.
    passed: usize,
    lines: u64,
}

impl<'a> Within<'a> {
    pub(super) fn of(frame: &Frame<'_>, whole: &'a str) -> Self {
        let verbatim = frame.position.length == whole.len() as u64 && !frame.flags.has(Flag::BadUtf8);
        Self { frame: frame.position, whole, verbatim, passed: 0, lines: 0 }
    }

    /// The place of a part that stands behind those asked for before.
    pub(super) fn of_part(&mut self, part: &str) -> Position {
        let start = part.as_ptr() as usize - self.whole.as_ptr() as usize;
        if !self.verbatim {
            return self.frame;
        }
        let ends = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
        self.lines += ends(&self.whole[self.passed..start]);
        self.passed = start;
        let line = self.frame.line + self.lines;
        // Behind a line end it is not told how much of the line stands before it.
        let before = self.frame.lead.filter(|_| self.lines == 0 && self.whole[..start].is_ascii());
        Position {
            line,
            end_line: line + ends(part),
            offset: self.frame.offset + start as u64,
            length: part.len() as u64,
            lead: before.and_then(|before| before.checked_add(u32::try_from(start).ok()?)),
            entry: self.frame.entry,
        }
    }
}
