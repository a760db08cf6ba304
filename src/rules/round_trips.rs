//! Types of results, and requests that are answered in several rounds: what a server may ask for inside of a result, and
//! how a client comes back with it. basic/index#resulttype and basic/patterns/mrtr of 2026-07-28.

use super::book::{RETRIED, Retry, Waiting};
use super::rule::Strength::{Implied, Must, Schema};
use super::{Context, Family, Findings, MODERN, On, Rule, clause, quoted};
use crate::annotate::{Kind, Severity};
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::{Side, input_request};
use crate::session::IdKey;

pub(super) const FAMILY: Family = Family {
    title: "Modern era: result types and multi round-trip requests",
    rules: &[
        &RESULT_TYPE_MISSING,
        &RESULT_TYPE_UNKNOWN,
        &MRTR_UNSUPPORTED_METHOD,
        &MRTR_EMPTY,
        &MRTR_INPUT_REQUEST_TYPE,
        &MRTR_CAPABILITY_NOT_DECLARED,
        &MRTR_STATE_NOT_ECHOED,
        &MRTR_STATE_INVENTED,
        &MRTR_SAME_ID,
        &MRTR_RESPONSES_INCOMPLETE,
        &MRTR_RESPONSE_UNKNOWN_KEY,
        &MRTR_RESPONSE_TYPE,
        &MRTR_STATE_MISUSED,
        &MRTR_RETRY_UNMATCHED,
    ],
};

const RESULT_TYPE: &str = "basic/index#resulttype";
const SERVERS: &str = "basic/patterns/mrtr#server-requirements-basic-workflow";
const CLIENTS: &str = "basic/patterns/mrtr#client-requirements-basic-workflow";

const RESULT_TYPE_MISSING: Rule = Rule {
    id: "result-type-missing",
    title: "a result does not say of which type it is",
    clauses: &[clause(MODERN, Must, Severity::Error, RESULT_TYPE)],
    explanation: "Every result of 2026-07-28 has `resultType`, so that clients can tell the result they have asked for from \
                  one that asks them. Without it a client takes the result as complete.",
    help: "add `\"resultType\":\"complete\"`",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    checks: &[On::Result(&[], result_type_missing)],
};

fn result_type_missing(context: &Context<'_>, findings: &mut Findings) {
    let stateless = context.request.is_some_and(|request| request.version.is_some());
    if context.part.is_none() && stateless && context.is_whole() && context.get("resultType").is_none() {
        findings.report("the result has no `resultType`").mark(context.top("result"));
    }
}

const RESULT_TYPE_UNKNOWN: Rule = Rule {
    id: "result-type-unknown",
    title: "a result is of a type that nobody has defined",
    clauses: &[clause(MODERN, Must, Severity::Error, RESULT_TYPE)],
    explanation: "`resultType` is `complete`, `input_required`, or what an extension defines that both sides have declared, \
                  as `task`. Where the client declares an extension that may define the value, it is a note.",
    help: "send `complete` for results that bring what was asked for",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"ok\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    checks: &[On::Result(&[], result_type_unknown)],
};

fn result_type_unknown(context: &Context<'_>, findings: &mut Findings) {
    let Some(value) = context.get("resultType").filter(|_| context.part.is_none()) else { return };
    if value.as_str().is_some_and(|text| matches!(text.as_ref(), "complete" | "input_required" | "task")) {
        return;
    }
    let draft = findings.report(format!("{} is no type of results", quoted(value.text())));
    draft.mark(value);
    let capabilities = context.request.and_then(|request| request.client_capabilities.as_deref());
    let other = |path: &Vec<String>| path.len() == 2 && path[0] == "extensions" && path[1] != TASKS;
    if capabilities.is_none_or(|set| set.paths().iter().any(other)) {
        draft.at_most(Severity::Note);
    }
}

const TASKS: &str = "io.modelcontextprotocol/tasks";

/// `resultType` is that of a result that asks for input.
fn is_asking(context: &Context<'_>) -> bool {
    let value = context.get("resultType").filter(|_| context.part.is_none());
    value.and_then(RawJson::as_str).is_some_and(|text| text == "input_required")
}

