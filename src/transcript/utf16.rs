//! UTF-16 or not: decided by the first bytes of a text, with a byte order mark or by its NUL bytes. What it gives is
//! UTF-8, so that offsets refer to the converted text.

use std::io::Read;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;

use super::Wrapping;

/// Bytes that decide.
pub(super) const LOOK: usize = 64;

/// Whether more bytes, up to [`LOOK`], are needed to decide.
pub(super) fn undecided(head: &[u8]) -> bool {
    match head {
        [] | [_] => true,
        [..] if has_mark(head) => head.len() < 4,
        [first, second, ..] => head.len() < LOOK && (*first == 0 || *second == 0),
    }
}

fn has_mark(head: &[u8]) -> bool {
    head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff])
}

/// The byte order of a text that begins so, if it is UTF-16. Without a mark, the high bytes of Latin letters and
/// signs tell: most of them are zero, and few of the low bytes.
pub(super) fn order(head: &[u8]) -> Option<Wrapping> {
    let head = &head[..head.len().min(LOOK)];
    match head {
        // The mark of UTF-32, which nobody writes logs in.
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, ..] => return Some(Wrapping::Utf16Le),
        [0xfe, 0xff, ..] => return Some(Wrapping::Utf16Be),
        _ => {}
    }
    let pairs = head.len() / 2;
    let zeros = |first: usize| head.iter().skip(first).step_by(2).take(pairs).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    match pairs {
        0 | 1 => None,
        _ if odd * 4 >= pairs * 3 && even * 16 < pairs => Some(Wrapping::Utf16Le),
        _ if even * 4 >= pairs * 3 && odd * 16 < pairs => Some(Wrapping::Utf16Be),
        _ => None,
    }
}

/// The text as UTF-8, without the mark; halves of surrogate pairs become U+FFFD.
pub(super) fn decoded(order: Wrapping, reader: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
    let encoding: &'static Encoding = if order == Wrapping::Utf16Be { UTF_16BE } else { UTF_16LE };
    Box::new(DecodeReaderBytesBuilder::new().encoding(Some(encoding)).strip_bom(true).build(reader))
}
