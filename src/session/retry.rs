//! Multi round-trip requests (2026-07-28, basic/patterns/mrtr): what was asked for in an `input_required` result, so that
//! the retry can be told from a new request. Bounded per session.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use compact_str::CompactString;

use crate::jsonrpc::RawJson;

/// Results that wait for their retry, per session.
const MAX_WAITING: usize = 64;
/// Input requests kept per result.
const MAX_KEYS: usize = 64;

/// One input request, by its key in `inputRequests`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRequest {
    /// The key.
    pub key: CompactString,
    /// The method that it asks for.
    pub method: CompactString,
}

#[derive(Clone, Debug)]
struct Waiting {
    n: u64,
    method: CompactString,
    target: Option<CompactString>,
    state: Option<u64>,
    asked: Vec<InputRequest>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Retries {
    waiting: VecDeque<Waiting>,
}

fn digest(state: Option<RawJson<'_>>) -> Option<u64> {
    // Only compared within one run, so the keys of the hash do not matter.
    let mut hasher = DefaultHasher::new();
    state?.text().hash(&mut hasher);
    Some(hasher.finish())
}

impl Retries {
    /// Remembers what the result of request `n` asks for.
    pub(super) fn ask(
        &mut self,
        n: u64,
        method: &str,
        target: Option<&str>,
        state: Option<RawJson<'_>>,
        requests: Option<RawJson<'_>>,
    ) {
        let asked = requests
            .into_iter()
            .flat_map(RawJson::members)
            .take(MAX_KEYS)
            .filter_map(|(key, value)| {
                let method = value.get("method")?.as_str()?;
                Some(InputRequest { key: CompactString::new(key), method: CompactString::new(method) })
            })
            .collect();
        if self.waiting.len() == MAX_WAITING {
            self.waiting.pop_front();
        }
        self.waiting.push_back(Waiting {
            n,
            method: CompactString::new(method),
            target: target.map(CompactString::new),
            state: digest(state),
            asked,
        });
    }

    /// Finds the request that a retry continues and takes it out: by its state if it has one, else the latest of the
    /// same method and target. Gives its number and what was asked for.
    pub(super) fn take(
        &mut self,
        method: &str,
        target: Option<&str>,
        state: Option<RawJson<'_>>,
        responses: Option<RawJson<'_>>,
    ) -> Option<(u64, Vec<InputRequest>)> {
        if state.is_none() && responses.is_none() {
            return None;
        }
        let state = digest(state);
        let fits = |waiting: &&Waiting| waiting.method == method && waiting.target.as_deref() == target;
        let n = self
            .waiting
            .iter()
            .rev()
            .filter(fits)
            .find(|waiting| state.is_some() && waiting.state == state)
            .or_else(|| self.waiting.iter().rev().find(|waiting| fits(waiting) && state.is_none()))?
            .n;
        let place = self.waiting.iter().position(|waiting| waiting.n == n)?;
        self.waiting.remove(place).map(|waiting| (waiting.n, waiting.asked))
    }
}
