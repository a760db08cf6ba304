//! The sentences of Claude Desktop's logs: what stands behind time, level and server name in a line.

use std::sync::LazyLock;

use memchr::memmem;

use super::json_scan::value_end;
use super::{EventKind, Outline, OutlineKind, Stamp, stamp};
use crate::protocol::Direction;

/// A line as the host writes it: `<time> [level] [NAME] text` in `mcp.log`, `<time> [NAME] [level] text` in
/// `mcp-server-NAME.log`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sentence<'t> {
    pub(super) time: Stamp,
    pub(super) server: &'t str,
    pub(super) text: &'t str,
}

/// What a sentence tells.
#[derive(Clone, Copy, Debug)]
pub(super) enum Told<'t> {
    /// A message, as the text that should be one.
    Message { direction: Direction, text: &'t str, cut: bool },
    /// A message without its payload, as written since June 2026.
    Outline { direction: Direction, outline: Outline<'t> },
    /// Something else.
    Event { kind: EventKind, text: &'t str },
}

/// Splits a line; `None` when the host did not write it.
pub(super) fn sentence(line: &str) -> Option<Sentence<'_>> {
    // The time is ASCII, so that a place in it is a place in the text.
    let end = memchr::memchr(b' ', &line.as_bytes()[..line.len().min(32)])?;
    let time = stamp::utc(&line.as_bytes()[..end])?;
    let (first, rest) = bracketed(line[end..].strip_prefix(" [")?, "] [")?;
    let (second, text) = bracketed(rest, "]")?;
    // Where both brackets could be the level, the older order counts.
    let server = match (is_level(first), is_level(second)) {
        (true, _) => second,
        (false, true) => first,
        (false, false) => return None,
    };
    Some(Sentence { time, server, text: text.strip_prefix(' ').unwrap_or(text) })
}

/// Splits at the first `]` that begins `behind`.
fn bracketed<'t>(text: &'t str, behind: &str) -> Option<(&'t str, &'t str)> {
    let mut ends = memchr::memchr_iter(b']', text.as_bytes());
    ends.find_map(|end| Some((&text[..end], text[end..].strip_prefix(behind)?)))
}

fn is_level(word: &str) -> bool {
    matches!(word, "info" | "error" | "warn" | "warning" | "debug" | "trace" | "verbose" | "silly")
}

/// The beginnings of what the host says, and what they mean.
const SAYINGS: &[(&str, EventKind)] = &[
    ("Initializing server...", EventKind::ProcessStart),
    ("Server started and connected successfully", EventKind::TransportOpen),
    ("Client transport closed", EventKind::TransportClosed),
    ("Server transport closed", EventKind::TransportClosed),
    ("Server disconnected", EventKind::TransportClosed),
    ("Shutting down server...", EventKind::Note),
    ("Using MCP server command", EventKind::Note),
    ("Era probe verdict", EventKind::Note),
];

/// Whether the sentence is one that the host is known for.
pub(super) fn is_known(text: &str) -> bool {
    message_label(text).is_some() || SAYINGS.iter().any(|(beginning, _)| text.starts_with(beginning))
}

/// Whether a sentence that does not end its line goes on in the next: an object in JavaScript's notation does.
pub(super) fn begins_block(text: &str) -> bool {
    message_label(text).is_none() && (text.ends_with('{') || text.contains(" { metadata: {"))
}

fn message_label(text: &str) -> Option<(Direction, &str)> {
    let rest = text.strip_prefix("Message from ")?;
    if let Some(message) = rest.strip_prefix("client: ") {
        return Some((Direction::ClientToServer, message));
    }
    Some((Direction::ServerToClient, rest.strip_prefix("server: ")?))
}

/// Understands a sentence.
pub(super) fn tell(text: &str) -> Told<'_> {
    if let Some((direction, message)) = message_label(text) {
        let message = message.trim_ascii_start();
        if !message.starts_with(['{', '[']) {
            if let Some(outline) = outline(without_suffix(message)) {
                return Told::Outline { direction, outline };
            }
            return Told::Message { direction, text: without_suffix(message), cut: false };
        }
        let (text, cut) = first_value(message);
        return Told::Message { direction, text, cut };
    }
    let text = without_suffix(text);
    let said = SAYINGS.iter().find(|(beginning, _)| text.starts_with(beginning));
    Told::Event { kind: said.map_or(EventKind::Note, |(_, kind)| *kind), text }
}

/// The text without what the host's logger adds to each line: ` { metadata: undefined }`.
fn without_suffix(text: &str) -> &str {
    let text = text.trim_ascii_end();
    text.strip_suffix("{ metadata: undefined }").map_or(text, str::trim_ascii_end)
}

/// Between a message and what the logger added.
static ADDED: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("} {"));

/// The value that the text begins with, without what is written behind it; and whether it is cut off.
fn first_value(text: &str) -> (&str, bool) {
    /// How much of the end may be something that the logger added, an error's stack at the longest.
    const TAIL: usize = 4096;
    let text = without_suffix(text);
    let tail = &text.as_bytes()[text.len().saturating_sub(TAIL)..];
    // Nearly always the value is all that is left: then it need not be read here to find its end.
    if matches!(tail.last(), Some(b'}' | b']')) && ADDED.find(tail).is_none() {
        return (text, false);
    }
    value_end(text).map_or((text, true), |end| (&text[..end], false))
}

/// `method="tools/call" id=6 params`, `id=6 result(1 blocks)`, `id=6 error(code=-32601)`.
fn outline(text: &str) -> Option<Outline<'_>> {
    let mut rest = text;
    let mut method = None;
    if let Some(quoted) = rest.strip_prefix("method=\"") {
        let (name, behind) = quoted.split_once('"')?;
        (method, rest) = (Some(name), behind.trim_ascii_start());
    }
    let mut id = None;
    if let Some(token) = rest.strip_prefix("id=") {
        let end = match token.strip_prefix('"') {
            Some(inner) => inner.find('"')? + 2,
            None => token.find(' ').unwrap_or(token.len()),
        };
        (id, rest) = (Some(&token[..end]), token[end..].trim_ascii_start());
    }
    let error_code = rest.strip_prefix("error(code=").and_then(|rest| rest.split_once(')')?.0.parse().ok());
    let kind = match (method, id) {
        (Some(_), Some(_)) => OutlineKind::Request,
        (Some(_), None) => OutlineKind::Notification,
        (None, _) if rest.starts_with("result") => OutlineKind::Result,
        (None, _) if rest.starts_with("error") => OutlineKind::Error,
        (None, Some(_)) => OutlineKind::Answer,
        (None, None) => return None,
    };
    Some(Outline { kind, method, id, error_code, target: None, view: false })
}
