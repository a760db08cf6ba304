//! Everything that was counted, as one value that merges.

use std::collections::BTreeMap;

use super::capabilities::{self, Capabilities};
use super::lists::Largest;
use super::{Cell, Definitions, Field, Groups, Heavy, Histogram, Row, Rows, STANDARD, Value};
use crate::annotate::InputStatus;

/// The largest messages and lists of tools that are kept.
const MAX_LARGEST: usize = 100;
/// Sessions that are listed.
const MAX_SESSIONS: usize = 4_096;
/// Inputs that were not read whole that are listed.
const MAX_UNREAD: usize = 1_000;
/// Names of tables that overflowed.
const MAX_TABLES: usize = 64;

/// Inputs, by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Inputs {
    pub ok: u64,
    pub partial: u64,
    pub unrecognised: u64,
    pub unreadable: u64,
    /// Bytes of their text read, decompressed.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
}

impl Inputs {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.ok.saturating_add(self.not_whole())
    }

    /// Those that were not read whole, or held no message.
    pub fn not_whole(&self) -> u64 {
        self.partial.saturating_add(self.unrecognised).saturating_add(self.unreadable)
    }
}

/// An input that was not read whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// As the user named it.
    pub file: String,
    /// How it ended.
    pub status: &'static str,
    /// What went wrong, for a person.
    pub error: String,
}

impl Unread {
    /// Its status as a word of the contract; `None` for other words.
    pub fn status(word: &str) -> Option<&'static str> {
        let all = [InputStatus::Partial, InputStatus::Unrecognised, InputStatus::Unreadable];
        all.into_iter().map(InputStatus::as_str).find(|known| *known == word)
    }
}

/// Sessions, and what they have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    /// All of them.
    pub total: u64,
    /// Those that began with a handshake.
    pub handshake: u64,
    /// Those of 2026-07-28.
    pub stateless: u64,
    /// Those whose capture has what the client declared.
    pub client_declared: u64,
    /// Those whose capture has what the server declared.
    pub server_declared: u64,
    /// The most requests that waited for their answers at a time, in any session.
    pub in_flight_max: u64,
}

/// What handshakes cost, from `initialize` to `notifications/initialized`, both among the messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handshakes {
    /// Those that were finished.
    pub finished: u64,
    /// Those that were begun only.
    pub unfinished: u64,
    /// Messages of the finished ones.
    pub messages: u64,
    /// The most messages of one.
    pub messages_max: u64,
    /// Bytes of the finished ones.
    pub bytes: u64,
    /// How long they took, where that is recorded.
    pub time: Histogram,
}

/// Two sets of figures that do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeError;

/// Everything that was counted over any number of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The filter in words; `None`: all messages are counted.
    pub filter: Option<String>,
    /// Messages that were read, counted or not.
    pub messages_read: u64,
    /// The inputs.
    pub inputs: Inputs,
    /// Those that were not read whole, in the order of their names.
    pub unread: Largest<Unread>,
    /// The user stopped the run.
    pub interrupted: bool,
    /// All messages.
    pub total: Cell,
    /// Requests and responses inside other messages; not among the messages.
    pub embedded: u64,
    /// Other tellings of messages; not among the messages.
    pub views: u64,
    /// Events that are no noise.
    pub events: u64,
    /// Events that are.
    pub noise: u64,
    /// Requests, notifications and embedded requests that need a capability that was not declared.
    pub undeclared: u64,
    /// The sessions together.
    pub sessions: Sessions,
    /// The handshakes together.
    pub handshakes: Handshakes,
    /// The tables of groups: [`STANDARD`] first, then what the user asked for.
    pub groups: Vec<Groups>,
    /// The sessions one by one, by file and number.
    pub session_rows: Rows<(String, u64), Row>,
    /// The largest messages.
    pub largest: Largest<Heavy>,
    /// What answers to `tools/list` define.
    pub definitions: Definitions,
    /// What was declared and used.
    pub capabilities: Capabilities,
    /// Bounded tables that overflowed while reading: name and entries lost.
    pub caps: BTreeMap<String, u64>,
}

impl Figures {
    /// Nothing counted yet; `by` is a grouping beside the standard ones.
    pub fn new(by: Option<&[Field]>) -> Self {
        let own = by.filter(|by| !STANDARD.contains(by));
        Self {
            filter: None,
            messages_read: 0,
            inputs: Inputs::default(),
            unread: Largest::new(MAX_UNREAD),
            interrupted: false,
            total: Cell::default(),
            embedded: 0,
            views: 0,
            events: 0,
            noise: 0,
            undeclared: 0,
            sessions: Sessions::default(),
            handshakes: Handshakes::default(),
            groups: STANDARD.iter().copied().chain(own).map(Groups::by).collect(),
            session_rows: Rows::new(MAX_SESSIONS),
            largest: Largest::new(MAX_LARGEST),
            definitions: Definitions { lists: 0, tools: 0, bytes: 0, largest: Largest::new(MAX_LARGEST) },
            capabilities: capabilities::none(),
            caps: BTreeMap::new(),
        }
    }

