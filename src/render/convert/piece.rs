//! What went over the wire at once: a message, or a batch put together again. Memory: one batch.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

use crate::annotate::{Annotated, Kind};
use crate::protocol::Direction;
use crate::transcript::Stamp;

/// A message or a batch, with what the converters need to know of it.
pub(super) struct Piece {
    pub(super) input: u32,
    pub(super) text: String,
    /// The text is JSON.
    pub(super) json: bool,
    pub(super) way: Option<Direction>,
    pub(super) time: Option<Stamp>,
    /// The log's name for the session, else its number.
    pub(super) session: String,
    pub(super) server: Option<String>,
    pub(super) revision: Option<String>,
    pub(super) method: Option<String>,
    pub(super) target: Option<String>,
    /// Numbers of the requests in it that wait for an answer.
    pub(super) asks: Vec<u64>,
    /// Numbers of the requests that it answers.
    pub(super) answers: Vec<u64>,
    /// The request of the other side that it belongs to.
    pub(super) about: Option<u64>,
}

impl Piece {
    fn of(message: &Annotated<'_>) -> Self {
        let json = super::json_of(message);
        let mut text = json.unwrap_or(message.text).to_owned();
        if json.is_some() && text.contains('\r') {
            // White space between tokens.
            text = text.replace('\r', " ");
        }
        let asks = message.kind == Kind::Request && message.answered_by.is_none();
        Self {
            input: message.input,
            text,
            json: json.is_some(),
            way: message.direction,
            time: message.time,
            session: message.frame.session.map_or_else(|| message.session.to_string(), str::to_owned),
            server: message.frame.server.map(str::to_owned),
            revision: message.revision.map(str::to_owned),
            method: message.method.map(str::to_owned),
            target: message.target.map(str::to_owned),
            asks: asks.then_some(message.n).into_iter().collect(),
            answers: message.answers.into_iter().collect(),
            about: message.caused_by.or(message.relates_to),
        }
    }

    /// Whether the text can be the data of an event in a stream, whose lines end at a carriage return too.
    pub(super) fn is_streamable(&self) -> bool {
        !self.text.contains('\r')
    }
}

/// Puts batches together.
#[derive(Default)]
pub(super) struct Pieces {
    /// A filter selects: what is left of a batch is single messages.
    pub(super) selects: bool,
    batch: Option<Piece>,
}

impl Pieces {
    /// Takes a message; gives what is whole by now.
    pub(super) fn take(&mut self, message: &Annotated<'_>) -> Option<Piece> {
        let piece = Piece::of(message);
        let Some(place) = message.batch.filter(|_| piece.json && !self.selects) else { return Some(piece) };
        let batch = match self.batch.take() {
            Some(mut batch) if place.index > 0 => {
                batch.text.push(',');
                batch.text.push_str(&piece.text);
                batch.asks.extend(piece.asks);
                batch.answers.extend(piece.answers);
                batch.about = batch.about.or(piece.about);
                batch
            }
            _ => Piece { text: format!("[{}", piece.text), ..piece },
        };
        if place.index + 1 < place.size {
            self.batch = Some(batch);
            return None;
        }
        Some(Piece { text: format!("{}]", batch.text), ..batch })
    }
}

/// What RFC 3986 leaves as it is.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A name as a part of a path.
pub(super) fn percent(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, UNRESERVED).to_string()
}
