//! The last complete listing of each kind, as a hash that does not depend on the order, and whether a change was announced
//! since.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;

use super::Spot;
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// Lists, the members that hold them, and the notifications that announce their change.
const LISTS: [(&str, &str, &str); 5] = [
    ("tools/list", "tools", "notifications/tools/list_changed"),
    ("prompts/list", "prompts", "notifications/prompts/list_changed"),
    ("resources/list", "resources", "notifications/resources/list_changed"),
    ("resources/templates/list", "resourceTemplates", "notifications/resources/list_changed"),
    ("roots/list", "roots", "notifications/roots/list_changed"),
];

#[derive(Clone, Copy, Debug)]
struct Listing {
    hash: u64,
    at: Spot,
}

#[derive(Debug, Default)]
struct List {
    /// The last listing that was read to its end.
    whole: Option<Listing>,
    /// The pages so far of one that was not.
    part: Option<Listing>,
    announced: bool,
}

/// The last listings of a session.
#[derive(Debug, Default)]
pub struct Changes {
    lists: [List; LISTS.len()],
    hasher: DefaultHashBuilder,
}

impl Changes {
    fn place(method: Option<&str>) -> Option<usize> {
        LISTS.iter().position(|(name, ..)| Some(*name) == method)
    }

    fn page(&self, seen: &Seen<'_>, place: usize) -> Option<u64> {
        let list = seen.get(LISTS[place].1)?;
        let hash = |element: RawJson<'_>| self.hasher.hash_one(element.text());
        Some(list.elements().map(hash).fold(0, u64::wrapping_add))
    }

    /// The page completes a listing that differs from the one before although no change was announced: where that stands.
    /// `first` says that the request asked for the first page.
    pub fn unannounced(&self, seen: &Seen<'_>, first: bool) -> Option<Spot> {
        let place = Self::place(seen.method)?;
        let list = &self.lists[place];
        let before = list.whole.filter(|_| !list.announced && seen.get("nextCursor").is_none())?;
        let part = if first { 0 } else { list.part?.hash };
        let hash = self.page(seen, place)?.wrapping_add(part);
        (hash != before.hash).then_some(before.at)
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, first: bool) {
        match seen.kind {
            Kind::Notification => {
                let of = LISTS.iter().zip(&mut self.lists).filter(|((.., name), _)| Some(*name) == seen.method);
                of.for_each(|(_, list)| list.announced = true);
            }
            Kind::Response if seen.is_result() => {
                let Some(place) = Self::place(seen.method) else { return };
                let Some(page) = self.page(seen, place) else { return };
                let more = seen.get("nextCursor").is_some();
                let list = &mut self.lists[place];
                let part = match (first, list.part) {
                    (true, _) => Some(0),
                    (false, part) => part.map(|part| part.hash),
                };
                let listing = part.map(|part| Listing { hash: part.wrapping_add(page), at: seen.spot() });
                if more {
                    list.part = listing;
                } else {
                    list.part = None;
                    if let Some(listing) = listing {
                        list.whole = Some(listing);
                        list.announced = false;
                    }
                }
            }
            _ => {}
        }
    }
}
