//! What is known of a method: the type of a row of METHODS, and how to find one.

use super::{Feature, Revision, Side};

/// The form of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MethodKind {
    /// A JSON-RPC request.
    Request,
    /// A JSON-RPC notification.
    Notification,
    /// 2026-07-28: an object inside `result.inputRequests`, no JSON-RPC message of its own.
    InputRequest,
}

/// Who sends a message. The answer to a request always comes from the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sender {
    /// Only the client.
    Client,
    /// Only the server.
    Server,
    /// Either peer.
    Both,
    /// MCP Apps, iframe dialect: the view (never on the client-server wire).
    View,
    /// MCP Apps, iframe dialect: the host.
    Host,
    /// MCP Apps, iframe dialect: the sandbox proxy.
    Sandbox,
}

impl Sender {
    /// The one side that can send it on the client-server wire, if there is only one.
    pub fn only_side(self) -> Option<Side> {
        match self {
            Self::Client => Some(Side::Client),
            Self::Server => Some(Side::Server),
            Self::Both | Self::View | Self::Host | Self::Sandbox => None,
        }
    }
}

/// Whose declaration a requirement looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequiredSide {
    /// The client's capabilities.
    Client,
    /// The server's capabilities.
    Server,
    /// The capabilities of the side that gets this message.
    Receiver,
    /// The capabilities of the side that sends this message.
    Sender,
    /// An opt-in inside another request of the same session; no capability.
    Request,
}

/// When a requirement applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// To every message of this method.
    Always,
    /// `params.task` is present.
    TaskPresent,
    /// `params.tools` or `params.toolChoice` is present.
    ToolsOrToolChoice,
    /// `params.includeContext` is `thisServer` or `allServers`.
    IncludeContext,
    /// `params.mode` is absent or `form`.
    ModeForm,
    /// `params.mode` is `url`.
    ModeUrl,
}

/// How strongly the specification forbids use without the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Strength {
    Must,
    Should,
    /// Follows from the text, which does not say it in so many words.
    Implied,
}

/// A capability (or opt-in) that a message depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Whose declaration counts.
    pub side: RequiredSide,
    /// The path in the capabilities object, for example `["resources", "subscribe"]`; for
    /// [`RequiredSide::Request`] the member that opts in, as one string.
    pub path: &'static [&'static str],
    /// When it applies.
    pub when: Condition,
    /// How strongly.
    pub strength: Strength,
}

/// The member of `params` that names what the message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetKey {
    /// Nothing does.
    None,
    /// `params.NAME`, a string: `name`, `uri`, `taskId`, `level`, …
    Param(&'static str),
    /// `params.ref`: its `name` or `uri` (completion).
    Reference,
}

/// What other message a message points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// None.
    None,
    /// `params.progressToken`: a request of the other side.
    ProgressToken,
    /// `params.requestId`: a request of the same side (or an open listen request).
    RequestId,
    /// `params.taskId`: the request that created the task.
    TaskId,
    /// `params._meta["io.modelcontextprotocol/subscriptionId"]`: an open listen request.
    Subscription,
}

/// A row of METHODS: one message over a range of revisions in which nothing listed here changed.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The name on the wire.
    pub name: &'static str,
    /// Request, notification or input request.
    pub kind: MethodKind,
    /// Who sends it.
    pub sender: Sender,
    /// What it is about.
    pub feature: Feature,
    /// First revision that has this row.
    pub since: Revision,
    /// Last revision that has this row.
    pub until: Revision,
    /// The extension that defines it, or `None` for the core protocol.
    pub extension: Option<&'static str>,
    /// What it needs.
    pub requires: &'static [Requirement],
    /// What names its target.
    pub target: TargetKey,
    /// What it points at.
    pub relation: Relation,
    /// Members that its params must have.
    pub required_params: &'static [&'static str],
    /// Members that its result must have; empty for notifications and empty results. `resultType` and the
    /// caching members of 2026-07-28 are among them.
    pub required_result: &'static [&'static str],
    /// A request whose answer may be an `input_required` result (2026-07-28).
    pub input_required: bool,
    /// The revision that deprecated it, if one did.
    pub deprecated: Option<Revision>,
    /// Specification page with anchor, relative to the root of a revision, for example `server/tools#calling-tools`.
    pub page: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
}

/// All rows of one name, core before extension, oldest first.
#[derive(Clone, Copy, Debug)]
pub struct MethodSet {
    rows: &'static [&'static Method],
}

impl MethodSet {
    /// The rows.
    pub fn rows(self) -> &'static [&'static Method] {
        self.rows
    }

    /// The row in force in a revision, core first.
    pub fn at(self, revision: Revision) -> Option<&'static Method> {
        self.rows.iter().copied().find(|row| (row.since..=row.until).contains(&revision))
    }

    /// The row in force, or else the newest one: a message of another revision is still known by name.
    pub fn at_or_any(self, revision: Option<Revision>) -> &'static Method {
        revision.and_then(|revision| self.at(revision)).unwrap_or_else(|| self.rows[self.rows.len() - 1])
    }

    /// The only side that sends it in any revision, over all rows.
    pub fn only_sender(self) -> Option<Side> {
        let first = self.rows[0].sender.only_side()?;
        self.rows.iter().all(|row| row.sender.only_side() == Some(first)).then_some(first)
    }
}

/// Finds a method by its exact name.
pub fn method_set(_name: &str) -> Option<MethodSet> {
    let _ = MethodSet { rows: &[] };
    todo!()
}
