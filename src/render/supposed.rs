//! What a change of what was negotiated would do, in one line. Knows no output.

use super::table::Count;
use crate::annotate::Effect;

/// `3 requests (tools/list, 2 tools/call) would not be allowed; lost: tools`
pub(super) fn would(effect: &Effect) -> String {
    let messages = match (effect.requests, effect.notifications) {
        (0, 0) if effect.change.starts_with("as ") => return "no message is of a method that it lacks".to_owned(),
        (0, 0) => return "no message is concerned".to_owned(),
        (requests, 0) => Count(requests, "request").to_string(),
        (0, notifications) => Count(notifications, "notification").to_string(),
        (requests, notifications) => {
            format!("{}, {}", Count(requests, "request"), Count(notifications, "notification"))
        }
    };
    let method =
        |&(method, count): &(&str, u64)| if count == 1 { method.to_owned() } else { format!("{count} {method}") };
    let methods = effect.methods.iter().map(method).collect::<Vec<_>>().join(", ");
    let (would, word) = if effect.allows { ("would be allowed", "won") } else { ("would not be allowed", "lost") };
    format!("{messages} ({methods}) {would}; {word}: {}", effect.features.join(", "))
}
