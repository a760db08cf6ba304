//! The handshake of the revisions up to 2025-11-25: `initialize`, its answer, `notifications/initialized`.
//! basic/lifecycle of these revisions, basic/versioning of 2026-07-28.

use super::book::named_version;
use super::rule::Strength::{Implied, Must, Should};
use super::{ALL, Context, EndContext, Family, Findings, LEGACY, On, Rule, clause, quoted};
use crate::annotate::{Certainty, Kind, Outcome, Severity};
use crate::jsonrpc::RawJson;
use crate::protocol::{Era, OTHER_VERSIONS, Phase, REVISIONS, Revision, Side};
use crate::session::IdKey;

pub(super) const FAMILY: Family = Family {
    title: "Lifecycle (legacy revisions)",
    rules: &[
        &INITIALIZE_FIRST,
        &REQUEST_BEFORE_INITIALIZE_RESPONSE,
        &SERVER_REQUEST_BEFORE_INITIALIZED,
        &INITIALIZED_MISSING,
        &REQUEST_BEFORE_INITIALIZED,
        &INITIALIZED_EARLY,
        &INITIALIZED_REPEATED,
        &INITIALIZE_REPEATED,
        &VERSION_UNKNOWN,
        &VERSION_MISMATCH,
        &VERSION_NOT_ECHOED,
        &INITIALIZE_MODERN_VERSION,
        &CANCELLED_INITIALIZE,
    ],
};

const INITIALIZATION: &str = "basic/lifecycle#initialization";
const NEGOTIATION: &str = "basic/lifecycle#version-negotiation";

/// Client requests without `notifications/initialized` after which it is missing, and not only late.
const PATIENCE: u32 = 3;

const INITIALIZE_FIRST: Rule = Rule {
    id: "initialize-first",
    title: "a session does not begin with `initialize`",
    clauses: &[clause(LEGACY, Must, Severity::Error, INITIALIZATION)],
    explanation: "The first message of a session is the client's `initialize`. A ping before it is a note, since pings are \
                  the exception that the page grants; a probe by `server/discover` is no violation. Where the capture does \
                  not show how the session began, only a first request whose id looks like the first of a count is noted.",
    help: "send `initialize`, wait for its answer, send `notifications/initialized`, then work",
    fires: "C> {\"id\":5,\"method\":\"resources/list\"}\n@init 2025-06-18 {} {\"resources\":{}}",
    silent: "@init 2025-06-18 {} {\"resources\":{}}\nC> {\"id\":5,\"method\":\"resources/list\"}",
    checks: &[On::Request(&[], initialize_first), On::Notification(&[], initialize_first)],
};

fn initialize_first(context: &Context<'_>, findings: &mut Findings) {
    let session = context.session;
    let method = context.method.unwrap_or_default();
    let may_be_first = matches!(method, "initialize" | "server/discover");
    if session.first_call.is_some() || session.lifecycle.initialize.is_some() || may_be_first {
        return;
    }
    let message = context.message;
    let begins = session.opened || message.phase == Some(Phase::Initialization);
    let sure = begins && message.basis.phase != Some(Certainty::Guessed);
    let first_id = || {
        let id = message.id.as_ref().and_then(IdKey::of_id);
        id.and_then(|id| id.number()).is_some_and(|number| number == 0 || number == 1)
    };
    let alone = message.n == 1 && context.sender == Some(Side::Client) && context.kind == Kind::Request && first_id();
    if !sure && !alone {
        return;
    }
    let draft = findings.report(format!("{} comes before `initialize`, which has to be first", quoted(method)));
    draft.mark(context.top("method"));
    if !sure || method == "ping" {
        draft.at_most(Severity::Note);
    } else if context.sender != Some(Side::Client) {
        draft.at_most(Severity::Warning);
    }
}

