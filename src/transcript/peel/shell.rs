//! What was typed at a shell and what came back: JSON in the quotes of a command is what the program was told, each
//! value a line of its own; the rest of the command is none of it. Everything else is output and stays as it is.

use jiff::tz::TimeZone;

use super::super::json_scan::{looks_like_rpc, value_end};
use super::mapped::Mapped;
use super::{Fit, Layer, LineKind, LineSource, Lines, Meta, Notes};

/// Ends of what a shell writes before a command.
const PROMPTS: &[&str] = &["$ ", "% ", "# ", "> ", "❯ ", "➜ ", "» "];
/// The longest prompt.
const PROMPT: usize = 120;
/// Words that begin a command where no prompt stands before it.
const WORDS: &[&str] =
    &["echo", "printf", "cat", "curl", "(echo", "(printf", "{ echo", "( echo", "npx", "uvx", "docker", "jq"];

/// The command of a line, if it is one that can hold a message: the place where it begins.
fn command(line: &str) -> Option<usize> {
    let quoted = line.find(['\'', '"'])?;
    let before = &line[..quoted];
    // Neither a prompt nor a command is that short, and bare JSON begins so.
    if before.len() < 2 {
        return None;
    }
    let start = line.len() - line.trim_start().len();
    if WORDS.iter().any(|word| line[start..].strip_prefix(word).is_some_and(|rest| rest.starts_with(' '))) {
        return Some(start);
    }
    let prompt = PROMPTS.iter().filter_map(|prompt| Some(before.find(prompt)? + prompt.len())).min()?;
    let command = before[prompt..].trim_start();
    let begins = command.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '.' | '/' | '~' | '(' | '{'));
    (prompt <= PROMPT && begins && !before[..prompt].contains(['{', '"'])).then_some(prompt)
}

/// Whether a head has a command with a message in its quotes.
pub(super) fn fit(head: &str) -> Fit {
    const LINES: usize = 400;
    let tells = |line: &str| {
        command(line).is_some_and(|start| {
            let mut rest = &line[start..];
            while let Some(at) = rest.find(['\'', '"']) {
                let inner = rest[at + 1..].trim_start();
                if inner.starts_with(['{', '[']) && looks_like_rpc(&inner.replace("\\\"", "\"")) {
                    return true;
                }
                rest = &rest[at + 1..];
            }
            false
        })
    };
    if head.lines().take(LINES).any(tells) { Fit::Weak } else { Fit::None }
}

/// The layer of such a transcript.
#[derive(Clone, Default)]
pub(super) struct Shell {
    /// The quote that goes on in the next line.
    quote: Option<char>,
    text: Mapped,
}

impl Shell {
    pub(super) fn open(_: &TimeZone) -> Box<dyn Layer> {
        Box::<Self>::default()
    }

    /// Takes the text in quotes from a place on; the place behind the closing quote, if there is one.
    fn unquote(&mut self, line: &LineSource<'_>, from: usize, quote: char) -> Option<usize> {
        let whole = line.part.text;
        self.text.clear();
        let (mut at, mut start) = (from, from);
        while let Some(found) = whole[at..].find(['\\', quote]) {
            at += found;
            let rest = &whole[at..];
            let escape = match (quote, rest.chars().next()) {
                // A single quote inside of single quotes: closed, escaped, opened again.
                ('\'', Some('\'')) if rest.starts_with("'\\''") => Some((4, "'")),
                ('"', Some('\\')) => match rest.chars().nth(1) {
                    Some('"') => Some((2, "\"")),
                    Some('\\') => Some((2, "\\")),
                    Some('$') => Some((2, "$")),
                    Some('`') => Some((2, "`")),
                    _ => None,
                },
                (_, Some(c)) if c == quote => {
                    self.text.keep(line.part, start..at);
                    return Some(at + 1);
                }
                _ => None,
            };
            if let Some((length, text)) = escape {
                self.text.keep(line.part, start..at);
                self.text.put(line.part, &(at..at + length), text);
                at += length;
                start = at;
            } else {
                at += 1;
            }
        }
        self.text.keep(line.part, start..whole.len());
        None
    }

    /// Gives the values in the text, each as a line; whether there were any.
    fn values(&self, meta: &Meta, lines: &mut Lines) -> bool {
        let text = &self.text.text;
        let part = self.text.part(0..text.len());
        let (mut at, mut any) = (0, false);
        loop {
            let rest = &text[at..];
            // A line end as `printf` and `echo -e` understand it.
            let trimmed = rest.trim_start();
            at += rest.len() - trimmed.len();
            if let Some(behind) = trimmed.strip_prefix("\\n").or_else(|| trimmed.strip_prefix("\\r")) {
                at = text.len() - behind.len();
                continue;
            }
            if !trimmed.starts_with(['{', '[']) {
                return any;
            }
            let end = value_end(trimmed).map_or(text.len(), |end| at + end);
            lines.keep(part, at..end, meta);
            lines.finish(meta);
            (at, any) = (end, true);
        }
    }
}

impl Layer for Shell {
    fn take(&mut self, line: &LineSource<'_>, _: &mut Notes, lines: &mut Lines) {
        let whole = line.part.text;
        let meta = Meta { kind: LineKind::Shown, ..line.meta };
        if let Some(quote) = self.quote {
            if self.unquote(line, 0, quote).is_some() {
                self.quote = None;
            }
            lines.keep(self.text.part(0..self.text.text.len()), 0..self.text.text.len(), &meta);
            lines.finish(&meta);
            return;
        }
        let mut any = false;
        let mut at = command(whole).unwrap_or(whole.len());
        while let Some(found) = whole[at..].find(['\'', '"']) {
            let quote = if whole[at + found..].starts_with('"') { '"' } else { '\'' };
            let inside = at + found + 1;
            let closed = self.unquote(line, inside, quote);
            let json = self.text.text.trim_start().starts_with(['{', '[']);
            match closed {
                Some(behind) => {
                    any |= json && self.values(&meta, lines);
                    at = behind;
                }
                None if json => {
                    lines.keep(self.text.part(0..self.text.text.len()), 0..self.text.text.len(), &meta);
                    lines.finish(&meta);
                    (self.quote, any) = (Some(quote), true);
                    break;
                }
                None => break,
            }
        }
        if !any {
            lines.keep(line.part, 0..whole.len(), &meta);
            lines.finish(&meta);
        }
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}
