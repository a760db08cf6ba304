//! `--write`: what is saved can be read again, and nothing is lost or replaced by mistake.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

use super::SESSION;
use super::commands::{run, with_session};

/// Lines that are hard to copy: line ends of two kinds, blanks, bad UTF-8, two values on a line, a batch, no end at last.
const LINES: &[&[u8]] = &[
    b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n",
    b"starting up\n",
    b"  {\"jsonrpc\":\"2.0\", \"id\":1,\"result\":{}}  \n",
    b"\n\r\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\xfe\"}}\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\n",
    b"[{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}]\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}",
];

fn save(folder: &Path, args: &[&str]) -> Vec<u8> {
    let (code, _, err) = run(folder, &[args, &["--format", "summary", "--force", "--write", "out"]].concat());
    assert_eq!(code, Some(0), "{args:?}: {err}");
    fs::read(folder.join("out")).unwrap()
}

/// What has to survive: kind, id, method and the message itself.
fn told(folder: &Path, file: &str) -> Vec<[Value; 4]> {
    let (_, out, _) = run(folder, &["--format", "ndjson", "--payload", file]);
    let records = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let messages = records.filter(|record| record["record"] == "message");
    messages.map(|record| ["kind", "id_raw", "method", "payload"].map(|name| record[name].clone())).collect()
}

#[test]
fn bare_lines_are_copied_as_they_stand() {
    let folder = with_session("lines");
    fs::write(folder.join("lines.jsonl"), LINES.concat()).unwrap();
    let line = |at: usize| LINES[at].to_vec();
    for (filter, expected) in [
        ("id == 1", [line(0)[3..].to_vec(), line(2)].concat()),
        ("id == 2", line(4)),
        ("id == 4", line(5)),
        ("id in [3, 4]", line(5)),
        ("id == 6 || id == 5", line(6)),
        ("id == 7", [line(7), b"\n".to_vec()].concat()),
        ("id == 2 || id == 7", [line(4), line(7), b"\n".to_vec()].concat()),
    ] {
        let saved = save(&folder, &["--where", filter, "lines.jsonl"]);
        let saved = saved.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&saved);
        assert_eq!(String::from_utf8_lossy(saved), String::from_utf8_lossy(&expected), "{filter}");
        assert_eq!(saved, expected, "{filter}");
    }
    // Through a pipe and packed it is the same.
    let expected = save(&folder, &["--where", "id > 1", "lines.jsonl"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-trace"));
    let args = ["--where", "id > 1", "--format", "summary", "--write", "piped"];
    command.current_dir(&folder).env_clear().args(args).write_stdin(LINES.concat()).assert().code(0);
    assert_eq!(fs::read(folder.join("piped")).unwrap(), expected);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &LINES.concat()).unwrap();
    fs::write(folder.join("lines.jsonl.gz"), packed.finish().unwrap()).unwrap();
    assert_eq!(save(&folder, &["--where", "id > 1", "lines.jsonl.gz"]), expected);
}

#[test]
fn long_inputs_are_copied_whole() {
    let folder = with_session("long");
    let line = |n: u64| {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{n},\"method\":\"ping\",\"params\":{{\"x\":\"{}\"}}}}\n", "y".repeat(900))
    };
    let all: Vec<String> = (1..=12_000).map(line).collect();
    fs::write(folder.join("long.jsonl"), all.concat()).unwrap();
    assert!(save(&folder, &["--where", "true", "long.jsonl"]) == all.concat().into_bytes());
    let some: String = all.iter().step_by(1_000).map(String::as_str).collect();
    assert!(save(&folder, &["--where", "n % 1000 == 1", "long.jsonl"]) == some.into_bytes());
}

/// The first file of each format.
fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/formats");
    let formats = fs::read_dir(folder).unwrap().map(|format| format.unwrap().path()).filter(|format| format.is_dir());
    formats
        .filter_map(|format| {
            fs::read_dir(format).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()).min()
        })
        .collect()
}

#[test]
fn what_is_saved_of_any_format_tells_the_same_messages() {
    let folder = with_session("formats");
    let (mut lines, mut timed) = (0, 0);
    for file in fixtures() {
        let name = file.to_str().unwrap();
        let all = told(&folder, name);
        if all.is_empty() {
            continue;
        }
        let _ = fs::remove_file(folder.join("out"));
        let (_, _, err) = run(&folder, &["--where", "true", "--format", "summary", "--write", "out", name]);
        lines += usize::from(err.contains("in the lines as they were read"));
        timed += usize::from(err.contains("as timed lines"));
        assert_eq!(told(&folder, "out"), all, "{name}: {err}");
    }
    assert!(lines > 3 && timed > 20, "{lines} by lines, {timed} as timed lines");
}

