//! Tasks of 2025-11-25: what creates them, how their status moves, what they bring. The extension of 2026-07-28 has rules
//! of its own. basic/utilities/tasks.

use super::book::{RELATED_TASK, TaskSeen, TaskStatus, observed_tasks, task_time};
use super::rule::Strength::{Implied, Must, Should};
use super::{Context, Family, Findings, On, Revisions, Rule, clause, quoted};
use crate::annotate::{Kind, Severity};
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::{Revision, Side};
use crate::transcript::TimeBasis;

pub(super) const FAMILY: Family = Family {
    title: "Tasks (2025-11-25)",
    rules: &[
        &TASK_RESULT_EXPECTED,
        &TASK_RESULT_UNSOLICITED,
        &TASK_INITIAL_STATUS,
        &TASK_TRANSITION,
        &TASK_ID_DUPLICATE,
        &TASK_UNKNOWN,
        &TASK_CANCEL_TERMINAL,
        &TASK_CANCEL_STATUS,
        &TASK_RESULT_EARLY,
        &TASK_RESULT_SHAPE,
        &TASK_RELATED_MISSING,
        &TASK_RELATED_REDUNDANT,
        &TASK_LIST_INCOMPLETE,
        &TASK_TIMESTAMPS,
        &TASK_FAILED_STATUS,
        &TASK_POLL_TOO_FAST,
    ],
};

const TASKS: Revisions = Revisions::only(Revision::V2025_11_25);

/// Requests that can become tasks.
const CARRIERS: &[&str] = &["tools/call", "sampling/createMessage", "elicitation/create"];
/// Requests about a task.
const ABOUT: &[&str] = &["tasks/get", "tasks/result", "tasks/cancel"];
/// Answers that show tasks.
const SHOWING: &[&str] = &["tasks/get", "tasks/cancel", "tasks/list"];
const STATUS: &[&str] = &["notifications/tasks/status"];

/// The request of a session that makes a task, written out for the examples.
macro_rules! created {
    ($tail:literal) => {
        concat!(
            "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}\n",
            "C> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"task\":{\"ttl\":60000}}}\n",
            $tail
        )
    };
}

/// A task object of an example.
macro_rules! task {
    ($status:literal, $minute:literal) => {
        concat!(
            "\"taskId\":\"t7\",\"status\":\"",
            $status,
            "\",\"createdAt\":\"2025-12-01T08:00:00Z\",\"lastUpdatedAt\":\"2025-12-01T08:",
            $minute,
            ":00Z\",\"ttl\":60000"
        )
    };
}

/// An answer to `tasks/get` of an example.
macro_rules! looked_at {
    ($id:literal, $status:literal, $minute:literal) => {
        concat!(
            "C> {\"id\":",
            $id,
            ",\"method\":\"tasks/get\",\"params\":{\"taskId\":\"t7\"}}\nS> {\"id\":",
            $id,
            ",\"result\":{",
            task!($status, $minute),
            "}}\n"
        )
    };
}

/// An answer to `tasks/result` of an example.
macro_rules! fetched {
    ($id:literal, $members:literal) => {
        concat!(
            "C> {\"id\":",
            $id,
            ",\"method\":\"tasks/result\",\"params\":{\"taskId\":\"t7\"}}\nS> {\"id\":",
            $id,
            ",\"result\":{",
            $members,
            "\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"t7\"}}}}\n"
        )
    };
}

const TASK_RESULT_EXPECTED: Rule = Rule {
    id: "task-result-expected",
    title: "a request that was to become a task is answered at once",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#result-retrieval")],
    explanation: "A receiver that has declared tasks for a request answers one with `task` by a `task` of its own; the \
                  result follows through `tasks/result`. A receiver that has not declared it ignores `task`.",
    help: "answer with the new task, or do not declare tasks for this request",
    fires: created!("S> {\"id\":2,\"result\":{\"content\":[]}}"),
    silent: concat!(created!("S> {\"id\":2,\"result\":{\"task\":{"), task!("working", "00"), "}}}"),
    checks: &[On::Result(CARRIERS, task_result_expected)],
};

