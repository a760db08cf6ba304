//! Everything that the records of a run tell, except where it stands: to be compared between two tellings of one log.

use std::fmt::Debug;
use std::io::{self, Cursor};

use mcp_trace::annotate::{InputStatus, Record, Trace};
use mcp_trace::pipeline::{Job, Sink, run_sources};
use mcp_trace::render::{CONVERSIONS, Renderer};
use mcp_trace::transcript::{ReadOptions, Source};

/// The records as text, and what else tests ask for.
#[derive(Default)]
pub(crate) struct Records {
    pub(crate) told: Vec<String>,
    pub(crate) messages: usize,
    pub(crate) sessions: usize,
    pub(crate) format: Option<&'static str>,
    pub(crate) status: Option<InputStatus>,
}

impl Records {
    fn tell(&mut self, word: &str, parts: &[&dyn Debug]) {
        self.told.push(format!("{word} {parts:?}"));
    }
}

impl Sink for Records {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        match record {
            Record::Message(m) => {
                self.messages += 1;
                // White space around a message and line ends between its tokens are no part of it.
                let text = m.text.trim_ascii().replace(['\n', '\r'], " ");

                let reason = m.parsed.and_then(|parsed| parsed.envelope.as_ref().err().map(|error| &error.reason));
                self.tell("message", &[&m.n, &m.session, &m.server, &m.time, &m.session_start, &m.direction]);
                self.tell("        ", &[&m.kind, &m.outcome, &m.id, &m.id_state, &m.method, &m.target, &m.feature]);
                self.tell("        ", &[&m.phase, &m.revision, &m.requires, &m.answers, &m.answered_by, &m.relates_to]);
                self.tell("        ", &[&m.caused_by, &m.continues, &m.status, &m.late, &m.cancelled, &m.error]);
                self.tell("        ", &[&m.latency, &m.batch, &m.flags, &m.basis, &text, &reason]);
            }
            Record::Embedded(e) => {
                self.tell("embedded", &[&e.of, &e.key, &e.session, &e.direction, &e.kind, &e.method, &e.target]);
            }
            Record::View(view) => self.tell("view", &[&view.of, &view.session, &view.rendering]),
            Record::Event(e) => {
                self.tell("event", &[&e.session, &e.time, &e.kind, &e.text, &e.phase, &e.flags, &e.wire])
            }
            Record::Agreed(a) => self.tell("agreed", &[&a.session, &a.by, &a.revision, &a.client_capabilities]),
            Record::SessionEnd(s) => {
                self.sessions += 1;
                self.tell("session", &[&s.session, &s.server, &s.client, &s.era, &s.revision, &s.counts, &s.times]);
                self.tell("       ", &[&s.unanswered, &s.ended, &s.swapped_labels]);
            }
            Record::InputEnd(end) => {
                self.format = end.detected.map(|detected| detected.format.name);
                self.status = Some(end.status);
            }
            Record::Trace(_) | Record::Finding(_) | Record::Summary(_) => {}
        }
        Ok(())
    }
}

struct Converting(Box<dyn Renderer>, Vec<u8>, Records);

impl Sink for Converting {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.0.record(record, &mut self.1)?;
        self.2.record(record)
    }
}

fn run(inputs: &[(&str, Vec<u8>)], sink: &mut dyn Sink) {
    let names = inputs.iter().map(|(name, _)| (*name).to_owned()).collect();
    let job = Job {
        trace: Trace { command: "convert", filter: None, inputs: names },
        from: None,
        read: ReadOptions::default(),
        redact: None,
        filter: None,
        interrupt: Default::default(),
    };
    let source = |bytes: &Vec<u8>| Ok(Source::from_read(Cursor::new(bytes.clone())));
    run_sources(&job, inputs.iter().map(|(name, bytes)| ((*name).to_owned(), source(bytes))), sink).unwrap();
}

/// Reads the inputs.
pub(crate) fn read(inputs: &[(&str, Vec<u8>)]) -> Records {
    let mut records = Records::default();
    run(inputs, &mut records);
    records
}

/// Reads the inputs and writes them in the format of that name.
pub(crate) fn convert(to: &str, inputs: &[(&str, Vec<u8>)]) -> (Records, String) {
    let conversion = CONVERSIONS.iter().find(|conversion| conversion.name == to).unwrap();
    let mut sink = Converting((conversion.open)(), Vec::new(), Records::default());
    run(inputs, &mut sink);
    (sink.2, String::from_utf8(sink.1).unwrap())
}
