//! Findings about a transcript in memory.

use std::io::{self, Cursor};

use mcp_trace::annotate::{Finding, Record, Severity, Trace};
use mcp_trace::pipeline::{Job, Sink, run_sources};
use mcp_trace::rules::example::{Line, transcript};
use mcp_trace::rules::{Checker, Expectations, Levels, Settings, quoted, rule};
use mcp_trace::transcript::{ReadOptions, Source};

/// A finding, as far as tests look at it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) rule: &'static str,
    pub(super) severity: Severity,
    pub(super) line: u64,
    pub(super) message: String,
    /// The line of the transcript, and what is marked in it.
    pub(super) place: (u64, Option<(usize, usize)>),
    pub(super) spec: String,
    /// All that is said of it: a line, and one for each other place.
    pub(super) whole: String,
}

/// A finding as its reader sees it; the help only where it is not that of the rule.
fn written(finding: &Finding<'_>) -> String {
    let mut text = format!("{} {} [{} {}]", finding.severity.as_str(), finding.rule, finding.strength, finding.page);
    let mut say = |before: &str, words: &str| {
        if !words.is_empty() {
            text += &format!("{before}{words}");
        }
    };
    say(" ", finding.message);
    say(" @ ", &finding.mark.map_or_else(String::new, |(start, length)| quoted(&finding.text[start..start + length])));
    say(" -- ", finding.label);
    let own = rule(finding.rule).unwrap().help;
    say(" ?? ", finding.help.filter(|help| *help != own).unwrap_or_default());
    for related in finding.related {
        let number = related.n.map_or_else(|| "-".to_owned(), |n| n.to_string());
        say("\n    ", &format!("{number} (line {}): {}", related.position.line, related.what));
        say(" @ ", &related.excerpt.as_ref().map_or_else(String::new, |excerpt| quoted(&excerpt.text)));
    }
    text
}

struct Gather {
    checker: Checker,
    found: Vec<Found>,
}

impl Sink for Gather {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        let found = &mut self.found;
        self.checker.record(record, &mut |finding| {
            assert!(finding.mark.is_none_or(|(start, length)| start + length <= finding.text.len()), "{finding:?}");
            found.push(Found {
                rule: finding.rule,
                severity: finding.severity,
                line: finding.position.line,
                message: finding.message.to_owned(),
                place: (finding.position.line, finding.mark),
                spec: finding.spec.to_owned(),
                whole: written(finding),
            });
            Ok(())
        })
    }
}

pub(super) fn judge_bytes(name: &str, bytes: Vec<u8>) -> Vec<Found> {
    judge(name, bytes, Checker::default())
}

/// The same with the rules that are off by default.
pub(super) fn judge_all(name: &str, bytes: Vec<u8>) -> Vec<Found> {
    judge(name, bytes, Checker::new(Levels::all_on()))
}

/// The same, and what the rules had no room for.
pub(super) fn judge_counted(name: &str, bytes: Vec<u8>) -> (Vec<Found>, Vec<(&'static str, u64)>) {
    let gather = run(name, bytes, Checker::default());
    (gather.found, gather.checker.caps_reached().to_vec())
}

fn judge(name: &str, bytes: Vec<u8>, checker: Checker) -> Vec<Found> {
    run(name, bytes, checker).found
}

fn run(name: &str, bytes: Vec<u8>, checker: Checker) -> Gather {
    let job = Job {
        trace: Trace { command: "check", filter: None, inputs: vec![name.to_owned()] },
        from: None,
        read: ReadOptions::default(),
        redact: None,
        filter: None,
        interrupt: Default::default(),
    };
    let mut gather = Gather { checker, found: Vec::new() };
    let source = Source::from_read(Cursor::new(bytes));
    run_sources(&job, [(name.to_owned(), Ok(source))], &mut gather).unwrap();
    gather
}

/// Findings about an example, with its lines counted from 1; also of rules that are off by default.
pub(super) fn judge_lines(lines: &[Line]) -> Vec<Found> {
    judge_given(lines, Expectations::default())
}

/// The same, where something is expected of it.
pub(super) fn judge_given(lines: &[Line], expect: Expectations) -> Vec<Found> {
    let text = transcript(lines);
    let mut found = judge("example", text.clone(), Checker::new(Settings::from(Levels::all_on()).expecting(expect)));
    if lines.iter().any(|line| line.http.is_some()) {
        // As HTTP, a message stands on another line than in the example.
        let physical: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        for found in &mut found {
            let text = (found.line as usize).checked_sub(1).and_then(|place| physical.get(place));
            let stands = |line: &&Line| text.is_some_and(|text| text.ends_with(&line.bytes));
            let place = lines.iter().position(|line| stands(&line));
            found.line = place.map_or(u64::MAX, |place| place as u64 + 1);
        }
    }
    found
}
