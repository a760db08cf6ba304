//! The console of the bridge mcp-proxy (of npm) with `--debug`: what comes from the server's standard output, first as
//! text and then each message as Node.js inspects it. What the client says is not told.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Notation, Split, Told, Way, stderr};
use super::notation::node;
use super::text_log::TextLog;
use super::{Bid, Confidence, EventKind, Format, Head, Proof, silent};
use crate::protocol::Direction;

/// The row of mcp-proxy's console.
pub(super) const FORMAT: Format = Format {
    name: "mcp-proxy",
    title: "the console of the bridge mcp-proxy (npm) with --debug",
    example: "transport event {\n  chunk: '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\\n',\n  type: 'data'\n}",
    loses: "what the client says, times, sessions; of very long messages also what lies deep in them",
    proof: Proof::Recorded,
    sniff,
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::MCP_PROXY),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of mcp-proxy's", split, tell, stray: stderr };

/// Before each of the transport's events.
const EVENT: &str = "transport event {";
/// Before the bridge's own sentences.
const OWN: &str = "[mcp-proxy] ";
/// How many lines of a head are looked at.
const LINES: usize = 60;

/// Certain when one of the first lines is the bridge's: the server may have printed before it.
fn sniff(head: &Head<'_>) -> Bid {
    let known = |line: &str| line.starts_with(OWN) || line == EVENT || line.starts_with("transport event { ");
    match head.text.lines().take(LINES).any(known) {
        true => Bid::new(Confidence::Certain, GRAMMAR.reason),
        false => Bid::NONE,
    }
}

/// The bridge's own lines, and those of an event down to its members.
fn split<'t>(line: &'t str, _: &TimeZone) -> Option<Split<'t>> {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| line.starts_with(beginning));
    let known = line == "}"
        || begins(&[EVENT, OWN, "starting server on port ", "received shutdown signal"])
        || begins(&["  message: {", "  type: '", "  chunk: '", "  chunk: `", "  chunk: \"", "  error: "])
        || line.strip_prefix("    ").is_some_and(|text| piece(text).is_some());
    known.then_some(Split { text: line, ..Split::default() })
}

/// The beginnings of what the bridge says, and what they mean.
const SAYINGS: [(&str, EventKind); 8] = [
    ("starting server on port ", EventKind::TransportOpen),
    ("received shutdown signal", EventKind::ProcessExit),
    ("[mcp-proxy] ignoring non-JSON output ", EventKind::Noise),
    ("[mcp-proxy] stripped non-JSON prefix ", EventKind::Noise),
    ("[mcp-proxy] establishing new SSE stream ", EventKind::Http),
    ("[mcp-proxy] client reconnecting ", EventKind::Http),
    ("[mcp-proxy] closing session ", EventKind::Http),
    ("[mcp-proxy] received delete request", EventKind::Http),
];

fn tell(text: &str) -> Told<'_> {
    if let Some((_, kind)) = SAYINGS.iter().find(|(beginning, _)| text.starts_with(beginning)) {
        return Told::event(*kind, text.strip_prefix(OWN).unwrap_or(text));
    }
    if let Some(words) = text.strip_prefix(OWN) {
        return Told::event(EventKind::Note, words);
    }
    let member = text.strip_prefix(EVENT).unwrap_or(text).trim_ascii_start();
    if let Some(message) = member.strip_prefix("message: ") {
        return of_server(message, Notation::Other(node), 2);
    }
    if let Some(text) = piece(member.strip_prefix("chunk: ").unwrap_or(member)) {
        return of_server(text, Notation::Line(chunk), 1);
    }
    if member.starts_with("type: 'close'") {
        return Told::event(EventKind::TransportClosed, member);
    }
    if member.starts_with("error: ") {
        return Told::event(EventKind::Note, member);
    }
    Told::Framing
}

fn of_server(text: &str, notation: Notation, voice: u8) -> Told<'_> {
    Told::Message { way: Way::Recorded(Direction::ServerToClient), text, notation, voice }
}

/// A string with a message and its line end, or a part of such a string: what stands behind the quote. A string that is
/// cut has no line end; the message itself follows.
fn piece(text: &str) -> Option<&str> {
    let inner = text.strip_prefix(['\'', '"', '`'])?;
    (inner.starts_with(['{', '[']) && chunk(inner, &mut String::new()).is_some()).then_some(inner)
}

/// A line of a string of Node.js, up to its line end.
fn chunk(text: &str, out: &mut String) -> Option<usize> {
    let mut rest = text;
    loop {
        let at = memchr::memchr(b'\\', rest.as_bytes())?;
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let letter = behind.chars().next()?;
        rest = &behind[letter.len_utf8()..];
        match letter {
            'n' => return Some(text.len() - rest.len()),
            'x' => {
                let digits = rest.get(..2)?;
                out.push(char::from(u8::from_str_radix(digits, 16).ok()?));
                rest = &rest[2..];
            }
            'b' => out.push('\u{8}'),
            't' => out.push('\t'),
            'f' => out.push('\u{c}'),
            'r' => out.push('\r'),
            letter => out.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_chunk_is_a_message_with_its_line_end() {
        let told = |text| match tell(text) {
            Told::Message { text, notation: Notation::Line(convert), .. } => {
                let mut out = String::new();
                let end = convert(text, &mut out);
                Some((out, text[end.unwrap_or(0)..].to_owned()))
            }
            _ => None,
        };
        let message = |text: &str, rest: &str| Some((text.to_owned(), rest.to_owned()));
        assert_eq!(told(r#"  chunk: '{"a":"it\'s \\n \x7F"}\n',"#), message("{\"a\":\"it's \\n \u{7f}\"}", "',"));
        assert_eq!(told(r#"    '{"a":1}\n' +"#), message("{\"a\":1}", "' +"));
        assert_eq!(
            told(r#"transport event { chunk: '{}\n{}\n', type: 'data' }"#),
            message("{}", r"{}\n', type: 'data' }")
        );
        assert_eq!(told(r#"  chunk: '{"a":"cut'... 17 more characters,"#), None);
    }

    #[test]
    fn lines_inside_of_messages_are_nobodys() {
        for line in
            ["    jsonrpc: '2.0',", "      type: 'text',", "  },", "        '{\"a\":1}\\n' +", "at x", "    'key': 1,"]
        {
            assert!(split(line, &TimeZone::UTC).is_none(), "{line}");
        }
    }
}
