//! From the options of a filter to the filter, and what to say of one: where an expression is wrong, and what it has
//! left out that nobody would expect.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use jiff::tz::TimeZone;
use unicode_width::UnicodeWidthStr;

use super::args::{FilterArgs, KindName};
use super::notice::printable;
use super::suggest::{did_you_mean, nearest};
use crate::annotate::{Filtered, Kind, Summary};
use crate::filter::{Asked, Expression, Fault, Filter, Moment, Quick};
use crate::protocol::Primitive;

/// Columns of an expression that are shown around a fault.
const SHOWN: usize = 100;

/// What the options ask for; `None` when they ask for nothing.
pub(super) fn filter(args: &FilterArgs, zone: &TimeZone) -> Result<Option<Arc<Filter>>> {
    let words = words(args);
    if words.is_empty() {
        return Ok(None);
    }
    let moment = |option: &str, text: &Option<String>| {
        let parsed = text
            .as_deref()
            .map(|text| Moment::parse(text, zone).map_err(|error| anyhow!("`{option} {text}`: {error}")));
        parsed.transpose()
    };
    let primitive = |name: &String| Primitive::ALL.into_iter().find(|primitive| primitive.as_str() == name);
    let asked = Asked {
        methods: args.method.clone(),
        primitives: args.primitive.iter().filter_map(primitive).collect(),
        kinds: args.kind.iter().map(|kind| kind.kind()).collect(),
        sessions: args.session.clone(),
        servers: args.server.clone(),
        ids: args.id.clone(),
        errors: args.errors,
        since: moment("--since", &args.since)?,
        until: moment("--until", &args.until)?,
    };
    let expression = |source: &String| Expression::parse(source, zone).map_err(|fault| Drawn::new(&fault, source));
    let expressions = args.wheres.iter().map(expression).collect::<std::result::Result<_, _>>()?;
    Ok(Some(Arc::new(Filter { quick: Quick::new(asked)?, expressions, others: None, words })))
}

/// A filter in words, with the other halves of pairs or without.
pub(super) fn named(filter: Option<&Filter>, pairs: bool) -> Option<String> {
    filter.map(|filter| format!("{}{}", filter.words, if pairs { " --pairs" } else { "" }))
}

/// The options as they can be typed again.
fn words(args: &FilterArgs) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut say = |option: &str, value: &str| words.push(format!("--{option} {}", quoted(value)));
    args.wheres.iter().for_each(|value| say("where", value));
    args.method.iter().for_each(|value| say("method", value));
    args.primitive.iter().for_each(|value| say("primitive", value));
    args.kind.iter().for_each(|value| say("kind", value.kind().as_str()));
    args.session.iter().for_each(|value| say("session", &value.to_string()));
    args.server.iter().for_each(|value| say("server", value));
    args.id.iter().for_each(|value| say("id", value));
    args.since.iter().for_each(|value| say("since", value));
    args.until.iter().for_each(|value| say("until", value));
    if args.errors {
        words.push("--errors".to_owned());
    }
    words.join(" ")
}

/// A value as a shell takes it.
fn quoted(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@%+,".contains(&byte);
    match !value.is_empty() && value.bytes().all(plain) {
        true => value.to_owned(),
        false => format!("'{}'", value.replace('\'', r"'\''")),
    }
}

impl KindName {
    fn kind(self) -> Kind {
        match self {
            Self::Request => Kind::Request,
            Self::Response => Kind::Response,
            Self::Notification => Kind::Notification,
            Self::Invalid => Kind::Invalid,
        }
    }
}

/// An expression that is wrong: a line that says so, and the expression with the place marked.
#[derive(Debug)]
pub(super) struct Drawn {
    line: String,
    /// Two lines that are to be shown as they are.
    pub(super) drawing: String,
}

impl Drawn {
    fn new(fault: &Fault, source: &str) -> Self {
        let near = fault
            .unknown
            .as_ref()
            .and_then(|(word, known)| did_you_mean(&nearest(word, known.iter().map(String::as_str))));
        let listed = || "`mcp-trace explain where` lists what there is".to_owned();
        let hint = near
            .or_else(|| fault.help.clone())
            .or_else(|| fault.unknown.as_ref().filter(|_| fault.message.starts_with("unknown")).map(|_| listed()));
        let hint = hint.map(|hint| format!(": {hint}")).unwrap_or_default();
        let (text, place) = fault.line(source);
        let (before, marked, after) = (&text[..place.start], &text[place.clone()], &text[place.end..]);
        let (before, marked, after) = (printable(before), printable(marked), printable(after));
        let before = last_columns(&before, SHOWN / 2);
        let marked = first_columns(&marked, SHOWN / 2);
        let after = first_columns(&after, SHOWN / 2);
        let (indent, marks) = (" ".repeat(before.width()), "^".repeat(marked.width().max(1)));
        let drawing =
            if source.is_empty() { String::new() } else { format!("  {before}{marked}{after}\n  {indent}{marks}\n") };
        Self { line: format!("`--where`: {fault}{hint}"), drawing }
    }
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

impl Error for Drawn {}

fn first_columns(text: &str, columns: usize) -> String {
    match text.chars().count() > columns {
        true => text.chars().take(columns).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

fn last_columns(text: &str, columns: usize) -> String {
    let count = text.chars().count();
    match count > columns {
        true => ['…'].into_iter().chain(text.chars().skip(count - columns)).collect(),
        false => text.to_owned(),
    }
}

/// What a filter has done that has to be told.
pub(super) fn filtered_words(summary: &Summary) -> Vec<String> {
    let Some(filtered) = &summary.filtered else { return Vec::new() };
    none_selected(summary.counts.messages, filtered.read).into_iter().chain(left_out(filtered)).collect()
}

/// That nothing was selected of what was read.
pub(super) fn none_selected(selected: u64, read: u64) -> Option<String> {
    (selected == 0 && read > 0).then(|| format!("the filter selects none of {}", messages(read)))
}

/// What was left out though nobody has said so.
pub(super) fn left_out(filtered: &Filtered) -> Vec<String> {
    let mut told = Vec::new();
    if filtered.untimed > 0 {
        let count = messages(filtered.untimed);
        told.push(format!(
            "the filter left out {count} without a time that `--since` or `--until` can be held against"
        ));
    }
    if let Some((n, why)) = &filtered.first_undecided {
        let count = messages(filtered.undecided);
        told.push(format!("`--where` could not be worked out for {count}, left out; the first is #{n}: {why}"));
    }
    told
}

fn messages(count: u64) -> String {
    if count == 1 { "1 message".to_owned() } else { format!("{count} messages") }
}
