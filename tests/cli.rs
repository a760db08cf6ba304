//! The real program on real files and pipes: exit codes, messages, streaming, signals.
#![cfg(unix)]
// Tests say on standard error what they skip.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use flate2::Compression;
use flate2::write::GzEncoder;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"desk","version":"1"}}}"#;
const AGREED: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"files","version":"2"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const LISTED: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#;

fn session() -> String {
    [INITIALIZE, AGREED, INITIALIZED, LIST, LISTED].map(|line| format!("{line}\n")).concat()
}

/// A folder of its own for a test, empty at the start.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The program with nothing of the tester's environment.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-trace"));
    command.env_clear().timeout(Duration::from_secs(60));
    command
}

fn run(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn spawn(arguments: &[&str]) -> Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_mcp-trace"))
        .args(arguments)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the end, but not for ever.
fn wait(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    panic!("the program did not end");
}

/// The lines of a stream as they come.
fn lines(stream: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn wait_for(lines: &mpsc::Receiver<String>, word: &str) -> String {
    let start = Instant::now();
    while let Some(left) = Duration::from_secs(20).checked_sub(start.elapsed()) {
        match lines.recv_timeout(left) {
            Ok(line) if line.contains(word) => return line,
            Ok(_) => {}
            Err(_) => break,
        }
    }
    panic!("no line with `{word}`");
}

#[track_caller]
fn assert_one_line(output: &Output, words: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("mcp-trace: "), "{error}");
    for word in words {
        assert!(error.contains(word), "no `{word}` in: {error}");
    }
}

#[test]
fn a_log_without_messages_is_no_success_and_tells_how_to_get_some() {
    let log = "2026-03-02 09:15:00.000 [info] otes: Handling CreateClient action\n\
               2026-03-02 09:15:01.000 [error] otes: Client error for command Unexpected token 'b', \"boot\"... is not valid JSON\n";
    let output = program().args(["--format", "summary"]).write_stdin(log).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("line 2 says that the server writes to its standard output what is no message"), "{told}");
    assert!(told.contains("\"boot\"") && told.contains("; for messages: "), "{told}");

    let log =
        "2026-03-02T09:15:00.000Z [notes] [error] Server transport closed unexpectedly, the process exited early.\n";
    let output = program().args(["--format", "summary"]).write_stdin(log).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("events only in 1 line") && told.contains("line 1 says that the server's process ended"),
        "{told}"
    );
}

#[test]
fn a_session_becomes_a_table() {
    let path = file(&folder("table"), "a.jsonl", session());
    let output = run(&[path.to_str().unwrap()]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    for word in ["initialize", "2025-11-25", "notifications/initialized", "tools/list", "server.tools", "operation"] {
        assert!(table.contains(word), "no {word} in:\n{table}");
    }
    assert!(!table.contains('\u{1b}'), "colours without a terminal");
}

#[test]
fn every_way_to_name_the_input_gives_the_same() {
    let path = file(&folder("ways"), "a.jsonl", session());
    let path = path.to_str().unwrap();
    let short = run(&[path]).stdout;
    assert_eq!(short, run(&["annotate", path]).stdout);
    assert_eq!(short, run(&[path]).stdout, "the same input gives the same bytes");
    let piped = program().write_stdin(session()).output().unwrap();
    let dash = program().arg("-").write_stdin(session()).output().unwrap();
    assert_eq!(piped.stdout, dash.stdout);
    assert_eq!(piped.status.code(), Some(0));
}

#[test]
fn inputs_that_cannot_be_read_are_told_in_one_line() {
    let folder = folder("unreadable");
    let name = |path: &Path| path.to_str().unwrap().to_owned();
    let missing = name(&folder.join("missing.jsonl"));
    assert_one_line(&run(&[&missing]), &["missing.jsonl"]);
    assert_one_line(&run(&[&name(&folder)]), &["directory"]);
    let empty = name(&file(&folder, "empty.jsonl", ""));
    assert_one_line(&run(&[&empty]), &["empty.jsonl", "empty input", "expected"]);
    let binary = name(&file(&folder, "binary.dat", (0..=255).cycle().take(40_000).collect::<Vec<u8>>()));
    assert_one_line(&run(&[&binary]), &["binary.dat", "expected"]);
    let prose = name(&file(&folder, "prose.txt", "It was a dark and stormy night.\nNothing happened.\n"));
    assert_one_line(&run(&[&prose]), &["prose.txt", "expected"]);
}

#[test]
fn a_file_without_permission_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let path = file(&folder("permission"), "locked.jsonl", session());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if File::open(&path).is_ok() {
        eprintln!("SKIPPED: this user may read everything");
        return;
    }
    assert_one_line(&run(&[path.to_str().unwrap()]), &["locked.jsonl"]);
}

