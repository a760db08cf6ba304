//! What container tools and loggers of the system write in front of each line, and nothing else to it: time, stream,
//! host, process.

use jiff::tz::TimeZone;

use super::super::{Stamp, TimeBasis, stamp};
use super::{Fit, Layer, LineSource, Lines, Notes};

/// What stands in front of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prefix<'t> {
    /// Where the line itself begins.
    pub(super) text: &'t str,
    time: Option<Stamp>,
    lane: Option<&'t str>,
    /// The line goes on in the next one.
    partial: bool,
    /// Nobody else writes lines so.
    strong: bool,
}

impl<'t> Prefix<'t> {
    fn new(text: &'t str, time: Option<Stamp>, lane: Option<&'t str>, strong: bool) -> Self {
        Self { text, time, lane, partial: false, strong }
    }
}

/// Reads a prefix; `None` when the line has none.
pub(super) type Parse = for<'t> fn(&'t str, &TimeZone) -> Option<Prefix<'t>>;

/// Whether the first line and most of those behind it have the prefix.
pub(super) fn fit(parse: Parse, head: &str) -> Fit {
    /// Lines that are looked at.
    const LINES: usize = 20;
    let mut lines = head.lines().filter(|line| !line.trim_ascii().is_empty()).take(LINES);
    let read = |line: &str| parse(line, &TimeZone::UTC).map(|prefix| prefix.strong);
    let Some(first) = lines.next().and_then(read) else { return Fit::None };
    let (mut with, mut without, mut strong) = (1, 0, first);
    for line in lines {
        match read(line) {
            Some(sure) => (with, strong) = (with + 1, strong && sure),
            None => without += 1,
        }
    }
    match (with >= 3 * without, strong) {
        (false, _) => Fit::None,
        (true, false) => Fit::Weak,
        (true, true) => Fit::Strong,
    }
}

/// The layer of lines with such a prefix. Lines without it are passed on as they are.
#[derive(Clone)]
pub(super) struct Prefixed {
    parse: Parse,
    zone: TimeZone,
}

impl Prefixed {
    pub(super) fn open(parse: Parse, zone: &TimeZone) -> Box<dyn Layer> {
        Box::new(Self { parse, zone: zone.clone() })
    }
}

impl Layer for Prefixed {
    fn take(&mut self, line: &LineSource<'_>, notes: &mut Notes, lines: &mut Lines) {
        let whole = line.part.text;
        let mut meta = line.meta;
        let Some(prefix) = (self.parse)(whole, &self.zone) else {
            if lines.is_growing() {
                lines.finish(&meta);
            }
            lines.keep(line.part, 0..whole.len(), &meta);
            lines.finish(&meta);
            return;
        };
        meta.time = prefix.time.or(meta.time);
        meta.lane = meta.lane.or_else(|| notes.lane(prefix.lane?));
        lines.keep(line.part, whole.len() - prefix.text.len()..whole.len(), &meta);
        if !prefix.partial {
            lines.finish(&meta);
        }
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

/// An instant with a zone and what follows it.
fn instant(line: &str) -> Option<(Stamp, &str)> {
    let end = memchr::memchr(b' ', &line.as_bytes()[..line.len().min(48)])?;
    let (token, rest) = line.split_at_checked(end)?;
    if !token.as_bytes().first()?.is_ascii_digit() || !token.contains('T') {
        return None;
    }
    let stamp = stamp::rfc3339(token, &TimeZone::UTC)?;
    (stamp.basis == TimeBasis::Recorded).then_some((stamp, rest))
}

/// `2025-01-02T03:04:05.678901234Z stdout F text`: the files of the container runtime interface. `P` in place of `F`
/// says that the line goes on.
pub(super) fn container_runtime<'t>(line: &'t str, _: &TimeZone) -> Option<Prefix<'t>> {
    let (time, rest) = instant(line)?;
    let rest = rest.strip_prefix(" stdout ").or_else(|| rest.strip_prefix(" stderr "))?;
    let (tags, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let partial = match tags.split(':').next()? {
        "F" => false,
        "P" => true,
        _ => return None,
    };
    Some(Prefix { partial, ..Prefix::new(text, Some(time), None, true) })
}

/// `2025-01-02T03:04:05.678901234Z text`: what `docker logs --timestamps` and the logs of build services give.
pub(super) fn time_stamp<'t>(line: &'t str, _: &TimeZone) -> Option<Prefix<'t>> {
    let (time, rest) = instant(line)?;
    Some(Prefix::new(&rest[1..], Some(time), None, false))
}

