//! The console blocks of README.md and docs/ are run, and what they show must be what comes out.
//! `BLESS=1 cargo test --test readme` writes the output that comes out into the pages.
//!
//! A block begins with ```` ```console ````; a line `$ command` is followed by its output (both streams); a line `…` stands for
//! any lines. `cargo run --release --` and `mcp-trace` both mean the program under test.
#![cfg(unix)]
// Tests say on standard error what they skip.
#![allow(clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs that a block may call, besides the program itself.
const ALLOWED: [&str; 6] = ["mcp-trace", "cargo run --release --", "cat", "printf", "jq", "head"];

/// Left to the reader, because the tests themselves cannot run it.
const NOT_RUN: [&str; 3] = ["cargo test", "git clone", "cargo install"];

struct Step {
    command: String,
    expected: Vec<String>,
}

#[test]
fn pages_show_what_the_program_does() {
    let bless = std::env::var_os("BLESS").is_some();
    let (mut run, mut wrong) = (0, Vec::new());
    for page in pages() {
        let text = fs::read_to_string(&page).expect("pages are readable");
        let mut fresh = String::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            fresh.push_str(line);
            fresh.push('\n');
            if line != "```console" {
                continue;
            }
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            for step in steps(&block) {
                fresh.push_str(&format!("$ {}\n", step.command));
                let output = output(&step.command);
                let kept = match &output {
                    Some(output) if bless && !matches(&step.expected, output) => output,
                    _ => &step.expected,
                };
                kept.iter().for_each(|line| fresh.extend([line, "\n"]));
                let Some(output) = output else { continue };
                run += 1;
                if !bless && !matches(&step.expected, &output) {
                    wrong.push(format!(
                        "{}: $ {}\n--- the page says\n{}\n--- it prints\n{}",
                        page.display(),
                        step.command,
                        step.expected.join("\n"),
                        output.join("\n")
                    ));
                }
            }
            fresh.push_str("```\n");
        }
        if bless && fresh != text {
            fs::write(&page, fresh).expect("pages are writable");
        }
    }
    assert!(run >= 5, "only {run} commands were run");
    assert!(wrong.is_empty(), "run `BLESS=1 cargo test --test readme` if this is right:\n\n{}", wrong.join("\n\n"));
}

#[test]
fn dots_stand_for_any_lines() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a\nb"), &lines("a\nb")));
    assert!(matches(&lines("a\n…\nd"), &lines("a\nb\nc\nd")));
    assert!(matches(&lines("a\n…"), &lines("a")));
    assert!(!matches(&lines("a\n…\nd"), &lines("a\nb\nc")));
    assert!(!matches(&lines("a"), &lines("a\nb")));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    pages.extend(
        fs::read_dir(root().join("docs")).expect("docs/ is readable").map(|entry| entry.expect("readable").path()),
    );
    pages.sort();
    pages
}

fn steps(block: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step { command: command.to_owned(), expected: Vec::new() }),
            (None, Some(step)) if step.expected.is_empty() && step.command.ends_with('\\') => {
                step.command.push_str(&format!("\n{line}"));
            }
            (None, Some(step)) => step.expected.push((*line).to_owned()),
            (None, None) => panic!("a console block must begin with `$ command`, not with `{line}`"),
        }
    }
    steps
}

/// What a command prints; `None` when it is not for this machine.
fn output(command: &str) -> Option<Vec<String>> {
    if NOT_RUN.iter().any(|known| command.starts_with(known)) {
        return None;
    }
    for part in outside_quotes(command) {
        let part = part.trim();
        assert!(
            ALLOWED.iter().any(|allowed| part.starts_with(allowed)),
            "`{part}` is not among the commands of a page"
        );
    }
    let has_jq = Command::new("jq").arg("--version").output().is_ok_and(|output| output.status.success());
    if command.contains("jq ") && !has_jq {
        eprintln!("SKIPPED, there is no jq: {command}");
        return None;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_mcp-trace"));
    let folder = program.parent().expect("the program is in a folder").display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {}", command.replace("cargo run --release --", "mcp-trace"))])
        .current_dir(root())
        .env_clear()
        .env("PATH", format!("{folder}:{path}"))
        .output()
        .expect("sh runs");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    Some(text.lines().map(str::to_owned).collect())
}

/// The commands of a pipe, bars in quotes not counted.
fn outside_quotes(command: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match quote {
            None if c == '|' => parts.push(String::new()),
            None if c == '\'' || c == '"' => quote = Some(c),
            Some(open) if c == open => quote = None,
            _ => {}
        }
        if quote.is_some() || c != '|' {
            parts.last_mut().expect("there is always a last part").push(c);
        }
    }
    parts
}

fn matches(expected: &[String], output: &[String]) -> bool {
    match expected.split_first() {
        None => output.is_empty(),
        Some((first, rest)) if first.trim() == "…" => (0..=output.len()).any(|skip| matches(rest, &output[skip..])),
        Some((first, rest)) => output.split_first().is_some_and(|(line, left)| line == first && matches(rest, left)),
    }
}
