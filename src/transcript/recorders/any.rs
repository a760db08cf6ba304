//! What home-made recorders have in common: a message under one of the usual names, and maybe words for direction and
//! time beside it. Only a message that is one by itself is believed.

use super::row;
use crate::transcript::{Adapter, Form, Named, Telling, TimeKind, Way};

row!(
    ANY = HOME_MADE,
    "json-log",
    "JSON lines of any recorder, with a message under one of the usual names",
    r#"{"time":"2025-01-02T03:04:05.678Z","from":"client","payload":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#,
    loses "what cannot be guessed by the names of members; `mcp-trace.toml` can describe a format exactly",
    proof Defined
);

static HOME_MADE: Adapter = Adapter {
    reason: "the entries carry a JSON-RPC message under one of the usual names",
    modest: true,
    messages: &[Telling::new(Form::Rpc(&[
        &["msg"],
        &["message"],
        &["frame"],
        &["raw"],
        &["payload"],
        &["content"],
        &["body"],
        &["data"],
        &["json"],
        &["packet"],
        &["line"],
    ]))],
    direction: &[
        Way::Relative(&["dir"]),
        Way::Relative(&["direction"]),
        Way::Relative(&["from"]),
        Way::Relative(&["sender"]),
        Way::Relative(&["source"]),
        Way::Relative(&["stream"]),
        Way::Relative(&["type"]),
        Way::Relative(&["kind"]),
    ],
    time: &[
        (&["ts"], TimeKind::Rfc3339),
        (&["time"], TimeKind::Rfc3339),
        (&["timestamp"], TimeKind::Rfc3339),
        (&["@timestamp"], TimeKind::Rfc3339),
        (&["t"], TimeKind::Rfc3339),
    ],
    session: Named::By(&[&["session_id"], &["sessionId"], &["session"]]),
    server: &[&["server"], &["server_name"]],
    ..Adapter::NONE
};
