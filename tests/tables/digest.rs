//! A frozen rendering of every fact in the tables (prose left out): a change of the tables shows as a change of
//! `digest.txt`. Rewrite it with `BLESS=1 cargo test --test tables`.

use std::fmt::Write;
use std::path::Path;

use mcp_trace::protocol::{
    CAPABILITIES, ERROR_CODES, ERROR_RANGES, FEATURES, META_KEYS, METHODS, Method, OTHER_VERSIONS, PHASES, REVISIONS,
    Relation, Revision, TargetKey, method_set,
};

use crate::words;

#[test]
fn tables_are_as_they_were() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables/digest.txt");
    let digest = digest();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &digest).unwrap();
    }
    let frozen = std::fs::read_to_string(&path).unwrap_or_default();
    let number = digest.lines().zip(frozen.lines()).take_while(|(now, then)| now == then).count();
    assert!(
        digest == frozen,
        "the tables changed at line {}:\n now  {:?}\n then {:?}\nif that is meant: BLESS=1 cargo test --test tables",
        number + 1,
        digest.lines().nth(number),
        frozen.lines().nth(number),
    );
}

fn digest() -> String {
    let mut out = String::new();
    for row in REVISIONS {
        writeln!(out, "revision {} {} batching={} session={}", row.name, row.era.as_str(), row.batching, row.session)
            .unwrap();
    }
    for (name, _) in OTHER_VERSIONS {
        writeln!(out, "version {name} read as {:?}", Revision::parse(name).map(Revision::as_str)).unwrap();
    }
    for row in METHODS {
        method(&mut out, row);
    }
    for row in CAPABILITIES {
        let range = words::range(row.since, row.until);
        let deprecated = row.deprecated.map_or("never", Revision::as_str);
        let path = row.path.join(".");
        writeln!(
            out,
            "capability {}.{path} {:?} {range} deprecated={deprecated} {}",
            row.side.as_str(),
            row.kind,
            row.page
        )
        .unwrap();
        writeln!(out, "  unlocks {}", row.unlocks.join(", ")).unwrap();
    }
    for row in ERROR_CODES {
        let range = row.revisions.map_or_else(|| "outside".to_owned(), |(since, until)| words::range(since, until));
        writeln!(
            out,
            "error {} {} {} {range} data={} http={:?} {}",
            row.code,
            row.name,
            row.origin,
            row.required_data.join(","),
            row.http_status,
            row.page
        )
        .unwrap();
    }
    for row in ERROR_RANGES {
        writeln!(out, "errors {}..={} since {}", row.from, row.to, row.since.as_str()).unwrap();
    }
    for row in META_KEYS {
        let range = row.revisions.map_or_else(|| "any".to_owned(), |(since, until)| words::range(since, until));
        let (extension, deprecated) = (row.extension.unwrap_or("core"), row.deprecated);
        writeln!(out, "meta {} {range} {extension} required={} deprecated={deprecated}", row.key, row.required)
            .unwrap();
        writeln!(out, "  on {}: {}", row.on, row.kind).unwrap();
    }
    for row in FEATURES {
        let owner = row.feature.primitive().map_or("nobody", |primitive| primitive.owner().as_str());
        writeln!(out, "feature {} owned by {owner} {}", row.feature.as_str(), row.page).unwrap();
    }
    for row in PHASES {
        writeln!(out, "phase {}", row.phase.as_str()).unwrap();
    }
    out
}

fn method(out: &mut String, row: &Method) {
    let (kind, sender, range) = (words::kind(row.kind), words::sender(row.sender), words::range(row.since, row.until));
    let extension = row.extension.unwrap_or("core");
    writeln!(out, "{kind} {} {range} {extension} from {sender}: {} {}", row.name, row.feature.as_str(), row.schema)
        .unwrap();
    writeln!(out, "  params {} [{}]", row.required_params.join(" "), row.optional_params.join(" ")).unwrap();
    if kind != "notification" {
        writeln!(out, "  result {} [{}]", row.required_result.join(" "), row.optional_result.join(" ")).unwrap();
    }
    for requirement in row.requires {
        writeln!(out, "  needs {}", words::requirement(requirement)).unwrap();
    }
    let target = match row.target {
        TargetKey::None => "-",
        TargetKey::Param(name) => name,
        TargetKey::Reference => "ref",
    };
    let relation = match row.relation {
        Relation::None => "-",
        Relation::ProgressToken => "progress token",
        Relation::RequestId => "request id",
        Relation::TaskId => "task id",
        Relation::Subscription => "subscription",
    };
    writeln!(out, "  target {target} relation {relation} phases {}", words::phases(row.phases).join(" ")).unwrap();
    let flags = [
        (row.progress_token, "progress-token"),
        (row.paginated, "paginated"),
        (row.cacheable, "cacheable"),
        (row.input_required, "input-required"),
    ];
    let flags: Vec<_> = flags.iter().filter(|(set, _)| *set).map(|(_, name)| *name).collect();
    let only = method_set(row.name).unwrap().only_sender().map_or("either", |side| side.as_str());
    writeln!(out, "  task {} flags {} only-sender {only}", words::augmentation(row.task_augmentation), flags.join(" "))
        .unwrap();
    let deprecated = row.deprecated.map_or("never", Revision::as_str);
    writeln!(out, "  deprecated {deprecated} replaced by {} page {}", row.replaced_by.unwrap_or("-"), row.page)
        .unwrap();
}
