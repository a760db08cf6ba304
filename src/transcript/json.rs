//! JSON-RPC messages as JSON that minds no lines: printed over several of them, or several on one, with noise
//! between.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::entries::{Piece, Walker, trimmed};
use super::json_scan::{begins_like_value, looks_like_rpc, value_end};
use super::jsonl::bare;
use super::teller::{Standing, position};
use super::{
    Bid, Confidence, Content, Entries, EventKind, Flag, Flags, Format, Frame, Head, Line, LineBuffer, Origin, Proof,
    ReadError, Reader, Step,
};

/// The row of JSON values.
pub(super) const FORMAT: Format = Format {
    name: "json",
    title: "messages as JSON over several lines, or joined without line ends",
    example: "{ \"jsonrpc\": \"2.0\",\n  \"id\": 1, \"method\": \"tools/list\" }",
    loses: "times and directions",
    proof: Proof::Defined,
    sniff,
    open: |options| Box::new(Json { walker: Walker::new(Entries::Top, options.max_line) }),
};

/// How many lines of a head may begin a value over several lines.
const LINES: usize = 40;

fn sniff(head: &Head<'_>) -> Bid {
    let mut rest = head.text;
    for number in 0..LINES {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.trim_ascii();
        let at_first = number == 0 || head.text[..head.text.len() - rest.len()].trim_ascii().is_empty();
        if begins_like_value(line) {
            match value_end(line) {
                None if !behind.is_empty() => {
                    let bid = spanning(rest.trim_ascii_start(), head.complete);
                    if bid.confidence > Confidence::None {
                        return bid;
                    }
                }
                Some(end) if at_first && begins_like_value(line[end..].trim_ascii_start()) && looks_like_rpc(line) => {
                    return Bid::new(Confidence::Likely, "several JSON-RPC messages stand on the first line");
                }
                _ => {}
            }
        }
        // Only behind messages on lines of their own is a later line looked at: other lines are noise first.
        if behind.is_empty() || !(line.is_empty() || looks_like_rpc(line)) {
            break;
        }
        rest = behind;
    }
    Bid::NONE
}

/// A bid for a text whose first line begins a value and does not end it.
fn spanning(text: &str, complete: bool) -> Bid {
    if !looks_like_rpc(text) {
        return Bid::NONE;
    }
    match value_end(text) {
        Some(end) if serde_json::from_str::<IgnoredAny>(&text[..end]).is_ok() => {
            Bid::new(Confidence::Certain, "a JSON-RPC message stands on several lines")
        }
        None if !complete => Bid::new(Confidence::Likely, "a JSON-RPC message begins on several lines"),
        _ => Bid::NONE,
    }
}

/// The reader: each value is a message, what stands between them is noise.
struct Json {
    walker: Walker,
}

impl Reader for Json {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        let piece = self.walker.next(lines)?;
        Ok(bare_step(piece, self.walker.line(lines), self.walker.standing()))
    }

    fn problem(&self) -> Option<String> {
        self.walker.problem()
    }
}

/// A piece that is a message by itself, or stands between messages.
pub(super) fn bare_step<'b>(piece: Piece, line: Line<'b>, standing: Standing<'b>) -> Step<'b> {
    let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
    let message = |at: Range<usize>, whole: bool| {
        // What was put together from lines stays on all of them.
        let at = if standing.joined { at } else { trimmed(&line, at) };
        let content = Content::Message { text: &line.text[at.clone()], origin: Origin::Wire };
        Step::Frame(Frame {
            position: position(&line, at, standing),
            pointer: standing.place.map(|(pointer, _)| pointer),
            ..bare(&line, 0..0, flags.with_if(!whole, Flag::Truncated), content)
        })
    };
    match piece {
        Piece::Entry { start, end, whole } => message(start..end, whole || !standing.joined),
        Piece::Other { start, end } => message(start..end, true),
        Piece::Noise(from) => {
            let at = trimmed(&line, from..line.text.len());
            let content = Content::Event { kind: EventKind::Noise, text: &line.text[at.clone()] };
            Step::Frame(bare(&line, at, flags, content))
        }
        Piece::Around => {
            let at = trimmed(&line, 0..line.text.len());
            let content = if at.is_empty() { Content::Blank } else { Content::Framing };
            Step::Frame(bare(&line, at, flags, content))
        }
        Piece::Idle => Step::Idle,
        Piece::Paused => Step::Paused,
        Piece::End => Step::End,
    }
}
