//! Which resources a client has subscribed to in a session with a handshake.

use compact_str::CompactString;
use hashbrown::HashMap;

use super::{Caps, Spot};
use crate::annotate::Kind;
use crate::rules::context::Seen;

/// The subscriptions of a session, by URI.
#[derive(Debug, Default)]
pub struct Subscriptions {
    /// Where the client took the subscription back, if it did.
    by_uri: HashMap<CompactString, Option<Spot>>,
    bytes: usize,
    lost: bool,
}

/// What a session has to say of updates of a URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscription {
    /// The client subscribed to it, or to something above it.
    Active,
    /// The client took that back here.
    Ended(Spot),
    /// The client never subscribed to it.
    None,
    /// Too many subscriptions to remember.
    Unknown,
}

/// Subscriptions remembered, and the bytes of their URIs.
const MAX_URIS: usize = 1_024;
const MAX_BYTES: usize = 256 << 10;

impl Subscriptions {
    /// Whether updates of a URI were asked for: it may be below one that was subscribed to.
    pub fn of(&self, uri: &str) -> Subscription {
        let mut found = if self.lost { Subscription::Unknown } else { Subscription::None };
        for (subscribed, ended) in &self.by_uri {
            match ended {
                _ if !uri.starts_with(subscribed.as_str()) => {}
                None => return Subscription::Active,
                Some(at) => found = Subscription::Ended(*at),
            }
        }
        found
    }

    /// Whether a URI itself was subscribed to.
    pub fn exactly(&self, uri: &str) -> Subscription {
        match self.by_uri.get(uri) {
            Some(None) => Subscription::Active,
            Some(Some(at)) => Subscription::Ended(*at),
            None if self.lost => Subscription::Unknown,
            None => Subscription::None,
        }
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        let uri = seen.message.target;
        match (seen.kind, seen.method, uri) {
            (Kind::Request, Some("resources/subscribe"), Some(uri)) => {
                if let Some(known) = self.by_uri.get_mut(uri) {
                    *known = None;
                } else if self.by_uri.len() < MAX_URIS && self.bytes + uri.len() <= MAX_BYTES {
                    self.bytes += uri.len();
                    self.by_uri.insert(CompactString::new(uri), None);
                } else {
                    self.lost = true;
                    caps.lost("rule-subscriptions", 1);
                }
            }
            (Kind::Response, Some("resources/subscribe"), Some(uri)) if !seen.is_result() => {
                let refused = self.by_uri.remove(uri).map_or(0, |_| uri.len());
                self.bytes -= refused;
            }
            (Kind::Request, Some("resources/unsubscribe"), Some(uri)) => {
                if let Some(known) = self.by_uri.get_mut(uri) {
                    *known = Some(seen.spot());
                }
            }
            _ => {}
        }
    }
}
