//! The fixtures hold together: truth fits the lines, other shapes fit the sessions, messages fit the official
//! schemas. `BLESS=1 cargo test --test fixtures` writes the other shapes again.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "fixtures/http_shapes.rs"]
mod http_shapes;
#[allow(dead_code)]
#[path = "grammars/logs/mod.rs"]
mod logs;
#[path = "support/recorded.rs"]
mod recorded;
#[path = "fixtures/schema.rs"]
mod schema;
#[path = "fixtures/session.rs"]
mod session;
#[path = "fixtures/shapes.rs"]
mod shapes;

use std::fs;
use std::io::Write;

use logs::silent::SILENT;
use logs::{Dice, LOGS, json_text};
use mcp_trace::demo::SCENARIOS;
use mcp_trace::jsonrpc::{Parser, Reading};
use mcp_trace::protocol::Revision;
use mcp_trace::transcript::{Fill, Source};
use recorded::RECORDERS;
use schema::Schema;
use serde_json::Value;
use session::{Session, Truth};
use shapes::SHAPES;

/// Sessions that are there in every shape that can hold them.
const RESHAPED: [&str; 10] = [
    "2024-11-05/library",
    "2025-03-26/batch",
    "2025-06-18/garden",
    "2025-11-25/everything",
    "2025-11-25/handshake",
    "2025-11-25/trouble",
    "2026-07-28/discover",
    "2026-07-28/input-required",
    "mixed/probe-falls-back",
    "mixed/two-sessions",
];

/// Sessions that are there as every text log.
const LOGGED: [&str; 4] =
    ["2025-11-25/handshake", "2025-11-25/trouble", "2026-07-28/input-required", "mixed/two-sessions"];
/// Sessions that are there as recorders write them.
const RECORDED: [&str; 3] = ["2025-06-18/garden", "2025-11-25/handshake", "2026-07-28/discover"];

/// The session that is there compressed.
const COMPRESSED: &str = "2025-11-25/handshake";

#[test]
fn every_shape_is_the_session_again() {
    let mut compared = 0;
    for session in session::all().iter().filter(|session| RESHAPED.contains(&session.name.as_str())) {
        for shape in SHAPES.iter().filter(|shape| (shape.takes)(session)) {
            compare(session, shape.folder, shape.ending, &(shape.write)(session));
            compared += 1;
        }
    }
    assert!(compared >= 7 * SHAPES.len(), "only {compared} files");
}

#[test]
fn every_recording_is_the_session_again() {
    let mut compared = 0;
    for session in session::all().iter().filter(|session| RECORDED.contains(&session.name.as_str())) {
        for recorder in RECORDERS {
            compare(session, recorder.format, recorder.ending, &(recorder.write)(&shapes::said(session)));
            compared += 1;
        }
    }
    assert_eq!(compared, RECORDED.len() * RECORDERS.len());
}

#[test]
fn every_log_is_the_session_again() {
    let mut compared = 0;
    for session in session::all().iter().filter(|session| LOGGED.contains(&session.name.as_str())) {
        for log in LOGS {
            compare(session, log.format, log.ending, &(log.write)(&shapes::story(session), &mut Dice::new(1)));
            compared += 1;
        }
    }
    assert_eq!(compared, LOGGED.len() * LOGS.len());
}

#[test]
fn logs_without_messages_are_there() {
    for log in SILENT {
        let text = (log.write)("file-server", "boot: ready in 3 ms", &mut Dice::new(1));
        compare_file("silent", &format!("{}.{}", log.format, log.ending), &text);
    }
}

/// Compares the text with its file, or writes the file.
fn compare(session: &Session, folder: &str, ending: &str, expected: &str) {
    compare_file(&format!("formats/{folder}"), &format!("{}.{ending}", session.case()), expected);
}

