//! Writes messages as recorders do, each by its own grammar: for the fixtures, and for messages that were drawn.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// One message to write down.
#[derive(Clone, Debug)]
pub struct Said {
    pub by_client: bool,
    /// Milliseconds since 1970.
    pub at: i64,
    pub text: String,
    /// Of an answer: the place of its request.
    pub answers: Option<usize>,
    /// Of an answer: that of its request.
    pub method: String,
}

impl Said {
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub fn is_request(&self) -> bool {
        let value = self.value();
        value.get("method").is_some() && value.get("id").is_some()
    }

    pub fn is_answer(&self) -> bool {
        self.value().get("method").is_none()
    }

    fn kind(&self) -> &'static str {
        match (self.is_answer(), self.is_request()) {
            (true, _) => "response",
            (_, true) => "request",
            _ => "notification",
        }
    }
}

/// What of the messages a recording keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Everything, in order.
    All,
    /// Kind, method, id and direction of each, in order.
    Outlines,
    /// Of some messages something, in an order of its own.
    Some,
}

/// A recorder.
pub struct Recorder {
    /// The name in FORMATS.
    pub format: &'static str,
    pub ending: &'static str,
    pub keeps: Keeps,
    /// Nothing in the file tells directions.
    pub mute: bool,
    pub write: fn(&[Said]) -> String,
}

const fn keeps_all(format: &'static str, ending: &'static str, write: fn(&[Said]) -> String) -> Recorder {
    Recorder { format, ending, keeps: Keeps::All, mute: false, write }
}

pub const RECORDERS: &[Recorder] = &[
    keeps_all("mcpsnoop", "jsonl", mcpsnoop),
    keeps_all("mcp-tape", "jsonl", mcp_tape),
    keeps_all("mcpdump", "jsonl", mcpdump),
    keeps_all("mcp-recorder", "jsonl", mcp_recorder),
    keeps_all("mcptap", "jsonl", mcptap),
    keeps_all("mcptap-frames", "jsonl", mcptap_frames),
    keeps_all("mcpspy", "stdio.jsonl", mcpspy_stdio),
    keeps_all("mcpspy", "http.jsonl", mcpspy_http),
    keeps_all("reticle", "jsonl", reticle),
    keeps_all("mcporter", "jsonl", mcporter),
    keeps_all("lsp-inspector", "jsonl", lsp_inspector),
    keeps_all("mcpsnoop-export", "json", mcpsnoop_export),
    keeps_all("mcp-shark", "json", mcp_shark),
    keeps_all("timed", "mcp-rec.jsonl", mcp_rec),
    keeps_all("timed", "pretty.json", timed_pretty),
    keeps_all("json-log", "words.jsonl", json_log),
    keeps_all("json-log", "seen.jsonl", json_log_seen_from_the_proxy),
    keeps_all("inspector-protocol", "singles.json", inspector_singles),
    Recorder { mute: true, ..keeps_all("json-log", "mute.jsonl", json_log_mute) },
    Recorder { keeps: Keeps::Outlines, ..keeps_all("pi-mcp-adapter", "compact.jsonl", pi_mcp_adapter) },
    Recorder { keeps: Keeps::Some, ..keeps_all("inspector-protocol", "part.json", inspector_pairs) },
    Recorder { keeps: Keeps::Some, ..keeps_all("mcpjam", "part.json", mcpjam) },
    Recorder { keeps: Keeps::Some, ..keeps_all("mcp-cassette", "part.json", cassette) },
    Recorder { keeps: Keeps::Some, ..keeps_all("agent-vcr", "part.vcr", agent_vcr) },
    Recorder { keeps: Keeps::Some, ..keeps_all("http-exchanges", "part.jsonl", exchanges) },
    Recorder { keeps: Keeps::Some, ..keeps_all("fastmcp", "part.jsonl", fastmcp) },
    Recorder { keeps: Keeps::Some, ..keeps_all("mcp-debug", "part.jsonl", mcp_debug) },
    Recorder { keeps: Keeps::Some, ..keeps_all("otlp", "part.json", otlp) },
];

/// RFC 3339 in milliseconds.
pub fn rfc3339(at: i64) -> String {
    format!("{:.3}", jiff::Timestamp::from_millisecond(at).unwrap())
}

fn lines(said: &[Said], line: impl Fn(usize, &Said) -> String) -> String {
    said.iter().enumerate().map(|(place, said)| line(place, said) + "\n").collect()
}

