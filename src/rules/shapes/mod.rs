//! The shapes of params and results in every revision, as data, and the walk that compares a message with them.
//!
//! Content blocks, and what has a rule of its own (levels, tokens, `resultType`, caching members, input schemas), are not
//! looked into here. Numbers are numbers: where the JSON Schema of a revision says integer and its source says number,
//! the source counts.

mod methods;
mod objects;

use std::fmt::Write as _;

use super::revisions::Revisions;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::Revision;

pub(super) use methods::{Shapes, TASK_HANDLE, shapes_of};

/// What a value has to be.
#[derive(Clone, Copy)]
pub(super) enum Type {
    /// Anything.
    Any,
    Text,
    Number,
    /// A number or null.
    NumberOrNull,
    Flag,
    /// An object of which nothing more is said here.
    Object,
    /// A string or a number.
    Id,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    List(&'static Self),
    /// A list of objects.
    ListOf(&'static Shape),
    /// An object whose members are all of one type.
    Map(&'static Self),
    Of(&'static Shape),
    /// One object, or a list of them.
    OneOrMore,
    /// A string, number, boolean or list of strings.
    Answer,
}

/// A member of an object.
#[derive(Clone, Copy)]
pub(super) struct Member {
    name: &'static str,
    kind: Type,
    /// Revisions that define it; in others it means nothing.
    has: Revisions,
    required: bool,
}

/// A member that has to be there in every revision that has it.
pub(super) const fn must(name: &'static str, kind: Type) -> Member {
    Member { name, kind, has: super::revisions::ALL, required: true }
}

/// A member that may be there.
pub(super) const fn may(name: &'static str, kind: Type) -> Member {
    Member { name, kind, has: super::revisions::ALL, required: false }
}

impl Member {
    /// Only some revisions have it.
    pub(super) const fn within(self, has: Revisions) -> Self {
        Self { has, ..self }
    }
}

/// An object. Members that are not named are free.
pub(super) struct Shape {
    pub(super) members: &'static [Member],
}

/// How a value differs from its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is missing or of another type.
    Broken,
    /// The member belongs to other revisions.
    OtherRevision,
}

/// Takes what was found: kind, what is wrong, and where.
pub(super) type Report<'r, 'a> = &'r mut dyn FnMut(Fault, String, RawJson<'a>);

/// One step from the body to a value.
#[derive(Clone, Copy)]
enum Step<'p> {
    Name(&'p str),
    Place(usize),
}

/// The way from the body to a value; lives on the stack of the walk.
#[derive(Clone, Copy)]
pub(super) struct Path<'p> {
    above: Option<&'p Self>,
    step: Step<'p>,
}

impl<'p> Path<'p> {
    /// The body itself: `params` or `result`.
    pub(super) fn root(name: &'p str) -> Self {
        Self { above: None, step: Step::Name(name) }
    }

    fn member(&'p self, name: &'p str) -> Self {
        Self { above: Some(self), step: Step::Name(name) }
    }

    fn place(&'p self, place: usize) -> Self {
        Self { above: Some(self), step: Step::Place(place) }
    }

    /// `params.messages[2].role`
    fn words(&self) -> String {
        let mut words = self.above.map(Self::words).unwrap_or_default();
        match self.step {
            Step::Name(name) if words.is_empty() => words.push_str(name),
            Step::Name(name) => {
                let _ = write!(words, ".{name}");
            }
            Step::Place(place) => {
                let _ = write!(words, "[{place}]");
            }
        }
        words
    }
}

/// Compares the members of an object with a shape.
pub(super) fn compare<'a, N: AsRef<str>>(
    shape: &Shape,
    whole: RawJson<'a>,
    members: impl Iterator<Item = (N, RawJson<'a>)>,
    revision: Revision,
    path: &Path<'_>,
    report: Report<'_, 'a>,
) {
    let mut seen = 0_u64;
    for (name, value) in members {
        let name = name.as_ref();
        let mut other_revision = false;
        let mut found = false;
        for (place, member) in shape.members.iter().enumerate().filter(|(_, member)| member.name == name) {
            if member.has.covers(revision) {
                seen |= 1 << place;
                found = true;
                check(member.kind, value, revision, &path.member(name), report);
            } else {
                other_revision = true;
            }
        }
        if other_revision && !found {
            let what = format!("`{}` is not defined in {}", path.member(name).words(), revision.as_str());
            report(Fault::OtherRevision, what, value);
        }
    }
    for (place, member) in shape.members.iter().enumerate() {
        if member.required && member.has.covers(revision) && seen & 1 << place == 0 {
            let what = format!("`{}` is missing", path.member(member.name).words());
            report(Fault::Broken, what, whole);
        }
    }
}

fn check<'a>(kind: Type, value: RawJson<'a>, revision: Revision, path: &Path<'_>, report: Report<'_, 'a>) {
    let is = value.kind();
    let fits = match kind {
        Type::Any => true,
        Type::Text | Type::OneOf(_) => is == JsonKind::String,
        Type::Number => is == JsonKind::Number,
        Type::NumberOrNull => matches!(is, JsonKind::Number | JsonKind::Null),
        Type::Flag => is == JsonKind::Boolean,
        Type::Object | Type::Map(_) | Type::Of(_) => is == JsonKind::Object,
        Type::Id => matches!(is, JsonKind::String | JsonKind::Number),
        Type::List(_) | Type::ListOf(_) => is == JsonKind::Array,
        Type::OneOrMore => matches!(is, JsonKind::Object | JsonKind::Array),
        Type::Answer => !matches!(is, JsonKind::Object | JsonKind::Null),
    };
    if !fits {
        let (is, should) = (super::framing::words(is), kind.words());
        report(Fault::Broken, format!("`{}` is {is}, it has to be {should}", path.words()), value);
        return;
    }
    match kind {
        Type::OneOf(words) => {
            let word = value.as_str().unwrap_or_default();
            if !words.contains(&&*word) {
                let is = super::quoted(&word);
                let should = words.join("`, `");
                report(Fault::Broken, format!("`{}` is {is}, it has to be one of `{should}`", path.words()), value);
            }
        }
        Type::List(element) if !matches!(element, Type::Any) => {
            for (place, element_value) in value.elements().enumerate() {
                check(*element, element_value, revision, &path.place(place), report);
            }
        }
        Type::ListOf(shape) => {
            for (place, element) in value.elements().enumerate() {
                check(Type::Of(shape), element, revision, &path.place(place), report);
            }
        }
        Type::Map(element) if !matches!(element, Type::Any) => {
            for (name, member) in value.members() {
                check(*element, member, revision, &path.member(&name), report);
            }
        }
        Type::Of(shape) => compare(shape, value, value.members(), revision, path, report),
        _ => {}
    }
}

impl Type {
    fn words(self) -> &'static str {
        match self {
            Self::Any => "anything",
            Self::Text | Self::OneOf(_) => "a string",
            Self::Number => "a number",
            Self::NumberOrNull => "a number or null",
            Self::Flag => "a boolean",
            Self::Object | Self::Map(_) | Self::Of(_) => "an object",
            Self::Id => "a string or a number",
            Self::List(_) | Self::ListOf(_) => "an array",
            Self::OneOrMore => "an object or an array",
            Self::Answer => "a string, a number, a boolean or an array",
        }
    }
}
