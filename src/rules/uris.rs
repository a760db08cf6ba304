//! Addresses: URIs of resources, and the sources of icons.

use super::rule::Strength::{Must, Schema};
use super::{Context, Findings, MODERN, On, Revisions, Rule, clause, quoted};
use crate::annotate::{Kind, Severity};
use crate::jsonrpc::RawJson;
use crate::protocol::Revision;

pub(super) const URI_SYNTAX: Rule = Rule {
    id: "uri-syntax",
    title: "a resource whose URI is none",
    clauses: &[
        clause(
            Revisions::between(Revision::V2024_11_05, Revision::V2025_03_26),
            Schema,
            Severity::Warning,
            "server/resources#common-uri-schemes",
        ),
        clause(
            Revisions::between(Revision::V2025_06_18, Revision::V2025_11_25),
            Must,
            Severity::Warning,
            "server/resources#common-uri-schemes",
        ),
        clause(MODERN, Must, Severity::Warning, "server/resources#custom-uri-schemes"),
    ],
    explanation: "The URI of a resource follows RFC 3986: a scheme and a colon first, and neither blanks nor control characters. A \
                  path alone is no URI.",
    help: "write the scheme, such as `file://`, and encode blanks as %20",
    fires: "C> {\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"file:///my notes\"}}",
    silent: "C> {\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"urn:isbn:0451450523\"}}",
    checks: &[
        On::Request(&["resources/read", "resources/subscribe", "resources/unsubscribe"], own_uri),
        On::Notification(&["notifications/resources/updated"], own_uri),
        On::Result(&["resources/list"], listed_uris),
        On::Result(&["resources/read"], content_uris),
        On::With("content-block-shape"),
    ],
};

fn own_uri(context: &Context<'_>, findings: &mut Findings) {
    judge(context.get("uri"), findings);
}

fn listed_uris(context: &Context<'_>, findings: &mut Findings) {
    for resource in context.get("resources").into_iter().flat_map(RawJson::elements) {
        judge(resource.get("uri"), findings);
    }
}

fn content_uris(context: &Context<'_>, findings: &mut Findings) {
    for contents in context.get("contents").into_iter().flat_map(RawJson::elements) {
        judge(contents.get("uri"), findings);
    }
}

/// Judges the URI of a resource.
pub(super) fn judge(uri: Option<RawJson<'_>>, findings: &mut Findings) {
    let Some(text) = uri.and_then(RawJson::as_str) else { return };
    let fault = match scheme(&text) {
        None => "has no scheme",
        Some(_) if text.contains(|c: char| c == ' ' || c.is_control()) => "holds a blank or a control character",
        Some(_) => return,
    };
    findings.report(format!("the URI {} {fault}", quoted(&text))).mark(uri).under("uri-syntax");
}

/// The scheme of a URI (RFC 3986, 3.1).
pub(super) fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let begins = scheme.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    (begins && scheme.bytes().all(inner)).then_some(scheme)
}

pub(super) const ICON_SRC_SCHEME: Rule = Rule {
    id: "icon-src-scheme",
    title: "an icon from an address that readers reject",
    clauses: &[clause(Revisions::since(Revision::V2025_11_25), Must, Severity::Warning, "basic/index#icons")],
    explanation: "The source of an icon is an `https:` or `data:` URI; readers have to reject `javascript:`, `file:`, `ftp:`, `ws:` \
                  and the like. `http:` is a note: the definition of the member names it, the text on security does not.",
    help: "serve the icon over https, or embed it as `data:`",
    fires: "@init 2025-11-25 {} {\"prompts\":{}}\nC> {\"id\":1,\"method\":\"prompts/list\"}\nS> {\"id\":1,\"result\":{\"prompts\":[{\"name\":\"p\",\"icons\":[{\"src\":\"file:///i.png\"}]}]}}",
    silent: "@init 2025-11-25 {} {\"prompts\":{}}\nC> {\"id\":1,\"method\":\"prompts/list\"}\nS> {\"id\":1,\"result\":{\"prompts\":[{\"name\":\"p\",\"icons\":[{\"src\":\"data:image/png;base64,aGk=\"}]}]}}",
    checks: &[
        On::Result(&["tools/list", "prompts/list", "resources/list", "resources/templates/list"], listed_icons),
        On::Request(&["initialize"], icons_of_peers),
        On::Result(&["initialize", "server/discover"], icons_of_peers),
    ],
};

fn listed_icons(context: &Context<'_>, findings: &mut Findings) {
    let list = ["tools", "prompts", "resources", "resourceTemplates"].iter().find_map(|name| context.get(name));
    for entry in list.into_iter().flat_map(RawJson::elements) {
        icons(entry.get("icons"), findings);
    }
}

fn icons_of_peers(context: &Context<'_>, findings: &mut Findings) {
    let own = match context.kind {
        Kind::Request => context.get("clientInfo"),
        _ => context.get("serverInfo").or(context.meta("io.modelcontextprotocol/serverInfo")),
    };
    icons(own.and_then(|info| info.get("icons")), findings);
}

fn icons(icons: Option<RawJson<'_>>, findings: &mut Findings) {
    for src in icons.into_iter().flat_map(RawJson::elements).filter_map(|icon| icon.get("src")) {
        let Some(text) = src.as_str() else { continue };
        let scheme = scheme(&text).map(str::to_ascii_lowercase);
        match scheme.as_deref() {
            Some("https" | "data") => {}
            Some("http") => {
                findings.report("the source of an icon is not encrypted").mark(src).at_most(Severity::Note);
            }
            _ => {
                findings.report(format!("readers reject an icon from {}", quoted(&text))).mark(src);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::scheme;

    #[test]
    fn a_scheme_is_letters_before_a_colon() {
        for (uri, wanted) in [
            ("file:///a", Some("file")),
            ("x-note+1.2:z", Some("x-note+1.2")),
            ("/etc/motd", None),
            ("1a:b", None),
            (":a", None),
            ("a b:c", None),
        ] {
            assert_eq!(scheme(uri), wanted, "{uri}");
        }
    }
}
