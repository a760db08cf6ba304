//! Supergateway in front of a server on stdio, and between a client on stdio and a server on the network.

use super::notation::{Tree, node, node_line};
use super::{Dice, Log, STDERR, STDOUT, Story, Tells};

pub(crate) const LOG: Log = Log {
    format: "supergateway",
    ending: "http.log",
    digits: None,
    directions: true,
    payloads: true,
    tells: Tells::All,
    write: |story, dice| write(story, dice, ["StreamableHttp → Child", "Child → StreamableHttp"], [json, json]),
};

/// At level `debug`, where objects are laid out to any depth.
pub(crate) const DEEP: Log = Log {
    ending: "sse.log",
    write: |story, dice| {
        let labels = ["SSE → Child (session c620f091-d7f2-4467-9a9f-91ecc7473226)", "Child → SSE"];
        write(story, dice, labels, [json, laid_out])
    },
    ..LOG
};

pub(crate) const OF_CLIENT: Log = Log {
    ending: "stdio.log",
    write: |story, dice| write(story, dice, ["Stdio → SSE", "SSE → Stdio"], [on_a_line, laid_out]),
    ..LOG
};

fn json(message: &str) -> String {
    message.to_owned()
}

fn laid_out(message: &str) -> String {
    node(&Tree::read(message))
}

fn on_a_line(message: &str) -> String {
    node_line(&Tree::read(message))
}

fn write(story: &Story, dice: &mut Dice, labels: [&str; 2], notations: [fn(&str) -> String; 2]) -> String {
    let mut out = String::from("[supergateway] Starting...\n[supergateway] Listening on port 8000\n");
    let mut line = |text: &str| out.push_str(&format!("[supergateway] {text}\n"));
    for said in story.said.iter().filter(|said| said.message) {
        let side = usize::from(!said.from_client);
        line(&format!("{}: {}", labels[side], notations[side](&said.text)));
        if dice.once_in(4) {
            line(&format!("Child stderr: {}", dice.pick(&STDERR)));
        }
        if story.polluted && dice.once_in(5) {
            line(&format!("Child non-JSON: {}", dice.pick(&STDOUT)));
        }
    }
    line("Child exited: code=null, signal=SIGTERM");
    out
}
