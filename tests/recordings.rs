//! Accuracy on real recorded sessions, message by message, against what the recorder knew. The recordings are reference
//! data beside the project; without them the same measure runs on the project's own fixtures (`fixtures.rs`).
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod support;

use mcp_trace::annotate::{IdState, Kind, Outcome};
use serde_json::Value;
use support::{Run, Told, read_maybe_gz, run_bytes, shared};

struct Recording {
    name: String,
    truth: Value,
    timed: Vec<u8>,
    raw: Vec<u8>,
    sessions: usize,
}

fn recordings() -> Vec<Recording> {
    let Some(folder) = shared("recordings") else { return Vec::new() };
    let mut found: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
        .into_iter()
        .filter(|path| path.is_dir())
        .map(|path| {
            let read = |name: &str| read_maybe_gz(path.join(name)).unwrap();
            let truth: Value = serde_json::from_slice(&read("truth.json")).unwrap();
            let mut sessions: Vec<_> =
                truth["messages"].as_array().unwrap().iter().map(|message| message["session"].to_string()).collect();
            sessions.sort();
            sessions.dedup();
            Recording {
                name: path.file_name().unwrap().to_string_lossy().into_owned(),
                timed: read("timed.jsonl"),
                raw: read("raw.ndjson"),
                truth,
                sessions: sessions.len(),
            }
        })
        .collect()
}

#[derive(Default, Debug)]
struct Score {
    messages: usize,
    right: usize,
    wrong_unmarked: usize,
    guessed: usize,
    wrong: Vec<String>,
}

/// Compares one run with the truth, whose entry i is line i.
fn score(truth: &Value, run: &Run) -> Score {
    let mut score = Score::default();
    let line_of = |n: u64| run.messages[n as usize - 1].line;
    for entry in truth["messages"].as_array().unwrap() {
        let seq = entry["seq"].as_u64().unwrap();
        let kind = entry["kind"].as_str().unwrap();
        if matches!(kind, "blank_line") {
            continue;
        }
        let here: Vec<&Told> = run.messages.iter().filter(|message| message.line == seq).collect();
        if kind == "not_json" {
            // Text that begins like JSON is an invalid message, other text is noise.
            let noise = run.events.iter().any(|(line, event, _)| *line == seq && *event == "noise");
            let invalid = here.len() == 1 && here[0].kind == Kind::Invalid;
            if !noise && !invalid {
                score.wrong.push(format!("{seq}: text that is no JSON is lost"));
                score.wrong_unmarked += 1;
            }
            continue;
        }
        let parts: Vec<&Value> = match entry.get("parts") {
            Some(parts) if kind == "batch" => parts.as_array().unwrap().iter().collect(),
            _ => vec![entry],
        };
        for (index, part) in parts.iter().enumerate() {
            score.messages += 1;
            let Some(message) = here.get(index) else {
                score.wrong.push(format!("{seq}: not found"));
                score.wrong_unmarked += 1;
                continue;
            };
            let mut wrong = Vec::new();
            let kind = part["kind"].as_str().unwrap();
            let told = match (message.kind, message.outcome) {
                (Kind::Response, Some(Outcome::Error)) => "error",
                (Kind::Response, _) => "response",
                (Kind::Request, _) => "request",
                (Kind::Notification, _) => "notification",
                (Kind::Invalid, _) => "unclassifiable",
            };
            if told != kind {
                wrong.push(format!("kind {told} is {kind}"));
            }
            let method = part["method"].as_str();
            if method.is_some() && method != message.method.as_deref() {
                wrong.push(format!("method {:?} is {method:?}", message.method));
            }
            let way = entry["dir"].as_str().unwrap().replace("->", "-to-");
            if message.direction != Some(way.as_str()) {
                wrong.push(format!("direction {:?} is {way}", message.direction));
            }
            let phase = match entry["phase"].as_str() {
                Some("discovery") => Some("initialization"),
                Some("shutdown") => Some("operation"),
                other => other,
            };
            if phase.is_some() && phase != message.phase {
                wrong.push(format!("phase {:?} is {phase:?}", message.phase));
            }
            let answers = part["answers"].as_u64();
            if answers != message.answers.map(line_of) {
                wrong.push(format!("answers line {:?}, is {answers:?}", message.answers.map(line_of)));
            }
            if let Some(id) = part.get("id").filter(|id| !id.is_null())
                && message.id_raw.as_deref() != Some(id.to_string().as_str())
            {
                wrong.push(format!("id {:?} is {id}", message.id_raw));
            }
            score.guessed += usize::from(message.guessed);
            if wrong.is_empty() {
                score.right += 1;
            } else {
                score.wrong_unmarked += usize::from(!message.guessed);
                let mark = if message.guessed { "guessed" } else { "UNMARKED" };
                score.wrong.push(format!("{seq} [{mark}]: {}", wrong.join("; ")));
            }
        }
    }
    score
}

