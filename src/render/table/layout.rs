//! Which columns there are, and how wide each is once the first page is known.

use super::row::Row;

/// A column by its name for `--columns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Session,
    Number,
    Line,
    Time,
    Latency,
    Direction,
    Kind,
    Id,
    Method,
    Primitive,
    Phase,
    Needs,
    Outcome,
    Summary,
    Payload,
}

/// A row of [`COLUMNS`].
struct ColumnInfo {
    column: Column,
    name: &'static str,
    /// Least and greatest width; a column without a greatest width shares what is left by weight.
    least: usize,
    most: Option<usize>,
    weight: usize,
}

const fn fixed(column: Column, name: &'static str, least: usize, most: usize) -> ColumnInfo {
    ColumnInfo { column, name, least, most: Some(most), weight: 0 }
}

const fn shared(column: Column, name: &'static str, least: usize, weight: usize) -> ColumnInfo {
    ColumnInfo { column, name, least, most: None, weight }
}

const COLUMNS: [ColumnInfo; 15] = [
    fixed(Column::Session, "session", 1, 7),
    fixed(Column::Number, "n", 4, 12),
    fixed(Column::Line, "line", 4, 12),
    fixed(Column::Time, "time", 6, 13),
    fixed(Column::Latency, "latency", 7, 9),
    fixed(Column::Direction, "direction", 1, 16),
    fixed(Column::Kind, "kind", 3, 12),
    fixed(Column::Id, "id", 2, 8),
    shared(Column::Method, "method", 12, 5),
    fixed(Column::Primitive, "primitive", 5, 11),
    fixed(Column::Phase, "phase", 5, 14),
    fixed(Column::Needs, "needs", 5, 30),
    shared(Column::Outcome, "outcome", 7, 4),
    shared(Column::Summary, "summary", 7, 4),
    shared(Column::Payload, "payload", 7, 4),
];

impl Column {
    /// The names for `--columns`.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        COLUMNS.iter().map(|info| info.name)
    }

    /// The width that suits what was seen: room for all of it in columns with a greatest width, else for nine rows of
    /// ten, because one long name should not take the room of all others.
    fn wants(self, size: Size, wide: bool, seen: &mut [usize]) -> usize {
        let info = self.info();
        seen.sort_unstable();
        let widest = seen.last().copied().unwrap_or(0);
        if wide {
            return widest.max(info.least);
        }
        let nine_of_ten = seen.get(seen.len() * 9 / 10).copied().unwrap_or(widest);
        match (self, size) {
            (Self::Id, Size::Narrow) => widest.clamp(info.least, 4),
            (Self::Id, Size::Medium) => widest.clamp(info.least, 6),
            (Self::Needs, Size::Narrow) => widest.clamp(info.least, 13),
            (Self::Needs, Size::Medium) => widest.clamp(info.least, 20),
            (Self::Method, Size::Full) => widest.clamp(info.least, 48),
            _ => match info.most {
                Some(most) => widest.clamp(info.least, most),
                None => nine_of_ten.max(info.least),
            },
        }
    }

    /// The word over the column.
    pub(super) fn heading(self, size: Size) -> &'static str {
        match (self, size) {
            (Self::Number, _) => "#",
            (Self::Direction, Size::Narrow) => "",
            (Self::Direction, Size::Medium) => "sender",
            (Self::Direction, Size::Full) => "from to",
            (Self::Session, _) => "s",
            (Self::Kind, Size::Narrow | Size::Medium) => "",
            _ => self.info().name,
        }
    }

    fn by_name(name: &str) -> Option<Self> {
        COLUMNS.iter().find(|info| info.name == name).map(|info| info.column)
    }

    fn info(self) -> &'static ColumnInfo {
        &COLUMNS[self as usize]
    }
}

/// How much room there is: decides how words are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Size {
    /// Below 100 columns: an arrow, three letters for the kind, no primitive (the capability tells it).
    Narrow,
    /// Below 150.
    Medium,
    /// All words in full.
    Full,
}

impl Size {
    pub(super) fn of(width: usize) -> Self {
        match width {
            0..100 => Self::Narrow,
            100..150 => Self::Medium,
            _ => Self::Full,
        }
    }
}

/// The columns in order.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) columns: Vec<Column>,
}

