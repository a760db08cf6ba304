//! Tools: their definitions, calls that fit them, and results that keep what the definition promises.
//! server/tools of every revision.

use std::collections::HashSet;

use serde_json::Value;

use super::book::{Mismatch, TaskSupport, Tool, tool_entries};
use super::rule::Strength::{Implied, Must, Schema, Should};
use super::{ALL, Context, Family, Findings, MODERN, On, Revisions, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::{Revision, Side};

pub(super) const FAMILY: Family = Family {
    title: "Tools",
    rules: &[
        &TOOL_NAME_FORMAT,
        &TOOL_NAME_DUPLICATE,
        &TOOL_INPUT_SCHEMA_SHAPE,
        &TOOL_SCHEMA_INVALID,
        &TOOL_OUTPUT_SCHEMA_SHAPE,
        &TOOLS_CALL_UNLISTED_TOOL,
        &TOOL_ARGUMENTS_MISMATCH,
        &TOOL_INVALID_ARGUMENTS_ACCEPTED,
        &TOOL_ERROR_CHANNEL,
        &STRUCTURED_CONTENT_MISSING,
        &STRUCTURED_CONTENT_MISMATCH,
        &STRUCTURED_CONTENT_NOT_OBJECT,
        &STRUCTURED_CONTENT_WITHOUT_OUTPUT_SCHEMA,
        &STRUCTURED_CONTENT_NO_TEXT,
        &EMBEDDED_RESOURCE_WITHOUT_RESOURCES,
        &TOOL_ORDER_UNSTABLE,
        &TOOL_HEADER_ANNOTATION_INVALID,
        &TOOL_TASK_FORBIDDEN,
        &TOOL_TASK_REQUIRED,
    ],
};

const SINCE_2025_06_18: Revisions = Revisions::since(Revision::V2025_06_18);
const SINCE_2025_11_25: Revisions = Revisions::since(Revision::V2025_11_25);
const OBJECTS_ONLY: Revisions = Revisions::between(Revision::V2025_06_18, Revision::V2025_11_25);
const TASKS: Revisions = Revisions::only(Revision::V2025_11_25);

/// The tool that a call, or the call of an answer, names, as it was listed.
fn called<'a>(context: &Context<'a>) -> Option<&'a Tool> {
    let listed = &context.session.tools.listed;
    match context.request {
        Some(request) => listed.get(request.target.as_deref()?),
        None => listed.get(&context.get("name")?.as_str()?),
    }
}

/// A result that tells what the tool has done: no error, no task, no request for input.
fn is_outcome(context: &Context<'_>) -> bool {
    let complete = context.get("resultType").is_none_or(|kind| kind.text() == "\"complete\"");
    context.is_whole() && complete && !is_error(context) && context.get("task").is_none()
}

fn is_error(context: &Context<'_>) -> bool {
    context.get("isError").and_then(RawJson::as_bool) == Some(true)
}

const TOOL_NAME_FORMAT: Rule = Rule {
    id: "tool-name-format",
    title: "a tool has a name that others may not take",
    clauses: &[clause(SINCE_2025_11_25, Should, Severity::Note, "server/tools#tool-names")],
    explanation: "Names of tools have 1 to 128 characters: letters and digits of ASCII, underscore, hyphen and dot. Many \
                  clients hand the name to a model whose interface allows no others.",
    help: "use a short name without blanks and put the wording into `title`",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"read a note\",\"inputSchema\":{\"type\":\"object\"}}]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"read_note\",\"inputSchema\":{\"type\":\"object\"}}]}}",
    checks: &[On::Result(&["tools/list"], tool_name_format)],
};

fn tool_name_format(context: &Context<'_>, findings: &mut Findings) {
    for name in tool_entries(context).filter_map(|tool| tool.get("name")) {
        let Some(text) = name.as_str() else { continue };
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if let Some(bad) = text.chars().find(|char| !char.is_ascii() || !allowed(*char as u8)) {
            let message = format!("the name {} has {bad:?}; names have only A-Z a-z 0-9 _ - .", quoted(&text));
            findings.report(message).mark(name);
        } else if text.is_empty() || text.len() > 128 {
            findings.report(format!("a name has 1 to 128 characters, this one has {}", text.len())).mark(name);
        }
    }
}

