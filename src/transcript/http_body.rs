//! The body of an HTTP message in text, put together from its lines: where it ends, and where its parts stand in the
//! input. Undoes the chunked coding (RFC 9112, 7.1), also where copying has changed the line ends.

use std::ops::Range;

use super::json_scan::Scanner;
use super::{Flag, Flags, Line};
use crate::position::Position;

/// What a line made of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fed {
    /// It goes on.
    More,
    /// An event of the stream is whole.
    Events,
    /// The JSON text is whole; the place in the line where something else follows it.
    Json(Option<usize>),
    /// The body is through.
    End,
}

/// What the body is, as soon as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unknown,
    Json,
    Stream,
    /// Neither: it is passed over.
    Other,
    /// A JSON text that is through, or no body at all.
    Done,
}

/// How far the chunked coding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chunks {
    /// The head may have said so, but the text shows none.
    None,
    /// The first line tells.
    Maybe,
    Data {
        size: u64,
        taken: u64,
        ends: u64,
    },
    Trailer,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Buffer {
    text: String,
    /// For each piece of a line: where it begins in the text, its offset in the input, and its line.
    pieces: Vec<(usize, u64, u64)>,
    scanner: Scanner,
    kind: Kind,
    chunks: Chunks,
    /// What the head says of the length.
    length: Option<u64>,
    /// Bytes of the body so far.
    taken: u64,
    /// Line ends within them.
    ends: u64,
    /// The byte behind the last line.
    end: u64,
    flags: Flags,
    limit: usize,
}

/// A text that grew beyond this is given back.
const KEEP: usize = 1 << 20;
/// Behind so many bad stretches of one line places are no longer exact.
const MAX_REPLACED: usize = 4_096;

