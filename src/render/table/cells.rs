//! A message as the cells of its row: one function per column.

use super::figures::{Elapsed, Since, TimeOfDay};
use super::gist::gist;
use super::layout::{Choice, Column, Size};
use super::row::Row;
use super::signs::Signs;
use crate::annotate::{Annotated, Certainty, Embedded, IdState, Kind, Needs, Status};
use crate::protocol::{Direction, Feature, Phase};
use crate::render::palette::Ink;
use crate::transcript::{Flag, Stamp, TimeBasis};

/// What the cells depend on besides the message.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub(super) signs: Signs,
    pub(super) size: Size,
    pub(super) absolute: bool,
    pub(super) zone: jiff::tz::TimeZone,
    /// The session has a column of its own at this moment.
    pub(super) session_shown: bool,
    /// The columns.
    pub(super) choice: Choice,
}

/// Fills the row with the message, its time as from the clock.
pub(super) fn message_row(row: &mut Row, style: &Style, message: &Annotated<'_>, clock: Option<Stamp>) {
    row.clear();
    for &column in &style.choice.columns {
        message_cell(row, style, column, message, clock);
        row.end_cell();
    }
}

fn message_cell(row: &mut Row, style: &Style, column: Column, message: &Annotated<'_>, clock: Option<Stamp>) {
    let signs = &style.signs;
    match column {
        Column::Session => {
            guess(row, message.basis.session);
            row.say_fmt(Ink::Dim, format_args!("{}", message.session));
        }
        Column::Number => {
            number_guess(row, style, message);
            row.say_fmt(Ink::Dim, format_args!("{}", message.n));
        }
        Column::Line => row.say_fmt(Ink::Dim, format_args!("{}", message.position.line)),
        Column::Time => time(row, style, message.time, clock),
        Column::Latency => {
            if let Some((latency, _)) = message.latency {
                row.say_fmt(Ink::Plain, format_args!("{}", Elapsed(latency)));
            }
        }
        Column::Direction => direction(row, style, message.direction, message.basis.direction),
        Column::Kind => kind(row, style, message.kind),
        Column::Id => id(row, signs, message),
        Column::Method => method(row, signs, message),
        Column::Primitive => primitive(row, signs, message.feature),
        Column::Phase => phase(row, message.phase, message.basis.phase),
        Column::Needs => needs(row, style, message.requires),
        Column::Outcome => {
            outcome(row, style, message);
            if !style.choice.has(Column::Summary) {
                gist(row, signs, message);
            }
        }
        Column::Summary => gist(row, signs, message),
        Column::Payload => row.put(signs, Ink::Dim, message.text),
    }
}

/// Fills the row with a request or response inside the message above it.
pub(super) fn embedded_row(row: &mut Row, style: &Style, embedded: &Embedded<'_>) {
    row.clear();
    let signs = &style.signs;
    for &column in &style.choice.columns {
        match column {
            Column::Number | Column::Line => row.say(Ink::Dim, signs.branch),
            Column::Direction => direction(row, style, embedded.direction, None),
            Column::Kind => kind(row, style, embedded.kind),
            Column::Method => {
                row.put(signs, Ink::Strong, embedded.method.as_deref().unwrap_or("?"));
                if let Some(target) = &embedded.target {
                    row.say(Ink::Plain, " ");
                    row.put(signs, Ink::Target, target);
                }
            }
            Column::Primitive => primitive(row, signs, embedded.feature),
            Column::Needs => needs(row, style, &embedded.requires),
            Column::Outcome | Column::Summary => {
                row.say_fmt(Ink::Dim, format_args!("inside #{} as ", embedded.of));
                row.put(signs, Ink::Dim, &embedded.key);
            }
            Column::Session | Column::Time | Column::Latency | Column::Id | Column::Phase | Column::Payload => {}
        }
        row.end_cell();
    }
}

/// The time, relative or of the day. What is elapsed only can only be relative; what came before the session's first
/// message has no start to be relative to, and shows the time of day.
pub(super) fn time(row: &mut Row, style: &Style, time: Option<Stamp>, start: Option<Stamp>) {
    let Some(at) = time else { return };
    match start {
        _ if style.absolute && at.basis != TimeBasis::Elapsed => {
            row.say_fmt(Ink::Dim, format_args!("{}", TimeOfDay { at, zone: &style.zone }));
        }
        Some(start) => row.say_fmt(Ink::Dim, format_args!("{}", Since { start, at })),
        None if at.basis == TimeBasis::Elapsed => {
            let start = Stamp { at: jiff::Timestamp::UNIX_EPOCH, ..at };
            row.say_fmt(Ink::Dim, format_args!("{}", Since { start, at }));
        }
        None => {
            let at = Stamp { digits: 0, ..at };
            row.say_fmt(Ink::Dim, format_args!("{}", TimeOfDay { at, zone: &style.zone }));
        }
    }
}

