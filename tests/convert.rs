//! What `convert` writes is read again as what it was: over every fixture, over sessions and logs recorded elsewhere
//! where they are there, and over drawn ones.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "convert/har.rs"]
mod har;
#[path = "convert/records.rs"]
mod records;
mod support;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use mcp_trace::annotate::InputStatus;
use mcp_trace::transcript::{EventKind, Flag, MEMBERS, OutlineKind};
use proptest::prelude::*;
use records::{Records, convert, read};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use support::shared;

/// Every file under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if !path.to_str().unwrap().ends_with(".json.gz") && path.extension().is_some_and(|end| end != "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn inputs() -> Vec<PathBuf> {
    let mut inputs = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    inputs.extend(["recordings", "wild"].into_iter().filter_map(shared).flat_map(|folder| files(&folder)));
    // Too large for a test that reads everything four times.
    let damaged = |path: &Path| path.to_str().unwrap().contains("hostile") && path.extension().unwrap() == "gz";
    inputs.retain(|path| !damaged(path));
    inputs.retain(|path| std::fs::metadata(path).unwrap().len() < 2 << 20 && path.extension().unwrap() != "pcap");
    inputs
}

/// Converts, reads again, converts again; gives the records.
fn there_and_back(name: &str, bytes: Vec<u8>) -> Records {
    let (first, text) = convert("jsonl", &[(name, bytes)]);
    for line in text.lines() {
        // Nested as deep as the log, so nothing is decoded.
        let members: HashMap<String, &RawValue> =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
        let known = |member: &str| MEMBERS.iter().any(|(name, _)| *name == member);
        assert!(members.keys().all(|name| known(name)), "{name}: {line}");
    }
    let again = read(&[(name, text.clone().into_bytes())]);
    assert_eq!(again.told.len(), first.told.len(), "{name}: {:#?}\n{text}", first.told);
    for (again, first) in again.told.iter().zip(&first.told) {
        assert_eq!(again, first, "{name}\n{text}");
    }
    if !first.told.is_empty() && first.messages > 0 {
        assert_eq!(again.format, Some("converted"), "{name}\n{text}");
        assert!(again.status == first.status || first.status == Some(InputStatus::Partial), "{name}");
    }
    let (_, twice) = convert("jsonl", &[(name, text.clone().into_bytes())]);
    assert_eq!(twice, text, "{name}");
    first
}

#[test]
fn whatever_is_read_is_written_and_read_again_the_same() {
    let (mut compared, mut messages) = (0, 0);
    for path in inputs() {
        let first = there_and_back(path.file_name().unwrap().to_str().unwrap(), std::fs::read(&path).unwrap());
        compared += 1;
        messages += first.messages;
    }
    println!("{compared} files, {messages} messages");
    assert!(compared > 100 && messages > 1_000, "{compared} files, {messages} messages");
}

#[test]
fn sessions_of_several_inputs_stay_apart() {
    let session = |id: u64| {
        let ask = json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
            "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}});
        format!("{ask}\n{}\n", json!({"jsonrpc": "2.0", "id": id + 1, "method": "ping"})).into_bytes()
    };
    let inputs = [("a.jsonl", session(1)), ("b.jsonl", session(5))];
    let (_, text) = convert("jsonl", &inputs);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> = lines.iter().map(|line| (line["session"].as_str().unwrap(), line["at"].clone())).collect();
    let at = |file: &str, line: u64| json!({"file": file, "line": line});
    let wanted = [("1", at("a.jsonl", 1)), ("1", at("a.jsonl", 2)), ("2", at("b.jsonl", 1)), ("2", at("b.jsonl", 2))];
    assert_eq!(told, wanted);
    let (_, twice) = convert("jsonl", &[("both.jsonl", text.clone().into_bytes())]);
    assert_eq!(twice, text);
    assert_eq!(read(&[("both.jsonl", text.into_bytes())]).sessions, 2);
}

/// The messages of an input as they went over the wire, batches whole: whether the client sent it, the text, and whether
/// it is JSON of a known direction.
fn wire(name: &str, bytes: &[u8]) -> Vec<(bool, String, bool)> {
    let (_, text) = convert("jsonl", &[(name, bytes.to_vec())]);
    let mut found = Vec::new();
    for line in text.lines() {
        let members: HashMap<String, &RawValue> = serde_json::from_str(line).unwrap();
        let client = members["dir"].get() != "\"server->client\"";
        if let Some(msg) = members.get("msg") {
            found.push((client, msg.get().to_owned(), members["dir"].get() != "null"));
        } else if let Some(raw) = members.get("raw") {
            found.push((client, serde_json::from_str(raw.get()).unwrap(), false));
        }
    }
    found
}

/// Text without line ends, which stand between tokens only.
fn one_line((client, text): (bool, String)) -> (bool, String) {
    (client, text.replace(['\n', '\r'], " "))
}

