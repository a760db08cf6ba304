//! Takes off what programs write around the lines of others: the prefixes of container tools and loggers, JSON with the
//! line in a string, colours. What is left are lines that know where in the input they stand, and notes of what the
//! wrapping told. Knows no formats; whether a wrapping is taken off is for `detect` to decide.

mod cast;
mod colours;
mod folded;
mod json_log;
mod json_string;
mod lines;
mod mapped;
mod markdown;
mod notes;
mod prefix;
mod rich;
mod script;
mod shell;
mod terminal;

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use jiff::tz::TimeZone;

use super::{Line, Wrapping, Wrappings};
use lines::{Lines, Meta};
pub use mapped::Map;
pub(super) use mapped::{Mapped, Part};
use mapped::{Piece, pieces_of_line};
pub(super) use notes::{LineKind, Note, Notes};

/// Whether bytes hold anything that has to be taken off whatever the rest is.
pub(super) fn is_needed(bytes: &[u8]) -> bool {
    colours::is_there(bytes)
}

/// How well a head fits a wrapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    None,
    /// Others write so as well: only a format that is found inside proves it.
    Weak,
    /// Nobody else writes so.
    Strong,
}

/// A line to be unwrapped.
struct LineSource<'b> {
    part: Part<'b>,
    meta: Meta,
}

