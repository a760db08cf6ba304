//! What a message says by itself, before anything is known of its session. Borrows everything, keeps nothing.

use std::borrow::Cow;

use super::{IdState, Key, Kind, Outcome};
use crate::jsonrpc::{AnswerMember, Envelope, ErrorObject, Id, IdKind, JsonKind, Malformed, Members, Parsed, RawJson};
use crate::protocol::{MethodKind, MethodSet, TargetKey, method_set};
use crate::transcript::{Outline, OutlineKind};

/// The members of `_meta` that matter here (basic/index#meta of 2026-07-28 and basic/utilities/* of all revisions).
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Meta<'a> {
    pub progress_token: Option<RawJson<'a>>,
    pub protocol_version: Option<RawJson<'a>>,
    pub client_capabilities: Option<RawJson<'a>>,
    pub client_info: Option<RawJson<'a>>,
    pub server_info: Option<RawJson<'a>>,
    pub subscription_id: Option<RawJson<'a>>,
    pub related_task: Option<RawJson<'a>>,
}

impl<'a> Meta<'a> {
    fn read(meta: RawJson<'a>) -> Self {
        let mut found = Self::default();
        if meta.kind() != JsonKind::Object {
            return found;
        }
        for (name, value) in meta.members() {
            let slot = match name.strip_prefix("io.modelcontextprotocol/") {
                None if name == "progressToken" => &mut found.progress_token,
                None => continue,
                Some("protocolVersion") => &mut found.protocol_version,
                Some("clientCapabilities") => &mut found.client_capabilities,
                Some("clientInfo") => &mut found.client_info,
                Some("serverInfo") => &mut found.server_info,
                Some("subscriptionId") => &mut found.subscription_id,
                Some("related-task") => &mut found.related_task,
                Some(_) => continue,
            };
            *slot = Some(value);
        }
        found
    }
}

/// Names of members that are asked for of many messages: found in one pass over the members of a message.
const OFTEN: usize = 15;

/// The place of such a name, by its length first.
#[inline(always)]
fn often(name: &[u8]) -> Option<usize> {
    let is = |known: &str, place: usize| (name == known.as_bytes()).then_some(place);
    match name.len() {
        3 => is("uri", 0),
        4 => is("name", 1).or(is("task", 2)),
        5 => is("_meta", 3),
        6 => is("taskId", 4),
        7 => is("isError", 5),
        9 => is("requestId", 6),
        10 => is("resultType", 7).or(is("serverInfo", 8)),
        12 => is("capabilities", 9).or(is("requestState", 10)),
        13 => is("progressToken", 11).or(is("inputRequests", 12)),
        14 => is("inputResponses", 13),
        15 => is("protocolVersion", 14),
        _ => None,
    }
}

/// The places among a message's members of those that are asked for often, counted from 1; 0 for those that it lacks.
type Often = [u8; OFTEN];

/// `None` when names have to be decoded to be found.
#[inline(always)]
fn find_often(members: &Members<'_>) -> Option<Often> {
    let mut found = [0; OFTEN];
    for (name, place) in members.plain_names()?.zip(1..) {
        if let Some(slot) = often(name) {
            found[slot] = place;
        }
    }
    Some(found)
}

#[derive(Clone, Copy, Debug)]
enum Body<'a> {
    Members(&'a Members<'a>),
    Raw(RawJson<'a>),
    None,
}

/// One message as facts.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// What form it has.
    pub kind: Kind,
    /// Responses only; `None` also when an outline does not tell.
    pub outcome: Option<Outcome>,
    /// The id, present or `null`, as it stands in the message.
    pub id: Option<&'a str>,
    /// The id as a key, unless it is `null` or absent.
    pub key: Option<Key<'a>>,
    /// Whether there is one.
    pub id_state: IdState,
    /// The method as it stands in the message.
    pub method: Option<&'a str>,
    /// What is known of that method.
    pub set: Option<MethodSet>,
    /// What the message is about: tool, prompt, URI, task.
    pub target: Option<Cow<'a, str>>,
    /// The token of a progress notification.
    pub progress_token: Option<Key<'a>>,
    /// The error of an error response.
    pub error: Option<&'a ErrorObject<'a>>,
    /// Its code, also where the log has only that.
    pub error_code: Option<i64>,
    /// `_meta` of params or result.
    pub meta: Meta<'a>,
    /// The result, when there is one.
    pub result: Option<RawJson<'a>>,
    /// The log has only the outline of this message.
    pub outline: bool,
    /// The log keeps no ids.
    pub(super) by_method: bool,
    /// Something in it may name another message, a task or a subscription.
    pub(super) points: bool,
    body: Body<'a>,
    often: Option<Often>,
}

