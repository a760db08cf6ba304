//! One page for each kind of topic.

use super::topic::{Topic, capability_name};
use crate::cli::page::Page;
use crate::protocol::{
    CAPABILITIES, Capability, CapabilityType, Condition, ErrorCode, Feature, FeatureInfo, META_KEYS, METHODS, MetaKey,
    Method, MethodKind, MethodSet, PHASES, Phase, PhaseInfo, REVISIONS, RequiredSide, Requirement, Revision,
    RevisionInfo, Sender, Strength, TargetKey,
};
use crate::rules::Rule;

const HEADER: &[&str] = &["method", "sender", "revisions", "needs"];

/// The text of the page of a topic.
pub(super) fn write(topic: &Topic, width: usize) -> String {
    let mut page = Page::new(width);
    match topic {
        Topic::Feature(row) => feature(row, &mut page),
        Topic::Phase(row) => phase(row, &mut page),
        Topic::Method(set) => method(*set, &mut page),
        Topic::Capability(row) => capability(row, &mut page),
        Topic::Error(rows) => error(rows, &mut page),
        Topic::Revision(row) => revision(row, &mut page),
        Topic::OtherVersion(name, what) => {
            page.title(name, "a version string that is no revision");
            page.sentences(what);
        }
        Topic::MetaKey(row) => meta_key(row, &mut page),
        Topic::Rule(row) => rule(row, &mut page),
        Topic::Word(word) => {
            page.title(word.name, word.kind());
            page.sentences(word.meaning);
            page.field("also", word.also.join("  "));
        }
    }
    page.finish()
}

fn rule(row: &Rule, page: &mut Page) {
    page.title(row.id, &format!("a rule: {}", row.title));
    page.sentences(row.explanation);
    page.field("help", row.help);
    page.field("revisions", row.revisions().words());
    for clause in row.clauses {
        let off = if clause.off { ", off by default" } else { "" };
        let says = format!("{}, {}{off}", clause.strength.as_str(), clause.severity.as_str());
        page.field("says", format!("{}: {says}", clause.revisions.words()));
        let newest = Revision::all().rfind(|revision| clause.revisions.covers(*revision)).unwrap_or(Revision::LATEST);
        page.field("page", row.url(newest));
    }
    page.heading("fires, for example");
    page.verbatim(row.fires);
    page.heading("silent");
    page.verbatim(row.silent);
}

fn feature(row: &FeatureInfo, page: &mut Page) {
    let name = row.feature.as_str();
    match row.feature.primitive() {
        Some(primitive) => page.title(name, &format!("a primitive, owned by the {}", primitive.owner().as_str())),
        None => page.title(name, "a feature"),
    }
    page.sentences(row.what);
    page.field("use case", row.use_case);
    let methods: Vec<&Method> = METHODS.iter().filter(|method| method.feature == row.feature).collect();
    let newest = methods.iter().map(|method| method.until).max().unwrap_or(Revision::LATEST);
    page.field("page", newest.page_url(row.page));
    page.heading("methods");
    page.table(HEADER, &method_rows(&methods));
    let capabilities: Vec<Vec<String>> = CAPABILITIES
        .iter()
        .filter(|row| row.path.first() == Some(&name))
        .map(|row| vec![capability_name(row), range(row.since, row.until), row.summary.to_owned()])
        .collect();
    if !capabilities.is_empty() {
        page.heading("capabilities");
        page.table(&["capability", "revisions", "meaning"], &capabilities);
    }
}

/// A line for each row of METHODS, rows that differ only in what is not shown here taken together.
fn method_rows(methods: &[&Method]) -> Vec<Vec<String>> {
    let mut rows: Vec<(Revision, Revision, [String; 3])> = Vec::new();
    for method in methods {
        let needs = method.requires.iter().map(need).collect::<Vec<_>>().join(", ");
        let cells = [method.name.to_owned(), sender(method.sender).to_owned(), needs];
        match rows.last_mut() {
            Some((_, until, known)) if *known == cells => *until = method.until,
            _ => rows.push((method.since, method.until, cells)),
        }
    }
    rows.into_iter()
        .map(|(since, until, [name, sender, needs])| vec![name, sender, range(since, until), needs])
        .collect()
}

fn phase(row: &PhaseInfo, page: &mut Page) {
    page.title(row.phase.as_str(), "a phase of a session");
    page.sentences(row.what);
    page.field("with handshake", row.handshake);
    page.field("2026-07-28", row.stateless);
    let order: Vec<&str> = PHASES.iter().map(|row| row.phase.as_str()).collect();
    page.field("order", order.join(" → "));
    if row.phase != Phase::Operation {
        let methods: Vec<&Method> = METHODS
            .iter()
            .filter(|method| matches!(method.feature, Feature::Lifecycle | Feature::Discovery))
            .filter(|method| row.phase == Phase::Initialization && method.extension.is_none())
            .collect();
        if !methods.is_empty() {
            page.heading("methods");
            page.table(HEADER, &method_rows(&methods));
        }
    }
}

