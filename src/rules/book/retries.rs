//! Multi round-trip requests (2026-07-28, basic/patterns/mrtr): what results have asked for and which request continues
//! which. Keeps digests of states and arguments, and the params of input requests whose answers are judged by them.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use compact_str::CompactString;

use super::requests::KEPT;
use super::{Asked, Caps, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::Side;
use crate::rules::context::Seen;
use crate::session::IdKey;

/// The methods that may be answered with `input_required` (basic/patterns/mrtr#supported-requests).
pub const RETRIED: &[&str] = &["prompts/get", "resources/read", "tools/call"];

/// Results that ask for input, kept of a session; the oldest gives way.
const MAX_WAITING: usize = 64;
/// Input requests kept of one result.
const MAX_QUESTIONS: usize = 64;
/// Bytes of their params kept of a session.
const MAX_PARAMS: usize = 256 << 10;
/// Bytes of arguments that are compared.
const MAX_ARGUMENTS: usize = 64 << 10;
/// Levels of a value that are compared without regard to the order of members.
const MAX_DEPTH: usize = 32;

/// A request that was answered with `input_required`.
#[derive(Debug)]
pub struct Waiting {
    /// The request.
    pub request: Spot,
    /// Its id.
    pub id: Option<IdKey>,
    /// The result that asks for input.
    pub answer: Spot,
    /// What it asks for, by key.
    pub questions: Vec<(CompactString, Asked)>,
    /// It asks for more than is kept.
    pub cut: bool,
    method: CompactString,
    target: Option<CompactString>,
    arguments: Option<u64>,
    state: Option<u64>,
    continued: bool,
}

impl Waiting {
    /// The input request of a key.
    pub fn question(&self, key: &str) -> Option<&Asked> {
        self.questions.iter().find(|(known, _)| known == key).map(|(_, asked)| asked)
    }

    fn is_answered_by(&self, responses: Option<RawJson<'_>>) -> bool {
        let given = responses.into_iter().flat_map(RawJson::members).take(MAX_QUESTIONS + 1);
        let known = given.filter(|(key, _)| self.question(key).is_some()).count();
        known == self.questions.len()
    }
}

/// What a request with `requestState` or `inputResponses` is to an earlier result.
#[derive(Clone, Copy, Debug)]
pub enum Retry<'a> {
    /// It has neither.
    No,
    /// It continues the request as it should.
    Continues(&'a Waiting),
    /// It continues the request and leaves its state out.
    Dropped(&'a Waiting),
    /// It continues the request with another state.
    Changed(&'a Waiting),
    /// It continues a request that has no state, with one.
    Invented(&'a Waiting),
    /// It has the state of a request that asked for something else.
    Misused(&'a Waiting),
    /// Nothing in the capture is like it.
    Unknown,
}

impl<'a> Retry<'a> {
    /// The request that it continues.
    pub fn of(self) -> Option<&'a Waiting> {
        match self {
            Self::Continues(waiting) | Self::Dropped(waiting) | Self::Changed(waiting) | Self::Invented(waiting) => {
                Some(waiting)
            }
            Self::No | Self::Misused(_) | Self::Unknown => None,
        }
    }
}

/// The requests of a session that wait for their retry, and those that had one.
#[derive(Debug, Default)]
pub struct Retries {
    waiting: VecDeque<Waiting>,
    bytes: usize,
}

impl Retries {
    /// Matches a request with what was asked for. Twin calls and equal states occur, so that every one that waits is
    /// looked at; those that had their retry are the last choice.
    pub fn of(&self, seen: &Seen<'_>) -> Retry<'_> {
        let (state, responses) = (seen.get("requestState"), seen.get("inputResponses"));
        let method = seen.method.unwrap_or_default();
        if (state.is_none() && responses.is_none()) || !RETRIED.contains(&method) {
            return Retry::No;
        }
        let (state, arguments) = (state.map(|state| digest(state, 0)), digest_of_arguments(seen));
        let same = |waiting: &Waiting| {
            let known = waiting.arguments.is_none() || arguments.is_none();
            waiting.method == method
                && waiting.target.as_deref() == seen.message.target
                && (known || waiting.arguments == arguments)
        };
        let find = |fits: &dyn Fn(&Waiting) -> bool| {
            let all = || self.waiting.iter().rev().filter(|waiting| fits(waiting));
            let open = || all().filter(|waiting| !waiting.continued);
            open().find(|waiting| waiting.is_answered_by(responses)).or_else(|| open().next()).or_else(|| all().next())
        };
        let open = |waiting: &Waiting| same(waiting) && !waiting.continued;
        let found = match state {
            Some(_) => find(&|waiting| same(waiting) && waiting.state == state)
                .map(Retry::Continues)
                .or_else(|| find(&|waiting| waiting.state == state).map(Retry::Misused))
                .or_else(|| find(&|waiting| open(waiting) && waiting.state.is_some()).map(Retry::Changed))
                .or_else(|| find(&|waiting| open(waiting)).map(Retry::Invented)),
            None => find(&|waiting| open(waiting) && waiting.state.is_none())
                .map(Retry::Continues)
                .or_else(|| find(&|waiting| open(waiting)).map(Retry::Dropped))
                .or_else(|| find(&|waiting| same(waiting) && waiting.state.is_none()).map(Retry::Continues)),
        };
        found.unwrap_or(Retry::Unknown)
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>, caps: &mut Caps) {
        match (seen.kind, request) {
            (Kind::Request, _) if seen.is_modern() => {
                let n = self.of(seen).of().map(|waiting| waiting.request.0);
                if let Some(waiting) = self.waiting.iter_mut().find(|waiting| Some(waiting.request.0) == n) {
                    waiting.continued = true;
                }
            }
            (Kind::Response, Some(request)) if seen.is_modern() && seen.is_result() => {
                let is_asking = |kind: RawJson<'_>| kind.as_str().is_some_and(|kind| kind == "input_required");
                if seen.get("resultType").is_some_and(is_asking) {
                    self.ask(seen, request, caps);
                }
            }
            _ => {}
        }
    }

    fn ask(&mut self, seen: &Seen<'_>, request: &Asked, caps: &mut Caps) {
        if self.waiting.len() == MAX_WAITING {
            if let Some(waiting) = self.waiting.pop_front() {
                self.bytes -= kept(&waiting);
            }
            caps.lost("rule-retries", 1);
        }
        let mut room = MAX_PARAMS.saturating_sub(self.bytes);
        let mut requests = seen.get("inputRequests").into_iter().flat_map(RawJson::members);
        let questions: Vec<_> = requests
            .by_ref()
            .take(MAX_QUESTIONS)
            .map(|(key, value)| (CompactString::new(key), question(seen, request, value, &mut room, caps)))
            .collect();
        let beyond = requests.count() as u64;
        if beyond > 0 {
            caps.lost("rule-retries", beyond);
        }
        let waiting = Waiting {
            request: request.at,
            id: request.id.clone(),
            answer: seen.spot(),
            questions,
            cut: beyond > 0 || !seen.is_whole(),
            method: request.method.clone(),
            target: request.target.clone(),
            arguments: request.arguments,
            state: seen.get("requestState").map(|state| digest(state, 0)),
            continued: false,
        };
        self.bytes += kept(&waiting);
        self.waiting.push_back(waiting);
    }
}

fn kept(waiting: &Waiting) -> usize {
    waiting.questions.iter().filter_map(|(_, asked)| asked.params.as_ref()).map(|params| params.len()).sum()
}

/// An input request inside of a result, as a request of the server. Its params are kept as far as there is room.
pub(super) fn question(
    seen: &Seen<'_>,
    request: &Asked,
    value: RawJson<'_>,
    room: &mut usize,
    caps: &mut Caps,
) -> Asked {
    let method = value.get("method").and_then(RawJson::as_str).unwrap_or_default();
    let params = value.get("params").filter(|_| KEPT.contains(&method.as_ref()));
    let params = params.filter(|params| {
        let fits = params.text().len() <= *room;
        if fits {
            *room -= params.text().len();
        } else {
            caps.lost("rule-params", 1);
        }
        fits
    });
    Asked {
        at: seen.spot(),
        sender: Some(Side::Server),
        sender_sure: true,
        method: CompactString::new(method),
        target: None,
        id: None,
        token: None,
        params: params.map(|params| Box::from(params.text())),
        ..request.clone()
    }
}

/// A digest of the arguments of a call, the same for every order of members and for none at all as for empty ones;
/// `None` when they are too long.
pub(super) fn digest_of_arguments(seen: &Seen<'_>) -> Option<u64> {
    match seen.get("arguments") {
        None => Some(0),
        Some(arguments) if arguments.text().len() > MAX_ARGUMENTS => None,
        Some(arguments) => Some(members(arguments, 0)),
    }
}

fn members(object: RawJson<'_>, depth: usize) -> u64 {
    let member = |(name, value): (std::borrow::Cow<'_, str>, RawJson<'_>)| {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        digest(value, depth + 1).hash(&mut hasher);
        hasher.finish()
    };
    object.members().map(member).fold(0, u64::wrapping_add)
}

/// A digest of a value, by what it stands for. Compared within one run only, so that the keys of the hash do not matter.
pub(super) fn digest(value: RawJson<'_>, depth: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    match value.kind() {
        JsonKind::Object if depth < MAX_DEPTH => members(value, depth).hash(&mut hasher),
        JsonKind::Array if depth < MAX_DEPTH => {
            value.elements().for_each(|element| digest(element, depth + 1).hash(&mut hasher));
        }
        JsonKind::String => value.as_str().hash(&mut hasher),
        JsonKind::Number => value.as_f64().map(f64::to_bits).hash(&mut hasher),
        _ => value.text().hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn digests_go_by_what_a_value_stands_for() {
        let of = |text| digest(RawJson::new(text).unwrap(), 0);
        assert_eq!(of(r#"{"a":1,"b":["x\/y",null]}"#), of(r#"{ "b": ["x/y", null], "a": 1.0 }"#));
        for other in [r#"{"a":1,"b":[null,"x/y"]}"#, r#"{"a":1}"#, r#"[["x/y",null]]"#, r#"{"a":"1","b":["x/y",null]}"#]
        {
            assert_ne!(of(r#"{"a":1,"b":["x/y",null]}"#), of(other), "{other}");
        }
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert_eq!(of(&deep), of(&deep));
    }
}
