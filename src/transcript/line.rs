//! One physical line, and how its text maps to the bytes of the input.

use std::ops::Range;

use super::Map;

/// One physical line, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'b> {
    /// The text without its line end, LF or CR LF; NUL bytes and everything else is kept, a byte order mark at the
    /// start of the input is not.
    pub text: &'b str,
    /// The same as it stands in the input, before bad bytes were replaced.
    pub raw: &'b [u8],
    /// Number, from 1.
    pub number: u64,
    /// Byte offset of the first byte of the line in the decompressed input; behind a byte order mark.
    pub offset: u64,
    /// Length in bytes as it stands in the input, line end (CR LF included) not counted.
    pub length: u64,
    /// Bad bytes were replaced by U+FFFD, so `text` is not the input's bytes.
    pub lossy: bool,
    /// Longer than the limit: `text` is the first part of it, `length` the whole.
    pub oversized: bool,
    /// A line end follows.
    pub terminated: bool,
    /// The way back to the input, where something was taken off the line. Then `raw` is the text, and `offset` and
    /// `length` tell which part of the input it stands for.
    pub map: Option<Map<'b>>,
}

impl Line<'_> {
    /// Offset in the input and length of a part of the text.
    #[inline(always)]
    pub fn locate(&self, part: Range<usize>) -> (u64, u64) {
        if self.map.is_none() && !self.lossy {
            return (self.offset + part.start as u64, part.len() as u64);
        }
        self.locate_changed(part)
    }

    /// The same where the text is not what the input holds.
    #[inline(never)]
    fn locate_changed(&self, part: Range<usize>) -> (u64, u64) {
        match &self.map {
            None => self.locate_lossy(part),
            // Nothing of the input is left in it.
            Some(_) if self.text.is_empty() => (self.offset, 0),
            Some(map) => {
                let place = map.place(&part);
                (place.start, place.end - place.start)
            }
        }
    }

    fn locate_lossy(&self, part: Range<usize>) -> (u64, u64) {
        let (mut text, mut raw) = (0, 0);
        let (mut start, mut end) = (None, None);
        // Replacements change lengths: walk both texts together until both ends are found.
        let mut step = |text_len: usize, raw_len: usize, exact: bool| {
            for (found, wanted) in [(&mut start, part.start), (&mut end, part.end)] {
                if found.is_none() && wanted < text + text_len {
                    *found = Some(raw + if exact { wanted - text } else { 0 });
                }
            }
            text += text_len;
            raw += raw_len;
        };
        for chunk in self.raw.utf8_chunks() {
            step(chunk.valid().len(), chunk.valid().len(), true);
            if !chunk.invalid().is_empty() {
                step(char::REPLACEMENT_CHARACTER.len_utf8(), chunk.invalid().len(), false);
            }
        }
        let (start, end) = (start.unwrap_or(raw) as u64, end.unwrap_or(raw) as u64);
        (self.offset + start, end.saturating_sub(start))
    }
}

/// Writes the text of bytes that are not all UTF-8: each maximal bad stretch becomes one U+FFFD.
pub(super) fn replace_bad_bytes(raw: &[u8], text: &mut String) {
    text.clear();
    for chunk in raw.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_part_of_the_text_is_found_in_the_input(raw in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'a'), Just(0xe2)], 0..40)) {
            let mut text = String::new();
            replace_bad_bytes(&raw, &mut text);
            prop_assert_eq!(&text, &String::from_utf8_lossy(&raw));
            let line = Line {
                text: &text,
                raw: &raw,
                number: 1,
                offset: 100,
                length: raw.len() as u64,
                lossy: true,
                oversized: false,
                terminated: true,
                map: None,
            };
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            for (index, start) in places.iter().enumerate() {
                for end in &places[index..] {
                    let (offset, length) = line.locate(*start..*end);
                    let from = usize::try_from(offset - 100).unwrap();
                    let part = &raw[from..from + usize::try_from(length).unwrap()];
                    prop_assert_eq!(&text[*start..*end], &String::from_utf8_lossy(part));
                }
            }
        }
    }
}
