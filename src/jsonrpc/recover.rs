//! What can still be told of an object that is cut off, or in which a log has left something out (`...`,
//! `[Object]`, bare names). Looks at the members of the top level alone, and never takes half a value for a whole one.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::scan::{Fault, Scanner, peek, whitespace};
use super::text::decode;
use super::{AnswerMember, ErrorObject, Id, Malformed, RawJson, Reason};

/// Says why `text` is no JSON, given where it stops being JSON.
pub(super) fn not_json(text: &str, fault: Fault) -> Reason {
    let mut truncated = fault.0 >= text.len();
    let message = match serde_json::from_str::<IgnoredAny>(text) {
        // `serde_json` does not count the end of the text inside of a number as an end.
        Err(error) if truncated && !error.is_eof() => "eof while parsing a number".to_owned(),
        Err(error) => without_place(&error.to_string()).to_ascii_lowercase(),
        Ok(_) => {
            truncated = false;
            "something is left out".to_owned()
        }
    };
    Reason::NotJson { message, at: fault.0, truncated }
}

/// `serde_json` ends its messages with ` at line 1 column 2`, which counts from the wrong start here.
fn without_place(message: &str) -> &str {
    message.rfind(" at line ").map_or(message, |place| &message[..place])
}

/// Scans the top-level members of an object tolerantly, also of one with words in front of it. What could not be read
/// stays `None`.
pub(super) fn recover<'a>(text: &'a str, fault: Fault) -> Malformed<'a> {
    let mut found = Malformed::new(not_json(text, fault));
    let Some(begin) = object(text) else { return found };
    let mut rest = Rest { text, at: begin + 1 };
    while let Some(name) = rest.name() {
        match &*name {
            "method" => {
                let whole = rest.whole().and_then(RawJson::as_str);
                found.method = whole.or_else(|| rest.single_quoted()).or(found.method);
            }
            "id" => {
                let quoted = || rest.single_quoted().map(|text| Id::string(&text));
                found.id = rest.whole().map(|id| Id::from_raw(id.text())).or_else(quoted).or(found.id);
            }
            "result" => {
                found.answer_begun = Some(AnswerMember::Result);
                found.result = rest.whole();
            }
            "error" => {
                found.answer_begun = Some(AnswerMember::Error);
                found.error = rest.whole().and_then(ErrorObject::from_raw);
            }
            _ => {}
        }
        rest.skip_value();
    }
    found
}

/// Where the object begins that was meant to be a message.
fn object(text: &str) -> Option<usize> {
    match peek(text.as_bytes(), 0) {
        b'{' => Some(0),
        b'[' => None,
        _ => text.find('{').filter(|at| text[*at..].contains("\"jsonrpc\"")),
    }
}

/// A place in an object, at its top level.
struct Rest<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    /// Finds the next name with its colon, and goes behind that. Steps over whatever else stands in the way.
    fn name(&mut self) -> Option<Cow<'a, str>> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at;
            let (name, end) = match peek(bytes, start) {
                b'}' => return None,
                b'"' | b'\'' => {
                    let end = quoted(bytes, start)?;
                    (&self.text[start + 1..end - 1], end)
                }
                byte if is_word(byte) => {
                    let word = bytes[start..].iter().take_while(|&&byte| is_word(byte)).count();
                    (&self.text[start..start + word], start + word)
                }
                _ if start >= bytes.len() => return None,
                _ => {
                    self.at += 1;
                    continue;
                }
            };
            self.at = end;
            let colon = whitespace(bytes, end);
            if peek(bytes, colon) == b':' {
                self.at = whitespace(bytes, colon + 1);
                return Some(decode(name));
            }
        }
    }

    /// The value that starts here, if it is JSON and something behind it shows that it is all there.
    fn whole(&self) -> Option<RawJson<'a>> {
        let bytes = self.text.as_bytes();
        let end = Scanner::new(self.text).value_at(self.at).ok()?;
        let closed = matches!(peek(bytes, end - 1), b'"' | b'}' | b']');
        let followed = matches!(peek(bytes, end), b',' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
        (closed || followed).then(|| RawJson::valid(&self.text[self.at..end]))
    }

    /// The text of a string in single quotes, as object inspectors print it.
    fn single_quoted(&self) -> Option<Cow<'a, str>> {
        let bytes = self.text.as_bytes();
        let end = if peek(bytes, self.at) == b'\'' { quoted(bytes, self.at)? } else { return None };
        let content = &self.text[self.at + 1..end - 1];
        (!content.contains('\\')).then_some(Cow::Borrowed(content))
    }

    /// Goes behind the value that starts here, whole or not.
    fn skip_value(&mut self) {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        // Single quotes begin a string only where a value or name may begin; elsewhere they are apostrophes.
        let mut fresh = true;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'"' => self.at = quoted(bytes, self.at).unwrap_or(bytes.len()) - 1,
                b'\'' if fresh => self.at = quoted(bytes, self.at).unwrap_or(bytes.len()) - 1,
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth > 0 => depth -= 1,
                b'}' => return,
                b',' if depth == 0 => return,
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                fresh = matches!(byte, b'{' | b'[' | b',' | b':');
            }
            self.at += 1;
        }
    }
}

/// A byte of a bare name.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-')
}

/// The offset behind the closing quote of the string that starts at `start`, whatever it holds.
fn quoted(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = peek(bytes, start);
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}
