//! Files that a second thread reads ahead tell the same as without it, whatever is in them and wherever its blocks end.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop, prop_oneof, proptest};
use walkdir::WalkDir;

use mcp_trace::annotate::{Record, Trace};
use mcp_trace::pipeline::{self, Job, Sink};
use mcp_trace::render::{OUTPUTS, OpenOptions, Renderer};
use mcp_trace::rules::Levels;
use mcp_trace::transcript::ReadOptions;

struct Lines(Box<dyn Renderer>, Vec<u8>);

impl Sink for Lines {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.0.record(record, &mut self.1)
    }
}

/// The records of a file with every payload, as NDJSON. `ahead`: a thread reads ahead.
fn records(path: &Path, ahead: bool) -> String {
    let job = Job {
        trace: Trace { command: "annotate", filter: None, inputs: vec![path.to_str().unwrap().to_owned()] },
        from: None,
        read: ReadOptions { ahead: ahead.then_some(0), max_line: MAX_LINE as u64, ..ReadOptions::default() },
        redact: None,
        filter: None,
        interrupt: Default::default(),
    };
    let output = OUTPUTS.iter().find(|output| output.name == "ndjson").unwrap();
    let options = OpenOptions {
        width: 120,
        color: false,
        ascii: false,
        absolute_times: false,
        zone: jiff::tz::TimeZone::UTC,
        payload: true,
        wide: false,
        columns: None,
        fail_on: None,
        levels: Levels::default(),
        as_revision: None,
    };
    let mut lines = Lines((output.open)(&options), Vec::new());
    pipeline::run(&job, &mut lines).unwrap();
    String::from_utf8(lines.1).unwrap()
}

const MAX_LINE: usize = 600_000;

fn compare(path: &Path) {
    let (alone, ahead) = (records(path, false), records(path, true));
    if let Some((line, (one, other))) =
        alone.lines().zip(ahead.lines()).enumerate().find(|(_, (one, other))| one != other)
    {
        panic!("{}: record {line} is\n{:.600}\nahead:\n{other:.600}", path.display(), one);
    }
    assert_eq!(alone.lines().count(), ahead.lines().count(), "{}", path.display());
}

#[test]
fn fixtures_tell_the_same() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let files = WalkDir::new(root).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let compared = files.map(|entry| compare(entry.path())).count();
    assert!(compared > 50, "{compared} fixtures");
}

/// A line with its end.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let text = |text: &'static str| Just(text.as_bytes().to_vec());
    let long = |from: usize, to: usize| {
        (from..to).prop_map(|size| {
            let blob = "x".repeat(size);
            format!("{{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{{\"blob\":\"{blob}\"}}}}\n").into_bytes()
        })
    };
    prop_oneof![
        30 => (0_u32..50, prop::collection::vec("[a-z]{1,6}", 0..40)).prop_map(|(id, names)| {
            let members: Vec<_> = names.iter().map(|name| format!("\"{name}\":{id}")).collect();
            let params = members.join(",");
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{{params}}}}}\n").into_bytes()
        }),
        10 => (0_u32..50).prop_map(|id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}\n").into_bytes()),
        5 => text("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"),
        5 => text("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no such \\u006dethod\"}}\n"),
        3 => text("  {\"jsonrpc\": \"2.0\", \"id\": 3, \"m\\u0065thod\": \"ping\"}\t \n"),
        3 => text("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}\n"),
        3 => text("[{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{}}]\n"),
        3 => text("server says: ready\n"),
        3 => text("\n"),
        3 => text("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"too\n"),
        1 => text("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n"),
        1 => text("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ä\"}\n"),
        1 => Just(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}\n".to_vec()),
        1 => Just(b"\x1b[31mred\x1b[0m\n".to_vec()),
        2 => long(1_000, 60_000),
        1 => long(250_000, 700_000),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_tell_the_same(
        lines in prop::collection::vec(line(), 1..60),
        times in 1_usize..200,
        cut in any::<prop::sample::Index>(),
    ) {
        let once = lines.concat();
        let mut text = once.repeat(times.min(1 + 1_000_000 / once.len()));
        // Most files end with a line end, some in a line.
        text.truncate(text.len() - cut.index(once.len()).saturating_sub(once.len() / 2));
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), &text).unwrap();
        compare(file.path());
    }
}
