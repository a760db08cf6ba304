//! `summary`: the last lines of the table without its rows, for a quick look at a large file.

use std::io::{self, Write};

use super::palette::Palette;
use super::table::Footer;
use super::{Output, Renderer};
use crate::annotate::{Brief, Record};

/// Only the totals.
pub(super) const SUMMARY: Output = Output {
    name: "summary",
    summary: "the last lines of the table alone: what was read, the counts, what was needed",
    records: true,
    findings: false,
    open: |options| Box::new(Totals { footer: Footer::of(options, Palette::new(options.color)), text: String::new() }),
};

struct Totals {
    footer: Footer,
    text: String,
}

impl Renderer for Totals {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Trace(trace) => self.footer.trace(trace),
            Record::Message(message) => self.footer.brief(&message.brief()),
            Record::InputEnd(input) => self.footer.input(input),
            Record::Summary(summary) => {
                self.footer.write(summary, &mut self.text);
                out.write_all(self.text.trim_start_matches('\n').as_bytes())?;
            }
            Record::Embedded(embedded) => self.footer.embedded(embedded),
            Record::View(_) | Record::Event(_) | Record::Finding(_) | Record::Agreed(_) | Record::SessionEnd(_) => {}
        }
        Ok(())
    }

    fn is_brief(&self) -> bool {
        true
    }

    fn brief(&mut self, message: &Brief<'_>) {
        self.footer.brief(message);
    }
}
