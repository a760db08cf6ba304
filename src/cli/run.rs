//! From arguments to an exit code: parses, runs the command, and says in one line why it could not.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

use super::args::{Command, CommandLine, ConfigArgs};
use super::environment::Environment;
use super::filter::Drawn;
use super::misspelt::misspelt_command;
use super::notice::{block, notice};
use super::{annotate, check, config, convert, demo, explain, listing, logs, recognised, show, stats};

/// The exit code of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exit(pub(super) u8);

/// Everything was read and done.
pub(super) const DONE: Exit = Exit(0);

/// Wrong usage, or the input cannot give what was asked for.
pub(super) const CANNOT_RUN: Exit = Exit(2);

/// Before the system's reason why standard output takes no more.
pub(super) const CANNOT_WRITE: &str = "cannot write to standard output";

/// Runs the program with these arguments, the program's own name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(text) = misspelt_command(&arguments) {
        notice(&text);
        return code(CANNOT_RUN);
    }
    let outcome = match CommandLine::try_parse_from(arguments) {
        Ok(line) => dispatch(line),
        Err(error) if error.use_stderr() => {
            let _ = error.print();
            return code(CANNOT_RUN);
        }
        // Help and version.
        Err(error) => error.print().context(CANNOT_WRITE).map(|()| DONE),
    };
    match outcome {
        Ok(exit) => code(exit),
        Err(error) if is_closed_pipe(&error) => code(DONE),
        Err(error) => {
            notice(&format!("{error:#}"));
            if let Some(drawn) = error.downcast_ref::<Drawn>() {
                block(&drawn.drawing);
            }
            code(CANNOT_RUN)
        }
    }
}

fn dispatch(line: CommandLine) -> Result<Exit> {
    let around = Environment::read();
    if let Some(config) = config_of(&line).filter(|config| config.show_config) {
        return config::show(config);
    }
    match line.command {
        None => annotate::run(&line.annotate, &around),
        Some(Command::Annotate(args)) => annotate::run(&args, &around),
        Some(Command::Check(args)) => check::run(&args, &around),
        Some(Command::Stats(args)) => stats::run(&args, &around),
        Some(Command::Convert(args)) => convert::run(&args, &around),
        Some(Command::Demo(args)) => demo::run(&args, &around),
        Some(Command::Show(args)) => show::run(&args, &around),
        Some(Command::Explain(args)) => explain::run(&args, &around),
        Some(Command::Schema) => listing::schema(),
        Some(Command::Formats(args)) if args.files.is_empty() => listing::formats(&args.config, &around),
        Some(Command::Formats(args)) => recognised::run(&args, &around),
        Some(Command::Logs(args)) => logs::run(&args, &around),
    }
}

/// The options of the configuration, where the command has them.
fn config_of(line: &CommandLine) -> Option<&ConfigArgs> {
    match &line.command {
        None => Some(&line.annotate.reading.config),
        Some(Command::Annotate(args)) => Some(&args.reading.config),
        Some(Command::Check(args)) => Some(&args.reading.config),
        Some(Command::Stats(args)) => Some(&args.reading.config),
        Some(Command::Convert(args)) => Some(&args.reading.config),
        Some(Command::Show(args)) => Some(&args.reading.config),
        Some(Command::Formats(args)) => Some(&args.config),
        Some(Command::Demo(_) | Command::Explain(_) | Command::Schema | Command::Logs(_)) => None,
    }
}

/// Writes a finished text to standard output.
pub(super) fn print(text: &str) -> Result<Exit> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context(CANNOT_WRITE)?;
    Ok(DONE)
}

fn code(exit: Exit) -> ExitCode {
    ExitCode::from(exit.0)
}

/// Whoever read our output has seen enough. Only writing errors come here: those of inputs are records.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}
