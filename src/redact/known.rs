//! The secrets of a run: which number each has, and those that are looked for elsewhere. Both tables are bounded.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

use super::{marker, shapes};

/// Different secrets that have a number; of each only a hash is kept.
const MAX_NUMBERED: usize = 65_536;
/// Secrets that are looked for, and their bytes.
const MAX_SOUGHT: usize = 1_024;
const MAX_SOUGHT_BYTES: usize = 256 << 10;
/// Shorter ones stand in too many texts by chance, longer ones are looked for by their beginning.
const LENGTHS: Range<usize> = 6..4_097;
/// So many are looked for one by one before the automaton is built anew.
const FRESH: usize = 16;

#[derive(Default)]
pub(super) struct Known {
    hasher: RandomState,
    numbers: HashMap<u64, u32>,
    sought: Vec<String>,
    bytes: usize,
    /// Finds the first `built` of them.
    automaton: Option<AhoCorasick>,
    built: usize,
    lost: u64,
}

impl Known {
    pub(super) fn different(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn lost(&self) -> u64 {
        self.lost
    }

    /// The marker of a secret, which is looked for from now on.
    pub(super) fn marker(&mut self, secret: &str) -> String {
        let hash = self.hasher.hash_one(secret);
        if let Some(number) = self.numbers.get(&hash) {
            return marker::write(Some(*number));
        }
        self.seek(secret);
        if self.numbers.len() >= MAX_NUMBERED {
            self.lost += 1;
            return marker::write(None);
        }
        let number = u32::try_from(self.numbers.len() + 1).unwrap_or(u32::MAX);
        self.numbers.insert(hash, number);
        marker::write(Some(number))
    }

    fn seek(&mut self, secret: &str) {
        let secret = secret.trim();
        // A word of a few letters would be found in sentences.
        let word = secret.len() < 8 && secret.bytes().all(|byte| byte.is_ascii_lowercase());
        if !LENGTHS.contains(&secret.len()) || word || secret.contains('‹') {
            return;
        }
        let mut forms = vec![secret.to_owned(), percent(secret), escaped(secret)];
        // The token behind its scheme, and the password behind its user.
        forms.extend(secret.split_once([' ', ':']).map(|(_, rest)| rest.trim().to_owned()));
        for form in forms {
            if !LENGTHS.contains(&form.len()) || self.sought.contains(&form) {
                continue;
            }
            if self.sought.len() >= MAX_SOUGHT || self.bytes + form.len() > MAX_SOUGHT_BYTES {
                self.lost += 1;
                return;
            }
            self.bytes += form.len();
            self.sought.push(form);
        }
        if self.sought.len() - self.built > FRESH {
            let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&self.sought);
            // Too large for the automaton is none of these tables.
            if let Ok(automaton) = automaton {
                self.automaton = Some(automaton);
                self.built = self.sought.len();
            }
        }
    }

    /// Adds where known secrets stand.
    pub(super) fn find(&self, text: &str, found: &mut Vec<(Range<usize>, usize)>) {
        if let Some(automaton) = &self.automaton {
            found.extend(automaton.find_iter(text).map(|known| (known.range(), shapes::REPEATED)));
        }
        for fresh in &self.sought[self.built..] {
            let starts = memmem::find_iter(text.as_bytes(), fresh);
            found.extend(starts.map(|start| (start..start + fresh.len(), shapes::REPEATED)));
        }
    }
}

/// What RFC 3986 leaves as it is.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The text as it stands in a URL.
fn percent(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, UNRESERVED).to_string()
}

/// The text as it stands in a JSON string.
fn escaped(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap_or_default();
    json.get(1..json.len().saturating_sub(1)).unwrap_or_default().to_owned()
}
