//! The catalogue of rules: its examples, read and run as they are, after a handshake, and inside a longer session with
//! other ids and another order of members.

use mcp_trace::protocol::{Revision, Side};
use mcp_trace::rules::example::{Line, lines};
use serde_json::{Value, json};

use crate::judged::{Found, judge_lines};

pub(super) struct Rule {
    pub(super) id: String,
    pub(super) examples: Vec<Example>,
}

#[derive(Debug)]
pub(super) struct Example {
    pub(super) fails: bool,
    pub(super) revision: String,
    text: String,
}

impl Example {
    /// A line describes in words what cannot be written in the catalogue.
    pub(super) fn is_abbreviated(&self) -> bool {
        ["> !raw (", "> !raw event:"].iter().any(|words| self.text.contains(words))
    }
}

pub(super) fn read(text: &str) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("### ")
            && let Some((number, id)) = heading.split_once(". ")
            && number.parse::<u32>().is_ok()
        {
            rules.push(Rule { id: id.trim().to_owned(), examples: Vec::new() });
        } else if line.starts_with("```") {
            inside = !inside;
        } else if inside && let Some(rule) = rules.last_mut() {
            let begins = |word| line.strip_prefix(word).map(|rest: &str| rest.trim().to_owned());
            match (begins("# pass"), begins("# fail")) {
                (Some(revision), _) => rule.examples.push(Example { fails: false, revision, text: String::new() }),
                (_, Some(revision)) => rule.examples.push(Example { fails: true, revision, text: String::new() }),
                (None, None) => {
                    if let Some(example) = rule.examples.last_mut() {
                        example.text.push_str(&written_out(line));
                        example.text.push('\n');
                    }
                }
            }
        }
    }
    rules
}

/// The strings that `[101 strings]` stands for.
fn written_out(line: &str) -> String {
    let counted = || {
        let (before, rest) = line.split_once('[')?;
        let (count, after) = rest.split_once(" strings]")?;
        let strings = vec!["\"x\""; count.parse().ok()?].join(",");
        Some(format!("{before}[{strings}]{after}"))
    };
    counted().unwrap_or_else(|| line.to_owned())
}

/// Examples that begin in the middle of a session in which everything was declared; in 2026-07-28, where each request
/// declares for itself, those without a request.
fn is_excerpt(example: &Example) -> bool {
    let is_request = |line: &str| line.starts_with('C') && line.contains("\"method\"");
    match is_modern(example) {
        true => !example.text.lines().any(is_request),
        false => !example.text.contains("@init") && !example.text.contains("\"initialize\""),
    }
}

fn is_modern(example: &Example) -> bool {
    example.revision.as_str() >= "2026"
}

const CLIENT: &str = r#"{"roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}},"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}},"extensions":{"io.modelcontextprotocol/ui":{}}}"#;
const SERVER: &str = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"logging":{},"completions":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}"#;

/// Whether the rule holds an example in every way in which it can be told.
pub(super) fn hold(rule: &str, example: &Example) -> Result<(), String> {
    let mut bare = preface(rule);
    bare.extend(lines(&example.text)?);
    let mut ways = vec![("as it is", bare.clone(), 0)];
    if is_excerpt(example) {
        let mut whole = match is_modern(example) {
            true => idle(true, 9).into(),
            false => handshake(&example.revision),
        };
        let before = whole.len() as u64;
        whole.extend(bare.iter().cloned());
        ways.push(("after a handshake", whole, before));
    }
    let (_, longest, before) = ways.last().cloned().unwrap();
    let (longer, before) = longer(example, &longest, before);
    ways.push(("in a longer session", longer, before));
    let fired: Vec<(&str, Vec<Found>)> = ways
        .into_iter()
        .map(|(way, lines, before)| {
            let of_rule = judge_lines(&lines).into_iter().filter(|found| found.rule == rule && found.line > before);
            (way, of_rule.collect())
        })
        .collect();
    for (way, found) in &fired {
        match (example.fails, found.first()) {
            (false, Some(found)) => return Err(format!("fires {way}: {}", found.message)),
            // An excerpt may need what stands before it, or nothing before it.
            (true, None) if !is_excerpt(example) => return Err(format!("silent {way}")),
            _ => {}
        }
    }
    if example.fails && fired.iter().all(|(_, found)| found.is_empty()) {
        return Err("silent in every way".to_owned());
    }
    Ok(())
}

