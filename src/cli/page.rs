//! The layout of a page: titles, wrapped sentences, fields, tables. Plain text, so that it can be piped and pasted.

use tabled::builder::Builder;
use tabled::settings::style::Style;
use tabled::settings::{Alignment, Padding};

const INDENT: &str = "  ";

/// The narrowest last column that is still worth reading.
const NARROWEST: usize = 34;

/// Columns between columns.
const GAP: usize = 2;

/// A page in the making.
pub(super) struct Page {
    width: usize,
    text: String,
    fields: Vec<(&'static str, String)>,
}

impl Page {
    pub(super) fn new(width: usize) -> Self {
        Self { width, text: String::new(), fields: Vec::new() }
    }

    /// The name and, in a few words, the kind of the topic.
    pub(super) fn title(&mut self, name: &str, kind: &str) {
        self.text.push_str(&format!("{name} · {kind}\n"));
    }

    /// A line of its own above what follows.
    pub(super) fn heading(&mut self, title: &str) {
        self.close_fields();
        self.text.push_str(&format!("\n{title}\n"));
    }

    /// Sentences, wrapped.
    pub(super) fn sentences(&mut self, sentences: &str) {
        self.close_fields();
        self.text.push_str(&wrap(sentences.split_whitespace(), " ", INDENT, self.width));
        self.text.push('\n');
    }

    /// Names, many a line.
    pub(super) fn words(&mut self, words: impl IntoIterator<Item = String>) {
        self.close_fields();
        self.text.push_str(&wrap(words, "  ", INDENT, self.width));
        self.text.push('\n');
    }

    /// Lines as they are.
    pub(super) fn verbatim(&mut self, lines: &str) {
        self.close_fields();
        for line in lines.lines() {
            self.text.push_str(&format!("{INDENT}{line}\n"));
        }
    }

    /// A name and its value; left out when the value is empty.
    pub(super) fn field(&mut self, name: &'static str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.fields.push((name, value));
        }
    }

    /// A table; left out without rows.
    pub(super) fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        self.close_fields();
        if !rows.is_empty() {
            let header = header.iter().map(|&name| name.to_owned()).collect();
            self.push_columns(std::iter::once(&header).chain(rows));
        }
    }

    /// The text of the page.
    pub(super) fn finish(mut self) -> String {
        self.close_fields();
        self.text
    }

    /// The fields so far become one block, their values one below the other.
    fn close_fields(&mut self) {
        let fields = std::mem::take(&mut self.fields);
        if !fields.is_empty() {
            self.text.push('\n');
            let rows: Vec<Vec<String>> = fields.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
            self.push_columns(rows.iter());
        }
    }

    /// Columns, the words of the last one wrapped; below its row where too little room is left beside it. Nothing is
    /// ever broken inside a word, for names and addresses are there to be copied.
    fn push_columns<'a>(&mut self, rows: impl Iterator<Item = &'a Vec<String>> + Clone) {
        let wide = |cell: &String| cell.chars().count();
        let columns = rows.clone().map(Vec::len).max().unwrap_or(0).saturating_sub(1);
        let natural = |column: usize| rows.clone().filter_map(|row| row.get(column)).map(wide).max().unwrap_or(0) + GAP;
        let room = self.width.saturating_sub(INDENT.len() + (0..columns).map(natural).sum::<usize>());
        let beside = room >= NARROWEST;

        let mut builder = Builder::new();
        for row in rows.clone() {
            let last = row.last().filter(|_| beside).map(|cell| wrap(cell.split_whitespace(), " ", "", room));
            builder.push_record(row[..columns].iter().cloned().chain(last));
        }
        let mut table = builder.build();
        table.with(Style::empty()).with(Padding::new(0, GAP, 0, 0)).with(Alignment::left());
        let mut below = rows.filter(|_| !beside).filter_map(|row| row.last());
        for line in table.to_string().lines() {
            self.text.push_str(format!("{INDENT}{line}").trim_end());
            self.text.push('\n');
            if let Some(cell) = below.next().filter(|cell| !cell.is_empty()) {
                self.text.push_str(&wrap(cell.split_whitespace(), " ", "      ", self.width));
                self.text.push('\n');
            }
        }
    }
}

/// Words in lines of at most `width` columns, each line after a margin; a word longer than that stands alone.
fn wrap<W: AsRef<str>>(words: impl IntoIterator<Item = W>, gap: &str, margin: &str, width: usize) -> String {
    let mut text = String::new();
    let mut line = 0;
    for word in words {
        let word = word.as_ref();
        let length = word.chars().count();
        if line > 0 && line + gap.len() + length > width {
            text.push('\n');
            line = 0;
        }
        let before = if line == 0 { margin } else { gap };
        text.push_str(before);
        text.push_str(word);
        line += before.len() + length;
    }
    text
}
