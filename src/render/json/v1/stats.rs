//! The figures of `mcp-trace stats`: one object that holds all that is needed to merge it with others. Read as well as
//! written, by `stats --merge`.

mod convert;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `stats --format json` writes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats")]
pub struct V1Stats {
    /// Which record this is.
    #[schemars(extend("const" = "stats"))]
    pub record: String,
    /// Version of this output.
    #[schemars(extend("const" = "mcp-trace/1"))]
    pub version: String,
    /// The filter in words; null when all messages are counted.
    #[serde(default)]
    pub filter: Option<String>,
    /// Messages that were read, counted or not.
    #[serde(default)]
    pub messages_read: Option<u64>,
    /// Every input was read whole and recognised.
    pub complete: bool,
    /// The user stopped the run.
    pub interrupted: bool,
    /// The inputs by how they ended.
    pub inputs: V1StatsInputs,
    /// The inputs that were not read whole, the first thousand by name.
    pub unread: Vec<V1StatsUnread>,
    /// The sessions together.
    pub sessions: V1StatsSessions,
    /// Messages in phase initialization or shutdown.
    pub lifecycle: u64,
    /// Messages in phase operation.
    pub operation: u64,
    /// Messages in no decidable phase.
    pub unphased: u64,
    /// Lifecycle over lifecycle and operation, by messages, rounded to six digits; null when both are 0.
    pub lifecycle_ratio: Option<f64>,
    /// Bytes of the messages in phase initialization or shutdown.
    pub lifecycle_bytes: u64,
    /// Bytes of the messages in phase operation.
    pub operation_bytes: u64,
    /// Bytes of the messages in no decidable phase.
    pub unphased_bytes: u64,
    /// Lifecycle over lifecycle and operation, by bytes, rounded to six digits; null when both are 0.
    pub lifecycle_bytes_ratio: Option<f64>,
    /// All messages.
    pub total: V1StatsFigures,
    /// Requests and responses inside other messages; not among the messages.
    pub embedded: u64,
    /// Other tellings of messages; not among the messages.
    pub views: u64,
    /// Events that are no noise.
    pub events: u64,
    /// Events that are noise.
    pub noise: u64,
    /// Requests, notifications and embedded requests that need a capability that was not declared.
    pub undeclared: u64,
    /// What handshakes cost, from `initialize` to `notifications/initialized`.
    pub handshakes: V1StatsHandshakes,
    /// The messages grouped: the standard tables, then that of `--by`.
    pub groups: Vec<V1StatsGroups>,
    /// The sessions one by one, by file and number; the first 4,096.
    pub session_rows: Vec<V1StatsSession>,
    /// The sessions that have no row, added up.
    pub session_rest: V1StatsSession,
    /// The hundred largest messages, the largest first.
    pub largest: Vec<V1StatsMessage>,
    /// What answers to `tools/list` define.
    pub definitions: V1StatsDefinitions,
    /// Every capability that was declared or used.
    pub capabilities: Vec<V1StatsCapability>,
    /// The capabilities that have no row, added up.
    pub capabilities_rest: V1StatsCapability,
    /// Bounded tables that overflowed while reading.
    pub caps_reached: Vec<V1StatsCap>,
}

/// Inputs by how they ended.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_inputs")]
#[allow(missing_docs)]
pub struct V1StatsInputs {
    pub total: u64,
    pub ok: u64,
    pub partial: u64,
    pub unrecognised: u64,
    pub unreadable: u64,
    /// Bytes of their text read, decompressed.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
}

/// An input that was not read whole.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_unread")]
pub struct V1StatsUnread {
    /// As the user named it.
    pub file: String,
    /// `partial`, `unrecognised` or `unreadable`.
    pub status: String,
    /// What went wrong, for a person.
    pub error: String,
}

/// The sessions together.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_sessions")]
pub struct V1StatsSessions {
    /// All of them.
    pub total: u64,
    /// Those that began with a handshake.
    pub handshake: u64,
    /// Those of 2026-07-28.
    pub stateless: u64,
    /// Those whose capture has what the client declared.
    pub client_declared: u64,
    /// Those whose capture has what the server declared.
    pub server_declared: u64,
    /// The most requests that waited for their answers at a time, in any session.
    pub in_flight_max: u64,
}

/// The figures of a group of messages.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_figures")]
pub struct V1StatsFigures {
    /// Messages.
    pub messages: u64,
    /// Bytes of their texts.
    pub bytes: u64,
    /// Requests.
    pub requests: u64,
    /// Responses, error responses among them.
    pub responses: u64,
    /// Notifications.
    pub notifications: u64,
    /// Invalid messages.
    pub invalid: u64,
    /// Error responses.
    pub error_responses: u64,
    /// Tool results with `isError`, among the responses.
    pub tool_errors: u64,
    /// Results that ask for more input, among the responses.
    pub input_required: u64,
    /// Requests that a notification cancelled.
    pub cancelled: u64,
    /// Answers to requests that had been cancelled.
    pub late: u64,
    /// Requests without an answer.
    pub unanswered: u64,
    /// Times between request and answer, of the answers where both are recorded.
    pub latency: V1StatsLatency,
}