#[test]
fn what_was_read_before_a_fault_is_printed() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(session().repeat(200).as_bytes()).unwrap();
    let whole = encoder.finish().unwrap();
    let folder = folder("cut");
    let cut = file(&folder, "cut.jsonl.gz", &whole[..whole.len() / 2]);
    let output = run(&["--format", "ndjson", cut.to_str().unwrap()]);
    assert_one_line(&output, &["cut.jsonl.gz"]);
    assert!(text(&output.stdout).contains("\"method\":\"initialize\""), "the readable part is missing");

    let whole = file(&folder, "whole.jsonl.gz", &whole);
    assert_eq!(run(&["--format", "ndjson", whole.to_str().unwrap()]).status.code(), Some(0));
}

#[test]
fn one_bad_input_does_not_hide_the_others() {
    let folder = folder("several");
    let good = file(&folder, "good.jsonl", session());
    let missing = folder.join("missing.jsonl");
    let output = run(&["--format", "ndjson", missing.to_str().unwrap(), good.to_str().unwrap()]);
    assert_one_line(&output, &["missing.jsonl"]);
    assert!(text(&output.stdout).contains("\"method\":\"tools/list\""));
}

#[test]
fn a_misspelt_command_is_recognised() {
    assert_one_line(&run(&["exlpain"]), &["neither a file nor a command", "did you mean `mcp-trace explain`?"]);
    assert_one_line(&run(&["explian", "tools"]), &["did you mean `mcp-trace explain`?"]);
    assert_one_line(&run(&["shwo", "2", "x.jsonl"]), &["did you mean `mcp-trace show`?"]);
    assert_one_line(&run(&["version"]), &["did you mean `mcp-trace --version`?"]);
    assert_one_line(&run(&["explain", "toolz"]), &["did you mean `tools`?"]);
    let output = run(&["--format", "tabel"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("table"), "{}", text(&output.stderr));
}

#[test]
fn unknown_columns_get_a_suggestion() {
    assert_one_line(&run(&["--columns", "metod", "x.jsonl"]), &["unknown column `metod`", "did you mean `method`?"]);
}

#[test]
fn help_groups_options_and_has_examples() {
    let help = text(&run(&["--help"]).stdout);
    for word in ["Reading:", "Output:", "Look of the table:", "Examples:", "Exit codes:", "--from", "mcp-trace demo"] {
        assert!(help.contains(word), "no {word} in:\n{help}");
    }
    let version = run(&["--version"]);
    assert_eq!(text(&version.stdout), format!("mcp-trace {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn colours_obey_the_flag_before_the_environment() {
    let path = file(&folder("colours"), "a.jsonl", session());
    let coloured = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = program();
        command.envs(variables.iter().copied()).args(arguments).arg(&path);
        command.output().unwrap().stdout.contains(&0x1b)
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
    assert!(coloured(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!coloured(&[], &["--format", "ndjson", "--color", "always"]), "machines get no colours");
}

#[test]
fn a_locale_without_utf8_gets_ascii() {
    let path = file(&folder("locale"), "a.jsonl", session());
    let ascii = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = program();
        command.envs(variables.iter().copied()).args(arguments).arg(&path);
        command.output().unwrap().stdout.is_ascii()
    };
    assert!(!ascii(&[], &[]));
    assert!(!ascii(&[("LANG", "de_DE.UTF-8")], &[]));
    assert!(ascii(&[("LANG", "C")], &[]));
    assert!(ascii(&[("LANG", "de_DE.UTF-8")], &["--ascii"]));
}

#[test]
fn an_output_file_appears_whole_and_replaces() {
    let folder = folder("output");
    let input = file(&folder, "a.jsonl", session());
    let out = file(&folder, "out.ndjson", "old");
    let arguments = ["--format", "ndjson", "-o", out.to_str().unwrap(), input.to_str().unwrap()];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty());
    let direct = run(&["--format", "ndjson", input.to_str().unwrap()]).stdout;
    assert_eq!(fs::read(&out).unwrap(), direct);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing else is left behind");

    let nowhere = folder.join("none").join("out.txt");
    assert_one_line(&run(&["-o", nowhere.to_str().unwrap(), input.to_str().unwrap()]), &["cannot write"]);
    assert_one_line(&run(&["-o", folder.to_str().unwrap(), input.to_str().unwrap()]), &["is a directory"]);
}

#[test]
fn a_closed_pipe_is_quiet_success() {
    let path = file(&folder("closed"), "long.jsonl", session().repeat(20_000));
    for format in ["table", "ndjson", "json"] {
        let mut child = spawn(&["--format", format, path.to_str().unwrap()]);
        drop(child.stdin.take());
        let mut first = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert_eq!(wait(&mut child), Some(0), "{format}");
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        assert_eq!(error, "", "{format}");
    }
}

#[test]
fn hostile_text_puts_no_control_on_the_terminal() {
    let hostile = r#"{"jsonrpc":"2.0","id":"\u001b[2J","method":"tools/call\u001b]0;x\u0007","params":{"name":"\u009b31m\r\n\u202eevil","arguments":{"a":"\u0000\u007f"}}}"#;
    let raw = b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"x\x1b[31m\"}\n\x1b[2Jnoise \x07\xff\r\n";
    let mut bytes = session().into_bytes();
    bytes.extend_from_slice(hostile.as_bytes());
    bytes.push(b'\n');
    bytes.extend_from_slice(raw);
    let folder = folder("hostile");
    let path = file(&folder, "a\u{1b}[31m.jsonl", &bytes);
    let path = path.to_str().unwrap();
    for arguments in [
        &[path][..],
        &["--wide", "--payload", path],
        &["--format", "ndjson", "--payload", path],
        &["show", "6", path],
        &["show", "7", path],
    ] {
        let output = run(arguments);
        assert!(!output.stdout.is_empty(), "{arguments:?}: {}", text(&output.stderr));
        for stream in [&output.stdout, &output.stderr] {
            let shown = text(stream);
            let bad = shown.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
            // JSON may carry what only reorders text; it is for programs.
            let harmless = bad == Some('\u{202e}') && arguments.contains(&"ndjson");
            assert!(bad.is_none() || harmless, "{bad:?} in the output of {arguments:?}:\n{shown:?}");
        }
    }
}

#[test]
fn rows_come_while_the_producer_still_writes() {
    for format in ["table", "ndjson"] {
        let mut child = spawn(&["--format", format]);
        let mut input = child.stdin.take().unwrap();
        let shown = lines(child.stdout.take().unwrap());
        writeln!(input, "{INITIALIZE}").unwrap();
        wait_for(&shown, "initialize");
        writeln!(input, "{AGREED}\n{INITIALIZED}\n{LIST}").unwrap();
        wait_for(&shown, "tools/list");
        drop(input);
        assert_eq!(wait(&mut child), Some(0), "{format}");
    }
}

#[test]
fn an_interrupt_still_prints_the_totals() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        ends_with_its_summary(signal);
    }
}

