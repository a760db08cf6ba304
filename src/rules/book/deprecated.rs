//! Deprecated features that a message uses, each a bit, so that a session can tell its first use.

use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::protocol::Revision;
use crate::rules::context::Seen;

const ROOTS: (u8, &str) = (1, "roots are asked for");
const SAMPLING: (u8, &str) = (2, "sampling is asked for");
const LOG_MESSAGE: (u8, &str) = (4, "a log message is sent");
const LOG_LEVEL: (u8, &str) = (8, "log messages are asked for");
const CONTEXT: (u8, &str) = (16, "the context of servers is asked for");

/// What of a message is deprecated in its revision: bit and words.
pub(in crate::rules) fn deprecated_uses(seen: &Seen<'_>) -> impl Iterator<Item = (u8, &'static str)> {
    let mut uses = [None; 5];
    if seen.revision >= Revision::V2025_11_25 {
        let mut note = |method: Option<&str>, params: Option<RawJson<'_>>, modern: bool| match method {
            Some("roots/list") if modern => uses[0] = Some(ROOTS),
            Some("sampling/createMessage") => {
                uses[1] = modern.then_some(SAMPLING).or(uses[1]);
                let value = params.and_then(|params| params.get("includeContext")).and_then(RawJson::as_str);
                if matches!(value.as_deref(), Some("thisServer" | "allServers")) {
                    uses[4] = Some(CONTEXT);
                }
            }
            Some("notifications/message") if modern => uses[2] = Some(LOG_MESSAGE),
            _ => {}
        };
        let modern = seen.is_modern();
        match seen.kind {
            Kind::Request | Kind::Notification => note(seen.method, seen.body.raw, modern),
            Kind::Response if modern => {
                let requests = seen.get("inputRequests").into_iter().flat_map(RawJson::members);
                for (_, request) in requests {
                    let method = request.get("method").and_then(RawJson::as_str);
                    note(method.as_deref(), request.get("params"), modern);
                }
            }
            Kind::Response | Kind::Invalid => {}
        }
        if modern && seen.kind == Kind::Request && seen.meta("io.modelcontextprotocol/logLevel").is_some() {
            uses[3] = Some(LOG_LEVEL);
        }
    }
    uses.into_iter().flatten()
}
