//! What is recognised, what is refused, and what both are called: `mcp-trace formats FILE`, `mcp-trace logs`, and the
//! message for input that is no transcript. With the real program.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-trace"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_clear().env("COLUMNS", "120");
    command
}

/// A folder of its own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mcp-trace-recognition-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// Folders of `fixtures/formats` that are named after a wrapping; what is in them has other formats.
fn wrapping_of(folder: &str) -> Option<&'static str> {
    Some(match folder {
        "gz" => "gzip",
        "zst" => "zstd",
        "utf-16" => "utf-16",
        other => mcp_trace::transcript::WRAPPINGS.iter().find(|(_, name, _)| *name == other)?.1,
    })
}

#[test]
fn every_fixture_is_recognised_as_what_it_is_whatever_its_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/formats");
    let mut seen = 0;
    for folder in files(&root) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        for path in files(&folder) {
            let output =
                program().args(["formats", "--format", "json", "-"]).write_stdin(fs::read(&path).unwrap()).output();
            let output = output.unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", path.display());
            let told: Value = serde_json::from_slice(&output.stdout).unwrap();
            let place = format!("{}: {told}", path.display());
            match wrapping_of(name) {
                Some(wrapping) => {
                    let wrappings = told["wrappings"].as_array().unwrap();
                    assert!(wrappings.iter().any(|one| one.as_str().unwrap().starts_with(wrapping)), "{place}");
                    assert!(matches!(told["format"].as_str(), Some("jsonl" | "json")), "{place}");
                }
                None => {
                    assert_eq!(told["format"], name, "{place}");
                    // What a program prints through Rich has no other place.
                    let rich = path.to_str().unwrap().ends_with(".rich.part.log");
                    let wrappings: &[&str] = if rich { &["rich"] } else { &[] };
                    assert_eq!(told["wrappings"], serde_json::json!(wrappings), "{place}");
                }
            }
            assert!(told["reason"].is_string() && told["confidence"].is_string(), "{place}");
            seen += 1;
        }
    }
    println!("{seen} files recognised");
    assert!(seen > 60);
}

/// Bytes that nobody would take for text, the same each time.
fn random_bytes() -> Vec<u8> {
    let mut seed = 7_u32;
    (0..5000)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        })
        .collect()
}

#[test]
fn what_is_no_transcript_is_refused_by_name() {
    let access =
        "192.0.2.7 - - [02/Jan/2025:03:04:05 +0000] \"GET /index.html HTTP/1.1\" 200 512 \"-\" \"agent/1.0\"\n";
    let page = "<!DOCTYPE html>\n<html><body>{\"jsonrpc\"</body></html>\n";
    let panic = "thread 'main' (7) panicked at src/main.rs:3:5:\nindex out of bounds\nstack backtrace:\n   0: rust_begin_unwind\n";
    let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nValueError: no\n";
    let cases: [(&str, Vec<u8>, &str); 16] = [
        ("an object", b"{\"name\":\"x\",\"version\":\"1.0.0\"}\n".to_vec(), "JSON without a JSON-RPC message"),
        ("a pretty object", b"{\n  \"name\": 7,\n  \"list\": [\n  ]\n}\n".to_vec(), "JSON without a JSON-RPC message"),
        ("an array", b"[\n  {\"a\": 1},\n  {\"b\": [2]}\n]\n".to_vec(), "JSON without a JSON-RPC message"),
        (
            "lines of objects",
            b"{\"level\":30,\"msg\":\"up\"}\n{\"level\":30,\"msg\":\"down\"}\n".to_vec(),
            "JSON without",
        ),
        ("a web server's log", access.repeat(3).into_bytes(), "a web server's access log"),
        ("a backtrace", panic.as_bytes().to_vec(), "a Rust backtrace"),
        ("a traceback", traceback.as_bytes().to_vec(), "a Python traceback"),
        ("a page", page.as_bytes().to_vec(), "a page of HTML or XML"),
        ("nothing", Vec::new(), "an empty input"),
        ("blank lines", b"\n \n\n".to_vec(), "none from line 1 to line 3"),
        ("prose", b"Dear reader,\nnothing here.\n".to_vec(), "none from line 1 to line 2"),
        ("random bytes", random_bytes(), "found"),
        ("a table", b"name,size\na,1\nb,2\n".to_vec(), "none from line 1 to line 3"),
        ("xz", b"\xfd7zXZ\0\0\x04\xe6\xd6".to_vec(), "xz -dc FILE | mcp-trace"),
        ("a program", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec(), "a program"),
        ("Markdown without messages", b"# Title\n\n```json\n{\"a\": 1}\n```\n".to_vec(), "none from line 1 to line 5"),
    ];
    for (name, bytes, wanted) in cases {
        let annotated = program().write_stdin(bytes.clone()).output().unwrap();
        assert_eq!(annotated.status.code(), Some(2), "{name}");
        let message = String::from_utf8(annotated.stderr).unwrap();
        assert!(message.contains("standard input") && message.contains(wanted), "{name}: {message}");
        assert_eq!(message.lines().count(), 1, "{name}: {message}");

        let looked = program().args(["formats", "-"]).write_stdin(bytes).output().unwrap();
        assert_eq!(looked.status.code(), Some(2), "{name}");
        let message = String::from_utf8(looked.stderr).unwrap();
        assert!(message.contains("standard input: expected JSON-RPC messages"), "{name}: {message}");
        if !wanted.starts_with("none") {
            assert!(message.contains(wanted), "{name}: {message}");
        }
    }
}

