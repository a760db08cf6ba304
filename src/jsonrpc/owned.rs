//! JSON values that own their text, for building messages. The reading side never needs them.

use serde::Serialize;

use super::{RawJson, text::quote};

/// The text of one valid JSON value, owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawJsonBuf(String);

impl RawJsonBuf {
    /// Takes text that is one JSON value, without white space around it; gives it back when it is not.
    pub fn new(text: String) -> Result<Self, String> {
        match RawJson::new(&text) {
            Some(whole) if whole.text().len() == text.len() => Ok(Self(text)),
            _ => Err(text),
        }
    }

    /// Writes a value as compact JSON. Errors: those of the value's own `Serialize`, and map keys that are no strings.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::to_string(value).map(Self)
    }

    /// An error object (JSON-RPC 2.0, section 5.1).
    pub fn error(code: i64, message: &str, data: Option<RawJson<'_>>) -> Self {
        let mut text = format!(r#"{{"code":{code},"message":{}"#, quote(message));
        if let Some(data) = data {
            text.push_str(r#","data":"#);
            text.push_str(data.text());
        }
        text.push('}');
        Self(text)
    }

    /// The value, borrowed.
    pub fn as_raw(&self) -> RawJson<'_> {
        RawJson::valid(&self.0)
    }
}

impl From<serde_json::Value> for RawJsonBuf {
    fn from(value: serde_json::Value) -> Self {
        Self(value.to_string())
    }
}

impl From<RawJson<'_>> for RawJsonBuf {
    fn from(value: RawJson<'_>) -> Self {
        Self(value.text().to_owned())
    }
}
