//! What HTTP has shown of a session: its id, the exchange of each request, streams and their events, and tools whose
//! arguments go into headers. basic/transports of the handshake revisions, basic/transports/streamable-http of 2026-07-28.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use compact_str::CompactString;
use hashbrown::HashMap;

use super::{Caps, Lifecycle, Spot};
use crate::annotate::{Event, Kind};
use crate::jsonrpc::RawJson;
use crate::position::Position;
use crate::protocol::{Revision, Side};
use crate::rules::context::Seen;
use crate::session::IdKey;
use crate::transcript::{Flag, Half, Http};

/// Exchanges kept of a session; the oldest gives way.
const MAX_EXCHANGES: usize = 1_024;
/// Requests kept of one exchange.
const MAX_REQUESTS: usize = 64;
/// Events kept of a session.
const MAX_EVENTS: usize = 4_096;
/// Messages of the server that are compared with those that follow.
const MAX_RECENT: usize = 16;
/// Tools with annotated parameters, and such parameters of one tool.
const MAX_TOOLS: usize = 256;
const MAX_PARAMS: usize = 32;

/// What one exchange has carried.
#[derive(Debug, Default)]
pub struct Exchange {
    number: u64,
    /// The requests of the client, by number and id.
    pub requests: Vec<(u64, Option<IdKey>)>,
    /// More than these messages came from the client.
    pub cut: bool,
    /// Messages of the client in it.
    pub asked: u32,
    /// The first message of the server in it.
    pub first: Option<Spot>,
    /// Its last response to one of the requests.
    pub answered: Option<Spot>,
    /// The session id of the request.
    pub session_id: Option<CompactString>,
    /// Its header named another version than its body.
    pub mismatched: Option<Spot>,
}

/// A message of the server as it was sent.
#[derive(Debug)]
pub struct Sent {
    /// Where.
    pub at: Spot,
    hash: u64,
    exchange: u64,
}

/// A parameter of a tool that also goes into a header.
#[derive(Debug)]
pub struct Param {
    /// The property of the arguments.
    pub property: CompactString,
    /// What follows `Mcp-Param-`.
    pub header: CompactString,
}

/// The HTTP of a session.
#[derive(Debug, Default)]
pub struct Web {
    /// The session id that the answer to `initialize` has set.
    pub session_id: Option<(CompactString, Spot)>,
    /// The session id that was answered with 404, and where.
    pub gone: Option<(CompactString, Position)>,
    /// A request without its version in a header was seen; what is wrong with every message is reported once.
    pub versionless: bool,
    /// A request that does not accept both media types was seen.
    pub narrow: bool,
    /// A stateless answer with a session id was seen.
    pub minted: bool,
    /// A stateless stream with event ids was seen.
    pub numbered: bool,
    /// The last session of the input that had got an id when this one began.
    before: Option<(CompactString, Spot)>,
    exchanges: VecDeque<Exchange>,
    events: HashMap<u64, (u64, Spot)>,
    recent: VecDeque<Sent>,
    params: HashMap<CompactString, Vec<Param>>,
}

/// Whether an exchange is one of Streamable HTTP: messages of HTTP+SSE go to a path that names the session.
pub fn is_streamable(http: &Http) -> bool {
    let path = http.path.as_deref().unwrap_or_default().to_ascii_lowercase();
    !path.contains("session_id=") && !path.contains("sessionid=")
}

/// Whether a message of the client came as a POST whose headers are in the capture.
pub fn is_posted(http: &Http) -> bool {
    http.half == Half::Request
        && http.headers.is_some()
        && http.method.as_deref().is_none_or(|method| method == "POST")
        && is_streamable(http)
}

impl Web {
    /// The memory of a session that begins after another one has got an id.
    pub(super) fn after(before: Option<(CompactString, Spot)>) -> Self {
        Self { before, ..Self::default() }
    }

    /// Where another session got its id, at the path of an exchange, before this session began.
    pub fn set_before(&self, http: &Http) -> Option<Spot> {
        self.before.as_ref().filter(|(known, _)| *known == place(http)).map(|(_, at)| *at)
    }

