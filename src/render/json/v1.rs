//! Version 1 of the JSON output: the contract's own types, so that no change inside the program can change it.
//!
//! Within version 1 members are added, never renamed, retyped or removed. Every member of a record is always
//! present, `null` when it does not apply. The doc comments here are the descriptions of the JSON Schema.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::scalar::Scalar;
use super::write;
use crate::annotate::Needs;
use crate::transcript::Stamp;

/// The name of this version, as it stands in the first record and in the document.
pub const VERSION: &str = "mcp-trace/1";

/// A record: its word, then the position members that every record but `trace` and `summary` has, then its own.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident = $word:literal { $($(#[$member:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Serialize, JsonSchema)]
        #[schemars(rename = $word)]
        pub struct $name<'a> {
            /// Which record this is.
            #[schemars(extend("const" = $word))]
            pub record: &'static str,
            /// Index of the input in the run, from 0.
            pub input: u32,
            /// The input as the user named it; `-` for standard input.
            pub file: &'a str,
            /// Number of the record's message within its input, from 1; null for records that are about none.
            pub n: Option<u64>,
            /// First physical line of the decompressed text, from 1.
            pub line: Option<u64>,
            /// Last physical line.
            pub end_line: Option<u64>,
            /// Byte offset in the decompressed text, from 0.
            pub offset: Option<u64>,
            /// Length in bytes.
            pub length: Option<u64>,
            /// Number of the entry or exchange, from 1, in formats that are one document of entries.
            pub entry: Option<u64>,
            /// RFC 6901 pointer inside a document or batch.
            pub pointer: Option<&'a str>,
            $($(#[$member])* pub $field: $type,)*
        }

        impl $name<'_> {
            /// The word in the member `record`.
            pub const WORD: &'static str = $word;
        }
    };
}

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

record! {
    /// A JSON-RPC message on the wire; each element of a batch is one.
    V1Message = "message" {
        /// The session, from 1 within its input.
        session: u64,
        /// The server's name, where the log or the handshake has given one so far.
        server: Option<&'a str>,
        /// When: RFC 3339 UTC, as precise as recorded; an elapsed time counts from 1970-01-01.
        #[serde(serialize_with = "write::stamp")]
        #[schemars(with = "Option<String>")]
        time: Option<Stamp>,
        /// What the time rests on.
        time_basis: Option<V1TimeBasis>,
        /// Which way the message went.
        direction: Option<V1Direction>,
        /// The form of the message; an error response is a `response`.
        kind: V1Kind,
        /// Responses: what it brought.
        outcome: Option<V1Outcome>,
        /// The id for convenience, when it is a JSON scalar; consumers may lose digits.
        id: Option<Scalar<'a>>,
        /// The exact token of the id: `1`, `"1"`, `9007199254740993`.
        id_raw: Option<&'a str>,
        /// Whether the message has an id.
        id_state: V1IdState,
        /// The method; of a response, of the request that it answers, else what its result's shape tells.
        method: Option<&'a str>,
        /// Tool, prompt, resource URI or task id that the message is about; a response takes its request's.
        target: Option<&'a str>,
        /// One of MCP's six primitives; null for lifecycle and utilities.
        primitive: Option<V1Primitive>,
        /// The primitive, or another feature; open.
        feature: &'a str,
        /// Phase of the lifecycle.
        phase: Option<V1Phase>,
        /// Protocol revision in force for this message.
        revision: Option<&'a str>,
        /// The capabilities that it needs; empty when it needs none.
        #[serde(serialize_with = "write::needs")]
        #[schemars(with = "Vec<V1Need>")]
        requires: &'a [Needs],
        /// Responses: number of the request.
        answers: Option<u64>,
        /// Requests: number of an answer that stands earlier in the log.
        answered_by: Option<u64>,
        /// Progress, cancellation, task and subscription traffic: number of the request concerned.
        relates_to: Option<u64>,
        /// Number of the other side's request during which this one came, where the capture shows it.
        caused_by: Option<u64>,
        /// Number of the request that this one continues (multi round-trip requests).
        continues: Option<u64>,
        /// Responses: how it ended; `ok`, `tool-error`, `error`, `input-required`; open.
        status: Option<&'static str>,
        /// The answer came after its request was cancelled.
        late: bool,
        /// The request of this answer was cancelled.
        cancelled: bool,
        /// Error responses: code and message.
        error: Option<V1Error<'a>>,
        /// Responses: milliseconds since the request, never negative.
        latency_ms: Option<f64>,
        /// What the latency rests on.
        latency_basis: Option<V1LatencyBasis>,
        /// Place in a batch.
        batch: Option<V1Batch>,
        /// What is odd about the message; open.
        flags: V1Flags,
        /// What the statements about the message rest on.
        basis: V1Basis,
        // Last on purpose: the message is copied in behind the serialised record.
        /// The message itself, only with `--payload`: the text of the wire, except that line ends between
        /// its tokens are spaces, lone surrogates are U+FFFD (flag `bad-utf8`), and of members that stand
        /// twice at the top only the last is kept (flag `duplicate-member`). Null when the message is no
        /// JSON object or array, or is nested deeper than 120 levels (flag `too-deep`).
        #[schemars(schema_with = "write::payload_schema")]
        payload: (),
    }
}

