//! The real program with a filter.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

use super::SESSION;

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("filter").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join(".git")).unwrap();
    folder
}

pub(super) fn with_session(test: &str) -> PathBuf {
    let folder = folder(test);
    fs::write(folder.join("a.jsonl"), SESSION).unwrap();
    folder
}

pub(super) fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-trace"));
    let Output { status, stdout, stderr } = command.current_dir(folder).env_clear().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Numbers of the messages that a run writes as NDJSON, and its summary.
fn annotated(folder: &Path, args: &[&str]) -> (Vec<u64>, Value, String) {
    let (code, out, err) = run(folder, &[&["--format", "ndjson"], args].concat());
    assert_eq!(code, Some(0), "{err}");
    let records = records(&out);
    let messages = records.iter().filter(|record| record["record"] == "message");
    (messages.map(|record| record["n"].as_u64().unwrap()).collect(), records.last().unwrap().clone(), err)
}

#[test]
fn every_option_selects_and_all_hold_together() {
    let folder = with_session("options");
    for (args, expected) in [
        (&["--where", "latency_ms > 500"][..], &[5, 10][..]),
        (&["--where", "latency_ms > 500", "--where", "status == 'ok'"], &[5]),
        (&["--method", "prompts/*", "--method", "initialize"], &[1, 2, 8]),
        (&["--primitive", "prompts"], &[8]),
        (&["--kind", "notification", "--kind", "invalid"], &[3, 11]),
        (&["--session", "1", "--errors"], &[7, 10, 11]),
        (&["--server", "fi*", "--id", "2"], &[8]),
        (&["--since", "2026-03-02T10:15:04", "--tz", "+01:00"], &[9, 10]),
        (&["--since", "+1s", "--until", "+2s"], &[4, 5, 6]),
        (&["--errors", "--where", "kind == 'response'", "--method", "tools/*"], &[7, 10]),
        (&["--id=-1"], &[]),
        (&["--where", "-1 == n"], &[]),
    ] {
        let (selected, summary, err) = annotated(&folder, &[args, &["a.jsonl"]].concat());
        assert_eq!(selected, expected, "{args:?}");
        assert_eq!(summary["messages"], expected.len(), "{args:?}");
        assert_eq!(summary["filtered"]["read"], 11, "{args:?}");
        assert_eq!(err.contains("selects none of 11 messages"), expected.is_empty(), "{args:?}: {err}");
    }
    let (_, summary, _) = annotated(&folder, &["a.jsonl"]);
    assert_eq!(summary["filtered"], Value::Null);
}

