//! Figures to text: one file per output, STATS_OUTPUTS. Counts nothing.

mod columns;
mod grid;
mod prometheus;
mod rows;
mod table;

use std::fmt;
use std::io::{self, Read, Write};

use super::json::v1::V1Stats;
use crate::stats::{Cell, Field, Figures, Groups, Value};

pub use self::columns::{COLUMNS, Column};

/// What to show of the figures.
pub struct Shown<'a> {
    /// The figures.
    pub figures: &'a Figures,
    /// The grouping that the user asked for; `None`: each output has its own.
    pub by: Option<&'a [Field]>,
    /// At most so many groups.
    pub top: Option<usize>,
    /// The order of groups.
    pub sort: Sort,
    /// Width, colours, signs.
    pub look: Look,
}

/// How a table looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Columns of the terminal, or the width to assume.
    pub width: usize,
    /// Write ANSI colours.
    pub color: bool,
    /// Only ASCII.
    pub ascii: bool,
}

/// The order of groups. Equal ones stand in the order of their values.
#[derive(Clone, Copy)]
pub enum Sort {
    /// The largest figure first.
    Column(&'static Column),
    /// By the value of a field that is grouped by.
    Field(Field),
}

/// A row of [`STATS_OUTPUTS`].
pub struct StatsOutput {
    /// The name for `--format`.
    pub name: &'static str,
    /// What it is for, in one sentence.
    pub summary: &'static str,
    /// Writes it.
    pub write: fn(&Shown<'_>, &mut dyn Write) -> io::Result<()>,
}

/// Every output format of `stats`; the first is the default.
pub const STATS_OUTPUTS: &[&StatsOutput] =
    &[&table::TABLE, &JSON, &rows::NDJSON, &rows::CSV, &rows::MARKDOWN, &prometheus::PROMETHEUS];

/// What groups are shown by, where the user has not said it.
const DEFAULT_BY: &[Field] = &[Field::Method];

const JSON: StatsOutput = StatsOutput {
    name: "json",
    summary: "one JSON object with every figure, which `--merge` reads",
    write: |shown, out| {
        serde_json::to_writer(&mut *out, &V1Stats::from(shown.figures))?;
        out.write_all(b"\n")
    },
};

/// The figures that were written by `--format json`, for merging with others: one text after the other, as a stream of parts
/// gives them. Nothing is an error, and nothing comes behind one.
///
/// # Errors
/// What is wrong with the text, for a person.
pub fn read_stats(texts: impl Read) -> impl Iterator<Item = Result<Figures, String>> {
    let mut texts = serde_json::Deserializer::from_reader(texts).into_iter::<V1Stats>();
    let wrong =
        |found: &dyn fmt::Display| format!("expected what `mcp-trace stats --format json` writes, found {found}");
    let (mut first, mut over) = (true, false);
    std::iter::from_fn(move || {
        let figures = match texts.next() {
            _ if over => return None,
            None if !first => return None,
            None => Err(wrong(&"nothing")),
            Some(Err(error)) if error.is_io() => Err(format!("cannot be read: {error}")),
            Some(Err(error)) => Err(wrong(&error)),
            Some(Ok(stats)) => Figures::try_from(&stats),
        };
        (first, over) = (false, figures.is_err());
        Some(figures)
    })
}

impl<'a> Shown<'a> {
    /// The grouping that is shown.
    fn by(&self) -> &'a [Field] {
        self.by.unwrap_or(DEFAULT_BY)
    }

    /// Its table.
    fn groups(&self) -> Option<&'a Groups> {
        self.figures.by(self.by())
    }

    /// The groups to show, in order, and how many are left out.
    fn sorted<'g>(&self, groups: &'g Groups, top: Option<usize>) -> (Vec<Group<'g>>, usize) {
        let mut rows: Vec<Group<'g>> = groups.rows.iter().map(|(values, cell)| (values.as_slice(), cell)).collect();
        match self.sort {
            Sort::Column(column) => rows.sort_by_key(|(_, cell)| std::cmp::Reverse((column.of)(cell).order())),
            Sort::Field(field) => {
                if let Some(at) = groups.by.iter().position(|by| *by == field) {
                    rows.sort_by_key(|(values, _)| values.get(at));
                }
            }
        }
        let hidden = top.map_or(0, |top| rows.len().saturating_sub(top));
        rows.truncate(rows.len() - hidden);
        (rows, hidden)
    }
}

/// The values of a group and its figures.
type Group<'a> = (&'a [Value], &'a Cell);

/// A value as text; `None` for null.
fn text(value: &Value) -> Option<std::borrow::Cow<'_, str>> {
    match value {
        Value::Null => None,
        Value::Bool(value) => Some(value.to_string().into()),
        Value::Number(value) => Some(value.to_string().into()),
        Value::Text(text) => Some(text.as_str().into()),
    }
}
