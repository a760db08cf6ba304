//! The table of fields against the contract.

use std::collections::BTreeSet;

use mcp_trace::filter::{FIELDS, FUNCTIONS, Type};
use mcp_trace::render::schema;
use serde_json::Value;

/// The definition that a schema refers to, null aside.
fn resolved<'s>(schema: &'s Value, of: &'s Value) -> &'s Value {
    let alternatives = of["anyOf"].as_array().and_then(|all| all.iter().find(|one| one["type"] != "null"));
    let of = alternatives.unwrap_or(of);
    match of["$ref"].as_str() {
        Some(name) => resolved(schema, &schema["$defs"][name.trim_start_matches("#/$defs/")]),
        None => of,
    }
}

fn types(of: &Value) -> BTreeSet<&str> {
    match &of["type"] {
        Value::String(name) => [name.as_str()].into(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect(),
        _ => BTreeSet::new(),
    }
}

fn words(of: &Value) -> Vec<&str> {
    match (&of["enum"], &of["const"], &of["oneOf"]) {
        (Value::Array(words), ..) => words.iter().filter_map(Value::as_str).collect(),
        (_, Value::String(word), _) => vec![word],
        (_, _, Value::Array(all)) => all.iter().filter_map(|one| one["const"].as_str()).collect(),
        _ => Vec::new(),
    }
}

fn held(schema: &Value, of: &Value, field: Type, name: &str) {
    let of = resolved(schema, of);
    let wanted: &[&str] = match field {
        Type::Boolean => &["boolean"],
        Type::Integer => &["integer"],
        Type::Number => &["number"],
        Type::Text | Type::Time | Type::Word(_) => &["string"],
        Type::List(_) => &["array"],
        Type::Object(_) => &["object"],
        Type::Any | Type::Null => &[],
    };
    if let Type::Word(known) = field {
        let (told, known): (BTreeSet<_>, BTreeSet<_>) =
            (words(of).into_iter().collect(), known.iter().copied().collect());
        assert_eq!(told, known, "the words of `{name}`");
    } else if !wanted.is_empty() {
        assert_eq!(types(of), wanted.iter().copied().collect(), "the type of `{name}`: {of}");
        assert!(words(of).is_empty(), "`{name}` is one of {:?}", words(of));
    }
    match field {
        Type::List(element) => held(schema, &of["items"], *element, name),
        Type::Object(members) => {
            let told: BTreeSet<_> = of["properties"].as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(told, members.iter().map(|(name, _)| *name).collect(), "the members of `{name}`");
            for (member, field) in members {
                held(schema, &of["properties"][member], *field, &format!("{name}.{member}"));
            }
        }
        _ => {}
    }
}

#[test]
fn every_member_of_the_message_record_is_a_field_of_its_type() {
    let schema = schema();
    let members = schema["$defs"]["message"]["properties"].as_object().unwrap();
    for (name, of) in members {
        let inside = format!("{name}.");
        let fields: Vec<_> =
            FIELDS.iter().filter(|field| field.name == name || field.name.starts_with(&inside)).collect();
        assert!(!fields.is_empty(), "`{name}` of the message record is no field");
        for field in fields {
            let of = match field.name.strip_prefix(&inside) {
                Some(member) => &resolved(&schema, of)["properties"][member],
                None => of,
            };
            held(&schema, of, field.of, field.name);
        }
        if resolved(&schema, of)["properties"].is_object() {
            for member in resolved(&schema, of)["properties"].as_object().unwrap().keys() {
                let field = format!("{name}.{member}");
                assert!(FIELDS.iter().any(|known| known.name == field), "`{field}` is no field");
            }
        }
    }
    for field in FIELDS {
        let top = field.name.split('.').next().unwrap();
        assert!(members.contains_key(top), "`{}` is in no message record", field.name);
    }
}

#[test]
fn every_function_works_as_it_is_shown() {
    for function in FUNCTIONS {
        let form = function.form;
        assert!(form.contains(function.name), "{form}");
        let expression = match function.name {
            "size" => format!("{form} > 0"),
            "int" | "double" => format!("{form} == 1"),
            "string" => format!("{form} == \"1\""),
            "filter" => format!("{form} == 1"),
            "map" => format!("size({form}) > 0"),
            _ => form.to_owned(),
        };
        super::wheres(&[&expression]);
    }
}
