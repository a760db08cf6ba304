//! One session while it runs: its groups, its open requests, its handshake.

use std::collections::{BTreeMap, HashMap};

use compact_str::CompactString;
use jiff::Timestamp;

use super::capabilities::Needed;
use super::cube::{Cube, cut};
use super::field::Shared;
use super::figures::Handshakes;
use crate::annotate::{Annotated, Kind, Outcome};
use crate::protocol::Feature;

/// Codes that refuse a request because the receiver has no such thing: method not found, and a capability of the client
/// that is missing (2026-07-28).
const REFUSALS: [i64; 2] = [-32601, -32021];

/// A request that waits for its answer.
#[derive(Debug)]
struct Open {
    place: u32,
    cancelled: bool,
}

/// How far the handshake has come.
#[derive(Debug, Default)]
enum Handshake {
    #[default]
    NotBegun,
    Running {
        since: Option<Timestamp>,
        messages: u64,
        bytes: u64,
    },
    Done {
        nanos: Option<u64>,
        messages: u64,
        bytes: u64,
    },
}

#[derive(Debug, Default)]
pub(super) struct OpenSession {
    pub(super) cube: Cube,
    pub(super) needed: Needed,
    pub(super) server: Option<CompactString>,
    pub(super) in_flight_max: u64,
    /// By number.
    open: BTreeMap<u64, Open>,
    /// Those among them that were cancelled.
    cancelled: u64,
    handshake: Handshake,
}

impl OpenSession {
    /// What its messages have in common.
    pub(super) fn shared<'a>(&'a self, file: &'a str, session: u64) -> Shared<'a> {
        Shared { file, session, server: self.server.as_deref() }
    }

    /// Takes a message whose group stands at `place`. `room`: whether a further request may be remembered; if not, the
    /// oldest of this session counts as unanswered. Gives by how many the open requests have become more or less.
    pub(super) fn message(&mut self, message: &Annotated<'_>, place: u32, bytes: u64, room: bool) -> i64 {
        self.hear(message, bytes);
        match message.kind {
            Kind::Request if message.answered_by.is_none() => self.ask(message.n, place, room),
            Kind::Request => 0,
            Kind::Response | Kind::Notification | Kind::Invalid => self.settle(message),
        }
    }

    /// Takes a message that is not counted, for what it says about those that are. Gives the same.
    pub(super) fn overhear(&mut self, message: &Annotated<'_>, bytes: u64) -> i64 {
        self.hear(message, bytes);
        self.settle(message)
    }

    /// What any message says about its session.
    fn hear(&mut self, message: &Annotated<'_>, bytes: u64) {
        if self.server.as_deref() != message.server.map(cut)
            && let Some(server) = message.server
        {
            self.server = Some(CompactString::new(cut(server)));
        }
        if !message.requires.is_empty() {
            let code = message.error.as_ref().and_then(|error| error.code);
            let refused = message.outcome == Some(Outcome::Error) && code.is_some_and(|code| REFUSALS.contains(&code));
            self.needed.note(message.requires, refused);
        }
        self.shake_hands(message, bytes);
    }

    /// What a message says about requests that wait.
    fn settle(&mut self, message: &Annotated<'_>) -> i64 {
        match message.kind {
            Kind::Response => message.answers.map_or(0, |n| self.answer(n)),
            Kind::Notification if message.feature == Feature::Cancellation => {
                if let Some(open) = message.relates_to.and_then(|n| self.open.get_mut(&n))
                    && !open.cancelled
                {
                    open.cancelled = true;
                    self.cancelled += 1;
                    self.cube.cell(open.place).cancelled += 1;
                }
                0
            }
            Kind::Request | Kind::Notification | Kind::Invalid => 0,
        }
    }

    fn ask(&mut self, n: u64, place: u32, room: bool) -> i64 {
        let given_up = if room { 0 } else { self.give_up_oldest() };
        if !room && given_up == 0 {
            // Every open request is another session's.
            self.cube.cell(place).unanswered += 1;
            return 0;
        }
        self.open.insert(n, Open { place, cancelled: false });
        self.in_flight_max = self.in_flight_max.max(self.open.len() as u64 - self.cancelled);
        1 - given_up
    }

    fn answer(&mut self, n: u64) -> i64 {
        match self.open.remove(&n) {
            None => 0,
            Some(open) => {
                self.cancelled -= u64::from(open.cancelled);
                -1
            }
        }
    }

    fn give_up_oldest(&mut self) -> i64 {
        let Some((_, open)) = self.open.pop_first() else { return 0 };
        self.cancelled -= u64::from(open.cancelled);
        self.cube.cell(open.place).unanswered += 1;
        1
    }

    /// What waits for an answer will get none: counts it, and gives how many that were.
    pub(super) fn give_up_all(&mut self) -> i64 {
        let mut all = 0;
        while self.give_up_oldest() > 0 {
            all += 1;
        }
        all
    }

    fn shake_hands(&mut self, message: &Annotated<'_>, bytes: u64) {
        let lifecycle = message.feature == Feature::Lifecycle;
        if let Handshake::NotBegun = self.handshake
            && lifecycle
            && message.kind == Kind::Request
            && message.method == Some("initialize")
        {
            let since = message.time.map(|time| time.at);
            self.handshake = Handshake::Running { since, messages: 0, bytes: 0 };
        }
        let Handshake::Running { since, messages, bytes: sum } = &mut self.handshake else { return };
        *messages += 1;
        *sum += bytes;
        if lifecycle && message.method == Some("notifications/initialized") {
            let nanos = since
                .zip(message.time)
                .and_then(|(since, time)| u64::try_from(time.at.as_nanosecond() - since.as_nanosecond()).ok());
            self.handshake = Handshake::Done { nanos, messages: *messages, bytes: *sum };
        }
    }

    /// Adds up its handshake, and gives how long it took.
    pub(super) fn count_handshake(&self, into: &mut Handshakes) -> Option<u64> {
        match self.handshake {
            Handshake::NotBegun => None,
            Handshake::Running { .. } => {
                into.unfinished += 1;
                None
            }
            Handshake::Done { nanos, messages, bytes } => {
                into.finished += 1;
                into.messages += messages;
                into.messages_max = into.messages_max.max(messages);
                into.bytes += bytes;
                if let Some(nanos) = nanos {
                    into.time.record(nanos);
                }
                nanos
            }
        }
    }

    /// Empties the groups, whose figures have been added up; only those of open requests stay.
    pub(super) fn shrink(&mut self) {
        let mut used: Vec<u32> = self.open.values().map(|open| open.place).collect();
        used.sort_unstable();
        used.dedup();
        let kept = self.cube.keep(&used);
        let places: HashMap<u32, u32> = used.into_iter().zip(kept).collect();
        for open in self.open.values_mut() {
            open.place = places[&open.place];
        }
    }

    /// Begins anew, with the memory that it has.
    pub(super) fn clear(&mut self) {
        self.cube.clear();
        self.needed.clear();
        self.server = None;
        self.in_flight_max = 0;
        self.open.clear();
        self.cancelled = 0;
        self.handshake = Handshake::NotBegun;
    }
}
