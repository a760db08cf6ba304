//! JSON-RPC 2.0 and nothing of MCP: ids, envelopes, batches, malformed messages, reading and writing.
//!
//! Everything read borrows from the text it was read from. Nothing is normalised: ids, method names and
//! payloads keep the bytes of the wire.

mod emit;
mod envelope;
mod id;
mod index;
mod notes;
mod owned;
mod parser;
mod raw;
mod recover;
mod scan;
mod survey;
#[cfg(test)]
mod tests;
mod text;

pub use emit::write_envelope;
pub use envelope::{
    AnswerMember, Defects, Envelope, ErrorObject, Holds, Malformed, MemberSpan, Members, Parsed, Reason,
};
pub use id::{Id, IdKind};
pub use notes::{Noted, Notes};
pub use owned::RawJsonBuf;
pub use parser::{Parser, Reading};
pub use raw::{JsonKind, RawJson};
pub use survey::Survey;
pub use text::decode_into;
