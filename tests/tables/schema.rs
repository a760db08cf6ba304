//! METHODS and CAPABILITIES against the official JSON Schema of each revision.

use std::collections::BTreeSet;

use mcp_trace::protocol::{CAPABILITIES, Fit, METHODS, Method, MethodKind, Revision, Side, candidates, fits};
use serde_json::Value;

use crate::reference::{Ledger, folder, names, owned, read, strings, text};
use crate::words;

/// What each side may send.
const UNIONS: [&str; 4] = ["ClientRequest", "ClientNotification", "ServerRequest", "ServerNotification"];

/// The definitions of a schema: `$defs` in 2020-12, `definitions` before.
struct Schema {
    definitions: Value,
}

impl Schema {
    fn read(revision: Revision) -> Option<Self> {
        let mut schema = read(&format!("schema/{}.json", revision.as_str()))?;
        let name = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        Some(Self { definitions: schema[name].take() })
    }

    fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
            Some(name) => self.resolve(&self.definitions[name]),
            None => value,
        }
    }

    /// Required and other members of an object; of alternatives, what all require and what any has; of parts, the sum.
    fn members(&self, value: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
        let value = self.resolve(value);
        if let Some(alternatives) = value["anyOf"].as_array() {
            let all: Vec<_> = alternatives.iter().map(|one| self.members(one)).collect();
            let required = all.iter().map(|(required, _)| required.clone()).reduce(|one, other| &one & &other).unwrap();
            let any = all.iter().flat_map(|(required, other)| required | other).collect::<BTreeSet<_>>();
            return (required.clone(), &any - &required);
        }
        if let Some(parts) = value["allOf"].as_array() {
            let all: Vec<_> = parts.iter().map(|part| self.members(part)).collect();
            let required = all.iter().flat_map(|(required, _)| required.clone()).collect::<BTreeSet<_>>();
            let any = all.into_iter().flat_map(|(_, other)| other).collect::<BTreeSet<_>>();
            return (required.clone(), &any - &required);
        }
        let required: BTreeSet<_> = strings(&value["required"]).into_iter().collect();
        let all = names(&value["properties"]).into_iter().collect::<BTreeSet<_>>();
        (required.clone(), &all - &required)
    }

    /// Messages by name: every definition whose `method` is a constant. A union with one member stands as a copy of it.
    fn methods(&self) -> BTreeSet<(String, String)> {
        let definitions = self.definitions.as_object().unwrap();
        let messages = definitions.iter().filter(|(name, _)| !UNIONS.contains(&name.as_str()));
        let named = messages.filter_map(|(name, value)| {
            let method = value["properties"]["method"]["const"].as_str()?;
            Some((method.to_owned(), name.clone()))
        });
        named.collect()
    }

    /// True when a union has the definition as a member.
    fn unites(&self, union: &str, definition: &str) -> bool {
        let value = &self.definitions[union];
        let members = value["anyOf"].as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
        members.iter().any(|member| {
            let method = self.resolve(member)["properties"]["method"]["const"].as_str();
            method.is_some() && method == self.definitions[definition]["properties"]["method"]["const"].as_str()
        })
    }

    /// The paths that a capabilities object declares; what stands below `experimental` and `extensions` is free.
    fn paths(&self, value: &Value, above: &[String], found: &mut BTreeSet<Vec<String>>) {
        let Some(members) = self.resolve(value)["properties"].as_object() else { return };
        for (name, member) in members {
            let path: Vec<_> = above.iter().cloned().chain([name.clone()]).collect();
            if !matches!(name.as_str(), "experimental" | "extensions") {
                self.paths(member, &path, found);
            }
            found.insert(path);
        }
    }
}

fn result_definition(row: &Method) -> String {
    match row.name {
        "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => "EmptyResult".to_owned(),
        _ => row.schema.replace("Request", "Result"),
    }
}

fn without_meta(members: BTreeSet<String>) -> Vec<String> {
    members.into_iter().filter(|name| name != "_meta").collect()
}

