//! What every rule, counter and renderer sees: the records of a run. Knows neither formats nor outputs.

mod record;

pub use record::{
    Agreement, Annotated, Basis, BatchPlace, Certainty, Counts, Embedded, ErrorInfo, Event, IdState, InputEnd,
    InputStatus, Kind, LatencyBasis, LineClasses, Needs, Outcome, Peer, Record, SessionEnd, Status, Summary, Trace,
    Unanswered, View,
};
