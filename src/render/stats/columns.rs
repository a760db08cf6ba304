//! COLUMNS: the figures of a group, for every output that writes rows, and for `--sort`.

use crate::stats::{Cell, Histogram};

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A count.
    Count(u64),
    /// A duration in nanoseconds; `None` where none was recorded.
    Nanos(Option<u64>),
}

impl Number {
    /// For sorting: no duration comes last.
    pub(super) fn order(self) -> (bool, u64) {
        match self {
            Self::Count(count) => (true, count),
            Self::Nanos(nanos) => (nanos.is_some(), nanos.unwrap_or_default()),
        }
    }

    /// As JSON and CSV have it: durations in milliseconds, empty where there is none.
    pub(super) fn text(self) -> String {
        match self {
            Self::Count(count) => count.to_string(),
            Self::Nanos(nanos) => nanos.map(|nanos| (nanos as f64 / 1e6).to_string()).unwrap_or_default(),
        }
    }
}

/// A row of [`COLUMNS`].
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it counts.
    pub summary: &'static str,
    /// The figure of a group.
    pub of: fn(&Cell) -> Number,
}

/// Every figure of a group; the first is what groups are sorted by.
pub const COLUMNS: &[Column] = &[
    count("messages", "messages", |cell| Number::Count(cell.messages)),
    count("bytes", "bytes of their texts", |cell| Number::Count(cell.bytes)),
    count("requests", "requests", |cell| Number::Count(cell.requests)),
    count("responses", "responses, error responses among them", |cell| Number::Count(cell.responses)),
    count("notifications", "notifications", |cell| Number::Count(cell.notifications)),
    count("invalid", "invalid messages", |cell| Number::Count(cell.invalid)),
    count("error_responses", "error responses", |cell| Number::Count(cell.errors)),
    count("tool_errors", "tool results with `isError`", |cell| Number::Count(cell.tool_errors)),
    count("input_required", "results that ask for more input", |cell| Number::Count(cell.input_required)),
    count("cancelled", "requests that a notification cancelled", |cell| Number::Count(cell.cancelled)),
    count("late", "answers to requests that had been cancelled", |cell| Number::Count(cell.late)),
    count("unanswered", "requests without an answer", |cell| Number::Count(cell.unanswered)),
    count("latency_count", "answers with a recorded time since their request", |cell| {
        Number::Count(cell.latency.count())
    }),
    count("min_ms", "the shortest of these times", |cell| Number::Nanos(cell.latency.min())),
    count("mean_ms", "their mean", |cell| Number::Nanos(cell.latency.mean())),
    count("p50_ms", "their median", |cell| percentile(&cell.latency, 50)),
    count("p90_ms", "nine of ten are at most this", |cell| percentile(&cell.latency, 90)),
    count("p95_ms", "95 of 100 are at most this", |cell| percentile(&cell.latency, 95)),
    count("p99_ms", "99 of 100 are at most this", |cell| percentile(&cell.latency, 99)),
    count("max_ms", "the longest", |cell| Number::Nanos(cell.latency.max())),
];

const fn count(name: &'static str, summary: &'static str, of: fn(&Cell) -> Number) -> Column {
    Column { name, summary, of }
}

fn percentile(latency: &Histogram, percent: u64) -> Number {
    Number::Nanos(latency.percentile(percent))
}
