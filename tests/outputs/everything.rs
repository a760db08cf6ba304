//! One of everything: a run with each kind of record, each status, hostile text, guesses and gaps.

use std::borrow::Cow;
use std::time::Duration;

use mcp_trace::annotate::{
    Agreement, Annotated, Basis, BatchPlace, Certainty, Counts, Effect, Embedded, ErrorInfo, Event, Excerpt, Filtered,
    Finding, FindingCounts, Held, IdState, InputEnd, InputStatus, Kind, LatencyBasis, LineClasses, Needs, Outcome,
    Peer, Record, Related, SessionEnd, Severity, Status, Summary, Trace, Unanswered, View,
};
use mcp_trace::jsonrpc::Id;
use mcp_trace::position::Position;
use mcp_trace::protocol::{Direction, Era, Feature, Phase, Primitive, Revision, Side};
use mcp_trace::transcript::{
    Bid, Confidence, Detected, EventKind, Flag, Flags, Format, Frame, LineBuffer, Proof, ReadError, Reader, Stamp,
    Step, TimeBasis, Wrapping, Wrappings,
};

const C2S: Option<Direction> = Some(Direction::ClientToServer);
const S2C: Option<Direction> = Some(Direction::ServerToClient);

const TOOLS: Needs = Needs { side: Side::Server, path: &["tools"], declared: Some(true) };
const SAMPLING: Needs = Needs { side: Side::Client, path: &["sampling"], declared: Some(false) };
const SUBSCRIBE: Needs = Needs { side: Side::Server, path: &["resources", "subscribe"], declared: None };
const PROMPTS: Needs = Needs { side: Side::Server, path: &["prompts"], declared: Some(false) };

/// A format row for records that name one.
pub(crate) static LINES: Format = Format {
    proof: Proof::Defined,
    name: "json-lines",
    title: "bare JSON-RPC lines",
    example: "{}",
    loses: "time and direction",
    sniff: |_| Bid { confidence: Confidence::Certain, reason: "the first line is a JSON-RPC message" },
    open: |_| Box::new(Nothing),
};

struct Nothing;

impl Reader for Nothing {
    fn next_frame<'b>(&'b mut self, _: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        Ok(Step::End)
    }
}

/// A time so many milliseconds after the start of the session.
pub(crate) fn stamp(millis: i64) -> Option<Stamp> {
    let at = jiff::Timestamp::from_millisecond(1_790_000_000_000 + millis).expect("a time of this century");
    Some(Stamp { at, digits: 3, basis: TimeBasis::Recorded })
}

/// A request of the client in operation, to be changed by the caller.
pub(crate) fn message<'a>(n: u64, millis: i64, method: &'a str) -> Annotated<'a> {
    Annotated {
        input: 0,
        file: "session.jsonl",
        n,
        position: Position { line: n, end_line: n, offset: n * 100, length: 90, lead: None, entry: None },
        pointer: "",
        session: 1,
        server: Some("file-server"),
        time: stamp(millis),
        session_start: stamp(0),
        direction: C2S,
        kind: Kind::Request,
        outcome: None,
        id: Some(Id::from_raw(n.to_string())),
        id_state: IdState::Present,
        method: Some(method),
        target: None,
        feature: Feature::Lifecycle,
        phase: Some(Phase::Operation),
        revision: Some("2025-11-25"),
        requires: &[],
        answers: None,
        answered_by: None,
        relates_to: None,
        caused_by: None,
        continues: None,
        status: None,
        late: false,
        cancelled: false,
        error: None,
        latency: None,
        batch: None,
        flags: Flags::NONE,
        basis: Basis {
            direction: Some(Certainty::Recorded),
            session: Some(Certainty::Inferred),
            method: Some(Certainty::Recorded),
            answers: None,
            phase: Some(Certainty::Inferred),
        },
        parsed: None,
        text: "",
        http: None,
        frame: &Frame::BLANK,
    }
}

