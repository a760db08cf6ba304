//! What recorders write, by their own grammars, of messages that were drawn: every message comes back, where it stands.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "support/recorded.rs"]
mod recorded;
mod support;

use std::collections::BTreeSet;

use mcp_trace::annotate::Kind;
use mcp_trace::transcript::FORMATS;
use proptest::prelude::*;
use recorded::{Keeps, RECORDERS, Recorder, Said};
use serde_json::{Value, json};
use support::{Run, Told, run_bytes, run_chunks};

const METHODS: [&str; 7] =
    ["tools/list", "tools/call", "prompts/get", "resources/read", "logging/setLevel", "ping", "harbour/fog"];

/// Texts with everything that needs care: quotes, escapes, line ends, other scripts, brackets.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~]{0,20}",
        1 => "[\"\\\\\n\r\t{}\\[\\]:,\u{0}-\u{1f}]{0,12}",
        1 => any::<String>(),
        1 => Just("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}".to_owned()),
        1 => Just("\u{2028}…\u{1f30a}\u{feff}".to_owned()),
    ]
}

fn payload() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop_oneof![text(), Just("msg".to_owned()), Just("id".to_owned())], inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn id() -> impl Strategy<Value = Value> {
    prop_oneof![3 => (0_i64..1_000_000).prop_map(Value::from), 1 => "[a-z]{1,8}-[0-9]{1,3}".prop_map(Value::from)]
}

/// What one exchange consists of: id, method, params, result, whether it is answered, gaps in milliseconds.
type Exchange = (Value, usize, Value, Value, u8, i64);

fn exchanges() -> impl Strategy<Value = Vec<Exchange>> {
    prop::collection::vec((id(), 0..METHODS.len(), payload(), payload(), 0..5_u8, 1..90_000_i64), 1..8)
}

fn session(exchanges: &[Exchange]) -> Vec<Said> {
    let mut said: Vec<Said> = Vec::new();
    let mut at = 1_772_442_900_123_i64;
    let mut say = |said: &mut Vec<Said>, by_client, value: Value, answers, method: &str, gap: i64| {
        at += gap;
        said.push(Said { by_client, at, text: value.to_string(), answers, method: method.to_owned() });
    };
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "quay", "version": "1"}});
    say(
        &mut said,
        true,
        json!({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": hello}),
        None,
        "initialize",
        0,
    );
    let agreed = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}});
    say(&mut said, false, json!({"jsonrpc": "2.0", "id": "first", "result": agreed}), Some(0), "initialize", 20);
    let mut used = BTreeSet::new();
    for (id, method, params, result, fate, gap) in exchanges {
        if !used.insert(id.to_string()) {
            continue;
        }
        let method = METHODS[*method];
        let params = json!({"name": "tide", "uri": "file:///a", "level": "info", "arguments": {"x": params}});
        say(
            &mut said,
            true,
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
            None,
            method,
            *gap,
        );
        let place = said.len() - 1;
        if *fate == 1 {
            let note = json!({"level": "info", "data": result});
            let note = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": note});
            say(&mut said, false, note, None, "notifications/message", 3);
        }
        let answer = match fate {
            0 => continue,
            2 => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": "no such tide"}}),
            _ => {
                json!({"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": "x"}], "more": result}})
            }
        };
        say(&mut said, false, answer, Some(place), method, 7);
    }
    said
}

fn told(run: &Run) -> (Vec<Told>, Vec<(u64, &'static str, String)>) {
    (run.messages.clone(), run.events.clone())
}

/// The message that stands in the input where the record says, as JSON or as a string of it.
fn at_its_place(bytes: &[u8], told: &Told) -> Option<Value> {
    let start = usize::try_from(told.offset).unwrap();
    let text = std::str::from_utf8(&bytes[start..start + usize::try_from(told.length).unwrap()]).unwrap();
    let lines = |part: &[u8]| part.iter().filter(|byte| **byte == b'\n').count() as u64;
    assert_eq!(told.line, 1 + lines(&bytes[..start]), "{told:?}");
    assert_eq!(told.end_line, told.line + lines(text.as_bytes()), "{told:?}");
    let unwrapped = || serde_json::from_str::<String>(&format!("\"{text}\"")).ok();
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&unwrapped()?).ok())
}

