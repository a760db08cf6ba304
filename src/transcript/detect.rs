//! Finds the format of an input and reads it: the transcript as the rest of the program sees it.

use super::{Confidence, Format, LineBuffer, ReadError, ReadOptions, Source, Step};

/// What was recognised, and why.
#[derive(Clone, Copy)]
pub struct Detected {
    /// The format.
    pub format: &'static Format,
    /// How sure.
    pub confidence: Confidence,
    /// Why, as half a sentence; `forced by --from` when the user said so.
    pub reason: &'static str,
}

/// One input: frames out of bytes.
pub struct Transcript {
    lines: LineBuffer,
}

impl Transcript {
    /// Opens an input. `from` forces a format; without it, the first lines decide, and lines before the first
    /// recognisable one become noise.
    pub fn new(source: Source, from: Option<&'static Format>, options: ReadOptions) -> Self {
        let _ = from;
        Self { lines: LineBuffer::new(source, options.max_line) }
    }

    /// The next frame.
    pub fn next_frame(&mut self) -> Result<Step<'_>, ReadError> {
        todo!()
    }

    /// What was recognised so far.
    pub fn detected(&self) -> Option<Detected> {
        todo!()
    }

    /// Decompressed bytes and physical lines read so far.
    pub fn consumed(&self) -> (u64, u64) {
        self.lines.consumed()
    }

    /// Whether the input ended because the user asked to stop.
    pub fn interrupted(&self) -> bool {
        self.lines.interrupted()
    }
}
