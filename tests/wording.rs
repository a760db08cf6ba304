//! The words of the program: names say what a thing is, messages are lower case, without a full stop.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Words that say nothing of what a thing is.
const EMPTY_WORDS: [&str; 10] =
    ["util", "utils", "helper", "helpers", "common", "manager", "handler", "data", "item", "process"];

#[test]
fn no_module_or_type_has_an_empty_name() {
    let mut wrong = Vec::new();
    let mut names = 0;
    for file in sources() {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let text = fs::read_to_string(&file).expect("source files are readable");
        for name in declared(&text).into_iter().chain([stem]) {
            names += 1;
            if words(&name).iter().any(|word| EMPTY_WORDS.contains(&word.as_str())) {
                wrong.push(format!("{}: {name}", file.display()));
            }
        }
    }
    assert!(names > 100, "only {names} names found: the scan sees too little");
    assert!(wrong.is_empty(), "empty words in names:\n{}", wrong.join("\n"));
}

#[test]
fn messages_in_the_source_have_the_house_style() {
    let mut wrong = Vec::new();
    let mut messages = 0;
    for file in sources() {
        let text = fs::read_to_string(&file).expect("source files are readable");
        // Tests stand at the end of a file and may say what they like.
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        if file.ends_with("tests.rs") {
            continue;
        }
        for message in messages_of(code) {
            messages += 1;
            if let Some(reason) = fault(&message) {
                wrong.push(format!("{}: {reason}: {message:?}", file.display()));
            }
        }
    }
    assert!(messages > 10, "only {messages} messages found: the scan sees too little");
    assert!(wrong.is_empty(), "messages:\n{}", wrong.join("\n"));
}

#[test]
fn messages_on_the_terminal_have_the_house_style() {
    let cases: [&[&str]; 12] = [
        &["no-such-folder/session.jsonl"],
        &["anotate"],
        &["--columns", "nonsense"],
        &["--columns="],
        &["--columns", "n,n"],
        &["--tz", "Mars/Olympus"],
        &["--tz", "+25:00"],
        &["show", "x"],
        &["-o", "no-such-folder/out.txt", "README.md"],
        &["explain", "no-such-topic"],
        &["demo", "--revision", "1999-01-01"],
        &["src/*.none"],
    ];
    for arguments in cases {
        let output = Command::new(env!("CARGO_BIN_EXE_mcp-trace"))
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(std::process::Stdio::null())
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = String::from_utf8(output.stderr).expect("messages are UTF-8");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1, "one line for {arguments:?}, got:\n{text}");
        let message = lines[0].strip_prefix("mcp-trace: ").expect("a message names the program");
        assert_eq!(fault(message), None, "{message}");
    }
}

#[test]
fn the_style_is_told_from_its_opposite() {
    assert_eq!(fault("cannot read `x`"), None);
    assert_eq!(fault("JSON ends early"), None, "an acronym is no capitalised word");
    assert!(fault("Cannot read").is_some());
    assert!(fault("cannot read.").is_some());
    assert_eq!(words("LineBuffer"), ["line", "buffer"]);
    assert_eq!(words("line_data"), ["line", "data"]);
    assert_eq!(
        messages_of("bail!(\"a {b}\"); x.context(\"c\"); y.expect(\n \"d \\\"e\\\"\")"),
        ["a {b}", "c", "d \\\"e\\\""]
    );
}

fn sources() -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("source folders are readable") {
            let path = entry.expect("source folders are readable").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found
}

/// Names of modules, types and traits.
fn declared(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in text.lines() {
        // An indented `type` is an associated one, whose name another trait has chosen.
        if line.starts_with(' ') && line.trim_start().starts_with("type ") {
            continue;
        }
        let mut parts = line.split_whitespace().skip_while(|part| part.starts_with("pub"));
        if let (Some("mod" | "struct" | "enum" | "trait" | "type"), Some(name)) = (parts.next(), parts.next()) {
            names.push(name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    names
}

/// The words of a name in either case style.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    for c in name.chars() {
        if c == '_' || c == '-' || c.is_uppercase() {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("there is always a last word").extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The literals that reach a person as an error.
fn messages_of(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for opening in ["bail!(", "anyhow!(", ".context(", ".with_context(|| format!(", ".expect(", "notice(&format!("] {
        for (at, _) in code.match_indices(opening) {
            let Some(literal) = code[at + opening.len()..].trim_start().strip_prefix('"') else { continue };
            let mut escaped = false;
            let end = literal.find(|c| {
                let closes = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                closes
            });
            found.extend(end.map(|end| literal[..end].to_owned()));
        }
    }
    found
}

/// What is wrong with the style of a message.
fn fault(message: &str) -> Option<&'static str> {
    let mut letters = message.chars();
    let (first, second) = (letters.next()?, letters.next().unwrap_or(' '));
    if first.is_uppercase() && second.is_lowercase() {
        return Some("begins with a capital");
    }
    (message.ends_with('.') && !message.ends_with("..")).then_some("ends with a full stop")
}
