//! One input from its first byte to its last: frames, messages, the hold-back, events, the end.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use super::hold::{Hold, Unit};
use super::redacted::Replaced;
use super::totals::Totals;
use super::within::Within;
use super::{Job, Shared, Sink, embedded};
use crate::annotate::{Agreement, BatchPlace, Event, InputEnd, InputStatus, LineClasses, Place, Record, Told, View};
use crate::filter::Selection;
use crate::jsonrpc::{Parsed, Parser, Reading};
use crate::position::Position;
use crate::protocol::{Era, Side, method_set};
use crate::redact::Redactor;
use crate::session::{Ahead, Decided, Facts, Glimpse, LaneKey, Message, Tracker, Verdict};
use crate::transcript::{
    Content, EventKind, Failure, Flag, Flags, Frame, Origin, Source, SourceError, Step, Transcript, Wrappings, values,
};

/// Reads one input. Gives whether the user stopped the run.
pub(super) fn read(
    job: &Job,
    index: u32,
    name: &str,
    source: Source,
    shared: &mut Shared<'_>,
    sink: &mut dyn Sink,
) -> io::Result<bool> {
    let mut transcript = Transcript::new(source, job.from, job.read.clone());
    let mut run = InputRun::new(index, name, shared, sink);
    if let Some(redactor) = run.redactor {
        redactor.next_input();
    }
    if let Some(selection) = run.selection {
        selection.next_input();
    }
    let mut elements = Parser::new();
    let mut failure = None;
    loop {
        match &transcript.next_frame() {
            Ok(Step::Frame(frame)) => run.frame(frame, &mut elements)?,
            Ok(Step::Noted(frame, noted)) => {
                let lines = run.new_lines(&frame.position);
                run.one(frame, lines, &noted.parsed())?;
            }
            Ok(Step::Idle) => run.sink.idle()?,
            Ok(Step::Paused) => {
                run.drain(true)?;
                run.sink.pause()?;
            }
            Ok(Step::End) => break,
            Err(error) => {
                failure = Some(error.to_string());
                break;
            }
        }
    }
    run.drain(true)?;
    let end = run.finish(&transcript, failure)?;
    shared.totals.input(&end);
    sink.record(&Record::InputEnd(&end))?;
    Ok(transcript.interrupted())
}

/// The end of an input that could not even be opened.
pub(super) fn unreadable(index: u32, name: &str, error: &SourceError) -> InputEnd {
    InputEnd {
        input: index,
        file: name.to_owned(),
        detected: None,
        wrappings: Wrappings::NONE,
        bytes: 0,
        lines: 0,
        classes: LineClasses::default(),
        messages: 0,
        status: InputStatus::Unreadable,
        error: Some(error.to_string()),
    }
}

/// Whether a line may hold several values: one value ended before the line did. Not asked where the text is not what
/// stands in the input, so that places stay true.
fn is_several(parsed: &Parsed<'_>, frame: &Frame<'_>, origin: Origin) -> bool {
    let ends_early =
        parsed.envelope.as_ref().is_err_and(|malformed| malformed.is_not_json() && !malformed.is_truncated());
    ends_early && origin == Origin::Wire && !frame.flags.has(Flag::BadUtf8) && !frame.flags.has(Flag::Oversized)
}

/// Whether it is a log that tells of the message, which may have cut it.
fn is_logged(frame: &Frame<'_>) -> bool {
    matches!(frame.content, Content::Message { origin: Origin::Labelled | Origin::Log, .. })
}

/// The facts of a message, by where it was found.
fn facts<'a>(frame: &Frame<'_>, parsed: &'a Parsed<'a>) -> Facts<'a> {
    let mut facts = Facts::of_parsed(parsed);
    if is_logged(frame) {
        facts.recover(parsed);
    }
    facts
}