    /// The path at which a message has given the session its id.
    pub(super) fn named(&self, seen: &Seen<'_>) -> Option<(CompactString, Spot)> {
        let (_, at) = self.session_id.as_ref().filter(|(_, at)| at.0 == seen.message.n)?;
        Some((place(seen.message.http?), *at))
    }

    /// An exchange that has carried messages.
    pub fn exchange(&self, number: u64) -> Option<&Exchange> {
        self.exchanges.iter().rev().find(|exchange| exchange.number == number)
    }

    /// The message of the server that is the same as this one and went over another stream lately.
    pub fn twin(&self, seen: &Seen<'_>, http: &Http) -> Option<&Sent> {
        let hash = hash(seen.message.text);
        self.recent.iter().rev().find(|sent| sent.hash == hash && sent.exchange != http.exchange)
    }

    /// The other message that had the event id of this one.
    pub fn event(&self, seen: &Seen<'_>, id: &str) -> Option<Spot> {
        let (data, at) = self.events.get(&hash(id))?;
        (*data != hash(seen.message.text)).then_some(*at)
    }

    /// The parameters of a listed tool that go into headers; `None` when the tool is not known.
    pub fn params(&self, tool: &str) -> Option<&[Param]> {
        self.params.get(tool).map(Vec::as_slice)
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, lifecycle: &Lifecycle, caps: &mut Caps) {
        if seen.method == Some("notifications/tools/list_changed") {
            self.params.clear();
        }
        let Some(http) = seen.message.http else { return };
        self.versionless |= lacks_version(seen, http, lifecycle);
        self.narrow |= lacks_media_type(seen, http).is_some();
        if seen.sender == Some(Side::Client) || http.half == Half::Request {
            self.see_client(seen, http, caps);
        } else {
            self.see_server(seen, http, caps);
        }
    }

    fn see_client(&mut self, seen: &Seen<'_>, http: &Http, caps: &mut Caps) {
        if seen.kind == Kind::Request && seen.method == Some("initialize") {
            self.session_id = None;
        }
        self.gone = None;
        let mismatched = mismatch(seen, http).then(|| seen.spot());
        let exchange = self.at(http.exchange, caps);
        exchange.asked += 1;
        exchange.mismatched = exchange.mismatched.or(mismatched);
        exchange.session_id = http.header("mcp-session-id").map(CompactString::new);
        if seen.kind == Kind::Request {
            if exchange.requests.len() < MAX_REQUESTS {
                exchange.requests.push((seen.message.n, seen.message.id.as_ref().and_then(IdKey::of_id)));
            } else {
                exchange.cut = true;
                caps.lost("rule-exchanges", 1);
            }
        }
    }

    fn see_server(&mut self, seen: &Seen<'_>, http: &Http, caps: &mut Caps) {
        let at = seen.spot();
        if seen.kind == Kind::Response && seen.method == Some("initialize") && seen.is_result() {
            self.session_id = http.header("mcp-session-id").map(|id| (CompactString::new(id), at));
        }
        if http.status == Some(404) {
            self.lose(http, at.1);
        }
        if seen.kind == Kind::Response && seen.method == Some("tools/list") {
            self.take_params(seen, caps);
        }
        let is_response = seen.kind == Kind::Response;
        let exchange = self.at(http.exchange, caps);
        exchange.first.get_or_insert(at);
        if is_response {
            exchange.answered = Some(at);
        }
        if seen.is_modern() {
            self.minted |= http.header("mcp-session-id").is_some();
            self.numbered |= http.event_id.is_some();
        }
        if seen.has(Flag::Replayed) {
            return;
        }
        if http.streamed {
            if self.recent.len() == MAX_RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(Sent { at, hash: hash(seen.message.text), exchange: http.exchange });
        }
        if let Some(id) = &http.event_id {
            if self.events.len() >= MAX_EVENTS {
                self.events.clear();
                caps.lost("rule-events", MAX_EVENTS as u64);
            }
            self.events.entry(hash(id.as_str())).or_insert((hash(seen.message.text), at));
        }
    }

