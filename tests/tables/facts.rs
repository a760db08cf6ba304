//! Facts read from the specification and written down by hand, so that the tables are held to something besides
//! themselves where the reference is not at hand.

use mcp_trace::protocol::{
    Condition, METHODS, Method, MethodKind, RequiredSide, Requirement, Revision, Sender, Side, Strength, TargetKey,
    capability, error_meaning, input_request, meta_key, method_set,
};

use crate::words;

use Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

fn at(name: &str, revision: Revision) -> Option<&'static Method> {
    method_set(name)?.at(revision).filter(words::is_core)
}

fn core(revision: Revision) -> impl Iterator<Item = &'static Method> {
    METHODS.iter().filter(words::is_core).filter(move |row| row.covers(revision))
}

#[test]
fn messages_are_as_many_as_each_revision_has() {
    for (revision, requests, notifications, embedded) in [
        (V2024_11_05, 15, 9, 0),
        (V2025_03_26, 15, 9, 0),
        (V2025_06_18, 16, 9, 0),
        (V2025_11_25, 20, 11, 0),
        (V2026_07_28, 10, 8, 3),
    ] {
        let count = |kind| core(revision).filter(|row| row.kind == kind).count();
        assert_eq!(count(MethodKind::Request), requests, "requests of {}", revision.as_str());
        assert_eq!(count(MethodKind::Notification), notifications, "notifications of {}", revision.as_str());
        assert_eq!(count(MethodKind::InputRequest), embedded, "input requests of {}", revision.as_str());
    }
    let names: std::collections::BTreeSet<_> = METHODS.iter().filter(words::is_core).map(|row| row.name).collect();
    assert_eq!(names.len(), 34);
}

#[test]
fn messages_come_and_go_with_their_revisions() {
    for (name, first, last) in [
        ("initialize", V2024_11_05, V2025_11_25),
        ("notifications/initialized", V2024_11_05, V2025_11_25),
        ("ping", V2024_11_05, V2025_11_25),
        ("logging/setLevel", V2024_11_05, V2025_11_25),
        ("resources/subscribe", V2024_11_05, V2025_11_25),
        ("resources/unsubscribe", V2024_11_05, V2025_11_25),
        ("notifications/roots/list_changed", V2024_11_05, V2025_11_25),
        ("elicitation/create", V2025_06_18, V2026_07_28),
        ("notifications/elicitation/complete", V2025_11_25, V2025_11_25),
        ("tasks/list", V2025_11_25, V2025_11_25),
        ("tasks/result", V2025_11_25, V2025_11_25),
        ("notifications/tasks/status", V2025_11_25, V2025_11_25),
        ("server/discover", V2026_07_28, V2026_07_28),
        ("subscriptions/listen", V2026_07_28, V2026_07_28),
        ("notifications/subscriptions/acknowledged", V2026_07_28, V2026_07_28),
        ("tools/call", V2024_11_05, V2026_07_28),
        ("completion/complete", V2024_11_05, V2026_07_28),
        ("notifications/message", V2024_11_05, V2026_07_28),
    ] {
        for revision in Revision::all() {
            let expected = (first..=last).contains(&revision);
            assert_eq!(at(name, revision).is_some(), expected, "{name} in {}", revision.as_str());
        }
    }
}

