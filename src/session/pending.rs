//! Requests that wait for their answer, keyed by session, side and typed id. Bounded: the oldest gives way.

use std::hash::BuildHasher;
use std::num::NonZeroI64;

use compact_str::CompactString;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::declared::Terms;
use super::needs::Applied;
use super::{Certainty, Key};
use crate::protocol::{Method, Phase, Side};

/// Requests that may be open at once, over all sessions of an input. SDKs give up after about 60 s, so this is
/// a thousand requests a second that all hang.
pub(super) const MAX_OPEN: usize = 65_536;
/// Bytes that the texts of all remembered requests may take beyond the table itself: long ids, targets and names, and
/// tokens. Enough for as many ids of the length of a UUID as there may be requests.
pub(super) const MAX_BYTES: usize = 3 << 20;
/// Answered requests that are remembered, to know a second answer when it comes.
const MAX_ANSWERED: u32 = 1_024;

/// What a request asks for.
#[derive(Clone, Debug)]
pub(super) enum About {
    /// By its row of METHODS, and what it is about.
    Known(&'static Method, Option<CompactString>),
    /// A method that has no row.
    Other(Box<str>),
}

impl About {
    pub(super) fn method(&self) -> &str {
        match self {
            Self::Known(method, _) => method.name,
            Self::Other(name) => name,
        }
    }

    pub(super) fn row(&self) -> Option<&'static Method> {
        match self {
            Self::Known(method, _) => Some(method),
            Self::Other(_) => None,
        }
    }

    pub(super) fn target(&self) -> Option<&str> {
        match self {
            Self::Known(_, target) => target.as_deref(),
            Self::Other(_) => None,
        }
    }
}

/// What is kept of a request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) n: u64,
    pub(super) about: About,
    /// When it was sent, in nanoseconds since the epoch: eight bytes each in a table of many.
    pub(super) sent: Option<NonZeroI64>,
    pub(super) phase: Option<(Phase, Certainty)>,
    /// Index into the session's revisions.
    pub(super) revision: u8,
    pub(super) applied: Applied,
    /// The declarations that it stands under.
    pub(super) terms: Terms,
    /// Its progress token, when that is not its id.
    pub(super) token: Option<Box<CompactString>>,
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
    /// The place of its session.
    session: u32,
    side: Side,
    id: CompactString,
    /// Its neighbours in the list of its age, and in that of its session.
    links: [Link; 2],
}

type Slots = Vec<Option<Slot>>;

/// Which of the two lists that a request is in.
#[derive(Clone, Copy)]
enum By {
    Age,
    Session,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    older: u32,
    newer: u32,
}

/// Requests in the order in which they were put in, linked through their slots.
#[derive(Clone, Copy, Debug)]
struct List {
    oldest: u32,
    newest: u32,
    length: u32,
}

const NONE: u32 = u32::MAX;

impl List {
    const EMPTY: Self = Self { oldest: NONE, newest: NONE, length: 0 };

    /// Puts a request in as the newest.
    fn push(&mut self, slots: &mut Slots, by: By, slot: u32) {
        let older = std::mem::replace(&mut self.newest, slot);
        match entry(slots, older) {
            Some(neighbour) => neighbour.links[by as usize].newer = slot,
            None => self.oldest = slot,
        }
        if let Some(entry) = entry(slots, slot) {
            entry.links[by as usize] = Link { older, newer: NONE };
        }
        self.length += 1;
    }

    /// Takes one of its requests out.
    fn take(&mut self, slots: &mut Slots, by: By, slot: u32) {
        let Some(&mut Slot { links, .. }) = entry(slots, slot) else { return };
        let Link { older, newer } = links[by as usize];
        match entry(slots, older) {
            Some(neighbour) => neighbour.links[by as usize].newer = newer,
            None => self.oldest = newer,
        }
        match entry(slots, newer) {
            Some(neighbour) => neighbour.links[by as usize].older = older,
            None => self.newest = older,
        }
        self.length -= 1;
    }
}

