//! Capabilities: what may be used, because it was declared, and what a declaration looks like. basic/lifecycle of the
//! handshake revisions, architecture and basic/versioning of 2026-07-28, and the pages of the features.

use super::rule::Strength::{Implied, Must, Schema, Should};
use super::{Context, Draft, Family, Findings, LEGACY, MODERN, On, Revisions, Rule, clause, quoted};
use crate::annotate::{Kind, Needs, Severity};
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::{CapabilityType, Revision, Side, Strength, capability, method_set};

pub(super) const FAMILY: Family = Family {
    title: "Capabilities",
    rules: &[
        &CAPABILITY_NOT_NEGOTIATED,
        &CAPABILITY_UNDECLARED_BUT_SERVED,
        &DECLARED_CAPABILITY_REFUSED,
        &LIST_CHANGED_NOT_DECLARED,
        &LIST_CHANGE_NOT_ANNOUNCED,
        &SUBSCRIBE_NOT_DECLARED,
        &LOGGING_NOT_DECLARED,
        &ELICITATION_MODE_NOT_DECLARED,
        &SAMPLING_TOOLS_NOT_DECLARED,
        &SAMPLING_CONTEXT_NOT_DECLARED,
        &TASK_AUGMENTATION_NOT_DECLARED,
        &CAPABILITY_SHAPE,
        &CAPABILITY_NOT_IN_REVISION,
        &EXTENSION_ID_FORMAT,
        &EXTENSION_NOT_DECLARED,
    ],
};

/// Revisions in which undeclared capabilities SHOULD NOT be used, and those in which they MUST NOT.
const LENIENT: Revisions = Revisions::between(Revision::V2024_11_05, Revision::V2025_03_26);
const BINDING: Revisions = Revisions::between(Revision::V2025_06_18, Revision::V2025_11_25);
const SINCE_2025_11_25: Revisions = Revisions::since(Revision::V2025_11_25);

/// `server.tools.listChanged`
fn name(side: Side, path: &[&str]) -> String {
    format!("{}.{}", side.as_str(), path.join("."))
}

/// Shows what a side declared.
fn show_declaration(context: &Context<'_>, side: Side, draft: &mut Draft) {
    let declaration = match (context.is_modern(), side) {
        (true, Side::Server) => context.session.discovered.as_ref(),
        (true, Side::Client) => None,
        (false, side) => context.session.declared[side.index()].as_ref(),
    };
    if let Some(declaration) = declaration {
        let (n, position) = declaration.at;
        draft.shows(Some(n), position, format!("what the {} declared", side.as_str()), declaration.excerpt.clone());
    }
}

/// Reports that what is used needs a capability that was not declared.
fn report_undeclared<'f>(
    context: &Context<'_>,
    findings: &'f mut Findings,
    side: Side,
    path: &[&str],
    what: &str,
    part: Option<RawJson<'_>>,
) -> &'f mut Draft {
    let needs = name(side, path);
    let change = context.settings.what_if.change(side, path);
    let why = match change {
        Some(change) => format!("`--{}` takes away", change.words()),
        None => format!("the {} did not declare", side.as_str()),
    };
    let draft = findings.report(format!("{what}, which {why}"));
    draft.mark(part.or(context.top("method"))).label(format!("needs {needs}"));
    if change.is_none() {
        show_declaration(context, side, draft);
    }
    draft
}

