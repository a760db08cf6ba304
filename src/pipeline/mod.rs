//! The one loop of the program: open, read, parse, decide, annotate, hand on. Knows no output and no argument.

mod embedded;
mod ending;
mod hold;
mod input;
mod redacted;
mod totals;
mod within;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::annotate::{Brief, Record, Summary, Told, Trace};
use crate::filter::{Filter, Selection};
use crate::redact::{Redaction, Redactor};
use crate::transcript::{Change, Format, ReadOptions, Source};

use totals::Totals;

/// What to read and how.
pub struct Job {
    /// The first record; its `inputs` are opened in order, `-` being standard input.
    pub trace: Trace,
    /// The input format, or `None` to find out.
    pub from: Option<&'static Format>,
    /// What readers need to know.
    pub read: ReadOptions,
    /// What to replace in every text before anything else sees it; `None`: nothing.
    pub redact: Option<Redaction>,
    /// Which messages are wanted; `None`: all.
    pub filter: Option<Arc<Filter>>,
    /// Set by Ctrl-C: the run ends as if the input had ended, with its summary.
    pub interrupt: Arc<AtomicBool>,
}

/// Where records go.
pub trait Sink {
    /// Takes a record.
    fn record(&mut self, record: &Record<'_>) -> io::Result<()>;

    /// Takes a message. For sinks that need no more of it than totals do.
    fn message(&mut self, message: &Told<'_>, _brief: &Brief<'_>) -> io::Result<()> {
        self.record(&Record::Message(&message.annotated()))
    }

    /// Takes a record that the filter does not select, in its place among the others.
    fn passed(&mut self, _record: &Record<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Nothing more is there at this moment: flush.
    fn idle(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The producer pauses: write what was held back for layout, and flush.
    fn pause(&mut self) -> io::Result<()> {
        self.idle()
    }
}

/// What goes on from one input to the next.
struct Shared<'f> {
    redactor: Option<Redactor>,
    selection: Option<Selection<'f>>,
    totals: Totals,
}

/// Reads every input and hands its records to the sink, the summary last. Errors of inputs become records and
/// count in the summary; only errors of the sink are returned.
pub fn run(job: &Job, sink: &mut dyn Sink) -> io::Result<Summary> {
    let sources = job.trace.inputs.iter().map(|name| {
        let source = Source::open(Path::new(name), Arc::clone(&job.interrupt));
        (name.clone(), source)
    });
    run_sources(job, sources, sink)
}

/// The same for one input that goes on until the user stops it; `tell` hears when another file takes its place.
pub fn follow(job: &Job, tell: impl FnMut(Change) + Send + 'static, sink: &mut dyn Sink) -> io::Result<Summary> {
    let sources = job.trace.inputs.first().map(|name| {
        let source = Source::follow(Path::new(name), Arc::clone(&job.interrupt), tell);
        (name.clone(), Ok(source))
    });
    run_sources(job, sources, sink)
}

/// The same over sources that are already open; each comes with its name.
pub fn run_sources(
    job: &Job,
    sources: impl IntoIterator<Item = (String, Result<Source, crate::transcript::SourceError>)>,
    sink: &mut dyn Sink,
) -> io::Result<Summary> {
    sink.record(&Record::Trace(&job.trace))?;
    let mut shared = Shared {
        redactor: job.redact.as_ref().map(Redactor::new),
        selection: job.filter.as_deref().map(Selection::new),
        totals: Totals::default(),
    };
    for (index, (name, source)) in sources.into_iter().enumerate() {
        let interrupted = match source {
            Ok(source) => input::read(job, index as u32, &name, source, &mut shared, sink)?,
            Err(error) => {
                let end = input::unreadable(index as u32, &name, &error);
                shared.totals.input(&end);
                sink.record(&Record::InputEnd(&end))?;
                false
            }
        };
        if interrupted {
            shared.totals.interrupt();
            break;
        }
    }
    let Shared { redactor, selection, mut totals } = shared;
    if let Some(redactor) = &redactor {
        totals.redacted(redactor);
    }
    if let Some(selection) = &selection {
        totals.filtered(selection.counts().clone());
    }
    let summary = totals.finish();
    sink.record(&Record::Summary(&summary))?;
    Ok(summary)
}
