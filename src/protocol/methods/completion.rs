//! Completion of arguments.

use crate::protocol::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::protocol::method::server;
use crate::protocol::{Feature, Method, Sender, Strength, TargetKey};

const COMPLETION_COMPLETE: Method = Method {
    may_ask: true,
    target: TargetKey::Reference,
    required_params: &["argument", "ref"],
    required_result: &["completion"],
    page: "server/utilities/completion",
    summary: "Asks for values that complete an argument of a prompt or a variable of a resource template.",
    ..Method::request("completion/complete", Sender::Client, Feature::Completion, "CompleteRequest")
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2024_11_05, until: V2024_11_05, ..COMPLETION_COMPLETE },
    Method {
        since: V2025_03_26,
        until: V2025_03_26,
        requires: &[server(&["completions"], Strength::Should)],
        ..COMPLETION_COMPLETE
    },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["completions"], Strength::Must)],
        optional_params: &["context"],
        ..COMPLETION_COMPLETE
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[server(&["completions"], Strength::Implied)],
        required_params: &["_meta", "argument", "ref"],
        optional_params: &["context"],
        required_result: &["completion", "resultType"],
        ..COMPLETION_COMPLETE
    },
];
