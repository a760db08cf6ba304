//! Cancellation: who may cancel what, and what comes after it.
//! basic/utilities/cancellation of the handshake revisions, basic/patterns/cancellation of 2026-07-28.

use super::book::{Asked, progress_key};
use super::rule::Strength::{Implied, Must, Should};
use super::{Context, Family, Findings, LEGACY, MODERN, On, Revisions, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::protocol::{Revision, Side};
use crate::session::IdKey;

pub(super) const FAMILY: Family = Family {
    title: "Cancellation",
    rules: &[
        &CANCEL_UNKNOWN_REQUEST,
        &CANCEL_WRONG_SIDE,
        &CANCEL_COMPLETED_REQUEST,
        &RESPONSE_AFTER_CANCEL,
        &ACTIVITY_AFTER_CANCEL,
        &CANCEL_MISSING_REQUEST_ID,
        &CANCEL_TASK_REQUEST,
        &SERVER_CANCEL_NOT_LISTEN,
        &CANCEL_OVER_HTTP,
    ],
};

const CANCELLED: &[&str] = &["notifications/cancelled"];
const WITH_TASKS: Revisions = Revisions::only(Revision::V2025_11_25);

/// What a cancellation names.
enum Named<'a> {
    /// A request of its sender that is open.
    Own(&'a Asked),
    /// One that has been answered.
    Over(&'a Asked),
    /// An open request of the other side alone.
    Foreign(&'a Asked),
    /// Nothing that the capture has.
    Nothing,
}

/// `None` where the capture cannot tell.
fn named<'a>(context: &Context<'a>) -> Option<Named<'a>> {
    let side = context.sender.filter(|_| context.sender_sure())?;
    let id = IdKey::of_token(context.get("requestId")?.text())?;
    let session = context.message.session;
    let requests = context.requests;
    let resolved = context.message.relates_to.and_then(|n| requests.get_open(n));
    if let Some(own) = resolved.filter(|asked| asked.sender == Some(side)).or(requests.by_id(session, Some(side), &id))
    {
        return Some(Named::Own(own));
    }
    let over = |ended: &&super::book::Ended| ended.asked.sender == Some(side) && ended.asked.id.as_ref() == Some(&id);
    if let Some(ended) = requests.ended_in(session).find(over) {
        return Some(Named::Over(&ended.asked));
    }
    match requests.by_id(session, Some(side.other()), &id) {
        Some(foreign) => Some(Named::Foreign(foreign)),
        None => Some(Named::Nothing),
    }
}

/// A server ends the stream of a `subscriptions/listen` by cancelling it (2026-07-28).
fn by_modern_server(context: &Context<'_>) -> bool {
    context.is_modern() && context.sender == Some(Side::Server)
}

fn id_of(context: &Context<'_>) -> String {
    context.get("requestId").map(|id| quoted(id.text())).unwrap_or_default()
}

const CANCEL_UNKNOWN_REQUEST: Rule = Rule {
    id: "cancel-unknown-request",
    title: "a request is cancelled that was never sent",
    clauses: &[
        clause(LEGACY, Must, Severity::Warning, "basic/utilities/cancellation#behavior-requirements"),
        clause(MODERN, Must, Severity::Warning, "basic/patterns/cancellation#behavior-requirements"),
    ],
    explanation: "A cancellation names a request that its sender has sent. The rule is silent when the capture begins after \
                  the session did.",
    help: "send the id of the request, with its type",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"4\"}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    checks: &[On::Notification(CANCELLED, cancel_unknown_request)],
};

fn cancel_unknown_request(context: &Context<'_>, findings: &mut Findings) {
    let certain = context.session.has_beginning() && !context.requests.is_cut() && !context.session.unrecorded_ids;
    if certain && !by_modern_server(context) && matches!(named(context), Some(Named::Nothing)) {
        findings.report(format!("no request has the id {}", id_of(context))).mark(context.get("requestId"));
    }
}

const CANCEL_WRONG_SIDE: Rule = Rule {
    id: "cancel-wrong-side",
    title: "a request is cancelled by the side that received it",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/utilities/cancellation#behavior-requirements"),
        clause(MODERN, Must, Severity::Error, "basic/patterns/cancellation#behavior-requirements"),
    ],
    explanation: "Only the side that sent a request cancels it; the other one answers, with an error if it has to.",
    help: "answer the request with an error",
    fires: "S> {\"id\":\"r1\",\"method\":\"roots/list\"}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"r1\"}}",
    silent: "S> {\"id\":\"r1\",\"method\":\"roots/list\"}\nS> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"r1\"}}",
    checks: &[On::Notification(CANCELLED, cancel_wrong_side)],
};

