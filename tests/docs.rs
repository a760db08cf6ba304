//! The reference pages in `docs/` say what the tables say. `BLESS=1 cargo test --test docs` writes them.

use std::fs;
use std::path::Path;

use mcp_trace::cli::docs::PAGES;

#[test]
fn generated_pages_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let bless = std::env::var_os("BLESS").is_some();
    for page in PAGES {
        let path = folder.join(page.file);
        let wanted = (page.write)();
        if bless {
            fs::write(&path, &wanted).expect("docs/ is writable");
        }
        let found = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        let differs = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
        assert!(
            found == wanted,
            "docs/{} is stale, run `BLESS=1 cargo test --test docs`; first difference: {differs:?}",
            page.file
        );
    }
}

#[test]
fn every_page_is_reached_from_the_readme_or_from_another_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = vec![fs::read_to_string(root.join("README.md")).expect("README.md is readable")];
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join("docs")).expect("docs/ is readable") {
        let path = entry.expect("docs/ is readable").path();
        texts.push(fs::read_to_string(&path).expect("pages are readable"));
        files.push(path.file_name().and_then(|name| name.to_str()).expect("pages have plain names").to_owned());
    }
    for file in files {
        assert!(texts.iter().any(|text| text.contains(&format!("{file})"))), "nothing links to docs/{file}");
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md"), root.join("CHANGELOG.md")];
    pages.extend(
        fs::read_dir(root.join("docs")).expect("docs/ is readable").map(|entry| entry.expect("readable").path()),
    );
    let mut links = 0;
    for page in pages {
        let text = fs::read_to_string(&page).expect("pages are readable");
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            links += 1;
            let folder = page.parent().expect("pages are in a folder");
            assert!(folder.join(target).exists(), "{} links to {target}, which is not there", page.display());
        }
    }
    assert!(links > 5, "only {links} links found: the scan sees too little");
}

#[test]
fn the_page_on_architecture_names_every_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/architecture.md")).expect("pages are readable");
    let mut missing = Vec::new();
    for layer in [
        "jsonrpc",
        "protocol",
        "transcript",
        "session",
        "annotate",
        "filter",
        "rules",
        "verdict",
        "render",
        "pipeline",
        "cli",
    ] {
        let row = text.lines().filter(|line| line.starts_with(&format!("| `{layer}` |"))).collect::<String>();
        for entry in fs::read_dir(root.join("src").join(layer)).expect("source folders are readable") {
            let path = entry.expect("source folders are readable").path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("modules have plain names").to_owned();
            let named = [format!("`{name}`"), format!("`{name}/`")].iter().any(|name| row.contains(name));
            // Files of rules are reached from `FAMILIES`, and docs/rules.md has their rules.
            let family =
                layer == "rules" && fs::read_to_string(&path).is_ok_and(|text| text.contains(": Rule = Rule {"));
            if name != "mod" && name != "tests" && !named && !family {
                missing.push(format!("{layer}: {name}"));
            }
        }
    }
    assert!(missing.is_empty(), "docs/architecture.md does not name:\n{}", missing.join("\n"));
}

/// The commands of the page on many files are those that the script beside the benchmarks runs and compares.
#[test]
fn the_page_on_scale_says_what_the_script_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("pages and scripts are readable");
    let run = read("benches/scale.sh").replace("'\\''", "'") + &read("benches/scale/spark.py");
    let page = read("docs/scale.md");
    let mut commands = 0;
    for block in page.split("```").skip(1).step_by(2) {
        let Some((language, text)) = block.split_once('\n') else { continue };
        for command in text.lines().filter(|_| ["sh", "python"].contains(&language)) {
            assert!(run.contains(command), "no script runs `{command}`");
            commands += 1;
        }
    }
    assert!(commands > 6, "only {commands} commands");
}
