//! The figures of a recorded session counted anew: from what its recorder knows of each message, and from the messages as
//! plain JSON. Shares nothing with the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::support::read_maybe_gz;

/// The recording with times and directions.
pub(crate) fn timed(folder: &Path) -> PathBuf {
    let plain = folder.join("timed.jsonl");
    if plain.exists() { plain } else { folder.join("timed.jsonl.gz") }
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    msg: Option<&'a RawValue>,
}

/// A message: what the recorder knows, and its text.
struct Told {
    seq: u64,
    at: Timestamp,
    way: String,
    kind: String,
    method: Option<String>,
    phase: Option<String>,
    answers: Option<u64>,
    text: String,
    json: Value,
}

fn messages(folder: &Path, truth: &Value) -> Vec<Told> {
    let lines = String::from_utf8(read_maybe_gz(folder.join("timed.jsonl")).unwrap()).unwrap();
    let mut told = Vec::new();
    for (entry, line) in truth["messages"].as_array().unwrap().iter().zip(lines.lines()) {
        let line: Line<'_> = serde_json::from_str(line).unwrap();
        let Some(message) = line.msg else { continue };
        let parts: Vec<(&Value, &str)> = match entry["kind"].as_str() {
            Some("batch") => {
                let texts: Vec<&RawValue> = serde_json::from_str(message.get()).unwrap();
                entry["parts"].as_array().unwrap().iter().zip(texts.into_iter().map(RawValue::get)).collect()
            }
            _ => vec![(entry, message.get())],
        };
        for (part, text) in parts {
            let word = |name: &str| part[name].as_str().map(str::to_owned);
            told.push(Told {
                seq: entry["seq"].as_u64().unwrap(),
                at: entry["ts"].as_str().unwrap().parse().unwrap(),
                way: entry["dir"].as_str().unwrap().replace("->", "-to-"),
                kind: word("kind").unwrap(),
                method: word("method"),
                phase: entry["phase"].as_str().map(|phase| {
                    // The end of the transport is not in this file.
                    match phase {
                        "discovery" => "initialization",
                        "shutdown" => "operation",
                        other => other,
                    }
                    .to_owned()
                }),
                answers: part["answers"].as_u64(),
                text: text.to_owned(),
                json: serde_json::from_str(text).unwrap(),
            });
        }
    }
    told
}

/// Rows of the last table: values and figures.
fn rows(figures: &Value, by: &[&str]) -> BTreeMap<Vec<String>, Value> {
    let by: Vec<Value> = by.iter().map(|name| Value::from(*name)).collect();
    let table =
        figures["groups"].as_array().unwrap().iter().find(|table| table["by"] == Value::Array(by.clone())).unwrap();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let row = |row: &Value| (row["values"].as_array().unwrap().iter().map(text).collect(), row["figures"].clone());
    table["rows"].as_array().unwrap().iter().map(row).collect()
}

fn counts(figures: &Value, by: &[&str], figure: &str) -> BTreeMap<Vec<String>, u64> {
    let rows = rows(figures, by).into_iter();
    rows.map(|(values, figures)| (values, figures[figure].as_u64().unwrap())).filter(|(_, count)| *count > 0).collect()
}

fn tally(keys: impl Iterator<Item = (Vec<String>, u64)>) -> BTreeMap<Vec<String>, u64> {
    let mut tally = BTreeMap::new();
    keys.filter(|(_, count)| *count > 0).for_each(|(key, count)| *tally.entry(key).or_default() += count);
    tally
}