/// Whether a message shows that the input holds MCP: JSON objects of other logs can have a `method` or an `error` too.
fn is_evidence(parsed: &Parsed<'_>) -> bool {
    let envelope = match &parsed.envelope {
        Ok(envelope) => envelope,
        Err(malformed) => {
            let known = malformed.method.as_deref().is_some_and(|method| method_set(method).is_some());
            return parsed.is_elided()
                && (known || memchr::memmem::find(parsed.text.as_bytes(), b"\"jsonrpc\"").is_some());
        }
    };
    !parsed.defects.version_missing || envelope.method().is_none_or(|method| method_set(method).is_some())
}

/// Bytes of an event's text that are handed on; the rest is reached by its place.
const MAX_EVENT: usize = 64 << 10;

/// Characters of an event that the error of an input shows.
const MAX_SHOWN: usize = 120;

/// The side that alone can send a message.
fn only_sender(parser: &mut Parser, text: &str) -> Option<Side> {
    match parser.read(text) {
        Reading::Message(parsed) => Facts::of_parsed(&parsed).set?.only_sender(),
        Reading::Batch(_) => None,
    }
}

/// Hands on a record that is wanted, or one that is not.
#[inline(always)]
pub(super) fn hand_on(sink: &mut dyn Sink, record: &Record<'_>, wanted: bool) -> io::Result<()> {
    if wanted { sink.record(record) } else { sink.passed(record) }
}

/// Hands on a message as the filter says; whether it is wanted.
#[inline(never)]
fn select(
    selection: &mut Selection<'_>,
    told: &Told<'_>,
    totals: &mut Totals,
    sink: &mut dyn Sink,
) -> io::Result<bool> {
    let annotated = told.annotated();
    let wanted = selection.message(&annotated);
    if wanted {
        totals.message(&told.brief());
    }
    hand_on(sink, &Record::Message(&annotated), wanted)?;
    Ok(wanted)
}

pub(super) struct InputRun<'r, 'f> {
    pub(super) index: u32,
    pub(super) name: &'r str,
    pub(super) tracker: Tracker,
    pub(super) hold: Hold,
    /// Parses what is decided now; the other parser of the loop splits batches and looks ahead.
    pub(super) parser: Parser,
    /// Parses again what was held.
    pub(super) replay: Parser,
    pub(super) n: u64,
    /// A message showed that the input holds MCP.
    pub(super) is_mcp: bool,
    /// Lines beyond `--max-line`: how many, and the first.
    pub(super) oversized: (u64, u64),
    /// The most telling failure that events told of before the first message: its line and words.
    pub(super) failure: Option<(Failure, u64, String)>,
    pub(super) last_line: u64,
    /// Lines before that one that no frame held yet: first and last of each run.
    gaps: BTreeMap<u64, u64>,
    pub(super) classes: LineClasses,
    /// Replaces secrets, when that is asked for.
    pub(super) redactor: &'r mut Option<Redactor>,
    /// Says which records are wanted, when not all are.
    pub(super) selection: &'r mut Option<Selection<'f>>,
    pub(super) totals: &'r mut Totals,
    pub(super) sink: &'r mut dyn Sink,
}

impl<'r, 'f> InputRun<'r, 'f> {
    fn new(index: u32, name: &'r str, shared: &'r mut Shared<'f>, sink: &'r mut dyn Sink) -> Self {
        Self {
            index,
            name,
            tracker: Tracker::new(),
            hold: Hold::default(),
            parser: Parser::new(),
            replay: Parser::new(),
            n: 0,
            is_mcp: false,
            oversized: (0, 0),
            failure: None,
            last_line: 0,
            gaps: BTreeMap::new(),
            classes: LineClasses::default(),
            redactor: &mut shared.redactor,
            selection: &mut shared.selection,
            totals: &mut shared.totals,
            sink,
        }
    }

    /// Takes a frame: splits batches, sorts noise from messages, counts lines.
    fn frame(&mut self, frame: &Frame<'_>, elements: &mut Parser) -> io::Result<()> {
        let lines = self.new_lines(&frame.position);
        self.sort(frame, lines, elements)
    }

