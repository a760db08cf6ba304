//! Progress: tokens, who may tell progress of what, and that it grows.
//! basic/utilities/progress of the handshake revisions, basic/patterns/progress of 2026-07-28.

use super::book::{Token, progress_key};
use super::rule::Strength::Must;
use super::{Context, Family, Findings, LEGACY, MODERN, On, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::Side;
use crate::session::IdKey;

pub(super) const FAMILY: Family = Family {
    title: "Progress",
    rules: &[
        &PROGRESS_TOKEN_TYPE,
        &PROGRESS_TOKEN_DUPLICATE,
        &PROGRESS_UNKNOWN_TOKEN,
        &PROGRESS_WRONG_SIDE,
        &PROGRESS_NOT_INCREASING,
        &PROGRESS_AFTER_COMPLETION,
    ],
};

const TOLD: &[&str] = &["notifications/progress"];

/// The token that a notification names, if the other side has given it out.
fn token<'a>(context: &Context<'a>) -> Option<&'a Token> {
    context.session.progress.get(context.sender?.other(), &progress_key(context)?)
}

/// What a notification names, for a message.
fn named(context: &Context<'_>) -> String {
    context.get("progressToken").map(|token| quoted(token.text())).unwrap_or_default()
}

const PROGRESS_TOKEN_TYPE: Rule = Rule {
    id: "progress-token-type",
    title: "a progress token is no string and no integer",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/utilities/progress#progress-flow"),
        clause(MODERN, Must, Severity::Error, "basic/patterns/progress#progress-flow"),
    ],
    explanation: "Progress tokens are strings or integers, chosen by the sender of the request.",
    help: "use a string or an integer, for example the id of the request",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":true}}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}",
    checks: &[On::Request(&[], requested_token_type), On::Notification(TOLD, told_token_type)],
};

fn requested_token_type(context: &Context<'_>, findings: &mut Findings) {
    judge_type(context.meta("progressToken"), findings);
}

fn told_token_type(context: &Context<'_>, findings: &mut Findings) {
    judge_type(context.get("progressToken"), findings);
}

fn judge_type(token: Option<RawJson<'_>>, findings: &mut Findings) {
    let Some(token) = token else { return };
    let fits = match token.kind() {
        JsonKind::String => true,
        JsonKind::Number => token.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    };
    if !fits {
        let message = format!("a progress token is a string or an integer, here it is {}", quoted(token.text()));
        findings.report(message).mark(token);
    }
}

const PROGRESS_TOKEN_DUPLICATE: Rule = Rule {
    id: "progress-token-duplicate",
    title: "two open requests have the same progress token",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/utilities/progress#progress-flow"),
        clause(MODERN, Must, Severity::Error, "basic/patterns/progress#progress-flow"),
    ],
    explanation: "A token is unique among the requests that its sender has open, or nobody can tell of which one progress \
                  is told. A request that has become a task keeps its token until the task ends.",
    help: "use the id of the request, or count tokens up",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}\nS> {\"id\":1,\"result\":{\"content\":[]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}",
    checks: &[On::Request(&[], progress_token_duplicate)],
};

fn progress_token_duplicate(context: &Context<'_>, findings: &mut Findings) {
    let (Some(raw), Some(side), None) = (context.meta("progressToken"), context.sender, context.part) else { return };
    let Some(known) = IdKey::of_token(raw.text()).and_then(|key| context.session.progress.get(side, &key)) else {
        return;
    };
    if !is_over(context, known) && known.cancelled.is_none() && context.sender_sure() {
        findings
            .report(format!("the token {} belongs to a request that is still open", quoted(raw.text())))
            .mark(raw)
            .related(Some(known.at.0), known.at.1, "the other request");
    }
}

/// Whether nothing more can be told of the request of a token.
fn is_over(context: &Context<'_>, token: &Token) -> bool {
    let ended = |id: &str| context.session.tasks.get(id)?.status.map(|(status, _)| status.is_final());
    // Of a task that the capture does not follow nothing is known.
    token.done.is_some() || token.task.as_deref().is_some_and(|id| id.is_empty() || ended(id) == Some(true))
}

