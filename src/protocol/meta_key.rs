//! META_KEYS: the members of `_meta` that the specification or an extension defines.

use super::Revision;
use super::Revision::{V2025_11_25, V2026_07_28};

/// A row of [`META_KEYS`].
#[derive(Clone, Copy, Debug)]
pub struct MetaKey {
    /// The key.
    pub key: &'static str,
    /// Where it stands, for example `every client request`.
    pub on: &'static str,
    /// Its JSON type in words.
    pub kind: &'static str,
    /// The revisions that define it, first and last; `None` for keys of extensions.
    pub revisions: Option<(Revision, Revision)>,
    /// The extension that defines it, or `None` for the core protocol.
    pub extension: Option<&'static str>,
    /// `MUST`, `SHOULD`, `opt-in` or empty.
    pub required: &'static str,
    /// Deprecated in the last revision (or extension text) that has it.
    pub deprecated: bool,
    /// What it is for, in one sentence.
    pub summary: &'static str,
}

/// Every known key.
pub const META_KEYS: &[MetaKey] = &[
    MetaKey {
        on: "any request that wants progress",
        kind: "string or integer",
        revisions: Some((Revision::FIRST, Revision::LATEST)),
        summary: "A token of the sender's choice: the receiver may report progress under it.",
        ..core("progressToken")
    },
    MetaKey {
        on: "every message that belongs to a task",
        kind: "object with taskId",
        revisions: Some((V2025_11_25, V2025_11_25)),
        summary: "Ties a request, answer or notification to the task in whose course it was sent.",
        ..core("io.modelcontextprotocol/related-task")
    },
    MetaKey {
        on: "the result that hands out a task",
        kind: "string",
        revisions: Some((V2025_11_25, V2025_11_25)),
        summary: "A text that the host may give its model at once, while the task runs (provisional).",
        ..core("io.modelcontextprotocol/model-immediate-response")
    },
    MetaKey {
        on: "every client request",
        kind: "string",
        required: "MUST",
        summary: "The revision that the request follows.",
        ..core("io.modelcontextprotocol/protocolVersion")
    },
    MetaKey {
        on: "every client request",
        kind: "object of client capabilities",
        required: "MUST",
        summary: "What the client can do for this request; nothing is inferred from earlier requests.",
        ..core("io.modelcontextprotocol/clientCapabilities")
    },
    MetaKey {
        on: "every client request",
        kind: "object with name and version",
        required: "SHOULD",
        summary: "The name and version of the client.",
        ..core("io.modelcontextprotocol/clientInfo")
    },
    MetaKey {
        on: "client requests",
        kind: "log level",
        required: "opt-in",
        deprecated: true,
        summary: "Asks for log messages of this severity or above while the request runs; without it there are none.",
        ..core("io.modelcontextprotocol/logLevel")
    },
    MetaKey {
        on: "every notification of a listen stream, and the listen result",
        kind: "string or integer, the id of the listen request",
        required: "MUST",
        summary: "Names the listen stream to which the message belongs.",
        ..core("io.modelcontextprotocol/subscriptionId")
    },
    MetaKey {
        on: "every result",
        kind: "object with name and version",
        required: "SHOULD",
        summary: "The name and version of the server.",
        ..core("io.modelcontextprotocol/serverInfo")
    },
    MetaKey {
        on: "any message",
        kind: "W3C Trace Context",
        summary: "Ties the message to a distributed trace.",
        ..core("traceparent")
    },
    MetaKey {
        on: "any message",
        kind: "W3C Trace Context",
        summary: "What each tracing system adds to the trace.",
        ..core("tracestate")
    },
    MetaKey {
        on: "any message",
        kind: "W3C Baggage",
        summary: "Names and values that travel along with a trace.",
        ..core("baggage")
    },
    MetaKey {
        on: "tools, resources and resource contents",
        kind: "object",
        summary: "Ties a tool to the view that shows it, and tells what a view may load and do.",
        ..apps("ui")
    },
    MetaKey {
        on: "tools",
        kind: "string",
        deprecated: true,
        summary: "The URI of a tool's view, in the flat form that `ui.resourceUri` replaced.",
        ..apps("ui/resourceUri")
    },
];

/// The row of a key.
pub fn meta_key(key: &str) -> Option<&'static MetaKey> {
    META_KEYS.iter().find(|row| row.key == key)
}

/// A key that 2026-07-28 brought.
const fn core(key: &'static str) -> MetaKey {
    MetaKey {
        key,
        on: "",
        kind: "",
        revisions: Some((V2026_07_28, V2026_07_28)),
        extension: None,
        required: "",
        deprecated: false,
        summary: "",
    }
}

/// A key of MCP Apps.
const fn apps(key: &'static str) -> MetaKey {
    MetaKey { revisions: None, extension: Some("io.modelcontextprotocol/ui"), ..core(key) }
}

#[cfg(test)]
mod tests {
    use super::{META_KEYS, meta_key};

    #[test]
    fn every_key_is_found_and_no_other() {
        for row in META_KEYS {
            assert_eq!(meta_key(row.key).map(|found| found.summary), Some(row.summary), "{}", row.key);
        }
        assert!(meta_key("progresstoken").is_none());
        assert!(meta_key("").is_none());
    }
}
