//! The logging transport of the Go SDK around a client, and around a server.

use super::{Dice, Log, STDERR, Story, Tells};

pub(crate) const CLIENT: Log = Log {
    format: "go-sdk",
    ending: "of-client.log",
    digits: None,
    directions: true,
    payloads: true,
    tells: Tells::All,
    write: |story, dice| write(story, dice, true),
};

pub(crate) const SERVER: Log =
    Log { ending: "of-server.log", write: |story, dice| write(story, dice, false), ..CLIENT };

fn write(story: &Story, dice: &mut Dice, client: bool) -> String {
    let mut out = String::new();
    for said in story.said.iter().filter(|said| said.message) {
        out.push_str(&format!("{}: {}\n", if said.from_client == client { "write" } else { "read" }, said.text));
        if dice.once_in(4) {
            out.push_str(&format!("{}\n", dice.pick(&STDERR)));
        }
    }
    out.push_str("read error: EOF\n");
    out
}
