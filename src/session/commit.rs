//! Brings the sessions up to date with a message about which everything is decided, and says what it is.

use compact_str::CompactString;

use super::decide::{Decided, Early};
use super::direction::Route;
use super::needs::Applied;
use super::pending::{About, Request, instant};
use super::phase::{phase_of_call, phase_of_orphan};
use super::state::{Session, State};
use super::tasks::Origin;
use super::tracker::{Later, Message, Tracker, Verdict};
use super::{Basis, Certainty, Facts, Key, Kind, Outcome, Peer, Status};
use crate::jsonrpc::RawJson;
use crate::protocol::{Direction, Feature, Method, Revision, Side, method_set};
use crate::transcript::{Flag, Flags};

impl Verdict {
    /// What is known of a message before it is committed to its session.
    #[inline(always)]
    pub(super) fn of(decided: &Decided<'_>, session: &Session) -> Self {
        Self {
            place: decided.place,
            revision: None,
            request: None,
            session: session.number,
            direction: decided.route.direction.map(|(way, _)| way),
            row: None,
            feature: Feature::Unknown,
            terms: session.declarations.current(),
            phase: None,
            answers: None,
            answered_by: None,
            relates_to: None,
            caused_by: None,
            continues: None,
            status: None,
            later: None,
            cancelled: false,
            asked: None,
            flags: Flags::NONE,
            basis: Basis {
                direction: decided.route.direction.map(|(_, certainty)| certainty),
                session: Some(decided.basis),
                ..Basis::default()
            },
            agreed: false,
            found_swapped: decided.swap,
        }
    }
}

impl Tracker {
    /// Brings the session of a verdict up to date, and the verdict.
    #[inline(always)]
    pub fn commit(&mut self, message: &Message<'_>, decided: &Decided<'_>, verdict: &mut Verdict) {
        let facts = message.facts;
        let lane = decided.lane;
        self.needs.clear();
        self.asked.clear();
        self.lanes[lane].messages += 1;
        let clock = self.lanes[lane].messages;
        let label_row = facts.set.and_then(|set| set.only_sender());
        let session = self.at_mut(verdict.place);
        session.used = clock;
        session.middle |= decided.early == Early::Middle;
        session.touch(message.frame.time);
        if let (Some(sender), Some(recorded)) = (label_row, session.label(message.frame.direction))
            && facts.kind != Kind::Response
        {
            if recorded.sender() == sender { session.labels.0 += 1 } else { session.labels.1 += 1 }
        }
        if decided.swap {
            session.swapped = !session.swapped;
            session.labels = (session.labels.1, 0);
        }
        let contrary = label_row.is_some()
            && verdict.direction.is_some_and(|way| Some(way.sender()) != label_row)
            && facts.kind != Kind::Response;
        verdict.flags = verdict.flags.with_if(decided.swap || contrary, Flag::SwappedLabel);
        match facts.kind {
            Kind::Request => self.commit_request(message, verdict, decided),
            Kind::Notification => self.commit_notification(message, verdict, decided),
            Kind::Response => self.commit_answer(message, verdict, &decided.route),
            Kind::Invalid => self.commit_invalid(message, verdict, decided.early),
        }
        verdict.flags = verdict.flags.with_if(facts.wrong_form(), Flag::WrongForm);
        if verdict.basis.session == Some(Certainty::Guessed) {
            // What follows from the session is no surer than the session. A method with one sender needs none.
            let weaken = |basis: &mut Option<Certainty>| *basis = basis.map(|_| Certainty::Guessed);
            if message.frame.direction.is_none() && (facts.kind == Kind::Response || label_row.is_none()) {
                weaken(&mut verdict.basis.direction);
            }
            weaken(&mut verdict.basis.phase);
            weaken(&mut verdict.basis.answers);
        }
        if message.batch.is_some() {
            let revision = self.at(verdict.place).known_revision(verdict.revision);
            let legal = revision.is_none_or(|revision| revision == Revision::V2025_03_26);
            verdict.flags = verdict.flags.with_if(!legal, Flag::Batched);
        }
        self.at_mut(verdict.place).counts.add(facts.kind, facts.outcome, verdict.status);
        if self.lanes[lane].sessions.len() > 1 && clock.is_multiple_of(16) {
            self.end_quiet(lane, clock);
        }
    }

