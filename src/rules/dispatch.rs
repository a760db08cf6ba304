//! Which checks a message concerns, found in one look: a table made for a run from RULES.

use hashbrown::HashMap;

use super::levels::Levels;
use super::revisions::{LEGACY, Revisions};
use super::rule::{Check, EndCheck, EventCheck, InputCheck, On, Rule};
use crate::annotate::{Kind, Outcome, Severity};
use crate::protocol::Revision;

/// A check, the rule that it belongs to, and the revisions that have the rule.
#[derive(Clone, Copy)]
pub(super) struct Entry<C> {
    pub(super) rule: u16,
    pub(super) revisions: Revisions,
    /// It looks at whole messages, not at the requests and responses inside them.
    pub(super) whole: bool,
    pub(super) check: C,
}

/// What form a message has, for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Request,
    Notification,
    Result,
    Error,
    Invalid,
}

impl Form {
    const COUNT: usize = 5;

    pub(super) fn of(kind: Kind, outcome: Option<Outcome>) -> Self {
        match (kind, outcome) {
            (Kind::Request, _) => Self::Request,
            (Kind::Notification, _) => Self::Notification,
            (Kind::Response, Some(Outcome::Error)) => Self::Error,
            (Kind::Response, _) => Self::Result,
            (Kind::Invalid, _) => Self::Invalid,
        }
    }
}

type Checks = [Vec<Entry<Check>>; Form::COUNT];

/// The table.
#[derive(Default)]
pub(super) struct Dispatch {
    every: Checks,
    named: HashMap<&'static str, Checks>,
    pub(super) events: Vec<Entry<EventCheck>>,
    pub(super) ends: Vec<Entry<EndCheck>>,
    pub(super) inputs: Vec<Entry<InputCheck>>,
}

impl Dispatch {
    pub(super) fn new(rules: &[&'static Rule], levels: &Levels) -> Self {
        let mut table = Self::default();
        for (number, rule) in rules.iter().enumerate().filter(|(_, rule)| levels.runs(rule)) {
            let (rule_number, revisions) = (number as u16, rule.revisions());
            for on in rule.checks {
                let whole = matches!(on, On::Message(_));
                let entry = |check| Entry { rule: rule_number, revisions, whole, check };
                match *on {
                    On::Message(check) => table.every.iter_mut().for_each(|checks| checks.push(entry(check))),
                    On::Invalid(check) => table.every[Form::Invalid as usize].push(entry(check)),
                    On::Request(methods, check) => table.add(Form::Request, methods, entry(check)),
                    On::Notification(methods, check) => table.add(Form::Notification, methods, entry(check)),
                    On::Result(methods, check) => table.add(Form::Result, methods, entry(check)),
                    On::Error(methods, check) => table.add(Form::Error, methods, entry(check)),
                    On::Event(check) => table.events.push(Entry { rule: rule_number, revisions, whole, check }),
                    On::With(_) => {}
                    On::Input(check) => table.inputs.push(Entry { rule: rule_number, revisions, whole, check }),
                    On::End(check) => table.ends.push(Entry { rule: rule_number, revisions, whole, check }),
                }
            }
        }
        table
    }

    fn add(&mut self, form: Form, methods: &'static [&'static str], entry: Entry<Check>) {
        if methods.is_empty() {
            self.every[form as usize].push(entry);
        }
        for method in methods {
            self.named.entry(method).or_default()[form as usize].push(entry);
        }
    }

    /// The checks for a message, or for a request or response inside one; those for every method first.
    pub(super) fn checks(&self, form: Form, method: Option<&str>, inside: bool) -> impl Iterator<Item = &Entry<Check>> {
        let named = method.and_then(|method| self.named.get(method)).map(|checks| checks[form as usize].as_slice());
        let every = self.every[form as usize].iter().filter(move |entry| !(inside && entry.whole));
        every.chain(named.unwrap_or_default())
    }
}

/// How bad a finding may be at most: where the capture does not tell the revision, only what every revision with a
/// handshake says is more than a note.
pub(super) fn most(revisions: Revisions, known: bool) -> Severity {
    if known || revisions.includes(LEGACY) { Severity::Error } else { Severity::Note }
}

impl<C> Entry<C> {
    pub(super) fn concerns(&self, revision: Revision) -> bool {
        self.revisions.covers(revision)
    }
}