fn task_result_expected(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|request| request.task && context.is_whole()) else { return };
    if context.get("task").is_none() && context.makes_tasks(request) == Some(true) {
        findings
            .report("the request asks for a task and the receiver has declared tasks for it, but the answer is none")
            .mark(context.body.raw)
            .related(Some(request.at.0), request.at.1, "the request");
    }
}

const TASK_RESULT_UNSOLICITED: Rule = Rule {
    id: "task-result-unsolicited",
    title: "a task that nobody asked for",
    clauses: &[clause(TASKS, Implied, Severity::Error, "basic/utilities/tasks#creating-tasks")],
    explanation: "A receiver makes a task only of a request with `task`; its sender would not know what to do with it.",
    help: "answer with the result itself",
    fires: concat!(
        "C> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}\nS> {\"id\":2,\"result\":{\"task\":{",
        task!("working", "00"),
        "}}}"
    ),
    silent: "C> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}\nS> {\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}",
    checks: &[On::Result(CARRIERS, task_result_unsolicited)],
};

fn task_result_unsolicited(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|request| !request.task) else { return };
    if let Some(task) = context.get("task").filter(|task| task.get("taskId").is_some()) {
        findings.report("the answer is a task, but the request did not ask for one").mark(task).related(
            Some(request.at.0),
            request.at.1,
            "the request",
        );
    }
}

const TASK_INITIAL_STATUS: Rule = Rule {
    id: "task-initial-status",
    title: "a new task is not working",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#task-status-lifecycle")],
    explanation: "Every task begins as `working`, also one that will be done in no time.",
    help: "create the task as `working` and tell its end by its status",
    fires: concat!(created!("S> {\"id\":2,\"result\":{\"task\":{"), task!("input_required", "00"), "}}}"),
    silent: concat!(created!("S> {\"id\":2,\"result\":{\"task\":{"), task!("working", "00"), "}}}"),
    checks: &[On::Result(CARRIERS, task_initial_status)],
};

fn task_initial_status(context: &Context<'_>, findings: &mut Findings) {
    let Some(task) = context.get("task") else { return };
    if let Some(status) = TaskStatus::of(task).filter(|status| *status != TaskStatus::Working) {
        let message = format!("a new task has to be `working`, this one is `{}`", status.as_str());
        findings.report(message).mark(task.get("status"));
    }
}

const TASK_TRANSITION: Rule = Rule {
    id: "task-transition",
    title: "a task that had ended goes on",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#task-status-lifecycle")],
    explanation: "`completed`, `failed` and `cancelled` are final; only `working` and `input_required` change to another \
                  status. Answers may overtake each other, so that an older `lastUpdatedAt` proves nothing.",
    help: "keep the final status of a task",
    fires: concat!(looked_at!("3", "failed", "05"), looked_at!("4", "working", "06")),
    silent: concat!(looked_at!("3", "input_required", "05"), looked_at!("4", "working", "06")),
    checks: &[On::Result(SHOWING, task_transition), On::Notification(STATUS, task_transition)],
};

fn task_transition(context: &Context<'_>, findings: &mut Findings) {
    for task in observed_tasks(context) {
        let Some(known) = id_of(task).and_then(|id| context.session.tasks.get(&id)) else { continue };
        let Some((before, at)) = known.status.filter(|(status, _)| status.is_final()) else { continue };
        let older = matches!((task_time(task, "lastUpdatedAt"), known.updated), (Some(now), Some(then)) if now < then);
        if let Some(now) = TaskStatus::of(task).filter(|now| *now != before && !older) {
            findings
                .report(format!("the task was `{}`, which is final, and is `{}` now", before.as_str(), now.as_str()))
                .mark(task.get("status"))
                .related(Some(at.0), at.1, format!("`{}` here", before.as_str()));
        }
    }
}

