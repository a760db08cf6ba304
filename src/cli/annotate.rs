//! `mcp-trace annotate`, which is also what `mcp-trace FILE…` does.

use anyhow::{Result, bail};

use super::args::AnnotateArgs;
use super::environment::Environment;
use super::follow::followed;
use super::interrupt::on_ctrl_c;
use super::run::{CANNOT_RUN, Exit};
use super::save::{self, Place};
use super::{filter, notice, pairs, plan, produce};
use crate::annotate::Trace;
use crate::pipeline::Job;

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
    if args.follow {
        followed(&args.files)?;
    }
    let plan = plan::annotate(args, around)?;
    let words = filter::named(plan.filter.as_deref(), args.pairs);
    let mut job = Job {
        trace: Trace { command: "annotate", filter: words, inputs: plan.inputs },
        from: plan.reading.from,
        read: plan.reading.options,
        redact: plan.reading.redact,
        filter: plan.filter,
        interrupt: on_ctrl_c()?,
    };
    if args.pairs {
        pairs::complete(&mut job)?;
    }
    let (renderer, place) = ((plan.output.open)(&plan.look), plan.destination.as_deref());
    if args.follow {
        return produce::follow(&job, renderer, place);
    }
    match &args.write {
        Some(_) if job.filter.is_none() => {
            bail!(
                "`--write` saves what a filter selects: expected `--where` or the like; `mcp-trace convert -o FILE` writes everything"
            )
        }
        Some(file) => save::run(&job, renderer, place, &Place { file, force: args.force }),
        None => produce::run(&job, renderer, place),
    }
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
