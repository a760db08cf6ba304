//! Warp's log of a server: messages pretty-printed over several lines, time and label before the first only.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Split, Told, stderr};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, stamp};
use crate::protocol::Direction;

/// The row of Warp's logs.
pub(super) const FORMAT: Format = Format {
    name: "warp",
    title: "Warp's log of a server",
    example: "2025-01-02 03:04:05.678 | [info] MCP: Sending request: {\n  \"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\" }",
    loses: "the zone of its times, the server's name",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open(&GRAMMAR, options),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of Warp's on a server", split, tell, stray: stderr };

/// `2025-01-02 03:04:05.678 | [level] text`.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = stamp::leading(line, zone)?;
    let (_, text) = rest.strip_prefix(" | [")?.split_once("] ")?;
    Some(Split { time: Some(time), text, ..Split::default() })
}

fn tell(text: &str) -> Told<'_> {
    let Some(words) = text.strip_prefix("MCP: ") else { return Told::Other(text) };
    // Notifications are called requests and responses as well.
    if let Some(message) = words.strip_prefix("Sending request: ") {
        return Told::message(Direction::ClientToServer, message);
    }
    match words.strip_prefix("Received response: ") {
        Some(message) => Told::message(Direction::ServerToClient, message),
        None => Told::event(EventKind::Note, words),
    }
}
