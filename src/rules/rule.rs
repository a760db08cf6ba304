//! What a rule is: one declaration with its documentation, its examples and its check. Judges nothing itself.

use std::fmt;

use super::context::{Context, EndContext, EventContext, InputContext};
use super::findings::Findings;
use super::levels::Level;
use super::revisions::Revisions;
use crate::annotate::Severity;
use crate::protocol::Revision;

/// How strongly the specification says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// MUST or MUST NOT.
    Must,
    /// SHOULD or SHOULD NOT.
    Should,
    /// MAY: what is allowed, and so expected.
    May,
    /// A required member or a type of the schema.
    Schema,
    /// It follows from a description without such a word.
    Implied,
    /// No revision says it: what experience with clients and servers advises.
    Practice,
    /// No revision says it: what the user expects of the run.
    Expected,
}

impl Strength {
    /// In the words of the specification.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::May => "MAY",
            Self::Schema => "schema",
            Self::Implied => "implied",
            Self::Practice => "practice",
            Self::Expected => "expected",
        }
    }
}

/// What some revisions say of the matter of a rule, and how bad it is to break it there.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// The revisions that say so.
    pub revisions: Revisions,
    /// How strongly.
    pub strength: Strength,
    /// How bad.
    pub severity: Severity,
    /// Not looked for until it is asked for.
    pub off: bool,
    /// The page and its anchor, below the revision: `server/tools#calling-tools`; of an extension, the whole address; empty
    /// for what is practice or expected.
    pub page: &'static str,
}

/// A clause.
pub const fn clause(revisions: Revisions, strength: Strength, severity: Severity, page: &'static str) -> Clause {
    Clause { revisions, strength, severity, off: false, page }
}

impl Clause {
    /// The same, for what not everybody wants to hear of: it is looked for only where its rule was given a level.
    pub const fn off(self) -> Self {
        Self { off: true, ..self }
    }
}

/// What no page says: practice, where opinions differ.
pub const fn practice(revisions: Revisions) -> Clause {
    clause(revisions, Strength::Practice, Severity::Note, "")
}

/// Judges a message, or a request or response inside another message.
pub type Check = fn(&Context<'_>, &mut Findings);
/// Judges what a log says that is no message.
pub type EventCheck = fn(&EventContext<'_>, &mut Findings);
/// Judges a session that is over.
pub type EndCheck = fn(&EndContext<'_>, &mut Findings);

/// Judges an input that is over.
pub type InputCheck = fn(&InputContext<'_>, &mut Findings);

/// What a check wants to see. Names are methods; an empty list means every one.
#[derive(Clone, Copy)]
pub enum On {
    /// Every message, malformed ones too, once whatever is inside it.
    Message(Check),
    /// Messages that are none of the four shapes.
    Invalid(Check),
    /// Requests, also those inside other messages.
    Request(&'static [&'static str], Check),
    /// Notifications.
    Notification(&'static [&'static str], Check),
    /// Results of requests with these methods, also those inside other messages. Answers whose request is not in the
    /// capture have the method that their shape tells.
    Result(&'static [&'static str], Check),
    /// Error answers to requests with these methods.
    Error(&'static [&'static str], Check),
    /// What a log says that is no message.
    Event(EventCheck),
    /// The end of a session.
    End(EndCheck),
    /// The end of an input.
    Input(InputCheck),
    /// Nothing: the checks of another rule see it on their way, and report it under this one.
    With(&'static str),
}

/// A row of [`super::RULES`].
pub struct Rule {
    /// Kebab case, names what is wrong: reads after "allow".
    pub id: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// What each revision says. Revisions without a clause do not have the rule.
    pub clauses: &'static [Clause],
    /// What the specification requires and why it matters.
    pub explanation: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// A session that breaks the rule, in the notation of [`super::example`].
    pub fires: &'static str,
    /// A session like it that does not.
    pub silent: &'static str,
    /// The checks.
    pub checks: &'static [On],
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.id).finish()
    }
}

impl Rule {
    /// What a revision says of it.
    pub fn at(&self, revision: Revision) -> Option<&'static Clause> {
        self.clauses.iter().find(|clause| clause.revisions.covers(revision))
    }

    /// Every revision that has the rule.
    pub fn revisions(&self) -> Revisions {
        self.clauses.iter().map(|clause| clause.revisions).reduce(Revisions::or).unwrap_or(super::revisions::ALL)
    }

    /// The highest of its severities.
    pub fn severity(&self) -> Severity {
        self.clauses.iter().map(|clause| clause.severity).max().unwrap_or(Severity::Note)
    }

    /// Whether it is off until it is given a level, in every revision.
    pub fn is_off(&self) -> bool {
        self.clauses.iter().all(|clause| clause.off)
    }

    /// How bad it is if nobody says otherwise: its severity, or `off`.
    pub fn default_word(&self) -> &'static str {
        if self.is_off() { Level::Off.as_str() } else { self.severity().as_str() }
    }

    /// The address of the page that a revision has on it; empty for what is practice.
    pub fn url(&self, revision: Revision) -> String {
        let clause = self.at(revision).or(self.clauses.last()).filter(|clause| !clause.page.is_empty());
        clause.map_or_else(String::new, |clause| revision.page_url(named_then(clause.page, revision)))
    }
}

/// 2024-11-05 has its sections on messages on a page of their own.
fn named_then(page: &'static str, revision: Revision) -> &'static str {
    match (revision, page) {
        (Revision::V2024_11_05, "basic/index#messages") => "basic/messages",
        (Revision::V2024_11_05, "basic/index#requests") => "basic/messages#requests",
        (Revision::V2024_11_05, "basic/index#notifications") => "basic/messages#notifications",
        (Revision::V2024_11_05, "basic/index#responses") => "basic/messages#responses",
        _ => page,
    }
}
