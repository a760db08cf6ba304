//! Which methods a revision has, who sends them, and what their params and results look like. basic/index and the schema of
//! every revision.

use super::book::deprecated_uses;
use super::rule::Strength::{Implied, Must, Schema, Should};
use super::shapes::{self, Fault, Path, shapes_of};
use super::{Context, Family, Findings, LEGACY, MODERN, On, Revisions, Rule, clause, content, quoted, uris};
use crate::annotate::{Certainty, Kind, Severity};
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::{MethodSet, Phase, Revision, Side, method_set, suggest};

pub(super) const FAMILY: Family = Family {
    title: "Methods, direction, shapes",
    rules: &[
        &UNKNOWN_METHOD,
        &REMOVED_METHOD_FOR_REVISION,
        &METHOD_NOT_YET_IN_REVISION,
        &WRONG_DIRECTION,
        &PARAMS_SCHEMA,
        &RESULT_SCHEMA,
        &content::CONTENT_TYPE_NOT_IN_REVISION,
        &content::CONTENT_BLOCK_SHAPE,
        &content::BASE64_INVALID,
        &uris::URI_SYNTAX,
        &uris::ICON_SRC_SCHEME,
        &FIELD_NOT_IN_REVISION,
        &DEPRECATED_FEATURE,
    ],
};

/// Revisions in which the negotiated version SHOULD be respected, and those in which it MUST.
const LENIENT: Revisions = Revisions::between(Revision::V2024_11_05, Revision::V2025_03_26);
const BINDING: Revisions = Revisions::between(Revision::V2025_06_18, Revision::V2025_11_25);

const UNKNOWN_METHOD: Rule = Rule {
    id: "unknown-method",
    title: "a method that no revision and no known extension has",
    clauses: &[
        clause(LEGACY, Implied, Severity::Warning, "basic/index#messages"),
        clause(MODERN, Implied, Severity::Warning, "schema#methodnotfounderror"),
    ],
    explanation: "Methods of one's own are not forbidden, but the peer knows nothing of them unless an experimental capability \
                  or an extension covers them, and mostly the name is a slip. Where a side declared something experimental \
                  or an extension, it is a note.",
    help: "look for a slip in the name, or declare what the method belongs to",
    fires: "C> {\"id\":1,\"method\":\"prompt/list\"}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\"}",
    checks: &[On::Request(&[], unknown_method), On::Notification(&[], unknown_method)],
};

fn unknown_method(context: &Context<'_>, findings: &mut Findings) {
    let Some(method) = context.method.filter(|method| method_set(method).is_none()) else { return };
    if method.starts_with("rpc.") {
        return;
    }
    let prefixed = format!("notifications/{method}");
    let near = if method_set(&prefixed).is_some() { Some(prefixed.as_str()) } else { suggest(method) };
    let hint = near.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
    let draft = findings.report(format!("no revision has a method {}{hint}", quoted(method)));
    draft.mark(context.top("method"));
    let sides = [Side::Client, Side::Server];
    let open =
        |side: Side| ["experimental", "extensions"].iter().any(|path| context.declared(side, &[path]) == Some(true));
    if sides.into_iter().any(open) {
        draft.at_most(Severity::Note);
    }
}

/// The method is known, and the revision of the message does not have it.
fn missing_in_revision(context: &Context<'_>) -> Option<MethodSet> {
    let set = method_set(context.method?)?;
    let probe = context.method == Some("server/discover") && context.message.phase == Some(Phase::Initialization);
    (context.revision_known && !probe && set.at(context.revision).is_none()).then_some(set)
}

