//! The reference pages of `docs/`, written from the tables and from the command line itself. A test holds the files
//! against them.

use clap::CommandFactory;

use super::args::CommandLine;
use super::explain::{kind, range, requirements, sender};
use crate::filter::{FIELDS, FUNCTIONS};
use crate::protocol::{METHODS, Revision};
use crate::redact::{ENDINGS, KINDS};
use crate::render::{COLUMNS, CONVERSIONS, OUTPUTS, STATS_OUTPUTS};
use crate::rules::{FAMILIES, RULES};
use crate::stats::{Field, STANDARD};
use crate::transcript::{FORMATS, MEMBERS, ReadOptions, WRAPPINGS};

/// A generated page.
pub struct Page {
    /// The file in `docs/`.
    pub file: &'static str,
    /// Its text.
    pub write: fn() -> String,
}

/// Every generated page.
pub const PAGES: &[Page] = &[
    Page { file: "cli.md", write: command_line },
    Page { file: "formats.md", write: formats },
    Page { file: "methods.md", write: methods },
    Page { file: "outputs.md", write: outputs },
    Page { file: "rules.md", write: rules },
    Page { file: "redaction.md", write: redaction },
    Page { file: "stats.md", write: stats },
    Page { file: "timed.md", write: timed },
    Page { file: "where.md", write: conditions },
];

/// Wide enough for the longest option, narrow enough to read.
const HELP_WIDTH: usize = 100;

fn page(title: &str, body: &str) -> String {
    format!(
        "<!-- Generated from the tables by `BLESS=1 cargo test --test docs`; do not edit. -->\n\n# {title}\n\n{body}"
    )
}

fn command_line() -> String {
    let mut line = CommandLine::command().term_width(HELP_WIDTH).color(clap::ColorChoice::Never);
    line.build();
    let mut body = format!("```text\n{}\n```\n", plain(&line.render_long_help().to_string()));
    for command in line.get_subcommands_mut().filter(|command| command.get_name() != "help") {
        let name = command.get_name().to_owned();
        let help = plain(&command.render_long_help().to_string());
        body.push_str(&format!("\n## mcp-trace {name}\n\n```text\n{help}\n```\n"));
    }
    page("The command line", &body)
}

