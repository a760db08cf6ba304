//! The sampling primitive.

use crate::protocol::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::protocol::method::client;
use crate::protocol::{Condition, Feature, Method, MethodKind, Primitive, Sender, Strength, TaskAugmentation};

const SAMPLING_CREATE_MESSAGE: Method = Method {
    requires: &[client(&["sampling"], Strength::Should)],
    required_params: &["maxTokens", "messages"],
    optional_params: &[
        "includeContext",
        "metadata",
        "modelPreferences",
        "stopSequences",
        "systemPrompt",
        "temperature",
    ],
    required_result: &["content", "model", "role"],
    optional_result: &["stopReason"],
    deprecated: Some(V2026_07_28),
    page: "client/sampling#creating-messages",
    summary: "Asks the client to have its model write the next message.",
    ..Method::request(
        "sampling/createMessage",
        Sender::Server,
        Feature::Primitive(Primitive::Sampling),
        "CreateMessageRequest",
    )
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2024_11_05, until: V2025_03_26, ..SAMPLING_CREATE_MESSAGE },
    Method {
        since: V2025_06_18,
        until: V2025_06_18,
        requires: &[client(&["sampling"], Strength::Must)],
        ..SAMPLING_CREATE_MESSAGE
    },
    Method {
        since: V2025_11_25,
        until: V2025_11_25,
        requires: &[
            client(&["sampling"], Strength::Must),
            client(&["sampling", "tools"], Strength::Must).when(Condition::ToolsOrToolChoice),
            client(&["sampling", "context"], Strength::Should).when(Condition::IncludeContext),
            client(&["tasks", "requests", "sampling", "createMessage"], Strength::Should).when(Condition::TaskPresent),
        ],
        optional_params: &[
            "includeContext",
            "metadata",
            "modelPreferences",
            "stopSequences",
            "systemPrompt",
            "task",
            "temperature",
            "toolChoice",
            "tools",
        ],
        task_augmentation: TaskAugmentation::Requested,
        ..SAMPLING_CREATE_MESSAGE
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        kind: MethodKind::InputRequest,
        requires: &[
            client(&["sampling"], Strength::Must),
            client(&["sampling", "tools"], Strength::Must).when(Condition::ToolsOrToolChoice),
            client(&["sampling", "context"], Strength::Should).when(Condition::IncludeContext),
        ],
        optional_params: &[
            "includeContext",
            "metadata",
            "modelPreferences",
            "stopSequences",
            "systemPrompt",
            "temperature",
            "toolChoice",
            "tools",
        ],
        progress_token: false,
        summary: "Asks, inside an answer, that the client have its model write the next message.",
        ..SAMPLING_CREATE_MESSAGE
    },
];
