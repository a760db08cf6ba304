//! Rich's log handler for Python: time, level, the text folded into a column of its own, the place in the source at the
//! right. The text becomes one line again; where the column was left early, a blank stood.

use jiff::tz::TimeZone;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::{Stamp, stamp};
use super::{Fit, Layer, LineSource, Lines, Notes};

/// Where the level begins, behind the time and a blank or as many blanks.
const LEVEL: usize = 20;
/// Where the text begins.
const TEXT: usize = 29;
const LEVELS: [&str; 6] = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL", "NOTSET"];

/// The first line of a record.
struct First<'t> {
    /// The time, if it is told: one that is the same as before is not.
    time: Option<Stamp>,
    /// The text in it, without blanks behind.
    text: &'t str,
    /// How wide the column of the texts is, if that shows.
    width: Option<usize>,
}

fn first<'t>(line: &'t str, zone: &TimeZone) -> Option<First<'t>> {
    let (head, text) = line.split_at_checked(TEXT)?;
    let (time, level) = head.split_at_checked(LEVEL)?;
    let known = LEVELS.contains(&level.trim_ascii_end()) && level.ends_with(' ');
    if !known || text.starts_with(' ') {
        return None;
    }
    let time = match stamp::of_rich(time, zone) {
        Some((time, " ")) => Some(time),
        _ if time.trim_ascii().is_empty() => None,
        _ => return None,
    };
    let whole = text.trim_ascii_end();
    let place = whole.rsplit(' ').next().filter(|place| is_place(place) && place.len() < whole.len());
    let (text, width) = match place {
        Some(place) => {
            let text = &whole[..whole.len() - place.len()];
            (text.trim_ascii_end(), Some(text.width().saturating_sub(1)))
        }
        None => (whole, (whole.len() < text.len()).then(|| text.width())),
    };
    Some(First { time, text, width })
}

