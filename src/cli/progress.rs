//! How far a long run has come: a bar on standard error, for whoever looks at a terminal. Knows files and their sizes, not what
//! stands in them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::environment::Environment;
use crate::transcript::{Source, SourceError};

/// Who waits no longer than this needs no bar.
const DELAY: Duration = Duration::from_secs(1);
/// How often the bar is drawn in a second.
const RATE: u8 = 8;
const STYLE: &str = "{bar:32} {percent}%  {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left{msg}";
const ASCII: &str = "=> ";

/// The bar of a run, if there is one.
#[derive(Clone)]
pub(super) struct Progress(Option<Bar>);

#[derive(Clone)]
struct Bar {
    bar: ProgressBar,
    begun: Instant,
    inputs: usize,
    read: Arc<AtomicUsize>,
    /// Where to draw it, until it is drawn there.
    target: Arc<Mutex<Option<ProgressDrawTarget>>>,
}

impl Progress {
    /// No bar.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// A bar over these inputs, if somebody may look at it: standard error is a terminal. For runs that write nothing meanwhile.
    pub(super) fn over(inputs: &[String], around: &Environment) -> Self {
        if !around.stderr_terminal {
            return Self(None);
        }
        Self::drawn_on(ProgressDrawTarget::stderr_with_hz(RATE), inputs, around.ascii_only())
    }

    fn drawn_on(target: ProgressDrawTarget, inputs: &[String], ascii: bool) -> Self {
        // What is no file has no size: then nobody knows how far it is.
        let size = |input: &String| Path::new(input).metadata().ok().filter(|about| about.is_file());
        let sizes = inputs.iter().map(|input| size(input).map(|about| about.len()));
        let Some(total) = sizes.sum::<Option<u64>>() else { return Self(None) };
        let style = ProgressStyle::with_template(STYLE).expect("a test draws by this template");
        let style = if ascii { style.progress_chars(ASCII) } else { style };
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden()).with_style(style);
        let (inputs, target) = (inputs.len(), Arc::new(Mutex::new(Some(target))));
        Self(Some(Bar { bar, begun: Instant::now(), inputs, read: Arc::default(), target }))
    }

    /// Opens an input, which counts as far as it is read.
    pub(super) fn open(&self, input: &str, interrupt: &Arc<AtomicBool>) -> Result<Source, SourceError> {
        let (path, interrupt) = (Path::new(input), Arc::clone(interrupt));
        let Some(bar) = self.0.clone() else { return Source::open(path, interrupt) };
        Source::metered(path, interrupt, move |bytes| bar.advance(bytes, DELAY))
    }

    /// One more of the inputs has been read.
    pub(super) fn done(&self) {
        if let Some(Bar { bar, read, inputs: inputs @ 2.., .. }) = &self.0 {
            let read = read.fetch_add(1, Ordering::Relaxed) + 1;
            bar.set_message(format!("  {read} of {inputs} files"));
        }
    }

    /// Takes the bar away, before what was asked for is written.
    pub(super) fn clear(&self) {
        if let Some(Bar { bar, .. }) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl Bar {
    fn advance(&self, bytes: u64, delay: Duration) {
        self.bar.inc(bytes);
        if self.begun.elapsed() >= delay
            && let Some(target) = self.target.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            self.bar.set_draw_target(target);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use indicatif::InMemoryTerm;

    use super::*;

    fn progress(size: usize) -> (Progress, InMemoryTerm, tempfile::NamedTempFile) {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), vec![b' '; size]).unwrap();
        let term = InMemoryTerm::new(3, 100);
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(term.clone()), 255);
        let name = file.path().to_str().unwrap().to_owned();
        (Progress::drawn_on(target, &[name.clone(), name], true), term, file)
    }

    #[test]
    fn a_long_run_shows_how_far_it_is_and_takes_it_away() {
        let (progress, term, _file) = progress(2048);
        let bar = progress.0.as_ref().unwrap();
        bar.advance(1024, Duration::MAX);
        assert_eq!(term.contents(), "", "a short run shows nothing");
        bar.advance(1024, Duration::ZERO);
        progress.done();
        bar.bar.tick();
        let shown = term.contents();
        for part in ["=====", "50%", "2.00 KiB of 4.00 KiB", "/s", "left", "1 of 2 files"] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        progress.clear();
        assert_eq!(term.contents(), "");
    }

    #[test]
    fn there_is_no_bar_for_what_has_no_size() {
        let target = || ProgressDrawTarget::term_like(Box::new(InMemoryTerm::new(3, 100)));
        for inputs in [vec!["-".to_owned()], vec!["no such file".to_owned()]] {
            assert!(Progress::drawn_on(target(), &inputs, false).0.is_none(), "{inputs:?}");
        }
    }

    #[test]
    fn nobody_sees_a_bar_without_a_terminal() {
        let looked_at = |stderr_terminal| {
            let around = Environment { stderr_terminal, ..Environment::default() };
            Progress::over(&[], &around).0.is_some()
        };
        assert!(looked_at(true) && !looked_at(false));
    }
}
