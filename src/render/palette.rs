//! Every colour of the program's tables. Chosen once: plain styles print nothing, so no other place asks whether
//! colour is on.

use owo_colors::Style;

/// What a piece of text is, for its colour. What is normal is dim; what is wrong has a colour, and a word beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ink {
    /// Ordinary text.
    Plain,
    /// Present, but not what the eye should stop at.
    Dim,
    /// Names that rows are found by: methods, headings.
    Strong,
    /// What a message is about: tools, URIs.
    Target,
    /// Client to server.
    ToServer,
    /// Server to client.
    ToClient,
    /// As it should be.
    Good,
    /// Guessed, unknown, late: look twice.
    Doubt,
    /// Wrong.
    Wrong,
    /// A phase begins.
    Rule,
}

/// The ways to begin and end each [`Ink`].
#[derive(Clone, Debug)]
pub struct Palette {
    codes: [(String, String); Self::STYLES],
}

impl Palette {
    const STYLES: usize = 10;

    /// ANSI colours, or none.
    pub fn new(color: bool) -> Self {
        Self {
            codes: Self::styles(color)
                .map(|style| (style.prefix_formatter().to_string(), style.suffix_formatter().to_string())),
        }
    }

    /// In the order of [`Ink`]. Only the eight colours that every terminal theme defines.
    fn styles(color: bool) -> [Style; Self::STYLES] {
        let plain = Style::new();
        if !color {
            return [plain; Self::STYLES];
        }
        [
            plain,
            plain.dimmed(),
            plain.bold(),
            plain.cyan(),
            plain.blue(),
            plain.magenta(),
            plain.green(),
            plain.yellow(),
            plain.red().bold(),
            plain.bold().blue(),
        ]
    }

    /// Begins a piece.
    pub(super) fn begin(&self, ink: Ink) -> &str {
        &self.codes[ink as usize].0
    }

    /// Ends it.
    pub(super) fn end(&self, ink: Ink) -> &str {
        &self.codes[ink as usize].1
    }

    /// Appends a piece of text that is already safe.
    pub(super) fn push(&self, out: &mut String, ink: Ink, text: &str) {
        out.push_str(self.begin(ink));
        out.push_str(text);
        out.push_str(self.end(ink));
    }
}

#[cfg(test)]
mod tests {
    use super::{Ink, Palette};

    #[test]
    fn plain_prints_no_escape_and_colour_ends_what_it_begins() {
        let (plain, color) = (Palette::new(false), Palette::new(true));
        for ink in [Ink::Plain, Ink::Dim, Ink::Strong, Ink::Target, Ink::Good, Ink::Doubt, Ink::Wrong, Ink::Rule] {
            let mut out = String::new();
            plain.push(&mut out, ink, "x");
            assert_eq!(out, "x");
            out.clear();
            color.push(&mut out, ink, "x");
            assert!(ink == Ink::Plain || (out.starts_with("\u{1b}[") && out.ends_with("x\u{1b}[0m")), "{ink:?}");
        }
    }
}
