//! One row before it has widths: cells made of coloured pieces of safe text, in buffers that are used again.
//!
//! Measuring and writing are apart, because the widths of the columns are fixed only when the first page is known.

use std::fmt;

use super::layout::Layout;
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

    fn close(&mut self, ink: Ink, start: usize) {
        if self.text.len() > start {
            let width = escape::width(&self.text[start..]);
            self.pieces.push(Piece { ink, end: self.text.len(), width });
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

    /// Cells that have a column of their own, and the width of each.
    pub(super) fn widths(&self) -> impl Iterator<Item = usize> {
        let own = self.cells.len() - usize::from(self.spanning);
        (0..own).map(|at| self.cell(at).iter().map(|piece| piece.width).sum())
    }

    fn cell(&self, at: usize) -> &[Piece] {
        let start = if at == 0 { 0 } else { self.cells[at - 1] };
        &self.pieces[start..self.cells[at]]
    }

    /// Appends the row as one line with its end. No cell leaves its column, but a number that outgrew its column
    /// pushes what follows, which then has less room.
    pub(super) fn write(&self, layout: &Layout, palette: &Palette, signs: &Signs, out: &mut String) {
        let mut at = 0;
        let mut from = 0;
        for index in 0..self.cells.len() {
            let pieces = self.cell(index);
            let start_of_text = from;
            from = pieces.last().map_or(from, |piece| piece.end);
            let Some(first) = pieces.first() else { continue };
            let column = layout.column(index);
            if column.hidden {
                continue;
            }
            let last = index + 1 == self.cells.len();
            let start = if at > 0 { column.start.max(at + 1) } else { column.start };
            let room = match (last, layout.total, column.soft) {
                (true, Some(total), _) => total.saturating_sub(start),
                (true, None, _) | (_, _, true) => usize::MAX,
                (false, _, false) => column.end.saturating_sub(start),
            };
            let width: usize = pieces.iter().map(|piece| piece.width).sum();
            let indent =
                if column.right && !last { (column.end.saturating_sub(start)).saturating_sub(width) } else { 0 };
            for _ in at..start + indent {
                out.push(' ');
            }
            at = start + indent;
            if width <= room {
                let mut begin = start_of_text;
                for piece in pieces {
                    palette.push(out, piece.ink, &self.text[begin..piece.end]);
                    begin = piece.end;
                }
                at += width;
                continue;
            }
            let sign = escape::fit(signs.cut, room).0;
            let mut left = room - escape::width(sign);
            let mut begin = start_of_text;
            let mut ink = first.ink;
            for piece in pieces {
                ink = piece.ink;
                let (text, used) = escape::fit(&self.text[begin..piece.end], left);
                if !text.is_empty() {
                    palette.push(out, ink, text);
                }
                at += used;
                left -= used;
                if begin + text.len() < piece.end {
                    break;
                }
                begin = piece.end;
            }
            palette.push(out, ink, sign);
            at += escape::width(sign);
        }
        out.push('\n');
    }
}
