//! Messages made from the official JSON Schemas: whole ones, which have to be silent, and ones in which a required member is
//! missing or a member has another type, which have to be found.

use mcp_trace::annotate::Severity;
use mcp_trace::protocol::{METHODS, Revision, Side};
use mcp_trace::rules::example::{Line, lines};
use serde_json::{Map, Value, json};

use crate::judged::{Found, judge_lines};

/// Members whose absence or type is the matter of a rule that sees more than the message, or of no rule: what may be wrong
/// with schemas inside of tools, with parts of other messages, and with metadata.
const ELSEWHERE: &[&str] = &[
    "_meta",
    "resultType",
    "ttlMs",
    "cacheScope",
    "inputSchema",
    "outputSchema",
    "inputResponses",
    "inputRequests",
    "structuredContent",
    "capabilities",
    "properties",
    "experimental",
    "annotations",
    "data",
    "task",
];

struct Schema<'s> {
    definitions: &'s Map<String, Value>,
}

impl<'s> Schema<'s> {
    fn resolve(&self, mut schema: &'s Value) -> &'s Value {
        while let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            schema = &self.definitions[name.rsplit('/').next().unwrap()];
        }
        schema
    }

    /// All members of an object, those of the schemas that it is composed of among them.
    fn object(&self, schema: &'s Value) -> (Vec<(&'s str, &'s Value)>, Vec<&'s str>) {
        let schema = self.resolve(schema);
        let (mut members, mut required) = (Vec::new(), Vec::new());
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let (more, needed) = self.object(part);
            members.extend(more);
            required.extend(needed);
        }
        let own = schema.get("properties").and_then(Value::as_object);
        members.extend(own.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema)));
        let needed = schema.get("required").and_then(Value::as_array);
        required.extend(needed.into_iter().flatten().filter_map(Value::as_str));
        (members, required)
    }

    /// A value with every member.
    fn whole(&self, schema: &'s Value, depth: usize) -> Value {
        let schema = self.resolve(schema);
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return values[0].clone();
        }
        if let Some(first) = schema.get("anyOf").and_then(Value::as_array).and_then(|any| any.first()) {
            return self.whole(first, depth);
        }
        let (members, _) = self.object(schema);
        if !members.is_empty() {
            let shown = members.into_iter().filter(|(name, _)| {
                !ELSEWHERE.contains(name)
                    || *name == "inputSchema"
                    || *name == "capabilities"
                    || *name == "properties"
                    || *name == "data"
            });
            return Value::Object(
                shown.map(|(name, schema)| (name.to_owned(), self.whole(schema, depth + 1))).collect(),
            );
        }
        let kind = schema.get("type").map(|kind| kind.as_array().map_or(kind, |kinds| &kinds[0]));
        match kind.and_then(Value::as_str) {
            Some("string") if schema.get("format").and_then(Value::as_str) == Some("byte") => json!("aGk="),
            Some("string") => json!("a:b"),
            Some("integer" | "number") => json!(1),
            Some("boolean") => json!(true),
            Some("array") => match schema.get("items").filter(|_| depth < 8) {
                Some(items) => json!([self.whole(items, depth + 1)]),
                None => json!([]),
            },
            Some("object") | None => json!({}),
            Some(other) => panic!("unknown type {other}"),
        }
    }

    /// Every way to break a value once: the path that was broken, and the broken value.
    fn broken(&self, schema: &'s Value, value: &Value, path: &str, into: &mut Vec<(String, Value)>) {
        let schema = self.resolve(schema);
        if let Some(first) = schema.get("anyOf").and_then(Value::as_array).and_then(|any| any.first()) {
            return self.broken(first, value, path, into);
        }
        if let (Some(items), Some(element)) = (schema.get("items"), value.get(0)) {
            let mut inner = Vec::new();
            self.broken(items, element, &format!("{path}[0]"), &mut inner);
            into.extend(inner.into_iter().map(|(path, element)| (path, json!([element]))));
            return;
        }
        let Some(object) = value.as_object() else { return };
        let (members, required) = self.object(schema);
        for (name, member_schema) in members.into_iter().filter(|(name, _)| !ELSEWHERE.contains(name)) {
            let Some(member) = object.get(name) else { continue };
            let mut with = |what: String, new: Option<Value>| {
                let mut changed = object.clone();
                match new {
                    Some(new) => changed.insert(name.to_owned(), new),
                    None => changed.remove(name),
                };
                into.push((what, Value::Object(changed)));
            };
            if required.contains(&name) {
                with(format!("{path}.{name} missing"), None);
            }
            let other = match member {
                Value::String(_) | Value::Object(_) => json!([[7]]),
                _ => json!({"no": 7}),
            };
            with(format!("{path}.{name} of another type"), Some(other));
            let mut inner = Vec::new();
            self.broken(member_schema, member, &format!("{path}.{name}"), &mut inner);
            for (what, new) in inner {
                with(what, Some(new));
            }
        }
    }
}

