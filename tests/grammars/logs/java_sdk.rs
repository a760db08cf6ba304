//! A client on the Java SDK, whose transport tells what arrives as JSON.

use serde_json::Value;

use super::{Dice, Log, Story, Tells, clock};

pub(crate) const LOG: Log = Log {
    format: "java-sdk",
    ending: "client.compact.log",
    digits: Some(3),
    directions: true,
    payloads: false,
    tells: Tells::All,
    write,
};

fn write(story: &Story, dice: &mut Dice) -> String {
    let mut out = String::new();
    let mut line = |millis, logger: &str, text: &str| {
        let clock = clock(millis, "%Y-%m-%dT%H:%M:%S.%fZ");
        out.push_str(&format!("{clock} DEBUG 4120 --- [notes] [pool-2-thread-1] {logger} : {text}\n"));
    };
    for said in story.said.iter().filter(|said| said.message) {
        let record = record(&serde_json::from_str(&said.text).unwrap());
        if said.from_client {
            line(said.millis, "i.m.client.transport.StdioClientTransport", &format!("Sending message {record}"));
        } else {
            line(
                said.millis,
                "i.m.client.transport.StdioClientTransport",
                &format!("Received JSON message: {}", said.text),
            );
            let kind = record.split('[').next().unwrap().trim_start_matches("JSONRPC").to_ascii_lowercase();
            line(said.millis, "i.m.spec.McpClientSession", &format!("Received {kind}: {record}"));
        }
        if dice.once_in(4) {
            line(said.millis, "o.a.c.http11.Http11NioProtocol", "Starting ProtocolHandler");
        }
    }
    out
}

fn record(message: &Value) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| java(value), str::to_owned);
    let id = text(&message["id"]);
    match (message.get("method"), message.get("id")) {
        (Some(method), Some(_)) => {
            format!(
                "JSONRPCRequest[jsonrpc=2.0, method={}, id={id}, params={}]",
                text(method),
                java(&message["params"])
            )
        }
        (Some(method), None) => {
            format!("JSONRPCNotification[jsonrpc=2.0, method={}, params={}]", text(method), java(&message["params"]))
        }
        (None, _) => {
            let error = message.get("error").map_or("null".to_owned(), |error| {
                format!("JSONRPCError[code={}, message={}, data=null]", error["code"], text(&error["message"]))
            });
            format!("JSONRPCResponse[jsonrpc=2.0, id={id}, result={}, error={error}]", java(&message["result"]))
        }
    }
}

/// What `toString` writes of maps, lists and texts.
fn java(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('\n', " "),
        Value::Array(values) => format!("[{}]", values.iter().map(java).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{name}={}", java(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
