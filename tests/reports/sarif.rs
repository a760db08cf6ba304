//! SARIF: held against a schema, and fingerprints that stay where they are when lines come before them.

use std::fs;

use serde_json::Value;

use crate::program::folder;
use crate::{CLEAN, TROUBLE, check, json};

/// The part of SARIF 2.1.0 that is written, closed: every member that is not listed is an error. Written from the text of the
/// standard; `SARIF_SCHEMA` names a file with the whole schema, which is used as well.
const SCHEMA: &str = include_str!("sarif.schema.json");

#[test]
fn reports_keep_to_the_schema() {
    let own = jsonschema::validator_for(&json(SCHEMA)).unwrap();
    let whole = std::env::var("SARIF_SCHEMA").ok().map(|path| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut schema = json(&text);
        // The pattern of languages has a bracket too many, which not every engine takes.
        schema["definitions"]["run"]["properties"]["language"].as_object_mut().unwrap().remove("pattern");
        schema["definitions"]["toolComponent"]["properties"]["language"].as_object_mut().unwrap().remove("pattern");
        jsonschema::validator_for(&schema).unwrap()
    });
    if whole.is_none() {
        eprintln!("SKIPPED: the whole schema of SARIF, SARIF_SCHEMA does not name its file");
    }
    let cases: [&[&str]; 7] = [
        &[TROUBLE],
        &[CLEAN],
        &["fixtures/hostile/ids.jsonl", "fixtures/hostile/control-characters.jsonl"],
        &["fixtures/formats/har/2025-11-25-everything.har", TROUBLE],
        &["fixtures/hostile/empty.jsonl"],
        &["fixtures/hostile/truncated.jsonl.gz", "no such file.jsonl"],
        &["/dev/null"],
    ];
    for inputs in cases {
        let (_, report, _) = check(&[&["--format", "sarif"], inputs].concat());
        let report = json(&report);
        for schema in [Some(&own), whole.as_ref()].into_iter().flatten() {
            let faults: Vec<String> =
                schema.iter_errors(&report).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
            assert!(faults.is_empty(), "{inputs:?}\n{}", faults.join("\n"));
        }
    }
}

#[test]
fn the_schema_notices_what_is_missing() {
    let own = jsonschema::validator_for(&json(SCHEMA)).unwrap();
    let (_, report, _) = check(&["--format", "sarif", TROUBLE]);
    let report = json(&report);
    for lost in
        ["/version", "/runs/0/tool", "/runs/0/results/0/message", "/runs/0/results/0/ruleId", "/runs/0/invocations"]
    {
        let mut cut = report.clone();
        let (holder, member) = lost.rsplit_once('/').unwrap();
        cut.pointer_mut(holder).unwrap().as_object_mut().unwrap().remove(member).unwrap();
        assert!(!own.is_valid(&cut), "nothing is wrong without {lost}");
    }
}

#[test]
fn results_point_to_rules_and_to_lines() {
    let (code, report, _) = check(&["--format", "sarif", TROUBLE]);
    let report = json(&report);
    let run = &report["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), mcp_trace::rules::RULES.len());
    let ids: Vec<_> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    for rule in rules {
        let long = |member: &str| rule[member]["text"].as_str().unwrap().chars().count() > 1024;
        assert!(!long("shortDescription") && !long("fullDescription"), "code scanning cuts {rule}");
        assert!(rule["helpUri"].as_str().is_none_or(|uri| uri.starts_with("https://")), "{rule}");
    }
    let results = run["results"].as_array().unwrap();
    assert_eq!((code, results.len()), (1, 6), "{results:?}");
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let undeclared = &results[1];
    let lines = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
    assert_eq!((lines(&undeclared["locations"][0]), lines(&undeclared["relatedLocations"][0])), (Some(5), Some(2)));
    assert!(undeclared["message"]["text"].as_str().unwrap().contains("[what the server declared](1)"), "{undeclared}");
}

/// Whether a region has columns, its line as a file, and what it marks there.
const REGIONS: &[(&str, &str, Option<&str>)] = &[
    ("on its line", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Some("1.5")),
    ("behind white space", r#"  {"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Some("1.5")),
    (
        "behind letters of several bytes",
        r#"{"jsonrpc":"2.0","params":{"a":"äö€𝄞"},"id":1.5,"method":"ping"}"#,
        Some("1.5"),
    ),
    (
        "inside another object",
        r#"{"ts":"2026-01-01T00:00:00Z","dir":"client->server","msg":{"jsonrpc":"2.0","id":1.5,"method":"ping"}}"#,
        Some("1.5"),
    ),
    (
        "inside another object, behind letters of several bytes",
        r#"{"ä":1,"ts":"2026-01-01T00:00:00Z","dir":"client->server","msg":{"jsonrpc":"2.0","id":1.5,"method":"ping"}}"#,
        None,
    ),
    (
        "in a batch",
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1.5,"method":"ping"}]"#,
        Some("1.5"),
    ),
    (
        "as text in a string",
        r#"{"ts":"2026-01-01T00:00:00Z","dir":"client->server","raw":"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}"}"#,
        None,
    ),
    ("over several lines", "{\"jsonrpc\":\"2.0\",\n\"id\":1.5,\n\"method\":\"ping\"}", None),
];