const TOOL_NAME_DUPLICATE: Rule = Rule {
    id: "tool-name-duplicate",
    title: "two tools of a list have the same name",
    clauses: &[
        clause(
            Revisions::between(Revision::V2024_11_05, Revision::V2025_06_18),
            Implied,
            Severity::Warning,
            "server/tools#tool",
        ),
        clause(SINCE_2025_11_25, Should, Severity::Warning, "server/tools#tool-names"),
    ],
    explanation: "The name is what a call names, so it occurs once in the list of a server, over all its pages. In \
                  2026-07-28, where the list may change between two pages, only the names of one page are compared.",
    help: "rename one of them",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}}]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"Find\",\"inputSchema\":{\"type\":\"object\"}}]}}",
    checks: &[On::Result(&["tools/list"], tool_name_duplicate)],
};

fn tool_name_duplicate(context: &Context<'_>, findings: &mut Findings) {
    let carries_on = context.session.tools.listed.goes_on() && !context.is_modern();
    let later_page = carries_on && context.request.is_some_and(|request| request.cursor);
    let mut seen = HashSet::new();
    for name in tool_entries(context).filter_map(|tool| tool.get("name")) {
        let Some(text) = name.as_str() else { continue };
        let before = context.session.tools.listed.get(&text).filter(|_| later_page);
        if let Some(earlier) = before {
            findings
                .report(format!("{} stands on an earlier page of this list as well", quoted(&text)))
                .mark(name)
                .related(Some(earlier.at.0), earlier.at.1, "the earlier page");
        } else if !seen.insert(text.clone()) {
            findings.report(format!("{} stands in the list more than once", quoted(&text))).mark(name);
        }
    }
}

const TOOL_INPUT_SCHEMA_SHAPE: Rule = Rule {
    id: "tool-input-schema-shape",
    title: "a tool has no input schema of type object",
    clauses: &[clause(ALL, Schema, Severity::Error, "server/tools#tool")],
    explanation: "`inputSchema` is an object whose `type` is `\"object\"`, also for a tool without arguments.",
    help: "send `\"inputSchema\":{\"type\":\"object\"}` for a tool without arguments",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":null}]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}}]}}",
    checks: &[On::Result(&["tools/list"], tool_input_schema_shape)],
};

fn tool_input_schema_shape(context: &Context<'_>, findings: &mut Findings) {
    for tool in tool_entries(context).filter(|_| context.is_whole()) {
        match tool.get("inputSchema") {
            None => {
                findings.report(format!("the tool {} has no `inputSchema`", name_of(tool))).mark(tool);
            }
            Some(schema) => judge_root(tool, "inputSchema", schema, findings),
        }
    }
}

fn name_of(tool: RawJson<'_>) -> String {
    tool.get("name").and_then(RawJson::as_str).map_or_else(|| "without a name".to_owned(), |name| quoted(&name))
}

fn judge_root(tool: RawJson<'_>, member: &str, schema: RawJson<'_>, findings: &mut Findings) {
    let kind = schema.get("type");
    if kind.and_then(RawJson::as_str).is_none_or(|kind| kind != "object") {
        findings
            .report(format!("the `{member}` of the tool {} has to have `\"type\":\"object\"`", name_of(tool)))
            .mark(kind.unwrap_or(schema));
    }
}

const TOOL_SCHEMA_INVALID: Rule = Rule {
    id: "tool-schema-invalid",
    title: "a schema of a tool is no valid JSON Schema",
    clauses: &[clause(SINCE_2025_11_25, Must, Severity::Warning, "basic/index#schema-validation")],
    explanation: "Schemas are valid in the dialect that their `$schema` names, 2020-12 when they name none. A schema of an \
                  unknown dialect, or with references to elsewhere, is not judged: nothing is fetched.",
    help: "check the definition with a validator of its dialect",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\",\"required\":\"text\"}}]}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"text\"]}}]}}",
    checks: &[On::Result(&["tools/list"], tool_schema_invalid)],
};

fn tool_schema_invalid(context: &Context<'_>, findings: &mut Findings) {
    for tool in tool_entries(context).filter(|_| context.is_whole()) {
        for member in ["inputSchema", "outputSchema"] {
            let Some(raw) = tool.get(member).filter(|schema| schema.kind() == JsonKind::Object) else { continue };
            let Some(schema) = context.schemas.get(raw) else { continue };
            if let Some(fault) = schema.fault() {
                findings
                    .report(format!("the `{member}` of the tool {} is no valid schema: {fault}", name_of(tool)))
                    .mark(raw);
            }
        }
    }
}

