//! Text to envelope in one pass, without allocation for ordinary messages. Knows no method by name.

use std::borrow::Cow;

use super::index::{Bodies, Index, Known};
use super::recover::{not_json, recover};
use super::scan::{self, Fault, Stack, peek, trimmed, whitespace};
use super::{Defects, Envelope, ErrorObject, Holds, Id, JsonKind, Malformed, Members, Parsed, RawJson, Reason};

/// What a text turned out to be.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "messages are the rule, and a box would cost each an allocation")]
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
    stack: Stack,
}

impl Parser {
    /// A new parser with empty scratch space.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads one text that should hold exactly one JSON value. Never fails: what is wrong stands in the result.
    pub fn read<'a>(&'a mut self, text: &'a str) -> Reading<'a> {
        let text = trimmed(text);
        let bytes = text.as_bytes();
        let Self { bodies, stack } = self;
        if peek(bytes, 0) == b'{' {
            let mut index = Index::default();
            stack.seen = Holds::default();
            return Reading::Message(match index.fill(text, bodies, stack).and_then(|end| alone(text, end)) {
                Ok(()) => classify(text, &index, bodies, stack.seen),
                Err(fault) => unread(text, recover(text, fault, stack)),
            });
        }
        if let Err(fault) = scan::value(bytes, 0, stack).and_then(|end| alone(text, end)) {
            return Reading::Message(unread(text, Malformed::new(not_json(text, fault))));
        }
        let elements: Vec<&str> = RawJson(text).elements().map(RawJson::text).collect();
        if !elements.is_empty() {
            return Reading::Batch(elements);
        }
        let array = peek(bytes, 0) == b'[';
        let reason = if array { Reason::EmptyBatch } else { Reason::NotAnObject };
        Reading::Message(unread(text, Malformed::new(reason)))
    }

    /// Recovers what it can from a text that is cut off or elided: method, id, and whether it was an answer.
    /// The reason is [`Reason::NotJson`] even where the text happens to be whole JSON.
    pub fn recover<'a>(&mut self, text: &'a str) -> Malformed<'a> {
        let text = trimmed(text);
        let bytes = text.as_bytes();
        let fault = match scan::value(bytes, 0, &mut self.stack).and_then(|end| alone(text, end)) {
            Ok(()) => Fault(text.len()),
            Err(fault) => fault,
        };
        recover(text, fault, &mut self.stack)
    }
}

/// The value that ends at `at` is all there is.
#[inline]
fn alone(text: &str, at: usize) -> Result<(), Fault> {
    if at == text.len() { Ok(()) } else { Err(Fault(whitespace(text.as_bytes(), at))) }
}

/// A message of which there is no index.
fn unread<'a>(text: &'a str, malformed: Malformed<'a>) -> Parsed<'a> {
    Parsed { text, envelope: Err(malformed), defects: Defects::default(), holds: Holds::ANYTHING, body: Members::EMPTY }
}

/// Decides which shape an object has. Keys decide, never the contents of a payload.
fn classify<'a>(text: &'a str, index: &Index, bodies: &'a Bodies, holds: Holds) -> Parsed<'a> {
    let value = |member| index.value(member).map(|range| RawJson(&text[range]));
    let body = |member| match value(member) {
        None => Members::EMPTY,
        Some(body) => {
            let (spans, more) = index.body(member, bodies);
            Members { text, spans, overflow: more.then_some(body) }
        }
    };
    let error_object = |raw| {
        let members = body(Known::Error);
        ErrorObject::with_members(raw, |name| members.get(name))
    };

    let id = value(Known::Id).map(|raw| Id::from_raw(raw.text()));
    let named = value(Known::Method);
    let method = named.and_then(RawJson::as_str);
    let (params, result, error) = (value(Known::Params), value(Known::Result), value(Known::Error));
    let malformed = |reason, id, method: Option<Cow<'a, str>>| Malformed {
        reason,
        id,
        method,
        result,
        error: error.map(error_object),
        answer_begun: None,
    };

    let envelope = match (named, result, error) {
        (Some(_), Some(_), _) | (Some(_), _, Some(_)) => Err(malformed(Reason::MethodAndAnswer, id, method)),
        (Some(_), None, None) => match (method, id) {
            (Some(method), Some(id)) => Ok(Envelope::Request { id, method, params }),
            (Some(method), None) => Ok(Envelope::Notification { method, params }),
            (None, id) => Err(malformed(Reason::MethodNotAString, id, None)),
        },
        (None, Some(_), Some(_)) => Err(malformed(Reason::ResultAndError, id, None)),
        (None, Some(result), None) => match id {
            Some(id) => Ok(Envelope::Response { id, result }),
            None => Err(malformed(Reason::ResultWithoutId, None, None)),
        },
        (None, None, Some(error)) if error.kind() == JsonKind::Object => {
            Ok(Envelope::ErrorResponse { id, error: error_object(error) })
        }
        (None, None, Some(_)) => Err(malformed(Reason::ErrorNotAnObject, id, None)),
        (None, None, None) => Err(malformed(Reason::NoKnownMember, id, None)),
    };
    let version = value(Known::Version);
    let defects = Defects {
        duplicate_member: index.duplicate,
        version_missing: version.is_none(),
        version_wrong: version.is_some_and(|version| !is_two(version)),
        extra_member: index.extra,
    };
    let body = body(match (named, result) {
        (Some(_), _) => Known::Params,
        (None, Some(_)) => Known::Result,
        (None, None) => Known::Error,
    });
    Parsed { text, envelope, defects, holds, body }
}

/// Whether a version is the string `2.0`, which hardly anybody writes with escapes.
#[inline]
fn is_two(version: RawJson<'_>) -> bool {
    version.text() == r#""2.0""# || version.as_str().as_deref() == Some("2.0")
}
