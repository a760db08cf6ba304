//! Puts together what the reader, the message itself and the session say: one [`Annotated`] a message, or as much of
//! it as is asked for.

use std::borrow::Cow;

use super::{Annotated, Brief, ErrorInfo, LatencyBasis};
use crate::jsonrpc::{Defects, Id, Parsed};
use crate::session::{Facts, Kind, Message, Outcome, Tracker, Verdict};
use crate::transcript::{Flag, Flags};

/// What a message does not say itself.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Index of the input.
    pub input: u32,
    /// The input as the user named it.
    pub file: &'a str,
    /// The text as read.
    pub text: &'a str,
}

/// An answer that a resumed stream delivers again is the same answer, and no second one.
fn told(flags: Flags) -> Flags {
    if flags.has(Flag::Replayed) { flags.without(Flag::DuplicateAnswer) } else { flags }
}

/// The flags that a message earns by itself.
fn flags_of(parsed: &Parsed<'_>) -> Flags {
    let defects = parsed.defects;
    if parsed.envelope.is_ok() && defects == Defects::default() {
        return Flags::NONE;
    }
    let mixed = parsed.envelope.as_ref().is_err_and(|malformed| {
        let members = [malformed.method.is_some(), malformed.result.is_some(), malformed.error.is_some()];
        members.into_iter().filter(|present| *present).count() > 1
    });
    let readable = !matches!(&parsed.envelope, Err(malformed) if malformed.is_not_json());
    let cut = matches!(&parsed.envelope, Err(malformed) if malformed.is_truncated());
    Flags::NONE
        .with_if(defects.duplicate_member, Flag::DuplicateMember)
        .with_if(defects.version_missing && readable, Flag::VersionMissing)
        .with_if(defects.version_wrong, Flag::VersionWrong)
        .with_if(defects.extra_member, Flag::ExtraMember)
        .with_if(mixed, Flag::MixedMembers)
        .with_if(cut, Flag::Truncated)
        .with_if(parsed.is_elided(), Flag::Elided)
}

/// Whether a message may tell of an error.
#[inline(always)]
fn has_error(facts: &Facts<'_>) -> bool {
    facts.kind != Kind::Response || facts.outcome == Some(Outcome::Error)
}

/// The error that a message tells of.
#[inline(always)]
fn error_of<'a>(facts: &Facts<'a>) -> Option<ErrorInfo<'a>> {
    match (facts.error, facts.error_code) {
        (None, None) => None,
        (Some(error), _) => Some(ErrorInfo { code: error.code, message: error.message.clone() }),
        (None, Some(code)) => Some(ErrorInfo { code: Some(code), message: Cow::Borrowed("") }),
    }
}

/// A message about which everything is decided, before its record is put together.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// What it does not say itself.
    pub place: Place<'a>,
    /// What it says itself.
    pub message: &'a Message<'a>,
    /// What was decided.
    pub verdict: &'a Verdict,
    /// Who decided.
    pub tracker: &'a Tracker,
    /// The message as read; `None` when the log has only an outline.
    pub parsed: Option<&'a Parsed<'a>>,
}

impl<'a> Told<'a> {
    #[inline(always)]
    fn method(&self) -> Option<&'a str> {
        match self.message.facts.kind {
            Kind::Response => self.tracker.request_method(self.verdict).or(self.verdict.method()),
            _ => self.message.facts.method,
        }
    }

    /// As much as totals need.
    #[inline(always)]
    pub fn brief(&self) -> Brief<'a> {
        let facts = self.message.facts;
        Brief {
            input: self.place.input,
            n: self.message.n,
            kind: facts.kind,
            outcome: facts.outcome,
            status: self.verdict.status,
            phase: self.verdict.phase,
            requires: self.tracker.needs(),
            method: self.method(),
            code: facts.error_code.filter(|_| has_error(facts)),
        }
    }

    /// The record.
    #[inline(always)]
    pub fn annotated(&self) -> Annotated<'a> {
        let Self { place, message, verdict, tracker, parsed } = *self;
        let (facts, frame) = (message.facts, message.frame);
        let own = parsed.map_or(Flags::NONE, flags_of).with_if(facts.outline, Flag::Elided);
        let session = tracker.session(verdict);
        Annotated {
            input: place.input,
            file: place.file,
            n: message.n,
            position: frame.position,
            pointer: frame.pointer.unwrap_or_default(),
            session: u64::from(verdict.session),
            server: session.server_name(),
            time: frame.time,
            session_start: session.times().map(|(start, _)| start),
            direction: verdict.direction,
            kind: facts.kind,
            outcome: facts.outcome,
            id: facts.id.map(Id::from_raw),
            id_state: facts.id_state,
            method: self.method(),
            target: facts.target.as_deref().or_else(|| tracker.request_target(verdict)).or_else(|| verdict.target()),
            feature: verdict.feature,
            phase: verdict.phase,
            revision: tracker.revision(verdict),
            requires: tracker.needs(),
            answers: verdict.answers,
            answered_by: verdict.answered_by,
            relates_to: verdict.relates_to,
            caused_by: verdict.caused_by,
            continues: verdict.continues,
            status: verdict.status,
            late: verdict.cancelled,
            cancelled: verdict.cancelled,
            error: if has_error(facts) { error_of(facts) } else { None },
            latency: frame
                .time
                .and_then(|time| verdict.since_request(time.at))
                .map(|elapsed| (elapsed, LatencyBasis::Times)),
            batch: message.batch,
            flags: told(frame.flags.union(own).union(verdict.flags)),
            basis: verdict.basis,
            parsed,
            text: place.text,
            http: frame.http,
            frame,
        }
    }
}