#[test]
fn pairs_are_completed_from_either_half() {
    let folder = with_session("pairs");
    fs::write(folder.join("late.jsonl"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n").unwrap();
    for (args, file, expected) in [
        (&["--where", "latency_ms > 500"][..], "a.jsonl", &[4, 5, 9, 10][..]),
        (&["--kind", "request", "--method", "tools/call"], "a.jsonl", &[4, 5, 6, 7, 9, 10]),
        (&["--where", "n in [3, 8, 11]"], "a.jsonl", &[3, 8, 11]),
        (&["--where", "n == 5 || n == 6"], "a.jsonl", &[4, 5, 6, 7]),
        (&["--where", "false"], "a.jsonl", &[]),
        (&["--kind", "request"], "late.jsonl", &[1, 2]),
    ] {
        let (selected, summary, _) = annotated(&folder, &[args, &["--pairs", file]].concat());
        assert_eq!(selected, expected, "{args:?}");
        assert_eq!(summary["messages"], expected.len());
    }
    let (code, out, _) = run(&folder, &["convert", "--errors", "--pairs", "a.jsonl"]);
    assert_eq!((code, out.lines().count()), (Some(0), 5), "{out}");
    let (_, out, _) = run(&folder, &["--errors", "--pairs", "--format", "ndjson", "a.jsonl"]);
    assert_eq!(records(&out)[0]["filter"], "--errors --pairs");
    for (args, why) in
        [(&["--pairs", "a.jsonl"][..], "expected `--where`"), (&["--errors", "--pairs", "-"], "expected files")]
    {
        let (code, _, err) = run(&folder, args);
        assert!(code == Some(2) && err.contains(why), "{err}");
    }
    // What goes wrong is told once.
    let (code, _, err) = run(&folder, &["--errors", "--pairs", "missing.jsonl"]);
    assert_eq!((code, err.lines().count()), (Some(2), 1), "{err}");
}

#[test]
fn a_wrong_expression_is_wrong_usage_in_every_command() {
    let folder = with_session("usage");
    for command in ["annotate", "check", "stats", "convert"] {
        let (code, out, err) = run(&folder, &[command, "--where", "n == 1 && metod == \"x\"", "a.jsonl"]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{command}");
        let wanted = "mcp-trace: `--where`: unknown field `metod`: did you mean `method`?\n  n == 1 && metod == \"x\"\n            ^^^^^\n";
        assert_eq!(err, wanted, "{command}");
    }
    let hostile = "\u{1b}[31m\u{202e} == 1";
    let (code, _, err) = run(&folder, &["--where", hostile, "a.jsonl"]);
    assert_eq!(code, Some(2));
    assert!(!err.contains('\u{1b}') && !err.contains('\u{202e}'), "{err:?}");
    for args in
        [&["--since", "noon"][..], &["--method", "[a"], &["--primitive", "tool"], &["--session", "0"], &["--kind", "x"]]
    {
        let (code, _, err) = run(&folder, &[args, &["a.jsonl"]].concat());
        assert_eq!(code, Some(2), "{args:?}");
        assert!(err.contains(args[1]), "{args:?}: {err}");
    }
}

#[test]
fn what_was_left_out_for_want_of_a_time_or_a_result_is_told() {
    let folder = with_session("told");
    let (_, _, err) = annotated(&folder, &["--since", "+0s", "a.jsonl"]);
    assert!(err.contains("left out 1 message without a time"), "{err}");
    let (_, summary, err) = annotated(&folder, &["--where", "1 / (n - 3) == 0", "a.jsonl"]);
    assert!(err.contains("could not be worked out for 1 message, left out; the first is #3: "), "{err}");
    assert_eq!(summary["filtered"]["undecided"], 1);
}

#[test]
fn exit_codes_are_about_the_whole_input() {
    let folder = with_session("codes");
    fs::write(folder.join("cut.jsonl.gz"), [0x1f, 0x8b, 8, 0, 0]).unwrap();
    for command in ["annotate", "check", "stats", "convert"] {
        let (code, _, err) = run(&folder, &[command, "--where", "false", "a.jsonl"]);
        assert_eq!(code, Some(0), "{command}: {err}");
        let (code, _, err) = run(&folder, &[command, "--where", "n == 4", "a.jsonl", "cut.jsonl.gz"]);
        assert_eq!(code, Some(2), "{command}: {err}");
        let (code, _, err) = run(&folder, &[command, "--where", "n == 4", "missing.jsonl"]);
        assert_eq!(code, Some(2), "{command}: {err}");
    }
}

#[test]
fn check_reports_what_is_found_about_selected_messages() {
    let folder = with_session("check");
    let (code, all, _) = run(&folder, &["check", "--format", "ndjson", "a.jsonl"]);
    let findings =
        |text: &str| records(text).into_iter().filter(|record| record["record"] == "finding").collect::<Vec<_>>();
    let all = findings(&all);
    assert_eq!(code, Some(1));
    assert!(all.iter().any(|finding| finding["n"] == 8) && all.iter().any(|finding| finding["n"] == 11));
    let (code, out, _) = run(&folder, &["check", "--format", "ndjson", "--where", "n == 8", "a.jsonl"]);
    let some = findings(&out);
    let expected: Vec<_> = all.iter().filter(|finding| finding["n"] == 8).cloned().collect();
    assert_eq!((code, &some), (Some(1), &expected));
    let summary = records(&out).pop().unwrap();
    assert_eq!(summary["held"]["filtered"], all.len() - some.len());
    // What is left is clean, and it is said that this is not everything.
    let (code, out, _) = run(&folder, &["check", "--method", "initialize", "a.jsonl"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains(&format!("in 2 of 11 messages of 1 session, {} left out by the filter", all.len())), "{out}");
    for format in ["markdown", "junit", "sarif", "github", "gitlab"] {
        let (code, out, err) = run(&folder, &["check", "--format", format, "--method", "initialize", "a.jsonl"]);
        assert_eq!(code, Some(0), "{format}");
        let said = format!("{out}{err}");
        assert!(said.contains("left out by the filter"), "{format}: {said}");
    }
    let (code, _, err) = run(&folder, &["check", "--errors", "--write-baseline", "b.json", "a.jsonl"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("takes no filter") && !folder.join("b.json").exists(), "{err}");
}

#[test]
fn stats_count_what_is_selected_and_merge_only_with_the_same_filter() {
    let folder = with_session("stats");
    let stats = |args: &[&str]| run(&folder, &[&["stats", "--format", "json"], args].concat());
    let (code, out, err) = stats(&["--where", "primitive == \"tools\"", "a.jsonl"]);
    assert_eq!(code, Some(0), "{err}");
    let figures: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(figures["filter"], "--where 'primitive == \"tools\"'");
    assert_eq!((&figures["messages_read"], &figures["total"]["messages"]), (&11.into(), &6.into()));
    assert_eq!(figures["total"]["unanswered"], 0);
    fs::write(folder.join("tools.json"), &out).unwrap();
    fs::write(folder.join("more.json"), &out).unwrap();
    // Requests whose answers are not selected have one all the same.
    let (_, out, _) = stats(&["--kind", "request", "a.jsonl"]);
    let figures: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&figures["total"]["requests"], &figures["total"]["unanswered"]), (&5.into(), &1.into()));
    assert_eq!((&figures["handshakes"]["finished"], &figures["sessions"]["total"]), (&1.into(), &1.into()));
    // A session without a selected message is none.
    let (_, out, err) = stats(&["--where", "false", "a.jsonl"]);
    let figures: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&figures["sessions"]["total"], &figures["total"]["messages"]), (&0.into(), &0.into()));
    assert!(err.contains("selects none of 11 messages"), "{err}");
    let (_, plain, _) = stats(&["a.jsonl"]);
    assert_eq!(serde_json::from_str::<Value>(&plain).unwrap()["filter"], Value::Null);
    fs::write(folder.join("plain.json"), plain).unwrap();
    let (code, out, _) = stats(&["--merge", "tools.json", "more.json"]);
    let figures: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &figures["messages_read"]), (Some(0), &22.into()));
    let (code, _, err) = stats(&["--merge", "tools.json", "plain.json"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("the same filter"), "{err}");
    let (code, _, err) = stats(&["--merge", "--errors", "tools.json"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`--merge` takes no filter"), "{err}");
    for format in ["table", "ndjson", "markdown", "prometheus"] {
        let (_, out, _) = run(&folder, &["stats", "--format", format, "--errors", "a.jsonl"]);
        assert!(out.contains("--errors"), "{format}: {out}");
    }
}

#[test]
fn convert_writes_what_is_selected_and_takes_batches_apart() {
    let folder = folder("convert");
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"},{"jsonrpc":"2.0","id":3,"method":"ping"}]"#;
    fs::write(
        folder.join("b.jsonl"),
        format!("{batch}\n{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{{\"tools\":[]}}}}\n"),
    )
    .unwrap();
    let (code, out, err) = run(&folder, &["convert", "--method", "ping", "b.jsonl"]);
    assert_eq!(code, Some(0), "{err}");
    let ids: Vec<_> = records(&out).iter().map(|line| line["msg"]["id"].clone()).collect();
    assert_eq!(ids, [1, 3]);
    for to in ["har", "txtar"] {
        let (code, out, err) = run(&folder, &["convert", "--to", to, "--method", "tools/list", "b.jsonl"]);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains("tools/list") && !out.contains("ping"), "{to}: {out}");
    }
}

#[test]
fn sessions_go_with_their_messages_and_events_with_none() {
    let folder = folder("sessions");
    let (code, demo, _) = run(&folder, &["demo"]);
    assert_eq!(code, Some(0));
    fs::write(folder.join("two.jsonl"), format!("starting up\n{demo}{demo}")).unwrap();
    let (_, all, _) = run(&folder, &["--format", "ndjson", "two.jsonl"]);
    let of = |text: &str, word: &str| records(text).iter().filter(|record| record["record"] == word).count();
    assert!(of(&all, "session") == 2 && of(&all, "event") == 1);
    let (_, some, _) = run(&folder, &["--format", "ndjson", "--session", "2", "two.jsonl"]);
    assert_eq!((of(&some, "session"), of(&some, "event")), (1, 0));
    let summary = records(&some).pop().unwrap();
    assert_eq!((&summary["sessions"], &summary["noise"]), (&1.into(), &0.into()));
    // The records are those of the whole input.
    let whole = records(&all);
    for record in records(&some).into_iter().filter(|record| record["record"] == "message") {
        assert!(whole.contains(&record));
    }
}
