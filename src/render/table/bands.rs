//! Lines between the rows: where an input, a session or a phase begins, what was agreed, how a session ended.

mod told;

use super::signs::Signs;
use crate::annotate::{Annotated, Certainty, Event, Kind, Trace};
use crate::protocol::{Era, Phase, Revision};
use crate::render::escape;
use crate::render::palette::{Ink, Palette};
use crate::transcript::{Stamp, TimeBasis};

/// Sessions that are remembered by the phase that was last shown; one that is seen again later begins anew.
const SESSIONS: usize = 64;
/// What a session without a handshake is.
const STATELESS: &str = "stateless: every request carries its version and capabilities";
/// Columns by which a band is indented.
const INDENT: usize = 6;

/// Knows what was last said of which session.
#[derive(Debug)]
pub(super) struct Bands {
    width: usize,
    signs: Signs,
    palette: Palette,
    /// With absolute times: the zone, and the day that was last shown.
    zone: Option<jiff::tz::TimeZone>,
    day: Option<jiff::civil::Date>,
    several_inputs: bool,
    input: Option<u32>,
    current: Option<(u32, u64)>,
    mixed: bool,
    column: bool,
    shown: Vec<Shown>,
}

#[derive(Debug)]
struct Shown {
    session: (u32, u64),
    phase: Option<Phase>,
    /// What was said of how it began.
    era: Option<Era>,
    /// From when its times count: from the start of the first session that was open when it began.
    clock: Option<Stamp>,
    ended: bool,
}

impl Bands {
    pub(super) fn new(width: usize, signs: Signs, palette: Palette, zone: Option<jiff::tz::TimeZone>) -> Self {
        Self {
            width,
            signs,
            palette,
            zone,
            day: None,
            several_inputs: false,
            input: None,
            current: None,
            mixed: false,
            column: false,
            shown: Vec::new(),
        }
    }

    pub(super) fn trace(&mut self, trace: &Trace) {
        self.several_inputs = trace.inputs.len() > 1;
    }

    /// Whether rows of several sessions have alternated.
    pub(super) fn mixed(&self) -> bool {
        self.mixed
    }

    /// Whether the rows themselves tell their session from now on.
    pub(super) fn session_column(&mut self, shown: bool) {
        self.column = shown;
    }

    pub(super) fn has_session_column(&self) -> bool {
        self.column
    }

    /// What has to be said before a message; true when that is no more than that rows of another session follow.
    pub(super) fn before_message(&mut self, message: &Annotated<'_>, out: &mut String) -> bool {
        self.file(message.input, message.file, out);
        let session = (message.input, message.session);
        let known = self.shown.iter().position(|shown| shown.session == session);
        let at = known.unwrap_or_else(|| {
            if self.shown.len() == SESSIONS {
                self.shown.remove(0);
            }
            let clock = self.open_clock(message);
            self.shown.push(Shown { session, phase: None, era: None, clock, ended: false });
            self.shown.len() - 1
        });
        let shown = &mut self.shown[at];
        shown.clock = shown.clock.or(message.session_start);
        let handshake = message.kind == Kind::Request && message.method == Some("initialize");
        if known.is_none() || (handshake && shown.era == Some(Era::Stateless)) {
            shown.era = if handshake { Some(Era::Handshake) } else { era(message) };
            self.session(message, known.is_none(), out);
        }
        let again = known.is_some() && self.current.is_some_and(|current| current != session);
        self.mixed |= again;
        self.current = Some(session);
        if message.phase.is_some() && message.phase != self.shown[at].phase {
            self.shown[at].phase = message.phase;
            let guessed = message.basis.phase == Some(Certainty::Guessed);
            let name = again || self.several_open(message.input);
            self.rule(name.then_some(message.session), message.phase, guessed, out);
        } else if again && !self.column {
            self.rule(Some(message.session), message.phase, false, out);
            return !self.day(message, out);
        }
        self.day(message, out);
        false
    }

    /// From when the times of a session count.
    pub(super) fn clock(&self, input: u32, session: u64) -> Option<Stamp> {
        let shown = self.shown.iter().rev().find(|shown| shown.session == (input, session))?;
        shown.clock
    }

    /// The clock of the sessions that are open beside a new one, so that times of interleaved rows can be compared.
    fn open_clock(&self, message: &Annotated<'_>) -> Option<Stamp> {
        let elapsed = |stamp: Stamp| stamp.basis == TimeBasis::Elapsed;
        let open = self.shown.iter().filter(|shown| shown.session.0 == message.input && !shown.ended);
        let clock = open.filter_map(|shown| shown.clock).next()?;
        message.session_start.is_none_or(|start| elapsed(start) == elapsed(clock)).then_some(clock)
    }

