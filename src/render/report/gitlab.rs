//! `gitlab`: the report of GitLab's Code Quality, one JSON array (<https://docs.gitlab.com/ci/testing/code_quality/>). Written
//! as findings come. What was not read is an entry of its own, for the format has no other place for it.

use std::io::{self, Write};

use serde::Serialize;

use super::fingerprint::Fingerprints;
use super::{Room, Unread, held_back, no_room, no_verdict, path, plain, supposed};
use crate::annotate::{Finding, Record, Severity, Summary};
use crate::render::{Output, Renderer};

/// Findings for merge requests of GitLab.
pub(in crate::render) const GITLAB: Output = Output {
    name: "gitlab",
    summary: "findings as a Code Quality report of GitLab; what was not read is an entry with the severity `blocker`",
    records: false,
    findings: true,
    open: |_| Box::new(GitLab::new()),
};

struct GitLab {
    room: Room,
    fingerprints: Fingerprints,
    begun: bool,
    unread: bool,
}

#[derive(Serialize)]
struct Entry<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u64,
}

impl GitLab {
    fn new() -> Self {
        Self {
            room: Room::new(10_000, 10_000, 5_000),
            fingerprints: Fingerprints::default(),
            begun: false,
            unread: false,
        }
    }

    fn entry(&mut self, entry: &Entry<'_>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.begun { b",\n" } else { b"[\n" })?;
        self.begun = true;
        serde_json::to_writer(out, entry).map_err(io::Error::from)
    }

    fn finding(&mut self, finding: &Finding<'_>, out: &mut dyn Write) -> io::Result<()> {
        if !self.room.takes(finding.severity) {
            return Ok(());
        }
        let path = path(finding.file);
        let print = self.fingerprints.of(finding);
        let entry = Entry {
            description: format!("{}: {}", finding.rule, plain(finding.message)),
            check_name: finding.rule,
            fingerprint: format!("{}:{}", print.in_file, print.number),
            severity: match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            location: Location { path: &plain(&path), lines: Lines { begin: finding.position.line.max(1) } },
        };
        self.entry(&entry, out)
    }

    /// An entry that is no finding.
    fn remark(
        &mut self,
        name: &'static str,
        severity: &'static str,
        file: &str,
        text: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let path = path(file);
        let print = self.fingerprints.of_parts(&path, name.to_owned());
        let entry = Entry {
            description: format!("{name}: {text}"),
            check_name: name,
            fingerprint: format!("{}:{}", print.in_file, print.number),
            severity,
            location: Location { path: &plain(&path), lines: Lines { begin: 1 } },
        };
        self.entry(&entry, out)
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        if let Some(why) = no_verdict(summary, self.unread) {
            self.remark("not-read", "blocker", "mcp-trace", why, out)?;
        }
        if let Some(left_out) = self.room.left_out() {
            let text = format!("this report has no room for {left_out} more");
            self.remark("left-out", "major", "mcp-trace", &text, out)?;
        }
        if let Some(held) = held_back(summary).filter(|_| summary.filtered.is_some()) {
            self.remark("filtered", "info", "mcp-trace", &format!("findings that are not reported: {held}"), out)?;
        }
        let supposed: Vec<String> = supposed(summary).collect();
        if !supposed.is_empty() {
            self.remark("supposed", "info", "mcp-trace", &supposed.join("; "), out)?;
        }
        let lost: Vec<String> = no_room(summary).collect();
        if !lost.is_empty() {
            self.remark("not-judged", "minor", "mcp-trace", &lost.join("; "), out)?;
        }
        out.write_all(if self.begun { b"\n]\n" } else { b"[]\n" })
    }
}

impl Renderer for GitLab {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Finding(finding) => self.finding(finding, out),
            Record::InputEnd(end) => match Unread::of(end) {
                Some(unread) => {
                    self.unread = true;
                    let text = format!("{}: {}", unread.status, unread.reason);
                    self.remark("not-read", "blocker", &unread.file, &text, out)
                }
                None => Ok(()),
            },
            Record::Summary(summary) => self.end(summary, out),
            Record::Trace(_)
            | Record::Message(_)
            | Record::Embedded(_)
            | Record::View(_)
            | Record::Event(_)
            | Record::Agreed(_)
            | Record::SessionEnd(_) => Ok(()),
        }
    }
}
