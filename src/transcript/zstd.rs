//! Zstandard as a stream: frames in a row, skippable ones passed over, each frame held against its checksum. What a
//! damaged frame still gave is handed out before the damage is told.

use std::error::Error;
use std::io::{self, BufReader, ErrorKind, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::gzip::skip_zeros;

/// The first bytes of a frame (RFC 8878, section 3.1.1).
const MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// The first bytes of a skippable frame (section 3.1.2); the low half of the very first is free.
const SKIPPABLE: &[u8] = &[0x50, 0x2a, 0x4d, 0x18];
/// Bytes that begin a stream.
pub(super) const MAGIC_LENGTH: usize = MAGIC.len();

/// Whether so many bytes, up to [`MAGIC_LENGTH`], can begin a stream.
pub(super) fn begins(head: &[u8]) -> bool {
    let head = &head[..head.len().min(MAGIC_LENGTH)];
    let skippable =
        |(at, byte): (usize, &u8)| if at == 0 { byte & 0xf0 == SKIPPABLE[0] } else { *byte == SKIPPABLE[at] };
    MAGIC.starts_with(head) || head.iter().enumerate().all(skippable)
}

/// A last block of no bytes, and room for a checksum: it makes the decoder give out what it keeps for later blocks.
const LAST_BLOCK: &[u8] = &[1, 0, 0, 0, 0, 0, 0];

/// A reader of the unpacked bytes. The decoder refuses windows above 128 MiB, so that a few bytes cannot ask for any
/// amount of memory.
pub(super) struct Zstd<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    in_frame: bool,
    /// What ended the stream, to be told behind the bytes before it.
    fault: Option<io::Error>,
    ended: bool,
}

impl<R: Read> Zstd<R> {
    /// For a stream of frames.
    pub(super) fn new(reader: R) -> Self {
        Self {
            source: BufReader::with_capacity(1 << 16, reader),
            decoder: FrameDecoder::new(),
            in_frame: false,
            fault: None,
            ended: false,
        }
    }

    /// Goes to the next frame; `false` when there is none.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            if skip_zeros(&mut self.source)?.is_none() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let passed = io::copy(&mut self.source.by_ref().take(u64::from(length)), &mut io::sink())?;
                    if passed < u64::from(length) {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(fault(&error)),
            }
        }
    }

    fn next_block(&mut self) {
        if let Err(error) = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1)) {
            self.fault = Some(fault(&error));
            // Whether it helps or not: the fault is told next.
            let _ = self.decoder.decode_blocks(LAST_BLOCK, BlockDecodingStrategy::UptoBlocks(1));
        }
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.ended && !buffer.is_empty() {
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if let Some(fault) = self.fault.take() {
                self.ended = true;
                return Err(fault);
            }
            if !self.in_frame {
                self.in_frame = self.next_frame().inspect_err(|_| self.ended = true)?;
                self.ended = !self.in_frame;
            } else if self.decoder.is_finished() {
                self.in_frame = false;
                let told = self.decoder.get_checksum_from_data();
                if told.is_some() && told != self.decoder.get_calculated_checksum() {
                    self.fault = Some(io::Error::new(ErrorKind::InvalidData, "a checksum that does not fit"));
                }
            } else {
                self.next_block();
            }
        }
        Ok(0)
    }
}

/// What the decoder says, as an error of reading: an early end and faults of the disk keep their kind.
fn fault(error: &FrameDecoderError) -> io::Error {
    if let FrameDecoderError::WindowSizeTooBig { requested, .. } = error {
        return io::Error::new(
            ErrorKind::InvalidData,
            format!(
                "a window of {requested} bytes, beyond 128 MiB; `zstd -dc --long=31 FILE | mcp-trace` reads it, or"
            ),
        );
    }
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return io::Error::new(error.kind(), error.to_string());
        }
        cause = error.source();
    }
    io::Error::new(ErrorKind::InvalidData, "damage")
}
