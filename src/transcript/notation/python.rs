//! Python: what `repr` and pydantic write of values and models, and literals of strings and bytes.

use super::{Stack, code_point, name_length, number, quote, quote_part};

/// A literal that holds JSON, `repr` of a value or of a model, or a model as `str` writes it (`name=value name=value`);
/// of a model the fields that are `None` are left out, and a wrapper gives the message in it.
pub(in crate::transcript) fn value(text: &str, out: &mut String) -> Option<usize> {
    match literal_start(text) {
        Some(_) => literal(text, out),
        None => Reader { text, at: 0, out, plain: String::new(), stack: Stack::new() }.read(),
    }
}

/// The literal of an event of a stream, to its data.
pub(in crate::transcript) fn chunk(text: &str, out: &mut String) -> Option<usize> {
    let end = literal(text, out)?;
    let data: Vec<&str> =
        out.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim_ascii_start).collect();
    *out = data.join("\n");
    Some(end)
}

/// The length of what stands before the text of a literal, quote included.
fn literal_start(text: &str) -> Option<usize> {
    match text.as_bytes() {
        [b'\'' | b'"', ..] => Some(1),
        [b'b' | b'r' | b'u', b'\'' | b'"', ..] => Some(2),
        _ => None,
    }
}

/// Writes the text of a literal, which may lack its end; gives the place behind it.
fn literal(text: &str, out: &mut String) -> Option<usize> {
    let start = literal_start(text)?;
    let bytes = text.starts_with('b');
    let quote = text.as_bytes()[start - 1];
    let mut rest = &text[start..];
    loop {
        let at = memchr::memchr2(quote, b'\\', rest.as_bytes()).unwrap_or(rest.len());
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match rest.as_bytes().first() {
            None => return Some(text.len()),
            Some(byte) if *byte == quote => return Some(text.len() - rest.len() + 1),
            Some(_) => rest = unescape(rest, bytes, out),
        }
    }
}

/// Writes what the escape at the start of the text stands for; gives the text behind it.
fn unescape<'t>(text: &'t str, bytes: bool, out: &mut String) -> &'t str {
    let point = |length| Some((code_point(text.get(2..length)?)?, length));
    let known = match text.as_bytes().get(1) {
        Some(b'n') => Some(('\n', 2)),
        Some(b'r') => Some(('\r', 2)),
        Some(b't') => Some(('\t', 2)),
        Some(byte @ (b'\\' | b'\'' | b'"')) => Some((char::from(*byte), 2)),
        Some(b'x') if bytes => return unescape_bytes(text, out),
        Some(b'x') => point(4),
        Some(b'u') => point(6),
        Some(b'U') => point(10),
        _ => None,
    };
    let (written, length) = known.unwrap_or(('\\', 1));
    out.push(written);
    &text[length..]
}

/// The bytes of one character, each as `\xNN`.
fn unescape_bytes<'t>(text: &'t str, out: &mut String) -> &'t str {
    let mut character = [0; 4];
    let mut rest = text;
    for length in 1..=4 {
        let byte = rest.strip_prefix("\\x").and_then(|rest| u8::from_str_radix(rest.get(..2)?, 16).ok());
        let Some(byte) = byte else { break };
        (character[length - 1], rest) = (byte, &rest[4..]);
        if let Ok(read) = str::from_utf8(&character[..length]) {
            out.push_str(read);
            return rest;
        }
    }
    let (written, length) = if rest.len() < text.len() { ('\u{fffd}', 4) } else { ('\\', 1) };
    out.push(written);
    &text[length..]
}

/// A bracket that is open.
#[derive(Clone, Copy)]
struct Open {
    kind: Kind,
    /// Where it begins in the text and in what is written.
    from: usize,
    start: usize,
    /// How much was written before the current element.
    element: usize,
    /// The current element is not to stay.
    drop: bool,
    /// Elements so far.
    count: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `{}`: a set when its first element is no key.
    Dict,
    Set,
    /// `[]` and `()`.
    List,
    /// `Name(field=value)`.
    Fields,
    /// The same, of which only the first field counts.
    Wrapper,
    /// `Name(value)`.
    Args,
    /// `field=value field=value`, without brackets around it.
    Bare,
    /// The same, of which only the first field counts.
    BareWrapper,
    /// `<Name.member: value>`.
    Member,
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
    /// The text of the current literal.
    plain: String,
    stack: Stack<Open>,
}

