//! HTTP archives (HAR 1.2) and the like: documents of exchanges, read exchange by exchange and never as a whole.
//!
//! A document says when an exchange began and how long it took, not when each event of a stream came. The messages of a
//! stream follow its request; only what answers later requests, on the one long stream of HTTP+SSE, waits for them.

use std::collections::HashSet;

use super::archive::{Entry, Layout};
use super::exchange::{Bodies, Body, Exchange};
use super::json_flow::Flow;
use super::later::Later;
use super::staged::{Piece, Stage, What};
use super::{
    Advance, Bid, Confidence, EventKind, Format, Half, Head, LineBuffer, Proof, ReadError, ReadOptions, Reader, Step,
};
use crate::position::Position;
use crate::protocol::Direction;

/// The row of HTTP archives.
pub(super) const FORMAT: Format = Format {
    name: "har",
    title: "HTTP archives (HAR 1.2) of browsers and proxies; the network export of MCP Inspector",
    example: r#"{"log":{"version":"1.2","entries":[{"startedDateTime":"2025-01-02T03:04:05.678Z","time":4,"request":{"method":"POST","url":"http://localhost/mcp","postData":{"text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"}}}]}}"#,
    loses: "the times of single events in a stream, and often the bodies of streams that were open",
    proof: Proof::Defined,
    sniff,
    open: |options| Box::new(Har::new(options)),
};

fn sniff(head: &Head<'_>) -> Bid {
    let text = head.text.trim_ascii_start();
    if !head.first || !text.starts_with(['{', '[']) {
        return Bid::NONE;
    }
    let has = |name: &str| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some();
    if text.starts_with('{') && has("\"log\"") && (has("\"entries\"") || has("\"creator\"")) {
        return Bid::new(Confidence::Certain, "the document begins an HTTP archive");
    }
    let inspector = ["\"requestHeaders\"", "\"url\"", "\"method\""].into_iter().all(has);
    if text.starts_with('[') && inspector {
        return Bid::new(Confidence::Certain, "the document is an array of HTTP exchanges");
    }
    Bid::NONE
}

/// Addresses that are known to speak MCP.
const MAX_ADDRESSES: usize = 64;

struct Har {
    zone: jiff::tz::TimeZone,
    flow: Flow,
    /// The current piece of the document is not through.
    inside: bool,
    begun: bool,
    layout: Layout,
    entry: Entry,
    entries: u64,
    stage: Stage,
    bodies: Bodies,
    later: Later,
    addresses: HashSet<String>,
    finished: bool,
    /// Why the document could not be read whole.
    problem: Option<String>,
}

impl Har {
    fn new(options: &ReadOptions) -> Self {
        Self {
            zone: options.zone.clone(),
            flow: Flow::new(options.max_line),
            inside: false,
            begun: false,
            layout: Layout::default(),
            entry: Entry::default(),
            entries: 0,
            stage: Stage::covering(),
            bodies: Bodies::default(),
            later: Later::default(),
            addresses: HashSet::new(),
            finished: false,
            problem: None,
        }
    }

    /// Reads on in the piece until something is staged or the piece is through.
    fn read(&mut self, piece: &[u8]) {
        while self.inside && self.stage.is_through() {
            match self.flow.next(piece) {
                Ok(Some(token)) => {
                    if self.layout.take(token, &mut self.flow, piece, &mut self.entry) {
                        let end = self.flow.place(piece);
                        self.exchange(end, false);
                    }
                }
                Ok(None) => self.inside = false,
                Err(_) => {
                    let (offset, line) = self.flow.place(piece);
                    self.problem = Some(format!("line {line} is no JSON at byte {offset}"));
                    self.inside = false;
                }
            }
        }
    }

