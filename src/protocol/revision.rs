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
pub const REVISIONS: &[RevisionInfo] = &[];

/// Version strings met in the wild that are no revision: value and what it is.
pub const OTHER_VERSIONS: &[(&str, &str)] = &[];

impl Revision {
    /// The newest revision.
    pub const LATEST: Self = Self::V2026_07_28;

    /// Reads a version string; `draft` and pre-release strings give the revision they became.
    pub fn parse(_text: &str) -> Option<Self> {
        todo!()
    }

    /// The string on the wire.
    pub fn as_str(self) -> &'static str {
        todo!()
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
