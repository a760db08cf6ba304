//! ERROR_CODES: what an error code means in which revision, and the codes that no specification defines.

use super::Revision;

/// A row of [`ERROR_CODES`].
#[derive(Clone, Copy, Debug)]
pub struct ErrorCode {
    /// The code.
    pub code: i64,
    /// Its name.
    pub name: &'static str,
    /// Who defines it: `JSON-RPC 2.0`, `MCP`, or an SDK outside the specification.
    pub origin: &'static str,
    /// The revisions in which it has this meaning, first and last; `None` when no revision defines it.
    pub revisions: Option<(Revision, Revision)>,
    /// When it is used, in one or two sentences.
    pub meaning: &'static str,
}

/// Every known code; a code whose meaning changed has several rows.
pub const ERROR_CODES: &[ErrorCode] = &[];

/// The row for a code in a revision, else the row without revisions, else any row of that code.
pub fn error_meaning(_code: i64, _revision: Option<Revision>) -> Option<&'static ErrorCode> {
    todo!()
}
