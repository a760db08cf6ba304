//! Elicitation: what a server may ask for, what a client may answer, and requests that lead to a URL.
//! client/elicitation from 2025-06-18 on.

use super::book::{Elicited, required_elicitations};
use super::rule::Strength::{Implied, Must, Schema, Should};
use super::{Context, Family, Findings, On, Revisions, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::Revision;

pub(super) const FAMILY: Family = Family {
    title: "Elicitation",
    rules: &[
        &ELICITATION_SCHEMA_RESTRICTED,
        &ELICITATION_FORMAT_UNSUPPORTED,
        &ELICITATION_URL_INVALID,
        &ELICITATION_CONTENT_MISMATCH,
        &ELICITATION_CONTENT_UNEXPECTED,
        &ELICITATION_SENSITIVE_FORM,
        &ELICITATION_COMPLETE_UNKNOWN,
        &ELICITATION_ID_DUPLICATE,
        &URL_ELICITATION_ERROR_SHAPE,
    ],
};

const FIRST: Revisions = Revisions::only(Revision::V2025_06_18);
const WITH_MODES: Revisions = Revisions::since(Revision::V2025_11_25);
const WITH_IDS: Revisions = Revisions::only(Revision::V2025_11_25);
const ANY: Revisions = Revisions::since(Revision::V2025_06_18);

fn is_url_mode(params: RawJson<'_>) -> bool {
    params.get("mode").and_then(RawJson::as_str).is_some_and(|mode| mode == "url")
}

/// The form that a request asks to fill in.
fn form<'a>(context: &Context<'a>) -> Option<RawJson<'a>> {
    context.body.raw.filter(|params| !is_url_mode(*params))?.get("requestedSchema")
}

fn text_of<'a>(value: RawJson<'a>, member: &str) -> Option<std::borrow::Cow<'a, str>> {
    value.get(member)?.as_str()
}

const ELICITATION_SCHEMA_RESTRICTED: Rule = Rule {
    id: "elicitation-schema-restricted",
    title: "a form asks for more than plain fields",
    clauses: &[
        clause(FIRST, Schema, Severity::Error, "client/elicitation#request-schema"),
        clause(WITH_MODES, Schema, Severity::Error, "client/elicitation#requested-schema"),
    ],
    explanation: "`requestedSchema` is an object of plain properties: strings, numbers, integers, booleans and choices of \
                  strings; from 2025-11-25 on also choices with titles and arrays of choices. Nested objects, other arrays, \
                  references and combinations are beyond what a client has to draw.",
    help: "flatten the form, or ask several times",
    fires: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Where to?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"stops\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}}}",
    silent: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Where to?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"stop\":{\"type\":\"string\",\"enum\":[\"north\",\"south\"]}}}}}",
    checks: &[On::Request(&["elicitation/create"], elicitation_schema_restricted)],
};

fn elicitation_schema_restricted(context: &Context<'_>, findings: &mut Findings) {
    let Some(form) = form(context).filter(|_| context.is_whole()) else { return };
    if text_of(form, "type").is_none_or(|kind| kind != "object") {
        findings.report("`requestedSchema` has to have `\"type\":\"object\"`").mark(form.get("type").unwrap_or(form));
    }
    if let Some((name, part)) = combination(form) {
        findings.report(format!("`{name}` is not allowed in `requestedSchema`")).mark(part);
    }
    for (name, property) in form.get("properties").into_iter().flat_map(RawJson::members) {
        if let Some(fault) = fault(property, context.revision) {
            findings.report(format!("the field {} {fault}", quoted(&name))).mark(property);
        } else if property.get("enumNames").is_some() && context.revision >= Revision::V2025_11_25 {
            findings
                .report(format!("the field {} has `enumNames`, which `oneOf` with titles has replaced", quoted(&name)))
                .mark(property.get("enumNames"))
                .at_most(Severity::Note);
        }
    }
}

/// A keyword that puts schemas together.
fn combination(schema: RawJson<'_>) -> Option<(&'static str, RawJson<'_>)> {
    ["$ref", "allOf", "anyOf", "oneOf", "not", "if"].into_iter().find_map(|name| Some((name, schema.get(name)?)))
}

