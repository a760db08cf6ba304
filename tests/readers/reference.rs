//! The reference recordings, where they are at hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcp_trace::protocol::Direction;
use mcp_trace::transcript::{EventKind, OutlineKind, ReadOptions, Source};
use serde_json::Value;

use super::{What, read, read_with};

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !path.is_dir() {
        eprintln!("SKIPPED: no reference data beside the project");
        return None;
    }
    Some(path)
}

/// The file of that name, packed or not.
fn open_shared(folder: &Path, name: &str) -> Option<Source> {
    [name.to_owned(), format!("{name}.gz")]
        .iter()
        .map(|name| folder.join(name))
        .find(|path| path.exists())
        .map(|path| Source::open(&path, Arc::default()).unwrap())
}

fn text_of(mut source: Source) -> String {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 4096]);
    while let mcp_trace::transcript::Fill::Read(count) = source.fill(&mut buffer).unwrap() {
        bytes.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn recordings_are_read_as_their_recorder_saw_them() {
    let Some(shared) = shared() else { return };
    let mut seen = 0;
    for folder in fs::read_dir(shared.join("recordings")).unwrap().map(|entry| entry.unwrap().path()) {
        let Some(truth) = open_shared(&folder, "truth.json") else { continue };
        let truth: Value = serde_json::from_str(&text_of(truth)).unwrap();
        let truth = truth["messages"].as_array().unwrap();
        for (name, format) in [("raw.ndjson", "jsonl"), ("timed.jsonl", "timed")] {
            let reading = read_with(open_shared(&folder, name).unwrap(), None, ReadOptions::default());
            assert_eq!(reading.format, Some(format), "{} {name}", folder.display());
            assert_eq!(reading.frames.len(), truth.len(), "{} {name}", folder.display());
            for (frame, truth) in reading.frames.iter().zip(truth) {
                let place = format!("{} {name} {frame:?}", folder.display());
                assert_eq!(Some(frame.line), truth["seq"].as_u64(), "{place}");
                match (truth["kind"].as_str().unwrap(), format) {
                    ("blank_line", "jsonl") => assert_eq!(frame.what, What::Blank, "{place}"),
                    ("blank_line", _) => {
                        assert_eq!(frame.what, What::Event(EventKind::Noise, String::new()), "{place}")
                    }
                    ("not_json", _) => {
                        assert!(
                            frame.is_noise() || frame.message().is_some_and(|text| text.starts_with('{')),
                            "{place}"
                        );
                    }
                    _ => assert!(frame.message().is_some(), "{place}"),
                }
                if format == "timed" {
                    let direction = match truth["dir"].as_str().unwrap() {
                        "client->server" => Direction::ClientToServer,
                        _ => Direction::ServerToClient,
                    };
                    assert_eq!(frame.direction, Some(direction), "{place}");
                    let at: jiff::Timestamp = truth["ts"].as_str().unwrap().parse().unwrap();
                    assert_eq!(frame.time, Some((at.to_string(), 6)), "{place}");
                }
            }
            seen += 1;
        }
    }
    assert!(seen >= 2, "the recordings folder is empty");
}

#[test]
fn claude_desktop_logs_are_read_as_annotated() {
    let Some(shared) = shared() else { return };
    for number in ["001", "005", "060", "902"] {
        let annotation = fs::read_dir(shared.join("wild"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| {
                let name = path.file_name().unwrap().to_string_lossy();
                name.starts_with(number) && name.ends_with(".json")
            })
            .unwrap();
        let truth: Value = serde_json::from_slice(&fs::read(&annotation).unwrap()).unwrap();
        let bytes = fs::read(annotation.with_file_name(truth["file"].as_str().unwrap())).unwrap();
        let reading = read(&bytes, None);
        assert_eq!(reading.format, Some("claude-desktop"), "{number}");
        let (mut told, mut lines) = (Vec::new(), [0; 4]);
        for frame in &reading.frames {
            let kind = match &frame.what {
                What::Message(text, _) => {
                    let message: Value = serde_json::from_str(text).unwrap();
                    Some(match (message.get("method"), message.get("id")) {
                        (Some(_), Some(_)) => "request",
                        (Some(_), None) => "notification",
                        _ => "response",
                    })
                }
                What::Outline { view: true, .. } => None,
                What::Outline { kind: OutlineKind::Request, .. } => Some("request"),
                What::Outline { kind: OutlineKind::Notification, .. } => Some("notification"),
                What::Outline { .. } => Some("response"),
                What::Event(..) | What::Blank | What::Framing => None,
            };
            let class = match &frame.what {
                What::Message(..) | What::Outline { view: false, .. } => 0,
                What::Outline { view: true, .. } => 1,
                What::Event(..) | What::Framing => 2,
                What::Blank => 3,
            };
            lines[class] += frame.end_line - frame.line + 1;
            if let Some(kind) = kind {
                let direction = frame.direction.map(|direction| match direction {
                    Direction::ClientToServer => "client->server",
                    Direction::ServerToClient => "server->client",
                });
                told.push((frame.line, direction, kind));
            }
        }
        let expected: Vec<_> = truth["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| {
                (message["line"].as_u64().unwrap(), message["direction"].as_str(), message["kind"].as_str().unwrap())
            })
            .collect();
        assert_eq!(told, expected, "{number}");
        let counts = |names: [&str; 2]| names.iter().filter_map(|name| truth["counts"][name].as_u64()).sum::<u64>();
        let expected = [
            counts(["message_lines", ""]),
            counts(["duplicate_view_lines", ""]),
            counts(["event_lines", "noise_lines"]),
            counts(["blank_lines", ""]),
        ];
        assert_eq!(lines, expected, "{number}");
    }
}
