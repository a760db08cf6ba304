//! Practice, how clients and servers use a session: what they declare and never use, announce and never read, begin again
//! and again.

use std::time::Duration;

use super::book::SERVED;
use super::{ALL, Context, EndContext, Family, Findings, LEGACY, On, Rule, practice, quoted};
use crate::protocol::Side;

pub(super) const FAMILY: Family = Family {
    title: "Practice: habits",
    rules: &[&HANDSHAKE_SLOW, &SESSION_PER_CALL, &CAPABILITY_UNUSED, &LIST_CHANGED_UNHEEDED],
};

/// From here on a handshake is slow: hosts wait some ten to sixty seconds.
const SLOW: Duration = Duration::from_secs(5);

const HANDSHAKE_SLOW: Rule = Rule {
    id: "handshake-slow",
    title: "a server takes long to answer the first request",
    clauses: &[practice(ALL)],
    explanation: "A host shows no tools before the server has answered, and many give up after a while. Servers that are \
                  installed or compiled as they start are slow so. Reported from five seconds on, where the capture has times.",
    help: "install the server beforehand, and load what it needs after the handshake",
    fires: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":2}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":3}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":4}}\nS> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"logging\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}",
    checks: &[On::Result(&["initialize", "server/discover"], handshake_slow)],
};

fn handshake_slow(context: &Context<'_>, findings: &mut Findings) {
    let Some((latency, _)) = context.message.latency.filter(|(latency, _)| *latency >= SLOW) else { return };
    let draft = findings.report(format!("the server took {:.1} s for this answer", latency.as_secs_f64()));
    draft.mark(context.top("id"));
    if let Some(asked) = context.request {
        draft.related(Some(asked.at.0), asked.at.1, "the request");
    }
}

/// Sessions in a row.
const IN_A_ROW: u32 = 3;

const SESSION_PER_CALL: Rule = Rule {
    id: "session-per-call",
    title: "every call has a session of its own",
    clauses: &[practice(LEGACY)],
    explanation: "A handshake before each call costs more time than most calls, and a server loses whatever it keeps for a \
                  session. Reported at the third session in a row with the same client and server that holds one call.",
    help: "keep the session open and send the next call in it",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"sow\"}}\nS> {\"id\":1,\"result\":{\"content\":[]}}\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"sow\"}}\nS> {\"id\":1,\"result\":{\"content\":[]}}\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"sow\"}}\nS> {\"id\":1,\"result\":{\"content\":[]}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"sow\"}}\nS> {\"id\":1,\"result\":{\"content\":[]}}\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"sow\"}}\nS> {\"id\":1,\"result\":{\"content\":[]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"sow\"}}\nS> {\"id\":2,\"result\":{\"content\":[]}}\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"sow\"}}\nS> {\"id\":1,\"result\":{\"content\":[]}}",
    checks: &[On::End(session_per_call)],
};

fn session_per_call(context: &EndContext<'_>, findings: &mut Findings) {
    if context.book.brief.in_a_row(context.session) == IN_A_ROW {
        let at = context.session.lifecycle.initialize.as_ref().map(|initialize| initialize.at);
        let draft = findings.report(format!("the {IN_A_ROW} last sessions with this server held one call each"));
        if let Some((n, position)) = at {
            draft.at(Some(n), position);
        }
    }
}

const CAPABILITY_UNUSED: Rule = Rule {
    id: "capability-unused",
    title: "a capability is declared and never used",
    clauses: &[practice(ALL).off()],
    explanation: "Nobody has to use what is declared, and one session shows little. But a server whose prompts no client reads, \
                  or a client that is never asked for the samples that it offers, says more than the other side needs. \
                  Reported once for each side, at the end of sessions that the capture holds from their beginning.",
    help: "look whether the other side knows of the capability",
    fires: "@init 2025-11-25 {\"roots\":{}} {\"tools\":{},\"prompts\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[]}}",
    silent: "@init 2025-11-25 {} {\"tools\":{},\"logging\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\nS> {\"id\":1,\"result\":{\"tools\":[]}}",
    checks: &[On::End(capability_unused)],
};

fn capability_unused(context: &EndContext<'_>, findings: &mut Findings) {
    let session = context.session;
    if !session.has_beginning() || session.used.is_empty() {
        return;
    }
    for side in [Side::Client, Side::Server] {
        let discovered = session.discovered.as_ref().filter(|_| side == Side::Server);
        let Some(declaration) = session.declared[side.index()].as_ref().or(discovered) else { continue };
        let unused = SERVED.iter().filter(|(of, name)| {
            *of == side && declaration.set.declared(&[name]) == Some(true) && !session.used.has(*of, name)
        });
        let unused: Vec<_> = unused.map(|(_, name)| quoted(name)).collect();
        if !unused.is_empty() {
            let (n, position) = declaration.at;
            let side = side.as_str();
            findings
                .report(format!("the {side} declares {}, and the session makes no use of it", unused.join(", ")))
                .at(Some(n), position);
        }
    }
}

const LIST_CHANGED_UNHEEDED: Rule = Rule {
    id: "list-changed-unheeded",
    title: "a change of a list is announced and nobody reads the list again",
    clauses: &[practice(ALL)],
    explanation: "A client that has read a list and does not read it again after the notification works with tools, prompts or \
                  resources that may be gone. Reported at the end of the session when the receiver has sent other requests \
                  since.",
    help: "read the list again when the notification comes",
    fires: "@init 2025-11-25 {} {\"tools\":{\"listChanged\":true}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[]}}\nS> {\"method\":\"notifications/tools/list_changed\"}\nC> {\"id\":2,\"method\":\"ping\"}\nS> {\"id\":2,\"result\":{}}",
    silent: "@init 2025-11-25 {} {\"tools\":{\"listChanged\":true}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[]}}\nC> {\"id\":2,\"method\":\"tools/list\"}\nS> {\"method\":\"notifications/tools/list_changed\"}\nS> {\"id\":2,\"result\":{\"tools\":[]}}\nC> {\"id\":3,\"method\":\"ping\"}\nS> {\"id\":3,\"result\":{}}",
    checks: &[On::End(list_changed_unheeded)],
};

fn list_changed_unheeded(context: &EndContext<'_>, findings: &mut Findings) {
    let mut last = None;
    for (method, (n, position)) in context.session.changes.unheeded() {
        // Two lists may change with one notification.
        if last.replace(n) == Some(n) {
            continue;
        }
        findings
            .report(format!("no {} follows this notification, though the session goes on", quoted(method)))
            .at(Some(n), position);
    }
}
