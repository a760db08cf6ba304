//! An event stream as a server sent it: the body of a response, byte for byte. Only what the server says is in it.

use super::event_stream::{Field, Meaning, events, field, lines, meaning};
use super::json_scan::{looks_like_rpc, value_end};
use super::jsonl::bare;
use super::{
    Advance, Bid, Confidence, Content, EventKind, Flag, Flags, Format, Frame, Half, Head, Http, Line, LineBuffer,
    ReadError, Reader, Step,
};
use crate::position::Position;
use crate::protocol::Direction;

/// The row of event streams.
pub(super) const FORMAT: Format = Format {
    name: "sse",
    title: "an event stream as a server sent it: `curl -N`, a saved response body",
    example: "event: message\nid: 7\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n",
    loses: "what the client sent, and times",
    proof: super::Proof::Defined,
    sniff,
    open: |options| Box::new(Sse::new(options.max_line)),
};

/// How many lines of a head are looked at.
const LINES: usize = 80;
/// Bytes kept of an event's name or id.
const MAX_NAME: usize = 1 << 10;

fn sniff(head: &Head<'_>) -> Bid {
    let text = head.text.trim_ascii_start();
    if lines(text).next().is_none_or(|(_, first)| field(first) == Field::Unknown) {
        return Bid::NONE;
    }
    let (mut named, mut resumable, mut strange) = (false, false, 0);
    for (_, line) in lines(text).take(LINES) {
        match field(line) {
            Field::Name(name) => named |= matches!(name, "message" | "endpoint"),
            Field::Id(_) => resumable = true,
            Field::Unknown => strange += 1,
            Field::Data(_) | Field::Aside | Field::End => {}
        }
    }
    let message = events(text).take(LINES).any(|event| looks_like_rpc(&event.data));
    match (message, strange) {
        (true, 0) => Bid::new(Confidence::Certain, "the lines are those of an event stream, with JSON-RPC messages"),
        (true, _) => Bid::new(Confidence::Likely, "events of a stream hold JSON-RPC messages"),
        (false, 0) if named => Bid::new(Confidence::Likely, "the lines begin an event stream of MCP"),
        (false, 0) if resumable && !head.complete => Bid::new(Confidence::Possible, "the lines begin an event stream"),
        _ => Bid::NONE,
    }
}

/// The reader: data on one line, which is what servers send, are borrowed from it.
struct Sse {
    limit: usize,
    /// Where the next line of the stream begins within the physical line: a lone carriage return ends a line too.
    from: Option<usize>,
    event: Event,
    /// Data over several lines, or with other fields behind them, as far as they are there.
    joined: Option<Joined>,
    /// Such data as they are handed out.
    shown: Joined,
    /// Line and byte behind the last line that is not blank.
    end: (u64, u64),
}

/// The event that is being read.
struct Event {
    name: String,
    /// It has fields and was not ended.
    begun: bool,
    http: Http,
    /// What it says, when it is no message.
    said: String,
}

#[derive(Default)]
struct Joined {
    text: String,
    position: Position,
    flags: Flags,
}

/// A line of the stream, by its place in the physical line.
#[derive(Clone, Copy)]
enum Part {
    Whole,
    Piece(usize, usize),
}

impl Part {
    /// Where it begins, and its text.
    fn of<'t>(self, line: &Line<'t>) -> (usize, &'t str) {
        match self {
            Self::Whole => (0, line.text),
            Self::Piece(start, end) => (start, &line.text[start..end]),
        }
    }
}

