//! Frames that a reader makes several at a time and hands out one by one: of an entry of a document, of the body of a
//! response. Their texts live side by side in one string that is used again, so a message costs no allocation.

use std::collections::VecDeque;
use std::ops::Range;

use super::{Content, EventKind, Flags, Frame, Http, Origin, Outline, OutlineKind, Stamp};
use crate::position::Position;
use crate::protocol::Direction;

/// A string that grew beyond this is given back once it is empty.
const KEEP: usize = 1 << 20;

/// What a staged frame is.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Message(Origin),
    /// A message of which only the method is known.
    Outline(OutlineKind),
    Event(EventKind),
    Framing,
}

/// Everything about a frame but its texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'t> {
    pub(super) what: What,
    /// Of a message or event its text, of an outline its method.
    pub(super) text: &'t str,
    pub(super) position: Position,
    pub(super) pointer: &'t str,
    pub(super) time: Option<Stamp>,
    pub(super) direction: Option<Direction>,
    pub(super) flags: Flags,
    /// The id of the event of a stream that carried it.
    pub(super) event_id: Option<&'t str>,
}

impl<'t> Piece<'t> {
    /// A frame of which only kind, text and place are known.
    pub(super) fn new(what: What, text: &'t str, position: Position) -> Self {
        Self { what, text, position, pointer: "", time: None, direction: None, flags: Flags::NONE, event_id: None }
    }
}

/// The texts of a [`Piece`], as places in the string.
struct Staged {
    what: What,
    text: Range<usize>,
    position: Position,
    pointer: Range<usize>,
    time: Option<Stamp>,
    direction: Option<Direction>,
    flags: Flags,
    event_id: Option<Range<usize>>,
    half: Option<usize>,
}

/// Half an exchange, and the name of its session.
struct Carrier {
    http: Http,
    session: Option<String>,
}

/// The frames, in order.
#[derive(Default)]
pub(super) struct Stage {
    arena: String,
    frames: VecDeque<Staged>,
    carriers: Vec<Carrier>,
    /// The last line that is in a frame, when lines between frames are to be framed too, and the byte behind it.
    through: Option<(u64, u64)>,
}

impl Stage {
    /// A stage that puts a frame around the lines between those that it is given.
    pub(super) fn covering() -> Self {
        Self { through: Some((0, 0)), ..Self::default() }
    }

    /// The lines before this one are in frames already.
    pub(super) fn begin(&mut self, line: u64, offset: u64) {
        self.through = Some((line.saturating_sub(1), offset));
    }

    /// The last line that is in a frame, and the byte behind it.
    pub(super) fn through(&self) -> (u64, u64) {
        self.through.unwrap_or_default()
    }

    /// Puts the lines up to this one into a frame, if they are in none.
    pub(super) fn cover(&mut self, line: u64) {
        let Some((through, offset)) = &mut self.through else { return };
        if line <= *through {
            return;
        }
        let position =
            Position { line: *through + 1, end_line: line, offset: *offset, length: 0, lead: None, entry: None };
        *through = line;
        self.stage(&Piece::new(What::Framing, "", position), false);
    }

    /// Whether there is nothing to hand out; what the last frame was made of is then let go.
    pub(super) fn is_through(&mut self) -> bool {
        let through = self.frames.is_empty();
        if through {
            self.carriers.clear();
            self.arena.clear();
            if self.arena.capacity() > KEEP {
                self.arena = String::new();
            }
        }
        through
    }

    /// Gives the last frame a time, if it is a message.
    pub(super) fn time_last(&mut self, time: Option<Stamp>) {
        if let Some(frame) = self.frames.back_mut().filter(|frame| matches!(frame.what, What::Message(_))) {
            frame.time = time;
        }
    }

    /// Bytes of text.
    pub(super) fn size(&self) -> usize {
        self.arena.len()
    }

    /// The place without the lines that are in a frame already: it begins in the last of those.
    pub(super) fn behind(&self, place: Position) -> Position {
        let (line, offset) = self.through();
        if line < place.line {
            return place;
        }
        let end = place.offset + place.length;
        let offset = offset.min(end);
        Position { line, end_line: place.end_line.max(line), offset, length: end - offset, ..place }
    }

