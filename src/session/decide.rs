//! Everything about a message that may have to wait for what follows. Reads the sessions and changes nothing, so that
//! it can be asked again.

use super::direction::{Decision, Route, View};
use super::glimpse::Ahead;
use super::lanes::Lane;
use super::state::{Session, State};
use super::tracker::{Message, Tracker};
use super::{Certainty, Kind, Outcome};
use crate::protocol::{Direction, MethodSet, Side, method_set};

/// What a message before any `initialize` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Early {
    /// Not before any `initialize`.
    #[default]
    None,
    /// Stateless, before the first ordinary request.
    Probe,
    /// Stateless operation.
    Operation,
    /// The same, as long as nothing that is still to come says otherwise.
    Assumed,
    /// `initialize` follows, or the beginning is in the capture.
    Before(Certainty),
    /// The capture may begin mid-session.
    Middle,
}

/// What has been looked up in the session of a message before it was decided.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// The requests of both sides with its id.
    pub(super) with_id: Option<[Option<u32>; 2]>,
    /// The requests of both sides with its progress token.
    pub(super) with_token: Option<[Option<u32>; 2]>,
}

/// What was decided about a message.
pub struct Decided<'a> {
    pub(super) lane: usize,
    /// The place of its session.
    pub(super) place: usize,
    /// How sure it is that it belongs to that.
    pub(super) basis: Certainty,
    /// It begins that session.
    pub(super) fresh: bool,
    pub(super) route: Route<'a>,
    /// The requests of both sides with its progress token.
    pub(super) tokens: [Option<u32>; 2],
    pub(super) early: Early,
    pub(super) swap: bool,
}

impl Default for Decided<'_> {
    /// Nothing yet.
    #[inline(always)]
    fn default() -> Self {
        Self {
            lane: 0,
            place: 0,
            basis: Certainty::Guessed,
            fresh: false,
            route: Route::default(),
            tokens: [None; 2],
            early: Early::None,
            swap: false,
        }
    }
}

/// Whether a message is a request with which a client may begin to work, as far as its label or method tells.
fn is_ordinary(message: &Message<'_>) -> bool {
    let facts = message.facts;
    let only = || facts.set?.only_sender();
    let sender = message.frame.direction.map(Direction::sender).or_else(only);
    facts.kind == Kind::Request
        && sender == Some(Side::Client)
        && !matches!(facts.method, Some("initialize" | "ping" | "server/discover"))
        && !facts.is_stateless()
}

