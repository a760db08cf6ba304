//! Batches: only 2025-03-26 has them. basic/index#batching and basic/transports of that revision.

use super::rule::Strength::Must;
use super::{Context, Family, Findings, MODERN, On, Revisions, Rule, clause};
use crate::annotate::{IdState, Kind, Severity};
use crate::jsonrpc::Reason;
use crate::protocol::{Revision, Side};

pub(super) const FAMILY: Family = Family {
    title: "Batching",
    rules: &[&BATCH_NOT_ALLOWED, &BATCH_EMPTY, &BATCH_MIXED, &BATCH_REFUSED, &INITIALIZE_IN_BATCH],
};

const BATCHED: Revisions = Revisions::only(Revision::V2025_03_26);

const BATCH_NOT_ALLOWED: Rule = Rule {
    id: "batch-not-allowed",
    title: "a batch where the revision has none",
    clauses: &[
        clause(Revisions::only(Revision::V2024_11_05), Must, Severity::Note, "basic/messages"),
        clause(
            Revisions::between(Revision::V2025_06_18, Revision::V2025_11_25),
            Must,
            Severity::Error,
            "basic/transports#stdio",
        ),
        clause(MODERN, Must, Severity::Error, "basic/transports/stdio"),
    ],
    explanation: "Batches exist in 2025-03-26 only. 2025-06-18 removed them, so a peer need not read them. 2024-11-05 does \
                  not mention them, but prescribes JSON-RPC 2.0, which has them: there it is a note.",
    help: "send every message by itself",
    fires: "@init 2025-11-25 {} {}\nC> [{\"id\":5,\"method\":\"ping\"}]",
    silent: "@init 2025-03-26 {} {}\nC> [{\"id\":5,\"method\":\"ping\"}]",
    checks: &[On::Message(batch_not_allowed)],
};

fn batch_not_allowed(context: &Context<'_>, findings: &mut Findings) {
    let first = context.message.batch.is_some_and(|place| place.index == 0);
    if first || context.reason() == Some(&Reason::EmptyBatch) {
        let size = context.message.batch.map_or(0, |place| place.size);
        let revision = context.revision.as_str();
        findings.report(format!("a batch of {size} messages, {revision} has no batches")).mark(context.message.text);
    }
}

const BATCH_EMPTY: Rule = Rule {
    id: "batch-empty",
    title: "a batch without an element",
    clauses: &[clause(BATCHED, Must, Severity::Error, "basic/index#batching")],
    explanation: "A batch has at least one element: JSON-RPC 2.0 takes an empty array for an invalid request.",
    help: "send nothing when there is nothing to send",
    fires: "@init 2025-03-26 {} {}\nC> []",
    silent: "@init 2025-03-26 {} {}\nC> [{\"method\":\"notifications/roots/list_changed\"}]",
    checks: &[On::Invalid(batch_empty)],
};

fn batch_empty(context: &Context<'_>, findings: &mut Findings) {
    if context.reason() == Some(&Reason::EmptyBatch) {
        findings.report("a batch has to hold at least one message").mark(context.message.text);
    }
}

const BATCH_MIXED: Rule = Rule {
    id: "batch-mixed",
    title: "a batch holds calls and answers",
    clauses: &[clause(BATCHED, Must, Severity::Error, "basic/transports#sending-messages-to-the-server")],
    explanation: "A batch holds requests and notifications, or it holds responses, never both kinds. The page says so of \
                  what a client posts over HTTP; elsewhere it is a warning.",
    help: "put answers into a batch of their own",
    fires: "@init 2025-03-26 {\"roots\":{}} {}\nS> {\"id\":1,\"method\":\"roots/list\"}\nC> [{\"id\":1,\"result\":{\"roots\":[]}},{\"id\":5,\"method\":\"ping\"}]",
    silent: "@init 2025-03-26 {\"roots\":{}} {}\nS> {\"id\":1,\"method\":\"roots/list\"}\nC> [{\"id\":1,\"result\":{\"roots\":[]}}]",
    checks: &[
        On::Request(&[], batch_mixed),
        On::Notification(&[], batch_mixed),
        On::Result(&[], batch_mixed),
        On::Error(&[], batch_mixed),
    ],
};

fn batch_mixed(context: &Context<'_>, findings: &mut Findings) {
    let Some(batch) = context.session.batches.around(context).filter(|batch| !batch.is_mixed()) else { return };
    let answer = context.kind == Kind::Response;
    if context.part.is_some() || !(answer && batch.calls || !answer && batch.answers) {
        return;
    }
    let (this, others) = if answer { ("an answer", "calls") } else { ("a call", "answers") };
    let draft = findings.report(format!("{this} stands in a batch of {others}"));
    draft.mark(context.message.text).related(Some(batch.first.0), batch.first.1, "the batch begins here");
    if context.sender != Some(Side::Client) || context.message.http.is_none() {
        draft.at_most(Severity::Warning);
    }
}

const BATCH_REFUSED: Rule = Rule {
    id: "batch-refused",
    title: "a valid batch is refused",
    clauses: &[clause(BATCHED, Must, Severity::Error, "basic/index#batching")],
    explanation: "Sending batches is optional in 2025-03-26, receiving them is not: every request in a batch gets its own \
                  answer. One error -32600 without an id for the whole batch refuses it.",
    help: "answer each request of the batch, in a batch or one by one",
    fires: "@init 2025-03-26 {} {\"tools\":{}}\nC> [{\"id\":5,\"method\":\"ping\"},{\"id\":6,\"method\":\"tools/list\"}]\nS> {\"id\":null,\"error\":{\"code\":-32600,\"message\":\"one at a time\"}}",
    silent: "@init 2025-03-26 {} {\"tools\":{}}\nC> [{\"id\":5,\"method\":\"ping\"}]\nS> {\"id\":5,\"result\":{}}",
    checks: &[On::Error(&[], batch_refused)],
};

fn batch_refused(context: &Context<'_>, findings: &mut Findings) {
    let code = context.message.error.as_ref().and_then(|error| error.code);
    let without_id = matches!(context.message.id_state, IdState::Null | IdState::Absent);
    let asked_by = context.sender.map(Side::other);
    let batch = asked_by.and_then(|side| context.session.batches.last(side));
    if let Some(batch) = batch.filter(|batch| batch.requests > 0 && batch.answered == 0 && !batch.faulty)
        && without_id
        && code == Some(-32600)
    {
        findings
            .report(format!("a valid batch of {} messages is refused; 2025-03-26 requires to read batches", batch.size))
            .mark(context.body.raw)
            .related(Some(batch.first.0), batch.first.1, "the batch");
    }
}

const INITIALIZE_IN_BATCH: Rule = Rule {
    id: "initialize-in-batch",
    title: "`initialize` stands in a batch",
    clauses: &[clause(BATCHED, Must, Severity::Error, "basic/lifecycle#initialization")],
    explanation: "`initialize` stands alone: other requests are not possible before it has been answered.",
    help: "send `initialize` by itself and wait for its answer",
    fires: "C> [{\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}},{\"id\":1,\"method\":\"ping\"}]",
    silent: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}",
    checks: &[On::Request(&["initialize"], initialize_in_batch)],
};

fn initialize_in_batch(context: &Context<'_>, findings: &mut Findings) {
    if context.message.batch.is_some() {
        findings.report("`initialize` stands in a batch, it has to stand alone").mark(context.top("method"));
    }
}
