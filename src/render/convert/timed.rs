//! `jsonl`: the timed lines that the format `converted` reads. What the log says is written as the log says it; of what was
//! worked out only the direction, marked as such, because a line without one is of little use. Memory: one batch.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use super::{Conversion, json_of};
use crate::annotate::{Annotated, Certainty, Record};
use crate::protocol::Direction;
use crate::render::Renderer;
use crate::render::json::Rfc3339;
use crate::transcript::{Content, EventKind, Flags, Frame, Origin, Outline, TimeBasis};

/// The row of timed lines.
pub(super) const JSONL: Conversion = Conversion {
    name: "jsonl",
    summary: "timed JSON lines, read again as the format `converted`",
    loses: "heads of HTTP, blank lines and what frames a log",
    open: || Box::new(Timed::default()),
};

#[derive(Default)]
struct Timed {
    /// Names of the inputs, where there are several.
    inputs: Vec<String>,
    /// A filter selects: what is left of a batch is written as single messages.
    selects: bool,
    line: String,
    /// A batch up to the element that came last.
    batch: String,
}

impl Renderer for Timed {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Trace(trace) => {
                self.selects = trace.filter.is_some();
                if trace.inputs.len() > 1 {
                    self.inputs.clone_from(&trace.inputs);
                }
            }
            Record::Message(message) => self.message(message, out)?,
            Record::Event(event) => {
                let Some(frame) = event.frame else { return Ok(()) };
                // The frame has the whole text, the event perhaps only its beginning.
                let text = if let Content::Event { text, .. } = frame.content { text } else { event.text };
                self.head(event.input, frame, frame.direction, None);
                if event.kind == EventKind::Noise && !event.wire {
                    member(&mut self.line, "origin", "log");
                }
                member(&mut self.line, "event", event.kind.as_str());
                member(&mut self.line, "text", text);
                self.end(out)?;
            }
            Record::View(view) => {
                if let Content::Outline(outline) = &view.frame.content {
                    self.head(view.input, view.frame, view.frame.direction, None);
                    self.outline(outline);
                    self.end(out)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Timed {
    fn message(&mut self, message: &Annotated<'_>, out: &mut dyn Write) -> io::Result<()> {
        let text = json_of(message);
        if let (Some(batch), Some(text)) = (message.batch.filter(|_| !self.selects), text) {
            if batch.index == 0 {
                self.head_of(message);
                self.line.push_str(",\"msg\":[");
                std::mem::swap(&mut self.line, &mut self.batch);
            } else {
                self.batch.push(',');
            }
            copy(text, &mut self.batch);
            if batch.index + 1 == batch.size {
                self.batch.push_str("]}\n");
                out.write_all(self.batch.as_bytes())?;
                self.batch.clear();
            }
            return Ok(());
        }
        self.head_of(message);
        match (&message.frame.content, text) {
            (Content::Outline(outline), _) => self.outline(outline),
            (_, Some(text)) => {
                self.line.push_str(",\"msg\":");
                copy(text, &mut self.line);
            }
            (_, None) => member(&mut self.line, "raw", message.text),
        }
        self.end(out)
    }

    /// Everything in front of a message.
    fn head_of(&mut self, message: &Annotated<'_>) {
        let concluded = message.direction.filter(|_| message.frame.direction.is_none());
        let basis = concluded.map(|_| message.basis.direction.unwrap_or(Certainty::Inferred));
        self.head(message.input, message.frame, message.direction, basis);
        let labelled = matches!(message.frame.content, Content::Message { origin: Origin::Labelled, .. });
        if labelled && json_of(message).is_none() {
            member(&mut self.line, "origin", "labelled");
        }
    }

    fn head(&mut self, input: u32, frame: &Frame<'_>, way: Option<Direction>, basis: Option<Certainty>) {
        let line = &mut self.line;
        line.clear();
        line.push_str("{\"ts\":");
        match &frame.time {
            Some(stamp) => put(line, format_args!("\"{}\"", Rfc3339(stamp))),
            None => line.push_str("null"),
        }
        if let Some(stamp) = frame.time.filter(|stamp| stamp.basis != TimeBasis::Recorded) {
            member(line, "ts_basis", stamp.basis.as_str());
        }
        let word = |way| match way {
            Direction::ClientToServer => "client->server",
            Direction::ServerToClient => "server->client",
        };
        match way {
            Some(way) => member(line, "dir", word(way)),
            None => line.push_str(",\"dir\":null"),
        }
        if let Some(basis) = basis {
            member(line, "dir_basis", basis.as_str());
        }
        if let Some(recorded) = frame.direction.filter(|recorded| Some(*recorded) != way) {
            member(line, "dir_recorded", word(recorded));
        }
        let session = match (frame.session, self.inputs.is_empty()) {
            (session, true) => session.map(str::to_owned),
            (None, false) => Some((input + 1).to_string()),
            (Some(session), false) => Some(format!("{}/{session}", input + 1)),
        };
        if let Some(session) = &session {
            member(line, "session", session);
        }
        if let Some(server) = frame.server {
            member(line, "server", server);
        }
        if let Some(asked) = frame.asked {
            member(line, "asked", asked);
        }
        if frame.flags != Flags::NONE {
            let words: Vec<_> = frame.flags.iter().map(|flag| format!("\"{}\"", flag.as_str())).collect();
            put(line, format_args!(",\"flags\":[{}]", words.join(",")));
        }
        match frame.at {
            Some(at) => put(line, format_args!(",\"at\":{at}")),
            None => {
                line.push_str(",\"at\":{");
                if let Some(name) = self.inputs.get(input as usize) {
                    line.push_str("\"file\":");
                    string(line, name);
                    line.push(',');
                }
                put(line, format_args!("\"line\":{}", frame.position.line));
                if let Some(entry) = frame.position.entry {
                    put(line, format_args!(",\"entry\":{entry}"));
                }
                line.push('}');
            }
        }
    }

    fn outline(&mut self, outline: &Outline<'_>) {
        put(&mut self.line, format_args!(",\"outline\":{{\"kind\":\"{}\"", outline.kind.as_str()));
        if let Some(method) = outline.method {
            member(&mut self.line, "method", method);
        }
        if let Some(target) = outline.target {
            member(&mut self.line, "target", target);
        }
        if let Some(id) = outline.id {
            member(&mut self.line, "id_raw", id);
        }
        if let Some(code) = outline.error_code {
            put(&mut self.line, format_args!(",\"code\":{code}"));
        }
        self.line.push_str(if outline.view { ",\"view\":true}" } else { "}" });
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.line.push_str("}\n");
        out.write_all(self.line.as_bytes())
    }
}

/// Writing to a string cannot fail.
fn put(line: &mut String, text: fmt::Arguments<'_>) {
    let _ = line.write_fmt(text);
}

fn member(line: &mut String, name: &str, text: &str) {
    put(line, format_args!(",\"{name}\":"));
    string(line, text);
}

/// Appends text as a JSON string.
fn string(line: &mut String, text: &str) {
    // A string always has a form as JSON.
    line.push_str(&serde_json::to_string(text).unwrap_or_default());
}

/// Appends one JSON value as it stands, on one line: a line end can only stand between tokens.
fn copy(text: &str, line: &mut String) {
    match memchr::memchr2(b'\n', b'\r', text.as_bytes()) {
        None => line.push_str(text),
        Some(_) => line.extend(text.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c })),
    }
}
