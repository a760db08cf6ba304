//! Brings the sessions up to date with a message about which everything is decided, and says what it is.

use compact_str::CompactString;

use super::decide::{Decided, Early};
use super::direction::Route;
use super::needs::Applied;
use super::pending::{Name, Request, instant};
use super::phase::{phase_of_call, phase_of_orphan};
use super::state::State;
use super::tasks::Origin;
use super::tracker::{Message, Tracker, Verdict};
use super::{Basis, Certainty, Facts, IdKey, Kind, Needs, Outcome, Peer, Status};
use crate::jsonrpc::RawJson;
use crate::protocol::{Direction, Feature, Method, Revision, Side, method_set};
use crate::transcript::{Flag, Flags};

impl Tracker {
    pub(super) fn commit(
        &mut self,
        lane: usize,
        place: usize,
        message: &Message<'_>,
        session_basis: Certainty,
        decided: Decided<'_>,
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
            session.middle |= decided.early == Early::Middle;
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
            terms: self.at(place).declarations.current(),
            phase: None,
            answers: None,
            answered_by: None,
            relates_to: None,
            caused_by: None,
            continues: None,
            status: None,
            later_method: None,
            later_target: None,
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
            Kind::Notification => self.commit_notification(message, &mut verdict, decided.early),
            Kind::Response => self.commit_answer(message, &mut verdict, decided.route),
            Kind::Invalid => self.commit_invalid(message, &mut verdict, decided.early),
        }
        verdict.flags = verdict.flags.with_if(facts.wrong_form(), Flag::WrongForm);
        if verdict.basis.session == Some(Certainty::Guessed) {
            // What follows from the session is no surer than the session. A method with one sender needs none.
            let weaken = |basis: &mut Option<Certainty>| *basis = basis.map(|_| Certainty::Guessed);
            if message.recorded.is_none() && (facts.kind == Kind::Response || label_row.is_none()) {
                weaken(&mut verdict.basis.direction);
            }
            weaken(&mut verdict.basis.phase);
            weaken(&mut verdict.basis.answers);
        }
        if message.batch.is_some() {
            let revision = self.revision(&verdict).and_then(Revision::parse);
            let legal = revision.is_none_or(|revision| revision == Revision::V2025_03_26);
            verdict.flags = verdict.flags.with_if(!legal, Flag::Batched);
        }
        self.at_mut(place).counts.add(facts.kind, facts.outcome, verdict.status);
        if self.lanes[lane].sessions.len() > 1 && clock.is_multiple_of(16) {
            self.end_quiet(lane, clock);
        }
        verdict
    }

    pub(super) fn commit_request(&mut self, lane: usize, message: &Message<'_>, verdict: &mut Verdict, early: Early) {
        let facts = &message.facts;
        let side = verdict.direction.map_or(Side::Client, Direction::sender);
        if facts.is_initialize() {
            self.begin_handshake(lane, verdict.place, facts);
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
        let applied = self.applied(verdict, facts);
        let Some(key) = facts.key() else {
            // Nothing can be paired with `null`.
            self.at_mut(verdict.place).lose(message.n, facts.method);
            return;
        };
        if let Some(answer) = self.answered_early.remove(&message.n) {
            verdict.answered_by = Some(answer);
        }
        let token = facts.meta.progress_token.and_then(|token| IdKey::of_token(token.text()));
        let token_is_id = token.as_ref() == Some(&key);
        let causal = verdict.row.is_some_and(|row| row.may_ask);
        let request = Request {
            n: message.n,
            name: match verdict.row {
                Some(row) => Name::Known(row),
                None => Name::Other(facts.method.unwrap_or_default().into()),
            },
            target: target.map(CompactString::new),
            sent: message.time.and_then(|time| instant(time.at)),
            phase: verdict.phase.zip(verdict.basis.phase),
            revision: verdict.revision.unwrap_or(u8::MAX),
            applied,
            terms: verdict.terms,
            session_guessed: verdict.basis.session == Some(Certainty::Guessed),
            shadows: false,
            token: token.filter(|_| !token_is_id).map(Box::new),
            token_is_id,
            side_guessed: verdict.basis.direction == Some(Certainty::Guessed),
            cancelled: false,
            answered: false,
            causal,
            task: facts.param("task").is_some(),
        };
        let guessed = verdict.basis.direction == Some(Certainty::Guessed);
        self.at_mut(verdict.place).numbering[side.index()].note(&key, guessed);
        let key_again = key.clone();
        let displaced = self.pending.open(session_number, side, key, request);
        if let Some(old) = displaced.same_id {
            let session = self.at_mut(verdict.place);
            let reused = !old.answered || !session.stateless || session.handshake;
            verdict.flags = verdict.flags.with_if(reused, Flag::ReusedId);
            if !old.answered {
                session.reopened += 1;
                session.give_up(side, &old);
                self.pending.shadow(session_number, side, &key_again);
            }
        }
        for (number, side, old) in displaced.oldest {
            if let Some(session) = self.sessions.iter_mut().flatten().find(|session| session.number == number) {
                session.give_up(side, &old);
            }
        }
        if verdict.answered_by.is_some() {
            if let Some(slot) = facts.key().and_then(|key| self.pending.find(session_number, side, &key)) {
                self.pending.answer(slot);
            }
        } else if causal {
            self.at_mut(verdict.place).causes[side.index()].open(message.n);
        }
    }

    pub(super) fn commit_notification(&mut self, message: &Message<'_>, verdict: &mut Verdict, early: Early) {
        let facts = &message.facts;
        let session = self.at_mut(verdict.place);
        verdict.revision = match facts.meta.protocol_version.and_then(RawJson::as_str) {
            Some(own) => Some(session.intern(&own)),
            None => session.revision.or(session.requested),
        };
        (verdict.phase, verdict.basis.phase) = phase_of_call(session, facts, verdict.direction, early);
        if facts.method == Some("notifications/initialized") && session.state != State::Closed {
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
    pub(super) fn cancel(&mut self, verdict: &Verdict, way: Direction, id: &IdKey) {
        let Some(slot) = self.cancelled(verdict.session, way, id) else { return };
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

    pub(super) fn commit_answer(&mut self, message: &Message<'_>, verdict: &mut Verdict, route: Route<'_>) {
        let facts = &message.facts;
        verdict.status = Some(status_of(facts, None));
        let session = self.at_mut(verdict.place);
        verdict.revision = session.revision.or(session.requested);
        if let Some((slot, certainty)) = route.request {
            self.settle(message, verdict, slot, certainty);
            return;
        }
        if let Some(request) = route.request_ahead {
            verdict.answers = Some(request.n);
            verdict.basis.answers = Some(Certainty::Inferred);
            verdict.basis.method = Some(Certainty::Inferred);
            let set = request.method.as_deref().and_then(method_set);
            verdict.row = set.map(|set| set.at_or_any(self.revision(verdict).and_then(Revision::parse)));
            verdict.feature = verdict.row.map_or(Feature::Unknown, |row| row.feature);
            verdict.later_method.clone_from(&request.method);
            verdict.later_target.clone_from(&request.target);
            if let Some(row) = verdict.row {
                let way = verdict.direction.map(Direction::reversed);
                let session = self.at(verdict.place);
                let declared = |side, path: &[&str]| session.declarations.declared(side, path, verdict.terms);
                Applied::judge_always(row, way, declared).list(row, way, &mut self.needs);
            }
            let request = request.n;
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

    pub(super) fn settle(&mut self, message: &Message<'_>, verdict: &mut Verdict, slot: u32, certainty: Certainty) {
        let facts = &message.facts;
        let Some(request) = self.pending.get(slot) else { return };
        // An id that was used again while open: the answer may be to the request before.
        let certainty = if request.shadows { Certainty::Guessed } else { certainty };
        let (n, causal, open) = (request.n, request.causal, !request.cancelled && !request.answered);
        let side = verdict.direction.map_or(Side::Client, Direction::receiver);
        verdict.request = Some(slot);
        verdict.answers = Some(n);
        verdict.basis.answers = Some(certainty);
        verdict.basis.method = Some(certainty);
        verdict.row = request.name.row();
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

    pub(super) fn commit_invalid(&mut self, message: &Message<'_>, verdict: &mut Verdict, early: Early) {
        let session = self.at_mut(verdict.place);
        verdict.revision = session.revision.or(session.requested);
        (verdict.phase, verdict.basis.phase) = phase_of_call(session, &message.facts, verdict.direction, early);
        self.describe(message, verdict);
    }

    /// Row and feature of a message that names its method.
    pub(super) fn describe(&self, message: &Message<'_>, verdict: &mut Verdict) {
        let Some(set) = message.facts.set else { return };
        let revision = self.revision(verdict).and_then(Revision::parse);
        let row = set.at_or_any(revision);
        verdict.row = Some(row);
        verdict.feature = row.feature;
        verdict.basis.method = Some(Certainty::Recorded);
        let foreign = revision.is_some_and(|revision| set.at(revision).is_none());
        verdict.flags = verdict.flags.with_if(foreign, Flag::WrongRevision);
    }

    pub(super) fn applied(&mut self, verdict: &Verdict, facts: &Facts<'_>) -> Applied {
        let Some(row) = verdict.row else { return Applied::default() };
        if row.requires.is_empty() {
            return Applied::default();
        }
        let session = self.at(verdict.place);
        let declared = |side, path: &[&str]| session.declarations.declared(side, path, verdict.terms);
        let applied = Applied::judge(row, facts, verdict.direction, declared);
        self.needs.clear();
        applied.list(row, verdict.direction, &mut self.needs);
        applied
    }

    /// The request that a message points at.
    pub(super) fn relation(&self, session: u32, direction: Option<Direction>, facts: &Facts<'_>) -> Option<u64> {
        let n = |slot: Option<u32>| slot.and_then(|slot| self.pending.get(slot)).map(|request| request.n);
        if let Some(task) = facts.task_id() {
            return self.tasks.get(session, &task).map(|origin| origin.n);
        }
        if let Some(subscription) = facts.meta.subscription_id {
            let key = IdKey::of_token(subscription.text())?;
            return n(self.pending.find(session, Side::Client, &key));
        }
        if facts.kind != Kind::Notification {
            return None;
        }
        let way = direction?;
        if let Some(token) = facts.progress_token() {
            return n(self.pending.find_token(session, way.receiver(), &token));
        }
        n(self.cancelled(session, way, &facts.request_id()?))
    }

    /// The request that a cancellation names: one of the sender's own, or the client's listen request, which the server may
    /// end (2026-07-28, basic/patterns/cancellation).
    fn cancelled(&self, session: u32, way: Direction, id: &IdKey) -> Option<u32> {
        self.pending.find(session, way.sender(), id).or_else(|| {
            let slot = self.pending.find(session, way.receiver(), id)?;
            let listens = self.pending.get(slot).is_some_and(|request| request.name.as_str() == "subscriptions/listen");
            listens.then_some(slot)
        })
    }
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
