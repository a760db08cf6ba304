//! Repeats: a rule that is broken again and again in a session is shown a few times, then counted.

use std::collections::HashMap;

use crate::annotate::Finding;

/// Findings of one rule in one session that are shown.
const SHOWN: u64 = 3;
/// Lines of further ones that are named.
const NAMED: usize = 8;
/// Rules and sessions that are counted at the same time; of further ones everything is shown.
const MAX_COUNTED: usize = 65_536;

#[derive(Debug, Default)]
struct Repeats {
    count: u64,
    lines: Vec<u64>,
}

/// What was shown of each rule in each session that has not ended.
#[derive(Debug, Default)]
pub(super) struct Fold {
    seen: HashMap<(u32, u64, &'static str), Repeats>,
}

impl Fold {
    /// Whether a finding is shown.
    pub(super) fn shows(&mut self, finding: &Finding<'_>) -> bool {
        let key = (finding.input, finding.session, finding.rule);
        if self.seen.len() >= MAX_COUNTED && !self.seen.contains_key(&key) {
            return true;
        }
        let repeats = self.seen.entry(key).or_default();
        repeats.count += 1;
        let shown = repeats.count <= SHOWN;
        if !shown && repeats.lines.len() < NAMED {
            repeats.lines.push(finding.position.line);
        }
        shown
    }

    /// What to say of the repeats of a session, or of an input, that is over, and forgets them: its first line, then `12 more [rule] in session 1, lines 7, 9 and more`.
    pub(super) fn end(&mut self, input: u32, session: Option<u64>) -> Vec<String> {
        let of_session =
            |key: &(u32, u64, &'static str)| key.0 == input && session.is_none_or(|session| key.1 == session);
        let mut ended: Vec<_> =
            self.seen.extract_if(|key, _| of_session(key)).filter(|(_, r)| r.count > SHOWN).collect();
        ended.sort_by_key(|(key, _)| key.2);
        let line = |((_, session, rule), repeats): ((u32, u64, &'static str), Repeats)| {
            let first = repeats.lines.first().copied().unwrap_or(0);
            let lines: Vec<String> = repeats.lines.iter().map(u64::to_string).collect();
            let more = repeats.count - SHOWN;
            let cut = if more > repeats.lines.len() as u64 { " and more" } else { "" };
            let word = if more == 1 { "line" } else { "lines" };
            format!("{first} {more} more [{rule}] in session {session}, {word} {}{cut}", lines.join(", "))
        };
        ended.into_iter().map(line).collect()
    }
}
