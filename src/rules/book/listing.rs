//! What a paginated list has shown: the entries by name, and whether all of them. Knows nothing of what the entries are.

use compact_str::CompactString;
use hashbrown::HashMap;

use super::Caps;

/// A list of a session, such as that of its prompts.
#[derive(Debug)]
pub struct Listing<T> {
    entries: HashMap<CompactString, T>,
    /// The first page was seen, and no further one is missing so far.
    unbroken: bool,
    complete: bool,
    lost: bool,
    stale: bool,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self { entries: HashMap::new(), unbroken: false, complete: false, lost: false, stale: false }
    }
}

/// Entries kept of one list.
const MAX_ENTRIES: usize = 4_096;

impl<T> Listing<T> {
    /// An entry by its name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.entries.get(name)
    }

    /// Whether every entry of the list is known: its pages were seen from the first to the last, and nothing told since
    /// that it changed.
    pub fn is_complete(&self) -> bool {
        self.complete && !self.lost
    }

    /// Whether the last page was followed by further ones, so that the next page carries the list on.
    pub fn goes_on(&self) -> bool {
        self.unbroken && !self.complete
    }

    /// Whether the server told that the list changed since it was read.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Takes a page. The first one, asked for without a cursor, begins the list anew.
    pub(super) fn page(
        &mut self,
        first: bool,
        last: bool,
        entries: impl Iterator<Item = (CompactString, T)>,
        caps: &mut Caps,
        table: &'static str,
    ) {
        if first {
            *self = Self { unbroken: true, ..Self::default() };
        }
        for (name, entry) in entries {
            if self.entries.len() >= MAX_ENTRIES && !self.entries.contains_key(&name) {
                self.lost = true;
                caps.lost(table, 1);
                continue;
            }
            self.entries.insert(name, entry);
        }
        self.complete = self.unbroken && last;
    }

    /// The server told that the list has changed.
    pub(super) fn changed(&mut self) {
        (self.unbroken, self.complete, self.stale) = (false, false, true);
    }
}
