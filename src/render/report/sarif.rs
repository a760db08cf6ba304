//! `sarif`: SARIF 2.1.0, an OASIS standard (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/>), as code scanning reads it. The
//! rules come first, results as they are found, and last how the run went.
//!
//! A region is the marked part of a message that stands on its line as it is; else it is whole lines, since the columns of a
//! message in a wrapping are not known. Where a message stands to the byte is in the properties of the result.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;

use super::fingerprint::Fingerprints;
use super::rule_book::{Descriptor, descriptors};
use super::{Room, Unread, cut, held_back, no_room, no_verdict, plain, supposed, uri};
use crate::annotate::{Finding, Record, Severity, Summary};
use crate::position::Position;
use crate::render::{Output, Renderer};

/// Findings for code scanning.
pub(in crate::render) const SARIF: Output = Output {
    name: "sarif",
    summary: "findings and rules as SARIF 2.1.0, for code scanning; what was not read is a notification, and the \
              invocation is marked as failed",
    records: false,
    findings: true,
    open: |_| Box::new(Sarif::new()),
};

/// Bytes of an excerpt.
const EXCERPT: usize = 1_024;

struct Sarif {
    /// Code scanning refuses a run with more than 25,000 results.
    room: Room,
    fingerprints: Fingerprints,
    places: HashMap<&'static str, usize>,
    begun: bool,
    notifications: Vec<Notification>,
}

/// A `message` or `multiformatMessageString`.
#[derive(Serialize)]
pub(super) struct Message {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) markdown: Option<String>,
}

impl Message {
    /// Text of our own.
    pub(super) fn text(text: &str) -> Self {
        Self { text: text.to_owned(), markdown: None }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Prints,
    properties: Properties<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Prints {
    primary_location_line_hash: String,
}

#[derive(Serialize)]
struct Properties<'a> {
    n: Option<u64>,
    session: u64,
    revision: &'a str,
    offset: u64,
    length: u64,
    pointer: &'a str,
    spec: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
    physical_location: Physical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
    /// What stands around the region.
    #[serde(skip_serializing_if = "Option::is_none")]
    context_region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    start_column: u64,
    end_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<Message>,
}

#[derive(Serialize)]
struct Notification {
    descriptor: Reference,
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor>,
    notifications: [Remark; REMARKS.len()],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Remark {
    id: &'static str,
    short_description: Message,
}

#[derive(Serialize)]
struct Reference {
    id: &'static str,
}

/// Notifications that a run may have.
const REMARKS: [(&str, &str); 5] = [
    ("not-read", "An input, or a part of one, was not read, so the run is no verdict."),
    ("left-out", "There were more findings than a report may hold."),
    ("held-back", "The user has said that some findings are not reported."),
    ("supposed", "The run judged what would be if something else had been negotiated."),
    ("not-judged", "A bounded table was full, so something was not judged."),
];

/// The level of a result or rule.
pub(super) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Text of a transcript in a message: braces stand for placeholders there, and a bracket before a parenthesis ends a link.
fn message_text(text: &str) -> String {
    plain(text).replace('{', "{{").replace('}', "}}").replace("](", "] (")
}

/// The columns of a part of a message that stands on its line as it is: the first, and that behind the last.
fn columns(position: Position, text: &str, (start, length): (usize, usize)) -> Option<(u64, u64)> {
    let is_verbatim = position.line == position.end_line && position.length == text.len() as u64;
    let lead = position.lead.filter(|_| is_verbatim)?;
    let characters = |text: &str| text.chars().count() as u64;
    let first = 1 + u64::from(lead) + characters(text.get(..start)?);
    Some((first, first + characters(text.get(start..start + length)?)))
}

fn location(file: &str, position: Position, snippet: &str, mark: Option<(usize, usize)>) -> Location {
    let uri = uri(file);
    let uri_base_id = (!uri.starts_with("file:")).then_some("%SRCROOT%");
    let end_line = position.end_line.max(position.line);
    let region = |start_column, end_column, text: &str| Region {
        start_line: position.line,
        start_column,
        end_line,
        end_column,
        snippet: (!text.is_empty()).then(|| Message::text(&plain(cut(text, EXCERPT)))),
    };
    let lines = (position.line > 0).then(|| region(1, None, snippet));
    let marked = mark.and_then(|(start, length)| {
        let (first, behind) = columns(position, snippet, (start, length))?;
        Some(region(first, Some(behind), &snippet[start..start + length]))
    });
    let (region, context_region) = match marked {
        Some(_) => (marked, lines),
        None => (lines, None),
    };
    let artifact_location = Artifact { uri, uri_base_id };
    Location { id: None, message: None, physical_location: Physical { artifact_location, region, context_region } }
}

impl Sarif {
    fn new() -> Self {
        Self {
            room: Room::new(10_000, 10_000, 5_000),
            fingerprints: Fingerprints::default(),
            places: HashMap::new(),
            begun: false,
            notifications: Vec::new(),
        }
    }

