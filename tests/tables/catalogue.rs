//! Field by field against the reference catalogue, both ways.

use std::collections::BTreeSet;

use mcp_trace::protocol::{
    CAPABILITIES, CapabilityType, ERROR_CODES, ERROR_RANGES, Era, META_KEYS, METHODS, Method, OTHER_VERSIONS,
    REVISIONS, Revision, candidates, capability, meta_key, method_set,
};
use serde_json::Value;

use crate::reference::{Ledger, names, owned, read, strings, text};
use crate::words;

/// Revisions of an entry that has one member for each; `draft` is left to its own check.
fn revisions(entry: &Value) -> impl Iterator<Item = (Revision, &Value)> {
    entry["revisions"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| *name != "draft")
        .map(|(name, fields)| (Revision::parse(name).unwrap_or_else(|| panic!("{name} is no revision")), fields))
}

fn listed(entry: &Value) -> Vec<Revision> {
    strings(&entry["revisions"]).iter().map(|name| Revision::parse(name).unwrap()).collect()
}

fn covered(covers: impl Fn(Revision) -> bool) -> Vec<Revision> {
    Revision::all().filter(|revision| covers(*revision)).collect()
}

fn requirements(fields: &Value) -> Vec<String> {
    fields["required_capability"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            words::needs(text(&entry["side"]), text(&entry["path"]), text(&entry["when"]), text(&entry["use_strength"]))
        })
        .collect()
}

/// Optional members without `_meta`; where params have variants, all that not every variant requires.
fn optional(shape: &Value, required: &[String]) -> Vec<String> {
    let mut all: BTreeSet<String> = names(&shape["optional"]).into_iter().collect();
    for variant in shape["variants"].as_array().into_iter().flatten() {
        all.extend(names(&variant["required"]));
        all.extend(names(&variant["optional"]));
    }
    all.into_iter().filter(|name| name != "_meta" && !required.contains(name)).collect()
}

fn compare_fields(ledger: &mut Ledger, row: &Method, at: &str, revision: Revision, fields: &Value) {
    let of = |what: &str| format!("{at} {what}");
    ledger.same(&of("form"), words::kind(row.kind), text(&fields["form"]));
    ledger.same(&of("sender"), words::sender(row.sender), text(&fields["sender"]));
    ledger.same(&of("schema"), row.schema, text(&fields["schema_def"]));
    ledger.same(&of("page"), format!("{}/{}", revision.as_str(), row.page), text(&fields["page"]).to_owned());
    ledger.same(&of("needs"), row.requires.iter().map(words::requirement).collect(), requirements(fields));
    let required = names(&fields["params"]["required"]);
    ledger.same(&of("optional params"), owned(row.optional_params), optional(&fields["params"], &required));
    ledger.same(&of("required params"), owned(row.required_params), required);
    let required = names(&fields["result"]["required"]);
    ledger.same(&of("optional result"), owned(row.optional_result), optional(&fields["result"], &required));
    ledger.same(&of("required result"), owned(row.required_result), required);
    ledger.same(&of("phases"), words::phases(row.phases), strings(&fields["phases"]["allowed"]));
    let flag = |name: &str| fields[name].as_bool().unwrap_or_default();
    ledger.same(&of("progress token"), row.progress_token, flag("progress_token"));
    ledger.same(&of("pagination"), row.paginated, flag("pagination"));
    ledger.same(&of("caching"), row.cacheable, flag("cacheable_result"));
    ledger.same(&of("input_required"), row.input_required, flag("input_required_allowed"));
    let task = match &fields["task_augmentation"] {
        Value::Bool(true) => "requested",
        Value::String(_) => "server-directed",
        _ => "no",
    };
    ledger.same(&of("task"), words::augmentation(row.task_augmentation), task);
}

