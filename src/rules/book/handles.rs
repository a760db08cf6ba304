//! The tasks of a session (extension io.modelcontextprotocol/tasks, 2026-07-28) by id: which call made each, what is known
//! of its state, and which input it has asked for.

use compact_str::CompactString;
use hashbrown::HashMap;

use super::retries::{digest, question};
use super::{Asked, Caps, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;
use crate::session::IdKey;

/// The name of the extension.
pub const TASKS: &str = "io.modelcontextprotocol/tasks";

/// Tasks kept of a session.
const MAX_HANDLES: usize = 1_024;
/// Input requests kept of one task.
const MAX_KEYS: usize = 64;
/// Bytes of params of input requests kept of a session.
const MAX_PARAMS: usize = 256 << 10;

/// The call that was answered with a task.
#[derive(Clone, Debug)]
pub struct Call {
    /// The request.
    pub request: Spot,
    /// The result that hands out the task.
    pub answer: Spot,
    id: Option<IdKey>,
    token: Option<IdKey>,
}

/// A state that a task does not leave.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The status.
    pub status: CompactString,
    /// The message that told it.
    pub at: Spot,
    /// `lastUpdatedAt` of it.
    pub updated: Option<CompactString>,
}

/// An input request of a task.
#[derive(Debug)]
pub struct InputKey {
    /// The key.
    pub key: CompactString,
    /// The message that showed it first.
    pub at: Spot,
    /// The request.
    pub asked: Asked,
    /// It stood in the last state that was shown.
    pub open: bool,
    /// The task went on after this message, with the response acknowledged.
    pub retired: Option<Spot>,
    digest: u64,
    /// The `tasks/update` that brought the response.
    answered: Option<u64>,
    acknowledged: bool,
}

impl InputKey {
    /// Whether a request is the one that the key stands for.
    pub fn is(&self, request: RawJson<'_>) -> bool {
        self.digest == digest(request, 0)
    }
}

/// A task.
#[derive(Debug, Default)]
pub struct Handle {
    /// The call that made it, where that is in the capture.
    pub call: Option<Call>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// Its input requests.
    pub keys: Vec<InputKey>,
    /// A state with input requests was shown, and all of them are kept.
    pub keys_known: bool,
}

impl Handle {
    /// The input request of a key.
    pub fn key(&self, key: &str) -> Option<&InputKey> {
        self.keys.iter().find(|known| known.key == key)
    }
}

/// The tasks of a session.
#[derive(Debug, Default)]
pub struct Handles {
    by_id: HashMap<CompactString, Handle>,
    bytes: usize,
    /// Tasks were not taken for lack of room.
    pub lost: bool,
}

/// Whether a task stays in a status.
pub(super) fn is_terminal(status: &str) -> bool {
    matches!(status, "completed" | "failed" | "cancelled")
}

impl Handles {
    /// A task.
    pub fn get(&self, id: &str) -> Option<&Handle> {
        self.by_id.get(id)
    }

    /// The task that a message is about: of its params or result.
    pub fn of(&self, seen: &Seen<'_>) -> Option<&Handle> {
        self.get(&seen.get("taskId")?.as_str()?)
    }

    /// The call with a task whose id, or whose progress token, is this.
    pub fn call(&self, id: Option<&IdKey>, token: Option<&IdKey>) -> Option<&Call> {
        let named = |own: &Option<IdKey>, other: Option<&IdKey>| other.is_some() && own.as_ref() == other;
        let calls = self.by_id.values().filter_map(|handle| handle.call.as_ref());
        calls.filter(|call| named(&call.id, id) || named(&call.token, token)).max_by_key(|call| call.answer.0)
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>, caps: &mut Caps) {
        if !seen.is_modern() {
            return;
        }
        match (seen.kind, seen.method) {
            (Kind::Response, Some("tools/call")) if seen.is_result() => {
                let is_task = |kind: RawJson<'_>| kind.as_str().is_some_and(|kind| kind == "task");
                if !seen.get("resultType").is_some_and(is_task) {
                    return;
                }
                let call = request.map(|request| Call {
                    request: request.at,
                    answer: seen.spot(),
                    id: request.id.clone(),
                    token: request.token.clone(),
                });
                if let Some(handle) = self.open(seen, caps) {
                    handle.call = call;
                }
                self.observe(seen, request, caps);
            }
            (Kind::Response, Some("tasks/get")) if seen.is_result() => self.observe(seen, request, caps),
            (Kind::Notification, Some("notifications/tasks")) => self.observe(seen, request, caps),
            (Kind::Request, Some("tasks/update")) => {
                let id = seen.get("taskId").and_then(RawJson::as_str).unwrap_or_default();
                let Some(handle) = self.by_id.get_mut(id.as_ref()) else { return };
                for key in &mut handle.keys {
                    let given = seen.get("inputResponses").and_then(|responses| responses.get(&key.key));
                    if given.is_some() {
                        key.answered = Some(seen.message.n);
                    }
                }
            }
            (Kind::Response, Some("tasks/update")) if seen.is_result() => {
                let Some(handle) = request.and_then(|request| self.by_id.get_mut(request.target.as_ref()?)) else {
                    return;
                };
                for key in handle.keys.iter_mut().filter(|key| key.answered.is_some()) {
                    key.acknowledged |= key.answered == seen.message.answers;
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, seen: &Seen<'_>, caps: &mut Caps) -> Option<&mut Handle> {
        let id = seen.get("taskId")?.as_str()?;
        if self.by_id.len() >= MAX_HANDLES && !self.by_id.contains_key(id.as_ref()) {
            self.lost = true;
            caps.lost("rule-tasks-extension", 1);
            return None;
        }
        Some(self.by_id.entry(CompactString::from(id)).or_default())
    }

    /// Takes the state of a task that a message shows.
    fn observe(&mut self, seen: &Seen<'_>, request: Option<&Asked>, caps: &mut Caps) {
        let Some(status) = seen.get("status").and_then(RawJson::as_str) else { return };
        let mut room = MAX_PARAMS.saturating_sub(self.bytes);
        let before = room;
        let at = seen.spot();
        let Some(handle) = self.open(seen, caps) else { return };
        if is_terminal(&status) && handle.ending.is_none() {
            let updated = seen.get("lastUpdatedAt").and_then(RawJson::as_str).map(CompactString::from);
            handle.ending = Some(Ending { status: CompactString::new(&status), at, updated });
        }
        let requests = seen.get("inputRequests");
        for key in &mut handle.keys {
            key.open = requests.is_some_and(|requests| requests.get(&key.key).is_some());
            if status != "input_required" && key.acknowledged {
                key.retired.get_or_insert(at);
            }
        }
        let Some(requests) = requests else {
            self.bytes += before - room;
            return;
        };
        handle.keys_known = seen.is_whole();
        for (key, value) in requests.members() {
            if handle.key(&key).is_some() {
                continue;
            }
            if handle.keys.len() == MAX_KEYS {
                handle.keys_known = false;
                caps.lost("rule-tasks-extension", 1);
                break;
            }
            // What a notification shows is not kept: it answers no request whose terms it could stand under.
            let Some(request) = request else {
                handle.keys_known = false;
                continue;
            };
            handle.keys.push(InputKey {
                key: CompactString::new(&key),
                at,
                asked: question(seen, request, value, &mut room, caps),
                open: true,
                retired: None,
                digest: digest(value, 0),
                answered: None,
                acknowledged: false,
            });
        }
        self.bytes += before - room;
    }
}
