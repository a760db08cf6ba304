//! Which cache scope the pages of a listing have had (2026-07-28, server/utilities/caching#interaction-with-pagination).

use std::collections::VecDeque;

use compact_str::CompactString;

use super::retries::digest;
use super::{Caps, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// The scope of a page, and where the page stands.
pub(super) type Scope = (CompactString, Spot);

/// Cursors and asked pages kept of a session; the oldest gives way.
const MAX_PAGES: usize = 256;

/// Pages of a session, by the cursor to the next one.
#[derive(Debug, Default)]
pub struct Caching {
    issued: VecDeque<(u64, Scope)>,
    /// By the number of the request that asks for a further page.
    asked: VecDeque<(u64, Scope)>,
}

impl Caching {
    /// The scope of the page before the one that a request asks for, and its place.
    pub fn before(&self, request: u64) -> Option<&Scope> {
        self.asked.iter().find(|(n, _)| *n == request).map(|(_, scope)| scope)
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        match seen.kind {
            Kind::Request if seen.is_modern() => {
                let Some(cursor) = seen.get("cursor") else { return };
                let key = of(seen, cursor);
                let Some(scope) = self.issued.iter().rev().find(|(issued, _)| *issued == key).map(|(_, scope)| scope)
                else {
                    return;
                };
                keep(&mut self.asked, (seen.message.n, scope.clone()), caps);
            }
            Kind::Response if seen.is_modern() => {
                let page = seen.get("nextCursor").zip(scope(seen)).filter(|_| seen.is_result());
                if let Some((cursor, scope)) = page {
                    keep(&mut self.issued, (of(seen, cursor), (scope, seen.spot())), caps);
                }
                if !self.asked.is_empty() {
                    self.asked.retain(|(n, _)| Some(*n) != seen.message.answers);
                }
            }
            _ => {}
        }
    }
}

fn scope(seen: &Seen<'_>) -> Option<CompactString> {
    seen.get("cacheScope").and_then(RawJson::as_str).filter(|scope| scope.len() <= 32).map(CompactString::from)
}

/// A cursor of a method.
fn of(seen: &Seen<'_>, cursor: RawJson<'_>) -> u64 {
    let method = seen.method.unwrap_or_default();
    method.bytes().fold(digest(cursor, 0), |key, byte| key.rotate_left(5) ^ u64::from(byte))
}

fn keep(pages: &mut VecDeque<(u64, Scope)>, page: (u64, Scope), caps: &mut Caps) {
    if pages.len() == MAX_PAGES {
        pages.pop_front();
        caps.lost("rule-pages", 1);
    }
    pages.push_back(page);
}
