//! One reader for every recording whose entries are JSON objects: what stands where in an entry is told by an
//! [`Adapter`], a row of plain values. A further such format is a further row.

use super::adapter::{Adapter, Entries, Form};
use super::entries::{Piece, Walker};
use super::json_scan::{begins_like_value, is_rpc, top_members, value_end};
use super::parties::Parties;
use super::plan::Plan;
use super::pointer::text_of;
use super::teller::{Next, Teller};
use super::{Bid, Confidence, Head, LineBuffer, ReadError, ReadOptions, Reader, Step};

/// The reader of every adapter.
pub(super) struct Wrapped {
    walker: Walker,
    teller: Teller,
}

impl Wrapped {
    /// A reader for entries that the adapter describes.
    pub(super) fn new(adapter: &'static Adapter, options: &ReadOptions) -> Self {
        Self {
            walker: Walker::hasty(adapter.entries, options.max_line),
            teller: Teller::new(adapter, options.zone.clone()),
        }
    }
}

impl Reader for Wrapped {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        let Self { walker, teller } = self;
        let next = loop {
            if teller.is_telling()
                && let Some(next) = teller.next(&walker.line(lines), walker.standing())
            {
                break next;
            }
            match walker.next(lines)? {
                Piece::Idle => return Ok(Step::Idle),
                Piece::Paused => return Ok(Step::Paused),
                Piece::End => return Ok(Step::End),
                Piece::Around => break Next::Around,
                Piece::Noise(from) => break Next::Noise { from },
                Piece::Other { start, end } => break Next::Unwrapped { at: start..end, whole: true },
                Piece::Entry { start, end, whole } => {
                    let line = walker.line(lines);
                    let begun = whole && teller.begin(&line, start..end);
                    if begun || (!whole && teller.begin_cut(&line, start..end)) {
                        continue;
                    }
                    if !whole || !walker.doubt() {
                        break Next::Unwrapped { at: start..end, whole };
                    }
                }
            }
        };
        Ok(Step::Frame(teller.frame(walker.line(lines), walker.standing(), next)))
    }

    fn problem(&self) -> Option<String> {
        self.walker.problem()
    }
}

/// How many entries of a head are looked at.
const ENTRIES: usize = 20;

impl Adapter {
    /// Whether the first entry, and most of those behind it, are wrapped so.
    pub fn sniff(&'static self, head: &Head<'_>) -> Bid {
        let confidence = match self.entries {
            Entries::Top => self.sniff_top(head),
            Entries::Within(paths) if head.first => self.sniff_document(head, paths.iter().any(|path| path == &["*"])),
            Entries::Within(_) => Confidence::None,
        };
        let somewhere = self.somewhere.is_none_or(|text| head.text.contains(text));
        let confidence = if somewhere { confidence } else { Confidence::None };
        Bid {
            confidence: if self.modest { confidence.min(Confidence::Likely) } else { confidence },
            reason: self.reason,
        }
    }

    fn sniff_top(&'static self, head: &Head<'_>) -> Confidence {
        let mut entries = Pieces { rest: head.text, complete: head.complete }.take(ENTRIES);
        let Some((first, cut)) = entries.next().filter(|(first, _)| begins_like_value(first)) else {
            return Confidence::None;
        };
        let plan = Plan::new(self);
        let first = self.recognise(&plan, first, cut);
        if first == Confidence::None {
            return first;
        }
        let (mut fits, mut others) = (0, 0);
        for (entry, cut) in entries {
            *(if self.recognise(&plan, entry, cut) == Confidence::None { &mut others } else { &mut fits }) += 1;
        }
        match first {
            Confidence::Certain if others > fits => Confidence::Likely,
            Confidence::Likely if others > fits => Confidence::Possible,
            confidence => confidence,
        }
    }

