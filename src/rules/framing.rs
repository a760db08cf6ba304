//! Framing and envelope: is it JSON, is it one JSON-RPC message, does it have the members that such a message has.
//! basic/transports and basic/index of every revision.

use super::rule::Strength::{Implied, Must, Schema};
use super::{ALL, Context, EventContext, Family, Findings, LEGACY, MODERN, On, Revisions, Rule, clause, quoted};
use crate::annotate::{IdState, Severity};
use crate::jsonrpc::{IdKind, JsonKind, RawJson, Reason};
use crate::protocol::{MethodKind, Revision, method_set};
use crate::transcript::Flag;

pub(super) const FAMILY: Family = Family {
    title: "Framing and envelope",
    rules: &[
        &INVALID_JSON,
        &INVALID_UTF8,
        &EMBEDDED_NEWLINE,
        &ENVELOPE_NOT_OBJECT,
        &JSONRPC_VERSION,
        &ENVELOPE_UNCLASSIFIABLE,
        &METHOD_NOT_STRING,
        &PARAMS_NOT_OBJECT,
        &ID_NULL,
        &ID_TYPE,
        &NOTIFICATION_WITH_ID,
        &REQUEST_WITHOUT_ID,
        &RESULT_AND_ERROR,
        &RESPONSE_WITHOUT_OUTCOME,
        &RESULT_NOT_OBJECT,
        &ERROR_SHAPE,
        &ERROR_CODE_INTEGER,
        &ERROR_ID_MISSING,
        &RESERVED_METHOD_PREFIX,
        &DUPLICATE_MEMBER,
    ],
};

const INVALID_JSON: Rule = Rule {
    id: "invalid-json",
    title: "a line of the wire is no JSON",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/transports#stdio"),
        clause(MODERN, Must, Severity::Error, "basic/transports/stdio"),
    ],
    explanation: "Only MCP messages may travel on the standard input and output of a server, so a line that does not parse \
                  as JSON breaks the stream for every reader. Text on the server's side is mostly a log line. Where the \
                  capture does not say that the line stood on the wire, it is a warning.",
    help: "write logs, banners and progress to standard error",
    fires: "S> !raw listening on stdio, two tools loaded",
    silent: "C> {\"id\":5,\"method\":\"ping\"}\nS> {\"id\":5,\"result\":{}}",
    checks: &[On::Invalid(invalid_json), On::Event(noise_on_the_wire)],
};

fn invalid_json(context: &Context<'_>, findings: &mut Findings) {
    let Some(Err(malformed)) = context.parsed().map(|parsed| &parsed.envelope) else { return };
    let Reason::NotJson { message, at, truncated } = &malformed.reason else { return };
    if context.has(Flag::Oversized) || context.has(Flag::Elided) {
        return;
    }
    let text = context.message.text.trim_start();
    let rest = text.get(*at..).unwrap_or_default();
    let broken = rest.chars().next().map_or("", |first| &rest[..first.len_utf8()]);
    let draft = findings.report(match truncated {
        true => format!("a message ends before its JSON value does, at byte {at}"),
        false => format!("this line is no JSON: {message} at byte {at}"),
    });
    draft.mark(if broken.is_empty() { text } else { broken }).label("the JSON breaks here");
    if *truncated {
        // The recorder may have cut it.
        draft.at_most(Severity::Warning).help("if the sender did not stop there, record whole lines");
    }
}

fn noise_on_the_wire(context: &EventContext<'_>, findings: &mut Findings) {
    let event = context.event;
    if !event.wire || scalar(event.text).is_some() {
        return;
    }
    let side = match event.direction.map(|way| way.sender()) {
        Some(side) => format!("text of the {} between the messages", side.as_str()),
        None => "text between the messages".to_owned(),
    };
    let draft = match event.text {
        "" => {
            let draft = findings.report("an empty line stands between the messages");
            draft.help("write one newline behind each message, and none besides");
            draft
        }
        text => findings.report(format!("{side} is no JSON from byte {} on: {}", broken_at(text), quoted(text))),
    };
    draft.mark(event.text);
    if event.direction.is_none() {
        draft.at_most(Severity::Warning);
    }
}

/// The byte at which a text is no JSON any more.
fn broken_at(text: &str) -> usize {
    let error = serde_json::from_str::<serde::de::IgnoredAny>(text).err();
    error.map_or(0, |error| error.column().saturating_sub(1).min(text.len()))
}

