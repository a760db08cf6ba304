//! The output channel `MCP: NAME` of Visual Studio Code, at every level: with messages at `debug` and `trace`, with
//! sentences only at `info`. The server's standard error stands in it behind a label, and its own log messages are
//! repeated as plain sentences.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Notation, Split, Told, stderr, unquoted};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, silent, stamp};
use crate::protocol::Direction;

/// The row of Visual Studio Code's output channels.
pub(super) const FORMAT: Format = Format {
    name: "vscode",
    title: "Visual Studio Code's output channel of a server",
    example: r#"2025-01-02 03:04:05.678 [trace] [editor -> server] {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    loses: "the zone of its times, the server's configured name; at level `info` also messages",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::VSCODE),
};

static GRAMMAR: Grammar =
    Grammar { reason: "a line is one of Visual Studio Code's on a server", split, tell, stray: stderr };

/// `2025-01-02 03:04:05.678 [level] text`.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = stamp::leading(line, zone)?;
    let (level, text) = rest.strip_prefix(" [")?.split_once(']')?;
    let level = matches!(level, "trace" | "debug" | "info" | "warning" | "error");
    level.then(|| Split { time: Some(time), text: text.strip_prefix(' ').unwrap_or(text), ..Split::default() })
}

/// The labels of messages; the last two were those of the first builds.
const LABELS: [(&str, Direction); 4] = [
    ("[editor -> server] ", Direction::ClientToServer),
    ("[server -> editor] ", Direction::ServerToClient),
    ("[Client Says] ", Direction::ClientToServer),
    ("[Server Says] ", Direction::ServerToClient),
];

/// The beginnings of what the editor says, and what they mean.
const SAYINGS: [(&str, EventKind); 8] = [
    ("Starting server ", EventKind::ProcessStart),
    ("Stopping server ", EventKind::Note),
    ("Connection state: Running", EventKind::TransportOpen),
    ("Connection state: Stopped", EventKind::TransportClosed),
    ("Connection state: Error", EventKind::TransportClosed),
    ("Connection state: ", EventKind::Note),
    ("Waiting for server to respond to `initialize` request", EventKind::Note),
    ("Discovered ", EventKind::Note),
];

fn tell(text: &str) -> Told<'_> {
    if let Some((message, direction)) = LABELS.iter().find_map(|(label, way)| Some((text.strip_prefix(label)?, *way))) {
        return Told::message(direction, message);
    }
    if let Some(words) = text.strip_prefix("[server stderr]") {
        return stderr(words.strip_prefix(' ').unwrap_or(words));
    }
    if let Some(line) = text.strip_prefix("Failed to parse message: ") {
        // The line of standard output that was no message, as a JSON string.
        return Told::Event { kind: EventKind::Noise, text: line, notation: Notation::Other(unquoted) };
    }
    match SAYINGS.iter().find(|(beginning, _)| text.starts_with(beginning)) {
        Some((_, kind)) => Told::event(*kind, text),
        None => Told::Other(text),
    }
}
