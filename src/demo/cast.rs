//! Who plays and with what: the client `desk-chat`, the server `file-server`, and the notes that they talk about.

use std::io;

use super::object::Object;
use super::stage::{Asked, Stage};
use crate::protocol::Revision::{self, V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};

/// The note that everything happens to.
pub(super) const NOTE: &str = "file:///home/ada/notes/boat-trip.md";

/// `clientInfo`.
pub(super) fn client_info(revision: Revision) -> Object {
    Object::new()
        .text("name", "desk-chat")
        .when(revision >= V2025_06_18, |info| info.text("title", "Desk Chat"))
        .text("version", "2.1.0")
}

/// `serverInfo`.
pub(super) fn server_info(revision: Revision) -> Object {
    Object::new()
        .text("name", "file-server")
        .when(revision >= V2025_06_18, |info| info.text("title", "Notes on disk"))
        .text("version", "0.9.3")
}

/// Everything that the client could offer in the revision.
pub(super) fn client_capabilities(revision: Revision) -> Object {
    let stateless = revision > V2025_11_25;
    Object::new()
        .object("roots", Object::new().when(!stateless, |roots| roots.plain("listChanged", true)))
        .object("sampling", Object::new())
        .when(revision >= V2025_06_18, |all| all.object("elicitation", elicitation_modes(revision)))
}

fn elicitation_modes(revision: Revision) -> Object {
    Object::new()
        .when(revision >= V2025_11_25, |modes| modes.object("form", Object::new()).object("url", Object::new()))
}

/// Everything that the server could offer in the revision.
pub(super) fn server_capabilities(revision: Revision) -> Object {
    let changes = || Object::new().plain("listChanged", true);
    Object::new()
        .object("tools", changes())
        .object("resources", Object::new().plain("subscribe", true).plain("listChanged", true))
        .object("prompts", changes())
        .when(revision >= V2025_03_26, |all| all.object("completions", Object::new()))
        .object("logging", Object::new())
}

/// Opens a session in the way of its era: `initialize` and `notifications/initialized`, or `server/discover`.
pub(super) fn open(stage: &mut Stage<'_>, client: Object, server: Object) -> io::Result<()> {
    let revision = stage.revision;
    stage.client_capabilities = client;
    if stage.stateless() {
        return discover(stage, server);
    }
    let hello = Object::new()
        .text("protocolVersion", revision.as_str())
        .object("capabilities", stage.client_capabilities.clone())
        .object("clientInfo", client_info(revision));
    let asked = stage.ask("initialize", hello)?;
    let welcome = Object::new()
        .text("protocolVersion", revision.as_str())
        .object("capabilities", server)
        .object("serverInfo", server_info(revision))
        .text("instructions", "Search first, then read single notes.");
    stage.answer(&asked, welcome)?;
    stage.tell("notifications/initialized", Object::new())
}

/// `server/discover` and its answer (2026-07-28).
pub(super) fn discover(stage: &mut Stage<'_>, server: Object) -> io::Result<()> {
    let revision = stage.revision;
    let asked = stage.ask("server/discover", Object::new())?;
    let offer = Object::new()
        .words("supportedVersions", &[revision.as_str(), V2025_11_25.as_str()])
        .object("capabilities", server)
        .object("_meta", Object::new().object("io.modelcontextprotocol/serverInfo", server_info(revision)))
        .text("instructions", "Search first, then read single notes.");
    stage.answer_cacheable(&asked, offer)
}

/// A tool that takes one string and only reads.
pub(super) fn tool(revision: Revision, name: &str, title: &str, description: &str, argument: &str) -> Object {
    let schema = Object::new()
        .text("type", "object")
        .object("properties", Object::new().object(argument, Object::new().text("type", "string")))
        .words("required", &[argument]);
    Object::new()
        .text("name", name)
        .when(revision >= V2025_06_18, |tool| tool.text("title", title))
        .text("description", description)
        .object("inputSchema", schema)
        .when(revision >= V2025_03_26, |tool| tool.object("annotations", Object::new().plain("readOnlyHint", true)))
}

