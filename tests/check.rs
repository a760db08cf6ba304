//! What a user says of findings: levels, suppressions, baselines, in tables of cases with the real program.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

#[path = "check/expected.rs"]
mod expected;
#[path = "check/held.rs"]
mod held;
#[path = "check/program.rs"]
mod program;
#[path = "check/supposed.rs"]
mod supposed;

use program::{Case, run_cases};

const TROUBLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/sessions/2025-11-25/trouble.jsonl");

fn case(name: &'static str) -> Case {
    Case { name, args: &[TROUBLE], ..Case::default() }
}

#[test]
fn levels_say_how_bad_findings_are() {
    run_cases(
        "levels",
        &[
            Case {
                config: "[rules]\ncapability-not-negotiated = \"off\"\nresponse-without-request = \"off\"\n",
                code: 0,
                without: &["[capability-not-negotiated]", "[response-without-request]"],
                ..case("off")
            },
            Case {
                config: "[rules]\ncapability-not-negotiated = \"note\"\n",
                code: 1,
                with: &["note: the client sends `prompts/list`", "error: no open request"],
                ..case("a note")
            },
            Case {
                args: &[TROUBLE, "--rule", "capability-not-negotiated=on"],
                config: "[rules]\ncapability-not-negotiated = \"off\"\n",
                code: 1,
                with: &["error: the client sends `prompts/list`"],
                ..case("an argument beats the file")
            },
            Case {
                args: &[TROUBLE, "--rule", "invalid-json=warning", "--rule", "invalid-json=error"],
                code: 1,
                with: &["error: text between the messages is no JSON"],
                ..case("the last argument counts")
            },
            Case {
                config: "\n[rules]\ninvalid-jsn = \"off\"\n",
                code: 2,
                with: &["mcp-trace.toml:3: unknown rule `invalid-jsn`: did you mean `invalid-json`?"],
                ..case("no such rule in the file")
            },
            Case {
                config: "[rules]\n\ninvalid-json = \"of\"\n",
                code: 2,
                with: &["mcp-trace.toml:3: unknown level `of`: did you mean `off` or `on`?"],
                ..case("no such level in the file")
            },
            Case {
                args: &[TROUBLE, "--rule", "invalid-jsn=off"],
                code: 2,
                with: &["unknown rule `invalid-jsn`: did you mean `invalid-json`?"],
                ..case("no such rule in an argument")
            },
            Case {
                args: &[TROUBLE, "--rule", "invalid-json"],
                code: 2,
                with: &["expected a rule and a level"],
                ..case("no level in an argument")
            },
            Case {
                args: &["--show-config"],
                config: "[rules]\ninvalid-json = \"note\"\n",
                code: 0,
                with: &["rule: invalid-json = note"],
                ..case("what is read is shown")
            },
        ],
    );
}
