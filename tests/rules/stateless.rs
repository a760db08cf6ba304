//! Stateless sessions in which messages cross, repeat or look alike: what the rules have to say of them, and where they
//! have to be silent.

use std::collections::BTreeSet;

use mcp_trace::annotate::Severity;
use mcp_trace::rules::{FAMILIES, example};

use crate::judged::judge_lines;

/// What happens, the session, and the rules that are broken by more than a note.
pub(super) type Case = (&'static str, &'static str, &'static [&'static str]);

pub(super) const CASES: &[Case] = &[
    (
        "twin calls with equal states are each continued",
        r#"C> {"id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"b":2},"_meta":{"$M":"roots"}}}
C> {"id":2,"method":"tools/call","params":{"name":"t","arguments":{"b":2,"a":1},"_meta":{"$M":"roots"}}}
S> {"id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"x":{"method":"roots/list"}}}}
S> {"id":2,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"y":{"method":"roots/list"}}}}
C> {"id":3,"method":"tools/call","params":{"name":"t","arguments":{"a":1.0,"b":2},"requestState":"s","inputResponses":{"x":{"roots":[]}},"_meta":{"$M":"roots"}}}
C> {"id":4,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"b":2},"requestState":"\u0073","inputResponses":{"y":{"roots":[]}},"_meta":{"$M":"roots"}}}"#,
        &[],
    ),
    (
        "a retry is sent again, and no arguments are empty arguments",
        r#"C> {"id":1,"method":"prompts/get","params":{"name":"p","_meta":{"$M":"roots"}}}
S> {"id":1,"result":{"resultType":"input_required","inputRequests":{"x":{"method":"roots/list"}}}}
C> {"id":2,"method":"prompts/get","params":{"name":"p","arguments":{},"inputResponses":{"x":{"roots":[]}},"_meta":{"$M":"roots"}}}
C> {"id":3,"method":"prompts/get","params":{"name":"p","inputResponses":{"x":{"roots":[]}},"_meta":{"$M":"roots"}}}"#,
        &[],
    ),
    (
        "a second round asks with a new state, and the client sends the old one",
        r#"C> {"id":1,"method":"prompts/get","params":{"name":"p","_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"input_required","requestState":"one"}}
C> {"id":2,"method":"prompts/get","params":{"name":"p","requestState":"one","_meta":{"$M":""}}}
S> {"id":2,"result":{"resultType":"input_required","requestState":"two"}}
C> {"id":3,"method":"prompts/get","params":{"name":"p","requestState":"three","_meta":{"$M":""}}}"#,
        &["mrtr-state-not-echoed"],
    ),
    (
        "an answered form is judged by the request that it answers",
        r#"C> {"id":1,"method":"prompts/get","params":{"name":"p","_meta":{"$M":"roots"}}}
S> {"id":1,"result":{"resultType":"input_required","inputRequests":{"x":{"method":"roots/list"}}}}
C> {"id":2,"method":"prompts/get","params":{"name":"p","inputResponses":{"x":{"action":"accept"}},"_meta":{"$M":"roots"}}}"#,
        &["mrtr-response-type"],
    ),
    (
        "an answer about a task is overtaken by a notification of its end",
        r#"C> {"id":1,"method":"subscriptions/listen","params":{"notifications":{"taskIds":["k"]},"_meta":{"$M":"tasks"}}}
S> {"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["k"]},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
C> {"id":2,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks"}}}
S> {"method":"notifications/tasks","params":{"taskId":"k","status":"cancelled","createdAt":"2026-09-01T08:00:00Z","lastUpdatedAt":"2026-09-01T08:00:05Z","ttlMs":null,"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
S> {"id":2,"result":{"resultType":"complete","taskId":"k","status":"working","createdAt":"2026-09-01T08:00:00Z","lastUpdatedAt":"2026-09-01T08:00:04Z","ttlMs":null}}"#,
        &[],
    ),
    (
        "a task that has ended works again, as the times say",
        r#"C> {"id":1,"method":"subscriptions/listen","params":{"notifications":{"taskIds":["k"]},"_meta":{"$M":"tasks"}}}
S> {"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["k"]},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
S> {"method":"notifications/tasks","params":{"taskId":"k","status":"cancelled","createdAt":"2026-09-01T08:00:00Z","lastUpdatedAt":"2026-09-01T08:00:05Z","ttlMs":null,"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
S> {"method":"notifications/tasks","params":{"taskId":"k","status":"working","createdAt":"2026-09-01T08:00:00Z","lastUpdatedAt":"2026-09-01T08:00:06Z","ttlMs":null,"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#,
        &["task-ext-transition"],
    ),
    (
        "a task asks again under a key that is answered",
        r#"C> {"id":1,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks"}}}
S> {"id":1,"result":{"resultType":"complete","taskId":"k","status":"input_required","createdAt":"2026-09-01T08:00:00Z","lastUpdatedAt":"2026-09-01T08:00:01Z","ttlMs":null,"inputRequests":{"a":{"method":"roots/list"}}}}
C> {"id":2,"method":"tasks/update","params":{"taskId":"k","inputResponses":{"a":{"roots":[]}},"_meta":{"$M":"tasks"}}}
S> {"id":2,"result":{"resultType":"complete"}}
C> {"id":3,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks"}}}
S> {"id":3,"result":{"resultType":"complete","taskId":"k","status":"working","createdAt":"2026-09-01T08:00:00Z","lastUpdatedAt":"2026-09-01T08:00:02Z","ttlMs":null}}
C> {"id":4,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks"}}}
S> {"id":4,"result":{"resultType":"complete","taskId":"k","status":"input_required","createdAt":"2026-09-01T08:00:00Z","lastUpdatedAt":"2026-09-01T08:00:03Z","ttlMs":null,"inputRequests":{"a":{"method":"roots/list"}}}}"#,
        &["task-ext-key-reuse"],
    ),
    (
        "id and token of a call that became a task are used again",
        r#"C> {"id":1,"method":"tools/call","params":{"name":"t","_meta":{"$M":"tasks","progressToken":1}}}
S> {"id":1,"result":{"resultType":"task","taskId":"k","status":"working","createdAt":"2026-09-01T08:00:00Z","lastUpdatedAt":"2026-09-01T08:00:00Z","ttlMs":null}}
C> {"id":1,"method":"tools/call","params":{"name":"t","_meta":{"$M":"tasks","progressToken":1}}}
S> {"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
C> {"method":"notifications/cancelled","params":{"requestId":1}}"#,
        &[],
    ),
    (
        "notifications under way when the client cancels a stream, and one that comes long after",
        r#"C> {"id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"$M":""}}}
S> {"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
C> {"method":"notifications/cancelled","params":{"requestId":1}}
S> {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
C> {"id":2,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S> {"id":2,"result":{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}}"#,
        &[],
    ),
    (
        "a notification after a cancelled stream, once the server has answered a later request",
        r#"C> {"id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"$M":""}}}
S> {"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
C> {"method":"notifications/cancelled","params":{"requestId":1}}
C> {"id":2,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S> {"id":2,"result":{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}}
S> {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#,
        &["subscription-after-end"],
    ),
    (
        "two streams on one pipe, each acknowledged in its turn",
        r#"C> {"id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"$M":""}}}
C> {"id":"1","method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true},"_meta":{"$M":""}}}
S> {"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}}
S> {"method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}}
S> {"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
S> {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}"#,
        &[],
    ),
    (
        "a probe that falls back: what follows the handshake is of the older revision",
        r#"C> {"id":1,"method":"server/discover","params":{"_meta":{"$M":"roots"}}}
S> {"id":1,"error":{"code":-32601,"message":"unknown"}}
@init 2025-11-25 {"roots":{}} {"tools":{}}
S> {"id":1,"method":"roots/list"}
C> {"id":1,"result":{"roots":[]}}
C> {"id":2,"method":"tools/list"}
S> {"id":2,"result":{"tools":[]}}
S> {"method":"notifications/tools/list_changed"}"#,
        &[],
    ),
    (
        "a handshake after stateless work is refused without the versions of the server",
        r#"C> {"id":1,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}}
C> {"id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
S> {"id":2,"error":{"code":-32602,"message":"no"}}"#,
        &[],
    ),
    (
        "a handshake is tried after stateless work with a server that has refused a version",
        r#"C> {"id":1,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}
S> {"id":1,"error":{"code":-32022,"message":"version","data":{"requested":"2027-01-01","supported":["2026-07-28"]}}}
C> {"id":2,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S> {"id":2,"result":{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}}
C> {"id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
S> {"id":3,"error":{"code":-32601,"message":"only 2026-07-28"}}"#,
        &["legacy-fallback-after-modern-error"],
    ),
    (
        "a request inside a result asks for tools and context that the answered request has not declared",
        r#"C> {"id":1,"method":"prompts/get","params":{"name":"p","_meta":{"$M":"sampling"}}}
S> {"id":1,"result":{"resultType":"input_required","inputRequests":{"x":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":5,"tools":[],"includeContext":"allServers"}}}}}"#,
        &["mrtr-capability-not-declared"],
    ),
    (
        "a version that nobody knows is a stateless one, when it stands in a request",
        r#"C> {"id":1,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}
S> {"id":1,"result":{"prompts":[],"ttlMs":0,"cacheScope":"private"}}"#,
        &["result-type-missing"],
    ),
    (
        "keys in arguments and structured content are the tool's own, those on a block of content are not",
        r#"C> {"id":1,"method":"tools/call","params":{"name":"t","arguments":{"_meta":{"-a":1}},"_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"complete","structuredContent":{"_meta":{"-b":1}},"content":[{"type":"text","text":"x","_meta":{"-c":1}}]}}"#,
        &["meta-key-format"],
    ),
    (
        "the end of a capture that is cut is no end of a stream",
        r#"C> {"id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":{"$M":""}}}"#,
        &[],
    ),
    (
        "progress and response of one call on its stream, and another call beside it",
        r#"C[{":stream":"1"}]> {"id":1,"method":"tools/call","params":{"name":"t","_meta":{"$M":"","progressToken":1}}}
S[{":stream":"1"}]> {"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
S[{":stream":"1"}]> {"id":1,"result":{"resultType":"complete","content":[]}}
C[{":stream":"2"}]> {"id":2,"method":"tools/call","params":{"name":"t","_meta":{"$M":""}}}
S[{":stream":"2"}]> {"id":2,"result":{"resultType":"complete","content":[]}}"#,
        &[],
    ),
    (
        "notifications and responses of a client are accepted with 202, and the stream of a GET lives beside",
        r#"@init 2025-11-25 {"roots":{}} {"tools":{"listChanged":true}}
S[{":stream":"get",":event-id":"1"}]> {"id":7,"method":"roots/list"}
S[{":stream":"get",":event-id":"2"}]> {"method":"notifications/tools/list_changed"}
C[{":stream":"answer"}]> {"id":7,"result":{"roots":[]}}
C[{":stream":"call"}]> {"id":1,"method":"tools/list"}
S[{":stream":"call"}]> {"id":1,"result":{"tools":[]}}"#,
        &[],
    ),
];

#[test]
fn what_crosses_repeats_or_looks_alike_is_told_apart() {
    let watched: BTreeSet<&str> = FAMILIES
        .iter()
        .filter(|family| ["Modern era", "Extension", "HTTP"].iter().any(|words| family.title.starts_with(words)))
        .flat_map(|family| family.rules.iter().map(|rule| rule.id))
        .collect();
    assert!(watched.len() > 80, "only {} rules", watched.len());
    let mut wrong = Vec::new();
    for (what, session, expected) in CASES {
        let found = judge_lines(&example::lines(session).unwrap());
        let broken = found.iter().filter(|found| found.severity > Severity::Note && watched.contains(found.rule));
        let broken: BTreeSet<_> = broken.map(|found| found.rule).collect();
        if broken != expected.iter().copied().collect() {
            wrong.push(format!("{what}: {broken:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
