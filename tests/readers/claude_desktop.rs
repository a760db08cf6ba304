//! The logs of Claude Desktop: sentences and outlines.

use mcp_trace::protocol::Direction;
use mcp_trace::transcript::{EventKind, Flag, Origin, OutlineKind};

use super::{ANSWER, DESKTOP, REQUEST, What, messages, read};

#[test]
fn claude_desktop_sentences() {
    let input = format!(
        "{DESKTOP} Initializing server... {{ metadata: undefined }}\n\
         {DESKTOP} Using MCP server command: npx with path: {{\n  metadata: {{ paths: {{}} }}\n}} %o\n\
         {DESKTOP} Message from client: {REQUEST} {{ metadata: undefined }}\n\
         npm warn {ANSWER}\n\n{ANSWER}\n\
         {DESKTOP} Message from server: {ANSWER} {{\"context\":\"connection\"}}\n\
         {DESKTOP} Message from server: {{\"jsonrpc\":\"2.0\",\"id\":\n\
         2025-07-03T10:24:57Z [notes one] [error] spawn ENOENT {{ metadata: {{ context: 'connection', stack: 'a' +\n  'b' }} }}\n\
         {DESKTOP} Server transport closed unexpectedly {{ metadata: undefined }}\n"
    );
    let reading = read(&input, None);
    assert_eq!(reading.format, Some("claude-desktop"));
    assert_eq!(messages(&reading), [REQUEST, ANSWER, "{\"jsonrpc\":\"2.0\",\"id\":"]);
    let events: Vec<_> = reading
        .frames
        .iter()
        .filter_map(|frame| match &frame.what {
            What::Event(kind, text) => Some((*kind, frame.line, frame.end_line, text.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(events[0], (EventKind::ProcessStart, 1, 1, "Initializing server..."));
    assert_eq!((events[1].0, events[1].1, events[1].2), (EventKind::Note, 2, 4));
    assert_eq!((events[2].0, events[3].0), (EventKind::Stderr, EventKind::Stderr));
    assert_eq!((events[4].0, events[4].1, events[4].2), (EventKind::Note, 11, 12));
    assert_eq!(events[5].3, "Server transport closed unexpectedly");
    let told = reading.frames.iter().find(|frame| frame.message() == Some(REQUEST)).unwrap();
    assert_eq!(told.what, What::Message(REQUEST.to_owned(), Origin::Labelled));
    assert_eq!((told.server.as_deref(), told.direction), (Some("notes one"), Some(Direction::ClientToServer)));
    assert_eq!(told.time, Some(("2025-07-03T10:24:56.599Z".to_owned(), 3)));
}

#[test]
fn claude_desktop_outlines() {
    let outline = |text: &str| {
        let reading = read(format!("{DESKTOP} Message from server: {text} {{ metadata: undefined }}\n"), None);
        assert!(reading.frames[0].flags.has(Flag::Elided));
        reading.frames[0].what.clone()
    };
    let expected = |kind, method: Option<&str>, id: Option<&str>, error_code| What::Outline {
        kind,
        method: method.map(str::to_owned),
        id: id.map(str::to_owned),
        error_code,
        view: false,
    };
    assert_eq!(
        outline("method=\"tools/call\" id=6 params"),
        expected(OutlineKind::Request, Some("tools/call"), Some("6"), None)
    );
    assert_eq!(
        outline("method=\"notifications/initialized\""),
        expected(OutlineKind::Notification, Some("notifications/initialized"), None, None)
    );
    assert_eq!(outline("id=\"a b\" result(1 blocks)"), expected(OutlineKind::Result, None, Some("\"a b\""), None));
    assert_eq!(outline("id=6 error(code=-32601)"), expected(OutlineKind::Error, None, Some("6"), Some(-32601)));
    assert_eq!(outline("id=6"), expected(OutlineKind::Answer, None, Some("6"), None));
}
