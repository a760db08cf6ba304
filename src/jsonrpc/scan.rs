//! The JSON grammar (RFC 8259) over bytes that are known to be UTF-8: where a value ends, or where the text stops
//! being JSON. Decodes nothing, allocates nothing below a nesting of 63, and never recurses.

use wide::u8x16;

use super::Holds;

/// The byte offset at which the text stops being JSON; its length when it ends too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault(pub(super) usize);

/// The offset behind what was scanned.
type End = Result<usize, Fault>;

/// The bytes tested at once inside of long strings.
const BLOCK: usize = 64;

/// The byte at `at`, or NUL (which starts no token) behind the end.
#[inline(always)]
pub(super) fn peek(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// The first offset from `at` on that is no JSON white space.
#[inline(always)]
pub(super) fn whitespace(bytes: &[u8], at: usize) -> usize {
    gap(bytes, at, &mut Holds::default())
}

/// [`whitespace`] between the tokens of a value, which may hold line ends.
#[inline(always)]
pub(super) fn gap(bytes: &[u8], mut at: usize, seen: &mut Holds) -> usize {
    while peek(bytes, at) <= b' ' && matches!(peek(bytes, at), b' ' | b'\t' | b'\n' | b'\r') {
        seen.line_end |= matches!(peek(bytes, at), b'\n' | b'\r');
        at += 1;
    }
    at
}

/// A text without the JSON white space around it.
#[inline]
pub(super) fn trimmed(text: &str) -> &str {
    let bytes = text.as_bytes();
    let start = whitespace(bytes, 0);
    let mut end = bytes.len();
    while end > start && matches!(bytes[end - 1], b' ' | b'\t' | b'\n' | b'\r') {
        end -= 1;
    }
    &text[start..end]
}

/// Scratch space for nesting beyond one word of bits, and what was seen since it was last forgotten.
#[derive(Debug, Default)]
pub(super) struct Stack {
    words: Vec<u64>,
    pub(super) seen: Holds,
}

/// Scans one value that starts at `at`. `stack` is scratch space.
#[inline]
pub(super) fn value(bytes: &[u8], at: usize, stack: &mut Stack) -> End {
    match peek(bytes, at) {
        b'"' => string(bytes, at + 1, &mut stack.seen),
        b'{' | b'[' => container(bytes, at, stack),
        _ => scalar(bytes, at),
    }
}

/// Scans an object or array without recursion: one bit for each open container, 1 for objects. `open` holds up to 63
/// of them under a sentinel bit, the full words of the outer ones wait on `stack`.
fn container(bytes: &[u8], mut at: usize, stack: &mut Stack) -> End {
    let mut open = 1_u64;
    let Stack { words, seen } = stack;
    words.clear();
    loop {
        match peek(bytes, at) {
            b'"' => at = string(bytes, at + 1, seen)?,
            first @ (b'{' | b'[') => {
                at = gap(bytes, at + 1, seen);
                // The closing bracket stands two above the opening one in ASCII, for both kinds.
                if peek(bytes, at) == first + 2 {
                    at += 1;
                } else {
                    if open >> 63 == 1 {
                        words.push(open);
                        seen.deep = true;
                        open = 1;
                    }
                    let object = first == b'{';
                    open = open << 1 | u64::from(object);
                    if object {
                        at = name(bytes, at, seen)?;
                    }
                    continue;
                }
            }
            _ => at = scalar(bytes, at)?,
        }
        loop {
            if open == 1 {
                match words.pop() {
                    Some(outer) => open = outer,
                    None => return Ok(at),
                }
            }
            at = gap(bytes, at, seen);
            let object = open & 1 == 1;
            let next = peek(bytes, at);
            if next == b',' {
                at = gap(bytes, at + 1, seen);
                if object {
                    at = name(bytes, at, seen)?;
                }
                break;
            }
            if next != if object { b'}' } else { b']' } {
                return Err(Fault(at));
            }
            at += 1;
            open >>= 1;
        }
    }
}

/// Scans a member's name and its colon; gives the offset of the value.
#[inline(always)]
fn name(bytes: &[u8], at: usize, seen: &mut Holds) -> End {
    if peek(bytes, at) != b'"' {
        return Err(Fault(at));
    }
    let end = string(bytes, at + 1, seen)?;
    colon(bytes, end, seen)
}

/// Scans the colon behind a name; gives the offset of the value.
#[inline(always)]
pub(super) fn colon(bytes: &[u8], at: usize, seen: &mut Holds) -> End {
    let at = gap(bytes, at, seen);
    if peek(bytes, at) != b':' {
        return Err(Fault(at));
    }
    Ok(gap(bytes, at + 1, seen))
}

/// Scans a string from behind its opening quote to behind its closing one. Most strings are short, so two words are
/// tried before anything with a higher start-up cost.
#[inline(always)]
pub(super) fn string(bytes: &[u8], mut at: usize, seen: &mut Holds) -> End {
    for _ in 0..2 {
        match word(bytes, at) {
            Some(0) => at += 8,
            Some(marks) => {
                at += first_mark(marks);
                if peek(bytes, at) == b'"' {
                    return Ok(at + 1);
                }
                break;
            }
            None => break,
        }
    }
    long_string(bytes, at, seen)
}

/// [`string`] for strings that go on: whole blocks, each looked at once however many escapes it holds, then the rest.
#[inline(never)]
fn long_string(bytes: &[u8], mut at: usize, seen: &mut Holds) -> End {
    'blocks: while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
        let mut marks = block_marks(block);
        while marks != 0 {
            let place = marks.trailing_zeros() as usize;
            match block[place] {
                b'"' => return Ok(at + place + 1),
                b'\\' => {
                    let end = escape(bytes, at + place + 1, seen)?;
                    if end - at >= BLOCK {
                        at = end;
                        continue 'blocks;
                    }
                    marks &= u64::MAX << (end - at);
                }
                _ => return Err(Fault(at + place)),
            }
        }
        at += BLOCK;
    }
    loop {
        at = plain(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at = escape(bytes, at + 1, seen)?,
            _ => return Err(Fault(at)),
        }
    }
}

