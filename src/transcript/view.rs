//! What a further telling of a message says, and which telling is a further one: a message may be told in several
//! sentences, while the same sentence twice tells two messages.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::json_scan::top_members;
use super::{Outline, OutlineKind};
use crate::protocol::Direction;

#[derive(Deserialize)]
struct Members<'t> {
    #[serde(borrow)]
    method: Option<&'t str>,
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    error: Option<IgnoredAny>,
    jsonrpc: Option<IgnoredAny>,
}

/// The outline of a JSON-RPC message that a log tells once more, whole or with something left out.
pub(super) fn outline_of(text: &str) -> Option<Outline<'_>> {
    let Ok(message) = serde_json::from_str::<Members<'_>>(text) else { return outline_of_cut(text) };
    message.jsonrpc?;
    let id = message.id.map(RawValue::get);
    let kind = match (message.method, id, message.error) {
        (Some(_), Some(_), _) => OutlineKind::Request,
        (Some(_), None, _) => OutlineKind::Notification,
        (None, _, Some(_)) => OutlineKind::Error,
        (None, _, None) => OutlineKind::Result,
    };
    Some(Outline { kind, method: message.method, id, error_code: None, target: None, view: true })
}

/// The same for text that is no JSON: what its members at the top tell.
fn outline_of_cut(text: &str) -> Option<Outline<'_>> {
    let (mut version, mut method, mut id, mut kind) = (false, None, None, None);
    top_members(text, |name| {
        let place = name.as_ptr() as usize - text.as_ptr() as usize + name.len();
        let value = text[place + 1..].trim_ascii_start().trim_start_matches(':').trim_ascii_start();
        match name {
            "jsonrpc" => version = true,
            "method" => method = token(value).and_then(|token| token.strip_prefix('"')?.strip_suffix('"')),
            "id" => id = token(value),
            "result" => kind = Some(OutlineKind::Result),
            "error" => kind = Some(OutlineKind::Error),
            _ => {}
        }
    });
    let kind = match (method, id) {
        (Some(_), Some(_)) => OutlineKind::Request,
        (Some(_), None) => OutlineKind::Notification,
        (None, _) => kind?,
    };
    version.then_some(Outline { kind, method, id, error_code: None, target: None, view: true })
}

/// The number or string that a text begins with.
fn token(text: &str) -> Option<&str> {
    let length = match text.strip_prefix('"') {
        Some(inner) => inner.find('"').filter(|end| !inner[..*end].contains('\\'))? + 2,
        None => text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count(),
    };
    // What ends with the text may go on.
    text.get(..length).filter(|token| !token.is_empty() && token.len() < text.len())
}

/// How many messages that were told lately are remembered.
const RECENT: usize = 64;

/// What was told lately, and in which voices: one bit each.
#[derive(Debug, Default)]
pub(super) struct Echoes {
    recent: VecDeque<(u64, u32)>,
}

impl Echoes {
    /// Takes a telling in a voice from 1 to 31. `true` when it tells again what only other voices have told so far: of
    /// equal messages, each voice tells the oldest first.
    pub(super) fn again(&mut self, outline: &Outline<'_>, direction: Option<Direction>, voice: u8) -> bool {
        let mut hasher = DefaultHasher::new();
        // Some sentences leave out the quotes of an id.
        let id = outline.id.filter(|id| *id != "null").map(|id| id.trim_matches('"'));
        (outline.kind as u8, outline.method, id, direction).hash(&mut hasher);
        let (message, voice) = (hasher.finish(), 1 << (voice & 31));
        let untold = |(known, voices): &&mut (u64, u32)| *known == message && *voices & voice == 0;
        if let Some((_, voices)) = self.recent.iter_mut().find(untold) {
            *voices |= voice;
            return true;
        }
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((message, voice));
        false
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn again(echoes: &mut Echoes, message: &str, voice: u8) -> bool {
        echoes.again(&outline_of(message).unwrap(), Some(Direction::ServerToClient), voice)
    }

    const NOTICE: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

    #[test]
    fn equal_messages_of_one_voice_are_several() {
        for order in [[1, 2, 1, 2, 1, 2], [1, 1, 1, 2, 2, 2], [1, 1, 2, 2, 1, 2], [2, 1, 1, 2, 2, 1]] {
            let mut echoes = Echoes::default();
            let told = order.map(|voice| again(&mut echoes, NOTICE, voice));
            assert_eq!(told.iter().filter(|again| !**again).count(), 3, "{order:?}: {told:?}");
        }
    }

    #[test]
    fn a_telling_with_something_left_out_has_the_same_outline() {
        for (whole, cut) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":{"a":{}}}"#, r#"{"jsonrpc":"2.0","id":1,"result":{"a":[Object]}}"#),
            (
                r#"{"jsonrpc": "2.0", "id": "a-1", "method": "ping", "params": {}}"#,
                r#"{"jsonrpc": "2.0", "id": "a-1", "method": "ping", "params": {"a"#,
            ),
            (r#"{"jsonrpc":"2.0","method":"a/b","params":{}}"#, r#"{"jsonrpc":"2.0","method":"a/b","params":...}"#),
            (r#"{"jsonrpc":"2.0","id":7,"error":{}}"#, r#"{"jsonrpc":"2.0","id":7,"error":{"id":[Object]"#),
        ] {
            assert!(serde_json::from_str::<IgnoredAny>(cut).is_err());
            assert_eq!(outline_of(cut), outline_of(whole), "{cut}");
        }
        for none in [r#"{"id":1,"result":[Object]}"#, r#"{"jsonrpc":"2.0","id":1,"#, "[Object]", "{\"jsonrpc\":\"2"] {
            assert_eq!(outline_of(none), None, "{none}");
        }
    }

    #[test]
    fn other_messages_are_no_echoes() {
        let mut echoes = Echoes::default();
        for other in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{}}"#,
            NOTICE,
        ] {
            assert!(!again(&mut echoes, other, 1), "{other}");
        }
        assert!(!echoes.again(&outline_of(NOTICE).unwrap(), None, 2), "the direction counts");
    }

    #[test]
    fn only_lately_told_messages_are_remembered() {
        let mut echoes = Echoes::default();
        for id in 0..1000 {
            assert!(!again(&mut echoes, &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#), 1));
        }
        assert_eq!(echoes.recent.len(), RECENT);
        assert!(!again(&mut echoes, r#"{"jsonrpc":"2.0","id":0,"result":{}}"#, 2));
    }
}
