//! The one buffer of the program: bytes in, physical lines out, numbered and measured, UTF-8 checked. Knows no
//! formats.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use jiff::tz::TimeZone;

use super::ahead::Block;
use super::peel::{self, Notes, Peel, Wrap};
use super::{Fill, Line, Source, SourceError, Wrappings, line};

/// What one attempt to get a line gave.
#[derive(Debug)]
pub enum LineStep<'b> {
    /// A line.
    Line(Line<'b>),
    /// No whole line at this moment: flush.
    Idle,
    /// The producer pauses: show what is held.
    Paused,
    /// The end.
    End,
}

/// [`LineStep`] without the line, which [`LineBuffer::line`] gives: readers that loop need the two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// A line is there.
    Line,
    /// No whole line at this moment: flush.
    Idle,
    /// The producer pauses: show what is held.
    Paused,
    /// The end.
    End,
}

/// Lines out of a [`Source`].
pub struct LineBuffer {
    source: Source,
    /// Longer than the capacity by one page, so that a part of it can begin at a page.
    storage: Vec<u8>,
    base: usize,
    capacity: usize,
    current: Option<Current>,
    /// The current line was put back.
    held: bool,
    /// Where the bytes begin that were not given out.
    next: usize,
    /// Up to here there is no line end.
    scanned: usize,
    end: usize,
    skipping: Option<Skip>,
    /// Offset in the input of the byte at `next`.
    offset: u64,
    number: u64,
    /// Bytes of a line were given out without its end.
    in_line: bool,
    max_line: usize,
    /// A silence that a look ahead met and nobody was told of who gets the lines.
    owed: Option<Advance>,
    ended: bool,
    failed: Option<SourceError>,
    interrupted: bool,
    lossy: String,
    /// What takes off what lies around the lines; `None` as long as nothing was seen to do.
    peel: Option<Box<Peel>>,
    notes: Rc<RefCell<Notes>>,
}

/// The line given out last, as places in the buffer.
#[derive(Clone, Copy)]
struct Current {
    start: usize,
    end: usize,
    offset: u64,
    length: u64,
    oversized: bool,
    terminated: bool,
}

/// A line that is being passed over. Its first part stays at the front of the buffer, up to `kept`.
#[derive(Clone, Copy)]
struct Skip {
    kept: usize,
    dropped: u64,
    last: u8,
}