/// The example as a session of every other revision of its era for which the rule speaks.
pub(super) fn in_other_revisions(rule: &str, example: &Example) -> Vec<Example> {
    let Some(rule) = mcp_trace::rules::rule(rule) else { return Vec::new() };
    let others = Revision::all().filter(|revision| {
        let revision = revision.as_str();
        revision != example.revision && (revision >= "2026") == is_modern(example)
    });
    others
        .filter(|revision| rule.at(*revision).is_some())
        .map(|revision| Example {
            fails: example.fails,
            revision: revision.as_str().to_owned(),
            text: example.text.replace(&example.revision, revision.as_str()),
        })
        .collect()
}

/// What the examples of a rule rest on and do not repeat.
fn preface(rule: &str) -> Vec<Line> {
    let listed = r#"C> {"id":"list","method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":"list","result":{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{"name":"q","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}}"#;
    if rule == "http-param-header" { lines(listed).unwrap() } else { Vec::new() }
}

fn handshake(revision: &str) -> Vec<Line> {
    let mut lines = lines(&format!("@init {revision} {CLIENT} {SERVER}")).unwrap();
    for line in &mut lines {
        let text = String::from_utf8(line.bytes.clone()).unwrap();
        line.bytes = text.replace("\"id\":0", "\"id\":\"handshake\"").into_bytes();
    }
    lines
}

/// The same with other ids and another order of members, with other messages before and after it.
fn longer(example: &Example, plain: &[Line], before: u64) -> (Vec<Line>, u64) {
    let modern = is_modern(example);
    let mut lines: Vec<Line> = plain.iter().map(|line| Line { bytes: other(&line.bytes), ..line.clone() }).collect();
    let mut moved = before;
    if is_excerpt(example) {
        let place = before as usize;
        lines.splice(place..place, (0..3).flat_map(|n| idle(modern, n)));
        moved += 6;
    }
    lines.extend((3..6).flat_map(|n| idle(modern, n)));
    (lines, moved)
}

/// A request and its answer that break no rule.
fn idle(modern: bool, n: u32) -> [Line; 2] {
    let (ask, answer) = match modern {
        true => (
            json!({"jsonrpc":"2.0","id":format!("idle-{n}"),"method":"prompts/list","params":{"_meta":{
                "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},
                "io.modelcontextprotocol/clientInfo":{"name":"idle","version":"1"}}}}),
            json!({"jsonrpc":"2.0","id":format!("idle-{n}"),"result":{
                "resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private",
                "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"idle","version":"1"}}}}),
        ),
        false => (
            json!({"jsonrpc":"2.0","id":format!("idle-{n}"),"method":"ping"}),
            json!({"jsonrpc":"2.0","id":format!("idle-{n}"),"result":{}}),
        ),
    };
    let line = |sender, value: Value| Line::plain(sender, value.to_string().into_bytes(), 0);
    [line(Side::Client, ask), line(Side::Server, answer)]
}

/// A message with other ids and its members in another order; what is no plain message stays as it is.
fn other(bytes: &[u8]) -> Vec<u8> {
    let Ok(mut value) = serde_json::from_slice::<Value>(bytes) else { return bytes.to_vec() };
    // A text that does not come back has repeated members, or numbers that would change.
    let again: Value = serde_json::from_str(&value.to_string()).unwrap();
    if again.to_string().len() != bytes.len() {
        return bytes.to_vec();
    }
    let messages = match &mut value {
        Value::Array(elements) => elements.iter_mut().collect(),
        one => vec![one],
    };
    for message in messages {
        for place in [&["id"][..], &["params", "requestId"]] {
            let (last, path) = place.split_last().unwrap();
            let holder = path.iter().try_fold(&mut *message, |value, name| value.get_mut(name));
            if let Some(id) = holder.and_then(|holder| holder.get_mut(last)) {
                rename(id);
            }
        }
        for part in ["params", "result"] {
            let key = "io.modelcontextprotocol/subscriptionId";
            if let Some(id) = message.get_mut(part).and_then(|part| part.get_mut("_meta")?.get_mut(key)) {
                rename(id);
            }
        }
    }
    value.to_string().into_bytes()
}

fn rename(id: &mut Value) {
    match id {
        Value::Number(number) if number.is_i64() => *id = json!(number.as_i64().unwrap() + 700),
        Value::String(text) if text.parse::<i64>().is_ok() => {
            *id = json!(format!("{}", text.parse::<i64>().unwrap() + 700))
        }
        Value::String(text) => *id = json!(format!("other-{text}")),
        _ => {}
    }
}
