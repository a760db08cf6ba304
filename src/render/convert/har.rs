//! `har`: HAR 1.2, as if the session had gone over Streamable HTTP. A request of the client and what the server sends
//! until it has answered are one entry, in the order of the requests; what the client sends beside is an entry that is
//! answered 202, what the server sends unasked a stream of its own. Holds open entries within bounds: the oldest is
//! written as it is when they are reached, and its answer becomes a stream of its own.

mod entry;

use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};

use self::entry::Entry;
use super::Conversion;
use super::piece::{Piece, Pieces};
use crate::annotate::Record;
use crate::protocol::Direction;
use crate::render::{Renderer, Unheld};

/// The row of HAR.
pub(super) const HAR: Conversion = Conversion {
    name: "har",
    summary: "HAR 1.2, as if the session had gone over Streamable HTTP",
    loses: "events, messages without payload, times of what the server sends before an answer; where the log has no \
            times, entries begin in 1970",
    open: || Box::new(Har::default()),
};

/// Entries that may be open or wait for an older one, and their bytes.
const MAX_ENTRIES: usize = 1_024;
const MAX_BYTES: usize = 16 << 20;

#[derive(Default)]
struct Har {
    pieces: Pieces,
    entries: VecDeque<Entry>,
    /// How many entries were written: the number of the first in `entries`.
    written: u64,
    bytes: usize,
    /// Open requests: input and number, to the number of their entry.
    open: HashMap<(u32, u64), u64>,
    unheld: Unheld,
}

impl Renderer for Har {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Trace(trace) => {
                self.pieces.selects = trace.filter.is_some();
                let creator = serde_json::json!({"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION")});
                write!(out, "{{\"log\":{{\"version\":\"1.2\",\"creator\":{creator},\"entries\":[")?;
            }
            Record::Message(message) if message.text.is_empty() => self.unheld.messages += 1,
            Record::Message(message) => {
                if let Some(piece) = self.pieces.take(message) {
                    self.piece(piece);
                    self.write(out)?;
                }
            }
            Record::Event(event) if event.frame.is_some() => self.unheld.events += 1,
            Record::InputEnd(_) => {
                while !self.entries.is_empty() {
                    self.write_first(out)?;
                }
                self.open.clear();
            }
            Record::Summary(_) => out.write_all(b"\n]}}\n")?,
            _ => {}
        }
        Ok(())
    }

    fn unheld(&self) -> Unheld {
        self.unheld
    }
}

impl Har {
    fn piece(&mut self, piece: Piece) {
        if piece.way != Some(Direction::ServerToClient) {
            let number = self.written + self.entries.len() as u64;
            self.open.extend(piece.asks.iter().map(|n| ((piece.input, *n), number)));
            return self.push(Entry::asked(piece));
        }
        let input = piece.input;
        let answered: Vec<u64> = piece.answers.iter().filter_map(|n| self.open.remove(&(input, *n))).collect();
        let about = || piece.about.and_then(|n| self.open.get(&(input, n)).copied());
        let place = answered.first().copied().or_else(about).and_then(|number| self.place(number));
        for number in answered {
            if let Some(place) = self.place(number) {
                self.entries[place].waits -= 1;
            }
        }
        match place.filter(|_| piece.is_streamable()) {
            Some(place) => {
                self.bytes += piece.text.len();
                self.entries[place].answer(piece);
            }
            None => self.push(Entry::unasked(piece)),
        }
    }

    fn push(&mut self, entry: Entry) {
        self.bytes += entry.bytes();
        self.entries.push_back(entry);
    }

    fn place(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.written)?).ok().filter(|place| *place < self.entries.len())
    }

    /// Writes what is complete and has nothing open before it, and what no longer fits.
    fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        while self.entries.front().is_some_and(|first| first.waits == 0)
            || self.entries.len() > MAX_ENTRIES
            || self.bytes > MAX_BYTES
        {
            self.write_first(out)?;
        }
        Ok(())
    }

    fn write_first(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(entry) = self.entries.pop_front() else { return Ok(()) };
        if entry.waits > 0 {
            let number = self.written;
            self.open.retain(|_, open| *open != number);
        }
        self.bytes -= entry.bytes();
        out.write_all(if self.written == 0 { b"\n" } else { b",\n" })?;
        self.written += 1;
        entry.write(out)
    }
}
