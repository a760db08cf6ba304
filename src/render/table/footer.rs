//! The last lines: what was read, what was not, what the session rests on, and the commands that go deeper.

use std::borrow::Cow;

use super::figures::{Bytes, Count, Thousands};
use super::lines::{words, wrap};
use super::relied::{Listing, Relied, path};
use super::signs::Signs;
use crate::annotate::{
    Annotated, Brief, Certainty, Embedded, IdState, InputEnd, InputStatus, Kind, Needs, Status, Summary, Trace,
};
use crate::protocol::{ERROR_CODES, method_set};
use crate::render::OpenOptions;
use crate::render::palette::{Ink, Palette};

/// Inputs that are named one by one.
const NAMED: usize = 4;
/// Weight of a message that needs what was not declared.
const MISSING: u8 = 4;
/// The name of standard input.
const STDIN: &str = "-";

/// Gathers what the last lines say. Bounded.
#[derive(Debug)]
pub(in crate::render) struct Footer {
    width: usize,
    signs: Signs,
    palette: Palette,
    inputs: Vec<String>,
    /// The filter in words.
    filter: Option<String>,
    declared: Relied,
    missing: Relied,
    /// Lines about inputs, as they ended.
    read: Vec<(Ink, String)>,
    more_inputs: u64,
    look: Option<Look>,
    /// The signs that rows used; nothing without rows.
    marks: Option<Marks>,
}

/// The message to look at first.
#[derive(Debug)]
struct Look {
    /// How much it asks for attention.
    weight: u8,
    n: u64,
    /// What can be explained of it.
    topic: String,
}

/// Which signs need a word.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    guessed: bool,
    unknown: bool,
    undeclared: bool,
}

impl Footer {
    /// Last lines that go with no table.
    pub(in crate::render) fn of(options: &OpenOptions, palette: Palette) -> Self {
        let signs = if options.ascii { Signs::ASCII } else { Signs::UNICODE };
        Self { marks: None, ..Self::new(options.width.max(40), signs, palette) }
    }

    pub(super) fn new(width: usize, signs: Signs, palette: Palette) -> Self {
        Self {
            width,
            signs,
            palette,
            inputs: Vec::new(),
            filter: None,
            declared: Relied::default(),
            missing: Relied::default(),
            read: Vec::new(),
            more_inputs: 0,
            look: None,
            marks: Some(Marks::default()),
        }
    }

    pub(in crate::render) fn trace(&mut self, trace: &Trace) {
        self.inputs.clone_from(&trace.inputs);
        self.filter.clone_from(&trace.filter);
    }

    pub(super) fn message(&mut self, message: &Annotated<'_>) {
        self.mark(message);
        self.brief(&message.brief());
    }

    /// Takes as much of a message as last lines need that go with no table.
    #[inline(always)]
    pub(in crate::render) fn brief(&mut self, message: &Brief<'_>) {
        // Notifications that need nothing and answers that are no errors: most of what comes by.
        let plain = match message.kind {
            Kind::Request | Kind::Invalid => false,
            Kind::Notification => message.requires.is_empty(),
            Kind::Response => !matches!(message.status, Some(Status::Error | Status::ToolError)),
        };
        if !plain {
            self.notable(message);
        }
    }

    #[inline(never)]
    fn notable(&mut self, message: &Brief<'_>) {
        let asks = matches!(message.kind, Kind::Request | Kind::Notification);
        if asks {
            self.rely(message.requires, message.kind, message.input, message.n);
        }
        let missing = message.requires.iter().find(|need| need.declared == Some(false)).filter(|_| asks);
        let weight = match (message.kind, message.status) {
            _ if missing.is_some() => MISSING,
            (Kind::Invalid, _) => 3,
            (_, Some(Status::Error)) => 2,
            (_, Some(Status::ToolError)) => 2,
            (Kind::Request, _) => 1,
            _ => return,
        };
        // Of equal messages the first; of ordinary requests the last, which is past the handshake.
        let better = self.look.as_ref().is_none_or(|look| weight > look.weight || (weight == 1 && look.weight == 1));
        if better && message.input == 0 {
            let look = self.look.get_or_insert_with(|| Look { weight, n: message.n, topic: String::new() });
            (look.weight, look.n) = (weight, message.n);
            let topic = match (missing, message.code) {
                (Some(need), _) => Cow::Owned(path(need)),
                (None, Some(code)) if ERROR_CODES.iter().any(|row| row.code == code) => Cow::Owned(code.to_string()),
                _ => Cow::Borrowed(message.method.unwrap_or_default()),
            };
            // Of ordinary requests every one comes by here.
            if *look.topic != *topic {
                look.topic.clear();
                look.topic.push_str(&topic);
            }
        }
    }

    /// Requests inside other messages need capabilities as well.
    pub(in crate::render) fn embedded(&mut self, embedded: &Embedded<'_>) {
        if embedded.kind == Kind::Request {
            self.rely(&embedded.requires, embedded.kind, embedded.input, embedded.of);
        }
        if let Some(marks) = &mut self.marks {
            marks.unknown |= embedded.requires.iter().any(|need| need.declared.is_none()) || embedded.method.is_none();
            marks.undeclared |= embedded.requires.iter().any(|need| need.declared == Some(false));
        }
    }