fn id_of(task: RawJson<'_>) -> Option<std::borrow::Cow<'_, str>> {
    task.get("taskId")?.as_str()
}

const TASK_ID_DUPLICATE: Rule = Rule {
    id: "task-id-duplicate",
    title: "two tasks have the same id",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#task-id-requirements")],
    explanation: "The receiver makes up the id of a task, unique among its tasks.",
    help: "use random ids",
    fires: concat!(
        created!("S> {\"id\":2,\"result\":{\"task\":{"),
        task!("working", "00"),
        "}}}\nC> {\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"task\":{}}}\nS> {\"id\":3,\"result\":{\"task\":{",
        task!("working", "01"),
        "}}}"
    ),
    silent: concat!(
        created!("S> {\"id\":2,\"result\":{\"task\":{"),
        task!("working", "00"),
        "}}}\nC> {\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"index\",\"task\":{}}}\nS> {\"id\":3,\"result\":{\"task\":{\"taskId\":\"t8\",\"status\":\"working\",\"createdAt\":\"2025-12-01T08:00:00Z\",\"lastUpdatedAt\":\"2025-12-01T08:00:00Z\",\"ttl\":60000}}}"
    ),
    checks: &[On::Result(CARRIERS, task_id_duplicate)],
};

fn task_id_duplicate(context: &Context<'_>, findings: &mut Findings) {
    let Some(task) = context.get("task").filter(|_| context.request.is_some_and(|request| request.task)) else {
        return;
    };
    let known = id_of(task).and_then(|id| context.session.tasks.get(&id));
    if let Some(at) = known.and_then(|known| known.created) {
        findings.report("another task has this id").mark(task.get("taskId")).related(
            Some(at.0),
            at.1,
            "the other one was created here",
        );
    }
}

const TASK_UNKNOWN: Rule = Rule {
    id: "task-unknown",
    title: "an unknown task is not refused as the protocol wants it",
    clauses: &[clause(TASKS, Must, Severity::Warning, "basic/utilities/tasks#protocol-errors")],
    explanation: "Requests about a task that does not exist are answered with the error -32602. Where the server knows a \
                  task that the capture does not, that is a note: it may be older than the session. The rule is silent \
                  when the capture begins after the session did.",
    help: "answer with the error -32602",
    fires: "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{}}\nC> {\"id\":3,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"t99\"}}\nS> {\"id\":3,\"error\":{\"code\":-32001,\"message\":\"no such task\"}}",
    silent: "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{}}\nC> {\"id\":3,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"t99\"}}\nS> {\"id\":3,\"error\":{\"code\":-32602,\"message\":\"no such task\"}}",
    checks: &[On::Error(ABOUT, unknown_task_refused), On::Result(ABOUT, unknown_task_served)],
};

/// The id of the task that an answer is about, if the capture has never shown that task.
fn unknown<'a>(context: &Context<'a>) -> Option<&'a str> {
    let tasks = &context.session.tasks;
    let id = context.request?.target.as_deref()?;
    let certain = context.session.has_beginning() && tasks.is_complete();
    (certain && !tasks.get(id).is_some_and(TaskSeen::is_told)).then_some(id)
}

fn unknown_task_refused(context: &Context<'_>, findings: &mut Findings) {
    let Some(id) = unknown(context) else { return };
    if let Some(code) = context.get("code").filter(|code| code.as_i64() != Some(-32602)) {
        let message = format!(
            "the task {} was never created here; the error for that is -32602, not {}",
            quoted(id),
            code.text()
        );
        findings.report(message).mark(code);
    }
}

fn unknown_task_served(context: &Context<'_>, findings: &mut Findings) {
    if let Some(id) = unknown(context) {
        findings
            .report(format!("the task {} was not created in this session", quoted(id)))
            .mark(context.body.raw)
            .at_most(Severity::Note);
    }
}

const TASK_CANCEL_TERMINAL: Rule = Rule {
    id: "task-cancel-terminal",
    title: "a task that had ended is cancelled",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#task-cancellation")],
    explanation: "A task with a final status cannot be cancelled; the receiver answers with the error -32602.",
    help: "answer with the error -32602",
    fires: concat!(
        looked_at!("3", "completed", "05"),
        "C> {\"id\":4,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"t7\"}}\nS> {\"id\":4,\"result\":{",
        task!("cancelled", "06"),
        "}}"
    ),
    silent: concat!(
        looked_at!("3", "completed", "05"),
        "C> {\"id\":4,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"t7\"}}\nS> {\"id\":4,\"error\":{\"code\":-32602,\"message\":\"it has ended\"}}"
    ),
    checks: &[On::Result(&["tasks/cancel"], task_cancel_terminal)],
};

