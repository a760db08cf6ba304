//! Zed's log: at level `trace` with the messages of its context servers.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Split, Told, other, stderr};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, silent, stamp};
use crate::protocol::Direction;

/// The row of Zed's log.
pub(super) const FORMAT: Format = Format {
    name: "zed",
    title: "Zed's log, with messages at level `trace`",
    example: r#"2025-01-02T03:04:05+01:00 TRACE [context_server::client] recv: {"jsonrpc":"2.0","id":1,"result":{}}"#,
    loses: "which server a message belongs to; below level `trace` also messages",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::ZED),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of Zed's on a context server", split, tell, stray: other };

/// `TIME LEVEL [module] text`; the text keeps the module.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = stamp::leading(line, zone)?;
    let (level, text) = rest.trim_start().split_once(' ')?;
    let text = text.trim_start();
    let fits = matches!(level, "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR") && text.starts_with('[');
    fits.then_some(Split { time: Some(time), text, ..Split::default() })
}

/// The beginnings of what the editor says of context servers.
const SAYINGS: [(&str, EventKind); 4] = [
    ("starting context server ", EventKind::ProcessStart),
    ("cancelled csp request task for ", EventKind::Note),
    ("took ", EventKind::Note),
    ("Unhandled JSON from context_server: ", EventKind::Noise),
];

fn tell(text: &str) -> Told<'_> {
    let Some(words) =
        text.strip_prefix("[context_server").and_then(|rest| rest.split_once("] ")).map(|(_, words)| words)
    else {
        return Told::Other(text);
    };
    if let Some(message) = words.strip_prefix("outgoing message: ") {
        return Told::message(Direction::ClientToServer, message);
    }
    if let Some(message) = words.strip_prefix("recv: ") {
        return Told::message(Direction::ServerToClient, message);
    }
    if let Some(words) = words.strip_prefix("context server stderr: ") {
        return stderr(words);
    }
    match SAYINGS.iter().find(|(beginning, _)| words.starts_with(beginning)) {
        Some((_, kind)) => Told::event(*kind, words),
        None => Told::Other(text),
    }
}
