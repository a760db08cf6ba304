//! What HTTP has to say beside the messages: headers, statuses, media types, and which stream carries what. Judged only in
//! captures that have it; a header that a log does not keep proves nothing.
//! basic/transports of the handshake revisions, basic/transports/streamable-http of 2026-07-28.

use super::book::{
    Exchange, PROTOCOL_VERSION, accepts, is_modern_error, is_posted, is_streamable, lacks_media_type, lacks_version,
};
use super::header_value::{self, Value};
use super::rule::Strength::{Must, Should};
use super::{ALL, Context, EventContext, Family, Findings, MODERN, On, Revisions, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::{Revision, Side};
use crate::session::IdKey;
use crate::transcript::{Flag, Half, Http};

pub(super) const FAMILY: Family = Family {
    title: "HTTP",
    rules: &[
        &HTTP_VERSION_HEADER_MISSING,
        &HTTP_VERSION_HEADER_MISMATCH,
        &HTTP_METHOD_HEADER,
        &HTTP_NAME_HEADER,
        &HTTP_PARAM_HEADER,
        &HTTP_SESSION_ID_MISSING,
        &HTTP_SESSION_404,
        &HTTP_SESSION_ID_CHARSET,
        &HTTP_LEGACY_MECHANISM_IN_MODERN,
        &HTTP_ACCEPT_HEADER,
        &HTTP_STATUS_MISMATCH,
        &HTTP_CONTENT_TYPE,
        &HTTP_STREAM_FOREIGN_MESSAGE,
        &HTTP_RESPONSE_ON_GET_STREAM,
        &HTTP_BROADCAST,
        &SSE_EVENT_ID_DUPLICATE,
        &SSE_ENDPOINT_FIRST,
    ],
};

/// The revisions with sessions over Streamable HTTP.
const SESSIONS: Revisions = Revisions::between(Revision::V2025_03_26, Revision::V2025_11_25);
/// Those of them that have a header for the version.
const VERSIONED: Revisions = Revisions::between(Revision::V2025_06_18, Revision::V2025_11_25);

const MANAGEMENT: &str = "basic/transports#session-management";
const SENDING: &str = "basic/transports#sending-messages-to-the-server";
const STANDARD: &str = "basic/transports/streamable-http#standard-request-headers";

/// A message of the client that came as a POST with its headers.
fn posted<'a>(context: &Context<'a>) -> Option<&'a Http> {
    context.message.http.filter(|http| context.part.is_none() && is_posted(http))
}

/// A message of the server.
fn answered<'a>(context: &Context<'a>) -> Option<&'a Http> {
    context.message.http.filter(|http| context.part.is_none() && http.half == Half::Response && is_streamable(http))
}

