//! The six primitives, the features that are none of them, and the phases of a session.

use super::Side;

/// One of MCP's six primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Primitive {
    Tools,
    Resources,
    Prompts,
    Roots,
    Sampling,
    Elicitation,
}

impl Primitive {
    /// All six, server primitives first.
    pub const ALL: [Self; 6] =
        [Self::Tools, Self::Resources, Self::Prompts, Self::Roots, Self::Sampling, Self::Elicitation];

    /// The side that owns (offers) it.
    pub fn owner(self) -> Side {
        match self {
            Self::Tools | Self::Resources | Self::Prompts => Side::Server,
            Self::Roots | Self::Sampling | Self::Elicitation => Side::Client,
        }
    }

    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Prompts => "prompts",
            Self::Roots => "roots",
            Self::Sampling => "sampling",
            Self::Elicitation => "elicitation",
        }
    }
}

/// What a message is about: a primitive, or a part of the base protocol or of the utilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Feature {
    Primitive(Primitive),
    Lifecycle,
    Discovery,
    Ping,
    Progress,
    Cancellation,
    Logging,
    Completion,
    Tasks,
    Subscriptions,
    Extension,
    Unknown,
}

impl Feature {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Primitive(primitive) => primitive.as_str(),
            Self::Lifecycle => "lifecycle",
            Self::Discovery => "discovery",
            Self::Ping => "ping",
            Self::Progress => "progress",
            Self::Cancellation => "cancellation",
            Self::Logging => "logging",
            Self::Completion => "completion",
            Self::Tasks => "tasks",
            Self::Subscriptions => "subscriptions",
            Self::Extension => "extension",
            Self::Unknown => "unknown",
        }
    }

    /// The primitive, when it is one.
    pub fn primitive(self) -> Option<Primitive> {
        match self {
            Self::Primitive(primitive) => Some(primitive),
            _ => None,
        }
    }
}

/// A row of [`FEATURES`]: what `explain` says of a primitive or another feature.
#[derive(Clone, Copy, Debug)]
pub struct FeatureInfo {
    /// The feature.
    pub feature: Feature,
    /// What it is, in a sentence or two.
    pub what: &'static str,
    /// A use case: who would use it and for what.
    pub use_case: &'static str,
    /// Specification page, relative to a revision's root, for example `server/tools`.
    pub page: &'static str,
}

/// Every feature but `Unknown`, primitives first.
pub const FEATURES: &[FeatureInfo] = &[];

/// A phase of the lifecycle. The handshake revisions define three; for 2026-07-28 they are this project's
/// convention (`server/discover` before the first other request is initialization, the rest operation).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Phase {
    Initialization,
    Operation,
    Shutdown,
}

impl Phase {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Initialization => "initialization",
            Self::Operation => "operation",
            Self::Shutdown => "shutdown",
        }
    }
}

/// A row of [`PHASES`]: what `explain` says of a phase.
#[derive(Clone, Copy, Debug)]
pub struct PhaseInfo {
    /// The phase.
    pub phase: Phase,
    /// What it is.
    pub what: &'static str,
    /// Who sends what in the handshake revisions.
    pub handshake: &'static str,
    /// What it is in 2026-07-28.
    pub stateless: &'static str,
}

/// The three phases in order.
pub const PHASES: &[PhaseInfo] = &[];
