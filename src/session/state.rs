//! One session: how far it has come and what was negotiated. Follows basic/lifecycle (handshake revisions) and
//! basic/versioning (2026-07-28).

use compact_str::CompactString;

use super::declared::{Declarations, Terms};
use super::pending::Request;
use super::retry::Retries;
use super::{CapabilitySet, Counts, Facts, Key};
use crate::jsonrpc::RawJson;
use crate::protocol::{Direction, Era, Revision, Side};
use crate::transcript::Stamp;

/// Name and version of a peer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Peer {
    pub name: String,
    pub version: Option<String>,
}

/// Longer names and versions are cut: they are for display.
const MAX_NAME: usize = 256;
/// Version strings kept per session; of messages with further ones the revision is not told.
const MAX_REVISIONS: usize = 200;

impl Peer {
    pub(super) fn read(info: RawJson<'_>) -> Option<Self> {
        let text = |name: &str| {
            let text = info.get(name)?.as_str()?;
            Some(text.chars().take(MAX_NAME).collect::<String>())
        };
        Some(Self { name: text("name")?, version: text("version") })
    }
}

/// How far a session has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// No `initialize` yet: not begun, mid-session, or stateless.
    Fresh,
    /// `initialize` was asked and not yet answered, or refused.
    Initializing,
    /// It was answered; `notifications/initialized` is still to come.
    Initialized,
    /// The handshake is done.
    Operating,
    /// The log says that the transport closed or the process ended.
    Closed,
}

/// How one side numbers its requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbering {
    pub(super) prefix: CompactString,
    pub(super) last: Option<i64>,
    /// Ids that are not numbered at all, such as UUIDs.
    pub(super) unnumbered: bool,
    /// That the last of them was this side's is a guess.
    pub(super) shaky: bool,
}

impl Numbering {
    pub(super) fn note(&mut self, key: &Key<'_>, guessed: bool) {
        self.shaky = guessed;
        match key.counter() {
            Some((prefix, number)) => {
                if self.prefix != prefix {
                    // Digits at the end of an id that is no counter, such as a UUID.
                    self.unnumbered |= self.last.is_some();
                    self.prefix = CompactString::new(prefix);
                    self.last = None;
                }
                self.last = Some(self.last.map_or(number, |last| last.max(number)));
            }
            None => self.unnumbered = true,
        }
    }

    pub(super) fn uses_strings(&self) -> bool {
        self.unnumbered || self.prefix.starts_with('"')
    }

    pub(super) fn is_unused(&self) -> bool {
        self.last.is_none() && !self.unnumbered
    }
}

/// Open requests that can be the cause of the other side's requests: how many, and the sum of their numbers, which
/// is the number itself when there is only one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Causes {
    pub(super) open: u64,
    sum: u64,
}

impl Causes {
    pub(super) fn open(&mut self, n: u64) {
        self.open += 1;
        self.sum = self.sum.wrapping_add(n);
    }

    pub(super) fn close(&mut self, n: u64) {
        self.open = self.open.saturating_sub(1);
        self.sum = self.sum.wrapping_sub(n);
    }

    pub(super) fn only(self) -> Option<u64> {
        (self.open == 1).then_some(self.sum)
    }
}

/// One session and what is known of it.
#[derive(Debug)]
pub struct Session {
    /// From 1, within its input.
    pub number: u32,
    pub(super) state: State,
    /// An `initialize` was seen.
    pub(super) handshake: bool,
    /// A request with its own version was seen.
    pub(super) stateless: bool,
    /// `server/discover` or another stateless request came before `initialize`.
    pub(super) probed: bool,
    /// `initialize` was answered by an error.
    pub(super) refused: bool,
    /// Stateless: a request other than a probe was answered, or is no probe.
    pub(super) ordinary: bool,
    pub(super) beginning: bool,
    /// The capture begins in the middle of it.
    pub(super) middle: bool,
    /// As on the wire, and the revision that each stands for.
    revisions: Vec<(String, Option<Revision>)>,
    pub(super) requested: Option<u8>,
    pub(super) revision: Option<u8>,
    pub(super) client: Option<Peer>,
    pub(super) server: Option<Peer>,
    pub(super) log_name: Option<String>,
    pub(super) declarations: Declarations,
    pub(super) start: Option<Stamp>,
    pub(super) end: Option<Stamp>,
    pub(super) counts: Counts,
    pub(super) numbering: [Numbering; 2],
    pub(super) causes: [Causes; 2],
    pub(super) retries: Retries,
    pub(super) swapped: bool,
    /// Labels that agreed with, and contradicted, the methods that only one side can send.
    pub(super) labels: (u32, u32),
    /// Answers for which a request was looked for further on in vain.
    pub(super) vain_lookups: u32,
    /// Ids used again while open: in 2026-07-28 the mark of another process.
    pub(super) reopened: u32,
    /// When the lane last used it.
    pub(super) used: u64,
    /// Requests that can never be paired with an answer any more: given up for lack of room, their id used again, or an
    /// id that identifies nothing.
    pub(super) lost: u64,
    /// Number and method of the first of them.
    pub(super) lost_first: Vec<(u64, String)>,
    /// Version and client capabilities of the last stateless request that was told as an agreement.
    told: Option<(Option<u8>, Terms)>,
}

/// Requests without an answer that are named, per session.
pub(super) const MAX_NAMED: usize = 100;

