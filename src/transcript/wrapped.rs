//! One reader for every log of JSON lines that wrap a message: what stands where is told by an [`Adapter`], a row
//! of plain values. A further such format is a further row.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::json_scan::{begins_like_value, top_members, value_end};
use super::jsonl::bare;
use super::{
    Advance, Bid, Confidence, Content, EventKind, Flag, Flags, Frame, Head, Line, LineBuffer, Origin, ReadError,
    ReadOptions, Reader, Stamp, Step, stamp,
};
use crate::protocol::Direction;

/// Member names from the top of a line's object to a value.
pub type Pointer = &'static [&'static str];

/// How a time is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeKind {
    /// RFC 3339; without an offset, the zone of [`ReadOptions`] is assumed.
    Rfc3339,
    /// A number of seconds since 1970, maybe with a fraction.
    EpochSeconds,
    /// A number of milliseconds since 1970.
    EpochMillis,
    /// A number of microseconds since 1970.
    EpochMicros,
    /// A number of nanoseconds since 1970.
    EpochNanos,
    /// A number of seconds since some start, maybe with a fraction.
    ElapsedSeconds,
}

/// Where a log of wrapped messages keeps what. Pointers that lead nowhere in a line are passed over.
#[derive(Clone, Copy, Debug)]
pub struct Adapter {
    /// Why a head is recognised, as half a sentence.
    pub reason: &'static str,
    /// The message, as JSON or as a string that holds it; the first that is there counts.
    pub message: &'static [Pointer],
    /// A string with text that was no JSON.
    pub raw_text: Option<Pointer>,
    /// A word that tells the direction; see [`direction_word`] for those that are known beside the given ones.
    pub direction: Option<(Pointer, &'static [(&'static str, Direction)])>,
    /// The time.
    pub time: Option<(Pointer, TimeKind)>,
    /// The recorder's name for the session.
    pub session: Option<Pointer>,
    /// The server's name.
    pub server: Option<Pointer>,
    /// Decides what a message becomes that is none.
    pub origin: Origin,
}

/// The words for directions that recorders use, whatever the format.
pub fn direction_word(word: &str) -> Option<Direction> {
    Some(match word {
        "client->server" | "client-to-server" | "client_to_server" | "c2s" | "C2S" | "client" | "out" | "->" => {
            Direction::ClientToServer
        }
        "server->client" | "server-to-client" | "server_to_client" | "s2c" | "S2C" | "server" | "in" | "<-" => {
            Direction::ServerToClient
        }
        _ => return None,
    })
}

/// Places in [`Wrapped::pointers`]; alternatives for the message come behind the fixed ones.
const RAW_TEXT: usize = 0;
const DIRECTION: usize = 1;
const TIME: usize = 2;
const SESSION: usize = 3;
const SERVER: usize = 4;
const MESSAGE: usize = 5;
/// Pointers an adapter can have, all together.
const SLOTS: usize = 16;
/// How many lines of a head are looked at.
const LINES: usize = 20;

type Found<'t> = [Option<&'t RawValue>; SLOTS];

impl Adapter {
    fn pointers(&self) -> [Pointer; SLOTS] {
        let mut pointers: [Pointer; SLOTS] = [&[]; SLOTS];
        pointers[RAW_TEXT] = self.raw_text.unwrap_or_default();
        pointers[DIRECTION] = self.direction.map(|(pointer, _)| pointer).unwrap_or_default();
        pointers[TIME] = self.time.map(|(pointer, _)| pointer).unwrap_or_default();
        pointers[SESSION] = self.session.unwrap_or_default();
        pointers[SERVER] = self.server.unwrap_or_default();
        for (slot, pointer) in pointers[MESSAGE..].iter_mut().zip(self.message) {
            *slot = pointer;
        }
        pointers
    }

    /// Whether the first line, and most of those behind it, are wrapped so.
    pub fn sniff(&self, head: &Head<'_>) -> Bid {
        let mut lines = head.text.lines().map(str::trim_ascii).filter(|line| !line.is_empty()).take(LINES).peekable();
        let Some(first) = lines.next() else { return Bid::NONE };
        let first = self.recognise(first, lines.peek().is_none() && !head.complete);
        let (mut fits, mut others) = (0, 0);
        while let Some(line) = lines.next() {
            let cut = lines.peek().is_none() && !head.complete;
            *(if self.recognise(line, cut) == Confidence::None { &mut others } else { &mut fits }) += 1;
        }
        let confidence = match first {
            Confidence::Certain if others > fits => Confidence::Likely,
            Confidence::Likely if others > fits => Confidence::Possible,
            confidence => confidence,
        };
        Bid { confidence, reason: self.reason }
    }

