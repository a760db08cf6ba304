//! `table`: the run as a person reads it.
//!
//! Rows stream: the first page is held until its widths are known (or the input pauses), then every row is written
//! as it comes, and nothing is kept. `tabled` keeps or pulls all rows and cuts from the left, so the layout of rows
//! is our own; where a whole small table is at hand, `tabled` is right.

mod bands;
mod cells;
mod figures;
mod footer;
mod gist;
mod layout;
mod lines;
mod relied;
mod row;
mod signs;
mod values;

use std::io::{self, Write};

use self::bands::Bands;
use self::cells::{Style, embedded_row, message_row, time};
pub use self::figures::Elapsed;
pub(in crate::render) use self::figures::{Bytes, Count, Thousands};
pub(in crate::render) use self::footer::Footer;
use self::layout::{Choice, Column, Fixing, Layout, Size};
use self::row::Row;
pub(in crate::render) use self::signs::Signs;

use super::palette::{Ink, Palette};
use super::{OpenOptions, Output, Renderer};
use crate::annotate::{Annotated, Event, Record, View};
use crate::transcript::EventKind;

/// Rows for a person.
pub const TABLE: Output = Output {
    name: "table",
    summary: "a table for a person to read",
    records: true,
    findings: false,
    open: |options| Box::new(Table::new(options)),
};

/// The names for `--columns`, in the order of the table.
pub fn column_names() -> impl Iterator<Item = &'static str> {
    Column::names()
}

/// Rows that are held until the widths are fixed.
const PAGE: usize = 50;

struct Table {
    width: usize,
    wide: bool,
    style: Style,
    palette: Palette,
    bands: Bands,
    footer: Footer,
    stage: Stage,
    row: Row,
    line: String,
    /// Payloads get lines of their own.
    payload: bool,
    /// Columns that were dropped as empty and turned out to be needed.
    needed: Vec<usize>,
    /// Rows of noise in succession.
    noise: Noise,
    /// The message that was last told again.
    retold: Option<(u32, u64)>,
}

/// Rows of noise since the last other row.
#[derive(Default)]
struct Noise {
    rows: u64,
    /// Of them, those from standard error.
    stderr: u64,
}

/// Rows of noise that are shown before the rest is only counted.
const FLOOD: u64 = 10;

/// Rows wait for the widths, or have them.
enum Stage {
    Page(Vec<Held>),
    Rows(Layout),
}

/// What the first page is made of.
enum Held {
    Row(Row),
    /// Lines that have no columns.
    Lines(String),
    /// Says that rows of another session follow; not needed where the session has a column.
    Switch(String),
}

impl Table {
    fn new(options: &OpenOptions) -> Self {
        let width = options.width.max(40);
        let signs = if options.ascii { Signs::ASCII } else { Signs::UNICODE };
        let palette = Palette::new(options.color);
        let choice = Choice::new(options.columns.as_deref(), width, options.wide);
        Self {
            width,
            wide: options.wide,
            payload: options.payload && !options.wide && !choice.has(Column::Payload),
            needed: Vec::new(),
            noise: Noise::default(),
            retold: None,
            style: Style {
                signs,
                size: Size::of(width),
                absolute: options.absolute_times,
                zone: options.zone.clone(),
                session_shown: false,
                choice,
            },
            bands: Bands::new(width, signs, palette.clone(), options.absolute_times.then(|| options.zone.clone())),
            footer: Footer::new(width, signs, palette.clone()),
            palette,
            stage: Stage::Page(Vec::new()),
            row: Row::default(),
            line: String::new(),
        }
    }

    /// Writes the current row, or holds it.
    fn row(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match &mut self.stage {
            Stage::Page(held) => {
                held.push(Held::Row(self.row.clone()));
                if held.len() >= PAGE { self.fix(true, out) } else { Ok(()) }
            }
            Stage::Rows(layout) if layout.dropped.iter().any(|&at| self.row.says(at)) => {
                // The heading is written again, with the column.
                self.needed.extend(layout.dropped.iter().copied().filter(|&at| self.row.says(at)));
                self.stage = Stage::Page(vec![Held::Row(self.row.clone())]);
                Ok(())
            }
            Stage::Rows(layout) => {
                self.line.clear();
                self.row.write(layout, &self.palette, &self.style.signs, &mut self.line);
                out.write_all(self.line.as_bytes())
            }
        }
    }

