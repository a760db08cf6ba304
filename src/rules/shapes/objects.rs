//! The objects that stand in params and results: tools, resources, prompts, tasks and the like.

use super::Type::{Answer, Any, Flag, Id, List, ListOf, Map, Number, NumberOrNull, Object, Of, OneOf, OneOrMore, Text};
use super::{Member, Shape, may, must};
use crate::protocol::Revision;
use crate::rules::revisions::Revisions;

pub(super) const SINCE_2025_03: Revisions = Revisions::since(Revision::V2025_03_26);
pub(super) const SINCE_2025_06: Revisions = Revisions::since(Revision::V2025_06_18);
pub(super) const SINCE_2025_11: Revisions = Revisions::since(Revision::V2025_11_25);
pub(super) const ONLY_2025_11: Revisions = Revisions::only(Revision::V2025_11_25);

pub(super) const ROLE: super::Type = OneOf(&["user", "assistant"]);
pub(super) const TITLE: Member = may("title", Text).within(SINCE_2025_06);
pub(super) const ICONS: Member = may("icons", ListOf(&ICON)).within(SINCE_2025_11);
pub(super) const ANNOTATIONS: Member = may("annotations", Of(&ANNOTATION));

pub(super) static ICON: Shape = Shape {
    members: &[
        must("src", Text),
        may("mimeType", Text),
        may("sizes", List(&Text)),
        may("theme", OneOf(&["light", "dark"])),
    ],
};

pub(super) static ANNOTATION: Shape = Shape {
    members: &[may("audience", List(&ROLE)), may("priority", Number), may("lastModified", Text).within(SINCE_2025_06)],
};

/// Name and version of a client or server.
pub(super) static IMPLEMENTATION: Shape = Shape {
    members: &[
        must("name", Text),
        must("version", Text),
        TITLE,
        may("description", Text).within(SINCE_2025_11),
        ICONS,
        may("websiteUrl", Text).within(SINCE_2025_11),
    ],
};

pub(super) static TOOL: Shape = Shape {
    members: &[
        must("name", Text),
        TITLE,
        may("description", Text),
        // Schemas have rules of their own.
        may("inputSchema", Any),
        may("outputSchema", Any).within(SINCE_2025_06),
        may("annotations", Of(&TOOL_ANNOTATION)).within(SINCE_2025_03),
        may("execution", Of(&TOOL_EXECUTION)).within(ONLY_2025_11),
        ICONS,
    ],
};

static TOOL_ANNOTATION: Shape = Shape {
    members: &[
        may("title", Text),
        may("readOnlyHint", Flag),
        may("destructiveHint", Flag),
        may("idempotentHint", Flag),
        may("openWorldHint", Flag),
    ],
};

static TOOL_EXECUTION: Shape = Shape { members: &[may("taskSupport", OneOf(&["forbidden", "optional", "required"]))] };

pub(super) static TOOL_CHOICE: Shape = Shape { members: &[may("mode", OneOf(&["auto", "required", "none"]))] };

pub(super) static RESOURCE: Shape = Shape {
    members: &[
        must("uri", Text),
        must("name", Text),
        TITLE,
        may("description", Text),
        may("mimeType", Text),
        may("size", Number),
        ANNOTATIONS,
        ICONS,
    ],
};

/// What is required of it has a rule of its own.
pub(super) static RESOURCE_CONTENTS: Shape =
    Shape { members: &[may("uri", Text), may("mimeType", Text), may("text", Text), may("blob", Text)] };

pub(super) static RESOURCE_TEMPLATE: Shape = Shape {
    members: &[
        must("uriTemplate", Text),
        must("name", Text),
        TITLE,
        may("description", Text),
        may("mimeType", Text),
        ANNOTATIONS,
        ICONS,
    ],
};

pub(super) static PROMPT: Shape = Shape {
    members: &[must("name", Text), TITLE, may("description", Text), may("arguments", ListOf(&PROMPT_ARGUMENT)), ICONS],
};

