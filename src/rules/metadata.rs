//! Stateless requests: what `_meta` has to say, how version and capabilities are refused, which error codes there are.
//! basic/index, basic/versioning and server/discover of 2026-07-28; the format of `_meta` also of 2025-06-18 on.

use super::book::{CLIENT_CAPABILITIES, Modern, PROTOCOL_VERSION, is_modern_error};
use super::meta_objects::{HOLDERS, each_meta};
use super::rule::Strength::{Implied, Must, Should};
use super::{ALL, Context, Family, Findings, MODERN, On, Revisions, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::{MetaKey, Revision, Side, meta_key, method_set};
use crate::session::CapabilitySet;

pub(super) const FAMILY: Family = Family {
    title: "Modern era: request metadata, negotiation, errors",
    rules: &[
        &META_REQUIRED_MISSING,
        &META_MISSING_NOT_REJECTED,
        &META_CLIENT_INFO_MISSING,
        &META_SERVER_INFO_MISSING,
        &META_KEY_FORMAT,
        &META_KEY_RESERVED,
        &TRACE_CONTEXT_FORMAT,
        &UNSUPPORTED_VERSION_ERROR_SHAPE,
        &MISSING_CAPABILITY_ERROR_SHAPE,
        &MISSING_CAPABILITY_ERROR_UNFOUNDED,
        &VERSION_NOT_ADVERTISED,
        &DISCOVER_NOT_IMPLEMENTED,
        &DISCOVER_VERSION_INCONSISTENT,
        &LEGACY_FALLBACK_AFTER_MODERN_ERROR,
        &INITIALIZE_REJECTION_NAMES_NO_VERSIONS,
        &SERVER_REQUEST_IN_MODERN,
        &CLIENT_RESPONSE_IN_MODERN,
        &ERROR_CODE_RESERVED_RANGE,
        &ERROR_CODE_RETIRED,
        &ERROR_CODE_LEGACY_RANGE,
        &ERROR_CODE_WRONG_MEANING,
        &LEGACY_TASKS_CAPABILITY,
    ],
};

const META: &str = "basic/index#meta";
const CODES: &str = "basic/index#error-codes";
const NEGOTIATION: &str = "basic/versioning#protocol-version-negotiation";
/// What is said of the tasks of 2025-11-25 beside the extension.
pub(super) const TASKS_PROPOSAL: &str =
    "https://modelcontextprotocol.io/seps/2663-tasks-extension#backward-compatibility";

const META_REQUIRED_MISSING: Rule = Rule {
    id: "meta-required-missing",
    title: "a stateless request lacks its version or its capabilities",
    clauses: &[clause(MODERN, Must, Severity::Error, META)],
    explanation: "There is no handshake in 2026-07-28: each request of the client says in `_meta` which version it follows \
                  and what the client can do. A request with neither is traffic of an older revision, unless only \
                  2026-07-28 has its method, or the client was stateless before and has sent no `initialize` since.",
    help: "send `io.modelcontextprotocol/protocolVersion` and `io.modelcontextprotocol/clientCapabilities`, which may be \
           empty, in `_meta` of every request",
    fires: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}",
    silent: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    checks: &[On::Request(&[], meta_required_missing)],
};

fn meta_required_missing(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_some() || !is_here(context) {
        return;
    }
    let missing = context.session.modern.missing(context);
    if missing.is_empty() {
        return;
    }
    let names: Vec<_> = missing.iter().map(|name| format!("`{name}`")).collect();
    let draft = findings.report(format!("the request has no {} in `_meta`", names.join(" and no ")));
    match context.get("_meta") {
        Some(meta) => draft.mark(meta),
        None => draft.mark(context.top("method")),
    };
    if let Some(client) = context.session.modern.client.filter(|_| missing.len() == 2) {
        draft.related(Some(client.0), client.1, "the first request of the client that had them");
    }
}

/// The revision has the method, or nobody knows it.
fn is_here(context: &Context<'_>) -> bool {
    let set = context.method.and_then(method_set);
    set.is_none_or(|set| set.at(context.revision).is_some())
}

const META_MISSING_NOT_REJECTED: Rule = Rule {
    id: "meta-missing-not-rejected",
    title: "a request without its version or capabilities is served",
    clauses: &[clause(MODERN, Must, Severity::Error, META)],
    explanation: "A server refuses a request that lacks a required member of `_meta` with -32602. A version or header that \
                  is wrong as well may be refused first, with -32022 or -32020. A server that does not know \
                  `server/discover` at all may be one of an older revision, of which nothing is claimed.",
    help: "answer such requests with the error -32602, and name the member that is missing",
    fires: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"tools\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32602,\"message\":\"clientCapabilities is missing\"}}",
    checks: &[
        On::Result(&[], meta_missing_served),
        On::Error(&[], meta_missing_refused),
        On::Notification(&["notifications/subscriptions/acknowledged"], meta_missing_listened),
    ],
};

