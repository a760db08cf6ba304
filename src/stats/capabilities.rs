//! What was declared, in how many sessions, and what came of it.

use std::collections::BTreeMap;

use super::Rows;
use crate::annotate::Needs;
use crate::protocol::Side;

/// Capabilities that are kept.
const MAX_CAPABILITIES: usize = 1_024;
/// What messages of one session need that is kept.
const MAX_NEEDS: usize = 256;
/// Names of a path, and bytes of a name, that are kept.
const MAX_PATH: (usize, usize) = (8, 256);

/// By how many sessions a capability was declared and used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Sessions in which it was declared.
    pub declared: u64,
    /// Sessions with a message that needs it.
    pub used: u64,
    /// Among those, the ones in which it was not declared.
    pub used_undeclared: u64,
    /// Sessions in which a request that needs it was refused: method not found, or capability missing.
    pub refused: u64,
}

/// Every capability that was declared or used: whose, and its path.
pub type Capabilities = Rows<(&'static str, Vec<String>), Use>;

pub(super) fn none() -> Capabilities {
    Rows::new(MAX_CAPABILITIES)
}

/// What the messages of one session needed so far.
#[derive(Debug, Default)]
pub(super) struct Needed {
    used: Vec<Needs>,
    refused: Vec<Needs>,
    pub(super) lost: u64,
}

impl Needed {
    /// Notes what a message needs.
    pub(super) fn note(&mut self, needs: &[Needs], refused: bool) {
        for need in needs {
            self.lost += u64::from(!remember(&mut self.used, *need));
            if refused {
                self.lost += u64::from(!remember(&mut self.refused, *need));
            }
        }
    }

    /// Adds up one session that has ended; what it declared is `None` when that is not in the capture.
    pub(super) fn count(&self, declared: [(Side, Option<&[Vec<String>]>); 2], into: &mut Capabilities) {
        let mut session: BTreeMap<(&'static str, Vec<String>), Use> = BTreeMap::new();
        for (side, paths) in declared {
            for path in paths.unwrap_or_default() {
                session.entry((side.as_str(), cut(path.iter().map(String::as_str)))).or_default().declared = 1;
            }
        }
        for need in &self.used {
            let row = session.entry(key(need)).or_default();
            row.used = 1;
            row.used_undeclared |= u64::from(need.declared == Some(false));
        }
        for need in &self.refused {
            session.entry(key(need)).or_default().refused = 1;
        }
        for (key, row) in session {
            into.merge_row(key, &row);
        }
    }

    pub(super) fn clear(&mut self) {
        self.used.clear();
        self.refused.clear();
        self.lost = 0;
    }
}

fn key(need: &Needs) -> (&'static str, Vec<String>) {
    (need.side.as_str(), cut(need.path.iter().copied()))
}

fn cut<'a>(path: impl Iterator<Item = &'a str>) -> Vec<String> {
    path.take(MAX_PATH.0).map(|name| name.chars().take(MAX_PATH.1).collect()).collect()
}

/// Equal needs mostly come from the same row of METHODS; one that stands twice does no harm.
fn remember(known: &mut Vec<Needs>, need: Needs) -> bool {
    let same = |other: &Needs| {
        std::ptr::eq(other.path, need.path) && other.side == need.side && other.declared == need.declared
    };
    if known.iter().any(same) {
        return true;
    }
    let room = known.len() < MAX_NEEDS;
    if room {
        known.push(need);
    }
    room
}
