#![allow(clippy::unwrap_used)]

use std::io;

use owo_colors::Style;

use super::card::Look;
use super::family::{Family, Relations, Role};
use super::held::{self, Held, Message};
use super::pretty::{Palette, write_plain, write_pretty};
use super::sinks::{Finder, Form, Shower};
use crate::annotate::{Annotated, Basis, IdState, Kind, Record};
use crate::pipeline::Sink;
use crate::position::Position;
use crate::protocol::{Direction, Feature, Phase};
use crate::transcript::{Flags, Frame};

fn pretty(json: &str) -> String {
    let mut out = Vec::new();
    write_pretty(json, "", &Palette::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn json_is_laid_out_and_copied() {
    let text = pretty(r#"{"a":[1,2.50,{"b":{}}],"c":"x\"}{","d":[]}"#);
    let want = "{\n  \"a\": [\n    1,\n    2.50,\n    {\n      \"b\": {}\n    }\n  ],\n  \"c\": \"x\\\"}{\",\n  \"d\": []\n}\n";
    assert_eq!(text, want);
}

#[test]
fn hostile_characters_become_escapes_of_the_same_value() {
    let json = "{\"k\u{9b}\":\"\u{202e}\u{7f}\u{e0001}\"}";
    let text = pretty(json);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(value(&text), value(json));
}

#[test]
fn only_keys_have_the_colour_of_keys() {
    let mut out = Vec::new();
    let palette = Palette { key: Style::new().cyan(), ..Palette::default() };
    write_pretty(r#"{"a":"b","c":["d"]}"#, "", &palette, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.matches("\u{1b}[36m").count(), 2, "{text:?}");
}

#[test]
fn deep_nesting_costs_lines_not_squares() {
    let depth = 20_000;
    let text = pretty(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    assert!(text.len() < depth * 200, "{} bytes", text.len());
}

#[test]
fn text_that_is_no_json_is_escaped() {
    let mut out = Vec::new();
    write_plain("{\"a\u{1b}[2J\nb", "  ", &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "  {\"a\\u001b[2J\n  b\n");
}

#[test]
fn broken_json_is_laid_out_without_a_panic() {
    for text in ["\"", "{\"a", "]]}", "\"\\", "{\"é", ",:,", "[1 2", "\"\\é"] {
        pretty(text);
    }
}

#[test]
fn a_family_is_request_answer_and_what_hangs_on_them() {
    let answer = Relations { n: 9, answers: Some(6), ..Relations::default() };
    let family = Family::around(answer);
    let role = |relations: Relations| family.role(&relations);
    let other = |n| Relations { n, ..Relations::default() };
    assert_eq!(role(answer), Some(Role::Asked));
    assert_eq!(role(other(6)), Some(Role::Request));
    assert_eq!(role(Relations { relates_to: Some(6), ..other(7) }), Some(Role::About));
    assert_eq!(role(Relations { caused_by: Some(6), ..other(8) }), Some(Role::Caused));
    assert_eq!(role(Relations { answers: Some(4), ..other(5) }), None);

    let early = Family::around(Relations { n: 3, answered_by: Some(2), ..Relations::default() });
    assert_eq!(early.role(&other(2)), Some(Role::Answer));
    let notice = Family::around(Relations { n: 7, relates_to: Some(6), ..Relations::default() });
    assert_eq!(notice.role(&other(6)), Some(Role::Origin));
}

#[test]
fn what_is_held_is_bounded_in_number_and_bytes() {
    let message = |n, length| Message {
        relations: Relations { n, ..Relations::default() },
        head: String::new(),
        text: "x".repeat(length),
    };
    let mut held = Held::default();
    for n in 0..held::MESSAGES as u64 + 10 {
        held.push(message(n, 1));
    }
    let kept: Vec<u64> = held.into_iter().map(|message| message.relations.n).collect();
    assert_eq!((kept.len(), kept[0]), (held::MESSAGES, 10));

    let mut held = Held::default();
    held.push(message(1, held::BYTES / 2));
    held.push(message(2, held::BYTES / 2 + 1));
    assert_eq!(held.into_iter().map(|message| message.relations.n).collect::<Vec<_>>(), [2]);
}

fn message(n: u64, answers: Option<u64>) -> Annotated<'static> {
    Annotated {
        input: 0,
        file: "-",
        n,
        position: Position { line: n, end_line: n, offset: 0, length: 2, lead: None, entry: None },
        pointer: "",
        session: 1,
        server: None,
        time: None,
        session_start: None,
        direction: Some(Direction::ClientToServer),
        kind: if answers.is_some() { Kind::Response } else { Kind::Request },
        outcome: None,
        id: None,
        id_state: IdState::Absent,
        method: Some("tools/call"),
        target: Some("a\u{1b}[31mb"),
        feature: Feature::Unknown,
        phase: Some(Phase::Operation),
        revision: Some("2025-11-25"),
        requires: &[],
        answers,
        answered_by: None,
        relates_to: None,
        caused_by: None,
        continues: None,
        status: None,
        late: false,
        cancelled: false,
        error: None,
        latency: None,
        batch: None,
        flags: Flags::NONE,
        basis: Basis::default(),
        parsed: None,
        text: "{}",
        http: None,
        frame: &Frame::BLANK,
    }
}

fn cards() -> Form {
    Form::Cards(Look { color: false, ascii: true, zone: None, width: 80 })
}

#[test]
fn one_pass_shows_the_request_that_came_before() {
    let mut out = Vec::new();
    let mut shower = Shower::new(3, None, cards(), None, &mut out);
    for message in [message(1, None), message(2, None), message(3, Some(1)), message(4, Some(2))] {
        shower.record(&Record::Message(&message)).unwrap();
    }
    let shown = shower.finish().unwrap();
    assert!(shown.asked && shown.lost_request.is_none());
    let text = String::from_utf8(out).unwrap();
    let numbers: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).map(|line| &line[..2]).collect();
    assert_eq!(numbers, ["#1", "#3"]);
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn a_request_that_is_gone_is_told() {
    let mut shower = Shower::new(9000, None, cards(), None, io::sink());
    for n in 1..9000 {
        shower.record(&Record::Message(&message(n, None))).unwrap();
    }
    shower.record(&Record::Message(&message(9000, Some(1)))).unwrap();
    assert_eq!(shower.finish().unwrap().lost_request, Some(1));
}

#[test]
fn the_finder_stops_at_the_message() {
    let mut finder = Finder::new(2, None);
    finder.record(&Record::Message(&message(1, None))).unwrap();
    assert!(finder.record(&Record::Message(&message(2, None))).is_err());
    assert!(finder.family.is_some());
}
