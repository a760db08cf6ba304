//! What the rules say when a session is a little other: the examples and the sessions of this folder with lines left out,
//! sent twice, swapped or sent by the other side, in other revisions, and with members left out or of another value. There
//! are tens of thousands of these; `perturbed.txt` names those that are judged.

use std::collections::{BTreeMap, BTreeSet};

use mcp_trace::annotate::Severity;
use mcp_trace::protocol::Revision;
use mcp_trace::rules::{Expectations, RULES, example};
use serde_json::{Value, json};

use super::judged::judge_given;
use super::{doubt, edges, remembered, stateless};

/// A session that is a little other: what was done to it, and its lines.
pub(super) type Variant = (String, Vec<example::Line>);

/// The findings of a session, as line, rule and severity, with their numbers.
pub(super) type Said = BTreeMap<(u64, &'static str, Severity), usize>;

pub(super) fn said(lines: &[example::Line], expect: &Expectations) -> Said {
    let mut said = Said::new();
    for found in judge_given(lines, expect.clone()) {
        *said.entry((found.line, found.rule, found.severity)).or_default() += 1;
    }
    said
}

/// The sessions that are varied, by name.
pub(super) fn sessions() -> Vec<(String, &'static str)> {
    let own = RULES
        .iter()
        .flat_map(|rule| [(format!("{} fires", rule.id), rule.fires), (format!("{} silent", rule.id), rule.silent)]);
    let crossed = stateless::CASES.iter().map(|(what, session, _)| ((*what).to_owned(), *session));
    let doubtful = doubt::CASES.iter().map(|(what, rule, session, _)| (format!("{rule}, {what}"), *session));
    let edges = edges::CASES.iter().chain(remembered::CASES).map(|(what, session)| ((*what).to_owned(), *session));
    // Long texts would be judged over and over.
    let is_short = |(_, session): &(String, &str)| !session.contains('⟨');
    own.chain(crossed).chain(doubtful).chain(edges).filter(is_short).collect()
}

/// Every session that is a little other.
pub(super) fn variants(lines: &[example::Line]) -> Vec<Variant> {
    let mut variants = Vec::new();
    lines_moved(lines, &mut variants);
    revised(lines, &mut variants);
    members_changed(lines, &mut variants);
    variants
}

/// The message of a line, when it comes back as it was written but for the order of its members.
fn message(line: &example::Line) -> Option<Value> {
    let value: Value = serde_json::from_slice(&line.bytes).ok()?;
    (value.to_string().len() == line.bytes.len()).then_some(value)
}

/// Lines left out, doubled, swapped, and sent by the other side.
fn lines_moved(lines: &[example::Line], into: &mut Vec<Variant>) {
    for place in 0..lines.len() {
        let (mut without, mut twice, mut turned) = (lines.to_vec(), lines.to_vec(), lines.to_vec());
        without.remove(place);
        into.push((format!("without {}", place + 1), without));
        twice.insert(place, lines[place].clone());
        into.push((format!("{} twice", place + 1), twice));
        turned[place].sender = turned[place].sender.other();
        into.push((format!("{} from the other side", place + 1), turned));
        if place + 1 < lines.len() {
            let mut swapped = lines.to_vec();
            swapped.swap(place, place + 1);
            into.push((format!("{} after {}", place + 1, place + 2), swapped));
        }
    }
}

/// The session in each other revision with a handshake.
fn revised(lines: &[example::Line], into: &mut Vec<Variant>) {
    let texts: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(&line.bytes).into_owned()).collect();
    for named in Revision::all().filter(|named| texts.iter().any(|text| text.contains(named.as_str()))) {
        for other in Revision::all().filter(|other| *other != named) {
            let mut lines = lines.to_vec();
            for (line, text) in lines.iter_mut().zip(&texts) {
                if text.contains(named.as_str()) {
                    line.bytes = text.replace(named.as_str(), other.as_str()).into_bytes();
                }
            }
            into.push((format!("{named} as {other}", named = named.as_str(), other = other.as_str()), lines));
        }
    }
}

/// Values that stand in for another one.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(0), json!({})],
        Value::Bool(flag) => vec![json!(!flag), json!(flag.to_string()), json!(null)],
        Value::Number(number) => {
            let near = number.as_i64().map(|number| [json!(number + 1), json!(number - 1)]);
            let mut others: Vec<_> = near.into_iter().flatten().collect();
            others.extend([json!(0.5), json!(number.to_string())]);
            others
        }
        Value::String(text) => vec![json!(format!("{text}?")), json!(""), json!(7), json!(null)],
        Value::Array(elements) => {
            let mut others = vec![json!([]), json!({}), json!([7])];
            if let Some(first) = elements.first() {
                others.push(Value::Array(elements.iter().chain([first]).cloned().collect()));
            }
            others
        }
        Value::Object(_) => vec![json!({}), json!([]), json!("x")],
    }
}

