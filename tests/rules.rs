//! The rules hold what they declare: each row's own examples, the catalogue of rules that stands beside the project where
//! it is there, silence on legal sessions, what is known to be wrong in recorded ones, and that every finding about those
//! was judged.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "rules/caps.rs"]
mod caps;
#[path = "rules/catalogue.rs"]
mod catalogue;
#[path = "rules/doubt.rs"]
mod doubt;
#[path = "rules/edges.rs"]
mod edges;
#[path = "rules/judged.rs"]
mod judged;
#[path = "rules/once.rs"]
mod once;
#[path = "rules/perturbed.rs"]
mod perturbed;
#[path = "rules/recorded.rs"]
mod recorded;
#[path = "rules/remembered.rs"]
mod remembered;
#[path = "rules/said.rs"]
mod said;
#[path = "rules/schemas.rs"]
mod schemas;
#[path = "rules/stateless.rs"]
mod stateless;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use judged::{Found, judge_bytes, judge_given};
use mcp_trace::annotate::Severity;
use mcp_trace::demo::SCENARIOS;
use mcp_trace::protocol::Revision;
use mcp_trace::rules::{On, RULES, Strength, example};
use support::{read_maybe_gz, shared};

#[test]
fn every_rule_holds_its_own_examples() {
    let mut wrong = Vec::new();
    for rule in &RULES {
        let count = |text: &str| {
            let lines = example::lines(text).unwrap_or_else(|error| panic!("{}: {error}", rule.id));
            let expect = example::given(text).unwrap_or_else(|error| panic!("{}: {error}", rule.id));
            judge_given(&lines, expect).iter().filter(|found| found.rule == rule.id).count()
        };
        if count(rule.fires) == 0 {
            wrong.push(format!("{}: its example does not fire", rule.id));
        }
        if count(rule.silent) > 0 {
            wrong.push(format!("{}: its silent example fires", rule.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_says_what_a_reader_needs() {
    for (at, rule) in RULES.iter().enumerate() {
        let id = rule.id;
        assert!(id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'), "{id}");
        assert!(RULES[..at].iter().all(|other| other.id != id), "{id} stands twice");
        for (name, text) in [("title", rule.title), ("explanation", rule.explanation), ("help", rule.help)] {
            assert!(!text.is_empty(), "{id} has no {name}");
        }
        assert!(rule.explanation.ends_with('.'), "{id}: the explanation is made of sentences");
        assert!(!rule.title.ends_with('.') && !rule.help.ends_with('.'), "{id}: title and help are no sentences");
        assert!(!rule.clauses.is_empty() && !rule.checks.is_empty(), "{id}");
        for check in rule.checks {
            if let On::With(other) = check {
                assert!(RULES.iter().any(|rule| rule.id == *other), "{id}: {other} is no rule");
            }
        }
        for revision in Revision::all() {
            let clauses = rule.clauses.iter().filter(|clause| clause.revisions.covers(revision)).count();
            assert!(clauses <= 1, "{id} has {clauses} clauses for {}", revision.as_str());
            if let Some(clause) = rule.at(revision) {
                let is_practice = clause.strength == Strength::Practice;
                let is_own = is_practice || clause.strength == Strength::Expected;
                assert_eq!(rule.url(revision).starts_with("https://"), !is_own, "{id}");
                assert!(!is_practice || clause.severity == Severity::Note, "{id}");
            }
        }
    }
}

/// Sessions that are wrong on purpose, and recordings that hold only a part of one.
const TROUBLED: &[&str] = &["trouble", "hostile", "stops-early", "answers-first", "malformed", ".part."];

/// Findings that are true of sessions that show one of everything.
const EXPECTED: &[(&str, &str)] = &[
    ("2025-11-25-everything", "duplicate-request-id"),
    ("2025-11-25/everything", "duplicate-request-id"),
    ("2025-11-25-everything", "unknown-method"),
    ("2025-11-25/everything", "unknown-method"),
    ("2026-07-28-discover", "removed-method-for-revision"),
    ("2026-07-28/discover", "removed-method-for-revision"),
    ("2025-06-18-garden", "capability-not-negotiated"),
    ("2025-06-18/garden", "capability-not-negotiated"),
];

fn files(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, into) } else { into.push(path) }
    }
}

#[test]
fn legal_sessions_earn_no_error_and_no_warning() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut paths = Vec::new();
    files(&root.join("sessions"), &mut paths);
    files(&root.join("formats"), &mut paths);
    paths.sort();
    let (mut wrong, mut judged) = (Vec::new(), 0);
    let mut expect = |name: &str, found: Vec<Found>| {
        judged += 1;
        let expected = |found: &Found| EXPECTED.iter().any(|(of, rule)| name.contains(of) && found.rule == *rule);
        // The fixtures of HTTP keep the order of the messages of a session, whatever stream that puts them on.
        let made = |rule: &str| name.starts_with("formats/") && (rule.starts_with("http-") || rule.starts_with("sse-"));
        let is_bad = |found: &Found| found.severity > Severity::Note && !expected(found) && !made(found.rule);
        let bad = found.into_iter().filter(is_bad);
        wrong.extend(bad.map(|found| format!("{name}:{} {} {}", found.line, found.rule, found.message)));
    };
    for path in paths {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        if name.ends_with(".truth.json") || TROUBLED.iter().any(|word| name.contains(word)) {
            continue;
        }
        expect(&name, judge_bytes(&name, std::fs::read(&path).unwrap()));
    }
    for scenario in SCENARIOS.iter().filter(|scenario| !TROUBLED.contains(&scenario.name)) {
        let has = |revision: &Revision| (scenario.since..=scenario.until).contains(revision);
        for revision in Revision::all().filter(has) {
            let mut bytes = Vec::new();
            (scenario.write)(revision, &mut bytes).unwrap();
            expect(&format!("demo {} {}", scenario.name, revision.as_str()), judge_bytes("demo", bytes));
        }
    }
    assert!(judged > 50, "only {judged} sessions judged");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_answer_that_a_resumed_stream_repeats_is_no_second_answer() {
    let session = |second: &str| {
        let answer = r#"S[{":stream":1,":event-id":"e1"}]> {"id":1,"result":{}}"#;
        let call = r#"C[{":stream":1}]> {"id":1,"method":"ping"}"#;
        let resumed = r#"C[{":stream":2,"Last-Event-ID":"e0"}]> {"id":2,"method":"ping"}"#;
        let text = format!("{call}\n{answer}\n{resumed}\nS[{{\":stream\":2,\":event-id\":\"e1\"}}]> {second}");
        judged::judge_lines(&example::lines(&text).unwrap())
    };
    let twice = |found: Vec<Found>| found.iter().filter(|found| found.rule == "duplicate-response").count();
    assert_eq!(twice(session(r#"{"id":1,"result":{}}"#)), 0);
    assert_eq!(twice(session(r#"{"id":1,"result":{"other":1}}"#)), 1);
}

/// Rules for several features send a reader to the page of the one at hand.
#[test]
fn a_finding_names_the_page_of_its_feature() {
    let asked = |server: &str, method: &str, answer: &str| {
        format!(
            "@init 2025-11-25 {{\"roots\":{{}}}} {server}\nC> {{\"id\":7,\"method\":\"{method}\"}}\nS> {{\"id\":7,{answer}}}"
        )
    };
    let refused = "\"error\":{\"code\":-32601,\"message\":\"none\"}";
    let changed = |sender: char, list: &str| {
        let server = "{\"tools\":{},\"resources\":{},\"prompts\":{}}";
        format!(
            "@init 2025-11-25 {{\"roots\":{{}}}} {server}\n{sender}> {{\"method\":\"notifications/{list}/list_changed\"}}"
        )
    };
    let cases = [
        (
            "capability-undeclared-but-served",
            asked("{}", "prompts/list", "\"result\":{\"prompts\":[]}"),
            "server/prompts#capabilities",
        ),
        (
            "capability-undeclared-but-served",
            asked("{}", "resources/list", "\"result\":{\"resources\":[]}"),
            "server/resources#capabilities",
        ),
        (
            "declared-capability-refused",
            asked("{\"resources\":{}}", "resources/templates/list", refused),
            "server/resources#capabilities",
        ),
        ("list-changed-not-declared", changed('S', "resources"), "server/resources#list-changed-notification"),
        ("list-changed-not-declared", changed('C', "roots"), "client/roots#root-list-changes"),
    ];
    for (rule, session, page) in cases {
        let found = judged::judge_lines(&example::lines(&session).unwrap());
        let specs: Vec<_> = found.iter().filter(|found| found.rule == rule).map(|found| found.spec.as_str()).collect();
        let wanted = format!("https://modelcontextprotocol.io/specification/2025-11-25/{page}");
        assert_eq!(specs, [wanted], "{session}");
    }
}

/// Failing examples that belong to another rule by the corrections of the catalogue.
const ELSEWHERE: &[(&str, &str)] = &[("extension-not-declared", "the rules of the extension for tasks say more")];

/// Rules whose examples are about what one revision has and another has not, so that another revision judges them otherwise.
const BOUND: &[(&str, &str)] = &[
    ("batch-not-allowed", "batches"),
    ("capability-not-in-revision", "capabilities"),
    ("content-type-not-in-revision", "types of content"),
    ("elicitation-schema-restricted", "fields of a form with several choices"),
    ("error-id-missing", "errors without an id"),
    ("field-not-in-revision", "members"),
    ("method-not-yet-in-revision", "methods"),
    ("version-mismatch", "the revision itself"),
    ("version-not-echoed", "the revision itself"),
];

#[test]
fn the_catalogue_of_rules_holds() {
    let Some(path) = shared("spec/rules.md") else { return };
    let rules = catalogue::read(&std::fs::read_to_string(path).unwrap());
    let (mut wrong, mut examples, mut elsewhere) = (Vec::new(), 0, 0);
    let (mut missing, mut abbreviated, mut differing) = (Vec::new(), Vec::new(), BTreeSet::new());
    for rule in &rules {
        if !RULES.iter().any(|known| known.id == rule.id) {
            missing.push(rule.id.as_str());
            continue;
        }
        for example in &rule.examples {
            if example.is_abbreviated() {
                abbreviated.push(rule.id.as_str());
                continue;
            }
            if let Some((id, why)) = ELSEWHERE.iter().find(|(id, _)| example.fails && *id == rule.id) {
                println!("{id}: its failing example is not run, {why}");
                continue;
            }
            examples += 1;
            if let Err(error) = catalogue::hold(&rule.id, example) {
                wrong.push(format!("{} ({}): {error}", rule.id, if example.fails { "fail" } else { "pass" }));
            }
            for other in catalogue::in_other_revisions(&rule.id, example) {
                let held = catalogue::hold(&rule.id, &other);
                if BOUND.iter().any(|(id, _)| *id == rule.id) {
                    differing.extend(held.is_err().then_some(rule.id.as_str()));
                    continue;
                }
                elsewhere += 1;
                if let Err(error) = held {
                    let (way, revision) = (if example.fails { "fail" } else { "pass" }, &other.revision);
                    wrong.push(format!("{} ({way}, {} as {revision}): {error}", rule.id, example.revision));
                }
            }
        }
    }
    let own: Vec<_> = RULES.iter().map(|rule| rule.id).filter(|id| rules.iter().all(|rule| rule.id != *id)).collect();
    println!(
        "{} of {} implemented, {} examples hold",
        rules.len() - missing.len(),
        rules.len(),
        examples - wrong.len()
    );
    println!("{elsewhere} times one holds in another revision of its era");
    assert_eq!(differing, BOUND.iter().map(|(id, _)| *id).collect(), "rules that differ between revisions");
    println!("not implemented: {}", missing.join(" "));
    println!("described instead of written out: {}", abbreviated.join(" "));
    println!("beside the catalogue: {}", own.join(" "));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_shapes_are_those_of_the_official_schemas() {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for revision in Revision::all() {
        let Some(path) = shared(&format!("spec/schema/{}.json", revision.as_str())) else { return };
        let schema = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        tried += schemas::compare(revision, &schema, &mut wrong);
    }
    println!("{tried} variations of messages judged as their schemas say");
    assert!(tried > 1_000, "only {tried} variations");
    wrong.sort();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}

#[test]
fn what_is_known_to_be_wrong_in_recorded_sessions_is_found() {
    let Some(folder) = shared("recordings") else { return };
    let mut folders: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let mut missed = Vec::new();
    for path in folders.iter().filter(|path| path.is_dir()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let truth = read_maybe_gz(path.join("truth.json")).unwrap();
        let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
        let found = judge_bytes(&name, read_maybe_gz(path.join("timed.jsonl")).unwrap());
        let mut by_rule: BTreeMap<(&str, &str), Vec<u64>> = BTreeMap::new();
        for found in &found {
            by_rule.entry((found.severity.as_str(), found.rule)).or_default().push(found.line);
        }
        for ((severity, rule), lines) in &by_rule {
            println!("{name}: {severity} {rule}: {} at {:?}", lines.len(), &lines[..lines.len().min(12)]);
        }
        for violation in truth["known_violations"].as_array().into_iter().flatten() {
            let seq: Vec<u64> = violation["seq"].as_array().unwrap().iter().filter_map(|seq| seq.as_u64()).collect();
            if !found.iter().any(|found| seq.contains(&found.line)) {
                missed.push(format!("{name} {seq:?}: {}", violation["what"].as_str().unwrap()));
            }
        }
    }
    println!("known violations without a finding:\n{}", missed.join("\n"));
    // No rule is broken by a code outside of the ranges of JSON-RPC: the specification leaves them to applications.
    missed.retain(|violation| !violation.contains("outside the JSON-RPC ranges"));
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
