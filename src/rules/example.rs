//! The notation of the examples, and the transcript that it stands for.
//!
//! One message a line: `C> ` from the client, `S> ` from the server, then the message, in which `"jsonrpc":"2.0"` is left
//! out. `@init REVISION CLIENT SERVER` stands for the three messages of a handshake with these capabilities. In `_meta`,
//! `"$M":"a,b"` stands for the version and the client capabilities a and b of a stateless request. `!raw` before a text says
//! that it is written as it is and may be no JSON, with `⏎` for a line end inside it and `\xF6` for a byte; `!dup` that a
//! message is written as it is. `⟨120000⟩` in a message stands for that many letters. Lines that begin with `#` are remarks. `@given max-bytes 150`
//! and the like say what the user expects of the session.
//!
//! `C[{…}]> ` and `S[{…}]> ` give the HTTP headers of the message as an object; `:status`, `:stream` and `:event-id` in it
//! stand for the status, the exchange and the id of the event.

use std::fmt::Write as _;

use serde_json::value::RawValue;

use super::settings::{Expectations, duration};
use crate::jsonrpc::RawJson;
use crate::protocol::Side;

/// One line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who wrote it.
    pub sender: Side,
    /// What stands on the wire.
    pub bytes: Vec<u8>,
    /// The line of the example that it comes from, from 0.
    pub from: usize,
    /// What the example says of HTTP: names and values.
    pub http: Option<Vec<(String, String)>>,
}

impl Line {
    /// A line of which nothing is said of HTTP.
    pub fn plain(sender: Side, bytes: Vec<u8>, from: usize) -> Self {
        Self { sender, bytes, from, http: None }
    }

    /// What is said of the exchange, not as a header.
    pub(super) fn said(&self, name: &str) -> Option<&str> {
        let said = self.http.iter().flatten().find(|(known, _)| known == name);
        said.map(|(_, value)| value.as_str())
    }

    /// The headers.
    pub(super) fn headers(&self) -> Vec<(&str, &str)> {
        let named = self.http.iter().flatten().filter(|(name, _)| !name.starts_with(':'));
        named.map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    /// The headers are left out, since they are as they should be.
    pub(super) fn is_bare(&self) -> bool {
        self.http.as_ref().is_none_or(|said| !said.is_empty() && said.iter().all(|(name, _)| name.starts_with(':')))
    }
}

/// The lines of the transcript. An error names what was not understood.
pub fn lines(example: &str) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for (from, line) in example.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with(GIVEN) {
            continue;
        }
        let mut push = |sender, text: &str| lines.push(Line::plain(sender, text.as_bytes().to_vec(), from));
        if let Some(handshake) = line.strip_prefix("@init ") {
            let [request, answer, done] = handshake_lines(handshake)?;
            push(Side::Client, &request);
            push(Side::Server, &answer);
            push(Side::Client, &done);
            continue;
        }
        let (head, text) = line.split_once("> ").ok_or_else(|| format!("expected `C> ` or `S> `, got `{line}`"))?;
        let (sender, http) = read_head(head)?;
        let (text, before) = (text.trim(), lines.len());
        let mut push = |sender, text: &str| lines.push(Line::plain(sender, text.as_bytes().to_vec(), from));
        if let Some(raw) = text.strip_prefix("!raw ") {
            lines.extend(raw.split('⏎').map(|text| Line::plain(sender, unescape(text), from)));
        } else if let Some(message) = text.strip_prefix("!dup ") {
            push(sender, &complete_object(&expand(message)));
        } else {
            push(sender, &complete(&expand(text))?);
        }
        if http.is_some() {
            lines[before..].iter_mut().for_each(|line| line.http.clone_from(&http));
        }
    }
    Ok(lines)
}

/// Before what the user expects.
const GIVEN: &str = "@given ";