    fn sniff_document(&'static self, head: &Head<'_>, array: bool) -> Confidence {
        let text = head.text.trim_ascii_start();
        if array {
            let Some(inner) = text.strip_prefix('[') else { return Confidence::None };
            let mut entries = Pieces { rest: inner.trim_ascii_start(), complete: head.complete };
            return entries
                .next()
                .map_or(Confidence::None, |(entry, cut)| self.recognise(&Plan::new(self), entry, cut));
        }
        if !text.starts_with('{') || self.header.is_empty() {
            return Confidence::None;
        }
        let mut names = Vec::new();
        top_members(text, |name| names.push(name));
        let is_there = |mark: &super::Mark| match mark {
            super::Mark::Has(pointer) | super::Mark::Word(pointer, _) => names.contains(&pointer[0]),
            super::Mark::Lacks(pointer) => !names.contains(&pointer[0]),
        };
        if self.header.iter().all(is_there) { Confidence::Certain } else { Confidence::None }
    }

    /// Whether a text is an entry of this format, by what stands in it.
    fn recognise(&self, plan: &Plan, text: &str, cut: bool) -> Confidence {
        let (mut carries, mut hints) = (false, self.marks.len());
        if let Some(found) = plan.find(text) {
            if plan.is_header(&found, text) {
                return Confidence::Certain;
            }
            if !plan.is_marked(&found, text) {
                return Confidence::None;
            }
            let mut parties = Parties::default();
            let direction = plan.direction(&mut parties, &found, text).is_some();
            let sorted = plan.sort(&found, text).is_some();
            let mut decoded = String::new();
            let mut is_json = |place: std::ops::Range<usize>| {
                text_of(&text[place], &mut decoded).trim_ascii_start().starts_with(['{', '['])
            };
            // Logs of all sorts have a `msg`: one that is no JSON counts only where the entry tells a direction.
            let mut carried = |(at, telling): (usize, &super::Telling)| {
                if let Form::Outline(_) = telling.form {
                    return Some(!self.marks.is_empty() && plan.names_method(at, &found, text));
                }
                let place = plan.value(at, &found, text)?;
                Some(match telling.form {
                    Form::Rpc(_) => is_rpc(text_of(&text[place], &mut String::new())),
                    _ => direction || sorted || is_json(place),
                })
            };
            carries = self.messages.iter().enumerate().filter_map(&mut carried).any(|carries| carries);
            // A message that is one by itself needs no more to be believed.
            let sure = carries && matches!(self.messages, [super::Telling { form: Form::Rpc(_), .. }]);
            let event = plan.event(&found, text);
            carries |= event.is_some_and(|(_, place)| direction || sorted || is_json(place));
            carries |= sorted && !self.marks.is_empty();
            hints += usize::from(sure);
            hints += usize::from(direction) + usize::from(sorted);
            hints += usize::from(plan.time(None, &found, text, &jiff::tz::TimeZone::UTC).is_some());
        } else if cut && text.starts_with('{') {
            let mut names = Vec::new();
            top_members(text, |name| names.push(name));
            (carries, hints) = plan.foretold(&names);
        }
        match (carries, hints) {
            (false, _) | (true, 0) => Confidence::None,
            (true, 1) => Confidence::Likely,
            (true, _) => Confidence::Certain,
        }
    }
}

/// The values and other lines of a head, one after the other; whether the last is cut off.
struct Pieces<'h> {
    rest: &'h str,
    complete: bool,
}

impl<'h> Iterator for Pieces<'h> {
    type Item = (&'h str, bool);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.trim_ascii_start();
        if rest.is_empty() {
            return None;
        }
        if begins_like_value(rest) {
            if let Some(end) = value_end(rest) {
                self.rest = &rest[end..];
                return Some((&rest[..end], false));
            }
            if !self.complete {
                self.rest = "";
                return Some((rest, true));
            }
        }
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        self.rest = behind;
        Some((line.trim_ascii_end(), false))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::protocol::Direction;
    use crate::transcript::{Content, EventKind, Frame, Named, Origin, Source, Telling, TimeKind, Way};

    static NESTED: Adapter = Adapter {
        reason: "test",
        messages: &[Telling::new(Form::Value(&[&["frame", "json"], &["frame", "text"], &["old"]]))],
        events: &[(&["frame", "stderr"], EventKind::Noise)],
        direction: &[Way::Word(&["way"], &[("up", Direction::ClientToServer)])],
        time: &[(&["at", "ms"], TimeKind::EpochMillis)],
        session: Named::By(&[&["frame", "connection"]]),
        origin: Origin::Labelled,
        ..Adapter::NONE
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
            assert_eq!(text, "up \u{fffd}", "half a character is none");
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
