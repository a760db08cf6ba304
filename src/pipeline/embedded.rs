//! Input requests and responses inside other messages (2026-07-28, basic/patterns/mrtr; tasks extension).

use std::borrow::Cow;

use crate::annotate::Embedded;
use crate::jsonrpc::RawJson;
use crate::protocol::{Direction, Feature, TargetKey, input_request};
use crate::session::{Facts, Kind, Message, Tracker, Verdict};

/// More than these in one message are not listed.
const MAX_EMBEDDED: usize = 1_024;

/// Whether a message carries requests or responses, the name of the member that holds them, and its value.
pub(super) type Carried<'a> = (Kind, &'static str, RawJson<'a>);

/// What a message carries, as most do not: requests or responses, and in which member.
#[inline(always)]
pub(super) fn of_message<'a>(facts: &Facts<'a>) -> Option<Carried<'a>> {
    match facts.kind {
        Kind::Response | Kind::Notification => Some((Kind::Request, "inputRequests", facts.param("inputRequests")?)),
        Kind::Request => Some((Kind::Response, "inputResponses", facts.param("inputResponses")?)),
        Kind::Invalid => None,
    }
}

/// What a message carries, one by one, and how many are not listed.
pub(super) fn records<'a>(
    (kind, member, map): Carried<'a>,
    input: u32,
    file: &'a str,
    message: &Message<'a>,
    verdict: &Verdict,
    tracker: &Tracker,
) -> (Vec<Embedded<'a>>, u64) {
    let frame = message.frame;
    let holder = if message.facts.kind == Kind::Response { "result" } else { "params" };
    let asked = tracker.continued_requests();
    let lost = (map.members().count() as u64).saturating_sub(MAX_EMBEDDED as u64);
    let records = map
        .members()
        .take(MAX_EMBEDDED)
        .map(|(key, value)| {
            let method: Option<Cow<'a, str>> = match kind {
                Kind::Request => value.get("method").and_then(RawJson::as_str),
                _ => asked
                    .iter()
                    .find(|request| request.key == key)
                    .map(|request| Cow::Owned(request.method.to_string())),
            };
            let row = method.as_deref().and_then(input_request);
            let params = value.get("params");
            let target = match row.map(|row| row.target) {
                Some(TargetKey::Param(name)) => params.and_then(|params| params.get(name)).and_then(RawJson::as_str),
                _ => None,
            };
            let request = kind == Kind::Request;
            let requires = row.map_or_else(Vec::new, |row| tracker.embedded_needs(verdict, row, params, request));
            let escaped = key.replace('~', "~0").replace('/', "~1");
            Embedded {
                input,
                file,
                of: message.n,
                position: frame.position,
                pointer: format!("{}/{holder}/{member}/{escaped}", frame.pointer.unwrap_or_default()),
                key,
                session: u64::from(verdict.session),
                direction: Some(match kind {
                    Kind::Request => Direction::ServerToClient,
                    _ => Direction::ClientToServer,
                }),
                kind,
                method,
                target,
                feature: row.map_or(Feature::Unknown, |row| row.feature),
                requires,
            }
        })
        .collect();
    (records, lost)
}
