//! Messages about a request under way: cancellation and progress.

use crate::protocol::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::protocol::{Feature, Method, Phase, Relation, Sender};

const CANCELLED: Method = Method {
    relation: Relation::RequestId,
    required_params: &["requestId"],
    optional_params: &["reason"],
    phases: &[Phase::Initialization, Phase::Operation],
    page: "basic/utilities/cancellation",
    summary: "Tells the receiver that the sender no longer wants the answer to one of its requests.",
    ..Method::notification("notifications/cancelled", Sender::Both, Feature::Cancellation, "CancelledNotification")
};

const PROGRESS: Method = Method {
    relation: Relation::ProgressToken,
    required_params: &["progress", "progressToken"],
    optional_params: &["total"],
    phases: &[Phase::Initialization, Phase::Operation],
    page: "basic/utilities/progress",
    summary: "Reports how far a long request has come, to the peer that attached a progress token to it.",
    ..Method::notification("notifications/progress", Sender::Both, Feature::Progress, "ProgressNotification")
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2024_11_05, until: V2025_06_18, ..CANCELLED },
    Method {
        since: V2025_11_25,
        until: V2025_11_25,
        required_params: &[],
        optional_params: &["reason", "requestId"],
        ..CANCELLED
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        phases: &[Phase::Operation, Phase::Shutdown],
        page: "basic/patterns/cancellation",
        summary: "The client gives up a request (stdio only), or the server ends a listen stream.",
        ..CANCELLED
    },
    Method { since: V2024_11_05, until: V2024_11_05, ..PROGRESS },
    Method { since: V2025_03_26, until: V2025_11_25, optional_params: &["message", "total"], ..PROGRESS },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        sender: Sender::Server,
        optional_params: &["message", "total"],
        phases: &[Phase::Operation],
        page: "basic/patterns/progress",
        ..PROGRESS
    },
];
