//! Conditions on single fields: compared as what they are, without any expression. Those of one kind are alternatives,
//! those of different kinds have to hold together.

use std::cmp::Ordering;
use std::error::Error;
use std::fmt;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::Moment;
use super::fields::id_raw;
use crate::annotate::{Annotated, Kind, Outcome, Status};
use crate::jsonrpc::RawJson;
use crate::protocol::Primitive;

/// What was asked for, kind by kind; nothing asks for everything.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Patterns of methods, `*` standing for anything.
    pub methods: Vec<String>,
    /// Primitives.
    pub primitives: Vec<Primitive>,
    /// Kinds.
    pub kinds: Vec<Kind>,
    /// Numbers of sessions.
    pub sessions: Vec<u64>,
    /// Patterns of servers' names.
    pub servers: Vec<String>,
    /// Ids: tokens as written, or the text of one that is a string.
    pub ids: Vec<String>,
    /// Only error responses, tool errors and invalid messages.
    pub errors: bool,
    /// Not before.
    pub since: Option<Moment>,
    /// Not after.
    pub until: Option<Moment>,
}

/// A pattern that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedError {
    /// As it was typed.
    pub pattern: String,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for AskedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a name or a pattern with `*`, got `{}`: {}", self.pattern, self.why)
    }
}

impl Error for AskedError {}

/// The same, ready to be asked.
#[derive(Clone, Debug, Default)]
pub struct Quick {
    methods: Option<Names>,
    servers: Option<Names>,
    primitives: Vec<Primitive>,
    kinds: Vec<Kind>,
    sessions: Vec<u64>,
    ids: Vec<String>,
    errors: bool,
    since: Option<Moment>,
    until: Option<Moment>,
}

/// What the conditions say of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Yes,
    No,
    /// A time is asked for, and the message has none.
    NoTime,
}

impl Quick {
    /// Makes it ready.
    ///
    /// # Errors
    /// The first pattern that cannot be read.
    pub fn new(asked: Asked) -> Result<Self, AskedError> {
        Ok(Self {
            methods: Names::new(asked.methods)?,
            servers: Names::new(asked.servers)?,
            primitives: asked.primitives,
            kinds: asked.kinds,
            sessions: asked.sessions,
            ids: asked.ids,
            errors: asked.errors,
            since: asked.since,
            until: asked.until,
        })
    }

    pub(super) fn ask(&self, message: &Annotated<'_>) -> Said {
        let one_of = |names: &Option<Names>, name: Option<&str>| {
            names.as_ref().is_none_or(|names| name.is_some_and(|name| names.has(name)))
        };
        let primitive = message.feature.primitive();
        let holds = (self.kinds.is_empty() || self.kinds.contains(&message.kind))
            && (self.sessions.is_empty() || self.sessions.contains(&message.session))
            && (self.primitives.is_empty() || primitive.is_some_and(|primitive| self.primitives.contains(&primitive)))
            && (!self.errors || is_error(message))
            && one_of(&self.methods, message.method)
            && one_of(&self.servers, message.server)
            && (self.ids.is_empty() || self.ids.iter().any(|id| has_id(message, id)));
        match holds {
            true => self.in_time(message),
            false => Said::No,
        }
    }

    fn in_time(&self, message: &Annotated<'_>) -> Said {
        for (bound, outside) in [(self.since, Ordering::Less), (self.until, Ordering::Greater)] {
            let Some(bound) = bound else { continue };
            match bound.order(message.time, message.session_start) {
                None => return Said::NoTime,
                Some(order) if order == outside => return Said::No,
                Some(_) => {}
            }
        }
        Said::Yes
    }

    /// Whether a time is asked for.
    pub fn asks_for_times(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }
}

fn is_error(message: &Annotated<'_>) -> bool {
    message.kind == Kind::Invalid
        || message.outcome == Some(Outcome::Error)
        || message.status == Some(Status::ToolError)
}

/// Whether the id is written so, or is a string with this text.
fn has_id(message: &Annotated<'_>, id: &str) -> bool {
    let Some(raw) = id_raw(message) else { return false };
    raw == id || (raw.starts_with('"') && RawJson::new(raw).and_then(RawJson::as_str).is_some_and(|text| text == id))
}

/// Names and patterns of names.
#[derive(Clone, Debug)]
struct Names {
    plain: Vec<String>,
    patterns: GlobSet,
}

impl Names {
    /// `None` for none.
    fn new(names: Vec<String>) -> Result<Option<Self>, AskedError> {
        if names.is_empty() {
            return Ok(None);
        }
        let (patterns, plain): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|name| name.contains(['*', '?', '[', '{', '\\']));
        let mut set = GlobSetBuilder::new();
        for pattern in &patterns {
            let error = |error: globset::Error| AskedError { pattern: pattern.clone(), why: error.kind().to_string() };
            set.add(GlobBuilder::new(pattern).backslash_escape(true).build().map_err(error)?);
        }
        let pattern = patterns.into_iter().next().unwrap_or_default();
        let patterns = set.build().map_err(|error| AskedError { pattern, why: error.kind().to_string() })?;
        Ok(Some(Self { plain, patterns }))
    }

    fn has(&self, name: &str) -> bool {
        self.plain.iter().any(|plain| plain == name) || (!self.patterns.is_empty() && self.patterns.is_match(name))
    }
}
