//! Which answer belongs to which request. basic/index#requests and #responses of every revision.

use super::book::{Asked, Spot};
use super::rule::Strength::{Must, Schema};
use super::{ALL, Context, EndContext, Family, Findings, LEGACY, MODERN, On, Rule, clause, quoted};
use crate::annotate::{Certainty, Kind, Severity};
use crate::protocol::Side;
use crate::session::IdKey;
use crate::transcript::Flag;

pub(super) const FAMILY: Family = Family {
    title: "Correlation",
    rules: &[
        &RESPONSE_WITHOUT_REQUEST,
        &RESPONSE_ID_TYPE_MISMATCH,
        &DUPLICATE_RESPONSE,
        &RESPONSE_WRONG_SIDE,
        &DUPLICATE_REQUEST_ID,
        &UNANSWERED_REQUEST,
        &PING_UNANSWERED,
        &EMPTY_RESULT_EXPECTED,
    ],
};

/// Why an answer has no request.
enum Orphan<'a> {
    /// No request is open that it could answer.
    Unknown,
    /// A request of the other side has this id as a string instead of a number, or the other way round.
    OtherType(&'a Asked),
    /// The only open request with this id is the sender's own.
    OwnRequest(&'a Asked),
}

fn orphan<'a>(context: &Context<'a>) -> Option<(Orphan<'a>, IdKey)> {
    let undecided = context.part.is_some() || context.session.unrecorded_ids;
    if context.kind != Kind::Response || undecided || !context.has(Flag::Orphan) {
        return None;
    }
    let id = context.message.id.as_ref().and_then(IdKey::of_id)?;
    let session = context.message.session;
    let asked_by = context.sender.map(Side::other);
    if let Some(asked) = other_type(&id).and_then(|id| context.requests.by_id(session, asked_by, &id)) {
        return Some((Orphan::OtherType(asked), id));
    }
    // A saved stream of one side has nothing of the other side.
    let both = is_two_sided(context) || context.message.http.is_none();
    let recorded = both && context.message.basis.direction == Some(Certainty::Recorded);
    let own = context.sender.and_then(|side| context.requests.by_id(session, Some(side), &id));
    match own.filter(|asked| recorded && asked.sender_sure) {
        Some(asked) => Some((Orphan::OwnRequest(asked), id)),
        None => Some((Orphan::Unknown, id)),
    }
}

/// Whether the capture has messages of the other side as well.
fn is_two_sided(context: &Context<'_>) -> bool {
    context.sender.is_some_and(|side| context.session.last[side.other().index()].is_some())
}

/// The same id as a string instead of a number, or the other way round.
fn other_type(id: &IdKey) -> Option<IdKey> {
    match id.number() {
        Some(number) => IdKey::of_token(&format!("\"{number}\"")),
        None => id
            .as_text()
            .and_then(|text| text.parse::<i64>().ok())
            .and_then(|number| IdKey::of_token(&number.to_string())),
    }
}

const RESPONSE_WITHOUT_REQUEST: Rule = Rule {
    id: "response-without-request",
    title: "an answer to a request that nobody sent",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#responses")],
    explanation: "A response repeats the id of a request of the other side. An answer without one is lost on its receiver, \
                  and some request stays without its answer. Where the capture begins after the session did, the request \
                  may lie before it: then it is no more than a warning, before the first request a note.",
    help: "answer with the id of the request, once",
    fires: "@init 2025-06-18 {} {}\nC> {\"id\":3,\"method\":\"ping\"}\nS> {\"id\":4,\"result\":{}}",
    silent: "@init 2025-06-18 {} {}\nC> {\"id\":3,\"method\":\"ping\"}\nS> {\"id\":3.0,\"result\":{}}",
    checks: &[On::Result(&[], without_request), On::Error(&[], without_request)],
};

fn without_request(context: &Context<'_>, findings: &mut Findings) {
    let Some((Orphan::Unknown, _)) = orphan(context) else { return };
    // A capture of one half of HTTP, such as saved responses, has no requests at all.
    if !is_two_sided(context) && (context.message.http.is_some() || context.is_modern()) {
        return;
    }
    let id = context.message.id.as_ref().map_or("", |id| id.raw());
    let draft = findings.report(format!("no open request has the id {} that this answers", quoted(id)));
    draft.mark(context.top("id"));
    let unsure = context.message.basis.session == Some(Certainty::Guessed) || context.requests.is_cut();
    if unsure || !context.session.has_beginning() && !is_two_sided(context) {
        draft.at_most(Severity::Note);
    } else if !context.session.has_beginning() {
        draft.at_most(Severity::Warning);
    }
}

const RESPONSE_ID_TYPE_MISMATCH: Rule = Rule {
    id: "response-id-type-mismatch",
    title: "an answer has the id of its request in another type",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#responses")],
    explanation: "The id comes back as it was sent, type included: `1` and `\"1\"` are two ids, and a reader that compares \
                  them finds no request.",
    help: "keep the id of the request as the JSON value that it was",
    fires: "C> {\"id\":\"12\",\"method\":\"ping\"}\nS> {\"id\":12,\"result\":{}}",
    silent: "C> {\"id\":\"12\",\"method\":\"ping\"}\nS> {\"id\":\"12\",\"result\":{}}",
    checks: &[On::Result(&[], other_id_type), On::Error(&[], other_id_type)],
};

