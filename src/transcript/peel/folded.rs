//! Lines that a terminal cut at its width: where one is as wide as the terminal and a JSON value is open at its end, it
//! goes on in the next one. Other lines stay as they are.

use jiff::tz::TimeZone;
use serde::de::IgnoredAny;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::json_scan::{Scanner, begins_like_value, looks_like_rpc};
use super::{Fit, Layer, LineSource, Lines, Notes};

/// Nobody has a narrower terminal.
const NARROW: usize = 20;
/// How many brackets of a line are tried.
const TRIES: usize = 16;

/// The value that is open at the end of a text: where it begins, and what was read of it.
fn open(text: &str) -> Option<(usize, Scanner)> {
    let mut at = 0;
    for _ in 0..TRIES {
        at += memchr::memchr2(b'{', b'[', &text.as_bytes()[at..])?;
        let rest = &text[at..];
        let quoted = rest.trim_start_matches(['{', '[']);
        if !begins_like_value(rest) || !(quoted.is_empty() || quoted.starts_with('"')) {
            at += 1;
            continue;
        }
        let mut scanner = Scanner::default();
        match scanner.feed(rest) {
            Some(end) => at += end,
            None => return Some((at, scanner)),
        }
    }
    None
}

/// Whether a line of so many cells is cut before this one.
fn is_cut(taken: usize, width: usize, next: &str) -> bool {
    let letter = next.chars().next().and_then(UnicodeWidthChar::width).unwrap_or(1);
    taken <= width && taken + letter > width && !next.starts_with("{\"jsonrpc\"")
}

/// What the lines of a head show: a value that is one only when its lines are put together without line ends proves
/// that they were cut, and so does one that goes on in the next line where others are whole in theirs.
pub(super) fn fit(head: &str) -> Fit {
    const LINES: usize = 100;
    let mut lines = head.lines().take(LINES).peekable();
    let mut width = None;
    let mut found = Fit::None;
    let mut whole = false;
    while let Some(line) = lines.next() {
        let Some((start, mut scanner)) = open(line) else {
            whole |= line.starts_with('{') && looks_like_rpc(line);
            continue;
        };
        let width = *width.get_or_insert_with(|| line.width());
        if width < NARROW {
            return Fit::None;
        }
        let (mut joined, mut apart) = (line[start..].to_owned(), line[start..].to_owned());
        let mut taken = line.width();
        let end = loop {
            let Some(next) = lines.next_if(|next| is_cut(taken, width, next)) else { break None };
            let before = joined.len();
            joined.push_str(next);
            apart.push('\n');
            apart.push_str(next);
            if let Some(end) = scanner.feed(next) {
                break Some(before + end);
            }
            taken = next.width();
        };
        // At the end of what is known of the input, nothing is proved.
        let Some(end) = end else { return if lines.peek().is_none() { found } else { Fit::None } };
        apart.truncate(apart.len() - (joined.len() - end));
        joined.truncate(end);
        let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
        if !is_json(&joined) || !looks_like_rpc(&joined) {
            return Fit::None;
        }
        if whole || !is_json(&apart) {
            return Fit::Strong;
        }
        found = Fit::Weak;
    }
    found
}

/// The layer of such lines.
#[derive(Clone, Default)]
pub(super) struct Folded {
    /// The width of the terminal, once a line shows it.
    width: Option<usize>,
    /// The value that may go on, and how wide the line was in which it does.
    open: Option<(Scanner, usize)>,
}

impl Folded {
    pub(super) fn open(_: &TimeZone) -> Box<dyn Layer> {
        Box::<Self>::default()
    }
}

impl Layer for Folded {
    fn take(&mut self, line: &LineSource<'_>, _: &mut Notes, lines: &mut Lines) {
        let text = line.part.text;
        let mut rest = Some(text);
        if let (Some((mut scanner, taken)), Some(width)) = (self.open.take(), self.width) {
            if is_cut(taken, width, text) {
                rest = scanner.feed(text).map(|end| &text[end..]);
                if rest.is_none() {
                    self.open = Some((scanner, text.width()));
                }
            } else if let Some(meta) = lines.growing() {
                lines.finish(&meta);
            }
        }
        lines.keep(line.part, 0..text.len(), &line.meta);
        if let Some((_, scanner)) = rest.and_then(open) {
            self.open = Some((scanner, text.width()));
        }
        if let Some((_, taken)) = self.open {
            let width = *self.width.get_or_insert(taken);
            // A letter of two cells may leave one empty.
            if taken == width || taken + 1 == width {
                return;
            }
            self.open = None;
        }
        lines.finish(&line.meta);
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line in pieces of so many letters.
    fn cut(text: &str, width: usize) -> String {
        let lines = text.lines().flat_map(|line| line.as_bytes().chunks(width));
        lines.fold(String::new(), |out, piece| out + &String::from_utf8_lossy(piece) + "\n")
    }

    const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"a b c d e f g h i j"}}"#;

    #[test]
    fn only_what_is_broken_proves_a_width() {
        assert_eq!(fit(&cut(LIST, 40)), Fit::Strong);
        let between = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        assert_eq!(fit(&cut(between, 24)), Fit::Weak, "it was cut between two members alone");
        assert_eq!(fit(&cut(&format!("{{\"jsonrpc\":\"2.0\"}}\n{between}"), 24)), Fit::Strong);
        let pretty = "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"method\": \"tools/list\"\n}\n";
        let other = cut(&LIST.replace("jsonrpc", "version"), 40).replace("\"id\"", "\"no\"").replace("method", "thing");
        for text in [LIST, pretty, &LIST[..60], &format!("{}\n{LIST}\n", &LIST[..60]), &other] {
            assert_eq!(fit(text), Fit::None, "{text}");
        }
    }
}
