//! The tracker: takes messages and events in order, decides what each is, and keeps the sessions up to date.

use std::collections::HashMap;

use compact_str::CompactString;

use super::direction::{Decision, Route, View};
use super::glimpse::Ahead;
use super::lanes::{Lane, LaneKey};
use super::needs::{self, Applied};
use super::pending::{Name, Pending, Request};
use super::retry::InputRequest;
use super::state::{Session, State};
use super::tasks::{Origin, Tasks};
use super::{Basis, BatchPlace, CapabilitySet, Certainty, Facts, Kind, Needs, Outcome, Peer, Status};
use crate::jsonrpc::RawJson;
use crate::protocol::{Direction, Feature, Method, Phase, Revision, Side, method_set};
use crate::transcript::{EventKind, Flag, Flags, Stamp};

/// Open sessions of one lane; the one that was quiet longest gives way.
const MAX_SESSIONS: usize = 8;
/// Lanes of one input.
const MAX_LANES: usize = 1_024;
/// A session that a later one has followed is over when its lane has used others for so many messages.
const QUIET_AFTER: u64 = 64;

/// A message as the tracker takes it.
pub struct Message<'a> {
    /// Its number in the input, from 1.
    pub n: u64,
    /// The recorded direction.
    pub recorded: Option<Direction>,
    /// The log's name for its session.
    pub session: Option<&'a str>,
    /// The log's name for its server.
    pub server: Option<&'a str>,
    /// When.
    pub time: Option<Stamp>,
    /// Its place in a batch.
    pub batch: Option<BatchPlace>,
    /// What it says by itself.
    pub facts: Facts<'a>,
}

/// What was decided about a message. Texts that live in the session are read through the [`Tracker`].
#[derive(Clone, Debug)]
pub struct Verdict {
    pub(super) place: usize,
    pub(super) revision: Option<u8>,
    pub(super) request: Option<u32>,
    /// The number of its session.
    pub session: u32,
    /// Which way.
    pub direction: Option<Direction>,
    /// The row of its method, of an answer that of its request.
    pub row: Option<&'static Method>,
    /// What it is about.
    pub feature: Feature,
    /// The phase.
    pub phase: Option<Phase>,
    /// The request that it answers.
    pub answers: Option<u64>,
    /// Its answer, when that stands earlier.
    pub answered_by: Option<u64>,
    /// The request concerned.
    pub relates_to: Option<u64>,
    /// The other side's request during which it came.
    pub caused_by: Option<u64>,
    /// The request that it continues.
    pub continues: Option<u64>,
    /// Answers: how it ended.
    pub status: Option<Status>,
    /// Its request was cancelled before.
    pub cancelled: bool,
    /// When its request was sent.
    pub asked: Option<Stamp>,
    /// What the session adds to the flags.
    pub flags: Flags,
    /// What the statements rest on.
    pub basis: Basis,
    /// The two sides have agreed by this message.
    pub agreed: bool,
    /// The labels of the session were found to be swapped by this message.
    pub found_swapped: bool,
}

/// What one input's messages mean.
#[derive(Default)]
pub struct Tracker {
    lanes: Vec<Lane>,
    by_key: HashMap<LaneKey, usize>,
    last_lane: usize,
    sessions: Vec<Option<Session>>,
    free: Vec<usize>,
    sessions_begun: u32,
    pending: Pending,
    tasks: Tasks,
    /// Requests that were answered before they were seen: number to the number of the answer.
    answered_early: HashMap<u64, u64>,
    needs: Vec<Needs>,
    asked: Vec<InputRequest>,
    ended: Vec<(Session, &'static str, Vec<(u64, String)>, u64)>,
    lanes_lost: u64,
}

impl Tracker {
    /// A tracker for one input.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sessions seen so far.
    pub fn sessions_begun(&self) -> u64 {
        u64::from(self.sessions_begun)
    }

    /// Bounded tables that have overflowed: name and entries lost.
    pub fn caps_reached(&self) -> impl Iterator<Item = (&'static str, u64)> {
        [("open-requests", self.pending.evicted), ("tasks", self.tasks.evicted), ("lanes", self.lanes_lost)]
            .into_iter()
            .filter(|(_, lost)| *lost > 0)
    }

    /// The session of a verdict.
    pub fn session(&self, verdict: &Verdict) -> &Session {
        self.at(verdict.place)
    }

    /// The revision in force for a message, as on the wire.
    pub fn revision(&self, verdict: &Verdict) -> Option<&str> {
        self.at(verdict.place).revision_text(verdict.revision?)
    }

    /// The method of the request that an answer belongs to.
    pub fn request_method(&self, verdict: &Verdict) -> Option<&str> {
        Some(self.pending.get(verdict.request?)?.name.as_str())
    }

    /// The target of the request that an answer belongs to.
    pub fn request_target(&self, verdict: &Verdict) -> Option<&str> {
        self.pending.get(verdict.request?)?.target.as_deref()
    }

    /// What the last stepped message needs.
    pub fn needs(&self) -> &[Needs] {
        &self.needs
    }

    /// What the result that the last stepped message continues had asked for.
    pub fn continued_requests(&self) -> &[InputRequest] {
        &self.asked
    }