/// Holds the figures of a recording against a count of its own.
pub(crate) fn compare(folder: &Path, stats: &dyn Fn(&str) -> Value) {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let truth: Value = serde_json::from_slice(&read_maybe_gz(folder.join("truth.json")).unwrap()).unwrap();
    let told = messages(folder, &truth);
    let sessions: std::collections::BTreeSet<_> =
        truth["messages"].as_array().unwrap().iter().map(|message| message["session"].to_string()).collect();

    let by_kind = stats("kind,outcome,direction");
    let kind = |told: &Told| match told.kind.as_str() {
        "error" => ["response", "error"],
        "response" => ["response", "result"],
        "unclassifiable" | "not_an_object" => ["invalid", "null"],
        other => [if other == "request" { "request" } else { "notification" }, "null"],
    };
    for figure in ["messages", "bytes"] {
        let mut found = counts(&by_kind, &["kind", "outcome", "direction"], figure);
        // Text that begins like JSON and is none: the recorder counts it as no message.
        let unreadable = truth["messages"].as_array().unwrap().iter().any(|entry| entry["kind"] == "not_json");
        let mut wanted = tally(told.iter().map(|told| {
            let [kind, outcome] = kind(told);
            let each = if figure == "bytes" { told.text.len() as u64 } else { 1 };
            (vec![kind.to_owned(), outcome.to_owned(), told.way.clone()], each)
        }));
        if unreadable {
            found.retain(|key, _| key[0] != "invalid");
            wanted.retain(|key, _| key[0] != "invalid");
        }
        assert_eq!(found, wanted, "{name}: {figure} by kind");
    }

    let by_method = stats("kind,method");
    let named = told.iter().filter(|told| told.kind == "request" || told.kind == "notification");
    let wanted = tally(named.map(|told| (vec![told.kind.clone(), told.method.clone().unwrap()], 1)));
    let mut found = counts(&by_method, &["kind", "method"], "messages");
    found.retain(|key, _| key[0] == "request" || key[0] == "notification");
    assert_eq!(found, wanted, "{name}: messages by method");

    // Lists of tools.
    let lists = told.iter().filter_map(|told| {
        #[derive(Deserialize)]
        struct Answer<'a> {
            #[serde(borrow)]
            result: Option<Tools<'a>>,
        }
        #[derive(Deserialize)]
        struct Tools<'a> {
            #[serde(borrow)]
            tools: Option<&'a RawValue>,
        }
        if told.method.as_deref() != Some("tools/list") || told.kind != "response" {
            return None;
        }
        let answer: Answer<'_> = serde_json::from_str(&told.text).ok()?;
        Some((answer.result?.tools?.get().len() as u64, told.json["result"]["tools"].as_array()?.len() as u64))
    });
    let (lists, (bytes, tools)) =
        lists.fold((0, (0, 0)), |(n, (b, t)), (bytes, tools)| (n + 1, (b + bytes, t + tools)));
    let found = &by_kind["definitions"];
    let found = ["lists", "bytes", "tools"].map(|name| found[name].as_u64().unwrap());
    assert_eq!(found, [lists, bytes, tools], "{name}: lists of tools");

    if sessions.len() > 1 {
        // Which session a message belongs to is not in this file, so pairs are guesses.
        return println!("{name}: kinds and methods only, {} sessions", sessions.len());
    }
    one_session(&name, &truth, &told, &by_method);
    println!("{name}: {} messages", told.len());
}