#[test]
fn messages_are_those_of_the_schemas() {
    let mut ledger = Ledger::default();
    for revision in Revision::all() {
        let Some(schema) = Schema::read(revision) else { return };
        let rows = || METHODS.iter().filter(words::is_core).filter(move |row| row.covers(revision));
        let ours = rows().map(|row| (row.name.to_owned(), row.schema.to_owned())).collect();
        ledger.same(revision.as_str(), ours, schema.methods());
        for row in rows() {
            let of = |what: &str| format!("{} in {} {what}", row.name, revision.as_str());
            let definition = &schema.definitions[row.schema];
            let request = definition["required"].as_array().unwrap().iter().any(|name| text(name) == "id");
            // Until 2025-06-18 the schemas name no envelope members in the definitions of messages.
            if revision >= Revision::V2025_11_25 {
                ledger.same(&of("has an id"), words::kind(row.kind) == "request", request);
            }
            for (side, sent) in [(Side::Client, &UNIONS[..2]), (Side::Server, &UNIONS[2..])] {
                let ours =
                    row.sender.only_side().is_none_or(|only| only == side) && row.kind != MethodKind::InputRequest;
                let theirs = sent.iter().any(|union| schema.unites(union, row.schema));
                ledger.same(&of(&format!("sent by the {}", side.as_str())), ours, theirs);
            }
            let (required, other) = schema.members(&definition["properties"]["params"]);
            ledger.same(&of("required params"), owned(row.required_params), required.into_iter().collect());
            ledger.same(&of("optional params"), owned(row.optional_params), without_meta(other));
            if words::kind(row.kind) == "notification" {
                continue;
            }
            let (required, other) = schema.members(&schema.definitions[result_definition(row)]);
            ledger.same(&of("required result"), owned(row.required_result), required.into_iter().collect());
            ledger.same(&of("optional result"), owned(row.optional_result), without_meta(other));
        }
    }
    ledger.close("messages of the schemas", 400);
}

#[test]
fn capabilities_are_those_of_the_schemas() {
    let mut ledger = Ledger::default();
    for revision in Revision::all() {
        let Some(schema) = Schema::read(revision) else { return };
        for (side, definition) in [(Side::Client, "ClientCapabilities"), (Side::Server, "ServerCapabilities")] {
            let mut theirs = BTreeSet::new();
            schema.paths(&schema.definitions[definition], &[], &mut theirs);
            let rows = CAPABILITIES.iter().filter(|row| row.side == side && row.covers(revision));
            let ours: BTreeSet<_> = rows.map(|row| owned(row.path)).collect();
            // Steps on the way to a flag, such as `tasks.requests`, declare nothing by themselves.
            theirs.retain(|path| ours.contains(path) || !ours.iter().any(|longer| longer.starts_with(path)));
            ledger.same(&format!("{} of {}", definition, revision.as_str()), ours, theirs);
        }
    }
    ledger.close("capabilities of the schemas", 10);
}

#[test]
fn official_results_are_known_by_their_members() {
    let mut ledger = Ledger::default();
    for row in METHODS.iter().filter(words::is_core).filter(|row| row.covers(Revision::V2026_07_28)) {
        if row.kind == MethodKind::Notification {
            continue;
        }
        let Some(examples) = folder(&format!("examples-2026-07-28/{}", result_definition(row))) else { return };
        for (name, example) in examples {
            let members = names(&example);
            let has = |wanted: &str| members.iter().any(|name| name == wanted);
            let result_type = example["resultType"].as_str();
            let found = candidates(has, result_type, members.is_empty());
            ledger.same(&format!("{name} may answer {}", row.name), found.methods().contains(&row.name), true);
            for other in METHODS.iter().filter(words::is_core).filter(|other| other.covers(Revision::V2026_07_28)) {
                let fit = fits(other.name, Some(Revision::V2026_07_28), has, result_type, members.is_empty());
                let expected = if other.name == row.name { Fit::Yes } else { Fit::No };
                ledger.same(&format!("{name} as an answer to {}", other.name), fit, expected);
            }
        }
    }
    ledger.close("official results", 300);
}
