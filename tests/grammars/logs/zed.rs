//! Zed's log at `trace`: one server's messages, its standard error, and what the editor logs of other things.

use super::{Dice, Log, STDERR, Story, Tells, clock};

pub(crate) const LOG: Log = Log {
    format: "zed",
    ending: "trace.log",
    digits: Some(0),
    directions: true,
    payloads: true,
    tells: Tells::All,
    write,
};

fn write(story: &Story, dice: &mut Dice) -> String {
    let mut out = String::new();
    let mut line = |millis: u64, level: &str, module: &str, text: &str| {
        let time = clock(millis + 3_600_000, "%Y-%m-%dT%H:%M:%S+01:00");
        out.push_str(&format!("{time} {level:<5} [{module}] {text}\n"));
    };
    line(0, "INFO", "context_server", &format!("starting context server {}", story.server));
    for said in &story.said {
        if dice.once_in(4) {
            line(
                said.millis,
                "DEBUG",
                "context_server::client",
                &format!("context server stderr: {}", dice.pick(&STDERR)),
            );
        }
        if dice.once_in(5) {
            line(said.millis, "INFO", "worktree", "finished scan of {\"jsonrpc\" notes}");
        }
        let label = if said.from_client { "outgoing message" } else { "recv" };
        match said.message {
            true => line(said.millis, "TRACE", "context_server::client", &format!("{label}: {}", said.text)),
            false => line(
                said.millis,
                "WARN",
                "context_server::client",
                &format!("Unhandled JSON from context_server: {}", said.text),
            ),
        }
        if dice.once_in(5) {
            line(
                said.millis,
                "DEBUG",
                "context_server::client",
                "took 12.5ms to receive response to \"tools/list\" id 3",
            );
        }
    }
    out
}
