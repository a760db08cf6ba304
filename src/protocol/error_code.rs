//! ERROR_CODES: what an error code means in which revision, and the codes that no specification defines.

use super::Revision;
use super::Revision::{V2024_11_05, V2025_06_18, V2025_11_25, V2026_07_28};

/// A row of [`ERROR_CODES`].
#[derive(Clone, Copy, Debug)]
pub struct ErrorCode {
    /// The code.
    pub code: i64,
    /// Its name.
    pub name: &'static str,
    /// Who defines it: `JSON-RPC 2.0`, `MCP`, or an SDK outside the specification.
    pub origin: &'static str,
    /// The revisions in which it has this meaning, first and last; `None` when no revision defines it.
    pub revisions: Option<(Revision, Revision)>,
    /// When it is used, in one or two sentences.
    pub meaning: &'static str,
    /// Members that `error.data` must have.
    pub required_data: &'static [&'static str],
    /// The HTTP status that goes with it, where the specification fixes one.
    pub http_status: Option<u16>,
    /// Specification page, relative to the root of a revision; empty when no page describes it.
    pub page: &'static str,
}

/// Every known code; a code whose meaning changed has several rows, oldest first.
pub const ERROR_CODES: &[ErrorCode] = &[
    ErrorCode {
        meaning: "The message was no JSON, so that its sender's id may not be known.",
        ..rpc(-32700, "ParseError", V2024_11_05, V2026_07_28)
    },
    ErrorCode {
        meaning: "The JSON was no valid request object.",
        ..rpc(-32600, "InvalidRequest", V2024_11_05, V2025_06_18)
    },
    ErrorCode {
        meaning: "The JSON was no valid request object, or the receiver runs this kind of request as a task only.",
        ..rpc(-32600, "InvalidRequest", V2025_11_25, V2025_11_25)
    },
    ErrorCode {
        meaning: "The JSON was no valid request object.",
        ..rpc(-32600, "InvalidRequest", V2026_07_28, V2026_07_28)
    },
    ErrorCode {
        meaning: "The receiver does not know the method, or has not declared the capability behind it.",
        ..rpc(-32601, "MethodNotFound", V2024_11_05, V2025_06_18)
    },
    ErrorCode {
        meaning: "The receiver does not know the method or has not declared the capability behind it; also for a tool \
                  called as a task that cannot be one, or called without a task that must be one.",
        ..rpc(-32601, "MethodNotFound", V2025_11_25, V2025_11_25)
    },
    ErrorCode {
        meaning: "The server does not know the method, or has not declared the capability behind it; also for methods \
                  that the revision removed, such as tasks/list.",
        ..rpc(-32601, "MethodNotFound", V2026_07_28, V2026_07_28)
    },
    ErrorCode {
        meaning: "The params do not fit the method: an unknown tool or prompt, a missing argument, a bad cursor or log \
                  level, a protocol version that the server does not have.",
        ..rpc(-32602, "InvalidParams", V2024_11_05, V2025_06_18)
    },
    ErrorCode {
        meaning: "The params do not fit the method: an unknown tool or prompt, a missing argument, a bad cursor or log \
                  level, an elicitation mode that the client lacks, tool results that do not match in sampling, a task \
                  that is unknown or has ended.",
        ..rpc(-32602, "InvalidParams", V2025_11_25, V2025_11_25)
    },
    ErrorCode {
        meaning: "The params do not fit the method: an unknown tool, prompt or task, a bad cursor, a missing member of \
                  _meta, and from this revision on a resource that does not exist.",
        ..rpc(-32602, "InvalidParams", V2026_07_28, V2026_07_28)
    },
    ErrorCode {
        meaning: "Something went wrong inside the receiver. The code is JSON-RPC's own, not an addition of MCP.",
        ..rpc(-32603, "InternalError", V2024_11_05, V2026_07_28)
    },
    ErrorCode {
        meaning: "The user did not let the client's model answer. 2026-07-28 has no such answer.",
        page: "client/sampling#error-handling",
        ..mcp(-1, "UserRejected", V2024_11_05, V2025_11_25)
    },
    ErrorCode {
        meaning: "There is no resource with this URI. In 2026-07-28 the code for that is -32602.",
        page: "server/resources#error-handling",
        ..mcp(-32002, "ResourceNotFound", V2024_11_05, V2025_11_25)
    },
    ErrorCode {
        meaning: "The user has to visit one or more URLs before the request can succeed. In 2026-07-28 the server asks \
                  for that in an input_required result.",
        required_data: &["elicitations"],
        page: "client/elicitation#url-elicitation-required-error",
        ..mcp(-32042, "URLElicitationRequiredError", V2025_11_25, V2025_11_25)
    },
    ErrorCode {
        meaning: "An HTTP header says something else than the body of the request.",
        http_status: Some(400),
        page: "basic/transports/streamable-http#server-validation",
        ..mcp(-32020, "HeaderMismatch", V2026_07_28, V2026_07_28)
    },
    ErrorCode {
        meaning: "The server can only do this with a capability that the client did not declare on the request.",
        required_data: &["requiredCapabilities"],
        http_status: Some(400),
        page: "basic/index#meta",
        ..mcp(-32021, "MissingRequiredClientCapability", V2026_07_28, V2026_07_28)
    },
    ErrorCode {
        meaning: "The server does not have the protocol version of the request; the data lists those that it has.",
        required_data: &["requested", "supported"],
        http_status: Some(400),
        page: "basic/versioning#protocol-version-negotiation",
        ..mcp(-32022, "UnsupportedProtocolVersion", V2026_07_28, V2026_07_28)
    },
    ErrorCode {
        meaning: "The connection closed before the answer came; the library on the client's side made this error.",
        ..outside(-32000, "ConnectionClosed", "TypeScript SDK")
    },
    ErrorCode {
        meaning: "The answer took too long; the library on the client's side made this error. Before its publication \
                  2026-07-28 used this code for a header mismatch.",
        ..outside(-32001, "RequestTimeout", "TypeScript SDK")
    },
    ErrorCode {
        meaning: "Before its publication 2026-07-28 used this code for what is -32021 now.",
        ..outside(-32003, "MissingRequiredClientCapability", "pre-release of 2026-07-28")
    },
    ErrorCode {
        meaning: "Before its publication 2026-07-28 used this code for what is -32022 now.",
        ..outside(-32004, "UnsupportedProtocolVersion", "pre-release of 2026-07-28")
    },
];

