//! Requests that wait for their answer, keyed by session, side and typed id. Bounded: the oldest gives way.

use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::num::NonZeroI64;

use compact_str::CompactString;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use super::declared::Terms;
use super::needs::Applied;
use super::{Certainty, IdKey};
use crate::protocol::{Method, Phase, Side};

/// Requests that may be open at once, over all sessions of an input. SDKs give up after about 60 s, so this is
/// a thousand requests a second that all hang.
pub(super) const MAX_OPEN: usize = 65_536;
/// Bytes that the texts of all remembered requests may take beyond the table itself: long ids, targets and names.
pub(super) const MAX_BYTES: usize = 4 << 20;
/// Answered requests that are remembered, to know a second answer when it comes.
const MAX_ANSWERED: usize = 1_024;

/// The name of a request's method: a row of METHODS, or the text when there is none.
#[derive(Clone, Debug)]
pub(super) enum Name {
    Known(&'static Method),
    Other(Box<str>),
}

impl Name {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Known(method) => method.name,
            Self::Other(name) => name,
        }
    }

    pub(super) fn row(&self) -> Option<&'static Method> {
        match self {
            Self::Known(method) => Some(method),
            Self::Other(_) => None,
        }
    }
}

/// What is kept of a request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) n: u64,
    pub(super) name: Name,
    pub(super) target: Option<CompactString>,
    /// When it was sent, in nanoseconds since the epoch: eight bytes each in a table of many.
    pub(super) sent: Option<NonZeroI64>,
    pub(super) phase: Option<(Phase, Certainty)>,
    /// Index into the session's revisions.
    pub(super) revision: u8,
    pub(super) applied: Applied,
    /// The declarations that it stands under.
    pub(super) terms: Terms,
    /// Its progress token, when that is not its id.
    pub(super) token: Option<Box<IdKey>>,
    pub(super) token_is_id: bool,
    /// Which side sent it was guessed.
    pub(super) side_guessed: bool,
    /// The session that it belongs to was guessed.
    pub(super) session_guessed: bool,
    /// Its id was that of a request that was still open.
    pub(super) shadows: bool,
    pub(super) cancelled: bool,
    pub(super) answered: bool,
    /// Counts as what the other side's requests were caused by.
    pub(super) causal: bool,
    /// Asked for as a task: its result is a handle.
    pub(super) task: bool,
}

#[derive(Debug)]
struct Slot {
    request: Request,
    session: u32,
    side: Side,
    id: IdKey,
    /// Tells a reused slot from the one that the order remembers.
    generation: u32,
    /// The neighbours in the chain of its session.
    newer: u32,
    older: u32,
}

/// The requests of one session.
#[derive(Clone, Copy, Debug)]
struct Chain {
    newest: u32,
    open: u32,
}

const NONE: u32 = u32::MAX;

impl Slot {
    /// Bytes that it holds beyond itself; texts of up to 24 bytes are part of it.
    fn bytes(&self) -> usize {
        let beyond = |length: usize| if length > 24 { length } else { 0 };
        let name = match &self.request.name {
            Name::Known(_) => 0,
            Name::Other(name) => name.len(),
        };
        let token = self.request.token.as_ref().map_or(0, |token| size_of::<IdKey>() + beyond(token.len()));
        name + token + beyond(self.id.len()) + beyond(self.request.target.as_ref().map_or(0, CompactString::len))
    }
}

/// The table. The indexes hold places only: each id is kept once, with its request.
#[derive(Default)]
pub(super) struct Pending {
    by_id: HashTable<u32>,
    by_token: HashTable<u32>,
    /// Seeded for each run: ids are the transcript's choice.
    hasher: DefaultHashBuilder,
    slots: Vec<Option<Slot>>,
    free: Vec<u32>,
    order: VecDeque<(u32, u32)>,
    answered: VecDeque<(u32, u32)>,
    chains: HashMap<u32, Chain>,
    generation: u32,
    open: usize,
    bytes: usize,
    /// Open requests that were given up to stay within the bound.
    pub(super) evicted: u64,
}

/// What an insertion displaced.
#[derive(Debug, Default)]
pub(super) struct Displaced {
    /// A request with the same id.
    pub(super) same_id: Option<Request>,
    /// The oldest requests, given up for lack of room: session, side and what was kept of each.
    pub(super) oldest: Vec<(u32, Side, Request)>,
}