impl Choice {
    /// The named columns, unknown names passed over; without names, what fits the size.
    pub(super) fn new(names: Option<&[String]>, width: usize, payload: bool) -> Self {
        use Column::{Direction, Id, Kind, Method, Needs, Number, Outcome, Payload, Phase, Primitive, Session, Time};
        let named: Vec<_> = names.unwrap_or_default().iter().filter_map(|name| Column::by_name(name)).collect();
        if !named.is_empty() {
            return Self { columns: named };
        }
        let mut columns = match (Size::of(width), width) {
            (Size::Narrow, _) => vec![Session, Number, Time, Direction, Kind, Id, Method, Needs, Outcome],
            (Size::Medium, _) | (Size::Full, 0..180) => {
                vec![Session, Number, Time, Direction, Kind, Id, Method, Primitive, Needs, Outcome]
            }
            (Size::Full, _) => {
                vec![Session, Number, Time, Direction, Kind, Id, Method, Primitive, Phase, Needs, Outcome]
            }
        };
        if payload {
            columns.push(Payload);
        }
        Self { columns }
    }

    pub(super) fn has(&self, column: Column) -> bool {
        self.columns.contains(&column)
    }
}

/// A column with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Numbers stand at the right.
    pub(super) right: bool,
    /// Never cut: pushes what follows instead.
    pub(super) soft: bool,
    pub(super) hidden: bool,
}

/// The columns with their places.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    places: Vec<Place>,
    /// The width of the line; `None` when rows are not cut.
    pub(super) total: Option<usize>,
}

impl Layout {
    /// Fixes the places from the rows of the first page, the heading being one of them. The session's column is left
    /// out where the user did not ask for it and sessions do not mix.
    pub(super) fn new<'r>(options: Fixing<'_>, page: impl Iterator<Item = &'r Row>) -> Self {
        let Fixing { choice, width, wide, .. } = options;
        let columns = &choice.columns;
        let hidden = |column: Column| column == Column::Session && options.hide_session;
        let size = Size::of(width);
        let mut seen = vec![Vec::new(); columns.len()];
        for row in page {
            for (seen, width) in seen.iter_mut().zip(row.widths()) {
                if width > 0 {
                    seen.push(width);
                }
            }
        }
        let mut widths: Vec<usize> = columns
            .iter()
            .zip(&mut seen)
            .map(|(column, seen)| if hidden(*column) { 0 } else { column.wants(size, wide, seen) })
            .collect();
        let gap = |column: Column| match size {
            _ if hidden(column) => 0,
            Size::Narrow => 1,
            Size::Medium if matches!(column, Column::Number | Column::Kind | Column::Id) => 1,
            Size::Medium | Size::Full => 2,
        };
        if !wide {
            let gaps: usize = columns.iter().rev().skip(1).map(|column| gap(*column)).sum();
            share(columns, &mut widths, width.saturating_sub(gaps));
        }
        let mut start = 0;
        let places = columns
            .iter()
            .zip(widths)
            .map(|(&column, width)| {
                let place = Place {
                    start,
                    end: start + width,
                    right: matches!(column, Column::Number | Column::Line | Column::Time | Column::Latency),
                    soft: wide || matches!(column, Column::Number | Column::Line),
                    hidden: hidden(column),
                };
                start += width + gap(column);
                place
            })
            .collect();
        let uncut = wide || columns.last() == Some(&Column::Payload);
        Self { places, total: (!uncut).then_some(width) }
    }

    pub(super) fn column(&self, index: usize) -> Place {
        self.places[index.min(self.places.len() - 1)]
    }
}

/// What the places depend on besides the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixing<'c> {
    pub(super) choice: &'c Choice,
    pub(super) width: usize,
    pub(super) wide: bool,
    pub(super) hide_session: bool,
}

/// Gives the columns without a greatest width what the others leave: each what it wants, as long as that is no more
/// than its share by weight. What is left over goes to the last of them, and some of it to the method.
fn share(columns: &[Column], widths: &mut [usize], room: usize) {
    let weight = |at: usize| columns[at].info().weight;
    let taken: usize = (0..columns.len()).filter(|&at| weight(at) == 0).map(|at| widths[at]).sum();
    let mut left = room.saturating_sub(taken);
    // The payload stands at the end of an uncut line and takes no room from the others.
    let mut open: Vec<usize> =
        (0..columns.len()).filter(|&at| weight(at) > 0 && columns[at] != Column::Payload).collect();
    while !open.is_empty() {
        let weights: usize = open.iter().map(|&at| weight(at)).sum();
        let modest = open.iter().position(|&at| widths[at] * weights <= left * weight(at));
        match modest {
            Some(found) => left -= widths[open.remove(found)],
            None => {
                for &at in &open {
                    widths[at] = (left * weight(at) / weights).max(columns[at].info().least.min(left));
                }
                return;
            }
        }
    }
    if let Some(method) = columns.iter().position(|&column| column == Column::Method) {
        // Later rows may be about longer names.
        widths[method] += (left / 4).min(12);
    }
}
