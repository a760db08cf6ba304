//! The layers go one way. Their order is the table in `src/lib.rs`, which is also what a reader sees.

use std::fs;
use std::path::{Path, PathBuf};

/// `demo` stands late in the order for those who use it, but itself needs only these.
const DEMO_MAY_USE: [&str; 2] = ["jsonrpc", "protocol"];

#[test]
fn no_module_uses_a_later_one() {
    let order = order();
    let mut wrong = Vec::new();
    let mut references = 0;
    for file in sources(&root().join("src")) {
        let Some(layer) = layer_of(&file) else { continue };
        let text = fs::read_to_string(&file).expect("source files are readable");
        for (number, used) in used_layers(&text) {
            references += 1;
            let place = |name: &str| order.iter().position(|known| known == name);
            let allowed = match (place(&used), place(&layer)) {
                (Some(_), Some(_)) if layer == "demo" => used == "demo" || DEMO_MAY_USE.contains(&used.as_str()),
                (Some(used), Some(own)) => used <= own,
                _ => false,
            };
            if !allowed {
                wrong.push(format!("{}:{number}: `{layer}` uses `{used}`", file.display()));
            }
        }
    }
    assert!(references > 50, "only {references} references found: the scan sees too little");
    assert!(wrong.is_empty(), "upward uses:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_has_its_place() {
    let text = fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs is readable");
    let mut modules: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';').map(str::to_owned)).collect();
    let mut order = order();
    modules.sort();
    order.sort();
    assert_eq!(modules, order, "the table and the modules of src/lib.rs differ");
}

#[test]
fn the_scan_sees_every_way_to_name_a_module() {
    let text = "use crate::render::{OUTPUTS, json};\nuse crate::{cli, position::Position};\n// crate::ignored::Here\n\
                let x = crate::session::new();\nuse crate::{\n    pipeline::Job,\n};\n";
    let used: Vec<String> = used_layers(text).into_iter().map(|(_, used)| used).collect();
    assert_eq!(used, ["render", "cli", "position", "session", "pipeline"]);
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The first column of the table in `src/lib.rs`.
fn order() -> Vec<String> {
    let text = fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs is readable");
    let order: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | [`")?.split_once("`]").map(|(name, _)| name.to_owned()))
        .collect();
    assert!(order.len() > 5, "no table of layers in src/lib.rs");
    order
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("source folders are readable") {
        let path = entry.expect("source folders are readable").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The layer of a file under `src`; none for `lib.rs` and `main.rs`.
fn layer_of(file: &Path) -> Option<String> {
    let inside = file.strip_prefix(root().join("src")).ok()?;
    let first = inside.iter().next()?.to_str()?;
    let layer = first.strip_suffix(".rs").unwrap_or(first);
    (layer != "lib" && layer != "main").then(|| layer.to_owned())
}

/// Line and first segment of each `crate::…` path outside comments, `crate::{a, b::c}` taken apart.
fn used_layers(text: &str) -> Vec<(usize, String)> {
    let code: Vec<&str> =
        text.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line }).collect();
    let code = code.join("\n");
    let mut used = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let number = code[..at].matches('\n').count() + 1;
        let rest = &code[at + found.len()..];
        let names = match rest.strip_prefix('{') {
            Some(group) => top_level(group),
            None => vec![rest],
        };
        for name in names {
            let name: String = name.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if name.starts_with(|c: char| c.is_lowercase()) {
                used.push((number, name));
            }
        }
    }
    used
}

/// The parts of a `{…}` group, split at its own commas.
fn top_level(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}
