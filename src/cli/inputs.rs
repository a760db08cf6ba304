//! Which files to read: those named, those below directories, those that a pattern means, those that a list names.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use globset::GlobBuilder;
use walkdir::{DirEntry, WalkDir};

use super::notice::notice;
use super::plan::{STDIN, input_name};

/// What there is to read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Names of files, each once.
    pub(super) inputs: Vec<String>,
    /// What could not be looked into, and why.
    pub(super) errors: Vec<(String, String)>,
}

impl Found {
    /// Looks for what was named on the command line and in a list.
    pub(super) fn of(files: &[OsString], list: Option<&OsStr>) -> Result<Self> {
        let mut names = files.iter().map(|file| input_name(file)).collect::<Result<Vec<_>>>()?;
        if names.iter().filter(|name| *name == STDIN).count() > 1 {
            bail!("standard input can be read only once, `-` was given more often");
        }
        if let Some(list) = list {
            if list == STDIN && names.iter().any(|name| name == STDIN) {
                bail!("standard input can be read only once: it is both the list and an input");
            }
            names.extend(listed(list)?);
        } else if names.is_empty() {
            names.push(STDIN.to_owned());
        }
        let mut found = Self::default();
        for name in names {
            found.look(&name);
        }
        let mut known = HashSet::new();
        let before = found.inputs.len();
        found.inputs.retain(|name| known.insert(name.clone()));
        match before - found.inputs.len() {
            0 => {}
            1 => notice("an input was named more than once, it is read once"),
            more => notice(&format!("inputs were named {more} times too often, each is read once")),
        }
        Ok(found)
    }

    /// Every name, those that could not be looked into last: a run tells of them as of files that cannot be read.
    pub(super) fn all(mut self) -> Vec<String> {
        self.inputs.extend(self.errors.into_iter().map(|(name, _)| name));
        self.inputs
    }

    fn look(&mut self, name: &str) {
        let path = Path::new(name);
        if name == STDIN || path.is_file() {
            self.inputs.push(name.to_owned());
        } else if path.is_dir() {
            self.walk(name);
        } else if !path.exists() && name.contains(['*', '?', '[']) {
            self.expand(name);
        } else {
            self.inputs.push(name.to_owned());
        }
    }

    /// Every file below a directory that is not hidden.
    fn walk(&mut self, folder: &str) {
        let before = self.count();
        let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
        for entry in entries.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry)) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => self.path(entry.path()),
                Err(error) => self.unwalkable(folder, &error),
            }
        }
        if before == self.count() {
            self.errors.push((folder.to_owned(), "expected files in the directory, found none".to_owned()));
        }
    }

    /// Every file that a pattern means, and those below directories that it means. Hidden ones only where it names them.
    fn expand(&mut self, pattern: &str) {
        let before = self.count();
        let matcher = match GlobBuilder::new(pattern).literal_separator(true).build() {
            Ok(glob) => glob.compile_matcher(),
            Err(error) => {
                let reason = format!("expected a file or a pattern, found neither: {}", error.kind());
                return self.errors.push((pattern.to_owned(), reason));
            }
        };
        let plain =
            |part: &Component<'_>| !part.as_os_str().as_encoded_bytes().iter().any(|byte| b"*?[{".contains(byte));
        let parts = Path::new(pattern).components();
        let base: PathBuf = parts.clone().take_while(plain).collect();
        let here = base.as_os_str().is_empty();
        let deepest = if pattern.contains("**") { usize::MAX } else { parts.count() - base.components().count() };
        let hidden = pattern.starts_with('.') || pattern.contains("/.");
        let root = if here { Path::new(".") } else { base.as_path() };
        let mut entries = WalkDir::new(root).max_depth(deepest).follow_links(true).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.unwalkable(pattern, &error);
                    continue;
                }
            };
            let is_dir = entry.file_type().is_dir();
            if entry.depth() > 0 && is_hidden(&entry) && !hidden {
                if is_dir {
                    entries.skip_current_dir();
                }
                continue;
            }
            let path = if here { entry.path().strip_prefix(".").unwrap_or(entry.path()) } else { entry.path() };
            if !matcher.is_match(path) {
                continue;
            }
            match path.to_str() {
                Some(name) if is_dir => {
                    entries.skip_current_dir();
                    self.walk(name);
                }
                _ => self.path(path),
            }
        }
        if before == self.count() {
            self.errors.push((pattern.to_owned(), "expected files that fit the pattern, found none".to_owned()));
        }
    }

    fn count(&self) -> (usize, usize) {
        (self.inputs.len(), self.errors.len())
    }

    fn unwalkable(&mut self, asked: &str, error: &walkdir::Error) {
        let place = error.path().unwrap_or(Path::new(asked)).display().to_string();
        let reason = match (error.loop_ancestor(), error.io_error()) {
            (Some(above), _) => format!("expected a directory, found a link to `{}` above it", above.display()),
            (None, Some(error)) => format!("cannot be read: {error}"),
            (None, None) => "cannot be read".to_owned(),
        };
        self.errors.push((place, reason));
    }

    fn path(&mut self, path: &Path) {
        match path.to_str() {
            Some(name) => self.inputs.push(name.to_owned()),
            None => {
                let reason = "expected a file name in UTF-8: rename it, or pipe it in";
                self.errors.push((path.display().to_string(), reason.to_owned()));
            }
        }
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// The names in a list, one a line, or ended by NUL as `find -print0` writes them.
fn listed(list: &OsStr) -> Result<Vec<String>> {
    let mut text = String::new();
    let read = match list.to_str() {
        Some(STDIN) => std::io::stdin().lock().read_to_string(&mut text),
        _ => File::open(list).and_then(|mut file| file.read_to_string(&mut text)),
    };
    read.with_context(|| format!("cannot read the list `{}`", list.display()))?;
    let end = if text.contains('\0') { '\0' } else { '\n' };
    let names: Vec<_> = text
        .split(end)
        .map(|name| name.trim_end_matches('\r'))
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    match names.iter().any(|name| name == STDIN) {
        true => bail!("expected names of files in the list `{}`, found `-`", list.display()),
        false if names.is_empty() => bail!("expected names of files in the list `{}`, found none", list.display()),
        false => Ok(names),
    }
}
