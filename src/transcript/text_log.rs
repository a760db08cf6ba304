//! The reader of every text log that has a [`Grammar`]: finds where a message ends in its line, puts one together that
//! stands on several, searches what a log passes on from others, turns other notations into JSON. Knows no producer.

use std::ops::Range;

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Notation, Told, Way};
use super::joined::{Growth, Joined};
use super::json_scan::{Scanner, begins_like_value, find_message, lenient_end, looks_like_rpc, value_end};
use super::jsonl::bare;
use super::notation::bare_id;
use super::view::{Echoes, outline_of};
use super::{
    Advance, Content, EventKind, Flag, Flags, Frame, Line, LineBuffer, Origin, Outline, ReadError, ReadOptions, Reader,
    Stamp, Step,
};
use crate::jsonrpc::{Parser, Reading};
use crate::position::Position;
use crate::protocol::{Direction, Side, method_set};

/// A message on several lines is put together up to this size.
const JOINED: u64 = 16 << 20;
/// A buffer that grew beyond this for one text is given back.
const KEEP: usize = 1 << 20;
/// How far ahead the writer's side is looked for, in bytes.
const AHEAD: usize = 64 << 10;

/// The reader.
pub(super) struct TextLog {
    grammar: &'static Grammar,
    advice: Option<&'static str>,
    zone: TimeZone,
    joined: Joined,
    /// What the first line of the joined text said, while one is put together.
    first: Option<First>,
    server: String,
    session: String,
    /// What stands between the start of the producer's text and the words of the joined text.
    label: String,
    /// The words before the joined text.
    before: String,
    /// Where a further message of the current line begins.
    from: usize,
    converted: String,
    senses: Senses,
    cut: Option<(u64, u64)>,
}

/// What the log has shown of itself so far.
struct Senses {
    /// The side that writes the log.
    writer: Option<Side>,
    /// What the labels claim is meant the other way round.
    inverted: Option<bool>,
    /// What lies ahead was asked for the writer's side.
    looked: bool,
    /// The producer tells messages itself: those found in what it passes on are told for the second time.
    tells: bool,
    echoes: Echoes,
    parser: Parser,
}

/// What the first line of a joined text said.
#[derive(Clone, Copy)]
struct First {
    time: Option<Stamp>,
    /// Where its words begin in the input.
    offset: u64,
    has_server: bool,
    has_session: bool,
    /// The producer began the line.
    own: bool,
    source: Source,
    notation: Notation,
}

/// How a text came to be taken for a message.
#[derive(Clone, Copy)]
enum Source {
    /// By a label, which has this voice.
    Label(Way, u8),
    /// By its looks, in words of this kind.
    Found(EventKind),
}

/// What there is to do with a line.
#[derive(Clone, Copy)]
enum Plan {
    /// No message stands in it.
    Event,
    /// The outline of one.
    Outline,
    /// A whole message.
    Message(usize, usize),
    /// A message that may go on in the next line.
    Join(usize),
}

impl TextLog {
    /// A reader for lines of that grammar.
    pub(super) fn open(grammar: &'static Grammar, options: &ReadOptions) -> Box<dyn Reader> {
        Box::new(Self::new(grammar, options, None))
    }

    /// The same for a log that often holds no messages, with how to get some.
    pub(super) fn open_silent(
        grammar: &'static Grammar,
        options: &ReadOptions,
        advice: &'static str,
    ) -> Box<dyn Reader> {
        Box::new(Self::new(grammar, options, Some(advice)))
    }

    fn new(grammar: &'static Grammar, options: &ReadOptions, advice: Option<&'static str>) -> Self {
        Self {
            grammar,
            advice,
            zone: options.zone.clone(),
            joined: Joined::new(options.max_line.min(JOINED)),
            first: None,
            server: String::new(),
            session: String::new(),
            label: String::new(),
            before: String::new(),
            from: 0,
            converted: String::new(),
            senses: Senses {
                writer: None,
                inverted: None,
                looked: false,
                tells: false,
                echoes: Echoes::default(),
                parser: Parser::new(),
            },
            cut: None,
        }
    }

