//! What CI services run: the steps of action.yml as a runner does, the hook of .pre-commit-hooks.yaml with files.
#![cfg(unix)]
// Tests say on standard error what they skip.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "check/program.rs"]
#[allow(dead_code)]
mod program;

use program::folder;

const BROKEN: &str = "fixtures/sessions/2025-11-25/trouble.jsonl";
const CLEAN: &str = "fixtures/sessions/2025-11-25/handshake.jsonl";
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The value of a line `key: value` in a part of a YAML file; these files keep to plain and double-quoted values.
fn value<'t>(part: &'t str, key: &str) -> Option<&'t str> {
    let start = format!("{key}: ");
    let line = part.lines().find_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(&start))?;
    Some(line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line))
}

/// The lines below a line, as far as they are indented more, without their indentation.
fn below(text: &str, head: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| line.trim_start() != head);
    let depth = |line: &str| line.len() - line.trim_start().len();
    let outer = depth(lines.next()?);
    let inside: Vec<&str> = lines.take_while(|line| line.trim().is_empty() || depth(line) > outer).collect();
    let least = inside.iter().filter(|line| !line.trim().is_empty()).map(|line| depth(line)).min()?;
    Some(inside.iter().map(|line| format!("{}\n", line.get(least..).unwrap_or_default())).collect())
}

struct Step {
    id: String,
    env: Vec<(String, String)>,
    run: Option<String>,
}

/// action.yml, as far as it is run here: what actions of others do is not.
struct Action {
    defaults: HashMap<String, String>,
    steps: Vec<Step>,
}

impl Action {
    fn read() -> Self {
        let text = fs::read_to_string(Path::new(ROOT).join("action.yml")).unwrap();
        let inputs = below(&text, "inputs:").unwrap();
        let names = inputs.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.strip_suffix(':'));
        let defaults = names.map(|name| {
            let part = below(&inputs, &format!("{name}:")).unwrap();
            (format!("inputs.{name}"), value(&part, "default").unwrap_or_default().to_owned())
        });
        let steps = below(&text, "steps:").unwrap();
        let step = |part: &str| Step {
            id: part.lines().next().unwrap().to_owned(),
            env: below(part, "env:")
                .iter()
                .flat_map(|env| env.lines())
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            run: below(part, "run: |").or_else(|| value(part, "run").map(str::to_owned)),
        };
        Self { defaults: defaults.collect(), steps: steps.split("- id: ").skip(1).map(step).collect() }
    }
}

/// What a run of the action leaves behind.
#[derive(Debug)]
struct Ran {
    success: bool,
    log: String,
    summary: String,
    exit_code: String,
}

/// Runs the steps in a folder, as the runner does: the environment of each step from its expressions, outputs from one step
/// to later ones, and no step after one that fails.
fn run(place: &Path, with: &[(&str, &str)]) -> Ran {
    let action = Action::read();
    let mut known = action.defaults;
    for (name, value) in with {
        assert!(
            known.insert(format!("inputs.{name}"), (*value).to_owned()).is_some(),
            "the action has no input {name}"
        );
    }
    let temp = folder("action-temp", &place.file_name().unwrap().to_string_lossy());
    let (summary, path) = (temp.join("summary"), temp.join("path"));
    let mut ran = Ran { success: true, log: String::new(), summary: String::new(), exit_code: String::new() };
    for step in action.steps {
        let Some(script) = step.run else { continue };
        let outputs = temp.join(format!("{}.outputs", step.id));
        let file = temp.join(format!("{}.sh", step.id));
        fs::write(&file, script).unwrap();
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-e", "-o", "pipefail"]).arg(&file).current_dir(place).env_clear();
        bash.env("PATH", with_program()).env("RUNNER_TEMP", &temp).env("GITHUB_ACTION_PATH", ROOT);
        bash.env("GITHUB_OUTPUT", &outputs).env("GITHUB_STEP_SUMMARY", &summary).env("GITHUB_PATH", &path);
        for (name, expression) in step.env {
            let inner = expression.strip_prefix("${{ ").and_then(|text| text.strip_suffix(" }}")).unwrap();
            bash.env(name, known.get(inner).map_or("", String::as_str));
        }
        let output = bash.output().unwrap();
        ran.log.push_str(&said(&output));
        let told = fs::read_to_string(&outputs).unwrap_or_default();
        for (name, value) in told.lines().filter_map(|line| line.split_once('=')) {
            known.insert(format!("steps.{}.outputs.{name}", step.id), value.to_owned());
        }
        if !output.status.success() {
            ran.success = false;
            break;
        }
    }
    ran.summary = fs::read_to_string(summary).unwrap_or_default();
    ran.exit_code = known.get("steps.check.outputs.exit-code").cloned().unwrap_or_default();
    ran
}

/// The search path with the program under test before everything else.
fn with_program() -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_mcp-trace"));
    format!("{}:/usr/local/bin:/usr/bin:/bin", program.parent().unwrap().display())
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn has_bash() -> bool {
    let has = Command::new("bash").arg("--version").output().is_ok();
    if !has {
        eprintln!("SKIPPED: the steps of action.yml, there is no bash");
    }
    has
}

/// A folder with sessions, as a repository has them.
fn sessions(name: &str) -> PathBuf {
    let place = folder("action", name);
    fs::create_dir_all(place.join("logs/deep er")).unwrap();
    for (from, to) in [(CLEAN, "logs/clean.jsonl"), (CLEAN, "logs/deep er/clean one.jsonl"), (BROKEN, "broken.jsonl")] {
        fs::copy(Path::new(ROOT).join(from), place.join(to)).unwrap();
    }
    place
}

