//! The layout of a page: titles, wrapped sentences, fields, tables. Plain text, so that it can be piped and pasted.

use tabled::builder::Builder;
use tabled::settings::peaker::Priority;
use tabled::settings::style::Style;
use tabled::settings::{Modify, Padding, Width, object::Rows};

const INDENT: &str = "  ";

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
        self.text.push_str(&wrap(sentences.split_whitespace(), " ", self.width));
    }

    /// Names, many a line.
    pub(super) fn words(&mut self, words: impl IntoIterator<Item = String>) {
        self.close_fields();
        self.text.push_str(&wrap(words, "  ", self.width));
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
        if rows.is_empty() {
            return;
        }
        let mut builder = Builder::new();
        builder.push_record(header.iter().copied());
        rows.iter().for_each(|row| builder.push_record(row));
        let mut table = builder.build();
        table.with(Style::blank());
        table.with(Modify::new(Rows::new(..)).with(Padding::new(0, 1, 0, 0)));
        self.push_wrapped(table);
    }

    /// The text of the page.
    pub(super) fn finish(mut self) -> String {
        self.close_fields();
        self.text
    }

    /// The fields so far become one block, their values one below the other.
    fn close_fields(&mut self) {
        if self.fields.is_empty() {
            return;
        }
        let mut builder = Builder::new();
        std::mem::take(&mut self.fields).into_iter().for_each(|(name, value)| builder.push_record([name, &value]));
        let mut table = builder.build();
        table.with(Style::empty());
        table.with(Modify::new(Rows::new(..)).with(Padding::new(0, 2, 0, 0)));
        self.text.push('\n');
        self.push_wrapped(table);
    }

    fn push_wrapped(&mut self, mut table: tabled::Table) {
        let room = self.width.saturating_sub(INDENT.len());
        table.with(Width::wrap(room).keep_words(true).priority(Priority::max(true)));
        for line in table.to_string().lines() {
            self.text.push_str(format!("{INDENT}{line}").trim_end());
            self.text.push('\n');
        }
    }
}

/// Words in lines of at most `width` columns, indented; one longer than that stands alone.
fn wrap<W: AsRef<str>>(words: impl IntoIterator<Item = W>, gap: &str, width: usize) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for word in words {
        let word = word.as_ref();
        if !line.is_empty() && line.chars().count() + gap.len() + word.chars().count() > width {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        line.push_str(if line.is_empty() { INDENT } else { gap });
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
    text
}
