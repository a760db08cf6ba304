//! `ndjson`, `csv` and `markdown`: the groups as rows. The first row is the total, which says whether everything was
//! read; groups that have no row of their own follow as `rest`.

use std::io::{self, Write};

use super::columns::Number;
use super::{COLUMNS, Shown, StatsOutput, text};
use crate::render::report::code;
use crate::stats::{Cell, Value};

pub(super) const NDJSON: StatsOutput =
    StatsOutput { name: "ndjson", summary: "the groups as JSON objects, one a line", write: ndjson };

pub(super) const CSV: StatsOutput =
    StatsOutput { name: "csv", summary: "the groups as comma-separated values with a header", write: csv };

pub(super) const MARKDOWN: StatsOutput =
    StatsOutput { name: "markdown", summary: "the groups as a table in Markdown", write: markdown };

/// Columns of the table in Markdown, beside the values.
const SHORT: [&str; 9] =
    ["messages", "bytes", "error_responses", "tool_errors", "unanswered", "p50_ms", "p95_ms", "p99_ms", "max_ms"];

/// The row's word, its values, its figures.
type Row<'a> = (&'static str, Vec<&'a Value>, &'a Cell);

fn rows<'a>(shown: &Shown<'a>) -> Vec<Row<'a>> {
    let nulls = || vec![&Value::Null; shown.by().len()];
    let mut rows = vec![("total", nulls(), &shown.figures.total)];
    if let Some(groups) = shown.groups() {
        let (sorted, _) = shown.sorted(groups, shown.top);
        rows.extend(sorted.into_iter().map(|(values, cell)| ("group", values.iter().collect(), cell)));
        if groups.rows.rest().messages > 0 {
            rows.push(("rest", nulls(), groups.rows.rest()));
        }
    }
    rows
}

fn names(shown: &Shown<'_>) -> Vec<&'static str> {
    shown.by().iter().map(|field| field.as_str()).collect()
}

fn ndjson(shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    for (word, values, cell) in rows(shown) {
        write!(out, "{{\"record\":\"stats-row\",\"row\":\"{word}\",\"complete\":{}", shown.figures.complete())?;
        out.write_all(b",\"filter\":")?;
        serde_json::to_writer(&mut *out, &shown.figures.filter)?;
        for (name, value) in names(shown).into_iter().zip(values) {
            write!(out, ",\"{name}\":")?;
            match value {
                Value::Null => out.write_all(b"null")?,
                Value::Bool(value) => write!(out, "{value}")?,
                Value::Number(value) => write!(out, "{value}")?,
                Value::Text(text) => serde_json::to_writer(&mut *out, text.as_str())?,
            }
        }
        for column in COLUMNS.iter() {
            let number = match (column.of)(cell) {
                Number::Nanos(None) => "null".to_owned(),
                number => number.text(),
            };
            // A field that is grouped by may have the name of a figure: `cancelled`, `late`.
            let clash = shown.by().iter().any(|field| field.as_str() == column.name);
            write!(out, ",\"{}{}\":{number}", column.name, if clash { "_count" } else { "" })?;
        }
        out.write_all(b"}\n")?;
    }
    Ok(())
}

fn csv(shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let head = ["row", "complete"].into_iter().chain(names(shown)).chain(COLUMNS.iter().map(|column| column.name));
    let head = head.chain(["filter"]);
    writer.write_record(head).map_err(io::Error::from)?;
    let complete = shown.figures.complete().to_string();
    for (word, values, cell) in rows(shown) {
        let values = values.into_iter().map(|value| formula_safe(text(value).unwrap_or_default().into_owned()));
        let figures = COLUMNS.iter().map(|column| (column.of)(cell).text());
        let filter = formula_safe(shown.figures.filter.clone().unwrap_or_default());
        let row = [word.to_owned(), complete.clone()].into_iter().chain(values).chain(figures).chain([filter]);
        writer.write_record(row).map_err(io::Error::from)?;
    }
    writer.flush()
}

/// Spreadsheets take a cell that begins so for a formula, quoted or not; an apostrophe before it makes it a text.
fn formula_safe(text: String) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text }
}

fn markdown(shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let figures = shown.figures;
    let columns: Vec<_> = COLUMNS.iter().filter(|column| SHORT.contains(&column.name)).collect();
    if !figures.complete() {
        let inputs = &figures.inputs;
        writeln!(out, "**Incomplete**: {} of {} inputs were not read whole.\n", inputs.not_whole(), inputs.total())?;
    }
    if let Some(filter) = &figures.filter {
        let (counted, read) = (figures.total.messages, figures.messages_read);
        writeln!(out, "{counted} of {read} messages, selected by {}.\n", code(filter))?;
    }
    let head: Vec<_> = names(shown).into_iter().chain(columns.iter().map(|column| column.name)).collect();
    writeln!(out, "| {} |", head.join(" | "))?;
    writeln!(out, "|{}{}|", "---|".repeat(shown.by().len()), vec!["---:"; columns.len()].join("|"))?;
    for (word, values, cell) in rows(shown) {
        let values = values.into_iter().enumerate().map(|(at, value)| match (word, text(value)) {
            ("group", Some(text)) => code(&text),
            ("group", None) => String::new(),
            _ if at == 0 => format!("*{word}*"),
            _ => String::new(),
        });
        let figures = columns.iter().map(|column| (column.of)(cell).text());
        writeln!(out, "| {} |", values.chain(figures).collect::<Vec<_>>().join(" | "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, SHORT};

    #[test]
    fn the_columns_in_markdown_are_columns() {
        for name in SHORT {
            assert!(COLUMNS.iter().any(|column| column.name == name), "{name}");
        }
    }
}