const TOOL_OUTPUT_SCHEMA_SHAPE: Rule = Rule {
    id: "tool-output-schema-shape",
    title: "an output schema is not of type object",
    clauses: &[clause(OBJECTS_ONLY, Schema, Severity::Error, "server/tools#output-schema")],
    explanation: "Up to 2025-11-25 structured content is an object, and so is the type of `outputSchema`. 2026-07-28 allows \
                  every schema.",
    help: "wrap arrays and scalars in an object",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"string\"}}]}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\"}}]}}",
    checks: &[On::Result(&["tools/list"], tool_output_schema_shape)],
};

fn tool_output_schema_shape(context: &Context<'_>, findings: &mut Findings) {
    for tool in tool_entries(context).filter(|_| context.is_whole()) {
        if let Some(schema) = tool.get("outputSchema") {
            judge_root(tool, "outputSchema", schema, findings);
        }
    }
}

const TOOLS_CALL_UNLISTED_TOOL: Rule = Rule {
    id: "tools-call-unlisted-tool",
    title: "a tool is called that is not in the list",
    clauses: &[clause(ALL, Implied, Severity::Note, "server/tools#error-handling")],
    explanation: "A call names a tool that `tools/list` has shown. Servers may hide tools, so it is a note, and a warning \
                  where the server answers with an error. The rule is silent unless the capture has every page of the list, \
                  and once the server tells that the list has changed.",
    help: "list the tools again, or correct the name",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"search\"}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\"}}",
    checks: &[
        On::Request(&["tools/call"], tools_call_unlisted_tool),
        On::Error(&["tools/call"], unlisted_tool_refused),
    ],
};

fn tools_call_unlisted_tool(context: &Context<'_>, findings: &mut Findings) {
    let Some(name) = context.get("name") else { return };
    let Some(text) = name.as_str() else { return };
    if is_unlisted(context, &text) {
        findings.report(format!("no tool {} is in the list of the server", quoted(&text))).mark(name);
    }
}

fn is_unlisted(context: &Context<'_>, name: &str) -> bool {
    let listed = &context.session.tools.listed;
    listed.is_complete() && listed.get(name).is_none()
}

fn unlisted_tool_refused(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request else { return };
    let Some(name) = request.target.as_deref() else { return };
    if is_unlisted(context, name) {
        findings
            .report(format!("the server refuses the call of {}, which is not in its list", quoted(name)))
            .mark(context.body.raw)
            .related(Some(request.at.0), request.at.1, "called here")
            .severity(Severity::Warning);
    }
}

const TOOL_ARGUMENTS_MISMATCH: Rule = Rule {
    id: "tool-arguments-mismatch",
    title: "the arguments of a call do not fit the tool",
    clauses: &[clause(ALL, Implied, Severity::Warning, "server/tools#tool")],
    explanation: "`arguments` are what the `inputSchema` of the tool describes; none at all count as an empty object. The \
                  last list that the capture has counts; after the server has told that its list changed, it is a note. \
                  Before 2025-11-25 schemas have no dialect by default: one that is not valid as 2020-12 is not used.",
    help: "send what the schema of the tool asks for",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"limit\":{\"type\":\"integer\"}}}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\",\"arguments\":{\"limit\":\"all\"}}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"limit\":{\"type\":\"integer\"}}}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\",\"arguments\":{\"limit\":9}}}",
    checks: &[On::Request(&["tools/call"], tool_arguments_mismatch)],
};

fn tool_arguments_mismatch(context: &Context<'_>, findings: &mut Findings) {
    let Some(mismatch) = context.session.tools.mismatch(context) else { return };
    let Some(tool) = called(context) else { return };
    let draft = findings.report(format!("the arguments do not fit the tool: {}", told(&mismatch)));
    let arguments = context.get("arguments");
    draft.mark(arguments.map(|value| value_at(value, &mismatch)).or(context.get("name")));
    draft.related(Some(tool.at.0), tool.at.1, "the schema of the tool stands here");
    if context.session.tools.listed.is_stale() {
        draft.at_most(Severity::Note);
    }
}

