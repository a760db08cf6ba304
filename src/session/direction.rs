//! Who sent a message, and which request an answer belongs to, where the log does not say. Decides, changes nothing.
//!
//! In order of trust: the recorded label; the only side that can send a method; an open request with the same id; the
//! shape of the result; how each side numbers its requests; what comes later. Facts: notes on direction in the
//! specification's method pages, all revisions.

use super::glimpse::{Ahead, Glimpse};
use super::lanes::LaneKey;
use super::pending::Pending;
use super::state::{Session, State};
use super::tasks::Tasks;
use super::{Certainty, Facts, Key, Kind};
use crate::protocol::{Direction, Fit, Side, candidates, fits, method_set};

/// A decision, or the wish to see more of what follows.
pub(super) enum Decision<T> {
    Made(T),
    Wait,
}

/// What an answer belongs to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Route<'a> {
    pub(super) direction: Option<(Direction, Certainty)>,
    /// The request, by its place in the table.
    pub(super) request: Option<(u32, Certainty)>,
    /// A request that stands further on.
    pub(super) request_ahead: Option<&'a Glimpse>,
    /// The method, told by the shape of the result alone.
    pub(super) shape: Option<(&'static str, Certainty)>,
}

/// How often a session may look further on for the request of an answer in vain.
const MAX_VAIN_LOOKUPS: u32 = 64;

/// What a decision may look at.
pub(super) struct View<'s, 'g> {
    pub(super) session: &'s Session,
    /// The place of the session.
    pub(super) place: usize,
    pub(super) lane: &'s LaneKey,
    pub(super) pending: &'s Pending,
    pub(super) tasks: &'s Tasks,
    /// The requests of both sides with the id of the message, if they have been looked up.
    pub(super) with_id: Option<[Option<u32>; 2]>,
    /// The requests of both sides with the progress token of the message.
    pub(super) tokens: [Option<u32>; 2],
    pub(super) ahead: Ahead<'g>,
}

const SIDES: [Side; 2] = [Side::Client, Side::Server];

