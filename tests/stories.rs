//! Small sessions, one for each thing the session engine has to decide, with what it has to say of every message.
//!
//! A message is written `n session way kind method phase [answers] [~guessed]`.
#![allow(clippy::unwrap_used)]

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
fn a_handshake() {
    let run =
        bare(&[INITIALIZE, AGREED, INITIALIZED, r#""id":1,"method":"tools/list""#, r#""id":1,"result":{"tools":[]}"#]);
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
    assert_eq!(run.messages[3].needs, ["+server.tools"]);
    assert_eq!(run.messages[4].needs, ["+server.tools"]);
}

#[test]
fn without_initialized_operation_begins_with_an_ordinary_request() {
    let run = bare(&[
        INITIALIZE,
        r#""method":"notifications/message","params":{"level":"info","data":"x"}"#,
        AGREED,
        r#""id":1,"method":"ping""#,
        r#""id":1,"result":{}"#,
        r#""id":2,"method":"prompts/list""#,
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c ntf notifications/message init",
            "3 1 s>c res initialize init #1",
            "4 1 c>s req ping init",
            "5 1 s>c res ping init #4",
            "6 1 c>s req prompts/list op",
        ],
    );
    assert_eq!(run.messages[5].needs, ["-server.prompts"]);
}

#[test]
fn a_refused_initialize_is_tried_again_in_the_same_session() {
    let run = bare(&[
        INITIALIZE,
        REFUSED,
        &INITIALIZE.replace("\"id\":0", "\"id\":1"),
        &AGREED.replace("\"id\":0", "\"id\":1"),
        INITIALIZED,
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c res initialize init #1",
            "3 1 c>s req initialize init",
            "4 1 s>c res initialize init #3",
            "5 1 c>s ntf notifications/initialized init",
        ],
    );
}

#[test]
fn a_second_initialize_is_a_second_session() {
    let run = bare(&[INITIALIZE, AGREED, INITIALIZED, INITIALIZE, AGREED, r#""id":1,"method":"tools/list""#]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c res initialize init #1",
            "3 1 c>s ntf notifications/initialized init",
            "4 2 c>s req initialize init",
            "5 2 s>c res initialize init #4",
            "6 2 c>s req tools/list op",
        ],
    );
}

#[test]
fn a_probe_that_falls_back_is_one_session() {
    let probe = stateless(7, "server/discover");
    let run = bare(&[
        &probe,
        r#""id":7,"error":{"code":-32601,"message":"Method not found"}"#,
        INITIALIZE,
        AGREED,
        INITIALIZED,
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req server/discover init",
            "2 1 s>c res server/discover init #1",
            "3 1 c>s req initialize init",
            "4 1 s>c res initialize init #3",
            "5 1 c>s ntf notifications/initialized init",
        ],
    );
    assert_eq!(run.sessions, 1);
}

#[test]
fn stateless_requests_need_no_handshake() {
    let run = bare(&[
        &stateless(1, "tools/list"),
        r#""id":1,"error":{"code":-32022,"message":"Unsupported protocol version"}"#,
        &stateless(2, "server/discover"),
        r#""id":2,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}"#,
        &stateless(3, "tools/list"),
        r#""id":3,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}"#,
        &stateless(4, "server/discover"),
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req tools/list init",
            "2 1 s>c res tools/list init #1",
            "3 1 c>s req server/discover init",
            "4 1 s>c res server/discover init #3",
            "5 1 c>s req tools/list op",
            "6 1 s>c res tools/list op #5",
            "7 1 c>s req server/discover op~",
        ],
    );
    assert_eq!(run.messages[0].needs, ["?server.tools"]);
    assert_eq!(run.messages[4].needs, ["+server.tools"]);
}

#[test]
fn equal_ids_on_both_sides_are_told_apart_by_the_results() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/call","params":{"name":"t"}"#,
        r#""id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}"#,
        r#""id":1,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}"#,
        r#""id":1,"result":{"content":[]}"#,
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c res initialize init #1",
            "3 1 c>s ntf notifications/initialized init",
            "4 1 c>s req tools/call op",
            "5 1 s>c req sampling/createMessage op",
            "6 1 c>s res sampling/createMessage op #5",
            "7 1 s>c res tools/call op #4",
        ],
    );
    assert_eq!(run.messages[4].needs, ["+client.sampling"]);
}

#[test]
fn an_error_for_one_of_two_equal_ids_is_decided_by_the_answer_that_follows() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/call","params":{"name":"t"}"#,
        r#""id":1,"method":"roots/list""#,
        r#""id":1,"error":{"code":-32601,"message":"no roots"}"#,
        r#""id":1,"result":{"content":[]}"#,
    ]);
    let told = brief(&run);
    assert_eq!(told[5], "6 1 c>s res roots/list op #5");
    assert_eq!(told[6], "7 1 s>c res tools/call op #4");
}

