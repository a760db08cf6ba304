//! `--follow`: which file is followed, and what is said when it changes.

use std::ffi::OsString;

use anyhow::{Result, bail};

use super::notice::notice;
use super::plan::{STDIN, input_name};
use crate::transcript::Change;

/// The one file to follow.
pub(super) fn followed(files: &[OsString]) -> Result<String> {
    match files {
        [file] if file == STDIN => {
            bail!("expected a file to follow: standard input is read as it comes, without `--follow`")
        }
        [file] => input_name(file),
        files => bail!("expected one file to follow, found {}", files.len()),
    }
}

/// Says what has happened to the file.
pub(super) fn tell(file: &str) -> impl FnMut(Change) + Send + 'static {
    let file = file.to_owned();
    move |change| {
        notice(&match change {
            Change::Missing(reason) => format!("{file}: cannot be opened: {reason}: waiting for it"),
            Change::Replaced => format!("{file}: another file has taken its name: reading on at the start of that"),
            Change::Truncated => format!("{file}: it was cut: reading on at its start"),
        });
    }
}
