//! Where a session is played: counts ids on each side, adds what the revision wants in every message, writes lines.

use std::borrow::Cow;
use std::io::{self, Write};

use super::cast;
use super::object::{Object, quoted};
use crate::jsonrpc::{Envelope, ErrorObject, Id, RawJson, write_envelope};
use crate::protocol::{Era, Revision, Side};

/// A request that has been sent and may be answered.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    id: Id<'static>,
}

impl Asked {
    /// The id as it stands on the wire, to be named in `notifications/cancelled` or as a progress token.
    pub(super) fn raw_id(&self) -> &str {
        self.id.raw()
    }
}

/// One session being written.
pub(super) struct Stage<'w> {
    out: &'w mut dyn Write,
    line: Vec<u8>,
    /// The revision that the session speaks.
    pub(super) revision: Revision,
    /// What the client can do: announced once by `initialize`, or in every request from 2026-07-28 on.
    pub(super) client_capabilities: Object,
    next_id: [u64; 2],
}

impl<'w> Stage<'w> {
    pub(super) fn new(revision: Revision, out: &'w mut dyn Write) -> Self {
        Self { out, line: Vec::new(), revision, client_capabilities: Object::new(), next_id: [0, 0] }
    }

    /// Whether the revision is this one or a later one.
    pub(super) fn from(&self, revision: Revision) -> bool {
        self.revision >= revision
    }

    /// Whether requests stand alone, without a handshake.
    pub(super) fn stateless(&self) -> bool {
        self.revision.era() == Era::Stateless
    }

    /// A request of the client, `_meta` included where the revision wants one.
    pub(super) fn ask(&mut self, method: &str, params: Object) -> io::Result<Asked> {
        self.ask_with_meta(method, params, Object::new())
    }

    /// A request of the client with more members in its `_meta`, such as a progress token.
    pub(super) fn ask_with_meta(&mut self, method: &str, params: Object, meta: Object) -> io::Result<Asked> {
        let meta = if self.stateless() {
            Object::new()
                .text("io.modelcontextprotocol/protocolVersion", self.revision.as_str())
                .object("io.modelcontextprotocol/clientInfo", cast::client_info(self.revision))
                .object("io.modelcontextprotocol/clientCapabilities", self.client_capabilities.clone())
                .and(meta)
        } else {
            meta
        };
        let params = params.when(meta.clone().into_json() != "{}", |params| params.object("_meta", meta));
        self.request(Side::Client, method, params)
    }

    /// A request of the server (not in 2026-07-28, where only clients send requests).
    pub(super) fn ask_client(&mut self, method: &str, params: Object) -> io::Result<Asked> {
        self.request(Side::Server, method, params)
    }

    /// A request of the client under an id that was used before.
    pub(super) fn ask_again_as(&mut self, asked: &Asked, method: &str, params: Object) -> io::Result<Asked> {
        let (client, resumed) = (Side::Client.index(), asked.raw_id().parse().unwrap_or_default());
        let next = std::mem::replace(&mut self.next_id[client], resumed);
        let again = self.ask(method, params);
        self.next_id[client] = next;
        again
    }

    fn request(&mut self, side: Side, method: &str, params: Object) -> io::Result<Asked> {
        let number = self.next_id[side.index()];
        self.next_id[side.index()] += 1;
        let id = Id::from_raw(number.to_string());
        let params = params.into_json();
        // `{}` says nothing that an absent member does not say.
        let params = (params != "{}").then_some(params.as_str()).map(checked);
        self.write(&Envelope::Request { id: id.clone(), method: Cow::Borrowed(method), params })?;
        Ok(Asked { id })
    }

    /// A notification.
    pub(super) fn tell(&mut self, method: &str, params: Object) -> io::Result<()> {
        let params = params.into_json();
        let params = (params != "{}").then_some(params.as_str()).map(checked);
        self.write(&Envelope::Notification { method: Cow::Borrowed(method), params })
    }

    /// The answer to a request, complete and final.
    pub(super) fn answer(&mut self, asked: &Asked, result: Object) -> io::Result<()> {
        let kind = Object::new().when(self.stateless(), |kind| kind.text("resultType", "complete"));
        self.answer_as_is(asked, kind.and(result))
    }

    /// The answer to a request for a list or a resource, which 2026-07-28 lets clients keep for a while.
    pub(super) fn answer_cacheable(&mut self, asked: &Asked, result: Object) -> io::Result<()> {
        let keep =
            Object::new().when(self.stateless(), |keep| keep.plain("ttlMs", 60_000).text("cacheScope", "private"));
        self.answer(asked, result.and(keep))
    }

    /// The answer to a request, with nothing added.
    pub(super) fn answer_as_is(&mut self, asked: &Asked, result: Object) -> io::Result<()> {
        let result = result.into_json();
        self.write(&Envelope::Response { id: asked.id.clone(), result: checked(&result) })
    }

    /// An answer to a request that nobody sent.
    pub(super) fn answer_nobody(&mut self, id: u64, result: Object) -> io::Result<()> {
        self.answer(&Asked { id: Id::from_raw(id.to_string()) }, result)
    }

    /// A refusal.
    pub(super) fn refuse(&mut self, asked: &Asked, code: i64, message: &str, data: Object) -> io::Result<()> {
        let data = data.into_json();
        let error = Object::new().plain("code", code).text("message", message);
        let (data, raw) = match data.as_str() {
            "{}" => (None, error.into_json()),
            given => {
                (Some(checked(given)), format!("{{\"code\":{code},\"message\":{},\"data\":{given}}}", quoted(message)))
            }
        };
        let error = ErrorObject { code: Some(code), message: Cow::Borrowed(message), data, raw: checked(&raw) };
        self.write(&Envelope::ErrorResponse { id: Some(asked.id.clone()), error })
    }

    /// A line that is no message at all, as broken servers print them.
    pub(super) fn print(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")
    }

    fn write(&mut self, envelope: &Envelope<'_>) -> io::Result<()> {
        self.line.clear();
        write_envelope(envelope, &mut self.line);
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }
}

fn checked(text: &str) -> RawJson<'_> {
    RawJson::new(text).expect("objects of the demonstration are built member by member, so they are JSON")
}
