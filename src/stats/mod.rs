//! Counts over the records of any number of runs: what was sent, how it ended, how long it took, what it weighed, what
//! of the declared capabilities was used. Knows no output and no argument.
//!
//! [`Counter`] takes the records of a run, [`Figures`] is what it has counted. Figures are sums, maxima and lists in a
//! defined order, all in integers, so merging those of parts gives exactly those of the whole, in whatever order the
//! parts come. Every table is bounded by keeping the keys that come first in their order, which is the same in every
//! part; what has no room is counted in one row for the rest.

mod capabilities;
mod cell;
mod counter;
mod cube;
mod field;
mod figures;
mod groups;
mod histogram;
mod lists;
mod session;

pub use capabilities::{Capabilities, Use};
pub use cell::Cell;
pub use counter::Counter;
pub use field::{Field, Value};
pub use figures::{Figures, Handshakes, Inputs, MergeError, Sessions, Unread};
pub use groups::{Groups, STANDARD};
pub use histogram::{Bucket, Histogram};
pub use lists::{Definition, Definitions, Heavy, Largest, Row, Rows};
