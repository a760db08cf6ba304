//! What a message carries, in a few words: arguments of a call, number of tools, progress, the first words of a text.
//!
//! Looks at no more than a few kilobytes of a payload: counting the elements of a megabyte is not worth a cell.

use super::cells::part;
use super::figures::{Bytes, Count};
use super::row::Row;
use super::signs::Signs;
use super::values::{LOOK, MEMBERS, excerpt, pairs, plain, quoted};
use crate::annotate::{Annotated, Kind, Status};
use crate::jsonrpc::{JsonKind, Parsed, RawJson, Reason};
use crate::render::palette::Ink;

/// Appends the gist to the current cell, behind what stands there.
pub(super) fn gist(row: &mut Row, signs: &Signs, message: &Annotated<'_>) {
    if message.kind == Kind::Notification && message.method == Some("notifications/initialized") {
        part(row, signs);
        return row.say(Ink::Plain, "handshake done");
    }
    let Some(parsed) = message.parsed else {
        if message.kind == Kind::Invalid {
            part(row, signs);
            excerpt(row, signs, Ink::Dim, message.text);
        }
        return;
    };
    let gist = &mut Gist { row, signs, parsed };
    let method = message.method.unwrap_or_default();
    match message.kind {
        Kind::Request => {
            gist.request(method);
            gist.again();
        }
        Kind::Notification => gist.notification(method),
        Kind::Response if message.status == Some(Status::InputRequired) => gist.asked(),
        Kind::Response if message.error.is_none() => gist.result(method),
        Kind::Response => {}
        Kind::Invalid => gist.invalid(message.text),
    }
    if message.kind == Kind::Response && message.position.length >= 1000 {
        gist.part();
        gist.row.say_fmt(Ink::Dim, format_args!("{}", Bytes(message.position.length)));
    }
}

struct Gist<'r, 'a> {
    row: &'r mut Row,
    signs: &'r Signs,
    parsed: &'r Parsed<'a>,
}

impl Gist<'_, '_> {
    fn request(&mut self, method: &str) {
        match method {
            "initialize" => {
                self.text("asks for ", "protocolVersion", Ink::Plain);
                self.peer("clientInfo");
            }
            "tools/call" | "prompts/get" => self.members_of("arguments"),
            "sampling/createMessage" => self.count("messages", "message"),
            "elicitation/create" => self.text("", "message", Ink::Plain),
            "completion/complete" => self.members_of("argument"),
            "subscriptions/listen" => self.filter("asks for "),
            _ => self.members(),
        }
    }

    /// How a request goes on: answers to what was asked of the client, the state that it carries, a task.
    fn again(&mut self) {
        if let Some(answers) = self.parsed.body.get("inputResponses") {
            self.names("answers ", answers.members().map(|(name, _)| name));
        }
        if self.parsed.body.get("requestState").is_some() {
            self.say(Ink::Dim, "with state");
        }
        if self.parsed.body.get("task").is_some() {
            self.say(Ink::Plain, "as a task");
        }
    }

    /// What the server wants to know before it goes on.
    fn asked(&mut self) {
        if let Some(asked) = self.parsed.body.get("inputRequests") {
            self.names("asks for ", asked.members().map(|(name, _)| name));
        }
        if self.parsed.body.get("requestState").is_some() {
            self.say(Ink::Dim, "with state");
        }
    }

    fn notification(&mut self, method: &str) {
        match method {
            "notifications/progress" => self.progress(),
            "notifications/cancelled" => self.text("cancels: ", "reason", Ink::Doubt),
            "notifications/subscriptions/acknowledged" => self.filter("sends "),
            "notifications/tasks/status" | "notifications/tasks" => self.task(),
            "notifications/message" => {
                self.text("", "level", Ink::Plain);
                self.text("", "data", Ink::Dim);
            }
            _ => self.members(),
        }
    }

