//! FORMATS: the input formats, and the two halves of each: the row and the reader.

use std::error::Error;
use std::fmt;

use crate::jsonrpc::Noted;

use super::{
    Frame, LineBuffer, OwnFormat, SourceError, claude_code, claude_code_debug, claude_desktop, codex_exec, converted,
    csharp_sdk, curl, cursor, fastmcp_log, gemini, go_sdk, har, http_text, inspector_console, java_sdk, jetbrains,
    json, json_array, jsonl, librechat, mcp_go, mcp_proxy, mcp_remote, python_sdk, recorders, rmcp, sse, supergateway,
    tee, timed, tshark, txtar, vscode, warp, zed,
};

/// How sure a format is that it can read an input, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Confidence {
    None,
    Possible,
    Likely,
    Certain,
}

impl Confidence {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Possible => "possible",
            Self::Likely => "likely",
            Self::Certain => "certain",
        }
    }
}

/// A format's answer to "is this yours?".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bid {
    /// How sure.
    pub confidence: Confidence,
    /// Why, as half a sentence: `the first line is a JSON-RPC message`.
    pub reason: &'static str,
}

impl Bid {
    /// Not this format.
    pub const NONE: Self = Self { confidence: Confidence::None, reason: "nothing of it is there" };

    /// A bid.
    pub const fn new(confidence: Confidence, reason: &'static str) -> Self {
        Self { confidence, reason }
    }
}

/// The beginning of what is left of an input, as far as it is there.
#[derive(Clone, Copy, Debug)]
pub struct Head<'b> {
    /// Up to 64 KiB of text, beginning at the start of a line; bad UTF-8 replaced.
    pub text: &'b str,
    /// The text reaches to the end of the input.
    pub complete: bool,
    /// The text begins at the start of the input.
    pub first: bool,
}

/// What the grammar of a format rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The format is a standard, or this program's own.
    Defined,
    /// The producer's source or documentation, or many logs that it wrote.
    Documented,
    /// Output of the real program, recorded for this purpose.
    Recorded,
    /// Nobody has compared it with what the producer writes.
    Unverified,
}

impl Proof {
    /// In a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Defined => "its definition",
            Self::Documented => "the producer's source, documentation or logs",
            Self::Recorded => "output of the real program",
            Self::Unverified => "nothing: unverified",
        }
    }
}

/// A row of [`FORMATS`].
pub struct Format {
    /// The name for `--from`.
    pub name: &'static str,
    /// Who writes it, in a few words.
    pub title: &'static str,
    /// What it looks like: one example line.
    pub example: &'static str,
    /// What it does not record, in a few words.
    pub loses: &'static str,
    /// What its grammar rests on.
    pub proof: Proof,
    /// Whether a head is in this format.
    pub sniff: fn(&Head<'_>) -> Bid,
    /// A reader for it.
    pub open: fn(&ReadOptions) -> Box<dyn Reader>,
}

impl Format {
    /// The row of that name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name).copied()
    }
}

/// What readers need to know beyond the bytes.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The longest line that is read whole, in bytes.
    pub max_line: u64,
    /// The zone of local times without one.
    pub zone: jiff::tz::TimeZone,
    /// Formats that the user described; of equal bids theirs count.
    pub own: &'static [OwnFormat],
    /// A plain file with bare messages, of so many bytes or more, is read ahead by a thread of its own, which looks at them as well.
    pub ahead: Option<u64>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { max_line: LineBuffer::MAX_LINE, zone: jiff::tz::TimeZone::UTC, own: &[], ahead: None }
    }
}

/// What a reader gives. Lent out one at a time and never kept, so its size does not matter.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
pub enum Step<'b> {
    /// A frame.
    Frame(Frame<'b>),
    /// A frame whose message has been read.
    Noted(Frame<'b>, Noted<'b>),
    /// No whole frame at this moment: flush.
    Idle,
    /// The producer pauses: show what is held back.
    Paused,
    /// The end.
    End,
}

/// Why reading stopped.
#[derive(Debug)]
pub enum ReadError {
    /// The source failed.
    Source(SourceError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
        }
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Source(error) => error.source(),
        }
    }
}

impl From<SourceError> for ReadError {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

/// Turns lines into frames. A lending iterator: the frame borrows until the next call.
pub trait Reader {
    /// The next frame.
    ///
    /// # Errors
    /// When the source fails; bad text is never an error.
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError>;

    /// After the end: why the input looks half-read, with the position; lower case, no full stop.
    fn problem(&self) -> Option<String> {
        None
    }

    /// How to get a log with messages, where the producer often writes none; lower case, no full stop.
    fn advice(&self) -> Option<&'static str> {
        None
    }
}

/// Every input format, in order of preference when two are equally sure.
pub const FORMATS: &[&Format] = &[
    &converted::FORMAT,
    &claude_desktop::FORMAT,
    &vscode::FORMAT,
    &claude_code::FORMAT,
    &claude_code_debug::FORMAT,
    &cursor::FORMAT,
    &gemini::FORMAT,
    &librechat::FORMAT,
    &codex_exec::FORMAT,
    &zed::FORMAT,
    &warp::FORMAT,
    &jetbrains::FORMAT,
    &har::FORMAT,
    &tshark::FORMAT,
    &txtar::FORMAT,
    &recorders::MCPSNOOP,
    &recorders::MCP_TAPE,
    &recorders::MCPDUMP,
    &recorders::MCP_RECORDER,
    &recorders::CASSETTE,
    &recorders::AGENT_VCR,
    &recorders::MCPTAP,
    &recorders::FRAMES,
    &recorders::MCPSPY,
    &recorders::MCP_DEBUG,
    &recorders::RETICLE,
    &recorders::EXCHANGES,
    &recorders::MCPORTER,
    &recorders::PI_ADAPTER,
    &recorders::LSP,
    &recorders::INSPECTOR,
    &recorders::MCPJAM,
    &recorders::MCP_SHARK,
    &recorders::MCPSNOOP_EXPORT,
    &recorders::FASTMCP,
    &recorders::OTLP,
    &timed::FORMAT,
    &recorders::ANY,
    &sse::FORMAT,
    &curl::FORMAT,
    &http_text::FORMAT,
    &supergateway::FORMAT,
    &python_sdk::FORMAT,
    &csharp_sdk::FORMAT,
    &java_sdk::FORMAT,
    &mcp_go::FORMAT,
    &mcp_proxy::FORMAT,
    &fastmcp_log::FORMAT,
    &inspector_console::FORMAT,
    &mcp_remote::DEBUG,
    &mcp_remote::FORMAT,
    &rmcp::FORMAT,
    &go_sdk::FORMAT,
    &tee::FORMAT,
    &jsonl::FORMAT,
    &json_array::FORMAT,
    &json::FORMAT,
];
