//! `mcp-trace demo`: a sample session as JSON lines.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};

use super::args::DemoArgs;
use super::environment::Environment;
use super::notice::notice;
use super::run::{CANNOT_WRITE, DONE, Exit};
use super::suggest::{did_you_mean, nearest};
use crate::demo::{SCENARIOS, Scenario, scenario};
use crate::protocol::{REVISIONS, Revision};

/// Writes the scenario.
pub(super) fn run(args: &DemoArgs, around: &Environment) -> Result<Exit> {
    let asked = args.revision.as_deref().map(known).transpose()?;
    let scenario = match &args.scenario {
        Some(name) => scenario(name).context("no such scenario")?,
        // The first that the revision has.
        None => {
            let fits = |scenario: &&Scenario| asked.is_none_or(|revision| scenario.supports(revision));
            SCENARIOS.iter().find(fits).context("no scenario in this revision")?
        }
    };
    let revision = revision(asked, scenario)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    (scenario.write)(revision, &mut out).and_then(|()| out.flush()).context(CANNOT_WRITE)?;
    if around.stdout_terminal {
        notice("pipe it: mcp-trace demo | mcp-trace");
    }
    Ok(DONE)
}

fn known(name: &str) -> Result<Revision> {
    let Some(revision) = Revision::parse(name) else {
        let names = || REVISIONS.iter().map(|row| row.name).chain(["draft"]);
        let hint = did_you_mean(&nearest(name, names())).map(|question| format!(" {question}")).unwrap_or_default();
        bail!("unknown revision `{name}`:{hint} known revisions: {}", names().collect::<Vec<_>>().join(", "));
    };
    Ok(revision)
}

fn revision(asked: Option<Revision>, scenario: &Scenario) -> Result<Revision> {
    let Some(revision) = asked else { return Ok(scenario.usual_revision()) };
    if !(scenario.since..=scenario.until).contains(&revision) {
        let (since, until) = (scenario.since.as_str(), scenario.until.as_str());
        let range = if since == until { format!("only in {since}") } else { format!("from {since} to {until}") };
        bail!("the scenario `{}` exists {range}, not in {}", scenario.name, revision.as_str());
    }
    Ok(revision)
}
