//! `--write FILE`: what a filter selects as a capture of its own, which can be read again. Beside the output of the run,
//! which goes on when this fails.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::destination::Destination;
use super::notice::notice;
use super::produce;
use super::run::{CANNOT_RUN, Exit};
use crate::annotate::{Annotated, Record};
use crate::pipeline::{self, Job, Sink};
use crate::render::{CONVERSIONS, Renderer};
use crate::transcript::{Source, Tap};

/// May stand before the first line.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where to save, and whether a file of that name may be replaced.
pub(super) struct Place<'a> {
    pub(super) file: &'a Path,
    pub(super) force: bool,
}

/// Runs the job, and saves what it selects.
pub(super) fn run(job: &Job, renderer: Box<dyn Renderer>, output: Option<&Path>, place: &Place<'_>) -> Result<Exit> {
    let shown = place.file.display();
    produce::refuse_own_input(place.file, &job.trace.inputs)?;
    if !place.force && place.file.is_file() {
        bail!("`{shown}` is there already: expected another name, or `--force` to replace it");
    }
    let destination = Destination::open(Some(place.file))?;
    // Lines are copied as they are only where they are the whole truth: of one input, with its secrets in it.
    let tap = (job.trace.inputs.len() == 1 && job.redact.is_none()).then(Tap::default);
    let mut failed = false;
    let done = produce::through(job, renderer, output, |job, sink| {
        let mut saving = Saving::new(sink, destination, tap.clone());
        let sources = job.trace.inputs.iter().map(|name| {
            let source = Source::open(Path::new(name), Arc::clone(&job.interrupt));
            let tapped = source.map(|source| match &tap {
                Some(tap) => source.tapped(tap.clone()),
                None => source,
            });
            (name.clone(), tapped)
        });
        let summary = pipeline::run_sources(job, sources, &mut saving);
        failed = saving.failed;
        let mut summary = summary?;
        if failed {
            summary.exit_code = CANNOT_RUN.0;
        }
        if saving.closed { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(summary) }
    });
    // That somebody has read enough of the output does not make the file complete.
    if failed { done.or(Ok(CANNOT_RUN)) } else { done }
}

/// The form of the file.
enum Form {
    /// Not known before the first message.
    Open,
    /// The lines as they stand in the input; everything before this place in it is written or was passed over.
    Lines(u64),
    /// As `convert` writes them.
    Converted,
}

/// Hands every record on, and saves the selected messages.
struct Saving<'s> {
    inner: &'s mut dyn Sink,
    /// Nobody reads the output any more.
    closed: bool,
    file: Option<(BufWriter<Destination>, String)>,
    tap: Option<Tap>,
    form: Form,
    converter: Box<dyn Renderer>,
    saved: u64,
    failed: bool,
}

impl<'s> Saving<'s> {
    fn new(inner: &'s mut dyn Sink, destination: Destination, tap: Option<Tap>) -> Self {
        let cannot = destination.cannot_write();
        let form = if tap.is_some() { Form::Open } else { Form::Converted };
        let converter = CONVERSIONS.first().map(|conversion| (conversion.open)()).expect("there is a conversion");
        let file = Some((BufWriter::new(destination), cannot));
        Self { inner, closed: false, file, tap, form, converter, saved: 0, failed: false }
    }

    /// Does something with the file. When that fails, the file is given up and the run goes on.
    fn with_file(&mut self, act: impl FnOnce(&mut Self, &mut BufWriter<Destination>) -> io::Result<()>) {
        let Some((mut out, cannot)) = self.file.take() else { return };
        match act(self, &mut out) {
            Ok(()) => self.file = Some((out, cannot)),
            Err(error) => self.give_up(&cannot, &error, out),
        }
    }

    fn give_up(&mut self, cannot: &str, error: &io::Error, out: BufWriter<Destination>) {
        notice(&format!("{cannot}: {error}"));
        self.failed = true;
        // What is buffered would only fail again.
        drop(out.into_parts());
    }

