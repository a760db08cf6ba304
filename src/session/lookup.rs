//! Which lane and which session a message belongs to, and when a session is over.

use super::decide::Known;
use super::lanes::{Lane, LaneKey};
use super::pending::Request;
use super::state::{MAX_NAMED, Session, State};
use super::tracker::{Ended, MAX_LANES, MAX_SESSIONS, Message, QUIET_AFTER, Tracker};
use super::{Certainty, Facts, Kind};
use crate::protocol::{Direction, Fit, Side, fits};

impl Tracker {
    #[inline(always)]
    pub(super) fn lane(&mut self, session: Option<&str>, server: Option<&str>) -> usize {
        match self.lanes.get(self.last_lane) {
            Some(lane) if lane.key.is(session, server) => self.last_lane,
            _ => self.other_lane(session, server),
        }
    }

    #[inline(never)]
    fn other_lane(&mut self, session: Option<&str>, server: Option<&str>) -> usize {
        let key = LaneKey::new(session, server);
        let found = match self.by_key.get(&key) {
            Some(&lane) => lane,
            None if self.lanes.len() < MAX_LANES => {
                self.lanes.push(Lane::new(key.clone()));
                self.by_key.insert(key, self.lanes.len() - 1);
                self.lanes.len() - 1
            }
            None => self.replace_lane(key),
        };
        self.last_lane = found;
        found
    }

    /// Gives the place of the lane that was quiet longest to a new one.
    pub(super) fn replace_lane(&mut self, key: LaneKey) -> usize {
        let used = |lane: &Lane| lane.sessions.iter().map(|&place| self.at(place).used).max().unwrap_or(0);
        let oldest = (0..self.lanes.len()).min_by_key(|&lane| used(&self.lanes[lane])).unwrap_or(0);
        for place in std::mem::take(&mut self.lanes[oldest].sessions) {
            self.end(place, "evicted");
        }
        self.lanes_lost += 1;
        self.by_key.remove(&self.lanes[oldest].key);
        self.by_key.insert(key.clone(), oldest);
        self.lanes[oldest] = Lane::new(key);
        oldest
    }

    pub(super) fn new_session(&mut self, lane: usize) -> usize {
        self.sessions_begun += 1;
        let lane = &self.lanes[lane];
        let session = Session::new(self.sessions_begun, lane.beginning, lane.key.server());
        match self.free.pop() {
            Some(place) => {
                self.sessions[place] = Some(session);
                place
            }
            None => {
                self.sessions.push(Some(session));
                self.sessions.len() - 1
            }
        }
    }

    /// Ends the oldest sessions of a lane that holds too many.
    pub(super) fn retire(&mut self, lane: usize) {
        while self.lanes[lane].sessions.len() > MAX_SESSIONS {
            let oldest = self.lanes[lane].sessions.remove(0);
            self.end(oldest, "new-session");
        }
    }

    pub(super) fn end(&mut self, place: usize, why: &'static str) {
        let Some(mut session) = self.sessions[place].take() else { return };
        let mut unanswered = session.lost;
        let mut first = std::mem::take(&mut session.lost_first);
        unanswered += u64::from(self.pending.count_open(place));
        first.extend(self.pending.open_of(place).take(MAX_NAMED).map(|request| {
            let method = request.about.method();
            (request.n, if request.cancelled { format!("{method} (cancelled)") } else { method.to_owned() })
        }));
        first.sort_unstable_by_key(|(n, _)| *n);
        first.truncate(MAX_NAMED);
        self.pending.forget(place);
        self.free.push(place);
        let why = if session.state == State::Closed { "transport-closed" } else { why };
        self.ended.push(Ended { session, why, unanswered, first });
    }

    pub(super) fn end_quiet(&mut self, lane: usize, clock: u64) {
        let mut index = 0;
        // The last is the current one.
        while index + 1 < self.lanes[lane].sessions.len() {
            let place = self.lanes[lane].sessions[index];
            if self.at(place).used + QUIET_AFTER < clock && self.pending.count_open(place) == 0 {
                self.lanes[lane].sessions.remove(index);
                self.end(place, "new-session");
            } else {
                index += 1;
            }
        }
    }

