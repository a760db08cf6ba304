//! Where something stands in an input: lines, bytes, entries. Knows nothing of JSON or MCP.

/// The place of one message or event in the decompressed text of its input.
///
/// `Copy` on purpose: it outlives the buffer that the text itself was borrowed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// First physical line, counted from 1.
    pub line: u64,
    /// Last physical line, counted from 1; equal to `line` for one-line messages.
    pub end_line: u64,
    /// Byte offset of the message text from the start of the decompressed input.
    pub offset: u64,
    /// Length of the message text in bytes.
    pub length: u64,
    /// Bytes before the message text on its line, all of them ASCII; `None` where that is not so, or not known.
    pub lead: Option<u32>,
    /// Entry or exchange number, from 1, in formats that are one document of entries.
    pub entry: Option<u64>,
}
