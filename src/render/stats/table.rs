//! `table`: the figures for a person. Fits the width; columns give way before names are cut.

use std::io::{self, Write};
use std::time::Duration;

use super::grid::{Grid, Head, Line, Said, right};
use super::{Shown, StatsOutput, text};
use crate::protocol::method_set;
use crate::render::escape;
use crate::render::palette::{Ink, Palette};
use crate::render::table::{Bytes, Count, Elapsed, Signs, Thousands};
use crate::stats::{Cell, Definitions, Field, Use, Value};

pub(super) const TABLE: StatsOutput = StatsOutput {
    name: "table",
    summary: "figures, groups with bars, and what stands out, for a person to read",
    write,
};

/// Groups that are shown unless the user wants more.
const TOP: usize = 20;
/// Targets below a method.
const BELOW: usize = 5;
/// Messages, lists of tools, sessions and inputs that are shown.
const FEW: usize = 5;
/// Columns of a bar.
const BAR: usize = 12;

fn write(shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let signs = if shown.look.ascii { Signs::ASCII } else { Signs::UNICODE };
    let width = shown.look.width.max(40);
    let mut page = Page { shown, signs, palette: Palette::new(shown.look.color), width, text: String::new() };
    page.head();
    page.groups();
    page.definitions();
    page.largest();
    page.capabilities();
    page.foot();
    out.write_all(page.text.as_bytes())
}

struct Page<'a> {
    shown: &'a Shown<'a>,
    signs: Signs,
    palette: Palette,
    width: usize,
    text: String,
}

const GROUPS: [Head; 9] = [
    right("messages", 0),
    Head { name: "share", right: false, gives_way: 5 },
    right("p50", 3),
    right("p95", 4),
    right("p99", 6),
    right("max", 7),
    right("errors", 1),
    right("no answer", 8),
    right("bytes", 2),
];

const CAPABILITIES: [Head; 5] = [
    right("declared in", 0),
    right("used in", 0),
    right("undeclared", 1),
    right("refused", 2),
    Head { name: "", right: false, gives_way: 3 },
];