fn cancel_wrong_side(context: &Context<'_>, findings: &mut Findings) {
    if by_modern_server(context) {
        return;
    }
    if let Some(Named::Foreign(request)) = named(context) {
        findings
            .report(format!("the request {} is one of the other side", id_of(context)))
            .mark(context.get("requestId"))
            .related(Some(request.at.0), request.at.1, "the request");
    }
}

const CANCEL_COMPLETED_REQUEST: Rule = Rule {
    id: "cancel-completed-request",
    title: "a request is cancelled that has been answered",
    clauses: &[
        clause(LEGACY, Must, Severity::Note, "basic/utilities/cancellation#timing-considerations"),
        clause(MODERN, Must, Severity::Note, "basic/patterns/cancellation#timing-considerations"),
    ],
    explanation: "Only requests that seem to be in progress are cancelled. Answer and cancellation may cross, so that it is a \
                  note; many of them show a time limit that is too short.",
    help: "forget a request when its answer comes",
    fires: "C> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}\nS> {\"id\":4,\"result\":{\"content\":[]}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    silent: "C> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    checks: &[On::Notification(CANCELLED, cancel_completed_request)],
};

fn cancel_completed_request(context: &Context<'_>, findings: &mut Findings) {
    if let Some(Named::Over(request)) = named(context) {
        findings
            .report(format!("the request {} has been answered already", id_of(context)))
            .mark(context.get("requestId"))
            .related(Some(request.at.0), request.at.1, "the request");
    }
}

const RESPONSE_AFTER_CANCEL: Rule = Rule {
    id: "response-after-cancel",
    title: "a cancelled request is answered",
    clauses: &[
        clause(LEGACY, Should, Severity::Note, "basic/utilities/cancellation#behavior-requirements"),
        clause(MODERN, Should, Severity::Note, "basic/patterns/cancellation#behavior-requirements"),
    ],
    explanation: "Who receives a cancellation should not answer the request any more, not even with an error. The answer may \
                  have been under way, and its receiver ignores it.",
    help: "drop the request when it is cancelled",
    fires: "C> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}\nS> {\"id\":4,\"error\":{\"code\":-32800,\"message\":\"cancelled\"}}",
    silent: "C> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}\nC> {\"id\":5,\"method\":\"ping\"}",
    checks: &[On::Result(&[], response_after_cancel), On::Error(&[], response_after_cancel)],
};

/// The request of an answer, if its sender has cancelled it before.
fn cancelled<'a>(context: &Context<'a>) -> Option<&'a Asked> {
    let request = context.request?;
    (request.cancelled.is_some() && request.method != "subscriptions/listen").then_some(request)
}

fn response_after_cancel(context: &Context<'_>, findings: &mut Findings) {
    if let Some((request, at)) = cancelled(context).and_then(|request| Some((request, request.cancelled?))) {
        findings
            .report(format!("{} was cancelled and is answered all the same", quoted(&request.method)))
            .mark(context.top("id"))
            .related(Some(at.0), at.1, "cancelled here");
    }
}

const ACTIVITY_AFTER_CANCEL: Rule = Rule {
    id: "activity-after-cancel",
    title: "a server goes on with a cancelled request",
    clauses: &[clause(MODERN, Must, Severity::Warning, "basic/transports/stdio#cancellation")],
    explanation: "On a pipe a server sends nothing more for a request that was cancelled: no progress and no answer. What was \
                  in the pipe already cannot be told from it, hence a warning, and a note for the answer.",
    help: "stop the work when the cancellation comes",
    fires: "C> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"$M\":\"\",\"progressToken\":\"p1\"}}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":7}}",
    silent: "C> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"$M\":\"\",\"progressToken\":\"p1\"}}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":7}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    checks: &[
        On::Notification(&["notifications/progress"], progress_after_cancel),
        On::Result(&[], answer_after_cancel),
        On::Error(&[], answer_after_cancel),
    ],
};

fn progress_after_cancel(context: &Context<'_>, findings: &mut Findings) {
    if context.sender != Some(Side::Server) || context.message.http.is_some() {
        return;
    }
    let token = progress_key(context).and_then(|key| context.session.progress.get(Side::Client, &key));
    if let Some(at) = token.and_then(|token| token.cancelled) {
        findings.report("progress of a request that was cancelled").mark(context.get("progressToken")).related(
            Some(at.0),
            at.1,
            "cancelled here",
        );
    }
}

fn answer_after_cancel(context: &Context<'_>, findings: &mut Findings) {
    if context.sender != Some(Side::Server) || context.message.http.is_some() {
        return;
    }
    if let Some(at) = cancelled(context).and_then(|request| request.cancelled) {
        findings
            .report("an answer to a request that was cancelled")
            .mark(context.top("id"))
            .related(Some(at.0), at.1, "cancelled here")
            .at_most(Severity::Note);
    }
}

