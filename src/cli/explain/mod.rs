//! `mcp-trace explain`: what the words of the table mean, printed from the protocol tables and from nothing else.

mod conditions;
mod groups;
mod pages;
#[cfg(test)]
mod tests;
mod topic;
mod words;

use anyhow::Result;

use super::args::ExplainArgs;
use super::environment::Environment;
use super::notice::notice;
use super::page::Page;
use super::run::{CANNOT_RUN, Exit, print};
use super::suggest::{did_you_mean, nearest};
pub(super) use pages::{kind, range, requirements, sender};
use topic::{GROUPS, Group, find, names};

/// Lines longer than this are hard to read, whatever the terminal.
const WIDEST: usize = 110;

/// Explains a topic, or lists the topics.
pub(super) fn run(args: &ExplainArgs, around: &Environment) -> Result<Exit> {
    let width = around.width().min(WIDEST);
    let asked = args.topic.join(" ");
    let asked = asked.trim();
    if asked.is_empty() {
        return print(&overview(width));
    }
    if let Some(text) = explanation(asked, width) {
        return print(&text);
    }
    let known = names();
    let known = known.iter().map(|(_, name)| name.as_str()).chain([conditions::NAME]);
    let near = nearest(asked, known);
    let hint = did_you_mean(&near).unwrap_or_else(|| "`mcp-trace explain` lists the topics".to_owned());
    if asked.parse::<i64>().is_ok() {
        let own = "neither JSON-RPC, nor the protocol, nor a known SDK defines this error code: it is the server's own";
        notice(&format!("unknown topic `{asked}`: {own}"));
    } else {
        notice(&format!("unknown topic `{asked}`: {hint}"));
    }
    Ok(CANNOT_RUN)
}

/// The page or pages of a topic, or of a whole group of topics.
fn explanation(asked: &str, width: usize) -> Option<String> {
    if conditions::is_asked(asked) {
        return Some(conditions::write(width));
    }
    let group = |name: fn(&Group) -> &'static str| GROUPS.iter().find(|group| name(group).eq_ignore_ascii_case(asked));
    if let Some(group) = group(|group| group.name).or_else(|| group(|group| group.one)) {
        return Some(groups::write(group, width));
    }
    let topics = find(asked);
    (!topics.is_empty()).then(|| topics.iter().map(|topic| pages::write(topic, width)).collect::<Vec<_>>().join("\n"))
}

fn overview(width: usize) -> String {
    let known = names();
    let mut page = Page::new(width);
    page.title("mcp-trace explain TOPIC", "what can be explained");
    for group in GROUPS {
        page.heading(group.title);
        page.words(known.iter().filter(|(of, _)| *of == group.name).map(|(_, name)| name.clone()));
    }
    page.heading("conditions of `--where`");
    page.words([conditions::NAME.to_owned()]);
    page.finish()
}