/// The answer to a request.
pub(crate) fn answer<'a>(n: u64, millis: i64, latency: u64, request: &Annotated<'a>) -> Annotated<'a> {
    Annotated {
        direction: request.direction.map(Direction::reversed),
        kind: Kind::Response,
        outcome: Some(Outcome::Result),
        status: Some(Status::Ok),
        id: request.id.clone(),
        target: request.target,
        feature: request.feature,
        phase: request.phase,
        requires: request.requires,
        answers: Some(request.n),
        latency: Some((Duration::from_micros(latency), LatencyBasis::Times)),
        ..message(n, millis, request.method.unwrap_or("?"))
    }
}

fn notification<'a>(n: u64, millis: i64, method: &'a str) -> Annotated<'a> {
    Annotated { kind: Kind::Notification, id: None, id_state: IdState::Absent, ..message(n, millis, method) }
}

/// An event of the first session.
pub(crate) fn event(line: u64, millis: i64, kind: EventKind, text: &str) -> Event<'_> {
    Event {
        input: 0,
        file: "session.jsonl",
        position: Position {
            line,
            end_line: line,
            offset: line * 100,
            length: text.len() as u64,
            lead: None,
            entry: None,
        },
        session: 1,
        time: stamp(millis),
        session_start: stamp(0),
        direction: None,
        wire: kind == EventKind::Noise,
        kind,
        text,
        phase: Some(Phase::Operation),
        flags: Flags::NONE,
        http: None,
        frame: None,
    }
}

/// Another telling of a message.
pub(crate) fn view(of: Option<u64>) -> View<'static> {
    View {
        input: 0,
        file: "session.jsonl",
        of,
        session: 1,
        position: Position { line: 19, end_line: 19, offset: 1900, length: 12, lead: None, entry: None },
        rendering: "mcp-remote",
        frame: &Frame::BLANK,
    }
}