#[test]
fn formats_names_runners_up_wrappings_and_what_stands_before() {
    let folder = folder("formats");
    let session = fs::read_to_string("fixtures/sessions/2025-11-25/handshake.jsonl").unwrap();
    let coloured: String = session.lines().map(|line| format!("\u{1b}[1m{line}\u{1b}[0m\n")).collect();
    let path = folder.join("a.log");
    fs::write(&path, format!("starting\n{coloured}{{\n")).unwrap();
    let output = program().arg("formats").arg(&path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for wanted in ["jsonl", "likely", "Inside ansi. 1 line before it is no part of it."] {
        assert!(text.contains(wanted), "{wanted}:\n{text}");
    }
    let missing = program().args(["formats", "no-such-file"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8(missing.stderr).unwrap().contains("no-such-file: expected a file, found none"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn logs_are_found_where_hosts_write_them() {
    let home = folder("home");
    let session = fs::read("fixtures/sessions/2025-11-25/handshake.jsonl").unwrap();
    let desktop = fs::read("fixtures/formats/claude-desktop/2025-11-25-handshake.mcp.log").unwrap();
    let put = |path: &str, text: &[u8]| {
        let path = home.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    };
    put("Library/Logs/Claude/mcp.log", &desktop);
    put("Library/Logs/Claude/mcp-server-notes.log", &desktop);
    put("Library/Logs/Claude/main.log", b"not asked for\n");
    put(".config/Code/logs/20250102T030405/window1/mcpServer.notes.log", &session);
    put(".config/Code/logs/20250102T030405/window1/renderer.log", b"not asked for\n");
    put("roaming/Cursor/logs/20250102T030405/window1/exthost/host/MCP notes.log", b"2025-01-02 connected\n");
    put("cache/claude-cli-nodejs/-home-x/mcp-logs-notes/2025.txt", b"[]\n");
    put("cache/claude-cli-nodejs/-home-x/other/2025.txt", b"[]\n");

    let logs = |format: &str| {
        let mut command = program();
        command.args(["logs", "--format", format]).env("HOME", &home);
        command.env("XDG_CACHE_HOME", home.join("cache")).env("APPDATA", home.join("roaming"));
        command.output().unwrap()
    };
    let output = logs("json");
    assert_eq!(output.status.code(), Some(0));
    let mut told: Vec<(String, String, String)> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| {
            let log: Value = serde_json::from_str(line).unwrap();
            let path = Path::new(log["path"].as_str().unwrap()).strip_prefix(&home).unwrap().display().to_string();
            assert_eq!(log["bytes"].as_u64(), Some(fs::metadata(home.join(&path)).unwrap().len()));
            assert!(log["modified"].as_str().unwrap().parse::<jiff::Timestamp>().is_ok());
            let text = |name: &str| log[name].as_str().unwrap_or("-").to_owned();
            (path, text("host"), text("format"))
        })
        .collect();
    told.sort();
    let expected = [
        (".config/Code/logs/20250102T030405/window1/mcpServer.notes.log", "Visual Studio Code", "jsonl"),
        ("Library/Logs/Claude/mcp-server-notes.log", "Claude Desktop", "claude-desktop"),
        ("Library/Logs/Claude/mcp.log", "Claude Desktop", "claude-desktop"),
        ("cache/claude-cli-nodejs/-home-x/mcp-logs-notes/2025.txt", "Claude Code", "-"),
        ("roaming/Cursor/logs/20250102T030405/window1/exthost/host/MCP notes.log", "Cursor", "-"),
    ];
    let expected: Vec<_> =
        expected.map(|(path, host, format)| (path.to_owned(), host.to_owned(), format.to_owned())).into();
    assert_eq!(told, expected);

    let table = String::from_utf8(logs("table").stdout).unwrap();
    for wanted in ["Claude Desktop", "claude-desktop", "not recognised", "0 min", "mcpServer.notes.log", "kB"] {
        assert!(table.contains(wanted), "{wanted}:\n{table}");
    }
    fs::remove_dir_all(&home).unwrap();
    fs::create_dir_all(&home).unwrap();
    let none = logs("table");
    assert_eq!((none.status.code(), none.stdout.is_empty()), (Some(2), true));
    assert!(String::from_utf8(none.stderr).unwrap().contains("found none in their known folders"));
    fs::remove_dir_all(&home).unwrap();
}
