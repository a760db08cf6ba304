//! Logs as programs really write them, against hand-made annotations: kind, method, direction, phase and id of every
//! message, and which lines tell a message again. The samples are reference data beside the project.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use mcp_trace::annotate::{Kind, Outcome};
use serde_json::Value;
use support::{Run, Told, run_bytes, shared};

/// Samples in formats that are not read yet. It may only get shorter.
const WAITING: &[&str] = &[];

#[test]
fn samples_match_their_annotations() {
    let Some(folder) = shared("wild") else {
        eprintln!("SKIPPED: no samples beside the project");
        return;
    };
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut messages, mut wrong, mut tried) = (0, Vec::new(), 0);
    println!("{:<52} {:<15} {:>8} {:>5}  result", "sample", "read as", "messages", "views");
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        let annotation: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        // Some samples are JSON documents themselves.
        let Some(file) = annotation.get("file").and_then(Value::as_str) else { continue };
        let name = stem(path);
        let run = run_bytes("sample", std::fs::read(path.with_file_name(file)).unwrap(), None);
        let result = compare(&run, &annotation);
        let waits = WAITING.contains(&name.as_str());
        println!(
            "{name:<52} {:<15} {:>8} {:>5}  {}",
            run.format.unwrap_or("-"),
            format!("{}/{}", run.messages.len(), annotation["messages"].as_array().unwrap().len()),
            run.views.len(),
            match (&result, waits) {
                (Ok(()), false) => "matches".to_owned(),
                (Ok(()), true) => "matches: strike it from the list of those that wait".to_owned(),
                (Err(difference), true) => format!("waits: {difference}"),
                (Err(difference), false) => format!("WRONG: {difference}"),
            }
        );
        tried += 1;
        messages += run.messages.len();
        if result.is_ok() == waits {
            wrong.push(name);
        }
    }
    println!("{messages} messages in {tried} samples, {} samples wait", WAITING.len());
    assert!(tried > 0 && wrong.is_empty(), "see the table above: {wrong:?}");
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// The first difference.
fn compare(run: &Run, annotation: &Value) -> Result<(), String> {
    let wanted = annotation["messages"].as_array().unwrap();
    // Annotations stand in the order of the lines, which need not be that in which the two sides spoke.
    let mut told: Vec<&Told> = run.messages.iter().collect();
    told.sort_by_key(|told| (told.line, told.offset));
    for (told, wanted) in told.into_iter().zip(wanted) {
        let fields = differences(told, wanted, annotation);
        if let Some((field, is, wants)) = fields.into_iter().find(|(_, is, wants)| is != wants) {
            return Err(format!("line {}: {field} is {is}, not {wants}", wanted["line"]));
        }
        let (first, last) = (wanted["line"].as_u64().unwrap(), wanted["end_line"].as_u64());
        if told.end_line < first || told.line > last.unwrap_or(first) {
            return Err(format!("line {first}: told of line {}", told.line));
        }
    }
    if run.messages.len() != wanted.len() {
        return Err(format!("{} messages, not {}", run.messages.len(), wanted.len()));
    }
    let again = annotation["duplicate_views"].as_array().map_or(&[][..], Vec::as_slice);
    let wanted: BTreeMap<u64, u64> =
        again.iter().map(|view| (view["line"].as_u64().unwrap(), view["of_message"].as_u64().unwrap())).collect();
    let told: BTreeMap<u64, Option<u64>> =
        run.views.iter().flat_map(|view| (view.line..=view.end_line).map(|line| (line, view.of))).collect();
    if !told.keys().eq(wanted.keys()) {
        return Err(format!("views stand on lines {:?}, not {:?}", told.keys(), wanted.keys()));
    }
    // A view that stands before its message does not know it yet.
    match told.iter().find(|(line, of)| of.is_some_and(|of| of != wanted[line])) {
        Some((line, of)) => Err(format!("line {line}: a view of {of:?}, not {}", wanted[line])),
        None => Ok(()),
    }
}

/// Each field that is annotated, as it is and as it should be.
fn differences(told: &Told, wanted: &Value, annotation: &Value) -> Vec<(&'static str, String, String)> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut fields = vec![
        ("kind", kind(told).to_owned(), wanted["kind"].as_str().unwrap().to_owned()),
        (
            "direction",
            told.direction.unwrap_or("none").replace("-to-", "->"),
            text(&wanted["direction"]).unwrap_or("none".to_owned()),
        ),
    ];
    if let Some(method) = text(&wanted["method"]) {
        fields.push(("method", told.method.clone().unwrap_or_default(), method));
    }
    let id = wanted.get("id").filter(|id| *id != "(not recorded)");
    if let Some(id) = id.filter(|id| !id.is_null()) {
        fields.push(("id", told.id_raw.clone().unwrap_or_default(), id.to_string()));
    }
    if wanted.get("error").is_some_and(|error| !error.is_null()) {
        fields.push(("outcome", format!("{:?}", told.outcome), format!("{:?}", Some(Outcome::Error))));
    }
    if let Some(phase) = phase(wanted, annotation) {
        fields.push(("phase", told.phase.unwrap_or("none").to_owned(), phase.to_owned()));
    }
    fields
}

fn kind(told: &Told) -> &'static str {
    match told.kind {
        Kind::Request => "request",
        Kind::Notification => "notification",
        Kind::Response => "response",
        Kind::Invalid => "invalid",
    }
}

/// The annotation's phase in the words of the output; `None` where nothing is claimed.
fn phase<'t>(wanted: &'t Value, annotation: &Value) -> Option<&'t str> {
    let opens = |message: &Value| {
        message["method"] == "initialize"
            && message["kind"] == "request"
            // In an archive the sides stand one behind the other: there the numbers tell no order.
            && (message["n"].as_u64() > wanted["n"].as_u64() || wanted["kind"] == "response")
    };
    // Where the annotations tell sessions apart, each is one of its own.
    let session = |message: &&Value| message.get("session") == wanted.get("session");
    let messages = || annotation["messages"].as_array().into_iter().flatten().filter(session);
    // The first ordinary request behind the answer to `initialize` begins the operation, also when the client never
    // says that it is initialized; the annotations wait for that.
    let mut answered = false;
    let operates = messages().any(|message| {
        answered |= message["method"] == "initialize" && message["kind"] == "response";
        let ordinary =
            message["kind"] == "request" && !matches!(message["method"].as_str(), Some("initialize" | "ping"));
        let asked = ordinary && message["direction"] == "client->server";
        answered && asked && message["n"].as_u64() <= wanted["n"].as_u64()
    });
    let initialized = |message: &Value| message["method"] == "notifications/initialized";
    let never = !messages().any(initialized);
    match wanted["phase"].as_str()? {
        "unknown" => None,
        "initialization" if never && operates => Some("operation"),
        "discovery" => Some("initialization"),
        "stateless" if wanted["method"] == "server/discover" => Some("initialization"),
        "stateless" => Some("operation"),
        // What stands before no `initialize` at all may be the middle of a session.
        "pre-initialization" if annotation["messages"].as_array()?.iter().any(opens) => Some("initialization"),
        "pre-initialization" => Some("operation"),
        phase => Some(phase),
    }
}
