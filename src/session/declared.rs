//! Who declared what: in the handshake, in `server/discover`, and with each stateless request (2026-07-28, where nothing
//! may be inferred from an earlier request). Bounded.

use super::CapabilitySet;
use super::needs::Applied;
use crate::jsonrpc::RawJson;
use crate::protocol::{Direction, Method, Side};

/// Different declarations of stateless requests that are kept, per session.
const MAX_CARRIED: usize = 16;

/// Judgements that are kept, per session.
const MAX_JUDGED: usize = 16;

/// Which declarations a message stands under: small enough to be kept with every open request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Terms {
    /// Those of the handshake.
    Handshake,
    /// Those that a stateless request carried, by place; beyond the last when they are not kept.
    Carried(u8),
}

impl Default for Terms {
    fn default() -> Self {
        Self::Carried(u8::MAX)
    }
}

/// All declarations of a session.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    handshake: [Option<CapabilitySet>; 2],
    discovered: Option<CapabilitySet>,
    /// With the text that each was read from, so that equal ones need no second reading.
    carried: Vec<(String, CapabilitySet)>,
    current: Terms,
    /// What was found of methods, until something else is declared.
    judged: Vec<Judged>,
}

#[derive(Debug)]
struct Judged {
    method: &'static Method,
    direction: Option<Direction>,
    terms: Terms,
    applied: Applied,
}

impl Declarations {
    /// A side's declaration in the handshake.
    pub(super) fn agree(&mut self, side: Side, capabilities: RawJson<'_>) {
        self.handshake[side.index()] = Some(CapabilitySet::read(capabilities));
        self.current = Terms::Handshake;
        self.judged.clear();
    }

    /// The server's declaration in a `server/discover` result.
    pub(super) fn discover(&mut self, capabilities: RawJson<'_>) {
        self.discovered = Some(CapabilitySet::read(capabilities));
        self.judged.clear();
    }

    /// Whether `server/discover` was answered.
    pub(super) fn is_discovered(&self) -> bool {
        self.discovered.is_some()
    }

    /// The client's declaration in a stateless request.
    pub(super) fn carry(&mut self, capabilities: Option<RawJson<'_>>) -> Terms {
        let place = capabilities.and_then(|capabilities| {
            let known = self.carried.iter().position(|(text, _)| text == capabilities.text());
            known.or_else(|| {
                let room = self.carried.len() < MAX_CARRIED;
                room.then(|| {
                    self.carried.push((capabilities.text().to_owned(), CapabilitySet::read(capabilities)));
                    self.carried.len() - 1
                })
            })
        });
        let terms = Terms::Carried(place.map_or(u8::MAX, |place| place as u8));
        if self.current != Terms::Handshake {
            self.current = terms;
        }
        terms
    }

    /// The terms of messages that carry none of their own.
    pub(super) fn current(&self) -> Terms {
        self.current
    }

    /// What a side declared under the given terms; `None` when that is not in the capture.
    pub(super) fn set(&self, side: Side, terms: Terms) -> Option<&CapabilitySet> {
        match (terms, side) {
            (Terms::Handshake, side) => self.handshake[side.index()].as_ref(),
            (Terms::Carried(place), Side::Client) => self.carried.get(usize::from(place)).map(|(_, set)| set),
            (Terms::Carried(_), Side::Server) => self.discovered.as_ref(),
        }
    }

    /// [`Self::set`], which is gone then.
    pub(super) fn take(&mut self, side: Side, terms: Terms) -> Option<CapabilitySet> {
        match (terms, side) {
            (Terms::Handshake, side) => self.handshake[side.index()].take(),
            (Terms::Carried(place), Side::Client) => {
                self.carried.get_mut(usize::from(place)).map(|(_, set)| std::mem::take(set))
            }
            (Terms::Carried(_), Side::Server) => self.discovered.take(),
        }
    }

    /// Whether a side declared a path; `None` when that is not known.
    pub(super) fn declared(&self, side: Side, path: &[&str], terms: Terms) -> Option<bool> {
        self.set(side, terms)?.declared(path)
    }

    /// Every requirement of a method, and whether it was declared.
    pub(super) fn judge(&mut self, method: &'static Method, direction: Option<Direction>, terms: Terms) -> Applied {
        let same = |judged: &&Judged| {
            std::ptr::eq(judged.method, method) && judged.direction == direction && judged.terms == terms
        };
        if let Some(judged) = self.judged.iter().find(same) {
            return judged.applied;
        }
        let applied = Applied::all(method, direction, |side, path| self.declared(side, path, terms));
        if self.judged.len() == MAX_JUDGED {
            self.judged.clear();
        }
        self.judged.push(Judged { method, direction, terms, applied });
        applied
    }
}