fn report(form: &str, name: &str, score: &Score) {
    println!(
        "{form:10} {name:45} {:5} messages, {:5} right, {:3} guessed, {} wrong",
        score.messages,
        score.right,
        score.guessed,
        score.wrong.len()
    );
    for line in &score.wrong {
        println!("           {line}");
    }
}

#[test]
fn timed_recordings_of_one_session_are_read_without_a_mistake() {
    let recordings = recordings();
    if recordings.is_empty() {
        eprintln!("SKIPPED: no recordings beside the project");
        return;
    }
    let mut failed = Vec::new();
    for recording in &recordings {
        let score = score(&recording.truth, &run_bytes(&recording.name, recording.timed.clone(), None));
        report("timed", &recording.name, &score);
        let whole = score.right == score.messages && score.wrong.is_empty();
        if (recording.sessions == 1 && !whole) || score.wrong_unmarked > 0 {
            failed.push(recording.name.clone());
        }
    }
    assert!(failed.is_empty(), "not all right: {failed:?}");
}

#[test]
fn raw_recordings_are_read_with_at_most_one_mistake_in_two_hundred() {
    let recordings = recordings();
    if recordings.is_empty() {
        eprintln!("SKIPPED: no recordings beside the project");
        return;
    }
    let (mut messages, mut right, mut unmarked) = (0, 0, 0);
    for recording in recordings.iter().filter(|recording| recording.sessions == 1) {
        let score = score(&recording.truth, &run_bytes(&recording.name, recording.raw.clone(), None));
        report("raw", &recording.name, &score);
        messages += score.messages;
        right += score.right;
        unmarked += score.wrong_unmarked;
    }
    println!("raw: {right} of {messages} messages with everything right, {unmarked} mistakes not marked as guessed");
    assert!(right * 1000 >= messages * 995, "{right} of {messages}");
    assert_eq!(unmarked, 0);
}

/// Other ids for the same session: `shift` is added to numbers, strings are made of them, per side.
fn renumber(recording: &Recording, client: &dyn Fn(&Value) -> Value, server: &dyn Fn(&Value) -> Value) -> Vec<u8> {
    let mut out = Vec::new();
    for line in String::from_utf8(recording.timed.clone()).unwrap().lines() {
        let mut wrapped: Value = serde_json::from_str(line).unwrap();
        let from_client = wrapped["dir"] == "client->server";
        if let Some(message) = wrapped.get_mut("msg") {
            let request = message.get("method").is_some();
            // An id belongs to the side that asked.
            let of_client = from_client == request;
            let change = |id: &Value, of_client: bool| if of_client { client(id) } else { server(id) };
            if let Some(id) = message.get("id").filter(|id| !id.is_null()).cloned() {
                let old = id.clone();
                message["id"] = change(&id, of_client);
                if let Some(token) = message.pointer_mut("/params/_meta/progressToken")
                    && *token == old
                {
                    *token = change(&old, of_client);
                }
            }
            match message["method"].as_str() {
                Some("notifications/cancelled" | "cancelled") => {
                    // The owner of the id: the sender, or the client where a server ends a listen stream.
                    let id = message["params"]["requestId"].clone();
                    message["params"]["requestId"] = change(&id, from_client);
                }
                Some("notifications/progress") => {
                    let token = message["params"]["progressToken"].clone();
                    message["params"]["progressToken"] = change(&token, !from_client);
                }
                _ => {}
            }
            if let Some(id) = message.pointer_mut("/params/_meta/io.modelcontextprotocol~1subscriptionId") {
                *id = client(id);
            }
            if let Some(id) = message.pointer_mut("/result/_meta/io.modelcontextprotocol~1subscriptionId") {
                *id = client(id);
            }
            out.extend(serde_json::to_vec(message).unwrap());
        } else {
            out.extend(wrapped["raw"].as_str().unwrap_or_default().bytes());
        }
        out.push(b'\n');
    }
    out
}