const REMOVED_METHOD_FOR_REVISION: Rule = Rule {
    id: "removed-method-for-revision",
    title: "a method that an earlier revision had",
    clauses: &[
        clause(LENIENT, Should, Severity::Error, "basic/lifecycle#operation"),
        clause(BINDING, Must, Severity::Error, "basic/lifecycle#operation"),
        clause(MODERN, Must, Severity::Error, "changelog"),
    ],
    explanation: "Methods that a revision dropped are not used in it. 2026-07-28 dropped the handshake, `ping`, \
                  `logging/setLevel`, `resources/subscribe` and `unsubscribe`, and the methods of tasks that 2025-11-25 had.",
    help: "use what took its place, or agree on the earlier revision",
    fires: "C> {\"id\":2,\"method\":\"ping\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    silent: "@init 2025-11-25 {} {}\nC> {\"id\":2,\"method\":\"ping\"}",
    checks: &[On::Request(&[], removed_method), On::Notification(&[], removed_method)],
};

fn removed_method(context: &Context<'_>, findings: &mut Findings) {
    let Some(set) = missing_in_revision(context) else { return };
    let Some(last) = set.rows().iter().rfind(|row| row.until < context.revision) else { return };
    let instead = last.replaced_by.map(|instead| format!("; instead: {instead}")).unwrap_or_default();
    let (name, until, revision) = (last.name, last.until.as_str(), context.revision.as_str());
    findings
        .report(format!("`{name}` was last in {until}, {revision} does not have it{instead}"))
        .mark(context.top("method"));
}

const METHOD_NOT_YET_IN_REVISION: Rule = Rule {
    id: "method-not-yet-in-revision",
    title: "a method that a later revision brought",
    clauses: &[
        clause(LENIENT, Should, Severity::Error, "basic/lifecycle#operation"),
        clause(BINDING, Must, Severity::Error, "basic/lifecycle#operation"),
    ],
    explanation: "Methods of later revisions are not used in an earlier one: `elicitation/create` before 2025-06-18, tasks before \
                  2025-11-25, `subscriptions/listen` before 2026-07-28. A probe by `server/discover` is exempt.",
    help: "agree on the later revision, or do without the method",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":3,\"method\":\"tasks/list\"}",
    silent: "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{\"list\":{}}}\nC> {\"id\":3,\"method\":\"tasks/list\"}",
    checks: &[On::Request(&[], not_yet), On::Notification(&[], not_yet)],
};

fn not_yet(context: &Context<'_>, findings: &mut Findings) {
    let Some(set) = missing_in_revision(context) else { return };
    let first = set.rows().iter().find(|row| row.since > context.revision);
    let earlier = set.rows().iter().any(|row| row.until < context.revision);
    let Some(first) = first.filter(|_| !earlier) else { return };
    let (name, since, revision) = (first.name, first.since.as_str(), context.revision.as_str());
    findings.report(format!("`{name}` came with {since}, the session runs at {revision}")).mark(context.top("method"));
}

const WRONG_DIRECTION: Rule = Rule {
    id: "wrong-direction",
    title: "a method of the other side",
    clauses: &[
        clause(LEGACY, Schema, Severity::Error, "basic/index#messages"),
        clause(MODERN, Schema, Severity::Error, "basic/patterns/index"),
    ],
    explanation: "Most methods belong to one side: a server does not list tools, a client does not ask for sampling. Judged only \
                  where the capture records who sent what. When most labels of a session contradict the methods, the labels \
                  are read the other way round, which the log of events says once.",
    help: "send the method from the side that it belongs to",
    fires: "@init 2025-11-25 {\"sampling\":{}} {}\nC> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}",
    silent: "@init 2025-11-25 {\"sampling\":{}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}",
    checks: &[On::Request(&[], wrong_direction), On::Notification(&[], wrong_direction)],
};

fn wrong_direction(context: &Context<'_>, findings: &mut Findings) {
    let recorded = context.message.basis.direction == Some(Certainty::Recorded) && context.part.is_none();
    let Some(set) = context.method.and_then(method_set).filter(|_| recorded) else { return };
    let row = set.at_or_any(Some(context.revision));
    let Some((owner, sender)) = row.sender.only_side().zip(context.sender) else { return };
    if owner != sender {
        let (name, owner, sender) = (row.name, owner.as_str(), sender.as_str());
        findings
            .report(format!("the {sender} sends `{name}`, which only a {owner} may send"))
            .mark(context.top("method"));
    }
}

const PARAMS_SCHEMA: Rule = Rule {
    id: "params-schema",
    title: "params that are not what the method takes",
    clauses: &[
        clause(LEGACY, Schema, Severity::Error, "basic/index#requests"),
        clause(MODERN, Schema, Severity::Error, "schema"),
    ],
    explanation: "The members that the revision requires are there, of the type that it says, and enumerations hold. Further \
                  members are free.",
    help: "send what the revision requires",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"prompt\":\"greet\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"greet\",\"note\":1}}",
    checks: &[On::Request(&[], params_schema), On::Notification(&[], params_schema)],
};

/// An object without members, to stand for params that are absent.
const ABSENT: &str = "{}";

fn params_schema(context: &Context<'_>, findings: &mut Findings) {
    let discriminant = match context.method {
        Some("completion/complete") => context.get("ref").and_then(|reference| reference.get("type")),
        Some("elicitation/create") => context.get("mode"),
        _ => None,
    };
    let discriminant = discriminant.and_then(RawJson::as_str);
    let Some(shapes) = shapes(context, discriminant.as_deref()) else { return };
    compare(context, "params", shapes.params, findings);
}

/// The shapes of the method, unless the revision does not have it.
fn shapes(context: &Context<'_>, discriminant: Option<&str>) -> Option<shapes::Shapes> {
    let method = context.method?;
    let exists = method_set(method)?.at(context.revision).is_some();
    shapes_of(method, discriminant, context.is_modern()).filter(|_| exists && context.is_whole())
}

fn compare(context: &Context<'_>, name: &str, shape: &shapes::Shape, findings: &mut Findings) {
    let whole = match context.body.raw {
        Some(raw) if raw.kind() == JsonKind::Object => raw,
        // That it is no object has a rule of its own.
        Some(_) => return,
        None => {
            let Some(absent) = RawJson::new(ABSENT) else { return };
            absent
        }
    };
    let method = context.method.unwrap_or_default();
    let path = Path::root(name);
    shapes::compare(
        shape,
        whole,
        context.body.members(),
        context.revision,
        &path,
        &mut |fault, what, value| match fault {
            Fault::Broken => {
                let revision = context.revision.as_str();
                findings.report(format!("{what}, in {} of {revision}", quoted(method))).mark(value);
            }
            Fault::OtherRevision if context.revision_known => {
                findings.report(what).mark(value).under("field-not-in-revision");
            }
            Fault::OtherRevision => {}
        },
    );
}

const RESULT_SCHEMA: Rule = Rule {
    id: "result-schema",
    title: "a result that is not what the method gives",
    clauses: &[
        clause(LEGACY, Schema, Severity::Error, "basic/index#responses"),
        clause(MODERN, Schema, Severity::Error, "schema"),
    ],
    explanation: "The result has the members that the revision requires for this method, of the type that it says, and \
                  enumerations hold; or it is one of the allowed alternatives, such as the handle of a task.",
    help: "answer with what the revision requires",
    fires: "@init 2025-06-18 {\"roots\":{}} {}\nS> {\"id\":1,\"method\":\"roots/list\"}\nC> {\"id\":1,\"result\":{\"roots\":[{\"name\":\"home\"}]}}",
    silent: "@init 2025-06-18 {\"roots\":{}} {}\nS> {\"id\":1,\"method\":\"roots/list\"}\nC> {\"id\":1,\"result\":{\"roots\":[{\"uri\":\"file:///home\"}]}}",
    checks: &[On::Result(&[], result_schema)],
};

fn result_schema(context: &Context<'_>, findings: &mut Findings) {
    // A method that only the shape of the result tells says nothing about its shape.
    if context.part.is_none() && context.request.is_none() {
        return;
    }
    let complete = |result_type: &str| result_type == "complete";
    // Where the capture does not tell the revision, the result itself may.
    let modern = context.is_modern() || !context.revision_known;
    if modern && context.get("resultType").and_then(RawJson::as_str).is_some_and(|is| !complete(&is)) {
        return;
    }
    let Some(shapes) = shapes(context, None) else { return };
    let handle = context.request.is_some_and(|request| request.task) && context.get("task").is_some();
    compare(context, "result", if handle { &shapes::TASK_HANDLE } else { shapes.result }, findings);
}

const FIELD_NOT_IN_REVISION: Rule = Rule {
    id: "field-not-in-revision",
    title: "a member that the revision does not define",
    clauses: &[
        clause(LENIENT, Should, Severity::Note, "basic/lifecycle#operation"),
        clause(BINDING, Must, Severity::Note, "basic/lifecycle#operation"),
        clause(MODERN, Must, Severity::Note, "basic/versioning"),
    ],
    explanation: "A member that another revision defines: `structuredContent` before 2025-06-18, `icons` before 2025-11-25, \
                  `resultType` before 2026-07-28, `task` in it. Further members are legal JSON, so this is a hint: the sender \
                  may believe to speak another revision.",
    help: "expect that the receiver ignores it",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"icons\":[]}]}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"icons\":[]}]}}",
    checks: &[On::With("params-schema"), On::With("result-schema")],
};

const DEPRECATED_FEATURE: Rule = Rule {
    id: "deprecated-feature",
    title: "a feature that is deprecated",
    clauses: &[
        clause(Revisions::only(Revision::V2025_11_25), Should, Severity::Note, "client/sampling#capabilities"),
        clause(MODERN, Should, Severity::Note, "deprecated"),
    ],
    explanation: "Deprecated features still work, but new implementations should do without: `includeContext` with `thisServer` \
                  or `allServers` from 2025-11-25 on; roots, sampling and logging in 2026-07-28, not to be removed before \
                  July 2027. The first use in a session is noted.",
    help: "plan for its end",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"_meta\":{\"$M\":\"sampling\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}}}}",
    silent: "@init 2025-06-18 {\"sampling\":{}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}",
    checks: &[
        On::Request(&[], deprecated_feature),
        On::Notification(&[], deprecated_feature),
        On::Result(&[], deprecated_feature),
    ],
};

fn deprecated_feature(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_some() || context.kind == Kind::Invalid {
        return;
    }
    for (_, what) in deprecated_uses(context).filter(|(bit, _)| context.session.deprecated & bit == 0) {
        let revision = context.revision.as_str();
        findings.report(format!("{what}, deprecated in {revision}")).mark(context.top("method"));
    }
}
