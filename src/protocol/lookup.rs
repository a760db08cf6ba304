//! How to find a method by name: exact, embedded in an answer, or nearest.

use std::sync::LazyLock;

use super::{METHODS, Method, MethodKind, Revision, Side};

/// All rows of one name, core before extension, oldest first.
#[derive(Clone, Copy, Debug)]
pub struct MethodSet {
    rows: &'static [&'static Method],
}

impl MethodSet {
    /// The rows, at least one.
    pub fn rows(self) -> &'static [&'static Method] {
        self.rows
    }

    /// The row in force in a revision, core first.
    pub fn at(self, revision: Revision) -> Option<&'static Method> {
        self.rows.iter().copied().find(|row| row.covers(revision))
    }

    /// The row in force, or else the newest one: a message of another revision is still known by name.
    pub fn at_or_any(self, revision: Option<Revision>) -> &'static Method {
        revision.and_then(|revision| self.at(revision)).unwrap_or_else(|| self.rows[self.rows.len() - 1])
    }

    /// The only side that sends it in any revision, over all rows.
    pub fn only_sender(self) -> Option<Side> {
        let first = self.rows[0].sender.only_side()?;
        self.rows.iter().all(|row| row.sender.only_side() == Some(first)).then_some(first)
    }
}

/// Finds a method by its exact name. Allocates nothing and takes a few nanoseconds, for it runs on every message.
pub fn method_set(name: &str) -> Option<MethodSet> {
    let index = &*INDEX;
    if name.len() > index.longest {
        return None;
    }
    let mut slot = hash(name.as_bytes());
    loop {
        let (known, first, last) = index.slots[slot % SLOTS]?;
        if known == name {
            return Some(MethodSet { rows: &index.rows[usize::from(first)..usize::from(last)] });
        }
        slot += 1;
    }
}

/// The row of an input request: an object inside `result.inputRequests` with this method (2026-07-28).
pub fn input_request(name: &str) -> Option<&'static Method> {
    method_set(name)?.rows.iter().copied().find(|row| row.kind == MethodKind::InputRequest)
}

/// The known method nearest to an unknown name, if one is near enough for "did you mean".
///
/// At most one edit in three characters counts as near; upper and lower case are the same. The core protocol goes
/// before extensions.
pub fn suggest(name: &str) -> Option<&'static str> {
    if name.len() > INDEX.longest * 2 {
        return None;
    }
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    INDEX
        .slots
        .iter()
        .flatten()
        .map(|(_, first, _)| INDEX.rows[usize::from(*first)])
        .map(|row| (distance(&wanted, row.name), row))
        .filter(|(edits, row)| row.name != name && *edits <= wanted.len() / 3)
        .min_by_key(|(edits, row)| (*edits, row.extension.is_some(), row.name))
        .map(|(_, row)| row.name)
}

/// More than four times the number of names, so that a probe nearly always hits at once and an empty slot is near.
const SLOTS: usize = 256;

struct Index {
    rows: Vec<&'static Method>,
    /// Open addressing: name, first row, row after the last.
    slots: [Option<(&'static str, u16, u16)>; SLOTS],
    longest: usize,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut rows: Vec<&Method> = METHODS.iter().collect();
    rows.sort_by_key(|row| (row.name, row.extension.is_some(), row.since));
    let mut slots = [None; SLOTS];
    let mut longest = 0;
    let mut first = 0;
    for group in rows.chunk_by(|one, next| one.name == next.name) {
        let name = group[0].name;
        let last = first + group.len();
        let mut slot = hash(name.as_bytes());
        while slots[slot % SLOTS].is_some() {
            slot += 1;
        }
        let row_number = |row: usize| u16::try_from(row).expect("METHODS has fewer rows than u16 can count");
        slots[slot % SLOTS] = Some((name, row_number(first), row_number(last)));
        longest = longest.max(name.len());
        first = last;
    }
    Index { rows, slots, longest }
});

/// Mixes the length with the first, middle and last eight bytes: enough to tell all names apart, the pairs such as
/// `notifications/tools/list_changed` and `notifications/roots/list_changed` too. Shorter names are taken whole.
fn hash(name: &[u8]) -> usize {
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(SPREAD).rotate_left(29);
    let length = name.len() as u64;
    let state = match (name.first_chunk(), name.last_chunk(), name.get((name.len() / 2).saturating_sub(4)..)) {
        (Some(first), Some(last), Some(rest)) => {
            let middle = rest.first_chunk().map_or(0, |middle| u64::from_le_bytes(*middle));
            mix(mix(mix(length, u64::from_le_bytes(*first)), middle), u64::from_le_bytes(*last))
        }
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
