//! The flags of a record: those that the message came with, and those that copying its payload adds.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::transcript::Flags;

/// Words that say what is odd; open.
#[derive(Clone, Copy, Debug, JsonSchema)]
#[schemars(rename = "flags", with = "Vec<String>")]
pub struct V1Flags {
    /// Noticed while reading.
    pub flags: Flags,
    /// The payload is not shown because of its depth.
    pub too_deep: bool,
}

impl From<Flags> for V1Flags {
    fn from(flags: Flags) -> Self {
        Self { flags, too_deep: false }
    }
}

impl Serialize for V1Flags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let deep = self.too_deep.then_some("too-deep");
        serializer.collect_seq(self.flags.iter().map(|flag| flag.as_str()).chain(deep))
    }
}