    fn commit_request(&mut self, message: &Message<'_>, verdict: &mut Verdict, decided: &Decided<'_>) {
        let (facts, early) = (message.facts, decided.early);
        let side = verdict.direction.map_or(Side::Client, Direction::sender);
        if facts.is_initialize() {
            self.begin_handshake(decided.lane, verdict.place, facts);
        } else if facts.is_stateless() {
            verdict.terms = self.take_stateless(verdict.place, facts);
            let discovers = facts.method == Some("server/discover");
            verdict.agreed = !discovers && self.at_mut(verdict.place).terms_changed();
        }
        let session = self.at_mut(verdict.place);
        verdict.revision = match facts.meta.protocol_version.and_then(RawJson::as_str) {
            Some(own) => Some(session.intern(&own)),
            None if facts.is_initialize() => session.requested,
            None => session.revision.or(session.requested),
        };
        (verdict.phase, verdict.basis.phase) = phase_of_call(session, facts, verdict.direction, early);
        session.ordinary |= matches!(early, Early::Operation | Early::Assumed);
        self.describe(message, verdict);
        verdict.relates_to = self.relation(verdict, facts, decided.tokens);
        let causes = &self.at(verdict.place).causes;
        if side == Side::Server && facts.method != Some("ping") {
            verdict.caused_by = facts
                .task_id()
                .and_then(|task| self.tasks.get(verdict.session, &task))
                .map(|origin| origin.n)
                .or(causes[Side::Client.index()].only());
        }
        let (state, responses) = (facts.param("requestState"), facts.param("inputResponses"));
        if let Some(method) = facts.method
            && (state.is_some() || responses.is_some())
            && let Some((n, asked)) =
                self.at_mut(verdict.place).retries.take(method, facts.target.as_deref(), state, responses)
        {
            verdict.continues = Some(n);
            self.asked = asked;
        }
        let applied = self.applied(verdict, facts);
        let Some(key) = &facts.key else {
            // Nothing can be paired with `null`.
            self.at_mut(verdict.place).lose(message.n, facts.method);
            return;
        };
        // Hardly ever is there any.
        if !self.answered_early.is_empty() {
            verdict.answered_by = self.answered_early.remove(&message.n);
        }
        let token = facts.meta.progress_token.and_then(|token| Key::of_token(token.text()));
        let token_is_id = token.as_ref() == Some(key);
        let causal = verdict.row.is_some_and(|row| row.may_ask);
        let request = Request {
            n: message.n,
            about: match verdict.row {
                Some(row) => About::Known(row, facts.target.as_deref().map(CompactString::new)),
                None => About::Other(facts.method.unwrap_or_default().into()),
            },
            sent: message.frame.time.and_then(|time| instant(time.at)),
            phase: verdict.phase.zip(verdict.basis.phase),
            revision: verdict.revision.unwrap_or(u8::MAX),
            applied,
            terms: verdict.terms,
            session_guessed: verdict.basis.session == Some(Certainty::Guessed),
            shadows: false,
            token: token.filter(|_| !token_is_id).map(|token| Box::new(CompactString::new(token.as_str()))),
            token_is_id,
            side_guessed: verdict.basis.direction == Some(Certainty::Guessed),
            cancelled: false,
            answered: false,
            causal,
            task: facts.param("task").is_some(),
        };
        let guessed = verdict.basis.direction == Some(Certainty::Guessed);
        self.at_mut(verdict.place).numbering[side.index()].note(key, guessed);
        let opened = self.pending.open(verdict.place, side, key, request);
        if let Some(old) = opened.same_id {
            let session = self.at_mut(verdict.place);
            let reused = !facts.by_method && (!old.answered || !session.stateless || session.handshake);
            verdict.flags = verdict.flags.with_if(reused, Flag::ReusedId);
            if !old.answered {
                session.reopened += 1;
                session.give_up(side, &old);
                if let Some(request) = self.pending.get_mut(opened.slot) {
                    request.shadows = true;
                }
            }
        }
        for (place, side, old) in opened.oldest {
            self.at_mut(place).give_up(side, &old);
        }
        if verdict.answered_by.is_some() {
            self.pending.answer(opened.slot);
        } else if causal {
            self.at_mut(verdict.place).causes[side.index()].open(message.n);
        }
    }

