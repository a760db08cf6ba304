//! Where documents of HTTP exchanges keep what: HAR 1.2, and the array that MCP Inspector exports. Takes the tokens of a
//! document and gives its entries; knows nothing of MCP.

use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::exchange::Exchange;
use super::json_flow::{Flow, Held, Token};
use super::{Flag, Flags, Half, Stamp, stamp};
use crate::position::Position;

/// One exchange as the document tells it.
#[derive(Default)]
pub(super) struct Entry {
    pub(super) exchange: Exchange,
    pub(super) url: String,
    pub(super) request: Text,
    pub(super) response: Text,
    method: String,
    started: String,
    /// Milliseconds from the first byte to the last.
    took: Option<f64>,
    media: String,
    encoding: String,
    header: (String, String),
    /// Where it begins.
    began: (u64, u64),
}

/// A string of the document: a body.
#[derive(Default)]
pub(super) struct Text {
    /// UTF-8.
    pub(super) bytes: Vec<u8>,
    pub(super) flags: Flags,
    marks: Vec<(usize, u64)>,
    place: (u64, u64, u64),
}

impl Text {
    fn take(&mut self, held: &mut Held) {
        self.bytes = held.take();
        std::mem::swap(&mut self.marks, &mut held.marks);
        self.place = (held.line, held.offset, held.length);
        self.flags = held.flags;
    }

    /// The text. Reads all of it: to be asked once.
    pub(super) fn text(&self) -> &str {
        simdutf8::basic::from_utf8(&self.bytes).unwrap_or_default()
    }

    /// Undoes base64. What is none stays as it is.
    fn decode(&mut self) {
        if let Ok(bytes) = STANDARD.decode(self.bytes.trim_ascii()) {
            self.marks.clear();
            self.bytes = bytes;
            if simdutf8::basic::from_utf8(&self.bytes).is_err() {
                self.flags = self.flags.with(Flag::BadUtf8);
                self.bytes = String::from_utf8_lossy(&self.bytes).into_owned().into_bytes();
            }
        }
    }

    /// Where a part of the text stands: between escaped line feeds exactly, else the whole string.
    pub(super) fn place(&self, part: Range<usize>, entry: u64) -> Position {
        let (line, offset, length) = self.place;
        let behind = self.marks.partition_point(|(at, _)| *at <= part.end);
        let before = self.marks.partition_point(|(at, _)| *at <= part.start);
        let start = match before.checked_sub(1).map(|index| self.marks[index]) {
            Some((at, raw)) => raw + (part.start - at) as u64,
            None => offset,
        };
        let end = match self.marks.get(behind) {
            // A line feed, and a carriage return before it, are written as two bytes each.
            Some((at, raw)) => raw.saturating_sub(2 * (at - part.end) as u64),
            None => offset + length,
        };
        let start = start.min(offset + length);
        Position { line, end_line: line, offset: start, length: end.max(start) - start, lead: None, entry: Some(entry) }
    }
}

impl Entry {
    fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes a body that the end of the input cut off.
    pub(super) fn take_cut(&mut self, half: Half, held: &mut Held, end: u64) {
        held.length = end - held.offset;
        let text = if half == Half::Request { &mut self.request } else { &mut self.response };
        text.take(held);
    }

    /// When it began, and when it had ended.
    pub(super) fn times(&self, zone: &jiff::tz::TimeZone) -> (Option<Stamp>, Option<Stamp>) {
        let began = stamp::rfc3339(&self.started, zone);
        let ended = began.and_then(|began| {
            let took = self.took.filter(|took| (0.0..1e12).contains(took))?;
            let micros = (took * 1e3) as i64;
            let at = began.at.checked_add(jiff::SignedDuration::from_micros(micros)).ok()?;
            let digits = if micros % 1_000 == 0 { 3 } else { 6 };
            Some(Stamp { at, digits: began.digits.max(digits), ..began })
        });
        (began, ended)
    }

    /// The address without query and fragment.
    pub(super) fn address(&self) -> &str {
        self.url.split(['?', '#']).next().unwrap_or_default()
    }

    /// The media type that the document itself gives the body of the response.
    pub(super) fn media_type(&self) -> Option<String> {
        let media = self.media.split(';').next()?.trim_ascii().to_ascii_lowercase();
        (!media.is_empty()).then_some(media)
    }

    /// Where it stands, up to the given line and byte.
    pub(super) fn position(&self, (offset, line): (u64, u64), entry: u64) -> Position {
        let (began, first) = self.began;
        Position { line: first, end_line: line, offset: began, length: offset - began, lead: None, entry: Some(entry) }
    }

    /// Gives the exchange its number and what the request line would say.
    pub(super) fn finish(&mut self, number: u64) {
        let path = self.url.find("://").and_then(|at| self.url[at + 3..].find('/').map(|slash| at + 3 + slash));
        let path = path.map_or("/", |at| &self.url[at..]);
        let path = path.split('#').next().unwrap_or_default();
        self.exchange.number(number);
        self.exchange.asked(&self.method, path);
        if self.encoding == "base64" {
            self.response.decode();
        }
    }
}

/// A place in the document that matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    None,
    Started,
    Took,
    Method,
    Url,
    Status,
    Body(Half),
    /// A member of an object `{name, value}`.
    HeaderName,
    HeaderValue,
    /// A member whose name is that of the header.
    Header(Half),
    Encoding,
    Media,
}

