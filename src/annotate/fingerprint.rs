//! What makes two findings the same in two recordings: the rule, the method, the place inside of the message and what
//! stood there. Neither line numbers nor ids are part of it, so that it stays when lines are inserted or a session is
//! recorded again.

use sha2::{Digest, Sha256};

use super::Finding;
use crate::jsonrpc::{JsonKind, RawJson, Survey};

/// Bytes of the offending part that count.
const MAX_SEEN: usize = 256;

/// Members that are different in each recording: ids, tokens, cursors and times.
const VOLATILE: [&str; 13] = [
    "id",
    "requestId",
    "progressToken",
    "taskId",
    "elicitationId",
    "subscriptionId",
    "cursor",
    "nextCursor",
    "requestState",
    "createdAt",
    "lastUpdatedAt",
    "lastModified",
    "ttl",
];

impl Finding<'_> {
    /// 16 hexadecimal digits; the same on every machine.
    pub fn fingerprint(&self) -> String {
        let (place, seen) = self.seen();
        let mut digest = Sha256::new();
        for part in [self.rule, self.method.unwrap_or_default(), &place, &seen] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The place inside of the message as a pointer, with `-` for the index of an element, and what stood there.
    fn seen(&self) -> (String, String) {
        let Some((start, length)) = self.mark else { return (String::new(), named(self.message)) };
        let Some(marked) = self.text.get(start..start + length) else { return (String::new(), named(self.message)) };
        let mut survey = Survey::default();
        let (place, whole) = locate(&mut survey, self.text, start);
        let last = place.rsplit('/').next().unwrap_or_default();
        if VOLATILE.contains(&last) {
            return (place, String::new());
        }
        let seen = match whole.filter(|whole| whole.text() == marked) {
            // What an object holds may be different each time; what it consists of is not.
            Some(value) if value.kind() == JsonKind::Object => {
                let mut names: Vec<_> = value.members().map(|(name, _)| name.into_owned()).collect();
                names.sort_unstable();
                names.join(",")
            }
            Some(value) if value.kind() == JsonKind::Array => String::new(),
            Some(_) => marked.to_owned(),
            // A part of a value, or no JSON at all: times and counts in it are different each time.
            None => marked.split(|c: char| c.is_ascii_digit()).collect(),
        };
        (place, cut(seen))
    }
}

/// The pointer of the innermost value that stands at an offset, and that value.
fn locate<'a>(survey: &'a mut Survey, text: &'a str, offset: usize) -> (String, Option<RawJson<'a>>) {
    let mut place = String::new();
    let Some(mut value) = survey.value(text) else { return (place, None) };
    let holds = |value: &RawJson<'_>| {
        let start = value.text().as_ptr().addr() - text.as_ptr().addr();
        (start..start + value.text().len()).contains(&offset)
    };
    loop {
        let inner = match value.kind() {
            JsonKind::Object => value.members().find(|(_, value)| holds(value)).map(|(name, value)| {
                place.push('/');
                place.push_str(&name);
                value
            }),
            JsonKind::Array => value.elements().find(holds).inspect(|_| place.push_str("/-")),
            _ => None,
        };
        match inner {
            // The mark is on this value itself.
            Some(inner) if inner.text().as_ptr() == value.text().as_ptr() => return (place, Some(inner)),
            Some(inner) => value = inner,
            None => return (place, Some(value)),
        }
    }
}

/// What a sentence names of the transcript: its pieces in backticks, but no numbers.
fn named(message: &str) -> String {
    let quoted = message.split('`').skip(1).step_by(2);
    let words = quoted.filter(|word| !word.trim_matches('"').bytes().all(|byte| byte.is_ascii_digit()));
    cut(words.collect::<Vec<_>>().join(","))
}

fn cut(mut text: String) -> String {
    let end = (0..=MAX_SEEN.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text.truncate(end);
    text
}
