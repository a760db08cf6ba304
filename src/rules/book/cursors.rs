//! Cursors that lists have given out, as hashes.

use std::hash::{BuildHasher, RandomState};

use hashbrown::{HashMap, HashSet};

use super::Caps;
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// Requests whose answers come in pages.
pub const LISTS: &[&str] = &["tools/list", "prompts/list", "resources/list", "resources/templates/list", "tasks/list"];

/// The cursors of all sessions of an input.
#[derive(Debug, Default)]
pub struct Cursors {
    /// Session, place of the method in [`LISTS`], cursor.
    issued: HashSet<(u64, usize, u64)>,
    /// The session that a cursor came from first.
    first: HashMap<u64, u64>,
    hasher: RandomState,
    lost: bool,
}

/// Cursors that are remembered.
const MAX_CURSORS: usize = 65_536;

/// Where a cursor comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issued {
    /// From this list of this session.
    Here,
    /// From another list of this session.
    By(&'static str),
    /// From another session.
    Elsewhere,
    /// The capture has not shown it.
    Nowhere,
    /// Some cursors were forgotten.
    Unknown,
}

impl Cursors {
    /// Where the cursor of a request comes from.
    pub fn origin(&self, session: u64, method: &str, cursor: &str) -> Issued {
        let hash = self.hasher.hash_one(cursor);
        let is_from = |list: &str| {
            LISTS
                .iter()
                .position(|known| *known == list)
                .is_some_and(|list| self.issued.contains(&(session, list, hash)))
        };
        if is_from(method) {
            return Issued::Here;
        }
        match LISTS.iter().find(|list| is_from(list)) {
            Some(list) => Issued::By(list),
            None if self.lost => Issued::Unknown,
            None if self.first.contains_key(&hash) => Issued::Elsewhere,
            None => Issued::Nowhere,
        }
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        if seen.kind != Kind::Response {
            return;
        }
        let Some(list) = seen.method.and_then(|method| LISTS.iter().position(|known| *known == method)) else { return };
        let Some(cursor) = seen.get("nextCursor").and_then(RawJson::as_str) else { return };
        if self.issued.len() >= MAX_CURSORS {
            self.lost = true;
            caps.lost("rule-cursors", 1);
            return;
        }
        let hash = self.hasher.hash_one(&*cursor);
        self.issued.insert((seen.message.session, list, hash));
        self.first.entry(hash).or_insert(seen.message.session);
    }
}
