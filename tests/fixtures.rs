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
