//! Sampling: tool use inside the messages of a request, what the answer may hold, and when a server asks.
//! client/sampling of every revision.

use std::borrow::Cow;
use std::collections::HashSet;

use super::rule::Strength::{Must, Should};
use super::{Context, Family, Findings, LEGACY, On, Revisions, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::{Revision, Side};

pub(super) const FAMILY: Family = Family {
    title: "Sampling",
    rules: &[
        &SAMPLING_TOOL_RESULT_MIXED,
        &SAMPLING_TOOL_USE_UNBALANCED,
        &SAMPLING_TOOL_RESULT_UNKNOWN,
        &SAMPLING_TOOL_CHOICE_IGNORED,
        &SERVER_REQUEST_UNASSOCIATED,
    ],
};

/// Revisions in which models may call tools while sampling.
const WITH_TOOLS: Revisions = Revisions::since(Revision::V2025_11_25);

/// The blocks of a `content`, which is one block or an array of them.
fn blocks(content: Option<RawJson<'_>>) -> impl Iterator<Item = RawJson<'_>> {
    let one = content.filter(|content| content.kind() == JsonKind::Object);
    let many = content.filter(|content| content.kind() == JsonKind::Array);
    one.into_iter().chain(many.into_iter().flat_map(RawJson::elements))
}

fn is_of(block: RawJson<'_>, kind: &str) -> bool {
    block.get("type").and_then(RawJson::as_str).is_some_and(|own| own == kind)
}

fn has_role(message: RawJson<'_>, role: &str) -> bool {
    message.get("role").and_then(RawJson::as_str).is_some_and(|own| own == role)
}

fn messages<'a>(context: &Context<'a>) -> impl Iterator<Item = RawJson<'a>> {
    context.get("messages").into_iter().flat_map(RawJson::elements)
}

/// Ids of the blocks of a kind in a message, decoded.
fn ids<'a>(message: RawJson<'a>, kind: &'static str, member: &'static str) -> impl Iterator<Item = Cow<'a, str>> {
    blocks(message.get("content"))
        .filter(move |block| is_of(*block, kind))
        .filter_map(move |block| block.get(member)?.as_str())
}

const SAMPLING_TOOL_RESULT_MIXED: Rule = Rule {
    id: "sampling-tool-result-mixed",
    title: "results of tools stand beside other content",
    clauses: &[clause(WITH_TOOLS, Must, Severity::Error, "client/sampling#tool-result-messages")],
    explanation: "A user message that brings results of tools holds nothing else, because the interfaces of models keep \
                  them in a role of their own.",
    help: "send text in a message of its own behind the results",
    fires: "@init 2025-11-25 {\"sampling\":{\"tools\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":64,\"messages\":[{\"role\":\"assistant\",\"content\":{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"find\",\"input\":{}}},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"toolUseId\":\"c1\",\"content\":[]},{\"type\":\"text\",\"text\":\"go on\"}]}]}}",
    silent: "@init 2025-11-25 {\"sampling\":{\"tools\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":64,\"messages\":[{\"role\":\"assistant\",\"content\":{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"find\",\"input\":{}}},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"toolUseId\":\"c1\",\"content\":[]}]}]}}",
    checks: &[On::Request(&["sampling/createMessage"], sampling_tool_result_mixed)],
};

fn sampling_tool_result_mixed(context: &Context<'_>, findings: &mut Findings) {
    for message in messages(context).filter(|message| has_role(*message, "user")) {
        let has_result = blocks(message.get("content")).any(|block| is_of(block, "tool_result"));
        let other = blocks(message.get("content")).find(|block| !is_of(*block, "tool_result"));
        if let Some(other) = other.filter(|_| has_result) {
            findings.report("a user message with results of tools must hold nothing else").mark(other);
        }
    }
}