const CLIENT: &str =
    r#"{"roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}}}"#;
const SERVER: &str = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"logging":{},"completions":{}}"#;

const STATELESS: &str = r#"C> {"id":1,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}}"#;

/// The rules that shapes are judged by.
const SHAPES: &[&str] = &["params-schema", "result-schema", "content-block-shape", "field-not-in-revision"];

/// Judges messages of every method of a revision; gives how many.
pub(super) fn compare(revision: Revision, schema: &Value, wrong: &mut Vec<String>) -> usize {
    let definitions = schema.get("definitions").or(schema.get("$defs")).and_then(Value::as_object).unwrap();
    let schema = Schema { definitions };
    let mut tried = 0;
    for row in METHODS.iter().filter(|row| row.covers(revision) && row.extension.is_none()) {
        let Some(definition) = definitions.get(row.schema) else { continue };
        let params =
            schema.object(definition).0.into_iter().find(|(name, _)| *name == "params").map(|(_, schema)| schema);
        let is_request = !row.name.starts_with("notifications/");
        // Input requests stand inside other messages in 2026-07-28.
        let modern = revision == Revision::V2026_07_28;
        if modern && matches!(row.name, "roots/list" | "sampling/createMessage" | "elicitation/create") {
            continue;
        }
        let sender = row.sender.only_side().unwrap_or(Side::Client);
        let plain = params.map_or(json!({}), |params| schema.whole(params, 0));
        let mut judge = |what: &str, params: &Value, result: Option<&Value>, fails: bool| {
            tried += 1;
            let found = found(revision, sender, row.name, is_request, params, result);
            let place = format!("{} {} {what}", revision.as_str(), row.name);
            match fails {
                true if found.iter().all(|found| found.severity == Severity::Note) => {
                    wrong.push(format!("{place}: silent"));
                }
                false => wrong.extend(
                    found
                        .iter()
                        .filter(|found| SHAPES.contains(&found.rule))
                        .map(|found| format!("{place}: {} {}", found.rule, found.message)),
                ),
                true => {}
            }
        };
        judge("params", &plain, None, false);
        let mut variations = Vec::new();
        if let Some(params) = params {
            schema.broken(params, &plain, "params", &mut variations);
        }
        for (what, broken) in &variations {
            judge(what, broken, None, true);
        }
        let result = row.schema.strip_suffix("Request").map(|name| format!("{name}Result"));
        let Some(result) = result.and_then(|name| definitions.get(&name)) else { continue };
        let whole = schema.whole(result, 0);
        judge("result", &plain, Some(&whole), false);
        let mut variations = Vec::new();
        schema.broken(result, &whole, "result", &mut variations);
        for (what, broken) in &variations {
            judge(what, &plain, Some(broken), true);
        }
    }
    tried
}

fn found(
    revision: Revision,
    sender: Side,
    method: &str,
    is_request: bool,
    params: &Value,
    result: Option<&Value>,
) -> Vec<Found> {
    let modern = revision == Revision::V2026_07_28;
    let mut transcript = match (modern, method) {
        // A notification is of the revision of what stands around it.
        (true, _) => lines(STATELESS).unwrap(),
        (false, "initialize") => Vec::new(),
        (false, _) => lines(&format!("@init {} {CLIENT} {SERVER}", revision.as_str())).unwrap(),
    };
    let mut params = params.clone();
    if modern && is_request {
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": revision.as_str(), "io.modelcontextprotocol/clientCapabilities": {}});
    }
    if method == "initialize" && params.get("protocolVersion").is_some_and(Value::is_string) {
        params["protocolVersion"] = json!(revision.as_str());
    }
    let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
    if is_request {
        message["id"] = json!("asked");
    }
    let mut line = |sender, value: &Value| transcript.push(Line::plain(sender, value.to_string().into_bytes(), 0));
    line(sender, &message);
    if let Some(result) = result {
        let mut result = result.clone();
        if modern {
            result["resultType"] = json!("complete");
        }
        if method == "initialize" && result.get("protocolVersion").is_some_and(Value::is_string) {
            result["protocolVersion"] = json!(revision.as_str());
        }
        line(sender.other(), &json!({"jsonrpc": "2.0", "id": "asked", "result": result}));
    }
    let last = transcript.len() as u64;
    judge_lines(&transcript).into_iter().filter(|found| found.line == last).collect()
}