/// `web-1  | text`: what `docker compose logs` gives.
pub(super) fn compose<'t>(line: &'t str, _: &TimeZone) -> Option<Prefix<'t>> {
    let (name, text) = line.split_once('|')?;
    let container = name.trim_end_matches(' ');
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'@');
    if container.is_empty() || container.len() > 128 || container == name || !container.bytes().all(plain) {
        return None;
    }
    // A number at the end is what compose gives its containers.
    let number = container.rsplit(['-', '_']).next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    Some(Prefix::new(
        text.strip_prefix(' ').unwrap_or(text),
        None,
        Some(container),
        number && container.contains(['-', '_']),
    ))
}

/// `[pod/NAME/CONTAINER] text`: what `kubectl logs --prefix` gives.
pub(super) fn pod<'t>(line: &'t str, _: &TimeZone) -> Option<Prefix<'t>> {
    let (name, text) = line.strip_prefix("[pod/")?.split_once("] ")?;
    (name.contains('/') && !name.contains(' ')).then(|| Prefix::new(text, None, Some(name), true))
}

/// `Jan  2 03:04:05 host name[77]: text`, with other times or a priority in front: what `journalctl` and the system's
/// loggers give (RFC 3164, RFC 5424). A time without a year is none.
pub(super) fn system_log<'t>(line: &'t str, zone: &TimeZone) -> Option<Prefix<'t>> {
    if let Some(rest) = line.strip_prefix('<') {
        let (priority, rest) = rest.split_once('>')?;
        if priority.is_empty() || priority.len() > 3 || !priority.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        return match rest.strip_prefix("1 ") {
            Some(rest) => structured(rest),
            None => Some(Prefix { strong: true, ..system_log(rest, zone)? }),
        };
    }
    let (time, rest) = system_time(line, zone)?;
    let (names, text) = rest.split_once(": ").or_else(|| Some((rest.strip_suffix(':')?, "")))?;
    let (host, program) = match names.split_once(' ') {
        Some((host, program)) => (Some(host), program),
        None => (None, names),
    };
    let numbered = program.strip_suffix(']').and_then(|program| program.split_once('['));
    let name = numbered.map_or(program, |(name, _)| name);
    let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'[' | b']' | b'{' | b'"');
    if name.is_empty() || !name.bytes().all(plain) || host.is_some_and(|host| !host.bytes().all(plain)) {
        return None;
    }
    (host.is_some() || numbered.is_some()).then(|| Prefix::new(text, time, Some(program), numbered.is_some()))
}

/// `2025-01-02T03:04:05Z host name 77 - - text`, behind priority and version.
fn structured(rest: &str) -> Option<Prefix<'_>> {
    let mut fields = rest.splitn(6, ' ');
    let (time, _host, name, _process, _id) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let rest = fields.next()?;
    let text = match rest.strip_prefix('-') {
        Some(text) => text,
        None => &rest[rest.find("] ")? + 1..],
    };
    let text = text.strip_prefix(' ').unwrap_or(text);
    let lane = (name != "-").then_some(name);
    Some(Prefix::new(text.strip_prefix('\u{feff}').unwrap_or(text), stamp::rfc3339(time, &TimeZone::UTC), lane, true))
}

