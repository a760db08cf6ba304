//! The last batch of each side.

use super::Spot;
use crate::annotate::{IdState, Kind};
use crate::protocol::Side;
use crate::rules::context::Seen;

/// A batch, as far as it has been seen.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Its first element.
    pub first: Spot,
    /// Its elements by their number, including those still to come.
    pub size: u64,
    /// It holds requests or notifications.
    pub calls: bool,
    /// It holds answers.
    pub answers: bool,
    /// Requests in it.
    pub requests: u64,
    /// Requests in it that have been answered, one by one or by an error without an id.
    pub answered: u64,
    /// Something in it may not stand in a batch, so that refusing it is right.
    pub faulty: bool,
}

impl Batch {
    /// Calls and answers stand in it together.
    pub fn is_mixed(&self) -> bool {
        self.calls && self.answers
    }

    fn holds(&self, n: u64) -> bool {
        (self.first.0..self.first.0 + self.size).contains(&n)
    }
}

/// The last batch of either side.
#[derive(Clone, Debug, Default)]
pub struct Batches([Option<Batch>; 2]);

impl Batches {
    /// The last batch of a side.
    pub fn last(&self, sender: Side) -> Option<&Batch> {
        self.0[sender.index()].as_ref()
    }

    /// The batch that an element belongs to, as far as it was seen before the element.
    pub fn around(&self, seen: &Seen<'_>) -> Option<&Batch> {
        self.last(seen.sender?).filter(|batch| seen.message.batch.is_some() && batch.holds(seen.message.n))
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>) {
        let Some(sender) = seen.sender else { return };
        if let Some(answered) = seen.message.answers
            && let Some(batch) = &mut self.0[sender.other().index()]
        {
            batch.answered += u64::from(batch.holds(answered));
        }
        // An error without an id answers a batch as a whole, and no other one does after it.
        let is_nameless = matches!(seen.message.id_state, IdState::Null | IdState::Absent);
        if seen.kind == Kind::Response
            && is_nameless
            && let Some(batch) = &mut self.0[sender.other().index()]
        {
            batch.answered = batch.requests;
        }
        let Some(place) = seen.message.batch else { return };
        let last = &mut self.0[sender.index()];
        if place.index == 0 || last.is_none() {
            *last = Some(Batch {
                first: (seen.message.n.saturating_sub(place.index), seen.message.position),
                size: place.size,
                calls: false,
                answers: false,
                requests: 0,
                answered: 0,
                faulty: false,
            });
        }
        let Some(batch) = last else { return };
        match seen.kind {
            Kind::Request => {
                batch.calls = true;
                batch.requests += 1;
                batch.faulty |= seen.method == Some("initialize");
            }
            Kind::Notification => batch.calls = true,
            Kind::Response => batch.answers = true,
            Kind::Invalid => batch.faulty = true,
        }
        batch.faulty |= batch.is_mixed();
    }
}
