//! Logs as hosts really write them, against hand-made annotations. The samples are reference data beside the project.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod support;

use mcp_trace::annotate::{Kind, Outcome};
use serde_json::Value;
use support::{run_bytes, shared};

/// Beginnings of the annotations' names of formats, and ours; of the last, how lines are sorted is compared too.
const KNOWN: [(&str, &str); 3] =
    [("curl-verbose", "curl"), ("sse-stream", "sse"), ("claude-desktop", "claude-desktop")];

#[test]
fn samples_match_their_annotations() {
    let Some(folder) = shared("wild") else {
        eprintln!("SKIPPED: no samples beside the project");
        return;
    };
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let annotation: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let format = annotation["format"].as_str().unwrap_or_default();
        let Some((_, format)) = KNOWN.iter().find(|(begin, _)| format.starts_with(begin)) else { continue };
        let file = annotation["file"].as_str().unwrap();
        let run = run_bytes(file, std::fs::read(path.with_file_name(file)).unwrap(), None);
        assert_eq!(run.format, Some(*format), "{file}");
        let messages = annotation["messages"].as_array().unwrap();
        assert_eq!(run.messages.len(), messages.len(), "{file}");
        for (told, wanted) in run.messages.iter().zip(messages) {
            let place = format!("{file} line {}", wanted["line"]);
            assert_eq!(Value::from(told.line), wanted["line"], "{place}");
            assert_eq!(told.direction.unwrap(), wanted["direction"].as_str().unwrap().replace("->", "-to-"), "{place}");
            let kind = match told.kind {
                Kind::Request => "request",
                Kind::Notification => "notification",
                Kind::Response => "response",
                Kind::Invalid => "invalid",
            };
            assert_eq!(kind, wanted["kind"], "{place}");
            if wanted.get("error").is_some_and(|error| !error.is_null()) {
                assert_eq!(told.outcome, Some(Outcome::Error), "{place}");
            }
            if let Some(method) = wanted["method"].as_str() {
                assert_eq!(told.method.as_deref(), Some(method), "{place}");
            }
            if let Some(id) = wanted.get("id").filter(|id| !id.is_null()) {
                assert_eq!(told.id_raw.as_deref(), Some(id.to_string().as_str()), "{place}");
            }
            let phase = match wanted["phase"].as_str() {
                Some("pre-initialization") => Some("initialization"),
                Some("stateless") => Some("operation"),
                other => other,
            };
            assert_eq!(told.phase, phase, "{place}");
            compared += 1;
        }
        let counts = &annotation["counts"];
        println!("{file}: {} messages as {format}", run.messages.len());
        assert_eq!(Value::from(run.classes.message), counts["message_lines"], "{file}");
        assert_eq!(Value::from(run.classes.blank), counts["blank_lines"], "{file}");
        if *format != "claude-desktop" {
            continue;
        }
        // Other tellings of a message are lines of events here.
        let events = counts["event_lines"].as_u64().unwrap() + counts["duplicate_view_lines"].as_u64().unwrap();
        assert_eq!(run.classes.event, events, "{file}");
    }
    println!("{compared} messages compared");
    assert!(compared > 0);
}
