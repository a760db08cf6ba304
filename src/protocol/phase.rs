//! The phases of a session: PHASES.

/// A phase of the lifecycle. The handshake revisions define three; for 2026-07-28 they are this project's
/// convention (`server/discover` before the first other request is initialization, the rest operation).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Phase {
    Initialization,
    Operation,
    Shutdown,
}

impl Phase {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Initialization => "initialization",
            Self::Operation => "operation",
            Self::Shutdown => "shutdown",
        }
    }
}

/// A row of [`PHASES`]: what `explain` says of a phase.
#[derive(Clone, Copy, Debug)]
pub struct PhaseInfo {
    /// The phase.
    pub phase: Phase,
    /// What it is.
    pub what: &'static str,
    /// Who sends what in the handshake revisions.
    pub handshake: &'static str,
    /// What it is in 2026-07-28.
    pub stateless: &'static str,
}

/// The three phases in order.
pub const PHASES: &[PhaseInfo] = &[
    PhaseInfo {
        phase: Phase::Initialization,
        what: "The two sides agree on a revision and learn each other's capabilities.",
        handshake: "The client sends `initialize`, the server answers, the client sends `notifications/initialized`. \
                    Until then the client should send nothing but pings, the server nothing but pings and log \
                    messages.",
        stateless: "No handshake exists. `server/discover` before the first other request, and requests refused for \
                    their version (-32022), are counted as initialization: a convention of this program, for the \
                    revision defines no phases.",
    },
    PhaseInfo {
        phase: Phase::Operation,
        what: "The work: messages of all kinds, within the limits of what was declared.",
        handshake: "Both sides send requests and notifications, each only what the other side's capabilities allow.",
        stateless: "Only the client sends requests, and each carries version and capabilities. The server answers, \
                    asks back inside its answers, and sends notifications about open requests. The end of a listen \
                    stream belongs here.",
    },
    PhaseInfo {
        phase: Phase::Shutdown,
        what: "The connection ends; no message announces it.",
        handshake: "Over stdio the client closes the server's input and stops the process if need be; over HTTP it may \
                    delete the session. What still comes after the transport closed is counted here.",
        stateless: "No session exists that could end; the transport closes. What still comes after that is counted \
                    here.",
    },
];

impl Phase {
    /// Its row.
    pub fn info(self) -> &'static PhaseInfo {
        &PHASES[self as usize]
    }
}
