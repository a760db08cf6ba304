//! What is known of a method: the type of a row of METHODS. How to find one is in `lookup`.

use super::{Feature, Phase, Revision, Side};

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

/// Whether a request can become a task, so that its answer is the handle of the task instead of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskAugmentation {
    /// It cannot.
    None,
    /// 2025-11-25: when the request carries `params.task` and the receiver declared support.
    Requested,
    /// 2026-07-28 with the tasks extension: when the server decides so.
    ServerDirected,
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
    /// The definition in the official JSON Schema; empty for extensions.
    pub schema: &'static str,
    /// What it needs.
    pub requires: &'static [Requirement],
    /// What names its target.
    pub target: TargetKey,
    /// What it points at.
    pub relation: Relation,
    /// Members that its params must have, sorted.
    pub required_params: &'static [&'static str],
    /// Members that its params may have besides, sorted; `_meta` is left out, for all params may have it.
    pub optional_params: &'static [&'static str],
    /// Members that its result must have, sorted; empty for notifications and empty results. `resultType` and the
    /// caching members of 2026-07-28 are among them.
    pub required_result: &'static [&'static str],
    /// Members that its result may have besides, sorted; `_meta` is left out, for all results may have it.
    pub optional_result: &'static [&'static str],
    /// The phases in which it may be sent.
    pub phases: &'static [Phase],
    /// A request that may carry `_meta.progressToken`.
    pub progress_token: bool,
    /// A request with `params.cursor`, answered by a result with `nextCursor`.
    pub paginated: bool,
    /// Whether it can become a task.
    pub task_augmentation: TaskAugmentation,
    /// A request whose answer may be an `input_required` result (2026-07-28).
    pub input_required: bool,
    /// A request of the client whose handling may take the server to ask the client something before it answers.
    pub may_ask: bool,
    /// A request whose result may be that of a tool, which tells by `isError` that the tool failed.
    pub tool_result: bool,
    /// A request whose result carries `ttlMs` and `cacheScope` (2026-07-28).
    pub cacheable: bool,
    /// The revision that deprecated it, if one did; earlier rows name it too.
    pub deprecated: Option<Revision>,
    /// What took its place in the revision after its last, if anything did.
    pub replaced_by: Option<&'static str>,
    /// Specification page with anchor, relative to the root of a revision, for example `server/tools#calling-tools`;
    /// a whole URL for extensions.
    pub page: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
}

impl Method {
    /// A request of all revisions and of the operation phase that needs nothing: the base of a row.
    pub(super) const fn request(name: &'static str, sender: Sender, feature: Feature, schema: &'static str) -> Self {
        Self {
            name,
            kind: MethodKind::Request,
            sender,
            feature,
            since: Revision::FIRST,
            until: Revision::LATEST,
            extension: None,
            schema,
            requires: &[],
            target: TargetKey::None,
            relation: Relation::None,
            required_params: &[],
            optional_params: &[],
            required_result: &[],
            optional_result: &[],
            phases: &[Phase::Operation],
            progress_token: true,
            paginated: false,
            task_augmentation: TaskAugmentation::None,
            input_required: false,
            may_ask: false,
            tool_result: false,
            cacheable: false,
            deprecated: None,
            replaced_by: None,
            page: "",
            summary: "",
        }
    }

    /// As [`Self::request`], for a notification.
    pub(super) const fn notification(
        name: &'static str,
        sender: Sender,
        feature: Feature,
        schema: &'static str,
    ) -> Self {
        Self { kind: MethodKind::Notification, progress_token: false, ..Self::request(name, sender, feature, schema) }
    }

    /// True when the row is in force in a revision.
    pub fn covers(&self, revision: Revision) -> bool {
        (self.since..=self.until).contains(&revision)
    }

    /// The address of its page: in the given revision if the row is in force there, else in the row's last.
    pub fn url(&self, revision: Option<Revision>) -> String {
        let revision = revision.filter(|revision| self.covers(*revision)).unwrap_or(self.until);
        revision.page_url(self.page)
    }
}

impl Method {
    /// What its receiver has to declare before a request of this method may ask to be a task; `None` where it cannot.
    pub fn task_requirement(&self) -> Option<&'static Requirement> {
        self.requires.iter().find(|requirement| requirement.when == Condition::TaskPresent)
    }
}

impl Requirement {
    /// The same requirement under a condition.
    pub(super) const fn when(self, when: Condition) -> Self {
        Self { when, ..self }
    }
}

const fn of(side: RequiredSide, path: &'static [&'static str], strength: Strength) -> Requirement {
    Requirement { side, path, when: Condition::Always, strength }
}

/// Requires a declaration of the client.
pub(super) const fn client(path: &'static [&'static str], strength: Strength) -> Requirement {
    of(RequiredSide::Client, path, strength)
}

/// Requires a declaration of the server.
pub(super) const fn server(path: &'static [&'static str], strength: Strength) -> Requirement {
    of(RequiredSide::Server, path, strength)
}

/// Requires a declaration of the side that gets the message.
pub(super) const fn receiver(path: &'static [&'static str], strength: Strength) -> Requirement {
    of(RequiredSide::Receiver, path, strength)
}

/// Requires a declaration of the side that sends the message.
pub(super) const fn sender(path: &'static [&'static str], strength: Strength) -> Requirement {
    of(RequiredSide::Sender, path, strength)
}

/// Requires that another request of the session asked for it; these are all MUST.
pub(super) const fn opt_in(path: &'static [&'static str]) -> Requirement {
    of(RequiredSide::Request, path, Strength::Must)
}