fn way<'w>(said: &Said, to_server: &'w str, to_client: &'w str) -> &'w str {
    if said.by_client { to_server } else { to_client }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The answer to a message.
fn answer(said: &[Said], place: usize) -> Option<&Said> {
    said.iter().find(|other| other.answers == Some(place))
}

/// Members of an object with the tokens of messages as they are.
fn object(members: &[(&str, String)]) -> String {
    let members: Vec<_> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// The members of a message, as tokens.
fn parts(said: &Said) -> BTreeMap<String, Box<serde_json::value::RawValue>> {
    serde_json::from_str(&said.text).unwrap()
}

fn mcpsnoop(said: &[Said]) -> String {
    let head = |seq: usize, at: i64, direction: &str| {
        format!(
            r#"{{"session_id":"s-7","server_label":"harbour","seq":{seq},"ts":"{}","direction":"{direction}","transport":"stdio","#,
            rfc3339(at)
        )
    };
    let first = said.first().map_or(0, |said| said.at);
    let mut out = head(0, first, "meta") + "\"raw\":{\"command\":[\"harbour\",\"--quiet\"]}}\n";
    for (place, one) in said.iter().enumerate() {
        out += &head(place + 1, one.at, way(one, "c2s", "s2c"));
        out += &format!("\"raw\":{}}}\n", one.text);
        if place % 4 == 1 {
            out += &head(place + 1, one.at, "stderr");
            out += "\"text\":\"{\\\"level\\\":\\\"warn\\\"} slow tide\"}\n";
        }
    }
    out
}

fn mcp_tape(said: &[Said]) -> String {
    let first = said.first().map_or(0, |said| said.at);
    let last = said.last().map_or(0, |said| said.at);
    let head = format!(
        r#"{{"v":1,"type":"meta","startedAt":"{}","label":"harbour","command":["harbour"],"mcpTapVersion":"0.4.0"}}"#,
        rfc3339(first)
    );
    let line = |_, one: &Said| {
        format!(r#"{{"t":"{}","dir":"{}","raw":{}}}"#, rfc3339(one.at), way(one, "in", "out"), one.text)
    };
    let end = format!(r#"{{"t":"{}","type":"end","exitCode":0,"durationMs":{}}}"#, rfc3339(last), last - first);
    format!("{head}\n{}{end}\n", lines(said, line))
}

fn mcpdump(said: &[Said]) -> String {
    let first = said.first().map_or(0, |said| said.at);
    let head = r#"{"format": "mcpdump-session", "version": 1, "at": "2026-03-02T09:15:00+00:00", "argv": ["harbour"]}"#;
    let line = |place: usize, one: &Said| {
        format!(
            r#"{{"seq": {}, "atMs": {}.5, "direction": "{}", "method": {}, "elapsedMs": null, "line": {}}}"#,
            place + 1,
            one.at - first,
            way(one, "to_server", "to_client"),
            quoted(&one.method),
            quoted(&one.text)
        )
    };
    format!("{head}\n{}", lines(said, line))
}

fn mcp_recorder(said: &[Said]) -> String {
    let line = |place, one: &Said| {
        let t = format!("{}.{:03}", one.at / 1000, one.at % 1000);
        format!(r#"{{"seq":{place},"t":{t},"dir":"{}","msg":{}}}"#, way(one, "c2s", "s2c"), one.text)
    };
    let end = r#"{"type":"summary","startedAt":1.5,"endedAt":2.5,"requests":3,"server":{"command":"harbour"}}"#;
    format!("{}{end}\n", lines(said, line))
}

fn mcptap(said: &[Said]) -> String {
    let line = |_, one: &Said| {
        let parts = parts(one);
        let mut members = vec![
            ("ts", quoted(&rfc3339(one.at))),
            ("server", quoted("harbour")),
            ("dir", quoted(way(one, "client->server", "server->client"))),
            ("kind", quoted(one.kind())),
        ];
        for name in ["id", "method", "params", "result", "error"] {
            match parts.get(name) {
                Some(value) => members.push((name, value.get().to_owned())),
                None if name == "method" => members.push((name, quoted(&one.method))),
                None => {}
            }
        }
        object(&members)
    };
    lines(said, line)
}

fn mcptap_frames(said: &[Said]) -> String {
    let head = r#"{"type":"meta","server":"harbour","command":["harbour"],"startedAt":1772442900000,"pid":77}"#;
    let line =
        |_, one: &Said| format!(r#"{{"ts":{},"dir":"{}","frame":{}}}"#, one.at, way(one, "c2s", "s2c"), one.text);
    format!("{head}\n{}", lines(said, line))
}

fn mcpspy(said: &[Said], transport: impl Fn(&Said) -> String) -> String {
    lines(said, |_, one| {
        let mut members = vec![("timestamp", quoted(&rfc3339(one.at).replace('Z', "123456+00:00")))];
        let transport = transport(one);
        members.push(("transport_type", quoted(if transport.contains("from_pid") { "stdio" } else { "http" })));
        let name = if transport.contains("from_pid") { "stdio_transport" } else { "http_transport" };
        members.push((name, transport));
        members.push(("type", quoted(one.kind())));
        for (name, value) in parts(one).iter().filter(|(name, _)| *name != "jsonrpc" && *name != "error") {
            members.push((if name == "id" { "id" } else { "copy" }, value.get().to_owned()));
        }
        members.push(("error", "{}".to_owned()));
        if one.is_answer() {
            members.push(("request", format!(r#"{{"type":"request","method":{}}}"#, quoted(&one.method))));
        }
        members.push(("raw", quoted(&one.text)));
        object(&members)
    })
}

fn mcpspy_stdio(said: &[Said]) -> String {
    mcpspy(said, |one| {
        let (from, to) = if one.by_client { (4101, 977) } else { (977, 4101) };
        format!(r#"{{"from_pid":{from},"from_comm":"a","to_pid":{to},"to_comm":"b"}}"#)
    })
}

fn mcpspy_http(said: &[Said]) -> String {
    mcpspy(said, |one| {
        let mark = if one.by_client { r#","is_request":true"# } else { "" };
        format!(r#"{{"pid":31,"comm":"a","host":"127.0.0.1:8300"{mark}}}"#)
    })
}

fn reticle(said: &[Said]) -> String {
    lines(said, |place, one| {
        format!(
            r#"{{"id":"log-{place}","session_id":"amber-tide","timestamp":{}000,"direction":"{}","content":{},"message_type":"jsonrpc","token_count":{},"server_name":"harbour"}}"#,
            one.at,
            way(one, "in", "out"),
            quoted(&one.text),
            one.text.len() / 4
        )
    })
}

fn mcporter(said: &[Said]) -> String {
    lines(said, |_, one| {
        let open = one.text.trim_end().strip_suffix('}').unwrap();
        let way = way(one, "send", "recv");
        format!(r#"{open},"_meta":{{"dir":"{way}","server":"harbour","ts":"{}"}}}}"#, rfc3339(one.at))
    })
}

fn lsp_inspector(said: &[Said]) -> String {
    lines(said, |_, one| {
        let way = way(one, "send", "receive");
        format!(
            r#"{{"isLSPMessage":true,"type":"{way}-{}","message":{},"timestamp":{}}}"#,
            one.kind(),
            one.text,
            one.at
        )
    })
}

fn mcp_rec(said: &[Said]) -> String {
    lines(said, |_, one| {
        let ts = format!("{}.{:03}", one.at / 1000, one.at % 1000);
        let way = way(one, "client->server", "server->client");
        format!(r#"{{"ts": {ts}, "dir": "{way}", "msg": {}}}"#, one.text)
    })
}

fn timed_pretty(said: &[Said]) -> String {
    lines(said, |_, one| {
        let way = way(one, "client->server", "server->client");
        format!("{{\n  \"ts\": \"{}\",\n  \"dir\": \"{way}\",\n  \"msg\": {}\n}}", rfc3339(one.at), one.text)
    })
}

fn json_log(said: &[Said]) -> String {
    lines(said, |_, one| {
        format!(
            r#"{{"level":"debug","time":"{}","from":"{}","payload":{}}}"#,
            rfc3339(one.at),
            way(one, "client", "server"),
            one.text
        )
    })
}

fn json_log_seen_from_the_proxy(said: &[Said]) -> String {
    lines(said, |_, one| {
        format!(
            r#"{{"@timestamp":"{}","dir":"{}","data":{}}}"#,
            rfc3339(one.at),
            way(one, "in", "out"),
            quoted(&one.text)
        )
    })
}

fn json_log_mute(said: &[Said]) -> String {
    lines(said, |_, one| format!(r#"{{"n":1,"frame":{}}}"#, one.text))
}

fn pi_mcp_adapter(said: &[Said]) -> String {
    lines(said, |_, one| {
        let value = one.value();
        let mut members = vec![
            ("version", "1".to_owned()),
            ("timestamp", quoted(&rfc3339(one.at))),
            ("direction", quoted(way(one, "outbound", "inbound"))),
            ("server", quoted("harbour")),
            ("transport", quoted("stdio")),
            ("kind", quoted(one.kind())),
            ("status", quoted(way(one, "sent", "received"))),
            ("bytes", one.text.len().to_string()),
        ];
        if let Some(method) = value.get("method") {
            members.push(("method", method.to_string()));
        }
        if let Some(id) = value.get("id") {
            members.push(("id", if id.is_string() { quoted("[REDACTED_ID]") } else { id.to_string() }));
        }
        if let Some(code) = value.pointer("/error/code") {
            members.push(("errorCode", code.to_string()));
        }
        object(&members)
    })
}

/// A JSON document as programs print it, with the messages on lines of their own.
fn document(open: &str, entries: Vec<String>, close: &str) -> String {
    let indent = |entry: String| format!("    {}", entry.replace('\n', "\n    "));
    let entries: Vec<String> = entries.into_iter().map(indent).collect();
    format!("{open}\n{}\n{close}\n", entries.join(",\n"))
}

fn pretty_object(members: &[(&str, String)]) -> String {
    let members: Vec<_> = members.iter().map(|(name, value)| format!("  \"{name}\": {value}")).collect();
    format!("{{\n{}\n}}", members.join(",\n"))
}

fn mcpsnoop_export(said: &[Said]) -> String {
    let entries = said.iter().enumerate().map(|(place, one)| {
        pretty_object(&[
            ("seq", place.to_string()),
            ("timestamp", quoted(&rfc3339(one.at))),
            ("direction", quoted(way(one, "c2s", "s2c"))),
            ("kind", quoted(one.kind())),
            ("raw", one.text.clone()),
        ])
    });
    let open = "{\n  \"generated_at\": \"2026-03-02T09:15:00Z\",\n  \"session\": {\n    \"id\": \"s-7\",\n    \"label\": \"harbour\"\n  },\n  \"summary\": {\n    \"tools\": [{\"name\": \"x\", \"events\": []}]\n  },\n  \"calls\": [\n    {\"method\": \"tools/call\", \"params\": {}}\n  ],\n  \"events\": [";
    document(open, entries.collect(), "  ]\n}")
}

fn mcp_shark(said: &[Said]) -> String {
    let entries = said.iter().enumerate().map(|(place, one)| {
        let body = way(one, "request", "response");
        pretty_object(&[
            ("frame_number", place.to_string()),
            ("timestamp_iso", quoted(&rfc3339(one.at))),
            ("direction", quoted(body)),
            ("method", quoted("POST")),
            ("jsonrpc_method", quoted(&one.method)),
            ("server_name", quoted("harbour")),
            ("session_id", quoted("s-7")),
            (body, if place % 2 == 0 { quoted(&one.text) } else { one.text.clone() }),
        ])
    });
    document("[", entries.collect(), "]")
}

fn inspector_entry(place: usize, one: &Said, response: Option<&Said>) -> String {
    let mut members = vec![
        ("id", quoted(&format!("entry-{place}"))),
        ("timestamp", quoted(&rfc3339(one.at))),
        ("direction", quoted(one.kind())),
        ("origin", quoted(way(one, "client", "server"))),
        ("message", one.text.clone()),
    ];
    if let Some(response) = response {
        members.push(("response", response.text.clone()));
        members.push(("duration", (response.at - one.at).to_string()));
    }
    pretty_object(&members)
}

fn inspector_singles(said: &[Said]) -> String {
    document("[", said.iter().enumerate().map(|(place, one)| inspector_entry(place, one, None)).collect(), "]")
}

fn inspector_pairs(said: &[Said]) -> String {
    let entries = said.iter().enumerate().filter(|(_, one)| one.answers.is_none());
    document("[", entries.map(|(place, one)| inspector_entry(place, one, answer(said, place))).collect(), "]")
}

fn mcpjam(said: &[Said]) -> String {
    let entries = said.iter().rev().map(|one| {
        pretty_object(&[
            ("timestamp", quoted(&rfc3339(one.at))),
            ("source", quoted("mcp-server")),
            ("serverId", quoted("harbour")),
            ("direction", quoted(way(one, "SEND", "RECEIVE"))),
            ("method", quoted(&one.method)),
            ("payload", one.text.clone()),
        ])
    });
    document("[", entries.collect(), "]")
}

/// What the client asked and told, with the answers.
fn asked(said: &[Said]) -> impl Iterator<Item = (usize, &Said, Option<&Said>)> {
    let asked = said.iter().enumerate().filter(|(_, one)| one.by_client && one.answers.is_none() && !one.is_answer());
    asked.map(|(place, one)| (place, one, answer(said, place)))
}

fn cassette(said: &[Said]) -> String {
    let mut entries: Vec<_> = asked(said)
        .map(|(_, one, answer)| {
            pretty_object(&[
                ("type", quoted(if one.is_request() { "jsonrpc_request" } else { "notification" })),
                ("request", one.text.clone()),
                ("response", answer.map_or("null".to_owned(), |answer| answer.text.clone())),
                ("response_is_sse", "true".to_owned()),
                ("response_status", "200".to_owned()),
                ("latency_ms", answer.map_or(1, |answer| answer.at - one.at).to_string()),
                ("http_method", "null".to_owned()),
                ("http_path", "null".to_owned()),
            ])
        })
        .collect();
    entries.push(pretty_object(&[
        ("type", quoted("lifecycle")),
        ("request", "null".to_owned()),
        ("response", "null".to_owned()),
        ("http_method", quoted("DELETE")),
        ("http_path", quoted("/mcp")),
    ]));
    let open = "{\n  \"version\": \"1.0\",\n  \"metadata\": {\n    \"recorded_at\": \"2026-03-02T09:15:00+00:00\",\n    \"server_url\": \"http://127.0.0.1:8300\",\n    \"server_info\": {\n      \"name\": \"harbour\"\n    }\n  },\n  \"interactions\": [";
    document(open, entries, "  ]\n}")
}

/// With `null` for what a message does not have.
fn modelled(one: &Said) -> String {
    let mut value = one.value();
    let absent = if one.is_answer() { ["result", "error"] } else { ["params", "params"] };
    for name in absent {
        if value.get(name).is_none() {
            value[name] = Value::Null;
        }
    }
    value.to_string()
}

fn agent_vcr(said: &[Said]) -> String {
    let requests: Vec<_> = asked(said).filter(|(_, one, answer)| one.is_request() && answer.is_some()).collect();
    let entry = |(place, one, answer): &(usize, &Said, Option<&Said>)| {
        let answer = answer.unwrap();
        let between = said.iter().enumerate().filter(|(at, other)| {
            at > place && other.at < answer.at && !other.by_client && other.kind() == "notification"
        });
        let notifications: Vec<_> = between.map(|(_, other)| other.text.clone()).collect();
        pretty_object(&[
            ("sequence", place.to_string()),
            ("timestamp", quoted(rfc3339(answer.at).trim_end_matches('Z'))),
            ("direction", quoted("server_to_client")),
            ("request", modelled(one)),
            ("response", modelled(answer)),
            ("notifications", format!("[{}]", notifications.join(", "))),
            ("latency_ms", format!("{}.25", answer.at - one.at)),
        ])
    };
    let (first, rest) = requests.split_first().unwrap();
    let open = format!(
        "{{\n  \"format_version\": \"1.0.0\",\n  \"metadata\": {{\n    \"transport\": \"stdio\",\n    \"server_info\": {{}},\n    \"endpoint_id\": null\n  }},\n  \"session\": {{\n    \"initialize_request\": {},\n    \"initialize_response\": {},\n    \"capabilities\": {{}},\n    \"interactions\": [",
        modelled(first.1),
        modelled(first.2.unwrap())
    );
    document(&open, rest.iter().map(entry).collect(), "    ]\n  }\n}")
}

fn exchanges(said: &[Said]) -> String {
    let lines = asked(said).map(|(place, one, answer)| {
        let value = one.value();
        let body = |one: &Said| format!(r#","body":{{"format":"json","value":{},"redacted":false,"truncated":false}}"#, one.text);
        // Bodies are kept of every second one only.
        let bodies = place % 2 == 0;
        let metadata = json!({"method": one.method, "name": Value::Null, "id": value.get("id")});
        let length = answer.map_or(1, |answer| answer.at - one.at);
        format!(
            r#"{{"schemaVersion":1,"startedAt":"{}","durationMs":{length},"upstream":"http://127.0.0.1:8300","request":{{"httpMethod":"POST","path":"/mcp","headers":{{}},"metadata":{metadata}{}}},"response":{{"status":{},"headers":{{}}{}}}}}"#,
            rfc3339(one.at),
            if bodies { body(one) } else { String::new() },
            if answer.is_some() { 200 } else { 504 },
            answer.filter(|_| bodies).map_or(String::new(), body)
        ) + "\n"
    });
    lines.collect()
}

fn fastmcp(said: &[Said]) -> String {
    let mut out = String::new();
    for (_, one, answer) in asked(said) {
        let kind = one.kind();
        let mut payload = json!({"method": one.method, "params": one.value().get("params")}).to_string();
        if payload.chars().count() > 1000 {
            payload = payload.chars().take(1000).collect::<String>() + "...";
        }
        out += &json!({"event": format!("{kind}_start"), "method": one.method, "source": "client", "payload": payload, "payload_type": "Any"}).to_string();
        out.push('\n');
        let error = answer.and_then(|answer| answer.value().pointer("/error/message").cloned());
        out += &match (kind, answer, error) {
            ("request", None, _) => continue,
            (_, _, Some(error)) => {
                json!({"event": format!("{kind}_error"), "method": one.method, "source": "client", "duration_ms": 1.5, "error": error})
            }
            _ => json!({"event": format!("{kind}_success"), "method": one.method, "source": "client", "duration_ms": 0.5}),
        }
        .to_string();
        out.push('\n');
    }
    out
}

fn mcp_debug(said: &[Said]) -> String {
    let mut out = String::from(
        "# MCP Recording Session\n# Started: 2026-03-02T09:15:00-07:00\n{\"start_time\":\"2026-03-02T09:15:00-07:00\",\"server_info\":\"Dynamic MCP Proxy v1.0.0\",\"messages\":[]}\n",
    );
    for (_, one, answer) in asked(said).filter(|(_, one, _)| one.method == "tools/call") {
        let value = one.value();
        let mut say = |direction: &str, at: i64, message: Value| {
            out += &format!(
                r#"{{"timestamp":"{}","direction":"{direction}","message_type":"tool_call","tool_name":{},"server_name":"harbour","message":{message}}}"#,
                rfc3339(at),
                value.pointer("/params/name").unwrap_or(&Value::Null)
            );
            out.push('\n');
        };
        say("request", one.at, json!({"method": one.method, "params": value["params"]}));
        if let Some(answer) = answer {
            say("response", answer.at, answer.value().get("result").cloned().unwrap_or(json!({"isError": true})));
        }
    }
    out
}

fn otlp(said: &[Said]) -> String {
    let attribute = |key: &str, value: &str| json!({"key": key, "value": {"stringValue": value}});
    let spans: Vec<Value> = asked(said)
        .map(|(place, one, answer)| {
            let value = one.value();
            let mut attributes = vec![attribute("rpc.system", "mcp"), attribute("mcp.method.name", &one.method)];
            if let Some(id) = value.get("id") {
                attributes.push(attribute("jsonrpc.request.id", &id.as_str().map_or(id.to_string(), str::to_owned)));
            }
            if let Some(name) =
                value.pointer("/params/name").and_then(Value::as_str).filter(|_| one.method == "tools/call")
            {
                attributes.push(attribute("gen_ai.tool.name", name));
            }
            if let Some(code) = answer.and_then(|answer| answer.value().pointer("/error/code").cloned()) {
                attributes.push(json!({"key": "rpc.response.status_code", "value": {"stringValue": code.to_string()}}));
            }
            if one.is_request() && answer.is_none() {
                attributes.push(attribute("error.type", "timeout"));
            }
            json!({"traceId": "ab", "spanId": place.to_string(), "name": one.method, "kind": 3,
                "startTimeUnixNano": format!("{}000000", one.at),
                "endTimeUnixNano": format!("{}000000", answer.map_or(one.at, |answer| answer.at)),
                "attributes": attributes})
        })
        .collect();
    let other = json!({"name": "GET /health", "attributes": [attribute("http.route", "/health")]});
    let document = json!({"resourceSpans": [{
        "resource": {"attributes": [attribute("service.name", "harbour")]},
        "scopeSpans": [{"scope": {"name": "mcp"}, "spans": [other]}, {"scope": {"name": "mcp"}, "spans": spans}],
    }]});
    serde_json::to_string_pretty(&document).unwrap() + "\n"
}
