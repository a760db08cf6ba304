//! The words for what a message is and how sure that is. Values only.

/// The form of a message on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Request,
    Notification,
    Response,
    Invalid,
}

impl Kind {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Response => "response",
            Self::Invalid => "invalid",
        }
    }
}

/// What a response brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Outcome {
    Result,
    Error,
}

impl Outcome {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Error => "error",
        }
    }
}

/// Whether a message has an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IdState {
    Present,
    Null,
    Absent,
    /// The log does not keep ids.
    Unrecorded,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// A result.
    Ok,
    /// A tool result with `isError`.
    ToolError,
    /// A JSON-RPC error.
    Error,
    /// 2026-07-28: more input is wanted.
    InputRequired,
}

impl Status {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::ToolError => "tool-error",
            Self::Error => "error",
            Self::InputRequired => "input-required",
        }
    }
}

/// What a statement rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Certainty {
    /// One of several possibilities.
    Guessed,
    /// It follows from what the log says.
    Inferred,
    /// The log says so.
    Recorded,
}

impl Certainty {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Inferred => "inferred",
            Self::Guessed => "guessed",
        }
    }
}

/// What the statements about a message rest on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Basis {
    pub direction: Option<Certainty>,
    pub session: Option<Certainty>,
    pub method: Option<Certainty>,
    pub answers: Option<Certainty>,
    pub phase: Option<Certainty>,
}

/// Where a message stands in its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct BatchPlace {
    /// From 0.
    pub index: u64,
    pub size: u64,
}

/// Messages by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Counts {
    pub messages: u64,
    pub requests: u64,
    pub responses: u64,
    /// Among the responses.
    pub error_responses: u64,
    /// Results with `isError`, among the responses.
    pub tool_errors: u64,
    pub notifications: u64,
    pub invalid: u64,
}

impl Counts {
    /// Counts one message.
    pub fn add(&mut self, kind: Kind, outcome: Option<Outcome>, status: Option<Status>) {
        self.messages += 1;
        match kind {
            Kind::Request => self.requests += 1,
            Kind::Notification => self.notifications += 1,
            Kind::Invalid => self.invalid += 1,
            Kind::Response => {
                self.responses += 1;
                self.error_responses += u64::from(outcome == Some(Outcome::Error));
                self.tool_errors += u64::from(status == Some(Status::ToolError));
            }
        }
    }
}
