//! Exports that are one JSON document: entries in an array, mostly of a request with its answer.

use super::parts::AT_TOP;
use super::row;
use crate::protocol::Direction::{ClientToServer, ServerToClient};
use crate::transcript::{
    Adapter, Entries, EventKind, Flag, Form, Goes, Mark, Named, OutlineForm, Pointer, Shift, Sort, Telling, TimeKind,
    Way,
};

row!(
    INSPECTOR = PROTOCOL,
    "inspector-protocol",
    "MCP Inspector v2, export of the Protocol screen",
    "[\n  {\n    \"id\": \"req-1\",\n    \"timestamp\": \"2025-01-02T03:04:05.678Z\",\n    \"direction\": \"request\",\n    \"origin\": \"client\",\n    \"message\": {\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"},\n    \"response\": {\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {\"tools\": []}},\n    \"duration\": 75\n  }\n]",
    loses "the order of messages between a request and its answer",
    proof Documented
);

static PROTOCOL: Adapter = Adapter {
    reason: "the input is an array of the Inspector's entries with `direction` and `message`",
    entries: Entries::Within(&[&["*"]]),
    marks: &[
        Mark::Has(&["timestamp"]),
        Mark::Word(&["direction"], &["request", "response", "notification"]),
        Mark::Has(&["message"]),
    ],
    messages: &[
        Telling::new(Form::Value(&[&["message"]])),
        Telling {
            goes: Goes::Back,
            shift: Some(Shift::Later(&["duration"], TimeKind::ElapsedMillis)),
            ..Telling::new(Form::Value(&[&["response"]]))
        },
    ],
    direction: &[Way::Word(&["origin"], &[])],
    time: &[(&["timestamp"], TimeKind::Rfc3339)],
    ..Adapter::NONE
};

row!(
    MCPJAM = JAM,
    "mcpjam",
    "MCPJam Inspector, downloaded or copied logs",
    "[\n  {\n    \"timestamp\": \"2025-01-02T03:04:05.678Z\",\n    \"source\": \"mcp-server\",\n    \"serverId\": \"notes\",\n    \"direction\": \"SEND\",\n    \"method\": \"tools/list\",\n    \"payload\": {\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}\n  }\n]",
    loses "the order: it writes the newest first, so that answers stand before their requests",
    proof Documented
);

static JAM: Adapter = Adapter {
    reason: "the input is an array of MCPJam's entries with `source`, `serverId` and `payload`",
    entries: Entries::Within(&[&["*"]]),
    marks: &[
        Mark::Word(&["source"], &["mcp-server", "mcp-apps", "oauth"]),
        Mark::Has(&["serverId"]),
        Mark::Has(&["payload"]),
    ],
    // What a view and its host say to each other was never sent to a server.
    sorts: &[(&["source"], &[("mcp-apps", Sort::Event(EventKind::Note)), ("oauth", Sort::Event(EventKind::Http))])],
    messages: &[Telling::new(Form::Value(&[&["payload"]]))],
    events: &[(&["method"], EventKind::Note)],
    direction: &[Way::Word(&["direction"], &[("SEND", ClientToServer), ("RECEIVE", ServerToClient)])],
    time: &[(&["timestamp"], TimeKind::Rfc3339)],
    server: &[&["serverName"], &["serverId"]],
    ..Adapter::NONE
};

row!(
    CASSETTE = CASSETTE_DOCUMENT,
    "mcp-cassette",
    "mcp-recorder's cassettes (devhelmhq)",
    "{\n  \"version\": \"1.0\",\n  \"metadata\": {\"recorded_at\": \"2025-01-02T03:04:05Z\", \"server_url\": \"http://127.0.0.1:8300\"},\n  \"interactions\": [\n    {\n      \"type\": \"jsonrpc_request\",\n      \"request\": {\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"},\n      \"response\": {\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {\"tools\": []}},\n      \"latency_ms\": 17\n    }\n  ]\n}",
    loses "times, and what the server sends by itself",
    proof Recorded
);

static CASSETTE_DOCUMENT: Adapter = Adapter {
    reason: "the input is a document with `version`, `metadata` and `interactions`",
    entries: Entries::Within(&[&["metadata"], &["interactions", "*"]]),
    header: &[Mark::Has(&["version"]), Mark::Has(&["metadata"]), Mark::Has(&["interactions"])],
    messages: &[
        Telling::always(Form::Value(&[&["request"]]), ClientToServer),
        Telling::always(Form::Value(&[&["response"]]), ServerToClient),
    ],
    events: &[(&["http_method"], EventKind::Http)],
    server: &[&["server_info", "name"]],
    ..Adapter::NONE
};

row!(
    AGENT_VCR = VCR,
    "agent-vcr",
    "agent-vcr's recordings",
    "{\n  \"format_version\": \"1.0.0\",\n  \"metadata\": {\"transport\": \"stdio\"},\n  \"session\": {\n    \"initialize_request\": {\"jsonrpc\": \"2.0\", \"id\": 0, \"method\": \"initialize\", \"params\": {}},\n    \"initialize_response\": {\"jsonrpc\": \"2.0\", \"id\": 0, \"result\": {}, \"error\": null},\n    \"interactions\": []\n  }\n}",
    loses "notifications of the client, requests of the server, times of the handshake",
    proof Recorded
);

