//! What a rule has found, as a record. Knows no rule: whoever judges fills it in.

use crate::position::Position;
use crate::protocol::Revision;

/// How bad a finding is. Ordered: an error is more than a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, or not decidable from the capture.
    Note,
    /// Probably wrong, or against a recommendation.
    Warning,
    /// Against what the revision in force requires.
    Error,
}

impl Severity {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A piece of transcript text, short enough to be kept, and the part of it that matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The piece.
    pub text: String,
    /// Byte offset of the part that matters, and its length.
    pub mark: (usize, usize),
}

/// Another place that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Number of the message; `None` when the place is none.
    pub n: Option<u64>,
    /// Where it stands, in the same input.
    pub position: Position,
    /// What it has to do with the finding, in a few words.
    pub what: String,
    /// The text there, where it was kept.
    pub excerpt: Option<Excerpt>,
}

/// Something that a rule has found wrong, or worth a note. Borrows from the message that it is about.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// Index of the input.
    pub input: u32,
    /// The input as the user named it.
    pub file: &'a str,
    /// Number of the message; `None` when the finding is about an event or a whole session.
    pub n: Option<u64>,
    /// Where it stands.
    pub position: Position,
    /// Pointer inside a document or batch; empty when there is none.
    pub pointer: &'a str,
    /// The session, 0 before the first.
    pub session: u64,
    /// The server's name so far.
    pub server: Option<&'a str>,
    /// The method of the message; of an answer, that of its request.
    pub method: Option<&'a str>,
    /// The rule's id.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in a sentence.
    pub message: &'a str,
    /// Other places.
    pub related: &'a [Related],
    /// What to do.
    pub help: Option<&'a str>,
    /// URL of page and anchor in the revision in force; empty where no revision says it.
    pub spec: &'a str,
    /// The same page as the tables name it.
    pub page: &'static str,
    /// How strongly that revision says so: `MUST`, `SHOULD`, …, or `practice` when none does.
    pub strength: &'static str,
    /// The revision in force, or the one that was assumed.
    pub revision: Revision,
    /// The text that it is about; empty when the capture has none.
    pub text: &'a str,
    /// Byte offset of the offending part in `text`, and its length.
    pub mark: Option<(usize, usize)>,
    /// A few words below the mark.
    pub label: &'a str,
}

impl Finding<'_> {
    /// What the specification says about it, and where.
    pub fn says(&self) -> String {
        let (revision, spec) = (self.revision.as_str(), self.spec);
        match self.strength {
            "MUST" | "SHOULD" | "MAY" => format!("{revision} says {}: {spec}", self.strength),
            "schema" => format!("{revision}, by its schema: {spec}"),
            "expected" => "expected by the user, no revision says so".to_owned(),
            "practice" => "practice, no revision says so".to_owned(),
            _ => format!("{revision}, implied: {spec}"),
        }
    }
}

/// Findings by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct FindingCounts {
    pub error: u64,
    pub warning: u64,
    pub note: u64,
}

/// Findings that are not reported, since the user has said so. Those that are hidden count all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// By the configuration.
    pub suppressed: u64,
    /// By the baseline.
    pub baseline: u64,
    /// By the filter: they are about messages that it does not select, or about none.
    pub filtered: u64,
    /// Since they are less bad than what the user wants to see.
    pub hidden: u64,
}

impl FindingCounts {
    /// Counts one finding.
    pub fn add(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.error += 1,
            Severity::Warning => self.warning += 1,
            Severity::Note => self.note += 1,
        }
    }

    /// Findings of at least this severity.
    pub fn at_least(self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.error + self.warning,
            Severity::Note => self.error + self.warning + self.note,
        }
    }
}