/// A line that is one JSON value, but none that begins a message.
fn scalar(text: &str) -> Option<JsonKind> {
    let kind = RawJson::new(text)?.kind();
    (!matches!(kind, JsonKind::Object | JsonKind::Array)).then_some(kind)
}

const INVALID_UTF8: Rule = Rule {
    id: "invalid-utf8",
    title: "a message holds bytes that are no UTF-8",
    clauses: &[
        clause(
            Revisions::between(Revision::V2025_03_26, Revision::V2025_11_25),
            Must,
            Severity::Error,
            "basic/transports",
        ),
        clause(MODERN, Must, Severity::Error, "basic/transports/index#messages"),
    ],
    explanation: "JSON-RPC messages are UTF-8. Other bytes come from writing text in the encoding of the system.",
    help: "open the standard streams as UTF-8 before writing",
    fires: "@init 2025-06-18 {} {\"tools\":{}}\nC> !raw {\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"caf\\xE9\"}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"café\"}}",
    checks: &[On::Message(invalid_utf8)],
};

fn invalid_utf8(context: &Context<'_>, findings: &mut Findings) {
    if context.has(Flag::BadUtf8) {
        let replaced = context.message.text.find('\u{fffd}');
        let part = replaced.map(|at| &context.message.text[at..at + '\u{fffd}'.len_utf8()]);
        findings.report("the message holds bytes that are no UTF-8").mark(part).label("bytes of another encoding");
    }
}

const EMBEDDED_NEWLINE: Rule = Rule {
    id: "embedded-newline",
    title: "a message spans several lines",
    clauses: &[
        clause(LEGACY, Must, Severity::Warning, "basic/transports#stdio"),
        clause(MODERN, Must, Severity::Warning, "basic/transports/stdio"),
    ],
    explanation: "Over stdio every message is one line; a line end inside a message makes the reader see two broken ones. \
                  Reported when lines of one side that are no JSON by themselves make one JSON value together. A \
                  pretty-printed archive is no violation.",
    help: "serialise messages without line ends, and escape those inside strings as `\\n`",
    fires: "C> !raw {\"jsonrpc\":\"2.0\",⏎\"id\":7,\"method\":\"ping\"}",
    silent: "C> {\"id\":7,\"method\":\"ping\"}",
    checks: &[On::Invalid(pieces_of_a_message), On::Event(last_piece_of_a_message)],
};

fn pieces_of_a_message(context: &Context<'_>, findings: &mut Findings) {
    if let Some((first, lines)) = context.pieces.joined(context.message.direction, context.message.text) {
        report_pieces(findings, first, lines);
    }
}

fn last_piece_of_a_message(context: &EventContext<'_>, findings: &mut Findings) {
    if !context.event.wire {
        return;
    }
    if let Some((first, lines)) = context.pieces.joined(context.event.direction, context.event.text) {
        report_pieces(findings, first, lines);
    }
}

fn report_pieces(findings: &mut Findings, first: super::book::Spot, lines: u64) {
    findings
        .report(format!("a message is spread over {lines} lines; over stdio it has to be one"))
        .at(Some(first.0).filter(|n| *n > 0), first.1);
}

const ENVELOPE_NOT_OBJECT: Rule = Rule {
    id: "envelope-not-object",
    title: "a message is JSON, but no object",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#messages")],
    explanation: "A message is a JSON object; an array can only be a batch, and only in 2025-03-26. Strings, numbers, \
                  booleans and null are no messages, nor is a batch inside a batch.",
    help: "send one JSON-RPC object a message",
    fires: "C> !raw 42",
    silent: "C> {\"id\":3,\"method\":\"ping\"}",
    checks: &[On::Invalid(not_an_object), On::Event(scalar_on_the_wire)],
};

fn not_an_object(context: &Context<'_>, findings: &mut Findings) {
    if context.reason() == Some(&Reason::NotAnObject) {
        let what = if context.message.text.trim_start().starts_with('[') { "an array" } else { "no object" };
        findings.report(format!("the message is {what}, a message has to be a JSON object")).mark(context.message.text);
    }
}

fn scalar_on_the_wire(context: &EventContext<'_>, findings: &mut Findings) {
    let event = context.event;
    let Some(kind) = scalar(event.text).filter(|_| event.wire) else { return };
    let draft = findings.report(format!("the message is {}, a message has to be a JSON object", words(kind)));
    draft.mark(event.text);
    if event.direction.is_none() {
        draft.at_most(Severity::Warning);
    }
}

