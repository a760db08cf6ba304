//! A serde serializer for the records: compact JSON into one buffer. Knows no record.
//!
//! `serde_json` looks through every member name for characters to escape; in a record of fifty members that costs more than
//! everything else together. Member names here are identifiers of this program and are copied as they are. Strings
//! that do need escapes, and floats, are left to `serde_json`.

use std::fmt::{self, Display};

use serde::ser::{self, Impossible, Serialize};

/// Appends a value as compact JSON.
pub(super) fn append(out: &mut Vec<u8>, value: &impl Serialize) -> Result<(), Error> {
    value.serialize(Compact { out })
}

/// A newtype of this name around a string is JSON text to be copied.
pub(super) const RAW: &str = "raw JSON";

/// Why a value has no JSON form here.
#[derive(Debug)]
pub(super) struct Error(String);

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        Self::other(error)
    }
}

struct Compact<'o> {
    out: &'o mut Vec<u8>,
}

type Done = Result<(), Error>;

fn no_such<T>(what: &str) -> Result<T, Error> {
    Err(Error(format!("records hold no {what}")))
}

impl Compact<'_> {
    fn integer(self, number: impl itoa::Integer) -> Done {
        self.out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        Ok(())
    }
}

/// Whether a string can be written as it is. Sixteen bytes at a time without a branch, which the compiler vectorises.
fn is_plain(text: &[u8]) -> bool {
    let odd = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    let (blocks, rest) = text.as_chunks::<16>();
    !blocks.iter().any(|block| block.iter().fold(false, |found, byte| found | odd(byte))) && !rest.iter().any(odd)
}

impl<'o> ser::Serializer for Compact<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Members<'o>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Members<'o>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_bool(self, value: bool) -> Done {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Done {
        self.integer(value)
    }

    fn serialize_i16(self, value: i16) -> Done {
        self.integer(value)
    }

    fn serialize_i32(self, value: i32) -> Done {
        self.integer(value)
    }

    fn serialize_i64(self, value: i64) -> Done {
        self.integer(value)
    }

    fn serialize_u8(self, value: u8) -> Done {
        self.integer(value)
    }

    fn serialize_u16(self, value: u16) -> Done {
        self.integer(value)
    }

    fn serialize_u32(self, value: u32) -> Done {
        self.integer(value)
    }

    fn serialize_u64(self, value: u64) -> Done {
        self.integer(value)
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Done {
        serde_json::to_writer(self.out, &value).map_err(ser::Error::custom)
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Done {
        if !is_plain(value.as_bytes()) {
            return serde_json::to_writer(self.out, value).map_err(ser::Error::custom);
        }
        self.out.reserve(value.len() + 2);
        self.out.push(b'"');
        self.out.extend_from_slice(value.as_bytes());
        self.out.push(b'"');
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Done {
        no_such("bytes")
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Done {
        if name != RAW {
            return value.serialize(self);
        }
        let start = self.out.len();
        value.serialize(Compact { out: &mut *self.out })?;
        // The text was written as a string; as JSON it stands without the quotes and escapes.
        let text: String = serde_json::from_slice(&self.out[start..]).map_err(ser::Error::custom)?;
        self.out.truncate(start);
        self.out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(self, _: &'static str, _: u32, _: &'static str, _: &T) -> Done {
        no_such("variants with values")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'o>, Error> {
        self.out.push(b'[');
        Ok(Members { out: self.out, any: false, close: b']' })
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        no_such("tuples")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        no_such("tuples")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        no_such("tuples")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        no_such("maps")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'o>, Error> {
        self.out.push(b'{');
        Ok(Members { out: self.out, any: false, close: b'}' })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        no_such("variants with values")
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Done {
        use std::io::Write as _;
        let start = self.out.len() + 1;
        write!(self.out, "\"{value}\"").map_err(ser::Error::custom)?;
        let end = self.out.len() - 1;
        if is_plain(&self.out[start..end]) {
            return Ok(());
        }
        self.out.truncate(start - 1);
        self.serialize_str(&value.to_string())
    }
}

/// The inside of an array or object.
struct Members<'o> {
    out: &'o mut Vec<u8>,
    any: bool,
    close: u8,
}

impl ser::SerializeSeq for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        if std::mem::replace(&mut self.any, true) {
            self.out.push(b',');
        }
        value.serialize(Compact { out: self.out })
    }

    fn end(self) -> Done {
        self.out.push(self.close);
        Ok(())
    }
}

impl ser::SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Done {
        self.out.reserve(name.len() + 4);
        if std::mem::replace(&mut self.any, true) {
            self.out.push(b',');
        }
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        value.serialize(Compact { out: self.out })
    }

    fn end(self) -> Done {
        self.out.push(self.close);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use serde::Serialize;

    use super::append;

    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    enum Word {
        SomeWord,
    }

    #[derive(Serialize)]
    struct Inner<'a> {
        text: &'a str,
        list: Vec<Option<i64>>,
    }

    #[derive(Serialize)]
    struct Outer<'a> {
        word: Word,
        inner: Inner<'a>,
        many: Vec<Inner<'a>>,
        nothing: Option<&'a str>,
        ratio: f64,
        yes: bool,
        unit: (),
        letter: char,
    }

    proptest! {
        #[test]
        fn writes_what_serde_json_writes(text in any::<String>(), list in any::<Vec<Option<i64>>>(), ratio in -1e9..1e9, letter in any::<char>()) {
            let inner = || Inner { text: &text, list: list.clone() };
            let value = Outer { word: Word::SomeWord, inner: inner(), many: vec![inner(), inner()], nothing: None, ratio, yes: true, unit: (), letter };
            let mut out = Vec::new();
            append(&mut out, &value).unwrap();
            prop_assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&value).unwrap());
        }
    }
}
