//! What an input has shown of what the user expects: which tools were called, and whether answers have times.

use super::Spot;
use crate::annotate::Kind;
use crate::rules::context::Seen;
use crate::rules::settings::Expectations;

/// Of one input.
#[derive(Debug, Default)]
pub struct Expected {
    /// The first message, and its session.
    pub first: Option<(Spot, u64)>,
    /// The last answer that lists tools.
    pub listing: Option<Spot>,
    /// Expected tools that were called, by their bits.
    called: u64,
    /// Expected tools that were listed, by their bits.
    listed: u64,
    /// Answers whose request is in the capture.
    answers: u64,
    /// Those of them with a latency.
    timed: u64,
}

impl Expected {
    /// Takes note of a message that has been judged.
    pub(in crate::rules) fn see(&mut self, seen: &Seen<'_>, expect: &Expectations) {
        self.first.get_or_insert((seen.spot(), seen.message.session));
        match (seen.kind, seen.method) {
            (Kind::Request, Some("tools/call")) => self.called |= bit(expect, seen.message.target.unwrap_or_default()),
            (Kind::Response, Some("tools/list")) if seen.is_result() => {
                self.listing = Some(seen.spot());
                if !expect.tools.is_empty() {
                    let tools = seen.get("tools").into_iter().flat_map(|tools| tools.elements());
                    let names = tools.filter_map(|tool| tool.get("name")?.as_str());
                    self.listed |= names.fold(0, |bits, name| bits | bit(expect, &name));
                }
            }
            _ => {}
        }
        if seen.kind == Kind::Response && seen.message.answers.is_some() {
            self.answers += 1;
            self.timed += u64::from(seen.message.latency.is_some());
        }
    }

    /// Expected tools that were not called, and whether they were listed.
    pub fn missing<'a>(&'a self, expect: &'a Expectations) -> impl Iterator<Item = (&'a str, bool)> {
        let named = expect.tools.iter().take(Expectations::MAX_TOOLS).enumerate();
        named.filter(|(at, _)| self.called & 1 << at == 0).map(|(at, name)| (name.as_str(), self.listed & 1 << at != 0))
    }

    /// There are answers, and none of them has a time.
    pub fn is_untimed(&self) -> bool {
        self.answers > 0 && self.timed == 0
    }
}

fn bit(expect: &Expectations, tool: &str) -> u64 {
    let place = expect.tools.iter().take(Expectations::MAX_TOOLS).position(|name| name == tool);
    place.map_or(0, |place| 1 << place)
}
