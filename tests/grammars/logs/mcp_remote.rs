//! The debug file of mcp-remote.

use serde_json::{Value, json};

use super::{Dice, Log, Story, clock};

pub(crate) const LOG: Log = Log {
    format: "mcp-remote",
    ending: "debug.compact.log",
    digits: Some(3),
    directions: true,
    payloads: false,
    write,
};

fn write(story: &Story, dice: &mut Dice) -> String {
    let mut out = String::new();
    let mut line = |millis, text: &str| {
        out.push_str(&format!("[{}][4120] {text}\n", clock(millis, "%Y-%m-%dT%H:%M:%S.%fZ")));
    };
    line(0, "Using transport strategy: http-first");
    for said in story.said.iter().filter(|said| said.message) {
        let message: Value = serde_json::from_str(&said.text).unwrap();
        let token = message["method"].as_str().map_or_else(|| message["id"].to_string(), str::to_owned);
        let (label, label_of_file) = if said.from_client {
            ("Local→Remote", "Local → Remote")
        } else {
            ("Remote→Local", "Remote → Local")
        };
        line(said.millis, &format!("[{label}] {token} "));
        let mut told = json!({});
        for member in ["method", "id", "error"].into_iter().filter(|member| message.get(member).is_some()) {
            told[member] = message[member].clone();
        }
        if let Some(params) = message.get("params") {
            told["params"] = params.to_string().chars().take(500).collect::<String>().into();
        }
        if message.get("result").is_some() {
            told["result"] = "result-present".into();
        }
        line(said.millis, &format!("{label_of_file} message {told}"));
        if token == "initialize" && said.from_client {
            line(said.millis, &super::json_text::pretty(&said.text));
        }
        if dice.once_in(4) {
            line(said.millis, "Token expires in 3600 seconds ");
        }
    }
    line(story.said.last().map_or(0, |said| said.millis), "Shutting down... ");
    out
}
