//! One session, however it was written down, is one session: every shape under `fixtures/formats` gives the messages of
//! the bare lines, at every size of read; and hostile input gives what `expected.json` says.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mcp_trace::annotate::{IdState, Kind};
use mcp_trace::transcript::{FORMATS, Format};
use serde_json::Value;
use support::{Run, Told, run_bytes, run_chunks};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// Session, kind, method, direction, phase, the message that it answers and the one that answers it.
type Essence = (u64, Kind, Option<String>, Option<&'static str>, Option<&'static str>, Option<u64>, Option<u64>);

/// What every shape has to agree on. Line numbers, times and what a recorded label makes sure are the shape's own.
fn essence(told: &Told) -> Essence {
    (told.session, told.kind, told.method.clone(), told.direction, told.phase, told.answers, told.answered_by)
}

/// A recording that keeps only some messages, in an order of its own, tells nothing that was not said.
fn is_part_of(name: &str, told: &[Told], said: &[Told]) -> usize {
    let mut left: Vec<_> = said.iter().collect();
    assert!(!told.is_empty(), "{name} tells nothing");
    for message in told {
        let same = |said: &&Told| {
            let direction = message.guessed || said.direction == message.direction;
            direction && said.kind == message.kind && said.method == message.method
        };
        let place = left.iter().position(same);
        left.remove(place.unwrap_or_else(|| panic!("{name} tells what nobody said: {message:?}")));
    }
    told.len()
}

#[test]
fn every_shape_gives_the_same_messages() {
    let mut compared = 0;
    let mut formats = BTreeSet::new();
    for folder in files(&fixtures().join("formats")) {
        for path in files(&folder) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let case = name.split('.').next().unwrap();
            let (era, case) = match case.strip_prefix("mixed-") {
                Some(case) => ("mixed", case),
                None => (&case[..10], &case[11..]),
            };
            let bare = fixtures().join("sessions").join(era).join(format!("{case}.jsonl"));
            let bare = run_bytes("bare", std::fs::read(bare).unwrap(), None);
            let run = run_bytes(&name, std::fs::read(&path).unwrap(), None);
            formats.insert(run.format.unwrap());
            // Bytes alone tell: the pipeline is not given the names.
            let named = folder.file_name().unwrap().to_str().unwrap();
            assert!(Format::by_name(named).is_none() || run.format == Some(named), "{name}");
            // A log without payloads cannot tell a few things; what it tells has to be the same.
            let compact = name.contains(".compact.");
            if name.contains(".server.") {
                compared += one_side(&name, &run, &bare);
                continue;
            }
            if name.contains(".part.") {
                compared += is_part_of(&name, &run.messages, &bare.messages);
                continue;
            }
            assert_eq!(run.messages.len(), bare.messages.len(), "{name}");
            for (told, wanted) in run.messages.iter().zip(&bare.messages) {
                let place = format!("{name} message {}", wanted.n);
                if wanted.guessed {
                    continue;
                }
                assert_eq!(essence(told), essence(wanted), "{place}");
                if told.id_state != IdState::Unrecorded && !compact {
                    assert_eq!(told.id_raw, wanted.id_raw, "{place}");
                    assert_eq!((&told.target, &told.needs), (&wanted.target, &wanted.needs), "{place}");
                }
            }
            if !compact {
                assert_eq!(run.embedded, bare.embedded, "{name}");
            }
            compared += run.messages.len();
        }
    }
    println!("{compared} messages compared in {} formats", formats.len());
    let named: BTreeSet<_> =
        FORMATS.iter().map(|format| format.name).filter(|name| !silent().contains_key(*name)).collect();
    assert_eq!(formats, named, "a format has no fixture");
}