    fn recognise(&self, line: &str, cut: bool) -> Confidence {
        let (mut carries, mut hints) = (false, 0);
        if let Some(found) = find(line, &self.pointers()) {
            let mut carried = found[MESSAGE..].iter().chain(&found[..=RAW_TEXT]).flatten();
            let direction = self.read_direction(&found).is_some();
            // Logs of all sorts have a `msg`: one that is no JSON counts only where the line tells a direction.
            carries = carried.any(|raw| direction || text_of(raw).trim_ascii_start().starts_with(['{', '[']));
            hints = u32::from(direction) + u32::from(self.read_time(&found, &jiff::tz::TimeZone::UTC).is_some());
        } else if cut && line.starts_with('{') {
            let starts = |pointer: &Pointer, name: &str| pointer.first() == Some(&name);
            top_members(line, |name| {
                carries |= self.message.iter().chain(&self.raw_text).any(|pointer| starts(pointer, name));
                hints += u32::from(self.direction.is_some_and(|(pointer, _)| starts(&pointer, name)));
                hints += u32::from(self.time.is_some_and(|(pointer, _)| starts(&pointer, name)));
            });
        }
        match (carries, hints) {
            (false, _) | (true, 0) => Confidence::None,
            (true, 1) => Confidence::Likely,
            (true, _) => Confidence::Certain,
        }
    }

    fn read_direction(&self, found: &Found<'_>) -> Option<Direction> {
        let word = text_of(found[DIRECTION]?);
        let (_, own) = self.direction?;
        own.iter().find(|(own, _)| *own == word).map(|(_, way)| *way).or_else(|| direction_word(&word))
    }

    fn read_time(&self, found: &Found<'_>, zone: &jiff::tz::TimeZone) -> Option<Stamp> {
        let text = text_of(found[TIME]?);
        match self.time?.1 {
            TimeKind::Rfc3339 => stamp::rfc3339(&text, zone),
            TimeKind::EpochSeconds => stamp::epoch(&text, 0),
            TimeKind::EpochMillis => stamp::epoch(&text, 3),
            TimeKind::EpochMicros => stamp::epoch(&text, 6),
            TimeKind::EpochNanos => stamp::epoch(&text, 9),
            TimeKind::ElapsedSeconds => stamp::elapsed(&text),
        }
    }
}

/// The reader of every adapter.
pub(super) struct Wrapped {
    adapter: &'static Adapter,
    pointers: [Pointer; SLOTS],
    zone: jiff::tz::TimeZone,
    /// Decoded texts of the current line, where decoding changed them.
    content: String,
    session: String,
    server: String,
    cut: Option<(u64, u64)>,
}

impl Wrapped {
    /// A reader for lines that the adapter describes.
    pub(super) fn new(adapter: &'static Adapter, options: &ReadOptions) -> Self {
        Self {
            adapter,
            pointers: adapter.pointers(),
            zone: options.zone.clone(),
            content: String::new(),
            session: String::new(),
            server: String::new(),
            cut: None,
        }
    }
}

impl Reader for Wrapped {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        match lines.advance()? {
            Advance::Line => {}
            Advance::Idle => return Ok(Step::Idle),
            Advance::Paused => return Ok(Step::Paused),
            Advance::End => return Ok(Step::End),
        }
        let line = lines.line();
        let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
        let Some(found) = find(line.text, &self.pointers) else {
            return Ok(Step::Frame(unwrapped(&line, flags, &mut self.cut)));
        };
        let (carrier, is_message) = match (found[MESSAGE..].iter().flatten().next(), found[RAW_TEXT]) {
            (Some(message), _) => (*message, true),
            (None, Some(raw)) => (raw, false),
            (None, None) => return Ok(Step::Frame(unwrapped(&line, flags, &mut self.cut))),
        };
        let quoted = carrier.get().starts_with('"');
        let text = keep(text_of(carrier), &mut self.content);
        let start = carrier.get().as_ptr().addr() - line.text.as_ptr().addr();
        // The message itself, without the quotes when it is a string.
        let part = start + usize::from(quoted)..start + carrier.get().len() - usize::from(quoted);
        let begins = text.trim_ascii_start().as_bytes().first();
        let content = if matches!(begins, Some(b'{' | b'[')) {
            let origin = if is_message { self.adapter.origin } else { Origin::Wire };
            Content::Message { text, origin }
        } else {
            Content::Event { kind: EventKind::Noise, text }
        };
        Ok(Step::Frame(Frame {
            time: self.adapter.read_time(&found, &self.zone),
            direction: self.adapter.read_direction(&found),
            session: found[SESSION].map(|raw| keep(text_of(raw), &mut self.session)),
            server: found[SERVER].map(|raw| keep(text_of(raw), &mut self.server)),
            ..bare(&line, part, flags, content)
        }))
    }

    fn problem(&self) -> Option<String> {
        self.cut
            .map(|(line, at)| format!("line {line} is cut off inside a JSON value at byte {at}, the end of the input"))
    }
}

