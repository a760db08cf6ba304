//! Log messages: which levels there are, and that a server sends what was asked for.
//! server/utilities/logging of every revision.

use super::book::{LEVELS, LOG_LEVEL, Level, level};
use super::rule::Strength::{Implied, Must, Schema};
use super::{ALL, Context, Family, Findings, LEGACY, MODERN, On, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::RawJson;
use crate::transcript::Half;

pub(super) const FAMILY: Family = Family {
    title: "Logging",
    rules: &[&LOG_LEVEL_INVALID, &LOG_BELOW_LEVEL, &LOG_WITHOUT_OPT_IN, &LOG_BELOW_REQUESTED],
};

const LOG_LEVEL_INVALID: Rule = Rule {
    id: "log-level-invalid",
    title: "a log level is none of the eight",
    clauses: &[clause(ALL, Schema, Severity::Error, "server/utilities/logging#log-levels")],
    explanation: "Levels are those of syslog: debug, info, notice, warning, error, critical, alert and emergency. The \
                  short names of logging libraries, such as warn, fatal and trace, are none of them.",
    help: "map the levels of the logging library to the eight of the protocol",
    fires: "S> {\"method\":\"notifications/message\",\"params\":{\"level\":\"fatal\",\"data\":\"disk full\"}}",
    silent: "S> {\"method\":\"notifications/message\",\"params\":{\"level\":\"critical\",\"data\":\"disk full\"}}",
    checks: &[
        On::Request(&["logging/setLevel"], log_level_invalid),
        On::Notification(&["notifications/message"], log_level_invalid),
        On::Request(&[], requested_level_invalid),
    ],
};

fn log_level_invalid(context: &Context<'_>, findings: &mut Findings) {
    if let Some(value) = context.get("level") {
        judge_level(value, findings);
    }
}

fn requested_level_invalid(context: &Context<'_>, findings: &mut Findings) {
    if !context.is_modern() {
        return;
    }
    if let Some(value) = context.meta(LOG_LEVEL) {
        judge_level(value, findings);
    }
}

fn judge_level(value: RawJson<'_>, findings: &mut Findings) {
    if level(value).is_some() {
        return;
    }
    let draft = findings.report(format!("{} is no log level; they are {}", quoted(value.text()), LEVELS.join(", ")));
    draft.mark(value);
    if let Some(meant) = value.as_str().and_then(|name| meant(&name)) {
        draft.help(format!("send `{meant}`"));
    }
}

/// The level that a name of other systems stands for.
fn meant(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "trace" | "verbose" | "silly" => "debug",
        "information" | "log" => "info",
        "warn" => "warning",
        "err" | "severe" => "error",
        "crit" | "fatal" => "critical",
        "emerg" | "panic" => "emergency",
        other => LEVELS.iter().find(|known| **known == other)?,
    })
}

const LOG_BELOW_LEVEL: Rule = Rule {
    id: "log-below-level",
    title: "a log message is less severe than the level that was set",
    clauses: &[clause(LEGACY, Implied, Severity::Note, "server/utilities/logging#setting-log-level")],
    explanation: "After a successful `logging/setLevel` the server sends messages of that level and more severe ones. \
                  Before it, the server chooses; while the request is open, either level may count.",
    help: "compare the level of each message with the one that the client has set",
    fires: "C> {\"id\":4,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"warning\"}}\nS> {\"id\":4,\"result\":{}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"debug\",\"data\":\"cache miss\"}}",
    silent: "C> {\"id\":4,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"warning\"}}\nS> {\"id\":4,\"result\":{}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"data\":\"disk full\"}}",
    checks: &[On::Notification(&["notifications/message"], log_below_level)],
};

