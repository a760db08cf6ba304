//! What `tshark -T json` makes of a packet capture: an array of packets, of which those with HTTP in them count. It has
//! reassembled them: a response stands where its last packet came.

use std::collections::{HashMap, HashSet, VecDeque};

use super::exchange::{Bodies, Body, Exchange, opens_session};
use super::json_flow::{Flow, Token};
use super::staged::{Piece, Stage, What};
use super::{
    Advance, Bid, Confidence, EventKind, Flags, Format, Half, Head, LineBuffer, Proof, ReadError, ReadOptions, Reader,
    Stamp, Step, stamp,
};
use crate::position::Position;
use crate::protocol::Direction;

/// The row of `tshark`.
pub(super) const FORMAT: Format = Format {
    name: "tshark",
    title: "packet captures through `tshark -T json`; a `.pcap` is handed to `tshark` where that is installed",
    example: r#"[{"_source":{"layers":{"frame":{"frame.time_epoch":"1735787045.678"},"tcp":{"tcp.stream":"0"},"http":{"POST /mcp HTTP/1.1\\r\\n":{"http.request.method":"POST","http.request.uri":"/mcp"},"http.file_data":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"}}}}]"#,
    loses: "the times of single events in a stream, streams that were not closed, and whatever was encrypted",
    proof: Proof::Recorded,
    sniff,
    open: |options| Box::new(Tshark::new(options)),
};

fn sniff(head: &Head<'_>) -> Bid {
    let text = head.text.trim_ascii_start();
    let has = |name: &str| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some();
    if head.first && text.starts_with('[') && has("\"_source\"") && has("\"layers\"") {
        return Bid::new(Confidence::Certain, "the document is an array of packets");
    }
    Bid::NONE
}

/// Connections with a request that waits for its response.
const MAX_CONNECTIONS: usize = 1_024;
/// Requests of one connection that wait.
const MAX_WAITING: usize = 64;
/// Requests that wait for the session that their answer names.
const MAX_OPENING: usize = 64;

/// One packet with HTTP in it.
#[derive(Default)]
struct Packet {
    exchange: Exchange,
    half: Option<Half>,
    time: String,
    connection: String,
    method: String,
    path: String,
    body: Option<Text>,
    begun: (u64, u64),
}

struct Text {
    text: String,
    flags: Flags,
    place: (u64, u64, u64),
}

struct Tshark {
    zone: jiff::tz::TimeZone,
    flow: Flow,
    inside: bool,
    begun: bool,
    /// The member that is read at each depth, if it matters.
    path: [&'static str; DEPTH],
    packet: Packet,
    packets: u64,
    exchanges: u64,
    waiting: HashMap<String, VecDeque<Exchange>>,
    /// Exchanges whose request is staged and waits for a name.
    opening: HashSet<u64>,
    stage: Stage,
    bodies: Bodies,
    finished: bool,
    problem: Option<String>,
}

const DEPTH: usize = 8;

/// The names of members that matter.
fn known(name: &str) -> &'static str {
    macro_rules! known {
        ($($name:literal)*) => { match name { $($name => $name,)* _ => "" } };
    }
    known!("_source" "layers" "frame" "tcp" "http" "frame.time_epoch" "tcp.stream" "http.request.method" "http.request.uri"
        "http.response.code" "http.request.line" "http.response.line" "http.file_data")
}

impl Tshark {
    fn new(options: &ReadOptions) -> Self {
        Self {
            zone: options.zone.clone(),
            flow: Flow::new(options.max_line),
            inside: false,
            begun: false,
            path: [""; DEPTH],
            packet: Packet::default(),
            packets: 0,
            exchanges: 0,
            waiting: HashMap::new(),
            opening: HashSet::new(),
            stage: Stage::covering(),
            bodies: Bodies::default(),
            finished: false,
            problem: None,
        }
    }

    fn read(&mut self, piece: &[u8]) {
        while self.inside && (self.stage.is_through() || !self.opening.is_empty()) {
            match self.flow.next(piece) {
                Ok(Some(token)) => self.token(token, piece),
                Ok(None) => self.inside = false,
                Err(_) => {
                    let (offset, line) = self.flow.place(piece);
                    self.problem = Some(format!("line {line} is no JSON at byte {offset}"));
                    self.inside = false;
                }
            }
        }
    }