fn meta_missing_served(context: &Context<'_>, findings: &mut Findings) {
    report_served(context, context.message.answers, "result", findings);
}

fn meta_missing_listened(context: &Context<'_>, findings: &mut Findings) {
    report_served(context, context.message.relates_to, "method", findings);
}

fn report_served(context: &Context<'_>, request: Option<u64>, mark: &str, findings: &mut Findings) {
    let Some(n) = request.filter(|n| context.part.is_none() && context.session.modern.lacked(*n)) else { return };
    let draft = findings.report("a request that lacks a required member of `_meta` is served instead of refused");
    draft.mark(context.top(mark));
    if let Some(asked) = context.requests.get(n) {
        draft.related(Some(asked.at.0), asked.at.1, "the request");
    }
}

fn meta_missing_refused(context: &Context<'_>, findings: &mut Findings) {
    let modern = &context.session.modern;
    if !context.message.answers.is_some_and(|n| modern.lacked(n)) {
        return;
    }
    let Some(code) = context.get("code") else { return };
    match code.as_i64() {
        Some(-32602 | -32020 | -32022) | None => {}
        Some(-32601 | -32600) if modern.server.is_none() => {}
        Some(other) => {
            findings
                .report(format!("a missing member of `_meta` is refused with {other} instead of -32602"))
                .mark(code)
                .at_most(Severity::Warning);
        }
    }
}

const META_CLIENT_INFO_MISSING: Rule = Rule {
    id: "meta-client-info-missing",
    title: "a client does not say who it is",
    clauses: &[clause(MODERN, Should, Severity::Note, META)],
    explanation: "Clients name themselves in every request, unless they are told not to. Nothing depends on it but logs \
                  and statistics. Reported at the first such request of a session.",
    help: "send `io.modelcontextprotocol/clientInfo` with name and version",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"desk\",\"version\":\"3\"}}}}",
    checks: &[On::Request(&[], meta_client_info_missing)],
};

fn meta_client_info_missing(context: &Context<'_>, findings: &mut Findings) {
    let modern = &context.session.modern;
    if context.part.is_some() || !modern.at_hand || !context.is_whole() {
        return;
    }
    match context.meta("io.modelcontextprotocol/clientInfo") {
        None if !modern.nameless_client => {
            let draft = findings.report("the client does not name itself in `_meta`");
            draft.mark(context.get("_meta"));
        }
        Some(info) => judge_name(info, findings),
        None => {}
    }
}

/// A name and version that are there have to be strings.
fn judge_name(info: RawJson<'_>, findings: &mut Findings) {
    for name in ["name", "version"] {
        if !info.get(name).is_some_and(|value| value.kind() == JsonKind::String) {
            findings.report(format!("`{name}` is missing, or no string")).mark(info).severity(Severity::Error);
        }
    }
}

const META_SERVER_INFO_MISSING: Rule = Rule {
    id: "meta-server-info-missing",
    title: "a server does not say who it is",
    clauses: &[clause(MODERN, Should, Severity::Note, META)],
    explanation: "Servers name themselves in `_meta` of every result. Reported at the first result of a session without it.",
    help: "send `io.modelcontextprotocol/serverInfo` with name and version",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"desk\",\"version\":\"3\"}}}}",
    checks: &[On::Result(&[], meta_server_info_missing)],
};

fn meta_server_info_missing(context: &Context<'_>, findings: &mut Findings) {
    let stateless = context.request.is_some_and(|request| request.version.is_some());
    if context.part.is_some() || !stateless || !context.is_whole() {
        return;
    }
    match context.meta("io.modelcontextprotocol/serverInfo") {
        None if !context.session.modern.nameless_server => {
            findings.report("the server does not name itself in `_meta`").mark(context.top("result"));
        }
        Some(info) => judge_name(info, findings),
        None => {}
    }
}

/// `_meta` of messages and of what stands in them.
const META_CHECKED: Revisions = Revisions::since(Revision::V2025_06_18);

const META_KEY_FORMAT: Rule = Rule {
    id: "meta-key-format",
    title: "a key in `_meta` has no legal form",
    clauses: &[clause(META_CHECKED, Must, Severity::Warning, META)],
    explanation: "A key is a name, or a prefix, one slash and a name. The prefix is made of labels with dots between them, \
                  each beginning with a letter and ending with a letter or digit; the name begins and ends with a letter \
                  or digit, or is empty. Only `_meta` of messages and of what the protocol defines in them is looked at.",
    help: "write keys of your own as `com.example/name`",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"-trace\":1}}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"com.example/trace\":1}}}",
    checks: &[
        On::Request(&[], meta_key_format),
        On::Notification(&[], meta_key_format),
        On::Result(&[], meta_key_format),
        On::Request(&["sampling/createMessage"], inner_key_format),
        On::Result(HOLDERS, inner_key_format),
    ],
};

fn meta_key_format(context: &Context<'_>, findings: &mut Findings) {
    if let Some(meta) = context.get("_meta") {
        judge_keys(meta, findings);
    }
}

