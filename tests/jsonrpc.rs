//! Properties of the JSON-RPC layer, against `serde_json` as the judge of what is JSON and what its members are.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::path::Path;

use mcp_trace::jsonrpc::{
    Envelope, Id, IdKind, JsonKind, Members, Parsed, Parser, RawJson, RawJsonBuf, Reading, Reason, write_envelope,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object in order, decoded by `serde_json`; what the scanner is compared with.
struct Reference<'a>(Vec<(String, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Reference<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(String, &'de str)>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    members.push((name, value.get()));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(InOrder).map(Reference)
    }
}

impl<'a> Reference<'a> {
    /// `None` for other types, and for names with half a surrogate pair, which `serde_json` refuses to decode.
    fn of(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    fn last(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(found, _)| found == name).map(|(_, value)| *value)
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn begins_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).map_or_else(|error| error.is_eof(), |_| true)
}

fn inside(part: &str, whole: &str) -> bool {
    let (part, whole) = (part.as_bytes().as_ptr_range(), whole.as_bytes().as_ptr_range());
    whole.start <= part.start && part.end <= whole.end
}

fn message(reading: Reading<'_>) -> Parsed<'_> {
    match reading {
        Reading::Message(parsed) => parsed,
        Reading::Batch(elements) => panic!("a batch of {elements:?}"),
    }
}

/// Whether valid JSON holds an escape of a surrogate: behind an even number of backslashes.
fn has_surrogate(text: &str) -> bool {
    let escapes = text.replace("\\\\", "").to_ascii_lowercase();
    ["8", "9", "a", "b", "c", "d", "e", "f"].iter().any(|digit| escapes.contains(&format!("\\ud{digit}")))
}

/// Everything that a reading of `text` must agree with `serde_json` about.
fn agrees(parser: &mut Parser, text: &str) {
    assert_eq!(RawJson::new(text).is_some(), is_json(text), "{text:?}");
    let parsed = match parser.read(text) {
        Reading::Batch(elements) => {
            let reference: Vec<&RawValue> = serde_json::from_str(text).unwrap();
            assert_eq!(elements, reference.into_iter().map(RawValue::get).collect::<Vec<_>>());
            return;
        }
        Reading::Message(parsed) => parsed,
    };
    assert_eq!(parsed.text, text.trim_matches([' ', '\t', '\r', '\n']));
    let reason = parsed.envelope.as_ref().err().map(|malformed| &malformed.reason);
    if let Some(Reason::NotJson { at, truncated, message }) = reason {
        let error = serde_json::from_str::<IgnoredAny>(text).expect_err(text);
        assert!(!message.is_empty() && !message.contains("column"), "{message}");
        let text = parsed.text;
        assert_eq!(*truncated, *at == text.len(), "{text:?}");
        // Where fewer than four bytes follow `\\u`, serde_json misses the end before it looks at them.
        let short_escape = text[..*at].ends_with("\\u") || text.len() - *at < 4;
        assert!(*truncated || short_escape || !error.is_eof(), "{text:?}");
        // What stands before the fault is the beginning of some JSON; a cut number needs a digit to show it.
        let before = &text[..*at];
        assert!(begins_json(before) || begins_json(&format!("{before}0")), "{before:?}");
        return;
    }
    assert!(is_json(text), "{text:?}");
    if parsed.text.starts_with('{') {
        assert_eq!(parsed.holds.line_end, parsed.text.contains(['\n', '\r']), "{text:?}");
        assert_eq!(parsed.holds.surrogate, has_surrogate(parsed.text), "{text:?}");
    }
    if let Some(reference) = Reference::of(text) {
        same_members(&parsed, &reference);
    }
}

fn same_members(parsed: &Parsed<'_>, reference: &Reference<'_>) {
    let known = ["jsonrpc", "id", "method", "params", "result", "error"];
    let count = |name: &str| reference.0.iter().filter(|(found, _)| found == name).count();
    assert_eq!(parsed.defects.duplicate_member, known.iter().any(|name| count(name) > 1));
    assert_eq!(parsed.defects.extra_member, reference.0.iter().any(|(name, _)| !known.contains(&name.as_str())));
    assert_eq!(parsed.defects.version_missing, count("jsonrpc") == 0);

    let object = |text: &&str| text.starts_with('{');
    let (method, params) = (reference.last("method"), reference.last("params"));
    let (result, error) = (reference.last("result"), reference.last("error"));
    let named = method.is_some_and(|method| method.starts_with('"'));
    let id = reference.last("id");
    let body = match &parsed.envelope {
        Ok(Envelope::Request { id: found, params: with, .. }) => {
            assert!(named && result.is_none() && error.is_none());
            assert_eq!((Some(found.raw()), with.map(RawJson::text)), (id, params));
            params
        }
        Ok(Envelope::Notification { params: with, .. }) => {
            assert!(named && id.is_none() && result.is_none() && error.is_none());
            assert_eq!(with.map(RawJson::text), params);
            params
        }
        Ok(Envelope::Response { id: found, result: with }) => {
            assert!(method.is_none() && error.is_none());
            assert_eq!((Some(found.raw()), Some(with.text())), (id, result));
            result
        }
        Ok(Envelope::ErrorResponse { id: found, error: with }) => {
            assert!(method.is_none() && result.is_none() && error.as_ref().is_some_and(object));
            assert_eq!((found.as_ref().map(Id::raw), Some(with.raw.text())), (id, error));
            error
        }
        Err(malformed) => {
            let answer = result.is_some() || error.is_some();
            let expected = match &malformed.reason {
                Reason::MethodAndAnswer => method.is_some() && answer,
                Reason::MethodNotAString => method.is_some() && !named && !answer,
                Reason::ResultAndError => method.is_none() && result.is_some() && error.is_some(),
                Reason::ResultWithoutId => method.is_none() && result.is_some() && error.is_none() && id.is_none(),
                Reason::ErrorNotAnObject => method.is_none() && result.is_none() && !error.as_ref().is_none_or(object),
                Reason::NoKnownMember => method.is_none() && !answer,
                Reason::NotJson { .. } | Reason::NotAnObject | Reason::EmptyBatch => false,
            };
            assert!(expected, "{malformed:?}");
            assert_eq!(malformed.id.as_ref().map(Id::raw), id);
            assert_eq!(malformed.result.map(RawJson::text), result);
            assert_eq!(malformed.error.as_ref().map(|error| error.raw.text()), error);
            return;
        }
    };
    if let Some(body) = body.filter(object).and_then(Reference::of) {
        same_body(&parsed.body, parsed.text, &body);
    }
}

fn same_body(body: &Members<'_>, text: &str, reference: &Reference<'_>) {
    let found: Vec<_> = body.iter().map(|(name, value)| (name.into_owned(), value.text())).collect();
    assert_eq!(found, reference.0);
    assert_eq!(body.is_empty(), reference.0.is_empty());
    for (name, value) in &reference.0 {
        assert_eq!(body.get(name).map(RawJson::text), reference.last(name));
        assert!(body.iter().any(|(_, found)| inside(found.text(), text) && found.text() == *value));
    }
    assert_eq!(body.get("no such name").map(RawJson::text), reference.last("no such name"));
}

// Generators. They make JSON as text, so that white space and spellings vary too.

fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => Just(""), 1 => Just(" "), 1 => Just("\n\t"), 1 => Just("\r\n")]
}

fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ !#-\\[\\]-~]{0,24}",
        2 => "[é𝄞\u{7f}\u{2028}\u{feff}]{1,9}",
        2 => prop::sample::select(vec!["\\n", "\\\"", "\\\\", "\\/", "\\u0061", "\\u00E9", "\\ud83d\\ude00"])
            .prop_map(str::to_owned),
        1 => prop::sample::select(vec!["\\ud800", "\\udc00x", "\\u0000"]).prop_map(str::to_owned),
    ];
    vec(piece, 0..5).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,3})?",
    ]
}

fn array_of(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (vec((space(), value, space()), 0..5), space()).prop_map(|(values, inside)| {
        let values: Vec<_> =
            values.into_iter().map(|(before, value, after)| [before, &value, after].concat()).collect();
        format!("[{}{inside}]", values.join(","))
    })
}

fn object_of(
    name: impl Strategy<Value = String>,
    value: impl Strategy<Value = String>,
    most: usize,
) -> impl Strategy<Value = String> {
    (vec((space(), name, space(), value), 0..most), space()).prop_map(|(members, inside)| {
        let members: Vec<_> = members
            .iter()
            .map(|(before, name, after, value)| format!("{before}{name}{after}:{after}{value}"))
            .collect();
        format!("{{{}{inside}}}", members.join(","))
    })
}

fn json() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["null", "true", "false", "0", "-0"]).prop_map(str::to_owned);
    prop_oneof![word, number(), string()]
        .prop_recursive(5, 40, 6, |value| prop_oneof![array_of(value.clone()), object_of(string(), value, 6)])
}

/// An object whose members are mostly those of JSON-RPC, in any order, spelling and number.
fn loose_message() -> impl Strategy<Value = String> {
    let names = ["jsonrpc", "id", "method", "params", "result", "error", "\\u006dethod", "i\\u0064", "extra"];
    let name = prop::sample::select(names.to_vec()).prop_map(|name| format!("\"{name}\""));
    let few =
        prop::sample::select(vec!["\"2.0\"", "\"2\\u002e0\"", "1", "null", "\"tools\\/call\""]).prop_map(str::to_owned);
    // More members than are indexed, with doubled names.
    let wide = object_of("\"[a-c]{1,2}\"", prop_oneof![number(), string()], 50);
    object_of(name, prop_oneof![few, json(), wide], 6)
}

