//! The tasks extension of 2026-07-28: who may get a task, what its states bring, how it asks for input and how it is
//! cancelled. ext-tasks, and SEP-2663 for what became of the tasks of 2025-11-25.

use super::book::{Call, TASKS};
use super::metadata::TASKS_PROPOSAL;
use super::resources::tells_of_nothing;
use super::rule::Strength::{Implied, May, Must};
use super::{Context, Draft, Family, Findings, LEGACY, MODERN, On, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::Side;
use crate::session::IdKey;

pub(super) const FAMILY: Family = Family {
    title: "Extension io.modelcontextprotocol/tasks (2026-07-28)",
    rules: &[
        &TASK_EXT_NOT_DECLARED,
        &TASK_EXT_UNSUPPORTED_METHOD,
        &TASK_EXT_RESULT_TYPE,
        &TASK_EXT_METHOD_UNDECLARED,
        &TASK_EXT_UNKNOWN_ID,
        &TASK_EXT_STATUS_PAYLOAD,
        &TASK_EXT_TRANSITION,
        &TASK_EXT_ERROR_CHANNEL,
        &TASK_EXT_KEY_REUSE,
        &TASK_EXT_UPDATE_UNKNOWN_KEY,
        &TASK_EXT_ACK_NOT_EMPTY,
        &TASK_EXT_CANCEL_NOTIFICATION,
        &TASK_EXT_PROGRESS,
        &TASK_EXT_LISTEN_UNDECLARED,
        &TASK_EXT_NOTIFICATION_UNSUBSCRIBED,
        &TASK_EXT_LEGACY_PARAM,
        &TASK_EXT_WRONG_REVISION,
    ],
};

const NEGOTIATION: &str =
    "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md#capability-negotiation";
const METHODS: &str =
    "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md#supported-methods";
const POLLING: &str =
    "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md#task-polling";
const ERRORS: &str =
    "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md#protocol-errors";
const STATUS: &str =
    "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md#task-status";
const EXECUTION: &str =
    "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md#task-execution-errors";
const UPDATES: &str =
    "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md#task-update-requests";
const CANCELLATION: &str =
    "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md#task-cancellation";
const NOTIFICATIONS: &str = "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md#task-status-notifications";

/// The capability of the extension.
const DECLARED: &[&str] = &["extensions", TASKS];
/// Its requests.
const REQUESTS: &[&str] = &["tasks/cancel", "tasks/get", "tasks/update"];

/// Whether `resultType` is `task`.
fn hands_out_task(context: &Context<'_>) -> bool {
    let kind = context.get("resultType").filter(|_| context.part.is_none());
    kind.and_then(RawJson::as_str).is_some_and(|kind| kind == "task")
}

const TASK_EXT_NOT_DECLARED: Rule = Rule {
    id: "task-ext-not-declared",
    title: "a client gets a task that does not know tasks",
    clauses: &[clause(MODERN, Must, Severity::Error, NEGOTIATION)],
    explanation: "A server answers with a task only when the very request declares the extension; otherwise with a plain \
                  result, or with the error -32021.",
    help: "look for `extensions` with `io.modelcontextprotocol/tasks` in the capabilities of the request",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}",
    checks: &[On::Result(&[], task_ext_not_declared)],
};

fn task_ext_not_declared(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|request| request.version.is_some()) else { return };
    if REQUESTS.contains(&request.method.as_str()) || !hands_out_task(context) {
        return;
    }
    if context.declared(Side::Client, DECLARED) == Some(false) {
        findings
            .report("the request is answered with a task and does not declare the extension")
            .mark(context.get("resultType"))
            .related(Some(request.at.0), request.at.1, "the request");
    }
}

const TASK_EXT_UNSUPPORTED_METHOD: Rule = Rule {
    id: "task-ext-unsupported-method",
    title: "a task is the answer to something else than a tool call",
    clauses: &[clause(MODERN, Must, Severity::Error, METHODS)],
    explanation: "Only `tools/call` can become a task. Clients take a task as the answer to another request for no valid \
                  result.",
    help: "answer the request with its own result",
    fires: "C> {\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"memo://1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}",
    checks: &[On::Result(&[], task_ext_unsupported_method)],
};

