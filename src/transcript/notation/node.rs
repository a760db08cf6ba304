//! What `util.inspect` of Node.js writes of an object, and with it `console.log`.

use super::{Stack, code_point, name_length, number, quote};

/// An object, array or string. Members that are `undefined` are left out, as JSON does it; what the inspector itself left
/// out stays out.
pub(in crate::transcript) fn value(text: &str, out: &mut String) -> Option<usize> {
    Reader { text, at: 0, out, plain: String::new(), stack: Stack::new() }.read()
}

/// How a value is written that the inspector has left out, whatever it says of it.
const ELIDED: &str = "[Object]";

/// A bracket that is open.
#[derive(Clone, Copy)]
struct Open {
    object: bool,
    start: usize,
    /// How much was written before the current member.
    member: usize,
    /// The current member is not to stay.
    drop: bool,
}

/// What came of an attempt.
enum Next {
    /// A value is to be read.
    Value,
    /// One was read.
    Done,
    /// The text ends.
    Cut,
}

struct Reader<'t, 'o> {
    text: &'t str,
    at: usize,
    out: &'o mut String,
    /// The text of the current string.
    plain: String,
    stack: Stack<Open>,
}

impl<'t> Reader<'t, '_> {
    fn read(mut self) -> Option<usize> {
        let mut next = Next::Value;
        loop {
            next = match next {
                Next::Value => self.value()?,
                Next::Done if self.stack.depth == 0 => return Some(self.at),
                Next::Done => self.after()?,
                Next::Cut => return (self.stack.depth > 0).then_some(self.text.len()),
            }
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) -> Option<u8> {
        self.at = self.text.len() - self.rest().trim_ascii_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    fn open(&mut self, object: bool) -> Option<Next> {
        let start = self.out.len();
        self.at += 1;
        self.out.push(if object { '{' } else { '[' });
        self.stack.push(Open { object, start, member: start, drop: false })?;
        self.member()
    }

    fn value(&mut self) -> Option<Next> {
        let Some(first) = self.blanks() else { return Some(Next::Cut) };
        let rest = self.rest();
        match first {
            b'{' => self.open(true),
            b'[' if rest[1..].starts_with(|letter: char| letter.is_ascii_alphabetic()) => self.special(),
            b'[' => self.open(false),
            b'\'' | b'"' | b'`' => Some(self.string()),
            b'.' if rest.starts_with("...") => Some(self.left_out()),
            b'<' => {
                let Some(end) = rest.find('>') else { return Some(Next::Cut) };
                self.at += end + 1;
                // `<ref *1>` stands before the object that it names.
                if rest.starts_with("<ref ") {
                    return Some(Next::Value);
                }
                self.out.push_str(ELIDED);
                Some(Next::Done)
            }
            b'-' | b'0'..=b'9' => {
                let token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b':');
                let length = rest.bytes().take_while(|byte| token(byte)).count();
                self.at += length;
                match &rest[..length] {
                    "-Infinity" => self.out.push_str("null"),
                    token => number(token.strip_suffix('n').unwrap_or(token), self.out),
                }
                Some(if self.at < self.text.len() { Next::Done } else { Next::Cut })
            }
            _ => self.word(),
        }
    }

    /// `[Object]`, `[Function: x]`; `[Object: null prototype] {` is an object.
    fn special(&mut self) -> Option<Next> {
        let Some(end) = self.rest().find(']') else { return Some(Next::Cut) };
        self.at += end + 1;
        if self.rest().starts_with(" {") {
            return Some(Next::Value);
        }
        self.out.push_str(ELIDED);
        Some(Next::Done)
    }

    /// A word, which may be the class of the object behind it: `Name {`, `Map(1) {`.
    fn word(&mut self) -> Option<Next> {
        let length = name_length(self.rest());
        if length == 0 {
            return None;
        }
        let word = &self.rest()[..length];
        self.at += length;
        if let Some(inner) = self.rest().strip_prefix('(') {
            self.at += inner.find(')').map_or(inner.len(), |end| end + 1) + 1;
            self.at = self.at.min(self.text.len());
        }
        if self.rest().starts_with([' ', '\n'])
            && matches!(self.rest().trim_ascii_start().bytes().next(), Some(b'{' | b'['))
        {
            return Some(Next::Value);
        }
        match word {
            "true" | "false" | "null" => self.out.push_str(word),
            "undefined" => {
                self.out.push_str("null");
                if let Some(top) = self.stack.top().filter(|top| top.object) {
                    top.drop = true;
                }
            }
            "NaN" | "Infinity" => self.out.push_str("null"),
            word => quote(word, self.out),
        }
        Some(Next::Done)
    }

    /// `... 3 more items`.
    fn left_out(&mut self) -> Next {
        let end = self.rest().find([',', ']', '}', '\n']);
        self.at = end.map_or(self.text.len(), |end| self.at + end);
        self.out.push_str("...");
        Next::Done
    }

    /// A string, which may go on behind a plus, and end with `... 3 more characters`.
    fn string(&mut self) -> Next {
        self.plain.clear();
        loop {
            let Some(end) = literal(self.rest(), &mut self.plain) else {
                quote(&self.plain, self.out);
                return Next::Cut;
            };
            self.at += end;
            let next = self.rest().trim_ascii_start().strip_prefix('+').map(str::trim_ascii_start);
            match next {
                Some(next) if next.starts_with(['\'', '"', '`']) => self.at = self.text.len() - next.len(),
                _ => break,
            }
        }
        quote(&self.plain, self.out);
        if self.rest().starts_with("... ") {
            return self.left_out();
        }
        Next::Done
    }

    /// What comes behind a value in a bracket.
    fn after(&mut self) -> Option<Next> {
        let top = self.stack.top()?;
        if std::mem::take(&mut top.drop) {
            self.out.truncate(top.member);
        }
        match self.blanks() {
            None => Some(Next::Cut),
            Some(b',') => {
                self.at += 1;
                self.member()
            }
            Some(b'}' | b']') => Some(self.close()),
            Some(_) => None,
        }
    }

    /// Comma and key of the member that begins here, or the end of the bracket.
    fn member(&mut self) -> Option<Next> {
        let first = match self.blanks() {
            None => return Some(Next::Cut),
            Some(b'}' | b']') => return Some(self.close()),
            Some(first) => first,
        };
        let written = self.out.len();
        let top = self.stack.top()?;
        top.member = written;
        let (object, empty) = (top.object, written == top.start + 1);
        if !empty {
            self.out.push(',');
        }
        if !object {
            return Some(Next::Value);
        }
        match first {
            b'\'' | b'"' | b'`' => {
                if let Next::Cut = self.string() {
                    return Some(Next::Cut);
                }
            }
            b'.' => return self.value(),
            // `[Symbol(x)]: `, which JSON has no name for.
            b'[' => {
                let end = self.rest().find("]:")? + 1;
                quote(&self.rest()[..end], self.out);
                self.at += end;
                self.stack.top()?.drop = true;
            }
            _ => {
                let length =
                    self.rest().bytes().take_while(|byte| !matches!(byte, b':' | b' ' | b',' | b'}' | b'{')).count();
                quote(&self.rest()[..length], self.out);
                self.at += length;
            }
        }
        self.out.push(':');
        let Some(sign) = self.blanks() else { return Some(Next::Cut) };
        let length = match sign {
            b':' => 1,
            b'=' if self.rest().starts_with("=>") => 2,
            // A set has values alone.
            _ => return None,
        };
        self.at += length;
        Some(Next::Value)
    }

    fn close(&mut self) -> Next {
        self.at += 1;
        let object = self.stack.top().is_some_and(|top| top.object);
        self.out.push(if object { '}' } else { ']' });
        self.stack.pop();
        Next::Done
    }
}

