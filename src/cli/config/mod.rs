//! `mcp-trace.toml`: where it is looked for, and what may stand in it. A section is optional, and a further one is a
//! further field of [`Config`].

mod formats;
mod judging;

use std::fmt::{Display, Write as _};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use toml::Spanned;

use self::formats::{FormatSection, described};
use self::judging::{ExpectSection, Levelled, SuppressSection};
use super::args::ConfigArgs;
use super::run::{Exit, print};
use super::suggest::{did_you_mean, nearest};
use crate::rules::{Expectations, Levels};
use crate::transcript::OwnFormat;
use crate::verdict::Suppression;

/// The names under which it is looked for, from the working directory upwards, as far as a repository goes.
const NAMES: [&str; 2] = ["mcp-trace.toml", ".mcp-trace.toml"];

/// What the file says.
#[derive(Default)]
pub(super) struct Config {
    /// The file, if there is one.
    path: Option<PathBuf>,
    /// The formats that it describes.
    pub(super) formats: &'static [OwnFormat],
    /// What it says of rules.
    pub(super) levels: Levels,
    /// What is expected of every input.
    pub(super) expect: Expectations,
    /// What is to be held back.
    pub(super) suppressions: Vec<Suppression>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "format")]
    formats: Vec<FormatSection>,
    #[serde(default)]
    rules: Levelled,
    #[serde(default)]
    expect: ExpectSection,
    #[serde(default)]
    suppress: Vec<Spanned<SuppressSection>>,
}

/// Reads the file that was named, or the one that is found.
pub(super) fn load(args: &ConfigArgs) -> Result<Config> {
    let path = match &args.config {
        Some(path) => Some(PathBuf::from(path)),
        None => std::env::current_dir().ok().and_then(|folder| find(&folder)),
    };
    let Some(path) = path else { return Ok(Config::default()) };
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read the configuration `{}`", path.display()))?;
    let place = Place { path: &path, text: &text };
    let file: File = toml::from_str(&text).map_err(|error| explain(&place, &error))?;
    let levels = judging::levels(file.rules, &place)?;
    let expect = judging::expectations(file.expect, &place)?;
    let suppressions =
        file.suppress.into_iter().map(|section| judging::suppression(section, &place)).collect::<Result<_>>()?;
    let mut formats: Vec<OwnFormat> = Vec::new();
    for section in file.formats {
        let name = section.name.clone();
        let format = described(section)
            .and_then(|description| OwnFormat::new(&description).map_err(|error| anyhow!(error)))
            .with_context(|| format!("{}: format `{name}`", path.display()))?;
        if formats.iter().any(|known| known.format.name == format.format.name) {
            bail!("{}: the format `{name}` stands twice: expected each name once", path.display());
        }
        formats.push(format);
    }
    Ok(Config { path: Some(path), formats: Box::leak(formats.into_boxed_slice()), levels, expect, suppressions })
}

/// Prints which file is read and what it says.
pub(super) fn show(args: &ConfigArgs) -> Result<Exit> {
    let config = load(args)?;
    let mut text = match &config.path {
        Some(path) => format!("configuration: {}\n", path.display()),
        None => format!("configuration: none; `{}` is looked for from here upwards\n", NAMES[0]),
    };
    for own in config.formats {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "format: {}", own.format.name);
    }
    for (rule, level) in config.levels.said() {
        let _ = writeln!(text, "rule: {rule} = {}", level.as_str());
    }
    let _ = write!(text, "{}", config.expect);
    for suppression in &config.suppressions {
        let _ = writeln!(text, "suppress: {suppression}");
    }
    print(&text)
}

fn find(folder: &Path) -> Option<PathBuf> {
    for folder in folder.ancestors() {
        if let Some(path) = NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file()) {
            return Some(path);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}

fn unknown(what: &str, word: &str, known: &[&str]) -> anyhow::Error {
    let hint = did_you_mean(&nearest(word, known.iter().copied()));
    let hint = hint.map(|question| format!("{question} ")).unwrap_or_default();
    anyhow!("unknown {what} `{word}`: {hint}expected one of {}", known.join(", "))
}

/// The file, to say where something in it stands.
struct Place<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Place<'_> {
    /// The line of a byte, from 1.
    fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|byte| **byte == b'\n').count()
    }

    /// What is wrong at a byte.
    fn error(&self, at: usize, what: impl Display) -> anyhow::Error {
        anyhow!("{}:{}: {what}", self.path.display(), self.line(at))
    }
}

/// What is wrong with the text, with its line and, for a key, the nearest one that is known.
fn explain(place: &Place<'_>, error: &toml::de::Error) -> anyhow::Error {
    let at = error.span().map_or(0, |span| span.start);
    let message = error.message();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((key, known)) if message.starts_with("unknown field") => place.error(at, unknown("key", key, known)),
        _ => place.error(at, message.trim_end().replace('\n', ", ")),
    }
}
