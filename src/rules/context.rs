//! What a check sees: the record of the message, its body, the revision in force, and what the session has shown so far.

use std::borrow::Cow;
use std::ops::Deref;

use super::book::{Asked, Book, Expected, Pieces, Requests, Schemas, SessionBook, Spot};
use super::revisions::nearest;
use super::settings::{Expectations, Settings};
use crate::annotate::{Annotated, Certainty, Event, Kind, Needs, Outcome, SessionEnd};
use crate::jsonrpc::{Envelope, Members, Parsed, RawJson, Reason, Survey};
use crate::protocol::{Direction, Era, Revision, Side, method_set};
use crate::session::needs_of;
use crate::transcript::Flag;

/// `params`, `result` or `error` of a message, or of a request or response inside another one.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The text; `None` when it is absent.
    pub raw: Option<RawJson<'a>>,
    pub(super) members: Option<Members<'a>>,
}

impl<'a> Body<'a> {
    /// No body.
    pub const NONE: Body<'static> = Body { raw: None, members: None };

    /// A body of which only the text is at hand.
    pub fn of(raw: Option<RawJson<'a>>) -> Self {
        Self { raw, members: None }
    }

    /// The members in order, names decoded; none when it is no object.
    pub fn members(&self) -> impl Iterator<Item = (Cow<'a, str>, RawJson<'a>)> + use<'a> {
        let noted = self.members.map(|members| members.iter());
        let scanned = self.raw.filter(|_| noted.is_none()).map(RawJson::members);
        noted.into_iter().flatten().chain(scanned.into_iter().flatten())
    }

    fn of_message(message: &'a Annotated<'a>, survey: &'a Survey) -> Self {
        let Some(parsed) = message.parsed else { return Self::NONE };
        let raw = match &parsed.envelope {
            Ok(Envelope::Request { params, .. } | Envelope::Notification { params, .. }) => *params,
            Ok(Envelope::Response { result, .. }) => Some(*result),
            Ok(Envelope::ErrorResponse { error, .. }) => Some(error.raw),
            Err(malformed) => malformed.result.or(malformed.error.as_ref().map(|error| error.raw)),
        };
        Self { raw: raw.map(|raw| raw.surveyed(survey)), members: Some(parsed.body.surveyed(survey)) }
    }

    /// A member by its decoded name.
    pub fn get(&self, name: &str) -> Option<RawJson<'a>> {
        match self.members {
            Some(members) => members.get(name),
            None => self.raw?.get(name),
        }
    }
}

/// A message, or a request or response inside one, by itself.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The record; its `http` is the exchange that carried the message, where the capture has that.
    pub message: &'a Annotated<'a>,
    /// Set for a request or response inside the message: its key in `inputRequests` or `inputResponses`.
    pub part: Option<&'a str>,
    /// The form; of a part, that of the part.
    pub kind: Kind,
    /// The method; of an answer, of the request that it answers.
    pub method: Option<&'a str>,
    /// `params`, `result` or `error`.
    pub body: Body<'a>,
    /// Who sent it.
    pub sender: Option<Side>,
    /// The revision in force, or the last one with a handshake when the capture does not tell; see `revision_known`.
    pub revision: Revision,
    /// The capture tells the revision.
    pub revision_known: bool,
    /// A name that stands twice in one object of the message, where it stands the second time.
    pub repeated: Option<&'a str>,
    /// A `_meta` stands inside of the message, below its body.
    pub inner_meta: bool,
}

impl<'a> Seen<'a> {
    /// The message of a record, in its session, and the request that it answers or that came over the same exchange;
    /// judged by a revision that is supposed, if one is.
    /// `survey` is that of the message's text.
    pub(super) fn of(
        message: &'a Annotated<'a>,
        session: &SessionBook,
        asked: Option<&Asked>,
        supposed: Option<Revision>,
        survey: &'a Survey,
    ) -> Self {
        let body = Body::of_message(message, survey);
        let told = || revision_in_force(message, session, asked);
        let (revision, revision_known) = supposed.map_or_else(told, |revision| (revision, true));
        Self {
            message,
            part: None,
            kind: message.kind,
            method: message.method,
            body,
            sender: message.direction.map(Direction::sender),
            revision,
            revision_known,
            repeated: message.parsed.and_then(|parsed| survey.repeated(parsed.text)),
            inner_meta: survey.has_name(),
        }
    }