fn other_id_type(context: &Context<'_>, findings: &mut Findings) {
    let Some((Orphan::OtherType(asked), _)) = orphan(context) else { return };
    let id = context.message.id.as_ref().map_or("", |id| id.raw());
    let kind =
        if id.starts_with('"') { "a string, its request has a number" } else { "a number, its request has a string" };
    findings.report(format!("the id {} of this answer is {kind}", quoted(id))).mark(context.top("id")).related(
        Some(asked.at.0),
        asked.at.1,
        format!("the request, {}", asked.method),
    );
}

const DUPLICATE_RESPONSE: Rule = Rule {
    id: "duplicate-response",
    title: "a request is answered twice",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#responses")],
    explanation: "One request has one answer. A stream over HTTP that is resumed may deliver the same message again; that \
                  is no second answer. Where it is not sure that they are the same, it is a note.",
    help: "answer every request once",
    fires: "C> {\"id\":\"a\",\"method\":\"ping\"}\nS> {\"id\":\"a\",\"result\":{}}\nS> {\"id\":\"a\",\"error\":{\"code\":-32603,\"message\":\"late\"}}",
    silent: "C> {\"id\":\"a\",\"method\":\"ping\"}\nS> {\"id\":\"a\",\"result\":{}}\nS> {\"id\":\"a\",\"method\":\"ping\"}\nC> {\"id\":\"a\",\"result\":{}}",
    checks: &[On::Result(&[], answered_twice), On::Error(&[], answered_twice)],
};

fn answered_twice(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_some() || !context.has(Flag::DuplicateAnswer) {
        return;
    }
    let id = context.message.id.as_ref().map_or("", |id| id.raw());
    let draft = findings.report(format!("the request with the id {} has been answered before", quoted(id)));
    draft.mark(context.top("id"));
    if let Some(ended) = context.message.answers.and_then(|n| context.requests.ended(n)) {
        draft.related(Some(ended.answer.0), ended.answer.1, "the answer before");
        draft.related(Some(ended.asked.at.0), ended.asked.at.1, "the request");
    }
    let again = context.message.http.is_some_and(|http| http.event_id.is_some() || http.resumes.is_some());
    if again || context.message.basis.answers == Some(Certainty::Guessed) {
        draft.at_most(Severity::Note);
    }
}

const RESPONSE_WRONG_SIDE: Rule = Rule {
    id: "response-wrong-side",
    title: "a side answers its own request",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/index#responses"),
        clause(MODERN, Must, Severity::Error, "basic/patterns/index"),
    ],
    explanation: "The answer comes from the side that received the request. Reported when the capture records who sent what \
                  and the only open request with this id is the sender's own.",
    help: "send answers back to where the request came from",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":17,\"method\":\"tools/list\"}\nC> {\"id\":17,\"result\":{\"tools\":[]}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":17,\"method\":\"tools/list\"}\nS> {\"id\":17,\"result\":{\"tools\":[]}}",
    checks: &[On::Result(&[], own_answer), On::Error(&[], own_answer)],
};

fn own_answer(context: &Context<'_>, findings: &mut Findings) {
    let Some((Orphan::OwnRequest(asked), _)) = orphan(context) else { return };
    let side = context.sender.map_or("", Side::as_str);
    let draft = findings.report(format!("the {side} answers its own request {}", quoted(&asked.method)));
    draft.mark(context.top("id")).related(Some(asked.at.0), asked.at.1, "the request");
    if !is_two_sided(context) {
        draft.at_most(Severity::Note);
    }
}

const DUPLICATE_REQUEST_ID: Rule = Rule {
    id: "duplicate-request-id",
    title: "a side uses an id for a second request",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#requests")],
    explanation: "Up to 2025-11-25 a side never uses an id twice in a session. In 2026-07-28 an id may be used again, but \
                  not while its sender still waits for the answer. Both sides may use the same ids at the same time.",
    help: "count ids up, or use random ones",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":8,\"method\":\"ping\"}\nS> {\"id\":8,\"result\":{}}\nC> {\"id\":8,\"method\":\"tools/list\"}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":8,\"method\":\"ping\"}\nS> {\"id\":8,\"result\":{}}\nS> {\"id\":8,\"method\":\"ping\"}\nC> {\"id\":8,\"result\":{}}",
    checks: &[On::Request(&[], used_id)],
};

