//! What rmcp, MCP's Rust SDK, writes through `tracing`: its messages as Rust's debug printer shows them. At level Debug it
//! tells what it received and answered, at level Trace all, some of it twice.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Split, Told, Way, other};
use super::text_log::TextLog;
use super::{EventKind, Format, Outline, OutlineKind, Proof, silent, stamp};
use crate::protocol::METHODS;

/// The row of rmcp's tracing.
pub(super) const FORMAT: Format = Format {
    name: "rmcp",
    title: "what rmcp, MCP's Rust SDK, writes through tracing",
    example: r#"2025-01-02T03:04:05.678901Z DEBUG serve_inner: rmcp::service: received request id=1 request=ListToolsRequest(RequestOptionalParam { method: ListToolsRequestMethod, params: None })"#,
    loses: "payloads; below level Trace also what the log's side asked and was answered",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::RMCP),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of rmcp's", split, tell, stray: other };

/// `TIME LEVEL spans: module: text`.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = stamp::leading(line, zone)?;
    let (level, text) = rest.trim_ascii_start().split_once(' ')?;
    let known = matches!(level, "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR");
    known.then_some(Split { time: Some(time), text, ..Split::default() })
}

fn tell(text: &str) -> Told<'_> {
    let Some(words) = text.find("rmcp::").and_then(|at| text[at..].split_once(": ")).map(|(_, words)| words) else {
        return Told::Other(text);
    };
    let told = if let Some(event) = words.strip_prefix("new event evt=") {
        event_of(event).map(|(way, outline)| (way, outline, 2))
    } else {
        sentence(words).map(|(way, outline)| (way, outline, 1))
    };
    if let Some((way, outline, voice)) = told {
        return Told::Outline { way, outline, voice };
    }
    let kind = match words {
        words if words.starts_with("Service initialized as ") => EventKind::TransportOpen,
        words if words.starts_with("serve finished ") || words.starts_with("input stream terminated") => {
            EventKind::TransportClosed
        }
        _ => EventKind::Note,
    };
    Told::event(kind, words)
}

const BLANK: Outline<'static> =
    Outline { kind: OutlineKind::Answer, method: None, id: None, error_code: None, target: None, view: false };

/// `received request id=1 request=NAME(…)` and the like.
fn sentence(words: &str) -> Option<(Way, Outline<'_>)> {
    let numbered = |label: &str, value: &str| words.strip_prefix(label)?.split_once(value);
    if let Some((id, request)) = numbered("received request id=", " request=") {
        let outline = Outline { id: Some(id), ..asked(OutlineKind::Request, request) };
        return Some((Way::Received, outline));
    }
    if let Some(notification) = words.strip_prefix("received notification notification=") {
        return Some((Way::Received, asked(OutlineKind::Notification, notification)));
    }
    if let Some((id, _)) = numbered("response message id=", " result=") {
        return Some((Way::Sent, Outline { kind: OutlineKind::Result, id: Some(id), ..BLANK }));
    }
    let (id, error) = numbered("response error id=", " error=")?;
    Some((Way::Sent, Outline { kind: OutlineKind::Error, id: Some(id), error_code: code(error), ..BLANK }))
}

/// `PeerMessage(Request(JsonRpcRequest { …, id: Number(1), request: NAME(…) }))` came, `ProxyMessage(Request { request:
/// NAME(…), id: Number(1) })` and `ToSink(Response(JsonRpcResponse { … }))` went.
fn event_of(event: &str) -> Option<(Way, Outline<'_>)> {
    let (source, inner) = event.split_once('(')?;
    let way = match source {
        "PeerMessage" => Way::Received,
        "ProxyMessage" | "ToSink" => Way::Sent,
        _ => return None,
    };
    let value = |name: &str| inner.find(name).map(|at| &inner[at + name.len()..]);
    let form = inner.split(['(', ' ']).next()?;
    let outline = match form {
        "Request" => {
            let request = value("request: ")?;
            // The id stands before what is asked, or behind it.
            let behind = || inner.rfind(", id: ").map(|at| &inner[at + 6..]);
            let id = if source == "PeerMessage" { value("id: ") } else { behind() };
            Outline { id: id.and_then(id_of), ..asked(OutlineKind::Request, request) }
        }
        "Notification" => asked(OutlineKind::Notification, value("notification: ")?),
        "Response" => Outline { kind: OutlineKind::Result, id: value("id: ").and_then(id_of), ..BLANK },
        "Error" => Outline {
            kind: OutlineKind::Error,
            id: value("id: ").map(|id| id.strip_prefix("Some(").unwrap_or(id)).and_then(id_of),
            error_code: code(inner),
            ..BLANK
        },
        _ => return None,
    };
    Some((way, outline))
}

