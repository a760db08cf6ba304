//! The shapes of messages one by one. What holds for all texts is tested from outside, by properties.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;

use super::*;

/// Reads one message and shows it to `look`.
fn reading<T>(text: &str, look: impl FnOnce(Parsed<'_>) -> T) -> T {
    match Parser::new().read(text) {
        Reading::Message(parsed) => look(parsed),
        Reading::Batch(elements) => panic!("a batch of {elements:?}"),
    }
}

fn malformed<T>(text: &str, look: impl FnOnce(Malformed<'_>) -> T) -> T {
    reading(text, |parsed| look(*parsed.envelope.expect_err(text)))
}

fn reason(text: &str) -> Reason {
    malformed(text, |malformed| malformed.reason)
}

fn raw(text: &str) -> RawJson<'_> {
    RawJson::new(text).unwrap()
}

fn id(raw: &str) -> Id<'_> {
    Id::from_raw(raw)
}

#[test]
fn a_method_with_an_id_is_a_request_even_if_the_id_is_null() {
    for token in ["1", "\"1\"", "1.0", "-5", "9007199254740993", r#""a\u0062""#, "null", "[1]"] {
        let text = format!(r#"{{"params":{{"a":1}},"id": {token} ,"method":"x","jsonrpc":"2.0"}}"#);
        reading(&text, |parsed| {
            let params = Some(raw(r#"{"a":1}"#));
            assert_eq!(parsed.envelope, Ok(Envelope::request(id(token), "x", params)));
            assert_eq!(parsed.body.get("a"), Some(raw("1")));
            assert_eq!(parsed.defects, Defects::default());
        });
    }
}

#[test]
fn a_method_without_an_id_is_a_notification() {
    reading(r#"{"jsonrpc":"2.0","method":"x"}"#, |parsed| {
        assert_eq!(parsed.envelope, Ok(Envelope::notification("x", None)));
        assert!(parsed.body.is_empty() && parsed.body.iter().next().is_none());
    });
}

#[test]
fn a_null_result_is_a_result() {
    reading(r#"{"jsonrpc":"2.0","id":1,"result":null}"#, |parsed| {
        assert_eq!(parsed.envelope, Ok(Envelope::response(id("1"), raw("null"))));
    });
}

#[test]
fn an_error_may_lack_its_id_which_is_not_the_same_as_null() {
    let error = r#"{"message":"a\nb","code":-32601,"data":[1]}"#;
    for (member, token) in [("", None), (r#""id":null,"#, Some("null")), (r#""id":"7","#, Some("\"7\""))] {
        reading(&format!(r#"{{"jsonrpc":"2.0",{member}"error":{error}}}"#), |parsed| {
            let Ok(Envelope::ErrorResponse { id: found, error: object }) = parsed.envelope else { panic!("{error}") };
            assert_eq!(found, token.map(id));
            assert_eq!((object.code, &*object.message), (Some(-32601), "a\nb"));
            assert_eq!((object.data, object.raw), (Some(raw("[1]")), raw(error)));
            assert_eq!(parsed.body.iter().count(), 3);
        });
    }
    reading(r#"{"error":{"code":1.5,"message":4}}"#, |parsed| {
        let Ok(Envelope::ErrorResponse { error, .. }) = parsed.envelope else { panic!("no error") };
        assert_eq!((error.code, &*error.message, error.data), (None, "", None));
    });
}

#[test]
fn escaped_spellings_read_like_plain_ones() {
    let text = r#"{"js\u006fnrpc":"2\u002e0","\u0069d":1,"\u006dethod":"tools\/call","par\u0061ms":{"n\u0061me":2}}"#;
    reading(text, |parsed| {
        let params = raw(r#"{"n\u0061me":2}"#);
        assert_eq!(parsed.envelope, Ok(Envelope::request(id("1"), "tools/call", Some(params))));
        assert_eq!(parsed.body.get("name"), Some(raw("2")));
        assert_eq!(parsed.body.iter().next(), Some((Cow::Borrowed("name"), raw("2"))));
        assert_eq!(parsed.defects, Defects::default());
    });
}

#[test]
fn the_last_of_doubled_members_counts() {
    let text = r#"{"id":1,"params":{"a":1,"b":2},"id":2,"method":"x","params":{"a":3,"a":4}}"#;
    reading(text, |parsed| {
        assert_eq!(parsed.envelope, Ok(Envelope::request(id("2"), "x", Some(raw(r#"{"a":3,"a":4}"#)))));
        assert_eq!((parsed.body.get("a"), parsed.body.get("b")), (Some(raw("4")), None));
        assert!(parsed.defects.duplicate_member && parsed.defects.version_missing);
    });
    // A later body that is no object takes the members of the earlier one away.
    reading(r#"{"method":"x","params":{"a":1},"params":[]}"#, |parsed| assert!(parsed.body.is_empty()));
}

#[test]
fn defects_do_not_keep_a_message_from_being_read() {
    for (version, wrong) in [(r#""2.0""#, false), (r#""1.0""#, true), ("2.0", true), ("null", true)] {
        reading(&format!(r#"{{"jsonrpc":{version},"method":"x","more":1}}"#), |parsed| {
            assert!(parsed.envelope.is_ok() && parsed.defects.extra_member && !parsed.defects.version_missing);
            assert_eq!(parsed.defects.version_wrong, wrong);
        });
    }
}

#[test]
fn a_wide_body_is_scanned_again_beyond_the_index() {
    let members: Vec<_> = (0..100).map(|number| format!(r#""k{number}":{number}"#)).collect();
    let text = format!(r#"{{"method":"x","params":{{{},"k5":"last"}}}}"#, members.join(","));
    reading(&text, |parsed| {
        assert_eq!(parsed.body.iter().count(), 101);
        assert_eq!(parsed.body.get("k99"), Some(raw("99")));
        assert_eq!(parsed.body.get("k5"), Some(raw("\"last\"")));
        assert!(!parsed.body.is_empty());
    });
}

#[test]
fn each_malformation_has_its_reason() {
    for (text, expected) in [
        ("3", Reason::NotAnObject),
        (" \"x\" ", Reason::NotAnObject),
        ("[]", Reason::EmptyBatch),
        (" [ ] ", Reason::EmptyBatch),
        ("{}", Reason::NoKnownMember),
        (r#"{"jsonrpc":"2.0","id":1}"#, Reason::NoKnownMember),
        (r#"{"id":1,"method":7}"#, Reason::MethodNotAString),
        (r#"{"id":1,"method":null}"#, Reason::MethodNotAString),
        (r#"{"id":1,"method":"x","result":1}"#, Reason::MethodAndAnswer),
        (r#"{"id":1,"method":"x","error":{}}"#, Reason::MethodAndAnswer),
        (r#"{"id":1,"result":{},"error":null}"#, Reason::ResultAndError),
        (r#"{"result":{}}"#, Reason::ResultWithoutId),
        (r#"{"id":1,"error":"x"}"#, Reason::ErrorNotAnObject),
        (r#"{"id":1,"error":null}"#, Reason::ErrorNotAnObject),
    ] {
        assert_eq!(reason(text), expected, "{text}");
    }
}

#[test]
fn malformed_messages_keep_what_they_have() {
    malformed(r#"{"id":1,"result":{"a":1},"error":{"code":-1,"message":"m"}}"#, |found| {
        assert_eq!((found.id, found.result), (Some(id("1")), Some(raw(r#"{"a":1}"#))));
        assert_eq!(found.error.unwrap().code, Some(-1));
    });
    malformed(r#"{"id":2,"error":"text"}"#, |found| assert_eq!(found.error.unwrap().raw, raw("\"text\"")));
    malformed(r#"{"id":3,"method":"m","result":0}"#, |found| {
        assert_eq!((found.method.as_deref(), found.answer_begun), (Some("m"), None));
    });
}

#[test]
fn text_that_is_no_json_tells_where_it_stops() {
    for (text, message, at, truncated) in [
        ("", "eof while parsing a value", 0, true),
        (" \r\n", "eof while parsing a value", 0, true),
        ("hello", "expected value", 0, false),
        ("{} {}", "trailing characters", 3, false),
        ("{\"a\":1,}", "key must be a string", 7, false),
        ("\n\n{\"a\"", "eof while parsing an object", 4, true),
        ("[1,", "eof while parsing a value", 3, true),
        ("{\"id\":-", "eof while parsing a number", 7, true),
        ("{\"a\":\"\u{1}\"}", "control character (\\u0000-\\u001f) found while parsing a string", 6, false),
        ("{\"a\":\"cut\r", "eof while parsing a string", 9, true),
        ("{}\0", "trailing characters", 2, false),
    ] {
        assert_eq!(reason(text), Reason::NotJson { message: message.to_owned(), at, truncated }, "{text:?}");
    }
}

#[test]
fn a_batch_is_given_as_its_elements() {
    let mut parser = Parser::new();
    let Reading::Batch(elements) = parser.read(" [ {\"a\": [1]} ,\r\n7, \"]\" ] ") else { panic!("no batch") };
    assert_eq!(elements, ["{\"a\": [1]}", "7", "\"]\""]);
}

#[test]
fn white_space_around_a_message_is_not_part_of_it() {
    reading("\t {\"method\":\"x\"}\r\n", |parsed| {
        assert_eq!(parsed.text, "{\"method\":\"x\"}");
        assert!(parsed.envelope.is_ok());
    });
}

#[test]
fn cut_and_elided_messages_give_up_their_outline() {
    let result = Some(AnswerMember::Result);
    let cases = [
        (r#"{"jsonrpc":"2.0","id":5,"method":"a/b","params":{"id":9,"te"#, Some("5"), Some("a/b"), None),
        (r#"{"jsonrpc":"2.0","id":5,"result":{"method":"no","x":"..."#, Some("5"), None, result),
        (r#"{"error":{"code":-3..., "id":"q", "x":}"#, None, None, Some(AnswerMember::Error)),
        (r#"{"result":{...},"id":"q\"r"}"#, Some(r#""q\"r""#), None, result),
        (r#"{"method":"a/b","params":[Object],"id":3}"#, Some("3"), Some("a/b"), None),
        ("{ jsonrpc: '2.0', id: 1, result: [Object] }", Some("1"), None, result),
        ("{\n  method: 'a/b',\n  params: { text: 'don, {t' },\n  id: 0\n}", Some("0"), Some("a/b"), None),
        ("{'id': 'it', 'method': 'a/b', 'params': None}", Some("\"it\""), Some("a/b"), None),
        (r#"{"method":"a/b" ... "id":4}"#, None, Some("a/b"), None),
        // A number or word that ends with the text may be half of one.
        (r#"{"method":"a/b","id":12"#, None, Some("a/b"), None),
        (r#"{"id":12,"method":"a/"#, Some("12"), None, None),
        (r#"{"id":12,"resu"#, Some("12"), None, None),
        (r#"{"my_result":1,"no-error":2,"id":1"#, None, None, None),
        ("not {\"id\":1}", None, None, None),
    ];
    for (text, token, method, begun) in cases {
        let mut parser = Parser::new();
        let found = parser.recover(text);
        assert!(matches!(found.reason, Reason::NotJson { .. }));
        assert_eq!((found.id.as_ref().map(Id::raw), found.method.as_deref()), (token, method), "{text}");
        assert_eq!(found.answer_begun, begun, "{text}");
        malformed(text, |read| assert_eq!(read, found));
    }
}

#[test]
fn whole_answers_in_cut_messages_are_kept() {
    malformed(r#"{"id":1,"result":{"a":[1]},"x"#, |found| assert_eq!(found.result, Some(raw(r#"{"a":[1]}"#))));
    malformed(r#"{"id":1,"error":{"code":4},"#, |found| assert_eq!(found.error.unwrap().code, Some(4)));
}

#[test]
fn strings_decode_with_their_escapes() {
    for (text, decoded) in [
        (r#""""#, ""),
        (r#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{c}\n\r\tz"),
        (r#""\u00e9\u00E9é""#, "ééé"),
        (r#""\ud83d\ude00!""#, "😀!"),
        (r#""\ud83d""#, "\u{fffd}"),
        (r#""\ude00x""#, "\u{fffd}x"),
        (r#""\ud83d\u0041""#, "\u{fffd}A"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
        (r#""\udbff\udfff""#, "\u{10ffff}"),
    ] {
        assert_eq!(raw(text).as_str().unwrap(), decoded, "{text}");
    }
    assert!(matches!(raw("\"plain é\"").as_str(), Some(Cow::Borrowed("plain é"))));
    assert_eq!(raw("1").as_str(), None);
}

#[test]
fn members_are_found_by_their_decoded_names() {
    let object = raw(r#"{ "a" : 1, "b\\n":2, "\n":3,"a":{"c":[true, null]} }"#);
    assert_eq!(object.get("a"), Some(raw(r#"{"c":[true, null]}"#)));
    assert_eq!((object.get("b\\n"), object.get("\n"), object.get("\\n")), (Some(raw("2")), Some(raw("3")), None));
    assert_eq!(object.at(&["a", "c"]).unwrap().elements().last(), Some(raw("null")));
    assert_eq!(object.members().count(), 4);
    assert_eq!((object.elements().count(), raw("[{}]").members().count(), raw("[]").get("a")), (0, 0, None));
}

#[test]
fn raw_json_is_one_value() {
    for text in ["", "1 2", "{", "nul", "01", "\"", "[1,]", "\u{a0}1"] {
        assert_eq!(RawJson::new(text), None, "{text:?}");
    }
    assert_eq!(raw(" \r\n[1]\t").text(), "[1]");
}

#[test]
fn envelopes_are_built_from_owned_json() {
    let params = RawJsonBuf::of(&["a\u{2028}b"]).unwrap();
    let mut out = b"> ".to_vec();
    write_envelope(&Envelope::request(Id::string("a\"b"), "x\n", Some(params.as_raw())), &mut out);
    let line = "> {\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"method\":\"x\\n\",\"params\":[\"a\u{2028}b\"]}";
    assert_eq!(String::from_utf8(out).unwrap(), line);

    let error = RawJsonBuf::error(-32601, "no \"x\"", Some(params.as_raw()));
    let mut out = Vec::new();
    write_envelope(&Envelope::error_response(Some(Id::number(-1)), error.as_raw()).unwrap(), &mut out);
    let line = r#"{"jsonrpc":"2.0","id":-1,"error":{"code":-32601,"message":"no \"x\"","data":["#;
    assert!(String::from_utf8(out).unwrap().starts_with(line));

    assert_eq!(RawJsonBuf::new("[1".to_owned()), Err("[1".to_owned()));
    assert_eq!(RawJsonBuf::new(" 1".to_owned()), Err(" 1".to_owned()));
    assert_eq!(RawJsonBuf::new("[1]".to_owned()).unwrap().as_raw(), raw("[1]"));
    assert_eq!(Envelope::error_response(None, raw("1")), None);
}