fn told(mismatch: &Mismatch) -> String {
    match mismatch.path.is_empty() {
        true => mismatch.what.clone(),
        false => format!("{} at {}", mismatch.what, quoted(&mismatch.path.join("/"))),
    }
}

/// The place of a mismatch in the value, as far down as it can be followed.
fn value_at<'a>(value: RawJson<'a>, mismatch: &Mismatch) -> RawJson<'a> {
    mismatch.path.iter().fold(value, |value, step| {
        let deeper = match value.kind() {
            JsonKind::Array => step.parse().ok().and_then(|index| value.elements().nth(index)),
            _ => value.get(step),
        };
        deeper.unwrap_or(value)
    })
}

const TOOL_INVALID_ARGUMENTS_ACCEPTED: Rule = Rule {
    id: "tool-invalid-arguments-accepted",
    title: "a server reports success for arguments that its schema forbids",
    clauses: &[clause(ALL, Must, Severity::Warning, "server/tools#security-considerations")],
    explanation: "Servers validate what they are called with. A result without `\"isError\":true` for arguments that do not \
                  fit the schema of the tool says that this one does not, or that the schema is not what it checks.",
    help: "validate arguments before running the tool, or correct its schema",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"text\"]}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\"}}\nS> {\"id\":2,\"result\":{\"content\":[]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"text\"]}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\"}}\nS> {\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"what for?\"}],\"isError\":true}}",
    checks: &[On::Result(&["tools/call"], tool_invalid_arguments_accepted)],
};

fn tool_invalid_arguments_accepted(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|_| is_outcome(context)) else { return };
    if context.session.tools.was_unfit(request.at.0) {
        findings
            .report("the call succeeds, although its arguments do not fit the schema of the tool")
            .mark(context.body.raw)
            .related(Some(request.at.0), request.at.1, "called here");
    }
}

const TOOL_ERROR_CHANNEL: Rule = Rule {
    id: "tool-error-channel",
    title: "a failure of a tool and an error of the protocol are mixed up",
    clauses: &[clause(ALL, Implied, Severity::Note, "server/tools#error-handling")],
    explanation: "An unknown tool or a malformed request is a JSON-RPC error. What goes wrong inside a tool, from 2025-11-25 \
                  on also arguments that do not fit, is a result with `\"isError\":true`, so that the model can read it and \
                  try again. The capture tells only the code, hence a note.",
    help: "return failures of the tool as a result with `\"isError\":true` and the reason as text",
    fires: "C> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\",\"arguments\":{\"text\":\"x\"}}}\nS> {\"id\":2,\"error\":{\"code\":-32603,\"message\":\"the index is locked\"}}",
    silent: "C> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\",\"arguments\":{\"text\":\"x\"}}}\nS> {\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"the index is locked\"}],\"isError\":true}}",
    checks: &[On::Error(&["tools/call"], failure_as_error), On::Result(&["tools/call"], unknown_tool_as_failure)],
};

fn failure_as_error(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|request| !request.task) else { return };
    let Some(name) = request.target.as_deref() else { return };
    let Some(code) = context.get("code") else { return };
    let is_listed = context.session.tools.listed.get(name).is_some();
    let suspicious = match code.as_i64() {
        Some(-32603) => !is_unlisted(context, name),
        Some(-32602) => is_listed && context.revision >= Revision::V2025_11_25,
        _ => false,
    };
    if suspicious {
        findings
            .report(format!("{} answers a call of {} with a protocol error", code.text(), quoted(name)))
            .mark(code)
            .label("a failure of the tool is a result with `isError`");
    }
}

fn unknown_tool_as_failure(context: &Context<'_>, findings: &mut Findings) {
    let Some(name) = context.request.and_then(|request| request.target.as_deref()) else { return };
    if is_error(context) && is_unlisted(context, name) {
        findings
            .report(format!("an unknown tool, {}, is an error of the protocol, not a failure of a tool", quoted(name)))
            .mark(context.get("isError"))
            .help("answer with the error -32602");
    }
}

