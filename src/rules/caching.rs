//! How long and for whom results may be kept: the hints are there, make sense, and agree from page to page.
//! server/utilities/caching of 2026-07-28.

use super::rule::Strength::{Implied, Must};
use super::{Context, Family, Findings, MODERN, On, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};

pub(super) const FAMILY: Family = Family {
    title: "Modern era: caching hints",
    rules: &[
        &CACHE_HINTS_MISSING,
        &CACHE_HINTS_INVALID,
        &CACHE_SCOPE_CHANGED_BETWEEN_PAGES,
        &CACHE_HINTS_ON_INPUT_REQUIRED,
    ],
};

const RESULTS: &str = "server/utilities/caching#cacheable-results";

/// Methods whose results carry hints.
const CACHED: &[&str] =
    &["prompts/list", "resources/list", "resources/read", "resources/templates/list", "server/discover", "tools/list"];

const CACHE_HINTS_MISSING: Rule = Rule {
    id: "cache-hints-missing",
    title: "a result does not say how long it may be kept",
    clauses: &[clause(MODERN, Must, Severity::Error, RESULTS)],
    explanation: "Complete results of `server/discover`, of the lists and of `resources/read` have `ttlMs` and `cacheScope`.",
    help: "send both; `\"ttlMs\":0,\"cacheScope\":\"private\"` forbids to keep the result",
    fires: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"tools\":[],\"ttlMs\":1000}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"tools\":[],\"ttlMs\":1000,\"cacheScope\":\"public\"}}",
    checks: &[On::Result(CACHED, cache_hints_missing)],
};

fn cache_hints_missing(context: &Context<'_>, findings: &mut Findings) {
    let stateless = context.request.is_some_and(|request| request.version.is_some());
    if !stateless || !context.is_whole() || !is_complete(context) {
        return;
    }
    let missing: Vec<_> = ["ttlMs", "cacheScope"].into_iter().filter(|name| context.get(name).is_none()).collect();
    if !missing.is_empty() {
        findings.report(format!("the result has no `{}`", missing.join("` and no `"))).mark(context.top("result"));
    }
}

/// `resultType` is `complete`, or missing, which means the same.
fn is_complete(context: &Context<'_>) -> bool {
    context.get("resultType").is_none_or(|kind| kind.as_str().is_some_and(|kind| kind == "complete"))
}

const CACHE_HINTS_INVALID: Rule = Rule {
    id: "cache-hints-invalid",
    title: "a caching hint has no legal value",
    clauses: &[clause(MODERN, Must, Severity::Error, "server/utilities/caching#time-to-live-ttl-field")],
    explanation: "`ttlMs` is a whole number of milliseconds, 0 or more; `cacheScope` is `public` or `private`.",
    help: "send `ttlMs` of 0 for a result that may not be kept",
    fires: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"tools\":[],\"ttlMs\":\"5s\",\"cacheScope\":\"public\"}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"tools\":[],\"ttlMs\":5000,\"cacheScope\":\"public\"}}",
    checks: &[On::Result(CACHED, cache_hints_invalid)],
};

fn cache_hints_invalid(context: &Context<'_>, findings: &mut Findings) {
    if let Some(ttl) = context.get("ttlMs") {
        let whole = ttl.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0);
        if !whole {
            findings.report(format!("`ttlMs` is {}", quoted(ttl.text()))).mark(ttl);
        }
    }
    if let Some(scope) = context.get("cacheScope") {
        let known = scope.as_str().is_some_and(|scope| matches!(scope.as_ref(), "public" | "private"));
        if !known {
            findings.report(format!("`cacheScope` is {}", quoted(scope.text()))).mark(scope);
        }
    }
}

const CACHE_SCOPE_CHANGED_BETWEEN_PAGES: Rule = Rule {
    id: "cache-scope-changed-between-pages",
    title: "the pages of one list have different cache scopes",
    clauses: &[clause(MODERN, Must, Severity::Error, "server/utilities/caching#interaction-with-pagination")],
    explanation: "All pages of a list are for everybody or for one user; how long each may be kept can differ.",
    help: "give all pages of a list the same `cacheScope`",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"nextCursor\":\"2\",\"ttlMs\":0,\"cacheScope\":\"public\"}}\nC> {\"id\":2,\"method\":\"prompts/list\",\"params\":{\"cursor\":\"2\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"nextCursor\":\"2\",\"ttlMs\":9000,\"cacheScope\":\"public\"}}\nC> {\"id\":2,\"method\":\"prompts/list\",\"params\":{\"cursor\":\"2\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"public\"}}",
    checks: &[On::Result(
        &["prompts/list", "resources/list", "resources/templates/list", "tools/list"],
        cache_scope_changed_between_pages,
    )],
};

fn cache_scope_changed_between_pages(context: &Context<'_>, findings: &mut Findings) {
    let before = context.message.answers.and_then(|n| context.session.caching.before(n));
    let (Some((before, at)), Some(scope)) = (before, context.get("cacheScope")) else { return };
    if scope.as_str().is_some_and(|scope| scope != before.as_str()) {
        findings
            .report(format!("this page is {}, the one before it `{before}`", quoted(scope.text())))
            .mark(scope)
            .related(Some(at.0), at.1, "the page before");
    }
}

const CACHE_HINTS_ON_INPUT_REQUIRED: Rule = Rule {
    id: "cache-hints-on-input-required",
    title: "a result that asks for input has caching hints",
    clauses: &[clause(MODERN, Implied, Severity::Note, RESULTS)],
    explanation: "An `input_required` result is a step on the way and nothing to keep; hints belong to complete results.",
    help: "leave `ttlMs` and `cacheScope` out",
    fires: "C> {\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"memo://1\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"x\",\"ttlMs\":0}}",
    silent: "C> {\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"memo://1\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"x\"}}",
    checks: &[On::Result(&["prompts/get", "resources/read", "tools/call"], cache_hints_on_input_required)],
};

fn cache_hints_on_input_required(context: &Context<'_>, findings: &mut Findings) {
    let kind = context.get("resultType").filter(|kind| kind.kind() == JsonKind::String).and_then(RawJson::as_str);
    if kind.is_none_or(|kind| kind != "input_required") {
        return;
    }
    if let Some(hint) = context.get("ttlMs").or_else(|| context.get("cacheScope")) {
        findings.report("a result that asks for input has caching hints").mark(hint);
    }
}
