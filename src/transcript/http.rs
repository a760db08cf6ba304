//! What HTTP tells about a message or event: the exchange that carried it. Made once an exchange by the readers of HTTP
//! captures, lent to every frame of it. Knows nothing of formats and decides nothing.

use compact_str::CompactString;

/// One half of an HTTP exchange, as far as the capture shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Http {
    /// Which half carried the message.
    pub half: Half,
    /// Number of the exchange in its input, from 1. What one response streams has one number: it names the stream.
    pub exchange: u64,
    /// The request's method, for example `POST`; `None` when not recorded.
    pub method: Option<CompactString>,
    /// The request's path and query; `None` when not recorded.
    pub path: Option<CompactString>,
    /// The response's status; `None` in a request and when not recorded.
    pub status: Option<u16>,
    /// The headers of this half; `None` when the capture shows none, so that a missing one proves nothing.
    pub headers: Option<Headers>,
    /// The request's `Last-Event-ID`: the response resumes a stream.
    pub resumes: Option<CompactString>,
    /// The body is an event stream.
    pub streamed: bool,
    /// The id of the event that carried the message, in an event stream that gives ids.
    pub event_id: Option<CompactString>,
}

/// A half of an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Half {
    /// What the client asked.
    #[default]
    Request,
    /// What the server answered.
    Response,
}

impl Http {
    /// A header of this half; the name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.as_ref()?.get(name)
    }

    /// Goes to the next event of the stream. Reuses the memory of the id.
    pub fn set_event_id(&mut self, id: Option<&str>) {
        match (&mut self.event_id, id) {
            (Some(kept), Some(id)) => {
                kept.clear();
                kept.push_str(id);
            }
            (kept, id) => *kept = id.map(CompactString::new),
        }
    }
}

/// Headers kept beside all that begin with `mcp-`, in lower case.
const KEPT: [&str; 11] = [
    "accept",
    "allow",
    "authorization",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "location",
    "origin",
    "retry-after",
    "www-authenticate",
];
/// Headers kept of one half.
const MAX_HEADERS: usize = 64;
/// Bytes kept of one value.
const MAX_VALUE: usize = 8 << 10;

/// The headers of one half that matter to MCP: all that begin with `mcp-`, and those for negotiation, authorization,
/// origin and resumption. Of credentials only the scheme is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(CompactString, CompactString)>);

impl Headers {
    /// Takes a header down, if it is one of those that are kept.
    pub fn note(&mut self, name: &str, value: &str) {
        let mut name = CompactString::new(name.trim_ascii());
        name.make_ascii_lowercase();
        if self.0.len() >= MAX_HEADERS || !(KEPT.contains(&name.as_str()) || name.starts_with("mcp-")) {
            return;
        }
        let value = value.trim_ascii();
        let shown = match name.as_str() {
            "authorization" => value.split_ascii_whitespace().next().filter(|scheme| *scheme != value).unwrap_or(""),
            _ => (0..=value.len().min(MAX_VALUE)).rev().find_map(|end| value.get(..end)).unwrap_or(""),
        };
        self.0.push((name, CompactString::new(shown)));
    }

    /// The first value of a header; the name in lower case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Puts other values in the place of those for which `new` gives one, from name and value; whether there were any.
    pub fn replace_values(&mut self, mut new: impl FnMut(&str, &str) -> Option<String>) -> bool {
        let mut any = false;
        for (name, value) in &mut self.0 {
            if let Some(new) = new(name, value) {
                *value = new.into();
                any = true;
            }
        }
        any
    }

    /// Names in lower case and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_case_and_credentials_are_not_kept() {
        let mut headers = Headers::default();
        for (name, value) in [
            ("Mcp-Session-ID", " a-1 "),
            ("mcp-param-Region", "eu"),
            ("Authorization", "Bearer secret"),
            ("AUTHORIZATION", "secret"),
            ("Cookie", "sid=secret"),
            ("Content-Type", "application/json"),
        ] {
            headers.note(name, value);
        }
        let kept: Vec<_> = headers.iter().collect();
        let wanted = [
            ("mcp-session-id", "a-1"),
            ("mcp-param-region", "eu"),
            ("authorization", "Bearer"),
            ("authorization", ""),
            ("content-type", "application/json"),
        ];
        assert_eq!(kept, wanted);
        assert_eq!((headers.get("mcp-session-id"), headers.get("origin")), (Some("a-1"), None));
    }

    #[test]
    fn what_is_kept_has_bounds() {
        let mut headers = Headers::default();
        for number in 0..100 {
            headers.note(&format!("mcp-param-{number}"), &"é".repeat(MAX_VALUE));
        }
        assert_eq!(headers.iter().count(), MAX_HEADERS);
        assert!(headers.iter().all(|(_, value)| value.len() == MAX_VALUE));
    }

    #[test]
    fn ids_of_events_follow_one_another() {
        let mut http = Http::default();
        let long = "an id that is too long to stand inline";
        for id in [None, Some("1"), Some(long), Some("2"), None] {
            http.set_event_id(id);
            assert_eq!(http.event_id.as_deref(), id);
        }
    }
}
