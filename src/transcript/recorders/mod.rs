//! The recordings that are JSON objects: each is a row of values for the one reader of [`super::wrapped`]. A further
//! one is a further row; those that users describe are made of the same values.

mod any;
mod documents;
mod lines;
mod outlines;
mod parts;

pub(super) use any::ANY;
pub(super) use documents::{AGENT_VCR, CASSETTE, INSPECTOR, MCP_SHARK, MCPJAM, MCPSNOOP_EXPORT};
pub(super) use lines::{FRAMES, LSP, MCP_RECORDER, MCP_TAPE, MCPDUMP, MCPSNOOP, MCPSPY, RETICLE};
pub(super) use outlines::{EXCHANGES, FASTMCP, MCP_DEBUG, OTLP, PI_ADAPTER};
pub(super) use parts::{MCPORTER, MCPTAP};

/// A row of FORMATS for an adapter.
macro_rules! row {
    ($row:ident = $adapter:ident, $name:literal, $title:literal, $example:literal, loses $loses:literal, proof $proof:ident) => {
        pub(in crate::transcript) const $row: $crate::transcript::Format = $crate::transcript::Format {
            name: $name,
            title: $title,
            example: $example,
            loses: $loses,
            proof: $crate::transcript::Proof::$proof,
            sniff: |head| $adapter.sniff(head),
            open: |options| Box::new($crate::transcript::wrapped::Wrapped::new(&$adapter, options)),
        };
    };
}
use row;
