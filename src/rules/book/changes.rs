//! The last complete listing of each kind, as a hash that does not depend on the order, whether a change was announced
//! since, and whether the list was read again.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;

use super::Spot;
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::protocol::Side;
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
    /// It was asked for.
    wanted: bool,
    /// The first announcement since, and whether its receiver has sent requests after it.
    unread: Option<(Spot, bool)>,
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

    /// Lists whose change was announced, and which nobody has asked for again though there were other requests: the list
    /// and the announcement.
    pub fn unheeded(&self) -> impl Iterator<Item = (&'static str, Spot)> {
        let lists = LISTS.iter().zip(&self.lists);
        lists
            .filter_map(|((method, ..), list)| list.unread.filter(|(_, went_on)| *went_on).map(|(at, _)| (*method, at)))
    }

    /// A list is read. Of two lists that one notification stands for, one may be all that the receiver needs.
    fn heed(&mut self, place: usize) {
        let together = LISTS.iter().zip(&mut self.lists).filter(|((.., name), _)| *name == LISTS[place].2);
        together.for_each(|(_, list)| list.unread = None);
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, first: bool) {
        match seen.kind {
            Kind::Request => {
                if let Some(place) = Self::place(seen.method) {
                    self.lists[place].wanted = true;
                    self.heed(place);
                }
                let of_roots = |place: usize| LISTS[place].0 == "roots/list";
                let by_client = seen.sender == Some(Side::Client);
                let others = self.lists.iter_mut().enumerate();
                for (_, list) in others.filter(|(place, _)| of_roots(*place) != by_client) {
                    list.unread = list.unread.map(|(at, _)| (at, true));
                }
            }
            Kind::Notification => {
                let of = LISTS.iter().zip(&mut self.lists).filter(|((.., name), _)| Some(*name) == seen.method);
                of.for_each(|(_, list)| {
                    list.announced = true;
                    list.unread = list.unread.or(list.wanted.then_some((seen.spot(), false)));
                });
            }
            Kind::Response if seen.is_result() => {
                let Some(place) = Self::place(seen.method) else { return };
                // Captures of HTTP tell when an answer was sent, and not always when it was asked for.
                self.heed(place);
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
