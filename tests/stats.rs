//! `mcp-trace stats`: its figures against a count of their own, over recorded sessions and the project's fixtures; merging;
//! what its outputs say, and that they are safe.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "stats/count.rs"]
mod count;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use proptest::prelude::{ProptestConfig, prop, prop_assert_eq, proptest};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use mcp_trace::annotate::{Record, Trace};
use mcp_trace::pipeline::{self, Job, Sink};
use mcp_trace::render::{COLUMNS, Look, STATS_OUTPUTS, Shown, Sort, read_stats};
use mcp_trace::stats::{Counter, Field, Figures};
use mcp_trace::transcript::ReadOptions;
use support::shared;

const FORMATS: [&str; 6] = ["table", "json", "ndjson", "csv", "markdown", "prometheus"];

fn stats(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-trace"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_clear().arg("stats").args(arguments);
    command
}

fn output(arguments: &[&str]) -> String {
    let output = stats(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let text = output(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

/// Every file below a folder of fixtures.
fn fixtures(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            match Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).is_dir() {
                true => folders.push(path),
                false => found.push(path.to_str().unwrap().to_owned()),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn recorded_sessions_are_counted_as_their_recorder_knows_them() {
    let Some(folder) = shared("recordings") else {
        return eprintln!("SKIPPED: there are no recordings beside the project");
    };
    let mut compared = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path();
        if folder.is_dir() {
            let figures = |by: &str| json(&["--by", by, count::timed(&folder).to_str().unwrap()]);
            count::compare(&folder, &figures);
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} recordings found");
}

#[test]
fn fixtures_are_counted_as_their_truth_says() {
    let by = ["session", "direction", "kind", "method", "phase"];
    let mut compared = 0;
    for truth in fixtures("fixtures/sessions").iter().filter(|name| name.ends_with(".truth.json")) {
        let told: Vec<Value> = serde_json::from_str(&fs::read_to_string(truth).unwrap()).unwrap();
        let figures = json(&["--by", &by.join(","), &truth.replace(".truth.json", ".jsonl")]);
        let mut wanted: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        let mut waiting = BTreeSet::new();
        for message in &told {
            *wanted.entry(by.map(|name| message[name].to_string()).to_vec()).or_default() += 1;
            if message["kind"] == "request" {
                waiting.insert(message["n"].as_u64());
            }
        }
        told.iter().for_each(|message| _ = waiting.remove(&message["answers"].as_u64()));
        let table = figures["groups"].as_array().unwrap().last().unwrap();
        let rows = table["rows"].as_array().unwrap().iter().map(|row| {
            let values = row["values"].as_array().unwrap().iter();
            let messages = row["figures"]["messages"].as_u64().unwrap();
            (values.map(|value| value.to_string()).collect::<Vec<_>>(), messages)
        });
        assert_eq!(rows.collect::<BTreeMap<_, _>>(), wanted, "{truth}");
        assert_eq!(figures["total"]["unanswered"].as_u64(), Some(waiting.len() as u64), "{truth}");
        compared += told.len();
    }
    assert!(compared > 150, "only {compared} messages compared");
    let everything = json(&["fixtures/sessions/2025-11-25/everything.jsonl"]);
    let total = &everything["total"];
    assert_eq!([&total["cancelled"], &total["late"], &total["tool_errors"]], [1, 1, 1], "one of each stands in it");
}

struct Counting(Counter);

impl Sink for Counting {
    fn record(&mut self, record: &Record<'_>) -> std::io::Result<()> {
        self.0.record(record);
        Ok(())
    }
}

fn counted<'a>(inputs: impl Iterator<Item = &'a String>) -> Figures {
    let mut counting = Counting(Counter::new(Figures::new(Some(&[Field::File, Field::Session, Field::Status]))));
    for input in inputs {
        let job = Job {
            trace: Trace { command: "stats", filter: None, inputs: vec![input.clone()] },
            from: None,
            read: ReadOptions::default(),
            redact: None,
            filter: None,
            interrupt: Default::default(),
        };
        pipeline::run(&job, &mut counting).unwrap();
    }
    counting.0.finish()
}

fn written(figures: &Figures, format: &str) -> Vec<u8> {
    let look = Look { width: 100, color: false, ascii: false };
    let shown = Shown { figures, by: None, top: None, sort: Sort::Column(&COLUMNS[0]), look };
    let mut out = Vec::new();
    let output = STATS_OUTPUTS.iter().find(|output| output.name == format).unwrap();
    (output.write)(&shown, &mut out).unwrap();
    out
}

fn everything() -> Vec<String> {
    ["fixtures/sessions", "fixtures/hostile", "fixtures/silent", "fixtures/formats/har", "fixtures/formats/vscode"]
        .into_iter()
        .flat_map(fixtures)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn shards_merge_to_the_bytes_of_the_whole(shards in prop::collection::vec(0_usize..4, 200..=200)) {
        let inputs = everything();
        assert!(inputs.len() > 60 && inputs.len() < 200, "{} inputs", inputs.len());
        let whole = written(&counted(inputs.iter()), "json");
        let mut merged: Option<Figures> = None;
        // The last first, so that the order of the parts is another as well.
        for shard in (0..4).rev() {
            let part = counted(inputs.iter().zip(&shards).filter(|(_, own)| **own == shard).map(|(input, _)| input));
            let text = String::from_utf8(written(&part, "json")).unwrap();
            let read = read_stats(text.as_bytes()).next().unwrap().unwrap();
            prop_assert_eq!(&read, &part, "what is read is not what was written");
            match &mut merged {
                None => merged = Some(read),
                Some(merged) => merged.merge(&read).unwrap(),
            }
        }
        let merged = String::from_utf8(written(&merged.unwrap(), "json")).unwrap();
        prop_assert_eq!(merged, String::from_utf8(whole).unwrap());
    }
}

#[test]
fn merging_on_the_command_line_gives_the_bytes_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = fixtures("fixtures/sessions");
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let (first, second) = inputs.split_at(inputs.len() / 3);
    let mut parts = Vec::new();
    for (name, part) in [("a.json", first), ("b.json", second)] {
        let place = folder.path().join(name);
        fs::write(&place, output(&[part, &["--format", "json", "--by", "server,method"]].concat())).unwrap();
        parts.push(place.to_str().unwrap().to_owned());
    }
    for format in FORMATS {
        let by = ["--format", format, "--by", "server,method"];
        let whole = output(&[&inputs[..], &by].concat());
        let merged = output(&[&["--merge", &parts[1], &parts[0]][..], &by].concat());
        assert_eq!(merged, whole, "{format}");
    }
    // Parts that stand one behind the other, as a pipe of many workers gives them.
    let stream: Vec<u8> = parts.iter().flat_map(|part| fs::read(part).unwrap()).collect();
    let by = ["--format", "json", "--by", "server,method"];
    let piped = |stream: &[u8]| {
        let mut merge = stats(&[&["--merge", "-"][..], &by].concat());
        let done = merge.write_stdin(stream).output().unwrap();
        (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap())
    };
    let whole = output(&[&inputs[..], &by].concat());
    assert!(piped(&stream) == (whole, String::new()), "a stream of parts is not the whole");
    for (cut, wanted) in [(&stream[..stream.len() - 9], "found EOF"), (&[][..], "found nothing")] {
        let (merged, told) = piped(cut);
        assert!(told.contains(wanted) && merged.contains("\"complete\":false"), "{told}");
    }
    let broken = folder.path().join("c.json");
    fs::write(&broken, "{}").unwrap();
    let output = stats(&["--merge", &parts[0], broken.to_str().unwrap(), "--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(figures["complete"], false);
    assert!(figures["total"]["messages"].as_u64().unwrap() > 0, "a bad part loses the others");
    let other = folder.path().join("d.json");
    fs::write(&other, self::output(&[first, &["--format", "json"]].concat())).unwrap();
    let output = stats(&["--merge", &parts[0], other.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("d.json: expected the same `--by`"));
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    for format in FORMATS {
        let run = |threads: &str| {
            let arguments = [
                "fixtures/sessions",
                "fixtures/hostile",
                "--threads",
                threads,
                "--format",
                format,
                "--by",
                "file,session,method",
            ];
            let output = stats(&arguments).output().unwrap();
            (output.status.code(), output.stdout, output.stderr)
        };
        assert!(run("1") == run("5"), "{format} differs");
    }
}

#[test]
fn one_bad_file_never_loses_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let session = fs::read_to_string("fixtures/sessions/2025-11-25/handshake.jsonl").unwrap();
    copy("good.jsonl", &session);
    copy("empty.jsonl", "");
    copy("noise.log", "nothing of the kind\n");
    copy(".hidden.jsonl", &session);
    let missing = folder.path().join("missing.jsonl");
    for format in FORMATS {
        let arguments =
            [folder.path().to_str().unwrap(), missing.to_str().unwrap(), "--format", format, "--width", "100"];
        let output = stats(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{format}");
        let (text, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        let told = match format {
            "table" => text.contains("incomplete: 3 of 4 inputs not read whole") && text.contains("10 messages"),
            "json" => text.contains("\"complete\":false") && text.contains("missing.jsonl"),
            "ndjson" => text.lines().all(|line| line.contains("\"complete\":false")),
            "csv" => text.lines().skip(1).all(|line| line.contains(",false,")),
            "markdown" => text.starts_with("**Incomplete**: 3 of 4 inputs"),
            _ => text.contains("\nmcp_trace_complete 0\n") && text.contains("\nmcp_trace_inputs_not_whole 3\n"),
        };
        assert!(told, "{format} does not say it:\n{text}");
        for name in ["empty.jsonl", "noise.log", "missing.jsonl"] {
            assert!(errors.contains(&format!("{name}: expected")), "{name} is not told:\n{errors}");
        }
    }
    let good = folder.path().join("good.jsonl");
    for format in FORMATS {
        let output = stats(&[good.to_str().unwrap(), "--format", format]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert!(!String::from_utf8(output.stdout).unwrap().to_lowercase().contains("incomplete:"), "{format}");
    }
}

#[test]
fn inputs_are_found_by_folder_pattern_and_list() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let session = fs::read_to_string("fixtures/sessions/2025-11-25/handshake.jsonl").unwrap();
    fs::create_dir(path("deep")).unwrap();
    for name in ["a.jsonl", "b.jsonl", "deep/c.log", "deep/.d"] {
        fs::write(path(name), &session).unwrap();
    }
    let found = |arguments: &[&str]| json(arguments)["inputs"]["ok"].as_u64().unwrap();
    assert_eq!(found(&[&path("")]), 3);
    assert_eq!(found(&[&path("*.jsonl")]), 2);
    assert_eq!(found(&[&path("d*")]), 1, "a pattern that means a folder");
    assert_eq!(found(&[&path("a.jsonl"), &path("a.jsonl")]), 1, "once however often it is named");
    fs::write(path("deep/list"), format!("{}\r\n\n{}\n", path("a.jsonl"), path("deep/.d"))).unwrap();
    assert_eq!(found(&["--files-from", &path("deep/list")]), 2);
    fs::write(path("deep/list"), format!("{}\0{}\0", path("a.jsonl"), path("b.jsonl"))).unwrap();
    assert_eq!(found(&["--files-from", &path("deep/list"), &path("deep/c.log")]), 3);
    let from_stdin = stats(&["--files-from", "-", "--format", "json"]).write_stdin(path("b.jsonl")).output().unwrap();
    let figures: Value = serde_json::from_slice(&from_stdin.stdout).unwrap();
    assert_eq!(figures["inputs"]["ok"], 1);
    fs::remove_file(path("deep/c.log")).unwrap();
    let output = stats(&[&path("deep/*.none"), &path("a.jsonl")]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected files that fit the pattern, found none"));
}

#[test]
fn nothing_leaves_its_line_or_its_width() {
    let inputs = everything();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    for width in ["40", "60", "80", "120", "200"] {
        for ascii in [false, true] {
            let mut arguments = [&inputs[..], &["--width", width, "--top", "500"]].concat();
            if ascii {
                arguments.push("--ascii");
            }
            for by in [&["--by", "target,server,revision"][..], &[]] {
                let text = output(&[&arguments[..], by].concat());
                for line in text.lines() {
                    assert!(line.width() <= width.parse().unwrap(), "{width}: {line:?}");
                    assert!(!line.chars().any(char::is_control), "{line:?}");
                    assert!(!ascii || line.is_ascii(), "{line:?}");
                }
            }
        }
    }
}

#[test]
fn hostile_names_stay_in_their_cells() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("x.jsonl");
    let names = ["=1+1|`a`\u{1b}[31m", "\"},\n\\n|\t", "a,b\r\nc\u{202e}"];
    let lines: Vec<String> = names
        .iter()
        .map(|name| {
            let params = serde_json::json!({ "name": name, "arguments": {} });
            serde_json::json!({ "jsonrpc": "2.0", "id": name, "method": "tools/call", "params": params }).to_string()
        })
        .collect();
    fs::write(&place, lines.join("\n")).unwrap();
    let text = |format: &str| output(&[place.to_str().unwrap(), "--by", "target", "--format", format]);
    let ndjson = text("ndjson");
    let told: BTreeSet<String> = ndjson
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).unwrap()["target"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(told, names.iter().map(|name| (*name).to_owned()).collect());
    let csv = text("csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let cells: Vec<String> = reader.records().skip(1).map(|row| row.unwrap()[2].to_owned()).collect();
    assert!(cells.contains(&format!("'{}", names[0])) && cells.contains(&names[1].to_owned()), "{cells:?}");
    for format in ["markdown", "prometheus", "table"] {
        let text = text(format);
        assert!(!text.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{format}: {text:?}");
    }
    assert_eq!(text("markdown").lines().count(), 2 + 1 + names.len());
    let labels = text("prometheus");
    let labels = labels.lines().filter(|line| line.starts_with("mcp_trace_messages_total{target=\""));
    assert!(labels.clone().all(|line| line.ends_with("\"} 1")), "{:?}", labels.collect::<Vec<_>>());
}

#[test]
fn groups_are_sorted_and_cut() {
    let file = "fixtures/sessions/2025-11-25/everything.jsonl";
    let names = |arguments: &[&str]| -> Vec<String> {
        let text = output(&[&[file, "--format", "ndjson", "--by", "method"][..], arguments].concat());
        let values = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        values.map(|value| value["method"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&["--top", "1"]), ["tools/call"]);
    assert_eq!(names(&["--top", "2", "--sort", "method"]), ["completion/complete", "elicitation/create"]);
    assert_eq!(names(&["--top", "2", "--sort", "error_responses"]), ["harbour/fog_horn", "tasks/cancel"]);
    for (wrong, told) in [
        (&["--sort", "mesages"][..], "did you mean `messages`?"),
        (&["--sort", "server"], "cannot sort by `server`"),
        (&["--by", "metod"], "did you mean `method`?"),
        (&["--by", "method,method"], "stands twice"),
    ] {
        let output = stats(&[&[file][..], wrong].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(told), "{wrong:?}: {text}");
    }
}

#[test]
fn the_object_is_valid_against_the_schema() {
    let schema = Command::new(env!("CARGO_BIN_EXE_mcp-trace")).arg("schema").output().unwrap();
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let figures = json(&["fixtures/sessions", "fixtures/hostile", "--by", "session,late"]);
    assert!(validator.is_valid(&figures), "{:?}", validator.iter_errors(&figures).next().map(|e| e.to_string()));
    for member in figures.as_object().unwrap().keys() {
        let mut less = figures.clone();
        less.as_object_mut().unwrap().remove(member);
        assert!(!validator.is_valid(&less), "`{member}` is not required");
    }
}
