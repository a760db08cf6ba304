//! `text`: findings one below the other, each with the line of the transcript and the offending part marked. Repeats are
//! folded with a count. Judges nothing.

mod fold;
mod snippet;

use std::borrow::Cow;
use std::io::{self, Write};

use self::fold::Fold;
use self::snippet::{Signs, Snippet};
use super::escape;
use super::palette::{Ink, Palette};
use super::report::{held_back, messages};
use super::supposed::would;
use super::table::Count;
use super::{OpenOptions, Output, Renderer};
use crate::annotate::{Finding, FindingCounts, InputEnd, InputStatus, Record, Severity, Summary};

/// Findings for a person.
pub(super) const TEXT: Output = Output {
    name: "text",
    summary: "findings one below the other, with the line of the transcript and the offending part marked",
    records: false,
    findings: true,
    open: |options| Box::new(Text::new(options)),
};

struct Text {
    width: usize,
    signs: Signs,
    palette: Palette,
    fold: Fold,
    /// What was not read whole.
    unread: Vec<String>,
    /// The rule of the first of the worst findings.
    worst: Option<(Severity, &'static str)>,
    out: String,
}

impl Text {
    fn new(options: &OpenOptions) -> Self {
        Self {
            width: options.width.max(40),
            signs: if options.ascii { Signs::ASCII } else { Signs::UNICODE },
            palette: Palette::new(options.color),
            fold: Fold::default(),
            unread: Vec::new(),
            worst: None,
            out: String::new(),
        }
    }

    fn safe<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.signs.safe(text)
    }

    fn finding(&mut self, finding: &Finding<'_>) {
        if self.worst.is_none_or(|(severity, _)| finding.severity > severity) {
            self.worst = Some((finding.severity, finding.rule));
        }
        if !self.fold.shows(finding) {
            return;
        }
        let (ink, word) = ink(finding.severity);
        let mut out = std::mem::take(&mut self.out);
        self.palette.push(&mut out, ink, word);
        let text = format!(": {}  [{}]", finding.message, finding.rule);
        self.palette.push(&mut out, Ink::Strong, &self.safe(&text));
        out.push('\n');
        let lines = finding.related.iter().map(|related| related.position.line).chain([finding.position.line]);
        let snippet = Snippet::new(self.width, self.signs, &self.palette, lines.max().unwrap_or(0));
        let numbered = finding.n.map(|n| format!(" #{n}")).unwrap_or_default();
        let place = format!("{}:{}{numbered}", finding.file, finding.position.line);
        snippet.head(&mut out, &place, true);
        if !finding.text.is_empty() {
            snippet.text(&mut out, finding.position.line, finding.text, finding.mark, ink, '^', finding.label);
        }
        for related in finding.related {
            let numbered = related.n.map(|n| format!(" #{n}")).unwrap_or_default();
            match &related.excerpt {
                Some(excerpt) => {
                    snippet.head(&mut out, &format!("{}:{}{numbered}", finding.file, related.position.line), false);
                    let mark = Some(excerpt.mark);
                    snippet.text(&mut out, related.position.line, &excerpt.text, mark, Ink::Rule, '-', &related.what);
                }
                None => {
                    let place = format!("{}:{}{numbered} {}", finding.file, related.position.line, related.what);
                    snippet.head(&mut out, &place, false);
                }
            }
        }
        snippet.note(&mut out, &finding.says());
        if let Some(help) = finding.help {
            snippet.note(&mut out, &format!("help: {help}"));
        }
        out.push('\n');
        self.out = out;
    }

    fn repeats(&mut self, input: u32, session: Option<u64>, file: &str) {
        for line in self.fold.end(input, session) {
            let line = format!("{} {file}:{line}\n", self.signs.more);
            let line = escape::terminal(line.trim_end()).into_owned();
            self.palette.push(&mut self.out, Ink::Dim, &self.signs.safe(&line));
            self.out.push_str("\n\n");
        }
    }

    fn input(&mut self, end: &InputEnd) {
        if end.status != InputStatus::Ok {
            let error = end.error.as_deref().unwrap_or("not read to its end");
            self.unread.push(self.safe(&format!("{}: {error}", end.file)).into_owned());
        }
    }

    fn summary(&mut self, summary: &Summary) {
        let counts = summary.findings.unwrap_or_default();
        let mut out = std::mem::take(&mut self.out);
        for effect in summary.what_if.iter().flatten() {
            let would = would(effect);
            self.palette.push(&mut out, Ink::Strong, &self.safe(&effect.change));
            out.push_str(&format!(": {}\n", self.safe(&would)));
        }
        let (ink, said) = said(counts);
        self.palette.push(&mut out, ink, &said);
        let sessions = Count(summary.sessions, "session");
        out.push_str(&format!(" in {} of {sessions}", messages(summary)));
        if let Some(held) = held_back(summary) {
            out.push_str(&format!(", {held}"));
        }
        out.push('\n');
        if let Some((_, rule)) = self.worst {
            out.push_str(&format!("go deeper: mcp-trace explain {rule}\n"));
        }
        for (table, lost) in &summary.caps_reached {
            out.push_str(&format!("not judged for lack of room: {lost} of {table}\n"));
        }
        if !summary.complete {
            self.palette.push(&mut out, Ink::Wrong, "not everything was read, so this is no verdict");
            out.push('\n');
            for unread in &self.unread {
                out.push_str(&format!("  {unread}\n"));
            }
        }
        self.out = out;
    }
}

impl Renderer for Text {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Finding(finding) => self.finding(finding),
            Record::SessionEnd(end) => self.repeats(end.input, Some(end.session), &end.file),
            Record::InputEnd(end) => {
                self.repeats(end.input, None, &end.file);
                self.input(end);
            }
            Record::Summary(summary) => self.summary(summary),
            Record::Trace(_)
            | Record::Message(_)
            | Record::Embedded(_)
            | Record::View(_)
            | Record::Event(_)
            | Record::Agreed(_) => {}
        }
        out.write_all(self.out.as_bytes())?;
        self.out.clear();
        Ok(())
    }
}

fn ink(severity: Severity) -> (Ink, &'static str) {
    match severity {
        Severity::Error => (Ink::Wrong, "error"),
        Severity::Warning => (Ink::Doubt, "warning"),
        Severity::Note => (Ink::Target, "note"),
    }
}

fn said(counts: FindingCounts) -> (Ink, String) {
    let ink = match counts {
        FindingCounts { error: 1.., .. } => Ink::Wrong,
        FindingCounts { warning: 1.., .. } => Ink::Doubt,
        FindingCounts { note: 1.., .. } => Ink::Target,
        _ => return (Ink::Good, "no findings".to_owned()),
    };
    let (errors, warnings) = (Count(counts.error, "error"), Count(counts.warning, "warning"));
    (ink, format!("{errors}, {warnings}, {}", Count(counts.note, "note")))
}
