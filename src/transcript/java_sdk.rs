//! Debug logs of MCP's Java SDK, in whatever pattern they are written: what arrives as JSON, and requests, responses and
//! notifications as Java prints its records. Of the latter only the outline is told: texts stand in them without quotes.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Notation, Split, Told, Way, other};
use super::text_log::TextLog;
use super::{EventKind, Format, Outline, OutlineKind, Proof, silent, stamp};

/// The row of the Java SDK's debug logs.
pub(super) const FORMAT: Format = Format {
    name: "java-sdk",
    title: "debug logs of MCP's Java SDK and Spring AI",
    example: r#"2025-01-02T03:04:05.678Z DEBUG 7 --- [main] i.m.spec.McpServerSession : Received request: JSONRPCRequest[jsonrpc=2.0, method=tools/list, id=1, params=null]"#,
    loses: "payloads of what is not told as JSON; what a server on HTTP answers",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::TEE),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of the Java SDK's", split, tell, stray: other };

const LEVELS: [&str; 5] = [" TRACE ", " DEBUG ", " INFO ", " WARN ", " ERROR "];

/// A line with a time, whole or of the day alone, and a level.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = match stamp::leading(line, zone) {
        Some((time, rest)) => (Some(time), rest),
        None => (None, day_time(line)?),
    };
    // The level stands behind the time, or behind the name of the thread.
    let (at, level) = LEVELS.iter().filter_map(|level| Some((rest.find(level)?, level))).min()?;
    (at < 80).then(|| Split { time, text: &rest[at + level.len()..], ..Split::default() })
}

/// The text behind `03:04:05.678`.
fn day_time(line: &str) -> Option<&str> {
    let clock = line.as_bytes().get(..12)?;
    let fits = clock.iter().enumerate().all(|(at, byte)| match at {
        2 | 5 => *byte == b':',
        8 => matches!(byte, b'.' | b','),
        _ => byte.is_ascii_digit(),
    });
    fits.then(|| &line[12..])
}

/// The sentences with messages: their way and voice.
const SAYINGS: [(&str, Way, u8); 6] = [
    ("Received JSON message: ", Way::Received, 1),
    ("Received request: ", Way::Received, 2),
    ("Received notification: ", Way::Received, 2),
    ("Received response: ", Way::Received, 2),
    ("Received Response: ", Way::Received, 2),
    ("Sending message ", Way::Sent, 1),
];

fn tell(text: &str) -> Told<'_> {
    for (label, way, voice) in SAYINGS {
        let Some(at) = text.find(label).filter(|at| *at < 160) else { continue };
        let message = &text[at + label.len()..];
        if voice == 1 && message.starts_with('{') {
            return Told::Message { way, text: message, notation: Notation::Json, voice };
        }
        if let Some(outline) = record(message) {
            return Told::Outline { way, outline, voice };
        }
    }
    match text.contains("Message sent to session ") || text.contains("io.modelcontextprotocol.") {
        true => Told::event(EventKind::Note, text),
        false => Told::Other(text),
    }
}

/// `JSONRPCRequest[jsonrpc=2.0, method=tools/call, id=1, params={name=x}]`.
fn record(text: &str) -> Option<Outline<'_>> {
    let (name, fields) = text.split_once('[')?;
    let name = name.rsplit(['.', '$']).next()?;
    // What stands behind these is of any form.
    let (head, tail) = ["params=", "result=", "error="]
        .iter()
        .filter_map(|name| fields.find(name))
        .min()
        .map_or((fields, ""), |at| fields.split_at(at));
    let field = |fields: &'_ str, name: &str| {
        let at = fields.find(name)? + name.len();
        let length = fields[at..].find([',', ']', '}']).unwrap_or(fields.len() - at);
        Some((at, length)).filter(|(_, length)| *length > 0)
    };
    let head_field = |name: &str| field(head, name).map(|(at, length)| &head[at..at + length]);
    let kind = match name {
        "JSONRPCRequest" => OutlineKind::Request,
        "JSONRPCNotification" => OutlineKind::Notification,
        "JSONRPCResponse" if tail.starts_with("result=null, error=") => OutlineKind::Error,
        "JSONRPCResponse" => OutlineKind::Result,
        _ => return None,
    };
    let code = field(tail, "code=").filter(|_| kind == OutlineKind::Error);
    let of_params = tail.strip_prefix("params=").filter(|params| !params.starts_with("null"));
    let target = of_params.and_then(|params| {
        let first = params.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric()).get(1..)?;
        let target = first.strip_prefix("name=").or_else(|| first.strip_prefix("uri="))?;
        target.split([',', ']', '}']).next()
    });
    Some(Outline {
        kind,
        method: head_field("method="),
        id: head_field("id="),
        error_code: code.and_then(|(at, length)| tail[at..at + length].parse().ok()),
        target,
        view: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_outlines() {
        for (text, kind, method, id, target, code) in [
            (
                "JSONRPCRequest[jsonrpc=2.0, method=tools/call, id=a-3, params={name=echo, arguments={id=7}}]",
                OutlineKind::Request,
                Some("tools/call"),
                Some("a-3"),
                Some("echo"),
                None,
            ),
            (
                "JSONRPCRequest[jsonrpc=2.0, method=resources/read, id=1, params=ReadResourceRequest[uri=a://b, meta=null]]",
                OutlineKind::Request,
                Some("resources/read"),
                Some("1"),
                Some("a://b"),
                None,
            ),
            (
                "JSONRPCNotification[jsonrpc=2.0, method=notifications/initialized, params=null]",
                OutlineKind::Notification,
                Some("notifications/initialized"),
                None,
                None,
                None,
            ),
            (
                "JSONRPCResponse[jsonrpc=2.0, id=4, result={id=9}, error=null]",
                OutlineKind::Result,
                None,
                Some("4"),
                None,
                None,
            ),
            (
                "JSONRPCResponse[jsonrpc=2.0, id=4, result=null, error=JSONRPCError[code=-32601, message=no, data=null]]",
                OutlineKind::Error,
                None,
                Some("4"),
                None,
                Some(-32601),
            ),
        ] {
            let told = record(text).expect(text);
            assert_eq!(
                (told.kind, told.method, told.id, told.target, told.error_code),
                (kind, method, id, target, code),
                "{text}"
            );
        }
        for text in ["", "JSONRPC", "Other[id=1]", "JSONRPCRequest", "[", "JSONRPCRequest[id="] {
            let told = record(text);
            assert!(told.is_none_or(|told| told.id.is_none()), "{text}");
        }
    }

    #[test]
    fn lines_begin_with_a_time_and_a_level() {
        for line in [
            "2025-01-02T03:04:05.678+01:00 DEBUG 7 --- [app] [main] i.m.spec.McpServerSession : Received request: x",
            "03:04:05.678 [main] DEBUG io.modelcontextprotocol.spec.McpServerSession -- Received request: x",
            "2025-01-02 03:04:05,678 [main] DEBUG x - Received request: x",
        ] {
            assert!(split(line, &TimeZone::UTC).expect(line).text.ends_with("Received request: x"));
        }
        assert!(split("DEBUG Received request: x", &TimeZone::UTC).is_none());
    }
}
