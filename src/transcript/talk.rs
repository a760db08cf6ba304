//! HTTP/1.1 as text: heads, bodies and what `curl` says between them. One reader for both forms; what a line is in
//! which form stands in their own modules, what an exchange means in `exchange`.
//!
//! Text that was copied has lost its exact bytes, so lengths are hints here: a JSON text tells itself where it ends, and
//! a head begins with a line that nothing else looks like.

use std::collections::VecDeque;

use super::exchange::{Bodies, Body, Exchange, opens_session};
use super::http_body::{Buffer, Fed};
use super::staged::{Piece, Stage, What};
use super::{Advance, EventKind, Flag, Flags, Half, Line, LineBuffer, ReadError, Reader, Step};
use crate::position::Position;
use crate::protocol::Direction;

/// Requests that wait for their response.
const MAX_WAITING: usize = 64;

/// What a line is to a form of HTTP text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said<'t> {
    /// Begins a head.
    Start(Half, &'t str),
    /// A header, or the blank line behind the last of them.
    Header(Half, &'t str),
    /// A line that only frames. `last`: nothing more comes over the connection, though what came may still be printed.
    Aside { last: bool },
    /// The program that fetches has failed.
    Failure(&'t str),
    /// A line of a body, or nothing of HTTP.
    Text,
}

/// How a form writes its lines: in which half and whether in a head the line stands.
pub(super) type Form = fn(&str, Option<Half>) -> Said<'_>;

/// The reader.
pub(super) struct Talk {
    form: Form,
    /// The form shows the bodies of requests, byte for byte.
    whole: bool,
    stage: Stage,
    bodies: Bodies,
    exchange: Exchange,
    /// Requests without a response so far, oldest first.
    waiting: VecDeque<Exchange>,
    count: u64,
    place: Place,
    body: Buffer,
    /// Messages found in the body.
    found: u64,
    /// Where the half began.
    began: Position,
    /// The stage waits for a response that names the session.
    held: bool,
    /// The last line, and the byte behind it.
    end: (u64, u64),
    finished: bool,
    problem: Option<String>,
}

/// What the next line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Between,
    Head(Half),
    Body(Half),
}

impl Talk {
    pub(super) fn new(form: Form, whole: bool, limit: u64) -> Self {
        Self {
            form,
            whole,
            stage: Stage::covering(),
            bodies: Bodies::default(),
            exchange: Exchange::default(),
            waiting: VecDeque::new(),
            count: 0,
            place: Place::Between,
            body: Buffer::new(limit),
            found: 0,
            began: Position::default(),
            held: false,
            end: (0, 0),
            finished: false,
            problem: None,
        }
    }

    /// Takes a physical line, in which a further piece may follow the end of a JSON text.
    fn line(&mut self, line: &Line<'_>) {
        if self.end.0 == 0 {
            self.stage.begin(line.number, line.offset);
        }
        let mut from = Some(0);
        while let Some(start) = from {
            from = self.piece(line, start);
        }
        self.end = (line.number, line.offset + line.length);
    }

    /// Takes what stands in a line from a place on; where the next piece begins, if there is one.
    fn piece(&mut self, line: &Line<'_>, from: usize) -> Option<usize> {
        let text = &line.text[from..];
        let head = match self.place {
            Place::Head(half) => Some(half),
            _ => None,
        };
        let said = if self.body.is_opaque() { Said::Text } else { (self.form)(text, head) };
        match said {
            Said::Start(half, first) => {
                self.close();
                self.began = position(line, from);
                self.start(half, first);
            }
            Said::Header(half, "") if head == Some(half) => self.head_ends(half, line),
            Said::Header(half, header) if head == Some(half) => {
                if let Some((name, value)) = header.split_once(':') {
                    self.exchange.header(half, name, value);
                }
            }
            Said::Aside { last } => {
                if last && self.body.is_stream() {
                    self.stream(true);
                }
            }
            Said::Failure(text) => {
                self.close();
                self.stage.push(&Piece::new(What::Event(EventKind::Note), text, position(line, from)), false);
            }
            Said::Text | Said::Header(..) => return self.text(line, from),
        }
        None
    }

    fn text(&mut self, line: &Line<'_>, from: usize) -> Option<usize> {
        let Place::Body(half) = self.place else {
            let text = line.text[from..].trim_ascii();
            // What follows a body on its line is a prompt, or the mark of a shell for a missing line end.
            if from == 0 && !text.is_empty() {
                let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
                let noise = Piece { flags, ..Piece::new(What::Event(EventKind::Noise), text, position(line, from)) };
                self.stage.push(&noise, false);
            }
            return None;
        };
        match self.body.feed(line, from) {
            Fed::More => None,
            Fed::Events => {
                self.stream(false);
                None
            }
            Fed::Json(rest) => {
                self.json(half);
                rest
            }
            Fed::End => {
                self.close();
                None
            }
        }
    }

    fn start(&mut self, half: Half, first: &str) {
        let mut words = first.split_ascii_whitespace();
        if half == Half::Request {
            self.count += 1;
            self.exchange = Exchange::new(self.count);
            self.exchange.asked(words.next().unwrap_or_default(), words.next().unwrap_or_default());
        } else {
            self.exchange = match self.waiting.pop_front() {
                Some(exchange) => exchange,
                None => {
                    self.count += 1;
                    Exchange::new(self.count)
                }
            };
            self.exchange.response.status = words.nth(1).and_then(|status| status.parse().ok());
        }
        self.place = Place::Head(half);
        self.found = 0;
    }

    fn head_ends(&mut self, half: Half, line: &Line<'_>) {
        let status = self.exchange.response.status;
        let interim = half == Half::Response && status.is_some_and(|status| (100..200).contains(&status));
        if interim {
            self.waiting.push_front(std::mem::take(&mut self.exchange));
            self.place = Place::Between;
            return;
        }
        if half == Half::Response {
            if let Some(session) = self.exchange.session() {
                self.stage.name_session(session);
            }
            self.held = false;
        }
        let http = if half == Half::Request { &self.exchange.request } else { &self.exchange.response };
        let length = http.header("content-length").and_then(|length| length.parse().ok());
        let asked = self.exchange.request.method.as_deref();
        let none = match half {
            Half::Request => {
                !self.whole || length == Some(0) || matches!(asked, Some("GET" | "DELETE" | "HEAD" | "OPTIONS"))
            }
            Half::Response => length == Some(0) || matches!(status, Some(204 | 304)) || asked == Some("HEAD"),
        };
        self.place = Place::Body(half);
        self.body.begin(Exchange::media_type(http).as_deref() == Some("text/event-stream"), length, self.whole);
        match half {
            Half::Request => self.exchange.request.streamed = false,
            Half::Response => self.exchange.response.streamed = self.body.is_stream(),
        }
        self.end = (line.number, line.offset + line.length);
        if none {
            self.close();
        }
    }

    /// Stages the JSON text of the body.
    fn json(&mut self, half: Half) {
        let way = if half == Half::Request { Direction::ClientToServer } else { Direction::ServerToClient };
        let known = self.exchange.is_mcp();
        self.carry(half);
        let place = |part| self.body.place(part);
        let body = Body { text: self.body.text(), place: &place, pointer: "", time: None, flags: self.body.flags() };
        if self.bodies.json(&mut self.stage, &body, way, known) {
            self.found += 1;
            self.held |= half == Half::Request && self.exchange.session().is_none() && opens_session(body.text);
        }
        self.body.done();
    }

    /// Stages the events of the body that are whole, or all when it ends.
    fn stream(&mut self, complete: bool) {
        self.carry(Half::Response);
        let place = |part| self.body.place(part);
        let body = Body { text: self.body.text(), place: &place, pointer: "", time: None, flags: self.body.flags() };
        let (found, through) = self.bodies.stream(&mut self.stage, &body, &mut self.exchange, complete);
        self.found += found;
        self.body.drain(through);
    }

    /// Ends the body, and with a response the exchange.
    fn close(&mut self) {
        let (half, head) = match std::mem::replace(&mut self.place, Place::Between) {
            Place::Between => return,
            Place::Head(half) => (half, true),
            Place::Body(half) => (half, false),
        };
        if !head {
            if self.body.is_stream() {
                self.stream(true);
            } else if self.body.is_json() {
                self.json(half);
            }
        }
        self.body.done();
        if self.found == 0 {
            self.told(half);
        }
        if half == Half::Request {
            if self.waiting.len() >= MAX_WAITING {
                self.waiting.pop_front();
            }
            self.waiting.push_back(std::mem::take(&mut self.exchange));
        }
    }

    /// Stages what there is to say of a half without a message.
    fn told(&mut self, half: Half) {
        self.carry(half);
        let end_line = self.end.0.max(self.began.line);
        let length = self.end.1.saturating_sub(self.began.offset);
        let position = self.stage.behind(Position { end_line, length, ..self.began });
        let outline = if half == Half::Request { self.exchange.outline() } else { None };
        match outline {
            Some((kind, method)) => {
                let method = method.to_owned();
                let outline = Piece {
                    direction: Some(Direction::ClientToServer),
                    flags: Flags::NONE.with(Flag::Elided),
                    ..Piece::new(What::Outline(kind), &method, position)
                };
                self.stage.push(&outline, true);
            }
            None => {
                let more = if self.exchange.response.streamed { "an event stream without events" } else { "" };
                let said = self.exchange.say(half, if half == Half::Response { more } else { "" });
                self.stage.push(&Piece::new(What::Event(self.exchange.event(half)), &said, position), true);
            }
        }
    }

    fn carry(&mut self, half: Half) {
        let http = if half == Half::Request { &self.exchange.request } else { &self.exchange.response };
        self.stage.carry(http, self.exchange.session());
    }

    fn finish(&mut self) {
        self.problem = match self.place {
            Place::Body(_) => self.body.missing(self.whole),
            _ => None,
        };
        self.close();
        self.stage.cover(self.end.0);
        self.held = false;
        self.finished = true;
    }
}

/// The place of what stands in a line from a place on.
fn position(line: &Line<'_>, from: usize) -> Position {
    let (offset, length) = line.locate(from..line.text.len());
    let length = if line.oversized { line.length - (offset - line.offset) } else { length };
    Position { line: line.number, end_line: line.number, offset, length, lead: None, entry: None }
}

impl Reader for Talk {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        while self.stage.is_through() || self.held {
            match lines.advance()? {
                Advance::Line => self.line(&lines.line()),
                Advance::Idle => return Ok(Step::Idle),
                Advance::Paused if self.stage.is_through() => return Ok(Step::Paused),
                // Whoever looks on wants to see the request before its answer names the session.
                Advance::Paused => self.held = false,
                Advance::End if !self.finished => self.finish(),
                Advance::End => return Ok(Step::End),
            }
        }
        Ok(self.stage.pop().map_or(Step::Idle, Step::Frame))
    }

    fn problem(&self) -> Option<String> {
        let (line, at) = self.end;
        self.problem.as_ref().map(|what| format!("line {line} ends {what} at byte {at}, the end of the input"))
    }
}
