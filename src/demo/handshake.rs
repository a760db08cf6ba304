//! `initialize`, `notifications/initialized`, `tools/list`, `tools/call`; then the client closes the pipe, which is
//! no message.

use std::io;

use super::cast;
use super::object::Object;
use super::stage::Stage;
use crate::protocol::Revision;

pub(super) fn write(revision: Revision, out: &mut dyn io::Write) -> io::Result<()> {
    let stage = &mut Stage::new(revision, out);
    let client = Object::new().object("roots", Object::new().plain("listChanged", true));
    let server = Object::new().object("tools", Object::new().plain("listChanged", true));
    cast::open(stage, client, server)?;
    cast::list_tools(stage, cast::note_tools(revision))?;
    let search = stage.ask("tools/call", cast::call("search_notes", "query", "boat trip"))?;
    stage.answer(&search, cast::found_notes(revision))
}