/// Changes a text in a few places.
fn broken(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let pieces =
        vec!["", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "u", " ", "\n", "\0", "é", "tru"];
    let change = (any::<Index>(), 0..3_usize, prop::sample::select(pieces));
    (text, vec(change, 0..4)).prop_map(|(text, changes)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (place, remove, insert) in changes {
            let start = place.index(chars.len() + 1);
            let end = (start + remove).min(chars.len());
            chars.splice(start..end, insert.chars());
        }
        chars.into_iter().collect()
    })
}

fn id() -> impl Strategy<Value = Id<'static>> {
    let spelled = prop::sample::select(vec!["null", "1.0", "\"a\\u0062\"", "9007199254740993", "-5", "1e3"]);
    prop_oneof![
        any::<i64>().prop_map(Id::number),
        any::<String>().prop_map(|text| Id::string(&text)),
        spelled.prop_map(Id::from_raw),
    ]
}

/// The parts of a well-formed message: which shape, id, method, payload.
fn parts() -> impl Strategy<Value = (u8, Option<Id<'static>>, String, Option<String>)> {
    let error = (any::<i64>(), any::<String>(), prop::option::of(json())).prop_map(|(code, message, data)| {
        let data = data.as_deref().and_then(RawJson::new);
        RawJsonBuf::error(code, &message, data).as_raw().text().to_owned()
    });
    let (error, payload) = (error.boxed(), object_of(string(), json(), 5).boxed());
    (0..4_u8).prop_flat_map(move |shape| {
        let payload = if shape == 3 { error.clone() } else { payload.clone() };
        (Just(shape), prop::option::of(id()), any::<String>(), prop::option::of(payload))
    })
}

fn build<'a>(shape: u8, id: Option<&Id<'a>>, method: &'a str, payload: Option<&'a str>) -> Envelope<'a> {
    let id = id.cloned();
    let or_null = id.clone().unwrap_or_else(|| Id::from_raw("null"));
    let payload = payload.map(|payload| RawJson::new(payload).unwrap());
    let empty = RawJson::new("{}").unwrap();
    match shape {
        0 => Envelope::request(or_null, method, payload),
        1 => Envelope::notification(method, payload),
        2 => Envelope::response(or_null, payload.unwrap_or(empty)),
        _ => Envelope::error_response(id, payload.unwrap_or(empty)).unwrap(),
    }
}