const MRTR_UNSUPPORTED_METHOD: Rule = Rule {
    id: "mrtr-unsupported-method",
    title: "a request is answered with questions that cannot be",
    clauses: &[clause(MODERN, Must, Severity::Error, "basic/patterns/mrtr#supported-requests")],
    explanation: "Only `tools/call`, `prompts/get` and `resources/read` can be answered with `input_required`; a client has \
                  no way to come back to another request.",
    help: "answer with a complete result or with an error",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"x\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"x\"}}",
    checks: &[On::Result(&[], mrtr_unsupported_method)],
};

fn mrtr_unsupported_method(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|_| is_asking(context)) else { return };
    if !RETRIED.contains(&request.method.as_str()) {
        findings
            .report(format!("{} cannot be answered with `input_required`", quoted(&request.method)))
            .mark(context.get("resultType"));
    }
}

const MRTR_EMPTY: Rule = Rule {
    id: "mrtr-empty",
    title: "a result asks for input and does not say for which",
    clauses: &[clause(MODERN, Must, Severity::Error, SERVERS)],
    explanation: "An `input_required` result brings `inputRequests`, or `requestState` to come back with, or both. Empty \
                  `inputRequests` without a state are a warning.",
    help: "send `inputRequests` or `requestState`",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"x\"}}",
    checks: &[On::Result(&[], mrtr_empty)],
};

fn mrtr_empty(context: &Context<'_>, findings: &mut Findings) {
    if !is_asking(context) || !context.is_whole() || context.get("requestState").is_some() {
        return;
    }
    match context.get("inputRequests") {
        None => {
            findings.report("neither `inputRequests` nor `requestState`").mark(context.get("resultType"));
        }
        Some(requests) if requests.members().next().is_none() => {
            findings
                .report("`inputRequests` is empty, and there is no `requestState`")
                .mark(requests)
                .at_most(Severity::Warning);
        }
        Some(_) => {}
    }
}

const MRTR_INPUT_REQUEST_TYPE: Rule = Rule {
    id: "mrtr-input-request-type",
    title: "an input request is none that a client answers",
    clauses: &[clause(MODERN, Must, Severity::Error, SERVERS)],
    explanation: "Each input request is `elicitation/create`, `sampling/createMessage` or `roots/list` with its params. It \
                  is no JSON-RPC message: `jsonrpc` and `id` do not belong there, which is a note.",
    help: "ask for one of the three, as `{\"method\":…,\"params\":…}`",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"ping\"}}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}",
    checks: &[
        On::Result(&[], mrtr_input_request_type),
        On::Notification(&["notifications/tasks"], task_input_request_type),
    ],
};

fn mrtr_input_request_type(context: &Context<'_>, findings: &mut Findings) {
    if is_asking(context) || context.method == Some("tasks/get") {
        judge_input_requests(context, findings);
    }
}

fn task_input_request_type(context: &Context<'_>, findings: &mut Findings) {
    judge_input_requests(context, findings);
}

fn judge_input_requests(context: &Context<'_>, findings: &mut Findings) {
    let Some(requests) = context.get("inputRequests").filter(|_| context.is_whole()) else { return };
    for (key, request) in requests.members() {
        let Some(method) = request.get("method").and_then(RawJson::as_str) else {
            findings.report(format!("the input request {} has no `method`", quoted(&key))).mark(request);
            continue;
        };
        if input_request(&method).is_none() {
            findings
                .report(format!("the input request {} is {}, which no client answers", quoted(&key), quoted(&method)))
                .mark(request.get("method"));
        }
        for member in ["jsonrpc", "id"] {
            if let Some(value) = request.get(member) {
                findings
                    .report(format!("an input request is no message, and has no `{member}`"))
                    .mark(value)
                    .at_most(Severity::Note);
            }
        }
    }
}

const MRTR_CAPABILITY_NOT_DECLARED: Rule = Rule {
    id: "mrtr-capability-not-declared",
    title: "a result asks for what the client has not declared",
    clauses: &[clause(MODERN, Must, Severity::Error, SERVERS)],
    explanation: "A server asks only for what the very request that it answers has declared: roots, sampling with its \
                  tools and context, elicitation with its mode. What other requests have declared does not count. Without \
                  the capability the answer is the error -32021.",
    help: "look into `io.modelcontextprotocol/clientCapabilities` of the request, and refuse with -32021",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"sampling\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}",
    checks: &[
        On::Request(&["roots/list"], roots_not_declared),
        On::Request(&["sampling/createMessage"], sampling_not_declared),
        On::Request(&["elicitation/create"], elicitation_not_declared),
    ],
};

