//! Logs of hosts that hold no messages: what they tell of one server that fails.

use serde_json::{Value, json};

use super::{Dice, clock};

/// A log without messages.
#[derive(Debug)]
pub(crate) struct Silent {
    /// The row of `FORMATS`.
    pub(crate) format: &'static str,
    /// What follows the format in the name of its fixture.
    pub(crate) ending: &'static str,
    /// What is said of the failure.
    pub(crate) failure: &'static str,
    /// Writes the log of a server with that name, which printed those words.
    pub(crate) write: fn(server: &str, words: &str, dice: &mut Dice) -> String,
}

const POLLUTED: &str = "the server writes to its standard output what is no message";

pub(crate) const SILENT: &[Silent] = &[
    Silent { format: "vscode", ending: "info.log", failure: POLLUTED, write: vscode },
    Silent { format: "cursor", ending: "log", failure: POLLUTED, write: cursor },
    Silent { format: "claude-code", ending: "txt", failure: "the connection was closed", write: claude_code },
    Silent { format: "claude-code", ending: "jsonl", failure: "the connection was closed", write: claude_code_lines },
    Silent {
        format: "claude-code-debug",
        ending: "txt",
        failure: "the server did not answer in time",
        write: claude_code_debug,
    },
    Silent { format: "gemini-cli", ending: "txt", failure: "the server does not know a method", write: gemini },
    Silent { format: "inspector-console", ending: "log", failure: POLLUTED, write: inspector },
    Silent { format: "librechat", ending: "log", failure: "the server did not answer in time", write: librechat },
    Silent { format: "zed", ending: "info.log", failure: "the server did not answer in time", write: zed },
    Silent { format: "codex-exec", ending: "jsonl", failure: "the server did not answer in time", write: codex },
];

/// What a host quotes of text that is no JSON.
fn token(words: &str) -> String {
    let quoted: String = words.chars().take(10).collect();
    format!("Unexpected token '{}', \"{quoted}\"... is not valid JSON", quoted.chars().next().unwrap_or('x'))
}

fn vscode(server: &str, words: &str, dice: &mut Dice) -> String {
    let line =
        |millis, level: &str, text: &str| format!("{} [{level}] {text}\n", clock(millis, "%Y-%m-%d %H:%M:%S.%f"));
    let mut out =
        line(0, "info", &format!("Starting server {server}")) + &line(1, "info", "Connection state: Starting");
    out += &line(2, "warning", &format!("Failed to parse message: {}", Value::from(words)));
    for waited in 1..=1 + dice.roll(4) as u64 {
        out += &line(waited * 5_000, "info", "Waiting for server to respond to `initialize` request...");
    }
    out + &line(60_000, "error", "Server exited before responding to `initialize` request.")
}

fn cursor(server: &str, words: &str, dice: &mut Dice) -> String {
    let tag = &server[server.len().saturating_sub(4)..];
    let line = |millis, level: &str, text: &str| {
        format!("{} [{level}] {tag}: {text}\n", clock(millis, "%Y-%m-%d %H:%M:%S.%f"))
    };
    let mut out = line(0, "info", "Handling CreateClient action");
    out += &line(0, "info", &format!("Starting new stdio process with command: npx {server}"));
    if dice.once_in(2) {
        out += &line(400, "error", "npm warn deprecated");
    }
    out += &line(900, "error", &format!("Client error for command {}", token(words)));
    out + &line(910, "error", "Error in MCP: Client closed") + &line(911, "info", "Client closed for command")
}

fn entries(words: &str, dice: &mut Dice) -> Vec<Value> {
    let entry = |millis, key: &str, text: &str| json!({key: text, "timestamp": clock(millis, "%Y-%m-%dT%H:%M:%S.%fZ"), "sessionId": "0b9e", "cwd": "/home/ada"});
    let mut all = vec![entry(0, "debug", "Starting connection attempt")];
    if dice.once_in(2) {
        all.push(entry(20, "error", &format!("Server stderr: {words}")));
    }
    all.push(entry(400, "error", &format!("Connection failed: MCP error -32000: Connection closed {words}")));
    all
}

