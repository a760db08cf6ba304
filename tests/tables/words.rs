//! The tables in the words of the catalogue and of the digest.

use mcp_trace::protocol::{
    Condition, Method, MethodKind, Phase, RequiredSide, Requirement, Revision, Sender, Side, Strength, TaskAugmentation,
};

pub(crate) fn kind(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
        MethodKind::InputRequest => "input-request",
    }
}

pub(crate) fn sender(sender: Sender) -> &'static str {
    match sender {
        Sender::Client => "client",
        Sender::Server => "server",
        Sender::Both => "both",
        Sender::View => "view",
        Sender::Host => "host",
        Sender::Sandbox => "sandbox",
    }
}

pub(crate) fn condition(condition: Condition) -> &'static str {
    match condition {
        Condition::Always => "",
        Condition::TaskPresent => "params.task present",
        Condition::ToolsOrToolChoice => "params.tools or params.toolChoice present",
        Condition::IncludeContext => "params.includeContext is thisServer or allServers",
        Condition::ModeForm => "mode absent or form",
        Condition::ModeUrl => "mode is url",
    }
}

pub(crate) fn strength(strength: Strength) -> &'static str {
    match strength {
        Strength::Must => "MUST",
        Strength::Should => "SHOULD",
        Strength::Implied => "implied",
    }
}

/// Side, path, condition and strength in one line.
pub(crate) fn requirement(requirement: &Requirement) -> String {
    let side = match requirement.side {
        RequiredSide::Client => "client",
        RequiredSide::Server => "server",
        RequiredSide::Receiver => "receiver",
        RequiredSide::Sender => "sender",
        RequiredSide::Request => "request",
    };
    needs(side, &requirement.path.join("."), condition(requirement.when), strength(requirement.strength))
}

pub(crate) fn needs(side: &str, path: &str, condition: &str, strength: &str) -> String {
    let condition = if condition.is_empty() { String::new() } else { format!(" when {condition}") };
    format!("{strength} {side} {path}{condition}")
}

pub(crate) fn augmentation(augmentation: TaskAugmentation) -> &'static str {
    match augmentation {
        TaskAugmentation::None => "no",
        TaskAugmentation::Requested => "requested",
        TaskAugmentation::ServerDirected => "server-directed",
    }
}

pub(crate) fn phases(phases: &[Phase]) -> Vec<String> {
    phases.iter().map(|phase| phase.as_str().to_owned()).collect()
}

pub(crate) fn range(since: Revision, until: Revision) -> String {
    format!("{}..{}", since.as_str(), until.as_str())
}

pub(crate) fn side(name: &str) -> Side {
    match name {
        "client" => Side::Client,
        "server" => Side::Server,
        other => panic!("no side: {other}"),
    }
}

pub(crate) fn is_core(row: &&Method) -> bool {
    row.extension.is_none()
}
