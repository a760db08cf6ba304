//! The totals of a run, counted as its records pass. Keeps no message.

use crate::annotate::{Brief, Embedded, Filtered, InputEnd, InputStatus, Kind, Needs, Redacted, SessionEnd, Summary};
use crate::protocol::Phase;
use crate::redact::Redactor;
use crate::transcript::EventKind;

/// Requests that are named in the summary.
const MAX_NAMED: usize = 10;

#[derive(Default)]
pub(super) struct Totals {
    summary: Summary,
    incomplete: bool,
}

impl Totals {
    #[inline(always)]
    pub(super) fn message(&mut self, message: &Brief<'_>) {
        let summary = &mut self.summary;
        summary.counts.add(message.kind, message.outcome, message.status);
        match message.phase {
            Some(Phase::Initialization | Phase::Shutdown) => summary.lifecycle += 1,
            Some(Phase::Operation) => summary.operation += 1,
            None => summary.unphased += 1,
        }
        if message.kind != Kind::Response {
            self.undeclared(message.input, message.n, message.requires);
        }
    }

    /// Counts a message that needs what was not declared. Its answer, which needs the same, is not counted again.
    fn undeclared(&mut self, input: u32, n: u64, needs: &[Needs]) {
        let Some(missing) = needs.iter().find(|needs| needs.declared == Some(false)) else { return };
        self.summary.undeclared += 1;
        if self.summary.undeclared_first.len() < MAX_NAMED {
            self.summary.undeclared_first.push((input, n, *missing));
        }
    }

    pub(super) fn event(&mut self, kind: EventKind) {
        match kind {
            EventKind::Noise => self.summary.noise += 1,
            _ => self.summary.events += 1,
        }
    }

    pub(super) fn embedded(&mut self, embedded: &Embedded<'_>) {
        self.summary.embedded += 1;
        if embedded.kind == Kind::Request {
            self.undeclared(embedded.input, embedded.of, &embedded.requires);
        }
    }

    pub(super) fn view(&mut self) {
        self.summary.views += 1;
    }

    pub(super) fn session(&mut self, session: &SessionEnd) {
        self.summary.sessions += 1;
        self.summary.unanswered += session.unanswered.count;
    }

    pub(super) fn caps(&mut self, reached: impl Iterator<Item = (&'static str, u64)>) {
        for (table, lost) in reached {
            match self.summary.caps_reached.iter_mut().find(|(known, _)| *known == table) {
                Some((_, sum)) => *sum += lost,
                None => self.summary.caps_reached.push((table, lost)),
            }
        }
    }

    pub(super) fn input(&mut self, input: &InputEnd) {
        self.summary.inputs += 1;
        self.incomplete |= input.status != InputStatus::Ok;
    }

    pub(super) fn redacted(&mut self, redactor: &Redactor) {
        let counts = redactor.counts().map(|(kind, count)| (kind.name, count)).collect();
        self.summary.redacted = Some(Redacted { counts, different: redactor.different() });
        self.caps([("secrets", redactor.lost())].into_iter().filter(|(_, lost)| *lost > 0));
    }

    pub(super) fn filtered(&mut self, filtered: Filtered) {
        self.summary.filtered = Some(filtered);
    }

    pub(super) fn interrupt(&mut self) {
        self.summary.interrupted = true;
        self.incomplete = true;
    }

    pub(super) fn finish(mut self) -> Summary {
        self.summary.complete = !self.incomplete && self.summary.inputs > 0;
        self.summary.exit_code = if self.summary.complete { 0 } else { 2 };
        self.summary
    }
}
