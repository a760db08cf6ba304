//! Reading the reference, and keeping count of what was compared with it.

use std::fmt::Debug;
use std::path::Path;

use serde_json::Value;

/// A document of the reference, or `None` (said aloud) where it is not at hand.
pub(crate) fn read(name: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/spec").join(name);
    let Ok(text) = std::fs::read(&path) else {
        eprintln!("SKIPPED: {} is not here", path.display());
        return None;
    };
    Some(serde_json::from_slice(&text).unwrap())
}

/// The documents of a folder of the reference by name, or `None` (said aloud) where there is none.
pub(crate) fn folder(name: &str) -> Option<Vec<(String, Value)>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/spec").join(name);
    let Ok(entries) = std::fs::read_dir(&path) else {
        eprintln!("SKIPPED: {} is not here", path.display());
        return None;
    };
    let mut documents: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            (
                path.file_stem().unwrap().to_string_lossy().into_owned(),
                serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap(),
            )
        })
        .collect();
    documents.sort_by(|one, other| one.0.cmp(&other.0));
    Some(documents)
}

/// Facts compared so far and those that differ.
#[derive(Default)]
pub(crate) struct Ledger {
    facts: usize,
    wrong: Vec<String>,
}

impl Ledger {
    pub(crate) fn same<T: PartialEq + Debug>(&mut self, what: &str, ours: T, theirs: T) {
        self.facts += 1;
        if ours != theirs {
            self.wrong.push(format!("{what}: the table says {ours:?}, the reference {theirs:?}"));
        }
    }

    /// Fails when anything differs, or when so little was compared that the reference cannot have been understood.
    pub(crate) fn close(self, name: &str, at_least: usize) {
        assert!(
            self.wrong.is_empty(),
            "{} of {} facts differ:\n{}",
            self.wrong.len(),
            self.facts,
            self.wrong.join("\n")
        );
        assert!(self.facts >= at_least, "only {} facts of {name} compared", self.facts);
        println!("{name}: {} facts compared", self.facts);
    }
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The strings of an array, sorted.
pub(crate) fn strings(value: &Value) -> Vec<String> {
    let mut strings: Vec<_> = value.as_array().into_iter().flatten().map(|name| text(name).to_owned()).collect();
    strings.sort();
    strings
}

/// The names of an object's members, sorted.
pub(crate) fn names(value: &Value) -> Vec<String> {
    let mut names: Vec<_> = value.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    names.sort();
    names
}

pub(crate) fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
