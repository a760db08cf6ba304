//! Logs that keep of a message only what it is, who sent it and which id it has, or not even that.

use super::row;
use crate::protocol::Direction::{ClientToServer, ServerToClient};
use crate::transcript::{
    Adapter, Entries, EventKind, Flag, Form, Goes, Mark, Named, OutlineForm, Pointer, Shift, Sort, Telling, TimeKind,
    Way,
};

row!(
    FASTMCP = FASTMCP_LINES,
    "fastmcp",
    "FastMCP's structured logging middleware",
    r#"{"event":"request_start","method":"tools/call","source":"client","payload":"{\"method\":\"tools/call\",\"params\":{\"name\":\"search\"}}","payload_type":"CallToolRequest"}"#,
    loses "ids, results, and often params",
    proof Documented
);

static FASTMCP_LINES: Adapter = Adapter {
    reason: "the entries have the middleware's `event`, `method` and `source`",
    marks: &[
        Mark::Word(
            &["event"],
            &[
                "request_start",
                "request_success",
                "request_error",
                "notification_start",
                "notification_success",
                "notification_error",
            ],
        ),
        Mark::Has(&["method"]),
        Mark::Has(&["source"]),
    ],
    sorts: &[(
        &["event"],
        &[
            ("request_start", Sort::Request),
            ("request_success", Sort::Result),
            ("request_error", Sort::Error),
            ("notification_start", Sort::Notification),
            ("notification_success", Sort::Event(EventKind::Note)),
            ("notification_error", Sort::Event(EventKind::Note)),
        ],
    )],
    messages: &[Telling {
        goes: Goes::Asked,
        ..Telling::new(Form::Outline(OutlineForm {
            method: &[&["method"]],
            target: &[&["payload"]],
            ..OutlineForm::NONE
        }))
    }],
    direction: &[Way::Word(&["source"], &[])],
    ..Adapter::NONE
};

row!(
    PI_ADAPTER = PI_LINES,
    "pi-mcp-adapter",
    "pi-mcp-adapter's protocol traces",
    r#"{"version":1,"timestamp":"2025-01-02T03:04:05.678Z","direction":"outbound","server":"notes","transport":"stdio","kind":"request","status":"sent","method":"tools/list","id":1}"#,
    loses "params, results, ids that are strings",
    proof Documented
);

static PI_LINES: Adapter = Adapter {
    reason: "the entries have the adapter's `direction`, `kind` and `status`",
    marks: &[
        Mark::Has(&["version"]),
        Mark::Word(&["direction"], &["outbound", "inbound"]),
        Mark::Word(&["kind"], &["request", "response", "notification"]),
        Mark::Has(&["status"]),
    ],
    sorts: &[(
        &["kind"],
        &[("request", Sort::Request), ("response", Sort::Answer), ("notification", Sort::Notification)],
    )],
    messages: &[Telling::new(Form::Outline(OutlineForm {
        method: &[&["method"]],
        id: &[&["id"]],
        error_code: &[&["errorCode"]],
        error: &[&["errorCode"]],
        ..OutlineForm::NONE
    }))],
    direction: &[Way::Word(&["direction"], &[])],
    time: &[(&["timestamp"], TimeKind::Rfc3339)],
    server: &[&["server"]],
    cuts: &[("[REDACTED", Flag::Elided)],
    ..Adapter::NONE
};

row!(
    MCP_DEBUG = DEBUG,
    "mcp-debug",
    "mcp-debug's recordings",
    r#"{"timestamp":"2025-01-02T03:04:05.678-07:00","direction":"request","message_type":"tool_call","tool_name":"notes_search","server_name":"notes","message":{"method":"tools/call","params":{"name":"notes_search"}}}"#,
    loses "ids, and everything but tool calls",
    proof Documented
);

static DEBUG: Adapter = Adapter {
    reason: "the entries have mcp-debug's `message_type`, `tool_name` and `message`",
    marks: &[
        Mark::Has(&["message_type"]),
        Mark::Has(&["tool_name"]),
        Mark::Word(&["direction"], &["request", "response"]),
    ],
    header: &[Mark::Has(&["start_time"]), Mark::Has(&["server_info"]), Mark::Has(&["messages"])],
    sorts: &[(&["direction"], &[("request", Sort::Request), ("response", Sort::Result)])],
    messages: &[
        Telling::new(Form::Rpc(&[&["message"]])),
        Telling {
            instead: true,
            ..Telling::new(Form::Outline(OutlineForm {
                assumed: Some("tools/call"),
                target: &[&["tool_name"]],
                ..OutlineForm::NONE
            }))
        },
    ],
    direction: &[Way::Word(&["direction"], &[("request", ClientToServer), ("response", ServerToClient)])],
    time: &[(&["timestamp"], TimeKind::Rfc3339)],
    server: &[&["server_name"]],
    ..Adapter::NONE
};

const EXCHANGE_METHOD: &[Pointer] = &[&["request", "metadata", "method"]];
const EXCHANGE_ID: &[Pointer] = &[&["request", "metadata", "id"]];
const EXCHANGE_LENGTH: Option<Shift> = Some(Shift::Later(&["durationMs"], TimeKind::ElapsedMillis));

