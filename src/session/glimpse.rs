//! What is known of messages further on, while one is held back: enough to decide a direction or a phase.

use compact_str::CompactString;

use super::{Facts, Key, Kind, LaneKey, Outcome};
use crate::protocol::{Direction, Fit, Revision, Side, fits, method_set};

/// The outline of a message further on in the same input.
#[derive(Clone, Debug)]
pub struct Glimpse {
    /// Its number.
    pub n: u64,
    pub(super) lane: LaneKey,
    pub(super) kind: Kind,
    pub(super) outcome: Option<Outcome>,
    pub(super) key: Option<Key<'static>>,
    pub(super) recorded: Option<Direction>,
    pub(super) method: Option<CompactString>,
    pub(super) target: Option<CompactString>,
    pub(super) initialize: bool,
    pub(super) stateless: bool,
    pub(super) error_code: Option<i64>,
    members: Vec<CompactString>,
    result_type: Option<CompactString>,
    empty: bool,
}

/// Result members beyond these are of no help in telling a method.
const MAX_MEMBERS: usize = 32;

impl Glimpse {
    /// Takes down what matters of a message.
    pub fn of(n: u64, lane: LaneKey, recorded: Option<Direction>, facts: &Facts<'_>) -> Self {
        let members = match facts.result {
            Some(result) => result.members().take(MAX_MEMBERS).map(|(name, _)| CompactString::new(name)).collect(),
            None => Vec::new(),
        };
        Self {
            n,
            lane,
            kind: facts.kind,
            outcome: facts.outcome,
            key: facts.key.clone().map(Key::into_owned),
            recorded,
            method: facts.method.map(CompactString::new),
            target: facts.target.as_deref().map(CompactString::new),
            initialize: facts.is_initialize(),
            stateless: facts.is_stateless(),
            error_code: facts.error_code,
            members,
            result_type: facts.result_type().map(CompactString::new),
            empty: facts.is_empty(),
        }
    }

    /// Whether it can decide anything about a message before it. Most notifications cannot: see [`super::direction`]
    /// and the phases before `initialize`.
    pub fn tells(&self) -> bool {
        self.kind != Kind::Notification
            || self.recorded.is_some()
            || self.stateless
            || self.method.as_deref() == Some("notifications/initialized")
    }

    /// Whether this answer can belong to a request of the given method.
    pub(super) fn fits(&self, method: &str, revision: Option<Revision>) -> Fit {
        match self.outcome {
            Some(Outcome::Result) => fits(
                method,
                revision,
                |name| self.members.iter().any(|member| member == name),
                self.result_type.as_deref(),
                self.empty,
            ),
            _ => Fit::Possible,
        }
    }

    /// The side that sent it, when its label or its method leaves no doubt.
    pub(super) fn sender(&self) -> Option<Side> {
        if let Some(recorded) = self.recorded {
            return Some(recorded.sender());
        }
        if self.stateless && self.kind == Kind::Request {
            return Some(Side::Client);
        }
        method_set(self.method.as_deref()?)?.only_sender()
    }
}

/// The messages behind the one in question, as far as they are there.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    /// In order.
    pub glimpses: &'a [Glimpse],
    /// Nothing more may be waited for: the input ended or pauses, or the hold-back is full.
    pub last: bool,
}

impl<'a> Ahead<'a> {
    /// Nothing is known and nothing may be waited for.
    pub const NOTHING: Ahead<'static> = Ahead { glimpses: &[], last: true };

    /// The messages of one lane.
    pub(super) fn lane(self, lane: &LaneKey) -> impl Iterator<Item = &'a Glimpse> {
        self.glimpses.iter().filter(move |glimpse| glimpse.lane == *lane)
    }
}
