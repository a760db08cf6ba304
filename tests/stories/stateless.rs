//! Requests that bring their own declaration (2026-07-28).

use super::{AGREED, INITIALIZE, INITIALIZED, META, assert_told, bare, brief, stateless};

#[test]
fn stateless_requests_need_no_handshake() {
    let run = bare(&[
        &stateless(1, "tools/list"),
        r#""id":1,"error":{"code":-32022,"message":"Unsupported protocol version"}"#,
        &stateless(2, "server/discover"),
        r#""id":2,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}"#,
        &stateless(3, "tools/list"),
        r#""id":3,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}"#,
        &stateless(4, "server/discover"),
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req tools/list init",
            "2 1 s>c res tools/list init #1",
            "3 1 c>s req server/discover init",
            "4 1 s>c res server/discover init #3",
            "5 1 c>s req tools/list op",
            "6 1 s>c res tools/list op #5",
            "7 1 c>s req server/discover op~",
        ],
    );
    assert_eq!(run.messages[0].needs, ["?server.tools"]);
    assert_eq!(run.messages[4].needs, ["+server.tools"]);
}

fn meta(capabilities: &str) -> String {
    META.replace(
        r#""io.modelcontextprotocol/clientCapabilities":{}"#,
        &format!(r#""io.modelcontextprotocol/clientCapabilities":{capabilities}"#),
    )
}

#[test]
fn each_stateless_request_is_judged_by_what_it_declares_itself() {
    let with = meta(r#"{"elicitation":{}}"#);
    let ask = r#"{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"form"}}}}"#;
    let run = bare(&[
        &format!(r#""id":1,"method":"tools/call","params":{{"name":"a",{with}}}"#),
        &format!(r#""id":2,"method":"tools/call","params":{{"name":"b",{META}}}"#),
        &format!(r#""id":1,"result":{ask}"#),
        &format!(r#""id":2,"result":{ask}"#),
    ]);
    let needs: Vec<_> = run.embedded_needs.iter().map(|(of, needs)| (*of, needs.join(" "))).collect();
    assert_eq!(
        needs,
        [
            (3, "+client.elicitation +client.elicitation.form".to_owned()),
            (4, "-client.elicitation -client.elicitation.form".to_owned()),
        ]
    );
}

#[test]
fn discovery_counts_for_stateless_requests_also_behind_a_handshake() {
    let discovered = r#""id":5,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}},"ttlMs":0,"cacheScope":"public"}"#;
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        &stateless(5, "server/discover"),
        discovered,
        &stateless(6, "prompts/list"),
        r#""id":7,"method":"prompts/list""#,
    ]);
    assert_eq!(run.messages[5].needs, ["+server.prompts"]);
    assert_eq!(run.messages[6].needs, ["-server.prompts"]);
}

#[test]
fn stateless_traffic_may_follow_a_refused_handshake() {
    let run = bare(&[
        INITIALIZE,
        r#""id":0,"error":{"code":-32022,"message":"Unsupported protocol version"}"#,
        &stateless(1, "server/discover"),
        r#""id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}"#,
        &stateless(2, "tools/list"),
        r#""id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}"#,
    ]);
    assert_eq!(
        brief(&run)[2..],
        [
            "3 1 c>s req server/discover init",
            "4 1 s>c res server/discover init #3",
            "5 1 c>s req tools/list op",
            "6 1 s>c res tools/list op #5"
        ]
    );
    assert_eq!(run.messages[4].needs, ["+server.tools"]);
}