fn entry(slots: &mut Slots, slot: u32) -> Option<&mut Slot> {
    slots.get_mut(slot as usize)?.as_mut()
}

/// The requests of one session.
#[derive(Clone, Copy, Debug)]
struct Chain {
    list: List,
    open: u32,
}

impl Slot {
    /// Whether it belongs to a session and one of its texts is the one that is looked for.
    fn is(&self, session: usize, text: Option<&str>, wanted: &str) -> bool {
        self.session as usize == session && text == Some(wanted)
    }

    /// Bytes that it holds beyond itself, with what an allocator adds. Texts of up to 24 bytes are part of it.
    fn bytes(&self) -> usize {
        let allocated = |length: usize| (length + 8).next_multiple_of(16);
        let text = |text: &CompactString| if text.is_heap_allocated() { allocated(text.len()) } else { 0 };
        let about = match &self.request.about {
            About::Known(_, target) => target.as_ref().map_or(0, text),
            About::Other(name) => allocated(name.len()),
        };
        let token = self.request.token.as_ref().map_or(0, |token| allocated(size_of::<CompactString>()) + text(token));
        about + token + text(&self.id)
    }
}

/// The table. The indexes hold places only: each id is kept once, with its request.
pub(super) struct Pending {
    by_id: HashTable<u32>,
    by_token: HashTable<u32>,
    /// Seeded for each run: ids are the transcript's choice.
    hasher: DefaultHashBuilder,
    slots: Slots,
    free: Vec<u32>,
    open: List,
    answered: List,
    /// By the place of the session.
    sessions: Vec<Chain>,
    bytes: usize,
    /// Open requests that were given up to stay within the bound.
    pub(super) evicted: u64,
}

impl Default for Pending {
    fn default() -> Self {
        Self {
            by_id: HashTable::new(),
            by_token: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            slots: Vec::new(),
            free: Vec::new(),
            open: List::EMPTY,
            answered: List::EMPTY,
            sessions: Vec::new(),
            bytes: 0,
            evicted: 0,
        }
    }
}

/// What an insertion did.
#[derive(Debug)]
pub(super) struct Opened {
    /// Where the request is.
    pub(super) slot: u32,
    /// A request with the same id, which it displaced.
    pub(super) same_id: Option<Request>,
    /// The oldest requests, given up for lack of room: place of the session, side and what was kept of each.
    pub(super) oldest: Vec<(usize, Side, Request)>,
}

impl Pending {
    /// Takes a request in. Here and below a session is named by its place.
    pub(super) fn open(&mut self, session: usize, side: Side, id: &Key<'_>, request: Request) -> Opened {
        let id = CompactString::new(id.as_str());
        let hash = hash_of(&self.hasher, session as u32, &id);
        let same_id = self.with_id(hash, session, &id)[side.index()].and_then(|slot| self.remove(slot));
        let mut oldest = Vec::new();
        while self.open.length as usize >= MAX_OPEN || self.bytes > MAX_BYTES {
            let Some(evicted) = self.evict() else { break };
            oldest.push(evicted);
        }
        let token_hash = request.token.as_ref().map(|token| hash_of(&self.hasher, session as u32, token));
        let links = [Link { older: NONE, newer: NONE }; 2];
        let entry = Slot { request, session: session as u32, side, id, links };
        self.bytes += entry.bytes();
        let slot = self.free.pop().unwrap_or(self.slots.len() as u32);
        match self.slots.get_mut(slot as usize) {
            Some(place) => *place = Some(entry),
            None => self.slots.push(Some(entry)),
        }
        if self.sessions.len() <= session {
            self.sessions.resize(session + 1, Chain { list: List::EMPTY, open: 0 });
        }
        self.sessions[session].open += 1;
        self.sessions[session].list.push(&mut self.slots, By::Session, slot);
        self.open.push(&mut self.slots, By::Age, slot);
        let (slots, hasher) = (&self.slots, &self.hasher);
        self.by_id.insert_unique(hash, slot, |&slot| hash_in(hasher, slots, slot, id_of));
        if let Some(hash) = token_hash {
            self.by_token.insert_unique(hash, slot, |&slot| hash_in(hasher, slots, slot, token_of));
        }
        Opened { slot, same_id, oldest }
    }

