//! A client on mcp-go with a logging transport, through slog's text handler and its default.

use serde_json::Value;

use super::{Dice, Log, Story, Tells, clock};

pub(crate) const LOG: Log = Log {
    format: "mcp-go",
    ending: "text.compact.log",
    digits: Some(3),
    directions: true,
    payloads: false,
    tells: Tells::All,
    write: |story, dice| {
        write(story, dice, |millis, msg, attributes| {
            format!("time={} level=DEBUG msg=\"{msg}\" {attributes}\n", clock(millis, "%Y-%m-%dT%H:%M:%S.%fZ"))
        })
    },
};

pub(crate) const DEFAULT: Log = Log {
    ending: "default.compact.log",
    digits: Some(0),
    write: |story, dice| {
        write(story, dice, |millis, msg, attributes| {
            format!("{} DEBUG {msg} {attributes}\n", clock(millis, "%Y/%m/%d %H:%M:%S"))
        })
    },
    ..LOG
};

fn write(story: &Story, dice: &mut Dice, record: impl Fn(u64, &str, &str) -> String) -> String {
    let mut out = String::new();
    for said in story.said.iter().filter(|said| said.message) {
        let message: Value = serde_json::from_str(&said.text).unwrap();
        let arrow = if said.from_client { '→' } else { '←' };
        let id = message["id"].as_str().map_or_else(|| message["id"].to_string(), str::to_owned);
        let json = |member: &str| Value::from(message[member].to_string());
        let (kind, attributes) = match (message["method"].as_str(), message.get("id"), message.get("error")) {
            (Some(method), Some(_), _) => ("request", format!("method={method} id={id} params=map[a:1]")),
            (Some(method), None, _) => ("notification", format!("method={method} params={}", json("params"))),
            (None, _, Some(error)) => {
                ("response error", format!("id={id} duration=4ms code={} error={}", error["code"], error["message"]))
            }
            (None, _, None) => ("response", format!("id={id} duration=4ms result={}", json("result"))),
        };
        out.push_str(&record(said.millis, &format!("{arrow} {kind}"), &attributes));
        if dice.once_in(4) {
            out.push_str(&record(said.millis, "cache", "size=3"));
        }
    }
    out
}