    /// What comes before a selected message, or a message that is not selected.
    fn pass(&mut self, record: &Record<'_>) {
        let offset = match record {
            Record::Message(message) => {
                self.recognise(message);
                message.position.offset
            }
            Record::Event(event) => event.position.offset,
            _ => return,
        };
        if let Some(tap) = &self.tap {
            tap.forget_before(offset);
            if matches!(self.form, Form::Open) && tap.is_full() {
                self.form = Form::Converted;
            }
        }
    }

    /// The first message tells whether messages are lines.
    fn recognise(&mut self, message: &Annotated<'_>) {
        let (Form::Open, Some(tap)) = (&self.form, &self.tap) else { return };
        let position = message.position;
        let is_line = tap.lines(position.offset, position.length, |at, lines| {
            let start = usize::try_from(position.offset - at).unwrap_or(usize::MAX);
            let end = start.saturating_add(usize::try_from(position.length).unwrap_or(usize::MAX));
            let line = lines.strip_prefix(BYTE_ORDER_MARK).unwrap_or(lines).trim_ascii();
            let whole = lines.get(start..end).is_some_and(|own| own.trim_ascii() == line);
            whole || (message.batch.is_some() && line.starts_with(b"[") && line.ends_with(b"]"))
        });
        if is_line == Some(true) && message.position.line == message.position.end_line {
            self.form = Form::Lines(0);
        } else {
            tap.close();
            self.form = Form::Converted;
        }
    }

    fn save(&mut self, message: &Annotated<'_>) {
        self.saved += 1;
        self.with_file(|saving, out| {
            let (Form::Lines(done), Some(tap)) = (&mut saving.form, &saving.tap) else {
                return saving.converter.record(&Record::Message(message), out);
            };
            let position = message.position;
            let copied = tap.lines(position.offset, position.length, |at, lines| {
                // Another message of a line that was written, or of its last line and some more.
                let from = usize::try_from(done.saturating_sub(at)).unwrap_or(usize::MAX).min(lines.len());
                *done = (*done).max(at + lines.len() as u64);
                out.write_all(&lines[from..])?;
                if lines.len() > from && !lines.ends_with(b"\n") { out.write_all(b"\n") } else { Ok(()) }
            });
            copied.unwrap_or_else(|| writeln!(out, "{}", message.text))
        });
    }

    /// The end: the file appears in its place, and it is said what is in it.
    fn finish(&mut self) {
        let Some((out, cannot)) = self.file.take() else { return };
        if self.saved == 0 {
            notice("nothing was selected, so no file was written");
            return;
        }
        let written = match out.into_inner() {
            Ok(destination) => destination.commit(),
            Err(error) => {
                let (error, out) = error.into_parts();
                return self.give_up(&cannot, &error, out);
            }
        };
        if let Err(error) = written {
            notice(&format!("{cannot}: {error}"));
            self.failed = true;
            return;
        }
        let messages = if self.saved == 1 { "1 message".to_owned() } else { format!("{} messages", self.saved) };
        let form =
            if matches!(self.form, Form::Lines(_)) { "in the lines as they were read" } else { "as timed lines" };
        notice(&format!("wrote {messages}, {form}"));
    }

    fn hand_on(&mut self, act: impl FnOnce(&mut dyn Sink) -> io::Result<()>) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        match act(self.inner) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            done => done,
        }
    }
}

impl Sink for Saving<'_> {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        match record {
            Record::Trace(_) => self.with_file(|saving, out| saving.converter.record(record, out)),
            Record::Message(message) => {
                self.pass(record);
                self.save(message);
            }
            Record::Summary(summary) => {
                self.finish();
                if self.failed {
                    let mut summary = (*summary).clone();
                    summary.exit_code = CANNOT_RUN.0;
                    return self.hand_on(|inner| inner.record(&Record::Summary(&summary)));
                }
            }
            _ => self.pass(record),
        }
        self.hand_on(|inner| inner.record(record))
    }

    fn passed(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.pass(record);
        self.hand_on(|inner| inner.passed(record))
    }

    fn idle(&mut self) -> io::Result<()> {
        self.hand_on(|inner| inner.idle())
    }

    fn pause(&mut self) -> io::Result<()> {
        self.hand_on(|inner| inner.pause())
    }
}
