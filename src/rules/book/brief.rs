//! How many sessions in a row held one call, for each client and server.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};

use super::{Caps, SessionBook};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::protocol::Side;
use crate::rules::context::Seen;

/// Pairs of client and server that are remembered; the oldest gives way.
const MAX_PAIRS: usize = 64;

/// What a session has shown of itself, to know whether it is one of many.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sitting {
    /// Client and server, as hashes of their names.
    pair: [Option<u64>; 2],
    /// Requests of the client that do something; lists and settings do not.
    calls: u32,
}

/// The sessions so far.
#[derive(Debug, Default)]
pub struct Brief {
    pairs: VecDeque<([Option<u64>; 2], u32)>,
    hasher: RandomState,
}

/// Requests that prepare a call.
const PREPARING: &[&str] = &[
    "initialize",
    "ping",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "logging/setLevel",
];

impl Brief {
    /// How many sessions in a row have held one call, this one the last of them; 0 when it is none.
    pub fn in_a_row(&self, session: &SessionBook) -> u32 {
        let Sitting { pair, calls } = session.sitting;
        let complete = pair.iter().all(Option::is_some) && session.lifecycle.agreed().is_some();
        if !complete || calls != 1 {
            return 0;
        }
        self.pairs.iter().find(|(known, _)| *known == pair).map_or(1, |(_, count)| count + 1)
    }

    /// A session is over.
    pub(super) fn close(&mut self, session: &SessionBook, caps: &mut Caps) {
        let pair = session.sitting.pair;
        if pair.iter().any(Option::is_none) {
            return;
        }
        let count = self.in_a_row(session);
        match self.pairs.iter_mut().find(|(known, _)| *known == pair) {
            Some(known) => known.1 = count,
            None => {
                if self.pairs.len() == MAX_PAIRS {
                    self.pairs.pop_front();
                    caps.lost("rule-brief-sessions", 1);
                }
                self.pairs.push_back((pair, count));
            }
        }
    }

    pub(super) fn see(&self, sitting: &mut Sitting, seen: &Seen<'_>) {
        let hash = |info: RawJson<'_>| self.hasher.hash_one(info.text());
        match (seen.kind, seen.method) {
            (Kind::Request, Some("initialize")) => {
                sitting.pair[Side::Client.index()] = seen.get("clientInfo").map(hash);
            }
            (Kind::Response, Some("initialize")) => {
                sitting.pair[Side::Server.index()] = seen.get("serverInfo").map(hash);
            }
            (Kind::Request, Some(method)) if seen.sender == Some(Side::Client) && !PREPARING.contains(&method) => {
                sitting.calls = sitting.calls.saturating_add(1);
            }
            _ => {}
        }
    }
}
