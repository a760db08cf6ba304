//! What a recorder keeps where, as a row of plain values. Knows nothing of how the rows are read.

use super::pointer::Pointer;
use super::{EventKind, Flag, Origin};
use crate::protocol::Direction;

/// How a time, or a length of time, is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeKind {
    /// RFC 3339; without an offset, the zone of [`super::ReadOptions`] is assumed.
    Rfc3339,
    /// A number of seconds since 1970, maybe with a fraction.
    EpochSeconds,
    /// A number of milliseconds since 1970.
    EpochMillis,
    /// A number of microseconds since 1970.
    EpochMicros,
    /// A number of nanoseconds since 1970.
    EpochNanos,
    /// A number of seconds since some start, maybe with a fraction.
    ElapsedSeconds,
    /// A number of milliseconds since some start, maybe with a fraction.
    ElapsedMillis,
}

impl TimeKind {
    /// The kinds by the names that a configuration uses.
    pub const NAMED: &'static [(&'static str, Self)] = &[
        ("rfc3339", Self::Rfc3339),
        ("epoch-s", Self::EpochSeconds),
        ("epoch-ms", Self::EpochMillis),
        ("epoch-us", Self::EpochMicros),
        ("epoch-ns", Self::EpochNanos),
        ("elapsed-s", Self::ElapsedSeconds),
        ("elapsed-ms", Self::ElapsedMillis),
    ];
}

/// Where entries stand in a text.
#[derive(Clone, Copy, Debug)]
pub enum Entries {
    /// Each object at the top of the text is one, mostly one a line.
    Top,
    /// In documents, at these paths from the top, all different; `*` is every element of an array.
    Within(&'static [Pointer]),
}

/// What an entry of a format has to have.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    /// A value there.
    Has(Pointer),
    /// No value there.
    Lacks(Pointer),
    /// One of these words there.
    Word(Pointer, &'static [&'static str]),
}

/// What an entry is about, where a word in it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Sort {
    Request,
    Notification,
    Result,
    Error,
    /// A response, whichever it is.
    Answer,
    /// No message.
    Event(EventKind),
}

/// Words and what they stand for.
pub type Words<T> = &'static [(&'static str, T)];

/// One way to tell directions.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// A word there tells it; see [`direction_word`] for those that are known beside the given ones.
    Word(Pointer, Words<Direction>),
    /// Where the first leads to something, the second is `true` for what goes to the server.
    ToServer(Pointer, Pointer),
    /// The sender and the receiver are named in a way that does not tell which is the client: the one that sends what
    /// only a client can send.
    Parties(Pointer, Pointer),
    /// A word names the direction, maybe as seen from a side that is not known: that is learnt in the same way.
    Relative(Pointer),
}

/// What goes which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goes {
    /// As the entry says.
    AsTold,
    /// The other way, and nowhere known when the entry does not say.
    Back,
    /// Always this way: by its place in the entry.
    Always(Direction),
    /// As the entry says, but answers the other way: what the entry names is who asked.
    Asked,
    /// The entry does not tell.
    Unknown,
}

/// How a message is written down.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// As JSON, or as a string that holds it; the first that is there counts.
    Value(&'static [Pointer]),
    /// The same, but what is no JSON-RPC message does not count.
    Rpc(&'static [Pointer]),
    /// Each element of an array is one.
    Each(Pointer),
    /// Its members stand apart or beside others, in an object: id, method, params, result, error. Members that are
    /// `null` are taken for the recorder's.
    Parts(Pointer, [Pointer; 5]),
    /// Only the outline is told.
    Outline(OutlineForm),
}

/// Where the outline of a message stands. Of alternatives the first that is there counts.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct OutlineForm {
    /// What it is, where no word of the entry tells.
    pub sort: Option<Sort>,
    pub method: &'static [Pointer],
    /// The method where none is told.
    pub assumed: Option<&'static str>,
    pub id: &'static [Pointer],
    pub error_code: &'static [Pointer],
    /// Something that only errors have.
    pub error: &'static [Pointer],
    pub target: &'static [Pointer],
}

impl OutlineForm {
    /// Nothing is told.
    pub const NONE: Self =
        Self { sort: None, method: &[], assumed: None, id: &[], error_code: &[], error: &[], target: &[] };
}

/// How far the time of a message is from what the entry says; the kind gives the unit.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Shift {
    Later(Pointer, TimeKind),
    Earlier(Pointer, TimeKind),
}