/// The page on the capability that is needed.
fn page_of(context: &Context<'_>, need: &Needs) -> Option<&'static str> {
    capability(need.side, need.path, Some(context.revision)).map(|capability| capability.page)
}

/// Capabilities whose absence has a rule of its own.
fn has_own_rule(path: &[&str]) -> bool {
    matches!(
        path,
        [_, "listChanged"]
            | ["resources", "subscribe"]
            | ["logging"]
            | ["elicitation", _]
            | ["sampling", _]
            | ["tasks", "requests", ..]
    )
}

const CAPABILITY_NOT_NEGOTIATED: Rule = Rule {
    id: "capability-not-negotiated",
    title: "a message needs a capability that was not declared",
    clauses: &[
        clause(LENIENT, Should, Severity::Warning, "basic/lifecycle#operation"),
        clause(BINDING, Must, Severity::Error, "basic/lifecycle#operation"),
        clause(MODERN, Implied, Severity::Warning, "architecture/index#capability-negotiation"),
    ],
    explanation: "Only what was declared may be used. Each side says in the handshake, or with each request and in \
                  `server/discover` (2026-07-28), what it offers; an empty object declares, an absent member does not. \
                  Silent where the declaration is not in the capture.",
    help: "declare the capability on the side that offers it, or do not use it",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nS> {\"id\":3,\"method\":\"roots/list\"}",
    silent: "@init 2025-11-25 {\"roots\":{}} {\"tools\":{}}\nS> {\"id\":3,\"method\":\"roots/list\"}",
    checks: &[On::Request(&[], not_negotiated), On::Notification(&[], not_negotiated)],
};

fn not_negotiated(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_some() {
        return;
    }
    for need in &*context.requires() {
        // Modes of a capability that is not there at all are no matter of their own.
        let (path, whole) = match need.path {
            [first @ ("elicitation" | "sampling"), _] => (need.path, Some([*first])),
            path => (path, None),
        };
        let path = match &whole {
            Some(whole) if context.declared(need.side, whole) == Some(false) => &whole[..],
            _ => path,
        };
        if has_own_rule(path) && path.len() > 1 || path == ["logging"] && context.kind == Kind::Notification {
            continue;
        }
        if context.declared(need.side, path) == Some(false) {
            let method = context.method.unwrap_or_default();
            let sender = context.sender.map_or("", Side::as_str);
            let what = format!("the {sender} sends {}, which needs {}", quoted(method), name(need.side, path));
            report_undeclared(context, findings, need.side, path, &what, None);
            return;
        }
    }
}

const CAPABILITY_UNDECLARED_BUT_SERVED: Rule = Rule {
    id: "capability-undeclared-but-served",
    title: "a side serves what it did not declare",
    clauses: &[
        clause(LEGACY, Must, Severity::Warning, "server/tools#capabilities"),
        clause(MODERN, Must, Severity::Warning, "server/tools#capabilities"),
    ],
    explanation: "Who supports a feature declares it: a successful result for a method whose capability the answering side did \
                  not declare is that side's fault.",
    help: "declare the capability",
    fires: "@init 2025-11-25 {} {\"resources\":{}}\nC> {\"id\":6,\"method\":\"tools/list\"}\nS> {\"id\":6,\"result\":{\"tools\":[]}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":6,\"method\":\"tools/list\"}\nS> {\"id\":6,\"result\":{\"tools\":[]}}",
    checks: &[On::Result(&[], undeclared_but_served)],
};

fn undeclared_but_served(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_some() || context.request.is_none() || !context.is_result() {
        return;
    }
    let needs = context.requires();
    let own = needs.iter().filter(|need| Some(need.side) == context.sender);
    for need in own {
        if context.declared(need.side, need.path) == Some(false) {
            let method = context.method.unwrap_or_default();
            let side = need.side.as_str();
            let what = format!("the {side} serves {}, so it has {}", quoted(method), name(need.side, need.path));
            let result = context.top("result");
            let draft = report_undeclared(context, findings, need.side, need.path, &what, result);
            draft.page(page_of(context, need));
            return;
        }
    }
}

const DECLARED_CAPABILITY_REFUSED: Rule = Rule {
    id: "declared-capability-refused",
    title: "a side refuses what it declared",
    clauses: &[
        clause(LEGACY, Implied, Severity::Error, "server/tools#capabilities"),
        clause(MODERN, Must, Severity::Error, "server/tools#capabilities"),
    ],
    explanation: "A server that declares tools, prompts or resources answers the matching list, with an empty one if need be; \
                  -32601 (method not found) says that it does not know the method. For other methods of a declared \
                  capability it is a warning.",
    help: "answer with an empty list, or do not declare the capability",
    fires: "@init 2025-11-25 {} {\"prompts\":{}}\nC> {\"id\":6,\"method\":\"prompts/list\"}\nS> {\"id\":6,\"error\":{\"code\":-32601,\"message\":\"none\"}}",
    silent: "@init 2025-11-25 {} {}\nC> {\"id\":6,\"method\":\"prompts/list\"}\nS> {\"id\":6,\"error\":{\"code\":-32601,\"message\":\"none\"}}",
    checks: &[On::Error(&[], declared_but_refused)],
};

fn declared_but_refused(context: &Context<'_>, findings: &mut Findings) {
    let code = context.message.error.as_ref().and_then(|error| error.code);
    if code != Some(-32601) || context.request.is_none() {
        return;
    }
    let method = context.method.unwrap_or_default();
    // -32601 is right for methods that the revision does not have, and for calls whose support for tasks forbids them.
    let exists = method_set(method).is_some_and(|set| set.at(context.revision).is_some());
    if !exists || method == "tools/call" {
        return;
    }
    let needs = context.requires();
    let own = |side: Side| Some(side) == context.sender;
    if !needs.is_empty()
        && needs.iter().all(|need| own(need.side) && context.declared(need.side, need.path) == Some(true))
    {
        let side = context.sender.map_or("", Side::as_str);
        let declared = name(needs[0].side, needs[0].path);
        let draft = findings.report(format!("the {side} declared {declared} and does not know {}", quoted(method)));
        draft.mark(context.get("code"));
        draft.page(page_of(context, &needs[0]));
        show_declaration(context, needs[0].side, draft);
        if !matches!(method, "tools/list" | "prompts/list" | "resources/list") {
            draft.at_most(Severity::Warning);
        }
    }
}

const LIST_CHANGED_NOT_DECLARED: Rule = Rule {
    id: "list-changed-not-declared",
    title: "a change of a list is announced without `listChanged`",
    clauses: &[
        clause(LENIENT, Should, Severity::Warning, "server/tools#list-changed-notification"),
        clause(BINDING, Must, Severity::Warning, "server/tools#list-changed-notification"),
        clause(MODERN, Implied, Severity::Warning, "server/tools#list-changed-notification"),
    ],
    explanation: "`list_changed` notifications of tools, prompts, resources and roots need `listChanged: true` in the \
                  capability of their sender.",
    help: "declare `listChanged: true`, or do not send the notification",
    fires: "@init 2025-11-25 {\"roots\":{\"listChanged\":false}} {}\nC> {\"method\":\"notifications/roots/list_changed\"}",
    silent: "@init 2025-11-25 {\"roots\":{\"listChanged\":true}} {}\nC> {\"method\":\"notifications/roots/list_changed\"}",
    checks: &[On::Notification(
        &[
            "notifications/tools/list_changed",
            "notifications/prompts/list_changed",
            "notifications/resources/list_changed",
            "notifications/roots/list_changed",
        ],
        list_changed_undeclared,
    )],
};

fn list_changed_undeclared(context: &Context<'_>, findings: &mut Findings) {
    for need in &*context.requires() {
        if context.declared(need.side, need.path) == Some(false) {
            let method = context.method.unwrap_or_default();
            let what = format!("{} needs {}", quoted(method), name(need.side, need.path));
            let draft = report_undeclared(context, findings, need.side, need.path, &what, None);
            draft.page(method_set(method).and_then(|set| set.at(context.revision)).map(|method| method.page));
        }
    }
}

const LIST_CHANGE_NOT_ANNOUNCED: Rule = Rule {
    id: "list-change-not-announced",
    title: "a list has changed and nobody said so",
    clauses: &[clause(LEGACY, Must, Severity::Warning, "server/tools#list-changed-notification")],
    explanation: "A side that declares `listChanged` announces that its list has changed: a client MUST for roots, a server \
                  SHOULD for tools, prompts and resources, where it is a note. Reported when two complete listings differ \
                  and no notification lies between them.",
    help: "send the `list_changed` notification when the list changes",
    fires: "@init 2025-11-25 {\"roots\":{\"listChanged\":true}} {}\nS> {\"id\":1,\"method\":\"roots/list\"}\nC> {\"id\":1,\"result\":{\"roots\":[{\"uri\":\"file:///a\"}]}}\nS> {\"id\":2,\"method\":\"roots/list\"}\nC> {\"id\":2,\"result\":{\"roots\":[{\"uri\":\"file:///b\"}]}}",
    silent: "@init 2025-11-25 {\"roots\":{\"listChanged\":true}} {}\nS> {\"id\":1,\"method\":\"roots/list\"}\nC> {\"id\":1,\"result\":{\"roots\":[{\"uri\":\"file:///a\"},{\"uri\":\"file:///b\"}]}}\nS> {\"id\":2,\"method\":\"roots/list\"}\nC> {\"id\":2,\"result\":{\"roots\":[{\"uri\":\"file:///b\"},{\"uri\":\"file:///a\"}]}}",
    checks: &[On::Result(
        &["tools/list", "prompts/list", "resources/list", "resources/templates/list", "roots/list"],
        silent_change,
    )],
};

fn silent_change(context: &Context<'_>, findings: &mut Findings) {
    let (Some(request), Some(side)) = (context.request, context.sender) else { return };
    let Some((n, position)) = context.session.changes.unannounced(context, !request.cursor) else { return };
    let method = context.method.unwrap_or_default();
    let kind = method.split('/').next().unwrap_or_default();
    let path = [kind, "listChanged"];
    if context.declared(side, &path) == Some(true) {
        let draft = findings
            .report(format!("the list of {} differs from the one before, and no change was announced", quoted(method)));
        draft.mark(context.top("result")).related(Some(n), position, "the list before");
        let notification = method_set(&format!("notifications/{kind}/list_changed"));
        draft.page(notification.and_then(|set| set.at(context.revision)).map(|method| method.page));
        if kind != "roots" {
            draft.at_most(Severity::Note);
        }
    }
}

const SUBSCRIBE_NOT_DECLARED: Rule = Rule {
    id: "subscribe-not-declared",
    title: "subscriptions to resources without `resources.subscribe`",
    clauses: &[
        clause(LENIENT, Should, Severity::Warning, "server/resources#capabilities"),
        clause(BINDING, Must, Severity::Error, "server/resources#capabilities"),
        clause(MODERN, Implied, Severity::Warning, "server/resources#capabilities"),
    ],
    explanation: "`resources/subscribe`, `resources/unsubscribe` and `notifications/resources/updated` need \
                  `resources.subscribe: true`. In 2026-07-28 the flag governs `resourceSubscriptions`: a server without it \
                  leaves that out of its acknowledgement.",
    help: "declare `resources.subscribe: true`, or read the resource again instead",
    fires: "@init 2025-11-25 {} {\"resources\":{\"subscribe\":false}}\nC> {\"id\":4,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"note://1\"}}",
    silent: "@init 2025-11-25 {} {\"resources\":{\"subscribe\":true}}\nC> {\"id\":4,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"note://1\"}}",
    checks: &[
        On::Request(&["resources/subscribe", "resources/unsubscribe"], subscribe_undeclared),
        On::Notification(&["notifications/resources/updated"], subscribe_undeclared),
        On::Notification(&["notifications/subscriptions/acknowledged"], acknowledges_resources),
    ],
};

const SUBSCRIBE: &[&str] = &["resources", "subscribe"];

fn subscribe_undeclared(context: &Context<'_>, findings: &mut Findings) {
    if context.declared(Side::Server, SUBSCRIBE) == Some(false) {
        let method = context.method.unwrap_or_default();
        let what = format!("{} needs server.resources.subscribe", quoted(method));
        report_undeclared(context, findings, Side::Server, SUBSCRIBE, &what, None);
    }
}

fn acknowledges_resources(context: &Context<'_>, findings: &mut Findings) {
    let granted = context.get("notifications").and_then(|granted| granted.get("resourceSubscriptions"));
    let some = granted.filter(|uris| uris.elements().next().is_some());
    if some.is_some() && context.declared(Side::Server, SUBSCRIBE) == Some(false) {
        let what = "the acknowledgement grants `resourceSubscriptions`";
        report_undeclared(context, findings, Side::Server, SUBSCRIBE, what, some);
    }
}

const LOGGING_NOT_DECLARED: Rule = Rule {
    id: "logging-not-declared",
    title: "log messages without the capability `logging`",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "server/utilities/logging#capabilities"),
        clause(MODERN, Must, Severity::Error, "server/utilities/logging#capabilities"),
    ],
    explanation: "A server that sends `notifications/message` declares `logging`.",
    help: "declare `logging`, or write to standard error",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"ready\"}}",
    silent: "@init 2025-11-25 {} {\"logging\":{}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"ready\"}}",
    checks: &[On::Notification(&["notifications/message"], logging_undeclared)],
};

