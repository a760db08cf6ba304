//! The records, as values that borrow from the frame and the session. One type per record of the output contract.

use std::borrow::Cow;
use std::time::Duration;

use super::{Effect, Finding, FindingCounts, Held};
use crate::jsonrpc::{Id, Parsed};
use crate::position::Position;
use crate::protocol::{Direction, Era, Feature, Phase};
use crate::session::{Basis, BatchPlace, Counts, IdState, Kind, Needs, Outcome, Peer, Status};
use crate::transcript::{Detected, EventKind, Flags, Frame, Http, Stamp, Wrappings};

/// Anything a run can say, in the order in which it becomes known.
pub enum Record<'a> {
    /// First record of a run.
    Trace(&'a Trace),
    /// A message.
    Message(&'a Annotated<'a>),
    /// A request or response inside another message.
    Embedded(&'a Embedded<'a>),
    /// Another telling of a message.
    View(&'a View<'a>),
    /// What a log says that is no message.
    Event(&'a Event<'a>),
    /// The two sides have agreed. For the renderers that show it; no record of its own in the JSON output.
    Agreed(&'a Agreement<'a>),
    /// What a rule has found; only where rules run.
    Finding(&'a Finding<'a>),
    /// A session has ended, or the input has.
    SessionEnd(&'a SessionEnd),
    /// An input has been read.
    InputEnd(&'a InputEnd),
    /// Last record of a run.
    Summary(&'a Summary),
}

/// What the run is about.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The command, for example `annotate`.
    pub command: &'static str,
    /// The filter in words, if one is set.
    pub filter: Option<String>,
    /// The inputs as the user named them.
    pub inputs: Vec<String>,
}

/// What latency was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyBasis {
    /// The times of request and answer.
    Times,
    /// The log gives it.
    Recorded,
}

/// Code and message of an error response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorInfo<'a> {
    /// The code, when it is an integer.
    pub code: Option<i64>,
    /// The message as sent; empty when there is none.
    pub message: Cow<'a, str>,
}

/// As much of a message as totals need.
#[derive(Clone, Copy, Debug)]
pub struct Brief<'a> {
    /// Index of the input, from 0.
    pub input: u32,
    /// Number of the message in its input, from 1.
    pub n: u64,
    /// What form.
    pub kind: Kind,
    /// Responses only.
    pub outcome: Option<Outcome>,
    /// Responses: how it ended.
    pub status: Option<Status>,
    /// The phase.
    pub phase: Option<Phase>,
    /// What it needs.
    pub requires: &'a [Needs],
    /// The method; of a response, of the request that it answers.
    pub method: Option<&'a str>,
    /// Error responses: the code, when it is an integer.
    pub code: Option<i64>,
}

/// One message with all that is known of it at this moment.
#[derive(Clone, Debug)]
pub struct Annotated<'a> {
    /// Index of the input, from 0.
    pub input: u32,
    /// The input as the user named it.
    pub file: &'a str,
    /// Number of the message in its input, from 1.
    pub n: u64,
    /// Where it stands.
    pub position: Position,
    /// RFC 6901 pointer inside a document or batch; empty when there is none.
    pub pointer: &'a str,
    /// Number of the session in its input, from 1.
    pub session: u64,
    /// The server's name so far.
    pub server: Option<&'a str>,
    /// When.
    pub time: Option<Stamp>,
    /// When the session's first timed message was; for relative times.
    pub session_start: Option<Stamp>,
    /// Which way.
    pub direction: Option<Direction>,
    /// What form.
    pub kind: Kind,
    /// Responses only.
    pub outcome: Option<Outcome>,
    /// The id, when present or null.
    pub id: Option<Id<'a>>,
    /// Whether there is one.
    pub id_state: IdState,
    /// The method; of a response, of the request that it answers.
    pub method: Option<&'a str>,
    /// Tool, prompt, URI or task that it is about.
    pub target: Option<&'a str>,
    /// The primitive or other feature.
    pub feature: Feature,
    /// The phase.
    pub phase: Option<Phase>,
    /// The revision in force, as on the wire (may be one that we do not know).
    pub revision: Option<&'a str>,
    /// What it needs.
    pub requires: &'a [Needs],
    /// `n` of the request that it answers.
    pub answers: Option<u64>,
    /// `n` of the answer that stands earlier.
    pub answered_by: Option<u64>,
    /// `n` of the request concerned.
    pub relates_to: Option<u64>,
    /// `n` of the request of the other side during which it came.
    pub caused_by: Option<u64>,
    /// `n` of the request that it continues.
    pub continues: Option<u64>,
    /// Responses: how it ended.
    pub status: Option<Status>,
    /// The answer came after its request was cancelled.
    pub late: bool,
    /// The request of this answer was cancelled.
    pub cancelled: bool,
    /// Error responses.
    pub error: Option<ErrorInfo<'a>>,
    /// Time between request and answer.
    pub latency: Option<(Duration, LatencyBasis)>,
    /// Place in its batch.
    pub batch: Option<BatchPlace>,
    /// What is odd.
    pub flags: Flags,
    /// What the statements rest on.
    pub basis: Basis,
    /// The message itself; `None` when the log has only an outline.
    pub parsed: Option<&'a Parsed<'a>>,
    /// The text as read, also of invalid messages; empty for outlines.
    pub text: &'a str,
    /// The HTTP exchange that carried it, in captures of HTTP.
    pub http: Option<&'a Http>,
    /// What the log itself says of it, without conclusions.
    pub frame: &'a Frame<'a>,
}

