//! The console of MCP Inspector's proxy in its first generation: connections and requests, none of their messages.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Split, Told, stderr};
use super::text_log::TextLog;
use super::{Bid, Confidence, EventKind, Format, Head, Proof, silent};

/// The row of the Inspector's console.
pub(super) const FORMAT: Format = Format {
    name: "inspector-console",
    title: "the console of MCP Inspector's proxy, version 1",
    example: "New StreamableHttp connection request\nReceived POST message for sessionId 0b9e7c1a-5d2f-4e0b-9f57-3f2a1c6d8e90",
    loses: "messages, times",
    proof: Proof::Recorded,
    sniff,
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::INSPECTOR),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of the Inspector's proxy", split, tell, stray: stderr };

/// A sentence: how it begins, what it means, and whether nobody else says it.
const SAYINGS: [(&str, EventKind, bool); 22] = [
    ("New STDIO connection request", EventKind::TransportOpen, true),
    ("New StreamableHttp connection request", EventKind::TransportOpen, true),
    ("New SSE connection request", EventKind::TransportOpen, true),
    ("⚙️ Proxy server listening on ", EventKind::TransportOpen, true),
    ("Client <-> Proxy  sessionId: ", EventKind::TransportOpen, true),
    ("Proxy  <-> Server sessionId: ", EventKind::TransportOpen, true),
    ("STDIO transport: command=", EventKind::ProcessStart, true),
    ("SSE transport: url=", EventKind::Note, true),
    ("Query parameters: ", EventKind::Note, false),
    ("Created server transport", EventKind::Note, false),
    ("Created client transport", EventKind::Note, false),
    ("Created StreamableHttp ", EventKind::Note, true),
    ("Received GET message for sessionId ", EventKind::Http, false),
    ("Received POST message for sessionId ", EventKind::Http, false),
    ("Received DELETE message for sessionId ", EventKind::Http, false),
    ("Received 401 Unauthorized from MCP server", EventKind::Http, false),
    ("Received 404 not found from MCP server", EventKind::Http, false),
    ("Transports removed for sessionId ", EventKind::TransportClosed, true),
    ("Connection refused. Is the MCP server running?", EventKind::Note, true),
    ("Command not found, transports removed", EventKind::TransportClosed, true),
    ("Error from inspector client: ", EventKind::Note, true),
    ("Error in /", EventKind::Note, false),
];

/// The words before an error, which may hold the message that the server answered with.
const ERROR: &str = "Error from MCP server: ";
/// How many lines of a head are looked at.
const LINES: usize = 60;

/// Certain when one of the first lines is what nobody else says.
fn sniff(head: &Head<'_>) -> Bid {
    let own = |line: &str| SAYINGS.iter().any(|(beginning, _, own)| *own && line.starts_with(beginning));
    match head.text.lines().take(LINES).any(own) {
        true => Bid::new(Confidence::Certain, GRAMMAR.reason),
        false => Bid::NONE,
    }
}

fn split<'t>(line: &'t str, _: &TimeZone) -> Option<Split<'t>> {
    let known = line.starts_with(ERROR) || SAYINGS.iter().any(|(beginning, ..)| line.starts_with(beginning));
    let session = line.split_once("essionId").map(|(_, id)| id.trim_start_matches([':', ' ']));
    let session = session.filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic()));
    known.then_some(Split { session, text: line, ..Split::default() })
}

fn tell(text: &str) -> Told<'_> {
    match SAYINGS.iter().find(|(beginning, ..)| text.starts_with(beginning)) {
        Some((_, kind, _)) => Told::event(*kind, text),
        None => Told::Passed { kind: EventKind::Note, text },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_told_by_their_id() {
        for (line, wanted) in [
            ("Received POST message for sessionId 6ee0-9e7b", Some("6ee0-9e7b")),
            ("Client <-> Proxy  sessionId: 3a32", Some("3a32")),
            ("New STDIO connection request", None),
        ] {
            assert_eq!(split(line, &TimeZone::UTC).map(|split| split.session), Some(wanted), "{line}");
        }
        assert!(split("    at JSON.parse (<anonymous>)", &TimeZone::UTC).is_none());
    }
}