const SAMPLING_TOOL_USE_UNBALANCED: Rule = Rule {
    id: "sampling-tool-use-unbalanced",
    title: "a tool use is not followed by its result",
    clauses: &[clause(WITH_TOOLS, Must, Severity::Error, "client/sampling#tool-use-and-result-balance")],
    explanation: "The message after an assistant message with tool uses is a user message that holds one result for each of \
                  them and nothing else. A tool use at the end has no result yet and cannot be sent. A client that \
                  answers such a request with a result, not with the error -32602, has a note.",
    help: "add the result of every tool use before sampling again",
    fires: "@init 2025-11-25 {\"sampling\":{\"tools\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":64,\"messages\":[{\"role\":\"assistant\",\"content\":{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"find\",\"input\":{}}}]}}",
    silent: "@init 2025-11-25 {\"sampling\":{\"tools\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":64,\"messages\":[{\"role\":\"assistant\",\"content\":{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"find\",\"input\":{}}},{\"role\":\"user\",\"content\":{\"type\":\"tool_result\",\"toolUseId\":\"c1\",\"content\":[]}}]}}",
    checks: &[
        On::Request(&["sampling/createMessage"], sampling_tool_use_unbalanced),
        On::Result(&["sampling/createMessage"], unbalanced_request_served),
    ],
};

fn sampling_tool_use_unbalanced(context: &Context<'_>, findings: &mut Findings) {
    if !context.is_whole() {
        return;
    }
    if let Some((message, missing)) = unbalanced(messages(context)) {
        findings
            .report(format!("the tool use {} is not followed by a user message with its result", quoted(&missing)))
            .mark(message);
    }
}

/// The first assistant message with a tool use that the next message does not answer, and the id of that use.
fn unbalanced<'a>(messages: impl Iterator<Item = RawJson<'a>>) -> Option<(RawJson<'a>, String)> {
    let mut messages = messages.peekable();
    while let Some(message) = messages.next() {
        if !has_role(message, "assistant") {
            continue;
        }
        let next = messages.peek().copied().filter(|next| has_role(*next, "user"));
        let results: HashSet<_> = next.into_iter().flat_map(|next| ids(next, "tool_result", "toolUseId")).collect();
        if let Some(id) = ids(message, "tool_use", "id").find(|id| !results.contains(id)) {
            return Some((message, id.into_owned()));
        }
    }
    None
}

fn unbalanced_request_served(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|_| context.revision == Revision::V2025_11_25) else { return };
    let Some(params) = request.params.as_deref().and_then(RawJson::new) else { return };
    let messages = params.get("messages").into_iter().flat_map(RawJson::elements);
    if unbalanced(messages).is_some() {
        findings
            .report(
                "the client samples messages in which a tool use has no result, where it answers with the error -32602",
            )
            .mark(context.body.raw)
            .related(Some(request.at.0), request.at.1, "the request")
            .at_most(Severity::Note);
    }
}

const SAMPLING_TOOL_RESULT_UNKNOWN: Rule = Rule {
    id: "sampling-tool-result-unknown",
    title: "a result belongs to no tool use",
    clauses: &[clause(WITH_TOOLS, Must, Severity::Error, "client/sampling#tool-use-and-result-balance")],
    explanation: "`toolUseId` names a tool use that stands earlier in the same messages.",
    help: "send the assistant message with the tool use as well",
    fires: "@init 2025-11-25 {\"sampling\":{\"tools\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":64,\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"toolUseId\":\"c7\",\"content\":[]}]}]}}",
    silent: "@init 2025-11-25 {\"sampling\":{\"tools\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":64,\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"c7\",\"name\":\"find\",\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"toolUseId\":\"c7\",\"content\":[]}]}]}}",
    checks: &[On::Request(&["sampling/createMessage"], sampling_tool_result_unknown)],
};

fn sampling_tool_result_unknown(context: &Context<'_>, findings: &mut Findings) {
    if !context.is_whole() {
        return;
    }
    let mut used = HashSet::new();
    for message in messages(context) {
        for block in blocks(message.get("content")).filter(|block| is_of(*block, "tool_result")) {
            let Some(id) = block.get("toolUseId") else { continue };
            let Some(text) = id.as_str() else { continue };
            if !used.contains(&text) {
                findings.report(format!("no tool use {} stands before this result", quoted(&text))).mark(id);
            }
        }
        used.extend(ids(message, "tool_use", "id"));
    }
}

