//! The shapes a JSON-RPC message can have, as values that borrow from the line. Reads nothing itself.

use std::borrow::Cow;

use super::survey::Ends;
use super::text::{decode, stands_for};
use super::{Id, JsonKind, RawJson, Survey};

/// A well-formed JSON-RPC 2.0 message: exactly one of four shapes.
#[derive(Clone, Debug, PartialEq)]
pub enum Envelope<'a> {
    /// A method with an id: wants an answer.
    Request {
        /// The id, possibly `null` (which MCP forbids and clients send all the same).
        id: Id<'a>,
        /// The decoded method name.
        method: Cow<'a, str>,
        /// `params` as written, or `None` when the member is absent.
        params: Option<RawJson<'a>>,
    },
    /// A method without an id: wants no answer.
    Notification {
        /// The decoded method name.
        method: Cow<'a, str>,
        /// `params` as written, or `None` when the member is absent.
        params: Option<RawJson<'a>>,
    },
    /// An answer with a result, which may be `null`.
    Response {
        /// The id of the request that it answers.
        id: Id<'a>,
        /// `result` as written.
        result: RawJson<'a>,
    },
    /// An answer with an error. The id is `None` when the member is absent (legal from revision
    /// 2025-11-25 on when the request's id could not be read).
    ErrorResponse {
        /// The id of the request that it answers, if the message has one.
        id: Option<Id<'a>>,
        /// The error.
        error: ErrorObject<'a>,
    },
}

impl<'a> Envelope<'a> {
    /// A request.
    pub fn request(id: Id<'a>, method: impl Into<Cow<'a, str>>, params: Option<RawJson<'a>>) -> Self {
        Self::Request { id, method: method.into(), params }
    }

    /// A notification.
    pub fn notification(method: impl Into<Cow<'a, str>>, params: Option<RawJson<'a>>) -> Self {
        Self::Notification { method: method.into(), params }
    }

    /// The answer with a result.
    pub fn response(id: Id<'a>, result: RawJson<'a>) -> Self {
        Self::Response { id, result }
    }

    /// The answer with an error, an object such as [`super::RawJsonBuf::error`] makes. `None` when it is no object.
    pub fn error_response(id: Option<Id<'a>>, error: RawJson<'a>) -> Option<Self> {
        ErrorObject::from_raw(error).map(|error| Self::ErrorResponse { id, error })
    }

    /// The id, if the message has one.
    pub fn id(&self) -> Option<&Id<'a>> {
        match self {
            Self::Request { id, .. } | Self::Response { id, .. } => Some(id),
            Self::ErrorResponse { id, .. } => id.as_ref(),
            Self::Notification { .. } => None,
        }
    }

    /// The method of a request or notification.
    pub fn method(&self) -> Option<&str> {
        match self {
            Self::Request { method, .. } | Self::Notification { method, .. } => Some(method),
            Self::Response { .. } | Self::ErrorResponse { .. } => None,
        }
    }
}

/// The `error` member of an error response (JSON-RPC 2.0, section 5.1).
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorObject<'a> {
    /// The code, when it is an integer.
    pub code: Option<i64>,
    /// The decoded message; empty when there is none.
    pub message: Cow<'a, str>,
    /// `data` as written.
    pub data: Option<RawJson<'a>>,
    /// The whole `error` member as written.
    pub raw: RawJson<'a>,
}

impl<'a> ErrorObject<'a> {
    /// Reads an `error` member; `None` when it is no object.
    pub fn from_raw(raw: RawJson<'a>) -> Option<Self> {
        (raw.kind() == JsonKind::Object).then(|| Self::with_members(raw, |name| raw.get(name)))
    }

    /// Takes the members from where they are known already. A `raw` of another type than object has none.
    pub(super) fn with_members(raw: RawJson<'a>, get: impl Fn(&str) -> Option<RawJson<'a>>) -> Self {
        Self {
            code: get("code").and_then(RawJson::as_i64),
            message: get("message").and_then(RawJson::as_str).unwrap_or_default(),
            data: get("data"),
            raw,
        }
    }
}