#[test]
fn messages() {
    let Some(catalogue) = read("catalogue.json") else { return };
    let mut ledger = Ledger::default();
    let entries = catalogue["messages"].as_array().unwrap();
    let core = |name: &str, revision| {
        method_set(name)
            .and_then(|set| set.rows().iter().copied().filter(words::is_core).find(|row| row.covers(revision)))
    };
    for entry in entries {
        let name = text(&entry["method"]);
        let feature = entry["primitive"].as_str().unwrap_or(text(&entry["category"]));
        let replaced = text(&entry["replaced_by"]);
        for (revision, fields) in revisions(entry) {
            let at = format!("{name} in {}", revision.as_str());
            let Some(row) = core(name, revision) else {
                ledger.same(&at, "absent", "present");
                continue;
            };
            compare_fields(&mut ledger, row, &at, revision, fields);
            ledger.same(&format!("{at} feature"), row.feature.as_str(), feature);
            let primitive = row.feature.primitive().map(|primitive| primitive.as_str());
            ledger.same(&format!("{at} primitive"), primitive, entry["primitive"].as_str());
            let deprecated = row.deprecated.map(Revision::as_str);
            ledger.same(&format!("{at} deprecated"), deprecated, entry["deprecated_in"].as_str());
            let replaces = !replaced.is_empty() && !replaced.starts_with("nothing");
            ledger.same(&format!("{at} replaced"), row.replaced_by.is_some(), replaces);
        }
        let present: Vec<_> = revisions(entry).map(|(revision, _)| revision).collect();
        let ours = covered(|revision| core(name, revision).is_some());
        ledger.same(&format!("{name} introduced"), Some(ours[0].as_str()), entry["introduced_in"].as_str());
        let gone = Revision::all().find(|revision| *revision > ours[ours.len() - 1]);
        ledger.same(&format!("{name} removed"), gone.map(Revision::as_str), entry["removed_in"].as_str());
        ledger.same(&format!("{name} revisions"), ours, present);
        if let Some(draft) = entry["revisions"].get("draft") {
            ledger.same(&format!("{name} draft"), Some(Revision::LATEST), Revision::parse(text(&draft["same_as"])));
        }
    }
    let theirs: BTreeSet<_> = entries.iter().map(|entry| text(&entry["method"])).collect();
    let ours: BTreeSet<_> = METHODS.iter().filter(words::is_core).map(|row| row.name).collect();
    ledger.same("core methods", ours, theirs);
    for revision in Revision::all() {
        for row in METHODS.iter().filter(words::is_core).filter(|row| row.covers(revision)) {
            let entry = entries.iter().find(|entry| entry["method"] == row.name);
            let present = entry.is_some_and(|entry| entry["revisions"].get(revision.as_str()).is_some());
            ledger.same(&format!("{} in {}", row.name, revision.as_str()), true, present);
        }
        let count = |word: &str| {
            let rows = METHODS.iter().filter(words::is_core).filter(|row| row.covers(revision));
            rows.filter(|row| words::kind(row.kind) == word).count() as u64
        };
        let theirs = &catalogue["counts"][revision.as_str()];
        for (word, member) in
            [("request", "requests"), ("notification", "notifications"), ("input-request", "input_requests")]
        {
            ledger.same(&format!("{member} of {}", revision.as_str()), Some(count(word)), theirs[member].as_u64());
        }
    }
    ledger.close("messages", 2000);
}

#[test]
fn extensions() {
    let Some(catalogue) = read("catalogue.json") else { return };
    let mut ledger = Ledger::default();
    let tasks = &catalogue["extensions"]["io.modelcontextprotocol/tasks"];
    let apps = &catalogue["extensions"]["io.modelcontextprotocol/ui"]["iframe_dialect"];
    for (id, entries) in
        [("io.modelcontextprotocol/tasks", &tasks["messages"]), ("io.modelcontextprotocol/ui", &apps["messages"])]
    {
        let of_extension = |row: &&Method| row.extension == Some(id);
        let entries = entries.as_array().unwrap();
        let theirs: BTreeSet<_> = entries.iter().map(|entry| text(&entry["method"])).collect();
        ledger.same(id, METHODS.iter().filter(of_extension).map(|row| row.name).collect(), theirs);
        for entry in entries {
            let name = text(&entry["method"]);
            let Some(row) = METHODS.iter().filter(of_extension).find(|row| row.name == name) else { continue };
            let of = |what: &str| format!("{name} of {id} {what}");
            ledger.same(&of("kind"), words::kind(row.kind), text(&entry["kind"]));
            ledger.same(&of("sender"), words::sender(row.sender), text(&entry["sender"]));
            // The catalogue leaves out what the core asks of all client requests.
            let ours = row.required_params.iter().filter(|name| **name != "_meta").map(|name| (*name).to_owned());
            ledger.same(&of("params"), ours.collect(), names(&entry["params_required"]));
            ledger.same(&of("optional params"), owned(row.optional_params), names(&entry["params_optional"]));
            ledger.same(&of("result"), owned(row.required_result), names(&entry["result"]["required"]));
            ledger.same(&of("optional result"), owned(row.optional_result), names(&entry["result"]["optional"]));
            let draft = entry["draft"].as_bool().unwrap_or(id == "io.modelcontextprotocol/tasks");
            ledger.same(&of("page"), row.page.contains("/draft/"), draft);
        }
    }
    let since = text(&tasks["applies_from"]);
    for row in METHODS.iter().filter(|row| row.extension == Some("io.modelcontextprotocol/tasks")) {
        ledger.same(row.name, row.since.as_str(), since);
    }
    ledger.close("extensions", 100);
}

