//! Records through a renderer into a destination, in large writes; flushed whenever the input has no more to
//! give at the moment. Errors of inputs go to standard error as well.

use std::io::{self, BufWriter, Write};

use super::filter::filtered_words;
use super::notice::{input_error, input_words, notice, redacted_words, unheld_words};
use crate::annotate::{Brief, Record, Told};
use crate::pipeline::Sink;
use crate::render::Renderer;
use crate::transcript::Format;

/// Text is written out when this much of it has gathered; a message that is longer goes out without being copied here.
const GATHER: usize = 16 << 10;

/// The sink of every command that draws a whole run.
pub(super) struct RenderingSink<W: Write> {
    renderer: Box<dyn Renderer>,
    /// The renderer needs no records of messages.
    is_brief: bool,
    out: BufWriter<W>,
    /// The error of the input just ended. It is told one record later: after the rows and the footer that a
    /// renderer writes, and still before a long next input.
    untold: Option<String>,
    /// The input format that was asked for.
    from: Option<&'static Format>,
}

impl<W: Write> RenderingSink<W> {
    pub(super) fn new(renderer: Box<dyn Renderer>, out: W, from: Option<&'static Format>) -> Self {
        let is_brief = renderer.is_brief();
        Self { renderer, is_brief, out: BufWriter::with_capacity(GATHER, out), untold: None, from }
    }

    /// Tells what belongs on standard error behind a record.
    #[inline(never)]
    fn tell(&mut self, record: &Record<'_>) -> io::Result<()> {
        if let Some(error) = self.untold.take() {
            self.out.flush()?;
            notice(&error);
        }
        match record {
            Record::Summary(summary) => {
                for told in unheld_words(self.renderer.unheld())
                    .into_iter()
                    .chain(redacted_words(summary))
                    .chain(filtered_words(summary))
                {
                    self.out.flush()?;
                    notice(&told);
                }
            }
            Record::InputEnd(end) => {
                self.untold = input_error(end, self.from).map(|error| format!("{}: {error}", input_words(&end.file)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes a message as a record, which is too large to make room for where none is needed.
    #[inline(never)]
    fn whole(&mut self, message: &Told<'_>) -> io::Result<()> {
        self.record(&Record::Message(&message.annotated()))
    }

    /// Writes out what is left and hands the destination back.
    pub(super) fn into_inner(self) -> io::Result<W> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl<W: Write> Sink for RenderingSink<W> {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.renderer.record(record, &mut self.out)?;
        if self.untold.is_none() && matches!(record, Record::Message(_)) { Ok(()) } else { self.tell(record) }
    }

    fn message(&mut self, message: &Told<'_>, brief: &Brief<'_>) -> io::Result<()> {
        if !self.is_brief || self.untold.is_some() {
            return self.whole(message);
        }
        self.renderer.brief(brief);
        Ok(())
    }

    fn idle(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn pause(&mut self) -> io::Result<()> {
        self.renderer.pause(&mut self.out)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::annotate::Summary;

    /// Writes a dot for each record and a bar for each pause.
    struct Dots;

    impl Renderer for Dots {
        fn record(&mut self, _record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
            out.write_all(b".")
        }

        fn pause(&mut self, out: &mut dyn Write) -> io::Result<()> {
            out.write_all(b"|")
        }
    }

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn text_gathers_until_the_input_has_no_more() {
        let summary = Summary::default();
        let mut sink = RenderingSink::new(Box::new(Dots), Vec::new(), None);
        sink.record(&Record::Summary(&summary)).unwrap();
        assert!(sink.out.get_ref().is_empty());
        sink.idle().unwrap();
        assert_eq!(sink.out.get_ref(), b".");
        sink.pause().unwrap();
        sink.record(&Record::Summary(&summary)).unwrap();
        assert_eq!(sink.into_inner().unwrap(), b".|.");
    }

    #[test]
    fn a_closed_pipe_is_the_sinks_error() {
        let mut sink = RenderingSink::new(Box::new(Dots), Closed, None);
        sink.record(&Record::Summary(&Summary::default())).unwrap();
        assert_eq!(sink.idle().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
