//! Log messages and their level.

use crate::protocol::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::protocol::method::{opt_in, server};
use crate::protocol::{Feature, Method, Phase, Sender, Strength, TargetKey};

const LOGGING_SET_LEVEL: Method = Method {
    requires: &[server(&["logging"], Strength::Should)],
    target: TargetKey::Param("level"),
    required_params: &["level"],
    replaced_by: Some(r#"`_meta["io.modelcontextprotocol/logLevel"]` on each request"#),
    page: "server/utilities/logging#setting-log-level",
    summary: "Sets the lowest severity of log messages that the client wants to get.",
    ..Method::request("logging/setLevel", Sender::Client, Feature::Logging, "SetLevelRequest")
};

const MESSAGE: Method = Method {
    requires: &[server(&["logging"], Strength::Must)],
    required_params: &["data", "level"],
    optional_params: &["logger"],
    phases: &[Phase::Initialization, Phase::Operation],
    deprecated: Some(V2026_07_28),
    page: "server/utilities/logging#log-message-notifications",
    summary: "Carries one log message of the server to the client.",
    ..Method::notification("notifications/message", Sender::Server, Feature::Logging, "LoggingMessageNotification")
};

pub(super) const ROWS: &[Method] = &[
    Method { since: V2024_11_05, until: V2025_03_26, ..LOGGING_SET_LEVEL },
    Method {
        since: V2025_06_18,
        until: V2025_11_25,
        requires: &[server(&["logging"], Strength::Must)],
        ..LOGGING_SET_LEVEL
    },
    Method { since: V2024_11_05, until: V2025_11_25, ..MESSAGE },
    Method {
        since: V2026_07_28,
        until: V2026_07_28,
        requires: &[
            server(&["logging"], Strength::Must),
            opt_in(&["params._meta['io.modelcontextprotocol/logLevel']"]),
        ],
        phases: &[Phase::Operation],
        ..MESSAGE
    },
];