const PAGE: usize = 4096;
const CAPACITY: usize = 256 * 1024;
/// A buffer beyond this size is given back once the line that needed it is through.
const SHRINK_ABOVE: usize = 2 * 1024 * 1024;
/// How much of an oversized line is shown, and how much a look ahead shows.
const SHOWN: usize = 64 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl LineBuffer {
    /// The default of `--max-line`: 1 GiB.
    pub const MAX_LINE: u64 = 1 << 30;

    /// A buffer with the given line limit in bytes.
    pub fn new(source: Source, max_line: u64) -> Self {
        let (storage, base) = aligned(CAPACITY);
        Self {
            source,
            storage,
            base,
            capacity: CAPACITY,
            current: None,
            held: false,
            next: 0,
            scanned: 0,
            end: 0,
            skipping: None,
            offset: 0,
            number: 0,
            in_line: false,
            max_line: usize::try_from(max_line).unwrap_or(usize::MAX / 4).clamp(1, usize::MAX / 4),
            owed: None,
            ended: false,
            failed: None,
            interrupted: false,
            lossy: String::new(),
            peel: None,
            notes: Rc::default(),
        }
    }

    /// The next line. One without a line end is given out at the end of the input only.
    ///
    /// # Errors
    /// What the source says, after every whole line before the fault was given out.
    pub fn next_line(&mut self) -> Result<LineStep<'_>, SourceError> {
        Ok(match self.advance()? {
            Advance::Line => LineStep::Line(self.line()),
            Advance::Idle => LineStep::Idle,
            Advance::Paused => LineStep::Paused,
            Advance::End => LineStep::End,
        })
    }

    /// Goes to the next line, or stays at the current one after [`LineBuffer::hold`].
    ///
    /// # Errors
    /// As [`LineBuffer::next_line`].
    // In place in every reader: for short lines a call costs as much as what it does.
    #[inline(always)]
    pub fn advance(&mut self) -> Result<Advance, SourceError> {
        if self.held || self.peel.is_some() {
            return self.advance_peeled();
        }
        let step = self.advance_physical();
        // What was just read may be the first that has anything around it.
        if self.peel.is_none() { step } else { self.peel_from(step) }
    }

    #[inline(never)]
    fn advance_peeled(&mut self) -> Result<Advance, SourceError> {
        if self.held {
            self.held = false;
            return Ok(Advance::Line);
        }
        // A line may hold several.
        if self.peel.as_mut().is_some_and(|peel| peel.next()) {
            return Ok(Advance::Line);
        }
        let step = self.advance_physical();
        self.peel_from(step)
    }

    /// Unwraps physical lines, from that of a step on, until a line is there to be given out.
    #[inline(never)]
    fn peel_from(&mut self, mut step: Result<Advance, SourceError>) -> Result<Advance, SourceError> {
        loop {
            match step {
                Ok(Advance::Line) if !self.peel_line() => step = self.advance_physical(),
                Ok(Advance::End) if self.peel.as_mut().is_some_and(|peel| peel.finish()) => return Ok(Advance::Line),
                Err(fault) if self.peel.as_mut().is_some_and(|peel| peel.finish()) => {
                    self.failed = Some(fault);
                    return Ok(Advance::Line);
                }
                step => return step,
            }
        }
    }

    /// Unwraps the physical line; whether a line is there to be given out.
    fn peel_line(&mut self) -> bool {
        let Some(mut peel) = self.peel.take() else { return true };
        let there = peel.take(&self.physical_line());
        self.peel = Some(peel);
        there
    }

    #[inline(always)]
    fn advance_physical(&mut self) -> Result<Advance, SourceError> {
        if let Some(at) = memchr::memchr(b'\n', &self.window()[self.scanned..self.end]) {
            self.finish_line(self.scanned + at, true);
            return Ok(Advance::Line);
        }
        self.scanned = self.end;
        self.read_line()
    }

    /// Goes to the next line, of which not all has been read.
    #[inline(never)]
    fn read_line(&mut self) -> Result<Advance, SourceError> {
        self.current = None;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.window()[self.scanned..self.end]) {
                let newline = self.scanned + at;
                self.finish_line(newline, true);
                return Ok(Advance::Line);
            }
            self.scanned = self.end;
            self.pass_over();
            if self.ended {
                if self.next == self.end && self.skipping.is_none() {
                    return self.failed.take().map_or(Ok(Advance::End), Err);
                }
                self.finish_line(self.end, false);
                return Ok(Advance::Line);
            }
            if let Some(silence) = self.owed.take() {
                return Ok(silence);
            }
            match self.fill() {
                Fill::Idle => return Ok(Advance::Idle),
                Fill::Paused => return Ok(Advance::Paused),
                Fill::Read(_) | Fill::End | Fill::Interrupted => {}
            }
        }
    }

    /// Lets a thread read ahead and look at the lines; whether it does.
    pub(super) fn read_ahead(&mut self, size: u64) -> bool {
        self.source.read_ahead(self.max_line, size)
    }

    /// The next block of such lines in the place of the one before, and the offset and the number of what stands before it. `None`
    /// where other lines come first, which [`LineBuffer::advance`] gives.
    pub(super) fn block(&mut self, before: Block) -> Option<(Block, u64, u64)> {
        if self.next < self.end || self.skipping.is_some() || self.peel.is_some() || self.held {
            return None;
        }
        let block = self.source.block(before)?;
        let before = (self.offset, self.number);
        let (bytes, lines) = block.size();
        (self.offset, self.number) = (before.0 + bytes, before.1 + lines);
        Some((block, before.0, before.1))
    }

    /// Goes to everything that was read and not given out, whole lines or not, for documents in which lines mean
    /// nothing: [`LineBuffer::raw`] gives it. The lines in it count as given out. Inside of a wrapping it is the next
    /// line, without its end.
    ///
    /// # Errors
    /// As [`LineBuffer::next_line`].
    pub(super) fn advance_bytes(&mut self) -> Result<Advance, SourceError> {
        if self.peel.as_ref().is_some_and(|peel| peel.has_wrap()) {
            return self.advance();
        }
        self.current = None;
        loop {
            if self.next < self.end {
                let mark = self.offset == 0 && self.window()[self.next..self.end].starts_with(BYTE_ORDER_MARK);
                let start = self.next + if mark { BYTE_ORDER_MARK.len() } else { 0 };
                let offset = self.offset + (start - self.next) as u64;
                let length = (self.end - start) as u64;
                self.current =
                    Some(Current { start, end: self.end, offset, length, oversized: false, terminated: false });
                let piece = &self.window()[start..self.end];
                let ends = memchr::memchr_iter(b'\n', piece).count() as u64;
                self.number += ends;
                self.offset = offset + length;
                (self.next, self.scanned) = (self.end, self.end);
                self.in_line = self.window()[self.end - 1] != b'\n';
                return Ok(Advance::Line);
            }
            if self.ended {
                // The last line has no end.
                self.number += u64::from(std::mem::take(&mut self.in_line));
                return self.failed.take().map_or(Ok(Advance::End), Err);
            }
            if let Some(silence) = self.owed.take() {
                return Ok(silence);
            }
            match self.fill() {
                Fill::Idle => return Ok(Advance::Idle),
                Fill::Paused => return Ok(Advance::Paused),
                Fill::Read(_) | Fill::End | Fill::Interrupted => {}
            }
        }
    }

    /// The byte of the input at which [`LineBuffer::raw`] begins.
    pub(super) fn raw_offset(&self) -> u64 {
        match self.peel.as_ref().and_then(|peel| peel.line()) {
            Some(line) => line.offset,
            None => self.current.map_or(self.offset, |current| current.offset),
        }
    }

    /// The line that [`LineBuffer::advance`] went to; an empty line 0 before the first.
    #[inline(always)]
    pub fn line(&mut self) -> Line<'_> {
        match &self.peel {
            Some(peel) if peel.has_line() => self.peel.as_ref().and_then(|peel| peel.line()).expect("a line is there"),
            _ => self.physical_line(),
        }
    }

    #[inline(always)]
    fn physical_line(&mut self) -> Line<'_> {
        let Some(current) = self.current else {
            return Line {
                text: "",
                raw: b"",
                number: self.number,
                offset: self.offset,
                length: 0,
                lossy: false,
                oversized: false,
                terminated: false,
                map: None,
            };
        };
        let raw = &self.storage[self.base..][current.start..current.end];
        // One check a line: only the check itself can make a `&str` of bytes without `unsafe`, so checking a
        // whole chunk first would mean checking every byte twice.
        let (text, lossy) = match simdutf8::basic::from_utf8(raw) {
            Ok(text) => (text, false),
            Err(_) => {
                line::replace_bad_bytes(raw, &mut self.lossy);
                (self.lossy.as_str(), true)
            }
        };
        Line {
            text,
            raw,
            number: self.number,
            offset: current.offset,
            length: current.length,
            lossy,
            oversized: current.oversized,
            terminated: current.terminated,
            map: None,
        }
    }

    /// The bytes of the current line, unchecked: enough to decide what to do with it, for the price of nothing.
    pub(super) fn raw(&self) -> &[u8] {
        if let Some(line) = self.peel.as_ref().and_then(|peel| peel.line()) {
            return line.raw;
        }
        self.current.map_or(&[], |current| &self.window()[current.start..current.end])
    }

    /// Puts the current line back: the next [`LineBuffer::advance`] stays at it.
    pub fn hold(&mut self) {
        self.held = self.current.is_some() || self.peel.as_ref().is_some_and(|peel| peel.has_line());
    }

    /// The bytes that are buffered and not yet given out, at least one whole line if the input has one, at most
    /// 64 KiB of them; used for sniffing and for looking at the line behind. Does not consume, and does not wait
    /// for a live producer that is silent.
    ///
    /// # Errors
    /// None: a fault of the source is told by [`LineBuffer::advance`], behind the bytes before it.
    pub fn peek(&mut self) -> Result<&[u8], SourceError> {
        while self.look_ahead(1) == Advance::Idle {}
        Ok(self.ahead())
    }

    /// Reads until so many bytes, one whole line among them, lie ahead or the input ends (`Line` or `End`), or a
    /// live producer is silent.
    pub(super) fn look_ahead(&mut self, wanted: usize) -> Advance {
        loop {
            let ahead = &self.window()[self.next..self.end];
            if ahead.len() >= wanted && (ahead.len() >= SHOWN || memchr::memchr(b'\n', ahead).is_some()) {
                return Advance::Line;
            }
            if self.ended {
                return Advance::End;
            }
            self.owed = match self.fill() {
                Fill::Idle => Some(Advance::Idle),
                Fill::Paused => Some(Advance::Paused),
                Fill::Read(_) | Fill::End | Fill::Interrupted => None,
            };
            if let Some(silence) = self.owed {
                return silence;
            }
        }
    }

    /// At most 64 KiB of what was read and not given out, without a byte order mark.
    pub(super) fn ahead(&self) -> &[u8] {
        let ahead = &self.window()[self.next..self.end];
        let ahead = if self.offset == 0 { ahead.strip_prefix(BYTE_ORDER_MARK).unwrap_or(ahead) } else { ahead };
        &ahead[..ahead.len().min(SHOWN)]
    }

    /// Whether [`LineBuffer::ahead`] shows all that is left of the input.
    pub(super) fn all_ahead(&self) -> bool {
        self.ended && self.end - self.next <= SHOWN
    }

    /// Bytes and physical lines given out so far.
    pub fn consumed(&self) -> (u64, u64) {
        (self.offset, self.number)
    }

    /// Whether the input ended because the user asked to stop.
    pub fn interrupted(&self) -> bool {
        self.interrupted
    }

    /// Takes a wrapping off the lines from here on, inside of what is taken off already.
    pub(super) fn unwrap(&mut self, wrap: &Wrap, zone: &TimeZone) {
        let (notes, limit) = (&self.notes, self.max_line);
        self.peel.get_or_insert_with(|| Box::new(Peel::new(Rc::clone(notes), limit))).add(wrap, zone);
    }

    /// Whether anything is taken off the lines.
    pub(super) fn is_wrapped(&self) -> bool {
        self.peel.is_some()
    }

    /// What the text that lies ahead will be.
    pub(super) fn preview<'t>(&self, ahead: Cow<'t, str>) -> Cow<'t, str> {
        self.peel.as_ref().map_or(ahead.clone(), |peel| Cow::Owned(peel.preview(&ahead)))
    }

    /// What wrappings tell of the lines.
    pub(super) fn notes(&self) -> Rc<RefCell<Notes>> {
        Rc::clone(&self.notes)
    }

    /// What was taken off the text so far.
    pub fn wrappings(&self) -> Wrappings {
        self.peel.as_ref().map_or(Wrappings::NONE, |peel| peel.wrappings()).union(self.source.wrappings())
    }

    #[inline(always)]
    fn window(&self) -> &[u8] {
        &self.storage[self.base..self.base + self.capacity]
    }

    /// Makes the bytes from `next` to `newline` the current line.
    #[inline(always)]
    fn finish_line(&mut self, newline: usize, terminated: bool) {
        let (start, offset) = (self.next, self.offset);
        let size = newline - start;
        // A byte order mark may stand at the beginning of the input.
        if self.skipping.is_some() || offset == 0 || size > self.max_line {
            return self.finish_odd_line(newline, terminated);
        }
        let carriage_return = terminated && size > 0 && self.window()[newline - 1] == b'\r';
        let end = newline - usize::from(carriage_return);
        let length = (end - start) as u64;
        self.current = Some(Current { start, end, offset, length, oversized: false, terminated });
        self.offset = offset + size as u64 + u64::from(terminated);
        self.number += 1;
        self.next = newline + usize::from(terminated);
        self.scanned = self.next;
    }

    /// The same for lines that are too long, and for the first.
    #[inline(never)]
    fn finish_odd_line(&mut self, newline: usize, terminated: bool) {
        let behind = newline + usize::from(terminated);
        let (start, kept, dropped, before_end) = match self.skipping.take() {
            Some(skip) => {
                let before_end = if newline > skip.kept { self.window()[newline - 1] } else { skip.last };
                (self.next, skip.kept, skip.dropped, Some(before_end))
            }
            None => (self.next, newline, 0, self.window()[self.next..newline].last().copied()),
        };
        let mark = self.offset == 0 && self.window()[start..kept].starts_with(BYTE_ORDER_MARK);
        let start = start + if mark { BYTE_ORDER_MARK.len() } else { 0 };
        let size = (newline - self.next) as u64 + dropped;
        let carriage_return = terminated && before_end == Some(b'\r');
        let mut end = kept;
        let oversized = size > self.max_line as u64;
        if oversized {
            end = self.cut(start, end.min(start + SHOWN.min(self.max_line)));
        } else if carriage_return {
            end -= 1;
        }
        let offset = self.offset + (start - self.next) as u64;
        self.offset += size + u64::from(terminated);
        let length = self.offset - offset - u64::from(terminated) - u64::from(carriage_return);
        self.number += 1;
        self.current = Some(Current { start, end, offset, length, oversized, terminated });
        self.next = behind;
        self.scanned = behind;
    }

    /// A place to cut at, no later than `end`, that splits no character.
    fn cut(&self, start: usize, end: usize) -> usize {
        let bytes = &self.window()[start..end];
        let tail = bytes.len().saturating_sub(3);
        let lead = bytes[tail..].iter().rposition(|byte| byte & 0xc0 != 0x80).map(|at| tail + at);
        match lead {
            Some(at) if std::str::from_utf8(&bytes[at..]).is_err_and(|error| error.error_len().is_none()) => start + at,
            _ => end,
        }
    }

    /// Lets go of the middle of a line that is too long: only its beginning is kept.
    fn pass_over(&mut self) {
        let partial = self.end - self.next;
        if self.skipping.is_none() && partial > self.max_line + BYTE_ORDER_MARK.len() {
            let kept = self.next + partial.min(SHOWN + BYTE_ORDER_MARK.len());
            self.skipping = Some(Skip { kept, dropped: 0, last: self.window()[kept - 1] });
        }
        let Some(skip) = self.skipping else { return };
        if self.end > skip.kept {
            let last = self.window()[self.end - 1];
            let dropped = skip.dropped + (self.end - skip.kept) as u64;
            self.skipping = Some(Skip { dropped, last, ..skip });
            self.end = skip.kept;
            self.scanned = self.end;
        }
    }

    /// Reads once, behind what is there.
    fn fill(&mut self) -> Fill {
        self.make_room();
        // Not more at once than stays in a processor's cache until it is looked at, however long a line has been.
        let room = self.end..self.capacity.min(self.end + CAPACITY);
        let window = &mut self.storage[self.base..self.base + self.capacity];
        let fill = self.source.fill(&mut window[room]).unwrap_or_else(|error| {
            // What was read before the fault is given out before the fault is told.
            self.failed = Some(error);
            Fill::End
        });
        match fill {
            Fill::Read(count) => {
                let new = self.base + self.end..self.base + self.end + count;
                // The one look at all bytes: what is never seen costs nothing more.
                if self.peel.is_none() && peel::is_needed(&self.storage[new]) {
                    self.peel = Some(Box::new(Peel::new(Rc::clone(&self.notes), self.max_line)));
                }
                self.end += count;
            }
            Fill::End => self.ended = true,
            Fill::Interrupted => (self.ended, self.interrupted) = (true, true),
            Fill::Idle | Fill::Paused => {}
        }
        fill
    }

    /// Moves what is left to the front, at most once a line, and grows when a line needs it.
    fn make_room(&mut self) {
        let low = self.current.map_or(self.next, |current| current.start);
        let left = self.end - low;
        let full = self.end == self.capacity;
        // Reads go faster into whole cache lines: let the moved bytes end where one begins.
        let front = left.next_multiple_of(64) - left;
        let capacity = if full && left * 2 > self.capacity {
            // A little more than the limit must fit, or an oversized line would never be noticed.
            self.capacity.saturating_mul(2).min(self.max_line.saturating_add(2 * SHOWN)).max(left + SHOWN)
        } else if self.capacity > SHRINK_ABOVE && left < CAPACITY / 2 {
            CAPACITY
        } else {
            self.capacity
        };
        if capacity != self.capacity {
            let (mut storage, base) = aligned(capacity);
            storage[base + front..base + front + left].copy_from_slice(&self.window()[low..self.end]);
            (self.storage, self.base, self.capacity) = (storage, base, capacity);
        } else if low > front && (left == 0 || full || low >= PAGE) {
            self.storage.copy_within(self.base + low..self.base + self.end, self.base + front);
        } else {
            return;
        }
        let place = |at: usize| at - low + front;
        if let Some(current) = &mut self.current {
            (current.start, current.end) = (place(current.start), place(current.end));
        }
        if let Some(skip) = &mut self.skipping {
            skip.kept = place(skip.kept);
        }
        (self.next, self.scanned, self.end) = (place(self.next), place(self.scanned), place(self.end));
    }
}

