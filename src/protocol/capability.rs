//! CAPABILITIES: what each side can declare, in which revisions, and what that unlocks.

use super::Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use super::{Revision, Side};

/// The JSON type of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapabilityType {
    /// An object; its presence declares, even when empty.
    Object,
    /// A flag; declared when `true`.
    Boolean,
    /// Extension identifiers, each with its settings.
    Extensions,
}

/// A row of [`CAPABILITIES`].
#[derive(Clone, Copy, Debug)]
pub struct Capability {
    /// Who declares it.
    pub side: Side,
    /// The path in the capabilities object.
    pub path: &'static [&'static str],
    /// Its JSON type.
    pub kind: CapabilityType,
    /// First revision that has it.
    pub since: Revision,
    /// Last revision that has it.
    pub until: Revision,
    /// The revision that deprecated it, if one did; earlier sessions are not concerned.
    pub deprecated: Option<Revision>,
    /// What it unlocks, one entry each: a method alone or with a condition, or something that is no method.
    pub unlocks: &'static [&'static str],
    /// What it means and what is missing without it, in one sentence.
    pub summary: &'static str,
    /// Specification page with anchor, relative to the root of a revision.
    pub page: &'static str,
}

/// Every capability of both sides, the server's first.
pub const CAPABILITIES: &[Capability] = &[
    Capability {
        unlocks: &["tools/list", "tools/call"],
        summary: "The server has tools; without it there is nothing to list or to call.",
        page: "server/tools#capabilities",
        ..server(&["tools"])
    },
    Capability {
        kind: CapabilityType::Boolean,
        unlocks: &["notifications/tools/list_changed"],
        summary: "The server tells when its tools change; without it a client has to list them again to find out.",
        page: "server/tools#capabilities",
        ..server(&["tools", "listChanged"])
    },
    Capability {
        unlocks: &["resources/list", "resources/templates/list", "resources/read"],
        summary: "The server has resources; without it there is nothing to list or to read.",
        page: "server/resources#capabilities",
        ..server(&["resources"])
    },
    Capability {
        kind: CapabilityType::Boolean,
        unlocks: &[
            "resources/subscribe until 2025-11-25",
            "resources/unsubscribe until 2025-11-25",
            "notifications/resources/updated",
            "subscriptions/listen with resourceSubscriptions from 2026-07-28",
        ],
        summary: "The server watches single resources for its client; without it no subscription is \
                  possible and no update is announced.",
        page: "server/resources#capabilities",
        ..server(&["resources", "subscribe"])
    },
    Capability {
        kind: CapabilityType::Boolean,
        unlocks: &["notifications/resources/list_changed"],
        summary: "The server tells when its list of resources changes; without it a client has to list \
                  them again to find out.",
        page: "server/resources#capabilities",
        ..server(&["resources", "listChanged"])
    },
    Capability {
        unlocks: &["prompts/list", "prompts/get"],
        summary: "The server has prompts; without it there is nothing to list or to fetch.",
        page: "server/prompts#capabilities",
        ..server(&["prompts"])
    },
    Capability {
        kind: CapabilityType::Boolean,
        unlocks: &["notifications/prompts/list_changed"],
        summary: "The server tells when its prompts change; without it a client has to list them again to find out.",
        page: "server/prompts#capabilities",
        ..server(&["prompts", "listChanged"])
    },
    Capability {
        deprecated: Some(V2026_07_28),
        unlocks: &["logging/setLevel until 2025-11-25", "notifications/message"],
        summary: "The server sends log messages; without it the client cannot set a level and must get none.",
        page: "server/utilities/logging#capabilities",
        ..server(&["logging"])
    },
    Capability {
        since: V2025_03_26,
        unlocks: &["completion/complete"],
        summary: "The server completes arguments; without it a client cannot ask (2024-11-05 has the \
                  method and no capability for it).",
        page: "server/utilities/completion#capabilities",
        ..server(&["completions"])
    },
    Capability {
        since: V2025_11_25,
        until: V2025_11_25,
        unlocks: &["tasks/get", "tasks/result", "notifications/tasks/status"],
        summary: "The server runs requests of the client as tasks; without it every request is answered directly.",
        page: "basic/utilities/tasks#server-capabilities",
        ..server(&["tasks"])
    },
    Capability {
        since: V2025_11_25,
        until: V2025_11_25,
        unlocks: &["tasks/list"],
        summary: "The server lists the tasks that it runs; without it a client has to remember their ids.",
        page: "basic/utilities/tasks#server-capabilities",
        ..server(&["tasks", "list"])
    },
    Capability {
        since: V2025_11_25,
        until: V2025_11_25,
        unlocks: &["tasks/cancel"],
        summary: "The server can stop a task; without it a task runs to its end.",
        page: "basic/utilities/tasks#server-capabilities",
        ..server(&["tasks", "cancel"])
    },
    Capability {
        since: V2025_11_25,
        until: V2025_11_25,
        unlocks: &["tools/call with params.task"],
        summary: "The server runs tool calls as tasks; without it a client must not ask for that.",
        page: "basic/utilities/tasks#server-capabilities",
        ..server(&["tasks", "requests", "tools", "call"])
    },
    Capability {
        unlocks: &["features outside the specification"],
        summary: "The server has features that no specification describes; without it nothing of that \
                  kind may be expected.",
        page: "basic/lifecycle#capability-negotiation",
        ..server(&["experimental"])
    },
    Capability {
        kind: CapabilityType::Extensions,
        since: V2026_07_28,
        unlocks: &["messages of the extensions named"],
        summary: "The server supports the extensions named here; without an entry the messages of that \
                  extension must not be used (some servers send it in a handshake already).",
        page: "basic/versioning#extension-negotiation",
        ..server(&["extensions"])
    },
    Capability {
        deprecated: Some(V2026_07_28),
        unlocks: &["roots/list"],
        summary: "The client tells which directories the server may work in; without it the server cannot ask.",
        page: "client/roots#capabilities",
        ..client(&["roots"])
    },
    Capability {
        kind: CapabilityType::Boolean,
        until: V2025_11_25,
        unlocks: &["notifications/roots/list_changed"],
        summary: "The client tells when its roots change; without it the server has to ask again to find out.",
        page: "client/roots#capabilities",
        ..client(&["roots", "listChanged"])
    },
    Capability {
        deprecated: Some(V2026_07_28),
        unlocks: &["sampling/createMessage"],
        summary: "The client lets the server use its model; without it the server cannot ask for a message.",
        page: "client/sampling#capabilities",
        ..client(&["sampling"])
    },
    Capability {
        since: V2025_11_25,
        deprecated: Some(V2026_07_28),
        unlocks: &[
            "sampling/createMessage with params.tools or params.toolChoice",
            "content blocks tool_use and tool_result",
        ],
        summary: "The client's model may use tools while sampling; without it the server must send \
                  neither tools nor a tool choice.",
        page: "client/sampling#tools-in-sampling",
        ..client(&["sampling", "tools"])
    },
    Capability {
        since: V2025_11_25,
        deprecated: Some(V2025_11_25),
        unlocks: &["sampling/createMessage with params.includeContext thisServer or allServers"],
        summary: "The client adds context of its servers to a sampling request; without it the server \
                  should ask for none.",
        page: "client/sampling#capabilities",
        ..client(&["sampling", "context"])
    },
    Capability {
        since: V2025_06_18,
        unlocks: &["elicitation/create"],
        summary: "The client can ask its user for input; without it the server cannot ask (from \
                  2025-11-25 an empty object means forms only).",
        page: "client/elicitation#capabilities",
        ..client(&["elicitation"])
    },
    Capability {
        since: V2025_11_25,
        unlocks: &["elicitation/create with mode form or none"],
        summary: "The client shows forms to its user; without it the server must not ask for one.",
        page: "client/elicitation#capabilities",
        ..client(&["elicitation", "form"])
    },
    Capability {
        since: V2025_11_25,
        unlocks: &[
            "elicitation/create with mode url",
            "notifications/elicitation/complete in 2025-11-25",
            "error -32042 in 2025-11-25",
        ],
        summary: "The client opens URLs for its user; without it the server must not send the user to one.",
        page: "client/elicitation#capabilities",
        ..client(&["elicitation", "url"])
    },
    Capability {
        since: V2025_11_25,
        until: V2025_11_25,
        unlocks: &["tasks/get", "tasks/result", "notifications/tasks/status"],
        summary: "The client runs requests of the server as tasks; without it every request is answered directly.",
        page: "basic/utilities/tasks#client-capabilities",
        ..client(&["tasks"])
    },
    Capability {
        since: V2025_11_25,
        until: V2025_11_25,
        unlocks: &["tasks/list"],
        summary: "The client lists the tasks that it runs; without it a server has to remember their ids.",
        page: "basic/utilities/tasks#client-capabilities",
        ..client(&["tasks", "list"])
    },
    Capability {
        since: V2025_11_25,
        until: V2025_11_25,
        unlocks: &["tasks/cancel"],
        summary: "The client can stop a task; without it a task runs to its end.",
        page: "basic/utilities/tasks#client-capabilities",
        ..client(&["tasks", "cancel"])
    },
    Capability {
        since: V2025_11_25,
        until: V2025_11_25,
        unlocks: &["sampling/createMessage with params.task"],
        summary: "The client runs sampling as a task; without it a server should not ask for that.",
        page: "basic/utilities/tasks#client-capabilities",
        ..client(&["tasks", "requests", "sampling", "createMessage"])
    },
    Capability {
        since: V2025_11_25,
        until: V2025_11_25,
        unlocks: &["elicitation/create with params.task"],
        summary: "The client runs elicitation as a task; without it a server should not ask for that.",
        page: "basic/utilities/tasks#client-capabilities",
        ..client(&["tasks", "requests", "elicitation", "create"])
    },
    Capability {
        unlocks: &["features outside the specification"],
        summary: "The client has features that no specification describes; without it nothing of that \
                  kind may be expected.",
        page: "basic/lifecycle#capability-negotiation",
        ..client(&["experimental"])
    },
    Capability {
        kind: CapabilityType::Extensions,
        since: V2026_07_28,
        unlocks: &["messages of the extensions named"],
        summary: "The client supports the extensions named here; without an entry the messages of that \
                  extension must not be used (some clients send it in a handshake already).",
        page: "basic/versioning#extension-negotiation",
        ..client(&["extensions"])
    },
];

