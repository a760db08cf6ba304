//! Lines of the bridge mcp-remote as they stand in its host's logs: `[PID] text`, and one line for each message that
//! it passes on, which the host tells as well. The local side is the client's.

use super::view::outline_of;
use super::{Outline, OutlineKind};
use crate::protocol::Direction;

/// The text behind `[PID] `, which may stand twice.
pub(super) fn unprefixed(line: &str) -> Option<&str> {
    let (pid, text) = line.strip_prefix('[')?.split_once("] ")?;
    if pid.is_empty() || pid.len() > 10 || !pid.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Some(unprefixed(text).unwrap_or(text))
}

/// `[Local→Remote] METHOD` or `[Remote→Local] ID`, the arrow in whatever encoding it arrived.
pub(super) fn passing(text: &str) -> Option<(Direction, Outline<'_>)> {
    let (label, token) = text.strip_prefix('[')?.split_once("] ")?;
    let direction = if label.starts_with("Local") && label.ends_with("Remote") {
        Direction::ClientToServer
    } else if label.starts_with("Remote") && label.ends_with("Local") {
        Direction::ServerToClient
    } else {
        return None;
    };
    let token = token.trim_ascii();
    let method = token.contains('/') || matches!(token, "initialize" | "ping");
    let kind = match method {
        true if token.starts_with("notifications/") => OutlineKind::Notification,
        true => OutlineKind::Request,
        // The id alone: of an answer, whichever it was.
        false => OutlineKind::Answer,
    };
    let (method, id) = if method { (Some(token), None) } else { (None, Some(token)) };
    Some((direction, Outline { kind, method, id, error_code: None, target: None, view: true }))
}

/// The message that is printed whole behind `[PID] `: the bridge does so with `initialize`.
pub(super) fn printed(text: &str) -> Option<(Direction, Outline<'_>)> {
    let outline = outline_of(text)?;
    let direction = match outline.kind {
        OutlineKind::Request | OutlineKind::Notification => Direction::ClientToServer,
        OutlineKind::Result | OutlineKind::Error | OutlineKind::Answer => Direction::ServerToClient,
    };
    Some((direction, outline))
}
