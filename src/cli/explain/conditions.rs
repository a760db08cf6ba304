//! The page of `--where`: the fields and functions of the expression language, printed from their tables.

use crate::cli::page::Page;
use crate::filter::{FIELDS, FUNCTIONS};

/// What asks for the page.
pub(super) const NAME: &str = "where";

const LANGUAGE: &str = "\
A condition on the fields of a message, in the Common Expression Language: `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `&&`, `||`, `!`, \
`? :`, numbers, texts in quotes, lists in brackets. The names are those of the message record of the JSON output.";

const NOTHING: &str = "\
A field that does not apply is null, and so is a member that is not there. Null is equal to null alone; `<`, `>` and the like hold \
only between two numbers, two texts or two times, so with null they are false. What is calculated from null is null.";

/// Whether this page is asked for.
pub(super) fn is_asked(asked: &str) -> bool {
    ["where", "--where", "filter"].iter().any(|name| name.eq_ignore_ascii_case(asked))
}

/// The text of the page.
pub(super) fn write(width: usize) -> String {
    let mut page = Page::new(width);
    page.title(NAME, "which messages are wanted: `--where EXPRESSION`");
    page.sentences(LANGUAGE);
    page.sentences(NOTHING);
    page.heading("fields");
    let rows: Vec<_> =
        FIELDS.iter().map(|field| vec![field.name.to_owned(), field.of.name().to_owned(), field.told()]).collect();
    page.table(&["name", "type", "what"], &rows);
    page.heading("functions");
    let rows: Vec<_> = FUNCTIONS.iter().map(|row| vec![row.form.to_owned(), row.what.to_owned()]).collect();
    page.table(&["for example", "what"], &rows);
    page.finish()
}