impl Pending {
    /// Takes a request in.
    pub(super) fn open(&mut self, session: u32, side: Side, id: IdKey, request: Request) -> Displaced {
        let mut displaced = Displaced::default();
        if let Some(slot) = self.find(session, side, &id) {
            displaced.same_id = self.remove(slot);
        }
        while self.open >= MAX_OPEN || self.bytes > MAX_BYTES {
            let Some(oldest) = self.evict() else { break };
            displaced.oldest.push(oldest);
        }
        self.generation = self.generation.wrapping_add(1);
        let generation = self.generation;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            (self.slots.len() - 1) as u32
        });
        let id_hash = self.hash(session, side, &id);
        let token_hash = request.token.as_ref().map(|token| self.hash(session, side, token));
        let chain = self.chains.entry(session).or_insert(Chain { newest: NONE, open: 0 });
        let older = std::mem::replace(&mut chain.newest, slot);
        chain.open += 1;
        if let Some(Some(neighbour)) = self.slots.get_mut(older as usize) {
            neighbour.newer = slot;
        }
        let entry = Slot { request, session, side, id, generation, newer: NONE, older };
        self.bytes += entry.bytes();
        self.slots[slot as usize] = Some(entry);
        let (slots, hasher) = (&self.slots, &self.hasher);
        self.by_id.insert_unique(id_hash, slot, |&slot| hash_of(hasher, slots, slot, false));
        if let Some(hash) = token_hash {
            self.by_token.insert_unique(hash, slot, |&slot| hash_of(hasher, slots, slot, true));
        }
        self.open += 1;
        self.order.push_back((slot, generation));
        self.tidy();
        displaced
    }

    fn hash(&self, session: u32, side: Side, id: &IdKey) -> u64 {
        self.hasher.hash_one((session, side, id))
    }

    /// A request by its id, open or lately answered.
    pub(super) fn find(&self, session: u32, side: Side, id: &IdKey) -> Option<u32> {
        let same = |slot: &u32| {
            self.slots[*slot as usize]
                .as_ref()
                .is_some_and(|entry| entry.id == *id && entry.session == session && entry.side == side)
        };
        self.by_id.find(self.hash(session, side, id), same).copied()
    }

    /// A request by its progress token.
    pub(super) fn find_token(&self, session: u32, side: Side, token: &IdKey) -> Option<u32> {
        let same = |slot: &u32| {
            self.slots[*slot as usize].as_ref().is_some_and(|entry| {
                entry.session == session && entry.side == side && entry.request.token.as_deref() == Some(token)
            })
        };
        self.find(session, side, token)
            .filter(|&slot| self.get(slot).is_some_and(|request| request.token_is_id))
            .or_else(|| self.by_token.find(self.hash(session, side, token), same).copied())
    }

    /// The latest request of a side with the given method, among the last few.
    pub(super) fn latest(&self, session: u32, side: Side, method: &str) -> Option<u64> {
        let mut near = self.chain(session).take(256);
        near.find(|slot| slot.side == side && slot.request.name.as_str() == method).map(|slot| slot.request.n)
    }

    pub(super) fn get(&self, slot: u32) -> Option<&Request> {
        self.slots.get(slot as usize)?.as_ref().map(|slot| &slot.request)
    }

    pub(super) fn get_mut(&mut self, slot: u32) -> Option<&mut Request> {
        self.slots.get_mut(slot as usize)?.as_mut().map(|slot| &mut slot.request)
    }

    /// Whether any request of a session is open.
    pub(super) fn has_open(&self, session: u32) -> bool {
        self.chains.get(&session).is_some_and(|chain| chain.open > 0)
    }

    /// Notes that the request with this id took the id of one that was still open.
    pub(super) fn shadow(&mut self, session: u32, side: Side, id: &IdKey) {
        if let Some(request) = self.find(session, side, id).and_then(|slot| self.get_mut(slot)) {
            request.shadows = true;
        }
    }

    /// Marks a request as answered. It stays for a while, so that a second answer and late progress find it.
    pub(super) fn answer(&mut self, slot: u32) {
        let Some(Some(entry)) = self.slots.get_mut(slot as usize) else { return };
        if entry.request.answered {
            return;
        }
        entry.request.answered = true;
        if let Some(chain) = self.chains.get_mut(&entry.session) {
            chain.open -= 1;
        }
        self.open -= 1;
        let generation = entry.generation;
        self.answered.push_back((slot, generation));
        if self.answered.len() > MAX_ANSWERED
            && let Some((oldest, generation)) = self.answered.pop_front()
            && self.is_current(oldest, generation)
        {
            self.remove(oldest);
        }
    }

    /// Open requests of a session: number, method and whether it was cancelled, the newest first.
    pub(super) fn open_of(&self, session: u32) -> impl Iterator<Item = (u64, &str, bool)> {
        self.chain(session)
            .filter(|slot| !slot.request.answered)
            .map(|slot| (slot.request.n, slot.request.name.as_str(), slot.request.cancelled))
    }

    fn chain(&self, session: u32) -> impl Iterator<Item = &Slot> {
        let at = |slot: u32| self.slots.get(slot as usize).and_then(Option::as_ref);
        let newest = self.chains.get(&session).map_or(NONE, |chain| chain.newest);
        std::iter::successors(at(newest), move |slot| at(slot.older))
    }

    /// Forgets every request of a session.
    pub(super) fn forget(&mut self, session: u32) {
        while let Some(newest) = self.chains.get(&session).map(|chain| chain.newest) {
            if self.remove(newest).is_none() {
                self.chains.remove(&session);
            }
        }
        self.tidy();
    }

    fn is_current(&self, slot: u32, generation: u32) -> bool {
        self.slots.get(slot as usize).and_then(Option::as_ref).is_some_and(|entry| entry.generation == generation)
    }

    fn remove(&mut self, slot: u32) -> Option<Request> {
        let (slots, hasher) = (&self.slots, &self.hasher);
        slots.get(slot as usize)?.as_ref()?;
        if let Ok(found) = self.by_id.find_entry(hash_of(hasher, slots, slot, false), |&other| other == slot) {
            found.remove();
        }
        if let Ok(found) = self.by_token.find_entry(hash_of(hasher, slots, slot, true), |&other| other == slot) {
            found.remove();
        }
        let entry = self.slots[slot as usize].take()?;
        self.unchain(&entry);
        self.bytes -= entry.bytes();
        self.open -= usize::from(!entry.request.answered);
        self.free.push(slot);
        Some(entry.request)
    }

    fn unchain(&mut self, entry: &Slot) {
        for (neighbour, newer) in [(entry.newer, false), (entry.older, true)] {
            if let Some(Some(neighbour)) = self.slots.get_mut(neighbour as usize) {
                if newer { neighbour.newer = entry.newer } else { neighbour.older = entry.older }
            }
        }
        let Some(chain) = self.chains.get_mut(&entry.session) else { return };
        chain.open -= u32::from(!entry.request.answered);
        if entry.newer == NONE {
            chain.newest = entry.older;
        }
        if chain.newest == NONE {
            self.chains.remove(&entry.session);
        }
    }

    /// Gives up the oldest request that is still open. Answered ones, which are kept for convenience, go before it when
    /// room is scarce.
    fn evict(&mut self) -> Option<(u32, Side, Request)> {
        while self.bytes > MAX_BYTES
            && let Some((slot, generation)) = self.answered.pop_front()
        {
            if self.is_current(slot, generation) {
                self.remove(slot);
            }
        }
        if self.open < MAX_OPEN && self.bytes <= MAX_BYTES {
            return None;
        }
        while let Some((slot, generation)) = self.order.pop_front() {
            if !self.is_current(slot, generation) || self.get(slot).is_some_and(|request| request.answered) {
                continue;
            }
            let entry = self.slots[slot as usize].as_ref()?;
            let (session, side) = (entry.session, entry.side);
            self.evicted += 1;
            return self.remove(slot).map(|request| (session, side, request));
        }
        None
    }

    /// Drops entries of the order whose request is gone, so that it stays as short as the table.
    fn tidy(&mut self) {
        while let Some(&(slot, generation)) = self.order.front() {
            let open = self.is_current(slot, generation) && self.get(slot).is_some_and(|request| !request.answered);
            if open {
                break;
            }
            self.order.pop_front();
        }
        if self.order.len() > 2 * self.open + 4_096 {
            let (slots, order) = (&self.slots, &mut self.order);
            order.retain(|(slot, generation)| {
                slots[*slot as usize]
                    .as_ref()
                    .is_some_and(|entry| entry.generation == *generation && !entry.request.answered)
            });
        }
    }
}

