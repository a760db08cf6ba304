//! An [`Adapter`] made ready to read entries: each pointer has a slot, and the questions that an entry can be asked.
//! Answers are places and values, never borrowed from the entry.

use std::ops::Range;

use jiff::SignedDuration;
use jiff::tz::TimeZone;

use super::adapter::{Adapter, Entries, Form, Goes, Mark, Named, Shift, Sort, Telling, TimeKind, Way, direction_word};
use super::parties::Parties;
use super::pointer::{Found, Pointer, Pointers, quoted, text_of};
use super::{Flag, Flags, Stamp, stamp};
use crate::jsonrpc::RawJson;
use crate::protocol::{Direction, Side, method_set};

/// The slots of a telling: what stands where depends on its form.
pub(super) struct Told {
    pub(super) slots: [Vec<usize>; 6],
    time: Option<usize>,
    shift: Option<usize>,
    flags: Vec<usize>,
    only: Vec<usize>,
}

/// The adapter with its slots, in the order of its own lists.
pub(super) struct Plan {
    pub(super) adapter: &'static Adapter,
    pointers: Pointers,
    marks: Vec<usize>,
    header: Vec<usize>,
    sorts: Vec<usize>,
    pub(super) told: Vec<Told>,
    events: Vec<usize>,
    ways: Vec<[usize; 2]>,
    times: Vec<usize>,
    session: Vec<usize>,
    server: Vec<usize>,
    asked: Vec<usize>,
    flags: Vec<usize>,
}

impl Plan {
    pub(super) fn new(adapter: &'static Adapter) -> Self {
        let mut pointers = Pointers::new();
        let mut each = |list: &[Pointer]| list.iter().map(|pointer| pointers.slot(pointer)).collect::<Vec<usize>>();
        let mark = |mark: &Mark| match mark {
            Mark::Has(pointer) | Mark::Lacks(pointer) | Mark::Word(pointer, _) => *pointer,
        };
        let marks = each(&adapter.marks.iter().map(mark).collect::<Vec<_>>());
        let header = each(&adapter.header.iter().map(mark).collect::<Vec<_>>());
        let sorts = each(&adapter.sorts.iter().map(|(pointer, _)| *pointer).collect::<Vec<_>>());
        let events = each(&adapter.events.iter().map(|(pointer, _)| *pointer).collect::<Vec<_>>());
        let times = each(&adapter.time.iter().map(|(pointer, _)| *pointer).collect::<Vec<_>>());
        let flags = each(&adapter.flags.iter().map(|(pointer, _)| *pointer).collect::<Vec<_>>());
        let session = match adapter.session {
            Named::By(list) => each(list),
            Named::Pair(one, other) => each(&[one, other]),
        };
        let server = each(adapter.server);
        let asked = each(adapter.asked);
        let mut told = Vec::new();
        for telling in adapter.messages {
            let slots = match telling.form {
                Form::Value(list) | Form::Rpc(list) => [list, &[], &[], &[], &[], &[]].map(&mut each),
                Form::Each(pointer) => [&[pointer][..], &[], &[], &[], &[], &[]].map(&mut each),
                Form::Parts(all, [id, method, params, result, error]) => {
                    [all, id, method, params, result, error].map(|part| each(&[part]))
                }
                Form::Outline(form) => {
                    [&[][..], form.method, form.id, form.error_code, form.error, form.target].map(&mut each)
                }
            };
            let time = telling.time.map(|(pointer, _)| each(&[pointer])[0]);
            let shift = telling.shift.map(|shift| match shift {
                Shift::Later(pointer, _) | Shift::Earlier(pointer, _) => each(&[pointer])[0],
            });
            let flags = each(&telling.flags.iter().map(|(pointer, _)| *pointer).collect::<Vec<_>>());
            let only = each(&telling.only.iter().map(mark).collect::<Vec<_>>());
            told.push(Told { slots, time, shift, flags, only });
        }
        let ways = adapter
            .direction
            .iter()
            .map(|way| {
                let slots = match *way {
                    Way::Word(at, _) | Way::Relative(at) => each(&[at, at]),
                    Way::ToServer(one, other) | Way::Parties(one, other) => each(&[one, other]),
                };
                [slots[0], slots[1]]
            })
            .collect();
        Self { adapter, pointers, marks, header, sorts, told, events, ways, times, session, server, asked, flags }
    }

    /// What stands where in an entry, if it is one whole object.
    pub(super) fn find(&self, text: &str) -> Option<Found> {
        self.pointers.find(text)
    }

    pub(super) fn is_marked(&self, found: &Found, text: &str) -> bool {
        marked(self.adapter.marks, &self.marks, found, text)
    }

    /// Whether the entry has what a telling asks for.
    pub(super) fn applies(&self, telling: usize, found: &Found, text: &str) -> bool {
        marked(self.adapter.messages[telling].only, &self.told[telling].only, found, text)
    }

    /// Whether the entry describes the recording.
    pub(super) fn is_header(&self, found: &Found, text: &str) -> bool {
        let top = matches!(self.adapter.entries, Entries::Top);
        top && !self.header.is_empty() && marked(self.adapter.header, &self.header, found, text)
    }

