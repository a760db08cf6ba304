//! `txtar`: the sections `client` and `server` of a conformance file, each with one message a line in the order of the
//! log. The server's section comes second, so it waits in a temporary file when it is long.

use std::io::{self, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

use super::Conversion;
use super::piece::Pieces;
use crate::annotate::Record;
use crate::protocol::Direction;
use crate::render::{Renderer, Unheld};

/// The row of txtar.
pub(super) const TXTAR: Conversion = Conversion {
    name: "txtar",
    summary: "a conformance file with the sections `client` and `server`",
    loses: "the order between client and server, times, sessions, events, text that is no JSON",
    open: || {
        Box::new(Txtar { pieces: Pieces::default(), server: SpooledTempFile::new(MEMORY), unheld: Unheld::default() })
    },
};

/// Bytes of the server's section that are kept in memory.
const MEMORY: usize = 4 << 20;

struct Txtar {
    pieces: Pieces,
    server: SpooledTempFile,
    unheld: Unheld,
}

impl Renderer for Txtar {
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
        match record {
            Record::Trace(trace) => {
                self.pieces.selects = trace.filter.is_some();
                out.write_all(b"-- client --\n")?;
            }
            Record::Message(message) => match self.pieces.take(message) {
                Some(piece) if !piece.json || piece.way.is_none() => self.unheld.messages += 1,
                Some(piece) => {
                    let line = piece.text.replace('\n', " ");
                    match piece.way {
                        Some(Direction::ServerToClient) => writeln!(self.server, "{line}")?,
                        _ => writeln!(out, "{line}")?,
                    }
                }
                None => {}
            },
            Record::Event(event) if event.frame.is_some() => self.unheld.events += 1,
            Record::Summary(_) => {
                out.write_all(b"-- server --\n")?;
                self.server.seek(SeekFrom::Start(0))?;
                io::copy(&mut self.server, out)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn unheld(&self) -> Unheld {
        self.unheld
    }
}
