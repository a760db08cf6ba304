//! What an HTTP exchange means: the session that it names, the messages in its bodies, and what to say of one without
//! messages. Shared by the readers of HTTP captures; knows nothing of how they are written.
//!
//! Sources: basic/transports of 2024-11-05 (HTTP+SSE) and of 2025-03-26 to 2025-11-25,
//! basic/transports/streamable-http of 2026-07-28.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use super::event_stream::{Meaning, events, meaning};
use super::json_scan::{looks_like_rpc, value_end};
use super::staged::{Piece, Stage, What};
use super::{EventKind, Flag, Flags, Half, Http, Origin, OutlineKind, Stamp};
use crate::position::Position;
use crate::protocol::Direction;

/// Events of streams that are remembered, to know those that a resumed stream delivers again.
const MAX_SEEN: usize = 4_096;

/// Both halves of an exchange.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchange {
    pub(super) request: Http,
    pub(super) response: Http,
    /// The session that the `endpoint` event of its stream names (HTTP+SSE).
    endpoint: Option<String>,
}

impl Exchange {
    /// An exchange with this number of which nothing is known.
    pub(super) fn new(number: u64) -> Self {
        let mut exchange = Self::default();
        exchange.number(number);
        exchange
    }

    /// Gives both halves their number.
    pub(super) fn number(&mut self, number: u64) {
        (self.request.half, self.response.half) = (Half::Request, Half::Response);
        (self.request.exchange, self.response.exchange) = (number, number);
    }

    /// Makes this response the one to a request.
    pub(super) fn answers(&mut self, asked: Self) {
        self.request = asked.request;
        self.number(self.request.exchange);
        self.response.method.clone_from(&self.request.method);
        self.response.path.clone_from(&self.request.path);
        self.response.resumes.clone_from(&self.request.resumes);
    }

    /// Its stream is that of HTTP+SSE.
    pub(super) fn has_endpoint(&self) -> bool {
        self.endpoint.is_some()
    }

    /// Takes down what the request line says; both halves know it.
    pub(super) fn asked(&mut self, method: &str, path: &str) {
        for half in [&mut self.request, &mut self.response] {
            half.method = Some(method.into());
            half.path = Some(path.into());
        }
    }

    /// Takes down a header.
    pub(super) fn header(&mut self, half: Half, name: &str, value: &str) {
        let http = if half == Half::Request { &mut self.request } else { &mut self.response };
        http.headers.get_or_insert_default().note(name, value);
        if half == Half::Request && name.trim_ascii().eq_ignore_ascii_case("last-event-id") {
            self.request.resumes = Some(value.trim_ascii().into());
            self.response.resumes.clone_from(&self.request.resumes);
        }
    }

    /// The name of the session: the header of either half, or what HTTP+SSE has in its path.
    pub(super) fn session(&self) -> Option<&str> {
        let header = |http: &'_ Http| http.header("mcp-session-id").is_some_and(|id| !id.is_empty());
        let named = [&self.response, &self.request].into_iter().find(|http| header(http));
        named
            .and_then(|http| http.header("mcp-session-id"))
            .or(self.endpoint.as_deref())
            .or_else(|| session_in_path(self.request.path.as_deref()?))
    }

    /// The media type of a body, in lower case and without parameters.
    pub(super) fn media_type(http: &Http) -> Option<String> {
        let value = http.header("content-type")?;
        Some(value.split(';').next().unwrap_or_default().trim_ascii().to_ascii_lowercase())
    }

    /// Something of it is MCP's own: a header, or the revision of the handshake's session.
    pub(super) fn is_mcp(&self) -> bool {
        let own = |http: &Http| {
            http.headers.iter().flat_map(|headers| headers.iter()).any(|(name, _)| name.starts_with("mcp-"))
        };
        own(&self.request) || own(&self.response)
    }