fn task_ext_unsupported_method(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request else { return };
    let method = request.method.as_str();
    if method != "tools/call" && !REQUESTS.contains(&method) && hands_out_task(context) {
        findings.report(format!("{} cannot be answered with a task", quoted(method))).mark(context.get("resultType"));
    }
}

const TASK_EXT_RESULT_TYPE: Rule = Rule {
    id: "task-ext-result-type",
    title: "the answer to a request about a task is not complete",
    clauses: &[clause(MODERN, Must, Severity::Error, POLLING)],
    explanation: "`task` marks the result that hands out a task, and nothing else: `tasks/get`, `tasks/update` and \
                  `tasks/cancel` are answered with `complete`. Examples of the page itself show `task` on `tasks/get`, so \
                  that this is a note.",
    help: "send `\"resultType\":\"complete\"`",
    fires: "C> {\"id\":1,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"b1\",\"inputResponses\":{},\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\"}}",
    silent: "C> {\"id\":1,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"b1\",\"inputResponses\":{},\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\"}}",
    checks: &[On::Result(REQUESTS, task_ext_result_type)],
};

fn task_ext_result_type(context: &Context<'_>, findings: &mut Findings) {
    let Some(kind) = context.get("resultType") else { return };
    if kind.as_str().is_some_and(|kind| kind == "complete") {
        return;
    }
    let draft = findings.report(format!("the answer is {}, it has to be `complete`", quoted(kind.text())));
    draft.mark(kind);
    if context.method == Some("tasks/get") && hands_out_task(context) {
        draft.at_most(Severity::Note);
    }
}

const TASK_EXT_METHOD_UNDECLARED: Rule = Rule {
    id: "task-ext-method-undeclared",
    title: "a request about a task comes from a client that does not know tasks",
    clauses: &[clause(MODERN, Must, Severity::Error, ERRORS)],
    explanation: "`tasks/get`, `tasks/update` and `tasks/cancel` need the extension in the capabilities of the same request; \
                  without it the server refuses with -32021. A request that is refused is a probe, and no finding.",
    help: "declare `extensions` with `io.modelcontextprotocol/tasks` in every request about a task",
    fires: "C> {\"id\":1,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\"}}",
    silent: "C> {\"id\":1,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\"}}",
    checks: &[On::Result(REQUESTS, task_ext_method_undeclared)],
};

fn task_ext_method_undeclared(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|request| request.version.is_some()) else { return };
    if context.declared(Side::Client, DECLARED) == Some(false) {
        findings
            .report("a request that does not declare the extension is served instead of refused")
            .mark(context.top("result"))
            .related(Some(request.at.0), request.at.1, "the request");
    }
}

const TASK_EXT_UNKNOWN_ID: Rule = Rule {
    id: "task-ext-unknown-id",
    title: "an unknown task is not answered with -32602",
    clauses: &[clause(MODERN, Must, Severity::Warning, ERRORS)],
    explanation: "A task that the server does not know is the error -32602. Tasks outlive connections, so that one that this \
                  capture has not seen may exist: reported where the error says that there is none, and as a note where an \
                  id that was never handed out in a whole session is served.",
    help: "answer with -32602 when there is no task with the id",
    fires: "C> {\"id\":1,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"b9\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32603,\"message\":\"no such task\"}}",
    silent: "C> {\"id\":1,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"b9\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32602,\"message\":\"no such task\"}}",
    checks: &[On::Error(REQUESTS, unknown_id_refused), On::Result(REQUESTS, unknown_id_served)],
};

fn unknown_id_refused(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code").filter(|code| code.as_i64() != Some(-32602)) else { return };
    let Some(message) = context.get("message").and_then(RawJson::as_str) else { return };
    if !is_handed_out(context) && tells_of_nothing(&message) {
        findings.report(format!("{} is -32602, not {}", quoted(&message), quoted(code.text()))).mark(code);
    }
}

