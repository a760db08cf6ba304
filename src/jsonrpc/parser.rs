//! Text to envelope in one pass, without allocation for ordinary messages. Knows no method by name.

use super::index::{Bodies, Index, Known};
use super::recover::recover;
use super::scan::{Fault, Scanner, peek, trimmed, whitespace};
use super::{
    Defects, Envelope, ErrorObject, Holds, Id, JsonKind, Malformed, MemberSpan, Members, Parsed, RawJson, Reason,
};

/// What a text turned out to be.
#[derive(Debug)]
pub enum Reading<'a> {
    /// One message, well-formed or not.
    Message(Parsed<'a>),
    /// A JSON array: its elements as text, each to be read on its own. Never empty (an empty or unreadable
    /// array is one malformed message). Costs two words for each element.
    Batch(Vec<&'a str>),
}

/// Reads messages; keeps its scratch space from one to the next.
#[derive(Debug, Default)]
pub struct Parser {
    bodies: Bodies,
}

impl Parser {
    /// A new parser with empty scratch space.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads one text that should hold exactly one JSON value. Never fails: what is wrong stands in the result.
    pub fn read<'a>(&'a mut self, text: &'a str) -> Reading<'a> {
        let text = trimmed(text);
        let mut scanner = Scanner::new(text);
        if peek(text.as_bytes(), 0) == b'{' {
            let mut index = Index::default();
            return match index.fill(text, &mut self.bodies, &mut scanner).and_then(|end| alone(text, end)) {
                Ok(()) => {
                    let members = |member| index.body(member, &self.bodies);
                    Reading::Message(classify(text, &index, members, Seen::by(&scanner)))
                }
                Err(fault) => unread(text, recover(text, fault)),
            };
        }
        if let Err(fault) = scanner.value_at(0).and_then(|end| alone(text, end)) {
            return unread(text, recover(text, fault));
        }
        let elements: Vec<&str> = RawJson::valid(text).elements().map(RawJson::text).collect();
        if !elements.is_empty() {
            return Reading::Batch(elements);
        }
        let array = peek(text.as_bytes(), 0) == b'[';
        unread(text, Malformed::new(if array { Reason::EmptyBatch } else { Reason::NotAnObject }))
    }

    /// Recovers what it can from a text that is cut off or elided: method, id, and whether it was an answer.
    /// The reason is [`Reason::NotJson`] even where the text happens to be whole JSON.
    pub fn recover<'a>(&mut self, text: &'a str) -> Malformed<'a> {
        let text = trimmed(text);
        let fault = match Scanner::new(text).value_at(0).and_then(|end| alone(text, end)) {
            Ok(()) => Fault(text.len()),
            Err(fault) => fault,
        };
        recover(text, fault)
    }
}

/// The value that ends at `at` is all there is.
#[inline]
pub(super) fn alone(text: &str, at: usize) -> Result<(), Fault> {
    if at == text.len() { Ok(()) } else { Err(Fault(whitespace(text.as_bytes(), at))) }
}

/// A message of which there is no index.
#[cold]
fn unread<'a>(text: &'a str, malformed: Malformed<'a>) -> Reading<'a> {
    let envelope = Err(Box::new(malformed));
    let defects = Defects::default();
    Reading::Message(Parsed { text, envelope, defects, holds: Holds::ANYTHING, body: Members::EMPTY })
}

/// What was seen in a text beside its members.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    escaped_names: bool,
    holds: Holds,
}

impl Seen {
    #[inline(always)]
    pub(super) fn by(scanner: &Scanner<'_>) -> Self {
        Self { escaped_names: scanner.escaped_names, holds: Holds { escapes: scanner.escapes, ..scanner.seen } }
    }
}

/// Decides which shape an object has. Keys decide, never the contents of a payload. `spans` gives those of the members of a body,
/// and whether it has more.
#[inline(always)]
pub(super) fn classify<'a>(
    text: &'a str,
    index: &Index,
    spans: impl Fn(Known) -> (&'a [MemberSpan], bool),
    seen: Seen,
) -> Parsed<'a> {
    let value = |member| index.value(member, text).map(RawJson::valid);
    let members = |member| {
        let (spans, more) = spans(member);
        let overflow = if more { value(member) } else { None };
        Members { text, spans, escaped: seen.escaped_names, overflow, ends: None }
    };
    let error_object = |raw| {
        let members = members(Known::Error);
        ErrorObject::with_members(raw, |name| members.get(name))
    };
    let id = || value(Known::Id).map(|raw| Id::from_raw(raw.text()));
    let method =
        || value(Known::Method).and_then(if index.escaped_method { RawJson::as_str } else { RawJson::as_plain });
    let bad = |reason| {
        Err(Box::new(Malformed {
            reason,
            id: id(),
            method: method(),
            result: value(Known::Result),
            error: value(Known::Error).map(error_object),
            answer_begun: None,
        }))
    };

    let (body, envelope) = match (index.has(Known::Method), index.has(Known::Result), index.has(Known::Error)) {
        (true, false, false) => {
            let params = value(Known::Params);
            let envelope = match (method(), id()) {
                (Some(method), Some(id)) => Ok(Envelope::Request { id, method, params }),
                (Some(method), None) => Ok(Envelope::Notification { method, params }),
                (None, _) => bad(Reason::MethodNotAString),
            };
            (Known::Params, envelope)
        }
        (true, ..) => (Known::Params, bad(Reason::MethodAndAnswer)),
        (false, true, true) => (Known::Result, bad(Reason::ResultAndError)),
        (false, true, false) => match (id(), value(Known::Result)) {
            (Some(id), Some(result)) => (Known::Result, Ok(Envelope::Response { id, result })),
            _ => (Known::Result, bad(Reason::ResultWithoutId)),
        },
        (false, false, true) => match value(Known::Error) {
            Some(error) if error.kind() == JsonKind::Object => {
                (Known::Error, Ok(Envelope::ErrorResponse { id: id(), error: error_object(error) }))
            }
            _ => (Known::Error, bad(Reason::ErrorNotAnObject)),
        },
        (false, false, false) => (Known::Error, bad(Reason::NoKnownMember)),
    };
    let version = value(Known::Version);
    let defects = Defects {
        duplicate_member: index.duplicate,
        version_missing: version.is_none(),
        version_wrong: version.is_some_and(|version| !is_two(version)),
        extra_member: index.extra,
    };
    Parsed { text, envelope, defects, holds: seen.holds, body: members(body) }
}

/// Whether a version is the string `2.0`, which hardly anybody writes with escapes.
#[inline]
fn is_two(version: RawJson<'_>) -> bool {
    version.text() == r#""2.0""# || version.as_str().as_deref() == Some("2.0")
}
