//! `prometheus`: the text format that Prometheus scrapes and node_exporter's textfile collector reads
//! (https://prometheus.io/docs/instrumenting/exposition_formats/).

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Shown, StatsOutput, text};
use crate::render::escape;
use crate::stats::{Cell, Field, Value};

pub(super) const PROMETHEUS: StatsOutput = StatsOutput {
    name: "prometheus",
    summary: "metrics in the text format of Prometheus, with the fields of `--by` as labels",
    write,
};

/// Name, help, figure.
type Metric = (&'static str, &'static str, fn(&Cell) -> u64);

const METRICS: [Metric; 11] = [
    ("messages", "Messages.", |cell| cell.messages),
    ("bytes", "Bytes of the messages.", |cell| cell.bytes),
    ("requests", "Requests.", |cell| cell.requests),
    ("responses", "Responses.", |cell| cell.responses),
    ("notifications", "Notifications.", |cell| cell.notifications),
    ("invalid", "Invalid messages.", |cell| cell.invalid),
    ("error_responses", "Error responses.", |cell| cell.errors),
    ("tool_errors", "Tool results with isError.", |cell| cell.tool_errors),
    ("cancelled", "Requests that were cancelled.", |cell| cell.cancelled),
    ("late", "Answers to requests that had been cancelled.", |cell| cell.late),
    ("unanswered", "Requests without an answer.", |cell| cell.unanswered),
];

fn write(shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let figures = shown.figures;
    let mut page = String::new();
    if let Some(filter) = &figures.filter {
        _ = writeln!(page, "# Only messages selected by {}", escape::terminal(filter).replace(['\n', '\r'], " "));
    }
    let mut single = |name: &str, help: &str, value: u64| {
        _ = writeln!(page, "# HELP mcp_trace_{name} {help}\n# TYPE mcp_trace_{name} gauge\nmcp_trace_{name} {value}");
    };
    single("complete", "1 when every input was read whole, else 0: incomplete.", u64::from(figures.complete()));
    single("inputs", "Inputs.", figures.inputs.total());
    single("inputs_not_whole", "Inputs that were not read whole.", figures.inputs.not_whole());
    single("sessions", "Sessions.", figures.sessions.total);
    single("in_flight_max", "The most requests that waited at a time, in any session.", figures.sessions.in_flight_max);
    let [lifecycle, operation, _] = figures.phases();
    single("lifecycle_messages", "Messages in phase initialization or shutdown.", lifecycle.0);
    single("operation_messages", "Messages in phase operation.", operation.0);
    let mut groups = Vec::new();
    if let Some(table) = shown.groups() {
        let (sorted, _) = shown.sorted(table, shown.top);
        groups.extend(sorted.into_iter().map(|(values, cell)| (labels(shown.by(), Some(values)), cell)));
        if table.rows.rest().messages > 0 {
            groups.push((labels(shown.by(), None), table.rows.rest()));
        }
    }
    for (name, help, of) in METRICS {
        _ = writeln!(page, "# HELP mcp_trace_{name}_total {help}\n# TYPE mcp_trace_{name}_total counter");
        for (labels, cell) in &groups {
            _ = writeln!(page, "mcp_trace_{name}_total{{{labels}}} {}", of(cell));
        }
    }
    page.push_str("# HELP mcp_trace_latency_seconds Time between request and answer.\n");
    page.push_str("# TYPE mcp_trace_latency_seconds summary\n");
    for (labels, cell) in groups.iter().filter(|(_, cell)| cell.latency.count() > 0) {
        for (quantile, percent) in [("0.5", 50), ("0.9", 90), ("0.95", 95), ("0.99", 99), ("1", 100)] {
            let value = cell.latency.percentile(percent).unwrap_or_default() as f64 / 1e9;
            _ = writeln!(page, "mcp_trace_latency_seconds{{{labels},quantile=\"{quantile}\"}} {value}");
        }
        let sum = cell.latency.sum();
        _ = writeln!(
            page,
            "mcp_trace_latency_seconds_sum{{{labels}}} {}.{:09}",
            sum / 1_000_000_000,
            sum % 1_000_000_000
        );
        _ = writeln!(page, "mcp_trace_latency_seconds_count{{{labels}}} {}", cell.latency.count());
    }
    out.write_all(page.as_bytes())
}

/// The labels of a group; of the rest when there are no values. An empty value is null, as Prometheus has it.
fn labels(by: &[Field], values: Option<&[Value]>) -> String {
    let mut labels = String::new();
    for (at, field) in by.iter().enumerate() {
        let value = match values {
            None if at == 0 => Some("(rest)".into()),
            None => None,
            Some(values) => text(&values[at]),
        };
        let value = escape::terminal(value.as_deref().unwrap_or_default()).replace('\\', "\\\\").replace('"', "\\\"");
        _ = write!(labels, "{}{}=\"{value}\"", if at > 0 { "," } else { "" }, field.as_str());
    }
    labels
}
