//! What was typed: clap's view of the command line and nothing else. Names of formats and outputs come from
//! their tables.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{
    NonEmptyStringValueParser, PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser,
};
use clap::{Arg, Args, Parser, Subcommand, ValueEnum};

use super::suggest::{did_you_mean, nearest};
use crate::demo::SCENARIOS;
use crate::protocol::{CAPABILITIES, Primitive, REVISIONS, Revision, Side, capability};
use crate::redact::{Field, FieldError};
use crate::render::{COLUMNS, CONVERSIONS, Conversion, OUTPUTS, Output, STATS_OUTPUTS, column_names};
use crate::rules::{self, Level, Rule};
use crate::stats::Field as Grouping;
use crate::transcript::FORMATS;

const READING: &str = "Reading";
const FILTER: &str = "Filter";
const REDACTING: &str = "Secrets";
const WRITING: &str = "Output";
const GROUPS: &str = "Groups";
const RULES: &str = "Rules";
const EXPECTATIONS: &str = "Expectations";
const WHAT_IF: &str = "What if";
const LOOK: &str = "Look of the table";

const EXAMPLES: &str = "\
Examples:
  mcp-trace session.jsonl                          a recorded session as an annotated table
  my-host --log-wire | mcp-trace                   a live one, row by row while it runs
  mcp-trace --follow mcp.log                       a log that still grows, also when it is rotated
  mcp-trace ~/Library/Logs/Claude/mcp*.log         the logs of Claude Desktop
  mcp-trace --format ndjson session.jsonl | jq .   one JSON object a line
  mcp-trace --where 'latency_ms > 500' FILE        only some messages; also --method, --errors, --since …
  mcp-trace show 5 session.jsonl                   message 5 in full, with its answer
  mcp-trace convert server.log -o session.jsonl    the messages as JSON lines with time and direction
  mcp-trace explain sampling                       what a word in the table means
  mcp-trace demo | mcp-trace                       a session to look at when there is none

Exit codes:
  0  every input was read whole (a closed pipe on standard output counts as success)
  2  wrong usage, or an input was missing, unreadable, empty, half read or without a message";