fn compare_file(folder: &str, name: &str, expected: &str) {
    let folder = session::root().join(folder);
    let path = folder.join(name);
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(&folder).unwrap();
        fs::write(&path, expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(found == expected, "{} has drifted: BLESS=1 cargo test --test fixtures", path.display());
}

#[test]
fn pretty_text_is_laid_out_as_usual_and_keeps_its_tokens() {
    let compact = r#"{"a":[1,{"b":{}}],"c":"x{,}:\"[","d":[],"e":[[true],"}"]}"#;
    let value: Value = serde_json::from_str(compact).unwrap();
    assert_eq!(json_text::pretty(compact), serde_json::to_string_pretty(&value).unwrap());
    assert_eq!(json_text::pretty(r#"{"id":12345678901234567890.10}"#), "{\n  \"id\": 12345678901234567890.10\n}");
}

type Pack = fn(&[u8]) -> Vec<u8>;

/// The ways to pack a session: folder, ending, packer.
const PACKED: [(&str, &str, Pack); 4] = [
    ("gz", "jsonl.gz", |plain| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(plain).unwrap();
        packer.finish().unwrap()
    }),
    ("zst", "jsonl.zst", |plain| ruzstd::encoding::compress_to_vec(plain, ruzstd::encoding::CompressionLevel::Fastest)),
    ("utf-16", "le.jsonl", |plain| utf_16("\u{feff}", plain, u16::to_le_bytes)),
    ("utf-16", "be-without-mark.jsonl", |plain| utf_16("", plain, u16::to_be_bytes)),
];

fn utf_16(mark: &str, plain: &[u8], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = format!("{mark}{}", std::str::from_utf8(plain).unwrap()).replace('\n', "\r\n");
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn the_packed_session_is_the_session() {
    let plain = fs::read(session::root().join("sessions").join(format!("{COMPRESSED}.jsonl"))).unwrap();
    for (folder, ending, pack) in PACKED {
        let folder = session::root().join("formats").join(folder);
        let path = folder.join(format!("{}.{ending}", COMPRESSED.replace('/', "-")));
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, pack(&plain)).unwrap();
        }
        // By content: compressors may differ from version to version.
        let mut source = Source::open(&path, Default::default()).unwrap();
        let (mut unpacked, mut buffer) = (Vec::new(), vec![0; 4096]);
        while let Fill::Read(count) = source.fill(&mut buffer).unwrap() {
            unpacked.extend_from_slice(&buffer[..count]);
        }
        let unpacked = String::from_utf8(unpacked).unwrap().replace("\r\n", "\n");
        assert!(unpacked.as_bytes() == plain, "{} has drifted: BLESS=1 cargo test --test fixtures", path.display());
    }
}

type WriteLine = fn(usize, &str) -> String;

/// What programs write around the lines of a session: folder, ending, the text for the line of that number.
const WRAPPED: [(&str, &str, WriteLine); 11] = [
    ("ansi", "log", |_, line| format!("\u{1b}[2m\u{1b}[38;5;110m{line}\u{1b}[0m\n")),
    ("docker", "log", |n, line| {
        let (log, time) = (quoted(&format!("{line}\n")), format!("2025-11-25T09:00:{:02}.{n:09}Z", n % 60));
        format!("{{\"log\":{log},\"stream\":\"stdout\",\"time\":\"{time}\"}}\n")
    }),
    ("journal", "jsonl", |n, line| {
        let time = 1_764_061_200_000_000 + n;
        format!(
            "{{\"__REALTIME_TIMESTAMP\":\"{time}\",\"PRIORITY\":\"6\",\"_PID\":\"77\",\"_SYSTEMD_UNIT\":\"notes.service\",\
             \"MESSAGE\":{}}}\n",
            quoted(line)
        )
    }),
    ("cri", "log", |n, line| {
        let time = format!("2025-11-25T09:00:{:02}.{n:09}+01:00", n % 60);
        let middle = (0..=line.len() / 2).rev().find(|&at| line.is_char_boundary(at)).unwrap();
        format!("{time} stdout P {}\n{time} stdout F {}\n", &line[..middle], &line[middle..])
    }),
    ("compose", "log", |_, line| format!("notes-1  | {line}\n")),
    ("compose", "times.log", |n, line| format!("notes-1  | 2025-11-25T09:00:{:02}.{n:09}Z {line}\n", n % 60)),
    ("pod", "log", |_, line| format!("[pod/notes-7d9f8c/server] {line}\n")),
    ("syslog", "log", |n, line| format!("Nov 25 09:00:{:02} box notes[77]: {line}\n", n % 60)),
    ("syslog", "structured.log", |n, line| {
        format!("<14>1 2025-11-25T09:00:{:02}.{n:06}Z box notes 77 - - {line}\n", n % 60)
    }),
    ("time-stamps", "log", |n, line| format!("2025-11-25T09:00:{:02}.{n:07}Z {line}\n", n % 60)),
    ("logger", "jsonl", |n, line| {
        format!(
            "{{\"level\":20,\"time\":{},\"pid\":77,\"hostname\":\"box\",\"msg\":{}}}\n",
            1_764_061_200_000 + n,
            quoted(line)
        )
    }),
];

type WriteSession = fn(&[&str]) -> String;

/// What is written around a whole session: folder, ending, the text for its lines.
const FRAMED: [(&str, &str, WriteSession); 5] = [
    ("asciinema", "v2.cast", |lines| {
        let events = lines.iter().enumerate().map(|(n, line)| {
            let text = format!("{line}\r\n");
            let (one, two) = text.split_at((0..=text.len() / 3).rev().find(|&at| text.is_char_boundary(at)).unwrap());
            format!("[{n}.25, \"o\", {}]\n[{n}.5, \"o\", {}]\n", quoted(one), quoted(two))
        });
        format!(
            "{{\"version\": 2, \"width\": 80, \"height\": 24, \"timestamp\": 1764061200}}\n{}",
            events.collect::<String>()
        )
    }),
    ("asciinema", "v3.cast", |lines| {
        let events =
            lines.iter().map(|line| format!("[0.125, \"o\", {}]\n", quoted(&format!("\u{1b}[2m{line}\u{1b}[0m\r\n"))));
        let head = "{\"version\":3,\"term\":{\"cols\":80,\"rows\":24}}\n# as recorded\n";
        format!("{head}{}[0.5, \"x\", \"0\"]\n", events.collect::<String>())
    }),
    ("script", "typescript", |lines| {
        let body: String = lines.iter().map(|line| format!("starting...\r\u{1b}[K{line}\r\n")).collect();
        format!(
            "Script started on 2025-11-25 09:00:00+00:00 [COLUMNS=\"80\" LINES=\"24\"]\n{body}\nScript done on 2025-11-25 09:00:09+00:00\n"
        )
    }),
    ("shell", "txt", |lines| {
        let typed = |(n, line): (usize, &&str)| match n % 3 {
            0 => format!("$ echo '{}' | ./notes-server --stdio\n", line.replace('\'', "'\\''")),
            1 => format!("{line}\n"),
            _ => format!(
                "user@box:~$ printf \"{}\\n\" | ./notes-server\n",
                line.replace('\\', "\\\\").replace('"', "\\\"")
            ),
        };
        lines.iter().enumerate().map(typed).collect()
    }),
    ("markdown", "md", |lines| {
        let blocks = lines.iter().enumerate().map(|(n, line)| match n % 2 {
            0 => format!("Then:\n\n```json\n{}\n```\n\n", json_text::pretty(line)),
            _ => format!("> ~~~\n> {line}\n> ~~~\n\n"),
        });
        format!("# What was sent\n\nNotes, {{with}} brackets.\n\n{}", blocks.collect::<String>())
    }),
];

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[test]
fn the_wrapped_session_is_the_session() {
    let plain = fs::read_to_string(session::root().join("sessions").join(format!("{COMPRESSED}.jsonl"))).unwrap();
    let lines: Vec<&str> = plain.lines().collect();
    let wrapped = WRAPPED.iter().map(|(folder, ending, write)| {
        (folder, ending, lines.iter().enumerate().map(|(n, line)| write(n, line)).collect::<String>())
    });
    let framed = FRAMED.iter().map(|(folder, ending, write)| (folder, ending, write(&lines)));
    for (folder, ending, expected) in wrapped.chain(framed) {
        let folder = session::root().join("formats").join(folder);
        let path = folder.join(format!("{}.{ending}", COMPRESSED.replace('/', "-")));
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &expected).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(found == expected, "{} has drifted: BLESS=1 cargo test --test fixtures", path.display());
    }
}

