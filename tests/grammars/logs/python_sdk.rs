//! Debug logs of the Python SDK: a server's on HTTP+SSE in the forms of mcp-proxy and of Rich, and a client's in both
//! generations of models.

use super::notation::{Tree, python, python_bytes};
use super::{Dice, Log, Said, Story, Tells, clock};

pub(crate) const PROXY: Log = Log {
    format: "python-sdk",
    ending: "mcp-proxy.log",
    digits: Some(3),
    directions: true,
    payloads: true,
    tells: Tells::All,
    write: |story, dice| {
        let line = |logger: &str, said: &Said, text: &str| {
            let milli = clock(said.millis, "%f");
            format!("[D {}.{milli} {logger}] {text}\n", clock(said.millis, "%Y-%m-%d %H:%M:%S,%f"))
        };
        let first = format!(
            "[I {}.000 mcp_proxy.mcp_server] Setting up default server: notes\n",
            clock(0, "%Y-%m-%d %H:%M:%S,%f")
        );
        first + &server(story, dice, line)
    },
};

/// Rich writes the time once a second, and the place in the source behind the text.
pub(crate) const RICH: Log = Log {
    ending: "rich.log",
    digits: None,
    write: |story, dice| server(story, dice, |_, _, text| format!("{:20}DEBUG    {text:<120} sse.py:161\n", "")),
    ..PROXY
};

/// A client's, with models as the first generation writes them.
pub(crate) const CLIENT: Log = Log {
    ending: "client.log",
    write: |story, dice| client(story, dice, |message| format!("root={}", model(message))),
    ..PROXY
};

/// The same of the second generation.
pub(crate) const BARE_CLIENT: Log = Log {
    ending: "client-2.log",
    write: |story, dice| client(story, dice, |message| fields(message, " ", false)),
    ..PROXY
};

fn server(story: &Story, dice: &mut Dice, line: impl Fn(&str, &Said, &str) -> String) -> String {
    let mut out = String::new();
    for said in story.said.iter().filter(|said| said.message) {
        let message = Tree::read(&said.text);
        let session = format!("SessionMessage(message=JSONRPCMessage(root={}), metadata=None)", model(&message));
        let mut sse = |text: String| out.push_str(&line("mcp.server.sse", said, &text));
        if said.from_client {
            sse("Handling POST message".to_owned());
            sse(format!("Received JSON: {}", python_bytes(&said.text)));
            sse(format!("Validated client message: root={}", model(&message)));
            sse(format!("Sending session message to writer: {session}"));
            let text = match message.has("id") {
                true => "Received message: <mcp.shared.session.RequestResponder object at 0x7fe18eba4f50>".to_owned(),
                false => format!("Received message: root={}", model(&message)),
            };
            out.push_str(&line("mcp.server.lowlevel.server", said, &text));
        } else {
            sse(format!("Sending message via SSE: {session}"));
            let chunk = python_bytes(&format!("event: message\r\ndata: {}\r\n\r\n", said.text));
            out.push_str(&line("sse_starlette.sse", said, &format!("chunk: {chunk}")));
        }
        if dice.once_in(4) {
            out.push_str("INFO:     127.0.0.1:51234 - \"POST /messages/ HTTP/1.1\" 202 Accepted\n");
        }
    }
    out
}

fn client(story: &Story, dice: &mut Dice, write: impl Fn(&Tree) -> String) -> String {
    let mut out = String::new();
    let mut line = |millis, logger: &str, text: &str| {
        out.push_str(&format!("{} - {logger} - DEBUG - {text}\n", clock(millis, "%Y-%m-%d %H:%M:%S,%f")));
    };
    line(0, "asyncio", "Using selector: EpollSelector");
    for said in story.said.iter().filter(|said| said.message) {
        let label = if said.from_client { "Sending client message" } else { "SSE message" };
        let message = write(&Tree::read(&said.text));
        line(said.millis, "mcp.client.streamable_http", &format!("{label}: {message}"));
        if dice.once_in(3) {
            line(said.millis, "httpcore.http11", "send_request_headers.started request=<Request [b'POST']>");
        }
    }
    out
}

/// The model of a message.
fn model(message: &Tree) -> String {
    let name = match (message.has("method"), message.has("id"), message.has("error")) {
        (true, true, _) => "JSONRPCRequest",
        (true, false, _) => "JSONRPCNotification",
        (false, _, true) => "JSONRPCError",
        (false, _, false) => "JSONRPCResponse",
    };
    format!("{name}({})", fields(message, ", ", name.ends_with("quest") || name.ends_with("tion")))
}

/// The fields of a model; those that are not set are `None`.
fn fields(message: &Tree, between: &str, asks: bool) -> String {
    let field = |(name, value): &(String, Tree)| match name.as_str() {
        "error" => format!("error=ErrorData({})", fields(value, ", ", false)),
        _ => format!("{name}={}", python(value)),
    };
    let (version, others): (Vec<_>, Vec<_>) = message.members().iter().partition(|(name, _)| name == "jsonrpc");
    let mut fields: Vec<_> = version.into_iter().chain(others).map(field).collect();
    if asks && !message.has("params") {
        fields.push("params=None".to_owned());
    }
    fields.join(between)
}
