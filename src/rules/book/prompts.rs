//! The prompts that a server has listed.

use std::cell::Cell;

use compact_str::CompactString;

use super::{Asked, Caps, Listing};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// A listed prompt.
#[derive(Debug, Default)]
pub struct Prompt {
    /// Names of the arguments that it cannot do without.
    pub required: Vec<CompactString>,
}

/// Requests for a prompt without what it needs, by number.
#[derive(Debug, Default)]
pub struct Prompts {
    /// The list.
    pub listed: Listing<Prompt>,
    lacking: Vec<u64>,
}

/// Required arguments kept of one prompt.
const MAX_REQUIRED: usize = 64;
/// Requests without a required argument that wait for their answer.
const MAX_LACKING: usize = 256;

impl Prompts {
    /// The first required argument that a `prompts/get` does not bring, as far as the list tells.
    pub fn missing(&self, seen: &Seen<'_>) -> Option<&str> {
        let prompt = self.listed.get(&seen.get("name")?.as_str()?)?;
        let given = seen.get("arguments");
        let lacks = |name: &&CompactString| given.and_then(|given| given.get(name)).is_none();
        prompt.required.iter().find(lacks).map(CompactString::as_str)
    }

    /// Whether the request of that number lacked a required argument.
    pub fn lacked(&self, n: u64) -> bool {
        self.lacking.contains(&n)
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>, caps: &mut Caps) {
        match (seen.kind, seen.method) {
            (Kind::Response, Some("prompts/list")) if seen.is_result() => {
                let Some(request) = request else { return };
                let beyond = Cell::new(0);
                let entries = seen.get("prompts").into_iter().flat_map(RawJson::elements);
                let entries = entries.filter_map(|entry| read(entry, &beyond));
                let last = seen.is_whole() && seen.get("nextCursor").is_none();
                self.listed.page(!request.cursor, last, entries, caps, "rule-prompts");
                if beyond.get() > 0 {
                    caps.lost("rule-prompts", beyond.get());
                }
            }
            (Kind::Notification, Some("notifications/prompts/list_changed")) => self.listed.changed(),
            (Kind::Request, Some("prompts/get")) if seen.is_whole() && self.missing(seen).is_some() => {
                if self.lacking.len() == MAX_LACKING {
                    self.lacking.remove(0);
                    caps.lost("rule-prompts", 1);
                }
                self.lacking.push(seen.message.n);
            }
            (Kind::Response, Some("prompts/get")) => {
                self.lacking.retain(|n| Some(*n) != seen.message.answers);
            }
            _ => {}
        }
    }
}

/// A prompt of a list; arguments beyond those that are kept are added to `beyond`.
fn read(entry: RawJson<'_>, beyond: &Cell<u64>) -> Option<(CompactString, Prompt)> {
    let name = CompactString::from(entry.get("name")?.as_str()?);
    let is_required = |argument: &RawJson<'_>| argument.get("required").and_then(RawJson::as_bool) == Some(true);
    let mut arguments = entry
        .get("arguments")
        .into_iter()
        .flat_map(RawJson::elements)
        .filter(is_required)
        .filter_map(|argument| argument.get("name")?.as_str().map(CompactString::from));
    let required = arguments.by_ref().take(MAX_REQUIRED).collect();
    beyond.set(beyond.get() + arguments.count() as u64);
    Some((name, Prompt { required }))
}