fn logging_undeclared(context: &Context<'_>, findings: &mut Findings) {
    if context.declared(Side::Server, &["logging"]) == Some(false) {
        let what = "the server sends log messages";
        report_undeclared(context, findings, Side::Server, &["logging"], what, None);
    }
}

const ELICITATION_MODE_NOT_DECLARED: Rule = Rule {
    id: "elicitation-mode-not-declared",
    title: "elicitation in a mode that the client did not declare",
    clauses: &[clause(SINCE_2025_11_25, Must, Severity::Error, "client/elicitation#capabilities")],
    explanation: "The server uses only the modes of elicitation that the client declared; an empty `elicitation` object means \
                  form only. The same holds for the addresses in an error -32042 (2025-11-25). A client that is asked in \
                  another mode answers -32602.",
    help: "ask in a declared mode, or declare the mode in the client",
    fires: "@init 2025-11-25 {\"elicitation\":{\"url\":{}}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Your name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}",
    silent: "@init 2025-11-25 {\"elicitation\":{\"url\":{},\"form\":{}}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Your name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}",
    checks: &[
        On::Request(&["elicitation/create"], elicitation_mode),
        On::Result(&["elicitation/create"], undeclared_mode_answered),
        On::Error(&["elicitation/create"], undeclared_mode_answered),
        On::Error(&[], url_error),
    ],
};