const JSONRPC_VERSION: Rule = Rule {
    id: "jsonrpc-version",
    title: "`jsonrpc` is not the string \"2.0\"",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#messages")],
    explanation: "Every message says `\"jsonrpc\":\"2.0\"`: the member is required, and the number 2.0 is not the string.",
    help: "add `\"jsonrpc\":\"2.0\"` to every message",
    fires: "C> {\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
    silent: "C> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
    checks: &[On::Message(jsonrpc_version)],
};

fn jsonrpc_version(context: &Context<'_>, findings: &mut Findings) {
    if context.has(Flag::VersionWrong) {
        let value = context.top("jsonrpc");
        let seen = value.map_or_else(String::new, |value| format!(", here it is {}", quoted(value.text())));
        findings
            .report(format!("`jsonrpc` has to be the string \"2.0\"{seen}"))
            .mark(value)
            .label("not the string \"2.0\"");
    } else if context.has(Flag::VersionMissing) && context.is_whole() {
        findings.report("the message has no `jsonrpc` member").mark(context.message.text);
    }
}

const ENVELOPE_UNCLASSIFIABLE: Rule = Rule {
    id: "envelope-unclassifiable",
    title: "a message is neither request, notification, result nor error",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#messages")],
    explanation: "A message is exactly one of four: a request (method and id), a notification (method), a response with a \
                  result and an id, or one with an error. Without method, result and error it is none; with a method beside \
                  a result or error it is two.",
    help: "send `method` in requests and notifications only, `result` or `error` in answers only",
    fires: "C> {\"id\":2,\"method\":\"tools/list\",\"error\":{\"code\":1,\"message\":\"x\"}}",
    silent: "C> {\"method\":\"notifications/roots/list_changed\"}",
    checks: &[On::Invalid(unclassifiable)],
};

fn unclassifiable(context: &Context<'_>, findings: &mut Findings) {
    let absent = context.message.id_state == IdState::Absent;
    let message = match context.reason() {
        Some(Reason::NoKnownMember) if absent => "the message has neither `method` nor `result` nor `error`",
        Some(Reason::MethodAndAnswer) => "`method` stands beside `result` or `error`: a message is a call or an answer",
        Some(Reason::ResultWithoutId) => "a result has to carry the id of its request, and has none",
        _ => return,
    };
    findings.report(message).mark(context.top("method").or(context.top("result")).or(context.top_whole()));
}

const METHOD_NOT_STRING: Rule = Rule {
    id: "method-not-string",
    title: "`method` is not a string",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#requests")],
    explanation: "The method of a request or notification is a string.",
    help: "send the name of the method as a string",
    fires: "C> {\"id\":1,\"method\":[\"tools/list\"]}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}",
    checks: &[On::Invalid(method_not_string)],
};

fn method_not_string(context: &Context<'_>, findings: &mut Findings) {
    if context.reason() == Some(&Reason::MethodNotAString) {
        let method = context.top("method");
        let kind = method.map_or("", |method| words(method.kind()));
        findings.report(format!("`method` is {kind}, it has to be a string")).mark(method);
    }
}

const PARAMS_NOT_OBJECT: Rule = Rule {
    id: "params-not-object",
    title: "`params` is not an object",
    clauses: &[clause(ALL, Schema, Severity::Error, "basic/index#requests")],
    explanation: "JSON-RPC allows arrays as `params`, MCP does not: when present, `params` is an object. Null is none either.",
    help: "name the parameters, or leave `params` out",
    fires: "C> {\"id\":8,\"method\":\"tools/list\",\"params\":null}",
    silent: "C> {\"id\":8,\"method\":\"tools/list\"}",
    checks: &[On::Request(&[], params_not_object), On::Notification(&[], params_not_object)],
};

fn params_not_object(context: &Context<'_>, findings: &mut Findings) {
    if let Some(params) = context.body.raw.filter(|params| params.kind() != JsonKind::Object) {
        findings.report(format!("`params` is {}, it has to be an object", words(params.kind()))).mark(params);
    }
}

const ID_NULL: Rule = Rule {
    id: "id-null",
    title: "the id of a request is null",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#requests")],
    explanation: "Plain JSON-RPC tolerates null as the id of a request, MCP forbids it: nothing could answer it.",
    help: "give every request a string or an integer as id; a notification has none",
    fires: "C> {\"id\":null,\"method\":\"tools/list\"}",
    silent: "C> {\"id\":\"list-1\",\"method\":\"tools/list\"}",
    checks: &[On::Request(&[], id_null)],
};

