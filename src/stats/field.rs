//! FIELDS: what messages can be grouped by, under the names of the output contract.

use compact_str::CompactString;

use super::cube::Key;

/// What a message can be grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Field {
    File,
    Session,
    Server,
    Direction,
    Kind,
    Outcome,
    Method,
    Target,
    Primitive,
    Feature,
    Phase,
    Revision,
    Status,
    Late,
    Cancelled,
}

impl Field {
    /// Every field and its name, in the order of a record.
    pub const NAMED: [(Self, &'static str); 15] = [
        (Self::File, "file"),
        (Self::Session, "session"),
        (Self::Server, "server"),
        (Self::Direction, "direction"),
        (Self::Kind, "kind"),
        (Self::Outcome, "outcome"),
        (Self::Method, "method"),
        (Self::Target, "target"),
        (Self::Primitive, "primitive"),
        (Self::Feature, "feature"),
        (Self::Phase, "phase"),
        (Self::Revision, "revision"),
        (Self::Status, "status"),
        (Self::Late, "late"),
        (Self::Cancelled, "cancelled"),
    ];

    /// Its name in the contract.
    pub fn as_str(self) -> &'static str {
        Self::NAMED[self as usize].1
    }

    /// The field of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(_, known)| *known == name).map(|(field, _)| *field)
    }
}

/// The value of a field, as the contract has it. In order: null first, then false, true, numbers, texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Value {
    Null,
    Bool(bool),
    Number(u64),
    Text(CompactString),
}

impl Value {
    fn word(word: Option<&str>) -> Self {
        word.map_or(Self::Null, |word| Self::Text(CompactString::new(word)))
    }
}

/// What all messages of a session have in common.
pub(super) struct Shared<'a> {
    pub(super) file: &'a str,
    pub(super) session: u64,
    pub(super) server: Option<&'a str>,
}

/// The value of a field for the messages of a key.
pub(super) fn value(field: Field, shared: &Shared<'_>, key: &Key) -> Value {
    let traits = &key.traits;
    match field {
        Field::File => Value::word(Some(shared.file)),
        Field::Session => Value::Number(shared.session),
        Field::Server => Value::word(shared.server),
        Field::Direction => Value::word(traits.direction.map(|way| way.as_str())),
        Field::Kind => Value::word(Some(traits.kind.as_str())),
        Field::Outcome => Value::word(traits.outcome.map(|outcome| outcome.as_str())),
        Field::Method => Value::word(key.method.as_deref()),
        Field::Target => Value::word(key.target.as_deref()),
        Field::Primitive => Value::word(traits.feature.primitive().map(|primitive| primitive.as_str())),
        Field::Feature => Value::word(Some(traits.feature.as_str())),
        Field::Phase => Value::word(traits.phase.map(|phase| phase.as_str())),
        Field::Revision => Value::word(key.revision.as_deref()),
        Field::Status => Value::word(traits.status.map(|status| status.as_str())),
        Field::Late => Value::Bool(traits.late),
        Field::Cancelled => Value::Bool(traits.cancelled),
    }
}

#[cfg(test)]
mod tests {
    use super::Field;

    #[test]
    fn names_stand_in_the_order_of_the_fields() {
        for (field, name) in Field::NAMED {
            assert_eq!((field.as_str(), Field::named(name)), (name, Some(field)));
        }
        assert_eq!(Field::named("latency_ms"), None);
    }
}
