//! What stateless requests (2026-07-28) and their answers have told of the two sides: which versions the server has, that
//! it is a stateless one at all, and what has been reported once already.

use compact_str::CompactString;

use super::{Asked, Caps, Spot};
use crate::annotate::{Annotated, Kind};
use crate::jsonrpc::RawJson;
use crate::protocol::{Era, Revision, Side, method_set};
use crate::rules::context::Seen;

/// The member of `_meta` that names the version of a stateless request.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The member of `_meta` with what the client of a stateless request can do.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A list of versions that the server has named as its own.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The message that names them.
    pub at: Spot,
    /// The versions.
    pub versions: Vec<CompactString>,
    /// There are more of them.
    pub cut: bool,
}

impl Offered {
    /// Whether a version is among them; `None` when not all of them are kept.
    pub fn has(&self, version: &str) -> Option<bool> {
        match self.versions.iter().any(|offered| offered == version) {
            false if self.cut => None,
            has => Some(has),
        }
    }

    /// Whether one of them has a handshake.
    pub fn has_handshake(&self) -> bool {
        self.versions
            .iter()
            .filter_map(|version| Revision::parse(version))
            .any(|revision| revision.era() == Era::Handshake)
    }
}

/// What a session has shown of its stateless side.
#[derive(Debug, Default)]
pub struct Modern {
    /// The request at hand names a version in `_meta`.
    pub at_hand: bool,
    /// The first request that named one, since the last `initialize`.
    pub client: Option<Spot>,
    /// The versions that the server has named last.
    pub offered: Option<Offered>,
    /// The first answer that only a stateless server gives.
    pub server: Option<Spot>,
    /// The last error that only a stateless server gives: its code and place.
    pub refused: Option<(i64, Spot)>,
    /// `server/discover` was answered as an unknown method.
    pub undiscoverable: Option<Spot>,
    /// A request without `clientInfo` was seen.
    pub nameless_client: bool,
    /// A result without `serverInfo` was seen.
    pub nameless_server: bool,
    /// A request that declares the tasks capability of 2025-11-25 was seen.
    pub legacy_tasks: bool,
    incomplete: Vec<u64>,
}

/// Versions kept of one list.
const MAX_VERSIONS: usize = 32;
/// Requests without a required member of `_meta` that wait for their answer.
const MAX_INCOMPLETE: usize = 256;

/// Whether only a stateless server answers with a code (2026-07-28, basic/index#error-codes).
pub fn is_modern_error(code: i64) -> bool {
    (-32022..=-32020).contains(&code)
}

impl Modern {
    /// Whether a message is stateless traffic, by itself or since it came back to such a request.
    pub(in crate::rules) fn is_stateless(&self, message: &Annotated<'_>, request: Option<&Asked>) -> bool {
        let unknown = || message.revision.is_none_or(|revision| Revision::parse(revision).is_none());
        match message.kind {
            Kind::Request if self.at_hand => true,
            Kind::Response | Kind::Notification if request.is_some_and(|request| request.version.is_some()) => true,
            _ if !unknown() => false,
            _ if self.client.is_some() => true,
            Kind::Response => {
                let code = message.error.as_ref().and_then(|error| error.code);
                code.is_some_and(is_modern_error) || message.method.is_some_and(is_modern_method)
            }
            _ => message.method.is_some_and(is_modern_method),
        }
    }

    /// Whether the request of that number lacked a required member of `_meta`.
    pub fn lacked(&self, n: u64) -> bool {
        self.incomplete.contains(&n)
    }