/// What the user expects of the session. An error names what was not understood.
pub fn given(example: &str) -> Result<Expectations, String> {
    let mut expect = Expectations::default();
    for line in example.lines().filter_map(|line| line.trim().strip_prefix(GIVEN)) {
        let wrong = || format!("expected an expectation, got `{line}`");
        let (name, value) = line.split_once(' ').ok_or_else(wrong)?;
        match name {
            "expect-tool" => expect.tools.push(value.to_owned()),
            "forbid-tool" => expect.forbidden_tools.push(value.to_owned()),
            "max-latency" => expect.max_latency = Some(duration(value).ok_or_else(wrong)?),
            "max-bytes" => expect.max_bytes = Some(value.parse().map_err(|_| wrong())?),
            _ => return Err(wrong()),
        }
    }
    Ok(expect)
}

/// The sender, and what is said of HTTP.
type Head = (Side, Option<Vec<(String, String)>>);

/// Reads what stands before `> `.
fn read_head(head: &str) -> Result<Head, String> {
    let wrong = || format!("expected `C` or `S`, with an object of headers in brackets or without, got `{head}`");
    let (sender, rest) = match (head.strip_prefix('C'), head.strip_prefix('S')) {
        (Some(rest), _) => (Side::Client, rest),
        (_, Some(rest)) => (Side::Server, rest),
        (None, None) => return Err(wrong()),
    };
    if rest.is_empty() {
        return Ok((sender, None));
    }
    let object = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(wrong)?;
    let object = RawJson::new(object).ok_or_else(wrong)?;
    let value = |value: RawJson<'_>| value.as_str().map_or_else(|| value.text().to_owned(), String::from);
    Ok((sender, Some(object.members().map(|(name, text)| (name.into_owned(), value(text))).collect())))
}

/// The transcript: lines with direction and time, as the format `timed` reads them; HTTP/1.1 as text when a line says
/// something of HTTP.
pub fn transcript(lines: &[Line]) -> Vec<u8> {
    if lines.iter().any(|line| line.http.is_some()) {
        return super::example_http::transcript(lines);
    }
    let mut out = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let dir = if line.sender == Side::Client { "client->server" } else { "server->client" };
        let (minute, second) = (number / 60 % 60, number % 60);
        let head = format!(r#"{{"ts":"2026-01-01T00:{minute:02}:{second:02}.000Z","dir":"{dir}","#);
        out.extend_from_slice(head.as_bytes());
        let is_json = serde_json::from_slice::<&RawValue>(&line.bytes).is_ok();
        if is_json && matches!(line.bytes.first(), Some(b'{' | b'[')) {
            out.extend_from_slice(b"\"msg\":");
            out.extend_from_slice(&line.bytes);
        } else {
            out.extend_from_slice(b"\"raw\":\"");
            for &byte in &line.bytes {
                if matches!(byte, b'"' | b'\\') {
                    out.push(b'\\');
                }
                out.push(byte);
            }
            out.push(b'"');
        }
        out.extend_from_slice(b"}\n");
    }
    out
}

fn handshake_lines(text: &str) -> Result<[String; 3], String> {
    let (revision, rest) = text.split_once(' ').ok_or("expected `@init REVISION CLIENT SERVER`")?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
    let mut next = || match values.next() {
        Some(Ok(value)) => Ok(value.get()),
        _ => Err(format!("expected two capabilities objects, got `{rest}`")),
    };
    let (client, server) = (next()?, next()?);
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{client},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
    );
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{revision}","capabilities":{server},"serverInfo":{{"name":"s","version":"1"}}}}}}"#
    );
    Ok([request, answer, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned()])
}

/// Writes out what `"$M"` and `⟨…⟩` stand for.
fn expand(text: &str) -> String {
    const SHORT: &str = "\"$M\":\"";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(SHORT) {
        let names = &rest[at + SHORT.len()..];
        let end = names.find('"').unwrap_or(names.len());
        out.push_str(&rest[..at]);
        out.push_str(
            r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":"#,
        );
        out.push_str(&capabilities(&names[..end]));
        rest = names.get(end + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    fill(&out)
}

/// Writes out the letters that `⟨…⟩` stands for.
fn fill(text: &str) -> String {
    const MOST: usize = 1 << 20;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, (count, after))) =
        rest.split_once('⟨').and_then(|(before, behind)| Some((before, behind.split_once('⟩')?)))
    {
        out.push_str(before);
        out.extend(std::iter::repeat_n('x', count.parse::<usize>().unwrap_or(0).min(MOST)));
        rest = after;
    }
    out.push_str(rest);
    out
}