/// A row of [`ERROR_RANGES`].
#[derive(Clone, Copy, Debug)]
pub struct ErrorRange {
    /// Lowest code.
    pub from: i64,
    /// Highest code.
    pub to: i64,
    /// The first revision that says so.
    pub since: Revision,
    /// Who may use codes of the range.
    pub meaning: &'static str,
}

/// What is said of whole ranges of codes, narrower ones first.
pub const ERROR_RANGES: &[ErrorRange] = &[
    ErrorRange {
        from: -32019,
        to: -32000,
        since: V2026_07_28,
        meaning: "Left to implementations; new ones should not use it, and only -32002 means the same everywhere.",
    },
    ErrorRange {
        from: -32099,
        to: -32020,
        since: V2026_07_28,
        meaning: "Reserved for the MCP specification: a code that it does not define must not be sent.",
    },
    ErrorRange {
        from: -32768,
        to: -32000,
        since: V2024_11_05,
        meaning: "Reserved by JSON-RPC 2.0: applications choose their codes outside of it.",
    },
];

/// The row for a code in a revision, else the row without revisions, else any row of that code.
pub fn error_meaning(code: i64, revision: Option<Revision>) -> Option<&'static ErrorCode> {
    let rows = || ERROR_CODES.iter().filter(move |row| row.code == code);
    revision
        .and_then(|revision| rows().find(|row| row.covers(revision)))
        .or_else(|| rows().find(|row| row.revisions.is_none()))
        .or_else(|| rows().next_back())
}

/// The narrowest range around a code, of those that a revision knows (any, without a revision).
pub fn error_range(code: i64, revision: Option<Revision>) -> Option<&'static ErrorRange> {
    ERROR_RANGES
        .iter()
        .find(|row| (row.from..=row.to).contains(&code) && revision.is_none_or(|revision| revision >= row.since))
}

impl ErrorCode {
    /// True when a revision gives the code this meaning.
    pub fn covers(&self, revision: Revision) -> bool {
        self.revisions.is_some_and(|(since, until)| (since..=until).contains(&revision))
    }
}

const fn rpc(code: i64, name: &'static str, since: Revision, until: Revision) -> ErrorCode {
    ErrorCode {
        code,
        name,
        origin: "JSON-RPC 2.0",
        revisions: Some((since, until)),
        meaning: "",
        required_data: &[],
        http_status: None,
        page: "",
    }
}

const fn mcp(code: i64, name: &'static str, since: Revision, until: Revision) -> ErrorCode {
    ErrorCode { origin: "MCP", ..rpc(code, name, since, until) }
}

const fn outside(code: i64, name: &'static str, origin: &'static str) -> ErrorCode {
    ErrorCode { origin, revisions: None, ..rpc(code, name, V2024_11_05, V2024_11_05) }
}

#[cfg(test)]
mod tests;
