//! Where `_meta` stands inside of messages, beside that of the message itself: on tools, prompts, resources, roots and on
//! blocks of content. Tool arguments, structured content and log data are not the protocol's, and not looked into.

use super::Context;
use crate::jsonrpc::RawJson;

/// Methods whose results hold such objects.
pub(super) const HOLDERS: &[&str] = &[
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "roots/list",
    "sampling/createMessage",
    "tools/call",
    "tools/list",
];

/// The members of such results, and of sampling requests, that hold them.
const MEMBERS: &[&str] =
    &["content", "contents", "messages", "prompts", "resourceTemplates", "resources", "roots", "tools"];

/// Gives each `_meta` inside of the message to `see`.
pub(super) fn each_meta(context: &Context<'_>, see: &mut dyn FnMut(RawJson<'_>)) {
    if !context.inner_meta {
        return;
    }
    for member in MEMBERS {
        for entry in context.get(member).into_iter().flat_map(RawJson::elements) {
            let inner = entry.get("content");
            let blocks = inner.into_iter().chain(inner.into_iter().flat_map(RawJson::elements));
            for holder in std::iter::once(entry).chain(entry.get("resource")).chain(blocks) {
                if let Some(meta) = holder.get("_meta") {
                    see(meta);
                }
            }
        }
    }
}