// It writes what a message does not have as `null`.
const IN_REQUEST: [Pointer; 5] =
    [&["request", "id"], &["request", "method"], &["request", "params"], &["request", "result"], &["request", "error"]];
const IN_RESPONSE: [Pointer; 5] = [
    &["response", "id"],
    &["response", "method"],
    &["response", "params"],
    &["response", "result"],
    &["response", "error"],
];

static VCR: Adapter = Adapter {
    reason: "the input is a document with `format_version`, `metadata` and `session`",
    entries: Entries::Within(&[
        &["metadata"],
        &["session", "initialize_request"],
        &["session", "initialize_response"],
        &["session", "interactions", "*"],
    ]),
    header: &[Mark::Has(&["format_version"]), Mark::Has(&["metadata"]), Mark::Has(&["session"])],
    messages: &[
        Telling { goes: Goes::Unknown, ..Telling::new(Form::Parts(&[], AT_TOP)) },
        Telling {
            shift: Some(Shift::Earlier(&["latency_ms"], TimeKind::ElapsedMillis)),
            ..Telling::always(Form::Parts(&["request"], IN_REQUEST), ClientToServer)
        },
        Telling::always(Form::Each(&["notifications"]), ServerToClient),
        Telling::always(Form::Parts(&["response"], IN_RESPONSE), ServerToClient),
    ],
    time: &[(&["timestamp"], TimeKind::Rfc3339)],
    session: Named::By(&[&["session_id"]]),
    server: &[&["endpoint_id"], &["server_info", "name"]],
    ..Adapter::NONE
};

row!(
    MCPSNOOP_EXPORT = SNOOP_EXPORT,
    "mcpsnoop-export",
    "mcpsnoop, export as JSON",
    "{\n  \"generated_at\": \"2025-01-02T03:04:05Z\",\n  \"session\": {\"id\": \"s1\", \"label\": \"notes\"},\n  \"summary\": {\"tools\": []},\n  \"calls\": [],\n  \"events\": [\n    {\n      \"seq\": 1,\n      \"timestamp\": \"2025-01-02T03:04:05.678Z\",\n      \"direction\": \"c2s\",\n      \"kind\": \"request\",\n      \"raw\": {\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}\n    }\n  ]\n}",
    loses "what the recorder was told to redact",
    proof Documented
);

static SNOOP_EXPORT: Adapter = Adapter {
    reason: "the input is a document with `generated_at`, `session` and `summary`",
    entries: Entries::Within(&[&["session"], &["events", "*"]]),
    header: &[Mark::Has(&["generated_at"]), Mark::Has(&["session"]), Mark::Has(&["summary"])],
    sorts: &[(
        &["direction"],
        &[("stderr", Sort::Event(EventKind::Stderr)), ("meta", Sort::Event(EventKind::ProcessStart))],
    )],
    messages: &[Telling::new(Form::Value(&[&["raw"]]))],
    events: &[(&["text"], EventKind::Noise)],
    direction: &[Way::Word(&["direction"], &[])],
    time: &[(&["timestamp"], TimeKind::Rfc3339)],
    server: &[&["label"]],
    flags: &[(&["truncated"], Flag::Truncated)],
    ..Adapter::NONE
};

row!(
    MCP_SHARK = SHARK,
    "mcp-shark",
    "MCP Shark, export as JSON",
    "[\n  {\n    \"frame_number\": 1,\n    \"timestamp_iso\": \"2025-01-02T03:04:05.678Z\",\n    \"direction\": \"request\",\n    \"method\": \"POST\",\n    \"jsonrpc_method\": \"tools/list\",\n    \"jsonrpc_id\": \"1\",\n    \"server_name\": \"notes\",\n    \"request\": \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"tools/list\\\"}\"\n  }\n]",
    loses "bodies that are no single message: of those only the outline",
    proof Unverified
);

static SHARK: Adapter = Adapter {
    reason: "the input is an array of entries with `frame_number` and `jsonrpc_method`",
    entries: Entries::Within(&[&["*"]]),
    marks: &[
        Mark::Has(&["frame_number"]),
        Mark::Has(&["timestamp_iso"]),
        Mark::Word(&["direction"], &["request", "response"]),
    ],
    sorts: &[(&["direction"], &[("response", Sort::Answer)])],
    messages: &[
        Telling::new(Form::Rpc(&[&["request"], &["response"]])),
        Telling {
            instead: true,
            ..Telling::new(Form::Outline(OutlineForm {
                method: &[&["jsonrpc_method"]],
                id: &[&["jsonrpc_id"]],
                ..OutlineForm::NONE
            }))
        },
    ],
    direction: &[Way::Word(&["direction"], &[("request", ClientToServer), ("response", ServerToClient)])],
    time: &[(&["timestamp_iso"], TimeKind::Rfc3339)],
    session: Named::By(&[&["session_id"]]),
    server: &[&["server_name"]],
    ..Adapter::NONE
};