fn check(recorder: &Recorder, said: &[Said]) {
    let name = format!("{} {}", recorder.format, recorder.ending);
    let text = (recorder.write)(said);
    let whole = run_bytes(&name, text.clone().into_bytes(), None);
    assert_eq!(whole.format, Some(recorder.format), "{name}\n{text}");
    // A recorder of tool calls may have nothing to record.
    if !whole.messages.is_empty() {
        assert_eq!(whole.error, None, "{name}\n{text}");
    }
    let classes = whole.classes;
    let lines = classes.message + classes.frame + classes.event + classes.noise + classes.blank;
    assert_eq!(lines, whole.lines, "{name}: the classes of lines add up\n{text}");
    for size in [1, 2, 3, 7, 64] {
        let parts = run_chunks(&name, text.clone().into_bytes(), None, size);
        assert_eq!(told(&parts), told(&whole), "{name} in reads of {size} bytes\n{text}");
    }
    if recorder.keeps == Keeps::Some {
        return;
    }
    assert_eq!(whole.messages.len(), said.len(), "{name}\n{text}");
    for (told, said) in whole.messages.iter().zip(said) {
        let value = said.value();
        let place = format!("{name} message {}\n{text}", told.n);
        let kind = match (said.is_answer(), said.is_request()) {
            (true, _) => Kind::Response,
            (_, true) => Kind::Request,
            _ => Kind::Notification,
        };
        assert_eq!(told.kind, kind, "{place}");
        // An answer whose id was left out answers nobody knows what.
        let anonymous = recorder.keeps == Keeps::Outlines && said.is_answer() && value["id"].is_string();
        if !anonymous {
            assert_eq!(told.method.as_deref(), Some(said.method.as_str()), "{place}");
        }
        if !recorder.mute {
            let way = if said.by_client { "client-to-server" } else { "server-to-client" };
            assert_eq!(told.direction, Some(way), "{place}");
        }
        if recorder.keeps == Keeps::All {
            assert_eq!(told.id_raw, value.get("id").map(Value::to_string), "{place}");
            let found = at_its_place(text.as_bytes(), told).unwrap_or_else(|| panic!("{place}"));
            for name in ["id", "params", "result", "error"] {
                let same = found.get(name) == value.get(name);
                assert!(same, "`{name}` differs: {place}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 32, ..ProptestConfig::default() })]

    #[test]
    fn every_message_comes_back(exchanges in exchanges()) {
        let said = session(&exchanges);
        for recorder in RECORDERS {
            check(recorder, &said);
        }
    }
}

#[test]
fn a_recording_is_recognised_by_its_bytes_alone_and_by_one_format_for_sure() {
    let said = session(&[(json!(4), 1, json!({"a": 1}), json!("ok"), 3, 30)]);
    for recorder in RECORDERS {
        let text = (recorder.write)(&said);
        // Comments at the beginning are noise until something is recognised.
        let text = text.trim_start_matches(|c| c != '{' && c != '[');
        let head = mcp_trace::transcript::Head { text, complete: true, first: true };
        let sure: Vec<&str> = FORMATS
            .iter()
            .filter(|format| (format.sniff)(&head).confidence == mcp_trace::transcript::Confidence::Certain)
            .map(|format| format.name)
            .collect();
        // A recorder that adds a member to the messages writes lines that are messages as well.
        let expected: &[&str] = match recorder.format {
            "mcporter" => &["mcporter", "jsonl"],
            "json-log" => &[],
            other => &[other],
        };
        assert_eq!(sure, expected, "{} {}", recorder.format, recorder.ending);
    }
}

#[test]
fn logs_that_hold_no_messages_are_refused() {
    for (what, line) in [
        (
            "pino",
            r#"{"level":30,"time":1735787045678,"pid":7,"hostname":"h","msg":"request completed","req":{"id":1,"method":"GET"}}"#,
        ),
        ("a message in JSON that is no JSON-RPC", r#"{"ts":"2025-01-02T03:04:05Z","dir":"in","data":{"type":"ping"}}"#),
        ("a chat", r#"{"role":"user","content":"{\"a\":1}","timestamp":"2025-01-02T03:04:05Z"}"#),
        ("an array of events", r#"[{"timestamp":"2025-01-02T03:04:05Z","direction":"north","message":"sailed"}]"#),
        (
            "spans without MCP",
            r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"GET /","kind":2,"attributes":[]}]}]}]}"#,
        ),
        (
            "a cassette of something else",
            r#"{"version":1,"interactions":[{"request":{"uri":"/"},"response":{"status":200}}]}"#,
        ),
        ("a web server", r#"{"remote":"127.0.0.1","method":"POST","path":"/mcp","status":200,"id":"7"}"#),
    ] {
        let run = run_bytes(what, format!("{line}\n{line}\n").into_bytes(), None);
        assert_eq!(run.format, None, "{what}");
        assert_eq!(run.summary.exit_code, 2, "{what}");
    }
}

#[test]
fn what_is_cut_off_is_read_as_far_as_it_goes() {
    let said = session(&[(json!(4), 1, json!({"a": 1}), json!("ok"), 3, 30)]);
    let cuttable = ["mcpsnoop", "mcp-tape", "mcp-recorder", "mcptap-frames", "lsp-inspector"];
    for recorder in RECORDERS.iter().filter(|recorder| cuttable.contains(&recorder.format)) {
        let text = (recorder.write)(&said);
        let cut = &text[..text.find("arguments").unwrap()];
        let run = run_bytes(recorder.format, cut.as_bytes().to_vec(), None);
        let last = run.messages.last().unwrap();
        assert_eq!(last.method.as_deref(), Some("tools/call"), "{}", recorder.format);
        assert!(last.flags.contains(&"truncated"), "{}: {last:?}", recorder.format);
        assert_eq!(last.direction, Some("client-to-server"), "{}", recorder.format);
        assert!(run.error.unwrap().contains("cut off"), "{}", recorder.format);
    }
}

#[test]
fn what_a_recorder_left_out_is_flagged() {
    let flags = |text: &str| run_bytes("x", text.as_bytes().to_vec(), None).messages[0].flags.clone();
    let tap = |value: &str| {
        format!(
            r#"{{"ts":"2025-01-02T03:04:05.678Z","server":"s","dir":"client->server","kind":"request","id":1,"method":"tools/call","params":{{"name":"t","arguments":{{"x":{value}}}}}}}"#
        )
    };
    assert_eq!(flags(&tap("\"plain\"")), [""; 0]);
    assert_eq!(flags(&tap("\"aaaa…[truncated 12 chars]\"")), ["truncated"]);
    assert_eq!(flags(&tap("\"[redacted]\"")), ["elided"]);
    let snoop = |extra: &str| {
        format!(
            r#"{{"session_id":"s","server_label":"l","seq":1,"ts":"2025-01-02T03:04:05Z","direction":"c2s","transport":"stdio","raw":{{"jsonrpc":"2.0","id":1,"method":"ping"}}{extra}}}"#
        )
    };
    assert_eq!(flags(&snoop("")), [""; 0]);
    assert_eq!(flags(&snoop(r#","truncated":true,"redacted":true"#)), ["elided", "truncated"]);
}
