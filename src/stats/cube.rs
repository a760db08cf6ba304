//! Messages by everything that they can be grouped by. One look-up a message, with borrowed texts:
//! nothing is allocated for a group that is known.

use std::hash::{BuildHasher, Hash};

use compact_str::CompactString;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::Cell;
use crate::annotate::{Annotated, Kind, Outcome, Status};
use crate::protocol::{Direction, Feature, Phase};

/// Bytes of a method, target or revision that tell groups apart; the rest is cut off.
const MAX_TEXT: usize = 1 << 10;

/// What is one of few about a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Traits {
    pub(super) direction: Option<Direction>,
    pub(super) kind: Kind,
    pub(super) outcome: Option<Outcome>,
    pub(super) feature: Feature,
    pub(super) phase: Option<Phase>,
    pub(super) status: Option<Status>,
    pub(super) late: bool,
    pub(super) cancelled: bool,
}

/// What a group of messages has in common.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) traits: Traits,
    pub(super) method: Option<CompactString>,
    pub(super) target: Option<CompactString>,
    pub(super) revision: Option<CompactString>,
}

/// The same, borrowed from a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Borrowed<'a> {
    traits: Traits,
    method: Option<&'a str>,
    target: Option<&'a str>,
    revision: Option<&'a str>,
}

impl<'a> Borrowed<'a> {
    fn of(message: &'a Annotated<'_>) -> Self {
        let traits = Traits {
            direction: message.direction,
            kind: message.kind,
            outcome: message.outcome,
            feature: message.feature,
            phase: message.phase,
            status: message.status,
            late: message.late,
            cancelled: message.cancelled,
        };
        let [method, target, revision] = [message.method, message.target, message.revision].map(|text| text.map(cut));
        Self { traits, method, target, revision }
    }
}

impl Key {
    fn borrowed(&self) -> Borrowed<'_> {
        Borrowed {
            traits: self.traits,
            method: self.method.as_deref(),
            target: self.target.as_deref(),
            revision: self.revision.as_deref(),
        }
    }
}

/// The beginning of a text that tells it from others.
pub(super) fn cut(text: &str) -> &str {
    if text.len() <= MAX_TEXT {
        return text;
    }
    let end = (0..=MAX_TEXT).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}

/// The groups of one session, or of several.
#[derive(Debug, Default)]
pub(super) struct Cube {
    hasher: DefaultHashBuilder,
    places: HashTable<u32>,
    groups: Vec<(Key, Cell)>,
}

impl Cube {
    /// The place of a message's group, and whether it is new.
    pub(super) fn place(&mut self, message: &Annotated<'_>) -> (u32, bool) {
        self.find(Borrowed::of(message))
    }

    /// Adds figures to the group of a key; whether it is new.
    pub(super) fn add(&mut self, key: &Key, cell: &Cell) -> bool {
        let (place, new) = self.find(key.borrowed());
        self.cell(place).merge(cell);
        new
    }

    #[inline(always)]
    fn find(&mut self, key: Borrowed<'_>) -> (u32, bool) {
        let Self { hasher, places, groups } = self;
        let hash = hasher.hash_one(key);
        if let Some(&place) = places.find(hash, |&place| groups[place as usize].0.borrowed() == key) {
            return (place, false);
        }
        let place = groups.len() as u32;
        let [method, target, revision] =
            [key.method, key.target, key.revision].map(|text| text.map(CompactString::new));
        groups.push((Key { traits: key.traits, method, target, revision }, Cell::default()));
        places.insert_unique(hash, place, |&place| hasher.hash_one(groups[place as usize].0.borrowed()));
        (place, true)
    }

    /// The figures of a group.
    pub(super) fn cell(&mut self, place: u32) -> &mut Cell {
        &mut self.groups[place as usize].1
    }

    /// Every group.
    pub(super) fn groups(&self) -> &[(Key, Cell)] {
        &self.groups
    }

    /// Begins anew, with the memory that it has.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.groups.clear();
    }

    /// Forgets every group but some, whose figures become zero; gives the new places of these, in the same order.
    pub(super) fn keep(&mut self, used: &[u32]) -> std::ops::Range<u32> {
        let kept = used.iter().map(|&place| (self.groups[place as usize].0.clone(), Cell::default())).collect();
        self.places.clear();
        self.groups = kept;
        let Self { hasher, places, groups } = self;
        let hash = |place: u32| hasher.hash_one(groups[place as usize].0.borrowed());
        let all = 0..groups.len() as u32;
        for place in all.clone() {
            places.insert_unique(hash(place), place, |&place| hash(place));
        }
        all
    }
}
