//! MCP as data: revisions, methods, capabilities, error codes, `_meta` keys. Reads no bytes and keeps no state.
//!
//! Source: the specification repository at b0f60ba (2026-08-22) and the tasks and apps extensions. The tables
//! here are the only lists of their kind; help, documentation and tests are printed from them.

mod capability;
mod error_code;
mod fingerprint;
mod lookup;
mod meta_key;
mod method;
mod methods;
mod phase;
mod primitive;
mod revision;
mod side;

pub use capability::{CAPABILITIES, Capability, CapabilityType, capability};
pub use error_code::{ERROR_CODES, ERROR_RANGES, ErrorCode, ErrorRange, error_meaning, error_range};
pub use fingerprint::{Fingerprint, Fit, candidates, fits};
pub use lookup::{MethodSet, input_request, method_set, suggest};
pub use meta_key::{META_KEYS, MetaKey, meta_key};
pub use method::{
    Condition, Method, MethodKind, Relation, RequiredSide, Requirement, Sender, Strength, TargetKey, TaskAugmentation,
};
pub use methods::METHODS;
pub use phase::{PHASES, Phase, PhaseInfo};
pub use primitive::{FEATURES, Feature, FeatureInfo, Primitive};
pub use revision::{Era, OTHER_VERSIONS, REVISIONS, Revision, RevisionInfo};
pub use side::{Direction, Side};
