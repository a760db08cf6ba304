//! What every rule, counter and renderer sees: the records of a run. Knows neither formats nor outputs.

mod compose;
mod effect;
mod finding;
mod fingerprint;
mod record;

pub use crate::session::{Basis, BatchPlace, Certainty, Counts, IdState, Kind, Needs, Outcome, Peer, Status};
pub use compose::{Place, Told};
pub use effect::Effect;
pub use finding::{Excerpt, Finding, FindingCounts, Held, Related, Severity};
pub use record::{
    Agreement, Annotated, Brief, Embedded, ErrorInfo, Event, Filtered, InputEnd, InputStatus, LatencyBasis,
    LineClasses, Record, Redacted, SessionEnd, Summary, Trace, Unanswered, View,
};