fn inner_key_format(context: &Context<'_>, findings: &mut Findings) {
    each_meta(context, &mut |meta| judge_keys(meta, findings));
}

fn judge_keys(meta: RawJson<'_>, findings: &mut Findings) {
    for (key, value) in meta.members() {
        if let Some(wrong) = wrong_with(&key) {
            findings.report(format!("the key {} of `_meta` {wrong}", quoted(&key))).mark(value);
        }
    }
}

/// What is wrong with a key.
fn wrong_with(key: &str) -> Option<&'static str> {
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    if name.contains('/') {
        return Some("has more than one slash");
    }
    if prefix.is_some_and(|prefix| !prefix.split('.').all(is_label)) {
        return Some("has a prefix that is not made of labels");
    }
    let ends = |byte: Option<u8>| byte.is_none_or(|byte| byte.is_ascii_alphanumeric());
    let bytes = name.as_bytes();
    let inner = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    match ends(bytes.first().copied()) && ends(bytes.last().copied()) && inner {
        true => None,
        false => Some("has a name that does not begin and end with a letter or digit, or holds other characters"),
    }
}

fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

const META_KEY_RESERVED: Rule = Rule {
    id: "meta-key-reserved",
    title: "a key in `_meta` takes a prefix that is reserved for the protocol",
    clauses: &[clause(META_CHECKED, Must, Severity::Warning, META)],
    explanation: "Prefixes with `mcp` or `modelcontextprotocol` are for keys that MCP defines: in 2025-06-18 where another \
                  label follows it, from 2025-11-25 on where it is the second label. Keys of another revision, and keys \
                  in sessions in which an extension is declared that may define them, are a note.",
    help: "use a prefix with a domain of your own",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"dev.mcp/trace\":1}}}",
    silent: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"dev.example.mcp/trace\":1}}}",
    checks: &[
        On::Request(&[], meta_key_reserved),
        On::Notification(&[], meta_key_reserved),
        On::Result(&[], meta_key_reserved),
        On::Request(&["sampling/createMessage"], inner_key_reserved),
        On::Result(HOLDERS, inner_key_reserved),
    ],
};

fn meta_key_reserved(context: &Context<'_>, findings: &mut Findings) {
    if let Some(meta) = context.get("_meta") {
        judge_prefixes(context, meta, findings);
    }
}

fn inner_key_reserved(context: &Context<'_>, findings: &mut Findings) {
    each_meta(context, &mut |meta| judge_prefixes(context, meta, findings));
}

fn judge_prefixes(context: &Context<'_>, meta: RawJson<'_>, findings: &mut Findings) {
    for (key, value) in meta.members() {
        let covers =
            |row: &MetaKey| row.revisions.is_none_or(|(first, last)| (first..=last).contains(&context.revision));
        let row = meta_key(&key);
        if row.is_some_and(covers) || !is_reserved(&key, context.revision) {
            continue;
        }
        let draft = findings.report(match row {
            Some(_) => format!("{} is a key of another revision", quoted(&key)),
            None => format!("the prefix of {} is reserved, and MCP defines no such key", quoted(&key)),
        });
        draft.mark(value);
        let extended = |side| context.declared(side, &["extensions"]) == Some(true);
        if row.is_some() || extended(Side::Client) || extended(Side::Server) {
            draft.at_most(Severity::Note);
        }
    }
}

fn is_reserved(key: &str, revision: Revision) -> bool {
    let Some((prefix, _)) = key.split_once('/') else { return false };
    let mut labels = prefix.split('.');
    let is_own = |label: &str| matches!(label, "mcp" | "modelcontextprotocol");
    match revision >= Revision::V2025_11_25 {
        true => labels.nth(1).is_some_and(is_own),
        false => labels.by_ref().any(is_own) && labels.next().is_some(),
    }
}

const TRACE_CONTEXT_FORMAT: Rule = Rule {
    id: "trace-context-format",
    title: "a trace context in `_meta` is not in the format of the W3C",
    clauses: &[clause(MODERN, Must, Severity::Warning, META)],
    explanation: "`traceparent`, `tracestate` and `baggage` have the format of the HTTP headers of these names: the first \
                  is version, trace id, parent id and flags in lower-case hex, the others are lists of `name=value`.",
    help: "write what the tracing library would put into the HTTP header",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\",\"traceparent\":\"4bf92f3577b34da6a3ce929d0e0e4736\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\",\"traceparent\":\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00\"}}}",
    checks: &[
        On::Request(&[], trace_context_format),
        On::Notification(&[], trace_context_format),
        On::Result(&[], trace_context_format),
    ],
};

fn trace_context_format(context: &Context<'_>, findings: &mut Findings) {
    let Some(meta) = context.get("_meta") else { return };
    for name in ["traceparent", "tracestate", "baggage"] {
        let Some(value) = meta.get(name) else { continue };
        let is_right = if name == "traceparent" { is_traceparent } else { is_list };
        if !value.as_str().is_some_and(|text| is_right(&text)) {
            findings.report(format!("`{name}` is {}, not in its format", quoted(value.text()))).mark(value);
        }
    }
}

