//! Values as the printers of programming languages write them.

use std::fmt::{self, Write};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

/// A value of JSON with its members in their order.
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Tree {
    pub(crate) fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap()
    }

    pub(crate) fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.members().iter().any(|(known, _)| known == name)
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Tree;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_unit<E>(self) -> Result<Tree, E> {
                Ok(Tree::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
                Ok(Tree::Bool(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
                Ok(Tree::Number(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
                Ok(Tree::Number(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
                Ok(Tree::Number(Number::from_f64(value).unwrap()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
                Ok(Tree::Text(value.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Tree, A::Error> {
                let mut list = Vec::new();
                while let Some(element) = elements.next_element()? {
                    list.push(element);
                }
                Ok(Tree::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = entries.next_entry()? {
                    members.push(member);
                }
                Ok(Tree::Object(members))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// What `repr` writes in Python.
pub(crate) fn python(value: &Tree) -> String {
    match value {
        Tree::Null => "None".to_owned(),
        Tree::Bool(true) => "True".to_owned(),
        Tree::Bool(false) => "False".to_owned(),
        Tree::Number(number) => number.to_string(),
        Tree::Text(text) => python_string(text),
        Tree::List(values) => format!("[{}]", list(values.iter().map(python))),
        Tree::Object(members) => {
            let member = |(name, value): &(String, Tree)| format!("{}: {}", python_string(name), python(value));
            format!("{{{}}}", list(members.iter().map(member)))
        }
    }
}

/// The repr of a string.
pub(crate) fn python_string(text: &str) -> String {
    python_literal(text, |letter, out| match u32::from(letter) {
        0x20..=0x7e => out.push(letter),
        point @ (0..=0x1f | 0x7f..=0xa0) => write!(out, "\\x{point:02x}").unwrap(),
        point @ 0x2000..=0x2fff => write!(out, "\\u{point:04x}").unwrap(),
        point @ 0x1_f700.. => write!(out, "\\U{point:08x}").unwrap(),
        _ => out.push(letter),
    })
}

/// The repr of the bytes of a text.
pub(crate) fn python_bytes(text: &str) -> String {
    let literal = python_literal(text, |letter, out| match letter {
        ' '..='~' => out.push(letter),
        letter => letter.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| write!(out, "\\x{byte:02x}").unwrap()),
    });
    format!("b{literal}")
}

fn python_literal(text: &str, other: impl Fn(char, &mut String)) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            letter if letter == quote => out.extend(['\\', quote]),
            letter => other(letter, &mut out),
        }
    }
    out.push(quote);
    out
}

/// What `util.inspect` writes in Node.js, one member a line.
pub(crate) fn node(value: &Tree) -> String {
    inspect(value, Some(0))
}

/// The same on one line.
pub(crate) fn node_line(value: &Tree) -> String {
    inspect(value, None)
}

fn inspect(value: &Tree, level: Option<usize>) -> String {
    let inner = level.map(|level| level + 1);
    let (brackets, members): (_, Vec<String>) = match value {
        Tree::Null => return "null".to_owned(),
        Tree::Bool(value) => return value.to_string(),
        Tree::Number(number) => return number.to_string(),
        Tree::Text(text) => {
            let lines: Vec<_> = text.split_inclusive('\n').map(node_string).collect();
            return match level {
                Some(level) if lines.len() > 1 => lines.join(&format!(" +\n{}", "  ".repeat(level + 1))),
                _ => node_string(text),
            };
        }
        Tree::List(values) => (["[", "]"], values.iter().map(|value| inspect(value, inner)).collect()),
        Tree::Object(members) => {
            let member = |(name, value): &(String, Tree)| {
                let plain = name.bytes().next().is_some_and(|first| !first.is_ascii_digit());
                let plain = plain && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                let name = if plain { name.clone() } else { node_string(name) };
                format!("{name}: {}", inspect(value, inner))
            };
            (["{", "}"], members.iter().map(member).collect())
        }
    };
    match (members.is_empty(), level) {
        (true, _) => brackets.concat(),
        (false, None) => format!("{} {} {}", brackets[0], members.join(", "), brackets[1]),
        (false, Some(level)) => {
            let (inner, outer) = ("  ".repeat(level + 1), "  ".repeat(level));
            format!("{}\n{inner}{}\n{outer}{}", brackets[0], members.join(&format!(",\n{inner}")), brackets[1])
        }
    }
}

fn node_string(text: &str) -> String {
    let quote = ['\'', '"', '`'].into_iter().find(|quote| !text.contains(*quote)).unwrap_or('\'');
    let mut out = String::from(quote);
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\\' => out.push_str("\\\\"),
            '\0'..'\u{20}' | '\u{7f}'..='\u{9f}' => write!(out, "\\x{:02X}", u32::from(letter)).unwrap(),
            letter if letter == quote => out.extend(['\\', quote]),
            letter => out.push(letter),
        }
    }
    out.push(quote);
    out
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}
