//! Envelopes to text: exact JSON-RPC 2.0 lines. The way back of `parser`.

use super::text::quote;
use super::{Envelope, Id};

/// Appends the message as one line of JSON, without a line end: `jsonrpc`, `id`, `method`, `params` in that
/// order for requests, `jsonrpc`, `id`, `result` or `error` for answers. Payloads are copied, not re-serialised,
/// except that line ends inside them (legal JSON white space) become spaces, because stdio frames by line.
pub fn write_envelope(envelope: &Envelope<'_>, out: &mut Vec<u8>) {
    let mut line = Line { out };
    line.out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
    match envelope {
        Envelope::Request { id, method, params } => {
            line.id(id);
            line.member("method", &quote(method));
            if let Some(params) = params {
                line.member("params", params.text());
            }
        }
        Envelope::Notification { method, params } => {
            line.member("method", &quote(method));
            if let Some(params) = params {
                line.member("params", params.text());
            }
        }
        Envelope::Response { id, result } => {
            line.id(id);
            line.member("result", result.text());
        }
        Envelope::ErrorResponse { id, error } => {
            if let Some(id) = id {
                line.id(id);
            }
            line.member("error", error.raw.text());
        }
    }
    line.out.push(b'}');
}

/// An object that is being written.
struct Line<'o> {
    out: &'o mut Vec<u8>,
}

impl Line<'_> {
    fn id(&mut self, id: &Id<'_>) {
        self.member("id", id.raw());
    }

    /// `name` needs no escapes, `value` is JSON: a line end in it can only be white space.
    fn member(&mut self, name: &str, value: &str) {
        self.out.extend_from_slice(b",\"");
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        let start = self.out.len();
        self.out.extend_from_slice(value.as_bytes());
        for byte in &mut self.out[start..] {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
}