row!(
    EXCHANGES = EXCHANGE_LINES,
    "http-exchanges",
    "HTTP exchanges, one a line (ryux1/mcp-trace)",
    r#"{"schemaVersion":1,"startedAt":"2025-01-02T03:04:05.678Z","durationMs":12,"upstream":"http://127.0.0.1:8300","request":{"httpMethod":"POST","path":"/mcp","headers":{},"metadata":{"method":"tools/list","id":1}},"response":{"status":200,"headers":{}}}"#,
    loses "bodies, unless it was asked for them",
    proof Documented
);

static EXCHANGE_LINES: Adapter = Adapter {
    reason: "the entries have `schemaVersion`, `startedAt` and a `request` with `metadata`",
    marks: &[Mark::Has(&["schemaVersion"]), Mark::Has(&["startedAt"]), Mark::Has(&["request", "metadata"])],
    messages: &[
        Telling {
            flags: &[
                (&["request", "body", "redacted"], Flag::Elided),
                (&["request", "body", "truncated"], Flag::Truncated),
            ],
            ..Telling::always(Form::Rpc(&[&["request", "body", "value"]]), ClientToServer)
        },
        Telling {
            instead: true,
            ..Telling::always(
                Form::Outline(OutlineForm {
                    method: EXCHANGE_METHOD,
                    id: EXCHANGE_ID,
                    target: &[&["request", "metadata", "name"]],
                    ..OutlineForm::NONE
                }),
                ClientToServer,
            )
        },
        Telling {
            shift: EXCHANGE_LENGTH,
            flags: &[
                (&["response", "body", "redacted"], Flag::Elided),
                (&["response", "body", "truncated"], Flag::Truncated),
            ],
            ..Telling::always(Form::Rpc(&[&["response", "body", "value"]]), ServerToClient)
        },
        Telling {
            instead: true,
            only: &[Mark::Word(&["response", "status"], &["200"])],
            shift: EXCHANGE_LENGTH,
            ..Telling::always(
                Form::Outline(OutlineForm {
                    sort: Some(Sort::Answer),
                    method: EXCHANGE_METHOD,
                    id: EXCHANGE_ID,
                    ..OutlineForm::NONE
                }),
                ServerToClient,
            )
        },
    ],
    events: &[(&["request", "httpMethod"], EventKind::Http)],
    time: &[(&["startedAt"], TimeKind::Rfc3339)],
    ..Adapter::NONE
};

const METHOD: Pointer = &["attributes", "[mcp.method.name]"];
const STATUS: Pointer = &["attributes", "[rpc.response.status_code]"];
const ERROR: Pointer = &["attributes", "[error.type]"];

/// The answer that ended a span with these marks.
const fn ended(only: &'static [Mark]) -> Telling {
    Telling {
        goes: Goes::Unknown,
        time: Some((&["endTimeUnixNano"], TimeKind::EpochNanos)),
        only,
        ..Telling::new(Form::Outline(OutlineForm {
            sort: Some(Sort::Answer),
            error_code: &[STATUS],
            error: &[STATUS],
            ..SPAN
        }))
    }
}

const SPAN: OutlineForm = OutlineForm {
    method: &[METHOD],
    id: &[&["attributes", "[jsonrpc.request.id]"], &["attributes", "[mcp.request.id]"]],
    target: &[
        &["attributes", "[gen_ai.tool.name]"],
        &["attributes", "[mcp.tool.name]"],
        &["attributes", "[gen_ai.prompt.name]"],
        &["attributes", "[mcp.resource.uri]"],
    ],
    ..OutlineForm::NONE
};

row!(
    OTLP = SPANS,
    "otlp",
    "OpenTelemetry spans with MCP's attributes, as OTLP JSON",
    r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"tools/call search","kind":3,"startTimeUnixNano":"1735787045678000000","endTimeUnixNano":"1735787045690000000","attributes":[{"key":"mcp.method.name","value":{"stringValue":"tools/call"}},{"key":"jsonrpc.request.id","value":{"stringValue":"1"}}]}]}]}]}"#,
    loses "params, results, and which side recorded: a span of each side tells one request twice",
    proof Defined
);

static SPANS: Adapter = Adapter {
    reason: "the input is OTLP with `mcp.method.name` among the attributes",
    entries: Entries::Within(&[
        &["resourceSpans", "*", "resource"],
        &["resourceSpans", "*", "scopeSpans", "*", "spans", "*"],
    ]),
    header: &[Mark::Has(&["resourceSpans"])],
    somewhere: Some("\"mcp.method.name\""),
    messages: &[
        Telling {
            goes: Goes::Unknown,
            time: Some((&["startTimeUnixNano"], TimeKind::EpochNanos)),
            ..Telling::new(Form::Outline(SPAN))
        },
        ended(&[Mark::Has(METHOD), Mark::Has(STATUS)]),
        // Without a code there was a result, unless the request came to nothing.
        Telling { instead: true, ..ended(&[Mark::Has(METHOD), Mark::Lacks(ERROR)]) },
        Telling { instead: true, ..ended(&[Mark::Has(METHOD), Mark::Word(ERROR, &["tool_error"])]) },
    ],
    session: Named::By(&[&["attributes", "[mcp.session.id]"]]),
    server: &[&["attributes", "[service.name]"]],
    ..Adapter::NONE
};
