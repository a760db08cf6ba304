//! `junit`: JUnit XML as Jenkins, GitLab and others read it: a suite for each session with a case for each rule of its revision
//! and for each finding, and a suite for each input that says whether it was read.
//!
//! The totals stand before the cases, so the whole report is put together before it is written; how much that can be is
//! bounded, and what has no room is told in the report.

use std::collections::HashMap;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Room, Unread, held_back, input_name, no_room, no_verdict, place, plain, supposed};
use crate::annotate::{Finding, InputEnd, Record, SessionEnd, Severity, Summary};
use crate::protocol::Revision;
use crate::render::{OpenOptions, Output, Renderer};
use crate::rules::{Levels, RULES, judged_as, rule};

/// Findings as test results.
pub(in crate::render) const JUNIT: Output = Output {
    name: "junit",
    summary: "findings and rules as test results in JUnit XML: findings that `--fail-on` counts are failures, what was \
              not read is an error",
    records: false,
    findings: true,
    open: |options| Box::new(Junit::new(options)),
};

/// Sessions that have a suite of their own; of further ones findings are listed.
const SESSIONS: usize = 100;
/// Bytes of the marked part that a case shows.
const MARKED: usize = 400;

struct Junit {
    fail_on: Option<Severity>,
    levels: Levels,
    as_revision: Option<Revision>,
    room: Room,
    /// Findings of what has not ended, by input and session.
    open: HashMap<(u32, u64), Vec<Case>>,
    /// Suites of sessions of the input at hand.
    sessions: Vec<TestSuite>,
    sessions_listed: usize,
    /// Sessions of the input at hand that have no suite.
    unlisted: u64,
    suites: Vec<TestSuite>,
    unread: bool,
}

/// What a case of a finding says.
struct Case {
    rule: &'static str,
    severity: Severity,
    line: u64,
    message: String,
    text: String,
}

impl Junit {
    fn new(options: &OpenOptions) -> Self {
        Self {
            fail_on: options.fail_on,
            levels: options.levels.clone(),
            as_revision: options.as_revision,
            room: Room::new(5_000, 3_000, 2_000),
            open: HashMap::new(),
            sessions: Vec::new(),
            sessions_listed: 0,
            unlisted: 0,
            suites: Vec::new(),
            unread: false,
        }
    }

    fn fails(&self, severity: Severity) -> bool {
        self.fail_on.is_some_and(|least| severity >= least)
    }

    fn finding(&mut self, finding: &Finding<'_>) {
        if !self.room.takes(finding.severity) {
            return;
        }
        let message = plain(finding.message).into_owned();
        let place = place(finding.file, finding.position);
        let mut text = format!("{}: {message}\n{place}", finding.severity.as_str());
        if let Some(n) = finding.n {
            text.push_str(&format!(" #{n}"));
        }
        text.push('\n');
        match (plain(super::marked(finding, MARKED)), plain(finding.label)) {
            (marked, _) if marked.is_empty() => {}
            (marked, label) if label.is_empty() => text.push_str(&format!(
                "{marked}
"
            )),
            (marked, label) => text.push_str(&format!(
                "{marked} ({label})
"
            )),
        }
        for related in finding.related {
            text.push_str(&format!("line {}: {}\n", related.position.line, plain(&related.what)));
        }
        if let Some(help) = finding.help {
            text.push_str(&format!("help: {}\n", plain(help)));
        }
        text.push_str(&format!("{}\n", plain(&finding.says())));
        let case = Case { rule: finding.rule, severity: finding.severity, line: finding.position.line, message, text };
        self.open.entry((finding.input, finding.session)).or_default().push(case);
    }

    /// Adds the cases of findings; two of one rule in one line have different names.
    fn add(&self, suite: &mut TestSuite, class: &str, cases: Vec<Case>) {
        let mut names: HashMap<String, u64> = HashMap::new();
        for case in cases {
            let mut name = named(case.rule, case.line);
            let count = names.entry(name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                name.push_str(&format!(" ({count})"));
            }
            let mut test = if self.fails(case.severity) {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type(case.rule).set_message(case.message).set_description(case.text);
                TestCase::new(name, status)
            } else {
                let mut test = TestCase::new(name, TestCaseStatus::success());
                test.set_system_out(case.text);
                test
            };
            test.set_classname(class);
            suite.add_test_case(test);
        }
    }

