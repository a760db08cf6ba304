//! Listen streams (2026-07-28).

use crate::protocol::Revision::V2026_07_28;
use crate::protocol::{Feature, Method, Relation, Sender};

const SUBSCRIPTIONS_LISTEN: Method = Method {
    required_params: &["_meta", "notifications"],
    required_result: &["_meta", "resultType"],
    page: "basic/patterns/subscriptions",
    summary: "Opens a stream of the notifications that the client chooses, and stays open until one side ends it.",
    ..Method::request("subscriptions/listen", Sender::Client, Feature::Subscriptions, "SubscriptionsListenRequest")
};

const SUBSCRIPTIONS_ACKNOWLEDGED: Method = Method {
    relation: Relation::Subscription,
    required_params: &["notifications"],
    page: "basic/patterns/subscriptions#acknowledgment",
    summary: "First message of a listen stream: which of the wanted notifications the server will send.",
    ..Method::notification(
        "notifications/subscriptions/acknowledged",
        Sender::Server,
        Feature::Subscriptions,
        "SubscriptionsAcknowledgedNotification",
    )
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2026_07_28, until: V2026_07_28, ..SUBSCRIPTIONS_LISTEN },
    Method { since: V2026_07_28, until: V2026_07_28, ..SUBSCRIPTIONS_ACKNOWLEDGED },
];