impl Reader<'_, '_> {
    fn read(mut self) -> Option<usize> {
        let mut next = match self.field() {
            Some(name) => {
                let kind = if self.text[..name] == *"root" { Kind::BareWrapper } else { Kind::Bare };
                self.open(kind, 0)?;
                self.element()?
            }
            None => Next::Value,
        };
        loop {
            next = match next {
                Next::Value => self.value()?,
                Next::Done if self.stack.depth == 0 => return Some(self.at),
                Next::Done => self.after()?,
                Next::Cut => return (self.stack.depth > 0).then_some(self.text.len()),
            }
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) -> Option<u8> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_ascii_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    /// The length of the name of a field that stands here, before `=`.
    fn field(&self) -> Option<usize> {
        let name = name_length(self.rest());
        (name > 0 && self.rest()[name..].starts_with('=')).then_some(name)
    }

    fn open(&mut self, kind: Kind, from: usize) -> Option<()> {
        let start = self.out.len();
        match kind {
            Kind::Dict | Kind::Fields | Kind::Bare => self.out.push('{'),
            Kind::Set | Kind::List => self.out.push('['),
            Kind::Wrapper | Kind::BareWrapper | Kind::Args | Kind::Member => {}
        }
        self.stack.push(Open { kind, from, start, element: start, drop: false, count: 0 })
    }

    /// The value that stands here, or the bracket that it begins with.
    fn value(&mut self) -> Option<Next> {
        let Some(first) = self.blanks() else { return Some(Next::Cut) };
        match first {
            b'{' | b'[' | b'(' => {
                self.open(if first == b'{' { Kind::Dict } else { Kind::List }, self.at)?;
                self.at += 1;
                self.element()
            }
            b'<' => self.angle(),
            b'.' if self.rest().starts_with("...") => Some(self.word(3)),
            b'-' | b'0'..=b'9' => {
                let token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'_');
                let length = self.rest().bytes().take_while(|byte| token(byte)).count();
                let token = &self.text[self.at..][..length];
                self.at += length;
                match token {
                    "-inf" => self.out.push_str("null"),
                    token => number(token, self.out),
                }
                // Without brackets around it, a number may end the text.
                let enclosed = self.stack.top().is_some_and(|top| !matches!(top.kind, Kind::Bare | Kind::BareWrapper));
                Some(if enclosed && self.at == self.text.len() { Next::Cut } else { Next::Done })
            }
            _ if literal_start(self.rest()).is_some() => {
                self.string();
                Some(Next::Done)
            }
            _ => match name_length(self.rest()) {
                0 => None,
                length => self.named(length),
            },
        }
    }

    /// A literal, as a string.
    fn string(&mut self) {
        self.plain.clear();
        self.at += literal(&self.text[self.at..], &mut self.plain).unwrap_or_default();
        quote(&self.plain, self.out);
    }

    /// `...` and other words that JSON has no values for.
    fn word(&mut self, length: usize) -> Next {
        let word = &self.text[self.at..][..length];
        self.at += length;
        match word {
            "True" => self.out.push_str("true"),
            "False" => self.out.push_str("false"),
            "None" | "nan" | "inf" => self.out.push_str("null"),
            "..." => self.out.push_str(word),
            word => quote(word, self.out),
        }
        Next::Done
    }

    /// A word, or a call: `Name(…)`, where the name may have dots.
    fn named(&mut self, mut length: usize) -> Option<Next> {
        let from = self.at;
        loop {
            let rest = &self.rest()[length..];
            match rest.strip_prefix('.').map_or(0, name_length) {
                0 => break,
                more => length += 1 + more,
            }
        }
        if !self.rest()[length..].starts_with('(') {
            return Some(self.word(length));
        }
        let wrapper = self.rest()[..length].ends_with("SessionMessage");
        self.at += length + 1;
        self.blanks();
        let kind = match self.field() {
            Some(name) if wrapper || self.rest()[..name] == *"root" => Kind::Wrapper,
            Some(_) => Kind::Fields,
            None => Kind::Args,
        };
        self.open(kind, from)?;
        self.element()
    }

