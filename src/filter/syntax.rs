//! What the parser says of an expression that it cannot read, in this project's words.

use std::ops::Range;

use cel::ParseError;

use super::Fault;

/// Words of other languages, and what they are here.
const OTHERS: [(&str, &str); 7] =
    [("=", "=="), ("&", "&&"), ("|", "||"), ("and", "&&"), ("or", "||"), ("not", "!"), ("===", "==")];

/// The first of the parser's errors.
pub(super) fn fault(error: &ParseError, source: &str) -> Fault {
    let at = place(error.pos, source);
    let told = error.msg.strip_prefix("Syntax error: ").unwrap_or(&error.msg);
    let rest = &source[at..];
    let word = word(rest);
    let place = at..at + word.len();
    if rest.is_empty() || told.contains("'<EOF>'") {
        let wanted = if told.contains("')'") { "a `)`" } else { "a field, a value or `(`" };
        return Fault::new(source.len()..source.len(), format!("the expression ends too early: expected {wanted}"));
    }
    if told.contains("Recursion limit") || told.contains("recovery attempt limit") {
        return Fault::new(0..0, "the expression is nested too deeply").with_help("write it with fewer parentheses");
    }
    if told.starts_with("token recognition error") && rest.starts_with(['"', '\'']) {
        return Fault::new(at..source.len(), "this text has no closing quote, or an unknown escape");
    }
    if told.contains("has() macro") {
        let fault = Fault::new(at..at, "`has` asks for a member");
        return fault.with_help("`has(payload.params.cursor)`; of a field ask `latency_ms != null`");
    }
    let fault = match told.starts_with("invalid") || told.starts_with("unsupported") {
        true => Fault::new(place, told.to_lowercase()),
        false => Fault::new(place, format!("`{word}` is not understood here")),
    };
    match OTHERS.iter().find(|(other, _)| *other == word) {
        Some((other, own)) => fault.with_help(format!("write `{own}` for `{other}`")),
        None => fault,
    }
}

/// The byte of a line and column, both as the parser counts them: lines from 1, characters from 1.
fn place((line, column): (isize, isize), source: &str) -> usize {
    let (Ok(line), Ok(column)) = (usize::try_from(line), usize::try_from(column)) else { return 0 };
    let start: usize = source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &source[start.min(source.len())..];
    let length = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    start + length
}

/// The bytes from one to another, both inclusive, as the parser tells them; always whole characters.
pub(super) fn between(first: u32, last: u32, source: &str) -> Range<usize> {
    let boundary = |at: usize| (at..source.len()).find(|at| source.is_char_boundary(*at)).unwrap_or(source.len());
    let start = boundary(first as usize);
    start..boundary(last as usize + 1).max(start)
}

/// What a person takes for one word at the start of a text.
fn word(text: &str) -> &str {
    let same = |of: fn(char) -> bool| text.find(|c| !of(c)).unwrap_or(text.len());
    let name = same(|c| c.is_alphanumeric() || c == '_');
    let signs = same(|c| "=<>!&|".contains(c));
    let one = text.chars().next().map_or(0, char::len_utf8);
    &text[..[name, signs, one].into_iter().find(|length| *length > 0).unwrap_or(0)]
}
