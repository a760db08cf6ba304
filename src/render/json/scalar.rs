//! A request id as the JSON value that it is.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::payload::replace_lone_surrogates;

/// A JSON scalar, copied digit by digit.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename = "scalar", schema_with = "scalar_schema")]
pub struct Scalar<'a>(Token<'a>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// An integer in the form in which it is written back.
    Integer(i64),
    /// The content of a string without escapes.
    Plain(&'a str),
    /// Any other valid token.
    Raw(Cow<'a, str>),
}

impl<'a> Scalar<'a> {
    /// Takes the token of an id; `None` when it is `null`, no scalar, no JSON, or a number that no double holds
    /// (readers refuse the whole line for it).
    pub fn new(token: &'a str) -> Option<Self> {
        let bytes = token.as_bytes();
        match bytes.first()? {
            b'1'..=b'9' if bytes.len() < 19 && bytes.iter().all(u8::is_ascii_digit) => {
                token.parse().ok().map(|integer| Self(Token::Integer(integer)))
            }
            b'"' if bytes.len() > 1
                && !bytes[1..bytes.len() - 1].iter().any(|byte| matches!(byte, b'"' | b'\\' | ..32)) =>
            {
                Some(Self(Token::Plain(token[1..].strip_suffix('"')?)))
            }
            b'"' | b'-' | b'0'..=b'9' | b't' | b'f' => {
                let token = replace_lone_surrogates(token);
                serde_json::from_str::<serde_json::Value>(&token).ok().map(|_| Self(Token::Raw(token)))
            }
            _ => None,
        }
    }
}

impl Serialize for Scalar<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Token::Integer(integer) => serializer.serialize_i64(*integer),
            Token::Plain(text) => serializer.serialize_str(text),
            Token::Raw(token) => {
                serde_json::from_str::<&RawValue>(token).map_err(serde::ser::Error::custom)?.serialize(serializer)
            }
        }
    }
}

/// Any JSON scalar.
fn scalar_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": ["string", "number", "boolean"] })
}
