//! A session in which nearly everything goes wrong that a reader of logs meets: use of what was never declared, a
//! failing tool, an unknown method, silence, an answer to nobody, print-outs between the messages, a used id, half
//! a message.

use std::io;

use super::cast;
use super::object::Object;
use super::stage::Stage;
use crate::protocol::Revision;

pub(super) fn write(revision: Revision, out: &mut dyn io::Write) -> io::Result<()> {
    let stage = &mut Stage::new(revision, out);
    let server = Object::new().object("tools", Object::new());
    cast::open(stage, Object::new(), server)?;
    stage.print("file-server 0.9.3 is ready, 214 notes loaded")?;
    cast::list_tools(stage, cast::note_tools(revision))?;

    // Neither prompts nor, below, sampling was declared by anybody.
    let prompts = stage.ask("prompts/list", Object::new())?;
    stage.refuse(&prompts, -32601, "Method not found: prompts/list", Object::new())?;

    let reading = stage.ask("tools/call", cast::call("read_note", "path", "notes/lost.md"))?;
    let failed = cast::says("notes/lost.md: no such note").plain("isError", true);
    stage.answer(&reading, failed)?;

    undeclared_sampling(stage)?;
    let silent = stage.ask("tools/call", cast::call("search_notes", "query", "everything"))?;
    stage.answer_nobody(99, cast::says("Who asked?"))?;
    stage.ask_again_as(&silent, "tools/call", cast::call("read_note", "path", "notes/packing.md"))?;
    stage.answer(&silent, cast::says("Rope, flask, sun cream."))?;

    let unknown = stage.ask("notes/rename", Object::new().text("path", "notes/packing.md"))?;
    stage.refuse(&unknown, -32601, "Method not found: notes/rename", Object::new())?;
    stage.print(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"data\":\"disk f",
    )
}

fn undeclared_sampling(stage: &mut Stage<'_>) -> io::Result<()> {
    let reading = stage.ask("tools/call", cast::call("read_note", "path", "notes/boat-trip.md"))?;
    if stage.stateless() {
        let wanted = Object::new()
            .text("method", "sampling/createMessage")
            .object("params", cast::summarise("Sum up: Saturday, 9:30."));
        let input = Object::new()
            .text("resultType", "input_required")
            .object("inputRequests", Object::new().object("gist", wanted));
        return stage.answer_as_is(&reading, input);
    }
    let sampling = stage.ask_client("sampling/createMessage", cast::summarise("Sum up: Saturday, 9:30."))?;
    stage.refuse(&sampling, -32601, "Method not found: sampling/createMessage", Object::new())?;
    stage.answer(&reading, cast::says("# Boat trip\n\nSaturday, 9:30."))
}
