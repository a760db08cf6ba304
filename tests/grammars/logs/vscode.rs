//! Visual Studio Code's output channel of one server: at `trace`, and as its first builds wrote it.

use serde_json::Value;

use super::json_text::pretty;
use super::{Dice, Log, STDERR, STDOUT, Story, Tells, clock};

pub(crate) const LOG: Log = Log {
    format: "vscode",
    ending: "trace.log",
    digits: Some(3),
    directions: true,
    payloads: true,
    tells: Tells::All,
    write: |story, dice| write(story, dice, "trace", ["[editor -> server]", "[server -> editor]"]),
};

pub(crate) const EARLY: Log = Log {
    ending: "early.log",
    write: |story, dice| write(story, dice, "info", ["[Client Says]", "[Server Says]"]),
    ..LOG
};

/// At `info` the editor tells no messages; this server prints its own on standard error, laid out over several lines.
pub(crate) const STDERR_ONLY: Log = Log {
    ending: "stderr.log",
    directions: false,
    write: |story, dice| {
        let mut out = String::new();
        let mut line = |millis, level: &str, text: &str| {
            out.push_str(&format!("{} [{level}] {text}\n", clock(millis, "%Y-%m-%d %H:%M:%S.%f")));
        };
        line(0, "info", "Connection state: Running");
        for said in &story.said {
            if dice.once_in(4) {
                line(said.millis, "warning", &format!("[server stderr] {}", dice.pick(&STDERR)));
            }
            let text = if said.message { pretty(&said.text) } else { said.text.clone() };
            // The first line tells the time; the others are written when they arrive.
            for (number, part) in (0..).zip(text.lines()) {
                line(said.millis + number / 3, "warning", &format!("[server stderr] {part}"));
            }
        }
        out
    },
    ..LOG
};

fn write(story: &Story, dice: &mut Dice, level: &str, labels: [&str; 2]) -> String {
    let mut out = String::new();
    let mut line = |millis, level: &str, text: &str| {
        out.push_str(&format!("{} [{level}] {text}\n", clock(millis, "%Y-%m-%d %H:%M:%S.%f")));
    };
    line(0, "info", &format!("Starting server {}", story.server));
    line(0, "info", "Connection state: Starting");
    line(0, "info", "Connection state: Running");
    for said in &story.said {
        if dice.once_in(6) {
            line(said.millis, "info", "Waiting for server to respond to `initialize` request...");
        }
        if dice.once_in(4) {
            line(said.millis, "warning", &format!("[server stderr] {}", dice.pick(&STDERR)));
        }
        if story.polluted && dice.once_in(5) {
            line(said.millis, "warning", &format!("Failed to parse message: {}", Value::from(dice.pick(&STDOUT))));
        }
        match said.message {
            true => line(said.millis, level, &format!("{} {}", labels[usize::from(!said.from_client)], said.text)),
            false => {
                line(said.millis, "warning", &format!("Failed to parse message: {}", Value::from(said.text.as_str())))
            }
        }
        if said.text.contains("\"tools\":[") {
            line(said.millis, "info", "Discovered 3 tools");
        }
    }
    line(story.said.last().map_or(0, |said| said.millis), "info", "Connection state: Stopped");
    out
}
