//! Bare JSON-RPC, one message a line: what goes over the pipe of a stdio server.

use std::ops::Range;

use serde::de::IgnoredAny;
use serde_json::Deserializer;

use super::ahead::Block;
use super::json_scan::{begins_like_value, looks_like_rpc, value_end};
use super::{
    Advance, Bid, Confidence, Content, EventKind, Flag, Flags, Format, Frame, Head, Line, LineBuffer, Origin, Proof,
    ReadError, Reader, Step,
};
use crate::position::Position;

/// The row of bare JSON lines.
pub(super) const FORMAT: Format = Format {
    name: "jsonl",
    title: "bare messages, one a line, as on a stdio pipe",
    example: r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    loses: "times and directions",
    proof: Proof::Defined,
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
    cut: Option<(u64, u64)>,
}

impl Reader for Jsonl {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        match lines.advance()? {
            Advance::Line => {}
            Advance::Idle => return Ok(Step::Idle),
            Advance::Paused => return Ok(Step::Paused),
            Advance::End => return Ok(Step::End),
        }
        let line = lines.line();
        let (place, flags, content) = read(&line);
        if flags.has(Flag::Truncated) {
            self.cut = Some((line.number, line.offset + line.length));
        }
        Ok(Step::Frame(bare(&line, place, flags, content)))
    }

    fn problem(&self) -> Option<String> {
        self.cut
            .map(|(line, at)| format!("line {line} is cut off inside a JSON value at byte {at}, the end of the input"))
    }
}

/// The reader of lines that a thread has looked at. Where that met anything but text in plain lines, the other reader reads.
#[derive(Default)]
pub(super) struct Ahead {
    others: Jsonl,
    block: Block,
    /// The next line of the block.
    next: usize,
    /// Offset and number of what stands before the block.
    offset: u64,
    number: u64,
}

impl Reader for Ahead {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        while self.next == self.block.len() {
            match lines.block(std::mem::take(&mut self.block)) {
                Some((block, offset, number)) => {
                    *self = Self { block, next: 0, offset, number, ..std::mem::take(self) }
                }
                None => {
                    self.next = 0;
                    return self.others.next_frame(lines);
                }
            }
        }
        let (text, start, noted) = self.block.line(self.next);
        self.next += 1;
        let line = Line {
            text,
            raw: text.as_bytes(),
            number: self.number + self.next as u64,
            offset: self.offset + start as u64,
            length: text.len() as u64,
            lossy: false,
            oversized: false,
            terminated: true,
            map: None,
        };
        let (place, flags, content) = read(&line);
        let frame = bare(&line, place, flags, content);
        Ok(noted.map_or(Step::Frame(frame), |noted| Step::Noted(frame, noted)))
    }

    fn problem(&self) -> Option<String> {
        self.others.problem()
    }
}

/// What a bare line holds, and where in its text.
#[inline(always)]
fn read<'b>(line: &Line<'b>) -> (Range<usize>, Flags, Content<'b>) {
    let begun = line.text.trim_ascii_start();
    let start = line.text.len() - begun.len();
    let text = begun.trim_ascii_end();
    let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
    let place = start..start + text.len();
    if !matches!(text.as_bytes().first(), Some(b'{' | b'[')) {
        let content = match text {
            "" => Content::Blank,
            text => Content::Event { kind: EventKind::Noise, text },
        };
        return (place, flags, content);
    }
    let cut = !line.terminated && !line.oversized && value_end(text).is_none();
    (place, flags.with_if(cut, Flag::Truncated), Content::Message { text, origin: Origin::Wire })
}

/// The values of a line that holds several, where a line end between two writes was lost; what follows the last whole
/// one is the last element. Empty when the text does not begin with one value and go on with another. To be asked only
/// about text that is not one value: it reads everything.
pub fn values(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let mut values = Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        let end = match values.next() {
            Some(Ok(_)) => values.byte_offset(),
            _ => break,
        };
        let (value, behind) = rest.split_at(end);
        found.push(value.trim_ascii());
        rest = behind.trim_ascii_start();
        if !rest.starts_with(['{', '[']) {
            break;
        }
    }
    match rest {
        _ if found.is_empty() || found.len() == 1 && !rest.starts_with(['{', '[']) => Vec::new(),
        "" => found,
        rest => {
            found.push(rest.trim_ascii_end());
            found
        }
    }
}

/// A frame that tells nothing but its place.
#[inline]
pub(super) fn bare<'b>(line: &Line<'b>, part: Range<usize>, flags: Flags, content: Content<'b>) -> Frame<'b> {
    let is_told = line.map.is_none() && line.text.get(..part.start).is_some_and(str::is_ascii);
    let lead = u32::try_from(part.start).ok().filter(|_| is_told);
    let (offset, length) = if line.oversized { (line.offset, line.length) } else { line.locate(part) };
    Frame {
        position: Position { line: line.number, end_line: line.number, offset, length, lead, entry: None },
        flags,
        content,
        ..Frame::BLANK
    }
}
