//! OUTPUTS: the output formats, and the two halves of each: the row and the renderer.

use std::io::{self, Write};

use super::{json, report, summary, table, text};
use crate::annotate::{Brief, Record, Severity};
use crate::protocol::Revision;
use crate::rules::Levels;

/// How to render; resolved by the command line, so that renderers read no environment.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Columns of the terminal, or the width to assume.
    pub width: usize,
    /// Write ANSI colours.
    pub color: bool,
    /// Only ASCII: no arrows, ticks or lines.
    pub ascii: bool,
    /// Show absolute times instead of times since the session's start.
    pub absolute_times: bool,
    /// The zone for absolute times.
    pub zone: jiff::tz::TimeZone,
    /// Embed the messages themselves (JSON), show payloads (table).
    pub payload: bool,
    /// Do not cut rows to the width.
    pub wide: bool,
    /// Columns by name; `None` for the default choice by width.
    pub columns: Option<Vec<String>>,
    /// From which severity on a finding fails the run; `None`: none does.
    pub fail_on: Option<Severity>,
    /// How bad the findings of each rule are, for outputs that list rules.
    pub levels: Levels,
    /// The revision by which everything is judged, whatever was agreed on.
    pub as_revision: Option<Revision>,
}

/// What an output has no place for, so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Unheld {
    pub messages: u64,
    pub events: u64,
}

/// Writes one output. Every record of a run is given to it once, in order; the first is [`Record::Trace`], the
/// last [`Record::Summary`].
pub trait Renderer {
    /// Takes a record.
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// Whether messages may be given to [`Self::brief`] instead of as records.
    fn is_brief(&self) -> bool {
        false
    }

    /// Takes as much of a message as totals need.
    fn brief(&mut self, _message: &Brief<'_>) {}

    /// What had no place in it so far.
    fn unheld(&self) -> Unheld {
        Unheld::default()
    }

    /// The input pauses: write what is held back for layout.
    fn pause(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// A row of [`OUTPUTS`].
pub struct Output {
    /// The name for `--format`.
    pub name: &'static str,
    /// What it is for, in one sentence.
    pub summary: &'static str,
    /// It shows the records of messages, for `annotate`.
    pub records: bool,
    /// It shows findings, for `check`.
    pub findings: bool,
    /// A renderer for it.
    pub open: fn(&OpenOptions) -> Box<dyn Renderer>,
}

/// Every output format; the first of a command is its default.
pub const OUTPUTS: &[&Output] = &[
    &table::TABLE,
    &text::TEXT,
    &json::JSON,
    &json::NDJSON,
    &summary::SUMMARY,
    &report::SARIF,
    &report::JUNIT,
    &report::GITHUB,
    &report::GITLAB,
    &report::MARKDOWN,
];