/// One message that an entry may hold.
#[derive(Clone, Copy, Debug)]
pub struct Telling {
    /// How it is written down.
    pub form: Form,
    /// Which way it goes.
    pub goes: Goes,
    /// Its own time, where the entry has one for it.
    pub time: Option<(Pointer, TimeKind)>,
    /// How far its time is from the entry's.
    pub shift: Option<Shift>,
    /// Members that are `true` where the recorder changed this message.
    pub flags: &'static [(Pointer, Flag)],
    /// Only where the telling before it gave no message.
    pub instead: bool,
    /// Only where the entry has this.
    pub only: &'static [Mark],
}

impl Telling {
    /// A message that goes when and where the entry says.
    pub const fn new(form: Form) -> Self {
        Self { form, goes: Goes::AsTold, time: None, shift: None, flags: &[], instead: false, only: &[] }
    }

    /// A message that always goes one way.
    pub const fn always(form: Form, way: Direction) -> Self {
        Self { goes: Goes::Always(way), ..Self::new(form) }
    }
}

/// What names the session.
#[derive(Clone, Copy, Debug)]
pub enum Named {
    /// A value; the first that is there counts.
    By(&'static [Pointer]),
    /// Two values that may change places.
    Pair(Pointer, Pointer),
}

/// Where a recorder keeps what. Pointers that lead nowhere in an entry are passed over.
#[derive(Clone, Copy, Debug)]
pub struct Adapter {
    /// Why a head is recognised, as half a sentence.
    pub reason: &'static str,
    /// Where the entries stand.
    pub entries: Entries,
    /// What every entry with a message has.
    pub marks: &'static [Mark],
    /// What an entry at the beginning has that describes the recording, or the top of a document.
    pub header: &'static [Mark],
    /// Text that has to stand somewhere in the head.
    pub somewhere: Option<&'static str>,
    /// What a bid is at most.
    pub modest: bool,
    /// Words that tell what an entry is about; the first that is known counts.
    pub sorts: &'static [(Pointer, Words<Sort>)],
    /// The messages of an entry, in order.
    pub messages: &'static [Telling],
    /// Values that are events; the first that is there counts.
    pub events: &'static [(Pointer, EventKind)],
    /// The first that tells a direction counts.
    pub direction: &'static [Way],
    /// The time; the first that is there counts.
    pub time: &'static [(Pointer, TimeKind)],
    /// The recorder's name for the session.
    pub session: Named,
    /// The server's name. What an entry without a message names holds for those behind it.
    pub server: &'static [Pointer],
    /// The method of the request that an answer is for, where the recorder repeats it.
    pub asked: &'static [Pointer],
    /// Members that are `true` where the recorder changed something.
    pub flags: &'static [(Pointer, Flag)],
    /// What the recorder writes into a message where it left something out.
    pub cuts: &'static [(&'static str, Flag)],
    /// Decides what a message becomes that is none.
    pub origin: Origin,
}

impl Adapter {
    /// Nothing but messages at the top of the text.
    pub const NONE: Self = Self {
        reason: "",
        entries: Entries::Top,
        marks: &[],
        header: &[],
        somewhere: None,
        modest: false,
        sorts: &[],
        messages: &[],
        events: &[],
        direction: &[],
        time: &[],
        session: Named::By(&[]),
        server: &[],
        asked: &[],
        flags: &[],
        cuts: &[],
        origin: Origin::Wire,
    };
}

/// The words for directions that recorders use, whatever the format.
pub fn direction_word(word: &str) -> Option<Direction> {
    const TO_SERVER: &[&str] = &[
        "client->server",
        "client-to-server",
        "client_to_server",
        "client→server",
        "to_server",
        "to-server",
        "c2s",
        "client",
        "out",
        "outbound",
        "outgoing",
        "->",
        "→",
    ];
    const TO_CLIENT: &[&str] = &[
        "server->client",
        "server-to-client",
        "server_to_client",
        "server→client",
        "to_client",
        "to-client",
        "s2c",
        "server",
        "in",
        "inbound",
        "incoming",
        "<-",
        "←",
    ];
    let is = |known: &str| word.eq_ignore_ascii_case(known);
    if TO_SERVER.iter().any(|known| is(known)) {
        Some(Direction::ClientToServer)
    } else if TO_CLIENT.iter().any(|known| is(known)) {
        Some(Direction::ServerToClient)
    } else {
        None
    }
}
