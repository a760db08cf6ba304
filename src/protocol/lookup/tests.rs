#![allow(clippy::unwrap_used)]

use super::{INDEX, SLOTS, distance, hash, input_request, method_set, suggest};
use crate::protocol::{METHODS, MethodKind, Revision, Side};

#[test]
fn every_row_is_found_by_its_name_and_near_its_slot() {
    for row in METHODS {
        let set = method_set(row.name).unwrap();
        assert!(set.rows().iter().any(|found| std::ptr::eq(*found, row)), "{}", row.name);
        assert!(set.rows().iter().all(|found| found.name == row.name));
        let probes = (0..SLOTS).position(|step| {
            let place = INDEX.slots[(hash(row.name.as_bytes()) + step) % SLOTS];
            INDEX.names.get(usize::from(place)).is_some_and(|named| named.name == row.name)
        });
        assert!(probes.unwrap() < 3, "{} needs {probes:?} more probes", row.name);
    }
    let names: std::collections::BTreeSet<_> = METHODS.iter().map(|row| row.name).collect();
    assert!(names.len() * 4 < SLOTS, "an unknown name must meet an empty slot soon");
}

#[test]
fn names_that_are_not_known_are_not_found() {
    let long = "tools/call".repeat(1000);
    for name in
        ["", "tools", "tools/calls", "Tools/call", "tools/call ", "tools\u{2044}call", "\0\0\0\0\0\0\0\0", &long]
    {
        assert!(method_set(name).is_none(), "{name:?}");
    }
    for row in METHODS {
        for cut in 0..row.name.len() {
            let part = &row.name[..cut];
            assert_eq!(method_set(part).is_some(), METHODS.iter().any(|other| other.name == part), "{part}");
        }
    }
}

#[test]
fn a_row_is_chosen_by_revision() {
    let roots = method_set("roots/list").unwrap();
    assert_eq!(roots.at(Revision::V2025_11_25).unwrap().kind, MethodKind::Request);
    assert_eq!(roots.at(Revision::V2026_07_28).unwrap().kind, MethodKind::InputRequest);
    assert_eq!(roots.only_sender(), Some(Side::Server));

    let ping = method_set("ping").unwrap();
    assert!(ping.at(Revision::V2026_07_28).is_none());
    assert_eq!(ping.at_or_any(Some(Revision::V2026_07_28)).until, Revision::V2025_11_25);
    assert_eq!(ping.only_sender(), None);

    let tasks = method_set("tasks/get").unwrap();
    assert_eq!(tasks.at(Revision::V2025_11_25).unwrap().extension, None);
    assert_eq!(tasks.at_or_any(None).extension, Some("io.modelcontextprotocol/tasks"));
    assert!(tasks.at(Revision::V2025_06_18).is_none());
    assert_eq!(tasks.only_sender(), None, "both sides until 2025-11-25, the client alone in the extension");
}

#[test]
fn input_requests_are_the_three_that_a_server_once_sent() {
    for name in ["roots/list", "sampling/createMessage", "elicitation/create"] {
        assert_eq!(input_request(name).unwrap().since, Revision::V2026_07_28, "{name}");
    }
    assert!(input_request("tools/call").is_none());
    assert!(input_request("nothing").is_none());
}

#[test]
fn the_nearest_name_is_suggested_when_it_is_near() {
    for (typed, meant) in [
        ("tool/call", "tools/call"),
        ("tools/cal", "tools/call"),
        ("Tools/List", "tools/list"),
        ("resource/templates/list", "resources/templates/list"),
        ("initialise", "initialize"),
        ("notification/initialized", "notifications/initialized"),
        ("sampling/create_message", "sampling/createMessage"),
        ("pimg", "ping"),
    ] {
        assert_eq!(suggest(typed), Some(meant), "{typed}");
    }
    for far in ["", "x", "frobnicate", "workspace/didChangeConfiguration", &"tools/list".repeat(500)] {
        assert_eq!(suggest(far), None, "{far}");
    }
}

#[test]
fn distance_counts_edits() {
    let letters = |text: &str| text.chars().collect::<Vec<_>>();
    assert_eq!(distance(&letters(""), "ping"), 4);
    assert_eq!(distance(&letters("ping"), "ping"), 0);
    assert_eq!(distance(&letters("pong"), "ping"), 1);
    assert_eq!(distance(&letters("pin"), "ping"), 1);
    assert_eq!(distance(&letters("sitting"), "kitten"), 3);
}
