//! `mcp-trace stats`: counts over any number of inputs, or merges what was counted of parts.

mod live;
mod workers;

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::args::StatsArgs;
use super::destination::Destination;
use super::environment::Environment;
use super::filter;
use super::follow::followed;
use super::inputs::Found;
use super::interrupt::on_ctrl_c;
use super::notice::{self, input_words, notice};
use super::plan::{self, STDIN};
use super::produce;
use super::progress::Progress;
use super::run::{CANNOT_RUN, CANNOT_WRITE, DONE, Exit};
use super::suggest::{did_you_mean, nearest};
use crate::render::{COLUMNS, Look, STATS_OUTPUTS, Shown, Sort, StatsOutput, read_stats};
use crate::stats::{Field, Figures};
use workers::Work;

/// What somebody sees who gave nothing to count.
const NOTHING_TO_READ: &str = "\
mcp-trace stats counts what recorded MCP sessions hold

  mcp-trace stats session.jsonl     one session, or many in one file
  mcp-trace stats logs/             every file below a directory
";

/// Messages about inputs that are told one by one.
const MAX_TOLD: usize = 1_000;

/// Counts the inputs.
pub(super) fn run(args: &StatsArgs, around: &Environment) -> Result<Exit> {
    if args.files.is_empty() && args.files_from.is_none() && around.stdin_terminal {
        notice::block(NOTHING_TO_READ);
        return Ok(CANNOT_RUN);
    }
    let output = *STATS_OUTPUTS.iter().find(|output| output.name == args.format).context("no such output format")?;
    let by = args.by.as_deref().map(fields).transpose()?;
    let sort = sort(&args.sort, by.as_deref())?;
    let found = Found::of(&args.files, args.files_from.as_deref())?;
    let place = args.output.as_ref().map(PathBuf::from);
    if let Some(place) = &place {
        produce::refuse_own_input(place, &found.inputs)?;
    }
    let look = look(args, around);
    let (figures, told) = if args.merge {
        merged(args, found, by.as_deref())?
    } else if args.follow {
        let file = followed(&args.files)?;
        let looked_on = around.stdout_terminal && place.is_none() && output.name == "table";
        let draw = |figures: &Figures, out: &mut Vec<u8>| {
            let shown = Shown { figures, by: by.as_deref(), top: args.top, sort, look };
            (output.write)(&shown, out)
        };
        work(args, &[file], by.as_deref(), Progress::none())?.follow(looked_on.then_some(draw)).context(CANNOT_WRITE)?
    } else {
        let progress = Progress::over(&found.inputs, around);
        counted(args, found, by.as_deref(), progress)?
    };
    let shown = Shown { figures: &figures, by: by.as_deref(), top: args.top, sort, look };
    show(&shown, output, place.as_deref())?;
    for text in told.iter().take(MAX_TOLD) {
        notice(text);
    }
    if told.len() > MAX_TOLD {
        notice(&format!("{} more inputs were not read whole", told.len() - MAX_TOLD));
    }
    Ok(if figures.complete() { DONE } else { CANNOT_RUN })
}

/// Reads the inputs, several at a time.
fn counted(args: &StatsArgs, found: Found, by: Option<&[Field]>, progress: Progress) -> Result<(Figures, Vec<String>)> {
    let mut work = work(args, &found.inputs, by, progress)?;
    let threads = args.threads.map_or_else(plan::processors, usize::from);
    let (mut figures, mut told) = work.run(threads);
    for (name, error) in &found.errors {
        figures.unreadable(name, error);
        told.push(format!("{name}: {error}"));
    }
    Ok((figures, told))
}

/// What is to be counted of inputs.
fn work<'a>(args: &StatsArgs, inputs: &'a [String], by: Option<&'a [Field]>, progress: Progress) -> Result<Work<'a>> {
    let reading = plan::reading(&args.reading)?;
    let filter = filter::filter(&args.filter, &reading.options.zone)?;
    let (from, read, redact) = (reading.from, reading.options, reading.redact);
    Ok(Work { from, read, redact, filter, interrupt: on_ctrl_c()?, inputs, by, progress })
}

