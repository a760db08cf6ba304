//! The words and signs that the table and the JSON output use of a message, with what they mean. What is an
//! enumeration elsewhere has its sentence in a `match` here, so that none can be forgotten.

use crate::annotate::{Certainty, Status};
use crate::transcript::{EventKind, Flag, TimeBasis};

/// A word or sign.
#[derive(Clone, Copy)]
pub(super) struct Word {
    /// The group in which it is listed.
    pub(super) group: &'static str,
    pub(super) name: &'static str,
    /// Other spellings: the short ones of a narrow table, those of `--ascii`.
    pub(super) also: &'static [&'static str],
    pub(super) meaning: &'static str,
}

impl Word {
    /// What kind of word it is.
    pub(super) fn kind(&self) -> &'static str {
        match self.group {
            "signs" => "a sign of the table",
            "flags" => "a flag: something odd about a message",
            "statuses" => "a status: how a request ended",
            "events" => "an event: what a log says that is no message",
            "bases" => "what a statement rests on",
            _ => "a word of the output",
        }
    }

    fn is_called(&self, asked: &str) -> bool {
        let spelling = |name: &str| name.to_lowercase().replace([' ', '_'], "-");
        spelling(self.name) == spelling(asked)
    }

    fn is_also_called(&self, asked: &str) -> bool {
        self.also.iter().any(|name| Self { name, ..*self }.is_called(asked))
    }
}

/// Every word, in the order in which they are listed.
pub(super) fn words() -> Vec<Word> {
    let bare = |group, name, meaning| Word { group, name, also: &[], meaning };
    let mut words = [WORDS, SIGNS].concat();
    words.extend(Flag::ALL.map(|flag| bare("flags", flag.as_str(), flag_meaning(flag))));
    words.push(bare(
        "flags",
        "too-deep",
        "The message is nested too deeply to be copied, so the JSON output has no `payload` for it.",
    ));
    words.extend(STATUSES.map(|status| bare("statuses", status.as_str(), status_meaning(status))));
    words.extend(EVENTS.map(|event| bare("events", event.as_str(), event_meaning(event))));
    words.extend(CERTAINTIES.map(|basis| bare("bases", basis.as_str(), certainty_meaning(basis))));
    let times = TIMES.iter().filter(|basis| **basis != TimeBasis::Recorded);
    words.extend(times.map(|basis| bare("bases", basis.as_str(), time_meaning(*basis))));
    words
}

/// The words that are written like this, or else those that have it as another spelling.
pub(super) fn find(asked: &str) -> Vec<Word> {
    let all = words();
    let found: Vec<Word> = all.iter().filter(|word| word.is_called(asked)).copied().collect();
    if found.is_empty() { all.into_iter().filter(|word| word.is_also_called(asked)).collect() } else { found }
}

