//! One line of a transcript in a margin, cut to the width around the part that is marked. All text comes out safe.

use std::borrow::Cow;

use crate::render::escape;
use crate::render::palette::{Ink, Palette};

/// The signs of the margin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signs {
    ascii: bool,
    first: &'static str,
    next: &'static str,
    bar: &'static str,
    cut: &'static str,
    pub(super) more: &'static str,
}

impl Signs {
    pub(super) const UNICODE: Self =
        Self { ascii: false, first: "┌─", next: "├─", bar: "│", cut: "…", more: "↳" };
    pub(super) const ASCII: Self = Self { ascii: true, first: "-->", next: "-->", bar: "|", cut: "...", more: "+" };

    pub(super) fn safe<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.ascii && !text.is_ascii() {
            let mut safe = String::new();
            escape::push_ascii(&mut safe, text);
            Cow::Owned(safe)
        } else {
            escape::terminal(text)
        }
    }
}

/// Bytes on either side of the mark that are looked at; more does not fit into a line.
const NEAR: usize = 1_024;

/// The margin of one finding.
pub(super) struct Snippet<'p> {
    width: usize,
    signs: Signs,
    palette: &'p Palette,
    digits: usize,
}

impl<'p> Snippet<'p> {
    /// A margin wide enough for the largest line number.
    pub(super) fn new(width: usize, signs: Signs, palette: &'p Palette, largest: u64) -> Self {
        Self { width, signs, palette, digits: largest.to_string().len() }
    }

    fn margin(&self, out: &mut String, number: &str, sign: &str) {
        let text = format!("{number:>digits$} {sign}", digits = self.digits);
        self.palette.push(out, Ink::Dim, &text);
        out.push(' ');
    }

    /// Where the text stands.
    pub(super) fn head(&self, out: &mut String, place: &str, first: bool) {
        self.margin(out, "", if first { self.signs.first } else { self.signs.next });
        out.push_str(&self.signs.safe(place));
        out.push('\n');
    }

    /// A remark below the text; not wrapped, so that addresses stay whole.
    pub(super) fn note(&self, out: &mut String, text: &str) {
        self.margin(out, "", "=");
        out.push_str(&self.signs.safe(text));
        out.push('\n');
    }

    /// The text, and below it the mark with its label.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn text(
        &self,
        out: &mut String,
        line: u64,
        text: &str,
        mark: Option<(usize, usize)>,
        ink: Ink,
        stroke: char,
        label: &str,
    ) {
        let (start, length) = mark.unwrap_or((0, 0));
        let (before, rest) = text.split_at(floor(text, start));
        let (marked, after) = rest.split_at(floor(rest, length));
        let room = self.width.saturating_sub(self.digits + 3).max(20);
        let safe = |text: &str| self.signs.safe(text).into_owned();
        let cut = escape::width(self.signs.cut);

        // The mark comes first, then some of what stands before it, then what follows.
        let whole = safe(&marked[..floor(marked, NEAR)]);
        let (marked_shown, marked_columns) = escape::fit(&whole, room * 2 / 3);
        let marked_cut = marked_shown.len() < whole.len() || marked.len() > NEAR;
        let behind = safe(&after[..floor(after, NEAR)]);
        let wanted_behind = escape::width(&behind).min(room / 4);
        let before_room = room.saturating_sub(marked_columns + wanted_behind + 2 * cut);
        let ahead = safe(&before[ceil(before, before.len().saturating_sub(NEAR))..]);
        let (before_shown, before_columns) = escape::fit_end(&ahead, before_room);
        let before_cut = before_shown.len() < ahead.len() || before.len() > NEAR;
        let used = before_columns + usize::from(before_cut) * cut + marked_columns + usize::from(marked_cut) * cut;
        let (after_shown, _) = match escape::width(&behind) <= room.saturating_sub(used) && after.len() <= NEAR {
            true => (behind.as_str(), 0),
            false => escape::fit(&behind, room.saturating_sub(used + cut)),
        };
        let after_cut = after_shown.len() < behind.len() || after.len() > NEAR;

        self.margin(out, &line.to_string(), self.signs.bar);
        if before_cut {
            self.palette.push(out, Ink::Dim, self.signs.cut);
        }
        out.push_str(before_shown);
        self.palette.push(out, if mark.is_some() { ink } else { Ink::Plain }, marked_shown);
        if marked_cut {
            self.palette.push(out, Ink::Dim, self.signs.cut);
        } else {
            out.push_str(after_shown);
            if after_cut {
                self.palette.push(out, Ink::Dim, self.signs.cut);
            }
        }
        out.push('\n');
        if mark.is_none() {
            return;
        }
        self.margin(out, "", self.signs.bar);
        out.extend(std::iter::repeat_n(' ', before_columns + usize::from(before_cut) * cut));
        let mut under: String = std::iter::repeat_n(stroke, marked_columns.max(1)).collect();
        if !label.is_empty() {
            under.push(' ');
            under.push_str(&self.signs.safe(label));
        }
        self.palette.push(out, ink, &under);
        out.push('\n');
    }
}

/// The last character boundary not after `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The first character boundary not before `at`.
fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}