    /// Looks for a message in a line, from a place on.
    fn plan(&self, line: &Line<'_>) -> Plan {
        let (_, told, _) = self.grammar.look(line.text, &self.zone);
        let (start, end) = match told {
            Told::Outline { .. } => return Plan::Outline,
            Told::Event { .. } | Told::Framing => return Plan::Event,
            Told::Message { text, notation, .. } => {
                let start = self.from.max(place(line, text).start);
                let text = line.text[start..].trim_ascii_start();
                let start = line.text.len() - text.len();
                let end = match notation {
                    Notation::Json if begins_like_value(text) => value_end(text),
                    // Something may stand between label and message.
                    Notation::Json => match find_message(text) {
                        Some((at, end)) => return planned(line, start + at, end.map(|end| start + end)),
                        None => Some(text.trim_ascii_end().len()),
                    },
                    Notation::Other(_) => lenient_end(text),
                    Notation::Line(_) => Some(text.trim_ascii_end().len()),
                };
                (start, end.map(|end| start + end))
            }
            Told::Passed { text, .. } | Told::Other(text) => {
                let start = self.from.max(place(line, text).start);
                match find_message(&line.text[start..]) {
                    Some((at, end)) => (start + at, end.map(|end| start + end)),
                    None => return Plan::Event,
                }
            }
        };
        planned(line, start, end)
    }

    /// Before the first message whose way is told as the writer sees it: when that message does not tell the writer's
    /// side, one soon after may.
    fn learn_writer(&mut self, lines: &mut LineBuffer) {
        let (grammar, zone, senses) = (self.grammar, &self.zone, &mut self.senses);
        if senses.looked {
            return;
        }
        let mut learn = |line: &str| match grammar.look(line, zone).1 {
            Told::Message { way, text, .. } if way.is_relative() => {
                let message = value_end(text).map_or(text, |end| &text[..end]);
                senses.looked = true;
                let sender = senses.only_sender(message);
                senses.direction(way, sender);
                Some(senses.has_learnt(way))
            }
            Told::Outline { way, outline, .. } if way.is_relative() => {
                senses.looked = true;
                senses.direction(way, sender_of(&outline));
                Some(senses.has_learnt(way))
            }
            _ => None,
        };
        if learn(lines.line().text) == Some(false) {
            lines.look_ahead(AHEAD);
            String::from_utf8_lossy(lines.ahead()).lines().find_map(|line| learn(line).filter(|learnt| *learnt));
        }
    }

    /// Begins to put a text together.
    fn begin(&mut self, line: &Line<'_>, start: usize) {
        let (split, told, own) = self.grammar.look(line.text, &self.zone);
        let (source, notation) = source(told);
        keep(&mut self.server, split.server);
        keep(&mut self.session, split.session);
        let words = match told {
            Told::Message { text, .. } | Told::Passed { text, .. } | Told::Other(text) => place(line, text).start,
            Told::Outline { .. } | Told::Event { .. } | Told::Framing => start,
        };
        let text = place(line, split.text).start.min(words);
        keep(&mut self.label, own.then(|| &line.text[text..words]));
        keep(&mut self.before, line.text.get(words..start));
        self.first = Some(First {
            time: split.time,
            offset: line.locate(words..start).0,
            has_server: split.server.is_some(),
            has_session: split.session.is_some(),
            own,
            source,
            notation,
        });
        let scanner = match notation {
            Notation::Json => Scanner::default(),
            Notation::Other(_) | Notation::Line(_) => Scanner::lenient(),
        };
        self.joined.begin_as(line, start, scanner);
    }

    /// Adds a line to the text, without what the producer writes before it. Its next sentence ends the text, unless it
    /// has the same label.
    fn extend(&mut self, first: First, line: &Line<'_>) -> Growth {
        let from = match (self.grammar.split)(line.text, &self.zone) {
            None => 0,
            Some(split) if first.own => match split.text.strip_prefix(self.label.as_str()) {
                Some(rest) => place(line, rest).start,
                None => return Growth::Broken,
            },
            Some(_) => return Growth::Broken,
        };
        self.joined.extend_from(line, from)
    }

