//! What the two sides declared, and where: in the handshake, in `server/discover`, in each stateless request.

use std::rc::Rc;

use super::{CLIENT_CAPABILITIES, PROTOCOL_VERSION, SessionBook, Spot};
use crate::annotate::{Annotated, Excerpt, Kind};
use crate::jsonrpc::RawJson;
use crate::protocol::Side;
use crate::rules::context::Seen;
use crate::session::CapabilitySet;

/// A capabilities object.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The message that holds it.
    pub at: Spot,
    /// What it declares.
    pub set: CapabilitySet,
    /// The beginning of its text, to show it.
    pub excerpt: Excerpt,
}

/// Bytes of a declaration that are kept to show it.
const MAX_EXCERPT: usize = 160;

impl Declaration {
    fn read(at: Spot, capabilities: RawJson<'_>) -> Self {
        let text = capabilities.text();
        let end = (0..=MAX_EXCERPT.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        const NAME: &str = "\"capabilities\":";
        let excerpt = Excerpt { text: format!("{NAME}{}", &text[..end]), mark: (NAME.len(), end) };
        Self { at, set: CapabilitySet::read(capabilities), excerpt }
    }
}

impl SessionBook {
    /// Whether a side declared a capability; `None` when that is not in the capture. `carried` is what the client
    /// declared in the request that counts.
    pub fn declared(&self, side: Side, path: &[&str], modern: bool, carried: Option<&CapabilitySet>) -> Option<bool> {
        let set = match (modern, side) {
            (true, Side::Client) => carried,
            (true, Side::Server) => self.discovered.as_ref().map(|declaration| &declaration.set),
            (false, side) => self.declared[side.index()].as_ref().map(|declaration| &declaration.set),
        };
        set?.declared(path)
    }

    /// Reads the capabilities that a stateless request carries, before it is judged.
    pub(super) fn take_carried(&mut self, message: &Annotated<'_>) {
        if message.kind != Kind::Request {
            return;
        }
        let meta = message.parsed.and_then(|parsed| parsed.body.get("_meta"));
        self.modern.at_hand = meta.and_then(|meta| meta.get(PROTOCOL_VERSION)).is_some();
        let Some(meta) = meta.filter(|_| self.modern.at_hand) else { return };
        let carried = meta.get(CLIENT_CAPABILITIES);
        match carried {
            Some(carried) if self.carried.is_some() && carried.text() == self.carried_text => {}
            Some(carried) => {
                self.carried_at = Some(message.n);
                self.carried = Some(Rc::new(CapabilitySet::read(carried)));
                carried.text().clone_into(&mut self.carried_text);
            }
            None => self.carried = None,
        }
    }

    /// Takes what a handshake or discovery declares.
    pub(super) fn see_declarations(&mut self, seen: &Seen<'_>) {
        let method = seen.method.unwrap_or_default();
        match (seen.kind, method) {
            (Kind::Request, "initialize") => {
                let read = |capabilities| Declaration::read(seen.spot(), capabilities);
                self.declared[Side::Client.index()] = seen.get("capabilities").map(read);
            }
            (Kind::Response, "initialize") if seen.is_result() => {
                let read = |capabilities| Declaration::read(seen.spot(), capabilities);
                self.declared[Side::Server.index()] = seen.get("capabilities").map(read);
            }
            (Kind::Response, "server/discover") if seen.is_result() => {
                let read = |capabilities| Declaration::read(seen.spot(), capabilities);
                self.discovered = seen.get("capabilities").map(read);
            }
            _ => {}
        }
    }
}