impl Default for Facts<'_> {
    #[inline(always)]
    fn default() -> Self {
        Self {
            kind: Kind::Invalid,
            outcome: None,
            id: None,
            key: None,
            id_state: IdState::Absent,
            method: None,
            set: None,
            target: None,
            progress_token: None,
            error: None,
            error_code: None,
            meta: Meta::default(),
            result: None,
            outline: false,
            by_method: false,
            points: true,
            body: Body::None,
            often: None,
        }
    }
}

impl<'a> Facts<'a> {
    /// The facts of a message that was read.
    #[inline(never)]
    pub fn of_parsed(parsed: &'a Parsed<'a>) -> Self {
        let mut facts = Self::default();
        facts.read(parsed);
        facts
    }

    /// [`Self::of_parsed`] into empty facts, which are too large to be moved for each message.
    #[inline(always)]
    pub fn read(&mut self, parsed: &'a Parsed<'a>) {
        self.body = Body::Members(&parsed.body);
        self.often = find_often(&parsed.body);
        match &parsed.envelope {
            Ok(Envelope::Request { id, method, .. }) => {
                self.kind = Kind::Request;
                self.set_id(Some(id));
                self.set_method(method);
            }
            Ok(Envelope::Notification { method, .. }) => {
                self.kind = Kind::Notification;
                self.set_method(method);
            }
            Ok(Envelope::Response { id, result }) => {
                self.kind = Kind::Response;
                self.outcome = Some(Outcome::Result);
                self.set_id(Some(id));
                self.result = Some(*result);
            }
            Ok(Envelope::ErrorResponse { id, error }) => {
                self.kind = Kind::Response;
                self.outcome = Some(Outcome::Error);
                self.set_id(id.as_ref());
                self.set_error(error);
            }
            Err(malformed) => {
                self.set_malformed(malformed);
                // What was left out was left out by the log: the message itself was whole.
                if parsed.is_elided() {
                    self.recover_kind(malformed);
                }
            }
        }
        if let Some(meta) = self.param("_meta") {
            self.meta = Meta::read(meta);
        }
        let target = self.find_target();
        self.target = target.and_then(if parsed.holds.escapes { RawJson::as_str } else { RawJson::as_plain });
        self.progress_token = self.param("progressToken").and_then(|token| Key::of_token(token.text()));
        self.points = self.progress_token.is_some()
            || self.meta.subscription_id.is_some()
            || self.meta.related_task.is_some()
            || self.param("taskId").is_some()
            || self.param("requestId").is_some();
    }

    /// Takes the message as a log tells it: where its text is cut off, the log has cut it.
    pub fn recover(&mut self, parsed: &Parsed<'_>) {
        if let Err(malformed) = &parsed.envelope
            && malformed.is_truncated()
        {
            self.recover_kind(malformed);
        }
    }

    /// Tells from the members that are left what the message was.
    fn recover_kind(&mut self, malformed: &Malformed<'_>) {
        let asks = |set: MethodSet| set.rows().iter().all(|row| row.kind == MethodKind::Request);
        let (kind, outcome) = match (&malformed.method, malformed.answer_begun) {
            (Some(_), None) if malformed.id.is_some() || self.set.is_some_and(asks) => (Kind::Request, None),
            (Some(_), None) => (Kind::Notification, None),
            (None, Some(AnswerMember::Result)) => (Kind::Response, Some(Outcome::Result)),
            (None, Some(AnswerMember::Error)) => (Kind::Response, Some(Outcome::Error)),
            _ => return,
        };
        (self.kind, self.outcome) = (kind, outcome);
        if malformed.id.is_none() && kind != Kind::Notification {
            self.id_state = IdState::Unrecorded;
        }
    }

    /// The facts of a message of which the log tells only the outline.
    pub fn of_outline(outline: &'a Outline<'a>) -> Self {
        let mut facts = Self { outline: true, error_code: outline.error_code, ..Self::default() };
        facts.target = outline.target.map(Cow::Borrowed);
        (facts.kind, facts.outcome) = match outline.kind {
            OutlineKind::Request => (Kind::Request, None),
            OutlineKind::Notification => (Kind::Notification, None),
            OutlineKind::Result => (Kind::Response, Some(Outcome::Result)),
            OutlineKind::Error => (Kind::Response, Some(Outcome::Error)),
            OutlineKind::Answer => (Kind::Response, None),
        };
        if let Some(raw) = outline.id {
            facts.id = Some(raw);
            facts.key = Key::of_token(raw);
            facts.id_state = IdState::Present;
        } else if facts.kind != Kind::Notification {
            facts.id_state = IdState::Unrecorded;
            facts.by_method = !outline.view;
        }
        if let Some(method) = outline.method {
            facts.set_method(method);
            // Where the log keeps no ids, requests and answers are told apart by their method.
            if facts.by_method {
                facts.key = Some(Key::of_method(method));
            }
        }
        facts
    }

