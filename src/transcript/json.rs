//! JSON-RPC messages as JSON that minds no lines: printed over several of them, or several on one, with noise
//! between.

use serde::de::IgnoredAny;

use super::joined::{Growth, Joined};
use super::json_scan::{begins_like_value, looks_like_rpc, value_end};
use super::jsonl::bare;
use super::{
    Advance, Bid, Confidence, Content, EventKind, Flag, Flags, Format, Frame, Head, Line, LineBuffer, Origin, Proof,
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
    open: |options| Box::new(Json::new(options.max_line)),
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

/// What the rest of a line is, in a text of values and noise.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    /// Nothing.
    Blank,
    /// No JSON.
    Noise,
    /// A value that ends there, begun at the first place.
    Whole(usize, usize),
    /// A value that goes on in the next line.
    Begins(usize),
}

/// Looks at a line from a place on.
pub(super) fn look(line: &Line<'_>, from: usize) -> Rest {
    let text = line.text[from..].trim_ascii_start();
    let start = line.text.len() - text.len();
    if text.trim_ascii_end().is_empty() {
        Rest::Blank
    } else if !begins_like_value(text) {
        Rest::Noise
    } else if let Some(end) = value_end(text) {
        Rest::Whole(start, start + end)
    } else if line.oversized {
        Rest::Whole(start, line.text.len())
    } else {
        Rest::Begins(start)
    }
}

/// A frame for a part of a line, without the blanks around it.
pub(super) fn part<'b>(line: &Line<'b>, from: usize, to: usize, content: fn(&'b str) -> Content<'b>) -> Frame<'b> {
    let text = line.text[from..to].trim_ascii();
    let start = from + (line.text[from..to].len() - line.text[from..to].trim_ascii_start().len());
    let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
    bare(line, start..start + text.len(), flags, content(text))
}

/// The content of a frame that was found on the wire and begins like JSON.
pub(super) fn message(text: &str) -> Content<'_> {
    Content::Message { text, origin: Origin::Wire }
}

/// The content of a frame of any other text.
pub(super) fn noise(text: &str) -> Content<'_> {
    Content::Event { kind: EventKind::Noise, text }
}

/// The reader.
struct Json {
    joined: Joined,
    joining: bool,
    /// Where the rest of the current line begins, when there is more in it.
    from: Option<usize>,
    cut: bool,
}

impl Json {
    fn new(limit: u64) -> Self {
        Self { joined: Joined::new(limit), joining: false, from: None, cut: false }
    }
}

impl Reader for Json {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        if let Some(fault) = self.joined.take_fault() {
            return Err(fault);
        }
        loop {
            let from = match self.from.take() {
                Some(from) => from,
                None => match self.joined.step(lines.advance(), self.joining)? {
                    Advance::Line => 0,
                    Advance::Idle => return Ok(Step::Idle),
                    Advance::Paused => return Ok(Step::Paused),
                    Advance::End if self.joining => {
                        (self.joining, self.cut) = (false, true);
                        return Ok(Step::Frame(self.joined.frame(None, false)));
                    }
                    Advance::End => return Ok(Step::End),
                },
            };
            if self.joining {
                let line = lines.line();
                let growth = self.joined.extend(&line);
                match growth {
                    Growth::More => continue,
                    Growth::Complete(end) => self.from = more(&line, end),
                    Growth::Broken => lines.hold(),
                }
                self.joining = false;
                return Ok(Step::Frame(self.joined.frame(None, growth != Growth::Broken)));
            }
            let rest = look(&lines.line(), from);
            if let Rest::Begins(start) = rest {
                self.joined.begin(&lines.line(), start);
                self.joining = true;
                continue;
            }
            let line = lines.line();
            let frame = match rest {
                Rest::Whole(start, end) => {
                    self.from = more(&line, end);
                    part(&line, start, end, message)
                }
                Rest::Noise => part(&line, from, line.text.len(), noise),
                Rest::Blank | Rest::Begins(_) => part(&line, from, line.text.len(), |_| Content::Blank),
            };
            return Ok(Step::Frame(frame));
        }
    }

    fn problem(&self) -> Option<String> {
        self.cut.then(|| {
            let place = self.joined.position();
            let end = place.offset + place.length;
            format!("the JSON value that begins in line {} is cut off at byte {end}, the end of the input", place.line)
        })
    }
}

/// Where to go on in a line, if anything but blanks is left.
pub(super) fn more(line: &Line<'_>, end: usize) -> Option<usize> {
    (!line.oversized && !line.text[end..].trim_ascii().is_empty()).then_some(end)
}
