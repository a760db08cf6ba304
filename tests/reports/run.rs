//! `check` as CI runs it: exit codes, thresholds, several files, standard input, closed pipes, and every format as it was
//! looked at.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::{CLEAN, TROUBLE, check, formats, json};

#[test]
fn every_format_is_as_it_was_looked_at() {
    for format in formats().filter(|format| !format.ends_with("json")) {
        for (name, input) in [("broken", TROUBLE), ("clean", CLEAN)] {
            let (code, report, told) = check(&["--format", format, input]);
            assert_eq!((code, told.as_str()), (i32::from(name == "broken"), ""), "{format}");
            insta::assert_snapshot!(format!("check_{format}_{name}"), short(format, &report));
        }
    }
}

/// A report without what every new rule changes: the rules that it lists, and their number.
fn short(format: &str, report: &str) -> String {
    match format {
        "junit" => {
            let kept = report.lines().filter(|line| !line.ends_with("/>") || line.contains("<property"));
            let report: String = kept.flat_map(|line| [line, "\n"]).collect();
            regex::Regex::new(r#" tests="\d{2,}""#).unwrap().replace_all(&report, " tests=\"…\"").into_owned()
        }
        "sarif" => {
            let mut report = json(report);
            let run = &mut report["runs"][0];
            run["tool"]["driver"]["rules"].as_array_mut().unwrap().truncate(1);
            for result in run["results"].as_array_mut().unwrap() {
                result.as_object_mut().unwrap().remove("ruleIndex");
            }
            format!("{report:#}")
        }
        _ => report.to_owned(),
    }
}

#[test]
fn every_format_has_the_same_verdict() {
    let quiet = ["--rule", "capability-not-negotiated=warning", "--rule", "response-without-request=warning"];
    let notes = [
        "--rule",
        "capability-not-negotiated=note",
        "--rule",
        "response-without-request=note",
        "--rule",
        "invalid-json=note",
    ];
    for format in formats() {
        for (input, rules, codes) in [
            (TROUBLE, &[][..], [1, 1, 1, 0]),
            (TROUBLE, &quiet, [0, 1, 1, 0]),
            (TROUBLE, &notes, [0, 0, 1, 0]),
            (CLEAN, &[], [0, 0, 0, 0]),
        ] {
            for (threshold, wanted) in ["error", "warning", "note", "never"].iter().zip(codes) {
                let args = [&["--format", format, "--fail-on", threshold, input], rules].concat();
                let (code, report, told) = check(&args);
                assert_eq!(code, wanted, "{args:?}\n{told}{report}");
            }
        }
        let (code, _, _) = check(&["--format", format, CLEAN, TROUBLE]);
        assert_eq!(code, 1, "{format}: one of two is broken");
        let (code, _, told) = check(&["--format", format, "--fail-on", "always", CLEAN]);
        assert!(code == 2 && told.contains("possible values: error, warning, note, never"), "{told}");
    }
}

#[test]
fn every_format_says_what_was_only_supposed() {
    for format in formats() {
        let (_, report, _) = check(&["--format", format, "--without", "server.tools", CLEAN]);
        assert!(
            report.contains("would not be allowed; lost: tools") || report.contains("\"without server.tools\""),
            "{format}: {report}"
        );
        let (_, report, _) = check(&["--format", format, CLEAN]);
        assert!(!report.contains("without server.tools"), "{format}: {report}");
    }
}

#[test]
fn findings_of_several_files_name_their_file() {
    let other = "fixtures/hostile/ids.jsonl";
    for format in formats() {
        let (_, report, _) = check(&["--format", format, TROUBLE, other]);
        assert!(report.contains(TROUBLE) && report.contains(other), "{format}: {report}");
    }
}

#[test]
fn standard_input_is_judged_like_a_file() {
    for format in formats() {
        for files in [&[][..], &["-"]] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-trace"))
                .args(["check", "--format", format])
                .args(files)
                .env_clear()
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            child.stdin.take().unwrap().write_all(&std::fs::read(TROUBLE).unwrap()).unwrap();
            let output = child.wait_with_output().unwrap();
            let report = String::from_utf8(output.stdout).unwrap();
            let named = report.contains("stdin.jsonl")
                || report.contains("standard input")
                || report.contains("\"-\"")
                || report.contains(" -:");
            assert!(output.status.code() == Some(1) && named, "{format}: {report}");
        }
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let trouble = std::fs::read_to_string(TROUBLE).unwrap().repeat(2_000);
    let place = crate::program::folder("closed", "pipe");
    std::fs::write(place.join("long.jsonl"), trouble).unwrap();
    for format in formats() {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-trace"))
            .args(["check", "--format", format, "long.jsonl"])
            .current_dir(&place)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        // What is short enough fits into the pipe, and its verdict stands.
        assert!(matches!(output.status.code(), Some(0 | 1)) && told.is_empty(), "{format}: {:?} {told}", output.status);
        assert!(format == "markdown" || output.status.code() == Some(0), "{format} writes more than a pipe holds");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for format in formats() {
        assert_eq!(check(&["--format", format, TROUBLE]), check(&["--format", format, TROUBLE]), "{format}");
    }
}
