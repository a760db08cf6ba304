//! What a change of what was negotiated would do to a run.

use crate::session::Kind;

/// The messages that a change concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The change in words: `without server.tools`.
    pub change: String,
    /// They would be allowed, and are not; otherwise the reverse.
    pub allows: bool,
    /// Requests, those inside other messages among them.
    pub requests: u64,
    /// Notifications.
    pub notifications: u64,
    /// Their methods, and how many of each.
    pub methods: Vec<(&'static str, u64)>,
    /// What comes or goes with them: capabilities, or features.
    pub features: Vec<String>,
}

impl Effect {
    /// Counts a request or notification.
    pub fn add(&mut self, kind: Kind, method: &'static str) {
        match kind {
            Kind::Request => self.requests += 1,
            _ => self.notifications += 1,
        }
        match self.methods.iter_mut().find(|(known, _)| *known == method) {
            Some((_, count)) => *count += 1,
            None => self.methods.push((method, 1)),
        }
    }

    /// Names what comes or goes.
    pub fn concern(&mut self, feature: String) {
        if !self.features.contains(&feature) {
            self.features.push(feature);
        }
    }
}
