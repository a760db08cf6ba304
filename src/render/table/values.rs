//! JSON values as parts of a cell: short, on one line, and safe.

use std::borrow::Cow;

use super::cells::part;
use super::row::Row;
use super::signs::Signs;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::render::palette::Ink;

/// Values longer than this are not looked into.
pub(super) const LOOK: usize = 16 << 10;
/// Members of a call that are shown.
pub(super) const MEMBERS: usize = 4;
/// Bytes of a text that are shown at most; the cell cuts it again.
const EXCERPT: usize = 160;

/// Members as `name=value`, the first few.
pub(super) fn pairs<'a>(row: &mut Row, signs: &Signs, members: impl Iterator<Item = (Cow<'a, str>, RawJson<'a>)>) {
    for (at, (name, value)) in members.take(MEMBERS).enumerate() {
        if at == 0 {
            part(row, signs);
        } else {
            row.say(Ink::Plain, " ");
        }
        excerpt(row, signs, Ink::Dim, &name);
        row.say(Ink::Dim, "=");
        match value.kind() {
            JsonKind::Object => row.say(Ink::Dim, if value.text() == "{}" { "{}" } else { "{..}" }),
            JsonKind::Array => row.say(Ink::Dim, if value.text() == "[]" { "[]" } else { "[..]" }),
            JsonKind::String => quoted(row, signs, Ink::Plain, value),
            JsonKind::Number | JsonKind::Boolean | JsonKind::Null => excerpt(row, signs, Ink::Plain, value.text()),
        }
    }
}

/// A string in quotes.
pub(super) fn quoted(row: &mut Row, signs: &Signs, ink: Ink, value: RawJson<'_>) {
    row.say(ink, "\"");
    plain(row, signs, ink, value);
    row.say(ink, "\"");
}

/// A string without quotes, any other value as written.
pub(super) fn plain(row: &mut Row, signs: &Signs, ink: Ink, value: RawJson<'_>) {
    if value.kind() == JsonKind::String && value.text().len() <= LOOK {
        excerpt(row, signs, ink, value.as_str().as_deref().unwrap_or_default());
    } else {
        excerpt(row, signs, ink, value.text());
    }
}

/// The first part of a text.
pub(super) fn excerpt(row: &mut Row, signs: &Signs, ink: Ink, text: &str) {
    let end = (0..=EXCERPT.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    // Line ends and tabs of a text say nothing in a cell.
    let mut lines = text[..end].split(['\n', '\r', '\t']).map(str::trim).filter(|line| !line.is_empty());
    row.put(signs, ink, lines.next().unwrap_or_default());
    for line in lines {
        row.say(ink, " ");
        row.put(signs, ink, line);
    }
    if end < text.len() {
        row.say(ink, signs.cut);
    }
}
