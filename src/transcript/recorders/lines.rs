//! Recorders that write each message as it was, one entry a line, with what they know of it beside it.

use super::row;
use crate::protocol::Direction::{ClientToServer, ServerToClient};
use crate::transcript::{Adapter, EventKind, Flag, Form, Mark, Named, Pointer, Sort, Telling, TimeKind, Way, Words};

/// Seen from the proxy: what it read from the client came in.
const IN_IS_TO_SERVER: Words<crate::protocol::Direction> = &[("in", ClientToServer), ("out", ServerToClient)];

const fn message(pointers: &'static [Pointer]) -> Telling {
    Telling::new(Form::Value(pointers))
}

row!(
    MCPSNOOP = SNOOP,
    "mcpsnoop",
    "mcpsnoop's session logs",
    r#"{"session_id":"s1","server_label":"notes","seq":1,"ts":"2025-01-02T03:04:05.678Z","direction":"c2s","transport":"stdio","raw":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#,
    loses "what the recorder was told to redact, and what goes beyond its size limit",
    proof Documented
);

static SNOOP: Adapter = Adapter {
    reason: "the entries have the members of mcpsnoop's envelopes",
    marks: &[
        Mark::Has(&["session_id"]),
        Mark::Has(&["transport"]),
        Mark::Word(&["direction"], &["c2s", "s2c", "stderr", "meta"]),
    ],
    sorts: &[(
        &["direction"],
        &[("stderr", Sort::Event(EventKind::Stderr)), ("meta", Sort::Event(EventKind::ProcessStart))],
    )],
    messages: &[message(&[&["raw"]])],
    events: &[(&["text"], EventKind::Noise), (&["raw"], EventKind::Note)],
    direction: &[Way::Word(&["direction"], &[])],
    time: &[(&["ts"], TimeKind::Rfc3339)],
    session: Named::By(&[&["session_id"]]),
    server: &[&["server_label"]],
    flags: &[(&["truncated"], Flag::Truncated), (&["redacted"], Flag::Elided)],
    ..Adapter::NONE
};

row!(
    MCP_TAPE = TAPE,
    "mcp-tape",
    "mcp-tape's traces",
    r#"{"t":"2025-01-02T03:04:05.678Z","dir":"in","raw":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#,
    loses "what it redacted",
    proof Documented
);

static TAPE: Adapter = Adapter {
    reason: "the entries have mcp-tape's `t`, `dir` and `raw`",
    marks: &[Mark::Has(&["t"]), Mark::Word(&["dir"], &["in", "out"]), Mark::Has(&["raw"])],
    header: &[Mark::Word(&["type"], &["meta"]), Mark::Has(&["mcpTapVersion"])],
    sorts: &[(
        &["type"],
        &[("meta", Sort::Event(EventKind::ProcessStart)), ("end", Sort::Event(EventKind::ProcessExit))],
    )],
    messages: &[message(&[&["raw"]])],
    direction: &[Way::Word(&["dir"], IN_IS_TO_SERVER)],
    time: &[(&["t"], TimeKind::Rfc3339), (&["startedAt"], TimeKind::Rfc3339)],
    server: &[&["label"]],
    cuts: &[("[REDACTED]", Flag::Elided)],
    ..Adapter::NONE
};

row!(
    MCPDUMP = DUMP,
    "mcpdump",
    "mcpdump's recordings",
    r#"{"seq":1,"atMs":0.412,"direction":"to_server","method":"tools/list","elapsedMs":null,"line":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"}"#,
    loses "the date",
    proof Recorded
);

static DUMP: Adapter = Adapter {
    reason: "the entries have mcpdump's `seq`, `atMs` and `line`",
    marks: &[Mark::Has(&["seq"]), Mark::Has(&["atMs"]), Mark::Word(&["direction"], &["to_server", "to_client"])],
    header: &[Mark::Word(&["format"], &["mcpdump-session"])],
    messages: &[message(&[&["line"]])],
    direction: &[Way::Word(&["direction"], &[])],
    time: &[(&["atMs"], TimeKind::ElapsedMillis)],
    asked: &[&["method"]],
    ..Adapter::NONE
};

row!(
    MCP_RECORDER = RECORDER,
    "mcp-recorder",
    "mcp-recorder's lines (toddegray)",
    r#"{"seq":0,"t":1735787045.678,"dir":"c2s","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#,
    loses "nothing",
    proof Documented
);

static RECORDER: Adapter = Adapter {
    reason: "the entries have mcp-recorder's `seq`, `t`, `dir` and `msg`",
    marks: &[Mark::Has(&["seq"]), Mark::Has(&["t"]), Mark::Word(&["dir"], &["c2s", "s2c"])],
    sorts: &[(&["type"], &[("summary", Sort::Event(EventKind::Note))])],
    messages: &[message(&[&["msg"]])],
    direction: &[Way::Word(&["dir"], &[])],
    time: &[(&["t"], TimeKind::EpochSeconds)],
    ..Adapter::NONE
};

