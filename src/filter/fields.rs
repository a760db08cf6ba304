//! FIELDS: what an expression can ask of a message. The names are those of the message record of the JSON output.

use std::fmt;

use cel::common::value::CowVal;

use super::value::{batch, boolean, error, float, integer, list, needs, null, scalar, some, text, time, whole};
use crate::annotate::{Annotated, Certainty, IdState, LatencyBasis};

/// The type of a field. Any field can also be null, where it does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `true` or `false`.
    Boolean,
    /// A number without a fraction.
    Integer,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A point in time; compared with texts in RFC 3339 as what it is.
    Time,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list.
    List(&'static Self),
    /// An object with these members.
    Object(&'static [(&'static str, Self)]),
    /// Whatever stands in the message.
    Any,
    /// Nothing but null: the type of the literal.
    Null,
}

impl Type {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Text => "text",
            Self::Time => "time",
            Self::Word(_) => "word",
            Self::List(Self::Text) => "list of texts",
            Self::List(Self::Object(_)) => "list of objects",
            Self::List(_) => "list",
            Self::Object(_) => "object",
            Self::Any => "any",
            Self::Null => "null",
        }
    }

    /// What there can be: the words of a closed list, the members of an object or of those in a list; nothing else has any.
    pub fn names(self) -> Vec<&'static str> {
        match self {
            Self::Word(words) => words.to_vec(),
            Self::Object(members) => members.iter().map(|(name, _)| *name).collect(),
            Self::List(of @ Self::Object(_)) => of.names(),
            _ => Vec::new(),
        }
    }
}

/// A row of [`FIELDS`].
pub struct Field {
    /// The name; of a member of a field, with a dot.
    pub name: &'static str,
    /// The type of its values.
    pub of: Type,
    /// What it is, in a few words.
    pub what: &'static str,
    pub(super) get: for<'a> fn(&'a Annotated<'_>) -> CowVal<'a, 'a>,
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Field {
    /// The row of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.name == name)
    }

    /// What it is, with the words or members that there can be.
    pub fn told(&self) -> String {
        let names: Vec<_> = self.of.names().iter().map(|name| format!("`{name}`")).collect();
        match (self.of, names.as_slice()) {
            (_, []) => self.what.to_owned(),
            (Type::Word(_), _) => format!("{}: {}", self.what, names.join(", ")),
            _ => format!("{}, with the members {}", self.what, names.join(", ")),
        }
    }
}

/// The field that holds the message itself; everything in it can be asked for.
pub(super) const PAYLOAD: &str = "payload";

const SIDES: &[&str] = &["client", "server"];
const DIRECTIONS: &[&str] = &["client-to-server", "server-to-client"];
const CERTAINTIES: &[&str] = &["recorded", "inferred", "guessed"];
const NEED: Type =
    Type::Object(&[("side", Type::Word(SIDES)), ("path", Type::List(&Type::Text)), ("declared", Type::Boolean)]);

const fn field(
    name: &'static str,
    of: Type,
    what: &'static str,
    get: for<'a> fn(&'a Annotated<'_>) -> CowVal<'a, 'a>,
) -> Field {
    Field { name, of, what, get }
}