    /// What the entry is about, where a word tells.
    pub(super) fn sort(&self, found: &Found, text: &str) -> Option<Sort> {
        self.adapter.sorts.iter().zip(&self.sorts).find_map(|((_, words), slot)| {
            let word = word(found, *slot, text)?;
            words.iter().find(|(own, _)| *own == word).map(|(_, sort)| *sort)
        })
    }

    /// The first event of the entry: its kind, and where its text stands.
    pub(super) fn event(&self, found: &Found, text: &str) -> Option<(super::EventKind, Range<usize>)> {
        self.adapter
            .events
            .iter()
            .zip(&self.events)
            .find_map(|((_, kind), slot)| found.place(*slot, text).map(|place| (*kind, place)))
    }

    /// Where a telling has its message; the first of the alternatives.
    pub(super) fn value(&self, telling: usize, found: &Found, text: &str) -> Option<Range<usize>> {
        self.told[telling].slots[0].iter().find_map(|slot| found.place(*slot, text))
    }

    /// Writes how a pointer goes on from the entry to the message of a telling; `token` is the message as written.
    pub(super) fn name(&self, telling: usize, found: &Found, text: &str, token: &str, pointer: &mut String) {
        let start = token.as_ptr().addr() - text.as_ptr().addr();
        let leads = |slot: &&usize| found.place(**slot, text).is_some_and(|place| place.contains(&start));
        let form = self.adapter.messages[telling].form;
        if matches!(form, Form::Outline(_)) {
            return;
        }
        let Some(slot) = self.told[telling].slots[0].iter().find(leads) else { return };
        for name in self.pointers.get(*slot) {
            pointer.push('/');
            pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        }
    }

    /// Of an entry that is cut off, by the names at its top: whether it carries a message, and how many things more
    /// speak for this format.
    pub(super) fn foretold(&self, names: &[&str]) -> (bool, usize) {
        let there = |slot: &usize| self.pointers.get(*slot).first().is_some_and(|name| names.contains(name));
        let carries = self.told.iter().any(|told| told.slots[0].iter().any(there)) || self.events.iter().any(there);
        let marks = self.marks.iter().filter(|slot| there(slot)).count();
        if marks < self.marks.len() {
            return (false, 0);
        }
        let hints = self.ways.iter().filter(|way| there(&way[0])).count().min(1);
        (carries, marks + hints + usize::from(self.times.iter().any(there)))
    }

    /// Whether the outline of a telling has a method.
    pub(super) fn names_method(&self, telling: usize, found: &Found, text: &str) -> bool {
        self.told[telling].slots[1].iter().any(|slot| found.place(*slot, text).is_some())
    }

    /// The direction that the entry tells.
    pub(super) fn direction(&self, parties: &mut Parties, found: &Found, text: &str) -> Option<Direction> {
        self.adapter.direction.iter().zip(&self.ways).find_map(|(way, slots)| match way {
            Way::Word(_, words) => {
                let word = word(found, slots[0], text)?;
                words.iter().find(|(own, _)| *own == word).map(|(_, way)| *way).or_else(|| direction_word(word))
            }
            Way::ToServer(..) => {
                found.token(slots[0], text)?;
                let to_server = found.token(slots[1], text) == Some("true");
                Some(if to_server { Direction::ClientToServer } else { Direction::ServerToClient })
            }
            Way::Parties(..) => {
                let (from, to) = (found.token(slots[0], text)?, found.token(slots[1], text)?);
                parties.between(from, to, || self.sender(found, text))
            }
            Way::Relative(..) => {
                let named = word(found, slots[0], text)?;
                parties.seen_from(named, || self.sender(found, text))
            }
        })
    }

    /// The side that alone can send the first message of the entry.
    fn sender(&self, found: &Found, text: &str) -> Option<Side> {
        let token = (0..self.told.len()).find_map(|telling| self.value(telling, found, text))?;
        let mut decoded = String::new();
        let message = RawJson::new(text_of(&text[token], &mut decoded))?;
        method_set(&message.get("method")?.as_str()?)?.only_sender()
    }

    /// The direction of one of its messages.
    pub(super) fn goes(telling: &Telling, told: Option<Direction>, answers: bool) -> Option<Direction> {
        match telling.goes {
            Goes::Asked if answers => told.map(Direction::reversed),
            Goes::AsTold | Goes::Asked => told,
            Goes::Back => told.map(Direction::reversed),
            Goes::Always(way) => Some(way),
            Goes::Unknown => None,
        }
    }

