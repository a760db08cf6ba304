//! Tells what an entry of a recording holds, one frame after the other: its messages, or what stands in their place.

use std::ops::Range;

use jiff::tz::TimeZone;
use memchr::memmem;

use super::adapter::{Adapter, Form, Sort};
use super::assemble::{Outlined, envelope};
use super::entries::trimmed;
use super::json_scan::{begins_like_value, is_rpc, value_end};
use super::jsonl::bare;
use super::parties::Parties;
use super::plan::Plan;
use super::pointer::{Found, quoted, text_of};
use super::{Content, EventKind, Flag, Flags, Frame, Line, Origin};
use crate::position::Position;
use crate::protocol::Direction;

/// The state: the entry that is being told, and what holds for those behind it.
pub(super) struct Teller {
    plan: Plan,
    zone: TimeZone,
    parties: Parties,
    entry: Option<Entry>,
    /// What an entry without a message has said of those behind it.
    known_session: String,
    known_server: String,
    /// Texts of the current frame that had to be decoded or put together.
    content: String,
    session: String,
    server: String,
    pointer: String,
    outlined: Outlined,
}

struct Entry {
    found: Found,
    /// Where it stands in the line.
    place: Range<usize>,
    sort: Option<Sort>,
    direction: Option<Direction>,
    flags: Flags,
    /// The telling that is next, and where to go on in its array.
    telling: usize,
    element: usize,
    elements: u64,
    /// It has given a frame, and the last telling has.
    told: bool,
    gave: bool,
    /// What comes behind the frame that covers the lines before it.
    waiting: Option<Next>,
    /// The last line that is in a frame.
    covered: u64,
}

/// What the next frame is; places are those in the line.
#[derive(Clone)]
pub(super) enum Next {
    Message {
        at: Range<usize>,
        telling: usize,
        element: Option<u64>,
    },
    Composed {
        at: Range<usize>,
        telling: usize,
    },
    Outline {
        telling: usize,
    },
    Event {
        kind: EventKind,
        at: Range<usize>,
    },
    /// Lines that only wrap what the frames around them hold.
    Wrapping {
        from: u64,
        to: u64,
    },
    /// Something that is no entry of the format.
    Unwrapped {
        at: Range<usize>,
        whole: bool,
    },
    Noise {
        from: usize,
    },
    /// A line around the entries.
    Around,
}

/// Where the walker stands, for the frame.
#[derive(Clone, Copy)]
pub(super) struct Standing<'b> {
    /// The line holds line ends.
    pub(super) joined: bool,
    /// Pointer and number of the entry, in documents.
    pub(super) place: Option<(&'b str, u64)>,
}

impl Teller {
    pub(super) fn new(adapter: &'static Adapter, zone: TimeZone) -> Self {
        Self {
            plan: Plan::new(adapter),
            zone,
            parties: Parties::default(),
            entry: None,
            known_session: String::new(),
            known_server: String::new(),
            content: String::new(),
            session: String::new(),
            server: String::new(),
            pointer: String::new(),
            outlined: Outlined::default(),
        }
    }

    /// Whether an entry may have more to tell.
    pub(super) fn is_telling(&self) -> bool {
        self.entry.is_some()
    }

    /// Takes an entry. `false`: it is no whole object.
    pub(super) fn begin(&mut self, line: &Line<'_>, place: Range<usize>) -> bool {
        let text = &line.text[place.clone()];
        let Some(found) = self.plan.find(text) else { return false };
        self.enter(line, place, found, Flags::NONE);
        true
    }

    /// Takes an entry that is cut off, as far as it goes. `false`: that tells nothing.
    pub(super) fn begin_cut(&mut self, line: &Line<'_>, place: Range<usize>) -> bool {
        let text = &line.text[place.clone()];
        let Some((found, at)) = cut_message(&self.plan, text) else { return false };
        let at = place.start + at..place.end;
        self.enter(line, place, found, Flags::NONE.with(Flag::Truncated));
        if let Some(entry) = &mut self.entry {
            (entry.telling, entry.told) = (usize::MAX, true);
            entry.waiting = Some(Next::Message { at, telling: 0, element: None });
        }
        true
    }

