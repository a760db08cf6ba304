//! What `curl -v` prints: notes, request head, response head, body. It shows no body of a request.

use super::json_scan::looks_like_rpc;
use super::talk::{Said, Talk};
use super::{Bid, Confidence, Format, Half, Head};

/// The row of `curl -v`.
pub(super) const FORMAT: Format = Format {
    name: "curl",
    title: "what `curl -v` prints: heads behind `>` and `<`, bodies as JSON or event streams",
    example: "> POST /mcp HTTP/1.1\n> Content-Type: application/json\n>\n< HTTP/1.1 200 OK\n<\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
    loses: "bodies of requests, and times",
    proof: super::Proof::Recorded,
    sniff,
    open: |options| Box::new(Talk::new(said, false, options.max_line)),
};

/// How many lines of a head are looked at.
const LINES: usize = 200;

fn sniff(head: &Head<'_>) -> Bid {
    let (mut request, mut response, mut mcp) = (false, false, false);
    for line in head.text.lines().take(LINES) {
        match said(line, None) {
            Said::Start(Half::Request, _) => request = true,
            Said::Start(Half::Response, _) => response = true,
            Said::Header(_, header) => {
                let header = header.trim_ascii_start().to_ascii_lowercase();
                mcp |= header.starts_with("mcp-") || header.contains("text/event-stream");
            }
            Said::Text => mcp |= looks_like_rpc(line.strip_prefix("data:").unwrap_or(line)),
            Said::Aside { .. } | Said::Failure(_) => {}
        }
    }
    let first = head.text.lines().find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let begins = !matches!(said(first, None), Said::Text | Said::Failure(_));
    match (begins, request || response, mcp) {
        (true, true, true) => Bid::new(Confidence::Certain, "the lines are those of `curl -v`, with MCP in them"),
        (false, true, true) if first.trim_ascii_start().starts_with(['$', '%', '#']) || first.starts_with("curl ") => {
            Bid::new(Confidence::Likely, "the lines behind a command are those of `curl -v`, with MCP in them")
        }
        _ => Bid::NONE,
    }
}

/// What a line of `curl -v` is.
fn said(line: &str, _head: Option<Half>) -> Said<'_> {
    let bytes = line.as_bytes();
    let rest = || line.get(1..).unwrap_or_default().trim_ascii();
    match bytes {
        [b'>'] | [b'>', b' ', ..] => half(Half::Request, rest()),
        [b'<'] | [b'<', b' ', ..] => half(Half::Response, rest()),
        [b'*'] | [b'*', b' ', ..] => {
            Said::Aside { last: rest().starts_with("Connection #") || rest().starts_with("Closing connection") }
        }
        [b'{' | b'}', b' ', b'[', ..] if line.ends_with("bytes data]") => Said::Aside { last: false },
        _ if line.starts_with("curl: (") => Said::Failure(line),
        _ => Said::Text,
    }
}

fn half(half: Half, text: &str) -> Said<'_> {
    let start = match half {
        Half::Request => text.split_ascii_whitespace().nth(2).is_some_and(|version| version.starts_with("HTTP/")),
        Half::Response => text.starts_with("HTTP/"),
    };
    if start { Said::Start(half, text) } else { Said::Header(half, text) }
}
