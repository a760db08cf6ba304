//! What the arguments mean here: formats and zones looked up, width and colour decided. What leaves this file is
//! valid; nothing after it looks at arguments or at the environment again.

use std::ffi::OsStr;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;

use super::args::{AnnotateArgs, CheckArgs, LookArgs, ReadingArgs, TimeKind, WhatIfArgs, When};
use super::baseline;
use super::config::{self, Config};
use super::environment::Environment;
use super::filter;
use super::inputs::Found;
use super::suggest::{did_you_mean, nearest};
use crate::annotate::Severity;
use crate::filter::Filter;
use crate::protocol::Side;
use crate::redact::{Field, Redaction};
use crate::render::{OUTPUTS, OpenOptions, Output, column_names};
use crate::rules::{Change, Expectations, Levels, Settings, WhatIf};
use crate::transcript::{FORMATS, Format, ReadOptions};
use crate::verdict::{Baseline, Suppression};

/// Files of so many bytes are read by two threads, where two can run.
const LARGE: u64 = 64 << 20;

/// The name of standard input.
pub(super) const STDIN: &str = "-";

/// No clock on earth is farther from UTC, in seconds.
const FARTHEST_OFFSET: i32 = 14 * 3600;

/// How to read.
pub(super) struct Reading {
    pub(super) from: Option<&'static Format>,
    pub(super) options: ReadOptions,
    pub(super) redact: Option<Redaction>,
}

/// Everything that `annotate` needs to know.
pub(super) struct AnnotatePlan {
    pub(super) inputs: Vec<String>,
    pub(super) reading: Reading,
    pub(super) filter: Option<Arc<Filter>>,
    pub(super) output: &'static Output,
    pub(super) look: OpenOptions,
    /// `None`: standard output.
    pub(super) destination: Option<PathBuf>,
}

/// Decides how to annotate.
pub(super) fn annotate(args: &AnnotateArgs, around: &Environment) -> Result<AnnotatePlan> {
    let inputs = Found::of(&args.files, None)?.all();
    let output = OUTPUTS.iter().find(|output| output.name == args.format).context("no such output format")?;
    let to_file = args.output.is_some();
    let absolute_times = match args.time {
        Some(kind) => kind == TimeKind::Absolute,
        None => args.reading.tz.is_some(),
    };
    let look = OpenOptions {
        width: width(args.width, to_file, around),
        color: color(&args.look, !to_file && around.stdout_color),
        ascii: args.look.ascii || around.ascii_only(),
        absolute_times,
        zone: zone(args.reading.tz.as_deref())?,
        payload: args.payload,
        wide: args.wide,
        columns: args.columns.as_deref().map(columns).transpose()?,
        fail_on: None,
        levels: Levels::default(),
        as_revision: None,
    };
    let destination = args.output.as_ref().map(PathBuf::from);
    let filter = filter::filter(&args.filter, &look.zone)?;
    Ok(AnnotatePlan { inputs, reading: reading(&args.reading)?, filter, output, look, destination })
}

/// The columns of what is written: those that the user wants, else those of the terminal.
pub(super) fn width(wanted: Option<u16>, to_file: bool, around: &Environment) -> usize {
    match wanted {
        Some(width) => usize::from(width),
        None if to_file => Environment::WIDTH,
        None => around.width(),
    }
}

/// How to judge.
pub(super) struct Judging {
    pub(super) settings: Settings,
    pub(super) suppressions: Vec<Suppression>,
    /// The baseline, and its file.
    pub(super) baseline: Option<(Baseline, PathBuf)>,
    /// The file for a new baseline.
    pub(super) write_baseline: Option<PathBuf>,
    /// From which severity on findings fail the run; `None`: they never do.
    pub(super) fail_on: Option<Severity>,
}

/// Everything that `check` needs to know.
pub(super) struct CheckPlan {
    pub(super) inputs: Vec<String>,
    pub(super) reading: Reading,
    pub(super) filter: Option<Arc<Filter>>,
    pub(super) output: &'static Output,
    pub(super) look: OpenOptions,
    /// `None`: standard output.
    pub(super) destination: Option<PathBuf>,
    pub(super) judging: Judging,
}

/// Decides how to check.
pub(super) fn check(args: &CheckArgs, around: &Environment) -> Result<CheckPlan> {
    let inputs = Found::of(&args.files, None)?.all();
    let output = OUTPUTS.iter().find(|output| output.name == args.format).context("no such output format")?;
    let to_file = args.output.is_some();
    let config = config::load(&args.reading.config)?;
    let reading = configured_reading(&args.reading, &config)?;
    let judging = judging(args, config)?;
    let look = OpenOptions {
        width: width(args.width, to_file, around),
        color: color(&args.look, !to_file && around.stdout_color),
        ascii: args.look.ascii || around.ascii_only(),
        absolute_times: args.reading.tz.is_some(),
        zone: zone(args.reading.tz.as_deref())?,
        payload: false,
        wide: false,
        columns: None,
        fail_on: judging.fail_on,
        levels: judging.settings.levels.clone(),
        as_revision: judging.settings.what_if.revision,
    };
    let destination = args.output.as_ref().map(PathBuf::from);
    let filter = filter::filter(&args.filter, &look.zone)?;
    if filter.is_some() && judging.write_baseline.is_some() {
        bail!("`--write-baseline` takes no filter: expected a baseline of everything that is wrong");
    }
    Ok(CheckPlan { inputs, reading, filter, output, look, destination, judging })
}

