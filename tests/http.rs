//! Captures of HTTP, written by their grammar with random names, ids, payloads and splits, and read in reads of every
//! size: each message comes out once, whole, with its exchange.
#![allow(clippy::unwrap_used)]

use std::io::{self, Cursor, Read};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mcp_trace::protocol::Direction;
use mcp_trace::transcript::{Content, Flag, ReadOptions, Source, Step, Transcript};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Gives so many bytes a time.
struct Chunks(Cursor<Vec<u8>>, usize);

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = buffer.len().min(self.1);
        self.0.read(&mut buffer[..size])
    }
}

/// What a capture tells of one message.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    text: String,
    direction: Option<Direction>,
    event_id: Option<String>,
    exchange: Option<u64>,
    status: Option<u16>,
    session: Option<String>,
}

/// What reading a capture gave.
#[derive(Clone, Debug, PartialEq)]
struct Capture {
    format: Option<&'static str>,
    messages: Vec<Told>,
    events: Vec<String>,
    problem: Option<String>,
    cut: bool,
}

fn read_in(bytes: &[u8], size: usize) -> Capture {
    let source = Source::from_read(Chunks(Cursor::new(bytes.to_vec()), size));
    let mut transcript = Transcript::new(source, None, ReadOptions::default());
    let (mut messages, mut events, mut cut) = (Vec::new(), Vec::new(), false);
    loop {
        match transcript.next_frame().unwrap() {
            Step::Frame(frame) | Step::Noted(frame, _) => match frame.content {
                Content::Message { text, .. } => {
                    cut |= frame.flags.has(Flag::Truncated);
                    messages.push(Told {
                        text: text.to_owned(),
                        direction: frame.direction,
                        event_id: frame.http.and_then(|http| http.event_id.as_deref().map(str::to_owned)),
                        exchange: frame.http.map(|http| http.exchange),
                        status: frame.http.and_then(|http| http.status),
                        session: frame.session.map(str::to_owned),
                    });
                }
                Content::Event { kind, text } => events.push(format!("{} {text}", kind.as_str())),
                Content::Outline(_) | Content::Blank | Content::Framing => {}
            },
            Step::Idle | Step::Paused => {}
            Step::End => break,
        }
    }
    let format = transcript.detected().map(|detected| detected.format.name);
    Capture { format, messages, events, problem: transcript.problem(), cut }
}

/// Reads in reads of every size and demands the same of each.
fn read(text: impl AsRef<[u8]>) -> Capture {
    let whole = read_in(text.as_ref(), usize::MAX);
    for size in [1, 2, 3, 7, 64] {
        assert_eq!(read_in(text.as_ref(), size), whole, "in reads of {size} bytes");
    }
    whole
}

/// A message of any kind with any words in it.
fn message() -> impl Strategy<Value = Value> {
    let word = prop_oneof!["[a-z/_]{1,12}", any::<String>()];
    let id = prop_oneof![any::<i64>().prop_map(Value::from), word.clone().prop_map(Value::from)];
    (word.clone(), word, id, 0..4_u8).prop_map(|(method, text, id, kind)| match kind {
        0 => json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"name": text}}),
        1 => json!({"jsonrpc": "2.0", "method": method, "params": {"text": text}}),
        2 => json!({"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": text}]}}),
        _ => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": text}}),
    })
}

/// How one event is written.
#[derive(Clone, Debug)]
struct Written {
    message: Value,
    id: Option<String>,
    named: bool,
    id_last: bool,
    pretty: bool,
    spaced: bool,
    before: u8,
}

fn written() -> impl Strategy<Value = Written> {
    let id = prop::option::of("[!-~]{1,40}");
    (message(), id, any::<[bool; 4]>(), 0..5_u8).prop_map(|(message, id, [named, id_last, pretty, spaced], before)| {
        Written { message, id, named, id_last, pretty, spaced, before }
    })
}

impl Written {
    /// The text of the message as it comes out again.
    fn text(&self) -> String {
        if self.pretty { serde_json::to_string_pretty(&self.message) } else { serde_json::to_string(&self.message) }
            .unwrap()
    }