impl<'g> View<'_, 'g> {
    /// The direction of a request or notification without a label.
    pub(super) fn call(&self, facts: &Facts<'_>) -> Decision<(Direction, Certainty)> {
        let sure = |side: Side| Decision::Made((side.sends(), Certainty::Inferred));
        let guess = |side: Side| Decision::Made((side.sends(), Certainty::Guessed));
        if let Some(side) = facts.set.and_then(|set| set.only_sender()) {
            return sure(side);
        }
        if facts.kind == Kind::Request && facts.is_stateless() {
            return sure(Side::Client);
        }
        if facts.meta.subscription_id.is_some() {
            return sure(Side::Server);
        }
        if facts.points
            && let Some(task) = facts.task_id()
            && let Some(origin) = self.tasks.get(self.session.number, &task)
        {
            return sure(if facts.kind == Kind::Request { origin.requestor } else { origin.requestor.other() });
        }
        if facts.kind == Kind::Request {
            return match &facts.key {
                Some(key) => self.by_numbering(key),
                None => guess(Side::Client),
            };
        }
        // Methods that no revision knows are read like the ones they resemble: by what they point at.
        if facts.progress_token.is_some() {
            return match self.owners(self.tokens) {
                Owners::One(side, certainty) => Decision::Made((side.other().sends(), certainty)),
                Owners::Both => guess(Side::Server),
                Owners::None if self.session.stateless => sure(Side::Server),
                Owners::None => guess(Side::Server),
            };
        }
        if let Some(id) = facts.request_id() {
            return match self.owners(self.pending.find_both(self.place, &id)) {
                Owners::One(side, certainty) => Decision::Made((side.sends(), certainty)),
                _ if self.session.stateless => sure(Side::Client),
                Owners::Both => self.canceller(&id),
                Owners::None => guess(Side::Client),
            };
        }
        guess(Side::Server)
    }

    /// Which side has a request of this kind: an open one counts before one that was answered.
    fn owners(&self, slots: [Option<u32>; 2]) -> Owners {
        let found = slots.map(|slot| self.pending.get(slot?));
        let guessed = found.iter().flatten().any(|request| request.side_guessed);
        let inferred = if guessed { Certainty::Guessed } else { Certainty::Inferred };
        let open = found.map(|request| request.is_some_and(|request| !request.answered));
        match (open, found) {
            ([true, false], [_, None]) | ([false, false], [Some(_), None]) => Owners::One(Side::Client, inferred),
            ([false, true], [None, _]) | ([false, false], [None, Some(_)]) => Owners::One(Side::Server, inferred),
            ([true, false], _) => Owners::One(Side::Client, Certainty::Guessed),
            ([false, true], _) => Owners::One(Side::Server, Certainty::Guessed),
            ([false, false], [None, None]) => Owners::None,
            _ => Owners::Both,
        }
    }

    /// Both sides have an open request with the cancelled id: the one that is answered later was most likely not cancelled.
    fn canceller(&self, id: &Key<'_>) -> Decision<(Direction, Certainty)> {
        let requests = self.pending.find_both(self.place, id).map(|slot| self.pending.get(slot?));
        let [Some(client), Some(server)] = requests else {
            return Decision::Made((Direction::ClientToServer, Certainty::Guessed));
        };
        for answer in self.ahead.lane(self.lane).filter(|glimpse| answers(glimpse, id)) {
            let revision = self.session.known_revision(self.session.revision);
            let fit = [client, server].map(|request| answer.fits(request.about.method(), revision));
            match fit {
                [Fit::Yes, Fit::No] => return Decision::Made((Direction::ServerToClient, Certainty::Guessed)),
                [Fit::No, Fit::Yes] => return Decision::Made((Direction::ClientToServer, Certainty::Guessed)),
                _ => {}
            }
        }
        if !self.ahead.last {
            return Decision::Wait;
        }
        let older = if client.n <= server.n { Side::Client } else { Side::Server };
        Decision::Made((older.sends(), Certainty::Guessed))
    }

    /// The sender of a request that either side may send, by its id: one that is in use, or does not continue the
    /// side's numbers, is not that side's.
    fn by_numbering(&self, key: &Key<'_>) -> Decision<(Direction, Certainty)> {
        let made = |side: Side, certainty| Decision::Made((side.sends(), certainty));
        let open = |slot: Option<u32>| self.pending.get(slot?).map(|request| !request.answered);
        match self.pending.find_both(self.place, key).map(open) {
            [None, Some(true)] => return made(Side::Client, Certainty::Inferred),
            [Some(true), None] => return made(Side::Server, Certainty::Inferred),
            // Used before and answered: ids are not to be used again, but some clients do.
            [None, Some(false)] => return made(Side::Client, Certainty::Guessed),
            [Some(false), None] => return made(Side::Server, Certainty::Guessed),
            _ => {}
        }
        // What rests on numbers that were themselves guessed is no more than a guess.
        let shaky = self.session.numbering.iter().any(|numbering| numbering.shaky);
        let inferred = if shaky { Certainty::Guessed } else { Certainty::Inferred };
        let place = SIDES.map(|side| self.place(side, key));
        match place {
            [Place::Next | Place::Alike, Place::Elsewhere] => return made(Side::Client, inferred),
            [Place::Elsewhere, Place::Next | Place::Alike] => return made(Side::Server, inferred),
            _ => {}
        }
        // A side's first id that happens to be the other side's next number is a small one.
        let late = key.counter().is_some_and(|(_, number)| number >= 8);
        match place {
            [Place::Next, Place::First] if late => return made(Side::Client, inferred),
            [Place::First, Place::Next] if late => return made(Side::Server, inferred),
            _ => {}
        }
        // Before the answer to `initialize` a ping comes from the client, nearly always.
        let early = self.session.state == State::Initializing;
        for glimpse in self.ahead.lane(self.lane).filter(|glimpse| glimpse.kind == Kind::Request) {
            let Some(sender) = glimpse.sender() else { continue };
            let Some(later) = &glimpse.key else { continue };
            if later == key {
                return made(sender.other(), inferred);
            }
            if let (Some((prefix, number)), Some((wanted, this))) = (later.counter(), key.counter())
                && prefix == wanted
            {
                let last = self.session.numbering[sender.index()].last;
                if last.is_some_and(|last| follows(last, this)) && follows(this, number) {
                    return made(sender, inferred);
                }
                if last.is_some_and(|last| follows(last, number)) {
                    return made(sender.other(), inferred);
                }
            }
        }
        if !self.ahead.last {
            return Decision::Wait;
        }
        let side = match place {
            [_, Place::Next] if place[0] != Place::Next && !early => Side::Server,
            [Place::Elsewhere, Place::First] if !early => Side::Server,
            _ => Side::Client,
        };
        made(side, Certainty::Guessed)
    }

    fn place(&self, side: Side, key: &Key<'_>) -> Place {
        let numbering = &self.session.numbering[side.index()];
        if numbering.is_unused() {
            return Place::First;
        }
        match (key.counter(), numbering.last) {
            (Some((prefix, number)), Some(last)) if numbering.prefix == prefix => {
                if follows(last, number) {
                    Place::Next
                } else {
                    Place::Elsewhere
                }
            }
            _ if key.is_string() && numbering.uses_strings() => Place::Alike,
            _ => Place::Elsewhere,
        }
    }

    /// Where an answer belongs. `label` is the recorded direction, if there is one.
    pub(super) fn answer(&self, facts: &Facts<'_>, label: Option<Direction>) -> Decision<Route<'g>> {
        let labelled = label.map(|direction| (direction, Certainty::Recorded));
        let Some(key) = &facts.key else {
            return Decision::Made(self.unmatched(facts, labelled));
        };
        let slots = self.with_id.unwrap_or_else(|| self.pending.find_both(self.place, key));
        let found = SIDES.map(|side| {
            let asked = label.is_none_or(|way| way.receiver() == side);
            Some((side, slots[side.index()].filter(|_| asked)?))
        });
        let open = found.map(|one| one.filter(|(_, slot)| self.pending.get(*slot).is_some_and(|r| !r.answered)));
        let route = |(side, slot): (Side, u32), certainty: Certainty| {
            let direction = side.other().sends();
            // Where the request came from a guess, so does its answer.
            let side_guessed = self.pending.get(slot).is_some_and(|request| request.side_guessed);
            let sure = if side_guessed { Certainty::Guessed } else { certainty };
            Decision::Made(Route {
                direction: labelled.or(Some((direction, sure))),
                request: Some((slot, certainty)),
                ..Route::default()
            })
        };
        match (open, found) {
            ([Some(one), None] | [None, Some(one)], _) => {
                // A capture that begins mid-session: the id matches, the shape does not, and the shape belongs to the
                // other side's requests, so the capture does not hold the request.
                let middle = label.is_none() && self.session.era().is_none();
                if middle && self.fit(one.1, facts) == Fit::No && self.contradicts(one.0, facts) {
                    return Decision::Made(self.unmatched(facts, labelled));
                }
                route(one, Certainty::Inferred)
            }
            ([Some(client), Some(server)], _) => self.one_of_two(client, server, key, facts, route),
            (_, [Some(one), None] | [None, Some(one)]) => route(one, Certainty::Inferred),
            (_, [Some(one), Some(_)]) => route(one, Certainty::Guessed),
            (_, [None, None]) => self.orphan(facts, key, label),
        }
    }

    /// Both sides wait for an answer with this id.
    fn one_of_two(
        &self,
        client: (Side, u32),
        server: (Side, u32),
        key: &Key<'_>,
        facts: &Facts<'_>,
        route: impl Fn((Side, u32), Certainty) -> Decision<Route<'g>>,
    ) -> Decision<Route<'g>> {
        let fit = [self.fit(client.1, facts), self.fit(server.1, facts)];
        match fit {
            [Fit::Yes | Fit::Possible, Fit::No] => return route(client, Certainty::Inferred),
            [Fit::No, Fit::Yes | Fit::Possible] => return route(server, Certainty::Inferred),
            _ => {}
        }
        // The other answer comes later; if that one fits only one request, this one is the other's.
        let revision = self.session.known_revision(self.session.revision);
        for other in self.ahead.lane(self.lane).filter(|glimpse| answers(glimpse, key)) {
            let name = |slot| self.pending.get(slot).map_or("", |request| request.about.method());
            match [other.fits(name(client.1), revision), other.fits(name(server.1), revision)] {
                [Fit::Yes, Fit::No] => return route(server, Certainty::Inferred),
                [Fit::No, Fit::Yes] => return route(client, Certainty::Inferred),
                _ => {}
            }
        }
        if !self.ahead.last {
            return Decision::Wait;
        }
        let n = |slot| self.pending.get(slot).map_or(u64::MAX, |request| request.n);
        match fit {
            [Fit::Yes, Fit::Possible] => route(client, Certainty::Guessed),
            [Fit::Possible, Fit::Yes] => route(server, Certainty::Guessed),
            _ if n(client.1) <= n(server.1) => route(client, Certainty::Guessed),
            _ => route(server, Certainty::Guessed),
        }
    }

    /// No request so far has this id: it may stand further on (some loggers write what they sent late), else the
    /// answer is an orphan.
    fn orphan(&self, facts: &Facts<'_>, key: &Key<'_>, label: Option<Direction>) -> Decision<Route<'g>> {
        let labelled = label.map(|direction| (direction, Certainty::Recorded));
        let unmatched = self.unmatched(facts, labelled);
        if self.session.vain_lookups >= MAX_VAIN_LOOKUPS {
            return Decision::Made(unmatched);
        }
        let revision = self.session.known_revision(self.session.revision);
        for (place, request) in self.ahead.lane(self.lane).enumerate() {
            if request.kind == Kind::Request && request.key.as_ref() == Some(key) {
                let way = request.sender().map(|side| side.other().sends());
                let method = request.method.as_deref().unwrap_or_default();
                let fits = self.result_fit(method, revision, facts) != Fit::No;
                if fits && (label.is_none() || way.is_none() || label == way) {
                    // An answer that stands behind the request is more likely its own than one before it.
                    let behind = || self.ahead.lane(self.lane).skip(place + 1);
                    if behind().any(|answer| answers(answer, key) && answer.fits(method, revision) != Fit::No) {
                        return Decision::Made(unmatched);
                    }
                    if !self.ahead.last {
                        return Decision::Wait;
                    }
                    let direction = labelled.or(way.map(|way| (way, Certainty::Inferred))).or(unmatched.direction);
                    return Decision::Made(Route { direction, request_ahead: Some(request), ..Route::default() });
                }
            }
            // Ids begin anew there.
            if request.initialize {
                return Decision::Made(unmatched);
            }
        }
        if self.ahead.last { Decision::Made(unmatched) } else { Decision::Wait }
    }

    /// What the shape alone tells of an answer without a request.
    fn unmatched(&self, facts: &Facts<'_>, labelled: Option<(Direction, Certainty)>) -> Route<'g> {
        let mut route = Route { direction: labelled, ..Route::default() };
        if let Some(result) = facts.result {
            let has = |name: &str| facts.param(name).is_some();
            let empty = result.members().next().is_none();
            let print = candidates(has, facts.result_type().as_deref(), empty);
            if let Some(&method) = print.methods().first() {
                let certainty = if print.decisive() { Certainty::Inferred } else { Certainty::Guessed };
                route.shape = Some((method, certainty));
                let sender = method_set(method).and_then(|set| set.only_sender());
                if let Some(side) = sender.filter(|_| print.decisive()) {
                    route.direction = route.direction.or(Some((side.other().sends(), Certainty::Inferred)));
                }
            }
        }
        if route.direction.is_none() {
            // Most requests are the client's. In 2026-07-28 all are.
            let certainty = if self.session.era() == Some(crate::protocol::Era::Stateless) {
                Certainty::Inferred
            } else {
                Certainty::Guessed
            };
            route.direction = Some((Direction::ServerToClient, certainty));
        }
        route
    }

    fn fit(&self, slot: u32, facts: &Facts<'_>) -> Fit {
        let Some(request) = self.pending.get(slot) else { return Fit::Possible };
        if request.task && facts.param("task").is_some() {
            return Fit::Yes;
        }
        let revision = self.session.known_revision(Some(request.revision));
        self.result_fit(request.about.method(), revision, facts)
    }

    fn result_fit(&self, method: &str, revision: Option<crate::protocol::Revision>, facts: &Facts<'_>) -> Fit {
        if facts.result.is_none() || facts.outline {
            return Fit::Possible;
        }
        let has = |name: &str| facts.param(name).is_some();
        fits(method, revision, has, facts.result_type().as_deref(), facts.is_empty())
    }

    /// Whether the shape of a result names a method that the given side cannot have asked for.
    fn contradicts(&self, side: Side, facts: &Facts<'_>) -> bool {
        let has = |name: &str| facts.param(name).is_some();
        let print = candidates(has, facts.result_type().as_deref(), facts.is_empty());
        print.decisive()
            && print
                .methods()
                .first()
                .and_then(|method| method_set(method)?.only_sender())
                .is_some_and(|sender| sender != side)
    }
}

/// Whether a number is the next one after another.
fn follows(last: i64, number: i64) -> bool {
    last.checked_add(1) == Some(number)
}

enum Owners {
    One(Side, Certainty),
    Both,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The side's next number.
    Next,
    /// The side has sent no request yet.
    First,
    /// A string like the side's other ids, which do not count up.
    Alike,
    /// Neither.
    Elsewhere,
}

fn answers(glimpse: &Glimpse, id: &Key<'_>) -> bool {
    glimpse.kind == Kind::Response && glimpse.key.as_ref() == Some(id)
}
