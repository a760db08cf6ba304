//! A server on the C# SDK at level Trace: with records on two lines, and on one with times.

use super::{Dice, Log, Story, Tells, clock};

pub(crate) const LOG: Log = Log {
    format: "csharp-sdk",
    ending: "trace.log",
    digits: None,
    directions: true,
    payloads: true,
    tells: Tells::All,
    write: |story, dice| write(story, dice, |_, level, text| format!("{level}: {CATEGORY}[865689347]\n      {text}\n")),
};

pub(crate) const LINES: Log = Log {
    ending: "lines.log",
    digits: Some(3),
    write: |story, dice| {
        write(story, dice, |millis, level, text| {
            format!("{} {level}: {CATEGORY}[0] {text}\n", clock(millis, "%Y-%m-%dT%H:%M:%S.%fZ"))
        })
    },
    ..LOG
};

const CATEGORY: &str = "ModelContextProtocol.Server.StdioServerTransport";

fn write(story: &Story, dice: &mut Dice, record: impl Fn(u64, &str, &str) -> String) -> String {
    let endpoint = format!("Server (stdio) ({})", story.server);
    let mut out = record(0, "info", &format!("{endpoint} transport reading messages."));
    for said in story.said.iter().filter(|said| said.message) {
        let mut line =
            |level: &str, text: &str| out.push_str(&record(said.millis, level, &format!("{endpoint} {text}")));
        if !said.from_client {
            line("trce", &format!("sending message. Message: '{}'.", said.text));
        }
        let verb = if said.from_client { "received" } else { "sending" };
        line("trce", &format!("transport {verb} message. Message: '{}'.", said.text));
        if dice.once_in(4) {
            line("dbug", "transport received message with ID '7'.");
        }
    }
    out + &record(story.said.last().map_or(0, |said| said.millis), "info", &format!("{endpoint} shut down."))
}
