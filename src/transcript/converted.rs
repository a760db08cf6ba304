//! Timed lines: one message or event a line, with its time and direction. What `convert` writes;
//! [`MEMBERS`] says what stands in a line. Members that are missing or `null` tell nothing.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::memmem;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::json_scan::{begins_like_value, top_members, value_end};
use super::jsonl::bare;
use super::{
    Advance, Bid, Confidence, Content, EventKind, Flag, Flags, Format, Frame, Head, Line, LineBuffer, Origin, Outline,
    OutlineKind, Proof, ReadError, ReadOptions, Reader, Stamp, Step, TimeBasis, direction_word, stamp,
};
use crate::protocol::Direction;

/// The row of timed lines.
pub(super) const FORMAT: Format = Format {
    name: "converted",
    title: "timed lines, as `mcp-trace convert` writes them",
    example: r#"{"ts":"2025-01-02T03:04:05.678Z","dir":"client->server","at":{"line":1},"msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#,
    loses: "heads of HTTP",
    proof: Proof::Defined,
    sniff,
    open: |options| Box::new(Timed::new(options)),
};

/// The members of a line, in the order in which they are written, and what each holds.
pub const MEMBERS: &[(&str, &str)] = &[
    ("ts", "when: RFC 3339 with the digits that were recorded; `null` when the log has no time"),
    (
        "ts_basis",
        "`zone-assumed`: the log has a local time, and a zone was assumed; `elapsed`: the log has the time since some \
         start, counted here from 1970-01-01T00:00:00Z",
    ),
    ("dir", "`client->server`, `server->client`, or `null` when nothing tells"),
    (
        "dir_basis",
        "`inferred` or `guessed`: the log has no direction, this one was worked out; read again, it is worked out anew",
    ),
    ("dir_recorded", "the log's own direction, where it contradicts what only one side can send"),
    ("session", "the log's name for the session, process or connection"),
    ("server", "the log's name for the server"),
    ("asked", "of an answer: the method of its request, where the log repeats it"),
    (
        "flags",
        "what was odd when it was read, as in the JSON outputs: `elided`, `truncated`, `bad-utf8`, `oversized`, `replayed`",
    ),
    (
        "origin",
        "`labelled`: the text stood behind a label that announces a message, so that it is one whatever it is; `log`: JSON \
         that a log wrote in passing, and that is no message",
    ),
    ("at", "where it stood in the log that was converted: `line`, and where there is more than one `file` and `entry`"),
    ("msg", "the message or the batch, copied; line ends between its tokens become blanks"),
    ("raw", "in place of `msg`: text that should be a message and is no JSON"),
    ("event", "in place of a message: what the log tells, a word of the JSON outputs"),
    ("text", "of an event: the log's words"),
    (
        "outline",
        "in place of `msg`: what a log without payloads tells of one: `kind` (`request`, `notification`, `result`, \
         `error`, `answer`), `method`, `target`, `id_raw`, `code`; `view` when it repeats a message told elsewhere in the log",
    ),
];

fn sniff(head: &Head<'_>) -> Bid {
    let mut lines = head.text.lines().filter(|line| !line.trim_ascii().is_empty());
    match lines.next() {
        Some(first) if is_converted(first) => {
            Bid::new(Confidence::Certain, "the first line has `ts`, `dir` and `at`, as `convert` writes them")
        }
        // Longer than the head.
        Some(first) if begins(first) && lines.next().is_none() && !head.complete => {
            Bid::new(Confidence::Certain, "the only line begins as those that `convert` writes")
        }
        _ => Bid::NONE,
    }
}

fn begins(line: &str) -> bool {
    let (mut at, mut dir) = (false, false);
    top_members(line, |name| {
        at |= name == "at";
        dir |= name == "dir";
    });
    line.starts_with("{\"ts\":") && at && dir
}

fn is_converted(line: &str) -> bool {
    let Some(found) = Members::of(line).filter(|found| found.at.is_some() && line.starts_with("{\"ts\":")) else {
        return false;
    };
    let word = |raw: Option<&RawValue>, known: fn(&str) -> bool| raw.is_none_or(|raw| known(&text_of(raw)));
    let known = word(found.ts, |ts| stamp::rfc3339(ts, &jiff::tz::TimeZone::UTC).is_some())
        && word(found.dir, |dir| direction_word(dir).is_some())
        && word(found.event, |event| EventKind::by_name(event).is_some());
    known
        && match found.carrier() {
            Some(Carrier::Message(value, _)) => found.raw.is_some() || value.get().starts_with(['{', '[']),
            Some(Carrier::Event(..)) => true,
            Some(Carrier::Outline(value)) => value.get().starts_with('{'),
            None => false,
        }
}

