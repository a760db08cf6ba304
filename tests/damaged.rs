//! Messages of which a log has left something out: what is left tells kind, method and id.
#![allow(clippy::unwrap_used)]

mod support;

use mcp_trace::annotate::{InputStatus, Kind, Outcome};
use support::{Told, run_bytes};

/// Kind, method, id, outcome, whether the flag is there.
fn told(message: &Told, flag: &str) -> (Kind, Option<String>, Option<String>, Option<Outcome>, bool) {
    let has = message.flags.contains(&flag);
    (message.kind, message.method.clone(), message.id_raw.clone(), message.outcome, has)
}

#[test]
fn what_is_left_of_an_elided_message_tells_what_it_was() {
    let lines = [
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{...}}"#, Kind::Request, "tools/call", None),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[Object]}}"#,
            Kind::Response,
            "tools/call",
            Some(Outcome::Result),
        ),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"…"#, Kind::Request, "tools/list", None),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a", ...}]}}"#,
            Kind::Response,
            "tools/list",
            Some(Outcome::Result),
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"file:///a..."#,
            Kind::Request,
            "resources/read",
            None,
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no …"#,
            Kind::Response,
            "resources/read",
            Some(Outcome::Error),
        ),
        (
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":[Array]}"#,
            Kind::Notification,
            "notifications/progress",
            None,
        ),
    ];
    let text: String = lines.iter().map(|(line, ..)| format!("{line}\n")).collect();
    let run = run_bytes("-", text.into_bytes(), None);
    assert_eq!(run.messages.len(), lines.len());
    for (message, (line, kind, method, outcome)) in run.messages.iter().zip(lines) {
        let id = line.split("\"id\":").nth(1).map(|rest| rest[..1].to_owned());
        assert_eq!(told(message, "elided"), (kind, Some(method.to_owned()), id, outcome, true), "{line}");
    }
    assert_eq!(run.status, Some(InputStatus::Ok));
}

#[test]
fn what_a_log_has_cut_keeps_its_kind_and_what_the_wire_has_cut_does_not() {
    let cut = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sea"#;
    let log = format!(
        "2025-01-02T03:04:05.678Z [notes] [info] Message from client: {cut}\n\
         2025-01-02T03:04:05.700Z [notes] [info] Message from server: {{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{{\"content\n"
    );
    let run = run_bytes("-", log.into_bytes(), None);
    let wanted = [(Kind::Request, None), (Kind::Response, Some(Outcome::Result))];
    assert_eq!(run.messages.len(), 2);
    for (message, (kind, outcome)) in run.messages.iter().zip(wanted) {
        let method = Some("tools/call".to_owned());
        assert_eq!(told(message, "truncated"), (kind, method, Some("7".to_owned()), outcome, true));
    }
    let wire =
        run_bytes("-", format!("{{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}}\n{cut}").into_bytes(), None);
    assert_eq!(wire.messages[1].kind, Kind::Invalid);
}
