//! The log of JetBrains' AI Assistant: the same word before each message, whoever sent it.

use super::{Dice, Log, STDERR, Story, Tells, clock};

pub(crate) const LOG: Log = Log {
    format: "jetbrains",
    ending: "log",
    digits: Some(3),
    directions: false,
    payloads: true,
    tells: Tells::All,
    write,
};

fn write(story: &Story, dice: &mut Dice) -> String {
    let mut out = String::new();
    for said in &story.said {
        let time = clock(said.millis, "%Y-%m-%d %H:%M:%S,%f");
        match said.message {
            true => out.push_str(&format!("{time} SERVER - {}\n", said.text)),
            false => out.push_str(&format!("{}\n", said.text)),
        }
        if dice.once_in(4) {
            out.push_str(&format!("{}\n", dice.pick(&STDERR)));
        }
    }
    out
}