    fn enter(&mut self, line: &Line<'_>, place: Range<usize>, found: Found, flags: Flags) {
        let text = &line.text[place.clone()];
        let header = || self.plan.is_header(&found, text).then_some(Sort::Event(EventKind::Note));
        let sort = self.plan.sort(&found, text).or_else(header);
        let direction = self.plan.direction(&mut self.parties, &found, text);
        let flags = flags.union(self.plan.flags(None, &found, text));
        self.entry = Some(Entry {
            found,
            place,
            sort,
            direction,
            flags,
            telling: 0,
            element: 0,
            elements: 0,
            told: false,
            gave: false,
            waiting: None,
            covered: line.number - 1,
        });
    }

    /// What comes next of the entry; `None` when it is through, or there is none.
    pub(super) fn next(&mut self, line: &Line<'_>, standing: Standing<'_>) -> Option<Next> {
        let next = match self.entry.as_mut()?.waiting.take() {
            Some(next) => Some(next),
            None => self.message(line).or_else(|| self.instead(line, standing)),
        };
        let entry = self.entry.as_mut()?;
        let Some(next) = next else {
            let last = entry.covered;
            self.entry = None;
            let end = line.number + if standing.joined { newlines(line.text) } else { 0 };
            return (last < end).then_some(Next::Wrapping { from: last + 1, to: end });
        };
        if !standing.joined {
            entry.covered = line.number;
        } else {
            let at = match &next {
                Next::Message { at, .. } | Next::Composed { at, .. } | Next::Event { at, .. } => at.clone(),
                _ => entry.place.clone(),
            };
            let first = line.number + newlines(&line.text[..at.start]);
            let before = entry.covered + 1;
            if first > before {
                entry.covered = first - 1;
                entry.waiting = Some(next);
                return Some(Next::Wrapping { from: before, to: first - 1 });
            }
            // Messages need not stand in the order in which they went.
            entry.covered = entry.covered.max(first + newlines(&line.text[at]));
        }
        Some(next)
    }

    fn message(&mut self, line: &Line<'_>) -> Option<Next> {
        let entry = self.entry.as_mut()?;
        let text = &line.text[entry.place.clone()];
        if matches!(entry.sort, Some(Sort::Event(_))) {
            return None;
        }
        let base = entry.place.start;
        while let Some(telling) = self.plan.adapter.messages.get(entry.telling) {
            let at = entry.telling;
            if (telling.instead && entry.gave) || !self.plan.applies(at, &entry.found, text) {
                entry.telling += 1;
                continue;
            }
            let place = || self.plan.value(at, &entry.found, text);
            let message = |place: Range<usize>| Next::Message {
                at: base + place.start..base + place.end,
                telling: at,
                element: None,
            };
            let next = match telling.form {
                Form::Value(_) => place().map(message),
                Form::Rpc(_) => {
                    place().filter(|place| is_rpc(text_of(&text[place.clone()], &mut self.content))).map(message)
                }
                Form::Parts(..) => place().and_then(|place| {
                    let slots = &self.plan.told[at].slots;
                    envelope(slots, &entry.found, text, entry.sort, &mut self.content)
                        .then(|| Next::Composed { at: base + place.start..base + place.end, telling: at })
                }),
                Form::Outline(form) => self
                    .outlined
                    .read(&self.plan, at, &form, &entry.found, text, entry.sort)
                    .then_some(Next::Outline { telling: at }),
                Form::Each(_) => {
                    let array = place();
                    let element = array.and_then(|array| next_element(text, array, &mut entry.element));
                    if let Some(element) = element {
                        entry.told = true;
                        entry.elements += 1;
                        return Some(Next::Message {
                            at: base + element.start..base + element.end,
                            telling: at,
                            element: Some(entry.elements - 1),
                        });
                    }
                    (entry.element, entry.elements) = (0, 0);
                    None
                }
            };
            entry.telling += 1;
            entry.gave = next.is_some();
            if next.is_some() {
                entry.told = true;
                return next;
            }
        }
        None
    }

