//! The params and results of every method.

use super::Shape;
use super::Type::{Any, Flag, Id, List, ListOf, Map, Number, Object, Of, OneOf, Text};
use super::objects::{
    ANSWERS, COMPLETION, COMPLETION_ARGUMENT, COMPLETION_CONTEXT, IMPLEMENTATION, MODEL_PREFERENCES, ONLY_2025_11,
    PROMPT, PROMPT_MESSAGE, PROMPT_REFERENCE, REQUEST_META, REQUESTED_SCHEMA, RESOURCE, RESOURCE_CONTENTS,
    RESOURCE_REFERENCE, RESOURCE_TEMPLATE, RESULT_META, ROLE, ROOT, SAMPLING_MESSAGE, SINCE_2025_06, SINCE_2025_11,
    SUBSCRIPTION_FILTER, TASK, TASK_METADATA, TOOL, TOOL_CHOICE,
};
use super::{Member, may, must};
use crate::protocol::Revision;
use crate::rules::revisions::{MODERN, Revisions};

const META: Member = may("_meta", Of(&REQUEST_META));
const RESULT: Member = may("_meta", Of(&RESULT_META));
/// Every result of 2026-07-28 says what it is.
const RESULT_TYPE: Member = may("resultType", Any).within(MODERN);
const TTL: Member = may("ttlMs", Any).within(MODERN);
const SCOPE: Member = may("cacheScope", Any).within(MODERN);
const CURSOR: Member = may("cursor", Text);
const NEXT: Member = may("nextCursor", Text);
const TASK_WISH: Member = may("task", Of(&TASK_METADATA)).within(ONLY_2025_11);
const RESPONSES: Member = may("inputResponses", Map(&Object)).within(MODERN);
const STATE: Member = may("requestState", Text).within(MODERN);

/// What a method takes and gives.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Shapes {
    pub(in crate::rules) params: &'static Shape,
    pub(in crate::rules) result: &'static Shape,
}

macro_rules! shape {
    ($($member:expr),* $(,)?) => {{
        static SHAPE: Shape = Shape { members: &[$($member),*] };
        &SHAPE
    }};
}

