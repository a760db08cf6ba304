//! One message as a card: a line that says what it is, a line that says when and where, then the payload.

use std::io::{self, Write};

use jiff::tz::TimeZone;
use owo_colors::Style;

use super::family::Role;
use super::pretty::{Palette, write_plain, write_pretty};
use crate::annotate::{Annotated, Certainty, Kind, Needs, Status};
use crate::cli::notice::printable;
use crate::jsonrpc::RawJson;
use crate::protocol::{Direction, Side};
use crate::render::table::Elapsed;
use crate::transcript::{Stamp, TimeBasis};

const MARGIN: &str = "    ";

/// How cards look.
pub(super) struct Look {
    pub(super) color: bool,
    pub(super) ascii: bool,
    /// The zone of absolute times; `None` for times since the session's start.
    pub(super) zone: Option<TimeZone>,
    /// Where the lines above the message break, between their parts.
    pub(super) width: usize,
}

impl Look {
    fn palette(&self) -> Palette {
        if !self.color {
            return Palette::default();
        }
        Palette { key: Style::new().cyan(), string: Style::new(), scalar: Style::new().yellow() }
    }

    fn style(&self, style: Style) -> Style {
        if self.color { style } else { Style::new() }
    }

    fn pick(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { unicode }
    }
}

/// Writes a card.
pub(super) fn write(role: Role, n: u64, head: &str, text: &str, look: &Look, out: &mut dyn Write) -> io::Result<()> {
    let (title, rest) = head.split_once('\n').unwrap_or((head, ""));
    write!(out, "{}  {title}", look.style(Style::new().bold()).style(format_args!("#{n}")))?;
    if role != Role::Asked {
        write!(out, "  {}", look.style(Style::new().dimmed()).style(format_args!("({})", role.as_str())))?;
    }
    writeln!(out)?;
    for line in rest.lines() {
        writeln!(out, "{MARGIN}{}", look.style(Style::new().dimmed()).style(line))?;
    }
    if text.is_empty() {
        writeln!(out, "{MARGIN}(the log does not keep the message itself)")?;
    } else if RawJson::new(text).is_some() {
        write_pretty(text, MARGIN, &look.palette(), out)?;
    } else {
        write_plain(text, MARGIN, out)?;
    }
    Ok(())
}

/// The lines above the payload, the first one the title; without numbers of its own and without colours.
pub(super) fn head(message: &Annotated<'_>, look: &Look) -> String {
    [title(message, look), facts(message, look), place(message, look)].join("\n")
}

fn title(message: &Annotated<'_>, look: &Look) -> String {
    let mut parts = vec![way(message, look)];
    let what = match (message.kind, message.status) {
        (Kind::Response, Some(status)) => format!("response {}", status_words(status)),
        (kind, _) => kind.as_str().to_owned(),
    };
    let method = message.method.map(|method| guessed(printable(method), message.basis.method));
    let name: Vec<String> = method.into_iter().chain(message.target.map(printable)).collect();
    parts.push(if name.is_empty() { "?".to_owned() } else { name.join(" ") });
    parts.push(what);
    if let Some(id) = &message.id {
        parts.push(format!("id {}", printable(id.raw())));
    }
    parts.join("  ")
}

fn way(message: &Annotated<'_>, look: &Look) -> String {
    let arrow = match message.direction {
        Some(Direction::ClientToServer) => look.pick("client ▶ server", "client -> server"),
        Some(Direction::ServerToClient) => look.pick("server ▶ client", "server -> client"),
        None => "direction ?",
    };
    guessed(arrow.to_owned(), message.basis.direction)
}

fn status_words(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::ToolError => "tool error",
        Status::Error => "error",
        Status::InputRequired => "input required",
    }
}

/// What is guessed is never shown as known.
fn guessed(text: String, basis: Option<Certainty>) -> String {
    if basis == Some(Certainty::Guessed) { format!("~{text}") } else { text }
}

fn facts(message: &Annotated<'_>, look: &Look) -> String {
    let phase = message.phase.map_or("phase ?".to_owned(), |phase| phase.as_str().to_owned());
    let mut parts = vec![guessed(phase, message.basis.phase)];
    parts.push(message.revision.map_or("revision ?".to_owned(), printable));
    parts.push(message.feature.as_str().to_owned());
    parts.extend(message.requires.iter().map(|needs| need(needs, look)));
    if let Some((latency, _)) = message.latency {
        parts.push(format!("answered after {}", Elapsed(latency)));
    }
    if let Some(error) = &message.error {
        let code = error.code.map_or("?".to_owned(), |code| code.to_string());
        parts.push(format!("error {code}: {}", printable(&error.message)));
    }
    parts.extend(message.flags.iter().map(|flag| flag.as_str().to_owned()));
    for (set, word) in [(message.late, "late"), (message.cancelled, "cancelled")] {
        parts.extend(set.then(|| word.to_owned()));
    }
    in_lines(&parts, look)
}

fn need(needs: &Needs, look: &Look) -> String {
    let side = match needs.side {
        Side::Client => "client",
        Side::Server => "server",
    };
    let declared = match needs.declared {
        Some(true) => look.pick("✓ declared", "declared"),
        Some(false) => look.pick("✗ not declared", "NOT declared"),
        None => "? declaration not in the capture",
    };
    format!("needs {side}.{} {declared}", needs.path.join("."))
}

fn place(message: &Annotated<'_>, look: &Look) -> String {
    let at = message.position;
    let mut parts = vec![format!("session {}", message.session)];
    if let Some(time) = message.time {
        parts.extend(when(time, message.session_start, look));
    }
    parts.push(match at.end_line > at.line {
        true => format!("lines {} to {}", at.line, at.end_line),
        false => format!("line {}", at.line),
    });
    parts.push(format!("{} bytes at {}", at.length, at.offset));
    if !message.pointer.is_empty() {
        parts.push(format!("at {}", printable(message.pointer)));
    }
    for (number, words) in [
        (message.answers, "answers"),
        (message.answered_by, "answered by"),
        (message.relates_to, "about"),
        (message.caused_by, "caused by"),
        (message.continues, "continues"),
    ] {
        parts.extend(number.map(|number| format!("{words} #{number}")));
    }
    in_lines(&parts, look)
}

fn when(time: Stamp, start: Option<Stamp>, look: &Look) -> Option<String> {
    match &look.zone {
        Some(zone) if time.basis != TimeBasis::Elapsed => {
            Some(time.at.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d %H:%M:%S%.f %:z").to_string())
        }
        _ => {
            let since = time.at.duration_since(start?.at).as_micros();
            let sign = if since < 0 { "-" } else { "+" };
            Some(format!("{sign}{} s", thousandths(since.unsigned_abs() / 1000)))
        }
    }
}

/// Parts with a sign between them, over as many lines as they need.
fn in_lines(parts: &[String], look: &Look) -> String {
    let sign = look.pick(" · ", " | ");
    let mut text = String::new();
    let mut used = MARGIN.len();
    for part in parts {
        let wide = part.chars().count();
        if text.is_empty() {
            used += wide;
        } else if used + sign.chars().count() + wide > look.width {
            text.push('\n');
            used = MARGIN.len() + wide;
        } else {
            text.push_str(sign);
            used += sign.chars().count() + wide;
        }
        text.push_str(part);
    }
    text
}

/// A count of thousandths as a decimal number.
fn thousandths(count: u128) -> String {
    format!("{}.{:03}", count / 1000, count % 1000)
}
