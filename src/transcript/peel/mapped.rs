//! Text that was made from the text of an input, with the way back: which bytes of the input each part of it stands
//! for.

use std::ops::Range;

/// A run of text and the run of the input that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where the run begins in the text.
    pub(super) text: usize,
    /// Where it begins in the input.
    pub(super) raw: u64,
    /// Its length in the input.
    pub(super) length: u64,
    /// The text is the input's, byte for byte.
    pub(super) exact: bool,
}

/// The way back from a stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Map<'b> {
    pieces: &'b [Piece],
    /// Where the stretch begins in the text that the pieces count in.
    base: usize,
}

impl Map<'_> {
    /// The bytes of the input that a part of the stretch stands for.
    pub(in crate::transcript) fn place(&self, part: &Range<usize>) -> Range<u64> {
        let (start, end) = (self.base + part.start, self.base + part.end);
        let piece = |at: usize| self.pieces[self.pieces.partition_point(|piece| piece.text <= at).max(1) - 1];
        if self.pieces.is_empty() {
            return 0..0;
        }
        let first = piece(start);
        let from = if first.exact { first.raw + ((start - first.text) as u64).min(first.length) } else { first.raw };
        if start == end {
            return from..from;
        }
        let last = piece(end - 1);
        let behind = if last.exact { (end - last.text) as u64 } else { last.length };
        from..last.raw + behind.min(last.length)
    }
}

/// A stretch of text with its way back.
#[derive(Clone, Copy, Debug)]
pub(in crate::transcript) struct Part<'b> {
    pub(in crate::transcript) text: &'b str,
    pub(in crate::transcript) map: Map<'b>,
}

impl<'b> Part<'b> {
    pub(super) fn new(text: &'b str, pieces: &'b [Piece]) -> Self {
        Self { text, map: Map { pieces, base: 0 } }
    }
}

/// Pieces that a text has at most. What lies beyond is one piece that says only where it is about, so that a text of
/// nothing but escapes takes no more memory than any other.
const MAX_PIECES: usize = 1 << 16;

/// A growing text with its way back.
#[derive(Clone, Debug, Default)]
pub(in crate::transcript) struct Mapped {
    pub(in crate::transcript) text: String,
    pieces: Vec<Piece>,
}

impl Mapped {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.pieces.clear();
    }

    /// A stretch of it.
    pub(in crate::transcript) fn part(&self, range: Range<usize>) -> Part<'_> {
        Part { text: &self.text[range.clone()], map: Map { pieces: &self.pieces, base: range.start } }
    }

    /// The place in the input behind what the text stands for.
    pub(super) fn end(&self) -> u64 {
        self.pieces.last().map_or(0, |piece| piece.raw + piece.length)
    }

    /// Takes the last character back.
    pub(super) fn pop(&mut self) {
        self.text.pop();
        while self.pieces.last().is_some_and(|piece| piece.text >= self.text.len()) {
            self.pieces.pop();
        }
    }

    /// Adds a part of a text that stands at that place of the input, where it is `raw`.
    pub(in crate::transcript) fn keep_raw(&mut self, text: &str, raw: &[u8], offset: u64, range: Range<usize>) {
        if text.as_bytes() == raw {
            let piece = Piece {
                text: self.text.len(),
                raw: offset + range.start as u64,
                length: range.len() as u64,
                exact: true,
            };
            self.text.push_str(&text[range]);
            return self.push(piece);
        }
        let mut pieces = Vec::new();
        pieces_of_line(raw, offset, true, &mut pieces);
        self.keep(Part::new(text, &pieces), range);
    }

    /// Adds a part of another text.
    pub(in crate::transcript) fn keep(&mut self, from: Part<'_>, range: Range<usize>) {
        let (start, end) = (from.map.base + range.start, from.map.base + range.end);
        let first = from.map.pieces.partition_point(|piece| piece.text <= start).max(1) - 1;
        let behind = self.text.len();
        self.text.push_str(&from.text[range]);
        for (index, piece) in from.map.pieces.iter().enumerate().skip(first).take_while(|(_, piece)| piece.text < end) {
            let ends = from.map.pieces.get(index + 1).map_or(usize::MAX, |next| next.text).min(end);
            let begins = piece.text.max(start);
            if begins >= ends {
                continue;
            }
            let cut = if piece.exact { (begins - piece.text) as u64 } else { 0 };
            let length = if piece.exact { ((ends - begins) as u64).min(piece.length) } else { piece.length };
            self.push(Piece { text: behind + begins - start, raw: piece.raw + cut, length, exact: piece.exact });
        }
    }

    /// Adds a text that stands for a part of another.
    pub(super) fn put(&mut self, from: Part<'_>, range: &Range<usize>, text: &str) {
        let place = from.map.place(range);
        let piece = Piece { text: self.text.len(), raw: place.start, length: place.end - place.start, exact: false };
        self.text.push_str(text);
        self.push(piece);
    }

    fn push(&mut self, piece: Piece) {
        let full = self.pieces.len() >= MAX_PIECES;
        if let Some(last) = self.pieces.last_mut() {
            let follows = last.raw + last.length == piece.raw && (piece.text - last.text) as u64 == last.length;
            if last.exact && piece.exact && follows {
                last.length += piece.length;
                return;
            }
            if full {
                last.length = (piece.raw + piece.length).saturating_sub(last.raw).max(last.length);
                last.exact = false;
                return;
            }
        }
        self.pieces.push(piece);
    }
}

/// The pieces of a line as it stands in the input; bad bytes were replaced.
pub(super) fn pieces_of_line(raw: &[u8], offset: u64, lossy: bool, pieces: &mut Vec<Piece>) {
    pieces.clear();
    if !lossy {
        pieces.push(Piece { text: 0, raw: offset, length: raw.len() as u64, exact: true });
        return;
    }
    let mut mapped = Mapped::default();
    let mut at = offset;
    let mut text = 0;
    for chunk in raw.utf8_chunks() {
        let valid = chunk.valid().len();
        mapped.push(Piece { text, raw: at, length: valid as u64, exact: true });
        (text, at) = (text + valid, at + valid as u64);
        if !chunk.invalid().is_empty() {
            let length = chunk.invalid().len() as u64;
            mapped.push(Piece { text, raw: at, length, exact: false });
            (text, at) = (text + char::REPLACEMENT_CHARACTER.len_utf8(), at + length);
        }
    }
    pieces.append(&mut mapped.pieces);
}