    /// `<Name.member: value>` is the value, anything else in angle brackets a text.
    fn angle(&mut self) -> Option<Next> {
        let rest = &self.rest()[1..];
        let member =
            rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
        if member > 0 && rest[member..].starts_with(": ") {
            self.open(Kind::Member, self.at)?;
            self.at += 1 + member + 2;
            return Some(Next::Value);
        }
        let mut depth = 0_u32;
        for (at, byte) in self.rest().bytes().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                quote(&self.text[self.at..][..=at], self.out);
                self.at += at + 1;
                return Some(Next::Done);
            }
        }
        Some(Next::Cut)
    }

    /// What comes behind a value within a bracket.
    fn after(&mut self) -> Option<Next> {
        let top = self.stack.top()?;
        if top.drop || (top.count > 1 && matches!(top.kind, Kind::Wrapper | Kind::BareWrapper)) {
            self.out.truncate(top.element);
            top.drop = false;
        }
        let kind = top.kind;
        if kind == Kind::BareWrapper {
            return Some(self.close());
        }
        if kind == Kind::Bare {
            let blanks = self.rest().len() - self.rest().trim_ascii_start().len();
            self.at += blanks;
            return match self.field() {
                Some(_) if blanks > 0 => self.element(),
                _ => {
                    self.at -= blanks;
                    Some(self.close())
                }
            };
        }
        match self.blanks() {
            None => Some(Next::Cut),
            Some(b',') if kind != Kind::Member => {
                self.at += 1;
                self.element()
            }
            Some(b'}' | b']' | b')' | b'>') => {
                self.at += 1;
                Some(self.close())
            }
            Some(_) => None,
        }
    }

    /// Comma and key of the element that begins here, or the end of the bracket.
    fn element(&mut self) -> Option<Next> {
        let bare = matches!(self.stack.top()?.kind, Kind::Bare | Kind::BareWrapper);
        match self.blanks() {
            None => return Some(Next::Cut),
            Some(b'}' | b']' | b')') if !bare => {
                self.at += 1;
                return Some(self.close());
            }
            Some(_) => {}
        }
        let field = self.field();
        let written = self.out.len();
        let top = self.stack.top()?;
        (top.element, top.count) = (written, top.count.saturating_add(1));
        let (kind, first) = (top.kind, written == top.start + 1);
        if !first && !matches!(kind, Kind::Wrapper | Kind::BareWrapper | Kind::Args) {
            self.out.push(',');
        }
        match (kind, field) {
            (Kind::Dict, _) => return self.key(),
            (Kind::Fields | Kind::Bare, Some(name)) => {
                // A field cannot be called as this member is.
                let name = &self.text[self.at..][..name];
                self.out.push('"');
                quote_part(if name == "meta" { "_meta" } else { name }, self.out);
                self.out.push_str("\":");
                self.at += name.len() + 1;
                let none = self.rest().strip_prefix("None").is_some_and(|rest| name_length(rest) == 0);
                self.stack.top()?.drop = none;
            }
            (Kind::Fields | Kind::Bare, None) => return None,
            (_, Some(name)) => self.at += name + 1,
            (_, None) => {}
        }
        Some(Next::Value)
    }

    /// The key of an entry and its colon. Without one it is a set.
    fn key(&mut self) -> Option<Next> {
        let start = self.out.len();
        match self.value()? {
            Next::Done => {}
            Next::Cut => return Some(Next::Cut),
            // Keys with brackets are none of JSON's.
            Next::Value => return None,
        }
        match self.blanks() {
            None => return Some(Next::Cut),
            Some(b':') => {}
            Some(b',' | b'}') => {
                let top = self.stack.top()?;
                if top.kind != Kind::Dict || top.count != 1 {
                    return None;
                }
                top.kind = Kind::Set;
                let brace = top.start;
                self.out.replace_range(brace..=brace, "[");
                return Some(Next::Done);
            }
            Some(_) => return None,
        }
        if self.out.as_bytes().get(start) != Some(&b'"') {
            let token = self.out.split_off(start);
            quote(&token, self.out);
        }
        self.out.push(':');
        self.at += 1;
        Some(Next::Value)
    }

    fn close(&mut self) -> Next {
        if let Some(top) = self.stack.top().copied() {
            match top.kind {
                Kind::Dict | Kind::Fields | Kind::Bare => self.out.push('}'),
                Kind::Set | Kind::List => self.out.push(']'),
                Kind::Args if top.count == 0 => self.out.push_str("{}"),
                Kind::Args if top.count > 1 => {
                    self.out.truncate(top.start);
                    quote(&self.text[top.from..self.at], self.out);
                }
                Kind::Wrapper | Kind::BareWrapper | Kind::Args | Kind::Member => {}
            }
        }
        self.stack.pop();
        Next::Done
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
    fn models_are_their_fields() {
        for (text, wanted) in [
            (
                "root=Request(method='ping', params=None, jsonrpc='2.0', id=1)",
                r#"{"method":"ping","jsonrpc":"2.0","id":1}"#,
            ),
            (
                "SessionMessage(message=Message(root=Error(id='a', error=Data(code=-1, message='no', data=None))), metadata=M(a=<x <y> at 0x1>, b=None))",
                r#"{"id":"a","error":{"code":-1,"message":"no"}}"#,
            ),
            (
                "SessionMessage(message=Answer(id=1, result={'a': None}), metadata=None)",
                r#"{"id":1,"result":{"a":null}}"#,
            ),
            ("jsonrpc='2.0' id=1 result={'a': 'b=c d=e'}", r#"{"jsonrpc":"2.0","id":1,"result":{"a":"b=c d=e"}}"#),
            (
                "F(uri=Url('a://b'), when=d.t(2025, 1, 2), level=<Level.info: 'info'>, role=Role.user, caps=C(), meta=None)",
                r#"{"uri":"a://b","when":"d.t(2025, 1, 2)","level":"info","role":"Role.user","caps":{}}"#,
            ),
            ("N(params=P(meta={'progressToken': 1}))", r#"{"params":{"_meta":{"progressToken":1}}}"#),
            ("{'a': {1, 'b'}, 2: (True,), None: set(), 'f': inf}", r#"{"a":[1,"b"],"2":[true],"null":{},"f":null}"#),
            ("{'a': ..., 'b': [...]}", r#"{"a":...,"b":[...]}"#),
            (r#"b'{"a":"\xc3\xa9\\n\'"}'"#, r#"{"a":"é\n'"}"#),
            (r#"{'a': '\xe9\u2028\U0001f600\ud83d'}"#, "{\"a\":\"é\u{2028}\u{1f600}\u{fffd}\"}"),
        ] {
            assert_eq!(read(text), Some((wanted.to_owned(), text.len())), "{text}");
        }
    }

    #[test]
    fn the_end_is_that_of_the_value() {
        for (text, value) in [
            ("{'a': 1}   sse.py:160", "{'a': 1}"),
            ("b'{}'   sse.py:161", "b'{}'"),
            ("jsonrpc='2.0' id=1   client.py:15", "jsonrpc='2.0' id=1"),
            ("root=R(id=1) and more=2", "root=R(id=1)"),
        ] {
            assert_eq!(read(text).map(|(_, end)| end), Some(value.len()), "{text}");
        }
        for text in ["", ")", "{'a' 1}", "= 1", "{['a']: 1}", "F(a=1, 2)"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn chunks_are_their_data() {
        let mut out = String::new();
        let text = r"b'id: 1\r\nevent: message\r\ndata: {\r\ndata: }\r\n\r\n'  sse.py:156";
        assert_eq!(chunk(text, &mut out), Some(text.len() - 12));
        assert_eq!(out, "{\n}");
    }
}