    /// Takes a frame that stands on so many lines of its own.
    fn sort(&mut self, frame: &Frame<'_>, mut lines: u64, elements: &mut Parser) -> io::Result<()> {
        if frame.flags.has(Flag::Oversized) {
            let (count, first) = self.oversized;
            self.oversized = (count + 1, if count == 0 { frame.position.line } else { first });
        }
        match frame.content {
            Content::Blank => self.classes.blank += lines,
            Content::Framing => self.classes.frame += lines,
            Content::Event { kind, .. } => {
                *(if kind == EventKind::Noise { &mut self.classes.noise } else { &mut self.classes.event }) += lines;
                self.take(Unit { n: 0, frame, batch: None, sender: None, wire: true }, None)?;
            }
            Content::Outline(outline) if outline.view => {
                self.classes.event += lines;
                self.view(frame)?;
            }
            Content::Outline(_) => {
                self.classes.message += lines;
                self.n += 1;
                self.is_mcp = true;
                self.take(Unit { n: self.n, frame, batch: None, sender: None, wire: true }, None)?;
            }
            Content::Message { text, origin } => match &elements.read(text) {
                Reading::Message(parsed) if is_several(parsed, frame, origin) && !values(text).is_empty() => {
                    let mut place = Within::of(frame, text);
                    for value in values(text) {
                        let position = place.of_part(value);
                        let content = match value.as_bytes().first() {
                            Some(b'{' | b'[') => Content::Message { text: value, origin },
                            _ => Content::Event { kind: EventKind::Noise, text: value },
                        };
                        self.sort(&Frame { position, content, ..*frame }, 0, &mut Parser::new())?;
                        self.classes.message += std::mem::take(&mut lines);
                    }
                }
                Reading::Message(parsed) if parsed.envelope.is_err() && origin == Origin::Log => {
                    self.classes.noise += lines;
                    let content = Content::Event { kind: EventKind::Noise, text };
                    self.take(
                        Unit { n: 0, frame: &Frame { content, ..*frame }, batch: None, sender: None, wire: false },
                        None,
                    )?;
                }
                Reading::Message(parsed) => self.one(frame, lines, parsed)?,
                Reading::Batch(texts) => {
                    self.classes.message += lines;
                    self.batch(frame, text, texts, origin)?;
                }
            },
        }
        Ok(())
    }

    /// Takes a frame that is one message.
    #[inline(always)]
    fn one(&mut self, frame: &Frame<'_>, lines: u64, parsed: &Parsed<'_>) -> io::Result<()> {
        self.classes.message += lines;
        self.n += 1;
        self.is_mcp = self.is_mcp || is_evidence(parsed);
        self.take(Unit { n: self.n, frame, batch: None, sender: None, wire: true }, Some(parsed))
    }

    /// How many lines of a frame were in none before it.
    fn new_lines(&mut self, position: &Position) -> u64 {
        let (first, last, before) = (position.line.max(1), position.end_line, self.last_line);
        self.last_line = before.max(last);
        let ahead = last.saturating_sub(before.max(first - 1));
        if first > before + 1 {
            self.gaps.insert(before + 1, first - 1);
        }
        if self.gaps.is_empty() || first > before {
            return ahead;
        }
        // Lines that were passed over, for a reader that gives some of them out later.
        let Some((&start, &end)) = self.gaps.range(..=first).next_back() else { return ahead };
        if end < first {
            return ahead;
        }
        self.gaps.remove(&start);
        if start < first {
            self.gaps.insert(start, first - 1);
        }
        if last < end {
            self.gaps.insert(last + 1, end);
        }
        ahead + (end.min(last) + 1).saturating_sub(first)
    }