fn is_traceparent(text: &str) -> bool {
    let hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let some = |part: &str| part.bytes().any(|byte| byte != b'0');
    let parts: Vec<&str> = text.splitn(5, '-').collect();
    match parts.as_slice() {
        [version, trace, parent, flags, rest @ ..] => {
            hex(version, 2)
                && *version != "ff"
                && hex(trace, 32)
                && some(trace)
                && hex(parent, 16)
                && some(parent)
                && hex(flags, 2)
                && (rest.is_empty() || *version != "00")
        }
        _ => false,
    }
}

/// `name=value` pairs with commas between them; empty places are legal.
fn is_list(text: &str) -> bool {
    text.split(',')
        .map(str::trim)
        .all(|member| member.is_empty() || member.split_once('=').is_some_and(|(name, _)| !name.is_empty()))
}

const UNSUPPORTED_VERSION_ERROR_SHAPE: Rule = Rule {
    id: "unsupported-version-error-shape",
    title: "the error on a version does not say which there are",
    clauses: &[clause(MODERN, Must, Severity::Error, NEGOTIATION)],
    explanation: "The error -32022 carries the versions that the server has, and the one that the request has asked for, \
                  so that the client can choose again.",
    help: "send `data.supported` with the versions, and `data.requested` with that of the request",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32022,\"message\":\"version\",\"data\":{\"requested\":\"2026-07-28\"}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32022,\"message\":\"version\",\"data\":{\"requested\":\"2026-07-28\",\"supported\":[\"2027-01-01\"]}}}",
    checks: &[On::Error(&[], unsupported_version_error_shape)],
};

fn unsupported_version_error_shape(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code").filter(|code| code.as_i64() == Some(-32022) && context.is_whole()) else {
        return;
    };
    let data = context.get("data");
    let supported = data.and_then(|data| data.get("supported"));
    let requested = data.and_then(|data| data.get("requested"));
    let is_string = |value: RawJson<'_>| value.kind() == JsonKind::String;
    if !supported.is_some_and(|list| list.kind() == JsonKind::Array && list.elements().all(is_string)) {
        findings.report("`data.supported` is missing, or no array of versions").mark(data.unwrap_or(code));
    }
    let Some(named) = requested.and_then(RawJson::as_str) else {
        findings.report("`data.requested` is missing, or no string").mark(data.unwrap_or(code));
        return;
    };
    let wanted = context.request.and_then(|request| request.version.as_deref());
    if let Some(wanted) = wanted.filter(|wanted| *wanted != named) {
        let text = format!("`data.requested` is {}, the request names {}", quoted(&named), quoted(wanted));
        findings.report(text).mark(requested);
    }
    let mut offered = supported.into_iter().flat_map(RawJson::elements);
    if offered.any(|version| version.as_str().is_some_and(|version| version == named)) {
        findings.report(format!("{} is refused and yet among the supported versions", quoted(&named))).mark(supported);
    }
}

const MISSING_CAPABILITY_ERROR_SHAPE: Rule = Rule {
    id: "missing-capability-error-shape",
    title: "the error on a missing capability does not say which",
    clauses: &[clause(MODERN, Must, Severity::Error, META)],
    explanation: "The error -32021 lists what the client would have to declare, in the shape of client capabilities, so \
                  that it can ask again with them.",
    help: "send `data.requiredCapabilities`, for example `{\"sampling\":{}}`",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32021,\"message\":\"roots\",\"data\":{\"requiredCapabilities\":{}}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32021,\"message\":\"roots\",\"data\":{\"requiredCapabilities\":{\"roots\":{}}}}}",
    checks: &[On::Error(&[], missing_capability_error_shape)],
};

fn missing_capability_error_shape(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code").filter(|code| code.as_i64() == Some(-32021) && context.is_whole()) else {
        return;
    };
    let required = context.get("data").and_then(|data| data.get("requiredCapabilities"));
    match required {
        None => {
            findings.report("the error has no `data.requiredCapabilities`").mark(context.get("data").unwrap_or(code));
        }
        Some(required) if required.kind() != JsonKind::Object => {
            findings.report("`data.requiredCapabilities` is no object").mark(required);
        }
        Some(required) if required.members().next().is_none() => {
            findings.report("`data.requiredCapabilities` is empty").mark(required);
        }
        Some(_) => {}
    }
}

