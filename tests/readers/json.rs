//! Bare and timed messages: one a line, over several, in an array.

use mcp_trace::protocol::Direction;
use mcp_trace::transcript::{EventKind, Flag, values};

use super::{ANSWER, Kept, REQUEST, What, messages, read};

#[test]
fn bare_lines() {
    let reading = read(format!("{REQUEST}\n\n{ANSWER}\nnot json\n{{\"open\":\n"), None);
    assert_eq!(reading.format, Some("jsonl"));
    assert_eq!(messages(&reading), [REQUEST, ANSWER, "{\"open\":"]);
    assert_eq!(reading.frames[1].what, What::Blank);
    assert_eq!(reading.frames[3].what, What::Event(EventKind::Noise, "not json".to_owned()));
    assert_eq!(reading.problem, None);
}

#[test]
fn line_ends_marks_and_odd_characters() {
    let reading = read(format!("\u{feff}{REQUEST}\r\n{ANSWER}\r\n"), None);
    assert_eq!(messages(&reading), [REQUEST, ANSWER]);
    assert_eq!(reading.frames[0].offset, 3);
    let odd = "{\"jsonrpc\":\"2.0\",\"method\":\"a\u{2028}b\u{0}c\u{c}d\"}";
    let reading = read(format!("{odd}\n{odd}"), None);
    assert_eq!(messages(&reading), [odd, odd]);
}

#[test]
fn bad_bytes_are_replaced_and_flagged() {
    let mut bytes = format!("{REQUEST}\n").into_bytes();
    bytes.extend_from_slice(b"  {\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\xe2\x82\"}\r\n");
    bytes.extend_from_slice(ANSWER.as_bytes());
    let reading = read(&bytes, None);
    assert_eq!(messages(&reading)[1], "{\"jsonrpc\":\"2.0\",\"method\":\"\u{fffd}\u{fffd}\u{fffd}\"}");
    let flagged: Vec<bool> = reading.frames.iter().map(|frame| frame.flags.has(Flag::BadUtf8)).collect();
    assert_eq!(flagged, [false, true, false]);
}

#[test]
fn nothing_is_nothing() {
    for input in ["", "\u{feff}"] {
        let reading = read(input, None);
        assert_eq!((reading.format, messages(&reading).len()), (None, 0));
    }
    assert!(read("", None).frames.is_empty());
}