const fn word(name: &'static str, also: &'static [&'static str], meaning: &'static str) -> Word {
    Word { group: "words", name, also, meaning }
}

const WORDS: &[Word] = &[
    word("request", &["req"], "A message with `method` and `id`: the other side has to answer it."),
    word(
        "response",
        &["res", "answer"],
        "A message with `result` or `error` and the id of its request. Its row begins with the number of that request, \
         `#6 ok`, and repeats the request's method.",
    ),
    word("notification", &["ntf"], "A message with `method` and without `id`: nobody answers it."),
    word(
        "invalid",
        &["bad", "(invalid)"],
        "Text that stands where a message should and is no JSON-RPC message: broken JSON, or members that do not fit \
         together. A narrow table says `bad`. It is counted as a message, and no row is dropped because of it.",
    ),
    word(
        "session",
        &[],
        "The number of the session in its input, from 1. A new `initialize` on the same connection begins the next.",
    ),
    word(
        "n",
        &["#", "number"],
        "The number of the message in its input, from 1. `mcp-trace show N FILE` shows that message whole; `#6` in a row points at message 6.",
    ),
    word("line", &[], "The line of the input on which the message begins, for an editor or `sed -n`."),
    word(
        "time",
        &[],
        "When the message was sent, if the log says so: seconds since the session's first message, or with \
         `--time absolute` or `--tz` the time of day. `~` behind it: the log gives a local time, and its zone is assumed.",
    ),
    word(
        "latency",
        &[],
        "The time between a request and its answer, from the times in the log or from the log's own figure.",
    ),
    word(
        "direction",
        &["sender"],
        "Which way the message went: `client ▶` or `◀ server`. Where the log does not say, it follows from the method or the pairing; `~` marks a guess, `?` that nothing decides.",
    ),
    word(
        "kind",
        &["form"],
        "The form of the message: request (`req`), response (`res`), notification (`ntf`) or invalid (`bad`).",
    ),
    word(
        "id",
        &[],
        "The id of a request or response as it is written. `null`: the id is null; `?`: the log keeps no ids.",
    ),
    word(
        "target",
        &[],
        "What a message is about: the tool, prompt, URI, task or level that its params name. It stands behind the method.",
    ),
    word(
        "needs",
        &["requires"],
        "The capabilities without which the message may not be sent, each with a sign: ✓ the side declared it, ✗ it did \
         not, ? its declaration is not in the recording. `mcp-trace explain CAPABILITY` says more of each.",
    ),
    word(
        "outcome",
        &[],
        "What a response brought: the number of its request, its status, error and latency; then what belongs to it and what is odd.",
    ),
    word("summary", &["gist"], "The last column: in a few words what the message says, from its params or result."),
    word(
        "payload",
        &[],
        "The message as it was written. `--payload` adds it: as the last column of the table, as `payload` in the JSON output.",
    ),
    word(
        "feature",
        &[],
        "What a message is about: one of the six primitives, or a part of the protocol around them such as `lifecycle`, `ping` or `progress`.",
    ),
    word(
        "lifecycle",
        &[],
        "In the totals the messages of the phases initialization and shutdown, against those of operation: \
         `lifecycle 3 : operation 7`. As a feature only the messages that make a handshake.",
    ),
    word("late", &[], "The answer came after its request had been cancelled; the sender of the request may ignore it."),
    word("cancelled", &["after cancel"], "The request of this answer was cancelled by `notifications/cancelled`."),
    word(
        "never-answered",
        &["unanswered"],
        "Requests that have no answer in the recording: the session ended first, or the answer was lost.",
    ),
    word(
        "embedded",
        &["inside"],
        "A request or response inside another message: in 2026-07-28 a server asks by `inputRequests` in its answer, and \
         the client's retry carries `inputResponses`. They have rows below that message, without a number of their own.",
    ),
    word(
        "view",
        &["other telling"],
        "A second telling of a message that the same log has told before, as hosts and proxies write both. It is no message of its own: it is counted apart, and the table says once by whom a message was told again.",
    ),
    word(
        "batch",
        &[],
        "Several messages in one JSON array: `batch 2/3` is the second of three. 2025-03-26 brought batches and 2025-06-18 removed them.",
    ),
    word(
        "handshake",
        &[],
        "A session that begins with `initialize`, its answer and `notifications/initialized`: revision and capabilities hold until its end. So do all revisions up to 2025-11-25.",
    ),
    word(
        "stateless",
        &["per-request"],
        "A session without a handshake: every request carries version and capabilities in `_meta`. So does 2026-07-28.",
    ),
    word(
        "agreed",
        &["agreed on", "declared with"],
        "The band below `initialize`: the revision in force, and what each side declared. Behind `not` stand the capabilities of that revision that it did not declare.",
    ),
    word(
        "revision",
        &[],
        "The version of the protocol by which a message is read: the one that was agreed on, or that a request carries.",
    ),
    word(
        "unphased",
        &["in no known phase"],
        "Messages whose phase cannot be told, because the recording does not show how the session began.",
    ),
    word(
        "partial",
        &["only partly read"],
        "An input that could be read only up to a fault, such as a cut `.gz`. What came before it is shown.",
    ),
    word("unrecognised", &[], "An input in which no message of MCP was found."),
    word("unreadable", &[], "An input that could not be opened or read."),
    word("new-session", &[], "A session ended because the next one began on the same connection."),
    word("end-of-input", &["open at the end of the input"], "The recording ends while the session is still open."),
    word(
        "evicted",
        &["limit reached", "caps_reached"],
        "A bounded table was full, so its oldest entry was given up. The totals count these; what belongs to them may be marked unknown.",
    ),
];

const fn sign(name: &'static str, also: &'static [&'static str], meaning: &'static str) -> Word {
    Word { group: "signs", name, also, meaning }
}

const SIGNS: &[Word] = &[
    sign("✓", &["+", "declared"], "The capability was declared by the side that has to (`+` with `--ascii`)."),
    sign(
        "✗",
        &["undeclared", "not declared"],
        "The capability was not declared, though the message needs it (`!` with `--ascii`).",
    ),
    sign(
        "?",
        &["unknown", "not in the capture"],
        "Not in the recording: the declaration of a capability, a direction, a phase, an id, or the request of an answer (`#?`).",
    ),
    sign(
        "~",
        &[],
        "Guessed: one of several possibilities, and the recording does not say which. Behind a time of day: the zone is assumed.",
    ),
    sign(
        "!",
        &[],
        "Before `agreed on`: the server chose another revision than the client asked for. With `--ascii` it also stands for ✗.",
    ),
    sign("▶", &[">", "->"], "From the client to the server."),
    sign("◀", &["<", "<-"], "From the server to the client."),
    sign("⇄", &["<->"], "The client and the server of a session, at its end."),
    sign("·", &["-"], "Nothing to say here: no primitive, or no capability needed. Between words it only separates."),
    sign("└", &["`-"], "Belongs to the row above: an embedded request or response."),
    sign("…", &["..."], "Cut to the width; `--wide` shows all of it, and so does `mcp-trace show N FILE`."),
    sign("▕████░░░░▏", &["▕", "█", "░", "▏", "[#"], "How far a request has come, from `notifications/progress`."),
];

fn flag_meaning(flag: Flag) -> &'static str {
    match flag {
        Flag::Elided => "The log left out the message or a part of it.",
        Flag::Truncated => "The text of the message is cut off, at the end of a line or of the recording.",
        Flag::BadUtf8 => "Bytes that are no UTF-8 were replaced by U+FFFD.",
        Flag::DuplicateMember => {
            "A member stands twice at the top of the message; readers may differ in which one they take."
        }
        Flag::Oversized => "The line is longer than `--max-line` and was not read whole.",
        Flag::Replayed => "A resumed stream delivered the same message again.",
        Flag::VersionMissing => "The message has no `jsonrpc` member.",
        Flag::VersionWrong => "The member `jsonrpc` is something else than `2.0`.",
        Flag::ExtraMember => "At the top stand members that JSON-RPC does not know.",
        Flag::MixedMembers => "The message has both `result` and `error`, or `method` together with one of them.",
        Flag::ReusedId => "The same side has used this id before in the session, so answers may be ambiguous.",
        Flag::DuplicateAnswer => "The request has already been answered.",
        Flag::Orphan => {
            "No request in the recording fits this response: it was sent before the recording began, or by nobody."
        }
        Flag::WrongForm => "The method of a notification came with an id, or that of a request without one.",
        Flag::WrongRevision => "The revision in force does not have this method.",
        Flag::SwappedLabel => "The log says that it went one way, but only the other side can send this method.",
        Flag::Batched => "It came in a batch, which the revision in force does not allow.",
        Flag::Redacted => {
            "`--redact` replaced secrets in it: by a marker such as `‹redacted:3›`, the same for equal secrets, and numbers by 0."
        }
    }
}

const STATUSES: [Status; 4] = [Status::Ok, Status::ToolError, Status::Error, Status::InputRequired];

fn status_meaning(status: Status) -> &'static str {
    match status {
        Status::Ok => "The request succeeded: its response has a `result`. Of an input: it was read to its end.",
        Status::ToolError => {
            "The tool ran and failed: the response is a result with `isError`, which the model gets to read."
        }
        Status::Error => {
            "The request failed: its response has an `error` with a code. `mcp-trace explain errors` lists them."
        }
        Status::InputRequired => {
            "The server needs something first: its result has `inputRequests`, and the client sends the request again with \
             the responses (2026-07-28)."
        }
    }
}

