//! Figures to the object that is written, and back.

use std::cmp::Reverse;

use compact_str::CompactString;

use super::super::VERSION;
use super::{
    V1Stats, V1StatsCap, V1StatsCapability, V1StatsDefinition, V1StatsDefinitions, V1StatsFigures, V1StatsGroup,
    V1StatsGroups, V1StatsHandshakes, V1StatsInputs, V1StatsLatency, V1StatsMessage, V1StatsSession, V1StatsSessions,
    V1StatsUnread, V1StatsValue,
};
use crate::stats::{
    Bucket, Cell, Definition, Definitions, Field, Figures, Groups, Handshakes, Heavy, Histogram, Inputs, Row, Sessions,
    Unread, Use, Value,
};

fn ms(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}

fn ratio(part: u64, rest: u64) -> Option<f64> {
    let all = part as f64 + rest as f64;
    (all > 0.0).then(|| (part as f64 / all * 1e6).round() / 1e6)
}

impl From<&Histogram> for V1StatsLatency {
    fn from(histogram: &Histogram) -> Self {
        let percentile = |percent| histogram.percentile(percent).map(ms);
        let sum = histogram.sum();
        Self {
            count: histogram.count(),
            min_ms: histogram.min().map(ms),
            mean_ms: histogram.mean().map(ms),
            p50_ms: percentile(50),
            p90_ms: percentile(90),
            p95_ms: percentile(95),
            p99_ms: percentile(99),
            max_ms: histogram.max().map(ms),
            range_ns: histogram.min().zip(histogram.max()),
            sum: (u64::try_from(sum / 1_000_000_000).unwrap_or(u64::MAX), (sum % 1_000_000_000) as u32),
            buckets: histogram.buckets().map(|bucket| (bucket.upper, bucket.count)).collect(),
        }
    }
}

impl V1StatsLatency {
    fn histogram(&self) -> Result<Histogram, String> {
        let (seconds, nanos) = self.sum;
        let sum = u128::from(seconds) * 1_000_000_000 + u128::from(nanos);
        let buckets = self.buckets.iter().map(|&(upper, count)| Bucket { upper, count });
        Histogram::from_parts(buckets, sum, self.range_ns)
            .ok_or_else(|| "expected buckets that belong to their range, found others".to_owned())
    }
}

impl From<&Cell> for V1StatsFigures {
    fn from(cell: &Cell) -> Self {
        Self {
            messages: cell.messages,
            bytes: cell.bytes,
            requests: cell.requests,
            responses: cell.responses,
            notifications: cell.notifications,
            invalid: cell.invalid,
            error_responses: cell.errors,
            tool_errors: cell.tool_errors,
            input_required: cell.input_required,
            cancelled: cell.cancelled,
            late: cell.late,
            unanswered: cell.unanswered,
            latency: V1StatsLatency::from(&cell.latency),
        }
    }
}

impl V1StatsFigures {
    fn cell(&self) -> Result<Cell, String> {
        Ok(Cell {
            messages: self.messages,
            bytes: self.bytes,
            requests: self.requests,
            notifications: self.notifications,
            responses: self.responses,
            invalid: self.invalid,
            errors: self.error_responses,
            tool_errors: self.tool_errors,
            input_required: self.input_required,
            cancelled: self.cancelled,
            late: self.late,
            unanswered: self.unanswered,
            latency: self.latency.histogram()?,
        })
    }
}

impl From<&Value> for V1StatsValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(value) => Self::Number(*value),
            Value::Text(text) => Self::Text(text.to_string()),
        }
    }
}

impl From<&V1StatsValue> for Value {
    fn from(value: &V1StatsValue) -> Self {
        match value {
            V1StatsValue::Null => Self::Null,
            V1StatsValue::Bool(value) => Self::Bool(*value),
            V1StatsValue::Number(value) => Self::Number(*value),
            V1StatsValue::Text(text) => Self::Text(CompactString::new(text)),
        }
    }
}

fn session(key: Option<&(String, u64)>, row: &Row) -> V1StatsSession {
    let text = |name: &Option<CompactString>| name.as_ref().map(CompactString::to_string);
    V1StatsSession {
        file: key.map(|(file, _)| file.clone()),
        session: key.map(|(_, session)| *session),
        sessions: row.sessions,
        server: text(&row.server),
        client: text(&row.client),
        revision: text(&row.revision),
        messages: row.messages,
        bytes: row.bytes,
        requests: row.requests,
        errors: row.errors,
        unanswered: row.unanswered,
        in_flight_max: row.in_flight_max,
        handshake_ns: row.handshake,
    }
}