/// What is to be handed out.
#[allow(clippy::large_enum_variant)]
enum Turn {
    /// A line that is a frame of its own; with data, `last` when the input ends behind them.
    Line { part: Part, last: bool },
    /// The data that were put together.
    Joined { last: bool },
    /// No frame.
    Step(Step<'static>),
}

/// What follows a line of data.
#[allow(clippy::large_enum_variant)]
enum Behind {
    /// The end of the event.
    Blank,
    /// The end of the input.
    End,
    /// More of the event.
    More,
    /// Nothing yet.
    Silence(Step<'static>),
}

/// What follows a line of data that is a whole physical line.
fn behind(lines: &mut LineBuffer) -> Behind {
    let there = if lines.ahead().is_empty() { lines.look_ahead(1) } else { Advance::Line };
    match (lines.ahead().first(), there) {
        (Some(b'\n' | b'\r'), _) => Behind::Blank,
        (Some(_), _) => Behind::More,
        (None, Advance::Idle) => Behind::Silence(Step::Idle),
        (None, Advance::Paused) => Behind::Silence(Step::Paused),
        (None, Advance::Line | Advance::End) => Behind::End,
    }
}

fn is_data(line: &[u8]) -> bool {
    line.strip_prefix(b"data").is_some_and(|rest| matches!(rest.first(), None | Some(b':')))
}

impl Sse {
    fn new(limit: u64) -> Self {
        Self {
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            from: None,
            event: Event {
                name: String::new(),
                begun: false,
                http: Http { half: Half::Response, exchange: 1, streamed: true, ..Http::default() },
                said: String::new(),
            },
            joined: None,
            shown: Joined::default(),
            end: (0, 0),
        }
    }

    /// Goes on to what is a frame.
    fn turn(&mut self, lines: &mut LineBuffer) -> Result<Turn, ReadError> {
        loop {
            let from = match self.from.take() {
                Some(from) => from,
                None => match lines.advance()? {
                    Advance::Line => 0,
                    Advance::Idle => return Ok(Turn::Step(Step::Idle)),
                    Advance::Paused => return Ok(Turn::Step(Step::Paused)),
                    Advance::End => return Ok(self.show_joined(true).unwrap_or(Turn::Step(Step::End))),
                },
            };
            let whole = from == 0 && memchr::memchr(b'\r', lines.raw()).is_none();
            let (part, next, data, blank) = if whole {
                (Part::Whole, None, is_data(lines.raw()), lines.raw().is_empty())
            } else {
                let line = lines.line();
                let rest = &line.text.as_bytes()[from..];
                let size = memchr::memchr(b'\r', rest).unwrap_or(rest.len());
                let more = size < rest.len() && (size + 1 < rest.len() || line.terminated);
                let next = more.then_some(from + size + 1);
                (Part::Piece(from, from + size), next, is_data(&rest[..size]), size == 0)
            };
            if blank && let Some(turn) = self.show_joined(false) {
                // The blank line is a frame of its own, behind that of the data.
                self.from = Some(from);
                return Ok(turn);
            }
            self.from = next;
            if self.joined.is_some() {
                self.extend(&lines.line(), part);
                continue;
            }
            let behind = match next {
                _ if !data => return Ok(Turn::Line { part, last: false }),
                None => behind(lines),
                Some(next) if matches!(lines.line().text.as_bytes().get(next), None | Some(b'\r')) => Behind::Blank,
                Some(_) => Behind::More,
            };
            match behind {
                Behind::Blank => return Ok(Turn::Line { part, last: false }),
                Behind::End => return Ok(Turn::Line { part, last: true }),
                Behind::More => {
                    self.joined = Some(Joined::default());
                    self.extend(&lines.line(), part);
                }
                Behind::Silence(step) => {
                    self.from = Some(from);
                    return Ok(Turn::Step(step));
                }
            }
        }
    }

    fn show_joined(&mut self, last: bool) -> Option<Turn> {
        self.shown = self.joined.take()?;
        Some(Turn::Joined { last })
    }

