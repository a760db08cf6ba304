//! The JSON outputs against their own schema, member by member.

use mcp_trace::render::{OpenOptions, schema};
use serde_json::{Value, json};

use super::everything::{empty_run, run};
use super::{Run, options, render};

fn validator(definition: Option<&str>) -> jsonschema::Validator {
    let mut schema = schema();
    if let Some(name) = definition {
        let object = schema.as_object_mut().unwrap();
        object.remove("anyOf");
        object.insert("$ref".to_owned(), json!(format!("#/$defs/{name}")));
    }
    jsonschema::options().offline().build(&schema).unwrap()
}

fn records() -> Vec<Value> {
    let mut text = render("ndjson", &options(), run);
    text.push_str(&render("ndjson", &OpenOptions { payload: false, ..options() }, empty_run));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn ndjson_is_one_valid_record_a_line_and_names_every_record() {
    let validator = validator(None);
    let mut seen = Vec::new();
    for record in records() {
        let errors: Vec<_> = validator.iter_errors(&record).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{record:#}");
        let word = record["record"].as_str().unwrap().to_owned();
        let definition = self::validator(Some(&word));
        assert!(definition.is_valid(&record), "{word}");
        if !seen.contains(&word) {
            seen.push(word);
        }
    }
    assert_eq!(seen, ["trace", "message", "event", "embedded", "view", "finding", "session", "input", "summary"]);
}

#[test]
fn the_word_comes_first() {
    for line in render("ndjson", &options(), run).lines() {
        assert!(line.starts_with("{\"record\":\""), "{line}");
    }
}

#[test]
fn json_is_one_valid_document_with_the_same_records() {
    let validator = validator(None);
    for run in [run as Run, empty_run] {
        let document: Value = serde_json::from_str(&render("json", &options(), run)).unwrap();
        assert!(validator.is_valid(&document));
        let lines = render("ndjson", &options(), run);
        let mut lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(Some(document["summary"].clone()), lines.pop());
        assert_eq!(document["records"], Value::Array(lines));
        assert_eq!(document["inputs"], document["records"][0]["inputs"]);
    }
}

/// Every way to break one member somewhere inside a value: dropped, renamed, of another type.
fn broken(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let mut dropped = members.clone();
                dropped.remove(name);
                all.push((format!("drop {name}"), Value::Object(dropped.clone())));
                dropped.insert(format!("{name}_"), member.clone());
                all.push((format!("rename {name}"), Value::Object(dropped)));
                let mut with = |what: String, new: Value| {
                    let mut changed = members.clone();
                    changed.insert(name.clone(), new);
                    all.push((what, Value::Object(changed)));
                };
                let other = match member {
                    Value::Array(_) => json!({"is": "no array"}),
                    _ if name == "payload" => json!("text"),
                    Value::Object(_) => json!([1]),
                    _ => json!({"is": "no scalar"}),
                };
                with(format!("retype {name}"), other);
                match member {
                    Value::String(_) if name != "id" => with(format!("number {name}"), json!(7.5)),
                    Value::Number(_) if name != "id" => with(format!("string {name}"), json!("7")),
                    Value::Bool(_) => with(format!("string {name}"), json!("true")),
                    _ => {}
                }
                if name != "payload" {
                    for (what, inner) in broken(member) {
                        with(format!("{name}: {what}"), inner);
                    }
                }
            }
        }
        Value::Array(elements) => {
            for (at, element) in elements.iter().enumerate() {
                for (what, inner) in broken(element) {
                    let mut changed = elements.clone();
                    changed[at] = inner;
                    all.push((format!("{at}: {what}"), Value::Array(changed)));
                }
            }
        }
        _ => {}
    }
    all
}

#[test]
fn a_dropped_renamed_or_retyped_member_fails() {
    let validator = validator(None);
    let mut tried = 0;
    for record in records() {
        for (what, changed) in broken(&record) {
            assert!(!validator.is_valid(&changed), "{what} passes in {}", record["record"]);
            tried += 1;
        }
    }
    assert!(tried > 3000, "{tried}");
}

#[test]
fn closed_words_are_closed_and_open_ones_are_open() {
    let validator = validator(Some("message"));
    let message = records().into_iter().find(|record| record["record"] == "message").unwrap();
    for (name, open) in [
        ("kind", false),
        ("direction", false),
        ("phase", false),
        ("id_state", false),
        ("primitive", false),
        ("time_basis", false),
        ("feature", true),
        ("status", true),
    ] {
        let mut changed = message.clone();
        changed[name] = json!("new-word");
        assert_eq!(validator.is_valid(&changed), open, "{name}");
    }
}

#[test]
fn every_finding_member_is_in_the_schema() {
    let validator = validator(Some("finding"));
    let place = json!({"input": 0, "file": "a", "n": 1, "line": 1, "end_line": 1, "offset": 0, "length": 2,
        "entry": null, "pointer": null});
    let mut finding = place.clone();
    for (name, value) in [
        ("record", json!("finding")),
        ("rule", json!("unanswered-request")),
        ("severity", json!("warning")),
        ("message", json!("no answer")),
        ("session", json!(1)),
        ("related", json!([place])),
        ("help", Value::Null),
        ("spec", Value::Null),
        ("fingerprint", json!("0123456789abcdef")),
    ] {
        finding[name] = value;
    }
    assert!(validator.is_valid(&finding));
    for (what, changed) in broken(&finding) {
        assert!(!validator.is_valid(&changed), "{what}");
    }
}

#[test]
fn payloads_are_copied_and_ids_keep_their_digits() {
    let text = render("ndjson", &options(), run);
    let line = text.lines().find(|line| line.contains("9007199254740993")).unwrap();
    assert!(line.contains("\"id\":9007199254740993,\"id_raw\":\"9007199254740993\""), "{line}");
    let payload = r#""payload":{"jsonrpc":"2.0",  "id":9007199254740993,"method":"x","params":{"t":"\ufffd"}}}"#;
    assert!(line.ends_with(payload), "{line}");
    assert!(line.contains(r#""flags":["bad-utf8","extra-member","batched"]"#), "{line}");
}
