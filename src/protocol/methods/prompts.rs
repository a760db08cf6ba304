//! The prompts primitive.

use crate::protocol::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::protocol::method::{opt_in, server};
use crate::protocol::{Feature, Method, Primitive, Relation, Sender, Strength, TargetKey};

const PROMPTS_GET: Method = Method {
    may_ask: true,
    requires: &[server(&["prompts"], Strength::Should)],
    target: TargetKey::Param("name"),
    required_params: &["name"],
    optional_params: &["arguments"],
    required_result: &["messages"],
    optional_result: &["description"],
    page: "server/prompts#getting-a-prompt",
    summary: "Fetches one prompt, filled in with arguments, as messages for a model.",
    ..Method::request("prompts/get", Sender::Client, Feature::Primitive(Primitive::Prompts), "GetPromptRequest")
};

const PROMPTS_LIST: Method = Method {
    requires: &[server(&["prompts"], Strength::Should)],
    optional_params: &["cursor"],
    required_result: &["prompts"],
    optional_result: &["nextCursor"],
    paginated: true,
    page: "server/prompts#listing-prompts",
    summary: "Lists the prompts that the server offers, a page at a time.",
    ..Method::request("prompts/list", Sender::Client, Feature::Primitive(Primitive::Prompts), "ListPromptsRequest")
};

const PROMPTS_LIST_CHANGED: Method = Method {
    requires: &[server(&["prompts", "listChanged"], Strength::Should)],
    page: "server/prompts#list-changed-notification",
    summary: "Tells the client that the list of prompts is no longer what it was.",
    ..Method::notification(
        "notifications/prompts/list_changed",
        Sender::Server,
        Feature::Primitive(Primitive::Prompts),
        "PromptListChangedNotification",
    )
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2024_11_05, until: V2025_03_26, ..PROMPTS_GET },
    Method { since: V2025_06_18, until: V2025_11_25, requires: &[server(&["prompts"], Strength::Must)], ..PROMPTS_GET },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[server(&["prompts"], Strength::Implied)],
        required_params: &["_meta", "name"],
        optional_params: &["arguments", "inputResponses", "requestState"],
        required_result: &["messages", "resultType"],
        input_required: true,
        ..PROMPTS_GET
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..PROMPTS_LIST },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["prompts"], Strength::Must)],
        ..PROMPTS_LIST
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[server(&["prompts"], Strength::Implied)],
        required_params: &["_meta"],
        required_result: &["cacheScope", "prompts", "resultType", "ttlMs"],
        cacheable: true,
        ..PROMPTS_LIST
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..PROMPTS_LIST_CHANGED },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["prompts", "listChanged"], Strength::Must)],
        ..PROMPTS_LIST_CHANGED
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[
            server(&["prompts", "listChanged"], Strength::Implied),
            opt_in(&["subscriptions/listen.params.notifications.promptsListChanged"]),
        ],
        relation: Relation::Subscription,
        ..PROMPTS_LIST_CHANGED
    },
];
