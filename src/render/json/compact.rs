//! A serializer for the records alone: compact JSON into a byte buffer.
//!
//! `serde_json` looks at every byte of every member name for something to escape. A record has some fifty names
//! that are constants of this program, and they are most of its bytes; writing them unseen makes a record three
//! times as cheap. Numbers and strings that need escapes still go through `serde_json`.

use std::fmt::{self, Write as _};

use serde::ser::{Error as _, Impossible, Serialize, SerializeSeq, SerializeStruct, Serializer};
use serde_json::Error;

use super::controls::{escaped, has_controls};

/// How a `RawValue` announces itself to serializers.
const RAW: &str = "$serde_json::private::RawValue";

/// Appends a record.
pub(super) fn append(out: &mut Vec<u8>, record: &impl Serialize) -> Result<(), Error> {
    record.serialize(Compact { out })
}

/// Serializes one value.
struct Compact<'o> {
    out: &'o mut Vec<u8>,
}

impl Compact<'_> {
    fn unsupported<T>(self, what: &str) -> Result<T, Error> {
        Err(Error::custom(format_args!("records have no {what}")))
    }
}

/// Whether text can be written as it is: printable ASCII without quotes and backslashes. Eight bytes at a time, for most
/// texts are a word or two; the last eight may overlap those before them.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    if let Some(last) = text.last_chunk() {
        let (words, _) = text.as_chunks();
        return words.iter().fold(marks(last), |found, word| found | marks(word)) == 0;
    }
    if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        let [[a, b, c, d], [e, f, g, h]] = [*first, *last];
        return marks(&[a, b, c, d, e, f, g, h]) == 0;
    }
    text.iter().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
}

/// Not 0 if one of eight bytes needs more than a copy. Among ASCII the top bit of a byte is set where it does or an
/// earlier one does; of other text it is set as it stands.
#[inline]
fn marks(word: &[u8; 8]) -> u64 {
    const EACH: u64 = u64::MAX / 0xFF;
    let word = u64::from_le_bytes(*word);
    let equal = |byte: u8| (word ^ (EACH * u64::from(byte))).wrapping_sub(EACH);
    let below_space = word.wrapping_sub(EACH * 0x20);
    let delete = word.wrapping_add(EACH);
    (word | equal(b'"') | equal(b'\\') | below_space | delete) & (EACH << 7)
}

/// Appends text in quotes.
fn push_text(out: &mut Vec<u8>, text: &str) -> Result<(), Error> {
    if is_plain(text.as_bytes()) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
        return Ok(());
    }
    if !has_controls(text) {
        return serde_json::to_writer(out, text);
    }
    let json = serde_json::to_string(text)?;
    out.extend_from_slice(escaped(&json).as_bytes());
    Ok(())
}

/// Text that is made while it is written and has nothing to escape is copied through; the rest is made twice.
struct Through<'o>(&'o mut Vec<u8>);

impl fmt::Write for Through<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

macro_rules! through_serde_json {
    ($($method:ident: $type:ty,)*) => {
        $(fn $method(self, value: $type) -> Result<(), Error> {
            serde_json::to_writer(self.out, &value)
        })*
    };
}

impl<'o> Serializer for Compact<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Members<'o>;
    type SerializeStruct = Members<'o>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    through_serde_json! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_u8: u8,
        serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32, serialize_f64: f64,
        serialize_char: char,
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        push_text(self.out, value)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.out.push(b'"');
        let start = self.out.len();
        write!(Through(self.out), "{value}").map_err(Error::custom)?;
        if self.out[start..].iter().any(|byte| matches!(byte, ..0x20 | b'"' | b'\\')) {
            self.out.truncate(start - 1);
            return serde_json::to_writer(self.out, &value.to_string());
        }
        self.out.push(b'"');
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    // Words of the contract have nothing to escape; inlined, they are constants.
    #[inline(always)]
    fn serialize_unit_variant(self, _: &'static str, _: u32, word: &'static str) -> Result<(), Error> {
        if word.len() > LONGEST_NAME {
            return push_text(self.out, word);
        }
        let mut piece = [b'"'; LONGEST_NAME + 2];
        piece[1..=word.len()].copy_from_slice(word.as_bytes());
        self.out.extend_from_slice(&piece[..word.len() + 2]);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'o>, Error> {
        self.out.push(b'[');
        Ok(Members { out: self.out, first: true, raw: false })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'o>, Error> {
        Ok(Members { out: self.out, first: true, raw: name == RAW })
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Error> {
        self.unsupported("bytes")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.unsupported("unit structs")
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        self.unsupported("variants with content")
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        self.unsupported("tuples")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        self.unsupported("tuples")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        self.unsupported("variants with content")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        self.unsupported("maps")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        self.unsupported("variants with content")
    }
}

