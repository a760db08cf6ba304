//! Lines of one side that are no JSON by themselves and may be one value together.

use super::Spot;
use crate::jsonrpc::RawJson;
use crate::protocol::Direction;

/// Bytes that are kept of a value that is not complete yet.
const MAX_PIECES: usize = 64 << 10;

/// The lines that wait for the rest of their value.
#[derive(Debug, Default)]
pub struct Pieces {
    direction: Option<Direction>,
    text: String,
    first: Option<Spot>,
    lines: u64,
}

impl Pieces {
    /// Where the value begins that this line completes, and how many lines it takes.
    pub fn joined(&self, direction: Option<Direction>, line: &str) -> Option<(Spot, u64)> {
        let first = self.first.filter(|_| self.direction == direction)?;
        let whole = format!("{}\n{line}", self.text);
        RawJson::new(&whole).map(|_| (first, self.lines + 1))
    }

    /// Takes a line that is no JSON; `begins`: it ended before its value did.
    pub(super) fn see(&mut self, direction: Option<Direction>, line: &str, spot: Spot, begins: bool) {
        if self.first.is_some() && self.direction == direction {
            let done = self.joined(direction, line).is_some();
            if !done && self.text.len() + line.len() < MAX_PIECES {
                self.text.push('\n');
                self.text.push_str(line);
                self.lines += 1;
                return;
            }
            self.clear();
            if done {
                return;
            }
        }
        if begins && line.len() < MAX_PIECES {
            *self = Self { direction, text: line.to_owned(), first: Some(spot), lines: 1 };
        }
    }

    /// A whole message of that side came.
    pub(super) fn interrupted(&mut self, direction: Option<Direction>) {
        if self.first.is_some() && self.direction == direction {
            self.clear();
        }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}
