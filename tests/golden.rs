//! What the program prints for the project's own sessions, as it was looked at; and every JSON output of every fixture
//! against the published schema.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn run(arguments: &[&str], file: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mcp-trace"))
        .current_dir(root())
        .env_clear()
        .args(arguments)
        .arg("--")
        .arg(file)
        .output()
        .unwrap()
}

/// Every file of a folder and those below, relative to the crate.
fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            if root().join(&path).is_dir() {
                folders.push(path);
            } else if !path.to_str().unwrap().ends_with(".truth.json") {
                found.push(path.to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn sessions_look_as_they_were_looked_at() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots/sessions");
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    let sessions: Vec<_> = files("fixtures/sessions").into_iter().filter(|file| file.ends_with(".jsonl")).collect();
    assert!(sessions.len() > 12);
    for file in sessions {
        let name = file.strip_prefix("fixtures/sessions/").unwrap().strip_suffix(".jsonl").unwrap().replace('/', "-");
        for (view, arguments) in [("table", &["--width", "120"][..]), ("records", &["--format", "ndjson"][..])] {
            let output = run(arguments, &file);
            assert!(output.stderr.is_empty(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
            insta::assert_snapshot!(format!("{name}.{view}"), String::from_utf8(output.stdout).unwrap());
        }
    }
}

#[test]
fn every_output_of_every_fixture_is_as_the_schema_says() {
    let schema = mcp_trace::render::schema();
    let valid = jsonschema::validator_for(&schema).unwrap();
    let mut records = 0;
    for file in files("fixtures") {
        for payload in [&["--format", "ndjson"][..], &["--format", "ndjson", "--payload"]] {
            let output = run(payload, &file);
            for line in std::str::from_utf8(&output.stdout).unwrap().lines() {
                let record: Value =
                    serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}: {line}"));
                if let Some(error) = valid.iter_errors(&record).next() {
                    panic!("{file}: {error} in {line}");
                }
                records += 1;
            }
        }
        let output = run(&["--format", "json"], &file);
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(valid.is_valid(&document), "{file}");
        let exit = document["summary"]["exit_code"].as_i64();
        assert_eq!(exit, output.status.code().map(i64::from), "{file}");
        if exit != Some(0) {
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(told.lines().count(), 1, "{file}: {told}");
            assert!(told.contains("expected") || told.contains("cut off"), "{file}: {told}");
        }
    }
    println!("{records} records valid");
    assert!(records > 2_000);
}
