//! The elicitation primitive.

use crate::protocol::Revision::{V2025_06_18, V2025_11_25, V2026_07_28};
use crate::protocol::method::client;
use crate::protocol::{Condition, Feature, Method, MethodKind, Primitive, Sender, Strength, TaskAugmentation};

const ELICITATION_CREATE: Method = Method {
    requires: &[client(&["elicitation"], Strength::Must)],
    required_params: &["message", "requestedSchema"],
    required_result: &["action"],
    optional_result: &["content"],
    page: "client/elicitation#creating-elicitation-requests",
    summary: "Asks the user for input that the server needs to go on.",
    ..Method::request("elicitation/create", Sender::Server, Feature::Primitive(Primitive::Elicitation), "ElicitRequest")
};

const ELICITATION_COMPLETE: Method = Method {
    requires: &[client(&["elicitation", "url"], Strength::Must)],
    required_params: &["elicitationId"],
    replaced_by: Some("the retry of the original request"),
    page: "client/elicitation#completion-notifications-for-url-mode-elicitation",
    summary: "Tells the client that an interaction at a URL has ended.",
    ..Method::notification(
        "notifications/elicitation/complete",
        Sender::Server,
        Feature::Primitive(Primitive::Elicitation),
        "ElicitationCompleteNotification",
    )
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2025_06_18, until: V2025_06_18, ..ELICITATION_CREATE },
    Method {
        since: V2025_11_25,
        until: V2025_11_25,
        requires: &[
            client(&["elicitation"], Strength::Must),
            client(&["elicitation", "form"], Strength::Must).when(Condition::ModeForm),
            client(&["elicitation", "url"], Strength::Must).when(Condition::ModeUrl),
            client(&["tasks", "requests", "elicitation", "create"], Strength::Should).when(Condition::TaskPresent),
        ],
        required_params: &["message"],
        optional_params: &["elicitationId", "mode", "requestedSchema", "task", "url"],
        task_augmentation: TaskAugmentation::Requested,
        page: "client/elicitation#elicitation-requests",
        summary: "Asks the user for input, in a form or at a URL outside the client.",
        ..ELICITATION_CREATE
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        kind: MethodKind::InputRequest,
        requires: &[
            client(&["elicitation"], Strength::Must),
            client(&["elicitation", "form"], Strength::Must).when(Condition::ModeForm),
            client(&["elicitation", "url"], Strength::Must).when(Condition::ModeUrl),
        ],
        required_params: &["message"],
        optional_params: &["mode", "requestedSchema", "url"],
        progress_token: false,
        page: "client/elicitation#elicitation-requests",
        summary: "Asks the user, inside an answer, for input in a form or at a URL outside the client.",
        ..ELICITATION_CREATE
    },
    Method { since: V2025_11_25, until: V2025_11_25, ..ELICITATION_COMPLETE },
];
