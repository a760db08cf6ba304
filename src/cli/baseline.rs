//! The file of a baseline: read before a check, written after it, and what is told about it.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::destination::Destination;
use super::notice::notice;
use crate::verdict::{Baseline, BaselineRecord, Stale, Verdict};

/// Stale entries that are told one by one.
const TOLD: usize = 8;

/// Reads it.
pub(super) fn read(path: &Path) -> Result<Baseline> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read the baseline `{}`", path.display()))?;
    Baseline::read(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Writes what was found.
pub(super) fn write(path: &Path, record: &BaselineRecord) -> Result<()> {
    let mut destination = Destination::open(Some(path))?;
    let cannot = destination.cannot_write();
    destination.write_all(record.text()?.as_bytes()).with_context(|| cannot.clone())?;
    destination.commit().context(cannot)?;
    let lost = match record.lost() {
        0 => String::new(),
        lost => format!(", {lost} had no room"),
    };
    notice(&format!("wrote a baseline of {} to {}{lost}", findings(record.count()), path.display()));
    Ok(())
}

/// Tells which suppressions no longer hold anything back.
pub(super) fn tell_unused(verdict: &Verdict, inputs: &[String]) {
    for unused in verdict.unused(inputs) {
        notice(&format!("{}: the suppression of {} held nothing back of these inputs", unused.place, unused.rule));
    }
}

/// Tells which entries of the baseline were found less often than they say.
pub(super) fn tell_stale(verdict: &Verdict, file: &Path) {
    let (stale, file) = (verdict.stale(), file.display());
    for Stale { rule, method, held, found } in stale.iter().take(TOLD) {
        let method = method.map(|method| format!(" in `{method}`")).unwrap_or_default();
        notice(&format!("{file}: {} of {rule}{method} held, {found} found: write it anew", findings(*held)));
    }
    if stale.len() > TOLD {
        notice(&format!("{file}: {} more entries were found less often than they say", stale.len() - TOLD));
    }
}

fn findings(count: u64) -> String {
    if count == 1 { "1 finding".to_owned() } else { format!("{count} findings") }
}
