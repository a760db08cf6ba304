//! Every output format on one of everything; JSON held against its own schema, member by member.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "outputs/everything.rs"]
mod everything;

use everything::{empty_run, message, run};
use mcp_trace::annotate::{Annotated, Kind, Record, Status};
use mcp_trace::render::{OUTPUTS, OpenOptions, Output, schema};
use serde_json::{Value, json};

type Run = fn(&mut dyn FnMut(&Record<'_>));

fn options() -> OpenOptions {
    OpenOptions {
        width: 120,
        color: false,
        ascii: false,
        absolute_times: false,
        zone: jiff::tz::TimeZone::UTC,
        payload: true,
        wide: false,
        columns: None,
    }
}

fn output(name: &str) -> &'static Output {
    OUTPUTS.iter().copied().find(|output| output.name == name).unwrap()
}

fn render(name: &str, options: &OpenOptions, run: Run) -> String {
    let mut renderer = (output(name).open)(options);
    let mut out = Vec::new();
    run(&mut |record| renderer.record(record, &mut out).unwrap());
    String::from_utf8(out).unwrap()
}

fn validator(definition: Option<&str>) -> jsonschema::Validator {
    let mut schema = schema();
    if let Some(name) = definition {
        let object = schema.as_object_mut().unwrap();
        object.remove("anyOf");
        object.insert("$ref".to_owned(), json!(format!("#/$defs/{name}")));
    }
    jsonschema::options().offline().build(&schema).unwrap()
}

fn records() -> Vec<Value> {
    let mut text = render("ndjson", &options(), run);
    text.push_str(&render("ndjson", &OpenOptions { payload: false, ..options() }, empty_run));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn ndjson_is_one_valid_record_a_line_and_names_every_record() {
    let validator = validator(None);
    let mut seen = Vec::new();
    for record in records() {
        let errors: Vec<_> = validator.iter_errors(&record).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{record:#}");
        let word = record["record"].as_str().unwrap().to_owned();
        let definition = self::validator(Some(&word));
        assert!(definition.is_valid(&record), "{word}");
        if !seen.contains(&word) {
            seen.push(word);
        }
    }
    assert_eq!(seen, ["trace", "message", "event", "embedded", "view", "finding", "session", "input", "summary"]);
}

#[test]
fn the_word_comes_first() {
    for line in render("ndjson", &options(), run).lines() {
        assert!(line.starts_with("{\"record\":\""), "{line}");
    }
}

#[test]
fn json_is_one_valid_document_with_the_same_records() {
    let validator = validator(None);
    for run in [run as Run, empty_run] {
        let document: Value = serde_json::from_str(&render("json", &options(), run)).unwrap();
        assert!(validator.is_valid(&document));
        let lines = render("ndjson", &options(), run);
        let mut lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(Some(document["summary"].clone()), lines.pop());
        assert_eq!(document["records"], Value::Array(lines));
        assert_eq!(document["inputs"], document["records"][0]["inputs"]);
    }
}

/// Every way to break one member somewhere inside a value: dropped, renamed, of another type.
fn broken(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let mut dropped = members.clone();
                dropped.remove(name);
                all.push((format!("drop {name}"), Value::Object(dropped.clone())));
                dropped.insert(format!("{name}_"), member.clone());
                all.push((format!("rename {name}"), Value::Object(dropped)));
                let mut with = |what: String, new: Value| {
                    let mut changed = members.clone();
                    changed.insert(name.clone(), new);
                    all.push((what, Value::Object(changed)));
                };
                let other = match member {
                    Value::Array(_) => json!({"is": "no array"}),
                    _ if name == "payload" => json!("text"),
                    Value::Object(_) => json!([1]),
                    _ => json!({"is": "no scalar"}),
                };
                with(format!("retype {name}"), other);
                match member {
                    Value::String(_) if name != "id" => with(format!("number {name}"), json!(7.5)),
                    Value::Number(_) if name != "id" => with(format!("string {name}"), json!("7")),
                    Value::Bool(_) => with(format!("string {name}"), json!("true")),
                    _ => {}
                }
                if name != "payload" {
                    for (what, inner) in broken(member) {
                        with(format!("{name}: {what}"), inner);
                    }
                }
            }
        }
        Value::Array(elements) => {
            for (at, element) in elements.iter().enumerate() {
                for (what, inner) in broken(element) {
                    let mut changed = elements.clone();
                    changed[at] = inner;
                    all.push((format!("{at}: {what}"), Value::Array(changed)));
                }
            }
        }
        _ => {}
    }
    all
}

