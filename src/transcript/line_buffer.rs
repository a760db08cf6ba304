//! The one buffer of the program: bytes in, physical lines out, numbered and measured, UTF-8 checked a chunk at a
//! time. Knows no formats.

use super::{Source, SourceError};

/// One physical line, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'b> {
    /// The text; CR before LF, NUL bytes and everything else is kept, a byte order mark at the start of the input is not.
    pub text: &'b str,
    /// Number, from 1.
    pub number: u64,
    /// Byte offset of the first byte of the line in the decompressed input.
    pub offset: u64,
    /// Length in bytes as it stands in the input, line end (CR LF included) not counted.
    pub length: u64,
    /// Bad bytes were replaced by U+FFFD, so `text` is not the input's bytes.
    pub lossy: bool,
    /// Longer than the limit: `text` is the first part of it, `length` the whole.
    pub oversized: bool,
    /// A line end follows.
    pub terminated: bool,
}

/// What one attempt to get a line gave.
#[derive(Debug)]
pub enum LineStep<'b> {
    /// A line.
    Line(Line<'b>),
    /// No whole line at this moment: flush.
    Idle,
    /// The producer pauses: show what is held.
    Paused,
    /// The end.
    End,
}

/// Lines out of a [`Source`].
pub struct LineBuffer {
    source: Source,
}

impl LineBuffer {
    /// The default of `--max-line`: 1 GiB.
    pub const MAX_LINE: u64 = 1 << 30;

    /// A buffer with the given line limit in bytes.
    pub fn new(source: Source, max_line: u64) -> Self {
        let _ = max_line;
        Self { source }
    }

    /// The next line.
    pub fn next_line(&mut self) -> Result<LineStep<'_>, SourceError> {
        let _ = &mut self.source;
        todo!()
    }

    /// The bytes that are buffered and not yet given out, at least one whole line if the input has one, at most
    /// 64 KiB of them; used for sniffing and for looking at the line behind. Does not consume.
    pub fn peek(&mut self) -> Result<&[u8], SourceError> {
        todo!()
    }

    /// Bytes and physical lines given out so far.
    pub fn consumed(&self) -> (u64, u64) {
        todo!()
    }

    /// Whether the input ended because the user asked to stop.
    pub fn interrupted(&self) -> bool {
        todo!()
    }
}