fn capabilities(names: &str) -> String {
    let (mut plain, mut extensions) = (String::new(), String::new());
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let extension = match name {
            "tasks" => Some("io.modelcontextprotocol/tasks"),
            name => name.strip_prefix("extensions:"),
        };
        let (into, name) = match extension {
            Some(name) => (&mut extensions, name),
            None => (&mut plain, name),
        };
        let comma = if into.is_empty() { "" } else { "," };
        let _ = write!(into, "{comma}\"{name}\":{{}}");
    }
    let comma = if plain.is_empty() || extensions.is_empty() { "" } else { "," };
    match extensions.is_empty() {
        true => format!("{{{plain}}}"),
        false => format!("{{{plain}{comma}\"extensions\":{{{extensions}}}}}"),
    }
}

/// A message or batch with its versions.
fn complete(text: &str) -> Result<String, String> {
    if !text.starts_with('[') {
        return Ok(complete_object(text));
    }
    let elements: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|error| format!("expected a batch, got `{text}`: {error}"))?;
    let elements: Vec<String> = elements.iter().map(|element| complete_object(element.get())).collect();
    Ok(format!("[{}]", elements.join(",")))
}

fn complete_object(text: &str) -> String {
    match text.strip_prefix('{') {
        Some(rest) if !text.contains("\"jsonrpc\"") => {
            let comma = if rest.trim_start().starts_with('}') { "" } else { "," };
            format!("{{\"jsonrpc\":\"2.0\"{comma}{rest}")
        }
        _ => text.to_owned(),
    }
}

/// `\xF6` as the byte.
fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\x") {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        match rest.get(at + 2..at + 4).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => out.push(byte),
            None => out.extend_from_slice(b"\\x"),
        }
        rest = rest.get(at + 4..).unwrap_or_default();
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn texts(example: &str) -> Vec<String> {
        lines(example).unwrap().into_iter().map(|line| String::from_utf8_lossy(&line.bytes).into_owned()).collect()
    }

    #[test]
    fn what_is_short_is_written_out() {
        assert_eq!(texts(r#"C> {"id":1,"method":"ping"}"#), [r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#]);
        assert_eq!(texts(r#"C> [{"id":1},{}]"#), [r#"[{"jsonrpc":"2.0","id":1},{"jsonrpc":"2.0"}]"#]);
        assert_eq!(texts(r#"C> {"jsonrpc":2}"#), [r#"{"jsonrpc":2}"#]);
        assert_eq!(texts("S> !raw a⏎b"), ["a", "b"]);
        assert_eq!(texts(r#"C> {"a":"⟨3⟩","b":"⟨2⟩"}"#), [r#"{"jsonrpc":"2.0","a":"xxx","b":"xx"}"#]);
        assert_eq!(lines("S> !raw gr\\xF6n").unwrap()[0].bytes, b"gr\xF6n");
        let meta = texts(r#"C> {"params":{"_meta":{"$M":"roots,tasks"}}}"#);
        assert!(
            meta[0].contains(r#"clientCapabilities":{"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}"#)
        );
        let handshake = texts(r#"@init 2025-06-18 {} {"tools":{"listChanged":true}}"#);
        assert_eq!(handshake.len(), 3);
        assert!(handshake[1].contains(r#""capabilities":{"tools":{"listChanged":true}}"#));
        assert!(lines("X> {}").is_err() && lines("@init 2025-06-18 {}").is_err());
    }

    #[test]
    fn what_is_no_message_is_raw_text() {
        let text = transcript(&lines("S> !raw \"ping\"\nC> {\"id\":1}").unwrap());
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().next().unwrap().ends_with(r#""raw":"\"ping\""}"#), "{text}");
        assert!(text.lines().nth(1).unwrap().ends_with(r#""msg":{"jsonrpc":"2.0","id":1}}"#), "{text}");
    }
}
