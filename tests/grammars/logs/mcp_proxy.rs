//! The console of mcp-proxy with `--debug`: each text from the server's standard output, then the messages in it.

use super::notation::{Tree, node, node_line};
use super::{Dice, Log, STDERR, STDOUT, Story, Tells};

pub(crate) const LOG: Log = Log {
    format: "mcp-proxy",
    ending: "server.log",
    digits: None,
    directions: true,
    payloads: true,
    tells: Tells::OfServer,
    write,
};

fn write(story: &Story, dice: &mut Dice) -> String {
    let mut out = String::from("server listening on stdio\n");
    let of_server: Vec<_> = story.told(&LOG).collect();
    let mut rest = &of_server[..];
    while !rest.is_empty() {
        let (texts, behind) = rest.split_at(rest.len().min(1 + dice.roll(3)));
        rest = behind;
        if story.polluted && dice.once_in(5) {
            out.push_str(&format!("[mcp-proxy] ignoring non-JSON output [ {} ]\n", literal(dice.pick(&STDOUT))));
        }
        let lines: Vec<_> = texts.iter().map(|said| format!("{}\n", said.text)).collect();
        let chunk = match dice.once_in(2) {
            true => literal(&lines.concat()),
            // Long strings are laid out line by line.
            false => lines.iter().map(|line| literal(line)).collect::<Vec<_>>().join(" +\n    "),
        };
        event(&mut out, &format!("chunk: {chunk}"), "data", dice.once_in(4));
        for said in texts {
            let mut tree = Tree::read(&said.text);
            elide(&mut tree, dice.roll(9), 0);
            match dice.once_in(4) {
                true => event(&mut out, &format!("message: {}", elided(&node_line(&tree))), "message", true),
                false => {
                    event(
                        &mut out,
                        &format!("message: {}", elided(&node(&tree)).replace('\n', "\n  ")),
                        "message",
                        false,
                    );
                }
            }
        }
        if dice.once_in(4) {
            out.push_str(&format!("{}\n", dice.pick(&STDERR)));
        }
    }
    out.push_str("starting server on port 8080\n[mcp-proxy] establishing new SSE stream for session ID 5a-1\n");
    out + "[mcp-proxy] received delete request\nreceived shutdown signal; shutting down\ntransport event { type: 'close' }\n"
}

/// What stands for a value until the message is laid out.
const LEFT_OUT: &str = "what is left out";

/// Leaves out what lies deeper than Node.js goes.
fn elide(tree: &mut Tree, depth: usize, level: usize) {
    let deep = level > depth.max(1);
    match tree {
        Tree::Object(members) if !deep => members.iter_mut().for_each(|(_, value)| elide(value, depth, level + 1)),
        Tree::List(values) if !deep => values.iter_mut().for_each(|value| elide(value, depth, level + 1)),
        Tree::Object(_) | Tree::List(_) => *tree = Tree::Text(LEFT_OUT.to_owned()),
        _ => {}
    }
}

fn elided(inspected: &str) -> String {
    inspected.replace(&format!("'{LEFT_OUT}'"), "[Object]")
}

fn literal(text: &str) -> String {
    node_line(&Tree::Text(text.to_owned()))
}

fn event(out: &mut String, member: &str, kind: &str, short: bool) {
    match short && !member.contains('\n') {
        true => out.push_str(&format!("transport event {{ {member}, type: '{kind}' }}\n")),
        false => out.push_str(&format!("transport event {{\n  {member},\n  type: '{kind}'\n}}\n")),
    }
}
