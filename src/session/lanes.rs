//! Lanes: streams of messages that the log keeps apart by a session, process or server name. A lane without names holds
//! whatever the log cannot tell apart.

use compact_str::CompactString;

/// The names by which a log keeps streams apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LaneKey {
    session: Option<CompactString>,
    server: Option<CompactString>,
}

impl LaneKey {
    /// The key for what a frame says of itself.
    pub fn new(session: Option<&str>, server: Option<&str>) -> Self {
        Self { session: session.map(CompactString::new), server: server.map(CompactString::new) }
    }

    /// Whether a frame belongs to this lane.
    #[inline]
    pub fn is(&self, session: Option<&str>, server: Option<&str>) -> bool {
        match (session, server) {
            (None, None) => self.session.is_none() && self.server.is_none(),
            _ => self.session.as_deref() == session && self.server.as_deref() == server,
        }
    }

    /// The log names the session itself.
    pub fn names_session(&self) -> bool {
        self.session.is_some()
    }

    /// The server's name in the log.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }
}

/// One stream.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) key: LaneKey,
    /// Places of its open sessions, oldest first; the last is the current one.
    pub(super) sessions: Vec<usize>,
    /// The log shows where this stream begins.
    pub(super) beginning: bool,
    /// Several sessions run at once and the log does not tell them apart.
    pub(super) concurrent: bool,
    /// Messages so far, to see which session has gone quiet.
    pub(super) messages: u64,
}

impl Lane {
    pub(super) fn new(key: LaneKey) -> Self {
        Self { key, sessions: Vec::new(), beginning: false, concurrent: false, messages: 0 }
    }
}
