//! The traffic of the benchmarks cannot drift: each shape's first megabyte is pinned, and it is valid MCP.
#![allow(clippy::unwrap_used)]

#[path = "../benches/gen/random.rs"]
mod random;
#[path = "../benches/gen/traffic.rs"]
mod traffic;
#[allow(dead_code)]
#[path = "../benches/gen/wrap.rs"]
mod wrap;

use std::collections::HashSet;

use serde_json::Value;
use traffic::{Shape, Traffic};
use wrap::Wrap;

const SEED: u64 = 20_250_102;

struct Sample {
    bytes: Vec<u8>,
    /// Each message and whether the client sent it.
    messages: Vec<(bool, Value)>,
    traffic: Traffic,
}

fn sample(shape: Shape, wrapping: Wrap, length: usize) -> Sample {
    let mut traffic = Traffic::new(shape, SEED);
    let (mut bytes, mut messages, mut message) = (Vec::new(), Vec::new(), Vec::new());
    while bytes.len() < length {
        message.clear();
        let from_client = traffic.message(&mut message);
        messages.push((from_client, serde_json::from_slice(&message).unwrap()));
        wrap::write(wrapping, &message, from_client, traffic.clock_ms(), &mut bytes);
    }
    Sample { bytes, messages, traffic }
}

/// FNV-1a, 64 bits.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_first_megabyte_of_each_shape_is_what_it_was() {
    let pinned: [(&str, Shape, Wrap, u64); 6] = [
        ("mixed", Shape::Mixed, Wrap::Ndjson, 0x9d56_8937_703a_c52b),
        ("small", Shape::Small, Wrap::Ndjson, 0xa7bc_885f_ed30_6594),
        ("large", Shape::Large, Wrap::Ndjson, 0x6b70_eabe_27aa_7cc2),
        ("mixed as desktop", Shape::Mixed, Wrap::Desktop, 0xe0b0_37e6_ce8f_52c5),
        ("mixed as timed", Shape::Mixed, Wrap::Timed, 0x2c7b_46af_739f_5c86),
        ("mixed as sse", Shape::Mixed, Wrap::Sse, 0x7772_3da9_b49f_2004),
    ];
    let found = pinned.map(|(name, shape, wrapping, _)| (name, digest(&sample(shape, wrapping, 1_000_000).bytes)));
    let found = found.map(|(name, digest)| format!("{name} {digest:#018x}"));
    assert_eq!(found, pinned.map(|(name, _, _, digest)| format!("{name} {digest:#018x}")));
}

#[test]
fn ids_pair_up_and_sessions_begin_with_initialize() {
    for shape in [Shape::Mixed, Shape::Small] {
        let Sample { messages, traffic, .. } = sample(shape, Wrap::Ndjson, 1_000_000);
        let mut open: HashSet<(bool, String)> = HashSet::new();
        let (mut answers, mut most_open) = (0, 0);
        assert_eq!(messages[0].1["method"], "initialize");
        for (from_client, message) in &messages {
            let id = message["id"].to_string();
            match message["method"].as_str() {
                Some("initialize") => assert!(open.is_empty(), "a session ends with nothing open"),
                Some("notifications/cancelled") => {
                    assert!(open.remove(&(*from_client, message["params"]["requestId"].to_string())));
                }
                Some("notifications/progress") => {
                    let token = message["params"]["progressToken"].to_string();
                    assert!(open.contains(&(true, token)), "progress of a call that is not open: {message}");
                }
                Some(_) => {}
                None => {
                    assert!(open.remove(&(!from_client, id.clone())), "an answer to nobody: {message}");
                    answers += 1;
                }
            }
            if message.get("id").is_some() && message["method"].is_string() {
                assert!(open.insert((*from_client, id)));
                most_open = most_open.max(open.len());
            }
        }
        assert_eq!(answers, traffic.tally.responses + traffic.tally.errors);
        assert!((4..=8).contains(&most_open), "{most_open} in flight");
    }
}

#[test]
fn the_mix_is_the_stated_one() {
    let Sample { messages, bytes, .. } = sample(Shape::Mixed, Wrap::Ndjson, 20_000_000);
    let count = |wanted: &dyn Fn(&Value) -> bool| messages.iter().filter(|(_, message)| wanted(message)).count();
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole as f64;

    let requests = count(&|message| message["method"].is_string() && message.get("id").is_some());
    let errors = percent(count(&|message| message.get("error").is_some()), requests);
    assert!((2.0..4.0).contains(&errors), "{errors} % errors");
    let cancelled = percent(count(&|message| message["method"] == "notifications/cancelled"), requests);
    assert!((0.5..1.6).contains(&cancelled), "{cancelled} % cancelled");
    let strings = percent(count(&|message| message["id"].is_string()), count(&|message| message.get("id").is_some()));
    assert!((25.0..60.0).contains(&strings), "{strings} % string ids");
    let beyond_ascii = percent(bytes.iter().filter(|byte| !byte.is_ascii()).count(), bytes.len());
    assert!((0.5..2.0).contains(&beyond_ascii), "{beyond_ascii} % of bytes beyond ASCII");
    let escapes = percent(bytes.iter().filter(|byte| **byte == b'\\').count(), bytes.len());
    assert!((0.5..2.0).contains(&escapes), "{escapes} % backslashes");
}

#[test]
fn large_answers_are_a_megabyte() {
    let Sample { messages, .. } = sample(Shape::Large, Wrap::Ndjson, 10_000_000);
    let calls = messages.iter().filter(|(_, message)| message["result"]["content"].is_array());
    let sizes: Vec<usize> = calls.map(|(_, message)| message.to_string().len()).collect();
    assert!(sizes.len() >= 9 && sizes.iter().all(|size| *size > 900_000), "{sizes:?}");
}
