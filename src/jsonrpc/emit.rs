//! Envelopes to text: exact JSON-RPC 2.0 lines. The way back of `parser`.

use super::Envelope;

/// Appends the message as one line of JSON, without a line end: `jsonrpc`, `id`, `method`, `params` in that
/// order for requests, `jsonrpc`, `id`, `result` or `error` for answers. Payloads are copied, not re-serialised,
/// except that line ends inside them (legal JSON white space) become spaces, because stdio frames by line.
pub fn write_envelope(_envelope: &Envelope<'_>, _out: &mut Vec<u8>) {
    todo!()
}