#[test]
fn har_is_valid_and_has_every_message() {
    let schema = jsonschema::validator_for(&har::schema()).unwrap();
    let mut entries = 0;
    for path in inputs() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let (_, text) = convert("har", &[(name, bytes.clone())]);
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Err(error) = schema.validate(&value) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
        entries += value["log"]["entries"].as_array().unwrap().len();
        let mut sent: Vec<_> = har::sent(&value).into_iter().map(one_line).collect();
        let mut wanted: Vec<_> =
            wire(name, &bytes).into_iter().map(|(client, text, _)| one_line((client, text))).collect();
        let of_client = |all: &[(bool, String)]| all.iter().filter(|(client, _)| *client).cloned().collect::<Vec<_>>();
        assert_eq!(of_client(&sent), of_client(&wanted), "{name}: what the client sends is in order");
        sent.sort();
        wanted.sort();
        assert_eq!(sent, wanted, "{name}");
    }
    println!("{entries} entries");
    assert!(entries > 500);
}

#[test]
fn an_entry_is_a_request_and_all_until_its_answer() {
    let line = |way: &str, msg: Value| json!({"ts": "2025-05-17T10:00:00.250Z", "dir": way, "msg": msg}).to_string();
    let (c, s) = ("client->server", "server->client");
    let lines = [
        line(
            c,
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a", "_meta": {"progressToken": 1}}}),
        ),
        line(c, json!({"jsonrpc": "2.0", "id": 2, "method": "ping"})),
        line(
            s,
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}),
        ),
        line(s, json!({"jsonrpc": "2.0", "id": 2, "result": {}})),
        line(s, json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})),
        line(s, json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}})).replace(".250Z", ".500Z"),
        line(c, json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}})),
    ];
    let (_, text) = convert("har", &[("lines", lines.join("\n").into_bytes())]);
    let value: Value = serde_json::from_str(&text).unwrap();
    let told: Vec<_> = value["log"]["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let response = &entry["response"];
            let events = response["content"]["text"].as_str().unwrap().matches("data: ").count();
            (
                entry["request"]["method"].as_str().unwrap(),
                response["status"].as_u64().unwrap(),
                events,
                entry["time"].as_f64().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [("POST", 200, 2, 250.0), ("POST", 200, 0, 0.0), ("GET", 200, 1, 0.0), ("POST", 202, 0, 0.0)]);
}

#[test]
fn open_entries_of_har_are_bounded_and_late_answers_are_kept() {
    let mut text = String::new();
    let asked = 1_500;
    for id in 0..asked {
        text.push_str(&format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "ping"})));
    }
    for id in 0..asked {
        text.push_str(&format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "result": {}})));
    }
    let (_, har) = convert("har", &[("many", text.into_bytes())]);
    let value: Value = serde_json::from_str(&har).unwrap();
    assert_eq!(har::sent(&value).len(), 2 * asked);
    assert!(value["log"]["entries"].as_array().unwrap().len() > asked);
}

#[test]
fn txtar_has_each_sides_messages_in_order() {
    let mut messages = 0;
    for path in inputs() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let (_, text) = convert("txtar", &[(name, bytes.clone())]);
        let (client, server) = text.strip_prefix("-- client --\n").unwrap().split_once("-- server --\n").unwrap();
        let wire: Vec<_> = wire(name, &bytes).into_iter().filter(|(_, _, json)| *json).collect();
        messages += wire.len();
        for (section, of_client) in [(client, true), (server, false)] {
            let wanted: Vec<_> =
                wire.iter().filter(|(client, ..)| *client == of_client).map(|(_, text, _)| text.as_str()).collect();
            assert_eq!(section.lines().collect::<Vec<_>>(), wanted, "{name}");
        }
    }
    assert!(messages > 1_000);
}

#[test]
fn what_a_format_does_not_hold_is_told() {
    let log = "fixtures/formats/claude-desktop/2025-11-25-handshake.compact.log";
    for (to, said) in [("har", true), ("txtar", true), ("jsonl", false)] {
        let output = program(&["convert", "--to", to, log]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told.contains("left out what this format does not hold: 10 messages, "), said, "{to}: {told}");
    }
}

/// The program on files of the project.
fn program(arguments: &[&str]) -> std::process::Output {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_mcp-trace"));
    command.env_clear().current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().unwrap()
}

