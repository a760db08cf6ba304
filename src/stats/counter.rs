//! Takes the records of a run and counts. Keeps no message.

use std::cmp::Reverse;

use compact_str::CompactString;
use hashbrown::HashMap;

use super::cube::{Cube, cut};
use super::field::Shared;
use super::session::OpenSession;
use super::{Cell, Definition, Field, Figures, Groups, Heavy, Row, Unread, Value};
use crate::annotate::{Annotated, InputEnd, InputStatus, Kind, Outcome, Record, SessionEnd, Status, Summary};
use crate::jsonrpc::{Envelope, JsonKind};
use crate::protocol::{Era, Feature, Primitive, Side};
use crate::transcript::Flag;

/// Open requests that are remembered over all sessions of an input.
const MAX_OPEN: i64 = 65_536;
/// Groups of all sessions that run; beyond, their figures are added up and they begin anew.
const MAX_GROUPS: usize = 65_536;
/// Groups of sessions that have ended; beyond, they go into the tables.
const MAX_TALLIED: usize = 16_384;
/// Bytes of an error text that are kept.
const MAX_ERROR: usize = 1 << 10;

/// What is counted while records come.
pub struct Counter {
    figures: Figures,
    sessions: HashMap<u64, OpenSession>,
    /// One that has ended, for its memory.
    spare: Option<OpenSession>,
    open: i64,
    groups: usize,
    groups_limit: usize,
    tally: Tally,
}

/// The figures of sessions that have ended, until they are added to the tables: one look-up for a group, where the tables
/// take one each.
#[derive(Default)]
struct Tally {
    /// File and session are grouped by.
    apart: bool,
    cubes: HashMap<Owner, Cube>,
    groups: usize,
}

/// What sessions have in common: the server, and what keeps them apart where that is grouped by.
type Owner = (Option<CompactString>, Option<(String, u64)>);

impl Tally {
    fn add(&mut self, shared: &Shared<'_>, cube: &Cube) {
        let place = self.apart.then(|| (shared.file.to_owned(), shared.session));
        let own = self.cubes.entry((shared.server.map(CompactString::new), place)).or_default();
        self.groups += cube.groups().iter().filter(|(key, cell)| own.add(key, cell)).count();
    }

    /// Adds everything to the tables.
    fn roll_up(&self, figures: &mut Figures) {
        for ((server, place), cube) in &self.cubes {
            let (file, session) = place.as_ref().map_or(("", 0), |(file, session)| (file, *session));
            roll_up(figures, &Shared { file, session, server: server.as_deref() }, cube);
        }
    }
}

impl Counter {
    /// Adds to these figures.
    pub fn new(figures: Figures) -> Self {
        let (sessions, spare) = (HashMap::new(), None);
        let apart = |by: &Groups| by.by.iter().any(|field| matches!(field, Field::File | Field::Session));
        let tally = Tally { apart: figures.groups.iter().any(apart), ..Tally::default() };
        Self { figures, sessions, spare, open: 0, groups: 0, groups_limit: MAX_GROUPS, tally }
    }

    /// Takes a record; the records of every input from the first to [`Record::Summary`].
    pub fn record(&mut self, record: &Record<'_>) {
        match record {
            Record::Message(message) => self.message(message),
            Record::Embedded(embedded) => {
                if let Some(session) = self.sessions.get_mut(&embedded.session) {
                    session.needed.note(&embedded.requires, false);
                }
            }
            Record::SessionEnd(end) => self.session(end),
            Record::InputEnd(end) => self.input(end),
            Record::Summary(summary) => self.summary(summary),
            Record::Trace(_) | Record::View(_) | Record::Event(_) | Record::Agreed(_) | Record::Finding(_) => {}
        }
    }

    /// Takes a record that a filter does not select. It is not counted, but a session is told of as a whole: its handshake,
    /// what its capabilities were used for, and which of the requests that are counted got an answer.
    pub fn passed(&mut self, record: &Record<'_>) {
        match record {
            Record::Message(message) => {
                self.figures.messages_read += 1;
                let spare = &mut self.spare;
                let session = self.sessions.entry(message.session).or_insert_with(|| spare.take().unwrap_or_default());
                self.open += session.overhear(message, bytes(message));
            }
            Record::SessionEnd(end) => {
                if let Some(mut session) = self.sessions.remove(&end.session) {
                    self.open -= session.give_up_all();
                    self.groups = self.groups.saturating_sub(session.cube.groups().len());
                    session.clear();
                    self.spare = Some(session);
                }
            }
            Record::Embedded(embedded) => {
                if let Some(session) = self.sessions.get_mut(&embedded.session) {
                    session.needed.note(&embedded.requires, false);
                }
            }
            Record::Trace(_)
            | Record::View(_)
            | Record::Event(_)
            | Record::Agreed(_)
            | Record::Finding(_)
            | Record::InputEnd(_)
            | Record::Summary(_) => {}
        }
    }

