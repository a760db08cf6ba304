//! `json` and `ndjson`: the records as JSON, for programs. The names are a contract: see [`v1`].

mod compact;
mod controls;
mod convert;
mod flags;
mod payload;
mod scalar;
mod schema;
pub mod v1;
mod words;
mod write;

use std::io::{self, Write};

use serde::Serialize;
use serde::de::IgnoredAny;

use self::payload::{Payload, payload};
use self::v1::{V1Embedded, V1Event, V1Finding, V1Input, V1Message, V1Session, V1Summary, V1Trace, V1View};
use super::{OpenOptions, Output, Renderer};
use crate::annotate::{Annotated, Record};
use crate::jsonrpc::{Holds, Reason};
use crate::transcript::Flag;

pub use self::schema::schema;
pub(in crate::render) use self::write::Rfc3339;

/// One record a line, each as soon as it is known.
pub const NDJSON: Output = Output {
    name: "ndjson",
    summary: "one JSON record a line, each as soon as it is known",
    records: true,
    findings: true,
    open: |options| Box::new(Lines { records: Records::new(options) }),
};

/// One document.
pub const JSON: Output = Output {
    name: "json",
    summary: "one JSON document with the same records",
    records: true,
    findings: true,
    open: |options| Box::new(Document { records: Records::new(options), any: false }),
};

struct Lines {
    records: Records,
}

impl Renderer for Lines {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.records.line.clear();
        if self.records.append(record, out)? {
            self.records.line.push(b'\n');
            out.write_all(&self.records.line)?;
        }
        Ok(())
    }
}

/// Streams as well: only the brackets around the records are its own.
struct Document {
    records: Records,
    any: bool,
}

impl Renderer for Document {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        let line = &mut self.records.line;
        line.clear();
        match record {
            Record::Trace(trace) => {
                write!(line, "{{\"version\":\"{}\",\"inputs\":", v1::VERSION)?;
                serde_json::to_writer(&mut *line, &trace.inputs)?;
                line.extend_from_slice(b",\"records\":[");
            }
            Record::Summary(_) => line.extend_from_slice(b"\n],\"summary\":"),
            _ => {}
        }
        let before = self.records.line.len();
        if !matches!(record, Record::Summary(_)) {
            self.records.line.extend_from_slice(if self.any { b",\n" } else { b"\n" });
        }
        if !self.records.append(record, out)? {
            self.records.line.truncate(before);
        } else if matches!(record, Record::Summary(_)) {
            self.records.line.extend_from_slice(b"}\n");
        } else {
            self.any = true;
        }
        out.write_all(&self.records.line)
    }
}

/// Records to JSON text in one reused buffer.
struct Records {
    line: Vec<u8>,
    payload: bool,
}

impl Records {
    fn new(options: &OpenOptions) -> Self {
        Self { line: Vec::with_capacity(4096), payload: options.payload }
    }

    /// Appends a record to the line, which may be written out in part; false when the JSON output has no such record.
    fn append(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<bool> {
        match record {
            Record::Trace(trace) => self.json(&V1Trace::from(*trace))?,
            Record::Message(message) => self.message(message, out)?,
            Record::Embedded(embedded) => self.json(&V1Embedded::from(*embedded))?,
            Record::View(view) => self.json(&V1View::from(*view))?,
            Record::Event(event) => self.json(&V1Event::from(*event))?,
            Record::Finding(finding) => self.json(&V1Finding::from(*finding))?,
            Record::SessionEnd(session) => self.json(&V1Session::from(*session))?,
            Record::InputEnd(input) => self.json(&V1Input::from(*input))?,
            Record::Summary(summary) => self.json(&V1Summary::from(*summary))?,
            Record::Agreed(_) => return Ok(false),
        }
        Ok(true)
    }

    fn json(&mut self, record: &impl Serialize) -> io::Result<()> {
        Ok(compact::append(&mut self.line, record)?)
    }

    fn message(&mut self, message: &Annotated<'_>, out: &mut dyn Write) -> io::Result<()> {
        let mut record = V1Message::from(message);
        let text = if self.payload { payload_text(message) } else { None };
        let holds = message.parsed.map_or(Holds::ANYTHING, |parsed| parsed.holds);
        let text = text.map(|text| payload(text, !message.flags.has(Flag::DuplicateMember), holds));
        match &text {
            Some(Payload::TooDeep) => record.flags.too_deep = true,
            Some(Payload::Text { replaced: true, .. }) => record.flags.flags = message.flags.with(Flag::BadUtf8),
            Some(Payload::Text { .. }) | None => {}
        }
        self.json(&record)?;
        if let Some(Payload::Text { text, .. }) = &text {
            // `payload` is the last member and was written as null: the text in its place goes straight to the
            // output, where a raw value would be parsed once more and copied twice.
            let end = self.line.len() - "null}".len();
            out.write_all(&self.line[..end])?;
            out.write_all(text.as_bytes())?;
            self.line.clear();
            self.line.push(b'}');
        }
        Ok(())
    }
}

/// The text of the message, when it is a JSON object or array.
fn payload_text<'a>(message: &Annotated<'a>) -> Option<&'a str> {
    let text = match message.parsed {
        Some(parsed) => match &parsed.envelope {
            Err(malformed) if matches!(malformed.reason, Reason::NotJson { .. }) => return None,
            Ok(_) | Err(_) => parsed.text,
        },
        // Nobody has read this text yet.
        None => serde_json::from_str::<IgnoredAny>(message.text).ok().map(|_| message.text)?,
    };
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    text.starts_with(['{', '[']).then_some(text)
}
