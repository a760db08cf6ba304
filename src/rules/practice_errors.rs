//! Practice, errors that are not what they look like: those that a library has made up on its own side, and the habits of
//! well-known SDKs.

use super::{ALL, Context, Family, Findings, LEGACY, On, Rule, practice, quoted};
use crate::protocol::{Revision, Side, error_meaning};
use crate::transcript::Half;

pub(super) const FAMILY: Family = Family {
    title: "Practice: errors of libraries",
    rules: &[&CLIENT_MADE_ERROR, &TRANSPORT_MADE_ERROR, &ERROR_CODE_ZERO],
};

/// The code of the error, if libraries use it for errors of their own that no specification knows.
fn library_code(context: &Context<'_>) -> Option<(i64, &'static str)> {
    let code = context.get("code")?.as_i64()?;
    let row = error_meaning(code, Some(Revision::LATEST)).filter(|row| row.revisions.is_none())?;
    row.origin.ends_with("SDK").then_some((code, row.meaning))
}

/// A status of HTTP that says that the request failed.
fn failed_status(context: &Context<'_>) -> Option<u16> {
    context.message.http.filter(|http| http.half == Half::Response)?.status.filter(|status| *status >= 400)
}

const CLIENT_MADE_ERROR: Rule = Rule {
    id: "client-made-error",
    title: "an error that the client's own library may have made",
    clauses: &[practice(LEGACY)],
    explanation: "-32000 (connection closed) and -32001 (request timed out) are what libraries hand to their own program when \
                  no answer came. A log of the host shows them as if the server had sent them; the server never did, and \
                  often goes on with the work. Over HTTP a failed status says who made the error: `transport-made-error`.",
    help: "look into the log of the server: it died, or it was too slow",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"sow\"}}\nS> {\"id\":1,\"error\":{\"code\":-32001,\"message\":\"took too long\"}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"sow\"}}\nS> {\"id\":1,\"error\":{\"code\":-32603,\"message\":\"took too long\"}}",
    checks: &[On::Error(&[], client_made_error)],
};

fn client_made_error(context: &Context<'_>, findings: &mut Findings) {
    if context.sender != Some(Side::Server) || failed_status(context).is_some() || is_nameless(context) {
        return;
    }
    if let Some((code, meaning)) = library_code(context) {
        findings
            .report(format!("{code} is mostly no answer of the server: {}", first_sentence(meaning)))
            .mark(context.get("code"));
    }
}

/// The error does not say what it answers, so that no library has made it for a waiting request.
fn is_nameless(context: &Context<'_>) -> bool {
    context.message.id.as_ref().is_none_or(|id| id.raw() == "null")
}

fn first_sentence(text: &str) -> String {
    let sentence = text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.');
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

const TRANSPORT_MADE_ERROR: Rule = Rule {
    id: "transport-made-error",
    title: "an error of the HTTP layer, not of the server behind it",
    clauses: &[practice(ALL)],
    explanation: "Libraries answer what they refuse at the door themselves, before any session or tool has seen it: a missing \
                  header, an unknown session, a method that is not allowed. They take -32000 or -32001 for it, with no id, \
                  or with an id that no request had, such as `\"server-error\"`.",
    help: "look at the status and the headers of the exchange rather than at the server's code",
    fires: "C[{\":status\":400}]> {\"id\":1,\"method\":\"tools/list\"}\nS[{\":status\":400}]> {\"id\":null,\"error\":{\"code\":-32000,\"message\":\"no session\"}}",
    silent: "C[{\":status\":400}]> {\"id\":1,\"method\":\"tools/list\"}\nS[{\":status\":400}]> {\"id\":1,\"error\":{\"code\":-32602,\"message\":\"no session\"}}",
    checks: &[On::Error(&[], transport_made_error)],
};

fn transport_made_error(context: &Context<'_>, findings: &mut Findings) {
    if context.sender != Some(Side::Server) {
        return;
    }
    let id = context.message.id.as_ref().map_or("", |id| id.raw());
    let invented = id == "\"server-error\"" && context.message.answers.is_none();
    let status = failed_status(context);
    let by_code = library_code(context).filter(|_| status.is_some());
    let what = match (invented, by_code) {
        (true, _) => format!("no request has the id {}", quoted(id)),
        (false, Some((code, _))) => format!("{code} is no code of a revision"),
        (false, None) => return,
    };
    let status = status.map_or_else(String::new, |status| format!(" with the status {status}"));
    findings.report(format!("{what}: this answer{status} comes from the HTTP layer")).mark(if invented {
        context.top("id")
    } else {
        context.get("code")
    });
}

const ERROR_CODE_ZERO: Rule = Rule {
    id: "error-code-zero",
    title: "an error has the code 0",
    clauses: &[practice(ALL)],
    explanation: "Some libraries, the SDK for Python among them, answer 0 when the code of a program failed in a way that it \
                  did not provide for. The code says nothing, and the message is that of the exception.",
    help: "catch what can go wrong and answer with a code, or with `isError` in the result of a tool",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\"}}\nS> {\"id\":1,\"error\":{\"code\":0,\"message\":\"p\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\"}}\nS> {\"id\":1,\"error\":{\"code\":-32602,\"message\":\"p\"}}",
    checks: &[On::Error(&[], error_code_zero)],
};

fn error_code_zero(context: &Context<'_>, findings: &mut Findings) {
    if let Some(code) = context.get("code").filter(|code| code.as_i64() == Some(0)) {
        let side = context.sender.map_or("other side", Side::as_str);
        findings
            .report(format!("the code 0 says that something failed in the {side} that it did not expect"))
            .mark(code);
    }
}
