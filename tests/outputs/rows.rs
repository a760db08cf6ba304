//! The table where it has to decide: widths, empty columns, names, clocks, gists.

use mcp_trace::annotate::{Annotated, Kind, Record, Status};
use mcp_trace::render::OpenOptions;

use super::everything::{self, message};
use super::{options, output};

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
