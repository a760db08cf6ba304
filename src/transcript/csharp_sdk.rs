//! Trace logs of MCP's C# SDK, as .NET's console logger writes them: a line with level and category, and below it the
//! text behind six blanks, or both on one line.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Notation, Split, Told, Way, other};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, silent, stamp};
use crate::protocol::Direction;

/// The row of the C# SDK's trace logs.
pub(super) const FORMAT: Format = Format {
    name: "csharp-sdk",
    title: "trace logs of MCP's C# SDK, by .NET's console logger",
    example: "trce: ModelContextProtocol.Server.StdioServerTransport[1]\n      Server (stdio) (notes) transport received message. Message: '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}'.",
    loses: "times, unless the logger was told to write them; above level Trace also messages",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::CSHARP_SDK),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of the C# SDK's", split, tell, stray: other };

/// What stands before the text of a record on its second line.
const INDENT: &str = "      ";

/// `trce: Category[1] text`, maybe behind a time; or the text alone, on the line below that.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    if let Some(text) = line.strip_prefix(INDENT) {
        return sentence(text).map(|_| Split { text, ..Split::default() });
    }
    let (time, rest) = match stamp::leading(line, zone) {
        Some((time, rest)) => (Some(time), rest.trim_ascii_start()),
        None => (None, line),
    };
    let (level, text) = rest.split_once(": ")?;
    let known = matches!(level, "trce" | "dbug" | "info" | "warn" | "fail" | "crit");
    known.then_some(Split { time, text, ..Split::default() })
}

/// Sentences with messages: the words between endpoint and message, whether it was sent, and their voice.
const SAYINGS: [(&str, bool, u8); 3] = [
    (" transport sending message. Message: '", true, 1),
    (" transport received message. Message: '", false, 1),
    (" sending message. Message: '", true, 2),
];

/// `Server (stdio) (notes)` or `Client (…)`: whether it is the server, and what is said of it.
fn sentence(text: &str) -> Option<(bool, &str)> {
    let server = text.starts_with("Server (");
    let known = server || text.starts_with("Client (");
    // A name may hold brackets itself: what is said begins behind the last one before a message.
    let end = text.find('\'').unwrap_or(text.len());
    let words = text[..end].rfind(')')? + 1;
    known.then(|| (server, &text[words..]))
}

fn tell(text: &str) -> Told<'_> {
    let said = text.starts_with("ModelContextProtocol.").then(|| text.split_once(' ')).flatten();
    let (server, words) = match sentence(said.map_or(text, |(_, text)| text)) {
        Some(sentence) => sentence,
        // The first line of a record that stands on two.
        None if text.starts_with("ModelContextProtocol.") => return Told::event(EventKind::Note, text),
        None => return Told::Other(text),
    };
    let message = SAYINGS.iter().find_map(|(label, sent, voice)| Some((words.strip_prefix(label)?, *sent, *voice)));
    if let Some((text, sent, voice)) = message {
        let direction = if server == sent { Direction::ServerToClient } else { Direction::ClientToServer };
        return Told::Message { way: Way::Recorded(direction), text, notation: Notation::Json, voice };
    }
    let kind = match words {
        " transport reading messages." => EventKind::TransportOpen,
        " transport completed reading messages." | " shut down." => EventKind::TransportClosed,
        words if words.starts_with(" transport message parsing failed") => EventKind::Noise,
        _ => EventKind::Note,
    };
    Told::event(kind, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_and_the_verb_tell_the_direction() {
        for (text, wanted) in [
            ("Server (stdio) (a) transport received message. Message: '{}'.", Some(Direction::ClientToServer)),
            (
                "Server (stdio) (a (b)) transport sending message. Message: '{\"a\":\")\"}'.",
                Some(Direction::ServerToClient),
            ),
            ("Client (stdio) (a) transport sending message. Message: '{}'.", Some(Direction::ClientToServer)),
            ("ModelContextProtocol.X[1] Client (a) sending message. Message: '{}'.", Some(Direction::ClientToServer)),
            ("Server (stdio) (a) transport received message with ID '1'.", None),
        ] {
            let told = match tell(text) {
                Told::Message { way: Way::Recorded(direction), text, .. } => {
                    assert!(text.starts_with('{'), "{text}");
                    Some(direction)
                }
                _ => None,
            };
            assert_eq!(told, wanted, "{text}");
        }
        assert!(split("      at System.Text.Json", &TimeZone::UTC).is_none());
    }
}