#[test]
fn several_values_on_a_line() {
    let reading = read(format!("{REQUEST}\n{REQUEST}{ANSWER}\n{ANSWER}\n"), None);
    let line = format!("{REQUEST}{ANSWER}");
    assert_eq!(messages(&reading), [REQUEST, line.as_str(), ANSWER]);
    assert_eq!(values(&line), [REQUEST, ANSWER]);
    assert_eq!(values(&format!("{REQUEST} {{\"cut\":")), [REQUEST, "{\"cut\":"]);
    assert_eq!(values(&format!("{REQUEST}{ANSWER} and text")), [REQUEST, ANSWER, "and text"]);
    assert!(values(&format!("{REQUEST} and text")).is_empty());
    assert!(values(r#"{"jsonrpc":"2.0","method":"a}{b"}"#).is_empty());
    assert!(values("{no json}{}").is_empty());
}

#[test]
fn a_cut_last_line_is_told() {
    let reading = read(format!("{REQUEST}\n{{\"jsonrpc\":\"2.0\",\"id\":2,"), None);
    assert_eq!(messages(&reading).len(), 2);
    assert!(reading.frames[1].flags.has(Flag::Truncated));
    assert!(reading.problem.unwrap().contains("line 2"));
}

#[test]
fn banners_do_not_hide_the_format() {
    let reading =
        read(format!("> server@1.0.0 start\n\n[12:00:01] up, {{\"port\":3000}}\n{REQUEST}\n{ANSWER}\n"), None);
    assert_eq!(reading.format, Some("jsonl"));
    assert_eq!(messages(&reading), [REQUEST, ANSWER]);
    assert_eq!(reading.frames.iter().filter(|frame| frame.is_noise()).count(), 2);
    let prose = read(format!("some text\nthe log said {REQUEST}\nand so on\n"), None);
    assert_eq!((prose.format, messages(&prose).len()), (None, 0));
}

#[test]
fn timed_lines() {
    let input = format!(
        "{}\n{}\n{}\n{}\n{}\nnoise\n{REQUEST}\n",
        format_args!(r#"{{"ts":"2025-01-02T03:04:05.678901Z","dir":"client->server","msg":{REQUEST}}}"#),
        format_args!(
            r#"{{"ts":"2025-01-02T03:04:06Z","dir":"server->client","msg":{ANSWER},"session":"a\"b","server":"x"}}"#
        ),
        r#"{"ts":"2025-01-02T03:04:07Z","dir":"server->client","raw":"up \u0041"}"#,
        r#"{"ts":"2025-01-02T03:04:07Z","dir":"server->client","raw":""}"#,
        r#"{"ts":"2025-01-02T03:04:08Z","dir":"server->client","raw":"{\"jsonrpc\":"}"#,
    );
    let reading = read(&input, None);
    assert_eq!(reading.format, Some("timed"));
    assert_eq!(messages(&reading), [REQUEST, ANSWER, "{\"jsonrpc\":", REQUEST]);
    assert_eq!(reading.frames[0].time, Some(("2025-01-02T03:04:05.678901Z".to_owned(), 6)));
    assert_eq!(reading.frames[0].direction, Some(Direction::ClientToServer));
    assert_eq!((reading.frames[1].session.as_deref(), reading.frames[1].server.as_deref()), (Some("a\"b"), Some("x")));
    assert_eq!(reading.frames[2].what, What::Event(EventKind::Noise, "up A".to_owned()));
    assert_eq!(reading.frames[3].what, What::Event(EventKind::Noise, String::new()));
    assert!(reading.frames[5].is_noise());
}

#[test]
fn values_over_several_lines() {
    let pretty = "{\r\n  \"jsonrpc\": \"2.0\",\r\n\r\n  \"id\": 1, \"method\": \"a\"\r\n}";
    let reading =
        read(format!("banner\n{pretty}\nnoise\n{REQUEST} {ANSWER} and\n\n[\n{REQUEST},\n{REQUEST}\n]\n"), None);
    assert_eq!(reading.format, Some("json"));
    assert_eq!(messages(&reading), [pretty, REQUEST, ANSWER, &format!("[\n{REQUEST},\n{REQUEST}\n]")]);
    let lines: Vec<_> = reading.frames.iter().map(|frame| (frame.line, frame.end_line)).collect();
    assert_eq!(lines, [(1, 1), (2, 6), (7, 7), (8, 8), (8, 8), (8, 8), (9, 9), (10, 13)]);
    let joined = read(format!("{REQUEST}{ANSWER}"), None);
    assert_eq!((joined.format, messages(&joined)), (Some("json"), vec![REQUEST, ANSWER]));
}

#[test]
fn pretty_values_behind_bare_lines() {
    let pretty = "{\n\"jsonrpc\":\n\"2.0\", \"params\":\n{\n}, \"method\": \"a\"\n}";
    let reading = read(format!("{REQUEST}\n{pretty}\n{ANSWER}\n"), None);
    assert_eq!(reading.format, Some("json"));
    assert_eq!(messages(&reading), [REQUEST, pretty, ANSWER]);
}

#[test]
fn a_cut_value_swallows_nothing() {
    let cuts = [
        "{\"jsonrpc\":\"2.0\",\n  \"method\":",
        "{\"jsonrpc\":\"2.0\",\n  \"method\": \"a",
        "{\"jsonrpc\":\"2.0\",",
        "{\"jsonrpc\":\"2.0\",\n \"params\": [",
        "{",
    ];
    for cut in cuts {
        let reading = read(format!("{cut}\n{REQUEST}\n{cut}\nServer ready\n{ANSWER}\n{cut}"), Some("json"));
        assert_eq!(messages(&reading), [cut, REQUEST, cut, ANSWER, cut]);
        let truncated: Vec<bool> = reading.frames.iter().map(|frame| frame.flags.has(Flag::Truncated)).collect();
        assert_eq!(truncated, [true, false, true, false, false, true]);
        assert!(reading.problem.unwrap().contains("cut off"));
    }
}

#[test]
fn array_documents() {
    let pretty = "{\n    \"jsonrpc\": \"2.0\", \"method\": \"a\"\n  }";
    let reading =
        read(format!("[\n  {REQUEST},\n\n  {pretty}\n  ,\n{ANSWER}, 7, \"a,\\\"]\"\n]\nbehind\n{REQUEST}\n"), None);
    assert_eq!((reading.format, &reading.problem), (Some("json-array"), &None));
    assert_eq!(messages(&reading), [REQUEST, pretty, ANSWER, "7", "\"a,\\\"]\"", REQUEST]);
    let pointers: Vec<_> = reading.frames.iter().filter_map(|frame| frame.pointer.as_deref()).collect();
    assert_eq!(pointers, ["/0", "/1", "/2", "/3", "/4"]);
    assert_eq!(reading.frames.iter().filter(|frame| frame.what == What::Framing).count(), 3);
    assert!(reading.frames.iter().any(Kept::is_noise));

    let open = read(format!("[\n{REQUEST},\n{ANSWER}\n"), None);
    assert_eq!(messages(&open), [REQUEST, ANSWER]);
    assert!(open.problem.unwrap().contains("line 1 is not closed"));
    let cut = read(format!("[\n{REQUEST},\n{{\"jsonrpc\":\n"), None);
    assert!(cut.frames[2].flags.has(Flag::Truncated));

    let batch = format!("[{REQUEST},{ANSWER}]");
    let (bare, forced) = (read(&batch, None), read(&batch, Some("json-array")));
    assert_eq!((bare.format, messages(&bare)), (Some("jsonl"), vec![batch.as_str()]));
    assert_eq!(messages(&forced), [REQUEST, ANSWER]);
}