const STRUCTURED_CONTENT_MISSING: Rule = Rule {
    id: "structured-content-missing",
    title: "a result lacks the structured content that its tool promises",
    clauses: &[clause(SINCE_2025_06_18, Must, Severity::Error, "server/tools#output-schema")],
    explanation: "A tool that declares an `outputSchema` returns `structuredContent`. Results with `\"isError\":true` are \
                  let off, as most implementations read it.",
    help: "return `structuredContent`, or leave the `outputSchema` out of the definition",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"3\"}]}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"n\\\":3}\"}],\"structuredContent\":{\"n\":3}}}",
    checks: &[On::Result(&["tools/call"], structured_content_missing)],
};

fn structured_content_missing(context: &Context<'_>, findings: &mut Findings) {
    let Some(tool) = called(context).filter(|tool| tool.has_output && is_outcome(context)) else { return };
    if context.get("structuredContent").is_none() {
        let draft = findings.report("the tool declares an `outputSchema`, but the result has no `structuredContent`");
        draft.mark(context.body.raw).related(Some(tool.at.0), tool.at.1, "declared here");
        if context.session.tools.listed.is_stale() {
            draft.at_most(Severity::Note);
        }
    }
}

const STRUCTURED_CONTENT_MISMATCH: Rule = Rule {
    id: "structured-content-mismatch",
    title: "structured content does not fit the output schema of its tool",
    clauses: &[clause(SINCE_2025_06_18, Must, Severity::Error, "server/tools#output-schema")],
    explanation: "`structuredContent` conforms to the `outputSchema` of the tool; clients validate it and throw the result \
                  away if it does not. Results with `\"isError\":true` are let off.",
    help: "return what the schema describes, or correct the schema",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[],\"structuredContent\":{\"n\":\"three\"}}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[],\"structuredContent\":{\"n\":3}}}",
    checks: &[On::Result(&["tools/call"], structured_content_mismatch)],
};

fn structured_content_mismatch(context: &Context<'_>, findings: &mut Findings) {
    let Some(tool) = called(context).filter(|_| is_outcome(context)) else { return };
    let (Some(schema), Some(content)) = (&tool.output, context.get("structuredContent")) else { return };
    if let Some(mismatch) = schema.mismatch(content) {
        let draft =
            findings.report(format!("`structuredContent` does not fit the `outputSchema`: {}", told(&mismatch)));
        draft.mark(value_at(content, &mismatch)).related(Some(tool.at.0), tool.at.1, "declared here");
        if context.session.tools.listed.is_stale() {
            draft.at_most(Severity::Note);
        }
    }
}

const STRUCTURED_CONTENT_NOT_OBJECT: Rule = Rule {
    id: "structured-content-not-object",
    title: "structured content is no object",
    clauses: &[clause(OBJECTS_ONLY, Schema, Severity::Error, "server/tools#structured-content")],
    explanation: "Up to 2025-11-25 `structuredContent` is a JSON object. From 2026-07-28 on it may be any value.",
    help: "wrap arrays and scalars in an object",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[],\"structuredContent\":3}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[],\"structuredContent\":{\"n\":3}}}",
    checks: &[On::Result(&["tools/call", "tasks/result"], structured_content_not_object)],
};

fn structured_content_not_object(context: &Context<'_>, findings: &mut Findings) {
    if let Some(content) = context.get("structuredContent").filter(|content| content.kind() != JsonKind::Object) {
        findings
            .report(format!("`structuredContent` has to be an object, here it is {}", quoted(content.text())))
            .mark(content);
    }
}

const STRUCTURED_CONTENT_WITHOUT_OUTPUT_SCHEMA: Rule = Rule {
    id: "structured-content-without-output-schema",
    title: "structured content that no schema describes",
    clauses: &[clause(SINCE_2025_06_18, Implied, Severity::Note, "server/tools#structured-content")],
    explanation: "A tool may return `structuredContent` without declaring an `outputSchema`. It is legal, but nobody can \
                  check it or know its form beforehand.",
    help: "declare an `outputSchema`",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[],\"structuredContent\":{\"n\":3}}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[],\"structuredContent\":{\"n\":3}}}",
    checks: &[On::Result(&["tools/call"], structured_content_without_output_schema)],
};

fn structured_content_without_output_schema(context: &Context<'_>, findings: &mut Findings) {
    let Some(tool) = called(context).filter(|tool| !tool.has_output) else { return };
    if let Some(content) = context.get("structuredContent") {
        findings.report("the tool declares no `outputSchema` for this `structuredContent`").mark(content).related(
            Some(tool.at.0),
            tool.at.1,
            "the definition of the tool",
        );
    }
}

