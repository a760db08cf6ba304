//! The hold-back: messages that wait until enough of what follows is known, with copies of their own. At most
//! [`MAX_HELD`] messages and [`MAX_BYTES`] bytes, and never while the input pauses.

use std::collections::VecDeque;

use crate::position::Position;
use crate::protocol::{Direction, Side};
use crate::session::{BatchPlace, Glimpse};
use crate::transcript::{Content, EventKind, Flags, Frame, Http, Origin, Outline, Stamp};

/// Messages that may be held (contract: at most 64).
pub(super) const MAX_HELD: usize = 64;
/// Bytes that may be held; a longer message ends the wait.
const MAX_BYTES: usize = 1 << 20;

/// One message or event, still in its frame.
#[derive(Clone, Copy)]
pub(super) struct Unit<'a> {
    pub(super) n: u64,
    pub(super) frame: &'a Frame<'a>,
    pub(super) batch: Option<BatchPlace>,
    /// The side that sent the batch, when one of its elements leaves no doubt.
    pub(super) sender: Option<Side>,
    /// An event that stood on the wire, or may have.
    pub(super) wire: bool,
}

struct OwnedOutline {
    outline: Outline<'static>,
    method: Option<String>,
    id: Option<String>,
    target: Option<String>,
}

enum OwnedContent {
    Message(String, Origin),
    Outline(OwnedOutline),
    Event(EventKind, String),
}

/// A [`Unit`] with its own copy of everything.
pub(super) struct Held {
    n: u64,
    position: Position,
    pointer: Option<String>,
    time: Option<Stamp>,
    direction: Option<Direction>,
    session: Option<String>,
    server: Option<String>,
    http: Option<Box<Http>>,
    asked: Option<String>,
    at: Option<String>,
    flags: Flags,
    batch: Option<BatchPlace>,
    sender: Option<Side>,
    wire: bool,
    content: OwnedContent,
}

impl Held {
    fn copy(unit: &Unit<'_>) -> Option<Self> {
        let frame = unit.frame;
        let content = match frame.content {
            Content::Message { text, origin } => OwnedContent::Message(text.to_owned(), origin),
            Content::Event { kind, text } => OwnedContent::Event(kind, text.to_owned()),
            Content::Outline(outline) => OwnedContent::Outline(OwnedOutline {
                outline: outline_without_text(&outline),
                method: outline.method.map(str::to_owned),
                id: outline.id.map(str::to_owned),
                target: outline.target.map(str::to_owned),
            }),
            Content::Blank | Content::Framing => return None,
        };
        Some(Self {
            n: unit.n,
            position: frame.position,
            pointer: frame.pointer.map(str::to_owned),
            time: frame.time,
            direction: frame.direction,
            session: frame.session.map(str::to_owned),
            server: frame.server.map(str::to_owned),
            http: frame.http.cloned().map(Box::new),
            asked: frame.asked.map(str::to_owned),
            at: frame.at.map(str::to_owned),
            flags: frame.flags,
            batch: unit.batch,
            sender: unit.sender,
            wire: unit.wire,
            content,
        })
    }

    /// Its frame, borrowed from the copies.
    pub(super) fn frame(&self) -> Frame<'_> {
        let content = match &self.content {
            OwnedContent::Message(text, origin) => Content::Message { text, origin: *origin },
            OwnedContent::Event(kind, text) => Content::Event { kind: *kind, text },
            OwnedContent::Outline(owned) => {
                let (method, id) = (owned.method.as_deref(), owned.id.as_deref());
                Content::Outline(Outline { method, id, target: owned.target.as_deref(), ..owned.outline })
            }
        };
        Frame {
            position: self.position,
            pointer: self.pointer.as_deref(),
            time: self.time,
            direction: self.direction,
            session: self.session.as_deref(),
            server: self.server.as_deref(),
            http: self.http.as_deref(),
            asked: self.asked.as_deref(),
            at: self.at.as_deref(),
            flags: self.flags,
            content,
        }
    }

    /// The unit of such a frame.
    pub(super) fn unit<'a>(&self, frame: &'a Frame<'a>) -> Unit<'a> {
        Unit { n: self.n, frame, batch: self.batch, sender: self.sender, wire: self.wire }
    }

    fn bytes(&self) -> usize {
        match &self.content {
            OwnedContent::Message(text, _) | OwnedContent::Event(_, text) => text.len(),
            OwnedContent::Outline(_) => 0,
        }
    }
}

fn outline_without_text(outline: &Outline<'_>) -> Outline<'static> {
    let Outline { kind, error_code, view, .. } = *outline;
    Outline { kind, method: None, id: None, error_code, target: None, view }
}

/// What is held, in order, with the glimpses of the messages among it.
#[derive(Default)]
pub(super) struct Hold {
    held: VecDeque<Held>,
    glimpses: VecDeque<Glimpse>,
    bytes: usize,
}

impl Hold {
    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Takes a unit in; messages come with their glimpse, events without.
    pub(super) fn push(&mut self, unit: &Unit<'_>, glimpse: Option<Glimpse>) {
        if let Some(held) = Held::copy(unit) {
            self.bytes += held.bytes();
            self.held.push_back(held);
            self.glimpses.extend(glimpse);
        }
    }

    /// No more may be waited for.
    pub(super) fn is_full(&self) -> bool {
        self.glimpses.len() > MAX_HELD || self.held.len() > 4 * MAX_HELD || self.bytes > MAX_BYTES
    }

    /// The first unit, and the glimpses of the messages from it on.
    pub(super) fn front(&mut self) -> Option<(&Held, &[Glimpse])> {
        let glimpses = self.glimpses.make_contiguous();
        self.held.front().map(|held| (held, &*glimpses))
    }

    /// Drops the first unit.
    pub(super) fn pop(&mut self) {
        if let Some(held) = self.held.pop_front() {
            self.bytes -= held.bytes();
            if !matches!(held.content, OwnedContent::Event(..)) {
                self.glimpses.pop_front();
            }
        }
    }
}
