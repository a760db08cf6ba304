//! The records of the program as the records of the contract. Borrows everything.

use std::borrow::Cow;

use super::scalar::Scalar;
use super::v1::{
    V1Basis, V1Batch, V1Cap, V1Effect, V1Embedded, V1Error, V1Event, V1Filtered, V1Finding, V1Findings, V1Held,
    V1Input, V1Message, V1MethodCount, V1Need, V1Peer, V1Place, V1Request, V1Session, V1Summary, V1Tool, V1Trace,
    V1Unanswered, V1View, VERSION,
};
use crate::annotate::{
    Annotated, Effect, Embedded, Event, Finding, IdState, InputEnd, Needs, Peer, Related, SessionEnd, Summary, Trace,
    View,
};
use crate::transcript::Wrapping;

impl<'a> From<&'a Trace> for V1Trace<'a> {
    fn from(trace: &'a Trace) -> Self {
        Self {
            record: "trace",
            version: VERSION,
            tool: V1Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
            command: trace.command,
            filter: trace.filter.as_deref(),
            inputs: &trace.inputs,
        }
    }
}

impl<'a> From<&'a Annotated<'a>> for V1Message<'a> {
    fn from(message: &'a Annotated<'a>) -> Self {
        let id_raw = match message.id_state {
            IdState::Present | IdState::Null => message.id.as_ref().map(|id| id.raw()),
            IdState::Absent | IdState::Unrecorded => None,
        };
        let basis = message.basis;
        Self {
            record: Self::WORD,
            input: message.input,
            file: message.file,
            n: Some(message.n),
            line: Some(message.position.line),
            end_line: Some(message.position.end_line),
            offset: Some(message.position.offset),
            length: Some(message.position.length),
            entry: message.position.entry,
            pointer: some(message.pointer),
            session: message.session,
            server: message.server,
            time: message.time,
            time_basis: message.time.map(|stamp| stamp.basis.into()),
            direction: message.direction.map(Into::into),
            kind: message.kind.into(),
            outcome: message.outcome.map(Into::into),
            id: id_raw.and_then(Scalar::new),
            id_raw,
            id_state: message.id_state.into(),
            method: message.method,
            target: message.target,
            primitive: message.feature.primitive().map(Into::into),
            feature: message.feature.as_str(),
            phase: message.phase.map(Into::into),
            revision: message.revision,
            requires: message.requires,
            answers: message.answers,
            answered_by: message.answered_by,
            relates_to: message.relates_to,
            caused_by: message.caused_by,
            continues: message.continues,
            status: message.status.map(|status| status.as_str()),
            late: message.late,
            cancelled: message.cancelled,
            error: message
                .error
                .as_ref()
                .map(|error| V1Error { code: error.code, message: Cow::Borrowed(&*error.message) }),
            latency_ms: message.latency.map(|(latency, _)| latency.as_micros() as f64 / 1000.0),
            latency_basis: message.latency.map(|(_, basis)| basis.into()),
            batch: message.batch.map(|place| V1Batch { index: place.index, size: place.size }),
            flags: message.flags.into(),
            basis: V1Basis {
                direction: basis.direction.map(Into::into),
                session: basis.session.map(Into::into),
                method: basis.method.map(Into::into),
                answers: basis.answers.map(Into::into),
                phase: basis.phase.map(Into::into),
            },
            payload: (),
        }
    }
}

impl<'a> From<&'a Embedded<'a>> for V1Embedded<'a> {
    fn from(embedded: &'a Embedded<'a>) -> Self {
        Self {
            record: Self::WORD,
            input: embedded.input,
            file: embedded.file,
            n: None,
            line: Some(embedded.position.line),
            end_line: Some(embedded.position.end_line),
            offset: Some(embedded.position.offset),
            length: Some(embedded.position.length),
            entry: embedded.position.entry,
            pointer: some(&embedded.pointer),
            of: embedded.of,
            key: &embedded.key,
            session: embedded.session,
            direction: embedded.direction.map(Into::into),
            kind: embedded.kind.into(),
            method: embedded.method.as_deref(),
            target: embedded.target.as_deref(),
            primitive: embedded.feature.primitive().map(Into::into),
            feature: embedded.feature.as_str(),
            requires: &embedded.requires,
        }
    }
}

impl<'a> From<&'a View<'a>> for V1View<'a> {
    fn from(view: &'a View<'a>) -> Self {
        Self {
            record: Self::WORD,
            input: view.input,
            file: view.file,
            n: None,
            line: Some(view.position.line),
            end_line: Some(view.position.end_line),
            offset: Some(view.position.offset),
            length: Some(view.position.length),
            entry: view.position.entry,
            pointer: None,
            of: view.of,
            session: view.session,
            rendering: view.rendering,
        }
    }
}

impl<'a> From<&'a Event<'a>> for V1Event<'a> {
    fn from(event: &'a Event<'a>) -> Self {
        Self {
            record: Self::WORD,
            input: event.input,
            file: event.file,
            n: None,
            line: Some(event.position.line),
            end_line: Some(event.position.end_line),
            offset: Some(event.position.offset),
            length: Some(event.position.length),
            entry: event.position.entry,
            pointer: None,
            session: (event.session > 0).then_some(event.session),
            time: event.time,
            time_basis: event.time.map(|stamp| stamp.basis.into()),
            event: event.kind.as_str(),
            text: event.text,
            phase: event.phase.map(Into::into),
            flags: event.flags.into(),
        }
    }
}