/// Decides how to judge.
fn judging(args: &CheckArgs, config: Config) -> Result<Judging> {
    let Config { mut levels, mut expect, suppressions, .. } = config;
    for (rule, level) in &args.rule {
        levels.set(rule, *level);
    }
    expect.tools.extend(args.expect.expect_tool.iter().cloned());
    expect.forbidden_tools.extend(args.expect.forbid_tool.iter().cloned());
    expect.max_latency = args.expect.max_latency.or(expect.max_latency);
    expect.max_bytes = args.expect.max_bytes.or(expect.max_bytes);
    if expect.tools.len() > Expectations::MAX_TOOLS {
        bail!("expected at most {} tools that have to be called, got {}", Expectations::MAX_TOOLS, expect.tools.len());
    }
    let read = |path: &PathBuf| Ok::<_, anyhow::Error>((baseline::read(path)?, path.clone()));
    Ok(Judging {
        settings: Settings::from(levels).expecting(expect).supposing(what_if(&args.what_if)?),
        suppressions,
        baseline: args.baseline.as_ref().map(read).transpose()?,
        write_baseline: args.write_baseline.clone(),
        fail_on: args.fail_on.severity(),
    })
}

/// What is supposed to have been negotiated.
fn what_if(args: &WhatIfArgs) -> Result<WhatIf> {
    let changes = |with, named: &[(Side, Vec<String>)]| {
        named.iter().map(|(side, path)| Change { with, side: *side, path: path.clone() }).collect::<Vec<_>>()
    };
    let mut changes = [changes(false, &args.without), changes(true, &args.with)].concat();
    let mut seen = Vec::new();
    changes.retain(|change| {
        !seen.contains(change) && {
            seen.push(change.clone());
            true
        }
    });
    let what_if = WhatIf { changes, revision: args.as_revision };
    if let Some((with, without)) = what_if.contradiction() {
        bail!("`--{}` and `--{}` contradict each other", with.words(), without.words());
    }
    Ok(what_if)
}

/// Threads that can run at a time.
pub(super) fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Decides how to read.
pub(super) fn reading(args: &ReadingArgs) -> Result<Reading> {
    configured_reading(args, &config::load(&args.config)?)
}

fn configured_reading(args: &ReadingArgs, config: &Config) -> Result<Reading> {
    let own = config.formats;
    let names = || own.iter().map(|own| own.format.name).chain(FORMATS.iter().map(|format| format.name));
    let by_name = |name: &str| {
        let own = own.iter().map(|own| &own.format).find(|format| format.name == name);
        own.or_else(|| Format::by_name(name)).ok_or_else(|| {
            let hint = did_you_mean(&nearest(name, names())).map(|question| format!("{question} "));
            anyhow!("unknown format `{name}`: {}`mcp-trace formats` lists what is read", hint.unwrap_or_default())
        })
    };
    let from = args.from.as_deref().map(by_name).transpose()?;
    let ahead = (processors() > 1).then_some(LARGE);
    let options = ReadOptions { max_line: args.max_line, zone: zone(args.tz.as_deref())?, own, ahead };
    let fields = &args.redact.redact_field;
    if fields.len() > Field::MAX {
        bail!("expected at most {} times `--redact-field`, got {}", Field::MAX, fields.len());
    }
    let redact = (args.redact.redact || !fields.is_empty()).then(|| Redaction { fields: fields.clone() });
    Ok(Reading { from, options, redact })
}

/// Whether to colour, where `auto` says what the environment decided.
pub(super) fn color(args: &LookArgs, auto: bool) -> bool {
    match args.color {
        When::Auto => auto,
        When::Always => true,
        When::Never => false,
    }
}

/// The name of one input as text.
pub(super) fn input_name(file: &OsStr) -> Result<String> {
    match file.to_str() {
        Some("") => bail!("expected a file name, got an empty one"),
        Some(name) => Ok(name.to_owned()),
        None => {
            bail!("expected a file name in UTF-8, got `{}`; pipe it in instead: mcp-trace < FILE", file.display())
        }
    }
}

