//! Values of the body as they go into HTTP headers (2026-07-28, basic/transports/streamable-http#standard-request-headers):
//! as they are, or in base64 between `=?base64?` and `?=`.

/// What a header says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// The text, and whether it was encoded.
    Text(String, bool),
    /// It is encoded and cannot be decoded.
    Broken,
}

/// Reads a header.
pub(super) fn read(header: &str) -> Value {
    let Some(encoded) = encoded(header) else { return Value::Text(header.to_owned(), false) };
    let decoded = decode(encoded).and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.map_or(Value::Broken, |text| Value::Text(text, true))
}

/// Whether a text cannot stand in a header as it is.
pub(super) fn needs_encoding(text: &str) -> bool {
    let printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    !printable || text.trim_ascii() != text || encoded(text).is_some()
}

fn encoded(header: &str) -> Option<&str> {
    header.strip_prefix("=?base64?")?.strip_suffix("?=")
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    let (mut held, mut bits) = (0u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    (digits.len() % 4 != 1).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_plain_and_encoded() {
        let text = |text: &str, encoded| Value::Text(text.to_owned(), encoded);
        assert_eq!(read("eu-west"), text("eu-west", false));
        assert_eq!(read("=?base64?w6TDtg==?="), text("äö", true));
        assert_eq!(read("=?base64?w6TDtg?="), text("äö", true));
        assert_eq!(read("=?base64??="), text("", true));
        assert_eq!(read("=?base64?!?="), Value::Broken);
        assert_eq!(read("=?base64?/w==?="), Value::Broken);
        for odd in ["ä", " a", "a\n", "=?base64?YQ==?="] {
            assert!(needs_encoding(odd), "{odd:?}");
        }
        assert!(!needs_encoding("a b-c_d:/1") && !needs_encoding(""));
    }
}