fn line(envelope: &Envelope<'_>) -> String {
    let mut out = Vec::new();
    write_envelope(envelope, &mut out);
    String::from_utf8(out).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_judged_as_serde_json_judges_it(text in any::<String>()) {
        agrees(&mut Parser::new(), &text);
    }

    #[test]
    fn json_is_read_as_serde_json_reads_it(text in json()) {
        agrees(&mut Parser::new(), &text);
    }

    #[test]
    fn messages_are_read_as_serde_json_reads_them(texts in vec(loose_message(), 1..4)) {
        let mut parser = Parser::new();
        for text in texts {
            agrees(&mut parser, &text);
        }
    }

    #[test]
    fn broken_messages_are_judged_as_serde_json_judges_them(text in broken(loose_message())) {
        agrees(&mut Parser::new(), &text);
    }

    #[test]
    fn broken_json_is_judged_as_serde_json_judges_it(text in broken(json())) {
        agrees(&mut Parser::new(), &text);
    }

    #[test]
    fn strings_decode_as_serde_json_decodes_them(text in string()) {
        let decoded = RawJson::new(&text).unwrap().as_str().unwrap();
        match serde_json::from_str::<String>(&text) {
            Ok(reference) => assert_eq!(decoded, reference),
            Err(_) => assert!(decoded.contains('\u{fffd}')),
        }
    }

    #[test]
    fn values_give_the_members_and_elements_they_hold(text in json()) {
        let value = RawJson::new(&text).unwrap();
        if let Some(reference) = Reference::of(&text) {
            let members: Vec<_> = value.members().map(|(name, value)| (name.into_owned(), value.text())).collect();
            assert_eq!(members, reference.0);
            for (name, _) in members {
                assert_eq!(value.get(&name).map(RawJson::text), reference.last(&name));
            }
        }
        let elements: Vec<_> = value.elements().map(RawJson::text).collect();
        let reference: Vec<&RawValue> = serde_json::from_str(&text).unwrap_or_default();
        assert_eq!(elements, reference.into_iter().map(RawValue::get).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_written_is_read_back((shape, id, method, payload) in parts()) {
        let written = line(&build(shape, id.as_ref(), &method, payload.as_deref()));
        assert!(!written.contains(['\n', '\r']));
        let on_one_line = payload.map(|payload| payload.replace(['\n', '\r'], " "));
        let expected = build(shape, id.as_ref(), &method, on_one_line.as_deref());
        let mut parser = Parser::new();
        let parsed = message(parser.read(&written));
        assert_eq!(parsed.envelope, Ok(expected));
        assert_eq!(parsed.defects, Default::default());
    }

    #[test]
    fn what_is_recovered_of_a_cut_message_was_in_it((shape, id, method, payload) in parts(), cut in any::<Index>()) {
        let envelope = build(shape, id.as_ref(), &method, payload.as_deref());
        let whole = line(&envelope);
        let places: Vec<_> = whole.char_indices().map(|(place, _)| place).skip(1).collect();
        let cut = &whole[..places[cut.index(places.len())]];
        let mut parser = Parser::new();
        let recovered = parser.recover(cut);
        let Reason::NotJson { at, truncated, .. } = recovered.reason else { panic!("{cut:?}") };
        assert_eq!((at, truncated), (cut.trim_end_matches([' ', '\t', '\r', '\n']).len(), true), "{:?}", recovered.reason);
        if let Some(id) = &recovered.id {
            assert_eq!(Some(id), envelope.id());
        }
        if let Some(method) = &recovered.method {
            assert_eq!(Some(&**method), envelope.method());
        }
        assert!(recovered.answer_begun.is_none() || shape >= 2);
        let parsed = message(parser.read(cut));
        assert_eq!(parsed.envelope, Err(Box::new(recovered)));
    }

    #[test]
    fn anything_can_be_recovered_from(text in broken(loose_message())) {
        let recovered = Parser::new().recover(&text);
        // An id in single quotes is no JSON and becomes a new token.
        let verbatim = |id: &Id<'_>| text.contains('\'') || inside(id.raw(), &text);
        assert!(recovered.id.is_none_or(|id| verbatim(&id) && is_json(id.raw())));
        assert!(recovered.result.is_none_or(|result| inside(result.text(), &text) && is_json(result.text())));
    }
}

#[test]
fn ordinary_messages_are_borrowed() {
    let text = line(&Envelope::request(Id::number(1), "tools/call", None));
    let mut parser = Parser::new();
    let Ok(Envelope::Request { method, .. }) = message(parser.read(&text)).envelope else { panic!("{text}") };
    assert!(matches!(method, Cow::Borrowed(_)));
}

#[test]
fn depth_costs_neither_stack_nor_time() {
    const DEPTH: usize = 100_000;
    let mut parser = Parser::new();
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":[", "]}]")] {
        let opened = open.repeat(DEPTH);
        let deep = format!("{opened}{}{}", if open == "[" { "" } else { "1" }, close.repeat(DEPTH));
        let whole = format!("{{\"id\":1,\"method\":\"m\",\"params\":{{\"first\":{deep},\"last\":2}}}}");
        let parsed = message(parser.read(&whole));
        assert!(parsed.envelope.is_ok(), "{open}");
        assert_eq!(parsed.body.get("first").map(RawJson::text), Some(&*deep));
        assert_eq!(parsed.body.get("last").and_then(RawJson::as_i64), Some(2));

        let params = RawJson::new(&whole).and_then(|value| value.get("params")).unwrap();
        assert_eq!(params.members().count(), 2);

        let wrong = whole.replacen(close, if close == "]" { "}" } else { "]" }, 1);
        assert!(message(parser.read(&wrong)).envelope.is_err_and(|malformed| malformed.is_not_json()));

        let cut = format!("{{\"id\":1,\"result\":{opened}");
        let Err(malformed) = message(parser.read(&cut)).envelope else { panic!("{open}") };
        assert_eq!(malformed.id.unwrap().kind(), IdKind::Number);
        assert!(malformed.answer_begun.is_some());
    }
}

#[test]
fn recordings_are_read_as_serde_json_reads_them() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/recordings")];
    if !folders[0].is_dir() {
        eprintln!("SKIPPED: no recordings beside the project");
        return;
    }
    let mut parser = Parser::new();
    let mut objects = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(text) = fs::read_to_string(&path) else { continue };
            for line in text.lines() {
                agrees(&mut parser, line);
                if let Some(start) = line.find('{') {
                    agrees(&mut parser, &line[start..]);
                    objects +=
                        usize::from(RawJson::new(&line[start..]).is_some_and(|json| json.kind() == JsonKind::Object));
                }
            }
        }
    }
    assert!(objects > 0);
}