    /// What an entry is that tells no message.
    fn instead(&mut self, line: &Line<'_>, standing: Standing<'_>) -> Option<Next> {
        let entry = self.entry.as_mut()?;
        if std::mem::replace(&mut entry.told, true) {
            return None;
        }
        let text = &line.text[entry.place.clone()];
        if let Some(session) = self.plan.session(&entry.found, text, &mut self.session) {
            session.clone_into(&mut self.known_session);
        }
        if let Some(server) = self.plan.server(&entry.found, text, &mut self.server) {
            server.clone_into(&mut self.known_server);
        }
        let sorted = match entry.sort {
            Some(Sort::Event(kind)) => Some(kind),
            _ => None,
        };
        let base = entry.place.start;
        let whole = entry.place.clone();
        match (sorted, self.plan.event(&entry.found, text)) {
            (sorted, Some((kind, at))) => {
                Some(Next::Event { kind: sorted.unwrap_or(kind), at: base + at.start..base + at.end })
            }
            (Some(kind), None) => Some(Next::Event { kind, at: whole }),
            (None, None) if standing.place.is_some() => None,
            (None, None) => Some(Next::Unwrapped { at: whole, whole: true }),
        }
    }

    /// The frame.
    pub(super) fn frame<'b>(&'b mut self, line: Line<'b>, standing: Standing<'b>, next: Next) -> Frame<'b> {
        let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
        match next {
            Next::Around => {
                let content = if line.text.trim_ascii().is_empty() { Content::Blank } else { Content::Framing };
                bare(&line, trimmed(&line, 0..line.text.len()), flags, content)
            }
            Next::Noise { from } => {
                let at = trimmed(&line, from..line.text.len());
                bare(&line, at.clone(), flags, Content::Event { kind: EventKind::Noise, text: &line.text[at] })
            }
            Next::Unwrapped { at, whole } => {
                // What was put together from lines stays on all of them.
                let at = if standing.joined { at } else { trimmed(&line, at) };
                let flags = flags.with_if(!whole, Flag::Truncated);
                let content = unwrapped(&line.text[at.clone()]);
                Frame { position: position(&line, at, standing), ..bare(&line, 0..0, flags, content) }
            }
            Next::Wrapping { from, to } => {
                let frame = bare(&line, 0..0, flags, Content::Framing);
                Frame { position: Position { line: from, end_line: to, ..frame.position }, ..frame }
            }
            next => self.entry_frame(line, standing, next, flags),
        }
    }

    fn entry_frame<'b>(&'b mut self, line: Line<'b>, standing: Standing<'b>, next: Next, flags: Flags) -> Frame<'b> {
        let Some(entry) = &self.entry else { return bare(&line, 0..0, flags, Content::Blank) };
        let text = &line.text[entry.place.clone()];
        let found = &entry.found;
        let (at, telling) = match &next {
            Next::Message { at, telling, .. } | Next::Composed { at, telling } => (at.clone(), Some(*telling)),
            Next::Outline { telling } => (entry.place.clone(), Some(*telling)),
            Next::Event { at, .. } => (at.clone(), None),
            _ => (entry.place.clone(), None),
        };
        let token = &line.text[at.clone()];
        let quotes = usize::from(quoted(token).is_some());
        // The message itself, without the quotes when it is a string.
        let at = at.start + quotes..at.end - quotes;
        self.pointer.clear();
        if let (Some((place, _)), Some(telling)) = (standing.place, telling) {
            self.pointer.push_str(place);
            self.plan.name(telling, found, text, token, &mut self.pointer);
            if let Next::Message { element: Some(element), .. } = next {
                self.pointer.push('/');
                self.pointer.push_str(itoa::Buffer::new().format(element));
            }
        }
        let mut flags = flags.union(entry.flags);
        if telling.is_some() {
            flags = flags.union(self.plan.flags(telling, found, text));
        }
        let answers = matches!(next, Next::Outline { .. }) && self.outlined.answers();
        let content = match next {
            Next::Message { .. } => {
                let text = text_of(token, &mut self.content);
                flags = flags.union(self.plan.cuts(text));
                match begins_like_value(text.trim_ascii_start()) {
                    true => Content::Message { text, origin: self.plan.adapter.origin },
                    false => Content::Event { kind: EventKind::Noise, text },
                }
            }
            Next::Composed { .. } => {
                flags = flags.union(self.plan.cuts(&self.content));
                Content::Message { text: &self.content, origin: self.plan.adapter.origin }
            }
            Next::Outline { .. } => {
                flags = flags.with_if(self.outlined.cut, Flag::Truncated);
                Content::Outline(self.outlined.outline())
            }
            Next::Event { kind, .. } => match text_of(token, &mut self.content) {
                // What was meant to be a message and could not be read as one.
                text if kind == EventKind::Noise && begins_like_value(text.trim_ascii_start()) => {
                    Content::Message { text, origin: Origin::Wire }
                }
                text => Content::Event { kind, text },
            },
            _ => Content::Framing,
        };
        let told = telling.map(|telling| &self.plan.adapter.messages[telling]);
        let known = |known: &'b str| (!known.is_empty()).then_some(known);
        let position = position(&line, at, standing);
        Frame {
            position: Position { entry: standing.place.map(|(_, entry)| entry), ..position },
            pointer: known(&self.pointer),
            time: self.plan.time(telling, found, text, &self.zone),
            direction: told.map_or(entry.direction, |telling| Plan::goes(telling, entry.direction, answers)),
            session: self.plan.session(found, text, &mut self.session).or(known(&self.known_session)),
            asked: self.plan.asked(found, text),
            server: self.plan.server(found, text, &mut self.server).or(known(&self.known_server)),
            ..bare(&line, 0..0, flags, content)
        }
    }
}

