//! The tools of a session that have a view (extension io.modelcontextprotocol/ui).

use compact_str::CompactString;
use hashbrown::HashSet;

use super::{Asked, Caps};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// Tools with a view, kept of a session.
const MAX_TOOLS: usize = 1_024;

/// Tools by name, as listed last.
#[derive(Debug, Default)]
pub struct Views(HashSet<CompactString>);

impl Views {
    /// Whether the tool that a call names has a view.
    pub fn has(&self, call: Option<&Asked>) -> bool {
        call.and_then(|call| call.target.as_ref()).is_some_and(|tool| self.0.contains(tool))
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        if seen.kind != Kind::Response || seen.method != Some("tools/list") || !seen.is_result() {
            return;
        }
        for tool in seen.get("tools").into_iter().flat_map(RawJson::elements) {
            let Some(name) = tool.get("name").and_then(RawJson::as_str) else { continue };
            if view(tool).is_none() {
                self.0.remove(name.as_ref());
            } else if self.0.len() < MAX_TOOLS {
                self.0.insert(CompactString::from(name));
            } else {
                caps.lost("rule-views", 1);
            }
        }
    }
}

/// The URI of the view of a listed tool, and whether it stands in the flat member that is deprecated.
pub fn view(tool: RawJson<'_>) -> Option<(RawJson<'_>, bool)> {
    let meta = tool.get("_meta")?;
    match meta.get("ui").and_then(|ui| ui.get("resourceUri")) {
        Some(uri) => Some((uri, false)),
        None => Some((meta.get("ui/resourceUri")?, true)),
    }
}