impl Buffer {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            text: String::new(),
            pieces: Vec::new(),
            scanner: Scanner::default(),
            kind: Kind::Done,
            chunks: Chunks::None,
            length: None,
            taken: 0,
            ends: 0,
            end: 0,
            flags: Flags::NONE,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
        }
    }

    /// Begins a body behind a head. `chunked`: its first line may be the size of a chunk.
    pub(super) fn begin(&mut self, stream: bool, length: Option<u64>, chunked: bool) {
        self.done();
        self.kind = if stream { Kind::Stream } else { Kind::Unknown };
        self.chunks = if chunked && length.is_none() { Chunks::Maybe } else { Chunks::None };
        (self.length, self.taken, self.ends, self.end) = (length, 0, 0, 0);
    }

    /// Lets go of the text: what is left of the body is passed over.
    pub(super) fn done(&mut self) {
        if self.text.capacity() > KEEP {
            self.text = String::new();
        }
        self.text.clear();
        self.pieces.clear();
        self.scanner = Scanner::default();
        self.flags = Flags::NONE;
        self.kind = Kind::Done;
    }

    pub(super) fn is_stream(&self) -> bool {
        self.kind == Kind::Stream
    }

    pub(super) fn is_json(&self) -> bool {
        self.kind == Kind::Json
    }

    /// A body of another kind whose length is known and not reached: nothing in it is a head.
    pub(super) fn is_opaque(&self) -> bool {
        self.kind == Kind::Other && self.length.is_some_and(|length| self.taken + self.ends < length)
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn flags(&self) -> Flags {
        self.flags
    }

    /// Why the end of the input came too early, if it did.
    pub(super) fn missing(&self, whole: bool) -> Option<String> {
        if self.kind == Kind::Json {
            return Some("inside a JSON body".to_owned());
        }
        if !whole {
            return None;
        }
        match (self.chunks, self.length) {
            (Chunks::Data { size, taken, ends }, _) if taken + ends + 2 < size => {
                Some(format!("inside a chunk of {size} bytes"))
            }
            (Chunks::None, Some(length)) if self.taken + 2 * self.ends + 2 < length && self.kind != Kind::Done => {
                Some(format!("inside a body of {length} bytes"))
            }
            _ => None,
        }
    }

    /// Takes what stands in a line from a place on.
    pub(super) fn feed(&mut self, line: &Line<'_>, from: usize) -> Fed {
        let piece = &line.text[from..];
        // The line end before this line: one byte or two.
        let before =
            if self.taken + self.ends == 0 && self.end == 0 { 0 } else { line.offset.saturating_sub(self.end) };
        let first = self.end == 0;
        self.end = line.offset + line.length;
        match self.chunks {
            Chunks::None => {}
            Chunks::Maybe => match chunk_size(piece) {
                Some(0) => {
                    self.chunks = Chunks::Trailer;
                    return self.whole();
                }
                Some(size) => {
                    self.chunks = Chunks::Data { size, taken: 0, ends: 0 };
                    return Fed::More;
                }
                None => self.chunks = Chunks::None,
            },
            Chunks::Trailer => return if piece.is_empty() { Fed::End } else { Fed::More },
            Chunks::Data { size, taken, ends } => {
                // Where copying has shortened the line ends the count is never reached. Sizes then stay in the text, where
                // between events they are fields that nobody knows.
                let may_end = taken >= size;
                match chunk_size(piece).filter(|_| may_end) {
                    Some(0) => {
                        self.chunks = Chunks::Trailer;
                        return self.whole();
                    }
                    Some(size) => {
                        self.chunks = Chunks::Data { size, taken: 0, ends: 0 };
                        return Fed::More;
                    }
                    None => {
                        let (before, end) = if taken == 0 && ends == 0 { (0, 0) } else { (before, 1) };
                        let taken = taken + before + piece.len() as u64;
                        self.chunks = Chunks::Data { size, taken, ends: ends + 1 };
                        return self.append(line, from, end == 1);
                    }
                }
            }
        }
        self.taken += before + piece.len() as u64;
        self.ends += u64::from(!first);
        let fed = self.append(line, from, !first);
        let through = self.length.is_some_and(|length| self.taken >= length);
        if fed == Fed::More && through && !matches!(self.kind, Kind::Json) { Fed::End } else { fed }
    }

    /// What there is when the last chunk is through.
    fn whole(&self) -> Fed {
        match self.kind {
            Kind::Stream => Fed::Events,
            _ => Fed::More,
        }
    }

    /// Appends a piece, behind a line end if one belongs to the body.
    fn append(&mut self, line: &Line<'_>, from: usize, line_end: bool) -> Fed {
        let piece = &line.text[from..];
        if self.kind == Kind::Unknown && !piece.trim_ascii().is_empty() {
            self.kind = if piece.trim_ascii_start().starts_with(['{', '[']) { Kind::Json } else { Kind::Other };
        }
        if !matches!(self.kind, Kind::Json | Kind::Stream) {
            return Fed::More;
        }
        if line_end {
            self.text.push('\n');
            self.scanner.feed("\n");
        }
        let fits = piece.len() <= self.limit.saturating_sub(self.text.len());
        self.locate(line, from);
        self.flags = self.flags.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized || !fits, Flag::Oversized);
        if self.kind == Kind::Stream {
            self.text.push_str(if fits { piece } else { "" });
            return if piece.is_empty() { Fed::Events } else { Fed::More };
        }
        match self.scanner.feed(piece) {
            Some(end) => {
                self.text.push_str(if fits { &piece[..end] } else { "" });
                Fed::Json((end < piece.len()).then_some(from + end))
            }
            None => {
                self.text.push_str(if fits { piece } else { "" });
                Fed::More
            }
        }
    }

    /// Notes where the piece that is appended next stands: behind bad bytes, which were replaced, anew.
    fn locate(&mut self, line: &Line<'_>, from: usize) {
        let base = self.text.len();
        self.pieces.push((base, line.locate(from..line.text.len()).0, line.number));
        if !line.lossy {
            return;
        }
        let (mut text, mut raw) = (0, 0);
        for chunk in line.raw.utf8_chunks().take(MAX_REPLACED) {
            text += chunk.valid().len();
            raw += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                text += char::REPLACEMENT_CHARACTER.len_utf8();
                raw += chunk.invalid().len();
            }
            if text > from {
                self.pieces.push((base + text - from, line.offset + raw as u64, line.number));
            }
        }
    }

    /// Where a part of the text stands in the input.
    pub(super) fn place(&self, part: Range<usize>) -> Position {
        let find = |at: usize| {
            let index = self.pieces.partition_point(|(start, ..)| *start <= at).saturating_sub(1);
            let (start, offset, line) = self.pieces.get(index).copied().unwrap_or_default();
            let next = self.pieces.get(index + 1).map_or(u64::MAX, |next| next.1);
            (offset + (at - start.min(at)) as u64, next, line)
        };
        let (offset, _, line) = find(part.start);
        // A part that ends where a piece begins ends in the piece before it.
        let (last, next, end_line) = find(part.end.saturating_sub(1).max(part.start));
        let end = if part.is_empty() { offset } else { (last + 1).min(next) };
        Position { line, end_line, offset, length: end.min(self.end).saturating_sub(offset), lead: None, entry: None }
    }

    /// Drops the beginning of the text.
    pub(super) fn drain(&mut self, through: usize) {
        self.text.drain(..through);
        let kept = self.pieces.partition_point(|(start, ..)| *start <= through).saturating_sub(1);
        self.pieces.drain(..kept);
        for (start, offset, _) in &mut self.pieces {
            *offset += through.saturating_sub(*start) as u64;
            *start = start.saturating_sub(through);
        }
    }
}

/// The size that a line gives of the chunk behind it.
fn chunk_size(line: &str) -> Option<u64> {
    let digits = line.split(';').next()?.trim_ascii();
    let known = !digits.is_empty() && digits.len() <= 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| known)
}