/// The capability of the mode in these params that was not declared.
fn undeclared_mode(context: &Context<'_>, mode: Option<RawJson<'_>>) -> Option<&'static [&'static str]> {
    let mode = mode.and_then(RawJson::as_str);
    let path: &[&str] = match mode.as_deref() {
        None | Some("form") => &["elicitation", "form"],
        Some("url") => &["elicitation", "url"],
        Some(_) => return None,
    };
    let at_all = context.declared(Side::Client, &["elicitation"]) == Some(true);
    (at_all && context.declared(Side::Client, path) == Some(false)).then_some(path)
}

fn elicitation_mode(context: &Context<'_>, findings: &mut Findings) {
    if let Some(path) = undeclared_mode(context, context.get("mode")) {
        let what = format!("elicitation in the mode `{}`", path[1]);
        let part = context.get("mode").or(context.get("message"));
        report_undeclared(context, findings, Side::Client, path, &what, part);
    }
}

fn undeclared_mode_answered(context: &Context<'_>, findings: &mut Findings) {
    if context.is_modern() || context.part.is_some() {
        return;
    }
    let params = context.request.and_then(|request| request.params.as_deref()).and_then(RawJson::new);
    let code = context.message.error.as_ref().and_then(|error| error.code);
    let Some(params) = params.filter(|_| code != Some(-32602)) else { return };
    if let Some(path) = undeclared_mode(context, params.get("mode")) {
        findings
            .report(format!(
                "the client was asked in the mode `{}`, which it did not declare, and has to answer -32602",
                path[1]
            ))
            .mark(context.body.raw);
    }
}

