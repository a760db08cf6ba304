//! What the Gemini CLI prints of its servers: their standard error and its own failures, no messages and no times.

use super::grammar::{Grammar, Split, Told, other, stderr};
use super::text_log::TextLog;
use super::{EventKind, Format, Proof, silent};

/// The row of the Gemini CLI's output.
pub(super) const FORMAT: Format = Format {
    name: "gemini-cli",
    title: "what the Gemini CLI prints of its servers",
    example: "[DEBUG] [MCP STDERR (notes)]: watching 3 folders",
    loses: "messages and times",
    proof: Proof::Documented,
    sniff: |head| GRAMMAR.sniff(head),
    open: |options| TextLog::open_silent(&GRAMMAR, options, silent::TEE),
};

static GRAMMAR: Grammar = Grammar {
    reason: "a line is one of the Gemini CLI's on a server",
    split: |line, _| {
        let saying = saying(line)?;
        Some(Split { server: Some(saying.server), text: line, ..Split::default() })
    },
    tell: |text| match saying(text) {
        Some(Saying { stderr: true, words, .. }) => stderr(words),
        _ => Told::event(EventKind::Note, text),
    },
    stray: other,
};

struct Saying<'t> {
    server: &'t str,
    stderr: bool,
    words: &'t str,
}

fn saying(line: &str) -> Option<Saying<'_>> {
    let text = line.trim_start();
    let text = text.strip_prefix("[DEBUG] ").unwrap_or(text);
    if let Some(rest) = text.strip_prefix("MCP STDERR (") {
        let (server, words) = rest.split_once("):")?;
        return Some(Saying { server, stderr: true, words: words.trim_start() });
    }
    if let Some(rest) = text.strip_prefix("[MCP STDERR (") {
        let (server, words) = rest.split_once(")]:")?;
        return Some(Saying { server, stderr: true, words: words.trim_start() });
    }
    let text = text.trim_start_matches(['\u{2716}', '\u{2715}', ' ']);
    let rest = text.strip_prefix("MCP ERROR (").and_then(|rest| rest.split_once("):"));
    let rest = rest.or_else(|| {
        let rest = text.strip_prefix("Error discovering ")?;
        let rest = rest.strip_prefix("tools from ").or_else(|| rest.strip_prefix("prompts from "))?;
        rest.split_once(": ")
    });
    let rest = rest.or_else(|| text.strip_prefix("Error during discovery for server '")?.split_once("': "));
    rest.map(|(server, words)| Saying { server, stderr: false, words })
}