/// Every field, in the order of the record.
pub static FIELDS: &[Field] = &[
    field("record", Type::Word(&["message"]), "which record it is", |_| text("message")),
    field("input", Type::Integer, "index of the input in the run, from 0", |m| integer(m.input.into())),
    field("file", Type::Text, "the input as named", |m| text(m.file)),
    field("n", Type::Integer, "number of the message in its input, from 1", |m| integer(m.n)),
    field("line", Type::Integer, "its first line", |m| integer(m.position.line)),
    field("end_line", Type::Integer, "its last line", |m| integer(m.position.end_line)),
    field("offset", Type::Integer, "its first byte", |m| integer(m.position.offset)),
    field("length", Type::Integer, "its length in bytes", |m| integer(m.position.length)),
    field("entry", Type::Integer, "number of its entry, in documents of entries", |m| some(m.position.entry, integer)),
    field("pointer", Type::Text, "RFC 6901 pointer inside of a document or batch", |m| {
        some(Some(m.pointer).filter(|pointer| !pointer.is_empty()), text)
    }),
    field("session", Type::Integer, "number of the session in its input, from 1", |m| integer(m.session)),
    field("server", Type::Text, "name of the server, as far as it is known by then", |m| some(m.server, text)),
    field("time", Type::Time, "when", |m| time(m.time)),
    field("time_basis", Type::Word(&["recorded", "zone-assumed", "elapsed"]), "what the time rests on", |m| {
        some(m.time.map(|stamp| stamp.basis.as_str()), text)
    }),
    field("direction", Type::Word(DIRECTIONS), "which way it went", |m| {
        some(m.direction.map(|way| way.as_str()), text)
    }),
    field("kind", Type::Word(&["request", "notification", "response", "invalid"]), "its form", |m| {
        text(m.kind.as_str())
    }),
    field("outcome", Type::Word(&["result", "error"]), "responses: what it brought", |m| {
        some(m.outcome.map(|outcome| outcome.as_str()), text)
    }),
    field("id", Type::Any, "its id, a text or a number", scalar),
    field("id_raw", Type::Text, "its id as written: `7`, or `\"7\"` with the quotes", |m| some(id_raw(m), text)),
    field("id_state", Type::Word(&["present", "null", "absent", "unrecorded"]), "whether it has an id", |m| {
        text(match m.id_state {
            IdState::Present => "present",
            IdState::Null => "null",
            IdState::Absent => "absent",
            IdState::Unrecorded => "unrecorded",
        })
    }),
    field("method", Type::Text, "its method; of a response, that of its request", |m| some(m.method, text)),
    field(
        "target",
        Type::Text,
        "tool, prompt, URI or task that it is about; of a response, that of its request",
        |m| some(m.target, text),
    ),
    field(
        "primitive",
        Type::Word(&["tools", "resources", "prompts", "roots", "sampling", "elicitation"]),
        "the primitive that it belongs to",
        |m| some(m.feature.primitive().map(|primitive| primitive.as_str()), text),
    ),
    field("feature", Type::Text, "the primitive, or another feature such as `lifecycle`", |m| text(m.feature.as_str())),
    field("phase", Type::Word(&["initialization", "operation", "shutdown"]), "phase of the session", |m| {
        some(m.phase.map(|phase| phase.as_str()), text)
    }),
    field("revision", Type::Text, "protocol revision in force", |m| some(m.revision, text)),
    field("requires", Type::List(&NEED), "the capabilities that it needs", needs),
    field("answers", Type::Integer, "responses: number of the request", |m| some(m.answers, integer)),
    field("answered_by", Type::Integer, "requests: number of an answer that stands earlier", |m| {
        some(m.answered_by, integer)
    }),
    field("relates_to", Type::Integer, "number of the request that it is about", |m| some(m.relates_to, integer)),
    field("caused_by", Type::Integer, "number of the other side's request during which it came", |m| {
        some(m.caused_by, integer)
    }),
    field("continues", Type::Integer, "number of the request that it continues", |m| some(m.continues, integer)),
    field("status", Type::Text, "responses: `ok`, `tool-error`, `error`, `input-required`", |m| {
        some(m.status.map(|status| status.as_str()), text)
    }),
    field("late", Type::Boolean, "the answer came after its request was cancelled", |m| boolean(m.late)),
    field("cancelled", Type::Boolean, "the request of the answer was cancelled", |m| boolean(m.cancelled)),
    field(
        "error",
        Type::Object(&[("code", Type::Integer), ("message", Type::Text)]),
        "error responses: the error",
        error,
    ),
    field("error.code", Type::Integer, "the code of the error", |m| {
        m.error.as_ref().and_then(|error| error.code).map_or_else(null, |code| CowVal::owned(code_of(code)))
    }),
    field("error.message", Type::Text, "the message of the error", |m| {
        some(m.error.as_ref().map(|error| &*error.message), text)
    }),
    field("latency_ms", Type::Number, "responses: milliseconds since the request", |m| {
        some(m.latency.map(|(latency, _)| latency.as_micros() as f64 / 1000.0), float)
    }),
    field("latency_basis", Type::Word(&["times", "recorded"]), "what the latency rests on", |m| {
        some(
            m.latency.map(|(_, basis)| match basis {
                LatencyBasis::Times => "times",
                LatencyBasis::Recorded => "recorded",
            }),
            text,
        )
    }),
    field("batch", Type::Object(&[("index", Type::Integer), ("size", Type::Integer)]), "place in a batch", batch),
    field("batch.index", Type::Integer, "the place, from 0", |m| some(m.batch.map(|place| place.index), integer)),
    field("batch.size", Type::Integer, "messages of the batch", |m| some(m.batch.map(|place| place.size), integer)),
    field("flags", Type::List(&Type::Text), "what is odd about it", |m| list(m.flags.iter().map(|flag| flag.as_str()))),
    field("basis.direction", Type::Word(CERTAINTIES), "what the direction rests on", |m| certainty(m.basis.direction)),
    field("basis.session", Type::Word(CERTAINTIES), "what the session rests on", |m| certainty(m.basis.session)),
    field("basis.method", Type::Word(CERTAINTIES), "what the method rests on", |m| certainty(m.basis.method)),
    field("basis.answers", Type::Word(CERTAINTIES), "what the pairing rests on", |m| certainty(m.basis.answers)),
    field("basis.phase", Type::Word(CERTAINTIES), "what the phase rests on", |m| certainty(m.basis.phase)),
    field(PAYLOAD, Type::Any, "the message itself: `payload.params.name`, `payload.result.isError`", whole),
];

fn certainty<'a>(certainty: Option<Certainty>) -> CowVal<'a, 'a> {
    some(certainty.map(Certainty::as_str), text)
}

fn code_of(code: i64) -> cel::common::types::CelInt {
    code.into()
}

/// The token of the id, where there is one.
pub(super) fn id_raw<'a>(message: &'a Annotated<'_>) -> Option<&'a str> {
    match message.id_state {
        IdState::Present | IdState::Null => message.id.as_ref().map(|id| id.raw()),
        IdState::Absent | IdState::Unrecorded => None,
    }
}
