//! Resources and roots: contents, subscriptions, what is not there.
//! server/resources and client/roots of every revision.

use super::book::Subscription;
use super::rule::Strength::{Implied, Must, Schema, Should};
use super::{ALL, Context, Family, Findings, LEGACY, MODERN, On, Rule, clause, quoted};
use crate::annotate::Severity;
use crate::jsonrpc::{JsonKind, RawJson};

pub(super) const FAMILY: Family = Family {
    title: "Resources and roots",
    rules: &[
        &RESOURCE_CONTENTS_SHAPE,
        &RESOURCE_UPDATED_UNSUBSCRIBED,
        &UNSUBSCRIBE_WITHOUT_SUBSCRIBE,
        &RESOURCE_NOT_FOUND_CODE,
        &RESOURCE_EMPTY_CONTENTS,
        &ROOT_URI_SCHEME,
    ],
};

const RESOURCE_CONTENTS_SHAPE: Rule = Rule {
    id: "resource-contents-shape",
    title: "contents of a resource have no URI, or neither text nor blob",
    clauses: &[clause(ALL, Schema, Severity::Error, "server/resources#resource-contents")],
    explanation: "Each item of `contents` names its `uri` and brings either `text` or, in base64, `blob`. Both together \
                  are no item of the schema either; readers take one of them, so that is a note.",
    help: "send `uri` and one of `text` and `blob`; an empty text is `\"text\":\"\"`",
    fires: "C> {\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":\"memo://1\"}}\nS> {\"id\":2,\"result\":{\"contents\":[{\"text\":\"buy milk\"}]}}",
    silent: "C> {\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":\"memo://1\"}}\nS> {\"id\":2,\"result\":{\"contents\":[{\"uri\":\"memo://1\",\"text\":\"buy milk\"}]}}",
    checks: &[On::Result(&["resources/read"], resource_contents_shape)],
};

fn resource_contents_shape(context: &Context<'_>, findings: &mut Findings) {
    if !context.is_whole() {
        return;
    }
    for item in context.get("contents").into_iter().flat_map(RawJson::elements) {
        if item.get("uri").is_none() {
            findings.report("an item of `contents` has no `uri`").mark(item);
        }
        match (item.get("text"), item.get("blob")) {
            (None, None) => {
                findings.report("an item of `contents` has neither `text` nor `blob`").mark(item);
            }
            (Some(_), Some(blob)) => {
                findings.report("an item of `contents` has both `text` and `blob`").mark(blob).at_most(Severity::Note);
            }
            _ => {}
        }
    }
}

const RESOURCE_UPDATED_UNSUBSCRIBED: Rule = Rule {
    id: "resource-updated-unsubscribed",
    title: "an update of a resource that nobody subscribed to",
    clauses: &[clause(LEGACY, Implied, Severity::Warning, "server/resources#subscriptions")],
    explanation: "`notifications/resources/updated` tells of a URI that the client has subscribed to, or of one below it. \
                  After `resources/unsubscribe` a last update may have been under way, so that is a note. The rule is \
                  silent when the capture begins after the session did.",
    help: "send updates only of what `resources/subscribe` has named",
    fires: "@init 2025-06-18 {} {\"resources\":{\"subscribe\":true}}\nC> {\"id\":2,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"memo://1\"}}\nS> {\"id\":2,\"result\":{}}\nS> {\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"memo://2\"}}",
    silent: "@init 2025-06-18 {} {\"resources\":{\"subscribe\":true}}\nC> {\"id\":2,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"memo://1\"}}\nS> {\"id\":2,\"result\":{}}\nS> {\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"memo://1\"}}",
    checks: &[On::Notification(&["notifications/resources/updated"], resource_updated_unsubscribed)],
};

fn resource_updated_unsubscribed(context: &Context<'_>, findings: &mut Findings) {
    let Some(uri) = context.get("uri").filter(|_| context.session.has_beginning()) else { return };
    let Some(text) = uri.as_str() else { return };
    match context.session.subscriptions.of(&text) {
        Subscription::Active | Subscription::Unknown => {}
        Subscription::None => {
            findings
                .report(format!("the client never subscribed to {} or to anything above it", quoted(&text)))
                .mark(uri);
        }
        Subscription::Ended(at) => {
            findings
                .report(format!("the client no longer subscribes to {}", quoted(&text)))
                .mark(uri)
                .related(Some(at.0), at.1, "unsubscribed here")
                .at_most(Severity::Note);
        }
    }
}

const UNSUBSCRIBE_WITHOUT_SUBSCRIBE: Rule = Rule {
    id: "unsubscribe-without-subscribe",
    title: "a subscription is taken back that was never made",
    clauses: &[clause(LEGACY, Implied, Severity::Note, "server/resources#subscriptions")],
    explanation: "`resources/unsubscribe` takes back an earlier `resources/subscribe` for the same URI. The rule is silent \
                  when the capture begins after the session did.",
    help: "unsubscribe only from what was subscribed to, with the same URI",
    fires: "@init 2025-06-18 {} {\"resources\":{\"subscribe\":true}}\nC> {\"id\":2,\"method\":\"resources/unsubscribe\",\"params\":{\"uri\":\"memo://7\"}}",
    silent: "@init 2025-06-18 {} {\"resources\":{\"subscribe\":true}}\nC> {\"id\":2,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"memo://7\"}}\nS> {\"id\":2,\"result\":{}}\nC> {\"id\":3,\"method\":\"resources/unsubscribe\",\"params\":{\"uri\":\"memo://7\"}}",
    checks: &[On::Request(&["resources/unsubscribe"], unsubscribe_without_subscribe)],
};

