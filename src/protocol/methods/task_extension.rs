//! The tasks extension, `io.modelcontextprotocol/tasks` (2026-07-28).

use crate::protocol::Revision::V2026_07_28;
use crate::protocol::method::{client, opt_in, server};
use crate::protocol::{Feature, Method, Relation, Sender, Strength, TargetKey};

const EXTENSION: &str = "io.modelcontextprotocol/tasks";
const DECLARED: &[&str] = &["extensions", EXTENSION];
const PAGE: &str = "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md";

pub(super) const ROWS: &[Method] = &[
    Method {
        since: V2026_07_28,
        extension: Some(EXTENSION),
        requires: &[client(DECLARED, Strength::Must), server(DECLARED, Strength::Implied)],
        target: TargetKey::Param("taskId"),
        relation: Relation::TaskId,
        required_params: &["_meta", "taskId"],
        required_result: &["createdAt", "lastUpdatedAt", "resultType", "status", "taskId", "ttlMs"],
        optional_result: &["error", "inputRequests", "pollIntervalMs", "result", "statusMessage"],
        page: PAGE,
        summary: "Asks for the state of a task; the answer holds the result once there is one.",
        ..Method::request("tasks/get", Sender::Client, Feature::Tasks, "")
    },
    Method {
        since: V2026_07_28,
        extension: Some(EXTENSION),
        requires: &[client(DECLARED, Strength::Must), server(DECLARED, Strength::Implied)],
        target: TargetKey::Param("taskId"),
        relation: Relation::TaskId,
        required_params: &["_meta", "inputResponses", "taskId"],
        required_result: &["resultType"],
        page: PAGE,
        summary: "Hands a waiting task the input that it asked for.",
        ..Method::request("tasks/update", Sender::Client, Feature::Tasks, "")
    },
    Method {
        since: V2026_07_28,
        extension: Some(EXTENSION),
        requires: &[client(DECLARED, Strength::Must), server(DECLARED, Strength::Implied)],
        target: TargetKey::Param("taskId"),
        relation: Relation::TaskId,
        required_params: &["_meta", "taskId"],
        required_result: &["resultType"],
        page: PAGE,
        summary: "Asks the server to stop a task; the answer only acknowledges.",
        ..Method::request("tasks/cancel", Sender::Client, Feature::Tasks, "")
    },
    Method {
        since: V2026_07_28,
        extension: Some(EXTENSION),
        requires: &[
            client(DECLARED, Strength::Must),
            server(DECLARED, Strength::Implied),
            opt_in(&["subscriptions/listen.params.notifications.taskIds"]),
        ],
        target: TargetKey::Param("taskId"),
        relation: Relation::TaskId,
        required_params: &["createdAt", "lastUpdatedAt", "status", "taskId", "ttlMs"],
        optional_params: &["error", "inputRequests", "pollIntervalMs", "result", "statusMessage"],
        page: PAGE,
        summary: "Tells the state of a task on a listen stream that asked for this task.",
        ..Method::notification("notifications/tasks", Sender::Server, Feature::Tasks, "")
    },
];