#[test]
fn truth_fits_the_lines() {
    for session in session::all() {
        let mut expected = 0;
        for line in &session.lines {
            let parsed: Option<Value> = serde_json::from_str(&line.text).ok();
            let messages = match parsed {
                Some(Value::Array(batch)) => batch,
                Some(object) => vec![object],
                None => Vec::new(),
            };
            assert_eq!(messages.len(), line.truth.len(), "{}: {}", session.name, line.text);
            for (message, truth) in messages.iter().zip(&line.truth) {
                expected += 1;
                assert_eq!(truth.n, expected, "{}", session.name);
                fits(&session, message, truth);
            }
        }
    }
}

fn fits(session: &Session, message: &Value, truth: &Truth) {
    let place = format!("{} message {}", session.name, truth.n);
    let kind = match (message.get("method"), message.get("id")) {
        (Some(_), Some(_)) => "request",
        (Some(_), None) => "notification",
        (None, _) => "response",
    };
    assert_eq!(truth.kind, kind, "{place}");
    assert_eq!(truth.id_raw, message.get("id").map(Value::to_string), "{place}");
    if let Some(method) = message["method"].as_str() {
        assert_eq!(truth.method.as_deref(), Some(method), "{place}");
        assert_eq!(truth.answers, None, "{place}");
    }
    assert!(matches!(truth.phase.as_deref(), Some("initialization" | "operation")), "{place}");
    let Some(request) = truth.answers else { return };
    let request = all_truth(session).find(|other| other.n == request).unwrap();
    assert_eq!(request.kind, "request", "{place}");
    assert_ne!(request.direction, truth.direction, "{place}");
    let same = [(&request.method, &truth.method), (&request.id_raw, &truth.id_raw), (&request.phase, &truth.phase)];
    assert!(same.iter().all(|(of_request, own)| of_request == own), "{place}");
    assert_eq!(request.session, truth.session, "{place}");
}