fn id_null(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_none() && context.message.id_state == IdState::Null && !is_notification(context) {
        findings
            .report("the id of a request has to be a string or an integer, here it is null")
            .mark(context.top("id"));
    }
}

const ID_TYPE: Rule = Rule {
    id: "id-type",
    title: "an id is neither a string nor an integer",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#requests")],
    explanation: "Ids are strings or integers. Fractions, booleans, arrays and objects are none; 2.0 is the integer 2.",
    help: "use a string or an integer as id",
    fires: "C> {\"id\":[1],\"method\":\"ping\"}",
    silent: "C> {\"id\":2.0,\"method\":\"ping\"}",
    checks: &[On::Message(id_type)],
};

fn id_type(context: &Context<'_>, findings: &mut Findings) {
    let Some(id) = &context.message.id else { return };
    let wrong = match id.kind() {
        IdKind::Other => true,
        IdKind::Number => !is_integer(id.raw()),
        IdKind::String | IdKind::Null => false,
    };
    if wrong {
        findings
            .report(format!("an id has to be a string or an integer, here it is {}", quoted(id.raw())))
            .mark(context.top("id"));
    }
}

/// Whether a JSON number has no fraction: `1`, `1.0` and `1e3` are integers.
fn is_integer(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    digits.bytes().all(|byte| byte.is_ascii_digit())
        || number.parse::<f64>().is_ok_and(|value| value.is_finite() && value.fract() == 0.0)
}

const NOTIFICATION_WITH_ID: Rule = Rule {
    id: "notification-with-id",
    title: "a notification has an id",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#notifications")],
    explanation: "Notifications have no id, also none that is null. With an id the message is a request for a method that \
                  nobody answers.",
    help: "leave the `id` member out",
    fires: "C> {\"id\":9,\"method\":\"notifications/roots/list_changed\"}",
    silent: "C> {\"method\":\"notifications/roots/list_changed\"}",
    checks: &[On::Request(&[], notification_with_id)],
};

fn notification_with_id(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_none() && is_notification(context) {
        let method = context.method.unwrap_or_default();
        findings
            .report(format!("{} is a notification and must not have an id", quoted(method)))
            .mark(context.top("id"));
    }
}

/// The method is that of a notification.
fn is_notification(context: &Context<'_>) -> bool {
    let Some(method) = context.method else { return false };
    match method_set(method) {
        Some(set) => set.at_or_any(Some(context.revision)).kind == MethodKind::Notification,
        None => method.starts_with("notifications/"),
    }
}

const REQUEST_WITHOUT_ID: Rule = Rule {
    id: "request-without-id",
    title: "a request has no id",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#requests")],
    explanation: "A request carries an id. Without one, a JSON-RPC reader takes it for a notification and does not answer.",
    help: "give the request an id that its sender has not used before",
    fires: "C> {\"method\":\"prompts/list\"}",
    silent: "C> {\"id\":6,\"method\":\"prompts/list\"}",
    checks: &[On::Notification(&[], request_without_id)],
};

fn request_without_id(context: &Context<'_>, findings: &mut Findings) {
    let Some(set) = context.method.and_then(method_set) else { return };
    let request = set.at_or_any(Some(context.revision)).kind != MethodKind::Notification;
    if request && context.is_whole() {
        let method = context.method.unwrap_or_default();
        findings.report(format!("{} is a request and has no id", quoted(method))).mark(context.top("method"));
    }
}

const RESULT_AND_ERROR: Rule = Rule {
    id: "result-and-error",
    title: "a response has both a result and an error",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#responses")],
    explanation: "A response brings a result or an error, never both; an `error` that is null beside a result counts too.",
    help: "leave the member out that does not apply",
    fires: "C> {\"id\":1,\"method\":\"ping\"}\nS> {\"id\":1,\"result\":{},\"error\":null}",
    silent: "C> {\"id\":1,\"method\":\"ping\"}\nS> {\"id\":1,\"result\":{}}",
    checks: &[On::Invalid(result_and_error)],
};

fn result_and_error(context: &Context<'_>, findings: &mut Findings) {
    if context.reason() == Some(&Reason::ResultAndError) {
        findings.report("the response has both a `result` and an `error`").mark(context.top("error"));
    }
}