#[test]
fn capabilities() {
    let Some(catalogue) = read("catalogue.json") else { return };
    let mut ledger = Ledger::default();
    let entries = catalogue["capabilities"].as_array().unwrap();
    ledger.same("capabilities", CAPABILITIES.len(), entries.len());
    for entry in entries {
        let (side, path) = (words::side(text(&entry["side"])), text(&entry["path"]));
        let parts: Vec<_> = path.split('.').collect();
        let Some(row) = capability(side, &parts, None) else {
            ledger.same(path, "absent", "present");
            continue;
        };
        let of = |what: &str| format!("{}.{path} {what}", side.as_str());
        let kind = match row.kind {
            CapabilityType::Object => "object",
            CapabilityType::Boolean => "boolean",
            CapabilityType::Extensions => "object<extension id, settings>",
        };
        ledger.same(&of("type"), kind, text(&entry["type"]));
        ledger.same(&of("revisions"), covered(|revision| row.covers(revision)), listed(entry));
        ledger.same(&of("page"), row.page, text(&entry["page"]));
        ledger.same(&of("deprecated"), row.deprecated.map(Revision::as_str), entry["deprecated_in"].as_str());
        let methods = |texts: &mut dyn Iterator<Item = &str>| -> BTreeSet<String> {
            texts.flat_map(str::split_whitespace).filter(|word| method_set(word).is_some()).map(str::to_owned).collect()
        };
        let theirs = methods(&mut entry["unlocks"].as_array().unwrap().iter().map(text));
        let ours = methods(&mut row.unlocks.iter().copied());
        // Where the catalogue names a param alone, the table names its method too.
        ledger.same(&of("unlocks"), ours.intersection(&theirs).cloned().collect(), theirs);
    }
    ledger.close("capabilities", 150);
}

#[test]
fn error_codes() {
    let Some(catalogue) = read("catalogue.json") else { return };
    let mut ledger = Ledger::default();
    let entries = catalogue["error_codes"].as_array().unwrap();
    let outside = catalogue["error_codes_outside_the_spec"].as_array().unwrap();
    for entry in entries {
        let code = entry["code"].as_i64().unwrap();
        let rows = || ERROR_CODES.iter().filter(move |row| row.code == code && row.revisions.is_some());
        let of = |what: &str| format!("{code} {what}");
        ledger.same(&of("revisions"), covered(|revision| rows().any(|row| row.covers(revision))), listed(entry));
        for row in rows() {
            let origin = text(&entry["origin"]);
            ledger.same(&of("origin"), true, origin.starts_with(row.origin));
            let letters = |name: &str| name.replace(' ', "").to_lowercase();
            let theirs = letters(text(&entry["name"]));
            let user = code == -1;
            ledger.same(&of("name"), true, user || letters(row.name) == theirs);
            ledger.same(&of("data"), owned(row.required_data), names(&entry["data_required"]));
            ledger.same(&of("HTTP status"), row.http_status.map(u64::from), entry["http_status"].as_u64());
            ledger.same(&of("page"), row.page, text(&entry["page"]));
        }
    }
    for entry in outside {
        let code = entry["code"].as_i64().unwrap();
        let row = ERROR_CODES.iter().find(|row| row.code == code && row.revisions.is_none());
        ledger.same(&format!("{code} name"), row.map(|row| row.name), entry["name"].as_str());
        ledger.same(&format!("{code} outside"), row.map(|row| row.origin != "MCP"), Some(true));
    }
    let codes =
        |entries: &[Value]| entries.iter().map(|entry| entry["code"].as_i64().unwrap()).collect::<BTreeSet<_>>();
    let theirs = &codes(entries) | &codes(outside);
    ledger.same("codes", ERROR_CODES.iter().map(|row| row.code).collect(), theirs);
    let ranges = catalogue["error_code_ranges"].as_array().unwrap();
    let theirs = ranges.iter().map(|entry| (entry["from"].as_i64().unwrap(), entry["to"].as_i64().unwrap()));
    ledger.same("ranges", ERROR_RANGES.iter().map(|row| (row.from, row.to)).collect(), theirs.collect::<BTreeSet<_>>());
    ledger.close("error codes", 80);
}

