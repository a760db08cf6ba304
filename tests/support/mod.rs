//! What several tests share: running the pipeline in memory, and comparing its messages with a truth.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::io::{self, Cursor, Read};
use std::path::PathBuf;

use mcp_trace::annotate::{
    Annotated, Certainty, IdState, InputStatus, Kind, LineClasses, Needs, Outcome, Record, Summary, Trace,
};
use mcp_trace::pipeline::{Job, Sink, run_sources};
use mcp_trace::transcript::{Format, ReadOptions, Source};

/// One message, flattened to what a truth tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    pub n: u64,
    pub line: u64,
    pub end_line: u64,
    pub offset: u64,
    pub length: u64,
    pub cancelled: bool,
    pub session: u64,
    pub kind: Kind,
    pub outcome: Option<Outcome>,
    pub direction: Option<&'static str>,
    pub method: Option<String>,
    pub target: Option<String>,
    pub phase: Option<&'static str>,
    pub id_raw: Option<String>,
    pub id_state: IdState,
    pub answers: Option<u64>,
    pub answered_by: Option<u64>,
    pub relates_to: Option<u64>,
    pub guessed: bool,
    pub flags: Vec<&'static str>,
    pub needs: Vec<String>,
}

/// A further telling of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Again {
    pub line: u64,
    pub end_line: u64,
    pub of: Option<u64>,
}

/// Everything a run said that tests look at.
#[derive(Default)]
pub struct Run {
    pub messages: Vec<Told>,
    pub events: Vec<(u64, &'static str, String)>,
    pub embedded: Vec<(u64, String)>,
    pub embedded_needs: Vec<(u64, Vec<String>)>,
    pub continues: Vec<(u64, u64)>,
    pub sessions: u64,
    pub status: Option<InputStatus>,
    pub error: Option<String>,
    pub format: Option<&'static str>,
    pub classes: LineClasses,
    pub lines: u64,
    pub views: Vec<Again>,
    pub summary: Summary,
}

fn needs_text(needs: &Needs) -> String {
    let mark = match needs.declared {
        Some(true) => "+",
        Some(false) => "-",
        None => "?",
    };
    format!("{mark}{}.{}", needs.side.as_str(), needs.path.join("."))
}

impl Sink for Run {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        match record {
            Record::Message(m) => {
                self.continues.extend(m.continues.map(|of| (m.n, of)));
                self.messages.push(Told {
                    n: m.n,
                    line: m.position.line,
                    end_line: m.position.end_line,
                    offset: m.position.offset,
                    length: m.position.length,
                    cancelled: m.cancelled,
                    session: m.session,
                    kind: m.kind,
                    outcome: m.outcome,
                    direction: m.direction.map(|d| d.as_str()),
                    method: m.method.map(str::to_owned),
                    target: m.target.map(str::to_owned),
                    phase: m.phase.map(|p| p.as_str()),
                    id_raw: m.id.as_ref().map(|id| id.raw().to_owned()),
                    id_state: m.id_state,
                    answers: m.answers,
                    answered_by: m.answered_by,
                    relates_to: m.relates_to,
                    guessed: [m.basis.direction, m.basis.session, m.basis.method, m.basis.answers, m.basis.phase]
                        .contains(&Some(Certainty::Guessed)),
                    flags: m.flags.iter().map(|flag| flag.as_str()).collect(),
                    needs: m.requires.iter().map(needs_text).collect(),
                })
            }
            Record::Event(e) => self.events.push((e.position.line, e.kind.as_str(), e.text.to_owned())),
            Record::Embedded(e) => {
                self.embedded.push((e.of, e.method.as_deref().unwrap_or("?").to_owned()));
                self.embedded_needs.push((e.of, e.requires.iter().map(needs_text).collect()));
            }
            Record::SessionEnd(_) => self.sessions += 1,
            Record::InputEnd(end) => {
                self.status = Some(end.status);
                self.error = end.error.clone();
                self.classes = end.classes;
                self.lines = end.lines;
                self.format = end.detected.map(|detected| detected.format.name);
            }
            Record::Summary(summary) => self.summary = (*summary).clone(),
            Record::View(view) => {
                self.views.push(Again { line: view.position.line, end_line: view.position.end_line, of: view.of })
            }
            Record::Trace(_) | Record::Agreed(_) | Record::Finding(_) => {}
        }
        Ok(())
    }
}

/// Runs the pipeline over bytes in memory.
pub fn run_bytes(name: &str, bytes: Vec<u8>, from: Option<&'static Format>) -> Run {
    run_source(name, Source::from_read(Cursor::new(bytes)), from)
}

/// The same in reads of so many bytes.
pub fn run_chunks(name: &str, bytes: Vec<u8>, from: Option<&'static Format>, size: usize) -> Run {
    run_source(name, Source::from_read(in_reads_of(bytes, size)), from)
}

/// The same over anything that can be read, looking at each message instead of keeping it.
pub fn run_read(name: &str, read: impl Read + Send + 'static, look: impl FnMut(&Annotated<'_>)) -> Run {
    struct Looking<L>(L, Run);

    impl<L: FnMut(&Annotated<'_>)> Sink for Looking<L> {
        fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
            match record {
                Record::Message(message) => (self.0)(message),
                other => self.1.record(other)?,
            }
            Ok(())
        }
    }

    let mut looking = Looking(look, Run::default());
    run_sources(&job(name, None), [(name.to_owned(), Ok(Source::from_read(read)))], &mut looking).unwrap();
    looking.1
}

/// Bytes in reads of so many.
pub fn in_reads_of(bytes: Vec<u8>, size: usize) -> impl Read + Send + 'static {
    Chunks(Cursor::new(bytes), size)
}

struct Chunks(Cursor<Vec<u8>>, usize);

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = buffer.len().min(self.1);
        self.0.read(&mut buffer[..size])
    }
}

fn job(name: &str, from: Option<&'static Format>) -> Job {
    Job {
        trace: Trace { command: "annotate", filter: None, inputs: vec![name.to_owned()] },
        from,
        read: ReadOptions::default(),
        redact: None,
        filter: None,
        interrupt: Default::default(),
    }
}

fn run_source(name: &str, source: Source, from: Option<&'static Format>) -> Run {
    let mut run = Run::default();
    run_sources(&job(name, from), [(name.to_owned(), Ok(source))], &mut run).unwrap();
    run
}

/// The reference data beside the project, if it is there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent()?.join("shared").join(path);
    found.exists().then_some(found)
}

/// Reads a file, unpacking `.gz`; `path` is tried with and without that ending.
pub fn read_maybe_gz(path: PathBuf) -> Option<Vec<u8>> {
    if let Ok(bytes) = std::fs::read(&path) {
        return Some(bytes);
    }
    let packed = std::fs::File::open(path.with_extension(format!("{}.gz", path.extension()?.to_str()?))).ok()?;
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(packed).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
