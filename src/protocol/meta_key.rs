//! META_KEYS: the members of `_meta` that the specification or an extension defines.

use super::Revision;

/// A row of [`META_KEYS`].
#[derive(Clone, Copy, Debug)]
pub struct MetaKey {
    /// The key.
    pub key: &'static str,
    /// Where it stands, for example `every client request`.
    pub on: &'static str,
    /// Its JSON type in words.
    pub kind: &'static str,
    /// The revisions that define it, first and last; `None` for keys of extensions.
    pub revisions: Option<(Revision, Revision)>,
    /// `MUST`, `SHOULD`, `opt-in` or empty.
    pub required: &'static str,
    /// What it is for, in one sentence.
    pub summary: &'static str,
}

/// Every known key.
pub const META_KEYS: &[MetaKey] = &[];
