//! METHODS: every message of every revision, and of the known extensions. The only list of its kind.

use super::Method;

/// Every message, grouped by feature; the rows of one name have disjoint ranges of revisions.
pub const METHODS: &[Method] = &[];