    /// Facts that have only params: an input request.
    pub(super) fn of_embedded(params: Option<RawJson<'a>>) -> Self {
        Self { body: params.map_or(Body::None, Body::Raw), kind: Kind::Request, ..Self::default() }
    }

    /// Takes what the log tells was asked, for an answer.
    pub fn ask(&mut self, method: Option<&'a str>) {
        if self.kind == Kind::Response && self.method.is_none() {
            self.method = method;
        }
    }

    fn set_id(&mut self, id: Option<&'a Id<'a>>) {
        self.id_state = match id.map(Id::kind) {
            None => IdState::Absent,
            Some(IdKind::Null) => IdState::Null,
            Some(_) => IdState::Present,
        };
        self.id = id.map(Id::raw);
        self.key = self.id.and_then(Key::of_token);
    }

    fn set_method(&mut self, method: &'a str) {
        self.method = Some(method);
        self.set = method_set(method);
    }

    fn set_error(&mut self, error: &'a ErrorObject<'a>) {
        self.error = Some(error);
        self.error_code = error.code;
    }

    fn set_malformed(&mut self, malformed: &'a Malformed<'a>) {
        self.kind = Kind::Invalid;
        self.set_id(malformed.id.as_ref());
        if let Some(method) = &malformed.method {
            self.set_method(method);
        }
        if let Some(error) = &malformed.error {
            self.set_error(error);
        }
        self.result = malformed.result;
    }

    /// A member of params, result or error.
    #[inline(always)]
    pub fn param(&self, name: &str) -> Option<RawJson<'a>> {
        match &self.body {
            Body::Members(members) => match (&self.often, often(name.as_bytes())) {
                (Some(found), Some(slot)) => members.value_at(usize::from(found[slot]).checked_sub(1)?),
                _ => members.get(name),
            },
            Body::Raw(raw) => raw.get(name),
            Body::None => None,
        }
    }

    /// Whether the body is absent or has no members.
    pub fn is_empty(&self) -> bool {
        match &self.body {
            Body::Members(members) => members.is_empty(),
            Body::Raw(raw) => raw.members().next().is_none(),
            Body::None => true,
        }
    }

    /// `resultType` of a result (2026-07-28).
    pub fn result_type(&self) -> Option<Cow<'a, str>> {
        self.result.and_then(|_| self.param("resultType")).and_then(RawJson::as_str)
    }

    /// A request or notification that carries its protocol version: the mark of 2026-07-28.
    pub fn is_stateless(&self) -> bool {
        self.meta.protocol_version.is_some() || self.outline && self.method == Some("server/discover")
    }

    /// A request for `initialize`, the beginning of a handshake.
    pub fn is_initialize(&self) -> bool {
        self.kind == Kind::Request && self.method == Some("initialize")
    }

    /// What the message is about, by the newest row of its method.
    fn find_target(&self) -> Option<RawJson<'a>> {
        match self.set?.newest().target {
            TargetKey::None => None,
            TargetKey::Param(name) => self.param(name),
            TargetKey::Reference => {
                let reference = self.param("ref")?;
                reference.get("name").or_else(|| reference.get("uri"))
            }
        }
    }

    /// A notification's method with an id, or a request's method without one.
    pub fn wrong_form(&self) -> bool {
        let Some(set) = self.set else { return false };
        matches!(
            (self.kind, set.newest().kind),
            (Kind::Request, MethodKind::Notification)
                | (Kind::Notification, MethodKind::Request | MethodKind::InputRequest)
        )
    }

    /// The id named by `requestId` of a cancellation.
    pub fn request_id(&self) -> Option<Key<'a>> {
        Key::of_token(self.param("requestId")?.text())
    }

    /// The task that the message is about, by `params.taskId` or its related-task mark.
    #[inline]
    pub fn task_id(&self) -> Option<Cow<'a, str>> {
        let named = self.param("taskId");
        if named.is_none() && self.meta.related_task.is_none() {
            return None;
        }
        let named = named.filter(|_| {
            self.set.is_some_and(|set| set.newest().target == TargetKey::Param("taskId"))
                || matches!(self.method, Some("notifications/tasks/status" | "notifications/tasks"))
        });
        named.or_else(|| self.meta.related_task?.get("taskId"))?.as_str()
    }
}
