//! Prompts and completion: names and arguments as listed, resources inside prompts, how many completions.
//! server/prompts and server/utilities/completion of every revision.

use super::rule::Strength::{Implied, Must, Schema, Should};
use super::{ALL, Context, Family, Findings, On, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::RawJson;

pub(super) const FAMILY: Family = Family {
    title: "Prompts and completion",
    rules: &[&PROMPT_UNLISTED, &EMBEDDED_RESOURCE_MIME_MISSING, &PROMPT_MISSING_ARGUMENT, &COMPLETION_TOO_MANY],
};

const PROMPT_UNLISTED: Rule = Rule {
    id: "prompt-unlisted",
    title: "a prompt is asked for that is not in the list",
    clauses: &[clause(ALL, Implied, Severity::Note, "server/prompts#error-handling")],
    explanation: "`prompts/get` and completions for a prompt name one that `prompts/list` has shown. The rule is silent \
                  unless the capture has every page of the list, and once the server tells that the list has changed.",
    help: "list the prompts again, or correct the name",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\"}\nS> {\"id\":1,\"result\":{\"prompts\":[{\"name\":\"summarise\"}]}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"summarize\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\"}\nS> {\"id\":1,\"result\":{\"prompts\":[{\"name\":\"summarise\"}]}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"summarise\"}}",
    checks: &[
        On::Request(&["prompts/get"], prompt_unlisted),
        On::Request(&["completion/complete"], completed_prompt_unlisted),
    ],
};

fn prompt_unlisted(context: &Context<'_>, findings: &mut Findings) {
    judge_name(context, context.get("name"), findings);
}

fn completed_prompt_unlisted(context: &Context<'_>, findings: &mut Findings) {
    let Some(reference) = context.get("ref") else { return };
    if reference.get("type").and_then(RawJson::as_str).is_some_and(|kind| kind == "ref/prompt") {
        judge_name(context, reference.get("name"), findings);
    }
}

fn judge_name(context: &Context<'_>, name: Option<RawJson<'_>>, findings: &mut Findings) {
    let listed = &context.session.prompts.listed;
    let Some(name) = name.filter(|_| listed.is_complete()) else { return };
    let Some(text) = name.as_str() else { return };
    if listed.get(&text).is_none() {
        findings.report(format!("no prompt {} is in the list of the server", quoted(&text))).mark(name);
    }
}

const EMBEDDED_RESOURCE_MIME_MISSING: Rule = Rule {
    id: "embedded-resource-mime-missing",
    title: "a resource inside a prompt has no MIME type",
    clauses: &[clause(ALL, Must, Severity::Note, "server/prompts#embedded-resources")],
    explanation: "The page on prompts wants a URI, a MIME type and text or blob of a resource that stands inside a message; \
                  the schema leaves the type out, hence a note. In results of tools it is optional on the page as well.",
    help: "add `mimeType`, `text/plain` for plain text",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"review\"}}\nS> {\"id\":1,\"result\":{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"resource\",\"resource\":{\"uri\":\"memo://1\",\"text\":\"buy milk\"}}}]}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"review\"}}\nS> {\"id\":1,\"result\":{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"resource\",\"resource\":{\"uri\":\"memo://1\",\"mimeType\":\"text/plain\",\"text\":\"buy milk\"}}}]}}",
    checks: &[On::Result(&["prompts/get"], embedded_resource_mime_missing)],
};

fn embedded_resource_mime_missing(context: &Context<'_>, findings: &mut Findings) {
    if !context.is_whole() {
        return;
    }
    for message in context.get("messages").into_iter().flat_map(RawJson::elements) {
        let Some(content) = message.get("content") else { continue };
        let is_resource = content.get("type").and_then(RawJson::as_str).is_some_and(|kind| kind == "resource");
        let Some(resource) = content.get("resource").filter(|_| is_resource) else { continue };
        if resource.get("mimeType").is_none() {
            findings.report("the resource in this message has no `mimeType`").mark(resource);
        }
    }
}

const PROMPT_MISSING_ARGUMENT: Rule = Rule {
    id: "prompt-missing-argument",
    title: "a prompt is asked for without an argument that it requires",
    clauses: &[clause(ALL, Should, Severity::Warning, "server/prompts#error-handling")],
    explanation: "Arguments that `prompts/list` marks as required come with every `prompts/get`. A server answers a request \
                  without them with the error -32602; one that returns a prompt all the same has a second finding. After \
                  the server has told that its list changed, both are a note.",
    help: "send every argument with `\"required\":true`; as server, check them before building the prompt",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\"}\nS> {\"id\":1,\"result\":{\"prompts\":[{\"name\":\"translate\",\"arguments\":[{\"name\":\"to\",\"required\":true}]}]}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"translate\",\"arguments\":{\"from\":\"en\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\"}\nS> {\"id\":1,\"result\":{\"prompts\":[{\"name\":\"translate\",\"arguments\":[{\"name\":\"to\",\"required\":true}]}]}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"translate\",\"arguments\":{\"to\":\"is\"}}}",
    checks: &[
        On::Request(&["prompts/get"], prompt_missing_argument),
        On::Result(&["prompts/get"], prompt_without_argument),
    ],
};

fn prompt_missing_argument(context: &Context<'_>, findings: &mut Findings) {
    // A retry of a multi round-trip request brings them again, but is not bound to.
    if !context.is_whole() || context.message.continues.is_some() {
        return;
    }
    if let Some(missing) = context.session.prompts.missing(&context.seen) {
        let draft = findings.report(format!("the argument {} is required and missing", quoted(missing)));
        draft.mark(context.get("arguments").or(context.get("name")));
        if context.session.prompts.listed.is_stale() {
            draft.at_most(Severity::Note);
        }
    }
}

fn prompt_without_argument(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request else { return };
    if context.session.prompts.lacked(request.at.0) {
        let draft = findings.report("the server returns a prompt although a required argument is missing, where it should answer with the error -32602");
        draft.mark(context.body.raw).related(Some(request.at.0), request.at.1, "asked for here");
        if context.session.prompts.listed.is_stale() {
            draft.at_most(Severity::Note);
        }
    }
}

const COMPLETION_TOO_MANY: Rule = Rule {
    id: "completion-too-many",
    title: "more than 100 completions in one answer",
    clauses: &[clause(ALL, Schema, Severity::Error, "server/utilities/completion#completion-results")],
    explanation: "`completion.values` holds at most 100 items, the best ones first; `total` and `hasMore` tell of the rest.",
    help: "send the first 100 values and set `hasMore`",
    fires: TOO_MANY,
    silent: "C> {\"id\":1,\"method\":\"completion/complete\",\"params\":{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"translate\"},\"argument\":{\"name\":\"to\",\"value\":\"i\"}}}\nS> {\"id\":1,\"result\":{\"completion\":{\"values\":[\"is\",\"it\"],\"total\":101,\"hasMore\":true}}}",
    checks: &[On::Result(&["completion/complete"], completion_too_many)],
};

/// The most completions of one answer.
const MOST_VALUES: usize = 100;

const TOO_MANY: &str = concat!(
    "C> {\"id\":1,\"method\":\"completion/complete\",\"params\":{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"translate\"},\"argument\":{\"name\":\"to\",\"value\":\"\"}}}\n",
    "S> {\"id\":1,\"result\":{\"completion\":{\"values\":[",
    "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",",
    "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",",
    "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",",
    "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",",
    "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"b\"]}}}"
);

fn completion_too_many(context: &Context<'_>, findings: &mut Findings) {
    let Some(values) = context.get("completion").and_then(|completion| completion.get("values")) else { return };
    let count = values.elements().count();
    if count > MOST_VALUES {
        findings.report(format!("{count} completions; an answer holds at most {MOST_VALUES}")).mark(values);
    }
}
