//! Claude Code's logs of a server, `mcp-logs-NAME`: one array of entries with a time and a sentence each, or the entries
//! one a line. No messages.

use std::borrow::Cow;

use jiff::tz::TimeZone;
use serde::Deserialize;

use super::json_scan::top_members;
use super::{
    Bid, Confidence, Content, EventKind, Format, Frame, Head, LineBuffer, Proof, ReadError, ReadOptions, Reader, Step,
    json_array, silent, stamp,
};

/// The row of Claude Code's logs.
pub(super) const FORMAT: Format = Format {
    name: "claude-code",
    title: "Claude Code's logs of a server, `mcp-logs-NAME`",
    example: "[\n  {\"debug\": \"Starting connection attempt\", \"timestamp\": \"2025-01-02T03:04:05.678Z\", \"sessionId\": \"7\"}\n]",
    loses: "messages, the server's name",
    proof: Proof::Documented,
    sniff,
    open: |options| Box::new(ClaudeCode::new(options)),
};

fn sniff(head: &Head<'_>) -> Bid {
    let text = head.text.trim_ascii_start();
    let first = text.strip_prefix('[').unwrap_or(text).trim_ascii_start();
    let (mut words, mut time, mut session) = (false, false, false);
    top_members(first, |name| match name {
        "debug" | "error" => words = true,
        "timestamp" => time = true,
        "sessionId" => session = true,
        _ => {}
    });
    match words && time && session && first.starts_with('{') {
        true => Bid::new(Confidence::Certain, "the first entry is one of Claude Code's on a server"),
        false => Bid::NONE,
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'t> {
    #[serde(borrow)]
    debug: Option<Cow<'t, str>>,
    #[serde(borrow)]
    error: Option<Cow<'t, str>>,
    #[serde(borrow)]
    timestamp: Option<Cow<'t, str>>,
    #[serde(borrow)]
    session_id: Option<Cow<'t, str>>,
}

/// The reader: the entries of the array as events.
struct ClaudeCode {
    entries: Box<dyn Reader>,
    words: String,
    session: String,
}

impl ClaudeCode {
    fn new(options: &ReadOptions) -> Self {
        Self { entries: (json_array::FORMAT.open)(options), words: String::new(), session: String::new() }
    }
}

impl Reader for ClaudeCode {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        let step = self.entries.next_frame(lines)?;
        let Step::Frame(frame) = step else { return Ok(step) };
        let Content::Message { text, .. } = frame.content else { return Ok(step) };
        let Ok(entry) = serde_json::from_str::<Entry<'_>>(text) else {
            return Ok(Step::Frame(Frame { content: Content::Event { kind: EventKind::Note, text }, ..frame }));
        };
        let words = entry.error.or(entry.debug).unwrap_or_default();
        let (kind, words) = match words.strip_prefix("Server stderr: ") {
            Some(words) => (EventKind::Stderr, words),
            None => (EventKind::Note, &*words),
        };
        self.words.clear();
        self.words.push_str(words);
        self.session.clear();
        self.session.push_str(entry.session_id.as_deref().unwrap_or_default());
        Ok(Step::Frame(Frame {
            time: entry.timestamp.and_then(|time| stamp::rfc3339(&time, &TimeZone::UTC)),
            session: Some(self.session.as_str()).filter(|session| !session.is_empty()),
            content: Content::Event { kind, text: &self.words },
            ..frame
        }))
    }

    fn problem(&self) -> Option<String> {
        self.entries.problem()
    }

    fn advice(&self) -> Option<&'static str> {
        Some(silent::TEE)
    }
}
