//! The same messages in the clothes of a log.

use std::io::Write;

/// How a message is written down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrap {
    /// One message a line.
    Ndjson,
    /// Claude Desktop's `mcp-server-NAME.log`.
    Desktop,
    /// `{"ts","dir","msg"}`.
    Timed,
    /// An event stream, one event a message.
    Sse,
}

/// Appends one message with what stands around it.
pub(crate) fn write(wrap: Wrap, message: &[u8], from_client: bool, clock_ms: u64, out: &mut Vec<u8>) {
    let (before, after): (_, &[u8]) = match wrap {
        Wrap::Ndjson => (String::new(), b"\n"),
        Wrap::Desktop => {
            let sender = if from_client { "client" } else { "server" };
            (format!("{} [file-server] [info] Message from {sender}: ", rfc3339(clock_ms)), b"\n")
        }
        Wrap::Timed => {
            let direction = if from_client { "client->server" } else { "server->client" };
            (format!(r#"{{"ts":"{}","dir":"{direction}","msg":"#, rfc3339(clock_ms)), b"}\n")
        }
        Wrap::Sse => (String::from("event: message\ndata: "), b"\n\n"),
    };
    let _ = out.write_all(before.as_bytes());
    out.extend_from_slice(message);
    out.extend_from_slice(after);
}

/// `2026-02-02T02:40:00.000Z`, from the count of days (Hinnant's algorithm, for days after 1970).
fn rfc3339(clock_ms: u64) -> String {
    let (seconds, millis) = (clock_ms / 1000, clock_ms % 1000);
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}
