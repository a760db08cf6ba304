//! Valid MCP sessions without end: `initialize` first, up to eight requests in flight, ids of both kinds, some
//! errors, some cancellations. One call gives one message.

use std::collections::VecDeque;
use std::io::Write;

use crate::random::{Random, base64, words};

/// What the traffic looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All methods, sizes from 40 B to 1 MB.
    Mixed,
    /// Progress, log messages, pings and short calls.
    Small,
    /// Calls with answers of 1 MB.
    Large,
}

/// How many messages of each kind there were.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) requests: u64,
    pub(crate) responses: u64,
    pub(crate) errors: u64,
    pub(crate) notifications: u64,
}

/// What kind of answer a request gets.
#[derive(Clone, Copy)]
enum Ask {
    Initialize,
    Call,
    BigCall,
    ListTools,
    ListResources,
    ReadResource,
    GetPrompt,
    Complete,
    Empty,
    Sample,
    Elicit,
    Roots,
}

struct Pending {
    id: String,
    from_client: bool,
    ask: Ask,
}

pub(crate) struct Traffic {
    random: Random,
    shape: Shape,
    pub(crate) tally: Tally,
    pending: VecDeque<Pending>,
    string_ids: bool,
    next_id: [u64; 2],
    left: u64,
    greeting: u8,
    clock_ms: u64,
}

/// The tools of every server here.
const TOOLS: [&str; 8] =
    ["search_notes", "read_note", "list_files", "run_query", "add_note", "fetch", "plot", "rename"];

