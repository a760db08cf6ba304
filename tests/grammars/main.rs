//! Every text log is tried on sessions that are made up at random and written in its grammar: what was said comes out
//! again, message by message, whatever the sizes of reads; and no log is taken for one of another format.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod logs;
#[path = "../support/mod.rs"]
mod support;

use logs::silent::{SILENT, Silent};
use logs::{BEGIN, Dice, LOGS, Log, Said, Story, Tells};
use mcp_trace::annotate::{Annotated, InputStatus, Kind};
use mcp_trace::protocol::Direction;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use support::{in_reads_of, run_read};

/// What a message has to be again.
#[derive(Debug, PartialEq)]
struct Heard {
    message: Value,
    from_client: Option<bool>,
    /// Nanoseconds since 1970, and the digits of the second that are told.
    time: Option<(i128, u8)>,
}

fn heard(message: &Annotated<'_>, log: &Log) -> Heard {
    let whole = || serde_json::from_str(message.text).unwrap_or_else(|error| panic!("{error}: {}", message.text));
    Heard {
        message: if log.payloads { whole() } else { outline(message) },
        from_client: log.directions.then(|| message.direction == Some(Direction::ClientToServer)),
        time: message.time.map(|stamp| (stamp.at.as_nanosecond(), stamp.digits)),
    }
}

/// Method and id, as far as the message itself tells them; whether the id is a text or a number, not every log tells.
fn outline(message: &Annotated<'_>) -> Value {
    let method = message.method.filter(|_| message.kind != Kind::Response);
    json!({"method": method, "id": message.id.as_ref().map(|id| id.raw().trim_matches('"'))})
}

fn wanted(said: &Said, log: &Log) -> Heard {
    let message: Value = serde_json::from_str(&said.text).unwrap();
    let time = log.digits.map(|digits| {
        let unit = 10_u64.pow(3_u32.saturating_sub(digits));
        (i128::from((BEGIN + said.millis) / unit * unit) * 1_000_000, u8::try_from(digits).unwrap())
    });
    let id = message.get("id").filter(|_| log.tells != Tells::Asked).map(Value::to_string);
    Heard {
        from_client: log.directions.then_some(said.from_client),
        time,
        message: if log.payloads {
            message
        } else {
            json!({"method": message["method"], "id": id.map(|id| id.trim_matches('"').to_owned())})
        },
    }
}

/// A string as payloads hold them, full of what could lead a reader astray.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~]{0,12}",
        1 => "\\PC{0,8}",
        1 => proptest::sample::select(vec![
            "} {", "}{", "\\", "\\\"", "'", "it's", "`", "\n2026-03-02 09:15:00.000 [info] x", "\t", "{ metadata: undefined }",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", "...", "[Object]", "%o", "\u{1b}[31m", "\u{0}",
        ]).prop_map(str::to_owned),
    ]
}

fn payload() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
        (-1e6..1e6_f64).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z_]{1,6}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn id() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0..100_i64).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-f0-9-]{1,12}".prop_map(Value::from)
    ]
}

const OF_CLIENT: [&str; 5] = ["tools/call", "tools/list", "resources/read", "prompts/list", "completion/complete"];
const OF_SERVER: [&str; 3] = ["sampling/createMessage", "roots/list", "elicitation/create"];
const NOTICES: [&str; 3] =
    ["notifications/message", "notifications/tools/list_changed", "notifications/resources/updated"];

/// One request with its answer, or a notification: messages, each with whether the client sent it.
fn exchange() -> impl Strategy<Value = Vec<(bool, Value)>> {
    (0..10_usize, any::<usize>(), id(), payload(), payload()).prop_map(|(form, choice, id, params, result)| {
        let object = |value: Value| match value {
            Value::Object(members) => members,
            other => Map::from_iter([("value".to_owned(), other)]),
        };
        let (params, result) = (object(params), object(result));
        match form {
            0..6 => {
                let method = OF_CLIENT[choice % OF_CLIENT.len()];
                let answer = match form {
                    0 => {
                        json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "no", "data": result}})
                    }
                    _ => json!({"jsonrpc": "2.0", "id": id, "result": result}),
                };
                vec![(true, json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})), (false, answer)]
            }
            6 | 7 => {
                let method = OF_SERVER[choice % OF_SERVER.len()];
                let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
                vec![(false, request), (true, json!({"jsonrpc": "2.0", "id": id, "result": result}))]
            }
            _ => {
                let method = NOTICES[choice % NOTICES.len()];
                vec![(false, json!({"jsonrpc": "2.0", "method": method, "params": params}))]
            }
        }
    })
}

fn story() -> impl Strategy<Value = Story> {
    let exchanges = prop::collection::vec((exchange(), 0..90_000_u64), 0..8);
    ("[a-z][a-z0-9-]{0,11}", exchanges, 0..1000_u64, any::<bool>()).prop_map(|(server, exchanges, first, polluted)| {
        let opening = vec![
            (
                true,
                json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "desk", "version": "1"}}}),
            ),
            (
                false,
                json!({"jsonrpc": "2.0", "id": 0, "result": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": server, "version": "2"}}}),
            ),
            (true, json!({"jsonrpc": "2.0", "method": "notifications/initialized"})),
        ];
        let mut millis = 0;
        let mut said = Vec::new();
        for (messages, gap) in std::iter::once((opening, first)).chain(exchanges) {
            millis += gap;
            for (from_client, message) in messages {
                said.push(Said { from_client, text: message.to_string(), message: true, millis });
                millis += gap % 7;
            }
        }
        Story { server, said, polluted }
    })
}

