//! The last lines: what was read, what was not, what the session rests on, and the commands that go deeper.

use super::bands::{words, wrap};
use super::figures::{Bytes, Count, Thousands};
use super::signs::Signs;
use crate::annotate::{Annotated, InputEnd, InputStatus, Kind, Needs, Status, Summary, Trace};
use crate::render::OpenOptions;
use crate::render::palette::{Ink, Palette};

/// Capabilities that are listed; METHODS knows fewer.
const RELIED: usize = 64;
/// Requests and inputs that are named one by one.
const NAMED: usize = 4;

/// Gathers what the last lines say. Bounded.
#[derive(Debug)]
pub(in crate::render) struct Footer {
    width: usize,
    signs: Signs,
    palette: Palette,
    inputs: Vec<String>,
    relied: Vec<Relied>,
    /// Lines about inputs, as they ended.
    read: Vec<(Ink, String)>,
    more_inputs: u64,
    /// The message to look at first, its method, and how much it asks for attention.
    look: Option<(u8, u64, Option<String>)>,
}

/// A capability that requests relied on.
#[derive(Debug)]
struct Relied {
    need: Needs,
    requests: u64,
    first: Vec<u64>,
}

impl Footer {
    /// Last lines that go with no table.
    pub(in crate::render) fn of(options: &OpenOptions, palette: Palette) -> Self {
        let signs = if options.ascii { Signs::ASCII } else { Signs::UNICODE };
        Self::new(options.width.max(40), signs, palette)
    }

    pub(super) fn new(width: usize, signs: Signs, palette: Palette) -> Self {
        Self {
            width,
            signs,
            palette,
            inputs: Vec::new(),
            relied: Vec::new(),
            read: Vec::new(),
            more_inputs: 0,
            look: None,
        }
    }

    pub(in crate::render) fn trace(&mut self, trace: &Trace) {
        self.inputs.clone_from(&trace.inputs);
    }

    pub(in crate::render) fn message(&mut self, message: &Annotated<'_>) {
        if message.kind == Kind::Request {
            for need in message.requires.iter().filter(|need| need.declared == Some(true)) {
                self.rely(need, message.n);
            }
        }
        let missing = message.requires.iter().any(|need| need.declared == Some(false));
        let weight = match (message.kind, message.status) {
            (Kind::Invalid, _) => 4,
            (Kind::Request, _) if missing => 3,
            (_, Some(Status::Error)) => 2,
            (_, Some(Status::ToolError)) => 2,
            (Kind::Request, _) => 1,
            _ => return,
        };
        // Of equal messages the first; of ordinary requests the last, which is past the handshake.
        let better = self.look.as_ref().is_none_or(|(least, ..)| weight > *least || (weight == 1 && *least == 1));
        if better && message.input == 0 {
            let method = message.method.map(str::to_owned);
            self.look = Some((weight, message.n, method));
        }
    }

    fn rely(&mut self, need: &Needs, n: u64) {
        let same = |relied: &Relied| relied.need.side == need.side && relied.need.path == need.path;
        match self.relied.iter().position(same) {
            Some(at) => {
                let relied = &mut self.relied[at];
                relied.requests += 1;
                if relied.first.len() < NAMED {
                    relied.first.push(n);
                }
            }
            None if self.relied.len() < RELIED => {
                self.relied.push(Relied { need: *need, requests: 1, first: vec![n] });
            }
            None => {}
        }
    }

    pub(in crate::render) fn input(&mut self, input: &InputEnd) {
        let file = self.signs.safe(&input.file);
        let (ink, mut text) = match input.status {
            InputStatus::Ok => {
                let lines = Count(input.lines, "line");
                (Ink::Dim, format!("read {file} to its end: {lines}, {}", Bytes(input.bytes)))
            }
            InputStatus::Partial => (Ink::Wrong, format!("only partly read: {file}")),
            InputStatus::Unrecognised => (Ink::Wrong, format!("no MCP messages recognised: {file}")),
            InputStatus::Unreadable => (Ink::Wrong, format!("unreadable: {file}")),
        };
        if let Some(detected) = input.detected {
            text.push_str(&format!(", as {} ({})", detected.format.name, detected.reason));
        }
        // The reason goes to standard error. What went wrong is always said, what went well for the first few.
        let well = self.read.iter().filter(|(ink, _)| *ink == Ink::Dim).count();
        let ill = self.read.len() - well;
        if (ink == Ink::Dim && well < NAMED) || (ink == Ink::Wrong && ill < 10 * NAMED) {
            self.read.push((ink, text));
        } else {
            self.more_inputs += 1;
        }
    }

    pub(in crate::render) fn write(&self, summary: &Summary, out: &mut String) {
        if summary.counts.messages > 0 {
            out.push('\n');
        }
        self.counts(summary, out);
        self.needs(summary, out);
        for (ink, text) in &self.read {
            self.say(out, *ink, text);
        }
        if self.more_inputs > 0 {
            self.say(out, Ink::Dim, &format!("and {}", Count(self.more_inputs, "more input")));
        }
        for (table, lost) in &summary.caps_reached {
            let text = format!(
                "limit reached: {table}, {} lost; what belongs to them may be marked unknown",
                Thousands(*lost)
            );
            self.say(out, Ink::Doubt, &text);
        }
        if summary.interrupted {
            self.say(out, Ink::Doubt, "stopped by the user; what follows in the input was not read");
        }
        self.deeper(summary, out);
    }

