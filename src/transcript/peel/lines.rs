//! The lines that a layer gives: text that grows from one or several lines of what lies around it, and is cut at its
//! own line ends.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::Stamp;
use super::mapped::{Mapped, Part};
use super::notes::LineKind;

/// What is known of a line beside its text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meta {
    /// The physical lines in which it begins and ends.
    pub(super) first: u64,
    pub(super) last: u64,
    /// Where in the input the line stands that it was made from last.
    pub(super) at: u64,
    pub(super) time: Option<Stamp>,
    pub(super) lane: Option<usize>,
    pub(super) kind: LineKind,
    pub(super) lossy: bool,
    pub(super) oversized: bool,
    pub(super) terminated: bool,
}

/// The lines of a layer, first in, first out.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    mapped: Mapped,
    done: VecDeque<(Range<usize>, Meta)>,
    /// Where the line begins that is not finished.
    start: usize,
    /// What is known of it so far.
    growing: Option<Meta>,
    /// The place in the input behind what was taken.
    raw: u64,
    finished: u64,
    limit: usize,
}

/// How much of a line beyond the limit is kept.
const SHOWN: usize = 64 * 1024;

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { mapped: Mapped::default(), done: VecDeque::new(), start: 0, growing: None, raw: 0, finished: 0, limit }
    }

    /// Adds a part of what lies around.
    pub(super) fn keep(&mut self, from: Part<'_>, range: Range<usize>, meta: &Meta) {
        if self.grow(range.len(), meta) {
            self.mapped.keep(from, range);
            self.raw = self.mapped.end().max(self.raw);
        }
    }

    /// Adds a text in place of a part of what lies around.
    pub(super) fn put(&mut self, from: Part<'_>, range: &Range<usize>, text: &str, meta: &Meta) {
        if self.grow(text.len(), meta) {
            self.mapped.put(from, range, text);
            self.raw = self.mapped.end().max(self.raw);
        }
    }

    /// Whether the line that grows may take so many bytes.
    fn grow(&mut self, more: usize, meta: &Meta) -> bool {
        let growing = self.growing.get_or_insert(*meta);
        growing.lossy |= meta.lossy;
        growing.oversized |= meta.oversized || self.mapped.text.len() - self.start + more > self.limit;
        (growing.last, growing.at) = (meta.last, meta.at);
        !growing.oversized || self.mapped.text.len() - self.start + more <= SHOWN
    }

    /// Ends the line that grows; it may be empty. What the end tells counts where the beginning told nothing.
    pub(super) fn finish(&mut self, meta: &Meta) {
        let begun = self.growing.take().unwrap_or(*meta);
        let oversized = begun.oversized || meta.oversized;
        let text = &self.mapped.text[self.start..];
        let text = text.strip_suffix('\r').unwrap_or(text);
        let shown =
            if oversized { (0..=text.len().min(SHOWN)).rev().find(|&end| text.is_char_boundary(end)) } else { None };
        let end = self.start + shown.unwrap_or(text.len());
        let meta = Meta {
            first: begun.first,
            at: self.raw.max(meta.at),
            time: begun.time.or(meta.time),
            lane: begun.lane.or(meta.lane),
            lossy: begun.lossy || meta.lossy,
            oversized,
            ..*meta
        };
        self.finished += 1;
        self.done.push_back((self.start..end, meta));
        self.start = self.mapped.text.len();
    }

    /// Whether a line grows.
    pub(super) fn is_growing(&self) -> bool {
        self.growing.is_some()
    }

    /// The text of the line that grows.
    pub(super) fn growing_text(&self) -> &str {
        &self.mapped.text[self.start..]
    }

    /// How many lines were finished so far.
    pub(super) fn finished(&self) -> u64 {
        self.finished
    }

    /// What is known of the line that grows.
    pub(super) fn growing(&self) -> Option<Meta> {
        self.growing
    }

    /// Takes the last character of the line that grows back.
    pub(super) fn take_back(&mut self) {
        if self.mapped.text.len() > self.start {
            self.mapped.pop();
        }
    }

    /// The next finished line. It stays readable until [`Self::settle`].
    pub(super) fn next(&mut self) -> Option<(Range<usize>, Meta)> {
        self.done.pop_front()
    }

    /// The text of lines.
    pub(super) fn part(&self, range: Range<usize>) -> Part<'_> {
        self.mapped.part(range)
    }

    /// The finished lines that wait, as text.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (&str, Meta)> {
        self.done.iter().map(|(range, meta)| (&self.mapped.text[range.clone()], *meta))
    }

    /// Lets go of the lines that were given out. Only while none waits and none grows, which is soon.
    pub(super) fn settle(&mut self) {
        if self.done.is_empty() && self.start > 0 {
            if self.mapped.text.len() == self.start {
                if self.mapped.text.capacity() > KEEP {
                    self.mapped = Mapped::default();
                }
                self.mapped.clear();
                self.start = 0;
            } else {
                // A line that grows moves to the front.
                let mut rest = Mapped::default();
                rest.keep(self.mapped.part(self.start..self.mapped.text.len()), 0..self.mapped.text.len() - self.start);
                (self.mapped, self.start) = (rest, 0);
            }
        }
    }
}

/// A buffer that grew beyond this for one line is given back.
const KEEP: usize = 1 << 20;
