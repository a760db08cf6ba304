//! `markdown`: a verdict and a table of findings, for the summary of a job or a comment (GitHub Flavored Markdown). Never longer
//! than a comment may be; what has no room is counted.
//!
//! Text of transcripts stands in code spans, where nothing is a link, a mention, an image or HTML.

use std::io::{self, Write};

use super::{Room, Unread, cut, input_name, no_room, no_verdict, place, plain, supposed, verdict};
use crate::annotate::{Finding, Record, Severity, Summary};
use crate::render::{Output, Renderer};

/// Findings as Markdown.
pub(in crate::render) const MARKDOWN: Output = Output {
    name: "markdown",
    summary: "a verdict and a table of findings, worst first, for the summary of a job or a comment",
    records: false,
    findings: true,
    open: |_| Box::new(Markdown::new()),
};

/// Bytes of all rows: a comment on GitHub takes 65,536 characters.
const ROWS: usize = 48 << 10;
/// Bytes of what was not read.
const UNREAD: usize = 8 << 10;
/// Bytes of a cell.
const CELL: usize = 400;

struct Markdown {
    room: Room,
    /// Rows with their severity.
    rows: Vec<(Severity, String)>,
    unread: Vec<String>,
}

impl Markdown {
    fn new() -> Self {
        Self { room: Room::new(100, 100, 100), rows: Vec::new(), unread: Vec::new() }
    }

    fn finding(&mut self, finding: &Finding<'_>) {
        if !self.room.takes(finding.severity) {
            return;
        }
        let place = code(&place(cut(finding.file, CELL), finding.position));
        let severity = finding.severity.as_str();
        let rule = match finding.spec {
            "" => code(finding.rule),
            spec => format!("[{}]({spec})", finding.rule),
        };
        let row = format!("| {severity} | {rule} | {place} | {} |\n", prose(finding.message));
        self.rows.push((finding.severity, row));
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let mark = match (summary.complete, summary.exit_code) {
            (false, _) => "⚠️ no verdict: not everything was read",
            (true, 0) => "✅ passed",
            (true, _) => "❌ failed",
        };
        writeln!(out, "## mcp-trace check: {mark}\n\n{}", verdict(summary))?;
        for supposed in supposed(summary) {
            writeln!(out, "\n{}.", prose(&supposed))?;
        }
        let any_unread = !self.unread.is_empty();
        if let Some(why) = no_verdict(summary, any_unread) {
            self.unread.push(format!("- {why}\n"));
        }
        for (at, line) in within(&self.unread, UNREAD) {
            write!(out, "{}{line}", if at == 0 { "\n" } else { "" })?;
        }
        let hidden = self.unread.len() - within(&self.unread, UNREAD).count();
        if hidden > 0 {
            writeln!(out, "- and {hidden} more")?;
        }
        self.rows.sort_by_key(|(severity, _)| std::cmp::Reverse(*severity));
        let rows: Vec<&String> = self.rows.iter().map(|(_, row)| row).collect();
        let shown = within(&rows, ROWS).count();
        for (severity, _) in &self.rows[shown..] {
            self.room.left_out.add(*severity);
        }
        if shown > 0 {
            out.write_all("\n| severity | rule | where | what |\n|---|---|---|---|\n".as_bytes())?;
            rows[..shown].iter().try_for_each(|row| out.write_all(row.as_bytes()))?;
        }
        if let Some(left_out) = self.room.left_out() {
            writeln!(out, "\n{left_out} more have no room here.")?;
        }
        for lost in no_room(summary) {
            writeln!(out, "\n{}.", prose(&lost))?;
        }
        Ok(())
    }
}

/// The first texts that take at most so many bytes together, with their places.
fn within<T: AsRef<str>>(texts: &[T], most: usize) -> impl Iterator<Item = (usize, &T)> {
    let mut used = 0;
    texts.iter().enumerate().take_while(move |(_, text)| {
        used += text.as_ref().len();
        used <= most
    })
}