fn guess(row: &mut Row, basis: Option<Certainty>) {
    if basis == Some(Certainty::Guessed) {
        row.say(Ink::Doubt, "~");
    }
}

/// The number stands for what has no column of its own: the session, the phase.
fn number_guess(row: &mut Row, style: &Style, message: &Annotated<'_>) {
    let phase = message.basis.phase.filter(|_| !style.choice.has(Column::Phase));
    if phase == Some(Certainty::Guessed) {
        guess(row, phase);
    } else if !style.session_shown {
        guess(row, message.basis.session);
    }
}

fn direction(row: &mut Row, style: &Style, direction: Option<Direction>, basis: Option<Certainty>) {
    let signs = &style.signs;
    let (ink, sign) = match direction {
        Some(Direction::ClientToServer) => (Ink::ToServer, signs.right),
        Some(Direction::ServerToClient) => (Ink::ToClient, signs.left),
        None => (Ink::Doubt, "?"),
    };
    match (style.size, direction) {
        (Size::Medium, Some(Direction::ClientToServer)) => {
            row.say(Ink::Dim, "client ");
            row.say_all(ink, &[sign], 1);
        }
        (Size::Medium, Some(Direction::ServerToClient)) => {
            row.say_all(ink, &[sign], 1);
            row.say(Ink::Dim, " server");
        }
        (Size::Narrow | Size::Medium, _) => row.say_all(ink, &[sign], 1),
        (Size::Full, _) => {
            row.say(Ink::Dim, "client ");
            row.say_all(ink, &[sign], 1);
            row.say(Ink::Dim, " server");
        }
    }
    guess(row, basis.filter(|_| direction.is_some()));
}

fn kind(row: &mut Row, style: &Style, kind: Kind) {
    let ink = if kind == Kind::Invalid { Ink::Wrong } else { Ink::Dim };
    let word = match (style.size, kind) {
        (Size::Full, _) => kind.as_str(),
        (_, Kind::Request) => "req",
        (_, Kind::Response) => "res",
        (_, Kind::Notification) => "ntf",
        (_, Kind::Invalid) => "bad",
    };
    row.say(ink, word);
}

fn id(row: &mut Row, signs: &Signs, message: &Annotated<'_>) {
    match (message.id_state, &message.id) {
        (IdState::Present, Some(id)) => row.put(signs, Ink::Dim, id.raw()),
        (IdState::Null, _) => row.say(Ink::Doubt, "null"),
        (IdState::Unrecorded, _) | (IdState::Present, None) => row.say(Ink::Doubt, "?"),
        (IdState::Absent, _) => {}
    }
}

fn method(row: &mut Row, signs: &Signs, message: &Annotated<'_>) {
    let Some(method) = message.method else {
        let word = if message.kind == Kind::Invalid { "(invalid)" } else { "?" };
        row.say(Ink::Doubt, word);
        return;
    };
    guess(row, message.basis.method);
    // An answer repeats its request's method, a shade lighter: the eye finds where things begin.
    row.put(signs, if message.kind == Kind::Response { Ink::Plain } else { Ink::Strong }, method);
    if let Some(target) = message.target {
        row.say(Ink::Plain, " ");
        row.put(signs, Ink::Target, target);
    }
}

fn primitive(row: &mut Row, signs: &Signs, feature: Feature) {
    match feature.primitive() {
        Some(primitive) => row.say(Ink::Plain, primitive.as_str()),
        None => row.fill(signs.dot),
    }
}

fn phase(row: &mut Row, phase: Option<Phase>, basis: Option<Certainty>) {
    match phase {
        Some(phase) => row.say(Ink::Dim, phase.as_str()),
        None => row.say(Ink::Doubt, "?"),
    }
    guess(row, basis);
}

/// The capabilities, the ones that are missing first, each behind its sign: declared, not declared, or not in the
/// capture. Without room the side goes, which the method tells.
fn needs(row: &mut Row, style: &Style, needs: &[Needs]) {
    let signs = &style.signs;
    if needs.is_empty() {
        if style.choice.has(Column::Primitive) {
            row.fill(signs.dot);
        }
        return;
    }
    for declared in [Some(false), None, Some(true)] {
        for need in needs.iter().filter(|need| need.declared == declared) {
            if needs.len() > 1 && implied(need, needs) {
                continue;
            }
            let (ink, sign) = match need.declared {
                Some(true) => (Ink::Good, signs.declared),
                Some(false) => (Ink::Wrong, signs.undeclared),
                None => (Ink::Doubt, "?"),
            };
            if row.begun() {
                row.say(Ink::Plain, " ");
            }
            row.say_all(ink, &[sign, " "], 2);
            let ink = if declared == Some(true) { Ink::Plain } else { ink };
            let side = if style.size == Size::Narrow { "" } else { need.side.as_str() };
            match need.path {
                [name] if side.is_empty() => row.say(ink, name),
                [name] => row.say_all(ink, &[side, ".", name], side.len() + 1 + name.len()),
                path => {
                    for (at, name) in [side].iter().filter(|side| !side.is_empty()).chain(path).enumerate() {
                        let dot = if at > 0 { "." } else { "" };
                        row.say_all(ink, &[dot, name], dot.len() + name.len());
                    }
                }
            }
        }
    }
}