fn all_truth(session: &Session) -> impl Iterator<Item = &Truth> {
    session.lines.iter().flat_map(|line| &line.truth)
}

#[test]
fn sessions_fit_the_official_schemas() {
    // Wrong on purpose: methods that their revision does not have.
    let foreign = [("2025-11-25", "harbour/fog_horn"), ("2026-07-28", "ping")];
    for session in session::all() {
        let revision = session.name.split('/').next().unwrap();
        let Some(mut schema) = (if revision == "mixed" { None } else { Schema::of(revision) }) else { continue };
        for line in &session.lines {
            let Ok(parsed) = serde_json::from_str::<Value>(&line.text) else { continue };
            let messages = if let Value::Array(batch) = parsed { batch } else { vec![parsed] };
            for (message, truth) in messages.iter().zip(&line.truth) {
                let method = truth.method.as_deref();
                let refused = foreign.iter().any(|(of, name)| *of == revision && method == Some(name));
                let checked = schema.check(message, method);
                if message.get("error").is_none() {
                    assert_eq!(checked.is_err(), refused, "{} message {}: {checked:?}", session.name, truth.n);
                }
            }
        }
    }
}

#[test]
fn demonstrations_fit_the_official_schemas() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let Some(mut schema) = Schema::of(revision) else { continue };
        let revision = Revision::parse(revision).unwrap();
        for scenario in SCENARIOS.iter().filter(|scenario| scenario.supports(revision)) {
            let mut text = Vec::new();
            scenario.play(revision, &mut text).unwrap();
            let mut open: Vec<Value> = Vec::new();
            let broken = scenario.name == "trouble";
            for line in String::from_utf8(text).unwrap().lines() {
                let Ok(message) = serde_json::from_str::<Value>(line) else {
                    assert!(broken, "{line}");
                    continue;
                };
                let place = open.iter().rposition(|request| request["id"] == message["id"]);
                if message.get("method").is_none() && place.is_none() {
                    assert!(broken, "an answer to nobody: {line}");
                    continue;
                }
                let request = place.filter(|_| message.get("method").is_none()).map(|place| open.remove(place));
                let method = request.as_ref().and_then(|request| request["method"].as_str());
                if let Err(error) = schema.check(&message, method) {
                    assert!(
                        broken && line.contains("notes/rename"),
                        "{} {}: {error}",
                        scenario.name,
                        revision.as_str()
                    );
                }
                if message["method"].is_string() && message.get("id").is_some() {
                    open.push(message);
                }
            }
        }
    }
}

#[test]
fn every_hostile_file_is_described_and_none_breaks_the_parser() {
    let folder = session::root().join("hostile");
    let text = fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let expected = expected.as_object().unwrap();
    let mut seen = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name == "expected.json" {
            continue;
        }
        seen += 1;
        let facts = expected.get(name).unwrap_or_else(|| panic!("{name} is not described"));
        assert!(facts["what"].as_str().is_some_and(|what| !what.is_empty()), "{name}");
        let bytes = fs::read(&path).unwrap();
        let mut parser = Parser::new();
        let mut valid = 0;
        for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines() {
            valid += match parser.read(line) {
                Reading::Message(message) => u64::from(message.envelope.is_ok()),
                Reading::Batch(_) => 0,
            };
            let _ = parser.recover(line);
        }
        let bare = path.extension().is_some_and(|ending| ending == "jsonl")
            && !matches!(name, "wrapped.jsonl" | "swapped-labels.jsonl" | "utf-16.jsonl");
        if let Some(wanted) = facts["valid"].as_u64().filter(|_| bare) {
            assert_eq!(valid, wanted, "{name}");
        }
    }
    assert_eq!(seen, expected.len(), "a file that is described is missing");
}