fn used_id(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_some() || !context.sender_sure() {
        return;
    }
    let id = context.message.id.as_ref().and_then(IdKey::of_id);
    let session = context.message.session;
    let open = || context.requests.by_id(session, context.sender, id.as_ref()?);
    let reused = match context.is_modern() {
        true => context.has(Flag::ReusedId) && open().is_some_and(|asked| asked.cancelled.is_none()),
        false => context.session.ids.used(context),
    };
    if !reused {
        return;
    }
    let (raw, side) = (context.message.id.as_ref().map_or("", |id| id.raw()), context.sender.map_or("", Side::as_str));
    let what = if context.is_modern() { "waits for an answer to" } else { "has used before, in this session" };
    let draft = findings.report(match context.is_modern() {
        true => format!("the {side} still {what} the id {}", quoted(raw)),
        false => format!("the {side} {what}, the id {}", quoted(raw)),
    });
    draft.mark(context.top("id"));
    let before = open().map(|asked| asked.at);
    let before = before.or_else(|| {
        let ended = context
            .requests
            .ended_in(session)
            .find(|ended| ended.asked.id == id && ended.asked.sender == context.sender);
        ended.map(|ended| ended.asked.at)
    });
    if let Some((n, position)) = before {
        draft.related(Some(n), position, "the request before");
    }
    let parallel = context.is_modern() && context.message.http.is_some();
    if parallel || context.message.basis.session == Some(Certainty::Guessed) {
        draft.at_most(Severity::Note);
    }
}

const UNANSWERED_REQUEST: Rule = Rule {
    id: "unanswered-request",
    title: "a request has no answer",
    clauses: &[
        clause(LEGACY, Must, Severity::Note, "basic/index#responses"),
        clause(MODERN, Must, Severity::Note, "basic/patterns/index#request-and-response"),
    ],
    explanation: "Every request that was not cancelled gets an answer. The end of a capture proves little, so it is a note. \
                  `subscriptions/listen` stays open by design.",
    help: "look whether the receiver died, or the capture ended first",
    fires: "C> {\"id\":1,\"method\":\"resources/list\"}",
    silent: "C> {\"id\":1,\"method\":\"resources/list\"}\nS> {\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}",
    checks: &[On::End(unanswered)],
};

fn unanswered(context: &EndContext<'_>, findings: &mut Findings) {
    let open = context.open.iter().filter(|asked| asked.cancelled.is_none() && asked.method != "subscriptions/listen");
    for asked in open.filter(|asked| asked.id.is_some() && !ignored_ping(context, asked)) {
        findings.report(format!("{} was never answered", quoted(&asked.method))).at(Some(asked.at.0), asked.at.1);
    }
}

/// A ping whose receiver went on talking.
fn ignored_ping(context: &EndContext<'_>, asked: &Asked) -> bool {
    let receiver = asked.sender.map(Side::other);
    let after = |spots: [Option<Spot>; 2]| {
        let last = receiver.and_then(|side| spots[side.index()]);
        last.is_some_and(|(n, _)| n > asked.at.0)
    };
    // An error that does not say what it answers may answer this.
    let nameless = asked.id.is_none() || after(context.session.nameless);
    asked.method == "ping" && asked.sender_sure && after(context.session.last) && !nameless
}

const PING_UNANSWERED: Rule = Rule {
    id: "ping-unanswered",
    title: "a ping was ignored",
    clauses: &[clause(LEGACY, Must, Severity::Warning, "basic/utilities/ping#behavior-requirements")],
    explanation: "The receiver of a ping answers promptly, with an empty result. Reported when it sent other messages after \
                  the ping, and no answer.",
    help: "answer pings before anything else",
    fires: "C> {\"id\":1,\"method\":\"ping\"}\nS> {\"method\":\"notifications/tools/list_changed\"}",
    silent: "C> {\"id\":1,\"method\":\"ping\"}\nS> {\"id\":1,\"result\":{}}\nS> {\"method\":\"notifications/tools/list_changed\"}",
    checks: &[On::End(ping_unanswered)],
};

fn ping_unanswered(context: &EndContext<'_>, findings: &mut Findings) {
    for asked in context.open.iter().filter(|asked| asked.cancelled.is_none() && ignored_ping(context, asked)) {
        let receiver = asked.sender.map_or("receiver", |side| side.other().as_str());
        findings
            .report(format!("the {receiver} sent other messages after this ping, and never answered it"))
            .at(Some(asked.at.0), asked.at.1);
    }
}

const EMPTY_RESULT_EXPECTED: Rule = Rule {
    id: "empty-result-expected",
    title: "a result has members where an empty one is due",
    clauses: &[clause(LEGACY, Schema, Severity::Note, "basic/utilities/ping#behavior-requirements")],
    explanation: "`ping`, `resources/subscribe`, `resources/unsubscribe` and `logging/setLevel` are answered with an empty \
                  result; only `_meta` may stand in it.",
    help: "send `\"result\":{}`",
    fires: "C> {\"id\":2,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"info\"}}\nS> {\"id\":2,\"result\":{\"level\":\"info\"}}",
    silent: "C> {\"id\":2,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"info\"}}\nS> {\"id\":2,\"result\":{\"_meta\":{}}}",
    checks: &[On::Result(
        &["ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"],
        empty_result_expected,
    )],
};

fn empty_result_expected(context: &Context<'_>, findings: &mut Findings) {
    if let Some((name, value)) = context.body.members().find(|(name, _)| name != "_meta") {
        let method = context.method.unwrap_or_default();
        findings
            .report(format!("the result of {} has to be empty, it has {}", quoted(method), quoted(&name)))
            .mark(value);
    }
}