#[test]
fn a_dropped_renamed_or_retyped_member_fails() {
    let validator = validator(None);
    let mut tried = 0;
    for record in records() {
        for (what, changed) in broken(&record) {
            assert!(!validator.is_valid(&changed), "{what} passes in {}", record["record"]);
            tried += 1;
        }
    }
    assert!(tried > 3000, "{tried}");
}

#[test]
fn closed_words_are_closed_and_open_ones_are_open() {
    let validator = validator(Some("message"));
    let message = records().into_iter().find(|record| record["record"] == "message").unwrap();
    for (name, open) in [
        ("kind", false),
        ("direction", false),
        ("phase", false),
        ("id_state", false),
        ("primitive", false),
        ("time_basis", false),
        ("feature", true),
        ("status", true),
    ] {
        let mut changed = message.clone();
        changed[name] = json!("new-word");
        assert_eq!(validator.is_valid(&changed), open, "{name}");
    }
}

#[test]
fn every_finding_member_is_in_the_schema() {
    let validator = validator(Some("finding"));
    let place = json!({"input": 0, "file": "a", "n": 1, "line": 1, "end_line": 1, "offset": 0, "length": 2,
        "entry": null, "pointer": null});
    let mut finding = place.clone();
    for (name, value) in [
        ("record", json!("finding")),
        ("rule", json!("unanswered-request")),
        ("severity", json!("warning")),
        ("message", json!("no answer")),
        ("session", json!(1)),
        ("related", json!([place])),
        ("help", Value::Null),
        ("spec", Value::Null),
    ] {
        finding[name] = value;
    }
    assert!(validator.is_valid(&finding));
    for (what, changed) in broken(&finding) {
        assert!(!validator.is_valid(&changed), "{what}");
    }
}

