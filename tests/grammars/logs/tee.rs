//! Home-made tees: arrows with and without times, verbs behind a logger's words, the names of pipes, and labels that
//! name a kind.

use super::json_text::pretty;
use super::{Dice, Log, STDERR, STDOUT, Story, clock};

pub(crate) const ARROWS: Log = Log {
    format: "tee",
    ending: "arrows.log",
    digits: Some(3),
    directions: true,
    payloads: true,
    write: |story, dice| {
        let stamp = |millis| format!("[{}] ", clock(millis, "%Y-%m-%dT%H:%M:%S.%fZ"));
        let start = format!("{}START notes-server (pid=4120)\n", stamp(0));
        start + &write(story, dice, stamp, [">>> ", "<<< "])
    },
};

/// Without times; this one lays some messages out over several lines.
pub(crate) const SHORT: Log = Log {
    ending: "short.log",
    digits: None,
    write: |story, dice| {
        let mut out = String::new();
        for said in story.said.iter().filter(|said| said.message) {
            let text = if dice.once_in(3) { pretty(&said.text) } else { said.text.clone() };
            out.push_str(&format!("{} {text}\n", if said.from_client { "→" } else { "←" }));
        }
        out
    },
    ..ARROWS
};

pub(crate) const VERBS: Log = Log {
    ending: "verbs.log",
    write: |story, dice| {
        let stamp = |millis| format!("{} - notes - INFO - ", clock(millis, "%Y-%m-%d %H:%M:%S,%f"));
        write(story, dice, stamp, ["Received message: ", "Sent the response: "])
    },
    ..ARROWS
};

pub(crate) const PIPES: Log = Log {
    ending: "pipes.log",
    digits: None,
    write: |story, dice| write(story, dice, |_| String::new(), ["[stdin] ", "[stdout] "]),
    ..ARROWS
};

/// What the client sends is called a request, whatever it is, and its process is told.
pub(crate) const KINDS: Log = Log {
    ending: "kinds.log",
    digits: Some(0),
    directions: false,
    write: |story, dice| {
        let stamp = |millis| format!("{} - [PID:8124] - ", clock(millis, "%Y-%m-%d %H:%M:%S"));
        let start = format!("{}--- STARTING PROXY FOR: {} ---\n", stamp(0), story.server);
        let labels =
            ["[REQUEST] Method: unknown | ID: ? | Payload: ", "[RESPONSE] Method: unknown | ID: ? | Payload: "];
        start + &write(story, dice, stamp, labels)
    },
    ..ARROWS
};

fn write(story: &Story, dice: &mut Dice, stamp: impl Fn(u64) -> String, labels: [&str; 2]) -> String {
    let mut out = String::new();
    for said in &story.said {
        let stamp = stamp(said.millis);
        let label = labels[usize::from(!said.from_client)];
        out.push_str(&format!("{stamp}{label}{}\n", said.text));
        if dice.once_in(4) {
            out.push_str(&format!("{}\n", dice.pick(&STDERR)));
        }
        if story.polluted && dice.once_in(5) {
            out.push_str(&format!("{stamp}{}{}\n", labels[1], dice.pick(&STDOUT)));
        }
    }
    out
}
