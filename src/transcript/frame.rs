//! What a reader hands on: one message or event at a time, borrowed from the line buffer.

use super::Http;
use crate::position::Position;
use crate::protocol::Direction;

/// One piece of a transcript. Every physical line of an input belongs to a frame, mostly to one; several share a line
/// where values are concatenated, and the messages of one entry of a document need not come in the order of its lines.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'b> {
    /// Where it stands: the message text itself, not the wrapping around it.
    pub position: Position,
    /// RFC 6901 pointer to the message inside a document, when the input is one.
    pub pointer: Option<&'b str>,
    /// When the log says it happened.
    pub time: Option<Stamp>,
    /// Which way it went, when the log says so.
    pub direction: Option<Direction>,
    /// The recorder's own name for the session, process or connection.
    pub session: Option<&'b str>,
    /// The server's name, where the log gives one.
    pub server: Option<&'b str>,
    /// The HTTP exchange that carried it, in captures of HTTP.
    pub http: Option<&'b Http>,
    /// Of an answer: the method of its request, where the log repeats it.
    pub asked: Option<&'b str>,
    /// Where it stood in the log that this one was converted from, as JSON.
    pub at: Option<&'b str>,
    /// What the reader noticed.
    pub flags: Flags,
    /// What it is.
    pub content: Content<'b>,
}

impl Frame<'static> {
    /// A frame of which nothing is told.
    pub const BLANK: Self = Self {
        position: Position { line: 0, end_line: 0, offset: 0, length: 0, lead: None, entry: None },
        pointer: None,
        time: None,
        direction: None,
        session: None,
        server: None,
        http: None,
        asked: None,
        at: None,
        flags: Flags::NONE,
        content: Content::Blank,
    };
}

/// What a frame holds.
#[derive(Clone, Copy, Debug)]
pub enum Content<'b> {
    /// Text that should be a JSON-RPC message or batch.
    Message {
        /// The text, UTF-8 by now (bad bytes are U+FFFD and flagged).
        text: &'b str,
        /// Decides what text that is no JSON-RPC becomes.
        origin: Origin,
    },
    /// A message of which the log tells only the outline.
    Outline(Outline<'b>),
    /// Something the log says that is no message.
    Event {
        /// What kind.
        kind: EventKind,
        /// The log's words, without time stamp and prefix.
        text: &'b str,
    },
    /// Blank lines.
    Blank,
    /// Lines that only frame others: brackets of a document, headers.
    Framing,
}

/// Where message text was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// On the wire: what begins like JSON and is no message is an invalid message, other text is noise.
    Wire,
    /// In a host's or proxy's log, behind a label that announces a message: never noise, `invalid` when unreadable.
    Labelled,
    /// In a host's or proxy's log, found in passing: JSON that is no JSON-RPC is noise.
    Log,
}

/// The message of a log that keeps no payloads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline<'b> {
    /// What it is.
    pub kind: OutlineKind,
    /// The method, when told.
    pub method: Option<&'b str>,
    /// The id token, when told.
    pub id: Option<&'b str>,
    /// The error code, when told.
    pub error_code: Option<i64>,
    /// What it is about, when told: the tool, prompt, URI.
    pub target: Option<&'b str>,
    /// This is a second telling of a message that the same file tells elsewhere.
    pub view: bool,
}

/// The kind of an outlined message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum OutlineKind {
    Request,
    Notification,
    Result,
    Error,
    /// An answer of which the log does not tell whether it was a result or an error.
    Answer,
}

impl OutlineKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Request, Self::Notification, Self::Result, Self::Error, Self::Answer];

    /// The name in timed lines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Result => "result",
            Self::Error => "error",
            Self::Answer => "answer",
        }
    }
}

/// What an event is. The set may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum EventKind {
    TransportOpen,
    TransportClosed,
    ProcessStart,
    ProcessExit,
    Stderr,
    Noise,
    Http,
    Note,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::TransportOpen,
        Self::TransportClosed,
        Self::ProcessStart,
        Self::ProcessExit,
        Self::Stderr,
        Self::Noise,
        Self::Http,
        Self::Note,
    ];

    /// The kind of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TransportOpen => "transport-open",
            Self::TransportClosed => "transport-closed",
            Self::ProcessStart => "process-start",
            Self::ProcessExit => "process-exit",
            Self::Stderr => "stderr",
            Self::Noise => "noise",
            Self::Http => "http",
            Self::Note => "note",
        }
    }
}

