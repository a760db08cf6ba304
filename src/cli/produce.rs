//! A job through a renderer into its destination: what every command does that writes a whole run.

use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::destination::Destination;
use super::follow::tell;
use super::notice::notice;
use super::run::{DONE, Exit};
use super::sink::RenderingSink;
use crate::annotate::Summary;
use crate::pipeline::{self, Job, Sink};
use crate::render::Renderer;

/// Runs the job; `place` is the file to write, `None` standard output.
pub(super) fn run(job: &Job, renderer: Box<dyn Renderer>, place: Option<&Path>) -> Result<Exit> {
    through(job, renderer, place, |job, sink| pipeline::run(job, sink))
}

/// Follows the only input of the job.
pub(super) fn follow(job: &Job, renderer: Box<dyn Renderer>, place: Option<&Path>) -> Result<Exit> {
    let told = job.trace.inputs.first().map(String::as_str).unwrap_or_default();
    through(job, renderer, place, |job, sink| pipeline::follow(job, tell(told), sink))
}

/// The same with another way to run it.
pub(super) fn through(
    job: &Job,
    renderer: Box<dyn Renderer>,
    place: Option<&Path>,
    run: impl FnOnce(&Job, &mut dyn Sink) -> io::Result<Summary>,
) -> Result<Exit> {
    if let Some(place) = place {
        refuse_own_input(place, &job.trace.inputs)?;
    }
    let destination = Destination::open(place)?;
    let cannot = destination.cannot_write();
    let mut sink = RenderingSink::new(renderer, destination, job.from);
    let summary = run(job, &mut sink).with_context(|| cannot.clone())?;
    let destination = sink.into_inner().with_context(|| cannot.clone())?;
    // A file of an earlier run is worth more than one that says that nothing was read.
    if destination.is_replacing() && summary.messages_read() == 0 && summary.exit_code != DONE.0 {
        notice("nothing was read, so the output file was left as it was");
    } else {
        destination.commit().context(cannot)?;
    }
    Ok(Exit(summary.exit_code))
}

/// An output that would take the place of one of its inputs is a slip of the hand.
pub(super) fn refuse_own_input(place: &Path, inputs: &[String]) -> Result<()> {
    let Ok(place) = place.canonicalize() else { return Ok(()) };
    let is_place = |input: &String| match input.as_str() {
        "-" => is_standard_input(&place),
        input => Path::new(input).canonicalize().is_ok_and(|input| input == place),
    };
    match inputs.iter().find(|input| is_place(input)) {
        Some(input) if place.is_file() => bail!("`{input}` is an input: expected another name for the output"),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn is_standard_input(place: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    let open = io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    let Ok(input) = open.and_then(|file| file.metadata()) else { return false };
    place.metadata().is_ok_and(|place| (place.dev(), place.ino()) == (input.dev(), input.ino()))
}

#[cfg(not(unix))]
fn is_standard_input(_: &Path) -> bool {
    false
}