    /// The table of a grouping.
    pub fn by(&self, by: &[Field]) -> Option<&Groups> {
        self.groups.iter().find(|groups| groups.by == by)
    }

    /// Messages and bytes of the lifecycle, of operation, and of no decidable phase.
    pub fn phases(&self) -> [(u64, u64); 3] {
        let mut phases = [(0, 0); 3];
        for (values, cell) in self.by(&[Field::Phase]).into_iter().flat_map(|groups| groups.rows.iter()) {
            let at = match &values[0] {
                Value::Text(phase) if phase == "operation" => 1,
                Value::Text(_) => 0,
                _ => 2,
            };
            phases[at].0 += cell.messages;
            phases[at].1 += cell.bytes;
        }
        phases
    }

    /// Every input was read whole and recognised.
    pub fn complete(&self) -> bool {
        !self.interrupted && self.inputs.not_whole() == 0 && self.inputs.total() > 0
    }

    /// Bounded tables that overflowed, and what of: entries while reading, messages of groups without a row of their own,
    /// sessions without one, sessions of capabilities without one.
    pub fn caps_reached(&self) -> Vec<(String, u64)> {
        let mut caps: Vec<_> = self.caps.iter().map(|(table, lost)| (table.clone(), *lost)).collect();
        for groups in &self.groups {
            let names: Vec<_> = groups.by.iter().map(|field| field.as_str()).collect();
            caps.push((format!("groups by {}", names.join(",")), groups.rows.rest().messages));
        }
        caps.push(("session_rows".to_owned(), self.session_rows.rest().sessions));
        let rest = self.capabilities.rest();
        caps.push(("capabilities".to_owned(), rest.declared.saturating_add(rest.used)));
        caps.push(("unread".to_owned(), self.inputs.not_whole().saturating_sub(self.unread.iter().count() as u64)));
        caps.retain(|(_, lost)| *lost > 0);
        caps
    }

    /// Notes an input that could not be read at all.
    pub fn unreadable(&mut self, file: &str, error: &str) {
        self.inputs.unreadable += 1;
        let (file, status) = (file.to_owned(), InputStatus::Unreadable.as_str());
        self.unread.take(Unread { file, status, error: error.to_owned() });
    }

    /// Notes entries that a bounded table has lost.
    pub fn lose(&mut self, table: &str, lost: u64) {
        if lost > 0 && (self.caps.contains_key(table) || self.caps.len() < MAX_TABLES) {
            let known = self.caps.entry(table.to_owned()).or_default();
            *known = known.saturating_add(lost);
        }
    }

    /// Adds what others have counted.
    ///
    /// # Errors
    /// When the two have other groupings or another filter; nothing is added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), MergeError> {
        if !self.groups.iter().map(|groups| &groups.by).eq(other.groups.iter().map(|groups| &groups.by)) {
            return Err(MergeError);
        }
        if self.filter != other.filter {
            return Err(MergeError);
        }
        for (own, other) in [
            (&mut self.messages_read, other.messages_read),
            (&mut self.inputs.ok, other.inputs.ok),
            (&mut self.inputs.partial, other.inputs.partial),
            (&mut self.inputs.unrecognised, other.inputs.unrecognised),
            (&mut self.inputs.unreadable, other.inputs.unreadable),
            (&mut self.inputs.bytes, other.inputs.bytes),
            (&mut self.inputs.lines, other.inputs.lines),
            (&mut self.embedded, other.embedded),
            (&mut self.views, other.views),
            (&mut self.events, other.events),
            (&mut self.noise, other.noise),
            (&mut self.undeclared, other.undeclared),
            (&mut self.sessions.total, other.sessions.total),
            (&mut self.sessions.handshake, other.sessions.handshake),
            (&mut self.sessions.stateless, other.sessions.stateless),
            (&mut self.sessions.client_declared, other.sessions.client_declared),
            (&mut self.sessions.server_declared, other.sessions.server_declared),
            (&mut self.handshakes.finished, other.handshakes.finished),
            (&mut self.handshakes.unfinished, other.handshakes.unfinished),
            (&mut self.handshakes.messages, other.handshakes.messages),
            (&mut self.handshakes.bytes, other.handshakes.bytes),
        ] {
            *own = own.saturating_add(other);
        }
        self.sessions.in_flight_max = self.sessions.in_flight_max.max(other.sessions.in_flight_max);
        self.handshakes.messages_max = self.handshakes.messages_max.max(other.handshakes.messages_max);
        self.handshakes.time.merge(&other.handshakes.time);
        self.interrupted |= other.interrupted;
        self.unread.merge(&other.unread);
        self.total.merge(&other.total);
        for (own, other) in self.groups.iter_mut().zip(&other.groups) {
            own.rows.merge(&other.rows);
        }
        self.session_rows.merge(&other.session_rows);
        self.largest.merge(&other.largest);
        self.definitions.merge(&other.definitions);
        self.capabilities.merge(&other.capabilities);
        for (table, lost) in &other.caps {
            self.lose(table, *lost);
        }
        Ok(())
    }
}