row!(
    FRAMES = FRAME_LINES,
    "mcptap-frames",
    "mcptap's session logs (Neal006)",
    r#"{"ts":1735787045678,"dir":"c2s","frame":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#,
    loses "nothing",
    proof Documented
);

static FRAME_LINES: Adapter = Adapter {
    reason: "the entries have mcptap's `ts`, `dir` and `frame`",
    marks: &[Mark::Has(&["ts"]), Mark::Word(&["dir"], &["c2s", "s2c"]), Mark::Has(&["frame"])],
    header: &[Mark::Word(&["type"], &["meta"]), Mark::Has(&["startedAt"]), Mark::Has(&["pid"]), Mark::Has(&["server"])],
    sorts: &[(&["type"], &[("meta", Sort::Event(EventKind::ProcessStart))])],
    messages: &[message(&[&["frame"]])],
    direction: &[Way::Word(&["dir"], &[])],
    time: &[(&["ts"], TimeKind::EpochMillis), (&["startedAt"], TimeKind::EpochMillis)],
    server: &[&["server"]],
    ..Adapter::NONE
};

row!(
    MCPSPY = SPY,
    "mcpspy",
    "MCPSpy's output as JSON lines",
    r#"{"timestamp":"2025-01-02T03:04:05.678+02:00","transport_type":"stdio","stdio_transport":{"from_pid":7,"to_pid":9},"type":"request","id":1,"method":"tools/list","error":{},"raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"}"#,
    loses "which process is the client: learnt from what it sends",
    proof Documented
);

static SPY: Adapter = Adapter {
    reason: "the entries have MCPSpy's `transport_type`, `type` and `raw`",
    marks: &[
        Mark::Has(&["transport_type"]),
        Mark::Word(&["type"], &["request", "response", "notification"]),
        Mark::Has(&["raw"]),
    ],
    messages: &[message(&[&["raw"]])],
    direction: &[
        Way::ToServer(&["http_transport"], &["http_transport", "is_request"]),
        Way::Parties(&["stdio_transport", "from_pid"], &["stdio_transport", "to_pid"]),
    ],
    time: &[(&["timestamp"], TimeKind::Rfc3339)],
    asked: &[&["request", "method"]],
    session: Named::Pair(&["stdio_transport", "from_pid"], &["stdio_transport", "to_pid"]),
    ..Adapter::NONE
};

row!(
    RETICLE = RETICLE_LINES,
    "reticle",
    "Reticle's log entries",
    r#"{"id":"log-1","session_id":"s1","timestamp":1735787045678000,"direction":"in","content":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}","message_type":"jsonrpc","token_count":7}"#,
    loses "the order of members: it writes them sorted",
    proof Documented
);

static RETICLE_LINES: Adapter = Adapter {
    reason: "the entries have Reticle's `session_id`, `content` and `message_type`",
    marks: &[
        Mark::Has(&["session_id"]),
        Mark::Word(&["direction"], &["in", "out"]),
        Mark::Word(&["message_type"], &["jsonrpc", "raw", "stderr"]),
    ],
    sorts: &[(
        &["message_type"],
        &[("raw", Sort::Event(EventKind::Noise)), ("stderr", Sort::Event(EventKind::Stderr))],
    )],
    messages: &[message(&[&["content"]])],
    events: &[(&["content"], EventKind::Noise)],
    direction: &[Way::Word(&["direction"], IN_IS_TO_SERVER)],
    time: &[(&["timestamp"], TimeKind::EpochMicros)],
    session: Named::By(&[&["session_id"]]),
    server: &[&["server_name"]],
    ..Adapter::NONE
};

row!(
    LSP = LSP_LINES,
    "lsp-inspector",
    "traces for the LSP Inspector, as vscode-jsonrpc writes them",
    r#"{"isLSPMessage":true,"type":"send-request","message":{"jsonrpc":"2.0","id":1,"method":"tools/list"},"timestamp":1735787045678}"#,
    loses "nothing",
    proof Documented
);

static LSP_LINES: Adapter = Adapter {
    reason: "the entries say `isLSPMessage`",
    marks: &[Mark::Word(&["isLSPMessage"], &["true"]), Mark::Has(&["message"])],
    messages: &[message(&[&["message"]])],
    // Mostly the client writes; where a server has, the methods tell and the labels are read the other way round.
    direction: &[Way::Word(
        &["type"],
        &[
            ("send-request", ClientToServer),
            ("send-response", ClientToServer),
            ("send-notification", ClientToServer),
            ("receive-request", ServerToClient),
            ("receive-response", ServerToClient),
            ("receive-notification", ServerToClient),
        ],
    )],
    time: &[(&["timestamp"], TimeKind::EpochMillis)],
    ..Adapter::NONE
};
