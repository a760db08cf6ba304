//! JSON Schemas that a session shows, each compiled once and only when something is judged by it. No reference leads out
//! of the schema itself: nothing is fetched.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use hashbrown::HashMap;
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use crate::jsonrpc::RawJson;

/// A schema.
#[derive(Debug)]
pub struct Schema {
    text: Box<str>,
    compiled: OnceCell<Compiled>,
    /// Values that were not judged for lack of room, counted with the other schemas of its table.
    lost: Rc<Cell<u64>>,
}

#[derive(Debug)]
enum Compiled {
    Valid {
        validator: Box<Validator>,
        loops: Option<u32>,
    },
    Invalid(String),
    /// Of another dialect, with references to elsewhere, or otherwise beyond what is judged here.
    Unknown,
}

/// What a value has that its schema does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Names and indices from the value down to the place.
    pub path: Vec<String>,
    /// What is wrong there.
    pub what: String,
}

/// Bytes of the longest schema that is judged, and of all that are kept.
const MAX_SCHEMA: usize = 256 << 10;
const MAX_BYTES: usize = 8 << 20;
/// Values longer than this are not judged by a schema.
const MAX_VALUE: usize = 1 << 20;
/// How often a schema that leads back to itself may be applied to one value.
const MAX_STEPS: u32 = 100_000;
/// Characters of an error that are shown.
const MAX_ERROR: usize = 160;

impl Schema {
    /// What the dialect says is wrong with the schema itself; `None` when it is valid or not judged.
    pub fn fault(&self) -> Option<&str> {
        match self.compiled() {
            Compiled::Invalid(error) => Some(error),
            Compiled::Valid { .. } | Compiled::Unknown => None,
        }
    }

    /// The first thing in a value that the schema does not allow; `None` when there is none, or when that is not judged.
    pub fn mismatch(&self, value: RawJson<'_>) -> Option<Mismatch> {
        let Compiled::Valid { validator, loops } = self.compiled() else { return None };
        if value.text().len() > MAX_VALUE {
            self.lost.set(self.lost.get() + 1);
            return None;
        }
        let value: Value = serde_json::from_str(value.text()).ok()?;
        // Each level of the value may meet each reference again.
        if loops.is_some_and(|references| references.checked_pow(depth(&value)).is_none_or(|steps| steps > MAX_STEPS)) {
            self.lost.set(self.lost.get() + 1);
            return None;
        }
        if validator.is_valid(&value) {
            return None;
        }
        let error = validator.iter_errors(&value).next()?;
        let path = error.instance_path().as_str().split('/').skip(1).map(unescaped).collect();
        Some(Mismatch { path, what: shortened(&error.to_string()) })
    }

    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| compile(&self.text))
    }
}

/// A part of a JSON Pointer as a name (RFC 6901, section 4).
fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

fn shortened(error: &str) -> String {
    match error.char_indices().nth(MAX_ERROR) {
        Some((end, _)) => format!("{}…", &error[..end]),
        None => error.to_owned(),
    }
}

fn compile(text: &str) -> Compiled {
    let Ok(schema) = serde_json::from_str::<Value>(text) else { return Compiled::Unknown };
    let draft = match schema.get("$schema").map(|dialect| dialect.as_str().unwrap_or_default()) {
        None => Draft::Draft202012,
        Some(dialect) => match Draft::default().detect(&serde_json::json!({ "$schema": dialect })) {
            Draft::Unknown => return Compiled::Unknown,
            draft => draft,
        },
    };
    if let Some(Err(error)) =
        (draft == Draft::Draft202012 || schema.is_object()).then(|| jsonschema::meta::validate(&schema))
    {
        return match error.instance_path().as_str() {
            "" => Compiled::Invalid(shortened(&error.to_string())),
            place => Compiled::Invalid(format!("{} at `{}`", shortened(&error.to_string()), shortened(place))),
        };
    }
    let options = jsonschema::options().with_draft(draft).with_pattern_options(PatternOptions::regex());
    match options.should_validate_formats(false).build(&schema) {
        Ok(validator) => Compiled::Valid { validator: Box::new(validator), loops: references(&schema) },
        Err(_) => Compiled::Unknown,
    }
}

/// How many references a schema has, if one of them leads back to itself.
fn references(schema: &Value) -> Option<u32> {
    let mut found = Vec::new();
    collect(schema, &mut found);
    let loops = found.iter().any(|start| {
        let (mut seen, mut next) = (vec![*start], vec![*start]);
        while let Some(reference) = next.pop() {
            let target = reference.strip_prefix('#').and_then(|pointer| schema.pointer(pointer));
            let mut inside = Vec::new();
            // What is no pointer into the schema may lead anywhere.
            let Some(target) = target else { return true };
            collect(target, &mut inside);
            for reference in inside {
                if reference == *start {
                    return true;
                }
                if !seen.contains(&reference) {
                    seen.push(reference);
                    next.push(reference);
                }
            }
        }
        false
    });
    loops.then_some(found.len() as u32)
}