    /// A part of this message.
    pub(super) fn part(&self, key: &'a str, kind: Kind, method: Option<&'a str>, body: Body<'a>) -> Self {
        Self { part: Some(key), kind, method, body, sender: self.sender, ..*self }
    }

    /// The message as parsed; `None` when the capture has only its outline.
    pub fn parsed(&self) -> Option<&'a Parsed<'a>> {
        self.message.parsed
    }

    /// A member of `params`, `result` or `error`.
    pub fn get(&self, name: &str) -> Option<RawJson<'a>> {
        self.body.get(name)
    }

    /// A member of `_meta`.
    pub fn meta(&self, key: &str) -> Option<RawJson<'a>> {
        self.get("_meta")?.get(key)
    }

    /// Whether it is of 2026-07-28 or later.
    pub fn is_modern(&self) -> bool {
        self.revision.era() == Era::Stateless
    }

    /// The answer brought a result.
    pub fn is_result(&self) -> bool {
        self.message.outcome == Some(Outcome::Result) || (self.part.is_some() && self.kind == Kind::Response)
    }

    /// What is wrong with a message that is none of the four shapes.
    pub fn reason(&self) -> Option<&'a Reason> {
        self.message.parsed?.envelope.as_ref().err().map(|malformed| &malformed.reason)
    }

    /// The message as one value; reads it again, for findings only.
    pub fn top_whole(&self) -> Option<RawJson<'a>> {
        RawJson::new(self.message.parsed?.text)
    }

    /// A member of the message itself, such as `method`; reads it again, for findings only.
    pub fn top(&self, name: &str) -> Option<RawJson<'a>> {
        self.top_whole()?.get(name)
    }

    /// A flag that the reader or the session has set.
    pub fn has(&self, flag: Flag) -> bool {
        self.message.flags.has(flag)
    }

    /// Number and place.
    pub fn spot(&self) -> Spot {
        (self.message.n, self.message.position)
    }

    /// Whether the whole message is in the capture, so that what is missing in it is missing.
    pub fn is_whole(&self) -> bool {
        let cut = [Flag::Elided, Flag::Truncated, Flag::Oversized].into_iter().any(|flag| self.has(flag));
        self.message.parsed.is_some() && !cut
    }

    /// Whether the direction is more than a guess.
    pub fn sender_sure(&self) -> bool {
        matches!(self.message.basis.direction, Some(Certainty::Recorded | Certainty::Inferred))
    }
}

/// The revision that a message is judged by, and whether the capture tells it. A message that names a version in `_meta` is
/// of 2026-07-28; an answer is of the revision of its request; anything else in a session with a handshake is of a
/// revision that has one.
fn revision_in_force(message: &Annotated<'_>, session: &SessionBook, asked: Option<&Asked>) -> (Revision, bool) {
    // Where the message itself does not tell, the header that came with it does.
    let header = || message.http?.header("mcp-protocol-version").and_then(nearest);
    let own = message.revision.and_then(nearest).or_else(header);
    let known = own.map_or((ASSUMED, false), |revision| (revision, true));
    let of_handshake = |(revision, known): (Revision, bool)| (revision.min(ASSUMED), known && revision <= ASSUMED);
    match (message.kind, message.method) {
        (_, Some("initialize" | "notifications/initialized")) => of_handshake(known),
        _ if session.modern.is_stateless(message, asked) => (known.0.max(Revision::V2026_07_28), true),
        (Kind::Response, _) => asked.map_or(known, |asked| (asked.revision, asked.revision_known)),
        // An outline shows no `_meta`.
        (Kind::Request | Kind::Notification, _)
            if session.lifecycle.initialize.is_some() && message.parsed.is_some() =>
        {
            of_handshake(known)
        }
        _ => known,
    }
}