impl Annotated<'_> {
    /// As much of it as totals need.
    pub fn brief(&self) -> Brief<'_> {
        Brief {
            input: self.input,
            n: self.n,
            kind: self.kind,
            outcome: self.outcome,
            status: self.status,
            phase: self.phase,
            requires: self.requires,
            method: self.method,
            code: self.error.as_ref().and_then(|error| error.code),
        }
    }
}

/// A request or response inside another message (multi round-trip requests of 2026-07-28).
#[derive(Clone, Debug)]
pub struct Embedded<'a> {
    /// Index of the input.
    pub input: u32,
    /// The input as the user named it.
    pub file: &'a str,
    /// `n` of the message that holds it.
    pub of: u64,
    /// Where that message stands.
    pub position: Position,
    /// Pointer inside that message's document to this.
    pub pointer: String,
    /// Its key in `inputRequests` or `inputResponses`.
    pub key: Cow<'a, str>,
    /// The session.
    pub session: u64,
    /// Requests go to the client, responses to the server.
    pub direction: Option<Direction>,
    /// Request or response.
    pub kind: Kind,
    /// The method; of a response, of the input request with the same key.
    pub method: Option<Cow<'a, str>>,
    /// What it is about.
    pub target: Option<Cow<'a, str>>,
    /// The primitive.
    pub feature: Feature,
    /// What it needs.
    pub requires: Vec<Needs>,
}

/// Another telling of a message already written.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// Index of the input.
    pub input: u32,
    /// The input as the user named it.
    pub file: &'a str,
    /// `n` of the message; `None` when none was found.
    pub of: Option<u64>,
    /// The session.
    pub session: u64,
    /// Where this telling stands.
    pub position: Position,
    /// How it tells it, for example `mcp-remote`.
    pub rendering: &'a str,
    /// What the log itself says.
    pub frame: &'a Frame<'a>,
}

/// What a log says that is no message.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    /// Index of the input.
    pub input: u32,
    /// The input as the user named it.
    pub file: &'a str,
    /// Where it stands.
    pub position: Position,
    /// The session that it fell into, 0 before the first.
    pub session: u64,
    /// When.
    pub time: Option<Stamp>,
    /// When the session's first timed message was.
    pub session_start: Option<Stamp>,
    /// Which way the text went, when the log says so.
    pub direction: Option<Direction>,
    /// It stood on the wire, or may have: not between the messages of a host's or proxy's log.
    pub wire: bool,
    /// What.
    pub kind: EventKind,
    /// The log's words.
    pub text: &'a str,
    /// The phase that it fell into.
    pub phase: Option<Phase>,
    /// What is odd about the line.
    pub flags: Flags,
    /// The HTTP exchange that it is about, in captures of HTTP.
    pub http: Option<&'a Http>,
    /// What the log itself says; `None` for a remark of the program's own.
    pub frame: Option<&'a Frame<'a>>,
}

/// What was agreed, at the moment when it was.
#[derive(Clone, Debug)]
pub struct Agreement<'a> {
    /// Index of the input.
    pub input: u32,
    /// The session.
    pub session: u64,
    /// `n` of the message that settled it.
    pub by: u64,
    /// How the session began.
    pub era: Era,
    /// The revision that the client asked for.
    pub requested_revision: Option<&'a str>,
    /// The revision in force.
    pub revision: Option<&'a str>,
    /// The client.
    pub client: Option<&'a Peer>,
    /// The server.
    pub server: Option<&'a Peer>,
    /// What the client declared, as paths; `None` when it is not in the capture.
    pub client_capabilities: Option<&'a [Vec<String>]>,
    /// What the server declared, as paths; `None` when it is not in the capture.
    pub server_capabilities: Option<&'a [Vec<String>]>,
}

/// Requests without an answer: how many, and the first hundred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Unanswered {
    pub count: u64,
    /// `n` and method of the first hundred, in order.
    pub first: Vec<(u64, String)>,
}

