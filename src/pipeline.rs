//! The one loop of the program: open, read, parse, step, annotate, hand on. Knows no output and no argument.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::annotate::{Record, Summary, Trace};
use crate::transcript::{Format, ReadOptions};

/// What to read and how.
pub struct Job {
    /// The first record; its `inputs` are opened in order, `-` being standard input.
    pub trace: Trace,
    /// The input format, or `None` to find out.
    pub from: Option<&'static Format>,
    /// What readers need to know.
    pub read: ReadOptions,
    /// Set by Ctrl-C: the run ends as if the input had ended, with its summary.
    pub interrupt: Arc<AtomicBool>,
}

/// Where records go.
pub trait Sink {
    /// Takes a record.
    fn record(&mut self, record: &Record<'_>) -> io::Result<()>;

    /// Nothing more is there at this moment: flush.
    fn idle(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The producer pauses: write what was held back for layout, and flush.
    fn pause(&mut self) -> io::Result<()> {
        self.idle()
    }
}

/// Reads every input and hands its records to the sink, the summary last. Errors of inputs become records and
/// count in the summary; only errors of the sink are returned.
pub fn run(_job: &Job, _sink: &mut dyn Sink) -> io::Result<Summary> {
    todo!()
}
