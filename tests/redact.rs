//! `--redact`: secrets planted in every place that a transcript has are in no output of a run, in no form; and what is
//! not secret stays as it is.
#![allow(clippy::unwrap_used)]

#[path = "redact/plant.rs"]
mod plant;

use std::path::{Path, PathBuf};
use std::process::Output;

use mcp_trace::redact::{Field, Redaction, Redactor};
use plant::{Plant, forms};
use proptest::prelude::*;
use serde_json::{Value, json};

fn redactor(fields: &[&str]) -> Redactor {
    Redactor::new(&Redaction { fields: fields.iter().map(|field| Field::parse(field).unwrap()).collect() })
}

fn message(fields: &[&str], text: &str) -> String {
    redactor(fields).message(text).unwrap_or_else(|| text.to_owned())
}

fn program(arguments: &[&str]) -> Output {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_mcp-trace"));
    command.env_clear().current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().unwrap()
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn no_output_of_the_program_has_a_planted_secret() {
    for seed in 0..1 {
        let plant = Plant::new(seed);
        for (name, text) in [("redact.jsonl", plant.lines()), ("redact.log", plant.log())] {
            let path = file(&format!("{seed}-{name}"), &text);
            let path = path.to_str().unwrap();
            let mut runs: Vec<Vec<&str>> = vec![
                vec!["--payload", "--wide", path],
                vec!["--payload", "--width", "60", "--ascii", path],
                vec!["--format", "json", "--payload", path],
                vec!["--format", "ndjson", "--payload", path],
                vec!["--format", "summary", path],
                vec!["check", "--fail-on", "never", path],
                vec!["check", "--fail-on", "never", "--format", "ndjson", path],
                vec!["convert", path],
                vec!["convert", "--to", "har", path],
                vec!["convert", "--to", "txtar", path],
            ];
            let numbers: Vec<String> = (1..60).map(|n| n.to_string()).collect();
            let messages = program(&["--format", "ndjson", path]);
            let count = String::from_utf8(messages.stdout).unwrap().matches("\"record\":\"message\"").count();
            assert!(count > 10 && count < numbers.len());
            for n in numbers[..count].iter().step_by(4) {
                runs.push(vec!["show", n, path]);
                runs.push(vec!["show", n, path, "--format", "json"]);
            }
            for arguments in runs {
                let plain = program(&arguments);
                let redacted = program(&[&arguments[..], &["--redact"]].concat());
                assert_eq!(plain.status.code(), redacted.status.code(), "{arguments:?}");
                let told = String::from_utf8(redacted.stderr).unwrap();
                assert!(told.contains("mcp-trace: redacted "), "{arguments:?}: {told}");
                let output = String::from_utf8(redacted.stdout).unwrap();
                for secret in plant.secrets() {
                    for form in forms(secret) {
                        for text in [&output, &told] {
                            let near = text
                                .find(&form)
                                .map(|at| text[at.saturating_sub(200)..].chars().take(300).collect::<String>());
                            assert_eq!(near, None, "{secret} as {form} in {arguments:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_planted_secrets_are_there_without_it() {
    let plant = Plant::new(7);
    let path = file("plain.jsonl", &plant.lines());
    let output = program(&["convert", path.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    let seen = plant.secrets().filter(|secret| forms(secret).iter().any(|form| text.contains(form))).count();
    // One is written in escapes from letter to letter.
    assert_eq!(seen + 1, plant.secrets().count());
}

#[test]
fn messages_pair_and_are_judged_as_before() {
    let plant = Plant::new(3);
    let path = file("paired.jsonl", &plant.lines());
    let records = |more: &[&str]| {
        let output = program(&[&["--format", "ndjson", path.to_str().unwrap()], more].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let mut records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        records.retain(|record| record["record"] == "message");
        records
    };
    let (plain, redacted) = (records(&[]), records(&["--redact"]));
    assert_eq!(plain.len(), redacted.len());
    // An id that is a token by its shape is replaced as any other.
    let is_plain = |record: &Value| !record["id_raw"].as_str().is_some_and(|id| id.contains("ghp_"));
    for (plain, redacted) in plain.iter().zip(&redacted).filter(|(plain, _)| is_plain(plain)) {
        for member in [
            "n",
            "kind",
            "direction",
            "method",
            "id_raw",
            "answers",
            "relates_to",
            "status",
            "phase",
            "line",
            "offset",
            "length",
        ] {
            assert_eq!(plain[member], redacted[member], "{member} of {plain}");
        }
    }
    assert!(redacted.iter().any(|record| record["flags"].as_array().unwrap().contains(&json!("redacted"))));
}

#[test]
fn types_and_everything_else_stay() {
    let text = r#"{"jsonrpc": "2.0", "id": 9007199254740993, "method": "tools/call", "params": {"_meta":{"progressToken":"p1"},
        "arguments": {"password": "hunter2", "pin_token": 4711, "api_key": null, "cursor": "eyJwYWdlIjoyfQ==", "n": 1.50,
        "secret": ["a1","b2"], "credentials": {"user": "ada", "ok": true}}}}"#;
    let got = message(&[], text);
    let wanted = text
        .replace("hunter2", "‹redacted:1›")
        .replace("4711", "0")
        .replace("\"a1\"", "\"‹redacted:2›\"")
        .replace("\"b2\"", "\"‹redacted:3›\"")
        .replace("\"ada\"", "\"‹redacted:4›\"");
    assert_eq!(got, wanted);
    assert_eq!(message(&[], &got).replace("redacted:", "").len(), got.replace("redacted:", "").len(), "twice is once");
}

#[test]
fn schemas_keep_their_words() {
    let text = r#"{"id":1,"result":{"tools":[{"name":"login","inputSchema":{"type":"object","properties":{"password":{"type":"string",
        "description":"the password","default":"hunter2!"},"token":{"type":"string","enum":["tok-abc1"]}},"required":["password","token"]}}]}}"#;
    let got = message(&[], text);
    assert_eq!(got, text.replace("hunter2!", "‹redacted:1›").replace("tok-abc1", "‹redacted:2›"));
}

#[test]
fn equal_secrets_have_equal_markers_wherever_they_stand() {
    let mut redactor = redactor(&[]);
    let first = redactor.message(r#"{"params":{"password":"S3cret/ü x"}}"#).unwrap();
    assert_eq!(first, r#"{"params":{"password":"‹redacted:1›"}}"#);
    let again = redactor
        .message(r#"{"result":{"text":"you said S3cret\/\u00fc x!","query":"q=S3cret%2F%C3%BC%20x"}}"#)
        .unwrap();
    assert_eq!(again.matches("‹redacted:").count(), 2, "{again}");
    assert!(again.contains("you said ‹redacted:1›!"), "{again}");
    assert_eq!(redactor.event("echo S3cret/ü x").unwrap(), "echo ‹redacted:1›");
}

#[test]
fn prose_is_left_alone() {
    let mut redactor = redactor(&[]);
    for text in [
        "Bearer authentication is required",
        "basic functionality of the server",
        "risk-based task-oriented desk-chat",
        "the max_tokens: 4096 and progressToken: abc are no secrets",
        "https://modelcontextprotocol.io/specification#auth and ada@example.com",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA==",
        "user ada logged in",
    ] {
        assert_eq!(redactor.text(text), None, "{text}");
    }
}

#[test]
fn chosen_members_are_replaced_whole() {
    let text = r#"{"id":1,"method":"x","params":{"arguments":{"path":"/home/ada","deep":{"n":[1,true,null,"x"]},"k":"v"},"a/b":"c"}}"#;
    let with = |fields: &[&str]| message(fields, text);
    assert_eq!(with(&["params.arguments.path"]), text.replace("/home/ada", "‹redacted:1›"));
    assert_eq!(with(&["/params/arguments/path"]), with(&["params.arguments.path"]));
    assert_eq!(with(&["/params/a~1b"]), text.replace("\"c\"", "\"‹redacted:1›\""));
    assert_eq!(with(&["params.arguments.deep.n.1"]), text.replace("true", "false"));
    assert_eq!(
        with(&["params.arguments.deep"]),
        text.replace("[1,true,null,\"x\"]", "[0,false,null,\"‹redacted:1›\"]")
    );
    assert_eq!(with(&["params.*.k"]), text.replace("\"v\"", "\"‹redacted:1›\""));
    assert_eq!(with(&["params.nothing", "result.*"]), text);
    for wrong in ["", ".", "id", "method", "*", "/jsonrpc", "a..b"] {
        assert!(Field::parse(wrong).is_err(), "{wrong}");
    }
    let usage = program(&["--redact-field", "id", "README.md"]);
    assert_eq!(usage.status.code(), Some(2));
}

#[test]
fn a_key_over_several_lines_of_a_log_is_replaced() {
    let mut redactor = redactor(&[]);
    let lines =
        ["-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA7", "q8Zk+/x==", "-----END RSA PRIVATE KEY-----", "ready"];
    let told: Vec<String> =
        lines.iter().map(|line| redactor.event(line).unwrap_or_else(|| (*line).to_owned())).collect();
    assert!(told[..4].iter().all(|line| line.starts_with("‹redacted:")), "{told:?}");
    assert_eq!(told[4], "ready");
}

#[test]
fn tables_of_secrets_have_bounds() {
    let mut redactor = redactor(&[]);
    for n in 0..70_000 {
        redactor.message(&format!(r#"{{"params":{{"password":"pass{n:08}word"}}}}"#)).unwrap();
    }
    assert_eq!(redactor.different(), 65_536);
    assert!(redactor.lost() > 0);
    let last = redactor.message(r#"{"params":{"password":"one more of them"}}"#).unwrap();
    assert_eq!(last, r#"{"params":{"password":"‹redacted›"}}"#);
}

proptest! {
    #[test]
    fn any_text_is_survived_and_stays_what_it_is(text in "[\\PC\n\\\\{}\\[\\]\":,ep=]{0,120}") {
        let mut redactor = redactor(&["params.*", "a.*.b"]);
        let _ = redactor.message(&text);
        let _ = redactor.event(&text);
        let _ = redactor.text(&text);
    }

    #[test]
    fn json_stays_json_of_the_same_shape(text in json_text()) {
        let mut redactor = redactor(&["a.*", "*.b"]);
        if let Some(new) = redactor.message(&text) {
            let (old, new): (Value, Value) = (serde_json::from_str(&text).unwrap(), serde_json::from_str(&new).unwrap());
            prop_assert!(same_shape(&old, &new), "{} {}", old, new);
        }
    }
}

fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!("Bearer abc123def456 and sk-abcdefghijklmnop1234 https://u:p@h/")),
        Just(json!("{\"password\":\"inner\"}")),
    ];
    let name = prop::sample::select(vec!["a", "b", "password", "name", "value", "properties", "default", "x"]);
    let value = leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name.clone().prop_map(str::to_owned), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    value.prop_map(|value| value.to_string())
}

fn same_shape(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|((a, old), (b, new))| a == b && same_shape(old, new))
        }
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same_shape(old, new))
        }
        (Value::String(_), Value::String(_)) | (Value::Number(_), Value::Number(_)) => true,
        (Value::Bool(_), Value::Bool(_)) | (Value::Null, Value::Null) => true,
        _ => false,
    }
}