#[test]
fn the_action_is_green_over_clean_sessions() {
    if !has_bash() {
        return;
    }
    let place = sessions("green");
    let ran = run(&place, &[("files", "logs/**/*.jsonl\n")]);
    assert!(ran.success && ran.exit_code == "0", "{ran:?}");
    assert!(
        ran.log.contains("::notice title=mcp-trace check::no findings in 20 messages of 2 sessions"),
        "{}",
        ran.log
    );
    assert!(ran.summary.starts_with("## mcp-trace check: ✅ passed\n"), "{}", ran.summary);
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(place.join("mcp-trace.sarif")).unwrap()).unwrap();
    assert_eq!(report["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn the_action_is_red_over_broken_ones_and_reports_all_the_same() {
    if !has_bash() {
        return;
    }
    let place = sessions("red");
    let files = "logs/clean.jsonl\nbroken.jsonl";
    let ran = run(&place, &[("files", files), ("format", "junit"), ("output", "report.xml")]);
    assert!(!ran.success && ran.exit_code == "1", "{ran:?}");
    assert!(ran.log.contains("::error file=broken.jsonl,line=5,endLine=5,title=mcp-trace capability-not-negotiated::"));
    assert!(ran.summary.starts_with("## mcp-trace check: ❌ failed\n") && ran.summary.contains("`broken.jsonl:5`"));
    assert!(fs::read_to_string(place.join("report.xml")).unwrap().contains("failures=\"3\""));

    let lenient = run(&place, &[("files", files), ("fail-on", "never"), ("output", "")]);
    assert!(
        lenient.success && lenient.exit_code == "0" && lenient.log.contains("::error file=broken.jsonl"),
        "{lenient:?}"
    );
    assert!(!place.join("mcp-trace.sarif").exists(), "no report was asked for");
    let rules = "--rule=capability-not-negotiated=off\n--rule=response-without-request=note";
    let told = run(&place, &[("files", files), ("args", rules)]);
    assert!(told.success && !told.log.contains("capability-not-negotiated"), "{told:?}");
}

#[test]
fn the_action_is_never_silently_green() {
    if !has_bash() {
        return;
    }
    let place = sessions("silent");
    fs::write(place.join("empty.jsonl"), "").unwrap();
    let cases: [&[(&str, &str)]; 7] = [
        &[("files", "")],
        &[("files", "\n\n")],
        &[("files", "none/**/*.jsonl")],
        &[("files", "empty.jsonl"), ("fail-on", "never")],
        &[("files", "logs/clean.jsonl"), ("output", "no such folder/report.sarif")],
        &[("files", "logs/clean.jsonl"), ("fail-on", "always")],
        &[("files", "logs/clean.jsonl"), ("args", "--no-such-option")],
    ];
    for with in cases {
        let ran = run(&place, with);
        assert!(!ran.success && !ran.log.is_empty() && matches!(ran.exit_code.as_str(), "2" | ""), "{with:?}: {ran:?}");
    }
}

#[test]
fn text_of_a_workflow_is_no_script() {
    if !has_bash() {
        return;
    }
    let place = sessions("script");
    let hostile = "$(touch owned)\n`touch owned`\n\"; touch owned; \"";
    run(&place, &[("files", hostile), ("args", hostile), ("output", "$(touch owned)")]);
    assert!(!place.join("owned").exists());
    let text = fs::read_to_string(Path::new(ROOT).join("action.yml")).unwrap();
    for step in Action::read().steps.iter().filter_map(|step| step.run.as_ref()) {
        assert!(!step.contains("${{"), "an expression in a script is a hole: {step}");
    }
    assert!(text.contains("using: composite"));
}

#[test]
fn the_page_names_every_report_and_every_input() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/ci.md")).unwrap();
    for output in mcp_trace::render::OUTPUTS.iter().filter(|output| output.findings && !output.records) {
        let row = format!("| `{}` |", output.name);
        assert!(output.name == "text" || page.contains(&row), "docs/ci.md has no row for {}", output.name);
    }
    for name in Action::read().defaults.keys() {
        let name = name.trim_start_matches("inputs.");
        assert!(page.contains(&format!("`{name}`")), "docs/ci.md does not name the input {name}");
    }
}

#[test]
fn the_hook_is_green_over_clean_files_and_red_over_broken_ones() {
    let text = fs::read_to_string(Path::new(ROOT).join(".pre-commit-hooks.yaml")).unwrap();
    let files = regex::Regex::new(value(&text, "files").unwrap()).unwrap();
    let offered = ["a.jsonl", "a.jsonl.gz", "logs/b.ndjson.zst", "c.mcp", "src/main.rs", "a.jsonl.txt", "notes.json"];
    let taken: Vec<_> = offered.into_iter().filter(|name| files.is_match(name)).collect();
    assert_eq!(taken, offered[..4]);
    let entry: Vec<&str> = value(&text, "entry").unwrap().split(' ').collect();
    let place = sessions("hook");
    fs::write(place.join("empty.jsonl"), "").unwrap();
    for (names, code, word) in [
        (&["logs/clean.jsonl", "logs/deep er/clean one.jsonl"][..], 0, "no findings"),
        (&["logs/clean.jsonl", "broken.jsonl"], 1, "[capability-not-negotiated]"),
        (&["logs/clean.jsonl", "empty.jsonl"], 2, "not everything was read"),
    ] {
        let output = Command::new("env")
            .args(&entry)
            .args(names)
            .current_dir(&place)
            .env_clear()
            .env("PATH", with_program())
            .output()
            .unwrap();
        assert!(output.status.code() == Some(code) && said(&output).contains(word), "{names:?}: {}", said(&output));
    }
}
