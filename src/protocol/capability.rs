//! CAPABILITIES: what each side can declare, in which revisions, and what that unlocks.

use super::{Revision, Side};

/// The JSON type of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapabilityType {
    /// An object; its presence declares, even when empty.
    Object,
    /// A flag; declared when `true`.
    Boolean,
    /// Extension identifiers, each with its settings.
    Extensions,
}

/// A row of [`CAPABILITIES`].
#[derive(Clone, Copy, Debug)]
pub struct Capability {
    /// Who declares it.
    pub side: Side,
    /// The path in the capabilities object.
    pub path: &'static [&'static str],
    /// Its JSON type.
    pub kind: CapabilityType,
    /// First revision that has it.
    pub since: Revision,
    /// Last revision that has it.
    pub until: Revision,
    /// The revision that deprecated it, if one did.
    pub deprecated: Option<Revision>,
    /// Methods and params that it unlocks.
    pub unlocks: &'static [&'static str],
    /// What it means and what is missing without it, in one sentence.
    pub summary: &'static str,
    /// Specification page with anchor, relative to the root of a revision.
    pub page: &'static str,
}

/// Every capability of both sides.
pub const CAPABILITIES: &[Capability] = &[];