    /// Takes a further line of an event whose data are put together.
    fn extend(&mut self, line: &Line<'_>, part: Part) {
        let (start, text) = part.of(line);
        let said = field(text);
        self.event.note(said);
        let Some(joined) = &mut self.joined else { return };
        if let Field::Data(value) = said {
            let end = start + text.len();
            let (offset, length) = line.locate(end - value.len()..end);
            if joined.position.line == 0 {
                joined.position = Position { line: line.number, offset, ..Position::default() };
            } else {
                joined.text.push('\n');
            }
            let fits = value.len() <= self.limit.saturating_sub(joined.text.len());
            joined.text.push_str(if fits { value } else { "" });
            joined.position.length = offset + length - joined.position.offset;
            joined.flags = joined.flags.union(flags_of(line)).with_if(!fits, Flag::Oversized);
        }
        joined.position.end_line = line.number;
        self.end = (line.number, line.offset + line.length);
    }
}

impl Event {
    /// Keeps what belongs to the event beside its data.
    fn note(&mut self, said: Field<'_>) {
        match said {
            Field::Name(name) => {
                self.name.clear();
                self.name.push_str(cut(name));
            }
            Field::Id(id) => self.http.set_event_id(Some(cut(id))),
            Field::End | Field::Data(_) | Field::Aside | Field::Unknown => return,
        }
        self.begun = true;
    }

    /// The frame of a line.
    fn line<'b>(&'b mut self, line: &Line<'b>, part: Part, last: bool) -> Frame<'b> {
        let (start, text) = part.of(line);
        let end = start + text.len();
        let said = field(text);
        let content = match said {
            Field::Data(value) => {
                let place = bare(line, end - value.len()..end, flags_of(line), Content::Framing);
                return self.data(value, place.position, place.flags, last);
            }
            Field::End => {
                self.name.clear();
                self.http.set_event_id(None);
                self.begun = false;
                Content::Blank
            }
            Field::Unknown => Content::Event { kind: EventKind::Noise, text },
            Field::Name(_) | Field::Id(_) | Field::Aside => Content::Framing,
        };
        self.note(said);
        bare(line, start..end, flags_of(line), content)
    }

    /// The frame of the event's data.
    fn data<'b>(&'b mut self, text: &'b str, position: Position, flags: Flags, last: bool) -> Frame<'b> {
        let (mut direction, mut http, mut cut) = (None, Some(&self.http), false);
        let content = match meaning(&self.name, text) {
            Meaning::Priming => {
                http = None;
                Content::Framing
            }
            Meaning::Message(origin) => {
                direction = Some(Direction::ServerToClient);
                cut = last && !flags.has(Flag::Oversized) && value_end(text).is_none();
                Content::Message { text, origin }
            }
            Meaning::Said(EventKind::Http) => {
                self.said.clear();
                self.said.extend([&self.name, " ", text]);
                Content::Event { kind: EventKind::Http, text: &self.said }
            }
            Meaning::Said(kind) => Content::Event { kind, text },
        };
        self.begun = cut;
        let flags = flags.with_if(cut, Flag::Truncated);
        Frame { position, direction, http, flags, content, ..Frame::BLANK }
    }
}

/// The flags of a line.
fn flags_of(line: &Line<'_>) -> Flags {
    Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized)
}

/// A name or id, cut to a sensible length.
fn cut(text: &str) -> &str {
    (0..=text.len().min(MAX_NAME)).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

impl Reader for Sse {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        Ok(match self.turn(lines)? {
            Turn::Step(step) => step,
            Turn::Line { part, last } => {
                let line = lines.line();
                if !line.text.is_empty() {
                    self.end = (line.number, line.offset + line.length);
                }
                Step::Frame(self.event.line(&line, part, last))
            }
            Turn::Joined { last } => {
                let Joined { text, position, flags } = &self.shown;
                Step::Frame(self.event.data(text, *position, *flags, last))
            }
        })
    }

    fn problem(&self) -> Option<String> {
        let (line, at) = self.end;
        self.event
            .begun
            .then(|| format!("line {line} is cut off inside an event of the stream at byte {at}, the end of the input"))
    }
}