    /// Stages an exchange that has been read up to the given byte and line.
    fn exchange(&mut self, end: (u64, u64), cut: bool) {
        self.entries += 1;
        let mut entry = std::mem::take(&mut self.entry);
        entry.finish(self.entries);
        let (began, ended) = entry.times(&self.zone);
        self.later.until(began, &mut self.stage);
        let mut exchange = std::mem::take(&mut entry.exchange);
        let known = exchange.is_mcp() || self.addresses.contains(entry.address());

        let place = |part| entry.request.place(part, self.entries);
        let pointer = self.layout.pointer(Half::Request, self.entries - 1);
        let text = entry.request.text();
        let body = Body { text, place: &place, pointer: &pointer, time: began, flags: entry.request.flags };
        self.stage.carry(&exchange.request, exchange.session());
        let asked = !text.is_empty() && self.bodies.json(&mut self.stage, &body, Direction::ClientToServer, known);

        let media = entry
            .media_type()
            .filter(|media| media != "x-unknown")
            .or_else(|| Exchange::media_type(&exchange.response));
        exchange.response.streamed = media.as_deref() == Some("text/event-stream");
        let place = |part| entry.response.place(part, self.entries);
        let pointer = self.layout.pointer(Half::Response, self.entries - 1);
        let (flags, answer) = (entry.response.flags, entry.response.text());
        let mut stream = Stage::default();
        let found = if exchange.response.streamed {
            let body = Body { text: answer, place: &place, pointer: &pointer, time: None, flags };
            // Only a stream that nobody asked for can answer what stands behind it.
            let to = if asked { &mut self.stage } else { &mut stream };
            to.carry(&exchange.response, exchange.session());
            let (found, _) = self.bodies.stream(to, &body, &mut exchange, !cut);
            if asked && found > 0 {
                // The answer ends the stream of its request.
                to.time_last(ended);
            }
            found
        } else {
            let body = Body { text: answer, place: &place, pointer: &pointer, time: ended, flags };
            self.stage.carry(&exchange.response, exchange.session());
            u64::from(self.bodies.json(&mut self.stage, &body, Direction::ServerToClient, known && asked))
        };
        let mcp = known || asked || found > 0;
        let session = exchange.session().unwrap_or(entry.address()).to_owned();
        self.stage.name_session(&session);
        stream.name_session(&session);
        if found == 0 {
            let position = self.stage.behind(entry.position(end, self.entries));
            let kind = if mcp { exchange.event(Half::Response) } else { EventKind::Http };
            let more = match (exchange.response.streamed, entry.response.bytes.is_empty()) {
                (true, true) => "an event stream that is not in the recording",
                (true, false) => "an event stream without events",
                _ => "",
            };
            let said = exchange.say(Half::Response, more);
            self.stage.push(&Piece { time: began, ..Piece::new(What::Event(kind), &said, position) }, true);
        }
        if exchange.has_endpoint() {
            let position = Position { length: 0, ..entry.position(end, self.entries) };
            let closed = exchange.say(Half::Response, "the stream closed");
            let event = Piece { time: ended, ..Piece::new(What::Event(EventKind::TransportClosed), &closed, position) };
            stream.push(&event, true);
            self.later.push(stream, Some(&session), ended, &mut self.stage);
        } else {
            stream.move_to(&mut self.stage, usize::MAX);
        }
        if asked {
            self.later.asked(Some(&session), text, &mut self.stage);
        }
        if mcp && !known && self.addresses.len() < MAX_ADDRESSES {
            self.addresses.insert(entry.address().to_owned());
        }
        self.flow.held.give_back(entry.request.bytes);
        self.flow.held.give_back(entry.response.bytes);
    }

    fn finish(&mut self, lines: &LineBuffer) {
        self.finished = true;
        let (offset, line) = lines.consumed();
        if self.problem.is_none() && (self.flow.depth() > 0 || !self.begun) {
            self.problem =
                Some(format!("the document is not closed in line {line} at byte {offset}, the end of the input"));
        }
        if self.layout.is_inside() {
            // What there is of the last entry.
            if self.flow.is_within_text()
                && let Some(half) = self.layout.cut_body(self.flow.depth())
            {
                self.entry.take_cut(half, &mut self.flow.held, offset);
            }
            self.exchange((offset, line), true);
        }
        self.later.finish(&mut self.stage);
        self.stage.cover(line);
    }
}

impl Reader for Har {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        while self.stage.is_through() {
            if self.inside {
                self.read(lines.raw());
                continue;
            }
            let before = lines.consumed();
            match lines.advance_bytes()? {
                Advance::Line if self.problem.is_some() => {}
                Advance::Line => {
                    let first = (!self.begun).then_some(before.1 + 1);
                    if let Some(line) = first {
                        self.stage.begin(line, before.0);
                    }
                    self.flow.begin_piece(lines.raw_offset(), first);
                    (self.begun, self.inside) = (true, true);
                }
                Advance::Idle => return Ok(Step::Idle),
                Advance::Paused => return Ok(Step::Paused),
                Advance::End if !self.finished => self.finish(lines),
                Advance::End => return Ok(Step::End),
            }
        }
        Ok(self.stage.pop().map_or(Step::Idle, Step::Frame))
    }

    fn problem(&self) -> Option<String> {
        self.problem.clone()
    }
}
