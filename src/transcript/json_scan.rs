//! Where JSON values end and which members stand at their top, without parsing them: for text that may be cut,
//! joined or no JSON at all. Whether a value is well formed is for the parser to say.

use memchr::memchr2;

/// Finds the end of one object or array that is fed to it in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scanner {
    depth: u32,
    /// The quote that ends the string that the text is in; 0 outside.
    quote: u8,
    escaped: bool,
    /// Single quotes and backticks quote as well, round brackets count, a string alone is a value.
    lenient: bool,
    /// Letters and digits just before, outside strings.
    word: usize,
    /// The last byte that is no blank, outside strings.
    last: u8,
    /// The open brackets, the innermost last: 1 for an object. Deeper than 64 they are forgotten.
    kinds: u64,
}

impl Scanner {
    /// For notations that are not JSON: what the inspectors and debug printers of programming languages write.
    pub(super) fn lenient() -> Self {
        Self { lenient: true, ..Self::default() }
    }

    /// Takes more of the value; the place behind its end, once it is there.
    pub(super) fn feed(&mut self, text: &str) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.escaped {
                self.escaped = false;
                at += 1;
                continue;
            }
            if self.quote != 0 {
                at += memchr2(self.quote, b'\\', &bytes[at..])? + 1;
                match bytes[at - 1] {
                    b'\\' => self.escaped = true,
                    _ if self.lenient && self.depth == 0 => return Some(at),
                    _ => self.quote = 0,
                }
                continue;
            }
            at += 1;
            if self.lenient {
                self.feed_lenient(byte);
            }
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b'"' => self.quote = byte,
                b'{' | b'[' => {
                    self.depth = self.depth.saturating_add(1);
                    self.kinds = self.kinds << 1 | u64::from(byte == b'{');
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.kinds >>= 1;
                    if self.depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
            if self.lenient && byte == b')' && self.depth == 0 {
                return Some(at);
            }
            self.last = byte;
        }
        None
    }

    /// What a byte outside strings means beyond JSON.
    fn feed_lenient(&mut self, byte: u8) {
        match byte {
            // Within and behind words single quotes are apostrophes, but for the letter before a literal.
            b'\'' if self.word == 0 || (self.word == 1 && self.last.is_ascii_alphabetic()) => self.quote = byte,
            b'`' => self.quote = byte,
            b'(' => self.depth = self.depth.saturating_add(1),
            b')' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.word = if byte.is_ascii_alphanumeric() { self.word + 1 } else { 0 };
    }

    /// Whether a line that begins so can carry on the value: JSON strings hold no line ends, and after each token
    /// only some others may stand.
    pub(super) fn can_continue(&self, line: &str) -> bool {
        if self.lenient {
            return true;
        }
        let line = line.trim_ascii_start();
        let Some(&first) = line.as_bytes().first() else { return self.quote == 0 };
        let value = matches!(first, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9')
            || ["true", "false", "null"].iter().any(|word| line.starts_with(word));
        let known = self.depth <= u64::BITS;
        let (in_object, in_array) = (!known || self.kinds & 1 == 1, !known || self.kinds & 1 == 0);
        self.quote == 0
            && match self.last {
                b'{' => matches!(first, b'"' | b'}'),
                b'[' => value || first == b']',
                b',' => first == b'"' || (value && in_array),
                b':' => value,
                _ => first == b',' || (in_object && matches!(first, b'}' | b':')) || (in_array && first == b']'),
            }
    }

    /// How many brackets are open.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }
}

/// The place behind the end of the object or array that `text` begins with.
pub(super) fn value_end(text: &str) -> Option<usize> {
    Scanner::default().feed(text)
}

/// The same for a value in another notation.
pub(super) fn lenient_end(text: &str) -> Option<usize> {
    Scanner::lenient().feed(text)
}

/// How many brackets of a text are tried when a message is searched in it.
const TRIES: usize = 16;

/// Where in a text of other things a message or batch begins, and where it ends if it does so in the text. A bracket
/// that ends the text may begin one as well.
pub(super) fn find_message(text: &str) -> Option<(usize, Option<usize>)> {
    let bytes = text.trim_ascii_end().as_bytes();
    let mut at = 0;
    for _ in 0..TRIES {
        at += memchr2(b'{', b'[', &bytes[at..])?;
        let rest = &text[at..];
        if begins_like_value(rest) {
            let end = value_end(rest).map(|end| at + end);
            if looks_like_rpc(rest) || (end.is_none() && matches!(rest.trim_ascii_end(), "{" | "[" | "[{")) {
                return Some((at, end));
            }
            // What stands inside a value was not sent.
            at = end.unwrap_or(at + 1);
        } else {
            at += 1;
        }
    }
    None
}

/// Whether text begins like an object, or like an array of objects or arrays; `[12:00] text` does neither.
pub(super) fn begins_like_value(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'{') => true,
        Some(b'[') => matches!(text[1..].trim_ascii_start().as_bytes().first(), None | Some(b'{' | b'[' | b']')),
        _ => false,
    }
}

/// Whether text, possibly cut, is a JSON-RPC message or a batch, to judge by the members at its top.
pub(super) fn looks_like_rpc(text: &str) -> bool {
    let text = text.trim_ascii_start();
    if let Some(inner) = text.strip_prefix('[') {
        return inner.trim_ascii_start().starts_with('{') && looks_like_rpc(inner);
    }
    if !text.starts_with('{') {
        return false;
    }
    let (mut method, mut id, mut params, mut answer, mut foreign) = (false, false, false, false, false);
    let mut version = false;
    top_members(text, |name| match name {
        "jsonrpc" => version = true,
        "method" => method = true,
        "id" => id = true,
        "params" => params = true,
        "result" | "error" => answer = true,
        _ => foreign = true,
    });
    // Without `jsonrpc` many things have a `method` or an `id`: then nothing else may stand beside them.
    version || (!foreign && ((method && (id || params)) || (id && answer)))
}

/// Whether text is a JSON-RPC message with what makes it one: a `method` with `params` alone may be anything.
pub(super) fn is_rpc(text: &str) -> bool {
    let mut enveloped = text.trim_ascii_start().starts_with('[');
    top_members(text, |name| enveloped |= matches!(name, "jsonrpc" | "id"));
    enveloped && looks_like_rpc(text)
}

/// Names the members at the top of an object as far as the text goes, still escaped.
pub(super) fn top_members<'t>(text: &'t str, mut member: impl FnMut(&'t str)) {
    let bytes = text.as_bytes();
    let (mut depth, mut at, mut name_next) = (0u32, 0, false);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => {
                depth += 1;
                name_next = depth == 1 && byte == b'{';
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return;
                }
            }
            b',' => name_next = depth == 1,
            b'"' => {
                let start = at;
                loop {
                    let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) else { return };
                    at += found + 1;
                    if bytes[at - 1] == b'"' {
                        break;
                    }
                    at += 1;
                }
                if name_next {
                    member(&text[start..at - 1]);
                    name_next = false;
                }
            }
            _ => {}
        }
    }
}