    /// The session that a message belongs to, and how sure that is; `None`: a new one. What it looks up there is put into
    /// `known`.
    pub(super) fn choose_session(
        &self,
        lane: usize,
        message: &Message<'_>,
        known: &mut Known,
    ) -> Option<(usize, Certainty)> {
        let lane = &self.lanes[lane];
        let facts = message.facts;
        let named = if lane.key.names_session() { Certainty::Recorded } else { Certainty::Inferred };
        let &current = lane.sessions.last()?;
        let session = self.at(current);
        if facts.is_initialize() {
            return (!session.is_over_at_initialize()).then_some((current, named));
        }
        let key = &facts.key;
        if facts.kind == Kind::Request && facts.is_stateless() {
            let known = key
                .as_ref()
                .is_some_and(|key| self.pending.find(current, Side::Client, key).is_some() || session.reopened >= 2);
            if session.is_over_at(facts, known) {
                return None;
            }
            // A client that has agreed or asked already has no need to discover; that this is another one is a guess.
            if facts.method == Some("server/discover") && (session.state == State::Operating || session.ordinary) {
                return Some((current, if lane.key.names_session() { named } else { Certainty::Guessed }));
            }
        }
        if lane.sessions.len() == 1 {
            return Some((current, named));
        }
        // Several sessions share the lane: what an id, a token or the handshake tells, then the one in use.
        let alone = if lane.concurrent { Certainty::Guessed } else { named };
        let at = |place: &usize| self.at(*place);
        if facts.kind == Kind::Response
            && let Some(key) = key
        {
            let open = |place: usize, slots: [Option<u32>; 2]| {
                let asked = at(&place).label(message.frame.direction).map(Direction::receiver);
                let of_side = move |side: Side| asked.is_none_or(|asked| asked == side);
                let sides = [Side::Client, Side::Server].into_iter().filter(move |side| of_side(*side));
                let requests = sides.filter_map(move |side| self.pending.get(slots[side.index()]?));
                requests.filter(|request| !request.answered)
            };
            if !lane.concurrent {
                let slots = self.pending.find_both(current, key);
                if open(current, slots).next().is_some() {
                    known.with_id = Some(slots);
                    return Some((current, named));
                }
            }
            let waits = |place: &&usize| {
                open(**place, self.pending.find_both(**place, key)).any(|request| self.suits(request, facts))
            };
            let mut waiting = lane.sessions.iter().filter(waits);
            if let Some(&first) = waiting.next() {
                let only = waiting.next().is_none() && !lane.concurrent;
                return Some((first, if only { Certainty::Inferred } else { Certainty::Guessed }));
            }
            return Some((current, alone));
        }
        if facts.method == Some("notifications/initialized") {
            let ready = |place: &&usize| at(place).state == State::Initialized;
            let count = lane.sessions.iter().filter(ready).count();
            if let Some(&first) = lane.sessions.iter().find(ready) {
                return Some((first, if count == 1 && !lane.concurrent { named } else { Certainty::Guessed }));
            }
        }
        if let Some(token) = &facts.progress_token {
            for &place in lane.sessions.iter().rev() {
                let slots = self.pending.find_tokens(place, token);
                if slots.iter().any(Option::is_some) {
                    known.with_token = Some(slots);
                    return Some((place, alone));
                }
            }
        }
        if lane.concurrent
            && facts.kind == Kind::Request
            && let Some((prefix, number)) = key.as_ref().and_then(|key| key.counter())
        {
            let side = facts.set.and_then(|set| set.only_sender()).unwrap_or(Side::Client);
            let continues = |place: &&usize| {
                let numbering = &at(place).numbering[side.index()];
                numbering.prefix == prefix
                    && numbering.last.is_some_and(|last| last.checked_add(1) == Some(number))
                    && at(place).state != State::Closed
            };
            let ready = |place: &&usize| continues(place) && at(place).state == State::Operating;
            let known = || lane.sessions.iter().find(ready).or_else(|| lane.sessions.iter().find(continues));
            if let Some(&first) = known() {
                return Some((first, Certainty::Guessed));
            }
        }
        if lane.concurrent {
            let latest = lane.sessions.iter().max_by_key(|place| at(place).used);
            return latest.map(|&place| (place, Certainty::Guessed));
        }
        Some((current, alone))
    }

    pub(super) fn suits(&self, request: &Request, facts: &Facts<'_>) -> bool {
        if facts.result.is_none() || facts.outline {
            return true;
        }
        let has = |name: &str| facts.param(name).is_some();
        let fit = fits(request.about.method(), None, has, facts.result_type().as_deref(), facts.is_empty());
        fit != Fit::No
    }
}