fn unsubscribe_without_subscribe(context: &Context<'_>, findings: &mut Findings) {
    let Some(uri) = context.get("uri").filter(|_| context.session.has_beginning()) else { return };
    let Some(text) = uri.as_str() else { return };
    if context.session.subscriptions.exactly(&text) == Subscription::None {
        findings.report(format!("{} was not subscribed to", quoted(&text))).mark(uri);
    }
}

const RESOURCE_NOT_FOUND_CODE: Rule = Rule {
    id: "resource-not-found-code",
    title: "a missing resource is answered with another error code",
    clauses: &[
        clause(LEGACY, Should, Severity::Note, "server/resources#error-handling"),
        clause(MODERN, Must, Severity::Error, "server/resources#error-handling"),
    ],
    explanation: "A resource that does not exist is the error -32002 up to 2025-11-25 and -32602 in 2026-07-28, which has \
                  retired -32002. In the older revisions the rule goes by the words of the error message.",
    help: "answer with the code of the revision, and the URI in `data`",
    fires: "C> {\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":\"memo://9\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"error\":{\"code\":-32002,\"message\":\"no memo 9\"}}",
    silent: "C> {\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":\"memo://9\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"error\":{\"code\":-32602,\"message\":\"no memo 9\"}}",
    checks: &[On::Error(&["resources/read"], resource_not_found_code)],
};

fn resource_not_found_code(context: &Context<'_>, findings: &mut Findings) {
    let Some(code) = context.get("code") else { return };
    let retired = code.as_i64() == Some(-32002);
    if context.is_modern() && retired {
        findings.report("a missing resource is -32602 in 2026-07-28, not -32002").mark(code);
    } else if !context.is_modern() && !retired {
        let Some(message) = context.get("message").and_then(RawJson::as_str) else { return };
        if tells_of_nothing(&message) {
            findings
                .report(format!("{} sounds like a missing resource, whose code is -32002", quoted(&message)))
                .mark(code);
        }
    }
}

/// Whether an error message says that something is not there.
pub(super) fn tells_of_nothing(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    ["not found", "does not exist", "doesn't exist", "no such", "unknown resource"]
        .iter()
        .any(|words| message.contains(words))
        && !message.contains("method")
}

const RESOURCE_EMPTY_CONTENTS: Rule = Rule {
    id: "resource-empty-contents",
    title: "a resource has no contents at all",
    clauses: &[clause(MODERN, Must, Severity::Note, "server/resources#error-handling")],
    explanation: "An empty array of contents must not stand for a resource that does not exist: that is an error. A \
                  capture cannot tell an empty resource from a missing one, hence a note.",
    help: "answer with the error -32602 when there is no such resource",
    fires: "C> {\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":\"memo://9\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",\"contents\":[]}}",
    silent: "C> {\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":\"memo://9\",\"_meta\":{\"$M\":\"\"}}}\nS> {\"id\":2,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",\"contents\":[{\"uri\":\"memo://9\",\"text\":\"\"}]}}",
    checks: &[On::Result(&["resources/read"], resource_empty_contents)],
};

fn resource_empty_contents(context: &Context<'_>, findings: &mut Findings) {
    let is_empty = |contents: &RawJson<'_>| contents.kind() == JsonKind::Array && contents.elements().next().is_none();
    if let Some(contents) = context.get("contents").filter(is_empty) {
        findings.report("`contents` is empty").mark(contents);
    }
}

const ROOT_URI_SCHEME: Rule = Rule {
    id: "root-uri-scheme",
    title: "a root is no file: URI",
    clauses: &[clause(ALL, Must, Severity::Error, "client/roots#root")],
    explanation: "Roots are places in the file system of the client; their URIs begin with `file://`. A bare path is no URI.",
    help: "write the path as a file: URI, with three slashes before an absolute path",
    fires: "S> {\"id\":8,\"method\":\"roots/list\"}\nC> {\"id\":8,\"result\":{\"roots\":[{\"uri\":\"C:\\\\work\"}]}}",
    silent: "S> {\"id\":8,\"method\":\"roots/list\"}\nC> {\"id\":8,\"result\":{\"roots\":[{\"uri\":\"file:///C:/work\"}]}}",
    checks: &[On::Result(&["roots/list"], root_uri_scheme)],
};

fn root_uri_scheme(context: &Context<'_>, findings: &mut Findings) {
    for uri in context.get("roots").into_iter().flat_map(RawJson::elements).filter_map(|root| root.get("uri")) {
        let Some(text) = uri.as_str() else { continue };
        let is_file = text.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file://"));
        if !is_file {
            findings.report(format!("the root {} is no `file://` URI", quoted(&text))).mark(uri);
        }
    }
}