impl Tracker {
    /// Decides all but where a message belongs; `None` when that has to wait for what follows.
    #[inline(always)]
    pub(super) fn decide_in<'g>(
        &self,
        decided: &mut Decided<'g>,
        message: &Message<'_>,
        known: Known,
        ahead: Ahead<'g>,
    ) -> Option<()> {
        let place = decided.place;
        let session = self.at(place);
        let lane = &self.lanes[decided.lane];
        let facts = message.facts;
        decided.swap = self.swap(session, lane, message, ahead)?;
        let swapped = session.swapped != decided.swap;
        let flip = |way: Direction| if swapped { way.reversed() } else { way };
        let label = message.frame.direction.map(flip);
        if let Some(token) = &facts.progress_token {
            decided.tokens = known.with_token.unwrap_or_else(|| self.pending.find_tokens(place, token));
        }
        let tokens = decided.tokens;
        let view = View {
            session,
            place,
            lane: &lane.key,
            pending: &self.pending,
            tasks: &self.tasks,
            with_id: known.with_id,
            tokens,
            ahead,
        };
        match facts.kind {
            Kind::Response => match view.answer(facts, label) {
                Decision::Made(route) => decided.route = route,
                Decision::Wait => return None,
            },
            Kind::Request | Kind::Notification => {
                decided.route.direction = match label {
                    Some(way) => Some((way, Certainty::Recorded)),
                    None => match (message.batch_sender, view.call(facts)) {
                        (Some(sender), _) => Some((sender.sends(), Certainty::Inferred)),
                        (None, Decision::Made(direction)) => Some(direction),
                        (None, Decision::Wait) => return None,
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
        if swapped
            && let Some((_, certainty)) = &mut decided.route.direction
            && *certainty == Certainty::Recorded
        {
            // The label was turned round: that follows from the methods, it is not what the log says.
            *certainty = Certainty::Inferred;
        }
        decided.early = self.early_phase(session, lane, message, ahead)?;
        Some(())
    }

    /// Whether the labels turn out to be swapped: they contradict a single-sender method, and so do most that follow.
    #[inline(always)]
    pub(super) fn swap(&self, session: &Session, lane: &Lane, message: &Message<'_>, ahead: Ahead<'_>) -> Option<bool> {
        // Most logs have no labels.
        if message.frame.direction.is_none() { Some(false) } else { self.contradicted(session, lane, message, ahead) }
    }

    fn contradicted(&self, session: &Session, lane: &Lane, message: &Message<'_>, ahead: Ahead<'_>) -> Option<bool> {
        let contrary = |recorded: Option<Direction>, set: Option<MethodSet>| {
            let sender = set?.only_sender()?;
            Some(session.label(recorded)?.sender() != sender)
        };
        if message.facts.kind == Kind::Response || contrary(message.frame.direction, message.facts.set) != Some(true) {
            return Some(false);
        }
        let (mut agree, mut against) = (session.labels.0, session.labels.1 + 1);
        for glimpse in ahead.lane(&lane.key) {
            match contrary(glimpse.recorded, glimpse.method.as_deref().and_then(method_set)) {
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
    #[inline(always)]
    pub(super) fn early_phase(
        &self,
        session: &Session,
        lane: &Lane,
        message: &Message<'_>,
        ahead: Ahead<'_>,
    ) -> Option<Early> {
        match session.state {
            State::Operating | State::Closed => Some(Early::None),
            State::Initialized if is_ordinary(message) => self.before_initialized(lane, ahead),
            State::Initialized => Some(Early::None),
            // The era is decided message by message: stateless traffic may follow a refused handshake.
            State::Initializing if !session.refused => Some(Early::None),
            State::Initializing => self.before_initialize(session, true, lane, message, ahead),
            State::Fresh => self.before_initialize(session, false, lane, message, ahead),
        }
    }

    /// The same where no `initialize` came yet, or one that was refused.
    fn before_initialize(
        &self,
        session: &Session,
        refused: bool,
        lane: &Lane,
        message: &Message<'_>,
        ahead: Ahead<'_>,
    ) -> Option<Early> {
        let facts = message.facts;
        if facts.is_initialize() || facts.kind == Kind::Response {
            return Some(Early::None);
        }
        if facts.method == Some("server/discover") {
            return Some(if session.ordinary { Early::Operation } else { Early::Probe });
        }
        if session.ordinary {
            return Some(Early::Operation);
        }
        if facts.kind == Kind::Request && facts.is_stateless() {
            return self.first_stateless(session, lane, message, ahead);
        }
        if refused {
            return Some(Early::None);
        }
        if session.stateless {
            return Some(Early::Operation);
        }
        if session.middle {
            return Some(Early::Middle);
        }
        if session.beginning {
            return Some(Early::Before(Certainty::Inferred));
        }
        let mut answered = false;
        for glimpse in ahead.lane(&lane.key) {
            if glimpse.initialize {
                // What was answered before is more like the end of another session.
                let certainty = if answered { Certainty::Guessed } else { Certainty::Inferred };
                return Some(Early::Before(certainty));
            }
            answered |= glimpse.outcome == Some(Outcome::Result);
            if glimpse.stateless {
                return Some(Early::Middle);
            }
        }
        if ahead.last { Some(Early::Middle) } else { None }
    }

    /// An ordinary request between the answer to `initialize` and a `notifications/initialized` that still comes.
    fn before_initialized(&self, lane: &Lane, ahead: Ahead<'_>) -> Option<Early> {
        for glimpse in ahead.lane(&lane.key) {
            if glimpse.initialize {
                return Some(Early::None);
            }
            if glimpse.method.as_deref() == Some("notifications/initialized") {
                return Some(Early::Before(Certainty::Inferred));
            }
        }
        if ahead.last { Some(Early::None) } else { None }
    }

    /// The first stateless request other than `server/discover`, unless that was answered: a probe if it is refused for its version or leads to
    /// `initialize`.
    pub(super) fn first_stateless(
        &self,
        session: &Session,
        lane: &Lane,
        message: &Message<'_>,
        ahead: Ahead<'_>,
    ) -> Option<Early> {
        if session.declarations.is_discovered() {
            return Some(Early::Operation);
        }
        let key = &message.facts.key;
        let mut refused = false;
        for glimpse in ahead.lane(&lane.key) {
            if glimpse.initialize {
                return Some(Early::Probe);
            }
            if glimpse.kind == Kind::Response && glimpse.key == *key {
                match glimpse.error_code {
                    Some(-32022) => return Some(Early::Probe),
                    Some(_) => refused = true,
                    None => return Some(Early::Operation),
                }
            } else if glimpse.kind == Kind::Response && glimpse.outcome == Some(Outcome::Result) && refused {
                return Some(Early::Operation);
            }
        }
        if ahead.last { Some(Early::Assumed) } else { None }
    }
}
