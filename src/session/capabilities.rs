//! A declared set of capabilities, read once per declaration and asked per message. Knows no method.

use crate::jsonrpc::{JsonKind, RawJson};

/// Paths of what one side declared. An object declares by its presence, a flag by `true`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CapabilitySet {
    paths: Vec<Vec<String>>,
    whole: bool,
}

/// Bounds on hostile declarations.
const MAX_PATHS: usize = 512;
const MAX_DEPTH: usize = 5;

impl CapabilitySet {
    /// Reads a capabilities object. Anything else declares nothing.
    pub fn read(capabilities: RawJson<'_>) -> Self {
        let mut set = Self { paths: Vec::new(), whole: true };
        set.collect(capabilities, &mut Vec::new());
        set
    }

    fn collect(&mut self, object: RawJson<'_>, path: &mut Vec<String>) {
        if path.len() >= MAX_DEPTH {
            return;
        }
        // Below the name of an extension or experiment stand its settings, which are no capabilities.
        if path.len() == 2 && matches!(path[0].as_str(), "extensions" | "experimental") {
            return;
        }
        for (name, value) in object.members() {
            let declares = match value.kind() {
                JsonKind::Object => true,
                JsonKind::Boolean => value.as_bool() == Some(true),
                _ => false,
            };
            if !declares {
                continue;
            }
            if self.paths.len() == MAX_PATHS {
                self.whole = false;
                return;
            }
            path.push(name.into_owned());
            self.paths.push(path.clone());
            if value.kind() == JsonKind::Object {
                self.collect(value, path);
            }
            path.pop();
        }
    }

    /// Every declared path, parents before children, in the order of the declaration.
    pub fn paths(&self) -> &[Vec<String>] {
        &self.paths
    }

    /// [`Self::paths`], without the rest.
    pub fn into_paths(self) -> Vec<Vec<String>> {
        self.paths
    }

    /// Whether more was declared than is kept.
    pub fn is_cut(&self) -> bool {
        !self.whole
    }

    /// Whether a path is declared; `None` when it is not among what was kept of a declaration of excessive size.
    pub fn declared(&self, path: &[&str]) -> Option<bool> {
        match self.declares(path) {
            false if self.is_cut() => None,
            declares => Some(declares),
        }
    }

    /// Whether a path is declared. An `elicitation` object without modes means form (2025-11-25,
    /// client/elicitation#capabilities).
    pub fn declares(&self, path: &[&str]) -> bool {
        if path == ["elicitation", "form"] && !self.has(path) {
            return self.has(&["elicitation"]) && !self.has(&["elicitation", "url"]);
        }
        self.has(path)
    }

    fn has(&self, path: &[&str]) -> bool {
        self.paths.iter().any(|declared| declared.len() == path.len() && declared.iter().eq(path.iter()))
    }
}