fn ends_with_its_summary(signal: &str) {
    let mut child = spawn(&["--format", "ndjson"]);
    let mut input = child.stdin.take().unwrap();
    let shown = lines(child.stdout.take().unwrap());
    writeln!(input, "{INITIALIZE}").unwrap();
    wait_for(&shown, "initialize");
    let killed = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let summary = wait_for(&shown, "\"record\":\"summary\"");
    assert!(summary.contains("\"messages\":1"), "{summary}");
    wait(&mut child);
    drop(input);
}

/// Every command that goes through inputs takes directories and patterns, and one bad file never loses the others.
#[test]
fn directories_and_patterns_are_inputs() {
    let folder = folder("directories");
    for name in ["a.jsonl", "sub/b.jsonl", ".hidden/c.jsonl"] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, session()).unwrap();
    }
    let (whole, pattern) = (folder.to_str().unwrap().to_owned(), format!("{}/**/*.jsonl", folder.display()));
    let commands: [&[&str]; 5] = [
        &["--format", "ndjson"],
        &["check", "--format", "ndjson"],
        &["convert"],
        &["stats", "--by", "file"],
        &["formats"],
    ];
    for command in commands {
        for input in [&whole, &pattern] {
            let done = run(&[command, &[input.as_str()]].concat());
            assert_eq!(done.status.code(), Some(0), "{command:?} {input}: {}", text(&done.stderr));
            // `convert` names no files.
            let shown = text(&done.stdout);
            let seen = |name: &str| {
                if command == ["convert"] { shown.matches("initialize\"").count() > 1 } else { shown.contains(name) }
            };
            assert!(seen("a.jsonl") && seen("b.jsonl") && !shown.contains("c.jsonl"), "{command:?}: {shown}");
        }
        let none = format!("{whole}/*.log");
        let done = run(&[command, &[whole.as_str(), &none]].concat());
        assert_eq!(done.status.code(), Some(2), "{command:?}");
        assert!(
            text(&done.stderr).contains("*.log: ") && !done.stdout.is_empty(),
            "{command:?}: {}",
            text(&done.stderr)
        );
    }
}