/// How far the document is.
pub(super) struct Layout {
    /// The depth of an entry: 4 in an archive, 2 in an array.
    base: usize,
    /// The member that is read at each depth, if it matters.
    path: [&'static str; DEPTH],
    inside: bool,
}

const DEPTH: usize = 8;

impl Default for Layout {
    fn default() -> Self {
        Self { base: 0, path: [""; DEPTH], inside: false }
    }
}

impl Layout {
    /// Takes a token; whether an entry is through with it.
    pub(super) fn take(&mut self, token: Token, flow: &mut Flow, piece: &[u8], entry: &mut Entry) -> bool {
        let depth = flow.depth();
        match token {
            Token::Open => {
                if self.base == 0 {
                    self.base = if flow.in_object() { 4 } else { 2 };
                }
                if let Some(member) = self.path.get_mut(depth) {
                    *member = "";
                }
                let listed = self.base == 2 || self.path[1..3] == ["log", "entries"];
                if depth == self.base && listed && flow.in_object() {
                    self.inside = true;
                    entry.clear();
                    entry.began = flow.place(piece);
                }
                if depth == self.base + 3 {
                    entry.header.0.clear();
                    entry.header.1.clear();
                }
            }
            Token::Close => {
                if self.inside && depth == self.base + 2 && self.base == 4 && self.path[5] == "headers" {
                    let half = if self.path[4] == "request" { Half::Request } else { Half::Response };
                    entry.exchange.header(half, &entry.header.0, &entry.header.1);
                }
                if self.inside && depth + 1 == self.base {
                    self.inside = false;
                    return true;
                }
            }
            Token::Name => {
                if let Some(member) = self.path.get_mut(depth) {
                    *member = known(flow.text());
                }
                let field = self.field(depth);
                if let Field::Header(_) = field {
                    entry.header.0.clear();
                    entry.header.0.push_str(flow.text());
                }
                flow.want = !matches!(field, Field::None | Field::Took | Field::Status);
            }
            Token::Text | Token::Scalar => self.value(token, depth, flow, entry),
        }
        false
    }

    fn value(&self, token: Token, depth: usize, flow: &mut Flow, entry: &mut Entry) {
        let field = self.field(depth);
        let place = match field {
            Field::None => return,
            Field::Body(half) if token == Token::Text => {
                let text = if half == Half::Request { &mut entry.request } else { &mut entry.response };
                return text.take(&mut flow.held);
            }
            Field::Took => return entry.took = flow.text().parse().ok(),
            Field::Status => return entry.exchange.response.status = flow.text().parse().ok().filter(|code| *code > 0),
            Field::Header(half) => return entry.exchange.header(half, &entry.header.0, flow.text()),
            _ if token == Token::Scalar => return,
            Field::Started => &mut entry.started,
            Field::Method => &mut entry.method,
            Field::Url => &mut entry.url,
            Field::Encoding => &mut entry.encoding,
            Field::Media => &mut entry.media,
            Field::HeaderName => &mut entry.header.0,
            Field::HeaderValue => &mut entry.header.1,
            Field::Body(_) => return,
        };
        place.clear();
        place.push_str(flow.text());
    }

    /// What the member that is read now is.
    fn field(&self, depth: usize) -> Field {
        if !self.inside || depth >= DEPTH {
            return Field::None;
        }
        if self.base == 2 {
            return match (depth, self.path[2]) {
                (2, "timestamp") => Field::Started,
                (2, "duration") => Field::Took,
                (2, "method") => Field::Method,
                (2, "url") => Field::Url,
                (2, "responseStatus") => Field::Status,
                (2, "requestBody") => Field::Body(Half::Request),
                (2, "responseBody") => Field::Body(Half::Response),
                (3, "requestHeaders") => Field::Header(Half::Request),
                (3, "responseHeaders") => Field::Header(Half::Response),
                _ => Field::None,
            };
        }
        match (depth, self.path[4], self.path[5], self.path[6], self.path[7]) {
            (4, "startedDateTime", ..) => Field::Started,
            (4, "time", ..) => Field::Took,
            (5, "request", "method", ..) => Field::Method,
            (5, "request", "url", ..) => Field::Url,
            (5, "response", "status", ..) => Field::Status,
            (6, "request", "postData", "text", _) => Field::Body(Half::Request),
            (6, "response", "content", "text", _) => Field::Body(Half::Response),
            (6, "response", "content", "encoding", _) => Field::Encoding,
            (6, "response", "content", "mimeType", _) => Field::Media,
            (7, "request" | "response", "headers", _, "name") => Field::HeaderName,
            (7, "request" | "response", "headers", _, "value") => Field::HeaderValue,
            _ => Field::None,
        }
    }

    /// The pointer to the body of an entry, counted from 0.
    pub(super) fn pointer(&self, half: Half, index: u64) -> String {
        match (self.base, half) {
            (2, Half::Request) => format!("/{index}/requestBody"),
            (2, Half::Response) => format!("/{index}/responseBody"),
            (_, Half::Request) => format!("/log/entries/{index}/request/postData/text"),
            (_, Half::Response) => format!("/log/entries/{index}/response/content/text"),
        }
    }

    /// The document stops within this body.
    pub(super) fn cut_body(&self, depth: usize) -> Option<Half> {
        match self.field(depth) {
            Field::Body(half) => Some(half),
            _ => None,
        }
    }

    /// Whether an entry has begun and not ended.
    pub(super) fn is_inside(&self) -> bool {
        self.inside
    }
}

/// The names of members that matter.
fn known(name: &str) -> &'static str {
    macro_rules! known {
        ($($name:literal)*) => { match name { $($name => $name,)* _ => "" } };
    }
    known!("log" "entries" "startedDateTime" "time" "request" "response" "method" "url" "status" "headers" "name" "value"
        "postData" "content" "text" "encoding" "mimeType" "timestamp" "duration" "responseStatus" "requestHeaders"
        "responseHeaders" "requestBody" "responseBody")
}