    /// What was counted.
    pub fn finish(mut self) -> Figures {
        self.tally.roll_up(&mut self.figures);
        self.figures
    }

    /// What was counted so far, with this input, which is still read, and its sessions that run; what is known of a session at its end, as
    /// requests without an answer, is not in it.
    pub fn so_far(&self, file: &str) -> Figures {
        let mut figures = self.figures.clone();
        self.tally.roll_up(&mut figures);
        figures.inputs.ok += 1;
        let counted = |session: &OpenSession| figures.filter.is_none() || !session.cube.groups().is_empty();
        let running: Vec<_> = self.sessions.iter().filter(|(_, session)| counted(session)).collect();
        for (number, session) in running {
            roll_up(&mut figures, &session.shared(file, *number), &session.cube);
            list(&mut figures, file, *number, &session.cube);
            figures.sessions.total += 1;
            figures.sessions.in_flight_max = figures.sessions.in_flight_max.max(session.in_flight_max);
        }
        figures
    }

    fn message(&mut self, message: &Annotated<'_>) {
        self.figures.messages_read += 1;
        let bytes = bytes(message);
        let spare = &mut self.spare;
        let session = self.sessions.entry(message.session).or_insert_with(|| spare.take().unwrap_or_default());
        let (place, new) = session.cube.place(message);
        count(session.cube.cell(place), message, bytes);
        self.open += session.message(message, place, bytes, self.open < MAX_OPEN);
        self.largest(message, bytes);
        self.definition(message);
        if new {
            self.groups += 1;
            if self.groups > self.groups_limit {
                self.settle(message.file);
            }
        }
    }

    fn largest(&mut self, message: &Annotated<'_>, bytes: u64) {
        let order = (Reverse(bytes), message.file, message.n);
        let largest = &mut self.figures.largest;
        if largest.would_keep(|kept| order < (kept.bytes, kept.file.as_str(), kept.n)) {
            let word = |word: Option<&str>| word.map_or(Value::Null, |word| Value::Text(CompactString::new(cut(word))));
            largest.take(Heavy {
                bytes: Reverse(bytes),
                file: message.file.to_owned(),
                n: message.n,
                line: message.position.line,
                session: message.session,
                direction: word(message.direction.map(|way| way.as_str())),
                kind: word(Some(message.kind.as_str())),
                method: word(message.method),
                target: word(message.target),
            });
        }
    }

    /// What a model has to read of an answer to `tools/list`.
    fn definition(&mut self, message: &Annotated<'_>) {
        if message.outcome != Some(Outcome::Result)
            || message.feature != Feature::Primitive(Primitive::Tools)
            || message.method != Some("tools/list")
        {
            return;
        }
        let Some(parsed) = message.parsed.filter(|parsed| matches!(parsed.envelope, Ok(Envelope::Response { .. })))
        else {
            return;
        };
        let Some(tools) = parsed.body.get("tools").filter(|tools| tools.kind() == JsonKind::Array) else { return };
        self.figures.definitions.take(Definition {
            bytes: Reverse(tools.text().len() as u64),
            file: message.file.to_owned(),
            n: message.n,
            line: message.position.line,
            session: message.session,
            server: message.server.map(|server| CompactString::new(cut(server))),
            tools: tools.elements().count() as u64,
        });
    }

    /// Adds up what runs, so that memory stays bounded.
    fn settle(&mut self, file: &str) {
        self.groups = 0;
        for (number, session) in &mut self.sessions {
            self.tally.add(&session.shared(file, *number), &session.cube);
            list(&mut self.figures, file, *number, &session.cube);
            session.shrink();
            self.groups += session.cube.groups().len();
        }
        self.groups_limit = MAX_GROUPS.max(2 * self.groups);
        self.clear_tally();
    }

    fn clear_tally(&mut self) {
        self.tally.roll_up(&mut self.figures);
        self.tally = Tally { apart: self.tally.apart, ..Tally::default() };
    }

