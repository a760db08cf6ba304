//! Sessions to look at without having recorded one: written message by message with the crate's own emitter, correct
//! for the revision asked for (but for `trouble`, which is broken on purpose).

mod cast;
mod handshake;
mod object;
mod primitives;
mod progress;
mod stage;
mod stateless;
#[cfg(test)]
mod tests;
mod trouble;

use std::io;

use crate::protocol::Revision;

/// A row of [`SCENARIOS`].
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// The name on the command line.
    pub name: &'static str,
    /// One sentence: what there is to see.
    pub summary: &'static str,
    /// The oldest revision in which it makes sense.
    pub since: Revision,
    /// The newest revision in which it makes sense.
    pub until: Revision,
    /// Writes the session as bare JSON lines in a revision between `since` and `until`. Use [`Scenario::play`] for
    /// one that has not been checked.
    pub write: fn(Revision, &mut dyn io::Write) -> io::Result<()>,
}

/// Every scenario, in the order in which to learn from them.
pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "handshake",
        summary: "initialize, initialized, tools/list, tools/call, then the end of the stream: the smallest useful session",
        since: cast::OLDEST,
        until: Revision::V2025_11_25,
        write: handshake::write,
    },
    Scenario {
        name: "primitives",
        summary: "all six primitives, requests from both sides",
        since: cast::OLDEST,
        until: Revision::V2026_07_28,
        write: primitives::write,
    },
    Scenario {
        name: "progress",
        summary: "long work: progress, log messages, a cancellation and an answer that came too late",
        since: cast::OLDEST,
        until: Revision::V2026_07_28,
        write: progress::write,
    },
    Scenario {
        name: "stateless",
        summary: "no handshake: per-request capabilities, input asked for in results, a subscription",
        since: Revision::V2026_07_28,
        until: Revision::V2026_07_28,
        write: stateless::write,
    },
    Scenario {
        name: "trouble",
        summary: "a broken session: undeclared capabilities, errors, silence, noise, used ids, half a message",
        since: cast::OLDEST,
        until: Revision::V2026_07_28,
        write: trouble::write,
    },
];

/// The scenario of that name.
pub fn scenario(name: &str) -> Option<&'static Scenario> {
    SCENARIOS.iter().find(|scenario| scenario.name == name)
}

impl Scenario {
    /// Whether the scenario can be played in the revision.
    pub fn supports(&self, revision: Revision) -> bool {
        (self.since..=self.until).contains(&revision)
    }

    /// The revision to play when none is asked for: the newest with a handshake, or the first without one where the
    /// scenario has no older form.
    pub fn usual_revision(&self) -> Revision {
        self.until.min(Revision::V2025_11_25).max(self.since)
    }

    /// Writes the session as bare JSON lines.
    ///
    /// Fails with [`io::ErrorKind::InvalidInput`] when the scenario does not exist in the revision, otherwise only
    /// with what the writer returns.
    pub fn play(&self, revision: Revision, out: &mut dyn io::Write) -> io::Result<()> {
        if !self.supports(revision) {
            let words = format!(
                "the scenario {} exists from {} to {}, not in {}",
                self.name,
                self.since.as_str(),
                self.until.as_str(),
                revision.as_str()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
        }
        (self.write)(revision, out)
    }
}
