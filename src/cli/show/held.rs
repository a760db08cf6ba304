//! The last messages of an input that can be read only once, within bounds.

use std::collections::VecDeque;

use super::family::Relations;

/// At most so many messages are kept.
pub(super) const MESSAGES: usize = 4096;

/// At most so many bytes of them are kept.
pub(super) const BYTES: usize = 64 << 20;

/// A message as far as it may have to be shown later.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) relations: Relations,
    pub(super) head: String,
    pub(super) text: String,
}

impl Message {
    fn size(&self) -> usize {
        self.head.len() + self.text.len()
    }
}

/// First in, first out, bounded in number and bytes.
#[derive(Debug, Default)]
pub(super) struct Held {
    messages: VecDeque<Message>,
    bytes: usize,
}

impl Held {
    pub(super) fn push(&mut self, message: Message) {
        self.bytes += message.size();
        self.messages.push_back(message);
        while self.messages.len() > MESSAGES || self.bytes > BYTES {
            let Some(oldest) = self.messages.pop_front() else { break };
            self.bytes -= oldest.size();
        }
    }
}

impl IntoIterator for Held {
    type Item = Message;
    type IntoIter = std::collections::vec_deque::IntoIter<Message>;

    fn into_iter(self) -> Self::IntoIter {
        self.messages.into_iter()
    }
}