    fn batch(&mut self, frame: &Frame<'_>, whole: &str, texts: &[&str], origin: Origin) -> io::Result<()> {
        let mut parser = Parser::new();
        let mut pointer = String::new();
        let mut place = Within::of(frame, whole);
        let size = texts.len() as u64;
        let sender = texts.iter().find_map(|text| only_sender(&mut parser, text));
        for (index, &text) in texts.iter().enumerate() {
            pointer.clear();
            let _ = write!(pointer, "{}/{index}", frame.pointer.unwrap_or_default());
            let position = place.of_part(text);
            let content = Content::Message { text, origin };
            self.n += 1;
            let unit = Unit {
                n: self.n,
                frame: &Frame { position, pointer: Some(&pointer), content, ..*frame },
                batch: Some(BatchPlace { index: index as u64, size }),
                sender,
                wire: true,
            };
            match parser.read(text) {
                Reading::Message(parsed) => {
                    self.is_mcp = self.is_mcp || is_evidence(&parsed);
                    self.take(unit, Some(&parsed))?;
                }
                // A batch within a batch is no message.
                Reading::Batch(_) => self.take(unit, None)?,
            }
        }
        Ok(())
    }

    /// Takes a message or event in order, without its secrets.
    #[inline(always)]
    fn take(&mut self, unit: Unit<'_>, parsed: Option<&Parsed<'_>>) -> io::Result<()> {
        let replaced = self.redactor.as_mut().and_then(|redactor| Replaced::of(unit.frame, redactor));
        let Some(replaced) = replaced else { return self.pass(unit, parsed) };
        let frame = replaced.frame(unit.frame);
        let unit = Unit { frame: &frame, ..unit };
        let Content::Message { text, .. } = unit.frame.content else { return self.pass(unit, None) };
        match Parser::new().read(text) {
            Reading::Message(parsed) => self.pass(unit, Some(&parsed)),
            Reading::Batch(_) => self.pass(unit, None),
        }
    }

    /// Hands on at once if nothing is held and nothing has to wait.
    #[inline]
    fn pass(&mut self, unit: Unit<'_>, parsed: Option<&Parsed<'_>>) -> io::Result<()> {
        if self.hold.is_empty() && self.try_unit(&unit, parsed, Ahead { glimpses: &[], last: false })? {
            return Ok(());
        }
        let glimpse = self.glimpse(&unit, parsed);
        let tells = glimpse.as_ref().is_some_and(Glimpse::tells);
        self.hold.push(&unit, glimpse);
        if tells || self.hold.is_full() { self.drain(false) } else { Ok(()) }
    }

    fn glimpse(&mut self, unit: &Unit<'_>, parsed: Option<&Parsed<'_>>) -> Option<Glimpse> {
        let frame = unit.frame;
        let lane = LaneKey::new(frame.session, frame.server);
        match (&frame.content, parsed) {
            (Content::Message { .. }, Some(parsed)) => {
                Some(Glimpse::of(unit.n, lane, frame.direction, &facts(frame, parsed)))
            }
            (Content::Message { text, .. }, None) => match self.parser.read(text) {
                Reading::Message(parsed) => Some(Glimpse::of(unit.n, lane, frame.direction, &facts(frame, &parsed))),
                Reading::Batch(_) => {
                    let nested = Parsed::nested_batch(text);
                    Some(Glimpse::of(unit.n, lane, frame.direction, &Facts::of_parsed(&nested)))
                }
            },
            (Content::Outline(outline), _) => {
                Some(Glimpse::of(unit.n, lane, frame.direction, &Facts::of_outline(outline)))
            }
            _ => None,
        }
    }

