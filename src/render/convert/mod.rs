//! CONVERSIONS: the formats that `convert` writes. They hold the messages themselves, not what is told about them, so
//! each can be read again; of `jsonl` the same records come as of the log.

mod har;
mod piece;
mod timed;
mod txtar;

use super::Renderer;
use crate::annotate::Annotated;

/// A row of [`CONVERSIONS`].
pub struct Conversion {
    /// The name for `--to`.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// What it does not hold, in a few words.
    pub loses: &'static str,
    /// A renderer for it.
    pub open: fn() -> Box<dyn Renderer>,
}

/// Every format that can be written; the first is the default.
pub const CONVERSIONS: &[&Conversion] = &[&timed::JSONL, &har::HAR, &txtar::TXTAR];

/// The text of a message that is JSON, whether or not it is a well-formed message.
fn json_of<'a>(message: &Annotated<'a>) -> Option<&'a str> {
    let parsed = message.parsed?;
    let json = parsed.envelope.as_ref().map_or_else(|malformed| !malformed.is_not_json(), |_| true);
    json.then_some(parsed.text)
}
