//! `mcp-trace annotate`, which is also what `mcp-trace FILE…` does.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::args::AnnotateArgs;
use super::destination::Destination;
use super::environment::Environment;
use super::interrupt::on_ctrl_c;
use super::run::{CANNOT_RUN, DONE, Exit};
use super::sink::RenderingSink;
use super::{notice, plan};
use crate::annotate::Trace;
use crate::pipeline::{self, Job};

/// What somebody sees who only typed the name of the program.
const NOTHING_TO_READ: &str = "\
mcp-trace shows every message of a recorded MCP session: what it is, who sent it, what it answers

  mcp-trace session.jsonl       a recorded session
  program | mcp-trace           a live one, row by row
  mcp-trace demo | mcp-trace    a sample, when you have none
  mcp-trace --help              all commands and options
";

/// Annotates the inputs.
pub(super) fn run(args: &AnnotateArgs, around: &Environment) -> Result<Exit> {
    if args.files.is_empty() && around.stdin_terminal {
        notice::block(NOTHING_TO_READ);
        return Ok(CANNOT_RUN);
    }
    let plan = plan::annotate(args, around)?;
    let job = Job {
        trace: Trace { command: "annotate", filter: None, inputs: plan.inputs },
        from: plan.reading.from,
        read: plan.reading.options,
        interrupt: on_ctrl_c()?,
    };
    if let Some(place) = plan.destination.as_deref() {
        refuse_own_input(place, &job.trace.inputs)?;
    }
    let destination = Destination::open(plan.destination.as_deref())?;
    let cannot = destination.cannot_write();
    let mut sink = RenderingSink::new((plan.output.open)(&plan.look), destination, job.from);
    let summary = pipeline::run(&job, &mut sink).with_context(|| cannot.clone())?;
    let destination = sink.into_inner().with_context(|| cannot.clone())?;
    // A file of an earlier run is worth more than one that says that nothing was read.
    if destination.is_replacing() && summary.counts.messages == 0 && summary.exit_code != DONE.0 {
        notice::notice("nothing was read, so the output file was left as it was");
    } else {
        destination.commit().context(cannot)?;
    }
    Ok(Exit(summary.exit_code))
}

/// An output that would take the place of one of its inputs is a slip of the hand.
pub(super) fn refuse_own_input(place: &Path, inputs: &[String]) -> Result<()> {
    let Ok(place) = place.canonicalize() else { return Ok(()) };
    let is_place = |input: &String| match input.as_str() {
        "-" => is_standard_input(&place),
        input => Path::new(input).canonicalize().is_ok_and(|input| input == place),
    };
    match inputs.iter().find(|input| is_place(input)) {
        Some(input) if place.is_file() => bail!("`{input}` is an input: expected another name for the output"),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn is_standard_input(place: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    let open = std::io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    let Ok(input) = open.and_then(|file| file.metadata()) else { return false };
    place.metadata().is_ok_and(|place| (place.dev(), place.ino()) == (input.dev(), input.ino()))
}

#[cfg(not(unix))]
fn is_standard_input(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use clap::Parser;

    use super::*;
    use crate::cli::args::CommandLine;

    #[test]
    fn a_terminal_is_not_waited_for() {
        let line = CommandLine::try_parse_from(["mcp-trace"]).unwrap();
        let around = Environment { stdin_terminal: true, ..Environment::default() };
        assert_eq!(run(&line.annotate, &around).unwrap(), CANNOT_RUN);
    }
}
