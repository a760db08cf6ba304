//! The roots primitive.

use crate::protocol::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::protocol::method::client;
use crate::protocol::{Feature, Method, MethodKind, Primitive, Sender, Strength};

const ROOTS_LIST: Method = Method {
    requires: &[client(&["roots"], Strength::Should)],
    required_result: &["roots"],
    deprecated: Some(V2026_07_28),
    page: "client/roots#listing-roots",
    summary: "Asks the client which directories or files the server may work in.",
    ..Method::request("roots/list", Sender::Server, Feature::Primitive(Primitive::Roots), "ListRootsRequest")
};

const ROOTS_LIST_CHANGED: Method = Method {
    requires: &[client(&["roots", "listChanged"], Strength::Should)],
    page: "client/roots#root-list-changes",
    summary: "Tells the server that the roots have changed.",
    ..Method::notification(
        "notifications/roots/list_changed",
        Sender::Client,
        Feature::Primitive(Primitive::Roots),
        "RootsListChangedNotification",
    )
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2024_11_05, until: V2025_03_26, ..ROOTS_LIST },
    Method { since: V2025_06_18, until: V2025_11_25, requires: &[client(&["roots"], Strength::Must)], ..ROOTS_LIST },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        kind: MethodKind::InputRequest,
        requires: &[client(&["roots"], Strength::Must)],
        progress_token: false,
        summary: "Asks, inside an answer, which directories or files the server may work in.",
        ..ROOTS_LIST
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..ROOTS_LIST_CHANGED },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[client(&["roots", "listChanged"], Strength::Must)],
        ..ROOTS_LIST_CHANGED
    },
];
