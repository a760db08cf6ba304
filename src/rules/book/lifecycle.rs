//! How far the handshake of a session has come.

use compact_str::CompactString;

use super::Spot;
use crate::annotate::{Kind, Outcome};
use crate::jsonrpc::RawJson;
use crate::protocol::Side;
use crate::rules::context::Seen;
use crate::session::IdKey;

/// An `initialize` request.
#[derive(Clone, Debug)]
pub struct Initialize {
    /// Where it stands.
    pub at: Spot,
    /// Its id.
    pub id: Option<IdKey>,
    /// The version that the client asked for.
    pub requested: Option<CompactString>,
    /// The answer.
    pub answer: Option<Answered>,
}

/// The answer to `initialize`.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Where it stands.
    pub at: Spot,
    /// What it brought.
    pub outcome: Outcome,
    /// The version that the server named.
    pub version: Option<CompactString>,
}

/// The handshake so far.
#[derive(Clone, Debug, Default)]
pub struct Lifecycle {
    /// The last `initialize`.
    pub initialize: Option<Initialize>,
    /// The first `notifications/initialized` since.
    pub initialized: Option<Spot>,
    /// Requests of the client, pings not among them, since `initialize` was answered with a result.
    pub requests_since_answer: u32,
}

impl Lifecycle {
    /// `initialize` was answered with a result.
    pub fn agreed(&self) -> Option<&Answered> {
        self.initialize.as_ref()?.answer.as_ref().filter(|answer| answer.outcome == Outcome::Result)
    }

    /// `initialize` was sent and is not answered yet.
    pub fn is_waiting(&self) -> bool {
        self.initialize.as_ref().is_some_and(|initialize| initialize.answer.is_none())
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>) {
        let text = |name: &str| seen.get(name).and_then(RawJson::as_str).map(CompactString::new);
        match (seen.kind, seen.method) {
            (Kind::Request, Some("initialize")) => {
                *self = Self {
                    initialize: Some(Initialize {
                        at: seen.spot(),
                        id: seen.message.id.as_ref().and_then(IdKey::of_id),
                        requested: text("protocolVersion"),
                        answer: None,
                    }),
                    ..Self::default()
                };
            }
            (Kind::Response, Some("initialize")) => {
                let (at, outcome) = (seen.spot(), seen.message.outcome);
                if let (Some(initialize), Some(outcome)) = (&mut self.initialize, outcome) {
                    let version = text("protocolVersion");
                    initialize.answer.get_or_insert(Answered { at, outcome, version });
                }
            }
            (Kind::Notification, Some("notifications/initialized")) => {
                self.initialized.get_or_insert(seen.spot());
            }
            (Kind::Request, Some(method))
                if method != "ping" && seen.sender == Some(Side::Client) && self.agreed().is_some() =>
            {
                self.requests_since_answer = self.requests_since_answer.saturating_add(1);
            }
            _ => {}
        }
    }
}
