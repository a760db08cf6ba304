//! Version 1 of the JSON output: the contract's own types, so that no change inside the program can change it.
//!
//! Within version 1 members are added, never renamed, retyped or removed. Every member of a record is always
//! present, `null` when it does not apply. The doc comments here are the descriptions of the JSON Schema.

use schemars::JsonSchema;
use serde::Serialize;

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

// Behind the macro, which they use.
mod message;
mod run;
mod session;
mod stats;

pub use self::message::{V1Basis, V1Batch, V1Embedded, V1Error, V1Message, V1Need, V1View};
pub use self::run::{
    V1Cap, V1Effect, V1Filtered, V1Findings, V1Held, V1Input, V1MethodCount, V1Summary, V1Tool, V1Trace,
};
pub use self::session::{V1Event, V1Finding, V1Peer, V1Place, V1Request, V1Session, V1Unanswered};
pub use self::stats::{
    V1Stats, V1StatsCap, V1StatsCapability, V1StatsDefinition, V1StatsDefinitions, V1StatsFigures, V1StatsGroup,
    V1StatsGroups, V1StatsHandshakes, V1StatsInputs, V1StatsLatency, V1StatsMessage, V1StatsSession, V1StatsSessions,
    V1StatsUnread, V1StatsValue,
};
pub use super::flags::V1Flags;
pub use super::words::{
    V1Certainty, V1Confidence, V1Direction, V1Era, V1IdState, V1InputStatus, V1Kind, V1LatencyBasis, V1Outcome,
    V1Phase, V1Primitive, V1Severity, V1Side, V1TimeBasis,
};

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