fn url_error(context: &Context<'_>, findings: &mut Findings) {
    let code = context.message.error.as_ref().and_then(|error| error.code);
    let path: &[&str] = &["elicitation", "url"];
    let wanted = code == Some(-32042) && context.revision == Revision::V2025_11_25;
    if wanted && context.declared(Side::Client, path) == Some(false) {
        let what = "error -32042 sends the user to an address";
        report_undeclared(context, findings, Side::Client, path, what, context.get("code"));
    }
}

const SAMPLING_TOOLS_NOT_DECLARED: Rule = Rule {
    id: "sampling-tools-not-declared",
    title: "tools in sampling without `sampling.tools`",
    clauses: &[clause(SINCE_2025_11_25, Must, Severity::Error, "client/sampling#tools-in-sampling")],
    explanation: "`tools` and `toolChoice` in `sampling/createMessage` need the client's `sampling.tools`; a client without it \
                  answers with an error.",
    help: "leave `tools` and `toolChoice` out, or declare `sampling.tools` in the client",
    fires: "@init 2025-11-25 {\"sampling\":{}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5,\"toolChoice\":{\"mode\":\"auto\"}}}",
    silent: "@init 2025-11-25 {\"sampling\":{\"tools\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5,\"toolChoice\":{\"mode\":\"auto\"}}}",
    checks: &[
        On::Request(&["sampling/createMessage"], sampling_tools),
        On::Result(&["sampling/createMessage"], sampling_tools_served),
    ],
};

const SAMPLING_TOOLS: &[&str] = &["sampling", "tools"];

