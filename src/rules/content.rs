//! Content blocks of tool results, prompts and sampling: which types a revision has, and what each holds. One walk over the
//! blocks of a message serves all rules on them.

use super::rule::Strength::{Must, Schema};
use super::{Context, Findings, LEGACY, MODERN, On, Rule, clause, quoted, uris};
use crate::annotate::{Kind, Severity};
use crate::jsonrpc::{JsonKind, RawJson};
use crate::protocol::Revision;

/// Where a block stands, which decides what types it may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Tool results, prompts, and what stands in a `tool_result`.
    Result,
    /// Messages of sampling.
    Sampling,
}

/// A member that a type of block has to have.
struct Needed {
    name: &'static str,
    kind: JsonKind,
}

const fn needed(name: &'static str, kind: JsonKind) -> Needed {
    Needed { name, kind }
}

/// A type of block: its name, where it may stand from which revision on, and what it needs.
struct BlockType {
    name: &'static str,
    results: Option<Revision>,
    sampling: Option<Revision>,
    needed: &'static [Needed],
}

const FIRST: Option<Revision> = Some(Revision::V2024_11_05);

const TYPES: &[BlockType] = &[
    BlockType { name: "text", results: FIRST, sampling: FIRST, needed: &[needed("text", JsonKind::String)] },
    BlockType {
        name: "image",
        results: FIRST,
        sampling: FIRST,
        needed: &[needed("data", JsonKind::String), needed("mimeType", JsonKind::String)],
    },
    BlockType {
        name: "audio",
        results: Some(Revision::V2025_03_26),
        sampling: Some(Revision::V2025_03_26),
        needed: &[needed("data", JsonKind::String), needed("mimeType", JsonKind::String)],
    },
    BlockType { name: "resource", results: FIRST, sampling: None, needed: &[needed("resource", JsonKind::Object)] },
    BlockType {
        name: "resource_link",
        results: Some(Revision::V2025_06_18),
        sampling: None,
        needed: &[needed("uri", JsonKind::String), needed("name", JsonKind::String)],
    },
    BlockType {
        name: "tool_use",
        results: None,
        sampling: Some(Revision::V2025_11_25),
        needed: &[needed("id", JsonKind::String), needed("name", JsonKind::String), needed("input", JsonKind::Object)],
    },
    BlockType {
        name: "tool_result",
        results: None,
        sampling: Some(Revision::V2025_11_25),
        needed: &[needed("toolUseId", JsonKind::String), needed("content", JsonKind::Array)],
    },
];

pub(super) const CONTENT_TYPE_NOT_IN_REVISION: Rule = Rule {
    id: "content-type-not-in-revision",
    title: "a content block of a type that the revision does not have",
    clauses: &[
        clause(LEGACY, Schema, Severity::Error, "server/tools#tool-result"),
        clause(MODERN, Schema, Severity::Error, "server/tools#tool-result"),
    ],
    explanation: "Text, images and embedded resources from the first revision on, audio from 2025-03-26, links to resources from \
                  2025-06-18 (not in sampling), uses and results of tools only in sampling from 2025-11-25. No other type \
                  exists.",
    help: "send a type that the revision has, such as text",
    fires: "@init 2025-03-26 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\nS> {\"id\":1,\"result\":{\"content\":[{\"type\":\"resource_link\",\"uri\":\"note://1\",\"name\":\"n\"}]}}",
    silent: "@init 2025-06-18 {} {\"tools\":{}}\nC> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\nS> {\"id\":1,\"result\":{\"content\":[{\"type\":\"resource_link\",\"uri\":\"note://1\",\"name\":\"n\"}]}}",
    checks: &[On::With("content-block-shape")],
};

pub(super) const CONTENT_BLOCK_SHAPE: Rule = Rule {
    id: "content-block-shape",
    title: "a content block without what its type needs",
    clauses: &[
        clause(LEGACY, Schema, Severity::Error, "server/tools#tool-result"),
        clause(MODERN, Schema, Severity::Error, "server/tools#tool-result"),
    ],
    explanation: "Every block has a type and the members of its type: `text`; `data` and `mimeType`; `resource` with `uri` and \
                  `text` or `blob`; `uri` and `name`.",
    help: "send the members of the type",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\nS> {\"id\":1,\"result\":{\"content\":[{\"type\":\"image\",\"data\":\"aGk=\"}]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\nS> {\"id\":1,\"result\":{\"content\":[{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"}]}}",
    checks: &[
        On::Result(&["tools/call", "prompts/get", "sampling/createMessage", "tasks/result"], blocks),
        On::Request(&["sampling/createMessage"], blocks),
    ],
};