fn roots_not_declared(context: &Context<'_>, findings: &mut Findings) {
    judge_declared(context, &["roots"], findings);
}

fn sampling_not_declared(context: &Context<'_>, findings: &mut Findings) {
    if !judge_declared(context, &["sampling"], findings) {
        return;
    }
    if context.get("tools").or(context.get("toolChoice")).is_some() {
        judge_declared(context, &["sampling", "tools"], findings);
    }
    let wanted = context.get("includeContext").and_then(RawJson::as_str);
    if wanted.is_some_and(|wanted| wanted != "none") {
        judge_declared(context, &["sampling", "context"], findings);
    }
}

fn elicitation_not_declared(context: &Context<'_>, findings: &mut Findings) {
    let mode = context.get("mode").and_then(RawJson::as_str);
    let path = if mode.is_some_and(|mode| mode == "url") { ["elicitation", "url"] } else { ["elicitation", "form"] };
    judge_declared(context, &path, findings);
}

/// Reports an input request of a result when the answered request lacks the capability. False when it does.
fn judge_declared(context: &Context<'_>, path: &[&str], findings: &mut Findings) -> bool {
    let (Some(key), Some(request), Kind::Response) = (context.part, context.request, context.message.kind) else {
        return true;
    };
    // A task asks by leave of the request that made it, not of the one that asks for its state.
    if request.version.is_none() || request.method == "tasks/get" {
        return true;
    }
    let is_declared = context.declared(Side::Client, path) != Some(false);
    if !is_declared {
        let why = match context.settings.what_if.change(Side::Client, path) {
            Some(change) => format!("`--{}` takes away", change.words()),
            None => "the request does not declare".to_owned(),
        };
        findings
            .report(format!("the input request {} needs `{}`, which {why}", quoted(key), path.join(".")))
            .mark(context.body.raw.or_else(|| input_request_at(context, key)))
            .related(Some(request.at.0), request.at.1, "the request that is answered");
    }
    is_declared
}

fn input_request_at<'a>(context: &Context<'a>, key: &str) -> Option<RawJson<'a>> {
    context.top("result")?.get("inputRequests")?.get(key)
}

const MRTR_STATE_NOT_ECHOED: Rule = Rule {
    id: "mrtr-state-not-echoed",
    title: "a retry leaves the state out or changes it",
    clauses: &[clause(MODERN, Must, Severity::Error, CLIENTS)],
    explanation: "A server keeps nothing between the rounds: what it has to know again stands in `requestState`, which the \
                  client sends back unread and unchanged. A retry is told by its method, its target and its arguments.",
    help: "copy `requestState` of the result into the params of the retry",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"one\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"requestState\":\"two\",\"inputResponses\":{\"x\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"one\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"requestState\":\"one\",\"inputResponses\":{\"x\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    checks: &[On::Request(RETRIED, mrtr_state_not_echoed)],
};

fn mrtr_state_not_echoed(context: &Context<'_>, findings: &mut Findings) {
    match context.session.retries.of(context) {
        Retry::Dropped(waiting) => {
            let draft = findings.report("the retry does not send `requestState` back");
            draft.mark(context.get("inputResponses")).related(Some(waiting.answer.0), waiting.answer.1, "the state");
        }
        Retry::Changed(waiting) => {
            let draft = findings.report("the retry sends back another `requestState` than it was given");
            draft.mark(context.get("requestState")).related(Some(waiting.answer.0), waiting.answer.1, "the state");
        }
        _ => {}
    }
}

const MRTR_STATE_INVENTED: Rule = Rule {
    id: "mrtr-state-invented",
    title: "a retry has a state that it was not given",
    clauses: &[clause(MODERN, Must, Severity::Error, CLIENTS)],
    explanation: "When the result has no `requestState`, the retry has none either.",
    help: "send `requestState` only where the result has one",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"requestState\":\"\",\"inputResponses\":{\"x\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"x\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    checks: &[On::Request(RETRIED, mrtr_state_invented)],
};

