//! Filters: what expressions and options select, what they refuse, and what the real program says with them.
#![allow(clippy::unwrap_used)]

#[path = "filter/commands.rs"]
mod commands;
#[path = "filter/conditions.rs"]
mod conditions;
#[path = "filter/properties.rs"]
mod properties;
#[path = "filter/saved.rs"]
mod saved;
#[path = "filter/table.rs"]
mod table;

use std::collections::HashSet;
use std::io::{self, Cursor};
use std::sync::Arc;

use jiff::tz::TimeZone;
use mcp_trace::annotate::{Record, Summary, Trace};
use mcp_trace::filter::{Asked, Expression, Filter, Quick};
use mcp_trace::pipeline::{Job, Sink, run_sources};
use mcp_trace::transcript::{ReadOptions, Source};

/// A session with every kind of message. The last has no time.
const SESSION: &str = r#"{"ts":"2026-03-02T09:15:00.000Z","dir":"client->server","server":"files","msg":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"desk","version":"1"}}}}
{"ts":"2026-03-02T09:15:00.100Z","dir":"server->client","server":"files","msg":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"files","version":"2"}}}}
{"ts":"2026-03-02T09:15:00.200Z","dir":"client->server","server":"files","msg":{"jsonrpc":"2.0","method":"notifications/initialized"}}
{"ts":"2026-03-02T09:15:01Z","dir":"client->server","server":"files","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"/etc/hosts","count":3,"big":1e300}}}}
{"ts":"2026-03-02T09:15:01.600Z","dir":"server->client","server":"files","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"},{"type":"image"}]}}}
{"ts":"2026-03-02T09:15:02Z","dir":"client->server","server":"files","msg":{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"write"}}}
{"ts":"2026-03-02T09:15:02.010Z","dir":"server->client","server":"files","msg":{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"refused: é"}}}
{"ts":"2026-03-02T09:15:03Z","dir":"client->server","server":"files","msg":{"jsonrpc":"2.0","id":2,"method":"prompts/list"}}
{"ts":"2026-03-02T09:15:04Z","dir":"client->server","server":"files","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"boom"}}}
{"ts":"2026-03-02T09:15:05.500Z","dir":"server->client","server":"files","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"isError":true}}}
{"ts":null,"dir":"server->client","server":"files","msg":{"jsonrpc":"2.0","id":9}}
"#;

/// What a run selects, passes over and says at its end.
#[derive(Default)]
struct Chosen {
    selected: Vec<u64>,
    passed: Vec<u64>,
    summary: Summary,
}

impl Sink for Chosen {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        match record {
            Record::Message(message) => self.selected.push(message.n),
            Record::Summary(summary) => self.summary = (*summary).clone(),
            _ => {}
        }
        Ok(())
    }

    fn passed(&mut self, record: &Record<'_>) -> io::Result<()> {
        if let Record::Message(message) = record {
            self.passed.push(message.n);
        }
        Ok(())
    }
}

fn run(filter: Filter, text: &str) -> Chosen {
    let job = Job {
        trace: Trace { command: "annotate", filter: Some(filter.words.clone()), inputs: vec!["a.jsonl".to_owned()] },
        from: None,
        read: ReadOptions::default(),
        redact: None,
        filter: Some(Arc::new(filter)),
        interrupt: Arc::default(),
    };
    let source = Source::from_read(Cursor::new(text.as_bytes().to_vec()));
    let mut chosen = Chosen::default();
    run_sources(&job, [("a.jsonl".to_owned(), Ok(source))], &mut chosen).unwrap();
    let both: HashSet<u64> = chosen.selected.iter().chain(&chosen.passed).copied().collect();
    assert_eq!(both.len(), chosen.selected.len() + chosen.passed.len(), "a message came twice");
    assert_eq!(chosen.summary.filtered.as_ref().unwrap().read, both.len() as u64);
    assert_eq!(chosen.summary.counts.messages, chosen.selected.len() as u64);
    chosen
}

fn wheres(expressions: &[&str]) -> Filter {
    let parse =
        |source: &&str| Expression::parse(source, &TimeZone::UTC).unwrap_or_else(|fault| panic!("{source}: {fault}"));
    Filter { expressions: expressions.iter().map(parse).collect(), ..Filter::default() }
}

fn asked(asked: Asked) -> Filter {
    Filter { quick: Quick::new(asked).unwrap(), ..Filter::default() }
}
