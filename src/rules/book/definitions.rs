//! What the definitions of tools were when they were listed, as hashes, and which of them have changed.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashMap;

use super::tools::entries;
use super::{Caps, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// Tools of a session that are remembered.
const MAX_TOOLS: usize = 4_096;

#[derive(Debug)]
struct Definition {
    text: u64,
    at: Spot,
    /// It is not what it was, and was not called since.
    changed: bool,
}

/// The definitions of a session.
#[derive(Debug, Default)]
pub struct Definitions {
    tools: HashMap<u64, Definition>,
    hasher: RandomState,
    /// Definitions that have changed so far; mostly none.
    changes: u64,
}

impl Definitions {
    /// Where a listed tool was defined otherwise.
    pub fn before(&self, tool: RawJson<'_>) -> Option<Spot> {
        let known = self.tools.get(&self.name(tool)?)?;
        (known.text != self.text(tool)).then_some(known.at)
    }

    /// Where the definition of a tool that has changed and was not called since stands.
    pub fn changed(&self, name: &str) -> Option<Spot> {
        self.tools.get(&self.hasher.hash_one(name)).filter(|known| known.changed).map(|known| known.at)
    }

    fn name(&self, tool: RawJson<'_>) -> Option<u64> {
        Some(self.hasher.hash_one(&*tool.get("name")?.as_str()?))
    }

    /// A hash that does not depend on the order of the members; `_meta` is not for the model.
    fn text(&self, tool: RawJson<'_>) -> u64 {
        let members = tool.members().filter(|(name, _)| name != "_meta");
        members.map(|(name, value)| self.hasher.hash_one((&*name, value.text()))).fold(0, u64::wrapping_add)
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        match (seen.kind, seen.method) {
            (Kind::Response, Some("tools/list")) if seen.is_result() => {
                for tool in entries(seen) {
                    self.list(tool, seen.spot(), caps);
                }
            }
            (Kind::Request, Some("tools/call")) if self.changes > 0 => {
                let name = seen.get("name").and_then(RawJson::as_str).map(|name| self.hasher.hash_one(&*name));
                if let Some(known) = name.and_then(|name| self.tools.get_mut(&name)) {
                    known.changed = false;
                }
            }
            _ => {}
        }
    }

    fn list(&mut self, tool: RawJson<'_>, at: Spot, caps: &mut Caps) {
        let Some(name) = self.name(tool) else { return };
        let text = self.text(tool);
        let has_room = self.tools.len() < MAX_TOOLS;
        match self.tools.get_mut(&name) {
            // Two of one list are no change.
            Some(known) if known.text == text || known.at == at => {}
            Some(known) => {
                *known = Definition { text, at, changed: true };
                self.changes += 1;
            }
            None if has_room => {
                self.tools.insert(name, Definition { text, at, changed: false });
            }
            None => caps.lost("rule-definitions", 1),
        }
    }
}
