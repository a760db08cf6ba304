//! The JSON grammar (RFC 8259) over bytes that are known to be UTF-8: where a value ends, or where the text stops
//! being JSON. Decodes nothing, allocates nothing below a nesting of 63, and never recurses.

use wide::u8x16;

use super::Holds;

/// The byte offset at which the text stops being JSON; its length when it ends too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault(pub(super) usize);

/// The offset behind what was scanned.
type End = Result<usize, Fault>;

/// The bytes that are tested at once inside of strings.
const BLOCK: usize = 64;

/// So much text has to follow before whole blocks are looked for in it.
const LONG: usize = 8 * BLOCK;

/// The characters that an escape consists of behind its backslash.
const ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let mut place = 0;
    while place < ESCAPES.len() {
        table[ESCAPES[place] as usize] = true;
        place += 1;
    }
    table
};
const ESCAPES: &[u8] = b"\"\\/bfnrt";

/// The byte at `at`, or NUL (which starts no token) behind the end.
#[inline(always)]
pub(super) fn peek(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// The first offset from `at` on that is no JSON white space.
#[inline(always)]
pub(super) fn whitespace(bytes: &[u8], mut at: usize) -> usize {
    while peek(bytes, at) <= b' ' && matches!(peek(bytes, at), b' ' | b'\t' | b'\n' | b'\r') {
        at += 1;
    }
    at
}

/// A text without the JSON white space around it.
#[inline]
pub(super) fn trimmed(text: &str) -> &str {
    let bytes = text.as_bytes();
    if let (Some(b'!'..), Some(b'!'..)) = (bytes.first(), bytes.last()) {
        return text;
    }
    let start = whitespace(bytes, 0);
    let mut end = bytes.len();
    while end > start && matches!(bytes[end - 1], b' ' | b'\t' | b'\n' | b'\r') {
        end -= 1;
    }
    &text[start..end]
}

/// Where a token starts, and its first byte; NUL, which starts none, at the end of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) at: usize,
    pub(super) first: u8,
}

/// What stands behind a member of an object.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    /// Another member; where the quote of its name stands.
    Name(usize),
    /// The object's end, before this place.
    End(usize),
}

/// Sees the parts of objects and arrays as they are scanned, in the order of their ends.
pub(super) trait Watch {
    /// An object or array that is not empty begins.
    fn open(&mut self, start: usize);
    /// The innermost of those has ended before this place.
    fn close(&mut self, end: usize);
    /// A member's name, without its quotes.
    fn name(&mut self, start: usize, end: usize);
    /// A string that is no name, with its quotes.
    fn string(&mut self, start: usize, end: usize);
}

/// Nobody looks.
impl Watch for () {
    fn open(&mut self, _: usize) {}
    fn close(&mut self, _: usize) {}
    fn name(&mut self, _: usize, _: usize) {}
    fn string(&mut self, _: usize, _: usize) {}
}

/// A text that is being scanned, from front to back. Of the block that was looked at last it knows where strings may
/// end, so that short strings in one block cost one look at it together.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    /// Where the block begins.
    base: usize,
    /// A bit for each byte of the block that is no plain text in a string.
    marks: u64,
    /// Strings so far had escapes.
    pub(super) escapes: bool,
    /// Names so far had escapes.
    pub(super) escaped_names: bool,
    /// Nesting beyond one word of bits.
    outer: Vec<u64>,
    /// What was seen so far.
    pub(super) seen: Holds,
}

impl<'a> Scanner<'a> {
    /// A scanner of the whole text.
    #[inline]
    pub(super) fn new(text: &'a str) -> Self {
        // No block has been looked at: this one lies behind every text.
        let base = usize::MAX - BLOCK;
        Self {
            bytes: text.as_bytes(),
            base,
            marks: 0,
            escapes: false,
            escaped_names: false,
            outer: Vec::new(),
            seen: Holds::default(),
        }
    }

    /// The token that starts at `at`, or behind white space from there on.
    #[inline(always)]
    pub(super) fn token(&mut self, at: usize) -> Token {
        let first = self.peek(at);
        if first > b' ' { Token { at, first } } else { self.distant_token(at) }
    }

    #[inline(never)]
    fn distant_token(&mut self, start: usize) -> Token {
        let at = whitespace(self.bytes, start);
        self.seen.line_end |= self.bytes[start..at].iter().any(|byte| matches!(byte, b'\n' | b'\r'));
        Token { at, first: self.peek(at) }
    }

    #[inline(always)]
    fn peek(&self, at: usize) -> u8 {
        peek(self.bytes, at)
    }

    /// Scans one value.
    #[inline(always)]
    pub(super) fn value(&mut self, start: Token) -> End {
        match start.first {
            b'"' => self.string(start.at + 1),
            b'{' | b'[' => self.watch(start, &mut ()),
            _ => scalar(self.bytes, start.at),
        }
    }

