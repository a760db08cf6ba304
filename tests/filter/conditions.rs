//! Expressions and options, and which of the messages of the session they select.

use jiff::tz::TimeZone;
use mcp_trace::annotate::Kind;
use mcp_trace::filter::{Asked, Expression, Moment, Quick};
use mcp_trace::protocol::Primitive;

use super::{SESSION, asked, run, wheres};

const ALL: &[u64] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

#[test]
fn expressions_select_what_they_say() {
    let cases: &[(&str, &[u64])] = &[
        ("true", ALL),
        ("false", &[]),
        ("record == \"message\" && input == 0 && file == \"a.jsonl\"", ALL),
        ("n == 5 || n == 7", &[5, 7]),
        ("n in [5, 7, 99]", &[5, 7]),
        ("n > 9.5", &[10, 11]),
        ("n % 5 == 0", &[5, 10]),
        ("n - 1 == 3 && n * 2 == 8 && n / 2 == 2 && -n < 0", &[4]),
        ("line == n && end_line == n && offset >= 0 && length > 0", ALL),
        ("session == 1 && server == \"files\"", ALL),
        ("direction == \"server-to-client\"", &[2, 5, 7, 10, 11]),
        ("kind == \"request\"", &[1, 4, 6, 8, 9]),
        ("kind in [\"notification\", \"invalid\"]", &[3, 11]),
        ("outcome == \"error\"", &[7]),
        ("id == 1", &[4, 5]),
        ("id == \"1\"", &[6, 7]),
        ("id_raw == \"\\\"1\\\"\"", &[6, 7]),
        ("string(id) == \"1\" && id_state == \"present\"", &[4, 5, 6, 7]),
        ("id_state == \"absent\"", &[3]),
        ("method == \"tools/call\"", &[4, 5, 6, 7, 9, 10]),
        ("method.startsWith(\"tools/\") && target == \"boom\"", &[9, 10]),
        ("method.endsWith(\"/list\")", &[8]),
        ("method.matches(\"^(prompts|resources)/\")", &[8]),
        ("target.contains(\"oo\")", &[9, 10]),
        ("primitive == \"prompts\"", &[8]),
        ("primitive == null", &[1, 2, 3, 11]),
        ("primitive != \"tools\" && primitive != null", &[8]),
        ("feature == \"lifecycle\" && phase == \"initialization\"", &[1, 2, 3]),
        ("revision == \"2025-11-25\" && n == 4", &[4]),
        ("requires.exists(r, r.side == \"server\" && r.declared == false)", &[8]),
        ("requires.exists(r, r.declared)", &[4, 5, 6, 7, 9, 10]),
        ("requires.exists(r, r.path == [\"prompts\"])", &[8]),
        ("requires.exists(r, r.path[0] == \"prompts\")", &[8]),
        ("size(requires) == 0", &[1, 2, 3, 11]),
        ("answers == 4", &[5]),
        ("status == \"tool-error\" || status == \"error\"", &[7, 10]),
        ("error.code == -32602", &[7]),
        ("error != null && error.message.contains(\"é\")", &[7]),
        ("size(error.message) == 10", &[7]),
        ("latency_ms > 500", &[5, 10]),
        ("latency_ms <= 100", &[2, 7]),
        ("latency_ms / 1000 > 1", &[10]),
        ("latency_basis == \"times\"", &[2, 5, 7, 10]),
        ("flags.exists(f, f == \"orphan\") || \"orphan\" in flags || flags.contains(\"orphan\")", &[]),
        ("batch == null && batch.index == null && entry == null && pointer == null", ALL),
        ("basis.direction == \"recorded\"", ALL),
        ("late || cancelled", &[]),
        ("!late", ALL),
        // Times are instants, not texts.
        ("time >= \"2026-03-02T09:15:02Z\" && time < \"2026-03-02T09:15:04\"", &[6, 7, 8]),
        ("time == \"2026-03-02T09:15:01.000Z\"", &[4]),
        ("time > \"2026-03-02T10:15:04+01:00\"", &[10]),
        ("time.startsWith(\"2026-03-02T09:15:01\")", &[4, 5]),
        ("time_basis == \"recorded\"", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        // What is not there.
        ("latency_ms == null && time == null", &[11]),
        ("!(latency_ms > 500)", &[1, 2, 3, 4, 6, 7, 8, 9, 11]),
        ("latency_ms < 0 || latency_ms >= 0", &[2, 5, 7, 10]),
        ("null > 5 || null < 5 || null == 5", &[]),
        ("target > \"a\" && target < \"c\"", &[9, 10]),
        ("has(payload.params.name)", &[4, 6, 9]),
        // The message itself.
        ("payload.params.arguments.path == \"/etc/hosts\"", &[4]),
        ("payload[\"params\"][\"arguments\"].count >= 3", &[4]),
        ("payload.params.arguments.big > 1e299", &[4]),
        ("payload.params.arguments.path > 5", &[]),
        ("payload.result.isError", &[10]),
        ("payload.result.isError == false || payload.result.isError == true", &[10]),
        ("payload.result.content.exists(c, c.type == \"image\")", &[5]),
        ("payload.result.content.exists(c, c.missing.deeper == 1)", &[]),
        ("payload.result.content[1].type == \"image\"", &[5]),
        ("payload.result.content[7].type == \"image\"", &[]),
        ("size(payload.result.content) == 2", &[5]),
        ("payload.result.content.all(c, c.type == \"text\") && has(payload.result.content)", &[10]),
        ("payload.result.content.exists_one(c, c.type == \"text\")", &[5]),
        ("size(payload.result.content.filter(c, c.type == \"text\")) == 1", &[5]),
        ("payload.result.content.map(c, c.type) == [\"text\", \"image\"]", &[5]),
        ("\"arguments\" in payload.params", &[4]),
        ("payload.error.code == error.code && error != null", &[7]),
        ("payload.jsonrpc == \"2.0\"", ALL),
        // Forms of the language.
        ("kind == \"request\" ? id == 1 : id == \"1\"", &[4, 7]),
        ("n == 5 // the answer", &[5]),
        ("\n  n ==\n  5\n", &[5]),
        ("'a' + 'b' == 'ab' && r'\\d' == '\\\\d'", ALL),
        ("[1, 2].exists(n, n == 2)", ALL),
    ];
    let mut wrong = Vec::new();
    for (expression, expected) in cases {
        let chosen = run(wheres(&[expression]), SESSION);
        let filtered = chosen.summary.filtered.unwrap();
        if chosen.selected != *expected || filtered.undecided > 0 {
            wrong.push(format!("{expression}: {:?}, expected {expected:?}; {filtered:?}", chosen.selected));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn several_expressions_have_to_hold_together() {
    assert_eq!(run(wheres(&["n > 3", "n < 6"]), SESSION).selected, [4, 5]);
}

#[test]
fn what_cannot_be_worked_out_is_left_out_and_counted() {
    for (expression, undecided, first) in
        [("1 / (n - 5) >= 0", 1, 5), ("int(string(target)) == 1", 11, 1), ("n + 9223372036854775800 > 0", 4, 8)]
    {
        let filtered = run(wheres(&[expression]), SESSION).summary.filtered.unwrap();
        assert_eq!(filtered.undecided, undecided, "{expression}: {filtered:?}");
        assert_eq!(filtered.first_undecided.unwrap().0, first, "{expression}");
    }
    // What already decides needs no more.
    let filtered = run(wheres(&["n == 5 || 1 / (n - 5) > 5"]), SESSION).summary.filtered.unwrap();
    assert_eq!(filtered.undecided, 0);
}

#[test]
fn a_value_that_is_too_large_or_too_deep_is_undecided() {
    let nested = format!("{}1{}", "[".repeat(70), "]".repeat(70));
    let large = format!("[{}1]", "1,".repeat(1 << 19));
    for part in [nested, large] {
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"a","arguments":{part}}}}}"#);
        let text = format!("{line}\n");
        assert_eq!(run(wheres(&["payload.params.name == \"a\""]), &text).selected, [1]);
        let filtered = run(wheres(&["size(payload.params.arguments) > 0"]), &text).summary.filtered.unwrap();
        assert_eq!(filtered.undecided, 1);
    }
}

