//! The rules as SARIF describes them, from RULES. Knows no finding.

use std::collections::HashMap;

use serde::Serialize;

use super::sarif::{Message, level};
use crate::annotate::Severity;
use crate::protocol::Revision;
use crate::rules::{FAMILIES, Family, Rule};

/// A `reportingDescriptor` (SARIF 2.1.0, section 3.49).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    id: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
    #[serde(skip_serializing_if = "String::is_empty")]
    help_uri: String,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Configuration {
    enabled: bool,
    level: &'static str,
}

/// What code scanning reads beside the standard.
#[derive(Serialize)]
struct Properties {
    tags: [String; 2],
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    severity: &'static str,
}

/// Every rule, by id, and where each stands.
pub(super) fn descriptors() -> (Vec<Descriptor>, HashMap<&'static str, usize>) {
    let mut rules: Vec<(&Family, &Rule)> =
        FAMILIES.iter().flat_map(|family| family.rules.iter().map(move |rule| (family, *rule))).collect();
    rules.sort_by_key(|(_, rule)| rule.id);
    let places = rules.iter().enumerate().map(|(place, (_, rule))| (rule.id, place)).collect();
    (rules.into_iter().map(|(family, rule)| descriptor(family, rule)).collect(), places)
}

fn descriptor(family: &Family, rule: &Rule) -> Descriptor {
    let severity = rule.severity();
    let newest = Revision::all().rfind(|revision| rule.at(*revision).is_some()).unwrap_or(Revision::LATEST);
    let mut markdown = format!("{}\n", rule.explanation);
    if !rule.help.is_empty() {
        markdown.push_str(&format!("\nWhat to do: {}.\n", rule.help));
    }
    markdown.push_str("\n| revisions | strength | severity | page |\n|---|---|---|---|\n");
    for clause in rule.clauses {
        let newest = Revision::all().rfind(|revision| clause.revisions.covers(*revision));
        let url = rule.url(newest.unwrap_or(Revision::LATEST));
        let (strength, severity) = (clause.strength.as_str(), clause.severity.as_str());
        let revisions = clause.revisions.words();
        let page = if url.is_empty() { "none".to_owned() } else { format!("[{}]({url})", clause.page) };
        markdown.push_str(&format!("| {revisions} | {strength} | {severity} | {page} |\n"));
    }
    let help = if rule.help.is_empty() { rule.title } else { rule.help };
    Descriptor {
        id: rule.id,
        short_description: Message::text(rule.title),
        full_description: Message::text(rule.explanation),
        help: Message { text: help.to_owned(), markdown: Some(markdown) },
        help_uri: rule.url(newest),
        default_configuration: Configuration { enabled: !rule.is_off(), level: level(severity) },
        properties: Properties {
            tags: ["mcp".to_owned(), family.title.to_lowercase()],
            precision: "high",
            severity: match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "recommendation",
            },
        },
    }
}
