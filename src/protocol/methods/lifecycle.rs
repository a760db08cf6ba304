//! The handshake, its stateless replacement, and `ping`.

use crate::protocol::Revision::{V2024_11_05, V2025_11_25, V2026_07_28};
use crate::protocol::{Feature, Method, Phase, Sender};

const INITIALIZE: Method = Method {
    required_params: &["capabilities", "clientInfo", "protocolVersion"],
    required_result: &["capabilities", "protocolVersion", "serverInfo"],
    optional_result: &["instructions"],
    phases: &[Phase::Initialization],
    replaced_by: Some("`server/discover` and the `_meta` of every request"),
    page: "basic/lifecycle#initialization",
    summary: "Opens a session: the client offers a version and its capabilities, the server answers with its own.",
    ..Method::request("initialize", Sender::Client, Feature::Lifecycle, "InitializeRequest")
};

const INITIALIZED: Method = Method {
    phases: &[Phase::Initialization],
    page: "basic/lifecycle#initialization",
    summary: "The client says that it is ready; the initialization phase ends with it.",
    ..Method::notification("notifications/initialized", Sender::Client, Feature::Lifecycle, "InitializedNotification")
};

const SERVER_DISCOVER: Method = Method {
    required_params: &["_meta"],
    required_result: &["cacheScope", "capabilities", "resultType", "supportedVersions", "ttlMs"],
    optional_result: &["instructions"],
    phases: &[Phase::Initialization, Phase::Operation],
    cacheable: true,
    page: "server/discover",
    summary: "Asks which versions and capabilities a server has; optional, and a probe for stateless servers.",
    ..Method::request("server/discover", Sender::Client, Feature::Discovery, "DiscoverRequest")
};

const PING: Method = Method {
    phases: &[Phase::Initialization, Phase::Operation],
    page: "basic/utilities/ping",
    summary: "Checks that the peer is alive; the answer is empty.",
    ..Method::request("ping", Sender::Both, Feature::Ping, "PingRequest")
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2024_11_05, until: V2025_11_25, ..INITIALIZE },
    Method { since: V2024_11_05, until: V2025_11_25, ..INITIALIZED },
    Method { since: V2026_07_28, until: V2026_07_28, ..SERVER_DISCOVER },
    Method { since: V2024_11_05, until: V2025_11_25, ..PING },
];