/// What the server sent, without what it answers: what each message is by itself has to be the same.
fn one_side(name: &str, run: &Run, bare: &Run) -> usize {
    let alone = |told: &Told| {
        let answer = told.kind == Kind::Response;
        let method = told.method.clone().filter(|_| !answer);
        (told.kind, told.outcome, told.direction, told.id_raw.clone(), method, told.flags.contains(&"batched"))
    };
    let sent: Vec<_> = bare.messages.iter().filter(|told| told.direction == Some("server-to-client")).collect();
    // Of the client there may be outlines.
    let told: Vec<_> = run.messages.iter().filter(|told| told.id_state != IdState::Unrecorded).collect();
    assert_eq!(told.len(), sent.len(), "{name}");
    for (told, wanted) in told.iter().zip(&sent) {
        assert_eq!(alone(told), alone(wanted), "{name} message {}", told.n);
    }
    sent.len()
}

/// The logs of formats that hold no messages.
fn silent() -> BTreeMap<String, PathBuf> {
    let stem = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap().to_owned();
    let mut found: BTreeMap<_, _> =
        files(&fixtures().join("silent")).into_iter().map(|path| (stem(&path), path)).collect();
    // One that holds messages at other levels.
    found.retain(|name, _| !fixtures().join("formats").join(name).is_dir());
    found
}

/// Messages, events, format and error.
type Outcome = (Vec<Told>, Vec<(u64, &'static str, String)>, Option<&'static str>, Option<String>);

fn told(run: &Run) -> Outcome {
    (run.messages.clone(), run.events.clone(), run.format, run.error.clone())
}

#[test]
fn the_size_of_reads_changes_nothing() {
    let mut inputs = Vec::new();
    for folder in files(&fixtures().join("formats")) {
        inputs.extend(files(&folder).into_iter().filter(|path| path.to_str().unwrap().contains("handshake")));
    }
    for folder in ["sessions/mixed", "sessions/2025-11-25", "sessions/2026-07-28", "hostile"] {
        let small = |path: &PathBuf| std::fs::metadata(path).unwrap().len() < 40_000;
        let wanted = |path: &PathBuf| {
            path.extension().is_some_and(|ending| ending == "jsonl" || ending == "log" || ending == "bin")
        };
        inputs.extend(files(&fixtures().join(folder)).into_iter().filter(small).filter(wanted));
    }
    assert!(inputs.len() > 30);
    for path in inputs {
        let name = path.to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        let whole = told(&run_bytes(&name, bytes.clone(), None));
        for size in [1, 2, 3, 7, 64] {
            assert_eq!(told(&run_chunks(&name, bytes.clone(), None, size)), whole, "{name} in reads of {size} bytes");
        }
    }
}

#[test]
fn a_forced_format_reads_what_detection_finds() {
    for format in FORMATS {
        let folder = fixtures().join("formats").join(format.name);
        let path = match folder.is_dir() {
            true => files(&folder).remove(0),
            false => {
                silent().remove(format.name).unwrap_or_else(|| fixtures().join("sessions/2025-11-25/handshake.jsonl"))
            }
        };
        let bytes = std::fs::read(&path).unwrap();
        let forced: Option<&'static Format> = Some(format);
        assert_eq!(told(&run_bytes("x", bytes.clone(), forced)), told(&run_bytes("x", bytes, None)), "{}", format.name);
    }
}

#[test]
fn hostile_input_gives_what_is_expected() {
    let folder = fixtures().join("hostile");
    let expected: Value = serde_json::from_slice(&std::fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let expected = expected.as_object().unwrap();
    assert!(expected.len() > 20);
    for (name, wanted) in expected {
        let path = folder.join(name);
        if name.ends_with(".gz") {
            // Damaged archives are told by the program itself: see the tests of the command line.
            continue;
        }
        let run = run_bytes(name, std::fs::read(&path).unwrap(), None);
        let invalid = run.messages.iter().filter(|message| message.kind == Kind::Invalid).count();
        let check = |what: &str, is: usize| {
            if let Some(number) = wanted[what].as_u64() {
                assert_eq!(is as u64, number, "{name}: {what}");
            }
        };
        check("invalid", invalid);
        check("valid", run.messages.len() - invalid);
        check("exit", usize::from(run.summary.exit_code));
        let classes = run.classes;
        let sum = classes.message + classes.frame + classes.event + classes.noise + classes.blank;
        assert_eq!(sum, run.lines, "{name}: the classes of lines add up");
    }
}