/// `Number(1)` or `String("a")`.
fn id_of(text: &str) -> Option<&str> {
    let number = text.strip_prefix("Number(").and_then(|rest| rest.split(')').next());
    // With its quotes.
    let string = || text.strip_prefix("String(")?.split(')').next();
    number.or_else(string)
}

/// What is asked for: `CallToolRequest(Request { …, params: CallToolRequestParam { name: "echo", … } })`.
fn asked(kind: OutlineKind, text: &str) -> Outline<'_> {
    let name = text.split(['(', ' ']).next().unwrap_or_default();
    // The SDK has its own name for this one.
    let schema = if name == "CreateElicitationRequest" { "ElicitRequest" } else { name };
    let method = METHODS.iter().find(|method| method.schema == schema).map(|method| method.name);
    let params = text.find("params: ").map(|at| &text[at..]);
    let target = params.and_then(|params| {
        let (_, fields) = params.split_once("{ ")?;
        let value = fields.strip_prefix("name: \"").or_else(|| fields.strip_prefix("uri: \""))?;
        value.split('"').next()
    });
    Outline { kind, method, target, ..BLANK }
}

/// The number in `code: ErrorCode(-32601)`.
fn code(text: &str) -> Option<i64> {
    let at = text.find("code: ErrorCode(")?;
    text[at + 16..].split(')').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_texts_are_outlines() {
        for (text, way, method, id, target, code) in [
            (
                "rmcp::service: received request id=1 request=CallToolRequest(Request { method: CallToolRequestMethod, params: CallToolRequestParam { name: \"echo\", arguments: None } })",
                Way::Received,
                Some("tools/call"),
                Some("1"),
                Some("echo"),
                None,
            ),
            (
                "a{b=1}: rmcp::service: received notification notification=InitializedNotification(NotificationNoParam { method: InitializedNotificationMethod })",
                Way::Received,
                Some("notifications/initialized"),
                None,
                None,
                None,
            ),
            (
                "rmcp::service: response message id=a-1 result=ListToolsResult(ListToolsResult { tools: [] })",
                Way::Sent,
                None,
                Some("a-1"),
                None,
                None,
            ),
            (
                "rmcp::service: response error id=1 error=ErrorData { code: ErrorCode(-32601), message: \"no\", data: None }",
                Way::Sent,
                None,
                Some("1"),
                None,
                Some(-32601),
            ),
            (
                "rmcp::service: new event evt=PeerMessage(Response(JsonRpcResponse { jsonrpc: JsonRpcVersion2_0, id: Number(4), result: EmptyResult }))",
                Way::Received,
                None,
                Some("4"),
                None,
                None,
            ),
            (
                "rmcp::service: new event evt=ProxyMessage(Request { request: ListRootsRequest(RequestNoParam { method: ListRootsRequestMethod }), id: String(\"r 1\"), responder: Sender })",
                Way::Sent,
                Some("roots/list"),
                Some("\"r 1\""),
                None,
                None,
            ),
        ] {
            let Told::Outline { way: told, outline, .. } = tell(text) else { panic!("{text}") };
            assert_eq!(
                (told, outline.method, outline.id, outline.target, outline.error_code),
                (way, method, id, target, code),
                "{text}"
            );
        }
        for text in [
            "rmcp::service: new event evt=SendTaskResult(x)",
            "rmcp::",
            "rmcp::service: received request id=1",
            "hyper: x",
        ] {
            assert!(!matches!(tell(text), Told::Outline { .. }), "{text}");
        }
    }
}