impl Session {
    pub(super) fn new(number: u32, beginning: bool, log_name: Option<&str>) -> Self {
        Self {
            number,
            state: State::Fresh,
            handshake: false,
            stateless: false,
            probed: false,
            refused: false,
            ordinary: false,
            beginning,
            middle: false,
            revisions: Vec::new(),
            requested: None,
            revision: None,
            client: None,
            server: None,
            log_name: log_name.map(str::to_owned),
            declarations: Declarations::default(),
            start: None,
            end: None,
            counts: Counts::default(),
            numbering: Default::default(),
            causes: Default::default(),
            retries: Retries::default(),
            swapped: false,
            labels: (0, 0),
            vain_lookups: 0,
            reopened: 0,
            used: 0,
            lost: 0,
            lost_first: Vec::new(),
            told: None,
        }
    }

    /// The server's name, where the log or the handshake has given one so far.
    pub fn server_name(&self) -> Option<&str> {
        self.log_name.as_deref().or(self.server.as_ref().map(|peer| peer.name.as_str()))
    }

    /// How it began; `None` as long as nothing tells.
    pub fn era(&self) -> Option<Era> {
        match (self.handshake, self.stateless) {
            (true, _) => Some(Era::Handshake),
            (false, true) => Some(Era::Stateless),
            (false, false) => None,
        }
    }

    /// `server/discover`, or another stateless request, came before `initialize`.
    pub fn probed(&self) -> bool {
        self.probed
    }

    /// The revision in force, as on the wire.
    pub fn revision(&self) -> Option<&str> {
        self.revision_text(self.revision?)
    }

    /// The revision that the client asked for.
    pub fn requested_revision(&self) -> Option<&str> {
        self.revision_text(self.requested?)
    }

    /// The client.
    pub fn client(&self) -> Option<&Peer> {
        self.client.as_ref()
    }

    /// The server.
    pub fn server(&self) -> Option<&Peer> {
        self.server.as_ref()
    }

    /// What a side declared; `None` when the declaration is not in the capture.
    pub fn capabilities(&self, side: Side) -> Option<&CapabilitySet> {
        self.declarations.set(side, self.declarations.current())
    }

    /// The same, of a session that has ended: nothing is known of them afterwards.
    pub fn take_capabilities(&mut self, side: Side) -> Option<CapabilitySet> {
        self.declarations.take(side, self.declarations.current())
    }

    /// First and last recorded time.
    pub fn times(&self) -> Option<(Stamp, Stamp)> {
        Some((self.start?, self.end?))
    }

    /// Messages by kind.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Most labels contradict the methods that only one side can send.
    pub fn swapped_labels(&self) -> bool {
        self.swapped
    }

    pub(super) fn revision_text(&self, index: u8) -> Option<&str> {
        self.revisions.get(index as usize).map(|(text, _)| text.as_str())
    }

    pub(super) fn known_revision(&self, index: Option<u8>) -> Option<Revision> {
        self.revisions.get(index? as usize)?.1
    }

    pub(super) fn intern(&mut self, revision: &str) -> u8 {
        if let Some(index) = self.revisions.iter().position(|(known, _)| known == revision) {
            return index as u8;
        }
        if self.revisions.len() == MAX_REVISIONS {
            return u8::MAX;
        }
        let text: String = revision.chars().take(MAX_NAME).collect();
        let known = Revision::parse(&text);
        self.revisions.push((text, known));
        (self.revisions.len() - 1) as u8
    }

    /// Notes that a request will never be paired with an answer.
    pub(super) fn lose(&mut self, n: u64, method: Option<&str>) {
        self.lost += 1;
        if let Some(method) = method
            && self.lost_first.len() < MAX_NAMED
        {
            self.lost_first.push((n, method.to_owned()));
        }
    }

    /// Lets go of a request that is still open.
    pub(super) fn give_up(&mut self, side: Side, request: &Request) {
        if request.causal && !request.cancelled {
            self.causes[side.index()].close(request.n);
        }
        self.lose(request.n, Some(request.about.method()));
    }

    /// Whether version and client capabilities are other than when this was last asked.
    pub(super) fn terms_changed(&mut self) -> bool {
        let terms = Some((self.revision, self.declarations.current()));
        std::mem::replace(&mut self.told, terms) != terms
    }

    pub(super) fn touch(&mut self, time: Option<Stamp>) {
        if let Some(time) = time {
            self.start.get_or_insert(time);
            self.end = Some(time);
        }
    }

    /// The recorded direction, turned round when this session's labels are swapped.
    pub(super) fn label(&self, recorded: Option<Direction>) -> Option<Direction> {
        if self.swapped { recorded.map(Direction::reversed) } else { recorded }
    }

    /// Whether an `initialize` begins another session: not when nothing, only probes, or a refused `initialize`
    /// came before.
    pub(super) fn is_over_at_initialize(&self) -> bool {
        match self.state {
            State::Fresh => self.ordinary || self.middle,
            State::Initializing => !self.refused,
            State::Initialized | State::Operating | State::Closed => true,
        }
    }

    /// Whether a stateless request begins another session.
    pub(super) fn is_over_at(&self, facts: &Facts<'_>, id_is_known: bool) -> bool {
        facts.is_stateless()
            && id_is_known
            && facts.method == Some("server/discover")
            && (self.handshake || self.ordinary)
    }
}