/// Not a request inside a message: of those `mrtr-capability-not-declared` speaks, by the request that is answered.
fn is_own_request(context: &Context<'_>) -> bool {
    context.part.is_none()
}

fn undeclared_in_sampling(context: &Context<'_>, path: &[&str]) -> bool {
    context.declared(Side::Client, &["sampling"]) == Some(true) && context.declared(Side::Client, path) == Some(false)
}

fn sampling_tools(context: &Context<'_>, findings: &mut Findings) {
    let part = context.get("tools").or(context.get("toolChoice"));
    if part.is_some() && is_own_request(context) && undeclared_in_sampling(context, SAMPLING_TOOLS) {
        let what = "the server asks for sampling with tools";
        report_undeclared(context, findings, Side::Client, SAMPLING_TOOLS, what, part);
    }
}

fn sampling_tools_served(context: &Context<'_>, findings: &mut Findings) {
    let params = context.request.and_then(|request| request.params.as_deref()).and_then(RawJson::new);
    let with_tools = params.is_some_and(|params| params.get("tools").or(params.get("toolChoice")).is_some());
    if with_tools && context.is_result() && undeclared_in_sampling(context, SAMPLING_TOOLS) {
        findings
            .report("the client samples with tools, which it did not declare; it has to answer with an error")
            .mark(context.top("result"));
    }
}

const SAMPLING_CONTEXT_NOT_DECLARED: Rule = Rule {
    id: "sampling-context-not-declared",
    title: "context of servers in sampling without `sampling.context`",
    clauses: &[clause(SINCE_2025_11_25, Should, Severity::Warning, "client/sampling#capabilities")],
    explanation: "`includeContext` with `thisServer` or `allServers` needs the client's `sampling.context`. Both values are \
                  deprecated in any case.",
    help: "leave `includeContext` out",
    fires: "@init 2025-11-25 {\"sampling\":{}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5,\"includeContext\":\"thisServer\"}}",
    silent: "@init 2025-11-25 {\"sampling\":{\"context\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5,\"includeContext\":\"thisServer\"}}",
    checks: &[On::Request(&["sampling/createMessage"], sampling_context)],
};

fn sampling_context(context: &Context<'_>, findings: &mut Findings) {
    let path: &[&str] = &["sampling", "context"];
    let value = context.get("includeContext");
    let asks = value.and_then(RawJson::as_str).is_some_and(|value| matches!(&*value, "thisServer" | "allServers"));
    if asks && is_own_request(context) && undeclared_in_sampling(context, path) {
        let what = "the server asks for the context of servers";
        report_undeclared(context, findings, Side::Client, path, what, value);
    }
}

const TASK_AUGMENTATION_NOT_DECLARED: Rule = Rule {
    id: "task-augmentation-not-declared",
    title: "a request asks to be a task where its receiver has none",
    clauses: &[clause(
        Revisions::only(Revision::V2025_11_25),
        Must,
        Severity::Error,
        "basic/utilities/tasks#tool-level-negotiation",
    )],
    explanation: "`params.task` stands only in requests of a kind that the receiver lists under `tasks.requests`: `tools/call` \
                  (MUST), `sampling/createMessage` and `elicitation/create` (SHOULD, a warning), and in no other request.",
    help: "leave `task` out, or declare the kind of request under `tasks.requests`",
    fires: "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{\"list\":{}}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"dig\",\"task\":{}}}",
    silent: "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"dig\",\"task\":{}}}",
    checks: &[On::Request(&[], task_undeclared)],
};

fn task_undeclared(context: &Context<'_>, findings: &mut Findings) {
    let Some((task, receiver)) = context.get("task").zip(context.sender.map(Side::other)) else { return };
    let method = context.method.unwrap_or_default();
    let Some(set) = method_set(method) else { return };
    let Some(requirement) = set.at_or_any(Some(context.revision)).task_requirement() else {
        // Some clients leave it in what they ask about a task.
        let harmless = method.starts_with("tasks/");
        let draft = findings.report(format!("{} cannot become a task", quoted(method)));
        draft.mark(task).at_most(if harmless { Severity::Note } else { Severity::Warning });
        return;
    };
    if context.declared(receiver, requirement.path) == Some(false) {
        let what = format!("{} asks to be a task", quoted(method));
        let draft = report_undeclared(context, findings, receiver, requirement.path, &what, Some(task));
        if requirement.strength != Strength::Must {
            draft.at_most(Severity::Warning);
        }
    }
}

