//! Bytes to frames: sources, the one line buffer, formats and their readers. Knows nothing of sessions, and of
//! MCP only what tells one log format from another.

mod adapter;
mod assemble;
mod claude_desktop;
mod claude_sentence;
mod curl;
mod detect;
mod entries;
mod event_stream;
mod exchange;
mod feed;
mod foreign;
mod format;
mod frame;
mod grammar;
mod gzip;
mod http;
mod http_body;
mod http_text;
mod joined;
mod json;
mod json_array;
mod json_scan;
mod jsonl;
mod line;
mod line_buffer;
mod mcp_remote;
mod parties;
mod plan;
mod pointer;
mod recorders;
mod source;
mod sse;
mod staged;
mod stamp;
mod talk;
mod teller;
mod text_log;
mod timed;
mod unpack;
mod utf16;
mod view;
mod vscode;
mod wrapped;
mod wrapping;
mod zstd;

pub use adapter::{
    Adapter, Entries, Form, Goes, Mark, Named, OutlineForm, Shift, Sort, Telling, TimeKind, Way, Words, direction_word,
};
pub use detect::{Detected, Transcript};
pub use foreign::hint;
pub use format::{Bid, Confidence, FORMATS, Format, Head, Proof, ReadError, ReadOptions, Reader, Step};
pub use frame::{Content, EventKind, Flag, Flags, Frame, Origin, Outline, OutlineKind, Stamp, TimeBasis};
pub use http::{Half, Headers, Http};
pub use jsonl::values;
pub use line::Line;
pub use line_buffer::{Advance, LineBuffer, LineStep};
pub use pointer::Pointer;
pub use source::{Fill, Source, SourceError};
pub use wrapping::{WRAPPINGS, Wrapping, Wrappings};