#[test]
fn each_message_has_its_sender() {
    for (name, side) in [
        ("initialize", Some(Side::Client)),
        ("server/discover", Some(Side::Client)),
        ("tools/list", Some(Side::Client)),
        ("tools/call", Some(Side::Client)),
        ("resources/read", Some(Side::Client)),
        ("prompts/get", Some(Side::Client)),
        ("completion/complete", Some(Side::Client)),
        ("subscriptions/listen", Some(Side::Client)),
        ("notifications/initialized", Some(Side::Client)),
        ("notifications/roots/list_changed", Some(Side::Client)),
        ("roots/list", Some(Side::Server)),
        ("sampling/createMessage", Some(Side::Server)),
        ("elicitation/create", Some(Side::Server)),
        ("notifications/message", Some(Side::Server)),
        ("notifications/tools/list_changed", Some(Side::Server)),
        ("notifications/resources/updated", Some(Side::Server)),
        ("ping", None),
        ("notifications/progress", None),
        ("notifications/cancelled", None),
        ("tasks/get", None),
        ("tasks/list", None),
    ] {
        assert_eq!(method_set(name).unwrap().only_sender(), side, "{name}");
    }
    let ambiguous = core(V2025_11_25).filter(|row| row.sender == Sender::Both).count();
    assert_eq!(ambiguous, 8, "ping, progress, cancelled, four task requests and the task status");
    assert_eq!(at("notifications/progress", V2025_11_25).unwrap().sender, Sender::Both);
    assert_eq!(at("notifications/progress", V2026_07_28).unwrap().sender, Sender::Server);
    assert_eq!(at("notifications/cancelled", V2026_07_28).unwrap().sender, Sender::Both);
}

#[test]
fn each_message_needs_its_capability() {
    for (name, revision, needs) in [
        ("initialize", V2025_11_25, &[][..]),
        ("ping", V2025_11_25, &[]),
        ("tools/call", V2025_03_26, &["SHOULD server tools"]),
        ("tools/list", V2025_06_18, &["MUST server tools"]),
        ("tools/list", V2026_07_28, &["implied server tools"]),
        (
            "tools/call",
            V2025_11_25,
            &["MUST server tools", "MUST server tasks.requests.tools.call when params.task present"],
        ),
        ("resources/subscribe", V2025_06_18, &["MUST server resources.subscribe"]),
        ("resources/templates/list", V2024_11_05, &["SHOULD server resources"]),
        ("prompts/get", V2025_11_25, &["MUST server prompts"]),
        ("completion/complete", V2024_11_05, &[]),
        ("completion/complete", V2025_03_26, &["SHOULD server completions"]),
        ("logging/setLevel", V2025_11_25, &["MUST server logging"]),
        ("roots/list", V2025_03_26, &["SHOULD client roots"]),
        ("notifications/roots/list_changed", V2025_06_18, &["MUST client roots.listChanged"]),
        ("sampling/createMessage", V2025_06_18, &["MUST client sampling"]),
        (
            "sampling/createMessage",
            V2026_07_28,
            &[
                "MUST client sampling",
                "MUST client sampling.tools when params.tools or params.toolChoice present",
                "SHOULD client sampling.context when params.includeContext is thisServer or allServers",
            ],
        ),
        ("elicitation/create", V2025_06_18, &["MUST client elicitation"]),
        (
            "elicitation/create",
            V2026_07_28,
            &[
                "MUST client elicitation",
                "MUST client elicitation.form when mode absent or form",
                "MUST client elicitation.url when mode is url",
            ],
        ),
        ("tasks/get", V2025_11_25, &["MUST receiver tasks"]),
        ("tasks/cancel", V2025_11_25, &["MUST receiver tasks.cancel"]),
        ("notifications/tasks/status", V2025_11_25, &["MUST sender tasks"]),
        (
            "notifications/tools/list_changed",
            V2026_07_28,
            &[
                "implied server tools.listChanged",
                "MUST request subscriptions/listen.params.notifications.toolsListChanged",
            ],
        ),
    ] {
        let found: Vec<_> = at(name, revision).unwrap().requires.iter().map(words::requirement).collect();
        assert_eq!(found, needs, "{name} in {}", revision.as_str());
    }
    let declared = &["extensions", "io.modelcontextprotocol/tasks"][..];
    for name in ["tasks/get", "tasks/update", "tasks/cancel", "notifications/tasks"] {
        let row = method_set(name).unwrap().at(V2026_07_28).unwrap();
        for (side, strength) in [(RequiredSide::Client, Strength::Must), (RequiredSide::Server, Strength::Implied)] {
            let wanted = Requirement { side, path: declared, when: Condition::Always, strength };
            assert!(row.requires.contains(&wanted), "{name} needs the extension of the {side:?}");
        }
    }
}

