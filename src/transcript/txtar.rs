//! Text archives with a section for what the client says and one for what the server says, as conformance tests keep
//! them. How the two interleave is not recorded: it is put together from the ids. Other sections prepare the test.

use std::collections::VecDeque;

use super::entries::{Rest, look};
use super::interleave::{Spoken, interleave};
use super::joined::{Growth, Joined};
use super::json_scan::looks_like_rpc;
use super::jsonl::bare;
use super::{
    Advance, Bid, Confidence, Content, EventKind, Flag, Flags, Format, Frame, Head, Line, LineBuffer, Origin, Proof,
    ReadError, Reader, Step,
};
use crate::protocol::{Direction, Side};

/// The row of text archives.
pub(super) const FORMAT: Format = Format {
    name: "txtar",
    title: "a text archive with the sections `client` and `server`, as conformance tests keep them",
    example: "What the case shows.\n\n-- client --\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n-- server --",
    loses: "times, and in which order the two sides spoke",
    proof: Proof::Documented,
    sniff,
    open: |options| Box::new(Txtar::new(options.max_line)),
};

fn sniff(head: &Head<'_>) -> Bid {
    let mut rest = head.text;
    while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"-- ") {
        let begins = at == 0 || rest.as_bytes()[at - 1] == b'\n';
        let (line, behind) = rest[at..].split_once('\n').unwrap_or((&rest[at..], ""));
        if begins && matches!(marker(line), Some(Section::Side(_))) && looks_like_rpc(behind) {
            return Bid::new(Confidence::Certain, "a section of a text archive begins with a JSON-RPC message");
        }
        rest = &rest[at + 3..];
    }
    Bid::NONE
}

/// Where a line of the archive stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Prose at the top.
    Prose,
    /// A file that prepares the test.
    Other,
    Side(Side),
}

/// The section that a marker begins: `-- NAME --`.
fn marker(line: &str) -> Option<Section> {
    let name = line.trim_ascii_end().strip_prefix("-- ")?.strip_suffix(" --")?.trim_ascii();
    Some(match name.split('.').next()? {
        "client" => Section::Side(Side::Client),
        "server" => Section::Side(Side::Server),
        _ => Section::Other,
    })
}

/// A frame for a part of a line, without the blanks around it.
fn part<'b>(line: &Line<'b>, from: usize, to: usize, content: fn(&'b str) -> Content<'b>) -> Frame<'b> {
    let text = line.text[from..to].trim_ascii();
    let start = text.as_ptr().addr() - line.text.as_ptr().addr();
    let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
    bare(line, start..start + text.len(), flags, content(text))
}

/// Where to go on in a line, if anything but blanks is left.
fn more(line: &Line<'_>, end: usize) -> Option<usize> {
    (!line.oversized && !line.text[end..].trim_ascii().is_empty()).then_some(end)
}

/// Messages and bytes that wait for the other side at most; beyond that, what waits is put in order as it is.
const MAX_WAITING: usize = 65_536;
const MAX_BYTES: usize = 64 << 20;

/// The reader. Messages are given out at the end, when both sides are known; all other lines at once.
struct Txtar {
    joined: Joined,
    joining: bool,
    from: Option<usize>,
    section: Section,
    client: Vec<Spoken>,
    server: Vec<Spoken>,
    bytes: usize,
    ordered: VecDeque<Spoken>,
    given: Option<Spoken>,
    cut: bool,
}

impl Txtar {
    fn new(limit: u64) -> Self {
        Self {
            joined: Joined::new(limit),
            joining: false,
            from: None,
            section: Section::Prose,
            client: Vec::new(),
            server: Vec::new(),
            bytes: 0,
            ordered: VecDeque::new(),
            given: None,
            cut: false,
        }
    }

    fn hear(&mut self, frame: &Frame<'_>) {
        if let Content::Message { text, .. } = frame.content {
            let spoken = Spoken::new(self.side(), text, frame.position, frame.flags);
            self.push(spoken);
        }
    }

    fn side(&self) -> Side {
        if self.section == Section::Side(Side::Server) { Side::Server } else { Side::Client }
    }

