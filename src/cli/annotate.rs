//! `mcp-trace annotate`, which is also what `mcp-trace FILE…` does.

use anyhow::Result;
use clap::CommandFactory;

use super::args::{AnnotateArgs, CommandLine};
use super::destination::Destination;
use super::environment::Environment;
use super::interrupt::on_ctrl_c;
use super::run::{CANNOT_RUN, Exit};
use super::sink::RenderingSink;
use super::{notice, plan};
use crate::annotate::Trace;
use crate::pipeline::{self, Job};

/// Annotates the inputs.
pub(super) fn run(args: &AnnotateArgs, around: &Environment) -> Result<Exit> {
    if args.files.is_empty() && around.stdin_terminal {
        let help = CommandLine::command().render_help();
        notice::block(&format!(
            "{help}\nNothing to read: name a file, pipe a session in, or try `mcp-trace demo | mcp-trace`.\n"
        ));
        return Ok(CANNOT_RUN);
    }
    let plan = plan::annotate(args, around)?;
    let job = Job {
        trace: Trace { command: "annotate", filter: None, inputs: plan.inputs },
        from: plan.reading.from,
        read: plan.reading.options,
        interrupt: on_ctrl_c()?,
    };
    let destination = Destination::open(plan.destination.as_deref())?;
    let mut sink = RenderingSink::new((plan.output.open)(&plan.look), destination);
    let summary = pipeline::run(&job, &mut sink)?;
    sink.into_inner()?.commit()?;
    Ok(Exit(summary.exit_code))
}
