//! From which level on a client wants log messages: the setting of a session with a handshake, and what open stateless
//! requests ask for.

use super::{Asked, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// The levels of RFC 5424, the least severe first (server/utilities/logging#log-levels).
pub const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// A place in [`LEVELS`].
pub type Level = u8;

/// The level that a value names.
pub fn level(value: RawJson<'_>) -> Option<Level> {
    let name = value.as_str()?;
    LEVELS.iter().position(|known| *known == name).map(|place| place as Level)
}

/// The member of `_meta` by which a stateless request asks for log messages.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// What a session has told of log levels.
#[derive(Debug, Default)]
pub struct Logging {
    /// The setting that the server has accepted, and the request for it.
    pub set: Option<(Level, Spot)>,
    /// A `logging/setLevel` is open: which level counts is not decided.
    pub changing: bool,
    wanted: Option<(Level, Spot)>,
    /// Open stateless requests by the level they ask for.
    asking: [u32; LEVELS.len()],
}

impl Logging {
    /// The least severe level that an open stateless request asks for.
    pub fn lowest(&self) -> Option<Level> {
        self.asking.iter().position(|requests| *requests > 0).map(|place| place as Level)
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>) {
        match (seen.kind, seen.method) {
            (Kind::Request, Some("logging/setLevel")) => {
                (self.wanted, self.changing) = (seen.get("level").and_then(level).map(|at| (at, seen.spot())), true);
            }
            (Kind::Response, Some("logging/setLevel")) => {
                let wanted = self.wanted.take().filter(|_| seen.is_result());
                (self.set, self.changing) = (wanted.or(self.set), false);
            }
            (Kind::Request, _) if seen.is_modern() => {
                if let Some(level) = asked(seen) {
                    self.asking[usize::from(level)] += 1;
                }
            }
            (Kind::Response, _) => {
                if let Some(level) = request.and_then(|request| request.log_level) {
                    let open = &mut self.asking[usize::from(level)];
                    *open = open.saturating_sub(1);
                }
            }
            _ => {}
        }
    }
}

/// The level that a stateless request asks for.
pub(super) fn asked(seen: &Seen<'_>) -> Option<Level> {
    seen.meta(LOG_LEVEL).and_then(level)
}