/// The shapes of a method in a revision; `None` when nothing is said of it here. `params` and `result` tell the forms of one
/// method apart.
pub(in crate::rules) fn shapes_of(method: &str, discriminant: Option<&str>, modern: bool) -> Option<Shapes> {
    let empty = shape![RESULT, RESULT_TYPE];
    let nothing = shape![META];
    let (params, result): (&'static Shape, &'static Shape) = match method {
        "initialize" => (
            shape![
                META,
                must("protocolVersion", Text),
                must("capabilities", Object),
                must("clientInfo", Of(&IMPLEMENTATION))
            ],
            shape![
                RESULT,
                RESULT_TYPE,
                must("protocolVersion", Text),
                must("capabilities", Object),
                must("serverInfo", Of(&IMPLEMENTATION)),
                may("instructions", Text),
            ],
        ),
        "server/discover" => (
            nothing,
            shape![
                RESULT,
                RESULT_TYPE,
                must("supportedVersions", List(&Text)),
                must("capabilities", Object),
                may("instructions", Text),
                TTL,
                SCOPE,
            ],
        ),
        "ping" => (nothing, empty),
        "tools/list" => {
            (shape![META, CURSOR], shape![RESULT, RESULT_TYPE, must("tools", ListOf(&TOOL)), NEXT, TTL, SCOPE])
        }
        "tools/call" => (
            shape![META, must("name", Text), may("arguments", Object), TASK_WISH, RESPONSES, STATE],
            shape![
                RESULT,
                RESULT_TYPE,
                must("content", List(&Object)),
                may("isError", Flag),
                may("structuredContent", Any).within(SINCE_2025_06),
            ],
        ),
        "resources/list" => {
            (shape![META, CURSOR], shape![RESULT, RESULT_TYPE, must("resources", ListOf(&RESOURCE)), NEXT, TTL, SCOPE])
        }
        "resources/templates/list" => (
            shape![META, CURSOR],
            shape![RESULT, RESULT_TYPE, must("resourceTemplates", ListOf(&RESOURCE_TEMPLATE)), NEXT, TTL, SCOPE],
        ),
        "resources/read" => (
            shape![META, must("uri", Text), RESPONSES, STATE],
            shape![RESULT, RESULT_TYPE, must("contents", ListOf(&RESOURCE_CONTENTS)), TTL, SCOPE],
        ),
        "resources/subscribe" | "resources/unsubscribe" => (shape![META, must("uri", Text)], empty),
        "prompts/list" => {
            (shape![META, CURSOR], shape![RESULT, RESULT_TYPE, must("prompts", ListOf(&PROMPT)), NEXT, TTL, SCOPE])
        }
        "prompts/get" => (
            shape![META, must("name", Text), may("arguments", Map(&Text)), RESPONSES, STATE],
            shape![RESULT, RESULT_TYPE, must("messages", ListOf(&PROMPT_MESSAGE)), may("description", Text)],
        ),
        "completion/complete" => (
            match discriminant {
                Some("ref/prompt") => shape![
                    META,
                    must("ref", Of(&PROMPT_REFERENCE)),
                    must("argument", Of(&COMPLETION_ARGUMENT)),
                    may("context", Of(&COMPLETION_CONTEXT)).within(SINCE_2025_06),
                ],
                Some("ref/resource") => shape![
                    META,
                    must("ref", Of(&RESOURCE_REFERENCE)),
                    must("argument", Of(&COMPLETION_ARGUMENT)),
                    may("context", Of(&COMPLETION_CONTEXT)).within(SINCE_2025_06),
                ],
                _ => {
                    static REFERENCE: Shape =
                        Shape { members: &[must("type", OneOf(&["ref/prompt", "ref/resource"]))] };
                    shape![META, must("ref", Of(&REFERENCE)), must("argument", Of(&COMPLETION_ARGUMENT))]
                }
            },
            shape![RESULT, RESULT_TYPE, must("completion", Of(&COMPLETION))],
        ),
        "logging/setLevel" => (shape![META, must("level", Any)], empty),
        "sampling/createMessage" => (
            shape![
                META,
                must("messages", ListOf(&SAMPLING_MESSAGE)),
                must("maxTokens", Number),
                may("modelPreferences", Of(&MODEL_PREFERENCES)),
                may("systemPrompt", Text),
                may("includeContext", OneOf(&["none", "thisServer", "allServers"])),
                may("temperature", Number),
                may("stopSequences", List(&Text)),
                may("metadata", Object),
                may("tools", ListOf(&TOOL)).within(SINCE_2025_11),
                may("toolChoice", Of(&TOOL_CHOICE)).within(SINCE_2025_11),
                TASK_WISH,
            ],
            shape![
                RESULT,
                must("role", ROLE),
                must("content", Object).within(Revisions::between(Revision::V2024_11_05, Revision::V2025_06_18)),
                must("content", super::Type::OneOrMore).within(SINCE_2025_11),
                must("model", Text),
                may("stopReason", Text),
            ],
        ),
        "roots/list" => (nothing, shape![RESULT, must("roots", ListOf(&ROOT))]),
        "elicitation/create" => (
            match discriminant {
                Some("url") => shape![
                    META,
                    must("mode", OneOf(&["url"])),
                    must("message", Text),
                    must("url", Text),
                    must("elicitationId", Text).within(ONLY_2025_11),
                    TASK_WISH,
                ],
                _ => shape![
                    META,
                    may("mode", OneOf(&["form", "url"])).within(SINCE_2025_11),
                    must("message", Text),
                    must("requestedSchema", Of(&REQUESTED_SCHEMA)),
                    TASK_WISH,
                ],
            },
            shape![RESULT, must("action", OneOf(&["accept", "decline", "cancel"])), may("content", ANSWERS)],
        ),
        "tasks/get" | "tasks/cancel" if !modern => (shape![META, must("taskId", Text)], {
            static GOT: Shape = Shape { members: TASK.members };
            &GOT
        }),
        "tasks/result" if !modern => (shape![META, must("taskId", Text)], shape![RESULT]),
        "tasks/list" if !modern => (shape![META, CURSOR], shape![RESULT, must("tasks", ListOf(&TASK)), NEXT]),
        "subscriptions/listen" => {
            (shape![META, must("notifications", Of(&SUBSCRIPTION_FILTER))], shape![RESULT, RESULT_TYPE])
        }
        "notifications/cancelled" => (
            shape![
                META,
                must("requestId", Id).within(Revisions::without(Revision::V2025_11_25)),
                // What is missing in 2025-11-25 has a rule of its own.
                may("requestId", Id).within(ONLY_2025_11),
                may("reason", Text),
            ],
            empty,
        ),
        "notifications/progress" => (
            shape![
                META,
                must("progressToken", Id),
                must("progress", Number),
                may("total", Number),
                may("message", Text).within(super::objects::SINCE_2025_03),
            ],
            empty,
        ),
        "notifications/message" => (shape![META, must("level", Any), must("data", Any), may("logger", Text)], empty),
        "notifications/resources/updated" => (shape![META, must("uri", Text)], empty),
        "notifications/elicitation/complete" => (shape![META, must("elicitationId", Text)], empty),
        "notifications/tasks/status" => (
            {
                static STATUS: Shape = Shape { members: TASK.members };
                &STATUS
            },
            empty,
        ),
        "notifications/subscriptions/acknowledged" => {
            (shape![META, must("notifications", Of(&SUBSCRIPTION_FILTER))], empty)
        }
        _ => return None,
    };
    Some(Shapes { params, result })
}

/// The handle of a task, in place of the result of a request that asked to be one (2025-11-25).
pub(in crate::rules) static TASK_HANDLE: Shape = Shape { members: &[RESULT, must("task", Of(&TASK))] };
