//! Which messages are wanted: conditions on the fields of a message record, and what follows from them for the records
//! around it. Knows records; knows no argument, no output and no rule.
//!
//! A [`Filter`] is what was asked for, compiled once: plain comparisons of typed fields ([`Quick`]) and an expression in the
//! Common Expression Language ([`Expression`]), all of which have to hold. A [`Selection`] applies it to the records of a
//! run. Nothing here changes a record: numbers, pairing and phases are those of the whole input.

use std::collections::HashSet;
use std::sync::Arc;

mod check;
mod expression;
mod fault;
mod fields;
mod functions;
mod quick;
mod selection;
mod syntax;
mod value;
mod when;

pub use expression::{Expression, Verdict};
pub use fault::Fault;
pub use fields::{FIELDS, Field, Type};
pub use functions::{FUNCTIONS, FunctionInfo};
pub use quick::{Asked, AskedError, Quick};
pub use selection::{Chosen, Selection};
pub use when::{Moment, MomentError};

/// What was asked for, ready to be asked of messages.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Conditions on single fields.
    pub quick: Quick,
    /// The expressions of `--where`; all of them have to hold.
    pub expressions: Vec<Expression>,
    /// Numbers of further messages that are wanted, by input, where the other half of a pair was looked for.
    pub others: Option<Arc<HashSet<(u32, u64)>>>,
    /// The whole in words, as it was typed.
    pub words: String,
}
