//! All six primitives, as far as the revision has them: tools, resources and prompts of the server; roots, sampling
//! and elicitation of the client. In 2026-07-28 the client's three travel inside results and retries.

use std::io;

use super::cast::{self, NOTE};
use super::object::Object;
use super::stage::Stage;
use crate::protocol::Revision::{self, V2025_06_18, V2025_11_25};

pub(super) fn write(revision: Revision, out: &mut dyn io::Write) -> io::Result<()> {
    let stage = &mut Stage::new(revision, out);
    cast::open(stage, cast::client_capabilities(revision), cast::server_capabilities(revision))?;
    tools(stage)?;
    resources(stage)?;
    prompts(stage)?;
    if stage.stateless() { super::stateless::input_required(stage) } else { client_side(stage) }
}

fn tools(stage: &mut Stage<'_>) -> io::Result<()> {
    let revision = stage.revision;
    let summary =
        cast::tool(revision, "summarise_note", "Sum up a note", "Lets the client's model sum up a note.", "path");
    cast::list_tools(stage, cast::note_tools(revision).into_iter().chain([summary]))?;
    let search = stage.ask("tools/call", cast::call("search_notes", "query", "boat trip"))?;
    stage.answer(&search, cast::found_notes(revision))
}

fn resources(stage: &mut Stage<'_>) -> io::Result<()> {
    let titled = stage.from(V2025_06_18);
    let note = Object::new()
        .text("uri", NOTE)
        .text("name", "boat-trip.md")
        .when(titled, |note| note.text("title", "Boat trip"))
        .text("mimeType", "text/markdown");
    let asked = stage.ask("resources/list", Object::new())?;
    stage.answer_cacheable(&asked, Object::new().list("resources", [note]))?;

    let template = Object::new().text("uriTemplate", "file:///home/ada/notes/{name}.md").text("name", "note");
    let asked = stage.ask("resources/templates/list", Object::new())?;
    stage.answer_cacheable(&asked, Object::new().list("resourceTemplates", [template]))?;

    let asked = stage.ask("resources/read", Object::new().text("uri", NOTE))?;
    let contents = Object::new()
        .text("uri", NOTE)
        .text("mimeType", "text/markdown")
        .text("text", "# Boat trip\n\nSaturday, 9:30, the \"Marlène\". Bring a jumper.");
    stage.answer_cacheable(&asked, Object::new().list("contents", [contents]))?;

    if !stage.stateless() {
        let asked = stage.ask("resources/subscribe", Object::new().text("uri", NOTE))?;
        stage.answer(&asked, Object::new())?;
        stage.tell("notifications/resources/updated", Object::new().text("uri", NOTE))?;
    }
    Ok(())
}

fn prompts(stage: &mut Stage<'_>) -> io::Result<()> {
    let argument = Object::new().text("name", "note").text("description", "Which note").plain("required", true);
    let prompt = Object::new()
        .text("name", "plan_day")
        .when(stage.from(V2025_06_18), |prompt| prompt.text("title", "Plan a day"))
        .text("description", "Turns a note into a plan for the day.")
        .list("arguments", [argument]);
    let asked = stage.ask("prompts/list", Object::new())?;
    stage.answer_cacheable(&asked, Object::new().list("prompts", [prompt]))?;

    let typed = Object::new()
        .object("ref", cast::prompt_reference("plan_day"))
        .object("argument", Object::new().text("name", "note").text("value", "bo"));
    let asked = stage.ask("completion/complete", typed)?;
    let values = Object::new().words("values", &["boat-trip.md", "books.md"]).plain("hasMore", false);
    stage.answer(&asked, Object::new().object("completion", values))?;

    let asked = stage.ask("prompts/get", cast::call("plan_day", "note", "boat-trip.md"))?;
    let message = Object::new()
        .text("role", "user")
        .object("content", cast::text_block("Plan my Saturday from the note boat-trip.md."));
    stage.answer(&asked, Object::new().text("description", "A plan for one day").list("messages", [message]))
}

/// Requests of the server, while a call of the client waits: both sides count their own ids from 0.
fn client_side(stage: &mut Stage<'_>) -> io::Result<()> {
    let listing = stage.ask_client("roots/list", Object::new())?;
    stage.answer(&listing, cast::roots())?;

    let summary = stage.ask("tools/call", cast::call("summarise_note", "path", "notes/boat-trip.md"))?;
    let sampling =
        stage.ask_client("sampling/createMessage", cast::summarise("Sum up: Saturday, 9:30, the Marlène."))?;
    stage.answer(&sampling, cast::model_said("A boat trip on Saturday morning."))?;
    stage.answer(&summary, cast::says("A boat trip on Saturday morning."))?;

    if stage.from(V2025_06_18) {
        let reading = stage.ask("tools/call", cast::call("read_note", "path", "notes/diary.md"))?;
        let form =
            cast::form(stage, "The diary is locked. Which letter does its hint start with?", "hint", "First letter");
        let question = stage.ask_client("elicitation/create", form)?;
        let given = Object::new().text("action", "accept").object("content", Object::new().text("hint", "m"));
        stage.answer(&question, given)?;
        stage.answer(&reading, cast::says("Dear diary, the Marlène is leaking."))?;
    }
    if stage.from(V2025_11_25) {
        visit_a_page(stage)?;
    }
    stage.tell("notifications/roots/list_changed", Object::new())?;
    stage.tell("notifications/tools/list_changed", Object::new())
}

/// Elicitation by URL, with the notice that the reader is done there (2025-11-25).
fn visit_a_page(stage: &mut Stage<'_>) -> io::Result<()> {
    let reading = stage.ask("tools/call", cast::call("read_note", "path", "cloud/shared.md"))?;
    let page = Object::new()
        .text("mode", "url")
        .text("message", "Please sign in to the cloud.")
        .text("url", "https://notes.example/sign-in")
        .text("elicitationId", "sign-in-1");
    let question = stage.ask_client("elicitation/create", page)?;
    stage.answer(&question, Object::new().text("action", "accept"))?;
    stage.tell("notifications/elicitation/complete", Object::new().text("elicitationId", "sign-in-1"))?;
    stage.answer(&reading, cast::says("Shared list: rope, flask, sun cream."))
}
