//! Messages with a time and a direction each, one a line: `ts`, `dir`, and `msg` or, for what was no JSON, `raw`.

use super::wrapped::Wrapped;
use super::{Adapter, EventKind, Form, Format, Named, Proof, Sort, Telling, TimeKind, Way};

/// The row of timed lines.
pub(super) const FORMAT: Format = Format {
    name: "timed",
    title: "a recorder's lines with time, direction and message, among them mcp-rec's",
    example: r#"{"ts":"2025-01-02T03:04:05.678Z","dir":"client->server","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#,
    loses: "nothing",
    proof: Proof::Defined,
    sniff: |head| TIMED.sniff(head),
    open: |options| Box::new(Wrapped::new(&TIMED, options)),
};

static TIMED: Adapter = Adapter {
    reason: "the first line is an object with `ts`, `dir` and `msg`",
    messages: &[Telling::new(Form::Value(&[&["msg"]]))],
    // mcp-rec's way to say that a line was no JSON.
    sorts: &[(&["msg", "_unparsed"], &[("true", Sort::Event(EventKind::Noise))])],
    events: &[(&["raw"], EventKind::Noise), (&["msg", "_raw"], EventKind::Noise)],
    direction: &[Way::Word(&["dir"], &[])],
    time: &[(&["ts"], TimeKind::Rfc3339), (&["ts"], TimeKind::EpochSeconds)],
    session: Named::By(&[&["session"]]),
    server: &[&["server"]],
    ..Adapter::NONE
};