fn collect<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    /// References of a schema that are followed; with more it counts as one that loops.
    const MAX_REFERENCES: usize = 256;
    let mut next = vec![value];
    while let Some(value) = next.pop() {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    match (name.as_str(), member) {
                        ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                            if found.len() < MAX_REFERENCES {
                                found.push(reference);
                            }
                        }
                        _ => next.push(member),
                    }
                }
            }
            Value::Array(elements) => next.extend(elements),
            _ => {}
        }
    }
}

fn depth(value: &Value) -> u32 {
    let (mut deepest, mut next) = (0, vec![(value, 1)]);
    while let Some((value, depth)) = next.pop() {
        deepest = deepest.max(depth);
        match value {
            Value::Object(members) => next.extend(members.values().map(|value| (value, depth + 1))),
            Value::Array(elements) => next.extend(elements.iter().map(|value| (value, depth + 1))),
            _ => {}
        }
    }
    deepest
}

/// Every schema of an input, by its text: servers send the same ones in every session.
#[derive(Debug, Default)]
pub struct Schemas {
    by_text: RefCell<HashMap<Box<str>, Rc<Schema>>>,
    bytes: Cell<usize>,
    /// What was not judged for lack of room.
    lost: Rc<Cell<u64>>,
}

impl Schemas {
    /// The schema of a text; `None` when there is no room for it.
    pub fn get(&self, schema: RawJson<'_>) -> Option<Rc<Schema>> {
        let text = schema.text();
        let mut by_text = self.by_text.borrow_mut();
        if let Some(known) = by_text.get(text) {
            return Some(Rc::clone(known));
        }
        if text.len() > MAX_SCHEMA {
            self.lost.set(self.lost.get() + 1);
            return None;
        }
        if self.bytes.get() + text.len() > MAX_BYTES {
            by_text.retain(|_, schema| Rc::strong_count(schema) > 1);
            self.bytes.set(by_text.keys().map(|text| text.len()).sum());
            if self.bytes.get() + text.len() > MAX_BYTES {
                self.lost.set(self.lost.get() + 1);
                return None;
            }
        }
        self.bytes.set(self.bytes.get() + text.len());
        let made = Rc::new(Schema { text: text.into(), compiled: OnceCell::new(), lost: Rc::clone(&self.lost) });
        by_text.insert(text.into(), Rc::clone(&made));
        Some(made)
    }

    /// How many were given up since the last time.
    pub(super) fn take_lost(&self) -> u64 {
        self.lost.take()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn schema(text: &str) -> Rc<Schema> {
        Schemas::default().get(RawJson::new(text).unwrap()).unwrap()
    }

    fn mismatch(schema_text: &str, value: &str) -> Option<Mismatch> {
        schema(schema_text).mismatch(RawJson::new(value).unwrap())
    }

    #[test]
    fn the_place_and_the_fault_are_named() {
        let found = mismatch(r#"{"properties":{"a/b":{"items":{"type":"number"}}}}"#, r#"{"a/b":[1,"x"]}"#).unwrap();
        assert_eq!(found.path, ["a/b", "1"]);
        assert!(found.what.contains("number"), "{found:?}");
        assert_eq!(mismatch(r#"{"properties":{"a":{"type":"number"}}}"#, r#"{"a":1}"#), None);
    }

    #[test]
    fn what_cannot_be_judged_is_not_judged() {
        for text in [
            r#"{"$schema":"https://example.com/own","type":"string"}"#,
            r#"{"$ref":"https://example.com/elsewhere.json"}"#,
            r#"{"pattern":"^(?=a)"}"#,
        ] {
            assert_eq!(schema(text).fault(), None, "{text}");
            assert_eq!(mismatch(text, "1"), None, "{text}");
        }
        assert!(schema(r#"{"type":"float"}"#).fault().is_some());
        assert!(schema(r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"float"}"#).fault().is_some());
        assert_eq!(
            mismatch(r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"string"}"#, "1")
                .map(|found| found.path),
            Some(Vec::new())
        );
    }

    #[test]
    fn schemas_that_loop_are_bounded_by_the_depth_of_the_value() {
        let text = r##"{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["z"]},{"properties":{"a":{"$ref":"#"}},"required":["y"]}]}"##;
        let nested = |levels: usize| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
        assert!(mismatch(text, &nested(3)).is_some());
        assert_eq!(mismatch(text, &nested(60)), None);
        assert_eq!(references(&serde_json::json!({"$defs":{"a":{}},"$ref":"#/$defs/a"})), None);
        for looping in [
            r##"{"$ref":"#"}"##,
            r##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}"##,
        ] {
            assert_eq!(mismatch(looping, "1"), None, "{looping}");
        }
    }
}