const MISSING_CAPABILITY_ERROR_UNFOUNDED: Rule = Rule {
    id: "missing-capability-error-unfounded",
    title: "a capability is said to be missing that was declared",
    clauses: &[clause(MODERN, Must, Severity::Warning, CODES)],
    explanation: "The error -32021 is for what the request has not declared. Reported when everything that it lists stands \
                  in the capabilities of the request.",
    help: "read the capabilities of the request at hand, and refuse other troubles with other codes",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32021,\"message\":\"roots\",\"data\":{\"requiredCapabilities\":{\"roots\":{}}}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"sampling\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32021,\"message\":\"roots\",\"data\":{\"requiredCapabilities\":{\"roots\":{}}}}}",
    checks: &[On::Error(&[], missing_capability_error_unfounded)],
};

fn missing_capability_error_unfounded(context: &Context<'_>, findings: &mut Findings) {
    if context.get("code").and_then(RawJson::as_i64) != Some(-32021) || context.request.is_none() {
        return;
    }
    let Some(required) = context.get("data").and_then(|data| data.get("requiredCapabilities")) else { return };
    let set = CapabilitySet::read(required);
    let declared = |path: &Vec<String>| {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        context.declared(Side::Client, &path) == Some(true)
    };
    if !set.is_cut() && !set.paths().is_empty() && set.paths().iter().all(declared) {
        findings.report("the request declares everything that is said to be missing").mark(required);
    }
}

const VERSION_NOT_ADVERTISED: Rule = Rule {
    id: "version-not-advertised",
    title: "a request names a version that the server has not offered",
    clauses: &[clause(MODERN, Should, Severity::Warning, NEGOTIATION)],
    explanation: "Once the server has listed its versions, in `server/discover` or in the error -32022, the client takes \
                  one of them.",
    help: "choose the version from the list of the server",
    fires: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},\"ttlMs\":0,\"cacheScope\":\"private\"}}\nC> {\"id\":2,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2027-01-01\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
    silent: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},\"ttlMs\":0,\"cacheScope\":\"private\"}}\nC> {\"id\":2,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}",
    checks: &[On::Request(&[], version_not_advertised)],
};

fn version_not_advertised(context: &Context<'_>, findings: &mut Findings) {
    let modern = &context.session.modern;
    let (Some(offered), true) = (&modern.offered, modern.at_hand) else { return };
    let Some(version) = context.meta(PROTOCOL_VERSION) else { return };
    let Some(text) = version.as_str().filter(|text| offered.has(text) == Some(false)) else { return };
    findings.report(format!("the server has not offered the version {}", quoted(&text))).mark(version).related(
        Some(offered.at.0),
        offered.at.1,
        "the versions of the server",
    );
}

const DISCOVER_NOT_IMPLEMENTED: Rule = Rule {
    id: "discover-not-implemented",
    title: "a stateless server does not know `server/discover`",
    clauses: &[clause(MODERN, Must, Severity::Error, "server/discover")],
    explanation: "Every server of 2026-07-28 answers `server/discover`. The error -32601 alone is what a server of an older \
                  revision says; it is wrong once the same server gives answers that only a stateless one gives.",
    help: "answer `server/discover` with the versions and capabilities of the server",
    fires: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32601,\"message\":\"what?\"}}\nC> {\"id\":2,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32601,\"message\":\"what?\"}}\nC> {\"id\":2,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"error\":{\"code\":-32601,\"message\":\"what?\"}}",
    checks: &[
        On::Result(&[], undiscoverable_after_result),
        On::Error(&[], undiscoverable_after_error),
        On::Error(&["server/discover"], undiscoverable),
    ],
};

fn undiscoverable_after_result(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_none() && context.get("resultType").is_some() {
        report_undiscoverable(context, findings);
    }
}

fn undiscoverable_after_error(context: &Context<'_>, findings: &mut Findings) {
    if context.get("code").and_then(RawJson::as_i64).is_some_and(is_modern_error) {
        report_undiscoverable(context, findings);
    }
}

fn report_undiscoverable(context: &Context<'_>, findings: &mut Findings) {
    let modern = &context.session.modern;
    if let (Some(at), None, None) = (modern.undiscoverable, modern.server, context.session.lifecycle.agreed()) {
        findings
            .report("the server does not know `server/discover`, which every stateless server answers")
            .at(Some(at.0), at.1)
            .related(Some(context.message.n), context.message.position, "an answer that only a stateless server gives");
    }
}

fn undiscoverable(context: &Context<'_>, findings: &mut Findings) {
    let modern = &context.session.modern;
    let (Some(code), Some(server), None) = (context.get("code"), modern.server, modern.undiscoverable) else { return };
    if code.as_i64() == Some(-32601) {
        findings
            .report("the server does not know `server/discover`, which every stateless server answers")
            .mark(code)
            .related(Some(server.0), server.1, "an answer that only a stateless server gives");
    }
}

const DISCOVER_VERSION_INCONSISTENT: Rule = Rule {
    id: "discover-version-inconsistent",
    title: "a server answers in a version that it does not list",
    clauses: &[clause(MODERN, Implied, Severity::Warning, "server/discover")],
    explanation: "A server that answers `server/discover` in some version has that version, so that it belongs into \
                  `supportedVersions`; otherwise the answer is the error -32022.",
    help: "list every version that the server answers in",
    fires: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[],\"capabilities\":{},\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    silent: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},\"ttlMs\":0,\"cacheScope\":\"private\"}}",
    checks: &[On::Result(&["server/discover"], discover_version_inconsistent)],
};

