//! Elicitations by URL, by the id that the server gave them (2025-11-25, client/elicitation).

use std::hash::{BuildHasher, RandomState};

use compact_str::CompactString;
use hashbrown::HashMap;

use super::{Caps, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// The error of a request that cannot go on before the user has visited a URL.
pub const URL_ELICITATION_REQUIRED: i64 = -32042;

/// One elicitation.
#[derive(Clone, Copy, Debug)]
pub struct Elicited {
    /// The message that named it first.
    pub at: Spot,
    /// Where the server told that it is complete.
    pub completed: Option<Spot>,
    what: u64,
}

/// The elicitations of a session.
#[derive(Debug, Default)]
pub struct Elicitations {
    by_id: HashMap<CompactString, Elicited>,
    lost: bool,
    hasher: RandomState,
}

/// Ids that are remembered.
const MAX_IDS: usize = 4_096;

impl Elicitations {
    /// The elicitation of an id.
    pub fn get(&self, id: &str) -> Option<&Elicited> {
        self.by_id.get(id)
    }

    /// Every id of the session is remembered.
    pub fn is_complete(&self) -> bool {
        !self.lost
    }

    /// The elicitation that has the id of another one: with the same id, but another URL or message.
    pub fn other(&self, elicitation: RawJson<'_>) -> Option<&Elicited> {
        let known = self.by_id.get(&*elicitation.get("elicitationId")?.as_str()?)?;
        (known.what != self.what(elicitation)).then_some(known)
    }

    fn what(&self, elicitation: RawJson<'_>) -> u64 {
        let text = |name| elicitation.get(name).and_then(RawJson::as_str);
        self.hasher.hash_one((text("url"), text("message")))
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        match (seen.kind, seen.method) {
            (Kind::Request, Some("elicitation/create")) => self.add(seen.body.raw, seen.spot(), caps),
            (Kind::Response, _) if !seen.is_result() => {
                for elicitation in required(seen) {
                    self.add(Some(elicitation), seen.spot(), caps);
                }
            }
            (Kind::Notification, Some("notifications/elicitation/complete")) => {
                let id = seen.get("elicitationId").and_then(RawJson::as_str);
                if let Some(known) = id.and_then(|id| self.by_id.get_mut(&*id)) {
                    known.completed.get_or_insert(seen.spot());
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, elicitation: Option<RawJson<'_>>, at: Spot, caps: &mut Caps) {
        let Some(elicitation) = elicitation else { return };
        let Some(id) = elicitation.get("elicitationId").and_then(RawJson::as_str) else { return };
        if self.by_id.len() >= MAX_IDS && !self.by_id.contains_key(&*id) {
            self.lost = true;
            caps.lost("rule-elicitations", 1);
            return;
        }
        let what = self.what(elicitation);
        self.by_id.entry(CompactString::from(id)).or_insert(Elicited { at, completed: None, what });
    }
}

/// The elicitations that an error asks for.
pub(in crate::rules) fn required<'a>(seen: &Seen<'a>) -> impl Iterator<Item = RawJson<'a>> {
    let code = seen.message.error.as_ref().and_then(|error| error.code);
    let data = (code == Some(URL_ELICITATION_REQUIRED)).then(|| seen.get("data")).flatten();
    data.and_then(|data| data.get("elicitations")).into_iter().flat_map(RawJson::elements)
}