/// `search_notes` and `read_note`.
pub(super) fn note_tools(revision: Revision) -> [Object; 2] {
    let hits = Object::new()
        .text("type", "object")
        .object("properties", Object::new().object("paths", Object::new().text("type", "array")))
        .words("required", &["paths"]);
    [
        tool(revision, "search_notes", "Search notes", "Finds notes that contain all the words.", "query")
            .when(revision >= V2025_06_18, |tool| tool.object("outputSchema", hits)),
        tool(revision, "read_note", "Read a note", "Returns one note as text.", "path"),
    ]
}

/// Params of `tools/call` with one string argument.
pub(super) fn call(name: &str, argument: &str, value: &str) -> Object {
    Object::new().text("name", name).object("arguments", Object::new().text(argument, value))
}

/// `{"type":"text","text":…}`.
pub(super) fn text_block(text: &str) -> Object {
    Object::new().text("type", "text").text("text", text)
}

/// A tool's result that is one text.
pub(super) fn says(text: &str) -> Object {
    Object::new().list("content", [text_block(text)])
}

/// What `search_notes` finds: as text, and from 2025-06-18 on also as data.
pub(super) fn found_notes(revision: Revision) -> Object {
    says("notes/boat-trip.md\nnotes/packing.md").when(revision >= V2025_06_18, |result| {
        result.object("structuredContent", Object::new().words("paths", &["notes/boat-trip.md", "notes/packing.md"]))
    })
}

/// `tools/list` and its answer.
pub(super) fn list_tools(stage: &mut Stage<'_>, tools: impl IntoIterator<Item = Object>) -> io::Result<()> {
    let asked = stage.ask("tools/list", Object::new())?;
    stage.answer_cacheable(&asked, Object::new().list("tools", tools))
}

/// A step of some work that was asked for under the token. Messages came with 2025-03-26.
pub(super) fn progress(stage: &mut Stage<'_>, token: &str, done: u32, total: u32, message: &str) -> io::Result<()> {
    let step = Object::new()
        .text("progressToken", token)
        .plain("progress", done)
        .plain("total", total)
        .when(stage.from(V2025_03_26), |step| step.text("message", message));
    stage.tell("notifications/progress", step)
}

/// A line of the server's log, sent to the client.
pub(super) fn log(stage: &mut Stage<'_>, level: &str, text: &str) -> io::Result<()> {
    stage.tell("notifications/message", Object::new().text("level", level).text("logger", "index").text("data", text))
}

/// `notifications/cancelled` for a request.
pub(super) fn cancel(stage: &mut Stage<'_>, asked: &Asked, reason: &str) -> io::Result<()> {
    stage.tell("notifications/cancelled", Object::new().plain("requestId", asked.raw_id()).text("reason", reason))
}

/// One form field for a reader to fill in, as params of `elicitation/create`.
pub(super) fn form(stage: &Stage<'_>, message: &str, field: &str, title: &str) -> Object {
    let fields = Object::new().object(field, Object::new().text("type", "string").text("title", title));
    let schema = Object::new().text("type", "object").object("properties", fields).words("required", &[field]);
    Object::new()
        .when(stage.from(V2025_11_25), |form| form.text("mode", "form"))
        .text("message", message)
        .object("requestedSchema", schema)
}

/// Params of `sampling/createMessage`.
pub(super) fn summarise(text: &str) -> Object {
    let ask = Object::new().text("role", "user").object("content", text_block(text));
    Object::new().list("messages", [ask]).text("systemPrompt", "Answer in one sentence.").plain("maxTokens", 60)
}

/// What the model behind the client said.
pub(super) fn model_said(text: &str) -> Object {
    Object::new()
        .text("role", "assistant")
        .object("content", text_block(text))
        .text("model", "desk-model-small")
        .text("stopReason", "endTurn")
}

/// The folders that the client opens to the server.
pub(super) fn roots() -> Object {
    Object::new().list("roots", [Object::new().text("uri", "file:///home/ada/notes").text("name", "Notes")])
}

/// How a prompt or resource template is named in `completion/complete`.
pub(super) fn prompt_reference(name: &str) -> Object {
    Object::new().text("type", "ref/prompt").text("name", name)
}

/// The oldest revision: every scenario but the stateless one starts there.
pub(super) const OLDEST: Revision = V2024_11_05;
