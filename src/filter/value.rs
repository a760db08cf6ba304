//! Fields of a message as values of the expression language. Texts are borrowed; only what is named is made at all.

use cel::common::types::{CelBool, CelDouble, CelInt, CelList, CelMap, CelMapKey, CelNull, CelString};
use cel::common::value::{CowVal, Val};

use super::fields::id_raw;
use crate::annotate::Annotated;
use crate::jsonrpc::{Envelope, JsonKind, RawJson};
use crate::transcript::Stamp;

/// A part of a message that is longer than this is not made a value.
const MAX_VALUE: usize = 1 << 20;
/// Nor is one that is nested deeper.
const MAX_DEPTH: usize = 64;

static NULL: CelNull = CelNull;

type Boxed<'v> = Box<dyn Val + 'v>;

pub(super) fn null<'a>() -> CowVal<'a, 'a> {
    CowVal::Borrowed(&NULL)
}

pub(super) fn some<'a, T>(value: Option<T>, make: fn(T) -> CowVal<'a, 'a>) -> CowVal<'a, 'a> {
    value.map_or_else(null, make)
}

pub(super) fn text<'a>(value: &'a str) -> CowVal<'a, 'a> {
    CowVal::owned(CelString::from(value))
}

pub(super) fn integer<'a>(value: u64) -> CowVal<'a, 'a> {
    CowVal::owned(CelInt::from(i64::try_from(value).unwrap_or(i64::MAX)))
}

pub(super) fn float<'a>(value: f64) -> CowVal<'a, 'a> {
    CowVal::owned(CelDouble::from(value))
}

pub(super) fn boolean<'a>(value: bool) -> CowVal<'a, 'a> {
    CowVal::owned(CelBool::from(value))
}

pub(super) fn list<'a>(words: impl Iterator<Item = &'a str>) -> CowVal<'a, 'a> {
    CowVal::owned(texts(words))
}

fn texts<'a>(words: impl Iterator<Item = &'a str>) -> CelList<'a> {
    CelList::from(words.map(|word| Box::new(CelString::from(word)) as Boxed<'a>).collect::<Vec<_>>())
}

fn object<'a>(members: impl IntoIterator<Item = (&'a str, Boxed<'a>)>) -> CelMap<'a> {
    CelMap::from(
        members
            .into_iter()
            .map(|(name, value)| (CelMapKey::from(name), value))
            .collect::<std::collections::HashMap<_, _>>(),
    )
}

pub(super) fn needs<'a>(message: &'a Annotated<'_>) -> CowVal<'a, 'a> {
    let need = |need: &'a crate::annotate::Needs| {
        let declared: Boxed<'a> = match need.declared {
            Some(declared) => Box::new(CelBool::from(declared)),
            None => Box::new(CelNull),
        };
        Box::new(object([
            ("side", Box::new(CelString::from(need.side.as_str())) as Boxed<'a>),
            ("path", Box::new(texts(need.path.iter().copied()))),
            ("declared", declared),
        ])) as Boxed<'a>
    };
    CowVal::owned(CelList::from(message.requires.iter().map(need).collect::<Vec<_>>()))
}

pub(super) fn error<'a>(message: &'a Annotated<'_>) -> CowVal<'a, 'a> {
    let Some(error) = &message.error else { return null() };
    let code: Boxed<'a> = match error.code {
        Some(code) => Box::new(CelInt::from(code)),
        None => Box::new(CelNull),
    };
    CowVal::owned(object([("code", code), ("message", Box::new(CelString::from(&*error.message)))]))
}

pub(super) fn batch<'a>(message: &'a Annotated<'_>) -> CowVal<'a, 'a> {
    let Some(place) = message.batch else { return null() };
    let number = |value: u64| Box::new(CelInt::from(i64::try_from(value).unwrap_or(i64::MAX))) as Boxed<'a>;
    CowVal::owned(object([("index", number(place.index)), ("size", number(place.size))]))
}