/// The zone for a name as people write them; UTC when none is given.
pub(super) fn zone(name: Option<&str>) -> Result<TimeZone> {
    let name = match name {
        None => return Ok(TimeZone::UTC),
        Some("local") => return Ok(TimeZone::system()),
        Some(name) => name,
    };
    let Ok(zone) = DateTimeParser::new().parse_time_zone(name) else {
        let known: Vec<_> = jiff::tz::db().available().collect();
        let near = nearest(&name.replace(' ', "_"), known.iter().map(|name| name.as_str()));
        let hint = did_you_mean(&near).map(|question| format!("{question} ")).unwrap_or_default();
        bail!("unknown zone `{name}`: {hint}expected `Europe/Berlin`, `+02:00`, `UTC`, `local` or the like");
    };
    match zone.to_fixed_offset() {
        Ok(offset) if offset.seconds().abs() > FARTHEST_OFFSET => {
            bail!("no zone is so far from UTC: expected an offset from `-14:00` to `+14:00`, got `{name}`")
        }
        _ => Ok(zone),
    }
}

fn columns(names: &[String]) -> Result<Vec<String>> {
    let known = || column_names().collect::<Vec<_>>().join(", ");
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() {
            bail!("expected the name of a column, got an empty one: known columns: {}", known());
        }
        if !column_names().any(|known| known == name) {
            let hint = did_you_mean(&nearest(name, column_names()));
            let hint = hint.map(|question| format!("{question} ")).unwrap_or_default();
            bail!("unknown column `{name}`: {hint}known columns: {}", known());
        }
        if names[..at].contains(name) {
            bail!("the column `{name}` stands twice in `--columns`: expected each column once");
        }
    }
    Ok(names.to_vec())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use clap::Parser;

    use super::*;
    use crate::cli::args::CommandLine;

    fn plan(arguments: &[&str], around: &Environment) -> Result<AnnotatePlan> {
        let line = CommandLine::try_parse_from(["mcp-trace"].iter().chain(arguments)).unwrap();
        annotate(&line.annotate, around)
    }

    #[test]
    fn nothing_given_means_standard_input_and_the_first_output() {
        let plan = plan(&[], &Environment::default()).unwrap();
        assert_eq!(plan.inputs, [STDIN]);
        assert_eq!(plan.output.name, OUTPUTS[0].name);
        assert!(!plan.look.color && !plan.look.absolute_times && !plan.look.ascii);
    }

    #[test]
    fn a_flag_beats_the_environment() {
        let coloured = Environment { stdout_color: true, ..Environment::default() };
        assert!(plan(&[], &coloured).unwrap().look.color);
        assert!(!plan(&["--color", "never"], &coloured).unwrap().look.color);
        assert!(plan(&["--color", "always"], &Environment::default()).unwrap().look.color);
        assert!(!plan(&["-o", "out.txt"], &coloured).unwrap().look.color, "a file is not coloured by itself");
        let narrow = Environment { columns: Some("60".into()), ..Environment::default() };
        assert_eq!(plan(&["--width", "90"], &narrow).unwrap().look.width, 90);
        assert_eq!(plan(&["-o", "out.txt"], &narrow).unwrap().look.width, Environment::WIDTH);
    }

    #[test]
    fn a_zone_makes_times_absolute() {
        let around = Environment::default();
        assert!(plan(&["--tz", "+02:00"], &around).unwrap().look.absolute_times);
        assert!(!plan(&["--tz", "+02:00", "--time", "relative"], &around).unwrap().look.absolute_times);
        assert!(plan(&["--time", "absolute"], &around).unwrap().look.absolute_times);
        let error = plan(&["--tz", "Mars/Olympus"], &around).err().unwrap();
        assert!(error.to_string().contains("unknown zone `Mars/Olympus`"), "{error}");
        for (far, near) in [("+25:00", "+14:00"), ("-14:01", "-14:00")] {
            let error = zone(Some(far)).err().unwrap().to_string();
            assert!(error.contains(&format!("got `{far}`")), "{error}");
            assert!(zone(Some(near)).is_ok(), "{near} was refused");
        }
    }

    #[test]
    fn an_unknown_zone_gets_the_nearest_names() {
        if jiff::tz::db().is_definitively_empty() {
            return;
        }
        for asked in ["Europe/Berln", "berlin", "America/New York"] {
            let wanted = if asked.starts_with('A') { "`America/New_York`" } else { "`Europe/Berlin`" };
            let error = zone(Some(asked)).err().unwrap().to_string();
            assert!(error.contains("did you mean") && error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn what_cannot_work_is_said() {
        let around = Environment::default();
        let error = |arguments: &[&str]| plan(arguments, &around).err().unwrap().to_string();
        assert!(error(&["-", "-"]).contains("only once"));
        assert!(error(&[""]).contains("empty"));
        assert!(error(&["--columns", "metod"]).contains("unknown column `metod`"));
        assert!(error(&["--columns="]).contains("expected the name of a column"));
        assert!(error(&["--columns", "n,,id"]).contains("expected the name of a column"));
        assert!(error(&["--columns", "n,id,n"]).contains("the column `n` stands twice"));
    }
}
