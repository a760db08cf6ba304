//! Recordings of asciinema, versions 2 and 3: a header, then an event a line, `[time, "o", "text"]`. What was sent to
//! the terminal is put together from the events, which begin and end anywhere.

use jiff::tz::TimeZone;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::{Stamp, TimeBasis, stamp};
use super::json_string::{Decoded, decode};
use super::mapped::Mapped;
use super::terminal::{Terminal, frame};
use super::{Fit, Layer, LineKind, LineSource, Lines, Meta, Notes};

#[derive(Deserialize)]
struct Header {
    version: u8,
    #[serde(default)]
    width: Option<usize>,
    #[serde(default)]
    term: Option<Size>,
    #[serde(default)]
    timestamp: Option<i64>,
}

#[derive(Deserialize)]
struct Size {
    cols: Option<usize>,
}

fn header(line: &str) -> Option<Header> {
    let header: Header = serde_json::from_str(line).ok()?;
    matches!(header.version, 2 | 3).then_some(header)
}

/// Whether a head is such a recording.
pub(super) fn fit(head: &str) -> Fit {
    let mut lines = head.lines();
    let recorded = lines.next().is_some_and(|first| first.starts_with('{') && header(first).is_some())
        && lines.find(|line| !line.starts_with('#')).is_none_or(|line| line.starts_with('['));
    if recorded { Fit::Strong } else { Fit::None }
}

/// The layer of such a recording.
#[derive(Clone, Default)]
pub(super) struct Cast {
    terminal: Terminal,
    version: u8,
    /// When it began, in seconds since 1970.
    began: Option<i64>,
    /// Nanoseconds since then; version 3 tells only the time since the event before.
    passed: i128,
    text: Mapped,
}

impl Cast {
    pub(super) fn open(_: &TimeZone) -> Box<dyn Layer> {
        Box::<Self>::default()
    }

    fn time(&mut self, token: &str) -> Option<Stamp> {
        let told = stamp::elapsed(token, 0)?;
        let nanoseconds = told.at.as_nanosecond();
        self.passed = if self.version == 3 { self.passed.saturating_add(nanoseconds) } else { nanoseconds };
        let began = i128::from(self.began.unwrap_or(0)) * 1_000_000_000;
        let at = jiff::Timestamp::from_nanosecond(began.checked_add(self.passed)?).ok()?;
        let basis = if self.began.is_some() { TimeBasis::Recorded } else { TimeBasis::Elapsed };
        Some(Stamp { at, basis, ..told })
    }
}

impl Layer for Cast {
    fn take(&mut self, line: &LineSource<'_>, _: &mut Notes, lines: &mut Lines) {
        let whole = line.part.text;
        if let Some(header) = header(whole) {
            (self.version, self.began) = (header.version, header.timestamp);
            let width = header.width.or(header.term.and_then(|size| size.cols));
            self.terminal.width = width.filter(|width| *width > 0);
            return frame(line, lines);
        }
        let Ok((time, code, text)) = serde_json::from_str::<(&RawValue, &str, &RawValue)>(whole) else {
            return frame(line, lines);
        };
        let mut meta = Meta { kind: LineKind::Shown, ..line.meta };
        meta.time = self.time(time.get());
        if code != "o" || !text.get().starts_with('"') {
            return frame(line, lines);
        }
        let start = text.get().as_ptr().addr() - whole.as_ptr().addr();
        self.text.clear();
        decode(whole, start + 1..start + text.get().len() - 1, |piece| match piece {
            Decoded::Plain(range) => self.text.keep(line.part, range),
            Decoded::Escape(range, character) => {
                self.text.put(line.part, &range, character.encode_utf8(&mut [0; 4]));
            }
        });
        let before = lines.finished();
        self.terminal.show(self.text.part(0..self.text.text.len()), &meta, lines);
        if lines.finished() == before && !lines.is_growing() {
            frame(line, lines);
        }
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}
