//! Bytes to UTF-8 text: what is packed is unpacked, what is UTF-16 is converted, both found out from the first bytes.
//! Tells the errors that this can give.

use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::gzip::{self, Gzip};
use super::zstd::{self, Zstd};
use super::{SourceError, Wrapping, Wrappings, capture, utf16};

type Bytes = Box<dyn Read + Send>;

/// As many first bytes as [`packing`] and the encoding need.
pub(super) const HEAD: usize = utf16::LOOK;

/// What a stream that begins so is packed with.
pub(super) fn packing(head: &[u8]) -> Option<Wrapping> {
    if head.starts_with(gzip::MAGIC) {
        return Some(Wrapping::Gzip);
    }
    (head.len() >= zstd::MAGIC_LENGTH && zstd::begins(head)).then_some(Wrapping::Zstd)
}

/// Whether a stream that begins so has to be taken care of here.
pub(super) fn is_wrapped(head: &[u8]) -> bool {
    packing(head).is_some() || capture::begins(head) || utf16::order(head).is_some()
}

/// A reader of UTF-8 text, whatever it is made from.
pub(super) struct Unpack {
    state: State,
    packing: Option<Wrapping>,
    /// What was found, for who does not read.
    found: Found,
    given: u64,
}

enum State {
    /// Nothing read so far: a pipe may not have anything yet.
    Unread(Bytes),
    Open(Bytes),
    Broken,
}

/// The wrappings that were found so far, seen from another thread.
#[derive(Clone, Default)]
pub(super) struct Found(Arc<AtomicU32>);

impl Found {
    pub(super) fn get(&self) -> Wrappings {
        Wrappings::from_bits(self.0.load(Ordering::Relaxed))
    }

    fn add(&self, wrapping: Wrapping) {
        self.0.fetch_or(Wrappings::NONE.with(wrapping).bits(), Ordering::Relaxed);
    }
}

impl Unpack {
    /// Finds out with the first read.
    pub(super) fn new(reader: Bytes) -> Self {
        Self { state: State::Unread(reader), packing: None, found: Found::default(), given: 0 }
    }

    /// For a stream that was looked at before and is text as it is.
    pub(super) fn plain(reader: Bytes) -> Self {
        Self { state: State::Open(reader), ..Self::new(Box::new(io::empty())) }
    }

    /// Where what is found is told.
    pub(super) fn found(&self) -> Found {
        self.found.clone()
    }

    /// Reads once, again when the system was disturbed; 0 is the end.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, SourceError> {
        if matches!(self.state, State::Unread(_))
            && let State::Unread(reader) = std::mem::replace(&mut self.state, State::Broken)
        {
            self.state = State::Open(self.open(reader).map_err(|error| self.blame(error))?);
        }
        let State::Open(reader) = &mut self.state else { return Ok(0) };
        loop {
            match reader.read(buffer) {
                Ok(read) => {
                    self.given += read as u64;
                    return Ok(read);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.blame(error)),
            }
        }
    }

    fn open(&mut self, reader: Bytes) -> io::Result<Bytes> {
        // A live producer may have written no more than one byte, and it may decide.
        let undecided = |head: &[u8]| packing(head).is_none() && (gzip::MAGIC.starts_with(head) || zstd::begins(head));
        let (head, mut bytes) = begin(reader, undecided)?;
        self.packing = packing(&head);
        match self.packing {
            Some(Wrapping::Zstd) => bytes = Box::new(Zstd::new(bytes)),
            Some(_) => bytes = Box::new(Gzip::new(bytes)),
            None => {}
        }
        if let Some(packing) = self.packing {
            self.found.add(packing);
        }
        let (head, mut bytes) = begin(bytes, capture::undecided)?;
        if capture::begins(&head) {
            bytes = match capture::dissect(bytes) {
                Ok(dissected) => {
                    self.found.add(Wrapping::Capture);
                    dissected
                }
                Err(capture) => capture,
            };
        }
        let (head, bytes) = begin(bytes, utf16::undecided)?;
        Ok(match utf16::order(&head) {
            Some(order) => {
                self.found.add(order);
                utf16::decoded(order, bytes)
            }
            None => bytes,
        })
    }

    /// Tells a broken stream from a broken disk.
    fn blame(&self, error: io::Error) -> SourceError {
        let given = self.given;
        match (self.packing, error.kind()) {
            (Some(packing), ErrorKind::UnexpectedEof) => SourceError::Packed(
                packing,
                io::Error::new(
                    ErrorKind::UnexpectedEof,
                    format!("its end too early, after {given} decompressed bytes"),
                ),
            ),
            (Some(packing), kind @ (ErrorKind::InvalidInput | ErrorKind::InvalidData)) => {
                SourceError::Packed(packing, io::Error::new(kind, format!("{error} after {given} decompressed bytes")))
            }
            _ => SourceError::Io(error),
        }
    }
}

/// The first bytes of a stream, as many as it takes to decide, and the whole stream again.
fn begin(mut reader: Bytes, undecided: impl Fn(&[u8]) -> bool) -> io::Result<(Vec<u8>, Bytes)> {
    let mut head = Vec::new();
    let mut fault = None;
    while undecided(&head) {
        let mut byte = [0];
        match reader.read(&mut byte) {
            Ok(0) => break,
            Ok(_) => head.push(byte[0]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                fault = Some(error);
                break;
            }
        }
    }
    match fault {
        Some(error) if head.is_empty() => Err(error),
        // What was read before the fault comes first.
        Some(error) => Ok((head.clone(), Box::new(Cursor::new(head).chain(Failing(Some(error)))))),
        None => Ok((head.clone(), Box::new(Cursor::new(head).chain(reader)))),
    }
}

/// Fails once.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