#[test]
fn what_was_not_read_whole_is_told_and_the_rest_is_valid() {
    let good = "fixtures/sessions/2025-11-25/handshake.jsonl";
    let lines = |output: &std::process::Output| {
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        text.lines().inspect(|line| assert!(serde_json::from_str::<Value>(line).is_ok())).count()
    };
    let whole = program(&["convert", good]);
    assert_eq!((whole.status.code(), lines(&whole), whole.stderr.len()), (Some(0), 10, 0));
    for (file, count) in [
        ("fixtures/hostile/empty.jsonl", 0),
        ("fixtures/hostile/only-noise.log", 5),
        ("fixtures/hostile/truncated-last-line.jsonl", 5),
        ("no-such-file", 0),
    ] {
        let output = program(&["convert", file, good, "--to", "jsonl"]);
        assert_eq!((output.status.code(), lines(&output)), (Some(2), 10 + count), "{file}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with("mcp-trace: ") && told.contains(file), "{file}: {told}");
    }
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("converted.jsonl");
    std::fs::write(&place, "earlier").unwrap();
    let name = place.to_str().unwrap();
    assert_eq!(program(&["convert", "fixtures/hostile/empty.jsonl", "-o", name]).status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&place).unwrap(), "earlier");
    assert_eq!(program(&["convert", good, "-o", name]).status.code(), Some(0));
    assert_eq!(std::fs::read(&place).unwrap(), whole.stdout);
    let refused = program(&["convert", name, "-o", name]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("is an input"));
}

/// One line of a log, with anything in its place.
fn line() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        any::<String>(),
        Just("{\"jsonrpc\":\"2.0\",\"id\":1,".to_owned()),
        Just("not { json".to_owned()),
        Just(" \u{2028}\u{9b}\\ud800\u{0} ".to_owned()),
    ];
    let message = prop_oneof![
        (any::<u64>(), text.clone())
            .prop_map(|(id, text)| json!({"jsonrpc": "2.0", "id": id, "method": text, "params": {"t": text}})),
        (any::<i32>(), text.clone())
            .prop_map(|(id, text)| json!({"jsonrpc": "2.0", "id": id % 9, "result": {"content": [text]}})),
        text.clone().prop_map(|text| json!({"jsonrpc": "2.0", "method": "notifications/message", "params": [text]})),
        text.clone().prop_map(|text| json!({"id": text, "error": {"code": -32601, "message": text}})),
        Just(json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, [], 7, {"jsonrpc": "2.0", "id": 1, "result": {}}])),
        Just(json!({"neither": true})),
        Just(json!(5)),
    ];
    let word = |words: Vec<&'static str>| prop::option::of(prop::sample::select(words));
    let carrier = prop_oneof![
        4 => message.clone().prop_map(|message| json!({ "msg": message })),
        1 => message.prop_map(|message| json!({ "msg": message.to_string() })),
        1 => text.clone().prop_map(|text| json!({ "raw": text })),
        1 => text.clone().prop_map(|text| json!({ "raw": text, "origin": "labelled" })),
        1 => (prop::sample::select(&EventKind::ALL[..]), text.clone())
            .prop_map(|(kind, text)| json!({ "event": kind.as_str(), "text": text })),
        1 => (prop::sample::select(&OutlineKind::ALL[..]), prop::option::of(text.clone()), prop::option::of(0..9))
            .prop_map(|(kind, method, id)| json!({ "outline":
                { "kind": kind.as_str(), "method": method, "id_raw": id.map(|id: i32| id.to_string()) } })),
    ];
    let time = prop_oneof![
        Just(None),
        (0_i64..9_999_999, 0_usize..4).prop_map(|(millis, digits)| {
            let at = mcp_trace_time(1_700_000_000_000 + millis);
            Some(format!("{at:.digits$}"))
        }),
        Just(Some("2025-05-17 10:00:00.5".to_owned())),
        Just(Some("yesterday".to_owned())),
    ];
    let flags = prop::collection::vec(
        prop::sample::select(vec![Flag::Elided, Flag::Truncated, Flag::BadUtf8, Flag::Replayed]),
        0..2,
    );
    let around = (
        time,
        word(vec!["client->server", "s2c", "sideways"]),
        word(vec!["inferred"]),
        word(vec!["elapsed", "zone-assumed"]),
        prop::option::of("[a-b\"é]{1,2}"),
        prop::option::of("[a-b]{1,2}"),
        flags,
    );
    (around, carrier).prop_map(|((time, way, way_basis, time_basis, session, server, flags), carrier)| {
        let mut line = json!({ "ts": time, "dir": way, "session": session, "server": server, "dir_basis": way_basis,
            "ts_basis": time_basis, "flags": flags.iter().map(|flag| flag.as_str()).collect::<Vec<_>>() });
        line.as_object_mut().unwrap().extend(carrier.as_object().unwrap().clone());
        line.to_string()
    })
}

fn mcp_trace_time(millis: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_millisecond(millis).unwrap()
}

proptest! {
    #[test]
    fn whatever_can_be_told_is_kept(lines in prop::collection::vec(line(), 1..12)) {
        let first = r#"{"ts":null,"dir":"client->server","msg":{"jsonrpc":"2.0","id":0,"method":"ping"}}"#;
        there_and_back("drawn", format!("{first}\n{}\n", lines.join("\n")).into_bytes());
    }

    #[test]
    fn any_text_is_survived(text in "[\\PC\n{}\"]{0,200}") {
        there_and_back("drawn", text.into_bytes());
    }
}