/// Reads what was counted of parts.
fn merged(args: &StatsArgs, found: Found, by: Option<&[Field]>) -> Result<(Figures, Vec<String>)> {
    if filter::filter(&args.filter, &plan::zone(args.reading.tz.as_deref())?)?.is_some() {
        bail!("`--merge` takes no filter: what was counted cannot be told apart any more; write the parts with it");
    }
    let mut all: Option<Figures> = None;
    let mut errors = found.errors;
    for name in found.inputs {
        let added = opened(&name).and_then(|file| {
            read_stats(BufReader::new(file)).try_for_each(|part| match &mut all {
                None => {
                    all = Some(part?);
                    Ok(())
                }
                Some(all) => all.merge(&part?).map_err(|_| {
                    "expected the same `--by` and the same filter as the parts before it, found others".to_owned()
                }),
            })
        });
        if let Err(error) = added {
            errors.push((name, error));
        }
    }
    let mut figures = all.unwrap_or_else(|| Figures::new(by));
    if let Some(by) = by.filter(|by| figures.by(by).is_none()) {
        let names: Vec<_> = by.iter().map(|field| field.as_str()).collect();
        let names = names.join(",");
        bail!("expected parts that are grouped by `{names}`, found others: write them with `--by {names}`");
    }
    let told = errors.iter().map(|(name, error)| format!("{}: {error}", input_words(name))).collect();
    for (name, error) in errors {
        figures.unreadable(&name, &error);
    }
    Ok((figures, told))
}

fn opened(name: &str) -> std::result::Result<Box<dyn Read>, String> {
    match name {
        STDIN => Ok(Box::new(std::io::stdin().lock())),
        name => std::fs::File::open(name)
            .map(|file| Box::new(file) as Box<dyn Read>)
            .map_err(|error| format!("cannot be read: {error}")),
    }
}

fn show(shown: &Shown<'_>, output: &StatsOutput, place: Option<&Path>) -> Result<()> {
    let mut destination = Destination::open(place)?;
    let cannot = destination.cannot_write();
    // A file of an earlier run is worth more than one that says that nothing was read.
    if destination.is_replacing() && shown.figures.total.messages == 0 && !shown.figures.complete() {
        notice("nothing was read, so the output file was left as it was");
        return Ok(());
    }
    let mut buffered = std::io::BufWriter::new(&mut destination);
    (output.write)(shown, &mut buffered).with_context(|| cannot.clone())?;
    buffered.into_inner().map_err(std::io::IntoInnerError::into_error).with_context(|| cannot.clone())?;
    destination.commit().context(cannot)
}

fn look(args: &StatsArgs, around: &Environment) -> Look {
    let to_file = args.output.is_some();
    Look {
        width: plan::width(args.width, to_file, around),
        color: plan::color(&args.look, !to_file && around.stdout_color),
        ascii: args.look.ascii || around.ascii_only(),
    }
}

/// The fields of `--by`.
fn fields(names: &[String]) -> Result<Vec<Field>> {
    let known = || Field::NAMED.iter().map(|(_, name)| *name);
    let mut fields = Vec::new();
    for name in names {
        let field = Field::named(name).ok_or_else(|| {
            let hint = did_you_mean(&nearest(name, known())).map(|question| format!("{question} "));
            let known = known().collect::<Vec<_>>().join(", ");
            anyhow!("unknown field `{name}`: {}known fields: {known}", hint.unwrap_or_default())
        })?;
        if fields.contains(&field) {
            bail!("the field `{name}` stands twice in `--by`: expected each field once");
        }
        fields.push(field);
    }
    Ok(fields)
}

/// What `--sort` names.
fn sort(name: &str, by: Option<&[Field]>) -> Result<Sort> {
    if let Some(column) = COLUMNS.iter().find(|column| column.name == name) {
        return Ok(Sort::Column(column));
    }
    if let Some(field) = Field::named(name).filter(|field| by.unwrap_or(&[Field::Method]).contains(field)) {
        return Ok(Sort::Field(field));
    }
    let fields = by.unwrap_or_default().iter().map(|field| field.as_str());
    let known: Vec<_> = COLUMNS.iter().map(|column| column.name).chain(fields).collect();
    let hint = did_you_mean(&nearest(name, known.iter().copied())).map(|question| format!("{question} "));
    bail!(
        "cannot sort by `{name}`: {}expected a field of `--by` or one of {}",
        hint.unwrap_or_default(),
        known.join(", ")
    )
}