fn mrtr_state_invented(context: &Context<'_>, findings: &mut Findings) {
    if let Retry::Invented(waiting) = context.session.retries.of(context) {
        findings
            .report("the retry has a `requestState`, and the result had none")
            .mark(context.get("requestState"))
            .related(Some(waiting.answer.0), waiting.answer.1, "the result");
    }
}

const MRTR_SAME_ID: Rule = Rule {
    id: "mrtr-same-id",
    title: "a retry has the id of the request that it continues",
    clauses: &[clause(MODERN, Must, Severity::Error, CLIENTS)],
    explanation: "A retry is a request of its own with an id of its own, although the first one is answered.",
    help: "take the next id for the retry",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"one\"}}\nC> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"requestState\":\"one\",\"_meta\":{\"$M\":\"\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"one\"}}\nC> {\"id\":\"1\",\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"requestState\":\"one\",\"_meta\":{\"$M\":\"\"}}}",
    checks: &[On::Request(RETRIED, mrtr_same_id)],
};

fn mrtr_same_id(context: &Context<'_>, findings: &mut Findings) {
    let Some(waiting) = context.session.retries.of(context).of() else { return };
    let id = context.message.id.as_ref().and_then(IdKey::of_id);
    if id.is_some() && id == waiting.id {
        findings.report("the retry has the id of the first request").mark(context.top("id")).related(
            Some(waiting.request.0),
            waiting.request.1,
            "the first request",
        );
    }
}

const MRTR_RESPONSES_INCOMPLETE: Rule = Rule {
    id: "mrtr-responses-incomplete",
    title: "a retry does not answer everything that was asked for",
    clauses: &[clause(MODERN, Must, Severity::Warning, CLIENTS)],
    explanation: "The client gathers an answer to every input request before it comes back. A server asks again for what \
                  is missing, which costs a round.",
    help: "answer each key of `inputRequests`; a form that the user has refused is answered with `decline` or `cancel`",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"},\"y\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"x\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"x\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    checks: &[On::Request(RETRIED, mrtr_responses_incomplete)],
};

fn mrtr_responses_incomplete(context: &Context<'_>, findings: &mut Findings) {
    let Some(waiting) = context.session.retries.of(context).of().filter(|_| context.is_whole()) else { return };
    let responses = context.get("inputResponses");
    let given = |key: &str| responses.is_some_and(|responses| responses.get(key).is_some());
    let missing: Vec<_> = waiting.questions.iter().map(|(key, _)| key.as_str()).filter(|key| !given(key)).collect();
    if let Some(first) = missing.first() {
        let draft = findings.report(match missing.len() {
            1 => format!("the input request {} has no response", quoted(first)),
            count => format!("{count} input requests have no response, {} the first", quoted(first)),
        });
        draft.mark(responses.or_else(|| context.get("requestState")));
        related(draft, waiting);
    }
}

fn related(draft: &mut super::Draft, waiting: &Waiting) {
    draft.related(Some(waiting.answer.0), waiting.answer.1, "what was asked for");
}

const MRTR_RESPONSE_UNKNOWN_KEY: Rule = Rule {
    id: "mrtr-response-unknown-key",
    title: "a retry answers what was not asked for",
    clauses: &[clause(MODERN, Implied, Severity::Note, "basic/patterns/mrtr#error-handling")],
    explanation: "`inputResponses` has the keys of `inputRequests`. Servers leave others unread.",
    help: "take the keys from the result",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"x\":{\"roots\":[]},\"X\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"x\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    checks: &[On::Request(RETRIED, mrtr_response_unknown_key)],
};

fn mrtr_response_unknown_key(context: &Context<'_>, findings: &mut Findings) {
    let Some(waiting) = context.session.retries.of(context).of().filter(|waiting| !waiting.cut) else { return };
    for (key, response) in context.get("inputResponses").into_iter().flat_map(RawJson::members) {
        if waiting.question(&key).is_none() {
            let draft = findings.report(format!("nothing was asked for under the key {}", quoted(&key)));
            draft.mark(response);
            related(draft, waiting);
        }
    }
}

