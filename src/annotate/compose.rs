//! Puts together what the reader, the message itself and the session say: one [`Annotated`] a message.

use std::borrow::Cow;

use super::{Annotated, ErrorInfo, LatencyBasis};
use crate::jsonrpc::{Id, Parsed, Reason};
use crate::position::Position;
use crate::session::{Kind, Message, Outcome, Tracker, Verdict};
use crate::transcript::{Flag, Flags, Http};

/// What a message is called and where it stands.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// Index of the input.
    pub input: u32,
    /// The input as the user named it.
    pub file: &'a str,
    /// Where the message stands.
    pub position: Position,
    /// Pointer inside a document or batch; empty when there is none.
    pub pointer: Cow<'a, str>,
    /// What the reader noticed.
    pub flags: Flags,
    /// The text as read.
    pub text: &'a str,
    /// The HTTP exchange that carried it.
    pub http: Option<&'a Http>,
}

/// The flags that a message earns by itself.
pub fn flags_of(parsed: &Parsed<'_>) -> Flags {
    let defects = parsed.defects;
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
        .with_if(is_elided(parsed), Flag::Elided)
}

/// Whether the text stops being JSON where a log has left something out: `...`, `…`, `[Object]`, `[Array]`.
fn is_elided(parsed: &Parsed<'_>) -> bool {
    let Err(malformed) = &parsed.envelope else { return false };
    let Reason::NotJson { at, .. } = &malformed.reason else { return false };
    let rest = parsed.text.get(*at..).unwrap_or_default();
    rest.starts_with("...")
        || rest.starts_with('\u{2026}')
        || (parsed.text[..*at].ends_with('[') && (rest.starts_with("Object") || rest.starts_with("Array")))
}

/// Composes the record of a message.
pub fn compose<'a>(
    place: Place<'a>,
    message: &Message<'a>,
    verdict: &'a Verdict,
    tracker: &'a Tracker,
    parsed: Option<&'a Parsed<'a>>,
) -> Annotated<'a> {
    let facts = message.facts;
    let session = tracker.session(verdict);
    let method = match facts.kind {
        Kind::Response => tracker.request_method(verdict).or(verdict.method()),
        _ => facts.method,
    };
    let error = match (facts.error, facts.error_code) {
        (Some(error), _) => Some(ErrorInfo { code: error.code, message: error.message.clone() }),
        (None, Some(code)) => Some(ErrorInfo { code: Some(code), message: Cow::Borrowed("") }),
        (None, None) => None,
    };
    Annotated {
        input: place.input,
        file: place.file,
        n: message.n,
        position: place.position,
        pointer: place.pointer,
        session: u64::from(verdict.session),
        server: session.server_name(),
        time: message.time,
        session_start: session.times().map(|(start, _)| start),
        direction: verdict.direction,
        kind: facts.kind,
        outcome: facts.outcome,
        id: facts.id.map(Id::from_raw),
        id_state: facts.id_state,
        method,
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
        error: error.filter(|_| facts.kind != Kind::Response || facts.outcome == Some(Outcome::Error)),
        latency: message
            .time
            .and_then(|time| verdict.since_request(time.at))
            .map(|elapsed| (elapsed, LatencyBasis::Times)),
        batch: message.batch,
        flags: place.flags.union(verdict.flags),
        basis: verdict.basis,
        parsed,
        text: place.text,
        http: place.http,
    }
}
