//! The tools that a server has listed, and calls whose arguments do not fit them.

use std::hash::{BuildHasher, RandomState};
use std::rc::Rc;

use compact_str::CompactString;

use super::schemas::{Mismatch, Schema, Schemas};
use super::{Asked, Caps, Listing, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// Whether a tool can be called as a task (2025-11-25, basic/utilities/tasks#tool-level-negotiation).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TaskSupport {
    #[default]
    Forbidden,
    Optional,
    Required,
}

/// A listed tool.
#[derive(Debug)]
pub struct Tool {
    /// The answer that listed it.
    pub at: Spot,
    /// What its arguments have to be; `None` when it is no object or there was no room for it.
    pub input: Option<Rc<Schema>>,
    /// What its structured content has to be.
    pub output: Option<Rc<Schema>>,
    /// It has an output schema.
    pub has_output: bool,
    /// Whether it can be called as a task.
    pub tasks: TaskSupport,
}

/// The tools of a session.
#[derive(Debug, Default)]
pub struct Tools {
    /// The list.
    pub listed: Listing<Tool>,
    /// Names of the list at hand and of the last complete one, in order, as hashes.
    order: Vec<u64>,
    last_order: Vec<u64>,
    hasher: RandomState,
    /// Calls with arguments that do not fit, by number.
    unfit: Vec<u64>,
}

/// Names whose order is remembered.
const MAX_ORDER: usize = 4_096;
/// Calls with unfit arguments that wait for their answer.
const MAX_UNFIT: usize = 256;

impl Tools {
    /// What the arguments of a `tools/call` have that the tool does not allow, as far as the list tells.
    pub fn mismatch(&self, seen: &Seen<'_>) -> Option<Mismatch> {
        if !seen.is_whole() {
            return None;
        }
        let tool = self.listed.get(&seen.get("name")?.as_str()?)?;
        let arguments = seen.get("arguments").or(RawJson::new("{}"))?;
        tool.input.as_ref()?.mismatch(arguments)
    }

    /// Whether the arguments of the call of that number did not fit.
    pub fn was_unfit(&self, n: u64) -> bool {
        self.unfit.contains(&n)
    }

    /// Whether this last page ends a list with the same names as the last one in another order.
    pub fn is_reordered(&self, seen: &Seen<'_>, first: bool) -> bool {
        let mut order = if first { Vec::new() } else { self.order.clone() };
        order.extend(names(seen).map(|name| self.hasher.hash_one(name)));
        let (mut now, mut before) = (order.clone(), self.last_order.clone());
        now.sort_unstable();
        before.sort_unstable();
        order != self.last_order && now == before && order.len() < MAX_ORDER
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>, schemas: &Schemas, caps: &mut Caps) {
        match (seen.kind, seen.method) {
            (Kind::Response, Some("tools/list")) if seen.is_result() => {
                let Some(request) = request else { return };
                let last = seen.is_whole() && seen.get("nextCursor").is_none();
                self.see_order(seen, !request.cursor, last, caps);
                let entries = entries(seen).filter_map(|entry| read(entry, seen.spot(), schemas));
                self.listed.page(!request.cursor, last, entries, caps, "rule-tools");
            }
            (Kind::Notification, Some("notifications/tools/list_changed")) => self.listed.changed(),
            (Kind::Request, Some("tools/call")) if self.mismatch(seen).is_some() => {
                if self.unfit.len() == MAX_UNFIT {
                    self.unfit.remove(0);
                    caps.lost("rule-tools", 1);
                }
                self.unfit.push(seen.message.n);
            }
            (Kind::Response, Some("tools/call")) => self.unfit.retain(|n| Some(*n) != seen.message.answers),
            _ => {}
        }
    }

    fn see_order(&mut self, seen: &Seen<'_>, first: bool, last: bool, caps: &mut Caps) {
        if first {
            self.order.clear();
        }
        let room = MAX_ORDER - self.order.len();
        let named = names(seen).count();
        self.order.extend(names(seen).map(|name| self.hasher.hash_one(name)).take(room));
        if named > room {
            caps.lost("rule-tools", (named - room) as u64);
        }
        if last {
            std::mem::swap(&mut self.order, &mut self.last_order);
        }
    }
}

/// The entries of a page.
pub(in crate::rules) fn entries<'a>(seen: &Seen<'a>) -> impl Iterator<Item = RawJson<'a>> {
    seen.get("tools").into_iter().flat_map(RawJson::elements)
}

fn names<'a>(seen: &Seen<'a>) -> impl Iterator<Item = CompactString> {
    entries(seen).filter_map(|entry| entry.get("name")?.as_str().map(CompactString::from))
}

fn read(entry: RawJson<'_>, at: Spot, schemas: &Schemas) -> Option<(CompactString, Tool)> {
    let name = CompactString::from(entry.get("name")?.as_str()?);
    let output = entry.get("outputSchema");
    let tasks = match entry.at(&["execution", "taskSupport"]).and_then(RawJson::as_str).as_deref() {
        Some("optional") => TaskSupport::Optional,
        Some("required") => TaskSupport::Required,
        _ => TaskSupport::Forbidden,
    };
    let tool = Tool {
        at,
        input: entry.get("inputSchema").and_then(|schema| schemas.get(schema)),
        output: output.and_then(|schema| schemas.get(schema)),
        has_output: output.is_some(),
        tasks,
    };
    Some((name, tool))
}