#[test]
fn accuracy_does_not_depend_on_how_ids_are_written() {
    let recordings = recordings();
    if recordings.is_empty() {
        eprintln!("SKIPPED: no recordings beside the project");
        return;
    }
    fn add(by: i64) -> impl Fn(&Value) -> Value {
        move |id| id.as_i64().map_or_else(|| id.clone(), |number| Value::from(number + by))
    }
    fn text(prefix: &'static str) -> impl Fn(&Value) -> Value {
        move |id| match id {
            Value::String(text) => Value::from(format!("{prefix}{text}")),
            other => Value::from(format!("{prefix}{other}")),
        }
    }
    fn opaque(salt: u64) -> impl Fn(&Value) -> Value {
        move |id| {
            let mut hash = salt;
            for byte in id.to_string().bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
            Value::from(format!("{hash:016x}-{:08x}", hash.wrapping_mul(31) >> 32))
        }
    }
    type Change = Box<dyn Fn(&Value) -> Value>;
    let variants: Vec<(&str, Change, Change)> = vec![
        ("same", Box::new(add(0)), Box::new(add(0))),
        ("offset", Box::new(add(1_000)), Box::new(add(1_000))),
        ("client offset", Box::new(add(7)), Box::new(add(0))),
        ("server offset", Box::new(add(0)), Box::new(add(3))),
        ("strings", Box::new(text("")), Box::new(text(""))),
        ("prefixed strings", Box::new(text("r-")), Box::new(text("r-"))),
        ("one side strings", Box::new(text("")), Box::new(add(0))),
        ("opaque", Box::new(opaque(1)), Box::new(opaque(2))),
    ];
    for (name, client, server) in &variants {
        let (mut messages, mut right, mut unmarked) = (0, 0, 0);
        for recording in recordings.iter().filter(|recording| recording.sessions == 1) {
            let mut truth = recording.truth.clone();
            for entry in truth["messages"].as_array_mut().unwrap() {
                entry.as_object_mut().unwrap().remove("id");
            }
            let score = score(&truth, &run_bytes(&recording.name, renumber(recording, client, server), None));
            if !score.wrong.is_empty() {
                report(name, &recording.name, &score);
            }
            messages += score.messages;
            right += score.right;
            unmarked += score.wrong_unmarked;
        }
        println!("{name}: {right} of {messages} right, {unmarked} mistakes not marked");
        assert!(right * 1000 >= messages * 995, "{name}: {right} of {messages}");
        assert_eq!(unmarked, 0, "{name}");
    }
}

/// What a message is, whatever form it was recorded in: kind, direction, id, method, phase, and whether it answers a
/// message of the recording.
type Essence = (String, String, Option<String>, Option<String>, Option<String>, bool);

/// What the recorder knew of the messages that a form holds.
fn known(truth: &Value, holds: impl Fn(&Value) -> bool) -> Vec<Essence> {
    let mut known = Vec::new();
    for entry in truth["messages"].as_array().unwrap().iter().filter(|entry| holds(entry)) {
        let parts = match entry.get("parts") {
            Some(parts) => parts.as_array().unwrap().clone(),
            None => vec![entry.clone()],
        };
        for part in parts {
            let kind = match part["kind"].as_str().unwrap() {
                "blank_line" => continue,
                "not_json" => "invalid",
                kind => kind,
            };
            let phase = match entry["phase"].as_str() {
                Some("discovery") => Some("initialization"),
                Some("shutdown") => Some("operation"),
                phase => phase,
            };
            known.push((
                kind.to_owned(),
                entry["dir"].as_str().unwrap().replace("->", "-to-"),
                part.get("id").filter(|id| !id.is_null()).map(Value::to_string),
                part["method"].as_str().map(str::to_owned),
                phase.map(str::to_owned),
                part.get("answers").is_some_and(|answers| !answers.is_null()),
            ));
        }
    }
    known.sort();
    known
}

