//! Findings that are held back, and that nothing else is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::program::{Case, check, folder, run_cases};
use super::{TROUBLE, case};

const WRITTEN: &str = r#"{"version":"mcp-trace-baseline/1","findings":[]}"#;

#[test]
fn suppressions_hold_findings_back() {
    run_cases(
        "suppressions",
        &[
            Case {
                config: "[[suppress]]\nrule = \"invalid-json\"\nreason = \"the banner stays\"\n",
                code: 1,
                with: &[", 2 suppressed", "[capability-not-negotiated]"],
                without: &["[invalid-json]", "held nothing back"],
                ..case("a rule")
            },
            Case {
                config: "[[suppress]]\nrule = \"capability-not-negotiated\"\nmethod = \"prompts/list\"\nreason = \"asked for\"\n",
                code: 1,
                with: &[", 1 suppressed", "`elicitation/create`, which needs"],
                without: &["`prompts/list`, which needs"],
                ..case("in one method")
            },
            Case {
                config: "[[suppress]]\nrule = \"capability-not-negotiated\"\nserver = \"scrap-book\"\nreason = \"asked for\"\n",
                code: 1,
                with: &[", 2 suppressed"],
                without: &["[capability-not-negotiated]"],
                ..case("of one server")
            },
            Case {
                config: "[[suppress]]\nrule = \"capability-not-negotiated\"\nserver = \"other\"\nreason = \"asked for\"\n",
                code: 1,
                with: &[
                    "[capability-not-negotiated]",
                    "mcp-trace.toml:1: the suppression of capability-not-negotiated held nothing back",
                ],
                ..case("of another server")
            },
            Case {
                config: "[[suppress]]\nrule = \"invalid-json\"\nfiles = \"trou*.jsonl\"\nreason = \"the banner stays\"\n",
                code: 1,
                with: &[", 2 suppressed"],
                ..case("in files")
            },
            Case {
                config: "[[suppress]]\nrule = \"invalid-json\"\nfiles = \"other.jsonl\"\nreason = \"the banner stays\"\n",
                code: 1,
                with: &["[invalid-json]"],
                without: &["held nothing back"],
                ..case("in files that are not read")
            },
            Case {
                config: "\n[[suppress]]\nrule = \"invalid-json\"\n",
                code: 2,
                with: &["mcp-trace.toml:2: missing field `reason`"],
                ..case("without a reason")
            },
            Case {
                config: "[[suppress]]\nrule = \"invalid-json\"\nreason = \"  \"\n",
                code: 2,
                with: &["mcp-trace.toml:3: expected a reason, got an empty string"],
                ..case("with an empty reason")
            },
            Case {
                config: "[[suppress]]\nreason = \"x\"\nrule = \"invalid-jsn\"\n",
                code: 2,
                with: &["mcp-trace.toml:3: unknown rule `invalid-jsn`: did you mean `invalid-json`?"],
                ..case("of no rule")
            },
            Case {
                config: "[[suppress]]\nreason = \"x\"\nrule = \"invalid-json\"\nfile = \"a\"\n",
                code: 2,
                with: &["mcp-trace.toml:4: unknown key `file`: did you mean `files`?"],
                ..case("with an unknown key")
            },
            Case {
                config: "[[suppress]]\nreason = \"x\"\nrule = \"invalid-json\"\nfiles = \"[a\"\n",
                code: 2,
                with: &["mcp-trace.toml:4: `[a` is no pattern: unclosed character class"],
                ..case("with a broken pattern")
            },
            Case {
                args: &["--show-config"],
                config: "[[suppress]]\nreason = \"x\"\nrule = \"invalid-json\"\nfiles = \"a*\"\nmethod = \"ping\"\nserver = \"s\"\n",
                code: 0,
                with: &["suppress: invalid-json in files `**/a*` in `ping` of the server `s`: x"],
                ..case("shown")
            },
        ],
    );
}

