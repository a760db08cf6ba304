//! The grammar of event streams (WHATWG HTML, server-sent events) and what MCP makes of an event: the `message` events
//! of all HTTP transports, `endpoint` of HTTP+SSE (2024-11-05, basic/transports). Knows no files and no sessions.

use std::borrow::Cow;
use std::ops::Range;

use super::json_scan::looks_like_rpc;
use super::{EventKind, Origin};

/// One line of an event stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field<'t> {
    /// A blank line ends the event.
    End,
    Data(&'t str),
    Name(&'t str),
    Id(&'t str),
    /// A comment, or how long to wait before the next try.
    Aside,
    /// No field that the grammar knows; to be passed over.
    Unknown,
}

/// What a line says.
pub(super) fn field(line: &str) -> Field<'_> {
    if line.is_empty() {
        return Field::End;
    }
    let (name, value) = match memchr::memchr(b':', &line.as_bytes()[..line.len().min(6)]) {
        Some(at) => (&line[..at], &line[at + 1..]),
        None => (line, ""),
    };
    let value = value.strip_prefix(' ').unwrap_or(value);
    match name {
        "data" => Field::Data(value),
        "event" => Field::Name(value),
        // A NUL in an id makes the line void.
        "id" if !value.contains('\0') => Field::Id(value),
        "" | "id" | "retry" => Field::Aside,
        _ => Field::Unknown,
    }
}

/// What an event is to a reader of MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A message, or what should be one.
    Message(Origin),
    /// Something else that the stream says.
    Said(EventKind),
    /// No data: it only sets the id to resume from.
    Priming,
}

/// What an event of that name with these data is.
pub(super) fn meaning(name: &str, data: &str) -> Meaning {
    let json = data.trim_ascii_start().starts_with(['{', '[']);
    match name {
        _ if data.is_empty() => Meaning::Priming,
        "" | "message" if json => Meaning::Message(Origin::Wire),
        "" | "message" => Meaning::Said(EventKind::Noise),
        _ if json && looks_like_rpc(data) => Meaning::Message(Origin::Log),
        _ => Meaning::Said(EventKind::Http),
    }
}

/// The lines of a text: LF, CR LF and CR end them. Each with its place.
pub(super) fn lines(text: &str) -> Lines<'_> {
    Lines { text, at: 0 }
}

/// See [`lines`].
pub(super) struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Lines<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let rest = &self.text[start..];
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        let ending = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        self.at = (start + end + ending).min(self.text.len());
        Some((start, &rest[..end]))
    }
}

/// One event of a stream that is in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StreamEvent<'t> {
    /// Its name; empty when none is given, which means `message`.
    pub(super) name: &'t str,
    /// Its id.
    pub(super) id: Option<&'t str>,
    /// Its data; several lines are joined by line feeds.
    pub(super) data: Cow<'t, str>,
    /// Where the data stand, from the first byte of the first line to the last of the last.
    pub(super) place: Range<usize>,
    /// A blank line followed.
    pub(super) ended: bool,
}

/// The events of a body. One without data at the end of the text is left out.
pub(super) fn events(body: &str) -> Events<'_> {
    Events(lines(body))
}

/// See [`events`].
pub(super) struct Events<'t>(Lines<'t>);

impl Events<'_> {
    /// Where the next event begins.
    pub(super) fn at(&self) -> usize {
        self.0.at
    }
}

impl<'t> Iterator for Events<'t> {
    type Item = StreamEvent<'t>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut name, mut id) = ("", None);
        let mut data: Option<(Cow<'t, str>, Range<usize>)> = None;
        loop {
            let line = self.0.next();
            let ended = line.is_some_and(|(_, line)| line.is_empty());
            let Some((start, line)) = line.filter(|(_, line)| !line.is_empty()) else {
                match data {
                    Some((data, place)) => return Some(StreamEvent { name, id, data, place, ended }),
                    None if ended => (name, id) = ("", None),
                    None => return None,
                }
                continue;
            };
            match field(line) {
                Field::Data(value) => {
                    let end = start + line.len();
                    match &mut data {
                        None => data = Some((Cow::Borrowed(value), end - value.len()..end)),
                        Some((joined, place)) => {
                            let joined = joined.to_mut();
                            joined.push('\n');
                            joined.push_str(value);
                            place.end = end;
                        }
                    }
                }
                Field::Name(value) => name = value,
                Field::Id(value) => id = Some(value),
                Field::End | Field::Aside | Field::Unknown => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_fields() {
        let cases = [
            ("", Field::End),
            ("data: {\"a\":1}", Field::Data("{\"a\":1}")),
            ("data:x", Field::Data("x")),
            ("data:  x", Field::Data(" x")),
            ("data", Field::Data("")),
            ("event: endpoint", Field::Name("endpoint")),
            ("id: 7", Field::Id("7")),
            ("id: 7\0", Field::Aside),
            (": ping", Field::Aside),
            (":", Field::Aside),
            ("retry: 10", Field::Aside),
            ("datum: x", Field::Unknown),
            ("{\"data\": 1}", Field::Unknown),
        ];
        for (line, wanted) in cases {
            assert_eq!(field(line), wanted, "{line:?}");
        }
    }

    #[test]
    fn events_are_what_stands_before_a_blank_line() {
        for end in ["\n", "\r\n", "\r"] {
            let body = ["id: 1", "data:", "", ": ping", "event: a", "data: x", "data: y", "", "", "id: 2", "data: z"];
            let body = body.join(end);
            let found: Vec<_> = events(&body).collect();
            let told: Vec<_> = found.iter().map(|event| (event.name, event.id, &*event.data, event.ended)).collect();
            assert_eq!(told, [("", Some("1"), "", true), ("a", None, "x\ny", true), ("", Some("2"), "z", false)]);
            assert_eq!(body[found[1].place.clone()], format!("x{end}data: y"));
        }
        assert_eq!(events("event: a\n\nid: 3\n").count(), 0);
    }
}
