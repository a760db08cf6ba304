//! Pagination: cursors go back to where they came from.
//! server/utilities/pagination of every revision.

use super::book::{Issued, LISTS};
use super::rule::Strength::Must;
use super::{ALL, Context, Family, Findings, LEGACY, On, Rule, clause, quoted};
use crate::annotate::Severity;

pub(super) const FAMILY: Family =
    Family { title: "Pagination", rules: &[&CURSOR_NOT_ISSUED, &CURSOR_WRONG_LIST, &CURSOR_OTHER_SESSION] };

const PAGE: &str = "server/utilities/pagination#implementation-guidelines";

/// Where the cursor of a request comes from.
fn origin(context: &Context<'_>) -> Option<Issued> {
    let cursor = context.get("cursor")?.as_str()?;
    Some(context.book.cursors.origin(context.message.session, context.method?, &cursor))
}

const CURSOR_NOT_ISSUED: Rule = Rule {
    id: "cursor-not-issued",
    title: "a cursor that no answer has given",
    clauses: &[clause(ALL, Must, Severity::Warning, PAGE)],
    explanation: "Cursors are opaque: a client hands back exactly the `nextCursor` that it was given. Where the capture \
                  begins after the session did, it is a note.",
    help: "send `nextCursor` of the last page, unchanged",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[],\"nextCursor\":\"after:9\"}}\nC> {\"id\":2,\"method\":\"tools/list\",\"params\":{\"cursor\":\"after:8\"}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[],\"nextCursor\":\"after:9\"}}\nC> {\"id\":2,\"method\":\"tools/list\",\"params\":{\"cursor\":\"after:9\"}}",
    checks: &[On::Request(LISTS, cursor_not_issued)],
};

fn cursor_not_issued(context: &Context<'_>, findings: &mut Findings) {
    if origin(context) != Some(Issued::Nowhere) {
        return;
    }
    let cursor = context.get("cursor");
    let text = cursor.map(|cursor| quoted(cursor.text())).unwrap_or_default();
    let draft = findings.report(format!("no page of this session gave the cursor {text}"));
    draft.mark(cursor);
    if !context.session.has_beginning() {
        draft.at_most(Severity::Note);
    }
}

const CURSOR_WRONG_LIST: Rule = Rule {
    id: "cursor-wrong-list",
    title: "a cursor of another list",
    clauses: &[clause(ALL, Must, Severity::Warning, PAGE)],
    explanation: "A cursor means something only to the list that gave it.",
    help: "keep the cursors of each list apart",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[],\"nextCursor\":\"after:9\"}}\nC> {\"id\":2,\"method\":\"resources/list\",\"params\":{\"cursor\":\"after:9\"}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[],\"nextCursor\":\"after:9\"}}\nC> {\"id\":2,\"method\":\"tools/list\",\"params\":{\"cursor\":\"after:9\"}}",
    checks: &[On::Request(LISTS, cursor_wrong_list)],
};

fn cursor_wrong_list(context: &Context<'_>, findings: &mut Findings) {
    if let Some(Issued::By(list)) = origin(context) {
        findings.report(format!("this cursor was given by {}", quoted(list))).mark(context.get("cursor"));
    }
}

const CURSOR_OTHER_SESSION: Rule = Rule {
    id: "cursor-other-session",
    title: "a cursor of another session",
    clauses: &[clause(LEGACY, Must, Severity::Warning, PAGE)],
    explanation: "Up to 2025-11-25 cursors must not be kept across sessions; 2026-07-28 no longer says so.",
    help: "begin each list without a cursor",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[],\"nextCursor\":\"after:9\"}}\n@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"cursor\":\"after:9\"}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[],\"nextCursor\":\"after:9\"}}\nC> {\"id\":2,\"method\":\"tools/list\",\"params\":{\"cursor\":\"after:9\"}}",
    checks: &[On::Request(LISTS, cursor_other_session)],
};

fn cursor_other_session(context: &Context<'_>, findings: &mut Findings) {
    if origin(context) == Some(Issued::Elsewhere) {
        findings.report("this cursor was given in another session").mark(context.get("cursor"));
    }
}