    /// The requests of both sides with an id, open or lately answered.
    pub(super) fn find_both(&self, session: usize, id: &Key<'_>) -> [Option<u32>; 2] {
        self.with_id(hash_of(&self.hasher, session as u32, id.as_str()), session, id.as_str())
    }

    /// A request by its id, open or lately answered.
    pub(super) fn find(&self, session: usize, side: Side, id: &Key<'_>) -> Option<u32> {
        self.find_both(session, id)[side.index()]
    }

    /// The requests of both sides with a progress token.
    pub(super) fn find_tokens(&self, session: usize, token: &Key<'_>) -> [Option<u32>; 2] {
        let hash = hash_of(&self.hasher, session as u32, token.as_str());
        let is_token = |slot: &u32| self.get(*slot).is_some_and(|request| request.token_is_id);
        let mut found = self.with_id(hash, session, token.as_str()).map(|slot| slot.filter(is_token));
        if self.by_token.is_empty() {
            return found;
        }
        for &slot in self.by_token.iter_hash(hash) {
            let entry = self.slots[slot as usize].as_ref();
            if let Some(entry) = entry.filter(|entry| entry.is(session, token_of(entry), token.as_str())) {
                found[entry.side.index()].get_or_insert(slot);
            }
        }
        found
    }

    /// The requests of both sides with an id whose hash is known.
    fn with_id(&self, hash: u64, session: usize, id: &str) -> [Option<u32>; 2] {
        let mut found = [None; 2];
        for &slot in self.by_id.iter_hash(hash) {
            let entry = self.slots[slot as usize].as_ref();
            if let Some(entry) = entry.filter(|entry| entry.is(session, id_of(entry), id)) {
                found[entry.side.index()] = Some(slot);
            }
        }
        found
    }

    /// The latest request of a side with the given method, among the last few.
    pub(super) fn latest(&self, session: usize, side: Side, method: &str) -> Option<u64> {
        let newest = self.sessions.get(session)?.list.newest;
        let mut near = self.chain(newest, |link| link.older).take(256);
        near.find(|slot| slot.side == side && slot.request.about.method() == method).map(|slot| slot.request.n)
    }

    pub(super) fn get(&self, slot: u32) -> Option<&Request> {
        self.slots.get(slot as usize)?.as_ref().map(|slot| &slot.request)
    }

    pub(super) fn get_mut(&mut self, slot: u32) -> Option<&mut Request> {
        entry(&mut self.slots, slot).map(|slot| &mut slot.request)
    }

    /// How many requests of a session are open.
    pub(super) fn count_open(&self, session: usize) -> u32 {
        self.sessions.get(session).map_or(0, |chain| chain.open)
    }

    /// Marks a request as answered. It stays for a while, so that a second answer and late progress find it.
    pub(super) fn answer(&mut self, slot: u32) {
        let Some(entry) = entry(&mut self.slots, slot).filter(|entry| !entry.request.answered) else { return };
        entry.request.answered = true;
        self.sessions[entry.session as usize].open -= 1;
        self.open.take(&mut self.slots, By::Age, slot);
        self.answered.push(&mut self.slots, By::Age, slot);
        if self.answered.length > MAX_ANSWERED {
            self.remove(self.answered.oldest);
        }
    }

    /// Open requests of a session, the oldest first.
    pub(super) fn open_of(&self, session: usize) -> impl Iterator<Item = &Request> {
        let oldest = self.sessions.get(session).map_or(NONE, |chain| chain.list.oldest);
        self.chain(oldest, |link| link.newer).map(|slot| &slot.request).filter(|request| !request.answered)
    }