/// A line of such a log that wraps nothing.
fn unwrapped<'b>(line: &Line<'b>, flags: Flags, cut: &mut Option<(u64, u64)>) -> Frame<'b> {
    let text = line.text.trim_ascii();
    let start = line.text.len() - line.text.trim_ascii_start().len();
    let incomplete = !line.terminated && !line.oversized && begins_like_value(text) && value_end(text).is_none();
    if incomplete {
        *cut = Some((line.number, line.offset + line.length));
    }
    let content = if text.is_empty() {
        Content::Blank
    } else if text.starts_with('{') && memmem::find(text.as_bytes(), b"\"jsonrpc\"").is_some() {
        Content::Message { text, origin: Origin::Wire }
    } else {
        Content::Event { kind: EventKind::Noise, text }
    };
    bare(line, start..start + text.len(), flags.with_if(incomplete, Flag::Truncated), content)
}

/// The text of a string, or the token of anything else.
fn text_of(raw: &RawValue) -> Cow<'_, str> {
    let token = raw.get();
    let Some(inner) = token.strip_prefix('"').and_then(|token| token.strip_suffix('"')) else {
        return Cow::Borrowed(token);
    };
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Cow::Borrowed(inner);
    }
    // Lone surrogates cannot be decoded; the escapes then stay as they are.
    serde_json::from_str(token).map_or(Cow::Borrowed(inner), Cow::Owned)
}

fn keep<'b>(text: Cow<'b, str>, place: &'b mut String) -> &'b str {
    match text {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => {
            *place = text;
            place
        }
    }
}

/// What the pointers lead to, if the text is an object.
fn find<'t>(text: &'t str, pointers: &[Pointer; SLOTS]) -> Option<Found<'t>> {
    let mut found = [None; SLOTS];
    let active = (0..SLOTS).filter(|slot| !pointers[*slot].is_empty()).fold(0, |set, slot| set | 1 << slot);
    walk(text, Walk { pointers, depth: 0, active, found: &mut found })?;
    Some(found)
}

