//! Tasks as part of the core protocol (2025-11-25).

use crate::protocol::Revision::V2025_11_25;
use crate::protocol::method::{receiver, sender};
use crate::protocol::{Feature, Method, Relation, Sender, Strength, TargetKey};

const TASKS_CANCEL: Method = Method {
    requires: &[receiver(&["tasks", "cancel"], Strength::Must)],
    target: TargetKey::Param("taskId"),
    relation: Relation::TaskId,
    required_params: &["taskId"],
    required_result: &["createdAt", "lastUpdatedAt", "status", "taskId", "ttl"],
    optional_result: &["pollInterval", "statusMessage"],
    replaced_by: Some("`tasks/cancel` of the tasks extension"),
    page: "basic/utilities/tasks#cancelling-tasks",
    summary: "Asks the side that runs a task to stop it, and gets the task back.",
    ..Method::request("tasks/cancel", Sender::Both, Feature::Tasks, "CancelTaskRequest")
};

const TASKS_GET: Method = Method {
    requires: &[receiver(&["tasks"], Strength::Must)],
    target: TargetKey::Param("taskId"),
    relation: Relation::TaskId,
    required_params: &["taskId"],
    required_result: &["createdAt", "lastUpdatedAt", "status", "taskId", "ttl"],
    optional_result: &["pollInterval", "statusMessage"],
    replaced_by: Some("`tasks/get` of the tasks extension"),
    page: "basic/utilities/tasks#getting-tasks",
    summary: "Asks for the state of a task.",
    ..Method::request("tasks/get", Sender::Both, Feature::Tasks, "GetTaskRequest")
};

const TASKS_LIST: Method = Method {
    requires: &[receiver(&["tasks", "list"], Strength::Must)],
    optional_params: &["cursor"],
    required_result: &["tasks"],
    optional_result: &["nextCursor"],
    paginated: true,
    page: "basic/utilities/tasks#listing-tasks",
    summary: "Lists the tasks that the receiver runs for the sender, a page at a time.",
    ..Method::request("tasks/list", Sender::Both, Feature::Tasks, "ListTasksRequest")
};

const TASKS_RESULT: Method = Method {
    requires: &[receiver(&["tasks"], Strength::Must)],
    target: TargetKey::Param("taskId"),
    relation: Relation::TaskId,
    required_params: &["taskId"],
    tool_result: true,
    replaced_by: Some("`tasks/get` of the tasks extension"),
    page: "basic/utilities/tasks#retrieving-task-results",
    summary: "Waits for a task to end and gets the result that its request would have had.",
    ..Method::request("tasks/result", Sender::Both, Feature::Tasks, "GetTaskPayloadRequest")
};

const TASKS_STATUS: Method = Method {
    requires: &[sender(&["tasks"], Strength::Must)],
    target: TargetKey::Param("taskId"),
    relation: Relation::TaskId,
    required_params: &["createdAt", "lastUpdatedAt", "status", "taskId", "ttl"],
    optional_params: &["pollInterval", "statusMessage"],
    replaced_by: Some("`notifications/tasks` of the tasks extension"),
    page: "basic/utilities/tasks#task-status-notification",
    summary: "Tells the requestor of a task that its state has changed.",
    ..Method::notification("notifications/tasks/status", Sender::Both, Feature::Tasks, "TaskStatusNotification")
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2025_11_25, until: V2025_11_25, ..TASKS_CANCEL },
    Method { since: V2025_11_25, until: V2025_11_25, ..TASKS_GET },
    Method { since: V2025_11_25, until: V2025_11_25, ..TASKS_LIST },
    Method { since: V2025_11_25, until: V2025_11_25, ..TASKS_RESULT },
    Method { since: V2025_11_25, until: V2025_11_25, ..TASKS_STATUS },
];