pub(super) const BASE64_INVALID: Rule = Rule {
    id: "base64-invalid",
    title: "binary data that is no base64",
    clauses: &[
        clause(LEGACY, Must, Severity::Error, "server/resources#security-considerations"),
        clause(MODERN, Must, Severity::Error, "server/resources#security-considerations"),
    ],
    explanation: "The data of images and audio and the blobs of resources are base64 in the standard alphabet, with or without \
                  padding. The alphabet for addresses, and a `data:` prefix, are none. A type of media without a slash is a \
                  warning.",
    help: "encode with the standard alphabet, and leave the prefix out",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\nS> {\"id\":1,\"result\":{\"content\":[{\"type\":\"audio\",\"data\":\"_-8=\",\"mimeType\":\"audio/wav\"}]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\nS> {\"id\":1,\"result\":{\"content\":[{\"type\":\"audio\",\"data\":\"/+8=\",\"mimeType\":\"audio/wav\"}]}}",
    checks: &[On::With("content-block-shape"), On::Result(&["resources/read"], blobs)],
};

/// Judges every block of a message.
fn blocks(context: &Context<'_>, findings: &mut Findings) {
    if !context.is_whole() {
        return;
    }
    let content = context.get("content");
    match (context.method, context.kind) {
        (Some("tools/call"), Kind::Response) => each(content, Place::Result, context, findings),
        // The result of a task is that of the request that became one: of elicitation its content is a map.
        (Some("tasks/result"), Kind::Response) if content.is_some_and(|content| content.kind() == JsonKind::Array) => {
            each(content, Place::Result, context, findings);
        }
        (Some("prompts/get"), Kind::Response) => {
            for message in context.get("messages").into_iter().flat_map(RawJson::elements) {
                each(message.get("content"), Place::Result, context, findings);
            }
        }
        (Some("sampling/createMessage"), Kind::Request) => {
            for message in context.get("messages").into_iter().flat_map(RawJson::elements) {
                each(message.get("content"), Place::Sampling, context, findings);
            }
        }
        (Some("sampling/createMessage"), Kind::Response) => each(content, Place::Sampling, context, findings),
        _ => {}
    }
}

/// Judges one block, or each of a list.
fn each(content: Option<RawJson<'_>>, place: Place, context: &Context<'_>, findings: &mut Findings) {
    let Some(content) = content else { return };
    match content.kind() {
        JsonKind::Array => content.elements().for_each(|element| block(element, place, context, findings)),
        JsonKind::Object => block(content, place, context, findings),
        _ => {}
    }
}

fn block(block: RawJson<'_>, place: Place, context: &Context<'_>, findings: &mut Findings) {
    // The members of all types, found in one pass.
    const NAMES: [&str; 11] =
        ["type", "text", "data", "mimeType", "resource", "uri", "name", "id", "input", "toolUseId", "content"];
    let mut members = [None; NAMES.len()];
    for (name, value) in block.members() {
        if let Some(at) = NAMES.iter().position(|known| *known == name) {
            members[at] = Some(value);
        }
    }
    let get = |name: &str| members[NAMES.iter().position(|known| *known == name)?];
    if block.kind() != JsonKind::Object {
        // In results that is a matter of the schema.
        if place == Place::Sampling {
            let is = super::framing::words(block.kind());
            findings.report(format!("a content block is {is}, it has to be an object")).mark(block);
        }
        return;
    }
    let Some(type_name) = get("type").and_then(RawJson::as_str) else {
        findings.report("a content block has no `type`").mark(block);
        return;
    };
    let known = TYPES.iter().find(|known| known.name == type_name);
    let since = known.and_then(|known| if place == Place::Result { known.results } else { known.sampling });
    let Some(known) = known.filter(|_| since.is_some_and(|since| since <= context.revision)) else {
        let place = if place == Place::Result { "a result" } else { "sampling" };
        let revision = context.revision.as_str();
        let draft = findings.report(format!("{revision} has no content of type {} in {place}", quoted(&type_name)));
        draft.mark(get("type")).under("content-type-not-in-revision");
        // Later revisions than an assumed one have more types.
        if !context.revision_known && known.is_some() {
            draft.at_most(Severity::Note);
        }
        return;
    };
    for needed in known.needed {
        match get(needed.name) {
            None => {
                findings.report(format!("a block of type `{}` has no `{}`", known.name, needed.name)).mark(block);
            }
            Some(value) if value.kind() != needed.kind => {
                let (is, should) = (super::framing::words(value.kind()), super::framing::words(needed.kind));
                findings
                    .report(format!(
                        "`{}` of a block of type `{}` is {is}, it has to be {should}",
                        needed.name, known.name
                    ))
                    .mark(value);
            }
            Some(_) => {}
        }
    }
    match known.name {
        "image" | "audio" => {
            base64(get("data"), "data", findings);
            media_type(get("mimeType"), findings);
        }
        "resource" => embedded(get("resource"), findings),
        "resource_link" => uris::judge(get("uri"), findings),
        "tool_result" => {
            if let Some(content) = get("content") {
                content.elements().for_each(|element| self::block(element, Place::Result, context, findings));
            }
        }
        _ => {}
    }
}

/// The contents of a resource inside a block.
fn embedded(resource: Option<RawJson<'_>>, findings: &mut Findings) {
    let Some(resource) = resource.filter(|resource| resource.kind() == JsonKind::Object) else { return };
    let uri = resource.get("uri");
    if uri.is_none() {
        findings.report("an embedded resource has no `uri`").mark(resource);
    }
    let blob = resource.get("blob");
    if blob.is_none() && resource.get("text").is_none() {
        findings.report("an embedded resource has neither `text` nor `blob`").mark(resource);
    }
    base64(blob, "blob", findings);
    uris::judge(uri, findings);
}

fn blobs(context: &Context<'_>, findings: &mut Findings) {
    for contents in context.get("contents").into_iter().flat_map(RawJson::elements) {
        base64(contents.get("blob"), "blob", findings);
    }
}

fn base64(data: Option<RawJson<'_>>, name: &str, findings: &mut Findings) {
    let Some(data) = data.filter(|data| data.kind() == JsonKind::String) else { return };
    if let Some(fault) = data.as_str().and_then(|text| not_base64(&text)) {
        findings.report(format!("`{name}` is no base64: {fault}")).mark(data).under("base64-invalid");
    }
}

/// What keeps a text from being base64 in the standard alphabet.
fn not_base64(text: &str) -> Option<String> {
    if text.starts_with("data:") {
        return Some("it begins with `data:`, which is an address".to_owned());
    }
    let body = text.trim_end_matches('=');
    if text.len() - body.len() > 2 {
        return Some("it ends with more than two `=`".to_owned());
    }
    let standard = |byte: u8| byte.is_ascii_alphanumeric() | (byte == b'+') | (byte == b'/');
    // Many bytes at a time, nearly always all of them.
    let is_clean = |bytes: &[u8]| bytes.iter().fold(true, |clean, byte| clean & standard(*byte));
    let clean = body.as_bytes().chunks(256).take_while(|chunk| is_clean(chunk)).map(<[u8]>::len).sum::<usize>();
    let Some(at) = body[clean..].bytes().position(|byte| !standard(byte)).map(|at| clean + at) else {
        return (body.len() % 4 == 1).then(|| format!("{} characters cannot be decoded", body.len()));
    };
    let found = body[at..].chars().next().unwrap_or_default();
    match found {
        '-' | '_' => Some(format!("{} is of the alphabet for addresses", quoted(&found.to_string()))),
        '\n' | '\r' => Some("it is broken into lines".to_owned()),
        _ => Some(format!("{} at character {at}", quoted(&found.to_string()))),
    }
}

fn media_type(value: Option<RawJson<'_>>, findings: &mut Findings) {
    let Some(text) = value.and_then(RawJson::as_str) else { return };
    if !text.contains('/') {
        findings
            .report(format!("the media type {} has no slash", quoted(&text)))
            .mark(value)
            .under("base64-invalid")
            .at_most(Severity::Warning);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_told_from_what_looks_like_it() {
        for good in ["", "aGk=", "aGk", "AAAA", "/+8=", "QQ=="] {
            assert_eq!(not_base64(good), None, "{good}");
        }
        for bad in ["data:text/plain;base64,aGk=", "_-8=", "aGk===", "a", "aG k=", "aGk\n", "é"] {
            assert!(not_base64(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn every_type_stands_somewhere() {
        for known in TYPES {
            assert!(known.results.or(known.sampling).is_some(), "{}", known.name);
            assert!(!known.needed.is_empty(), "{}", known.name);
        }
    }
}
