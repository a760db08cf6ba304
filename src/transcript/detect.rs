//! Finds the format of an input and reads it: the transcript as the rest of the program sees it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use super::foreign;
use super::jsonl::{self, bare};
use super::peel::{Fit, LineKind, Notes, Peel, WRAPS, Wrap};
use super::wrapped::Wrapped;
use super::{
    Advance, Bid, Confidence, Content, EventKind, FORMATS, Flag, Flags, Format, Frame, Head, LineBuffer, OwnFormat,
    ReadError, ReadOptions, Reader, Source, Step, Wrapping, Wrappings, hint,
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
    forced: Option<&'static Format>,
    detected: Option<(&'static Format, Bid)>,
    /// Those that bid when the format was chosen, the surest first.
    bids: Vec<(&'static Format, Bid)>,
    reader: Option<Box<dyn Reader>>,
    hint: Option<&'static str>,
    notes: Rc<RefCell<Notes>>,
    /// The stream that the wrapping names for the frame given out last.
    lane: String,
    /// Wrappings that may still be found inside of those that were.
    deeper: usize,
}

/// Enough of a head to decide on, if there is so much.
const HEAD: usize = 64 * 1024;
/// Lines of noise before that is looked at in smaller portions.
const PATIENCE: u64 = 512;
/// Wrappings that may lie in each other.
const DEPTH: usize = 3;

impl Transcript {
    /// Opens an input. `from` forces a format; without it, the first lines decide, and lines before the first
    /// recognisable one become noise. Wrappings are taken off in either case.
    pub fn new(source: Source, from: Option<&'static Format>, options: ReadOptions) -> Self {
        let lines = LineBuffer::new(source, options.max_line);
        Self {
            notes: lines.notes(),
            lines,
            options,
            forced: from,
            detected: None,
            bids: Vec::new(),
            reader: None,
            hint: None,
            lane: String::new(),
            deeper: DEPTH,
        }
    }

    /// The next frame.
    ///
    /// # Errors
    /// When the source fails, after everything before the fault was given out.
    pub fn next_frame(&mut self) -> Result<Step<'_>, ReadError> {
        if self.reader.is_none() || self.lines.is_wrapped() {
            return self.next_found();
        }
        // Nothing is to be added: a frame is too large to be moved for each line.
        self.reader.as_mut().expect("it was there just now").next_frame(&mut self.lines)
    }

    /// [`Self::next_frame`] where the format is not known yet, or something was taken off the lines.
    #[inline(never)]
    fn next_found(&mut self) -> Result<Step<'_>, ReadError> {
        if self.reader.is_none() {
            match self.recognise() {
                Advance::Idle => return Ok(Step::Idle),
                Advance::Paused => return Ok(Step::Paused),
                Advance::Line | Advance::End => {}
            }
        }
        let wrapped = self.lines.is_wrapped();
        let step = match &mut self.reader {
            Some(reader) => reader.next_frame(&mut self.lines),
            None => noise(&mut self.lines),
        };
        if !wrapped {
            return step;
        }
        let mut step = step?;
        if let Step::Frame(frame) = &mut step
            && !self.notes.borrow().is_empty()
        {
            note(frame, &mut self.notes.borrow_mut(), &mut self.lane);
        }
        Ok(step)
    }

    /// What was recognised so far.
    pub fn detected(&self) -> Option<Detected> {
        let (format, Bid { confidence, reason }) = self.detected?;
        Some(Detected { format, confidence, reason, wrappings: self.wrappings() })
    }

    /// The formats that bid when one was chosen, the surest first.
    pub fn bids(&self) -> &[(&'static Format, Bid)] {
        &self.bids
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
            None if format.name == jsonl::FORMAT.name && !self.lines.is_wrapped() => {
                let ahead = self.options.ahead.is_some_and(|size| self.lines.read_ahead(size));
                if ahead { Box::new(jsonl::Ahead::default()) } else { (format.open)(&self.options) }
            }
            None => (format.open)(&self.options),
        });
        self.detected = Some((format, bid));
    }

    /// Lets the formats bid for what lies ahead. `Line` when that can be read now, by the reader or as noise.
    fn recognise(&mut self) -> Advance {
        // Blank lines tell nothing and are handed out without asking anybody.
        let ahead = self.lines.ahead();
        let blank = memchr::memchr(b'\n', &ahead[..ahead.len().min(256)]);
        if self.forced.is_none() && blank.is_some_and(|end| ahead[..end].trim_ascii().is_empty()) {
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
        let text = self.lines.preview(lossy(head));
        let head = Head {
            text: &text,
            complete: self.lines.all_ahead() && !silent && there == Advance::End,
            first: self.lines.consumed().0 == 0,
        };
        let found = Found::within(&head, self.forced, &self.options, self.deeper);
        // A producer that has just written its first line is believed at once if that line is clear, and else given
        // the time of a pause to go on.
        if there == Advance::Idle && self.forced.is_none() && found.confidence() < Confidence::Certain {
            return there;
        }
        let best = found.bids.first().copied();
        if best.is_none() && head.first && self.hint.is_none() {
            self.hint = foreign::text(&text, head.complete);
        }
        self.deeper -= found.wraps.len();
        for wrap in found.wraps {
            self.lines.unwrap(wrap, &self.options.zone);
        }
        self.bids = found.bids;
        match (self.forced, best) {
            (Some(format), _) => self.choose(format, Bid::new(Confidence::Certain, "forced by --from")),
            (None, Some((format, bid))) => self.choose(format, bid),
            (None, None) => {}
        }
        Advance::Line
    }
}

