//! Claude Code's debug output, of `--mcp-debug` and in `~/.claude/debug`: sentences on servers among others, no messages.

use jiff::tz::TimeZone;

use super::grammar::{Grammar, Split, Told, other, stderr};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, silent, stamp};

/// The row of Claude Code's debug output.
pub(super) const FORMAT: Format = Format {
    name: "claude-code-debug",
    title: "Claude Code's debug output",
    example: "2025-01-02T03:04:05.678Z [DEBUG] MCP server \"notes\": Starting connection attempt",
    loses: "messages",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::TEE),
};

static GRAMMAR: Grammar = Grammar { reason: "a line is one of Claude Code's on a server", split, tell, stray: other };

/// `[LEVEL] text`, with a time before it in newer builds.
fn split<'t>(line: &'t str, zone: &TimeZone) -> Option<Split<'t>> {
    let (time, rest) = match stamp::leading(line, zone) {
        Some((time, rest)) => (Some(time), rest.strip_prefix(' ')?),
        None => (None, line),
    };
    let (level, text) = rest.strip_prefix('[')?.split_once("] ")?;
    let fits = matches!(level, "DEBUG" | "ERROR" | "INFO" | "WARN");
    fits.then_some(Split { time, server: saying(text).map(|(server, _)| server), session: None, text })
}

/// `MCP server "NAME": words`, in newer builds without the colon.
fn saying(text: &str) -> Option<(&str, &str)> {
    let (server, words) = text.strip_prefix("MCP server \"")?.split_once('"')?;
    Some((server, words.trim_start_matches([':', ' '])))
}

fn tell(text: &str) -> Told<'_> {
    match saying(text) {
        Some((_, words)) => match words.strip_prefix("Server stderr: ") {
            Some(words) => stderr(words),
            None => Told::event(EventKind::Note, words),
        },
        None => Told::Other(text),
    }
}
