//! Sets of revisions, as rules name them. Values only.

use crate::protocol::{Era, Revision};

/// A set of revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revisions(u8);

/// Every revision.
pub const ALL: Revisions = Revisions(0b1_1111);
/// The revisions with a handshake, 2024-11-05 to 2025-11-25.
pub const LEGACY: Revisions = Revisions(0b0_1111);
/// 2026-07-28.
pub const MODERN: Revisions = Revisions(0b1_0000);

impl Revisions {
    /// One revision.
    pub const fn only(revision: Revision) -> Self {
        Self(1 << revision as u8)
    }

    /// A revision and all later ones.
    pub const fn since(revision: Revision) -> Self {
        Self(ALL.0 & !((1 << revision as u8) - 1))
    }

    /// From one revision to another, both among them.
    pub const fn between(first: Revision, last: Revision) -> Self {
        Self(Self::since(first).0 & ((1 << (last as u8 + 1)) - 1))
    }

    /// All but one revision.
    pub const fn without(revision: Revision) -> Self {
        Self(ALL.0 & !(1 << revision as u8))
    }

    /// Whether a revision is among them.
    pub const fn covers(self, revision: Revision) -> bool {
        self.0 & 1 << revision as u8 != 0
    }

    /// Whether all of the others are among them.
    pub const fn includes(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// Those of either set.
    pub const fn or(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// In words: `all`, `2025-06-18 to 2025-11-25`, `2024-11-05, from 2025-06-18 on`.
    pub fn words(self) -> String {
        if self == ALL {
            return "all".to_owned();
        }
        let mut runs: Vec<(Revision, Revision)> = Vec::new();
        for revision in Revision::all().filter(|revision| self.covers(*revision)) {
            match runs.last_mut() {
                Some((_, last)) if *last as u8 + 1 == revision as u8 => *last = revision,
                _ => runs.push((revision, revision)),
            }
        }
        let run = |(first, last): &(Revision, Revision)| match (first == last, *last == Revision::LATEST) {
            (true, _) => first.as_str().to_owned(),
            (false, true) => format!("from {} on", first.as_str()),
            (false, false) => format!("{} to {}", first.as_str(), last.as_str()),
        };
        runs.iter().map(run).collect::<Vec<_>>().join(", ")
    }
}

/// The known revision that a version string stands for, or the latest known one that is not newer; `None` when the text is
/// no date. Rules judge messages of unknown revisions so.
pub(super) fn nearest(version: &str) -> Option<Revision> {
    let dated = |text: &str| text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    Revision::parse(version).or_else(|| {
        let earlier =
            Revision::all().rfind(|revision| revision.as_str() <= version && revision.era() == Era::Handshake);
        dated(version).then(|| earlier.unwrap_or(Revision::FIRST))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_say_what_they_hold() {
        assert_eq!(ALL.words(), "all");
        assert_eq!(LEGACY.words(), "2024-11-05 to 2025-11-25");
        assert_eq!(MODERN.words(), "2026-07-28");
        assert_eq!(Revisions::since(Revision::V2025_06_18).words(), "from 2025-06-18 on");
        assert_eq!(Revisions::without(Revision::V2025_03_26).words(), "2024-11-05, from 2025-06-18 on");
        assert_eq!(
            Revisions::between(Revision::V2025_06_18, Revision::V2025_11_25).words(),
            "2025-06-18 to 2025-11-25"
        );
        for revision in Revision::all() {
            assert!(Revisions::only(revision).covers(revision));
            assert_eq!(LEGACY.covers(revision), revision.era() == Era::Handshake);
            assert_eq!(MODERN.covers(revision), revision.era() == Era::Stateless);
        }
        assert!(ALL.includes(LEGACY) && !LEGACY.includes(ALL) && LEGACY.or(MODERN) == ALL);
    }

    #[test]
    fn unknown_versions_are_judged_by_the_last_one_before() {
        assert_eq!(nearest("2025-06-18"), Some(Revision::V2025_06_18));
        assert_eq!(nearest("2025-07-01"), Some(Revision::V2025_06_18));
        assert_eq!(nearest("2024-10-07"), Some(Revision::FIRST));
        assert_eq!(nearest("2031-01-01"), Some(Revision::V2025_11_25));
        assert_eq!(nearest("latest"), None);
        assert_eq!(nearest("draft"), Some(Revision::LATEST));
    }
}
