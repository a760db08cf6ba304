//! `mcp-trace formats` and `mcp-trace schema`: what the tables and the output types say of themselves.

use anyhow::{Context, Result};

use super::args::ConfigArgs;
use super::config;
use super::environment::Environment;
use super::page::Page;
use super::run::{Exit, print};
use crate::render;
use crate::transcript::{FORMATS, WRAPPINGS};

/// Prints the JSON Schema of the JSON outputs.
pub(super) fn schema() -> Result<Exit> {
    let text = serde_json::to_string_pretty(&render::schema()).context("cannot write the schema")?;
    print(&format!("{text}\n"))
}

/// Prints the input formats.
pub(super) fn formats(args: &ConfigArgs, around: &Environment) -> Result<Exit> {
    let own = config::load(args)?.formats;
    let mut page = Page::new(around.width());
    page.title("input formats", "found by themselves, or forced with `--from NAME`");
    let rows = own
        .iter()
        .map(|own| &own.format)
        .chain(FORMATS.iter().copied())
        .map(|format| [format.name, format.title, format.loses, format.proof.as_str()].map(str::to_owned).to_vec());
    page.heading("formats");
    page.table(&["name", "what", "does not record", "rests on"], &rows.collect::<Vec<_>>());
    let rows = WRAPPINGS.iter().map(|(wrapping, _, what)| vec![wrapping.as_str().to_owned(), (*what).to_owned()]);
    page.heading("what may lie around them");
    page.table(&["name", "what"], &rows.collect::<Vec<_>>());
    for format in FORMATS {
        page.heading(&format!("{}, for example", format.name));
        page.verbatim(format.example);
    }
    print(&page.finish())
}
