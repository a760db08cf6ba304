//! Log lines that are JSON objects with the line that a program wrote as a string in one member: the files of container
//! tools, the journal, structured loggers.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use jiff::tz::TimeZone;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::{Stamp, stamp};
use super::json_string::{Decoded, decode};
use super::{Fit, Layer, LineSource, Lines, Meta, Notes};

/// Members that hold the line, the first that is there counts.
const TEXT: &[&str] = &["log", "MESSAGE", "msg", "message", "textPayload"];
/// Members that hold its time.
const TIME: &[&str] = &["__REALTIME_TIMESTAMP", "time", "timestamp", "@timestamp", "ts", "asctime"];
/// Members that name who wrote it.
const LANE: &[&str] = &["CONTAINER_NAME", "_SYSTEMD_UNIT", "SYSLOG_IDENTIFIER", "container_name", "container"];
/// Members that nothing but a log has.
const MARKS: &[&str] = &["stream", "level", "severity", "lvl", "levelname", "PRIORITY", "__CURSOR", "_PID", "logger"];
/// Members that recorders of messages have, which are no business of this layer.
const FOREIGN: &[&str] = &["jsonrpc", "dir", "direction", "method", "raw", "frame"];

/// The members of a line that count.
#[derive(Default)]
struct Members<'t> {
    /// Place in [`TEXT`], and the value.
    text: Option<(usize, &'t RawValue)>,
    time: Option<&'t RawValue>,
    lane: Option<(usize, &'t RawValue)>,
    marks: usize,
    foreign: bool,
    stream: Option<&'t RawValue>,
}

impl<'t> Members<'t> {
    fn of(line: &'t str) -> Option<Self> {
        if !line.trim_ascii_start().starts_with('{') {
            return None;
        }
        let mut found = Self::default();
        let mut deserializer = serde_json::Deserializer::from_str(line);
        deserializer.deserialize_map(Pick(&mut found)).ok()?;
        deserializer.end().ok()?;
        let text = found.text.filter(|(_, raw)| is_text(raw));
        (text.is_some() && !found.foreign).then_some(found)
    }

    /// Of Docker's own files, in which a line may go on in the next.
    fn is_docker(&self) -> bool {
        self.stream.is_some() && self.text.is_some_and(|(place, _)| TEXT[place] == "log")
    }

    fn is_journal(&self) -> bool {
        self.text.is_some_and(|(place, _)| TEXT[place] == "MESSAGE")
    }
}

/// A string, or the bytes that the journal writes where a string would not do.
fn is_text(raw: &RawValue) -> bool {
    raw.get().starts_with('"') || bytes_of(raw).is_some()
}

fn bytes_of(raw: &RawValue) -> Option<Vec<u8>> {
    if raw.get().starts_with('[') { serde_json::from_str(raw.get()).ok() } else { None }
}

struct Pick<'m, 't>(&'m mut Members<'t>);

impl<'t> Visitor<'t> for Pick<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut members: A) -> Result<(), A::Error> {
        let place = |names: &[&str], name: &str| names.iter().position(|known| *known == name);
        let found = self.0;
        while let Some(name) = members.next_key::<Cow<'t, str>>()? {
            found.foreign |= FOREIGN.contains(&&*name);
            found.marks += usize::from(MARKS.contains(&&*name));
            if let Some(at) = place(TEXT, &name) {
                let value = members.next_value()?;
                if found.text.is_none_or(|(before, _)| at < before) {
                    found.text = Some((at, value));
                }
            } else if let Some(at) = place(LANE, &name) {
                let value = members.next_value()?;
                if found.lane.is_none_or(|(before, _)| at < before) {
                    found.lane = Some((at, value));
                }
            } else if TIME.contains(&&*name) {
                found.time = found.time.or(Some(members.next_value()?));
            } else if name == "stream" {
                found.stream = Some(members.next_value()?);
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Which of the JSON logs a head shows.
fn fit_where(head: &str, wanted: fn(&Members<'_>) -> Fit) -> Fit {
    const LINES: usize = 20;
    let mut lines = head.lines().filter(|line| !line.trim_ascii().is_empty()).take(LINES);
    let read = |line: &str| Members::of(line).map_or(Fit::None, |members| wanted(&members));
    let Some(first) = lines.next().map(read) else { return Fit::None };
    let (mut with, mut without) = (0, 0);
    for line in lines {
        *(if read(line) == Fit::None { &mut without } else { &mut with }) += 1;
    }
    if with >= 3 * without { first } else { Fit::None }
}

/// Whether a head is a log of Docker's.
pub(super) fn fit_docker(head: &str) -> Fit {
    fit_where(head, |members| if members.is_docker() { Fit::Strong } else { Fit::None })
}

/// Whether a head is the journal, exported as JSON.
pub(super) fn fit_journal(head: &str) -> Fit {
    fit_where(head, |members| if members.is_journal() { Fit::Strong } else { Fit::None })
}

/// Whether a head is the log of some structured logger.
pub(super) fn fit_structured(head: &str) -> Fit {
    fit_where(head, |members| {
        let told = members.marks > 0 || members.time.is_some();
        if told && !members.is_docker() && !members.is_journal() { Fit::Weak } else { Fit::None }
    })
}

/// The layer of such lines. Lines that are none are passed on as they are.
#[derive(Clone)]
pub(super) struct JsonLog {
    zone: TimeZone,
    /// The stream of the line that goes on.
    stream: String,
}

impl JsonLog {
    pub(super) fn open(zone: &TimeZone) -> Box<dyn Layer> {
        Box::new(Self { zone: zone.clone(), stream: String::new() })
    }
}

impl Layer for JsonLog {
    fn take(&mut self, line: &LineSource<'_>, notes: &mut Notes, lines: &mut Lines) {
        let whole = line.part.text;
        let mut meta = line.meta;
        let members = Members::of(whole);
        let stream = members.as_ref().and_then(|members| members.stream).map_or("", |raw| raw.get());
        if lines.is_growing() && (members.is_none() || stream != self.stream) {
            lines.finish(&meta);
        }
        let Some((members, (_, text))) = members.and_then(|members| members.text.map(|text| (members, text))) else {
            lines.keep(line.part, 0..whole.len(), &meta);
            lines.finish(&meta);
            return;
        };
        meta.time = members.time.and_then(|raw| time_of(raw, &self.zone)).or(meta.time);
        meta.lane = meta.lane.or_else(|| notes.lane(&text_of(members.lane?.1)));
        let start = text.get().as_ptr().addr() - whole.as_ptr().addr();
        let ended = match bytes_of(text) {
            Some(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                let place = start..start + whole[start..].find(']').unwrap_or(0);
                for (index, part) in text.split('\n').enumerate() {
                    if index > 0 {
                        lines.finish(&meta);
                    }
                    lines.put(line.part, &place, part, &meta);
                }
                false
            }
            None => unescape(line, start + 1..start + text.get().len() - 1, &meta, lines),
        };
        // Docker ends each line with a line end; one without goes on.
        if members.is_docker() {
            self.stream.clear();
            self.stream.push_str(stream);
        } else if !ended || lines.is_growing() {
            lines.finish(&meta);
        }
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

/// Decodes the inside of a JSON string into lines; whether it ended with a line end.
fn unescape(line: &LineSource<'_>, range: Range<usize>, meta: &Meta, lines: &mut Lines) -> bool {
    let mut ended = false;
    decode(line.part.text, range, |piece| {
        ended = matches!(piece, Decoded::Escape(_, '\n'));
        match piece {
            Decoded::Plain(range) => lines.keep(line.part, range, meta),
            Decoded::Escape(_, '\n') => lines.finish(meta),
            Decoded::Escape(range, character) => {
                lines.put(line.part, &range, character.encode_utf8(&mut [0; 4]), meta);
            }
        }
    });
    ended
}

fn text_of(raw: &RawValue) -> Cow<'_, str> {
    let token = raw.get();
    match token.strip_prefix('"').and_then(|token| token.strip_suffix('"')) {
        Some(inner) if !inner.contains('\\') => Cow::Borrowed(inner),
        Some(inner) => serde_json::from_str(token).map_or(Cow::Borrowed(inner), Cow::Owned),
        None => Cow::Borrowed(token),
    }
}

/// A time as text, or as a number whose size tells its unit.
fn time_of(raw: &RawValue, zone: &TimeZone) -> Option<Stamp> {
    let text = text_of(raw);
    if !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return stamp::rfc3339(&text, zone);
    }
    let whole = text.split('.').next()?.len();
    // Ten digits of seconds last until the year 2286.
    let scale = match whole {
        0..=11 => 0,
        12..=14 => 3,
        15..=17 => 6,
        _ => 9,
    };
    stamp::epoch(&text, scale)
}
