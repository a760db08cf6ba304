//! Gzip as a stream: members in a row, as `cat a.gz b.gz` makes them, and the zeros with which tapes and disks fill
//! up behind the last.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use flate2::bufread::GzDecoder;

/// The first bytes of a gzip stream (RFC 1952, section 2.3.1).
pub(super) const MAGIC: &[u8] = &[0x1f, 0x8b];

/// A reader of the unpacked bytes.
pub(super) struct Gzip<R> {
    /// The member that is read; `None` at the end.
    member: Option<GzDecoder<BufReader<R>>>,
}

impl<R: Read> Gzip<R> {
    /// For a stream that begins with [`MAGIC`].
    pub(super) fn new(reader: R) -> Self {
        Self { member: Some(GzDecoder::new(BufReader::with_capacity(1 << 16, reader))) }
    }
}

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(mut rest) = self.member.take().map(GzDecoder::into_inner) else { break };
            match skip_zeros(&mut rest)? {
                None => break,
                Some(byte) if byte == MAGIC[0] => self.member = Some(GzDecoder::new(rest)),
                Some(_) => return Err(io::Error::new(ErrorKind::InvalidData, "other bytes behind it")),
            }
        }
        Ok(0)
    }
}

/// Passes over zeros; the first byte that is none, still unread, or `None` at the end.
pub(super) fn skip_zeros(rest: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let ahead = rest.fill_buf()?;
        let zeros = ahead.iter().take_while(|byte| **byte == 0).count();
        let (next, end) = (ahead.get(zeros).copied(), ahead.is_empty());
        rest.consume(zeros);
        if next.is_some() || end {
            return Ok(next);
        }
    }
}