/// A time as the system's loggers write it, and what follows behind a blank.
fn system_time<'t>(line: &'t str, zone: &TimeZone) -> Option<(Option<Stamp>, &'t str)> {
    const MONTHS: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    let bytes = line.as_bytes();
    if bytes.first() == Some(&b'[') {
        let (seconds, rest) = line[1..].split_once("] ")?;
        return Some((Some(stamp::elapsed(seconds.trim_ascii_start(), 0)?), rest));
    }
    let word = bytes.get(..3).and_then(|word| std::str::from_utf8(word).ok())?;
    if MONTHS.split(' ').any(|month| month == word) {
        // `Jan  2 03:04:05`, with or without a fraction.
        let clock = bytes.get(7..15)?;
        if bytes[3] != b' ' || bytes[6] != b' ' || clock[2] != b':' || clock[5] != b':' {
            return None;
        }
        let rest = line.get(15..)?;
        let rest = rest.strip_prefix('.').map_or(rest, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        return Some((None, rest.strip_prefix(' ')?));
    }
    if !bytes.first()?.is_ascii_digit() {
        // `Mon 2025-01-02 03:04:05 UTC`.
        let (day, rest) = line.split_once(' ')?;
        let (date, zone_and_rest) = rest.split_at_checked(19)?;
        let (name, rest) = zone_and_rest.strip_prefix(' ')?.split_once(' ')?;
        if day.len() != 3 || !name.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let utc = TimeZone::UTC;
        let stamp = stamp::rfc3339(date, if matches!(name, "UTC" | "GMT") { &utc } else { zone })?;
        return Some((Some(stamp), rest));
    }
    let (token, rest) = line.split_once(' ')?;
    let stamp = match token.contains('T') {
        true => stamp::rfc3339(token, zone)?,
        false => stamp::epoch(token, 0).filter(|_| token.len() > 10 && token.contains('.'))?,
    };
    Some((Some(stamp), rest))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_told_from_text() {
        /// Text, time and stream.
        type Told = (&'static str, &'static str, &'static str);
        let cases: &[(Parse, &str, Option<Told>)] = &[
            (
                container_runtime,
                "2025-01-02T03:04:05.678901234Z stdout F a b",
                Some(("a b", "2025-01-02T03:04:05.678901234Z", "")),
            ),
            (container_runtime, "2025-01-02T03:04:05.6+02:00 stderr P:x a", Some(("a", "2025-01-02T01:04:05.6Z", ""))),
            (container_runtime, "2025-01-02T03:04:05Z stdout F", Some(("", "2025-01-02T03:04:05Z", ""))),
            (container_runtime, "2025-01-02T03:04:05Z stdout a", None),
            (time_stamp, "2025-01-02T03:04:05.1234567Z {", Some(("{", "2025-01-02T03:04:05.1234567Z", ""))),
            (time_stamp, "2025-01-02T03:04:05 {", None),
            (compose, "web-1  | a", Some(("a", "", "web-1"))),
            (compose, "web-1 |", Some(("", "", "web-1"))),
            (compose, "a b | c", None),
            (compose, "| a | b |", None),
            (compose, "a||b", None),
            (pod, "[pod/notes-7d/server] a", Some(("a", "", "notes-7d/server"))),
            (pod, "[pod/x] a", None),
            (system_log, "Jan  2 03:04:05 box notes[77]: a: b", Some(("a: b", "", "notes[77]"))),
            (system_log, "Jan  2 03:04:05.123456 box notes: a", Some(("a", "", "notes"))),
            (system_log, "2025-01-02T03:04:05+0000 box notes[7]: a", Some(("a", "2025-01-02T03:04:05Z", "notes[7]"))),
            (
                system_log,
                "2025-01-02T03:04:05.5+00:00 app[web.1]: a",
                Some(("a", "2025-01-02T03:04:05.5Z", "app[web.1]")),
            ),
            (
                system_log,
                "Thu 2025-01-02 03:04:05 UTC box notes[7]: a",
                Some(("a", "2025-01-02T03:04:05Z", "notes[7]")),
            ),
            (system_log, "1735787045.678901 box notes[7]: a", Some(("a", "2025-01-02T03:04:05.678901Z", "notes[7]"))),
            (system_log, "[    5.250000] box notes[7]: a", Some(("a", "1970-01-01T00:00:05.25Z", "notes[7]"))),
            (system_log, "<34>Jan  2 03:04:05 box notes: a", Some(("a", "", "notes"))),
            (
                system_log,
                "<34>1 2025-01-02T03:04:05Z box notes 77 ID1 - a",
                Some(("a", "2025-01-02T03:04:05Z", "notes")),
            ),
            (
                system_log,
                "<34>1 2025-01-02T03:04:05Z box notes 77 - [x y=\"z\"] a",
                Some(("a", "2025-01-02T03:04:05Z", "notes")),
            ),
            (system_log, "2025-01-02T03:04:05Z {\"a\": 1}", None),
            (system_log, "[12:00] a b: c", None),
            (system_log, "é", None),
        ];
        for (parse, line, wanted) in cases {
            let read = parse(line, &TimeZone::UTC);
            let told = read.map(|prefix| {
                let time = prefix.time.map(|time| time.at.to_string()).unwrap_or_default();
                (prefix.text, time, prefix.lane.unwrap_or_default())
            });
            assert_eq!(told, wanted.map(|(text, time, lane)| (text, time.to_owned(), lane)), "{line}");
        }
    }
}