/// Durations. Percentiles are by nearest rank, and above the exact ones by less than 0.8 %; `min_ms` and `max_ms` are
/// exact. Null without values.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_latency")]
#[allow(missing_docs)]
pub struct V1StatsLatency {
    /// How many.
    pub count: u64,
    pub min_ms: Option<f64>,
    pub mean_ms: Option<f64>,
    pub p50_ms: Option<f64>,
    pub p90_ms: Option<f64>,
    pub p95_ms: Option<f64>,
    pub p99_ms: Option<f64>,
    pub max_ms: Option<f64>,
    /// The smallest and the largest in nanoseconds.
    pub range_ns: Option<(u64, u64)>,
    /// Their sum: whole seconds, and nanoseconds beyond these.
    pub sum: (u64, u32),
    /// The histogram: the largest value of each bucket in nanoseconds, and how many values it holds.
    pub buckets: Vec<(u64, u64)>,
}

/// What handshakes cost, `initialize` and `notifications/initialized` among the messages.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_handshakes")]
pub struct V1StatsHandshakes {
    /// Those that were finished.
    pub finished: u64,
    /// Those that were begun only.
    pub unfinished: u64,
    /// Messages of the finished ones.
    pub messages: u64,
    /// The most messages of one.
    pub messages_max: u64,
    /// Bytes of the finished ones.
    pub bytes: u64,
    /// How long they took, where that is recorded.
    pub time: V1StatsLatency,
}

/// A table of groups.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_groups")]
pub struct V1StatsGroups {
    /// The members of `message` by whose values it groups.
    pub by: Vec<String>,
    /// A row for each combination of values, in their order; the first 4,096.
    pub rows: Vec<V1StatsGroup>,
    /// The messages that have no row.
    pub rest: V1StatsFigures,
}

/// A group of messages.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_group")]
pub struct V1StatsGroup {
    /// The values of the members of `by`.
    pub values: Vec<V1StatsValue>,
    /// Its figures.
    pub figures: V1StatsFigures,
}

/// The value of a member of `message`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "stats_value")]
#[allow(missing_docs)]
pub enum V1StatsValue {
    Null,
    Bool(bool),
    Number(u64),
    Text(String),
}

/// A session, or several of the same file and number added up.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_session")]
pub struct V1StatsSession {
    /// The input as the user named it; null for the rest.
    pub file: Option<String>,
    /// Number of the session in its input; null for the rest.
    pub session: Option<u64>,
    /// How many sessions these are.
    pub sessions: u64,
    /// The server's name.
    pub server: Option<String>,
    /// The client's name.
    pub client: Option<String>,
    /// The revision at its end.
    pub revision: Option<String>,
    /// Messages.
    pub messages: u64,
    /// Bytes of their texts.
    pub bytes: u64,
    /// Requests.
    pub requests: u64,
    /// Error responses and results of tools with `isError`.
    pub errors: u64,
    /// Requests without an answer.
    pub unanswered: u64,
    /// The most requests that waited for their answers at a time.
    pub in_flight_max: u64,
    /// Nanoseconds from `initialize` to `notifications/initialized`; null where that is not recorded.
    pub handshake_ns: Option<u64>,
}

/// A message that is among the largest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_message")]
pub struct V1StatsMessage {
    /// The input as the user named it.
    pub file: String,
    /// Its number in the input.
    pub n: u64,
    /// Its first line.
    pub line: u64,
    /// Its session.
    pub session: u64,
    /// Bytes of its text.
    pub bytes: u64,
    /// As in `message`.
    pub direction: V1StatsValue,
    /// As in `message`.
    pub kind: V1StatsValue,
    /// As in `message`.
    pub method: V1StatsValue,
    /// As in `message`.
    pub target: V1StatsValue,
}

/// What the answers to `tools/list` define.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_definitions")]
pub struct V1StatsDefinitions {
    /// How many answers.
    pub lists: u64,
    /// Tools defined in all of them.
    pub tools: u64,
    /// Bytes of all definitions, as they were sent.
    pub bytes: u64,
    /// The hundred largest, the largest first.
    pub largest: Vec<V1StatsDefinition>,
}

/// An answer to `tools/list`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_definition")]
pub struct V1StatsDefinition {
    /// The input as the user named it.
    pub file: String,
    /// The number of the message in the input.
    pub n: u64,
    /// Its first line.
    pub line: u64,
    /// Its session.
    pub session: u64,
    /// The server's name, as far as it was known then.
    pub server: Option<String>,
    /// How many tools it defines.
    pub tools: u64,
    /// Bytes of the definitions, as they were sent.
    pub bytes: u64,
    /// An estimate of the tokens that a model reads: a fourth of the bytes.
    pub tokens_estimate: u64,
}

/// A capability: in how many sessions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_capability")]
pub struct V1StatsCapability {
    /// `client` or `server`; null for the rest.
    pub side: Option<String>,
    /// The path in the capabilities object; empty for the rest.
    pub path: Vec<String>,
    /// It was declared.
    pub declared: u64,
    /// A message needed it.
    pub used: u64,
    /// A message needed it, and it was not declared.
    pub used_undeclared: u64,
    /// A request that needs it was refused: method not found, or capability missing.
    pub refused: u64,
}

/// A bounded table that overflowed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "stats_cap")]
pub struct V1StatsCap {
    /// Its name.
    pub table: String,
    /// Entries lost; of tables with a rest, what stands there.
    pub lost: u64,
}