impl V1StatsSession {
    fn row(&self) -> Row {
        let text = |name: &Option<String>| name.as_ref().map(CompactString::new);
        Row {
            sessions: self.sessions,
            server: text(&self.server),
            client: text(&self.client),
            revision: text(&self.revision),
            messages: self.messages,
            bytes: self.bytes,
            requests: self.requests,
            errors: self.errors,
            unanswered: self.unanswered,
            in_flight_max: self.in_flight_max,
            handshake: self.handshake_ns,
        }
    }
}

fn capability(key: Option<&(&'static str, Vec<String>)>, used: &Use) -> V1StatsCapability {
    V1StatsCapability {
        side: key.map(|(side, _)| (*side).to_owned()),
        path: key.map(|(_, path)| path.clone()).unwrap_or_default(),
        declared: used.declared,
        used: used.used,
        used_undeclared: used.used_undeclared,
        refused: used.refused,
    }
}

impl V1StatsCapability {
    fn used(&self) -> Use {
        Use { declared: self.declared, used: self.used, used_undeclared: self.used_undeclared, refused: self.refused }
    }
}

impl From<&Figures> for V1Stats {
    fn from(figures: &Figures) -> Self {
        let [lifecycle, operation, unphased] = figures.phases();
        let Inputs { ok, partial, unrecognised, unreadable, bytes, lines } = figures.inputs;
        let Sessions { total, handshake, stateless, client_declared, server_declared, in_flight_max } =
            figures.sessions;
        let Handshakes { finished, unfinished, messages, messages_max, bytes: handshake_bytes, ref time } =
            figures.handshakes;
        let unread = figures.unread.iter().map(|unread| V1StatsUnread {
            file: unread.file.clone(),
            status: unread.status.to_owned(),
            error: unread.error.clone(),
        });
        let largest = figures.largest.iter().map(|heavy| V1StatsMessage {
            file: heavy.file.clone(),
            n: heavy.n,
            line: heavy.line,
            session: heavy.session,
            bytes: heavy.bytes.0,
            direction: (&heavy.direction).into(),
            kind: (&heavy.kind).into(),
            method: (&heavy.method).into(),
            target: (&heavy.target).into(),
        });
        let lists = figures.definitions.largest.iter().map(|list| V1StatsDefinition {
            file: list.file.clone(),
            n: list.n,
            line: list.line,
            session: list.session,
            server: list.server.as_ref().map(CompactString::to_string),
            tools: list.tools,
            bytes: list.bytes.0,
            tokens_estimate: Definitions::tokens(list.bytes.0),
        });
        let groups = figures.groups.iter().map(|groups| V1StatsGroups {
            by: groups.by.iter().map(|field| field.as_str().to_owned()).collect(),
            rows: groups
                .rows
                .iter()
                .map(|(values, cell)| V1StatsGroup {
                    values: values.iter().map(V1StatsValue::from).collect(),
                    figures: cell.into(),
                })
                .collect(),
            rest: groups.rows.rest().into(),
        });
        Self {
            record: "stats".to_owned(),
            version: VERSION.to_owned(),
            filter: figures.filter.clone(),
            messages_read: Some(figures.messages_read),
            complete: figures.complete(),
            interrupted: figures.interrupted,
            inputs: V1StatsInputs {
                total: figures.inputs.total(),
                ok,
                partial,
                unrecognised,
                unreadable,
                bytes,
                lines,
            },
            unread: unread.collect(),
            sessions: V1StatsSessions { total, handshake, stateless, client_declared, server_declared, in_flight_max },
            lifecycle: lifecycle.0,
            operation: operation.0,
            unphased: unphased.0,
            lifecycle_ratio: ratio(lifecycle.0, operation.0),
            lifecycle_bytes: lifecycle.1,
            operation_bytes: operation.1,
            unphased_bytes: unphased.1,
            lifecycle_bytes_ratio: ratio(lifecycle.1, operation.1),
            total: (&figures.total).into(),
            embedded: figures.embedded,
            views: figures.views,
            events: figures.events,
            noise: figures.noise,
            undeclared: figures.undeclared,
            handshakes: V1StatsHandshakes {
                finished,
                unfinished,
                messages,
                messages_max,
                bytes: handshake_bytes,
                time: time.into(),
            },
            groups: groups.collect(),
            session_rows: figures.session_rows.iter().map(|(key, row)| session(Some(key), row)).collect(),
            session_rest: session(None, figures.session_rows.rest()),
            largest: largest.collect(),
            definitions: V1StatsDefinitions {
                lists: figures.definitions.lists,
                tools: figures.definitions.tools,
                bytes: figures.definitions.bytes,
                largest: lists.collect(),
            },
            capabilities: figures.capabilities.iter().map(|(key, used)| capability(Some(key), used)).collect(),
            capabilities_rest: capability(None, figures.capabilities.rest()),
            caps_reached: figures
                .caps
                .iter()
                .map(|(table, lost)| V1StatsCap { table: table.clone(), lost: *lost })
                .collect(),
        }
    }
}

impl TryFrom<&V1Stats> for Figures {
    type Error = String;

    /// The figures that were written, for merging; what follows from others is not looked at.
    fn try_from(stats: &V1Stats) -> Result<Self, String> {
        if stats.record != "stats" || stats.version != VERSION {
            let (record, version) = (&stats.record, &stats.version);
            return Err(format!("expected `stats` of version `{VERSION}`, found `{record}` of version `{version}`"));
        }
        let mut figures = Self::new(None);
        let by = |names: &[String]| -> Result<Vec<Field>, String> {
            let field = |name: &String| Field::named(name).ok_or_else(|| format!("unknown field `{name}`"));
            names.iter().map(field).collect()
        };
        let fields: Vec<Vec<Field>> = stats.groups.iter().map(|groups| by(&groups.by)).collect::<Result<_, _>>()?;
        if !figures.groups.iter().map(|groups| &groups.by).eq(fields.iter().take(figures.groups.len())) {
            return Err("expected the standard groups first, found others".to_owned());
        }
        figures.groups = fields.iter().map(|by| Groups::by(by)).collect();
        for (groups, read) in figures.groups.iter_mut().zip(&stats.groups) {
            for row in &read.rows {
                let values: Vec<Value> = row.values.iter().map(Value::from).collect();
                if values.len() != groups.by.len() {
                    return Err(format!("expected {} values in a group, found {}", groups.by.len(), values.len()));
                }
                groups.rows.merge_row(values, &row.figures.cell()?);
            }
            groups.rows.merge_rest(&read.rest.cell()?);
        }
        let V1StatsInputs { ok, partial, unrecognised, unreadable, bytes, lines, .. } = stats.inputs;
        figures.inputs = Inputs { ok, partial, unrecognised, unreadable, bytes, lines };
        for unread in &stats.unread {
            let status = Unread::status(&unread.status).ok_or_else(|| format!("unknown status `{}`", unread.status))?;
            figures.unread.take(Unread { file: unread.file.clone(), status, error: unread.error.clone() });
        }
        figures.filter.clone_from(&stats.filter);
        figures.messages_read = stats.messages_read.unwrap_or(stats.total.messages);
        figures.interrupted = stats.interrupted;
        figures.total = stats.total.cell()?;
        figures.embedded = stats.embedded;
        figures.views = stats.views;
        figures.events = stats.events;
        figures.noise = stats.noise;
        figures.undeclared = stats.undeclared;
        let V1StatsSessions { total, handshake, stateless, client_declared, server_declared, in_flight_max } =
            stats.sessions;
        figures.sessions = Sessions { total, handshake, stateless, client_declared, server_declared, in_flight_max };
        let V1StatsHandshakes { finished, unfinished, messages, messages_max, bytes, ref time } = stats.handshakes;
        figures.handshakes =
            Handshakes { finished, unfinished, messages, messages_max, bytes, time: time.histogram()? };
        for row in &stats.session_rows {
            let key = row.file.clone().zip(row.session).ok_or("expected file and number of a session, found null")?;
            figures.session_rows.merge_row(key, &row.row());
        }
        figures.session_rows.merge_rest(&stats.session_rest.row());
        for heavy in &stats.largest {
            figures.largest.take(Heavy {
                bytes: Reverse(heavy.bytes),
                file: heavy.file.clone(),
                n: heavy.n,
                line: heavy.line,
                session: heavy.session,
                direction: (&heavy.direction).into(),
                kind: (&heavy.kind).into(),
                method: (&heavy.method).into(),
                target: (&heavy.target).into(),
            });
        }
        figures.definitions.lists = stats.definitions.lists;
        figures.definitions.tools = stats.definitions.tools;
        figures.definitions.bytes = stats.definitions.bytes;
        for list in &stats.definitions.largest {
            figures.definitions.largest.take(Definition {
                bytes: Reverse(list.bytes),
                file: list.file.clone(),
                n: list.n,
                line: list.line,
                session: list.session,
                server: list.server.as_ref().map(CompactString::new),
                tools: list.tools,
            });
        }
        for row in &stats.capabilities {
            let side = ["client", "server"].into_iter().find(|side| row.side.as_deref() == Some(side));
            let side = side.ok_or("expected the side of a capability, found another word")?;
            figures.capabilities.merge_row((side, row.path.clone()), &row.used());
        }
        figures.capabilities.merge_rest(&stats.capabilities_rest.used());
        for cap in &stats.caps_reached {
            figures.lose(&cap.table, cap.lost);
        }
        Ok(figures)
    }
}
