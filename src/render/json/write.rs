//! How single members are written, straight from the borrowed values.

use std::fmt;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Serializer;

use super::v1::V1Need;
use crate::annotate::Needs;
use crate::transcript::Stamp;

/// A time in RFC 3339, with the digits that were recorded.
pub(super) fn stamp<S: Serializer>(stamp: &Option<Stamp>, serializer: S) -> Result<S::Ok, S::Error> {
    match stamp {
        Some(stamp) => serializer.collect_str(&Rfc3339(stamp)),
        None => serializer.serialize_none(),
    }
}

pub(in crate::render) struct Rfc3339<'a>(pub(in crate::render) &'a Stamp);

impl fmt::Display for Rfc3339<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.*}", usize::from(self.0.digits.min(9)), self.0.at)
    }
}

/// The capabilities that a message needs.
pub(super) fn needs<S: Serializer>(needs: &[Needs], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(needs.iter().map(V1Need::from))
}

/// A message, or null.
pub(super) fn payload_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["object", "array", "null"] })
}
