//! The project's own sessions, message by message, against what their stories say: the measure of accuracy that needs
//! nothing beside the project.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod support;

use std::path::{Path, PathBuf};

use mcp_trace::annotate::Kind;
use serde_json::Value;
use support::{Run, run_bytes};

fn sessions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sessions");
    let mut found = Vec::new();
    for era in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(era.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "jsonl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn differences(run: &Run, truth: &[Value]) -> Vec<String> {
    let mut wrong = Vec::new();
    if run.messages.len() != truth.len() {
        wrong.push(format!("{} messages, the story has {}", run.messages.len(), truth.len()));
    }
    for (told, entry) in run.messages.iter().zip(truth) {
        let kind = match told.kind {
            Kind::Request => "request",
            Kind::Notification => "notification",
            Kind::Response => "response",
            Kind::Invalid => "invalid",
        };
        let mut differ = |what: &str, is: Value| {
            if !entry[what].is_null() && entry[what] != is
                || entry[what].is_null() && what == "answers" && !is.is_null()
            {
                let mark = if told.guessed { "guessed" } else { "unmarked" };
                wrong.push(format!("message {} ({mark}): {what} {is}, the story says {}", told.n, entry[what]));
            }
        };
        differ("line", told.line.into());
        differ("kind", kind.into());
        differ("direction", told.direction.into());
        differ("method", told.method.clone().into());
        differ("id_raw", told.id_raw.clone().into());
        differ("answers", told.answers.into());
        differ("phase", told.phase.into());
        differ("session", told.session.into());
    }
    wrong
}

#[test]
fn own_sessions_are_read_as_their_stories_say() {
    let mut failed = Vec::new();
    let mut messages = 0;
    for path in sessions() {
        let truth: Vec<Value> =
            serde_json::from_slice(&std::fs::read(path.with_extension("truth.json")).unwrap()).unwrap();
        messages += truth.len();
        let run = run_bytes("session", std::fs::read(&path).unwrap(), None);
        let wrong = differences(&run, &truth);
        if !wrong.is_empty() {
            failed.push(format!("{}:\n  {}", path.display(), wrong.join("\n  ")));
        }
    }
    println!("{messages} messages compared");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(messages > 200);
}