/// What is assumed of messages whose revision the capture does not tell: the last one with a handshake, since stateless
/// messages name theirs.
pub(super) const ASSUMED: Revision = Revision::V2025_11_25;

/// A message, or a part of one, as a check sees it.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The message by itself.
    pub seen: Seen<'a>,
    /// What the session has shown before this message.
    pub session: &'a SessionBook,
    /// All sessions of the input.
    pub book: &'a Book,
    /// Of an answer: the request that it answers, where that is in the capture.
    pub request: Option<&'a Asked>,
    /// Open requests of all sessions, and those that ended lately.
    pub requests: &'a Requests,
    /// Lines before this one that may be one value together.
    pub pieces: &'a Pieces,
    /// Schemas, compiled once.
    pub schemas: &'a Schemas,
    /// What the run asks.
    pub settings: &'a Settings,
}

impl<'a> Deref for Context<'a> {
    type Target = Seen<'a>;

    fn deref(&self) -> &Seen<'a> {
        &self.seen
    }
}

impl Context<'_> {
    /// Whether the receiver of a request declared that it makes tasks of such requests; `None` when that is not in the
    /// capture, or when no request of this method can be a task.
    pub fn makes_tasks(&self, request: &Asked) -> Option<bool> {
        let requirement = method_set(&request.method)?.at(request.revision)?.task_requirement()?;
        self.declared(request.sender?.other(), requirement.path)
    }

    /// What the message needs, in the revision that it is judged by.
    pub fn requires(&self) -> Cow<'_, [Needs]> {
        if self.settings.what_if.revision.is_none() {
            return Cow::Borrowed(self.message.requires);
        }
        let row = self.method.and_then(method_set).and_then(|set| set.at(self.revision));
        let is_request = matches!(self.kind, Kind::Request | Kind::Notification);
        // What is needed is a matter of the request, which went the other way.
        let way = self.message.direction.map(|way| if is_request { way } else { way.reversed() });
        Cow::Owned(row.map_or_else(Vec::new, |row| needs_of(row, way, self.body.raw.filter(|_| is_request))))
    }

    /// Whether a side declared a capability, or is supposed to have; `None` when its declaration is not in the capture.
    /// Client capabilities of 2026-07-28 are those of the request, or of the request that is answered.
    pub fn declared(&self, side: Side, path: &[&str]) -> Option<bool> {
        let client = match self.request {
            Some(request) => request.client_capabilities.as_deref(),
            None => self.session.carried.as_deref(),
        };
        let what_if = &self.settings.what_if;
        if let Some(change) = what_if.change(side, path) {
            return Some(change.with);
        }
        let modern = self.is_modern();
        let other = || self.session.declared(side, path, !modern, client).filter(|_| what_if.revision.is_some());
        self.session.declared(side, path, modern, client).or_else(other)
    }
}

/// An event as a check sees it.
pub struct EventContext<'a> {
    /// The record.
    pub event: &'a Event<'a>,
    /// Lines before this one that may be one value together.
    pub pieces: &'a Pieces,
    /// What the session that it fell into has shown.
    pub session: &'a SessionBook,
    /// The revision in force, or an assumed one.
    pub revision: Revision,
    /// The capture tells the revision.
    pub revision_known: bool,
}

/// A session that is over.
pub struct EndContext<'a> {
    /// The record.
    pub end: &'a SessionEnd,
    /// What it has shown.
    pub session: &'a SessionBook,
    /// All sessions of the input.
    pub book: &'a Book,
    /// Its requests without an answer, in order.
    pub open: &'a [&'a Asked],
    /// The revision in force at the end, or an assumed one.
    pub revision: Revision,
    /// The capture tells the revision.
    pub revision_known: bool,
}

/// An input that is over.
pub struct InputContext<'a> {
    /// What it has shown of that.
    pub expected: &'a Expected,
    /// What the user expects.
    pub expect: &'a Expectations,
}