/// Writes the text of a string literal; gives the place behind it. `None` when it lacks its end.
fn literal(text: &str, out: &mut String) -> Option<usize> {
    let quote = *text.as_bytes().first()?;
    let mut rest = &text[1..];
    loop {
        let Some(at) = memchr::memchr2(quote, b'\\', rest.as_bytes()) else {
            out.push_str(rest);
            return None;
        };
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.as_bytes()[0] == quote {
            return Some(text.len() - rest.len() + 1);
        }
        let point = |length| Some((code_point(rest.get(2..length)?)?, length));
        let known = match rest.as_bytes().get(1) {
            Some(b'n') => Some(('\n', 2)),
            Some(b'r') => Some(('\r', 2)),
            Some(b't') => Some(('\t', 2)),
            Some(b'b') => Some(('\u{8}', 2)),
            Some(b'f') => Some(('\u{c}', 2)),
            Some(b'v') => Some(('\u{b}', 2)),
            Some(byte @ (b'\\' | b'\'' | b'"' | b'`')) => Some((char::from(*byte), 2)),
            Some(b'x') => point(4),
            Some(b'u') => point(6),
            _ => None,
        };
        let (written, length) = known.unwrap_or(('\\', 1));
        out.push(written);
        rest = &rest[length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, usize)> {
        let mut out = String::new();
        value(text, &mut out).map(|end| (out, end))
    }

    #[test]
    fn objects_are_objects() {
        for (text, wanted) in [
            (
                "{ jsonrpc: '2.0', 'a-b': [ 1, -0, 2n ], x: undefined, y: [ undefined ] }",
                r#"{"jsonrpc":"2.0","a-b":[1,-0,2],"y":[null]}"#,
            ),
            ("{\n  a: 'x\\n' +\n    \"it's\" +\n    `'\"`\n}", r#"{"a":"x\nit's'\""}"#),
            (
                "<ref *1> Name { m: Map(1) { 'k' => true }, n: [Object: null prototype] { a: 1 } }",
                r#"{"m":{"k":true},"n":{"a":1}}"#,
            ),
            (
                "{ when: 2025-01-02T03:04:05.678Z, [Symbol(x)]: 1, z: NaN }",
                r#"{"when":"2025-01-02T03:04:05.678Z","z":null}"#,
            ),
            ("{ a: '\\x1B\\u2028\\uD83D' }", "{\"a\":\"\\u001b\u{2028}\u{fffd}\"}"),
            (
                "{ a: [Object], b: [ [Array], ... 3 more items ], c: [Circular *1], d: 'x'... 9 more characters }",
                r#"{"a":[Object],"b":[[Object],...],"c":[Object],"d":"x"...}"#,
            ),
        ] {
            assert_eq!(read(text), Some((wanted.to_owned(), text.len())), "{text}");
        }
    }

    #[test]
    fn other_text_is_none() {
        for text in ["", "}", "{ a 1 }", "{ a: = }", "Set(1) { 1 }", "{ [a }"] {
            let told = read(text);
            assert!(told.as_ref().is_none_or(|(out, _)| out.is_empty()), "{text}: {told:?}");
        }
    }
}
