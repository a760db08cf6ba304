//! Small sessions, one for each thing the session engine has to decide, with what it has to say of every message.
//!
//! A message is written `n session way kind method phase [answers] [~guessed]`.
#![allow(clippy::unwrap_used)]

#[path = "stories/opening.rs"]
mod opening;
#[path = "stories/pairing.rs"]
mod pairing;
#[path = "stories/stateless.rs"]
mod stateless;
mod support;

use mcp_trace::annotate::Kind;
use support::{Run, run_bytes};

fn brief(run: &Run) -> Vec<String> {
    run.messages
        .iter()
        .map(|m| {
            let way = match m.direction {
                Some("client-to-server") => "c>s",
                Some("server-to-client") => "s>c",
                _ => "???",
            };
            let kind = match m.kind {
                Kind::Request => "req",
                Kind::Notification => "ntf",
                Kind::Response => "res",
                Kind::Invalid => "bad",
            };
            let phase = match m.phase {
                Some("initialization") => "init",
                Some("operation") => "op",
                Some("shutdown") => "shut",
                _ => "-",
            };
            let mut text = format!("{} {} {way} {kind} {} {phase}", m.n, m.session, m.method.as_deref().unwrap_or("-"));
            if let Some(n) = m.answers {
                text.push_str(&format!(" #{n}"));
            }
            if m.guessed {
                text.push('~');
            }
            text
        })
        .collect()
}

fn bare(messages: &[&str]) -> Run {
    let lines: Vec<String> = messages.iter().map(|message| format!(r#"{{"jsonrpc":"2.0",{message}}}"#)).collect();
    run_bytes("story", (lines.join("\n") + "\n").into_bytes(), None)
}

/// The same with a recorder's labels: `>` from the client, `<` from the server, and a session after it.
fn labelled(messages: &[(&str, &str)]) -> Run {
    let lines: Vec<String> = messages
        .iter()
        .map(|(label, message)| {
            let way = if label.starts_with('>') { "client->server" } else { "server->client" };
            let session = match &label[1..] {
                "" => String::new(),
                name => format!(r#","session":"{name}""#),
            };
            format!(r#"{{"ts":"2026-03-01T10:00:00Z","dir":"{way}"{session},"msg":{{"jsonrpc":"2.0",{message}}}}}"#)
        })
        .collect();
    run_bytes("story", (lines.join("\n") + "\n").into_bytes(), None)
}

const INITIALIZE: &str = r#""id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}"#;
const AGREED: &str = r#""id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#;
const REFUSED: &str = r#""id":0,"error":{"code":-32602,"message":"Unsupported protocol version"}"#;
const INITIALIZED: &str = r#""method":"notifications/initialized""#;
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn stateless(id: u32, method: &str) -> String {
    format!(r#""id":{id},"method":"{method}","params":{{{META}}}"#)
}

fn assert_told(run: &Run, wanted: &[&str]) {
    let told = brief(run);
    assert_eq!(told, wanted, "\n{}", told.join("\n"));
}

#[test]
fn swapped_labels_are_turned_round_and_told_once() {
    let run = labelled(&[
        ("<", INITIALIZE),
        (">", AGREED),
        ("<", INITIALIZED),
        ("<", r#""id":1,"method":"tools/list""#),
        (">", r#""id":1,"result":{"tools":[]}"#),
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c res initialize init #1",
            "3 1 c>s ntf notifications/initialized init",
            "4 1 c>s req tools/list op",
            "5 1 s>c res tools/list op #4",
        ],
    );
    let flagged: Vec<_> = run.messages.iter().filter(|m| m.flags.contains(&"swapped-label")).map(|m| m.n).collect();
    assert_eq!(flagged, [1]);
    assert_eq!(run.events.len(), 1);
}

#[test]
fn batches_are_read_and_flagged_where_they_are_not_legal() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}},7]"#;
    let lines = format!("{{\"jsonrpc\":\"2.0\",{INITIALIZE}}}\n{{\"jsonrpc\":\"2.0\",{AGREED}}}\n{batch}\n[]\n");
    let run = run_bytes("story", lines.into_bytes(), None);
    assert_eq!(
        brief(&run),
        [
            "1 1 c>s req initialize init",
            "2 1 s>c res initialize init #1",
            "3 1 c>s req tools/list op",
            "4 1 c>s ntf notifications/cancelled op",
            "5 1 ??? bad - op",
            "6 1 ??? bad - op",
        ]
    );
    assert!(run.messages[2].flags.contains(&"batched"));
    assert!(run.messages[3].relates_to == Some(3));
}

#[test]
fn what_is_guessed_stays_marked_as_guessed() {
    let middle = bare(&[
        r#""id":7,"method":"tools/list""#,
        r#""id":7,"result":{"tools":[]}"#,
        r#""id":8,"method":"tools/list""#,
        r#""id":8,"result":{"tools":[]}"#,
        r#""method":"notifications/message","params":{"level":"info","data":1}"#,
    ]);
    assert!(middle.messages.iter().all(|message| message.guessed), "{:?}", brief(&middle));
    // Who cancelled is not told by who was answered: late answers exist.
    let cancelled = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/call","params":{"name":"x"}"#,
        r#""id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}"#,
        r#""method":"notifications/cancelled","params":{"requestId":1}"#,
        r#""id":1,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}"#,
    ]);
    assert!(cancelled.messages[5].guessed);
    // An id used again while open: the answer may be to either.
    let reused = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/list""#,
        r#""id":1,"method":"prompts/list""#,
        r#""id":1,"result":{"tools":[]}"#,
    ]);
    assert!(reused.messages[5].guessed);
    assert_eq!(reused.summary.unanswered, 1);
}

