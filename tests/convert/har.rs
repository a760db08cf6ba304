//! HAR 1.2: its structure, strictly (every member is required or allowed by the format, none else), and the messages in it.

use serde_json::{Value, json};

/// The structure of HAR 1.2, as far as it is written.
pub(crate) fn schema() -> Value {
    let object = |properties: Value, optional: &[&str]| {
        let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
        let required: Vec<_> = names.into_iter().filter(|name| !optional.contains(&name.as_str())).collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let text = json!({"type": "string"});
    let pair = object(json!({"name": text, "value": text, "comment": text}), &["comment"]);
    let headers = json!({"type": "array", "items": pair});
    let size = json!({"type": "integer", "minimum": -1});
    let request = object(
        json!({
            "method": {"enum": ["GET", "POST"]}, "url": {"type": "string", "pattern": "^http://mcp\\.invalid/[A-Za-z0-9._~%-]+$"},
            "httpVersion": {"const": "HTTP/1.1"}, "cookies": {"type": "array", "maxItems": 0}, "headers": headers,
            "queryString": {"type": "array", "maxItems": 0},
            "postData": object(json!({"mimeType": text, "text": text}), &[]), "headersSize": size, "bodySize": size,
        }),
        &["postData"],
    );
    let content = object(json!({"size": {"type": "integer", "minimum": 0}, "mimeType": text, "text": text}), &[]);
    let response = object(
        json!({
            "status": {"enum": [200, 202]}, "statusText": {"enum": ["OK", "Accepted"]}, "httpVersion": {"const": "HTTP/1.1"},
            "cookies": {"type": "array", "maxItems": 0}, "headers": headers, "content": content, "redirectURL": {"const": ""},
            "headersSize": size, "bodySize": size,
        }),
        &[],
    );
    let time = json!({"type": "number", "minimum": 0});
    let entry = object(
        json!({
            "startedDateTime": {"type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$"},
            "time": time, "request": request, "response": response, "cache": object(json!({}), &[]),
            "timings": object(json!({"send": time, "wait": time, "receive": time}), &[]), "comment": text,
        }),
        &["comment"],
    );
    let creator = object(json!({"name": text, "version": text}), &[]);
    let log = object(
        json!({"version": {"const": "1.2"}, "creator": creator, "entries": {"type": "array", "items": entry}}),
        &[],
    );
    object(json!({"log": log}), &[])
}

/// What is sent in the entries, in order: whether the client sends it, and the text.
pub(crate) fn sent(har: &Value) -> Vec<(bool, String)> {
    let mut sent = Vec::new();
    for entry in har["log"]["entries"].as_array().unwrap() {
        if let Some(text) = entry["request"]["postData"]["text"].as_str() {
            sent.push((true, text.to_owned()));
        }
        let content = &entry["response"]["content"];
        let text = content["text"].as_str().unwrap();
        assert_eq!(content["size"], text.len());
        match content["mimeType"].as_str().unwrap() {
            "text/event-stream" => sent.extend(events(text).into_iter().map(|text| (false, text))),
            "application/json" => sent.push((false, text.to_owned())),
            "" => assert!(text.is_empty() && entry["response"]["status"] == 202),
            other => panic!("{other}"),
        }
    }
    sent
}

/// The data of a stream's events (WHATWG HTML, server-sent events).
fn events(stream: &str) -> Vec<String> {
    assert!(stream.is_empty() || stream.ends_with("\n\n"));
    let event = |block: &str| {
        let data: Vec<&str> = block.split('\n').filter_map(|line| line.strip_prefix("data: ")).collect();
        data.join("\n")
    };
    stream.split_terminator("\n\n").map(event).collect()
}
