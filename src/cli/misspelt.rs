//! A first word that names no file and resembles a command was meant as one. Asked before anything else, so that the
//! words after it are not read as files.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;

use super::args::CommandLine;
use super::suggest::distance;

/// What other programs call it, and what it is called here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("version", "mcp-trace --version"),
    ("list", "mcp-trace formats"),
    ("ls", "mcp-trace formats"),
    ("cat", "mcp-trace FILE"),
    ("open", "mcp-trace FILE"),
    ("parse", "mcp-trace FILE"),
    ("read", "mcp-trace FILE"),
    ("run", "mcp-trace FILE"),
    ("table", "mcp-trace FILE"),
    ("trace", "mcp-trace FILE"),
    ("count", "mcp-trace stats FILE"),
    ("statistics", "mcp-trace stats FILE"),
    ("summary", "mcp-trace --format summary FILE"),
    ("json", "mcp-trace --format json FILE"),
    ("ndjson", "mcp-trace --format ndjson FILE"),
    ("get", "mcp-trace show N FILE"),
    ("print", "mcp-trace show N FILE"),
    ("view", "mcp-trace show N FILE"),
    ("describe", "mcp-trace explain"),
    ("info", "mcp-trace explain"),
    ("man", "mcp-trace help"),
    ("usage", "mcp-trace help"),
    ("example", "mcp-trace demo"),
    ("sample", "mcp-trace demo"),
];

/// What is wrong with the first argument, the program's own name not counted, if it was meant as a command.
pub(super) fn misspelt_command(arguments: &[OsString]) -> Option<String> {
    let word = arguments.get(1)?.to_str()?;
    if word.is_empty() || word.starts_with('-') || word.contains(['.', '/', '\\']) || Path::new(word).exists() {
        return None;
    }
    let line = CommandLine::command();
    let commands: Vec<&str> = line.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
    if commands.contains(&word) {
        return None;
    }
    let lower = word.to_lowercase();
    let elsewhere = ELSEWHERE.iter().find(|(name, _)| *name == lower).map(|(_, here)| (*here).to_owned());
    // Two slips in a word of four letters leave nothing of it.
    let limit = if lower.chars().count() > 4 { 2 } else { 1 };
    let near = || {
        let near = commands.iter().map(|name| (distance(&lower, name), name)).filter(|(far, _)| *far <= limit).min()?;
        Some(format!("mcp-trace {}", near.1))
    };
    let meant = elsewhere.or_else(near)?;
    Some(format!("`{word}` is neither a file nor a command; did you mean `{meant}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(arguments: &[&str]) -> Option<String> {
        misspelt_command(&["mcp-trace"].iter().chain(arguments).map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn slips_and_other_programs_names_are_told() {
        for (arguments, meant) in [
            (&["explian", "tools"][..], "`mcp-trace explain`?"),
            (&["shwo", "2", "a.jsonl"], "`mcp-trace show`?"),
            (&["Schema"], "`mcp-trace schema`?"),
            (&["format"], "`mcp-trace formats`?"),
            (&["version"], "`mcp-trace --version`?"),
            (&["view", "a.jsonl"], "`mcp-trace show N FILE`?"),
        ] {
            let text = asked(arguments).unwrap_or_default();
            assert!(text.ends_with(meant), "{arguments:?}: {text}");
        }
    }

    #[test]
    fn files_options_and_commands_are_left_alone() {
        for arguments in
            [&[][..], &["explain"], &["help"], &["--wide", "shwo"], &["show.log"], &["./shwo"], &["session"]]
        {
            assert_eq!(asked(arguments), None, "{arguments:?}");
        }
        assert_eq!(asked(&["src"]), None, "a folder of this name is there");
    }

    #[test]
    fn what_is_suggested_is_understood() {
        let line = CommandLine::command();
        for (_, here) in ELSEWHERE {
            let first = here.split(' ').nth(1).unwrap_or_default();
            let known = first.starts_with("--") || first == "FILE" || first == "help";
            assert!(known || line.find_subcommand(first).is_some(), "{here}");
        }
    }
}
