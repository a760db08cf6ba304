//! `stats --follow`: counts a file that goes on, and on a terminal shows how far it is. What was drawn is drawn over.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::workers::Part;
use crate::annotate::Record;
use crate::pipeline::Sink;
use crate::stats::Figures;

/// While records keep coming, figures are drawn no more often.
const BETWEEN: Duration = Duration::from_millis(500);
/// Records between two looks at the clock.
const LOOK: u32 = 1_024;

/// Counts, and draws what was counted so far.
pub(super) struct Live<D> {
    pub(super) part: Part,
    file: String,
    /// Writes figures as they are to be seen; `None` where nobody looks on.
    draw: Option<D>,
    screen: Screen,
    drawn: Instant,
    /// Records since the figures were drawn.
    news: u32,
}

impl<D: Fn(&Figures, &mut Vec<u8>) -> io::Result<()>> Live<D> {
    pub(super) fn new(part: Part, file: String, draw: Option<D>) -> Self {
        Self { part, file, draw, screen: Screen::default(), drawn: Instant::now(), news: 0 }
    }

    /// Takes away what was drawn.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.screen.show(&[], &mut io::stdout().lock())
    }

    fn draw(&mut self) -> io::Result<()> {
        if let Some(draw) = &self.draw {
            let mut text = Vec::new();
            draw(&self.part.counter.so_far(&self.file), &mut text)?;
            self.screen.show(&text, &mut io::stdout().lock())?;
            (self.news, self.drawn) = (0, Instant::now());
        }
        Ok(())
    }
}

impl<D: Fn(&Figures, &mut Vec<u8>) -> io::Result<()>> Sink for Live<D> {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.part.record(record)?;
        self.news += 1;
        if self.news.is_multiple_of(LOOK) && self.drawn.elapsed() >= BETWEEN {
            self.draw()?;
        }
        Ok(())
    }

    fn passed(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.part.passed(record)
    }

    fn pause(&mut self) -> io::Result<()> {
        if self.news > 0 { self.draw() } else { Ok(()) }
    }
}

/// The last lines of a terminal.
#[derive(Default)]
struct Screen {
    /// Lines that stand there.
    lines: usize,
}

impl Screen {
    /// Puts a text in the place of the last one; of a text that is higher than the terminal, the first lines.
    fn show(&mut self, text: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let height =
            terminal_size::terminal_size_of(io::stdout()).map_or(usize::MAX, |(_, height)| usize::from(height.0));
        self.put(text, height, out)
    }

    fn put(&mut self, text: &[u8], height: usize, out: &mut dyn Write) -> io::Result<()> {
        let mut screen = Vec::with_capacity(text.len() + 16);
        if self.lines > 0 {
            // Up to the first line, then clear to the end of the screen.
            screen.extend(format!("\x1b[{}A\r\x1b[J", self.lines).bytes());
        }
        // The cursor stands in a line of its own below.
        let shown = text.split_inclusive(|byte| *byte == b'\n').take(height.saturating_sub(1));
        self.lines = 0;
        for line in shown {
            screen.extend_from_slice(line);
            self.lines += 1;
        }
        out.write_all(&screen)?;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_text_takes_the_place_of_the_last_and_fits_the_terminal() {
        let (mut screen, mut out) = (Screen::default(), Vec::new());
        screen.put(b"a\nb\nc\n", 3, &mut out).unwrap();
        screen.put(b"d\n", 3, &mut out).unwrap();
        screen.put(b"", 3, &mut out).unwrap();
        screen.put(b"", 3, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\nb\n\x1b[2A\r\x1b[Jd\n\x1b[1A\r\x1b[J");
    }
}
