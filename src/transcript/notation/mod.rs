//! Values as the printers of programming languages write them, turned into JSON: one file a language. What is no value of
//! the language is left to the caller; what a printer has left out stays out, as words that are no JSON. Knows no
//! producer. Linear in the text, without recursion.

mod node;
mod python;

use serde::de::IgnoredAny;

pub(super) use node::value as node;
pub(super) use python::{chunk as python_chunk, value as python};

/// Values deeper than this are not converted.
const DEPTH: usize = 128;

/// The brackets that are open, the innermost last.
struct Stack<T> {
    open: [Option<T>; DEPTH],
    depth: usize,
}

impl<T: Copy> Stack<T> {
    const fn new() -> Self {
        Self { open: [None; DEPTH], depth: 0 }
    }

    /// `None` when it is too deep.
    fn push(&mut self, bracket: T) -> Option<()> {
        *self.open.get_mut(self.depth)? = Some(bracket);
        self.depth += 1;
        Some(())
    }

    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn top(&mut self) -> Option<&mut T> {
        self.open.get_mut(self.depth.checked_sub(1)?)?.as_mut()
    }
}

/// Writes a text as a JSON string.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
    quote_part(text, out);
    out.push('"');
}

/// The same without the quotes.
fn quote_part(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || matches!(byte, b'"' | b'\\')) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        match special.as_bytes()[0] {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            byte @ (b'"' | b'\\') => out.extend(['\\', char::from(byte)]),
            byte => {
                let digit = |nibble: u8| char::from(if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 });
                out.push_str("\\u00");
                out.extend([digit(byte >> 4), digit(byte & 15)]);
            }
        }
        rest = &special[1..];
    }
    out.push_str(rest);
}

/// Writes a number, or as a string what JSON has no number for.
fn number(token: &str, out: &mut String) {
    match serde_json::from_str::<IgnoredAny>(token) {
        Ok(_) => out.push_str(token),
        Err(_) => quote(token, out),
    }
}

/// Writes an id that stands without quotes: a string, unless it is a whole number.
pub(super) fn bare_id(id: &str, out: &mut String) {
    let digits = id.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if digits { number(id, out) } else { quote(id, out) }
}

/// The length of the name that a text begins with, for example of a type or a field.
fn name_length(text: &str) -> usize {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80;
    match text.bytes().next() {
        Some(first) if letter(first) && !first.is_ascii_digit() => {
            text.bytes().take_while(|byte| letter(*byte)).count()
        }
        _ => 0,
    }
}

/// The character of hexadecimal digits; half a pair is none that can be kept.
fn code_point(digits: &str) -> Option<char> {
    let point = u32::from_str_radix(digits, 16).ok()?;
    Some(char::from_u32(point).unwrap_or('\u{fffd}'))
}

#[cfg(test)]
#[path = "../../../tests/grammars/logs/notation.rs"]
#[allow(dead_code, clippy::unwrap_used)]
mod written;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::transcript::grammar::Convert;

    fn value() -> impl Strategy<Value = Value> {
        let text = prop_oneof![
            "[ -~]{0,12}",
            "\\PC{0,8}",
            "['\"`\\\\\n\t\r\u{0}\u{1b}\u{7f}\u{e9}\u{2028}\u{1f600}\\[\\](){}<>,:=$.]{0,12}"
        ];
        let leaf = prop_oneof![
            text.prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            Just(Value::Null),
            (-1e6..1e6_f64).prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec(("[a-zA-Z_$/. '\"-]{0,8}", inner), 0..5)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// A name, how it is written, and how it is read.
    type Notation = (&'static str, fn(&written::Tree) -> String, Convert);

    const NOTATIONS: [Notation; 3] = [
        ("python", written::python, python),
        ("node, laid out", written::node, node),
        ("node, on one line", written::node_line, node),
    ];

    proptest! {
        #[test]
        fn what_was_written_is_read(value in value(), behind in "( +[a-z]{1,3}\\.py:[0-9]{2})?") {
            for (name, write, read) in NOTATIONS {
                // A string alone is a literal that holds a value.
                let value = serde_json::json!([value]);
                let written = write(&written::Tree::read(&value.to_string()));
                let mut out = String::new();
                let end = read(&format!("{written}{behind}"), &mut out);
                prop_assert_eq!(end, Some(written.len()), "{}: {}", name, written);
                let read: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{name}: {error}: {written}: {out}"));
                prop_assert_eq!(&read, &value, "{}: {}", name, written);
            }
        }

        #[test]
        fn any_text_is_survived(text in "[{\\[(<bNT'\"`\\\\x0u\\.]{0,6}[-{}\\[\\]()<>,:='\"`\\\\a-dNn01.+ \n]{0,40}") {
            for (_, _, read) in NOTATIONS {
                let mut out = String::new();
                if let Some(end) = read(&text, &mut out) {
                    prop_assert!(text.is_char_boundary(end));
                }
                prop_assert!(out.len() <= 8 * text.len() + 8, "{out}");
            }
        }

        #[test]
        fn a_cut_value_is_read_as_far_as_it_goes(value in value(), part in 0.0..1.0_f64) {
            for (name, write, read) in NOTATIONS {
                let value = serde_json::json!({"id": 7, "params": value});
                let written = write(&written::Tree::read(&value.to_string()));
                let mut length = (written.len() as f64 * part) as usize;
                while !written.is_char_boundary(length) {
                    length -= 1;
                }
                let mut out = String::new();
                if read(&written[..length], &mut out).is_some() && length > 12 {
                    prop_assert!(out.starts_with("{\"id\":7"), "{name}: {out}");
                }
            }
        }
    }

    #[test]
    fn deep_values_are_not_converted() {
        for bracket in ["[", "{'a': ", "f(", "f(a=", "{ a: ", "<", "{'a': ["] {
            for (_, _, read) in NOTATIONS {
                let mut out = String::new();
                let _ = read(&bracket.repeat(200_000), &mut out);
            }
        }
    }
}