#[test]
fn an_answer_may_stand_before_its_request() {
    let run =
        bare(&[INITIALIZE, AGREED, INITIALIZED, r#""id":1,"result":{"tools":[]}"#, r#""id":1,"method":"tools/list""#]);
    let told = brief(&run);
    assert_eq!(told[3].trim_end_matches('~'), "4 1 s>c res tools/list op #5");
    assert_eq!(told[4], "5 1 c>s req tools/list op");
    assert_eq!(run.messages[4].answered_by, Some(4));
    assert_eq!(run.summary.unanswered, 0);
}

#[test]
fn late_double_and_orphan_answers_are_marked() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/list""#,
        r#""method":"notifications/cancelled","params":{"requestId":1}"#,
        r#""id":1,"result":{"tools":[]}"#,
        r#""id":1,"result":{"tools":[]}"#,
        r#""id":99,"result":{"prompts":[]}"#,
    ]);
    let told = brief(&run);
    assert_eq!(told[4], "5 1 c>s ntf notifications/cancelled op");
    assert_eq!(told[5], "6 1 s>c res tools/list op #4");
    assert_eq!(told[6], "7 1 s>c res tools/list op #4");
    assert!(run.messages[6].flags.contains(&"duplicate-answer"));
    assert_eq!(told[7], "8 1 s>c res prompts/list op~");
    assert!(run.messages[7].flags.contains(&"orphan"));
}

