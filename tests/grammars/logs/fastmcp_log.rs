//! FastMCP's logging middleware in plain text: behind the usual words of `logging`, and folded by Rich.

use serde_json::{Value, json};

use super::{Dice, Log, Said, Story, Tells, clock};

pub(crate) const LOG: Log = Log {
    format: "fastmcp-log",
    ending: "part.log",
    digits: Some(3),
    directions: true,
    payloads: false,
    tells: Tells::Asked,
    write: |story, dice| {
        let start = "server is starting\n".to_owned();
        entries(story, dice).into_iter().fold(start, |out, (said, level, text)| {
            let time = clock(said.millis, "%Y-%m-%d %H:%M:%S,%f");
            out + &format!("{time} - fastmcp.middleware.logging - {level} - {text}\n")
        })
    },
};

/// Rich writes the time where it is another than before; each record has that of its second.
pub(crate) const RICH: Log = Log {
    ending: "rich.part.log",
    digits: Some(0),
    write: |story, dice| {
        // What is short is not folded: that it is Rich's would not show.
        let width = 25 + dice.roll(30);
        let mut shown = String::new();
        let mut out = String::new();
        for (said, level, text) in entries(story, dice) {
            let time = clock(said.millis, "[03/%d/26 %H:%M:%S]");
            let first = if time == shown { String::new() } else { time.clone() };
            shown = time;
            let lines = fold(&text, width);
            out.push_str(&format!("{first:20}{level:8} {:width$} logging.py:122\n", lines[0]));
            lines[1..].iter().for_each(|line| out.push_str(&format!("{:29}{line:width$} {:14}\n", "", "")));
            if dice.once_in(5) {
                out.push_str("Secure MCP Filesystem Server running on stdio\n");
            }
        }
        out
    },
    ..LOG
};

/// The middleware's entries, each with what it tells and its level.
fn entries<'s>(story: &'s Story, dice: &mut Dice) -> Vec<(&'s Said, &'static str, String)> {
    let form = dice.roll(3);
    let mut methods: Vec<(Value, String)> = Vec::new();
    let mut out = Vec::new();
    for said in story.told(&LOG) {
        let message: Value = serde_json::from_str(&said.text).unwrap();
        let id = message.get("id").cloned().unwrap_or(Value::Null);
        if let Some(method) = message["method"].as_str() {
            let kind = if id.is_null() { "notification" } else { "request" };
            let params = message.get("params").cloned().unwrap_or(Value::Null);
            let payload = match form {
                0 => String::new(),
                1 => format!(" payload={params} payload_type=Params"),
                _ => {
                    let payload = json!({"method": method, "params": params}).to_string();
                    format!(" payload_tokens=4 payload_length={} payload={payload} payload_type=Any", payload.len())
                }
            };
            out.push((said, "INFO", format!("event={kind}_start method={method} source=client{payload}")));
            if id.is_null() {
                let text = format!("event=notification_success method={method} source=client duration_ms=0.1");
                out.push((said, "INFO", text));
            }
            methods.push((id, method.to_owned()));
            continue;
        }
        let asked = methods.iter().rev().find(|(asked, _)| *asked == id).map_or("unknown", |(_, method)| method);
        let event = if message.get("error").is_some() { "error" } else { "success" };
        let level = if event == "error" { "ERROR" } else { "INFO" };
        let why = if event == "error" { " error=it is not there" } else { "" };
        out.push((said, level, format!("event=request_{event} method={asked} source=client duration_ms=7.08{why}")));
    }
    out
}

/// A text in lines of a column; a word that is too long is cut.
fn fold(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_ascii_whitespace() {
        // Which letters are wide is another matter.
        let word: String = word.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { '?' }).collect();
        let last = lines.last_mut().unwrap();
        if last.len() + usize::from(!last.is_empty()) + word.len() <= width {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(&word);
            continue;
        }
        let mut rest = word.as_str();
        while rest.len() > width {
            let (line, behind) = rest.split_at(width);
            lines.push(line.to_owned());
            rest = behind;
        }
        lines.push(rest.to_owned());
    }
    lines.retain(|line| !line.is_empty());
    lines
}