/// The declaration that a message makes, and whose it is.
fn declaration<'a>(context: &Context<'a>) -> Option<(Side, RawJson<'a>)> {
    let client = "io.modelcontextprotocol/clientCapabilities";
    match (context.kind, context.method) {
        (Kind::Request, Some("initialize")) => Some((Side::Client, context.get("capabilities")?)),
        (Kind::Response, Some("initialize" | "server/discover")) => Some((Side::Server, context.get("capabilities")?)),
        // Every stateless request has it: looked at where it changes.
        (Kind::Request, _) if context.is_modern() && context.session.carried_at == Some(context.message.n) => {
            Some((Side::Client, context.meta(client)?))
        }
        _ => None,
    }
}

/// Gives each member of a declaration with its path, as deep as capabilities go.
fn each_member<'a>(object: RawJson<'a>, path: &mut Vec<String>, visit: &mut dyn FnMut(&[String], RawJson<'a>)) {
    const DEEPEST: usize = 4;
    const MOST: usize = 512;
    for (name, value) in object.members().take(MOST) {
        path.push(name.into_owned());
        visit(path, value);
        let own = matches!(path[0].as_str(), "extensions" | "experimental");
        if !own && path.len() < DEEPEST && value.kind() == JsonKind::Object {
            each_member(value, path, visit);
        }
        path.pop();
    }
}

const CAPABILITY_SHAPE: Rule = Rule {
    id: "capability-shape",
    title: "a capability of the wrong type",
    clauses: &[
        clause(LEGACY, Schema, Severity::Error, "basic/lifecycle#capability-negotiation"),
        clause(MODERN, Schema, Severity::Error, "basic/versioning#extension-negotiation"),
    ],
    explanation: "Capabilities are objects and their flags are booleans. A reader takes `true` where an object belongs for no \
                  declaration. For the flags of tasks (2025-11-25) page and schema differ, so that is a note.",
    help: "declare with an object, `{}` when there is nothing to say, and set flags to true",
    fires: "@init 2025-11-25 {\"roots\":{\"listChanged\":{}}} {}",
    silent: "@init 2025-11-25 {\"roots\":{\"listChanged\":false},\"experimental\":{\"x\":7}} {}",
    checks: &[On::Request(&[], capability_shape), On::Result(&["initialize", "server/discover"], capability_shape)],
};

fn capability_shape(context: &Context<'_>, findings: &mut Findings) {
    let Some((side, object)) = declaration(context) else { return };
    each_member(object, &mut Vec::new(), &mut |path, value| {
        let Some(row) = capability(side, path, None).filter(|row| row.path.len() == path.len()) else { return };
        let wanted = match row.kind {
            CapabilityType::Object | CapabilityType::Extensions => JsonKind::Object,
            CapabilityType::Boolean => JsonKind::Boolean,
        };
        if value.kind() != wanted {
            let (is, should) = (super::framing::words(value.kind()), super::framing::words(wanted));
            let draft = findings.report(format!("{} is {is}, it has to be {should}", name(side, row.path)));
            draft.mark(value);
            if path[0] == "tasks" && path.len() > 1 {
                draft.at_most(Severity::Note);
            }
        }
    });
}

const CAPABILITY_NOT_IN_REVISION: Rule = Rule {
    id: "capability-not-in-revision",
    title: "a capability that the revision does not have",
    clauses: &[
        clause(LEGACY, Implied, Severity::Note, "basic/lifecycle#capability-negotiation"),
        clause(MODERN, Implied, Severity::Note, "basic/versioning#extension-negotiation"),
    ],
    explanation: "A capability of another revision means nothing in this one: elicitation before 2025-06-18, tasks outside \
                  2025-11-25, `roots.listChanged` in 2026-07-28, extensions before it. The set is open, so it is a note.",
    help: "expect nothing of it in this revision",
    fires: "@init 2025-06-18 {} {\"tasks\":{}}",
    silent: "@init 2025-11-25 {} {\"tasks\":{}}",
    checks: &[On::Request(&[], not_in_revision), On::Result(&["initialize", "server/discover"], not_in_revision)],
};