#[test]
fn payloads_are_copied_and_ids_keep_their_digits() {
    let text = render("ndjson", &options(), run);
    let line = text.lines().find(|line| line.contains("9007199254740993")).unwrap();
    assert!(line.contains("\"id\":9007199254740993,\"id_raw\":\"9007199254740993\""), "{line}");
    let payload = r#""payload":{"jsonrpc":"2.0",  "id":9007199254740993,"method":"x","params":{"t":"\ufffd"}}}"#;
    assert!(line.ends_with(payload), "{line}");
    assert!(line.contains(r#""flags":["bad-utf8","extra-member","batched"]"#), "{line}");
}

#[test]
fn tables_are_as_they_were_looked_at() {
    for width in [80, 120, 200] {
        let options = OpenOptions { width, payload: false, ..options() };
        insta::assert_snapshot!(format!("table_{width}"), render("table", &options, run));
    }
    let options = OpenOptions { payload: false, ..options() };
    let ascii = render("table", &OpenOptions { ascii: true, ..options.clone() }, run);
    assert!(ascii.is_ascii());
    insta::assert_snapshot!("table_ascii", ascii);
    let color = render("table", &OpenOptions { color: true, ..options.clone() }, run);
    insta::assert_snapshot!("table_color", color.replace('\u{1b}', "ESC"));
    let wide = OpenOptions { wide: true, absolute_times: true, ..options.clone() };
    insta::assert_snapshot!("table_wide", render("table", &wide, run));
    let names = ["line", "kind", "method", "latency", "summary", "no such column"].map(str::to_owned);
    let chosen = OpenOptions { columns: Some(names.to_vec()), ..options.clone() };
    insta::assert_snapshot!("table_columns", render("table", &chosen, run));
    insta::assert_snapshot!("table_empty", render("table", &options, empty_run));
}

#[test]
fn no_row_is_wider_than_the_terminal_or_carries_a_control_character() {
    for width in [40, 60, 80, 99, 120, 149, 200] {
        for ascii in [false, true] {
            let options = OpenOptions { width, ascii, payload: false, ..options() };
            // Commands are there to be copied, and are not cut.
            let text = render("table", &options, run);
            for line in text.lines().filter(|line| !line.contains(" mcp-trace ")) {
                assert!(unicode_width::UnicodeWidthStr::width(line) <= width, "{width}: {line}");
                assert!(!line.chars().any(char::is_control), "{line:?}");
            }
        }
    }
}

#[test]
fn findings_are_as_they_were_looked_at() {
    for width in [80, 120] {
        insta::assert_snapshot!(format!("text_{width}"), render("text", &OpenOptions { width, ..options() }, run));
    }
    let ascii = render("text", &OpenOptions { ascii: true, ..options() }, run);
    assert!(ascii.is_ascii());
    insta::assert_snapshot!("text_ascii", ascii);
    let color = render("text", &OpenOptions { color: true, ..options() }, run);
    insta::assert_snapshot!("text_color", color.replace('\u{1b}', "ESC"));
    insta::assert_snapshot!("text_empty", render("text", &options(), empty_run));
}

#[test]
fn no_line_of_a_transcript_is_wider_than_the_terminal_or_carries_a_control_character() {
    for width in [40, 60, 80, 99, 120, 149, 200] {
        for ascii in [false, true] {
            let text = render("text", &OpenOptions { width, ascii, ..options() }, run);
            for line in text.lines() {
                assert!(!line.chars().any(char::is_control), "{line:?}");
                let shown = line.split_once(['│', '|']).filter(|(number, _)| !number.trim().is_empty());
                assert!(shown.is_none() || unicode_width::UnicodeWidthStr::width(line) <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    let options = OpenOptions { payload: false, ..options() };
    let mut color = render("table", &OpenOptions { color: true, ..options.clone() }, run);
    while let Some(start) = color.find('\u{1b}') {
        let end = start + color[start..].find('m').unwrap();
        color.replace_range(start..=end, "");
    }
    assert_eq!(color, render("table", &options, run));
}

#[test]
fn rows_wait_for_a_page_or_a_pause_and_then_stream() {
    let options = OpenOptions { payload: false, ..options() };
    let mut renderer = (output("table").open)(&options);
    let mut out = Vec::new();
    let mut give = |n: u64, out: &mut Vec<u8>| {
        let message = message(n, 5 * n as i64, "tools/list");
        renderer.record(&Record::Message(&message), out).unwrap();
        if n == 1 {
            assert!(out.is_empty());
            renderer.pause(out).unwrap();
        }
    };
    for n in 1..=3 {
        give(n, &mut out);
        let text = String::from_utf8(out.clone()).unwrap();
        assert!(
            text.ends_with('\n') && text.lines().last().unwrap().trim_start().starts_with(&n.to_string()),
            "{text}"
        );
    }
    for n in [99_999, 12_345_678] {
        give(n, &mut out);
        let text = String::from_utf8(out.clone()).unwrap();
        assert!(text.lines().last().unwrap().contains(&format!("{n} +")), "{text}");
    }
}

#[test]
fn sessions_that_mix_get_a_column_and_later_ones_a_line() {
    let options = OpenOptions { payload: false, ..options() };
    let mut renderer = (output("table").open)(&options);
    let mut out = Vec::new();
    for (n, session) in [(1, 1), (2, 2), (3, 1), (4, 2)] {
        let message = Annotated { session, ..message(n, 0, "ping") };
        renderer.record(&Record::Message(&message), &mut out).unwrap();
    }
    renderer.pause(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let rows: Vec<_> = text.lines().filter(|line| line.contains("ping")).map(|line| &line[..1]).collect();
    assert_eq!(rows, ["1", "2", "1", "2"], "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with('─')).count(), 2, "{text}");

    let mut renderer = (output("table").open)(&options);
    let mut out = Vec::new();
    for (n, session) in [(1, 1), (2, 2), (3, 1)] {
        let message = Annotated { session, ..message(n, 0, "ping") };
        renderer.record(&Record::Message(&message), &mut out).unwrap();
        renderer.pause(&mut out).unwrap();
    }
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("─ session 1 · operation ─"), "{text}");
}

/// What a table says of some records, its last line being the last row.
fn table(options: &OpenOptions, give: impl FnOnce(&mut dyn FnMut(&Record<'_>))) -> String {
    let mut renderer = (output("table").open)(options);
    let mut out = Vec::new();
    give(&mut |record| renderer.record(record, &mut out).unwrap());
    renderer.pause(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn narrow() -> OpenOptions {
    OpenOptions { width: 80, payload: false, ..options() }
}

#[test]
fn ids_that_grow_stay_whole_and_names_keep_what_differs() {
    let mut renderer = (output("table").open)(&narrow());
    let mut out = Vec::new();
    for id in ["1", "4711", "123456", "1234567890123", "\"request-number-0042\""] {
        let message = Annotated { id: Some(mcp_trace::jsonrpc::Id::from_raw(id)), ..message(1, 0, "ping") };
        renderer.record(&Record::Message(&message), &mut out).unwrap();
        renderer.pause(&mut out).unwrap();
        let text = String::from_utf8(out.clone()).unwrap();
        let row = text.lines().last().unwrap();
        let shown = if id.starts_with('"') { "r…0042" } else { id };
        assert!(row.contains(&format!("req  {shown} ")) && row.ends_with("ping"), "{row}");
    }
}

#[test]
fn a_name_runs_into_empty_columns_and_is_cut_before_full_ones() {
    let long = "notifications/resources/list_changed";
    let rows = |options: &OpenOptions| {
        table(options, |give| {
            give(&Record::Message(&Annotated { kind: Kind::Notification, id: None, ..message(1, 0, long) }));
            let full =
                Annotated { batch: Some(mcp_trace::session::BatchPlace { index: 0, size: 2 }), ..message(2, 0, long) };
            give(&Record::Message(&full));
        })
    };
    for width in [80, 120] {
        let text = rows(&OpenOptions { width, ..narrow() });
        let mut lines = text.lines().rev();
        assert!(lines.next().unwrap().ends_with(" batch 1/2"), "{text}");
        assert!(lines.next().unwrap().contains(long), "{text}");
    }
}

#[test]
fn empty_columns_go_and_come_back_when_they_are_needed() {
    let timeless = Annotated { time: None, ..message(1, 0, "ping") };
    let text = table(&narrow(), |give| give(&Record::Message(&timeless)));
    assert!(!text.lines().next().unwrap().contains("time"), "{text}");
    let mut renderer = (output("table").open)(&narrow());
    let mut out = Vec::new();
    for message in [timeless, message(2, 5, "ping")] {
        renderer.record(&Record::Message(&message), &mut out).unwrap();
        renderer.pause(&mut out).unwrap();
    }
    let text = String::from_utf8(out).unwrap();
    let headings: Vec<_> = text.lines().filter(|line| line.contains("method")).collect();
    assert!(matches!(headings[..], [first, second] if !first.contains("time") && second.contains("time")), "{text}");
    assert!(text.lines().last().unwrap().contains("+0.005"), "{text}");
}

#[test]
fn a_flood_of_noise_is_counted_and_other_tellings_are_shown_once() {
    let text = table(&narrow(), |give| {
        give(&Record::Message(&message(1, 0, "ping")));
        for n in 0..1316 {
            let text = if n == 0 { " " } else { "npm warn" };
            give(&Record::Event(&everything::event(2, 1, mcp_trace::transcript::EventKind::Noise, text)));
        }
        for of in [Some(1), Some(1), None] {
            give(&Record::View(&everything::view(of)));
        }
    });
    assert_eq!(text.matches("npm warn").count(), 9, "{text}");
    assert!(text.contains("noise (blank line)\n"), "{text}");
    assert!(text.contains("… 1,306 more lines of noise\n"), "{text}");
    assert_eq!(text.matches("again, as told by").count(), 1, "{text}");
}

#[test]
fn open_sessions_share_a_clock_and_say_their_number() {
    let text = table(&narrow(), |give| {
        for (n, session, start) in [(1, 1, 0), (2, 2, 10), (3, 1, 0)] {
            let time = everything::stamp(i64::try_from(n).unwrap() * 10 - 10);
            let session_start = everything::stamp(start);
            give(&Record::Message(&Annotated { session, time, session_start, ..message(n, 0, "ping") }));
        }
    });
    let times: Vec<_> =
        text.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('+'))).collect();
    assert_eq!(times, ["+0.000", "+0.010", "+0.020"], "{text}");
    assert!(text.contains("─ session 2 · operation ─"), "{text}");
}

#[test]
fn what_comes_before_a_session_shows_the_time_of_day() {
    let text = table(&narrow(), |give| {
        let early = everything::event(1, -500, mcp_trace::transcript::EventKind::Note, "starting");
        give(&Record::Event(&mcp_trace::annotate::Event { session: 0, session_start: None, ..early }));
        give(&Record::Message(&message(1, 0, "ping")));
    });
    assert!(text.contains("14:13:19 starting"), "{text}");
}

#[test]
fn a_probe_that_falls_back_is_told_as_one() {
    let text = table(&narrow(), |give| {
        let probe = Annotated { revision: Some("2026-07-28"), ..message(1, 0, "server/discover") };
        give(&Record::Message(&probe));
        give(&Record::Message(&message(2, 1, "initialize")));
    });
    assert!(text.contains("session 1 · file-server · probe by server/discover\n"), "{text}");
    assert!(text.contains("session 1 · file-server · handshake after the probe"), "{text}");
}

#[test]
fn commands_that_are_suggested_work() {
    let end = |file: &str, last: &Annotated<'_>| {
        let text = table(&narrow(), |give| {
            let inputs = vec![file.to_owned()];
            give(&Record::Trace(&mcp_trace::annotate::Trace { command: "annotate", filter: None, inputs }));
            give(&Record::Message(last));
            let counts = mcp_trace::annotate::Counts { messages: 1, ..Default::default() };
            give(&Record::Summary(&mcp_trace::annotate::Summary { counts, ..Default::default() }));
        });
        text.lines()
            .filter_map(|line| line.split_once("mcp-trace ").map(|(_, rest)| rest.to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(end("-", &message(9, 0, "tools/call")), ["show 9 <FILE", "explain tools/call"]);
    assert_eq!(end("-x.log", &message(9, 0, "acme/own")), ["show 9 ./-x.log"]);
    let error = mcp_trace::annotate::ErrorInfo { code: Some(-32601), message: "no".into() };
    let refused = Annotated {
        kind: Kind::Response,
        status: Some(Status::Error),
        error: Some(error),
        ..message(9, 0, "tools/call")
    };
    assert_eq!(end("it's.log", &refused), [r"show 9 'it'\''s.log'", "explain -32601"]);
    let far = format!("{}.log", "far/".repeat(40));
    assert_eq!(end(&far, &message(1, 0, "acme/own")), [format!("show 1 {far}")]);
}

#[test]
fn payloads_keep_to_the_width() {
    let text = table(&options(), |give| {
        give(&Record::Message(&Annotated { text: &"long ".repeat(1000), ..message(1, 0, "ping") }));
    });
    let last = text.lines().last().unwrap();
    assert!(last.trim_start().starts_with("long long") && last.ends_with('…'), "{last}");
    assert!(unicode_width::UnicodeWidthStr::width(last) <= 120, "{last}");
}

/// A payload's gist, from the text of a message.
fn row_of(kind: Kind, method: &str, text: &str) -> String {
    let mut parser = mcp_trace::jsonrpc::Parser::new();
    let mcp_trace::jsonrpc::Reading::Message(parsed) = parser.read(text) else { panic!("a batch") };
    let annotated = Annotated { kind, parsed: Some(&parsed), text, ..message(1, 0, method) };
    let annotated = Annotated { status: (kind == Kind::Response).then_some(Status::Ok), ..annotated };
    let mut renderer = (output("table").open)(&OpenOptions { width: 400, payload: false, ..options() });
    let mut out = Vec::new();
    renderer.record(&Record::Message(&annotated), &mut out).unwrap();
    renderer.pause(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().last().unwrap().rsplit_once("  ").unwrap().1.to_owned()
}

#[test]
fn the_gist_of_a_payload_stands_in_the_row() {
    let request = |method: &str, params: &str| {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        row_of(Kind::Request, method, &text)
    };
    let result = |method: &str, result: &str| {
        row_of(Kind::Response, method, &format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#))
    };
    let note = |method: &str, params: &str| {
        let text = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
        row_of(Kind::Notification, method, &text)
    };
    let hello = r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"desk","version":"0.9"}}"#;
    assert_eq!(request("initialize", hello), "asks for 2025-11-25 · desk 0.9");
    let call = r#"{"name":"x","arguments":{"path":"docs","deep":true,"n":1.50,"o":{"a":1},"fifth":0}}"#;
    assert_eq!(request("tools/call", call), r#"path="docs" deep=true n=1.50 o={..}"#);
    assert_eq!(
        result("tools/list", r#"{"tools":[{"name":"a"},{"name":"b"}],"nextCursor":"c"}"#),
        "#? ok · 2 tools: a, b · more follow"
    );
    assert_eq!(
        result("tools/call", r#"{"content":[{"type":"text","text":"one\n\n two\u001b"}]}"#),
        r#"#? ok · "one two\x1b""#
    );
    assert_eq!(
        result("tools/call", r#"{"content":[{"type":"image"},{"type":"text","text":"x"}]}"#),
        "#? ok · 2 blocks · image"
    );
    assert_eq!(
        note("notifications/progress", r#"{"progressToken":1,"progress":3,"total":10,"message":"go"}"#),
        "▕██░░░░░░▏ 3/10 · go"
    );
    assert_eq!(note("notifications/progress", r#"{"progressToken":1,"progress":-1e999,"total":0}"#), "-1e999/0");
    assert_eq!(note("notifications/initialized", "{}"), "handshake done");
    assert_eq!(
        result("completion/complete", r#"{"completion":{"values":["Oslo","Odense"],"hasMore":false}}"#),
        "#? ok · Oslo, Odense"
    );
    let offer = r#"{"supportedVersions":["2026-07-28"],"capabilities":{},
        "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"hut","version":"1.2.3"}}}"#;
    assert_eq!(result("server/discover", offer), "#? ok · offers 2026-07-28 · hut 1.2.3");
    let filter = r#"{"notifications":{"toolsListChanged":true,"promptsListChanged":false}}"#;
    assert_eq!(request("subscriptions/listen", filter), "asks for toolsListChanged");
    let task = r#"{"task":{"taskId":"t-9","status":"working","ttl":1}}"#;
    assert_eq!(result("tools/call", task), "#? ok · task t-9 · working");
    assert_eq!(result("tasks/get", r#"{"taskId":"t-9","status":"completed"}"#), "#? ok · completed");
    let again = r#"{"name":"x","arguments":{"a":1},"requestState":"s","inputResponses":{"guests":{}}}"#;
    assert_eq!(request("tools/call", again), "a=1 · answers guests · with state");
    let sampled = r#"{"messages":[],"maxTokens":5,"task":{"ttl":5}}"#;
    assert_eq!(request("sampling/createMessage", sampled), "0 messages · as a task");
    assert_eq!(note("notifications/cancelled", r#"{"requestId":1,"reason":"bored"}"#), "cancels: bored");
    assert_eq!(note("notifications/message", r#"{"level":"info","data":{"a":1}}"#), r#"info · {"a":1}"#);
    assert_eq!(
        row_of(Kind::Invalid, "x", r#"{"jsonrpc":"2.0","id":1,"method":7}"#),
        r#"method is no string · {"jsonrpc":"2.0","id":1,"method":7}"#
    );
}