fn discover_version_inconsistent(context: &Context<'_>, findings: &mut Findings) {
    let Some(list) = context.get("supportedVersions").filter(|list| list.kind() == JsonKind::Array) else { return };
    let Some(version) = context.request.and_then(|request| request.version.as_deref()) else { return };
    if list.elements().next().is_none() {
        findings.report("the list of versions is empty").mark(list);
    } else if !list.elements().any(|listed| listed.as_str().is_some_and(|listed| listed == version)) {
        findings.report(format!("the server answers in version {} and does not list it", quoted(version))).mark(list);
    }
}

const LEGACY_FALLBACK_AFTER_MODERN_ERROR: Rule = Rule {
    id: "legacy-fallback-after-modern-error",
    title: "a handshake is tried with a server that has shown to be stateless",
    clauses: &[clause(ALL, Must, Severity::Error, FALLBACK)],
    explanation: "The errors -32020, -32021 and -32022 come from a stateless server only. After one of them the client asks \
                  again, with a version that the server has, instead of falling back to `initialize`. Where the server \
                  has listed a version with a handshake, it is a note. The clause is that of 2026-07-28, whichever \
                  version `initialize` asks for.",
    help: "read `data.supported` of the error and send the request again in one of these versions",
    fires: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32022,\"message\":\"version\",\"data\":{\"requested\":\"2026-07-28\",\"supported\":[\"2027-01-01\"]}}}\nC> {\"id\":2,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
    silent: "C> {\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32000,\"message\":\"no session\"}}\nC> {\"id\":2,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
    checks: &[On::Request(&["initialize"], legacy_fallback_after_modern_error)],
};

const FALLBACK: &str =
    "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility";

fn legacy_fallback_after_modern_error(context: &Context<'_>, findings: &mut Findings) {
    let session = context.session;
    let modern = shown_stateless(context);
    let Some((code, at)) = modern.refused.filter(|_| session.lifecycle.initialize.is_none()) else { return };
    let draft = findings.report(format!("`initialize` after the error {code}, which only a stateless server gives"));
    draft.mark(context.top("method")).related(Some(at.0), at.1, "the error");
    if modern.offered.as_ref().is_some_and(|offered| offered.has_handshake()) {
        draft.at_most(Severity::Note);
    }
}

/// What the server has shown of a stateless side, in this session or in an open one before it: `initialize` begins another
/// session after stateless work, and on a pipe it is the same process.
fn shown_stateless<'a>(context: &Context<'a>) -> &'a Modern {
    let session = context.session;
    let own = &session.modern;
    if own.server.is_some() || session.opened || context.message.http.is_some() {
        return own;
    }
    context.book.open_before(session.number, |open| open.modern.server.is_some()).map_or(own, |open| &open.modern)
}

const INITIALIZE_REJECTION_NAMES_NO_VERSIONS: Rule = Rule {
    id: "initialize-rejection-names-no-versions",
    title: "a stateless server refuses `initialize` and does not name its versions",
    clauses: &[clause(ALL, Should, Severity::Note, INITIALIZATION)],
    explanation: "A server without a handshake that gets `initialize` names the versions that it has in the error, so that \
                  a person can see what is wrong. Reported when the method is unknown to the server, or when it has \
                  answered stateless requests before. The clause is that of 2026-07-28.",
    help: "name the supported versions in the message or in `data` of the error",
    fires: "C> {\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32601,\"message\":\"unknown method\"}}",
    silent: "C> {\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32601,\"message\":\"unknown method\",\"data\":{\"supported\":[\"2026-07-28\"]}}}",
    checks: &[On::Error(&["initialize"], initialize_rejection_names_no_versions)],
};

const INITIALIZATION: &str = "https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions";

fn initialize_rejection_names_no_versions(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code").filter(|_| context.is_whole()) else { return };
    let is_stateless = code.as_i64() == Some(-32601) || shown_stateless(context).server.is_some();
    let names = |part: &str| context.get(part).is_some_and(|value| holds_version(value.text()));
    if is_stateless && !names("message") && !names("data") {
        findings.report("the error does not say which versions the server has").mark(context.get("message"));
    }
}