#[test]
fn several_inputs_and_secrets_are_written_as_timed_lines() {
    let folder = with_session("timed");
    let secret = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"login","arguments":{"password":"open sesame"}}}"#;
    fs::write(folder.join("b.jsonl"), format!("{secret}\n")).unwrap();
    assert_eq!(save(&folder, &["--where", "true", "b.jsonl"]), format!("{secret}\n").into_bytes());
    let saved = save(&folder, &["--where", "true", "--redact", "b.jsonl"]);
    assert!(!String::from_utf8(saved).unwrap().contains("open sesame"));
    save(&folder, &["--where", "n == 1", "a.jsonl", "b.jsonl"]);
    let told = told(&folder, "out");
    assert_eq!(
        told.iter().map(|[_, _, method, _]| method.as_str().unwrap()).collect::<Vec<_>>(),
        ["initialize", "tools/call"]
    );
}

#[test]
fn nothing_is_replaced_by_mistake() {
    let folder = with_session("mistakes");
    fs::write(folder.join("old"), "worth keeping").unwrap();
    let refused = |args: &[&str], why: &str| {
        let (code, out, err) = run(&folder, &[&["--errors"], args, &["a.jsonl"]].concat());
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}: {err}");
        assert!(err.contains(why), "{args:?}: {err}");
    };
    refused(&["--write", "old"], "`old` is there already");
    refused(&["--write", "a.jsonl"], "is an input");
    refused(&["--write", "a.jsonl", "--force"], "is an input");
    refused(&["--write", "."], "is a directory");
    refused(&["--write", "missing/out"], "cannot write `missing/out`");
    refused(&["--force"], "--write");
    let (code, _, err) = run(&folder, &["--write", "out", "a.jsonl"]);
    assert!(code == Some(2) && err.contains("expected `--where`"), "{err}");
    let (code, _, err) = run(&folder, &["--where", "false", "--write", "old", "--force", "a.jsonl"]);
    assert!(code == Some(0) && err.contains("nothing was selected, so no file was written"), "{err}");
    assert_eq!(fs::read_to_string(folder.join("old")).unwrap(), "worth keeping");
    assert_eq!(fs::read_to_string(folder.join("a.jsonl")).unwrap(), SESSION);
    save(&folder, &["--errors", "a.jsonl"]);
    assert_ne!(fs::read_to_string(folder.join("out")).unwrap(), "");
    // No temporary file is left, whatever happened.
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".git", "a.jsonl", "old", "out"]);
}

#[test]
fn a_full_disk_is_told_and_the_rest_of_the_run_goes_on() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = with_session("full");
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{{\"x\":\"{}\"}}}}\n",
        "y".repeat(20_000)
    );
    fs::write(folder.join("large.jsonl"), line.repeat(20)).unwrap();
    // The first is known to fail at the end only, the second in the middle.
    for file in ["a.jsonl", "large.jsonl"] {
        let (code, out, err) = run(&folder, &["--where", "true", "--format", "ndjson", "--write", "/dev/full", file]);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.starts_with("mcp-trace: cannot write `/dev/full`: ") && err.lines().count() == 1, "{err}");
        let summary: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
        assert_eq!((&summary["record"], &summary["exit_code"]), (&"summary".into(), &2.into()));
    }
}

#[test]
fn an_output_that_nobody_reads_on_does_not_cut_the_file() {
    let folder = with_session("closed");
    let line = |n: u64| format!("{{\"jsonrpc\":\"2.0\",\"id\":{n},\"method\":\"ping\"}}\n");
    let all: String = (1..=20_000).map(line).collect();
    fs::write(folder.join("many.jsonl"), &all).unwrap();
    let command =
        format!("'{}' --where true --write out many.jsonl | head -1 >/dev/null", env!("CARGO_BIN_EXE_mcp-trace"));
    let done = std::process::Command::new("sh").args(["-c", &command]).current_dir(&folder).output().unwrap();
    assert!(done.status.success());
    assert!(fs::read_to_string(folder.join("out")).unwrap() == all);
}

#[test]
fn an_input_that_is_not_read_whole_is_saved_as_far_as_it_goes() {
    let folder = with_session("partial");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    let line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    std::io::Write::write_all(&mut packed, line.repeat(2_000).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    fs::write(folder.join("cut.jsonl.gz"), &packed[..packed.len() / 2]).unwrap();
    let (code, _, err) = run(&folder, &["--where", "true", "--format", "summary", "--write", "out", "cut.jsonl.gz"]);
    assert_eq!(code, Some(2), "{err}");
    let saved = fs::read_to_string(folder.join("out")).unwrap();
    assert!(saved.lines().count() > 100 && line.repeat(2_000).starts_with(&saved[..saved.len() - 1]), "{err}");
}
