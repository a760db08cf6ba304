//! What is wrong with a message is said once, however many requests or responses are inside it, and no finding is said
//! twice.

use std::collections::BTreeSet;

use mcp_trace::rules::{RULES, example};

use super::judged::judge_given;
use super::stateless;

/// Two requests inside a result, and the retry that answers both.
const SESSION: &str = r#"C> {"id":1,"method":"tools/call","params":{"name":"t","_meta":{"$M":"roots"}}}
S> {"id":1,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"},"b":{"method":"roots/list"}}}}
C> {"id":5,"method":"tools/call","params":{"name":"t","inputResponses":{"a":{"roots":[]},"b":{"roots":[]}},"_meta":{"$M":"roots"}}}"#;

/// A rule, what stands in a message, and what stands there instead.
const FAULTS: &[(&str, &str, &str)] = &[
    ("jsonrpc-version", "{\"id\":", "{\"jsonrpc\":\"1.0\",\"id\":"),
    ("jsonrpc-version", "> {\"id\":", "> !dup {\"jsonrpc\":2,\"id\":"),
    ("id-type", "\"id\":1,", "\"id\":1.5,"),
    ("id-type", "\"id\":5,", "\"id\":1.5,"),
    ("duplicate-member", "> {\"id\":", "> !dup {\"id\":1,\"id\":"),
    (
        "invalid-utf8",
        "> {\"id\":1,\"result\":{",
        "> !raw {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"note\":\"\\xF6\",",
    ),
    ("secret-in-message", "\"a\":{", "\"token\":\"ghp_0123456789abcdefghijABCDEFGHIJ456789\",\"a\":{"),
    ("http-version-header-missing", "C> {\"id\":5", "C[{\"Mcp-Method\":\"tools/call\",\"Mcp-Name\":\"t\"}]> {\"id\":5"),
];

#[test]
fn a_fault_of_a_message_is_said_once() {
    let mut wrong = Vec::new();
    for (rule, part, instead) in FAULTS {
        let mut tried = 0;
        for number in 0..SESSION.lines().count() {
            let mut lines: Vec<String> = SESSION.lines().map(str::to_owned).collect();
            if !lines[number].contains(part) || !lines[number].contains("\"a\":{") {
                continue;
            }
            tried += 1;
            lines[number] = lines[number].replacen(part, instead, 1);
            let found = judge_given(&example::lines(&lines.join("\n")).unwrap(), Default::default());
            let count = found.iter().filter(|found| found.rule == *rule && found.line == number as u64 + 1).count();
            if count != 1 {
                wrong.push(format!("{rule}, {count} times: {}", lines[number]));
            }
        }
        assert!(tried > 0, "{rule}: no message holds {part}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_finding_is_said_twice() {
    let own = RULES.iter().flat_map(|rule| [(rule.id, rule.fires), (rule.id, rule.silent)]);
    let mut wrong = Vec::new();
    for (what, session) in own.chain(stateless::CASES.iter().map(|(what, session, _)| (*what, *session))) {
        let found = judge_given(&example::lines(session).unwrap(), example::given(session).unwrap());
        let mut said = BTreeSet::new();
        for found in found {
            if !said.insert((found.place, found.whole.clone())) {
                wrong.push(format!("{what}: {}", found.whole));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