    /// Hands on what is held, as far as it can be decided; all of it when nothing may be waited for.
    fn drain(&mut self, all: bool) -> io::Result<()> {
        let mut hold = std::mem::take(&mut self.hold);
        let mut parser = std::mem::take(&mut self.replay);
        let mut result = Ok(());
        while let Some(last) = (!hold.is_empty()).then(|| all || hold.is_full()) {
            let Some((held, glimpses)) = hold.front() else { break };
            let frame = held.frame();
            let unit = held.unit(&frame);
            let ahead = Ahead { glimpses: glimpses.get(usize::from(unit.n > 0)..).unwrap_or_default(), last };
            let done = match unit.frame.content {
                Content::Message { text, .. } => match parser.read(text) {
                    Reading::Message(parsed) => self.try_unit(&unit, Some(&parsed), ahead),
                    Reading::Batch(_) => self.try_unit(&unit, None, ahead),
                },
                _ => self.try_unit(&unit, None, ahead),
            };
            match done {
                Ok(true) => hold.pop(),
                Ok(false) => break,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        self.hold = hold;
        self.replay = parser;
        result
    }

    /// Steps and writes one unit; `false` when the decision has to wait.
    #[inline(always)]
    fn try_unit(&mut self, unit: &Unit<'_>, parsed: Option<&Parsed<'_>>, ahead: Ahead<'_>) -> io::Result<bool> {
        match &unit.frame.content {
            Content::Event { kind, text } => self.event(unit, *kind, text).map(|()| true),
            Content::Outline(outline) => self.message(unit, &Facts::of_outline(outline), None, "", ahead),
            Content::Message { text, .. } => {
                let nested;
                let parsed = match parsed {
                    Some(parsed) => parsed,
                    None => {
                        nested = Parsed::nested_batch(text);
                        &nested
                    }
                };
                let mut facts = Facts::default();
                facts.read(parsed);
                if is_logged(unit.frame) {
                    facts.recover(parsed);
                }
                facts.ask(unit.frame.asked);
                self.message(unit, &facts, Some(parsed), text, ahead)
            }
            Content::Blank | Content::Framing => Ok(true),
        }
    }

    fn message(
        &mut self,
        unit: &Unit<'_>,
        facts: &Facts<'_>,
        parsed: Option<&Parsed<'_>>,
        text: &str,
        ahead: Ahead<'_>,
    ) -> io::Result<bool> {
        let frame = unit.frame;
        let message = Message { n: unit.n, frame, batch: unit.batch, batch_sender: unit.sender, facts };
        let mut decided = Decided::default();
        if self.tracker.decide(&message, ahead, &mut decided).is_none() {
            return Ok(false);
        }
        let mut verdict = self.tracker.begin(&decided);
        self.tracker.commit(&message, &decided, &mut verdict);
        self.sessions_ended()?;
        let place = Place { input: self.index, file: self.name, text };
        let told = Told { place, message: &message, verdict: &verdict, tracker: &self.tracker, parsed };
        let wanted = match self.selection.as_mut() {
            Some(selection) => select(selection, &told, self.totals, self.sink)?,
            None => {
                let brief = told.brief();
                self.totals.message(&brief);
                self.sink.message(&told, &brief)?;
                true
            }
        };
        if verdict.found_swapped {
            self.note_swapped(frame, &verdict)?;
        }
        if verdict.agreed {
            self.agreement(unit.n, &verdict, wanted)?;
        }
        if let Some(carried) = embedded::of_message(facts) {
            self.carried(carried, &message, &verdict, wanted)?;
        }
        Ok(true)
    }

    #[inline(never)]
    fn carried(
        &mut self,
        carried: embedded::Carried<'_>,
        message: &Message<'_>,
        verdict: &Verdict,
        wanted: bool,
    ) -> io::Result<()> {
        let (records, lost) = embedded::records(carried, self.index, self.name, message, verdict, &self.tracker);
        self.totals.caps([("embedded", lost)].into_iter().filter(|(_, lost)| *lost > 0));
        for record in &records {
            if wanted {
                self.totals.embedded(record);
            }
            hand_on(self.sink, &Record::Embedded(record), wanted)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn note_swapped(&mut self, frame: &Frame<'_>, verdict: &Verdict) -> io::Result<()> {
        let session = self.tracker.session(verdict);
        let event = Event {
            input: self.index,
            file: self.name,
            position: frame.position,
            session: u64::from(verdict.session),
            time: frame.time,
            session_start: session.times().map(|(start, _)| start),
            direction: None,
            wire: false,
            kind: EventKind::Note,
            text: "the recorded directions contradict the methods that only one side can send; they are read the other way round",
            phase: verdict.phase,
            flags: Flags::NONE,
            http: None,
            frame: None,
        };
        self.event_record(&event)
    }

    #[inline(never)]
    fn agreement(&mut self, n: u64, verdict: &Verdict, wanted: bool) -> io::Result<()> {
        let session = self.tracker.session(verdict);
        let agreement = Agreement {
            input: self.index,
            session: u64::from(verdict.session),
            by: n,
            era: session.era().unwrap_or(Era::Handshake),
            requested_revision: session.requested_revision(),
            revision: session.revision(),
            client: session.client(),
            server: session.server(),
            client_capabilities: session.capabilities(Side::Client).map(|set| set.paths()),
            server_capabilities: session.capabilities(Side::Server).map(|set| set.paths()),
        };
        hand_on(self.sink, &Record::Agreed(&agreement), wanted)
    }

    /// An event is no message, so no filter selects it.
    fn event_record(&mut self, event: &Event<'_>) -> io::Result<()> {
        if self.selection.is_some() {
            return self.sink.passed(&Record::Event(event));
        }
        self.totals.event(event.kind);
        self.sink.record(&Record::Event(event))
    }

    fn event(&mut self, unit: &Unit<'_>, kind: EventKind, text: &str) -> io::Result<()> {
        let frame = unit.frame;
        let (text, flags) = match text.len() > MAX_EVENT {
            true => {
                let end = (0..=MAX_EVENT).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
                (&text[..end], frame.flags.with(Flag::Truncated))
            }
            false => (text, frame.flags),
        };
        let (session, phase, session_start) = self.tracker.event(kind, frame.session, frame.server, frame.time);
        self.sessions_ended()?;
        let event = Event {
            input: self.index,
            file: self.name,
            position: frame.position,
            session: u64::from(session),
            time: frame.time,
            session_start,
            direction: frame.direction,
            wire: unit.wire && kind == EventKind::Noise,
            kind,
            text,
            phase,
            flags,
            http: frame.http,
            frame: Some(frame),
        };
        self.event_record(&event)?;
        self.look_for_failure(kind, text, frame.position.line);
        Ok(())
    }

    /// Only where no messages are does one have to be named.
    fn look_for_failure(&mut self, kind: EventKind, text: &str, line: u64) {
        let failure = if self.n == 0 { Failure::of(kind, text) } else { None };
        let Some(failure) = failure.filter(|new| self.failure.as_ref().is_none_or(|(known, ..)| new < known)) else {
            return;
        };
        let shown: String = text.chars().take(MAX_SHOWN).collect();
        self.failure = Some((failure, line, shown));
    }

    fn view(&mut self, frame: &Frame<'_>) -> io::Result<()> {
        let replaced = self.redactor.as_mut().and_then(|redactor| Replaced::of(frame, redactor));
        let frame = &replaced.as_ref().map_or(*frame, |replaced| replaced.frame(frame));
        let Content::Outline(outline) = &frame.content else { return Ok(()) };
        let (of, session) =
            self.tracker.told(&Facts::of_outline(outline), frame.session, frame.server, frame.direction);
        let view = View {
            input: self.index,
            file: self.name,
            of,
            session: u64::from(session),
            position: frame.position,
            rendering: "bridge",
            frame,
        };
        let wanted = self.selection.as_ref().is_none_or(|selection| selection.view(of));
        if wanted {
            self.totals.view();
        }
        hand_on(self.sink, &Record::View(&view), wanted)
    }
}