    fn commit_notification(&mut self, message: &Message<'_>, verdict: &mut Verdict, decided: &Decided<'_>) {
        let (facts, early) = (message.facts, decided.early);
        let session = self.at_mut(verdict.place);
        verdict.revision = match facts.meta.protocol_version.and_then(RawJson::as_str) {
            Some(own) => Some(session.intern(&own)),
            None => session.revision.or(session.requested),
        };
        (verdict.phase, verdict.basis.phase) = phase_of_call(session, facts, verdict.direction, early);
        // One that stands before the handshake ends nothing.
        let too_soon = matches!(early, Early::Before(_));
        if facts.method == Some("notifications/initialized") && session.state != State::Closed && !too_soon {
            session.state = State::Operating;
        }
        self.describe(message, verdict);
        verdict.relates_to = self.relation(verdict, facts, decided.tokens);
        if facts.set.is_none_or(|set| set.newest().feature == Feature::Cancellation)
            && let (Some(way), Some(id)) = (verdict.direction, facts.request_id())
        {
            self.cancel(verdict, way, &id);
        }
        self.applied(verdict, facts);
    }

    /// Marks the request that a cancellation names. In 2026-07-28 the server may end the client's listen request so.
    pub(super) fn cancel(&mut self, verdict: &Verdict, way: Direction, id: &Key<'_>) {
        let Some(slot) = self.cancelled(verdict.place, way, id) else { return };
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

    pub(super) fn commit_answer(&mut self, message: &Message<'_>, verdict: &mut Verdict, route: &Route<'_>) {
        let facts = message.facts;
        let session = self.at(verdict.place);
        verdict.revision = session.revision.or(session.requested);
        if let Some((slot, certainty)) = route.request {
            self.settle(message, verdict, slot, certainty);
            return;
        }
        verdict.status = Some(status_of(facts, None));
        if let Some(request) = route.request_ahead {
            verdict.answers = Some(request.n);
            verdict.basis.answers = Some(Certainty::Inferred);
            verdict.basis.method = Some(Certainty::Inferred);
            verdict.row = request.method.as_deref().and_then(|method| self.row(method, verdict));
            verdict.feature = verdict.row.map_or(Feature::Unknown, |row| row.feature);
            verdict.later = Some(Box::new(Later { method: request.method.clone(), target: request.target.clone() }));
            if let Some(row) = verdict.row {
                let way = verdict.direction.map(Direction::reversed);
                let terms = verdict.terms;
                let applied = self.at_mut(verdict.place).declarations.judge(row, way, terms).always(row);
                self.needs.set(row, way, applied);
            }
            let request = request.n;
            if self.answered_early.len() < 4_096 {
                self.answered_early.insert(request, message.n);
            }
        } else {
            verdict.flags = verdict.flags.with(Flag::Orphan);
            self.at_mut(verdict.place).vain_lookups += 1;
        }
        let told = facts.method.map(|method| (method, Certainty::Recorded));
        if let Some((method, certainty)) = told.or(route.shape) {
            verdict.row = self.row(method, verdict);
            verdict.basis.method = Some(certainty);
            verdict.status = Some(status_of(facts, verdict.row));
            if verdict.row.is_none() && verdict.later.is_none() {
                verdict.later = Some(Box::new(Later { method: Some(method.into()), target: None }));
            }
        }
        let session = self.at(verdict.place);
        (verdict.phase, verdict.basis.phase) = phase_of_orphan(session, verdict.row);
        verdict.feature = verdict.row.map_or(Feature::Unknown, |row| row.feature);
    }

    pub(super) fn settle(&mut self, message: &Message<'_>, verdict: &mut Verdict, slot: u32, certainty: Certainty) {
        let facts = message.facts;
        let Some(request) = self.pending.get(slot) else {
            verdict.status = Some(status_of(facts, None));
            return;
        };
        // An id that was used again while open: the answer may be to the request before.
        let certainty = if request.shadows { Certainty::Guessed } else { certainty };
        let (n, causal, open) = (request.n, request.causal, !request.cancelled && !request.answered);
        let side = verdict.direction.map_or(Side::Client, Direction::receiver);
        verdict.request = Some(slot);
        verdict.answers = Some(n);
        verdict.basis.answers = Some(certainty);
        verdict.basis.method = Some(certainty);
        verdict.row = request.about.row();
        verdict.feature = verdict.row.map_or(Feature::Unknown, |row| row.feature);
        verdict.cancelled = request.cancelled;
        verdict.terms = request.terms;
        if request.session_guessed {
            verdict.basis.session = Some(Certainty::Guessed);
        }
        verdict.asked = request.sent;
        (verdict.phase, verdict.basis.phase) = (request.phase.map(|(phase, _)| phase), request.phase.map(|(_, c)| c));
        if request.revision != u8::MAX {
            verdict.revision = Some(request.revision);
        }
        verdict.flags = verdict.flags.with_if(request.answered, Flag::DuplicateAnswer);
        verdict.status = Some(status_of(facts, verdict.row));
        let applied = request.applied;
        let handshake = request.about.method() == "initialize";
        let discovery = request.about.method() == "server/discover";
        let task = request.task;
        let waits = verdict.status == Some(Status::InputRequired);
        let asked = waits.then(|| request.about.clone());
        self.pending.answer(slot);
        if causal && open {
            self.at_mut(verdict.place).causes[side.index()].close(n);
        }
        if handshake {
            self.finish_handshake(verdict, facts);
        } else if discovery {
            self.take_discovery(verdict, facts);
        } else if facts.outcome == Some(Outcome::Result) {
            let session = self.at_mut(verdict.place);
            if let Some(info) = facts.meta.server_info
                && session.server.is_none()
            {
                session.server = Peer::read(info);
            }
        }
        if let Some(row) = verdict.row {
            // It needs what its request needed.
            self.needs.set(row, verdict.direction.map(Direction::reversed), applied);
        }
        if let Some(about) = asked {
            let (state, requests) = (facts.param("requestState"), facts.param("inputRequests"));
            self.at_mut(verdict.place).retries.ask(n, about.method(), about.target(), state, requests);
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

    pub(super) fn commit_invalid(&mut self, message: &Message<'_>, verdict: &mut Verdict, early: Early) {
        let session = self.at_mut(verdict.place);
        verdict.revision = session.revision.or(session.requested);
        (verdict.phase, verdict.basis.phase) = phase_of_call(session, message.facts, verdict.direction, early);
        self.describe(message, verdict);
    }

    /// Row and feature of a message that names its method.
    pub(super) fn describe(&self, message: &Message<'_>, verdict: &mut Verdict) {
        let Some(set) = message.facts.set else { return };
        let revision = self.at(verdict.place).known_revision(verdict.revision);
        let in_force = revision.and_then(|revision| set.at(revision));
        let row = in_force.unwrap_or(set.newest());
        verdict.row = Some(row);
        verdict.feature = row.feature;
        verdict.basis.method = Some(Certainty::Recorded);
        verdict.flags = verdict.flags.with_if(revision.is_some() && in_force.is_none(), Flag::WrongRevision);
    }

    /// The row of a method in the revision in force for a message.
    fn row(&self, method: &str, verdict: &Verdict) -> Option<&'static Method> {
        Some(method_set(method)?.at_or_any(self.at(verdict.place).known_revision(verdict.revision)))
    }

    /// Notes what a message needs, and gives it.
    pub(super) fn applied(&mut self, verdict: &Verdict, facts: &Facts<'_>) -> Applied {
        let Some(row) = verdict.row.filter(|row| !row.requires.is_empty()) else { return Applied::default() };
        let declarations = &mut self.at_mut(verdict.place).declarations;
        let applied = declarations.judge(row, verdict.direction, verdict.terms).of(row, facts);
        self.needs.set(row, verdict.direction, applied);
        applied
    }

    /// The request that a message points at.
    fn relation(&self, verdict: &Verdict, facts: &Facts<'_>, tokens: [Option<u32>; 2]) -> Option<u64> {
        if !facts.points {
            return None;
        }
        let session = verdict.place;
        let n = |slot: Option<u32>| slot.and_then(|slot| self.pending.get(slot)).map(|request| request.n);
        if let Some(task) = facts.task_id() {
            return self.tasks.get(verdict.session, &task).map(|origin| origin.n);
        }
        if let Some(subscription) = facts.meta.subscription_id {
            let key = Key::of_token(subscription.text())?;
            return n(self.pending.find(session, Side::Client, &key));
        }
        if facts.kind != Kind::Notification {
            return None;
        }
        let way = verdict.direction?;
        if facts.progress_token.is_some() {
            return n(tokens[way.receiver().index()]);
        }
        n(self.cancelled(session, way, &facts.request_id()?))
    }

    /// The request that a cancellation names: one of the sender's own, or the client's listen request, which the server may
    /// end (2026-07-28, basic/patterns/cancellation).
    fn cancelled(&self, session: usize, way: Direction, id: &Key<'_>) -> Option<u32> {
        let slots = self.pending.find_both(session, id);
        slots[way.sender().index()].or_else(|| {
            let slot = slots[way.receiver().index()]?;
            let request = self.pending.get(slot);
            let listens = request.is_some_and(|request| request.about.method() == "subscriptions/listen");
            listens.then_some(slot)
        })
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
        let tool = row.is_none_or(|row| row.tool_result);
        if tool && facts.param("isError").and_then(RawJson::as_bool) == Some(true) {
            return Status::ToolError;
        }
    }
    Status::Ok
}