/// Takes a wrapping off, line by line.
trait Layer {
    /// Takes a line and adds what is in it to the lines.
    fn take(&mut self, line: &LineSource<'_>, notes: &mut Notes, lines: &mut Lines);

    /// A copy, to look ahead with.
    fn boxed(&self) -> Box<dyn Layer>;
}

/// A wrapping that is taken off line by line.
pub(super) struct Wrap {
    pub(super) wrapping: Wrapping,
    pub(super) fit: fn(&str) -> Fit,
    open: fn(&TimeZone) -> Box<dyn Layer>,
}

impl Wrap {
    /// No text shows for sure that it lies in this: the fit is weak at best.
    pub(super) fn is_doubtful(&self) -> bool {
        matches!(self.wrapping, Wrapping::Markdown | Wrapping::Shell | Wrapping::Logger)
    }
}

/// Those wrappings, in order of preference.
pub(super) const WRAPS: &[Wrap] = &[
    Wrap { wrapping: Wrapping::Docker, fit: json_log::fit_docker, open: json_log::JsonLog::open },
    Wrap { wrapping: Wrapping::Journal, fit: json_log::fit_journal, open: json_log::JsonLog::open },
    Wrap {
        wrapping: Wrapping::ContainerRuntime,
        fit: |head| prefix::fit(prefix::container_runtime, head),
        open: |zone| prefix::Prefixed::open(prefix::container_runtime, zone),
    },
    Wrap {
        wrapping: Wrapping::Compose,
        fit: |head| prefix::fit(prefix::compose, head),
        open: |zone| prefix::Prefixed::open(prefix::compose, zone),
    },
    Wrap {
        wrapping: Wrapping::Pod,
        fit: |head| prefix::fit(prefix::pod, head),
        open: |zone| prefix::Prefixed::open(prefix::pod, zone),
    },
    Wrap {
        wrapping: Wrapping::SystemLog,
        fit: |head| prefix::fit(prefix::system_log, head),
        open: |zone| prefix::Prefixed::open(prefix::system_log, zone),
    },
    Wrap {
        wrapping: Wrapping::TimeStamps,
        fit: |head| prefix::fit(prefix::time_stamp, head),
        open: |zone| prefix::Prefixed::open(prefix::time_stamp, zone),
    },
    Wrap { wrapping: Wrapping::Asciinema, fit: cast::fit, open: cast::Cast::open },
    Wrap { wrapping: Wrapping::Script, fit: script::fit, open: script::Script::open },
    Wrap { wrapping: Wrapping::Rich, fit: rich::fit, open: rich::Rich::open },
    Wrap { wrapping: Wrapping::Markdown, fit: markdown::fit, open: markdown::Markdown::open },
    Wrap { wrapping: Wrapping::Shell, fit: shell::fit, open: shell::Shell::open },
    Wrap { wrapping: Wrapping::Folded, fit: folded::fit, open: folded::Folded::open },
    Wrap { wrapping: Wrapping::Logger, fit: json_log::fit_structured, open: json_log::JsonLog::open },
];

/// The layer of colours, which is always the first and the last.
#[derive(Clone)]
struct Colours;

impl Layer for Colours {
    fn take(&mut self, line: &LineSource<'_>, _: &mut Notes, lines: &mut Lines) {
        colours::plain(line.part.text, |range| lines.keep(line.part, range, &line.meta));
        lines.finish(&line.meta);
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

struct Stage {
    layer: Box<dyn Layer>,
    lines: Lines,
}

/// The line that is given out.
struct Current {
    range: Range<usize>,
    meta: Meta,
}

/// What is taken off the lines of an input.
pub(super) struct Peel {
    /// From the outermost to the innermost. Never empty.
    stages: Vec<Stage>,
    found: Wrappings,
    notes: Rc<RefCell<Notes>>,
    /// `None` where the physical line is given out as it is.
    current: Option<Current>,
    pieces: Vec<Piece>,
    limit: usize,
}

impl Peel {
    /// Takes nothing off but colours.
    pub(super) fn new(notes: Rc<RefCell<Notes>>, limit: usize) -> Self {
        let stages = vec![Stage { layer: Box::new(Colours), lines: Lines::new(limit) }];
        Self { stages, found: Wrappings::NONE, notes, current: None, pieces: Vec::new(), limit }
    }

    /// Takes that one wrapping off, to look what is inside.
    pub(super) fn alone(wrap: &Wrap, zone: &TimeZone) -> Self {
        let mut peel = Self::new(Rc::default(), usize::MAX);
        peel.add(wrap, zone);
        peel
    }

    /// Takes one more wrapping off, inside of those before.
    pub(super) fn add(&mut self, wrap: &Wrap, zone: &TimeZone) {
        self.found = self.found.with(wrap.wrapping);
        let colours = if self.stages.len() > 1 { self.stages.pop() } else { None };
        self.stages.push(Stage { layer: (wrap.open)(zone), lines: Lines::new(self.limit) });
        let colours = colours.unwrap_or_else(|| Stage { layer: Box::new(Colours), lines: Lines::new(self.limit) });
        self.stages.push(colours);
    }

    /// Whether more than colours is taken off.
    pub(super) fn has_wrap(&self) -> bool {
        self.stages.len() > 1
    }

    /// What was taken off so far.
    pub(super) fn wrappings(&self) -> Wrappings {
        self.found
    }

    /// Takes a physical line; whether a line is there to be given out.
    pub(super) fn take(&mut self, line: &Line<'_>) -> bool {
        self.current = None;
        let coloured = colours::is_there(line.text.as_bytes());
        if self.stages.len() == 1 && !coloured {
            return true;
        }
        if coloured && memchr::memchr(colours::ESC, line.text.as_bytes()).is_some() {
            self.found = self.found.with(Wrapping::Colours);
        }
        pieces_of_line(line.raw, line.offset, line.lossy, &mut self.pieces);
        let meta = Meta {
            first: line.number,
            last: line.number,
            at: line.offset,
            lossy: line.lossy,
            oversized: line.oversized,
            terminated: line.terminated,
            ..Meta::default()
        };
        let source = LineSource { part: Part::new(line.text, &self.pieces), meta };
        run(&mut self.stages, &source, &mut self.notes.borrow_mut());
        self.next()
    }

    /// Goes to the next of the lines that are there.
    pub(super) fn next(&mut self) -> bool {
        self.current = None;
        let last = &mut self.stages.last_mut().expect("there is always the layer of colours").lines;
        let Some((range, meta)) = last.next() else {
            last.settle();
            return false;
        };
        let current = Current { range, meta };
        let offset = place(last, &current).start;
        if self.stages.len() > 1 {
            let note = Note {
                offset,
                number: meta.last,
                first: meta.first,
                time: meta.time,
                lane: meta.lane,
                kind: meta.kind,
            };
            self.notes.borrow_mut().add(note);
        }
        self.current = Some(current);
        true
    }

    /// At the end of the input: goes to the lines that were growing.
    pub(super) fn finish(&mut self) -> bool {
        let mut notes = self.notes.borrow_mut();
        for index in 0..self.stages.len() {
            let (stage, rest) = self.stages[index..].split_first_mut().expect("the index is in bounds");
            if let Some(meta) = stage.lines.growing() {
                stage.lines.finish(&Meta { terminated: false, ..meta });
                hand_on(stage, rest, &mut notes);
            }
        }
        drop(notes);
        self.next()
    }

    /// Whether a line of its own is given out, and not the physical one.
    pub(super) fn has_line(&self) -> bool {
        self.current.is_some()
    }

    /// The line that is given out.
    pub(super) fn line(&self) -> Option<Line<'_>> {
        let current = self.current.as_ref()?;
        let lines = &self.stages.last()?.lines;
        let part = lines.part(current.range.clone());
        let place = place(lines, current);
        Some(Line {
            text: part.text,
            raw: part.text.as_bytes(),
            number: current.meta.last,
            offset: place.start,
            length: place.end - place.start,
            lossy: current.meta.lossy,
            oversized: current.meta.oversized,
            terminated: current.meta.terminated,
            map: Some(part.map),
        })
    }

    /// The text that will be given out: what is there, and what `ahead`, the physical lines behind it, will become.
    pub(super) fn preview(&self, ahead: &str) -> String {
        let mut stages: Vec<Stage> = self.stages.iter().map(copy).collect();
        let mut notes = Notes::default();
        let mut text = String::new();
        let mut show = |stages: &mut Vec<Stage>| {
            let Some(last) = stages.last_mut() else { return };
            for (line, meta) in last.lines.waiting().filter(|(_, meta)| meta.kind.counts()) {
                text.push_str(line);
                if meta.terminated {
                    text.push('\n');
                }
            }
            while last.lines.next().is_some() {}
            last.lines.settle();
        };
        show(&mut stages);
        let mut pieces = Vec::new();
        for line in ahead.split_inclusive('\n') {
            let inner = line.strip_suffix('\n').unwrap_or(line);
            let inner = inner.strip_suffix('\r').unwrap_or(inner);
            pieces_of_line(inner.as_bytes(), 0, false, &mut pieces);
            let meta = Meta { terminated: line.ends_with('\n'), ..Meta::default() };
            run(&mut stages, &LineSource { part: Part::new(inner, &pieces), meta }, &mut notes);
            show(&mut stages);
        }
        text
    }
}

fn copy(stage: &Stage) -> Stage {
    Stage { layer: stage.layer.boxed(), lines: stage.lines.clone() }
}

/// Where a line stands in the input.
fn place(lines: &Lines, current: &Current) -> Range<u64> {
    if current.range.is_empty() {
        return current.meta.at..current.meta.at;
    }
    lines.part(current.range.clone()).map.place(&(0..current.range.len()))
}

/// Runs a line through the stages; what comes out waits in the last.
fn run(stages: &mut [Stage], source: &LineSource<'_>, notes: &mut Notes) {
    if let Some((stage, rest)) = stages.split_first_mut() {
        stage.layer.take(source, notes, &mut stage.lines);
        hand_on(stage, rest, notes);
    }
}

fn hand_on(stage: &mut Stage, rest: &mut [Stage], notes: &mut Notes) {
    if rest.is_empty() {
        return;
    }
    while let Some((range, meta)) = stage.lines.next() {
        run(rest, &LineSource { part: stage.lines.part(range), meta }, notes);
    }
    stage.lines.settle();
}
