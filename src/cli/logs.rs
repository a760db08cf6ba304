//! `mcp-trace logs`: the logs of hosts that are installed on this system, in the folders where they are known to write.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use serde::Serialize;

use super::args::{ListFormat, LogsArgs};
use super::environment::Environment;
use super::notice::{notice, printable};
use super::page::Page;
use super::recognised::Recognised;
use super::run::{CANNOT_RUN, DONE, Exit, print};
use crate::transcript::ReadOptions;

/// A folder that a host writes logs to.
struct Folder {
    host: &'static str,
    base: Base,
    path: &'static str,
    /// Folders below it that are looked into.
    depth: usize,
    wanted: fn(&Path) -> bool,
}

/// What a path begins with.
#[derive(Clone, Copy)]
enum Base {
    Home,
    Config,
    Cache,
    AppData,
    LocalAppData,
}

/// Every such folder, on Linux, macOS and Windows. All are tried everywhere: what is not there is passed over.
const FOLDERS: &[Folder] = &[
    desktop(Base::Home, "Library/Logs/Claude"),
    desktop(Base::Config, "Claude/logs"),
    desktop(Base::AppData, "Claude/logs"),
    editor("Visual Studio Code", Base::Home, "Library/Application Support/Code/logs"),
    editor("Visual Studio Code", Base::Config, "Code/logs"),
    editor("Visual Studio Code", Base::AppData, "Code/logs"),
    editor("Visual Studio Code Insiders", Base::Home, "Library/Application Support/Code - Insiders/logs"),
    editor("Visual Studio Code Insiders", Base::Config, "Code - Insiders/logs"),
    editor("Visual Studio Code Insiders", Base::AppData, "Code - Insiders/logs"),
    editor("Cursor", Base::Home, "Library/Application Support/Cursor/logs"),
    editor("Cursor", Base::Config, "Cursor/logs"),
    editor("Cursor", Base::AppData, "Cursor/logs"),
    code(Base::Cache, "claude-cli-nodejs"),
    code(Base::Home, "Library/Caches/claude-cli-nodejs"),
    code(Base::LocalAppData, "claude-cli-nodejs/Cache"),
    Folder {
        host: "Claude Code",
        base: Base::Home,
        path: ".claude/debug",
        depth: 0,
        wanted: |path| has_ending(path, &["txt"]),
    },
    Folder {
        host: "mcp-remote",
        base: Base::Home,
        path: ".mcp-auth",
        depth: 1,
        wanted: |path| named(path).ends_with("_debug.log"),
    },
];

const fn desktop(base: Base, path: &'static str) -> Folder {
    let wanted = |path: &Path| named(path).starts_with("mcp") && has_ending(path, &["log"]);
    Folder { host: "Claude Desktop", base, path, depth: 0, wanted }
}

const fn editor(host: &'static str, base: Base, path: &'static str) -> Folder {
    let wanted = |path: &Path| named(path).contains("mcp") && has_ending(path, &["log"]);
    Folder { host, base, path, depth: 4, wanted }
}

const fn code(base: Base, path: &'static str) -> Folder {
    let wanted = |path: &Path| {
        path.parent().is_some_and(|folder| named(folder).starts_with("mcp-logs")) && has_ending(path, &["txt", "jsonl"])
    };
    Folder { host: "Claude Code", base, path, depth: 2, wanted }
}

/// The name of a file in small letters.
fn named(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending.eq_ignore_ascii_case(wanted)))
}

/// Entries of folders that are looked at, and logs that are listed, the newest.
const MAX_ENTRIES: usize = 100_000;
const MAX_LOGS: usize = 500;

/// A log that was found.
#[derive(Serialize)]
struct Log {
    host: &'static str,
    path: String,
    bytes: u64,
    /// RFC 3339.
    modified: Option<String>,
    #[serde(skip)]
    age: Option<Duration>,
    #[serde(flatten)]
    recognised: Recognised,
}

