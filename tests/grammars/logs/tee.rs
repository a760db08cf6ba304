//! Home-made tees: arrows with and without times, verbs behind a logger's words, the names of pipes, and labels that
//! name a kind.

use super::json_text::pretty;
use super::notation::{Tree, node_line, python, python_bytes};
use super::{Dice, Log, STDERR, STDOUT, Story, Tells, clock};

pub(crate) const ARROWS: Log = Log {
    format: "tee",
    ending: "arrows.log",
    digits: Some(3),
    directions: true,
    payloads: true,
    tells: Tells::All,
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

/// Labels in pairs, the client's first: arrows, names of both ends, words for ways, whole phrases. `@` is the place of the
/// message.
const LABELS: [[&str; 2]; 66] = [
    [">>> @", "<<< @"],
    [">>>@", "<<<@"],
    [">> @", "<< @"],
    ["--> @", "<-- @"],
    ["-> @", "<- @"],
    ["==> @", "<== @"],
    ["=> @", "<= @"],
    ["→ @", "← @"],
    ["⇒ @", "⇐ @"],
    ["➡️ @", "⬅️ @"],
    ["📤 @", "📥 @"],
    ["[→] @", "[←] @"],
    ["[>>>] @", "[<<<] @"],
    [">>> : @", "<<< : @"],
    ["--> request: @", "<-- response: @"],
    [">>> [412 bytes] @", "<<< [98 bytes] @"],
    [">>> (412 bytes): @", "<<< (98 bytes): @"],
    ["IN @", "OUT @"],
    ["[IN] @", "[OUT] @"],
    ["(in) @", "(out) @"],
    ["in: @", "out: @"],
    ["IN: @", "OUT: @"],
    ["INPUT @", "OUTPUT @"],
    ["Input: @", "Output: @"],
    ["stdin: @", "stdout: @"],
    ["STDIN @", "STDOUT @"],
    ["stdin  @", "stdout @"],
    ["stdin | @", "stdout | @"],
    ["stdin >> @", "stdout << @"],
    ["[stdin] -> @", "[stdout] <- @"],
    ["recv @", "send @"],
    ["RECV: @", "SEND: @"],
    ["RX @", "TX @"],
    ["Received: @", "Sent: @"],
    ["[RECEIVED] @", "[SENT] @"],
    ["Sending @", "Receiving @"],
    ["SENT @", "RECEIVED @"],
    ["Received message: @", "Sending message: @"],
    ["Received request: @", "Sending the response: @"],
    ["Received line: @", "Wrote line: @"],
    ["incoming: @", "outgoing: @"],
    ["[inbound] @", "[outbound] @"],
    ["Outgoing message: @", "Incoming message: @"],
    ["READ: @", "WRITE: @"],
    ["client -> server: @", "server -> client: @"],
    ["client --> server @", "server --> client @"],
    ["[Client → Server] @", "[Server → Client] @"],
    ["[Server ← Client] @", "[Client ← Server] @"],
    ["CLIENT->SERVER @", "SERVER->CLIENT @"],
    ["CLIENT => SERVER | @", "SERVER => CLIENT | @"],
    ["Client to Server: @", "Server to Client: @"],
    ["client_to_server @", "server_to_client @"],
    ["[client-to-server] @", "[server-to-client] @"],
    ["[C->S] @", "[S->C] @"],
    ["c2s @", "s2c @"],
    ["c2s: @", "s2c: @"],
    ["C: @", "S: @"],
    ["[CLIENT] @", "[SERVER] @"],
    ["client: @", "server: @"],
    ["Client says: @", "Server says: @"],
    ["From client: @", "From server: @"],
    ["Message to server: @", "Message to client: @"],
    ["proxy -> server: @", "proxy -> client: @"],
    ["host → proxy @", "server → proxy @"],
    ["direction=in msg=@", "direction=out msg=@"],
    ["dir: c2s, payload: @", "dir: s2c, payload: @"],
];

/// What stands before a label, with the place of a time.
const PREFIXES: [&str; 8] =
    ["", "INFO:proxy:", "[DEBUG] ", "DEBUG: ", "[proxy] ", "[INFO] [proxy] ", "proxy | ", "info  "];

/// Ways in which a message is written down behind its label.
const NOTATIONS: [fn(&str) -> String; 6] = [
    str::to_owned,
    str::to_owned,
    |text| python(&Tree::read(text)),
    |text| node_line(&Tree::read(text)),
    |text| format!("{text} (5 ms)"),
    python_bytes,
];

/// The story in all labels, both ways round, behind all prefixes.
pub(crate) fn all(story: &Story) -> impl Iterator<Item = String> {
    PREFIXES.iter().flat_map(move |prefix| {
        LABELS.iter().flat_map(move |labels| {
            [false, true].map(|swapped| {
                story.said.iter().fold(String::new(), |log, said| {
                    let label = labels[usize::from(!said.from_client ^ swapped)];
                    log + &format!("{prefix}{}\n", label.replace('@', &said.text))
                })
            })
        })
    })
}

/// Any label, in its words or meant the other way round, behind any prefix.
pub(crate) const ANY: Log = Log {
    ending: "any.log",
    digits: None,
    write: |story, dice| {
        let prefix = dice.pick(&PREFIXES);
        any(story, dice, |_| prefix.to_owned(), false)
    },
    ..ARROWS
};

/// The same with times in front, or behind the arrow.
pub(crate) const ANY_TIMED: Log = Log {
    ending: "timed.log",
    write: |story, dice| {
        const FORMS: [[&str; 2]; 7] = [
            ["[%Y-%m-%dT%H:%M:%S.%fZ] ", ""],
            ["%Y-%m-%dT%H:%M:%S.%f+00:00 ", ""],
            ["%Y-%m-%d %H:%M:%S.%f | INFO     | ", ""],
            ["%Y-%m-%d %H:%M:%S,%f - proxy - DEBUG - ", ""],
            ["%Y-%m-%d %H:%M:%S.%f ", "[proxy] "],
            ["(%Y-%m-%d %H:%M:%S.%f) ", ""],
            ["", ""],
        ];
        let form = FORMS[dice.roll(FORMS.len())];
        match form[0] {
            "" => any(story, dice, |millis| clock(millis, "[%Y-%m-%dT%H:%M:%S.%fZ]"), true),
            time => any(story, dice, |millis| format!("{}{}", clock(millis, time), form[1]), false),
        }
    },
    ..ARROWS
};

fn any(story: &Story, dice: &mut Dice, prefix: impl Fn(u64) -> String, behind: bool) -> String {
    let arrows = if behind { 4 } else { LABELS.len() };
    let labels = LABELS[dice.roll(arrows)];
    // Most words do not say whose view they are.
    let swapped = usize::from(dice.once_in(2));
    let notation = NOTATIONS[dice.roll(NOTATIONS.len())];
    let mut out = String::new();
    for said in story.said.iter().filter(|said| said.message) {
        let label = labels[usize::from(!said.from_client) ^ swapped];
        let message = notation(&said.text);
        let prefix = prefix(said.millis);
        match behind {
            true => out.push_str(&format!("{} {prefix} {message}\n", label.replace('@', "").trim_end())),
            false => out.push_str(&format!("{prefix}{}\n", label.replace('@', &message))),
        }
        if dice.once_in(5) {
            out.push_str(&format!("{}\n", dice.pick(&STDERR)));
        }
    }
    out
}

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