/// A point in time and how much of it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The instant; for [`TimeBasis::Elapsed`] counted from the epoch.
    pub at: jiff::Timestamp,
    /// Fractional digits recorded, 0 to 9.
    pub digits: u8,
    /// What the instant rests on.
    pub basis: TimeBasis,
}

/// What a time rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBasis {
    /// The log gives an instant.
    Recorded,
    /// The log gives a local time; the zone was assumed.
    ZoneAssumed,
    /// The log gives the time since some start.
    Elapsed,
}

impl TimeBasis {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::ZoneAssumed => "zone-assumed",
            Self::Elapsed => "elapsed",
        }
    }
}

/// Something noticed about a message. The set may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Flag {
    /// The payload is not, or only partly, in the log.
    Elided,
    /// The text is cut off.
    Truncated,
    /// Bytes that are no UTF-8 were replaced by U+FFFD.
    BadUtf8,
    /// A top-level member stands twice.
    DuplicateMember,
    /// The line is longer than `--max-line` and was passed over.
    Oversized,
    /// The same message delivered again by a resumed stream.
    Replayed,
    /// No `jsonrpc` member.
    VersionMissing,
    /// `jsonrpc` is not `2.0`.
    VersionWrong,
    /// Members other than JSON-RPC's stand at the top.
    ExtraMember,
    /// Both `result` and `error`, or `method` together with either.
    MixedMembers,
    /// The id was used before in this session, by the same side.
    ReusedId,
    /// The request had already been answered.
    DuplicateAnswer,
    /// No request in the capture that this could answer.
    Orphan,
    /// A notification's method with an id, or a request's method without one.
    WrongForm,
    /// The method does not exist in the revision in force.
    WrongRevision,
    /// The recorded direction contradicts the only side that can send this method.
    SwappedLabel,
    /// A batch where the revision in force has none.
    Batched,
    /// Secrets or chosen members in it were replaced by markers.
    Redacted,
}

impl Flag {
    /// Every flag, in output order.
    pub const ALL: [Self; 18] = [
        Self::Elided,
        Self::Truncated,
        Self::BadUtf8,
        Self::DuplicateMember,
        Self::Oversized,
        Self::Replayed,
        Self::VersionMissing,
        Self::VersionWrong,
        Self::ExtraMember,
        Self::MixedMembers,
        Self::ReusedId,
        Self::DuplicateAnswer,
        Self::Orphan,
        Self::WrongForm,
        Self::WrongRevision,
        Self::SwappedLabel,
        Self::Batched,
        Self::Redacted,
    ];

    /// The flag of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flag| flag.as_str() == name)
    }

    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Elided => "elided",
            Self::Truncated => "truncated",
            Self::BadUtf8 => "bad-utf8",
            Self::DuplicateMember => "duplicate-member",
            Self::Oversized => "oversized",
            Self::Replayed => "replayed",
            Self::VersionMissing => "version-missing",
            Self::VersionWrong => "version-wrong",
            Self::ExtraMember => "extra-member",
            Self::MixedMembers => "mixed-members",
            Self::ReusedId => "reused-id",
            Self::DuplicateAnswer => "duplicate-answer",
            Self::Orphan => "orphan",
            Self::WrongForm => "wrong-form",
            Self::WrongRevision => "wrong-revision",
            Self::SwappedLabel => "swapped-label",
            Self::Batched => "batched",
            Self::Redacted => "redacted",
        }
    }
}

/// A set of [`Flag`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u32);

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);

    /// The set with one more flag.
    #[must_use]
    pub fn with(self, flag: Flag) -> Self {
        Self(self.0 | 1 << flag as u8)
    }

    /// The set with one more flag if `condition` holds.
    #[must_use]
    pub fn with_if(self, condition: bool, flag: Flag) -> Self {
        if condition { self.with(flag) } else { self }
    }

    /// The set without a flag.
    #[must_use]
    pub fn without(self, flag: Flag) -> Self {
        Self(self.0 & !(1 << flag as u8))
    }

    /// Both sets together.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the flag is in the set.
    pub fn has(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u8 != 0
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The flags in output order.
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let flag = *Flag::ALL.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(flag)
        })
    }
}

// The bit of a flag is its place in the list.
const _: () = {
    let mut place = 0;
    while place < Flag::ALL.len() {
        assert!(Flag::ALL[place] as usize == place);
        place += 1;
    }
};
