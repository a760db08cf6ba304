//! The events of `codex exec --json`, one a line: which tools of which servers were called and how that ended, no
//! messages and no times.

use serde::Deserialize;

use super::grammar::{Grammar, Split, Told, other};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, silent};

/// The row of Codex's events.
pub(super) const FORMAT: Format = Format {
    name: "codex-exec",
    title: "the events of `codex exec --json`",
    example: r#"{"type":"item.completed","item":{"type":"mcp_tool_call","server":"notes","tool":"search","status":"failed"}}"#,
    loses: "messages and times",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::TEE),
};

static GRAMMAR: Grammar = Grammar {
    reason: "a line is an event of Codex's on the tool of a server",
    split: |line, _| {
        let event = event(line)?;
        Some(Split { server: event.item.and_then(|item| item.server), text: line, ..Split::default() })
    },
    tell: |line| match event(line).and_then(|event| event.item) {
        Some(Subject { kind: Some("mcp_tool_call"), .. }) => Told::event(EventKind::Note, line),
        _ => Told::Other(line),
    },
    stray: other,
};

#[derive(Deserialize)]
struct Event<'t> {
    #[serde(rename = "type")]
    kind: &'t str,
    #[serde(borrow)]
    item: Option<Subject<'t>>,
}

#[derive(Deserialize)]
struct Subject<'t> {
    #[serde(rename = "type")]
    kind: Option<&'t str>,
    server: Option<&'t str>,
}

fn event(line: &str) -> Option<Event<'_>> {
    if !line.starts_with("{\"type\":\"") {
        return None;
    }
    let event: Event<'_> = serde_json::from_str(line).ok()?;
    let known = ["thread.", "turn.", "item."].iter().any(|beginning| event.kind.starts_with(beginning));
    known.then_some(event)
}
