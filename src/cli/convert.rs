//! `mcp-trace convert`: the messages of the inputs in another format.

use std::path::Path;

use anyhow::{Context, Result};

use super::args::ConvertArgs;
use super::environment::Environment;
use super::inputs::Found;
use super::interrupt::on_ctrl_c;
use super::run::{CANNOT_RUN, Exit};
use super::{filter, notice, pairs, plan, produce};
use crate::annotate::Trace;
use crate::pipeline::Job;
use crate::render::CONVERSIONS;

/// Converts the inputs.
pub(super) fn run(args: &ConvertArgs, around: &Environment) -> Result<Exit> {
    if args.files.is_empty() && around.stdin_terminal {
        notice::block("mcp-trace: nothing to read: name a file (mcp-trace convert server.log) or pipe a session in\n");
        return Ok(CANNOT_RUN);
    }
    let conversion = CONVERSIONS.iter().find(|conversion| conversion.name == args.to).context("no such format")?;
    let reading = plan::reading(&args.reading)?;
    let filter = filter::filter(&args.filter, &reading.options.zone)?;
    let words = filter::named(filter.as_deref(), args.pairs);
    let mut job = Job {
        trace: Trace { command: "convert", filter: words, inputs: Found::of(&args.files, None)?.all() },
        from: reading.from,
        read: reading.options,
        redact: reading.redact,
        filter,
        interrupt: on_ctrl_c()?,
    };
    if args.pairs {
        pairs::complete(&mut job)?;
    }
    produce::run(&job, (conversion.open)(), args.output.as_deref().map(Path::new))
}