    /// The text that was put together, whole or not.
    fn finish(&mut self, first: First, whole: bool) -> Frame<'_> {
        let flags = self.joined.flags();
        let position = self.joined.position();
        let text = self.joined.text();
        let frame = match first.source {
            Source::Found(kind) if !looks_like_rpc(text) => {
                let length = position.offset + position.length - first.offset;
                self.before.push_str(text);
                let content = Content::Event { kind, text: &self.before };
                frame(Position { offset: first.offset, length, ..position }, flags, content)
            }
            source => {
                let (text, _) = convert(first.notation, text, &mut self.converted).unwrap_or((text, 0));
                self.senses.message(source, text, position, flags.with_if(!whole, Flag::Truncated))
            }
        };
        Frame {
            time: first.time,
            server: first.has_server.then_some(self.server.as_str()),
            session: first.has_session.then_some(self.session.as_str()),
            ..frame
        }
    }

    /// A line in which no message stands.
    fn event<'b>(&'b mut self, line: &Line<'b>) -> Frame<'b> {
        let (split, told, _) = self.grammar.look(line.text, &self.zone);
        let flags = noticed(line);
        let at = |text: &str| position(line, place(line, text));
        let plain = |kind, text: &'b str| frame(at(text), flags, Content::Event { kind, text });
        let frame = match told {
            _ if line.text.trim_ascii().is_empty() => frame(at(line.text), flags, Content::Blank),
            Told::Outline { way, mut outline, voice } => {
                let direction = self.senses.direction(way, sender_of(&outline));
                outline.view |= voice > 0 && self.senses.echoes.again(&outline, direction, voice);
                let flags = flags.with_if(!outline.view, Flag::Elided);
                outline.id = outline.id.map(|id| id_token(id, &mut self.converted));
                Frame { direction, ..frame(at(split.text), flags, Content::Outline(outline)) }
            }
            Told::Framing => frame(at(line.text), flags, Content::Framing),
            Told::Event { kind, text, notation: notation @ (Notation::Other(_) | Notation::Line(_)) } => {
                match convert(notation, text, &mut self.converted) {
                    Some((words, end)) => frame(at(&text[..end]), flags, Content::Event { kind, text: words }),
                    None => plain(kind, text),
                }
            }
            Told::Event { kind, text, .. } | Told::Passed { kind, text } => plain(kind, text.trim_ascii_end()),
            Told::Other(text) | Told::Message { text, .. } => plain(EventKind::Note, text.trim_ascii_end()),
        };
        Frame { time: split.time, server: split.server, session: split.session, ..frame }
    }

    /// A message that stands in one line.
    fn message<'b>(&'b mut self, line: &Line<'b>, start: usize, end: usize) -> Frame<'b> {
        let (split, told, _) = self.grammar.look(line.text, &self.zone);
        let (source, notation) = source(told);
        // A converter finds the end by itself: counting brackets is only a guess in other notations.
        let (text, end) = match convert(notation, &line.text[start..], &mut self.converted) {
            Some((text, length)) => (text, start + length),
            None => (&line.text[start..end], end),
        };
        let behind = line.text[end..].trim_ascii_start();
        self.from = if begins_like_value(behind) && looks_like_rpc(behind) { end } else { 0 };
        let frame = self.senses.message(source, text, position(line, start..end), noticed(line));
        Frame { time: split.time, server: split.server, session: split.session, ..frame }
    }
}