    /// How many frames at the beginning `free` says yes to, by the text of those that are messages.
    pub(super) fn count_while(&self, mut free: impl FnMut(What, &str) -> bool) -> usize {
        self.frames.iter().take_while(|frame| free(frame.what, &self.arena[frame.text.clone()])).count()
    }

    /// Hands so many frames on to another stage.
    pub(super) fn move_to(&mut self, to: &mut Self, count: usize) {
        let mut carried = None;
        for _ in 0..count.min(self.frames.len()) {
            let Some(frame) = self.frames.pop_front() else { break };
            if frame.half.is_some() && frame.half != carried {
                carried = frame.half;
                let carrier = frame.half.map(|half| &self.carriers[half]);
                to.carriers.extend(
                    carrier.map(|Carrier { http, session }| Carrier { http: http.clone(), session: session.clone() }),
                );
            }
            let text = |part: &Range<usize>| &self.arena[part.clone()];
            let piece = Piece {
                what: frame.what,
                text: text(&frame.text),
                position: frame.position,
                pointer: text(&frame.pointer),
                time: frame.time,
                direction: frame.direction,
                flags: frame.flags,
                event_id: frame.event_id.as_ref().map(text),
            };
            to.push(&piece, frame.half.is_some());
        }
    }

    /// What carries the frames that follow.
    pub(super) fn carry(&mut self, http: &Http, session: Option<&str>) {
        self.carriers.push(Carrier { http: http.clone(), session: session.map(str::to_owned) });
    }

    /// Names the session of everything that has none and was not handed out.
    pub(super) fn name_session(&mut self, session: &str) {
        for carrier in &mut self.carriers {
            carrier.session.get_or_insert_with(|| session.to_owned());
        }
    }

    /// Names the session of what one exchange carries.
    pub(super) fn name_exchange(&mut self, number: u64, session: &str) {
        for carrier in self.carriers.iter_mut().filter(|carrier| carrier.http.exchange == number) {
            carrier.session.get_or_insert_with(|| session.to_owned());
        }
    }

    /// Takes a frame; `carried` by what [`Stage::carry`] told last.
    pub(super) fn push(&mut self, piece: &Piece<'_>, carried: bool) {
        let Position { line, end_line, offset, length, .. } = piece.position;
        self.cover(line.saturating_sub(1));
        if let Some(through) = &mut self.through {
            *through = (through.0.max(end_line), through.1.max(offset + length));
        }
        self.stage(piece, carried);
    }

    fn stage(&mut self, piece: &Piece<'_>, carried: bool) {
        let mut keep = |text: &str| {
            let start = self.arena.len();
            self.arena.push_str(text);
            start..self.arena.len()
        };
        let (text, pointer, event_id) = (keep(piece.text), keep(piece.pointer), piece.event_id.map(&mut keep));
        self.frames.push_back(Staged {
            what: piece.what,
            text,
            position: piece.position,
            pointer,
            time: piece.time,
            direction: piece.direction,
            flags: piece.flags,
            event_id,
            half: self.carriers.len().checked_sub(1).filter(|_| carried),
        });
    }

    /// Hands out the first frame.
    pub(super) fn pop(&mut self) -> Option<Frame<'_>> {
        let frame = self.frames.pop_front()?;
        let text = &self.arena[frame.text];
        let pointer = &self.arena[frame.pointer];
        let carrier = frame.half.map(|half| &mut self.carriers[half]);
        let (http, session) = match carrier {
            Some(carrier) => {
                carrier.http.set_event_id(frame.event_id.map(|id| &self.arena[id]));
                (Some(&carrier.http), carrier.session.as_deref())
            }
            None => (None, None),
        };
        Some(Frame {
            position: frame.position,
            pointer: (!pointer.is_empty()).then_some(pointer),
            time: frame.time,
            direction: frame.direction,
            session,
            server: None,
            asked: None,
            at: None,
            http,
            flags: frame.flags,
            content: match frame.what {
                What::Message(origin) => Content::Message { text, origin },
                What::Outline(kind) => Content::Outline(Outline {
                    kind,
                    method: Some(text),
                    id: None,
                    error_code: None,
                    target: None,
                    view: false,
                }),
                What::Event(kind) => Content::Event { kind, text },
                What::Framing => Content::Framing,
            },
        })
    }
}