impl<'a> From<&'a Finding<'a>> for V1Finding<'a> {
    fn from(finding: &'a Finding<'a>) -> Self {
        let place = |related: &'a Related| V1Place {
            input: finding.input,
            file: finding.file,
            n: related.n,
            line: Some(related.position.line),
            end_line: Some(related.position.end_line),
            offset: Some(related.position.offset),
            length: Some(related.position.length),
            entry: related.position.entry,
            pointer: None,
        };
        Self {
            record: Self::WORD,
            input: finding.input,
            file: finding.file,
            n: finding.n,
            line: Some(finding.position.line),
            end_line: Some(finding.position.end_line),
            offset: Some(finding.position.offset),
            length: Some(finding.position.length),
            entry: finding.position.entry,
            pointer: some(finding.pointer),
            rule: finding.rule,
            severity: finding.severity.into(),
            message: finding.message,
            session: finding.session,
            related: finding.related.iter().map(place).collect(),
            help: finding.help,
            spec: some(finding.spec),
            fingerprint: finding.fingerprint(),
        }
    }
}

impl<'a> From<&'a SessionEnd> for V1Session<'a> {
    fn from(session: &'a SessionEnd) -> Self {
        let counts = session.counts;
        Self {
            record: Self::WORD,
            input: session.input,
            file: &session.file,
            n: None,
            line: None,
            end_line: None,
            offset: None,
            length: None,
            entry: None,
            pointer: None,
            session: session.session,
            server: session.server.as_ref().map(Into::into),
            client: session.client.as_ref().map(Into::into),
            transport: session.transport,
            era: session.era.map(Into::into),
            probed: session.probed,
            revision: session.revision.as_deref(),
            requested_revision: session.requested_revision.as_deref(),
            client_capabilities: session.client_capabilities.as_deref(),
            server_capabilities: session.server_capabilities.as_deref(),
            messages: counts.messages,
            requests: counts.requests,
            responses: counts.responses,
            error_responses: counts.error_responses,
            tool_errors: counts.tool_errors,
            notifications: counts.notifications,
            invalid: counts.invalid,
            unanswered: V1Unanswered {
                count: session.unanswered.count,
                first: session.unanswered.first.iter().map(|(n, method)| V1Request { n: *n, method }).collect(),
            },
            first_time: session.times.map(|(first, _)| first),
            last_time: session.times.map(|(_, last)| last),
            ended: session.ended,
            swapped_labels: session.swapped_labels,
        }
    }
}

impl<'a> From<&'a InputEnd> for V1Input<'a> {
    fn from(input: &'a InputEnd) -> Self {
        let classes = input.classes;
        Self {
            record: Self::WORD,
            input: input.input,
            file: &input.file,
            n: None,
            line: None,
            end_line: None,
            offset: None,
            length: None,
            entry: None,
            pointer: None,
            format: input.detected.map(|detected| detected.format.name),
            confidence: input.detected.map(|detected| detected.confidence.into()),
            reason: input.detected.map(|detected| detected.reason()),
            wrappings: input.wrappings.iter().map(Wrapping::as_str).collect(),
            bytes: input.bytes,
            lines: input.lines,
            message_lines: classes.message,
            frame_lines: classes.frame,
            event_lines: classes.event,
            noise_lines: classes.noise,
            blank_lines: classes.blank,
            messages: input.messages,
            status: input.status.into(),
            error: input.error.as_deref(),
        }
    }
}

fn effect(effect: &Effect) -> V1Effect<'_> {
    V1Effect {
        change: &effect.change,
        allows: effect.allows,
        requests: effect.requests,
        notifications: effect.notifications,
        methods: effect.methods.iter().map(|&(method, count)| V1MethodCount { method, count }).collect(),
        features: effect.features.iter().map(String::as_str).collect(),
    }
}

impl<'a> From<&'a Summary> for V1Summary<'a> {
    fn from(summary: &'a Summary) -> Self {
        let counts = summary.counts;
        Self {
            record: "summary",
            filtered: summary.filtered.as_ref().map(|filtered| V1Filtered {
                read: filtered.read,
                untimed: filtered.untimed,
                undecided: filtered.undecided,
            }),
            messages: counts.messages,
            requests: counts.requests,
            responses: counts.responses,
            error_responses: counts.error_responses,
            tool_errors: counts.tool_errors,
            notifications: counts.notifications,
            invalid: counts.invalid,
            embedded: summary.embedded,
            views: summary.views,
            noise: summary.noise,
            events: summary.events,
            sessions: summary.sessions,
            lifecycle: summary.lifecycle,
            operation: summary.operation,
            unphased: summary.unphased,
            lifecycle_ratio: summary.lifecycle_ratio().map(|ratio| (ratio * 1e6).round() / 1e6),
            undeclared: summary.undeclared,
            unanswered: summary.unanswered,
            findings: summary.findings.map(|findings| V1Findings {
                error: findings.error,
                warning: findings.warning,
                note: findings.note,
            }),
            what_if: summary.what_if.as_ref().map(|effects| effects.iter().map(effect).collect()),
            held: summary.held.map(|held| V1Held {
                suppressed: held.suppressed,
                baseline: held.baseline,
                filtered: held.filtered,
                hidden: held.hidden,
            }),
            caps_reached: summary.caps_reached.iter().map(|&(table, lost)| V1Cap { table, lost }).collect(),
            complete: summary.complete,
            interrupted: summary.interrupted,
            exit_code: summary.exit_code,
        }
    }
}

impl<'a> From<&'a Peer> for V1Peer<'a> {
    fn from(peer: &'a Peer) -> Self {
        Self { name: &peer.name, version: peer.version.as_deref() }
    }
}

impl From<&Needs> for V1Need {
    fn from(need: &Needs) -> Self {
        Self { side: need.side.into(), path: need.path, declared: need.declared }
    }
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
