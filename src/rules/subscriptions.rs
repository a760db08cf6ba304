//! Listen streams: acknowledged first, every message under its id, nothing that was not asked for, and a proper end.
//! basic/patterns/subscriptions of 2026-07-28.

use super::book::{Closed, FLAGS, SUBSCRIPTION_ID, Stream};
use super::rule::Strength::{Implied, Must, Schema};
use super::{Context, Draft, EndContext, Family, Findings, MODERN, On, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::session::IdKey;
use crate::transcript::Half;

pub(super) const FAMILY: Family = Family {
    title: "Modern era: subscriptions",
    rules: &[
        &SUBSCRIPTION_ACK_NOT_FIRST,
        &SUBSCRIPTION_ID_MISSING,
        &SUBSCRIPTION_ID_UNKNOWN,
        &SUBSCRIPTION_TYPE_NOT_REQUESTED,
        &SUBSCRIPTION_URI_NOT_REQUESTED,
        &SUBSCRIPTION_ACK_EXCEEDS_REQUEST,
        &SUBSCRIPTION_AFTER_END,
        &SUBSCRIPTION_REQUEST_SCOPED,
        &SUBSCRIPTION_CLOSE_ID,
        &SUBSCRIPTION_UNACKNOWLEDGED,
        &LISTEN_TEARDOWN_SIGNAL,
    ],
};

const ACKNOWLEDGEMENT: &str = "basic/patterns/subscriptions#acknowledgment";
const RECEIVING: &str = "basic/patterns/subscriptions#receiving-notifications";
const CLOSURE: &str = "basic/patterns/subscriptions#graceful-closure";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// Notifications that come on a listen stream and nowhere else.
const STREAMED: &[&str] = &[
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/subscriptions/acknowledged",
    "notifications/tasks",
    "notifications/tools/list_changed",
];

const SUBSCRIPTION_ACK_NOT_FIRST: Rule = Rule {
    id: "subscription-ack-not-first",
    title: "a listen stream begins with something else than its acknowledgement",
    clauses: &[clause(MODERN, Must, Severity::Error, ACKNOWLEDGEMENT)],
    explanation: "The first message under the id of a listen request is `notifications/subscriptions/acknowledged`: from \
                  it the client learns what it will get. On a pipe, messages of other streams may stand before it. An \
                  error needs no acknowledgement.",
    help: "send the acknowledgement before the first notification and before the closing result",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/prompts/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"method\":\"notifications/prompts/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    checks: &[On::Notification(&[], notified_before_ack), On::Result(&["subscriptions/listen"], closed_before_ack)],
};

fn notified_before_ack(context: &Context<'_>, findings: &mut Findings) {
    let Some(stream) = context.session.streams.of(context) else { return };
    if context.method != Some(ACKNOWLEDGED) && stream.closed.is_none() && stream.promised.is_none() {
        let draft = findings.report("a notification under a listen stream that is not acknowledged yet");
        draft.mark(context.top("method"));
        show(draft, stream);
    }
}

fn closed_before_ack(context: &Context<'_>, findings: &mut Findings) {
    let Some(stream) = context.message.answers.and_then(|n| context.session.streams.of_request(n)) else { return };
    if stream.closed.is_none() && stream.promised.is_none() {
        let draft = findings.report("a listen stream ends that was never acknowledged");
        draft.mark(context.top("result"));
        show(draft, stream);
    }
}

fn show(draft: &mut Draft, stream: &Stream) {
    draft.related(Some(stream.request.0), stream.request.1, "the listen request");
}

const SUBSCRIPTION_ID_MISSING: Rule = Rule {
    id: "subscription-id-missing",
    title: "a notification does not say to which listen stream it belongs",
    clauses: &[clause(MODERN, Must, Severity::Error, RECEIVING)],
    explanation: "Changes of lists, updates of resources, states of tasks and acknowledgements name the listen request in \
                  `_meta`, since several streams share one pipe.",
    help: "send `io.modelcontextprotocol/subscriptionId` with the id of the listen request",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/prompts/list_changed\"}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/prompts/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    checks: &[On::Notification(STREAMED, subscription_id_missing)],
};

fn subscription_id_missing(context: &Context<'_>, findings: &mut Findings) {
    let stateless = context.is_whole() && context.session.lifecycle.agreed().is_none();
    if stateless && context.meta(SUBSCRIPTION_ID).is_none() {
        findings.report("the notification has no `subscriptionId` in `_meta`").mark(context.top("method"));
    }
}

const SUBSCRIPTION_ID_UNKNOWN: Rule = Rule {
    id: "subscription-id-unknown",
    title: "a notification names a listen stream that there is not",
    clauses: &[clause(MODERN, Must, Severity::Error, RECEIVING)],
    explanation: "The id is that of a listen request, of the same type: `1` and `\"1\"` are two ids. The rule is silent \
                  where the request may stand before the beginning of the capture.",
    help: "copy the id of the request as it is, a number as a number",
    fires: "C> {\"id\":\"1\",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    silent: "C> {\"id\":\"1\",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"1\"}}}",
    checks: &[On::Notification(&[], subscription_id_unknown)],
};

fn subscription_id_unknown(context: &Context<'_>, findings: &mut Findings) {
    let Some(id) = context.meta(SUBSCRIPTION_ID) else { return };
    let streams = &context.session.streams;
    let Some(key) = IdKey::of_token(id.text()) else {
        findings.report("null is the id of no listen request").mark(id);
        return;
    };
    if streams.get(&key).is_some() || streams.lost {
        return;
    }
    let twin = match id.kind() {
        JsonKind::String => id.as_str().and_then(|text| IdKey::of_token(&text).filter(|_| is_number(&text))),
        _ => IdKey::of_token(&format!("\"{}\"", id.text())),
    };
    if let Some(stream) = twin.and_then(|twin| streams.get(&twin)) {
        let (is, has) = if id.kind() == JsonKind::String { ("a string", "a number") } else { ("a number", "a string") };
        let draft =
            findings.report(format!("the id {} is {is}, that of the listen request is {has}", quoted(id.text())));
        draft.mark(id);
        show(draft, stream);
    } else if context.session.opened {
        findings.report(format!("no listen request has the id {}", quoted(id.text()))).mark(id);
    }
}

fn is_number(text: &str) -> bool {
    RawJson::new(text).is_some_and(|value| value.kind() == JsonKind::Number)
}

const SUBSCRIPTION_TYPE_NOT_REQUESTED: Rule = Rule {
    id: "subscription-type-not-requested",
    title: "a listen stream brings a kind of notification that it did not ask for",
    clauses: &[clause(MODERN, Must, Severity::Error, "basic/patterns/subscriptions#opening-a-stream")],
    explanation: "Only the kinds of notifications that the listen request names come on its stream. What was asked for and \
                  left out of the acknowledgement is a warning.",
    help: "look at the filter of the listen request before sending",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"method\":\"notifications/prompts/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    checks: &[On::Notification(STREAMED, subscription_type_not_requested)],
};

fn subscription_type_not_requested(context: &Context<'_>, findings: &mut Findings) {
    let (Some(stream), Some(method)) = (context.session.streams.of(context), context.method) else { return };
    match stream.wanted.lets(method) {
        None => {}
        Some(false) => {
            let draft = findings.report(format!("the listen request did not ask for {}", quoted(method)));
            draft.mark(context.top("method"));
            show(draft, stream);
        }
        Some(true) => {
            let Some((at, promised)) = &stream.promised else { return };
            if promised.lets(method) == Some(false) {
                findings
                    .report(format!("the acknowledgement leaves out {}", quoted(method)))
                    .mark(context.top("method"))
                    .related(Some(at.0), at.1, "the acknowledgement")
                    .at_most(Severity::Warning);
            }
        }
    }
}

const SUBSCRIPTION_URI_NOT_REQUESTED: Rule = Rule {
    id: "subscription-uri-not-requested",
    title: "a listen stream brings updates of a resource that it did not ask for",
    clauses: &[clause(MODERN, Must, Severity::Warning, "basic/patterns/subscriptions#notification-filter")],
    explanation: "Updates are for the URIs in `resourceSubscriptions`, and for what is below one of them.",
    help: "send updates of the listed resources only",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"resourceSubscriptions\":[\"memo://1\"]},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"resourceSubscriptions\":[\"memo://1\"]},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"memo://2\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"resourceSubscriptions\":[\"memo://1\"]},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"resourceSubscriptions\":[\"memo://1\"]},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"memo://1/a\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    checks: &[On::Notification(&["notifications/resources/updated"], subscription_uri_not_requested)],
};

fn subscription_uri_not_requested(context: &Context<'_>, findings: &mut Findings) {
    let (Some(stream), Some(uri)) = (context.session.streams.of(context), context.get("uri")) else { return };
    let Some(text) = uri.as_str().filter(|_| !stream.wanted.uris.is_empty()) else { return };
    if !stream.wanted.has_uri(&text) {
        let draft = findings.report(format!("the listen request did not ask for updates of {}", quoted(&text)));
        draft.mark(uri);
        show(draft, stream);
    }
}

const SUBSCRIPTION_ACK_EXCEEDS_REQUEST: Rule = Rule {
    id: "subscription-ack-exceeds-request",
    title: "an acknowledgement promises more than was asked for",
    clauses: &[clause(MODERN, Implied, Severity::Error, ACKNOWLEDGEMENT)],
    explanation: "The acknowledgement names the part of the filter that the server will honour. A flag that is `false` \
                  promises nothing.",
    help: "acknowledge the part of the requested filter that the server supports",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"promptsListChanged\":false},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    checks: &[On::Notification(&[ACKNOWLEDGED], subscription_ack_exceeds_request)],
};

fn subscription_ack_exceeds_request(context: &Context<'_>, findings: &mut Findings) {
    let (Some(stream), Some(promised)) = (context.session.streams.of(context), context.get("notifications")) else {
        return;
    };
    let mut exceed = |what: String, value: RawJson<'_>| {
        let draft = findings.report(format!("the listen request did not ask for {what}"));
        draft.mark(value);
        show(draft, stream);
    };
    for (name, method) in FLAGS {
        let Some(flag) = promised.get(name).filter(|flag| flag.as_bool() == Some(true)) else { continue };
        if stream.wanted.lets(method) == Some(false) {
            exceed(format!("`{name}`"), flag);
        }
    }
    if stream.wanted.cut {
        return;
    }
    let lists = [("resourceSubscriptions", &stream.wanted.uris), ("taskIds", &stream.wanted.tasks)];
    for (name, wanted) in lists {
        for value in promised.get(name).into_iter().flat_map(RawJson::elements) {
            if let Some(text) = value.as_str().filter(|text| wanted.iter().all(|wanted| wanted != text)) {
                exceed(format!("{} in `{name}`", quoted(&text)), value);
            }
        }
    }
}

const SUBSCRIPTION_AFTER_END: Rule = Rule {
    id: "subscription-after-end",
    title: "a notification comes under a listen stream that has ended",
    clauses: &[clause(MODERN, Must, Severity::Warning, "basic/patterns/subscriptions#cancellation")],
    explanation: "A listen stream ends with its result or with a cancellation by either side, and nothing follows it. After \
                  a cancellation by the client some notifications may be under way: that is reported once the server has \
                  answered a later request.",
    help: "stop sending when the stream ends",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\nS> {\"method\":\"notifications/prompts/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"promptsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\nS> {\"method\":\"notifications/prompts/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    checks: &[On::Notification(&[], subscription_after_end)],
};

fn subscription_after_end(context: &Context<'_>, findings: &mut Findings) {
    let Some(stream) = context.session.streams.of(context) else { return };
    let at = match stream.closed {
        None => return,
        Some(Closed::ByClient(at)) => {
            let mut answered = context.requests.ended_in(context.message.session);
            if !answered.any(|ended| ended.asked.at.0 > at.0) {
                return;
            }
            at
        }
        Some(Closed::Answered(at) | Closed::ByServer(at)) => at,
    };
    findings.report("a notification under a listen stream that has ended").mark(context.top("method")).related(
        Some(at.0),
        at.1,
        "its end",
    );
}

const SUBSCRIPTION_REQUEST_SCOPED: Rule = Rule {
    id: "subscription-request-scoped",
    title: "progress or a log message comes on a listen stream",
    clauses: &[clause(MODERN, Must, Severity::Error, "server/utilities/logging#per-request-log-level")],
    explanation: "`notifications/progress` and `notifications/message` belong to the request that asked for them: they come \
                  on its stream, never on that of a listen request.",
    help: "send them on the stream of their request, without a `subscriptionId`",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"up\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\",\"io.modelcontextprotocol/logLevel\":\"info\"}}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"up\"}}",
    checks: &[On::Notification(&["notifications/progress", "notifications/message"], subscription_request_scoped)],
};

fn subscription_request_scoped(context: &Context<'_>, findings: &mut Findings) {
    if let Some(id) = context.meta(SUBSCRIPTION_ID) {
        findings.report("a notification of a request names a listen stream").mark(id);
        return;
    }
    let http = context.message.http.filter(|http| http.half == Half::Response);
    let Some(request) = http.and_then(|http| context.requests.of_exchange(http.exchange)) else { return };
    if request.method == "subscriptions/listen" {
        findings
            .report("a notification of a request comes on the stream of a listen request")
            .mark(context.top("method"))
            .related(Some(request.at.0), request.at.1, "the listen request");
    }
}

const SUBSCRIPTION_CLOSE_ID: Rule = Rule {
    id: "subscription-close-id",
    title: "the result of a listen request does not name its stream",
    clauses: &[clause(MODERN, Schema, Severity::Error, CLOSURE)],
    explanation: "The result that closes a listen stream is complete, and names the id of its request as `subscriptionId`.",
    help: "send `resultType` `complete` and the id of the request in `_meta`",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":2}}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    checks: &[On::Result(&["subscriptions/listen"], subscription_close_id)],
};

fn subscription_close_id(context: &Context<'_>, findings: &mut Findings) {
    if !context.is_whole() {
        return;
    }
    let own = context.message.id.as_ref().and_then(IdKey::of_id);
    match context.meta(SUBSCRIPTION_ID) {
        None => {
            findings.report("the result has no `subscriptionId` in `_meta`").mark(context.top("result"));
        }
        Some(id) if IdKey::of_token(id.text()) != own => {
            findings.report(format!("the result names the stream {}, not its own id", quoted(id.text()))).mark(id);
        }
        Some(_) => {}
    }
    if let Some(kind) = context.get("resultType").filter(|kind| kind.as_str().is_none_or(|kind| kind != "complete")) {
        findings.report("the result of a listen request is `complete`").mark(kind);
    }
}

const SUBSCRIPTION_UNACKNOWLEDGED: Rule = Rule {
    id: "subscription-unacknowledged",
    title: "a listen request is never acknowledged",
    clauses: &[clause(MODERN, Must, Severity::Warning, ACKNOWLEDGEMENT)],
    explanation: "A server that takes a listen request acknowledges it. Reported at the end of a session in which the server \
                  has said something else since.",
    help: "answer `subscriptions/listen` with `notifications/subscriptions/acknowledged`, or with an error",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nC> {\"id\":2,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32601,\"message\":\"none\"}}\nC> {\"id\":2,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    checks: &[On::End(subscription_unacknowledged)],
};

fn subscription_unacknowledged(context: &EndContext<'_>, findings: &mut Findings) {
    let streams = &context.session.streams;
    for stream in streams.open().filter(|stream| stream.promised.is_none()) {
        if streams.spoke.is_some_and(|n| n > stream.request.0) {
            let (n, position) = stream.request;
            findings.report("the listen request is neither acknowledged nor refused").at(Some(n), position);
        }
    }
}

const LISTEN_TEARDOWN_SIGNAL: Rule = Rule {
    id: "listen-teardown-signal",
    title: "a session ends and its listen stream does not",
    clauses: &[clause(MODERN, Must, Severity::Note, CLOSURE)],
    explanation: "A server that ends a listen stream says so, with `notifications/cancelled` for its id or with the result \
                  of the request; the pages differ on which. A capture does not tell who ended a session over a pipe, \
                  hence a note. Captures of HTTP, where the stream itself ends, are not judged.",
    help: "send the result of the listen request, or cancel it, before the server goes",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    checks: &[On::End(listen_teardown_signal)],
};

fn listen_teardown_signal(context: &EndContext<'_>, findings: &mut Findings) {
    if context.end.transport.is_some_and(|transport| transport != "stdio") || context.end.ended == "evicted" {
        return;
    }
    for stream in context.session.streams.open().filter(|stream| stream.promised.is_some()) {
        let (n, position) = stream.request;
        // Over HTTP the end of the stream itself tells.
        if context.open.iter().any(|asked| asked.at.0 == n && asked.exchange.is_some()) {
            continue;
        }
        findings.report("the session ends while this listen stream is open").at(Some(n), position);
    }
}