    /// The time that the entry tells, or of one of its messages.
    pub(super) fn time(&self, telling: Option<usize>, found: &Found, text: &str, zone: &TimeZone) -> Option<Stamp> {
        let own = telling.and_then(|at| {
            let (_, kind) = self.adapter.messages[at].time?;
            read_time(found.token(self.told[at].time?, text)?, kind, zone)
        });
        let stamp = own.or_else(|| {
            let alternatives = self.adapter.time.iter().zip(&self.times);
            alternatives.into_iter().find_map(|((_, kind), slot)| read_time(found.token(*slot, text)?, *kind, zone))
        })?;
        let shift = telling.and_then(|at| Some((self.adapter.messages[at].shift?, self.told[at].shift?)));
        let shifted = shift.and_then(|(shift, slot)| {
            let (Shift::Later(_, kind) | Shift::Earlier(_, kind)) = shift;
            let (length, digits) = read_length(found.token(slot, text)?, kind)?;
            let at = match shift {
                Shift::Later(..) => stamp.at.checked_add(length),
                Shift::Earlier(..) => stamp.at.checked_sub(length),
            };
            Some(Stamp { at: at.ok()?, digits: stamp.digits.max(digits), ..stamp })
        });
        Some(shifted.unwrap_or(stamp))
    }

    /// The session's name, in the given place where it has to be put together.
    pub(super) fn session<'t>(&self, found: &Found, text: &'t str, place: &'t mut String) -> Option<&'t str> {
        match self.adapter.session {
            Named::By(_) => {
                self.session.iter().find_map(|slot| found.token(*slot, text)).map(|token| text_of(token, place))
            }
            Named::Pair(..) => {
                let (one, other) = (found.token(self.session[0], text)?, found.token(self.session[1], text)?);
                let (low, high) = if (one.len(), one) <= (other.len(), other) { (one, other) } else { (other, one) };
                place.clear();
                place.extend([low, "-", high]);
                Some(place)
            }
        }
    }

    /// The server's name.
    pub(super) fn server<'t>(&self, found: &Found, text: &'t str, place: &'t mut String) -> Option<&'t str> {
        let named = |slot: &usize| found.token(*slot, text).filter(|token| *token != "\"\"");
        self.server.iter().find_map(named).map(|token| text_of(token, place))
    }

    /// The method that an answer is said to be for.
    pub(super) fn asked<'t>(&self, found: &Found, text: &'t str) -> Option<&'t str> {
        self.asked.iter().find_map(|slot| word(found, *slot, text)).filter(|method| !method.is_empty())
    }

    /// What the recorder says that it changed of the entry, or of one of its messages.
    pub(super) fn flags(&self, telling: Option<usize>, found: &Found, text: &str) -> Flags {
        let (flags, slots) = match telling {
            Some(at) => (self.adapter.messages[at].flags, &self.told[at].flags),
            None => (self.adapter.flags, &self.flags),
        };
        let set = flags.iter().zip(slots).filter(|(_, slot)| found.token(**slot, text) == Some("true"));
        set.fold(Flags::NONE, |flags, ((_, flag), _)| flags.with(*flag))
    }

    /// What the recorder left out of a message.
    pub(super) fn cuts(&self, message: &str) -> Flags {
        let left_out = |flags: Flags, (mark, flag): &(&str, Flag)| {
            flags.with_if(memchr::memmem::find(message.as_bytes(), mark.as_bytes()).is_some(), *flag)
        };
        self.adapter.cuts.iter().fold(Flags::NONE, left_out)
    }
}

fn marked(marks: &[Mark], slots: &[usize], found: &Found, text: &str) -> bool {
    marks.iter().zip(slots).all(|(mark, slot)| match mark {
        Mark::Has(_) => found.place(*slot, text).is_some(),
        Mark::Lacks(_) => found.place(*slot, text).is_none(),
        Mark::Word(_, words) => word(found, *slot, text).is_some_and(|word| words.contains(&word)),
    })
}

/// A short word, as written: those that matter have no escapes.
pub(super) fn word<'t>(found: &Found, slot: usize, text: &'t str) -> Option<&'t str> {
    let token = found.token(slot, text)?;
    Some(quoted(token).unwrap_or(token))
}

fn read_time(token: &str, kind: TimeKind, zone: &TimeZone) -> Option<Stamp> {
    let text = quoted(token).unwrap_or(token);
    match kind {
        TimeKind::Rfc3339 => stamp::rfc3339(text, zone),
        TimeKind::EpochSeconds => stamp::epoch(text, 0),
        TimeKind::EpochMillis => stamp::epoch(text, 3),
        TimeKind::EpochMicros => stamp::epoch(text, 6),
        TimeKind::EpochNanos => stamp::epoch(text, 9),
        TimeKind::ElapsedSeconds => stamp::elapsed(text, 0),
        TimeKind::ElapsedMillis => stamp::elapsed(text, 3),
    }
}

/// A length of time, and the fractional digits of a second it has.
fn read_length(token: &str, kind: TimeKind) -> Option<(SignedDuration, u8)> {
    let scale = match kind {
        TimeKind::EpochMillis | TimeKind::ElapsedMillis => 3,
        TimeKind::EpochMicros => 6,
        TimeKind::EpochNanos => 9,
        TimeKind::Rfc3339 | TimeKind::EpochSeconds | TimeKind::ElapsedSeconds => 0,
    };
    let stamp = stamp::epoch(quoted(token).unwrap_or(token), scale)?;
    Some((stamp.at.duration_since(jiff::Timestamp::UNIX_EPOCH), stamp.digits))
}