#[test]
fn what_is_hidden_counts() {
    run_cases(
        "hidden",
        &[
            Case {
                args: &[TROUBLE, "--show", "error"],
                code: 1,
                with: &["3 errors, 2 warnings, 1 note in 11 messages of 1 session, 3 not shown", "error: "],
                without: &["warning: ", "note: "],
                ..case("warnings and notes")
            },
            Case {
                args: &[TROUBLE, "--show", "warning"],
                code: 1,
                with: &["3 errors, 2 warnings, 1 note in 11 messages of 1 session, 1 not shown", "warning: "],
                without: &["note: "],
                ..case("notes")
            },
            Case {
                args: &[TROUBLE, "--show", "note"],
                code: 1,
                with: &["note: "],
                without: &["not shown"],
                ..case("nothing")
            },
            Case {
                args: &[TROUBLE, "--show", "error", "--fail-on", "note"],
                config: "[rules]\ncapability-not-negotiated = \"note\"\nresponse-without-request = \"note\"\n",
                code: 1,
                with: &["0 errors, 2 warnings, 4 notes in 11 messages of 1 session, 6 not shown"],
                without: &["error: ", "warning: ", "note: ", "go deeper"],
                ..case("everything")
            },
            Case {
                args: &[TROUBLE, "--show", "error", "--format", "sarif"],
                code: 1,
                with: &["findings that are not reported: 3 not shown"],
                without: &["\"level\":\"warning\",\"message\""],
                ..case("in a report")
            },
            Case {
                args: &[TROUBLE, "--show", "error", "--format", "json"],
                code: 1,
                with: &["\"hidden\":3", "\"warning\":2"],
                without: &["\"severity\":\"warning\""],
                ..case("as JSON")
            },
            Case {
                args: &[TROUBLE, "--show", "error", "--write-baseline", "b.json"],
                code: 0,
                with: &["3 not shown"],
                ..case("and is in the baseline")
            },
            Case {
                args: &[TROUBLE, "--show", "never"],
                code: 2,
                with: &["[possible values: error, warning, note]"],
                ..case("no severity")
            },
        ],
    );
}

#[test]
fn baselines_that_cannot_be_used_are_refused() {
    run_cases(
        "baselines",
        &[
            Case {
                args: &[TROUBLE, "--baseline", "b.json"],
                files: &[("b.json", WRITTEN)],
                code: 1,
                ..case("an empty one")
            },
            Case {
                args: &[TROUBLE, "--baseline", "b.json"],
                code: 2,
                with: &["cannot read the baseline `b.json`"],
                ..case("none")
            },
            Case {
                args: &[TROUBLE, "--baseline", "b.json"],
                files: &[("b.json", "{\"version\":\"mcp-trace-baseline/1\",\"findings\":[{")],
                code: 2,
                with: &["b.json: is no baseline: EOF"],
                ..case("a cut one")
            },
            Case {
                args: &[TROUBLE, "--baseline", "b.json"],
                files: &[("b.json", "{\"version\":\"mcp-trace-baseline/9\",\"findings\":[]}")],
                code: 2,
                with: &["b.json: is of version `mcp-trace-baseline/9`, expected `mcp-trace-baseline/1`"],
                ..case("one of another version")
            },
            Case {
                args: &[TROUBLE, "--baseline", "b.json"],
                files: &[(
                    "b.json",
                    r#"{"version":"mcp-trace-baseline/1","findings":[{"rule":"invalid-json","method":null,"fingerprint":"12","count":1,"message":""}]}"#,
                )],
                code: 2,
                with: &["b.json: entry 1: expected a fingerprint of 16 hexadecimal digits"],
                ..case("one with a broken entry")
            },
            Case {
                args: &[TROUBLE, "--baseline", "b.json"],
                files: &[(
                    "b.json",
                    r#"{"version":"mcp-trace-baseline/1","findings":[{"rule":"invalid-json","method":"ping","fingerprint":"0123456789abcdef","count":2,"message":""}]}"#,
                )],
                code: 1,
                with: &["b.json: 2 findings of invalid-json in `ping` held, 0 found: write it anew"],
                ..case("a stale one")
            },
            Case {
                args: &["empty.jsonl", "--write-baseline", "b.json"],
                files: &[("empty.jsonl", "")],
                code: 2,
                without: &["wrote a baseline"],
                ..case("one of nothing")
            },
            Case {
                args: &["a.jsonl", "--write-baseline", "a.jsonl"],
                files: &[("a.jsonl", "{}\n")],
                code: 2,
                ..case("one over its input")
            },
        ],
    );
}

/// Every session of the fixtures, and the demos.
fn sessions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sessions");
    let mut found = Vec::new();
    for folder in fs::read_dir(root).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 10);
    found
}

/// The findings of a file, as records.
fn findings(folder: &Path, file: &str, more: &[&str]) -> Vec<Value> {
    let (_, out, _) = check(folder, &[&[file, "--format", "ndjson"], more].concat());
    let records = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.filter(|record| record["record"] == "finding").collect()
}

