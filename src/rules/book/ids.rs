//! The ids that each side has used for its requests in a session. Ids that count up take one range, others a hash each.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashSet};

use super::Caps;
use crate::annotate::Kind;
use crate::rules::context::Seen;
use crate::session::IdKey;

/// Ranges of whole numbers of one side of a session.
const MAX_RANGES: usize = 256;
/// Hashes of other ids of one side of a session.
const MAX_HASHES: usize = 65_536;

#[derive(Debug, Default)]
struct Used {
    /// Ordered, apart from each other, both ends used.
    ranges: Vec<(i64, i64)>,
    others: HashSet<u64>,
    hasher: DefaultHashBuilder,
}

impl Used {
    fn place(&self, number: i64) -> Result<usize, usize> {
        // Ids mostly count up: the last range is looked at first.
        if self.ranges.last().is_some_and(|&(_, last)| number > last) {
            return Err(self.ranges.len());
        }
        self.ranges.binary_search_by(|&(first, last)| match number {
            _ if last < number => std::cmp::Ordering::Less,
            _ if first > number => std::cmp::Ordering::Greater,
            _ => std::cmp::Ordering::Equal,
        })
    }

    fn has(&self, id: &IdKey) -> bool {
        match id.number() {
            Some(number) => self.place(number).is_ok(),
            None => self.others.contains(&self.hasher.hash_one(id)),
        }
    }

    /// Takes an id in; whether there was room.
    fn add(&mut self, id: &IdKey) -> bool {
        let Some(number) = id.number() else {
            let hash = self.hasher.hash_one(id);
            if self.others.len() >= MAX_HASHES && !self.others.contains(&hash) {
                return false;
            }
            self.others.insert(hash);
            return true;
        };
        let Err(at) = self.place(number) else { return true };
        let joins = |range: Option<&(i64, i64)>, end: fn(&(i64, i64)) -> i64, by: i64| {
            range.is_some_and(|range| end(range).checked_add(by) == Some(number))
        };
        let after = at > 0 && joins(self.ranges.get(at - 1), |range| range.1, 1);
        let before = joins(self.ranges.get(at), |range| range.0, -1);
        match (after, before) {
            (true, true) => {
                self.ranges[at - 1].1 = self.ranges[at].1;
                self.ranges.remove(at);
            }
            (true, false) => self.ranges[at - 1].1 = number,
            (false, true) => self.ranges[at].0 = number,
            (false, false) if self.ranges.len() < MAX_RANGES => self.ranges.insert(at, (number, number)),
            (false, false) => return false,
        }
        true
    }
}

/// The ids of both sides. Stateless requests are not among them: their ids may be used again once answered.
#[derive(Debug, Default)]
pub struct Ids([Used; 2]);

impl Ids {
    /// Whether the sender of this request has used its id before in this session.
    pub fn used(&self, seen: &Seen<'_>) -> bool {
        let id = seen.message.id.as_ref().and_then(IdKey::of_id);
        id.zip(seen.sender).is_some_and(|(id, side)| self.0[side.index()].has(&id))
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        if seen.kind != Kind::Request || seen.is_modern() {
            return;
        }
        let id = seen.message.id.as_ref().and_then(IdKey::of_id);
        if let Some((id, side)) = id.zip(seen.sender)
            && !self.0[side.index()].add(&id)
        {
            caps.lost("rule-ids", 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: i64) -> IdKey {
        IdKey::of_token(&number.to_string()).expect("a number is a key")
    }

    #[test]
    fn ranges_join_and_remember_every_id() {
        let mut used = Used::default();
        for number in [5, 1, 2, 9, 3, 4, -7, i64::MAX, i64::MIN, 10] {
            assert!(!used.has(&key(number)), "{number}");
            assert!(used.add(&key(number)), "{number}");
            assert!(used.has(&key(number)), "{number}");
        }
        assert_eq!(used.ranges, [(i64::MIN, i64::MIN), (-7, -7), (1, 5), (9, 10), (i64::MAX, i64::MAX)]);
        assert!(!used.has(&key(6)) && !used.has(&key(0)) && used.has(&key(3)));
        let word = IdKey::of_token("\"a-1\"").expect("a string is a key");
        assert!(!used.has(&word) && used.add(&word) && used.has(&word));
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let mut used = Used::default();
        for number in 0..MAX_RANGES as i64 {
            assert!(used.add(&key(number * 2)));
        }
        assert!(!used.add(&key(100_001)));
        assert!(used.add(&key(1)), "a number that joins two ranges needs no room");
    }
}
