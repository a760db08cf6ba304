//! Formats that users describe: the example of the documentation does what it says, and mistakes are told.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("own-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("below")).unwrap();
    // Nothing above is looked at.
    fs::create_dir_all(folder.join(".git")).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("mcp-trace").unwrap();
    command.env_clear().current_dir(folder.join("below")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The block of the given language in the chapter of the documentation.
fn block(language: &str) -> String {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md")).unwrap();
    let chapter = page.split("## A format of your own").nth(1).unwrap();
    let begin = format!("```{language}\n");
    chapter.split(&begin).nth(1).unwrap().split("```").next().unwrap().to_owned()
}

fn example(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("mcp-trace.toml"), block("toml")).unwrap();
    fs::write(folder.join("bridge.log"), block("json")).unwrap();
    folder
}

#[test]
fn the_example_of_the_documentation_does_what_it_says() {
    let folder = example("documentation");
    let done = run(&folder, &["--width", "90", "../bridge.log"]);
    let told = text(&done.stdout);
    let shown: Vec<String> = block("text").lines().map(|line| line.trim().to_owned()).collect();
    let told: Vec<String> = told.lines().take(shown.len()).map(|line| line.trim().to_owned()).collect();
    assert_eq!(told, shown);
    assert_eq!(done.status.code(), Some(0));
    let forced = run(&folder, &["--from", "bridge", "--format", "ndjson", "../bridge.log"]);
    assert!(text(&forced.stdout).contains("\"format\":\"bridge\""));
    assert!(text(&run(&folder, &["formats"]).stdout).contains("bridge"));
    let shown = text(&run(&folder, &["--show-config"]).stdout);
    assert!(shown.contains("mcp-trace.toml") && shown.contains("bridge"), "{shown}");
}

#[test]
fn a_document_is_described_by_the_path_to_its_entries() {
    let folder = folder("document");
    let config = "[[format]]\nname = \"box\"\nentries = \"/log/entries/*\"\nmessage = \"/m\"\n";
    fs::write(folder.join(".mcp-trace.toml"), config).unwrap();
    let document = "{\n \"log\": {\n  \"of\": {},\n  \"entries\": [\n   {\"m\": {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}\n  ]\n }\n}\n";
    fs::write(folder.join("a.json"), document).unwrap();
    let told = text(&run(&folder, &["--format", "ndjson", "../a.json"]).stdout);
    assert!(told.contains("\"pointer\":\"/log/entries/0/m\"") && told.contains("\"format\":\"box\""), "{told}");
}

#[test]
fn mistakes_are_told_with_their_line_and_the_nearest_word() {
    let folder = example("mistakes");
    let good = block("toml");
    for (from, to, words) in [
        ("message", "mesage", &["mcp-trace.toml:3", "`mesage`", "did you mean `message`"][..]),
        ("epoch-ms", "epoch-mss", &["format `bridge`", "`epoch-mss`", "`epoch-ms`"]),
        ("up = \"client-to-server\"", "up = \"client-to-servr\"", &["`client-to-servr`", "`client-to-server`"]),
        ("\"/way\"", "\"way\"", &["expected a JSON pointer", "`way`"]),
        ("\"bridge\"", "\"jsonl\"", &["no format has yet", "`jsonl`"]),
        ("[\"/frame/json\", \"/frame/text\"]", "3", &["mcp-trace.toml:3", "expected a JSON pointer"]),
        ("[[format]]", "[[formats]]", &["mcp-trace.toml:1", "`formats`", "did you mean `format`"]),
        ("name =", "name", &["mcp-trace.toml:2"]),
    ] {
        fs::write(folder.join("mcp-trace.toml"), good.replace(from, to)).unwrap();
        let done = run(&folder, &["../bridge.log"]);
        let told = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(words.iter().all(|word| told.contains(word)), "{told} lacks one of {words:?}");
    }
    let told = text(&run(&folder, &["--config", "../nowhere.toml", "../bridge.log"]).stderr);
    assert!(told.contains("nowhere.toml"), "{told}");
    fs::write(folder.join("mcp-trace.toml"), &good).unwrap();
    let told = text(&run(&folder, &["--from", "bridg", "../bridge.log"]).stderr);
    assert!(told.contains("did you mean `bridge`"), "{told}");
}