const STRUCTURED_CONTENT_NO_TEXT: Rule = Rule {
    id: "structured-content-no-text",
    title: "structured content does not stand in the text as well",
    clauses: &[clause(SINCE_2025_06_18, Should, Severity::Note, "server/tools#structured-content")],
    explanation: "For clients that know no structured content, a result should bring the same JSON in a text block.",
    help: "add the JSON of `structuredContent` as a block of type text",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"three\"}],\"structuredContent\":{\"n\":3}}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"count\"}}\nS> {\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"{ \\\"n\\\": 3 }\"}],\"structuredContent\":{\"n\":3}}}",
    checks: &[On::Result(&["tools/call"], structured_content_no_text)],
};

/// Structured content longer than this is not compared with the text.
const MAX_COMPARED: usize = 256 << 10;

fn structured_content_no_text(context: &Context<'_>, findings: &mut Findings) {
    let Some(content) = context.get("structuredContent").filter(|_| is_outcome(context)) else { return };
    if content.text().len() > MAX_COMPARED {
        return;
    }
    let blocks = context.get("content").into_iter().flat_map(RawJson::elements);
    let texts: Vec<_> = blocks.filter_map(|block| block.get("text")?.as_str()).collect();
    if texts.iter().any(|text| is_same_but_for_space(text, content.text())) {
        return;
    }
    // Most that is not the same does not even begin alike, and needs not be decoded to be told apart.
    let first = content.text().as_bytes().first();
    let alike = texts.iter().any(|text| text.trim_ascii_start().as_bytes().first() == first);
    if !alike && content.members().nth(1).is_some() {
        findings.report(NO_TEXT).mark(content);
        return;
    }
    let Ok(wanted) = serde_json::from_str::<Value>(content.text()) else { return };
    if texts.iter().any(|text| serde_json::from_str::<Value>(text).is_ok_and(|value| value == wanted)) {
        return;
    }
    // Some libraries wrap what a function returns into an object, and write the bare value as text.
    let only = wanted.as_object().filter(|members| members.len() == 1).and_then(|members| members.iter().next());
    let bare = only.filter(|(_, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        texts.iter().any(|text| **text == *value)
    });
    let message = match bare {
        Some((name, _)) => format!("the text holds the value of {}, and not the JSON around it", quoted(name)),
        None => NO_TEXT.to_owned(),
    };
    findings.report(message).mark(content);
}

const NO_TEXT: &str = "no text block holds the JSON of `structuredContent`";

/// Whether two JSON texts are the same but for the white space between their tokens: nearly all servers write both with
/// one serializer. Texts that differ otherwise can still have equal values.
fn is_same_but_for_space(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left, right);
    loop {
        // Up to the next quote no string is open; then comes one up to its closing quote.
        let ((tokens, string), (others, other)) = (at_quote(left), at_quote(right));
        if tokens != others && !without_space(tokens).eq(without_space(others)) {
            return false;
        }
        let (Some(string), Some(other)) = (string, other) else { return string.is_none() && other.is_none() };
        let Some(end) = end_of_string(string).filter(|end| string.get(..*end) == other.get(..*end)) else {
            return false;
        };
        (left, right) = (&string[end..], &other[end..]);
    }
}

fn without_space(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(|byte| !byte.is_ascii_whitespace())
}

fn at_quote(text: &str) -> (&str, Option<&str>) {
    text.split_once('"').map_or((text, None), |(before, behind)| (before, Some(behind)))
}

