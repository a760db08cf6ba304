//! `github`: workflow commands, which GitHub shows beside the lines that they name
//! (<https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>).
//!
//! GitHub shows ten annotations of each level from one step. So the first findings of each severity are commands, further ones
//! are plain lines of the log, and the last command is the verdict.

use std::io::{self, Write};

use super::{Room, Unread, input_name, no_room, no_verdict, path, place, plain, supposed, verdict};
use crate::annotate::{Finding, Record, Severity, Summary};
use crate::render::{Output, Renderer};

/// Findings as annotations of a workflow.
pub(in crate::render) const GITHUB: Output = Output {
    name: "github",
    summary: "findings as annotations of a GitHub workflow; the last line is the verdict",
    records: false,
    findings: true,
    open: |_| Box::new(GitHub::new()),
};

struct GitHub {
    /// Commands: of ten errors that are shown, one is for what was not read and one for the verdict; of ten notices, one.
    commands: Room,
    /// Plain lines.
    lines: Room,
    unread: bool,
}

impl GitHub {
    fn new() -> Self {
        Self { commands: Room::new(8, 10, 9), lines: Room::new(1_000, 1_000, 1_000), unread: false }
    }

    fn finding(&mut self, finding: &Finding<'_>, out: &mut dyn Write) -> io::Result<()> {
        let position = finding.position;
        if !self.commands.takes(finding.severity) {
            if !self.lines.takes(finding.severity) {
                return Ok(());
            }
            let place = place(finding.file, position);
            let text = format!("{place}: {} [{}]", plain(finding.message), finding.rule);
            return writeln!(out, "{}: {}", finding.severity.as_str(), log_line(&text));
        }
        let mut text = plain(finding.message).into_owned();
        if let Some(help) = finding.help {
            text.push_str(&format!("\nhelp: {}", plain(help)));
        }
        text.push_str(&format!("\n{}", plain(&finding.says())));
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let lines = (position.line > 0).then_some((position.line, position.end_line.max(position.line)));
        command(out, level, Some(finding.file), lines, &format!("mcp-trace {}", finding.rule), &text)
    }

    fn unread(&mut self, unread: &Unread, out: &mut dyn Write) -> io::Result<()> {
        let text = format!("{}: {}: {}", input_name(&unread.file), unread.status, unread.reason);
        if std::mem::replace(&mut self.unread, true) {
            return writeln!(out, "error: {}", log_line(&text));
        }
        let lines = unread.line.map(|line| (line, line));
        command(out, "error", Some(&unread.file), lines, "mcp-trace could not read everything", &text)
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let mut text = verdict(summary);
        if let Some(left_out) = self.commands.left_out() {
            text.push_str(&format!("; {left_out} only as lines of the log"));
        }
        if let Some(left_out) = self.lines.left_out() {
            text.push_str(&format!(", {left_out} of them only counted"));
        }
        for line in supposed(summary).chain(no_room(summary)) {
            text.push_str(&format!("\n{line}"));
        }
        if let Some(why) = no_verdict(summary, self.unread) {
            text.push_str(&format!("\n{why}"));
        } else if !summary.complete {
            text.push_str("\nnot everything was read, so this is no verdict");
        }
        let level = if summary.complete { "notice" } else { "error" };
        command(out, level, None, None, "mcp-trace check", &text)
    }
}

impl Renderer for GitHub {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Finding(finding) => self.finding(finding, out),
            Record::InputEnd(end) => Unread::of(end).map_or(Ok(()), |unread| self.unread(&unread, out)),
            Record::Summary(summary) => self.end(summary, out),
            Record::Trace(_)
            | Record::Message(_)
            | Record::Embedded(_)
            | Record::View(_)
            | Record::Event(_)
            | Record::Agreed(_)
            | Record::SessionEnd(_) => Ok(()),
        }
    }
}

/// Writes one command.
fn command(
    out: &mut dyn Write,
    level: &str,
    file: Option<&str>,
    lines: Option<(u64, u64)>,
    title: &str,
    text: &str,
) -> io::Result<()> {
    let mut properties = String::new();
    if let Some(file) = file {
        properties.push_str(&format!("file={},", property(&plain(&path(file)))));
    }
    if let Some((line, end_line)) = lines {
        properties.push_str(&format!("line={line},endLine={end_line},"));
    }
    writeln!(out, "::{level} {properties}title={}::{}", property(title), message(text))
}

/// Text behind the second `::`.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line of the log that is taken for no command: `##[` begins one anywhere in a line.
fn log_line(text: &str) -> String {
    text.replace("##[", "## [")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

    use super::*;

    /// Level, properties, message.
    type Command = (String, Vec<(String, String)>, String);

    /// A command as the runner reads it.
    fn read(line: &str) -> Option<Command> {
        let (head, text) = line.strip_prefix("::")?.split_once("::")?;
        let (level, properties) = head.split_once(' ').unwrap_or((head, ""));
        let plain = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n");
        let value = |text: &str| plain(text).replace("%3A", ":").replace("%2C", ",").replace("%25", "%");
        let pairs = properties.split(',').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| pair.split_once('=').map(|(name, text)| (name.to_owned(), value(text))));
        Some((level.to_owned(), pairs.collect::<Option<_>>()?, plain(text).replace("%25", "%")))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_command_reads_back(file in any::<String>(), title in any::<String>(), text in any::<String>(), line in 1_u64..) {
            let mut out = Vec::new();
            prop_assert!(command(&mut out, "error", Some(&file), Some((line, line)), &title, &text).is_ok());
            let written = String::from_utf8(out).unwrap_or_default();
            prop_assert!(written.ends_with('\n') && written.matches(['\n', '\r']).count() == 1, "{}", written);
            let back = read(written.trim_end_matches('\n'));
            let number = line.to_string();
            let pairs = [("file", plain(&path(&file)).into_owned()), ("line", number.clone()), ("endLine", number), ("title", title)];
            let pairs = pairs.map(|(name, value)| (name.to_owned(), value)).to_vec();
            prop_assert_eq!(back, Some(("error".to_owned(), pairs, text)));
        }

        #[test]
        fn a_line_of_the_log_is_no_command(text in "[#\\[:a]{0,12}") {
            prop_assert!(!log_line(&text).contains("##["));
        }
    }
}