    fn token(&mut self, token: Token, piece: &[u8]) {
        let depth = self.flow.depth();
        match token {
            Token::Open => {
                if depth == 2 {
                    self.packets += 1;
                    self.packet = Packet { begun: self.flow.place(piece), ..Packet::default() };
                }
                // The values of a name that stands several times may be one array.
                let listed = !self.flow.in_object() && self.wanted(depth - 1);
                if let Some(member) = self.path.get_mut(depth) {
                    *member = if listed { "http.request.line" } else { "" };
                }
                self.flow.want = listed;
            }
            Token::Close => {
                if depth == 4 && self.path[2..5] == ["_source", "layers", "http"] {
                    let end = self.flow.place(piece);
                    self.message(end);
                }
            }
            Token::Name => {
                let name = known(self.flow.text());
                if let Some(member) = self.path.get_mut(depth) {
                    *member = name;
                }
                self.flow.want = self.wanted(depth);
            }
            Token::Text => {
                self.value(depth);
                self.flow.want = !self.flow.in_object() && self.wanted(depth);
            }
            Token::Scalar => {}
        }
    }

    /// Whether a value at this depth is one of those that matter.
    fn wanted(&self, depth: usize) -> bool {
        let layer = (5..DEPTH).contains(&depth) && self.path[2..4] == ["_source", "layers"];
        layer && self.path[4..=depth].iter().all(|name| !name.is_empty() || depth > 5) && !self.path[depth].is_empty()
    }

    fn value(&mut self, depth: usize) {
        if !self.wanted(depth) {
            return;
        }
        let packet = &mut self.packet;
        let name = if depth >= 6 && self.path[5].ends_with(".line") { self.path[5] } else { self.path[depth] };
        match name {
            "http.file_data" => {
                let text = String::from_utf8(self.flow.held.take()).unwrap_or_default();
                let (flags, held) = (self.flow.held.flags, &self.flow.held);
                packet.body = Some(Text { text: bytes_of(text), flags, place: (held.line, held.offset, held.length) });
            }
            "frame.time_epoch" => packet.time = self.flow.text().to_owned(),
            "tcp.stream" => packet.connection = self.flow.text().to_owned(),
            "http.request.method" => {
                packet.half = Some(Half::Request);
                packet.method = self.flow.text().to_owned();
            }
            "http.request.uri" => packet.path = self.flow.text().to_owned(),
            "http.response.code" => {
                packet.half = Some(Half::Response);
                packet.exchange.response.status = self.flow.text().parse().ok();
            }
            "http.request.line" | "http.response.line" => {
                let half = if name == "http.request.line" { Half::Request } else { Half::Response };
                if let Some((name, value)) = self.flow.text().split_once(':') {
                    packet.exchange.header(half, name, value);
                }
            }
            _ => {}
        }
    }