    fn counts(&self, summary: &Summary, out: &mut String) {
        let counts = summary.counts;
        let mut line = vec![(Ink::Strong, format!("{}:", Count(counts.messages, "message")))];
        line.push((Ink::Plain, format!("{},", Count(counts.requests, "request"))));
        let mut inside = Vec::new();
        if counts.error_responses > 0 {
            inside.push((Ink::Wrong, Count(counts.error_responses, "error").to_string()));
        }
        if counts.tool_errors > 0 {
            inside.push((Ink::Wrong, Count(counts.tool_errors, "tool error").to_string()));
        }
        line.push((
            Ink::Plain,
            format!("{}{}", Count(counts.responses, "response"), if inside.is_empty() { "," } else { "" }),
        ));
        let last = inside.len().saturating_sub(1);
        for (at, (ink, text)) in inside.into_iter().enumerate() {
            let open = if at == 0 { "(" } else { "" };
            let close = if at == last { ")," } else { "," };
            line.push((ink, format!("{open}{text}{close}")));
        }
        line.push((Ink::Plain, Count(counts.notifications, "notification").to_string()));
        if let Some(ratio) = summary.lifecycle_ratio() {
            line.push((
                Ink::Plain,
                format!(
                    "{} lifecycle {} : operation {} ({:.0} % lifecycle)",
                    self.signs.dot,
                    Thousands(summary.lifecycle),
                    Thousands(summary.operation),
                    ratio * 100.0
                ),
            ));
        }
        if summary.unphased > 0 {
            line.push((Ink::Doubt, format!("{} {} in no known phase", self.signs.dot, Thousands(summary.unphased))));
        }
        let extra = [
            (counts.invalid, "invalid message", Ink::Wrong),
            (summary.unanswered, "unanswered request", Ink::Doubt),
            (summary.embedded, "embedded input request or response", Ink::Plain),
            (summary.views, "other telling", Ink::Dim),
            (summary.noise, "line of noise", Ink::Dim),
            (summary.events, "event", Ink::Dim),
        ];
        for (count, noun, ink) in extra {
            match (count, noun) {
                (0, _) => {}
                (2.., "line of noise") => {
                    line.push((ink, format!("{} {} lines of noise", self.signs.dot, Thousands(count))))
                }
                (2.., "embedded input request or response") => {
                    line.push((
                        ink,
                        format!("{} {} embedded input requests and responses", self.signs.dot, Thousands(count)),
                    ));
                }
                _ => line.push((ink, format!("{} {}", self.signs.dot, Count(count, noun)))),
            }
        }
        wrap(&self.palette, out, self.width, 0, &line);
    }

    /// What the requests relied on, so that one sees what would be missing without it; then what was missing.
    fn needs(&self, summary: &Summary, out: &mut String) {
        let single = self.inputs.len() < 2;
        if !self.relied.is_empty() {
            let mut line = words(Ink::Plain, "made possible by what was declared:");
            for relied in &self.relied {
                line.push((Ink::Good, format!("{} {}", self.signs.declared, path(&relied.need))));
                let mut by = format!("for {}", Count(relied.requests, "request"));
                if single {
                    by = format!("for {}", numbers(&relied.first, relied.requests));
                }
                line.push((Ink::Dim, by));
            }
            wrap(&self.palette, out, self.width, 0, &line);
        }
        if summary.undeclared > 0 {
            let verb = if summary.undeclared == 1 { "needs" } else { "need" };
            let head = format!("{} {verb} a capability that was not declared:", Count(summary.undeclared, "request"));
            let mut line = words(Ink::Wrong, &head);
            for (input, n, need) in &summary.undeclared_first {
                let file = self.inputs.get(*input as usize).filter(|_| !single);
                let file = file.map(|file| format!("{} ", self.signs.safe(file))).unwrap_or_default();
                line.push((Ink::Wrong, format!("{} {}", self.signs.undeclared, path(need))));
                line.push((Ink::Dim, format!("by {file}#{n}")));
            }
            let left = summary.undeclared.saturating_sub(summary.undeclared_first.len() as u64);
            if left > 0 {
                line.push((Ink::Dim, format!("and {} more", Thousands(left))));
            }
            wrap(&self.palette, out, self.width, 0, &line);
        }
    }

    fn deeper(&self, summary: &Summary, out: &mut String) {
        let Some((_, n, method)) = self.look.as_ref().filter(|_| summary.counts.messages > 0) else { return };
        let mut line = vec![(Ink::Dim, "go deeper:".to_owned())];
        let file = self.inputs.first().map_or("-", String::as_str);
        if file != "-" {
            line.push((Ink::Plain, format!("mcp-trace show {n} {}", shell_word(&self.signs.safe(file)))));
        }
        if let Some(method) = method {
            if line.len() > 1 {
                line.push((Ink::Dim, self.signs.dot.to_owned()));
            }
            line.push((Ink::Plain, format!("mcp-trace explain {}", shell_word(&self.signs.safe(method)))));
        }
        if line.len() > 1 {
            wrap(&self.palette, out, self.width, 0, &line);
        }
    }

    fn say(&self, out: &mut String, ink: Ink, text: &str) {
        wrap(&self.palette, out, self.width, 0, &words(ink, text));
    }
}

fn path(need: &Needs) -> String {
    format!("{}.{}", need.side.as_str(), need.path.join("."))
}

fn numbers(first: &[u64], count: u64) -> String {
    let named: Vec<_> = first.iter().map(|n| format!("#{n}")).collect();
    let left = count.saturating_sub(first.len() as u64);
    if left == 0 { named.join(" ") } else { format!("{} and {} more", named.join(" "), Thousands(left)) }
}

/// A word as a shell takes it.
fn shell_word(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@%+=,~".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
