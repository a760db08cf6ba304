//! JSON text on several lines with coloured keys. Every token is copied as written, but for characters that could
//! disturb a terminal: those become `\u` escapes, so that the text stays the same JSON value.

use std::io::{self, Write};

use owo_colors::Style;

use crate::cli::notice::is_hostile;

/// Deeper levels are not indented further, so that hostile nesting costs a line a level and no more.
const DEEPEST: usize = 40;

/// How the parts of a JSON text are coloured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Palette {
    pub(super) key: Style,
    pub(super) string: Style,
    pub(super) scalar: Style,
}

/// Writes valid JSON indented by two spaces a level, `margin` before every line.
pub(super) fn write_pretty(json: &str, margin: &str, palette: &Palette, out: &mut dyn Write) -> io::Result<()> {
    // One entry for each open bracket: whether it is an object's.
    let mut open: Vec<bool> = Vec::new();
    let mut key_next = false;
    let mut rest = json.trim_start();
    out.write_all(margin.as_bytes())?;
    while let Some(first) = rest.bytes().next() {
        let length = token(rest);
        let text = &rest[..length];
        rest = rest[length..].trim_start();
        match first {
            b'{' | b'[' => {
                out.write_all(text.as_bytes())?;
                open.push(first == b'{');
                if !rest.starts_with(['}', ']']) {
                    new_line(open.len(), margin, out)?;
                }
                key_next = first == b'{';
                continue;
            }
            b'}' | b']' => {
                open.pop();
                out.write_all(text.as_bytes())?;
            }
            b',' => {
                out.write_all(b",")?;
                new_line(open.len(), margin, out)?;
                key_next = open.last() == Some(&true);
                continue;
            }
            b':' => out.write_all(b": ")?,
            b'"' => {
                let style = if key_next { palette.key } else { palette.string };
                write!(out, "{}", style.style(escaped(text)))?;
            }
            _ => write!(out, "{}", palette.scalar.style(escaped(text)))?,
        }
        key_next = false;
        if rest.starts_with(['}', ']']) {
            new_line(open.len().saturating_sub(1), margin, out)?;
        }
    }
    out.write_all(b"\n")
}

/// Writes text that is no JSON, line by line, controls escaped.
pub(super) fn write_plain(text: &str, margin: &str, out: &mut dyn Write) -> io::Result<()> {
    for line in text.lines() {
        writeln!(out, "{margin}{}", escaped(line))?;
    }
    Ok(())
}

fn new_line(depth: usize, margin: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "\n{margin}{:1$}", "", 2 * depth.min(DEEPEST))
}

/// The length of the token at the start of the text, at least one character.
fn token(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes[0] {
        b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
        b'"' => {
            let mut at = 1;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            // Beyond the end only where the string is not closed, which valid JSON never is.
            (at + 1..text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len())
        }
        _ => text.find([' ', '\t', '\r', '\n', ',', ':', '{', '}', '[', ']', '"']).unwrap_or(text.len()).max(1),
    }
}

/// The text with hostile characters as JSON escapes.
fn escaped(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains(is_hostile) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hostile(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out.into()
}