/// The same of a run. `phases` and `pairs`: whether the form has enough to tell them.
fn told(run: &Run, whole: bool, known: &mut [Essence]) -> Vec<Essence> {
    let mut told: Vec<Essence> = run
        .messages
        .iter()
        .filter(|message| message.id_state != IdState::Unrecorded)
        .map(|message| {
            let kind = match (message.kind, message.outcome) {
                (Kind::Response, Some(Outcome::Error)) => "error",
                (Kind::Response, _) => "response",
                (Kind::Request, _) => "request",
                (Kind::Notification, _) => "notification",
                (Kind::Invalid, _) => "invalid",
            };
            let answer = message.kind == Kind::Response;
            let phase = message.phase.map(|phase| if phase == "shutdown" { "operation" } else { phase });
            let id = message.id_raw.clone().filter(|id| id != "null" && message.kind != Kind::Invalid);
            let method = message.method.clone().filter(|_| !answer || message.answers.is_some());
            (
                kind.to_owned(),
                message.direction.unwrap_or_default().to_owned(),
                id,
                method.filter(|_| message.kind != Kind::Invalid),
                phase.map(str::to_owned),
                message.answers.is_some(),
            )
        })
        .collect();
    for (kind, _, _, method, phase, answers) in told.iter_mut().chain(known.iter_mut()) {
        if !whole {
            // Without the requests nothing tells what is answered, nor how far the session is.
            (*phase, *answers) = (None, false);
            if kind == "response" || kind == "error" {
                *method = None;
            }
        }
    }
    told.sort();
    known.sort();
    told
}

#[test]
fn every_form_of_a_recording_holds_the_same_messages() {
    let Some(folder) = shared("recordings") else {
        eprintln!("SKIPPED: no recordings beside the project");
        return;
    };
    let mut folders: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let (mut compared, mut differences) = (0, Vec::new());
    for folder in folders.iter().filter(|path| path.is_dir()) {
        let truth: Value = serde_json::from_slice(&read_maybe_gz(folder.join("truth.json")).unwrap()).unwrap();
        let mut forms: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        forms.extend(std::fs::read_dir(folder.join("sse")).into_iter().flatten().map(|entry| entry.unwrap().path()));
        forms.sort();
        for path in forms {
            let file = path.file_name().unwrap().to_str().unwrap();
            let number = |text: &str| text.split('-').find_map(|part| part.parse::<u64>().ok());
            let server = |entry: &Value| entry["dir"] == "server->client";
            let streamed = |entry: &Value| entry["via"].as_str().is_some_and(|via| via.ends_with("stream"));
            let (format, whole, mut known) = match file {
                _ if file.ends_with(".har") => ("har", true, known(&truth, |_| true)),
                "tshark.json" => ("tshark", true, known(&truth, |_| true)),
                _ if file.ends_with(".pcap") && !has_tshark() => {
                    println!("SKIPPED {}: no `tshark` here", path.display());
                    continue;
                }
                _ if file.ends_with(".pcap") => ("tshark", true, known(&truth, |_| true)),
                _ if file.ends_with(".sse") => {
                    let x = number(file).unwrap();
                    ("sse", false, known(&truth, |entry| entry["x"] == x && server(entry) && streamed(entry)))
                }
                _ if file.starts_with("curl-") => {
                    let x = number(file.trim_end_matches(".txt")).unwrap();
                    ("curl", false, known(&truth, |entry| entry["x"] == x && server(entry)))
                }
                _ => continue,
            };
            let name = format!("{}/{file}", folder.file_name().unwrap().to_string_lossy());
            let run = run_bytes(&name, std::fs::read(&path).unwrap(), None);
            let told = told(&run, whole, &mut known);
            let open = |(_, _, _, _, phase, _): &Essence| phase.is_none();
            let same = told.len() == known.len()
                && told.iter().zip(&known).all(|(told, known)| {
                    // Where the recorder knew no phase, any is as good.
                    told == known
                        || open(known)
                            && (&told.0, &told.1, &told.2, &told.3, told.5)
                                == (&known.0, &known.1, &known.2, &known.3, known.5)
                });
            println!(
                "{format:7} {name:70} {:4} of {:4} messages{}",
                told.len(),
                known.len(),
                if same { "" } else { ", NOT the same" }
            );
            compared += told.len();
            // A stream that only gave an id to resume from holds nothing to recognise it by.
            if !same || run.format != Some(format) && !known.is_empty() {
                differences.push(format!("{name} as {:?}:\n  told  {told:?}\n  known {known:?}", run.format));
            }
        }
    }
    println!("{compared} messages compared");
    assert!(compared > 0, "no recording has another form");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn has_tshark() -> bool {
    std::process::Command::new("tshark").arg("--version").output().is_ok()
}