/// The place behind the quote that closes a string.
fn end_of_string(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

const EMBEDDED_RESOURCE_WITHOUT_RESOURCES: Rule = Rule {
    id: "embedded-resource-without-resources",
    title: "a tool embeds a resource, but the server declares no resources",
    clauses: &[clause(SINCE_2025_06_18, Should, Severity::Note, "server/tools#embedded-resources")],
    explanation: "Servers whose tools embed resources should implement the capability `resources`, so that a client can read \
                  them again.",
    help: "declare `resources`, or return the text itself",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\"}}\nS> {\"id\":2,\"result\":{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"memo://1\",\"text\":\"x\"}}]}}",
    silent: "@init 2025-06-18 {} {\"tools\":{},\"resources\":{}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\"}}\nS> {\"id\":2,\"result\":{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"memo://1\",\"text\":\"x\"}}]}}",
    checks: &[On::Result(&["tools/call"], embedded_resource_without_resources)],
};

fn embedded_resource_without_resources(context: &Context<'_>, findings: &mut Findings) {
    if context.declared(Side::Server, &["resources"]) != Some(false) {
        return;
    }
    let mut blocks = context.get("content").into_iter().flat_map(RawJson::elements);
    if let Some(block) = blocks.find(|block| block.get("type").is_some_and(|kind| kind.text() == "\"resource\"")) {
        findings.report("the result embeds a resource of a server that declares no `resources`").mark(block);
    }
}

const TOOL_ORDER_UNSTABLE: Rule = Rule {
    id: "tool-order-unstable",
    title: "the same tools are listed in another order",
    clauses: &[clause(MODERN, Should, Severity::Note, "server/tools#capabilities")],
    explanation: "A server should list the same set of tools in the same order, so that the definitions in a prompt do not \
                  change and caches keep their worth.",
    help: "sort the tools before listing them",
    fires: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"public\",\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"}}]}}\nC> {\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"public\",\"tools\":[{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}}]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"public\",\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"}}]}}\nC> {\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"public\",\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"}}]}}",
    checks: &[On::Result(&["tools/list"], tool_order_unstable)],
};

fn tool_order_unstable(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|_| context.is_whole() && context.get("nextCursor").is_none()) else {
        return;
    };
    if context.session.tools.is_reordered(context, !request.cursor) {
        findings.report("the list has the same tools as the last one, in another order").mark(context.get("tools"));
    }
}

const TOOL_HEADER_ANNOTATION_INVALID: Rule = Rule {
    id: "tool-header-annotation-invalid",
    title: "an argument is to become a header that cannot be one",
    clauses: &[clause(MODERN, Must, Severity::Error, "server/tools#x-mcp-header")],
    explanation: "`x-mcp-header` gives an argument to intermediaries as the header `Mcp-Param-NAME`. The name is a token of \
                  HTTP, unique in its schema without regard to case; the argument is a string, an integer or a boolean and \
                  is reached through `properties` alone. A client has to leave out tools that break this. On a pipe, where \
                  no headers are, it is a note.",
    help: "give each annotated argument a short name of its own, and annotate only plain values",
    fires: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"public\",\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"in\":{\"type\":\"string\",\"x-mcp-header\":\"Note Book\"}}}}]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"public\",\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"in\":{\"type\":\"string\",\"x-mcp-header\":\"Notebook\"}}}}]}}",
    checks: &[On::Result(&["tools/list"], tool_header_annotation_invalid)],
};

/// Levels of a schema that are looked through.
const MAX_LEVELS: usize = 64;

fn tool_header_annotation_invalid(context: &Context<'_>, findings: &mut Findings) {
    for schema in tool_entries(context).filter_map(|tool| tool.get("inputSchema")) {
        if memchr::memmem::find(schema.text().as_bytes(), b"x-mcp-header").is_some() {
            judge_annotations(context, schema, findings);
        }
    }
}

fn judge_annotations(context: &Context<'_>, schema: RawJson<'_>, findings: &mut Findings) {
    let mut names: HashSet<String> = HashSet::new();
    // Parts of the schema, how deep they lie, and whether `properties` alone lead there.
    let mut next = vec![(schema, 0, true)];
    while let Some((part, level, plain)) = next.pop() {
        if level > MAX_LEVELS {
            continue;
        }
        if let Some(annotation) = part.get("x-mcp-header") {
            let name = annotation.as_str().unwrap_or_default();
            let kind = part.get("type").and_then(RawJson::as_str).unwrap_or_default();
            let fault = if !is_token(&name) {
                Some("is no token of HTTP")
            } else if !names.insert(name.to_ascii_lowercase()) {
                Some("stands twice in this schema")
            } else if !matches!(&*kind, "string" | "integer" | "boolean") {
                Some("annotates what is no string, integer or boolean")
            } else if !plain {
                Some("is not reached through `properties` alone")
            } else {
                None
            };
            if let Some(fault) = fault {
                let draft = findings.report(format!("the header name {} {fault}", quoted(annotation.text())));
                draft.mark(annotation);
                if context.message.http.is_none() {
                    draft.at_most(Severity::Note);
                }
            }
        }
        for (name, value) in part.members() {
            match (&*name, value.kind()) {
                ("properties", JsonKind::Object) => {
                    next.extend(value.members().map(|(_, property)| (property, level + 1, plain)));
                }
                // Values, not schemas.
                ("default" | "const" | "enum" | "examples", _) => {}
                (_, JsonKind::Object) => next.push((value, level + 1, false)),
                (_, JsonKind::Array) => next.extend(value.elements().map(|element| (element, level + 1, false))),
                _ => {}
            }
        }
    }
}