/// Whether another need of the same standing says it as well: what is declared below a capability says that this is
/// declared, what is missing above it says that this is missing.
fn implied(need: &Needs, needs: &[Needs]) -> bool {
    needs.iter().any(|other| {
        let (inner, outer) = if need.declared == Some(false) { (need, other) } else { (other, need) };
        other.declared == need.declared
            && other.side == need.side
            && inner.path.len() > outer.path.len()
            && inner.path.starts_with(outer.path)
    })
}

/// Begins another part of the cell.
pub(super) fn part(row: &mut Row, signs: &Signs) {
    if row.begun() {
        row.say_all(Ink::Dim, &[" ", signs.dot, " "], 3);
    }
}

/// What it answers and how that ended, what it belongs to, and what is odd.
fn outcome(row: &mut Row, style: &Style, message: &Annotated<'_>) {
    let signs = &style.signs;
    if message.kind == Kind::Response {
        status(row, signs, message);
    }
    for (of, words) in [
        (message.relates_to, "for"),
        (message.caused_by, "during"),
        (message.continues, "continues"),
        (message.answered_by, "answered above by"),
    ] {
        let Some(of) = of else { continue };
        part(row, signs);
        if words == "for" {
            row.say_fmt(Ink::Dim, format_args!("#{of}"));
        } else {
            row.say_fmt(Ink::Dim, format_args!("{words} #{of}"));
        }
    }
    if let Some(place) = message.batch {
        part(row, signs);
        row.say_fmt(Ink::Dim, format_args!("batch {}/{}", place.index + 1, place.size));
    }
    // That it was batched is said by its place.
    let said = |flag: Flag| flag == Flag::Batched && message.batch.is_some();
    flags(row, signs, message.flags.iter().filter(|flag| !said(*flag)));
}

fn status(row: &mut Row, signs: &Signs, message: &Annotated<'_>) {
    guess(row, message.basis.answers);
    match message.answers {
        Some(n) => row.say_fmt(Ink::Dim, format_args!("#{n} ")),
        None => row.say(Ink::Doubt, "#? "),
    }
    match message.status {
        Some(Status::Ok) => row.say(Ink::Good, "ok"),
        Some(Status::ToolError) => row.say(Ink::Wrong, "tool error"),
        Some(Status::Error) => row.say(Ink::Wrong, "error"),
        Some(Status::InputRequired) => row.say(Ink::Doubt, "input required"),
        None => row.say(Ink::Doubt, "?"),
    }
    let error = message.error.as_ref();
    if let Some(code) = error.and_then(|error| error.code) {
        row.say_fmt(Ink::Wrong, format_args!(" {code}"));
    }
    if let Some((latency, _)) = message.latency {
        part(row, signs);
        row.say_fmt(Ink::Plain, format_args!("{}", Elapsed(latency)));
    }
    if message.late {
        part(row, signs);
        row.say(Ink::Doubt, "late");
    }
    if message.cancelled {
        part(row, signs);
        row.say(Ink::Doubt, "after cancel");
    }
    if let Some(error) = error.filter(|error| !error.message.is_empty()) {
        part(row, signs);
        row.put(signs, Ink::Wrong, &error.message);
    }
}

/// The flags by name; those that only say how the text was kept are dim.
fn flags(row: &mut Row, signs: &Signs, flags: impl Iterator<Item = Flag>) {
    for flag in flags {
        let ink = match flag {
            Flag::Elided | Flag::Replayed | Flag::ExtraMember | Flag::Redacted => Ink::Dim,
            Flag::BadUtf8 | Flag::VersionMissing | Flag::ReusedId | Flag::Batched | Flag::SwappedLabel => Ink::Doubt,
            Flag::Truncated
            | Flag::DuplicateMember
            | Flag::Oversized
            | Flag::VersionWrong
            | Flag::MixedMembers
            | Flag::DuplicateAnswer
            | Flag::Orphan
            | Flag::WrongForm
            | Flag::WrongRevision => Ink::Wrong,
        };
        part(row, signs);
        row.say(ink, flag.as_str());
    }
}