    /// What to say of a half of which no message is in the capture: `POST /mcp` or `POST /mcp 202`.
    pub(super) fn say(&self, half: Half, more: &str) -> String {
        let mut said = self.request.method.as_deref().unwrap_or("?").to_owned();
        said.extend([" ", self.request.path.as_deref().unwrap_or("?")]);
        if half == Half::Response {
            said.push(' ');
            match self.response.status {
                Some(status) => said += &status.to_string(),
                None => said += "without a status",
            }
        }
        if !more.is_empty() {
            said.extend([" ", more]);
        }
        said
    }

    /// What a half without a message is: the end of the session, or one more thing that HTTP did.
    pub(super) fn event(&self, half: Half) -> EventKind {
        let accepted = self.response.status.is_some_and(|status| (200..300).contains(&status));
        let ends = half == Half::Response && self.request.method.as_deref() == Some("DELETE") && accepted;
        if ends { EventKind::TransportClosed } else { EventKind::Http }
    }

    /// The outline of a request whose body is not in the capture, from its headers (2026-07-28, standard request
    /// headers).
    pub(super) fn outline(&self) -> Option<(OutlineKind, &str)> {
        let method = self.request.header("mcp-method").filter(|method| !method.is_empty())?;
        let notification = method.starts_with("notifications/");
        Some((if notification { OutlineKind::Notification } else { OutlineKind::Request }, method))
    }
}

/// The value of `session_id` or `sessionId` in a query.
pub(super) fn session_in_path(path: &str) -> Option<&str> {
    let (_, query) = path.split_once('?')?;
    query.split('&').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let known = name.eq_ignore_ascii_case("session_id") || name.eq_ignore_ascii_case("sessionid");
        (known && !value.is_empty()).then_some(value)
    })
}

/// Whether a message opens a session: what its answer says of the session holds for it too.
pub(super) fn opens_session(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"\"initialize\"").is_some()
}

/// A body, or a part of it, and where it stands.
pub(super) struct Body<'b> {
    pub(super) text: &'b str,
    /// Where a part of the text stands in the input.
    pub(super) place: &'b dyn Fn(Range<usize>) -> Position,
    pub(super) pointer: &'b str,
    pub(super) time: Option<Stamp>,
    pub(super) flags: Flags,
}

/// Puts messages out of bodies on a stage.
#[derive(Default)]
pub(super) struct Bodies {
    hasher: RandomState,
    /// Hash of session and event id to hash of the data.
    seen: HashMap<u64, u64>,
    order: VecDeque<u64>,
}

impl Bodies {
    /// A body that is one JSON text. `false` when there is no message in it; `known` says that nothing else can be.
    pub(super) fn json(&self, stage: &mut Stage, body: &Body<'_>, way: Direction, known: bool) -> bool {
        let text = body.text.trim_ascii();
        let message = looks_like_rpc(text) || known && text.starts_with(['{', '[']);
        if message {
            let start = body.text.len() - body.text.trim_ascii_start().len();
            let cut = !body.flags.has(Flag::Oversized) && value_end(text).is_none();
            stage.push(
                &Piece {
                    pointer: body.pointer,
                    time: body.time,
                    direction: Some(way),
                    flags: body.flags.with_if(cut, Flag::Truncated),
                    ..Piece::new(What::Message(Origin::Wire), text, (body.place)(start..start + text.len()))
                },
                true,
            );
        }
        message
    }

