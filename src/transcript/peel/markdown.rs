//! Markdown with the transcript in its code blocks (CommonMark, section 4.5): what stands between them is prose, and so
//! are blocks of program text.

use jiff::tz::TimeZone;

use super::{Fit, Layer, LineKind, LineSource, Lines, Meta, Notes};

/// Languages of blocks that may hold a transcript, besides none at all.
const LANGUAGES: &[&str] = &[
    "json",
    "jsonc",
    "json5",
    "jsonl",
    "ndjson",
    "text",
    "txt",
    "plain",
    "plaintext",
    "log",
    "logs",
    "output",
    "console",
    "shell",
    "sh",
    "bash",
    "zsh",
    "fish",
    "shellsession",
    "shell-session",
    "sh-session",
    "terminal",
    "cmd",
    "bat",
    "powershell",
    "ps1",
    "pwsh",
    "http",
    "sse",
];

/// A code block that is open.
#[derive(Clone, Copy, Debug)]
struct Block {
    mark: u8,
    length: usize,
    /// Blanks before the mark, which its lines have as well.
    indent: usize,
    quotes: usize,
    /// Its lines may be a transcript.
    counts: bool,
}

/// Whether a head has a code block.
pub(super) fn fit(head: &str) -> Fit {
    let block = [&b"```"[..], b"~~~"].iter().any(|mark| memchr::memmem::find(head.as_bytes(), mark).is_some());
    if block && head.lines().any(|line| opening(line).is_some()) { Fit::Weak } else { Fit::None }
}

/// Takes off the marks of quotes, at most so many; what is left and how many there were.
fn unquoted(line: &str, most: usize) -> (&str, usize) {
    let (mut rest, mut quotes) = (line, 0);
    while quotes < most
        && let Some(behind) = rest.trim_start_matches(' ').strip_prefix('>')
    {
        (rest, quotes) = (behind.strip_prefix(' ').unwrap_or(behind), quotes + 1);
    }
    (rest, quotes)
}

/// The mark, its length and what follows it, of a line that is one.
fn fence(line: &str) -> Option<(u8, usize, &str)> {
    let mark = *line.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = line.bytes().take_while(|byte| *byte == mark).count();
    (length >= 3).then(|| (mark, length, line[length..].trim_ascii()))
}

fn opening(line: &str) -> Option<Block> {
    let (line, quotes) = unquoted(line, usize::MAX);
    let inner = line.trim_start_matches([' ', '\t']);
    // A block may stand in an item of a list, on its first line even.
    let inner = inner.strip_prefix("- ").or_else(|| inner.strip_prefix("* ")).unwrap_or(inner).trim_start_matches(' ');
    let (mark, length, info) = fence(inner)?;
    if mark == b'`' && info.contains('`') {
        return None;
    }
    let language = info.split([' ', ',', '{']).next().unwrap_or_default().to_ascii_lowercase();
    let counts = language.is_empty() || LANGUAGES.contains(&language.as_str());
    Some(Block { mark, length, indent: line.len() - inner.len(), quotes, counts })
}

/// The layer of Markdown.
#[derive(Clone, Default)]
pub(super) struct Markdown {
    block: Option<Block>,
}

impl Markdown {
    pub(super) fn open(_: &TimeZone) -> Box<dyn Layer> {
        Box::<Self>::default()
    }
}

impl Layer for Markdown {
    fn take(&mut self, line: &LineSource<'_>, _: &mut Notes, lines: &mut Lines) {
        let whole = line.part.text;
        let (text, kind) = match self.block {
            None => match opening(whole) {
                Some(block) => {
                    self.block = Some(block);
                    (whole, LineKind::Framing)
                }
                None => (whole, LineKind::Prose),
            },
            Some(block) => {
                let (text, _) = unquoted(whole, block.quotes);
                let blanks = text.len() - text.trim_start_matches([' ', '\t']).len();
                let closes = fence(text.trim_ascii()).is_some_and(|(mark, length, info)| {
                    mark == block.mark && length >= block.length && info.is_empty()
                });
                if closes {
                    self.block = None;
                    (whole, LineKind::Framing)
                } else {
                    (&text[blanks.min(block.indent)..], if block.counts { LineKind::Text } else { LineKind::Prose })
                }
            }
        };
        let meta = Meta { kind, ..line.meta };
        lines.keep(line.part, whole.len() - text.len()..whole.len(), &meta);
        lines.finish(&meta);
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}
