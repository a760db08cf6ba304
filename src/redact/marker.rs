//! The marker that takes a secret's place: `‹redacted:3›`, the number the same for equal secrets of a run.

/// How a marker begins.
const BEGIN: &str = "‹redacted";

/// The marker of that number; without one when the table of secrets was full.
pub(super) fn write(number: Option<u32>) -> String {
    match number {
        Some(number) => format!("{BEGIN}:{number}›"),
        None => format!("{BEGIN}›"),
    }
}

/// Whether a text is a marker and nothing else.
pub(super) fn is(text: &str) -> bool {
    let number = text.trim().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix('›'));
    let digits =
        |rest: &str| rest.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    number.is_some_and(|rest| rest.is_empty() || digits(rest))
}
