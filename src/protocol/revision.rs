//! The revisions of the specification and what each of them changed in kind.

/// A published revision, in order of time: later ones compare greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

/// How a revision begins a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// Up to 2025-11-25: `initialize`, `notifications/initialized`, then operation.
    Handshake,
    /// From 2026-07-28 on: every request carries version and capabilities in `_meta`.
    Stateless,
}

impl Era {
    /// `handshake` or `stateless`, the words of the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Handshake => "handshake",
            Self::Stateless => "stateless",
        }
    }
}

/// A row of [`REVISIONS`].
#[derive(Clone, Copy, Debug)]
pub struct RevisionInfo {
    /// The revision.
    pub revision: Revision,
    /// The string on the wire, for example `2025-11-25`.
    pub name: &'static str,
    /// How its sessions begin.
    pub era: Era,
    /// What the revision says of JSON-RPC batches, in its own terms: `not defined`, `defined`, `removed`, `none`.
    pub batching: &'static str,
    /// What a session is bound to.
    pub session: &'static str,
    /// One sentence: what this revision brought.
    pub summary: &'static str,
}

/// Every revision, oldest first. `draft` is an alias of the last.
pub const REVISIONS: &[RevisionInfo] = &[
    RevisionInfo {
        revision: Revision::V2024_11_05,
        name: "2024-11-05",
        era: Era::Handshake,
        batching: "not defined",
        session: "a connection",
        summary: "The first revision: tools, resources and prompts of the server, roots and sampling of the client, \
                  over stdio or HTTP with server-sent events.",
    },
    RevisionInfo {
        revision: Revision::V2025_03_26,
        name: "2025-03-26",
        era: Era::Handshake,
        batching: "defined",
        session: "a connection, or an Mcp-Session-Id over HTTP",
        summary: "Brought streamable HTTP, batches, tool annotations, audio content and the completions capability.",
    },
    RevisionInfo {
        revision: Revision::V2025_06_18,
        name: "2025-06-18",
        era: Era::Handshake,
        batching: "removed",
        session: "a connection, or an Mcp-Session-Id over HTTP",
        summary: "Removed batches; brought elicitation, structured tool results and resource links, and made the \
                  declared capabilities binding.",
    },
    RevisionInfo {
        revision: Revision::V2025_11_25,
        name: "2025-11-25",
        era: Era::Handshake,
        batching: "none",
        session: "a connection, or an Mcp-Session-Id over HTTP",
        summary: "Brought tasks on both sides, elicitation at a URL, and tools in sampling.",
    },
    RevisionInfo {
        revision: Revision::V2026_07_28,
        name: "2026-07-28",
        era: Era::Stateless,
        batching: "none",
        session: "nothing: every request stands alone",
        summary: "Removed the handshake and all requests of the server: each request carries version and \
                  capabilities, a server asks back inside its answer, and listen streams carry notifications.",
    },
];

/// Version strings met in the wild that are no revision: value and what it is.
pub const OTHER_VERSIONS: &[(&str, &str)] = &[
    ("2024-10-07", "older than the first revision; several implementations still list it as supported"),
    ("DRAFT-2026-v1", "a pre-release name of 2026-07-28, with other error codes (-32001, -32003, -32004)"),
    ("2026-06-30", "the working title of 2026-07-28 in some proposals; not expected on the wire"),
    ("2026-01-26", "the version of the MCP Apps dialect between view and host (ui/initialize), not of MCP"),
];

/// Names of the newest revision before it was published, on the wire or in file names.
const ALIASES: [&str; 2] = ["draft", "DRAFT-2026-v1"];

/// Where the specification is published.
const SITE: &str = "https://modelcontextprotocol.io/specification";

/// Pages that 2026-07-28 no longer has.
const HANDSHAKE_PAGES: [&str; 2] = ["basic/lifecycle", "basic/utilities/"];

impl Revision {
    /// The oldest revision.
    pub const FIRST: Self = Self::V2024_11_05;

    /// The newest revision.
    pub const LATEST: Self = Self::V2026_07_28;