/// What depends on which answer belongs to which request.
fn one_session(name: &str, truth: &Value, told: &[Told], figures: &Value) {
    if told.iter().all(|told| told.phase.is_some()) {
        for (figure, of) in [("messages", None), ("bytes", Some(()))] {
            let each = |told: &Told| if of.is_some() { told.text.len() as u64 } else { 1 };
            let wanted = tally(told.iter().map(|told| (vec![told.phase.clone().unwrap()], each(told))));
            assert_eq!(counts(figures, &["phase"], figure), wanted, "{name}: {figure} by phase");
        }
    }

    // Errors, and requests that were never answered.
    let answered: std::collections::BTreeSet<u64> = told.iter().filter_map(|told| told.answers).collect();
    let method = |told: &Told| vec![told.method.clone().unwrap()];
    let requests = || told.iter().filter(|told| told.kind == "request");
    let open = requests().filter(|told| !answered.contains(&told.seq));
    let wanted = tally(open.map(|told| (method(told), 1)));
    assert_eq!(counts(figures, &["method"], "unanswered"), wanted, "{name}: unanswered");
    let never = truth["summary"]["requests_never_answered"].as_array().unwrap().len() as u64;
    assert_eq!(wanted.values().sum::<u64>(), never, "{name}: the recorder counts others as unanswered");
    let paired = || told.iter().filter(|told| told.answers.is_some());
    let errors = told.iter().filter(|told| told.kind == "error").count() as u64;
    assert_eq!(figures["total"]["error_responses"].as_u64(), Some(errors), "{name}: errors");
    let failed = paired().filter(|told| told.json["result"]["isError"] == true);
    let wanted = tally(failed.map(|told| (method(told), 1)));
    assert_eq!(counts(figures, &["method"], "tool_errors"), wanted, "{name}: tool errors");

    // Cancelled, late, in flight.
    let (mut waiting, mut cancelled) = (BTreeMap::new(), std::collections::BTreeSet::new());
    let (mut most, mut given_up, mut late) = (0, 0, 0);
    for message in told {
        match message.kind.as_str() {
            "request" => {
                waiting.insert(message.seq, (message.way.clone(), message.json["id"].clone()));
                most = most.max(waiting.len() - cancelled.len());
            }
            "notification" if message.method.as_deref() == Some("notifications/cancelled") => {
                let id = &message.json["params"]["requestId"];
                let of = waiting.iter().find(|(_, (way, known))| *way == message.way && known == id);
                if let Some((seq, _)) = of
                    && cancelled.insert(*seq)
                {
                    given_up += 1;
                }
            }
            _ => {
                if let Some(seq) = message.answers.filter(|seq| waiting.remove(seq).is_some()) {
                    late += u64::from(cancelled.remove(&seq));
                }
            }
        }
    }
    assert_eq!(figures["sessions"]["in_flight_max"].as_u64(), Some(most as u64), "{name}: in flight");
    assert_eq!(figures["total"]["cancelled"].as_u64(), Some(given_up), "{name}: cancelled");
    assert_eq!(figures["total"]["late"].as_u64(), Some(late), "{name}: late");

    // Latencies by method, and by tool.
    let seqs: BTreeMap<u64, &Told> =
        told.iter().filter(|told| told.kind == "request").map(|told| (told.seq, told)).collect();
    let mut times: BTreeMap<Vec<String>, Vec<u64>> = BTreeMap::new();
    for answer in paired() {
        let Some(request) = seqs.get(&answer.answers.unwrap()) else { continue };
        let Ok(nanos) = u64::try_from(answer.at.as_nanosecond() - request.at.as_nanosecond()) else { continue };
        times.entry(method(answer)).or_default().push(nanos);
        if let (Some("tools/call"), Some(tool)) = (answer.method.as_deref(), request.json["params"]["name"].as_str()) {
            times.entry(vec!["tools/call".to_owned(), tool.to_owned()]).or_default().push(nanos);
        }
    }
    let found: BTreeMap<_, _> =
        rows(figures, &["method"]).into_iter().chain(rows(figures, &["method", "target"])).collect();
    for (key, mut times) in times {
        times.sort_unstable();
        let latency = &found.get(&key).unwrap_or_else(|| panic!("{name}: no row for {key:?}"))["latency"];
        let count = times.len() as u64;
        assert_eq!(latency["count"].as_u64(), Some(count), "{name}: {key:?}");
        assert_eq!(latency["range_ns"], serde_json::json!([times[0], times[times.len() - 1]]), "{name}: {key:?}");
        let sum: u64 = times.iter().sum();
        assert_eq!(latency["sum"], serde_json::json!([sum / 1_000_000_000, sum % 1_000_000_000]), "{name}: {key:?}");
        assert_eq!(latency["mean_ms"].as_f64(), Some((sum / count) as f64 / 1e6), "{name}: {key:?}");
        for percent in [50, 90, 95, 99] {
            let exact = times[((count * percent).div_ceil(100).max(1) - 1) as usize] as f64 / 1e6;
            let told = latency[format!("p{percent}_ms")].as_f64().unwrap();
            assert!(
                told >= exact && told <= exact * (1.0 + 1.0 / 128.0) + 1e-9,
                "{name}: p{percent} of {key:?}: {told}, is {exact}"
            );
        }
    }

    // The handshake, and what was declared in it.
    let place = |method: &str| told.iter().position(|told| told.method.as_deref() == Some(method));
    let begin = place("initialize");
    let end = place("notifications/initialized");
    let handshakes = &figures["handshakes"];
    if let (Some(begin), Some(end)) = (begin, end) {
        assert_eq!(handshakes["finished"], 1, "{name}");
        assert_eq!(
            handshakes["messages"].as_u64(),
            Some((end - begin + 1) as u64),
            "{name}: messages of the handshake"
        );
        let bytes: usize = told[begin..=end].iter().map(|told| told.text.len()).sum();
        assert_eq!(handshakes["bytes"].as_u64(), Some(bytes as u64), "{name}: bytes of the handshake");
        let nanos = told[end].at.as_nanosecond() - told[begin].at.as_nanosecond();
        assert_eq!(
            handshakes["time"]["range_ns"][0].as_i64().map(i128::from),
            Some(nanos),
            "{name}: time of the handshake"
        );
        let answer = told.iter().find(|told| told.method.as_deref() == Some("initialize") && told.kind == "response");
        let offers = [("client", &told[begin].json["params"]), ("server", &answer.unwrap().json["result"])];
        let names = |offer: &Value| {
            offer["capabilities"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        let wanted: Vec<_> =
            offers.iter().flat_map(|(side, offer)| names(offer).into_iter().map(|name| (*side, name))).collect();
        let mut wanted: Vec<_> = wanted.into_iter().map(|(side, name)| format!("{side}.{name}")).collect();
        wanted.sort();
        let rows = figures["capabilities"].as_array().unwrap().iter();
        let declared = rows.filter(|row| row["declared"] == 1 && row["path"].as_array().unwrap().len() == 1);
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let declared: Vec<_> =
            declared.map(|row| format!("{}.{}", word(&row["side"]), word(&row["path"][0]))).collect();
        assert_eq!(declared, wanted, "{name}: what was declared");
        for (feature, capability) in [("tools/", "tools"), ("prompts/", "prompts"), ("completion/", "completions")] {
            let used = told.iter().any(|told| told.method.as_deref().is_some_and(|method| method.starts_with(feature)));
            let row = figures["capabilities"]
                .as_array()
                .unwrap()
                .iter()
                .find(|row| row["side"] == "server" && row["path"] == serde_json::json!([capability]));
            let known = row.is_some_and(|row| row["used"] == 1);
            assert_eq!(known, used, "{name}: use of {capability}");
        }
    } else {
        assert_eq!(handshakes["finished"], 0, "{name}");
    }
}
