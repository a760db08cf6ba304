//! A document that is one JSON array of messages, over several lines: read element by element, never as a whole.

use std::fmt::Write;

use super::joined::{Growth, Joined};
use super::json::{Rest, look, message, more, noise, part};
use super::json_scan::{looks_like_rpc, value_end};
use super::{Advance, Bid, Confidence, Content, Format, Frame, Head, LineBuffer, Proof, ReadError, Reader, Step};

/// The row of array documents.
pub(super) const FORMAT: Format = Format {
    name: "json-array",
    title: "a JSON document that is one array of messages",
    example: "[\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n]",
    loses: "times and directions",
    proof: Proof::Defined,
    sniff,
    open: |options| Box::new(JsonArray::new(options.max_line)),
};

fn sniff(head: &Head<'_>) -> Bid {
    let text = head.text.trim_ascii_start();
    let Some((first, _)) = text.split_once('\n') else { return Bid::NONE };
    // An array on one line is a batch.
    if !head.first || value_end(first).is_some() || !text.starts_with('[') || !looks_like_rpc(text) {
        return Bid::NONE;
    }
    Bid::new(Confidence::Certain, "the input begins an array of JSON-RPC messages over several lines")
}

/// How far the document is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    Inside,
    Behind,
}

/// The reader. Before and behind the array it reads values and noise.
struct JsonArray {
    joined: Joined,
    joining: bool,
    place: Place,
    /// Where the rest of the current line begins, when there is more in it.
    from: Option<usize>,
    /// The current line is in a frame already.
    shown: bool,
    next: u64,
    pointer: String,
    opened_in: u64,
    end: u64,
}

/// What stands next in a line of the array.
#[derive(Clone, Copy)]
enum Next {
    Nothing,
    Open(usize),
    Close(usize),
    Element(Rest),
    Other(Rest),
}

impl JsonArray {
    fn new(limit: u64) -> Self {
        Self {
            joined: Joined::new(limit),
            joining: false,
            place: Place::Before,
            from: None,
            shown: false,
            next: 0,
            pointer: String::new(),
            opened_in: 0,
            end: 0,
        }
    }

    fn next(&self, lines: &mut LineBuffer, from: usize) -> Next {
        let line = lines.line();
        let blanks: &[char] = if self.place == Place::Inside { &[' ', '\t', '\r', ','] } else { &[' ', '\t', '\r'] };
        let text = line.text[from..].trim_start_matches(blanks);
        let start = line.text.len() - text.len();
        match (self.place, text.as_bytes().first()) {
            (Place::Inside | Place::Behind, None) => Next::Nothing,
            (Place::Before, Some(b'[')) => Next::Open(start + 1),
            (Place::Inside, Some(b']')) => Next::Close(start + 1),
            (Place::Inside, Some(_)) => match scalar_end(text) {
                Some(end) => Next::Element(Rest::Whole(start, start + end)),
                None => match look(&line, start) {
                    rest @ (Rest::Whole(..) | Rest::Begins(_)) => Next::Element(rest),
                    rest => Next::Other(rest),
                },
            },
            (Place::Before | Place::Behind, _) => Next::Other(look(&line, start)),
        }
    }

    /// Gives the next element its pointer.
    fn count(&mut self) {
        self.pointer.clear();
        if self.place == Place::Inside {
            // Writing to a string cannot fail.
            let _ = write!(self.pointer, "/{}", self.next);
            self.next += 1;
        }
    }
}

/// The end of a value that is neither object nor array.
fn scalar_end(text: &str) -> Option<usize> {
    if text.starts_with('"') {
        let mut escaped = false;
        return text
            .bytes()
            .skip(1)
            .position(|byte| {
                let ends = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            })
            .map(|at| at + 2);
    }
    let number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let end = text.find([',', ']', ' ', '\t', '\r']).unwrap_or(text.len());
    (number || matches!(&text[..end], "true" | "false" | "null")).then_some(end)
}

impl Reader for JsonArray {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        if let Some(fault) = self.joined.take_fault() {
            return Err(fault);
        }
        loop {
            let from = match self.from.take() {
                Some(from) => from,
                None => match self.joined.step(lines.advance(), self.joining)? {
                    Advance::Line => {
                        let line = lines.line();
                        self.end = line.offset + line.length;
                        self.shown = false;
                        0
                    }
                    Advance::Idle => return Ok(Step::Idle),
                    Advance::Paused => return Ok(Step::Paused),
                    Advance::End if self.joining => {
                        self.joining = false;
                        return Ok(Step::Frame(self.joined.frame(named(&self.pointer), false)));
                    }
                    Advance::End => return Ok(Step::End),
                },
            };
            if self.joining {
                let line = lines.line();
                let growth = self.joined.extend(&line);
                match growth {
                    Growth::More => continue,
                    Growth::Complete(end) => (self.from, self.shown) = (more(&line, end), true),
                    Growth::Broken => lines.hold(),
                }
                self.joining = false;
                return Ok(Step::Frame(self.joined.frame(named(&self.pointer), growth != Growth::Broken)));
            }
            let rest = match self.next(lines, from) {
                Next::Open(behind) => {
                    (self.place, self.from, self.opened_in) = (Place::Inside, Some(behind), lines.line().number);
                    continue;
                }
                Next::Close(behind) => {
                    (self.place, self.from) = (Place::Behind, Some(behind));
                    continue;
                }
                Next::Nothing if self.shown => continue,
                Next::Nothing => {
                    let line = lines.line();
                    let framing = !line.text.trim_ascii().is_empty();
                    let content: fn(&str) -> Content<'_> =
                        if framing { |_| Content::Framing } else { |_| Content::Blank };
                    return Ok(Step::Frame(part(&line, 0, line.text.len(), content)));
                }
                Next::Element(rest) => {
                    self.count();
                    rest
                }
                Next::Other(rest) => {
                    self.pointer.clear();
                    rest
                }
            };
            if let Rest::Begins(start) = rest {
                self.joined.begin(&lines.line(), start);
                self.joining = true;
                continue;
            }
            self.shown = true;
            let line = lines.line();
            let frame = match rest {
                Rest::Whole(start, end) => {
                    self.from = more(&line, end);
                    part(&line, start, end, message)
                }
                Rest::Noise => part(&line, from, line.text.len(), noise),
                Rest::Blank | Rest::Begins(_) => part(&line, from, line.text.len(), |_| Content::Blank),
            };
            return Ok(Step::Frame(Frame { pointer: named(&self.pointer), ..frame }));
        }
    }

    fn problem(&self) -> Option<String> {
        (self.place == Place::Inside).then(|| {
            format!(
                "the array that begins in line {} is not closed at byte {}, the end of the input",
                self.opened_in, self.end
            )
        })
    }
}

fn named(pointer: &str) -> Option<&str> {
    (!pointer.is_empty()).then_some(pointer)
}