const REQUEST_BEFORE_INITIALIZE_RESPONSE: Rule = Rule {
    id: "request-before-initialize-response",
    title: "the client asks before `initialize` was answered",
    clauses: &[clause(LEGACY, Should, Severity::Warning, INITIALIZATION)],
    explanation: "Until `initialize` is answered the client sends no request but pings: it does not know yet which revision \
                  and which capabilities apply.",
    help: "wait for the answer to `initialize`",
    fires: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nC> {\"id\":1,\"method\":\"prompts/list\"}",
    silent: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nC> {\"id\":1,\"method\":\"ping\"}",
    checks: &[On::Request(&[], request_before_answer)],
};

fn request_before_answer(context: &Context<'_>, findings: &mut Findings) {
    let method = context.method.unwrap_or_default();
    let waiting = context.session.lifecycle.initialize.as_ref().filter(|initialize| initialize.answer.is_none());
    let Some(initialize) = waiting.filter(|_| !matches!(method, "ping" | "initialize")) else { return };
    if context.sender == Some(Side::Client) {
        findings
            .report(format!("the client sends {} before `initialize` was answered", quoted(method)))
            .mark(context.top("method"))
            .related(Some(initialize.at.0), initialize.at.1, "`initialize`");
    }
}

const SERVER_REQUEST_BEFORE_INITIALIZED: Rule = Rule {
    id: "server-request-before-initialized",
    title: "the server asks before the client is ready",
    clauses: &[clause(LEGACY, Should, Severity::Warning, INITIALIZATION)],
    explanation: "Until `notifications/initialized` arrives the server sends no request but pings. Log messages are named as \
                  allowed; anything that comes before `initialize` was answered is noted, since nothing is agreed yet.",
    help: "wait for `notifications/initialized` before asking the client",
    fires: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nS> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"serverInfo\":{\"name\":\"b\",\"version\":\"0\"}}}\nS> {\"id\":\"r\",\"method\":\"roots/list\"}",
    silent: "@init 2025-03-26 {\"roots\":{}} {}\nS> {\"id\":\"r\",\"method\":\"roots/list\"}",
    checks: &[On::Request(&[], server_request_early), On::Notification(&[], notification_before_answer)],
};

fn server_request_early(context: &Context<'_>, findings: &mut Findings) {
    let lifecycle = &context.session.lifecycle;
    let method = context.method.unwrap_or_default();
    let early = lifecycle.initialize.is_some() && lifecycle.initialized.is_none();
    // When the notification is missing altogether, that is reported instead.
    let late = lifecycle.requests_since_answer >= PATIENCE;
    if context.sender == Some(Side::Server) && context.sender_sure() && early && !late && method != "ping" {
        findings
            .report(format!("the server sends {} before `notifications/initialized`", quoted(method)))
            .mark(context.top("method"));
    }
}

fn notification_before_answer(context: &Context<'_>, findings: &mut Findings) {
    let waiting = context.session.lifecycle.is_waiting();
    if waiting && context.sender == Some(Side::Server) && context.sender_sure() {
        let method = context.method.unwrap_or_default();
        findings
            .report(format!("the server sends {} before it has answered `initialize`", quoted(method)))
            .mark(context.top("method"))
            .at_most(Severity::Note);
    }
}

const INITIALIZED_MISSING: Rule = Rule {
    id: "initialized-missing",
    title: "the client never says that it is ready",
    clauses: &[clause(LEGACY, Must, Severity::Error, INITIALIZATION)],
    explanation: "After a successful `initialize` the client sends `notifications/initialized`. Reported once, at the third \
                  request without it, or when the log shows that the session ended without it; not when the client leaves \
                  after the server has offered another version, and not when the capture merely ends.",
    help: "send `notifications/initialized` as soon as `initialize` was answered",
    fires: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nS> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{\"prompts\":{}},\"serverInfo\":{\"name\":\"b\",\"version\":\"0\"}}}\nC> {\"id\":1,\"method\":\"prompts/list\"}\nC> {\"id\":2,\"method\":\"prompts/list\"}\nC> {\"id\":3,\"method\":\"prompts/list\"}",
    silent: "@init 2025-03-26 {} {\"prompts\":{}}\nC> {\"id\":1,\"method\":\"prompts/list\"}\nC> {\"id\":2,\"method\":\"prompts/list\"}\nC> {\"id\":3,\"method\":\"prompts/list\"}",
    checks: &[On::Request(&[], third_request), On::End(ended_before_ready)],
};

fn third_request(context: &Context<'_>, findings: &mut Findings) {
    let lifecycle = &context.session.lifecycle;
    let Some(answer) = lifecycle.agreed().filter(|_| lifecycle.initialized.is_none()) else { return };
    let counts = context.sender == Some(Side::Client) && context.method != Some("ping") && context.part.is_none();
    if counts && lifecycle.requests_since_answer == PATIENCE - 1 && context.method != Some("initialize") {
        findings
            .report("the client works without having sent `notifications/initialized`")
            .mark(context.top("method"))
            .related(Some(answer.at.0), answer.at.1, "`initialize` was answered here");
    }
}

fn ended_before_ready(context: &EndContext<'_>, findings: &mut Findings) {
    let lifecycle = &context.session.lifecycle;
    let Some(answer) = lifecycle.agreed().filter(|_| lifecycle.initialized.is_none()) else { return };
    let requested = lifecycle.initialize.as_ref().and_then(|initialize| initialize.requested.as_deref());
    let told = matches!(context.end.ended, "transport-closed" | "process-exit");
    if told && lifecycle.requests_since_answer < PATIENCE && requested == answer.version.as_deref() {
        let draft = findings.report("the session ended without `notifications/initialized`");
        draft.at(Some(answer.at.0), answer.at.1);
        if lifecycle.requests_since_answer == 0 {
            draft.at_most(Severity::Warning);
        }
    }
}

const REQUEST_BEFORE_INITIALIZED: Rule = Rule {
    id: "request-before-initialized",
    title: "the client asks before it has said that it is ready",
    clauses: &[clause(LEGACY, Implied, Severity::Note, INITIALIZATION)],
    explanation: "`notifications/initialized` announces that the client is ready for normal operation. A request between the \
                  answer to `initialize` and that notification is early; the first one is noted.",
    help: "send `notifications/initialized` first",
    fires: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nS> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{\"prompts\":{}},\"serverInfo\":{\"name\":\"b\",\"version\":\"0\"}}}\nC> {\"id\":1,\"method\":\"prompts/list\"}\nC> {\"method\":\"notifications/initialized\"}",
    silent: "@init 2025-03-26 {} {\"prompts\":{}}\nC> {\"id\":1,\"method\":\"prompts/list\"}",
    checks: &[On::Request(&[], request_before_ready)],
};

fn request_before_ready(context: &Context<'_>, findings: &mut Findings) {
    let lifecycle = &context.session.lifecycle;
    let method = context.method.unwrap_or_default();
    let window = lifecycle.agreed().is_some() && lifecycle.initialized.is_none();
    let first = lifecycle.requests_since_answer == 0 && !matches!(method, "ping" | "initialize");
    if window && first && context.sender == Some(Side::Client) && context.part.is_none() {
        findings
            .report(format!("the client sends {} before `notifications/initialized`", quoted(method)))
            .mark(context.top("method"));
    }
}

const INITIALIZED_EARLY: Rule = Rule {
    id: "initialized-early",
    title: "`notifications/initialized` before a successful `initialize`",
    clauses: &[clause(LEGACY, Must, Severity::Error, INITIALIZATION)],
    explanation: "The notification follows the successful answer to `initialize`: before it, or after an error, there is \
                  nothing to be ready for.",
    help: "wait for the result of `initialize`",
    fires: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nS> {\"id\":0,\"error\":{\"code\":-32602,\"message\":\"no\"}}\nC> {\"method\":\"notifications/initialized\"}",
    silent: "@init 2025-03-26 {} {}",
    checks: &[On::Notification(&["notifications/initialized"], initialized_early)],
};

fn initialized_early(context: &Context<'_>, findings: &mut Findings) {
    let Some(initialize) = &context.session.lifecycle.initialize else { return };
    let message = match initialize.answer.as_ref().map(|answer| answer.outcome) {
        None => "`notifications/initialized` comes before `initialize` was answered",
        Some(Outcome::Error) => "`notifications/initialized` follows an `initialize` that was refused",
        Some(Outcome::Result) => return,
    };
    findings.report(message).mark(context.top("method")).related(
        Some(initialize.at.0),
        initialize.at.1,
        "`initialize`",
    );
}

const INITIALIZED_REPEATED: Rule = Rule {
    id: "initialized-repeated",
    title: "`notifications/initialized` a second time",
    clauses: &[clause(LEGACY, Implied, Severity::Note, INITIALIZATION)],
    explanation: "A session becomes operational once. A second notification without a new `initialize` changes nothing.",
    help: "send it once",
    fires: "@init 2024-11-05 {} {}\nC> {\"method\":\"notifications/initialized\"}",
    silent: "@init 2024-11-05 {} {}\n@init 2024-11-05 {} {}",
    checks: &[On::Notification(&["notifications/initialized"], initialized_repeated)],
};

fn initialized_repeated(context: &Context<'_>, findings: &mut Findings) {
    if let Some((n, position)) = context.session.lifecycle.initialized {
        findings
            .report("`notifications/initialized` was sent before in this session")
            .mark(context.top("method"))
            .related(Some(n), position, "the first");
    }
}

const INITIALIZE_REPEATED: Rule = Rule {
    id: "initialize-repeated",
    title: "`initialize` while a session is open",
    clauses: &[clause(LEGACY, Implied, Severity::Note, INITIALIZATION)],
    explanation: "`initialize` opens a session, so a second one begins another: a restart, a reconnection, several captures \
                  in one file, or a client that initialises again and again. What follows is judged as a session of its own.",
    help: "keep a session open, instead of initialising for every call",
    fires: "@init 2025-11-25 {} {}\n@init 2025-11-25 {} {}",
    silent: "@init 2025-11-25 {} {}\nC> {\"id\":1,\"method\":\"ping\"}",
    checks: &[On::Request(&["initialize"], initialize_repeated)],
};

fn initialize_repeated(context: &Context<'_>, findings: &mut Findings) {
    let session = context.session;
    let same = session.lifecycle.agreed().map(|answer| answer.at);
    // Over HTTP many clients may talk to one server.
    let before = || match context.message.http {
        Some(_) => None,
        None => context
            .book
            .open_before(session.number, |open| open.lifecycle.agreed().is_some())
            .and_then(|open| open.first),
    };
    if let Some((n, position)) = same.or_else(before).filter(|_| !session.opened) {
        findings.report("`initialize` begins another session while one is open").mark(context.top("method")).related(
            Some(n),
            position,
            "the session before",
        );
    }
}

const VERSION_UNKNOWN: Rule = Rule {
    id: "version-unknown",
    title: "a version that is no published revision",
    clauses: &[
        clause(LEGACY, Implied, Severity::Note, NEGOTIATION),
        clause(super::MODERN, Implied, Severity::Note, "basic/versioning#protocol-version-negotiation"),
    ],
    explanation: "A version string names a published revision. Other strings have been seen from early implementations and \
                  pre-releases; what follows is judged by the nearest earlier revision.",
    help: "name a published revision, such as 2025-11-25",
    fires: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2024-10-07\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}",
    silent: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}",
    checks: &[
        On::Request(&["initialize"], version_unknown),
        On::Result(&["initialize"], version_unknown),
        On::Request(&[], named_version_unknown),
    ],
};

fn version_unknown(context: &Context<'_>, findings: &mut Findings) {
    let Some(raw) = context.get("protocolVersion") else { return };
    if let Some(version) = raw.as_str() {
        report_unknown(&version, raw, findings);
    }
}

fn named_version_unknown(context: &Context<'_>, findings: &mut Findings) {
    // Every stateless request names it: once is enough.
    if context.is_modern()
        && let Some(version) =
            named_version(context).filter(|version| context.session.named.as_deref() != Some(version))
        && let Some(raw) = context.meta("io.modelcontextprotocol/protocolVersion")
    {
        report_unknown(&version, raw, findings);
    }
}

fn report_unknown(version: &str, raw: RawJson<'_>, findings: &mut Findings) {
    if REVISIONS.iter().any(|row| row.name == version) {
        return;
    }
    let known = OTHER_VERSIONS.iter().find(|(name, _)| *name == version);
    let what = known.map_or_else(String::new, |(_, what)| format!(": {what}"));
    findings.report(format!("the version {} is not a published revision{what}", quoted(version))).mark(raw);
}

const VERSION_MISMATCH: Rule = Rule {
    id: "version-mismatch",
    title: "the server offers another version",
    clauses: &[clause(LEGACY, Must, Severity::Note, NEGOTIATION)],
    explanation: "A server that does not have the version that was asked for answers with one that it has. That is a legal \
                  counter-offer: the session runs at the server's version, or the client leaves.",
    help: "expect the server's version from here on",
    fires: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nS> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"serverInfo\":{\"name\":\"b\",\"version\":\"0\"}}}",
    silent: "@init 2025-11-25 {} {}",
    checks: &[On::Result(&["initialize"], version_mismatch)],
};

fn version_mismatch(context: &Context<'_>, findings: &mut Findings) {
    let initialize = context.session.lifecycle.initialize.as_ref();
    let Some(requested) = initialize.and_then(|initialize| initialize.requested.as_deref()) else { return };
    let Some(raw) = context.get("protocolVersion") else { return };
    let Some(offered) = raw.as_str().filter(|offered| offered != requested) else { return };
    let draft =
        findings.report(format!("the client asked for {}, the server offers {}", quoted(requested), quoted(&offered)));
    draft.mark(raw);
    if let Some(initialize) = initialize {
        draft.related(Some(initialize.at.0), initialize.at.1, "`initialize`");
    }
}

const VERSION_NOT_ECHOED: Rule = Rule {
    id: "version-not-echoed",
    title: "the server offers another version than one that it has",
    clauses: &[clause(LEGACY, Must, Severity::Error, NEGOTIATION)],
    explanation: "A server that supports the version that was asked for answers with exactly that one. Reported only with \
                  proof from the same server in the same capture: a list of supported versions, or an earlier session.",
    help: "answer with the version of the request whenever it is supported",
    fires: "@init 2025-03-26 {} {}\nC> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nS> {\"id\":0,\"result\":{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
    silent: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nS> {\"id\":0,\"result\":{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
    checks: &[On::Result(&["initialize"], version_not_echoed)],
};

fn version_not_echoed(context: &Context<'_>, findings: &mut Findings) {
    let initialize = context.session.lifecycle.initialize.as_ref();
    let Some(requested) = initialize.and_then(|initialize| initialize.requested.as_deref()) else { return };
    let Some(raw) = context.get("protocolVersion").filter(|raw| raw.as_str().is_some_and(|text| text != requested))
    else {
        return;
    };
    let listed = context.session.supported.iter().any(|version| version == requested);
    if listed || context.book.servers.agreed(context, requested) {
        let proof = if listed { "lists it as supported" } else { "agreed to it in an earlier session" };
        findings
            .report(format!(
                "the server {proof}, and does not answer with the version {} that was asked for",
                quoted(requested)
            ))
            .mark(raw);
    }
}

const INITIALIZE_MODERN_VERSION: Rule = Rule {
    id: "initialize-modern-version",
    title: "`initialize` for a revision without a handshake",
    clauses: &[clause(
        ALL,
        Implied,
        Severity::Error,
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#terminology",
    )],
    explanation: "`initialize` belongs to 2025-11-25 and earlier; 2026-07-28 has no handshake and cannot be agreed by one. A \
                  client that asks for it may expect a counter-offer, which is a note; a server must not agree to it.",
    help: "answer `initialize` with 2025-11-25 or earlier, and send 2026-07-28 without a handshake",
    fires: "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2026-07-28\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nS> {\"id\":0,\"result\":{\"protocolVersion\":\"2026-07-28\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
    silent: "@init 2025-11-25 {} {}",
    checks: &[On::Request(&["initialize"], modern_initialize), On::Result(&["initialize"], modern_initialize)],
};

fn modern_initialize(context: &Context<'_>, findings: &mut Findings) {
    let Some(raw) = context.get("protocolVersion") else { return };
    let version = raw.as_str();
    let revision = version.as_deref().and_then(Revision::parse);
    if revision.is_some_and(|revision| revision.era() == Era::Stateless) {
        let asks = context.kind == Kind::Request;
        let verb = if asks { "asks for" } else { "agrees on" };
        let draft = findings.report(format!(
            "`initialize` {verb} {}, which has no handshake",
            quoted(version.as_deref().unwrap_or_default())
        ));
        draft.mark(raw);
        draft.severity(if asks { Severity::Note } else { Severity::Error });
    }
}

const CANCELLED_INITIALIZE: Rule = Rule {
    id: "cancelled-initialize",
    title: "the client cancels `initialize`",
    clauses: &[clause(LEGACY, Must, Severity::Error, "basic/utilities/cancellation#behavior-requirements")],
    explanation: "The client does not cancel its `initialize` request: it closes the connection instead.",
    help: "close the transport when the server takes too long",
    fires: "C> {\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"i\"}}",
    silent: "@init 2025-11-25 {} {}\nC> {\"id\":\"i\",\"method\":\"ping\"}\nC> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"i\"}}",
    checks: &[On::Notification(&["notifications/cancelled"], cancelled_initialize)],
};

fn cancelled_initialize(context: &Context<'_>, findings: &mut Findings) {
    let Some(raw) = context.get("requestId") else { return };
    let named = IdKey::of_token(raw.text());
    let Some(initialize) = context.session.lifecycle.initialize.as_ref().filter(|initialize| initialize.id == named)
    else {
        return;
    };
    if named.is_some() && context.sender != Some(Side::Server) {
        findings.report("`initialize` must not be cancelled").mark(raw).related(
            Some(initialize.at.0),
            initialize.at.1,
            "`initialize`",
        );
    }
}