#[test]
fn a_region_is_the_marked_part_where_its_columns_are_known() {
    let place = folder("regions", "sarif");
    for (what, text, marked) in REGIONS {
        fs::write(place.join("a.jsonl"), format!("\n{text}\n")).unwrap();
        let (_, report, _) = crate::program::check(&place, &["--format", "sarif", "a.jsonl"]);
        let report = json(&report);
        let results = report["runs"][0]["results"].as_array().unwrap();
        let found = results
            .iter()
            .find(|result| result["ruleId"] == "id-type")
            .unwrap_or_else(|| panic!("{what}: {results:?}"));
        let physical = &found["locations"][0]["physicalLocation"];
        let region = &physical["region"];
        let column = |name: &str| region[name].as_u64().map(|column| usize::try_from(column).unwrap() - 1);
        assert_eq!(region["startLine"], 2, "{what}: {region}");
        let at = column("startColumn").zip(column("endColumn"));
        let seen = at.map(|(first, behind)| text.chars().take(behind).skip(first).collect::<String>());
        assert_eq!(seen.as_deref(), *marked, "{what}: {region}");
        assert_eq!(physical["contextRegion"]["startColumn"].as_u64(), marked.map(|_| 1), "{what}: {physical}");
        if marked.is_some() {
            assert_eq!(region["snippet"]["text"].as_str(), *marked, "{what}");
        }
    }
}

/// Rule and fingerprint of every finding of a file.
fn fingerprints(format: &str, text: &str) -> Vec<(String, String)> {
    let place = folder("fingerprints", format);
    fs::write(place.join("a.jsonl"), text).unwrap();
    let (_, report, _) = crate::program::check(&place, &["--format", format, "a.jsonl"]);
    let report = json(&report);
    let (list, rule, print) = match format {
        "sarif" => (&report["runs"][0]["results"], "/ruleId", "/partialFingerprints/primaryLocationLineHash"),
        _ => (&report, "/check_name", "/fingerprint"),
    };
    let text = |entry: &Value, pointer: &str| entry.pointer(pointer).unwrap().as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(|entry| (text(entry, rule), text(entry, print))).collect()
}

#[test]
fn fingerprints_stay_when_lines_come_before_and_differ_within_a_report() {
    let session = fs::read_to_string(TROUBLE).unwrap();
    let (first, rest) = session.split_once("{\"method\":\"prompts/list\"").unwrap();
    let rest = format!("{{\"method\":\"prompts/list\"{rest}");
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":901,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":901,\"result\":{}}\n";
    for format in ["sarif", "gitlab"] {
        let before = fingerprints(format, &session);
        assert_eq!(before.len(), 6);
        for later in [format!("\n\n{session}"), format!("{first}{ping}{ping}{rest}").replacen("901", "902", 2)] {
            assert_eq!(fingerprints(format, &later), before, "{format}: {later}");
        }
        // The same findings again, in a second session of the file.
        let twice = fingerprints(format, &format!("{session}{session}"));
        assert!(before.iter().all(|print| twice.contains(print)), "{format}: {twice:?}");
        let different: std::collections::HashSet<_> = twice.iter().collect();
        assert_eq!(different.len(), twice.len(), "{format}: {twice:?}");
    }
}