fn walk<'t>(text: &'t str, walk: Walk<'_, 't>) -> Option<()> {
    if !text.trim_ascii_start().starts_with('{') {
        return None;
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.deserialize_map(walk).ok()?;
    deserializer.end().ok()
}

struct Walk<'w, 't> {
    pointers: &'w [Pointer; SLOTS],
    depth: usize,
    /// The pointers whose names so far were met.
    active: u32,
    found: &'w mut Found<'t>,
}

#[derive(Deserialize)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);

impl<'t> Visitor<'t> for Walk<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(Name(name)) = members.next_key()? {
            let met = (0..SLOTS).filter(|slot| {
                self.active & 1 << slot != 0 && self.pointers[*slot].get(self.depth).is_some_and(|own| *own == name)
            });
            let (mut ends, mut goes_on) = (0_u32, 0_u32);
            for slot in met {
                *(if self.pointers[slot].len() == self.depth + 1 { &mut ends } else { &mut goes_on }) |= 1 << slot;
            }
            if ends | goes_on == 0 {
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            let value: &'t RawValue = members.next_value()?;
            for slot in (0..SLOTS).filter(|slot| ends & 1 << slot != 0) {
                self.found[slot] = Some(value);
            }
            if goes_on != 0 {
                let deeper =
                    Walk { depth: self.depth + 1, active: goes_on, pointers: self.pointers, found: self.found };
                // A value that is no object has nothing for the pointer.
                let _ = walk(value.get(), deeper);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::transcript::Source;

    static NESTED: Adapter = Adapter {
        reason: "test",
        message: &[&["frame", "json"], &["frame", "text"], &["old"]],
        raw_text: Some(&["frame", "stderr"]),
        direction: Some((&["way"], &[("up", Direction::ClientToServer)])),
        time: Some((&["at", "ms"], TimeKind::EpochMillis)),
        session: Some(&["frame", "connection"]),
        server: None,
        origin: Origin::Labelled,
    };

    fn read(text: &str, seen: impl Fn(&Frame<'_>)) {
        let mut lines = LineBuffer::new(Source::from_read(Cursor::new(text.to_owned())), LineBuffer::MAX_LINE);
        let mut reader = Wrapped::new(&NESTED, &ReadOptions::default());
        let Step::Frame(frame) = reader.next_frame(&mut lines).unwrap() else { panic!("no frame") };
        let (start, end) = (frame.position.offset as usize, (frame.position.offset + frame.position.length) as usize);
        assert!(text.get(start..end).is_some(), "{frame:?}");
        seen(&frame);
    }

    fn message(frame: &Frame<'_>) -> String {
        let Content::Message { text, origin: Origin::Labelled } = frame.content else { panic!("{frame:?}") };
        text.to_owned()
    }

    #[test]
    fn pointers_lead_into_nested_objects() {
        let line = r#"{"at":{"ms":1700000000123,"x":[]},"frame":{"json":{"id":1},"connection":7},"way":"up","n":null}"#;
        read(line, |frame| {
            assert_eq!(message(frame), r#"{"id":1}"#);
            assert_eq!(frame.session, Some("7"));
            assert_eq!(frame.direction, Some(Direction::ClientToServer));
            assert_eq!(frame.time.unwrap().digits, 3);
            assert_eq!(frame.position.offset as usize, line.find(r#"{"id""#).unwrap());
        });
    }

    #[test]
    fn messages_in_strings_are_decoded_and_alternatives_tried_in_order() {
        read(r#"{"frame":{"text":"{\"id\":2}"},"way":"s2c"}"#, |frame| {
            assert_eq!(message(frame), r#"{"id":2}"#);
            assert_eq!(frame.direction, Some(Direction::ServerToClient));
        });
        read(r#"{"old":{"id":3},"frame":"none","way":"sideways","at":5}"#, |frame| {
            assert_eq!(message(frame), r#"{"id":3}"#);
            assert_eq!((frame.direction, frame.time), (None, None));
        });
        read(r#"{"old":{"id":4},"frame":{"json":{"id":5}}}"#, |frame| assert_eq!(message(frame), r#"{"id":5}"#));
    }

    #[test]
    fn text_that_is_no_json_is_noise() {
        read(r#"{"frame":{"stderr":"up \ud800"},"way":"up"}"#, |frame| {
            let Content::Event { kind: EventKind::Noise, text } = frame.content else { panic!("{frame:?}") };
            assert_eq!(text, r"up \ud800", "what cannot be decoded stays as it is");
        });
        for line in ["{}", "[]", "7", "{\"frame\":", "{\"frame\":{}} x"] {
            read(line, |frame| assert!(matches!(frame.content, Content::Event { kind: EventKind::Noise, .. })));
        }
    }

    #[test]
    fn a_head_is_believed_as_far_as_it_goes() {
        let bid = |text: &str, complete| NESTED.sniff(&Head { text, complete, first: true }).confidence;
        let full = r#"{"way":"up","at":{"ms":1},"old":{}}"#;
        assert_eq!(bid(full, true), Confidence::Certain);
        assert_eq!(bid(r#"{"way":"up","old":{}}"#, true), Confidence::Likely);
        assert_eq!(bid(r#"{"old":{}}"#, true), Confidence::None);
        assert_eq!(bid(r#"{"old":"started","at":{"ms":1}}"#, true), Confidence::None);
        assert_eq!(bid(r#"{"old":"{}","at":{"ms":1}}"#, true), Confidence::Likely);
        assert_eq!(bid(&format!("{full}\nx\ny\n"), true), Confidence::Likely);
        assert_eq!(bid(r#"{"way":"up","at":{"ms":1},"old":{"#, false), Confidence::Certain);
        assert_eq!(bid(r#"{"way":"up","at":{"ms":1},"old":{"#, true), Confidence::None);
        assert_eq!(bid("", true), Confidence::None);
    }
}
