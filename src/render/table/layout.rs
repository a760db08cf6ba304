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
    fixed(Column::Time, "time", 7, 13),
    fixed(Column::Latency, "latency", 7, 9),
    fixed(Column::Direction, "direction", 1, 16),
    fixed(Column::Kind, "kind", 3, 12),
    fixed(Column::Id, "id", 2, 28),
    shared(Column::Method, "method", 12, 5),
    fixed(Column::Primitive, "primitive", 9, 11),
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
    fn wants(self, width: usize, wide: bool, seen: &mut [usize]) -> usize {
        let info = self.info();
        seen.sort_unstable();
        let widest = seen.last().copied().unwrap_or(0);
        if wide {
            return widest.max(info.least);
        }
        let nine_of_ten = seen.get(seen.len() * 9 / 10).copied().unwrap_or(widest);
        match (self, width) {
            (Self::Id, ..60) => widest.clamp(info.least, 4),
            // Ids that are counted grow.
            (Self::Id, ..MEDIUM) => 6,
            (Self::Id, ..150) => widest.clamp(6, 10),
            (Self::Id, ..190) => widest.clamp(6, 16),
            (Self::Id, _) => widest.clamp(6, 28),
            // What is longer pushes the outcome to the right.
            (Self::Needs, ..72) => nine_of_ten.clamp(5, 9),
            (Self::Needs, ..MEDIUM) => nine_of_ten.clamp(11, if width < 90 { 13 } else { 18 }),
            (Self::Needs, ..150) => nine_of_ten.clamp(16, 18),
            (Self::Needs, _) => widest.clamp(16, 28),
            (Self::Method, _) if width >= FULL => nine_of_ten.clamp(self.floor(width), 36),
            (Self::Method, _) => nine_of_ten.max(self.floor(width)),
            _ => match info.most {
                Some(most) => widest.clamp(info.least, most),
                None => nine_of_ten.max(info.least),
            },
        }
    }

    /// The least width in a line of the given width: what comes later is not known when the widths are fixed.
    fn floor(self, width: usize) -> usize {
        match (self, width) {
            (Self::Method, 90..) => 26,
            (Self::Method, 72..) => 22,
            (Self::Needs, MEDIUM..) => 16,
            (Self::Needs, 72..) => 11,
            (Self::Outcome, FULL..) => 45,
            (Self::Outcome, 72..) => 16,
            _ => self.info().least,
        }
    }

    /// The word over the column.
    pub(super) fn heading(self, size: Size) -> &'static str {
        match (self, size) {
            (Self::Number, _) => "#",
            // The arrow speaks for itself.
            (Self::Direction, Size::Narrow) => "",
            (Self::Session, Size::Narrow | Size::Medium) => "ses",
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

/// From here on there is room for the primitive and for the sides by name.
const MEDIUM: usize = 116;
/// From here on words are written in full, and the outcome still has 45 columns.
const FULL: usize = 185;
/// From here on there is room for the phase as well.
const PHASE: usize = 200;

/// How much room there is: decides how words are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Size {
    /// Below 116 columns: an arrow, three letters for the kind, no primitive (the capability tells it).
    Narrow,
    /// Below 185.
    Medium,
    /// All words in full.
    Full,
}

impl Size {
    pub(super) fn of(width: usize) -> Self {
        match width {
            ..MEDIUM => Self::Narrow,
            MEDIUM..FULL => Self::Medium,
            FULL.. => Self::Full,
        }
    }
}

/// The columns in order.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) columns: Vec<Column>,
    /// Named by the user, who then sees them even when they are empty.
    pub(super) named: bool,
}

impl Choice {
    /// The named columns, unknown names passed over; without names, what fits the size.
    pub(super) fn new(names: Option<&[String]>, width: usize, payload: bool) -> Self {
        use Column::{Direction, Id, Kind, Method, Needs, Number, Outcome, Payload, Phase, Primitive, Session, Time};
        let named: Vec<_> = names.unwrap_or_default().iter().filter_map(|name| Column::by_name(name)).collect();
        if !named.is_empty() {
            return Self { columns: named, named: true };
        }
        let mut columns = match width {
            ..MEDIUM => vec![Session, Number, Time, Direction, Kind, Id, Method, Needs, Outcome],
            MEDIUM..PHASE => vec![Session, Number, Time, Direction, Kind, Id, Method, Primitive, Needs, Outcome],
            PHASE.. => vec![Session, Number, Time, Direction, Kind, Id, Method, Primitive, Phase, Needs, Outcome],
        };
        if payload {
            columns.push(Payload);
        }
        Self { columns, named: false }
    }

    pub(super) fn has(&self, column: Column) -> bool {
        self.columns.contains(&column)
    }
}

/// Whether a cell that is too wide pushes what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Push {
    No,
    /// As far as nothing behind it has to be cut.
    Shifts,
    /// The same, but only as far as the name in it needs.
    ShiftsName,
    /// As far as enough is left of what is cut then.
    Cuts,
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
    /// Ids: numbers or quoted names.
    pub(super) name: bool,
    pub(super) pushes: Push,
    pub(super) hidden: bool,
}

