//! `mcp-trace formats` and `mcp-trace schema`: what the tables and the output types say of themselves.

use anyhow::{Context, Result};

use super::environment::Environment;
use super::page::Page;
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
    let mut page = Page::new(around.width());
    page.title("input formats", "found by themselves, or forced with `--from NAME`; `.gz` is read as it is");
    let rows = FORMATS.iter().map(|format| [format.name, format.title, format.loses].map(str::to_owned).to_vec());
    page.heading("formats");
    page.table(&["name", "what", "does not record"], &rows.collect::<Vec<_>>());
    for format in FORMATS {
        page.heading(&format!("{}, for example", format.name));
        page.verbatim(format.example);
    }
    print(&page.finish())
}
