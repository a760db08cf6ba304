//! The records of messages, and what a message is made of.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::super::scalar::Scalar;
use super::super::write;
use super::{
    V1Certainty, V1Direction, V1Flags, V1IdState, V1Kind, V1LatencyBasis, V1Outcome, V1Phase, V1Primitive, V1Side,
    V1TimeBasis,
};
use crate::annotate::Needs;
use crate::transcript::Stamp;

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
