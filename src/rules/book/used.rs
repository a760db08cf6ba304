//! Which capabilities a session has made use of, by the messages that need them.

use crate::annotate::Kind;
use crate::protocol::Side;
use crate::rules::context::Seen;

/// Capabilities that messages need, and who declares them.
pub const SERVED: &[(Side, &str)] = &[
    (Side::Server, "tools"),
    (Side::Server, "prompts"),
    (Side::Server, "resources"),
    (Side::Server, "completions"),
    (Side::Server, "logging"),
    (Side::Client, "roots"),
    (Side::Client, "sampling"),
    (Side::Client, "elicitation"),
];

/// What was used, a bit for each row of [`SERVED`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Used(u16);

impl Used {
    /// Whether nothing was used.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a capability was used.
    pub fn has(self, side: Side, name: &str) -> bool {
        self.0 & bit(side, name) != 0
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>) {
        if matches!(seen.kind, Kind::Request | Kind::Notification) {
            for need in seen.message.requires {
                self.0 |= bit(need.side, need.path.first().copied().unwrap_or_default());
            }
        }
    }
}

fn bit(side: Side, name: &str) -> u16 {
    SERVED.iter().position(|row| *row == (side, name)).map_or(0, |place| 1 << place)
}
