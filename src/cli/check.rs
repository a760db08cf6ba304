//! `mcp-trace check`: the rules over the records, the findings through a renderer, and an exit code that CI can rely on.

use std::io::{self, Write};

use anyhow::{Context, Result};

use super::args::{CheckArgs, Shown, Threshold};
use super::destination::Destination;
use super::environment::Environment;
use super::interrupt::on_ctrl_c;
use super::page::Page;
use super::plan::Judging;
use super::run::{CANNOT_RUN, DONE, Exit, print};
use super::sink::RenderingSink;
use super::{baseline, notice, plan, produce};
use crate::annotate::{Held, Record, Severity, Trace};
use crate::filter::Chosen;
use crate::pipeline::{self, Job, Sink};
use crate::rules::{Checker, FAMILIES};
use crate::verdict::Verdict;

/// Something at or above the threshold was found.
const FOUND: Exit = Exit(1);

/// What somebody sees who gave nothing to check.
const NOTHING_TO_READ: &str = "\
mcp-trace check judges a recorded MCP session by the rules of the protocol

  mcp-trace check session.jsonl     findings, worst exit code first: 2 not read, 1 errors, 0 clean
  mcp-trace check --list-rules      every rule
  mcp-trace explain RULE            one of them
";

/// Checks the inputs.
pub(super) fn run(args: &CheckArgs, around: &Environment) -> Result<Exit> {
    if args.list_rules {
        return list(around.width());
    }
    if args.files.is_empty() && around.stdin_terminal {
        notice::block(NOTHING_TO_READ);
        return Ok(CANNOT_RUN);
    }
    let plan = plan::check(args, around)?;
    let words = plan.filter.as_ref().map(|filter| filter.words.clone());
    let job = Job {
        trace: Trace { command: "check", filter: words, inputs: plan.inputs },
        from: plan.reading.from,
        read: plan.reading.options,
        redact: plan.reading.redact,
        filter: plan.filter,
        interrupt: on_ctrl_c()?,
    };
    if let Some(place) = plan.destination.as_deref() {
        produce::refuse_own_input(place, &job.trace.inputs)?;
    }
    let chosen = job.filter.is_some().then(Chosen::default);
    let Judging { settings, suppressions, baseline, write_baseline, fail_on } = plan.judging;
    if let Some(place) = write_baseline.as_deref() {
        produce::refuse_own_input(place, &job.trace.inputs)?;
    }
    let (baseline, baseline_file) = baseline.unzip();
    let verdict = Verdict::new(suppressions, baseline, write_baseline.is_some());
    let destination = Destination::open(plan.destination.as_deref())?;
    let cannot = destination.cannot_write();
    let inner = RenderingSink::new((plan.output.open)(&plan.look), destination, job.from);
    let mut sink = CheckingSink {
        inner,
        checker: Checker::new(settings),
        verdict,
        chosen,
        left_out: 0,
        least: args.show.severity(),
        hidden: 0,
        fail_on,
        exit: DONE,
    };
    pipeline::run(&job, &mut sink).with_context(|| cannot.clone())?;
    let CheckingSink { inner, verdict, exit, .. } = sink;
    inner.into_inner().with_context(|| cannot.clone())?.commit().context(cannot)?;
    if exit == CANNOT_RUN {
        // What was not read may hold what is missing.
        return Ok(exit);
    }
    if job.filter.is_some() {
        // What is not found may be what the filter leaves out.
        return Ok(exit);
    }
    baseline::tell_unused(&verdict, &job.trace.inputs);
    match (&write_baseline, verdict.record(), &baseline_file) {
        (Some(place), Some(record), _) => baseline::write(place, record)?,
        (_, _, Some(file)) => baseline::tell_stale(&verdict, file),
        _ => {}
    }
    Ok(exit)
}

/// Judges every record, and hands on what is not a message: findings, the ends of sessions and inputs, the summary.
struct CheckingSink<W: Write> {
    inner: RenderingSink<W>,
    checker: Checker,
    verdict: Verdict,
    /// Which messages the filter has selected; `None`: there is no filter.
    chosen: Option<Chosen>,
    /// Findings that the filter leaves out.
    left_out: u64,
    /// The least severity that is shown.
    least: Severity,
    /// Findings below it.
    hidden: u64,
    fail_on: Option<Severity>,
    exit: Exit,
}