record! {
    /// A request or response inside another message; not counted as traffic. Its position is that of the message
    /// that holds it, `pointer` points at it.
    V1Embedded = "embedded" {
        /// Number of the message that holds it.
        of: u64,
        /// Its key in `inputRequests` or `inputResponses`.
        key: &'a str,
        /// The session.
        session: u64,
        /// Requests go to the client, responses to the server.
        direction: Option<V1Direction>,
        /// Request or response.
        kind: V1Kind,
        /// The method; of a response, of the input request with the same key.
        method: Option<&'a str>,
        /// What it is about.
        target: Option<&'a str>,
        /// One of MCP's six primitives.
        primitive: Option<V1Primitive>,
        /// The primitive, or another feature; open.
        feature: &'a str,
        /// The capabilities that it needs.
        #[serde(serialize_with = "write::needs")]
        #[schemars(with = "Vec<V1Need>")]
        requires: &'a [Needs],
    }
}

record! {
    /// Another telling of a message already written.
    V1View = "view" {
        /// Number of the message; null when none was found.
        of: Option<u64>,
        /// The session.
        session: u64,
        /// How this telling tells it.
        rendering: &'a str,
    }
}

record! {
    /// What a log says that is no message.
    V1Event = "event" {
        /// The session that it fell into; null before the first.
        session: Option<u64>,
        /// When; as in `message`.
        #[serde(serialize_with = "write::stamp")]
        #[schemars(with = "Option<String>")]
        time: Option<Stamp>,
        /// What the time rests on.
        time_basis: Option<V1TimeBasis>,
        /// `transport-open`, `transport-closed`, `process-start`, `process-exit`, `stderr`, `noise`, `http`, `note`; open.
        event: &'static str,
        /// The log's words.
        text: &'a str,
        /// The phase that it fell into.
        phase: Option<V1Phase>,
        /// What is odd about the line; open.
        flags: V1Flags,
    }
}

record! {
    /// A session, when it ends or the input does. Its position members but `input` and `file` are null.
    V1Session = "session" {
        /// The session, from 1 within its input.
        session: u64,
        /// The server.
        server: Option<V1Peer<'a>>,
        /// The client.
        client: Option<V1Peer<'a>>,
        /// `stdio`, `streamable-http`, `http+sse`, where the log tells; open.
        transport: Option<&'static str>,
        /// How it began.
        era: Option<V1Era>,
        /// `server/discover` came before `initialize`.
        probed: bool,
        /// Protocol revision in force at the end.
        revision: Option<&'a str>,
        /// Protocol revision that the client asked for.
        requested_revision: Option<&'a str>,
        /// What the client declared, as paths; null when the declaration is not in the capture.
        client_capabilities: Option<&'a [Vec<String>]>,
        /// What the server declared, as paths; null when the declaration is not in the capture.
        server_capabilities: Option<&'a [Vec<String>]>,
        /// Messages.
        messages: u64,
        /// Requests.
        requests: u64,
        /// Responses, error responses among them.
        responses: u64,
        /// Error responses.
        error_responses: u64,
        /// Tool results with `isError`, among the responses.
        tool_errors: u64,
        /// Notifications.
        notifications: u64,
        /// Invalid messages.
        invalid: u64,
        /// Requests without an answer.
        unanswered: V1Unanswered<'a>,
        /// First recorded time.
        #[serde(serialize_with = "write::stamp")]
        #[schemars(with = "Option<String>")]
        first_time: Option<Stamp>,
        /// Last recorded time.
        #[serde(serialize_with = "write::stamp")]
        #[schemars(with = "Option<String>")]
        last_time: Option<Stamp>,
        /// What ended it; open.
        ended: &'static str,
        /// Most recorded directions contradict the methods that only one side can send.
        swapped_labels: bool,
    }
}

