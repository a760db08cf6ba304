//! Reports for other programs: what they hold, that they can be read back, and that none looks clean that is no verdict.
#![cfg(unix)]
// Tests say on standard error what they skip.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "reports/bad_input.rs"]
mod bad_input;
#[path = "reports/flood.rs"]
mod flood;
#[path = "reports/hostile.rs"]
mod hostile;
#[path = "reports/junit.rs"]
mod junit;
#[path = "check/program.rs"]
#[allow(dead_code)]
mod program;
#[path = "reports/run.rs"]
mod run;
#[path = "reports/sarif.rs"]
mod sarif;

use mcp_trace::annotate::{Finding, Record, Severity};
use mcp_trace::render::{OUTPUTS, OpenOptions};
use serde_json::Value;

const TROUBLE: &str = "fixtures/sessions/2025-11-25/trouble.jsonl";
const CLEAN: &str = "fixtures/sessions/2025-11-25/handshake.jsonl";

/// The names of the formats that show findings.
fn formats() -> impl Iterator<Item = &'static str> {
    OUTPUTS.iter().filter(|output| output.findings).map(|output| output.name)
}

/// Exit code, standard output and standard error of `check` in the folder of the project.
fn check(args: &[&str]) -> (i32, String, String) {
    program::check(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), args)
}

/// A report of some records, made without the program.
fn render(format: &str, give: impl FnOnce(&mut dyn FnMut(&Record<'_>))) -> String {
    let options = OpenOptions {
        width: 120,
        color: false,
        ascii: false,
        absolute_times: false,
        zone: jiff::tz::TimeZone::UTC,
        payload: false,
        wide: false,
        columns: None,
        fail_on: Some(Severity::Error),
        levels: mcp_trace::rules::Levels::default(),
        as_revision: None,
    };
    let output = OUTPUTS.iter().find(|output| output.name == format).unwrap();
    let mut renderer = (output.open)(&options);
    let mut out = Vec::new();
    give(&mut |record| renderer.record(record, &mut out).unwrap());
    String::from_utf8(out).unwrap()
}

/// A finding to be changed.
fn finding<'a>() -> Finding<'a> {
    Finding {
        input: 0,
        file: "a.jsonl",
        n: Some(4),
        position: mcp_trace::position::Position { line: 4, end_line: 4, ..Default::default() },
        pointer: "",
        session: 1,
        server: None,
        method: None,
        rule: "invalid-json",
        severity: Severity::Error,
        message: "text between the messages is no JSON",
        related: &[],
        help: None,
        spec: "https://modelcontextprotocol.io/specification/2025-11-25/basic",
        page: "basic",
        strength: "MUST",
        revision: mcp_trace::protocol::Revision::V2025_11_25,
        text: "",
        mark: None,
        label: "",
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}