/// The reader.
struct Timed {
    zone: jiff::tz::TimeZone,
    /// Decoded texts of the current line, where decoding changed them.
    content: String,
    session: String,
    server: String,
    asked: String,
    outline: OwnedOutline,
    cut: Option<(u64, u64)>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OwnedOutline {
    kind: String,
    method: Option<String>,
    target: Option<String>,
    id_raw: Option<String>,
    code: Option<i64>,
    view: bool,
}

impl OwnedOutline {
    fn borrowed(&self) -> Option<Outline<'_>> {
        Some(Outline {
            kind: OutlineKind::ALL.into_iter().find(|kind| kind.as_str() == self.kind)?,
            method: self.method.as_deref(),
            target: self.target.as_deref(),
            id: self.id_raw.as_deref(),
            error_code: self.code,
            view: self.view,
        })
    }
}

impl Timed {
    fn new(options: &ReadOptions) -> Self {
        Self {
            zone: options.zone.clone(),
            content: String::new(),
            session: String::new(),
            server: String::new(),
            asked: String::new(),
            outline: OwnedOutline::default(),
            cut: None,
        }
    }
}

impl Reader for Timed {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        match lines.advance()? {
            Advance::Line => {}
            Advance::Idle => return Ok(Step::Idle),
            Advance::Paused => return Ok(Step::Paused),
            Advance::End => return Ok(Step::End),
        }
        let line = lines.line();
        let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
        let Some((found, carrier)) = Members::of(line.text).and_then(|found| Some((found, found.carrier()?))) else {
            return Ok(Step::Frame(unwrapped(&line, flags, &mut self.cut)));
        };
        let (content, part) = match carrier {
            Carrier::Outline(raw) => {
                self.outline = serde_json::from_str(raw.get()).unwrap_or_default();
                let Some(outline) = self.outline.borrowed() else {
                    return Ok(Step::Frame(unwrapped(&line, flags, &mut self.cut)));
                };
                (Content::Outline(outline), place(line.text, raw))
            }
            Carrier::Event(kind, raw) => {
                let text = keep(text_of(raw), &mut self.content);
                (Content::Event { kind, text }, place(line.text, raw))
            }
            Carrier::Message(raw, origin) => {
                let text = keep(text_of(raw), &mut self.content);
                let content = match text.trim_ascii_start().as_bytes().first() {
                    Some(b'{' | b'[') => Content::Message { text, origin },
                    _ if origin != Origin::Wire => Content::Message { text, origin },
                    _ => Content::Event { kind: EventKind::Noise, text },
                };
                (content, place(line.text, raw))
            }
        };
        Ok(Step::Frame(Frame {
            time: found.time(&self.zone),
            direction: found.direction(),
            session: found.session.map(|raw| keep(text_of(raw), &mut self.session)),
            server: found.server.map(|raw| keep(text_of(raw), &mut self.server)),
            asked: found.asked.map(|raw| keep(text_of(raw), &mut self.asked)),
            at: found.at.map(RawValue::get),
            ..bare(&line, part, flags.union(found.flags()), content)
        }))
    }

    fn problem(&self) -> Option<String> {
        self.cut
            .map(|(line, at)| format!("line {line} is cut off inside a JSON value at byte {at}, the end of the input"))
    }
}

/// Where the value stands in its line, without the quotes when it is a string.
fn place(line: &str, value: &RawValue) -> Range<usize> {
    let value = value.get();
    let quote = usize::from(value.starts_with('"'));
    let start = value.as_ptr().addr() - line.as_ptr().addr();
    start + quote..start + value.len() - quote
}

