//! Messages with a time and a direction each, one a line: `ts`, `dir`, and `msg` or, for what was no JSON, `raw`.

use super::wrapped::{Adapter, TimeKind, Wrapped};
use super::{Format, Origin, Proof};

/// The row of timed lines.
pub(super) const FORMAT: Format = Format {
    name: "timed",
    title: "a recorder's lines with time, direction and message",
    example: r#"{"ts":"2025-01-02T03:04:05.678Z","dir":"client->server","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#,
    loses: "nothing",
    proof: Proof::Defined,
    sniff: |head| TIMED.sniff(head),
    open: |options| Box::new(Wrapped::new(&TIMED, options)),
};

static TIMED: Adapter = Adapter {
    reason: "the first line is an object with `ts`, `dir` and `msg`",
    message: &[&["msg"]],
    raw_text: Some(&["raw"]),
    direction: Some((&["dir"], &[])),
    time: Some((&["ts"], TimeKind::Rfc3339)),
    session: Some(&["session"]),
    server: Some(&["server"]),
    origin: Origin::Wire,
};