    fn write(&self, end: &str) -> String {
        // One blank behind the colon belongs to the grammar, further ones to the text.
        let blank = if self.spaced || self.pretty { " " } else { "" };
        let mut out = match self.before {
            0 => format!(": keep alive{end}"),
            1 => format!(": ping{end}{end}"),
            2 => format!("id: p{end}retry: 100{end}data:{blank}{end}{end}"),
            3 => format!("retry: 5{end}"),
            _ => String::new(),
        };
        if self.named {
            out += &format!("event:{blank}message{end}");
        }
        let id = self.id.as_ref().map(|id| format!("id: {id}{end}")).unwrap_or_default();
        let data: String = self.text().lines().map(|line| format!("data:{blank}{line}{end}")).collect();
        out += &if self.id_last { data + &id } else { id + &data };
        out + end
    }
}

fn stream(events: &[Written], end: &str) -> String {
    events.iter().map(|event| event.write(end)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn event_streams(
        events in prop::collection::vec(written(), 1..8),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        blank in any::<bool>(),
    ) {
        let mut text = stream(&events, end);
        // The last event may lack its blank line.
        if !blank {
            text.truncate(text.len() - end.len());
        }
        let capture = read(&text);
        prop_assert_eq!(capture.format, Some("sse"));
        let wanted: Vec<_> = events.iter().map(|event| (event.text(), event.id.clone())).collect();
        let found: Vec<_> = capture.messages.iter().map(|told| (told.text.clone(), told.event_id.clone())).collect();
        prop_assert_eq!(found, wanted);
        prop_assert!(capture.messages.iter().all(|told| told.direction == Some(Direction::ServerToClient)));
        prop_assert!(capture.messages.iter().all(|told| told.exchange == Some(1)));
        prop_assert_eq!((capture.events, capture.problem), (vec![], None));
    }

    #[test]
    fn a_stream_cut_anywhere_is_told(events in prop::collection::vec(written(), 1..4), at in any::<prop::sample::Index>()) {
        let text = stream(&events, "\n");
        let cut = at.index(text.len());
        let cut = (0..=cut).rev().find(|cut| text.is_char_boundary(*cut)).unwrap();
        let whole = events.iter().scan(0, |end, event| { *end += event.write("\n").len(); Some(*end) });
        let whole = whole.filter(|end| *end <= cut).count();
        let capture = read(&text[..cut]);
        prop_assert!(capture.messages.len() >= whole || capture.format.is_none());
        for (told, event) in capture.messages.iter().zip(&events).take(whole) {
            prop_assert_eq!(&told.text, &event.text());
        }
        // Inside a message: it is there, marked, and the input counts as half read.
        prop_assert_eq!(capture.cut, capture.messages.get(whole).is_some_and(|told| told.text != events[whole].text()));
        prop_assert!(!capture.cut || capture.problem.is_some());
    }
}

/// One exchange of a conversation.
#[derive(Clone, Debug)]
struct Exchanged {
    asked: Value,
    answers: Vec<Written>,
    session: Option<String>,
    streamed: bool,
    status: u16,
    /// Where the chunks of the response end, as shares of what is left.
    chunks: Vec<prop::sample::Index>,
}

fn exchanged() -> impl Strategy<Value = Exchanged> {
    let session = prop::option::of("[!-~]{1,40}");
    let chunks = prop::collection::vec(any::<prop::sample::Index>(), 0..6);
    let status = prop::sample::select(vec![200, 400, 404, 500]);
    (message(), prop::collection::vec(written(), 0..4), session, any::<bool>(), status, chunks).prop_map(
        |(asked, answers, session, streamed, status, chunks)| {
            let streamed = streamed || answers.len() > 1;
            let status = if answers.is_empty() { 202 } else { status };
            Exchanged { asked, answers, session, streamed, status, chunks }
        },
    )
}

impl Exchanged {
    fn response(&self, end: &str) -> String {
        match self.answers.as_slice() {
            [answer] if !self.streamed => answer.text(),
            answers => stream(answers, end),
        }
    }

    fn headers(&self) -> Vec<String> {
        self.session.iter().map(|session| format!("mcp-session-ID: {session}")).collect()
    }

    fn content_type(&self) -> String {
        format!("content-type: {}", if self.streamed { "text/event-stream" } else { "application/json" })
    }

    /// As it goes over a connection.
    fn http(&self, end: &str) -> String {
        let body = self.asked.to_string();
        let mut lines = vec!["POST /mcp HTTP/1.1".to_owned()];
        lines.extend(self.headers());
        lines.extend([format!("content-length: {}", body.len()), String::new(), String::new()]);
        let mut out = lines.join(end) + &body;
        let mut lines = vec![format!("HTTP/1.1 {} Words", self.status)];
        lines.extend(self.headers());
        lines.push(self.content_type());
        let body = self.response(end);
        if self.chunks.is_empty() {
            lines.extend([format!("content-length: {}", body.len()), String::new(), String::new()]);
            return out + &lines.join(end) + &body;
        }
        lines.extend(["transfer-encoding: chunked".to_owned(), String::new(), String::new()]);
        out += &lines.join(end);
        let mut rest = body.as_str();
        for index in &self.chunks {
            let size = index.index(rest.len() + 1);
            // Never between the two bytes of a line end, and whole characters: it is text.
            let fits = |size: &usize| rest.is_char_boundary(*size) && !rest[*size..].starts_with('\n');
            let size = (size..=rest.len()).find(fits).unwrap_or(rest.len());
            if size > 0 {
                out += &format!("{size:x}{end}{}{end}", &rest[..size]);
                rest = &rest[size..];
            }
        }
        if !rest.is_empty() {
            out += &format!("{:X};last{end}{rest}{end}", rest.len());
        }
        out + "0" + end + end
    }

    /// As `curl -v` prints it.
    fn curl(&self) -> String {
        let mut out = "> POST /mcp HTTP/1.1\r\n> Accept: text/event-stream\r\n".to_owned();
        out.extend(self.headers().iter().map(|header| format!("> {header}\r\n")));
        out += &format!("> \r\n* upload completely sent off\n< HTTP/1.1 {} \r\n", self.status);
        out.extend(self.headers().iter().map(|header| format!("< {header}\r\n")));
        out += &format!("< {}\r\n< \r\n{{ [9 bytes data]\n{}", self.content_type(), self.response("\n"));
        out + "* Connection #0 to host localhost left intact\n"
    }

    /// The messages of the response.
    fn answered(&self, number: u64) -> Vec<Told> {
        let told = |answer: &Written| Told {
            text: answer.text(),
            direction: Some(Direction::ServerToClient),
            event_id: answer.id.clone().filter(|_| self.streamed),
            exchange: Some(number),
            status: Some(self.status),
            session: self.session.clone(),
        };
        self.answers.iter().map(told).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn conversations(exchanges in prop::collection::vec(exchanged(), 1..5), end in prop::sample::select(vec!["\n", "\r\n"])) {
        let text: String = exchanges.iter().map(|exchange| exchange.http(end)).collect();
        let capture = read(&text);
        prop_assert_eq!(capture.format, Some("http"));
        let mut wanted = Vec::new();
        for (exchange, number) in exchanges.iter().zip(1..) {
            wanted.push(Told {
                text: exchange.asked.to_string(),
                direction: Some(Direction::ClientToServer),
                event_id: None,
                exchange: Some(number),
                status: None,
                session: exchange.session.clone(),
            });
            wanted.extend(exchange.answered(number));
        }
        prop_assert_eq!(capture.messages, wanted);
        prop_assert_eq!(capture.problem, None);
        let accepted = exchanges.iter().filter(|exchange| exchange.answers.is_empty()).count();
        let told = |event: &&String| event.starts_with("http POST /mcp 202");
        prop_assert_eq!(capture.events.iter().filter(told).count(), accepted);
    }

    #[test]
    fn transcripts_of_curl(exchanges in prop::collection::vec(exchanged(), 1..5)) {
        let text: String = exchanges.iter().map(Exchanged::curl).collect();
        let capture = read(&text);
        prop_assert_eq!(capture.format, Some("curl"));
        let wanted: Vec<_> = exchanges.iter().zip(1..).flat_map(|(exchange, number)| exchange.answered(number)).collect();
        prop_assert_eq!(capture.messages, wanted);
        prop_assert_eq!(capture.problem, None);
    }
}

/// An archive of exchanges: each with a time, maybe as base64, over several lines or on one.
fn archive(entries: Vec<Value>, pretty: bool) -> String {
    let document =
        json!({"log": {"version": "1.2", "creator": {"name": "x", "log": {"entries": [{}]}}, "entries": entries}});
    if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) }.unwrap()
}

