//! The driving loop of everything that is JSON values in a text: finds the values at the top, or those at some paths
//! in documents, puts them together from their lines, and hands out what stands around them. A document is never held
//! as a whole: what is held is one value and the way to it. Knows nothing of what the values mean.

use std::fmt::Write;
use std::ops::Range;

use super::adapter::Entries;
use super::joined::{Growth, Joined};
use super::json_scan::{Scanner, begins_like_value, value_end};
use super::pointer::Pointer;
use super::teller::Standing;
use super::{Advance, Line, LineBuffer, ReadError};

/// What stands next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A value that was looked for: this part of [`Walker::line`].
    Entry {
        /// Where it begins.
        start: usize,
        /// Behind its end.
        end: usize,
        /// It ends there, or is cut off.
        whole: bool,
    },
    /// A value outside of the document, or where none is expected.
    Other {
        /// Where it begins.
        start: usize,
        /// Behind its end.
        end: usize,
    },
    /// Text that is no JSON, up to the end of the line.
    Noise(usize),
    /// A line of which nothing was handed out: it only frames what was looked for, or is blank.
    Around,
    /// No whole piece at this moment.
    Idle,
    /// The producer pauses.
    Paused,
    /// The end.
    End,
}

/// Paths are sets of bits.
const MAX_PATHS: usize = 8;

/// One bracket that is open on the way to the values.
#[derive(Clone, Copy)]
struct Level {
    array: bool,
    /// The paths that lead through here.
    paths: u8,
    /// Of an array: elements begun. Of an object: 0.
    index: u64,
    /// Of an object: a name was read, and these paths lead through its value.
    value: Option<u8>,
    /// A path that goes on through the value, for its name in the pointer.
    named: usize,
}

/// The state of the loop.
pub(super) struct Walker {
    entries: Entries,
    joined: Joined,
    joining: bool,
    /// What was handed out last came out of several lines.
    from_joined: bool,
    stack: Vec<Level>,
    /// A value that is passed over goes on.
    skipping: Option<Scanner>,
    /// Where the rest of the current line begins, when there is more in it.
    from: Option<usize>,
    /// The current line is in a piece already.
    shown: bool,
    /// Values found.
    count: u64,
    pointer: String,
    opened_in: u64,
    /// Behind the last line.
    end: u64,
    cut: bool,
    /// Whole lines in braces are handed out at the top without a look at them.
    hasty: bool,
    /// The current line was looked at, in vain.
    doubted: bool,
}

impl Walker {
    pub(super) fn new(entries: Entries, limit: u64) -> Self {
        Self {
            entries,
            hasty: false,
            doubted: false,
            joined: Joined::new(limit),
            joining: false,
            from_joined: false,
            stack: Vec::new(),
            skipping: None,
            from: None,
            shown: false,
            count: 0,
            pointer: String::new(),
            opened_in: 0,
            end: 0,
            cut: false,
        }
    }

    /// The same for those who read each value anyway: a line in braces counts as one value, until it is doubted.
    pub(super) fn hasty(entries: Entries, limit: u64) -> Self {
        Self { hasty: true, ..Self::new(entries, limit) }
    }

    /// The last piece was a line in braces that is not one value: it is to be looked at.
    pub(super) fn doubt(&mut self) -> bool {
        if !self.hasty || self.doubted || self.from_joined || self.from.is_some() || !self.stack.is_empty() {
            return false;
        }
        (self.doubted, self.shown, self.from) = (true, false, Some(0));
        true
    }

    /// The text that places of the last piece belong to: the current line, or the lines of a value put together.
    pub(super) fn line<'b>(&'b self, lines: &'b mut LineBuffer) -> Line<'b> {
        if self.from_joined { self.joined.line() } else { lines.line() }
    }

