//! Finds the format of an input and reads it: the transcript as the rest of the program sees it.

use std::borrow::Cow;

use super::jsonl::bare;
use super::wrapped::Wrapped;
use super::{
    Advance, Bid, Confidence, Content, EventKind, FORMATS, Flag, Flags, Format, Head, LineBuffer, OwnFormat, ReadError,
    ReadOptions, Reader, Source, Step, Wrapping, Wrappings, hint,
};

/// What was recognised, and why.
#[derive(Clone, Copy)]
pub struct Detected {
    /// The format.
    pub format: &'static Format,
    /// How sure.
    pub confidence: Confidence,
    /// Why, as half a sentence; `forced by --from` when the user said so.
    pub reason: &'static str,
    /// What was taken off the text before the format could be seen.
    pub wrappings: Wrappings,
}

impl Detected {
    /// The reason with the wrappings behind it: `the first line is a JSON-RPC message, inside gzip`.
    pub fn reason(&self) -> Cow<'static, str> {
        if self.wrappings.is_empty() {
            return Cow::Borrowed(self.reason);
        }
        let names: Vec<&str> = self.wrappings.iter().map(Wrapping::as_str).collect();
        Cow::Owned(format!("{}, inside {}", self.reason, names.join(", ")))
    }
}

/// One input: frames out of bytes.
pub struct Transcript {
    lines: LineBuffer,
    options: ReadOptions,
    detected: Option<(&'static Format, Bid)>,
    reader: Option<Box<dyn Reader>>,
    hint: Option<&'static str>,
}

/// Enough of a head to decide on, if there is so much.
const HEAD: usize = 64 * 1024;
/// Lines of noise before that is looked at in smaller portions.
const PATIENCE: u64 = 512;

impl Transcript {
    /// Opens an input. `from` forces a format; without it, the first lines decide, and lines before the first
    /// recognisable one become noise.
    pub fn new(source: Source, from: Option<&'static Format>, options: ReadOptions) -> Self {
        let lines = LineBuffer::new(source, options.max_line);
        let mut transcript = Self { lines, options, detected: None, reader: None, hint: None };
        if let Some(format) = from {
            transcript.choose(format, Bid::new(Confidence::Certain, "forced by --from"));
        }
        transcript
    }

    /// The next frame.
    ///
    /// # Errors
    /// When the source fails, after everything before the fault was given out.
    pub fn next_frame(&mut self) -> Result<Step<'_>, ReadError> {
        if self.reader.is_none() {
            match self.recognise() {
                Advance::Idle => return Ok(Step::Idle),
                Advance::Paused => return Ok(Step::Paused),
                Advance::Line | Advance::End => {}
            }
        }
        match &mut self.reader {
            Some(reader) => reader.next_frame(&mut self.lines),
            None => noise(&mut self.lines),
        }
    }

    /// What was recognised so far.
    pub fn detected(&self) -> Option<Detected> {
        let (format, Bid { confidence, reason }) = self.detected?;
        Some(Detected { format, confidence, reason, wrappings: self.wrappings() })
    }

    /// What was taken off the text so far.
    pub fn wrappings(&self) -> Wrappings {
        self.lines.wrappings()
    }

    /// After the end: why the input looks half-read, with the position; lower case, no full stop.
    pub fn problem(&self) -> Option<String> {
        self.reader.as_ref()?.problem()
    }

    /// How to get a log with messages from a producer that often writes none; lower case, no full stop.
    pub fn advice(&self) -> Option<&'static str> {
        self.reader.as_ref()?.advice()
    }

    /// What the input is when it is no text, and how to make it readable.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }

    /// Decompressed bytes and physical lines read so far.
    pub fn consumed(&self) -> (u64, u64) {
        self.lines.consumed()
    }

    /// Whether the input ended because the user asked to stop.
    pub fn interrupted(&self) -> bool {
        self.lines.interrupted()
    }

    fn choose(&mut self, format: &'static Format, bid: Bid) {
        let own = self.options.own.iter().find(|own| std::ptr::eq(&own.format, format));
        self.reader = Some(match own {
            Some(own) => Box::new(Wrapped::new(own.adapter, &self.options)),
            None => (format.open)(&self.options),
        });
        self.detected = Some((format, bid));
    }

    /// Lets the formats bid for what lies ahead. `Line` when that can be read now, by the reader or as noise.
    fn recognise(&mut self) -> Advance {
        // Blank lines tell nothing and are handed out without asking anybody.
        let ahead = self.lines.ahead();
        let blank = memchr::memchr(b'\n', &ahead[..ahead.len().min(256)]);
        if blank.is_some_and(|end| ahead[..end].trim_ascii().is_empty()) {
            return Advance::Line;
        }
        // What is still unknown after so many lines is not looked at so closely any more, or a large file that is no
        // transcript would take for ever.
        let wanted = if self.lines.consumed().1 < PATIENCE { HEAD } else { HEAD / 16 };
        let there = self.lines.look_ahead(wanted);
        let ahead = self.lines.ahead();
        let ahead = if there == Advance::Line { &ahead[..ahead.len().min(wanted)] } else { ahead };
        if self.hint.is_none() && self.lines.consumed().0 == 0 {
            self.hint = hint(ahead);
        }
        let silent = matches!(there, Advance::Idle | Advance::Paused);
        let whole = memchr::memrchr(b'\n', ahead).map(|at| &ahead[..=at]);
        // Of a producer that only takes a breath, what is no whole line yet proves nothing.
        let Some(head) = (if silent { whole } else { Some(ahead) }) else { return there };
        let text = String::from_utf8_lossy(head);
        let head = Head {
            text: &text,
            complete: self.lines.all_ahead() && !silent && there == Advance::End,
            first: self.lines.consumed().0 == 0,
        };
        let best = best_bid(&head, self.options.own);
        // A producer that has just written its first line is believed at once if that line is clear, and else given
        // the time of a pause to go on.
        if there == Advance::Idle && best.is_none_or(|(_, bid)| bid.confidence < Confidence::Certain) {
            return there;
        }
        if let Some((format, bid)) = best {
            self.choose(format, bid);
        }
        Advance::Line
    }
}

/// A line before the first recognisable one.
fn noise(lines: &mut LineBuffer) -> Result<Step<'_>, ReadError> {
    match lines.advance()? {
        Advance::Line => {}
        Advance::Idle => return Ok(Step::Idle),
        Advance::Paused => return Ok(Step::Paused),
        Advance::End => return Ok(Step::End),
    }
    let line = lines.line();
    let text = line.text.trim_ascii();
    let start = line.text.len() - line.text.trim_ascii_start().len();
    let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
    let content = if text.is_empty() { Content::Blank } else { Content::Event { kind: EventKind::Noise, text } };
    Ok(Step::Frame(bare(&line, start..start + text.len(), flags, content)))
}

/// The highest bid; of equal ones, the format that stands first.
fn best_bid(head: &Head<'_>, own: &'static [OwnFormat]) -> Option<(&'static Format, Bid)> {
    let mut best: Option<(&'static Format, Bid)> = None;
    let own = own.iter().map(|own| (&own.format, own.adapter.sniff(head)));
    for (format, bid) in own.chain(FORMATS.iter().map(|format| (*format, (format.sniff)(head)))) {
        if bid.confidence > best.map_or(Confidence::None, |(_, best)| best.confidence) {
            best = Some((format, bid));
        }
    }
    best
}
