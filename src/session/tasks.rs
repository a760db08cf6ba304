//! Tasks by id: which request created each, and which side asked for it (basic/utilities/tasks of 2025-11-25 and the
//! tasks extension). Bounded: the oldest gives way.

use std::collections::{HashMap, VecDeque};

use compact_str::CompactString;

use crate::protocol::Side;

/// Tasks that are remembered over all sessions of an input.
pub(super) const MAX_TASKS: usize = 4_096;

/// Where a task came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The request that created it.
    pub(super) n: u64,
    /// The side that sent that request.
    pub(super) requestor: Side,
}

#[derive(Debug, Default)]
pub(super) struct Tasks {
    by_id: HashMap<(u32, CompactString), Origin>,
    order: VecDeque<(u32, CompactString)>,
    pub(super) evicted: u64,
}

impl Tasks {
    pub(super) fn insert(&mut self, session: u32, id: &str, origin: Origin) {
        let key = (session, CompactString::new(id));
        if self.by_id.insert(key.clone(), origin).is_some() {
            return;
        }
        self.order.push_back(key);
        if self.order.len() > MAX_TASKS
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_id.remove(&oldest);
            self.evicted += 1;
        }
    }

    pub(super) fn get(&self, session: u32, id: &str) -> Option<Origin> {
        self.by_id.get(&(session, CompactString::new(id))).copied()
    }
}
