//! How bad the findings of each rule are: as the rule says, as the user says, or not looked for at all. Knows no rule by
//! name.

use super::RULES;
use super::rule::{Clause, On, Rule};
use crate::annotate::Severity;
use crate::protocol::Revision;

/// What a user says of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Not looked for.
    Off,
    /// Looked for, and as bad as the rule says.
    On,
    /// Looked for, and every finding is as bad as this, however sure it is.
    At(Severity),
}

impl Level {
    /// Every level, with the word for it.
    pub const NAMED: [(&str, Self); 5] = [
        ("off", Self::Off),
        ("on", Self::On),
        ("note", Self::At(Severity::Note)),
        ("warning", Self::At(Severity::Warning)),
        ("error", Self::At(Severity::Error)),
    ];

    /// The level of a word.
    pub fn named(word: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(name, _)| *name == word).map(|(_, level)| *level)
    }

    /// Its word.
    pub fn as_str(self) -> &'static str {
        Self::NAMED.iter().find(|(_, level)| *level == self).map_or("", |(name, _)| *name)
    }
}

/// The levels of all rules. Where nothing was said of a rule, its clauses decide.
#[derive(Clone, Debug, Default)]
pub struct Levels(Vec<(&'static str, Level)>);

impl Levels {
    /// Every rule, also those that are off by themselves.
    pub fn all_on() -> Self {
        Self(RULES.iter().map(|rule| (rule.id, Level::On)).collect())
    }

    /// Says something of a rule; what was said of it before no longer counts.
    pub fn set(&mut self, rule: &'static Rule, level: Level) {
        self.0.retain(|(id, _)| *id != rule.id);
        self.0.push((rule.id, level));
    }

    /// Everything that was said, in the order in which it was.
    pub fn said(&self) -> impl Iterator<Item = (&'static str, Level)> {
        self.0.iter().copied()
    }

    /// What was said of a rule.
    pub fn of(&self, rule: &Rule) -> Option<Level> {
        self.0.iter().find(|(id, _)| *id == rule.id).map(|(_, level)| *level)
    }

    /// Whether a rule can have findings.
    pub fn looks_for(&self, rule: &Rule) -> bool {
        self.of(rule).map_or_else(|| !rule.is_off(), |level| level != Level::Off)
    }

    /// The same in sessions of a revision.
    pub fn looks_for_in(&self, rule: &Rule, revision: Revision) -> bool {
        let here = |clause: &Clause| self.severity(rule, clause, clause.severity).is_some();
        rule.at(revision).is_some_and(here)
    }

    /// Whether the checks of a rule have to run: for its own findings, or for those of a rule whose matter they see.
    pub(super) fn runs(&self, rule: &Rule) -> bool {
        let sees = |other: &&Rule| other.checks.iter().any(|on| matches!(on, On::With(with) if *with == rule.id));
        self.looks_for(rule) || RULES.iter().copied().filter(sees).any(|other| self.looks_for(other))
    }

    /// How bad a finding is, where the check says `found`; `None` when it is not looked for.
    pub(super) fn severity(&self, rule: &Rule, clause: &Clause, found: Severity) -> Option<Severity> {
        match self.of(rule) {
            None => (!clause.off).then_some(found),
            Some(Level::Off) => None,
            Some(Level::On) => Some(found),
            Some(Level::At(severity)) => Some(severity),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::rules::rule;

    #[test]
    fn the_last_word_counts() {
        let (mut levels, rule) = (Levels::default(), rule("invalid-json").unwrap());
        assert!(levels.looks_for(rule));
        levels.set(rule, Level::At(Severity::Note));
        levels.set(rule, Level::Off);
        assert!(!levels.looks_for(rule));
        assert_eq!(levels.severity(rule, &rule.clauses[0], Severity::Error), None);
        levels.set(rule, Level::At(Severity::Warning));
        assert_eq!(levels.severity(rule, &rule.clauses[0], Severity::Error), Some(Severity::Warning));
    }

    #[test]
    fn a_clause_can_be_off_until_it_is_asked_for() {
        let (levels, rule) = (Levels::default(), rule("invalid-json").unwrap());
        let off = rule.clauses[0].off();
        assert_eq!(levels.severity(rule, &off, Severity::Error), None);
        assert_eq!(Levels::all_on().severity(rule, &off, Severity::Error), Some(Severity::Error));
    }

    #[test]
    fn a_rule_is_judged_by_the_checks_of_another_that_is_off() {
        let (mut levels, host) = (Levels::default(), rule("content-block-shape").unwrap());
        levels.set(host, Level::Off);
        assert!(!levels.looks_for(host) && levels.runs(host), "base64-invalid is seen by it");
    }

    #[test]
    fn every_level_has_a_word_of_its_own() {
        for (word, level) in Level::NAMED {
            assert_eq!((Level::named(word), level.as_str()), (Some(level), word));
        }
    }
}