/// Why a property is no plain field.
fn fault(property: RawJson<'_>, revision: Revision) -> Option<String> {
    let titled = revision >= Revision::V2025_11_25;
    let choices = property.get("oneOf").filter(|_| titled);
    let combined = combination(property).filter(|(name, _)| !(*name == "oneOf" && choices.is_some_and(is_titled)));
    if let Some((name, _)) = combined {
        return Some(format!("has `{name}`, which is not allowed in a form"));
    }
    match text_of(property, "type").as_deref() {
        Some("string" | "number" | "integer" | "boolean") => None,
        Some("array") if titled => {
            let items = property.get("items");
            let listed = items.and_then(|items| items.get("enum")).is_some();
            let chosen = items.and_then(|items| items.get("anyOf")).is_some_and(is_titled);
            (!listed && !chosen).then(|| "is an array of something else than choices".to_owned())
        }
        Some(kind) => Some(format!("is of type {}, which a form cannot have", quoted(kind))),
        None => Some("has no type".to_owned()),
    }
}

/// Whether alternatives are constants, each maybe with its title.
fn is_titled(alternatives: RawJson<'_>) -> bool {
    alternatives.kind() == JsonKind::Array && alternatives.elements().all(|choice| choice.get("const").is_some())
}

const ELICITATION_FORMAT_UNSUPPORTED: Rule = Rule {
    id: "elicitation-format-unsupported",
    title: "a field has a format that forms do not know",
    clauses: &[
        clause(FIRST, Schema, Severity::Warning, "client/elicitation#supported-schema-types"),
        clause(WITH_MODES, Schema, Severity::Warning, "client/elicitation#requested-schema"),
    ],
    explanation: "The `format` of a text field is email, uri, date or date-time.",
    help: "leave `format` out and say in `description` what is wanted",
    fires: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"When?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"string\",\"format\":\"time\"}}}}}",
    silent: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"When?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"string\",\"format\":\"date-time\"}}}}}",
    checks: &[On::Request(&["elicitation/create"], elicitation_format_unsupported)],
};

fn elicitation_format_unsupported(context: &Context<'_>, findings: &mut Findings) {
    let properties = form(context).and_then(|form| form.get("properties"));
    for (name, property) in properties.into_iter().flat_map(RawJson::members) {
        let Some(format) = property.get("format") else { continue };
        if !matches!(format.text(), "\"email\"" | "\"uri\"" | "\"date\"" | "\"date-time\"") {
            let message = format!(
                "the field {} has the format {}, which no form has to know",
                quoted(&name),
                quoted(format.text())
            );
            findings.report(message).mark(format);
        }
    }
}

const ELICITATION_URL_INVALID: Rule = Rule {
    id: "elicitation-url-invalid",
    title: "a user is sent to something that is no URL",
    clauses: &[clause(WITH_MODES, Must, Severity::Error, "client/elicitation#url-mode-elicitation-requests")],
    explanation: "In URL mode `url` is a valid URL. One without TLS that leads to another machine is a note.",
    help: "send the whole address, with `https://`",
    fires: "@init 2025-11-25 {\"elicitation\":{\"url\":{}}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"Sign in\",\"url\":\"/sign-in\",\"elicitationId\":\"e4\"}}",
    silent: "@init 2025-11-25 {\"elicitation\":{\"url\":{}}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"Sign in\",\"url\":\"https://notes.example/sign-in\",\"elicitationId\":\"e4\"}}",
    checks: &[On::Request(&["elicitation/create"], elicitation_url_invalid)],
};

fn elicitation_url_invalid(context: &Context<'_>, findings: &mut Findings) {
    let Some(params) = context.body.raw.filter(|params| is_url_mode(*params)) else { return };
    let Some(url) = params.get("url") else { return };
    let Some(text) = url.as_str() else { return };
    match host(&text) {
        None => {
            findings.report(format!("{} is no URL", quoted(&text))).mark(url);
        }
        Some(host) if text.starts_with("http:") && !is_local(host) => {
            findings
                .report(format!("{} leads over a connection without TLS", quoted(&text)))
                .mark(url)
                .at_most(Severity::Note);
        }
        Some(_) => {}
    }
}

/// The host of an absolute URL (RFC 3986, section 3).
fn host(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let mut bytes = scheme.bytes();
    let is_scheme = bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let clean = !url
        .bytes()
        .any(|byte| byte.is_ascii_whitespace() || byte.is_ascii_control() || b"<>\"{}|\\^`".contains(&byte));
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    (is_scheme && clean && !host.is_empty()).then_some(host)
}

