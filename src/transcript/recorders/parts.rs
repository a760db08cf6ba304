//! Recorders that mix the members of a message with their own: the message is put together again.

use super::row;
use crate::protocol::Direction::{ClientToServer, ServerToClient};
use crate::transcript::{Adapter, EventKind, Flag, Form, Mark, Origin, Pointer, Sort, Telling, TimeKind, Way};

/// Where members stand that are not put anywhere.
pub(super) const AT_TOP: [Pointer; 5] = [&["id"], &["method"], &["params"], &["result"], &["error"]];

row!(
    MCPTAP = TAP,
    "mcptap",
    "mcptap's logs (WayV)",
    r#"{"ts":"2025-01-02T03:04:05.678Z","server":"notes","dir":"client->server","kind":"request","id":1,"method":"tools/list"}"#,
    loses "the envelope, secrets, nesting below eight levels and what goes beyond 4096 characters of a string",
    proof Documented
);

static TAP: Adapter = Adapter {
    reason: "the entries have mcptap's `server`, `dir` and `kind`",
    marks: &[
        Mark::Has(&["server"]),
        Mark::Word(&["dir"], &["client->server", "server->client"]),
        Mark::Word(&["kind"], &["request", "response", "notification", "raw", "alert"]),
    ],
    sorts: &[(
        &["kind"],
        &[
            ("request", Sort::Request),
            ("response", Sort::Answer),
            ("notification", Sort::Notification),
            ("raw", Sort::Event(EventKind::Noise)),
            ("alert", Sort::Event(EventKind::Note)),
        ],
    )],
    messages: &[Telling::new(Form::Parts(&[], AT_TOP))],
    events: &[(&["raw"], EventKind::Noise), (&["detail"], EventKind::Note)],
    direction: &[Way::Word(&["dir"], &[])],
    time: &[(&["ts"], TimeKind::Rfc3339)],
    server: &[&["server"]],
    asked: &[&["method"]],
    cuts: &[("…[truncated ", Flag::Truncated), ("\"[depth-limit]\"", Flag::Elided), ("\"[redacted]\"", Flag::Elided)],
    origin: Origin::Labelled,
    ..Adapter::NONE
};

row!(
    MCPORTER = PORTER,
    "mcporter",
    "mcporter's recordings",
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","_meta":{"dir":"send","server":"notes","ts":"2025-01-02T03:04:05.678Z"}}"#,
    loses "a `_meta` that stood at the top of the message",
    proof Documented
);

static PORTER: Adapter = Adapter {
    reason: "the messages have mcporter's `_meta` with `dir`, `server` and `ts`",
    marks: &[
        Mark::Word(&["_meta", "dir"], &["send", "recv", "lifecycle"]),
        Mark::Has(&["_meta", "server"]),
        Mark::Has(&["_meta", "ts"]),
    ],
    sorts: &[(&["_meta", "dir"], &[("lifecycle", Sort::Event(EventKind::Note))])],
    messages: &[Telling::new(Form::Parts(&[], AT_TOP))],
    direction: &[Way::Word(&["_meta", "dir"], &[("send", ClientToServer), ("recv", ServerToClient)])],
    time: &[(&["_meta", "ts"], TimeKind::Rfc3339)],
    server: &[&["_meta", "server"]],
    ..Adapter::NONE
};