impl Reader for TextLog {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        if let Some(fault) = self.joined.take_fault() {
            return Err(fault);
        }
        loop {
            if self.from == 0 {
                match (self.joined.step(lines.advance(), self.first.is_some())?, self.first) {
                    (Advance::Line, _) => {}
                    (Advance::Idle, _) => return Ok(Step::Idle),
                    (Advance::Paused, _) => return Ok(Step::Paused),
                    (Advance::End, None) => return Ok(Step::End),
                    (Advance::End, Some(first)) => {
                        self.first = None;
                        let end = self.joined.position();
                        let message = matches!(first.source, Source::Label(..)) || looks_like_rpc(self.joined.text());
                        self.cut =
                            (message && !self.joined.terminated()).then_some((end.end_line, end.offset + end.length));
                        return Ok(Step::Frame(self.finish(first, false)));
                    }
                }
            }
            if let Some(first) = self.first {
                let growth = self.extend(first, &lines.line());
                match growth {
                    Growth::More => continue,
                    Growth::Complete(_) => {}
                    Growth::Broken => lines.hold(),
                }
                self.first = None;
                return Ok(Step::Frame(self.finish(first, growth != Growth::Broken)));
            }
            let plan = self.plan(&lines.line());
            self.from = 0;
            if !matches!(plan, Plan::Event) {
                self.learn_writer(lines);
            }
            if let Plan::Join(start) = plan {
                self.begin(&lines.line(), start);
                continue;
            }
            let line = lines.line();
            return Ok(Step::Frame(match plan {
                Plan::Message(start, end) => self.message(&line, start, end),
                Plan::Event | Plan::Outline | Plan::Join(_) => self.event(&line),
            }));
        }
    }

    fn problem(&self) -> Option<String> {
        self.cut.map(|(line, at)| format!("line {line} is cut off inside a message at byte {at}, the end of the input"))
    }

    fn advice(&self) -> Option<&'static str> {
        self.advice
    }
}

impl Senses {
    /// The frame of a text that is taken for a message.
    fn message<'b>(&mut self, source: Source, text: &'b str, position: Position, flags: Flags) -> Frame<'b> {
        let way = match source {
            Source::Label(way, _) => way,
            Source::Found(_) => Way::Unknown,
        };
        match source {
            Source::Label(..) => self.tells = true,
            Source::Found(_) if self.tells => {
                if let Some(outline) = outline_of(text) {
                    let direction = self.only_sender(text).map(Side::sends);
                    return Frame { direction, ..frame(position, flags, Content::Outline(outline)) };
                }
            }
            Source::Found(_) => {}
        }
        let sender = if way.is_relative() && !self.has_learnt(way) { self.only_sender(text) } else { None };
        let direction = self.direction(way, sender);
        if let Source::Label(_, voice @ 1..) = source
            && let Some(outline) = outline_of(text)
            && self.echoes.again(&outline, direction, voice)
        {
            return Frame { direction, ..frame(position, flags, Content::Outline(outline)) };
        }
        let origin = match source {
            Source::Label(..) => Origin::Labelled,
            Source::Found(_) => Origin::Log,
        };
        Frame { direction, ..frame(position, flags, Content::Message { text, origin }) }
    }

    /// Where a message went that is told so, with the side that alone can have sent it.
    fn direction(&mut self, way: Way, sender: Option<Side>) -> Option<Direction> {
        let sent = match way {
            Way::Recorded(direction) => return Some(direction),
            Way::Claimed(direction) => {
                self.inverted = self.inverted.or(sender.map(|sender| sender.sends() != direction));
                return Some(if self.inverted == Some(true) { direction.reversed() } else { direction });
            }
            Way::Unknown => return None,
            Way::Sent => true,
            Way::Received => false,
        };
        if self.writer.is_none() {
            self.writer = sender.map(|sender| if sent { sender } else { sender.other() });
        }
        self.writer.map(|writer| if sent { writer.sends() } else { writer.other().sends() })
    }

    /// Whether it is known what such a way means.
    fn has_learnt(&self, way: Way) -> bool {
        match way {
            Way::Sent | Way::Received => self.writer.is_some(),
            Way::Claimed(_) => self.inverted.is_some(),
            Way::Recorded(_) | Way::Unknown => true,
        }
    }

    /// The side that alone sends messages of the method.
    fn only_sender(&mut self, text: &str) -> Option<Side> {
        match self.parser.read(text) {
            Reading::Message(parsed) => method_set(parsed.envelope.ok()?.method()?)?.only_sender(),
            Reading::Batch(_) => None,
        }
    }
}