const SAMPLING_TOOL_CHOICE_IGNORED: Rule = Rule {
    id: "sampling-tool-choice-ignored",
    title: "the answer of the model does not keep to the tool choice",
    clauses: &[clause(WITH_TOOLS, Must, Severity::Warning, "client/sampling#tool-choice-modes")],
    explanation: "With the mode `none` the model uses no tool, with `required` at least one.",
    help: "hand `toolChoice` on to the model",
    fires: "@init 2025-11-25 {\"sampling\":{\"tools\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":64,\"messages\":[],\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}}],\"toolChoice\":{\"mode\":\"required\"}}}\nC> {\"id\":1,\"result\":{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"no\"},\"model\":\"m\"}}",
    silent: "@init 2025-11-25 {\"sampling\":{\"tools\":{}}} {}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":64,\"messages\":[],\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}}],\"toolChoice\":{\"mode\":\"required\"}}}\nC> {\"id\":1,\"result\":{\"role\":\"assistant\",\"content\":{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"find\",\"input\":{}},\"model\":\"m\",\"stopReason\":\"toolUse\"}}",
    checks: &[On::Result(&["sampling/createMessage"], sampling_tool_choice_ignored)],
};

fn sampling_tool_choice_ignored(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|_| context.is_whole()) else { return };
    let Some(params) = request.params.as_deref().and_then(RawJson::new) else { return };
    let mode = params.at(&["toolChoice", "mode"]).and_then(RawJson::as_str);
    let Some(content) = context.get("content") else { return };
    let used = blocks(Some(content)).find(|block| is_of(*block, "tool_use"));
    let message = match (mode.as_deref(), used) {
        (Some("none"), Some(_)) => "the model uses a tool, although the tool choice is `none`",
        (Some("required"), None) => "the model uses no tool, although the tool choice is `required`",
        _ => return,
    };
    findings.report(message).mark(used.unwrap_or(content)).related(Some(request.at.0), request.at.1, "the request");
}

const SERVER_REQUEST_UNASSOCIATED: Rule = Rule {
    id: "server-request-unassociated",
    title: "a server asks its client while nobody asked the server",
    clauses: &[clause(LEGACY, Should, Severity::Note, "basic/transports#sending-messages-to-the-server")],
    explanation: "Servers ask for roots, samples and input in the course of a request of the client; 2026-07-28 allows \
                  nothing else. Roots may be asked for after the handshake and after they have changed, and anything on the \
                  stream of a GET and while a task goes on.",
    help: "ask while the request that needs it is open",
    fires: "@init 2025-11-25 {\"elicitation\":{}} {\"tools\":{}}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Rate us?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}",
    silent: "@init 2025-11-25 {\"elicitation\":{}} {\"tools\":{}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\"}}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Which one?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}",
    checks: &[On::Request(
        &["roots/list", "sampling/createMessage", "elicitation/create"],
        server_request_unassociated,
    )],
};

fn server_request_unassociated(context: &Context<'_>, findings: &mut Findings) {
    let session = context.session;
    let on_get = context.message.http.is_some_and(|http| http.method.as_deref() == Some("GET"));
    let by_server = context.sender == Some(Side::Server) && context.sender_sure() && context.part.is_none();
    let roots_expected = context.method == Some("roots/list") && session.activity.roots_expected;
    // Before the end of the handshake other rules apply.
    let operating = session.lifecycle.initialized.is_some();
    if by_server && operating && !on_get && !roots_expected && !session.activity.is_busy() {
        let method = context.method.unwrap_or_default();
        findings
            .report(format!("the server sends {} while no request of the client is open", quoted(method)))
            .mark(context.top("method"));
    }
}