/// Rows come as a file grows, also when another one takes its name or it is cut, and Ctrl-C is the end of it.
#[test]
fn a_file_that_goes_on_is_followed() {
    let folder = folder("follow");
    let path = folder.join("live.jsonl");
    let append = |text: &str| {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(&path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    let name = path.to_str().unwrap();
    let mut child = spawn(&["--format", "ndjson", "--follow", name]);
    let (shown, told) = (lines(child.stdout.take().unwrap()), lines(child.stderr.take().unwrap()));
    wait_for(&told, "waiting for it");
    append(&format!("{INITIALIZE}\n{AGREED}\n{INITIALIZED}\n{}", &LIST[..20]));
    wait_for(&shown, "notifications/initialized");
    append(&format!("{}\n", &LIST[20..]));
    wait_for(&shown, "tools/list");
    fs::rename(&path, folder.join("live.jsonl.1")).unwrap();
    append("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n");
    wait_for(&told, "another file has taken its name");
    let answer = wait_for(&shown, "\"kind\":\"response\"");
    assert!(answer.contains("\"session\":1") && answer.contains("\"method\":\"tools/list\""), "{answer}");
    fs::write(&path, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n").unwrap();
    wait_for(&told, "it was cut");
    wait_for(&shown, "\"method\":\"ping\"");
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let summary = wait_for(&shown, "\"record\":\"summary\"");
    assert!(summary.contains("\"messages\":6") && summary.contains("\"complete\":true"), "{summary}");
    assert_eq!(wait(&mut child), Some(0));
    for (wrong, hint) in
        [(&["--follow"][..], "found 0"), (&["-f", "-"], "standard input"), (&["-f", name, name], "found 2")]
    {
        assert_one_line(&run(wrong), &[hint]);
    }
}

/// What `stats --follow` counts is what one run over the same file counts, with a filter too.
#[test]
fn figures_of_a_file_that_goes_on_are_those_of_the_whole() {
    followed_figures("follow-stats", &[]);
    followed_figures("follow-filtered", &["--where", "kind == \"request\""]);
}

fn followed_figures(name: &str, filter: &[&str]) {
    let path = file(&folder(name), "live.jsonl", "");
    let stats = [&["stats", "--format", "json", path.to_str().unwrap()], filter].concat();
    // How long a loaded machine takes to see what is written is not known.
    let followed = [300, 3_000, 30_000].into_iter().any(|millis| {
        fs::write(&path, "").unwrap();
        let mut child = spawn(&[&stats[..], &["--follow"]].concat());
        let shown = lines(child.stdout.take().unwrap());
        std::thread::sleep(Duration::from_millis(millis));
        fs::write(&path, session()).unwrap();
        std::thread::sleep(Duration::from_millis(millis));
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let figures = wait_for(&shown, "\"record\":\"stats\"");
        wait(&mut child) == Some(0) && figures.trim_end() == text(&run(&stats).stdout).trim_end()
    });
    assert!(followed, "the figures are not those of one run: {stats:?}");
}

#[test]
fn an_output_does_not_replace_its_input() {
    let path = file(&folder("own-input"), "a.jsonl", session());
    let name = path.to_str().unwrap();
    assert_one_line(&run(&["-o", name, name]), &["is an input"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), session());
}

#[test]
fn the_demo_is_a_session_that_reads_well() {
    let demo = run(&["demo"]);
    assert_eq!(demo.status.code(), Some(0));
    assert!(demo.stderr.is_empty(), "{}", text(&demo.stderr));
    assert!(text(&demo.stdout).lines().all(|line| line.starts_with('{')));
    let table = program().write_stdin(demo.stdout).output().unwrap();
    assert_eq!(table.status.code(), Some(0), "{}", text(&table.stderr));
    assert!(text(&table.stdout).contains("tools/call"));
    assert_one_line(&run(&["demo", "--revision", "1999-01-01"]), &["unknown revision", "2025-11-25"]);
    assert_one_line(
        &run(&["demo", "--scenario", "stateless", "--revision", "2025-06-18"]),
        &["stateless", "2026-07-28"],
    );
}

#[test]
fn show_gives_a_message_with_its_other_half() {
    let path = file(&folder("show"), "a.jsonl", session());
    let path = path.to_str().unwrap();
    for asked in ["4", "5"] {
        let output = run(&["show", asked, path]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let shown = text(&output.stdout);
        let cards: Vec<&str> = shown.lines().filter(|line| line.starts_with('#')).map(|line| &line[..2]).collect();
        assert_eq!(cards, ["#4", "#5"], "{shown}");
        assert!(shown.contains("\"tools\": []"), "{shown}");
        let piped = program().args(["show", asked]).write_stdin(session()).output().unwrap();
        assert_eq!(text(&piped.stdout), shown, "a pipe and a file show the same");
    }
    assert_one_line(&run(&["show", "6", path]), &["no message 6", "from 1 to 5"]);
    assert_one_line(&run(&["show", "0", path]), &["no message 0"]);
}

#[test]
fn show_takes_the_file_first_and_writes_json() {
    let path = file(&folder("show-json"), "a.jsonl", session());
    let path = path.to_str().unwrap();
    assert_eq!(run(&["show", path, "4"]).stdout, run(&["show", "4", path]).stdout);
    assert_one_line(&run(&["show", path]), &["expected the number of a message before the file"]);
    assert_one_line(&run(&["show", path, "x"]), &["got `x`"]);
    assert_one_line(&run(&["show", "none.jsonl", "4"]), &["got `none.jsonl`"]);

    let json = run(&["show", "--format", "json", "--color", "always", "--width", "60", "5", path]);
    assert_eq!(json.status.code(), Some(0), "{}", text(&json.stderr));
    let lines: Vec<serde_json::Value> =
        text(&json.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["n"].as_u64().unwrap()).collect::<Vec<_>>(), [4, 5]);
    assert_eq!(lines[1]["payload"]["result"]["tools"], serde_json::json!([]));
    let piped = program().args(["show", "5", "--format", "json"]).write_stdin(session()).output().unwrap();
    let numbers = |bytes: &[u8]| text(bytes).matches("\"record\":\"message\"").count();
    assert_eq!(numbers(&piped.stdout), numbers(&json.stdout));
}

#[test]
fn latency_has_the_same_words_in_both_tables() {
    let timed = [
        format!("{{\"ts\":\"2026-01-01T00:00:00Z\",\"dir\":\"client->server\",\"msg\":{LIST}}}\n"),
        format!("{{\"ts\":\"2026-01-01T00:00:32.252Z\",\"dir\":\"server->client\",\"msg\":{LISTED}}}\n"),
    ];
    let path = file(&folder("latency"), "a.jsonl", timed.concat());
    for arguments in [&["show", "2"][..], &["--wide"]] {
        let output = program().args(arguments).arg(&path).output().unwrap();
        assert!(text(&output.stdout).contains("32.3 s"), "{}{}", text(&output.stdout), text(&output.stderr));
    }
}

#[test]
fn a_wrong_format_is_told_with_what_would_help() {
    let path = file(&folder("from"), "a.jsonl", session());
    let path = path.to_str().unwrap();
    let words = ["`--from claude-desktop` was given", "without it"];
    assert_one_line(&run(&["--from", "claude-desktop", "--format", "ndjson", path]), &words);
    assert_one_line(&run(&["show", "--from", "claude-desktop", "1", path]), &words);
}

#[test]
fn an_output_file_survives_a_run_that_read_nothing() {
    let folder = folder("kept");
    let out = file(&folder, "out.txt", "old");
    let missing = folder.join("missing.jsonl");
    let output = run(&["-o", out.to_str().unwrap(), missing.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("left as it was"), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left behind");
}

#[test]
fn a_full_device_is_named() {
    if !Path::new("/dev/full").exists() {
        eprintln!("SKIPPED: there is no /dev/full");
        return;
    }
    let path = file(&folder("full"), "a.jsonl", session());
    let path = path.to_str().unwrap();
    assert_one_line(&run(&["-o", "/dev/full", path]), &["cannot write `/dev/full`"]);
    for arguments in [&[path][..], &["show", "4", path], &["demo"], &["explain"], &["schema"], &["--help"]] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mcp-trace"));
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command.args(arguments).env_clear().stdin(Stdio::null()).stdout(full).output().unwrap();
        assert_one_line(&output, &["cannot write to standard output"]);
    }
}

#[test]
fn the_schema_and_the_formats_are_printed() {
    let schema: serde_json::Value = serde_json::from_slice(&run(&["schema"]).stdout).unwrap();
    assert!(schema.get("$schema").is_some(), "{schema}");
    let formats = text(&run(&["formats"]).stdout);
    for format in mcp_trace::transcript::FORMATS {
        assert!(formats.contains(format.name) && formats.contains(format.example.lines().next().unwrap()));
    }
}
