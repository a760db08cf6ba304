//! How to find a method by name: exact, embedded in an answer, or nearest.

use std::sync::LazyLock;

use super::{METHODS, Method, MethodKind, REVISIONS, Revision, Side};

/// All rows of one name, core before extension, oldest first.
#[derive(Clone, Copy, Debug)]
pub struct MethodSet(&'static Named);

#[derive(Debug)]
struct Named {
    name: &'static str,
    rows: Vec<&'static Method>,
    /// The row in force in each revision.
    at: [Option<&'static Method>; REVISIONS.len()],
    newest: &'static Method,
    only_sender: Option<Side>,
}

impl Named {
    /// From rows of one name, in order.
    fn of(rows: &[&'static Method]) -> Self {
        let at = |place: usize| rows.iter().copied().find(|row| row.covers(REVISIONS[place].revision));
        let first = rows[0].sender.only_side();
        Self {
            name: rows[0].name,
            rows: rows.to_vec(),
            newest: rows[rows.len() - 1],
            at: std::array::from_fn(at),
            only_sender: first.filter(|_| rows.iter().all(|row| row.sender.only_side() == first)),
        }
    }
}

impl MethodSet {
    /// The rows, at least one.
    pub fn rows(self) -> &'static [&'static Method] {
        &self.0.rows
    }

    /// The row in force in a revision, core first.
    pub fn at(self, revision: Revision) -> Option<&'static Method> {
        self.0.at[revision as usize]
    }

    /// The row in force, or else the newest one: a message of another revision is still known by name.
    pub fn at_or_any(self, revision: Option<Revision>) -> &'static Method {
        revision.and_then(|revision| self.at(revision)).unwrap_or_else(|| self.newest())
    }

    /// The newest row.
    pub fn newest(self) -> &'static Method {
        self.0.newest
    }

    /// The only side that sends it in any revision, over all rows.
    pub fn only_sender(self) -> Option<Side> {
        self.0.only_sender
    }
}

/// Finds a method by its exact name. Allocates nothing and takes a few nanoseconds, for it runs on every message.
pub fn method_set(name: &str) -> Option<MethodSet> {
    let index = &*INDEX;
    let mut slot = hash(name.as_bytes());
    loop {
        let named = index.names.get(usize::from(index.slots[slot % SLOTS]))?;
        if named.name == name {
            return Some(MethodSet(named));
        }
        slot += 1;
    }
}

/// The row of an input request: an object inside `result.inputRequests` with this method (2026-07-28).
pub fn input_request(name: &str) -> Option<&'static Method> {
    method_set(name)?.rows().iter().copied().find(|row| row.kind == MethodKind::InputRequest)
}

/// The known method nearest to an unknown name, if one is near enough for "did you mean".
///
/// At most one edit in three characters counts as near; upper and lower case are the same. The core protocol goes
/// before extensions.
pub fn suggest(name: &str) -> Option<&'static str> {
    let longest = INDEX.names.iter().map(|named| named.name.len()).max()?;
    if name.len() > longest * 2 {
        return None;
    }
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    INDEX
        .names
        .iter()
        .map(|named| (distance(&wanted, named.name), named.rows[0]))
        .filter(|(edits, row)| row.name != name && *edits <= wanted.len() / 3)
        .min_by_key(|(edits, row)| (*edits, row.extension.is_some(), row.name))
        .map(|(_, row)| row.name)
}

/// More than four times the number of names, so that a probe nearly always hits at once and an empty slot is near.
const SLOTS: usize = 256;

struct Index {
    names: Vec<Named>,
    /// Open addressing: places in `names`, or [`EMPTY`].
    slots: [u8; SLOTS],
}

/// No place in `names`, which has fewer.
const EMPTY: u8 = u8::MAX;

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut rows: Vec<&Method> = METHODS.iter().collect();
    rows.sort_by_key(|row| (row.name, row.extension.is_some(), row.since));
    let names: Vec<_> = rows.chunk_by(|one, next| one.name == next.name).map(Named::of).collect();
    let mut slots = [EMPTY; SLOTS];
    for (place, named) in names.iter().enumerate() {
        let mut slot = hash(named.name.as_bytes());
        while slots[slot % SLOTS] != EMPTY {
            slot += 1;
        }
        slots[slot % SLOTS] = u8::try_from(place).expect("METHODS has fewer names than there are slots");
    }
    Index { names, slots }
});

/// Mixes the length with the first and last eight bytes, which tell nearly all names apart: not the pairs such as
/// `notifications/tools/list_changed` and `notifications/roots/list_changed`. Shorter names are taken whole.
fn hash(name: &[u8]) -> usize {
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(SPREAD).rotate_left(29);
    let length = name.len() as u64;
    let state = match (name.first_chunk(), name.last_chunk()) {
        (Some(first), Some(last)) => mix(mix(length, u64::from_le_bytes(*first)), u64::from_le_bytes(*last)),
        _ => name.iter().fold(length, |state, byte| mix(state, u64::from(*byte))),
    };
    (state >> 32) as usize
}

/// Edit distance with insertion, deletion and exchange of one character.
fn distance(wanted: &[char], known: &str) -> usize {
    let mut row: Vec<usize> = (0..=wanted.len()).collect();
    for (above, letter) in known.chars().map(|letter| letter.to_ascii_lowercase()).enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (column, other) in wanted.iter().enumerate() {
            let exchange = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = exchange.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[wanted.len()]
}

#[cfg(test)]
mod tests;
