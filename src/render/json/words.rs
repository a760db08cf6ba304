//! The closed enumerations of the JSON output. A variant added inside the program does not compile until it has
//! its word here.

use schemars::JsonSchema;
use serde::Serialize;

use crate::annotate::{Certainty, IdState, InputStatus, Kind, LatencyBasis, Outcome, Severity};
use crate::protocol::{Direction, Era, Phase, Primitive, Side};
use crate::transcript::{Confidence, TimeBasis};

macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $word:literal { $($variant:ident),+ } from $source:ident) => {
        words! { $(#[$meta])* $name, $word { $($variant),+ } }

        impl From<$source> for $name {
            fn from(value: $source) -> Self {
                match value { $($source::$variant => Self::$variant),+ }
            }
        }
    };
    ($(#[$meta:meta])* $name:ident, $word:literal { $($variant:ident),+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schemars(rename = $word)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),+ }
    };
}

words! {
    /// The form of a message.
    V1Kind, "kind" { Request, Notification, Response, Invalid } from Kind
}
words! {
    /// What a response brought.
    V1Outcome, "outcome" { Result, Error } from Outcome
}
words! {
    /// Whether a message has an id; `unrecorded`: the log keeps no ids.
    V1IdState, "id_state" { Present, Null, Absent, Unrecorded } from IdState
}
words! {
    /// The way of a message.
    V1Direction, "direction" { ClientToServer, ServerToClient } from Direction
}
words! {
    /// One of the two peers.
    V1Side, "side" { Client, Server } from Side
}
words! {
    /// One of MCP's six primitives.
    V1Primitive, "primitive" { Tools, Resources, Prompts, Roots, Sampling, Elicitation } from Primitive
}
words! {
    /// Phase of the lifecycle.
    V1Phase, "phase" { Initialization, Operation, Shutdown } from Phase
}
words! {
    /// How a session began.
    V1Era, "era" { Handshake, Stateless } from Era
}
words! {
    /// What a time rests on: an instant, a local time without a zone, the time since some start.
    V1TimeBasis, "time_basis" { Recorded, ZoneAssumed, Elapsed } from TimeBasis
}
words! {
    /// What a latency rests on: the times of request and answer, or the log's own figure.
    V1LatencyBasis, "latency_basis" { Times, Recorded } from LatencyBasis
}
words! {
    /// What a statement rests on: the log says so, it follows, or it is one of several possibilities.
    V1Certainty, "certainty" { Recorded, Inferred, Guessed } from Certainty
}
words! {
    /// How sure the recognition of a format is.
    V1Confidence, "confidence" { None, Possible, Likely, Certain } from Confidence
}
words! {
    /// How an input ended.
    V1InputStatus, "input_status" { Ok, Partial, Unrecognised, Unreadable } from InputStatus
}
words! {
    /// How bad a finding is.
    V1Severity, "severity" { Error, Warning, Note } from Severity
}
