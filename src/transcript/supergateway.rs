//! The log of the bridge supergateway: what passes between a child on stdio and the network, as JSON or as Node.js
//! inspects it.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Notation, Split, Told, Way, stderr};
use super::notation::node;
use super::text_log::TextLog;
use super::{EventKind, Format, Proof};
use crate::protocol::Direction;

/// The row of supergateway's log.
pub(super) const FORMAT: Format = Format {
    name: "supergateway",
    title: "the log of the bridge supergateway",
    example: r#"[supergateway] StreamableHttp → Child: {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    loses: "times, which session an answer belongs to; at its usual level also what lies deep in a message",
    proof: Proof::Recorded,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open(&GRAMMAR, options),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of supergateway's", split, tell, stray: stderr };

fn split<'t>(line: &'t str, _: &TimeZone) -> Option<Split<'t>> {
    line.strip_prefix("[supergateway] ").map(|text| Split { text, ..Split::default() })
}

/// The beginnings of what the bridge says, and what they mean.
const SAYINGS: [(&str, EventKind); 9] = [
    ("Starting...", EventKind::ProcessStart),
    ("Listening on port ", EventKind::TransportOpen),
    ("New SSE connection ", EventKind::TransportOpen),
    ("New WebSocket connection", EventKind::TransportOpen),
    ("SSE connection closed ", EventKind::TransportClosed),
    ("POST to SSE transport ", EventKind::Http),
    ("Child exited: ", EventKind::ProcessExit),
    ("Child non-JSON: ", EventKind::Noise),
    ("Request error: ", EventKind::Note),
];

fn tell(text: &str) -> Told<'_> {
    if let Some(words) = text.strip_prefix("Child stderr: ") {
        return stderr(words);
    }
    if let Some((direction, text)) = passing(text) {
        let inspected = !text.starts_with("{\"") && !text.starts_with('[');
        let notation = if inspected { Notation::Other(node) } else { Notation::Json };
        return Told::Message { way: Way::Recorded(direction), text, notation, voice: 0 };
    }
    match SAYINGS.iter().find(|(beginning, _)| text.starts_with(beginning)) {
        Some((_, kind)) => Told::event(*kind, text),
        None => Told::Other(text),
    }
}

/// `Child → SSE: MESSAGE`, the arrow in whatever encoding it arrived. The child is the server; on the other side of
/// the bridge, stdio is the client's.
fn passing(text: &str) -> Option<(Direction, &str)> {
    let (label, message) = text.split_once(": ")?;
    let label = label.split(" (").next()?;
    let ends = |name: &str| (label.starts_with(name), label.ends_with(name));
    let direction = match (ends("Child"), ends("Stdio")) {
        ((true, _), _) | (_, (_, true)) => Direction::ServerToClient,
        ((_, true), _) | (_, (true, _)) => Direction::ClientToServer,
        _ => return None,
    };
    let words = label.split(' ').filter(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let known =
        |word: &str| matches!(word, "Child" | "Stdio" | "SSE" | "StreamableHttp" | "Streamable" | "HTTP" | "WebSocket");
    let both = words.clone().count() >= 2 && words.clone().all(known);
    (both && message.starts_with(['{', '['])).then_some((direction, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_tell_the_side_of_the_child() {
        for (label, wanted) in [
            ("SSE → Child (session a-b)", Some(Direction::ClientToServer)),
            ("Child → SSE", Some(Direction::ServerToClient)),
            ("Stdio → Streamable HTTP", Some(Direction::ClientToServer)),
            ("Streamable HTTP → Stdio", Some(Direction::ServerToClient)),
            ("Child â†’ WebSocket", Some(Direction::ServerToClient)),
            ("Child exited", None),
            ("Child stderr", None),
            ("Headers", None),
        ] {
            let told = format!("{label}: {{}}");
            assert_eq!(passing(&told).map(|(direction, _)| direction), wanted, "{label}");
        }
    }
}