/// An id as JSON, whose quotes some sentences leave out.
fn id_token<'b>(id: &'b str, token: &'b mut String) -> &'b str {
    if id.starts_with('"') || id == "null" {
        return id;
    }
    token.clear();
    bare_id(id, token);
    token
}

/// The side that alone sends messages of the outline's method.
fn sender_of(outline: &Outline<'_>) -> Option<Side> {
    method_set(outline.method?)?.only_sender()
}

/// The text in JSON, or in plain words, and where it ended; `None` when nothing was converted.
fn convert<'b>(notation: Notation, text: &str, converted: &'b mut String) -> Option<(&'b str, usize)> {
    let (Notation::Other(convert) | Notation::Line(convert)) = notation else { return None };
    if converted.capacity() > KEEP {
        *converted = String::new();
    }
    converted.clear();
    convert(text, converted).map(|end| (converted.as_str(), end))
}

fn source(told: Told<'_>) -> (Source, Notation) {
    match told {
        Told::Message { way, notation, voice, .. } => (Source::Label(way, voice), notation),
        Told::Passed { kind, .. } | Told::Event { kind, .. } => (Source::Found(kind), Notation::Json),
        Told::Other(_) | Told::Outline { .. } | Told::Framing => (Source::Found(EventKind::Note), Notation::Json),
    }
}

/// A message to the end of an oversized line is as much of it as there is.
fn planned(line: &Line<'_>, start: usize, end: Option<usize>) -> Plan {
    match end {
        Some(end) => Plan::Message(start, end),
        None if line.oversized => Plan::Message(start, line.text.len()),
        None => Plan::Join(start),
    }
}

/// Where a part of the line's text stands in it; a text from elsewhere is empty and stands at its start.
fn place(line: &Line<'_>, part: &str) -> Range<usize> {
    if part.is_empty() {
        return 0..0;
    }
    let start = part.as_ptr().addr() - line.text.as_ptr().addr();
    start..start + part.len()
}

fn position(line: &Line<'_>, part: Range<usize>) -> Position {
    bare(line, part, Flags::NONE, Content::Blank).position
}

fn noticed(line: &Line<'_>) -> Flags {
    Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized)
}

