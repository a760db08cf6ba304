//! Text that wants out of its place: reports can be read back, and say what was there.

use std::fs;

use mcp_trace::annotate::{Excerpt, Finding, Record, Related, Summary, Trace};
use mcp_trace::position::Position;
use mcp_trace::render::escape::terminal;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::Strategy;

use crate::program::{check, folder};
use crate::{finding, formats, json, render};

/// Pieces that mean something to one of the formats.
const SHARP: [&str; 28] = [
    "\n",
    "\r",
    "::",
    "::error::",
    "##[error]",
    "%",
    "%0A",
    "%25",
    ",",
    ":",
    "]]>",
    "</failure>",
    "<img src=x>",
    "&lt;",
    "|",
    "\\|",
    "`",
    "``",
    "[x](https://example.org)",
    "](1)",
    "{0}",
    "{{",
    "@team",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{0}",
    "\u{ffff}",
    "\u{85}",
];

fn sharp() -> impl Strategy<Value = String> {
    let piece = prop_oneof![(0..SHARP.len()).prop_map(|at| SHARP[at].to_owned()), any::<String>(), "[a-z ]{0,8}"];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// One finding in a report.
fn one(format: &str, finding: &Finding<'_>) -> String {
    render(format, |give| {
        give(&Record::Trace(&Trace { command: "check", filter: None, inputs: vec![finding.file.to_owned()] }));
        give(&Record::Finding(finding));
        give(&Record::Summary(&Summary { complete: true, ..Summary::default() }));
    })
}

/// A value of a workflow command as the runner reads it.
fn unescaped(text: &str) -> String {
    [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Links in a message of SARIF: brackets that close before a parenthesis, and are not escaped.
fn links(text: &str) -> usize {
    let escaped = |before: &str| (before.len() - before.trim_end_matches('\\').len()) % 2 == 1;
    text.match_indices("](").filter(|(at, _)| !escaped(&text[..*at])).count()
}

/// A message of SARIF as it is shown: every brace stands for two.
fn without_doubles(text: &str) -> String {
    let mut rest = text.chars();
    let mut shown = String::new();
    while let Some(character) = rest.next() {
        shown.push(character);
        if matches!(character, '{' | '}') {
            assert_eq!(rest.next(), Some(character), "a placeholder in {text}");
        }
    }
    shown
}

fn nothing_unseen(report: &str) -> bool {
    !report
        .chars()
        .any(|c| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_report_says_what_a_finding_says(message in sharp(), what in sharp(), text in sharp(), file in "[^\u{0}-\u{1f}\u{7f}-\u{ffff}]{1,12}") {
        let excerpt = Excerpt { text: text.clone(), mark: (0, text.len()) };
        let related = [Related { n: None, position: Position::default(), what: what.clone(), excerpt: Some(excerpt) }];
        let mark = Some((0, text.len()));
        let (message, file) = (message.as_str(), file.as_str());
        let wrong = Finding { message, file, related: &related, text: &text, mark, label: &what, help: Some(&what), ..finding() };
        let said = terminal(message);

        let sarif_text = one("sarif", &wrong);
        let sarif = json(&sarif_text);
        let result = &sarif["runs"][0]["results"][0];
        let told = result["message"]["text"].as_str().unwrap();
        let shown = without_doubles(told);
        prop_assert!(shown.starts_with(&format!("{}.", said.replace("](", "] ("))), "{}", told);
        prop_assert_eq!(links(told), 1, "{}", told);

        let gitlab_text = one("gitlab", &wrong);
        let gitlab = json(&gitlab_text);
        let description = format!("invalid-json: {said}");
        prop_assert_eq!(gitlab[0]["description"].as_str(), Some(description.as_str()));

        let github = one("github", &wrong);
        let lines: Vec<&str> = github.lines().collect();
        prop_assert_eq!(lines.len(), 2, "{}", github);
        let (head, told) = lines[0].strip_prefix("::error ").unwrap().split_once("::").unwrap();
        let names: Vec<&str> = head.split(',').map(|pair| pair.split_once('=').unwrap().0).collect();
        prop_assert_eq!(names, ["file", "line", "endLine", "title"]);
        let told = unescaped(told);
        prop_assert_eq!(told.split('\n').next(), Some(said.as_ref()));

        let junit = one("junit", &wrong);
        prop_assert!(roxmltree::Document::parse(&junit).is_ok(), "{}", junit);

        let markdown = one("markdown", &wrong);
        let row = markdown.lines().last().unwrap();
        prop_assert!(row.starts_with("| error | [invalid-json](https://"), "{}", markdown);
        let cells = row.char_indices().filter(|(at, c)| *c == '|' && !row[..*at].ends_with('\\')).count();
        prop_assert_eq!(cells, 5, "{}", row);

        for report in [github, junit, markdown, gitlab_text, sarif_text] {
            prop_assert!(nothing_unseen(&report), "{}", report);
        }
    }
}

#[test]
fn hostile_sessions_and_names_of_files_stay_in_their_places() {
    let place = folder("hostile", "names");
    let name = "a,b::c %0A|`x`\u{202e}\u{1b}[31m\n::error::d.jsonl";
    let method = "::error file=x::y\\n##[warning]z%0A|`@team`<b>]]></failure>\\u001b[2J\\u202e\\u0000";
    let mut session = fs::read_to_string(crate::CLEAN).unwrap();
    for id in 50..70 {
        session.push_str(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\"}}\n"));
    }
    session.push_str("::error::noise\u{1b}[2J ##[error]noise\n");
    fs::write(place.join(name), session).unwrap();
    for format in formats() {
        let (code, report, told) = check(&place, &["--format", format, "--rule", "unknown-method=error", name]);
        assert_eq!(code, 1, "{format}: {told}");
        // JSON may carry what only reorders text; it is for programs.
        assert!(nothing_unseen(&report) || format.ends_with("json"), "{format}: {report}");
        match format {
            "sarif" | "json" | "gitlab" => _ = json(&report),
            "ndjson" => report.lines().for_each(|line| _ = json(line)),
            "junit" => _ = roxmltree::Document::parse(&report).unwrap(),
            "github" => {
                for line in report.lines() {
                    let command =
                        ["::error file=", "::warning file=", "::notice file=", "::notice title=mcp-trace check::"];
                    let plain = ["error: a,b::c", "warning: a,b::c", "note: a,b::c"];
                    let is = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
                    assert!(is(&command) || (is(&plain) && !line.contains("##[")), "{line}");
                }
            }
            _ => {}
        }
    }
}