    fn result(&mut self, method: &str) {
        let body = self.parsed.body;
        match method {
            "server/discover" => {
                if let Some(versions) = body.get("supportedVersions") {
                    self.names("offers ", versions.elements().filter_map(RawJson::as_str));
                }
                let server = body.get("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
                self.peer_of(server.or_else(|| body.get("serverInfo")));
            }
            "completion/complete" => self.completion(),
            "tasks/get" | "tasks/cancel" | "tasks/update" => self.task(),
            "tasks/result" => self.content(),
            "initialize" => {
                self.text("agrees on ", "protocolVersion", Ink::Plain);
                self.peer("serverInfo");
            }
            "tools/list" => self.count("tools", "tool"),
            "prompts/list" => self.count("prompts", "prompt"),
            "resources/list" => self.count("resources", "resource"),
            "resources/templates/list" => self.count("resourceTemplates", "template"),
            "roots/list" => self.count("roots", "root"),
            "tasks/list" => self.count("tasks", "task"),
            "resources/read" => self.count("contents", "content"),
            "prompts/get" => self.count("messages", "message"),
            "tools/call" => self.content(),
            "sampling/createMessage" => {
                self.text("", "model", Ink::Dim);
                self.content();
            }
            "elicitation/create" if self.created() => {}
            "elicitation/create" => {
                self.text("", "action", Ink::Plain);
                self.members_of("content");
            }
            _ => self.members(),
        }
    }

    fn invalid(&mut self, text: &str) {
        if let Err(malformed) = &self.parsed.envelope {
            self.part();
            match &malformed.reason {
                Reason::NotJson { truncated: true, .. } => self.row.say(Ink::Wrong, "JSON cut off"),
                Reason::NotJson { at, .. } => self.row.say_fmt(Ink::Wrong, format_args!("no JSON at byte {at}")),
                Reason::NotAnObject => self.row.say(Ink::Wrong, "no JSON object"),
                Reason::NoKnownMember => self.row.say(Ink::Wrong, "no method, result or error"),
                Reason::ResultAndError => self.row.say(Ink::Wrong, "both result and error"),
                Reason::MethodAndAnswer => self.row.say(Ink::Wrong, "both method and answer"),
                Reason::MethodNotAString => self.row.say(Ink::Wrong, "method is no string"),
                Reason::ResultWithoutId => self.row.say(Ink::Wrong, "result without id"),
                Reason::ErrorNotAnObject => self.row.say(Ink::Wrong, "error is no object"),
                Reason::EmptyBatch => self.row.say(Ink::Wrong, "empty batch"),
            }
        }
        self.part();
        excerpt(self.row, self.signs, Ink::Dim, text);
    }

    fn part(&mut self) {
        part(self.row, self.signs);
    }

    fn say(&mut self, ink: Ink, text: &str) {
        self.part();
        self.row.say(ink, text);
    }

    /// A member of the body that is a string; other values as written.
    fn text(&mut self, before: &str, name: &str, ink: Ink) {
        if let Some(value) = self.parsed.body.get(name) {
            self.value(before, value, ink);
        }
    }

    fn value(&mut self, before: &str, value: RawJson<'_>, ink: Ink) {
        self.part();
        self.row.say(Ink::Plain, before);
        plain(self.row, self.signs, ink, value);
    }

    /// The first names of several.
    fn names<'n>(&mut self, before: &str, names: impl Iterator<Item = std::borrow::Cow<'n, str>>) {
        for (at, name) in names.take(MEMBERS).enumerate() {
            if at == 0 {
                self.say(Ink::Plain, before);
            } else {
                self.row.say(Ink::Dim, ", ");
            }
            excerpt(self.row, self.signs, Ink::Plain, &name);
        }
    }

    /// What a subscription is about: what its filter does not turn off.
    fn filter(&mut self, before: &str) {
        if let Some(filter) = self.parsed.body.get("notifications") {
            let on = filter.members().filter(|(_, value)| !matches!(value.text(), "false" | "null" | "[]"));
            self.names(before, on.map(|(name, _)| name));
        }
    }

    /// A task whose id another cell shows.
    fn task(&mut self) {
        self.text("", "status", Ink::Plain);
        self.text("", "statusMessage", Ink::Dim);
    }

    /// A result that is a task instead of what was asked for; true when it is.
    fn created(&mut self) -> bool {
        let body = self.parsed.body;
        let task = body.get("task");
        let id = task.map_or_else(|| body.get("taskId"), |task| task.get("taskId"));
        let Some(id) = id else { return false };
        self.value("task ", id, Ink::Target);
        if let Some(status) = task.map_or_else(|| body.get("status"), |task| task.get("status")) {
            self.value("", status, Ink::Plain);
        }
        true
    }