impl Traffic {
    pub(crate) fn new(shape: Shape, seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            shape,
            tally: Tally::default(),
            pending: VecDeque::new(),
            string_ids: false,
            next_id: [0, 0],
            left: 0,
            greeting: 0,
            clock_ms: 1_770_000_000_000,
        }
    }

    /// Milliseconds since 1970 of the last message.
    pub(crate) fn clock_ms(&self) -> u64 {
        self.clock_ms
    }

    /// Appends the next message and tells whether the client sent it.
    pub(crate) fn message(&mut self, out: &mut Vec<u8>) -> bool {
        self.clock_ms += self.random.below(40);
        if self.left == 0 && self.pending.is_empty() {
            return self.begin(out);
        }
        if self.greeting > 0 {
            return self.greet(out);
        }
        // Answers become likelier the more requests wait, and nothing is asked after the last one.
        let waiting = self.pending.len() as u64;
        if waiting >= 8 || self.left == 0 || self.random.below(8) < waiting {
            return self.answer_or_cancel(out);
        }
        self.left -= 1;
        match self.shape {
            Shape::Mixed => self.mixed(out),
            Shape::Small => self.small(out),
            Shape::Large => self.call(Ask::BigCall, out),
        }
    }

    fn begin(&mut self, out: &mut Vec<u8>) -> bool {
        self.string_ids = self.random.percent(40);
        self.next_id = [0, 0];
        self.left = 100 + self.random.below(900);
        self.greeting = 2;
        self.request(true, Ask::Initialize, "initialize", |_, out| {
            out.extend_from_slice(br#"{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{}}},"clientInfo":{"name":"desk-chat","version":"2.1.0"}}"#);
        }, out)
    }

    fn greet(&mut self, out: &mut Vec<u8>) -> bool {
        self.greeting -= 1;
        if self.greeting == 1 {
            return self.answer(0, false, out);
        }
        self.tally.notifications += 1;
        out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        true
    }

    fn mixed(&mut self, out: &mut Vec<u8>) -> bool {
        match self.random.below(100) {
            0..44 => self.call(Ask::Call, out),
            44..47 => self.request(true, Ask::ListTools, "tools/list", |_, out| out.extend_from_slice(b"{}"), out),
            47..51 => {
                self.request(true, Ask::ListResources, "resources/list", |_, out| out.extend_from_slice(b"{}"), out)
            }
            51..61 => self.request(true, Ask::ReadResource, "resources/read", uri, out),
            61..63 => self.request(true, Ask::Empty, "resources/subscribe", uri, out),
            63..67 => {
                self.request(true, Ask::GetPrompt, "prompts/get", |random, out| named("plan_day", random, out), out)
            }
            67..71 => self.request(true, Ask::Complete, "completion/complete", complete, out),
            71..74 => self.ping(out),
            74..76 => self.request(false, Ask::Sample, "sampling/createMessage", sample, out),
            76..78 => self.request(false, Ask::Elicit, "elicitation/create", elicit, out),
            78..80 => self.request(false, Ask::Roots, "roots/list", |_, out| out.extend_from_slice(b"{}"), out),
            80..90 => self.progress(out),
            90..97 => self.log(out),
            _ => self.updated(out),
        }
    }

    fn small(&mut self, out: &mut Vec<u8>) -> bool {
        match self.random.below(10) {
            0..4 => self.progress(out),
            4..7 => self.log(out),
            7 => self.ping(out),
            _ => self.call(Ask::Call, out),
        }
    }

    /// A call; its id is its progress token too, as the SDKs do it.
    fn call(&mut self, ask: Ask, out: &mut Vec<u8>) -> bool {
        let tool = *self.random.pick(&TOOLS);
        let small = self.shape != Shape::Mixed;
        let token = id(self.string_ids, self.next_id[0]);
        let params = |random: &mut Random, out: &mut Vec<u8>| {
            let length = if small { 40 } else { random.size(80, 5) };
            let limit = random.below(500);
            let _ = write!(
                out,
                r#"{{"_meta":{{"progressToken":{token}}},"name":"{tool}","arguments":{{"limit":{limit},"query":""#
            );
            words(random, length, out);
            out.extend_from_slice(br#""}}"#);
        };
        self.request(true, ask, "tools/call", params, out)
    }

    fn ping(&mut self, out: &mut Vec<u8>) -> bool {
        let from_client = self.random.percent(70);
        self.request(from_client, Ask::Empty, "ping", |_, out| out.extend_from_slice(b"{}"), out)
    }

    /// A step of a call that waits; without one, a log message.
    fn progress(&mut self, out: &mut Vec<u8>) -> bool {
        let running = self.pending.iter().find(|request| matches!(request.ask, Ask::Call | Ask::BigCall));
        let Some(Pending { id: token, .. }) = running else { return self.log(out) };
        self.tally.notifications += 1;
        let done = self.random.below(100);
        let _ = write!(
            out,
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{done},"total":100}}}}"#
        );
        false
    }

    fn log(&mut self, out: &mut Vec<u8>) -> bool {
        self.tally.notifications += 1;
        let level = *self.random.pick(&["debug", "info", "notice", "warning", "error"]);
        let _ = write!(
            out,
            r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"{level}","logger":"index","data":""#
        );
        let length = if self.shape == Shape::Small { 90 } else { self.random.size(60, 4) };
        words(&mut self.random, length, out);
        out.extend_from_slice(br#""}}"#);
        false
    }

    fn updated(&mut self, out: &mut Vec<u8>) -> bool {
        self.tally.notifications += 1;
        let note = self.random.below(400);
        let _ = write!(
            out,
            r#"{{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{{"uri":"file:///notes/{note}.md"}}}}"#
        );
        false
    }

    fn request(
        &mut self,
        from_client: bool,
        ask: Ask,
        method: &str,
        params: impl FnOnce(&mut Random, &mut Vec<u8>),
        out: &mut Vec<u8>,
    ) -> bool {
        self.tally.requests += 1;
        let counter = &mut self.next_id[usize::from(!from_client)];
        let id = id(self.string_ids, *counter);
        *counter += 1;
        let _ = write!(out, r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":"#);
        params(&mut self.random, out);
        out.push(b'}');
        self.pending.push_back(Pending { id, from_client, ask });
        from_client
    }

    fn answer_or_cancel(&mut self, out: &mut Vec<u8>) -> bool {
        let chosen = self.random.below(self.pending.len() as u64) as usize;
        if !self.random.percent(1) {
            let failed = self.random.percent(3);
            return self.answer(chosen, failed, out);
        }
        let Some(request) = self.pending.remove(chosen) else { unreachable!("chosen below the length") };
        self.tally.notifications += 1;
        let _ = write!(
            out,
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{},"reason":"took too long"}}}}"#,
            request.id
        );
        request.from_client
    }

    fn answer(&mut self, chosen: usize, failed: bool, out: &mut Vec<u8>) -> bool {
        let Some(request) = self.pending.remove(chosen) else { unreachable!("chosen below the length") };
        let _ = write!(out, r#"{{"jsonrpc":"2.0","id":{},"#, request.id);
        if failed {
            self.tally.errors += 1;
            out.extend_from_slice(br#""error":{"code":-32603,"message":"Internal error: the disk is \"busy\""}}"#);
        } else {
            self.tally.responses += 1;
            out.extend_from_slice(br#""result":"#);
            self.result(request.ask, out);
            out.push(b'}');
        }
        !request.from_client
    }

    fn result(&mut self, ask: Ask, out: &mut Vec<u8>) {
        let random = &mut self.random;
        match ask {
            Ask::Initialize => out.extend_from_slice(br#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},"serverInfo":{"name":"file-server","version":"0.9.3"}}"#),
            Ask::Call if self.shape == Shape::Small => text_content(random, 140, out),
            Ask::Call => {
                let length = if random.percent(45) { random.size(100, 4) } else { random.size(400, 7) };
                if random.percent(12) { structured(random, length, out) } else { text_content(random, length, out) }
            }
            Ask::BigCall => match random.below(3) {
                0 => text_content(random, 1 << 20, out),
                1 => structured(random, 1 << 20, out),
                _ => {
                    out.extend_from_slice(br#"{"content":[{"type":"image","mimeType":"image/png","data":""#);
                    base64(random, 1 << 20, out);
                    out.extend_from_slice(br#""}]}"#);
                }
            },
            Ask::ListTools => list_tools(random, out),
            Ask::ListResources => list_resources(random, out),
            Ask::ReadResource => contents(random, out),
            Ask::GetPrompt => {
                out.extend_from_slice(br#"{"messages":[{"role":"user","content":{"type":"text","text":""#);
                let length = random.size(200, 5);
                words(random, length, out);
                out.extend_from_slice(br#""}}]}"#);
            }
            Ask::Complete => out.extend_from_slice(br#"{"completion":{"values":["boat-trip.md","books.md"],"hasMore":false}}"#),
            Ask::Empty => out.extend_from_slice(b"{}"),
            Ask::Sample => {
                out.extend_from_slice(br#"{"role":"assistant","model":"desk-model-small","stopReason":"endTurn","content":{"type":"text","text":""#);
                let length = random.size(100, 5);
                words(random, length, out);
                out.extend_from_slice(br#""}}"#);
            }
            Ask::Elicit => out.extend_from_slice(br#"{"action":"accept","content":{"name":"Ada"}}"#),
            Ask::Roots => out.extend_from_slice(br#"{"roots":[{"uri":"file:///home/ada/notes","name":"Notes"}]}"#),
        }
    }
}

fn id(string: bool, number: u64) -> String {
    if string { format!("\"req-{number}\"") } else { number.to_string() }
}

fn uri(random: &mut Random, out: &mut Vec<u8>) {
    let _ = write!(out, r#"{{"uri":"file:///notes/{}.md"}}"#, random.below(400));
}

fn named(name: &str, random: &mut Random, out: &mut Vec<u8>) {
    let _ = write!(out, r#"{{"name":"{name}","arguments":{{"note":"{}.md"}}}}"#, random.below(400));
}

fn complete(random: &mut Random, out: &mut Vec<u8>) {
    let typed = *random.pick(&["b", "bo", "boa"]);
    let _ = write!(
        out,
        r#"{{"ref":{{"type":"ref/prompt","name":"plan_day"}},"argument":{{"name":"note","value":"{typed}"}}}}"#
    );
}

fn sample(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"maxTokens":200,"messages":[{"role":"user","content":{"type":"text","text":""#);
    let length = random.size(100, 5);
    words(random, length, out);
    out.extend_from_slice(br#""}}]}"#);
}

fn elicit(_: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"mode":"form","message":"Who are you?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}"#);
}

fn text_content(random: &mut Random, length: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"content":[{"type":"text","text":""#);
    words(random, length, out);
    out.extend_from_slice(br#""}]}"#);
}

fn structured(random: &mut Random, length: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(
        br#"{"content":[{"type":"text","text":"see structuredContent"}],"structuredContent":{"rows":["#,
    );
    let end = out.len() + length;
    let mut row = 0;
    while out.len() < end {
        let comma = if row == 0 { "" } else { "," };
        let (score, open) = (random.below(100_000), random.percent(50));
        let _ =
            write!(out, r#"{comma}{{"row":{row},"score":{}.{:03},"open":{open},"title":""#, score / 1000, score % 1000);
        words(random, 30, out);
        out.extend_from_slice(br#"","tags":["a","b"]}"#);
        row += 1;
    }
    let _ = write!(out, r#"],"total":{row}}}}}"#);
}

fn list_tools(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"tools":["#);
    let end = out.len() + random.size(2_500, 3);
    let mut count = 0;
    while out.len() < end {
        let comma = if count == 0 { "" } else { "," };
        let name = *random.pick(&TOOLS);
        let _ = write!(
            out,
            r#"{comma}{{"name":"{name}_{count}","inputSchema":{{"type":"object","properties":{{"query":{{"type":"string"}},"limit":{{"type":"integer"}}}}}},"description":""#
        );
        words(random, 150, out);
        out.extend_from_slice(br#""}"#);
        count += 1;
    }
    out.extend_from_slice(b"]}");
}

fn list_resources(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"resources":["#);
    for count in 0..3 + random.below(20) {
        let comma = if count == 0 { "" } else { "," };
        let _ = write!(
            out,
            r#"{comma}{{"uri":"file:///notes/{count}.md","name":"{count}.md","mimeType":"text/markdown"}}"#
        );
    }
    out.extend_from_slice(b"]}");
}

fn contents(random: &mut Random, out: &mut Vec<u8>) {
    let note = random.below(400);
    if random.percent(8) {
        let _ = write!(out, r#"{{"contents":[{{"uri":"file:///notes/{note}.png","mimeType":"image/png","blob":""#);
        let length = random.size(4 << 10, 8);
        base64(random, length, out);
    } else {
        let _ = write!(out, r#"{{"contents":[{{"uri":"file:///notes/{note}.md","mimeType":"text/markdown","text":""#);
        let length = random.size(400, 7);
        words(random, length, out);
    }
    out.extend_from_slice(br#""}]}"#);
}