fn log_below_level(context: &Context<'_>, findings: &mut Findings) {
    let logging = &context.session.logging;
    let (Some((set, at)), Some(value), false) = (logging.set, context.get("level"), logging.changing) else { return };
    if let Some(level) = level(value).filter(|level| *level < set) {
        let (level, set) = (LEVELS[usize::from(level)], LEVELS[usize::from(set)]);
        findings
            .report(format!("a message of level `{level}`, after the client has set the level to `{set}`"))
            .mark(value)
            .related(Some(at.0), at.1, "the level was set here");
    }
}

const LOG_WITHOUT_OPT_IN: Rule = Rule {
    id: "log-without-opt-in",
    title: "a log message that no request asked for",
    clauses: &[clause(MODERN, Must, Severity::Error, "server/utilities/logging#per-request-log-level")],
    explanation: "A server may send log messages only for a request whose `_meta` names a level, on the stream of that \
                  request and before its response. On a pipe the message does not say to which request it belongs, so that \
                  it is wrong only where no open request has asked; where the capture may begin after such a request, \
                  that is a warning.",
    help: "send `notifications/message` only while a request with `io.modelcontextprotocol/logLevel` is open",
    fires: "C> {\"id\":3,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"data\":\"disk full\"}}",
    silent: "C> {\"id\":3,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\",\"io.modelcontextprotocol/logLevel\":\"error\"}}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"data\":\"disk full\"}}",
    checks: &[On::Notification(&["notifications/message"], log_without_opt_in)],
};

fn log_without_opt_in(context: &Context<'_>, findings: &mut Findings) {
    let Some(wanted) = wanted(context) else { return };
    if wanted.level.is_none() {
        let message = match wanted.on_stream {
            true => "a log message on the stream of a request that asked for none",
            false => "a log message while no open request asks for any",
        };
        let draft = findings.report(message);
        draft.mark(context.top("method"));
        if !wanted.on_stream && !context.session.opened {
            draft.at_most(Severity::Warning);
        }
    }
}

/// What open requests want to have logged.
struct Wanted {
    level: Option<Level>,
    /// The capture tells the request by its HTTP stream.
    on_stream: bool,
}

/// `None` where the capture does not tell the request of the stream.
fn wanted(context: &Context<'_>) -> Option<Wanted> {
    match context.message.http {
        Some(http) if http.half == Half::Response => {
            let request = context.requests.of_exchange(http.exchange)?;
            Some(Wanted { level: request.log_level, on_stream: true })
        }
        _ => Some(Wanted { level: context.session.logging.lowest(), on_stream: false }),
    }
}

const LOG_BELOW_REQUESTED: Rule = Rule {
    id: "log-below-requested",
    title: "a log message is less severe than its request asked for",
    clauses: &[clause(MODERN, Implied, Severity::Warning, "server/utilities/logging#per-request-log-level")],
    explanation: "The level in `_meta` of a request is the least severe one that the client wants to have. On a pipe the \
                  lowest level of all open requests counts.",
    help: "compare the level of each message with the one that its request names",
    fires: "C> {\"id\":3,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\",\"io.modelcontextprotocol/logLevel\":\"warning\"}}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"notice\",\"data\":\"cache miss\"}}",
    silent: "C> {\"id\":3,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\",\"io.modelcontextprotocol/logLevel\":\"warning\"}}}\nS> {\"method\":\"notifications/message\",\"params\":{\"level\":\"warning\",\"data\":\"disk nearly full\"}}",
    checks: &[On::Notification(&["notifications/message"], log_below_requested)],
};

fn log_below_requested(context: &Context<'_>, findings: &mut Findings) {
    let (Some(Wanted { level: Some(lowest), .. }), Some(value)) = (wanted(context), context.get("level")) else {
        return;
    };
    if let Some(level) = level(value).filter(|level| *level < lowest) {
        let (level, lowest) = (LEVELS[usize::from(level)], LEVELS[usize::from(lowest)]);
        findings
            .report(format!("a message of level `{level}`, where the client asked for `{lowest}` and above"))
            .mark(value);
    }
}