#[test]
fn params_and_results_have_their_members() {
    let row = at("initialize", V2024_11_05).unwrap();
    assert_eq!(row.required_params, ["capabilities", "clientInfo", "protocolVersion"]);
    assert_eq!(row.required_result, ["capabilities", "protocolVersion", "serverInfo"]);
    let row = at("tools/list", V2026_07_28).unwrap();
    assert_eq!(row.required_result, ["cacheScope", "resultType", "tools", "ttlMs"]);
    assert!(row.cacheable && row.paginated && !row.input_required);
    assert_eq!(at("tools/call", V2025_03_26).unwrap().required_params, ["name"]);
    assert_eq!(at("tools/call", V2026_07_28).unwrap().required_params, ["_meta", "name"]);
    assert!(at("tools/call", V2025_06_18).unwrap().optional_result.contains(&"structuredContent"));
    assert!(!at("tools/call", V2025_03_26).unwrap().optional_result.contains(&"structuredContent"));
    assert!(at("notifications/cancelled", V2025_11_25).unwrap().required_params.is_empty());
    let continued: Vec<_> = core(V2026_07_28).filter(|row| row.input_required).map(|row| row.name).collect();
    assert_eq!(continued, ["tools/call", "resources/read", "prompts/get"]);
    let cached: Vec<_> = core(V2026_07_28).filter(|row| row.cacheable).map(|row| row.name).collect();
    assert_eq!(
        cached,
        [
            "server/discover",
            "tools/list",
            "resources/list",
            "resources/read",
            "resources/templates/list",
            "prompts/list"
        ]
    );
    assert_eq!(at("completion/complete", V2025_06_18).unwrap().target, TargetKey::Reference);
    assert_eq!(at("tasks/result", V2025_11_25).unwrap().target, TargetKey::Param("taskId"));
    assert_eq!(at("tasks/list", V2025_11_25).unwrap().target, TargetKey::None);
}

#[test]
fn what_is_deprecated_says_so() {
    let late = ["notifications/message", "roots/list", "sampling/createMessage"];
    for row in METHODS {
        assert_eq!(row.deprecated, late.contains(&row.name).then_some(V2026_07_28), "{}", row.name);
    }
    let context = capability(Side::Client, &["sampling", "context"], None).unwrap();
    assert_eq!(context.deprecated, Some(V2025_11_25));
    assert!(meta_key("io.modelcontextprotocol/logLevel").unwrap().deprecated);
}

#[test]
fn embedded_requests_of_the_newest_revision_need_the_client() {
    for (name, path) in
        [("roots/list", "roots"), ("sampling/createMessage", "sampling"), ("elicitation/create", "elicitation")]
    {
        let row = input_request(name).unwrap();
        assert_eq!(
            (row.sender, row.requires[0].side, row.requires[0].path),
            (Sender::Server, RequiredSide::Client, &[path][..])
        );
        assert!(!row.required_params.contains(&"_meta"), "{name} travels inside a result");
    }
}

#[test]
fn codes_are_those_of_their_revisions() {
    for (code, revision, name, defined) in [
        (-32700, V2024_11_05, "ParseError", true),
        (-32603, V2026_07_28, "InternalError", true),
        (-32002, V2025_11_25, "ResourceNotFound", true),
        (-32002, V2026_07_28, "ResourceNotFound", false),
        (-32042, V2025_11_25, "URLElicitationRequiredError", true),
        (-32042, V2025_06_18, "URLElicitationRequiredError", false),
        (-32020, V2026_07_28, "HeaderMismatch", true),
        (-32021, V2026_07_28, "MissingRequiredClientCapability", true),
        (-32022, V2026_07_28, "UnsupportedProtocolVersion", true),
        (-32001, V2025_06_18, "RequestTimeout", false),
        (-1, V2025_06_18, "UserRejected", true),
    ] {
        let row = error_meaning(code, Some(revision)).unwrap();
        assert_eq!((row.name, row.covers(revision)), (name, defined), "{code} in {}", revision.as_str());
    }
}
