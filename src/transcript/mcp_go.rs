//! What the `LoggingTransport` of mark3labs' mcp-go writes through `slog`: records of a client whose attributes are the
//! parts of a message.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Notation, Split, Told, Way, other, unquoted};
use super::notation::{bare_id, quote};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, stamp};
use crate::protocol::Direction;

/// The row of mcp-go's logging transport.
pub(super) const FORMAT: Format = Format {
    name: "mcp-go",
    title: "the LoggingTransport of mark3labs' mcp-go, through slog's text handlers",
    example: r#"time=2025-01-02T03:04:05.678Z level=DEBUG msg="→ request" method=tools/list id=1"#,
    loses: "params of requests, which Go prints in its own way; with payloads off also results",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open(&GRAMMAR, options),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of mcp-go's logging transport", split, tell, stray: other };

/// `time=TIME level=DEBUG msg="text" …`, or as the default logger writes it: `2025/01/02 03:04:05 DEBUG text …`.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let leading = |text: &'t str| match stamp::leading(text, zone) {
        Some((time, rest)) => (Some(time), rest.trim_ascii_start()),
        None => (None, text),
    };
    let (time, rest) = leading(line.strip_prefix("time=").unwrap_or(line));
    if let Some(rest) = rest.strip_prefix("level=") {
        let (_, text) = rest.split_once(" msg=")?;
        return Some(Split { time, text, ..Split::default() });
    }
    let (level, text) = rest.split_once(' ')?;
    let fits = time.is_some() && matches!(level, "DEBUG" | "INFO" | "WARN" | "ERROR");
    fits.then_some(Split { time, text, ..Split::default() })
}

/// What a record is called, and the members of its message that it has attributes for.
const RECORDS: [(&str, Kind); 4] = [
    ("request", Kind::Request),
    ("response error", Kind::Error),
    ("response", Kind::Result),
    ("notification", Kind::Notification),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Request,
    Notification,
    Result,
    Error,
}

fn tell(text: &str) -> Told<'_> {
    let words = text.strip_prefix('"').unwrap_or(text);
    let sent = words.strip_prefix("→ ").map(|rest| (Direction::ClientToServer, rest));
    let Some((direction, rest)) = sent.or_else(|| Some((Direction::ServerToClient, words.strip_prefix("← ")?)))
    else {
        return Told::Other(text);
    };
    let failed = rest.starts_with("notification error");
    // An error without a code was made by the client: nothing came.
    if failed || (rest.starts_with("response error") && attribute(rest, "code").is_none()) {
        return Told::event(EventKind::Note, text);
    }
    match record(rest) {
        Some(_) => {
            Told::Message { way: Way::Recorded(direction), text: rest, notation: Notation::Line(convert), voice: 0 }
        }
        None => Told::Other(text),
    }
}

/// What a record is, and its attributes.
fn record(text: &str) -> Option<(Kind, &str)> {
    RECORDS.iter().find_map(|(name, kind)| {
        let rest = text.strip_prefix(name)?;
        let rest = rest.strip_prefix('"').unwrap_or(rest);
        rest.starts_with(' ').then_some((*kind, rest))
    })
}

/// The attributes of a text, each with its value as it is written.
fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (key, value) = rest.trim_ascii_start().split_once('=')?;
        let length = match value.starts_with('"') {
            true => quoted_length(value),
            false => value.find(' ').unwrap_or(value.len()),
        };
        rest = &value[length..];
        Some((key, &value[..length]))
    })
}

/// The length of a quoted text with its quotes.
fn quoted_length(text: &str) -> usize {
    let mut at = 1;
    loop {
        match text.as_bytes().get(at) {
            None => return text.len(),
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
        if at >= text.len() {
            return text.len();
        }
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
}

fn attribute<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (_, attributes_) = record(text)?;
    attributes(attributes_).find(|(known, _)| *known == key).map(|(_, value)| value)
}

/// The record as a message; what it does not tell stays out.
fn convert(text: &str, out: &mut String) -> Option<usize> {
    let (kind, rest) = record(text)?;
    let plain = |value: &str| {
        let mut text = String::new();
        match unquoted(value, &mut text) {
            Some(_) => text,
            None => value.to_owned(),
        }
    };
    let (mut id, mut method, mut payload, mut code, mut error) = (None, None, None, None, None);
    for (key, value) in attributes(rest) {
        let slot = match key {
            "id" => &mut id,
            "method" => &mut method,
            "params" | "result" => &mut payload,
            "code" => &mut code,
            "error" => &mut error,
            _ => continue,
        };
        *slot = slot.take().or_else(|| Some(plain(value)));
    }
    out.push_str("{\"jsonrpc\":\"2.0\"");
    if let Some(id) = id.filter(|_| kind != Kind::Notification) {
        out.push_str(",\"id\":");
        bare_id(&id, out);
    }
    if let Some(method) = method.filter(|_| matches!(kind, Kind::Request | Kind::Notification)) {
        out.push_str(",\"method\":");
        quote(&method, out);
    }
    if kind == Kind::Error {
        out.push_str(",\"error\":{\"code\":");
        out.push_str(code.as_deref().unwrap_or("0"));
        out.push_str(",\"message\":");
        quote(&error.unwrap_or_default(), out);
        // Its data is never told.
        out.push_str("},...}");
        return Some(text.len());
    }
    out.push_str(if kind == Kind::Result { ",\"result\":" } else { ",\"params\":" });
    // Params of requests are no JSON but what Go prints.
    out.push_str(payload.as_deref().filter(|payload| payload.starts_with(['{', '['])).unwrap_or("..."));
    out.push('}');
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_messages() {
        for (text, wanted) in [
            (r#"request" method=tools/list id=1"#, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":...}"#),
            (
                r#"request method=tools/call id=a-1 params="map[name:x y:{}]""#,
                r#"{"jsonrpc":"2.0","id":"a-1","method":"tools/call","params":...}"#,
            ),
            (
                r#"response" id=1 method=tools/list duration=14ms result="{\"tools\":[{\"name\":\"a \\\"b\\\"\"}]}""#,
                r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a \"b\""}]}}"#,
            ),
            (
                r#"response error" id=1 method=x code=-32601 error="no such \"x\"""#,
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such \"x\""},...}"#,
            ),
            (
                r#"notification" method=notifications/progress params="{\"progress\":1}""#,
                r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#,
            ),
        ] {
            let mut out = String::new();
            assert_eq!(convert(text, &mut out), Some(text.len()), "{text}");
            assert_eq!(out, wanted);
        }
    }

    #[test]
    fn failures_of_the_client_are_no_messages() {
        for text in [
            r#""← response error" id=1 method=x error="context deadline exceeded""#,
            r#""→ notification error" method=x error=EOF"#,
        ] {
            assert!(matches!(tell(text), Told::Event { .. }), "{text}");
        }
        assert!(matches!(tell(r#""→ requests served" n=3"#), Told::Other(_)));
    }

    #[test]
    fn any_attributes_are_survived() {
        for text in ["request \"", "request =\"\\", "request é=\"\\é", "request a=\"\\\"", "request = ==", "request"]
        {
            let mut out = String::new();
            let _ = convert(text, &mut out);
        }
    }
}
