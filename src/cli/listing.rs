//! `mcp-trace formats` and `mcp-trace schema`: what the tables and the output types say of themselves.

use anyhow::{Context, Result};
use tabled::builder::Builder;
use tabled::settings::peaker::Priority;
use tabled::settings::{Style, Width};

use super::environment::Environment;
use super::run::{Exit, print};
use crate::render;
use crate::transcript::FORMATS;

/// Prints the JSON Schema of the JSON outputs.
pub(super) fn schema() -> Result<Exit> {
    let text = serde_json::to_string_pretty(&render::schema()).context("cannot write the schema")?;
    print(&format!("{text}\n"))
}

/// Prints the input formats.
pub(super) fn formats(around: &Environment) -> Result<Exit> {
    let mut text =
        String::from("Input formats, found by themselves or forced with `--from NAME`; `.gz` is read as it is.\n\n");
    let mut builder = Builder::new();
    builder.push_record(["name", "what", "does not record"]);
    for format in FORMATS {
        builder.push_record([format.name, format.title, format.loses]);
    }
    let mut table = builder.build();
    table.with(Style::blank());
    table.with(Width::wrap(around.width()).keep_words(true).priority(Priority::max(true)));
    for line in table.to_string().lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str("\nExamples\n\n");
    for format in FORMATS {
        text.push_str(&format!("{}\n", format.name));
        for line in format.example.lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    print(&text)
}