#[test]
fn meta_keys() {
    let Some(catalogue) = read("catalogue.json") else { return };
    let mut ledger = Ledger::default();
    let entries = catalogue["meta_keys"].as_array().unwrap();
    let theirs: Vec<_> = entries.iter().map(|entry| text(&entry["key"])).collect();
    ledger.same("keys", META_KEYS.iter().map(|row| row.key).collect(), theirs);
    for entry in entries {
        let key = text(&entry["key"]);
        let Some(row) = meta_key(key) else { continue };
        let within = |revision| row.revisions.is_some_and(|(since, until)| (since..=until).contains(&revision));
        ledger.same(&format!("{key} revisions"), covered(within), listed(entry));
        ledger.same(&format!("{key} required"), row.required, text(&entry["required"]));
        ledger.same(&format!("{key} extension"), row.extension, entry["extension"].as_str());
        let deprecated = entry.get("deprecated_in").is_some() || entry.get("deprecated").is_some();
        ledger.same(&format!("{key} deprecated"), row.deprecated, deprecated);
    }
    ledger.close("meta keys", 50);
}

#[test]
fn revisions_and_other_versions() {
    let Some(catalogue) = read("catalogue.json") else { return };
    let mut ledger = Ledger::default();
    let entries = catalogue["revisions"].as_array().unwrap();
    let published: Vec<_> = entries.iter().filter(|entry| entry["id"] != "draft").collect();
    ledger.same("revisions", REVISIONS.len(), published.len());
    for (row, entry) in REVISIONS.iter().zip(published) {
        ledger.same("name", row.name, text(&entry["id"]));
        let era = match row.era {
            Era::Handshake => "legacy",
            Era::Stateless => "modern",
        };
        ledger.same(&format!("{} era", row.name), era, text(&entry["era"]));
        ledger.same(&format!("{} handshake", row.name), Some(row.era == Era::Handshake), entry["handshake"].as_bool());
        ledger.same(&format!("{} batching", row.name), row.batching, text(&entry["batching"]));
        let mentions = |text: &str| text.contains("Mcp-Session-Id");
        ledger.same(&format!("{} session", row.name), mentions(row.session), mentions(text(&entry["session"])));
        let both = METHODS.iter().filter(words::is_core).any(|method| {
            method.covers(row.revision)
                && words::kind(method.kind) == "request"
                && matches!(words::sender(method.sender), "server" | "both")
        });
        ledger.same(&format!("{} initiators", row.name), both, strings(&entry["initiators"]).len() == 2);
    }
    let theirs = catalogue["other_version_strings"].as_array().unwrap();
    let theirs: Vec<_> = theirs.iter().map(|entry| text(&entry["value"])).collect();
    ledger.same("other versions", OTHER_VERSIONS.iter().map(|(name, _)| *name).collect(), theirs);
    ledger.close("revisions", 30);
}

#[test]
fn result_fingerprints() {
    let Some(catalogue) = read("catalogue.json") else { return };
    let mut ledger = Ledger::default();
    for (members, meaning) in catalogue["result_fingerprints"]["by_required_key"].as_object().unwrap() {
        let (members, result_type) = match members.split_once('=') {
            Some((name, value)) => (vec![name], Some(value)),
            None if members == "{}" => (Vec::new(), None),
            None => (members.split('+').collect(), None),
        };
        let found = candidates(|name| members.contains(&name), result_type, members.is_empty());
        let words = text(meaning).split([' ', ',']).filter(|word| method_set(word).is_some());
        let mut theirs: BTreeSet<_> = words.collect();
        if text(meaning).starts_with("task-augmented") {
            theirs = METHODS
                .iter()
                .filter(|row| words::augmentation(row.task_augmentation) == "requested")
                .map(|row| row.name)
                .collect();
        }
        assert!(!theirs.is_empty(), "no method in `{meaning}`");
        let ours: BTreeSet<_> = found.methods().iter().copied().collect();
        if members.is_empty() {
            // The catalogue names the core protocol's alone.
            ledger.same("{}", theirs.is_subset(&ours), true);
        } else {
            ledger.same(&members.join("+"), ours, theirs.clone());
            ledger.same(&members.join("+"), found.decisive(), theirs.len() == 1);
        }
    }
    ledger.close("result fingerprints", 30);
}