/// The columns with their places.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    places: Vec<Place>,
    /// The width of the line; `None` when rows are not cut.
    pub(super) total: Option<usize>,
    /// Columns that are left to a cell that is pushed.
    pub(super) keep: usize,
    /// Left out because nothing stood in them so far, as indices of columns.
    pub(super) dropped: Vec<usize>,
}

impl Layout {
    /// Fixes the places from the rows of the first page and their heading.
    pub(super) fn new<'r>(options: &Fixing<'_>, heading: &'r Row, page: impl Iterator<Item = &'r Row>) -> Self {
        let &Fixing { choice, width, wide, .. } = options;
        let columns = &choice.columns;
        let size = Size::of(width);
        let mut seen = vec![Vec::new(); columns.len()];
        for row in page {
            for (seen, width) in seen.iter_mut().zip(row.widths()) {
                if width > 0 {
                    seen.push(width);
                }
            }
        }
        let dropped: Vec<usize> = (0..columns.len())
            .filter(|&at| !choice.named && seen[at].is_empty() && options.may_go(at, columns[at]))
            .collect();
        let hidden = |at: usize| dropped.contains(&at) || (columns[at] == Column::Session && options.hide_session);
        for (seen, width) in seen.iter_mut().zip(heading.widths()) {
            seen.push(width);
        }
        let mut widths: Vec<usize> = columns
            .iter()
            .zip(&mut seen)
            .enumerate()
            .map(|(at, (column, seen))| if hidden(at) { 0 } else { column.wants(width, wide, seen) })
            .collect();
        let gap = |at: usize| match (size, columns[at]) {
            _ if hidden(at) => 0,
            (Size::Narrow, _) => 1,
            (Size::Medium, Column::Method | Column::Needs) => 2,
            (Size::Medium, _) => 1,
            (Size::Full, _) => 2,
        };
        if !wide {
            let gaps: usize = (0..columns.len() - 1).map(gap).sum();
            share(columns, &mut widths, width, width.saturating_sub(gaps));
        }
        let total = (!wide).then_some(width);
        let bounded = |at: usize| total.map_or(at, |total| at.min(total));
        let mut start = 0;
        let mut places = Vec::with_capacity(columns.len());
        for (at, (&column, width)) in columns.iter().zip(widths).enumerate() {
            use Column::{Id, Latency, Line, Method, Needs, Number, Primitive, Time};
            places.push(Place {
                start: bounded(start),
                end: bounded(start + width),
                right: matches!(column, Number | Line | Time | Latency),
                soft: wide || matches!(column, Number | Line | Time | Latency | Id),
                name: column == Id && !wide,
                pushes: match column {
                    Needs | Primitive => Push::Cuts,
                    Method if size == Size::Narrow => Push::Shifts,
                    Method => Push::ShiftsName,
                    _ => Push::No,
                },
                hidden: hidden(at),
            });
            start += width + gap(at);
        }
        let keep = if size == Size::Narrow { 14 } else { 20 };
        Self { places, total, keep, dropped }
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
    /// The page is full or the last: what is missing from it may well be missing from the rest.
    pub(super) settled: bool,
    /// Columns that were dropped before and turned out to be needed.
    pub(super) needed: &'c [usize],
}

impl Fixing<'_> {
    /// Whether a column that is empty so far may be left out.
    fn may_go(&self, at: usize, column: Column) -> bool {
        let early = matches!(column, Column::Time);
        let late = matches!(column, Column::Id | Column::Primitive | Column::Needs);
        (early || (late && self.settled)) && !self.needed.contains(&at)
    }
}

/// Gives the columns without a greatest width what the others leave: each what it wants, as long as that is no more
/// than its share by weight. What is left over goes to the last of them, and some of it to the method.
fn share(columns: &[Column], widths: &mut [usize], width: usize, room: usize) {
    let weight = |at: usize| columns[at].info().weight;
    let taken: usize = (0..columns.len()).filter(|&at| weight(at) == 0).map(|at| widths[at]).sum();
    let mut left = room.saturating_sub(taken);
    let mut open: Vec<usize> = (0..columns.len()).filter(|&at| weight(at) > 0).collect();
    while !open.is_empty() {
        let weights: usize = open.iter().map(|&at| weight(at)).sum();
        let modest = open.iter().position(|&at| widths[at] * weights <= left * weight(at));
        match modest {
            Some(found) => left -= widths[open.remove(found)],
            None => {
                // The method first: a name that is cut says less than a gist that is.
                let floors: usize = open.iter().map(|&at| columns[at].floor(width)).sum();
                for at in open {
                    let floor = columns[at].floor(width);
                    let share = (left * weight(at) / weights).min(left.saturating_sub(floors - floor));
                    widths[at] = share.max(floor.min(left));
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
