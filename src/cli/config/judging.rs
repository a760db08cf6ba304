//! What `check` is told: `[rules]`, how bad the findings of each rule are, `[expect]`, what it
//! looks for beyond the protocol, and `[[suppress]]`, which findings do not count.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Deserialize;
use toml::Spanned;

use super::Place;
use crate::cli::args::{named_level, named_rule, parse_bytes, parse_duration};
use crate::rules::{Expectations, Levels};
use crate::verdict::Suppression;

/// A level for each rule named.
pub(super) type Levelled = BTreeMap<Spanned<String>, Spanned<String>>;

/// What the section says.
pub(super) fn levels(section: Levelled, place: &Place<'_>) -> Result<Levels> {
    let mut levels = Levels::default();
    for (id, word) in section {
        let rule = named_rule(id.get_ref()).map_err(|error| place.error(id.span().start, error))?;
        let level = named_level(word.get_ref()).map_err(|error| place.error(word.span().start, error))?;
        levels.set(rule, level);
    }
    Ok(levels)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SuppressSection {
    rule: Spanned<String>,
    reason: Spanned<String>,
    files: Option<Spanned<String>>,
    method: Option<Spanned<String>>,
    server: Option<Spanned<String>>,
}

/// What a section holds back.
pub(super) fn suppression(section: Spanned<SuppressSection>, place: &Place<'_>) -> Result<Suppression> {
    let line = place.line(section.span().start);
    let section = section.into_inner();
    let rule = named_rule(section.rule.get_ref()).map_err(|error| place.error(section.rule.span().start, error))?;
    let filled = |text: &Spanned<String>, what: &str| match text.get_ref().trim() {
        "" => Err(place.error(text.span().start, format!("expected {what}, got an empty string"))),
        _ => Ok(text.get_ref().clone()),
    };
    let reason = filled(&section.reason, "a reason")?;
    let mut suppression = Suppression::new(rule.id, reason, format!("{}:{line}", place.path.display()));
    if let Some(files) = &section.files {
        let pattern = filled(files, "a pattern of file names")?;
        let wrong = |error: globset::Error| {
            place.error(files.span().start, format!("`{pattern}` is no pattern: {}", error.kind()))
        };
        suppression = suppression.in_files(&pattern).map_err(wrong)?;
    }
    if let Some(method) = &section.method {
        suppression = suppression.of_method(filled(method, "a method")?);
    }
    if let Some(server) = &section.server {
        suppression = suppression.of_server(filled(server, "a server's name")?);
    }
    Ok(suppression)
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ExpectSection {
    #[serde(default)]
    tools: Vec<Spanned<String>>,
    #[serde(default)]
    forbid_tools: Vec<Spanned<String>>,
    max_latency: Option<Spanned<String>>,
    max_bytes: Option<Spanned<String>>,
}

/// What the section expects.
pub(super) fn expectations(section: ExpectSection, place: &Place<'_>) -> Result<Expectations> {
    let name = |name: Spanned<String>| match name.get_ref().as_str() {
        "" => Err(place.error(name.span().start, "expected the name of a tool, got an empty string")),
        _ => Ok(name.into_inner()),
    };
    let at = |text: &Spanned<String>, error: String| place.error(text.span().start, error);
    let latency = section.max_latency.map(|text| parse_duration(text.get_ref()).map_err(|error| at(&text, error)));
    let bytes = section.max_bytes.map(|text| parse_bytes(text.get_ref()).map_err(|error| at(&text, error)));
    Ok(Expectations {
        tools: section.tools.into_iter().map(name).collect::<Result<_>>()?,
        forbidden_tools: section.forbid_tools.into_iter().map(name).collect::<Result<_>>()?,
        max_latency: latency.transpose()?,
        max_bytes: bytes.transpose()?,
    })
}