fn unknown_id_served(context: &Context<'_>, findings: &mut Findings) {
    if context.session.opened && !context.session.handles.lost && !is_handed_out(context) && context.request.is_some() {
        findings
            .report("a task is served that this session has not handed out")
            .mark(context.top("result"))
            .at_most(Severity::Note);
    }
}

/// The task of the request was seen before.
fn is_handed_out(context: &Context<'_>) -> bool {
    let target = context.request.and_then(|request| request.target.as_deref());
    target.is_none_or(|id| context.session.handles.get(id).is_some())
}

const TASK_EXT_STATUS_PAYLOAD: Rule = Rule {
    id: "task-ext-status-payload",
    title: "the state of a task lacks what belongs to it",
    clauses: &[clause(MODERN, Must, Severity::Error, POLLING)],
    explanation: "A task that is completed brings its `result`, one that failed its `error`, one that waits for input its \
                  `inputRequests`. What belongs to another status is a note.",
    help: "send the member that belongs to the status",
    fires: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"input_required\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}",
    silent: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"input_required\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null,\"inputRequests\":{\"a\":{\"method\":\"roots/list\"}}}}",
    checks: &[
        On::Result(&["tasks/get"], task_ext_status_payload),
        On::Notification(&["notifications/tasks"], task_ext_status_payload),
    ],
};

fn task_ext_status_payload(context: &Context<'_>, findings: &mut Findings) {
    let Some(status) = context.get("status").filter(|_| context.is_whole()) else { return };
    let Some(text) = status.as_str() else { return };
    for (owner, member) in [("completed", "result"), ("failed", "error"), ("input_required", "inputRequests")] {
        match context.get(member) {
            None if owner == text => {
                findings.report(format!("a task that is `{owner}` has no `{member}`")).mark(status);
            }
            Some(value) if owner != text => {
                findings
                    .report(format!("`{member}` belongs to a task that is `{owner}`, this one is {}", quoted(&text)))
                    .mark(value)
                    .at_most(Severity::Note);
            }
            _ => {}
        }
    }
}