impl<W: Write> CheckingSink<W> {
    /// Judges a record, whether or not the filter selects it, and reports what is found about messages that it selects.
    fn judge(&mut self, record: &Record<'_>, wanted: bool) -> io::Result<()> {
        if let (Some(chosen), Record::Message(message)) = (&mut self.chosen, record) {
            chosen.note(message.input, message.n, wanted);
        }
        let Self { inner, verdict, chosen, left_out, least, hidden, .. } = self;
        self.checker.record(record, &mut |finding| {
            let wanted = chosen.as_mut().is_none_or(|chosen| finding.n.is_some_and(|n| chosen.has(finding.input, n)));
            if !wanted {
                *left_out += 1;
                return Ok(());
            }
            match (verdict.reports(finding), finding.severity >= *least) {
                (true, true) => inner.record(&Record::Finding(finding)),
                (true, false) => {
                    *hidden += 1;
                    Ok(())
                }
                (false, _) => Ok(()),
            }
        })
    }
}

impl<W: Write> Sink for CheckingSink<W> {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.judge(record, true)?;
        match record {
            Record::Message(_) | Record::Embedded(_) | Record::View(_) | Record::Event(_) | Record::Agreed(_) => Ok(()),
            Record::Trace(_) | Record::Finding(_) | Record::SessionEnd(_) | Record::InputEnd(_) => {
                self.inner.record(record)
            }
            Record::Summary(summary) => {
                let counts = self.verdict.counts();
                let new = self.verdict.record().is_none_or(|record| record.lost() > 0);
                let fails = new && self.fail_on.is_some_and(|severity| counts.at_least(severity) > 0);
                self.exit = match (summary.complete, fails) {
                    (false, _) => CANNOT_RUN,
                    (true, true) => FOUND,
                    (true, false) => DONE,
                };
                let mut summary = (*summary).clone();
                summary.findings = Some(counts);
                summary.what_if = self.checker.effects().map(<[_]>::to_vec);
                summary.held = Some(Held { filtered: self.left_out, hidden: self.hidden, ..self.verdict.held() });
                summary.caps_reached.extend_from_slice(self.checker.caps_reached());
                let forgotten = self.chosen.as_ref().map_or(0, Chosen::forgotten);
                summary
                    .caps_reached
                    .extend([("selected messages", forgotten)].into_iter().filter(|(_, lost)| *lost > 0));
                summary.exit_code = self.exit.0;
                self.inner.record(&Record::Summary(&summary))
            }
        }
    }

    fn passed(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.judge(record, false)
    }

    fn idle(&mut self) -> io::Result<()> {
        self.inner.idle()
    }

    fn pause(&mut self) -> io::Result<()> {
        self.inner.pause()
    }
}

/// Lists every rule.
fn list(width: usize) -> Result<Exit> {
    let mut page = Page::new(width);
    page.title("rules", "what `mcp-trace check` looks for; `mcp-trace explain RULE` says more of each");
    for family in FAMILIES {
        page.heading(family.title);
        let row = |rule: &&crate::rules::Rule| {
            [rule.id, rule.default_word(), &rule.revisions().words(), rule.title].map(str::to_owned).to_vec()
        };
        page.table(
            &["rule", "severity", "revisions", "what is wrong"],
            &family.rules.iter().map(row).collect::<Vec<_>>(),
        );
    }
    print(&page.finish())
}

impl Shown {
    /// The least severity that is shown.
    fn severity(self) -> Severity {
        match self {
            Self::Error => Severity::Error,
            Self::Warning => Severity::Warning,
            Self::Note => Severity::Note,
        }
    }
}

impl Threshold {
    /// The severity from which on a finding fails the run; `None`: none does.
    pub(super) fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Note => Some(Severity::Note),
            Self::Never => None,
        }
    }
}
