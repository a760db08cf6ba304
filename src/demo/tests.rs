#![allow(clippy::unwrap_used)]

use serde_json::Value;

use super::{SCENARIOS, Scenario, scenario};
use crate::jsonrpc::{Envelope, Parser, Reading};
use crate::protocol::Revision::{self, V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

const REVISIONS: [Revision; 5] = [V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28];

fn played(scenario: &Scenario, revision: Revision) -> String {
    let mut out = Vec::new();
    scenario.play(revision, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn messages(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn methods(text: &str) -> Vec<String> {
    messages(text).iter().filter_map(|message| Some(message["method"].as_str()?.to_owned())).collect()
}

fn every_playing() -> impl Iterator<Item = (&'static Scenario, Revision)> {
    SCENARIOS.iter().flat_map(|scenario| {
        REVISIONS.into_iter().filter(|revision| scenario.supports(*revision)).map(move |revision| (scenario, revision))
    })
}

#[test]
fn every_line_is_a_well_formed_message_but_for_the_two_of_trouble() {
    let mut parser = Parser::new();
    for (scenario, revision) in every_playing() {
        let text = played(scenario, revision);
        let odd = text
            .lines()
            .filter(|line| !matches!(parser.read(line), Reading::Message(message) if message.envelope.is_ok()))
            .count();
        let expected = if scenario.name == "trouble" { 2 } else { 0 };
        assert_eq!(odd, expected, "{} in {}", scenario.name, revision.as_str());
        assert!(text.ends_with('\n'));
    }
}

#[test]
fn each_revision_has_a_session_of_its_own() {
    for scenario in SCENARIOS {
        let mut told: Vec<String> =
            REVISIONS.into_iter().filter(|r| scenario.supports(*r)).map(|r| played(scenario, r)).collect();
        let all = told.len();
        told.dedup();
        assert_eq!(told.len(), all, "{}", scenario.name);
    }
}

#[test]
fn the_handshake_walks_from_initialize_to_a_call() {
    let text = played(scenario("handshake").unwrap(), V2025_11_25);
    assert_eq!(methods(&text), ["initialize", "notifications/initialized", "tools/list", "tools/call"]);
    let last = messages(&text).pop().unwrap();
    assert!(last["result"]["structuredContent"]["paths"].is_array());
}

#[test]
fn what_a_revision_does_not_have_is_not_played() {
    let primitives = scenario("primitives").unwrap();
    for revision in REVISIONS {
        let text = played(primitives, revision);
        assert_eq!(text.contains("elicitation/create"), revision >= V2025_06_18, "{}", revision.as_str());
        assert_eq!(text.contains("structuredContent"), revision >= V2025_06_18);
        assert_eq!(text.contains("\"title\""), revision >= V2025_06_18);
        assert_eq!(text.contains("\"completions\""), revision >= V2025_03_26);
        assert_eq!(text.contains("\"annotations\""), revision >= V2025_03_26);
        assert_eq!(text.contains("\"mode\":\"url\""), revision == V2025_11_25);
        assert_eq!(methods(&text).contains(&"initialize".to_owned()), revision < V2026_07_28);
    }
    let progress = scenario("progress").unwrap();
    assert!(!played(progress, V2024_11_05).contains("\"message\":\"Reading\""));
    assert!(played(progress, V2025_03_26).contains("\"message\":\"Reading\""));
}

#[test]
fn all_six_primitives_are_played() {
    let text = played(scenario("primitives").unwrap(), V2025_11_25);
    let methods = methods(&text);
    for prefix in ["tools/", "resources/", "prompts/", "roots/", "sampling/", "elicitation/"] {
        assert!(methods.iter().any(|method| method.starts_with(prefix)), "{prefix}");
    }
}

#[test]
fn stateless_requests_carry_version_and_capabilities() {
    for (scenario, _) in every_playing().filter(|(_, revision)| *revision == V2026_07_28) {
        for message in messages(&played(scenario, V2026_07_28)) {
            if message.get("method").is_some() && message.get("id").is_some() {
                let meta = &message["params"]["_meta"];
                assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28", "{message}");
                assert!(meta["io.modelcontextprotocol/clientCapabilities"].is_object(), "{message}");
            }
        }
    }
}

#[test]
fn trouble_has_what_its_summary_promises() {
    let text = played(scenario("trouble").unwrap(), V2025_11_25);
    let messages = messages(&text);
    assert!(messages.iter().any(|message| message["error"]["code"] == -32601));
    assert!(messages.iter().any(|message| message["result"]["isError"] == true));
    assert!(messages.iter().any(|message| message["id"] == 99));
    let calls: Vec<&Value> = messages.iter().filter(|m| m["method"] == "tools/call").map(|m| &m["id"]).collect();
    assert!((1..calls.len()).any(|later| calls[..later].contains(&calls[later])), "one id stands twice: {calls:?}");
    assert!(text.lines().any(|line| !line.starts_with('{')));
}

#[test]
fn a_revision_without_the_scenario_is_refused_by_name() {
    let refused = scenario("stateless").unwrap().play(V2024_11_05, &mut Vec::new()).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::InvalidInput);
    assert!(refused.to_string().contains("2024-11-05"), "{refused}");
    assert!(scenario("nonsense").is_none());
}

#[test]
fn without_a_wish_the_newest_handshake_is_played() {
    assert_eq!(scenario("primitives").unwrap().usual_revision(), V2025_11_25);
    assert_eq!(scenario("stateless").unwrap().usual_revision(), V2026_07_28);
}

#[test]
fn writer_errors_come_back() {
    let mut full: &mut [u8] = &mut [0; 100];
    let failed = (scenario("handshake").unwrap().write)(V2025_11_25, &mut full).unwrap_err();
    assert_eq!(failed.kind(), std::io::ErrorKind::WriteZero);
}

#[test]
fn ids_are_echoed_as_they_were_asked() {
    let text = played(scenario("handshake").unwrap(), V2025_11_25);
    let mut parser = Parser::new();
    let (mut asked, mut answered) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let Reading::Message(message) = parser.read(line) else { panic!("{line}") };
        match message.envelope.unwrap() {
            Envelope::Request { id, .. } => asked.push(id.into_owned()),
            Envelope::Response { id, .. } => answered.push(id.into_owned()),
            _ => {}
        }
    }
    assert_eq!(asked, answered);
}
