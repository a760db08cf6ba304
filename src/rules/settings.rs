//! What a run asks of the rules: their levels, and what the user expects of the sessions beyond the protocol.

use std::fmt;
use std::time::Duration;

use jiff::SignedDuration;

use super::levels::Levels;
use super::what_if::WhatIf;

/// How to judge.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which rules, and how bad.
    pub levels: Levels,
    /// What the user expects.
    pub expect: Expectations,
    /// What is supposed to have been negotiated.
    pub what_if: WhatIf,
}

impl From<Levels> for Settings {
    fn from(levels: Levels) -> Self {
        Self { levels, ..Self::default() }
    }
}

/// What a user expects of every input; nothing by default.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// Tools that are called at least once.
    pub tools: Vec<String>,
    /// Tools that are never called.
    pub forbidden_tools: Vec<String>,
    /// The longest time from a request to its answer.
    pub max_latency: Option<Duration>,
    /// The most bytes of a message.
    pub max_bytes: Option<u64>,
}

impl Settings {
    /// Judges as if something else had been negotiated.
    pub fn supposing(self, what_if: WhatIf) -> Self {
        Self { what_if, ..self }
    }

    /// Looks for the rules of what is expected, as far as nothing was said of their levels.
    pub fn expecting(mut self, expect: Expectations) -> Self {
        super::expectations::look_for(&expect, &mut self.levels);
        Self { expect, ..self }
    }
}

impl fmt::Display for Expectations {
    /// A line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tools.iter().try_for_each(|tool| writeln!(f, "expect: the tool `{tool}` is called"))?;
        self.forbidden_tools.iter().try_for_each(|tool| writeln!(f, "expect: the tool `{tool}` is not called"))?;
        if let Some(limit) = self.max_latency {
            writeln!(f, "expect: no answer takes more than {limit:?}")?;
        }
        match self.max_bytes {
            Some(limit) => writeln!(f, "expect: no message has more than {limit} bytes"),
            None => Ok(()),
        }
    }
}

impl Expectations {
    /// Tools that can be expected; as many as a set of bits holds.
    pub const MAX_TOOLS: usize = 64;
}

/// A length of time as people write it: `500ms`, `2s`, `1m 30s`; `None` when it is none, or not above zero.
pub fn duration(text: &str) -> Option<Duration> {
    let duration: SignedDuration = text.parse().ok()?;
    Duration::try_from(duration).ok().filter(|duration| !duration.is_zero())
}
