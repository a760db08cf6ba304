//! The records of sessions, of what a log says beside the messages, and of what rules find.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::write;
use super::{V1Era, V1Flags, V1Phase, V1Severity, V1TimeBasis};
use crate::transcript::Stamp;

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
        /// What it is known by in other recordings: 16 hexadecimal digits from the rule, the method, the place inside of
        /// the message and what stood there.
        fingerprint: String,
    }
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