    fn session(&mut self, end: &SessionEnd) {
        let figures = &mut self.figures;
        let sessions = &mut figures.sessions;
        sessions.total += 1;
        sessions.handshake += u64::from(end.era == Some(Era::Handshake));
        sessions.stateless += u64::from(end.era == Some(Era::Stateless));
        sessions.client_declared += u64::from(end.client_capabilities.is_some());
        sessions.server_declared += u64::from(end.server_capabilities.is_some());
        let mut session = self.sessions.remove(&end.session).or_else(|| self.spare.take()).unwrap_or_default();
        sessions.in_flight_max = sessions.in_flight_max.max(session.in_flight_max);
        let name = |name: &str| CompactString::new(cut(name));
        if session.server.is_none() {
            session.server = end.server.as_ref().map(|peer| name(&peer.name));
        }
        self.open -= session.give_up_all();
        self.groups = self.groups.saturating_sub(session.cube.groups().len());
        self.tally.add(&session.shared(&end.file, end.session), &session.cube);
        list(figures, &end.file, end.session, &session.cube);
        let declared =
            [(Side::Client, end.client_capabilities.as_deref()), (Side::Server, end.server_capabilities.as_deref())];
        session.needed.count(declared, &mut figures.capabilities);
        figures.lose("needs", session.needed.lost);
        let row = Row {
            sessions: 1,
            server: session.server.clone(),
            client: end.client.as_ref().map(|peer| name(&peer.name)),
            revision: end.revision.as_deref().map(name),
            in_flight_max: session.in_flight_max,
            handshake: session.count_handshake(&mut figures.handshakes),
            ..Row::default()
        };
        figures.session_rows.merge_row((end.file.clone(), end.session), &row);
        session.clear();
        self.spare = Some(session);
        if self.tally.groups > MAX_TALLIED {
            self.clear_tally();
        }
    }

    fn input(&mut self, end: &InputEnd) {
        let inputs = &mut self.figures.inputs;
        *match end.status {
            InputStatus::Ok => &mut inputs.ok,
            InputStatus::Partial => &mut inputs.partial,
            InputStatus::Unrecognised => &mut inputs.unrecognised,
            InputStatus::Unreadable => &mut inputs.unreadable,
        } += 1;
        inputs.bytes += end.bytes;
        inputs.lines += end.lines;
        if end.status != InputStatus::Ok {
            let error: String = end.error.as_deref().unwrap_or_default().chars().take(MAX_ERROR).collect();
            self.figures.unread.take(Unread { file: end.file.clone(), status: end.status.as_str(), error });
        }
    }

    fn summary(&mut self, summary: &Summary) {
        let figures = &mut self.figures;
        figures.embedded += summary.embedded;
        figures.views += summary.views;
        figures.events += summary.events;
        figures.noise += summary.noise;
        figures.undeclared += summary.undeclared;
        figures.interrupted |= summary.interrupted;
        for (table, lost) in &summary.caps_reached {
            figures.lose(table, *lost);
        }
    }
}

/// Bytes of a message's own text; of a line that was passed over, its length.
fn bytes(message: &Annotated<'_>) -> u64 {
    if message.flags.has(Flag::Oversized) { message.position.length } else { message.text.len() as u64 }
}

fn count(cell: &mut Cell, message: &Annotated<'_>, bytes: u64) {
    cell.messages += 1;
    cell.bytes += bytes;
    match message.kind {
        Kind::Request => cell.requests += 1,
        Kind::Notification => cell.notifications += 1,
        Kind::Invalid => cell.invalid += 1,
        Kind::Response => {
            cell.responses += 1;
            cell.errors += u64::from(message.outcome == Some(Outcome::Error));
            cell.tool_errors += u64::from(message.status == Some(Status::ToolError));
            cell.input_required += u64::from(message.status == Some(Status::InputRequired));
            cell.late += u64::from(message.late);
            if let Some((latency, _)) = message.latency {
                cell.latency.record(u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX));
            }
        }
    }
}

/// Adds figures to every table of groups.
fn roll_up(figures: &mut Figures, shared: &Shared<'_>, cube: &Cube) {
    for (key, cell) in cube.groups() {
        figures.total.merge(cell);
        for groups in &mut figures.groups {
            groups.add(shared, key, cell);
        }
    }
}

/// Adds the figures of a session to the list of sessions.
fn list(figures: &mut Figures, file: &str, number: u64, cube: &Cube) {
    if cube.groups().is_empty() {
        return;
    }
    let mut row = Row::default();
    for (_, cell) in cube.groups() {
        row.messages += cell.messages;
        row.bytes += cell.bytes;
        row.requests += cell.requests;
        row.errors += cell.errors + cell.tool_errors;
        row.unanswered += cell.unanswered;
    }
    figures.session_rows.merge_row((file.to_owned(), number), &row);
}
