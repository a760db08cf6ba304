//! Requests inside of answers and responses inside of retries (2026-07-28, basic/patterns/mrtr), as messages of their own
//! for the checks.

use super::book::Asked;
use super::context::{Body, Context};
use super::dispatch::Form;
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::protocol::Side;

/// Parts of one message that are judged.
const MAX_PARTS: usize = 1_024;

/// Gives each request inside an answer to `judge`, as a request of the server, and each response inside a request, as a
/// result of the client; `part` is set. The request of a response is the input request that it answers, where that is in
/// the capture; otherwise its method is told from its shape.
pub(super) fn each(context: &Context<'_>, judge: impl FnMut(&Context<'_>, Form)) {
    if !context.is_modern() {
        return;
    }
    match context.kind {
        Kind::Response | Kind::Notification => requests(context, judge),
        Kind::Request => responses(context, judge),
        Kind::Invalid => {}
    }
}

fn requests(context: &Context<'_>, mut judge: impl FnMut(&Context<'_>, Form)) {
    let Some(requests) = context.get("inputRequests") else { return };
    for (key, value) in requests.members().take(MAX_PARTS) {
        let Some(method) = value.get("method").and_then(|method| method.as_str()) else { continue };
        let body = Body::of(value.get("params"));
        let mut seen = context.seen.part(&key, Kind::Request, Some(&method), body);
        seen.sender = Some(Side::Server);
        judge(&Context { seen, ..*context }, Form::Request);
    }
}

fn responses(context: &Context<'_>, mut judge: impl FnMut(&Context<'_>, Form)) {
    let Some(responses) = context.get("inputResponses") else { return };
    let waiting = context.session.retries.of(context).of();
    for (key, value) in responses.members().take(MAX_PARTS) {
        let request: Option<&Asked> = waiting.and_then(|waiting| waiting.question(&key));
        let method = request.map(|request| request.method.as_str()).or_else(|| told_by(value));
        let mut seen = context.seen.part(&key, Kind::Response, method, Body::of(Some(value)));
        seen.sender = Some(Side::Client);
        judge(&Context { seen, request, ..*context }, Form::Result);
    }
}

/// The method of the input request whose result has this shape.
fn told_by(result: RawJson<'_>) -> Option<&'static str> {
    let shapes = [("action", "elicitation/create"), ("roots", "roots/list"), ("role", "sampling/createMessage")];
    shapes.into_iter().find(|(member, _)| result.get(member).is_some()).map(|(_, method)| method)
}
