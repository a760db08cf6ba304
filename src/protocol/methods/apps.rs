//! The iframe dialect of MCP Apps, `io.modelcontextprotocol/ui`: spoken between view, host and sandbox, never on the
//! wire between client and server.

use crate::protocol::{Feature, Method, Sender};

const EXTENSION: &str = "io.modelcontextprotocol/ui";
const FINAL: &str = "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx";
const DRAFT: &str = "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/draft/apps.mdx";

const fn request(name: &'static str, sender: Sender) -> Method {
    Method {
        progress_token: false,
        extension: Some(EXTENSION),
        page: FINAL,
        ..Method::request(name, sender, Feature::Extension, "")
    }
}

const fn notification(name: &'static str, sender: Sender) -> Method {
    Method { extension: Some(EXTENSION), page: FINAL, ..Method::notification(name, sender, Feature::Extension, "") }
}

pub(super) const ROWS: &[Method] = &[
    Method {
        required_params: &["appCapabilities", "appInfo", "protocolVersion"],
        required_result: &["hostCapabilities", "hostInfo", "protocolVersion"],
        optional_result: &["hostContext"],
        summary: "The view offers its capabilities to the host and gets the host's context.",
        ..request("ui/initialize", Sender::View)
    },
    Method { summary: "The view says that it is ready.", ..notification("ui/notifications/initialized", Sender::View) },
    Method {
        required_params: &["url"],
        summary: "Asks the host to open a URL for the user.",
        ..request("ui/open-link", Sender::View)
    },
    Method {
        required_params: &["content", "role"],
        summary: "Puts a message into the host's conversation.",
        ..request("ui/message", Sender::View)
    },
    Method {
        required_params: &["mode"],
        required_result: &["mode"],
        summary: "Asks for another display mode: inline, full screen or picture in picture.",
        ..request("ui/request-display-mode", Sender::View)
    },
    Method {
        optional_params: &["content", "structuredContent"],
        summary: "Gives the host context that the model shall see in later turns.",
        ..request("ui/update-model-context", Sender::View)
    },
    Method {
        required_params: &["contents"],
        summary: "Asks the host to save files for the user (draft of the extension).",
        page: DRAFT,
        ..request("ui/download-file", Sender::View)
    },
    Method {
        required_params: &["reason"],
        summary: "Announces that the host is about to remove the view.",
        ..request("ui/resource-teardown", Sender::Host)
    },
    Method {
        required_params: &["arguments"],
        summary: "Hands the view the complete arguments of the tool call that it belongs to.",
        ..notification("ui/notifications/tool-input", Sender::Host)
    },
    Method {
        required_params: &["arguments"],
        summary: "Hands the view the arguments as far as the model has written them.",
        ..notification("ui/notifications/tool-input-partial", Sender::Host)
    },
    Method {
        required_params: &["content"],
        summary: "Hands the view the result of the tool call.",
        ..notification("ui/notifications/tool-result", Sender::Host)
    },
    Method {
        required_params: &["reason"],
        summary: "Tells the view that the tool call was cancelled.",
        ..notification("ui/notifications/tool-cancelled", Sender::Host)
    },
    Method {
        summary: "Tells the view what has changed in its surroundings, such as theme or size.",
        ..notification("ui/notifications/host-context-changed", Sender::Host)
    },
    Method {
        required_params: &["height", "width"],
        summary: "Tells the host how large the view's content is.",
        ..notification("ui/notifications/size-changed", Sender::View)
    },
    Method {
        summary: "Asks the host to remove the view (draft of the extension).",
        page: DRAFT,
        ..notification("ui/notifications/request-teardown", Sender::View)
    },
    Method {
        summary: "The sandbox proxy says that it can take the view's HTML.",
        ..notification("ui/notifications/sandbox-proxy-ready", Sender::Sandbox)
    },
    Method {
        required_params: &["html"],
        optional_params: &["csp", "permissions", "sandbox"],
        summary: "Hands the sandbox proxy the HTML to show.",
        ..notification("ui/notifications/sandbox-resource-ready", Sender::Host)
    },
];