    /// The events of a stream, or of as much of it as is there: how many frames they made, and how many bytes of the
    /// text are through. Unless the text is `complete`, an event that may go on is left.
    pub(super) fn stream(
        &mut self,
        stage: &mut Stage,
        body: &Body<'_>,
        exchange: &mut Exchange,
        complete: bool,
    ) -> (u64, usize) {
        let mut reading = events(body.text);
        let (mut found, mut through) = (0, 0);
        while let Some(event) = reading.next() {
            if !event.ended && !complete {
                break;
            }
            through = reading.at();
            let (what, direction) = match meaning(event.name, &event.data) {
                Meaning::Message(origin) => (What::Message(origin), Some(Direction::ServerToClient)),
                Meaning::Said(kind) => (What::Event(kind), None),
                Meaning::Priming => continue,
            };
            found += 1;
            let cut = direction.is_some() && !event.ended && value_end(&event.data).is_none();
            if event.name == "endpoint"
                && let Some(session) = session_in_path(&event.data)
            {
                exchange.endpoint = Some(session.to_owned());
                stage.name_session(session);
            }
            let replayed = event.id.is_some_and(|id| self.is_known(exchange, id, &event.data));
            let said = matches!(what, What::Event(EventKind::Http)).then(|| format!("{} {}", event.name, event.data));
            stage.push(
                &Piece {
                    pointer: body.pointer,
                    time: body.time,
                    direction,
                    flags: body.flags.with_if(cut, Flag::Truncated).with_if(replayed, Flag::Replayed),
                    event_id: event.id,
                    ..Piece::new(what, said.as_deref().unwrap_or(&event.data), (body.place)(event.place))
                },
                true,
            );
        }
        (found, if complete { body.text.len() } else { through })
    }

    /// Notes an event; whether a resumed stream delivers it again.
    fn is_known(&mut self, exchange: &Exchange, id: &str, data: &str) -> bool {
        let key = self.hasher.hash_one((exchange.session(), id));
        let data = self.hasher.hash_one(data);
        match self.seen.get(&key) {
            Some(known) => *known == data && exchange.response.resumes.is_some(),
            None => {
                if self.order.len() >= MAX_SEEN
                    && let Some(oldest) = self.order.pop_front()
                {
                    self.seen.remove(&oldest);
                }
                self.order.push_back(key);
                self.seen.insert(key, data);
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_named_by_headers_or_the_path() {
        let mut exchange = Exchange::new(1);
        exchange.asked("POST", "/messages?a=1&sessionId=old");
        assert_eq!(exchange.session(), Some("old"));
        exchange.header(Half::Request, "MCP-Session-Id", "asked");
        assert_eq!(exchange.session(), Some("asked"));
        exchange.header(Half::Response, "mcp-session-id", "given");
        assert_eq!(exchange.session(), Some("given"));
        assert!(exchange.is_mcp());
        assert_eq!(session_in_path("/sse"), None);
        assert_eq!(session_in_path("/m?session_id="), None);
    }

    #[test]
    fn what_is_said_of_an_exchange() {
        let mut exchange = Exchange::new(1);
        exchange.asked("DELETE", "/mcp");
        assert_eq!(exchange.say(Half::Request, ""), "DELETE /mcp");
        for (status, kind) in [(200, EventKind::TransportClosed), (405, EventKind::Http)] {
            exchange.response.status = Some(status);
            assert_eq!(exchange.say(Half::Response, ""), format!("DELETE /mcp {status}"));
            assert_eq!(exchange.event(Half::Response), kind);
        }
        assert_eq!(exchange.event(Half::Request), EventKind::Http);
    }

    #[test]
    fn a_resumed_stream_repeats_what_it_delivered() {
        let (mut bodies, mut stage) = (Bodies::default(), Stage::default());
        let mut told = |text: &str, exchange: &mut Exchange| {
            let place = |_: Range<usize>| Position::default();
            let body = Body { text, place: &place, pointer: "", time: None, flags: Flags::NONE };
            let (found, _) = bodies.stream(&mut stage, &body, exchange, true);
            let flags: Vec<_> =
                (0..found).map(|_| stage.pop().is_some_and(|frame| frame.flags.has(Flag::Replayed))).collect();
            flags
        };
        let mut exchange = Exchange::new(1);
        let event =
            |id: u8, result: u8| format!("id: {id}\ndata: {{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{result}}}\n\n");
        assert_eq!(told(&(event(1, 1) + &event(1, 1)), &mut exchange), [false, false]);
        exchange.header(Half::Request, "Last-Event-ID", "0");
        assert_eq!(told(&(event(1, 1) + &event(2, 1) + &event(1, 2)), &mut exchange), [true, false, false]);
    }
}
