//! `--pairs`: a request together with its answer. Which messages are the other halves is found out by reading the inputs once
//! before, as a request stands before what is known of its answer.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::notice::notice;
use crate::annotate::{Kind, Record};
use crate::filter::Filter;
use crate::pipeline::{self, Job, Sink};

/// Messages that are remembered.
const MAX_HALVES: usize = 1 << 20;

/// Makes the filter of a job select the requests of selected answers and the answers of selected requests.
pub(super) fn complete(job: &mut Job) -> Result<()> {
    let Some(filter) = &job.filter else {
        bail!("`--pairs` adds to what a filter selects: expected `--where` or the like");
    };
    if let Some(input) = job.trace.inputs.iter().find(|input| *input == "-" || is_stream(input)) {
        bail!("`--pairs` reads the input twice: expected files, got `{input}`");
    }
    let mut halves = Halves::default();
    pipeline::run(job, &mut halves)?;
    if halves.lost > 0 {
        notice(&format!("no room for {} more halves of pairs: they are not shown", halves.lost));
    }
    job.filter = Some(Arc::new(Filter { others: Some(Arc::new(halves.others)), ..(**filter).clone() }));
    Ok(())
}

fn is_stream(input: &str) -> bool {
    Path::new(input).metadata().is_ok_and(|known| !known.is_file() && !known.is_dir())
}

/// The other halves of what is selected.
#[derive(Default)]
struct Halves {
    others: HashSet<(u32, u64)>,
    /// Selected requests that wait for their answer.
    asked: HashSet<(u32, u64)>,
    lost: u64,
}

impl Halves {
    fn add(&mut self, half: (u32, u64)) {
        if self.others.len() < MAX_HALVES || self.others.contains(&half) {
            self.others.insert(half);
        } else {
            self.lost += 1;
        }
    }
}

impl Sink for Halves {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        let Record::Message(message) = record else { return Ok(()) };
        for other in message.answers.into_iter().chain(message.answered_by) {
            self.asked.remove(&(message.input, other));
            self.add((message.input, other));
        }
        if message.kind == Kind::Request && message.answered_by.is_none() {
            if self.asked.len() < MAX_HALVES {
                self.asked.insert((message.input, message.n));
            } else {
                self.lost += 1;
            }
        }
        Ok(())
    }

    fn passed(&mut self, record: &Record<'_>) -> io::Result<()> {
        let Record::Message(message) = record else { return Ok(()) };
        if let Some(request) = message.answers
            && self.asked.remove(&(message.input, request))
        {
            self.add((message.input, message.n));
        }
        Ok(())
    }
}
