//! `mcp-trace show N`: one message in full, and the messages that belong to it, in the order of the log.
//!
//! What belongs to a message is known only when it has been read, and its request stands before it. A regular file
//! is read twice: to find the message, then to write. Standard input and pipes are read once, and the last messages are
//! kept meanwhile, within bounds.

mod card;
mod family;
mod held;
mod pretty;
mod sinks;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufWriter};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::args::{ShowArgs, ShowFormat};
use super::environment::Environment;
use super::interrupt::on_ctrl_c;
use super::notice::{block, input_words, notice, redacted_words};
use super::plan;
use super::run::{CANNOT_RUN, CANNOT_WRITE, Exit};
use crate::annotate::Trace;
use crate::pipeline::{self, Job};
use card::Look;
use family::Family;
use sinks::{Finder, Form, Shower};

/// Shows the message.
pub(super) fn run(args: &ShowArgs, around: &Environment) -> Result<Exit> {
    let (n, file) = asked(args)?;
    if file == plan::STDIN && args.file.is_none() && around.stdin_terminal {
        block("mcp-trace: nothing to read: name a file (mcp-trace show 5 session.jsonl) or pipe a session in\n");
        return Ok(CANNOT_RUN);
    }
    let reading = plan::reading(&args.reading)?;
    let width = args.width.map_or_else(|| around.width(), usize::from);
    let form = match args.format {
        ShowFormat::Table => Form::Cards(Look {
            color: plan::color(&args.look, around.stdout_color),
            ascii: args.look.ascii || around.ascii_only(),
            zone: args.reading.tz.is_some().then(|| reading.options.zone.clone()),
            width,
        }),
        ShowFormat::Json => Form::records(reading.options.zone.clone(), width),
    };
    let job = Job {
        trace: Trace { command: "show", filter: None, inputs: vec![file.clone()] },
        from: reading.from,
        read: reading.options,
        redact: reading.redact,
        filter: None,
        interrupt: on_ctrl_c()?,
    };

    let mut family = None;
    if fs::metadata(&file).is_ok_and(|known| known.is_file()) {
        match find(&job, n)? {
            Found::Family(found) => family = Some(found),
            Found::Nothing { messages, error } => return Ok(missing(n, &file, messages, error)),
        }
    }
    let out = BufWriter::with_capacity(64 << 10, io::stdout().lock());
    let mut shower = Shower::new(n, family, form, job.from, out);
    let summary = pipeline::run(&job, &mut shower).context(CANNOT_WRITE)?;
    let shown = shower.finish().context(CANNOT_WRITE)?;
    if !shown.asked {
        return Ok(missing(n, &file, shown.messages, shown.error));
    }
    if let Some(request) = shown.lost_request {
        notice(&format!(
            "its request, message {request}, is no longer there: of standard input only the last {} messages within \
             {} MiB are kept; save it to a file to see all",
            held::MESSAGES,
            held::BYTES >> 20
        ));
    }
    if let Some(error) = shown.error {
        notice(&format!("{}: {error}", input_words(&file)));
    }
    if let Some(told) = redacted_words(&summary) {
        notice(&told);
    }
    Ok(Exit(summary.exit_code))
}

/// The number and the input; in this order, but the other one is understood as well.
fn asked(args: &ShowArgs) -> Result<(u64, String)> {
    let number =
        |word: &OsStr| word.to_str().and_then(|word| word.strip_prefix('#').unwrap_or(word).parse::<u64>().ok());
    let order = "expected the number of a message before the file: mcp-trace show 5 session.jsonl";
    let (n, file) = match (number(&args.n), args.file.as_deref()) {
        (Some(n), file) => (n, file),
        (None, Some(second)) if Path::new(&args.n).exists() => {
            (number(second).with_context(|| format!("{order}; got `{}`", second.display()))?, Some(args.n.as_os_str()))
        }
        (None, _) => bail!("{order}; got `{}`", args.n.display()),
    };
    Ok((n, file.map_or(Ok(plan::STDIN.to_owned()), plan::input_name)?))
}

enum Found {
    Family(Family),
    Nothing { messages: u64, error: Option<String> },
}

/// Reads until the message is there.
fn find(job: &Job, n: u64) -> Result<Found> {
    let mut finder = Finder::new(n, job.from);
    let outcome = pipeline::run(job, &mut finder);
    if let Some(family) = finder.family {
        return Ok(Found::Family(family));
    }
    outcome?;
    Ok(Found::Nothing { messages: finder.messages, error: finder.error })
}

fn missing(n: u64, file: &str, messages: u64, error: Option<String>) -> Exit {
    let file = input_words(file);
    match (messages, error) {
        (0, Some(error)) => notice(&format!("{file}: {error}")),
        (0, None) => notice(&format!("no message {n} in {file}: it has none")),
        (_, Some(error)) => notice(&format!("no message {n} in what was read of {file}: {error}")),
        (1, None) => notice(&format!("no message {n} in {file}: it has only message 1")),
        (last, None) => notice(&format!("no message {n} in {file}: expected a number from 1 to {last}")),
    }
    CANNOT_RUN
}