/// Why a text is no well-formed message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Not JSON: what the parser said and where it stopped.
    NotJson {
        /// The parser's words, lower case, without position.
        message: String,
        /// Byte offset from the first byte of the message that is no white space.
        at: usize,
        /// The text ended before the value did.
        truncated: bool,
    },
    /// JSON, but neither an object nor an array.
    NotAnObject,
    /// An object with neither a string `method`, nor `result`, nor `error`.
    NoKnownMember,
    /// Both `result` and `error`.
    ResultAndError,
    /// `method` together with `result` or `error`.
    MethodAndAnswer,
    /// `method` is not a string.
    MethodNotAString,
    /// A `result` without an `id` member.
    ResultWithoutId,
    /// `error` is not an object.
    ErrorNotAnObject,
    /// An array with no elements.
    EmptyBatch,
}

/// Which of its two members makes a message an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerMember {
    /// `result`
    Result,
    /// `error`
    Error,
}

/// A message that is none of the four shapes, with whatever could be recovered from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Malformed<'a> {
    /// What is wrong.
    pub reason: Reason,
    /// The id, if one could be read.
    pub id: Option<Id<'a>>,
    /// The method, if one could be read.
    pub method: Option<Cow<'a, str>>,
    /// The result, when it could be read.
    pub result: Option<RawJson<'a>>,
    /// The error, when it could be read. An error that is no object has neither code nor message, only its text.
    pub error: Option<ErrorObject<'a>>,
    /// In text that is no JSON: the last of `result` and `error` that stands at the top level, whether or not its
    /// value could be read. `None` for whole JSON, where `result` and `error` tell.
    pub answer_begun: Option<AnswerMember>,
}

impl Malformed<'_> {
    /// Nothing but what is wrong.
    pub fn new(reason: Reason) -> Self {
        Self { reason, id: None, method: None, result: None, error: None, answer_begun: None }
    }
}

/// Oddities of a message that do not keep it from being read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defects {
    /// A top-level member of JSON-RPC stands twice (the last one counts, as most readers take it).
    pub duplicate_member: bool,
    /// No `jsonrpc` member.
    pub version_missing: bool,
    /// `jsonrpc` is not the string `2.0`.
    pub version_wrong: bool,
    /// Members other than those of JSON-RPC stand at the top.
    pub extra_member: bool,
}

/// What a text may hold that a copy of it has to look at, noted in passing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// Strings with escapes.
    pub escapes: bool,
    /// Something nested more than 60 levels deep.
    pub deep: bool,
    /// Line ends between its tokens.
    pub line_end: bool,
    /// Escapes `\uXXXX` of surrogates, in pairs or alone.
    pub surrogate: bool,
}

impl Holds {
    /// Nobody has looked.
    pub const ANYTHING: Self = Self { escapes: true, deep: true, line_end: true, surrogate: true };
}

/// One message as read: its envelope or what is wrong with it, and an index of the members of its body
/// (`params`, `result` or `error`), so that nothing has to be scanned twice.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// The exact text of the message, without surrounding white space.
    pub text: &'a str,
    /// The message, or what could be recovered of it.
    pub envelope: Result<Envelope<'a>, Box<Malformed<'a>>>,
    /// What is odd about it.
    pub defects: Defects,
    /// What may be in it.
    pub holds: Holds,
    /// The members of `params` (requests, notifications), `result` or `error` (answers); empty when that
    /// is absent or no object.
    pub body: Members<'a>,
}

impl Parsed<'_> {
    /// Whether the text stops being JSON where a log has left something out: `...`, `…`, `[Object]`, `[Array]`.
    pub fn is_elided(&self) -> bool {
        let Err(malformed) = &self.envelope else { return false };
        let Reason::NotJson { at, .. } = &malformed.reason else { return false };
        let rest = self.text.get(*at..).unwrap_or_default();
        // Where the text ends within a string, its last words tell.
        let rest = if rest.is_empty() && self.text.ends_with("...") { "..." } else { rest };
        let rest = if rest.is_empty() && self.text.ends_with('\u{2026}') { "\u{2026}" } else { rest };
        rest.starts_with("...")
            || rest.starts_with('\u{2026}')
            || (self.text[..*at].ends_with('[') && (rest.starts_with("Object") || rest.starts_with("Array")))
    }
}