#[test]
fn what_can_work_for_no_message_is_refused_with_its_place() {
    // The expression, what the message has to say, and the marked part.
    let cases = [
        ("", "ends too early", ""),
        ("  ", "ends too early", ""),
        ("n == 1 &&", "ends too early", ""),
        ("(n == 1", "expected a `)`", ""),
        ("n == 1)", "`)` is not understood", ")"),
        ("primitve == 1", "unknown field `primitve`", "primitve"),
        ("status == \"é\" && foo.bar > 1", "unknown field `foo.bar`", "foo.bar"),
        ("error.cod == 1", "unknown field `error.cod`", "error.cod"),
        ("n.x == 1", "unknown field `n.x`", "n.x"),
        ("flags.exists(f, g == f)", "unknown field `g`", "g"),
        ("requires.exists(r, r.sid == \"client\")", "unknown member `sid`", "sid"),
        ("requires.side == \"client\"", "is a list", "requires.side"),
        ("method.startswith(\"x\")", "unknown function `startswith`", "startswith"),
        ("foo(1)", "unknown function `foo`", "foo"),
        ("size(flags, 1) > 1", "`size` is called otherwise", "size"),
        ("has(n)", "`has` asks for a member", ""),
        ("primitive == \"tool\"", "it is never `tool`", "\"tool\""),
        ("kind in [\"request\", \"reply\"]", "it is never `reply`", "\"reply\""),
        ("latency_ms > \"5\"", "a number is never compared with a text", "\"5\""),
        ("late == 1", "a boolean is never compared with a number", "1"),
        ("latency_ms", "expected a condition, this is a number", "latency_ms"),
        ("!n", "expected a condition, this is a number", "n"),
        ("n > 1 && method", "expected a condition, this is a text", "method"),
        ("flags.exists(f, f)", "expected a condition, this is a text", "f"),
        ("n.startsWith(\"1\")", "is asked of a text, this is a number", "n"),
        ("method.contains(1)", "expected a text, this is a number", "1"),
        ("method in \"tools\"", "expected a list, this is a text", "\"tools\""),
        ("n.exists(x, x == 1)", "expected a list, this is a number", "n"),
        ("method * 2 == 1", "expected a number, this is a text", "method"),
        ("method + 1 == \"a1\"", "cannot be added", "1"),
        ("time > \"yesterday\"", "no time", "\"yesterday\""),
        ("time > \"+5s\"", "no time", "\"+5s\""),
        ("time > method", "a time is compared with", "method"),
        ("method.matches(\"(\")", "no regular expression", "\"(\""),
        ("method.matches(target)", "a regular expression in quotes", "target"),
        ("method.matches(\"(?:x{1000}){1000}{1000}\")", "no regular expression", "\"(?:x{1000}){1000}{1000}\""),
        ("status = \"ok\"", "`=` is not understood", "="),
        ("n == 1 and n == 2", "`and` is not understood", "and"),
        ("n == 1 | n == 2", "`|` is not understood", "|"),
        ("status == \"ok", "no closing quote", "\"ok"),
        ("n == 99999999999999999999", "invalid int literal", "99999999999999999999"),
        ("{\"a\": 1}.a == 1", "objects cannot be written", "{"),
        ("b\"a\" == method", "no field holds bytes", "b\"a\""),
        ("n ==\n  \"x\"", "never compared", "\"x\""),
    ];
    let mut wrong = Vec::new();
    for (expression, says, marked) in cases {
        match Expression::parse(expression, &TimeZone::UTC) {
            Ok(_) => wrong.push(format!("{expression} was taken")),
            Err(fault) => {
                let (line, place) = fault.line(expression);
                if !fault.message.contains(says) || line[place.clone()] != *marked {
                    wrong.push(format!("{expression}: {fault}, marked {:?}", &line[place]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn hostile_expressions_are_refused_before_they_cost_anything() {
    let around =
        |a: &str, middle: &str, b: &str, count: usize| format!("{}{middle}{}", a.repeat(count), b.repeat(count));
    for (what, expression) in [
        ("parentheses", around("(", "true", ")", 1_000)),
        ("lists", around("[", "", "]", 2_000)),
        ("open lists", around("[", "", "", 4_000)),
        ("sums", around("n+", "n > 1", "", 2_000)),
        ("comparisons", around("n==", "n", "", 1_300)),
        ("indices", around("", "payload", "[0]", 1_300) + " == 1"),
        ("calls", around("", "n", ".size()", 500) + " == 1"),
        ("choices", around("true?", "true", ":true", 400)),
        ("loops", around("[1].all(x,", "true", ")", 100)),
        ("length", around("n==1||", "true", "", 100_000)),
    ] {
        assert!(Expression::parse(&expression, &TimeZone::UTC).is_err(), "{what}");
    }
    for (what, expression) in [
        ("negations", around("!", "true", "", 4_000)),
        ("alternatives", around("n==1||", "true", "", 600)),
        ("members", around("", "payload", ".a", 2_000) + " == 1"),
        ("sums", around("n+", "n > 1", "", 40)),
        ("parentheses", around("(", "true", ")", 20)),
    ] {
        let expression =
            Expression::parse(&expression, &TimeZone::UTC).unwrap_or_else(|fault| panic!("{what}: {fault}"));
        let filter = mcp_trace::filter::Filter { expressions: vec![expression], ..Default::default() };
        assert_eq!(run(filter, SESSION).summary.filtered.unwrap().undecided, 0, "{what}");
    }
}

#[test]
fn options_select_what_they_say() {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let moment = |text: &str| Some(Moment::parse(text, &TimeZone::UTC).unwrap());
    let cases: Vec<(Asked, &[u64])> = vec![
        (Asked::default(), ALL),
        (Asked { methods: words(&["tools/call"]), ..Asked::default() }, &[4, 5, 6, 7, 9, 10]),
        (Asked { methods: words(&["*/list", "notifications/*"]), ..Asked::default() }, &[3, 8]),
        (Asked { methods: words(&["*"]), ..Asked::default() }, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (Asked { primitives: vec![Primitive::Prompts, Primitive::Roots], ..Asked::default() }, &[8]),
        (Asked { kinds: vec![Kind::Notification, Kind::Invalid], ..Asked::default() }, &[3, 11]),
        (Asked { sessions: vec![1], ..Asked::default() }, ALL),
        (Asked { sessions: vec![2], ..Asked::default() }, &[]),
        (Asked { servers: words(&["f*s"]), ..Asked::default() }, ALL),
        (Asked { servers: words(&["file"]), ..Asked::default() }, &[]),
        (Asked { ids: words(&["1"]), ..Asked::default() }, &[4, 5, 6, 7]),
        (Asked { ids: words(&["\"1\"", "2"]), ..Asked::default() }, &[6, 7, 8]),
        (Asked { errors: true, ..Asked::default() }, &[7, 10, 11]),
        (Asked { since: moment("2026-03-02T09:15:04Z"), ..Asked::default() }, &[9, 10]),
        (Asked { until: moment("+1s"), ..Asked::default() }, &[1, 2, 3, 4]),
        (Asked { since: moment("+1s"), until: moment("+2s"), ..Asked::default() }, &[4, 5, 6]),
        (
            Asked { methods: words(&["tools/call"]), kinds: vec![Kind::Response], errors: true, ..Asked::default() },
            &[7, 10],
        ),
    ];
    for (of, expected) in cases {
        let shown = format!("{of:?}");
        assert_eq!(run(asked(of), SESSION).selected, expected, "{shown}");
    }
    let filtered = run(asked(Asked { since: moment("+0s"), ..Asked::default() }), SESSION).summary.filtered.unwrap();
    assert_eq!(filtered.untimed, 1);
    let error = Quick::new(Asked { methods: words(&["a[", "b"]), ..Asked::default() }).unwrap_err();
    assert!(error.to_string().contains("got `a[`"), "{error}");
}

#[test]
fn options_and_expressions_have_to_hold_together() {
    let mut filter = wheres(&["n < 6"]);
    filter.quick = asked(Asked { kinds: vec![Kind::Response], ..Asked::default() }).quick;
    assert_eq!(run(filter, SESSION).selected, [2, 5]);
}
