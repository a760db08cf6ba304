//! What `script` keeps of a terminal: the bytes that were sent to it, between two lines of its own.

use jiff::tz::TimeZone;

use super::terminal::{Terminal, frame};
use super::{Fit, Layer, LineKind, LineSource, Lines, Meta, Notes};

const STARTED: &str = "Script started on ";
const DONE: &str = "Script done on ";

/// Whether a head is such a recording.
pub(super) fn fit(head: &str) -> Fit {
    if head.starts_with(STARTED) { Fit::Strong } else { Fit::None }
}

/// The layer of such a recording.
#[derive(Clone, Default)]
pub(super) struct Script {
    terminal: Terminal,
}

impl Script {
    pub(super) fn open(_: &TimeZone) -> Box<dyn Layer> {
        Box::<Self>::default()
    }
}

impl Layer for Script {
    fn take(&mut self, line: &LineSource<'_>, _: &mut Notes, lines: &mut Lines) {
        let text = line.part.text;
        if text.starts_with(STARTED) || text.starts_with(DONE) {
            let columns = text.split_once("COLUMNS=\"").and_then(|(_, rest)| rest.split('"').next()?.parse().ok());
            self.terminal.width = columns.filter(|width| *width > 0).or(self.terminal.width);
            return frame(line, lines);
        }
        let meta = Meta { kind: LineKind::Shown, ..line.meta };
        self.terminal.show(line.part, &meta, lines);
        lines.finish(&meta);
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}
