//! How sessions and the input end: their records, and what to say when nothing was found.

use std::io;

use super::input::{InputRun, hand_on};
use crate::annotate::{InputEnd, InputStatus, Record, SessionEnd, Unanswered};
use crate::protocol::Side;
use crate::session::{CapabilitySet, Ended};
use crate::transcript::Transcript;

impl InputRun<'_, '_> {
    #[inline(always)]
    pub(super) fn sessions_ended(&mut self) -> io::Result<()> {
        if self.tracker.has_ended() { self.end_sessions() } else { Ok(()) }
    }

    #[cold]
    fn end_sessions(&mut self) -> io::Result<()> {
        for Ended { mut session, why, unanswered, first } in self.tracker.take_ended() {
            let mut paths = |side| session.take_capabilities(side).map(CapabilitySet::into_paths);
            let (client_capabilities, server_capabilities) = (paths(Side::Client), paths(Side::Server));
            let end = SessionEnd {
                input: self.index,
                file: self.name.to_owned(),
                session: u64::from(session.number),
                server: session.server().cloned(),
                client: session.client().cloned(),
                transport: None,
                era: session.era(),
                probed: session.probed(),
                revision: session.revision().map(str::to_owned),
                requested_revision: session.requested_revision().map(str::to_owned),
                client_capabilities,
                server_capabilities,
                counts: session.counts(),
                unanswered: Unanswered { count: unanswered, first },
                times: session.times(),
                ended: why,
                swapped_labels: session.swapped_labels(),
            };
            let wanted = self.selection.as_mut().is_none_or(|selection| selection.session_end(end.session));
            if wanted {
                self.totals.session(&end);
            }
            hand_on(self.sink, &Record::SessionEnd(&end), wanted)?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self, transcript: &Transcript, failure: Option<String>) -> io::Result<InputEnd> {
        let (bytes, lines) = transcript.consumed();
        self.tracker.finish();
        self.sessions_ended()?;
        self.totals.caps(self.tracker.caps_reached());
        let (status, error) = match (failure, transcript.problem().or_else(|| self.too_long())) {
            (Some(error), _) if self.n == 0 => (InputStatus::Unreadable, Some(error)),
            (Some(error), _) | (None, Some(error)) => (InputStatus::Partial, Some(error)),
            (None, None) if transcript.interrupted() => {
                (InputStatus::Partial, Some("stopped before its end".to_owned()))
            }
            (None, None) if !self.is_mcp => {
                (InputStatus::Unrecognised, Some(self.nothing_found(bytes, lines, transcript)))
            }
            (None, None) => (InputStatus::Ok, None),
        };
        Ok(InputEnd {
            input: self.index,
            file: self.name.to_owned(),
            detected: transcript.detected().filter(|_| self.n > 0 || self.classes.event > 0),
            wrappings: transcript.wrappings(),
            bytes,
            lines,
            classes: self.classes,
            messages: self.n,
            status,
            error,
        })
    }

    /// What of the input was passed over for its length.
    fn too_long(&self) -> Option<String> {
        let (count, first) = self.oversized;
        let plural = if count == 1 { "line that is" } else { "lines that are" };
        (count > 0).then(|| {
            format!(
                "expected lines within `--max-line`, found {count} {plural} longer, the first line {first}: raise it"
            )
        })
    }

    /// Why an input with no message in it is no success: what was expected, what was found, what to do.
    fn nothing_found(&self, bytes: u64, lines: u64, transcript: &Transcript) -> String {
        let wanted = "expected JSON-RPC messages, one a line, or a log that holds them";
        let help = "`mcp-trace formats` lists what is read";
        match (transcript.hint(), self.n) {
            (Some(hint), _) => format!("{wanted}, found {hint}"),
            _ if bytes == 0 => format!("{wanted}, found an empty input: check what wrote it"),
            (None, 0) if transcript.advice().is_some() || self.classes.event > 0 => self.silent(lines, transcript),
            (None, 0) => format!("{wanted}, found none from line 1 to line {lines}: {help}"),
            (None, n) => {
                format!("{wanted}, found {n} JSON values from line 1 to line {lines} of which none is one: {help}")
            }
        }
    }

    /// What to say of the log of a program that recorded events only: which, what went wrong, how to get more.
    fn silent(&self, lines: u64, transcript: &Transcript) -> String {
        let title = transcript.detected().map_or("a log", |detected| detected.format.title);
        let plural = if lines == 1 { "line" } else { "lines" };
        let failure = self.failure.as_ref().map_or_else(String::new, |(failure, line, text)| {
            format!("; line {line} says that {}: `{text}`", failure.as_str())
        });
        let advice = transcript.advice().map_or_else(String::new, |advice| format!("; for messages: {advice}"));
        format!("expected JSON-RPC messages, found events only in {lines} {plural} ({title}){failure}{advice}")
    }
}