#[test]
fn numbers_at_the_edge_are_only_numbers() {
    let run = bare(&[
        r#""id":9223372036854775807,"method":"tools/list""#,
        r#""id":-9223372036854775808,"method":"tools/list""#,
        r#""id":1,"method":"ping""#,
        INITIALIZE,
        AGREED,
        INITIALIZE,
        AGREED,
        r#""id":-9223372036854775808,"method":"tools/list""#,
    ]);
    assert_eq!(run.messages.len(), 8);
}

#[test]
fn a_declaration_of_excessive_size_makes_no_false_claim() {
    let many: String = (0..600).map(|number| format!(r#""x{number}":{{}},"#)).collect();
    let agreed = AGREED.replace(r#"{"tools":{}}"#, &format!(r#"{{{many}"tools":{{}}}}"#));
    let run = bare(&[INITIALIZE, &agreed, INITIALIZED, r#""id":1,"method":"tools/list""#]);
    assert_eq!(run.messages[3].needs, ["?server.tools"]);
}

#[test]
fn parts_of_a_batch_have_the_lines_and_bytes_on_which_they_stand() {
    let text = "[\n {\"jsonrpc\":\"2.0\",\"id\":1,\n  \"method\":\"ping\"},\n {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n]\n";
    let json = mcp_trace::transcript::FORMATS.iter().find(|format| format.name == "json").copied();
    let run = run_bytes("story", text.as_bytes().to_vec(), json);
    let lines: Vec<_> = run.messages.iter().map(|m| (m.line, m.end_line)).collect();
    assert_eq!(lines, [(2, 3), (4, 4)]);
    for message in &run.messages {
        let part = &text[message.offset as usize..][..message.length as usize];
        assert!(part.starts_with('{') && part.ends_with('}'), "{part}");
    }
    // Where the text is not what stands in the input, a part has the place of the whole.
    let bad = b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\xff\xff\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]\n".to_vec();
    let run = run_bytes("story", bad.clone(), None);
    assert!(run.messages.iter().all(|m| m.offset == 0 && m.length == bad.len() as u64 - 1));
}

#[test]
fn one_side_sends_a_whole_batch() {
    let batch = r#"[{"jsonrpc":"2.0","id":4,"method":"ping"},{"jsonrpc":"2.0","id":5,"method":"tools/list"}]"#;
    let text = format!(
        "{{\"jsonrpc\":\"2.0\",{INITIALIZE}}}\n{{\"jsonrpc\":\"2.0\",{AGREED}}}\n{{\"jsonrpc\":\"2.0\",{INITIALIZED}}}\n{batch}\n{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{{}}}}\n"
    );
    let run = run_bytes("story", text.into_bytes(), None);
    assert_eq!(brief(&run)[3..], ["4 1 c>s req ping op", "5 1 c>s req tools/list op", "6 1 s>c res ping op #4"]);
}

#[test]
fn what_rests_on_a_guess_is_a_guess() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"acme/x","params":{"_meta":{"progressToken":"p"}}"#,
        r#""method":"notifications/progress","params":{"progressToken":"p","progress":1}"#,
        r#""method":"notifications/cancelled","params":{"requestId":1}"#,
        r#""id":2,"method":"acme/y""#,
    ]);
    assert!(run.messages[3..].iter().all(|message| message.guessed), "{:?}", brief(&run));
}
