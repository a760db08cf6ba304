//! Learns from the messages themselves which of the parties that a log names is the client: it is the one that sends
//! what only clients send.

use crate::protocol::{Direction, Side};

/// Parties that are remembered; of further ones the log tells no direction.
const MAX_PARTIES: usize = 64;
/// Longer names are not remembered.
const MAX_NAME: usize = 64;

/// Words that name a direction as the recorder saw it, with the word for the other way.
const SEEN_FROM: &[(&str, &str)] = &[
    ("in", "out"),
    ("inbound", "outbound"),
    ("incoming", "outgoing"),
    ("read", "write"),
    ("recv", "send"),
    ("receive", "send"),
    ("received", "sent"),
    ("rx", "tx"),
    ("stdin", "stdout"),
    ("<", ">"),
    ("<-", "->"),
    ("<<", ">>"),
    ("<<<", ">>>"),
];

/// What was learnt.
#[derive(Default)]
pub(super) struct Parties {
    known: Vec<(String, Side)>,
}

impl Parties {
    /// The direction of a message between two parties. `sender` is the side that alone can send it, asked for when
    /// that is not known yet.
    pub(super) fn between(&mut self, from: &str, to: &str, sender: impl Fn() -> Option<Side>) -> Option<Direction> {
        if let Some(side) = self.side(from).or_else(|| self.side(to).map(Side::other)) {
            return Some(side.sends());
        }
        let sender = sender()?;
        self.learn(from, sender);
        self.learn(to, sender.other());
        Some(sender.sends())
    }

    /// The direction that a word stands for. One that does not depend on who looks is believed.
    pub(super) fn seen_from(&mut self, word: &str, sender: impl Fn() -> Option<Side>) -> Option<Direction> {
        let opposites = SEEN_FROM.iter().filter_map(|(one, other)| {
            if word.eq_ignore_ascii_case(one) { Some(*other) } else { word.eq_ignore_ascii_case(other).then_some(*one) }
        });
        let mut relative = false;
        for opposite in opposites {
            relative = true;
            if let Some(side) = self.side(opposite) {
                return Some(side.other().sends());
            }
        }
        if !relative {
            return super::direction_word(word);
        }
        if let Some(side) = self.side(word) {
            return Some(side.sends());
        }
        let sender = sender()?;
        self.learn(word, sender);
        Some(sender.sends())
    }

    fn side(&self, name: &str) -> Option<Side> {
        self.known.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, side)| *side)
    }

    fn learn(&mut self, name: &str, side: Side) {
        if self.known.len() < MAX_PARTIES && name.len() <= MAX_NAME {
            self.known.push((name.to_owned(), side));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: fn() -> Option<Side> = || Some(Side::Client);
    const EITHER: fn() -> Option<Side> = || None;

    #[test]
    fn who_initializes_is_the_client() {
        let mut parties = Parties::default();
        assert_eq!(parties.between("7", "9", EITHER), None);
        assert_eq!(parties.between("7", "9", EITHER), None, "either side may");
        assert_eq!(parties.between("7", "9", CLIENT), Some(Direction::ClientToServer));
        assert_eq!(parties.between("9", "7", EITHER), Some(Direction::ServerToClient));
        assert_eq!(parties.between("9", "8", EITHER), Some(Direction::ServerToClient));
    }

    #[test]
    fn a_word_is_learnt_and_so_is_its_opposite() {
        let mut parties = Parties::default();
        assert_eq!(parties.seen_from("in", EITHER), None);
        assert_eq!(parties.seen_from("in", CLIENT), Some(Direction::ClientToServer));
        assert_eq!(parties.seen_from("out", EITHER), Some(Direction::ServerToClient));
        assert_eq!(parties.seen_from("c2s", EITHER), Some(Direction::ClientToServer), "this depends on nobody");
        assert_eq!(parties.seen_from("sideways", CLIENT), None);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut parties = Parties::default();
        for number in 0..1000 {
            parties.between(&number.to_string(), "x", CLIENT);
            parties.known.retain(|(name, _)| name != "x");
        }
        assert!(parties.known.len() <= MAX_PARTIES);
    }
}
