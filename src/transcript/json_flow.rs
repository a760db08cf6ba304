//! JSON that flows by: tokens out of pieces of a document, whose strings are decoded only where somebody wants them.
//! Holds one string at most, never the document. Minds the grammar as far as places depend on it.

use super::Flag;
use super::Flags;

/// What comes next in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An object or array begins.
    Open,
    /// It ends.
    Close,
    /// The name of a member, which [`Flow::text`] gives.
    Name,
    /// A string. [`Flow::text`] gives it if it was wanted.
    Text,
    /// A number or word, which [`Flow::text`] gives.
    Scalar,
}

/// The text is no JSON at this byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault;

/// A string of the document as it was decoded, and where it stands.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The decoded bytes.
    pub(super) bytes: Vec<u8>,
    /// Where line feeds were decoded: behind which byte of the text, and the byte of the document behind the escape.
    pub(super) marks: Vec<(usize, u64)>,
    /// Line and byte of the document behind the opening quote.
    pub(super) line: u64,
    pub(super) offset: u64,
    /// Bytes up to the closing quote.
    pub(super) length: u64,
    pub(super) flags: Flags,
    /// Memory that texts were made of and that is free again.
    spare: Vec<Vec<u8>>,
}

/// Texts whose memory is kept for the next ones, and how large they may be.
const MAX_SPARE: (usize, usize) = (4, 1 << 20);

impl Held {
    /// Takes the memory of a text that nobody needs any more.
    pub(super) fn give_back(&mut self, mut bytes: Vec<u8>) {
        if self.spare.len() < MAX_SPARE.0 && (1..=MAX_SPARE.1).contains(&bytes.capacity()) {
            bytes.clear();
            self.spare.push(bytes);
        }
    }

    fn begin(&mut self, line: u64, offset: u64) {
        self.bytes.clear();
        self.marks.clear();
        (self.line, self.offset, self.length, self.flags) = (line, offset, 0, Flags::NONE);
    }

    /// The text as bytes that are UTF-8; bad ones are replaced and flagged.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let bytes = std::mem::replace(&mut self.bytes, self.spare.pop().unwrap_or_default());
        if simdutf8::basic::from_utf8(&bytes).is_ok() {
            return bytes;
        }
        self.flags = self.flags.with(Flag::BadUtf8);
        self.marks.clear();
        String::from_utf8_lossy(&bytes).into_owned().into_bytes()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between tokens.
    Blank,
    String,
    /// Behind a backslash.
    Escape,
    /// Within `\uXXXX`: how many digits are there, and their value.
    Unicode(u8, u32),
    Scalar,
}

/// The tokenizer.
#[derive(Debug)]
pub(super) struct Flow {
    state: State,
    /// Open brackets, innermost last: `true` for an object.
    open: Vec<bool>,
    /// In an object, a name comes next.
    name_next: bool,
    /// The string is kept.
    keep: bool,
    is_name: bool,
    /// Whether the next string is wanted.
    pub(super) want: bool,
    pub(super) held: Held,
    /// The first half of a surrogate pair.
    high: Option<u32>,
    limit: usize,
    /// Offset and line of the document at `seen` of the current piece.
    offset: u64,
    line: u64,
    seen: usize,
    at: usize,
}

/// What the character behind a backslash stands for; 0 where that is no single byte.
const SHORT: [u8; 256] = {
    let mut short = [0; 256];
    let pairs = [
        (b'"', b'"'),
        (b'\\', b'\\'),
        (b'/', b'/'),
        (b'n', b'\n'),
        (b't', b'\t'),
        (b'r', b'\r'),
        (b'b', 8),
        (b'f', 12),
    ];
    let mut at = 0;
    while at < pairs.len() {
        short[pairs[at].0 as usize] = pairs[at].1;
        at += 1;
    }
    short
};

/// Brackets within brackets, more than any document of exchanges has.
const MAX_DEPTH: usize = 512;
/// Bytes kept of a name or number.
const MAX_NAME: usize = 256;