const EVENTS: [EventKind; 8] = [
    EventKind::TransportOpen,
    EventKind::TransportClosed,
    EventKind::ProcessStart,
    EventKind::ProcessExit,
    EventKind::Stderr,
    EventKind::Noise,
    EventKind::Http,
    EventKind::Note,
];

fn event_meaning(event: EventKind) -> &'static str {
    match event {
        EventKind::TransportOpen => "The log says that a connection was opened.",
        EventKind::TransportClosed => "The log says that the connection was closed; this ends the session.",
        EventKind::ProcessStart => "The log says that the server's program was started.",
        EventKind::ProcessExit => "The log says that the server's program has ended; this ends the session.",
        EventKind::Stderr => "A line that the server wrote to standard error.",
        EventKind::Noise => {
            "Text between the messages that belongs to nothing. It is counted, and in an MCP session over stdio it should not be there."
        }
        EventKind::Http => "An HTTP request or answer that the log tells.",
        EventKind::Note => "Something else that the log says in its own words.",
    }
}

const CERTAINTIES: [Certainty; 3] = [Certainty::Recorded, Certainty::Inferred, Certainty::Guessed];

fn certainty_meaning(basis: Certainty) -> &'static str {
    match basis {
        Certainty::Recorded => "The log says so.",
        Certainty::Inferred => "It follows from what the log says: only one answer is possible.",
        Certainty::Guessed => "One of several possibilities; the table marks it with `~`.",
    }
}

const TIMES: [TimeBasis; 3] = [TimeBasis::Recorded, TimeBasis::ZoneAssumed, TimeBasis::Elapsed];

fn time_meaning(basis: TimeBasis) -> &'static str {
    match basis {
        TimeBasis::Recorded => "The log gives an instant.",
        TimeBasis::ZoneAssumed => {
            "The log gives a local time without a zone, so the zone of `--tz` is assumed, or else UTC."
        }
        TimeBasis::Elapsed => "The log gives only the time since some start, so no time of day can be shown.",
    }
}