const PROGRESS_UNKNOWN_TOKEN: Rule = Rule {
    id: "progress-unknown-token",
    title: "progress of a token that no request gave out",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/utilities/progress#behavior-requirements"),
        clause(MODERN, Must, Severity::Error, "basic/patterns/progress#behavior-requirements"),
    ],
    explanation: "Progress is told only of requests that carry a `progressToken`, with that very token: 1 is not \"1\". The \
                  rule is silent when the capture begins after the session did.",
    help: "repeat the token of the request, with its type, and tell no progress where there is none",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":1}}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"1\",\"progress\":1}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":1}}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}",
    checks: &[On::Notification(TOLD, progress_unknown_token)],
};

fn progress_unknown_token(context: &Context<'_>, findings: &mut Findings) {
    let (Some(key), Some(side)) = (progress_key(context), context.sender) else { return };
    let progress = &context.session.progress;
    let known = progress.get(side, &key).is_some() || progress.get(side.other(), &key).is_some();
    if !known && progress.is_complete() && context.session.has_beginning() {
        findings
            .report(format!("no request has the progress token {}", named(context)))
            .mark(context.get("progressToken"));
    }
}

const PROGRESS_WRONG_SIDE: Rule = Rule {
    id: "progress-wrong-side",
    title: "the sender of a request tells its progress itself",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/utilities/progress#progress-flow"),
        clause(MODERN, Must, Severity::Error, "basic/patterns/progress"),
    ],
    explanation: "Progress is told by the side that works on the request; in 2026-07-28 that is always the server.",
    help: "tell progress of requests that were received, not of one's own",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}\nC> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":1}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":1}}",
    checks: &[On::Notification(TOLD, progress_wrong_side)],
};

fn progress_wrong_side(context: &Context<'_>, findings: &mut Findings) {
    let Some(side) = context.sender.filter(|_| context.sender_sure()) else { return };
    let own = progress_key(context).and_then(|key| context.session.progress.get(side, &key));
    if let Some(own) = own.filter(|_| token(context).is_none()) {
        findings
            .report(format!("the {} tells progress of its own request", side.as_str()))
            .mark(context.get("progressToken"))
            .related(Some(own.at.0), own.at.1, "its request");
    } else if context.is_modern() && side == Side::Client {
        findings.report("in 2026-07-28 only servers tell progress").mark(context.top("method"));
    }
}

const PROGRESS_NOT_INCREASING: Rule = Rule {
    id: "progress-not-increasing",
    title: "progress does not grow",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/utilities/progress#progress-flow"),
        clause(MODERN, Must, Severity::Error, "basic/patterns/progress#progress-flow"),
    ],
    explanation: "`progress` grows with every notification for a token, by whatever it counts; `total` may be missing.",
    help: "send a notification only when `progress` has grown",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":3}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":2.5}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":2.5}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":3}}",
    checks: &[On::Notification(TOLD, progress_not_increasing)],
};

fn progress_not_increasing(context: &Context<'_>, findings: &mut Findings) {
    let Some((last, at)) = token(context).and_then(|token| token.last) else { return };
    let Some(progress) = context.get("progress") else { return };
    if progress.as_f64().is_some_and(|now| now <= last) {
        findings
            .report(format!("progress has to grow, but {} follows on {last}", progress.text()))
            .mark(progress)
            .related(Some(at.0), at.1, "told before");
    }
}

const PROGRESS_AFTER_COMPLETION: Rule = Rule {
    id: "progress-after-completion",
    title: "progress of a request that is over",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/utilities/progress#implementation-notes"),
        clause(MODERN, Must, Severity::Error, "basic/patterns/progress#implementation-notes"),
    ],
    explanation: "No progress is told once a request has been answered. Of a request that has become a task it is told until \
                  the task ends.",
    help: "stop telling progress before answering",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}\nS> {\"id\":1,\"result\":{\"content\":[]}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":9}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"_meta\":{\"progressToken\":\"p1\"}}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p1\",\"progress\":9}}\nS> {\"id\":1,\"result\":{\"content\":[]}}",
    checks: &[On::Notification(TOLD, progress_after_completion)],
};

fn progress_after_completion(context: &Context<'_>, findings: &mut Findings) {
    let Some(token) = token(context) else { return };
    let task = token.task.as_deref().and_then(|id| context.session.tasks.get(id)?.status);
    let ended = token.done.or(task.filter(|(status, _)| status.is_final()).map(|(_, at)| at));
    if let Some(at) = ended {
        findings
            .report(format!("progress of {}, whose request is over", named(context)))
            .mark(context.get("progressToken"))
            .related(Some(at.0), at.1, "ended here");
    }
}