const HTTP_VERSION_HEADER_MISSING: Rule = Rule {
    id: "http-version-header-missing",
    title: "a POST does not name its version in a header",
    clauses: &[
        clause(VERSIONED, Must, Severity::Error, "basic/transports#protocol-version-header"),
        clause(MODERN, Must, Severity::Error, "basic/transports/streamable-http#protocol-version-header"),
    ],
    explanation: "`MCP-Protocol-Version` stands on every request after the handshake, and in 2026-07-28 on every one, so that \
                  servers and proxies need not read the body. Reported once a session, and not before the version is agreed.",
    help: "send the agreed version, or that of `_meta`, as `MCP-Protocol-Version`",
    fires: "C[{\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    silent: "C[{\"mcp-protocol-version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    checks: &[On::Message(http_version_header_missing)],
};

fn http_version_header_missing(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = posted(context).filter(|_| !context.session.web.versionless) else { return };
    if lacks_version(context, http, &context.session.lifecycle) {
        findings.report("the request has no header `MCP-Protocol-Version`");
    }
}

const HTTP_VERSION_HEADER_MISMATCH: Rule = Rule {
    id: "http-version-header-mismatch",
    title: "the header names another version than the body or the handshake",
    clauses: &[
        clause(VERSIONED, Should, Severity::Warning, "basic/transports#protocol-version-header"),
        clause(MODERN, Must, Severity::Error, "basic/transports/streamable-http#protocol-version-header"),
    ],
    explanation: "`MCP-Protocol-Version` is the version that was agreed in the handshake; in 2026-07-28 it is that of `_meta`, \
                  and a server refuses a difference with status 400 and the error -32020. A result to such a request is a \
                  finding of its own.",
    help: "send the same version in the header",
    fires: "C[{\"MCP-Protocol-Version\":\"2025-06-18\",\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    silent: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    checks: &[On::Message(http_version_header_mismatch), On::Result(&[], mismatch_served)],
};

fn http_version_header_mismatch(context: &Context<'_>, findings: &mut Findings) {
    let Some(header) = posted(context).and_then(|http| http.header("mcp-protocol-version")) else { return };
    if context.is_modern() {
        let Some(named) = context.meta(PROTOCOL_VERSION) else { return };
        if let Some(text) = named.as_str().filter(|text| *text != header) {
            findings.report(format!("the header says {}, `_meta` says {}", quoted(header), quoted(&text))).mark(named);
        }
        return;
    }
    let Some(agreed) = context.session.lifecycle.agreed().filter(|_| context.method != Some("initialize")) else {
        return;
    };
    if let Some(version) = agreed.version.as_deref().filter(|version| *version != header) {
        findings.report(format!("the header says {}, agreed was {}", quoted(header), quoted(version))).related(
            Some(agreed.at.0),
            agreed.at.1,
            "the version was agreed here",
        );
    }
}

fn mismatch_served(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = answered(context).filter(|_| context.is_modern()) else { return };
    let exchange = context.session.web.exchange(http.exchange);
    if let Some(at) = exchange.and_then(|exchange| exchange.mismatched) {
        findings
            .report("a request whose header and body name different versions is served instead of refused")
            .mark(context.top("result"))
            .related(Some(at.0), at.1, "the request");
    }
}

const HTTP_METHOD_HEADER: Rule = Rule {
    id: "http-method-header",
    title: "the header `Mcp-Method` is not the method of the request",
    clauses: &[clause(MODERN, Must, Severity::Error, STANDARD)],
    explanation: "Every request names its method in `Mcp-Method` as well, letter for letter, so that proxies can route it.",
    help: "send the value of `method` as `Mcp-Method`",
    fires: "C[{\"MCP-Protocol-Version\":\"2026-07-28\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    silent: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"MCP-METHOD\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    checks: &[On::Request(&[], http_method_header)],
};

fn http_method_header(context: &Context<'_>, findings: &mut Findings) {
    let (Some(http), Some(method)) = (posted(context), context.method) else { return };
    match http.header("mcp-method") {
        None => {
            findings.report("the request has no header `Mcp-Method`").mark(context.top("method"));
        }
        Some(header) if header != method => {
            let text = format!("`Mcp-Method` is {}, the method {}", quoted(header), quoted(method));
            findings.report(text).mark(context.top("method"));
        }
        Some(_) => {}
    }
}

const HTTP_NAME_HEADER: Rule = Rule {
    id: "http-name-header",
    title: "the header `Mcp-Name` is not the name in the request",
    clauses: &[clause(MODERN, Must, Severity::Error, STANDARD)],
    explanation: "Calls of tools, requests for prompts and resources, and those about tasks name what they are about in \
                  `Mcp-Name`. What is no printable ASCII, has blanks at an end, or looks encoded already stands there in \
                  base64, between `=?base64?` and `?=`.",
    help: "send the name, the URI or the id of the task as `Mcp-Name`",
    fires: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/get\"}]> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}",
    silent: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/get\",\"Mcp-Name\":\"=?base64?w7Y=?=\"}]> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"ö\",\"_meta\":{\"$M\":\"\"}}}",
    checks: &[
        On::Request(&["tools/call", "prompts/get"], name_of_name),
        On::Request(&["resources/read"], name_of_uri),
        On::Request(&["tasks/get", "tasks/update", "tasks/cancel"], name_of_task),
    ],
};

fn name_of_name(context: &Context<'_>, findings: &mut Findings) {
    judge_name(context, "name", findings);
}

fn name_of_uri(context: &Context<'_>, findings: &mut Findings) {
    judge_name(context, "uri", findings);
}

fn name_of_task(context: &Context<'_>, findings: &mut Findings) {
    judge_name(context, "taskId", findings);
}

fn judge_name(context: &Context<'_>, member: &str, findings: &mut Findings) {
    let (Some(http), Some(value)) = (posted(context), context.get(member)) else { return };
    let Some(text) = value.as_str() else { return };
    judge_header("Mcp-Name", http.header("mcp-name"), &text, value, findings);
}

/// Values longer than this are cut by the reader.
const LONGEST: usize = 4 << 10;

/// Compares a header with the value of the body that it repeats.
fn judge_header(name: &str, header: Option<&str>, wanted: &str, value: RawJson<'_>, findings: &mut Findings) {
    if wanted.len() > LONGEST {
        return;
    }
    let Some(header) = header else {
        findings.report(format!("the request has no header `{name}`")).mark(value);
        return;
    };
    match header_value::read(header) {
        Value::Broken => {
            findings.report(format!("`{name}` is {}, which cannot be decoded", quoted(header))).mark(value);
        }
        Value::Text(text, false) if header_value::needs_encoding(wanted) => {
            let same = text.trim_ascii() == wanted.trim_ascii();
            let text = if same { "is not encoded, and has to be" } else { "is not the value in base64" };
            findings.report(format!("`{name}` {text}")).mark(value);
        }
        Value::Text(text, _) if text != wanted && !same_number(&text, value) => {
            findings.report(format!("`{name}` is {}, the body says {}", quoted(&text), quoted(wanted))).mark(value);
        }
        Value::Text(..) => {}
    }
}

fn same_number(text: &str, value: RawJson<'_>) -> bool {
    value.as_f64().is_some_and(|number| text.parse() == Ok(number))
}

const HTTP_PARAM_HEADER: Rule = Rule {
    id: "http-param-header",
    title: "an argument and its header differ",
    clauses: &[clause(
        MODERN,
        Must,
        Severity::Error,
        "basic/transports/streamable-http#custom-headers-from-tool-parameters",
    )],
    explanation: "A property with `x-mcp-header` in the schema of a tool is sent as `Mcp-Param-…` as well; without a value, \
                  or with null, there is no header. Judged where the tool is listed in the capture, and for properties at \
                  the top of the schema.",
    help: "send a header for each annotated argument that has a value, and no other",
    fires: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"tools/list\"}]> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"shop\":{\"type\":\"integer\",\"x-mcp-header\":\"Shop\"}}}}],\"ttlMs\":0,\"cacheScope\":\"private\"}}\nC[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"tools/call\",\"Mcp-Name\":\"t\",\"Mcp-Param-Shop\":\"8\"}]> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"shop\":7},\"_meta\":{\"$M\":\"\"}}}",
    silent: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"tools/list\"}]> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"shop\":{\"type\":\"integer\",\"x-mcp-header\":\"Shop\"}}}}],\"ttlMs\":0,\"cacheScope\":\"private\"}}\nC[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"tools/call\",\"Mcp-Name\":\"t\",\"Mcp-Param-Shop\":\"7.0\"}]> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"shop\":7},\"_meta\":{\"$M\":\"\"}}}",
    checks: &[On::Request(&["tools/call"], http_param_header)],
};

fn http_param_header(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = posted(context).filter(|_| context.is_whole()) else { return };
    let Some(params) = context.message.target.and_then(|tool| context.session.web.params(tool)) else { return };
    let arguments = context.get("arguments");
    for param in params {
        let name = format!("Mcp-Param-{}", param.header);
        let header = http.header(&name.to_ascii_lowercase());
        let value = arguments.and_then(|arguments| arguments.get(&param.property));
        match (value.filter(|value| value.kind() != JsonKind::Null), header) {
            (None, None) => {}
            (None, Some(_)) => {
                let text = format!("`{name}` is sent, and `{}` has no value", param.property);
                findings.report(text).mark(value.or(arguments).or_else(|| context.get("name")));
            }
            (Some(value), header)
                if matches!(value.kind(), JsonKind::String | JsonKind::Number | JsonKind::Boolean) =>
            {
                let text = value.as_str();
                judge_header(&name, header, text.as_deref().unwrap_or(value.text()), value, findings);
            }
            (Some(_), _) => {}
        }
    }
    let known = |name: &str| params.iter().any(|param| param.header.eq_ignore_ascii_case(name));
    for (name, _) in http.headers.iter().flat_map(|headers| headers.iter()) {
        if name.strip_prefix("mcp-param-").is_some_and(|name| !known(name)) {
            let text = format!("no parameter of the tool goes into the header {}", quoted(name));
            findings.report(text).mark(context.get("name")).at_most(Severity::Warning);
        }
    }
}

const HTTP_SESSION_ID_MISSING: Rule = Rule {
    id: "http-session-id-missing",
    title: "a message does not carry the id of its session",
    clauses: &[clause(SESSIONS, Must, Severity::Error, MANAGEMENT)],
    explanation: "Once the answer to `initialize` has set `Mcp-Session-Id`, every later message of the client carries it. A \
                  message without one stands in no session, so that it is compared with the last one that got an id at \
                  this path; since the version of such a message is not known, that is a note.",
    help: "send the id that came with the answer to `initialize`",
    fires: "C[{}]> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\nS[{\"Mcp-Session-Id\":\"q1\"}]> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}\nC[{\"MCP-Protocol-Version\":\"2025-06-18\"}]> {\"id\":1,\"method\":\"ping\"}",
    silent: "C[{}]> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\nS[{\"Mcp-Session-Id\":\"q1\"}]> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}\nC[{\"MCP-Protocol-Version\":\"2025-06-18\",\"Mcp-Session-Id\":\"q1\"}]> {\"id\":1,\"method\":\"ping\"}",
    checks: &[On::Message(http_session_id_missing)],
};

fn http_session_id_missing(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = posted(context) else { return };
    if http.header("mcp-session-id").is_some() || context.method == Some("initialize") {
        return;
    }
    let own = context.session.web.session_id.as_ref().map(|(_, at)| *at);
    let started = context.session.lifecycle.initialize.is_some();
    if let Some(at) = own.or_else(|| context.session.web.set_before(http).filter(|_| !started)) {
        findings.report("the request has no header `Mcp-Session-Id`").related(Some(at.0), at.1, "the id was set here");
    }
}

const HTTP_SESSION_404: Rule = Rule {
    id: "http-session-404",
    title: "a client goes on with a session that is gone",
    clauses: &[clause(SESSIONS, Must, Severity::Error, MANAGEMENT)],
    explanation: "The status 404 to a request with a session id says that the server no longer has the session. The client \
                  begins again with `initialize` and without the id.",
    help: "forget the id on 404 and send `initialize`",
    fires: "C[{\"Mcp-Session-Id\":\"q1\",\"MCP-Protocol-Version\":\"2025-06-18\"}]> {\"id\":1,\"method\":\"ping\"}\nS[{\":status\":\"404\"}]> {\"id\":1,\"error\":{\"code\":-32600,\"message\":\"gone\"}}\nC[{\"Mcp-Session-Id\":\"q1\",\"MCP-Protocol-Version\":\"2025-06-18\"}]> {\"id\":2,\"method\":\"ping\"}",
    silent: "C[{\"Mcp-Session-Id\":\"q1\",\"MCP-Protocol-Version\":\"2025-06-18\"}]> {\"id\":1,\"method\":\"ping\"}\nS[{\":status\":\"404\"}]> {\"id\":1,\"error\":{\"code\":-32600,\"message\":\"gone\"}}\nC[{}]> {\"id\":2,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
    checks: &[On::Message(http_session_404)],
};

fn http_session_404(context: &Context<'_>, findings: &mut Findings) {
    let (Some(http), Some((id, at))) = (posted(context), &context.session.web.gone) else { return };
    if http.header("mcp-session-id") == Some(id.as_str()) {
        findings.report(format!("the session {} was answered with 404", quoted(id))).related(
            None,
            *at,
            "the answer 404",
        );
    }
}

const HTTP_SESSION_ID_CHARSET: Rule = Rule {
    id: "http-session-id-charset",
    title: "a session id holds other characters than visible ASCII",
    clauses: &[clause(SESSIONS, Must, Severity::Error, MANAGEMENT)],
    explanation: "A session id consists of the characters 0x21 to 0x7E: no blanks, nothing beyond ASCII, and at least one.",
    help: "take a UUID, or hex digits",
    fires: "C[{}]> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\nS[{\"Mcp-Session-Id\":\"sitzung-ö\"}]> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
    silent: "C[{}]> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\nS[{\"Mcp-Session-Id\":\"a-1_~!\"}]> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
    checks: &[On::Result(&["initialize"], http_session_id_charset)],
};

fn http_session_id_charset(context: &Context<'_>, findings: &mut Findings) {
    let Some(id) = answered(context).and_then(|http| http.header("mcp-session-id")) else { return };
    if id.is_empty() || !id.bytes().all(|byte| matches!(byte, 0x21..=0x7e)) {
        findings.report(format!("the session id {} is not made of visible ASCII characters", quoted(id)));
    }
}

const HTTP_LEGACY_MECHANISM_IN_MODERN: Rule = Rule {
    id: "http-legacy-mechanism-in-modern",
    title: "stateless HTTP uses what belongs to sessions",
    clauses: &[clause(
        MODERN,
        Should,
        Severity::Warning,
        "basic/transports/streamable-http#earlier-streamable-http-revisions",
    )],
    explanation: "2026-07-28 has no sessions and resumes no streams: a server answers GET and DELETE with 405, sets no \
                  `Mcp-Session-Id` and gives its events no ids. Each is reported once a session.",
    help: "leave the mechanisms of the older revisions to requests of these revisions",
    fires: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS[{\":event-id\":\"7\"}]> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    checks: &[On::Message(legacy_mechanism), On::Event(legacy_method)],
};

fn legacy_mechanism(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = answered(context).filter(|_| context.session.lifecycle.agreed().is_none()) else { return };
    let web = &context.session.web;
    if !web.minted && http.header("mcp-session-id").is_some() {
        findings.report("the answer to a stateless request sets `Mcp-Session-Id`");
    }
    if !web.numbered && http.event_id.is_some() {
        findings.report("the event stream of a stateless request has event ids");
    }
}

fn legacy_method(context: &EventContext<'_>, findings: &mut Findings) {
    let Some(http) = context.event.http.filter(|http| http.half == Half::Response && is_streamable(http)) else {
        return;
    };
    let (Some(method @ ("GET" | "DELETE")), Some(status @ 200..=299)) = (http.method.as_deref(), http.status) else {
        return;
    };
    if context.session.lifecycle.initialize.is_none() {
        findings.report(format!("{method} is answered with {status}, a stateless server answers 405"));
    }
}

const HTTP_ACCEPT_HEADER: Rule = Rule {
    id: "http-accept-header",
    title: "a request does not accept both ways to answer",
    clauses: &[
        clause(SESSIONS, Must, Severity::Warning, SENDING),
        clause(MODERN, Must, Severity::Warning, "basic/transports/streamable-http#sending-messages"),
    ],
    explanation: "A server answers a POST with JSON or with an event stream as it likes, so that `Accept` names both; a GET \
                  accepts an event stream. Reported once a session.",
    help: "send `Accept: application/json, text/event-stream`",
    fires: "C[{\"Accept\":\"text/event-stream\"}]> {\"id\":1,\"method\":\"ping\"}",
    silent: "C[{\"Accept\":\"text/event-stream;q=0.9, application/*\"}]> {\"id\":1,\"method\":\"ping\"}",
    checks: &[On::Message(http_accept_header), On::Event(accept_of_get)],
};

fn http_accept_header(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = posted(context).filter(|_| !context.session.web.narrow) else { return };
    if let Some(missing) = lacks_media_type(context, http) {
        findings.report(match http.header("accept") {
            Some(accept) => format!("`Accept` is {}, without `{missing}`", quoted(accept)),
            None => "the request has no header `Accept`".to_owned(),
        });
    }
}

fn accept_of_get(context: &EventContext<'_>, findings: &mut Findings) {
    let Some(http) = context.event.http.filter(|http| http.half == Half::Request) else { return };
    // A GET outside of a session may be for anything, such as metadata of authorization.
    let is_stream = http.method.as_deref() == Some("GET") && http.header("mcp-session-id").is_some();
    let accept = http.header("accept").unwrap_or_default();
    if is_stream && !accepts(accept, "text/event-stream") {
        findings.report("a GET for an event stream does not accept `text/event-stream`");
    }
}

const HTTP_STATUS_MISMATCH: Rule = Rule {
    id: "http-status-mismatch",
    title: "the status does not fit what is answered",
    clauses: &[
        clause(SESSIONS, Must, Severity::Error, SENDING),
        clause(MODERN, Must, Severity::Error, "basic/transports/streamable-http#server-validation"),
    ],
    explanation: "A notification, or a response, that is accepted gets 202 and no body. In 2026-07-28 the errors -32020, \
                  -32021 and -32022 come with 400, as does -32602 for a missing member of `_meta`, and -32601 with 404. An \
                  error inside an event stream comes too late for a status.",
    help: "set the status that belongs to the error, or 202 for an accepted notification",
    fires: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS[{\":status\":\"200\"}]> {\"id\":1,\"error\":{\"code\":-32601,\"message\":\"none\"}}",
    silent: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS[{\":status\":\"404\"}]> {\"id\":1,\"error\":{\"code\":-32601,\"message\":\"none\"}}",
    checks: &[On::Error(&[], http_status_mismatch), On::Event(status_of_notification)],
};

fn http_status_mismatch(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = answered(context).filter(|http| context.is_modern() && !http.streamed) else { return };
    let (Some(status), Some(code)) = (http.status, context.get("code")) else { return };
    let lacked = || context.message.answers.is_some_and(|n| context.session.modern.lacked(n));
    let wanted = match code.as_i64() {
        Some(number) if is_modern_error(number) => 400,
        Some(-32602) if lacked() => 400,
        Some(-32601) => 404,
        _ => return,
    };
    if status != wanted {
        findings.report(format!("the error {} comes with status {status} instead of {wanted}", code.text())).mark(code);
    }
}

fn status_of_notification(context: &EventContext<'_>, findings: &mut Findings) {
    let Some(http) = context.event.http.filter(|http| http.half == Half::Response && is_streamable(http)) else {
        return;
    };
    let is_post = http.method.as_deref() == Some("POST");
    let (Some(exchange), Some(status @ 200..=299)) = (context.session.web.exchange(http.exchange), http.status) else {
        return;
    };
    if is_post && status != 202 && exchange.asked > 0 && exchange.requests.is_empty() && exchange.first.is_none() {
        findings.report(format!("a message that needs no answer is accepted with status {status} instead of 202"));
    }
}

const HTTP_CONTENT_TYPE: Rule = Rule {
    id: "http-content-type",
    title: "an answer has another media type than JSON or an event stream",
    clauses: &[
        clause(SESSIONS, Must, Severity::Error, SENDING),
        clause(MODERN, Must, Severity::Error, "basic/transports/streamable-http#sending-messages"),
    ],
    explanation: "A request is answered with `application/json` or with `text/event-stream`; clients tell from it how to read \
                  the body.",
    help: "set `Content-Type: application/json`",
    fires: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS[{\"Content-Type\":\"text/html\"}]> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C[{\"MCP-Protocol-Version\":\"2026-07-28\",\"Mcp-Method\":\"prompts/list\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS[{\"Content-Type\":\"application/json; charset=utf-8\"}]> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    checks: &[On::Result(&[], http_content_type), On::Error(&[], http_content_type)],
};

fn http_content_type(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = answered(context).filter(|http| matches!(http.status, Some(200..=299))) else { return };
    let Some(value) = http.header("content-type") else { return };
    let media = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !matches!(media.as_str(), "application/json" | "text/event-stream") {
        findings.report(format!("the answer is {}", quoted(value)));
    }
}

const HTTP_STREAM_FOREIGN_MESSAGE: Rule = Rule {
    id: "http-stream-foreign-message",
    title: "a stream carries what does not belong to its request",
    clauses: &[
        clause(SESSIONS, Should, Severity::Warning, SENDING),
        clause(MODERN, Must, Severity::Error, "basic/transports/streamable-http#receiving-messages"),
    ],
    explanation: "What comes back to a POST belongs to the request in it: its response, its progress, and in 2026-07-28 \
                  changes of lists only on the stream of a listen request. The response ends the stream; what follows it \
                  is a note. Messages about tasks of 2025-11-25 may come on any stream.",
    help: "answer each request on its own stream",
    fires: "C[{\":stream\":\"1\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS[{\":stream\":\"1\"}]> {\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":9}}}\nS[{\":stream\":\"1\"}]> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C[{\":stream\":\"1\"}]> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS[{\":stream\":\"1\"}]> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    checks: &[
        On::Result(&[], foreign_response),
        On::Error(&[], foreign_response),
        On::Notification(&["notifications/progress"], foreign_progress),
        On::Notification(
            &[
                "notifications/prompts/list_changed",
                "notifications/resources/list_changed",
                "notifications/resources/updated",
                "notifications/tools/list_changed",
            ],
            foreign_change,
        ),
        On::Message(after_response),
    ],
};

/// The exchange of a message that came back to a POST, where its requests are known.
fn post_stream<'a>(context: &Context<'a>) -> Option<&'a Exchange> {
    let http = answered(context).filter(|http| http.method.as_deref() == Some("POST"))?;
    let exchange = context.session.web.exchange(http.exchange)?;
    (!exchange.requests.is_empty() && !exchange.cut && !context.has(Flag::Replayed)).then_some(exchange)
}

fn foreign_response(context: &Context<'_>, findings: &mut Findings) {
    let (Some(exchange), Some(id)) = (post_stream(context), context.message.id.as_ref()) else { return };
    let Some(key) = IdKey::of_id(id).filter(|_| exchange.requests.iter().all(|(_, id)| id.is_some())) else { return };
    if exchange.requests.iter().all(|(_, known)| known.as_ref() != Some(&key)) {
        findings
            .report(format!("the response to {} comes back to a POST with another request", quoted(id.raw())))
            .mark(context.top("id"));
    }
}

fn foreign_progress(context: &Context<'_>, findings: &mut Findings) {
    let (Some(exchange), Some(n)) = (post_stream(context), context.message.relates_to) else { return };
    let Some(request) = context.requests.get(n).filter(|request| request.exchange.is_some()) else { return };
    if exchange.requests.iter().all(|(known, _)| *known != n) {
        findings
            .report("progress of another request comes back to this POST")
            .mark(context.get("progressToken"))
            .related(Some(request.at.0), request.at.1, "the request of the token");
    }
}

fn foreign_change(context: &Context<'_>, findings: &mut Findings) {
    let Some(exchange) = post_stream(context).filter(|_| context.is_modern()) else { return };
    let request = exchange.requests.first().and_then(|(n, _)| context.requests.get(*n));
    if let Some(request) = request.filter(|request| request.method != "subscriptions/listen") {
        findings.report("a change comes back to a POST that does not listen").mark(context.top("method")).related(
            Some(request.at.0),
            request.at.1,
            "the request",
        );
    }
}

fn after_response(context: &Context<'_>, findings: &mut Findings) {
    let Some(exchange) = post_stream(context) else { return };
    let Some(at) = exchange.answered.filter(|_| exchange.requests.len() == 1) else { return };
    findings
        .report("a message follows the response on its stream")
        .related(Some(at.0), at.1, "the response")
        .at_most(Severity::Note);
}

const HTTP_RESPONSE_ON_GET_STREAM: Rule = Rule {
    id: "http-response-on-get-stream",
    title: "a response comes on the stream of a GET",
    clauses: &[clause(SESSIONS, Must, Severity::Error, "basic/transports#listening-for-messages-from-the-server")],
    explanation: "The stream of a GET carries requests and notifications of the server; responses come back to the POST of \
                  their request. A GET with `Last-Event-ID` goes on with the stream of a POST. HTTP+SSE, where all comes on \
                  one stream, is not judged.",
    help: "answer on the stream of the request",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC[{\":stream\":\"p\",\"Mcp-Session-Id\":\"abc\",\"MCP-Protocol-Version\":\"2025-06-18\"}]> {\"id\":1,\"method\":\"ping\"}\nS[{\":stream\":\"get\"}]> {\"id\":1,\"result\":{}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC[{\":stream\":\"p\",\"Mcp-Session-Id\":\"abc\",\"MCP-Protocol-Version\":\"2025-06-18\"}]> {\"id\":1,\"method\":\"ping\"}\nS[{\":stream\":\"p\"}]> {\"id\":1,\"result\":{}}",
    checks: &[On::Result(&[], http_response_on_get_stream), On::Error(&[], http_response_on_get_stream)],
};

fn http_response_on_get_stream(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = get_stream(context).filter(|http| http.resumes.is_none()) else { return };
    let in_session = context.session.web.session_id.is_some()
        || context.session.web.exchange(http.exchange).is_some_and(|exchange| exchange.session_id.is_some());
    if in_session && context.sender != Some(Side::Client) {
        findings.report("a response comes on the stream of a GET").mark(context.top("id"));
    }
}

fn get_stream<'a>(context: &Context<'a>) -> Option<&'a Http> {
    answered(context).filter(|http| http.streamed && http.method.as_deref() == Some("GET"))
}

const HTTP_BROADCAST: Rule = Rule {
    id: "http-broadcast",
    title: "a message of the server is sent on two streams",
    clauses: &[clause(SESSIONS, Must, Severity::Warning, "basic/transports#multiple-connections")],
    explanation: "A server sends each message on one stream, whichever it likes. Two notifications that say the same may be \
                  two, so that they are a note; messages that a resumed stream delivers again are none of it.",
    help: "choose one stream for each message",
    fires: "@init 2025-06-18 {\"roots\":{}} {}\nS[{\":stream\":\"a\"}]> {\"id\":\"x\",\"method\":\"ping\"}\nS[{\":stream\":\"b\"}]> {\"id\":\"x\",\"method\":\"ping\"}",
    silent: "@init 2025-06-18 {\"roots\":{}} {}\nS[{\":stream\":\"a\"}]> {\"id\":\"x\",\"method\":\"ping\"}\nS[{\":stream\":\"b\"}]> {\"id\":\"y\",\"method\":\"ping\"}",
    checks: &[On::Request(&[], http_broadcast), On::Notification(&[], http_broadcast)],
};

fn http_broadcast(context: &Context<'_>, findings: &mut Findings) {
    let Some(http) = answered(context).filter(|http| http.streamed && !context.has(Flag::Replayed)) else { return };
    let Some(twin) = context.session.web.twin(context, http) else { return };
    let draft = findings.report("the same message went over another stream before");
    draft.mark(context.top("method")).related(Some(twin.at.0), twin.at.1, "the same message");
    if context.message.id.is_none() {
        draft.at_most(Severity::Note);
    }
}

const SSE_EVENT_ID_DUPLICATE: Rule = Rule {
    id: "sse-event-id-duplicate",
    title: "two events of a session have the same id",
    clauses: &[clause(SESSIONS, Must, Severity::Warning, "basic/transports#resumability-and-redelivery")],
    explanation: "The id of an event names it in all streams of a session: with it a client says where to go on. Events that \
                  are delivered again have the id that they had.",
    help: "number the events of all streams of a session together, or put the stream into the id",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nS[{\":stream\":\"a\",\":event-id\":\"0\"}]> {\"id\":\"x\",\"method\":\"ping\"}\nS[{\":stream\":\"b\",\":event-id\":\"0\"}]> {\"id\":\"y\",\"method\":\"ping\"}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nS[{\":stream\":\"a\",\":event-id\":\"a0\"}]> {\"id\":\"x\",\"method\":\"ping\"}\nS[{\":stream\":\"b\",\":event-id\":\"b0\"}]> {\"id\":\"y\",\"method\":\"ping\"}",
    checks: &[On::Message(sse_event_id_duplicate)],
};

fn sse_event_id_duplicate(context: &Context<'_>, findings: &mut Findings) {
    // All messages of a batch are one event.
    if context.message.batch.is_some_and(|place| place.index > 0) {
        return;
    }
    let Some(id) = answered(context).and_then(|http| http.event_id.as_deref()).filter(|id| !id.is_empty()) else {
        return;
    };
    if let Some(at) = context.session.web.event(context, id) {
        findings.report(format!("another event had the id {}", quoted(id))).related(
            Some(at.0),
            at.1,
            "the event that had it first",
        );
    }
}

const SSE_ENDPOINT_FIRST: Rule = Rule {
    id: "sse-endpoint-first",
    title: "the stream of HTTP+SSE does not begin with its endpoint",
    clauses: &[clause(ALL, Must, Severity::Error, ENDPOINT)],
    explanation: "The first event of an HTTP+SSE connection is `endpoint`, with the URI for the messages of the client: \
                  before it the client cannot answer anything. The transport is that of 2024-11-05, and later servers keep \
                  it for older clients.",
    help: "send the `endpoint` event as soon as the stream is open",
    fires: "S[{\":stream\":\"get\"}]> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"up\"}}\nS[{\":stream\":\"get\"}]> !raw event: endpoint / data: /messages?session_id=1",
    silent: "S[{\":stream\":\"get\"}]> !raw event: endpoint / data: /messages?session_id=1\nS[{\":stream\":\"get\"}]> {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"up\"}}",
    checks: &[On::Event(sse_endpoint_first)],
};

const ENDPOINT: &str = "https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse";

fn sse_endpoint_first(context: &EventContext<'_>, findings: &mut Findings) {
    let Some(http) = context.event.http.filter(|http| http.half == Half::Response) else { return };
    if !context.event.text.starts_with("endpoint ") {
        return;
    }
    if let Some(at) = context.session.web.exchange(http.exchange).and_then(|exchange| exchange.first) {
        findings.report("the `endpoint` event comes after a message").mark(context.event.text).related(
            Some(at.0),
            at.1,
            "the first message",
        );
    }
}