#[test]
fn what_a_baseline_was_written_from_is_clean_with_it() {
    let folder = folder("properties", "clean");
    let mut held = 0;
    for path in sessions() {
        let file = path.to_str().unwrap();
        let args = [file, "--fail-on", "note"];
        let (before, ..) = check(&folder, &args);
        let written = check(&folder, &[&args[..], &["--write-baseline", "b.json"]].concat());
        let (after, out, err) = check(&folder, &[&args[..], &["--baseline", "b.json"]].concat());
        if before == 2 {
            assert_eq!((written.0, after), (2, 2), "{file}");
            continue;
        }
        assert_eq!((written.0, after, err.as_str()), (0, 0, ""), "{file}\n{out}");
        assert!(out.contains("no findings"), "{file}\n{out}");
        held += u64::from(before == 1);
    }
    assert!(held > 5, "only {held} sessions had findings");
}

#[test]
fn a_baseline_survives_inserted_lines_and_other_ids() {
    let folder = folder("properties", "moved");
    let text = fs::read_to_string(TROUBLE).unwrap();
    check(&folder, &[TROUBLE, "--write-baseline", "b.json"]);
    // The same before each id keeps the pairs; and what is no JSON counts something else.
    let mut moved = String::from("\n\n");
    for line in text.lines() {
        let quoted = line.replace("\"id\":\"", "\"id\":\"x-").replace("17 pictures", "1234 pictures");
        let number = quoted.find("\"id\":").filter(|at| !quoted[at + 5..].starts_with('"'));
        moved.push_str(&number.map_or(quoted.clone(), |at| format!("{}77{}", &quoted[..at + 5], &quoted[at + 5..])));
        moved.push_str("\n\n");
    }
    fs::write(folder.join("moved.jsonl"), moved).unwrap();
    let (code, out, err) = check(&folder, &["moved.jsonl", "--fail-on", "note", "--baseline", "b.json"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    // Once more than before is new.
    let twice = format!("{text}{text}");
    fs::write(folder.join("twice.jsonl"), twice).unwrap();
    let (code, out, _) = check(&folder, &["twice.jsonl", "--baseline", "b.json"]);
    assert_eq!(code, 1, "{out}");
}

#[test]
fn a_suppression_hides_its_rule_and_no_other() {
    let folder = folder("properties", "apart");
    let mut tried = 0;
    for path in sessions() {
        let file = path.to_str().unwrap();
        let _ = fs::remove_file(folder.join("mcp-trace.toml"));
        let all = findings(&folder, file, &[]);
        let mut by_rule: BTreeMap<&str, usize> = BTreeMap::new();
        all.iter().for_each(|finding| *by_rule.entry(finding["rule"].as_str().unwrap()).or_default() += 1);
        for (rule, count) in by_rule {
            let config = format!("[[suppress]]\nrule = \"{rule}\"\nreason = \"known\"\n");
            fs::write(folder.join("mcp-trace.toml"), config).unwrap();
            let rest: Vec<_> = all.iter().filter(|finding| finding["rule"] != rule).cloned().collect();
            assert_eq!(findings(&folder, file, &[]), rest, "{file} {rule}");
            let (_, out, _) = check(&folder, &[file, "--format", "json"]);
            let summary: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(summary["summary"]["held"]["suppressed"], count, "{file} {rule}");
            // Off is the same, without a count.
            fs::write(folder.join("mcp-trace.toml"), format!("[rules]\n{rule} = \"off\"\n")).unwrap();
            assert_eq!(findings(&folder, file, &[]), rest, "{file} {rule} off");
            tried += 1;
        }
    }
    assert!(tried > 10, "only {tried} rules tried");
}

#[test]
fn the_program_writes_what_it_reads() {
    let folder = folder("properties", "file");
    let (code, _, err) = check(&folder, &[TROUBLE, "--write-baseline", "b.json"]);
    assert_eq!(code, 0);
    let text = fs::read_to_string(folder.join("b.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let sum: u64 = file["findings"].as_array().unwrap().iter().map(|entry| entry["count"].as_u64().unwrap()).sum();
    assert!(err.contains(&format!("wrote a baseline of {sum} findings to b.json")), "{err}");
    let fingerprints: Vec<_> = findings(&folder, TROUBLE, &[]).iter().map(|one| one["fingerprint"].clone()).collect();
    assert_eq!(fingerprints.len() as u64, sum);
    for entry in file["findings"].as_array().unwrap() {
        assert!(fingerprints.contains(&entry["fingerprint"]), "{entry}");
    }
    let part = fs::read_dir(&folder).unwrap().filter(|entry| entry.as_ref().unwrap().file_name() != ".git");
    assert_eq!(part.count(), 1, "nothing is left beside it");
}
