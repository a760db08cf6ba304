//! Figures of messages grouped by fields.

use super::cube::Key;
use super::field::{Shared, value};
use super::{Cell, Field, Rows, Value};

/// Groups of one table that are kept.
const MAX_GROUPS: usize = 4_096;

/// The groupings that are always there.
pub const STANDARD: &[&[Field]] = &[
    &[Field::Kind, Field::Outcome],
    &[Field::Direction],
    &[Field::Primitive],
    &[Field::Feature],
    &[Field::Phase],
    &[Field::Method],
    &[Field::Method, Field::Target],
    &[Field::Server],
    &[Field::Revision],
];

/// A table of groups. One key for each combination of values that occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// What it groups by.
    pub by: Vec<Field>,
    /// The groups, in the order of their values.
    pub rows: Rows<Vec<Value>, Cell>,
}

impl Groups {
    /// An empty table.
    pub fn by(by: &[Field]) -> Self {
        Self { by: by.to_vec(), rows: Rows::new(MAX_GROUPS) }
    }

    /// Adds the figures of messages of one session.
    pub(super) fn add(&mut self, shared: &Shared<'_>, key: &Key, cell: &Cell) {
        let values = self.by.iter().map(|field| value(*field, shared, key)).collect();
        self.rows.merge_row(values, cell);
    }
}