/// What a value is that the adapter knows nothing of.
fn unwrapped(text: &str) -> Content<'_> {
    if text.starts_with('{') && memmem::find(text.as_bytes(), b"\"jsonrpc\"").is_some() {
        Content::Message { text, origin: Origin::Wire }
    } else {
        Content::Event { kind: EventKind::Noise, text }
    }
}

/// Where a part of a line stands.
pub(super) fn position(line: &Line<'_>, at: Range<usize>, standing: Standing<'_>) -> Position {
    let position = bare(line, at.clone(), Flags::NONE, Content::Blank).position;
    if !standing.joined {
        return position;
    }
    let first = line.number + newlines(&line.text[..at.start]);
    Position { line: first, end_line: first + newlines(&line.text[at]), lead: None, ..position }
}

fn newlines(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}

/// The next element of an array, from a place in it on that is moved behind it.
fn next_element(text: &str, array: Range<usize>, from: &mut usize) -> Option<Range<usize>> {
    let inside = text.get(array.start + 1..array.end - 1).filter(|_| text[array.clone()].starts_with('['))?;
    let rest = &inside[*from..];
    let start = *from + rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', ',']).len();
    let end = start + value_end(&inside[start..]).filter(|_| begins_like_value(&inside[start..]))?;
    *from = end;
    Some(array.start + 1 + start..array.start + 1 + end)
}

/// Where the message of an entry begins that is cut off within it, and what stands before it.
fn cut_message(plan: &Plan, text: &str) -> Option<(Found, usize)> {
    let (Form::Value(pointers) | Form::Rpc(pointers)) = plan.adapter.messages.first()?.form else { return None };
    for pointer in pointers {
        let [name] = pointer else { continue };
        let quoted = format!("\"{name}\"");
        for at in memmem::find_iter(text.as_bytes(), quoted.as_bytes()) {
            let behind = text[at + quoted.len()..].trim_ascii_start();
            let Some(value) = behind.strip_prefix(':').map(str::trim_ascii_start) else { continue };
            let before = text[..at].trim_ascii_end();
            let before = before.strip_suffix(',').unwrap_or(before);
            // Only a member of the entry itself: what stands before it makes an object.
            if value.starts_with('{')
                && let Some(found) = plan.find(&format!("{before}}}"))
            {
                return Some((found, text.len() - value.len()));
            }
        }
    }
    None
}
