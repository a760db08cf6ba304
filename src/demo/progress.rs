//! Long work: progress under a token, log messages, a cancellation, and an answer that came too late.

use std::io;

use super::cast;
use super::object::Object;
use super::stage::Stage;
use crate::protocol::Revision;

pub(super) fn write(revision: Revision, out: &mut dyn io::Write) -> io::Result<()> {
    let stage = &mut Stage::new(revision, out);
    let server = Object::new().object("tools", Object::new()).object("logging", Object::new());
    cast::open(stage, Object::new(), server)?;
    let index = cast::tool(revision, "index_notes", "Index notes", "Reads every note and builds an index.", "folder");
    cast::list_tools(stage, [index])?;

    // Who wants log messages says so once, or from 2026-07-28 on with each request.
    let stateless = stage.stateless();
    if !stateless {
        let level = stage.ask("logging/setLevel", Object::new().text("level", "info"))?;
        stage.answer(&level, Object::new())?;
    }
    let meta = |token: &str| {
        Object::new()
            .text("progressToken", token)
            .when(stateless, |meta| meta.text("io.modelcontextprotocol/logLevel", "info"))
    };

    let first = stage.ask_with_meta("tools/call", cast::call("index_notes", "folder", "notes"), meta("index-a"))?;
    cast::progress(stage, "index-a", 1, 3, "Reading")?;
    cast::log(stage, "info", "214 notes found")?;
    cast::progress(stage, "index-a", 2, 3, "Sorting")?;
    if !stateless {
        let ping = stage.ask_client("ping", Object::new())?;
        stage.answer(&ping, Object::new())?;
    }
    cast::progress(stage, "index-a", 3, 3, "Writing")?;
    stage.answer(&first, cast::says("Indexed 214 notes."))?;

    let second = stage.ask_with_meta("tools/call", cast::call("index_notes", "folder", "archive"), meta("index-b"))?;
    cast::progress(stage, "index-b", 1, 40, "Reading")?;
    cast::cancel(stage, &second, "The reader closed the window")?;
    cast::log(stage, "warning", "stopped in folder 1 of 40")?;
    let third = stage.ask("tools/list", Object::new())?;
    // It was under way when the cancellation arrived.
    stage.answer(&second, cast::says("Indexed 5 notes before the stop."))?;
    stage.answer_cacheable(&third, Object::new().list("tools", []))
}
