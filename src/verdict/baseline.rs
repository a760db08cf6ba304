//! Findings that were there before: read from a file, and written to one. A finding is known again by its rule and its
//! fingerprint, as often as it was found when the file was written; neither files nor lines are part of it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::annotate::Finding;

/// The name of the format, as it stands in the file.
const VERSION: &str = "mcp-trace-baseline/1";

/// Different findings that a baseline holds.
pub const MAX_ENTRIES: usize = 65_536;

/// What stands in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: String,
    findings: Vec<Entry>,
}

/// Findings with the same fingerprint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    rule: String,
    method: Option<String>,
    fingerprint: String,
    count: u64,
    /// The first of them, for a reader.
    message: String,
}

/// What is wrong with a baseline.
#[derive(Debug)]
pub enum BaselineError {
    /// It is no JSON, or of another shape.
    Json(serde_json::Error),
    /// It is of another version.
    Version(String),
    /// An entry that cannot be: its number from 1, and what is wrong.
    Entry(usize, &'static str),
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "is no baseline: {error}"),
            Self::Version(version) => write!(f, "is of version `{version}`, expected `{VERSION}`"),
            Self::Entry(number, what) => write!(f, "entry {number}: {what}"),
        }
    }
}

impl std::error::Error for BaselineError {}

/// A baseline that was read, and what of it was found again.
#[derive(Debug, Default)]
pub struct Baseline {
    /// By rule and fingerprint: what was read, and how often it was found.
    entries: BTreeMap<(String, String), (Entry, u64)>,
}

/// An entry that was found less often than it says.
#[derive(Clone, Copy, Debug)]
pub struct Stale<'a> {
    /// Its rule.
    pub rule: &'a str,
    /// The method of its messages.
    pub method: Option<&'a str>,
    /// How often it says.
    pub held: u64,
    /// How often it was found.
    pub found: u64,
}

impl Baseline {
    /// Reads a file.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let file: File = serde_json::from_str(text).map_err(BaselineError::Json)?;
        if file.version != VERSION {
            return Err(BaselineError::Version(file.version));
        }
        let mut entries = BTreeMap::new();
        for (number, entry) in file.findings.into_iter().enumerate() {
            let wrong = |what| Err(BaselineError::Entry(number + 1, what));
            if entry.fingerprint.len() != 16 || !entry.fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return wrong("expected a fingerprint of 16 hexadecimal digits");
            }
            if entry.count == 0 {
                return wrong("expected a count of at least 1");
            }
            if entries.insert((entry.rule.clone(), entry.fingerprint.clone()), (entry, 0)).is_some() {
                return wrong("stands twice");
            }
        }
        Ok(Self { entries })
    }

    /// Whether it holds one more finding like this.
    pub(super) fn holds(&mut self, rule: &str, fingerprint: &str) -> bool {
        let Some((entry, found)) = self.entries.get_mut(&(rule.to_owned(), fingerprint.to_owned())) else {
            return false;
        };
        *found += 1;
        *found <= entry.count
    }

    /// What was found less often than it says.
    pub(super) fn stale(&self) -> Vec<Stale<'_>> {
        let stale = self.entries.values().filter(|(entry, found)| *found < entry.count);
        stale
            .map(|(entry, found)| Stale {
                rule: &entry.rule,
                method: entry.method.as_deref(),
                held: entry.count,
                found: *found,
            })
            .collect()
    }
}

/// The findings of a run, for a new baseline.
#[derive(Debug, Default)]
pub struct Record {
    entries: BTreeMap<(String, String), Entry>,
    lost: u64,
}

impl Record {
    /// Takes note of a finding.
    pub(super) fn see(&mut self, finding: &Finding<'_>, fingerprint: &str) {
        let key = (finding.rule.to_owned(), fingerprint.to_owned());
        if self.entries.len() >= MAX_ENTRIES && !self.entries.contains_key(&key) {
            self.lost += 1;
            return;
        }
        let entry = self.entries.entry(key).or_insert_with(|| Entry {
            rule: finding.rule.to_owned(),
            method: finding.method.map(str::to_owned),
            fingerprint: fingerprint.to_owned(),
            count: 0,
            message: finding.message.to_owned(),
        });
        entry.count += 1;
    }

    /// Findings that it holds.
    pub fn count(&self) -> u64 {
        self.entries.values().map(|entry| entry.count).sum()
    }

    /// Findings for which there was no room.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// The text of the file: by rule and fingerprint, so that two of them can be compared.
    pub fn text(&self) -> serde_json::Result<String> {
        let file = File { version: VERSION.to_owned(), findings: self.entries.values().cloned().collect() };
        Ok(serde_json::to_string_pretty(&file)? + "\n")
    }
}
