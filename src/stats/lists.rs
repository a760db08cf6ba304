//! Tables and lists of bounded size whose content does not depend on the order in which things come.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use compact_str::CompactString;

use super::capabilities::Use;
use super::{Cell, Value};

/// What rows hold: figures that add up.
pub(super) trait Merge: Default {
    /// Adds the figures of another.
    fn merge(&mut self, other: &Self);
}

impl Merge for Cell {
    fn merge(&mut self, other: &Self) {
        Self::merge(self, other);
    }
}

/// Rows by key, of which those with the first keys are kept. What belongs to others is added up in one row: also what a
/// row had that gives way. A key that was given up is never kept again, so the result is the same in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows<K: Ord, V> {
    rows: BTreeMap<K, V>,
    rest: V,
    room: usize,
}

#[allow(private_bounds)]
impl<K: Ord + Clone, V: Merge + Clone> Rows<K, V> {
    pub(super) fn new(room: usize) -> Self {
        Self { rows: BTreeMap::new(), rest: V::default(), room }
    }

    /// Adds to a row.
    pub fn merge_row(&mut self, key: K, value: &V) {
        if let Some(row) = self.rows.get_mut(&key) {
            return row.merge(value);
        }
        if self.rows.len() == self.room {
            if self.rows.last_key_value().is_some_and(|(last, _)| *last < key) {
                return self.rest.merge(value);
            }
            if let Some((_, last)) = self.rows.pop_last() {
                self.rest.merge(&last);
            }
        }
        self.rows.insert(key, value.clone());
    }

    /// Adds to the row of those that have none.
    pub fn merge_rest(&mut self, value: &V) {
        self.rest.merge(value);
    }

    /// Adds everything that another table has.
    pub(super) fn merge(&mut self, other: &Self) {
        self.rest.merge(&other.rest);
        for (key, value) in &other.rows {
            self.merge_row(key.clone(), value);
        }
    }

    /// The rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.rows.iter()
    }

    /// What belongs to none of them.
    pub fn rest(&self) -> &V {
        &self.rest
    }
}

/// Values of which the first are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Largest<T: Ord> {
    kept: BTreeSet<T>,
    room: usize,
}

impl<T: Ord> Largest<T> {
    pub(super) fn new(room: usize) -> Self {
        Self { kept: BTreeSet::new(), room }
    }

    /// Whether a value would be kept, by the comparison of one that is.
    pub(super) fn would_keep(&self, is_before: impl Fn(&T) -> bool) -> bool {
        self.room > 0 && (self.kept.len() < self.room || self.kept.last().is_some_and(is_before))
    }

    /// Takes a value.
    pub fn take(&mut self, value: T) {
        self.kept.insert(value);
        if self.kept.len() > self.room {
            self.kept.pop_last();
        }
    }

    /// What is kept, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.kept.iter()
    }

    pub(super) fn merge(&mut self, other: &Self)
    where
        T: Clone,
    {
        other.iter().for_each(|value| self.take(value.clone()));
    }
}

/// A message that is among the largest. In order: the largest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Heavy {
    /// Bytes of its text.
    pub bytes: Reverse<u64>,
    /// Its input, as the user named it.
    pub file: String,
    /// Its number.
    pub n: u64,
    /// Its first line.
    pub line: u64,
    /// Its session.
    pub session: u64,
    /// `client-to-server` and the like.
    pub direction: Value,
    /// `request` and the like.
    pub kind: Value,
    /// Its method.
    pub method: Value,
    /// What it is about.
    pub target: Value,
}

/// The answer to a `tools/list`: what a model has to read before it can call a tool. In order: the largest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// Bytes of the definitions as they were sent.
    pub bytes: Reverse<u64>,
    /// The input, as the user named it.
    pub file: String,
    /// The number of the message.
    pub n: u64,
    /// Its first line.
    pub line: u64,
    /// Its session.
    pub session: u64,
    /// The server, as far as known.
    pub server: Option<CompactString>,
    /// How many tools it defines.
    pub tools: u64,
}