/// A session, when it has ended.
#[derive(Clone, Debug)]
pub struct SessionEnd {
    /// Index of the input.
    pub input: u32,
    /// The input as the user named it.
    pub file: String,
    /// The session.
    pub session: u64,
    /// The server.
    pub server: Option<Peer>,
    /// The client.
    pub client: Option<Peer>,
    /// `stdio`, `streamable-http`, `http+sse`, where the log tells.
    pub transport: Option<&'static str>,
    /// How it began.
    pub era: Option<Era>,
    /// `server/discover` came before `initialize`.
    pub probed: bool,
    /// The revision in force at the end.
    pub revision: Option<String>,
    /// The revision that the client asked for.
    pub requested_revision: Option<String>,
    /// As paths; `None` when the declaration is not in the capture.
    pub client_capabilities: Option<Vec<Vec<String>>>,
    /// As paths; `None` when the declaration is not in the capture.
    pub server_capabilities: Option<Vec<Vec<String>>>,
    /// Messages by kind.
    pub counts: Counts,
    /// Requests without an answer.
    pub unanswered: Unanswered,
    /// First and last recorded time.
    pub times: Option<(Stamp, Stamp)>,
    /// What ended it: `transport-closed`, `process-exit`, `new-session`, `end-of-input`, `evicted`.
    pub ended: &'static str,
    /// Most labels of this session contradict the methods that only one side can send.
    pub swapped_labels: bool,
}

/// How an input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum InputStatus {
    Ok,
    Partial,
    Unrecognised,
    Unreadable,
}

impl InputStatus {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Partial => "partial",
            Self::Unrecognised => "unrecognised",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Physical lines by class; they add up to all lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LineClasses {
    pub message: u64,
    pub frame: u64,
    pub event: u64,
    pub noise: u64,
    pub blank: u64,
}

/// An input, when it has been read.
#[derive(Clone)]
pub struct InputEnd {
    /// Its index.
    pub input: u32,
    /// As the user named it.
    pub file: String,
    /// What was recognised.
    pub detected: Option<Detected>,
    /// What was taken off its text.
    pub wrappings: Wrappings,
    /// Bytes of its text read, decompressed and in UTF-8.
    pub bytes: u64,
    /// Physical lines read.
    pub lines: u64,
    /// Lines by class.
    pub classes: LineClasses,
    /// Messages found.
    pub messages: u64,
    /// How it ended.
    pub status: InputStatus,
    /// What went wrong, for a person: position, what was expected, what to do.
    pub error: Option<String>,
}

/// Secrets and chosen members that were replaced by markers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redacted {
    /// How many values of each kind.
    pub counts: Vec<(&'static str, u64)>,
    /// How many different values.
    pub different: usize,
}

/// What a filter has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filtered {
    /// Messages that it was asked about: all that were read.
    pub read: u64,
    /// Messages that it did not select because a time was asked for and they have none.
    pub untimed: u64,
    /// Messages that it did not select because an expression could not be worked out for them.
    pub undecided: u64,
    /// The first of them: `n`, and why.
    pub first_undecided: Option<(u64, String)>,
}

/// Totals of a run; with a filter, of what it has selected. What is told of inputs is about the whole of them.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// What the filter has done; `None` when none is set.
    pub filtered: Option<Filtered>,
    /// Messages by kind.
    pub counts: Counts,
    /// Embedded requests and responses.
    pub embedded: u64,
    /// Other tellings.
    pub views: u64,
    /// Events that are noise.
    pub noise: u64,
    /// Events that are not.
    pub events: u64,
    /// Sessions.
    pub sessions: u64,
    /// Inputs.
    pub inputs: u64,
    /// Messages in initialization or shutdown.
    pub lifecycle: u64,
    /// Messages in operation.
    pub operation: u64,
    /// Messages in no decidable phase.
    pub unphased: u64,
    /// Requests, notifications and embedded requests that need a capability that was not declared: how many.
    pub undeclared: u64,
    /// The first ten of them: `input`, `n` (of the message that holds it) and what it needs.
    pub undeclared_first: Vec<(u32, u64, Needs)>,
    /// Requests without an answer, in all sessions that are counted.
    pub unanswered: u64,
    /// Findings by severity; `None` when no rules ran.
    pub findings: Option<FindingCounts>,
    /// What a change of what was negotiated would do; `None` when none is supposed.
    pub what_if: Option<Vec<Effect>>,
    /// Findings that were held back; `None` when no rules ran.
    pub held: Option<Held>,
    /// What was replaced by markers; `None` when that was not asked for.
    pub redacted: Option<Redacted>,
    /// Bounded tables that overflowed: name and entries lost.
    pub caps_reached: Vec<(&'static str, u64)>,
    /// Every input was read whole and recognised.
    pub complete: bool,
    /// The user stopped the run.
    pub interrupted: bool,
    /// The exit code of the process.
    pub exit_code: u8,
}

impl Summary {
    /// Messages that were read, selected or not.
    pub fn messages_read(&self) -> u64 {
        self.filtered.as_ref().map_or(self.counts.messages, |filtered| filtered.read)
    }

    /// Lifecycle messages over lifecycle and operation; `None` when there are neither.
    pub fn lifecycle_ratio(&self) -> Option<f64> {
        let all = self.lifecycle + self.operation;
        (all > 0).then(|| self.lifecycle as f64 / all as f64)
    }
}
