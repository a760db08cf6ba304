//! Cursor's output channel `MCP Logs`: what it did with its servers, no messages. A tag stands for the server: the last
//! letters of its name.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Split, Told, other};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, silent, stamp};

/// The row of Cursor's logs.
pub(super) const FORMAT: Format = Format {
    name: "cursor",
    title: "Cursor's output channel `MCP Logs`",
    example: "2025-01-02 03:04:05.678 [info] otes: Handling CreateClient action",
    loses: "messages; the zone of its times, the whole names of servers",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::TEE),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of Cursor's on a server", split, tell, stray: other };

/// `2025-01-02 03:04:05.678 [level] TAG: text`.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = stamp::leading(line, zone)?;
    let (level, rest) = rest.strip_prefix(" [")?.split_once("] ")?;
    let (tag, text) = rest.split_once(": ")?;
    let fits = matches!(level, "info" | "error" | "warning" | "debug") && tag.len() <= 64 && !tag.contains(['[', '`']);
    fits.then_some(Split { time: Some(time), session: Some(tag), text, ..Split::default() })
}

/// The beginnings of what the editor says, and what they mean.
const SAYINGS: [(&str, EventKind); 7] = [
    ("Handling CreateClient action", EventKind::Note),
    ("Handling ListOfferings action", EventKind::Note),
    ("Starting new stdio process with command: ", EventKind::ProcessStart),
    ("Client closed for command", EventKind::TransportClosed),
    ("Error in MCP: ", EventKind::Note),
    ("Failed to reload client: ", EventKind::Note),
    ("Client error for command", EventKind::Note),
];

fn tell(text: &str) -> Told<'_> {
    match SAYINGS.iter().find(|(beginning, _)| text.starts_with(beginning)) {
        Some((_, kind)) => Told::event(*kind, text),
        None => Told::Other(text),
    }
}
