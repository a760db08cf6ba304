//! Two sides of one conversation, each in its own order, put into one: an answer stands behind its request, and as
//! early as that allows; what else a side says stands before the answer that follows it.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::Flags;
use crate::position::Position;
use crate::protocol::Side;

/// A message that one side said.
#[derive(Debug)]
pub(super) struct Spoken {
    pub(super) side: Side,
    pub(super) text: String,
    pub(super) position: Position,
    pub(super) flags: Flags,
    asks: Option<String>,
    answers: Option<String>,
}

#[derive(Deserialize)]
struct Glance<'t> {
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    method: Option<IgnoredAny>,
}

impl Spoken {
    /// Takes a copy of a message.
    pub(super) fn new(side: Side, text: &str, position: Position, flags: Flags) -> Self {
        let glance: Option<Glance<'_>> = serde_json::from_str(text).ok();
        let id = glance.as_ref().and_then(|glance| Some(glance.id?.get().to_owned()));
        let asks = glance.is_some_and(|glance| glance.method.is_some());
        let (asks, answers) = if asks { (id, None) } else { (None, id) };
        Self { side, text: text.to_owned(), position, flags, asks, answers }
    }
}

/// One side while the two are put together.
struct Queue {
    spoken: std::iter::Peekable<std::vec::IntoIter<Spoken>>,
    /// Requests that were not given out yet, and those that were and have no answer: how many by id.
    to_come: HashMap<String, usize>,
    open: HashMap<String, usize>,
    /// The ids that answers of this side name, the next one last.
    answers: Vec<String>,
    line: u64,
}

impl Queue {
    fn new(spoken: Vec<Spoken>) -> Self {
        let mut to_come = HashMap::new();
        for id in spoken.iter().filter_map(|one| one.asks.clone()) {
            *to_come.entry(id).or_default() += 1;
        }
        let answers = spoken.iter().rev().filter_map(|one| one.answers.clone()).collect();
        Self { spoken: spoken.into_iter().peekable(), to_come, open: HashMap::new(), answers, line: 0 }
    }

    /// The request that the next message answers.
    fn next_answers(&mut self) -> Option<String> {
        self.spoken.peek()?.answers.clone()
    }

    /// Whether the next message stands on the line of the one before.
    fn goes_on(&mut self) -> bool {
        let line = self.line;
        self.spoken.peek().is_some_and(|next| next.position.line == line)
    }

    fn take(&mut self, other: &mut Self) -> Option<Spoken> {
        let spoken = self.spoken.next()?;
        self.line = spoken.position.end_line;
        if let Some(id) = &spoken.asks {
            lessen(&mut self.to_come, id);
            *self.open.entry(id.clone()).or_default() += 1;
        }
        if let Some(id) = &spoken.answers {
            self.answers.pop();
            lessen(&mut other.open, id);
        }
        Some(spoken)
    }
}

fn lessen(counts: &mut HashMap<String, usize>, id: &str) {
    if let Some(count) = counts.get_mut(id) {
        *count -= 1;
        if *count == 0 {
            counts.remove(id);
        }
    }
}

/// Puts the two sides together. Messages on one line stay together.
pub(super) fn interleave(client: Vec<Spoken>, server: Vec<Spoken>) -> Vec<Spoken> {
    let (mut client, mut server) = (Queue::new(client), Queue::new(server));
    let mut ordered = Vec::new();
    let mut last = Side::Client;
    loop {
        let side = next_side(&mut client, &mut server, last);
        let spoken = match side {
            Side::Client => client.take(&mut server),
            Side::Server => server.take(&mut client),
        };
        let Some(spoken) = spoken else { return ordered };
        ordered.push(spoken);
        last = side;
    }
}

/// The side that speaks next; the one that has nothing more to say only when neither has.
fn next_side(client: &mut Queue, server: &mut Queue, last: Side) -> Side {
    let going_on = match last {
        Side::Client => client.goes_on(),
        Side::Server => server.goes_on(),
    };
    if going_on {
        return last;
    }
    if client.spoken.peek().is_none() {
        return Side::Server;
    }
    if server.spoken.peek().is_none() {
        return Side::Client;
    }
    // The client answers at once what it was asked.
    let client_answers = client.next_answers();
    if client_answers.as_ref().is_some_and(|id| server.open.contains_key(id)) {
        return Side::Client;
    }
    let client_waits = client_answers.is_some_and(|id| server.to_come.contains_key(&id));
    match server.next_answers() {
        Some(id) if client.open.contains_key(&id) => Side::Server,
        Some(id) if client.to_come.contains_key(&id) => Side::Client,
        // To a request that is not there.
        Some(_) => Side::Server,
        None if client_waits => Side::Server,
        // Most of what a server says by itself belongs to the request that it answers next.
        None => match server.answers.last() {
            Some(id) if client.to_come.contains_key(id) && !client.open.contains_key(id) => Side::Client,
            Some(_) => Side::Server,
            None => Side::Client,
        },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn order(client: &[&str], server: &[&str]) -> String {
        let spoken = |side, texts: &[&str]| {
            texts
                .iter()
                .enumerate()
                .map(|(n, text)| {
                    // `?7` asks, `!7` answers, anything else is a notification.
                    let json = match text.split_at(1) {
                        ("?", id) => format!(r#"{{"id":{id},"method":"m"}}"#),
                        ("!", id) => format!(r#"{{"id":{id},"result":null}}"#),
                        _ => r#"{"method":"m"}"#.to_owned(),
                    };
                    let position = Position { line: n as u64 + 1, end_line: n as u64 + 1, ..Position::default() };
                    Spoken::new(side, &json, position, Flags::NONE)
                })
                .collect::<Vec<_>>()
        };
        let names = [client, server];
        interleave(spoken(Side::Client, client), spoken(Side::Server, server))
            .iter()
            .map(|one| {
                let (mark, names) = if one.side == Side::Client { ("c", names[0]) } else { ("s", names[1]) };
                format!("{mark}{}", names[one.position.line as usize - 1])
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn answers_stand_behind_their_requests() {
        for (client, server, wanted) in [
            (&["?1", "n", "?2"][..], &["!1", "!2"][..], "c?1 s!1 cn c?2 s!2"),
            // The same id twice.
            (&["?2", "?1", "?1", "?2"], &["!2", "!1", "!1", "!2"], "c?2 s!2 c?1 s!1 c?1 s!1 c?2 s!2"),
            // Answered in another order than asked.
            (&["?1", "?2"], &["!2", "!1"], "c?1 c?2 s!2 s!1"),
            // What the server says before an answer belongs to the request.
            (&["?1", "?2"], &["!1", "p", "!2", "q"], "c?1 s!1 c?2 sp s!2 sq"),
            // The server asks during a request.
            (&["?1", "?2", "!9"], &["!1", "?9", "!2"], "c?1 s!1 c?2 s?9 c!9 s!2"),
            // Answers to nothing, requests without an answer.
            (&["!5", "?1", "n"], &["!7"], "s!7 c!5 c?1 cn"),
            // Each waits for the other.
            (&["!9", "?1"], &["!1", "?9"], "c!9 c?1 s!1 s?9"),
            (&[], &["n"], "sn"),
        ] {
            assert_eq!(order(client, server), wanted);
        }
    }
}
