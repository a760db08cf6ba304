//! The listen streams of a session (2026-07-28, basic/patterns/subscriptions): what each asked for, what the server
//! promised, and how it ended.

use std::collections::VecDeque;

use compact_str::CompactString;

use super::{Asked, Caps, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::protocol::Side;
use crate::rules::context::Seen;
use crate::session::IdKey;

/// The member of `_meta` that names a listen stream.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// Members of a filter that are flags, and the notification that each lets through.
pub const FLAGS: [(&str, &str); 3] = [
    ("toolsListChanged", "notifications/tools/list_changed"),
    ("promptsListChanged", "notifications/prompts/list_changed"),
    ("resourcesListChanged", "notifications/resources/list_changed"),
];

/// Streams kept of a session; the oldest gives way, ended ones first.
const MAX_STREAMS: usize = 256;
/// URIs and task ids kept of one filter.
const MAX_NAMES: usize = 1_024;
/// Bytes of them.
const MAX_BYTES: usize = 64 << 10;

/// Which notifications a stream lets through.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    flags: [bool; FLAGS.len()],
    /// Resources of which updates are wanted.
    pub uris: Vec<CompactString>,
    /// Tasks of which the state is wanted.
    pub tasks: Vec<CompactString>,
    /// There are more names than are kept.
    pub cut: bool,
}

impl Filter {
    /// Reads the member `notifications` of a request or an acknowledgement.
    fn read(notifications: Option<RawJson<'_>>, caps: &mut Caps) -> Self {
        let get = |name: &str| notifications.and_then(|notifications| notifications.get(name));
        let mut filter = Self::default();
        for (flag, (name, _)) in filter.flags.iter_mut().zip(FLAGS) {
            *flag = get(name).and_then(RawJson::as_bool) == Some(true);
        }
        let (mut bytes, mut cut) = (0, false);
        let mut names = |member: &str| -> Vec<CompactString> {
            let mut names = Vec::new();
            let listed = get(member).into_iter().flat_map(RawJson::elements);
            for name in listed.filter_map(RawJson::as_str) {
                bytes += name.len();
                cut |= names.len() >= MAX_NAMES || bytes > MAX_BYTES;
                if cut {
                    break;
                }
                names.push(CompactString::from(name));
            }
            names
        };
        filter.uris = names("resourceSubscriptions");
        filter.tasks = names("taskIds");
        filter.cut = cut;
        if cut {
            caps.lost("rule-streams", 1);
        }
        filter
    }

    /// Whether a notification of that method may pass, whatever it is about; `None` when no filter decides that.
    pub fn lets(&self, method: &str) -> Option<bool> {
        if let Some(place) = FLAGS.iter().position(|(_, notification)| *notification == method) {
            return Some(self.flags[place]);
        }
        match method {
            "notifications/resources/updated" => Some(self.cut || !self.uris.is_empty()),
            "notifications/tasks" => Some(self.cut || !self.tasks.is_empty()),
            _ => None,
        }
    }

    /// Whether updates of a URI may pass: it is listed, or below one that is.
    pub fn has_uri(&self, uri: &str) -> bool {
        self.cut || self.uris.iter().any(|listed| uri.starts_with(listed.as_str()))
    }

    /// Whether the state of a task may pass.
    pub fn has_task(&self, id: &str) -> bool {
        self.cut || self.tasks.iter().any(|listed| listed == id)
    }
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// With the result of its request.
    Answered(Spot),
    /// The server cancelled it.
    ByServer(Spot),
    /// The client cancelled it.
    ByClient(Spot),
}

/// A listen stream.
#[derive(Debug)]
pub struct Stream {
    /// Its request.
    pub request: Spot,
    /// The id of the request, which names the stream.
    pub id: IdKey,
    /// What was asked for.
    pub wanted: Filter,
    /// The acknowledgement, and what it promises.
    pub promised: Option<(Spot, Filter)>,
    /// How it ended.
    pub closed: Option<Closed>,
}

/// The listen streams of a session.
#[derive(Debug, Default)]
pub struct Streams {
    streams: VecDeque<Stream>,
    /// Streams were forgotten.
    pub lost: bool,
    /// The last message of the server.
    pub spoke: Option<u64>,
}

impl Streams {
    /// The stream of an id; the last one when the id was used again.
    pub fn get(&self, id: &IdKey) -> Option<&Stream> {
        self.streams.iter().rev().find(|stream| stream.id == *id)
    }

    /// The stream that a message names in `_meta`.
    pub fn of(&self, seen: &Seen<'_>) -> Option<&Stream> {
        self.get(&IdKey::of_token(seen.meta(SUBSCRIPTION_ID)?.text())?)
    }

    /// The stream that a request has opened.
    pub fn of_request(&self, n: u64) -> Option<&Stream> {
        self.streams.iter().rev().find(|stream| stream.request.0 == n)
    }

    /// The streams that have not ended.
    pub fn open(&self) -> impl Iterator<Item = &Stream> {
        self.streams.iter().filter(|stream| stream.closed.is_none())
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>, caps: &mut Caps) {
        if seen.sender == Some(Side::Server) {
            self.spoke = Some(seen.message.n);
        }
        match (seen.kind, seen.method) {
            (Kind::Request, Some("subscriptions/listen")) if seen.message.answered_by.is_none() => {
                self.open_stream(seen, caps);
            }
            (Kind::Notification, Some("notifications/subscriptions/acknowledged")) => {
                let id = seen.meta(SUBSCRIPTION_ID).and_then(|id| IdKey::of_token(id.text()));
                if let Some(stream) = self.last_mut(id.as_ref()) {
                    stream.promised.get_or_insert((seen.spot(), Filter::read(seen.get("notifications"), caps)));
                }
            }
            (Kind::Notification, Some("notifications/cancelled")) => {
                let id = seen.get("requestId").and_then(|id| IdKey::of_token(id.text()));
                let (sender, at) = (seen.sender, seen.spot());
                if let Some(stream) = self.last_mut(id.as_ref()) {
                    stream.closed.get_or_insert(match sender {
                        Some(Side::Server) => Closed::ByServer(at),
                        _ => Closed::ByClient(at),
                    });
                }
            }
            (Kind::Response, Some("subscriptions/listen")) => {
                let n = request.map(|request| request.at.0);
                if let Some(stream) = self.streams.iter_mut().find(|stream| Some(stream.request.0) == n) {
                    // A client's cancellation ends it, whatever the server still says.
                    stream.closed.get_or_insert(Closed::Answered(seen.spot()));
                }
            }
            _ => {}
        }
    }

    fn last_mut(&mut self, id: Option<&IdKey>) -> Option<&mut Stream> {
        let id = id?;
        self.streams.iter_mut().rev().find(|stream| stream.id == *id)
    }

    fn open_stream(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        let Some(id) = seen.message.id.as_ref().and_then(IdKey::of_id) else { return };
        if self.streams.len() == MAX_STREAMS {
            let ended = self.streams.iter().position(|stream| stream.closed.is_some());
            self.streams.remove(ended.unwrap_or(0));
            self.lost = true;
            caps.lost("rule-streams", 1);
        }
        let wanted = Filter::read(seen.get("notifications"), caps);
        self.streams.push_back(Stream { request: seen.spot(), id, wanted, promised: None, closed: None });
    }
}