const MRTR_RESPONSE_TYPE: Rule = Rule {
    id: "mrtr-response-type",
    title: "an input response is not the result of its request",
    clauses: &[clause(MODERN, Schema, Severity::Error, "basic/patterns/mrtr#inputresponses")],
    explanation: "Each input response is the bare result: `action` of an elicitation, `role`, `content` and `model` of \
                  sampling, `roots` of roots. It is no JSON-RPC response, so that nothing is wrapped into `result`.",
    help: "put the result itself under the key",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"elicitation\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"x\":{\"result\":{\"action\":\"decline\"}}},\"_meta\":{\"$M\":\"elicitation\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"elicitation\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"x\":{\"action\":\"decline\"}},\"_meta\":{\"$M\":\"elicitation\"}}}",
    checks: &[On::Result(&["elicitation/create", "sampling/createMessage", "roots/list"], mrtr_response_type)],
};

fn mrtr_response_type(context: &Context<'_>, findings: &mut Findings) {
    let (Some(key), Some(method), Some(body)) = (context.part, context.method, context.body.raw) else { return };
    if context.request.is_none() || !context.is_whole() {
        return;
    }
    let required: &[&str] = match method {
        "elicitation/create" => &["action"],
        "sampling/createMessage" => &["role", "content", "model"],
        _ => &["roots"],
    };
    let missing: Vec<_> =
        required.iter().filter(|name| context.get(name).is_none()).map(|name| format!("`{name}`")).collect();
    if missing.is_empty() {
        return;
    }
    let is_wrapped = body.kind() == JsonKind::Object && body.get("result").is_some();
    let draft = findings.report(format!("the response {} to {method} has no {}", quoted(key), missing.join(", no ")));
    draft.mark(body);
    if is_wrapped {
        draft.label("the result is wrapped");
    }
}

const MRTR_STATE_MISUSED: Rule = Rule {
    id: "mrtr-state-misused",
    title: "a state is sent with another request than its own",
    clauses: &[clause(MODERN, Must, Severity::Error, CLIENTS)],
    explanation: "`requestState` goes with the retry of the request that it was given for; method, name, URI and arguments \
                  of the retry are those of that request.",
    help: "repeat the params of the first request, and add state and responses",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"one\"}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"arguments\":{\"a\":\"1\"},\"requestState\":\"one\",\"_meta\":{\"$M\":\"\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"arguments\":{\"a\":\"1\",\"b\":\"2\"},\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"one\"}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"arguments\":{\"b\":\"2\",\"a\":\"1\"},\"requestState\":\"one\",\"_meta\":{\"$M\":\"\"}}}",
    checks: &[On::Request(RETRIED, mrtr_state_misused)],
};

fn mrtr_state_misused(context: &Context<'_>, findings: &mut Findings) {
    if let Retry::Misused(waiting) = context.session.retries.of(context) {
        findings
            .report("the state belongs to a request with another method, target or other arguments")
            .mark(context.get("requestState"))
            .related(Some(waiting.request.0), waiting.request.1, "the request that got the state");
    }
}

const MRTR_RETRY_UNMATCHED: Rule = Rule {
    id: "mrtr-retry-unmatched",
    title: "responses to questions that nobody has asked",
    clauses: &[clause(MODERN, Implied, Severity::Warning, CLIENTS)],
    explanation: "`inputResponses` answers an `input_required` result to the same request. A client may come back from \
                  another process, so that it is a note where the capture may begin after the question.",
    help: "send `inputResponses` only with the retry of a request that was answered with `input_required`",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"x\":{\"roots\":[]}},\"_meta\":{\"$M\":\"\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"x\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"x\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    checks: &[On::Request(RETRIED, mrtr_retry_unmatched)],
};

fn mrtr_retry_unmatched(context: &Context<'_>, findings: &mut Findings) {
    let Some(responses) = context.get("inputResponses").filter(|_| context.part.is_none()) else { return };
    if matches!(context.session.retries.of(context), Retry::Unknown) {
        let draft = findings.report("no result of this capture has asked for these responses");
        draft.mark(responses);
        if !context.session.opened {
            draft.at_most(Severity::Note);
        }
    }
}
