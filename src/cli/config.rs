//! `mcp-trace.toml`: where it is looked for, and what may stand in it. A section is optional, and a further one is a
//! further field of [`Config`].

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;

use super::args::ConfigArgs;
use super::run::{Exit, print};
use super::suggest::{did_you_mean, nearest};
use crate::protocol::Direction;
use crate::transcript::{Description, OwnFormat, TimeKind};

/// The names under which it is looked for, from the working directory upwards, as far as a repository goes.
const NAMES: [&str; 2] = ["mcp-trace.toml", ".mcp-trace.toml"];

/// What the file says.
#[derive(Default)]
pub(super) struct Config {
    /// The file, if there is one.
    path: Option<PathBuf>,
    /// The formats that it describes.
    pub(super) formats: &'static [OwnFormat],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "format")]
    formats: Vec<FormatSection>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormatSection {
    name: String,
    message: OneOrMore,
    entries: Option<String>,
    direction: Option<DirectionSection>,
    time: Option<TimeSection>,
    session: Option<OneOrMore>,
    server: Option<OneOrMore>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a JSON pointer, or several in brackets")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn into_vec(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::More(more) => more,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DirectionSection {
    pointer: String,
    #[serde(default)]
    words: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeSection {
    pointer: String,
    kind: String,
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
    let file: File = toml::from_str(&text).map_err(|error| explain(&path, &text, &error))?;
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
    Ok(Config { path: Some(path), formats: Box::leak(formats.into_boxed_slice()) })
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

fn described(section: FormatSection) -> Result<Description> {
    let direction = section.direction.map(|direction| {
        let words =
            direction.words.into_iter().map(|(word, way)| Ok((word, way_of(&way)?))).collect::<Result<Vec<_>>>();
        words.map(|words| (direction.pointer, words))
    });
    let time = section.time.map(|time| {
        let kinds = || TimeKind::NAMED.iter().map(|(name, _)| *name);
        match TimeKind::NAMED.iter().find(|(name, _)| *name == time.kind) {
            Some((_, kind)) => Ok((time.pointer, *kind)),
            None => Err(unknown("kind of time", &time.kind, &kinds().collect::<Vec<_>>())),
        }
    });
    Ok(Description {
        name: section.name,
        message: section.message.into_vec(),
        entries: section.entries,
        direction: direction.transpose()?,
        time: time.transpose()?,
        session: section.session.map_or_else(Vec::new, OneOrMore::into_vec),
        server: section.server.map_or_else(Vec::new, OneOrMore::into_vec),
    })
}

fn way_of(word: &str) -> Result<Direction> {
    let known = [Direction::ClientToServer, Direction::ServerToClient];
    known
        .into_iter()
        .find(|way| way.as_str() == word)
        .ok_or_else(|| unknown("direction", word, &known.map(Direction::as_str)))
}

fn unknown(what: &str, word: &str, known: &[&str]) -> anyhow::Error {
    let hint = did_you_mean(&nearest(word, known.iter().copied()));
    let hint = hint.map(|question| format!("{question} ")).unwrap_or_default();
    anyhow!("unknown {what} `{word}`: {hint}expected one of {}", known.join(", "))
}

/// What is wrong with the text, with its line and, for a key, the nearest one that is known.
fn explain(path: &Path, text: &str, error: &toml::de::Error) -> anyhow::Error {
    let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
    let place = format!("{}:{line}", path.display());
    let message = error.message();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((key, known)) if message.starts_with("unknown field") => {
            anyhow!("{place}: {}", unknown("key", key, known))
        }
        _ => anyhow!("{place}: {}", message.trim_end().replace('\n', ", ")),
    }
}
