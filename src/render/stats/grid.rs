//! A table of a few columns behind names, in a given width: columns give way before names are cut short.

use std::fmt::Write as _;

use crate::render::escape;
use crate::render::palette::{Ink, Palette};
use crate::render::table::Signs;

/// The narrowest name that is still worth reading.
const NAME: usize = 18;
/// The widest.
const WIDEST: usize = 60;
/// Columns between columns.
const GAP: usize = 2;

/// A cell: how it looks and what it says, as safe text.
pub(super) type Said = (Ink, String);

/// A name and the cells behind it.
pub(super) type Line = (Said, Vec<Said>);

/// A column: its head, whether it stands at the right edge, and how early it gives way (0: never).
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub(super) name: &'static str,
    pub(super) right: bool,
    pub(super) gives_way: u8,
}

/// A column of numbers.
pub(super) const fn right(name: &'static str, gives_way: u8) -> Head {
    Head { name, right: true, gives_way }
}

/// How tables look.
pub(super) struct Grid<'a> {
    pub(super) signs: &'a Signs,
    pub(super) palette: &'a Palette,
    pub(super) width: usize,
}

/// The columns for which there is room.
struct Layout<'a> {
    heads: &'a [Head],
    kept: Vec<usize>,
    widths: Vec<usize>,
    name: usize,
}

impl Grid<'_> {
    /// Appends an empty line, the heads and the lines; nothing without lines.
    pub(super) fn write(&self, out: &mut String, title: &str, heads: &[Head], lines: &[Line]) {
        if lines.is_empty() {
            return;
        }
        let layout = self.layout(title, heads, lines);
        out.push('\n');
        let titles: Vec<Said> = heads.iter().map(|head| (Ink::Dim, head.name.to_owned())).collect();
        self.line(out, &layout, &(Ink::Dim, title.to_owned()), &titles);
        for (name, cells) in lines {
            self.line(out, &layout, name, cells);
        }
    }

    fn layout<'h>(&self, title: &str, heads: &'h [Head], lines: &[Line]) -> Layout<'h> {
        let wide = |at: usize| {
            let cells = lines.iter().filter_map(|(_, cells)| cells.get(at));
            cells.map(|(_, cell)| escape::width(cell)).max().unwrap_or(0).max(escape::width(heads[at].name))
        };
        let widths: Vec<usize> = (0..heads.len()).map(wide).collect();
        let names = lines.iter().map(|((_, name), _)| escape::width(name)).max().unwrap_or(0);
        let wanted = names.max(escape::width(title)).min(WIDEST);
        let mut kept: Vec<usize> = (0..heads.len()).collect();
        let taken = |kept: &[usize]| kept.iter().map(|&at| widths[at] + GAP).sum::<usize>();
        // Names may become shorter by a third before a column gives way.
        while taken(&kept) + (wanted * 2 / 3).max(NAME.min(wanted)) > self.width {
            let may = kept.iter().copied().filter(|&at| heads[at].gives_way > 0);
            let Some(first) = may.max_by_key(|&at| heads[at].gives_way) else { break };
            kept.retain(|&at| at != first);
        }
        let name = wanted.min(self.width.saturating_sub(taken(&kept))).max(4);
        Layout { heads, kept, widths, name }
    }

    fn line(&self, out: &mut String, layout: &Layout<'_>, (ink, name): &Said, cells: &[Said]) {
        let cut = if escape::width(name) > layout.name { self.signs.cut } else { "" };
        let (name, used) = escape::fit(name, layout.name - escape::width(cut));
        self.palette.push(out, *ink, name);
        out.push_str(cut);
        // Spaces are written when something follows them.
        let mut pad = layout.name - used - escape::width(cut);
        for &at in &layout.kept {
            let Some((ink, word)) = cells.get(at) else { continue };
            let space = layout.widths[at] - escape::width(word);
            let (before, after) = if layout.heads[at].right { (space, 0) } else { (0, space) };
            pad += GAP + before;
            if !word.is_empty() {
                _ = write!(out, "{:pad$}", "");
                self.palette.push(out, *ink, word);
                pad = 0;
            }
            pad += after;
        }
        out.push('\n');
    }
}