fn claude_code(_server: &str, words: &str, dice: &mut Dice) -> String {
    let entries = Value::from(entries(words, dice));
    if dice.once_in(2) { entries.to_string() } else { serde_json::to_string_pretty(&entries).unwrap() + "\n" }
}

fn claude_code_lines(_server: &str, words: &str, dice: &mut Dice) -> String {
    entries(words, dice).iter().map(|entry| format!("{entry}\n")).collect()
}

fn claude_code_debug(server: &str, words: &str, dice: &mut Dice) -> String {
    let new = dice.once_in(2);
    let line = |millis, level: &str, text: &str| match new {
        true => format!("{} [{level}] {text}\n", clock(millis, "%Y-%m-%dT%H:%M:%S.%fZ")),
        false => format!("[{level}] {text}\n"),
    };
    line(0, "DEBUG", "Creating shell snapshot")
        + &line(1, "DEBUG", &format!("MCP server \"{server}\": Starting connection attempt"))
        + &line(50, "ERROR", &format!("MCP server \"{server}\" Server stderr: listening"))
        + &line(30_000, "ERROR", &format!("MCP server \"{server}\": Connection timed out after 30000ms {words}"))
}

fn gemini(server: &str, words: &str, dice: &mut Dice) -> String {
    let mut out = String::from(if dice.once_in(2) { "" } else { "Loaded cached credentials.\n" });
    out.insert_str(0, &format!("[DEBUG] [MCP STDERR ({server})]: listening\n"));
    out += &format!("MCP STDERR ({server}): ready\n");
    out + &format!("Error discovering prompts from {server}: MCP error -32601: Method not found {words}\n")
}

fn inspector(server: &str, words: &str, dice: &mut Dice) -> String {
    const ID: &str = "6ee09e7b-b47b-4725-a848-fcd7afb52b37";
    let mut out = String::from("⚙️ Proxy server listening on 127.0.0.1:6277\nNew STDIO connection request\n");
    out += &format!("Query parameters: {}\n", json!({"command": "npx", "args": server, "transportType": "stdio"}));
    out += &format!("STDIO transport: command=/usr/bin/npx, args={server}\nCreated server transport\n");
    out += &format!("Created client transport\nReceived POST message for sessionId {ID}\n");
    out += &format!("Error from MCP server: SyntaxError: {}\n    at JSON.parse (<anonymous>)\n", token(words));
    if dice.once_in(2) {
        out += &format!("Received DELETE message for sessionId {ID}\nTransports removed for sessionId {ID}\n");
    }
    out
}

fn librechat(server: &str, words: &str, _dice: &mut Dice) -> String {
    let line = |millis, level: &str, text: &str| format!("{} {level}: {text}\n", clock(millis, "%Y-%m-%d %H:%M:%S"));
    line(0, "info", "Server listening on all interfaces")
        + &line(10, "info", &format!("[MCP][{server}] Creating streamable-http transport"))
        + &line(30_000, "error", &format!("[MCP][{server}] Failed to initialize: Connection timed out {words}"))
}

fn zed(server: &str, words: &str, _dice: &mut Dice) -> String {
    let line = |millis, level: &str, module: &str, text: &str| {
        format!("{} {level:<5} [{module}] {text}\n", clock(millis, "%Y-%m-%dT%H:%M:%S+00:00"))
    };
    line(0, "INFO", "workspace", "opened 3 files")
        + &line(10, "INFO", "context_server", &format!("starting context server {server}"))
        + &line(
            60_000,
            "ERROR",
            "context_server::client",
            &format!("cancelled csp request task for \"initialize\" id 0 which took over 60s {words}"),
        )
}

fn codex(server: &str, words: &str, _dice: &mut Dice) -> String {
    let item = |kind: &str, status: &str, error: Value| {
        let item =
            json!({"type": "mcp_tool_call", "server": server, "tool": "search", "status": status, "error": error});
        format!("{{\"type\":\"{kind}\",\"item\":{item}}}\n")
    };
    String::from("{\"type\":\"thread.started\",\"thread_id\":\"0b9e\"}\n{\"type\":\"turn.started\"}\n")
        + &item("item.started", "in_progress", Value::Null)
        + &item("item.completed", "failed", json!({"message": format!("timed out awaiting tools/call {words}")}))
}
