//! The one long stream of HTTP+SSE (2024-11-05, basic/transports), which answers requests that stand behind it in an
//! archive: what it says waits until the document has shown what was asked.

use std::collections::{HashSet, VecDeque};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::staged::{Stage, What};
use super::{EventKind, Stamp};

/// Streams that wait at once.
const MAX_STREAMS: usize = 16;
/// Bytes of text that wait.
const MAX_BYTES: usize = 64 << 20;
/// Ids that are remembered of a stream's requests.
const MAX_IDS: usize = 65_536;

struct Stream {
    stage: Stage,
    session: Option<String>,
    /// When it ended; what begins later cannot be answered by it.
    ended: Option<Stamp>,
    /// The ids of the requests so far, as written.
    asked: HashSet<String>,
}

/// The streams.
#[derive(Default)]
pub(super) struct Later {
    streams: VecDeque<Stream>,
}

impl Later {
    /// Takes in what a stream says.
    pub(super) fn push(&mut self, stage: Stage, session: Option<&str>, ended: Option<Stamp>, out: &mut Stage) {
        let session = session.map(str::to_owned);
        self.streams.push_back(Stream { stage, session, ended, asked: HashSet::new() });
        while self.streams.len() > MAX_STREAMS
            || self.streams.iter().map(|stream| stream.stage.size()).sum::<usize>() > MAX_BYTES
        {
            let Some(mut oldest) = self.streams.pop_front() else { return };
            oldest.stage.move_to(out, usize::MAX);
        }
    }

    /// Gives out what the streams say that had ended when an exchange began.
    pub(super) fn until(&mut self, began: Option<Stamp>, out: &mut Stage) {
        let Some(began) = began else { return };
        self.streams.retain_mut(|stream| {
            let over = stream.ended.is_some_and(|ended| ended.at < began.at);
            if over {
                stream.stage.move_to(out, usize::MAX);
            }
            !over
        });
    }

    /// Notes what was asked in a session, and gives out what its stream says up to the answer to anything else.
    pub(super) fn asked(&mut self, session: Option<&str>, text: &str, out: &mut Stage) {
        for stream in self.streams.iter_mut().filter(|stream| stream.session.as_deref() == session) {
            stream.asked.extend(envelopes(text).into_iter().filter_map(|(id, _)| id));
            let all = stream.asked.len() > MAX_IDS;
            let Stream { stage, asked, .. } = stream;
            // What stands behind the last answer waits for the next: nothing tells that it came before.
            let (mut seen, mut free) = (0, 0);
            stage.count_while(|what, text| {
                seen += 1;
                let told = if matches!(what, What::Message(_)) { envelopes(text) } else { Vec::new() };
                let known = told.iter().all(|(id, answer)| !answer || id.as_ref().is_none_or(|id| asked.contains(id)));
                if known && told.iter().any(|(_, answer)| *answer) {
                    free = seen;
                }
                // The end of the stream comes last.
                known && !matches!(what, What::Event(EventKind::TransportClosed))
            });
            stage.move_to(out, if all { usize::MAX } else { free });
        }
    }

    /// Gives out everything.
    pub(super) fn finish(&mut self, out: &mut Stage) {
        for mut stream in self.streams.drain(..) {
            stream.stage.move_to(out, usize::MAX);
        }
    }
}

#[derive(Deserialize)]
struct Envelope<'t> {
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    method: Option<IgnoredAny>,
}

/// The id of each message in a text, and whether it is an answer.
fn envelopes(text: &str) -> Vec<(Option<String>, bool)> {
    let told = |envelope: Envelope<'_>| (envelope.id.map(|id| id.get().to_owned()), envelope.method.is_none());
    match serde_json::from_str::<Envelope<'_>>(text) {
        Ok(envelope) => vec![told(envelope)],
        Err(_) => serde_json::from_str::<Vec<Envelope<'_>>>(text).unwrap_or_default().into_iter().map(told).collect(),
    }
}
