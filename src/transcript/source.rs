//! Where bytes come from: regular files, pipes, gzip. Tells when a live producer pauses. Knows no lines.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What one attempt to read gave.
#[derive(Debug, PartialEq, Eq)]
pub enum Fill {
    /// So many bytes were written to the front of the buffer.
    Read(usize),
    /// Nothing is there at this moment, more may come: a good time to flush.
    Idle,
    /// Nothing came for [`Source::PAUSE`]: what is held back should be shown now.
    Paused,
    /// The end of the input.
    End,
    /// The user asked to stop (Ctrl-C).
    Interrupted,
}

/// Why an input cannot be opened or read on.
#[derive(Debug)]
pub enum SourceError {
    /// The operating system refused.
    Io(io::Error),
    /// The gzip stream is damaged or cut off.
    Gzip(io::Error),
}

/// A stream of decompressed bytes.
pub struct Source(());

impl Source {
    /// How long a producer may be silent before it counts as paused.
    pub const PAUSE: std::time::Duration = std::time::Duration::from_millis(20);

    /// Opens a file by name, `-` meaning standard input. Gzip is recognised by its first bytes.
    pub fn open(_path: &Path, _interrupt: Arc<AtomicBool>) -> Result<Self, SourceError> {
        todo!()
    }

    /// Any reader, read directly: it never counts as idle or paused. For tests and library users.
    pub fn from_read(_reader: impl Read + Send + 'static) -> Self {
        todo!()
    }

    /// Any reader, read by a thread of its own so that pauses are noticed.
    pub fn from_live(_reader: impl Read + Send + 'static, _interrupt: Arc<AtomicBool>) -> Self {
        todo!()
    }

    /// Reads what is there into `buffer`.
    pub fn fill(&mut self, _buffer: &mut [u8]) -> Result<Fill, SourceError> {
        todo!()
    }
}
