//! The tools primitive.

use crate::protocol::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::protocol::method::{opt_in, server};
use crate::protocol::{Condition, Feature, Method, Primitive, Relation, Sender, Strength, TargetKey, TaskAugmentation};

const TOOLS_CALL: Method = Method {
    may_ask: true,
    tool_result: true,
    requires: &[server(&["tools"], Strength::Should)],
    target: TargetKey::Param("name"),
    required_params: &["name"],
    optional_params: &["arguments"],
    required_result: &["content"],
    optional_result: &["isError"],
    page: "server/tools#calling-tools",
    summary: "Runs one tool with arguments and gets its content back.",
    ..Method::request("tools/call", Sender::Client, Feature::Primitive(Primitive::Tools), "CallToolRequest")
};

const TOOLS_LIST: Method = Method {
    requires: &[server(&["tools"], Strength::Should)],
    optional_params: &["cursor"],
    required_result: &["tools"],
    optional_result: &["nextCursor"],
    paginated: true,
    page: "server/tools#listing-tools",
    summary: "Lists the tools that the server offers, a page at a time.",
    ..Method::request("tools/list", Sender::Client, Feature::Primitive(Primitive::Tools), "ListToolsRequest")
};

const TOOLS_LIST_CHANGED: Method = Method {
    requires: &[server(&["tools", "listChanged"], Strength::Should)],
    page: "server/tools#list-changed-notification",
    summary: "Tells the client that the list of tools is no longer what it was.",
    ..Method::notification(
        "notifications/tools/list_changed",
        Sender::Server,
        Feature::Primitive(Primitive::Tools),
        "ToolListChangedNotification",
    )
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2024_11_05, until: V2025_03_26, ..TOOLS_CALL },
    Method {
        since: V2025_06_18,
        until: V2025_06_18,
        requires: &[server(&["tools"], Strength::Must)],
        optional_result: &["isError", "structuredContent"],
        ..TOOLS_CALL
    },
    Method {
        since: V2025_11_25,
        until: V2025_11_25,
        requires: &[
            server(&["tools"], Strength::Must),
            server(&["tasks", "requests", "tools", "call"], Strength::Must).when(Condition::TaskPresent),
        ],
        optional_params: &["arguments", "task"],
        optional_result: &["isError", "structuredContent"],
        task_augmentation: TaskAugmentation::Requested,
        ..TOOLS_CALL
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[server(&["tools"], Strength::Implied)],
        required_params: &["_meta", "name"],
        optional_params: &["arguments", "inputResponses", "requestState"],
        required_result: &["content", "resultType"],
        optional_result: &["isError", "structuredContent"],
        task_augmentation: TaskAugmentation::ServerDirected,
        input_required: true,
        ..TOOLS_CALL
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..TOOLS_LIST },
    Method { since: V2025_06_18, until: V2025_11_25, requires: &[server(&["tools"], Strength::Must)], ..TOOLS_LIST },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[server(&["tools"], Strength::Implied)],
        required_params: &["_meta"],
        required_result: &["cacheScope", "resultType", "tools", "ttlMs"],
        cacheable: true,
        ..TOOLS_LIST
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..TOOLS_LIST_CHANGED },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["tools", "listChanged"], Strength::Must)],
        ..TOOLS_LIST_CHANGED
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[
            server(&["tools", "listChanged"], Strength::Implied),
            opt_in(&["subscriptions/listen.params.notifications.toolsListChanged"]),
        ],
        relation: Relation::Subscription,
        ..TOOLS_LIST_CHANGED
    },
];