    fn completion(&mut self) {
        let Some(values) = self.parsed.body.get("completion").and_then(|completion| completion.get("values")) else {
            return self.members();
        };
        if values.elements().next().is_none() {
            self.say(Ink::Plain, "no values");
        }
        self.names("", values.elements().filter_map(RawJson::as_str));
    }

    fn peer(&mut self, name: &str) {
        self.peer_of(self.parsed.body.get(name));
    }

    fn peer_of(&mut self, peer: Option<RawJson<'_>>) {
        let Some(peer) = peer else { return };
        let Some(name) = peer.get("name") else { return };
        self.part();
        plain(self.row, self.signs, Ink::Dim, name);
        if let Some(version) = peer.get("version") {
            self.row.say(Ink::Dim, " ");
            plain(self.row, self.signs, Ink::Dim, version);
        }
    }

    /// How many elements a list has, its first names, and whether more pages follow.
    fn count(&mut self, name: &str, noun: &'static str) {
        let Some(list) = self.parsed.body.get(name) else { return };
        if list.text().len() > 16 * LOOK {
            return;
        }
        self.part();
        self.row.say_fmt(Ink::Plain, format_args!("{}", Count(list.elements().count() as u64, noun)));
        let names = list.elements().take(MEMBERS).filter_map(|element| element.get("name").or(element.get("uri")));
        for (at, name) in names.enumerate() {
            self.row.say(Ink::Dim, if at == 0 { ": " } else { ", " });
            plain(self.row, self.signs, Ink::Dim, name);
        }
        if self.parsed.body.get("nextCursor").is_some() {
            self.part();
            self.row.say(Ink::Plain, "more follow");
        }
    }

    /// Content of a tool result or a sampled message: how much, and the first text.
    fn content(&mut self) {
        let Some(content) = self.parsed.body.get("content") else {
            if !self.created() {
                self.members();
            }
            return;
        };
        if content.text().len() > LOOK {
            return;
        }
        let first = match content.kind() {
            JsonKind::Array => {
                let blocks = content.elements().count();
                if blocks != 1 {
                    self.part();
                    self.row.say_fmt(Ink::Plain, format_args!("{}", Count(blocks as u64, "block")));
                }
                content.elements().next()
            }
            _ => Some(content),
        };
        let Some(first) = first else { return };
        if let Some(text) = first.get("text") {
            self.part();
            quoted(self.row, self.signs, Ink::Dim, text);
        } else if let Some(kind) = first.get("type") {
            self.part();
            plain(self.row, self.signs, Ink::Dim, kind);
        } else {
            self.members();
        }
    }

    fn progress(&mut self) {
        let body = self.parsed.body;
        let Some(progress) = body.get("progress") else { return };
        if self.row.begun() {
            self.row.say(Ink::Plain, " ");
        }
        let total = body.get("total");
        if let (Some(done), Some(all)) = (progress.as_f64(), total.and_then(RawJson::as_f64))
            && all > 0.0
            && done.is_finite()
        {
            const STEPS: usize = 8;
            let full = ((done / all).clamp(0.0, 1.0) * STEPS as f64) as usize;
            let signs = self.signs;
            self.row.say(Ink::Dim, signs.bar.0);
            (0..full).for_each(|_| self.row.say(Ink::Plain, signs.full));
            (full..STEPS).for_each(|_| self.row.say(Ink::Dim, signs.empty));
            self.row.say(Ink::Dim, signs.bar.1);
            self.row.say(Ink::Dim, " ");
        }
        plain(self.row, self.signs, Ink::Plain, progress);
        if let Some(total) = total {
            self.row.say(Ink::Plain, "/");
            plain(self.row, self.signs, Ink::Plain, total);
        }
        self.text("", "message", Ink::Dim);
    }

    fn members_of(&mut self, name: &str) {
        let Some(object) = self.parsed.body.get(name) else { return };
        pairs(self.row, self.signs, object.members().filter(|(name, _)| !name.is_empty()));
    }

    /// The members of the body but those that another cell shows and those for the machinery.
    fn members(&mut self) {
        const ELSEWHERE: [&str; 8] =
            ["_meta", "name", "uri", "taskId", "resultType", "task", "requestState", "inputResponses"];
        let members = self.parsed.body.iter().filter(|(name, _)| !ELSEWHERE.contains(&&**name));
        pairs(self.row, self.signs, members);
    }
}