/// A zeroed buffer and where in it a page begins.
fn aligned(capacity: usize) -> (Vec<u8>, usize) {
    let storage = vec![0; capacity + PAGE];
    let base = storage.as_ptr().align_offset(PAGE);
    // `align_offset` may refuse by saying `usize::MAX`; speed is all that is lost.
    let base = if base < PAGE { base } else { 0 };
    (storage, base)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::{self, Cursor, Read};

    use super::*;

    fn lines(bytes: impl AsRef<[u8]> + Send + 'static) -> LineBuffer {
        LineBuffer::new(Source::from_read(Cursor::new(bytes)), LineBuffer::MAX_LINE)
    }

    fn text(lines: &mut LineBuffer) -> Option<String> {
        match lines.next_line().unwrap() {
            LineStep::Line(line) => Some(line.text.to_owned()),
            _ => None,
        }
    }

    #[test]
    fn a_look_ahead_takes_nothing() {
        let mut lines = lines("\u{feff}one\ntwo\n");
        assert_eq!(lines.peek().unwrap(), b"one\ntwo\n");
        assert_eq!(lines.consumed(), (0, 0));
        assert_eq!(text(&mut lines).unwrap(), "one");
        assert_eq!(lines.peek().unwrap(), b"two\n");
        assert_eq!(lines.line().text, "one", "the current line stays while the next is looked at");
        assert_eq!(text(&mut lines).unwrap(), "two");
        assert_eq!(lines.peek().unwrap(), b"");
        assert_eq!((text(&mut lines), lines.consumed()), (None, (11, 2)));
    }

    #[test]
    fn a_line_that_was_put_back_comes_again() {
        let mut lines = lines("one\ntwo");
        lines.hold();
        assert_eq!(text(&mut lines).unwrap(), "one");
        lines.hold();
        assert_eq!(text(&mut lines).unwrap(), "one");
        assert_eq!(text(&mut lines).unwrap(), "two");
        assert_eq!((text(&mut lines), lines.consumed()), (None, (7, 2)));
    }

    #[test]
    fn a_huge_line_does_not_keep_its_memory() {
        let mut bytes = vec![b'a'; 9 << 20];
        bytes.extend(b"\nb\n".repeat(CAPACITY));
        let mut lines = lines(bytes);
        assert_eq!(text(&mut lines).unwrap().len(), 9 << 20);
        assert!(lines.capacity >= 9 << 20);
        while text(&mut lines).is_some() {}
        assert_eq!(lines.capacity, CAPACITY);
        assert_eq!(lines.number, 2 * CAPACITY as u64);
    }

    #[test]
    fn a_line_beyond_the_limit_takes_no_memory() {
        let endless = io::repeat(b'a').take(50 << 20).chain(Cursor::new("\nb"));
        let mut lines = LineBuffer::new(Source::from_read(endless), 1 << 20);
        let LineStep::Line(line) = lines.next_line().unwrap() else { panic!("no line") };
        assert_eq!((line.text.len(), line.length, line.oversized), (SHOWN, 50 << 20, true));
        assert!(lines.capacity <= 2 << 20);
        assert_eq!(text(&mut lines).unwrap(), "b");
    }

    #[test]
    fn reads_end_where_a_page_allows() {
        let mut lines = lines("x".repeat(1000) + "\n");
        lines.peek().unwrap();
        assert_eq!(lines.storage.as_ptr().addr().wrapping_add(lines.base) % PAGE, 0);
    }

    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }

    #[test]
    fn what_was_read_comes_before_the_fault() {
        let reader = Cursor::new("one\ntwo").chain(Failing);
        let mut lines = LineBuffer::new(Source::from_live(reader, std::sync::Arc::default()), 100);
        lines.peek().unwrap();
        let mut seen = Vec::new();
        let fault = loop {
            match lines.next_line() {
                Ok(LineStep::Line(line)) => seen.push((line.text.to_owned(), line.terminated)),
                Ok(LineStep::End) => panic!("the fault was not told"),
                Ok(LineStep::Idle | LineStep::Paused) => {}
                Err(fault) => break fault,
            }
        };
        assert_eq!(seen, [("one".to_owned(), true), ("two".to_owned(), false)]);
        assert!(fault.to_string().contains("gone"));
        assert!(matches!(lines.next_line(), Ok(LineStep::End)));
    }
}
