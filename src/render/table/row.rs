//! One row before it has widths: cells made of coloured pieces of safe text, in buffers that are used again.
//!
//! Measuring and writing are apart, because the widths of the columns are fixed only when the first page is known.

use std::fmt;

use super::layout::{Layout, Push};
use super::signs::Signs;
use crate::render::escape;
use crate::render::palette::{Ink, Palette};

/// A row under construction, and then held or written.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    text: String,
    pieces: Vec<Piece>,
    /// End of each cell in `pieces`.
    cells: Vec<usize>,
    /// The last cell takes the rest of the line, whatever columns are left.
    spanning: bool,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    ink: Ink,
    end: usize,
    width: usize,
    /// Says only that the cell is empty: gives way to what needs its room.
    filler: bool,
}

impl Row {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.pieces.clear();
        self.cells.clear();
        self.spanning = false;
    }

    /// Adds transcript text to the current cell.
    pub(super) fn put(&mut self, signs: &Signs, ink: Ink, text: &str) {
        let start = self.text.len();
        if signs.ascii {
            escape::push_ascii(&mut self.text, text);
        } else {
            escape::push_terminal(&mut self.text, text);
        }
        self.close(ink, start);
    }

    /// Adds the program's own text to the current cell.
    pub(super) fn say(&mut self, ink: Ink, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.close(ink, start);
    }

    /// Adds the program's own text to the current cell.
    pub(super) fn say_fmt(&mut self, ink: Ink, text: fmt::Arguments<'_>) {
        let start = self.text.len();
        // Writing to a String cannot fail.
        _ = fmt::Write::write_fmt(&mut self.text, text);
        self.close(ink, start);
    }

    /// Adds one piece made of several texts, of which the caller knows how many columns they take.
    pub(super) fn say_all(&mut self, ink: Ink, texts: &[&str], width: usize) {
        texts.iter().for_each(|text| self.text.push_str(text));
        self.pieces.push(Piece { ink, end: self.text.len(), width, filler: false });
    }

    /// Marks the current cell as empty, as long as its room is not needed.
    pub(super) fn fill(&mut self, sign: &str) {
        self.text.push_str(sign);
        self.pieces.push(Piece { ink: Ink::Dim, end: self.text.len(), width: 1, filler: true });
    }

    fn close(&mut self, ink: Ink, start: usize) {
        if self.text.len() > start {
            let width = escape::width(&self.text[start..]);
            self.pieces.push(Piece { ink, end: self.text.len(), width, filler: false });
        }
    }

    /// Whether something stands in the current cell.
    pub(super) fn begun(&self) -> bool {
        self.pieces.len() > self.cells.last().copied().unwrap_or(0)
    }

    /// Ends the current cell.
    pub(super) fn end_cell(&mut self) {
        self.cells.push(self.pieces.len());
    }

    /// Ends the current cell, which takes the rest of the line.
    pub(super) fn end_spanning(&mut self) {
        self.end_cell();
        self.spanning = true;
    }

    /// Cells that have a column of their own, and the width of each; nothing where only a filler stands.
    pub(super) fn widths(&self) -> impl Iterator<Item = usize> {
        let own = self.cells.len() - usize::from(self.spanning);
        (0..own).map(|at| if self.says(at) { self.cell(at).iter().map(|piece| piece.width).sum() } else { 0 })
    }

    /// Whether the cell says anything.
    pub(super) fn says(&self, at: usize) -> bool {
        at < self.cells.len() && self.cell(at).first().is_some_and(|piece| !piece.filler)
    }

    fn cell(&self, at: usize) -> &[Piece] {
        let start = if at == 0 { 0 } else { self.cells[at - 1] };
        &self.pieces[start..self.cells[at]]
    }

    /// Appends the row as one line with its end. What does not fit its column runs into empty cells behind it, and is
    /// cut before the next that says something; numbers, and needs as long as there is room, push that instead.
    pub(super) fn write(&self, layout: &Layout, palette: &Palette, signs: &Signs, out: &mut String) {
        let mut at = 0;
        let mut from = 0;
        for index in 0..self.cells.len() {
            let pieces = self.cell(index);
            let text_start = from;
            from = pieces.last().map_or(from, |piece| piece.end);
            let Some(first) = pieces.first() else { continue };
            let column = layout.column(index);
            // What takes the rest of the line needs no column of its own.
            let spans = self.spanning && index + 1 == self.cells.len();
            if (column.hidden && !spans) || (first.filler && at >= column.start && at > 0) {
                continue;
            }
            let width: usize = pieces.iter().map(|piece| piece.width).sum();
            let mut start = if at > 0 { column.start.max(at + 1) } else { column.start };
            let last = index + 1 == self.cells.len();
            if column.right && !(last && self.spanning) {
                start = start.max(column.end.saturating_sub(width));
            }
            let room = if width <= column.end.saturating_sub(start) && !last {
                width
            } else {
                self.room(layout, index, start, width)
            };
            for _ in at..start {
                out.push(' ');
            }
            at = start;
            if width <= room {
                let mut begin = text_start;
                for piece in pieces {
                    palette.push(out, piece.ink, &self.text[begin..piece.end]);
                    begin = piece.end;
                }
                at += width;
            } else if column.name {
                at += middle(&self.text[text_start..from], room, first.ink, palette, signs, out);
            } else {
                at += self.cut(pieces, text_start, room, palette, signs, out);
            }
        }
        out.push('\n');
    }

    /// Columns that a cell may take when it does not fit its own.
    #[cold]
    fn room(&self, layout: &Layout, index: usize, start: usize, width: usize) -> usize {
        let column = layout.column(index);
        let total = layout.total.unwrap_or(usize::MAX / 2);
        let next = (index + 1..self.cells.len()).find(|&next| self.says(next) && !layout.column(next).hidden);
        let free = match next {
            None => total.saturating_sub(start),
            Some(next) => {
                let next_width: usize = self.cell(next).iter().map(|piece| piece.width).sum();
                let place = layout.column(next);
                let begin = if place.right { place.end.saturating_sub(next_width) } else { place.start };
                let own = begin.saturating_sub(start + 1).max(column.end.saturating_sub(start));
                let rest = |keep| self.rest(layout, next, keep);
                match column.pushes {
                    Push::No => own,
                    Push::Cuts => own.max(total.saturating_sub(start + rest(layout.keep))),
                    Push::ShiftsName => {
                        let name = self.name_width(index);
                        if name <= own {
                            own
                        } else {
                            own.max(name.min(total.saturating_sub(start + rest(usize::MAX))))
                        }
                    }
                    Push::Shifts => own.max(width.min(total.saturating_sub(start + rest(usize::MAX)))),
                }
            }
        };
        let number = column.soft && (!column.name || self.plain_number(index));
        if number { width.min(total.saturating_sub(start)) } else { free }
    }

    /// The width of a cell without what it is about.
    fn name_width(&self, index: usize) -> usize {
        let name = self.cell(index).iter().take_while(|piece| piece.ink != Ink::Target);
        let sign = self.cell(index).iter().any(|piece| piece.ink == Ink::Target);
        name.map(|piece| piece.width).sum::<usize>() + usize::from(sign)
    }

    /// Columns that the cells from here on take with a space before each, when no more than so many are left to each.
    fn rest(&self, layout: &Layout, from: usize, keep: usize) -> usize {
        let width = |at: usize| self.cell(at).iter().map(|piece| piece.width).sum::<usize>();
        (from..self.cells.len())
            .filter(|&at| self.says(at) && !layout.column(at).hidden)
            .map(|at| 1 + width(at).min(keep))
            .sum()
    }

    /// Ids that are strings may be cut, numbers may not.
    fn plain_number(&self, index: usize) -> bool {
        let begin =
            self.cells[..index].last().and_then(|&cell| cell.checked_sub(1)).map_or(0, |at| self.pieces[at].end);
        !self.text[begin..].starts_with('"')
    }

    /// Writes the beginning of a cell and the sign for the rest; gives the columns used.
    fn cut(
        &self,
        pieces: &[Piece],
        mut begin: usize,
        room: usize,
        palette: &Palette,
        signs: &Signs,
        out: &mut String,
    ) -> usize {
        let sign = escape::fit(signs.cut, room).0;
        let mut left = room - escape::width(sign);
        let mut taken = 0;
        let mut ink = Ink::Plain;
        for piece in pieces {
            ink = piece.ink;
            let (text, used) = escape::fit(&self.text[begin..piece.end], left);
            if !text.is_empty() {
                palette.push(out, ink, text);
            }
            taken += used;
            left -= used;
            if begin + text.len() < piece.end {
                break;
            }
            begin = piece.end;
        }
        palette.push(out, ink, sign);
        taken + escape::width(sign)
    }
}

/// Writes a quoted name without its quotes and cut in its middle, because names that are counted differ at their end;
/// gives the columns used.
fn middle(name: &str, room: usize, ink: Ink, palette: &Palette, signs: &Signs, out: &mut String) -> usize {
    let name = name.trim_matches('"');
    let all = escape::width(name);
    if all <= room {
        palette.push(out, ink, name);
        return all;
    }
    let sign = escape::fit(signs.cut, room).0;
    let left = room - escape::width(sign);
    let (head, head_width) = escape::fit(name, left / 3);
    let (tail, tail_width) = escape::fit_end(name, left - head_width);
    for text in [head, sign, tail] {
        palette.push(out, ink, text);
    }
    head_width + escape::width(sign) + tail_width
}