    /// Scans one value that starts at `at`.
    pub(super) fn value_at(&mut self, at: usize) -> End {
        self.value(Token { at, first: self.peek(at) })
    }

    /// Scans an object or array without recursion: one bit for each open container, 1 for objects. `open` holds up to
    /// 63 of them under a sentinel bit, the full words of the outer ones wait in `outer`.
    pub(super) fn watch(&mut self, mut token: Token, watch: &mut impl Watch) -> End {
        let mut open = 1_u64;
        self.outer.clear();
        loop {
            let mut at;
            match token.first {
                b'"' => {
                    at = self.string(token.at + 1)?;
                    watch.string(token.at, at);
                }
                first @ (b'{' | b'[') => {
                    let start = token.at;
                    token = self.token(start + 1);
                    // The closing bracket stands two above the opening one in ASCII, for both kinds.
                    if token.first == first + 2 {
                        at = token.at + 1;
                    } else {
                        if open >> 63 == 1 {
                            self.outer.push(open);
                            self.seen.deep = true;
                            open = 1;
                        }
                        let object = first == b'{';
                        open = open << 1 | u64::from(object);
                        watch.open(start);
                        if object {
                            token = self.watched_name(token, watch)?;
                        }
                        continue;
                    }
                }
                _ => at = scalar(self.bytes, token.at)?,
            }
            loop {
                if open == 1 {
                    match self.outer.pop() {
                        Some(outer) => open = outer,
                        None => return Ok(at),
                    }
                }
                let next = self.token(at);
                let object = open & 1 == 1;
                if next.first == b',' {
                    token = self.token(next.at + 1);
                    if object {
                        token = self.watched_name(token, watch)?;
                    }
                    break;
                }
                if next.first != if object { b'}' } else { b']' } {
                    return Err(Fault(next.at));
                }
                at = next.at + 1;
                open >>= 1;
                watch.close(at);
            }
        }
    }

    #[inline(always)]
    fn watched_name(&mut self, name: Token, watch: &mut impl Watch) -> Result<Token, Fault> {
        if name.first != b'"' {
            return Err(Fault(name.at));
        }
        let (behind, value) = self.name(name.at)?;
        watch.name(name.at + 1, behind - 1);
        Ok(value)
    }

    /// Goes on behind an object's member: to the quote of the next name, or behind the object's end.
    #[inline(always)]
    pub(super) fn next_member(&mut self, at: usize) -> Result<Next, Fault> {
        // How nearly everybody writes it: looked for first, because that is cheaper.
        match (self.peek(at), self.peek(at + 1)) {
            (b',', b'"') => Ok(Next::Name(at + 1)),
            (b'}', _) => Ok(Next::End(at + 1)),
            _ => self.any_next_member(at),
        }
    }

    #[inline(never)]
    fn any_next_member(&mut self, at: usize) -> Result<Next, Fault> {
        let next = self.token(at);
        match next.first {
            b',' => self.first_name(next.at + 1),
            b'}' => Ok(Next::End(next.at + 1)),
            _ => Err(Fault(next.at)),
        }
    }

    /// The quote of the name that begins at `at` or behind white space from there on.
    #[inline(always)]
    pub(super) fn first_name(&mut self, at: usize) -> Result<Next, Fault> {
        let name = self.token(at);
        if name.first == b'"' { Ok(Next::Name(name.at)) } else { Err(Fault(name.at)) }
    }

    /// Scans a member's name from its quote on, and its colon; gives the offset behind the name's closing quote and the
    /// start of the value.
    #[inline(always)]
    pub(super) fn name(&mut self, quote: usize) -> Result<(usize, Token), Fault> {
        let end = match self.short_string(quote + 1) {
            Some(end) => end,
            None => self.long_name(quote + 1)?,
        };
        let colon = self.token(end);
        if colon.first != b':' {
            return Err(Fault(colon.at));
        }
        Ok((end, self.token(colon.at + 1)))
    }

    /// Scans a string from behind its opening quote to behind its closing one.
    #[inline(always)]
    pub(super) fn string(&mut self, at: usize) -> End {
        match self.short_string(at) {
            Some(end) => Ok(end),
            None => self.long_string(at),
        }
    }

    /// [`Self::string`] for strings without escapes that end in their block; `None` for others.
    #[inline(always)]
    fn short_string(&mut self, at: usize) -> Option<usize> {
        let marks = self.marks_from(at);
        let end = at + marks.trailing_zeros() as usize;
        (marks != 0 && self.peek(end) == b'"').then_some(end + 1)
    }

    /// [`Self::long_string`] for names.
    #[inline(never)]
    fn long_name(&mut self, at: usize) -> End {
        let before = std::mem::take(&mut self.escapes);
        let end = self.long_string(at);
        self.escaped_names |= self.escapes;
        self.escapes |= before;
        end
    }

