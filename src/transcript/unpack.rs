//! Gzip or not: decided by the first two bytes of a stream, and the errors that unpacking can give.

use std::io::{self, Chain, Cursor, ErrorKind, Read};

use flate2::read::MultiGzDecoder;

use super::SourceError;

/// The first bytes of a gzip stream (RFC 1952, section 2.3.1).
pub(super) const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

type Bytes = Box<dyn Read + Send>;
type Whole = Chain<Cursor<Vec<u8>>, Bytes>;

/// A reader that unpacks what is packed. Several members in a row are one stream, as `cat a.gz b.gz` makes them.
pub(super) struct Unpack {
    state: State,
    given: u64,
}

enum State {
    /// Nothing read so far: a pipe may not have anything yet.
    Unread(Option<Bytes>),
    Plain(Bytes),
    /// Plain, with the bytes that were read to find that out.
    Rejoined(Whole),
    Gzip(Box<MultiGzDecoder<Whole>>),
}

impl Unpack {
    /// Finds out with the first read.
    pub(super) fn new(reader: Bytes) -> Self {
        Self { state: State::Unread(Some(reader)), given: 0 }
    }

    /// For streams that were looked at before.
    pub(super) fn known(reader: Bytes, gzip: bool) -> Self {
        let state = if gzip { State::gzip(Vec::new(), reader) } else { State::Plain(reader) };
        Self { state, given: 0 }
    }

    /// Reads once, again when the system was disturbed; 0 is the end.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, SourceError> {
        if let State::Unread(reader) = &mut self.state
            && let Some(reader) = reader.take()
        {
            self.state = State::find_out(reader).map_err(SourceError::Io)?;
        }
        loop {
            let read = match &mut self.state {
                State::Unread(_) => Ok(0),
                State::Plain(reader) => reader.read(buffer),
                State::Rejoined(reader) => reader.read(buffer),
                State::Gzip(reader) => reader.read(buffer),
            };
            match read {
                Ok(read) => {
                    self.given += read as u64;
                    return Ok(read);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.blame(error)),
            }
        }
    }

    /// Tells a broken stream from a broken disk.
    fn blame(&self, error: io::Error) -> SourceError {
        let given = self.given;
        match (&self.state, error.kind()) {
            (State::Gzip(_), ErrorKind::UnexpectedEof) => SourceError::Gzip(io::Error::new(
                ErrorKind::UnexpectedEof,
                format!("its end too early, after {given} decompressed bytes"),
            )),
            (State::Gzip(_), kind @ (ErrorKind::InvalidInput | ErrorKind::InvalidData)) => {
                SourceError::Gzip(io::Error::new(kind, format!("{error} after {given} decompressed bytes")))
            }
            _ => SourceError::Io(error),
        }
    }
}

impl State {
    fn gzip(head: Vec<u8>, reader: Bytes) -> Self {
        Self::Gzip(Box::new(MultiGzDecoder::new(Cursor::new(head).chain(reader))))
    }

    fn find_out(mut reader: Bytes) -> io::Result<Self> {
        // One byte at a time: a live producer may have written no more than one, and it may decide.
        let mut head = Vec::with_capacity(GZIP_MAGIC.len());
        while GZIP_MAGIC.starts_with(&head) && head.len() < GZIP_MAGIC.len() {
            if reader.by_ref().take(1).read_to_end(&mut head)? == 0 {
                break;
            }
        }
        if head == GZIP_MAGIC {
            return Ok(Self::gzip(head, reader));
        }
        Ok(Self::Rejoined(Cursor::new(head).chain(reader)))
    }
}