    fn several_open(&self, input: u32) -> bool {
        self.shown.iter().filter(|shown| shown.session.0 == input && !shown.ended).nth(1).is_some()
    }

    /// An event shows a phase only when it ends the session.
    pub(super) fn before_event(&mut self, event: &Event<'_>, out: &mut String) {
        self.file(event.input, event.file, out);
        let session = (event.input, event.session);
        let Some(at) = self.shown.iter().position(|shown| shown.session == session) else { return };
        if event.phase == Some(Phase::Shutdown) && self.shown[at].phase != Some(Phase::Shutdown) {
            self.shown[at].phase = event.phase;
            let again = self.current != Some(session) || self.several_open(event.input);
            self.current = Some(session);
            self.rule(again.then_some(event.session), event.phase, false, out);
        }
    }

    fn file(&mut self, input: u32, file: &str, out: &mut String) {
        if self.several_inputs && self.input != Some(input) {
            if self.input.is_some() {
                out.push('\n');
            }
            self.input = Some(input);
            self.current = None;
            let text = self.safe(file);
            self.line(out, 0, &[(Ink::Strong, &text)]);
        }
    }

    /// A session begins, or turns out to have begun with a probe.
    fn session(&self, message: &Annotated<'_>, first: bool, out: &mut String) {
        let mut text = String::new();
        if let Some(server) = message.server {
            self.dot(&mut text);
            text.push_str(&self.safe(server));
        }
        let middle = message.basis.phase == Some(Certainty::Guessed);
        let begins = match era(message) {
            _ if !first => "handshake after the probe by server/discover",
            Some(Era::Handshake) if middle => "handshake, not in this capture",
            Some(Era::Handshake) => "handshake",
            // An older server will refuse it, and the client then begins anew.
            Some(Era::Stateless) if message.method == Some("server/discover") => "probe by server/discover",
            Some(Era::Stateless) => STATELESS,
            None if middle => "the capture may begin in its middle",
            None => "",
        };
        if !begins.is_empty() {
            self.dot(&mut text);
            text.push_str(begins);
        }
        self.line(out, 0, &[(Ink::Strong, &format!("session {}", message.session)), (Ink::Dim, &text)]);
    }

    fn rule(&self, session: Option<u64>, phase: Option<Phase>, guessed: bool, out: &mut String) {
        let mut text = String::new();
        if let Some(session) = session {
            text = format!("session {session}");
        }
        if let Some(phase) = phase {
            if !text.is_empty() {
                self.dot(&mut text);
            }
            text.push_str(phase.as_str());
            if guessed {
                text.push_str(" ~ guessed");
            }
        }
        let sign = self.signs.rule;
        let tail = sign.repeat(self.width.saturating_sub(text.len() + 3));
        self.line(
            out,
            0,
            &[(Ink::Dim, sign), (Ink::Plain, " "), (Ink::Rule, &text), (Ink::Plain, " "), (Ink::Dim, &tail)],
        );
    }

    fn day(&mut self, message: &Annotated<'_>, out: &mut String) -> bool {
        let (Some(zone), Some(time)) = (&self.zone, message.time) else { return false };
        let day = zone.to_datetime(time.at).date();
        if self.day == Some(day) || time.basis == TimeBasis::Elapsed {
            return false;
        }
        self.day = Some(day);
        let offset = || zone.to_fixed_offset().map_or("local time".to_owned(), |offset| offset.to_string());
        let text = format!("{day} {}", zone.iana_name().map_or_else(offset, str::to_owned));
        self.line(out, INDENT, &[(Ink::Dim, &text)]);
        true
    }

    fn dot(&self, text: &mut String) {
        text.push(' ');
        text.push_str(self.signs.dot);
        text.push(' ');
    }

    fn safe<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        self.signs.safe(text)
    }

    /// One line, cut to the width.
    fn line(&self, out: &mut String, indent: usize, pieces: &[(Ink, &str)]) {
        out.extend(std::iter::repeat_n(' ', indent));
        let mut room = self.width.saturating_sub(indent);
        for (ink, text) in pieces {
            let wide = escape::width(text);
            if wide <= room {
                self.palette.push(out, *ink, text);
                room -= wide;
                continue;
            }
            let sign = escape::fit(self.signs.cut, room).0;
            let (text, _) = escape::fit(text, room - escape::width(sign));
            self.palette.push(out, *ink, text);
            self.palette.push(out, *ink, sign);
            break;
        }
        out.push('\n');
    }
}

/// How a session begins, judged by its first message.
fn era(message: &Annotated<'_>) -> Option<Era> {
    match (message.method, message.revision.and_then(Revision::parse)) {
        (Some("initialize"), _) => Some(Era::Handshake),
        (_, Some(revision)) => Some(revision.era()),
        (_, None) => None,
    }
}
