//! How sure a finding is: the same fault where the capture shows all of it, and where it shows a part.

use mcp_trace::annotate::Severity::{self, Error, Note, Warning};
use mcp_trace::rules::example;

use crate::judged::judge_lines;

/// What the capture shows, the rule, the session, and how bad the findings of the rule are.
pub(super) type Case = (&'static str, &'static str, &'static str, &'static [Severity]);

pub(super) const CASES: &[Case] = &[
    (
        "a session from its beginning",
        "response-without-request",
        "@init 2025-06-18 {} {}\nC> {\"id\":3,\"method\":\"ping\"}\nS> {\"id\":4,\"result\":{}}",
        &[Error],
    ),
    (
        "both sides, from the middle on",
        "response-without-request",
        "C> {\"id\":3,\"method\":\"ping\"}\nS> {\"id\":4,\"result\":{}}",
        &[Warning],
    ),
    ("one side, from the middle on", "response-without-request", "S> {\"id\":4,\"result\":{}}", &[Note]),
    ("the responses of HTTP alone", "response-without-request", "S[{}]> {\"id\":4,\"result\":{}}", &[]),
    (
        "both sides",
        "response-wrong-side",
        "@init 2025-06-18 {} {}\nC> {\"id\":17,\"method\":\"ping\"}\nC> {\"id\":17,\"result\":{}}",
        &[Error],
    ),
    (
        "the sender alone",
        "response-wrong-side",
        "C> {\"id\":17,\"method\":\"ping\"}\nC> {\"id\":17,\"result\":{}}",
        &[Note],
    ),
    (
        "two answers",
        "duplicate-response",
        "C> {\"id\":1,\"method\":\"ping\"}\nS> {\"id\":1,\"result\":{}}\nS> {\"id\":1,\"result\":{}}",
        &[Error],
    ),
    (
        "two answers as events that could be sent again",
        "duplicate-response",
        "C[{\":stream\":1}]> {\"id\":1,\"method\":\"ping\"}\n\
         S[{\":stream\":1,\":event-id\":\"e1\"}]> {\"id\":1,\"result\":{}}\n\
         S[{\":stream\":1,\":event-id\":\"e2\"}]> {\"id\":1,\"result\":{\"other\":1}}",
        &[Note],
    ),
    (
        "an id that waits",
        "duplicate-request-id",
        "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\n\
         C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
        &[Error],
    ),
    (
        "an id that was cancelled",
        "duplicate-request-id",
        "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\n\
         C> {\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n\
         C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
        &[],
    ),
    (
        "requests of HTTP, which may be of several clients",
        "duplicate-request-id",
        "C[{}]> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\n\
         C[{}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
        &[Note],
    ),
    (
        "a first request with an id that begins a count",
        "initialize-first",
        "C> {\"id\":1,\"method\":\"tools/list\"}",
        &[Note],
    ),
    ("the same, counted from 0", "initialize-first", "C> {\"id\":0,\"method\":\"tools/list\"}", &[Note]),
    ("a first request with a later id", "initialize-first", "C> {\"id\":7,\"method\":\"tools/list\"}", &[]),
    ("a first request of the server", "initialize-first", "S> {\"id\":1,\"method\":\"roots/list\"}", &[]),
    (
        "a notification while `initialize` waits",
        "server-request-before-initialized",
        "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"0\"}}}\n\
         S> {\"method\":\"notifications/tools/list_changed\"}",
        &[Note],
    ),
];

#[test]
fn a_finding_is_as_bad_as_the_capture_can_prove() {
    let mut wrong = Vec::new();
    for (what, rule, session, expected) in CASES {
        let found = judge_lines(&example::lines(session).unwrap());
        let severities: Vec<_> = found.iter().filter(|found| found.rule == *rule).map(|found| found.severity).collect();
        if severities != *expected {
            wrong.push(format!("{rule}, {what}: {severities:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