const RESPONSE_WITHOUT_OUTCOME: Rule = Rule {
    id: "response-without-outcome",
    title: "a response has neither a result nor an error",
    clauses: &[clause(ALL, Must, Severity::Error, "basic/index#responses")],
    explanation: "A response sets either `result` or `error`. An answer without content has the empty object as its result.",
    help: "send `\"result\":{}` when there is nothing to say",
    fires: "C> {\"id\":1,\"method\":\"ping\"}\nS> {\"id\":1,\"_meta\":{}}",
    silent: "C> {\"id\":1,\"method\":\"ping\"}\nS> {\"id\":1,\"result\":{\"_meta\":{}}}",
    checks: &[On::Invalid(response_without_outcome)],
};

fn response_without_outcome(context: &Context<'_>, findings: &mut Findings) {
    if context.reason() == Some(&Reason::NoKnownMember) && context.message.id_state != IdState::Absent {
        findings.report("the message has an id, but neither `method` nor `result` nor `error`").mark(context.top("id"));
    }
}

const RESULT_NOT_OBJECT: Rule = Rule {
    id: "result-not-object",
    title: "a result is not an object",
    clauses: &[
        clause(LEGACY, Schema, Severity::Error, "basic/index#responses"),
        clause(MODERN, Schema, Severity::Error, "basic/index#result-responses"),
    ],
    explanation: "The result of every MCP request is a JSON object, an empty one where there is nothing to say.",
    help: "send `{}` instead of null, and put arrays and scalars into a member",
    fires: "C> {\"id\":1,\"method\":\"ping\"}\nS> {\"id\":1,\"result\":\"pong\"}",
    silent: "C> {\"id\":1,\"method\":\"ping\"}\nS> {\"id\":1,\"result\":{}}",
    checks: &[On::Result(&[], result_not_object)],
};

fn result_not_object(context: &Context<'_>, findings: &mut Findings) {
    if let Some(result) = context.body.raw.filter(|result| result.kind() != JsonKind::Object) {
        findings.report(format!("`result` is {}, it has to be an object", words(result.kind()))).mark(result);
    }
}

const ERROR_SHAPE: Rule = Rule {
    id: "error-shape",
    title: "an error is no object with code and message",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/index#responses"),
        clause(MODERN, Must, Severity::Error, "basic/index#error-responses"),
    ],
    explanation: "`error` is an object that has an integer `code` and a string `message`.",
    help: "send both: `\"error\":{\"code\":-32603,\"message\":\"…\"}`",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"error\":{\"code\":-32603}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"error\":{\"code\":-32603,\"message\":\"out of order\"}}",
    checks: &[On::Invalid(error_not_an_object), On::Error(&[], error_shape)],
};

fn error_not_an_object(context: &Context<'_>, findings: &mut Findings) {
    if context.reason() == Some(&Reason::ErrorNotAnObject) {
        let error = context.top("error");
        let kind = error.map_or("no object", |error| words(error.kind()));
        findings.report(format!("`error` is {kind}, it has to be an object with `code` and `message`")).mark(error);
    }
}

fn error_shape(context: &Context<'_>, findings: &mut Findings) {
    if !context.is_whole() {
        return;
    }
    if context.get("code").is_none() {
        findings.report("`error` has no `code`").mark(context.body.raw);
    }
    match context.get("message") {
        None => {
            findings.report("`error` has no `message`").mark(context.body.raw);
        }
        Some(message) if message.kind() != JsonKind::String => {
            let kind = words(message.kind());
            findings.report(format!("the `message` of an error is {kind}, it has to be a string")).mark(message);
        }
        Some(_) => {}
    }
}

const ERROR_CODE_INTEGER: Rule = Rule {
    id: "error-code-integer",
    title: "an error code is not an integer",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "basic/index#responses"),
        clause(MODERN, Must, Severity::Error, "basic/index#error-responses"),
    ],
    explanation: "Error codes are integers; names and fractions are not.",
    help: "send the code as a JSON integer and what it means in `message`",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"error\":{\"code\":\"E_BUSY\",\"message\":\"busy\"}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"error\":{\"code\":-32000,\"message\":\"busy\"}}",
    checks: &[On::Error(&[], error_code_integer)],
};

fn error_code_integer(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code") else { return };
    if code.kind() != JsonKind::Number || !is_integer(code.text()) {
        findings.report(format!("the error code {} is not an integer", quoted(code.text()))).mark(code);
    }
}

