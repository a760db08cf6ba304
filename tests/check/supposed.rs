//! What if something else had been negotiated.

use serde_json::{Value, json};

use super::program::{Case, check, folder, run_cases};
use super::{TROUBLE, case};

const HANDSHAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/sessions/2025-11-25/handshake.jsonl");
const INPUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/sessions/2026-07-28/input-required.jsonl");
const EVERYTHING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/sessions/2025-11-25/everything.jsonl");

#[test]
fn capabilities_come_and_go() {
    run_cases(
        "supposed",
        &[
            Case {
                args: &[HANDSHAKE, "--without", "server.tools"],
                code: 1,
                with: &[
                    "which needs server.tools, which `--without server.tools` takes away  [capability-not-negotiated]",
                    "without server.tools: 3 requests (tools/list, 2 tools/call) would not be allowed; lost: tools",
                ],
                without: &["what the server declared"],
                ..case("without tools")
            },
            Case {
                args: &[HANDSHAKE, "--without", "server.tools.listChanged"],
                code: 0,
                with: &["without server.tools.listChanged: no message is concerned"],
                ..case("without what nobody needs")
            },
            Case {
                args: &[EVERYTHING, "--without", "client.sampling", "--without", "server.resources"],
                code: 1,
                with: &[
                    "without client.sampling: 2 requests (2 sampling/createMessage) would not be allowed; lost: sampling",
                    "without server.resources: ",
                    "resources.subscribe",
                ],
                ..case("without two")
            },
            Case {
                args: &[TROUBLE, "--with", "server.prompts", "--with", "client.elicitation"],
                code: 1,
                with: &[
                    "with server.prompts: 1 request (prompts/list) would be allowed; won: prompts",
                    "with client.elicitation: 1 request (elicitation/create) would be allowed; won: elicitation",
                ],
                without: &["[capability-not-negotiated]"],
                ..case("with what was missing")
            },
            Case {
                args: &[INPUT, "--without", "client.sampling"],
                code: 1,
                with: &[
                    "needs `sampling`, which `--without client.sampling` takes away  [mrtr-capability-not-declared]",
                    "without client.sampling: 1 request (sampling/createMessage) would not be allowed; lost: sampling",
                ],
                ..case("without what a request inside an answer needs")
            },
            Case {
                args: &[HANDSHAKE, "--with", "server.tools", "--without", "server.tools.listChanged"],
                code: 0,
                ..case("with a whole without a part")
            },
            Case {
                args: &[HANDSHAKE, "--with", "server.tools.listChanged", "--without", "server.tools"],
                code: 2,
                with: &["`--with server.tools.listChanged` and `--without server.tools` contradict each other"],
                ..case("a contradiction")
            },
            Case {
                args: &[HANDSHAKE, "--without", "server.tool"],
                code: 2,
                with: &["unknown capability `server.tool`: did you mean `server.tools`"],
                ..case("no such capability")
            },
            Case {
                args: &[HANDSHAKE, "--without", "tools"],
                code: 2,
                with: &["unknown capability `tools`: did you mean", "`server.tools`"],
                ..case("no side")
            },
            Case {
                args: &[
                    HANDSHAKE,
                    "--with",
                    "client.extensions.io.modelcontextprotocol/ui",
                    "--with",
                    "server.experimental.a.b",
                ],
                code: 0,
                ..case("names with dots")
            },
            Case {
                args: &[HANDSHAKE, "--with", "client.extensions."],
                code: 2,
                with: &["unknown capability"],
                ..case("no name")
            },
        ],
    );
}

#[test]
fn another_revision_judges() {
    run_cases(
        "revisions",
        &[
            Case {
                args: &[EVERYTHING, "--as-revision", "2025-03-26"],
                code: 1,
                with: &["as 2025-03-26: ", "elicitation/create", "would not be allowed; lost: elicitation"],
                ..case("an earlier one")
            },
            Case {
                args: &[HANDSHAKE, "--as-revision", "2025-06-18"],
                code: 0,
                with: &["as 2025-06-18: no message is of a method that it lacks"],
                ..case("one that has all of it")
            },
            Case {
                args: &[HANDSHAKE, "--as-revision", "draft"],
                code: 1,
                with: &[
                    "as 2026-07-28: 1 request, 1 notification (initialize, notifications/initialized) would not be allowed; lost: lifecycle",
                ],
                ..case("one without a handshake")
            },
            Case {
                args: &[HANDSHAKE, "--as-revision", "2025-11-26"],
                code: 2,
                with: &["unknown revision `2025-11-26`: did you mean `2025-11-25`"],
                ..case("no such revision")
            },
        ],
    );
}

#[test]
fn the_summary_has_the_effects() {
    let folder = folder("supposed", "json");
    let summary = |args: &[&str]| {
        let (_, out, _) = check(&folder, &[args, &["--format", "json"]].concat());
        serde_json::from_str::<Value>(&out).unwrap()["summary"]["what_if"].clone()
    };
    assert_eq!(summary(&[HANDSHAKE]), Value::Null);
    let wanted = json!([{
        "change": "without server.tools", "allows": false, "requests": 3, "notifications": 0,
        "methods": [{"method": "tools/list", "count": 1}, {"method": "tools/call", "count": 2}],
        "features": ["tools"],
    }]);
    assert_eq!(summary(&[HANDSHAKE, "--without", "server.tools", "--without", "server.tools"]), wanted);
}

/// What was agreed on and declared changes nothing when it is supposed.
#[test]
fn what_is_so_changes_nothing() {
    let folder = folder("supposed", "same");
    let findings = |args: &[&str]| {
        let (_, out, _) = check(&folder, &[args, &["--format", "json"]].concat());
        let document: Value = serde_json::from_str(&out).unwrap();
        let records = document["records"].as_array().unwrap().clone();
        records.into_iter().filter(|record| record["record"] == "finding").collect::<Vec<_>>()
    };
    for file in [HANDSHAKE, EVERYTHING, TROUBLE] {
        let plain = findings(&[file]);
        assert_eq!(findings(&[file, "--as-revision", "2025-11-25"]), plain, "{file}");
        assert_eq!(findings(&[file, "--with", "server.tools"]), plain, "{file}");
    }
    assert!(!findings(&[TROUBLE]).is_empty());
}
