use super::{Fit, LENIENT, SHAPES, candidates, fits};
use crate::protocol::{METHODS, Method, MethodKind, Revision};

fn methods(members: &[&str], result_type: Option<&str>) -> &'static [&'static str] {
    candidates(|name| members.contains(&name), result_type, members.is_empty() && result_type.is_none()).methods()
}

fn fit(method: &str, revision: Option<Revision>, members: &[&str], result_type: Option<&str>) -> Fit {
    let empty = members.is_empty() && result_type.is_none();
    fits(method, revision, |name| members.contains(&name), result_type, empty)
}

/// Rows of requests whose own result marks them.
fn marked() -> impl Iterator<Item = &'static Method> {
    METHODS.iter().filter(|row| row.required_result.iter().any(|name| !LENIENT.contains(name)))
}

#[test]
fn a_full_result_fits_its_own_method_in_every_revision() {
    for row in METHODS.iter().filter(|row| row.kind != MethodKind::Notification && row.name != "tasks/result") {
        let result_type = row.required_result.contains(&"resultType").then_some("complete");
        let every: Vec<_> = row.required_result.iter().chain(row.optional_result).copied().collect();
        for members in [row.required_result, &every] {
            let expected = match row.extension {
                Some("io.modelcontextprotocol/ui") if row.required_result.is_empty() => Fit::Possible,
                _ => Fit::Yes,
            };
            assert_eq!(fit(row.name, Some(row.since), members, result_type), expected, "{} {members:?}", row.name);
            assert_eq!(fit(row.name, None, members, result_type), expected, "{}", row.name);
        }
    }
}

#[test]
fn members_that_servers_leave_out_are_not_missed() {
    for row in marked() {
        let members: Vec<_> = row.required_result.iter().copied().filter(|name| !LENIENT.contains(name)).collect();
        assert_eq!(fit(row.name, Some(row.since), &members, None), Fit::Yes, "{}", row.name);
    }
}

#[test]
fn no_result_fits_the_method_of_another() {
    let same = [["tasks/get", "tasks/cancel"], ["tasks/cancel", "tasks/get"]];
    for row in marked().filter(|row| !row.name.starts_with("ui/")) {
        for other in marked().filter(|other| other.name != row.name && !same.contains(&[row.name, other.name])) {
            let found = fit(other.name, None, row.required_result, None);
            assert_eq!(found, Fit::No, "{} taken for {}", row.name, other.name);
        }
    }
}

#[test]
fn every_core_result_marks_its_method_first() {
    for row in marked().filter(|row| row.extension.is_none()) {
        let found = methods(row.required_result, row.required_result.contains(&"resultType").then_some("complete"));
        let expected = if row.name == "tasks/cancel" { "tasks/get" } else { row.name };
        assert_eq!(found.first(), Some(&expected), "{}", row.name);
        assert_eq!(found.len() == 1, !row.name.starts_with("tasks/") || row.name == "tasks/list", "{}", row.name);
    }
}

#[test]
fn an_empty_result_only_acknowledges() {
    for name in ["ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel", "tasks/cancel"] {
        assert_eq!(fit(name, None, &[], None), Fit::Yes, "{name}");
        assert!(methods(&[], None).contains(&name));
    }
    assert_eq!(fit("tasks/cancel", Some(Revision::V2025_11_25), &[], None), Fit::Possible);
    assert_eq!(fit("ui/message", None, &[], None), Fit::Possible);
    for name in ["initialize", "tools/call", "tools/list", "completion/complete", "roots/list"] {
        assert_eq!(fit(name, None, &[], None), Fit::No, "{name}");
    }
    assert_eq!(fit("ping", None, &["tools"], None), Fit::No);
    assert_eq!(fit("ping", None, &["_meta"], None), Fit::Yes);
    assert_eq!(fit("ping", None, &["pong"], None), Fit::Possible);
}

#[test]
fn a_question_back_stands_in_for_three_results() {
    let members = ["inputRequests", "requestState", "resultType"];
    for name in ["tools/call", "prompts/get", "resources/read"] {
        assert_eq!(fit(name, Some(Revision::V2026_07_28), &members, Some("input_required")), Fit::Yes, "{name}");
        assert_eq!(fit(name, None, &members, Some("input_required")), Fit::Yes, "{name}");
        let early = fit(name, Some(Revision::V2025_11_25), &members, Some("input_required"));
        assert_eq!(early, Fit::Possible, "{name}");
    }
    for name in ["tools/list", "ping", "tasks/get", "initialize"] {
        assert_eq!(fit(name, None, &members, Some("input_required")), Fit::No, "{name}");
    }
    assert_eq!(methods(&members, Some("input_required")), ["tools/call", "prompts/get", "resources/read"]);
}

#[test]
fn the_handle_of_a_task_stands_in_for_what_can_be_a_task() {
    for name in ["tools/call", "sampling/createMessage", "elicitation/create"] {
        assert_eq!(fit(name, Some(Revision::V2025_11_25), &["task"], None), Fit::Yes, "{name}");
        assert_eq!(fit(name, Some(Revision::V2025_06_18), &["task"], None), Fit::Possible, "{name}");
    }
    assert_eq!(fit("prompts/get", Some(Revision::V2025_11_25), &["task"], None), Fit::No);

    let flat = ["resultType", "taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs"];
    assert_eq!(methods(&flat, Some("task")), ["tools/call"]);
    assert_eq!(fit("tools/call", Some(Revision::V2026_07_28), &flat, Some("task")), Fit::Yes);
    assert_eq!(fit("tasks/get", Some(Revision::V2026_07_28), &flat, Some("task")), Fit::Possible);
    assert_eq!(fit("tasks/get", Some(Revision::V2026_07_28), &flat, Some("complete")), Fit::Yes);
    assert_eq!(fit("tools/list", None, &flat, Some("task")), Fit::No);
}

#[test]
fn weaker_signs_are_enough_for_a_guess() {
    assert_eq!(methods(&["structuredContent"], None), ["tools/call"]);
    assert_eq!(fit("tools/call", None, &["structuredContent"], None), Fit::Possible);
    assert_eq!(fit("initialize", None, &["protocolVersion", "capabilities"], None), Fit::Possible);
    assert_eq!(fit("sampling/createMessage", None, &["role", "content"], None), Fit::Possible);
    assert_eq!(fit("tools/call", None, &["content", "tools"], None), Fit::Possible, "tools may be an extra member");
}

#[test]
fn nothing_is_claimed_of_what_is_not_known() {
    assert!(methods(&["surprise"], None).is_empty());
    assert!(!candidates(|_| false, None, false).decisive());
    assert_eq!(fit("vendor/thing", None, &["surprise"], None), Fit::Possible);
    assert_eq!(fit("vendor/thing", None, &[], None), Fit::Possible);
    assert_eq!(fit("tasks/result", None, &["tools"], None), Fit::Possible);
    assert_eq!(fit("notifications/progress", None, &[], None), Fit::No);
    assert_eq!(candidates(|_| true, None, false).methods().len(), 1, "a result that claims every member");
}

#[test]
fn no_shape_is_hidden_by_one_before_it() {
    for (number, shape) in SHAPES.iter().enumerate() {
        for earlier in &SHAPES[..number] {
            let hidden = earlier.members.iter().all(|name| shape.members.contains(name));
            assert!(!hidden, "{:?} hides {:?}", earlier.members, shape.members);
        }
    }
}