    /// Writes the current lines, or holds them.
    fn lines(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.line.is_empty() {
            return Ok(());
        }
        match &mut self.stage {
            Stage::Page(held) => held.push(Held::Lines(std::mem::take(&mut self.line))),
            Stage::Rows(_) => out.write_all(self.line.as_bytes())?,
        }
        self.line.clear();
        Ok(())
    }

    /// Fixes the widths and writes what was held; settled when more would not change the widths.
    fn fix(&mut self, settled: bool, out: &mut dyn Write) -> io::Result<()> {
        let Stage::Page(held) = &mut self.stage else { return Ok(()) };
        let held = std::mem::take(held);
        let rows = || {
            held.iter().filter_map(|held| match held {
                Held::Row(row) => Some(row),
                Held::Lines(_) | Held::Switch(_) => None,
            })
        };
        let mut heading = Row::default();
        if rows().next().is_some() {
            for &column in &self.style.choice.columns {
                heading.say(Ink::Strong, column.heading(self.style.size));
                heading.end_cell();
            }
        }
        let choice = &self.style.choice;
        let hide_session = !choice.named && !self.bands.mixed();
        let needed = &self.needed;
        let fixing = Fixing { choice, width: self.width, wide: self.wide, hide_session, settled, needed };
        let layout = Layout::new(&fixing, &heading, rows());
        self.bands.session_column(!hide_session);
        let mut text = String::new();
        if rows().next().is_some() {
            heading.write(&layout, &self.palette, &self.style.signs, &mut text);
        }
        for held in &held {
            match held {
                Held::Row(row) => row.write(&layout, &self.palette, &self.style.signs, &mut text),
                Held::Lines(lines) => text.push_str(lines),
                Held::Switch(lines) if hide_session => text.push_str(lines),
                Held::Switch(_) => {}
            }
        }
        self.stage = Stage::Rows(layout);
        out.write_all(text.as_bytes())
    }

    fn message(&mut self, message: &Annotated<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.footer.message(message);
        self.line.clear();
        let only_switches = self.bands.before_message(message, &mut self.line);
        match &mut self.stage {
            Stage::Page(held) if only_switches => held.push(Held::Switch(std::mem::take(&mut self.line))),
            Stage::Page(_) | Stage::Rows(_) => self.lines(out)?,
        }
        self.style.session_shown = match &self.stage {
            Stage::Page(_) => self.style.choice.named || self.bands.mixed(),
            Stage::Rows(_) => self.bands.has_session_column(),
        };
        let clock = self.bands.clock(message.input, message.session).or(message.session_start);
        message_row(&mut self.row, &self.style, message, clock);
        self.row(out)?;
        if self.payload && !message.text.is_empty() {
            // A line shows no more of it than this.
            let room = 4 * self.width;
            let end = (0..=room.min(message.text.len())).rev().find(|&end| message.text.is_char_boundary(end));
            self.row.clear();
            for column in &self.style.choice.columns {
                if !matches!(column, Column::Session | Column::Number | Column::Line) {
                    break;
                }
                self.row.end_cell();
            }
            self.row.put(&self.style.signs, Ink::Dim, &message.text[..end.unwrap_or(0)]);
            self.row.end_spanning();
            self.row(out)?;
        }
        Ok(())
    }

    /// Says how many rows of a flood of noise were not shown.
    fn calm(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Noise { rows, stderr } = std::mem::take(&mut self.noise);
        let Some(hidden) = rows.checked_sub(FLOOD).filter(|hidden| *hidden > 0) else { return Ok(()) };
        let what = match stderr {
            0 => "noise",
            _ if stderr == rows => "stderr",
            _ => "noise and stderr",
        };
        self.aside(None, None);
        let cut = self.style.signs.cut;
        self.row.say_fmt(Ink::Dim, format_args!("{cut} {} of {what}", Count(hidden, "more line")));
        self.row.end_spanning();
        self.row(out)
    }