    /// Stages the HTTP message of the packet.
    fn message(&mut self, end: (u64, u64)) {
        let fresh = Packet {
            time: self.packet.time.clone(),
            connection: self.packet.connection.clone(),
            begun: self.packet.begun,
            ..Packet::default()
        };
        let packet = std::mem::replace(&mut self.packet, fresh);
        let Some(half) = packet.half else { return };
        let mut exchange = packet.exchange;
        if half == Half::Request {
            self.exchanges += 1;
            exchange.number(self.exchanges);
            exchange.asked(&packet.method, &packet.path);
        } else {
            match self.waiting.get_mut(&packet.connection).and_then(VecDeque::pop_front) {
                Some(asked) => exchange.answers(asked),
                None => {
                    self.exchanges += 1;
                    exchange.number(self.exchanges);
                }
            }
        }
        let time = self.time(&packet.time);
        let media = Exchange::media_type(if half == Half::Request { &exchange.request } else { &exchange.response });
        let streamed = half == Half::Response && media.as_deref() == Some("text/event-stream");
        exchange.response.streamed = streamed;
        let number = exchange.request.exchange;
        let http = if half == Half::Request { &exchange.request } else { &exchange.response };
        self.stage.carry(http, exchange.session());
        let (found, opens) = match &packet.body {
            Some(body) if !body.text.is_empty() => {
                let (line, offset, length) = body.place;
                let entry = Some(self.packets);
                let place = |_| Position { line, end_line: line, offset, length, lead: None, entry };
                let pointer = format!("/{}/_source/layers/http/http.file_data", self.packets - 1);
                // A stream is told when it ends; only what is no stream came at that time.
                let time = time.filter(|_| !streamed);
                let told = Body { text: &body.text, place: &place, pointer: &pointer, time, flags: body.flags };
                if streamed {
                    (self.bodies.stream(&mut self.stage, &told, &mut exchange, true).0, false)
                } else {
                    let way = if half == Half::Request { Direction::ClientToServer } else { Direction::ServerToClient };
                    let known = exchange.is_mcp();
                    let found = self.bodies.json(&mut self.stage, &told, way, known);
                    (
                        u64::from(found),
                        half == Half::Request && exchange.session().is_none() && opens_session(&body.text),
                    )
                }
            }
            _ => (0, false),
        };
        if streamed && found > 0 {
            self.stage.time_last(time);
        }
        if found == 0 {
            let (offset, line) = packet.begun;
            let place = Position {
                line,
                end_line: end.1,
                offset,
                length: end.0 - offset,
                lead: None,
                entry: Some(self.packets),
            };
            let position = self.stage.behind(place);
            let kind = if exchange.is_mcp() || streamed { exchange.event(half) } else { EventKind::Http };
            let said = exchange.say(half, if streamed { "an event stream without events" } else { "" });
            self.stage.push(&Piece { time, ..Piece::new(What::Event(kind), &said, position) }, true);
        }
        if half == Half::Response {
            if let Some(session) = exchange.session() {
                self.stage.name_exchange(number, session);
            }
            self.opening.remove(&number);
        } else {
            if opens && self.opening.len() < MAX_OPENING {
                self.opening.insert(number);
            }
            self.wait(packet.connection, exchange);
        }
    }

    fn wait(&mut self, connection: String, exchange: Exchange) {
        if self.waiting.len() >= MAX_CONNECTIONS && !self.waiting.contains_key(&connection) {
            self.waiting.clear();
        }
        let waiting = self.waiting.entry(connection).or_default();
        if waiting.len() >= MAX_WAITING {
            waiting.pop_front();
        }
        waiting.push_back(exchange);
    }

    /// Seconds since 1970; of late an instant in words.
    fn time(&self, text: &str) -> Option<Stamp> {
        stamp::epoch(text, 0).or_else(|| stamp::rfc3339(text, &self.zone))
    }

    fn finish(&mut self, lines: &LineBuffer) {
        self.finished = true;
        let (offset, line) = lines.consumed();
        if self.problem.is_none() && self.flow.depth() > 0 {
            self.problem =
                Some(format!("the document is not closed in line {line} at byte {offset}, the end of the input"));
        }
        self.opening.clear();
        self.stage.cover(line);
    }
}

/// A body that newer versions print as bytes, `7b:22` or `7b22`, and older ones as text.
fn bytes_of(text: String) -> String {
    let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b':').collect();
    let colons = text.len() - digits.len();
    let hex = digits.len() >= 2 && digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit);
    if !hex || !(colons == 0 || colons + 1 == digits.len() / 2) {
        return text;
    }
    let value = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| value(pair[0]) << 4 | value(pair[1])).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Reader for Tshark {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        while self.stage.is_through() || !self.opening.is_empty() {
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
                Advance::Paused if self.stage.is_through() => return Ok(Step::Paused),
                // Whoever looks on wants to see the requests before their answers name the session.
                Advance::Paused => self.opening.clear(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_text_or_bytes() {
        for (written, read) in [
            ("7b:22:61:22:7d", "{\"a\"}"),
            ("7b7D", "{}"),
            ("{}", "{}"),
            ("7b:2", "7b:2"),
            ("", ""),
            ("data: ab", "data: ab"),
        ] {
            assert_eq!(bytes_of(written.to_owned()), read);
        }
    }
}
