//! Warp's log of a server: messages over several lines, the server's standard error between.

use super::json_text::pretty;
use super::{Dice, Log, STDERR, Story, Tells, clock};

pub(crate) const LOG: Log =
    Log { format: "warp", ending: "log", digits: Some(3), directions: true, payloads: true, tells: Tells::All, write };

fn write(story: &Story, dice: &mut Dice) -> String {
    let mut out = String::new();
    for said in &story.said {
        if dice.once_in(4) {
            out.push_str(&format!("{}\n", dice.pick(&STDERR)));
        }
        let time = clock(said.millis, "%Y-%m-%d %H:%M:%S.%f");
        let label = if said.from_client { "Sending request" } else { "Received response" };
        match said.message {
            true => out.push_str(&format!("{time} | [info] MCP: {label}: {}\n", pretty(&said.text))),
            false => out.push_str(&format!("{}\n", said.text)),
        }
    }
    out
}