    fn event(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        if matches!(event.kind, EventKind::Stderr | EventKind::Noise) {
            self.noise.rows += 1;
            self.noise.stderr += u64::from(event.kind == EventKind::Stderr);
            if self.noise.rows > FLOOD {
                return Ok(());
            }
        } else {
            self.calm(out)?;
        }
        self.line.clear();
        self.bands.before_event(event, &mut self.line);
        self.lines(out)?;
        self.aside(event.time.is_some().then_some(event), Some(event.position.line));
        let ink = match event.kind {
            EventKind::TransportClosed | EventKind::ProcessExit => Ink::Plain,
            EventKind::TransportOpen
            | EventKind::ProcessStart
            | EventKind::Stderr
            | EventKind::Noise
            | EventKind::Http
            | EventKind::Note => Ink::Dim,
        };
        if event.text.is_empty() || matches!(event.kind, EventKind::Stderr | EventKind::Noise | EventKind::Http) {
            self.row.say_fmt(ink, format_args!("{} ", event.kind.as_str()));
        }
        if event.kind == EventKind::Noise && event.text.trim().is_empty() {
            self.row.say(ink, "(blank line)");
        } else {
            self.row.put(&self.style.signs, ink, event.text);
        }
        self.row.end_spanning();
        self.row(out)
    }

    /// Another telling is shown once for each message; one of an unknown message is only counted.
    fn view(&mut self, view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Some(of) = view.of.filter(|of| self.retold != Some((view.input, *of))) else { return Ok(()) };
        self.retold = Some((view.input, of));
        self.calm(out)?;
        self.aside(None, Some(view.position.line));
        self.row.say_fmt(Ink::Dim, format_args!("#{of} again, as told by "));
        self.row.put(&self.style.signs, Ink::Dim, view.rendering);
        self.row.end_spanning();
        self.row(out)
    }

    /// Begins a row that is no message: the leading columns for where and when, then text over the rest.
    fn aside(&mut self, event: Option<&Event<'_>>, line: Option<u64>) {
        self.row.clear();
        for column in &self.style.choice.columns {
            match column {
                Column::Session | Column::Number => {}
                Column::Line => {
                    if let Some(line) = line {
                        self.row.say_fmt(Ink::Dim, format_args!("{line}"));
                    }
                }
                Column::Time => {
                    if let Some(event) = event {
                        let clock = self.bands.clock(event.input, event.session).or(event.session_start);
                        time(&mut self.row, &self.style, event.time, clock);
                    }
                }
                _ => break,
            }
            self.row.end_cell();
        }
    }
}

impl Renderer for Table {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        if !matches!(record, Record::Event(_) | Record::View(_)) {
            self.calm(out)?;
        }
        match record {
            Record::Trace(trace) => {
                self.bands.trace(trace);
                self.footer.trace(trace);
                Ok(())
            }
            Record::Message(message) => self.message(message, out),
            Record::Embedded(embedded) => {
                self.footer.embedded(embedded);
                embedded_row(&mut self.row, &self.style, embedded);
                self.row(out)
            }
            Record::View(view) => self.view(view, out),
            Record::Event(event) => self.event(event, out),
            Record::Agreed(agreement) => {
                self.line.clear();
                self.bands.agreement(agreement, &mut self.line);
                self.lines(out)
            }
            // Findings are for the outputs of `check`.
            Record::Finding(_) => Ok(()),
            Record::SessionEnd(session) => {
                self.line.clear();
                self.bands.session_end(session, &mut self.line);
                self.lines(out)
            }
            Record::InputEnd(input) => {
                self.footer.input(input);
                Ok(())
            }
            Record::Summary(summary) => {
                self.fix(true, out)?;
                self.line.clear();
                self.footer.write(summary, &mut self.line);
                out.write_all(self.line.as_bytes())
            }
        }
    }

    fn pause(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.calm(out)?;
        self.fix(false, out)
    }
}
