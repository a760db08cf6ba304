//! Which findings count: those that no suppression and no baseline holds back. Judges no message and knows no rule by name.

mod baseline;
mod suppression;

pub use baseline::{Baseline, BaselineError, MAX_ENTRIES, Record as BaselineRecord, Stale};
pub use suppression::{Suppression, Unused};

use crate::annotate::{Finding, FindingCounts, Held};

/// Takes every finding of a run and says whether it counts.
#[derive(Debug, Default)]
pub struct Verdict {
    suppressions: Vec<Suppression>,
    baseline: Option<Baseline>,
    record: Option<BaselineRecord>,
    counts: FindingCounts,
    held: Held,
}

impl Verdict {
    /// Holds back what these suppressions and this baseline hold back; records the rest when `records`, for a new baseline.
    pub fn new(suppressions: Vec<Suppression>, baseline: Option<Baseline>, records: bool) -> Self {
        let record = records.then(BaselineRecord::default);
        Self { suppressions, baseline, record, ..Self::default() }
    }

    /// Whether a finding is to be reported. A suppression comes before the baseline, so that what it holds back uses
    /// nothing up there.
    pub fn reports(&mut self, finding: &Finding<'_>) -> bool {
        if let Some(suppression) = self.suppressions.iter_mut().find(|suppression| suppression.holds(finding)) {
            suppression.used = true;
            self.held.suppressed += 1;
            return false;
        }
        let fingerprint = (self.baseline.is_some() || self.record.is_some()).then(|| finding.fingerprint());
        if let (Some(record), Some(fingerprint)) = (&mut self.record, &fingerprint) {
            record.see(finding, fingerprint);
        }
        if let (Some(baseline), Some(fingerprint)) = (&mut self.baseline, &fingerprint)
            && baseline.holds(finding.rule, fingerprint)
        {
            self.held.baseline += 1;
            return false;
        }
        self.counts.add(finding.severity);
        true
    }

    /// What is reported, by severity.
    pub fn counts(&self) -> FindingCounts {
        self.counts
    }

    /// What was held back.
    pub fn held(&self) -> Held {
        self.held
    }

    /// Everything that would be in a new baseline; `None` when none is wanted.
    pub fn record(&self) -> Option<&BaselineRecord> {
        self.record.as_ref()
    }

    /// Suppressions that held nothing back, of those that concern one of these inputs.
    pub fn unused<'a>(&'a self, inputs: &'a [String]) -> impl Iterator<Item = Unused<'a>> {
        self.suppressions.iter().filter_map(|suppression| suppression.unused(inputs))
    }

    /// What the baseline holds and was not found, or less often.
    pub fn stale(&self) -> Vec<Stale<'_>> {
        self.baseline.as_ref().map(Baseline::stale).unwrap_or_default()
    }
}