record! {
    /// What a rule has found.
    V1Finding = "finding" {
        /// The rule's id.
        rule: &'a str,
        /// How bad it is.
        severity: V1Severity,
        /// What is wrong, in a sentence.
        message: &'a str,
        /// The session.
        session: u64,
        /// Other places that the finding is about.
        related: Vec<V1Place<'a>>,
        /// What to do.
        help: Option<&'a str>,
        /// URL of page and anchor in the revision in force.
        spec: Option<&'a str>,
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
    /// Findings by severity; null when no rules ran.
    pub findings: Option<V1Findings>,
    /// Bounded tables that overflowed.
    pub caps_reached: Vec<V1Cap<'a>>,
    /// Every input was read whole and recognised.
    pub complete: bool,
    /// The user stopped the run.
    pub interrupted: bool,
    /// The exit code of the process.
    pub exit_code: u8,
}

/// The whole run as one document, `--format json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "document")]
pub struct V1Document<'a> {
    /// Version of this output.
    #[schemars(extend("const" = "mcp-trace/1"))]
    pub version: &'static str,
    /// The inputs as the user named them.
    pub inputs: &'a [String],
    /// Every record but the summary, in order.
    pub records: Vec<V1Record<'a>>,
    /// The last record.
    pub summary: V1Summary<'a>,
}

/// A record, told by its member `record`: one line of `--format ndjson`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "record")]
#[allow(missing_docs)]
pub enum V1Record<'a> {
    Trace(V1Trace<'a>),
    Message(Box<V1Message<'a>>),
    Embedded(V1Embedded<'a>),
    View(V1View<'a>),
    Event(V1Event<'a>),
    Session(Box<V1Session<'a>>),
    Input(V1Input<'a>),
    Finding(V1Finding<'a>),
    Summary(V1Summary<'a>),
}

/// A capability that a message needs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "need")]
pub struct V1Need {
    /// Whose declaration counts.
    pub side: V1Side,
    /// The path in the capabilities object; extension names contain dots.
    pub path: &'static [&'static str],
    /// Whether it was declared; null when the declaration is not in the capture.
    pub declared: Option<bool>,
}

/// Code and message of an error response.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "error")]
pub struct V1Error<'a> {
    /// The code; null when it is no integer of 64 bits.
    pub code: Option<i64>,
    /// The message; empty when there is none.
    pub message: Cow<'a, str>,
}

/// Place in a batch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "batch")]
pub struct V1Batch {
    /// From 0.
    pub index: u64,
    /// Elements of the batch.
    pub size: u64,
}

/// What the statements about a message rest on; null where nothing is stated.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "basis")]
#[allow(missing_docs)]
pub struct V1Basis {
    pub direction: Option<V1Certainty>,
    pub session: Option<V1Certainty>,
    pub method: Option<V1Certainty>,
    pub answers: Option<V1Certainty>,
    pub phase: Option<V1Certainty>,
}

/// Name and version of a peer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "peer")]
pub struct V1Peer<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its version.
    pub version: Option<&'a str>,
}

/// Requests without an answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "unanswered")]
pub struct V1Unanswered<'a> {
    /// How many.
    pub count: u64,
    /// The first hundred.
    pub first: Vec<V1Request<'a>>,
}

/// A request by number and method.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "request")]
pub struct V1Request<'a> {
    /// Its number.
    pub n: u64,
    /// Its method.
    pub method: &'a str,
}

/// A place that a finding refers to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "place")]
pub struct V1Place<'a> {
    /// Index of the input in the run, from 0.
    pub input: u32,
    /// The input as the user named it.
    pub file: &'a str,
    /// Number of the message; null when the place is none.
    pub n: Option<u64>,
    /// First physical line.
    pub line: Option<u64>,
    /// Last physical line.
    pub end_line: Option<u64>,
    /// Byte offset.
    pub offset: Option<u64>,
    /// Length in bytes.
    pub length: Option<u64>,
    /// Number of the entry or exchange.
    pub entry: Option<u64>,
    /// RFC 6901 pointer.
    pub pointer: Option<&'a str>,
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

/// A bounded table that overflowed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "cap")]
pub struct V1Cap<'a> {
    /// Its name.
    pub table: &'a str,
    /// Entries lost.
    pub lost: u64,
}

pub use super::flags::V1Flags;
pub use super::words::{
    V1Certainty, V1Confidence, V1Direction, V1Era, V1IdState, V1InputStatus, V1Kind, V1LatencyBasis, V1Outcome,
    V1Phase, V1Primitive, V1Severity, V1Side, V1TimeBasis,
};