    /// What an input request of the last stepped message needs.
    pub fn input_request_needs(&self, verdict: &Verdict, method: &Method, params: Option<RawJson<'_>>) -> Vec<Needs> {
        needs::of_input_request(method, params, self.at(verdict.place).client_capabilities.as_ref())
    }

    /// Sessions that have ended since the last call: the session, what ended it, its first unanswered requests and how
    /// many there are.
    pub fn take_ended(&mut self) -> Vec<(Session, &'static str, Vec<(u64, String)>, u64)> {
        std::mem::take(&mut self.ended)
    }

    /// Whether sessions have ended since [`Self::take_ended`].
    pub fn has_ended(&self) -> bool {
        !self.ended.is_empty()
    }

    /// Ends every session: the input has ended.
    pub fn finish(&mut self) {
        for lane in 0..self.lanes.len() {
            for place in std::mem::take(&mut self.lanes[lane].sessions) {
                let closed = self.at(place).state == State::Closed;
                self.end(place, if closed { "transport-closed" } else { "end-of-input" });
            }
        }
    }

    /// Takes an event of the log. Gives the number of the session that it falls into (0 before the first) and the phase.
    pub fn event(
        &mut self,
        kind: EventKind,
        session: Option<&str>,
        server: Option<&str>,
        time: Option<Stamp>,
    ) -> (u32, Option<Phase>, Option<Stamp>) {
        let lane = if session.is_some() || server.is_some() || self.lanes.is_empty() {
            self.lane(session, server)
        } else {
            self.last_lane
        };
        match kind {
            EventKind::ProcessStart => {
                for place in std::mem::take(&mut self.lanes[lane].sessions) {
                    self.end(place, "new-session");
                }
                self.lanes[lane].beginning = true;
            }
            EventKind::TransportClosed | EventKind::ProcessExit => {
                for index in 0..self.lanes[lane].sessions.len() {
                    let place = self.lanes[lane].sessions[index];
                    self.at_mut(place).state = State::Closed;
                }
            }
            _ => {}
        }
        let Some(&place) = self.lanes[lane].sessions.last() else { return (0, None, None) };
        let session = self.at_mut(place);
        session.touch(time);
        let phase = match session.state {
            State::Closed => Some(Phase::Shutdown),
            State::Initializing | State::Initialized => Some(Phase::Initialization),
            State::Operating => Some(Phase::Operation),
            State::Fresh => session.ordinary.then_some(Phase::Operation),
        };
        (session.number, phase, session.start)
    }

    /// Finds the message that another telling repeats, by its id or method: an open or lately answered request of the lane.
    /// Gives its number, if it is known, and the number of the session.
    pub fn told(
        &mut self,
        facts: &Facts<'_>,
        session: Option<&str>,
        server: Option<&str>,
        direction: Option<Direction>,
    ) -> (Option<u64>, u32) {
        let lane = if session.is_some() || server.is_some() || self.lanes.is_empty() {
            self.lane(session, server)
        } else {
            self.last_lane
        };
        let Some(&place) = self.lanes[lane].sessions.last() else { return (None, 0) };
        let number = self.at(place).number;
        let sender = direction.map_or(Side::Client, Direction::sender);
        let of = match (facts.kind, facts.key()) {
            (Kind::Request, Some(key)) => {
                self.pending.find(number, sender, &key).and_then(|slot| self.pending.get(slot)).map(|request| request.n)
            }
            (Kind::Request | Kind::Notification, None) => {
                facts.method.and_then(|method| self.pending.latest(number, sender, method))
            }
            _ => None,
        };
        (of, number)
    }

    /// Takes a message. `None`: the decision needs more of what follows; ask again with more.
    pub fn step(&mut self, message: &Message<'_>, ahead: Ahead<'_>) -> Option<Verdict> {
        let lane = self.lane(message.session, message.server);
        let (place, session_basis) = match self.choose_session(lane, message) {
            Some(found) => found,
            None => (usize::MAX, Certainty::Inferred),
        };
        // Decide first, on a session that may be still to be made, and change nothing before everything is decided.
        let fresh = place == usize::MAX;
        let candidate = if fresh { self.new_session(lane) } else { place };
        match self.decide(lane, candidate, message, ahead) {
            Some(decided) => {
                if fresh {
                    self.lanes[lane].sessions.push(candidate);
                    self.lanes[lane].beginning = false;
                    self.retire(lane, candidate);
                }
                Some(self.commit(lane, candidate, message, session_basis, decided))
            }
            None => {
                if fresh {
                    self.sessions[candidate] = None;
                    self.free.push(candidate);
                    self.sessions_begun -= 1;
                }
                None
            }
        }
    }

    fn at(&self, place: usize) -> &Session {
        self.sessions[place].as_ref().expect("a lane lists only sessions that are open")
    }

    fn at_mut(&mut self, place: usize) -> &mut Session {
        self.sessions[place].as_mut().expect("a lane lists only sessions that are open")
    }