fn method(set: MethodSet, page: &mut Page) {
    let rows = set.rows();
    let newest = rows[rows.len() - 1];
    page.title(newest.name, &format!("{}, sent by {}", kind(newest.kind), sender_words(newest.sender)));
    page.sentences(newest.summary);
    let whole = range(rows[0].since, newest.until);
    let shown = range(newest.since, newest.until);
    page.field("revisions", if whole == shown { whole } else { format!("{whole}; described first: {shown}") });
    for (name, value) in facts(newest) {
        page.field(name, value);
    }
    page.field("page", newest.until.page_url(newest.page));
    // Earlier rows say only what was different in them.
    for pair in rows.windows(2).rev() {
        let (row, after) = (pair[0], pair[1]);
        page.heading(&format!("{}, what was different", range(row.since, row.until)));
        if row.summary != after.summary {
            page.sentences(row.summary);
        }
        let form = |row: &Method| format!("{}, sent by {}", kind(row.kind), sender_words(row.sender));
        if form(row) != form(after) {
            page.field("form", form(row));
        }
        for ((name, old), (_, new)) in facts(row).into_iter().zip(facts(after)) {
            if old != new {
                page.field(name, if old.is_empty() { "none".to_owned() } else { old });
            }
        }
        page.field("page", row.until.page_url(row.page));
    }
}

fn facts(row: &Method) -> [(&'static str, String); 8] {
    let asks = if row.input_required { "may ask for input first: `resultType` is `input_required`" } else { "" };
    [
        ("extension", row.extension.unwrap_or_default().to_owned()),
        ("feature", row.feature.as_str().to_owned()),
        ("needs", requirements(row.requires)),
        ("about", target(row.target)),
        ("params", row.required_params.join(", ")),
        ("result", row.required_result.join(", ")),
        ("answer", asks.to_owned()),
        ("deprecated", row.deprecated.map(|since| format!("since {}", since.as_str())).unwrap_or_default()),
    ]
}

fn capability(row: &Capability, page: &mut Page) {
    page.title(&capability_name(row), &format!("a capability, declared by the {}", row.side.as_str()));
    page.sentences(row.summary);
    let declaration = match row.kind {
        CapabilityType::Object => "an object; present is declared, even when empty",
        CapabilityType::Boolean => "true",
        CapabilityType::Extensions => "an object: extension identifiers, each with its settings",
    };
    page.field("declared as", declaration);
    page.field("revisions", range(row.since, row.until));
    page.field("deprecated", row.deprecated.map(|since| format!("since {}", since.as_str())).unwrap_or_default());
    page.field("unlocks", row.unlocks.join(", "));
    page.field("page", row.until.page_url(row.page));
}

/// The newest meaning first, then those of earlier revisions as far as they differ.
fn error(rows: &[&ErrorCode], page: &mut Page) {
    let Some((newest, earlier)) = rows.split_last() else { return };
    let since = |row: &ErrorCode| row.revisions.map(|(since, _)| since);
    let words = |row: &ErrorCode| row.revisions.map_or("none".to_owned(), |(since, until)| range(since, until));
    page.title(&newest.code.to_string(), &format!("{}, an error code", newest.name));
    page.sentences(newest.meaning);
    page.field("defined by", newest.origin);
    let whole = newest.revisions.map(|(first, until)| range(since(rows[0]).unwrap_or(first), until));
    page.field("revisions", whole.unwrap_or_else(|| words(newest)));
    page.field("data", newest.required_data.join(", "));
    page.field("HTTP status", newest.http_status.map(|status| status.to_string()).unwrap_or_default());
    if let (false, Some((_, until))) = (newest.page.is_empty(), newest.revisions) {
        page.field("page", until.page_url(newest.page));
    }
    for row in earlier.iter().rev().filter(|row| row.meaning != newest.meaning) {
        page.heading(&format!("{}, what was different", words(row)));
        page.sentences(row.meaning);
    }
}

fn revision(row: &RevisionInfo, page: &mut Page) {
    page.title(row.name, "a revision of the protocol");
    page.sentences(row.summary);
    let begin = match row.era.as_str() {
        "handshake" => "`initialize`, its answer, `notifications/initialized`",
        _ => "without a handshake: every request carries version and capabilities in `_meta`",
    };
    page.field("begins", begin);
    page.field("bound to", row.session);
    page.field("batches", row.batching);
    let before = REVISIONS.iter().rev().find(|other| other.revision < row.revision).map(|other| other.revision);
    if let Some(before) = before {
        page.field("new methods", methods_of(row.revision, Some(before)).join(", "));
        page.field("gone methods", methods_of(before, Some(row.revision)).join(", "));
    } else {
        page.field("methods", methods_of(row.revision, None).join(", "));
    }
    if row.revision == Revision::LATEST {
        page.field("also", "`draft` means this revision");
    }
    page.field("page", row.revision.page_url("changelog"));
}

/// The core methods of a revision that another one lacks.
fn methods_of(revision: Revision, other: Option<Revision>) -> Vec<&'static str> {
    let in_force = |revision: Revision| {
        METHODS
            .iter()
            .filter(move |row| row.extension.is_none() && (row.since..=row.until).contains(&revision))
            .map(|row| row.name)
    };
    let mut names: Vec<&str> = in_force(revision)
        .filter(|name| !other.is_some_and(|other| in_force(other).any(|known| known == *name)))
        .collect();
    names.dedup();
    names
}