/// Adds to a frame what the wrapping of its line told.
fn note<'b>(frame: &mut Frame<'b>, notes: &mut Notes, lane: &'b mut String) {
    let place = &mut frame.position;
    let Some((note, last, name)) = notes.of(place.offset, place.offset + place.length) else { return };
    // Readers count the lines that they see, of which a physical line may hold several.
    (place.line, place.end_line) = (note.first, last.max(note.first));
    frame.time = frame.time.or(note.time);
    match (note.kind, &mut frame.content) {
        (LineKind::Framing, content) => *content = Content::Framing,
        // Nobody claims that it went over the wire.
        (LineKind::Prose, Content::Event { kind, .. }) => *kind = EventKind::Note,
        (LineKind::Shown, Content::Event { kind: kind @ EventKind::Noise, .. }) => *kind = EventKind::Note,
        _ => {}
    }
    let is_message = matches!(frame.content, Content::Message { .. } | Content::Outline(_));
    if let Some(name) = name.filter(|_| is_message && frame.session.is_none()) {
        if lane != name {
            name.clone_into(lane);
        }
        frame.session = Some(lane);
    }
}

/// Bytes as text. Most are text from end to end, and that is checked faster than bad bytes are looked for.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    simdutf8::basic::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
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

/// What lies ahead, and inside of what.
struct Found {
    /// From the outermost to the innermost.
    wraps: Vec<&'static Wrap>,
    bids: Vec<(&'static Format, Bid)>,
}

impl Found {
    fn confidence(&self) -> Confidence {
        self.bids.first().map_or(Confidence::None, |(_, bid)| bid.confidence)
    }

    /// Looks at a head as it is, and without what may lie around its lines. A wrapping is believed where a format is
    /// surer inside; one that nobody else writes also where a format is as sure, or where there is none yet.
    fn within(head: &Head<'_>, forced: Option<&'static Format>, options: &ReadOptions, deeper: usize) -> Self {
        let mut found = Self { wraps: Vec::new(), bids: bids(head, forced, options.own) };
        let bare = found.confidence();
        if deeper == 0 {
            return found;
        }
        let certain = bare == Confidence::Certain;
        for wrap in WRAPS.iter().filter(|wrap| !(certain && wrap.is_doubtful())) {
            let fit = (wrap.fit)(head.text);
            if fit == Fit::None || (fit == Fit::Weak && certain) {
                continue;
            }
            let text = Peel::alone(wrap, &options.zone).preview(head.text);
            let inside = Self::within(&Head { text: &text, ..*head }, forced, options, deeper - 1);
            let surer = inside.confidence() > found.confidence();
            let as_sure = inside.confidence() == found.confidence() && found.wraps.is_empty();
            if surer || (as_sure && fit == Fit::Strong) {
                found.bids = inside.bids;
                found.wraps = std::iter::once(wrap).chain(inside.wraps).collect();
            }
        }
        found
    }
}

/// The bids, the highest first; of equal ones, the user's formats, then the format that stands first. With a forced
/// format, only that one bids.
fn bids(head: &Head<'_>, forced: Option<&'static Format>, own: &'static [OwnFormat]) -> Vec<(&'static Format, Bid)> {
    let asked = |format: &Format| forced.is_none_or(|forced| forced.name == format.name);
    let own = own.iter().filter(|own| asked(&own.format)).map(|own| (&own.format, own.adapter.sniff(head)));
    let known = FORMATS.iter().copied().filter(|format| asked(format)).map(|format| (format, (format.sniff)(head)));
    let mut bids: Vec<_> = own.chain(known).filter(|(_, bid)| bid.confidence > Confidence::None).collect();
    bids.sort_by_key(|(_, bid)| std::cmp::Reverse(bid.confidence));
    bids
}