/// What of a line makes it one.
enum Carrier<'t> {
    Message(&'t RawValue, Origin),
    Event(EventKind, &'t RawValue),
    Outline(&'t RawValue),
}

/// The members of a line, by the names of [`MEMBERS`].
#[derive(Clone, Copy, Default)]
struct Members<'t> {
    ts: Option<&'t RawValue>,
    ts_basis: Option<&'t RawValue>,
    dir: Option<&'t RawValue>,
    dir_basis: Option<&'t RawValue>,
    dir_recorded: Option<&'t RawValue>,
    session: Option<&'t RawValue>,
    server: Option<&'t RawValue>,
    asked: Option<&'t RawValue>,
    flags: Option<&'t RawValue>,
    origin: Option<&'t RawValue>,
    at: Option<&'t RawValue>,
    msg: Option<&'t RawValue>,
    raw: Option<&'t RawValue>,
    event: Option<&'t RawValue>,
    text: Option<&'t RawValue>,
    outline: Option<&'t RawValue>,
}

impl<'t> Members<'t> {
    /// The members of a line that is an object.
    fn of(line: &'t str) -> Option<Self> {
        if !line.trim_ascii_start().starts_with('{') {
            return None;
        }
        let mut found = Self::default();
        let mut deserializer = serde_json::Deserializer::from_str(line);
        deserializer.deserialize_map(Collect(&mut found)).ok()?;
        deserializer.end().ok()?;
        Some(found)
    }

    fn slot(&mut self, name: &str) -> Option<&mut Option<&'t RawValue>> {
        Some(match name {
            "ts" => &mut self.ts,
            "ts_basis" => &mut self.ts_basis,
            "dir" => &mut self.dir,
            "dir_basis" => &mut self.dir_basis,
            "dir_recorded" => &mut self.dir_recorded,
            "session" => &mut self.session,
            "server" => &mut self.server,
            "asked" => &mut self.asked,
            "flags" => &mut self.flags,
            "origin" => &mut self.origin,
            "at" => &mut self.at,
            "msg" => &mut self.msg,
            "raw" => &mut self.raw,
            "event" => &mut self.event,
            "text" => &mut self.text,
            "outline" => &mut self.outline,
            _ => return None,
        })
    }

    fn carrier(&self) -> Option<Carrier<'t>> {
        let is = |raw: Option<&RawValue>, word: &str| raw.is_some_and(|raw| text_of(raw) == word);
        if let Some(msg) = self.msg {
            return Some(Carrier::Message(msg, Origin::Wire));
        }
        if let Some(raw) = self.raw {
            let origin = if is(self.origin, "labelled") { Origin::Labelled } else { Origin::Wire };
            return Some(Carrier::Message(raw, origin));
        }
        if let (Some(event), Some(text)) = (self.event, self.text) {
            if is(self.origin, "log") {
                return Some(Carrier::Message(text, Origin::Log));
            }
            return Some(Carrier::Event(EventKind::by_name(&text_of(event)).unwrap_or(EventKind::Note), text));
        }
        self.outline.map(Carrier::Outline)
    }

    fn time(&self, zone: &jiff::tz::TimeZone) -> Option<Stamp> {
        let stamp = stamp::rfc3339(&text_of(self.ts?), zone)?;
        let basis = self.ts_basis.map(text_of);
        Some(match basis.as_deref() {
            Some("zone-assumed") => Stamp { basis: TimeBasis::ZoneAssumed, ..stamp },
            Some("elapsed") => Stamp { basis: TimeBasis::Elapsed, ..stamp },
            _ => stamp,
        })
    }

    /// The direction that the log had: one that was worked out is worked out again.
    fn direction(&self) -> Option<Direction> {
        let recorded = self.dir_recorded.or(self.dir.filter(|_| self.dir_basis.is_none()))?;
        direction_word(&text_of(recorded))
    }

    fn flags(&self) -> Flags {
        let Some(raw) = self.flags else { return Flags::NONE };
        let words: Vec<Cow<'_, str>> = serde_json::from_str(raw.get()).unwrap_or_default();
        words.iter().filter_map(|word| Flag::by_name(word)).fold(Flags::NONE, Flags::with)
    }
}

struct Collect<'c, 't>(&'c mut Members<'t>);

/// A line that is none of these.
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

#[derive(Deserialize)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);

impl<'t> Visitor<'t> for Collect<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(Name(name)) = members.next_key()? {
            match self.0.slot(&name) {
                Some(slot) => {
                    let value: &'t RawValue = members.next_value()?;
                    *slot = (value.get() != "null").then_some(value).or(*slot);
                }
                None => {
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}