    /// Everything before the first result.
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let (rules, places) = descriptors();
        self.places = places;
        let notifications = REMARKS.map(|(id, text)| Remark { id, short_description: Message::text(text) });
        let version = env!("CARGO_PKG_VERSION");
        let driver = Driver { name: "mcp-trace", semantic_version: version, rules, notifications };
        let driver = serde_json::to_string(&driver)?;
        writeln!(
            out,
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\
             \"tool\":{{\"driver\":{driver}}},\"automationDetails\":{{\"id\":\"mcp-trace/\"}},\"columnKind\":\"unicodeCodePoints\",\
             \"originalUriBaseIds\":{{\"%SRCROOT%\":{{\"description\":{{\"text\":\"the folder in which mcp-trace ran\"}}}}}},\
             \"results\":["
        )
    }

    fn finding(&mut self, finding: &Finding<'_>, out: &mut dyn Write) -> io::Result<()> {
        if !self.room.takes(finding.severity) {
            return Ok(());
        }
        let mut text = format!("{}.", message_text(finding.message));
        for (at, related) in finding.related.iter().enumerate() {
            text.push_str(&format!(" See [{}]({}).", link_text(&related.what), at + 1));
        }
        if let Some(help) = finding.help {
            text.push_str(&format!(" What to do: {}.", message_text(help)));
        }
        text.push_str(&format!(" {}", message_text(&finding.says())));
        let related = finding.related.iter().enumerate().map(|(at, related)| Location {
            id: Some(at + 1),
            message: Some(Message::text(&message_text(&related.what))),
            ..location(
                finding.file,
                related.position,
                related.excerpt.as_ref().map_or("", |excerpt| excerpt.text.as_str()),
                None,
            )
        });
        let print = self.fingerprints.of(finding);
        let result = SarifResult {
            rule_id: finding.rule,
            rule_index: self.places.get(finding.rule).copied(),
            level: level(finding.severity),
            message: Message::text(&text),
            locations: [location(finding.file, finding.position, finding.text, finding.mark)],
            related_locations: related.collect(),
            partial_fingerprints: Prints { primary_location_line_hash: format!("{}:{}", print.finding, print.number) },
            properties: Properties {
                n: finding.n,
                session: finding.session,
                revision: finding.revision.as_str(),
                offset: finding.position.offset,
                length: finding.position.length,
                pointer: finding.pointer,
                spec: finding.spec,
            },
        };
        if std::mem::replace(&mut self.begun, true) {
            out.write_all(b",\n")?;
        }
        serde_json::to_writer(out, &result).map_err(io::Error::from)
    }

    fn notify(&mut self, id: &'static str, level: &'static str, text: &str, locations: Vec<Location>) {
        let message = Message::text(&message_text(text));
        self.notifications.push(Notification { descriptor: Reference { id }, level, message, locations });
    }

    fn unread(&mut self, unread: &Unread) {
        let line = unread.line.unwrap_or(0);
        let place = location(&unread.file, Position { line, end_line: line, ..Position::default() }, "", None);
        let text = format!("{}: {}", unread.status, unread.reason);
        self.notify("not-read", "error", &text, vec![place]);
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        if let Some(why) = no_verdict(summary, !self.notifications.is_empty()) {
            self.notify("not-read", "error", why, Vec::new());
        }
        if let Some(left_out) = self.room.left_out() {
            let text = format!("this report has no room for {left_out} more");
            self.notify("left-out", "warning", &text, Vec::new());
        }
        if let Some(held) = held_back(summary) {
            self.notify("held-back", "note", &format!("findings that are not reported: {held}"), Vec::new());
        }
        for supposed in supposed(summary) {
            self.notify("supposed", "note", &supposed, Vec::new());
        }
        for lost in no_room(summary) {
            self.notify("not-judged", "warning", &lost, Vec::new());
        }
        let invocation = json!({
            "executionSuccessful": summary.complete,
            "exitCode": summary.exit_code,
            "toolExecutionNotifications": self.notifications,
        });
        writeln!(out, "\n],\"invocations\":[{invocation}]}}]}}")
    }
}

/// The text of a link, in which brackets are escaped.
fn link_text(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]").replace('{', "{{").replace('}', "}}")
}

impl Renderer for Sarif {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Trace(_) => self.begin(out),
            Record::Finding(finding) => self.finding(finding, out),
            Record::InputEnd(end) => {
                if let Some(unread) = Unread::of(end) {
                    self.unread(&unread);
                }
                Ok(())
            }
            Record::Summary(summary) => self.end(summary, out),
            Record::Message(_)
            | Record::Embedded(_)
            | Record::View(_)
            | Record::Event(_)
            | Record::Agreed(_)
            | Record::SessionEnd(_) => Ok(()),
        }
    }
}
