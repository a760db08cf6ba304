//! Any text: read as `serde_json` judges it, nothing panics, and all that is handed out lies in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_trace::jsonrpc::{Envelope, Id, Malformed, Parsed, Parser, RawJson, Reading, Reason};
use serde::de::IgnoredAny;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let whole = serde_json::from_str::<IgnoredAny>(text).is_ok();
    let mut parser = Parser::new();
    match parser.read(text) {
        Reading::Batch(elements) => {
            assert!(whole && !elements.is_empty());
            for element in elements {
                lies_in(element, text);
            }
        }
        Reading::Message(parsed) => {
            let not_json = parsed.envelope.as_ref().is_err_and(|malformed| malformed.is_not_json());
            assert_eq!(not_json, !whole);
            message(&parsed, text);
        }
    }
    malformed(&parser.recover(text), text);
});

fn message(parsed: &Parsed<'_>, text: &str) {
    lies_in(parsed.text, text);
    match &parsed.envelope {
        Ok(Envelope::Request { id, params, .. }) => {
            lies_in(id.raw(), text);
            value(*params, text);
        }
        Ok(Envelope::Notification { params, .. }) => value(*params, text),
        Ok(Envelope::Response { id, result }) => {
            lies_in(id.raw(), text);
            value(Some(*result), text);
        }
        Ok(Envelope::ErrorResponse { id, error }) => {
            value(Some(error.raw), text);
            value(error.data, text);
            if let Some(id) = id {
                lies_in(id.raw(), text);
            }
        }
        Err(broken) => malformed(broken, text),
    }
    for (name, member) in parsed.body.iter() {
        value(Some(member), text);
        assert!(parsed.body.get(&name).is_some());
    }
}

fn malformed(malformed: &Malformed<'_>, text: &str) {
    if let Some(id) = malformed.id.as_ref().map(Id::raw) {
        // An id in single quotes is no JSON and becomes a new token.
        if !text.contains('\'') {
            lies_in(id, text);
        }
    }
    value(malformed.result, text);
    value(malformed.error.as_ref().map(|error| error.raw), text);
    if let Reason::NotJson { at, .. } = malformed.reason {
        assert!(at <= text.len());
    }
}

/// A value lies in the text, is JSON, and gives up its contents.
fn value(value: Option<RawJson<'_>>, text: &str) {
    let Some(value) = value else { return };
    lies_in(value.text(), text);
    assert!(serde_json::from_str::<IgnoredAny>(value.text()).is_ok());
    let _ = value.as_str();
    for (_, member) in value.members() {
        lies_in(member.text(), text);
    }
    for element in value.elements() {
        lies_in(element.text(), text);
    }
}

fn lies_in(part: &str, text: &str) {
    let (text, part) = (text.as_bytes().as_ptr_range(), part.as_bytes().as_ptr_range());
    assert!(text.start <= part.start && part.end <= text.end);
}
