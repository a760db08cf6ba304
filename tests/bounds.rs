//! What is kept has bounds: a stream that would fill every table leaves the program small, and says what was lost.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod support;

use std::io::{self, Read, Write};
use std::process::{Command, Stdio};

use support::run_read;

/// Lines made as they are read.
struct Lines<F: FnMut(u64) -> Option<String>> {
    next: F,
    number: u64,
    left: Vec<u8>,
}

impl<F: FnMut(u64) -> Option<String>> Read for Lines<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left.len() < buffer.len() {
            let Some(line) = (self.next)(self.number) else { break };
            self.number += 1;
            self.left.extend_from_slice(line.as_bytes());
            self.left.push(b'\n');
        }
        let size = buffer.len().min(self.left.len());
        buffer[..size].copy_from_slice(&self.left[..size]);
        self.left.drain(..size);
        Ok(size)
    }
}

fn lines(count: u64, make: impl Fn(u64) -> String + Send + 'static) -> impl Read + Send + 'static {
    Lines { next: move |number| (number < count).then(|| make(number)), number: 0, left: Vec::new() }
}

#[test]
fn a_million_requests_without_an_answer_leave_as_many_as_the_bound() {
    const COUNT: u64 = 1_000_000;
    let run = run_read(
        "silent",
        lines(COUNT, |number| format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/list"}}"#)),
        |_| {},
    );
    assert_eq!(run.summary.counts.requests, COUNT);
    assert_eq!(run.summary.unanswered, COUNT);
    assert_eq!(run.summary.caps_reached, [("open-requests", COUNT - 65_536)]);
}

#[test]
fn the_oldest_request_gives_way_and_the_newest_is_still_answered() {
    const COUNT: u64 = 70_000;
    let mut answers = Vec::new();
    let run = run_read(
        "late",
        lines(COUNT + 2, |number| match number {
            COUNT => r#"{"jsonrpc":"2.0","id":0,"result":{"tools":[]}}"#.to_owned(),
            _ if number > COUNT => format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"tools":[]}}}}"#, COUNT - 1),
            _ => format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/list"}}"#),
        }),
        |message| {
            if message.n > COUNT {
                answers.push(message.answers);
            }
        },
    );
    assert_eq!(answers, [None, Some(COUNT)]);
    assert_eq!(run.summary.unanswered, COUNT - 1);
}

#[test]
fn long_ids_names_and_targets_are_bounded_by_their_bytes() {
    const COUNT: u64 = 3_000;
    let long = "u".repeat(16_000);
    let run = run_read(
        "long",
        lines(COUNT, move |number| {
            format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"resources/read","params":{{"uri":"{long}"}}}}"#)
        }),
        |_| {},
    );
    assert_eq!(run.summary.unanswered, COUNT);
    // 3 MiB hold about 196 of them.
    let [("open-requests", lost)] = run.summary.caps_reached[..] else { panic!("{:?}", run.summary.caps_reached) };
    assert!((COUNT - 200..COUNT - 190).contains(&lost), "{lost}");
}

#[test]
fn many_sessions_in_one_file_are_told_one_by_one() {
    const SESSIONS: u64 = 3_000;
    let run = run_read(
        "sessions",
        lines(3 * SESSIONS, |number| {
            let step = match number % 3 {
                0 => {
                    r#""id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#
                }
                1 => {
                    r#""id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#
                }
                _ => r#""method":"notifications/initialized"}"#,
            };
            format!(r#"{{"jsonrpc":"2.0",{step}"#)
        }),
        |_| {},
    );
    assert_eq!(run.sessions, SESSIONS);
    assert_eq!((run.summary.lifecycle, run.summary.operation), (3 * SESSIONS, 0));
    assert!(run.summary.caps_reached.is_empty());
}

#[test]
fn lanes_beyond_the_bound_are_counted() {
    const LANES: u64 = 1_500;
    let run = run_read(
        "lanes",
        lines(LANES, |number| {
            format!(
                r#"{{"ts":"2026-01-01T00:00:00Z","dir":"client->server","session":"s{number}","msg":{{"jsonrpc":"2.0","id":1,"method":"ping"}}}}"#
            )
        }),
        |_| {},
    );
    assert_eq!(run.sessions, LANES);
    assert_eq!(run.summary.caps_reached, [("lanes", LANES - 1_024)]);
}

/// Peak memory of the real program while it still runs, in MiB.
#[cfg(target_os = "linux")]
fn peak(arguments: &[&str], input: &mut dyn Read) -> f64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-trace"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    io::copy(input, &mut to).unwrap();
    to.flush().unwrap();
    // The pipe holds 64 KiB: what was written before that has been read.
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let kilobytes: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    drop(to);
    child.wait().unwrap();
    kilobytes / 1024.0
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_stream() {
    let traffic = |count: u64| {
        lines(count, |number| match number % 2 {
            0 => format!(
                r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"t{number}"}}}}"#,
                number / 2
            ),
            _ => format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{{"content":[{{"type":"text","text":"{}"}}]}}}}"#,
                number / 2,
                "x".repeat(2_000)
            ),
        })
    };
    // The program itself: a debug build is large.
    let base = peak(&["--format", "ndjson"], &mut traffic(400));
    let small = peak(&["--format", "ndjson"], &mut traffic(4_000)) - base;
    let large = peak(&["--format", "ndjson"], &mut traffic(40_000)) - base;
    println!("peak memory above {base:.1} MiB: {small:.1} MiB for 4 MB, {large:.1} MiB for 40 MB");
    assert!(large - small < 2.0, "{small:.1} MiB, then {large:.1} MiB");
    assert!(large < 8.0, "{large:.1} MiB");
}
