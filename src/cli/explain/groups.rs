//! The page of a group: its topics side by side, each with what it means in a sentence.

use super::pages;
use super::topic::{Group, Topic, names};
use super::words::words;
use crate::cli::page::Page;
use crate::protocol::{ERROR_CODES, ErrorCode, FEATURES, PHASES, REVISIONS};

/// What the two groups of phases are for.
const LIFECYCLE: &str = "\
Initialization and shutdown are the lifecycle of a session, operation is its work; the totals set one against the other. \
A phase is told by the messages of the session, never by its times.";

/// The text of the page of a group.
pub(super) fn write(group: &Group, width: usize) -> String {
    let mut page = Page::new(width);
    page.title(group.name, group.title);
    match group.name {
        "phases" => {
            page.sentences(LIFECYCLE);
            let phases = PHASES.iter().map(|row| pages::write(&Topic::Phase(row), width));
            return [page.finish()].into_iter().chain(phases).collect::<Vec<_>>().join("\n");
        }
        "primitives" => {
            let rows = FEATURES.iter().filter_map(|row| {
                let primitive = row.feature.primitive()?;
                Some(vec![primitive.as_str().to_owned(), primitive.owner().as_str().to_owned(), row.what.to_owned()])
            });
            page.heading("primitives");
            page.table(&["name", "owner", "what"], &rows.collect::<Vec<_>>());
        }
        "features" => {
            let rows = FEATURES.iter().filter(|row| row.feature.primitive().is_none());
            two_columns(&mut page, rows.map(|row| (row.feature.as_str(), row.what)));
        }
        "revisions" => two_columns(&mut page, REVISIONS.iter().rev().map(|row| (row.name, row.summary))),
        "errors" => {
            let newest = |rows: &[ErrorCode]| {
                rows.last().map(|row| vec![row.code.to_string(), row.name.to_owned(), row.meaning.to_owned()])
            };
            let rows = ERROR_CODES.chunk_by(|one, next| one.code == next.code).filter_map(newest);
            page.heading("errors");
            page.table(&["code", "name", "meaning"], &rows.collect::<Vec<_>>());
        }
        name if words().iter().any(|word| word.group == name) => {
            let words = words();
            two_columns(
                &mut page,
                words.iter().filter(|word| word.group == name).map(|word| (word.name, word.meaning)),
            );
        }
        name => page.words(names().into_iter().filter(|(of, _)| *of == name).map(|(_, name)| name)),
    }
    page.finish()
}

fn two_columns<'a>(page: &mut Page, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    let rows: Vec<Vec<String>> = rows.map(|(name, what)| vec![name.to_owned(), what.to_owned()]).collect();
    page.heading("each of them");
    page.table(&["name", "what"], &rows);
}