fn not_in_revision(context: &Context<'_>, findings: &mut Findings) {
    let Some((side, object)) = declaration(context).filter(|_| context.revision_known) else { return };
    let mut reported: Option<Vec<String>> = None;
    each_member(object, &mut Vec::new(), &mut |path, value| {
        // What stands below a capability of another revision is part of it.
        if reported.as_ref().is_some_and(|above| path.starts_with(above)) || capability(side, path, None).is_none() {
            return;
        }
        if capability(side, path, Some(context.revision)).is_none() {
            let path_text = path.join(".");
            let revision = context.revision.as_str();
            findings.report(format!("{}.{path_text} is no capability of {revision}", side.as_str())).mark(value);
            reported = Some(path.to_vec());
        }
    });
}

const EXTENSION_ID_FORMAT: Rule = Rule {
    id: "extension-id-format",
    title: "an extension without a well-formed name",
    clauses: &[clause(MODERN, Must, Severity::Error, "basic/versioning#extension-negotiation")],
    explanation: "The keys of `capabilities.extensions` are names with a prefix, `com.example/thing`, by the rules for keys of \
                  `_meta`; their values are objects.",
    help: "name the extension with the reversed domain of its author before a slash",
    fires: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"extensions:-x/y\"}}}",
    silent: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"extensions:org.example/y-2\"}}}",
    checks: &[On::Request(&[], extension_id), On::Result(&["server/discover"], extension_id)],
};

fn extension_id(context: &Context<'_>, findings: &mut Findings) {
    let Some((_, object)) = declaration(context) else { return };
    for (key, value) in object.get("extensions").into_iter().flat_map(RawJson::members) {
        let fault = match key.split_once('/') {
            None => Some("has no prefix before a slash"),
            Some((prefix, name)) if !prefix.split('.').all(is_label) || !is_key_name(name) => {
                Some("is not made of labels, a slash and a name")
            }
            Some(_) => None,
        };
        if let Some(fault) = fault {
            findings.report(format!("the extension {} {fault}", quoted(&key))).mark(value);
        } else if value.kind() != JsonKind::Object {
            let kind = super::framing::words(value.kind());
            findings
                .report(format!("the settings of {} are {kind}, they have to be an object", quoted(&key)))
                .mark(value);
        }
    }
}

/// A label of the prefix of a `_meta` key: begins with a letter, ends with a letter or digit, hyphens between.
fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    let inner = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let first = bytes.first().is_some_and(u8::is_ascii_alphabetic);
    inner && first && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// The name of a `_meta` key: empty, or begins and ends with a letter or digit.
fn is_key_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let inner = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    let ends = [bytes.first(), bytes.last()].into_iter().flatten().all(u8::is_ascii_alphanumeric);
    inner && ends
}

const EXTENSION_NOT_DECLARED: Rule = Rule {
    id: "extension-not-declared",
    title: "a message of an extension that was not declared",
    clauses: &[clause(MODERN, Must, Severity::Warning, "basic/versioning#extension-negotiation")],
    explanation: "Messages of an extension need it on both sides: in the client capabilities of the request, and in the \
                  server's where an answer to `server/discover` is in the capture. The extension for tasks has rules of its \
                  own, which say more.",
    help: "declare the extension on both sides, or do without it",
    fires: "C> {\"id\":1,\"method\":\"ui/open-link\",\"params\":{\"url\":\"https://example.org\",\"_meta\":{\"$M\":\"\"}}}",
    silent: "C> {\"id\":1,\"method\":\"ui/open-link\",\"params\":{\"url\":\"https://example.org\",\"_meta\":{\"$M\":\"extensions:io.modelcontextprotocol/ui\"}}}",
    checks: &[On::Request(&[], extension_undeclared), On::Notification(&[], extension_undeclared)],
};

fn extension_undeclared(context: &Context<'_>, findings: &mut Findings) {
    let Some(row) = context.method.and_then(method_set).map(|set| set.at_or_any(Some(context.revision))) else {
        return;
    };
    let Some(extension) = row.extension.filter(|extension| !extension.ends_with("/tasks")) else { return };
    let path = ["extensions", extension];
    for side in [Side::Client, Side::Server] {
        if context.declared(side, &path) == Some(false) {
            let what = format!("{} belongs to the extension {}", quoted(row.name), quoted(extension));
            report_undeclared(context, findings, side, &path, &what, None);
            return;
        }
    }
}
