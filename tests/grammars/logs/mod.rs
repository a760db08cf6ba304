//! Writers of text logs: each turns a session into a log in the grammar of its format, with what else stands in such logs
//! between the messages. A format is a file beside this one and a row in [`LOGS`].

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;

mod csharp_sdk;
mod fastmcp_log;
mod go_sdk;
mod java_sdk;
mod jetbrains;
#[path = "../../fixtures/json_text.rs"]
pub(crate) mod json_text;
mod mcp_go;
mod mcp_proxy;
mod mcp_remote;
pub(crate) mod notation;
mod python_sdk;
mod rmcp;
pub(crate) mod silent;
mod supergateway;
pub(crate) mod tee;
mod vscode;
mod warp;
mod zed;

/// One thing that went over the wire.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) from_client: bool,
    /// A message as JSON on one line; or, unless `message`, a line that is none.
    pub(crate) text: String,
    pub(crate) message: bool,
    /// When, in milliseconds since the log began.
    pub(crate) millis: u64,
}

/// What a log is written of.
#[derive(Debug)]
pub(crate) struct Story {
    /// The name that the host's configuration gives the server.
    pub(crate) server: String,
    pub(crate) said: Vec<Said>,
    /// The server also prints what is no message on its standard output; see [`STDOUT`].
    pub(crate) polluted: bool,
}

/// A log format as its producer writes it.
#[derive(Debug)]
pub(crate) struct Log {
    /// The row of `FORMATS`.
    pub(crate) format: &'static str,
    /// What follows the case in the names of its fixtures.
    pub(crate) ending: &'static str,
    /// Digits of a second that its times keep; `None` without times.
    pub(crate) digits: Option<u32>,
    /// It tells directions.
    pub(crate) directions: bool,
    /// It keeps messages whole.
    pub(crate) payloads: bool,
    /// Which messages it tells.
    pub(crate) tells: Tells,
    pub(crate) write: fn(&Story, &mut Dice) -> String,
}

/// Which messages a log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tells {
    All,
    /// What the server sends.
    OfServer,
    /// What the client asks and says, and how that was answered; without ids.
    Asked,
}

impl Story {
    /// What a log of it tells.
    pub(crate) fn told(&self, log: &Log) -> impl Iterator<Item = &Said> {
        let messages = || self.said.iter().filter(|said| said.message);
        let mut asked = BTreeSet::new();
        if log.tells == Tells::Asked {
            let of_client = messages().filter(|said| said.from_client).map(|said| fields(&said.text));
            asked.extend(of_client.filter(|(method, _)| method.is_some()).map(|(_, id)| id));
        }
        messages().filter(move |said| match log.tells {
            Tells::All => true,
            Tells::OfServer => !said.from_client,
            Tells::Asked => match fields(&said.text) {
                (Some(_), _) => said.from_client,
                (None, id) => !said.from_client && asked.contains(&id),
            },
        })
    }
}

/// Method and id of a message.
fn fields(text: &str) -> (Option<String>, Option<String>) {
    let message: Value = serde_json::from_str(text).unwrap();
    (message["method"].as_str().map(str::to_owned), message.get("id").map(Value::to_string))
}

pub(crate) const LOGS: &[Log] = &[
    vscode::LOG,
    vscode::EARLY,
    vscode::STDERR_ONLY,
    zed::LOG,
    warp::LOG,
    jetbrains::LOG,
    tee::ARROWS,
    tee::SHORT,
    tee::VERBS,
    tee::PIPES,
    tee::KINDS,
    tee::ANY,
    tee::ANY_TIMED,
    go_sdk::CLIENT,
    go_sdk::SERVER,
    supergateway::LOG,
    supergateway::DEEP,
    supergateway::OF_CLIENT,
    python_sdk::PROXY,
    python_sdk::RICH,
    python_sdk::CLIENT,
    python_sdk::BARE_CLIENT,
    csharp_sdk::LOG,
    csharp_sdk::LINES,
    java_sdk::LOG,
    mcp_go::LOG,
    mcp_go::DEFAULT,
    rmcp::LOG,
    mcp_remote::LOG,
    mcp_remote::CONSOLE,
    mcp_proxy::LOG,
    fastmcp_log::LOG,
    fastmcp_log::RICH,
];

/// Decides what stands between the messages: the same seed, the same log.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % sides as u64).unwrap()
    }

    /// True once in so many times.
    pub(crate) fn once_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    pub(crate) fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.roll(from.len())]
    }
}

/// What servers print on standard error, JSON that is none of MCP's among it.
pub(crate) const STDERR: [&str; 6] = [
    "watching /home/ada/notes",
    "{\"level\":\"warn\",\"msg\":\"slow disk\",\"ms\":412}",
    "    at read_folder (notes.js:214:9)",
    "Warning: locale \"C\" has no collation",
    "function () {",
    "Query parameters: {\"method\":\"GET\",\"id\":7,\"inner\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}",
];

/// What servers print on standard output by mistake.
pub(crate) const STDOUT: [&str; 3] = ["boot: \"ready\"\tin 3 ms", "\u{1b}[32mINFO\u{1b}[0m up", "{'level': 'info'}"];

/// The instant at which every log begins: 2026-03-02, 09:15 UTC, in milliseconds since 1970.
pub(crate) const BEGIN: u64 = 1_772_442_900_000;

/// A time in the words of `strftime`; `%f` are milliseconds.
pub(crate) fn clock(millis: u64, form: &str) -> String {
    let passed = (BEGIN + millis) / 1000;
    // March 2026 is long enough for every story.
    let (day, second) = (passed / 86_400 - 20_513, passed % 86_400);
    assert!(day < 31, "a story of more than a month");
    let mut out = String::new();
    let mut letters = form.chars();
    while let Some(letter) = letters.next() {
        let part = if letter == '%' { letters.next().unwrap() } else { '%' };
        let written = match part {
            '%' => write!(out, "{letter}"),
            'Y' => write!(out, "2026"),
            'm' => write!(out, "03"),
            'd' => write!(out, "{:02}", day + 1),
            'H' => write!(out, "{:02}", second / 3600),
            'M' => write!(out, "{:02}", second / 60 % 60),
            'S' => write!(out, "{:02}", second % 60),
            'f' => write!(out, "{:03}", millis % 1000),
            other => panic!("no part of a time: {other}"),
        };
        written.unwrap();
    }
    out
}
