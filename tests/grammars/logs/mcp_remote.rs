//! The debug file of mcp-remote.

use serde_json::{Value, json};

use super::notation::{Tree, node, node_line};
use super::{Dice, Log, Story, Tells, clock};

pub(crate) const LOG: Log = Log {
    format: "mcp-remote",
    ending: "debug.compact.log",
    digits: Some(3),
    directions: true,
    payloads: false,
    tells: Tells::All,
    write: |story, dice| write(story, dice, false),
};

/// The console with `--debug`: what goes to the console without it, and what goes to the file, laid out by Node.js.
pub(crate) const CONSOLE: Log = Log {
    format: "mcp-remote-debug",
    ending: "console.compact.log",
    write: |story, dice| write(story, dice, true),
    ..LOG
};

fn write(story: &Story, dice: &mut Dice, console: bool) -> String {
    let mut out = String::new();
    let mut line = |millis, text: &str| {
        if console && !text.contains(" message {") {
            out.push_str(&format!("[4120] {text}\n"));
        }
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
        let shown = match console {
            false => told.to_string(),
            true if dice.once_in(2) => {
                node_line(&Tree::read(&told.to_string())).replacen("{ ", "{ method: undefined, ", 1)
            }
            true => node(&Tree::read(&told.to_string())),
        };
        line(said.millis, &format!("{label_of_file} message {shown}"));
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
