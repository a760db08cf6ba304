//! Open requests by number, with what rules need of them when the answer comes, and those that ended lately.

use std::collections::VecDeque;
use std::rc::Rc;

use compact_str::CompactString;
use hashbrown::HashMap;

use super::retries::{RETRIED, digest_of_arguments};
use super::{Caps, Level, PROTOCOL_VERSION, SessionBook, Spot, logging};
use crate::annotate::Kind;
use crate::protocol::{Revision, Side};
use crate::rules::context::Seen;
use crate::session::{CapabilitySet, IdKey};
use crate::transcript::Half;

/// Open requests of an input; the oldest gives way.
const MAX_OPEN: usize = 65_536;
/// Requests that ended lately.
const MAX_ENDED: usize = 1_024;
/// Bytes of params that are kept of one request, where its answer is judged by them.
const MAX_PARAMS: usize = 64 << 10;
/// Bytes of params that are kept of all open requests together.
const MAX_KEPT: usize = 16 << 20;

/// Methods whose answers are judged by the params of the request.
pub(super) const KEPT: &[&str] = &["elicitation/create", "sampling/createMessage"];

/// A request, as far as later messages are judged by it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Where it stands.
    pub at: Spot,
    /// Its session.
    pub session: u64,
    /// Who sent it.
    pub sender: Option<Side>,
    /// That is more than a guess.
    pub sender_sure: bool,
    /// Its method.
    pub method: CompactString,
    /// The tool, prompt, URI or task that it is about.
    pub target: Option<CompactString>,
    /// Its id.
    pub id: Option<IdKey>,
    /// Its progress token.
    pub token: Option<IdKey>,
    /// The revision in force.
    pub revision: Revision,
    /// The version that it names in `_meta` (2026-07-28).
    pub version: Option<CompactString>,
    /// The capture tells the revision.
    pub revision_known: bool,
    /// A digest of its arguments, where it may be retried (2026-07-28).
    pub arguments: Option<u64>,
    /// The cancellation that named it.
    pub cancelled: Option<Spot>,
    /// It asked to be a task.
    pub task: bool,
    /// It asked for a further page of a list.
    pub cursor: bool,
    /// The level of log messages that it asked for (2026-07-28).
    pub log_level: Option<Level>,
    /// The HTTP exchange that carried it.
    pub exchange: Option<u64>,
    /// What the client declared in it (2026-07-28).
    pub client_capabilities: Option<Rc<CapabilitySet>>,
    /// Its params, for the methods of which they are kept.
    pub params: Option<Box<str>>,
    /// The batch that it came in: number of the first message of the batch.
    pub batch: Option<u64>,
}

/// A request that has been answered.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The request.
    pub asked: Asked,
    /// Its answer.
    pub answer: Spot,
}

/// All requests of an input.
#[derive(Debug, Default)]
pub struct Requests {
    open: HashMap<u64, Asked>,
    ended: VecDeque<Ended>,
    /// The request that each HTTP exchange carried, as long as it is open.
    exchanges: HashMap<u64, u64>,
    kept: usize,
    /// Open requests that were given up.
    lost: u64,
    /// No open request has a number below this.
    oldest: u64,
}

impl Requests {
    /// An open request by the number of its message, or one that was answered lately.
    pub fn get(&self, n: u64) -> Option<&Asked> {
        self.open.get(&n).or_else(|| self.ended(n).map(|ended| &ended.asked))
    }

    /// An open request by the number of its message.
    pub fn get_open(&self, n: u64) -> Option<&Asked> {
        self.open.get(&n)
    }

    /// The open request that an HTTP exchange carried, or the last one.
    pub fn of_exchange(&self, exchange: u64) -> Option<&Asked> {
        self.exchanges.get(&exchange).and_then(|n| self.open.get(n))
    }

    /// Some open requests were given up, so that one that is not found may have been there.
    pub fn is_cut(&self) -> bool {
        self.lost > 0
    }

    /// A request that was answered lately.
    pub fn ended(&self, n: u64) -> Option<&Ended> {
        self.ended.iter().rev().find(|ended| ended.asked.at.0 == n)
    }

    /// The open requests of a session, in no order. Looks at every open request: only for what is rare.
    pub fn open_in(&self, session: u64) -> impl Iterator<Item = &Asked> {
        self.open.values().filter(move |asked| asked.session == session)
    }

    /// The requests of a session that were answered lately, the last first.
    pub fn ended_in(&self, session: u64) -> impl Iterator<Item = &Ended> {
        self.ended.iter().rev().filter(move |ended| ended.asked.session == session)
    }

