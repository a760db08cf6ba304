//! Requests inside of answers and responses inside of retries (2026-07-28, basic/patterns/mrtr), as messages of their own
//! for the checks.

use super::context::{Body, Context};
use super::dispatch::Form;
use crate::annotate::Kind;
use crate::protocol::Side;

/// Parts of one message that are judged.
const MAX_PARTS: usize = 1_024;

/// Gives each request inside the message to `judge`, as a request of the server with `part` set.
///
/// Responses inside a retry are not given: their requests stand in the answer before, of which only keys and methods are
/// kept by the session.
pub(super) fn each(context: &Context<'_>, mut judge: impl FnMut(&Context<'_>, Form)) {
    if !context.is_modern() || !matches!(context.kind, Kind::Response | Kind::Notification) {
        return;
    }
    let Some(requests) = context.get("inputRequests") else { return };
    for (key, value) in requests.members().take(MAX_PARTS) {
        let Some(method) = value.get("method").and_then(|method| method.as_str()) else { continue };
        let body = Body::of(value.get("params"));
        let mut seen = context.seen.part(&key, Kind::Request, Some(&method), body);
        seen.sender = Some(Side::Server);
        judge(&Context { seen, ..*context }, Form::Request);
    }
}