fn plain(help: &str) -> String {
    help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

fn formats() -> String {
    let mut body = String::from(
        "Each is recognised by its first lines, whatever the name of the file; `--from NAME` forces one. The last column says \
         what the grammar was compared with.\n\n| name | what | does not record | rests on |\n|---|---|---|---|\n",
    );
    for format in FORMATS {
        body.push_str(&row(&[&code(format.name), format.title, format.loses, format.proof.as_str()]));
    }
    body.push_str(
        "\nAny of them may lie in a wrapping, which is recognised as well and taken off. Offsets refer to the text: \
         decompressed, and in UTF-8.\n\n| wrapping | what |\n|---|---|\n",
    );
    for (wrapping, _, what) in WRAPPINGS {
        body.push_str(&row(&[&code(wrapping.as_str()), what]));
    }
    for format in FORMATS {
        body.push_str(&format!("\n## {}\n\n```text\n{}\n```\n", format.name, format.example.trim_end()));
        if let Some(advice) = (format.open)(&ReadOptions::default()).advice() {
            body.push_str(&format!("\nWhere it holds no messages: {advice}.\n"));
        }
    }
    body.push_str(include_str!("own_format.md"));
    page("Input formats", &body)
}

fn outputs() -> String {
    let mut body = String::from(
        "Chosen with `--format NAME`; of each command the first is the default.\n\n\
         | name | of | what |\n|---|---|---|\n",
    );
    for output in OUTPUTS {
        let of = match (output.records, output.findings) {
            (true, true) => "`annotate`, `check`",
            (false, true) => "`check`",
            _ => "`annotate`",
        };
        body.push_str(&row(&[&code(output.name), of, output.summary]));
    }
    body.push_str(
        "\nThe messages themselves are written by `mcp-trace convert --to NAME`, see [convert.md](convert.md):\n\n\
         | name | what | does not hold |\n|---|---|---|\n",
    );
    for conversion in CONVERSIONS {
        body.push_str(&row(&[&code(conversion.name), conversion.summary, conversion.loses]));
    }
    body.push_str("\nFigures are written by `mcp-trace stats --format NAME`, see [stats.md](stats.md):\n\n| name | what |\n|---|---|\n");
    for output in STATS_OUTPUTS {
        body.push_str(&row(&[&code(output.name), output.summary]));
    }
    body.push_str("\nThe JSON outputs are described in [json.md](json.md), their schema is `mcp-trace schema`.\n");
    page("Output formats", &body)
}

fn rules() -> String {
    let count = RULES.len();
    let mut body = format!(
        "What `mcp-trace check` looks for: {count} rules. `mcp-trace explain RULE` shows one of them on the terminal. The \
         families named practice go beyond the specification.\n\n\
         A rule is silent where the capture cannot decide. Where the capture does not tell the revision, what only some \
         revisions with a handshake say is a note.\n"
    );
    for family in FAMILIES {
        body.push_str(&format!("\n## {}\n", family.title));
        for rule in family.rules {
            body.push_str(&format!("\n### {}\n\n{}. {}\n\n", rule.id, capital(rule.title), rule.explanation));
            if !rule.help.is_empty() {
                body.push_str(&format!("What to do: {}.\n\n", rule.help));
            }
            body.push_str("| revisions | strength | severity | page |\n|---|---|---|---|\n");
            for clause in rule.clauses {
                let newest = Revision::all().rfind(|revision| clause.revisions.covers(*revision));
                let url = rule.url(newest.unwrap_or(Revision::LATEST));
                let off = if clause.off { ", off by default" } else { "" };
                let severity = format!("{}{off}", clause.severity.as_str());
                let page = if url.is_empty() { "none".to_owned() } else { format!("[{}]({url})", clause.page) };
                body.push_str(&row(&[&clause.revisions.words(), clause.strength.as_str(), &severity, &page]));
            }
            body.push_str(&format!(
                "\nFires:\n\n```text\n{}\n```\n\nSilent:\n\n```text\n{}\n```\n",
                rule.fires, rule.silent
            ));
        }
    }
    page("Rules", &body)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn redaction() -> String {
    let mut body = String::from(
        "`--redact` replaces secrets in every text before anything else looks at it, so that no output of the run has \
         them: no table, JSON, finding, message on standard error or converted file. It works in every command that reads \
         a transcript. Standard error says at the end how many values of which kind were replaced.\n\n\
         | kind | what is taken for one |\n|---|---|\n",
    );
    for kind in KINDS {
        body.push_str(&row(&[&code(kind.name), kind.what]));
    }
    let endings: Vec<_> = ENDINGS.iter().map(|ending| code(ending)).collect();
    body.push_str(&format!(
        "\nA name says that its value is a secret when it ends, case and `_`, `-` and `.` apart, with one of {}. Names such as \
         `progressToken` and `nextPageToken` say none, and in a JSON Schema only the values under such a name are taken. JSON \
         inside of strings is gone into.\n\n\
         A string becomes a marker such as `‹redacted:3›`; equal secrets of a run have equal markers, whatever their length, \
         which is not kept. A number becomes 0, a chosen `true` becomes `false`. Ids, methods, member names and structure \
         stay, so that messages pair as before and rules judge them; only what is a token by its shape is replaced there too, \
         the same everywhere. A message that was changed has the flag `redacted`. What is a secret in one place is replaced \
         wherever it stands after that, also percent-encoded; what stood before it was known is not, unless its shape or its \
         name gives it away.\n\n\
         `--redact-field PATH` chooses members of every message: `params.arguments.path`, or the JSON pointer \
         `/params/arguments/path`; `*` stands for any member or element. What is chosen is replaced whole.\n\n\
         No list of shapes is complete: look at the result before you publish it. Names of files given on the command line \
         are not replaced, and what a secret was split into over several messages is not recognised.\n",
        endings.join(", "),
    ));
    page("Redaction", &body)
}

fn stats() -> String {
    let fields = |by: &[Field]| by.iter().map(|field| code(field.as_str())).collect::<Vec<_>>().join(", ");
    let mut body = format!(
        "`mcp-trace stats FILE…` counts what recordings hold. FILE may be a directory, of which every file is read that is not \
         hidden, or a pattern; `--files-from` reads names from a list. Inputs are read several at a time, and what comes out does not \
         depend on how many. A run that takes longer than a second shows how far it is if standard error is a terminal. An input that is not read whole is listed, the others are counted, and the exit code is 2; every output \
         says so in itself.\n\n\
         Messages are grouped by {}, and by what `--by` asks for: {}. An answer has the method, target and phase of its request, \
         and the server of a session is that of all its messages, as far as it became known.\n\n\
         | figure of a group, for `--sort` | counts |\n|---|---|\n",
        STANDARD.iter().map(|by| fields(by)).collect::<Vec<_>>().join("; "),
        fields(&Field::NAMED.map(|(field, _)| field)),
    );
    for column in COLUMNS {
        body.push_str(&row(&[&code(column.name), column.summary]));
    }
    body.push_str("\n| format | what |\n|---|---|\n");
    for output in STATS_OUTPUTS {
        body.push_str(&row(&[&code(output.name), output.summary]));
    }
    body.push_str(include_str!("stats.md"));
    page("Figures", &body)
}

fn timed() -> String {
    let mut body = String::from(
        "One JSON object a line, in UTF-8: a message, a batch or an event of a log, with what the log says about it. \
         `mcp-trace convert` writes such lines, and the input format `converted` reads them. A line has its members in this \
         order; of those behind `dir`, only the ones that tell something. What is read from such lines is what was read \
         from the log: the same messages and events, with the same times, directions, sessions and flags. What is told \
         about messages (what a message answers, its phase, what it needs) is not written; `--format ndjson` has that.\n\n\
         | member | holds |\n|---|---|\n",
    );
    for (name, holds) in MEMBERS {
        body.push_str(&row(&[&code(name), holds]));
    }
    body.push_str(
        "\nReaders may rely on these names: members are added, never renamed. A reader that knows only `ts`, `dir` and \
         `msg` gets every message that was recorded whole.\n",
    );
    page("Timed lines", &body)
}

fn conditions() -> String {
    let mut body = String::from(
        "What `--where` can ask of a message; [filter.md](filter.md) says how. The names are those of the message record of the JSON \
         output, so this is also a list of its members. `mcp-trace explain where` shows it on the terminal.\n\n\
         | field | type | what |\n|---|---|---|\n",
    );
    for field in FIELDS {
        body.push_str(&row(&[&code(field.name), field.of.name(), &field.told()]));
    }
    body.push_str("\n| function, for example | what |\n|---|---|\n");
    for function in FUNCTIONS {
        body.push_str(&row(&[&code(function.form), function.what]));
    }
    page("Fields and functions of `--where`", &body)
}

fn methods() -> String {
    let mut body = String::from(
        "Every message of every revision, and of the known extensions. `mcp-trace explain NAME` says more of each.\n\n\
         | method | kind | sender | feature | revisions | needs | page |\n|---|---|---|---|---|---|---|\n",
    );
    for method in METHODS {
        body.push_str(&row(&[
            &code(method.name),
            kind(method.kind),
            sender(method.sender),
            method.feature.as_str(),
            &range(method.since, method.until),
            &requirements(method.requires),
            &format!("[page]({})", method.until.page_url(method.page)),
        ]));
    }
    page("Methods", &body)
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}
