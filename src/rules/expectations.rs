//! Expectations: what the user says of a session beyond the protocol, on the command line or in `mcp-trace.toml`. Each is off
//! until something is expected.

use std::time::Duration;

use super::context::InputContext;
use super::rule::Strength::Expected;
use super::settings::Expectations;
use super::{ALL, Clause, Context, Family, Findings, Level, Levels, On, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::transcript::Flag;

pub(super) const FAMILY: Family = Family {
    title: "Expectations",
    rules: &[&TOOL_NOT_CALLED, &TOOL_FORBIDDEN, &LATENCY_ABOVE_LIMIT, &MESSAGE_ABOVE_LIMIT],
};

const EXPECTED: &[Clause] = &[clause(ALL, Expected, Severity::Error, "").off()];

/// Looks for the rules of what is expected, as far as nothing else was said of them.
pub(super) fn look_for(expect: &Expectations, levels: &mut Levels) {
    for (rule, wanted) in [
        (&TOOL_NOT_CALLED, !expect.tools.is_empty()),
        (&TOOL_FORBIDDEN, !expect.forbidden_tools.is_empty()),
        (&LATENCY_ABOVE_LIMIT, expect.max_latency.is_some()),
        (&MESSAGE_ABOVE_LIMIT, expect.max_bytes.is_some()),
    ] {
        if wanted && levels.of(rule).is_none() {
            levels.set(rule, Level::On);
        }
    }
}

const TOOL_NOT_CALLED: Rule = Rule {
    id: "expected-tool-not-called",
    title: "a tool that had to be called was not",
    clauses: EXPECTED,
    explanation: "`--expect-tool NAME`, or `tools` under `[expect]`: the tool is called at least once in each input, whatever \
                  the answer. Reported at the first message, with the last list of tools.",
    help: "look why the model or the client did not call it: is it listed, and does its description say when to use it",
    fires: "@given expect-tool search\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"search\",\"inputSchema\":{\"type\":\"object\"}}]}}",
    silent: "@given expect-tool search\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"search\"}}\nS> {\"id\":1,\"result\":{\"content\":[]}}",
    checks: &[On::Input(tools_not_called)],
};

fn tools_not_called(context: &InputContext<'_>, findings: &mut Findings) {
    for (tool, listed) in context.expected.missing(context.expect) {
        let why = match (listed, context.expected.listing) {
            (true, _) => ", which the server lists,",
            (false, Some(_)) => ", which the server does not list,",
            (false, None) => "",
        };
        let draft = findings.report(format!("the tool {}{why} was expected and never called", quoted(tool)));
        if let Some((n, position)) = context.expected.listing {
            draft.related(Some(n), position, "the last list of tools");
        }
    }
}

const TOOL_FORBIDDEN: Rule = Rule {
    id: "forbidden-tool-called",
    title: "a tool was called that must not be",
    clauses: EXPECTED,
    explanation: "`--forbid-tool NAME`, or `forbid-tools` under `[expect]`: the tool is never called.",
    help: "take the tool away from the client, or let the host ask before it is called",
    fires: "@given forbid-tool erase\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"erase\"}}",
    silent: "@given forbid-tool erase\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"search\"}}",
    checks: &[On::Request(&["tools/call"], forbidden_tool)],
};

fn forbidden_tool(context: &Context<'_>, findings: &mut Findings) {
    let target = context.message.target.unwrap_or_default();
    if context.part.is_some() || !context.settings.expect.forbidden_tools.iter().any(|tool| tool == target) {
        return;
    }
    let draft = findings.report(format!("the tool {} is forbidden and was called", quoted(target)));
    draft.mark(context.get("name"));
    if let Some((n, position)) = context.book.expected.listing {
        draft.related(Some(n), position, "the last list of tools");
    }
}

const LATENCY_ABOVE_LIMIT: Rule = Rule {
    id: "latency-above-limit",
    title: "an answer took longer than it may",
    clauses: EXPECTED,
    explanation: "`--max-latency DURATION`, or `max-latency` under `[expect]`: no answer comes later than that after its request, by \
                  the times of the recording. Requests without an answer are a matter of `unanswered-request`. An input \
                  whose answers have no times at all cannot be judged, which is a finding too.",
    help: "look what the time was spent on, or allow more",
    fires: "@given max-latency 500ms\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[]}}",
    silent: "@given max-latency 30s\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[]}}",
    checks: &[On::Result(&[], latency), On::Error(&[], latency), On::Input(no_latency)],
};

fn latency(context: &Context<'_>, findings: &mut Findings) {
    let (Some(limit), Some((took, _)), None) =
        (context.settings.expect.max_latency, context.message.latency, context.part)
    else {
        return;
    };
    if took <= limit {
        return;
    }
    let method = context.method.map(quoted).unwrap_or_default();
    let target = context.message.target.map(|target| format!(" {}", quoted(target))).unwrap_or_default();
    let (took, limit) = (words(took), words(limit));
    let draft = findings.report(format!("the answer to {method}{target} took {took}, more than {limit}"));
    draft.mark(context.top("id")).label(took);
    if let Some(request) = context.request {
        draft.related(Some(request.at.0), request.at.1, "the request");
    }
}

fn no_latency(context: &InputContext<'_>, findings: &mut Findings) {
    if let Some(limit) = context.expect.max_latency.filter(|_| context.expected.is_untimed()) {
        let limit = words(limit);
        findings.report(format!("no answer has a time, so that nobody can say whether one took more than {limit}"));
    }
}

/// `500ms`, `2.25s`
fn words(duration: Duration) -> String {
    format!("{duration:?}")
}

const MESSAGE_ABOVE_LIMIT: Rule = Rule {
    id: "message-above-limit",
    title: "a message is longer than it may be",
    clauses: EXPECTED,
    explanation: "`--max-bytes SIZE`, or `max-bytes` under `[expect]`: no message has more bytes, as it stands in the input. \
                  Messages of which the log keeps only an outline are not judged.",
    help: "send less: pages of a list, links instead of contents; or allow more",
    fires: "@given max-bytes 150\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"a text of some length, which is a good deal longer than it has to be to say what it says\"}}}",
    silent: "@given max-bytes 1000\n@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[]}}",
    checks: &[On::Message(size)],
};

fn size(context: &Context<'_>, findings: &mut Findings) {
    let Some(limit) = context.settings.expect.max_bytes else { return };
    let kept = context.message.text.len() as u64;
    let bytes = if context.has(Flag::Oversized) { kept.max(context.message.position.length) } else { kept };
    if bytes <= limit {
        return;
    }
    let method = context.method.map(|method| format!(" of {}", quoted(method))).unwrap_or_default();
    let draft = findings.report(format!("the message{method} has {bytes} bytes, more than {limit}"));
    draft.mark(context.top("id"));
    if let Some(request) = context.request {
        draft.related(Some(request.at.0), request.at.1, "the request");
    }
}