#[test]
fn a_capture_that_begins_in_the_middle_says_so() {
    let run = bare(&[r#""id":7,"method":"tools/list""#, r#""id":7,"result":{"tools":[]}"#]);
    assert_told(&run, &["1 1 c>s req tools/list op~", "2 1 s>c res tools/list op #1~"]);
    assert_eq!(run.messages[0].needs, ["?server.tools"]);
}

#[test]
fn what_stands_before_an_initialize_that_follows_is_initialization() {
    let run = bare(&[
        r#""id":7,"method":"tools/list""#,
        r#""id":7,"error":{"code":-32600,"message":"not initialized"}"#,
        INITIALIZE,
    ]);
    let told = brief(&run);
    assert_eq!(told, ["1 1 c>s req tools/list init", "2 1 s>c res tools/list init #1", "3 1 c>s req initialize init"]);
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
fn sessions_with_names_do_not_mix() {
    let run = labelled(&[
        (">a", INITIALIZE),
        (">b", INITIALIZE),
        ("<b", AGREED),
        ("<a", AGREED),
        (">b", INITIALIZED),
        (">a", r#""id":1,"method":"tools/list""#),
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 2 c>s req initialize init",
            "3 2 s>c res initialize init #2",
            "4 1 s>c res initialize init #1",
            "5 2 c>s ntf notifications/initialized init",
            "6 1 c>s req tools/list op",
        ],
    );
}

#[test]
fn sessions_at_once_without_names_are_guessed() {
    let run = labelled(&[
        (">", INITIALIZE),
        (">", INITIALIZE),
        ("<", AGREED),
        ("<", AGREED),
        (">", INITIALIZED),
        (">", INITIALIZED),
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 2 c>s req initialize init",
            "3 1 s>c res initialize init #1~",
            "4 2 s>c res initialize init #2~",
            "5 1 c>s ntf notifications/initialized init~",
            "6 2 c>s ntf notifications/initialized init~",
        ],
    );
}

#[test]
fn a_retry_continues_what_asked_for_input() {
    let call = format!(r#""id":1,"method":"tools/call","params":{{"name":"t",{META}}}"#);
    let retry = format!(
        r#""id":2,"method":"tools/call","params":{{"name":"t","requestState":"s1","inputResponses":{{"who":{{"action":"accept"}}}},{META}}}"#
    );
    let run = bare(&[
        &call,
        r#""id":1,"result":{"resultType":"input_required","requestState":"s1","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{}}}}}"#,
        &retry,
        r#""id":2,"result":{"resultType":"complete","content":[]}"#,
    ]);
    assert_eq!(
        brief(&run),
        [
            "1 1 c>s req tools/call op",
            "2 1 s>c res tools/call op #1",
            "3 1 c>s req tools/call op",
            "4 1 s>c res tools/call op #3"
        ]
    );
    assert_eq!(run.embedded, [(2, "elicitation/create".to_owned()), (3, "elicitation/create".to_owned())]);
    assert_eq!(run.continues, [(3, 1)]);
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

fn meta(capabilities: &str) -> String {
    META.replace(
        r#""io.modelcontextprotocol/clientCapabilities":{}"#,
        &format!(r#""io.modelcontextprotocol/clientCapabilities":{capabilities}"#),
    )
}

#[test]
fn each_stateless_request_is_judged_by_what_it_declares_itself() {
    let with = meta(r#"{"elicitation":{}}"#);
    let ask = r#"{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"form"}}}}"#;
    let run = bare(&[
        &format!(r#""id":1,"method":"tools/call","params":{{"name":"a",{with}}}"#),
        &format!(r#""id":2,"method":"tools/call","params":{{"name":"b",{META}}}"#),
        &format!(r#""id":1,"result":{ask}"#),
        &format!(r#""id":2,"result":{ask}"#),
    ]);
    let needs: Vec<_> = run.embedded_needs.iter().map(|(of, needs)| (*of, needs.join(" "))).collect();
    assert_eq!(
        needs,
        [
            (3, "+client.elicitation +client.elicitation.form".to_owned()),
            (4, "-client.elicitation -client.elicitation.form".to_owned()),
        ]
    );
}

#[test]
fn discovery_counts_for_stateless_requests_also_behind_a_handshake() {
    let discovered = r#""id":5,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}},"ttlMs":0,"cacheScope":"public"}"#;
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        &stateless(5, "server/discover"),
        discovered,
        &stateless(6, "prompts/list"),
        r#""id":7,"method":"prompts/list""#,
    ]);
    assert_eq!(run.messages[5].needs, ["+server.prompts"]);
    assert_eq!(run.messages[6].needs, ["-server.prompts"]);
}

#[test]
fn stateless_traffic_may_follow_a_refused_handshake() {
    let run = bare(&[
        INITIALIZE,
        r#""id":0,"error":{"code":-32022,"message":"Unsupported protocol version"}"#,
        &stateless(1, "server/discover"),
        r#""id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}"#,
        &stateless(2, "tools/list"),
        r#""id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}"#,
    ]);
    assert_eq!(
        brief(&run)[2..],
        [
            "3 1 c>s req server/discover init",
            "4 1 s>c res server/discover init #3",
            "5 1 c>s req tools/list op",
            "6 1 s>c res tools/list op #5"
        ]
    );
    assert_eq!(run.messages[4].needs, ["+server.tools"]);
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
fn only_the_owner_of_a_request_can_cancel_it() {
    let run = labelled(&[
        (">", INITIALIZE),
        ("<", AGREED),
        (">", INITIALIZED),
        (">", r#""id":1,"method":"tools/call","params":{"name":"x"}"#),
        ("<", r#""method":"notifications/cancelled","params":{"requestId":1}"#),
        ("<", r#""id":1,"result":{"content":[]}"#),
    ]);
    assert_eq!(run.messages[4].relates_to, None);
    assert!(!run.messages[5].cancelled);
}

#[test]
fn a_request_without_a_usable_id_still_needs_its_capability_and_stays_unanswered() {
    let run = bare(&[INITIALIZE, AGREED, INITIALIZED, r#""id":null,"method":"prompts/list""#]);
    assert_eq!(run.messages[3].needs, ["-server.prompts"]);
    assert_eq!(run.summary.unanswered, 1);
    assert_eq!(run.summary.undeclared, 1);
}

#[test]
fn an_answer_before_its_request_takes_target_and_needs_from_it() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":5,"result":{"content":[]}"#,
        r#""id":5,"method":"tools/call","params":{"name":"x"}"#,
    ]);
    assert_eq!(run.messages[3].target.as_deref(), Some("x"));
    assert_eq!(run.messages[3].needs, ["+server.tools"]);
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
fn an_answer_without_a_request_is_not_given_to_another_session() {
    let restart = bare(&[
        r#""id":1,"result":{"tools":[]}"#,
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/list""#,
        r#""id":1,"result":{"tools":[]}"#,
    ]);
    assert_eq!(restart.messages[0].answers, None);
    assert_eq!(restart.messages[4].answered_by, None);
    assert_eq!(restart.messages[5].answers, Some(5));
    assert!(!restart.messages[5].flags.contains(&"duplicate-answer"));
    // In one session too, the answer behind a request is more likely its own than one before it.
    let stateless = bare(&[
        r#""id":2,"result":{"content":[]}"#,
        &stateless(0, "tools/list"),
        r#""id":0,"result":{"tools":[]}"#,
        &format!(r#""id":2,"method":"tools/call","params":{{"name":"t",{META}}}"#),
        r#""id":2,"result":{"content":[]}"#,
    ]);
    assert_eq!((stateless.messages[0].answers, stateless.messages[4].answers), (None, Some(4)));
}

#[test]
fn a_session_that_was_followed_by_another_gets_no_new_requests() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":8,"method":"tools/call","params":{"name":"never"}"#,
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":9,"method":"tools/list""#,
    ]);
    assert_eq!(brief(&run)[7], "8 2 c>s req tools/list op");
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
