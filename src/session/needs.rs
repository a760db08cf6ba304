//! Which capabilities a message depends on, and whether they were declared. Follows the `requires` of METHODS.

use super::Facts;
use crate::protocol::{Condition, Direction, Method, RequiredSide, Requirement, Side};

/// A capability that a message depends on, and whether it was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Whose declaration counts.
    pub side: Side,
    /// The path in the capabilities object.
    pub path: &'static [&'static str],
    /// `None`: the declaration is not in the capture.
    pub declared: Option<bool>,
}

/// The requirements of one message, by index into its method's `requires`: small enough to keep with every open
/// request, so that the answer can say the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Applied {
    applies: u8,
    known: u8,
    declared: u8,
}

impl Applied {
    /// Every requirement of a method, whatever its condition.
    pub(super) fn all(
        method: &Method,
        direction: Option<Direction>,
        declared: impl Fn(Side, &[&str]) -> Option<bool>,
    ) -> Self {
        let mut applied = Self::default();
        for (index, requirement) in method.requires.iter().take(8).enumerate() {
            let bit = 1 << index;
            let Some(side) = side_of(requirement, direction) else { continue };
            applied.applies |= bit;
            if let Some(declared) = declared(side, requirement.path) {
                applied.known |= bit;
                applied.declared |= if declared { bit } else { 0 };
            }
        }
        applied
    }

    /// Those whose condition holds for a message.
    #[inline]
    pub(super) fn of(self, method: &Method, facts: &Facts<'_>) -> Self {
        if method.requires.iter().all(|requirement| requirement.when == Condition::Always) {
            return self;
        }
        self.when(method, |condition| holds(condition, facts))
    }

    /// Those that do not depend on params: all that can be said before the params are seen.
    pub(super) fn always(self, method: &Method) -> Self {
        self.when(method, |condition| condition == Condition::Always)
    }

    fn when(mut self, method: &Method, holds: impl Fn(Condition) -> bool) -> Self {
        for (index, requirement) in method.requires.iter().take(8).enumerate() {
            if !holds(requirement.when) {
                self.applies &= !(1 << index);
            }
        }
        self
    }

    /// Writes them out.
    fn list(self, method: &Method, direction: Option<Direction>) -> Vec<Needs> {
        let mut list = Vec::new();
        for (index, requirement) in method.requires.iter().take(8).enumerate() {
            let bit = 1 << index;
            if self.applies & bit == 0 {
                continue;
            }
            if let Some(side) = side_of(requirement, direction) {
                let declared = (self.known & bit != 0).then_some(self.declared & bit != 0);
                list.push(Needs { side, path: requirement.path, declared });
            }
        }
        list
    }
}

/// Lists that are kept for further messages.
const MAX_LISTS: usize = 16;

/// What the last message needs. Messages that need the same share a list, which is written once.
#[derive(Debug, Default)]
pub(super) struct Listed {
    lists: Vec<List>,
    current: Option<usize>,
}

#[derive(Debug)]
struct List {
    method: &'static Method,
    direction: Option<Direction>,
    applied: Applied,
    needs: Vec<Needs>,
}

impl Listed {
    /// It needs nothing.
    pub(super) fn clear(&mut self) {
        self.current = None;
    }

    /// It needs what applies of the requirements of a method that goes the given way.
    pub(super) fn set(&mut self, method: &'static Method, direction: Option<Direction>, applied: Applied) {
        let same =
            |list: &List| std::ptr::eq(list.method, method) && list.direction == direction && list.applied == applied;
        if applied.applies == 0 {
            return self.clear();
        }
        self.current = self.lists.iter().position(same).or_else(|| {
            if self.lists.len() == MAX_LISTS {
                self.lists.clear();
            }
            self.lists.push(List { method, direction, applied, needs: applied.list(method, direction) });
            Some(self.lists.len() - 1)
        });
    }

    /// Its needs.
    pub(super) fn get(&self) -> &[Needs] {
        self.current.map_or(&[], |current| &self.lists[current].needs)
    }
}

/// The side whose declaration counts; `None` for opt-ins in other requests, which are no capabilities.
fn side_of(requirement: &Requirement, direction: Option<Direction>) -> Option<Side> {
    match requirement.side {
        RequiredSide::Client => Some(Side::Client),
        RequiredSide::Server => Some(Side::Server),
        RequiredSide::Receiver => direction.map(Direction::receiver),
        RequiredSide::Sender => direction.map(Direction::sender),
        RequiredSide::Request => None,
    }
}

fn holds(condition: Condition, facts: &Facts<'_>) -> bool {
    let param = |name: &str| facts.param(name);
    let text_is = |name: &str, wanted: &[&str]| {
        param(name).and_then(|value| value.as_str()).is_some_and(|text| wanted.contains(&text.as_ref()))
    };
    match condition {
        Condition::Always => true,
        Condition::TaskPresent => param("task").is_some(),
        Condition::ToolsOrToolChoice => param("tools").is_some() || param("toolChoice").is_some(),
        Condition::IncludeContext => text_is("includeContext", &["thisServer", "allServers"]),
        Condition::ModeForm => param("mode").is_none() || text_is("mode", &["form"]),
        Condition::ModeUrl => text_is("mode", &["url"]),
    }
}

/// The requirements of an input request, whose method stands inside another message; of an input response, whose request's
/// params are not at hand, those that do not depend on them.
pub(super) fn of_embedded(
    method: &Method,
    params: Option<crate::jsonrpc::RawJson<'_>>,
    request: bool,
    declared: impl Fn(Side, &[&str]) -> Option<bool>,
) -> Vec<Needs> {
    let way = Some(Direction::ServerToClient);
    let all = Applied::all(method, way, declared);
    let applied = if request { all.of(method, &Facts::of_embedded(params)) } else { all.always(method) };
    applied.list(method, way)
}

/// What a message needs by the row of a method, whatever was declared; without params, what does not depend on them.
pub fn needs_of(
    method: &Method,
    direction: Option<Direction>,
    params: Option<crate::jsonrpc::RawJson<'_>>,
) -> Vec<Needs> {
    let all = Applied::all(method, direction, |_, _| None);
    let applied = match params {
        Some(_) => all.of(method, &Facts::of_embedded(params)),
        None => all.always(method),
    };
    applied.list(method, direction)
}