fn is_local(host: &str) -> bool {
    let name = host.split(':').next().unwrap_or(host);
    name.eq_ignore_ascii_case("localhost") || name.starts_with("127.") || host.starts_with("[::1]")
}

const ELICITATION_CONTENT_MISMATCH: Rule = Rule {
    id: "elicitation-content-mismatch",
    title: "an accepted form does not fit what was asked for",
    clauses: &[
        clause(FIRST, Should, Severity::Warning, "client/elicitation#security-considerations"),
        clause(WITH_MODES, Should, Severity::Warning, "client/elicitation#form-mode-security"),
    ],
    explanation: "With the action `accept` the content of a form is there and fits `requestedSchema`; client and server \
                  should both check it.",
    help: "validate what the user has filled in before sending it",
    fires: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"How many?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"maximum\":5}}}}}\nC> {\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{\"n\":12}}}",
    silent: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"How many?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"maximum\":5}}}}}\nC> {\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{\"n\":5}}}",
    checks: &[On::Result(&["elicitation/create"], elicitation_content_mismatch)],
};

fn elicitation_content_mismatch(context: &Context<'_>, findings: &mut Findings) {
    let Some(request) = context.request.filter(|_| context.is_whole()) else { return };
    let Some(params) = request.params.as_deref().and_then(RawJson::new) else { return };
    let accepted = context.get("action").and_then(RawJson::as_str).is_some_and(|action| action == "accept");
    let Some(schema) = params.get("requestedSchema").filter(|_| accepted && !is_url_mode(params)) else { return };
    let Some(content) = context.get("content") else {
        findings.report("the form is accepted, but there is no `content`").mark(context.body.raw).related(
            Some(request.at.0),
            request.at.1,
            "the form",
        );
        return;
    };
    let mismatch =
        context.schemas.get(schema).and_then(|schema| schema.mismatch(content)).map(|mismatch| mismatch.what);
    if let Some(what) = mismatch.or_else(|| misformatted(schema, content)) {
        findings.report(format!("the content does not fit the form: {what}")).mark(content).related(
            Some(request.at.0),
            request.at.1,
            "the form",
        );
    }
}

/// The first field whose text is not of its format.
fn misformatted(schema: RawJson<'_>, content: RawJson<'_>) -> Option<String> {
    let properties = schema.get("properties")?;
    properties.members().find_map(|(name, property)| {
        let text = content.get(&name)?.as_str()?;
        let format = text_of(property, "format")?;
        let fits = match &*format {
            "email" => text.split_once('@').is_some_and(|(user, host)| !user.is_empty() && !host.is_empty()),
            "uri" => text.split_once(':').is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty()),
            "date" => text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok(),
            "date-time" => text.parse::<jiff::Timestamp>().is_ok(),
            _ => true,
        };
        (!fits).then(|| format!("{} is no {format}", quoted(&text)))
    })
}

const ELICITATION_CONTENT_UNEXPECTED: Rule = Rule {
    id: "elicitation-content-unexpected",
    title: "content where there is nothing to bring",
    clauses: &[clause(ANY, Implied, Severity::Note, "client/elicitation#response-actions")],
    explanation: "Content comes with the action `accept` of a form. Who declines or cancels gives none, and in URL mode there \
                  is never any; that is a warning.",
    help: "leave `content` out",
    fires: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"How many?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}\nC> {\"id\":1,\"result\":{\"action\":\"cancel\",\"content\":{\"n\":1}}}",
    silent: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"How many?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}\nC> {\"id\":1,\"result\":{\"action\":\"cancel\"}}",
    checks: &[On::Result(&["elicitation/create"], elicitation_content_unexpected)],
};

fn elicitation_content_unexpected(context: &Context<'_>, findings: &mut Findings) {
    let Some(content) = context.get("content") else { return };
    let params = context.request.and_then(|request| request.params.as_deref()).and_then(RawJson::new);
    if params.is_some_and(is_url_mode) {
        findings.report("an elicitation by URL has no `content`").mark(content).severity(Severity::Warning);
    } else if let Some(action) = context.get("action").and_then(RawJson::as_str).filter(|action| action != "accept") {
        findings.report(format!("the action {} brings `content`", quoted(&action))).mark(content);
    }
}

