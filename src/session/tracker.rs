//! The tracker: takes messages and events in order, decides what each is, and keeps the sessions up to date.

use std::collections::HashMap;
use std::num::NonZeroI64;
use std::time::Duration;

use compact_str::CompactString;

use super::decide::{Decided, Known};
use super::declared::Terms;
use super::glimpse::Ahead;
use super::lanes::{Lane, LaneKey};
use super::needs::{self, Listed};
use super::pending::Pending;
use super::retry::InputRequest;
use super::state::{Session, State};
use super::tasks::Tasks;
use super::{Basis, BatchPlace, Certainty, Facts, Kind, Needs, Status};
use crate::jsonrpc::RawJson;
use crate::protocol::{Direction, Feature, Method, Phase, Side};
use crate::transcript::{EventKind, Flags, Frame, Stamp};

/// Open sessions of one lane; the one that was quiet longest gives way.
pub(super) const MAX_SESSIONS: usize = 8;
/// Lanes of one input.
pub(super) const MAX_LANES: usize = 1_024;
/// A session that a later one has followed is over when its lane has used others for so many messages.
pub(super) const QUIET_AFTER: u64 = 64;

/// A message as the tracker takes it.
pub struct Message<'a> {
    /// Its number in the input, from 1.
    pub n: u64,
    /// The frame that it stands in.
    pub frame: &'a Frame<'a>,
    /// Its place in a batch.
    pub batch: Option<BatchPlace>,
    /// The side that sent the batch, when one of its elements leaves no doubt.
    pub batch_sender: Option<Side>,
    /// What it says by itself.
    pub facts: &'a Facts<'a>,
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
    /// The request that it answers, when that stands further on.
    pub(super) later: Option<Box<Later>>,
    pub(super) terms: Terms,
    /// Its request was cancelled before.
    pub cancelled: bool,
    pub(super) asked: Option<NonZeroI64>,
    /// What the session adds to the flags.
    pub flags: Flags,
    /// What the statements rest on.
    pub basis: Basis,
    /// The two sides have agreed by this message.
    pub agreed: bool,
    /// The labels of the session were found to be swapped by this message.
    pub found_swapped: bool,
}

/// A request that stands behind its answer, or is known by its method alone.
#[derive(Clone, Debug)]
pub(super) struct Later {
    pub(super) method: Option<CompactString>,
    pub(super) target: Option<CompactString>,
}

impl Verdict {
    /// The target of an answer whose request stands further on.
    pub fn target(&self) -> Option<&str> {
        self.later.as_ref()?.target.as_deref()
    }

    /// The time between the request that it answers and the given one; `None` when the request's is not recorded or the
    /// clock went back.
    pub fn since_request(&self, time: jiff::Timestamp) -> Option<Duration> {
        let elapsed = time.as_nanosecond() - i128::from(self.asked?.get());
        u64::try_from(elapsed).ok().map(Duration::from_nanos)
    }

    /// The method of an answer whose request stands further on, or that only its shape tells.
    pub fn method(&self) -> Option<&str> {
        let later = self.later.as_ref().and_then(|later| later.method.as_deref());
        later.or(self.row.map(|row| row.name))
    }
}

/// A session that is over.
#[derive(Debug)]
pub struct Ended {
    /// The session.
    pub session: Session,
    /// `transport-closed`, `new-session`, `end-of-input` or `evicted`.
    pub why: &'static str,
    /// Requests that were never answered.
    pub unanswered: u64,
    /// Number and method of the first hundred of them.
    pub first: Vec<(u64, String)>,
}

/// What one input's messages mean.
#[derive(Default)]
pub struct Tracker {
    pub(super) lanes: Vec<Lane>,
    pub(super) by_key: HashMap<LaneKey, usize>,
    pub(super) last_lane: usize,
    pub(super) sessions: Vec<Option<Session>>,
    pub(super) free: Vec<usize>,
    pub(super) sessions_begun: u32,
    pub(super) pending: Pending,
    pub(super) tasks: Tasks,
    /// Requests that were answered before they were seen: number to the number of the answer.
    pub(super) answered_early: HashMap<u64, u64>,
    pub(super) needs: Listed,
    pub(super) asked: Vec<InputRequest>,
    pub(super) ended: Vec<Ended>,
    pub(super) lanes_lost: u64,
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
        Some(self.pending.get(verdict.request?)?.about.method())
    }

    /// The target of the request that an answer belongs to.
    pub fn request_target(&self, verdict: &Verdict) -> Option<&str> {
        self.pending.get(verdict.request?)?.about.target()
    }

    /// What the last message needs.
    pub fn needs(&self) -> &[Needs] {
        self.needs.get()
    }

    /// What the result that the last message continues had asked for.
    pub fn continued_requests(&self) -> &[InputRequest] {
        &self.asked
    }

    /// What an input request, or the response to one, in the last message needs.
    pub fn embedded_needs(
        &self,
        verdict: &Verdict,
        method: &Method,
        params: Option<RawJson<'_>>,
        request: bool,
    ) -> Vec<Needs> {
        let declarations = &self.at(verdict.place).declarations;
        let declared = |side, path: &[&str]| declarations.declared(side, path, verdict.terms);
        needs::of_embedded(method, params, request, declared)
    }

    /// Sessions that have ended since the last call.
    pub fn take_ended(&mut self) -> Vec<Ended> {
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
        let of = match (facts.kind, &facts.key) {
            (Kind::Request, Some(key)) => {
                self.pending.find(place, sender, key).and_then(|slot| self.pending.get(slot)).map(|request| request.n)
            }
            (Kind::Request | Kind::Notification, None) => {
                facts.method.and_then(|method| self.pending.latest(place, sender, method))
            }
            _ => None,
        };
        (of, number)
    }

    /// Decides everything about a message that may have to wait for what follows. `None`: ask again with more. What was
    /// decided stands in `decided`, which is too large to be moved for each message, and is to be committed before the
    /// next message.
    #[inline(always)]
    pub fn decide<'g>(&mut self, message: &Message<'_>, ahead: Ahead<'g>, decided: &mut Decided<'g>) -> Option<()> {
        decided.lane = self.lane(message.frame.session, message.frame.server);
        let mut known = Known::default();
        let chosen = self.choose_session(decided.lane, message, &mut known);
        decided.fresh = chosen.is_none();
        // On a session that may be still to be made, and is not one of its lane's before everything is decided.
        (decided.place, decided.basis) =
            chosen.unwrap_or_else(|| (self.new_session(decided.lane), Certainty::Inferred));
        let done = self.decide_in(decided, message, known, ahead);
        if done.is_none() && decided.fresh {
            self.sessions[decided.place] = None;
            self.free.push(decided.place);
            self.sessions_begun -= 1;
        }
        done
    }

    /// Takes a message about which everything is decided into its session. What it is stands in the verdict after
    /// [`Self::commit`].
    #[inline]
    pub fn begin(&mut self, decided: &Decided<'_>) -> Verdict {
        if decided.fresh {
            self.lanes[decided.lane].sessions.push(decided.place);
            self.lanes[decided.lane].beginning = false;
            self.retire(decided.lane);
        }
        Verdict::of(decided, self.at(decided.place))
    }

    pub(super) fn at(&self, place: usize) -> &Session {
        self.sessions[place].as_ref().expect("a lane lists only sessions that are open")
    }

    pub(super) fn at_mut(&mut self, place: usize) -> &mut Session {
        self.sessions[place].as_mut().expect("a lane lists only sessions that are open")
    }
}
