//! The resources primitive.

use crate::protocol::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::protocol::method::{opt_in, server};
use crate::protocol::{Feature, Method, Primitive, Relation, Sender, Strength, TargetKey};

const RESOURCES_LIST: Method = Method {
    requires: &[server(&["resources"], Strength::Should)],
    optional_params: &["cursor"],
    required_result: &["resources"],
    optional_result: &["nextCursor"],
    paginated: true,
    page: "server/resources#listing-resources",
    summary: "Lists the resources that the server offers, a page at a time.",
    ..Method::request(
        "resources/list",
        Sender::Client,
        Feature::Primitive(Primitive::Resources),
        "ListResourcesRequest",
    )
};

const RESOURCES_READ: Method = Method {
    may_ask: true,
    requires: &[server(&["resources"], Strength::Should)],
    target: TargetKey::Param("uri"),
    required_params: &["uri"],
    required_result: &["contents"],
    page: "server/resources#reading-resources",
    summary: "Reads the contents behind one URI.",
    ..Method::request("resources/read", Sender::Client, Feature::Primitive(Primitive::Resources), "ReadResourceRequest")
};

const RESOURCES_SUBSCRIBE: Method = Method {
    requires: &[server(&["resources", "subscribe"], Strength::Should)],
    target: TargetKey::Param("uri"),
    required_params: &["uri"],
    replaced_by: Some("`subscriptions/listen` with `resourceSubscriptions`"),
    page: "server/resources#subscriptions",
    summary: "Asks to be told when one resource changes.",
    ..Method::request(
        "resources/subscribe",
        Sender::Client,
        Feature::Primitive(Primitive::Resources),
        "SubscribeRequest",
    )
};

const RESOURCES_TEMPLATES_LIST: Method = Method {
    requires: &[server(&["resources"], Strength::Should)],
    optional_params: &["cursor"],
    required_result: &["resourceTemplates"],
    optional_result: &["nextCursor"],
    paginated: true,
    page: "server/resources#resource-templates",
    summary: "Lists the URI templates from which resources can be named, a page at a time.",
    ..Method::request(
        "resources/templates/list",
        Sender::Client,
        Feature::Primitive(Primitive::Resources),
        "ListResourceTemplatesRequest",
    )
};

const RESOURCES_UNSUBSCRIBE: Method = Method {
    requires: &[server(&["resources", "subscribe"], Strength::Should)],
    target: TargetKey::Param("uri"),
    required_params: &["uri"],
    replaced_by: Some("ending the listen stream"),
    page: "server/resources#subscriptions",
    summary: "Ends a subscription to one resource.",
    ..Method::request(
        "resources/unsubscribe",
        Sender::Client,
        Feature::Primitive(Primitive::Resources),
        "UnsubscribeRequest",
    )
};

const RESOURCES_LIST_CHANGED: Method = Method {
    requires: &[server(&["resources", "listChanged"], Strength::Should)],
    page: "server/resources#list-changed-notification",
    summary: "Tells the client that the list of resources is no longer what it was.",
    ..Method::notification(
        "notifications/resources/list_changed",
        Sender::Server,
        Feature::Primitive(Primitive::Resources),
        "ResourceListChangedNotification",
    )
};

const RESOURCES_UPDATED: Method = Method {
    requires: &[server(&["resources", "subscribe"], Strength::Should)],
    target: TargetKey::Param("uri"),
    required_params: &["uri"],
    page: "server/resources#subscriptions",
    summary: "Tells a subscriber that one resource has changed and may be read again.",
    ..Method::notification(
        "notifications/resources/updated",
        Sender::Server,
        Feature::Primitive(Primitive::Resources),
        "ResourceUpdatedNotification",
    )
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2024_11_05, until: V2025_03_26, ..RESOURCES_LIST },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["resources"], Strength::Must)],
        ..RESOURCES_LIST
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[server(&["resources"], Strength::Implied)],
        required_params: &["_meta"],
        required_result: &["cacheScope", "resources", "resultType", "ttlMs"],
        cacheable: true,
        ..RESOURCES_LIST
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..RESOURCES_READ },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["resources"], Strength::Must)],
        ..RESOURCES_READ
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[server(&["resources"], Strength::Implied)],
        required_params: &["_meta", "uri"],
        optional_params: &["inputResponses", "requestState"],
        required_result: &["cacheScope", "contents", "resultType", "ttlMs"],
        input_required: true,
        cacheable: true,
        ..RESOURCES_READ
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..RESOURCES_SUBSCRIBE },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["resources", "subscribe"], Strength::Must)],
        ..RESOURCES_SUBSCRIBE
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..RESOURCES_TEMPLATES_LIST },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["resources"], Strength::Must)],
        ..RESOURCES_TEMPLATES_LIST
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[server(&["resources"], Strength::Implied)],
        required_params: &["_meta"],
        required_result: &["cacheScope", "resourceTemplates", "resultType", "ttlMs"],
        cacheable: true,
        ..RESOURCES_TEMPLATES_LIST
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..RESOURCES_UNSUBSCRIBE },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["resources", "subscribe"], Strength::Must)],
        ..RESOURCES_UNSUBSCRIBE
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..RESOURCES_LIST_CHANGED },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["resources", "listChanged"], Strength::Must)],
        ..RESOURCES_LIST_CHANGED
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[
            server(&["resources", "listChanged"], Strength::Implied),
            opt_in(&["subscriptions/listen.params.notifications.resourcesListChanged"]),
        ],
        relation: Relation::Subscription,
        ..RESOURCES_LIST_CHANGED
    },
    Method { since: V2024_11_05, until: V2025_03_26, ..RESOURCES_UPDATED },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["resources", "subscribe"], Strength::Must)],
        ..RESOURCES_UPDATED
    },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[
            server(&["resources", "subscribe"], Strength::Implied),
            opt_in(&["subscriptions/listen.params.notifications.resourceSubscriptions"]),
        ],
        relation: Relation::Subscription,
        ..RESOURCES_UPDATED
    },
];