    /// Reads a version string; `draft` and pre-release strings give the revision they became.
    pub fn parse(text: &str) -> Option<Self> {
        if ALIASES.contains(&text) {
            return Some(Self::LATEST);
        }
        REVISIONS.iter().find(|row| row.name == text).map(|row| row.revision)
    }

    /// The string on the wire.
    pub fn as_str(self) -> &'static str {
        self.info().name
    }

    /// Its row.
    pub fn info(self) -> &'static RevisionInfo {
        &REVISIONS[self as usize]
    }

    /// The address of a page of this revision, given as in the tables: `server/tools#calling-tools`. A page that went
    /// with the handshake is sought in the last revision that had one. Pages of extensions are whole addresses already
    /// and are given back unchanged.
    pub fn page_url(self, page: &str) -> String {
        if page.starts_with("https://") {
            return page.to_owned();
        }
        let ended = HANDSHAKE_PAGES.iter().any(|start| page.starts_with(start));
        let revision = if ended { self.min(Self::V2025_11_25) } else { self };
        // The site serves `basic/index` as `basic`.
        let (path, anchor) = page.split_at(page.find('#').unwrap_or(page.len()));
        let path = path.strip_suffix("/index").unwrap_or(path);
        format!("{SITE}/{}/{path}{anchor}", revision.as_str())
    }

    /// How sessions of this revision begin.
    pub fn era(self) -> Era {
        if self >= Self::V2026_07_28 { Era::Stateless } else { Era::Handshake }
    }

    /// All revisions, oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        REVISIONS.iter().map(|row| row.revision)
    }
}

#[cfg(test)]
mod tests {
    use super::{Era, OTHER_VERSIONS, REVISIONS, Revision};

    #[test]
    fn rows_stand_in_the_order_of_the_variants() {
        for (number, row) in REVISIONS.iter().enumerate() {
            assert_eq!(row.revision as usize, number);
            assert_eq!(Revision::parse(row.name), Some(row.revision));
            assert_eq!(row.revision.as_str(), row.name);
            assert_eq!(row.revision.era(), row.era);
        }
        assert!(REVISIONS.is_sorted_by_key(|row| row.name));
        assert_eq!(Revision::all().next(), Some(Revision::FIRST));
        assert_eq!(Revision::all().next_back(), Some(Revision::LATEST));
    }

    #[test]
    fn early_names_of_the_newest_revision_are_read_and_other_strings_are_not() {
        assert_eq!(Revision::parse("draft"), Some(Revision::V2026_07_28));
        assert_eq!(Revision::parse("DRAFT-2026-v1"), Some(Revision::V2026_07_28));
        for text in ["", "2025", "2025-11-26", "2025-11-25 ", "DRAFT", "2024-10-07", "2026-01-26"] {
            assert_eq!(Revision::parse(text), None, "{text:?}");
        }
        for (name, what) in OTHER_VERSIONS {
            assert!(REVISIONS.iter().all(|row| row.name != *name), "{name}");
            assert!(!what.is_empty());
        }
    }

    #[test]
    fn the_newest_revision_alone_is_stateless() {
        let stateless: Vec<_> = Revision::all().filter(|revision| revision.era() == Era::Stateless).collect();
        assert_eq!(stateless, [Revision::V2026_07_28]);
    }

    #[test]
    fn pages_become_addresses() {
        assert_eq!(
            Revision::V2025_06_18.page_url("server/tools#calling-tools"),
            "https://modelcontextprotocol.io/specification/2025-06-18/server/tools#calling-tools"
        );
        assert_eq!(
            Revision::V2026_07_28.page_url("basic/index#meta"),
            "https://modelcontextprotocol.io/specification/2026-07-28/basic#meta"
        );
        assert_eq!(
            Revision::V2026_07_28.page_url("basic/lifecycle"),
            "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle"
        );
        assert_eq!(Revision::V2025_06_18.page_url("https://example.org/x#y"), "https://example.org/x#y");
    }
}