fn task_cancel_terminal(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request else { return };
    let known = request.target.as_deref().and_then(|id| context.session.tasks.get(id));
    let ended = known.and_then(|known| known.status).filter(|(status, at)| status.is_final() && at.0 < request.at.0);
    if let Some((status, at)) = ended {
        findings
            .report(format!(
                "the task was `{}` already, so that the answer has to be the error -32602",
                status.as_str()
            ))
            .mark(context.body.raw)
            .related(Some(at.0), at.1, "ended here");
    }
}

const TASK_CANCEL_STATUS: Rule = Rule {
    id: "task-cancel-status",
    title: "a task is not cancelled after its cancellation",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#task-cancellation")],
    explanation: "The receiver sets the status to `cancelled` before it answers `tasks/cancel`, even if the work goes on.",
    help: "answer with `\"status\":\"cancelled\"`",
    fires: concat!(
        "C> {\"id\":4,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"t7\"}}\nS> {\"id\":4,\"result\":{",
        task!("working", "06"),
        "}}"
    ),
    silent: concat!(
        "C> {\"id\":4,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"t7\"}}\nS> {\"id\":4,\"result\":{",
        task!("cancelled", "06"),
        "}}"
    ),
    checks: &[On::Result(&["tasks/cancel"], task_cancel_status)],
};

fn task_cancel_status(context: &Context<'_>, findings: &mut Findings) {
    let status = context.body.raw.and_then(TaskStatus::of).filter(|status| *status != TaskStatus::Cancelled);
    if let Some(status) = status {
        findings
            .report(format!("the task has to be `cancelled` by now, it is `{}`", status.as_str()))
            .mark(context.get("status"));
    }
}

const TASK_RESULT_EARLY: Rule = Rule {
    id: "task-result-early",
    title: "a task goes on after it has brought its result",
    clauses: &[clause(TASKS, Must, Severity::Warning, "basic/utilities/tasks#result-retrieval")],
    explanation: "`tasks/result` is answered only once the status is final. A later look that shows the task at work, with a \
                  newer `lastUpdatedAt`, says that it was answered too early.",
    help: "hold the answer back until the task has ended",
    fires: concat!(fetched!("5", "\"content\":[],"), looked_at!("6", "working", "09")),
    silent: concat!(fetched!("5", "\"content\":[],"), looked_at!("6", "completed", "09")),
    checks: &[On::Result(SHOWING, task_result_early), On::Notification(STATUS, task_result_early)],
};

fn task_result_early(context: &Context<'_>, findings: &mut Findings) {
    for task in observed_tasks(context) {
        let Some(known) = id_of(task).and_then(|id| context.session.tasks.get(&id)) else { continue };
        let Some(result) = known.result else { continue };
        let after = context.request.is_none_or(|request| request.at.0 > result.0);
        let newer = match (task_time(task, "lastUpdatedAt"), known.updated) {
            (Some(now), Some(then)) => now > then,
            (now, _) => now.is_some(),
        };
        if let Some(status) = TaskStatus::of(task).filter(|status| !status.is_final() && after && newer) {
            findings
                .report(format!("the task is `{}`, although it has brought its result", status.as_str()))
                .mark(task.get("status"))
                .related(Some(result.0), result.1, "its result");
        }
    }
}