impl Flow {
    /// Strings beyond `limit` bytes are cut and flagged.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            state: State::Blank,
            open: Vec::new(),
            name_next: false,
            keep: false,
            is_name: false,
            want: false,
            held: Held::default(),
            high: None,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            offset: 0,
            line: 1,
            seen: 0,
            at: 0,
        }
    }

    /// Goes to a new piece of the document, which begins at this byte of the input and, for the first, in this line.
    pub(super) fn begin_piece(&mut self, offset: u64, line: Option<u64>) {
        (self.seen, self.at, self.offset) = (0, 0, offset);
        self.line = line.unwrap_or(self.line);
    }

    /// How many brackets are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the innermost open bracket is an object's.
    pub(super) fn in_object(&self) -> bool {
        self.open.last() == Some(&true)
    }

    /// The name, number or word of the last token.
    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.held.bytes).unwrap_or_default()
    }

    /// Whether the document stops within a string that is kept.
    pub(super) fn is_within_text(&self) -> bool {
        self.keep && !self.is_name && !matches!(self.state, State::Blank | State::Scalar)
    }

    /// The byte and line of the document that come next.
    pub(super) fn place(&mut self, piece: &[u8]) -> (u64, u64) {
        self.offset += (self.at - self.seen) as u64;
        self.line += memchr::memchr_iter(b'\n', &piece[self.seen..self.at]).count() as u64;
        self.seen = self.at;
        (self.offset, self.line)
    }

    /// The next token; `None` when the piece is through.
    pub(super) fn next(&mut self, piece: &[u8]) -> Result<Option<Token>, Fault> {
        loop {
            if self.state == State::Blank {
                let Some(&byte) = piece.get(self.at) else {
                    self.place(piece);
                    return Ok(None);
                };
                self.at += 1;
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' => {}
                    b'"' => self.begin_string(piece),
                    b'{' | b'[' => {
                        if self.name_next || self.open.len() >= MAX_DEPTH {
                            return Err(Fault);
                        }
                        self.open.push(byte == b'{');
                        self.name_next = byte == b'{';
                        return Ok(Some(Token::Open));
                    }
                    b'}' | b']' => {
                        if self.open.pop() != Some(byte == b'}') {
                            return Err(Fault);
                        }
                        self.name_next = false;
                        return Ok(Some(Token::Close));
                    }
                    b',' => self.name_next = self.open.last() == Some(&true),
                    b':' => self.name_next = false,
                    b'-' | b'0'..=b'9' | b't' | b'f' | b'n' if !self.name_next => {
                        self.held.begin(0, 0);
                        self.held.bytes.push(byte);
                        self.state = State::Scalar;
                    }
                    _ => {
                        self.at -= 1;
                        return Err(Fault);
                    }
                }
                continue;
            }
            if self.state == State::Scalar {
                let rest = &piece[self.at..];
                let end =
                    rest.iter().position(|byte| !matches!(byte, b'+' | b'-' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E'));
                let taken = &rest[..end.unwrap_or(rest.len())];
                self.at += taken.len();
                let room = MAX_NAME.saturating_sub(self.held.bytes.len());
                self.held.bytes.extend_from_slice(&taken[..taken.len().min(room)]);
                if end.is_none() {
                    self.place(piece);
                    return Ok(None);
                }
                self.state = State::Blank;
                return Ok(Some(Token::Scalar));
            }
            match self.string(piece) {
                Some(token) => return Ok(Some(token)),
                None if self.at >= piece.len() => {
                    self.place(piece);
                    return Ok(None);
                }
                None => {}
            }
        }
    }

    fn begin_string(&mut self, piece: &[u8]) {
        self.state = State::String;
        self.is_name = self.name_next;
        self.keep = self.is_name || self.want;
        self.high = None;
        if self.want && !self.is_name {
            let (offset, line) = self.place(piece);
            self.held.begin(line, offset);
        } else if self.is_name {
            self.held.begin(0, 0);
        }
    }

    /// Goes on within a string, up to its end or that of the piece.
    fn string(&mut self, piece: &[u8]) -> Option<Token> {
        while let Some(&byte) = piece.get(self.at) {
            match self.state {
                State::String => {
                    if self.keep && self.high.is_none() {
                        self.plain(piece);
                    }
                    let rest = &piece[self.at..];
                    let run = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
                    if self.keep && run > 0 {
                        self.append(run, piece);
                    }
                    self.at += run;
                    match piece.get(self.at) {
                        Some(b'"') => {
                            if self.keep && !self.is_name {
                                self.lone();
                                let (offset, _) = self.place(piece);
                                self.held.length = offset - self.held.offset;
                            }
                            self.at += 1;
                            self.state = State::Blank;
                            self.want = false;
                            return Some(if self.is_name { Token::Name } else { Token::Text });
                        }
                        Some(_) => {
                            self.at += 1;
                            self.state = State::Escape;
                        }
                        None => {}
                    }
                }
                State::Escape => {
                    self.at += 1;
                    self.state = State::String;
                    let plain = match byte {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'r' => b'\r',
                        b'b' => 8,
                        b'f' => 12,
                        b'u' => {
                            self.state = State::Unicode(0, 0);
                            continue;
                        }
                        other => other,
                    };
                    if self.keep {
                        self.lone();
                        self.push(&[plain]);
                        if plain == b'\n' && !self.is_name {
                            let behind = self.offset + (self.at - self.seen) as u64;
                            self.held.marks.push((self.held.bytes.len(), behind));
                        }
                    }
                }
                State::Unicode(count, value) => {
                    self.at += 1;
                    let digit = char::from(byte).to_digit(16).unwrap_or(0);
                    let value = value << 4 | digit;
                    self.state = State::Unicode(count + 1, value);
                    if count == 3 {
                        self.state = State::String;
                        if self.keep {
                            self.unicode(value);
                        }
                    }
                }
                State::Blank | State::Scalar => return None,
            }
        }
        None
    }

    /// Decodes as much as holds nothing but plain bytes and the short escapes: nearly everything there is.
    fn plain(&mut self, piece: &[u8]) {
        let limit = if self.is_name { MAX_NAME } else { self.limit };
        let behind_start = self.offset - self.seen as u64;
        let Held { bytes, marks, .. } = &mut self.held;
        loop {
            let rest = &piece[self.at..];
            let run = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
            let (Some(b'\\'), Some(&code)) = (rest.get(run), rest.get(run + 1)) else { return };
            let plain = SHORT[usize::from(code)];
            if plain == 0 || bytes.len() + run + 1 > limit {
                return;
            }
            bytes.extend_from_slice(&rest[..run]);
            bytes.push(plain);
            self.at += run + 2;
            if plain == b'\n' && !self.is_name {
                marks.push((bytes.len(), behind_start + self.at as u64));
            }
        }
    }

    /// Appends so many bytes of the piece as they stand.
    fn append(&mut self, run: usize, piece: &[u8]) {
        self.lone();
        let at = self.at;
        self.push(&piece[at..at + run]);
    }

    fn push(&mut self, bytes: &[u8]) {
        let limit = if self.is_name { MAX_NAME } else { self.limit };
        let room = limit.saturating_sub(self.held.bytes.len());
        if bytes.len() > room {
            self.held.flags = self.held.flags.with(Flag::Oversized);
        }
        self.held.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Writes down half a surrogate pair that stands alone.
    fn lone(&mut self) {
        if self.high.take().is_some() {
            self.push("\u{fffd}".as_bytes());
        }
    }

    fn unicode(&mut self, value: u32) {
        let low = (0xdc00..0xe000).contains(&value);
        let code = match self.high.take() {
            Some(high) if low => 0x10000 + ((high - 0xd800) << 10) + (value - 0xdc00),
            Some(_) => {
                self.push("\u{fffd}".as_bytes());
                value
            }
            None => value,
        };
        if (0xd800..0xdc00).contains(&code) {
            self.high = Some(code);
            return;
        }
        let mut buffer = [0; 4];
        let text = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut buffer);
        self.push(text.as_bytes());
        if code == 10 {
            let behind = self.offset + (self.at - self.seen) as u64;
            self.held.marks.push((self.held.bytes.len(), behind));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// Every token of a document that comes in pieces of this size, with all strings.
    fn tokens(document: &str, size: usize) -> Result<Vec<(Token, String, String)>, Fault> {
        let mut flow = Flow::new(u64::MAX);
        let mut found = Vec::new();
        for (number, piece) in document.as_bytes().chunks(size).enumerate() {
            flow.begin_piece((number * size) as u64, None);
            loop {
                flow.want = true;
                let Some(token) = flow.next(piece)? else { break };
                let (start, length) = (flow.held.offset as usize, flow.held.length as usize);
                let raw = if token == Token::Text { document[start..start + length].to_owned() } else { String::new() };
                let told =
                    if matches!(token, Token::Open | Token::Close) { String::new() } else { flow.text().to_owned() };
                found.push((token, told, raw));
            }
        }
        Ok(found)
    }

    fn strings(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
            Value::Object(members) => members.iter().for_each(|(name, value)| {
                found.push(name.clone());
                strings(value, found);
            }),
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn strings_come_out_as_they_went_in(
            texts in prop::collection::vec(any::<String>(), 1..6),
            escaped in any::<bool>(),
            size in prop::sample::select(vec![1, 2, 3, 7, 64, 4096]),
        ) {
            let value: Value = texts.iter().map(|text| serde_json::json!({"a": text, "b": [1.5, true, null, text]})).collect();
            let mut document = serde_json::to_string_pretty(&value).unwrap_or_default();
            if escaped {
                let units = |c: char| c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect::<String>();
                document = document.chars().map(|c| if c.is_ascii() { c.to_string() } else { units(c) }).collect();
            }
            let tokens = tokens(&document, size);
            prop_assert!(tokens.is_ok());
            let mut wanted = Vec::new();
            strings(&value, &mut wanted);
            let found: Vec<_> = tokens.iter().flatten().filter(|(token, ..)| matches!(token, Token::Name | Token::Text)).collect();
            prop_assert_eq!(found.iter().map(|(_, text, _)| text.clone()).collect::<Vec<_>>(), wanted);
            for (token, text, raw) in found {
                if *token == Token::Text {
                    prop_assert_eq!(&serde_json::from_str::<String>(&format!("\"{raw}\"")).unwrap_or_default(), text);
                }
            }
        }
    }

    #[test]
    fn what_is_no_json_is_a_fault() {
        for document in ["{]", "[}", "}", "x", "{\"a\" x", "{1", "[\u{1}"] {
            assert_eq!(tokens(document, 64), Err(Fault), "{document}");
        }
        assert!(tokens(&"[".repeat(MAX_DEPTH + 1), 64).is_err());
        assert_eq!(
            tokens("[\"\\ud800x\\udc00\"]", 3).map(|found| found[1].1.clone()),
            Ok("\u{fffd}x\u{fffd}".to_owned())
        );
    }
}