    /// The requests of a session from a slot on.
    fn chain(&self, from: u32, next: fn(&Link) -> u32) -> impl Iterator<Item = &Slot> {
        let at = |slot: u32| self.slots.get(slot as usize).and_then(Option::as_ref);
        std::iter::successors(at(from), move |slot| at(next(&slot.links[By::Session as usize])))
    }

    /// Forgets every request of a session.
    pub(super) fn forget(&mut self, session: usize) {
        while let Some(chain) = self.sessions.get(session)
            && self.remove(chain.list.newest).is_some()
        {}
    }

    fn remove(&mut self, slot: u32) -> Option<Request> {
        let (slots, hasher) = (&self.slots, &self.hasher);
        let entry = slots.get(slot as usize)?.as_ref()?;
        let (session, answered) = (entry.session as usize, entry.request.answered);
        let hash = hash_in(hasher, slots, slot, id_of);
        if let Ok(found) = self.by_id.find_entry(hash, |&other| other == slot) {
            found.remove();
        }
        if entry.request.token.is_some() {
            let hash = hash_in(hasher, slots, slot, token_of);
            if let Ok(found) = self.by_token.find_entry(hash, |&other| other == slot) {
                found.remove();
            }
        }
        self.sessions[session].open -= u32::from(!answered);
        self.sessions[session].list.take(&mut self.slots, By::Session, slot);
        let by_age = if answered { &mut self.answered } else { &mut self.open };
        by_age.take(&mut self.slots, By::Age, slot);
        let entry = self.slots[slot as usize].take()?;
        self.bytes -= entry.bytes();
        self.free.push(slot);
        Some(entry.request)
    }

    /// Gives up the oldest request that is still open. Answered ones, which are kept for convenience, go before it when
    /// room is scarce.
    fn evict(&mut self) -> Option<(usize, Side, Request)> {
        while self.bytes > MAX_BYTES && self.remove(self.answered.oldest).is_some() {}
        if (self.open.length as usize) < MAX_OPEN && self.bytes <= MAX_BYTES {
            return None;
        }
        let oldest = self.open.oldest;
        let entry = self.slots.get(oldest as usize)?.as_ref()?;
        let (session, side) = (entry.session as usize, entry.side);
        self.evicted += 1;
        self.remove(oldest).map(|request| (session, side, request))
    }
}

fn id_of(entry: &Slot) -> Option<&str> {
    Some(&entry.id)
}

fn token_of(entry: &Slot) -> Option<&str> {
    entry.request.token.as_deref().map(CompactString::as_str)
}

fn hash_of(hasher: &DefaultHashBuilder, session: u32, text: &str) -> u64 {
    hasher.hash_one((session, text))
}

/// The hash of one of the texts of what is in a slot.
fn hash_in(hasher: &DefaultHashBuilder, slots: &Slots, slot: u32, text: fn(&Slot) -> Option<&str>) -> u64 {
    let entry = slots[slot as usize].as_ref();
    entry.map_or(0, |entry| hash_of(hasher, entry.session, text(entry).unwrap_or_default()))
}

/// The time of a request as it is kept. The epoch itself, which no session was recorded at, becomes the next nanosecond.
pub(super) fn instant(time: jiff::Timestamp) -> Option<NonZeroI64> {
    let nanoseconds = i64::try_from(time.as_nanosecond()).ok()?;
    NonZeroI64::new(nanoseconds).or(NonZeroI64::new(1))
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, MAX_OPEN, Slot};

    #[test]
    fn a_full_table_takes_less_than_twelve_mebibytes() {
        // Beside the slots: two indexes of a byte and a place for twice as many.
        let each = size_of::<Option<Slot>>() + 2 * 2 * (size_of::<u32>() + 1);
        assert!(each * MAX_OPEN + MAX_BYTES < 12 << 20, "{each} bytes each");
    }
}