const TASK_RESULT_SHAPE: Rule = Rule {
    id: "task-result-shape",
    title: "a task does not bring what its request asked for",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#result-retrieval")],
    explanation: "`tasks/result` returns what the request would have returned without the task: of a call of a tool its \
                  `content`, of a sample the message with `model`, of an elicitation the `action`.",
    help: "return the result of the request itself",
    fires: concat!(
        created!("S> {\"id\":2,\"result\":{\"task\":{"),
        task!("working", "00"),
        "}}}\n",
        fetched!("5", "\"status\":\"completed\",")
    ),
    silent: concat!(
        created!("S> {\"id\":2,\"result\":{\"task\":{"),
        task!("working", "00"),
        "}}}\n",
        fetched!("5", "\"content\":[],")
    ),
    checks: &[On::Result(&["tasks/result"], task_result_shape)],
};

fn task_result_shape(context: &Context<'_>, findings: &mut Findings) {
    if !context.is_whole() {
        return;
    }
    let known = context.request.and_then(|request| context.session.tasks.get(request.target.as_deref()?));
    let Some(method) = known.and_then(|known| known.method.as_deref()) else { return };
    let wanted: &[&str] = match method {
        "tools/call" => &["content"],
        "sampling/createMessage" => &["role", "content", "model"],
        "elicitation/create" => &["action"],
        _ => return,
    };
    if let Some(missing) = wanted.iter().find(|member| context.get(member).is_none()) {
        findings
            .report(format!("the result of {} has `{missing}`, this one has not", quoted(method)))
            .mark(context.body.raw);
    }
}

const TASK_RELATED_MISSING: Rule = Rule {
    id: "task-related-missing",
    title: "a message of a task does not name the task",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#associating-task-related-messages")],
    explanation: "Messages that belong to a task carry its id in `_meta`, under `io.modelcontextprotocol/related-task`: the \
                  result of `tasks/result`, and requests that the task waits for, with their answers. Of those only a \
                  request that comes while a single task waits for input and nothing else is open is judged, as a warning.",
    help: "add the member to `_meta`",
    fires: "C> {\"id\":5,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"t7\"}}\nS> {\"id\":5,\"result\":{\"content\":[],\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"t8\"}}}}",
    silent: fetched!("5", "\"content\":[],"),
    checks: &[
        On::Result(&["tasks/result"], result_related),
        On::Request(&["elicitation/create", "sampling/createMessage"], request_related),
        On::Result(&["elicitation/create", "sampling/createMessage"], answer_related),
    ],
};

fn result_related(context: &Context<'_>, findings: &mut Findings) {
    let Some(id) = context.request.and_then(|request| request.target.as_deref()).filter(|_| context.is_whole()) else {
        return;
    };
    match context.meta(RELATED_TASK) {
        None => {
            findings.report("the result does not name its task in `_meta`").mark(context.body.raw);
        }
        Some(related) if id_of(related).is_none_or(|named| named != id) => {
            findings.report(format!("the result names another task than {}", quoted(id))).mark(related);
        }
        Some(_) => {}
    }
}

fn request_related(context: &Context<'_>, findings: &mut Findings) {
    let mut waiting = context.session.tasks.waiting();
    let (Some(id), None) = (waiting.next(), waiting.next()) else { return };
    let mut others = context.requests.open_in(context.message.session);
    let busy = others.any(|asked| asked.sender == Some(Side::Client) && !asked.method.starts_with("tasks/"));
    if context.sender == Some(Side::Server) && !busy && context.is_whole() && context.meta(RELATED_TASK).is_none() {
        findings
            .report(format!("the task {} waits for input, but this request does not name it in `_meta`", quoted(id)))
            .mark(context.body.raw)
            .at_most(Severity::Warning);
    }
}

fn answer_related(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|_| context.is_whole()) else { return };
    let Some(params) = request.params.as_deref().and_then(RawJson::new) else { return };
    if params.at(&["_meta", RELATED_TASK]).is_some() && context.meta(RELATED_TASK).is_none() {
        findings
            .report("the request names its task in `_meta`, the answer does not")
            .mark(context.body.raw)
            .related(Some(request.at.0), request.at.1, "the request")
            .at_most(Severity::Warning);
    }
}