fn listed(headers: &[String]) -> Value {
    let pair = |header: &String| {
        let (name, value) = header.split_once(": ").unwrap();
        json!({"name": name, "value": value})
    };
    headers.iter().map(pair).collect()
}

impl Exchanged {
    fn entry(&self, end: &str, packed: bool) -> Value {
        let body = self.response(end);
        let mut content = json!({"mimeType": self.content_type().split_once(' ').unwrap().1, "size": body.len()});
        if packed {
            content["encoding"] = Value::from("base64");
        }
        content["text"] = Value::from(if packed { STANDARD.encode(&body) } else { body });
        json!({
            "startedDateTime": "2026-03-02T09:15:00.250+01:00", "time": 7,
            "request": {
                "method": "POST", "url": "https://host.test/mcp", "headers": listed(&self.headers()),
                "postData": {"mimeType": "application/json", "text": self.asked.to_string()},
            },
            "response": {"status": self.status, "headers": listed(&self.headers()), "content": content},
        })
    }
}

/// Writes what is not ASCII as escapes, in either case.
fn escaped(document: &str) -> String {
    let units =
        |c: char| -> String { c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect() };
    document.chars().map(|c| if c.is_ascii() { c.to_string() } else { units(c) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn archives(
        exchanges in prop::collection::vec(exchanged(), 1..5),
        [pretty, packed, escape] in any::<[bool; 3]>(),
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let entries = exchanges.iter().map(|exchange| exchange.entry(end, packed)).collect();
        let document = archive(entries, pretty);
        let document = if escape { escaped(&document) } else { document };
        let capture = read(&document);
        prop_assert_eq!(capture.format, Some("har"));
        let mut wanted = Vec::new();
        for (exchange, number) in exchanges.iter().zip(1..) {
            let session = exchange.session.clone().or(Some("https://host.test/mcp".to_owned()));
            wanted.push(Told {
                text: exchange.asked.to_string(),
                direction: Some(Direction::ClientToServer),
                event_id: None,
                exchange: Some(number),
                status: None,
                session: session.clone(),
            });
            wanted.extend(exchange.answered(number).into_iter().map(|told| Told { session: session.clone(), ..told }));
        }
        prop_assert_eq!(capture.messages, wanted);
        prop_assert_eq!(capture.problem, None);
    }

    #[test]
    fn an_archive_cut_anywhere_is_told(
        exchanges in prop::collection::vec(exchanged(), 1..4),
        at in any::<prop::sample::Index>(),
    ) {
        let document = archive(exchanges.iter().map(|exchange| exchange.entry("\n", false)).collect(), false);
        let begin = document.find("startedDateTime").unwrap();
        let cut = begin + at.index(document.len() - begin);
        let cut = (0..=cut).rev().find(|cut| document.is_char_boundary(*cut)).unwrap();
        let capture = read(&document[..cut]);
        prop_assert!(capture.problem.is_some());
        // What is there comes out, the last of it maybe cut.
        let whole = read(&document).messages;
        for (told, wanted) in capture.messages.iter().zip(&whole) {
            prop_assert!(told.text == wanted.text || wanted.text.starts_with(&told.text), "{told:?} of {wanted:?}");
        }
    }

    #[test]
    fn the_stream_of_http_with_sse_answers_after_it_was_asked(
        ids in prop::collection::hash_set("[a-z]{1,8}", 1..20),
        spans in any::<bool>(),
    ) {
        let ids: Vec<String> = ids.into_iter().collect();
        let answers: String = ids
            .iter()
            .map(|id| {
                let ask = format!("data: {}\n\n", json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": id}}));
                ask + &format!("event: message\ndata: {}\n\n", json!({"jsonrpc": "2.0", "id": id, "result": {}}))
            })
            .collect();
        let mut entries = vec![json!({
            "startedDateTime": "2026-03-02T09:15:00Z", "time": if spans { 60_000 } else { -1 },
            "request": {"method": "GET", "url": "http://a/sse", "headers": []},
            "response": {"status": 200, "headers": [], "content": {
                "mimeType": "text/event-stream", "text": format!("event: endpoint\ndata: /messages?session_id=7\n\n{answers}"),
            }},
        })];
        entries.extend(ids.iter().map(|id| json!({
            "startedDateTime": "2026-03-02T09:15:01Z", "time": 1,
            "request": {"method": "POST", "url": "http://a/messages?session_id=7", "headers": [], "postData": {
                "text": json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string(),
            }},
            "response": {"status": 202, "headers": [], "content": {"size": 0}},
        })));
        let capture = read(archive(entries, true));
        prop_assert!(capture.messages.iter().all(|told| told.session.as_deref() == Some("7")));
        let texts: Vec<Value> = capture.messages.iter().map(|told| serde_json::from_str(&told.text).unwrap()).collect();
        prop_assert_eq!(texts.len(), 3 * ids.len());
        for id in &ids {
            let asked = texts.iter().position(|text| text["id"] == *id.as_str() && text["method"] == "ping");
            let answered = texts.iter().position(|text| text["id"] == *id.as_str() && text.get("result").is_some());
            // What the stream says before an answer comes with it.
            prop_assert!(asked < answered && answered.unwrap() <= asked.unwrap() + 2, "{id}");
        }
        prop_assert_eq!(capture.events.last().map(String::as_str), Some("transport-closed GET /sse 200 the stream closed"));
    }
}

#[test]
fn archives_without_mcp_have_no_messages() {
    let entry = json!({
        "startedDateTime": "2026-03-02T09:15:00Z", "time": 7,
        "request": {"method": "POST", "url": "https://host.test/api", "headers": [], "postData": {"text": "{\"query\":1}"}},
        "response": {"status": 200, "headers": [], "content": {"mimeType": "application/json", "text": "{\"error\":null}"}},
    });
    let capture = read(archive(vec![entry], true));
    assert_eq!((capture.format, capture.messages.len()), (Some("har"), 0));
    assert_eq!(capture.events, ["http POST /api 200"]);
    let capture = read(r#"{"log":{"entries":[{"request":{}},x]}}"#);
    assert_eq!(capture.problem.as_deref(), Some("line 1 is no JSON at byte 34"));
    assert_eq!(read(r#"[{"method":"GET","url":"x"}]"#).format, None);
}

/// So many bytes, the same again and again behind a head.
struct Endless(Vec<u8>, u64);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.0.is_empty() {
            let size = buffer.len().min(self.0.len());
            buffer[..size].copy_from_slice(&self.0[..size]);
            self.0.drain(..size);
            return Ok(size);
        }
        let size = buffer.len().min(usize::try_from(self.1).unwrap_or(usize::MAX));
        buffer[..size].fill(b'x');
        self.1 -= size as u64;
        Ok(size)
    }
}

#[test]
fn an_endless_body_takes_no_memory() {
    let json = r#"{"jsonrpc":"2.0","id":1,"result":""#;
    let text = json.replace('"', "\\\"");
    for head in [
        format!("{{\"log\":{{\"entries\":[{{\"request\":{{\"postData\":{{\"text\":\"{text}"),
        format!("event: message\ndata: {json}"),
        format!("HTTP/1.1 200 OK\nMcp-Session-Id: a\n\n{json}"),
        format!("< HTTP/1.1 200 OK\n< Mcp-Session-Id: a\n<\n{json}"),
    ] {
        let source = Source::from_read(Endless(head.clone().into_bytes(), 64 << 20));
        let options = ReadOptions { max_line: 1 << 20, ..ReadOptions::default() };
        let mut transcript = Transcript::new(source, None, options);
        let mut oversized = 0;
        loop {
            match transcript.next_frame().unwrap() {
                Step::Frame(frame) | Step::Noted(frame, _) => {
                    oversized += u32::from(frame.flags.has(Flag::Oversized));
                    if let Content::Message { text, .. } = frame.content {
                        assert!(text.len() <= 1 << 20, "{head}");
                    }
                }
                Step::Idle | Step::Paused => {}
                Step::End => break,
            }
        }
        assert_eq!(oversized, 1, "{head}");
    }
}

#[test]
fn a_request_waits_for_the_session_that_its_answer_names() {
    let text = "POST /mcp HTTP/1.1\n\n{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}\n\
                HTTP/1.1 200 OK\nMcp-Session-Id: s-1\n\n{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}\n\
                DELETE /mcp HTTP/1.1\nMcp-Session-Id: s-1\n\nHTTP/1.1 204 No Content\n\n\
                DELETE /mcp HTTP/1.1\nMcp-Session-Id: s-1\n\nHTTP/1.1 405 No\nContent-Type: text/html\n\n<p>POST /x HTTP/1.1</p>\n";
    let capture = read(text);
    let sessions: Vec<_> = capture.messages.iter().map(|told| told.session.as_deref()).collect();
    assert_eq!(sessions, [Some("s-1"), Some("s-1")]);
    let told = ["http DELETE /mcp", "transport-closed DELETE /mcp 204", "http DELETE /mcp", "http DELETE /mcp 405"];
    assert_eq!(capture.events, told);
}

#[test]
fn bodies_that_end_too_early_are_told() {
    let head = "HTTP/1.1 200 OK\nMcp-Session-Id: a\n";
    let cases = [
        (
            "Content-Length: 80\n\n{\"jsonrpc\":\"2.0\",",
            "line 5 ends inside a JSON body at byte 71, the end of the input",
        ),
        ("\n40\n{\"jsonrpc\":\"2.0\",\n", "line 5 ends inside a JSON body at byte 55, the end of the input"),
        ("Content-Length: 99\n\n<html>", "line 5 ends inside a body of 99 bytes at byte 60, the end of the input"),
    ];
    for (body, problem) in cases {
        assert_eq!(read(format!("{head}{body}")).problem.as_deref(), Some(problem), "{body}");
    }
}

#[test]
fn http_that_is_not_mcp_is_refused() {
    for text in [
        "127.0.0.1 - - [10/Oct/2025:13:55:36 +0000] \"POST /mcp HTTP/1.1\" 200 2326\n",
        "GET /index.html HTTP/1.1\nHost: localhost\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<html></html>\n",
        "POST /api HTTP/1.1\nContent-Type: application/json\n\n{\"query\":\"{ a }\"}",
        "* Connected to localhost port 80\n> GET / HTTP/1.1\n> Host: localhost\n>\n< HTTP/1.1 200 OK\n<\n<html>\n",
        "> a quoted line\n> another\nan answer\n",
    ] {
        assert_eq!(read(text).format, None, "{text}");
    }
}

#[test]
fn what_an_event_stream_says_beside_messages() {
    let text = "event: endpoint\ndata: /messages?session_id=7\n\n: ping\nevent: ping\ndata: 12:00\n\n\
                data: not json\n\nwhat is this\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n\
                event: other\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\nid: 9\n";
    let capture = read(text);
    assert_eq!(capture.format, Some("sse"));
    assert_eq!(
        capture.events,
        ["http endpoint /messages?session_id=7", "http ping 12:00", "noise not json", "noise what is this"]
    );
    assert_eq!(capture.messages.len(), 2);
    assert_eq!(
        capture.problem.as_deref(),
        Some("line 18 is cut off inside an event of the stream at byte 223, the end of the input")
    );
}

#[test]
fn streams_of_other_programs_are_not_mcp() {
    for text in [
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n",
        "id: 5\ndata: x\n",
        "name: a\nid: 5\nevent: y\n",
        ": only a comment\n\n",
    ] {
        assert_eq!(read(text).format, None, "{text}");
    }
}
