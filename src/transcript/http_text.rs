//! HTTP/1.1 as it goes over a connection: requests and responses one after another, as `curl -i` prints them, as a proxy
//! or "follow stream" saves them.

use super::json_scan::looks_like_rpc;
use super::talk::{Said, Talk};
use super::{Bid, Confidence, Format, Half, Head};

/// The row of raw HTTP.
pub(super) const FORMAT: Format = Format {
    name: "http",
    title: "HTTP/1.1 as text, requests and responses in turn: `curl -i`, a followed stream",
    example: "POST /mcp HTTP/1.1\nContent-Type: application/json\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
    loses: "times",
    proof: super::Proof::Defined,
    sniff,
    open: |options| Box::new(Talk::new(said, true, options.max_line)),
};

fn sniff(head: &Head<'_>) -> Bid {
    let text = head.text.trim_ascii_start();
    let first = text.lines().next().unwrap_or_default();
    if !matches!(said(first, None), Said::Start(..)) {
        return Bid::NONE;
    }
    let header = |line: &str| {
        let line = line.to_ascii_lowercase();
        line.starts_with("mcp-") || line.starts_with("content-type: text/event-stream")
    };
    let body = |line: &str| looks_like_rpc(line.strip_prefix("data:").unwrap_or(line));
    if text.lines().any(body) || text.split_once("\n{").is_some_and(|(head, _)| looks_like_rpc(&text[head.len() + 1..]))
    {
        return Bid::new(Confidence::Certain, "the first line begins an HTTP message, and JSON-RPC is in a body");
    }
    match text.lines().any(header) {
        true => Bid::new(Confidence::Likely, "the first line begins an HTTP message with headers of MCP"),
        false => Bid::NONE,
    }
}

/// What a line of raw HTTP is.
fn said(line: &str, head: Option<Half>) -> Said<'_> {
    if line.starts_with("HTTP/1.") || line.starts_with("HTTP/2 ") {
        return Said::Start(Half::Response, line);
    }
    let mut words = line.split(' ');
    if let (Some(method), Some(_), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
        && version.starts_with("HTTP/")
        && METHODS.contains(&method)
    {
        return Said::Start(Half::Request, line);
    }
    head.map_or(Said::Text, |half| Said::Header(half, line))
}

/// The methods that can stand in a capture of MCP.
const METHODS: [&str; 6] = ["POST", "GET", "DELETE", "OPTIONS", "HEAD", "PUT"];
