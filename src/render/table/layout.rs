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
    shared(Column::Needs, "needs", 5, 2),
    shared(Column::Outcome, "outcome", 7, 4),
    shared(Column::Summary, "summary", 7, 4),
    shared(Column::Payload, "payload", 7, 4),
];

impl Column {
    /// The names for `--columns`, in the order of the table.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        COLUMNS.iter().map(|info| info.name)
    }

    /// The word over the column.
    pub(super) fn heading(self, size: Size) -> &'static str {
        match (self, size) {
            (Self::Number, _) => "#",
            (Self::Direction, Size::Narrow) => "",
            (Self::Direction, Size::Medium) => "sender",
            (Self::Direction, Size::Full) => "from to",
            (Self::Session, _) => "s",
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
    /// The user named them.
    pub(super) chosen: bool,
}

impl Choice {
    /// The named columns, unknown names passed over; without names, what fits the size.
    pub(super) fn new(names: Option<&[String]>, width: usize, payload: bool) -> Self {
        use Column::{Direction, Id, Kind, Method, Needs, Number, Outcome, Payload, Phase, Primitive, Time};
        let named: Vec<_> = names.unwrap_or_default().iter().filter_map(|name| Column::by_name(name)).collect();
        if !named.is_empty() {
            return Self { columns: named, chosen: true };
        }
        let mut columns = match (Size::of(width), width) {
            (Size::Narrow, _) => vec![Number, Time, Direction, Kind, Id, Method, Needs, Outcome],
            (Size::Medium, _) | (Size::Full, 0..180) => {
                vec![Number, Time, Direction, Kind, Id, Method, Primitive, Needs, Outcome]
            }
            (Size::Full, _) => vec![Number, Time, Direction, Kind, Id, Method, Primitive, Phase, Needs, Outcome],
        };
        if payload {
            columns.push(Payload);
        }
        Self { columns, chosen: false }
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
}

/// The columns with their places.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    places: Vec<Place>,
    /// The width of the line; `None` when rows are not cut.
    pub(super) total: Option<usize>,
}

impl Layout {
    /// Fixes the places from the rows of the first page (the heading among them).
    pub(super) fn new<'r>(choice: &Choice, width: usize, wide: bool, page: impl Iterator<Item = &'r Row>) -> Self {
        let columns = &choice.columns;
        let mut natural = vec![0; columns.len()];
        for row in page {
            for (natural, width) in natural.iter_mut().zip(row.widths()) {
                *natural = width.max(*natural);
            }
        }
        let gap = if Size::of(width) == Size::Narrow { 1 } else { 2 };
        let gaps = gap * columns.len().saturating_sub(1);
        let mut widths: Vec<usize> = columns
            .iter()
            .zip(&natural)
            .map(|(column, &natural)| natural.clamp(column.info().least, column.info().most.unwrap_or(usize::MAX)))
            .collect();
        let uncut = wide || columns.last() == Some(&Column::Payload);
        let room = width.saturating_sub(gaps);
        if !wide {
            share(columns, &mut widths, room);
        }
        let mut start = 0;
        let places = columns
            .iter()
            .zip(widths)
            .map(|(column, width)| {
                let place = Place {
                    start,
                    end: start + width,
                    right: matches!(column, Column::Number | Column::Line | Column::Time | Column::Latency),
                    soft: wide || matches!(column, Column::Number | Column::Line),
                };
                start += width + gap;
                place
            })
            .collect();
        Self { places, total: (!uncut).then_some(width) }
    }

    pub(super) fn column(&self, index: usize) -> Place {
        self.places[index.min(self.places.len() - 1)]
    }
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
