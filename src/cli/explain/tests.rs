#![allow(clippy::unwrap_used)]

use super::topic::{find, names};
use super::{explanation, overview, words};
use crate::render::column_names;
use crate::transcript::Flag;

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
        ("32601", "MethodNotFound, an error code"),
        ("tool", "a primitive, owned by the server"),
        ("orphans", "a flag"),
        ("tool error", "a status"),
        ("bad", "invalid · a word of the output"),
        ("✗", "a sign of the table"),
        ("+", "✓ · a sign of the table"),
        ("guessed", "what a statement rests on"),
        ("noise", "an event"),
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
            // Only the title and what cannot be broken, such as an address or a message, may stand out.
            let whole = |line: &&str| {
                line.contains("://")
                    || ["  C> ", "  S> ", "  C[", "  S[", "  @init "].iter().any(|of| line.starts_with(of))
            };
            let long = text.lines().skip(1).find(|line| line.chars().count() > width && !whole(line));
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

#[test]
fn every_flag_and_every_column_is_explained() {
    for flag in Flag::ALL {
        let text = explanation(flag.as_str(), 100).unwrap_or_else(|| panic!("no page for {}", flag.as_str()));
        assert!(text.contains("a flag"), "{text}");
    }
    for column in column_names() {
        assert!(explanation(column, 100).is_some(), "no page for the column {column}");
    }
}

#[test]
fn no_word_has_two_pages_of_one_group() {
    let all = words::words();
    for word in &all {
        let twin = all.iter().filter(|other| other.group == word.group && other.name == word.name).count();
        assert_eq!(twin, 1, "{} of {}", word.name, word.group);
        for other in word.also {
            let found = words::find(other);
            assert!(found.iter().any(|found| found.name == word.name), "{other} does not lead to {}", word.name);
        }
    }
}

#[test]
fn the_page_of_the_phases_explains_all_three() {
    let text = explanation("phases", 100).unwrap();
    for word in ["lifecycle", "initialization ·", "operation ·", "shutdown ·", "notifications/initialized"] {
        assert!(text.contains(word), "{word} is missing:\n{text}");
    }
    assert_eq!(explanation("phase", 100).unwrap(), text);
}

#[test]
fn the_newest_revision_comes_first_and_an_error_has_one_page() {
    let text = explanation("tools/call", 100).unwrap();
    let place = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word} is missing:\n{text}"));
    assert!(place("2026-07-28") < place("up to 2025-03-26"), "{text}");
    let text = explanation("-32601", 100).unwrap();
    assert_eq!(text.matches("MethodNotFound").count(), 1, "{text}");
}