impl Page<'_> {
    /// Parts of a line with dots between, over as many lines as they need.
    fn parts(&mut self, ink: Ink, parts: &[String]) {
        let gap = format!(" {} ", self.signs.dot);
        let mut used = 0;
        for part in parts.iter().filter(|part| !part.is_empty()) {
            let part = if self.signs.ascii { part.replace('→', "->") } else { part.clone() };
            let (part, wide) = escape::fit(&part, self.width);
            if used > 0 && used + escape::width(&gap) + wide > self.width {
                self.text.push('\n');
                used = 0;
            } else if used > 0 {
                self.palette.push(&mut self.text, Ink::Dim, &gap);
                used += escape::width(&gap);
            }
            self.palette.push(&mut self.text, ink, part);
            used += wide;
        }
        self.text.push('\n');
    }

    fn table(&mut self, title: &str, heads: &[Head], lines: &[Line]) {
        let grid = Grid { signs: &self.signs, palette: &self.palette, width: self.width };
        grid.write(&mut self.text, title, heads, lines);
    }

    fn head(&mut self) {
        let figures = self.shown.figures;
        let total = &figures.total;
        let (inputs, sessions) = (Count(figures.inputs.total(), "input"), Count(figures.sessions.total, "session"));
        let [lifecycle, operation, unphased] = figures.phases();
        let share = |part: u64, rest: u64| percent(part, part.saturating_add(rest));
        self.parts(
            Ink::Strong,
            &[
                inputs.to_string(),
                sessions.to_string(),
                match figures.filter {
                    None => Count(total.messages, "message").to_string(),
                    Some(_) => format!("{} of {}", Thousands(total.messages), Count(figures.messages_read, "message")),
                },
                Bytes(total.bytes).to_string(),
            ],
        );
        if let Some(filter) = &figures.filter {
            self.parts(Ink::Doubt, &[format!("selected by {}", self.signs.safe(filter))]);
        }
        let of = |word: &str, part: u64, whole: u64| match part {
            0 => String::new(),
            part => format!("{word} {} ({})", Thousands(part), percent(part, whole)),
        };
        self.parts(
            Ink::Plain,
            &[
                format!("requests {}", Thousands(total.requests)),
                format!("responses {}", Thousands(total.responses)),
                of("errors", total.errors, total.responses),
                of("tool errors", total.tool_errors, total.responses),
                of("cancelled", total.cancelled, total.requests),
                of("late", total.late, total.responses),
                of("unanswered", total.unanswered, total.requests),
                format!("notifications {}", Thousands(total.notifications)),
                of("invalid", total.invalid, total.messages),
            ],
        );
        self.parts(
            Ink::Plain,
            &[
                format!("lifecycle {} : operation {}", Thousands(lifecycle.0), Thousands(operation.0)),
                format!("lifecycle {} of the messages", share(lifecycle.0, operation.0)),
                format!("{} of the bytes", share(lifecycle.1, operation.1)),
                of("in no phase", unphased.0, total.messages),
            ],
        );
        let handshakes = &figures.handshakes;
        if handshakes.finished + handshakes.unfinished > 0 {
            let each = handshakes.messages as f64 / handshakes.finished.max(1) as f64;
            let unfinished = match handshakes.unfinished {
                0 => String::new(),
                many => format!("unfinished {}", Thousands(many)),
            };
            let time = [(50, "p50"), (99, "p99"), (100, "max")].map(|(percent, name)| {
                handshakes.time.percentile(percent).map_or_else(String::new, |at| format!("{name} {}", elapsed(at)))
            });
            let mut parts = vec![
                format!("handshakes {}", Thousands(handshakes.finished)),
                unfinished,
                format!("{each:.1} messages each, at most {}", Thousands(handshakes.messages_max)),
            ];
            parts.extend(time);
            self.parts(Ink::Plain, &parts);
        }
        if figures.sessions.in_flight_max > 0 {
            self.parts(
                Ink::Plain,
                &[format!(
                    "at most {} waiting at a time in a session",
                    Count(figures.sessions.in_flight_max, "request")
                )],
            );
        }
    }

    /// The groups that were asked for, or methods with their targets.
    fn groups(&mut self) {
        let shown = self.shown;
        let Some(groups) = shown.groups() else { return };
        let (rows, hidden) = shown.sorted(groups, Some(shown.top.unwrap_or(TOP)));
        let below = shown.figures.by(&[Field::Method, Field::Target]).filter(|_| shown.by.is_none());
        let mut lines = Vec::new();
        for (values, cell) in rows {
            lines.push(self.group(Ink::Strong, self.name(values), cell));
            let Some(below) = below.filter(|_| has_targets(&values[0])) else { continue };
            let (targets, _) = shown.sorted(below, None);
            let targets = targets.into_iter().filter(|(pair, _)| pair[0] == values[0] && pair[1] != Value::Null);
            let all: Vec<_> = targets.collect();
            for (pair, cell) in all.iter().take(BELOW) {
                let name = format!("  {}", self.name(&pair[1..]));
                lines.push(self.group(Ink::Target, name, cell));
            }
            if all.len() > BELOW {
                let more = format!("  {} {} more", self.signs.cut, all.len() - BELOW);
                lines.push(((Ink::Dim, more), Vec::new()));
            }
        }
        let rest = groups.rows.rest();
        if rest.messages > 0 {
            lines.push(self.group(Ink::Doubt, "(without a row of their own)".to_owned(), rest));
        }
        let title: Vec<_> = shown.by().iter().map(|field| field.as_str()).collect();
        self.table(&title.join(", "), &GROUPS, &lines);
        if hidden > 0 {
            self.parts(Ink::Dim, &[format!("{} more, see --top", Thousands(hidden as u64))]);
        }
    }

    fn name(&self, values: &[Value]) -> String {
        let words = values.iter().map(|value| match text(value) {
            Some(text) => self.signs.safe(&text).into_owned(),
            None => self.signs.dot.to_owned(),
        });
        words.collect::<Vec<_>>().join("  ")
    }

    fn group(&self, ink: Ink, name: String, cell: &Cell) -> Line {
        let total = self.shown.figures.total.messages;
        let at = |percent| match cell.latency.percentile(percent) {
            Some(nanos) => (Ink::Plain, elapsed(nanos)),
            None => (Ink::Dim, self.signs.dot.to_owned()),
        };
        let wrong = |part: u64, whole: u64| match part {
            0 => (Ink::Dim, self.signs.dot.to_owned()),
            part => (Ink::Wrong, percent(part, whole)),
        };
        let cells = vec![
            (Ink::Plain, Thousands(cell.messages).to_string()),
            (Ink::Dim, self.bar(cell.messages, total)),
            at(50),
            at(95),
            at(99),
            at(100),
            wrong(cell.errors + cell.tool_errors, cell.responses),
            wrong(cell.unanswered, cell.requests),
            (Ink::Plain, Bytes(cell.bytes).to_string()),
        ];
        ((ink, name), cells)
    }

    /// A share as a bar, in eighths of a column; something is never nothing.
    fn bar(&self, part: u64, whole: u64) -> String {
        let eighths = (part as f64 / whole.max(1) as f64 * (BAR * 8) as f64).round() as usize;
        let eighths = eighths.max(usize::from(part > 0)).min(BAR * 8);
        let mut bar = self.signs.full.repeat(eighths / 8);
        if self.signs.ascii {
            if eighths < 8 && part > 0 {
                bar.push_str(self.signs.empty);
            }
        } else if eighths % 8 > 0 {
            bar.push(['▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8 - 1]);
        }
        bar
    }

    fn definitions(&mut self) {
        let definitions = &self.shown.figures.definitions;
        let head = [right("tools", 0), right("bytes", 0), right("tokens, about", 0), right("where", 1)];
        let lines = definitions.largest.iter().take(FEW).map(|list| {
            let server = list.server.as_deref().map_or_else(|| "?".into(), |server| self.signs.safe(server));
            let tokens = format!("{}", Thousands(Definitions::tokens(list.bytes.0)));
            let place = self.place(&list.file, list.line);
            let cells = vec![
                (Ink::Plain, Thousands(list.tools).to_string()),
                (Ink::Plain, Thousands(list.bytes.0).to_string()),
                (Ink::Plain, tokens),
                (Ink::Dim, place),
            ];
            ((Ink::Target, server.into_owned()), cells)
        });
        let lines: Vec<_> = lines.collect();
        self.table("tool definitions of", &head, &lines);
        let shown = definitions.largest.iter().count().min(FEW) as u64;
        if definitions.lists > shown {
            let more = Thousands(definitions.lists - shown);
            self.parts(Ink::Dim, &[format!("{more} more lists, {} together", Bytes(definitions.bytes))]);
        }
        if definitions.lists > 0 {
            self.parts(Ink::Dim, &["tokens are an estimate: bytes / 4".to_owned()]);
        }
    }

    fn place(&self, file: &str, line: u64) -> String {
        let file = self.signs.safe(file);
        // The end of a path tells more than its beginning.
        let room = (self.width / 3).saturating_sub(8);
        let (end, _) = escape::fit_end(&file, room);
        let cut = if end.len() < file.len() { self.signs.cut } else { "" };
        format!("{cut}{end}:{line}")
    }

    fn largest(&mut self) {
        let head = [right("bytes", 0), right("where", 1)];
        let lines = self.shown.figures.largest.iter().take(FEW).map(|heavy| {
            let words = [&heavy.method, &heavy.target, &heavy.kind].into_iter().filter_map(text);
            let name: Vec<_> = words.map(|word| self.signs.safe(&word).into_owned()).collect();
            let cells = vec![
                (Ink::Plain, Thousands(heavy.bytes.0).to_string()),
                (Ink::Dim, self.place(&heavy.file, heavy.line)),
            ];
            ((Ink::Strong, name.join(" ")), cells)
        });
        let lines: Vec<_> = lines.collect();
        self.table("largest messages", &head, &lines);
    }

    fn capabilities(&mut self) {
        let figures = self.shown.figures;
        let lines = figures.capabilities.iter().map(|((side, path), used)| {
            let path = path.join(".");
            let name = format!("{side}.{}", self.signs.safe(&path));
            let count = |ink, count: u64| match count {
                0 => (Ink::Dim, "0".to_owned()),
                count => (ink, Thousands(count).to_string()),
            };
            let cells = vec![
                count(Ink::Plain, used.declared),
                count(Ink::Plain, used.used),
                count(Ink::Wrong, used.used_undeclared),
                count(Ink::Wrong, used.refused),
                verdict(*used),
            ];
            ((Ink::Plain, name), cells)
        });
        let lines: Vec<_> = lines.collect();
        self.table("capability", &CAPABILITIES, &lines);
        let sessions = figures.sessions;
        let unknown = sessions.total.saturating_sub(sessions.client_declared.min(sessions.server_declared));
        if unknown > 0 {
            self.parts(
                Ink::Doubt,
                &[format!("of {} not every declaration is in the recording", Count(unknown, "session"))],
            );
        }
    }

    fn foot(&mut self) {
        let figures = self.shown.figures;
        for (table, lost) in figures.caps_reached() {
            let table = self.signs.safe(&table).into_owned();
            self.parts(Ink::Doubt, &[format!("no room for {} in: {table}", Thousands(lost))]);
        }
        if figures.complete() {
            return;
        }
        self.text.push('\n');
        let (lost, all) = (figures.inputs.not_whole(), figures.inputs.total());
        let interrupted = if figures.interrupted { "stopped before its end".to_owned() } else { String::new() };
        let not_whole = format!("incomplete: {} of {} not read whole", Thousands(lost), Count(all, "input"));
        self.parts(Ink::Wrong, &[not_whole, interrupted]);
        for unread in figures.unread.iter().take(FEW) {
            let line =
                format!("  {} {}: {}", self.signs.safe(&unread.file), unread.status, self.signs.safe(&unread.error));
            self.parts(Ink::Doubt, &[line]);
        }
        if lost > FEW as u64 {
            self.parts(Ink::Dim, &[format!("  {} more, see --format json", Thousands(lost - FEW as u64))]);
        }
    }
}

/// Whether the targets of a method are worth a row each: tools, resources, prompts. Those of tasks are different each time.
fn has_targets(method: &Value) -> bool {
    let set = text(method).and_then(|method| method_set(&method));
    set.is_some_and(|set| set.newest().feature.primitive().is_some())
}

/// What the counts of a capability say.
fn verdict(used: Use) -> Said {
    match used {
        Use { declared: 0, used: 0, .. } => (Ink::Plain, String::new()),
        Use { used_undeclared: 1.., .. } => (Ink::Wrong, "used without being declared".to_owned()),
        Use { used: 0, .. } => (Ink::Doubt, "never used".to_owned()),
        Use { declared, used, .. } if used.saturating_mul(20) < declared => {
            (Ink::Doubt, "almost nobody needs it".to_owned())
        }
        _ => (Ink::Plain, String::new()),
    }
}

fn elapsed(nanos: u64) -> String {
    Elapsed(Duration::from_nanos(nanos)).to_string()
}

/// A share in percent with one digit; what is more than nothing is not called nothing, and what is less than all not all.
fn percent(part: u64, whole: u64) -> String {
    let share = part as f64 / whole.max(1) as f64 * 100.0;
    match share {
        _ if part == 0 => "0 %".to_owned(),
        ..0.05 => "<0.1 %".to_owned(),
        99.95.. if part < whole => ">99.9 %".to_owned(),
        100.0.. => "100 %".to_owned(),
        _ => format!("{share:.1} %"),
    }
}
