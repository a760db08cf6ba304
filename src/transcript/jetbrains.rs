//! The log of JetBrains' AI Assistant: `TIME SERVER - MESSAGE`. The word before the message does not say who sent it.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Split, Told, Way, stderr};
use super::text_log::TextLog;
use super::{Format, Proof, stamp};

/// The row of the AI Assistant's log.
pub(super) const FORMAT: Format = Format {
    name: "jetbrains",
    title: "the log of JetBrains' AI Assistant",
    example: r#"2025-01-02 03:04:05,678 SERVER - {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    loses: "directions, the zone of its times, the server's name",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open(&GRAMMAR, options),
};

static GRAMMAR: Grammar =
    Grammar { reason: "a line is one of the AI Assistant's on a server", split, tell, stray: stderr };

fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = stamp::leading(line, zone)?;
    let text = rest.strip_prefix(" SERVER - ")?;
    Some(Split { time: Some(time), text, ..Split::default() })
}

fn tell(text: &str) -> Told<'_> {
    match text.starts_with(['{', '[']) {
        true => Told::labelled(Way::Unknown, text),
        false => Told::Other(text),
    }
}
