//! One JSON value put together from the lines it stands on. Linear in the text: each line is scanned once.

use super::json_scan::{Scanner, looks_like_rpc, value_end};
use super::peel::{Mapped, Part};
use super::{Advance, Flag, Flags, Line, ReadError, SourceError};
use crate::position::Position;

/// What a further line made of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// It ends in this line, at this place.
    Complete(usize),
    /// It goes on.
    More,
    /// It cannot go on with this line, which was not taken.
    Broken,
}

/// The value, as it stands in the input: line ends and all.
pub(super) struct Joined {
    text: String,
    /// The same as it stands in the input, from the first bad byte on: empty as long as there is none.
    raw: Vec<u8>,
    /// The same with its places, from the first line on of which something was taken off.
    mapped: Option<Mapped>,
    scanner: Scanner,
    position: Position,
    /// Offset in the input behind the last line taken; none of one that stands in the input with more around it.
    end: Option<u64>,
    flags: Flags,
    /// A line end follows the last line.
    terminated: bool,
    limit: usize,
    fault: Option<ReadError>,
}

/// A buffer that grew beyond this for one value is given back.
const KEEP: usize = 1024 * 1024;

impl Joined {
    /// Values beyond `limit` bytes count as broken.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            text: String::new(),
            raw: Vec::new(),
            mapped: None,
            scanner: Scanner::default(),
            position: Position::default(),
            end: None,
            flags: Flags::NONE,
            terminated: true,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            fault: None,
        }
    }

    /// Begins a value at a place in a line behind which it is known to go on.
    pub(super) fn begin(&mut self, line: &Line<'_>, from: usize) {
        self.begin_as(line, from, Scanner::default());
    }

    /// The same with a scanner for its notation.
    pub(super) fn begin_as(&mut self, line: &Line<'_>, from: usize, scanner: Scanner) {
        if self.text.capacity() > KEEP {
            self.text = String::new();
        }
        self.text.clear();
        self.raw.clear();
        self.mapped = None;
        self.scanner = scanner;
        self.flags = Flags::NONE;
        let (offset, _) = line.locate(from..line.text.len());
        self.position = Position { line: line.number, offset, ..Position::default() };
        self.take(line, from);
    }

    /// Takes the next line, if it can belong to the value.
    pub(super) fn extend(&mut self, line: &Line<'_>) -> Growth {
        self.extend_from(line, 0)
    }

    /// The same without what a log writes at the start of the line.
    pub(super) fn extend_from(&mut self, line: &Line<'_>, from: usize) -> Growth {
        if self.is_cut_before(&line.text[from..]) {
            return Growth::Broken;
        }
        if line.oversized || self.text.len() + line.text.len() + 2 > self.limit {
            self.flags = self.flags.with(Flag::Oversized);
            return Growth::Broken;
        }
        let two = self.end.is_some_and(|end| line.map.is_none() && line.offset.saturating_sub(end) == 2);
        let line_end = if two { "\r\n" } else { "\n" };
        self.text.push_str(line_end);
        match (&mut self.mapped, self.end) {
            (Some(mapped), Some(end)) => mapped.keep_raw(line_end, line_end.as_bytes(), end, 0..line_end.len()),
            (Some(mapped), None) => mapped.text.push_str(line_end),
            (None, _) => {}
        }
        if !self.raw.is_empty() {
            self.raw.extend_from_slice(line_end.as_bytes());
        }
        self.take(line, from)
    }

    /// Whether a line ends the value before its time: it cannot follow, or is a whole message at the margin. Only in
    /// a batch may messages stand at the margin.
    fn is_cut_before(&self, line: &str) -> bool {
        let in_batch = self.text.starts_with('[') && self.scanner.depth() == 1;
        let message =
            line.starts_with('{') && value_end(line) == Some(line.trim_ascii_end().len()) && looks_like_rpc(line);
        !self.scanner.can_continue(line) || (message && !in_batch)
    }

    fn take(&mut self, line: &Line<'_>, from: usize) -> Growth {
        let text = &line.text[from..];
        let complete = self.scanner.feed(text).map(|end| from + end);
        let end = complete.unwrap_or(line.text.len());
        let (offset, length) = line.locate(from..end);
        if let Some(map) = line.map {
            let begun = || {
                let raw = if self.raw.is_empty() { self.text.as_bytes() } else { &self.raw };
                let mut mapped = Mapped::default();
                mapped.keep_raw(&self.text, raw, self.position.offset, 0..self.text.len());
                mapped
            };
            self.mapped.get_or_insert_with(begun).keep(Part { text: line.text, map }, from..end);
        } else if let Some(mapped) = &mut self.mapped {
            mapped.keep_raw(line.text, line.raw, line.offset, from..end);
        } else if line.lossy || !self.raw.is_empty() {
            if self.raw.is_empty() {
                self.raw.extend_from_slice(self.text.as_bytes());
            }
            let start = usize::try_from(offset - line.offset).unwrap_or(line.raw.len()).min(line.raw.len());
            let length = usize::try_from(length).unwrap_or(usize::MAX).min(line.raw.len() - start);
            self.raw.extend_from_slice(&line.raw[start..start + length]);
        }
        self.text.push_str(&line.text[from..end]);
        self.end = line.map.is_none().then_some(line.offset + line.length);
        self.position.end_line = line.number;
        self.terminated = line.terminated;
        self.position.length = (offset + length).saturating_sub(self.position.offset);
        self.flags = self.flags.with_if(line.lossy, Flag::BadUtf8);
        complete.map_or(Growth::More, Growth::Complete)
    }

    /// Passes the next step of the input on. One that fails within a value ends there: first comes what there is of the
    /// value, then [`Self::take_fault`].
    pub(super) fn step(&mut self, step: Result<Advance, SourceError>, joining: bool) -> Result<Advance, ReadError> {
        match step {
            Err(fault) if joining => {
                self.fault = Some(fault.into());
                Ok(Advance::End)
            }
            step => Ok(step?),
        }
    }

    /// Whether something ended the input within the last value.
    pub(super) fn has_fault(&self) -> bool {
        self.fault.is_some()
    }

    /// What ended the input within the last value.
    pub(super) fn take_fault(&mut self) -> Option<ReadError> {
        self.fault.take()
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text so far as one line that holds line ends.
    pub(super) fn line(&self) -> Line<'_> {
        let map = self.mapped.as_ref().map(|mapped| mapped.part(0..mapped.text.len()).map);
        let lossy = map.is_none() && !self.raw.is_empty();
        Line {
            text: &self.text,
            raw: if lossy { &self.raw } else { self.text.as_bytes() },
            number: self.position.line,
            offset: self.position.offset,
            length: self.position.length,
            lossy,
            oversized: self.flags.has(Flag::Oversized),
            terminated: true,
            map,
        }
    }

    /// Where it stands.
    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// Whether a line end follows the last line taken.
    pub(super) fn terminated(&self) -> bool {
        self.terminated
    }

    /// What was noticed so far.
    pub(super) fn flags(&self) -> Flags {
        self.flags
    }
}