fn frame(position: Position, flags: Flags, content: Content<'_>) -> Frame<'_> {
    Frame { position, flags, content, ..Frame::BLANK }
}

fn keep(to: &mut String, text: Option<&str>) {
    if to.capacity() > KEEP {
        *to = String::new();
    }
    to.clear();
    to.push_str(text.unwrap_or_default());
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fmt::Write;
    use std::io::Cursor;

    use super::*;
    use crate::transcript::grammar::{Split, stderr, unquoted};
    use crate::transcript::{OutlineKind, Source as Bytes, stamp};

    /// `TIME server words`, where the first words are labels of every sort.
    static GRAMMAR: Grammar = Grammar { reason: "test", split, tell, stray: stderr };

    fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
        let (time, rest) = stamp::leading(line, zone)?;
        let (server, text) = rest.strip_prefix(' ')?.split_once(' ')?;
        Some(Split { time: Some(time), server: Some(server), session: None, text })
    }

    fn tell(text: &str) -> Told<'_> {
        let label = |label: &str| text.strip_prefix(label);
        let relative = |way, text| Told::labelled(way, text);
        if let Some(message) = label("sent: ") {
            Told::message(Direction::ClientToServer, message)
        } else if let Some(message) = label("in: ") {
            relative(Way::Received, message)
        } else if let Some(message) = label("out: ") {
            relative(Way::Sent, message)
        } else if let Some(text) = label("quoted: ") {
            Told::Message { way: Way::Unknown, text, notation: Notation::Other(unquoted), voice: 0 }
        } else if let Some(words) = label("said: ") {
            Told::Event { kind: EventKind::Noise, text: words, notation: Notation::Other(unquoted) }
        } else if let Some(method) = label("asked for ") {
            let outline = Outline {
                kind: OutlineKind::Request,
                method: Some(method),
                id: None,
                error_code: None,
                target: None,
                view: false,
            };
            Told::Outline { way: Way::Unknown, outline, voice: 0 }
        } else if let Some(words) = label("stderr: ") {
            stderr(words)
        } else {
            Told::Other(text)
        }
    }

    /// Each line with the prefix of the log.
    fn log(lines: &str) -> String {
        lines.lines().fold(String::new(), |mut log, line| {
            match line.strip_prefix('|') {
                Some(bare) => writeln!(log, "{bare}").unwrap(),
                None => writeln!(log, "2026-03-02 09:15:00.001 s1 {line}").unwrap(),
            }
            log
        })
    }

    fn tells(input: &str) -> Vec<String> {
        let mut lines = LineBuffer::new(Bytes::from_read(Cursor::new(input.to_owned())), 4096);
        let options = ReadOptions { max_line: 4096, ..ReadOptions::default() };
        let mut reader = TextLog::open(&GRAMMAR, &options);
        let mut told = Vec::new();
        loop {
            let frame = match reader.next_frame(&mut lines).unwrap() {
                Step::Frame(frame) => frame,
                Step::End => break,
                step => panic!("{step:?}"),
            };
            let place = frame.position;
            let part = &input[usize::try_from(place.offset).unwrap()..][..usize::try_from(place.length).unwrap()];
            let mut line = format!("{}-{} ", place.line, place.end_line);
            line.push_str(match frame.direction {
                Some(Direction::ClientToServer) => "> ",
                Some(Direction::ServerToClient) => "< ",
                None => "",
            });
            match frame.content {
                Content::Message { text, origin } => {
                    let elsewhere = place.end_line > place.line || frame.flags.has(Flag::Oversized);
                    assert!(part == text || elsewhere || part.starts_with('"'), "{part} is not {text}");
                    write!(line, "{origin:?} {}", text.split_whitespace().collect::<String>()).unwrap();
                }
                Content::Outline(outline) => {
                    let view = if outline.view { "view of" } else { "outline of" };
                    write!(line, "{view} {}", outline.method.or(outline.id).unwrap_or_default()).unwrap();
                }
                Content::Event { kind, text } => write!(line, "{} {text:?}", kind.as_str()).unwrap(),
                Content::Blank => line.push_str("blank"),
                Content::Framing => line.push_str("framing"),
            }
            frame.flags.iter().for_each(|flag| write!(line, " {}", flag.as_str()).unwrap());
            told.push(line);
        }
        told.extend(reader.problem());
        told
    }

    #[test]
    fn a_message_ends_where_its_value_ends() {
        let lines = "sent: {\"id\":1,\"a\":\"} {\"} { metadata: undefined }\nsent: [{\"id\":2}] (5 ms)'.\nsent: no {\"jsonrpc\":\"2.0\"}%\nsent: none at all";
        assert_eq!(
            tells(&log(lines)),
            [
                r#"1-1 > Labelled {"id":1,"a":"}{"}"#,
                r#"2-2 > Labelled [{"id":2}]"#,
                r#"3-3 > Labelled {"jsonrpc":"2.0"}"#,
                "4-4 > Labelled noneatall",
            ]
        );
    }

    #[test]
    fn several_messages_stand_on_one_line() {
        let lines = r#"sent: {"jsonrpc":"2.0","id":1} {"jsonrpc":"2.0","id":2}{"jsonrpc":"2.0","id":3} {"x":{"jsonrpc":"2.0"}}"#;
        assert_eq!(tells(&log(lines)), [1, 2, 3].map(|id| format!(r#"1-1 > Labelled {{"jsonrpc":"2.0","id":{id}}}"#)));
    }

    #[test]
    fn a_message_goes_on_with_and_without_the_label() {
        let lines = "sent: {\n|  \"id\": 1,\n|\n|  \"method\": \"ping\" } tail\nstderr: {\nstderr:   \"jsonrpc\": \"2.0\",\nstderr:   \"id\": 2 }\n";
        assert_eq!(
            tells(&log(lines)),
            [r#"1-4 > Labelled {"id":1,"method":"ping"}"#, "5-7 view of 2"],
            "the producer tells messages itself, so its server's are told twice"
        );
        assert_eq!(tells(&log(&lines[lines.find("stderr").unwrap()..])), [r#"1-3 Log {"jsonrpc":"2.0","id":2}"#]);
    }

    #[test]
    fn a_message_that_does_not_end_swallows_nothing() {
        let lines = "sent: {\"id\":1,\"params\":{\"a\":\"cut\nsent: {\"id\":2,\nother\nstderr: function () {\nstderr: }\nstderr: {\n|x\nsent: {\"id\":3,";
        assert_eq!(
            tells(&log(lines)),
            [
                "1-1 > Labelled {\"id\":1,\"params\":{\"a\":\"cut truncated",
                "2-2 > Labelled {\"id\":2, truncated",
                "3-3 note \"other\"",
                "4-5 stderr \"function () {\\n}\"",
                "6-6 stderr \"{\"",
                "7-7 stderr \"x\"",
                "8-8 > Labelled {\"id\":3, truncated",
            ]
        );
        let open = log("sent: {\"id\":3,");
        let told = tells(open.trim_end());
        assert_eq!(told[1], "line 1 is cut off inside a message at byte 41, the end of the input");
    }

    #[test]
    fn other_notations_become_json() {
        let lines = "quoted: \"{\\\"id\\\":\\u00311}\" tail\nquoted: {\"id\":2}\nsaid: \"a\\tb\" c\nsaid: plain";
        assert_eq!(
            tells(&log(lines)),
            ["1-1 Labelled {\"id\":11}", "2-2 Labelled {\"id\":2}", "3-3 noise \"a\\tb\"", "4-4 noise \"plain\""]
        );
    }

    #[test]
    fn the_writers_side_is_learnt_from_what_it_sends() {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
        for (first, ways) in [("out", ["<", ">"]), ("in", [">", "<"])] {
            let told = tells(&log(&format!("in: {ping}\n{first}: {list}\nin: {ping}\nout: {ping}")));
            let directions: Vec<_> = told.iter().map(|line| line.split(' ').nth(1).unwrap()).collect();
            assert_eq!(directions, [ways[0], ">", ways[0], ways[1]], "the second message tells of the first, too");
        }
        let far = format!("in: {ping}\nother {}\nin: {list}\nin: {ping}", "x".repeat(AHEAD));
        let told = tells(&log(&far));
        assert!(told[0].starts_with("1-1 Labelled") && told[3].starts_with("4-4 > Labelled"), "{told:?}");
    }

    #[test]
    fn outlines_and_lines_without_words() {
        let told = tells(&log("asked for tools/list\n|\n|loose {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n"));
        assert_eq!(
            told,
            ["1-1 outline of tools/list elided", "2-2 blank", r#"3-3 Log {"jsonrpc":"2.0","method":"x"}"#]
        );
    }

    #[test]
    fn what_is_too_long_is_not_put_together() {
        let long = "x".repeat(3000);
        let lines = format!(
            "sent: {{\n|\"a\": \"{long}\",\n|\"b\": \"{long}\" }}\nsent: {{\"id\":1,\"a\":\"{long}{long}\"}}\nother"
        );
        let told = tells(&log(&lines));
        let starts = ["1-2 > Labelled {\"a\":\"xxx", "3-3 stderr", "4-4 > Labelled {\"id\":1,", "5-5 note \"other\""];
        assert_eq!(told.len(), starts.len());
        told.iter().zip(starts).for_each(|(told, start)| assert!(told.starts_with(start), "{told}"));
        assert!(told[0].ends_with(" truncated oversized") && told[2].ends_with(" oversized"), "{told:?}");
    }
}
