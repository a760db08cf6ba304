//! `mcp-trace formats FILE…`: what each input was recognised as, how surely and why, with the runners-up.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

use super::args::{FormatsArgs, ListFormat};
use super::config;
use super::environment::Environment;
use super::inputs::Found;
use super::notice::{input_words, notice, printable};
use super::page::Page;
use super::run::{CANNOT_RUN, DONE, Exit, print};
use crate::transcript::{Bid, Format, ReadOptions, SURVEYED, Source, Survey, Wrapping, survey};

/// What an input is, for programs.
#[derive(Serialize)]
pub(super) struct Recognised {
    pub(super) format: Option<&'static str>,
    pub(super) confidence: Option<&'static str>,
    pub(super) reason: Option<&'static str>,
    /// From the outermost kind to the innermost.
    pub(super) wrappings: Vec<&'static str>,
    /// Lines before the first that was recognised.
    pub(super) lines_before: u64,
    pub(super) runners_up: Vec<RunnerUp>,
    /// What it is instead, or why it cannot be read.
    pub(super) error: Option<String>,
}

/// A format that was less sure, or as sure and behind in the table.
#[derive(Serialize)]
pub(super) struct RunnerUp {
    format: &'static str,
    confidence: &'static str,
    reason: &'static str,
}

/// A line of the JSON output.
#[derive(Serialize)]
struct Told<'a> {
    file: &'a str,
    #[serde(flatten)]
    recognised: &'a Recognised,
}

impl Recognised {
    /// Looks at an input.
    pub(super) fn of(name: &str, options: ReadOptions) -> Self {
        match Source::open(Path::new(name), Default::default()) {
            Ok(source) => Self::from(survey(source, options)),
            Err(error) => Self { error: Some(error.to_string()), ..Self::nothing() },
        }
    }

    fn nothing() -> Self {
        Self {
            format: None,
            confidence: None,
            reason: None,
            wrappings: Vec::new(),
            lines_before: 0,
            runners_up: Vec::new(),
            error: None,
        }
    }

    fn from(survey: Survey) -> Self {
        let wanted = "expected JSON-RPC messages, one a line, or a log that holds them";
        let error = match (&survey.error, survey.hint) {
            _ if !survey.bids.is_empty() => None,
            (Some(error), _) => Some(error.to_string()),
            (None, Some(hint)) => Some(format!("{wanted}, found {hint}")),
            (None, None) if survey.bytes == 0 => Some(format!("{wanted}, found an empty input: check what wrote it")),
            (None, None) if survey.bytes > SURVEYED => {
                Some(format!("{wanted}, found none in the first {} MiB", SURVEYED >> 20))
            }
            (None, None) => Some(format!("{wanted}, found none in {} lines", survey.passed)),
        };
        let best = survey.bids.first();
        Self {
            format: best.map(|(format, _)| format.name),
            confidence: best.map(|(_, bid)| bid.confidence.as_str()),
            reason: best.map(|(_, bid)| bid.reason),
            wrappings: survey.wrappings.iter().map(Wrapping::as_str).collect(),
            lines_before: survey.passed,
            runners_up: survey.bids.iter().skip(1).map(runner_up).collect(),
            error,
        }
    }
}

fn runner_up((format, bid): &(&'static Format, Bid)) -> RunnerUp {
    RunnerUp { format: format.name, confidence: bid.confidence.as_str(), reason: bid.reason }
}

/// Says what the inputs are. Exit code 2 when one of them is nothing that is read.
pub(super) fn run(args: &FormatsArgs, around: &Environment) -> Result<Exit> {
    let names = Found::of(&args.files, None)?.all();
    let options = ReadOptions { own: config::load(&args.config)?.formats, ..ReadOptions::default() };
    let found: Vec<(&String, Recognised)> =
        names.iter().map(|name| (name, Recognised::of(name, options.clone()))).collect();
    let text = match args.format {
        ListFormat::Table => page(&found, around),
        ListFormat::Json => {
            let mut lines = String::new();
            for (file, recognised) in &found {
                lines.push_str(&serde_json::to_string(&Told { file, recognised }).context("cannot write JSON")?);
                lines.push('\n');
            }
            lines
        }
    };
    print(&text)?;
    let mut exit = DONE;
    for (name, recognised) in &found {
        if let Some(error) = &recognised.error {
            notice(&format!("{}: {error}", input_words(name)));
            exit = CANNOT_RUN;
        }
    }
    Ok(exit)
}

fn page(found: &[(&String, Recognised)], around: &Environment) -> String {
    let mut page = Page::new(around.width());
    let plural = if found.len() == 1 { "" } else { "s" };
    page.title("formats", &format!("what {} input{plural} was recognised as", found.len()));
    for (name, recognised) in found {
        page.heading(&printable(input_words(name)));
        let rows: Vec<Vec<String>> = recognised
            .format
            .map(|format| (format, recognised.confidence.unwrap_or_default(), recognised.reason.unwrap_or_default()))
            .into_iter()
            .chain(recognised.runners_up.iter().map(|bid| (bid.format, bid.confidence, bid.reason)))
            .map(|(format, confidence, reason)| [format, confidence, reason].map(str::to_owned).to_vec())
            .collect();
        page.table(&["format", "how sure", "why"], &rows);
        let mut notes = Vec::new();
        if !recognised.wrappings.is_empty() {
            notes.push(format!("Inside {}.", recognised.wrappings.join(", ")));
        }
        match (recognised.format, recognised.lines_before) {
            (Some(_), 1) => notes.push("1 line before it is no part of it.".to_owned()),
            (Some(_), before) if before > 0 => notes.push(format!("{before} lines before it are no part of it.")),
            _ => {}
        }
        if let Some(error) = &recognised.error {
            notes.push(printable(error));
        }
        if !notes.is_empty() {
            page.sentences(&notes.join(" "));
        }
    }
    page.finish()
}
