//! LibreChat's log: a line for everything that it does, those on servers with `[MCP][NAME]`; no messages.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Split, Told, other};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, silent, stamp};

/// The row of LibreChat's log.
pub(super) const FORMAT: Format = Format {
    name: "librechat",
    title: "LibreChat's log",
    example: "2025-01-02 03:04:05 info: [MCP][notes] Initialized",
    loses: "messages; the zone of its times",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::TEE),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of LibreChat's on a server", split, tell, stray: other };

/// `2025-01-02 03:04:05 level: text`.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = stamp::leading(line, zone)?;
    let (level, text) = rest.strip_prefix(' ')?.split_once(": ")?;
    let fits = matches!(level, "error" | "warn" | "info" | "http" | "verbose" | "debug" | "silly");
    let server = saying(text).map(|(server, _)| server);
    fits.then_some(Split { time: Some(time), server, session: None, text })
}

/// `[MCP][NAME] words`.
fn saying(text: &str) -> Option<(&str, &str)> {
    let (server, words) = text.strip_prefix("[MCP][")?.split_once(']')?;
    Some((server, words.trim_start()))
}

fn tell(text: &str) -> Told<'_> {
    match saying(text) {
        Some((_, words)) => Told::event(EventKind::Note, words),
        None => Told::Other(text),
    }
}