/// Whether text is a token (RFC 9110, section 5.6.2).
fn is_token(text: &str) -> bool {
    let tchar = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(tchar)
}

const TOOL_TASK_FORBIDDEN: Rule = Rule {
    id: "tool-task-forbidden",
    title: "a tool that cannot be a task is called as one",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#tool-level-negotiation")],
    explanation: "A tool whose `execution.taskSupport` is `forbidden` or absent is not called with `task`.",
    help: "leave `task` out of the call",
    fires: "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":\"forbidden\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\",\"task\":{\"ttl\":1000}}}",
    silent: "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"find\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":\"optional\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\",\"task\":{\"ttl\":1000}}}",
    checks: &[On::Request(&["tools/call"], tool_task_forbidden)],
};

fn tool_task_forbidden(context: &Context<'_>, findings: &mut Findings) {
    let Some(tool) = called(context).filter(|tool| tool.tasks == TaskSupport::Forbidden) else { return };
    if let Some(task) = context.get("task") {
        let draft = findings.report("the tool does not allow to be called as a task");
        draft.mark(task).related(Some(tool.at.0), tool.at.1, "its `execution.taskSupport` is `forbidden` or absent");
        if context.session.tools.listed.is_stale() {
            draft.at_most(Severity::Note);
        }
    }
}

const TOOL_TASK_REQUIRED: Rule = Rule {
    id: "tool-task-required",
    title: "a tool that has to be a task is called without one",
    clauses: &[clause(TASKS, Must, Severity::Error, "basic/utilities/tasks#tool-level-negotiation")],
    explanation: "A tool whose `execution.taskSupport` is `required` is called with `task`, and a server answers other calls \
                  with the error -32601. It holds where the server has declared `tasks.requests.tools.call`.",
    help: "call the tool with `\"task\":{}`",
    fires: "@init 2025-11-25 {} {\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"index\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":\"required\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"index\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":\"required\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"index\"}}",
    checks: &[On::Request(&["tools/call"], tool_task_required), On::Result(&["tools/call"], tool_without_task)],
};

/// The tool of the call, if it has to be called as a task.
fn has_to_be_task<'a>(context: &Context<'a>) -> Option<&'a Tool> {
    let declared = context.declared(Side::Server, &["tasks", "requests", "tools", "call"]);
    called(context).filter(|tool| declared == Some(true) && tool.tasks == TaskSupport::Required)
}

fn tool_task_required(context: &Context<'_>, findings: &mut Findings) {
    let Some(tool) = has_to_be_task(context).filter(|_| context.is_whole()) else { return };
    if context.get("task").is_none() {
        findings
            .report("the tool has to be called as a task, and the call has no `task`")
            .mark(context.get("name"))
            .related(Some(tool.at.0), tool.at.1, "its `execution.taskSupport` is `required`");
    }
}

fn tool_without_task(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|request| !request.task) else { return };
    if has_to_be_task(context).is_some() {
        findings
            .report("the server runs a tool that has to be a task without one, where it answers with the error -32601")
            .mark(context.body.raw)
            .related(Some(request.at.0), request.at.1, "called here")
            .help("answer calls of this tool without `task` with the error -32601");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_between_tokens_makes_no_difference() {
        assert!(is_same_but_for_space(r#"{"a":[1,"x y"],"b":"\"q"}"#, "{ \"a\": [1, \"x y\"],\n  \"b\": \"\\\"q\"\n}"));
        assert!(is_same_but_for_space("7", " 7 ") && is_same_but_for_space("", ""));
        let different = [(r#"{"a":1}"#, r#"{"a":2}"#), (r#""x y""#, r#""x  y""#), (r#""x""#, r#""x"#), ("1", "\"1\"")];
        for (left, right) in different {
            assert!(!is_same_but_for_space(left, right), "{left} {right}");
        }
    }
}
