//! JUnit XML: its form, its totals, and what fails.

use std::process::Command;

use roxmltree::{Document, Node};

use crate::program::folder;
use crate::{CLEAN, TROUBLE, check};

const INPUTS: [&[&str]; 6] = [
    &[TROUBLE],
    &[CLEAN, TROUBLE],
    &["fixtures/sessions/mixed/two-sessions.jsonl"],
    &["fixtures/hostile/ids.jsonl", "fixtures/hostile/control-characters.jsonl"],
    &["fixtures/hostile/empty.jsonl", "no such file.jsonl"],
    &["fixtures/hostile/truncated.jsonl.gz"],
];

fn named<'d>(node: Node<'d, 'd>, name: &'static str) -> impl Iterator<Item = Node<'d, 'd>> {
    node.descendants().filter(move |node| node.has_tag_name(name))
}

fn count(node: Node<'_, '_>, attribute: &str) -> usize {
    node.attribute(attribute).unwrap().parse().unwrap()
}

#[test]
fn totals_add_up_and_every_case_has_a_name_of_its_own() {
    for inputs in INPUTS {
        let (_, text, _) = check(&[&["--format", "junit"], inputs].concat());
        let report = Document::parse(&text).unwrap();
        let root = report.root_element();
        let mut names = std::collections::HashSet::new();
        for node in named(root, "testsuite").chain([root]) {
            assert!(count(node, "tests") > 0, "{text}");
            assert_eq!(count(node, "tests"), named(node, "testcase").count(), "{text}");
            assert_eq!(count(node, "failures"), named(node, "failure").count(), "{text}");
            assert_eq!(count(node, "errors"), named(node, "error").count(), "{text}");
        }
        for case in named(root, "testcase") {
            let name = (case.attribute("classname").unwrap(), case.attribute("name").unwrap());
            assert!(names.insert(name), "{name:?} stands twice in {text}");
            assert!(case.children().filter(Node::is_element).count() <= 1, "{text}");
        }
        assert_eq!(
            named(root, "testsuite").filter(|suite| !suite.attribute("name").unwrap().contains('#')).count(),
            inputs.len()
        );
    }
}

#[test]
fn failures_are_what_makes_the_run_fail() {
    for (fail_on, code, failures) in [("error", 1, 3), ("warning", 1, 5), ("note", 1, 6), ("never", 0, 0)] {
        let (exit, text, _) = check(&["--format", "junit", "--fail-on", fail_on, TROUBLE]);
        let report = Document::parse(&text).unwrap();
        assert_eq!((exit, named(report.root_element(), "failure").count()), (code, failures), "{fail_on}");
        let told = named(report.root_element(), "system-out").count();
        assert_eq!(told, 6 - failures, "what does not fail is told as well");
    }
}

#[test]
fn every_rule_of_the_revision_has_a_case_and_one_that_is_off_has_none() {
    let cases = |args: &[&str]| {
        let (_, text, _) = check(&[&["--format", "junit", CLEAN], args].concat());
        let report = Document::parse(&text).unwrap();
        named(report.root_element(), "testcase")
            .map(|case| case.attribute("name").unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let all = cases(&[]);
    let revision = mcp_trace::protocol::Revision::V2025_11_25;
    let on = |rule: &&&mcp_trace::rules::Rule| rule.at(revision).is_some_and(|clause| !clause.off);
    assert_eq!(all.len(), 1 + mcp_trace::rules::RULES.iter().filter(on).count());
    assert_eq!(all[0], "read to its end");
    let fewer = cases(&["--rule", "invalid-json=off"]);
    assert_eq!(fewer.len() + 1, all.len());
    assert!(!fewer.iter().any(|name| name.starts_with("invalid-json:")));
}

#[test]
fn reports_keep_to_the_schema() {
    if Command::new("xmllint").arg("--version").output().is_err() {
        eprintln!("SKIPPED: the schema of JUnit XML, there is no xmllint");
        return;
    }
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reports/junit.xsd");
    let place = folder("junit", "schema");
    for inputs in INPUTS {
        let report = place.join("report.xml");
        check(&[&["--format", "junit", "-o", report.to_str().unwrap()], inputs].concat());
        let verdict = Command::new("xmllint").args(["--noout", "--schema", schema]).arg(&report).output().unwrap();
        assert!(verdict.status.success(), "{inputs:?}: {}", String::from_utf8_lossy(&verdict.stderr));
    }
}
