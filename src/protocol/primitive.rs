//! The six primitives and the features that are none of them: FEATURES.

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
pub const FEATURES: &[FeatureInfo] = &[
    FeatureInfo {
        feature: Feature::Primitive(Primitive::Tools),
        what: "Functions that a server offers and a model calls: each has a name, a JSON Schema for its arguments, and \
               answers with content. The server owns them; the model chooses, the user should be able to refuse.",
        use_case: "A coding assistant calls `run_tests` and reads the failures from the result.",
        page: "server/tools",
    },
    FeatureInfo {
        feature: Feature::Primitive(Primitive::Resources),
        what: "Pieces of context behind URIs, such as files, rows or pages, that a client lists, reads and may watch \
               for changes. The server owns them; the application chooses which ones the model sees.",
        use_case: "An editor attaches `file:///project/README.md` to a conversation and reads it again when the server \
                   says that it changed.",
        page: "server/resources",
    },
    FeatureInfo {
        feature: Feature::Primitive(Primitive::Prompts),
        what: "Templates for messages, with arguments to fill in. The server owns them; the user chooses one, often as \
               a slash command.",
        use_case: "A user types `/review`, picks a branch, and the client fetches the messages that start the review.",
        page: "server/prompts",
    },
    FeatureInfo {
        feature: Feature::Primitive(Primitive::Roots),
        what: "The directories or files in which a server may work, as URIs. The client owns them; the server asks for \
               them (inside an answer from 2026-07-28 on, which also deprecates them).",
        use_case: "An editor tells a search server which two folders of the workspace are open.",
        page: "client/roots",
    },
    FeatureInfo {
        feature: Feature::Primitive(Primitive::Sampling),
        what: "A server asks for a message from the model that the client uses, so that it needs no model or key of \
               its own. The client owns it, and the user should be able to see and refuse the request. 2026-07-28 \
               deprecates it.",
        use_case: "A server that fetched a long log has the client's model sum it up before it answers the tool call.",
        page: "client/sampling",
    },
    FeatureInfo {
        feature: Feature::Primitive(Primitive::Elicitation),
        what: "A server asks the user for something that it needs to go on: fields of a form, or from 2025-11-25 on a \
               visit to a URL. The client owns it; the user may accept, decline or cancel.",
        use_case: "A booking tool asks for the date that the user forgot to give; a mail server sends the user to a \
                   page to sign in.",
        page: "client/elicitation",
    },
    FeatureInfo {
        feature: Feature::Lifecycle,
        what: "How a session of the handshake revisions begins: `initialize`, its answer, and \
               `notifications/initialized` agree on one revision and on what each side can do.",
        use_case: "A client starts a server and finds out whether it has tools before it asks for them.",
        page: "basic/lifecycle",
    },
    FeatureInfo {
        feature: Feature::Discovery,
        what: "How a client of 2026-07-28 learns a server's versions and capabilities, if it wants to know them \
               beforehand. There is no handshake, so the question is optional.",
        use_case: "A client that knows both eras asks `server/discover` first; an error or silence tells that the \
                   server is older.",
        page: "server/discover",
    },
    FeatureInfo {
        feature: Feature::Ping,
        what: "A request with an empty answer by which either side sees that the other still lives. 2026-07-28 has \
               none.",
        use_case: "A gateway pings an idle server every minute and restarts it when the answer stays away.",
        page: "basic/utilities/ping",
    },
    FeatureInfo {
        feature: Feature::Progress,
        what: "Notifications that say how far a long request has come. The sender of the request asks for them with a \
               token in `_meta.progressToken`; the other side may send them until it answers.",
        use_case: "A client shows a bar while a tool indexes ten thousand files.",
        page: "basic/utilities/progress",
    },
    FeatureInfo {
        feature: Feature::Cancellation,
        what: "A notification that gives up a request under way. The answer may still cross it, and is then to be \
               ignored.",
        use_case: "A user presses stop, and the client cancels the tool call that runs.",
        page: "basic/utilities/cancellation",
    },
    FeatureInfo {
        feature: Feature::Logging,
        what: "Log messages of a server, with a severity and any JSON as data. Up to 2025-11-25 the client sets the \
               level for the session, in 2026-07-28 each request asks for its own; that revision also deprecates them.",
        use_case: "A developer sets the level to `debug` and sees why a server skipped a file.",
        page: "server/utilities/logging",
    },
    FeatureInfo {
        feature: Feature::Completion,
        what: "Suggestions for the value of an argument of a prompt or of a variable in a resource template, while the \
               user types.",
        use_case: "A user types `py` into the argument `language` and the client offers `python` and `pytorch`.",
        page: "server/utilities/completion",
    },
    FeatureInfo {
        feature: Feature::Tasks,
        what: "Requests that go on after their first answer: the answer is a handle, and its state and result are \
               fetched later. Part of the core on both sides in 2025-11-25, an extension for tool calls from \
               2026-07-28 on.",
        use_case: "A build that runs for an hour is started by a tool call, and the client looks in on it every \
                   minute.",
        page: "basic/utilities/tasks",
    },
    FeatureInfo {
        feature: Feature::Subscriptions,
        what: "One long request, `subscriptions/listen`, that opens a stream of the notifications chosen in it. In \
               2026-07-28 changes of lists and resources are told nowhere else.",
        use_case: "A client listens for changes of the tool list and lists the tools again when one comes.",
        page: "basic/patterns/subscriptions",
    },
    FeatureInfo {
        feature: Feature::Extension,
        what: "Messages that an extension adds to the protocol, in use only between peers that both name the \
               extension. Those of MCP Apps run between a host and the view inside it, not between client and server.",
        use_case: "A chart tool brings a small web page; the host shows it and hands it the tool's result.",
        page: "basic/versioning#extension-negotiation",
    },
];

impl Feature {
    /// Its row; `None` for `Unknown` alone.
    pub fn info(self) -> Option<&'static FeatureInfo> {
        FEATURES.iter().find(|row| row.feature == self)
    }
}
