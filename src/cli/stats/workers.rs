//! Inputs read several at a time. Figures merge to the same whatever worker has counted an input, so what comes out does
//! not depend on how many there are.

use std::collections::BTreeMap;
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::live::Live;
use crate::annotate::{Record, Trace};
use crate::cli::filter::{left_out, none_selected};
use crate::cli::follow::tell;
use crate::cli::notice::{input_error, input_words};
use crate::cli::progress::Progress;
use crate::filter::Filter;
use crate::pipeline::{self, Job, Sink};
use crate::redact::Redaction;
use crate::stats::{Counter, Field, Figures};
use crate::transcript::{Format, ReadOptions};

/// What is to be counted.
pub(super) struct Work<'a> {
    pub(super) from: Option<&'static Format>,
    pub(super) read: ReadOptions,
    pub(super) redact: Option<Redaction>,
    pub(super) filter: Option<Arc<Filter>>,
    pub(super) interrupt: Arc<AtomicBool>,
    pub(super) inputs: &'a [String],
    pub(super) by: Option<&'a [Field]>,
    pub(super) progress: Progress,
}

impl Work<'_> {
    /// Counts every input. Gives the figures, and what went wrong with inputs, in the order of the inputs.
    pub(super) fn run(&mut self, threads: usize) -> (Figures, Vec<String>) {
        let next = AtomicUsize::new(0);
        // Where there are enough files, every thread has one; a thread that reads ahead would only be in its way.
        if threads <= self.inputs.len() {
            self.read.ahead = None;
        }
        let threads = threads.min(self.inputs.len()).max(1);
        let work = &*self;
        let parts: Vec<Part> = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work.work(&next))).collect();
            let first = work.work(&next);
            let others = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            std::iter::once(first).chain(others).collect()
        });
        self.progress.clear();
        let (mut figures, told) = self.together(parts);
        figures.interrupted |= next.into_inner() < self.inputs.len();
        (figures, told)
    }

    /// Counts the only input, which goes on until the user stops it. `draw` writes figures as they are to be seen on a terminal.
    pub(super) fn follow(
        &self,
        draw: Option<impl Fn(&Figures, &mut Vec<u8>) -> io::Result<()>>,
    ) -> io::Result<(Figures, Vec<String>)> {
        let input = self.inputs.first().cloned().unwrap_or_default();
        let mut live = Live::new(self.part(), input.clone(), draw);
        pipeline::follow(&self.job(&input), tell(&input), &mut live)?;
        live.clear()?;
        Ok(self.together(vec![live.part]))
    }

    fn together(&self, parts: Vec<Part>) -> (Figures, Vec<String>) {
        let mut figures = self.figures();
        let (mut told, mut redacted) = (Vec::new(), BTreeMap::new());
        for part in parts {
            figures.merge(&part.counter.finish()).expect("all parts are grouped by the same fields");
            told.extend(part.told);
            part.redacted.into_iter().for_each(|(kind, count)| *redacted.entry(kind).or_default() += count);
        }
        told.sort();
        let told = told.into_iter().map(|(_, text)| text);
        let told = told.chain(self.redact.as_ref().map(|_| redacted_words(&redacted)));
        let told = told.chain(none_selected(figures.total.messages, figures.messages_read));
        (figures, told.collect())
    }

    fn figures(&self) -> Figures {
        let filter = self.filter.as_ref().map(|filter| filter.words.clone());
        Figures { filter, ..Figures::new(self.by) }
    }

    /// Counts inputs as long as there are some.
    fn work(&self, next: &AtomicUsize) -> Part {
        let mut part = self.part();
        while !self.interrupt.load(Ordering::Relaxed) {
            part.index = next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = self.inputs.get(part.index) else { break };
            part.name.clone_from(input);
            let source = (input.clone(), self.progress.open(input, &self.interrupt));
            pipeline::run_sources(&self.job(input), [source], &mut part).expect("counting does not fail");
            self.progress.done();
        }
        part
    }

    fn part(&self) -> Part {
        let counter = Counter::new(self.figures());
        let name = self.inputs.first().cloned().unwrap_or_default();
        Part { counter, from: self.from, index: 0, name, told: Vec::new(), redacted: BTreeMap::new() }
    }

    fn job(&self, input: &str) -> Job {
        Job {
            trace: Trace { command: "stats", filter: None, inputs: vec![input.to_owned()] },
            from: self.from,
            read: self.read.clone(),
            redact: self.redact.clone(),
            filter: self.filter.clone(),
            interrupt: Arc::clone(&self.interrupt),
        }
    }
}

/// What one worker has counted.
pub(super) struct Part {
    pub(super) counter: Counter,
    from: Option<&'static Format>,
    /// The input that it reads.
    index: usize,
    name: String,
    told: Vec<(usize, String)>,
    /// Values that were replaced by markers, by kind.
    redacted: BTreeMap<&'static str, u64>,
}

impl Sink for Part {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.counter.record(record);
        if let Record::InputEnd(end) = record
            && let Some(error) = input_error(end, self.from)
        {
            self.told.push((self.index, format!("{}: {error}", input_words(&end.file))));
        }
        if let Record::Summary(summary) = record {
            for (kind, count) in summary.redacted.iter().flat_map(|redacted| &redacted.counts) {
                *self.redacted.entry(kind).or_default() += count;
            }
            for text in summary.filtered.iter().flat_map(left_out) {
                self.told.push((self.index, format!("{}: {text}", input_words(&self.name))));
            }
        }
        Ok(())
    }

    fn passed(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.counter.passed(record);
        Ok(())
    }
}

/// What was replaced by markers. How many values were different is known within each input only.
fn redacted_words(counts: &BTreeMap<&'static str, u64>) -> String {
    let total: u64 = counts.values().sum();
    if total == 0 {
        return "redacted nothing: no secret was recognised".to_owned();
    }
    let counts: Vec<_> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    format!("redacted {total} {}: {}", if total == 1 { "value" } else { "values" }, counts.join(", "))
}