fn meta_key(row: &MetaKey, page: &mut Page) {
    page.title(row.key, "a key of `_meta`");
    page.sentences(row.summary);
    page.field("stands on", row.on);
    page.field("type", row.kind);
    page.field("revisions", row.revisions.map_or("an extension".to_owned(), |(since, until)| range(since, until)));
    page.field("required", row.required);
    let shared = row.key.split_once('/').map_or("", |(prefix, _)| prefix);
    let others = META_KEYS.iter().filter(|other| other.key != row.key && other.key.starts_with(shared));
    if !shared.is_empty() {
        page.field("see also", others.map(|other| other.key).collect::<Vec<_>>().join(", "));
    }
}

pub(in crate::cli) fn kind(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
        MethodKind::InputRequest => "input request",
    }
}

pub(in crate::cli) fn sender(sender: Sender) -> &'static str {
    match sender {
        Sender::Client => "client",
        Sender::Server => "server",
        Sender::Both => "both",
        Sender::View => "view",
        Sender::Host => "host",
        Sender::Sandbox => "sandbox",
    }
}

fn sender_words(by: Sender) -> String {
    match by {
        Sender::Both => "either side".to_owned(),
        Sender::View | Sender::Host | Sender::Sandbox => format!("the {} of an app", sender(by)),
        Sender::Client | Sender::Server => format!("the {}", sender(by)),
    }
}

/// What a method needs, with how strongly the specification says so; empty when it needs nothing.
pub(in crate::cli) fn requirements(requires: &[Requirement]) -> String {
    let strength = |row: &Requirement| match row.strength {
        Strength::Must => "",
        Strength::Should => " (SHOULD)",
        Strength::Implied => " (implied)",
    };
    requires.iter().map(|row| format!("{}{}", need(row), strength(row))).collect::<Vec<_>>().join(", ")
}

fn need(row: &Requirement) -> String {
    let path = row.path.join(".");
    let name = match row.side {
        RequiredSide::Client => format!("client.{path}"),
        RequiredSide::Server => format!("server.{path}"),
        RequiredSide::Receiver => format!("{path} of the receiver"),
        RequiredSide::Sender => format!("{path} of the sender"),
        // The rest of the path is a member of that request's params.
        RequiredSide::Request => format!("opt-in by {}", path.split_once('.').map_or(&*path, |(method, _)| method)),
    };
    let when = match row.when {
        Condition::Always => "",
        Condition::TaskPresent => " when `task` is given",
        Condition::ToolsOrToolChoice => " when `tools` or `toolChoice` is given",
        Condition::IncludeContext => " when `includeContext` is `thisServer` or `allServers`",
        Condition::ModeForm => " in form mode",
        Condition::ModeUrl => " in url mode",
    };
    format!("{name}{when}")
}

fn target(target: TargetKey) -> String {
    match target {
        TargetKey::None => String::new(),
        TargetKey::Param(name) => format!("what `params.{name}` names"),
        TargetKey::Reference => "what `params.ref` names".to_owned(),
    }
}

pub(in crate::cli) fn range(since: Revision, until: Revision) -> String {
    if since == until {
        return since.as_str().to_owned();
    }
    match (since == REVISIONS[0].revision, until == Revision::LATEST) {
        (true, true) => "all".to_owned(),
        (false, true) => format!("from {}", since.as_str()),
        (true, false) => format!("up to {}", until.as_str()),
        (false, false) => format!("{} to {}", since.as_str(), until.as_str()),
    }
}
