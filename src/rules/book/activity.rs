//! Whether the client waits for something, so that the server has an occasion to ask it.

use super::Asked;
use crate::annotate::Kind;
use crate::protocol::Side;
use crate::rules::context::Seen;

/// What goes on in a session.
#[derive(Debug, Default)]
pub struct Activity {
    /// Open requests of the client.
    open: u32,
    /// A request was to become a task, which may still go on.
    tasks: bool,
    /// The handshake has just ended, or the roots have changed, and the server has not asked for them since.
    pub roots_expected: bool,
}

impl Activity {
    /// The client waits for an answer or for a task.
    pub fn is_busy(&self) -> bool {
        self.open > 0 || self.tasks
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>) {
        match (seen.kind, seen.method) {
            (Kind::Request, method) if seen.sender == Some(Side::Client) => {
                if seen.message.answered_by.is_none() {
                    self.open += 1;
                }
                self.tasks |= method == Some("tools/call") && seen.get("task").is_some();
            }
            (Kind::Request, Some("roots/list")) => self.roots_expected = false,
            (Kind::Response, _) if request.is_some_and(|request| request.sender == Some(Side::Client)) => {
                self.open = self.open.saturating_sub(1);
            }
            (Kind::Notification, Some("notifications/initialized" | "notifications/roots/list_changed")) => {
                self.roots_expected = true;
            }
            _ => {}
        }
    }
}
