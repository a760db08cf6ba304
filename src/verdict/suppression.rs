//! Findings of a rule that somebody has decided to live with, and why.

use std::fmt;

use globset::{GlobBuilder, GlobMatcher};

use crate::annotate::Finding;

/// Holds back the findings of one rule, in some files, methods or servers only where it says so.
#[derive(Clone, Debug)]
pub struct Suppression {
    rule: &'static str,
    files: Option<GlobMatcher>,
    method: Option<String>,
    server: Option<String>,
    reason: String,
    place: String,
    pub(super) used: bool,
}

/// A suppression that held nothing back.
#[derive(Clone, Copy, Debug)]
pub struct Unused<'a> {
    /// Its rule.
    pub rule: &'static str,
    /// Where it was written.
    pub place: &'a str,
}

impl Suppression {
    /// Everything of a rule, for a reason; `place` says where that was written.
    pub fn new(rule: &'static str, reason: String, place: String) -> Self {
        Self { rule, files: None, method: None, server: None, reason, place, used: false }
    }

    /// Only in inputs with such names. `*` stands for anything within a folder's or a file's name, `**` for any folders; a
    /// pattern without `/` is about the file's own name, in whatever folder.
    pub fn in_files(mut self, pattern: &str) -> Result<Self, globset::Error> {
        let anywhere = if pattern.contains('/') { String::new() } else { "**/".to_owned() };
        let pattern = format!("{anywhere}{}", pattern.strip_prefix("./").unwrap_or(pattern));
        self.files = Some(GlobBuilder::new(&pattern).literal_separator(true).build()?.compile_matcher());
        Ok(self)
    }

    /// Only where the message, or what it answers, has this method.
    pub fn of_method(mut self, method: String) -> Self {
        self.method = Some(method);
        self
    }

    /// Only where the server calls itself so.
    pub fn of_server(mut self, server: String) -> Self {
        self.server = Some(server);
        self
    }

    /// Whether it holds a finding back.
    pub(super) fn holds(&self, finding: &Finding<'_>) -> bool {
        let same =
            |wanted: &Option<String>, found: Option<&str>| wanted.as_deref().is_none_or(|wanted| Some(wanted) == found);
        self.rule == finding.rule
            && same(&self.method, finding.method)
            && same(&self.server, finding.server)
            && self.concerns(finding.file)
    }

    fn concerns(&self, file: &str) -> bool {
        let file = file.strip_prefix("./").unwrap_or(file);
        self.files.as_ref().is_none_or(|files| files.is_match(file))
    }

    /// Itself, if it could have held something back in these inputs and has not.
    pub(super) fn unused(&self, inputs: &[String]) -> Option<Unused<'_>> {
        let idle = !self.used && inputs.iter().any(|file| self.concerns(file));
        idle.then_some(Unused { rule: self.rule, place: &self.place })
    }
}

impl fmt::Display for Suppression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rule)?;
        if let Some(files) = &self.files {
            write!(f, " in files `{}`", files.glob())?;
        }
        if let Some(method) = &self.method {
            write!(f, " in `{method}`")?;
        }
        if let Some(server) = &self.server {
            write!(f, " of the server `{server}`")?;
        }
        write!(f, ": {}", self.reason)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_pattern_is_about_names_or_about_folders() {
        for (pattern, file, wanted) in [
            ("*.jsonl", "a.jsonl", true),
            ("*.jsonl", "logs/deep/a.jsonl", true),
            ("*.jsonl", "/tmp/a.jsonl", true),
            ("*.jsonl", "a.jsonl.gz", false),
            ("logs/*.jsonl", "logs/a.jsonl", true),
            ("./logs/*.jsonl", "./logs/a.jsonl", true),
            ("logs/*.jsonl", "logs/deep/a.jsonl", false),
            ("logs/**", "logs/deep/a.jsonl", true),
            ("**/deep/*", "logs/deep/a.jsonl", true),
            ("{a,b}.jsonl", "b.jsonl", true),
            ("-", "-", true),
        ] {
            let suppression = Suppression::new("invalid-json", String::new(), String::new()).in_files(pattern).unwrap();
            assert_eq!(suppression.concerns(file), wanted, "{pattern} {file}");
        }
        assert!(Suppression::new("invalid-json", String::new(), String::new()).in_files("[").is_err());
    }
}
