//! MCP as data: revisions, methods, capabilities, error codes, `_meta` keys. Reads no bytes and keeps no state.
//!
//! Source: the specification repository at b0f60ba (2026-08-22) and the tasks and apps extensions. The tables
//! here are the only lists of their kind; help, documentation and tests are printed from them.

mod capability;
mod error_code;
mod lookup;
mod meta_key;
mod method;
mod methods;
mod primitive;
mod revision;
mod side;

pub use capability::{CAPABILITIES, Capability, CapabilityType};
pub use error_code::{ERROR_CODES, ErrorCode, error_meaning};
pub use lookup::{MethodSet, input_request, method_set, suggest};
pub use meta_key::{META_KEYS, MetaKey};
pub use method::{
    Condition, Method, MethodKind, Relation, RequiredSide, Requirement, Sender, Strength, TargetKey, TaskAugmentation,
};
pub use methods::METHODS;
pub use primitive::{FEATURES, Feature, FeatureInfo, PHASES, Phase, PhaseInfo, Primitive};
pub use revision::{Era, OTHER_VERSIONS, REVISIONS, Revision, RevisionInfo};
pub use side::{Direction, Side};