/// The members of an object or the elements of an array.
struct Members<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
    /// The only member is the text of a raw value.
    raw: bool,
}

/// Names up to this length are written at once.
const LONGEST_NAME: usize = 28;

impl Members<'_> {
    /// A raw value, which announces itself as a structure with one member, or a very long name.
    #[cold]
    fn unusual_field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        if self.raw {
            // Only ids with escapes, fractions and the like come this way.
            let text: String = serde_json::from_str(&serde_json::to_string(value)?)?;
            self.out.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        self.out.push(if std::mem::take(&mut self.first) { b'{' } else { b',' });
        push_text(self.out, name)?;
        self.out.push(b':');
        value.serialize(Compact { out: self.out })
    }

    fn comma(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
    }
}

impl SerializeSeq for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.comma();
        value.serialize(Compact { out: self.out })
    }

    fn end(self) -> Result<(), Error> {
        self.out.push(b']');
        Ok(())
    }
}

impl SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Error;

    // Inlined into each record, so that the name is a constant there and `,"name":` a few stores instead of four
    // calls: a third of the cost of a record.
    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        let mut piece = [0; LONGEST_NAME + 4];
        if self.raw || name.len() > LONGEST_NAME {
            return self.unusual_field(name, value);
        }
        piece[0] = if std::mem::take(&mut self.first) { b'{' } else { b',' };
        piece[1] = b'"';
        piece[2..name.len() + 2].copy_from_slice(name.as_bytes());
        piece[name.len() + 2] = b'"';
        piece[name.len() + 3] = b':';
        self.out.extend_from_slice(&piece[..name.len() + 4]);
        value.serialize(Compact { out: self.out })
    }

    fn end(self) -> Result<(), Error> {
        if !self.raw {
            self.out.extend_from_slice(if self.first { b"{}" } else { b"}" });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::{ProptestConfig, any, prop_assert_eq, prop_oneof, proptest};
    use serde::Serialize;

    use super::append;
    use crate::render::json::controls::escaped;
    use crate::render::json::scalar::Scalar;
    use crate::render::json::v1::{V1Cap, V1Error, V1Findings, V1Kind, V1Unanswered};

    fn same(value: &impl Serialize) {
        let mut out = Vec::new();
        append(&mut out, value).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(value).unwrap());
    }

    #[test]
    fn structs_lists_and_words_are_as_serde_json_writes_them() {
        same(&V1Findings { error: 0, warning: u64::MAX, note: 1 });
        same(&V1Unanswered { count: 0, first: Vec::new() });
        same(&vec![V1Cap { table: "a", lost: 1 }, V1Cap { table: "b", lost: 2 }]);
        same(&vec![Some(V1Kind::Request), None]);
        same(&vec![Some(1.5), Some(31.0), Some(0.001), None, Some(f64::NAN)]);
        same(&vec![vec![true], vec![false, true]]);
        for id in ["1", "-0", "1.50", "1e3", "\"a\"", "\"\\u00e9\\n\"", "true", "18446744073709551616"] {
            same(&Scalar::new(id).unwrap());
            let mut out = Vec::new();
            append(&mut out, &Scalar::new(id).unwrap()).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), id);
        }
    }

    #[test]
    fn what_no_record_has_is_refused() {
        assert!(append(&mut Vec::new(), &(1, 2)).is_err());
        assert!(append(&mut Vec::new(), &std::collections::BTreeMap::from([("a", 1)])).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_escaped_as_serde_json_escapes_it_and_controls_too(
            message in prop_oneof![any::<String>(), "[a\"\\\\\\x00-\\x1f\\x7f-\\u{a0}é\\u{61c}\\u{200d}-\\u{2070}]*"],
            code in any::<Option<i64>>(),
        ) {
            let error = V1Error { code, message: message.into() };
            let mut out = Vec::new();
            append(&mut out, &error).unwrap();
            let expected = serde_json::to_string(&error).unwrap();
            prop_assert_eq!(String::from_utf8(out).unwrap(), escaped(&expected));
        }
    }
}
