//! From what was typed to rows of the protocol tables, and the list of all that can be typed.

use super::words::{self, Word};
use crate::protocol::{
    CAPABILITIES, Capability, ERROR_CODES, ErrorCode, FEATURES, FeatureInfo, META_KEYS, METHODS, MetaKey, MethodSet,
    OTHER_VERSIONS, PHASES, PhaseInfo, REVISIONS, Revision, RevisionInfo, method_set,
};
use crate::rules::{RULES, Rule};

/// Something that can be explained.
pub(super) enum Topic {
    Feature(&'static FeatureInfo),
    Phase(&'static PhaseInfo),
    Method(MethodSet),
    Capability(&'static Capability),
    /// All rows of one code and name, oldest first.
    Error(Vec<&'static ErrorCode>),
    Revision(&'static RevisionInfo),
    /// A version string that is no revision, and what it is.
    OtherVersion(&'static str, &'static str),
    MetaKey(&'static MetaKey),
    Rule(&'static Rule),
    Word(Word),
}

/// A kind of topic.
pub(super) struct Group {
    pub(super) name: &'static str,
    /// One of them, which asks for the group as well.
    pub(super) one: &'static str,
    pub(super) title: &'static str,
}

/// The kinds, in the order in which they are listed.
pub(super) const GROUPS: &[Group] = &[
    group("primitives", "primitive", "primitives, what the two sides offer each other"),
    group("features", "feature", "other features"),
    group("phases", "phase", "phases of a session"),
    group("revisions", "version", "revisions of the protocol"),
    group("words", "word", "words of the output"),
    group("signs", "sign", "signs of the table"),
    group("flags", "flag", "flags, what is odd about a message"),
    group("statuses", "status", "statuses, how a request ended"),
    group("events", "event", "events, what a log says that is no message"),
    group("bases", "basis", "what a statement rests on"),
    group("methods", "method", "methods"),
    group("capabilities", "capability", "capabilities"),
    group("errors", "code", "error codes"),
    group("meta", "_meta", "keys of `_meta`"),
    group("rules", "rule", "rules of `mcp-trace check`"),
];

const fn group(name: &'static str, one: &'static str, title: &'static str) -> Group {
    Group { name, one, title }
}

/// The group and name of everything that [`find`] finds.
pub(super) fn names() -> Vec<(&'static str, String)> {
    let mut names: Vec<(&'static str, String)> = Vec::new();
    let mut add = |group: &'static str, name: String| {
        if !names.iter().any(|known| known.0 == group && known.1 == name) {
            names.push((group, name));
        }
    };
    for row in FEATURES {
        let group = if row.feature.primitive().is_some() { "primitives" } else { "features" };
        add(group, row.feature.as_str().to_owned());
    }
    PHASES.iter().for_each(|row| add("phases", row.phase.as_str().to_owned()));
    REVISIONS.iter().for_each(|row| add("revisions", row.name.to_owned()));
    add("revisions", "draft".to_owned());
    OTHER_VERSIONS.iter().for_each(|row| add("revisions", row.0.to_owned()));
    words::words().iter().for_each(|word| add(word.group, word.name.to_owned()));
    METHODS.iter().for_each(|row| add("methods", row.name.to_owned()));
    CAPABILITIES.iter().for_each(|row| add("capabilities", capability_name(row)));
    ERROR_CODES.iter().for_each(|row| add("errors", row.code.to_string()));
    META_KEYS.iter().for_each(|row| add("meta", row.key.to_owned()));
    RULES.iter().for_each(|rule| add("rules", rule.id.to_owned()));
    names
}

/// The full name of a capability: `server.tools.listChanged`.
pub(super) fn capability_name(row: &Capability) -> String {
    format!("{}.{}", row.side.as_str(), row.path.join("."))
}

/// What was meant, also where a sign or an ending is missing: `tool` for `tools`, `32601` for `-32601`.
pub(super) fn find(asked: &str) -> Vec<Topic> {
    let plural = format!("{asked}s");
    let negative = format!("-{asked}");
    let singular = asked.strip_suffix(['s', 'S']).unwrap_or_default();
    [asked, &plural, &negative, singular].into_iter().map(exactly).find(|topics| !topics.is_empty()).unwrap_or_default()
}

/// The first kind of topic that knows the word, with all its rows of that name, and what the output means by it.
fn exactly(asked: &str) -> Vec<Topic> {
    let same = |name: &str| name.eq_ignore_ascii_case(asked);
    let capability_matches = |row: &&Capability| same(&capability_name(row)) || same(&row.path.join("."));
    let error_matches = |row: &&ErrorCode| asked.parse() == Ok(row.code) || same(row.name);
    let meta_matches = |row: &&MetaKey| same(row.key) || row.key.rsplit('/').next().is_some_and(same);

    let kinds: [&dyn Fn() -> Vec<Topic>; 9] = [
        &|| FEATURES.iter().filter(|row| same(row.feature.as_str())).map(Topic::Feature).collect(),
        &|| PHASES.iter().filter(|row| same(row.phase.as_str())).map(Topic::Phase).collect(),
        &|| {
            let name = METHODS.iter().find(|row| same(row.name)).map(|row| row.name);
            name.and_then(method_set).map(Topic::Method).into_iter().collect()
        },
        &|| {
            let rows: Vec<&ErrorCode> = ERROR_CODES.iter().filter(error_matches).collect();
            let alike = rows.chunk_by(|one, next| one.code == next.code && one.name == next.name);
            alike.map(|rows| Topic::Error(rows.to_vec())).collect()
        },
        &|| {
            let other = OTHER_VERSIONS.iter().filter(|row| same(row.0));
            other.map(|(name, what)| Topic::OtherVersion(name, what)).collect()
        },
        &|| {
            let revision = Revision::parse(asked).or_else(|| Revision::parse(&asked.to_ascii_lowercase()));
            REVISIONS.iter().filter(|row| Some(row.revision) == revision).map(Topic::Revision).collect()
        },
        &|| CAPABILITIES.iter().filter(capability_matches).map(Topic::Capability).collect(),
        &|| META_KEYS.iter().filter(meta_matches).map(Topic::MetaKey).collect(),
        &|| RULES.iter().copied().filter(|rule| same(rule.id)).map(Topic::Rule).collect(),
    ];
    let mut topics = kinds.into_iter().map(|kind| kind()).find(|topics| !topics.is_empty()).unwrap_or_default();
    topics.extend(words::find(asked).into_iter().map(Topic::Word));
    topics
}
