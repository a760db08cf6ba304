//! The lines of FastMCP's logging middleware in plain text: that a request of a method came, and that it succeeded or
//! failed; on request with the params. Ids and results are not told.

use jiff::tz::TimeZone;
use serde::Deserialize;

use super::grammar::{Grammar, Split, Told, Way, stderr};
use super::json_scan::value_end;
use super::text_log::TextLog;
use super::{Bid, Confidence, EventKind, Format, Head, Outline, OutlineKind, Proof, stamp};
use crate::protocol::{Side, TargetKey, method_set};

/// The row of the middleware's lines.
pub(super) const FORMAT: Format = Format {
    name: "fastmcp-log",
    title: "FastMCP's logging middleware in plain text, also through Rich",
    example: r#"INFO:fastmcp.middleware.logging:event=request_start method=tools/call source=client payload={"name":"search","arguments":{}} payload_type=CallToolRequestParams"#,
    loses: "ids, results, params except what a request is about; often times",
    proof: Proof::Recorded,
    sniff,
    open: |options| TextLog::open(&GRAMMAR, options),
};

static GRAMMAR: Grammar =
    Grammar { reason: "a line has the middleware's `event=` and `method=`", split, tell, stray: stderr };

/// How far into a line its `event=` is looked for.
const HEADER: usize = 160;
/// How many lines of a head are looked at.
const LINES: usize = 60;

/// Certain when one of the first lines is the middleware's: the program may have said other things before.
fn sniff(head: &Head<'_>) -> Bid {
    match head.text.lines().take(LINES).any(|line| entry(line).is_some()) {
        true => Bid::new(Confidence::Certain, GRAMMAR.reason),
        false => Bid::NONE,
    }
}

/// An entry of the middleware.
struct Entry<'t> {
    /// `request_start` and the like.
    event: &'t str,
    method: &'t str,
    source: &'t str,
    /// What follows.
    rest: &'t str,
}

/// Where the entry of a line begins, whatever stands before it.
fn entry(line: &str) -> Option<usize> {
    let at = line.find("event=").filter(|at| *at <= HEADER)?;
    let apart = !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    (apart && parsed(&line[at..]).is_some()).then_some(at)
}

/// `event=E method=M source=S …`.
fn parsed(text: &str) -> Option<Entry<'_>> {
    let (event, rest) = text.strip_prefix("event=")?.split_once(' ')?;
    let (method, rest) = rest.strip_prefix("method=")?.split_once(' ')?;
    let (source, rest) = rest.strip_prefix("source=").map(|rest| rest.split_once(' ').unwrap_or((rest, "")))?;
    let (kind, state) = event.rsplit_once('_')?;
    let known = matches!(kind, "request" | "notification") && matches!(state, "start" | "success" | "error");
    known.then_some(Entry { event, method, source, rest })
}

fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let at = entry(line)?;
    let inner = line.strip_prefix(['[', '(']).unwrap_or(line);
    let time = stamp::leading(inner, zone).or_else(|| stamp::of_rich(line, zone)).map(|(time, _)| time);
    Some(Split { time, text: &line[at..], ..Split::default() })
}

fn tell(text: &str) -> Told<'_> {
    let Some(Entry { event, method, source, rest }) = parsed(text) else { return Told::Other(text) };
    let kind = match event {
        "request_start" => OutlineKind::Request,
        "request_success" => OutlineKind::Result,
        "request_error" => OutlineKind::Error,
        "notification_start" => OutlineKind::Notification,
        _ => return Told::event(EventKind::Note, text),
    };
    let asker = if source == "server" { Side::Server } else { Side::Client };
    let answer = matches!(kind, OutlineKind::Result | OutlineKind::Error);
    let sender = if answer { asker.other() } else { asker };
    let outline = Outline {
        kind,
        method: Some(method).filter(|method| *method != "unknown"),
        id: None,
        error_code: None,
        target: target(method, rest).filter(|_| !answer),
        view: false,
    };
    Told::Outline { way: Way::Recorded(sender.sends()), outline, voice: 0 }
}

/// What a request is about, from params that are told whole.
fn target<'t>(method: &str, rest: &'t str) -> Option<&'t str> {
    #[derive(Deserialize)]
    struct Params<'t> {
        #[serde(borrow)]
        name: Option<&'t str>,
        #[serde(borrow)]
        uri: Option<&'t str>,
    }
    #[derive(Deserialize)]
    struct Payload<'t> {
        #[serde(borrow)]
        params: Option<Params<'t>>,
        #[serde(borrow, flatten)]
        bare: Params<'t>,
    }
    let TargetKey::Param(key) = method_set(method)?.at_or_any(None).target else { return None };
    let payload = &rest[rest.find("payload={")? + "payload=".len()..];
    let payload: Payload<'t> = serde_json::from_str(&payload[..value_end(payload)?]).ok()?;
    let params = payload.params.unwrap_or(payload.bare);
    match key {
        "name" => params.name,
        "uri" => params.uri,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_tell_method_way_and_target() {
        for (line, wanted) in [
            (
                r#"INFO:x:event=request_start method=tools/call source=client payload={"_meta":null,"name":"add","arguments":{"name":"b"}} payload_type=C"#,
                Some((OutlineKind::Request, Side::Client, Some("add"))),
            ),
            (
                r#"event=request_start method=tools/call source=client payload={"method":"tools/call","params":{"name":"add"}} payload_type=C"#,
                Some((OutlineKind::Request, Side::Client, Some("add"))),
            ),
            (
                r#"event=request_start method=tools/call source=client payload={"name":"ad... payload_type=C"#,
                Some((OutlineKind::Request, Side::Client, None)),
            ),
            (
                "2025-01-02 03:04:05,678 - x - ERROR - event=request_error method=tools/call source=client duration_ms=1 error=payload={\"name\":\"x\"}",
                Some((OutlineKind::Error, Side::Server, None)),
            ),
            ("event=notification_success method=notifications/initialized source=client duration_ms=1", None),
        ] {
            let split = split(line, &TimeZone::UTC).expect("an entry");
            let told = match tell(split.text) {
                Told::Outline { way: Way::Recorded(direction), outline, .. } => {
                    Some((outline.kind, direction, outline.target))
                }
                _ => None,
            };
            assert_eq!(told, wanted.map(|(kind, side, target)| (kind, side.sends(), target)), "{line}");
        }
        for line in
            ["event=request_start", "myevent=request_start method=a source=b", "event=x_start method=a source=b"]
        {
            assert!(split(line, &TimeZone::UTC).is_none(), "{line}");
        }
    }
}