/// Gives every record of the run to the caller, in order.
pub(crate) fn run(give: &mut dyn FnMut(&Record<'_>)) {
    let trace = Trace {
        command: "annotate",
        filter: Some("kind:request".to_owned()),
        inputs: vec!["session.jsonl".to_owned(), "empty \"quoted\".log".to_owned()],
    };
    give(&Record::Trace(&trace));
    handshake(give);
    operation(give);
    oddities(give);
    ends(give);
}

fn handshake(give: &mut dyn FnMut(&Record<'_>)) {
    let first = Annotated { phase: Some(Phase::Initialization), server: None, ..message(1, 0, "initialize") };
    give(&Record::Message(&first));
    give(&Record::Message(&answer(2, 31, 31_250, &first)));
    let client = Peer { name: "desk-chat".to_owned(), version: Some("0.9".to_owned()) };
    let server = Peer { name: "file-server".to_owned(), version: Some("1.4.0".to_owned()) };
    let path = |path: &[&str]| path.iter().map(ToString::to_string).collect::<Vec<_>>();
    let offers = [
        path(&["logging"]),
        path(&["resources"]),
        path(&["resources", "subscribe"]),
        path(&["tools"]),
        path(&["tools", "listChanged"]),
        path(&["extensions", "io.modelcontextprotocol/ui"]),
    ];
    give(&Record::Agreed(&Agreement {
        input: 0,
        session: 1,
        by: 2,
        era: Era::Handshake,
        requested_revision: Some("2025-11-25"),
        revision: Some("2025-11-25"),
        client: Some(&client),
        server: Some(&server),
        client_capabilities: Some(&[path(&["elicitation"]), path(&["roots", "listChanged"])]),
        server_capabilities: Some(&offers),
    }));
    let done = notification(3, 32, "notifications/initialized");
    give(&Record::Message(&Annotated { phase: Some(Phase::Initialization), ..done }));
}

fn operation(give: &mut dyn FnMut(&Record<'_>)) {
    let tools = Feature::Primitive(Primitive::Tools);
    let list = Annotated { feature: tools, requires: &[TOOLS], ..message(4, 40, "tools/list") };
    give(&Record::Message(&list));
    give(&Record::Message(&answer(5, 44, 4_012, &list)));
    let call = Annotated { target: Some("index_folder"), ..Annotated { n: 6, ..list.clone() } };
    let call = Annotated { method: Some("tools/call"), time: stamp(100), id: Some(Id::from_raw("2")), ..call };
    give(&Record::Message(&call));
    give(&Record::Event(&event(
        7,
        120,
        EventKind::Stderr,
        "indexing \u{1b}[31mdocs\u{1b}[0m\u{202e}txt.exe, 3 folders",
    )));
    let progress = notification(7, 900, "notifications/progress");
    let progress = Annotated { direction: S2C, relates_to: Some(6), feature: Feature::Progress, ..progress };
    give(&Record::Message(&progress));
    let sampling = Annotated {
        direction: S2C,
        feature: Feature::Primitive(Primitive::Sampling),
        requires: &[SAMPLING],
        caused_by: Some(6),
        id: Some(Id::from_raw("\"s-0001-a-rather-long-identifier\"")),
        ..message(8, 1200, "sampling/createMessage")
    };
    give(&Record::Message(&sampling));
    let failed = Annotated { status: Some(Status::ToolError), ..answer(9, 2100, 2_000_000, &call) };
    give(&Record::Message(&failed));
    let prompts = Feature::Primitive(Primitive::Prompts);
    let list = Annotated { feature: prompts, requires: &[PROMPTS], ..message(10, 2200, "prompts/list") };
    give(&Record::Message(&list));
    let refused = Annotated {
        outcome: Some(Outcome::Error),
        status: Some(Status::Error),
        error: Some(ErrorInfo {
            code: Some(-32601),
            message: Cow::Borrowed("Method not found\r\n\u{1b}]0;owned\u{7}"),
        }),
        ..answer(11, 2204, 4_000, &list)
    };
    give(&Record::Message(&refused));
    let uri = "file:///srv/資料/まとめ/とても長い名前のファイル/報告書-2026-第三四半期-最終版.md";
    let subscribe = Annotated {
        feature: Feature::Primitive(Primitive::Resources),
        requires: &[SUBSCRIBE],
        target: Some(uri),
        ..message(12, 2300, "resources/subscribe")
    };
    give(&Record::Message(&subscribe));
    give(&Record::Message(&Annotated { late: true, cancelled: true, ..answer(13, 63_500, 61_200_000, &subscribe) }));
}

fn oddities(give: &mut dyn FnMut(&Record<'_>)) {
    let tools = Feature::Primitive(Primitive::Tools);
    let text = "{\"jsonrpc\":\"2.0\",\n \"id\":9007199254740993,\"method\":\"x\",\"params\":{\"t\":\"\\ud800\"}}";
    give(&Record::Message(&Annotated {
        direction: None,
        feature: Feature::Unknown,
        id: Some(Id::from_raw("9007199254740993")),
        phase: None,
        time: None,
        batch: Some(BatchPlace { index: 1, size: 3 }),
        pointer: "/1",
        flags: Flags::NONE.with(Flag::ExtraMember).with(Flag::Batched),
        basis: Basis::default(),
        text,
        ..message(14, 0, "acme/\u{7}unknown\u{9b}method")
    }));
    give(&Record::Message(&Annotated {
        method: None,
        target: None,
        feature: Feature::Unknown,
        flags: Flags::NONE.with(Flag::Orphan),
        answers: None,
        latency: None,
        basis: Basis { direction: Some(Certainty::Guessed), session: Some(Certainty::Guessed), ..Basis::default() },
        ..answer(15, 63_600, 1, &message(99, 0, "lost"))
    }));
    give(&Record::Message(&Annotated {
        kind: Kind::Invalid,
        direction: S2C,
        id: Some(Id::from_raw("null")),
        id_state: IdState::Null,
        method: None,
        feature: Feature::Unknown,
        flags: Flags::NONE.with(Flag::Truncated).with(Flag::BadUtf8),
        text: "{\"jsonrpc\":\"2.0\",\"id\":null,\"res\u{fffd}",
        ..message(16, 63_700, "")
    }));
    give(&Record::Message(&Annotated {
        id: None,
        id_state: IdState::Unrecorded,
        flags: Flags::NONE.with(Flag::Elided),
        answered_by: Some(5),
        basis: Basis { method: Some(Certainty::Guessed), ..Basis::default() },
        feature: tools,
        requires: &[TOOLS],
        continues: Some(6),
        ..message(17, 63_800, "tools/call")
    }));
    let wanted = Annotated { target: Some("index_folder"), feature: tools, ..message(6, 0, "tools/call") };
    let wanted = Annotated { status: Some(Status::InputRequired), ..answer(18, 63_900, 1, &wanted) };
    give(&Record::Message(&wanted));
    give(&Record::Embedded(&Embedded {
        input: 0,
        file: "session.jsonl",
        of: 18,
        position: wanted.position,
        pointer: "/result/inputRequests/folder".to_owned(),
        key: Cow::Borrowed("folder"),
        session: 1,
        direction: S2C,
        kind: Kind::Request,
        method: Some(Cow::Borrowed("elicitation/create")),
        target: None,
        feature: Feature::Primitive(Primitive::Elicitation),
        requires: vec![Needs { side: Side::Client, path: &["elicitation", "form"], declared: Some(true) }],
    }));
    give(&Record::View(&view(Some(6))));
    give(&Record::Event(&event(20, 64_000, EventKind::Noise, "npm warn\told lockfile")));
}

fn ends(give: &mut dyn FnMut(&Record<'_>)) {
    let closed = event(21, 65_000, EventKind::TransportClosed, "transport closed by the client");
    give(&Record::Event(&Event { phase: Some(Phase::Shutdown), ..closed }));
    let counts = Counts {
        messages: 18,
        requests: 9,
        responses: 6,
        error_responses: 1,
        tool_errors: 1,
        notifications: 2,
        invalid: 1,
    };
    findings(give);
    give(&Record::SessionEnd(&session_end(counts)));
    give(&Record::InputEnd(&InputEnd {
        input: 0,
        file: "session.jsonl".to_owned(),
        detected: Some(Detected {
            format: &LINES,
            confidence: Confidence::Certain,
            reason: "the first line is a JSON-RPC message",
            wrappings: Wrappings::NONE.with(Wrapping::Gzip).with(Wrapping::Utf16Le),
        }),
        wrappings: Wrappings::NONE.with(Wrapping::Gzip).with(Wrapping::Utf16Le),
        bytes: 4242,
        lines: 21,
        classes: LineClasses { message: 18, frame: 0, event: 2, noise: 1, blank: 0 },
        messages: 18,
        status: InputStatus::Ok,
        error: None,
    }));
    give(&Record::InputEnd(&InputEnd {
        input: 1,
        file: "empty \"quoted\".log".to_owned(),
        detected: None,
        wrappings: Wrappings::NONE,
        bytes: 0,
        lines: 0,
        classes: LineClasses::default(),
        messages: 0,
        status: InputStatus::Unrecognised,
        error: Some("the file is empty; expected JSON-RPC messages".to_owned()),
    }));
    give(&Record::Summary(&Summary {
        filtered: Some(Filtered { read: 40, untimed: 3, undecided: 1, first_undecided: None }),
        counts,
        embedded: 1,
        views: 1,
        noise: 1,
        events: 2,
        sessions: 1,
        inputs: 2,
        lifecycle: 3,
        operation: 14,
        unphased: 1,
        undeclared: 2,
        undeclared_first: vec![(0, 8, SAMPLING), (0, 10, PROMPTS)],
        redacted: None,
        unanswered: 2,
        findings: Some(FindingCounts { error: 6, warning: 0, note: 1 }),
        what_if: Some(vec![without_tools()]),
        held: Some(Held { suppressed: 2, baseline: 1, filtered: 4, hidden: 5 }),
        caps_reached: vec![("pending requests", 3)],
        complete: false,
        interrupted: true,
        exit_code: 2,
    }));
}

fn without_tools() -> Effect {
    Effect {
        change: "without server.tools".to_owned(),
        allows: false,
        requests: 3,
        notifications: 1,
        methods: vec![("tools/list", 1), ("tools/call", 2), ("notifications/tools/list_changed", 1)],
        features: vec!["tools".to_owned(), "tools.listChanged".to_owned()],
    }
}

fn position(line: u64) -> Position {
    Position { line, end_line: line, offset: line * 100, length: 90, lead: None, entry: None }
}

fn findings(give: &mut dyn FnMut(&Record<'_>)) {
    let text = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"sampling/createMessage\",\"params\":{\"x\":\"\u{1b}[2J\u{202e}資料\"}}";
    let declared = "\"capabilities\":{\"roots\":{},\"elicitation\":{}}";
    let related = [
        Related {
            n: Some(1),
            position: position(1),
            what: "what the client declared".to_owned(),
            excerpt: Some(Excerpt { text: declared.to_owned(), mark: (15, declared.len() - 15) }),
        },
        Related { n: Some(6), position: position(6), what: "the call\u{7} during which".to_owned(), excerpt: None },
    ];
    let finding = Finding {
        input: 0,
        file: "session.jsonl",
        n: Some(8),
        position: position(8),
        pointer: "",
        session: 1,
        server: Some("scrap-book"),
        method: Some("sampling/createMessage"),
        rule: "capability-not-negotiated",
        severity: Severity::Error,
        message: "the server asked for sampling, which the client\u{9b} did not declare",
        related: &related,
        help: Some("declare `sampling` in the client, or do not ask for it"),
        spec: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation",
        page: "basic/lifecycle#operation",
        strength: "MUST",
        revision: Revision::V2025_11_25,
        text,
        mark: Some((33, 24)),
        label: "needs client.sampling",
    };
    for line in 8..14 {
        give(&Record::Finding(&Finding { position: position(line), ..finding.clone() }));
    }
    give(&Record::Finding(&Finding {
        n: None,
        position: position(20),
        rule: "invalid-json",
        severity: Severity::Note,
        message: "text between the messages is no JSON",
        related: &[],
        help: None,
        strength: "implied",
        text: "",
        mark: None,
        label: "",
        ..finding.clone()
    }));
}

fn session_end(counts: Counts) -> SessionEnd {
    SessionEnd {
        input: 0,
        file: "session.jsonl".to_owned(),
        session: 1,
        server: Some(Peer { name: "file-server".to_owned(), version: Some("1.4.0".to_owned()) }),
        client: Some(Peer { name: "desk-chat".to_owned(), version: None }),
        transport: Some("stdio"),
        era: Some(Era::Handshake),
        probed: false,
        revision: Some("2025-11-25".to_owned()),
        requested_revision: Some("2025-11-25".to_owned()),
        client_capabilities: Some(vec![vec!["elicitation".to_owned()]]),
        server_capabilities: None,
        counts,
        unanswered: Unanswered {
            count: 2,
            first: vec![(8, "sampling/createMessage".to_owned()), (14, "acme/\u{7}unknown".to_owned())],
        },
        times: stamp(0).zip(stamp(65_000)),
        ended: "transport-closed",
        swapped_labels: true,
    }
}

/// A run over no input at all.
pub(crate) fn empty_run(give: &mut dyn FnMut(&Record<'_>)) {
    give(&Record::Trace(&Trace { command: "annotate", filter: None, inputs: Vec::new() }));
    give(&Record::Summary(&Summary { complete: true, ..Summary::default() }));
}