    fn rely(&mut self, needs: &[Needs], kind: Kind, input: u32, n: u64) {
        for need in needs {
            match need.declared {
                Some(true) if kind == Kind::Request => self.declared.add(need, input, n),
                Some(false) => self.missing.add(need, input, n),
                Some(true) | None => {}
            }
        }
    }

    fn mark(&mut self, message: &Annotated<'_>) {
        let Some(marks) = &mut self.marks else { return };
        let basis = message.basis;
        marks.guessed |= [basis.direction, basis.session, basis.method, basis.answers, basis.phase]
            .contains(&Some(Certainty::Guessed));
        marks.unknown |= message.direction.is_none()
            || message.id_state == IdState::Unrecorded
            || (message.method.is_none() && message.kind != Kind::Invalid)
            || (message.kind == Kind::Response && (message.answers.is_none() || message.status.is_none()));
        for need in message.requires {
            marks.unknown |= need.declared.is_none();
            marks.undeclared |= need.declared == Some(false);
        }
    }

    pub(in crate::render) fn input(&mut self, input: &InputEnd) {
        let file = if input.file == STDIN { "standard input".into() } else { self.signs.safe(&input.file) };
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
            text.push_str(&format!(", as {} ({})", detected.format.name, detected.reason()));
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
        self.legend(out);
        self.filtered(summary, out);
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

    /// How many of the messages are shown, where not all are.
    fn filtered(&self, summary: &Summary, out: &mut String) {
        let (Some(filtered), Some(filter)) = (&summary.filtered, &self.filter) else { return };
        let (shown, read) = (Thousands(summary.counts.messages), Count(filtered.read, "message"));
        self.say(out, Ink::Doubt, &format!("{shown} of {read}, selected by {}", self.signs.safe(filter)));
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
                    "{} lifecycle (initialization, shutdown) {} : operation {} ({:.0} %)",
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
            // With a filter this is about whole sessions, not about what is shown.
            (if summary.filtered.is_some() { 0 } else { summary.unanswered }, "unanswered request", Ink::Doubt),
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
        let Self { width, ref signs, ref palette, ref inputs, .. } = *self;
        let listing = Listing { width, signs, palette, inputs };
        if !self.declared.is_empty() {
            let heading = "made possible by what was declared:";
            listing.write(Ink::Plain, heading, signs.declared, &self.declared, out);
        }
        if summary.undeclared > 0 {
            let heading =
                format!("{} needed what was not declared, answers not counted:", Count(summary.undeclared, "message"));
            listing.write(Ink::Wrong, &heading, signs.undeclared, &self.missing, out);
        }
    }

    /// What the signs in the rows mean, as far as they were used.
    fn legend(&self, out: &mut String) {
        let Some(marks) = self.marks else { return };
        let mut line = Vec::new();
        for (used, sign, meaning) in [
            (marks.guessed, "~", "guessed"),
            (marks.unknown, "?", "not in the capture"),
            (marks.undeclared, self.signs.undeclared, "not declared"),
        ] {
            if used {
                if !line.is_empty() {
                    line.push((Ink::Dim, self.signs.dot.to_owned()));
                }
                line.extend(words(Ink::Dim, &format!("{sign} {meaning}")));
            }
        }
        if !line.is_empty() {
            wrap(&self.palette, out, self.width, 0, &line);
        }
    }

    /// Commands that can be copied as they stand: one a line, never cut.
    fn deeper(&self, summary: &Summary, out: &mut String) {
        let Some(look) = self.look.as_ref().filter(|_| summary.counts.messages > 0) else { return };
        let show = self.inputs.first().and_then(|file| {
            let file = match file.as_str() {
                STDIN => return Some("<FILE".to_owned()),
                dashed if dashed.starts_with('-') => shell_word(&format!("./{dashed}")),
                plain => shell_word(plain),
            };
            // A name that cannot be shown cannot be copied either.
            (self.signs.safe(&file) == file).then_some(file)
        });
        let show = show.map(|file| format!("mcp-trace show {} {file}", look.n));
        let known =
            |topic: &&String| look.weight == MISSING || method_set(topic).is_some() || topic.parse::<i64>().is_ok();
        let explain = Some(&look.topic).filter(known).map(|topic| format!("mcp-trace explain {topic}"));
        for (at, command) in show.into_iter().chain(explain).enumerate() {
            self.palette.push(out, Ink::Dim, if at == 0 { "go deeper: " } else { "           " });
            self.palette.push(out, Ink::Plain, &command);
            out.push('\n');
        }
    }

    fn say(&self, out: &mut String, ink: Ink, text: &str) {
        wrap(&self.palette, out, self.width, 0, &words(ink, text));
    }
}

/// A word as a shell takes it.
fn shell_word(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@%+=,~".contains(&byte);
    // A tilde in front stands for the home directory.
    if !text.is_empty() && !text.starts_with('~') && text.bytes().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
