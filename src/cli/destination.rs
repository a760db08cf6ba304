//! Where the output goes: standard output, or a file that appears only when it is complete.

use std::fs::{self, File};
use std::io::{self, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::run::CANNOT_WRITE;

/// An open output.
pub(super) enum Destination {
    Stdout(StdoutLock<'static>),
    /// Standard output that is no terminal.
    #[cfg(unix)]
    Pipe(File),
    /// A device, pipe or the like, which cannot be replaced; with its name.
    Direct(File, PathBuf),
    /// Written beside its place and moved there at the end.
    Replacing(Replacing),
}

/// A file on its way. Dropped before [`Destination::commit`], it leaves no trace.
pub(super) struct Replacing {
    file: File,
    written: PathBuf,
    place: PathBuf,
    done: bool,
}

impl Destination {
    /// Opens a file for writing, or standard output for `None`.
    pub(super) fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(Self::stdout()) };
        let cannot = || cannot_write(path);
        match fs::metadata(path) {
            Ok(known) if known.is_dir() => {
                Err(anyhow::anyhow!("is a directory: expected a file name").context(cannot()))
            }
            Ok(known) if !known.is_file() => {
                let file = File::options().write(true).open(path).with_context(cannot)?;
                Ok(Self::Direct(file, path.to_owned()))
            }
            // Through a link to the file that it means, so that the link survives.
            Ok(_) => Self::replacing(fs::canonicalize(path).with_context(cannot)?).with_context(cannot),
            Err(_) => Self::replacing(path.to_owned()).with_context(cannot),
        }
    }

    /// Standard output, which gathers whole lines of its own: of no use behind a buffer, so where it is no terminal the
    /// system's file is written to directly.
    fn stdout() -> Self {
        #[cfg(unix)]
        {
            use std::io::IsTerminal;
            use std::os::fd::AsFd;

            let out = io::stdout();
            if !out.is_terminal()
                && let Ok(file) = out.as_fd().try_clone_to_owned()
            {
                return Self::Pipe(File::from(file));
            }
        }
        Self::Stdout(io::stdout().lock())
    }

    fn replacing(place: PathBuf) -> Result<Self> {
        let name = place.file_name().context("expected a file name")?.to_string_lossy();
        let written = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let file = File::options().write(true).create_new(true).open(&written)?;
        Ok(Self::Replacing(Replacing { file, written, place, done: false }))
    }

    /// What to say before the reason when it takes no more.
    pub(super) fn cannot_write(&self) -> String {
        match self {
            Self::Stdout(_) => CANNOT_WRITE.to_owned(),
            #[cfg(unix)]
            Self::Pipe(_) => CANNOT_WRITE.to_owned(),
            Self::Direct(_, place) | Self::Replacing(Replacing { place, .. }) => cannot_write(place),
        }
    }

    /// Whether it becomes a file only by [`Self::commit`].
    pub(super) fn is_replacing(&self) -> bool {
        matches!(self, Self::Replacing(_))
    }

    /// Everything is written: flushes, and moves the file to its place.
    pub(super) fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        if let Self::Replacing(replacing) = &mut self {
            fs::rename(&replacing.written, &replacing.place)?;
            replacing.done = true;
        }
        Ok(())
    }
}

fn cannot_write(place: &Path) -> String {
    format!("cannot write `{}`", place.display())
}

impl Drop for Replacing {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_file(&self.written);
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            #[cfg(unix)]
            Self::Pipe(out) => out.write(bytes),
            Self::Direct(file, _) => file.write(bytes),
            Self::Replacing(replacing) => replacing.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            #[cfg(unix)]
            Self::Pipe(out) => out.flush(),
            Self::Direct(file, _) => file.flush(),
            Self::Replacing(replacing) => replacing.file.flush(),
        }
    }
}