const ELICITATION_SENSITIVE_FORM: Rule = Rule {
    id: "elicitation-sensitive-form",
    title: "a form seems to ask for a secret",
    clauses: &[
        clause(FIRST, Must, Severity::Note, "client/elicitation#security-considerations"),
        clause(WITH_MODES, Must, Severity::Note, "client/elicitation#form-mode-security"),
    ],
    explanation: "Forms must not ask for passwords, API keys, tokens or means of payment: what is filled in passes through \
                  the client and may reach a model. The rule goes by words, hence a note.",
    help: "send the user to a page of the server, in URL mode",
    fires: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Sign in\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"password\":{\"type\":\"string\"}}}}}",
    silent: "@init 2025-06-18 {\"elicitation\":{}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Sign in\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}}",
    checks: &[On::Request(&["elicitation/create"], elicitation_sensitive_form)],
};

fn elicitation_sensitive_form(context: &Context<'_>, findings: &mut Findings) {
    let Some(form) = form(context) else { return };
    for (name, property) in form.get("properties").into_iter().flat_map(RawJson::members) {
        let title = text_of(property, "title");
        if let Some(word) = secret(&name).or_else(|| secret(title.as_deref()?)) {
            findings.report(format!("the field {} seems to ask for a secret ({word})", quoted(&name))).mark(property);
            return;
        }
    }
    if let Some(message) = context.get("message")
        && let Some(word) = message.as_str().and_then(|text| secret(&text))
    {
        findings.report(format!("the form seems to ask for a secret ({word})")).mark(message);
    }
}

/// What secret a text names.
fn secret(text: &str) -> Option<&'static str> {
    /// In lower case, words apart by blanks.
    const WORDS: [&str; 20] = [
        "password",
        "passphrase",
        "passcode",
        "passwd",
        "api key",
        "apikey",
        "api token",
        "access token",
        "auth token",
        "bearer token",
        "refresh token",
        "secret key",
        "client secret",
        "private key",
        "credit card",
        "card number",
        "cvv",
        "cvc",
        "security code",
        "iban",
    ];
    let mut plain = String::with_capacity(text.len() + 2);
    let mut before = ' ';
    plain.push(' ');
    for char in text.chars().take(4_096) {
        if char.is_uppercase() && before.is_lowercase() {
            plain.push(' ');
        }
        plain.extend(if char.is_alphanumeric() { char.to_lowercase().next() } else { Some(' ') });
        before = char;
    }
    plain.push(' ');
    let alone = (plain.trim() == "token" || plain.trim() == "secret").then_some("token or secret");
    WORDS.into_iter().find(|word| plain.contains(&format!(" {word}"))).or(alone)
}

const ELICITATION_COMPLETE_UNKNOWN: Rule = Rule {
    id: "elicitation-complete-unknown",
    title: "an elicitation is complete that was never begun, or for the second time",
    clauses: &[clause(
        WITH_IDS,
        Must,
        Severity::Warning,
        "client/elicitation#completion-notifications-for-url-mode-elicitation",
    )],
    explanation: "`notifications/elicitation/complete` names the id of an elicitation by URL that the server has sent in a \
                  request or in an error -32042, and comes once. The rule is silent when the capture begins after the \
                  session did.",
    help: "send the id that the elicitation was sent with, once",
    fires: "@init 2025-11-25 {\"elicitation\":{\"url\":{}}} {}\nS> {\"method\":\"notifications/elicitation/complete\",\"params\":{\"elicitationId\":\"e5\"}}",
    silent: "@init 2025-11-25 {\"elicitation\":{\"url\":{}}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"Sign in\",\"url\":\"https://notes.example/sign-in\",\"elicitationId\":\"e5\"}}\nC> {\"id\":1,\"result\":{\"action\":\"accept\"}}\nS> {\"method\":\"notifications/elicitation/complete\",\"params\":{\"elicitationId\":\"e5\"}}",
    checks: &[On::Notification(&["notifications/elicitation/complete"], elicitation_complete_unknown)],
};

fn elicitation_complete_unknown(context: &Context<'_>, findings: &mut Findings) {
    let elicitations = &context.session.elicitations;
    let Some(id) = context.get("elicitationId") else { return };
    let Some(text) = id.as_str() else { return };
    match elicitations.get(&text) {
        None if context.session.has_beginning() && elicitations.is_complete() => {
            findings.report(format!("no elicitation has the id {}", quoted(&text))).mark(id);
        }
        Some(Elicited { completed: Some(at), .. }) => {
            findings.report(format!("the elicitation {} is complete already", quoted(&text))).mark(id).related(
                Some(at.0),
                at.1,
                "told before",
            );
        }
        _ => {}
    }
}