const TASK_RELATED_REDUNDANT: Rule = Rule {
    id: "task-related-redundant",
    title: "a task is named twice in one message",
    clauses: &[clause(TASKS, Should, Severity::Note, "basic/utilities/tasks#associating-task-related-messages")],
    explanation: "Messages that name the task anyway should not repeat its id in `_meta`: `tasks/get`, `tasks/list` and \
                  `tasks/cancel` with their results, the request of `tasks/result`, and `notifications/tasks/status`.",
    help: "leave the member out of `_meta`",
    fires: "C> {\"id\":5,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"t7\",\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"t7\"}}}}",
    silent: "C> {\"id\":5,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"t7\",\"_meta\":{}}}",
    checks: &[
        On::Request(&["tasks/get", "tasks/list", "tasks/cancel", "tasks/result"], task_related_redundant),
        On::Result(SHOWING, task_related_redundant),
        On::Notification(STATUS, task_related_redundant),
    ],
};

fn task_related_redundant(context: &Context<'_>, findings: &mut Findings) {
    if let Some(related) = context.meta(RELATED_TASK) {
        findings.report("the message names its task in `_meta` once more").mark(related);
    }
}

const TASK_LIST_INCOMPLETE: Rule = Rule {
    id: "task-list-incomplete",
    title: "a task is missing from the list",
    clauses: &[clause(TASKS, Must, Severity::Warning, "basic/utilities/tasks#task-listing")],
    explanation: "What `tasks/get` returns to somebody stands in the `tasks/list` for the same one. A task that was created \
                  after the list, by its `createdAt` or in this capture, is let off.",
    help: "list every task that can be asked for",
    fires: concat!(
        "C> {\"id\":1,\"method\":\"tasks/list\"}\nS> {\"id\":1,\"result\":{\"tasks\":[]}}\n",
        looked_at!("3", "working", "05")
    ),
    silent: concat!(
        "C> {\"id\":1,\"method\":\"tasks/list\"}\nS> {\"id\":1,\"result\":{\"tasks\":[{",
        task!("working", "01"),
        "}]}}\n",
        looked_at!("3", "working", "05")
    ),
    checks: &[On::Result(&["tasks/get"], task_list_incomplete)],
};

fn task_list_incomplete(context: &Context<'_>, findings: &mut Findings) {
    let Some(task) = context.body.raw else { return };
    let Some(id) = id_of(task) else { return };
    let Some((list, time)) = context.session.tasks.list_without(&id) else { return };
    let known = context.session.tasks.get(&id);
    let created_later = known.and_then(|known| known.created).is_some_and(|at| at.0 > list.0);
    let stamped = time.filter(|time| time.basis == TimeBasis::Recorded);
    let dated_later = match (task_time(task, "createdAt"), stamped) {
        (Some(created), Some(listed)) => created >= listed.at,
        _ => false,
    };
    if !created_later && !dated_later {
        findings.report(format!("the task {} was not in the list", quoted(&id))).mark(task.get("taskId")).related(
            Some(list.0),
            list.1,
            "the end of the list",
        );
    }
}

const TASK_TIMESTAMPS: Rule = Rule {
    id: "task-timestamps",
    title: "a task has times that are none",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#ttl-and-resource-management")],
    explanation: "`createdAt` and `lastUpdatedAt` are times of ISO 8601. A task that was last updated before it was created \
                  is a note.",
    help: "send times like 2025-12-01T08:00:00Z",
    fires: "C> {\"id\":3,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"t7\"}}\nS> {\"id\":3,\"result\":{\"taskId\":\"t7\",\"status\":\"working\",\"createdAt\":1764576000,\"lastUpdatedAt\":\"08:00\",\"ttl\":60000}}",
    silent: looked_at!("3", "working", "05"),
    checks: &[
        On::Result(SHOWING, task_timestamps),
        On::Result(CARRIERS, task_timestamps),
        On::Notification(STATUS, task_timestamps),
    ],
};

