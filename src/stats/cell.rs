//! What is counted of any group of messages.

use super::Histogram;

/// The figures of a group of messages. All are sums, so that cells of parts add up to the cell of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Messages.
    pub messages: u64,
    /// Bytes of their texts.
    pub bytes: u64,
    /// Requests.
    pub requests: u64,
    /// Notifications.
    pub notifications: u64,
    /// Responses, those with errors among them.
    pub responses: u64,
    /// Invalid messages.
    pub invalid: u64,
    /// Error responses of the protocol.
    pub errors: u64,
    /// Results of tools with `isError`.
    pub tool_errors: u64,
    /// Results that ask for more input.
    pub input_required: u64,
    /// Requests that were cancelled by a notification.
    pub cancelled: u64,
    /// Answers to requests that had been cancelled.
    pub late: u64,
    /// Requests that were never answered.
    pub unanswered: u64,
    /// Times between request and answer, of the answers where both are recorded.
    pub latency: Histogram,
}

impl Cell {
    /// Adds what another has counted.
    pub fn merge(&mut self, other: &Self) {
        for (own, other) in self.counts_mut().into_iter().zip(other.counts()) {
            *own = own.saturating_add(other);
        }
        self.latency.merge(&other.latency);
    }

    /// Every count, in the order of the fields.
    fn counts(&self) -> [u64; 12] {
        let Self { messages, bytes, requests, notifications, responses, invalid, .. } = *self;
        let Self { errors, tool_errors, input_required, cancelled, late, unanswered, .. } = *self;
        [
            messages,
            bytes,
            requests,
            notifications,
            responses,
            invalid,
            errors,
            tool_errors,
            input_required,
            cancelled,
            late,
            unanswered,
        ]
    }

    fn counts_mut(&mut self) -> [&mut u64; 12] {
        [
            &mut self.messages,
            &mut self.bytes,
            &mut self.requests,
            &mut self.notifications,
            &mut self.responses,
            &mut self.invalid,
            &mut self.errors,
            &mut self.tool_errors,
            &mut self.input_required,
            &mut self.cancelled,
            &mut self.late,
            &mut self.unanswered,
        ]
    }
}
