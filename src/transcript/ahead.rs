//! A thread that reads a large file ahead and notes where the members of the messages in it stand, so that who judges them need
//! not look for them. Knows bare messages, one a line; whatever else it meets is handed on as bytes.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use super::peel;
use super::unpack::Unpack;
use super::{Fill, SourceError};
use crate::jsonrpc::{Noted, Notes};

/// Bytes of a block, and of the first reads.
const BLOCK: usize = 256 << 10;
/// Blocks that may wait to be taken.
const WAITING: usize = 2;
/// How often a blocked reader looks at the interrupt flag.
const WAKE: Duration = Duration::from_millis(60);

/// Whole lines of text, and what was noted of them.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// UTF-8. Only a check makes text of bytes, and the fast one leaves no [`String`]: each side makes its own.
    text: Vec<u8>,
    lines: Vec<BlockLine>,
    notes: Notes,
}

/// A line of a block.
#[derive(Clone, Copy, Debug)]
struct BlockLine {
    /// Where it begins, and where its line end stands.
    start: usize,
    end: usize,
    /// The number of its note, if it is a message and nothing else.
    note: Option<usize>,
}

impl Block {
    /// Takes whole lines apart; whether they are all plain text. `limit`: the longest line.
    fn examine(&mut self, limit: usize) -> bool {
        let Self { text, lines, notes } = self;
        // A part of a line, what has to be taken off lines, and the second half of line ends are not for here.
        if text.last() != Some(&b'\n') || peel::is_needed(text) || memchr::memchr(b'\r', text).is_some() {
            return false;
        }
        let Ok(text) = simdutf8::basic::from_utf8(text) else { return false };
        lines.clear();
        notes.clear();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
            if end - start > limit {
                return false;
            }
            lines.push(BlockLine { start, end, note: notes.take(&text[start..end]) });
            start = end + 1;
        }
        true
    }

    /// Bytes and lines in it.
    pub(super) fn size(&self) -> (u64, u64) {
        (self.text.len() as u64, self.lines.len() as u64)
    }

    /// How many lines it has.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// A line, where it begins, and its message if it is one and nothing else.
    pub(super) fn line(&self, number: usize) -> (&str, usize, Option<Noted<'_>>) {
        let BlockLine { start, end, note } = self.lines[number];
        let text = simdutf8::basic::from_utf8(&self.text[start..end]).expect("the block was checked");
        (text, start, note.map(|note| self.notes.get(note, text)))
    }
}

enum Delivery {
    Block(Block),
    Bytes(Vec<u8>),
    End,
    Failed(SourceError),
}

/// The asking end of the thread.
pub(super) struct Ahead {
    deliveries: Receiver<Delivery>,
    used: Sender<Block>,
    /// What has come and was not asked for yet.
    next: Option<Delivery>,
    /// Bytes that are given out, and how many were.
    bytes: Vec<u8>,
    given: usize,
    ended: bool,
}

impl Ahead {
    /// Starts the thread. It ends with the input, or with the next block after the `Ahead` was dropped.
    pub(super) fn start(reader: Unpack, limit: usize) -> Self {
        let (deliver, deliveries) = sync_channel(WAITING);
        let (used, reusable) = channel();
        let failed = deliver.clone();
        if let Err(error) = thread::Builder::new().spawn(move || read_ahead(reader, limit, &deliver, &reusable)) {
            // The channel is empty, so there is room; and its other end is in our hands.
            let _ = failed.try_send(Delivery::Failed(SourceError::Io(error)));
        }
        Self { deliveries, used, next: None, bytes: Vec::new(), given: 0, ended: false }
    }

    /// The next block, if one is next; gives back the one before.
    pub(super) fn block(&mut self, before: Block, interrupt: &AtomicBool) -> Option<Block> {
        // Whoever does not take it back has ended.
        let _ = self.used.send(before);
        if self.given < self.bytes.len() || self.ended {
            return None;
        }
        match self.await_next(interrupt)? {
            Delivery::Block(block) => Some(block),
            other => {
                self.next = Some(other);
                None
            }
        }
    }

    /// See [`Source::fill`](super::Source::fill).
    pub(super) fn fill(&mut self, buffer: &mut [u8], interrupt: &AtomicBool) -> Result<Fill, SourceError> {
        while self.given == self.bytes.len() {
            if self.ended {
                return Ok(Fill::End);
            }
            let Some(next) = self.await_next(interrupt) else { return Ok(Fill::Interrupted) };
            self.given = 0;
            match next {
                Delivery::Block(block) => self.bytes = block.text,
                Delivery::Bytes(bytes) => self.bytes = bytes,
                Delivery::End => (self.bytes, self.ended) = (Vec::new(), true),
                Delivery::Failed(error) => {
                    (self.bytes, self.ended) = (Vec::new(), true);
                    return Err(error);
                }
            }
        }
        let rest = &self.bytes[self.given..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.given += count;
        Ok(Fill::Read(count))
    }

    fn await_next(&mut self, interrupt: &AtomicBool) -> Option<Delivery> {
        if let Some(next) = self.next.take() {
            return Some(next);
        }
        while !interrupt.load(Ordering::Relaxed) {
            match self.deliveries.recv_timeout(WAKE) {
                Ok(delivery) => return Some(delivery),
                Err(RecvTimeoutError::Timeout) => {}
                // Only a thread that panicked leaves without a word: what it had is not to pass for all there was.
                Err(RecvTimeoutError::Disconnected) => {
                    let error = io::Error::other("the reading thread broke off");
                    return Some(Delivery::Failed(SourceError::Io(error)));
                }
            }
        }
        None
    }
}

fn read_ahead(mut reader: Unpack, limit: usize, deliver: &SyncSender<Delivery>, reusable: &Receiver<Block>) {
    // The beginning of a line whose end was not read yet.
    let mut begun = Vec::new();
    loop {
        let mut block = reusable.try_recv().unwrap_or_default();
        let end = whole_lines(&mut reader, &mut block.text, &mut begun);
        let delivery = if block.examine(limit) { Delivery::Block(block) } else { Delivery::Bytes(block.text) };
        if deliver.send(delivery).is_err() {
            return;
        }
        if let Some(end) = end {
            let _ = deliver.send(Delivery::Bytes(begun));
            let _ = deliver.send(end);
            return;
        }
    }
}

/// Reads a block, up to its last line end; what stands behind is begun. A line that is longer is given as it comes.
fn whole_lines(reader: &mut Unpack, bytes: &mut Vec<u8>, begun: &mut Vec<u8>) -> Option<Delivery> {
    bytes.clear();
    bytes.append(begun);
    let mut filled = bytes.len();
    bytes.resize(filled + BLOCK, 0);
    let mut end = None;
    while filled < bytes.len() && end.is_none() {
        match reader.read(&mut bytes[filled..]) {
            Ok(0) => end = Some(Delivery::End),
            Ok(read) => filled += read,
            Err(error) => end = Some(Delivery::Failed(error)),
        }
    }
    bytes.truncate(filled);
    if let Some(last) = memchr::memrchr(b'\n', bytes) {
        begun.extend_from_slice(&bytes[last + 1..]);
        bytes.truncate(last + 1);
    }
    end
}