    /// Takes note of a message that has been judged.
    pub(super) fn see(&mut self, seen: &Seen<'_>, session: &SessionBook, caps: &mut Caps) {
        match seen.kind {
            Kind::Request => self.ask(seen, session, caps),
            Kind::Response => {
                if let Some(asked) = seen.message.answers.and_then(|n| self.take(n)) {
                    if self.ended.len() == MAX_ENDED {
                        self.ended.pop_front();
                    }
                    self.ended.push_back(Ended { asked: Asked { params: None, ..asked }, answer: seen.spot() });
                }
            }
            Kind::Notification if seen.method == Some("notifications/cancelled") => {
                let named = seen.message.relates_to.and_then(|n| self.open.get_mut(&n));
                if let Some(asked) = named {
                    asked.cancelled.get_or_insert(seen.spot());
                }
            }
            Kind::Notification | Kind::Invalid => {}
        }
    }

    fn ask(&mut self, seen: &Seen<'_>, session: &SessionBook, caps: &mut Caps) {
        let message = seen.message;
        if message.answered_by.is_some() {
            return;
        }
        if self.open.len() >= MAX_OPEN {
            self.drop_oldest();
            self.lost += 1;
            caps.lost("rule-requests", 1);
        }
        let method = seen.method.unwrap_or_default();
        let params = match seen.body.raw {
            Some(params) if KEPT.contains(&method) => {
                let fits = params.text().len() <= MAX_PARAMS && self.kept + params.text().len() <= MAX_KEPT;
                if !fits {
                    caps.lost("rule-params", 1);
                }
                fits.then(|| Box::<str>::from(params.text()))
            }
            _ => None,
        };
        self.kept += params.as_deref().map_or(0, str::len);
        let exchange = message.http.filter(|http| http.half == Half::Request).map(|http| http.exchange);
        if let Some(exchange) = exchange {
            self.exchanges.insert(exchange, message.n);
        }
        let token = seen.meta("progressToken").and_then(|token| IdKey::of_token(token.text()));
        self.open.insert(
            message.n,
            Asked {
                at: seen.spot(),
                session: message.session,
                sender: seen.sender,
                sender_sure: seen.sender_sure(),
                method: CompactString::new(method),
                target: message.target.map(CompactString::new),
                id: message.id.as_ref().and_then(IdKey::of_id),
                token,
                revision: seen.revision,
                version: session
                    .modern
                    .at_hand
                    .then(|| seen.meta(PROTOCOL_VERSION)?.as_str().map(CompactString::new))
                    .flatten(),
                revision_known: seen.revision_known,
                arguments: (seen.is_modern() && RETRIED.contains(&method)).then(|| digest_of_arguments(seen)).flatten(),
                cancelled: None,
                task: seen.get("task").is_some(),
                cursor: seen.get("cursor").is_some(),
                log_level: logging::asked(seen).filter(|_| seen.is_modern()),
                exchange,
                client_capabilities: session.carried.clone().filter(|_| seen.is_modern()),
                params,
                batch: message.batch.map(|place| message.n - place.index),
            },
        );
    }

    /// Takes a request out of the open ones.
    fn take(&mut self, n: u64) -> Option<Asked> {
        let asked = self.open.remove(&n)?;
        self.kept -= asked.params.as_ref().map_or(0, |params| params.len());
        if let Some(exchange) = asked.exchange {
            self.exchanges.remove(&exchange);
        }
        Some(asked)
    }

    /// Gives up the request that has waited longest.
    fn drop_oldest(&mut self) {
        while self.oldest < u64::MAX && !self.open.is_empty() {
            if self.take(self.oldest).is_some() {
                return;
            }
            self.oldest += 1;
        }
    }

    /// Forgets the requests of a session that is over.
    pub(super) fn close(&mut self, session: u64) {
        self.open.retain(|_, asked| asked.session != session);
        self.exchanges.retain(|_, n| self.open.contains_key(n));
        self.kept = self.open.values().filter_map(|asked| asked.params.as_ref()).map(|params| params.len()).sum();
    }

    /// The request that an id names, among the open ones of a session; of either side when none is given.
    pub fn by_id(&self, session: u64, sender: Option<Side>, id: &IdKey) -> Option<&Asked> {
        self.open_in(session)
            .find(|asked| asked.id.as_ref() == Some(id) && (sender.is_none() || asked.sender == sender))
    }
}