    fn lane(&mut self, session: Option<&str>, server: Option<&str>) -> usize {
        if let Some(lane) = self.lanes.get(self.last_lane)
            && lane.key.is(session, server)
        {
            return self.last_lane;
        }
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
    fn replace_lane(&mut self, key: LaneKey) -> usize {
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

    fn new_session(&mut self, lane: usize) -> usize {
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

    /// Ends sessions of a lane that have gone quiet since a later one began.
    fn retire(&mut self, lane: usize, current: usize) {
        while self.lanes[lane].sessions.len() > MAX_SESSIONS {
            let oldest = self.lanes[lane].sessions.remove(0);
            self.end(oldest, "new-session");
        }
        let _ = current;
    }

    fn end(&mut self, place: usize, ended: &'static str) {
        let Some(session) = self.sessions[place].take() else { return };
        let mut first = Vec::new();
        let mut count = session.lost;
        if self.pending.has_open() {
            for (n, method, cancelled) in self.pending.open_of(session.number) {
                count += 1;
                if first.len() < 100 {
                    first.push((n, if cancelled { format!("{method} (cancelled)") } else { method.to_owned() }));
                }
            }
        }
        self.pending.forget(session.number);
        self.free.push(place);
        let ended = if session.state == State::Closed { "transport-closed" } else { ended };
        self.ended.push((session, ended, first, count));
    }

    /// The session that a message belongs to, and how sure that is; `None`: a new one.
    fn choose_session(&self, lane: usize, message: &Message<'_>) -> Option<(usize, Certainty)> {
        let lane = &self.lanes[lane];
        let facts = &message.facts;
        let named = if lane.key.names_session() { Certainty::Recorded } else { Certainty::Inferred };
        let &current = lane.sessions.last()?;
        let session = self.at(current);
        if facts.is_initialize() {
            return (!session.is_over_at_initialize()).then_some((current, named));
        }
        let key = facts.key();
        if facts.kind == Kind::Request && facts.is_stateless() {
            let known = key.as_ref().is_some_and(|key| {
                self.pending.find(session.number, Side::Client, key).is_some() || session.reopened >= 2
            });
            if session.is_over_at(facts, known) {
                return None;
            }
        }
        if lane.sessions.len() == 1 {
            return Some((current, named));
        }
        // Several sessions share the lane: what an id, a token or the handshake tells, then the one in use.
        let alone = if lane.concurrent { Certainty::Guessed } else { named };
        let at = |place: &usize| self.at(*place);
        if facts.kind == Kind::Response
            && let Some(key) = &key
        {
            let waits = |place: &&usize| {
                [Side::Client, Side::Server].into_iter().any(|side| {
                    message.recorded.is_none_or(|way| at(place).label(Some(way)).map(Direction::receiver) == Some(side))
                        && self
                            .pending
                            .find(at(place).number, side, key)
                            .and_then(|slot| self.pending.get(slot))
                            .is_some_and(|request| !request.answered && self.suits(request, facts))
                })
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
        if let Some(token) = facts.progress_token() {
            let owns = |place: &&usize| {
                [Side::Client, Side::Server]
                    .into_iter()
                    .any(|side| self.pending.find_token(at(place).number, side, &token).is_some())
            };
            if let Some(&first) = lane.sessions.iter().rev().find(owns) {
                return Some((first, alone));
            }
        }
        if facts.kind == Kind::Request
            && let Some((prefix, number)) = key.as_ref().and_then(|key| key.counter())
        {
            let side = facts.set.and_then(|set| set.only_sender()).unwrap_or(Side::Client);
            let continues = |place: &&usize| {
                let numbering = &at(place).numbering[side.index()];
                numbering.prefix == prefix && numbering.last == Some(number - 1) && at(place).state != State::Closed
            };
            let ready = |place: &&usize| continues(place) && at(place).state == State::Operating;
            if !continues(&&current) || lane.concurrent {
                if let Some(&first) = lane.sessions.iter().find(ready).or_else(|| lane.sessions.iter().find(continues))
                {
                    let sure = first == current && !lane.concurrent;
                    return Some((first, if sure { named } else { Certainty::Guessed }));
                }
            }
        }
        if lane.concurrent {
            let latest = lane.sessions.iter().max_by_key(|place| at(place).used);
            return latest.map(|&place| (place, Certainty::Guessed));
        }
        Some((current, alone))
    }

    fn suits(&self, request: &Request, facts: &Facts<'_>) -> bool {
        if facts.result.is_none() || facts.outline {
            return true;
        }
        let has = |name: &str| facts.param(name).is_some();
        let fit =
            crate::protocol::fits(request.name.as_str(), None, has, facts.result_type().as_deref(), facts.is_empty());
        fit != crate::protocol::Fit::No
    }

    /// Everything that may have to wait for what follows.
    fn decide(&self, lane: usize, place: usize, message: &Message<'_>, ahead: Ahead<'_>) -> Option<Decided> {
        let session = self.at(place);
        let lane = &self.lanes[lane];
        let facts = &message.facts;
        let mut decided = Decided::default();
        decided.swap = self.swap(session, lane, message, ahead)?;
        let flip = |way: Direction| if session.swapped != decided.swap { way.reversed() } else { way };
        let label = message.recorded.map(flip);
        let view = View { session, lane: &lane.key, pending: &self.pending, tasks: &self.tasks, ahead };
        match facts.kind {
            Kind::Response => match view.answer(facts, label) {
                Decision::Made(route) => decided.route = route,
                Decision::Wait => return None,
            },
            Kind::Request | Kind::Notification => {
                decided.route.direction = match label {
                    Some(way) => Some((way, Certainty::Recorded)),
                    None => match view.call(facts) {
                        Decision::Made(direction) => Some(direction),
                        Decision::Wait => return None,
                    },
                };
            }
            Kind::Invalid => {
                decided.route.direction = label.map(|way| (way, Certainty::Recorded));
                if decided.route.direction.is_none() && facts.method.is_some() {
                    decided.route.direction = match view.call(facts) {
                        Decision::Made(direction) => Some(direction),
                        Decision::Wait => return None,
                    };
                }
            }
        }
        if session.swapped != decided.swap
            && let Some((_, certainty)) = &mut decided.route.direction
            && *certainty == Certainty::Recorded
        {
            // The label was turned round: that follows from the methods, it is not what the log says.
            *certainty = Certainty::Inferred;
        }
        if session.swapped
            && let Some((_, certainty)) = &mut decided.route.direction
            && *certainty == Certainty::Recorded
        {
            *certainty = Certainty::Inferred;
        }
        decided.early = self.early_phase(session, lane, message, ahead)?;
        Some(decided)
    }

    /// Whether the labels turn out to be swapped: they contradict a single-sender method, and so do most that follow.
    fn swap(&self, session: &Session, lane: &Lane, message: &Message<'_>, ahead: Ahead<'_>) -> Option<bool> {
        let contrary = |recorded: Option<Direction>, method: Option<&str>| {
            let sender = method_set(method?)?.only_sender()?;
            Some(session.label(recorded)?.sender() != sender)
        };
        if message.facts.kind == Kind::Response || contrary(message.recorded, message.facts.method) != Some(true) {
            return Some(false);
        }
        let (mut agree, mut against) = (session.labels.0, session.labels.1 + 1);
        for glimpse in ahead.lane(&lane.key) {
            match contrary(glimpse.recorded, glimpse.method.as_deref()) {
                Some(true) => against += 1,
                Some(false) => agree += 1,
                None => {}
            }
        }
        if !ahead.last && agree + against < 4 {
            return None;
        }
        Some(against > agree)
    }

    /// What a message before any `initialize` belongs to.
    fn early_phase(&self, session: &Session, lane: &Lane, message: &Message<'_>, ahead: Ahead<'_>) -> Option<Early> {
        let facts = &message.facts;
        if session.state != State::Fresh || facts.is_initialize() {
            return Some(Early::None);
        }
        let stateless = session.stateless || facts.is_stateless();
        if facts.method == Some("server/discover") && facts.kind != Kind::Response {
            return Some(if session.ordinary { Early::Operation } else { Early::Probe });
        }
        if facts.kind == Kind::Response {
            return Some(Early::None);
        }
        if stateless {
            if session.ordinary || facts.kind != Kind::Request {
                return Some(Early::Operation);
            }
            return self.first_stateless(lane, message, ahead);
        }
        if session.ordinary {
            return Some(Early::Operation);
        }
        if session.beginning {
            return Some(Early::Before(Certainty::Inferred));
        }
        if let Some(follows) = session.initialize_follows {
            return Some(if follows { Early::Before(Certainty::Inferred) } else { Early::Middle });
        }
        for glimpse in ahead.lane(&lane.key) {
            if glimpse.initialize {
                return Some(Early::Before(Certainty::Inferred));
            }
            if glimpse.stateless {
                return Some(Early::Middle);
            }
        }
        if ahead.last { Some(Early::Middle) } else { None }
    }

    /// The first stateless request other than `server/discover`: a probe if it is refused for its version or leads to
    /// `initialize`.
    fn first_stateless(&self, lane: &Lane, message: &Message<'_>, ahead: Ahead<'_>) -> Option<Early> {
        let key = message.facts.key();
        let mut refused = false;
        for glimpse in ahead.lane(&lane.key) {
            if glimpse.initialize {
                return Some(Early::Probe);
            }
            if glimpse.kind == Kind::Response && glimpse.key == key {
                match glimpse.error_code {
                    Some(-32022) => return Some(Early::Probe),
                    Some(_) => refused = true,
                    None => return Some(Early::Operation),
                }
            } else if glimpse.kind == Kind::Response && glimpse.outcome == Some(Outcome::Result) && refused {
                return Some(Early::Operation);
            }
        }
        if ahead.last { Some(Early::Operation) } else { None }
    }

    fn commit(
        &mut self,
        lane: usize,
        place: usize,
        message: &Message<'_>,
        session_basis: Certainty,
        decided: Decided,
    ) -> Verdict {
        let facts = &message.facts;
        self.needs.clear();
        self.asked.clear();
        self.lanes[lane].messages += 1;
        let clock = self.lanes[lane].messages;
        let label_row = facts.set.and_then(|set| set.only_sender());
        {
            let session = self.at_mut(place);
            session.used = clock;
            session.touch(message.time);
            if let (Some(sender), Some(recorded)) = (label_row, session.label(message.recorded))
                && facts.kind != Kind::Response
            {
                if recorded.sender() == sender { session.labels.0 += 1 } else { session.labels.1 += 1 }
            }
            if decided.swap {
                session.swapped = !session.swapped;
                session.labels = (session.labels.1, 0);
            }
        }
        let mut verdict = Verdict {
            place,
            revision: None,
            request: None,
            session: self.at(place).number,
            direction: decided.route.direction.map(|(way, _)| way),
            row: None,
            feature: Feature::Unknown,
            phase: None,
            answers: None,
            answered_by: None,
            relates_to: None,
            caused_by: None,
            continues: None,
            status: None,
            cancelled: false,
            asked: None,
            flags: Flags::NONE,
            basis: Basis {
                direction: decided.route.direction.map(|(_, certainty)| certainty),
                session: Some(session_basis),
                ..Basis::default()
            },
            agreed: false,
            found_swapped: decided.swap,
        };
        let contrary = label_row.is_some()
            && verdict.direction.is_some_and(|way| Some(way.sender()) != label_row)
            && facts.kind != Kind::Response;
        verdict.flags = verdict.flags.with_if(decided.swap || contrary, Flag::SwappedLabel);
        match facts.kind {
            Kind::Request => self.commit_request(lane, message, &mut verdict, decided.early),
            Kind::Notification => self.commit_notification(lane, message, &mut verdict, decided.early),
            Kind::Response => self.commit_answer(lane, message, &mut verdict, decided.route),
            Kind::Invalid => self.commit_invalid(message, &mut verdict, decided.early),
        }
        verdict.flags = verdict.flags.with_if(facts.wrong_form(), Flag::WrongForm);
        if message.batch.is_some() {
            let revision = self.revision(&verdict).and_then(Revision::parse);
            let legal = revision.is_none_or(|revision| revision == Revision::V2025_03_26);
            verdict.flags = verdict.flags.with_if(!legal, Flag::Batched);
        }
        self.at_mut(place).counts.add(facts.kind, facts.outcome, verdict.status);
        if self.lanes[lane].sessions.len() > 1 && clock % 16 == 0 {
            self.end_quiet(lane, clock);
        }
        verdict
    }

    fn end_quiet(&mut self, lane: usize, clock: u64) {
        let current = self.lanes[lane].sessions.last().copied();
        let quiet: Vec<usize> = self.lanes[lane]
            .sessions
            .iter()
            .copied()
            .filter(|&place| Some(place) != current && self.at(place).used + QUIET_AFTER < clock)
            .collect();
        for place in quiet {
            self.lanes[lane].sessions.retain(|&other| other != place);
            self.end(place, "new-session");
        }
    }

    fn commit_request(&mut self, lane: usize, message: &Message<'_>, verdict: &mut Verdict, early: Early) {
        let facts = &message.facts;
        let side = verdict.direction.map_or(Side::Client, Direction::sender);
        if facts.is_initialize() {
            self.begin_handshake(lane, verdict.place, facts);
        } else if facts.is_stateless() {
            self.take_stateless(verdict.place, facts);
        }
        let session = self.at_mut(verdict.place);
        verdict.revision = match facts.meta.protocol_version.and_then(RawJson::as_str) {
            Some(own) => Some(session.intern(&own)),
            None if facts.is_initialize() => session.requested,
            None => session.revision.or(session.requested),
        };
        (verdict.phase, verdict.basis.phase) = phase_of_call(session, facts, verdict.direction, early);
        if matches!(early, Early::Operation | Early::Middle) && session.state == State::Fresh {
            session.ordinary = true;
        }
        self.describe(message, verdict);
        let session_number = verdict.session;
        verdict.relates_to = self.relation(session_number, verdict.direction, facts);
        let causes = &self.at(verdict.place).causes;
        if side == Side::Server && facts.method != Some("ping") {
            verdict.caused_by = facts
                .task_id()
                .and_then(|task| self.tasks.get(session_number, &task))
                .map(|origin| origin.n)
                .or(causes[Side::Client.index()].only());
        }
        let target = facts.target();
        let (state, responses) = (facts.param("requestState"), facts.param("inputResponses"));
        if let Some(method) = facts.method
            && (state.is_some() || responses.is_some())
            && let Some((n, asked)) =
                self.at_mut(verdict.place).retries.take(method, target.as_deref(), state, responses)
        {
            verdict.continues = Some(n);
            self.asked = asked;
        }
        let Some(key) = facts.key() else { return };
        if let Some(answer) = self.answered_early.remove(&message.n) {
            verdict.answered_by = Some(answer);
        }
        let token = facts.meta.progress_token.and_then(|token| super::IdKey::of_token(token.text()));
        let token_is_id = token.as_ref() == Some(&key);
        let causal =
            matches!(facts.method, Some("tools/call" | "prompts/get" | "resources/read" | "completion/complete"));
        let request = Request {
            n: message.n,
            name: match verdict.row {
                Some(row) => Name::Known(row),
                None => Name::Other(CompactString::new(facts.method.unwrap_or_default())),
            },
            target: target.map(CompactString::new),
            time: message.time,
            phase: verdict.phase.zip(verdict.basis.phase),
            revision: verdict.revision.unwrap_or(u8::MAX),
            applied: self.applied(verdict, facts),
            token: token.filter(|_| !token_is_id).map(Box::new),
            token_is_id,
            side_guessed: verdict.basis.direction == Some(Certainty::Guessed),
            cancelled: false,
            answered: false,
            causal,
            task: facts.param("task").is_some(),
        };
        self.at_mut(verdict.place).numbering[side.index()].note(&key);
        let displaced = self.pending.open(session_number, side, key, request);
        if let Some((_, still_open)) = displaced.same_id {
            let session = self.at_mut(verdict.place);
            let reused = still_open || !session.stateless || session.handshake;
            verdict.flags = verdict.flags.with_if(reused, Flag::ReusedId);
            session.reopened += u32::from(still_open);
        }
        if let Some((session, side, n, causal)) = displaced.oldest {
            self.give_up(session, side, n, causal);
        }
        if verdict.answered_by.is_some() {
            if let Some(slot) = facts.key().and_then(|key| self.pending.find(session_number, side, &key)) {
                self.pending.answer(slot);
            }
        } else if causal {
            self.at_mut(verdict.place).causes[side.index()].open(message.n);
        }
    }

    fn give_up(&mut self, session: u32, side: Side, n: u64, causal: bool) {
        if let Some(session) = self.sessions.iter_mut().flatten().find(|open| open.number == session) {
            session.lost += 1;
            if causal {
                session.causes[side.index()].close(n);
            }
        }
    }

    fn begin_handshake(&mut self, lane: usize, place: usize, facts: &Facts<'_>) {
        let overlapping = self.lanes[lane]
            .sessions
            .iter()
            .any(|&other| other != place && self.at(other).state == State::Initializing && !self.at(other).refused);
        self.lanes[lane].concurrent |= overlapping;
        let session = self.at_mut(place);
        session.probed |= session.stateless;
        session.handshake = true;
        session.refused = false;
        session.state = State::Initializing;
        if let Some(version) = facts.param("protocolVersion").and_then(RawJson::as_str) {
            session.requested = Some(session.intern(&version));
        }
        if let Some(capabilities) = facts.param("capabilities") {
            session.take_client_capabilities(capabilities);
        }
        if let Some(info) = facts.param("clientInfo") {
            session.client = Peer::read(info);
        }
    }

    fn take_stateless(&mut self, place: usize, facts: &Facts<'_>) {
        let session = self.at_mut(place);
        session.stateless = true;
        if let Some(version) = facts.meta.protocol_version.and_then(RawJson::as_str) {
            let index = session.intern(&version);
            if !session.handshake {
                session.requested.get_or_insert(index);
                session.revision = Some(index);
            }
        }
        if session.handshake {
            return;
        }
        if let Some(capabilities) = facts.meta.client_capabilities {
            session.take_client_capabilities(capabilities);
        }
        if session.client.is_none()
            && let Some(info) = facts.meta.client_info
        {
            session.client = Peer::read(info);
        }
    }

    fn commit_notification(&mut self, _lane: usize, message: &Message<'_>, verdict: &mut Verdict, early: Early) {
        let facts = &message.facts;
        let session = self.at_mut(verdict.place);
        verdict.revision = match facts.meta.protocol_version.and_then(RawJson::as_str) {
            Some(own) => Some(session.intern(&own)),
            None => session.revision.or(session.requested),
        };
        (verdict.phase, verdict.basis.phase) = phase_of_call(session, facts, verdict.direction, early);
        if early == Early::Middle {
            session.initialize_follows = Some(false);
        }
        if facts.method == Some("notifications/initialized") && session.state != State::Closed {
            if session.state == State::Initialized {
                verdict.agreed = false;
            }
            session.state = State::Operating;
        }
        self.describe(message, verdict);
        verdict.relates_to = self.relation(verdict.session, verdict.direction, facts);
        if facts.set.is_none_or(|set| set.at_or_any(None).feature == Feature::Cancellation)
            && let (Some(way), Some(id)) = (verdict.direction, facts.request_id())
        {
            self.cancel(verdict, way, &id);
        }
        self.applied(verdict, facts).list_into(verdict, &mut self.needs);
    }

    /// Marks the request that a cancellation names. In 2026-07-28 the server may end the client's listen request so.
    fn cancel(&mut self, verdict: &Verdict, way: Direction, id: &super::IdKey) {
        let slot = self.pending.find(verdict.session, way.sender(), id).or_else(|| {
            self.pending.find(verdict.session, way.receiver(), id).filter(|_| way == Direction::ServerToClient)
        });
        let Some(slot) = slot else { return };
        let Some(request) = self.pending.get_mut(slot) else { return };
        if request.answered || request.cancelled {
            return;
        }
        request.cancelled = true;
        let (n, causal) = (request.n, request.causal);
        if causal {
            self.at_mut(verdict.place).causes[way.sender().index()].close(n);
        }
    }

    fn commit_answer(&mut self, _lane: usize, message: &Message<'_>, verdict: &mut Verdict, route: Route) {
        let facts = &message.facts;
        verdict.status = Some(status_of(facts, None));
        let session = self.at_mut(verdict.place);
        verdict.revision = session.revision.or(session.requested);
        if let Some((slot, certainty)) = route.request {
            self.settle(message, verdict, slot, certainty);
            return;
        }
        if let Some(request) = route.request_ahead {
            verdict.answers = Some(request);
            verdict.basis.answers = Some(Certainty::Inferred);
            if self.answered_early.len() < 4_096 {
                self.answered_early.insert(request, message.n);
            }
        } else {
            verdict.flags = verdict.flags.with(Flag::Orphan);
            self.at_mut(verdict.place).vain_lookups += 1;
        }
        if let Some((method, certainty)) = route.shape {
            let set = method_set(method);
            verdict.row = set.map(|set| set.at_or_any(self.revision(verdict).and_then(Revision::parse)));
            verdict.basis.method = Some(certainty);
            verdict.status = Some(status_of(facts, verdict.row));
        }
        let session = self.at(verdict.place);
        (verdict.phase, verdict.basis.phase) = phase_of_orphan(session, verdict.row);
        verdict.feature = verdict.row.map_or(Feature::Unknown, |row| row.feature);
    }

    fn settle(&mut self, message: &Message<'_>, verdict: &mut Verdict, slot: u32, certainty: Certainty) {
        let facts = &message.facts;
        let Some(request) = self.pending.get(slot) else { return };
        let (n, causal, open) = (request.n, request.causal, !request.cancelled && !request.answered);
        let side = verdict.direction.map_or(Side::Client, Direction::receiver);
        verdict.request = Some(slot);
        verdict.answers = Some(n);
        verdict.basis.answers = Some(certainty);
        verdict.basis.method = Some(certainty);
        verdict.row = request.name.row();
        verdict.feature = verdict.row.map_or(Feature::Unknown, |row| row.feature);
        verdict.cancelled = request.cancelled;
        verdict.asked = request.time;
        (verdict.phase, verdict.basis.phase) = (request.phase.map(|(phase, _)| phase), request.phase.map(|(_, c)| c));
        if request.revision != u8::MAX {
            verdict.revision = Some(request.revision);
        }
        verdict.flags = verdict.flags.with_if(request.answered, Flag::DuplicateAnswer);
        verdict.status = Some(status_of(facts, verdict.row));
        let applied = request.applied;
        let method = request.name.as_str() == "initialize";
        let discover = request.name.as_str() == "server/discover";
        let task = request.task;
        let waits = verdict.status == Some(Status::InputRequired);
        let asked = waits.then(|| (request.name.as_str().to_owned(), request.target.clone()));
        self.pending.answer(slot);
        if causal && open {
            self.at_mut(verdict.place).causes[side.index()].close(n);
        }
        if method {
            self.finish_handshake(verdict, facts);
        } else if discover {
            self.take_discovery(verdict, facts);
        } else if facts.outcome == Some(Outcome::Result) {
            let session = self.at_mut(verdict.place);
            if let Some(info) = facts.meta.server_info
                && session.server.is_none()
            {
                session.server = Peer::read(info);
            }
        }
        applied.list_into(verdict, &mut self.needs);
        if let Some((name, target)) = asked {
            let (state, requests) = (facts.param("requestState"), facts.param("inputRequests"));
            self.at_mut(verdict.place).retries.ask(n, &name, target.as_deref(), state, requests);
        }
        // A task handle: nested in 2025-11-25, flat in the extension.
        if let Some(result) = facts.result.filter(|_| task || facts.param("resultType").is_some()) {
            let handle = facts
                .param("task")
                .and_then(|task| task.get("taskId"))
                .or_else(|| (facts.result_type().as_deref() == Some("task")).then(|| result.get("taskId")).flatten());
            if let Some(id) = handle.and_then(RawJson::as_str) {
                self.tasks.insert(verdict.session, &id, Origin { n, requestor: side });
            }
        }
    }

    fn finish_handshake(&mut self, verdict: &mut Verdict, facts: &Facts<'_>) {
        let session = self.at_mut(verdict.place);
        match facts.outcome {
            Some(Outcome::Error) => session.refused = true,
            _ => {
                if let Some(version) = facts.param("protocolVersion").and_then(RawJson::as_str) {
                    session.revision = Some(session.intern(&version));
                } else if facts.outline {
                    session.revision = session.revision.or(session.requested);
                }
                if let Some(capabilities) = facts.param("capabilities") {
                    session.server_capabilities = Some(CapabilitySet::read(capabilities));
                }
                if let Some(info) = facts.param("serverInfo") {
                    session.server = Peer::read(info);
                }
                if session.state == State::Initializing {
                    session.state = State::Initialized;
                }
                verdict.agreed = true;
                verdict.revision = session.revision.or(session.requested);
            }
        }
    }

    fn take_discovery(&mut self, verdict: &mut Verdict, facts: &Facts<'_>) {
        if facts.outcome != Some(Outcome::Result) {
            return;
        }
        let session = self.at_mut(verdict.place);
        if session.handshake {
            return;
        }
        if let Some(capabilities) = facts.param("capabilities") {
            session.server_capabilities = Some(CapabilitySet::read(capabilities));
            verdict.agreed = true;
        }
        if let Some(info) = facts.meta.server_info.or(facts.param("serverInfo")) {
            session.server = Peer::read(info);
        }
    }

    fn commit_invalid(&mut self, message: &Message<'_>, verdict: &mut Verdict, early: Early) {
        let session = self.at_mut(verdict.place);
        verdict.revision = session.revision.or(session.requested);
        (verdict.phase, verdict.basis.phase) = phase_of_call(session, &message.facts, verdict.direction, early);
        self.describe(message, verdict);
    }

    /// Row and feature of a message that names its method.
    fn describe(&self, message: &Message<'_>, verdict: &mut Verdict) {
        let Some(set) = message.facts.set else { return };
        let revision = self.revision(verdict).and_then(Revision::parse);
        let row = set.at_or_any(revision);
        verdict.row = Some(row);
        verdict.feature = row.feature;
        verdict.basis.method = Some(Certainty::Recorded);
        let foreign = revision.is_some_and(|revision| set.at(revision).is_none());
        verdict.flags = verdict.flags.with_if(foreign, Flag::WrongRevision);
    }

    fn applied(&mut self, verdict: &Verdict, facts: &Facts<'_>) -> Applied {
        let Some(row) = verdict.row else { return Applied::default() };
        if row.requires.is_empty() {
            return Applied::default();
        }
        let session = self.at(verdict.place);
        let applied = Applied::judge(
            row,
            facts,
            verdict.direction,
            |side| session.capabilities(side).map(|_| true),
            |side, path| session.capabilities(side).is_some_and(|set| set.declares(path)),
        );
        self.needs.clear();
        applied.list(row, verdict.direction, &mut self.needs);
        applied
    }

    /// The request that a message points at.
    fn relation(&self, session: u32, direction: Option<Direction>, facts: &Facts<'_>) -> Option<u64> {
        let n = |slot: Option<u32>| slot.and_then(|slot| self.pending.get(slot)).map(|request| request.n);
        if let Some(task) = facts.task_id() {
            return self.tasks.get(session, &task).map(|origin| origin.n);
        }
        if let Some(subscription) = facts.meta.subscription_id {
            let key = super::IdKey::of_token(subscription.text())?;
            return n(self.pending.find(session, Side::Client, &key));
        }
        if facts.kind != Kind::Notification {
            return None;
        }
        let way = direction?;
        if let Some(token) = facts.progress_token() {
            return n(self.pending.find_token(session, way.receiver(), &token));
        }
        let id = facts.request_id()?;
        n(self.pending.find(session, way.sender(), &id).or_else(|| self.pending.find(session, way.receiver(), &id)))
    }
}

/// What a message before any `initialize` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Early {
    /// Not before any `initialize`.
    #[default]
    None,
    /// Stateless, before the first ordinary request.
    Probe,
    /// Stateless operation.
    Operation,
    /// `initialize` follows, or the beginning is in the capture.
    Before(Certainty),
    /// The capture may begin mid-session.
    Middle,
}

#[derive(Default)]
struct Decided {
    route: Route,
    early: Early,
    swap: bool,
}

impl Applied {
    fn list_into(self, verdict: &Verdict, needs: &mut Vec<Needs>) {
        needs.clear();
        if let Some(row) = verdict.row {
            // An answer goes the other way, and needs what its request needed.
            let way = match verdict.answers {
                Some(_) => verdict.direction.map(Direction::reversed),
                None => verdict.direction,
            };
            self.list(row, way, needs);
        }
    }
}

fn status_of(facts: &Facts<'_>, row: Option<&Method>) -> Status {
    if facts.outcome == Some(Outcome::Error) {
        return Status::Error;
    }
    if facts.result.is_some() {
        if facts.result_type().as_deref() == Some("input_required") {
            return Status::InputRequired;
        }
        let tool = row.is_none_or(|row| matches!(row.name, "tools/call" | "tasks/result"));
        if tool && facts.param("isError").and_then(RawJson::as_bool) == Some(true) {
            return Status::ToolError;
        }
    }
    Status::Ok
}

fn phase_of_call(
    session: &mut Session,
    facts: &Facts<'_>,
    direction: Option<Direction>,
    early: Early,
) -> (Option<Phase>, Option<Certainty>) {
    let sure = |phase| (Some(phase), Some(Certainty::Inferred));
    if session.state == State::Closed {
        return sure(Phase::Shutdown);
    }
    if facts.is_initialize() || facts.method == Some("notifications/initialized") {
        return sure(Phase::Initialization);
    }
    match session.state {
        State::Fresh => match early {
            Early::Probe => sure(Phase::Initialization),
            Early::Operation => sure(Phase::Operation),
            Early::Before(certainty) => (Some(Phase::Initialization), Some(certainty)),
            Early::Middle | Early::None => (Some(Phase::Operation), Some(Certainty::Guessed)),
        },
        State::Initializing => sure(Phase::Initialization),
        State::Initialized => {
            let ordinary = facts.kind == Kind::Request
                && direction == Some(Direction::ClientToServer)
                && facts.method != Some("ping");
            if !ordinary {
                return sure(Phase::Initialization);
            }
            session.state = State::Operating;
            sure(Phase::Operation)
        }
        State::Operating => sure(Phase::Operation),
        State::Closed => sure(Phase::Shutdown),
    }
}

fn phase_of_orphan(session: &Session, row: Option<&Method>) -> (Option<Phase>, Option<Certainty>) {
    let guessed = |phase| (Some(phase), Some(Certainty::Guessed));
    match row.map(|row| row.name) {
        Some("initialize") => guessed(Phase::Initialization),
        Some("server/discover") if !session.ordinary => guessed(Phase::Initialization),
        _ => match session.state {
            State::Closed => guessed(Phase::Shutdown),
            State::Initializing | State::Initialized => guessed(Phase::Initialization),
            State::Operating | State::Fresh => guessed(Phase::Operation),
        },
    }
}