/// A value, or what is long about it.
fn named(value: &Value) -> String {
    let text = value.to_string();
    match value {
        Value::Array(elements) if text.len() > 40 => format!("{} elements, the last the first", elements.len()),
        _ if text.len() > 100 => format!("{} bytes", text.len()),
        _ => text,
    }
}

/// Each value inside of a message, as a pointer.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), value))
            .collect(),
        Value::Array(elements) => elements.iter().enumerate().map(|(n, value)| (format!("{at}/{n}"), value)).collect(),
        _ => return,
    };
    for (pointer, value) in inner {
        into.push(pointer.clone());
        places(value, &pointer, into);
    }
}

fn without(value: &Value, pointer: &str) -> Value {
    let mut value = value.clone();
    let (holder, last) = pointer.rsplit_once('/').unwrap();
    match value.pointer_mut(holder) {
        Some(Value::Object(members)) => {
            members.remove(&last.replace("~1", "/").replace("~0", "~"));
        }
        Some(Value::Array(elements)) => {
            elements.remove(last.parse().unwrap());
        }
        _ => {}
    }
    value
}

/// Members of the messages left out, or of another value.
fn members_changed(lines: &[example::Line], into: &mut Vec<Variant>) {
    for (place, line) in lines.iter().enumerate() {
        let Some(message) = message(line) else { continue };
        let mut pointers = Vec::new();
        places(&message, "", &mut pointers);
        let mut push = |what: String, value: Value| {
            let mut lines = lines.to_vec();
            lines[place].bytes = value.to_string().into_bytes();
            into.push((format!("{}{what}", place + 1), lines));
        };
        for pointer in pointers {
            push(format!("{pointer} gone"), without(&message, &pointer));
            for other in others(message.pointer(&pointer).unwrap()) {
                let mut changed = message.clone();
                *changed.pointer_mut(&pointer).unwrap() = other.clone();
                push(format!("{pointer} {}", named(&other)), changed);
            }
        }
    }
}

/// The variants that are judged, each with what it makes different: those that notice a change of a condition which no
/// other test notices.
const TABLE: &str = "tests/rules/perturbed.txt";

/// What was found in a variant and is not found in its session, and the other way round.
fn difference(usual: &Said, now: &Said) -> String {
    let all: BTreeSet<_> = usual.keys().chain(now.keys()).copied().collect();
    let mut words = Vec::new();
    for key in all {
        let (then, now) = (usual.get(&key).copied().unwrap_or(0), now.get(&key).copied().unwrap_or(0));
        let (line, rule, severity) = key;
        // A line of HTTP that is not found again has no number.
        let line = if line == u64::MAX { "-".to_owned() } else { line.to_string() };
        let finding = format!("{rule} {} at {line}", severity.as_str());
        words.extend((then..now).map(|_| format!("+{finding}")));
        words.extend((now..then).map(|_| format!("-{finding}")));
    }
    if words.is_empty() { "the same".to_owned() } else { words.join(", ") }
}

#[test]
fn what_is_a_little_other_is_judged_as_it_was() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let then = std::fs::read_to_string(&path).unwrap();
    let known: BTreeMap<String, &str> = sessions().into_iter().collect();
    let (mut now, mut judged) = (String::new(), 0);
    let mut others: BTreeMap<String, Vec<example::Line>> = BTreeMap::new();
    let (mut usual, mut expect) = (Said::new(), Expectations::default());
    for line in then.lines() {
        if let Some(entry) = line.strip_prefix("  ") {
            let what = entry.split_once(" => ").map_or(entry, |(what, _)| what);
            let lines = others.get(what).unwrap_or_else(|| panic!("{what} is no variant of the session above it"));
            judged += 1;
            now += &format!("  {what} => {}\n", difference(&usual, &said(lines, &expect)));
            continue;
        }
        if let Some(session) = known.get(line) {
            let lines = example::lines(session).unwrap();
            expect = example::given(session).unwrap();
            usual = said(&lines, &expect);
            others = variants(&lines).into_iter().collect();
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{line} is no session");
        }
        now += &format!("{line}\n");
    }
    assert!(judged > 100, "only {judged} variants");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &now).unwrap();
        return;
    }
    let wrong: Vec<_> = now.lines().zip(then.lines()).filter(|(now, then)| now != then).collect();
    let wrong: Vec<_> = wrong.iter().map(|(now, then)| format!("now  {now}\nthen {then}")).collect();
    assert!(wrong.is_empty(), "if that is meant: BLESS=1 cargo test --test rules\n{}", wrong.join("\n"));
}