    /// [`Self::string`] for strings that have escapes or go on in the next block.
    #[inline(never)]
    fn long_string(&mut self, mut at: usize) -> End {
        loop {
            let marks = self.marks_from(at);
            if marks == 0 {
                at = self.plain_blocks(self.base + BLOCK);
                continue;
            }
            at += marks.trailing_zeros() as usize;
            match self.bytes.get(at) {
                Some(b'"') => return Ok(at + 1),
                Some(b'\\') => {
                    self.escapes = true;
                    at = self.escape(at + 1)?;
                }
                _ => return Err(Fault(at)),
            }
        }
    }

    /// Passes over whole blocks of plain text: where there is one, as in encoded files, more are likely.
    #[inline(always)]
    fn plain_blocks(&self, at: usize) -> usize {
        let Some(rest) = self.bytes.get(at..).filter(|rest| rest.len() >= LONG) else { return at };
        at + BLOCK * rest.as_chunks().0.iter().take_while(|block| is_plain(block)).count()
    }

    /// Scans an escape from behind its backslash. Surrogates need not come in pairs: the grammar does not ask for it.
    #[inline]
    fn escape(&mut self, at: usize) -> End {
        match self.peek(at) {
            simple if ESCAPED[usize::from(simple)] => Ok(at + 1),
            b'u' => {
                self.seen.surrogate |= matches!(self.peek(at + 1), b'd' | b'D') && self.peek(at + 2) > b'7';
                let digits = (at + 1..at + 5).find(|&digit| !self.peek(digit).is_ascii_hexdigit());
                digits.map_or(Ok(at + 5), |fault| Err(Fault(fault)))
            }
            _ => Err(Fault(at)),
        }
    }

    /// A bit for each byte from `at` on to the end of its block that is no plain text in a string; the end of the text is
    /// such a byte.
    #[inline(always)]
    fn marks_from(&mut self, at: usize) -> u64 {
        let within = at.wrapping_sub(self.base);
        if within < BLOCK { self.marks >> within } else { self.look_at(at) }
    }

    /// Looks at the block from `at` on, or at the last whole one.
    #[inline(never)]
    fn look_at(&mut self, at: usize) -> u64 {
        if let Some(block) = self.bytes.get(at..).and_then(<[u8]>::first_chunk) {
            (self.base, self.marks) = (at, block_marks(block));
            return self.marks;
        }
        if at >= self.bytes.len() {
            return 1;
        }
        let Some(block) = self.bytes.last_chunk() else { return self.look_at_short(at) };
        (self.base, self.marks) = (self.bytes.len() - BLOCK, block_marks(block));
        self.marks >> (at - self.base)
    }

    /// [`Self::look_at`] where there is no whole block: in a function of its own, because of the copy on its stack.
    #[inline(never)]
    fn look_at_short(&mut self, at: usize) -> u64 {
        let mut block = [0; BLOCK];
        block[..self.bytes.len()].copy_from_slice(self.bytes);
        (self.base, self.marks) = (0, block_marks(&block));
        self.marks >> at
    }

    /// The offset behind the value at `at` in text that has been found valid before: counts brackets and tells no kind.
    /// On other text the answer is some offset up to the length.
    pub(super) fn skip(&mut self, mut at: usize) -> usize {
        let mut depth = 0_usize;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'"' => {
                    at = self.string(at + 1).unwrap_or(self.bytes.len());
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
}

/// Both tests of a byte that is no plain text in a string: what a backslash is equal to, and what is a quote or a control
/// character when it is not above 0x20. With its second bit turned round, the quote is 0x20, right above the control
/// characters, which stay below.
#[inline(always)]
fn tests(lane: &[u8; 16]) -> (u8x16, u8x16) {
    let lane = u8x16::new(*lane);
    (lane.simd_eq(u8x16::splat(b'\\')), lane ^ u8x16::splat(2))
}

/// Whether a block is plain text in a string from end to end.
#[inline(always)]
fn is_plain(block: &[u8; BLOCK]) -> bool {
    let (lanes, _) = block.as_chunks::<16>();
    let (mut backslash, mut lowest) = tests(&lanes[0]);
    for lane in &lanes[1..] {
        let (escape, turned) = tests(lane);
        (backslash, lowest) = (backslash | escape, lowest.min(turned));
    }
    (backslash | lowest.min(u8x16::splat(0x20)).simd_eq(lowest)).to_bitmask() == 0
}

/// A bit for each byte of a block that is no plain text in a string: a quote, a backslash, a control character.
#[inline(always)]
fn block_marks(block: &[u8; BLOCK]) -> u64 {
    let (lanes, _) = block.as_chunks::<16>();
    let mut marks = 0;
    for (place, lane) in lanes.iter().enumerate() {
        let (backslash, turned) = tests(lane);
        let special = backslash | turned.min(u8x16::splat(0x20)).simd_eq(turned);
        marks |= u64::from(special.to_bitmask()) << (16 * place);
    }
    marks
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
