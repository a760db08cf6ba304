//! A server on rmcp at level Trace: what arrives is told as an event and as what it is, what goes out as one of both.

use mcp_trace::protocol::METHODS;
use serde_json::Value;

use super::{Dice, Log, Story, Tells, clock};

pub(crate) const LOG: Log = Log {
    format: "rmcp",
    ending: "trace.compact.log",
    digits: Some(6),
    directions: true,
    payloads: false,
    tells: Tells::All,
    write,
};

fn write(story: &Story, dice: &mut Dice) -> String {
    let mut out = String::new();
    let mut line = |millis, level: &str, text: &str| {
        out.push_str(&format!("{} {level:>5} {text}\n", clock(millis, "%Y-%m-%dT%H:%M:%S.%f000Z")));
    };
    for said in story.said.iter().filter(|said| said.message) {
        let message: Value = serde_json::from_str(&said.text).unwrap();
        let id = match &message["id"] {
            Value::String(text) => format!("String({})", Value::from(text.as_str())),
            other => format!("Number({other})"),
        };
        let shown = message["id"].as_str().map_or_else(|| message["id"].to_string(), str::to_owned);
        let asked = message["method"].as_str().map(|method| {
            let schema = METHODS.iter().find(|row| row.name == method).map_or("CustomRequest", |row| row.schema);
            format!("{schema}(Request {{ method: {schema}Method, params: Params {{ a: \"b, id: c\" }} }})")
        });
        let event = match (&asked, message.get("id"), said.from_client) {
            (Some(asked), Some(_), true) => {
                format!(
                    "PeerMessage(Request(JsonRpcRequest {{ jsonrpc: JsonRpcVersion2_0, id: {id}, request: {asked} }}))"
                )
            }
            (Some(asked), Some(_), false) => {
                format!("ProxyMessage(Request {{ request: {asked}, id: {id}, responder: Sender }})")
            }
            (Some(asked), None, true) => {
                format!(
                    "PeerMessage(Notification(JsonRpcNotification {{ jsonrpc: JsonRpcVersion2_0, notification: {asked} }}))"
                )
            }
            (Some(asked), None, false) => {
                format!("ProxyMessage(Notification {{ notification: {asked}, responder: Sender }})")
            }
            (None, ..) => {
                let way = if said.from_client { "PeerMessage" } else { "ToSink" };
                match message.get("error") {
                    Some(error) => format!(
                        "{way}(Error(JsonRpcError {{ jsonrpc: JsonRpcVersion2_0, id: Some({id}), error: ErrorData {{ code: ErrorCode({}) }} }}))",
                        error["code"]
                    ),
                    None => format!(
                        "{way}(Response(JsonRpcResponse {{ jsonrpc: JsonRpcVersion2_0, id: {id}, result: EmptyResult }}))"
                    ),
                }
            }
        };
        let answer = match message.get("error") {
            Some(error) => {
                format!("response error id={shown} error=ErrorData {{ code: ErrorCode({}) }}", error["code"])
            }
            None => format!("response message id={shown} result=EmptyResult"),
        };
        let mut told = |text: &str| line(said.millis, "DEBUG", &format!("serve_inner: rmcp::service: {text}"));
        match (&asked, message.get("id"), said.from_client) {
            (None, _, false) => {
                told(&answer);
                told(&format!("new event evt={event}"));
            }
            (Some(asked), Some(_), true) => {
                told(&format!("new event evt={event}"));
                told(&format!("received request id={shown} request={asked}"));
            }
            (Some(asked), None, true) => {
                told(&format!("new event evt={event}"));
                told(&format!("received notification notification={asked}"));
            }
            _ => told(&format!("new event evt={event}")),
        }
        if dice.once_in(4) {
            line(said.millis, "TRACE", "hyper::proto: parsed 4 headers");
        }
    }
    out
}
