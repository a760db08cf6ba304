//! What a transcript means: sessions, who sent what, what answers what, phases, what was negotiated. Knows neither
//! log formats nor outputs, and never keeps a payload.
//!
//! Follows basic/lifecycle of the handshake revisions and basic/versioning of 2026-07-28, decided message by
//! message, because both eras occur in one file. Every table here is bounded; what is lost is counted.

mod capabilities;
mod commit;
mod decide;
mod declared;
mod direction;
mod facts;
mod glimpse;
mod handshake;
mod key;
mod lanes;
mod lookup;
mod needs;
mod pending;
mod phase;
mod retry;
mod state;
mod tasks;
mod tracker;
mod words;

pub use capabilities::CapabilitySet;
pub use decide::Decided;
pub use facts::{Facts, Meta};
pub use glimpse::{Ahead, Glimpse};
pub use key::{IdKey, Key};
pub use lanes::LaneKey;
pub use needs::{Needs, needs_of};
pub use retry::InputRequest;
pub use state::{Peer, Session};
pub use tracker::{Ended, Message, Tracker, Verdict};
pub use words::{Basis, BatchPlace, Certainty, Counts, IdState, Kind, Outcome, Status};
