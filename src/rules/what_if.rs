//! What if something else had been negotiated: capabilities more or less, another revision; and what that would do to the
//! messages of a run.

use crate::annotate::{Effect, Kind, Needs, Record};
use crate::protocol::{Direction, Revision, Sender, Side, method_set};

/// A capability that is declared, or is not, whatever the recording says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// It is declared.
    pub with: bool,
    /// By this side.
    pub side: Side,
    /// Its path. With it come the paths above it; without it those below it are gone as well.
    pub path: Vec<String>,
}

/// What is supposed; nothing by default.
#[derive(Clone, Debug, Default)]
pub struct WhatIf {
    /// Capabilities.
    pub changes: Vec<Change>,
    /// The revision in force.
    pub revision: Option<Revision>,
}

impl Change {
    /// As it was asked for: `without server.tools`.
    pub fn words(&self) -> String {
        let word = if self.with { "with" } else { "without" };
        format!("{word} {}.{}", self.side.as_str(), self.path.join("."))
    }

    /// Whether it decides about a capability.
    fn decides(&self, side: Side, path: &[&str]) -> bool {
        let shared = self.path.iter().zip(path).take_while(|(own, other)| own == *other).count();
        let form = self.with && self.path == ["elicitation"] && path == ["elicitation", "form"];
        let whole = if self.with { path.len() } else { self.path.len() };
        self.side == side && (shared == whole || form)
    }
}

impl WhatIf {
    /// The change that decides about a capability, if one does.
    pub fn change(&self, side: Side, path: &[&str]) -> Option<&Change> {
        let mut changes = self.changes.iter().filter(|change| change.decides(side, path));
        // What is taken away from a capability that is given is not there.
        changes.clone().find(|change| !change.with).or_else(|| changes.next())
    }

    /// Two changes of which one takes away what the other gives.
    pub fn contradiction(&self) -> Option<(&Change, &Change)> {
        let without = || self.changes.iter().filter(|change| !change.with);
        let with = self.changes.iter().filter(|change| change.with);
        with.flat_map(|with| without().map(move |without| (with, without)))
            .find(|(with, without)| with.side == without.side && with.path.starts_with(&without.path))
    }

    /// Nothing is supposed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.revision.is_none()
    }
}

/// What is supposed, and what it does to the messages of a run.
#[derive(Debug)]
pub(super) struct Effects(Vec<Effect>);

/// A message or a part of one, as far as its effect goes.
struct Sent<'a> {
    kind: Kind,
    direction: Option<Direction>,
    method: Option<&'a str>,
    feature: &'static str,
    revision: Option<&'a str>,
    requires: &'a [Needs],
}

impl Effects {
    /// For what is supposed.
    pub(super) fn of(what_if: &WhatIf) -> Self {
        let effect = |change, allows| Effect { change, allows, ..Effect::default() };
        let changes = what_if.changes.iter().map(|change| effect(change.words(), change.with));
        let revision = what_if.revision.map(|revision| effect(format!("as {}", revision.as_str()), false));
        Self(changes.chain(revision).collect())
    }

    /// What was found, in the order of what is supposed.
    pub(super) fn found(&self) -> &[Effect] {
        &self.0
    }

    /// Takes a record.
    pub(super) fn see(&mut self, what_if: &WhatIf, record: &Record<'_>) {
        let sent = match record {
            Record::Message(message) => Sent {
                kind: message.kind,
                direction: message.direction,
                method: message.method,
                feature: message.feature.as_str(),
                revision: message.revision,
                requires: message.requires,
            },
            Record::Embedded(part) => Sent {
                kind: part.kind,
                direction: part.direction,
                method: part.method.as_deref(),
                feature: part.feature.as_str(),
                revision: None,
                requires: &part.requires,
            },
            _ => return,
        };
        // Answers need what their requests need.
        let (Kind::Request | Kind::Notification, Some(set)) = (sent.kind, sent.method.and_then(method_set)) else {
            return;
        };
        let method = set.rows()[0].name;
        for (change, effect) in what_if.changes.iter().zip(&mut self.0) {
            let deciding = |need: &&Needs| {
                let is_other = if change.with { need.declared == Some(false) } else { need.declared != Some(false) };
                is_other && what_if.change(need.side, need.path) == Some(change)
            };
            let mut needs = sent.requires.iter().filter(deciding).peekable();
            if needs.peek().is_some() {
                effect.add(sent.kind, method);
                needs.for_each(|need| effect.concern(need.path.join(".")));
            }
        }
        let Some(revision) = what_if.revision.filter(|_| matches!(record, Record::Message(_))) else { return };
        let sends = |revision: Revision| {
            let fits = |sender: Sender| match (sender, sent.direction) {
                (Sender::Client, Some(direction)) => direction == Direction::ClientToServer,
                (Sender::Server, Some(direction)) => direction == Direction::ServerToClient,
                _ => true,
            };
            set.at(revision).is_some_and(|row| fits(row.sender))
        };
        let was_allowed = sent.revision.and_then(Revision::parse).is_none_or(sends);
        if let (true, false, Some(effect)) = (was_allowed, sends(revision), self.0.last_mut()) {
            effect.add(sent.kind, method);
            effect.concern(sent.feature.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(with: bool, path: &[&str]) -> Change {
        Change { with, side: Side::Server, path: path.iter().map(|&name| name.to_owned()).collect() }
    }

    #[test]
    fn what_is_above_comes_and_what_is_below_goes() {
        let what_if = |change| WhatIf { changes: vec![change], revision: None };
        for (with, own, path, wanted) in [
            (false, &["tools"][..], &["tools"][..], true),
            (false, &["tools"], &["tools", "listChanged"], true),
            (false, &["tools", "listChanged"], &["tools"], false),
            (false, &["tools"], &["prompts"], false),
            (true, &["tools"], &["tools"], true),
            (true, &["tools", "listChanged"], &["tools"], true),
            (true, &["tools"], &["tools", "listChanged"], false),
            (true, &["tools", "listChanged"], &["prompts", "listChanged"], false),
            (true, &["elicitation"], &["elicitation", "form"], true),
            (true, &["elicitation"], &["elicitation", "url"], false),
        ] {
            let found = what_if(change(with, own)).change(Side::Server, path).is_some();
            assert_eq!(found, wanted, "{with} {own:?} {path:?}");
            assert!(what_if(change(with, own)).change(Side::Client, path).is_none());
        }
    }

    #[test]
    fn a_part_may_be_taken_from_what_is_given_and_not_the_reverse() {
        let (tools, changed) = (&["tools"][..], &["tools", "listChanged"][..]);
        let fine = WhatIf { changes: vec![change(true, tools), change(false, changed)], revision: None };
        assert!(fine.contradiction().is_none());
        assert_eq!(fine.change(Side::Server, changed), Some(&change(false, changed)));
        for (with, without) in [(changed, tools), (tools, tools)] {
            let wrong = WhatIf { changes: vec![change(true, with), change(false, without)], revision: None };
            assert!(wrong.contradiction().is_some());
        }
    }
}