/// `module.py:12`.
fn is_place(word: &str) -> bool {
    word.rsplit_once(":").is_some_and(|(file, line)| {
        file.ends_with(".py") && !line.is_empty() && line.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// `name=`.
fn is_field(text: &str) -> bool {
    let name = text.bytes().take_while(|byte| byte.is_ascii_lowercase() || *byte == b'_').count();
    name > 0 && text[name..].starts_with('=')
}

/// A further line of a record: the text in it.
fn further(line: &str) -> Option<&str> {
    let (margin, text) = line.split_at_checked(TEXT)?;
    (margin.bytes().all(|byte| byte == b' ') && !text.trim_ascii().is_empty()).then(|| text.trim_ascii_end())
}

/// Whether a head has a record on several lines.
pub(super) fn fit(head: &str) -> Fit {
    const LINES: usize = 400;
    let lines: Vec<_> = head.lines().take(LINES).collect();
    let folded = |pair: &[&str]| first(pair[0], &TimeZone::UTC).is_some() && further(pair[1]).is_some();
    if lines.windows(2).any(folded) { Fit::Strong } else { Fit::None }
}

/// The layer of such a log. Other lines are passed on as they are.
#[derive(Clone)]
pub(super) struct Rich {
    zone: TimeZone,
    time: Option<Stamp>,
    /// The column of the record that grows, and how much of it the last line took; `None` outside of records.
    record: Option<Record>,
}

#[derive(Clone, Copy)]
struct Record {
    width: Option<usize>,
    taken: usize,
    /// The last line is one word.
    one: bool,
    /// It begins like a field.
    field: bool,
}

impl Record {
    fn of(width: Option<usize>, text: &str) -> Self {
        Self { width, taken: text.width(), one: !text.contains(' '), field: is_field(text) }
    }

    /// Whether a word goes on in this line: one alone that fills its line as far as the next letter lets it. Only of
    /// fields it shows that one was just so long.
    fn is_cut_before(self, text: &str) -> bool {
        let next = text.chars().next().and_then(UnicodeWidthChar::width).unwrap_or_default();
        let fields = self.field && is_field(text);
        self.one && !fields && self.width.is_some_and(|width| self.taken + next > width)
    }
}

impl Rich {
    pub(super) fn open(zone: &TimeZone) -> Box<dyn Layer> {
        Box::new(Self { zone: zone.clone(), time: None, record: None })
    }
}

impl Layer for Rich {
    fn take(&mut self, line: &LineSource<'_>, _: &mut Notes, lines: &mut Lines) {
        let whole = line.part.text;
        let mut meta = line.meta;
        if let (Some(record), Some(text)) = (self.record, further(whole)) {
            if !record.is_cut_before(text) {
                lines.put(line.part, &(TEXT - 1..TEXT), " ", &meta);
            }
            lines.keep(line.part, TEXT..TEXT + text.len(), &meta);
            self.record = Some(Record::of(record.width, text.trim_ascii_start()));
            return;
        }
        if self.record.take().is_some() {
            // The record ended with the line before.
            let ended = lines.growing().unwrap_or(meta);
            lines.finish(&ended);
        }
        match first(whole, &self.zone) {
            Some(first) => {
                self.time = first.time.or(self.time);
                meta.time = self.time.or(meta.time);
                lines.keep(line.part, 0..TEXT + first.text.len(), &meta);
                self.record = Some(Record::of(first.width, first.text));
            }
            None => {
                lines.keep(line.part, 0..whole.len(), &meta);
                lines.finish(&meta);
            }
        }
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Peel, WRAPS, Wrapping};
    use super::*;

    /// A text in lines of a column as Rich folds it.
    fn fold(text: &str, width: usize) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split(' ') {
            let last = lines.last_mut().expect("there is a line");
            let blank = usize::from(!last.is_empty());
            if last.width() + blank + word.width() <= width {
                if blank > 0 {
                    last.push(' ');
                }
                last.push_str(word);
                continue;
            }
            let mut line = String::new();
            for letter in word.chars() {
                if line.width() + letter.width().unwrap_or_default() > width {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(letter);
            }
            lines.push(line);
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    fn record(text: &str, width: usize, time: &str) -> String {
        let pad = |line: &str| " ".repeat(width - line.width());
        let lines = fold(text, width);
        let mut out = format!("{time:20}INFO     {}{} logging.py:122\n", lines[0], pad(&lines[0]));
        for line in &lines[1..] {
            out.push_str(&format!("{:29}{line}{} {:14}\n", "", pad(line), ""));
        }
        out
    }

    fn unfolded(log: &str) -> String {
        let wrap = WRAPS.iter().find(|wrap| wrap.wrapping == Wrapping::Rich).expect("a row");
        let peel = Peel::alone(wrap, &TimeZone::UTC);
        peel.preview(&format!("{log}end\n"))
    }

    proptest! {
        #[test]
        fn a_folded_text_is_one_line_again(
            words in prop::collection::vec("[!-<>-~]{1,12}|[a-z{\":]{20,300}|[a-z\u{4e2d}\u{e9}]{1,90}", 1..20),
            width in 20..150_usize,
        ) {
            // Whether a word goes on that fills its last line cannot be told.
            let last = |word: &String| fold(word, width).last().map_or(0, |line| line.width());
            prop_assume!(words.iter().all(|word| last(word) + 1 < width));
            let text = words.join(" ");
            let log = record(&text, width, "[03/02/26 09:15:00]") + &record("next", width, "");
            let wanted = format!("[03/02/26 09:15:00] INFO     {text}\n{:20}INFO     next\nend\n", "");
            prop_assert_eq!(unfolded(&log), wanted, "{}", log);
        }
    }

    #[test]
    fn a_field_that_fills_the_column_ends_there() {
        let text = "event=notification_start method=notifications/initialized source=client";
        let log = record(text, 32, "") + &record("next", 32, "");
        assert!(unfolded(&log).contains(text), "{log}");
    }

    #[test]
    fn other_lines_stay() {
        let log = "a line\n                             margin\n[03/02/26 09:15:00] Error calling tool 'x'\n                    │ 7 │\n";
        assert_eq!(unfolded(log), format!("{log}end\n"));
        assert_eq!(fit(log), Fit::None);
        assert_eq!(fit(&record(&"word ".repeat(30), 40, "")), Fit::Strong);
    }
}