    fn session(&mut self, end: &SessionEnd) {
        if self.sessions_listed == SESSIONS {
            self.unlisted += 1;
            return;
        }
        self.sessions_listed += 1;
        let cases = self.open.remove(&(end.input, end.session)).unwrap_or_default();
        let file = input_name(&end.file);
        let class = format!("{file}.session {}", end.session);
        let mut suite = TestSuite::new(format!("{file}#{}", end.session));
        let revision = self.as_revision.unwrap_or_else(|| judged_as(end).0);
        let peers = [("client", &end.client), ("server", &end.server)];
        suite.add_property(Property::new("mcp.protocol.version", revision.as_str()));
        for (name, peer) in peers {
            if let Some(peer) = peer {
                suite.add_property(Property::new(name, plain(&peer.name)));
            }
        }
        suite.add_property(Property::new("messages", end.counts.messages.to_string()));
        for rule in RULES.iter().filter(|rule| self.levels.looks_for_in(rule, revision)) {
            if cases.iter().all(|case| case.rule != rule.id) {
                let mut test = TestCase::new(named(rule.id, 0), TestCaseStatus::success());
                test.set_classname(class.as_str());
                suite.add_test_case(test);
            }
        }
        self.add(&mut suite, &class, cases);
        self.sessions.push(suite);
    }

    fn input(&mut self, end: &InputEnd) {
        let file = input_name(&end.file);
        let mut suite = TestSuite::new(file.as_ref());
        let mut test = match Unread::of(end) {
            None => TestCase::new("read to its end", TestCaseStatus::success()),
            Some(unread) => {
                self.unread = true;
                let reason = format!("{}: {}", unread.status, unread.reason);
                error("read to its end", "not-read", &reason)
            }
        };
        test.set_classname(file.as_ref());
        if self.unlisted > 0 {
            let unlisted = std::mem::take(&mut self.unlisted);
            test.set_system_out(format!("{unlisted} further sessions were judged; of them only findings are listed"));
        }
        suite.add_test_case(test);
        let mut left: Vec<_> = self.open.extract_if(|(input, _), _| *input == end.input).collect();
        left.sort_unstable_by_key(|(key, _)| *key);
        for ((_, session), cases) in left {
            let class = if session == 0 { file.to_string() } else { format!("{file}.session {session}") };
            self.add(&mut suite, &class, cases);
        }
        self.suites.push(suite);
        self.suites.append(&mut self.sessions);
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let mut suite = TestSuite::new("mcp-trace");
        if let Some(why) = no_verdict(summary, self.unread) {
            suite.add_test_case(error("a verdict", "not-read", why));
        }
        if let Some(left_out) = self.room.left_out() {
            let text = format!("this report has no room for {left_out} more");
            let fails = self.fail_on.is_some_and(|least| self.room.left_out.at_least(least) > 0);
            suite.add_test_case(remark("every finding is listed", "left-out", &text, fails));
        }
        if let Some(held) = held_back(summary) {
            suite.add_test_case(remark("findings held back", "held-back", &held, false));
        }
        let supposed: Vec<String> = supposed(summary).collect();
        if !supposed.is_empty() {
            suite.add_test_case(remark("what was supposed", "supposed", &supposed.join("\n"), false));
        }
        let lost: Vec<String> = no_room(summary).collect();
        if !lost.is_empty() {
            suite.add_test_case(remark("everything is judged", "not-judged", &lost.join("\n"), false));
        }
        let mut report = Report::new("mcp-trace");
        report.add_test_suites(self.suites.drain(..));
        if suite.tests > 0 {
            suite.test_cases.iter_mut().for_each(|test| _ = test.set_classname("mcp-trace"));
            report.add_test_suite(suite);
        }
        let mut text = Vec::new();
        report.serialize(&mut text).map_err(io::Error::other)?;
        out.write_all(&text)
    }
}

impl Renderer for Junit {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Finding(finding) => self.finding(finding),
            Record::SessionEnd(end) => self.session(end),
            Record::InputEnd(end) => self.input(end),
            Record::Summary(summary) => self.end(summary, out)?,
            Record::Trace(_)
            | Record::Message(_)
            | Record::Embedded(_)
            | Record::View(_)
            | Record::Event(_)
            | Record::Agreed(_) => {}
        }
        Ok(())
    }
}

/// A rule with the line, if there is one, and its title, as a case is named.
fn named(id: &str, line: u64) -> String {
    let line = if line > 0 { format!(", line {line}") } else { String::new() };
    rule(id).map_or_else(|| format!("{id}{line}"), |rule| format!("{id}{line}: {}", rule.title))
}

fn error(name: &str, kind: &str, text: &str) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(kind).set_message(text);
    TestCase::new(name, status)
}

fn remark(name: &str, kind: &str, text: &str, fails: bool) -> TestCase {
    if fails {
        return error(name, kind, text);
    }
    let mut test = TestCase::new(name, TestCaseStatus::success());
    test.set_system_out(text);
    test
}
