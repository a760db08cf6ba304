//! What a source has read, kept until nobody needs it any more: for those who copy lines as they stand in the input.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Before anything is let go, so many bytes may gather.
const MAX_KEPT: usize = 64 << 20;
/// What was let go is taken away when it is at least this much.
const COMPACT: usize = 1 << 20;

/// Text of an input as it was read, from a line on that moves. The text is the decompressed one, in which places are told.
#[derive(Clone, Debug, Default)]
pub struct Tap(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Bytes at the front that were let go.
    gone: usize,
    /// Where `bytes` begin in the input.
    offset: u64,
    closed: bool,
}

impl Tap {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what was read.
    pub(super) fn push(&self, read: &[u8]) {
        let mut kept = self.kept();
        if kept.closed {
            return;
        }
        kept.bytes.extend_from_slice(read);
        if kept.bytes.len() - kept.gone > MAX_KEPT {
            // Blank lines are told of by nobody.
            let held = &kept.bytes[kept.gone..];
            let blank = held.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let lines = held[..blank].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            kept.let_go(lines);
        }
    }

    /// Whether more was kept than anybody may need to tell lines from other forms.
    pub fn is_full(&self) -> bool {
        let kept = self.kept();
        kept.bytes.len() - kept.gone > MAX_KEPT
    }

    /// Keeps nothing any more.
    pub fn close(&self) {
        *self.kept() = Kept { closed: true, ..Kept::default() };
    }

    /// Lets go of everything before the line in which a byte of the input stands.
    pub fn forget_before(&self, offset: u64) {
        let mut kept = self.kept();
        if let Some(at) = kept.place(offset) {
            let count = kept.line_start(at) - kept.gone;
            kept.let_go(count);
        }
    }

    /// Hands the whole lines in which a part of the input stands to `take`, with their place in the input, line ends
    /// included; nothing when they are gone.
    pub fn lines<T>(&self, offset: u64, length: u64, take: impl FnOnce(u64, &[u8]) -> T) -> Option<T> {
        let kept = self.kept();
        let (start, end) = (kept.place(offset)?, kept.place(offset + length)?);
        let start = kept.line_start(start);
        let end = kept.bytes[end..].iter().position(|byte| *byte == b'\n').map_or(kept.bytes.len(), |at| end + at + 1);
        Some(take(kept.offset + start as u64, &kept.bytes[start..end]))
    }
}

impl Kept {
    /// Where a byte of the input stands in what is kept; its end counts as well.
    fn place(&self, offset: u64) -> Option<usize> {
        let at = usize::try_from(offset.checked_sub(self.offset)?).ok()?;
        (self.gone..=self.bytes.len()).contains(&at).then_some(at)
    }

    fn line_start(&self, at: usize) -> usize {
        self.bytes[self.gone..at].iter().rposition(|byte| *byte == b'\n').map_or(self.gone, |end| self.gone + end + 1)
    }

    fn let_go(&mut self, count: usize) {
        self.gone += count;
        if self.gone >= COMPACT && self.gone >= self.bytes.len() / 2 {
            self.bytes.drain(..self.gone);
            self.offset += self.gone as u64;
            self.gone = 0;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn lines(tap: &Tap, offset: u64, length: u64) -> Option<(u64, String)> {
        tap.lines(offset, length, |at, lines| (at, String::from_utf8(lines.to_vec()).unwrap()))
    }

    #[test]
    fn whole_lines_are_found_until_they_are_let_go() {
        let tap = Tap::default();
        tap.push(b"one\r\n  two");
        tap.push(b" \n\nthree");
        assert_eq!(lines(&tap, 1, 1), Some((0, "one\r\n".to_owned())));
        assert_eq!(lines(&tap, 7, 3), Some((5, "  two \n".to_owned())));
        assert_eq!(lines(&tap, 0, 10), Some((0, "one\r\n  two \n".to_owned())));
        tap.forget_before(8);
        assert_eq!(lines(&tap, 1, 1), None);
        assert_eq!(lines(&tap, 7, 3), Some((5, "  two \n".to_owned())));
        assert_eq!(lines(&tap, 13, 5), Some((13, "three".to_owned())));
        assert_eq!(lines(&tap, 13, 9), None);
        tap.close();
        tap.push(b"four\n");
        assert_eq!(lines(&tap, 18, 1), None);
    }

    #[test]
    fn what_is_let_go_takes_no_room() {
        let tap = Tap::default();
        let line = [b'x'; 999].into_iter().chain([b'\n']).collect::<Vec<_>>();
        for number in 0..10_000_u64 {
            tap.push(&line);
            tap.forget_before(number * 1_000);
            assert_eq!(lines(&tap, number * 1_000 + 5, 3).unwrap().0, number * 1_000);
        }
        assert!(tap.kept().bytes.len() <= 3 * COMPACT, "{}", tap.kept().bytes.len());
        let tap = Tap::default();
        for _ in 0..MAX_KEPT / 1_000 + 5_000 {
            tap.push(&[b'\n'; 1_000]);
        }
        assert!(!tap.is_full(), "blank lines are told of by nobody");
    }
}
