//! MCP Apps between client and server: the views of tools, and what does not belong on this wire.
//! ext-apps, specification/2026-01-26.

use super::book::view;
use super::rule::Strength::{Must, Should};
use super::{ALL, Context, Family, Findings, On, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::Side;

pub(super) const FAMILY: Family = Family {
    title: "Extension io.modelcontextprotocol/ui (MCP Apps), client-server side",
    rules: &[&UI_RESOURCE_URI_SCHEME, &UI_MIME_TYPE, &UI_NO_TEXT_FALLBACK, &UI_METHOD_ON_MCP_WIRE],
};

const FORMAT: &str =
    "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#ui-resource-format";
const CONTENT: &str =
    "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#content-requirements";
const DEGRADATION: &str =
    "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#graceful-degradation";
const PROXY: &str =
    "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#sandbox-proxy";

const VIEW: &str = "ui://";
const MIME_TYPE: &str = "text/html;profile=mcp-app";

const UI_RESOURCE_URI_SCHEME: Rule = Rule {
    id: "ui-resource-uri-scheme",
    title: "the view of a tool is no ui: resource",
    clauses: &[clause(ALL, Must, Severity::Error, FORMAT)],
    explanation: "The view of a tool is a resource of the server, whose URI begins with `ui://`. In the flat member \
                  `ui/resourceUri`, which is deprecated, another URI is a note.",
    help: "serve the page as a resource with a `ui://` URI",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"chart\",\"inputSchema\":{\"type\":\"object\"},\"_meta\":{\"ui\":{\"resourceUri\":\"file:///chart.html\"}}}]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"chart\",\"inputSchema\":{\"type\":\"object\"},\"_meta\":{\"ui\":{\"resourceUri\":\"ui://chart\"}}}]}}",
    checks: &[On::Result(&["tools/list"], ui_resource_uri_scheme)],
};

fn ui_resource_uri_scheme(context: &Context<'_>, findings: &mut Findings) {
    for tool in context.get("tools").into_iter().flat_map(RawJson::elements) {
        let Some((uri, flat)) = view(tool) else { continue };
        if uri.as_str().is_some_and(|uri| uri.starts_with(VIEW)) {
            continue;
        }
        let draft = findings.report(format!("{} is no `ui://` URI", quoted(uri.text())));
        draft.mark(uri);
        if flat {
            draft.at_most(Severity::Note);
        }
    }
}

const UI_MIME_TYPE: Rule = Rule {
    id: "ui-mime-type",
    title: "a view has another MIME type than views have",
    clauses: &[clause(ALL, Must, Severity::Error, CONTENT)],
    explanation: "The contents of a `ui://` resource are `text/html;profile=mcp-app`. Judged where the client has declared \
                  the extension; without it nobody shows the resource as a view.",
    help: "send `\"mimeType\":\"text/html;profile=mcp-app\"`",
    fires: "@init 2025-11-25 {\"extensions\":{\"io.modelcontextprotocol/ui\":{\"mimeTypes\":[\"text/html;profile=mcp-app\"]}}} {\"resources\":{}}\nC> {\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"ui://chart\"}}\nS> {\"id\":1,\"result\":{\"contents\":[{\"uri\":\"ui://chart\",\"text\":\"<p>\"}]}}",
    silent: "@init 2025-11-25 {\"extensions\":{\"io.modelcontextprotocol/ui\":{\"mimeTypes\":[\"text/html;profile=mcp-app\"]}}} {\"resources\":{}}\nC> {\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"ui://chart\"}}\nS> {\"id\":1,\"result\":{\"contents\":[{\"uri\":\"ui://chart\",\"mimeType\":\"text/html;profile=mcp-app\",\"text\":\"<p>\"}]}}",
    checks: &[On::Result(&["resources/read"], ui_mime_type)],
};

fn ui_mime_type(context: &Context<'_>, findings: &mut Findings) {
    let negotiated = || context.declared(Side::Client, &["extensions", "io.modelcontextprotocol/ui"]) == Some(true);
    if !context.is_whole() {
        return;
    }
    for item in context.get("contents").into_iter().flat_map(RawJson::elements) {
        let is_view = item.get("uri").and_then(RawJson::as_str).is_some_and(|uri| uri.starts_with(VIEW));
        if !is_view || !negotiated() {
            continue;
        }
        let mime = item.get("mimeType");
        let is_right = |text: &str| {
            let written = text.bytes().filter(|byte| *byte != b' ').map(|byte| byte.to_ascii_lowercase());
            written.eq(MIME_TYPE.bytes())
        };
        match mime {
            None => {
                findings.report("the contents of a view have no `mimeType`").mark(item);
            }
            Some(mime) if !mime.as_str().is_some_and(|text| is_right(&text)) => {
                findings.report(format!("a view is `{MIME_TYPE}`, not {}", quoted(mime.text()))).mark(mime);
            }
            Some(_) => {}
        }
    }
}

const UI_NO_TEXT_FALLBACK: Rule = Rule {
    id: "ui-no-text-fallback",
    title: "a tool with a view returns nothing else",
    clauses: &[clause(ALL, Must, Severity::Warning, DEGRADATION)],
    explanation: "Hosts without views, and the model, see the content of the result: a tool with a view returns content as \
                  well. Reported when the content of such a tool is empty.",
    help: "put what the view shows into `content`, as text",
    fires: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"chart\",\"inputSchema\":{\"type\":\"object\"},\"_meta\":{\"ui\":{\"resourceUri\":\"ui://chart\"}}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"chart\"}}\nS> {\"id\":2,\"result\":{\"content\":[]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/list\"}\nS> {\"id\":1,\"result\":{\"tools\":[{\"name\":\"chart\",\"inputSchema\":{\"type\":\"object\"}}]}}\nC> {\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"chart\"}}\nS> {\"id\":2,\"result\":{\"content\":[]}}",
    checks: &[On::Result(&["tools/call"], ui_no_text_fallback)],
};

fn ui_no_text_fallback(context: &Context<'_>, findings: &mut Findings) {
    if !context.session.views.has(context.request) {
        return;
    }
    let is_empty = |content: &RawJson<'_>| content.kind() == JsonKind::Array && content.elements().next().is_none();
    if let Some(content) = context.get("content").filter(is_empty) {
        findings.report("the content of a tool with a view is empty").mark(content);
    }
}

const UI_METHOD_ON_MCP_WIRE: Rule = Rule {
    id: "ui-method-on-mcp-wire",
    title: "a message between view and host is sent to the other side of the session",
    clauses: &[clause(ALL, Should, Severity::Warning, PROXY)],
    explanation: "Methods that begin with `ui/` go between a view and the host that shows it. A host passes other methods on \
                  to the server, and keeps these. Captures of the channel between view and host are not judged.",
    help: "handle `ui/` methods in the host",
    fires: "@init 2025-11-25 {} {\"tools\":{}}\nC> {\"method\":\"ui/notifications/size-changed\",\"params\":{\"width\":1,\"height\":1}}",
    silent: "C> {\"method\":\"ui/notifications/size-changed\",\"params\":{\"width\":1,\"height\":1}}",
    checks: &[On::Request(&[], ui_method_on_mcp_wire), On::Notification(&[], ui_method_on_mcp_wire)],
};

fn ui_method_on_mcp_wire(context: &Context<'_>, findings: &mut Findings) {
    let Some(method) = context.method.filter(|method| method.starts_with("ui/")) else { return };
    let session = context.session;
    if session.lifecycle.initialize.is_some() || session.modern.client.is_some() {
        findings.report(format!("{} belongs between view and host", quoted(method))).mark(context.top("method"));
    }
}