    fn push(&mut self, spoken: Spoken) {
        self.bytes += spoken.text.len();
        match spoken.side {
            Side::Client => self.client.push(spoken),
            Side::Server => self.server.push(spoken),
        }
        if self.client.len() + self.server.len() >= MAX_WAITING || self.bytes > MAX_BYTES {
            self.settle();
        }
    }

    /// Puts what waits in order.
    fn settle(&mut self) {
        self.bytes = 0;
        self.ordered.extend(interleave(std::mem::take(&mut self.client), std::mem::take(&mut self.server)));
    }

    /// The next message in order.
    fn spoken(&mut self) -> Option<Frame<'_>> {
        self.given = self.ordered.pop_front();
        let spoken = self.given.as_ref()?;
        Some(Frame {
            direction: Some(match spoken.side {
                Side::Client => Direction::ClientToServer,
                Side::Server => Direction::ServerToClient,
            }),
            position: spoken.position,
            flags: spoken.flags,
            content: Content::Message { text: &spoken.text, origin: Origin::Wire },
            ..Frame::BLANK
        })
    }
}

impl Reader for Txtar {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        loop {
            if !self.ordered.is_empty() {
                return Ok(self.spoken().map_or(Step::End, Step::Frame));
            }
            if let Some(fault) = self.joined.take_fault() {
                return Err(fault);
            }
            let from = match self.from.take() {
                Some(from) => from,
                None => match self.joined.step(lines.advance(), true)? {
                    Advance::Line => 0,
                    Advance::Idle => return Ok(Step::Idle),
                    Advance::Paused => return Ok(Step::Paused),
                    Advance::End => {
                        if std::mem::take(&mut self.joining) {
                            self.cut = true;
                            let spoken = Spoken::new(
                                self.side(),
                                self.joined.text(),
                                self.joined.position(),
                                self.joined.flags().with(Flag::Truncated),
                            );
                            self.push(spoken);
                        }
                        self.settle();
                        if self.ordered.is_empty() && !self.joined.has_fault() {
                            return Ok(Step::End);
                        }
                        continue;
                    }
                },
            };
            let line = lines.line();
            if self.joining {
                let section = marker(line.text);
                let growth = if section.is_some() { Growth::Broken } else { self.joined.extend(&line) };
                let whole = match growth {
                    Growth::More => continue,
                    Growth::Complete(end) => {
                        self.from = more(&line, end);
                        true
                    }
                    Growth::Broken => {
                        lines.hold();
                        false
                    }
                };
                self.joining = false;
                let flags = self.joined.flags().with_if(!whole, Flag::Truncated);
                let spoken = Spoken::new(self.side(), self.joined.text(), self.joined.position(), flags);
                self.push(spoken);
                continue;
            }
            if let Some(section) = marker(line.text).filter(|_| from == 0) {
                self.section = section;
                let line = lines.line();
                return Ok(Step::Frame(part(&line, 0, line.text.len(), |_| Content::Framing)));
            }
            let rest = match self.section {
                Section::Side(_) => look(&line, from),
                Section::Other | Section::Prose if line.text.trim_ascii().is_empty() => Rest::Blank,
                Section::Other | Section::Prose => Rest::Noise,
            };
            match rest {
                Rest::Begins(start) => {
                    self.joined.begin(&line, start);
                    self.joining = true;
                }
                Rest::Whole(start, end) => {
                    self.from = more(&line, end);
                    let frame = part(&line, start, end, |text| Content::Message { text, origin: Origin::Wire });
                    self.hear(&frame);
                }
                Rest::Noise | Rest::Blank => {
                    let content: fn(&str) -> Content<'_> = match (rest, self.section) {
                        (Rest::Noise, Section::Other) => |_| Content::Framing,
                        (Rest::Noise, Section::Prose) => |text| Content::Event { kind: EventKind::Note, text },
                        (Rest::Noise, _) => |text| Content::Event { kind: EventKind::Noise, text },
                        _ => |_| Content::Blank,
                    };
                    let line = lines.line();
                    return Ok(Step::Frame(part(&line, from, line.text.len(), content)));
                }
            }
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