const TASK_EXT_TRANSITION: Rule = Rule {
    id: "task-ext-transition",
    title: "a task goes on after its end",
    clauses: &[clause(MODERN, Implied, Severity::Error, STATUS)],
    explanation: "A task that is completed, failed or cancelled stays so. It may begin with any status, and complete after \
                  `tasks/cancel`. Answers and notifications may overtake each other, so that a state counts only when \
                  `lastUpdatedAt` is later, or when it was asked for after the end had come.",
    help: "keep the final state of a task until it is forgotten",
    fires: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"cancelled\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:05Z\",\"ttlMs\":null}}\nC> {\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:09Z\",\"ttlMs\":null}}",
    silent: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nC> {\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"cancelled\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:05Z\",\"ttlMs\":null}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}",
    checks: &[
        On::Result(&["tasks/get"], task_ext_transition),
        On::Notification(&["notifications/tasks"], task_ext_transition),
    ],
};

fn task_ext_transition(context: &Context<'_>, findings: &mut Findings) {
    let Some(ending) = context.session.handles.of(context).and_then(|handle| handle.ending.as_ref()) else { return };
    let Some(status) = context.get("status") else { return };
    let Some(text) = status.as_str().filter(|text| *text != ending.status.as_str()) else { return };
    let updated = context.get("lastUpdatedAt").and_then(RawJson::as_str);
    let is_later = match (&ending.updated, &updated) {
        // Times of one form can be compared as they are written.
        (Some(end), Some(now)) if end.len() == now.len() && end.ends_with('Z') && now.ends_with('Z') => {
            now.as_ref() > end.as_str() || (now.as_ref() == end.as_str() && asked_after(context, ending.at.0))
        }
        _ => asked_after(context, ending.at.0),
    };
    if is_later {
        findings.report(format!("the task was `{}` and is {} now", ending.status, quoted(&text))).mark(status).related(
            Some(ending.at.0),
            ending.at.1,
            "its end",
        );
    }
}

/// The answer at hand was asked for after another message.
fn asked_after(context: &Context<'_>, n: u64) -> bool {
    context.request.is_some_and(|request| request.at.0 > n)
}

const TASK_EXT_ERROR_CHANNEL: Rule = Rule {
    id: "task-ext-error-channel",
    title: "a tool that failed makes its task fail",
    clauses: &[clause(MODERN, Must, Severity::Error, EXECUTION)],
    explanation: "`failed` is for calls that would have been answered with a JSON-RPC error, whose code and message stand in \
                  `error`. A tool result with `isError` is a result: the task is `completed`. In 2025-11-25 it was `failed`.",
    help: "end the task as `completed` with the tool result, or as `failed` with a code and a message",
    fires: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"failed\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:05Z\",\"ttlMs\":null,\"error\":{\"message\":\"burnt\"}}}",
    silent: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"failed\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:05Z\",\"ttlMs\":null,\"error\":{\"code\":-32603,\"message\":\"burnt\"}}}",
    checks: &[
        On::Result(&["tasks/get"], task_ext_error_channel),
        On::Notification(&["notifications/tasks"], task_ext_error_channel),
    ],
};

fn task_ext_error_channel(context: &Context<'_>, findings: &mut Findings) {
    let status = context.get("status").and_then(RawJson::as_str);
    if !context.is_whole() || status.is_none_or(|status| status != "failed") {
        return;
    }
    if let Some(result) = context.get("result") {
        findings.report("a task with a result is `completed`, not `failed`").mark(result);
    }
    if let Some(error) = context.get("error").filter(|error| error.get("code").and_then(RawJson::as_i64).is_none()) {
        findings.report("the error of a failed task has no integer `code`").mark(error);
    }
}

const TASK_EXT_KEY_REUSE: Rule = Rule {
    id: "task-ext-key-reuse",
    title: "a task asks for something else under a key that it has used",
    clauses: &[clause(MODERN, Must, Severity::Error, UPDATES)],
    explanation: "A key of `inputRequests` stands for one request during the whole life of a task, so that responses cannot \
                  be mixed up. Showing an open request again is normal; a key whose response was acknowledged does not \
                  come back once the task has gone on.",
    help: "take a new key for each input request of a task",
    fires: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"input_required\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null,\"inputRequests\":{\"a\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"input_required\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null,\"inputRequests\":{\"a\":{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5}}}}}",
    silent: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"input_required\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null,\"inputRequests\":{\"a\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"input_required\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null,\"inputRequests\":{\"a\":{\"method\":\"roots/list\"}}}}",
    checks: &[
        On::Result(&["tasks/get"], task_ext_key_reuse),
        On::Notification(&["notifications/tasks"], task_ext_key_reuse),
    ],
};

fn task_ext_key_reuse(context: &Context<'_>, findings: &mut Findings) {
    let Some(handle) = context.session.handles.of(context).filter(|_| context.is_whole()) else { return };
    for (name, request) in context.get("inputRequests").into_iter().flat_map(RawJson::members) {
        let Some(key) = handle.key(&name) else { continue };
        if !key.is(request) {
            findings
                .report(format!("the key {} stood for another request before", quoted(&name)))
                .mark(request)
                .related(Some(key.at.0), key.at.1, "the first request of the key");
        } else if let Some(at) = key.retired.filter(|at| asked_after(context, at.0)) {
            findings.report(format!("the key {} is answered, and comes again", quoted(&name))).mark(request).related(
                Some(at.0),
                at.1,
                "the task had gone on",
            );
        }
    }
}

const TASK_EXT_UPDATE_UNKNOWN_KEY: Rule = Rule {
    id: "task-ext-update-unknown-key",
    title: "a task is told what it has not asked for",
    clauses: &[clause(MODERN, Must, Severity::Warning, UPDATES)],
    explanation: "`tasks/update` answers input requests that are open; some of them are enough. Servers leave other keys \
                  unread. A key that was open once is a note, since the client may not have seen that it is not any more.",
    help: "take the keys from the last state of the task",
    fires: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"input_required\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null,\"inputRequests\":{\"a\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"b1\",\"inputResponses\":{\"A\":{\"roots\":[]}},\"_meta\":{\"$M\":\"tasks\"}}}",
    silent: "C> {\"id\":1,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"b1\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"b1\",\"status\":\"input_required\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null,\"inputRequests\":{\"a\":{\"method\":\"roots/list\"},\"b\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"b1\",\"inputResponses\":{\"a\":{\"roots\":[]}},\"_meta\":{\"$M\":\"tasks\"}}}",
    checks: &[On::Request(&["tasks/update"], task_ext_update_unknown_key)],
};

fn task_ext_update_unknown_key(context: &Context<'_>, findings: &mut Findings) {
    let Some(handle) = context.session.handles.of(context).filter(|handle| handle.keys_known) else { return };
    for (name, response) in context.get("inputResponses").into_iter().flat_map(RawJson::members) {
        match handle.key(&name) {
            Some(key) if key.open => {}
            Some(key) => {
                findings
                    .report(format!("the input request {} is no longer open", quoted(&name)))
                    .mark(response)
                    .related(Some(key.at.0), key.at.1, "the input request")
                    .at_most(Severity::Note);
            }
            None => {
                findings.report(format!("the task has not asked for {}", quoted(&name))).mark(response);
            }
        }
    }
}

const TASK_EXT_ACK_NOT_EMPTY: Rule = Rule {
    id: "task-ext-ack-not-empty",
    title: "an acknowledgement about a task is not empty",
    clauses: &[clause(MODERN, Must, Severity::Warning, CANCELLATION)],
    explanation: "`tasks/update` and `tasks/cancel` are acknowledged with `resultType` alone, and `_meta`. The state of the \
                  task is what `tasks/get` tells; in 2025-11-25 it came with the answer to `tasks/cancel`.",
    help: "answer with `{\"resultType\":\"complete\"}`",
    fires: "C> {\"id\":1,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"b1\",\"inputResponses\":{},\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"status\":\"working\"}}",
    silent: "C> {\"id\":1,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"b1\",\"inputResponses\":{},\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"_meta\":{}}}",
    checks: &[On::Result(&["tasks/cancel", "tasks/update"], task_ext_ack_not_empty)],
};

fn task_ext_ack_not_empty(context: &Context<'_>, findings: &mut Findings) {
    let mut members = context.body.raw.into_iter().flat_map(RawJson::members);
    if let Some((name, value)) = members.find(|(name, _)| !matches!(name.as_ref(), "resultType" | "_meta")) {
        findings.report(format!("the acknowledgement has a member {}", quoted(&name))).mark(value);
    }
}

const TASK_EXT_CANCEL_NOTIFICATION: Rule = Rule {
    id: "task-ext-cancel-notification",
    title: "a task is cancelled with a notification",
    clauses: &[clause(MODERN, Must, Severity::Error, CANCELLATION)],
    explanation: "With the task in hand, the call is over: `notifications/cancelled` has nothing to cancel any more, and \
                  `tasks/cancel` is the way. Before the answer it cancels the call. Directly after it the two may have \
                  crossed, which is a warning.",
    help: "send `tasks/cancel` with the id of the task",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\",\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\",\"_meta\":{\"$M\":\"tasks\"}}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}",
    checks: &[On::Notification(&["notifications/cancelled"], task_ext_cancel_notification)],
};

fn task_ext_cancel_notification(context: &Context<'_>, findings: &mut Findings) {
    let Some(id) = context.get("requestId").filter(|_| context.sender != Some(Side::Server)) else { return };
    let Some(key) = IdKey::of_token(id.text()) else { return };
    let Some(call) = context.session.handles.call(Some(&key), None) else { return };
    if context.requests.by_id(context.message.session, None, &key).is_some() {
        return;
    }
    let draft = findings.report("the call was answered with a task, which only `tasks/cancel` cancels");
    draft.mark(id);
    show(draft, call);
    if context.message.n == call.answer.0 + 1 {
        draft.at_most(Severity::Warning);
    }
}

fn show(draft: &mut Draft, call: &Call) {
    draft.related(Some(call.answer.0), call.answer.1, "the task");
}

const TASK_EXT_PROGRESS: Rule = Rule {
    id: "task-ext-progress",
    title: "progress is reported for a call that has become a task",
    clauses: &[clause(MODERN, Must, Severity::Error, NOTIFICATIONS)],
    explanation: "The answer with a task completes the call, and its progress token ends with it; what the task does shows \
                  in its state. In 2025-11-25 progress went on under the same token.",
    help: "put what there is to say into `statusMessage` of the task",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\",\"_meta\":{\"$M\":\"tasks\",\"progressToken\":7}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":7,\"progress\":1}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\",\"_meta\":{\"$M\":\"tasks\",\"progressToken\":7}}}\nS> {\"method\":\"notifications/progress\",\"params\":{\"progressToken\":7,\"progress\":1}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}",
    checks: &[On::Notification(&["notifications/progress"], task_ext_progress)],
};

fn task_ext_progress(context: &Context<'_>, findings: &mut Findings) {
    let Some(token) = context.get("progressToken") else { return };
    let Some(key) = IdKey::of_token(token.text()) else { return };
    let Some(call) = context.session.handles.call(None, Some(&key)) else { return };
    let is_taken = |asked: &super::book::Asked| asked.token.as_ref() == Some(&key);
    if !context.requests.open_in(context.message.session).any(is_taken) {
        let draft = findings.report("the call of this token was answered with a task");
        draft.mark(token);
        show(draft, call);
    }
}

const TASK_EXT_LISTEN_UNDECLARED: Rule = Rule {
    id: "task-ext-listen-undeclared",
    title: "a client that does not know tasks listens to them",
    clauses: &[clause(MODERN, Must, Severity::Error, NOTIFICATIONS)],
    explanation: "`taskIds` in `subscriptions/listen` needs the extension in the capabilities of the request; without it the \
                  server refuses with -32021. The request is a warning, an acknowledgement of the tasks an error.",
    help: "declare `extensions` with `io.modelcontextprotocol/tasks` in the request",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"taskIds\":[\"b1\"]},\"_meta\":{\"$M\":\"\"}}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"taskIds\":[\"b1\"]},\"_meta\":{\"$M\":\"tasks\"}}}",
    checks: &[
        On::Request(&["subscriptions/listen"], undeclared_listening),
        On::Notification(&["notifications/subscriptions/acknowledged"], undeclared_acknowledged),
    ],
};

fn undeclared_listening(context: &Context<'_>, findings: &mut Findings) {
    let Some(tasks) = context.get("notifications").and_then(|filter| filter.get("taskIds")) else { return };
    if context.session.modern.at_hand && context.declared(Side::Client, DECLARED) == Some(false) {
        findings
            .report("the request listens to tasks and does not declare the extension")
            .mark(tasks)
            .at_most(Severity::Warning);
    }
}

fn undeclared_acknowledged(context: &Context<'_>, findings: &mut Findings) {
    let Some(stream) = context.session.streams.of(context) else { return };
    let Some(request) = context.requests.get(stream.request.0).filter(|request| request.version.is_some()) else {
        return;
    };
    let capabilities = request.client_capabilities.as_deref();
    let undeclared = capabilities.and_then(|set| set.declared(DECLARED)) == Some(false);
    if stream.wanted.tasks.is_empty() || !undeclared {
        return;
    }
    let promised = context.get("notifications").and_then(|filter| filter.get("taskIds"));
    let draft = findings.report("a request that listens to tasks without the extension is acknowledged");
    draft.mark(promised.or_else(|| context.top("method")));
    draft.related(Some(request.at.0), request.at.1, "the listen request");
    if promised.is_none() {
        draft.at_most(Severity::Warning);
    }
}

const TASK_EXT_NOTIFICATION_UNSUBSCRIBED: Rule = Rule {
    id: "task-ext-notification-unsubscribed",
    title: "the state of a task comes that nobody listens to",
    clauses: &[clause(MODERN, Must, Severity::Error, "basic/patterns/subscriptions#opening-a-stream")],
    explanation: "`notifications/tasks` tells of the tasks that the listen request names and the server has acknowledged.",
    help: "send the states of these tasks only; others are asked for with `tasks/get`",
    fires: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"taskIds\":[\"b1\"]},\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"taskIds\":[\"b1\"]},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"method\":\"notifications/tasks\",\"params\":{\"taskId\":\"b2\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null,\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    silent: "C> {\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"taskIds\":[\"b1\"]},\"_meta\":{\"$M\":\"tasks\"}}}\nS> {\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"taskIds\":[\"b1\"]},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}\nS> {\"method\":\"notifications/tasks\",\"params\":{\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null,\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}",
    checks: &[On::Notification(&["notifications/tasks"], task_ext_notification_unsubscribed)],
};

fn task_ext_notification_unsubscribed(context: &Context<'_>, findings: &mut Findings) {
    let (Some(stream), Some(id)) = (context.session.streams.of(context), context.get("taskId")) else { return };
    let Some(text) = id.as_str() else { return };
    let what = if !stream.wanted.has_task(&text) {
        "listened to"
    } else if stream.promised.as_ref().is_some_and(|(_, promised)| !promised.has_task(&text)) {
        "acknowledged"
    } else {
        return;
    };
    findings.report(format!("the task {} was not {what}", quoted(&text))).mark(id).related(
        Some(stream.request.0),
        stream.request.1,
        "the listen request",
    );
}

const TASK_EXT_LEGACY_PARAM: Rule = Rule {
    id: "task-ext-legacy-param",
    title: "a call asks to become a task",
    clauses: &[clause(MODERN, May, Severity::Note, TASKS_PROPOSAL)],
    explanation: "In 2025-11-25 the client asked for a task with `params.task`. In 2026-07-28 the server alone decides, and \
                  leaves the member unread.",
    help: "leave `task` out, and declare the extension",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\",\"task\":{},\"_meta\":{\"$M\":\"tasks\"}}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\",\"arguments\":{\"task\":{}},\"_meta\":{\"$M\":\"tasks\"}}}",
    checks: &[On::Request(&["tools/call"], task_ext_legacy_param)],
};

fn task_ext_legacy_param(context: &Context<'_>, findings: &mut Findings) {
    if let Some(task) = context.get("task") {
        findings.report("`task` has no meaning in 2026-07-28").mark(task);
    }
}

const TASK_EXT_WRONG_REVISION: Rule = Rule {
    id: "task-ext-wrong-revision",
    title: "the tasks extension is used in an older revision",
    clauses: &[clause(LEGACY, Must, Severity::Warning, TASKS_PROPOSAL)],
    explanation: "The extension belongs to 2026-07-28. To declare it in `initialize` enables nothing; 2025-11-25 has tasks of \
                  its own.",
    help: "use the tasks of 2025-11-25, or speak 2026-07-28",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\"}}\nS> {\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"b1\",\"status\":\"working\",\"createdAt\":\"2026-09-01T08:00:00Z\",\"lastUpdatedAt\":\"2026-09-01T08:00:00Z\",\"ttlMs\":null}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bake\"}}\nS> {\"id\":1,\"result\":{\"content\":[]}}",
    checks: &[
        On::Result(&["tools/call"], wrong_revision_result),
        On::Request(&["tasks/update"], wrong_revision_method),
        On::Notification(&["notifications/tasks"], wrong_revision_method),
    ],
};

fn wrong_revision_result(context: &Context<'_>, findings: &mut Findings) {
    let is_string = context.get("resultType").is_some_and(|kind| kind.kind() == JsonKind::String);
    if is_string && hands_out_task(context) && context.revision_known {
        let text = format!("a task of the extension in a session of {}", context.revision.as_str());
        findings.report(text).mark(context.get("resultType"));
    }
}

fn wrong_revision_method(context: &Context<'_>, findings: &mut Findings) {
    if context.revision_known {
        findings
            .report(format!(
                "{} belongs to an extension of 2026-07-28, the session is of {}",
                quoted(context.method.unwrap_or_default()),
                context.revision.as_str()
            ))
            .mark(context.top("method"));
    }
}