/// The answers to `tools/list`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definitions {
    /// How many.
    pub lists: u64,
    /// Tools defined in all of them.
    pub tools: u64,
    /// Bytes of all definitions.
    pub bytes: u64,
    /// The largest.
    pub largest: Largest<Definition>,
}

impl Definitions {
    /// Tokens for so many bytes of definitions, estimated: four bytes each.
    pub fn tokens(bytes: u64) -> u64 {
        bytes.div_ceil(4)
    }

    pub(super) fn take(&mut self, definition: Definition) {
        self.lists += 1;
        self.tools = self.tools.saturating_add(definition.tools);
        self.bytes = self.bytes.saturating_add(definition.bytes.0);
        self.largest.take(definition);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.lists = self.lists.saturating_add(other.lists);
        self.tools = self.tools.saturating_add(other.tools);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.largest.merge(&other.largest);
    }
}

/// One session. Sessions of equal file and number, as two inputs of one name have, add up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// How many there are of this file and number.
    pub sessions: u64,
    /// The server's name.
    pub server: Option<CompactString>,
    /// The client's name.
    pub client: Option<CompactString>,
    /// The revision at its end.
    pub revision: Option<CompactString>,
    /// Messages.
    pub messages: u64,
    /// Bytes of their texts.
    pub bytes: u64,
    /// Requests.
    pub requests: u64,
    /// Error responses and results of tools with `isError`.
    pub errors: u64,
    /// Requests that were never answered.
    pub unanswered: u64,
    /// The most requests that waited for their answers at a time.
    pub in_flight_max: u64,
    /// From `initialize` to `notifications/initialized`, in nanoseconds.
    pub handshake: Option<u64>,
}

impl Merge for Row {
    fn merge(&mut self, other: &Self) {
        self.sessions = self.sessions.saturating_add(other.sessions);
        self.messages = self.messages.saturating_add(other.messages);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.requests = self.requests.saturating_add(other.requests);
        self.errors = self.errors.saturating_add(other.errors);
        self.unanswered = self.unanswered.saturating_add(other.unanswered);
        self.in_flight_max = self.in_flight_max.max(other.in_flight_max);
        self.handshake = self.handshake.max(other.handshake);
        let names = [&mut self.server, &mut self.client, &mut self.revision];
        for (own, other) in names.into_iter().zip([&other.server, &other.client, &other.revision]) {
            if *own < *other {
                own.clone_from(other);
            }
        }
    }
}

impl Merge for Use {
    fn merge(&mut self, other: &Self) {
        self.declared = self.declared.saturating_add(other.declared);
        self.used = self.used.saturating_add(other.used);
        self.used_undeclared = self.used_undeclared.saturating_add(other.used_undeclared);
        self.refused = self.refused.saturating_add(other.refused);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, ProptestConfig, Strategy, prop_assert_eq, proptest};

    use super::{Largest, Rows};
    use crate::stats::Use;

    fn shuffled() -> impl Strategy<Value = Vec<u64>> {
        Just((0..40_u64).map(|key| key % 17).collect::<Vec<_>>()).prop_shuffle()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn bounded_tables_do_not_depend_on_the_order(keys in shuffled(), cut in 0_usize..40) {
            let one = Use { declared: 1, ..Use::default() };
            let table = |keys: &[u64]| {
                let mut rows = Rows::new(5);
                keys.iter().for_each(|key| rows.merge_row(*key, &one));
                rows
            };
            let (first, second) = keys.split_at(cut);
            let mut merged = table(first);
            merged.merge(&table(second));
            let counts: Vec<_> = merged.iter().map(|(key, row)| (*key, row.declared)).collect();
            prop_assert_eq!(counts, [(0, 3), (1, 3), (2, 3), (3, 3), (4, 3)]);
            prop_assert_eq!(merged.rest().declared, 25);

            let list = |keys: &[u64]| {
                let mut list = Largest::new(5);
                keys.iter().for_each(|key| list.take(*key));
                list
            };
            let mut merged = list(first);
            merged.merge(&list(second));
            prop_assert_eq!(merged.iter().copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        }
    }
}