const fn server(path: &'static [&'static str]) -> Capability {
    Capability {
        side: Side::Server,
        path,
        kind: CapabilityType::Object,
        since: Revision::FIRST,
        until: Revision::LATEST,
        deprecated: None,
        unlocks: &[],
        summary: "",
        page: "",
    }
}

const fn client(path: &'static [&'static str]) -> Capability {
    Capability { side: Side::Client, ..server(path) }
}

/// The row of a capability: the path itself, or `extensions` for an extension's identifier and `experimental` for a
/// name below it. Without a revision any revision will do.
pub fn capability<S: AsRef<str>>(side: Side, path: &[S], revision: Option<Revision>) -> Option<&'static Capability> {
    let path = match path {
        [open, ..] if matches!(open.as_ref(), "extensions" | "experimental") => &path[..1],
        whole => whole,
    };
    CAPABILITIES.iter().find(|row| {
        row.side == side
            && row.path.iter().copied().eq(path.iter().map(AsRef::as_ref))
            && revision.is_none_or(|revision| row.covers(revision))
    })
}

impl Capability {
    /// True when a revision has it.
    pub fn covers(&self, revision: Revision) -> bool {
        (self.since..=self.until).contains(&revision)
    }
}

#[cfg(test)]
mod tests {
    use super::{CAPABILITIES, CapabilityType, capability};
    use crate::protocol::{Revision, Side};

    #[test]
    fn a_row_is_found_by_side_path_and_revision() {
        for row in CAPABILITIES {
            let found = capability(row.side, row.path, Some(row.since)).expect("the row itself");
            assert_eq!((found.side, found.path, found.since), (row.side, row.path, row.since));
        }
        assert!(capability(Side::Client, &["tools"], None).is_none());
        assert!(capability(Side::Server, &["completions"], Some(Revision::V2024_11_05)).is_none());
        assert!(capability(Side::Client, &["roots", "listChanged"], Some(Revision::V2026_07_28)).is_none());
        assert!(capability::<&str>(Side::Client, &[], None).is_none());
    }

    #[test]
    fn names_below_extensions_belong_to_its_row() {
        let path = ["extensions".to_owned(), "com.example/thing".to_owned()];
        let row = capability(Side::Server, &path, None).expect("extensions is a row");
        assert_eq!((row.path, row.kind), (&["extensions"][..], CapabilityType::Extensions));
        assert!(capability(Side::Server, &path, Some(Revision::V2025_11_25)).is_none());
        assert!(capability(Side::Client, &["experimental", "x"], Some(Revision::V2024_11_05)).is_some());
    }
}