/// The hash of what is in a slot, by its id or its token.
fn hash_of(hasher: &DefaultHashBuilder, slots: &[Option<Slot>], slot: u32, by_token: bool) -> u64 {
    let Some(entry) = &slots[slot as usize] else { return 0 };
    match &entry.request.token {
        Some(token) if by_token => hasher.hash_one((entry.session, entry.side, &**token)),
        _ => hasher.hash_one((entry.session, entry.side, &entry.id)),
    }
}

/// The time of a request as it is kept. The epoch itself, which no session was recorded at, becomes the next nanosecond.
pub(super) fn instant(time: jiff::Timestamp) -> Option<NonZeroI64> {
    let nanoseconds = i64::try_from(time.as_nanosecond()).ok()?;
    NonZeroI64::new(nanoseconds).or(NonZeroI64::new(1))
}

#[cfg(test)]
mod tests {
    use super::{MAX_OPEN, Slot};

    #[test]
    fn a_full_table_of_short_ids_takes_less_than_ten_mebibytes() {
        // Beside the slots: an index of a byte and a place for twice as many, and the order.
        let each = size_of::<Option<Slot>>() + 2 * (size_of::<u32>() + 1) + 2 * size_of::<(u32, u32)>();
        assert!(each * MAX_OPEN < 10 << 20, "{each} bytes each");
    }
}