impl Renderer for Markdown {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Finding(finding) => self.finding(finding),
            Record::InputEnd(end) => {
                if let Some(Unread { file, status, reason, .. }) = Unread::of(end) {
                    let (name, reason) = (code(cut(&input_name(&file), CELL)), prose(&reason));
                    self.unread.push(format!("- {name} is {status}: {reason}\n"));
                }
            }
            Record::Summary(summary) => self.end(summary, out)?,
            Record::Trace(_)
            | Record::Message(_)
            | Record::Embedded(_)
            | Record::View(_)
            | Record::Event(_)
            | Record::Agreed(_)
            | Record::SessionEnd(_) => {}
        }
        Ok(())
    }
}

/// A sentence with values in backticks. As it is where all outside them is ordinary text, else one code span.
fn prose(text: &str) -> String {
    let text = plain(text);
    let short = cut(&text, CELL);
    let text = if short.len() < text.len() { format!("{short}…") } else { short.to_owned() };
    let outside = text.split('`').step_by(2);
    let ordinary =
        |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | ';' | '\'' | '"' | '(' | ')' | '-' | '/' | '…');
    // A colon may stand before a space: not in an address, and in no name of an emoji.
    let harmless = |part: &str| {
        part.replace(": ", " ").chars().all(ordinary) && !part.to_lowercase().contains("www.") && !part.contains("//")
    };
    if text.matches('`').count() % 2 != 0 || text.contains("``") || !outside.into_iter().all(harmless) {
        return code(&text);
    }
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 0 { part.to_owned() } else { code(part) }).collect()
}

/// A code span for a cell of a table: longer fences than any run of backticks inside, and no bar that ends the cell.
pub(in crate::render) fn code(text: &str) -> String {
    let text = plain(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    // A backslash before a bar would take away the bar's own.
    format!("{fence}{space}{}{space}{fence}", text.replace("\\|", "\\ |").replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

    use super::*;

    /// The spans of a cell and what stands between them, as GitHub reads a cell: first the bars, then the spans.
    fn read(cell: &str) -> (Vec<String>, String) {
        let cell = cell.replace("\\|", "|");
        let (mut spans, mut between, mut rest) = (Vec::new(), String::new(), cell.as_str());
        while let Some(start) = rest.find('`') {
            between.push_str(&rest[..start]);
            let fence = rest[start..].len() - rest[start..].trim_start_matches('`').len();
            let body = &rest[start + fence..];
            let mut at = 0;
            let end = loop {
                let Some(next) = body[at..].find('`') else { break None };
                let run = body[at + next..].len() - body[at + next..].trim_start_matches('`').len();
                if run == fence {
                    break Some(at + next);
                }
                at += next + run;
            };
            let Some(end) = end else { break };
            spans.push(body[..end].to_owned());
            rest = &body[end + fence..];
        }
        between.push_str(rest);
        (spans, between)
    }

    #[test]
    fn ordinary_sentences_stay_readable() {
        assert_eq!(prose("the client sends `a|b`, which `x` is not"), "the client sends `a\\|b`, which `x` is not");
        assert_eq!(prose("no JSON: `{`"), "no JSON: `{`");
        for hostile in
            ["see @team", "#12 is late", "<img src=x>", "http://a.b", "www.a.b", "a `b", "[x](y)", "*x*", ":+1:"]
        {
            let cell = prose(hostile);
            assert!(cell.starts_with('`') && cell.ends_with('`'), "{cell}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_span_reads_back(text in any::<String>()) {
            let (spans, between) = read(&code(&text));
            let safe = plain(&text);
            if !safe.is_empty() {
                prop_assert_eq!(between, "");
                prop_assert_eq!(spans.len(), 1);
                let parted = safe.replace("\\|", "\\ |");
                prop_assert_eq!(spans[0].trim_matches(' '), parted.trim_matches(' '));
            }
        }

        #[test]
        fn what_stands_between_spans_is_ordinary(text in "[a-z `|<>@#:/.\\\\\\[\\]()*_!&$~\n-]{0,60}") {
            let cell = prose(&text);
            let (_, between) = read(&cell);
            prop_assert!(!between.contains(['<', '>', '@', '#', '[', ']', '*', '_', '!', '&', '$', '~', '\\', '\n']), "{}", cell);
            prop_assert!(!between.contains("://") && !between.contains("www."), "{}", cell);
            for (bar, _) in cell.match_indices('|') {
                prop_assert!(cell[..bar].ends_with('\\') && !cell[..bar].ends_with("\\\\"), "{}", cell);
            }
        }
    }
}