    /// Takes note of what HTTP said without a message.
    pub(super) fn see_event(&mut self, event: &Event<'_>, caps: &mut Caps) {
        let Some(http) = event.http else { return };
        match http.half {
            Half::Request => {
                self.at(http.exchange, caps).session_id = http.header("mcp-session-id").map(CompactString::new);
            }
            Half::Response if http.status == Some(404) => self.lose(http, event.position),
            Half::Response => {}
        }
    }

    /// A request was answered with 404: the session is gone that it had named.
    fn lose(&mut self, http: &Http, at: Position) {
        if let Some(id) = self.exchange(http.exchange).and_then(|exchange| exchange.session_id.clone()) {
            self.gone = Some((id, at));
        }
    }

    fn at(&mut self, number: u64, caps: &mut Caps) -> &mut Exchange {
        let known = self.exchanges.iter().rposition(|exchange| exchange.number == number);
        let place = known.unwrap_or_else(|| {
            if self.exchanges.len() == MAX_EXCHANGES {
                self.exchanges.pop_front();
                caps.lost("rule-exchanges", 1);
            }
            self.exchanges.push_back(Exchange { number, ..Exchange::default() });
            self.exchanges.len() - 1
        });
        &mut self.exchanges[place]
    }

    fn take_params(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        for tool in seen.get("tools").into_iter().flat_map(RawJson::elements) {
            let Some(name) = tool.get("name").and_then(RawJson::as_str) else { continue };
            if self.params.len() >= MAX_TOOLS && !self.params.contains_key(name.as_ref()) {
                caps.lost("rule-header-params", 1);
                continue;
            }
            let properties = tool.get("inputSchema").and_then(|schema| schema.get("properties"));
            let param = |(property, schema): (std::borrow::Cow<'_, str>, RawJson<'_>)| {
                let header = schema.get("x-mcp-header")?.as_str()?;
                Some(Param { property: CompactString::from(property), header: CompactString::from(header) })
            };
            let mut params = properties.into_iter().flat_map(RawJson::members).filter_map(param);
            self.params.insert(CompactString::from(name), params.by_ref().take(MAX_PARAMS).collect());
            let beyond = params.count() as u64;
            if beyond > 0 {
                caps.lost("rule-header-params", beyond);
            }
        }
    }
}

/// A POST does not say in a header which version it follows, and has to: after the handshake since 2025-06-18, always in
/// 2026-07-28.
pub fn lacks_version(seen: &Seen<'_>, http: &Http, lifecycle: &Lifecycle) -> bool {
    let required = match seen.is_modern() {
        true => true,
        false => lifecycle.agreed().is_some() && seen.revision_known && seen.revision >= Revision::V2025_06_18,
    };
    required && is_posted(http) && seen.method != Some("initialize") && http.header("mcp-protocol-version").is_none()
}

/// The media type that a POST has to accept and does not.
pub fn lacks_media_type(seen: &Seen<'_>, http: &Http) -> Option<&'static str> {
    if !is_posted(http) || seen.revision < Revision::V2025_03_26 {
        return None;
    }
    let accept = http.header("accept").unwrap_or_default();
    ["application/json", "text/event-stream"].into_iter().find(|wanted| !accepts(accept, wanted))
}

/// Whether an `Accept` header covers a media type.
pub fn accepts(accept: &str, wanted: &str) -> bool {
    let family = wanted.split('/').next().unwrap_or_default();
    accept.split(',').any(|range| {
        let range = range.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        range == wanted || range == "*/*" || range.strip_suffix("/*") == Some(family)
    })
}

/// The header of a request names another version than its body.
fn mismatch(seen: &Seen<'_>, http: &Http) -> bool {
    let named = seen.meta(super::PROTOCOL_VERSION).and_then(RawJson::as_str);
    let header = http.header("mcp-protocol-version");
    matches!((named, header), (Some(named), Some(header)) if named != header)
}

/// The path without its query, behind the host where the headers name it.
fn place(http: &Http) -> CompactString {
    let path = http.path.as_deref().unwrap_or_default();
    let mut place = CompactString::new(http.header("host").unwrap_or_default());
    place.push_str(path.split('?').next().unwrap_or_default());
    place
}

/// Only compared within one run, so that the keys of the hash do not matter.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