fn silent() -> impl Strategy<Value = &'static Silent> {
    proptest::sample::select(SILENT.iter().collect::<Vec<_>>())
}

fn log() -> impl Strategy<Value = &'static Log> {
    proptest::sample::select(LOGS.iter().collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(64 * LOGS.len() as u32), ..ProptestConfig::default() })]

    #[test]
    fn what_was_said_comes_out_again(log in log(), story in story(), seed: u64, size in proptest::sample::select(vec![1, 2, 3, 7, 64, 1 << 20])) {
        let text = (log.write)(&story, &mut Dice::new(seed));
        let mut told = Vec::new();
        let run = run_read(log.ending, in_reads_of(text.clone().into_bytes(), size), |message| told.push(heard(message, log)));
        let said: Vec<_> = story.told(log).map(|said| wanted(said, log)).collect();
        prop_assert_eq!(run.format, Some(log.format), "{}", text);
        prop_assert_eq!(told, said, "{}", text);
        prop_assert_eq!(run.status, Some(InputStatus::Ok), "{}", text);
        let classes = run.classes;
        prop_assert_eq!(classes.message + classes.frame + classes.event + classes.noise + classes.blank, run.lines);
    }

    #[test]
    fn logs_without_messages_say_so_and_what_failed(
        log in silent(),
        server in "[a-z][a-z0-9-]{3,11}",
        words in "[a-zA-Z=][ !#-\\[\\]-~]{0,20}",
        seed: u64,
        size in proptest::sample::select(vec![1, 2, 3, 7, 64, 1 << 20]),
    ) {
        let text = (log.write)(&server, &words, &mut Dice::new(seed));
        let mut told = 0;
        let run = run_read(log.ending, in_reads_of(text.clone().into_bytes(), size), |_| told += 1);
        prop_assert_eq!((run.format, told), (Some(log.format), 0), "{}", text);
        prop_assert_eq!(run.summary.exit_code, 2);
        prop_assert!(run.events.iter().all(|(.., text)| !text.is_empty()));
        let error = run.error.unwrap();
        let shown: String = words.chars().take(5).collect();
        prop_assert!(error.contains(log.failure) && error.contains(shown.trim_end()) && error.contains("; for messages: "), "{}: {}", error, text);
    }
}

#[test]
fn every_label_of_a_tee_is_read_behind_every_prefix() {
    let message =
        |from_client, message: Value| Said { from_client, text: message.to_string(), message: true, millis: 0 };
    let said = vec![
        message(true, json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})),
        message(false, json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}})),
        message(false, json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})),
        message(true, json!({"jsonrpc": "2.0", "id": 1, "result": {"roots": []}})),
    ];
    let story = Story { server: "notes".to_owned(), said, polluted: false };
    let log = LOGS.iter().find(|log| log.ending == "any.log").unwrap();
    let wanted: Vec<_> = story.said.iter().map(|said| wanted(said, log)).collect();
    for text in logs::tee::all(&story) {
        let mut told = Vec::new();
        let run = run_read(log.ending, in_reads_of(text.clone().into_bytes(), 1 << 20), |message| {
            told.push(heard(message, log))
        });
        assert_eq!((run.format, &told), (Some("tee"), &wanted), "{text}");
    }
}

/// The messages of a recording as something to write logs of, and how many of them are equal to one that the same side
/// sent within 5 ms before.
fn recorded(timed: &str) -> (Story, usize) {
    let mut said: Vec<Said> = Vec::new();
    let mut twins = 0;
    let mut begin = None;
    for line in timed.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let at = entry["ts"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_millisecond();
        let millis = u64::try_from(at - *begin.get_or_insert(at)).unwrap();
        let from_client = entry["dir"] == "client->server";
        // What is no message has no `msg`.
        let Some(text) = entry.get("msg").filter(|message| message.is_object()).map(Value::to_string) else { continue };
        let lately = said.iter().rev().take_while(|said| said.millis + 5 > millis);
        twins += usize::from(lately.into_iter().any(|said| said.from_client == from_client && said.text == text));
        said.push(Said { from_client, text, message: true, millis });
    }
    (Story { server: "recorded".to_owned(), said, polluted: false }, twins)
}

#[test]
fn what_was_sent_twice_stays_two_messages() {
    let Some(folder) = support::shared("recordings") else {
        eprintln!("SKIPPED: no recordings beside the project");
        return;
    };
    let (mut messages, mut twins, mut views, mut logs) = (0, 0, 0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let Some(timed) = support::read_maybe_gz(entry.unwrap().path().join("timed.jsonl")) else { continue };
        let (story, equal) = recorded(&String::from_utf8_lossy(&timed));
        for log in LOGS {
            let text = (log.write)(&story, &mut Dice::new(1));
            let run = run_read(log.ending, in_reads_of(text.into_bytes(), 1 << 20), |_| {});
            assert_eq!(run.summary.counts.messages, story.told(log).count() as u64, "{} {}", log.format, log.ending);
            (messages, twins, views, logs) =
                (messages + story.said.len(), twins + equal, views + run.views.len(), logs + 1);
        }
    }
    println!(
        "{logs} logs of recorded sessions: {messages} messages, {twins} of them sent again within 5 ms, all kept; {views} further tellings"
    );
    assert!(twins > 0 && views > 0);
}
