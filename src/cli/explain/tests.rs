#![allow(clippy::unwrap_used)]

use super::topic::{find, names};
use super::{explanation, overview};

#[test]
fn every_listed_topic_has_a_page_that_names_it() {
    let known = names();
    assert!(known.len() > 80, "only {} topics", known.len());
    for (group, name) in known {
        let text = explanation(&name, 100).unwrap_or_else(|| panic!("no page for {name} of {group}"));
        if name != "draft" {
            assert!(text.contains(&name), "the page of {name} does not name it:\n{text}");
        }
    }
}

#[test]
fn every_kind_of_topic_is_found_by_its_name() {
    for (asked, expected) in [
        ("tools", "a primitive, owned by the server"),
        ("Sampling", "a primitive, owned by the client"),
        ("initialization", "a phase of a session"),
        ("tools/call", "request, sent by the client"),
        ("server.tools.listChanged", "a capability, declared by the server"),
        ("resources.subscribe", "a capability, declared by the server"),
        ("-32602", "an error code"),
        ("2025-11-25", "a revision of the protocol"),
        ("draft", "2026-07-28 · a revision of the protocol"),
        ("progressToken", "a key of `_meta`"),
    ] {
        let text = explanation(asked, 100).unwrap_or_else(|| panic!("no page for {asked}"));
        assert!(text.contains(expected), "{asked}:\n{text}");
    }
    assert!(find("nothing-of-this-name").is_empty());
}

#[test]
fn a_method_page_says_what_it_needs_and_where_that_stands() {
    let text = explanation("tools/call", 100).unwrap();
    assert!(text.contains("server.tools"), "{text}");
    assert!(text.contains("https://modelcontextprotocol.io/specification/2026-07-28/server/tools"), "{text}");
}

#[test]
fn pages_fit_their_width() {
    for width in [70, 80, 110] {
        for (_, name) in names() {
            let text = explanation(&name, width).unwrap();
            // Only the title and what cannot be broken, such as an address, may stand out.
            let long = text.lines().skip(1).find(|line| line.chars().count() > width && !line.contains("://"));
            assert_eq!(long, None, "in the page of {name} at {width}");
        }
    }
}

#[test]
fn the_overview_lists_every_group() {
    let text = overview(100);
    for word in ["sampling", "shutdown", "tools/call", "server.tools", "-32602", "2024-11-05", "progressToken"] {
        assert!(text.contains(word), "{word} is missing:\n{text}");
    }
}
