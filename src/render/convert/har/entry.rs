//! One entry of a HAR file: what the client asked and what the server sent. Format: HAR 1.2, section `entries`.

use std::io::{self, Write};

use serde::Serialize;

use crate::protocol::{Era, Revision};
use crate::render::convert::piece::Piece;
use crate::render::json::Rfc3339;
use crate::transcript::Stamp;

const JSON: &str = "application/json";
const STREAM: &str = "text/event-stream";
/// No address that is somewhere: RFC 2606.
const HOST: &str = "http://mcp.invalid";

/// What is sent, on its way.
pub(super) struct Entry {
    asked: Option<Piece>,
    sent: Vec<Piece>,
    /// Requests that wait for their answers.
    pub(super) waits: usize,
}

impl Entry {
    /// The client sends something.
    pub(super) fn asked(piece: Piece) -> Self {
        Self { waits: piece.asks.len(), sent: Vec::new(), asked: Some(piece) }
    }

    /// The server sends something that no open request has caused.
    pub(super) fn unasked(piece: Piece) -> Self {
        Self { asked: None, waits: 0, sent: vec![piece] }
    }

    /// The server sends something in answer.
    pub(super) fn answer(&mut self, piece: Piece) {
        self.sent.push(piece);
    }

    pub(super) fn bytes(&self) -> usize {
        self.asked.iter().chain(&self.sent).map(|piece| piece.text.len()).sum()
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let first = self.asked.iter().chain(&self.sent).next();
        let start = first.and_then(|piece| piece.time);
        let end = self.sent.last().and_then(|piece| piece.time);
        let wait = match (start, end) {
            (Some(start), Some(end)) => (end.at.duration_since(start.at).as_micros() as f64 / 1000.0).max(0.0),
            _ => 0.0,
        };
        let body = self.body();
        let (status, text) = match (&self.asked, &body) {
            // What needs no answer.
            (Some(asked), None) if asked.asks.is_empty() => (202, "Accepted"),
            _ => (200, "OK"),
        };
        let (mime, text_of_body) =
            body.unwrap_or(if status == 202 { ("", String::new()) } else { (STREAM, String::new()) });
        let session = first.map(|piece| piece.session.as_str()).unwrap_or_default();
        let entry = HarEntry {
            started_date_time: started(start),
            time: wait,
            request: self.request(first),
            response: HarResponse {
                status,
                status_text: text,
                http_version: "HTTP/1.1",
                cookies: [],
                headers: self.answer_headers(mime, session),
                content: HarContent { size: text_of_body.len(), mime_type: mime, text: text_of_body },
                redirect_url: "",
                headers_size: -1,
                body_size: -1,
            },
            cache: HarCache {},
            timings: HarTimings { send: 0, wait, receive: 0 },
            comment: start.is_none().then_some("the log has no time for this"),
        };
        serde_json::to_writer(out, &entry).map_err(io::Error::from)
    }

    /// The type and the text of what the server sends.
    fn body(&self) -> Option<(&'static str, String)> {
        match self.sent.as_slice() {
            [] => None,
            [only] if !only.is_streamable() || (self.asked.is_some() && !only.answers.is_empty()) => {
                Some((JSON, only.text.clone()))
            }
            many => Some((STREAM, many.iter().map(event).collect())),
        }
    }

    fn request(&self, first: Option<&Piece>) -> HarRequest<'_> {
        let mut headers = Vec::new();
        let mut header = |name: &'static str, value: &str| headers.push(HarHeader { name, value: value.to_owned() });
        let accepts = if self.asked.is_some() { "application/json, text/event-stream" } else { STREAM };
        header("Accept", accepts);
        if self.asked.is_some() {
            header("Content-Type", JSON);
        }
        if let Some(piece) = first {
            let revision = piece.revision.as_deref().and_then(Revision::parse);
            let stateless = revision.is_some_and(|revision| revision.era() == Era::Stateless);
            if !stateless && piece.method.as_deref() != Some("initialize") {
                header("Mcp-Session-Id", &piece.session);
                if revision.is_some_and(|revision| revision >= Revision::parse("2025-06-18").unwrap_or(revision)) {
                    header("MCP-Protocol-Version", piece.revision.as_deref().unwrap_or_default());
                }
            }
            if let (true, Some(revision), Some(method)) = (stateless, &piece.revision, &piece.method) {
                header("MCP-Protocol-Version", revision);
                header("Mcp-Method", method);
                if let (Some(name), "tools/call" | "prompts/get" | "resources/read") = (&piece.target, method.as_str())
                {
                    header("Mcp-Name", name);
                }
            }
        }
        let server = first.and_then(|piece| piece.server.as_deref()).unwrap_or("mcp");
        HarRequest {
            method: if self.asked.is_some() { "POST" } else { "GET" },
            url: format!("{HOST}/{}", super::super::piece::percent(server)),
            http_version: "HTTP/1.1",
            cookies: [],
            headers,
            query_string: [],
            post_data: self.asked.as_ref().map(|piece| HarPost { mime_type: JSON, text: &piece.text }),
            headers_size: -1,
            body_size: self.asked.as_ref().map_or(0, |piece| piece.text.len() as i64),
        }
    }

    fn answer_headers(&self, mime: &str, session: &str) -> Vec<HarHeader> {
        let mut headers = Vec::new();
        if !mime.is_empty() {
            headers.push(HarHeader { name: "Content-Type", value: mime.to_owned() });
        }
        if self.asked.as_ref().is_some_and(|asked| asked.method.as_deref() == Some("initialize")) {
            headers.push(HarHeader { name: "Mcp-Session-Id", value: session.to_owned() });
        }
        headers
    }
}

/// One event of a stream, its data in as many lines as the text has.
fn event(piece: &Piece) -> String {
    let mut event = String::from("event: message\n");
    for line in piece.text.split('\n') {
        event.push_str("data: ");
        event.push_str(line);
        event.push('\n');
    }
    event.push('\n');
    event
}

fn started(time: Option<Stamp>) -> String {
    time.map_or_else(|| "1970-01-01T00:00:00.000Z".to_owned(), |stamp| Rfc3339(&stamp).to_string())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HarEntry<'a> {
    started_date_time: String,
    time: f64,
    request: HarRequest<'a>,
    response: HarResponse,
    cache: HarCache,
    timings: HarTimings,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HarRequest<'a> {
    method: &'static str,
    url: String,
    http_version: &'static str,
    cookies: [(); 0],
    headers: Vec<HarHeader>,
    query_string: [(); 0],
    #[serde(skip_serializing_if = "Option::is_none")]
    post_data: Option<HarPost<'a>>,
    headers_size: i64,
    body_size: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HarPost<'a> {
    mime_type: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HarResponse {
    status: u16,
    status_text: &'static str,
    http_version: &'static str,
    cookies: [(); 0],
    headers: Vec<HarHeader>,
    content: HarContent,
    #[serde(rename = "redirectURL")]
    redirect_url: &'static str,
    headers_size: i64,
    body_size: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HarContent {
    size: usize,
    mime_type: &'static str,
    text: String,
}

#[derive(Serialize)]
struct HarHeader {
    name: &'static str,
    value: String,
}

#[derive(Serialize)]
struct HarCache {}

#[derive(Serialize)]
struct HarTimings {
    send: i64,
    wait: f64,
    receive: i64,
}