/// A bit for each byte of a block that is no plain text in a string: a quote, a backslash, a control character.
#[inline(always)]
fn block_marks(block: &[u8; BLOCK]) -> u64 {
    let (lanes, _) = block.as_chunks::<16>();
    let mut marks = 0;
    for (place, lane) in lanes.iter().enumerate() {
        let lane = u8x16::new(*lane);
        let special = lane.simd_eq(u8x16::splat(b'"'))
            | lane.simd_eq(u8x16::splat(b'\\'))
            | lane.min(u8x16::splat(0x1F)).simd_eq(lane);
        marks |= u64::from(special.to_bitmask()) << (16 * place);
    }
    marks
}

/// The first offset from `at` on of a byte that is no plain text in a string, or the length.
fn plain(bytes: &[u8], mut at: usize) -> usize {
    while let Some(marks) = word(bytes, at) {
        if marks != 0 {
            return at + first_mark(marks);
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| !special(byte)) {
        at += 1;
    }
    at
}

/// Tests the eight bytes from `at` on at once. The lowest bit that is set in the answer belongs to the first special
/// byte (bits above it may be set by borrows); `None` when there are no eight bytes.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    const EACH: u64 = u64::MAX / 0xFF;
    let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
    let quote = (word ^ (EACH * b'"' as u64)).wrapping_sub(EACH);
    let backslash = (word ^ (EACH * b'\\' as u64)).wrapping_sub(EACH);
    let control = word.wrapping_sub(EACH * 0x20);
    Some((quote | backslash | control) & !word & (EACH << 7))
}

#[inline(always)]
fn first_mark(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

#[inline(always)]
fn special(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\\') | (byte < 0x20)
}

/// Scans an escape from behind its backslash. Surrogates need not come in pairs: the grammar does not ask for it.
#[inline]
fn escape(bytes: &[u8], at: usize, seen: &mut Holds) -> End {
    match bytes.get(at) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 1),
        Some(b'u') => {
            seen.surrogate |= matches!(peek(bytes, at + 1), b'd' | b'D') && peek(bytes, at + 2) > b'7';
            let digits = (at + 1..at + 5).find(|&digit| !peek(bytes, digit).is_ascii_hexdigit());
            digits.map_or(Ok(at + 5), |fault| Err(Fault(fault)))
        }
        _ => Err(Fault(at)),
    }
}

/// Scans a number or a literal.
#[inline(always)]
fn scalar(bytes: &[u8], at: usize) -> End {
    match peek(bytes, at) {
        b'-' | b'0'..=b'9' => number(bytes, at),
        b't' => literal(bytes, at, b"true"),
        b'f' => literal(bytes, at, b"false"),
        b'n' => literal(bytes, at, b"null"),
        _ => Err(Fault(at)),
    }
}

#[inline(always)]
fn literal<const N: usize>(bytes: &[u8], at: usize, word: &[u8; N]) -> End {
    if bytes.get(at..at + N).is_some_and(|found| found == word) {
        return Ok(at + N);
    }
    let same = word.iter().zip(bytes.get(at..).unwrap_or_default()).take_while(|(a, b)| a == b).count();
    Err(Fault(at + same))
}

#[inline]
fn number(bytes: &[u8], mut at: usize) -> End {
    if peek(bytes, at) == b'-' {
        at += 1;
    }
    at = if peek(bytes, at) == b'0' { at + 1 } else { digits(bytes, at)? };
    if peek(bytes, at) == b'.' {
        at = digits(bytes, at + 1)?;
    }
    if matches!(peek(bytes, at), b'e' | b'E') {
        at += 1;
        if matches!(peek(bytes, at), b'+' | b'-') {
            at += 1;
        }
        at = digits(bytes, at)?;
    }
    Ok(at)
}

/// Scans one digit or more.
#[inline(always)]
fn digits(bytes: &[u8], start: usize) -> End {
    let mut at = start;
    while peek(bytes, at).is_ascii_digit() {
        at += 1;
    }
    if at == start { Err(Fault(at)) } else { Ok(at) }
}

/// The offset behind the value at `at` in text that has been found valid before: counts brackets and tells no kind.
/// On other text the answer is some offset up to the length.
pub(super) fn skip(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    let seen = &mut Holds::default();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string(bytes, at + 1, seen).unwrap_or(bytes.len());
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                if depth <= 1 {
                    return at + depth;
                }
                depth -= 1;
            }
            b',' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}
