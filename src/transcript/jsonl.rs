//! Bare JSON-RPC, one message a line: what goes over the pipe of a stdio server.

use memchr::memmem;
use serde::de::IgnoredAny;
use serde_json::Deserializer;

use super::json_scan::{begins_like_value, looks_like_rpc, value_end};
use super::{
    Advance, Bid, Confidence, Content, EventKind, Flag, Flags, Format, Frame, Head, Line, LineBuffer, Origin,
    ReadError, Reader, Step,
};
use crate::position::Position;

/// The row of bare JSON lines.
pub(super) const FORMAT: Format = Format {
    name: "jsonl",
    title: "bare messages, one a line, as on a stdio pipe",
    example: r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    loses: "times and directions",
    sniff,
    open: |_| Box::new(Jsonl::default()),
};

/// How many lines of a head are looked at.
const LINES: usize = 40;

fn sniff(head: &Head<'_>) -> Bid {
    let mut lines = head.text.lines().map(str::trim_ascii).filter(|line| !line.is_empty()).take(LINES);
    let Some(first) = lines.next() else { return Bid::NONE };
    let end = begins_like_value(first).then(|| value_end(first));
    match end {
        None => Bid::NONE,
        // Cut by the end of the head or of the input, unless the value goes on in the next line.
        Some(None) if looks_like_rpc(first) => match lines.next() {
            None if head.complete || first.len() > 64 => Bid::new(Confidence::Likely, "the only line begins a message"),
            None => Bid::NONE,
            Some(second) if begins_like_value(second) && looks_like_rpc(second) => {
                Bid::new(Confidence::Likely, "the second line is a JSON-RPC message")
            }
            Some(_) => Bid::new(Confidence::Possible, "the first line begins a JSON-RPC message"),
        },
        Some(Some(end)) if looks_like_rpc(first) => {
            if !first[end..].trim_ascii_start().is_empty() {
                Bid::new(Confidence::Possible, "the first line begins with a JSON-RPC message")
            } else if lines.any(|line| matches!(line, "{" | "[")) {
                Bid::new(
                    Confidence::Likely,
                    "the first line is a JSON-RPC message, others begin one over several lines",
                )
            } else {
                Bid::new(Confidence::Certain, "the first line is a JSON-RPC message")
            }
        }
        Some(_) if lines.any(|line| value_end(line) == Some(line.len()) && looks_like_rpc(line)) => {
            Bid::new(Confidence::Possible, "a line behind the first is a JSON-RPC message")
        }
        Some(_) => Bid::NONE,
    }
}

/// The reader: a frame a line, borrowed from the line.
#[derive(Default)]
struct Jsonl {
    /// What is left of the current line when it holds several values.
    rest: Option<usize>,
    cut: Option<(u64, u64)>,
    seams: Seams,
}

impl Reader for Jsonl {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        let from = match self.rest.take() {
            Some(from) => from,
            None => match lines.advance()? {
                Advance::Line => 0,
                Advance::Idle => return Ok(Step::Idle),
                Advance::Paused => return Ok(Step::Paused),
                Advance::End => return Ok(Step::End),
            },
        };
        let line = lines.line();
        let (frame, rest) = frame(&line, from, &self.seams);
        self.rest = rest;
        if frame.flags.has(Flag::Truncated) {
            self.cut = Some((line.number, line.offset + line.length));
        }
        Ok(Step::Frame(frame))
    }

    fn problem(&self) -> Option<String> {
        self.cut
            .map(|(line, at)| format!("line {line} is cut off inside a JSON value at byte {at}, the end of the input"))
    }
}

/// The frame of a bare line from a place on, and where the next one begins if the line holds more.
fn frame<'b>(line: &Line<'b>, from: usize, seams: &Seams) -> (Frame<'b>, Option<usize>) {
    let text = line.text[from..].trim_ascii();
    let start = from + (line.text[from..].len() - line.text[from..].trim_ascii_start().len());
    let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
    if !matches!(text.as_bytes().first(), Some(b'{' | b'[')) {
        let content = match text {
            "" => Content::Blank,
            text => Content::Event { kind: EventKind::Noise, text },
        };
        return (bare(line, start..start + text.len(), flags, content), None);
    }
    let (end, rest) = match seams.first_end(text) {
        Some(end) if !line.oversized => (end, Some(start + end)),
        _ => (text.len(), None),
    };
    let cut = !line.terminated && !line.oversized && rest.is_none() && value_end(text).is_none();
    let content = Content::Message { text: &text[..end], origin: Origin::Wire };
    (bare(line, start..start + end, flags.with_if(cut, Flag::Truncated), content), rest)
}

/// A frame that tells nothing but its place.
pub(super) fn bare<'b>(line: &Line<'b>, part: std::ops::Range<usize>, flags: Flags, content: Content<'b>) -> Frame<'b> {
    let (offset, length) = if line.oversized { (line.offset, line.length) } else { line.locate(part) };
    Frame {
        position: Position { line: line.number, end_line: line.number, offset, length, entry: None },
        pointer: None,
        time: None,
        direction: None,
        session: None,
        server: None,
        flags,
        content,
    }
}

/// Finds lines that may hold several values: a lost line end between two writes.
struct Seams([memmem::Finder<'static>; 2]);

impl Default for Seams {
    fn default() -> Self {
        // These cannot stand within a string, where the quote is escaped, and hardly ever at the end of one.
        Self([memmem::Finder::new(b"}{\""), memmem::Finder::new(b"} {\"")])
    }
}

impl Seams {
    /// The end of the first value, when others follow it.
    fn first_end(&self, text: &str) -> Option<usize> {
        if self.0.iter().all(|seam| seam.find(text.as_bytes()).is_none()) {
            return None;
        }
        let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        let end = values.byte_offset();
        matches!(text[end..].trim_ascii_start().as_bytes().first(), Some(b'{' | b'[')).then_some(end)
    }
}
