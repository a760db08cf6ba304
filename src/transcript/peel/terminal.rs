//! What a terminal would show of the text that was sent to it: lines end at line feeds and where a return lets the next
//! text overwrite them, backspaces take back. Text is never lost for being overwritten.

use super::lines::{Lines, Meta};
use super::mapped::Part;
use super::{LineKind, LineSource, colours};

/// A terminal between two texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Terminal {
    /// A return was the last that came: what follows decides what it meant.
    returned: bool,
    /// Columns, where they are known.
    pub(super) width: Option<usize>,
}

impl Terminal {
    /// Shows a text, which may hold any number of line ends.
    pub(super) fn show(&mut self, from: Part<'_>, meta: &Meta, lines: &mut Lines) {
        let mut plain = Vec::new();
        colours::plain(from.text, |range| plain.push(range));
        for range in plain {
            let mut at = range.start;
            while at < range.end {
                let rest = &from.text.as_bytes()[at..range.end];
                let run =
                    rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | 0x07 | 0x08)).unwrap_or(rest.len());
                if run > 0 {
                    self.settle(meta, lines);
                    lines.keep(from, at..at + run, meta);
                    at += run;
                    continue;
                }
                match rest[0] {
                    b'\n' => {
                        self.returned = false;
                        lines.finish(meta);
                    }
                    b'\r' => self.returned = true,
                    0x08 => lines.take_back(),
                    _ => {}
                }
                at += 1;
            }
        }
    }

    /// Decides what a return before further text meant. A shell that breaks what is typed at the last column writes a
    /// blank and a return there; anything else lets the line be overwritten.
    fn settle(&mut self, meta: &Meta, lines: &mut Lines) {
        if !std::mem::take(&mut self.returned) || !lines.is_growing() {
            return;
        }
        let broken = lines.growing_text().strip_suffix(' ').zip(self.width).is_some_and(|(typed, width)| {
            let columns = typed.chars().count();
            columns > 0 && columns % width == 0
        });
        if broken {
            lines.take_back();
        } else {
            lines.finish(meta);
        }
    }
}

/// Gives a line that only frames others, where none grows; otherwise it is part of the one that grows.
pub(super) fn frame(line: &LineSource<'_>, lines: &mut Lines) {
    if lines.is_growing() {
        lines.keep(line.part, 0..0, &line.meta);
        return;
    }
    let meta = Meta { kind: LineKind::Framing, ..line.meta };
    lines.keep(line.part, 0..line.part.text.len(), &meta);
    lines.finish(&meta);
}
