//! Every format over every kind of input that is no verdict: exit code 2, a line on standard error, and a word in the report.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{check, folder};
use crate::{CLEAN, formats, json};

/// Makes an input in a folder and gives its name there.
struct Bad {
    name: &'static str,
    make: fn(&Path),
}

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn copy(from: &str, to: PathBuf) {
    fs::copy(Path::new(ROOT).join(from), to).unwrap();
}

const BAD: &[Bad] = &[
    Bad { name: "missing.jsonl", make: |_| {} },
    Bad { name: "empty.jsonl", make: |at| fs::write(at.join("empty.jsonl"), "").unwrap() },
    Bad { name: "blank.jsonl", make: |at| fs::write(at.join("blank.jsonl"), "\n \n\n").unwrap() },
    Bad { name: "noise.log", make: |at| fs::write(at.join("noise.log"), "listening\nready\n").unwrap() },
    Bad { name: "other.json", make: |at| fs::write(at.join("other.json"), "{\"a\":1}\n").unwrap() },
    Bad { name: "binary.bin", make: |at| copy("fixtures/hostile/binary.bin", at.join("binary.bin")) },
    Bad { name: "half.jsonl.gz", make: |at| copy("fixtures/hostile/truncated.jsonl.gz", at.join("half.jsonl.gz")) },
    Bad { name: "corrupt.jsonl.gz", make: |at| copy("fixtures/hostile/corrupt.jsonl.gz", at.join("corrupt.jsonl.gz")) },
    Bad { name: "silent.log", make: |at| copy("fixtures/silent/cursor.log", at.join("silent.log")) },
    Bad { name: "folder.jsonl", make: |at| fs::create_dir(at.join("folder.jsonl")).unwrap() },
];

/// Whether a record says that an input was not read.
fn unread(record: &serde_json::Value, input: &str) -> bool {
    let ends = record["record"] == "input" && record["file"] == input;
    ends && record["status"] != "ok" && record["error"].is_string()
}

/// Whether a report says that this input was not read, and that the run is no verdict.
fn says_unread(format: &str, report: &str, input: &str) -> bool {
    match format {
        "text" => report.contains("not everything was read") && report.contains(&format!("  {input}: ")),
        "json" => {
            let report = json(report);
            let records = report["records"].as_array().unwrap();
            report["summary"]["complete"] == false && records.iter().any(|record| unread(record, input))
        }
        "ndjson" => {
            let records: Vec<_> = report.lines().map(json).collect();
            records.last().unwrap()["complete"] == false && records.iter().any(|record| unread(record, input))
        }
        "sarif" => {
            let report = json(report);
            let invocation = &report["runs"][0]["invocations"][0];
            let bad = |remark: &serde_json::Value| {
                remark["descriptor"]["id"] == "not-read"
                    && remark["level"] == "error"
                    && remark["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == input
            };
            let remarks = invocation["toolExecutionNotifications"].as_array().unwrap();
            invocation["executionSuccessful"] == false && invocation["exitCode"] == 2 && remarks.iter().any(bad)
        }
        "junit" => {
            let report = roxmltree::Document::parse(report).unwrap();
            let bad = |node: roxmltree::Node<'_, '_>| {
                node.has_tag_name("error") && node.parent().unwrap().attribute("classname") == Some(input)
            };
            report.root_element().attribute("errors") != Some("0") && report.descendants().any(bad)
        }
        "github" => {
            let last = report.lines().last().unwrap();
            let bad = |line: &str| line.contains(&format!("{input}: ")) && line.contains("error");
            last.starts_with("::error ") && last.contains("no verdict") && report.lines().any(bad)
        }
        "gitlab" => json(report).as_array().unwrap().iter().any(|entry| {
            entry["check_name"] == "not-read" && entry["severity"] == "blocker" && entry["location"]["path"] == input
        }),
        "markdown" => report.contains("⚠️ no verdict") && report.contains(&format!("`{input}` is ")),
        _ => panic!("nobody has said how {format} tells that an input was not read"),
    }
}

#[test]
fn no_format_is_green_over_what_was_not_read() {
    let mut wrong = Vec::new();
    for bad in BAD {
        let place = folder("not-read", bad.name);
        (bad.make)(&place);
        copy(CLEAN, place.join("clean.jsonl"));
        for format in formats() {
            for inputs in [&[bad.name][..], &["--fail-on", "never", "clean.jsonl", bad.name]] {
                let args = [&["--format", format], inputs].concat();
                let (code, report, told) = check(&place, &args);
                if code != 2 || !told.contains(bad.name) || !says_unread(format, &report, bad.name) {
                    wrong.push(format!("{args:?}: exit code {code}\n{told}{report}"));
                }
                if says_unread(format, &report, "clean.jsonl") {
                    wrong.push(format!("{args:?}: says that clean.jsonl was not read\n{report}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_was_read_is_not_said_to_be_unread() {
    let place = folder("not-read", "clean");
    copy(CLEAN, place.join("clean.jsonl"));
    for format in formats() {
        let (code, report, told) = check(&place, &["--format", format, "clean.jsonl"]);
        assert_eq!((code, told.as_str()), (0, ""), "{format}");
        assert!(!says_unread(format, &report, "clean.jsonl"), "{report}");
    }
}

#[test]
fn an_empty_standard_input_is_no_verdict() {
    for format in formats() {
        let (code, report, told) = check(Path::new(ROOT), &["--format", format]);
        let name = match format {
            "sarif" | "gitlab" => "stdin.jsonl",
            "junit" | "github" | "markdown" => "standard input",
            _ => "-",
        };
        assert!(code == 2 && told.contains("standard input") && says_unread(format, &report, name), "{told}{report}");
    }
}

#[test]
fn a_report_is_written_to_its_file_also_when_something_was_not_read() {
    for format in formats() {
        let place = folder("not-read-file", format);
        fs::write(place.join("empty.jsonl"), "").unwrap();
        copy(CLEAN, place.join("clean.jsonl"));
        for inputs in [&["empty.jsonl"][..], &["clean.jsonl", "empty.jsonl"]] {
            let (code, out, _) = check(&place, &[&["--format", format, "-o", "report"], inputs].concat());
            let report = fs::read_to_string(place.join("report")).unwrap();
            assert!(code == 2 && out.is_empty() && says_unread(format, &report, "empty.jsonl"), "{report}");
        }
    }
}