/// Whether a text holds a date as versions have it.
fn holds_version(text: &str) -> bool {
    let dated = |window: &[u8]| {
        window.iter().enumerate().all(|(place, byte)| match place {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    };
    text.as_bytes().windows(10).any(dated)
}

const SERVER_REQUEST_IN_MODERN: Rule = Rule {
    id: "server-request-in-modern",
    title: "a stateless server sends a request",
    clauses: &[clause(MODERN, Must, Severity::Error, "basic/patterns/index")],
    explanation: "Only clients send requests in 2026-07-28. What a server wants to know from the client goes into \
                  `inputRequests` of an `input_required` result.",
    help: "answer the request of the client with `resultType` `input_required` and put this request into `inputRequests`",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"sampling\"}}}\nS> {\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"sampling\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"s\":{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5}}}}}",
    checks: &[On::Request(&[], server_request_in_modern)],
};

fn server_request_in_modern(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_some() || context.sender != Some(Side::Server) || context.session.lifecycle.agreed().is_some() {
        return;
    }
    let told = matches!(context.method, Some("roots/list" | "sampling/createMessage" | "elicitation/create"));
    if told || context.sender_sure() {
        findings
            .report(format!("the server sends a request, {}", quoted(context.method.unwrap_or_default())))
            .mark(context.top("method"));
    }
}

const CLIENT_RESPONSE_IN_MODERN: Rule = Rule {
    id: "client-response-in-modern",
    title: "a stateless client sends a response",
    clauses: &[clause(MODERN, Must, Severity::Error, "basic/transports/stdio#sending-messages")],
    explanation: "Clients of 2026-07-28 send requests and notifications only: nothing asks them. What the server wanted to \
                  know goes into `inputResponses` of the retried request.",
    help: "send the request again with `inputResponses`",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"r\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":\"r\",\"result\":{\"roots\":[]}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"roots\"}}}\nS> {\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"r\":{\"method\":\"roots/list\"}}}}\nC> {\"id\":2,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"inputResponses\":{\"r\":{\"roots\":[]}},\"_meta\":{\"$M\":\"roots\"}}}",
    checks: &[On::Result(&[], client_response_in_modern), On::Error(&[], client_response_in_modern)],
};

fn client_response_in_modern(context: &Context<'_>, findings: &mut Findings) {
    let is_of_client = context.part.is_none() && context.sender == Some(Side::Client) && context.sender_sure();
    if is_of_client && context.session.lifecycle.agreed().is_none() {
        findings.report("the client sends a response").mark(context.top("id"));
    }
}

const ERROR_CODE_RESERVED_RANGE: Rule = Rule {
    id: "error-code-reserved-range",
    title: "an error code is reserved for the protocol",
    clauses: &[clause(MODERN, Must, Severity::Error, CODES)],
    explanation: "The codes -32099 to -32020 are those of the specification, which defines -32020, -32021 and -32022.",
    help: "take a code outside of -32768 to -32000 for errors of the application, or -32603",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32029,\"message\":\"too many requests\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":429,\"message\":\"too many requests\"}}",
    checks: &[On::Error(&[], error_code_reserved_range)],
};

fn error_code_reserved_range(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code") else { return };
    let Some(number) = code.as_i64().filter(|number| (-32099..=-32020).contains(number)) else { return };
    if !is_modern_error(number) && number != -32042 {
        findings.report(format!("{number} is a code that the specification reserves and does not define")).mark(code);
    }
}

const ERROR_CODE_RETIRED: Rule = Rule {
    id: "error-code-retired",
    title: "an error code is used that is no longer sent",
    clauses: &[clause(MODERN, Must, Severity::Error, CODES)],
    explanation: "-32002, a missing resource, and -32042, a URL to visit first, belong to older revisions. A missing \
                  resource is -32602 now, which `resource-not-found-code` reports; a URL to visit is an input request.",
    help: "answer with -32602, or ask for the input in an `input_required` result",
    fires: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32002,\"message\":\"no such thing\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32602,\"message\":\"no such thing\"}}",
    checks: &[On::Error(&[], error_code_retired)],
};

fn error_code_retired(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code") else { return };
    match code.as_i64() {
        Some(-32002) if context.method != Some("resources/read") => {
            findings.report("-32002 is no longer sent in 2026-07-28").mark(code);
        }
        Some(-32042) => {
            findings.report("-32042 is no longer sent in 2026-07-28").mark(code);
        }
        _ => {}
    }
}

const ERROR_CODE_LEGACY_RANGE: Rule = Rule {
    id: "error-code-legacy-range",
    title: "an error code has no agreed meaning",
    clauses: &[clause(MODERN, Should, Severity::Note, CODES)],
    explanation: "The codes -32019 to -32000 mean what each implementation has taken them for; new ones leave them alone. \
                  Builds before the release of 2026-07-28 used -32001, -32003 and -32004 for what are now -32020, -32021 \
                  and -32022.",
    help: "take -32603, or a code outside of -32768 to -32000",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32000,\"message\":\"busy\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32603,\"message\":\"busy\"}}",
    checks: &[On::Error(&[], error_code_legacy_range)],
};

fn error_code_legacy_range(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code") else { return };
    let Some(number) = code.as_i64().filter(|number| (-32019..=-32000).contains(number) && *number != -32002) else {
        return;
    };
    let draft = findings.report(format!("{number} has no agreed meaning in 2026-07-28"));
    draft.mark(code);
    let now = match number {
        -32001 => "if a header and the body differ, the code is -32020",
        -32003 => "if a capability of the client is missing, the code is -32021",
        -32004 => "if the version is not supported, the code is -32022",
        _ => return,
    };
    draft.help(now);
}

const ERROR_CODE_WRONG_MEANING: Rule = Rule {
    id: "error-code-wrong-meaning",
    title: "an error code of the protocol is used for something else",
    clauses: &[clause(MODERN, Must, Severity::Warning, CODES)],
    explanation: "-32020 is about HTTP headers, so that it cannot come over a pipe; where the capture does not tell the \
                  transport, that is a note. -32022 is about the version, and not for one that the server has listed as \
                  its own.",
    help: "take -32602 for wrong params and -32603 for other troubles",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32020,\"message\":\"who are you\"}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":1,\"error\":{\"code\":-32603,\"message\":\"who are you\"}}",
    checks: &[On::Error(&[], error_code_wrong_meaning)],
};

fn error_code_wrong_meaning(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code") else { return };
    match code.as_i64() {
        Some(-32020) if context.message.http.is_none() => {
            findings
                .report("-32020 is about HTTP headers, and the capture shows no HTTP")
                .mark(code)
                .at_most(Severity::Note);
        }
        Some(-32022) => {
            let version = context.request.and_then(|request| request.version.as_deref());
            let (Some(offered), Some(version)) = (&context.session.modern.offered, version) else { return };
            if offered.has(version) == Some(true) {
                findings
                    .report(format!("{} is refused, a version that the server has listed", quoted(version)))
                    .mark(code)
                    .related(Some(offered.at.0), offered.at.1, "listed here");
            }
        }
        _ => {}
    }
}

const LEGACY_TASKS_CAPABILITY: Rule = Rule {
    id: "legacy-tasks-capability",
    title: "the tasks capability of 2025-11-25 is declared in 2026-07-28",
    clauses: &[clause(MODERN, Must, Severity::Warning, TASKS_PROPOSAL)],
    explanation: "Tasks are an extension in 2026-07-28, declared below `extensions`. The capability `tasks` of 2025-11-25 \
                  is not declared beside it. Reported at the first such request of a session.",
    help: "declare `extensions` with `io.modelcontextprotocol/tasks` instead",
    fires: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"tasks\":{}}}}}",
    silent: "C> {\"id\":1,\"method\":\"prompts/list\",\"params\":{\"_meta\":{\"$M\":\"tasks\"}}}",
    checks: &[On::Request(&[], client_declares_tasks), On::Result(&["server/discover"], server_declares_tasks)],
};

fn client_declares_tasks(context: &Context<'_>, findings: &mut Findings) {
    if context.part.is_some() || !context.session.modern.at_hand || context.session.modern.legacy_tasks {
        return;
    }
    if let Some(tasks) = context.meta(CLIENT_CAPABILITIES).and_then(|capabilities| capabilities.get("tasks")) {
        findings.report("the client declares the tasks of 2025-11-25").mark(tasks);
    }
}

fn server_declares_tasks(context: &Context<'_>, findings: &mut Findings) {
    if let Some(tasks) = context.get("capabilities").and_then(|capabilities| capabilities.get("tasks")) {
        findings.report("the server declares the tasks of 2025-11-25").mark(tasks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::META_KEYS;

    #[test]
    fn keys_of_meta_have_a_prefix_and_a_name() {
        for key in ["name", "a.b-c/name", "a/", "", "a/x_y.z-1", "trace-id", "io.modelcontextprotocol/related-task"] {
            assert_eq!(wrong_with(key), None, "{key}");
        }
        for key in ["_name", "name-", "a b", "/name", "1a/name", "a./name", "a/b/c", "a-/x", "ä"] {
            assert!(wrong_with(key).is_some(), "{key}");
        }
    }

    #[test]
    fn which_prefixes_are_reserved_depends_on_the_revision() {
        let reserved = |key| [Revision::V2025_06_18, Revision::V2025_11_25].map(|revision| is_reserved(key, revision));
        assert_eq!(reserved("io.modelcontextprotocol/x"), [false, true]);
        assert_eq!(reserved("mcp.example/x"), [true, false]);
        assert_eq!(reserved("com.mcp.tools/x"), [true, true]);
        assert_eq!(reserved("com.example.mcp/x"), [false, false]);
        assert_eq!(reserved("mcp"), [false, false]);
        assert!(META_KEYS.iter().all(|row| wrong_with(row.key).is_none()));
    }

    #[test]
    fn trace_contexts_are_read_as_the_headers_are() {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert!(is_traceparent(parent) && is_traceparent(&parent.replacen("00", "cc", 1).replace("-01", "-01-more")));
        for wrong in [
            "",
            "00-0-0-0",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        ] {
            assert!(!is_traceparent(wrong), "{wrong}");
        }
        assert!(is_list("a=1, b=2;p=x,") && is_list("") && !is_list("a") && !is_list("=1"));
    }
}
