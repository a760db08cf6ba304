//! Every output format on one of everything; JSON held against its own schema, tables as they were looked at.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "outputs/contract.rs"]
mod contract;
#[path = "outputs/everything.rs"]
mod everything;
#[path = "outputs/rows.rs"]
mod rows;

use everything::{empty_run, run};
use mcp_trace::annotate::Record;
use mcp_trace::render::{OUTPUTS, OpenOptions, Output};

type Run = fn(&mut dyn FnMut(&Record<'_>));

fn options() -> OpenOptions {
    OpenOptions {
        width: 120,
        color: false,
        ascii: false,
        absolute_times: false,
        zone: jiff::tz::TimeZone::UTC,
        payload: true,
        wide: false,
        columns: None,
        fail_on: Some(mcp_trace::annotate::Severity::Error),
        levels: mcp_trace::rules::Levels::default(),
        as_revision: None,
    }
}

fn output(name: &str) -> &'static Output {
    OUTPUTS.iter().copied().find(|output| output.name == name).unwrap()
}

fn render(name: &str, options: &OpenOptions, run: Run) -> String {
    let mut renderer = (output(name).open)(options);
    let mut out = Vec::new();
    run(&mut |record| renderer.record(record, &mut out).unwrap());
    String::from_utf8(out).unwrap()
}

#[test]
fn tables_are_as_they_were_looked_at() {
    for width in [80, 120, 200] {
        let options = OpenOptions { width, payload: false, ..options() };
        insta::assert_snapshot!(format!("table_{width}"), render("table", &options, run));
    }
    let options = OpenOptions { payload: false, ..options() };
    let ascii = render("table", &OpenOptions { ascii: true, ..options.clone() }, run);
    assert!(ascii.is_ascii());
    insta::assert_snapshot!("table_ascii", ascii);
    let color = render("table", &OpenOptions { color: true, ..options.clone() }, run);
    insta::assert_snapshot!("table_color", color.replace('\u{1b}', "ESC"));
    let wide = OpenOptions { wide: true, absolute_times: true, ..options.clone() };
    insta::assert_snapshot!("table_wide", render("table", &wide, run));
    let names = ["line", "kind", "method", "latency", "summary", "no such column"].map(str::to_owned);
    let chosen = OpenOptions { columns: Some(names.to_vec()), ..options.clone() };
    insta::assert_snapshot!("table_columns", render("table", &chosen, run));
    insta::assert_snapshot!("table_empty", render("table", &options, empty_run));
}

#[test]
fn no_row_is_wider_than_the_terminal_or_carries_a_control_character() {
    for width in [40, 60, 80, 99, 120, 149, 200] {
        for ascii in [false, true] {
            let options = OpenOptions { width, ascii, payload: false, ..options() };
            // Commands are there to be copied, and are not cut.
            let text = render("table", &options, run);
            for line in text.lines().filter(|line| !line.contains(" mcp-trace ")) {
                assert!(unicode_width::UnicodeWidthStr::width(line) <= width, "{width}: {line}");
                assert!(!line.chars().any(char::is_control), "{line:?}");
            }
        }
    }
}

#[test]
fn findings_are_as_they_were_looked_at() {
    for width in [80, 120] {
        insta::assert_snapshot!(format!("text_{width}"), render("text", &OpenOptions { width, ..options() }, run));
    }
    let ascii = render("text", &OpenOptions { ascii: true, ..options() }, run);
    assert!(ascii.is_ascii());
    insta::assert_snapshot!("text_ascii", ascii);
    let color = render("text", &OpenOptions { color: true, ..options() }, run);
    insta::assert_snapshot!("text_color", color.replace('\u{1b}', "ESC"));
    insta::assert_snapshot!("text_empty", render("text", &options(), empty_run));
}

#[test]
fn reports_are_as_they_were_looked_at() {
    for name in ["github", "gitlab", "markdown", "junit", "sarif"] {
        for (case, run) in [("everything", run as Run), ("empty", empty_run)] {
            insta::assert_snapshot!(format!("{name}_{case}"), without_rules(name, &render(name, &options(), run)));
        }
    }
}

/// A report without what every new rule changes: the rules that it lists, and their number.
fn without_rules(name: &str, report: &str) -> String {
    let kept = |line: &&str| !(name == "junit" && line.contains("<testcase") && line.ends_with("/>"));
    let text: String = report.lines().filter(kept).flat_map(|line| [line, "\n"]).collect();
    let numbers = regex::Regex::new(r#" tests="\d{2,}"|"ruleIndex":\d+,|"rules":\[.*\],"notif"#).unwrap();
    numbers
        .replace_all(&text, |found: &regex::Captures<'_>| match &found[0] {
            rules if rules.ends_with("notif") => "\"rules\":[…],\"notif",
            tests if tests.starts_with(' ') => " tests=\"…\"",
            _ => "",
        })
        .into_owned()
}

#[test]
fn no_line_of_a_transcript_is_wider_than_the_terminal_or_carries_a_control_character() {
    for width in [40, 60, 80, 99, 120, 149, 200] {
        for ascii in [false, true] {
            let text = render("text", &OpenOptions { width, ascii, ..options() }, run);
            for line in text.lines() {
                assert!(!line.chars().any(char::is_control), "{line:?}");
                let shown = line.split_once(['│', '|']).filter(|(number, _)| !number.trim().is_empty());
                assert!(shown.is_none() || unicode_width::UnicodeWidthStr::width(line) <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    let options = OpenOptions { payload: false, ..options() };
    let mut color = render("table", &OpenOptions { color: true, ..options.clone() }, run);
    while let Some(start) = color.find('\u{1b}') {
        let end = start + color[start..].find('m').unwrap();
        color.replace_range(start..=end, "");
    }
    assert_eq!(color, render("table", &options, run));
}
