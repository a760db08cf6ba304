//! The records of a run and of its inputs.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::{V1Confidence, V1InputStatus};

/// First record of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "trace")]
pub struct V1Trace<'a> {
    /// Which record this is.
    #[schemars(extend("const" = "trace"))]
    pub record: &'static str,
    /// Version of this output.
    #[schemars(extend("const" = "mcp-trace/1"))]
    pub version: &'static str,
    /// What wrote it.
    pub tool: V1Tool,
    /// The command that ran.
    pub command: &'a str,
    /// The filter in words; null when none is set.
    pub filter: Option<&'a str>,
    /// The inputs as the user named them.
    pub inputs: &'a [String],
}

/// Name and version of the program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "tool")]
pub struct V1Tool {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

record! {
    /// An input, when it has been read. Its position members but `input` and `file` are null.
    V1Input = "input" {
        /// The format that was recognised or forced.
        format: Option<&'a str>,
        /// How sure the recognition is.
        confidence: Option<V1Confidence>,
        /// Why that format, as half a sentence.
        reason: Option<Cow<'a, str>>,
        /// What was taken off the text before it could be read, the outermost first: `gzip`, `utf-16le` and the like;
        /// open.
        wrappings: Vec<&'a str>,
        /// Bytes of the text read, decompressed and in UTF-8.
        bytes: u64,
        /// Physical lines read; the five classes that follow add up to it.
        lines: u64,
        /// Lines of messages.
        message_lines: u64,
        /// Lines that only frame others.
        frame_lines: u64,
        /// Lines that tell of something that is no message.
        event_lines: u64,
        /// Lines of anything else.
        noise_lines: u64,
        /// Blank lines.
        blank_lines: u64,
        /// Messages found.
        messages: u64,
        /// How it ended.
        status: V1InputStatus,
        /// What went wrong and where, for a person.
        error: Option<&'a str>,
    }
}

/// Totals of a run; its last record, also after Ctrl-C.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "summary")]
pub struct V1Summary<'a> {
    /// Which record this is.
    #[schemars(extend("const" = "summary"))]
    pub record: &'static str,
    /// Messages.
    pub messages: u64,
    /// Requests.
    pub requests: u64,
    /// Responses, error responses among them.
    pub responses: u64,
    /// Error responses.
    pub error_responses: u64,
    /// Tool results with `isError`, among the responses.
    pub tool_errors: u64,
    /// Notifications.
    pub notifications: u64,
    /// Invalid messages.
    pub invalid: u64,
    /// Requests and responses inside other messages.
    pub embedded: u64,
    /// Other tellings of messages.
    pub views: u64,
    /// Events that are noise.
    pub noise: u64,
    /// Events that are not.
    pub events: u64,
    /// Sessions.
    pub sessions: u64,
    /// Messages in phase initialization or shutdown.
    pub lifecycle: u64,
    /// Messages in phase operation.
    pub operation: u64,
    /// Messages in no decidable phase.
    pub unphased: u64,
    /// Lifecycle over lifecycle and operation, rounded to six digits; null when both are 0.
    pub lifecycle_ratio: Option<f64>,
    /// Requests that need a capability that was not declared.
    pub undeclared: u64,
    /// Requests without an answer.
    pub unanswered: u64,
    /// What the filter has done; null when none is set. With a filter, everything that is counted here was selected by it.
    pub filtered: Option<V1Filtered>,
    /// Findings by severity; null when no rules ran.
    pub findings: Option<V1Findings>,
    /// What a change of what was negotiated would do; null when none is supposed.
    pub what_if: Option<Vec<V1Effect<'a>>>,
    /// Findings that are not among the records, since the configuration or the baseline holds them back; null when no
    /// rules ran.
    pub held: Option<V1Held>,
    /// Bounded tables that overflowed.
    pub caps_reached: Vec<V1Cap<'a>>,
    /// Every input was read whole and recognised.
    pub complete: bool,
    /// The user stopped the run.
    pub interrupted: bool,
    /// The exit code of the process.
    pub exit_code: u8,
}

/// What a filter has done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "filtered")]
pub struct V1Filtered {
    /// Messages that were read, selected or not.
    pub read: u64,
    /// Messages that were not selected because they have no time to hold against the one asked for.
    pub untimed: u64,
    /// Messages that were not selected because the expression could not be worked out for them.
    pub undecided: u64,
}

/// Findings by severity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "findings")]
#[allow(missing_docs)]
pub struct V1Findings {
    pub error: u64,
    pub warning: u64,
    pub note: u64,
}

/// The messages that a change of what was negotiated concerns.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "effect")]
pub struct V1Effect<'a> {
    /// The change in words: `without server.tools`, `with client.sampling`, `as 2025-06-18`.
    pub change: &'a str,
    /// They would be allowed, and are not; otherwise they would no longer be.
    pub allows: bool,
    /// Requests, those inside other messages among them.
    pub requests: u64,
    /// Notifications.
    pub notifications: u64,
    /// Their methods.
    pub methods: Vec<V1MethodCount<'a>>,
    /// What comes or goes with them: capabilities, or features where the revision changes.
    pub features: Vec<&'a str>,
}

/// Messages of a method.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "method_count")]
pub struct V1MethodCount<'a> {
    /// The method.
    pub method: &'a str,
    /// How many.
    pub count: u64,
}

/// Findings that were held back.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "held")]
pub struct V1Held {
    /// By a suppression of the configuration.
    pub suppressed: u64,
    /// By the baseline.
    pub baseline: u64,
    /// By the filter: they are about messages that it does not select, or about none.
    pub filtered: u64,
    /// By `--show`: they are less bad than what is wanted. They are counted in `findings`, unlike the others.
    pub hidden: u64,
}

/// A bounded table that overflowed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "cap")]
pub struct V1Cap<'a> {
    /// Its name.
    pub table: &'a str,
    /// Entries lost.
    pub lost: u64,
}
