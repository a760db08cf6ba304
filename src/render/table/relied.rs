//! Which capabilities the messages of a run relied on, declared or not, and which messages those were. Bounded.

use super::figures::{Count, Thousands};
use super::lines::{words, wrap};
use super::signs::Signs;
use crate::annotate::Needs;
use crate::render::palette::{Ink, Palette};

/// Capabilities that are listed; METHODS knows fewer.
const LISTED: usize = 64;
/// Messages that are named one by one.
const NAMED: usize = 4;

/// Capabilities with the messages that needed them.
#[derive(Debug, Default)]
pub(super) struct Relied(Vec<Capability>);

#[derive(Debug)]
struct Capability {
    need: Needs,
    messages: u64,
    /// Input and number of the first messages.
    first: Vec<(u32, u64)>,
}

impl Relied {
    pub(super) fn add(&mut self, need: &Needs, input: u32, n: u64) {
        // Nearly always the same path in the same place.
        let is_path = |path: &[&str]| std::ptr::eq(path, need.path) || path == need.path;
        let same = |known: &Capability| known.need.side == need.side && is_path(known.need.path);
        match self.0.iter().position(same) {
            Some(at) => {
                let known = &mut self.0[at];
                known.messages += 1;
                if known.first.len() < NAMED && known.first.last() != Some(&(input, n)) {
                    known.first.push((input, n));
                }
            }
            None if self.0.len() < LISTED => {
                self.0.push(Capability { need: *need, messages: 1, first: vec![(input, n)] });
            }
            None => {}
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How to write a list of capabilities.
pub(super) struct Listing<'a> {
    pub(super) width: usize,
    pub(super) signs: &'a Signs,
    pub(super) palette: &'a Palette,
    /// Names of the inputs; numbers alone are enough for one.
    pub(super) inputs: &'a [String],
}

impl Listing<'_> {
    /// One line after a heading: each capability behind its sign, and the messages it was needed for.
    pub(super) fn write(&self, ink: Ink, heading: &str, sign: &str, relied: &Relied, out: &mut String) {
        let mut line = words(ink, heading);
        let sign_ink = if ink == Ink::Plain { Ink::Good } else { ink };
        for (at, capability) in relied.0.iter().enumerate() {
            let path = path(&capability.need);
            let dot = self.signs.dot;
            let word = if at > 0 { format!("{dot} {sign} {path}") } else { format!("{sign} {path}") };
            line.push((sign_ink, word));
            line.push((Ink::Dim, format!("for {}", self.messages(capability))));
        }
        wrap(self.palette, out, self.width, 0, &line);
    }

    fn messages(&self, capability: &Capability) -> String {
        let left = capability.messages.saturating_sub(capability.first.len() as u64);
        let input = capability.first.first().map_or(0, |(input, _)| *input);
        let single = self.inputs.len() < 2;
        if !single && capability.first.iter().any(|(other, _)| *other != input) {
            return Count(capability.messages, "message").to_string();
        }
        let mut text = match self.inputs.get(input as usize) {
            Some(file) if !single => format!("{} ", self.signs.safe(file)),
            _ => String::new(),
        };
        for (at, (_, n)) in capability.first.iter().enumerate() {
            text.push_str(if at > 0 { " #" } else { "#" });
            text.push_str(&n.to_string());
        }
        if left > 0 {
            text.push_str(&format!(" and {} more", Thousands(left)));
        }
        text
    }
}

/// The full name of a capability: `server.tools.listChanged`.
pub(super) fn path(need: &Needs) -> String {
    format!("{}.{}", need.side.as_str(), need.path.join("."))
}