    /// What a request lacks of the members of `_meta` that every stateless request has; empty when it has both, or is no
    /// stateless request.
    pub fn missing(&self, seen: &Seen<'_>) -> &'static [&'static str] {
        if !seen.is_whole() || seen.sender == Some(Side::Server) || seen.method == Some("initialize") {
            return &[];
        }
        let meta = seen.get("_meta");
        let has = |key| meta.is_some_and(|meta| meta.get(key).is_some());
        match (has(PROTOCOL_VERSION), has(CLIENT_CAPABILITIES)) {
            (true, true) => &[],
            (true, false) => &[CLIENT_CAPABILITIES],
            (false, true) => &[PROTOCOL_VERSION],
            (false, false) if self.client.is_some() || seen.method.is_some_and(is_modern_method) => {
                &[PROTOCOL_VERSION, CLIENT_CAPABILITIES]
            }
            (false, false) => &[],
        }
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>, caps: &mut Caps) {
        match seen.kind {
            Kind::Request if seen.method == Some("initialize") => self.client = None,
            Kind::Request if seen.is_modern() => self.see_request(seen, caps),
            Kind::Response if seen.is_result() => self.see_result(seen, request, caps),
            Kind::Response => self.see_error(seen, caps),
            _ => {}
        }
    }

    fn see_request(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        if self.at_hand {
            self.client.get_or_insert(seen.spot());
            let meta = seen.get("_meta");
            self.nameless_client |= meta.and_then(|meta| meta.get("io.modelcontextprotocol/clientInfo")).is_none();
            self.legacy_tasks |= meta.and_then(|meta| meta.get(CLIENT_CAPABILITIES)?.get("tasks")).is_some();
        }
        // A request with neither member may be meant for a server of both eras.
        if self.missing(seen).len() == 1
            || (!self.missing(seen).is_empty() && seen.method.is_some_and(is_modern_method))
        {
            if self.incomplete.len() == MAX_INCOMPLETE {
                self.incomplete.remove(0);
                caps.lost("rule-stateless", 1);
            }
            self.incomplete.push(seen.message.n);
        }
    }

    fn see_result(&mut self, seen: &Seen<'_>, request: Option<&Asked>, caps: &mut Caps) {
        if !seen.is_modern() || seen.sender == Some(Side::Client) {
            return;
        }
        self.answered(seen);
        if seen.get("resultType").is_some() {
            self.server.get_or_insert(seen.spot());
        }
        let named = request.is_some_and(|request| request.version.is_some());
        self.nameless_server |= named && seen.is_whole() && seen.meta("io.modelcontextprotocol/serverInfo").is_none();
        if seen.method == Some("server/discover") {
            self.offer(seen, seen.get("supportedVersions"), caps);
        }
    }

    fn see_error(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        self.answered(seen);
        let Some(code) = seen.message.error.as_ref().and_then(|error| error.code) else { return };
        if is_modern_error(code) {
            self.server.get_or_insert(seen.spot());
            self.refused = Some((code, seen.spot()));
        }
        if code == -32022 {
            self.offer(seen, seen.get("data").and_then(|data| data.get("supported")), caps);
        }
        if code == -32601 && seen.method == Some("server/discover") {
            self.undiscoverable.get_or_insert(seen.spot());
        }
    }

    fn answered(&mut self, seen: &Seen<'_>) {
        if !self.incomplete.is_empty() {
            self.incomplete.retain(|n| Some(*n) != seen.message.answers);
        }
    }

    fn offer(&mut self, seen: &Seen<'_>, versions: Option<RawJson<'_>>, caps: &mut Caps) {
        let Some(list) = versions else { return };
        let mut named = list.elements().filter_map(|version| version.as_str().map(CompactString::from));
        let versions: Vec<_> = named.by_ref().take(MAX_VERSIONS).collect();
        if !versions.is_empty() {
            let beyond = named.count() as u64;
            if beyond > 0 {
                caps.lost("rule-stateless", beyond);
            }
            self.offered = Some(Offered { at: seen.spot(), versions, cut: beyond > 0 });
        }
    }
}

/// Whether only stateless revisions have a method.
fn is_modern_method(name: &str) -> bool {
    method_set(name).is_some_and(|set| set.rows().iter().all(|row| row.since.era() == Era::Stateless))
}