const CHECK_EXAMPLES: &str = "\
Examples:
  mcp-trace check session.jsonl                    findings with the line and the offending part marked
  mcp-trace check --fail-on warning *.jsonl        stricter: warnings fail as well
  mcp-trace check --format ndjson - < wire.log     findings as JSON, one a line
  mcp-trace check --format sarif -o out.sarif logs/*.jsonl
                                                   for code scanning; also junit, github, gitlab, markdown
  mcp-trace check --rule unknown-method=off FILE   without a rule; `mcp-trace.toml` can say so for every run
  mcp-trace check --write-baseline known.json FILE what is wrong today, and then only what is new:
  mcp-trace check --baseline known.json FILE
  mcp-trace check --forbid-tool erase --max-latency 2s FILE
                                                   what you expect beyond the protocol
  mcp-trace check --without client.sampling FILE   what would no longer be allowed; also --with, --as-revision
  mcp-trace check --list-rules                     every rule
  mcp-trace explain initialized-missing            one of them

Exit codes:
  0  every input was read whole, and nothing was found at or above `--fail-on`
  1  something was
  2  wrong usage, or an input was missing, unreadable, empty, half read or without a message";

const STATS_EXAMPLES: &str = "\
Examples:
  mcp-trace stats session.jsonl                    what was sent, how it ended, how long it took
  mcp-trace stats logs/                            every file below a directory, on all processors
  mcp-trace stats --by server,method --sort p99_ms --top 10 'logs/*.jsonl'
  find logs -name '*.gz' | mcp-trace stats --files-from -
  mcp-trace stats --follow mcp.log                 figures of a log that still grows
  mcp-trace stats --format json a.jsonl > a.json   a part, to be merged with others:
  mcp-trace stats --merge a.json b.json            the same figures as of all inputs in one run

Exit codes:
  0  every input was read whole
  2  wrong usage, or an input was missing, unreadable, empty, half read or without a message; the others are counted";

/// See every message of a recorded Model Context Protocol session: what it is, who sent it, what it answers,
/// and which capability it needs.
#[derive(Debug, Parser)]
#[command(name = "mcp-trace", version, args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
#[command(after_help = "`mcp-trace --help` says more and has examples; `mcp-trace demo | mcp-trace` shows a session.")]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) annotate: AnnotateArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Annotate every message of the inputs (what `mcp-trace FILE…` does)
    #[command(after_long_help = EXAMPLES)]
    Annotate(AnnotateArgs),
    /// Judge the inputs by the rules of the protocol
    #[command(after_long_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Count over any number of inputs: kinds, methods, errors, latencies, bytes, capabilities
    #[command(after_long_help = STATS_EXAMPLES)]
    Stats(StatsArgs),
    /// Write the messages of the inputs in another format
    Convert(ConvertArgs),
    /// Write a sample session as JSON lines
    Demo(DemoArgs),
    /// Show one message in full, with its request or answer and what belongs to it
    Show(ShowArgs),
    /// Explain a primitive, phase, method, capability, error code, revision, `_meta` key, or a word or sign of the table
    Explain(ExplainArgs),
    /// Print the JSON Schema of the JSON outputs
    Schema,
    /// List the input formats, or say what files are: recognised as what, how surely and why
    Formats(FormatsArgs),
    /// Find the logs of Claude Desktop, Visual Studio Code, Cursor and Claude Code on this system
    Logs(LogsArgs),
}

#[derive(Debug, Args)]
pub(super) struct FormatsArgs {
    /// Files, directories and patterns to look at, `-` for standard input; none lists the formats
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<OsString>,
    /// How to write what files are
    #[arg(long, value_name = "FORMAT", help_heading = WRITING, default_value = "table")]
    pub(super) format: ListFormat,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
}

#[derive(Debug, Args)]
pub(super) struct LogsArgs {
    /// How to write
    #[arg(long, value_name = "FORMAT", help_heading = WRITING, default_value = "table")]
    pub(super) format: ListFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// a table for a person to read
    Table,
    /// one JSON object a line
    #[value(alias = "ndjson")]
    Json,
}

#[derive(Debug, Args)]
pub(super) struct AnnotateArgs {
    /// Files, directories (every file below that is not hidden) and patterns such as `logs/*.jsonl`; `-` or none for
    /// standard input; `.gz`, `.zst` and UTF-16 are read as they are
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<OsString>,
    /// Go on when FILE ends and show what is added to it, also when another file takes its name, until Ctrl-C
    #[arg(short, long, help_heading = READING)]
    pub(super) follow: bool,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
    /// Add the requests of selected answers and the answers of selected requests; reads files twice
    #[arg(long, help_heading = FILTER, conflicts_with = "follow")]
    pub(super) pairs: bool,
    /// Save the selected messages to FILE as well, to be read again: their lines as they are where a message is a line, else
    /// as `convert` writes them
    #[arg(long, value_name = "FILE", help_heading = FILTER, conflicts_with = "follow")]
    pub(super) write: Option<PathBuf>,
    /// Let `--write` replace a file that is there
    #[arg(long, help_heading = FILTER, requires = "write")]
    pub(super) force: bool,
    /// How to write
    #[arg(long, value_name = "FORMAT", help_heading = WRITING, default_value = default_output(), value_parser = outputs())]
    pub(super) format: String,
    /// Write to FILE, which appears only when it is complete
    #[arg(short, long, value_name = "FILE", help_heading = WRITING)]
    pub(super) output: Option<OsString>,
    /// Add the original messages: as `payload` in JSON, as the last column of the table
    #[arg(long, help_heading = WRITING)]
    pub(super) payload: bool,
    #[command(flatten)]
    pub(super) look: LookArgs,
    /// Width of the table in columns, instead of the terminal's
    #[arg(long, value_name = "N", help_heading = LOOK, value_parser = clap::value_parser!(u16).range(40..))]
    pub(super) width: Option<u16>,
    /// Columns to show, in this order
    #[arg(long, value_name = "LIST", help_heading = LOOK, value_delimiter = ',', help = columns_help())]
    pub(super) columns: Option<Vec<String>>,
    /// Do not cut rows at the width, show payloads whole
    #[arg(long, help_heading = LOOK)]
    pub(super) wide: bool,
    /// Times since the session's start, or absolute; absolute if `--tz` is given
    #[arg(long, value_name = "KIND", help_heading = LOOK)]
    pub(super) time: Option<TimeKind>,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Files, directories (every file below that is not hidden) and patterns such as `logs/*.jsonl`; `-` or none for
    /// standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<OsString>,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
    /// How to write
    #[arg(long, value_name = "FORMAT", help_heading = WRITING, default_value = default_report(), value_parser = reports())]
    pub(super) format: String,
    /// Write to FILE, which appears only when it is complete
    #[arg(short, long, value_name = "FILE", help_heading = WRITING)]
    pub(super) output: Option<OsString>,
    /// From which severity on findings make the exit code 1
    #[arg(long, value_name = "SEVERITY", help_heading = WRITING, default_value = "error")]
    pub(super) fail_on: Threshold,
    /// From which severity on findings are shown; the others are counted all the same
    #[arg(long, value_name = "SEVERITY", help_heading = WRITING, default_value = "note")]
    pub(super) show: Shown,
    /// Look for a rule or not, and how bad it is: `off`, `on`, `note`, `warning` or `error`; may be given several times
    #[arg(long, value_name = "ID=LEVEL", help_heading = RULES, value_parser = parse_level)]
    pub(super) rule: Vec<(&'static Rule, Level)>,
    /// Do not count the findings that this file holds, as `--write-baseline` wrote it
    #[arg(long, value_name = "FILE", help_heading = RULES)]
    pub(super) baseline: Option<PathBuf>,
    /// Write what is found to this file, so that it no longer counts: not in this run, and in later ones with `--baseline`
    #[arg(long, value_name = "FILE", help_heading = RULES)]
    pub(super) write_baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(super) expect: ExpectArgs,
    #[command(flatten)]
    pub(super) what_if: WhatIfArgs,
    /// List the rules instead of checking
    #[arg(long, conflicts_with_all = ["files", "output"])]
    pub(super) list_rules: bool,
    #[command(flatten)]
    pub(super) look: LookArgs,
    /// Width of the lines in columns, instead of the terminal's
    #[arg(long, value_name = "N", help_heading = LOOK, value_parser = clap::value_parser!(u16).range(40..))]
    pub(super) width: Option<u16>,
}

/// What is supposed to have been negotiated.
#[derive(Debug, Args)]
pub(super) struct WhatIfArgs {
    /// Judge as if this capability had not been declared, and nothing below it: `server.tools.listChanged`; may be given
    /// several times
    #[arg(long, value_name = "CAPABILITY", help_heading = WHAT_IF, value_parser = parse_capability)]
    pub(super) without: Vec<(Side, Vec<String>)>,
    /// Judge as if this capability had been declared, and all above it; may be given several times
    #[arg(long, value_name = "CAPABILITY", help_heading = WHAT_IF, value_parser = parse_capability)]
    pub(super) with: Vec<(Side, Vec<String>)>,
    /// Judge as if this revision had been agreed on
    #[arg(long, value_name = "REVISION", help_heading = WHAT_IF, value_parser = parse_revision)]
    pub(super) as_revision: Option<Revision>,
}

/// What is expected of the inputs beyond the protocol.
#[derive(Debug, Args)]
pub(super) struct ExpectArgs {
    /// A tool that has to be called in each input; may be given several times
    #[arg(long, value_name = "NAME", help_heading = EXPECTATIONS, value_parser = NonEmptyStringValueParser::new())]
    pub(super) expect_tool: Vec<String>,
    /// A tool that must not be called; may be given several times
    #[arg(long, value_name = "NAME", help_heading = EXPECTATIONS, value_parser = NonEmptyStringValueParser::new())]
    pub(super) forbid_tool: Vec<String>,
    /// The longest time from a request to its answer: `500ms`, `2s`, `1m 30s`
    #[arg(long, value_name = "DURATION", help_heading = EXPECTATIONS, value_parser = parse_duration)]
    pub(super) max_latency: Option<Duration>,
    /// The most bytes of a message; K, M and G are understood
    #[arg(long, value_name = "SIZE", help_heading = EXPECTATIONS, value_parser = parse_bytes)]
    pub(super) max_bytes: Option<u64>,
}

#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    /// Files, directories (every file below that is not hidden) and patterns such as `logs/*.jsonl`; `-` or none for
    /// standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<OsString>,
    /// Read names of inputs from FILE as well, one a line, `-` for standard input
    #[arg(long, value_name = "FILE", help_heading = READING)]
    pub(super) files_from: Option<OsString>,
    /// The inputs are what `--format json` wrote of parts, one or several in an input: merge them
    #[arg(long, help_heading = READING)]
    pub(super) merge: bool,
    /// Go on when FILE ends and count what is added to it, until Ctrl-C; on a terminal the figures are drawn as they grow
    #[arg(short, long, help_heading = READING, conflicts_with_all = ["merge", "files_from"])]
    pub(super) follow: bool,
    /// Read so many inputs at a time; as many as there are processors if not given
    #[arg(long, value_name = "N", help_heading = READING, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) threads: Option<u16>,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
    /// Group by these fields of a message
    #[arg(long, value_name = "FIELD", help_heading = GROUPS, value_delimiter = ',', help = fields_help())]
    pub(super) by: Option<Vec<String>>,
    /// Show the first N groups only; `json` always has all
    #[arg(long, value_name = "N", help_heading = GROUPS)]
    pub(super) top: Option<usize>,
    /// The order of groups: a figure, largest first, or a field of `--by`
    #[arg(long, value_name = "FIELD", help_heading = GROUPS, default_value = default_sort(), help = sort_help())]
    pub(super) sort: String,
    /// How to write
    #[arg(long, value_name = "FORMAT", help_heading = WRITING, default_value = default_stats(), value_parser = stats())]
    pub(super) format: String,
    /// Write to FILE, which appears only when it is complete
    #[arg(short, long, value_name = "FILE", help_heading = WRITING)]
    pub(super) output: Option<OsString>,
    #[command(flatten)]
    pub(super) look: LookArgs,
    /// Width of the table in columns, instead of the terminal's
    #[arg(long, value_name = "N", help_heading = LOOK, value_parser = clap::value_parser!(u16).range(40..))]
    pub(super) width: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Threshold {
    /// errors
    Error,
    /// warnings and errors
    Warning,
    /// every finding
    Note,
    /// none: the exit code says only whether everything was read
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Shown {
    /// errors
    Error,
    /// warnings and errors
    Warning,
    /// every finding
    Note,
}

/// The configuration, for every command that reads.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// Read this configuration; if none is named, `mcp-trace.toml` is looked for from the working directory upwards
    #[arg(long, value_name = "FILE", help_heading = READING)]
    pub(super) config: Option<OsString>,
    /// Print which configuration is read, and what it describes
    #[arg(long, help_heading = READING)]
    pub(super) show_config: bool,
}

/// Options of every command that reads.
#[derive(Debug, Args)]
pub(super) struct ReadingArgs {
    /// Read the inputs as this format instead of finding out
    #[arg(long, value_name = "FORMAT", help_heading = READING, value_parser = FormatNames)]
    pub(super) from: Option<String>,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
    /// Longest line that is read whole; K, M and G are understood
    #[arg(long, value_name = "BYTES", help_heading = READING, default_value = "1G", value_parser = parse_bytes)]
    pub(super) max_line: u64,
    /// Zone of absolute times and of local times in logs: `Europe/Berlin`, `+02:00`, `UTC`, `local`
    #[arg(long, value_name = "ZONE", help_heading = READING)]
    pub(super) tz: Option<String>,
    #[command(flatten)]
    pub(super) redact: RedactArgs,
}

/// Which messages are wanted. Options of one name are alternatives, those of different names have to hold together.
#[derive(Debug, Default, Args)]
pub(super) struct FilterArgs {
    /// Only messages for which this expression holds: `primitive == "tools" && latency_ms > 500`; if given several times,
    /// all have to. `mcp-trace explain where` lists fields and functions
    #[arg(long = "where", value_name = "EXPRESSION", help_heading = FILTER, allow_hyphen_values = true)]
    pub(super) wheres: Vec<String>,
    /// Only messages of this method, an answer having that of its request: `tools/call`, `notifications/*`; may be given
    /// several times
    #[arg(long, value_name = "GLOB", help_heading = FILTER, value_parser = NonEmptyStringValueParser::new())]
    pub(super) method: Vec<String>,
    /// Only messages of this primitive; may be given several times
    #[arg(long, value_name = "NAME", help_heading = FILTER, value_parser = primitives())]
    pub(super) primitive: Vec<String>,
    /// Only messages of this kind; may be given several times
    #[arg(long, value_name = "KIND", help_heading = FILTER)]
    pub(super) kind: Vec<KindName>,
    /// Only messages of the session with this number; may be given several times
    #[arg(long, value_name = "N", help_heading = FILTER, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) session: Vec<u64>,
    /// Only messages of the server with this name, from where it is known on: `files`, `git*`; may be given several times
    #[arg(long, value_name = "GLOB", help_heading = FILTER, value_parser = NonEmptyStringValueParser::new())]
    pub(super) server: Vec<String>,
    /// Only messages with this id: `7` for the number and for the text, `'"7"'` for the text alone; may be given several times
    #[arg(long, value_name = "ID", help_heading = FILTER, allow_hyphen_values = true)]
    pub(super) id: Vec<String>,
    /// Only error responses, tool results with `isError`, and invalid messages
    #[arg(long, help_heading = FILTER)]
    pub(super) errors: bool,
    /// Only messages from this time on: `2026-03-02T09:15:00Z`, or `+5s` after the start of their session
    #[arg(long, value_name = "TIME", help_heading = FILTER)]
    pub(super) since: Option<String>,
    /// Only messages up to this time
    #[arg(long, value_name = "TIME", help_heading = FILTER)]
    pub(super) until: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum KindName {
    /// with method and id
    Request,
    /// results and errors
    Response,
    /// with a method and without an id
    Notification,
    /// what is no JSON-RPC message
    Invalid,
}

/// Options of every command that reads, for what is not to be shown.
#[derive(Debug, Args)]
pub(super) struct RedactArgs {
    /// Replace secrets by markers before anything is written: passwords, tokens, keys, cookies, users in URLs
    #[arg(long, help_heading = REDACTING)]
    pub(super) redact: bool,
    /// Replace a member of every message as well: `params.arguments.path` or `/result/content/*/text`, `*` for any
    /// member or element; may be given several times
    #[arg(long, value_name = "PATH", help_heading = REDACTING, value_parser = parse_field)]
    pub(super) redact_field: Vec<Field>,
}

/// Options of every command that draws.
#[derive(Debug, Args)]
pub(super) struct LookArgs {
    /// When to use colours
    #[arg(long, value_name = "WHEN", help_heading = LOOK, default_value = "auto")]
    pub(super) color: When,
    /// Only ASCII: no arrows, ticks and lines
    #[arg(long, help_heading = LOOK)]
    pub(super) ascii: bool,
}

#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    /// Files, directories (every file below that is not hidden) and patterns such as `logs/*.jsonl`; `-` or none for
    /// standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<OsString>,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
    /// Add the requests of selected answers and the answers of selected requests; reads files twice
    #[arg(long, help_heading = FILTER)]
    pub(super) pairs: bool,
    /// What to write
    #[arg(long, value_name = "FORMAT", help_heading = WRITING, default_value = default_conversion(), value_parser = conversions())]
    pub(super) to: String,
    /// Write to FILE, which appears only when it is complete
    #[arg(short, long, value_name = "FILE", help_heading = WRITING)]
    pub(super) output: Option<OsString>,
}

#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Which session; if none is given, the first that the revision has
    #[arg(long, value_name = "NAME", value_parser = scenarios())]
    pub(super) scenario: Option<String>,
    /// Which revision of the protocol, for example `2025-11-25` or `draft`; if none is given, the newest
    /// with a handshake that has the scenario
    #[arg(long, value_name = "REVISION")]
    pub(super) revision: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The number of the message, as the table shows it
    #[arg(value_name = "N")]
    pub(super) n: OsString,
    /// The file, `-` or none for standard input
    #[arg(value_name = "FILE")]
    pub(super) file: Option<OsString>,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
    /// How to write
    #[arg(long, value_name = "FORMAT", help_heading = WRITING, default_value = "table")]
    pub(super) format: ShowFormat,
    #[command(flatten)]
    pub(super) look: LookArgs,
    /// Width of the lines above the message in columns, instead of the terminal's
    #[arg(long, value_name = "N", help_heading = LOOK, value_parser = clap::value_parser!(u16).range(40..))]
    pub(super) width: Option<u16>,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// For example `tools`, `phases`, `tools/call`, `client.sampling`, `-32602`, `2025-11-25`, `orphan`, `✗`; without
    /// one, the list of topics
    #[arg(value_name = "TOPIC", allow_hyphen_values = true)]
    pub(super) topic: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    /// on a terminal, unless NO_COLOR or the like says otherwise
    Auto,
    /// also into pipes and files
    Always,
    /// nowhere
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ShowFormat {
    /// the messages one below the other, for a person to read
    Table,
    /// one JSON record a line, with `payload`, as `--format ndjson` of the whole session writes it
    #[value(alias = "ndjson")]
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TimeKind {
    /// since the first message of the session
    Relative,
    /// date and time in the zone of `--tz`, else UTC
    Absolute,
}

fn columns_help() -> String {
    format!("Columns to show, in this order, with commas between: {}", column_names().collect::<Vec<_>>().join(", "))
}

fn fields_help() -> String {
    let names: Vec<_> = Grouping::NAMED.iter().map(|(_, name)| *name).collect();
    format!("Group by these fields of a message, with commas between: {}", names.join(", "))
}

fn sort_help() -> String {
    let names: Vec<_> = COLUMNS.iter().map(|column| column.name).collect();
    format!("The order of groups: a field of `--by`, or a figure, the largest first: {}", names.join(", "))
}

fn default_sort() -> &'static str {
    COLUMNS.first().map_or("", |column| column.name)
}

fn default_stats() -> &'static str {
    STATS_OUTPUTS.first().map_or("", |output| output.name)
}

fn stats() -> PossibleValuesParser {
    PossibleValuesParser::new(STATS_OUTPUTS.iter().map(|output| PossibleValue::new(output.name).help(output.summary)))
}

fn primitives() -> PossibleValuesParser {
    PossibleValuesParser::new(Primitive::ALL.map(Primitive::as_str))
}

fn default_output() -> &'static str {
    OUTPUTS.iter().find(|output| output.records).map_or("", |output| output.name)
}

fn default_report() -> &'static str {
    OUTPUTS.iter().find(|output| output.findings).map_or("", |output| output.name)
}

fn outputs() -> PossibleValuesParser {
    named(|output| output.records)
}

fn reports() -> PossibleValuesParser {
    named(|output| output.findings)
}

fn named(serves: fn(&Output) -> bool) -> PossibleValuesParser {
    let outputs = OUTPUTS.iter().filter(|output| serves(output));
    PossibleValuesParser::new(outputs.map(|output| PossibleValue::new(output.name).help(output.summary)))
}

fn default_conversion() -> &'static str {
    CONVERSIONS.first().map_or("", |conversion| conversion.name)
}

fn conversions() -> PossibleValuesParser {
    let value = |conversion: &&Conversion| PossibleValue::new(conversion.name).help(conversion.summary);
    PossibleValuesParser::new(CONVERSIONS.iter().map(value))
}

/// Names of formats: those of the table are listed, those of the configuration are known later.
#[derive(Clone)]
struct FormatNames;

impl TypedValueParser for FormatNames {
    type Value = String;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.title))))
    }
}

fn scenarios() -> PossibleValuesParser {
    PossibleValuesParser::new(SCENARIOS.iter().map(|scenario| PossibleValue::new(scenario.name).help(scenario.summary)))
}

/// `ID=LEVEL`, for a rule that there is.
fn parse_level(text: &str) -> Result<(&'static Rule, Level), String> {
    let (id, word) = text.split_once('=').ok_or("expected a rule and a level, such as `invalid-json=off`")?;
    Ok((named_rule(id)?, named_level(word)?))
}

/// The rule of an id.
pub(super) fn named_rule(id: &str) -> Result<&'static Rule, String> {
    rules::rule(id).ok_or_else(|| {
        let hint = did_you_mean(&nearest(id, rules::RULES.iter().map(|rule| rule.id)));
        let hint = hint.unwrap_or_else(|| "`mcp-trace check --list-rules` lists them".to_owned());
        format!("unknown rule `{id}`: {hint}")
    })
}

/// The level of a word.
pub(super) fn named_level(word: &str) -> Result<Level, String> {
    Level::named(word).ok_or_else(|| {
        let words = Level::NAMED.map(|(name, _)| name);
        let hint = did_you_mean(&nearest(word, words)).map(|question| format!("{question} "));
        format!("unknown level `{word}`: {}expected one of {}", hint.unwrap_or_default(), words.join(", "))
    })
}

fn parse_field(text: &str) -> Result<Field, FieldError> {
    Field::parse(text)
}

/// Side and path of a capability of the table. Names of extensions and experiments are whole, whatever they hold.
fn parse_capability(text: &str) -> Result<(Side, Vec<String>), String> {
    let found = [Side::Client, Side::Server].into_iter().find_map(|side| {
        let path = text.strip_prefix(side.as_str())?.strip_prefix('.')?;
        let path: Vec<String> = match path.split_once('.') {
            Some((open @ ("extensions" | "experimental"), name)) => vec![open.to_owned(), name.to_owned()],
            _ => path.split('.').map(str::to_owned).collect(),
        };
        let known = path.iter().all(|name| !name.is_empty()) && capability(side, &path, None).is_some();
        known.then_some((side, path))
    });
    found.ok_or_else(|| {
        let names: Vec<_> =
            CAPABILITIES.iter().map(|row| format!("{}.{}", row.side.as_str(), row.path.join("."))).collect();
        let hint = did_you_mean(&nearest(text, names.iter().map(String::as_str)));
        let hint = hint.unwrap_or_else(|| "`mcp-trace explain capabilities` lists them".to_owned());
        format!("unknown capability `{text}`: {hint}")
    })
}

/// A revision of the table.
fn parse_revision(text: &str) -> Result<Revision, String> {
    Revision::parse(text).ok_or_else(|| {
        let names = || REVISIONS.iter().map(|row| row.name);
        let hint = did_you_mean(&nearest(text, names())).map(|question| format!("{question} "));
        let known = names().collect::<Vec<_>>().join(", ");
        format!("unknown revision `{text}`: {}expected one of {known}", hint.unwrap_or_default())
    })
}

/// A length of time.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    rules::duration(text)
        .ok_or_else(|| "expected a length of time above zero, such as `500ms`, `2s` or `1m 30s`".to_owned())
}

/// A number of bytes.
pub(super) fn parse_bytes(text: &str) -> Result<u64, String> {
    let wanted = "expected a number of bytes such as `65536`, `64K`, `16M` or `1G`";
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: u64 = digits.parse().map_err(|_| wanted.to_owned())?;
    match number.checked_mul(1 << shift) {
        Some(0) => Err("expected at least one byte".to_owned()),
        Some(bytes) => Ok(bytes),
        None => Err("expected less than 16 EiB".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn bytes_take_suffixes() {
        assert_eq!(parse_bytes("65536"), Ok(65_536));
        assert_eq!(parse_bytes("64K"), Ok(65_536));
        assert_eq!(parse_bytes("3m"), Ok(3 << 20));
        assert_eq!(parse_bytes("1G"), Ok(1 << 30));
        for wrong in ["", "K", "-1", "0", "1.5M", "1T", "99999999999G"] {
            assert!(parse_bytes(wrong).is_err(), "`{wrong}` was taken");
        }
    }

    #[test]
    fn a_file_needs_no_command() {
        let line = CommandLine::try_parse_from(["mcp-trace", "a.jsonl", "-", "--wide"]).unwrap();
        assert!(line.command.is_none());
        assert_eq!(line.annotate.files, ["a.jsonl", "-"]);
        assert!(line.annotate.wide);
    }

    #[test]
    fn the_long_form_is_the_same() {
        let line = CommandLine::try_parse_from(["mcp-trace", "annotate", "a.jsonl", "--columns", "n,id"]).unwrap();
        let Some(Command::Annotate(annotate)) = line.command else { panic!("no annotate: {line:?}") };
        assert_eq!(annotate.files, ["a.jsonl"]);
        assert_eq!(annotate.columns.unwrap(), ["n", "id"]);
    }

    #[test]
    fn a_negative_code_is_a_topic() {
        let line = CommandLine::try_parse_from(["mcp-trace", "explain", "-32602"]).unwrap();
        let Some(Command::Explain(explain)) = line.command else { panic!("no explain: {line:?}") };
        assert_eq!(explain.topic, ["-32602"]);
    }
}
