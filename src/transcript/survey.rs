//! What an input is, without reading it whole: the format, its runners-up, what lies around it.

use super::{Bid, Format, ReadError, ReadOptions, Source, Step, Transcript, Wrappings};

/// What was found out about an input.
pub struct Survey {
    /// The formats that bid, the surest first; empty when none was recognised.
    pub bids: Vec<(&'static Format, Bid)>,
    /// What was taken off its text.
    pub wrappings: Wrappings,
    /// Lines before the first that was recognised; without a format, lines looked at.
    pub passed: u64,
    /// Bytes of text looked at.
    pub bytes: u64,
    /// What the input is when it is no transcript, as far as that is known.
    pub hint: Option<&'static str>,
    /// Why it could not be read on.
    pub error: Option<ReadError>,
}

/// Bytes that are looked at before an input counts as unknown.
pub const SURVEYED: u64 = 64 << 20;

/// Looks at the beginning of an input.
pub fn survey(source: Source, options: ReadOptions) -> Survey {
    let mut transcript = Transcript::new(source, None, options);
    let mut passed = 0;
    let error = loop {
        match transcript.next_frame() {
            Ok(Step::Frame(frame) | Step::Noted(frame, _)) => {
                let line = frame.position.line;
                if transcript.detected().is_some() {
                    break None;
                }
                passed = line;
            }
            Ok(Step::Idle | Step::Paused) => {}
            Ok(Step::End) => break None,
            Err(error) => break Some(error),
        }
        if transcript.consumed().0 > SURVEYED {
            break None;
        }
    };
    Survey {
        bids: transcript.bids().to_vec(),
        wrappings: transcript.wrappings(),
        passed,
        bytes: transcript.consumed().0,
        hint: transcript.hint(),
        error,
    }
}