    /// Where the last value stands.
    pub(super) fn standing(&self) -> Standing<'_> {
        let place = (!self.pointer.is_empty()).then_some((self.pointer.as_str(), self.count));
        Standing { joined: self.from_joined, place }
    }

    /// Why the input looks half-read.
    pub(super) fn problem(&self) -> Option<String> {
        if self.cut {
            let place = self.joined.position();
            let end = place.offset + place.length;
            return Some(format!(
                "the JSON value that begins in line {} is cut off at byte {end}, the end of the input",
                place.line
            ));
        }
        let outermost = self.stack.first()?;
        Some(format!(
            "the {} that begins in line {} is not closed at byte {}, the end of the input",
            if outermost.array { "array" } else { "document" },
            self.opened_in,
            self.end
        ))
    }

    /// The next piece.
    pub(super) fn next(&mut self, lines: &mut LineBuffer) -> Result<Piece, ReadError> {
        if let Some(fault) = self.joined.take_fault() {
            return Err(fault);
        }
        self.from_joined = false;
        loop {
            let from = match self.from.take() {
                Some(from) => from,
                None => match self.joined.step(lines.advance(), self.joining)? {
                    Advance::Line => {
                        let line = lines.line();
                        self.end = line.offset + line.length;
                        (self.shown, self.doubted) = (false, false);
                        0
                    }
                    Advance::Idle => return Ok(Piece::Idle),
                    Advance::Paused => return Ok(Piece::Paused),
                    Advance::End if self.joining => {
                        self.cut = true;
                        return Ok(self.put_together(false));
                    }
                    Advance::End => return Ok(Piece::End),
                },
            };
            if self.joining {
                let line = lines.line();
                match self.joined.extend(&line) {
                    Growth::More => continue,
                    Growth::Complete(end) => {
                        (self.from, self.shown) = (Some(end), true);
                        return Ok(self.put_together(true));
                    }
                    Growth::Broken => {
                        lines.hold();
                        return Ok(self.put_together(false));
                    }
                }
            }
            if let Some(piece) = self.within(&lines.line(), from) {
                return Ok(piece);
            }
        }
    }

    fn put_together(&mut self, whole: bool) -> Piece {
        (self.joining, self.from_joined) = (false, true);
        Piece::Entry { start: 0, end: self.joined.text().len(), whole }
    }

    /// Goes on in a line; `None` when its rest belongs to a value that goes on.
    fn within(&mut self, line: &Line<'_>, from: usize) -> Option<Piece> {
        let mut at = from;
        loop {
            if let Some(scanner) = &mut self.skipping {
                match scanner.feed(&line.text[at..]) {
                    Some(end) => at += end,
                    None => return self.around(),
                }
                self.skipping = None;
            }
            let blanks: &[char] = if self.stack.is_empty() { &[' ', '\t', '\r'] } else { &[' ', '\t', '\r', ','] };
            let text = line.text[at..].trim_start_matches(blanks);
            at = line.text.len() - text.len();
            let Some(&first) = text.as_bytes().first() else { return self.around() };
            let Some(level) = self.stack.last_mut() else {
                match self.at_top(line, at) {
                    Ok(behind) => at = behind,
                    Err(piece) => return piece,
                }
                continue;
            };
            match (first, level.array, level.value) {
                (b']' | b'}', ..) => {
                    self.stack.pop();
                    at += 1;
                }
                (b':', false, Some(_)) => at += 1,
                (b'"', false, None) => match string_end(text) {
                    Some(end) => {
                        let name = &text[1..end - 1];
                        let (paths, named) = self.through(|own| own == name);
                        if let Some(level) = self.stack.last_mut() {
                            (level.value, level.named) = (Some(paths), named);
                        }
                        at += end;
                    }
                    None => return self.noise(line, at),
                },
                (_, false, None) => return self.noise(line, at),
                (_, true, _) | (_, false, Some(_)) => match self.value(line, at) {
                    Ok(behind) => at = behind,
                    Err(piece) => return piece,
                },
            }
        }
    }

    /// At the top of the text: the place behind a bracket that leads on, or what stands there.
    fn at_top(&mut self, line: &Line<'_>, at: usize) -> Result<usize, Option<Piece>> {
        let text = &line.text[at..];
        if let Entries::Within(paths) = self.entries
            && begins_like_value(text)
        {
            let array = text.starts_with('[');
            let fit = set(paths, |path| (path[0] == "*") == array);
            if fit != 0 {
                self.opened_in = line.number;
                self.push(array, fit);
                return Ok(at + 1);
            }
        }
        self.pointer.clear();
        let braced = text.trim_ascii_end();
        if self.hasty
            && !self.doubted
            && matches!(self.entries, Entries::Top)
            && braced.starts_with('{')
            && braced.ends_with('}')
        {
            self.shown = true;
            return Err(Some(Piece::Entry { start: at, end: at + braced.len(), whole: true }));
        }
        match look(line, at) {
            Rest::Blank => Err(self.around()),
            Rest::Noise => Err(self.noise(line, at)),
            Rest::Begins(start) => Err(self.begin(line, start)),
            Rest::Whole(start, end) => {
                self.rest(line, end);
                let top = matches!(self.entries, Entries::Top);
                Err(Some(if top { Piece::Entry { start, end, whole: true } } else { Piece::Other { start, end } }))
            }
        }
    }

    /// A value inside a document: an entry, the way to one, or nothing that matters.
    fn value(&mut self, line: &Line<'_>, at: usize) -> Result<usize, Option<Piece>> {
        let text = &line.text[at..];
        let (paths, named) = match self.stack.last() {
            Some(level) if !level.array => (level.value.unwrap_or(0), level.named),
            _ => self.through(|own| own == "*"),
        };
        let depth = self.stack.len();
        let scalar = scalar_end(text);
        if let Some(level) = self.stack.last_mut() {
            level.value = None;
            level.index += u64::from(level.array);
            level.named = named;
        }
        let opens = matches!(text.as_bytes().first(), Some(b'{' | b'['));
        if !opens && scalar.is_none() {
            return Err(self.noise(line, at));
        }
        let ends = paths & set(self.paths(), |path| path.len() == depth);
        if ends != 0 {
            self.count += 1;
            self.name();
            return Err(match (scalar, value_end(text)) {
                (Some(end), _) | (None, Some(end)) => {
                    self.rest(line, at + end);
                    Some(Piece::Entry { start: at, end: at + end, whole: true })
                }
                (None, None) if line.oversized => Some(Piece::Entry { start: at, end: line.text.len(), whole: false }),
                (None, None) => self.begin(line, at),
            });
        }
        let array = text.starts_with('[');
        let deeper = paths & set(self.paths(), |path| path.get(depth).is_some_and(|name| (*name == "*") == array));
        match scalar {
            Some(end) => Ok(at + end),
            None if deeper != 0 => {
                self.push(array, deeper);
                Ok(at + 1)
            }
            None => {
                self.skipping = Some(Scanner::default());
                Ok(at)
            }
        }
    }

    fn paths(&self) -> &'static [Pointer] {
        match self.entries {
            Entries::Top => &[],
            Entries::Within(paths) => paths,
        }
    }

    /// The paths that go on here with a name, and one of them.
    fn through(&self, is: impl Fn(&str) -> bool) -> (u8, usize) {
        let Some(level) = self.stack.last() else { return (0, 0) };
        let depth = self.stack.len() - 1;
        let paths = level.paths & set(self.paths(), |path| path.get(depth).is_some_and(|own| is(own)));
        (paths, paths.trailing_zeros() as usize)
    }

    fn push(&mut self, array: bool, paths: u8) {
        // No deeper than the longest path.
        self.stack.push(Level { array, paths, index: 0, value: None, named: 0 });
    }

    /// Writes the pointer to the value that begins.
    fn name(&mut self) {
        self.pointer.clear();
        for (depth, level) in self.stack.iter().enumerate() {
            let name = self.paths().get(level.named).and_then(|path| path.get(depth));
            // Writing to a string cannot fail.
            let _ = match name {
                Some(name) if !level.array => write!(self.pointer, "/{name}"),
                _ => write!(self.pointer, "/{}", level.index.saturating_sub(1)),
            };
        }
    }

    fn begin(&mut self, line: &Line<'_>, start: usize) -> Option<Piece> {
        self.joined.begin(line, start);
        self.joining = true;
        None
    }

    fn noise(&mut self, line: &Line<'_>, at: usize) -> Option<Piece> {
        debug_assert!(at <= line.text.len());
        self.shown = true;
        Some(Piece::Noise(at))
    }

    fn around(&mut self) -> Option<Piece> {
        (!std::mem::replace(&mut self.shown, true)).then_some(Piece::Around)
    }

    /// Something of the line was handed out; the rest of it is next.
    fn rest(&mut self, line: &Line<'_>, end: usize) {
        self.shown = true;
        self.from = (!line.oversized).then_some(end);
    }
}