/// Lists the logs. Exit code 2 when there are none.
pub(super) fn run(args: &LogsArgs, around: &Environment) -> Result<Exit> {
    let mut found = Vec::new();
    let mut entries = MAX_ENTRIES;
    for folder in FOLDERS {
        let Some(base) = base(folder.base, around) else { continue };
        let mut files = Vec::new();
        walk(&base.join(folder.path), folder.depth, &mut entries, &mut files);
        found.extend(files.into_iter().filter(|file| (folder.wanted)(file)).map(|file| (folder.host, file)));
    }
    let now = SystemTime::now();
    let mut found: Vec<_> = found
        .into_iter()
        .map(|(host, path)| {
            let about = fs::metadata(&path).ok();
            let modified = about.as_ref().and_then(|about| about.modified().ok());
            (host, path, about.map_or(0, |about| about.len()), modified)
        })
        .collect();
    found.sort_by(|one, other| other.3.cmp(&one.3).then_with(|| one.1.cmp(&other.1)));
    let more = found.len().saturating_sub(MAX_LOGS);
    found.truncate(MAX_LOGS);
    if found.is_empty() {
        notice(
            "expected logs of Claude Desktop, Visual Studio Code, Cursor or Claude Code, found none in their known folders: name the file, or pipe the session in",
        );
        return Ok(CANNOT_RUN);
    }
    let logs: Vec<Log> =
        found.into_iter().map(|(host, path, bytes, modified)| log(host, &path, bytes, modified, now)).collect();
    let text = match args.format {
        ListFormat::Table => page(&logs, around),
        ListFormat::Json => {
            let lines: Result<Vec<String>, _> = logs.iter().map(serde_json::to_string).collect();
            lines.context("cannot write JSON")?.join("\n") + "\n"
        }
    };
    print(&text)?;
    if more > 0 {
        notice(&format!("{more} older logs are not listed"));
    }
    Ok(DONE)
}

fn log(host: &'static str, path: &Path, bytes: u64, modified: Option<SystemTime>, now: SystemTime) -> Log {
    Log {
        host,
        path: path.display().to_string(),
        bytes,
        modified: modified.and_then(|time| Some(jiff::Timestamp::try_from(time).ok()?.to_string())),
        age: modified.and_then(|time| now.duration_since(time).ok()),
        recognised: Recognised::of(&path.to_string_lossy(), ReadOptions::default()),
    }
}

fn base(base: Base, around: &Environment) -> Option<PathBuf> {
    let home = || around.home.as_ref().map(PathBuf::from);
    let own = |variable: &Option<String>| variable.as_ref().map(PathBuf::from);
    match base {
        Base::Home => home(),
        Base::Config => own(&around.config_home).or_else(|| Some(home()?.join(".config"))),
        Base::Cache => own(&around.cache_home).or_else(|| Some(home()?.join(".cache"))),
        Base::AppData => own(&around.app_data),
        Base::LocalAppData => own(&around.local_app_data),
    }
}

/// The files in a folder and those below it. Links are not followed, so that no folder is its own child.
fn walk(folder: &Path, depth: usize, entries: &mut usize, files: &mut Vec<PathBuf>) {
    let mut open = vec![(folder.to_owned(), depth)];
    while let Some((folder, depth)) = open.pop() {
        let Ok(inside) = fs::read_dir(&folder) else { continue };
        for entry in inside.flatten() {
            let Some(left) = entries.checked_sub(1) else { return };
            *entries = left;
            match entry.file_type() {
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                Ok(kind) if kind.is_dir() && depth > 0 => open.push((entry.path(), depth - 1)),
                _ => {}
            }
        }
    }
}

fn page(logs: &[Log], around: &Environment) -> String {
    let mut page = Page::new(around.width());
    page.title("logs", "what hosts on this system have written, the newest first");
    page.heading("logs");
    let rows: Vec<Vec<String>> = logs
        .iter()
        .map(|log| {
            let format = log.recognised.format.unwrap_or("not recognised");
            vec![
                log.host.to_owned(),
                format.to_owned(),
                size(log.bytes),
                log.age.map(age).unwrap_or_default(),
                printable(&log.path),
            ]
        })
        .collect();
    page.table(&["host", "format", "size", "age", "path"], &rows);
    page.finish()
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

fn age(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    match minutes {
        0..120 => format!("{minutes} min"),
        120..2880 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1440),
    }
}