const ELICITATION_ID_DUPLICATE: Rule = Rule {
    id: "elicitation-id-duplicate",
    title: "two elicitations have the same id",
    clauses: &[clause(WITH_IDS, Must, Severity::Warning, "client/elicitation#url-mode-elicitation-requests")],
    explanation: "`elicitationId` is unique within the server. One and the same elicitation may be sent again.",
    help: "give each elicitation an id of its own",
    fires: "@init 2025-11-25 {\"elicitation\":{\"url\":{}}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"Sign in\",\"url\":\"https://notes.example/a\",\"elicitationId\":\"e6\"}}\nS> {\"id\":2,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"Pay\",\"url\":\"https://notes.example/b\",\"elicitationId\":\"e6\"}}",
    silent: "@init 2025-11-25 {\"elicitation\":{\"url\":{}}} {}\nS> {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"Sign in\",\"url\":\"https://notes.example/a\",\"elicitationId\":\"e6\"}}\nS> {\"id\":2,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"Sign in\",\"url\":\"https://notes.example/a\",\"elicitationId\":\"e6\"}}",
    checks: &[On::Request(&["elicitation/create"], elicitation_id_duplicate), On::Error(&[], required_id_duplicate)],
};

fn elicitation_id_duplicate(context: &Context<'_>, findings: &mut Findings) {
    if let Some(params) = context.body.raw.filter(|params| is_url_mode(*params)) {
        judge_id(context, params, findings);
    }
}

fn required_id_duplicate(context: &Context<'_>, findings: &mut Findings) {
    required_elicitations(context).for_each(|elicitation| judge_id(context, elicitation, findings));
}

fn judge_id(context: &Context<'_>, elicitation: RawJson<'_>, findings: &mut Findings) {
    if let Some(other) = context.session.elicitations.other(elicitation) {
        findings.report("another elicitation has this id").mark(elicitation.get("elicitationId")).related(
            Some(other.at.0),
            other.at.1,
            "the other one",
        );
    }
}

const URL_ELICITATION_ERROR_SHAPE: Rule = Rule {
    id: "url-elicitation-error-shape",
    title: "an error -32042 does not say where to go",
    clauses: &[clause(WITH_IDS, Must, Severity::Error, "client/elicitation#url-elicitation-required-error")],
    explanation: "The error -32042 lists in `data.elicitations` at least one elicitation, each in URL mode and with its \
                  `elicitationId`, so that the client can send its user there and try again.",
    help: "send the list of elicitations in `data`",
    fires: "@init 2025-11-25 {\"elicitation\":{\"url\":{}}} {\"tools\":{}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\"}}\nS> {\"id\":2,\"error\":{\"code\":-32042,\"message\":\"sign in first\"}}",
    silent: "@init 2025-11-25 {\"elicitation\":{\"url\":{}}} {\"tools\":{}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"find\"}}\nS> {\"id\":2,\"error\":{\"code\":-32042,\"message\":\"sign in first\",\"data\":{\"elicitations\":[{\"mode\":\"url\",\"message\":\"Sign in\",\"url\":\"https://notes.example/a\",\"elicitationId\":\"e7\"}]}}}",
    checks: &[On::Error(&[], url_elicitation_error_shape)],
};

fn url_elicitation_error_shape(context: &Context<'_>, findings: &mut Findings) {
    let code = context.message.error.as_ref().and_then(|error| error.code);
    if code != Some(super::book::URL_ELICITATION_REQUIRED) || !context.is_whole() {
        return;
    }
    let mut listed = required_elicitations(context).peekable();
    if listed.peek().is_none() {
        findings
            .report("the error -32042 lists no elicitations in `data.elicitations`")
            .mark(context.get("data").or(context.body.raw));
    }
    for elicitation in listed {
        if !is_url_mode(elicitation) {
            findings.report("an elicitation of the error -32042 is not in URL mode").mark(elicitation);
        } else if elicitation.get("elicitationId").is_none() {
            findings.report("an elicitation of the error -32042 has no `elicitationId`").mark(elicitation);
        }
    }
}