const CANCEL_MISSING_REQUEST_ID: Rule = Rule {
    id: "cancel-missing-request-id",
    title: "a cancellation names no request",
    clauses: &[clause(WITH_TASKS, Must, Severity::Error, "basic/utilities/cancellation#cancellation-flow")],
    explanation: "The schema of 2025-11-25 lets `requestId` out because tasks are cancelled in another way, but a \
                  cancellation without it cancels nothing. In the other revisions it is a member that the shape requires.",
    help: "send `requestId`, or cancel a task by `tasks/cancel`",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"reason\":\"the user left\"}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4,\"reason\":\"the user left\"}}",
    checks: &[On::Notification(CANCELLED, cancel_missing_request_id)],
};

fn cancel_missing_request_id(context: &Context<'_>, findings: &mut Findings) {
    if context.is_whole() && context.get("requestId").is_none() {
        findings.report("the cancellation has no `requestId`").mark(context.body.raw.or(context.top("method")));
    }
}

const CANCEL_TASK_REQUEST: Rule = Rule {
    id: "cancel-task-request",
    title: "a task is cancelled by the id of its request",
    clauses: &[clause(WITH_TASKS, Must, Severity::Error, "basic/utilities/cancellation#behavior-requirements")],
    explanation: "A request that has asked for a task is cancelled by `tasks/cancel`, where its receiver has declared tasks \
                  for it.",
    help: "send `tasks/cancel` with the id of the task",
    fires: "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}}\nC> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"task\":{}}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"task\":{}}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    checks: &[On::Notification(CANCELLED, cancel_task_request)],
};

fn cancel_task_request(context: &Context<'_>, findings: &mut Findings) {
    let Some(Named::Own(request) | Named::Over(request)) = named(context) else { return };
    if request.task && context.makes_tasks(request) == Some(true) {
        findings
            .report("the request has asked for a task, which is cancelled by `tasks/cancel`")
            .mark(context.get("requestId"))
            .related(Some(request.at.0), request.at.1, "the request");
    }
}

const SERVER_CANCEL_NOT_LISTEN: Rule = Rule {
    id: "server-cancel-not-listen",
    title: "a server cancels something else than a subscription",
    clauses: &[clause(MODERN, Must, Severity::Error, "basic/patterns/cancellation#behavior-requirements")],
    explanation: "In 2026-07-28 a server sends `notifications/cancelled` only to end the stream of a `subscriptions/listen`.",
    help: "answer the request, with an error if it cannot be done",
    fires: "C> {\"id\":4,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    silent: "C> {\"id\":4,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":4}}}\nS> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    checks: &[On::Notification(CANCELLED, server_cancel_not_listen)],
};

fn server_cancel_not_listen(context: &Context<'_>, findings: &mut Findings) {
    if context.sender != Some(Side::Server) {
        return;
    }
    let (method, draft) = match named(context) {
        Some(Named::Foreign(request)) if request.method != "subscriptions/listen" => {
            (format!("a request for {}", quoted(&request.method)), None)
        }
        Some(Named::Own(request)) => (format!("its own {}", quoted(&request.method)), None),
        // The subscription may lie before the capture, or have been answered.
        Some(Named::Nothing) if context.session.opened && !context.requests.is_cut() => {
            ("a request that the capture does not have".to_owned(), Some(Severity::Warning))
        }
        _ => return,
    };
    let finding = findings.report(format!("the server cancels {method}; it may cancel subscriptions only"));
    finding.mark(context.get("requestId"));
    if let Some(most) = draft {
        finding.at_most(most);
    }
}

const CANCEL_OVER_HTTP: Rule = Rule {
    id: "cancel-over-http",
    title: "a cancellation is sent over HTTP",
    clauses: &[clause(MODERN, Implied, Severity::Note, "basic/patterns/cancellation#transport-specific-cancellation")],
    explanation: "Over HTTP a client cancels by closing the stream of the response; a notification for it is neither \
                  required nor expected. The rule needs a capture of HTTP.",
    help: "close the stream of the request",
    fires: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"notifications/cancelled\"}]> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    silent: "C> {\"id\":4,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}",
    checks: &[On::Notification(CANCELLED, cancel_over_http)],
};

fn cancel_over_http(context: &Context<'_>, findings: &mut Findings) {
    if context.sender == Some(Side::Client) && context.message.http.is_some() {
        findings.report("over HTTP closing the stream cancels the request").mark(context.top("method"));
    }
}
