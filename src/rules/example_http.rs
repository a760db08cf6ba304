//! Examples with headers as HTTP/1.1 text: which exchange each message belongs to, and the headers that an example leaves
//! out because they are as they should be.

use std::fmt::Write as _;

use super::example::Line;
use crate::jsonrpc::RawJson;
use crate::protocol::Side;

/// The id of sessions whose example does not name one.
const SESSION: &str = "abc";

/// An exchange: what was sent, and what came back.
#[derive(Default)]
struct Exchange<'l> {
    stream: Option<&'l str>,
    asked: Vec<&'l Line>,
    answered: Vec<&'l Line>,
}

/// Writes the lines, exchange by exchange.
pub(super) fn transcript(lines: &[Line]) -> Vec<u8> {
    let mut out = String::new();
    let mut version = None;
    for exchange in exchanges(lines) {
        write_request(&exchange, version.as_deref(), &mut out);
        for line in &exchange.answered {
            version = message(line)
                .and_then(|text| text.at(&["result", "protocolVersion"])?.as_str().map(String::from))
                .or(version);
        }
        write_response(&exchange, &mut out);
    }
    out.into_bytes()
}

/// A message without a stream begins an exchange, or answers the last one.
fn exchanges(lines: &[Line]) -> Vec<Exchange<'_>> {
    let mut exchanges: Vec<Exchange<'_>> = Vec::new();
    for line in lines {
        let stream = line.said(":stream");
        let known = match (stream, line.sender) {
            (Some(_), _) => exchanges.iter().rposition(|exchange| exchange.stream == stream),
            (None, Side::Client) => None,
            (None, Side::Server) => exchanges.iter().rposition(|exchange| !exchange.asked.is_empty()),
        };
        let place = known.unwrap_or_else(|| {
            exchanges.push(Exchange { stream, ..Exchange::default() });
            exchanges.len() - 1
        });
        let half =
            if line.sender == Side::Client { &mut exchanges[place].asked } else { &mut exchanges[place].answered };
        half.push(line);
    }
    exchanges
}

fn message(line: &Line) -> Option<RawJson<'_>> {
    RawJson::new(std::str::from_utf8(&line.bytes).ok()?)
}

fn write_request(exchange: &Exchange<'_>, version: Option<&str>, out: &mut String) {
    let Some(line) = exchange.asked.first() else {
        let method = if exchange.stream.is_some() { "GET" } else { "POST" };
        let _ = write!(out, "{method} /mcp HTTP/1.1\nAccept: text/event-stream\nMcp-Session-Id: {SESSION}\n\n");
        return;
    };
    out.push_str("POST /mcp HTTP/1.1\nContent-Type: application/json\n");
    let given = line.headers();
    if !given.iter().any(|(name, _)| name.eq_ignore_ascii_case("accept")) {
        out.push_str("Accept: application/json, text/event-stream\n");
    }
    if line.is_bare() {
        write_own_headers(line, version, out);
    }
    write_headers(&given, out);
    for line in &exchange.asked {
        let _ = write!(out, "\n{}\n", String::from_utf8_lossy(&line.bytes));
    }
}

/// The headers that belong to a message.
fn write_own_headers(line: &Line, version: Option<&str>, out: &mut String) {
    let get = |path: &[&str]| message(line)?.at(path)?.as_str().map(String::from);
    let method = get(&["method"]).unwrap_or_default();
    let header = |out: &mut String, name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(out, "{name}: {value}");
        }
    };
    if let Some(named) = get(&["params", "_meta", super::book::PROTOCOL_VERSION]) {
        header(out, "MCP-Protocol-Version", Some(named));
        header(out, "Mcp-Method", Some(method));
        let name = ["name", "uri", "taskId"].iter().find_map(|member| get(&["params", member]));
        header(out, "Mcp-Name", name);
    } else if method != "initialize" && version.is_some() {
        header(out, "MCP-Protocol-Version", version.map(str::to_owned));
        header(out, "Mcp-Session-Id", Some(SESSION.to_owned()));
    }
}

fn write_headers(headers: &[(&str, &str)], out: &mut String) {
    for (name, value) in headers {
        let _ = writeln!(out, "{name}: {value}");
    }
}

fn write_response(exchange: &Exchange<'_>, out: &mut String) {
    let answers = &exchange.answered;
    let is_request =
        |line: &&&Line| message(line).is_some_and(|text| text.get("id").is_some() && text.get("method").is_some());
    let Some(first) = answers.first() else {
        out.push_str(match exchange.asked.iter().find(is_request) {
            Some(_) => "HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\n",
            None => "HTTP/1.1 202 Accepted\n\n",
        });
        return;
    };
    let streamed = exchange.asked.is_empty() && exchange.stream.is_some()
        || answers.len() > 1
        || answers.iter().any(|line| line.said(":event-id").is_some());
    let given: Vec<_> = answers.iter().flat_map(|line| line.headers()).collect();
    let _ = writeln!(out, "HTTP/1.1 {} Said", first.said(":status").unwrap_or("200"));
    if !given.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        let _ = writeln!(out, "Content-Type: {}", if streamed { "text/event-stream" } else { "application/json" });
    }
    let opens = message(first).is_some_and(|text| text.at(&["result", "protocolVersion"]).is_some());
    if opens && first.is_bare() {
        let _ = writeln!(out, "Mcp-Session-Id: {SESSION}");
    }
    write_headers(&given, out);
    out.push('\n');
    for line in answers {
        let text = String::from_utf8_lossy(&line.bytes);
        if !streamed {
            let _ = writeln!(out, "{text}");
        } else if text.starts_with("event: ") {
            let _ = writeln!(out, "{}\n", text.replace(" / ", "\n"));
        } else {
            if let Some(id) = line.said(":event-id") {
                let _ = writeln!(out, "id: {id}");
            }
            let _ = writeln!(out, "data: {text}\n");
        }
    }
}
