//! A filter applied to the records of a run. A record that is no message goes with the message that it belongs to: what is
//! inside a message and what it settled with that message, another telling with the message told, a session when one of
//! its messages was selected. What a log says beside its messages belongs to none.

use std::collections::{HashSet, VecDeque};

use cel::Context;

use super::quick::Said;
use super::{Filter, Verdict};
use crate::annotate::{Annotated, Filtered};

/// Selected messages of which another telling is still known; as many as readers look back.
const MAX_RECENT: usize = 64;
/// Messages whose decision is remembered for findings that come later.
const MAX_CHOSEN: u64 = 1 << 23;

/// A filter at work.
pub struct Selection<'f> {
    filter: &'f Filter,
    contexts: Vec<Context<'static, 'static>>,
    counts: Filtered,
    /// Whether the message that came last was selected.
    last: bool,
    /// Sessions of the input that have a selected message and have not ended.
    sessions: HashSet<u64>,
    recent: VecDeque<u64>,
}

impl<'f> Selection<'f> {
    /// Nothing was asked yet.
    pub fn new(filter: &'f Filter) -> Self {
        let contexts = filter.expressions.iter().map(super::Expression::context).collect();
        let (sessions, recent) = (HashSet::new(), VecDeque::new());
        Self { filter, contexts, counts: Filtered::default(), last: false, sessions, recent }
    }

    /// Another input begins.
    pub fn next_input(&mut self) {
        self.last = false;
        self.sessions.clear();
        self.recent.clear();
    }

    /// Whether a message is selected.
    pub fn message(&mut self, message: &Annotated<'_>) -> bool {
        self.counts.read += 1;
        let others = self.filter.others.as_ref();
        self.last = others.is_some_and(|others| others.contains(&(message.input, message.n))) || self.decide(message);
        if self.last {
            self.sessions.insert(message.session);
            if self.recent.len() == MAX_RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(message.n);
        }
        self.last
    }

    fn decide(&mut self, message: &Annotated<'_>) -> bool {
        match self.filter.quick.ask(message) {
            Said::Yes => {}
            Said::No => return false,
            Said::NoTime => {
                self.counts.untimed += 1;
                return false;
            }
        }
        for (expression, context) in self.filter.expressions.iter().zip(&self.contexts) {
            match expression.ask(message, context) {
                Verdict::Holds(true) => {}
                Verdict::Holds(false) => return false,
                Verdict::Undecided(why) => {
                    self.counts.undecided += 1;
                    self.counts.first_undecided.get_or_insert((message.n, why));
                    return false;
                }
            }
        }
        true
    }

    /// Whether what belongs to the last message is selected.
    pub fn with_last(&self) -> bool {
        self.last
    }

    /// Whether another telling of a message is selected.
    pub fn view(&self, of: Option<u64>) -> bool {
        of.is_some_and(|n| self.recent.contains(&n))
    }

    /// Whether a session that ends is selected.
    pub fn session_end(&mut self, session: u64) -> bool {
        self.sessions.remove(&session)
    }

    /// What was done so far.
    pub fn counts(&self) -> &Filtered {
        &self.counts
    }
}

/// Which messages of an input were selected, for findings about messages that are long past. Remembers the last 8,388,608,
/// a bit each; what is older counts as selected, so that nothing about it is lost.
#[derive(Debug, Default)]
pub struct Chosen {
    input: u32,
    bits: Vec<u64>,
    /// The message that came last.
    last: u64,
    forgotten: u64,
}

impl Chosen {
    /// Notes the next message.
    pub fn note(&mut self, input: u32, n: u64, selected: bool) {
        if input != self.input {
            *self = Self { input, forgotten: self.forgotten, ..Self::default() };
        }
        let (word, bit) = Self::place(n);
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] = self.bits[word] & !(1 << bit) | u64::from(selected) << bit;
        self.last = n;
    }

    fn place(n: u64) -> (usize, u64) {
        let at = n % MAX_CHOSEN;
        ((at / 64) as usize, at % 64)
    }

    /// Whether a message was selected.
    pub fn has(&mut self, input: u32, n: u64) -> bool {
        if input != self.input || n > self.last {
            return false;
        }
        if self.last - n >= MAX_CHOSEN {
            self.forgotten += 1;
            return true;
        }
        let (word, bit) = Self::place(n);
        self.bits.get(word).is_some_and(|bits| bits >> bit & 1 == 1)
    }

    /// Findings about messages that were forgotten.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_remembered_and_what_is_forgotten_is_not_lost() {
        let mut chosen = Chosen::default();
        for n in 1..=MAX_CHOSEN + 10 {
            chosen.note(0, n, n % 3 == 0);
        }
        assert_eq!(chosen.bits.len() as u64 * 64, MAX_CHOSEN);
        for n in [11, 12, 13, MAX_CHOSEN, MAX_CHOSEN + 10] {
            assert_eq!(chosen.has(0, n), n % 3 == 0, "{n}");
        }
        assert!(!chosen.has(0, MAX_CHOSEN + 11), "it has not come yet");
        assert!(!chosen.has(1, 3), "another input");
        assert!(chosen.has(0, 1) && chosen.has(0, 10));
        assert_eq!(chosen.forgotten(), 2);
        chosen.note(1, 1, true);
        assert!(chosen.has(1, 1) && !chosen.has(1, 3));
    }
}
