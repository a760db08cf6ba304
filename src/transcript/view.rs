//! What a further telling of a message says: enough to find the message that it tells again.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::{Outline, OutlineKind};

#[derive(Deserialize)]
struct Members<'t> {
    #[serde(borrow)]
    method: Option<&'t str>,
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    error: Option<IgnoredAny>,
    jsonrpc: Option<IgnoredAny>,
}

/// The outline of a JSON-RPC message that a log tells once more.
pub(super) fn outline_of(text: &str) -> Option<Outline<'_>> {
    let message: Members<'_> = serde_json::from_str(text).ok()?;
    message.jsonrpc?;
    let id = message.id.map(RawValue::get);
    let kind = match (message.method, id, message.error) {
        (Some(_), Some(_), _) => OutlineKind::Request,
        (Some(_), None, _) => OutlineKind::Notification,
        (None, _, Some(_)) => OutlineKind::Error,
        (None, _, None) => OutlineKind::Result,
    };
    Some(Outline { kind, method: message.method, id, error_code: None, target: None, view: true })
}
