//! Progress tokens of a session: who gave them out, how far they have come, and whether their request is over.

use compact_str::CompactString;
use hashbrown::HashMap;

use super::{Asked, Caps, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::protocol::Side;
use crate::rules::context::Seen;
use crate::session::IdKey;

/// A token and its request.
#[derive(Clone, Debug)]
pub struct Token {
    /// The request that gave it out.
    pub at: Spot,
    /// The last progress that was told, and where.
    pub last: Option<(f64, Spot)>,
    /// The answer that ended its request.
    pub done: Option<Spot>,
    /// The cancellation of its request.
    pub cancelled: Option<Spot>,
    /// The task that carries the request on, so that its answer does not end it.
    pub task: Option<CompactString>,
}

/// The tokens of a session, by the side that gave them out.
#[derive(Debug, Default)]
pub struct Progress {
    tokens: [HashMap<IdKey, Token>; 2],
    lost: bool,
}

/// Tokens of one side that are remembered; those of requests that are over give way first.
const MAX_TOKENS: usize = 4_096;

impl Progress {
    /// A token of a side.
    pub fn get(&self, side: Side, token: &IdKey) -> Option<&Token> {
        self.tokens[side.index()].get(token)
    }

    /// No token was forgotten, or left out by the log.
    pub fn is_complete(&self) -> bool {
        !self.lost
    }

    /// Takes note of a message, with the open request that it answers, or the open one that it is.
    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>) {
        match (seen.kind, seen.method) {
            (Kind::Response, _) => {
                let Some(token) = request.and_then(|request| self.of(request)) else { return };
                let task = seen.get("task").filter(|_| request.is_some_and(|request| request.task));
                match task.and_then(|task| task.get("taskId")?.as_str()) {
                    Some(id) => token.task = Some(CompactString::from(id)),
                    None if carries_on(seen) => token.task = Some(CompactString::default()),
                    None => token.done = Some(seen.spot()),
                }
            }
            (Kind::Notification, Some("notifications/cancelled")) => {
                if let Some(token) = request.and_then(|request| self.of(request)) {
                    token.cancelled.get_or_insert(seen.spot());
                }
            }
            (Kind::Notification, Some("notifications/progress")) => {
                let Some(side) = seen.sender.map(Side::other) else { return };
                let (Some(key), Some(progress)) = (key(seen), seen.get("progress").and_then(RawJson::as_f64)) else {
                    return;
                };
                if let Some(token) = self.tokens[side.index()].get_mut(&key) {
                    token.last = Some((progress, seen.spot()));
                }
            }
            // What the log leaves out of a request may be its token.
            (Kind::Request, _) => self.lost |= !seen.is_whole(),
            _ => {}
        }
    }

    /// Takes note of a request that has been judged.
    pub(super) fn asked(&mut self, request: &Asked, caps: &mut Caps) {
        let (Some(side), Some(token)) = (request.sender, &request.token) else { return };
        let tokens = &mut self.tokens[side.index()];
        if tokens.len() >= MAX_TOKENS && !tokens.contains_key(token) {
            let before = tokens.len();
            tokens.retain(|_, token| token.done.is_none());
            self.lost = true;
            caps.lost("rule-tokens", (before - tokens.len()).max(1) as u64);
            if tokens.len() >= MAX_TOKENS {
                return;
            }
        }
        tokens.insert(token.clone(), Token { at: request.at, last: None, done: None, cancelled: None, task: None });
    }

    fn of(&mut self, request: &Asked) -> Option<&mut Token> {
        let token = self.tokens[request.sender?.index()].get_mut(request.token.as_ref()?)?;
        (token.at.0 == request.at.0).then_some(token)
    }
}

/// A result of 2026-07-28 that hands the request over to a task.
fn carries_on(seen: &Seen<'_>) -> bool {
    seen.is_modern() && seen.get("resultType").is_some_and(|kind| kind.text() == "\"task\"")
}

/// The token that a progress notification names.
pub(in crate::rules) fn key(seen: &Seen<'_>) -> Option<IdKey> {
    IdKey::of_token(seen.get("progressToken")?.text())
}