fn task_timestamps(context: &Context<'_>, findings: &mut Findings) {
    for task in observed_tasks(context).filter(|task| task.kind() == JsonKind::Object) {
        for member in ["createdAt", "lastUpdatedAt"] {
            if let Some(value) = task.get(member).filter(|_| task_time(task, member).is_none()) {
                findings.report(format!("`{member}` is no time of ISO 8601: {}", quoted(value.text()))).mark(value);
            }
        }
        if task_time(task, "lastUpdatedAt") < task_time(task, "createdAt") && task_time(task, "lastUpdatedAt").is_some()
        {
            findings
                .report("the task was last updated before it was created")
                .mark(task.get("lastUpdatedAt"))
                .at_most(Severity::Note);
        }
    }
}

const TASK_FAILED_STATUS: Rule = Rule {
    id: "task-failed-status",
    title: "a task whose tool has failed is completed",
    clauses: &[clause(TASKS, Should, Severity::Warning, "basic/utilities/tasks#task-execution-errors")],
    explanation: "A call whose result has `\"isError\":true` ends its task as `failed`. The tasks of 2026-07-28 have it the \
                  other way round.",
    help: "end the task as `failed`",
    fires: concat!(looked_at!("3", "completed", "05"), fetched!("5", "\"content\":[],\"isError\":true,")),
    silent: concat!(looked_at!("3", "failed", "05"), fetched!("5", "\"content\":[],\"isError\":true,")),
    checks: &[
        On::Result(&["tasks/result"], failed_result),
        On::Result(SHOWING, completed_after_failure),
        On::Notification(STATUS, completed_after_failure),
    ],
};

fn failed_result(context: &Context<'_>, findings: &mut Findings) {
    let failed = context.get("isError").filter(|value| value.as_bool() == Some(true));
    let known = context.request.and_then(|request| context.session.tasks.get(request.target.as_deref()?));
    let completed = known.and_then(|known| known.status).filter(|(status, _)| *status == TaskStatus::Completed);
    if let (Some(failed), Some((_, at))) = (failed, completed) {
        findings.report("the tool has failed, but its task is `completed`").mark(failed).related(
            Some(at.0),
            at.1,
            "its status",
        );
    }
}

fn completed_after_failure(context: &Context<'_>, findings: &mut Findings) {
    for task in observed_tasks(context) {
        let Some(known) = id_of(task).and_then(|id| context.session.tasks.get(&id)) else { continue };
        let first = known.status.is_none_or(|(status, _)| status != TaskStatus::Completed);
        let result = known.result.filter(|_| known.is_error && first);
        if let (Some(at), Some(TaskStatus::Completed)) = (result, TaskStatus::of(task)) {
            findings.report("the task is `completed`, but its tool has failed").mark(task.get("status")).related(
                Some(at.0),
                at.1,
                "its result",
            );
        }
    }
}

const TASK_POLL_TOO_FAST: Rule = Rule {
    id: "task-poll-too-fast",
    title: "a task is asked for more often than its receiver wants",
    clauses: &[clause(TASKS, Should, Severity::Note, "basic/utilities/tasks#getting-tasks")],
    explanation: "Between two `tasks/get` for a task lie at least the milliseconds of the `pollInterval` that the receiver \
                  gave last. The rule needs a capture with times.",
    help: "wait for `pollInterval` before asking again",
    fires: concat!(
        "C> {\"id\":3,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"t7\"}}\nS> {\"id\":3,\"result\":{\"pollInterval\":9000,",
        task!("working", "05"),
        "}}\n",
        looked_at!("4", "working", "06")
    ),
    silent: concat!(looked_at!("3", "working", "05"), looked_at!("4", "working", "06")),
    checks: &[On::Request(&["tasks/get"], task_poll_too_fast)],
};

fn task_poll_too_fast(context: &Context<'_>, findings: &mut Findings) {
    let Some(known) = context.message.target.and_then(|id| context.session.tasks.get(id)) else { return };
    let (Some(interval), Some(last), Some(now)) = (known.interval, known.asked, context.message.time) else { return };
    let passed = now.at.duration_since(last.at).as_millis_f64();
    // A clock that was set back tells nothing.
    if context.kind == Kind::Request && passed >= 0.0 && passed < interval {
        findings
            .report(format!("asked for again after {passed:.0} ms, where the receiver wants {interval} ms"))
            .mark(context.get("taskId"));
    }
}