const ERROR_ID_MISSING: Rule = Rule {
    id: "error-id-missing",
    title: "an error does not say which request it answers",
    clauses: &[
        clause(
            Revisions::between(Revision::V2024_11_05, Revision::V2025_06_18),
            Must,
            Severity::Warning,
            "basic/index#responses",
        ),
        clause(Revisions::since(Revision::V2025_11_25), Must, Severity::Warning, "basic/index#error-responses"),
    ],
    explanation: "A response repeats the id of its request. From 2025-11-25 on an error may go without when the id could not \
                  be read; null, which JSON-RPC uses for that, is in no schema of MCP. With the codes for unreadable \
                  messages (-32700, -32600) it is a note.",
    help: "repeat the id of the request; when it could not be read, leave the member out",
    fires: "@init 2025-11-25 {} {}\nC> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":null,\"error\":{\"code\":-32601,\"message\":\"unknown\"}}",
    silent: "@init 2025-11-25 {} {}\nC> !raw {oops\nS> {\"error\":{\"code\":-32700,\"message\":\"not JSON\"}}",
    checks: &[On::Error(&[], error_id_missing)],
};

fn error_id_missing(context: &Context<'_>, findings: &mut Findings) {
    let unreadable = matches!(context.message.error.as_ref().and_then(|error| error.code), Some(-32700 | -32600));
    let message = match context.message.id_state {
        IdState::Null => "the id of an error is null; it has to be that of the request",
        IdState::Absent if unreadable && context.revision >= Revision::V2025_11_25 => return,
        IdState::Absent => "the error has no id, so that its request stays without an answer",
        IdState::Present | IdState::Unrecorded => return,
    };
    let draft = findings.report(message);
    draft.mark(context.top("id"));
    if unreadable {
        draft.at_most(Severity::Note);
    }
}

const RESERVED_METHOD_PREFIX: Rule = Rule {
    id: "reserved-method-prefix",
    title: "a method name begins with `rpc.`",
    clauses: &[clause(ALL, Must, Severity::Warning, "basic/index#messages")],
    explanation: "MCP follows JSON-RPC 2.0, which keeps method names that begin with `rpc.` for itself.",
    help: "name methods of your own otherwise, with a prefix of your own",
    fires: "C> {\"id\":1,\"method\":\"rpc.listMethods\"}",
    silent: "C> {\"id\":1,\"method\":\"x.rpc.listMethods\"}",
    checks: &[On::Request(&[], reserved_prefix), On::Notification(&[], reserved_prefix)],
};

fn reserved_prefix(context: &Context<'_>, findings: &mut Findings) {
    if let Some(method) = context.method.filter(|method| method.starts_with("rpc.")) {
        findings
            .report(format!("{} begins with `rpc.`, which is reserved", quoted(method)))
            .mark(context.top("method"));
    }
}

const DUPLICATE_MEMBER: Rule = Rule {
    id: "duplicate-member",
    title: "an object has the same member twice",
    clauses: &[
        clause(LEGACY, Implied, Severity::Warning, "basic/index#messages"),
        clause(MODERN, Must, Severity::Warning, "basic/patterns/mrtr#server-requirements-basic-workflow"),
    ],
    explanation: "A repeated member means different things to different readers: some take the first, some the last, some \
                  refuse. The keys of `inputRequests` are unique by requirement (2026-07-28); everywhere else it is general \
                  practice of JSON.",
    help: "write every member once",
    fires: "C> !dup {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":1,\"a\":2}}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":1,\"b\":{\"a\":2}}}}",
    checks: &[On::Message(duplicate_member)],
};

fn duplicate_member(context: &Context<'_>, findings: &mut Findings) {
    if let Some(name) = context.repeated {
        findings.report(format!("the member {} stands twice in one object", quoted(name))).mark(name).label("again");
    }
}

/// A type of JSON with its article.
pub(super) fn words(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Object => "an object",
        JsonKind::Array => "an array",
        JsonKind::String => "a string",
        JsonKind::Number => "a number",
        JsonKind::Boolean => "a boolean",
        JsonKind::Null => "null",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_may_be_written_with_a_point() {
        for yes in ["0", "-7", "1.0", "1e3", "9007199254740993", "123456789012345678901234567890"] {
            assert!(is_integer(yes), "{yes}");
        }
        for no in ["1.5", "-0.1", "1e-3"] {
            assert!(!is_integer(no), "{no}");
        }
    }
}