/// Where one member of the body stands in the text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberSpan {
    /// The name without its quotes, as written.
    pub name: (usize, usize),
    /// The value.
    pub value: (usize, usize),
}

/// The members of a body, in order, found while the message was read.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a> {
    pub(super) text: &'a str,
    pub(super) spans: &'a [MemberSpan],
    /// Names may have escapes: one in the message has.
    pub(super) escaped: bool,
    /// The body had more members than are indexed; the rest is found by scanning `body` again.
    pub(super) overflow: Option<RawJson<'a>>,
    /// Where long values end, where somebody has looked.
    pub(super) ends: Option<&'a Ends>,
}

impl<'a> Members<'a> {
    /// No members.
    pub const EMPTY: Members<'static> = Members { text: "", spans: &[], escaped: false, overflow: None, ends: None };

    /// The same members, of a text that was surveyed.
    pub fn surveyed<'s>(self, survey: &'s Survey) -> Members<'s>
    where
        'a: 's,
    {
        let overflow = self.overflow.map(|body| body.surveyed(survey));
        Members { overflow, ends: Some(survey.ends()), ..self }
    }

    /// The value of a member by its decoded name; the last one when the name stands twice.
    pub fn get(&self, name: &str) -> Option<RawJson<'a>> {
        if let Some(body) = self.overflow {
            return body.get(name);
        }
        let span = self.spans.iter().rev().find(|span| stands_for(self.name(span), name))?;
        Some(self.value(span))
    }

    /// The names, as written between their quotes, of the members that were noted, in order; `None` when there are more
    /// or a name may have escapes, so that only [`Self::get`] finds members by their names.
    #[inline]
    pub fn plain_names(&self) -> Option<impl Iterator<Item = &'a [u8]> + use<'a>> {
        let (text, spans) = (self.text.as_bytes(), self.spans);
        let plain = self.overflow.is_none() && !self.escaped;
        plain.then(|| spans.iter().map(move |span| &text[span.name.0..span.name.1]))
    }

    /// The value of a member by its place among those that were noted.
    #[inline]
    pub fn value_at(&self, place: usize) -> Option<RawJson<'a>> {
        self.spans.get(place).map(|span| self.value(span))
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Name (decoded) and value of each member, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Cow<'a, str>, RawJson<'a>)> + use<'a> {
        let members = *self;
        let noted = if self.overflow.is_some() { &[] } else { self.spans };
        let noted = noted.iter().map(move |span| (members.name(span), members.value(span)));
        let scanned = self.overflow.into_iter().flat_map(RawJson::written_members);
        noted.chain(scanned).map(|(name, value)| (decode(name), value))
    }

    fn name(&self, span: &MemberSpan) -> &'a str {
        &self.text[span.name.0..span.name.1]
    }

    fn value(&self, span: &MemberSpan) -> RawJson<'a> {
        let value = RawJson::valid(&self.text[span.value.0..span.value.1]);
        self.ends.map_or(value, |ends| value.with_ends(ends))
    }
}

impl Malformed<'_> {
    /// The text is no JSON at all.
    pub fn is_not_json(&self) -> bool {
        matches!(self.reason, Reason::NotJson { .. })
    }

    /// The text ended before its value did.
    pub fn is_truncated(&self) -> bool {
        matches!(self.reason, Reason::NotJson { truncated: true, .. })
    }
}

impl<'a> Parsed<'a> {
    /// A batch where only a message may stand: inside another batch.
    pub fn nested_batch(text: &'a str) -> Self {
        let malformed = Box::new(Malformed::new(Reason::NotAnObject));
        let defects = Defects::default();
        Self { text, envelope: Err(malformed), defects, holds: Holds::ANYTHING, body: Members::EMPTY }
    }
}