static PROMPT_ARGUMENT: Shape =
    Shape { members: &[must("name", Text), TITLE, may("description", Text), may("required", Flag)] };

/// A message of a prompt: one block of content.
pub(super) static PROMPT_MESSAGE: Shape = Shape { members: &[must("role", ROLE), must("content", Object)] };

/// A message of sampling: one block, or from 2025-11-25 on several.
pub(super) static SAMPLING_MESSAGE: Shape = Shape {
    members: &[
        must("role", ROLE),
        must("content", Object).within(Revisions::between(Revision::V2024_11_05, Revision::V2025_06_18)),
        must("content", OneOrMore).within(SINCE_2025_11),
    ],
};

pub(super) static MODEL_PREFERENCES: Shape = Shape {
    members: &[
        may("hints", ListOf(&MODEL_HINT)),
        may("costPriority", Number),
        may("speedPriority", Number),
        may("intelligencePriority", Number),
    ],
};

static MODEL_HINT: Shape = Shape { members: &[may("name", Text)] };

pub(super) static ROOT: Shape = Shape { members: &[must("uri", Text), may("name", Text)] };

/// `ref` of a completion: a prompt by name or a resource by URI.
pub(super) static PROMPT_REFERENCE: Shape = Shape { members: &[must("name", Text), TITLE] };
pub(super) static RESOURCE_REFERENCE: Shape = Shape { members: &[must("uri", Text)] };

pub(super) static COMPLETION_ARGUMENT: Shape = Shape { members: &[must("name", Text), must("value", Text)] };
pub(super) static COMPLETION_CONTEXT: Shape = Shape { members: &[may("arguments", Map(&Text))] };
pub(super) static COMPLETION: Shape =
    Shape { members: &[must("values", List(&Text)), may("total", Number), may("hasMore", Flag)] };

/// `requestedSchema` of an elicitation.
pub(super) static REQUESTED_SCHEMA: Shape = Shape {
    members: &[
        must("type", OneOf(&["object"])),
        must("properties", Map(&Object)),
        may("required", List(&Text)),
        may("$schema", Text).within(SINCE_2025_11),
    ],
};

/// Values that a user entered.
pub(super) const ANSWERS: super::Type = Map(&Answer);

pub(super) static TASK: Shape = Shape {
    members: &[
        must("taskId", Text),
        must("status", OneOf(&["working", "input_required", "completed", "failed", "cancelled"])),
        may("statusMessage", Text),
        must("createdAt", Text),
        must("lastUpdatedAt", Text),
        must("ttl", NumberOrNull),
        may("pollInterval", Number),
    ],
};

pub(super) static TASK_METADATA: Shape = Shape { members: &[may("ttl", Number)] };

/// What a listen request asks for, and what its acknowledgement grants.
pub(super) static SUBSCRIPTION_FILTER: Shape = Shape {
    members: &[
        may("toolsListChanged", Flag),
        may("promptsListChanged", Flag),
        may("resourcesListChanged", Flag),
        may("resourceSubscriptions", List(&Text)),
    ],
};

/// `_meta` of a request. What of it is required has a rule of its own.
pub(super) static REQUEST_META: Shape = Shape {
    members: &[
        may("io.modelcontextprotocol/protocolVersion", Text).within(crate::rules::MODERN),
        may("io.modelcontextprotocol/clientCapabilities", Object).within(crate::rules::MODERN),
        may("io.modelcontextprotocol/clientInfo", Of(&IMPLEMENTATION)).within(crate::rules::MODERN),
    ],
};

/// `_meta` of a result.
pub(super) static RESULT_META: Shape = Shape {
    members: &[
        may("io.modelcontextprotocol/serverInfo", Of(&IMPLEMENTATION)).within(crate::rules::MODERN),
        may("io.modelcontextprotocol/subscriptionId", Id).within(crate::rules::MODERN),
    ],
};
