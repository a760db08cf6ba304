//! What the `LoggingTransport` of MCP's Go SDK writes: `read: MESSAGE` and `write: MESSAGE`, seen from the side that it
//! wraps. A written message is logged once it is sent, so its answer may stand before it.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Split, Told, Way, other};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof};

/// The row of the Go SDK's logging transport.
pub(super) const FORMAT: Format = Format {
    name: "go-sdk",
    title: "the LoggingTransport of MCP's Go SDK",
    example: r#"write: {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    loses: "times, the server's name; directions until one side sends what only it can",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open(&GRAMMAR, options),
};

static GRAMMAR: Grammar =
    Grammar { reason: "a line is one of the Go SDK's logging transport", split, tell, stray: other };

/// The failure to lay a message out as JSON ends without a line end: the next message stands behind it.
const NO_JSON: &str = "LoggingTransport: failed to marshal: ";

fn split<'t>(line: &'t str, _: &TimeZone) -> Option<Split<'t>> {
    let own = message(line).is_some() || failure(line) || line.starts_with(NO_JSON);
    own.then(|| Split { text: line, ..Split::default() })
}

fn message(line: &str) -> Option<(Way, &str)> {
    let received = line.strip_prefix("read: ").map(|text| (Way::Received, text));
    let (way, text) = received.or_else(|| Some((Way::Sent, line.strip_prefix("write: ")?)))?;
    text.starts_with(['{', '[']).then_some((way, text))
}

fn failure(line: &str) -> bool {
    line.starts_with("read error: ") || line.starts_with("write error: ")
}

fn tell(text: &str) -> Told<'_> {
    match message(text) {
        Some((way, text)) => Told::labelled(way, text),
        None if text.starts_with("read error: EOF") => Told::event(EventKind::TransportClosed, text),
        None => Told::Other(text),
    }
}
