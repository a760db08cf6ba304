//! More findings than a report holds: the worst are in it, and what is left out is told.

use mcp_trace::annotate::{
    Counts, Finding, FindingCounts, InputEnd, InputStatus, LineClasses, Record, Severity, Summary,
};
use mcp_trace::position::Position;
use mcp_trace::transcript::Wrappings;

use crate::{finding, json, render};

const NOTES: u64 = 12_000;

/// A run with far too many notes, and an error at the very end.
fn flood(give: &mut dyn FnMut(&Record<'_>)) {
    let trace = mcp_trace::annotate::Trace { command: "check", filter: None, inputs: vec!["a.jsonl".to_owned()] };
    give(&Record::Trace(&trace));
    for line in 1..=NOTES {
        let position = Position { line, end_line: line, ..Position::default() };
        give(&Record::Finding(&Finding { severity: Severity::Note, position, message: "a small thing", ..finding() }));
    }
    give(&Record::Finding(&Finding { message: "the one that counts", ..finding() }));
    give(&Record::InputEnd(&InputEnd {
        input: 0,
        file: "a.jsonl".to_owned(),
        detected: None,
        wrappings: Wrappings::default(),
        bytes: 1,
        lines: 1,
        classes: LineClasses::default(),
        messages: 1,
        status: InputStatus::Ok,
        error: None,
    }));
    let findings = Some(FindingCounts { error: 1, warning: 0, note: NOTES });
    let counts = Counts { messages: 1, ..Counts::default() };
    give(&Record::Summary(&Summary { findings, counts, complete: true, exit_code: 1, ..Summary::default() }));
}

#[test]
fn a_flood_of_notes_hides_no_error_and_is_counted() {
    for (format, kept) in [("sarif", 5_000), ("gitlab", 5_000), ("junit", 2_000), ("github", 1_009), ("markdown", 100)]
    {
        let report = render(format, flood);
        assert!(report.contains("the one that counts"), "{format} lost the error");
        assert_eq!(report.matches("a small thing").count(), kept, "{format}");
        let left_out = NOTES as usize - kept;
        let words = [format!("{left_out} notes"), format!("{},{:03} notes", left_out / 1000, left_out % 1000)];
        assert!(words.iter().any(|words| report.contains(words.as_str())), "{format} does not tell of {left_out} more");
    }
}

#[test]
fn github_shows_every_annotation_that_is_written() {
    let report = render("github", flood);
    for level in ["::error ", "::warning ", "::notice "] {
        let count = report.lines().filter(|line| line.starts_with(level)).count();
        assert!(count <= 10, "{count} of {level}");
    }
    assert!(report.lines().last().unwrap().starts_with("::notice title=mcp-trace check::1 error, "), "{report}");
}

#[test]
fn markdown_fits_into_a_comment() {
    let long = "`long`, `name` and `value` ".repeat(400);
    let report = render("markdown", |give| {
        for (at, severity) in [Severity::Error, Severity::Warning, Severity::Note].iter().cycle().enumerate().take(900)
        {
            let file = format!("{at}{}", "/folder".repeat(1_000));
            give(&Record::Finding(&Finding { severity: *severity, message: &long, file: &file, ..finding() }));
        }
        flood(give);
    });
    assert!(report.chars().count() < 65_536, "{}", report.chars().count());
    assert!(report.contains(" more have no room here."), "{report}");
    assert!(json(&render("gitlab", flood)).is_array());
}