fn set(paths: &[Pointer], is: impl Fn(&Pointer) -> bool) -> u8 {
    paths.iter().take(MAX_PATHS).enumerate().filter(|(_, path)| is(path)).fold(0, |set, (at, _)| set | 1 << at)
}

/// What the rest of a line is, in a text of values and noise.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    /// Nothing.
    Blank,
    /// No JSON.
    Noise,
    /// A value that ends there, begun at the first place.
    Whole(usize, usize),
    /// A value that goes on in the next line.
    Begins(usize),
}

/// Looks at a line from a place on.
pub(super) fn look(line: &Line<'_>, from: usize) -> Rest {
    let text = line.text[from..].trim_ascii_start();
    let start = line.text.len() - text.len();
    if text.trim_ascii_end().is_empty() {
        Rest::Blank
    } else if !begins_like_value(text) {
        Rest::Noise
    } else if let Some(end) = value_end(text) {
        Rest::Whole(start, start + end)
    } else if line.oversized {
        Rest::Whole(start, line.text.len())
    } else {
        Rest::Begins(start)
    }
}

/// The end of a string, quotes included.
fn string_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The end of a value that is neither object nor array.
fn scalar_end(text: &str) -> Option<usize> {
    if text.starts_with('"') {
        return string_end(text);
    }
    let number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let end = text.find([',', ']', '}', ' ', '\t', '\r']).unwrap_or(text.len());
    (number || matches!(&text[..end], "true" | "false" | "null")).then_some(end)
}

/// The part of a line without the blanks around it.
pub(super) fn trimmed(line: &Line<'_>, part: Range<usize>) -> Range<usize> {
    let text = &line.text[part.clone()];
    let start = part.start + text.len() - text.trim_ascii_start().len();
    start..start + text.trim_ascii().len()
}
