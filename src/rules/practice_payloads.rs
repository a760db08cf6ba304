//! Practice, what stands in messages: secrets, and more text than a model takes.

use super::{ALL, Context, Family, Findings, On, Rule, practice};
use crate::jsonrpc::RawJson;
use crate::redact::secrets;

pub(super) const FAMILY: Family =
    Family { title: "Practice: payloads", rules: &[&SECRET_IN_MESSAGE, &RESULT_OVERSIZED] };

const SECRET_IN_MESSAGE: Rule = Rule {
    id: "secret-in-message",
    title: "a message holds what looks like a secret",
    clauses: &[practice(ALL).off()],
    explanation: "What goes through a session ends in logs and in the context of a model. Arguments, results and texts are \
                  looked through for what `--redact` would replace: tokens and keys by their shape, values by the name of \
                  their member. The finding says of which kind, and does not show the text.",
    help: "keep secrets in the environment of the server, and write logs with `--redact`",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"login\",\"arguments\":{\"password\":\"open sesame\"}}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"login\",\"arguments\":{\"password\":null},\"_meta\":{\"progressToken\":\"p-1\"}}}",
    checks: &[On::Message(secret_in_message)],
};

fn secret_in_message(context: &Context<'_>, findings: &mut Findings) {
    let kinds: Vec<_> = secrets(context.message.text).map(|(kind, count)| format!("{} {count}", kind.name)).collect();
    if !kinds.is_empty() {
        findings.report(format!("the message holds what looks like secrets: {}", kinds.join(", "))).veiled();
    }
}

/// Bytes of a result beyond which it is large: some twenty-five thousand tokens.
const LARGE_RESULT: usize = 100 << 10;

const RESULT_OVERSIZED: Rule = Rule {
    id: "result-oversized",
    title: "a result is longer than a model can use",
    clauses: &[practice(ALL).off()],
    explanation: "The result of a tool, a prompt and mostly a resource goes into the context of a model, which is small, and \
                  many hosts cut what is longer. Reported from 100 KiB on; images, sounds and blobs do not count.",
    help: "return a page or a summary, and a link to the rest",
    fires: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"dump\"}}\nS> {\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"⟨110000⟩\"}]}}",
    silent: "C> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"draw\"}}\nS> {\"id\":1,\"result\":{\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"⟨120000⟩\"}]}}",
    checks: &[On::Result(&["tools/call", "prompts/get", "resources/read"], result_oversized)],
};

fn result_oversized(context: &Context<'_>, findings: &mut Findings) {
    let Some(result) = context.body.raw.filter(|result| result.text().len() >= LARGE_RESULT) else { return };
    let list = |name: &str| context.get(name).into_iter().flat_map(RawJson::elements);
    let blocks = list("content").chain(list("messages")).chain(list("contents"));
    let binary = |block: RawJson<'_>| {
        let inner = block.get("content").unwrap_or(block);
        let data = inner.get("data").or(inner.get("blob")).or(inner.at(&["resource", "blob"]));
        data.map_or(0, |data| data.text().len())
    };
    let length = result.text().len() - blocks.map(binary).sum::<usize>();
    if length >= LARGE_RESULT {
        let draft = findings.report(format!("the result has {} KiB of text", length >> 10));
        draft.mark(context.top("id"));
        if let Some(asked) = context.request {
            draft.related(Some(asked.at.0), asked.at.1, "the request");
        }
    }
}
