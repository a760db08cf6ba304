//! What the rules say, word for word: of their own examples, each with everything that is found there, and of the other
//! sessions of this folder. Whoever changes a check reads here what its users will read.

use std::fmt::Write as _;

use mcp_trace::annotate::Severity;
use mcp_trace::rules::{RULES, example};

use super::judged::{Found, judge_given};
use super::{edges, remembered, stateless};

/// What examples are told for being short: shown where the rule is the matter, and where it is more than a note.
const COMMON: [&str; 6] = [
    "unanswered-request",
    "initialize-first",
    "server-request-unassociated",
    "tool-description-missing",
    "meta-client-info-missing",
    "meta-server-info-missing",
];

/// The findings of a session, the line of each before it.
fn say(out: &mut String, name: &str, text: &str) {
    let mut found = judge_given(&example::lines(text).unwrap(), example::given(text).unwrap());
    let is_aside = |found: &Found| found.severity == Severity::Note && COMMON.contains(&found.rule);
    found.retain(|found| name.starts_with(found.rule) || !is_aside(found));
    writeln!(out, "{name}{}", if found.is_empty() { ": -" } else { "" }).unwrap();
    for found in found {
        writeln!(out, "  {} {}", found.line, found.whole).unwrap();
    }
}

#[test]
fn findings_read_as_they_were_read() {
    let mut said = String::new();
    for rule in &RULES {
        say(&mut said, &format!("{} fires", rule.id), rule.fires);
        say(&mut said, &format!("{} silent", rule.id), rule.silent);
    }
    for (what, session, _) in stateless::CASES {
        say(&mut said, what, session);
    }
    keep("said", said);
}

#[test]
fn findings_at_the_edges_read_as_they_were_read() {
    let mut said = String::new();
    for (what, session) in edges::CASES.iter().chain(remembered::CASES) {
        say(&mut said, what, session);
    }
    keep("edges", said);
}

fn keep(name: &str, said: String) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots/rules");
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    insta::assert_snapshot!(name, said);
}
