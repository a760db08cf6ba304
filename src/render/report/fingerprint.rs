//! Fingerprints of findings in a report, where each has to be there once: several findings that are the same are numbered.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::path;
use crate::annotate::Finding;

/// The fingerprints of a report. Grows with the findings that the report takes.
#[derive(Default)]
pub(super) struct Fingerprints {
    seen: HashMap<u64, u64>,
}

/// A fingerprint and its number among the same ones of a file, from 1.
pub(super) struct Numbered {
    /// That of the finding, as [`Finding::fingerprint`] tells it.
    pub(super) finding: String,
    /// That of the finding in its file, 16 hexadecimal digits.
    pub(super) in_file: String,
    pub(super) number: u64,
}

impl Fingerprints {
    /// The fingerprint of a finding.
    pub(super) fn of(&mut self, finding: &Finding<'_>) -> Numbered {
        self.of_parts(&path(finding.file), finding.fingerprint())
    }

    /// The same for a remark about a file.
    pub(super) fn of_parts(&mut self, path: &str, finding: String) -> Numbered {
        let mut digest = Sha256::new();
        digest.update(&finding);
        digest.update(path);
        let first = digest.finalize().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        let number = self.seen.entry(first).or_default();
        *number += 1;
        Numbered { finding, in_file: format!("{first:016x}"), number: *number }
    }
}
