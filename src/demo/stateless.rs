//! 2026-07-28: no handshake, so each request carries version and capabilities; answers that ask for input first; a
//! stream of notifications that was subscribed to.

use std::io;

use super::cast::{self, NOTE};
use super::object::{Object, quoted};
use super::stage::{Asked, Stage};
use crate::protocol::Revision;

pub(super) fn write(revision: Revision, out: &mut dyn io::Write) -> io::Result<()> {
    let stage = &mut Stage::new(revision, out);
    cast::open(stage, cast::client_capabilities(revision), cast::server_capabilities(revision))?;
    cast::list_tools(stage, cast::note_tools(revision))?;
    let search = stage.ask("tools/call", cast::call("search_notes", "query", "boat trip"))?;
    stage.answer(&search, cast::found_notes(revision))?;

    let listen = listen(stage)?;
    input_required(stage)?;
    told(stage, &listen, "notifications/resources/updated", Object::new().text("uri", NOTE))?;
    told(stage, &listen, "notifications/tools/list_changed", Object::new())?;

    let reading = stage.ask("resources/read", Object::new().text("uri", "file:///home/ada/notes/archive.md"))?;
    cast::cancel(stage, &reading, "The reader moved on")?;
    cast::cancel(stage, &listen, "Good night")
}

fn listen(stage: &mut Stage<'_>) -> io::Result<Asked> {
    let wanted = || Object::new().plain("toolsListChanged", true).words("resourceSubscriptions", &[NOTE]);
    let listen = stage.ask("subscriptions/listen", Object::new().object("notifications", wanted()))?;
    let accepted = Object::new().object("notifications", wanted());
    told(stage, &listen, "notifications/subscriptions/acknowledged", accepted)?;
    Ok(listen)
}

/// A notification of the stream: it names the request that opened it.
fn told(stage: &mut Stage<'_>, listen: &Asked, method: &str, params: Object) -> io::Result<()> {
    let meta = Object::new().plain("io.modelcontextprotocol/subscriptionId", listen.raw_id());
    stage.tell(method, params.object("_meta", meta))
}

/// A call that needs three things of the client before it can be answered, and the retry that brings them.
pub(super) fn input_required(stage: &mut Stage<'_>) -> io::Result<()> {
    let asked = stage.ask("tools/call", cast::call("read_note", "path", "notes/diary.md"))?;
    let embedded = |method: &str, params: Object| Object::new().text("method", method).object("params", params);
    let form = cast::form(stage, "The diary is locked. Which letter does its hint start with?", "hint", "First letter");
    let wanted = Object::new()
        .object("hint", embedded("elicitation/create", form))
        .object("gist", embedded("sampling/createMessage", cast::summarise("What is a diary?")))
        .object("folders", Object::new().text("method", "roots/list"));
    let state = "diary:locked:1";
    let input =
        Object::new().text("resultType", "input_required").object("inputRequests", wanted).text("requestState", state);
    stage.answer_as_is(&asked, input)?;

    let hint = Object::new().text("action", "accept").object("content", Object::new().text("hint", "m"));
    let given = Object::new()
        .object("hint", hint)
        .object("gist", cast::model_said("A book of days."))
        .object("folders", cast::roots());
    let retry =
        cast::call("read_note", "path", "notes/diary.md").object("inputResponses", given).text("requestState", state);
    let again = stage.ask("tools/call", retry)?;
    stage.answer(&again, cast::says(&format!("Dear diary, the boat is called {}.", quoted("Marlène"))))
}