/// A time in RFC 3339, with the digits that were recorded.
pub(super) fn time<'a>(stamp: Option<Stamp>) -> CowVal<'a, 'a> {
    let written = |stamp: Stamp| format!("{:.*}", usize::from(stamp.digits.min(9)), stamp.at);
    stamp.map_or_else(null, |stamp| CowVal::owned(CelString::from(written(stamp))))
}

/// A time in nanoseconds since the epoch, to be compared. What is farther than that reaches stands at its end.
pub(super) fn instant<'a>(stamp: Option<Stamp>) -> CowVal<'a, 'a> {
    stamp.map_or_else(null, |stamp| CowVal::owned(CelInt::from(nanoseconds(stamp.at))))
}

pub(super) fn nanoseconds(at: jiff::Timestamp) -> i64 {
    let nanoseconds = at.as_nanosecond();
    i64::try_from(nanoseconds).unwrap_or(if nanoseconds < 0 { i64::MIN } else { i64::MAX })
}

/// The id, when it is a scalar.
pub(super) fn scalar<'a>(message: &'a Annotated<'_>) -> CowVal<'a, 'a> {
    let id = id_raw(message).and_then(RawJson::new);
    id.and_then(|id| made(id, 0)).map_or_else(null, CowVal::Owned)
}

/// The message itself; null when it is no JSON, or too long or too deep to be made a value.
pub(super) fn whole<'a>(message: &'a Annotated<'_>) -> CowVal<'a, 'a> {
    within(message, &[]).unwrap_or_else(null)
}

/// What stands at a path in the message; null when nothing does. `None`: it is too long or too deep to be made a value.
pub(super) fn within<'a>(message: &'a Annotated<'_>, path: &[String]) -> Option<CowVal<'a, 'a>> {
    let Some(found) = found(message, path) else { return Some(null()) };
    if found.text().len() > MAX_VALUE && matches!(found.kind(), JsonKind::Object | JsonKind::Array) {
        return None;
    }
    made(found, 0).map(CowVal::Owned)
}

fn found<'a>(message: &'a Annotated<'_>, path: &[String]) -> Option<RawJson<'a>> {
    let parsed = message.parsed?;
    let (start, rest) = match (path.split_first(), &parsed.envelope) {
        // Most paths begin with what is known already.
        (Some((name, rest)), Ok(envelope)) => match (name.as_str(), envelope) {
            ("params", Envelope::Request { params, .. } | Envelope::Notification { params, .. }) => ((*params)?, rest),
            ("result", Envelope::Response { result, .. }) => (*result, rest),
            ("params" | "result", _) => return None,
            _ => (RawJson::new(parsed.text)?, path),
        },
        _ => (RawJson::new(parsed.text)?, path),
    };
    rest.iter().try_fold(start, |value, name| value.get(name))
}

/// The value of a JSON text; `None` when it is nested too deeply.
fn made(json: RawJson<'_>, depth: usize) -> Option<Boxed<'_>> {
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match json.kind() {
        JsonKind::Null => Box::new(CelNull),
        JsonKind::Boolean => Box::new(CelBool::from(json.as_bool()?)),
        JsonKind::Number => match json.as_i64() {
            Some(number) => Box::new(CelInt::from(number)),
            None => Box::new(CelDouble::from(json.as_f64()?)),
        },
        JsonKind::String => Box::new(CelString::from(json.as_str()?)),
        JsonKind::Array => Box::new(CelList::from(
            json.elements().map(|element| made(element, depth + 1)).collect::<Option<Vec<_>>>()?,
        )),
        JsonKind::Object => {
            let member = |(name, value): (std::borrow::Cow<'_, str>, _)| {
                Some((CelMapKey::from(name.into_owned()), made(value, depth + 1)?))
            };
            Box::new(CelMap::from(json.members().map(member).collect::<Option<std::collections::HashMap<_, _>>>()?))
        }
    })
}
